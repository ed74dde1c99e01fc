//! `Reader`: the values of a text that arrives in parts.

use std::sync::Arc;

use jsonx_core::stream::Incoming;
use jsonx_core::{OwnedRaw, Spanned};
use jsonx_diagnose::Framing;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::repair::{MAX_INPUT, repaired};
use crate::text::Text;
use crate::values::of_json;

/// Three of them at the start of a line begin or end a fence.
const FENCE: &[u8] = b"```";

/// Languages of fences that hold JSON.
const LANGUAGES: [&[u8]; 8] = [
    b"",
    b"json",
    b"jsonc",
    b"json5",
    b"jsonl",
    b"ndjson",
    b"javascript",
    b"js",
];

/// The length of the first part that is read as a value; most brackets of prose end earlier.
const FIRST: usize = 256;

/// The place in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    LineStart,
    InLine,
    /// Within a fence, whose text is read if it is JSON.
    Fence {
        is_json: bool,
    },
    /// In a value that is broken: the rest is read at its end.
    Broken,
}

/// Values that are being read.
struct Values {
    incoming: Incoming<Spanned<OwnedRaw>>,
    /// The bytes that are no longer held.
    base: usize,
    /// The held bytes that were passed on.
    read: usize,
}

/// Reads the objects and arrays of a text that arrives in parts, such as the answer of a language model or lines of a socket.
///
/// ``feed`` adds a part, and returns the values that it completes. Text around objects and arrays is skipped. A Markdown fence is read
/// at its end, and skipped if its language is not JSON. With ``repair=True``, broken JSON in a fence is repaired; outside of one, where
/// the end of a broken value is not known, it is repaired by ``finish``. Otherwise it raises ``JSONError``. ``finish`` ends the text,
/// returns the values of its rest, and makes the reader ready for another text.
///
/// >>> reader = jsonx.Reader(repair=True)
/// >>> reader.feed('Two of them: {"a"')
/// []
/// >>> reader.feed(': 1}, and\n```json\n{b: ')
/// [{'a': 1}]
/// >>> reader.feed("2}\n```\n")
/// [{'b': 2}]
/// >>> reader.feed("{'c': [3"), reader.finish()
/// ([], [{'c': [3]}])
#[pyclass(module = "jsonx")]
pub struct Reader {
    repair: bool,
    place: Place,
    /// The last part, with the text before it that is not read yet.
    held: Vec<u8>,
    /// The length of the text that was read.
    start: usize,
    /// The bytes without the end of the fence.
    searched: usize,
    values: Option<Values>,
}

#[pymethods]
impl Reader {
    #[new]
    #[pyo3(signature = (*, repair=false))]
    fn new(repair: bool) -> Reader {
        Reader {
            repair,
            place: Place::LineStart,
            held: Vec::new(),
            start: 0,
            searched: 0,
            values: None,
        }
    }

    /// Adds a part of the text; returns the values that are complete now.
    fn feed<'py>(&mut self, py: Python<'py>, text: Text) -> PyResult<Bound<'py, PyList>> {
        self.held.drain(..std::mem::take(&mut self.start));
        self.held.extend_from_slice(text.bytes());
        let found = PyList::empty(py);
        let read = self.read(py, &found);
        self.end_after(read.map(|()| found))
    }

    /// Ends the text; returns the values of its rest.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found = PyList::empty(py);
        let is_open = self.values.is_some();
        let read = match self.place {
            Place::Fence { is_json: false } => Ok(()),
            Place::LineStart | Place::InLine if !is_open => Ok(()),
            _ => self.whole(py, self.rest(), &found),
        };
        *self = Reader::new(self.repair);
        read.map(|()| found)
    }
}

impl Reader {
    /// After an error, the reader is ready for another text.
    fn end_after<T>(&mut self, read: PyResult<T>) -> PyResult<T> {
        if read.is_err() {
            *self = Reader::new(self.repair);
        }
        read
    }

    /// The text that is not read yet.
    fn rest(&self) -> &[u8] {
        &self.held[self.start..]
    }

    fn drop_start(&mut self, length: usize) {
        self.start += length;
        self.searched = 0;
    }

