//! Patches: RFC 6902, a list of operations, and RFC 7396, a document to merge.
//!
//! ```text
//! patch ──► Document ──► Patch::parse        operations, checked         apply.rs ──┐
//!                    └─► MergePatch::parse   objects without duplicates  merge.rs ──┴─► Editor ──► the new text
//! ```
//!
//! A patch is checked before anything is edited, and each operation stores its position in the text of the patch. Applying a
//! patch to a document returns an [`Editor`](crate::edit::Editor), so every byte outside the changed values is kept.

mod apply;
mod error;
mod merge;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use crate::document::{Document, Node};
use crate::path::Path;
use crate::string::decode_key;
use crate::token::Kind;
pub use error::{PatchError, PatchErrorKind, PatchFailure, PatchFailureKind};
pub use merge::MergePatch;

/// A JSON Patch (RFC 6902): operations to be applied in order.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::patch::Patch;
///
/// let text = br#"[{"op": "replace", "path": "/port", "value": 8080}, {"op": "remove", "path": "/tags/0"}]"#;
/// let patch = Document::parse(text)?;
/// let patch = Patch::parse(&patch).unwrap();
///
/// let document = Document::parse(br#"{ "port":80, "tags": ["a", "b"] }"#)?;
/// let edited = patch.apply(&document).unwrap().finish();
/// assert_eq!(edited, br#"{ "port":8080, "tags": ["b"] }"#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Patch<'t> {
    operations: Vec<Operation<'t>>,
}

/// An operation of a [`Patch`].
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::patch::{OperationKind, Patch};
///
/// let patch = Document::parse(br#"[ {"op": "test", "path": "/a", "value": 1} ]"#)?;
/// let patch = Patch::parse(&patch).unwrap();
/// let operation = &patch.operations()[0];
/// assert_eq!((operation.kind(), operation.kind().name()), (OperationKind::Test, "test"));
/// assert_eq!((operation.pointer(), operation.span()), (&b"/a"[..], 2..42));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Operation<'t> {
    kind: OperationKind,
    pointer: Cow<'t, [u8]>,
    path: Path,
    from: Option<Path>,
    value: Option<&'t [u8]>,
    span: Range<usize>,
}

/// The kind of an [`Operation`].
///
/// ```
/// use jsonx_core::patch::OperationKind;
///
/// assert_eq!(OperationKind::Remove.name(), "remove");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationKind {
    /// Adds a member or inserts an element.
    Add,
    /// Removes a value.
    Remove,
    /// Replaces a value.
    Replace,
    /// Moves a value.
    Move,
    /// Copies a value.
    Copy,
    /// Compares a value: numbers by their exact value, strings decoded, objects in any order.
    Test,
}

impl OperationKind {
    const ALL: [OperationKind; 6] = [
        OperationKind::Add,
        OperationKind::Remove,
        OperationKind::Replace,
        OperationKind::Move,
        OperationKind::Copy,
        OperationKind::Test,
    ];

    /// Its name in a patch.
    ///
    /// ```
    /// assert_eq!(jsonx_core::patch::OperationKind::Copy.name(), "copy");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            OperationKind::Add => "add",
            OperationKind::Remove => "remove",
            OperationKind::Replace => "replace",
            OperationKind::Move => "move",
            OperationKind::Copy => "copy",
            OperationKind::Test => "test",
        }
    }

    fn has_value(self) -> bool {
        matches!(
            self,
            OperationKind::Add | OperationKind::Replace | OperationKind::Test
        )
    }

    fn has_from(self) -> bool {
        matches!(self, OperationKind::Move | OperationKind::Copy)
    }
}

impl Operation<'_> {
    /// Its kind.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::patch::{OperationKind, Patch};
    ///
    /// let patch = Document::parse(br#"[{"op": "remove", "path": ""}]"#)?;
    /// assert_eq!(Patch::parse(&patch).unwrap().operations()[0].kind(), OperationKind::Remove);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn kind(&self) -> OperationKind {
        self.kind
    }

    /// Its `path`, decoded: a JSON Pointer (RFC 6901).
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::patch::Patch;
    ///
    /// let patch = Document::parse(br#"[{"op": "remove", "path": "\/a~1b"}]"#)?;
    /// assert_eq!(Patch::parse(&patch).unwrap().operations()[0].pointer(), b"/a~1b");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn pointer(&self) -> &[u8] {
        &self.pointer
    }

    /// The JSON text of its `value`, if it has one.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::patch::Patch;
    ///
    /// let patch = Document::parse(br#"[{"op": "test", "path": "/a", "value": [1, 2]}]"#)?;
    /// assert_eq!(Patch::parse(&patch).unwrap().operations()[0].value(), Some(&b"[1, 2]"[..]));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn value(&self) -> Option<&[u8]> {
        self.value
    }

    /// Its span in the text of the patch.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::patch::Patch;
    ///
    /// let patch = Document::parse(br#"[{"op": "remove", "path": ""}]"#)?;
    /// assert_eq!(Patch::parse(&patch).unwrap().operations()[0].span(), 1..29);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

