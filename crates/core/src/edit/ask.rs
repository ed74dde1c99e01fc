//! Lookups in an edited document.

use std::borrow::Cow;
use std::ops::Range;

use super::editor::Editor;
use super::error::EditError;
use super::step::EditTarget;
use super::text::Text;
use super::tree::Slot;
use crate::document::{Document, ToPath, nearest_key};
use crate::path::Path;
use crate::window::Options;

/// Checks that a value is equal to another, and names the path if not.
///
/// # Errors
/// [`TestFailed`](EditError::TestFailed); one of them is not JSON.
pub(crate) fn equal(found: &[u8], expected: &[u8], path: &Path) -> Result<(), EditError> {
    if found == expected {
        return Ok(());
    }
    let index = |text| Document::index(text, Options::default()).map_err(EditError::Value);
    if index(found)?.root().equals(index(expected)?.root()) {
        Ok(())
    } else {
        Err(EditError::test_failed(path))
    }
}

impl Editor<'_, '_> {
    /// Checks that a value is equal to another by the rules of [`Node::equals`](crate::Node::equals): numbers by exact value,
    /// strings after decoding, objects in any order.
    ///
    /// # Errors
    ///
    /// [`TestFailed`](EditError::TestFailed); as [`replace`](Editor::replace).
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": 1.0}"#)?;
    /// assert!(document.edit().test("/a", "1").is_ok());
    /// assert!(document.edit().test("/a", "2").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn test(
        &mut self,
        path: impl ToPath,
        value: impl AsRef<[u8]>,
    ) -> Result<&mut Self, EditError> {
        let target = self.target(&path)?;
        let slot = self.find(&target)?;
        equal(&self.text_of(slot), value.as_ref(), &target.path)?;
        Ok(self)
    }

    /// The slot of the value that a path selects.
    ///
    /// # Errors
    /// A step of the path has no match.
    pub(super) fn find(&mut self, target: &EditTarget<'_>) -> Result<Slot, EditError> {
        let found = self.tree.find(&target.steps);
        found.map_err(|error| self.explained(error, target))
    }

    /// Adds the path to an error and, for a path given as text, the nearest key.
    #[cold]
    pub(super) fn explained(&mut self, error: EditError, target: &EditTarget<'_>) -> EditError {
        let error = error.on(&target.path);
        match &target.path {
            Cow::Owned(_) => self.suggested(error),
            // A compiled path may be used often.
            Cow::Borrowed(_) => error,
        }
    }

    /// Adds the nearest existing key to an error.
    pub(crate) fn suggested(&mut self, mut error: EditError) -> EditError {
        if let EditError::Missing {
            path,
            steps,
            nearest,
        } = &mut error
            && let Ok(EditTarget { steps: all, .. }) = EditTarget::new(&&*path)
            && let Some(key) = all.get(*steps).and_then(|step| step.key.as_deref())
            && let Ok(slot) = self.tree.find(&all[..*steps])
            && let Some(container) = self.tree.open(slot)
        {
            *nearest = nearest_key(key, self.tree.containers[container].keys.keys());
        }
        error
    }

    /// The current text of a value; see [`find`](crate::Node::find) for the original document.
    ///
    /// # Errors
    ///
    /// The path is invalid, or does not exist.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": 1}"#)?;
    /// let mut editor = document.edit();
    /// assert_eq!(editor.set("/a", "2")?.value("/a")?, b"2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&mut self, path: impl ToPath) -> Result<Vec<u8>, EditError> {
        let target = self.target(&path)?;
        let slot = self.find(&target)?;
        Ok(self.text_of(slot))
    }

    /// Whether any path since the last call passed through a duplicate key, of which the last one counts.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": 1, "a": 2}"#)?;
    /// let mut editor = document.edit();
    /// assert!(editor.set("/a", "3")?.take_duplicates());
    /// assert!(!editor.take_duplicates());
    /// assert_eq!(editor.finish(), br#"{"a": 1, "a": 3}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_duplicates(&mut self) -> bool {
        std::mem::take(&mut self.tree.duplicates)
    }

    /// The position in the document of the innermost existing value on a path: the value itself, or the last container on the
    /// way to it. Values created by edits are skipped; `None` if an edit has replaced the whole document.
    ///
    /// For messages: a failed edit returns the number of existing steps of its path, and this method returns their position.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::path::Path;
    ///
    /// let document = Document::parse(br#"{"a": {"b": 1}}"#)?;
    /// let mut editor = document.edit();
    /// let path = Path::parse("/a/c/d")?;
    /// assert!(editor.set("/x", "0")?.delete(&path).is_err());
    /// assert_eq!(editor.innermost(&path), Some(6..14));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn innermost(&mut self, path: &Path) -> Option<Range<usize>> {
        let steps = self.target(&path).ok()?.steps;
        let duplicates = self.tree.duplicates;
        let mut slot = Slot::Root;
        let mut span = self.tree.source_span(slot);
        for (depth, step) in steps.iter().enumerate() {
            let Some(container) = self.tree.open(slot) else {
                break;
            };
            let Ok(at) = self.tree.child(container, step, depth) else {
                break;
            };
            slot = Slot::Child { container, at };
            span = self.tree.source_span(slot).or(span);
        }
        self.tree.duplicates = duplicates;
        span
    }

    /// The comments that were removed with a removed or replaced value: those after it on its line, and those inside it. All
    /// other comments are kept. Only for documents parsed with a [dialect](crate::engine::Options::dialect) that has comments.
    ///
    /// ```
    /// use jsonx_core::jsonc::Dialect;
    /// use jsonx_core::engine::Options;
    /// use jsonx_core::Document;
    ///
    /// let text = b"{\n  \"a\": 1, // one\n  \"b\": 2, // two\n}\n";
    /// let document = Document::parse_with(text, Options::default().dialect(Dialect::Jsonc)).unwrap();
    /// let mut editor = document.edit();
    /// editor.delete(".a")?;
    /// assert_eq!(editor.finish(), b"{\n  \"b\": 2, // two\n}\n");
    /// assert_eq!(editor.dropped_comments(), ["// one"]);
    /// # Ok::<(), jsonx_core::edit::EditError>(())
    /// ```
    pub fn dropped_comments(&self) -> &[String] {
        &self.rope.dropped
    }

    /// The position in the current text of the value in a slot.
    pub(super) fn span_of(&self, slot: Slot) -> Range<usize> {
        let word = self.tree.word(slot);
        word.map_or(0..0, |word| self.rope.span(&self.tree, word))
    }

    /// The current text of the value in a slot, without comments.
    pub(super) fn text_of(&self, slot: Slot) -> Vec<u8> {
        self.rope.pieces.plain().copy(self.span_of(slot))
    }
}
