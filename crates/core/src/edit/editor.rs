//! Applies edits to a document, one after another.

use std::ops::Range;

use super::error::EditError;
use super::local::Action;
use super::options::SetOptions;
use super::rope::Rope;
use super::step::{EditStep, EditTarget, parents};
use super::text::{Text, verified};
use super::tree::Tree;
use crate::document::{Document, ToPath};
use crate::splice::Splices;

/// Minimum limit on the size of all copies together, in bytes.
const COPIED: usize = 256 << 20;

/// Edits a [`Document`]. Each edit applies to the result of the previous ones.
///
/// Only the bytes of a changed value change, or those of an added or removed member and its comma. The white space of new text
/// is copied from the nearest sibling. A new scalar is written as given, a new array or object in the layout of its siblings.
/// An edit that fails changes nothing.
///
/// A path is a [`Path`](crate::Path), or its text in any [notation](crate::path::Notation), and selects one value; `-` in a
/// JSON Pointer is the position after the last element. [`Path::key`](crate::Path::key) builds a path from any key. Of
/// duplicate keys, `set` changes the last one, and `delete` removes all.
///
/// The children of each container on the path of an edit are listed once, with 16 bytes per child; everything else remains a
/// span of the text. The first edit takes a step for each child of the containers on its path; later edits take a few (a search
/// among the keys of an object, one step per thousand elements of an array).
///
/// ```
/// use jsonx_core::Document;
///
/// let text = br#"{
///   "name": "demo",
///   "tags": ["a"],
///   "port": 80
/// }
/// "#;
/// let document = Document::parse(text)?;
/// let edited = document.edit().set(".port", "8080")?.append(".tags", r#""b""#)?.delete("/name")?.finish();
/// let expected = br#"{
///   "tags": ["a", "b"],
///   "port": 8080
/// }
/// "#;
/// assert_eq!(edited, expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Editor<'d, 't> {
    pub(super) tree: Tree<'d, 't>,
    /// The size of all copies so far, and its limit.
    pub(super) copied: usize,
    pub(super) limit: usize,
    /// The text.
    pub(super) rope: Rope<'d>,
    /// The text has changed elsewhere than in the tree.
    is_stale: bool,
}

impl<'t> Document<'t> {
    /// Starts editing: see [`Editor`]. The document itself does not change.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a":1}"#)?;
    /// assert_eq!(document.edit().set("/b", "[true]")?.finish(), br#"{"a":1,"b":[true]}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit(&self) -> Editor<'_, 't> {
        Editor {
            tree: Tree::new(self),
            copied: 0,
            limit: COPIED.max(self.text().len().saturating_mul(2)),
            rope: Rope::new(self),
            is_stale: false,
        }
    }
}

