//! Verified tokens and their consumers.

pub(crate) mod consume;
mod sink;

use core::convert::Infallible;
use core::fmt;

pub use self::sink::{Sink, SinkFn, Stop, sink_fn};
use crate::kernel::Kernel;
pub use crate::scan::Interest;
use crate::string;

/// The number of values of a text.
///
/// ```
/// use jsonx_core::engine::{Mode, Options, validate_with};
///
/// assert!(validate_with(b"{} [1] 2", Options::default().mode(Mode::Stream)).is_ok());
/// assert!(validate_with(b"{} [1] 2", Options::default().mode(Mode::One)).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Exactly one, as in RFC 8259.
    #[default]
    One,
    /// Any number of values in sequence, separated by white space where needed.
    Stream,
}

/// The kinds of values.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::query::{Answer, Query, QueryOptions};
/// use jsonx_core::Kind;
///
/// let text = br#"[{}, "1", 1, false]"#;
/// let mut query = Query::new(&[Path::parse("$[*]")?], QueryOptions::default());
/// Validator::new(Options::default()).check(text, &mut query).unwrap();
/// query.end();
/// let kinds = query.answers().filter_map(|answer| match answer {
///     Answer::Match(one) => Some(Kind::from_first(text[one.start as usize])),
///     Answer::Missing { .. } => None,
/// });
/// assert!(kinds.eq([Kind::Object, Kind::String, Kind::Number, Kind::Boolean]));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number.
    Number,
    /// `true` or `false`
    Boolean,
    /// `null`
    Null,
}

impl Kind {
    /// The kind of a value with this first byte.
    ///
    /// ```
    /// assert_eq!(jsonx_core::Kind::from_first(b'-'), jsonx_core::Kind::Number);
    /// ```
    pub fn from_first(byte: u8) -> Kind {
        match byte {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::String,
            b't' | b'f' => Kind::Boolean,
            b'n' => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// The name of the type.
    ///
    /// ```
    /// assert_eq!(jsonx_core::Kind::Boolean.name(), "boolean");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Kind::Object => "object",
            Kind::Array => "array",
            Kind::String => "string",
            Kind::Number => "number",
            Kind::Boolean => "boolean",
            Kind::Null => "null",
        }
    }
}

/// As in a sentence.
///
/// ```
/// use jsonx_core::Kind;
///
/// assert_eq!([Kind::Array, Kind::Null].map(|kind| kind.to_string()), ["an array", "null"]);
/// ```
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = match self {
            Kind::Object | Kind::Array => "an ",
            Kind::String | Kind::Number | Kind::Boolean => "a ",
            Kind::Null => "",
        };
        write!(f, "{article}{}", self.name())
    }
}

