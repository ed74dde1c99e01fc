//! Input: files through a sliding window, everything else in chunks.
//!
//! A command receives [`Window`]s in order and returns the number of bytes it consumed; the rest is at the start of the next
//! window. No result depends on the boundaries of windows.
//!
//! | input | how | readable again |
//! |---|---|---|
//! | regular file from 128 MiB, with a spare core | [`read_ahead`]: a second thread reads | yes |
//! | regular file from 1 MiB | [`map`]: windows of 4 MiB, unmapped after use | yes |
//! | smaller, `/proc`, `/sys`, mapping failed | [`read`]: chunks of 256 KiB until a read returns nothing | yes |
//! | pipe, FIFO, terminal, device | [`read`], once; commands may retain bytes; [`blocks`] while it is fast | the first 4 MiB |

mod block;
mod blocks;
mod budget;
mod counts;
mod evidence;
mod excerpt;
mod lines;
#[cfg_attr(not(unix), path = "unmapped.rs")]
mod map;
mod name;
mod pace;
mod passage;
mod prefix;
mod random_access;
mod read;
mod read_ahead;
mod segments;
mod spans;
mod strategy;
mod whole;
mod window;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Seek};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jsonx_core::position::LineCounter;

use crate::system;
use crate::threads;
pub use block::Block;
pub use blocks::Ends;
pub use budget::MAX_EVIDENCE;
pub use counts::READ;
pub use evidence::{Evidence, Missing, ReadTimeouts};
pub use excerpt::Excerpt;
pub use name::Name;
use passage::Retained;
pub use prefix::HEAD;
use prefix::Prefix;
pub use random_access::{FileText, RandomAccess};
use read::Reader;
pub use segments::{Buffers, Segment, Segments};
pub use spans::Spans;
pub use strategy::{Strategy, Task, Text};
pub use window::{Consumed, Window};

/// The UTF-8 byte-order mark. It is not part of the text: offsets count it, columns do not.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Every window except the last has at least this many bytes (a block of the engine) or ends with a line feed.
pub const BLOCK: usize = 64;

/// Files from this size are mapped. Below it one or two `read` calls cost less than a mapping and its page faults.
const MAP_FROM: u64 = 1 << 20;

/// One input of a command.
pub struct Input {
    name: Name,
    source: Source,
    /// Standard output is redirected to the same file.
    is_stdout: bool,
    has_byte_order_mark: bool,
    /// End offset of the windows so far.
    seen: u64,
    /// The last window was consumed.
    ended: bool,
    /// Lines counted by a consumer, and the offset up to which they were counted.
    counted: Option<(u64, LineCounter)>,
    /// The text of a stream from its first finding on.
    retained: Retained,
}

