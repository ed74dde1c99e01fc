//! Operations that JSON5, or settings without a value, do not support.

use jsonx_core::position::locate;
use jsonx_diagnose::json5::Translation;

use super::Failure;
use crate::exit::Exit;
use crate::files::dialects;
use crate::input::{Input, Name};

/// Fails if a JSON5 input has `Infinity` or `NaN`, which JSON cannot represent.
///
/// # Errors
/// It has such a value.
pub fn finite(input: &Input) -> Result<(), Failure> {
    match input.json5() {
        Some(translation) => finite_within(translation, input.name(), 0, translation.text().len()),
        None => Ok(()),
    }
}

/// The same for the bytes from `start` to `end` of a translation.
///
/// # Errors
/// They have such a number.
pub fn finite_within(
    translation: &Translation,
    name: &Name,
    start: usize,
    end: usize,
) -> Result<(), Failure> {
    let within = translation.in_source(start..end);
    let spans = translation.non_finite();
    let next = spans.partition_point(|span| span.start < within.start);
    let Some(span) = spans.get(next).filter(|span| span.end <= within.end) else {
        return Ok(());
    };
    let source = translation.source();
    let place = locate(source, span.start);
    let number = match &source[span.clone()] {
        word if word.len() <= "+Infinity".len() => String::from_utf8_lossy(word),
        _ => "number that large".into(),
    };
    Err(Failure::Declined {
        exit: Exit::NotJson,
        message: format!(
            "jsonx: {name}:{}:{}: JSON has no `{number}`; `jsonx fix --all` writes null",
            place.line, place.column
        ),
    })
}

/// Fails if an input has no value to edit, but a text that its tool takes for one.
///
/// # Errors
/// It has none.
pub fn has_value(input: &Input) -> Result<(), Failure> {
    let (Some(_), name) = (input.without_value(), input.name()) else {
        return Ok(());
    };
    let value = name.path().and_then(dialects::empty_value);
    let value = value.unwrap_or_default();
    Err(Failure::Declined {
        exit: Exit::NotJson,
        message: format!(
            "jsonx: {name}: it has no value to edit; `echo '{value}' >> {name}` adds the one that it stands for"
        ),
    })
}

/// Fails if an input has values specific to JSON5: no output format can represent them.
///
/// # Errors
/// It has such a value.
pub fn not_json5(input: &Input, command: &str) -> Result<(), Failure> {
    let name = input.name();
    match input.json5() {
        Some(translation) if !translation.is_jsonc() => Err(Failure::Declined {
            exit: Exit::Usage,
            message: format!(
                "jsonx: {name}: this is JSON5, and {command} writes JSON only; `jsonx fix {name}` converts it to JSON"
            ),
        }),
        _ => Ok(()),
    }
}