/// A few KiB of verified text, and the tokens that begin in them.
///
/// The *kind* of a token is its first byte: one of `{ } [ ] : ,`, a quote, or the first byte of a number or literal. A token
/// ends where the next one begins, minus white space between the two. The last token of a chunk may continue in the next one.
///
/// ```text
/// text     {"a": [10,  true]}
/// kinds    { " : [ 1 , t ] }
/// offsets  0 1 4 6 7 9 12 16 17
/// ```
///
/// ```
/// use jsonx_core::engine::{Validator, sink_fn};
///
/// let mut tokens = Vec::new();
/// let sink = sink_fn(|chunk| {
///     tokens.extend(chunk.tokens().map(|(_, raw)| String::from_utf8_lossy(raw).into_owned()));
///     Ok::<_, std::convert::Infallible>(())
/// });
/// Validator::default().check(br#"{"a": [10,  true]}"#, sink).unwrap();
/// assert_eq!(tokens, ["{", "\"a\"", ":", "[", "10", ",", "true", "]", "}"]);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Chunk<'a> {
    /// The text of the chunk.
    pub bytes: &'a [u8],
    /// The same text as written, with the comments and trailing commas that are blanked in `bytes`. Empty unless requested.
    pub source: &'a [u8],
    /// The offset of the chunk, in bytes from the start of the input.
    pub offset: u64,
    /// The first bytes of the tokens that begin in the chunk.
    pub kinds: &'a [u8],
    /// The offsets of these tokens, relative to the chunk. Empty unless requested.
    pub offsets: &'a [u32],
    /// The text without white space between tokens. Empty unless requested.
    pub minified: &'a [u8],
    /// The offsets of structural bytes (`{ } [ ] : ,` outside strings) in `minified`. Empty unless requested.
    pub structurals: &'a [u32],
    /// For each 64 bytes of the chunk, a mask of the first bytes of tokens; the lowest bit is the first byte. Empty unless
    /// requested.
    pub firsts: &'a [u64],
    /// The offsets of opening quotes, relative to the chunk. Empty unless requested by `lints`.
    pub quotes: &'a [u32],
    /// For each 64 bytes of the chunk, a mask of the bytes in numbers and literals. Empty unless requested by `lints`.
    pub scalars: &'a [u64],
    /// `minified`, followed by at least 64 arbitrary bytes, for wide copies.
    pub(crate) minified_wide: &'a [u8],
    /// The kernel that the chunk was checked with.
    pub kernel: Kernel,
    /// The streams that are filled.
    pub interest: Interest,
    /// Flags of rare content in the chunk.
    #[doc(hidden)]
    pub flags: ChunkFlags,
    /// The state before the chunk, for a consumer that starts in the middle of a text.
    #[doc(hidden)]
    pub before: ChunkContext,
    /// Whether the chunk ends inside a string, so that white space at its end belongs to the string.
    pub ends_in_string: bool,
    /// The number of containers open at the end.
    pub depth: u64,
    /// In a stream, the number of values at the root that begin in this chunk, not counting the first of the stream.
    pub further_roots: u64,
}

/// The state before a [`Chunk`], for a consumer that starts in the middle of a text.
///
/// ```
/// use jsonx_core::engine::{Inside, Validator, sink_fn};
///
/// let text = format!("[[\"{}\"]]", "long ".repeat(2000));
/// let mut contexts = Vec::new();
/// let sink = sink_fn(|chunk| {
///     contexts.push((chunk.before.last_kind, chunk.before.depth, chunk.before.inside));
///     Ok::<_, std::convert::Infallible>(())
/// });
/// Validator::default().check(text.as_bytes(), sink).unwrap();
/// let string = Inside::String { escaped: false };
/// assert_eq!(contexts, [(0, 0, Inside::Nothing), (b'"', 2, string)]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ChunkContext {
    /// The kind of the last token before the chunk; 0 if there is none.
    pub last_kind: u8,
    /// The number of open containers.
    pub depth: u64,
    /// The token in which the chunk begins.
    pub inside: Inside,
    /// The options of the check, for a second check of rewritten text.
    pub(crate) mode: Mode,
    pub(crate) kernel: Option<Kernel>,
}

/// The token in which a [`Chunk`] begins; see [`ChunkContext`].
///
/// ```
/// # use jsonx_core::engine::Inside;
/// assert_eq!(Inside::default(), Inside::Nothing);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inside {
    /// No token.
    #[default]
    Nothing,
    /// A string.
    String {
        /// The first byte is escaped by the last one of the previous chunk.
        escaped: bool,
    },
    /// A number or a literal, which may already have ended.
    Scalar,
}

/// Flags set during the check, for consumers that search for rare content.
///
/// ```
/// use jsonx_core::engine::{Validator, sink_fn};
///
/// let has_escapes = |text: &[u8]| {
///     let mut escapes = false;
///     let sink = sink_fn(|chunk| {
///         escapes |= chunk.flags.escapes;
///         Ok::<_, std::convert::Infallible>(())
///     });
///     Validator::default().check(text, sink).is_ok() && escapes
/// };
/// assert!(has_escapes(br#"["a\n"]"#) && !has_escapes(br#"["a"]"#));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ChunkFlags {
    /// The chunk contains a backslash.
    pub escapes: bool,
    /// The chunk may contain a `\ud`, or the rest of one that began in the last chunk. Only with [`Interest::lints`].
    pub surrogates: bool,
    /// A number may have an integer part of 16 digits or more. Only with [`Interest::lints`].
    pub long_integers: bool,
    /// A number may have an exponent of 3 digits or more. Only with [`Interest::lints`].
    pub long_exponents: bool,
    /// The last token is a key, which may continue in the next chunk.
    pub ends_with_key: bool,
}

