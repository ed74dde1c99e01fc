//! Texts to Python objects.

use jsonx_core::diagnose::DiagnoseOptions;
use jsonx_core::engine::{Options, Sink, Stop, Validator};
use jsonx_core::number::Number;
use jsonx_core::visit::{Events, Visitor};
use jsonx_core::{ErrorKind, Node, SyntaxError, validate};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

use crate::error;
use crate::repair::repaired;
use crate::text::Text;

/// How to read an incomplete text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Partial {
    /// As an error.
    Off,
    /// Without a string, number or literal at the end.
    On,
    /// Without a number or literal at the end; a string as far as it goes.
    Strings,
}

impl<'py> FromPyObject<'_, 'py> for Partial {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Partial> {
        if let Ok(partial) = object.extract::<bool>() {
            return Ok(if partial { Partial::On } else { Partial::Off });
        }
        match object.extract::<&str>() {
            Ok("off") => Ok(Partial::Off),
            Ok("on") => Ok(Partial::On),
            Ok("trailing-strings") => Ok(Partial::Strings),
            _ => Err(PyValueError::new_err(
                "partial must be True, False, 'off', 'on' or 'trailing-strings'",
            )),
        }
    }
}

/// Reads a text, as ``json.loads`` does: objects become ``dict``, and the last of equal keys counts.
///
/// With ``repair=True``, broken text is repaired first, guesses included. With ``partial=True``, the text may end anywhere: what
/// is complete is returned, without a string, number or literal at its end that may go on; with
/// ``partial="trailing-strings"``, with as much of the string as there is.
///
/// >>> jsonx.loads('{"a": [1, 2.5, 12345678901234567890]}')
/// {'a': [1, 2.5, 12345678901234567890]}
/// >>> jsonx.loads("{a: 'x'}", repair=True)
/// {'a': 'x'}
/// >>> jsonx.loads('{"name": "Ada", "tags": ["a", "b', partial=True)
/// {'name': 'Ada', 'tags': ['a']}
/// >>> jsonx.loads('{"name": "Ada", "tags": ["a", "b', partial="trailing-strings")
/// {'name': 'Ada', 'tags': ['a', 'b']}
#[pyfunction]
#[pyo3(signature = (text, repair=false, partial=Partial::Off), text_signature = "(text, repair=False, partial=False)")]
pub fn loads<'py>(
    py: Python<'py>,
    text: Text,
    repair: bool,
    partial: Partial,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = text.bytes();
    if partial != Partial::Off
        && let Some(value) = unfinished(py, bytes, partial)?
    {
        return Ok(value);
    }
    let strict = match build(py, bytes) {
        Ok(value) => return Ok(value),
        Err(Broken::Syntax(error)) => error,
        Err(Broken::Python(error)) => return Err(error),
    };
    if repair {
        let repaired = repaired(py, &text, true)?;
        return build(py, &repaired.text).map_err(|broken| broken.raise(py, &repaired.text));
    }
    Err(Broken::Syntax(strict).raise(py, bytes))
}

/// The value of a verified text.
pub fn value<'py>(py: Python<'py>, node: Node<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
    let mut builder = Builder::new(py);
    node.visit(&mut builder)
        .map_err(|it| it.raise(py, node.raw()))?;
    builder.end().map_err(|it| it.raise(py, node.raw()))
}

/// The error in a text, or the exception of Python, for which there is no value.
enum Broken {
    Syntax(SyntaxError),
    Python(PyErr),
}

impl Broken {
    fn raise(self, py: Python<'_>, text: &[u8]) -> PyErr {
        match self {
            Broken::Syntax(error) => error::invalid(py, text, error, DiagnoseOptions::default()),
            Broken::Python(error) => error,
        }
    }
}

/// An error of a builder: an exception of Python, or a number with too many digits.
enum Unbuilt {
    Python(PyErr),
    TooLong,
}

impl From<PyErr> for Unbuilt {
    fn from(error: PyErr) -> Self {
        Unbuilt::Python(error)
    }
}

impl Unbuilt {
    fn raise(self, py: Python<'_>, text: &[u8]) -> PyErr {
        match self {
            Unbuilt::Python(error) => error,
            Unbuilt::TooLong => too_long(py, text, 0),
        }
    }
}

fn too_long(py: Python<'_>, text: &[u8], offset: usize) -> PyErr {
    let message = "integer with more digits than sys.set_int_max_str_digits() allows";
    error::at(py, text, offset, message)
}

fn build<'py>(py: Python<'py>, text: &[u8]) -> Result<Bound<'py, PyAny>, Broken> {
    match build_as_far(py, text) {
        Ok((_, Some(error))) => Err(Broken::Syntax(error)),
        Ok((mut builder, None)) => builder
            .end()
            .map_err(|it| Broken::Python(it.raise(py, text))),
        Err(error) => Err(Broken::Python(error)),
    }
}

