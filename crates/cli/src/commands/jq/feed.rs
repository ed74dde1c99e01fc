//! Inputs for the interpreter, which the program may also request.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::sync::mpsc::Receiver;

use jsonx_jq::{Events, Exception, Host, IndexedText, Lazy, RunError, Value};

use super::jobs::{Document, Job, Ran};
use super::printing::Printing;
use super::results::Results;
use super::runner::{Console, ErrorMessage, Place, print_message};
use super::settings::{ProgramSource, STDIN};
use crate::args::Jq;
use crate::messages;
use crate::output::Stdout;
use crate::report::escape;

/// The error of `input` for invalid text.
const INVALID: &str = "The input is not JSON";

/// The next event.
pub enum Next {
    Value(Value),
    Document(Box<Document>),
    Ran(Box<Ran>),
    End,
    /// The end, because the rest is invalid.
    Invalid,
}

/// The remaining values of a text, and their position.
struct Current {
    values: Box<dyn Iterator<Item = Value>>,
    /// With --stream, what is left of the last value.
    events: Option<Events>,
    name: Option<String>,
    /// The number of lines before the text.
    line: u64,
    /// The number of lines before the end of the text, if its values are lines.
    end: u64,
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
            end: line,
            last: None,
            counted: (0, 0),
        }
    }

    /// The number of line feeds in the input up to the end of the line on which the last value ends.
    fn lines_read(&mut self) -> u64 {
        if let Some(last) = self.last.as_ref().filter(|last| last.source().is_input()) {
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
    /// With --slurp, until the input of all values was taken.
    slurps: Cell<bool>,
    /// The reader has ended.
    pub has_ended: Cell<bool>,
    pub is_invalid: Cell<bool>,
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
            raw_input: args.raw_input,
            is_streamed: args.is_streamed(),
            slurps: Cell::new(args.slurp && !source.joins),
            has_ended: Cell::new(false),
            is_invalid: Cell::new(false),
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
                    // Flush the output before the program waits. Without output, there is nothing to wait for.
                    if self.out.borrow_mut().out.flush().is_err() {
                        return Next::End;
                    }
                    match self.receiver.recv() {
                        Ok(job) => job,
                        Err(_) => {
                            self.has_ended.set(true);
                            return match self.is_invalid.get() {
                                true => Next::Invalid,
                                false => Next::End,
                            };
                        }
                    }
                }
            };
            match job {
                Job::Flush(done) => {
                    let _ = self.out.borrow_mut().out.flush();
                    let _ = done.send(());
                }
                Job::Text { text, name, line } => self.begin(text, name, line),
                Job::Raw { text, name } => self.begin_lines(text, name),
                Job::Invalid => self.is_invalid.set(true),
                Job::Document(document) => return Next::Document(document),
                Job::Ran(ran) => return Next::Ran(ran),
            }
        }
    }

    /// Whether the next value is the array or the text of all inputs.
    pub fn slurps(&self) -> bool {
        self.slurps.get()
    }

    /// The next value, with --slurp all of them, unless a text is invalid.
    pub fn next_value(&self) -> Option<Value> {
        if !self.slurps() {
            return self.next_single();
        }
        let values = std::iter::from_fn(|| self.next_single());
        let all = if self.raw_input {
            let texts = values.map(|text| text.as_str().unwrap_or_default().into_owned());
            Value::from(texts.collect::<String>())
        } else {
            Value::array(values.collect())
        };
        self.slurps.set(false);
        (!self.is_invalid.get()).then_some(all)
    }

    /// Results are never sent to a program that reads inputs.
    fn next_single(&self) -> Option<Value> {
        match self.next() {
            Next::Value(value) => Some(value),
            Next::Document(_) | Next::Ran(_) | Next::End | Next::Invalid => None,
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

    /// Continues with the next lines of a text, as strings; with --slurp, as one.
    fn begin_lines(&self, text: String, name: Option<String>) {
        let mut current = self.current.borrow_mut();
        let before = current.as_ref().filter(|before| before.name == name);
        let line = before.map_or(0, |before| before.line);
        let end = line + memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
        let (values, line) = match self.slurps() {
            true => (vec![Value::from(text)], end),
            false => {
                let lines = text.strip_suffix('\n').unwrap_or(&text).split('\n');
                (lines.map(Value::from).collect(), line)
            }
        };
        let lines = Current::new(values.into_iter(), name, line);
        *current = Some(Current { end, ..lines });
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
                // A line of --raw-input, perhaps without a line feed.
                _ => current.line = current.end.min(current.line + 1),
            }
            let is_event = matches!(&value, Value::Lazy(lazy) if !lazy.source().is_input());
            if !self.is_streamed || is_event {
                return Some(value);
            }
            current.events = Some(Events::new(value));
        }
    }
}

impl Host for Feed<'_> {
    fn input(&self) -> Option<Result<Value, Exception>> {
        match self.next_value() {
            // The text was reported, but the program must not take what was read for all.
            None if self.is_invalid.get() => Some(Err(Exception::error(INVALID))),
            value => value.map(Ok),
        }
    }

    fn input_filename(&self) -> Option<String> {
        let current = self.current.borrow();
        let name = current.as_ref()?.name.as_deref();
        Some(name.unwrap_or(STDIN).to_owned())
    }

    fn input_line(&self) -> usize {
        let mut current = self.current.borrow_mut();
        current
            .as_mut()
            .map_or(0, |current| current.lines_read() as usize)
    }

    fn message(&self, text: &str) {
        let _ = self.out.borrow_mut().out.flush();
        print_message(text);
    }
}

impl Console for Feed<'_> {
    fn refuses(&self, value: &Value) -> bool {
        self.out.borrow().printing.refuses(value)
    }

    fn result(&self, value: &Value) -> io::Result<()> {
        let current = self.current.borrow();
        let name = current.as_ref().and_then(|current| current.name.as_deref());
        let taken = self.out.borrow_mut().push(value, name)?;
        taken.map_err(|reason| {
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
        if self.is_invalid.get() && error.value.as_str().is_some_and(|text| text == INVALID) {
            return Ok(());
        }
        let current = self.current.borrow();
        let line = current.as_ref().map_or(0, |current| current.line);
        let name = current.as_ref().and_then(|current| current.name.as_deref());
        let message = ErrorMessage::new(error, &self.source.program, line);
        messages::always(&message.text(name));
        Ok(())
    }
}
