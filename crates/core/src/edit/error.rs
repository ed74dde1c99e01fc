//! Why an edit was not made.

use std::fmt;

use crate::path::PathError;
use crate::syntax::SyntaxError;
use crate::token::Kind;

/// Why an edit was not made. The editor is then as it was before the edit.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::edit::EditError;
///
/// let document = Document::parse(br#"{"a": [1]}"#)?;
/// let error = document.edit().set("/b/c", "1").unwrap_err();
/// assert_eq!(error, EditError::Missing { steps: 0 });
/// assert_eq!(document.edit().set("/a/1", "2").unwrap_err(), EditError::PastEnd { steps: 1, length: 1 });
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The text is not a path.
    Path(PathError),
    /// The path may lead to several values.
    NotSingular,
    /// The new value is not JSON.
    Value(SyntaxError),
    /// There is no such value, or no value to add one to.
    Missing {
        /// How many steps of the path lead to a value.
        steps: usize,
    },
    /// The index is past the end of the array.
    PastEnd {
        /// How many steps of the path lead to the array.
        steps: usize,
        /// How many elements it has.
        length: usize,
    },
    /// The next step needs an object or an array, and there is something else.
    NotContainer {
        /// How many steps of the path lead to the value.
        steps: usize,
        /// What the value is.
        kind: Kind,
    },
    /// The value at the root cannot be removed or moved.
    Root,
    /// A value cannot be moved into itself.
    IntoItself,
    /// The value is not equal to the one that was expected.
    TestFailed,
    /// A comment is in the way: it belongs to several of the values that the edit concerns. Nothing was changed.
    Comment,
    /// The copies are larger than the limit.
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Comment => f.write_str("a comment is in the way of the edit"),
            EditError::Path(error) => error.fmt(f),
            EditError::NotSingular => f.write_str("the path may lead to several values"),
            EditError::Value(error) => write!(f, "the new value is not JSON: {error}"),
            EditError::Missing { steps: 1 } => f.write_str("the path leads nowhere after 1 step"),
            EditError::Missing { steps } => {
                write!(f, "the path leads nowhere after {steps} steps")
            }
            EditError::PastEnd { length: 1, .. } => {
                f.write_str("the index is past the end of an array of 1 element")
            }
            EditError::PastEnd { length, .. } => {
                write!(
                    f,
                    "the index is past the end of an array of {length} elements"
                )
            }
            EditError::NotContainer { kind, .. } => {
                let kind = match kind {
                    Kind::Null => "null",
                    Kind::Boolean => "a boolean",
                    Kind::Number => "a number",
                    Kind::String => "a string",
                    Kind::Array => "an array, which has no keys",
                    Kind::Object => "an object, which has no indices",
                };
                write!(f, "the path goes through {kind}")
            }
            EditError::Root => f.write_str("the whole document cannot be removed"),
            EditError::IntoItself => f.write_str("a value cannot be moved into itself"),
            EditError::TestFailed => f.write_str("the value is not the expected one"),
            EditError::TooLarge { limit } => {
                write!(f, "the copies are larger than {limit} bytes")
            }
        }
    }
}

impl std::error::Error for EditError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            EditError::Path(error) => Some(error),
            EditError::Value(error) => Some(error),
            _ => None,
        }
    }
}

impl From<EditError> for crate::Error {
    #[cold]
    fn from(error: EditError) -> Self {
        crate::Error::of(error)
    }
}
