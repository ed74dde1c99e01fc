//! Copies of verified text, for later or for another thread.

use core::convert::Infallible;
use core::ops::Range;

use crate::kernel::BLOCK;
use crate::token::{Chunk, Interest, Mode, Sink};

/// Copies of chunks: their text and their tokens, in order.
///
/// A [`Sink`] borrows a chunk while the validator waits. For work that takes long, copy it here and do the work on another
/// thread. A copy takes the memory of the text, and five bytes per token if offsets are requested.
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
    /// The streams of all chunks, by the type of their items.
    bytes: Vec<u8>,
    offsets: Vec<u32>,
    masks: Vec<u64>,
    chunks: Vec<Stored>,
}

impl Default for Batch {
    /// A batch that requests the offsets of tokens.
    fn default() -> Self {
        Batch::new(Interest {
            offsets: true,
            ..Interest::default()
        })
    }
}

/// A chunk without its streams, and their ranges in the vectors of the batch.
#[derive(Debug)]
struct Stored {
    chunk: Chunk<'static>,
    bytes: Range<usize>,
    source: Range<usize>,
    kinds: Range<usize>,
    minified: Range<usize>,
    offsets: Range<usize>,
    structurals: Range<usize>,
    quotes: Range<usize>,
    strings: Range<usize>,
    firsts: Range<usize>,
    scalars: Range<usize>,
}

impl Batch {
    /// An empty batch. As a sink, it requests `interest`, which should be that of the sink that will receive the copies: that
    /// sink is then as fast as without the batch. A sink that needs other streams recomputes the tokens byte by byte; without
    /// [`Interest::source`], comments are lost.
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
            offsets: Vec::new(),
            masks: Vec::new(),
            chunks: Vec::new(),
        }
    }

    /// Copies a chunk, with all streams that its sink requested.
    ///
    /// ```
    /// use jsonx_core::engine::{Batch, Options, Validator};
    ///
    /// let batch = Validator::new(Options::default()).check(b"[1, true]", Batch::default()).unwrap();
    /// let copy = batch.chunks().next().unwrap();
    /// assert_eq!((copy.bytes, copy.kinds, copy.offsets), (&b"[1, true]"[..], &b"[1,t]"[..], &[0, 1, 2, 4, 8][..]));
    /// ```
    pub fn push(&mut self, chunk: &Chunk<'_>) {
        let bytes = &mut self.bytes;
        let stored = Stored {
            bytes: append(bytes, chunk.bytes),
            source: append(bytes, chunk.source),
            kinds: append(bytes, chunk.kinds),
            minified: append(bytes, chunk.minified),
            offsets: append(&mut self.offsets, chunk.offsets),
            structurals: append(&mut self.offsets, chunk.structurals),
            quotes: append(&mut self.offsets, chunk.quotes),
            strings: append(&mut self.masks, chunk.strings),
            firsts: append(&mut self.masks, chunk.firsts),
            scalars: append(&mut self.masks, chunk.scalars),
            chunk: Chunk {
                bytes: &[],
                source: &[],
                kinds: &[],
                minified: &[],
                minified_wide: &[],
                offsets: &[],
                structurals: &[],
                quotes: &[],
                strings: &[],
                firsts: &[],
                scalars: &[],
                ..*chunk
            },
        };
        if !stored.minified.is_empty() {
            self.bytes.extend_from_slice(&[0; BLOCK]);
        }
        self.chunks.push(stored);
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
        self.chunks.iter().map(|stored| stored.bytes.len()).sum()
    }

    /// Whether there are no chunks. An empty text has one chunk.
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
        self.chunks.is_empty()
    }

    /// Removes all chunks and retains the memory.
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
        self.offsets.clear();
        self.masks.clear();
        self.chunks.clear();
    }

    /// The chunks in order, for any sink.
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
        let bytes = |range: &Range<usize>| &self.bytes[range.clone()];
        let offsets = |range: &Range<usize>| &self.offsets[range.clone()];
        let masks = |range: &Range<usize>| &self.masks[range.clone()];
        self.chunks.iter().map(move |stored| Chunk {
            bytes: bytes(&stored.bytes),
            source: bytes(&stored.source),
            kinds: bytes(&stored.kinds),
            minified: bytes(&stored.minified),
            minified_wide: &self.bytes[stored.minified.start..],
            offsets: offsets(&stored.offsets),
            structurals: offsets(&stored.structurals),
            quotes: offsets(&stored.quotes),
            strings: masks(&stored.strings),
            firsts: masks(&stored.firsts),
            scalars: masks(&stored.scalars),
            ..stored.chunk
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

/// Appends items, and returns their range.
fn append<T: Copy>(all: &mut Vec<T>, items: &[T]) -> Range<usize> {
    let start = all.len();
    all.extend_from_slice(items);
    start..all.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Options, Stop, Validator};
    use crate::format::{FormatCheck, Formatter, Indent, Style};

    /// The fields of a chunk that a sink receives.
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
    fn batches_preserve_chunks() {
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

    /// Passes `text` to a sink through a batch.
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
