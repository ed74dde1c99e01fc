//! Errors of edits.

use std::fmt;

use crate::document::Stop;
use crate::path::{Path, PathError};
use crate::syntax::SyntaxError;
use crate::token::Kind;

/// The error of an edit. The editor is unchanged.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::edit::EditError;
///
/// let document = Document::parse(br#"{"a": [1]}"#)?;
/// let error = document.edit().set("/a/1", "2").unwrap_err();
/// assert!(matches!(error, EditError::PastEnd { steps: 1, length: 1, .. }));
/// assert_eq!(error.to_string(), "/a/1: /a has 1 element");
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
    /// An object has no such key.
    #[non_exhaustive]
    Missing {
        /// The path.
        path: Path,
        /// The number of its steps that lead to the object.
        steps: usize,
        /// The nearest key of the object, if the path was given as text.
        nearest: Option<Box<str>>,
    },
    /// The index is past the end of the array.
    #[non_exhaustive]
    PastEnd {
        /// The path.
        path: Path,
        /// The number of its steps that lead to the array.
        steps: usize,
        /// The number of its elements.
        length: usize,
    },
    /// The next step needs an object or an array, but finds another value.
    #[non_exhaustive]
    NotContainer {
        /// The path.
        path: Path,
        /// The number of its steps that exist.
        steps: usize,
        /// The kind of the value.
        kind: Kind,
    },
    /// The value at the root cannot be removed or moved.
    Root,
    /// A value cannot be moved into itself.
    #[non_exhaustive]
    IntoItself {
        /// The new path.
        path: Path,
    },
    /// The value is not equal to the expected one.
    #[non_exhaustive]
    TestFailed {
        /// The path.
        path: Path,
    },
    /// A comment blocks the edit, because it may belong to several of the values. Nothing was changed.
    Comment,
    /// The copies are larger than the limit.
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
}

/// Errors whose path is not known yet; [`on`](EditError::on) adds it.
impl EditError {
    pub(super) fn missing(steps: usize) -> EditError {
        EditError::Missing {
            path: Path::root(),
            steps,
            nearest: None,
        }
    }

    pub(super) fn past_end(steps: usize, length: usize) -> EditError {
        EditError::PastEnd {
            path: Path::root(),
            steps,
            length,
        }
    }

    pub(super) fn not_container(steps: usize, kind: Kind) -> EditError {
        EditError::NotContainer {
            path: Path::root(),
            steps,
            kind,
        }
    }

    pub(super) fn into_itself() -> EditError {
        EditError::IntoItself { path: Path::root() }
    }

    /// The value at this path is not the expected one.
    pub(crate) fn test_failed(path: &Path) -> EditError {
        EditError::TestFailed { path: path.clone() }
    }

    /// Adds the path to an error.
    pub(super) fn on(mut self, whole: &Path) -> EditError {
        if let EditError::Missing { path, .. }
        | EditError::PastEnd { path, .. }
        | EditError::NotContainer { path, .. }
        | EditError::IntoItself { path } = &mut self
        {
            *path = whole.clone();
        }
        self
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, steps, kind, length, nearest) = match self {
            EditError::Missing {
                path,
                steps,
                nearest,
            } => (path, *steps, Kind::Object, None, nearest.as_deref()),
            EditError::PastEnd {
                path,
                steps,
                length,
            } => (path, *steps, Kind::Array, Some(*length), None),
            EditError::NotContainer { path, steps, kind } => (path, *steps, *kind, None, None),
            EditError::Comment => return f.write_str("a comment blocks the edit"),
            EditError::Path(error) => return error.fmt(f),
            EditError::NotSingular => return f.write_str("the path may lead to several values"),
            EditError::Value(error) => return write!(f, "the new value is not JSON: {error}"),
            EditError::Root => return f.write_str("the whole document cannot be removed"),
            EditError::IntoItself { path } => {
                return write!(f, "{path}: a value cannot be moved into itself");
            }
            EditError::TestFailed { path } if path.segments().is_empty() => {
                return f.write_str("the root is not the expected value");
            }
            EditError::TestFailed { path } => {
                return write!(f, "{path}: the value is not the expected one");
            }
            EditError::TooLarge { limit } => {
                return write!(f, "the copies are larger than {limit} bytes");
            }
        };
        Stop {
            path,
            steps,
            kind,
            length,
            nearest,
        }
        .fmt(f)
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

crate::error::wrap! { EditError }
