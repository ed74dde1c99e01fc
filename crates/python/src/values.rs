//! Texts to Python objects.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use jsonx_core::diagnose::DiagnoseOptions;
use jsonx_core::engine::{Options, Sink, Stop, Validator, Verdict};
use jsonx_core::number::Number;
use jsonx_core::visit::{Events, Visitor};
use jsonx_core::{ErrorKind, Node, SyntaxError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

use crate::error;
use crate::repair::{MAX_INPUT, repaired};
use crate::text::{Text, is_short};

/// How to read an incomplete text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Partial {
    /// As an error.
    Off,
    /// Without a string, number or literal at the end.
    On,
    /// Without a number or literal at the end, but with an incomplete string.
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

/// Functions of the caller that make values, as in ``json.loads``.
#[derive(Default)]
struct Hooks<'py> {
    object: Option<Bound<'py, PyAny>>,
    pairs: Option<Bound<'py, PyAny>>,
    float: Option<Bound<'py, PyAny>>,
    int: Option<Bound<'py, PyAny>>,
}

/// Reads a text, as ``json.loads`` does: objects become ``dict``, and the last of equal keys counts. ``object_hook``,
/// ``object_pairs_hook``, ``parse_float``, ``parse_int`` and ``strict`` are those of ``json.loads``.
///
/// With ``repair=True``, broken text is repaired first, guesses included. With ``partial=True``, the text may end anywhere: its
/// complete values are returned, without a string, number or literal at the end that may continue; with
/// ``partial="trailing-strings"``, an incomplete string is included. A broken text of more than ``max_input`` bytes is not
/// repaired; ``None`` is no limit.
///
/// >>> jsonx.loads('{"a": [1, 2.5, 12345678901234567890]}')
/// {'a': [1, 2.5, 12345678901234567890]}
/// >>> jsonx.loads("{a: 'x'}", repair=True)
/// {'a': 'x'}
/// >>> jsonx.loads('{"name": "Ada", "tags": ["a", "b', partial=True)
/// {'name': 'Ada', 'tags': ['a']}
/// >>> jsonx.loads('{"name": "Ada", "tags": ["a", "b', partial="trailing-strings")
/// {'name': 'Ada', 'tags': ['a', 'b']}
/// >>> from decimal import Decimal
/// >>> jsonx.loads('{"price": 19.99}', parse_float=Decimal)
/// {'price': Decimal('19.99')}
#[pyfunction]
#[pyo3(
    signature = (
        text, repair=false, partial=Partial::Off, *, max_input=Some(MAX_INPUT), object_hook=None,
        object_pairs_hook=None, parse_float=None, parse_int=None, strict=true
    ),
    text_signature = "(text, repair=False, partial=False, *, max_input=67108864, object_hook=None, object_pairs_hook=None, parse_float=None, parse_int=None, strict=True)"
)]
#[allow(clippy::too_many_arguments)]
pub fn loads<'py>(
    py: Python<'py>,
    text: Text,
    repair: bool,
    partial: Partial,
    max_input: Option<usize>,
    object_hook: Option<Bound<'py, PyAny>>,
    object_pairs_hook: Option<Bound<'py, PyAny>>,
    parse_float: Option<Bound<'py, PyAny>>,
    parse_int: Option<Bound<'py, PyAny>>,
    strict: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let hooks = &Hooks {
        object: object_hook,
        pairs: object_pairs_hook,
        float: parse_float,
        int: parse_int,
    };
    let text = Arc::new(text.decoded(py)?);
    let bytes = match strict {
        true => Cow::Borrowed(text.bytes()),
        false => with_controls(text.bytes(), |byte| format!("\\u{byte:04x}")),
    };
    if partial != Partial::Off
        && let Some(value) = unfinished(py, &bytes, partial, hooks)?
    {
        return Ok(value);
    }
    let error = match build(py, &bytes, hooks) {
        Ok(value) => return Ok(value),
        Err(Broken::Syntax(error)) => error,
        Err(Broken::Python(error)) => return Err(error),
    };
    if repair {
        let repaired = repaired(py, &text, true, max_input)?;
        return build(py, &repaired.text, hooks).map_err(|broken| broken.raise(py, &repaired.text));
    }
    // Of the same length, so that places are those of the text.
    let shown = match strict {
        true => bytes,
        false => with_controls(text.bytes(), |_| " ".to_owned()),
    };
    Err(Broken::Syntax(error).raise(py, &shown))
}

