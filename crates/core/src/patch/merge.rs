//! JSON Merge Patch: RFC 7396.

use std::borrow::Cow;

use super::{PatchError, PatchErrorKind};
use crate::document::{Document, Node, ObjectMembers};
use crate::edit::{EditError, Editor, SetOptions, Slot};
use crate::path::Path;
use crate::string::decode_key;
use crate::token::Kind;

/// A JSON Merge Patch (RFC 7396): an object whose members replace those of a document; `null` removes a member. Any other value
/// replaces the document.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::patch::MergePatch;
///
/// let patch = Document::parse(br#"{"port": 8080, "debug": null, "log": {"level": "info", "file": null}}"#)?;
/// let patch = MergePatch::parse(&patch).unwrap();
/// let document = Document::parse(br#"{"debug":true, "port":80.0, "log":{}}"#)?;
/// let edited = patch.apply(&document).unwrap().finish();
/// assert_eq!(edited, br#"{"port":8080, "log":{"level":"info"}}"#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MergePatch<'p, 't> {
    patch: &'p Document<'t>,
}

impl<'p, 'q> MergePatch<'p, 'q> {
    /// Reads a patch. Takes time proportional to the length of the text.
    ///
    /// # Errors
    ///
    /// An object in it has duplicate keys.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::patch::{MergePatch, PatchErrorKind};
    ///
    /// let patch = Document::parse(br#"{"a": {"b": 1, "b": null}}"#)?;
    /// let error = MergePatch::parse(&patch).unwrap_err();
    /// assert_eq!((error.kind, error.span), (PatchErrorKind::Duplicate, 15..18));
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn parse(patch: &'p Document<'q>) -> Result<Self, PatchError> {
        let mut values = vec![patch.root()];
        while let Some(value) = values.pop() {
            let mut keys: Vec<(Cow<'_, [u8]>, Node<'_, '_>)> = value
                .members()
                .map(|(key, _)| (decoded(key), key))
                .collect();
            keys.sort_by(|(a, _), (b, _)| a.cmp(b));
            if let Some(pair) = keys.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(PatchError::at(PatchErrorKind::Duplicate, pair[1].1));
            }
            values.extend(value.members().map(|(_, value)| value));
        }
        Ok(MergePatch { patch })
    }

    /// Merges the patch into a document. Members keep their positions, and new ones come last, without the nulls in them. The
    /// document itself does not change; [`Editor::finish`] returns the new text.
    ///
    /// # Errors
    ///
    /// None known: a merge patch applies to every document.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::patch::MergePatch;
    ///
    /// let merged = |document: &[u8], patch: &[u8]| {
    ///     let patch = Document::parse(patch).unwrap();
    ///     let document = Document::parse(document).unwrap();
    ///     MergePatch::parse(&patch).unwrap().apply(&document).unwrap().finish()
    /// };
    /// assert_eq!(merged(br#"{"a": [1, 2]}"#, br#"{"a": [null]}"#), br#"{"a": [null]}"#);
    /// assert_eq!(merged(b"[1, 2]", br#"{"a": {"b": null}}"#), br#"{"a": {}}"#);
    /// assert_eq!(merged(b"{}", b"null"), b"null");
    /// ```
    pub fn apply<'d, 't>(&self, document: &'d Document<'t>) -> Result<Editor<'d, 't>, EditError> {
        let mut editor = document.edit();
        let (target, patch) = (document.root(), self.patch.root());
        if target.kind() != Kind::Object || patch.kind() != Kind::Object {
            let root = Path::of_segments(Vec::new());
            editor.set_with(&root, without_nulls(patch), SetOptions::default())?;
            return Ok(editor);
        }
        // Each object is found from its parent: a lookup by path per member would be quadratic in the depth.
        let mut open = vec![(Slot::Root, patch.members())];
        while let Some((slot, members)) = open.last_mut() {
            let slot = *slot;
            let Some((key, value)) = members.next() else {
                open.pop();
                continue;
            };
            let key = decoded(key);
            match editor.member(slot, &key) {
                Ok(member)
                    if value.kind() == Kind::Object && editor.kind(member) == Kind::Object =>
                {
                    open.push((member, value.members()));
                }
                Ok(_) if value.is_null() => editor.delete_member(slot, &key)?,
                Err(_) if value.is_null() => {}
                _ => editor.set_member(slot, &key, &without_nulls(value))?,
            }
        }
        Ok(editor)
    }
}

fn decoded<'t>(key: Node<'_, 't>) -> Cow<'t, [u8]> {
    decode_key(key.string_content().unwrap_or_default())
}

/// A value as merged into a missing one: without null members of objects; elements of arrays are kept.
fn without_nulls<'q>(value: Node<'_, 'q>) -> Cow<'q, [u8]> {
    if !has_null_members(value) {
        return Cow::Borrowed(value.raw());
    }
    let mut out = vec![b'{'];
    let mut open: Vec<ObjectMembers<'_, '_>> = vec![value.members()];
    let mut is_first = true;
    while let Some(members) = open.last_mut() {
        let Some((key, value)) = members.next() else {
            open.pop();
            out.push(b'}');
            is_first = false;
            continue;
        };
        if value.is_null() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            out.push(b',');
        }
        out.extend_from_slice(key.raw());
        out.push(b':');
        match value.kind() {
            Kind::Object => {
                out.push(b'{');
                open.push(value.members());
                is_first = true;
            }
            _ => out.extend_from_slice(value.raw()),
        }
    }
    Cow::Owned(out)
}

fn has_null_members(value: Node<'_, '_>) -> bool {
    let mut values = vec![value];
    while let Some(value) = values.pop() {
        for (_, value) in value.members() {
            if value.is_null() {
                return true;
            }
            values.push(value);
        }
    }
    false
}
