//! The validator: text of any length, in windows of any length, in constant memory.

mod checkpoints;
mod filtered;
mod flush;
mod guess;
mod in_memory;
#[cfg(test)]
mod in_segments;
mod join;
mod options;
mod restart;
mod segment;
mod segment_sink;
mod structural_index;

use core::ops::ControlFlow;

use crate::chunk::{CHUNK_BLOCKS, CheckState, check_chunk};
use crate::jsonc::{Blanked, Feed};
use crate::kernel::{BLOCK, Bytes, Kernel};
use crate::scan::Streams;
use crate::stack::Stack;
use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::consume::{Consume, Halt, catch};
use crate::token::{Chunk, ChunkContext, ChunkFlags, Inside, Interest, Mode, Sink, Stop};
use crate::verify::Carry;
use crate::verify::machine::Machine;
use crate::verify::scalars::Long;

pub use self::checkpoints::Checkpoints;
pub use self::in_memory::{validate, validate_with};
#[cfg(test)]
pub(crate) use self::in_segments::in_segments;
pub use self::options::Options;
pub use self::segment::TextSegment;
pub use self::segment_sink::{SegmentScope, SegmentSink, SegmentedSink};
pub(crate) use self::structural_index::{Preset, STEP, StructuralIndex};

/// Checks a text that arrives in windows of any size, and passes its verified tokens to a [`Sink`].
///
/// Uses one bit per open container and a few hundred bytes, independent of the length of the text. Whole blocks of 64 bytes are
/// checked in place; up to 63 trailing bytes of a window are copied and checked with the next one.
///
/// ```
/// use jsonx_core::engine::{Options, Validator, Verdict};
///
/// let text = format!("[{}1]", "\"a long array\", ".repeat(1000));
/// let mut validator = Validator::new(Options::default());
/// for window in text.as_bytes().chunks(1000) {
///     validator.write(window, &mut Verdict).unwrap();
/// }
/// assert_eq!(validator.finish(Verdict), Ok(()));
/// ```
#[derive(Debug)]
pub struct Validator {
    /// The requested kernel. The carried state is independent of it.
    pub(crate) kernel: Option<Kernel>,
    mode: Mode,
    state: CheckState,
    streams: Option<Streams>,
    /// Number of checked bytes.
    offset: u64,
    /// The first byte of the last token; 0 before the first token.
    last_kind: u8,
    /// Number of bytes in `tail` that are not checked yet.
    tail_length: usize,
    tail: Bytes,
    /// Buffer in which the end of the text is padded to whole blocks.
    padded: Vec<Bytes>,
    /// The filter of a text with comments; it holds unchecked bytes instead of `tail`.
    feed: Option<Box<Feed>>,
    /// Trailing commas whose closing bracket has not been checked yet.
    blanked: Vec<Blanked>,
}

/// A clone is a checkpoint: checking can be resumed from it without the preceding text. It shares the outer levels of the open
/// containers with the original and takes a few hundred bytes at any depth.
///
/// ```
/// use jsonx_core::engine::{Options, Validator, Verdict};
///
/// let text = format!("[{}1]", "10, ".repeat(100));
/// let (before, after) = text.as_bytes().split_at(250);
/// let mut validator = Validator::new(Options::default());
/// validator.write(before, &mut Verdict).unwrap();
/// let again = validator.clone();
/// assert!(validator.check(after, Verdict).is_ok());
/// assert!(again.check(b"1]]", Verdict).is_err());
/// ```
impl Clone for Validator {
    fn clone(&self) -> Self {
        Validator {
            state: self.state.clone(),
            // Scratch space.
            streams: None,
            padded: Vec::new(),
            feed: self.feed.clone(),
            blanked: self.blanked.clone(),
            ..*self
        }
    }
}

impl Default for Validator {
    fn default() -> Self {
        Validator::new(Options::default())
    }
}