/// The values before the first error of the text, and that error.
fn build_as_far<'py>(
    py: Python<'py>,
    text: &[u8],
) -> PyResult<(Builder<'py>, Option<SyntaxError>)> {
    let mut builder = Builder::new(py);
    let mut events = Events::new(&mut builder);
    let mut validator = Validator::new(Options::default());
    let checked = validator
        .write(text, &mut events)
        .and_then(|()| validator.check(b"", &mut events).map(drop));
    let offset = events.offset();
    // What ends with the text.
    let checked = match checked {
        Ok(()) => events.finish().map(drop).map_err(Stop::Sink),
        broken => broken,
    };
    match checked {
        Ok(()) => Ok((builder, None)),
        Err(Stop::Invalid(error)) => Ok((builder, Some(error))),
        Err(Stop::Sink(Stop::Invalid(error))) => Ok((builder, Some(error))),
        Err(Stop::Sink(Stop::Sink(Unbuilt::Python(error)))) => Err(error),
        Err(Stop::Sink(Stop::Sink(Unbuilt::TooLong))) => {
            let offset = usize::try_from(offset).unwrap_or(0);
            Err(too_long(py, text, offset))
        }
    }
}

/// The value of a text that may end too early; `None` if it has none yet, or is broken.
fn unfinished<'py>(
    py: Python<'py>,
    text: &[u8],
    partial: Partial,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let text = without_half_escape(without_half_character(text));
    if partial == Partial::Strings {
        // A quote ends a string; anywhere else it is an error, or begins a string that is left out.
        let closed = [text, b"\""].concat();
        match validate(&closed) {
            Err(error) if error.kind != ErrorKind::UnexpectedEnd => {}
            _ => return as_far(py, &closed),
        }
    }
    let complete = without_scalar(text);
    // The omitted end must be the start of a value, where a value may be.
    let is_broken = |error: SyntaxError| error.kind != ErrorKind::UnexpectedEnd;
    if complete.len() < text.len() && validate(text).is_err_and(is_broken) {
        return Ok(None);
    }
    match complete.last() {
        // After a space, a word is complete.
        Some(b'e' | b'l') => as_far(py, &[complete, b" "].concat()),
        _ => as_far(py, complete),
    }
}

fn as_far<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (mut builder, error) = build_as_far(py, text)?;
    if error.is_some_and(|error| error.kind != ErrorKind::UnexpectedEnd) {
        return Ok(None);
    }
    builder.close_all().map_err(|it| it.raise(py, text))?;
    if builder.values.is_empty() {
        return Ok(None);
    }
    builder.end().map(Some).map_err(|it| it.raise(py, text))
}

/// The text without the first bytes of a character at its end.
fn without_half_character(text: &[u8]) -> &[u8] {
    let from = text.len().saturating_sub(3);
    let lead = text[from..].iter().rposition(|&byte| byte >= 0xC0);
    match lead.map(|lead| from + lead) {
        Some(lead) if std::str::from_utf8(&text[lead..]).is_err() => &text[..lead],
        _ => text,
    }
}

/// The text without an escape at its end that may go on: `\`, `\u12`. Only strings have backslashes.
fn without_half_escape(text: &[u8]) -> &[u8] {
    let from = text.len().saturating_sub(5);
    let Some(last) = text[from..].iter().rposition(|&byte| byte == b'\\') else {
        return text;
    };
    let last = from + last;
    let is_open = match &text[last + 1..] {
        [] => true,
        [b'u', digits @ ..] => digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit),
        _ => false,
    };
    let before = &text[..last];
    let run = before
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'\\')
        .count();
    match is_open && run % 2 == 0 {
        true => before,
        false => text,
    }
}

/// The text without a number or a word at its end that may go on. At the end of a string, which is left out, nothing is lost.
fn without_scalar(text: &[u8]) -> &[u8] {
    let is_scalar = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let length = text.iter().rev().take_while(is_scalar).count();
    let (before, scalar) = text.split_at(text.len() - length);
    match scalar {
        b"true" | b"false" | b"null" => text,
        // What was taken for a word may have been of an escape.
        _ => without_half_escape(before),
    }
}

/// Slots of the cache of short strings.
const CACHED: usize = 4096;

/// Longer strings are not cached.
const LONGEST: usize = 40;

/// Strings and keys before the first one that is cached: without a cache, a short text is read faster.
const FEW: usize = 64;

