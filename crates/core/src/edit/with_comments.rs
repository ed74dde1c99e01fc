//! Edits of a document with comments: each is found in a copy of the text without them, and made in the text itself, before the next.

use super::editor::Editor;
use super::error::EditError;
use super::splices::Splices;
use crate::document::Document;
use crate::jsonc::{Dialect, blank};
use crate::window::Options;

/// The text of such a document, as it is after the edits so far.
#[derive(Debug)]
pub(super) struct WithComments {
    pub(super) text: Vec<u8>,
    dialect: Dialect,
    dropped: Vec<String>,
}

impl WithComments {
    /// `None` for a document that has no comments.
    pub(super) fn of(document: &Document<'_>) -> Option<Box<WithComments>> {
        let dialect = document.dialect();
        dialect.allows_comments().then(|| {
            Box::new(WithComments {
                text: document.text().to_vec(),
                dialect,
                dropped: Vec::new(),
            })
        })
    }
}

impl Editor<'_, '_> {
    /// The comments that are gone with what was removed or replaced, of a document that was parsed with a
    /// [dialect](crate::engine::Options::dialect) that has them: those after a removed value on its line, and those inside of it. All others
    /// stay. Each edit of such a document takes a few passes over its text.
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
        let commented = self.commented.as_ref();
        commented.map_or(&[], |commented| &commented.dropped)
    }

    /// Makes an edit in the text with comments; `None` if the document has none.
    pub(super) fn in_commented<R>(
        &mut self,
        edit: impl FnOnce(&mut Editor<'_, '_>) -> Result<R, EditError>,
    ) -> Option<Result<R, EditError>> {
        let commented = self.commented.as_mut()?;
        let mut plain = commented.text.clone();
        let document = match blank(&mut plain, commented.dialect) {
            Ok(()) => Document::parse_with(&plain, Options::default().max_depth(u64::MAX)),
            Err(error) => Err(error),
        };
        let document = match document {
            Ok(document) => document,
            // The text was valid, and edits keep it so, unless one has nested it too deeply.
            Err(error) => return Some(Err(EditError::Value(error))),
        };
        let mut editor = document.edit();
        editor.limit = self.limit;
        editor.copied = self.copied;
        let edited = edit(&mut editor);
        self.copied = editor.copied;
        self.tree.duplicates |= editor.tree.duplicates;
        let splices = editor.splices();
        if edited.is_err() || splices.is_empty() {
            return Some(edited);
        }
        let Some(made) = splices.apply_commented(&commented.text, &plain, commented.dialect) else {
            return Some(Err(EditError::Comment));
        };
        commented.text = made.text;
        commented.dropped.extend(made.dropped);
        Some(edited)
    }

    /// The replacements in the text of the document.
    pub(super) fn commented_splices(&self) -> Option<Splices> {
        let commented = self.commented.as_ref()?;
        Some(Splices::between(self.tree.text(0), &commented.text))
    }
}