impl<'a> Chunk<'a> {
    /// The bytes of the chunk before its first token: white space, or the rest of the previous token without trailing white
    /// space. The sink must request offsets: without them this is the whole chunk.
    ///
    /// ```
    /// use jsonx_core::engine::{Validator, sink_fn};
    ///
    /// let text = format!("[1, \"{}\"  , 2]", "long ".repeat(4000));
    /// // The longest token of a text, in bytes, quotes included.
    /// let (mut last, mut longest) = (0, 0);
    /// let sink = sink_fn(|chunk| {
    ///     last += chunk.before_first().len();
    ///     longest = longest.max(last);
    ///     for (_, raw) in chunk.tokens() {
    ///         last = raw.len();
    ///         longest = longest.max(last);
    ///     }
    ///     Ok::<_, std::convert::Infallible>(())
    /// });
    /// Validator::default().check(text.as_bytes(), sink).unwrap();
    /// assert_eq!(longest, 20_002);
    /// ```
    pub fn before_first(&self) -> &'a [u8] {
        match self.offsets.first() {
            Some(&first) => trim_end(&self.bytes[..first as usize]),
            None if self.ends_in_string => self.bytes,
            None => trim_end(self.bytes),
        }
    }

    /// The tokens that begin in the chunk: kind, and raw text up to the end of the chunk. Empty unless the sink requests
    /// offsets.
    ///
    /// ```
    /// use jsonx_core::engine::{Validator, sink_fn};
    ///
    /// let mut numbers = Vec::new();
    /// let sink = sink_fn(|chunk| {
    ///     // Raw text: `1.50` keeps its zero, and a string that looks like a number begins with a quote.
    ///     let tokens = chunk.tokens().filter(|(kind, _)| matches!(kind, b'-' | b'0'..=b'9'));
    ///     numbers.extend(tokens.map(|(_, raw)| String::from_utf8_lossy(raw).into_owned()));
    ///     Ok::<_, std::convert::Infallible>(())
    /// });
    /// Validator::default().check(br#"[1.50 , "2", {"3": -4e5}]"#, sink).unwrap();
    /// assert_eq!(numbers, ["1.50", "-4e5"]);
    /// ```
    pub fn tokens(&self) -> impl Iterator<Item = (u8, &'a [u8])> {
        let chunk = *self;
        (0..chunk.offsets.len()).map(move |index| (chunk.kinds[index], chunk.raw(index)))
    }

    /// The text with its comments, if the sink has requested it.
    #[cfg(feature = "format")]
    pub(crate) fn source_or_bytes(&self) -> &'a [u8] {
        if self.interest.source {
            self.source
        } else {
            self.bytes
        }
    }

    /// The chunk with the offsets of its tokens, found in a slow pass if they were not requested: for text that turns out not to
    /// have one value per line.
    pub(crate) fn with_offsets<'b>(&'b self, offsets: &'b mut Vec<u32>) -> Chunk<'b> {
        if self.interest.offsets {
            return *self;
        }
        offsets.clear();
        offsets.extend(self.token_starts().map(|at| at as u32));
        Chunk { offsets, ..*self }
    }

    /// The rest of the last token of the previous chunk, up to the end of this chunk: found in the text, so it needs no offsets.
    ///
    /// ```
    /// use jsonx_core::engine::{Validator, sink_fn};
    ///
    /// let text = format!("[\"{}\", 1]", "long ".repeat(2000));
    /// let mut lengths = Vec::new();
    /// let sink = sink_fn(|chunk| {
    ///     lengths.push(chunk.continued().len());
    ///     Ok::<_, std::convert::Infallible>(())
    /// });
    /// Validator::default().check(text.as_bytes(), sink).unwrap();
    /// assert_eq!(lengths, [0, 10_003 - 8192]);
    /// ```
    #[inline]
    pub fn continued(&self) -> &'a [u8] {
        let end = match self.before.inside {
            Inside::Nothing => 0,
            Inside::String { escaped } => self.string_end(usize::from(escaped)),
            Inside::Scalar => self.scalar_end(0),
        };
        &self.bytes[..end]
    }

    /// The end of the number or literal that began before `from`.
    fn scalar_end(&self, from: usize) -> usize {
        let rest = self.bytes[from..].iter();
        let end = rest.take_while(|byte| !b" \t\n\r{}[]:,\"".contains(byte));
        from + end.count()
    }

    /// The end of the string that began before `from`.
    fn string_end(&self, from: usize) -> usize {
        let from = from.min(self.bytes.len());
        string::end(self.bytes, from).map_or(self.bytes.len(), |quote| quote + 1)
    }

    /// The offsets of the tokens, computed from the text.
    fn token_starts(&self) -> impl Iterator<Item = usize> {
        let mut at = self.continued().len();
        std::iter::from_fn(move || {
            while matches!(self.bytes.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                at += 1;
            }
            let from = at;
            at = match self.bytes.get(at)? {
                b'"' => self.string_end(at + 1),
                b'{' | b'}' | b'[' | b']' | b':' | b',' => at + 1,
                _ => self.scalar_end(at),
            };
            Some(from)
        })
    }

    /// The raw text of the token with this index, up to the end of the chunk. The sink must request offsets.
    ///
    /// # Panics
    ///
    /// There is no token with this index.
    ///
    /// ```
    /// use jsonx_core::engine::{Validator, sink_fn};
    ///
    /// let sink = sink_fn(|chunk| match chunk.raw(chunk.kinds.len() - 2) {
    ///     b"23" => Ok(()),
    ///     _ => Err("unexpected"),
    /// });
    /// Validator::default().check(b"[1, 23 ]", sink).unwrap();
    /// ```
    pub fn raw(&self, index: usize) -> &'a [u8] {
        let from = self.offsets[index] as usize;
        match self.offsets.get(index + 1) {
            Some(&next) => trim_end(&self.bytes[from..next as usize]),
            None => self.raw_last(from),
        }
    }

    /// The raw text of the last token, which begins at `from`.
    pub(crate) fn raw_last(&self, from: usize) -> &'a [u8] {
        if self.ends_in_string {
            &self.bytes[from..]
        } else {
            trim_end(&self.bytes[from..])
        }
    }
}

