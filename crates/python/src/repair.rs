//! `fix`.

use jsonx_core::diagnose::Applicability;
use jsonx_core::repair::{Repair, RepairOptions, repair};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyType};

use crate::error;
use crate::finding::Change;
use crate::places::Places;
use crate::text::{Text, to_str, without_gil};

static FIXED: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Repairs a text; raises `JSONError` of what is left if that is not possible.
pub fn repaired(py: Python<'_>, text: &Text, guesses: bool) -> PyResult<Repair> {
    let with = match guesses {
        true => Applicability::Review,
        false => Applicability::Safe,
    };
    let options = RepairOptions::default().with(with).max_input(usize::MAX);
    let repaired = without_gil(py, text.bytes(), || repair(text.bytes(), &options));
    if repaired.is_valid() {
        return Ok(repaired);
    }
    let source = repaired.source.as_deref().unwrap_or(text.bytes());
    Err(error::of_report(py, source, &repaired.left))
}

/// Repairs broken JSON, such as a language model writes: returns the text, valid now, and what was changed.
///
/// With ``guesses=False``, only mistakes that have one possible meaning are repaired. Raises ``JSONError`` if the text cannot
/// be repaired. Valid text is returned as it is.
///
/// >>> text, changes = jsonx.fix("{'a': 1, b: [True, 2")
/// >>> text
/// '{"a": 1, "b": [true, 2]}'
/// >>> [(change.column, change.before, change.after, change.sure) for change in changes][:2]
/// [(2, "'a'", '"a"', True), (10, 'b', '"b"', True)]
#[pyfunction]
#[pyo3(signature = (text, guesses=true))]
pub fn fix<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    guesses: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let given = text;
    let text: Text = given.extract()?;
    let repaired = repaired(py, &text, guesses)?;
    let source = repaired.source.as_deref().unwrap_or(text.bytes());
    let mut places = (!repaired.changes.is_empty()).then(|| Places::new(source));
    let changes = repaired.changes.into_iter().filter_map(|change| {
        let places = places.as_mut()?;
        let place = places.place(change.span.start);
        Some(Change {
            pos: place.pos,
            end: places.pos(change.span.end),
            line: place.line,
            column: place.column,
            before: change.removed,
            after: change.inserted,
            why: change.message,
            code: change.code.as_str(),
            sure: change.applicability == Applicability::Safe,
        })
    });
    let changes: Vec<Change> = changes.collect();
    let changes = PyList::new(py, changes)?;
    let is_same = matches!(text, Text::Str(_)) && repaired.text == text.bytes();
    let result = match is_same {
        true => given.clone(),
        false => to_str(py, &repaired.text).into_any(),
    };
    let class = FIXED.import(py, "jsonx._errors", "Fixed")?;
    class.call1((result, changes))
}
