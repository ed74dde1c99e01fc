//! `format`, `diff` and `patch`.

use std::io;

use jsonx_core::Document;
use jsonx_core::diff::DiffOptions;
use jsonx_core::engine::{Options, Stop, Validator};
use jsonx_core::format::{
    Indent, RewriteError, RewriteOptions, Rewriter, Style, TrailingCommas, WriteTo, sort_commented,
};
use jsonx_core::patch::{MergePatch, Patch};
use jsonx_core::path::Path;
use jsonx_diagnose::DiagnoseOptions;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::check::{InputKind, json_of};
use crate::error;
use crate::text::{Text, to_str, without_gil};
use crate::values;

/// The indentation: spaces, or a tab.
pub struct Indentation(Indent);

impl<'py> FromPyObject<'_, 'py> for Indentation {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Indentation> {
        if let Ok("\t") = object.extract::<&str>() {
            return Ok(Indentation(Indent::Tab));
        }
        let count: PyResult<u8> = object.extract();
        let wrong = |_| {
            PyValueError::new_err("indent must be None, '\\t' or a number of spaces from 0 to 255")
        };
        count
            .map(|count| Indentation(Indent::Spaces(count)))
            .map_err(wrong)
    }
}

/// A formatted text with a bounded length: the indentation of 100 kB of brackets is 10 GB.
struct Memory {
    text: Vec<u8>,
    limit: usize,
}

impl Memory {
    /// For a text of `length` bytes: 64 times that, and at least 64 MB.
    fn new(length: usize) -> WriteTo<Memory> {
        WriteTo(Memory {
            text: Vec::new(),
            limit: length.saturating_mul(64).max(64 << 20),
        })
    }
}

impl io::Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let full = || io::Error::from(io::ErrorKind::OutOfMemory);
        if bytes.len() > self.limit - self.text.len() {
            return Err(full());
        }
        self.text.try_reserve(bytes.len()).map_err(|_| full())?;
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn too_long() -> PyErr {
    PyMemoryError::new_err("the formatted text is too long: it is nested too deep")
}

/// Formats a text: only white space changes, and numbers keep their digits.
///
/// ``indent`` is a number of spaces or a tab; with ``None``, the text is minified. Arrays and objects that fit into ``width``
/// columns are on one line. ``canonical=True`` writes the form of RFC 8785. Comments are kept with ``dialect="jsonc"``.
/// Raises ``MemoryError`` if indentation makes the text over 64 times as long, or there is no memory for it.
///
/// >>> print(jsonx.format('{"b":[1.50,2],"a":{}}', sort_keys=True, width=40), end="")
/// {"a": {}, "b": [1.50, 2]}
/// >>> jsonx.format("[1, 2]", indent=None)
/// '[1,2]\n'
#[pyfunction]
#[pyo3(signature = (text, *, indent=Some(Indentation(Indent::Spaces(2))), width=None, sort_keys=false, ascii=false, canonical=false, dialect="json"), text_signature = "(text, *, indent=2, width=None, sort_keys=False, ascii=False, canonical=False, dialect='json')")]
#[expect(clippy::too_many_arguments)]
pub fn format<'py>(
    py: Python<'py>,
    text: Text,
    indent: Option<Indentation>,
    width: Option<u16>,
    sort_keys: bool,
    ascii: bool,
    canonical: bool,
    dialect: &str,
) -> PyResult<Bound<'py, PyString>> {
    let kind = InputKind::named(dialect)?;
    let bytes = text.bytes();
    let options = match kind {
        InputKind::Json => {
            let style = indent.map_or(Style::Compact, |indent| Style::Pretty(indent.0));
            RewriteOptions::from(style)
                .width(width)
                .sort_keys(sort_keys)
                .ascii(ascii)
                .canonical(canonical)
        }
        InputKind::Jsonc => {
            let Some(indent) = indent.filter(|_| !canonical) else {
                return Err(PyValueError::new_err(
                    "texts with comments cannot be minified or canonical",
                ));
            };
            return commented(py, bytes, indent.0, width, sort_keys, ascii);
        }
        _ => return Err(PyValueError::new_err("dialect must be 'json' or 'jsonc'")),
    };
    let formatted = without_gil(py, bytes, || {
        let rewriter = Rewriter::new(options, Memory::new(bytes.len()));
        Validator::new(Options::default()).check(bytes, rewriter)
    });
    match formatted {
        Ok(WriteTo(formatted)) => Ok(to_str(py, &formatted.text)),
        Err(Stop::Invalid(error)) => {
            Err(error::invalid(py, bytes, error, DiagnoseOptions::default()))
        }
        Err(Stop::Sink(RewriteError::NotCanonical(reason))) => {
            let offset = usize::try_from(reason.offset).unwrap_or(0);
            Err(error::at(py, bytes, offset, reason))
        }
        Err(Stop::Sink(RewriteError::Output(_))) => Err(too_long()),
        Err(Stop::Sink(other)) => Err(error::at(py, bytes, 0, other)),
    }
}