impl Editor<'_, '_> {
    /// Sets a value: replaces an existing one, or adds the last key of the path as a new last member.
    ///
    /// # Errors
    ///
    /// The path is invalid, or part of it does not exist (the error names the part); `value` is not JSON.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": {"b": [1, 2]}}"#)?;
    /// let mut editor = document.edit();
    /// editor.set(".a.b.-1", "20")?.set("/a/b/-", "30")?.set("$.a.c", "null")?;
    /// assert_eq!(editor.finish(), br#"{"a": {"b": [1, 20, 30], "c": null}}"#);
    /// assert!(editor.set(".x.y", "1").is_err() && editor.set(".a", "nul").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(
        &mut self,
        path: impl ToPath,
        value: impl AsRef<[u8]>,
    ) -> Result<&mut Self, EditError> {
        self.set_with(path, value, SetOptions::default())
    }

    /// As [`set`](Editor::set), with options: create missing parents, or create nothing.
    ///
    /// # Errors
    ///
    /// As [`set`](Editor::set).
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::edit::SetOptions;
    ///
    /// let document = Document::parse(b"{}")?;
    /// let parents = SetOptions::default().parents(true);
    /// assert_eq!(document.edit().set_with(".a.b", "1", parents)?.finish(), br#"{"a": {"b": 1}}"#);
    /// assert!(document.edit().set(".a.b", "1").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_with(
        &mut self,
        path: impl ToPath,
        value: impl AsRef<[u8]>,
        options: SetOptions,
    ) -> Result<&mut Self, EditError> {
        let target = self.target(&path)?;
        let value = verified(value.as_ref())?;
        let set = match self.tree.find(&target.steps) {
            Ok(slot) => self.put(slot, value),
            Err(error) => self.create(&target.steps, value, options, error),
        };
        set.map_err(|error| self.explained(error, &target))?;
        Ok(self)
    }

    /// Adds a value at the end of a path that stopped at its last step or, with `parents`, earlier. `error` has the position, and
    /// is returned if nothing can be added there.
    fn create(
        &mut self,
        steps: &[EditStep],
        value: &[u8],
        options: SetOptions,
        error: EditError,
    ) -> Result<(), EditError> {
        let depth = match error {
            EditError::Missing { steps, .. } => Some(steps),
            EditError::PastEnd { steps: depth, .. } if steps[depth].is_end => Some(depth),
            _ => None,
        };
        let is_allowed =
            |&depth: &usize| !options.existing && (depth + 1 == steps.len() || options.parents);
        let Some(depth) = depth.filter(is_allowed) else {
            return Err(error);
        };
        let text = parents(&steps[depth + 1..], value).ok_or(error)?;
        self.add_at(&steps[..=depth], &text)
    }

    /// Replaces an existing value.
    ///
    /// # Errors
    ///
    /// As [`set`](Editor::set); also if the value does not exist.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": 1.0}"#)?;
    /// assert_eq!(document.edit().replace("/a", "1.10")?.finish(), br#"{"a": 1.10}"#);
    /// assert!(document.edit().replace("/b", "1").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace(
        &mut self,
        path: impl ToPath,
        value: impl AsRef<[u8]>,
    ) -> Result<&mut Self, EditError> {
        let options = SetOptions::default().existing(true);
        self.set_with(path, value, options)
    }

    /// Adds a value like `add` of RFC 6902: in an array before the element at an index, which may be the length; in an object
    /// as a member, replacing an existing value.
    ///
    /// # Errors
    ///
    /// As [`set`](Editor::set).
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": [1, 2]}"#)?;
    /// let mut editor = document.edit();
    /// editor.insert("/a/0", "0")?.insert("/a/3", "3")?.insert("/a/-", "4")?.insert("/b", "{}")?;
    /// assert_eq!(editor.finish(), br#"{"a": [0, 1, 2, 3, 4], "b": {}}"#);
    /// assert!(editor.insert("/a/9", "9").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(
        &mut self,
        path: impl ToPath,
        value: impl AsRef<[u8]>,
    ) -> Result<&mut Self, EditError> {
        let target = self.target(&path)?;
        let added = self.add_at(&target.steps, verified(value.as_ref())?);
        added.map_err(|error| self.explained(error, &target))?;
        Ok(self)
    }

    /// Adds a value to the end of an array.
    ///
    /// # Errors
    ///
    /// As [`set`](Editor::set); [`NotContainer`](EditError::NotContainer) if the value is not an array.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": []}"#)?;
    /// assert_eq!(document.edit().append("/a", "1")?.append("/a", "2")?.finish(), br#"{"a": [1, 2]}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(
        &mut self,
        path: impl ToPath,
        value: impl AsRef<[u8]>,
    ) -> Result<&mut Self, EditError> {
        let target = self.target(&path)?;
        let value = verified(value.as_ref())?;
        let slot = self.find(&target)?;
        let appended = self.append_to(slot, target.steps.len(), value);
        appended.map_err(|error| self.explained(error, &target))?;
        Ok(self)
    }

    /// Removes a value with its key and a comma. All duplicates of a key are removed, because removing one would expose
    /// another.
    ///
    /// # Errors
    ///
    /// The path is invalid or does not exist; [`Root`](EditError::Root).
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": 1, "b": [2, 3], "a": 4}"#)?;
    /// assert_eq!(document.edit().delete(".a")?.delete(".b[0]")?.finish(), br#"{"b": [3]}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn delete(&mut self, path: impl ToPath) -> Result<&mut Self, EditError> {
        let target = self.target(&path)?;
        let slot = self.find(&target)?;
        self.remove(slot, target.steps.last())?;
        Ok(self)
    }

    /// Makes changes at spans of the [current text](Editor::plain): see [`Splices::at`].
    ///
    /// Later edits read the whole text again.
    ///
    /// # Errors
    ///
    /// As [`Splices::at`]; [`Comment`](EditError::Comment).
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::edit::Action;
    ///
    /// let document = Document::parse(b"[1, 2, 3]")?;
    /// let mut editor = document.edit();
    /// editor.change([(1..2, Action::Set(b"10")), (7..8, Action::Delete)])?.append("", "4")?;
    /// assert_eq!(editor.finish(), b"[10, 2, 4]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn change<'v>(
        &mut self,
        changes: impl IntoIterator<Item = (Range<usize>, Action<'v>)>,
    ) -> Result<&mut Self, EditError> {
        let splices = Splices::at(&self.plain(), changes)?;
        self.rope.make(&splices)?;
        self.is_stale |= !splices.is_empty();
        Ok(self)
    }

    /// The steps of a path, in a tree of the current text.
    pub(super) fn target<'p>(
        &mut self,
        path: &'p impl ToPath,
    ) -> Result<EditTarget<'p>, EditError> {
        if std::mem::take(&mut self.is_stale) {
            let all = 0..self.rope.pieces.length();
            self.tree.root = self.rope.kept(&mut self.tree, all)?;
        }
        EditTarget::new(path)
    }

    /// Sets whether removing a value also removes the comments directly above it: those on lines of their own without an empty
    /// line between. Comments above the first of several children are the header of the container, and stay, if no other child
    /// has comments and none follow the opening bracket. By default, all comments stay.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::engine::Options;
    /// use jsonx_core::jsonc::Dialect;
    ///
    /// let text = b"{\n  \"a\": 1,\n  // two\n  \"b\": 2\n}\n";
    /// let document = Document::parse_with(text, Options::default().dialect(Dialect::Jsonc))?;
    /// let mut editor = document.edit();
    /// editor.remove_comments_above(true).delete("/b")?;
    /// assert_eq!(editor.finish(), b"{\n  \"a\": 1\n}\n");
    /// assert_eq!(editor.dropped_comments(), ["// two"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_comments_above(&mut self, removes: bool) -> &mut Self {
        self.rope.options.removes_above = removes;
        self
    }

    /// The current text with spaces in place of its comments and trailing commas.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::edit::Text;
    ///
    /// let document = Document::parse(b"[1]")?;
    /// let mut editor = document.edit();
    /// assert_eq!(editor.append("", "2")?.plain().copy(0..6), b"[1, 2]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plain(&self) -> impl Text {
        self.rope.pieces.plain()
    }

    /// The new text. Takes the time of a copy.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(b" [1] \n")?;
    /// assert_eq!(document.edit().finish(), b" [1] \n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish(&self) -> Vec<u8> {
        self.rope.text()
    }

    /// The replacements in the text of the document, for a text that is not copied in memory.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(b"[1, 2, 3]")?;
    /// let splices = document.edit().set("/1", "20")?.splices();
    /// assert_eq!(splices.iter().next(), Some((4..5, &b"20"[..])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn splices(&self) -> Splices {
        self.rope.pieces.splices()
    }
}
