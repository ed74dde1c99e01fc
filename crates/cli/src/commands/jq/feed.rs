//! Inputs for the interpreter, which the program may also request.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::sync::mpsc::Receiver;

use jsonx_jq::{Events, Exception, Host, IndexedText, Lazy, RunError, Value};

use super::jobs::{Document, Job, Ran};
use super::printing::Printing;
use super::results::Results;
use super::runner::{Console, ErrorMessage, Place};
use super::settings::ProgramSource;
use crate::args::Jq;
use crate::messages;
use crate::output::Stdout;
use crate::report::escape;

/// The next event.
pub enum Next {
    Value(Value),
    Document(Box<Document>),
    Ran(Box<Ran>),
    End,
}

/// The remaining values of a text, and their position.
struct Current {
    values: Box<dyn Iterator<Item = Value>>,
    /// With --stream, what is left of the last value.
    events: Option<Events>,
    name: Option<String>,
    /// The number of lines before the text.
    line: u64,
    last: Option<Lazy>,
    /// The number of line feeds before an offset of the text.
    counted: (usize, u64),
}

impl Current {
    fn new(
        values: impl Iterator<Item = Value> + 'static,
        name: Option<String>,
        line: u64,
    ) -> Current {
        Current {
            values: Box::new(values),
            events: None,
            name,
            line,
            last: None,
            counted: (0, 0),
        }
    }

    /// The number of line feeds in the input up to the end of the line on which the last value ends.
    fn lines_read(&mut self) -> u64 {
        if let Some(last) = &self.last {
            let (from, lines) = self.counted;
            let (text, end) = (last.source().text(), last.span().end);
            let to = memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |at| end + at + 1);
            let more = memchr::memchr_iter(b'\n', &text[from..to.max(from)]).count();
            self.counted = (to.max(from), lines + more as u64);
        }
        self.line + self.counted.1
    }
}

/// The source of inputs, for the interpreter and the program, and the destination of results.
pub struct Feed<'a> {
    receiver: Receiver<Job>,
    current: RefCell<Option<Current>>,
    source: &'a ProgramSource,
    pub out: RefCell<Results<'a>>,
    /// A result is no row, or is not counted: the run ends.
    pub has_misfit: Cell<bool>,
    raw_input: bool,
    is_streamed: bool,
}

impl<'a> Feed<'a> {
    pub fn new(
        args: &Jq,
        source: &'a ProgramSource,
        printing: &'a Printing,
        receiver: Receiver<Job>,
        out: Stdout,
    ) -> Feed<'a> {
        Feed {
            receiver,
            current: RefCell::new(None),
            source,
            out: RefCell::new(Results::new(printing, out)),
            has_misfit: Cell::new(false),
            raw_input: args.raw_input && !args.slurp,
            is_streamed: args.stream || args.stream_errors,
        }
    }

    /// The next input.
    pub fn next(&self) -> Next {
        loop {
            if let Some(value) = self.next_of_text() {
                return Next::Value(value);
            }
            let job = match self.receiver.try_recv() {
                Ok(job) => job,
                Err(_) => {
                    // Flush the output before the program waits.
                    let _ = self.out.borrow_mut().out.flush();
                    match self.receiver.recv() {
                        Ok(job) => job,
                        Err(_) => return Next::End,
                    }
                }
            };
            match job {
                Job::Flush(done) => {
                    let _ = self.out.borrow_mut().out.flush();
                    let _ = done.send(());
                }
                Job::Text { text, name, line } => self.begin(text, name, line),
                Job::Raw { text, name } => {
                    let values: Vec<Value> = if self.raw_input {
                        text.lines().map(Value::from).collect()
                    } else {
                        vec![Value::from(text)]
                    };
                    self.begin_values(values, name);
                }
                Job::Document(document) => return Next::Document(document),
                Job::Ran(ran) => return Next::Ran(ran),
            }
        }
    }

    /// The next value; results are never sent to a program that reads inputs.
    pub fn next_value(&self) -> Option<Value> {
        match self.next() {
            Next::Value(value) => Some(value),
            Next::Document(_) | Next::Ran(_) | Next::End => None,
        }
    }

    /// Continues with the values of a text.
    pub fn begin(&self, text: IndexedText, name: Option<String>, line: u64) {
        let current = Current::new(Rc::new(text).values(), name, line);
        self.current.replace(Some(current));
    }

    /// Continues with values of a document.
    pub fn begin_values(&self, values: Vec<Value>, name: Option<String>) {
        let current = Current::new(values.into_iter(), name, 0);
        self.current.replace(Some(current));
    }

    /// The next value of the current text.
    pub fn next_of_text(&self) -> Option<Value> {
        let mut current = self.current.borrow_mut();
        let current = current.as_mut()?;
        loop {
            if let Some(event) = current.events.as_mut().and_then(Iterator::next) {
                return Some(event);
            }
            let value = current.values.next()?;
            match &value {
                Value::Lazy(lazy) => current.last = Some(lazy.clone()),
                // A line of --raw-input.
                _ => current.line += 1,
            }
            if !self.is_streamed {
                return Some(value);
            }
            current.events = Some(Events::new(value));
        }
    }
}

impl Host for Feed<'_> {
    fn input(&self) -> Option<Result<Value, Exception>> {
        self.next_value().map(Ok)
    }

    fn input_filename(&self) -> Option<String> {
        self.current.borrow().as_ref()?.name.clone()
    }

    fn input_line(&self) -> usize {
        let mut current = self.current.borrow_mut();
        current
            .as_mut()
            .map_or(0, |current| current.lines_read() as usize)
    }

    fn message(&self, text: &str) {
        let _ = self.out.borrow_mut().out.flush();
        messages::always(text);
    }
}

impl Console for Feed<'_> {
    fn result(&self, value: &Value) -> io::Result<()> {
        let taken = self.out.borrow_mut().push(value)?;
        taken.map_err(|reason| {
            let current = self.current.borrow();
            let input = current.as_ref().and_then(|current| {
                let last = Value::Lazy(current.last.clone()?);
                Some((last, current.line, current.name.as_deref()))
            });
            let place =
                input.and_then(|(last, line, name)| Some(Place::find(&last, line)?.text(name)));
            let place = place.unwrap_or_default();
            messages::always(&format!("jsonx jq: error: {place}{}\n", escape(&reason)));
            self.has_misfit.set(true);
            io::ErrorKind::Interrupted.into()
        })
    }

    fn error(&self, error: &RunError) -> io::Result<()> {
        self.out.borrow_mut().out.flush()?;
        let current = self.current.borrow();
        let line = current.as_ref().map_or(0, |current| current.line);
        let name = current.as_ref().and_then(|current| current.name.as_deref());
        let message = ErrorMessage::new(error, &self.source.program, line);
        messages::always(&message.text(name));
        Ok(())
    }
}
