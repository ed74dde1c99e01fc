//! Feed and finish: text of any length, in windows of any length, in constant memory.

use core::convert::Infallible;

use crate::chunk::{CHUNK_BLOCKS, State, check_chunk};
use crate::error::{Error, ErrorKind};
use crate::kernel::{BLOCK, Bytes, Kernel};
use crate::scan::Streams;
use crate::token::{Before, Chunk, Contents, Mode, Sink, Stop, Verdict};
use crate::verify::Carry;
use crate::verify::machine::Machine;

/// How to check a text.
///
/// ```
/// use jsonx_core::{Kernel, Mode, Options};
///
/// let options = Options::default().mode(Mode::Stream).max_depth(100).kernel(Kernel::swar());
/// assert_eq!(options.mode, Mode::Stream);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// One value, or any number of them.
    pub mode: Mode,
    /// How many containers may be open at once. `u64::MAX`, the default, is no limit.
    pub max_depth: u64,
    /// The instructions to use. `None`, the default, is the best that this CPU has, found out as soon as a text is long
    /// enough for it to matter.
    pub kernel: Option<Kernel>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            mode: Mode::One,
            max_depth: u64::MAX,
            kernel: None,
        }
    }
}

impl Options {
    /// Sets how many values the text holds.
    ///
    /// ```
    /// use jsonx_core::{Mode, Options, validate_with};
    ///
    /// let stream = Options::default().mode(Mode::Stream);
    /// assert!(validate_with(b"{}[1]\"a\"2\n3", stream).is_ok());
    /// assert_eq!(validate_with(b"null true", stream), Ok(()));
    /// assert_eq!(validate_with(b"nulltrue", stream).unwrap_err().offset, 4);
    /// // No value at all is a stream too, but not a JSON text.
    /// assert!(validate_with(b"", stream).is_ok());
    /// assert!(validate_with(b"", Options::default()).is_err());
    /// ```
    #[must_use]
    pub fn mode(self, mode: Mode) -> Self {
        Options { mode, ..self }
    }

    /// Sets how many containers may be open at once.
    ///
    /// ```
    /// use jsonx_core::{ErrorKind, Options, validate_with};
    ///
    /// let error = validate_with(b"[[[]]]", Options::default().max_depth(2)).unwrap_err();
    /// assert_eq!((error.kind, error.offset), (ErrorKind::TooDeep, 2));
    /// ```
    #[must_use]
    pub fn max_depth(self, max_depth: u64) -> Self {
        Options { max_depth, ..self }
    }

    /// Sets the kernel. The verdict does not depend on it.
    ///
    /// ```
    /// use jsonx_core::{Kernel, Options, validate_with};
    ///
    /// for kernel in Kernel::available() {
    ///     let options = Options::default().kernel(kernel);
    ///     assert_eq!(validate_with(b"[1, 2,, 3]", options).unwrap_err().offset, 6);
    /// }
    /// ```
    #[must_use]
    pub fn kernel(self, kernel: Kernel) -> Self {
        Options {
            kernel: Some(kernel),
            ..self
        }
    }
}

/// Checks a text that comes in windows, and hands its verified tokens to a [`Sink`].
///
/// What is carried from one window to the next is one bit for each open container and a few words.
///
/// ```
/// use jsonx_core::{Options, Validator, Verdict};
///
/// let text = format!("[{}1]", "\"a long array\", ".repeat(1000));
/// let mut validator = Validator::new(Options::default());
/// let (window, rest) = text.as_bytes().split_at(1000);
/// let taken = validator.feed(window, &mut Verdict).unwrap();
/// assert_eq!(taken, 1000 / 64 * 64);
/// let rest = [&window[taken..], rest].concat();
/// assert!(validator.finish(&rest, &mut Verdict).is_ok());
/// ```
#[derive(Debug)]
pub struct Validator {
    /// The kernel that was asked for. What is carried is the same for all of them.
    pub(crate) kernel: Option<Kernel>,
    mode: Mode,
    state: State,
    streams: Option<Streams>,
    offset: u64,
    /// The first byte of the last token that has begun; 0 before the first.
    last_kind: u8,
}