enum Source {
    /// A regular file, which can be read again.
    File {
        file: Arc<File>,
        /// Where the input begins: not 0 if another process has already read from standard input.
        start: u64,
        /// Its length when opened. It determines how the file is read, but reading never relies on it.
        size: u64,
    },
    /// An input that can be read only once. Lines are counted while it is read.
    Stream(Box<Reader>, Prefix),
}

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// Errors of the system, and `IsADirectory`.
    pub fn open(path: &Path) -> io::Result<Input> {
        let name = Name::of(path);
        let file = if name.is_stdin() {
            system::stdin()?
        } else {
            File::open(path)?
        };
        READ.add_file();
        // A regular file without a position is treated as a stream.
        let regular = match (system::regular(&file)?, name.is_stdin()) {
            (Some(regular), true) => (&file).stream_position().ok().map(|start| (regular, start)),
            (regular, _) => regular.map(|regular| (regular, 0)),
        };
        let mut is_stdout = false;
        let source = match regular {
            Some((regular, start)) => {
                is_stdout = regular.is_stdout;
                Source::File {
                    file: Arc::new(file),
                    start,
                    size: regular.length.saturating_sub(start),
                }
            }
            None => Source::Stream(Box::new(Reader::counting(file)), Prefix::default()),
        };
        Ok(Input {
            name,
            source,
            is_stdout,
            has_byte_order_mark: false,
            seen: 0,
            ended: false,
            counted: None,
            retained: Retained::default(),
        })
    }

    /// Standard input, for tests the end of a pipe.
    #[cfg(all(test, unix))]
    pub fn of_stream(pipe: std::os::fd::OwnedFd) -> Input {
        Input {
            name: Name::Stdin,
            source: Source::Stream(
                Box::new(Reader::counting(File::from(pipe))),
                Prefix::default(),
            ),
            is_stdout: false,
            has_byte_order_mark: false,
            seen: 0,
            ended: false,
            counted: None,
            retained: Retained::default(),
        }
    }

    /// A stream that retains nothing, for tests: on this thread, or always in short blocks.
    #[cfg(all(test, unix))]
    pub fn of_blocks(pipe: std::os::fd::OwnedFd, blocks: Option<usize>) -> Input {
        use std::{num::NonZeroUsize, time::Duration};

        let cut = blocks.map(|length| pace::Cut {
            judged: (length, Duration::MAX),
            length,
            patience: Duration::from_secs(60),
            threads: NonZeroUsize::new(4),
        });
        let mut reader = Reader::counting(File::from(pipe));
        reader.cut = cut.unwrap_or(reader.cut);
        Input {
            source: Source::Stream(Box::new(reader), Prefix::nothing()),
            ..Input::of_stream(io::pipe().unwrap().0.into())
        }
    }

    /// Whether standard output is redirected to the same file.
    pub fn is_stdout(&self) -> bool {
        self.is_stdout
    }

    /// Records the lines before `offset`, so that a message need not count them again.
    pub fn note_lines(&mut self, offset: u64, lines: LineCounter) {
        self.counted = Some((offset, lines));
    }

    /// Sets the file name of the text on standard input.
    pub fn set_name(&mut self, path: &Path) {
        self.name = Name::of(path);
    }

    /// Its name in messages.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Whether the whole input can be read again.
    pub fn is_file(&self) -> bool {
        matches!(self.source, Source::File { .. })
    }

    /// The file, if it can be read again.
    pub fn file(&self) -> Option<&File> {
        match &self.source {
            Source::File { file, .. } => Some(file),
            Source::Stream(..) => None,
        }
    }

    /// The same file once more, to read other ranges meanwhile; `None` for an input that can be read only once.
    pub fn again(&self) -> Option<Input> {
        let Source::File { file, start, size } = &self.source else {
            return None;
        };
        Some(Input {
            name: self.name.clone(),
            source: Source::File {
                file: file.clone(),
                start: *start,
                size: *size,
            },
            is_stdout: self.is_stdout,
            has_byte_order_mark: self.has_byte_order_mark,
            seen: self.seen,
            ended: self.ended,
            counted: None,
            retained: Retained::default(),
        })
    }

    /// The file, for reads by several threads; `None` for an input that can be read only once.
    pub fn random_access(&self) -> Option<RandomAccess<'_>> {
        match &self.source {
            Source::File { file, start, .. } => Some(RandomAccess {
                file,
                origin: *start,
            }),
            Source::Stream(..) => None,
        }
    }

    /// Records whether a file starts with a byte-order mark, and returns the offset of the text.
    ///
    /// # Errors
    /// Errors of reading.
    pub fn skip_byte_order_mark(&mut self) -> io::Result<u64> {
        let mut first = [0; BYTE_ORDER_MARK.len()];
        let length = match self.random_access() {
            Some(file) => file.peek(&mut first, 0)?,
            None => 0,
        };
        self.has_byte_order_mark = first[..length] == *BYTE_ORDER_MARK;
        Ok(if self.has_byte_order_mark { 3 } else { 0 })
    }

    /// Records that a file was read up to `end` by other means.
    pub fn note_end(&mut self, end: u64) {
        self.seen = self.seen.max(end);
    }

    /// A switch for a stream: while it is set, reading fails with `TimedOut` if nothing arrives for a while. Reading can
    /// continue afterwards.
    pub fn idle_timeout(&mut self) -> Arc<AtomicBool> {
        match &mut self.source {
            Source::Stream(reader, _) => reader.idle_timeout(),
            Source::File { .. } => Arc::default(),
        }
    }

    /// Passes on the bytes of a stream as soon as they arrive; otherwise a window waits for 64 bytes or the end of a line.
    pub fn set_binary(&mut self) {
        if let Source::Stream(reader, _) = &mut self.source {
            reader.set_binary();
        }
    }

    /// Whether the text starts with a byte-order mark. Windows do not include it.
    pub fn has_byte_order_mark(&self) -> bool {
        self.has_byte_order_mark
    }

    /// The offset of the text: after the byte-order mark, if there is one.
    pub fn text_start(&self) -> u64 {
        match self.has_byte_order_mark {
            true => BYTE_ORDER_MARK.len() as u64,
            false => 0,
        }
    }

    /// Reads the bytes of a file from `offset` on, up to the length of `buffer`. Several threads may do this at once.
    ///
    /// # Errors
    /// Errors of the system; `Unsupported` for an input that cannot be read again.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self.random_access() {
            Some(file) => file.fill(buffer, offset),
            None => Err(ErrorKind::Unsupported.into()),
        }
    }

    /// Length of a file in bytes when it was opened, for choosing how to process it; 0 for a stream.
    pub fn size(&self) -> u64 {
        match &self.source {
            Source::File { size, .. } => *size,
            Source::Stream(..) => 0,
        }
    }

    /// How to work on it.
    pub fn strategy(&self, text: Text, task: Task) -> Strategy {
        let source = match &self.source {
            Source::File { size, .. } => strategy::Source::File(*size),
            Source::Stream(..) => strategy::Source::Stream,
        };
        strategy::choose(source, text, task, || self.threads())
    }

    /// How many threads may work on it.
    fn threads(&self) -> NonZeroUsize {
        match &self.source {
            Source::Stream(reader, _) => reader.cut.threads,
            Source::File { .. } => None,
        }
        .unwrap_or_else(threads::available)
    }

    /// Length of the input in bytes; for a stream, the number of bytes read.
    pub fn length(&self) -> u64 {
        match &self.source {
            Source::File { .. } if self.ended => self.seen,
            Source::File { file, start, .. } => file
                .metadata()
                .map_or(0, |metadata| metadata.len().saturating_sub(*start))
                .max(self.seen),
            Source::Stream(..) => self.seen,
        }
    }

    /// Passes the input to `consume` window by window. The end is where a read returns nothing, independent of the size. Stops
    /// at the first error of either side.
    ///
    /// # Errors
    /// Errors of `consume` and of the system; `UnexpectedEof` for a file that shrinks while it is read.
    pub fn each_window<E: From<io::Error>>(
        &mut self,
        mut consume: impl FnMut(&Window<'_>) -> Result<Consumed, E>,
    ) -> Result<(), E> {
        self.each_window_noting(|window| consume(window).map(|taken| (taken, None)))
    }

    /// Like [`Input::each_window`], but the consumer also returns the offset of its first finding, if any. The text from there
    /// on is retained for [`Input::passage`].
    ///
    /// # Errors
    /// As [`Input::each_window`].
    pub fn each_window_noting<E: From<io::Error>>(
        &mut self,
        consume: impl FnMut(&Window<'_>) -> Result<(Consumed, Option<u64>), E>,
    ) -> Result<(), E> {
        caught(consume, |consume| self.each_window_to(consume))
    }

    /// Implements [`Input::each_window_noting`], compiled once for all consumers.
    fn each_window_to(
        &mut self,
        consume: &mut Consume<'_, (Consumed, Option<u64>)>,
    ) -> io::Result<()> {
        let marked = &mut self.has_byte_order_mark;
        let seen = &mut self.seen;
        let retained = &mut self.retained;
        match &mut self.source {
            Source::File { file, start, size } => {
                let track = &mut |window: &Window<'_>| {
                    READ.add_bytes(window.end().saturating_sub(*seen));
                    *seen = window.end();
                    consume(window).map(|(taken, _)| taken)
                };
                file_windows(file, *start, *size, 0..u64::MAX, marked, track)?;
                self.ended = true;
                Ok(())
            }
            Source::Stream(reader, prefix) => reader.each_window(u64::MAX, marked, &mut |window| {
                READ.add_bytes(window.end().saturating_sub(*seen));
                *seen = window.end();
                let taken = consume(window);
                if let Ok((_, Some(offset))) = taken {
                    prefix.retain();
                    if !prefix.is_retained() {
                        retained.begin(window, offset);
                    }
                }
                prefix.push(window);
                retained.push(window);
                taken.map(|(taken, _)| taken)
            }),
        }
    }

    /// Works on the next blocks of a stream on so many threads, and passes the results to `join` in order, on this thread, until
    /// it breaks, or the stream ends, pauses or comes slowly. What is left, the end too, comes in windows. `join` also returns the
    /// offset of the first finding, as the consumer of [`Input::each_window_noting`] does.
    ///
    /// Does nothing if it is not worthwhile, or if the text so far may still be needed.
    ///
    /// # Errors
    /// Errors of `join` and of the system.
    pub fn each_block<R: Send, E: From<io::Error>>(
        &mut self,
        ends: Ends,
        threads: NonZeroUsize,
        work: impl Fn(&Arc<Block>) -> R + Sync,
        mut join: impl FnMut(R) -> Result<(ControlFlow<()>, Option<u64>), E>,
    ) -> Result<(), E> {
        let Source::Stream(reader, prefix) = &mut self.source else {
            return Ok(());
        };
        let (seen, retained) = (&mut self.seen, &mut self.retained);
        reader.each_block(ends, threads, prefix.is_cut(), work, |held, done| {
            READ.add_bytes(held.end().saturating_sub(*seen));
            *seen = held.end();
            let joined = join(done);
            let first = match &joined {
                Ok((_, first)) => first.filter(|_| !prefix.is_retained()),
                Err(_) => None,
            };
            if retained.may_change(first) {
                held.with_window(|window| {
                    if let Some(first) = first {
                        retained.begin(window, first);
                    }
                    retained.push(window);
                });
            }
            joined.map(|(flow, _)| flow)
        })
    }

    /// Like [`Input::each_window`], for the bytes from `start` to `end` of a file.
    ///
    /// # Errors
    /// As [`Input::each_window`]; `Unsupported` for an input that cannot be read again.
    pub fn each_window_of<E: From<io::Error>>(
        &mut self,
        start: u64,
        end: u64,
        consume: impl FnMut(&Window<'_>) -> Result<Consumed, E>,
    ) -> Result<(), E> {
        match &self.source {
            Source::File {
                file,
                start: origin,
                size,
            } => caught(consume, |consume| {
                file_windows(file, *origin, *size, start..end, &mut false, consume)
            }),
            Source::Stream(..) => Err(io::Error::from(ErrorKind::Unsupported).into()),
        }
    }

    /// Like [`Input::each_window`], but the consumer may look back at bytes that it asked to keep: files are then read in
    /// chunks, like pipes. With `places`, it may ask for [`Window::position`] of a file too.
    ///
    /// # Errors
    /// As [`Input::each_window`], and `OutOfMemory` if the bytes to keep do not fit into memory.
    pub fn each_chunk<E: From<io::Error>>(
        &mut self,
        places: bool,
        consume: impl FnMut(&Window<'_>) -> Result<Consumed, E>,
    ) -> Result<(), E> {
        match &mut self.source {
            Source::File { file, start, size } => {
                let mut reader = Reader::new(file.clone(), *start, 0, *size);
                if places {
                    reader.count_lines();
                }
                let marked = &mut self.has_byte_order_mark;
                caught(consume, |consume| {
                    reader.each_window(u64::MAX, marked, consume)
                })
            }
            Source::Stream(..) => self.each_window(consume),
        }
    }

    /// Line and column of the bytes at these ascending offsets in a file that has been checked.
    ///
    /// # Errors
    /// Errors of reading.
    pub fn positions(&mut self, offsets: &[u64]) -> io::Result<BTreeMap<u64, (u64, u64)>> {
        let mut places = BTreeMap::new();
        let Some(&last) = offsets.last() else {
            return Ok(places);
        };
        let content = self.skip_byte_order_mark()?;
        let mut lines = LineCounter::new();
        let mut offsets = offsets.iter().copied().peekable();
        self.each_window_of(content, last + 1, |window| -> io::Result<Consumed> {
            let mut rest = window.bytes();
            let mut from = window.offset();
            while let Some(at) = offsets.next_if(|&at| at < window.end()) {
                let (between, next) = rest.split_at((at - from) as usize);
                lines.feed_verified(between);
                let position = lines.position(next);
                places.insert(at, (position.line, position.column));
                (rest, from) = (next, at);
            }
            lines.feed_verified(rest);
            Ok(window.bytes().len().into())
        })?;
        Ok(places)
    }

    /// The bytes from `start` to `end` of a stream, if all of them are still held.
    pub fn held(&self, start: u64, end: u64) -> Option<&[u8]> {
        let Source::Stream(reader, _) = &self.source else {
            return None;
        };
        let (held, offset, _) = reader.held();
        let at = |place: u64| usize::try_from(place.checked_sub(offset)?).ok();
        held.get(at(start)?..at(end)?)
    }
}

/// A consumer of windows. It signals its own errors as [`Stopped`], which [`caught`] replaces with the error itself.
type Consume<'c, T = Consumed> = dyn FnMut(&Window<'_>) -> io::Result<T> + 'c;

/// Stands for a consumer's error while it passes through code that is compiled once.
#[derive(Debug)]
struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the consumer stopped")
    }
}

