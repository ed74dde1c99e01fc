//! `--stream`: a text as paths and values, one event per line, while it is read.
//!
//! ```text
//! {"a": [1, 2  ──►  [["a",0],1]\n[["a",1],2]\n  ──►  a text of values
//! ```
//!
//! A scalar is an event once the token after it has arrived. Memory does not depend on the length of a value, only on its depth.

use std::cell::RefCell;
use std::convert::Infallible;
use std::ops::ControlFlow;

use jsonx_core::SyntaxError;
use jsonx_core::engine::{Mode, Options, Stop, Validator, Verdict};
use jsonx_core::number::Number;
use jsonx_core::visit::{Events, Visitor};
use jsonx_jq::{IndexedText, Printer, TextBytes, Value};

use crate::check::lines::line_feeds;
use crate::check::{Failure, Interrupted, moved};
use crate::input::{Consumed, Input};

/// A container that is open: the step to its current child.
enum Step {
    Index(u64),
    Key(String),
    /// An object before its first key.
    NoKey,
}

/// Writes events.
#[derive(Default)]
struct Writer {
    open: Vec<Step>,
    out: Vec<u8>,
    /// Whether the innermost container is empty so far.
    is_empty: bool,
}

impl Writer {
    fn push_path(&mut self) {
        self.out.push(b'[');
        for (at, step) in self.open.iter().enumerate() {
            if at > 0 {
                self.out.push(b',');
            }
            match step {
                // An array of which an error is the first element.
                Step::Index(u64::MAX) => self.out.push(b'0'),
                Step::Index(index) => self.out.extend_from_slice(index.to_string().as_bytes()),
                Step::Key(key) => Printer::default().push_string(key, &mut self.out),
                Step::NoKey => self.out.extend_from_slice(b"null"),
            }
        }
        self.out.push(b']');
    }

    /// Counts a value that begins.
    fn begin(&mut self) {
        if let Some(Step::Index(index)) = self.open.last_mut() {
            *index = index.wrapping_add(1);
        }
        self.is_empty = false;
    }

    fn leaf(&mut self, value: &[u8]) {
        self.out.push(b'[');
        self.push_path();
        self.out.push(b',');
        self.out.extend_from_slice(value);
        self.out.extend_from_slice(b"]\n");
    }

    fn scalar(&mut self, value: &[u8]) -> Result<(), Infallible> {
        self.begin();
        self.leaf(value);
        Ok(())
    }

    fn open(&mut self, step: Step) -> Result<(), Infallible> {
        self.begin();
        self.open.push(step);
        self.is_empty = true;
        Ok(())
    }

    fn close(&mut self, empty: &[u8]) -> Result<(), Infallible> {
        if self.is_empty {
            self.open.pop();
            self.leaf(empty);
        } else {
            self.out.push(b'[');
            self.push_path();
            self.out.extend_from_slice(b"]\n");
            self.open.pop();
        }
        self.is_empty = false;
        Ok(())
    }
}

/// A writer whose output is read between events.
struct Writing<'w>(&'w RefCell<Writer>);

impl Visitor for Writing<'_> {
    type Error = Infallible;

    fn needs_lengths(&self) -> bool {
        false
    }

    fn null(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().scalar(b"null")
    }

    fn boolean(&mut self, value: bool) -> Result<(), Infallible> {
        self.0
            .borrow_mut()
            .scalar(if value { b"true" } else { b"false" })
    }

    fn number(&mut self, number: Number<'_>) -> Result<(), Infallible> {
        self.0.borrow_mut().scalar(number.raw())
    }

    fn string(&mut self, text: &str) -> Result<(), Infallible> {
        let mut value = Vec::new();
        Printer::default().push_string(text, &mut value);
        self.0.borrow_mut().scalar(&value)
    }

    fn begin_array(&mut self, _: Option<u64>) -> Result<(), Infallible> {
        self.0.borrow_mut().open(Step::Index(u64::MAX))
    }

    fn end_array(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().close(b"[]")
    }

    fn begin_object(&mut self, _: Option<u64>) -> Result<(), Infallible> {
        self.0.borrow_mut().open(Step::NoKey)
    }

    fn key(&mut self, key: &str) -> Result<(), Infallible> {
        if let Some(step) = self.0.borrow_mut().open.last_mut() {
            *step = Step::Key(key.to_owned());
        }
        Ok(())
    }

    fn end_object(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().close(b"{}")
    }
}

