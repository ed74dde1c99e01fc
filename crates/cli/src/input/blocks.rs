//! Divides a fast stream into blocks for several threads.
//!
//! ```text
//! this thread   read 1   read 2   read 3   join 1   read 4   join 2 …
//! others                 work on 1  work on 2  work on 3 …
//! ```
//!
//! Blocks begin where the windows of [`Reader`] ended, and windows resume where the blocks end: at the end of the stream, when
//! its writer pauses, or when the join stops. So the end, pauses and errors are handled by the same code as without blocks. A
//! block is kept until the next one is joined, for the text of messages.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use jsonx_core::position::LineCounter;

use super::block::Block;
use super::bytes::Bytes;
use super::pace::Cut;
use super::read::{Reader, TAIL};
use super::{Buffers, Window};
use crate::threads::in_order;

/// Number of bytes before the next window that remain with [`Reader`].
const LEFT: usize = 64 << 10;

/// The places where a block may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    Anywhere,
    /// After a line feed. The first block begins a line if the next window does.
    AfterLines,
}

/// The blocks that messages may refer to.
pub(super) struct Held {
    /// The last joined block.
    before: Arc<Block>,
    /// Line and column of its first byte.
    lines: LineCounter,
    /// The block being joined.
    current: Arc<Block>,
    /// The lines of both, counted separately.
    counted: [LineCounter; 2],
}

impl Held {
    /// The offset in the input of the next byte.
    pub(super) fn end(&self) -> u64 {
        self.current.end()
    }

    /// Calls `look` with a window of the current block.
    pub(super) fn with_window<R>(&self, look: impl FnOnce(&Window<'_>) -> R) -> R {
        let (before, current) = (
            self.before.as_ref().as_ref(),
            self.current.as_ref().as_ref(),
        );
        look(&Window {
            held: &[before, current].concat(),
            held_offset: self.before.offset,
            from: before.len(),
            last: false,
            live: false,
            fast: false,
            lines: Some(&self.lines),
            translation: None,
        })
    }

    /// Adds the next block; removes and returns the one before the current one.
    fn push(&mut self, block: Arc<Block>, counted: LineCounter) -> Arc<Block> {
        let [before, current] = &mut self.counted;
        self.lines.append(self.before.as_ref().as_ref(), before);
        *before = std::mem::replace(current, counted);
        std::mem::replace(
            &mut self.before,
            std::mem::replace(&mut self.current, block),
        )
    }
}

impl Reader {
    /// Processes the blocks of a stream on several threads, and passes the results to `join` in order, on this thread, until it
    /// breaks, or the stream ends or pauses. The remaining bytes come in the next window. Does nothing if `may` is false.
    ///
    /// # Errors
    /// The first error of `join`, after which nothing can be read; errors of reading.
    pub(super) fn each_block<R: Send, E: From<io::Error>>(
        &mut self,
        ends: Ends,
        threads: NonZeroUsize,
        may: bool,
        work: impl Fn(&Arc<Block>) -> R + Sync,
        mut join: impl FnMut(&Held, R) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        self.pace.restart();
        // Such long lines need windows, which can grow.
        let is_long = self.filled - self.taken > Cut::FAST.length;
        if is_long || !may || self.is_unknown() {
            return Ok(());
        }
        let Some(lines) = self.lines.take() else {
            return Ok(());
        };
        let (before, rest) = self.buffer[..self.filled].split_at(self.taken);
        let block = |bytes: &[u8], offset| {
            Arc::new(Block {
                bytes: bytes.to_vec(),
                length: bytes.len(),
                offset,
            })
        };
        let at = self.offset + before.len() as u64;
        let mut held = Held {
            counted: [LineCounter::of_part(b""), LineCounter::of_part(before)],
            before: block(b"", self.offset),
            current: block(before, self.offset),
            lines,
        };
        let buffers = Buffers::default();
        let mut filling = Filling {
            from: &mut self.bytes,
            buffers: &buffers,
            ends,
            cut: self.cut,
            at,
            rest: rest.to_vec(),
            ended: Ok(false),
        };
        let stops = Cell::new(false);
        // The text after an error is in the next block.
        let read = RefCell::new(VecDeque::new());
        let blocks = std::iter::from_fn(|| match stops.get() {
            true => None,
            false => filling
                .next()
                .inspect(|block| read.borrow_mut().push_back(block.clone())),
        });
        let joined = in_order(
            threads,
            blocks,
            |block| {
                let counted = LineCounter::of_part(block.as_ref().as_ref());
                let done = work(&block);
                (block, counted, done)
            },
            |(block, counted, done)| {
                read.borrow_mut().pop_front();
                let over = held.push(block, counted);
                if let Some(block) = Arc::into_inner(over) {
                    buffers.put(block.bytes);
                }
                stops.set(stops.get() | join(&held, done)?.is_break());
                Ok::<_, E>(())
            },
        );
        let Filling { rest, ended, .. } = filling;
        // A block with an error was not consumed.
        if joined.is_ok() {
            let nothing = block(b"", held.end());
            held.push(nothing, LineCounter::of_part(b""));
        }
        self.taken = held.before.length;
        let read = read.into_inner();
        let next = match read.front() {
            Some(block) => &block.as_ref().as_ref()[..TAIL.min(block.length)],
            None => &rest[..],
        };
        let (before, current) = (held.before.as_ref(), held.current.as_ref());
        let dropped = self.taken.saturating_sub(LEFT);
        held.lines.feed_verified(&before.as_ref()[..dropped]);
        self.buffer.clear();
        for part in [&before.as_ref()[dropped..], current.as_ref(), next] {
            self.buffer.extend_from_slice(part);
        }
        self.taken -= dropped;
        self.filled = self.buffer.len();
        self.buffer.resize(self.filled.max(Reader::LONGEST), 0);
        self.offset = before.offset + dropped as u64;
        self.lines = Some(held.lines);
        self.keep_from = u64::MAX;
        joined?;
        self.ended = ended?;
        Ok(())
    }
}

/// Reads blocks.
struct Filling<'a> {
    from: &'a mut Bytes,
    buffers: &'a Buffers,
    ends: Ends,
    cut: Cut,
    /// Offset in the input of the next block.
    at: u64,
    /// Its first bytes, already read.
    rest: Vec<u8>,
    /// Whether the end was reached.
    ended: io::Result<bool>,
}