/// The text with replacements of the control characters in its strings.
fn with_controls(text: &[u8], replacement: impl Fn(u8) -> String) -> Cow<'_, [u8]> {
    if text.iter().all(|&byte| byte >= 0x20) {
        return Cow::Borrowed(text);
    }
    let mut new = Vec::with_capacity(text.len());
    let (mut is_inside, mut is_escaped) = (false, false);
    for &byte in text {
        match is_inside && byte < 0x20 {
            true => new.extend_from_slice(replacement(byte).as_bytes()),
            false => new.push(byte),
        }
        is_inside ^= byte == b'"' && !is_escaped;
        is_escaped = is_inside && byte == b'\\' && !is_escaped;
    }
    Cow::Owned(new)
}

/// Reads the value that begins at ``idx``, whatever follows it, and returns it with the index of its end, as
/// ``json.JSONDecoder().raw_decode`` does. White space before the value is skipped. Of bytes, the indexes are those of bytes.
///
/// >>> jsonx.raw_decode('{"a": 1} and more')
/// ({'a': 1}, 8)
/// >>> jsonx.raw_decode('é: [2], [3]', 3)
/// ([2], 6)
#[pyfunction]
#[pyo3(signature = (text, idx=0))]
pub fn raw_decode<'py>(
    py: Python<'py>,
    text: Text,
    idx: usize,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let bytes = text.bytes();
    let start = match &text {
        Text::Str(text) => text.char_indices().nth(idx).map(|(at, _)| at),
        Text::Bytes(_) => Some(idx),
    };
    let rest = start.and_then(|at| bytes.get(at..)).unwrap_or_default();
    let hooks = &Hooks::default();
    let (value, length) = match build(py, rest, hooks) {
        Ok(value) => (value, rest.trim_ascii_end().len()),
        Err(Broken::Syntax(error)) => {
            let offset = usize::try_from(error.offset).unwrap_or(0);
            let first = rest.get(..offset).unwrap_or_default().trim_ascii_end();
            match build(py, first, hooks) {
                Ok(value) => (value, first.len()),
                Err(Broken::Syntax(_)) => {
                    let start = bytes.len() - rest.len();
                    return Err(error::at(py, bytes, start + offset, error.kind));
                }
                Err(broken) => return Err(broken.raise(py, first)),
            }
        }
        Err(broken) => return Err(broken.raise(py, rest)),
    };
    let passed = match &text {
        Text::Str(_) => rest[..length]
            .iter()
            .filter(|&&byte| byte & 0xC0 != 0x80)
            .count(),
        Text::Bytes(_) => length,
    };
    Ok((value, idx + passed))
}

/// The value of a verified text.
pub fn value<'py>(py: Python<'py>, node: Node<'_, '_>) -> PyResult<Bound<'py, PyAny>> {
    let hooks = Hooks::default();
    let mut builder = Builder::new(py, &hooks);
    node.visit(&mut builder)
        .map_err(|it| it.raise(py, node.raw()))?;
    builder.end().map_err(|it| it.raise(py, node.raw()))
}

/// The value of a text that is JSON.
pub fn of_json<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    build(py, text, &Hooks::default()).map_err(|broken| broken.raise(py, text))
}

/// A syntax error, or a Python exception.
enum Broken {
    Syntax(SyntaxError),
    Python(PyErr),
}

impl Broken {
    /// The reason why the validator stopped; `offset` is that of the last event.
    fn of(py: Python<'_>, text: &[u8], offset: u64, stop: Stop<Stop<Unbuilt>>) -> Broken {
        match stop {
            Stop::Invalid(error) | Stop::Sink(Stop::Invalid(error)) => Broken::Syntax(error),
            Stop::Sink(Stop::Sink(Unbuilt::Python(error))) => Broken::Python(error),
            Stop::Sink(Stop::Sink(Unbuilt::TooLong)) => {
                let offset = usize::try_from(offset).unwrap_or(0);
                Broken::Python(too_long(py, text, offset))
            }
        }
    }

    fn raise(self, py: Python<'_>, text: &[u8]) -> PyErr {
        match self {
            Broken::Syntax(error) => error::invalid(py, text, error, DiagnoseOptions::default()),
            Broken::Python(error) => error,
        }
    }
}

/// An error of a builder: a Python exception, or a number with too many digits.
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

fn build<'py>(
    py: Python<'py>,
    text: &[u8],
    hooks: &Hooks<'py>,
) -> Result<Bound<'py, PyAny>, Broken> {
    let mut builder = Builder::new(py, hooks);
    let mut events = Events::new(&mut builder);
    let checked = Validator::new(Options::default()).check(text, &mut events);
    let offset = events.offset();
    checked
        .and_then(|_| events.finish().map_err(Stop::Sink))
        .map_err(|stop| Broken::of(py, text, offset, stop))?;
    builder
        .end()
        .map_err(|it| Broken::Python(it.raise(py, text)))
}