impl<'t> Patch<'t> {
    /// Reads a patch: an array of objects, each with an operation. Members unknown to RFC 6902 are ignored; a duplicate member
    /// is an error, and so is a `move` of a value into itself. Takes time proportional to the length of the text.
    ///
    /// # Errors
    ///
    /// The text is not a JSON Patch; the error has the position.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::patch::{Patch, PatchErrorKind};
    ///
    /// let patch = Document::parse(br#"[{"op": "add", "path": "/a"}]"#)?;
    /// let error = Patch::parse(&patch).unwrap_err();
    /// assert_eq!((error.kind, error.span), (PatchErrorKind::Missing("value"), 1..28));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn parse(patch: &Document<'t>) -> Result<Patch<'t>, PatchError> {
        let root = patch.root();
        if root.kind() != Kind::Array {
            return Err(PatchError::at(PatchErrorKind::NotArray, root));
        }
        let operations = root.elements().map(operation);
        Ok(Patch {
            operations: operations.collect::<Result<_, _>>()?,
        })
    }

    /// The operations, in order.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::patch::Patch;
    ///
    /// assert!(Patch::parse(&Document::parse(b"[]")?).unwrap().operations().is_empty());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn operations(&self) -> &[Operation<'t>] {
        &self.operations
    }
}

/// The members of an operation that have a meaning.
const MEMBERS: [&str; 4] = ["op", "path", "from", "value"];

fn operation<'t>(node: Node<'_, 't>) -> Result<Operation<'t>, PatchError> {
    if node.kind() != Kind::Object {
        return Err(PatchError::at(PatchErrorKind::NotObject, node));
    }
    let mut members = [None; MEMBERS.len()];
    for (key, value) in node.members() {
        let name = decode_key(key.string_content().unwrap_or_default());
        let Some(index) = MEMBERS
            .iter()
            .position(|member| member.as_bytes() == &*name)
        else {
            continue;
        };
        if members[index].replace(value).is_some() {
            return Err(PatchError::at(PatchErrorKind::Duplicate, key));
        }
    }
    let member = |index: usize| {
        members[index].ok_or(PatchError::at(
            PatchErrorKind::Missing(MEMBERS[index]),
            node,
        ))
    };
    let text = |index: usize| {
        let value = member(index)?;
        let content = value.string_content().map(decode_key);
        content.ok_or(PatchError::at(
            PatchErrorKind::NotString(MEMBERS[index]),
            value,
        ))
    };
    let pointer = |index: usize| {
        let text = text(index)?;
        let path = Path::pointer(&text);
        match (path, members[index]) {
            (Ok(path), _) => Ok((text, path)),
            (Err(_), value) => Err(PatchError::at(
                PatchErrorKind::Pointer,
                value.unwrap_or(node),
            )),
        }
    };
    let name = text(0)?;
    let is_named = |kind: &OperationKind| kind.name().as_bytes() == &*name;
    let kind = OperationKind::ALL.into_iter().find(is_named);
    let kind = kind.ok_or(PatchError::at(PatchErrorKind::Unknown, member(0)?))?;
    let (path_text, path) = pointer(1)?;
    let from = if kind.has_from() {
        Some(pointer(2)?)
    } else {
        None
    };
    let value = if kind.has_value() {
        Some(member(3)?.raw())
    } else {
        None
    };
    if let Some((from, _)) = &from
        && kind == OperationKind::Move
        && path_text
            .strip_prefix(&**from)
            .is_some_and(|rest| rest.starts_with(b"/"))
    {
        return Err(PatchError::at(PatchErrorKind::IntoItself, node));
    }
    Ok(Operation {
        kind,
        pointer: path_text,
        path,
        from: from.map(|(_, path)| path),
        value,
        span: node.span(),
    })
}
