//! Edits with two paths: move and copy.

use super::editor::Editor;
use super::error::EditError;
use super::local::Written;
use super::step::EditStep;
use super::tree::Slot;
use crate::document::ToPath;

impl Editor<'_, '_> {
    /// Moves a value like `move` of RFC 6902: removes it from one position, then adds it at the other like
    /// [`insert`](Editor::insert). Its text is kept; its lines are indented to fit the new position. With another key in the same
    /// object, a member keeps its position.
    ///
    /// # Errors
    ///
    /// As [`insert`](Editor::insert) and [`delete`](Editor::delete); [`IntoItself`](EditError::IntoItself).
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": {"b": 1.50}, "c": 2}"#)?;
    /// assert_eq!(document.edit().relocate("/a/b", "/d")?.finish(), br#"{"a": {}, "c": 2, "d": 1.50}"#);
    /// assert_eq!(document.edit().relocate("/a", "/x")?.finish(), br#"{"x": {"b": 1.50}, "c": 2}"#);
    /// assert!(document.edit().relocate("/a", "/a/b/x").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn relocate(&mut self, from: impl ToPath, to: impl ToPath) -> Result<&mut Self, EditError> {
        let (from, to) = (self.target(&from)?, self.target(&to)?);
        let slot = self.find(&from)?;
        let moved = self.relocate_slot(slot, from.steps.last(), &to.steps);
        moved.map_err(|error| self.explained(error, &to))?;
        Ok(self)
    }

    /// Moves the value in a slot, which the step `from` selects.
    fn relocate_slot(
        &mut self,
        slot: Slot,
        from: Option<&EditStep>,
        to: &[EditStep],
    ) -> Result<(), EditError> {
        let (Slot::Child { container, at }, Some((last, parent))) = (slot, to.split_last()) else {
            return match slot == Slot::Root && to.is_empty() {
                true => Ok(()),
                false if slot == Slot::Root => Err(EditError::into_itself()),
                false => {
                    // To the root: replaces the document.
                    let text = self.text_of(slot);
                    self.set_root(&text)
                }
            };
        };
        if self.leads_into(to, slot)? {
            return Err(EditError::into_itself());
        }
        let existing = self.tree.find(to).ok();
        if existing == Some(slot) {
            return Ok(());
        }
        // All positions are found before anything changes, as if the value were removed.
        self.tree.pending_removal = Some((container, at));
        let place = self.place(parent, last);
        self.tree.pending_removal = None;
        let target = place?;
        let from = from.filter(|_| self.is_object(container));
        let last = Some(last).filter(|_| self.is_object(target.0));
        let keys = (
            from.and_then(|step| step.key.as_deref()),
            last.and_then(|step| step.key.as_deref()),
        );
        self.rope
            .relocate(&mut self.tree, (container, at), target, keys)
    }

    /// Copies a value like `copy` of RFC 6902.
    ///
    /// # Errors
    ///
    /// As [`insert`](Editor::insert); [`TooLarge`](EditError::TooLarge) when all copies together take more than the
    /// [limit](Editor::limit).
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::edit::EditError;
    ///
    /// let document = Document::parse(br#"{"a": [1]}"#)?;
    /// assert_eq!(document.edit().copy("/a", "/b")?.finish(), br#"{"a": [1], "b": [1]}"#);
    ///
    /// let mut editor = document.edit();
    /// let doubled = (0..40).try_for_each(|_| editor.copy("/a", "/a/-").map(drop));
    /// assert!(matches!(doubled, Err(EditError::TooLarge { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn copy(&mut self, from: impl ToPath, to: impl ToPath) -> Result<&mut Self, EditError> {
        let (from, to) = (self.target(&from)?, self.target(&to)?);
        let slot = self.find(&from)?;
        let copied = self.copy_slot(slot, &to.steps);
        copied.map_err(|error| self.explained(error, &to))?;
        Ok(self)
    }

    /// Copies the value in a slot.
    fn copy_slot(&mut self, slot: Slot, to: &[EditStep]) -> Result<(), EditError> {
        let length = self.span_of(slot).len();
        if length > self.limit - self.copied {
            return Err(EditError::TooLarge { limit: self.limit });
        }
        let text = self.text_of(slot);
        match to.split_last() {
            None => self.set_root(&text)?,
            Some((last, parent)) => {
                let target = self.place(parent, last)?;
                self.add_in(target, last, (&text, Written::Text))?;
            }
        }
        self.copied += length;
        Ok(())
    }

    fn set_root(&mut self, text: &[u8]) -> Result<(), EditError> {
        self.rope
            .set(&mut self.tree, Slot::Root, (text, Written::Exact))
    }

    /// Sets the maximum number of bytes of all copies together. The default is 256 MiB, or twice the length of the text if that
    /// is more.
    ///
    /// ```
    /// use jsonx_core::Document;
    ///
    /// let document = Document::parse(br#"{"a": "long text"}"#)?;
    /// assert!(document.edit().limit(10).copy("/a", "/b").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn limit(&mut self, bytes: usize) -> &mut Self {
        self.limit = bytes.max(self.copied);
        self
    }
}