/// Passes the events of an input to `send`, with the number of lines read. With `is_error_value`, the error of the text is an event
/// too: its message, and the path at which it is.
///
/// # Errors
/// The input cannot be read, or is invalid; the events before the error have been sent.
pub fn read(
    input: &mut Input,
    options: Options,
    is_error_value: bool,
    mut send: impl FnMut(IndexedText, u64) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Failure> {
    let writer = RefCell::new(Writer::default());
    let mut validator = Validator::new(options.mode(Mode::Stream));
    let mut events = Some(Events::new(Writing(&writer)));
    let mut lines = 0;
    let read = input.each_window(|window| {
        let mut bytes = window.bytes();
        let origin = window.offset() - validator.offset();
        lines += line_feeds(bytes);
        // The events before an error are those of the text before it.
        let checked = checked(&validator, bytes, window.is_last());
        if let Err(error) = checked {
            let before = error.offset.saturating_sub(validator.offset()) as usize;
            bytes = &bytes[..before.min(bytes.len())];
        }
        // Until the last window, it is there.
        let Some(mut sink) = events.take() else {
            return Ok(Consumed::from(window.bytes().len()));
        };
        let written = validator
            .write(bytes, &mut sink)
            .and_then(|()| match checked {
                // A scalar at the end of the text is an event, too.
                Ok(()) if window.is_last() => std::mem::take(&mut validator).finish(sink).map(drop),
                _ => {
                    let flushed = validator.flush(&mut sink);
                    events = Some(sink);
                    flushed
                }
            });
        let mut writer = writer.borrow_mut();
        if let (Err(error), true) = (checked, is_error_value) {
            let message = jsonx_core::Error::from(error).to_string();
            let mut out = std::mem::take(&mut writer.out);
            out.extend_from_slice(format!("[{},", Value::from(message)).as_bytes());
            writer.out = out;
            writer.push_path();
            writer.out.extend_from_slice(b"]\n");
        }
        let text = TextBytes::Owned(std::mem::take(&mut writer.out));
        let text = IndexedText::new(text, Options::default().mode(Mode::Stream))
            .map_err(Failure::Invalid)?;
        if text.first().is_some() && send(text.derived(), lines).is_break() {
            return Err(Interrupted::Early(None));
        }
        match (checked, written) {
            (Err(_), _) if is_error_value => Err(Interrupted::Early(Some(()))),
            (Err(error), _) => Err(moved(Failure::Invalid(error), origin).into()),
            (Ok(()), Err(Stop::Invalid(error))) => {
                Err(moved(Failure::Invalid(error), origin).into())
            }
            _ => Ok(Consumed::from(window.bytes().len())),
        }
    });
    match read {
        Ok(()) | Err(Interrupted::Early(Some(()))) => Ok(ControlFlow::Continue(())),
        Err(Interrupted::Early(None)) => Ok(ControlFlow::Break(())),
        Err(Interrupted::Failed(failure)) => Err(failure),
    }
}

/// Checks the next bytes of a text.
fn checked(validator: &Validator, bytes: &[u8], is_last: bool) -> Result<(), SyntaxError> {
    let mut validator = validator.clone();
    let checked = match is_last {
        true => validator.check(bytes, Verdict),
        false => validator.write(bytes, &mut Verdict),
    };
    checked.map_err(|stop| match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    })
}
