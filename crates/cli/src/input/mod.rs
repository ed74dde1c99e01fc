//! Input: files through a sliding window, everything else in chunks.
//!
//! A command receives [`Window`]s in order and returns the number of bytes it consumed; the rest is at the start of the next
//! window. No result depends on the boundaries of windows.
//!
//! | input | how | readable again |
//! |---|---|---|
//! | regular file from 128 MiB, with a spare core | [`read_ahead`]: a second thread reads | yes |
//! | regular file from 1 MiB | [`map`]: windows of 4 MiB, unmapped after use | yes |
//! | regular file up to 32 KiB | read whole when it is opened: one window | yes |
//! | of a size between, `/proc`, `/sys`, mapping failed | [`read`]: chunks of 256 KiB until a read returns nothing | yes |
//! | a text in JSON5 | [`json5`]: translated in memory | yes |
//! | compressed, MessagePack, or a text sequence | [`encoded`]: a second thread decodes | as of a pipe |
//! | a document of an editor | [`text`]: one window | yes |
//! | pipe, FIFO, terminal, device | [`read`], once; commands may retain bytes | the first 4 MiB |
//! | the same, copied to a temporary file | [`spool`] | yes |

mod budget;
mod bytes;
mod counts;
mod each_window;
mod encoded;
mod evidence;
mod excerpt;
mod in_source;
mod json5;
mod kind;
#[cfg_attr(not(unix), path = "unmapped.rs")]
mod map;
mod name;
mod passage;
mod prefix;
mod random_access;
mod read;
mod read_ahead;
mod segments;
mod spans;
mod spool;
mod strategy;
mod text;
mod whole;
mod window;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use jsonx_core::position::LineCounter;
use jsonx_diagnose::json5::Translation;
use jsonx_msgpack::JsonOptions;

use crate::system;
use crate::threads;
pub use budget::MAX_EVIDENCE;
pub use counts::READ;
use encoded::detect_messagepack;
pub use encoded::{Detected, Encoding, decompressed, invalid};
pub use evidence::{Evidence, Missing, ReadTimeouts};
pub use excerpt::Excerpt;
pub use in_source::in_source;
use json5::Translated;
pub use kind::InputKind;
pub use name::Name;
use passage::Retained;
pub use prefix::HEAD;
use prefix::Prefix;
pub use random_access::{FileText, RandomAccess};
#[cfg(feature = "jq")]
use read::Filter;
use read::Reader;
pub use segments::{Buffers, Segment, Segments};
pub use spans::Spans;
pub use strategy::{MAX_AROUND_ONE, Strategy, Task};
use text::Completed;
pub use window::{Consumed, Window};

/// The UTF-8 byte-order mark. It is not part of the text: offsets count it, columns do not.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Every window except the last has at least this many bytes (a block of the engine) or ends with a line feed.
pub const BLOCK: usize = 64;

/// Files from this size are mapped. Below it one or two `read` calls cost less than a mapping and its page faults.
const MAP_FROM: u64 = 1 << 20;

/// Bytes at the start of an input that are examined when it is opened.
const EXAMINED: usize = 1024;

/// Files up to this size are read whole when they are opened: for 20,000 files of a kilobyte with a finding each, five system calls
/// a file instead of nine.
const WHOLE: u64 = 32 << 10;

/// The maximum length in bytes of a text that is checked as a schema.
const LONGEST_SCHEMA: u64 = 16 << 20;

/// Whether a text names a draft of JSON Schema at its start.
fn names_draft(text: &[u8]) -> bool {
    let start = &text[..text.len().min(EXAMINED)];
    memchr::memmem::find(start, b"json-schema.org/").is_some()
}

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
    /// The text of a stream from its first finding on.
    retained: Retained,
    /// A text without a value that was given one.
    completed: Option<Completed>,
}

/// A regular file, as it was when it was opened.
#[derive(Clone)]
struct RegularFile {
    file: Arc<File>,
    /// The start of the input: not 0 if another process has already read from standard input.
    start: u64,
    /// Its length. It determines how the file is read, but reading never relies on it.
    size: u64,
    /// Whether it began with a byte-order mark.
    has_mark: bool,
    /// Whether it named a draft of JSON Schema at its start.
    names_draft: bool,
    /// Whether it began with an object, an array or a string of JSON, which are numbers in MessagePack.
    begins_as_json: bool,
    /// All of it, if it is small.
    content: Option<Arc<[u8]>>,
}

