//! Runs a program on one of several threads: output is buffered until the batch's turn.
//!
//! A batch with too many results to buffer, or whose program recurses too deeply for the stack of a worker, is run again by the
//! interpreter, which prints results at once and has a large stack.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;

use jsonx_core::engine::{Mode, Options};
use jsonx_jq::{Host, IndexedText, Program, Reduced, RunError, TextBytes, Value};

use super::printing::{Form, Printing};
use super::projection::{Projected, Projection, Record};
use super::results::{Results, count};
use super::rows::Keys;
use super::runner::{Console, ErrorMessage, Progress, print_message, run};
use super::settings::{ProgramSource, STDIN};
use super::tally::Tally;
use crate::messages;

/// The stack limit of a program in a worker, which has 2 MiB.
const WORKER_STACK: usize = 1 << 20;

/// Maximum length of the results that a worker buffers for a batch.
const MAX_HELD: usize = 16 << 20;

/// The state shared by all batches of a file.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub source: &'a ProgramSource,
    pub printing: &'a Printing,
    /// The name of the file.
    pub name: Option<&'a str>,
}

/// The results for a batch.
pub struct Part {
    out: Vec<u8>,
    /// The keys of objects that wait for the header of rows.
    keys: Keys,
    /// With --tally, the counts, instead of texts.
    tally: Tally,
    /// Messages, each with the number of result bytes before it.
    messages: Vec<(usize, Message)>,
    progress: Progress,
    /// The interpreter has to run the batch.
    pub is_given_up: bool,
}

enum Message {
    Text(String),
    Error(ErrorMessage),
}

impl Part {
    /// Prints the results of a batch that begins on line `first`, counted from 0.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn print(
        self,
        first: u64,
        name: Option<&str>,
        out: &mut Results<'_>,
        progress: &mut Progress,
    ) -> io::Result<()> {
        if let Err(reason) = out.merge(&self.keys, self.tally) {
            return Err(io::Error::other(reason));
        }
        let mut printed = 0;
        for (at, message) in self.messages {
            out.append(&self.out[printed..at.min(self.out.len())])?;
            out.out.flush()?;
            printed = at.min(self.out.len());
            match message {
                Message::Text(text) => print_message(&text),
                Message::Error(mut error) => {
                    if let Some(place) = &mut error.place {
                        place.line += first;
                    }
                    messages::always(&error.text(name));
                }
            }
        }
        out.append(&self.out[printed..])?;
        progress.add(&self.progress);
        Ok(())
    }
}

/// A program compiled in a worker.
pub struct Compiled {
    program: Program,
    pub projection: Option<Projection>,
}

impl Compiled {
    fn new(program: Program) -> Rc<Compiled> {
        Rc::new(Compiled {
            projection: Projection::new(&program),
            program,
        })
    }

    /// Compiles the program, once per thread, because it cannot be sent to another thread.
    pub fn for_thread(source: &ProgramSource) -> Rc<Compiled> {
        thread_local! {
            static COMPILED: RefCell<Option<Rc<Compiled>>> = const { RefCell::new(None) };
        }
        COMPILED.with_borrow_mut(|compiled| {
            let compile = || source.compile().expect("it has been compiled before");
            let compiled = compiled.get_or_insert_with(|| Compiled::new(compile()));
            Rc::clone(compiled)
        })
    }

    /// The program for each [element](Program::per_element), compiled likewise.
    pub fn per_element(source: &ProgramSource) -> Option<Rc<Compiled>> {
        thread_local! {
            static COMPILED: RefCell<Option<Rc<Compiled>>> = const { RefCell::new(None) };
        }
        COMPILED.with_borrow_mut(|compiled| {
            if compiled.is_none() {
                let (_, each) = source.compile().ok()?.per_element()?;
                *compiled = Some(Compiled::new(each));
            }
            compiled.clone()
        })
    }
}

/// The reason why a worker gives up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GivenUp {
    /// A reduced record is not sufficient: the program failed, and the message needs the whole record, or it is one of several results.
    Projected,
    /// The interpreter has to run the batch.
    Batch,
}

/// What is left to do for a record after the program ran for a reduced one.
enum Rest {
    Nothing,
    /// The record is the result.
    Print,
    /// The program runs for the record.
    Run,
}

