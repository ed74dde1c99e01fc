//! The text of a file that is not in memory: reads only the pages that edits need.

use std::cell::{Cell, RefCell};
use std::io;
use std::ops::Range;

use jsonx_core::edit::Text;

use crate::input::Spans;

/// Bytes read at once.
const PAGE: usize = 64 << 10;

/// A file that was verified, as a text whose bytes are read when they are needed.
pub struct FileText<'i> {
    pages: RefCell<Spans<'i>>,
    length: usize,
    /// The first read error; bytes are spaces from then on, and results are void.
    error: Cell<Option<io::Error>>,
}

impl<'i> FileText<'i> {
    /// The first `length` bytes of a file.
    pub fn new(file: Spans<'i>, length: usize) -> FileText<'i> {
        FileText {
            pages: RefCell::new(file),
            length,
            error: Cell::new(None),
        }
    }

    /// Returns the read error, if any.
    ///
    /// # Errors
    /// The read error.
    pub fn finish(self) -> io::Result<()> {
        self.error.into_inner().map_or(Ok(()), Err)
    }
}

impl Text for FileText<'_> {
    fn length(&self) -> usize {
        self.length
    }

    fn byte(&self, at: usize) -> u8 {
        let start = at - at % PAGE;
        let end = self.length.min(start + PAGE).max(start);
        match self.pages.borrow_mut().get(start as u64, end as u64) {
            Ok(page) => page.get(at - start).copied().unwrap_or(b' '),
            Err(error) => {
                let first = self.error.take();
                self.error.set(first.or(Some(error)));
                b' '
            }
        }
    }

    fn copy(&self, span: Range<usize>) -> Vec<u8> {
        span.map(|at| self.byte(at)).collect()
    }
}
