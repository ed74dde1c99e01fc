//! Splits an input into blocks of whole lines.

use std::io::{self, Read};

use arrow_schema::ArrowError;
use memchr::memrchr;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads blocks of whole lines.
pub(crate) struct Blocks {
    source: Box<dyn Read + Send>,
    /// The start of a line, which belongs to the next block.
    rest: Vec<u8>,
    offset: u64,
    is_done: bool,
    block_bytes: usize,
    max_record: usize,
}

impl Blocks {
    pub fn new(source: Box<dyn Read + Send>, block_bytes: usize, max_record: usize) -> Self {
        Blocks {
            source,
            rest: Vec::new(),
            offset: 0,
            is_done: false,
            block_bytes,
            max_record,
        }
    }

    /// The next block and its offset; `None` at the end. Holds one block, or one line if that is longer.
    pub fn next(&mut self) -> Result<Option<(Vec<u8>, u64)>, ArrowError> {
        if self.is_done {
            return Ok(None);
        }
        let mut text = std::mem::take(&mut self.rest);
        loop {
            let wanted = self.block_bytes.saturating_sub(text.len());
            let wanted = wanted.max(self.block_bytes.div_ceil(2));
            let from = text.len();
            let read = (&mut self.source)
                .take(wanted as u64)
                .read_to_end(&mut text);
            let read = match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(ArrowError::from)?,
            };
            if self.offset == 0 && from < BYTE_ORDER_MARK.len() {
                self.skip_mark(&mut text);
            }
            if read < wanted {
                self.is_done = true;
                let offset = self.offset;
                return Ok((!text.is_empty()).then_some((text, offset)));
            }
            if let Some(last) = memrchr(b'\n', &text[from.min(text.len())..]) {
                let end = from.min(text.len()) + last + 1;
                self.rest.reserve(self.block_bytes + text.len() - end);
                self.rest.extend_from_slice(&text[end..]);
                text.truncate(end);
                let offset = self.offset;
                self.offset += end as u64;
                return Ok(Some((text, offset)));
            }
            if text.len() > self.max_record {
                self.is_done = true;
                let message = format!(
                    "the line at byte {} is longer than {} bytes",
                    self.offset, self.max_record
                );
                return Err(ArrowError::JsonError(message));
            }
        }
    }

    /// The whole input, and its offset.
    pub fn whole(&mut self) -> Result<(Vec<u8>, u64), ArrowError> {
        self.is_done = true;
        let mut text = Vec::new();
        let limit = u64::from(u32::MAX);
        (&mut self.source).take(limit).read_to_end(&mut text)?;
        if text.len() as u64 >= limit {
            let message = "the document has 4 GB or more".to_owned();
            return Err(ArrowError::JsonError(message));
        }
        self.skip_mark(&mut text);
        Ok((text, self.offset))
    }

    /// Removes a byte order mark from the start of the input.
    fn skip_mark(&mut self, text: &mut Vec<u8>) {
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
            self.offset = BYTE_ORDER_MARK.len() as u64;
        }
    }
}