/// The console of a worker.
struct Held<'a> {
    source: &'a ProgramSource,
    printing: &'a Printing,
    name: Option<&'a str>,
    out: RefCell<Vec<u8>>,
    keys: RefCell<Keys>,
    messages: RefCell<Vec<(usize, Message)>>,
    /// The line of the batch on which the current text begins, counted from 0; `None` if errors need the whole document.
    line: Cell<Option<u64>>,
    is_projected: Cell<bool>,
    /// The reduced record that the program runs for.
    reduced: Option<Reduced>,
    /// The only result so far is that record.
    is_kept: Cell<bool>,
    /// The length of `out` before its results.
    printed: Cell<usize>,
    given_up: Cell<Option<GivenUp>>,
}

impl Held<'_> {
    fn push(&self, message: Message) {
        let at = self.out.borrow().len();
        self.messages.borrow_mut().push((at, message));
    }

    fn give_up(&self, reason: GivenUp) -> io::Result<()> {
        self.given_up.set(Some(reason));
        Err(io::ErrorKind::Interrupted.into())
    }
}

impl Host for Held<'_> {
    fn input_filename(&self) -> Option<String> {
        Some(self.name.unwrap_or(STDIN).to_owned())
    }

    fn message(&self, text: &str) {
        self.push(Message::Text(text.to_owned()));
    }
}

impl Console for Held<'_> {
    fn refuses(&self, value: &Value) -> bool {
        self.printing.refuses(value)
    }

    fn result(&self, value: &Value) -> io::Result<()> {
        if self.is_projected.get() {
            let reduced = self.reduced.as_ref();
            let is_record = reduced.is_some_and(|reduced| reduced.is(value));
            let is_first = self.out.borrow().len() == self.printed.get();
            if self.is_kept.get() || is_record && !is_first {
                return self.give_up(GivenUp::Projected);
            }
            self.is_kept.set(is_record);
            if is_record {
                return Ok(());
            }
        }
        let mut out = self.out.borrow_mut();
        let pushed = self
            .printing
            .push(value, self.name, &mut out, &mut self.keys.borrow_mut());
        if pushed.is_err() || out.len() > MAX_HELD {
            return self.give_up(GivenUp::Batch);
        }
        Ok(())
    }

    fn error(&self, error: &RunError) -> io::Result<()> {
        if error.is_too_deep {
            return self.give_up(GivenUp::Batch);
        }
        if self.is_projected.get() {
            return self.give_up(GivenUp::Projected);
        }
        let Some(line) = self.line.get() else {
            return self.give_up(GivenUp::Batch);
        };
        let message = ErrorMessage::new(error, &self.source.program, line);
        self.push(Message::Error(message));
        Ok(())
    }
}

fn indexed(text: &[u8], options: Options) -> Option<IndexedText> {
    let text = TextBytes::Owned(text.to_vec());
    IndexedText::new(text, options.mode(Mode::Stream)).ok()
}

/// The run of a batch.
pub struct Worker<'a> {
    compiled: Rc<Compiled>,
    console: Held<'a>,
    progress: Progress,
    /// The path of the array if its inputs are elements.
    array: Option<&'a [String]>,
}