fn commented<'py>(
    py: Python<'py>,
    text: &[u8],
    indent: Indent,
    width: Option<u16>,
    sort_keys: bool,
    ascii: bool,
) -> PyResult<Bound<'py, PyString>> {
    let dialect = InputKind::Jsonc.dialect();
    let options = Options::default().dialect(dialect);
    let style = RewriteOptions::from(Style::Pretty(indent))
        .comments(Some(TrailingCommas::Keep))
        .width(width)
        .ascii(ascii);
    let formatted = without_gil(py, text, || {
        let sorted;
        let mut source = text;
        if sort_keys {
            sorted = sort_commented(text, options).map_err(Stop::Invalid)?;
            source = &sorted;
        }
        let formatter = Rewriter::new(style, Memory::new(text.len()));
        Validator::new(options).check(source, formatter)
    });
    match formatted {
        Ok(WriteTo(formatted)) => Ok(to_str(py, &formatted.text)),
        Err(Stop::Invalid(error)) => {
            let options = DiagnoseOptions::default().dialect(dialect);
            Err(error::invalid(py, text, error, options))
        }
        Err(Stop::Sink(_)) => Err(too_long()),
    }
}

/// The JSON of a text or a Python object.
fn json_text(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match object.extract::<Text>() {
        Ok(text) => Ok(text.bytes().to_vec()),
        Err(_) => Ok(json_of(object)?.into_bytes()),
    }
}

fn document<'t>(py: Python<'_>, text: &'t [u8]) -> PyResult<Document<'t>> {
    let parsed = without_gil(py, text, || Document::index(text, Options::default()));
    parsed.map_err(|error| error::invalid(py, text, error, DiagnoseOptions::default()))
}

fn path(path: &str) -> PyResult<Path> {
    Path::parse(path).map_err(|error| PyValueError::new_err(format!("{path}: {error}")))
}

/// Compares two texts; returns the JSON Patch (RFC 6902) that turns the old one into the new one.
///
/// The order of members does not matter; numbers are compared by their exact value, with ``exact=True`` by their digits. Elements of
/// arrays are matched by the member ``key``; the paths ``ignore`` are skipped, arrays at the paths ``sets`` compared as sets.
///
/// >>> jsonx.diff('{"a": 1, "b": [1, 2]}', '{"b": [2], "a": 1.0}')
/// [{'op': 'remove', 'path': '/b/0'}]
#[pyfunction]
#[pyo3(signature = (old, new, *, key=None, ignore=Vec::new(), sets=Vec::new(), exact=false), text_signature = "(old, new, *, key=None, ignore=(), sets=(), exact=False)")]
pub fn diff<'py>(
    py: Python<'py>,
    old: Text,
    new: Text,
    key: Option<&str>,
    ignore: Vec<String>,
    sets: Vec<String>,
    exact: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let mut options = DiffOptions::default().exact(exact);
    if let Some(key) = key {
        options = options.key(key);
    }
    for ignored in &ignore {
        options = options.ignore(path(ignored)?);
    }
    for set in &sets {
        options = options.set(path(set)?);
    }
    let (old, new) = (document(py, old.bytes())?, document(py, new.bytes())?);
    let patch = py.detach(|| jsonx_core::diff::diff(&old, &new, &options).to_patch());
    values::of_json(py, &patch)
}

/// Applies a JSON Patch (RFC 6902), or a merge patch (RFC 7396) if the patch is an object. The patch is a text, or an object such
/// as the result of ``diff``. All other bytes stay. Raises ``JSONError`` if an operation fails.
///
/// >>> jsonx.patch('{"a": 1.50, "b": 2}', [{"op": "remove", "path": "/b"}])
/// '{"a": 1.50}'
/// >>> jsonx.patch('{"a": 1.50, "b": 2}', {"b": None, "c": 3})
/// '{"a": 1.50, "c": 3}'
#[pyfunction]
pub fn patch<'py>(
    py: Python<'py>,
    text: Text,
    patch: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyString>> {
    let patch_text = json_text(patch)?;
    let operations = document(py, &patch_text)?;
    let document = document(py, text.bytes())?;
    let edited = match operations.root().kind() {
        jsonx_core::Kind::Object => {
            let parsed = MergePatch::parse(&operations);
            let parsed =
                parsed.map_err(|error| error::at(py, &patch_text, error.span.start, &error))?;
            let applied = py.detach(|| parsed.apply(&document).map(|editor| editor.finish()));
            applied.map_err(|failure| error::at(py, &patch_text, 0, failure))?
        }
        _ => {
            let parsed = Patch::parse(&operations);
            let parsed =
                parsed.map_err(|error| error::at(py, &patch_text, error.span.start, &error))?;
            let applied = py.detach(|| parsed.apply(&document).map(|editor| editor.finish()));
            applied.map_err(|failure| {
                let operation = parsed.operations().get(failure.operation);
                let at = operation.map_or(0, |it| it.span().start);
                error::at(py, &patch_text, at, &failure)
            })?
        }
    };
    Ok(to_str(py, &edited))
}
