//! Errors of patches and of their operations.

use std::fmt;
use std::ops::Range;

use crate::document::Node;
use crate::edit::EditError;
use crate::path::Path;

/// The error of a text that is not a patch.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::patch::Patch;
///
/// let patch = Document::parse(br#"[{"op": "jump", "path": ""}]"#)?;
/// let error = Patch::parse(&patch).unwrap_err();
/// assert_eq!(error.to_string(), "no operation has this name");
/// assert_eq!(&patch.text()[error.span], br#""jump""#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PatchError {
    /// The kind of error.
    pub kind: PatchErrorKind,
    /// The span of the error in the text of the patch.
    pub span: Range<usize>,
}

impl PatchError {
    pub(super) fn at(kind: PatchErrorKind, node: Node<'_, '_>) -> PatchError {
        PatchError {
            kind,
            span: node.span(),
        }
    }
}

/// The kinds of [`PatchError`].
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::patch::{Patch, PatchErrorKind};
///
/// let patch = Document::parse(b"{}")?;
/// assert_eq!(Patch::parse(&patch).unwrap_err().kind, PatchErrorKind::NotArray);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchErrorKind {
    /// A JSON Patch is an array.
    NotArray,
    /// An operation is an object.
    NotObject,
    /// The operation has no member of this name.
    Missing(&'static str),
    /// The member of this name is not a string.
    NotString(&'static str),
    /// No operation has this name.
    Unknown,
    /// The string is not a JSON Pointer.
    Pointer,
    /// An object has this key twice.
    Duplicate,
    /// A value would be moved into itself.
    IntoItself,
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            PatchErrorKind::NotArray => f.write_str("a JSON Patch is an array of operations"),
            PatchErrorKind::NotObject => f.write_str("an operation is an object"),
            PatchErrorKind::Missing(name) => write!(f, "the operation has no `{name}`"),
            PatchErrorKind::NotString(name) => write!(f, "`{name}` must be a string"),
            PatchErrorKind::Unknown => f.write_str("no operation has this name"),
            PatchErrorKind::Pointer => f.write_str(
                "not a JSON Pointer: it is empty or begins with `/`, and a `~` in it is written `~0`",
            ),
            PatchErrorKind::Duplicate => f.write_str("a patch must not have duplicate keys"),
            PatchErrorKind::IntoItself => f.write_str("a value cannot be moved into itself"),
        }
    }
}

impl std::error::Error for PatchError {}

crate::error::wrap! { PatchError }

/// The error of applying a patch. No part of it was applied.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::edit::EditError;
/// use jsonx_core::patch::{Patch, PatchFailureKind};
///
/// let patch = Document::parse(br#"[{"op": "test", "path": "/a", "value": 2}]"#)?;
/// let document = Document::parse(br#"{"a": 1}"#)?;
/// let failure = Patch::parse(&patch).unwrap().apply(&document).unwrap_err();
/// assert_eq!(failure.to_string(), "operation 1: /a: the value is not the expected one");
/// assert!(matches!(failure.kind, PatchFailureKind::Edit(EditError::TestFailed { .. })));
/// assert_eq!(failure.span, Some(6..7));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PatchFailure {
    /// The index of the operation.
    pub operation: usize,
    /// The reason.
    pub kind: PatchFailureKind,
    /// The path with the error: `path` or `from` of the operation.
    pub path: Path,
    /// The value in the document that caused the error, or the innermost value around it; `None` if an earlier operation
    /// created it.
    pub span: Option<Range<usize>>,
}

/// The kinds of [`PatchFailure`].
///
/// ```
/// use jsonx_core::edit::EditError;
/// use jsonx_core::patch::PatchFailureKind;
///
/// assert_eq!(PatchFailureKind::Edit(EditError::Root).to_string(), EditError::Root.to_string());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchFailureKind {
    /// The edit is not possible.
    Edit(EditError),
    /// The tests of the patch compare too much text: more than 1 GiB, or sixteen times the document.
    TooMuchTested,
}

impl fmt::Display for PatchFailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatchFailureKind::Edit(error) => error.fmt(f),
            PatchFailureKind::TooMuchTested => {
                f.write_str("the tests of the patch compare too much text")
            }
        }
    }
}

impl fmt::Display for PatchFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {}: {}", self.operation + 1, self.kind)
    }
}

impl std::error::Error for PatchFailure {}

crate::error::wrap! { PatchFailure }
