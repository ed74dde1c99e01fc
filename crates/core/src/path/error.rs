//! What is wrong with the text of a path, and what would have been right.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Why a text is not a path: plain data, from which a caller draws its own message.
///
/// ```
/// let error = jsonx_core::path::Path::parse(".a[01]").unwrap_err();
/// assert_eq!(error.offset, 3);
/// assert_eq!(error.message, "an index has no leading zeros");
/// assert_eq!(error.suggestion.as_deref(), Some(".a[1]"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError {
    /// Bytes from the start of the path to the offending character, always at the edge of a
    /// character; the length of the path when something is missing at its end.
    pub offset: usize,
    /// What is wrong there: one sentence without a full stop. It may quote parts of the path, and
    /// never holds control characters.
    pub message: String,
    /// The nearest valid path, whole and ready to be typed; it always parses.
    pub suggestion: Option<String>,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PathError {}

/// The first error of a path, as its parser found it. In a box: the parsers of nested filters call
/// one another, and room for it in every frame would be half of the stack they take.
#[derive(Debug)]
pub(super) struct Fault(pub Box<Spot>);

/// What is wrong, where, and the edit that would repair this one spot.
#[derive(Debug)]
pub(super) struct Spot {
    pub offset: usize,
    pub message: Cow<'static, str>,
    pub edit: Option<Edit>,
}

/// Replaces `range` of the text by `with`.
#[derive(Debug)]
pub(super) struct Edit {
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

    /// The same error, repaired by putting `with` in the place of `range`.
    pub fn repair(mut self, range: Range<usize>, with: impl Into<String>) -> Self {
        self.0.edit = Some(Edit {
            range,
            with: with.into(),
        });
        self
    }
}

/// How many repairs a suggestion may be put together from. One is the rule; a path with more
/// mistakes than this was not nearly valid.
const REPAIRS: usize = 8;

/// Longer paths get no suggestion: each repair parses the whole path again.
const REPAIRABLE_LENGTH: usize = 4096;

/// Turns the first error of `text` into what the caller sees. `parse` says what is wrong with a
/// text, or nothing when it is a path; it is asked again after each repair, so that a suggestion is
/// made only of a text that parses.
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
            let Some(Edit { range, with }) = edit else {
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