enum Source {
    /// A regular file, which can be read again.
    File(RegularFile),
    /// An input that can be read only once. Lines are counted while it is read.
    Stream(Box<Reader>, Prefix),
    /// A text in JSON5, in memory.
    Json5(Translated),
    /// A text in memory.
    Text(Arc<Vec<u8>>),
}

impl Source {
    /// All of it, if it is in memory, with the translation that it is.
    fn in_memory(&self) -> Option<(&[u8], Option<&Translation>)> {
        match self {
            Source::File(file) => Some((file.content.as_deref()?, None)),
            Source::Json5(text) => Some((text.translation.text(), Some(&*text.translation))),
            Source::Text(text) => Some((&text[..], None)),
            Source::Stream(..) => None,
        }
    }
}

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// Errors of the system, and `IsADirectory`.
    pub fn open(path: &Path) -> io::Result<Input> {
        Input::open_as(path, false)
    }

    /// The same for bytes that are not JSON, which are only decompressed.
    ///
    /// # Errors
    /// As [`Input::open`].
    #[cfg(feature = "jq")]
    pub fn open_raw(path: &Path) -> io::Result<Input> {
        let mut input = Input::open_as(path, true)?;
        if let Source::Stream(reader, _) = &mut input.source {
            reader.set_raw();
        }
        Ok(input)
    }

    /// Opens an input, with `is_stream` to read it only once.
    fn open_as(path: &Path, is_stream: bool) -> io::Result<Input> {
        let name = Name::new(path);
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
        let is_stdout;
        let source = match regular {
            Some((regular, start)) if !is_stream => {
                is_stdout = regular.is_stdout;
                let size = regular.length.saturating_sub(start);
                let length = match size {
                    ..=WHOLE => size as usize,
                    _ => EXAMINED,
                };
                let mut first = vec![0; length];
                let length = random_access::fill(&file, &mut first, start)?;
                first.truncate(length);
                match Encoding::detect(&first) {
                    Detected::Encoded(encoding) => {
                        let mut reader = Reader::counting(file);
                        reader.set_encoding(encoding);
                        Source::Stream(Box::new(reader), Prefix::default())
                    }
                    _ if detect_messagepack(&first, size <= WHOLE) != Detected::Text => {
                        let mut reader = Reader::counting(file);
                        reader.set_messagepack(true, JsonOptions::default());
                        Source::Stream(Box::new(reader), Prefix::default())
                    }
                    _ => Source::File(RegularFile {
                        file: Arc::new(file),
                        start,
                        size,
                        has_mark: first.starts_with(BYTE_ORDER_MARK),
                        names_draft: names_draft(&first),
                        begins_as_json: matches!(
                            first.trim_ascii_start(),
                            [b'{' | b'[' | b'"', ..]
                        ),
                        // A file of size 0 may still have content.
                        content: (1..=WHOLE).contains(&size).then(|| first.into()),
                    }),
                }
            }
            regular => {
                is_stdout = regular.is_some_and(|(regular, _)| regular.is_stdout);
                Source::Stream(Box::new(Reader::counting(file)), Prefix::default())
            }
        };
        Ok(Input {
            is_stdout,
            ..Input::new(name, source)
        })
    }

    fn new(name: Name, source: Source) -> Input {
        Input {
            name,
            source,
            is_stdout: false,
            has_byte_order_mark: false,
            seen: 0,
            ended: false,
            retained: Retained::default(),
            completed: None,
        }
    }

    /// Standard input or, in tests, the end of a pipe.
    #[cfg(all(test, unix))]
    pub fn of_stream(pipe: std::os::fd::OwnedFd) -> Input {
        let reader = Reader::counting(File::from(pipe));
        let source = Source::Stream(Box::new(reader), Prefix::default());
        Input::new(Name::Stdin, source)
    }

    /// Passes a pipe to `read`, to which another thread writes a text in chunks of these sizes.
    #[cfg(all(test, unix))]
    pub fn with_pipe<T>(text: &[u8], sizes: &[usize], read: impl FnOnce(Input) -> T) -> T {
        use std::io::Write;

        let (reader, mut writer) = io::pipe().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut rest = text;
                for &size in sizes.iter().cycle() {
                    let (now, later) = rest.split_at(size.min(rest.len()));
                    if rest.is_empty() || writer.write_all(now).is_err() {
                        break;
                    }
                    rest = later;
                }
            });
            read(Input::of_stream(reader.into()))
        })
    }

    /// Whether standard output is redirected to the same file.
    pub fn is_stdout(&self) -> bool {
        self.is_stdout
    }

    /// Its encoding, if detected by a read; reads then return the decoded text.
    pub fn encoding(&self) -> Option<Encoding> {
        match &self.source {
            Source::Stream(reader, _) => reader.encoding(),
            _ => None,
        }
    }

    /// Whether it is MessagePack, as far as that is known before a read.
    pub fn is_messagepack(&self) -> bool {
        matches!(self.encoding(), Some(Encoding::MessagePack(_)))
    }

    /// Whether it is a file that begins as JSON does, whatever its name.
    pub fn begins_as_json(&self) -> bool {
        matches!(&self.source, Source::File(file) if file.begins_as_json)
    }

    /// Sets how MessagePack is read, and whether the input `is` MessagePack in any case; nothing of it has been read.
    pub fn set_messagepack(&mut self, is: bool, options: JsonOptions) {
        if let Source::File(file) = &self.source
            && is
        {
            let reader = Reader::shared(file.file.clone());
            self.source = Source::Stream(Box::new(reader), Prefix::default());
        }
        if let Source::Stream(reader, _) = &mut self.source {
            reader.set_messagepack(is, options);
        }
    }

    /// Filters the bytes of a text sequence, of which nothing has been read.
    #[cfg(feature = "jq")]
    pub fn set_sequence_filter(&mut self, filter: Filter) {
        if let Source::Stream(reader, _) = &mut self.source {
            reader.set_sequence_filter(filter);
        }
    }

    /// Reads the first bytes of a stream, which show whether it is encoded.
    ///
    /// # Errors
    /// Errors of reading.
    pub fn detect(&mut self) -> io::Result<()> {
        match &mut self.source {
            Source::Stream(reader, _) => reader.begin(),
            _ => Ok(()),
        }
    }

    /// Sets the file name of the text on standard input.
    pub fn set_name(&mut self, path: &Path) {
        self.name = Name::new(path);
    }

    /// Its name in messages.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Whether the whole input can be read again.
    pub fn is_file(&self) -> bool {
        !matches!(self.source, Source::Stream(..))
    }

    /// The file, if it can be read again.
    pub fn file(&self) -> Option<&File> {
        match &self.source {
            Source::File(file) => Some(&file.file),
            Source::Json5(text) => text.file.as_deref(),
            Source::Text(_) => self.completed.as_ref()?.file.as_deref(),
            Source::Stream(..) => None,
        }
    }

    /// A second handle to the same file, to read other ranges meanwhile; `None` for an input that can be read only once.
    pub fn again(&self) -> Option<Input> {
        let source = match &self.source {
            Source::File(file) => Source::File(file.clone()),
            Source::Json5(text) => Source::Json5(text.clone()),
            Source::Text(text) => Source::Text(text.clone()),
            Source::Stream(..) => return None,
        };
        Some(Input {
            is_stdout: self.is_stdout,
            has_byte_order_mark: self.has_byte_order_mark,
            seen: self.seen,
            ended: self.ended,
            completed: self.completed.clone(),
            ..Input::new(self.name.clone(), source)
        })
    }

    /// The file, for reads by several threads; `None` for an input that can be read only once.
    pub fn random_access(&self) -> Option<RandomAccess<'_>> {
        match &self.source {
            Source::File(RegularFile { file, start, .. }) => Some(RandomAccess {
                file,
                origin: *start,
            }),
            Source::Stream(..) | Source::Json5(_) | Source::Text(_) => None,
        }
    }

    /// Records whether a file starts with a byte-order mark, and returns the offset of the text.
    pub fn skip_byte_order_mark(&mut self) -> u64 {
        if let Source::File(file) = &self.source {
            self.has_byte_order_mark = file.has_mark;
        }
        self.text_start()
    }

    /// Whether a text that can be read again may be a schema: it names a draft at its start and is not too long.
    pub fn names_draft(&self) -> bool {
        self.size() <= LONGEST_SCHEMA
            && match &self.source {
                Source::File(file) => file.names_draft,
                Source::Text(text) => names_draft(text),
                Source::Stream(..) | Source::Json5(_) => false,
            }
    }

    /// The text of a finished stream, if all of it is retained and it names a draft at its start.
    pub fn streamed_schema(&mut self) -> Option<Input> {
        let Source::Stream(_, prefix) = &mut self.source else {
            return None;
        };
        if prefix.is_cut() || !names_draft(prefix.bytes()) {
            return None;
        }
        let text = Source::Text(Arc::new(prefix.take()));
        Some(Input {
            is_stdout: self.is_stdout,
            has_byte_order_mark: self.has_byte_order_mark,
            ..Input::new(self.name.clone(), text)
        })
    }

    /// Records that a file was read up to `end` without [`Window`]s.
    pub fn note_end(&mut self, end: u64) {
        self.seen = self.seen.max(end);
    }

    /// A setting of a stream: see [`Reader::idle_timeout`].
    pub fn idle_timeout(&self) -> Option<Arc<AtomicU64>> {
        match &self.source {
            Source::Stream(reader, _) => Some(reader.idle_timeout()),
            _ => None,
        }
    }

    /// Passes on the bytes of a stream as soon as they arrive; otherwise a window waits for 64 bytes or the end of a line.
    #[cfg(feature = "jq")]
    pub fn set_binary(&mut self) {
        if let Source::Stream(reader, _) = &mut self.source {
            reader.set_binary();
        }
    }

    /// Whether the text starts with a byte-order mark. Windows do not include it.
    pub fn has_byte_order_mark(&self) -> bool {
        self.has_byte_order_mark
    }

    /// The byte-order mark with which the text starts, or nothing.
    pub fn byte_order_mark(&self) -> &'static [u8] {
        if self.has_byte_order_mark {
            BYTE_ORDER_MARK
        } else {
            &[]
        }
    }

    /// The offset of the text: after the byte-order mark, if there is one.
    pub fn text_start(&self) -> u64 {
        self.byte_order_mark().len() as u64
    }

    /// Length of a file in bytes when it was opened, for choosing how to process it; 0 for a stream.
    pub fn size(&self) -> u64 {
        match &self.source {
            Source::File(file) => file.size,
            Source::Json5(text) => text.translation.text().len() as u64,
            Source::Text(text) => text.len() as u64,
            Source::Stream(..) => 0,
        }
    }

    /// The strategy for it.
    pub fn strategy(&self, kind: InputKind, task: Task) -> Strategy {
        let source = match &self.source {
            Source::File(file) => strategy::SourceKind::File(file.size),
            Source::Stream(..) => strategy::SourceKind::Stream,
            // It is in memory.
            Source::Json5(_) | Source::Text(_) => return Strategy::Windows,
        };
        strategy::choose(source, kind, task, threads::available)
    }

    /// Length of the input in bytes; for a stream, the number of bytes read.
    pub fn length(&self) -> u64 {
        match &self.source {
            Source::File(_) if self.ended => self.seen,
            Source::File(RegularFile { file, start, .. }) => file
                .metadata()
                .map_or(0, |metadata| metadata.len().saturating_sub(*start))
                .max(self.seen),
            Source::Json5(_) | Source::Text(_) => self.size(),
            Source::Stream(..) => self.seen,
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
        if let Some(translation) = self.json5() {
            return Ok(in_source::positions(translation, offsets.iter().copied()));
        }
        let content = self.skip_byte_order_mark();
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
    pub fn buffered(&self, start: u64, end: u64) -> Option<&[u8]> {
        let Source::Stream(reader, _) = &self.source else {
            return None;
        };
        let (buffered, offset, _) = reader.buffered();
        let at = |place: u64| usize::try_from(place.checked_sub(offset)?).ok();
        buffered.get(at(start)?..at(end)?)
    }
}