/// A hash of a short text, eight bytes at a time.
#[inline]
fn hash(text: &[u8]) -> usize {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = text.as_chunks::<8>();
    let hash = words.iter().fold(text.len() as u64, |hash, word| {
        mix(hash, u64::from_le_bytes(*word))
    });
    let rest = rest
        .iter()
        .fold(0, |word, byte| word << 8 | u64::from(*byte));
    (mix(hash, rest) >> 52) as usize % CACHED
}

/// Builds Python objects from events. The elements of open containers are on one stack.
struct Builder<'py> {
    py: Python<'py>,
    values: Vec<Bound<'py, PyAny>>,
    /// Whether an open container is an object, and where its values begin.
    open: Vec<(bool, usize)>,
    /// How many strings were made.
    strings: usize,
    cache: Vec<Option<(Box<str>, Bound<'py, PyString>)>>,
}

impl<'py> Builder<'py> {
    fn new(py: Python<'py>) -> Self {
        Builder {
            py,
            values: Vec::new(),
            open: Vec::new(),
            strings: 0,
            cache: Vec::new(),
        }
    }

    /// A key or a string; in a long text, most of them repeat.
    #[inline]
    fn make(&mut self, text: &str) -> Bound<'py, PyString> {
        self.strings += 1;
        if self.strings <= FEW || text.len() > LONGEST {
            return PyString::new(self.py, text);
        }
        if self.cache.is_empty() {
            self.cache.resize_with(CACHED, || None);
        }
        let slot = &mut self.cache[hash(text.as_bytes())];
        match slot {
            Some((known, object)) if **known == *text => object.clone(),
            _ => {
                let object = PyString::new(self.py, text);
                *slot = Some((text.into(), object.clone()));
                object
            }
        }
    }

    /// Closes the innermost container; a key without a value is left out.
    fn close(&mut self) -> Result<(), Unbuilt> {
        let Some((is_object, from)) = self.open.pop() else {
            return Ok(());
        };
        let closed = match is_object {
            false => PyList::new(self.py, self.values.drain(from..))?.into_any(),
            true => {
                let dict = PyDict::new(self.py);
                let mut members = self.values.drain(from..);
                while let (Some(key), Some(value)) = (members.next(), members.next()) {
                    dict.set_item(key, value)?;
                }
                dict.into_any()
            }
        };
        self.values.push(closed);
        Ok(())
    }

    fn close_all(&mut self) -> Result<(), Unbuilt> {
        while !self.open.is_empty() {
            self.close()?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<Bound<'py, PyAny>, Unbuilt> {
        let value = self.values.pop();
        value.ok_or_else(|| PyValueError::new_err("no value").into())
    }

    fn push(&mut self, value: Bound<'py, PyAny>) -> Result<(), Unbuilt> {
        self.values.push(value);
        Ok(())
    }
}

impl Visitor for Builder<'_> {
    type Error = Unbuilt;

    fn null(&mut self) -> Result<(), Unbuilt> {
        self.push(self.py.None().into_bound(self.py))
    }

    fn boolean(&mut self, value: bool) -> Result<(), Unbuilt> {
        self.push(PyBool::new(self.py, value).to_owned().into_any())
    }

    fn number(&mut self, number: Number<'_>) -> Result<(), Unbuilt> {
        if !number.is_integer() {
            let infinity = match number.raw().first() {
                Some(b'-') => f64::NEG_INFINITY,
                _ => f64::INFINITY,
            };
            let value = number.as_f64().unwrap_or(infinity);
            return self.push(PyFloat::new(self.py, value).into_any());
        }
        if let Some(value) = number.as_i64() {
            return self.push(PyInt::new(self.py, value).into_any());
        }
        let text = String::from_utf8_lossy(number.raw());
        // Python limits the digits, because the conversion takes quadratic time.
        match self.py.get_type::<PyInt>().call1((text,)) {
            Ok(value) => self.push(value),
            Err(error) if error.is_instance_of::<PyValueError>(self.py) => Err(Unbuilt::TooLong),
            Err(error) => Err(error.into()),
        }
    }

    fn string(&mut self, text: &str) -> Result<(), Unbuilt> {
        let text = self.make(text);
        self.push(text.into_any())
    }

    fn begin_array(&mut self, _: Option<u64>) -> Result<(), Unbuilt> {
        self.open.push((false, self.values.len()));
        Ok(())
    }

    fn end_array(&mut self) -> Result<(), Unbuilt> {
        self.close()
    }

    fn begin_object(&mut self, _: Option<u64>) -> Result<(), Unbuilt> {
        self.open.push((true, self.values.len()));
        Ok(())
    }

    fn key(&mut self, key: &str) -> Result<(), Unbuilt> {
        let key = self.make(key);
        self.push(key.into_any())
    }

    fn end_object(&mut self) -> Result<(), Unbuilt> {
        self.close()
    }
}
