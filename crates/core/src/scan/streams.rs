//! The compact streams that a scan fills, and the selection of those that a consumer needs.

use super::buffer::Buffer;
use crate::kernel::BLOCK;

/// The streams that a [`Sink`](crate::engine::Sink) needs besides the verdict. Each costs time: request only those in use.
///
/// ```
/// use jsonx_core::engine::Interest;
///
/// let offsets = Interest { offsets: true, ..Interest::default() };
/// assert!(!offsets.minified);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interest {
    /// The offsets of the tokens.
    pub offsets: bool,
    /// The text without the white space between tokens.
    pub minified: bool,
    /// The offsets of the structural bytes in the minified text.
    pub structurals: bool,
    /// As `minified`, but with the line feeds, for JSON Lines. Has no effect together with other streams.
    pub lines: bool,
    /// A mask of the first bytes of tokens, for a consumer that needs the offsets of few tokens: a fifth of the cost of
    /// `offsets`.
    pub firsts: bool,
    /// The text with its comments and trailing commas. All comments after a comma are buffered until the next token.
    pub source: bool,
    /// The streams for the lints of other crates: the offsets of strings, a mask of the bytes of numbers and literals, and
    /// whether there are long numbers. Costs less than the offsets of all tokens.
    pub lints: bool,
}

impl Interest {
    /// The streams of either, for several consumers of one text.
    ///
    /// ```
    /// use jsonx_core::engine::Interest;
    ///
    /// let offsets = Interest { offsets: true, ..Interest::default() };
    /// let firsts = Interest { firsts: true, ..Interest::default() };
    /// let both = offsets.union(firsts);
    /// assert!(both.offsets && both.firsts && !both.minified);
    /// ```
    #[must_use]
    pub fn union(self, other: Interest) -> Interest {
        Interest {
            offsets: self.offsets | other.offsets,
            minified: self.minified | other.minified,
            structurals: self.structurals | other.structurals,
            lines: self.lines | other.lines,
            firsts: self.firsts | other.firsts,
            source: self.source | other.source,
            lints: self.lints | other.lints,
        }
    }

    /// These streams without `lines`, unless no other stream is asked for: text with line feeds has other offsets. Its sink
    /// then works token by token.
    pub(crate) fn compatible(self) -> Interest {
        let others = Interest {
            lines: false,
            source: false,
            ..self
        };
        let has_others = others != Interest::default();
        Interest {
            lines: self.lines && !has_others,
            offsets: self.offsets || self.lines && has_others,
            ..self
        }
    }

    /// Whether the scan copies text.
    fn copies(self) -> bool {
        self.minified || self.structurals || self.lines
    }
}

/// A compile-time preset of streams: kinds and scalars always, the others if enabled.
pub(crate) trait Outputs {
    const OFFSETS: bool = false;
    const MINIFIED: bool = false;
    const STRUCTURALS: bool = false;
    /// Minified text keeps its line feeds.
    const LINES: bool = false;
    const FIRSTS: bool = false;
    const LINTS: bool = false;
    /// The offsets are those of brackets and of the first bytes of values.
    const STARTS: bool = false;
    /// The offsets are those for a walk over values: see [`outputs::Values`].
    const VALUES: bool = false;
    /// UTF-8 is checked.
    const UTF8: bool = true;
}

/// The presets, one for each set of streams that a consumer uses.
pub(crate) mod outputs {
    use super::Outputs;

    /// For a verdict.
    pub(crate) struct Kinds;
    impl Outputs for Kinds {}

    /// For a walk over the tokens.
    pub(crate) struct Offsets;
    impl Outputs for Offsets {
        const OFFSETS: bool = true;
    }

    /// For an index of values: the offsets of brackets and of the first bytes of strings, numbers and literals.
    pub(crate) struct Starts;
    impl Outputs for Starts {
        const OFFSETS: bool = true;
        const STARTS: bool = true;
    }

    /// For a walk over values that needs no separators: the offsets and the bytes of brackets, of both quotes of a string, and of
    /// the first byte of numbers and literals. The caller has checked that the text is UTF-8.
    #[cfg(feature = "serde")]
    pub(crate) struct Values;
    #[cfg(feature = "serde")]
    impl Outputs for Values {
        const OFFSETS: bool = true;
        const VALUES: bool = true;
        const UTF8: bool = false;
    }

    /// For minified text.
    pub(crate) struct Minified;
    impl Outputs for Minified {
        const MINIFIED: bool = true;
    }

    /// For minified text of a stream of values.
    pub(crate) struct MinifiedTokens;
    impl Outputs for MinifiedTokens {
        const OFFSETS: bool = true;
        const MINIFIED: bool = true;
    }

    /// For minified text of JSON Lines.
    pub(crate) struct Lines;
    impl Outputs for Lines {
        const MINIFIED: bool = true;
        const LINES: bool = true;
    }

    /// For indented text.
    pub(crate) struct Structurals;
    impl Outputs for Structurals {
        const MINIFIED: bool = true;
        const STRUCTURALS: bool = true;
    }

    /// For indented text of a stream of values.
    pub(crate) struct StructuralTokens;
    impl Outputs for StructuralTokens {
        const OFFSETS: bool = true;
        const MINIFIED: bool = true;
        const STRUCTURALS: bool = true;
    }

