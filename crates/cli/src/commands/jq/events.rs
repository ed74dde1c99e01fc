//! `--stream`: a text as paths and values, one event per line, while it is read.
//!
//! ```text
//! {"a": [1, 2  ──►  [["a",0],1]\n[["a",1],2]\n  ──►  a text of values
//! ```
//!
//! A scalar is an event once the token after it has arrived. Memory does not depend on the length of a value, only on its depth.

use std::borrow::Cow;
use std::cell::RefCell;
use std::convert::Infallible;
use std::mem;
use std::ops::ControlFlow;

use jsonx_core::SyntaxError;
use jsonx_core::engine::{Chunk, Interest, Mode, Options, Sink, Stop, Validator, Verdict};
use jsonx_core::position::{LineCounter, Position};
use jsonx_core::visit::{Event, Events};
use jsonx_jq::{IndexedText, Printer, TextBytes, Value};

use super::records::length_before;
use crate::check::lines::line_feeds;
use crate::check::{Failure, Interrupted};
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
    /// The event of a scalar in a container, until a comma or the end follows, as in jq.
    pending: Vec<u8>,
    /// The number of scalars and keys so far.
    scalars: u64,
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
        self.out.append(&mut self.pending);
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

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Null => self.scalar(b"null"),
            Event::Boolean(true) => self.scalar(b"true"),
            Event::Boolean(false) => self.scalar(b"false"),
            Event::Number(number) => self.scalar(number.raw()),
            Event::String(text) => {
                let mut value = Vec::new();
                Printer::default().push_string(&String::from_utf8_lossy(text), &mut value);
                self.scalar(&value);
            }
            Event::Key(key) => {
                self.scalars += 1;
                self.out.append(&mut self.pending);
                if let Some(step) = self.open.last_mut() {
                    *step = Step::Key(String::from_utf8_lossy(key).into_owned());
                }
            }
            Event::BeginArray => self.open(Step::Index(u64::MAX)),
            Event::EndArray => self.close(b"[]"),
            Event::BeginObject => self.open(Step::NoKey),
            Event::EndObject => self.close(b"{}"),
        }
    }

    fn scalar(&mut self, value: &[u8]) {
        self.begin();
        self.scalars += 1;
        let from = self.out.len();
        self.leaf(value);
        if !self.open.is_empty() {
            self.pending = self.out.split_off(from);
        }
    }

    fn open(&mut self, step: Step) {
        self.begin();
        self.open.push(step);
        self.is_empty = true;
    }

    fn close(&mut self, empty: &[u8]) {
        self.out.append(&mut self.pending);
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
    }
}

impl Writer {
    /// The event of an error, after a bracket, comma or colon: the path is that of the value which begins there.
    fn error(&mut self, error: SyntaxError, at: Position, after: u8) {
        match (self.open.last_mut(), after) {
            // A scalar followed it.
            _ if !self.pending.is_empty() => {}
            (Some(Step::Index(index)), b',') => *index = index.wrapping_add(1),
            (Some(step @ Step::Key(_)), b'{' | b',') => *step = Step::NoKey,
            _ => {}
        }
        let Position { line, column, .. } = at;
        let message = format!("{} at line {line}, column {column}", error.kind);
        let message = Value::from(message).to_string();
        self.out.push(b'[');
        self.out.extend_from_slice(message.as_bytes());
        self.out.push(b',');
        self.push_path();
        self.out.extend_from_slice(b"]\n");
    }
}

/// Notes the last bracket, comma or colon of the text that passes, and other tokens.
struct Separators<S> {
    inner: S,
    last: u8,
    /// The last token is one.
    is_last: bool,
    /// The number of scalars and keys that have begun.
    scalars: u64,
}

impl<S: Sink> Sink for Separators<S> {
    type Error = S::Error;
    type Output = S::Output;

    fn interest(&self, mode: Mode) -> Interest {
        self.inner.interest(mode)
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), S::Error> {
        for &kind in chunk.kinds {
            self.is_last = b"[]{},:".contains(&kind);
            match self.is_last {
                true => self.last = kind,
                false => self.scalars += 1,
            }
        }
        self.inner.chunk(chunk)
    }