impl Error for Stopped {}

/// Reads with a consumer whose errors are of any type, without compiling the readers for each of them.
fn caught<T, E: From<io::Error>>(
    mut consume: impl FnMut(&Window<'_>) -> Result<T, E>,
    read: impl FnOnce(&mut Consume<'_, T>) -> io::Result<()>,
) -> Result<(), E> {
    let mut stopped = None;
    let read = read(&mut |window| {
        consume(window).map_err(|error| {
            stopped = Some(error);
            io::Error::other(Stopped)
        })
    });
    let is_own = |error: &io::Error| error.get_ref().is_some_and(|inner| inner.is::<Stopped>());
    match (read, stopped) {
        (Err(error), Some(own)) if is_own(&error) => Err(own),
        // The file was truncated meanwhile, whatever the consumer returned.
        (read, _) => Ok(read?),
    }
}

/// Passes on windows over the bytes in `range` of a regular file, whose offset 0 is at `origin`, and which had `size` bytes
/// from there on when it was opened.
fn file_windows(
    file: &Arc<File>,
    origin: u64,
    size: u64,
    range: Range<u64>,
    marked: &mut bool,
    consume: &mut Consume<'_>,
) -> io::Result<()> {
    let Range { start, end: to } = range;
    let mut at = start;
    let length = size.min(to).saturating_sub(start);
    let chosen = strategy::choose(
        strategy::Source::File(length),
        Text::Values,
        Task::Windows,
        threads::available,
    );
    if chosen == Strategy::ReadAhead {
        match read_ahead::each_window(file, origin, at, to, marked, consume)? {
            Ended::Complete => return Ok(()),
            Ended::Fallback(offset) => at = offset,
        }
    }
    if length >= MAP_FROM {
        match map::each_window(file, origin, at, to, marked, consume)? {
            Ended::Complete => return Ok(()),
            Ended::Fallback(offset) => at = offset,
        }
    }
    Reader::new(file.clone(), origin, at, size).each_window(to, marked, consume)
}

/// How far a method of reading a file got.
enum Ended {
    /// Every byte was consumed.
    Complete,
    /// The method does not work; nothing from this offset on was consumed.
    Fallback(u64),
}

/// Removes a byte-order mark from the bytes at the offset `at` of a file, and records it.
fn skip_mark<'a>(bytes: &'a [u8], at: &mut u64, marked: &mut bool) -> &'a [u8] {
    match bytes.strip_prefix(BYTE_ORDER_MARK) {
        Some(text) if *at == 0 => {
            *marked = true;
            *at = BYTE_ORDER_MARK.len() as u64;
            text
        }
        _ => bytes,
    }
}

/// The error of a file that has become shorter.
pub fn truncated() -> io::Error {
    io::Error::new(
        ErrorKind::UnexpectedEof,
        "the file was cut short while it was being read",
    )
}