    /// For a search for few tokens.
    #[cfg(feature = "query")]
    pub(crate) struct Firsts;
    #[cfg(feature = "query")]
    impl Outputs for Firsts {
        const FIRSTS: bool = true;
    }

    /// For the lints.
    pub(crate) struct Lints;
    impl Outputs for Lints {
        const LINTS: bool = true;
    }

    /// For the lints during a walk over the tokens.
    pub(crate) struct LintsTokens;
    impl Outputs for LintsTokens {
        const OFFSETS: bool = true;
        const LINTS: bool = true;
    }

    /// Any other set of streams: those without a buffer are not filled.
    pub(crate) struct All;
    impl Outputs for All {
        const OFFSETS: bool = true;
        const MINIFIED: bool = true;
        const STRUCTURALS: bool = true;
        const FIRSTS: bool = true;
        const LINTS: bool = true;
    }
}

/// The compact streams of one chunk. Each buffer has the capacity for the longest stream of a chunk plus one block, because
/// compressing writes whole blocks.
#[derive(Debug)]
pub(crate) struct Streams {
    /// One byte per token: its first byte.
    pub(crate) kinds: Buffer,
    pub(crate) tokens: usize,
    /// Offsets of the tokens, in bytes from the start of the chunk; with [`outputs::Starts`] and [`outputs::Values`] of their
    /// subset, the marks.
    pub(crate) offsets: Box<[u32]>,
    /// The number of marks.
    pub(crate) marks: usize,
    /// Numbers and literals with one space between them.
    pub(crate) scalars: Buffer,
    pub(crate) scalar_bytes: usize,
    /// The chunk without its insignificant white space; with [`outputs::Values`] the first byte of each mark.
    pub(crate) minified: Box<[u8]>,
    pub(crate) minified_bytes: usize,
    /// Offsets of the structural bytes in `minified`.
    pub(crate) structurals: Box<[u32]>,
    pub(crate) structural_count: usize,
    /// For each block, a mask of the first bytes of tokens.
    pub(crate) firsts: Box<[u64]>,
    /// Offsets of the opening quotes; with [`outputs::Values`] those of the closing quotes of strings with escapes.
    pub(crate) quotes: Box<[u32]>,
    pub(crate) quote_count: usize,
    /// For each block, a mask of its bytes that belong to numbers and literals.
    pub(crate) scalar_masks: Box<[u64]>,
    /// Number of root values in this chunk that start after another one.
    pub(crate) further_roots: u64,
}

impl Streams {
    /// Streams for chunks of at most `blocks` blocks, with the buffers that `interest` needs.
    pub(crate) fn new(blocks: usize, interest: Interest) -> Self {
        let bytes = blocks * BLOCK + BLOCK;
        let when = |needed| if needed { bytes } else { 0 };
        Streams {
            kinds: Buffer::new(bytes),
            tokens: 0,
            offsets: vec![0; when(interest.offsets)].into(),
            marks: 0,
            // One byte more than the text: the space after a run that ended with the previous chunk.
            scalars: Buffer::new(bytes + BLOCK),
            scalar_bytes: 0,
            minified: vec![0; when(interest.copies())].into(),
            minified_bytes: 0,
            structurals: vec![0; when(interest.structurals)].into(),
            structural_count: 0,
            firsts: vec![0; if interest.firsts { blocks } else { 0 }].into(),
            quotes: vec![0; when(interest.lints)].into(),
            quote_count: 0,
            scalar_masks: vec![0; if interest.lints { blocks } else { 0 }].into(),
            further_roots: 0,
        }
    }

    /// Whether the buffers are large enough for chunks of `blocks` blocks with this interest.
    pub(crate) fn fit(&self, blocks: usize, interest: Interest) -> bool {
        self.kinds.len() > blocks * BLOCK
            && (!interest.offsets || !self.offsets.is_empty())
            && (!interest.copies() || !self.minified.is_empty())
            && (!interest.structurals || !self.structurals.is_empty())
            && (!interest.firsts || self.firsts.len() >= blocks)
            && (!interest.lints || self.scalar_masks.len() >= blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Independent of the alignment of a buffer: that of kinds once seemed longer than those of other streams.
    #[test]
    fn streams_fit_no_longer_chunk() {
        let interest = Interest {
            offsets: true,
            ..Interest::default()
        };
        for blocks in 1..=128 {
            let streams = Streams::new(blocks, interest);
            assert!(streams.fit(blocks, interest) && !streams.fit(blocks + 1, interest));
        }
    }
    /// The text itself is no stream, so a comparison with it keeps the lines; beside other streams, their sink needs offsets.
    #[test]
    fn lines_are_kept_unless_another_stream_is_asked_for() {
        let lines = Interest {
            lines: true,
            source: true,
            ..Interest::default()
        };
        assert_eq!(lines.compatible(), lines);
        let both = Interest {
            firsts: true,
            ..lines
        };
        let expected = Interest {
            lines: false,
            offsets: true,
            ..both
        };
        assert_eq!(both.compatible(), expected);
    }
}
