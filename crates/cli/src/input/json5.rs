//! JSON5 inputs: read to the end and replaced by their translation.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use jsonx_core::json5::Translation;
use jsonx_core::number::NonFinite;

use super::{Input, Source};

/// Maximum length of a text in JSON5: the memory for its translation may be many times that.
const MAX_LENGTH: u64 = 16 << 20;

/// A JSON5 text in memory, and its file.
#[derive(Clone)]
pub(super) struct Translated {
    pub translation: Arc<Translation>,
    pub file: Option<Arc<File>>,
    are_lines: bool,
}

impl Input {
    /// Reads the input as JSON5: its readers get the translation. Positions refer to the file. `lines` returns the translation of
    /// JSON Lines, if it is those.
    ///
    /// # Errors
    /// Errors of reading; the text is too large.
    pub fn translated(
        mut self,
        lines: impl FnOnce(&Translation) -> Option<Translation>,
    ) -> io::Result<Input> {
        let text = self
            .read_all(MAX_LENGTH)
            .map_err(|error| match error.kind() {
                ErrorKind::FileTooLarge => io::Error::other("too large: JSON5 is read up to 16 MB"),
                _ => error,
            })?;
        let file = match &self.source {
            Source::File(file) => Some(file.file.clone()),
            _ => None,
        };
        let translation = Translation::new(text);
        let records = lines(&translation);
        self.source = Source::Json5(Translated {
            file,
            are_lines: records.is_some(),
            translation: Arc::new(records.unwrap_or(translation)),
        });
        // It is white space there.
        self.has_byte_order_mark = false;
        (self.seen, self.ended) = (0, false);
        Ok(self)
    }

    /// Keeps `Infinity` and `NaN` in the translation of JSON Lines: their records are invalid, and the others can be printed.
    pub fn refuse_non_finite(&mut self) {
        if let Source::Json5(text) = &mut self.source
            && text.are_lines
            && !text.translation.non_finite().is_empty()
        {
            let source = text.translation.source().to_vec();
            text.translation = Arc::new(Translation::lines(source, NonFinite::Error));
        }
    }

    /// Whether the input is JSON Lines of JSON5, which are translated to JSON Lines.
    pub fn has_json5_lines(&self) -> bool {
        matches!(&self.source, Source::Json5(text) if text.are_lines)
    }

    /// The translation of an input in JSON5.
    pub fn json5(&self) -> Option<&Arc<Translation>> {
        match &self.source {
            Source::Json5(text) => Some(&text.translation),
            _ => None,
        }
    }
}