    fn finish(self) -> Result<S::Output, S::Error> {
        self.inner.finish()
    }
}

/// The part of a window that is read, up to a character that is cut off, as UTF-8: as in jq, U+FFFD takes the place of other bytes.
fn as_utf8(bytes: &[u8], is_last: bool) -> (&[u8], Cow<'_, str>) {
    let last = bytes.utf8_chunks().last();
    let cut = last.map_or(0, |last| match str::from_utf8(last.invalid()) {
        Err(error) if error.error_len().is_none() && !is_last => last.invalid().len(),
        _ => 0,
    });
    let bytes = &bytes[..bytes.len() - cut];
    (bytes, String::from_utf8_lossy(bytes))
}

/// How to read events.
#[derive(Clone, Copy)]
pub struct Reading {
    pub options: Options,
    /// Errors are events, too: the message, and the path. As in jq, the text goes on with the next line.
    pub is_error_value: bool,
    /// The events of each line are sent alone, with the number of lines up to its end.
    pub by_lines: bool,
}

/// Something to pass on.
pub enum Sent {
    /// Events, and the number of lines read.
    Events(IndexedText, u64),
    /// Bytes that are not UTF-8 were replaced.
    Replaced,
}

/// Passes the events of an input to `send`.
///
/// # Errors
/// The input cannot be read, or is invalid; the events before the error have been sent.
pub fn read(
    input: &mut Input,
    reading: Reading,
    send: impl FnMut(Sent) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Failure> {
    let writer = RefCell::new(Writer::default());
    let mut reader = Reader {
        reading,
        writer: &writer,
        validator: Validator::default(),
        sink: None,
        lines: 0,
        counter: LineCounter::new(),
        is_after_blank: true,
        is_replaced: false,
        send,
    };
    reader.begin();
    let read = input.each_chunk(false, |window| {
        let mut bytes = window.bytes();
        if reading.by_lines && !window.is_last() {
            bytes = &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1)];
        }
        let (bytes, text) = as_utf8(bytes, window.is_last());
        if matches!(text, Cow::Owned(_)) && !mem::replace(&mut reader.is_replaced, true) {
            // Before the events.
            if (reader.send)(Sent::Replaced).is_break() {
                return Err(Interrupted::Early(()));
            }
        }
        let mut rest = text.as_bytes();
        loop {
            let length = match memchr::memchr(b'\n', rest) {
                Some(end) if reading.by_lines || reader.sink.is_none() => end + 1,
                _ => rest.len(),
            };
            let part = &rest[..length];
            let start = text.len() - rest.len();
            let before = reader.validator.offset();
            let is_last = window.is_last() && length == rest.len();
            let read = reader
                .part(part, is_last)
                .map_err(|stopped| match stopped {
                    Interrupted::Failed(Failure::Invalid(error)) => {
                        // The offset in the text of the window, then in the input.
                        let at = start as i64 + error.offset as i64 - before as i64;
                        let offset = match usize::try_from(at) {
                            Ok(at) => window.offset() + length_before(bytes, at) as u64,
                            Err(_) => window.offset().saturating_add_signed(at),
                        };
                        Failure::Invalid(SyntaxError { offset, ..error }).into()
                    }
                    other => other,
                })?;
            rest = &rest[read..];
            if rest.is_empty() {
                return Ok(Consumed::from(bytes.len()));
            }
        }
    });
    match read {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(Interrupted::Early(())) => Ok(ControlFlow::Break(())),
        Err(Interrupted::Failed(failure)) => Err(failure),
    }
}

/// Passes events to a writer, whose output is read between them.
type Each<'w> = Box<dyn FnMut(Event<'_>) -> Result<(), Infallible> + 'w>;

/// The state of a text that is read.
struct Reader<'w, F> {
    reading: Reading,
    writer: &'w RefCell<Writer>,
    validator: Validator,
    /// `None` from an error on, up to the next line.
    sink: Option<Separators<Events<Each<'w>>>>,
    lines: u64,
    /// The position, for errors that are events.
    counter: LineCounter,
    /// The byte before is white space, if there is one.
    is_after_blank: bool,
    is_replaced: bool,
    send: F,
}