/// A clone goes on by itself from where the original is: kept, it is a place from which the text can be checked once
/// more without what stands before it. It costs one bit for each open container and a few words.
///
/// ```
/// use jsonx_core::{Options, Validator, Verdict};
///
/// let text = format!("[{}1]", "10, ".repeat(100));
/// let mut validator = Validator::new(Options::default());
/// let taken = validator.feed(text.as_bytes(), &mut Verdict).unwrap();
/// let mut again = validator.clone();
/// assert!(validator.finish(&text.as_bytes()[taken..], &mut Verdict).is_ok());
/// assert!(again.finish(b"1]]", &mut Verdict).is_err());
/// ```
impl Clone for Validator {
    fn clone(&self) -> Self {
        Validator {
            state: self.state.clone(),
            // Scratch space.
            streams: None,
            ..*self
        }
    }
}

impl Validator {
    /// A validator at the start of a text. Each text needs its own.
    ///
    /// ```
    /// use jsonx_core::{ErrorKind, Options, Stop, Validator, Verdict};
    ///
    /// let mut validator = Validator::new(Options::default());
    /// assert_eq!(validator.finish(b"[1]", &mut Verdict), Ok(()));
    /// // What is handed to it now is more of the same text.
    /// let Err(Stop::Invalid(error)) = validator.finish(b"[2]", &mut Verdict) else { unreachable!() };
    /// assert_eq!((error.kind, error.offset), (ErrorKind::TrailingContent, 3));
    /// ```
    pub fn new(options: Options) -> Self {
        let mut state = State::default();
        state.carry.grammar.stream = u64::from(options.mode == Mode::Stream).wrapping_neg();
        state.carry.grammar.max_depth = options.max_depth;
        Validator {
            kernel: options.kernel,
            mode: options.mode,
            state,
            streams: None,
            offset: 0,
            last_kind: 0,
        }
    }

