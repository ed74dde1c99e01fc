//! Copies of verified text, for later or for another thread.

use core::convert::Infallible;

use crate::kernel::{BLOCK, Kernel};
use crate::token::{Chunk, ChunkContext, ChunkFlags, Interest, Mode, Sink};

/// Copies of chunks: their text and their tokens, in order.
///
/// A [`Sink`] borrows a chunk while the validator waits. For work that takes long, copy it here and do the work on another
/// thread. A copy costs as much memory as the text, and five bytes for each token
/// where offsets are asked for.
///
/// ```
/// use jsonx_core::diagnose::Lints;
/// use jsonx_core::lint::Linter;
/// use jsonx_core::engine::{Batch, Options, Sink, Validator};
///
/// let text = br#"{"a": 1, "a": 2}"#;
/// let batch = Validator::new(Options::default()).check(text, Batch::default()).unwrap();
/// let linted = std::thread::spawn(move || {
///     let mut linter = Linter::new(Lints::ALL, 0);
///     for chunk in batch.chunks() {
///         let Ok(()) = linter.chunk(&chunk);
///     }
///     linter.finish()
/// });
/// assert_eq!(linted.join().unwrap().findings.len(), 1);
/// ```
#[derive(Debug)]
pub struct Batch {
    interest: Interest,
    bytes: Vec<u8>,
    source: Vec<u8>,
    kinds: Vec<u8>,
    offsets: Vec<u32>,
    /// Followed by a block of arbitrary bytes, unless empty.
    minified: Vec<u8>,
    structurals: Vec<u32>,
    strings: Vec<u64>,
    firsts: Vec<u64>,
    quotes: Vec<u32>,
    scalars: Vec<u64>,
    heads: Vec<Head>,
}

impl Default for Batch {
    /// A batch that asks for the offsets of tokens.
    fn default() -> Self {
        Batch::new(Interest {
            offsets: true,
            ..Interest::default()
        })
    }
}

/// The fields of a chunk, and the length of its part of each vector.
#[derive(Debug)]
struct Head {
    bytes: usize,
    source: usize,
    kinds: usize,
    offsets: usize,
    minified: usize,
    structurals: usize,
    strings: usize,
    firsts: usize,
    quotes: usize,
    scalars: usize,
    offset: u64,
    kernel: Kernel,
    interest: Interest,
    flags: ChunkFlags,
    before: ChunkContext,
    ends_in_string: bool,
    depth: u64,
    further_roots: u64,
}

impl Batch {
    /// An empty batch. As a sink it asks for `interest`: that of the sink that the copies are for, which is then as fast as
    /// without the batch. A sink that needs other streams finds the tokens again, byte by byte; comments are lost without
    /// [`Interest::source`].
    ///
    /// ```
    /// use jsonx_core::engine::{Batch, Mode, Options, Sink, Validator};
    /// use jsonx_core::format::{Formatter, Style};
    ///
    /// let mut formatter = Formatter::new(Style::Compact, Vec::new());
    /// let batch = Batch::new(formatter.interest(Mode::One));
    /// let batch = Validator::new(Options::default()).check(b"[1, true]", batch).unwrap();
    /// for chunk in batch.chunks() {
    ///     formatter.chunk(&chunk).unwrap();
    /// }
    /// assert_eq!(formatter.finish().unwrap(), b"[1,true]\n");
    /// ```
    pub fn new(interest: Interest) -> Self {
        Batch {
            interest,
            bytes: Vec::new(),
            source: Vec::new(),
            kinds: Vec::new(),
            offsets: Vec::new(),
            minified: Vec::new(),
            structurals: Vec::new(),
            strings: Vec::new(),
            firsts: Vec::new(),
            quotes: Vec::new(),
            scalars: Vec::new(),
            heads: Vec::new(),
        }
    }

