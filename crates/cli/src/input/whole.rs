//! Reads inputs, and parts of files, into memory.

use std::io::{self, ErrorKind};

use super::{BYTE_ORDER_MARK, Consumed, Input, Source, Window};

impl Window<'_> {
    /// Appends the window to a text, and consumes it.
    pub fn append_to(&self, text: &mut Vec<u8>) -> Consumed {
        text.extend_from_slice(self.bytes());
        self.bytes().len().into()
    }
}

impl Input {
    /// All bytes from the current position on, with the byte-order mark.
    ///
    /// # Errors
    /// As [`Input::each_window`]; `FileTooLarge` for more than `limit` bytes.
    pub fn read_all(&mut self, limit: u64) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        if self.is_file() {
            let length = self.length().min(limit);
            text.reserve_exact(usize::try_from(length).unwrap_or(usize::MAX));
        }
        self.each_window(|window| -> io::Result<Consumed> {
            if window.offset() > 0 && text.is_empty() {
                text.extend_from_slice(BYTE_ORDER_MARK);
            }
            if (text.len() + window.bytes().len()) as u64 > limit {
                return Err(ErrorKind::FileTooLarge.into());
            }
            Ok(window.append_to(&mut text))
        })?;
        Ok(text)
    }

    /// Keeps the bytes of a stream that is read from now on, for [`Input::original`].
    pub fn keep(&mut self) {
        if let Source::Stream(_, prefix) = &mut self.source {
            prefix.retain_whole();
        }
    }

    /// All bytes of a file before any translation, or those of a stream that was kept and has been read; `None` if there are more
    /// than `limit`, or too many to keep.
    ///
    /// # Errors
    /// As [`Input::read_all`].
    pub fn original(&mut self, limit: usize) -> io::Result<Option<Vec<u8>>> {
        if let Some(text) = self.without_value() {
            return Ok(Some([self.byte_order_mark(), text].concat()));
        }
        match &mut self.source {
            Source::Stream(_, prefix) => Ok((!prefix.is_cut()).then(|| prefix.bytes().to_vec())),
            Source::Json5(text) => Ok(Some(text.translation.source().to_vec())),
            Source::File(_) | Source::Text(_) => match self.read_all(limit as u64) {
                Err(error) if error.kind() == ErrorKind::FileTooLarge => Ok(None),
                read => read.map(Some),
            },
        }
    }

    /// The bytes from `start` to `end` of a file in memory.
    ///
    /// # Errors
    /// As [`Input::each_window_of`].
    pub fn span(&mut self, start: u64, end: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.each_window_of(start, end, |window| {
            Ok::<_, io::Error>(window.append_to(&mut bytes))
        })?;
        Ok(bytes)
    }
}