/// The value of a possibly truncated text; `None` if it has no value yet, or is broken.
fn unfinished<'py>(
    py: Python<'py>,
    text: &[u8],
    partial: Partial,
    hooks: &Hooks<'py>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let text = without_half_escape(without_half_character(text));
    let (before, last) = text.split_at(without_scalar(text).len());
    let mut builder = Builder::new(py, hooks);
    let mut events = Events::new(&mut builder);
    let mut validator = Validator::new(Options::default());
    let checked = if is_short(text) && last.is_empty() && partial == Partial::On {
        // One call takes less time than two, and a copy of a short text hardly any.
        validator.check(&[before, b" "].concat(), &mut events)
    } else {
        match validator.write(before, &mut events) {
            Ok(()) => match ending(&validator, last, partial) {
                Some(end) => validator.check(&end, &mut events),
                None => return Ok(None),
            },
            broken => broken,
        }
    };
    let offset = events.offset();
    match checked.map_err(|stop| Broken::of(py, text, offset, stop)) {
        Ok(()) => {}
        Err(Broken::Syntax(error)) if error.kind == ErrorKind::UnexpectedEnd => {}
        Err(Broken::Syntax(_)) => return Ok(None),
        Err(Broken::Python(error)) => return Err(error),
    }
    builder.close_all().map_err(|it| it.raise(py, text))?;
    if builder.values.is_empty() {
        return Ok(None);
    }
    builder.end().map(Some).map_err(|it| it.raise(py, text))
}

/// The replacement of the last bytes of a text, which may belong to a string, a number or a literal; `None` if none of these is
/// valid there.
fn ending(validator: &Validator, last: &[u8], partial: Partial) -> Option<Vec<u8>> {
    let may_follow = |bytes: &[u8]| match validator.clone().check(bytes, Verdict) {
        Err(Stop::Invalid(error)) => error.kind == ErrorKind::UnexpectedEnd,
        _ => true,
    };
    if partial == Partial::Strings {
        // A quote ends a string, which is passed on with the next byte; anywhere else it is an error, or begins a string that is
        // dropped.
        let closed = [last, b"\" "].concat();
        if may_follow(&closed) {
            return Some(closed);
        }
    }
    // A literal before a space is complete.
    (last.is_empty() || may_follow(last)).then(|| b" ".to_vec())
}

/// The text without an incomplete character at its end.
fn without_half_character(text: &[u8]) -> &[u8] {
    let from = text.len().saturating_sub(3);
    let lead = text[from..].iter().rposition(|&byte| byte >= 0xC0);
    match lead.map(|lead| from + lead) {
        Some(lead) if std::str::from_utf8(&text[lead..]).is_err() => &text[..lead],
        _ => text,
    }
}

/// The text without an incomplete escape at its end: `\`, `\u12`. Only strings have backslashes.
fn without_half_escape(text: &[u8]) -> &[u8] {
    let from = text.len().saturating_sub(5);
    let Some(last) = text[from..].iter().rposition(|&byte| byte == b'\\') else {
        return without_half_pair(text);
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
        true => without_half_pair(before),
        false => without_half_pair(text),
    }
}

/// The text without the escape of a high surrogate at its end: a low one may follow.
fn without_half_pair(text: &[u8]) -> &[u8] {
    let Some((before, [b'\\', b'u', b'd' | b'D', high, rest @ ..])) = text.split_last_chunk::<6>()
    else {
        return text;
    };
    let run = before.iter().rev().take_while(|&&byte| byte == b'\\');
    let is_high = matches!(high, b'8' | b'9' | b'a' | b'A' | b'b' | b'B');
    match is_high && rest.iter().all(u8::is_ascii_hexdigit) && run.count() % 2 == 0 {
        true => before,
        false => text,
    }
}

/// The text without a possibly incomplete number or literal at its end. An incomplete string is dropped anyway.
fn without_scalar(text: &[u8]) -> &[u8] {
    let is_scalar = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let length = text.iter().rev().take_while(is_scalar).count();
    let (before, scalar) = text.split_at(text.len() - length);
    match scalar {
        b"true" | b"false" | b"null" => text,
        // The letters may be the end of an escape.
        _ => without_half_escape(before),
    }
}

/// The number of containers between two checks for signals.
const PATIENCE: u32 = 1 << 12;

/// Slots of the cache of short strings.
const CACHED: usize = 4096;

/// Longer strings are not cached.
const LONGEST: usize = 47;

/// A cached short string.
struct Known {
    text: [u8; LONGEST],
    length: u8,
    object: Option<Py<PyString>>,
}

type Cache = Vec<Known>;

/// Successive texts often have the same strings. Only one of several concurrent builders has the cache.
static CACHE: LazyLock<Mutex<Option<Cache>>> = LazyLock::new(|| Mutex::new(Some(empty_cache())));

fn empty_cache() -> Cache {
    let unknown = || Known {
        text: [0; LONGEST],
        length: 0,
        object: None,
    };
    std::iter::repeat_with(unknown).take(CACHED).collect()
}

