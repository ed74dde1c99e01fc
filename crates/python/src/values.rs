//! Texts to Python objects.

use std::borrow::Cow;
use std::sync::Arc;

use jsonx_core::engine::{Options, Sink, Stop, Validator, Verdict};
use jsonx_core::visit::{Event, Events};
use jsonx_core::{ErrorKind, SyntaxError};
use jsonx_diagnose::DiagnoseOptions;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::builder::{Builder, Hooks, Kept, Unbuilt, with_kept};
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
    let text = text.decoded(py)?;
    let bytes = if strict {
        Cow::Borrowed(text.bytes())
    } else {
        with_controls(text.bytes(), |byte| format!("\\u{byte:04x}"))
    };
    if partial != Partial::Off
        && let Some(value) = with_kept(|kept| unfinished(py, &bytes, partial, hooks, kept))?
    {
        return Ok(value);
    }
    let error = match build(py, &bytes, hooks) {
        Ok(value) => return Ok(value),
        Err(Broken::Syntax(error)) => error,
        Err(Broken::Python(error)) => return Err(error),
    };
    if repair {
        let repaired = repaired(py, &Arc::new(text), true, max_input)?;
        return build(py, &repaired.text, hooks).map_err(|broken| broken.raise(py, &repaired.text));
    }
    // Of the same length, so that places are those of the text.
    let shown = if strict {
        bytes
    } else {
        with_controls(text.bytes(), |_| " ".to_owned())
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
        if is_inside && byte < 0x20 {
            new.extend_from_slice(replacement(byte).as_bytes())
        } else {
            new.push(byte)
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
    fn new(py: Python<'_>, text: &[u8], offset: u64, stop: Stop<Stop<Unbuilt>>) -> Broken {
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
    with_kept(|Kept { validator, buffers }| {
        let mut builder = Builder::new(py, hooks, buffers);
        let mut events = Events::new(|event: Event<'_>| builder.event(event));
        let checked = validator.check_next(Options::default(), text, &mut events);
        let offset = events.offset();
        checked
            .and_then(|_| events.finish().map_err(Stop::Sink))
            .map_err(|stop| Broken::new(py, text, offset, stop))?;
        builder
            .end()
            .map_err(|it| Broken::Python(it.raise(py, text)))
    })
}

/// The value of a possibly truncated text; `None` if it has no value yet, or is broken.
fn unfinished<'py>(
    py: Python<'py>,
    text: &[u8],
    partial: Partial,
    hooks: &Hooks<'py>,
    kept: &mut Kept,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let text = without_half_escape(without_half_character(text));
    let (before, last) = text.split_at(without_scalar(text).len());
    let mut builder = Builder::new(py, hooks, &mut kept.buffers);
    let mut events = Events::new(|event: Event<'_>| builder.event(event));
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
    match checked.map_err(|stop| Broken::new(py, text, offset, stop)) {
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
    if is_open && run % 2 == 0 {
        without_half_pair(before)
    } else {
        without_half_pair(text)
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
    if is_high && rest.iter().all(u8::is_ascii_hexdigit) && run.count() % 2 == 0 {
        before
    } else {
        text
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
