//! Errors in paths, and suggestions for their repair.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// An error in a path: plain data from which a caller builds its own message.
///
/// ```
/// let error = jsonx_core::path::Path::parse(".a[01]").unwrap_err();
/// assert_eq!(error.offset, 3);
/// assert_eq!(error.message, "an index has no leading zeros");
/// assert_eq!(error.suggestion.as_deref(), Some(".a[1]"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathError {
    /// Offset of the offending character in bytes, always on a character boundary; the length of the path if something
    /// is missing at its end.
    pub offset: usize,
    /// The error: one sentence without a full stop. It may quote parts of the path and never contains control
    /// characters.
    pub message: String,
    /// The nearest valid path, complete and ready to be typed; it always parses.
    pub suggestion: Option<String>,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PathError {}

/// The first error of a path, as found by its parser. Boxed because the parsers of nested filters call one another, and
/// space for it in every frame would be half of their stack use.
#[derive(Debug)]
pub(super) struct Fault(pub Box<Spot>);

/// The error, its offset, and the edit that repairs this one spot.
#[derive(Debug)]
pub(super) struct Spot {
    pub offset: usize,
    pub message: Cow<'static, str>,
    pub edit: Option<Replacement>,
}

/// Replaces `range` of the text by `with`.
#[derive(Debug)]
pub(super) struct Replacement {
    pub range: Range<usize>,
    pub with: String,
}

impl Fault {
    pub fn at(offset: usize, message: impl Into<Cow<'static, str>>) -> Self {
        Fault(Box::new(Spot {
            offset,
            message: message.into(),
            edit: None,
        }))
    }

    /// The same error, with a repair that replaces `range` by `with`.
    pub fn repair(mut self, range: Range<usize>, with: impl Into<String>) -> Self {
        self.0.edit = Some(Replacement {
            range,
            with: with.into(),
        });
        self
    }
}

/// Maximum number of repairs in one suggestion. One is usual; a path with more errors than this was not nearly valid.
const REPAIRS: usize = 8;

/// Longer paths get no suggestion: each repair parses the whole path again.
const REPAIRABLE_LENGTH: usize = 4096;

/// Converts the first error of `text` to the public error. `parse` returns the first error of a text, if any; it runs
/// again after each repair, so that a suggestion is only made if it parses.
pub(super) fn explain(
    text: &str,
    first: Fault,
    parse: impl Fn(&str) -> Option<Fault>,
) -> PathError {
    let first = *first.0;
    let mut suggestion = None;
    if text.len() <= REPAIRABLE_LENGTH {
        let mut repaired = text.to_owned();
        let mut edit = first.edit;
        for _ in 0..REPAIRS {
            let Some(Replacement { range, with }) = edit else {
                break;
            };
            repaired.replace_range(range, &with);
            match parse(&repaired) {
                None => {
                    suggestion = Some(repaired);
                    break;
                }
                Some(next) => edit = next.0.edit,
            }
        }
    }
    PathError {
        offset: first.offset,
        message: first.message.into_owned(),
        suggestion,
    }
}
