//! Programs in jq's language.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use jsonx_core::diagnose::{DiagnoseOptions, Framing};
use jsonx_core::document::NodeId;
use jsonx_core::engine::{Mode, Options};
use jsonx_jq::{Exception, NoHost, Printer, Settings, Source, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error;
use crate::text::Text;
use crate::values;

/// The number of results between two looks at the signals of the process.
const PATIENCE: usize = 1 << 16;

/// The number of results after which the program runs for no further input before they are taken.
const BATCH: usize = 256;

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
    /// The program: it is compiled again for each batch, in some microseconds, because it cannot be passed from thread to thread.
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
}

/// Compiles a program in jq's language; keyword arguments are its variables.
///
/// A ``ValueError`` shows what is wrong with the program, and where.
///
/// >>> list(jsonx.jq(".a[] | . * 2").run('{"a": [1, 2]}'))
/// [2, 4]
#[pyfunction]
#[pyo3(signature = (program, **variables), text_signature = "(program, **variables)")]
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
    #[pyo3(signature = (program, **variables))]
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
        let copy = jsonx_jq::Text::Owned(bytes.to_vec());
        let options = Options::default().mode(Mode::Stream);
        let source = py.detach(|| Source::new(copy, options, 0));
        let framing = DiagnoseOptions::default().framing(Framing::Stream);
        let source = source.map_err(|broken| error::invalid(py, bytes, broken, framing))?;
        Ok(self.results(Some(source)))
    }

    fn __repr__(&self) -> String {
        format!("jsonx.jq({:?})", self.shared.text)
    }
}

impl Program {
    fn results(&self, source: Option<Source>) -> Results {
        Results {
            program: self.shared.clone(),
            state: Mutex::new(State {
                next: source.as_ref().and_then(Source::first),
                source,
                results: VecDeque::new(),
            }),
        }
    }
}

/// The results of a program, as an iterator.
#[pyclass(frozen, module = "jsonx")]
pub struct Results {
    program: Arc<Shared>,
    state: Mutex<State>,
}

struct State {
    /// The inputs, if there are any.
    source: Option<Source>,
    next: Option<NodeId>,
    /// Results of the last input, as JSON.
    results: VecDeque<Result<Vec<u8>, String>>,
}

#[pymethods]
impl Results {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let result = py.detach(|| -> PyResult<Option<Result<Vec<u8>, String>>> {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.results.is_empty() && state.next.is_some() {
                state.run(&self.program)?;
            }
            Ok(state.results.pop_front())
        });
        match result? {
            Some(Ok(json)) => values::of_json(py, &json).map(Some),
            Some(Err(message)) => Err(PyValueError::new_err(message)),
            None => Ok(None),
        }
    }
}

impl State {
    /// Runs the program for the next inputs, until there are enough results.
    fn run(&mut self, program: &Shared) -> PyResult<()> {
        let compiled = program.compiled()?;
        let Some(source) = self.source.take().map(Rc::new) else {
            return Ok(());
        };
        while let Some(id) = self.next
            && self.results.len() < BATCH
        {
            self.next = source.after(id);
            self.step(&compiled, source.value(id), program)?;
        }
        // No value of it is left.
        self.source = Rc::into_inner(source);
        Ok(())
    }

    /// Runs the program for an input.
    fn step(
        &mut self,
        compiled: &jsonx_jq::Program,
        input: Value,
        program: &Shared,
    ) -> PyResult<()> {
        let printer = Printer::default();
        let mut interrupted = None;
        let results = &mut self.results;
        let ended = compiled.run(input, &NoHost, &mut |value| {
            if results.len() % PATIENCE == PATIENCE - 1
                && let Err(error) = Python::attach(|py| py.check_signals())
            {
                interrupted = Some(error);
                return Err(Exception::Stopped);
            }
            let mut json = Vec::new();
            printer.push(&value, &mut json);
            results.push_back(Ok(json));
            Ok(())
        });
        if ended.is_err() {
            self.next = None;
        }
        if let Err(Exception::Error(error)) = ended {
            let mut message = error.to_string();
            if let Some(span) = error.span {
                message += &jsonx_cli::jq::marked(&program.text, span);
            }
            results.push_back(Err(message));
        }
        interrupted.map_or(Ok(()), Err)
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
