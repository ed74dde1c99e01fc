//! The text of a file that is not in memory: reads only the pages that edits need.

use std::cell::{Cell, RefCell};
use std::io;
use std::ops::Range;

use jsonx_core::edit::Text;

use crate::input::RandomAccess;

/// Bytes read at once.
const PAGE: usize = 64 << 10;

/// A file that was verified, as a text whose bytes are read when they are needed.
pub struct FileText<'i> {
    file: RandomAccess<'i>,
    length: usize,
    page: RefCell<Page>,
    /// The first error of reading; from there on the bytes are spaces, and nothing that was found counts.
    error: Cell<Option<io::Error>>,
}

struct Page {
    number: usize,
    bytes: Vec<u8>,
}

impl<'i> FileText<'i> {
    /// The first `length` bytes of a file.
    pub fn of(file: RandomAccess<'i>, length: usize) -> FileText<'i> {
        let page = Page {
            number: usize::MAX,
            bytes: Vec::new(),
        };
        FileText {
            file,
            length,
            page: RefCell::new(page),
            error: Cell::new(None),
        }
    }

    /// The error of reading, if there was one.
    ///
    /// # Errors
    /// That one.
    pub fn finish(self) -> io::Result<()> {
        self.error.into_inner().map_or(Ok(()), Err)
    }

    fn read(&self, number: usize, page: &mut Page) {
        let start = number * PAGE;
        let length = PAGE.min(self.length.saturating_sub(start));
        page.number = number;
        page.bytes.clear();
        page.bytes.resize(length, b' ');
        let failed = match self.file.fill(&mut page.bytes, start as u64) {
            Ok(filled) if filled == length => return,
            Ok(_) => io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the file was cut short while it was being read",
            ),
            Err(error) => error,
        };
        page.bytes.fill(b' ');
        let first = self.error.take();
        self.error.set(first.or(Some(failed)));
    }
}

impl Text for FileText<'_> {
    fn length(&self) -> usize {
        self.length
    }

    fn byte(&self, at: usize) -> u8 {
        let page = &mut *self.page.borrow_mut();
        if page.number != at / PAGE {
            self.read(at / PAGE, page);
        }
        page.bytes.get(at % PAGE).copied().unwrap_or(b' ')
    }

    fn copy(&self, span: Range<usize>) -> Vec<u8> {
        span.map(|at| self.byte(at)).collect()
    }
}
