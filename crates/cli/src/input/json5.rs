//! JSON5 inputs: read to the end and replaced by their translation.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use jsonx_diagnose::json5::Translation;

use super::{Input, Source};

/// Maximum length of a text in JSON5: the memory for its translation may be many times that.
const MAX_LENGTH: u64 = 16 << 20;

/// A JSON5 text in memory, and its file.
#[derive(Clone)]
pub(super) struct Translated {
    pub translation: Arc<Translation>,
    pub file: Option<Arc<File>>,
}

impl Input {
    /// Reads the input as JSON5: its readers get the translation. Positions refer to the file.
    ///
    /// # Errors
    /// Errors of reading; the text is too large.
    pub fn translated(mut self) -> io::Result<Input> {
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
        self.source = Source::Json5(Translated {
            file,
            translation: Arc::new(Translation::new(text)),
        });
        // It is white space there.
        self.has_byte_order_mark = false;
        (self.seen, self.ended) = (0, false);
        Ok(self)
    }

    /// The translation of an input in JSON5.
    pub fn json5(&self) -> Option<&Arc<Translation>> {
        match &self.source {
            Source::Json5(text) => Some(&text.translation),
            _ => None,
        }
    }
}
