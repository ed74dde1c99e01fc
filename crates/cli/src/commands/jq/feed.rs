//! Inputs for the interpreter, which a program may also read itself.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::mpsc::Receiver;

use jsonx_jq::{Exception, Host, Program, RunError, Settings, Source as Text, Value};

use super::jobs::{Document, Job, Ran};
use super::printing::Printing;
use super::runner::{Console, ErrorMessage};
use super::settings::Source;
use crate::args::Jq;
use crate::messages;
use crate::output::Stdout;

/// What comes next.
pub enum Next {
    Value(Value),
    Document(Box<Document>),
    Ran(Box<Ran>),
    End,
}

/// Values that are left of a text, and where they are.
struct Current {
    values: Box<dyn Iterator<Item = Value>>,
    name: Option<String>,
    line: u64,
}

/// Where inputs come from, for the program too, and where results go.
pub struct Feed<'a> {
    receiver: Receiver<Job>,
    current: RefCell<Option<Current>>,
    source: &'a Source,
    printing: &'a Printing,
    pub out: RefCell<Stdout>,
    buffer: RefCell<Vec<u8>>,
    raw_input: bool,
    /// The program that turns a value into events, with --stream.
    streaming: Option<Program>,
}

impl<'a> Feed<'a> {
    pub fn new(
        args: &Jq,
        source: &'a Source,
        printing: &'a Printing,
        receiver: Receiver<Job>,
        out: Stdout,
    ) -> Feed<'a> {
        let is_streamed = args.stream || args.stream_errors;
        Feed {
            receiver,
            current: RefCell::new(None),
            source,
            printing,
            out: RefCell::new(out),
            buffer: RefCell::default(),
            raw_input: args.raw_input && !args.slurp,
            streaming: is_streamed
                .then(|| Program::compile("tostream", &Settings::default()).ok())
                .flatten(),
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
                    // What was printed is seen before the program waits.
                    let _ = self.out.borrow_mut().flush();
                    match self.receiver.recv() {
                        Ok(job) => job,
                        Err(_) => return Next::End,
                    }
                }
            };
            match job {
                Job::Flush(done) => {
                    let _ = self.out.borrow_mut().flush();
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
    pub fn begin(&self, text: Text, name: Option<String>, line: u64) {
        let values = Rc::new(text).values();
        let values: Box<dyn Iterator<Item = Value>> = match &self.streaming {
            None => Box::new(values),
            Some(streaming) => {
                let events: Vec<Value> = values
                    .flat_map(|value| streaming.results(value).unwrap_or_default())
                    .collect();
                Box::new(events.into_iter())
            }
        };
        self.current.replace(Some(Current { values, name, line }));
    }

    /// Continues with values of a document.
    pub fn begin_values(&self, values: Vec<Value>, name: Option<String>) {
        self.current.replace(Some(Current {
            values: Box::new(values.into_iter()),
            name,
            line: 0,
        }));
    }

    /// The next value of the current text.
    pub fn next_of_text(&self) -> Option<Value> {
        self.current.borrow_mut().as_mut()?.values.next()
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
        let current = self.current.borrow();
        current.as_ref().map_or(0, |current| current.line as usize)
    }

    fn message(&self, text: &str) {
        let _ = self.out.borrow_mut().flush();
        messages::always(text);
    }
}

impl Console for Feed<'_> {
    fn result(&self, value: &Value) -> io::Result<()> {
        let buffer = &mut self.buffer.borrow_mut();
        self.printing
            .print(value, buffer, &mut self.out.borrow_mut())
    }

    fn error(&self, error: &RunError) -> io::Result<()> {
        self.out.borrow_mut().flush()?;
        let current = self.current.borrow();
        let line = current.as_ref().map_or(0, |current| current.line);
        let name = current.as_ref().and_then(|current| current.name.as_deref());
        let message = ErrorMessage::of(error, &self.source.program, line);
        messages::always(&message.text(name));
        Ok(())
    }
}