    /// Copies a chunk, with all that its sink was interested in.
    ///
    /// ```
    /// use jsonx_core::engine::{Batch, Options, Validator};
    ///
    /// let batch = Validator::new(Options::default()).check(b"[1, true]", Batch::default()).unwrap();
    /// let copy = batch.chunks().next().unwrap();
    /// assert_eq!((copy.bytes, copy.kinds, copy.offsets), (&b"[1, true]"[..], &b"[1,t]"[..], &[0, 1, 2, 4, 8][..]));
    /// ```
    pub fn push(&mut self, chunk: &Chunk<'_>) {
        self.bytes.extend_from_slice(chunk.bytes);
        self.source.extend_from_slice(chunk.source);
        self.kinds.extend_from_slice(chunk.kinds);
        self.offsets.extend_from_slice(chunk.offsets);
        if !chunk.minified.is_empty() {
            self.minified
                .truncate(self.minified.len().saturating_sub(BLOCK));
            self.minified.extend_from_slice(chunk.minified);
            self.minified.extend_from_slice(&[0; BLOCK]);
        }
        self.structurals.extend_from_slice(chunk.structurals);
        self.strings.extend_from_slice(chunk.strings);
        self.firsts.extend_from_slice(chunk.firsts);
        self.quotes.extend_from_slice(chunk.quotes);
        self.scalars.extend_from_slice(chunk.scalars);
        self.heads.push(Head {
            bytes: chunk.bytes.len(),
            source: chunk.source.len(),
            kinds: chunk.kinds.len(),
            offsets: chunk.offsets.len(),
            minified: chunk.minified.len(),
            structurals: chunk.structurals.len(),
            strings: chunk.strings.len(),
            firsts: chunk.firsts.len(),
            quotes: chunk.quotes.len(),
            scalars: chunk.scalars.len(),
            offset: chunk.offset,
            kernel: chunk.kernel,
            interest: chunk.interest,
            flags: chunk.flags,
            before: chunk.before,
            ends_in_string: chunk.ends_in_string,
            depth: chunk.depth,
            further_roots: chunk.further_roots,
        });
    }

    /// The number of bytes of text copied, white space included.
    ///
    /// ```
    /// use jsonx_core::engine::{Batch, Options, Validator};
    ///
    /// let mut batch = Batch::default();
    /// Validator::new(Options::default()).check(b"[1, true]\n", &mut batch).unwrap();
    /// assert_eq!(batch.len(), 10);
    /// ```
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is no chunk. The chunk of an empty text is one.
    ///
    /// ```
    /// use jsonx_core::engine::{Batch, Mode, Options, Validator};
    ///
    /// let mut batch = Batch::default();
    /// assert!(batch.is_empty());
    /// Validator::new(Options::default().mode(Mode::Stream)).check(b"", &mut batch).unwrap();
    /// assert_eq!((batch.is_empty(), batch.len()), (false, 0));
    /// ```
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Removes all chunks and keeps the memory.
    ///
    /// ```
    /// use jsonx_core::engine::{Batch, Options, Validator};
    ///
    /// let mut batch = Batch::default();
    /// for text in ["[1, 2]", "{}"] {
    ///     batch.clear();
    ///     Validator::new(Options::default()).check(text.as_bytes(), &mut batch).unwrap();
    /// }
    /// let bytes: Vec<&[u8]> = batch.chunks().map(|chunk| chunk.bytes).collect();
    /// assert_eq!(bytes, [b"{}"]);
    /// ```
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.source.clear();
        self.kinds.clear();
        self.offsets.clear();
        self.minified.clear();
        self.structurals.clear();
        self.strings.clear();
        self.firsts.clear();
        self.quotes.clear();
        self.scalars.clear();
        self.heads.clear();
    }

    /// The chunks, in their order, for any sink.
    ///
    /// ```
    /// use jsonx_core::engine::{Batch, Options, Validator};
    ///
    /// let text = format!("[{}0]", "10, ".repeat(5000));
    /// let mut batch = Batch::default();
    /// Validator::new(Options::default()).check(text.as_bytes(), &mut batch).unwrap();
    /// let (mut end, mut numbers) = (0, 0);
    /// for chunk in batch.chunks() {
    ///     // One begins where the one before it ended.
    ///     assert_eq!(chunk.offset, end);
    ///     end += chunk.bytes.len() as u64;
    ///     numbers += chunk.kinds.iter().filter(|kind| kind.is_ascii_digit()).count();
    /// }
    /// assert_eq!((end, numbers), (text.len() as u64, 5001));
    /// ```
    pub fn chunks(&self) -> impl Iterator<Item = Chunk<'_>> {
        let (mut bytes, mut kinds, mut offsets) =
            (&self.bytes[..], &self.kinds[..], &self.offsets[..]);
        let mut source = &self.source[..];
        let (mut minified, mut structurals, mut strings) =
            (&self.minified[..], &self.structurals[..], &self.strings[..]);
        let mut firsts = &self.firsts[..];
        let (mut quotes, mut scalars) = (&self.quotes[..], &self.scalars[..]);
        self.heads.iter().map(move |head| Chunk {
            bytes: front(&mut bytes, head.bytes),
            source: front(&mut source, head.source),
            offset: head.offset,
            kinds: front(&mut kinds, head.kinds),
            offsets: front(&mut offsets, head.offsets),
            minified_wide: minified,
            minified: front(&mut minified, head.minified),
            structurals: front(&mut structurals, head.structurals),
            strings: front(&mut strings, head.strings),
            firsts: front(&mut firsts, head.firsts),
            quotes: front(&mut quotes, head.quotes),
            scalars: front(&mut scalars, head.scalars),
            kernel: head.kernel,
            interest: head.interest,
            flags: head.flags,
            before: head.before,
            ends_in_string: head.ends_in_string,
            depth: head.depth,
            further_roots: head.further_roots,
        })
    }
}