    /// How many bytes have been taken so far.
    ///
    /// ```
    /// use jsonx_core::{Options, Validator, Verdict};
    ///
    /// let mut validator = Validator::new(Options::default());
    /// validator.feed(&[b' '; 100], &mut Verdict).unwrap();
    /// assert_eq!(validator.offset(), 64);
    /// ```
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Checks the next bytes of the text. It takes a multiple of 64 of them and returns how many it took; the caller
    /// hands the others (63 at most) again, in front of what follows them.
    ///
    /// # Errors
    ///
    /// The first error of the text, or the error of the sink. The validator may not be used again after either.
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// use jsonx_core::{Options, Stop, Validator, Verdict};
    ///
    /// let text = format!("[{}]", "1,\n".repeat(1000));
    /// let mut input = text.as_bytes(); // Anything that can be read.
    ///
    /// let mut validator = Validator::new(Options::default());
    /// let (mut buffer, mut held) = ([0; 256], 0);
    /// let checked = loop {
    ///     let read = input.read(&mut buffer[held..])?;
    ///     held += read;
    ///     if read == 0 {
    ///         break validator.finish(&buffer[..held], &mut Verdict);
    ///     }
    ///     match validator.feed(&buffer[..held], &mut Verdict) {
    ///         Ok(taken) => {
    ///             buffer.copy_within(taken..held, 0);
    ///             held -= taken;
    ///         }
    ///         Err(stop) => break Err(stop),
    ///     }
    /// };
    /// // A value is missing behind the last comma. Offsets count from the start of the text, not of the window.
    /// assert!(matches!(checked, Err(Stop::Invalid(error)) if error.offset == 3001));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn feed<S: Sink>(&mut self, bytes: &[u8], sink: &mut S) -> Result<usize, Stop<S::Error>> {
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        for blocks in blocks.chunks(CHUNK_BLOCKS) {
            self.chunk(blocks, blocks.as_flattened(), sink)?;
        }
        Ok(bytes.len() - rest.len())
    }

    /// As [`feed`](Validator::feed), but takes all of the bytes when the last of them is a line feed. For who is handed
    /// a line at a time and wants to see what is in it now, not when the next one has come.
    ///
    /// A line feed stands outside of every token, or the text is wrong there. White space may follow it: that fills
    /// the last block.
    ///
    /// # Errors
    ///
    /// As for [`feed`](Validator::feed).
    ///
    /// ```
    /// use jsonx_core::{Mode, Options, Validator, Verdict};
    ///
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// assert_eq!(validator.feed_lines(b"{\"a\": 1}\n", &mut Verdict), Ok(9));
    /// assert_eq!(validator.feed_lines(b"[2", &mut Verdict), Ok(0));
    /// assert_eq!(validator.finish(b"[2]", &mut Verdict), Ok(()));
    /// ```
    pub fn feed_lines<S: Sink>(
        &mut self,
        bytes: &[u8],
        sink: &mut S,
    ) -> Result<usize, Stop<S::Error>> {
        let taken = self.feed(bytes, sink)?;
        match &bytes[taken..] {
            rest @ [.., b'\n'] => self.padded(rest, sink).map(|()| bytes.len()),
            _ => Ok(taken),
        }
    }

    /// Checks the last bytes of the text, any number of them, and that the text may end there.
    ///
    /// # Errors
    ///
    /// As for [`feed`](Validator::feed).
    ///
    /// ```
    /// use jsonx_core::{Error, ErrorKind, Options, Stop, Validator, Verdict};
    ///
    /// let text = format!("\"{}", "long ".repeat(100));
    /// let mut validator = Validator::new(Options::default());
    /// let taken = validator.feed(text.as_bytes(), &mut Verdict).unwrap();
    /// // The beginning of a string is no error until it is said that nothing follows.
    /// let mut complete = validator.clone();
    /// assert_eq!(complete.finish(format!("{}\"\n", &text[taken..]).as_bytes(), &mut Verdict), Ok(()));
    /// let stop = validator.finish(&text.as_bytes()[taken..], &mut Verdict).unwrap_err();
    /// let expected = Error { kind: ErrorKind::UnexpectedEnd, offset: text.len() as u64 };
    /// assert_eq!(stop, Stop::Invalid(expected));
    /// ```
    pub fn finish<S: Sink>(&mut self, bytes: &[u8], sink: &mut S) -> Result<(), Stop<S::Error>> {
        let (chunks, rest) = bytes.as_chunks::<{ CHUNK_BLOCKS * BLOCK }>();
        for chunk in chunks {
            self.chunk(chunk.as_chunks().0, chunk, sink)?;
        }
        // White space after the last byte: it ends every number, and changes nothing that is complete.
        self.padded(rest, sink)?;

        let carry = &self.state.carry;
        let complete =
            carry.grammar.after == 1 || carry.grammar.stream != 0 && carry.grammar.value == 1;
        match complete && self.state.stack.depth == 0 && carry.scan.strings.inside == 0 {
            true => Ok(()),
            false => Err(Stop::Invalid(Error {
                kind: ErrorKind::UnexpectedEnd,
                offset: self.offset,
            })),
        }
    }

    /// Checks bytes, less than a chunk of them, with white space after them.
    fn padded<S: Sink>(&mut self, bytes: &[u8], sink: &mut S) -> Result<(), Stop<S::Error>> {
        let mut padded = vec![[b' '; BLOCK]; bytes.len() / BLOCK + 1];
        padded.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
        self.chunk(&padded, bytes, sink)
    }

    /// Checks `blocks`, which are the bytes `text` and perhaps white space after them.
    fn chunk<S: Sink>(
        &mut self,
        blocks: &[Bytes],
        text: &[u8],
        sink: &mut S,
    ) -> Result<(), Stop<S::Error>> {
        let before = self.state.carry;
        let depth_before = self.state.stack.depth;
        self.state.stack.set_mark();
        self.state.carry.scan.strings.escapes = false;
        self.state.carry.scan.strings.unicode = false;
        self.state.carry.scalars.exponents = false;
        let interest = sink.interest(self.mode);
        let streams = match &mut self.streams {
            Some(streams) if streams.fit(blocks.len(), interest) => streams,
            streams => streams.insert(Streams::new(blocks.len(), interest)),
        };
        let seen = usize::try_from(self.offset)
            .unwrap_or(usize::MAX)
            .saturating_add(text.len());
        let kernel = self.kernel.unwrap_or_else(|| Kernel::for_text(seen));
        if check_chunk(kernel, interest, &mut self.state, blocks, streams) {
            return Err(Stop::Invalid(self.locate(before, text)));
        }
        let chunk = Chunk {
            bytes: text,
            offset: self.offset,
            kinds: &streams.kinds[..streams.tokens],
            // A sink may want less than before, and the buffers stay as they were.
            offsets: match interest.offsets {
                true => &streams.offsets[..streams.tokens],
                false => &[],
            },
            minified: &streams.minified[..streams.minified_bytes],
            minified_wide: &streams.minified,
            structurals: streams
                .structurals
                .get(..streams.structural_count)
                .unwrap_or_default(),
            strings: match interest.strings {
                true => &streams.strings[..blocks.len()],
                false => &[],
            },
            kernel,
            contents: Contents {
                escapes: self.state.carry.scan.strings.escapes,
                unicode: self.state.carry.scan.strings.unicode,
                exponents: self.state.carry.scalars.exponents,
                ends_with_key: self.state.carry.grammar.colon != 0,
            },
            before: Before {
                last_kind: self.last_kind,
                depth: depth_before,
                mode: self.mode,
                kernel: self.kernel,
            },
            ends_in_string: self.state.carry.scan.strings.inside != 0,
            depth: self.state.stack.depth,
            further_roots: streams.further_roots,
        };
        self.offset += text.len() as u64;
        self.last_kind = chunk.kinds.last().copied().unwrap_or(self.last_kind);
        sink.chunk(&chunk).map_err(Stop::Sink)
    }

    /// The first error of `text`, which is known to hold one, read from the state `before` it.
    #[cold]
    fn locate(&mut self, before: Carry, text: &[u8]) -> Error {
        if !self.state.stack.exhausted {
            self.state.stack.roll_back();
        }
        if self.state.stack.exhausted {
            return Error {
                kind: ErrorKind::OutOfMemory,
                offset: self.offset,
            };
        }
        let stack = core::mem::take(&mut self.state.stack);
        let (kind, at) = match Machine::resume(&before, stack) {
            Err((kind, behind)) => (kind, self.offset - behind),
            Ok(mut machine) => match machine.run(text) {
                Err((kind, at)) => (kind, self.offset + at as u64),
                // All bytes are as they should be, so what is wrong is that there are no more of them.
                Ok(()) => (
                    machine.finish().err().unwrap_or(ErrorKind::UnexpectedEnd),
                    self.offset + text.len() as u64,
                ),
            },
        };
        Error { kind, offset: at }
    }
}

/// Checks that `bytes` are one JSON text: RFC 8259, and UTF-8.
///
/// # Errors
///
/// What is wrong at the first byte at which the text is no longer the beginning of any valid one.
///
/// ```
/// assert!(jsonx_core::validate(br#"{"a": [1, null]}"#).is_ok());
/// assert_eq!(jsonx_core::validate(b"[1, nul]").unwrap_err().offset, 7);
/// ```
pub fn validate(bytes: &[u8]) -> Result<(), Error> {
    validate_with(bytes, Options::default())
}

/// As [`validate`], with other options.
///
/// # Errors
///
/// As for [`validate`].
///
/// ```
/// use jsonx_core::{Mode, Options, validate_with};
///
/// assert!(validate_with(b"1 2 3", Options::default().mode(Mode::Stream)).is_ok());
/// assert!(validate_with(b"[[[]]]", Options::default().max_depth(2)).is_err());
/// ```
pub fn validate_with(bytes: &[u8], options: Options) -> Result<(), Error> {
    Validator::new(options)
        .finish(bytes, &mut Verdict)
        .map_err(|stop: Stop<Infallible>| match stop {
            Stop::Invalid(error) => error,
            Stop::Sink(never) => match never {},
        })
}
