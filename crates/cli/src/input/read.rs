//! Reads input in chunks, if it cannot be mapped or if consumers need earlier bytes again.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jsonx_core::position::LineCounter;
use jsonx_msgpack::JsonOptions;

use super::bytes::Bytes;
use super::encoded::{Decoded, Detected, Encoding, Shared, detect_messagepack};
use super::random_access::read_at;
use super::window::{Consume, Window};
use super::{BLOCK, BYTE_ORDER_MARK, WHOLE};
use crate::system;

/// Number of bytes read at once, which stay in the L2 cache. Measured on 0.9 GB in the page cache (AVX-512, best of 12): 0.29
/// s; mapping takes 0.28 s.
const CHUNK: usize = 256 * 1024;

/// Minimum free space at the end of a large buffer that is worth a call: a pipe holds 64 KiB.
const SHORTEST_READ: usize = 64 * 1024;

/// Length of the buffer for a long input, and for the shortest.
const LENGTH: usize = TAIL + BLOCK + CHUNK;
const SHORTEST: usize = 1024;

/// Number of bytes kept before the window for the source line of a message.
pub const TAIL: usize = 4 * 1024;

/// Reads a file from front to back through one buffer:
///
/// ```text
///   buffer   │ tail, kept │ window, not consumed  │ free │
///            0            taken                   filled buffer.len()
/// ```
pub struct Reader {
    pub(super) bytes: Bytes,
    /// The offset of the next read in a file, whose position others may move; `None` for a stream.
    place: Option<u64>,
    pub(super) buffer: Vec<u8>,
    /// Offset in the input of `buffer[0]`.
    pub(super) offset: u64,
    pub(super) taken: usize,
    pub(super) filled: usize,
    pub(super) ended: bool,
    pub(super) keep_from: u64,
    /// Line and column of `buffer[0]`, for an input that cannot be read again.
    pub(super) lines: Option<LineCounter>,
    /// The writer may still add bytes.
    live: bool,
    /// Binary input, in which the writer may pause after any byte.
    binary: bool,
    /// The bytes are not JSON: a byte-order mark and record separators are part of the text.
    raw: bool,
    /// The timeout of each read, and the deadline of all reads.
    until: Option<(Duration, Instant)>,
    /// Timeout of a read in milliseconds without a byte; `u64::MAX` for none.
    idle_timeout: Arc<AtomicU64>,
    /// The encodings of a stream are known.
    is_examined: bool,
    compression: Option<Encoding>,
    /// The text is in MessagePack.
    is_messagepack: bool,
    messagepack: JsonOptions,
    /// Applied to the bytes of a text sequence before they are decoded.
    #[cfg(feature = "jq")]
    sequence_filter: Option<Filter>,
}

/// A source with other bytes.
#[cfg(feature = "jq")]
pub type Filter = Box<dyn FnOnce(Source) -> Source + Send>;

/// The bytes of an input.
type Source = Box<dyn Read + Send>;

impl Reader {
    /// Creates a reader of a regular file from `offset` on. `origin` is the file position of offset 0, which about `size` bytes
    /// follow.
    pub fn new(file: Arc<File>, origin: u64, offset: u64, size: u64) -> Reader {
        // A small file gets a small buffer; if its size is wrong (`/proc`), the buffer grows.
        let size = usize::try_from(size.saturating_sub(offset)).map_or(LENGTH, |size| {
            (size.min(LENGTH) + 1).next_multiple_of(BLOCK).min(LENGTH)
        });
        Reader {
            place: Some(origin + offset),
            offset,
            lines: None,
            live: false,
            is_examined: true,
            ..Reader::with_length(file, size.max(SHORTEST))
        }
    }

    /// Counts lines from here on.
    pub fn count_lines(&mut self) {
        self.lines = Some(LineCounter::new());
    }

    /// Creates a reader of a stream, which counts lines while reading.
    pub fn counting(file: File) -> Reader {
        system::grow_pipe(&file, CHUNK);
        Reader::shared(Arc::new(file))
    }

    /// The same for a file that others use too, but not its position.
    pub fn shared(file: Arc<File>) -> Reader {
        Reader::with_length(file, LENGTH)
    }

    fn with_length(file: Arc<File>, length: usize) -> Reader {
        Reader {
            bytes: Bytes::File(file),
            place: None,
            buffer: vec![0; length],
            offset: 0,
            taken: 0,
            filled: 0,
            ended: false,
            keep_from: u64::MAX,
            lines: Some(LineCounter::new()),
            live: true,
            binary: false,
            raw: false,
            until: None,
            idle_timeout: Arc::new(AtomicU64::new(u64::MAX)),
            is_examined: false,
            compression: None,
            is_messagepack: false,
            messagepack: JsonOptions::default(),
            #[cfg(feature = "jq")]
            sequence_filter: None,
        }
    }

