//! `fix`.

use std::sync::Arc;

use jsonx_diagnose::repair::{Correction, Repair, RepairOptions, repair};
use jsonx_diagnose::{Applicability, Code, Framing};
use pyo3::prelude::*;

use crate::error;
use crate::finding::{Change, class, objects};
use crate::places::Places;
use crate::text::{Text, interruptible, of_argument, to_str};

/// The maximum number of listed errors, and of sure and assumed changes each.
const LIMIT: usize = 100_000;

/// The default maximum length of a text to repair, in bytes.
pub const MAX_INPUT: usize = 64 << 20;

/// Repairs a text; raises `JSONError` for errors that remain, and for a broken text of more than `max_input` bytes.
pub fn repaired(
    py: Python<'_>,
    text: &Arc<Text>,
    guesses: bool,
    max_input: Option<usize>,
) -> PyResult<Repair> {
    let with = if guesses {
        Applicability::Review
    } else {
        Applicability::Safe
    };
    let options = RepairOptions::default();
    let most = max_input.unwrap_or(usize::MAX);
    let options = options.with(with).max_input(most).limit(LIMIT);
    let (work, length) = (text.clone(), text.bytes().len());
    let mut repaired = interruptible(py, length, move || repair(work.bytes(), &options))?;
    if repaired.is_valid() {
        if repaired.framing == Framing::Lines {
            repaired.text = array(&repaired.text);
        }
        return Ok(repaired);
    }
    if length > most
        && let Some(finding) = repaired.left.diagnostics.first_mut()
    {
        finding.message += &format!(
            "; not repaired, because the text has {length} bytes and max_input is {most}: pass more, or None"
        );
    }
    let source = repaired.source.as_deref().unwrap_or(text.bytes());
    Err(error::of_report(py, source, &repaired.left))
}

/// The values of JSON Lines as an array.
fn array(lines: &[u8]) -> Vec<u8> {
    let lines = lines.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let values: Vec<&[u8]> = lines.filter(|line| !line.is_empty()).collect();
    [b"[", &values.join(&b",\n"[..])[..], b"]\n"].concat()
}

/// Repairs broken JSON, such as the output of a language model; returns the valid text and the changes.
///
/// With ``guesses=False``, only errors with an unambiguous fix are repaired. Raises ``JSONError`` if errors remain. Valid text is
/// returned unchanged. At most 100,000 changes are listed. A broken text of more than ``max_input`` bytes is an error; ``None`` is no
/// limit.
///
/// >>> text, changes = jsonx.fix("{'a': 1, b: [True, 2")
/// >>> text
/// '{"a": 1, "b": [true, 2]}'
/// >>> [(change.column, change.before, change.after, change.sure) for change in changes][:2]
/// [(2, "'a'", '"a"', True), (10, 'b', '"b"', True)]
#[pyfunction]
#[pyo3(signature = (text, guesses=true, *, max_input=Some(MAX_INPUT)), text_signature = "(text, guesses=True, *, max_input=67108864)")]
pub fn fix<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    guesses: bool,
    max_input: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let argument = text;
    let text: Arc<Text> = Arc::new(of_argument(py, "text", argument.extract())?);
    let repaired = repaired(py, &text, guesses, max_input)?;
    let source = repaired.source.as_deref().unwrap_or(text.bytes());
    let mut places = (!repaired.changes.is_empty()).then(|| Places::new(source));
    // The brackets and commas of an array are one change.
    let array = (repaired.framing == Framing::Lines).then(|| Change {
        pos: 0,
        end: 0,
        line: 1,
        column: 1,
        before: String::new(),
        after: "[".to_owned(),
        why: "several JSON values, one per line, become an array".to_owned(),
        code: Code::MultipleValues.as_str(),
        sure: false,
    });
    let is_array = array.is_some();
    let is_kept = |change: &Correction| !is_array || change.code != Code::MultipleValues;
    let kept = repaired.changes.into_iter().filter(is_kept);
    let changes = kept.filter_map(|change| {
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
    let changes = objects(py, "Change", array.into_iter().chain(changes))?;
    let is_same = matches!(*text, Text::Str(_)) && repaired.text == text.bytes();
    let result = if is_same {
        argument.clone()
    } else {
        to_str(py, &repaired.text).into_any()
    };
    class(py, "Fixed")?.call1((result, changes))
}
