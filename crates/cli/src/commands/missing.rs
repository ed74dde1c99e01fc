//! What `get` says when a path is none, or leads nowhere.

use jsonx_core::path::{Path, PathError, Selector};
use jsonx_core::{Kind, Missing};

use crate::input::Name;
use crate::report::{escape, width_of};

/// For who gave a file where a path was to be.
pub const PATH_FIRST: &str = "the path comes first: jsonx get PATH FILE";

/// Why a text is no path, with a caret under the offending character.
pub fn bad_path(text: &str, error: &PathError) -> String {
    let shown = escape(text);
    let indent = " ".repeat(width_of(&escape(&text.as_bytes()[..error.offset])));
    let mut out = format!("jsonx: bad path: {error}\n  {shown}\n  {indent}^");
    if let Some(near) = &error.suggestion {
        out += &format!("\ndid you mean {}?", escape(near));
    }
    if std::fs::exists(text).unwrap_or(false) {
        out += &format!("\nthat is the name of a file; {PATH_FIRST}");
    }
    out
}

/// `FILE:LINE:COL`, or as near as one can get.
pub fn place(name: &Name, place: Option<(u64, u64)>, at: u64) -> String {
    match place {
        Some((line, column)) => format!("{name}:{line}:{column}"),
        None => format!("{name}, byte {at}"),
    }
}

/// Where the path stopped and what was there instead.
pub fn sentence(path: &Path, miss: &Missing, place: &str) -> String {
    let reached = match miss.steps {
        0 => "the document".to_owned(),
        steps => path.first(steps).to_string(),
    };
    let wanted = path
        .segments()
        .get(miss.steps)
        .and_then(|segment| segment.selectors.first());
    let there = match (miss.kind, miss.length, wanted.and_then(Selector::key)) {
        (Kind::Object, _, Some(key)) => format!("has no key `{}`", escape(key)),
        (Kind::Object, _, None) => "is an object, not an array".to_owned(),
        (Kind::Array, Some(1), _) => "has 1 element".to_owned(),
        (Kind::Array, Some(length), _) => format!("has {length} elements"),
        (Kind::Array, None, _) => "is an array, not an object".to_owned(),
        (Kind::String, ..) => "is a string".to_owned(),
        (Kind::Number, ..) => "is a number".to_owned(),
        (Kind::Boolean, ..) => "is true or false".to_owned(),
        (Kind::Null, ..) => "is null".to_owned(),
    };
    format!(
        "no match for {}: {} {there} ({place})",
        escape(&path.to_string()),
        escape(&reached)
    )
}
