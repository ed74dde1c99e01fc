//! Runs a program on one of several threads: output is buffered until the batch's turn.
//!
//! A batch with too many results to buffer, or whose program recurses too deeply for the stack of a worker, is run again by the
//! interpreter, which prints results at once and has a large stack.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;

use jsonx_core::engine::Options;
use jsonx_jq::{Host, IndexedText, Program, RunError, Value};

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
    /// A program failed on a reduced record: the message needs the whole record.
    Projected,
    /// The interpreter has to run the batch.
    Batch,
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

    /// Runs the program for reduced records, and calls `whole` for those that it needs completely: because it fails, or because of
    /// [`Record::needs_all`].
    pub fn projected(
        &mut self,
        projected: Projected,
        mut whole: impl FnMut(&mut Self, usize, Record),
    ) {
        let values = Rc::new(projected.text).values();
        for (number, (value, record)) in values.zip(projected.records).enumerate() {
            let needs_all = record.needs_all || !self.is_enough(value);
            if needs_all {
                whole(self, number, record);
            }
            if self.is_over() {
                break;
            }
        }
    }

    /// Runs the program for a reduced record, and discards its output if it fails.
    fn is_enough(&mut self, value: Value) -> bool {
        let progress = self.progress;
        let printed = self.console.out.borrow().len();
        let reported = self.console.messages.borrow().len();
        let keys = self.console.keys.borrow().len();
        self.console.is_projected.set(true);
        let ran = self.run(value);
        self.console.is_projected.set(false);
        if ran.is_err() && self.console.given_up.get() == Some(GivenUp::Projected) {
            self.console.given_up.set(None);
            self.console.out.borrow_mut().truncate(printed);
            self.console.messages.borrow_mut().truncate(reported);
            self.console.keys.borrow_mut().truncate(keys);
            self.progress = progress;
            return false;
        }
        true
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