/// Copies all chunks of a text.
impl Sink for Batch {
    type Error = Infallible;
    type Output = Self;

    fn interest(&self, _: Mode) -> Interest {
        self.interest
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.push(chunk);
        Ok(())
    }

    fn finish(self) -> Result<Self, Infallible> {
        Ok(self)
    }
}

/// Takes the first `count` items off a slice.
fn front<'a, T>(slice: &mut &'a [T], count: usize) -> &'a [T] {
    let (first, rest) = slice.split_at(count);
    *slice = rest;
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Options, Stop, Validator};
    use crate::format::{FormatCheck, Formatter, Indent, Style};

    /// The part of a chunk that a sink sees.
    type Seen = (u64, Vec<u8>, Vec<u8>, Vec<u32>, bool, u64, u64);

    fn seen(chunk: &Chunk<'_>) -> Seen {
        (
            chunk.offset,
            chunk.bytes.to_vec(),
            chunk.kinds.to_vec(),
            chunk.offsets.to_vec(),
            chunk.ends_in_string,
            chunk.depth,
            chunk.further_roots,
        )
    }

    #[derive(Default)]
    struct Both(Batch, Vec<Seen>);

    impl Sink for Both {
        type Error = core::convert::Infallible;
        type Output = Self;

        fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
            self.0.push(chunk);
            self.1.push(seen(chunk));
            Ok(())
        }

        fn finish(self) -> Result<Self, Self::Error> {
            Ok(self)
        }
    }

    #[test]
    fn what_comes_out_is_what_went_in() {
        let text = format!(
            "[{}]",
            r#"{"a\u0041": [1, -2.5e3, "x"]}, "#.repeat(3000) + "null"
        );
        let mut both = Both::default();
        Validator::new(Options::default())
            .check(text.as_bytes(), &mut both)
            .unwrap();
        assert!(both.1.len() > 5);
        assert_eq!(both.0.len(), text.len());
        assert_eq!(
            both.0
                .chunks()
                .map(|chunk| seen(&chunk))
                .collect::<Vec<_>>(),
            both.1
        );
        both.0.clear();
        assert!(both.0.is_empty() && both.0.chunks().next().is_none());
    }

    /// Chunk after chunk of `text`, by way of a batch.
    fn replayed<S: Sink>(text: &[u8], mode: Mode, mut sink: S) -> Result<S::Output, S::Error> {
        let validator = Validator::new(Options::default().mode(mode));
        let batch = Batch::new(sink.interest(mode));
        let batch = validator.check(text, batch).unwrap();
        for chunk in batch.chunks() {
            sink.chunk(&chunk)?;
        }
        sink.finish()
    }

    #[test]
    fn copies_serve_every_sink() {
        let text = format!(
            "{}[1, 2] {{ }}",
            r#"{"a\u0041": [ 1, -2.5e3, "x" ]} "#.repeat(900)
        );
        let text = text.as_bytes();
        let indent = Indent::Spaces(2);
        for mode in [Mode::One, Mode::Stream] {
            let text = match mode {
                Mode::One => &[b"[", &text[..32], b", 1]"].concat(),
                Mode::Stream => text,
            };
            for style in [Style::Compact, Style::Pretty(indent)] {
                let validator = || Validator::new(Options::default().mode(mode));
                let formatter = || Formatter::new(style, Vec::new());
                let formatted = validator().check(text, formatter()).unwrap();
                assert_eq!(replayed(text, mode, formatter()), Ok(formatted.clone()));
                for text in [text, &formatted] {
                    let check = || FormatCheck::new(style);
                    let expected = validator().check(text, check());
                    assert_eq!(replayed(text, mode, check()).map_err(Stop::Sink), expected);
                }
            }
        }
    }
}