    /// Reads what is complete.
    fn read(&mut self, py: Python<'_>, found: &Bound<'_, PyList>) -> PyResult<()> {
        loop {
            let goes_on = match self.place {
                Place::Broken => false,
                Place::Fence { is_json } => self.fence(py, is_json, found)?,
                _ if self.values.is_some() => self.values(py, found)?,
                _ => self.prose(),
            };
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Reads a fence to its end; returns false if more text is needed.
    fn fence(
        &mut self,
        py: Python<'_>,
        is_json: bool,
        found: &Bound<'_, PyList>,
    ) -> PyResult<bool> {
        loop {
            let line = &self.rest()[self.searched..];
            let content = line.trim_ascii_start();
            // A line feed before the content belongs to an empty line.
            let blank = &line[..line.len() - content.len()];
            if content.starts_with(FENCE) && !blank.contains(&b'\n') {
                let end = self.searched;
                if is_json {
                    self.whole(py, &self.rest()[..end], found)?;
                }
                self.drop_start(end + blank.len() + FENCE.len());
                self.place = Place::InLine;
                return Ok(true);
            }
            match line.iter().position(|&byte| byte == b'\n') {
                Some(length) => self.searched += length + 1,
                None => return Ok(false),
            }
        }
    }

    /// Skips text up to a value or a fence; returns false if more text is needed.
    fn prose(&mut self) -> bool {
        let content = self.rest().trim_ascii_start();
        let blank = self.rest().len() - content.len();
        if self.rest()[..blank].contains(&b'\n') {
            self.place = Place::LineStart;
        }
        self.drop_start(blank);
        let is_at_start = self.place == Place::LineStart;
        match self.rest() {
            [] => false,
            [b'{' | b'[', ..] => {
                self.values = Some(Values {
                    incoming: Incoming::values(),
                    base: 0,
                    read: 0,
                });
                true
            }
            [b'`', ..] if is_at_start && FENCE.starts_with(self.rest()) => false,
            [b'`', b'`', b'`', ..] if is_at_start => {
                let Some(end) = self.rest().iter().position(|&byte| byte == b'\n') else {
                    return false;
                };
                let language = self.rest()[FENCE.len()..end]
                    .trim_ascii()
                    .to_ascii_lowercase();
                self.drop_start(end + 1);
                let is_json = LANGUAGES.contains(&&language[..]);
                self.place = Place::Fence { is_json };
                true
            }
            _ => {
                let end = self.rest().iter().position(|byte| b"\n{[".contains(byte));
                self.drop_start(end.unwrap_or(self.rest().len()));
                self.place = Place::InLine;
                true
            }
        }
    }

    /// Reads values that follow each other; returns false if more text is needed.
    fn values(&mut self, py: Python<'_>, found: &Bound<'_, PyList>) -> PyResult<bool> {
        let Some(mut values) = self.values.take() else {
            return Ok(true);
        };
        let mut end = 0;
        loop {
            match values.incoming.next() {
                Some(Ok(value)) => {
                    let span = value.span();
                    end = span.end - values.base;
                    found.append(of_json(py, &self.rest()[span.start - values.base..end])?)?;
                    self.place = Place::InLine;
                    let next = self.rest()[end..].trim_ascii_start().first();
                    if !matches!(next, Some(b'{' | b'[')) {
                        self.drop_start(end);
                        return Ok(true);
                    }
                }
                Some(Err(_)) => break,
                None if values.read == self.rest().len() => {
                    self.drop_start(end);
                    values.base += end;
                    values.read -= end;
                    self.values = Some(values);
                    return Ok(false);
                }
                None => {
                    let rest = &self.rest()[values.read..];
                    let part = &rest[..rest.len().min(FIRST.max(values.read))];
                    values.incoming.write(part);
                    values.read += part.len();
                }
            }
        }
        let blank = self.rest()[end..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let start = end + blank.count();
        if self.rest()[end..start].contains(&b'\n') {
            self.place = Place::LineStart;
        }
        if self.place == Place::InLine {
            // A bracket of prose.
            self.drop_start(start + 1);
            return Ok(true);
        }
        self.drop_start(start);
        if !self.repair {
            return of_json(py, self.rest()).map(|_| false);
        }
        self.place = Place::Broken;
        Ok(false)
    }

    /// Reads the values of a text, which is complete.
    fn whole(&self, py: Python<'_>, text: &[u8], found: &Bound<'_, PyList>) -> PyResult<()> {
        let mut incoming = Incoming::<OwnedRaw>::values();
        incoming.write(text);
        incoming.finish();
        if let Ok(values) = incoming.collect::<Result<Vec<_>, _>>() {
            let mut values = values.iter();
            return values
                .try_for_each(|value| found.append(of_json(py, value.as_str().as_bytes())?));
        }
        if !self.repair {
            return of_json(py, text).map(drop);
        }
        let text = Arc::new(PyBytes::new(py, text).extract()?);
        let repaired = repaired(py, &text, true, Some(MAX_INPUT))?;
        let value = of_json(py, &repaired.text)?;
        match repaired.framing {
            // One array of all values.
            Framing::Lines => value.try_iter()?.try_for_each(|value| found.append(value?)),
            _ => found.append(value),
        }
    }
}