impl<'w, F: FnMut(Sent) -> ControlFlow<()>> Reader<'w, F> {
    /// Begins a text.
    fn begin(&mut self) {
        self.validator = Validator::new(self.reading.options.mode(Mode::Stream));
        self.writer.take();
        let writer = self.writer;
        let each: Each<'w> = Box::new(|event| {
            writer.borrow_mut().event(event);
            Ok(())
        });
        self.sink = Some(Separators {
            inner: Events::new(each),
            last: 0,
            is_last: false,
            scalars: 0,
        });
    }

    /// Reads the next part of the text up to an error, and sends its events. Returns the number of bytes read. The offset of an
    /// error is that in the text.
    fn part(&mut self, part: &[u8], is_last: bool) -> Result<usize, Interrupted<()>> {
        let Some(mut sink) = self.sink.take() else {
            self.count(part);
            if part.ends_with(b"\n") {
                self.begin();
            }
            return Ok(part.len());
        };
        let checked = checked(&self.validator, part, is_last);
        let before = self.validator.offset();
        // The events before an error are those of the text before it.
        let valid = checked.map_or_else(
            |error| error.offset.saturating_sub(before) as usize,
            |()| part.len(),
        );
        let bytes = &part[..valid.min(part.len())];
        self.count(bytes);
        let validator = &mut self.validator;
        let written = validator
            .write(bytes, &mut sink)
            .and_then(|()| validator.flush(&mut sink));
        let (last, is_root) = {
            let writer = &mut *self.writer.borrow_mut();
            if sink.is_last || sink.scalars > writer.scalars {
                writer.out.append(&mut writer.pending);
            }
            (sink.last, writer.open.is_empty())
        };
        let written = written.and_then(|()| match checked {
            // A scalar at the end of the text, or before an error at the root, is an event, too.
            Ok(()) if is_last => mem::take(validator).finish(sink),
            Err(_) if is_root && self.is_after_blank => {
                mem::take(validator).finish(sink).or(Ok(()))
            }
            _ => {
                self.sink = Some(sink);
                Ok(())
            }
        });
        let mut writer = self.writer.borrow_mut();
        if let (Err(error), true) = (checked, self.reading.is_error_value) {
            let mut at = self.counter.position(&part[bytes.len()..]);
            // A token may have begun in the part before.
            at.column -= before.saturating_sub(error.offset).min(at.column - 1);
            writer.error(error, at, last);
        }
        let text = TextBytes::Owned(mem::take(&mut writer.out));
        let text = IndexedText::new(text, Options::default().mode(Mode::Stream))
            .map_err(Failure::Invalid)?;
        let events = Sent::Events(text.derived(), self.lines);
        if let Sent::Events(text, _) = &events
            && text.first().is_some()
            && (self.send)(events).is_break()
        {
            return Err(Interrupted::Early(()));
        }
        match (checked, written) {
            (Err(_), _) if self.reading.is_error_value => {
                self.sink = None;
                Ok(bytes.len())
            }
            (Err(error), _) | (Ok(()), Err(Stop::Invalid(error))) => {
                Err(Failure::Invalid(error).into())
            }
            _ => Ok(bytes.len()),
        }
    }

    fn count(&mut self, text: &[u8]) {
        self.lines += line_feeds(text);
        let last = text.last();
        self.is_after_blank = last.map_or(self.is_after_blank, u8::is_ascii_whitespace);
        if self.reading.is_error_value {
            self.counter.feed(text);
        }
    }
}

/// Checks the next bytes of a text.
fn checked(validator: &Validator, bytes: &[u8], is_last: bool) -> Result<(), SyntaxError> {
    let mut validator = validator.clone();
    let checked = match is_last {
        true => validator.check(bytes, Verdict),
        false => validator
            .write(bytes, &mut Verdict)
            .and_then(|()| validator.flush(&mut Verdict)),
    };
    checked.map_err(|stop| match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    })
}