impl<'a> Worker<'a> {
    pub fn new(compiled: Rc<Compiled>, shared: Shared<'a>) -> Worker<'a> {
        let projection = compiled.projection.as_ref();
        let reduced = projection.map(Projection::reduced);
        Worker {
            compiled,
            console: Held {
                source: shared.source,
                printing: shared.printing,
                name: shared.name,
                out: RefCell::default(),
                keys: RefCell::default(),
                messages: RefCell::default(),
                line: Cell::new(None),
                is_projected: Cell::new(false),
                reduced,
                is_kept: Cell::new(false),
                printed: Cell::new(0),
                given_up: Cell::new(None),
            },
            progress: Progress::default(),
            array: None,
        }
    }

    /// A worker for elements of the array that the program iterates over.
    pub fn of_elements(compiled: Rc<Compiled>, shared: Shared<'a>) -> Worker<'a> {
        Worker {
            array: shared.source.array.as_deref(),
            ..Worker::new(compiled, shared)
        }
    }

    /// Looks for wrong keys in a text of inputs that will be reduced.
    pub fn see_text(&self, text: &[u8], options: Options) {
        let keys = &self.console.source.wrong_keys;
        keys.see_text(text, options, self.array);
    }

    /// Its program.
    pub fn compiled(&self) -> Rc<Compiled> {
        Rc::clone(&self.compiled)
    }

    /// Leaves the batch to the interpreter.
    pub fn give_up(&self) {
        self.console.given_up.set(Some(GivenUp::Batch));
    }

    fn is_over(&self) -> bool {
        self.progress.halted.is_some() || self.console.given_up.get().is_some()
    }

    fn run(&mut self, value: Value) -> io::Result<()> {
        let (program, progress) = (&self.compiled.program, &mut self.progress);
        run(program, value, WORKER_STACK, &self.console, progress)
    }

    /// Runs the program for the values of a text that begins on a line of the batch, counted from 0; `None` if the place of an error
    /// needs the whole document.
    pub fn text(&mut self, text: IndexedText, line: Option<u64>) {
        self.console.line.set(line);
        for value in Rc::new(text).values() {
            let keys = &self.console.source.wrong_keys;
            if keys.is_open() {
                keys.see(&value, self.array);
            }
            if self.is_over() || self.run(value).is_err() {
                break;
            }
        }
    }

    /// Runs the program for reduced records. `text_of` returns the text of a record and `line_of`, as in [`text`](Worker::text), its line.
    pub fn projected<'t>(
        &mut self,
        projected: &Projected<'t>,
        options: Options,
        text_of: impl Fn(usize, Record) -> &'t [u8],
        mut line_of: impl FnMut(Record) -> Option<u64>,
    ) {
        let projection = self.compiled.projection.as_ref();
        let is_path = projection.is_some_and(Projection::is_path);
        for (number, record) in projected.records.iter().enumerate() {
            let mut texts = projected.texts(number);
            let rest = match record.needs_all {
                true => Rest::Run,
                false if is_path && texts.next().is_some_and(|text| self.print(text)) => {
                    Rest::Nothing
                }
                false => self.run_reduced(projected.values(number)),
            };
            match rest {
                Rest::Nothing => {}
                Rest::Print => self.record(text_of(number, *record), options),
                Rest::Run => match indexed(text_of(number, *record), options) {
                    Some(text) => self.text(text, line_of(*record)),
                    None => self.give_up(),
                },
            }
            if self.is_over() {
                break;
            }
        }
    }

    /// Runs the program for a record reduced to these values. If that is not sufficient, its results are discarded.
    fn run_reduced(&mut self, values: impl Iterator<Item = Value>) -> Rest {
        let Some(reduced) = &mut self.console.reduced else {
            return Rest::Run;
        };
        let value = reduced.with(values);
        let progress = self.progress;
        let printed = self.console.out.borrow().len();
        let reported = self.console.messages.borrow().len();
        let keys = self.console.keys.borrow().len();
        self.console.printed.set(printed);
        self.console.is_kept.set(false);
        self.console.is_projected.set(true);
        let ran = self.run(value);
        let console = &self.console;
        console.is_projected.set(false);
        let is_kept = console.is_kept.get();
        let is_insufficient = ran.is_err() && console.given_up.get() == Some(GivenUp::Projected);
        if is_insufficient || is_kept && console.messages.borrow().len() > reported {
            console.given_up.set(None);
            console.out.borrow_mut().truncate(printed);
            console.messages.borrow_mut().truncate(reported);
            console.keys.borrow_mut().truncate(keys);
            self.progress = progress;
            return Rest::Run;
        }
        if is_kept { Rest::Print } else { Rest::Nothing }
    }

    /// Prints a result, whose text is verified. Returns false if a value is needed.
    fn print(&mut self, text: &[u8]) -> bool {
        let console = &self.console;
        let mut out = console.out.borrow_mut();
        let is_printed = console.printing.push_text(text, console.name, &mut out);
        if is_printed {
            self.progress.failed = Some(false);
            self.progress.last = Some(!matches!(text, b"null" | b"false"));
        }
        if out.len() > MAX_HELD {
            self.give_up();
        }
        is_printed
    }

    /// Prints a record.
    fn record(&mut self, text: &[u8], options: Options) {
        if self.print(text.trim_ascii()) {
            return;
        }
        let Some(text) = indexed(text, options) else {
            return self.give_up();
        };
        let mut values = Rc::new(text).values();
        // If it fails, the interpreter has to run the batch.
        let _ = values.try_for_each(|value| self.console.result(&value));
    }

    pub fn finish(self) -> Part {
        let mut out = self.console.out.into_inner();
        let mut is_given_up = self.console.given_up.get().is_some();
        let mut tally = Tally::default();
        if matches!(self.console.printing.form, Form::Tally(_)) && !is_given_up {
            is_given_up = count(&out, &mut tally).is_err();
            out.clear();
        }
        Part {
            is_given_up,
            out,
            keys: self.console.keys.into_inner(),
            tally,
            messages: self.console.messages.into_inner(),
            progress: self.progress,
        }
    }
}