impl Filling<'_> {
    /// The next block; `None` if the rest must be read in windows.
    fn next(&mut self) -> Option<Arc<Block>> {
        let Cut {
            length, patience, ..
        } = self.cut;
        if !matches!(self.ended, Ok(false)) {
            return None;
        }
        let mut bytes = self.buffers.take();
        bytes
            .try_reserve_exact(length.saturating_sub(bytes.len()))
            .ok()?;
        bytes.resize(length, 0);
        let mut filled = self.rest.len().min(length);
        bytes[..filled].copy_from_slice(&self.rest[..filled]);
        self.rest.drain(..filled);
        let until = Instant::now() + patience;
        while filled < length {
            match self.from.read(&mut bytes[filled..], Some(until)) {
                Ok(read) if read > 0 => filled += read,
                Ok(_) => {
                    self.ended = Ok(true);
                    break;
                }
                Err(error) if error.kind() == ErrorKind::TimedOut => break,
                Err(error) => {
                    self.ended = Err(error);
                    break;
                }
            }
        }
        let taken = match self.ends {
            _ if filled < length => 0,
            Ends::Anywhere => filled,
            Ends::AfterLines => memchr::memrchr(b'\n', &bytes).map_or(0, |at| at + 1),
        };
        self.rest.splice(..0, bytes[taken..filled].iter().copied());
        let offset = self.at;
        self.at += taken as u64;
        (taken > 0).then(|| {
            Arc::new(Block {
                bytes,
                length: taken,
                offset,
            })
        })
    }
}