impl Validator {
    /// Creates a validator for one text.
    ///
    /// ```
    /// use jsonx_core::engine::{Mode, Options, Validator, Verdict};
    ///
    /// let stream = Validator::new(Options::default().mode(Mode::Stream));
    /// assert_eq!(stream.check(b"[1] [2]", Verdict), Ok(()));
    /// ```
    pub fn new(options: Options) -> Self {
        let state = CheckState {
            carry: carry(&options),
            stack: Stack::default(),
        };
        Validator {
            kernel: options.kernel,
            mode: options.mode,
            state,
            streams: None,
            offset: 0,
            last_kind: 0,
            tail_length: 0,
            tail: [b' '; BLOCK],
            padded: Vec::new(),
            feed: Feed::new(options.dialect),
            blanked: Vec::new(),
        }
    }

    /// The number of bytes written.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator, Verdict};
    ///
    /// let mut validator = Validator::new(Options::default());
    /// validator.write(&[b' '; 100], &mut Verdict).unwrap();
    /// assert_eq!(validator.offset(), 100);
    /// ```
    pub fn offset(&self) -> u64 {
        let waiting = self.feed.as_ref().map_or(0, |feed| feed.waiting());
        self.offset + self.tail_length as u64 + waiting
    }

    /// The number of bytes checked and passed to a sink: all bytes written except at most the last 63. In a text with comments,
    /// a comma and the comments after it are held back until the next token.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator, Verdict};
    ///
    /// let mut validator = Validator::new(Options::default());
    /// validator.write(&[b' '; 100], &mut Verdict).unwrap();
    /// assert_eq!(validator.verified(), 64);
    /// ```
    pub fn verified(&self) -> u64 {
        self.offset
    }