    /// The bytes still in the buffer, the offset of the first one, and its line and column if counted.
    pub fn buffered(&self) -> (&[u8], u64, Option<&LineCounter>) {
        (
            &self.buffer[..self.filled],
            self.offset,
            self.lines.as_ref(),
        )
    }

    /// Makes a read fail with `TimedOut` if nothing arrives for this long or until this time, where the system supports it.
    pub fn set_timeouts(&mut self, silence: Duration, until: Instant) {
        self.until = Some((silence, until));
    }

    /// A setting: if nothing arrives for so many milliseconds, reading fails with `TimedOut`, where the system supports it. Reading
    /// can continue afterward. `u64::MAX` for no limit.
    pub fn idle_timeout(&self) -> Arc<AtomicU64> {
        self.idle_timeout.clone()
    }

    /// Goes back to the kept bytes at this offset.
    pub fn rewind(&mut self, offset: u64) {
        self.taken = (offset - self.offset) as usize;
    }

    /// Passes on bytes as soon as they arrive: binary input has no line ends, and values need none.
    #[cfg(feature = "jq")]
    pub fn set_binary(&mut self) {
        self.binary = true;
    }

    /// Passes on the bytes as they are, except that compressed data is decompressed; before any read.
    #[cfg(feature = "jq")]
    pub fn set_raw(&mut self) {
        self.raw = true;
    }

    /// Filters the bytes of a text sequence, before any read.
    #[cfg(feature = "jq")]
    pub fn set_sequence_filter(&mut self, filter: Filter) {
        self.sequence_filter = Some(filter);
    }

    /// Sets the encoding, which the first bytes show.
    pub fn set_encoding(&mut self, encoding: Encoding) {
        self.compression = Some(encoding);
    }

    /// The encoding of the text of the stream, known once its first bytes are read.
    pub fn encoding(&self) -> Option<Encoding> {
        match self.is_messagepack {
            true => Some(Encoding::MessagePack(self.messagepack)),
            false => self.compression,
        }
    }

    /// Sets how MessagePack is read, before any read, and if the stream `is` MessagePack in any case.
    pub fn set_messagepack(&mut self, is: bool, options: JsonOptions) {
        self.is_messagepack |= is;
        self.messagepack = options;
    }

    /// Examines the first bytes of a stream. Returns whether its encodings are known; if not, more bytes are needed.
    fn detect(&mut self) -> io::Result<bool> {
        let first = &self.buffer[..self.filled];
        match Encoding::detect(first) {
            _ if matches!(self.bytes, Bytes::Decoded(_)) => {}
            // It is a number in MessagePack.
            Detected::Encoded(Encoding::Sequence) if self.is_messagepack || self.raw => {}
            Detected::Encoded(encoding) => return self.decode(encoding).map(|()| false),
            Detected::Unknown if !self.ended => return Ok(false),
            Detected::Unknown | Detected::Text => {}
        }
        if !self.is_messagepack && !self.raw {
            let is_whole = self.ended && self.filled <= WHOLE as usize;
            match detect_messagepack(&first[..self.filled.min(WHOLE as usize)], is_whole) {
                Detected::Unknown => return Ok(false),
                detected => self.is_messagepack = detected != Detected::Text,
            }
        }
        if self.is_messagepack {
            self.decode(Encoding::MessagePack(self.messagepack))?;
        }
        self.is_examined = true;
        Ok(true)
    }

    /// Reads the text of an encoded stream from here on. The buffer holds the beginning of its data.
    fn decode(&mut self, encoding: Encoding) -> io::Result<()> {
        let first = Cursor::new(self.buffer[..self.filled].to_vec());
        let source: Source = match &mut self.bytes {
            Bytes::File(file) => Box::new(first.chain(Shared(file.clone()))),
            Bytes::Decoded(text) => Box::new(first.chain(std::mem::take(text))),
        };
        #[cfg(feature = "jq")]
        let source = match self.sequence_filter.take() {
            Some(filter) if encoding == Encoding::Sequence => filter(source),
            _ => source,
        };
        self.bytes = Bytes::Decoded(Decoded::new(encoding, source)?);
        (self.filled, self.ended) = (0, false);
        if !matches!(encoding, Encoding::MessagePack(_)) {
            self.compression = Some(encoding);
            self.is_examined = encoding == Encoding::Sequence;
        }
        Ok(())
    }

