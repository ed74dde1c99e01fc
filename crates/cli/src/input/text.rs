//! Inputs that are in memory: small files, documents of an editor, and translations of JSON5.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use jsonx_diagnose::json5::Translation;

use super::window::{Consume, Consumed, Window};
use super::{BYTE_ORDER_MARK, Input, Name, Source};

impl Input {
    /// An input with this text and the name of the file at `path`.
    pub fn of_text(path: &Path, text: Arc<Vec<u8>>) -> Input {
        Input {
            has_byte_order_mark: text.starts_with(BYTE_ORDER_MARK),
            ..Input::new(Name::new(path), Source::Text(text))
        }
    }

    /// Replaces a text without a value by one that has a value.
    pub fn complete(&mut self, source: Vec<u8>, text: &[u8]) {
        let file = match &self.source {
            Source::File(file) => Some(file.file.clone()),
            _ => None,
        };
        let text = [self.byte_order_mark(), text].concat();
        self.source = Source::Text(Arc::new(text));
        self.completed = Some(Completed {
            source: Arc::new(source),
            file,
        });
    }

    /// The text, without a byte-order mark, of an input that was given a value.
    pub fn without_value(&self) -> Option<&[u8]> {
        Some(&self.completed.as_ref()?.source)
    }
}

/// The text of an input that was given a value, and its file.
#[derive(Clone)]
pub(super) struct Completed {
    source: Arc<Vec<u8>>,
    pub(super) file: Option<Arc<File>>,
}

/// Passes on the bytes in `range` in one window.
pub(super) fn windows(
    text: &[u8],
    translation: Option<&Translation>,
    range: Range<u64>,
    consume: &mut Consume<'_>,
) -> io::Result<()> {
    let within = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
    let known = &text[..within(range.end)];
    let mut from = within(range.start).min(known.len());
    loop {
        let Consumed { bytes, .. } = consume(&Window {
            from,
            translation,
            ..Window::of_file(known, 0, true)
        })?;
        from += bytes;
        if bytes == 0 || from >= known.len() {
            return Ok(());
        }
    }
}