    /// Checks the next bytes of the text. All of them are consumed; an incomplete block of 64 bytes is retained for the next
    /// call.
    ///
    /// # Errors
    ///
    /// The first error of the text, or the error of the sink. The validator may not be used again after either.
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// use jsonx_core::engine::{Options, Stop, Validator, Verdict};
    ///
    /// let text = format!("[{}]", "1,\n".repeat(1000));
    /// let mut input = text.as_bytes(); // Anything that can be read.
    ///
    /// let mut validator = Validator::new(Options::default());
    /// let mut buffer = [0; 1000];
    /// let checked = loop {
    ///     let read = input.read(&mut buffer)?;
    ///     if read == 0 {
    ///         break validator.finish(Verdict);
    ///     }
    ///     if let Err(stop) = validator.write(&buffer[..read], &mut Verdict) {
    ///         break Err(stop);
    ///     }
    /// };
    /// // A value is missing after the last comma. Offsets count from the start of the text, not of the window.
    /// assert!(matches!(checked, Err(Stop::Invalid(error)) if error.offset == 3001));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write<S: Sink>(&mut self, bytes: &[u8], sink: &mut S) -> Result<(), Stop<S::Error>> {
        catch(sink, |consumer| self.write_to(bytes, consumer))
    }

    /// The implementation of [`write`](Validator::write), compiled once for all sinks.
    pub(crate) fn write_to(
        &mut self,
        bytes: &[u8],
        consumer: &mut dyn Consume,
    ) -> Result<(), Halt> {
        if self.feed.is_some() {
            return self.write_filtered(bytes, consumer);
        }
        let bytes = match self.tail_length {
            0 => bytes,
            held => {
                let (seam, rest) = bytes.split_at(bytes.len().min(BLOCK - held));
                self.tail[held..held + seam.len()].copy_from_slice(seam);
                self.tail_length += seam.len();
                if self.tail_length < BLOCK {
                    return Ok(());
                }
                let tail = self.tail;
                self.tail_length = 0;
                self.chunk(&[tail], &tail, &tail, consumer)?;
                rest
            }
        };
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        for blocks in blocks.chunks(CHUNK_BLOCKS) {
            let text = blocks.as_flattened();
            self.chunk(blocks, text, text, consumer)?;
        }
        self.tail[..rest.len()].copy_from_slice(rest);
        self.tail_length = rest.len();
        Ok(())
    }

    /// Checks that the text may end here, ends the sink, and returns its result.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Stop, Validator, Verdict};
    /// use jsonx_core::ErrorKind;
    ///
    /// let mut validator = Validator::new(Options::default());
    /// validator.write(b"\"a string", &mut Verdict).unwrap();
    /// // An unterminated string is an error only at the end of the text.
    /// let complete = validator.clone();
    /// assert_eq!(complete.check(b"\"\n", Verdict), Ok(()));
    /// let Err(Stop::Invalid(error)) = validator.finish(Verdict) else { unreachable!() };
    /// assert_eq!((error.kind, error.offset), (ErrorKind::UnexpectedEnd, 9));
    /// ```
    pub fn finish<S: Sink>(self, sink: S) -> Result<S::Output, Stop<S::Error>> {
        self.check(&[], sink)
    }

    /// Checks the last bytes of the text, or all of it: [`write`](Validator::write) and [`finish`](Validator::finish) in one
    /// call. The fastest option for a text in memory.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{Formatter, Style};
    ///
    /// let formatter = Formatter::new(Style::Compact, Vec::new());
    /// let compact = Validator::new(Options::default()).check(b"[1, 2]", formatter).unwrap();
    /// assert_eq!(compact, b"[1,2]\n");
    /// ```
    pub fn check<S: Sink>(
        mut self,
        bytes: &[u8],
        mut sink: S,
    ) -> Result<S::Output, Stop<S::Error>> {
        catch(&mut sink, |consumer| self.complete(bytes, consumer))?;
        sink.finish().map_err(Stop::Sink)
    }

    /// Checks the last bytes of the text, and that it may end there.
    pub(crate) fn complete(
        &mut self,
        bytes: &[u8],
        consumer: &mut dyn Consume,
    ) -> Result<(), Halt> {
        if self.feed.is_some() {
            self.finish_filtered(bytes, consumer)?;
        } else if self.tail_length == 0 {
            let (chunks, rest) = bytes.as_chunks::<{ CHUNK_BLOCKS * BLOCK }>();
            for chunk in chunks {
                self.chunk(chunk.as_chunks().0, chunk, chunk, consumer)?;
            }
            self.padded(rest, rest, consumer)?;
        } else {
            self.write_to(bytes, consumer)?;
            let tail = self.tail;
            let rest = &tail[..self.tail_length];
            self.padded(rest, rest, consumer)?;
        }

        self.may_end().map_err(Halt::Invalid)
    }

    /// Resumes from a checkpoint and passes the valid prefix of a truncated or invalid text to a sink that has already received
    /// `seen`, which is verified. Bytes held by the checkpoint come first.
    #[cfg(feature = "serde")]
    pub(crate) fn resume<S: Sink>(mut self, seen: &[u8], rest: &[u8], sink: &mut S) {
        self.tail_length = 0;
        // The error, or the premature end of the text, is already known.
        if self.write(seen, &mut crate::token::Verdict).is_ok() && self.write(rest, sink).is_ok() {
            let _ = self.check(b" ", &mut *sink);
        }
    }

    /// Whether the text may end after the checked bytes.
    fn may_end(&self) -> Result<(), SyntaxError> {
        let carry = &self.state.carry;
        let complete =
            carry.grammar.after == 1 || carry.grammar.stream != 0 && carry.grammar.value == 1;
        if complete && self.state.stack.depth == 0 && carry.scan.strings.inside == 0 {
            Ok(())
        } else {
            Err(SyntaxError {
                kind: ErrorKind::UnexpectedEnd,
                offset: self.offset,
            })
        }
    }

    /// Checks less than a chunk of bytes, padded with white space, which ends a number and changes nothing else.
    fn padded(
        &mut self,
        bytes: &[u8],
        source: &[u8],
        consumer: &mut dyn Consume,
    ) -> Result<(), Halt> {
        self.with_padding(bytes, |validator, blocks| {
            validator.chunk(blocks, bytes, source, consumer)
        })
    }

    /// Calls `check` with the blocks of `bytes`, the last one padded with white space.
    #[inline]
    fn with_padding<R>(
        &mut self,
        bytes: &[u8],
        check: impl FnOnce(&mut Validator, &[Bytes]) -> R,
    ) -> R {
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        let mut padded = core::mem::take(&mut self.padded);
        padded.clear();
        padded.reserve_exact(blocks.len() + 1);
        padded.extend_from_slice(blocks);
        padded.push([b' '; BLOCK]);
        if let Some(last) = padded.last_mut() {
            last[..rest.len()].copy_from_slice(rest);
        }
        let checked = check(self, &padded);
        self.padded = padded;
        checked
    }

    /// Checks `blocks`: the bytes of `text`, possibly padded with white space. `source` is the same text with its comments.
    fn chunk(
        &mut self,
        blocks: &[Bytes],
        text: &[u8],
        source: &[u8],
        consumer: &mut dyn Consume,
    ) -> Result<(), Halt> {
        let interest = consumer.interest(self.mode).compatible();
        let chunk = self
            .verify(blocks, text, source, interest)
            .map_err(Halt::Invalid)?;
        match consumer.chunk(&chunk) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Halt::Consumer),
        }
    }

    /// Checks `blocks`, and fills the streams of `interest`.
    fn verify<'a>(
        &'a mut self,
        blocks: &[Bytes],
        text: &'a [u8],
        source: &'a [u8],
        interest: Interest,
    ) -> Result<Chunk<'a>, SyntaxError> {
        let before = ChunkContext {
            last_kind: self.last_kind,
            depth: self.state.stack.depth,
            inside: match &self.state.carry.scan {
                scan if scan.strings.inside != 0 => Inside::String {
                    escaped: scan.strings.escape != 0,
                },
                scan if scan.scalar != 0 => Inside::Scalar,
                _ => Inside::Nothing,
            },
            mode: self.mode,
            kernel: self.kernel,
        };
        let check = |kernel: Kernel, state: &mut CheckState, streams: &mut Streams| {
            check_chunk(kernel, interest, state, blocks, streams)
        };
        let Verified {
            offset,
            kernel,
            state,
            streams,
        } = self.check_chunk_with(blocks.len(), text, interest, check)?;
        let ends_in_string = state.carry.scan.strings.inside != 0;
        // Padding after a text that ends inside a string becomes part of the string.
        let padding = if ends_in_string {
            blocks.len() * BLOCK - text.len()
        } else {
            0
        };
        let minified_bytes = streams.minified_bytes.saturating_sub(padding);
        Ok(Chunk {
            bytes: text,
            source: if interest.source { source } else { &[] },
            offset,
            kinds: &streams.kinds[..streams.tokens],
            // A sink may request fewer streams than before, but buffers are not freed.
            offsets: if interest.offsets {
                &streams.offsets[..streams.tokens]
            } else {
                &[]
            },
            minified: &streams.minified[..minified_bytes],
            minified_wide: &streams.minified,
            structurals: streams
                .structurals
                .get(..streams.structural_count)
                .unwrap_or_default(),
            firsts: if interest.firsts {
                &streams.firsts[..blocks.len()]
            } else {
                &[]
            },
            quotes: if interest.lints {
                &streams.quotes[..streams.quote_count]
            } else {
                &[]
            },
            scalars: if interest.lints {
                &streams.scalar_masks[..blocks.len()]
            } else {
                &[]
            },
            kernel,
            interest,
            flags: ChunkFlags {
                escapes: state.carry.scan.strings.escapes,
                surrogates: state.carry.scan.strings.surrogates,
                long_integers: state.carry.scalars.long.integers,
                long_exponents: state.carry.scalars.long.exponents,
                ends_with_key: state.carry.grammar.colon != 0,
            },
            before,
            ends_in_string,
            depth: state.stack.depth,
            further_roots: streams.further_roots,
        })
    }

    /// Checks the next `blocks`, which hold `text`, and locates the first error. Every check of a chunk uses this function;
    /// `check` runs one preset of streams and returns whether the blocks are invalid.
    #[inline(always)]
    fn check_chunk_with(
        &mut self,
        blocks: usize,
        text: &[u8],
        interest: Interest,
        check: impl FnOnce(Kernel, &mut CheckState, &mut Streams) -> bool,
    ) -> Result<Verified<'_>, SyntaxError> {
        let Validator { state, offset, .. } = self;
        let carried = state.carry;
        state.stack.set_mark();
        state.carry.scan.strings.escapes = false;
        state.carry.scan.strings.surrogates = false;
        state.carry.scalars.long = Long::default();
        let streams = &mut self.streams;
        streams.take_if(|streams| !streams.fit(blocks, interest));
        let streams = streams.get_or_insert_with(|| Streams::new(blocks, interest));
        let start = *offset;
        let seen = usize::try_from(start)
            .unwrap_or(usize::MAX)
            .saturating_add(text.len());
        let kernel = self.kernel.unwrap_or_else(|| Kernel::for_text(seen));
        if check(kernel, state, streams) {
            return Err(locate(state, carried, start, text, &self.blanked));
        }
        *offset += text.len() as u64;
        if let Some(&kind) = streams.kinds[..streams.tokens].last() {
            self.last_kind = kind;
        }
        Ok(Verified {
            offset: start,
            kernel,
            state,
            streams,
        })
    }
}