    /// Whether the end was reached.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Passes on windows up to the offset `to` or the end.
    ///
    /// # Errors
    /// Errors of `consume` and of reading.
    pub fn each_window(
        &mut self,
        to: u64,
        marked: &mut bool,
        consume: &mut Consume<'_>,
    ) -> io::Result<()> {
        loop {
            while !self.has_window() {
                self.read_more(to)?;
            }
            // What was decoded before a tear is passed on before the error.
            let torn = self.check_end().err();
            if torn.is_some() && !self.has_text() {
                return torn.map_or(Ok(()), Err);
            }
            if !self.raw
                && self.offset == 0
                && self.taken == 0
                && self.buffer[..self.filled].starts_with(BYTE_ORDER_MARK)
            {
                *marked = true;
                self.buffer
                    .copy_within(BYTE_ORDER_MARK.len()..self.filled, 0);
                self.filled -= BYTE_ORDER_MARK.len();
                self.offset = BYTE_ORDER_MARK.len() as u64;
                continue;
            }
            let window = Window {
                buffered: &self.buffer[..self.filled],
                buffered_offset: self.offset,
                from: self.taken,
                last: self.ended && torn.is_none(),
                live: self.live && !self.bytes.are_ready(),
                torn: torn.is_some(),
                lines: self.lines.as_ref(),
                translation: None,
            };
            let taken = consume(&window)?;
            let at_hand = self.filled - self.taken;
            debug_assert!(taken.bytes <= at_hand);
            if let (Some(error), true) = (torn, taken.bytes == at_hand || taken.bytes == 0) {
                return Err(error);
            }
            if self.ended && (taken.bytes == at_hand || taken.bytes == 0) {
                return Ok(());
            }
            self.taken += taken.bytes;
            self.keep_from = taken.keep_from;
            if !self.ended {
                self.read_more(to)?;
            }
        }
    }

    /// Whether the buffered text is worth checking. Complete lines are, because the next one may arrive much later.
    fn has_window(&self) -> bool {
        self.ended || self.has_text()
    }

    fn has_text(&self) -> bool {
        let waiting = &self.buffer[self.taken..self.filled];
        let is_at_start = self.offset == 0 && self.taken == 0;
        let is_worth_it = || match self.binary {
            // Waits for the end of a possible byte-order mark.
            true if is_at_start => !BYTE_ORDER_MARK.starts_with(waiting),
            true => !waiting.is_empty(),
            false => waiting.contains(&b'\n'),
        };
        waiting.len() >= BLOCK || self.live && is_worth_it()
    }

    /// Reads the first bytes of a stream.
    pub fn begin(&mut self) -> io::Result<()> {
        match self.is_examined {
            false => self.read_more(u64::MAX),
            true => Ok(()),
        }
    }

    /// Reads until something arrives or the end is reached.
    fn read_more(&mut self, to: u64) -> io::Result<()> {
        self.read_once(to)?;
        while !self.is_examined && !self.detect()? {
            self.read_once(to)?;
        }
        Ok(())
    }

    /// # Errors
    /// The end was reached because the data of an encoded stream is not complete.
    fn check_end(&self) -> io::Result<()> {
        match &self.bytes {
            Bytes::Decoded(text) if self.ended => text.check(),
            _ => Ok(()),
        }
    }

    fn read_once(&mut self, to: u64) -> io::Result<()> {
        if self.is_full() {
            self.make_room()?;
        }
        let wanted = usize::try_from(to - (self.offset + self.filled as u64)).unwrap_or(usize::MAX);
        let free = self.buffer.len().min(self.filled.saturating_add(wanted));
        let until = self.limit();
        let buffer = &mut self.buffer[self.filled..free];
        let read = match (self.place, &mut self.bytes) {
            (Some(place), Bytes::File(file)) => read_at(file, buffer, place)?,
            (_, bytes) => bytes.read(buffer, until)?,
        };
        self.filled += read;
        self.place = self.place.map(|place| place + read as u64);
        self.ended = read == 0;
        Ok(())
    }

    /// The deadline for the next byte.
    fn limit(&self) -> Option<Instant> {
        match (self.until, self.idle_timeout.load(Ordering::Relaxed)) {
            (Some((silence, until)), _) => Some(until.min(Instant::now() + silence)),
            (None, u64::MAX) => None,
            (None, pause) => Some(Instant::now() + Duration::from_millis(pause)),
        }
    }

    /// Drops bytes that are no longer needed; if that is not enough, grows the buffer.
    fn make_room(&mut self) -> io::Result<()> {
        let asked =
            usize::try_from(self.keep_from.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        let droppable = asked.min(self.taken.saturating_sub(TAIL));
        // Moving many kept bytes repeatedly for little free space would be quadratic.
        if droppable >= self.filled - droppable || self.filled - droppable <= TAIL + 2 * BLOCK {
            if let Some(lines) = &mut self.lines {
                // Dropped bytes have been consumed, and so verified.
                lines.feed_verified(&self.buffer[..droppable]);
            }
            self.buffer.copy_within(droppable..self.filled, 0);
            self.offset += droppable as u64;
            self.taken -= droppable;
            self.filled -= droppable;
        }
        if self.is_full() {
            let length = LENGTH.max(2 * self.buffer.len());
            self.buffer.reserve_exact(length - self.buffer.len());
            self.buffer.resize(length, 0);
        }
        Ok(())
    }

    /// Whether the free space is too short for a read.
    fn is_full(&self) -> bool {
        let shortest = if self.buffer.len() < LENGTH {
            1
        } else {
            SHORTEST_READ
        };
        self.buffer.len() - self.filled < shortest
    }
}

#[cfg(all(test, unix))]
mod tests;