/// Trims white space at the end.
#[inline]
pub(crate) fn trim_end(bytes: &[u8]) -> &[u8] {
    let kept = bytes
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    &bytes[..kept.map_or(0, |last| last + 1)]
}

/// A sink for callers that only need the verdict.
///
/// ```
/// use jsonx_core::engine::{Options, Stop, Validator, Verdict};
///
/// let mut validator = Validator::new(Options::default());
/// let stop = validator.check(b"[1, 2", &mut Verdict).unwrap_err();
/// assert!(matches!(stop, Stop::Invalid(error) if error.offset == 5));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Verdict;

impl Sink for Verdict {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, _: Mode) -> Interest {
        Interest::default()
    }

    fn chunk(&mut self, _: &Chunk<'_>) -> Result<(), Infallible> {
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Options, Validator};

    /// Requests tokens and their first bytes of every other chunk, and walks over the tokens of all chunks.
    #[derive(Default)]
    struct EveryOther {
        chunks: usize,
        tokens: Vec<usize>,
    }

    impl Sink for EveryOther {
        type Error = Infallible;
        type Output = Self;

        fn interest(&self, _: Mode) -> Interest {
            Interest {
                offsets: self.chunks.is_multiple_of(2),
                firsts: self.chunks.is_multiple_of(2),
                ..Interest::default()
            }
        }

        fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
            assert_eq!(chunk.firsts.is_empty(), !self.chunks.is_multiple_of(2));
            self.tokens.push(chunk.tokens().count());
            self.chunks += 1;
            Ok(())
        }

        fn finish(self) -> Result<Self, Self::Error> {
            Ok(self)
        }
    }

    #[test]
    fn a_chunk_has_no_tokens_that_were_not_requested() {
        let block = format!("[{}],{}", "0,".repeat(20) + "0", " ".repeat(20));
        let text = format!("[{}0]", block.repeat(4));
        let mut sink = EveryOther::default();
        let mut validator = Validator::new(Options::default());
        for block in text.as_bytes()[..256].chunks(64) {
            validator.write(block, &mut sink).unwrap();
        }
        assert_eq!(sink.tokens, [45, 0, 44, 0]);
    }
}