fn idle_cache() -> MutexGuard<'static, Option<Cache>> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The slot of a short text. Eight bytes are hashed at a time.
#[inline]
fn slot(text: &[u8]) -> usize {
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

/// Fast path for integers of at most nine digits, the most common ones: avoids the search for a point and the general
/// conversion.
fn few_digits(raw: &[u8]) -> Option<i64> {
    let digits = raw.strip_prefix(b"-").unwrap_or(raw);
    if digits.len() > 9 {
        return None;
    }
    let mut value = 0;
    for byte in digits {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = 10 * value + i64::from(byte - b'0');
    }
    Some(if digits.len() < raw.len() {
        -value
    } else {
        value
    })
}

/// Builds Python objects from events. The elements of open containers are on one stack.
struct Builder<'py, 'h> {
    py: Python<'py>,
    hooks: &'h Hooks<'py>,
    values: Vec<Bound<'py, PyAny>>,
    /// Whether an open container is an object, and where its values begin.
    open: Vec<(bool, usize)>,
    cache: Option<Cache>,
    /// The number of containers so far.
    containers: u32,
}

impl Drop for Builder<'_, '_> {
    fn drop(&mut self) {
        if let Some(cache) = self.cache.take() {
            *idle_cache() = Some(cache);
        }
    }
}

impl<'py, 'h> Builder<'py, 'h> {
    fn new(py: Python<'py>, hooks: &'h Hooks<'py>) -> Self {
        Builder {
            py,
            hooks,
            values: Vec::with_capacity(32),
            open: Vec::with_capacity(8),
            cache: idle_cache().take(),
            containers: 0,
        }
    }

    /// A key or a string; most of them repeat within a long text and between texts.
    #[inline]
    fn make(&mut self, text: &str) -> Bound<'py, PyString> {
        let Some(cache) = self.cache.as_mut().filter(|_| text.len() <= LONGEST) else {
            return PyString::new(self.py, text);
        };
        let bytes = text.as_bytes();
        let known = &mut cache[slot(bytes)];
        if let Some(object) = &known.object
            && known.text[..usize::from(known.length)] == *bytes
        {
            return object.bind(self.py).clone();
        }
        let object = PyString::new(self.py, text);
        known.text[..bytes.len()].copy_from_slice(bytes);
        known.length = bytes.len() as u8;
        // Dropping a string runs no code of Python.
        known.object = Some(object.clone().unbind());
        object
    }

    /// Ends the call if Ctrl-C was pressed; checks for signals once in a while.
    fn check_signals(&mut self) -> Result<(), Unbuilt> {
        self.containers += 1;
        match self.containers.is_multiple_of(PATIENCE) {
            true => Ok(self.py.check_signals()?),
            false => Ok(()),
        }
    }

    /// Closes the innermost container; a key without a value is left out.
    fn close(&mut self) -> Result<(), Unbuilt> {
        let Some((is_object, from)) = self.open.pop() else {
            return Ok(());
        };
        self.check_signals()?;
        let closed = match is_object {
            false => PyList::new(self.py, self.values.drain(from..))?.into_any(),
            true => {
                let mut members = self.values.drain(from..);
                let mut next = || members.next().zip(members.next());
                if let Some(hook) = &self.hooks.pairs {
                    let pairs: Vec<_> = std::iter::from_fn(next).collect();
                    hook.call1((pairs,))?
                } else {
                    let dict = PyDict::new(self.py);
                    while let Some((key, value)) = next() {
                        dict.set_item(key, value)?;
                    }
                    match &self.hooks.object {
                        Some(hook) => hook.call1((dict,))?,
                        None => dict.into_any(),
                    }
                }
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

impl Visitor for Builder<'_, '_> {
    type Error = Unbuilt;

    fn null(&mut self) -> Result<(), Unbuilt> {
        self.push(self.py.None().into_bound(self.py))
    }

    fn boolean(&mut self, value: bool) -> Result<(), Unbuilt> {
        self.push(PyBool::new(self.py, value).to_owned().into_any())
    }

    fn number(&mut self, number: Number<'_>) -> Result<(), Unbuilt> {
        let hook = match (&self.hooks.int, &self.hooks.float) {
            (None, None) => None,
            // `1.0` is an integer here, and a float in Python.
            (int, float) => match number.raw().iter().any(|byte| b".eE".contains(byte)) {
                true => float.as_ref(),
                false => int.as_ref(),
            },
        };
        if let Some(hook) = hook {
            let value = hook.call1((String::from_utf8_lossy(number.raw()),))?;
            return self.push(value);
        }
        if let Some(value) = few_digits(number.raw()) {
            return self.push(PyInt::new(self.py, value).into_any());
        }
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

    fn needs_lengths(&self) -> bool {
        false
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
