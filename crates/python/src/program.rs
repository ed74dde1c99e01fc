//! Programs in jq's language.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::iter::successors;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::Builder;
use std::time::Duration;

use jsonx_core::document::NodeId;
use jsonx_core::engine::{Mode, Options};
use jsonx_diagnose::{DiagnoseOptions, Framing};
use jsonx_jq::{Exception, Host, IndexedText, Printer, RunError, Settings, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error;
use crate::text::Text;
use crate::values;

/// The number of results or inputs after which the program pauses until the results are taken. An input with many more results
/// is run on a thread.
const BATCH: usize = 256;

/// The stack of a program. Only touched pages take memory.
const STACK: usize = 512 << 20;

/// The part that a program may use; the rest is for one operation at the deepest point.
const USABLE_STACK: usize = STACK - (16 << 20);

/// The maximum nesting of texts, as in all commands.
const MAX_DEPTH: u64 = 10_000;

/// The time between two checks for signals.
const WAIT: Duration = Duration::from_millis(50);

/// A program in jq's language, compiled. Keyword arguments are its variables.
///
/// >>> adults = jsonx.jq(".[] | select(.age >= $age) | .name", age=18)
/// >>> list(adults.run([{"name": "Ada", "age": 36}, {"name": "Bo", "age": 7}]))
/// ['Ada']
#[pyclass(frozen, module = "jsonx")]
pub struct Program {
    shared: Arc<Shared>,
}

struct Shared {
    text: String,
    /// Names, and values as JSON.
    variables: Vec<(String, String)>,
}

impl Shared {
    /// The program, compiled for each batch, which takes microseconds, because it cannot be sent between threads.
    fn compiled(&self) -> PyResult<jsonx_jq::Program> {
        let variable = |(name, json): &(String, String)| {
            Ok((format!("${name}").into(), Value::from_json(json)?))
        };
        let variables: Result<Vec<_>, String> = self.variables.iter().map(variable).collect();
        let settings = Settings {
            variables: variables.map_err(PyValueError::new_err)?,
            ..Settings::default()
        };
        jsonx_jq::Program::compile(&self.text, &settings)
            .map_err(|error| PyValueError::new_err(jsonx_cli::jq::pointed(&self.text, &error)))
    }

    /// The message for an error, with a mark in the program.
    fn message(&self, error: &RunError) -> String {
        let mark = error
            .span
            .map(|span| jsonx_cli::jq::marked(&self.text, span));
        error.to_string() + &mark.unwrap_or_default()
    }
}

/// Compiles a program in jq's language. Keyword arguments are its variables.
///
/// An invalid program is a ``ValueError`` that shows the position of the error.
///
/// >>> list(jsonx.jq(".a[] | . * 2").run('{"a": [1, 2]}'))
/// [2, 4]
#[pyfunction]
#[pyo3(signature = (program, /, **variables), text_signature = "(program, /, **variables)")]
pub fn jq(
    py: Python<'_>,
    program: String,
    variables: Option<&Bound<'_, PyDict>>,
) -> PyResult<Program> {
    Program::new(py, program, variables)
}

#[pymethods]
impl Program {
    #[new]
    #[pyo3(signature = (program, /, **variables))]
    fn new(
        py: Python<'_>,
        program: String,
        variables: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Program> {
        let mut named = Vec::new();
        for (name, value) in variables.into_iter().flatten() {
            let json = String::from_utf8_lossy(dumps(py, &value)?.bytes()).into_owned();
            named.push((name.extract()?, json));
        }
        let shared = Shared {
            text: program,
            variables: named,
        };
        shared.compiled()?;
        Ok(Program {
            shared: shared.into(),
        })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        let variables = PyDict::new(py);
        for (name, json) in &self.shared.variables {
            variables.set_item(name, values::of_json(py, json.as_bytes())?)?;
        }
        Ok(((self.shared.text.clone(),), variables))
    }

    /// The results for each value of a text, or for a Python value, one by one. ``str`` and bytes are JSON: any number of values,
    /// such as JSON Lines.
    ///
    /// The text is verified first. An error of the program is a ``ValueError`` after the results before it.
    ///
    /// >>> names = jsonx.jq(".name")
    /// >>> list(names.run('{"name": "Ada"} {"name": "Bo"}'))
    /// ['Ada', 'Bo']
    /// >>> next(names.run({"name": "Cy"}))
    /// 'Cy'
    fn run(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Results> {
        let text = match data.extract::<Text>() {
            Ok(text) => text.decoded(py)?,
            Err(_) => dumps(py, data)?,
        };
        let bytes = text.bytes();
        if bytes.trim_ascii().is_empty() {
            return Ok(self.results(None));
        }
        let copy = jsonx_jq::TextBytes::Owned(bytes.to_vec());
        let options = Options::default().mode(Mode::Stream).max_depth(MAX_DEPTH);
        let source = py.detach(|| IndexedText::new(copy, options));
        let framing = DiagnoseOptions::default().framing(Framing::Stream);
        let source = source.map_err(|broken| error::invalid(py, bytes, broken, framing))?;
        Ok(self.results(Some(source)))
    }

    fn __repr__(&self) -> String {
        format!("jsonx.jq({:?})", self.shared.text)
    }
}

impl Program {
    fn results(&self, source: Option<IndexedText>) -> Results {
        let rest = source.and_then(|source| {
            let first = source.first()?;
            Some(Rest::Inputs(source, first))
        });
        Results {
            state: Mutex::new(State {
                program: self.shared.clone(),
                results: VecDeque::new(),
                rest: rest.unwrap_or(Rest::Nothing),
            }),
        }
    }
}

/// The results of a program, as an iterator.
#[pyclass(frozen, module = "jsonx")]
pub struct Results {
    state: Mutex<State>,
}

/// The remaining work.
struct State {
    program: Arc<Shared>,
    /// Pending results as JSON, or the error after them.
    results: VecDeque<Result<Vec<u8>, String>>,
    rest: Rest,
}

enum Rest {
    Nothing,
    /// The remaining inputs, from this one on.
    Inputs(IndexedText, NodeId),
    /// A thread runs the program for the rest, as fast as results are taken, until the other half of this pair is dropped.
    Running(Receiver<Result<Vec<u8>, String>>, Arc<()>),
}

#[pymethods]
impl Results {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            py.check_signals()?;
            let result = py.detach(|| -> PyResult<_> {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                if state.results.is_empty() {
                    state.advance()?;
                }
                let result = state.results.pop_front();
                Ok((result, matches!(state.rest, Rest::Nothing)))
            });
            match result? {
                (Some(Ok(json)), _) => return values::of_json(py, &json).map(Some),
                (Some(Err(message)), _) => return Err(PyValueError::new_err(message)),
                (None, true) => return Ok(None),
                (None, false) => {}
            }
        }
    }
}

impl State {
    /// Runs the program for some inputs, or waits briefly for the thread that runs it.
    fn advance(&mut self) -> PyResult<()> {
        match std::mem::replace(&mut self.rest, Rest::Nothing) {
            Rest::Nothing => {}
            Rest::Inputs(source, first) => stacker::grow(STACK, || self.run(source, first))?,
            Rest::Running(results, wanted) => {
                match results.recv_timeout(WAIT) {
                    Ok(result) => self.results.push_back(result),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                self.rest = Rest::Running(results, wanted);
            }
        }
        Ok(())
    }

    /// Runs the program for the next inputs on this thread, up to an input with many results, which needs another thread.
    fn run(&mut self, source: IndexedText, first: NodeId) -> PyResult<()> {
        let program = self.program.clone();
        let run = Run {
            compiled: program.compiled()?,
            program: &program,
        };
        let source = Rc::new(source);
        let signals = Signals::default();
        let (mut next, mut needs_thread, mut inputs) = (Some(first), false, 0);
        while let Some(id) = next
            && inputs < BATCH
            && self.results.len() < BATCH
        {
            let before = self.results.len();
            let mut emit = |json| {
                self.results.push_back(Ok(json));
                self.results.len() < 2 * BATCH
            };
            let ended = run.input(source.value(id), &signals, &mut emit);
            inputs += 1;
            next = source.after(id);
            match ended {
                Ended::Next => {}
                Ended::Halted => next = None,
                Ended::Failed(message) => {
                    self.results.push_back(Err(message));
                    next = None;
                }
                Ended::Stopped => {
                    // After an exception from a signal, the next call restarts with this input.
                    self.results.truncate(before);
                    (next, needs_thread) = (Some(id), true);
                    break;
                }
            }
        }
        // No values of it are alive.
        if let (Some(source), Some(next)) = (Rc::into_inner(source), next) {
            self.rest = if needs_thread && signals.0.borrow().is_none() {
                self.spawn(source, next)?
            } else {
                Rest::Inputs(source, next)
            };
        }
        signals.0.into_inner().map_or(Ok(()), Err)
    }

    /// Runs the program for all inputs from this one on, on a separate thread.
    fn spawn(&self, source: IndexedText, first: NodeId) -> PyResult<Rest> {
        let wanted = Arc::new(());
        let host = Wanted(Arc::downgrade(&wanted));
        let program = self.program.clone();
        let (sender, results) = sync_channel(BATCH);
        let run = move || {
            let Ok(compiled) = program.compiled() else {
                return;
            };
            let run = Run {
                compiled,
                program: &program,
            };
            let source = Rc::new(source);
            for id in successors(Some(first), |&id| source.after(id)) {
                let mut emit = |json| sender.send(Ok(json)).is_ok();
                match run.input(source.value(id), &host, &mut emit) {
                    Ended::Next => {}
                    Ended::Halted | Ended::Stopped => return,
                    Ended::Failed(message) => {
                        let _ = sender.send(Err(message));
                        return;
                    }
                }
            }
        };
        Builder::new().stack_size(STACK).spawn(run)?;
        Ok(Rest::Running(results, wanted))
    }
}

/// The end of the run for an input.
enum Ended {
    Next,
    Halted,
    /// The consumer or the host stopped it.
    Stopped,
    Failed(String),
}

/// A program running on one thread.
struct Run<'a> {
    program: &'a Shared,
    compiled: jsonx_jq::Program,
}

impl Run<'_> {
    /// Runs the program for an input, and emits its results as JSON until the consumer stops.
    fn input(&self, input: Value, host: &dyn Host, emit: &mut dyn FnMut(Vec<u8>) -> bool) -> Ended {
        let printer = Printer::default();
        let ended = self
            .compiled
            .run_within(input, host, USABLE_STACK, &mut |value| {
                let mut json = Vec::new();
                printer.push(&value, &mut json);
                if emit(json) {
                    Ok(())
                } else {
                    Err(Exception::Stopped)
                }
            });
        match ended {
            Ok(()) | Err(Exception::Break(_)) => Ended::Next,
            Err(Exception::Stopped) => Ended::Stopped,
            Err(Exception::Halt(_)) if host.is_interrupted() => Ended::Stopped,
            Err(Exception::Halt(halt)) => match halt.message {
                Some(message) => Ended::Failed(
                    message
                        .as_str()
                        .map_or_else(|| message.to_string(), Into::into),
                ),
                None => Ended::Halted,
            },
            Err(Exception::Error(error)) => Ended::Failed(self.program.message(&error)),
        }
    }
}

/// Stops a program if a signal raises an exception, and stores the exception.
#[derive(Default)]
struct Signals(RefCell<Option<PyErr>>);

impl Host for Signals {
    fn is_interrupted(&self) -> bool {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *self.0.borrow_mut() = Some(error);
        }
        self.0.borrow().is_some()
    }
}

/// Stops a program whose results were dropped.
struct Wanted(Weak<()>);

impl Host for Wanted {
    fn is_interrupted(&self) -> bool {
        self.0.strong_count() == 0
    }
}

/// A value as JSON.
fn dumps(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Text> {
    let options = PyDict::new(py);
    options.set_item("allow_nan", false)?;
    let json = py.import("json")?;
    json.call_method("dumps", (value,), Some(&options))?
        .extract()
}
