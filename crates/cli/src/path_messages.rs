//! Messages about paths: invalid paths, paths without a match, and suggestions.

use std::ffi::OsStr;

use jsonx_core::edit::EditError;
use jsonx_core::path::{Path, PathError, Selector};
use jsonx_core::query::Missing;
use jsonx_core::string::decode_key;
use jsonx_core::{Document, Kind};

use crate::messages;
use crate::report::{escape, width_of};
use jsonx_core::diagnose::nearest::{SHORT, nearest};

/// Longest container whose keys are read for a suggestion.
const LONGEST_READ: u64 = 16 << 20;

/// Characters of a value that a message shows.
const SHOWN: usize = 40;

/// The message for an invalid path, perhaps that of an option, with a caret under the offending character.
pub fn bad_path(option: Option<&str>, typed: &OsStr, error: &PathError) -> String {
    let option = option.map_or(String::new(), |option| format!(" for {option}"));
    with_caret(
        &format!("bad path{option}"),
        typed,
        &error.message,
        error.offset,
    )
}

/// The message for an invalid filter, and the filter that may have been meant.
pub fn bad_filter(typed: &OsStr, error: &PathError) -> String {
    with_caret("bad filter", typed, &error.message, error.offset) + &meant_path(error)
}

/// A message about an argument, with a caret under the byte at an offset.
fn with_caret(what: &str, typed: &OsStr, message: &str, offset: usize) -> String {
    let bytes = typed.as_encoded_bytes();
    let indent = " ".repeat(width_of(&escape(&bytes[..offset])));
    format!("jsonx: {what}: {message}\n  {}\n  {indent}^", escape(bytes))
}

/// The line after that with the path that may have been meant.
pub fn meant_path(error: &PathError) -> String {
    let meant = error.suggestion.as_ref();
    meant.map_or(String::new(), |meant| {
        format!("\ndid you mean {}?", escape(meant))
    })
}

/// The advice about duplicate keys.
pub const LAST_COUNTS: &str = "the last one counts";

/// Warns that keys are repeated in an input, perhaps only those on the way to a path, and says what that means.
pub fn warn_of_duplicates(place: &str, path: Option<&str>, what: &str) {
    let way = path.map_or(String::new(), |path| format!(" on the way to {path}"));
    messages::line(&format!(
        "jsonx: {place}: warning: duplicate keys{way}; {what}"
    ));
}

/// The value at which a path stopped.
pub struct NoMatch {
    /// The number of steps that lead to it.
    pub steps: usize,
    pub kind: Kind,
    /// Of an array in which the next step is an index.
    pub length: Option<u64>,
    /// Its text, unless that is too long.
    pub container: Vec<u8>,
}

impl NoMatch {
    /// The place where a lookup stopped; `container` returns the text of the value there.
    pub fn of_missing(missing: &Missing, container: impl FnOnce() -> Vec<u8>) -> NoMatch {
        let readable = missing.end - missing.start <= LONGEST_READ;
        NoMatch {
            steps: missing.steps,
            kind: missing.kind,
            length: missing.length,
            container: readable.then(container).unwrap_or_default(),
        }
    }

    /// Where a path stopped, if that is why an edit was not made. `container` gets the text of the
    /// value that this many steps lead to.
    pub fn of(error: &EditError, container: impl FnOnce(usize) -> Vec<u8>) -> Option<NoMatch> {
        let (steps, kind, length) = match *error {
            EditError::Missing { steps, .. } => (steps, Kind::Object, None),
            EditError::PastEnd { steps, length, .. } => (steps, Kind::Array, Some(length as u64)),
            EditError::NotContainer { steps, kind, .. } => (steps, kind, None),
            _ => return None,
        };
        Some(NoMatch {
            steps,
            kind,
            length,
            container: container(steps),
        })
    }
}

/// The sentence about where a path stopped, and a did-you-mean question.
pub fn explain(path: &Path, stopped: &NoMatch) -> (String, String) {
    let meant = match (stopped.kind, key_at(path, stopped.steps)) {
        (Kind::Object, Some(key)) => near(path, key, &stopped.container),
        _ => None,
    };
    let hint = meant.map_or(String::new(), |meant| format!("did you mean {meant}?"));
    let sentence = sentence(path, stopped.steps, stopped.kind, stopped.length);
    (sentence, hint)
}

/// The key that a step selects.
fn key_at(path: &Path, step: usize) -> Option<&[u8]> {
    path.segments().get(step)?.selectors.first()?.key()
}

/// The sentence about a value of this kind to which so many steps led, and the next one does not lead further. `length` is that of an
/// array in which it is an index.
pub fn sentence(path: &Path, steps: usize, kind: Kind, length: Option<u64>) -> String {
    let reached = match steps {
        0 => "the document".to_owned(),
        steps => escape(&path.first(steps).to_string()),
    };
    let there = match (kind, length, key_at(path, steps)) {
        (Kind::Object, _, Some(key)) => format!("has no key `{}`", escape(key)),
        (Kind::Object, ..) => "is an object, not an array".to_owned(),
        (Kind::Array, Some(1), _) => "has 1 element".to_owned(),
        (Kind::Array, Some(length), _) => format!("has {length} elements"),
        (Kind::Array, ..) => "is an array, not an object".to_owned(),
        (kind, ..) => format!("is {kind}"),
    };
    format!("{reached} {there}")
}

/// The path with the nearest key of the object where it stopped.
fn near(path: &Path, key: &[u8], container: &[u8]) -> Option<String> {
    let document = Document::parse(container).ok()?;
    let keys: Vec<Vec<u8>> = document
        .root()
        .members()
        .map(|(key, _)| {
            let raw = key.raw();
            decode_key(&raw[1..raw.len() - 1]).into_owned()
        })
        .collect();
    let found = nearest(key, keys.iter().map(|key| &key[..]))?;
    if key.len() < SHORT && !found.eq_ignore_ascii_case(key) {
        return None;
    }
    let (old, new) = (
        std::str::from_utf8(key).ok()?,
        std::str::from_utf8(found).ok()?,
    );
    let typed = path.to_string().replacen(old, new, 1);
    let is_path = Path::parse(&typed).is_ok_and(|meant| {
        let keys = meant
            .segments()
            .iter()
            .flat_map(|segment| &segment.selectors);
        meant.segments().len() == path.segments().len()
            && keys.filter_map(Selector::key).any(|key| key == found)
    });
    Some(match is_path {
        true => escape(&typed),
        false => format!("the key `{}`", escape(found)),
    })
}

/// A value in a message, cut if it is long.
pub fn shown(value: &[u8]) -> String {
    let text = escape(value);
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