/// A chunk without an error.
struct Verified<'v> {
    offset: u64,
    kernel: Kernel,
    /// The state after the chunk.
    state: &'v CheckState,
    streams: &'v Streams,
}

/// The carried state at the start of a text.
fn carry(options: &Options) -> Carry {
    let mut carry = Carry::default();
    carry.grammar.stream = u64::from(options.mode == Mode::Stream).wrapping_neg();
    carry.grammar.max_depth = options.max_depth;
    carry
}

/// Locates the first error in `text`, which starts at `offset` and contains one, from the state carried `before` it, to which
/// `state` is reset. `blanked` are its trailing commas.
#[cold]
fn locate(
    state: &mut CheckState,
    before: Carry,
    offset: u64,
    text: &[u8],
    blanked: &[Blanked],
) -> SyntaxError {
    state.carry = before;
    let stack = &mut state.stack;
    stack.roll_back();
    let mut machine = match Machine::resume(&before, stack.clone()) {
        Err((kind, distance)) => {
            return SyntaxError {
                kind,
                offset: offset - distance,
            };
        }
        Ok(machine) => machine,
    };
    // Checks the bytes between trailing commas. Commas whose bracket precedes `text` have been checked.
    let mut from = 0;
    let pending = blanked.iter().filter(|found| found.close >= offset);
    for comma in pending.map(|found| found.comma) {
        let upto = usize::try_from(comma.saturating_sub(offset)).unwrap_or(text.len());
        let upto = upto.clamp(from, text.len());
        if let Err((kind, at)) = machine.run(&text[from..upto]) {
            return SyntaxError {
                kind,
                offset: offset + (from + at) as u64,
            };
        }
        from = upto;
        if comma < offset + text.len() as u64
            && let Err(kind) = machine.trailing_comma()
        {
            return SyntaxError {
                kind,
                offset: comma,
            };
        }
    }
    let (kind, at) = match machine.run(&text[from..]) {
        Err((kind, at)) => (kind, from + at),
        // No byte is invalid: the text ends too early.
        Ok(()) => (
            machine.finish().err().unwrap_or(ErrorKind::UnexpectedEnd),
            text.len(),
        ),
    };
    SyntaxError {
        kind,
        offset: offset + at as u64,
    }
}
