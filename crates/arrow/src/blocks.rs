//! Splits an input into blocks of whole lines.

use std::io::{self, Read};

use arrow_schema::ArrowError;
use memchr::memrchr;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether a text is an array of objects or an empty array, and not JSON Lines; `None` if more of it is needed.
pub(crate) fn is_array(text: &[u8]) -> Option<bool> {
    if BYTE_ORDER_MARK.starts_with(text) {
        return None;
    }
    let mut first = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    match first.next()? {
        b'[' => Some(matches!(first.next()?, b'{' | b']')),
        _ => Some(false),
    }
}

/// Reads blocks of whole lines.
pub(crate) struct Blocks {
    source: Box<dyn Read + Send>,
    /// The start of a line, which belongs to the next block.
    rest: Vec<u8>,
    offset: u64,
    is_done: bool,
    /// Whether the input is an array, which is one block; unknown at its start.
    pub is_array: Option<bool>,
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
            is_array: None,
            block_bytes,
            max_record,
        }
    }

    /// The next block and its offset; `None` at the end. Holds one block, or one line if that is longer; all of an array.
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
            if self.is_array.is_none() {
                self.is_array = is_array(&text);
                match self.is_array {
                    Some(true) => return self.whole(text).map(Some),
                    None if read == wanted && text.len() <= self.max_record => continue,
                    _ => {}
                }
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

    /// The whole input from its start, which was read, and its offset.
    pub fn whole(&mut self, mut text: Vec<u8>) -> Result<(Vec<u8>, u64), ArrowError> {
        self.is_done = true;
        let limit = u64::from(u32::MAX);
        let rest = limit.saturating_sub(text.len() as u64);
        (&mut self.source).take(rest).read_to_end(&mut text)?;
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
