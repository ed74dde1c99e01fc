//! Text of a stream in a temporary file, so that it is read twice and not held in memory.

use std::io::{self, Write};
use std::sync::Arc;

use super::{BYTE_ORDER_MARK, Consumed, Input, RegularFile, Source, names_draft};
use crate::system;

impl Input {
    /// Copies the rest of a stream to a temporary file without a name, which is then the input.
    ///
    /// # Errors
    /// Errors of reading the stream, and of writing the file.
    pub fn spool(&mut self) -> io::Result<()> {
        let failed = |error: io::Error| {
            let reason = system::reason(&error);
            let text = format!("cannot copy it to the folder for temporary files: {reason}");
            io::Error::new(error.kind(), text)
        };
        let mut file = tempfile::tempfile().map_err(failed)?;
        let (mut size, mut of_schema) = (0, None);
        self.each_window(|window| -> io::Result<Consumed> {
            let bytes = window.bytes();
            of_schema.get_or_insert_with(|| names_draft(bytes));
            if size == 0 && window.offset() > 0 {
                file.write_all(BYTE_ORDER_MARK).map_err(failed)?;
            }
            file.write_all(bytes).map_err(failed)?;
            size = window.end();
            Ok(bytes.len().into())
        })?;
        self.source = Source::File(RegularFile {
            file: Arc::new(file),
            start: 0,
            size,
            has_mark: self.has_byte_order_mark,
            names_draft: of_schema == Some(true),
            begins_as_json: false,
            content: None,
        });
        (self.seen, self.ended) = (0, false);
        Ok(())
    }
}
