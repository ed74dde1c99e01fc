//! Applies the operations of a JSON Patch as edits.

use super::{Operation, OperationKind, Patch, PatchFailure, PatchFailureKind};
use crate::document::Document;
use crate::edit::{Editor, equal};
use crate::path::Path;

/// Minimum limit on the text that all tests of a patch compare, in bytes.
const TESTED: usize = 1 << 30;

impl Patch<'_> {
    /// Applies the operations in order, each to the result of the previous ones. The document itself does not change;
    /// [`Editor::finish`] returns the new text.
    ///
    /// An operation takes about as long as the edit of [`Editor`], a test the time to read both values. Memory is
    /// proportional to the edits.
    ///
    /// # Errors
    ///
    /// An operation cannot be applied, or a test fails: then nothing is changed. The size of copies is
    /// [limited](Editor::limit).
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::patch::Patch;
    ///
    /// let patch = Document::parse(br#"[{"op": "add", "path": "/a/-", "value": 2}, {"op": "remove", "path": "/b"}]"#)?;
    /// let document = Document::parse(br#"{"a": [1]}"#)?;
    /// let failure = Patch::parse(&patch).unwrap().apply(&document).unwrap_err();
    /// assert_eq!(failure.to_string(), "operation 2: /b: the root has no key `b`");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn apply<'d, 't>(
        &self,
        document: &'d Document<'t>,
    ) -> Result<Editor<'d, 't>, PatchFailure> {
        let mut editor = document.edit();
        let mut tested = TESTED.max(document.text().len().saturating_mul(16));
        for (number, operation) in self.operations.iter().enumerate() {
            make(&mut editor, operation, &mut tested).map_err(|kind| {
                let kind = match kind {
                    PatchFailureKind::Edit(error) => {
                        PatchFailureKind::Edit(editor.suggested(error))
                    }
                    other => other,
                };
                let path = operation.place(&mut editor).clone();
                PatchFailure {
                    operation: number,
                    kind,
                    span: editor.innermost(&path),
                    path,
                }
            })?;
        }
        Ok(editor)
    }
}

impl Operation<'_> {
    /// The path of a failure: `from`, unless it selects a value.
    fn place(&self, editor: &mut Editor<'_, '_>) -> &Path {
        let from = self.from.as_ref();
        from.filter(|from| editor.value(*from).is_err())
            .unwrap_or(&self.path)
    }
}

fn make(
    editor: &mut Editor<'_, '_>,
    operation: &Operation<'_>,
    tested: &mut usize,
) -> Result<(), PatchFailureKind> {
    let (path, value) = (&operation.path, operation.value.unwrap_or(b"null"));
    let from = operation.from.as_ref().unwrap_or(path);
    let made = match operation.kind {
        OperationKind::Add => editor.insert(path, value).map(drop),
        OperationKind::Remove => editor.delete(path).map(drop),
        OperationKind::Replace => editor.replace(path, value).map(drop),
        OperationKind::Move => editor.relocate(from, path).map(drop),
        OperationKind::Copy => editor.copy(from, path).map(drop),
        OperationKind::Test => {
            let found = editor.value(path).map_err(PatchFailureKind::Edit)?;
            let length = found.len().saturating_add(value.len());
            *tested = tested
                .checked_sub(length)
                .ok_or(PatchFailureKind::TooMuchTested)?;
            equal(&found, value, path)
        }
    };
    made.map_err(PatchFailureKind::Edit)
}
