//! Verified text kept for later, or for another thread.

use crate::kernel::Kernel;
use crate::token::{Before, Chunk, Contents};

/// Copies of chunks: their text and their tokens, in the order in which they came.
///
/// A chunk is lent to a [`Sink`](crate::Sink) while the text behind it has not been looked at. Who has something to do
/// with it that takes long keeps it here, and does it elsewhere.
///
/// ```
/// use jsonx_core::diagnose::Lints;
/// use jsonx_core::lint::Linter;
/// use jsonx_core::{Batch, Chunk, Options, Sink, Validator};
///
/// struct Keep(Batch);
/// impl Sink for Keep {
///     type Error = std::convert::Infallible;
///
///     fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
///         self.0.push(chunk);
///         Ok(())
///     }
/// }
///
/// let mut keep = Keep(Batch::default());
/// Validator::new(Options::default()).finish(br#"{"a": 1, "a": 2}"#, &mut keep).unwrap();
/// let linted = std::thread::spawn(move || {
///     let mut linter = Linter::new(Lints::ALL, 0);
///     for chunk in keep.0.chunks() {
///         let Ok(()) = linter.chunk(&chunk);
///     }
///     linter.finish()
/// });
/// assert_eq!(linted.join().unwrap().findings.len(), 1);
/// ```
#[derive(Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    kinds: Vec<u8>,
    offsets: Vec<u32>,
    heads: Vec<Head>,
}

/// What is known of a chunk, and how much of each vector is its own.
#[derive(Debug)]
struct Head {
    bytes: usize,
    kinds: usize,
    offsets: usize,
    offset: u64,
    kernel: Kernel,
    contents: Contents,
    before: Before,
    ends_in_string: bool,
    depth: u64,
    further_roots: u64,
}

impl Batch {
    /// Copies a chunk: its text, its tokens and their offsets, but neither the minified text nor the strings.
    ///
    /// ```
    /// use jsonx_core::{Batch, Chunk, Mode, Options, Sink, Validator, Interest};
    ///
    /// struct Keep(Batch);
    /// impl Sink for Keep {
    ///     type Error = std::convert::Infallible;
    ///
    ///     fn interest(&self, _: Mode) -> Interest {
    ///         Interest { offsets: true, minified: true, ..Interest::default() }
    ///     }
    ///
    ///     fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
    ///         assert_eq!(chunk.minified, b"[1,true]");
    ///         self.0.push(chunk);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut keep = Keep(Batch::default());
    /// Validator::new(Options::default()).finish(b"[1, true]", &mut keep).unwrap();
    /// let copy = keep.0.chunks().next().unwrap();
    /// assert_eq!((copy.bytes, copy.kinds, copy.offsets), (&b"[1, true]"[..], &b"[1,t]"[..], &[0, 1, 2, 4, 8][..]));
    /// assert_eq!(copy.minified, b"");
    /// ```
    pub fn push(&mut self, chunk: &Chunk<'_>) {
        self.bytes.extend_from_slice(chunk.bytes);
        self.kinds.extend_from_slice(chunk.kinds);
        self.offsets.extend_from_slice(chunk.offsets);
        self.heads.push(Head {
            bytes: chunk.bytes.len(),
            kinds: chunk.kinds.len(),
            offsets: chunk.offsets.len(),
            offset: chunk.offset,
            kernel: chunk.kernel,
            contents: chunk.contents,
            before: chunk.before,
            ends_in_string: chunk.ends_in_string,
            depth: chunk.depth,
            further_roots: chunk.further_roots,
        });
    }

    /// How many bytes of text are kept, white space included.
    ///
    /// ```
    /// # use jsonx_core::{Batch, Chunk, Options, Sink, Validator};
    /// # struct Keep(Batch);
    /// # impl Sink for Keep {
    /// #     type Error = std::convert::Infallible;
    /// #     fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
    /// #         self.0.push(chunk);
    /// #         Ok(())
    /// #     }
    /// # }
    /// let mut keep = Keep(Batch::default());
    /// Validator::new(Options::default()).finish(b"[1, true]\n", &mut keep).unwrap();
    /// assert_eq!(keep.0.len(), 10);
    /// ```
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is no chunk. The chunk of an empty text is one.
    ///
    /// ```
    /// # use jsonx_core::{Batch, Chunk, Mode, Options, Sink, Validator};
    /// # struct Keep(Batch);
    /// # impl Sink for Keep {
    /// #     type Error = std::convert::Infallible;
    /// #     fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
    /// #         self.0.push(chunk);
    /// #         Ok(())
    /// #     }
    /// # }
    /// let mut keep = Keep(Batch::default());
    /// assert!(keep.0.is_empty());
    /// Validator::new(Options::default().mode(Mode::Stream)).finish(b"", &mut keep).unwrap();
    /// assert_eq!((keep.0.is_empty(), keep.0.len()), (false, 0));
    /// ```
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Forgets all chunks, and keeps the memory.
    ///
    /// ```
    /// # use jsonx_core::{Batch, Chunk, Options, Sink, Validator};
    /// # struct Keep(Batch);
    /// # impl Sink for Keep {
    /// #     type Error = std::convert::Infallible;
    /// #     fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
    /// #         self.0.push(chunk);
    /// #         Ok(())
    /// #     }
    /// # }
    /// let mut keep = Keep(Batch::default());
    /// for text in ["[1, 2]", "{}"] {
    ///     keep.0.clear();
    ///     Validator::new(Options::default()).finish(text.as_bytes(), &mut keep).unwrap();
    /// }
    /// let bytes: Vec<&[u8]> = keep.0.chunks().map(|chunk| chunk.bytes).collect();
    /// assert_eq!(bytes, [b"{}"]);
    /// ```
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.kinds.clear();
        self.offsets.clear();
        self.heads.clear();
    }

    /// The chunks, in the order in which they came, for any sink.
    ///
    /// ```
    /// # use jsonx_core::{Batch, Chunk, Options, Sink, Validator};
    /// # struct Keep(Batch);
    /// # impl Sink for Keep {
    /// #     type Error = std::convert::Infallible;
    /// #     fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
    /// #         self.0.push(chunk);
    /// #         Ok(())
    /// #     }
    /// # }
    /// let text = format!("[{}0]", "10, ".repeat(5000));
    /// let mut keep = Keep(Batch::default());
    /// Validator::new(Options::default()).finish(text.as_bytes(), &mut keep).unwrap();
    /// let (mut end, mut numbers) = (0, 0);
    /// for chunk in keep.0.chunks() {
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
        self.heads.iter().map(move |head| Chunk {
            bytes: front(&mut bytes, head.bytes),
            offset: head.offset,
            kinds: front(&mut kinds, head.kinds),
            offsets: front(&mut offsets, head.offsets),
            minified: &[],
            structurals: &[],
            strings: &[],
            minified_wide: &[],
            kernel: head.kernel,
            contents: head.contents,
            before: head.before,
            ends_in_string: head.ends_in_string,
            depth: head.depth,
            further_roots: head.further_roots,
        })
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
    use crate::{Options, Sink, Validator};

    /// What a sink sees of a chunk.
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

        fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
            self.0.push(chunk);
            self.1.push(seen(chunk));
            Ok(())
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
            .finish(text.as_bytes(), &mut both)
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
}
