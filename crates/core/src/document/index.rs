//! The index of a document: one word for each scalar and key, two for each container, in the order of the text.
//!
//! ```text
//! text    {"a": [1, "b"], "c": {}}
//!
//! words   0 object  at 0  length 24      8 bytes: kind, offset, and of a container its length
//!         1         children 2  skip 9     and of a container 8 more: how many children, the word after it
//!         2 string  at 1                 the key "a"
//!         3 array   at 6  length 8
//!         4         children 2  skip 7
//!         5 number  at 7
//!         6 string  at 10
//!         7 string  at 16                the key "c"
//!         8 object  …
//! ```
//!
//! The end of a scalar is computed on request, because most are never needed, and the kernel yields the offsets of first bytes
//! at little cost. Lengths that do not fit (containers of 2 MiB and more) are in a separate table. While a container is open,
//! its second word holds the index of the enclosing container, so depth needs no extra memory.

use crate::jsonc::{Dialect, blank};
use crate::string;
use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::Kind;
use crate::window::{Options, Preset, STEP, StructuralIndex, Validator};

/// ```text
/// 63  61 60        40 39                     0
/// [kind] [  length  ] [        offset        ]      of a scalar, no length
///        [ children ] [         skip         ]      63 to 40
/// ```
const OFFSET_BITS: u32 = 40;
const OFFSET: u64 = (1 << OFFSET_BITS) - 1;
const LENGTH_BITS: u32 = 21;
/// Also marks a length stored in the table.
const LONG: u64 = (1 << LENGTH_BITS) - 1;
const KIND_SHIFT: u32 = OFFSET_BITS + LENGTH_BITS;
/// The maximum number of children that fits; also stands for more.
const MANY: u64 = (1 << (64 - OFFSET_BITS)) - 1;

/// Upper bound of the length of a text: 1 TiB.
pub(super) const LONGEST_TEXT: u64 = 1 << OFFSET_BITS;

#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// Whether the text may have comments.
    dialect: Dialect,
    words: Vec<u64>,
    /// The word indices of containers of `LONG` bytes and more, ascending, and the offsets of their ends.
    long: Vec<(usize, u64)>,
}

impl Index {
    /// Checks a text and builds its index.
    ///
    /// # Errors
    /// The text is invalid or too long.
    pub(crate) fn new(text: &[u8], options: Options) -> Result<Index, SyntaxError> {
        if options.dialect.allows_comments() {
            let mut blanked = text.to_vec();
            blank(&mut blanked, options.dialect)?;
            let index = Index::new(&blanked, options.dialect(Dialect::Json))?;
            let dialect = options.dialect;
            return Ok(Index { dialect, ..index });
        }
        if text.len() as u64 >= LONGEST_TEXT {
            return Err(SyntaxError {
                kind: ErrorKind::TooLong,
                offset: LONGEST_TEXT,
            });
        }
        let mut builder = Builder::with_room(text.len() / BYTES_PER_WORD);
        let mut validator = Validator::new(options);
        let (chunks, rest) = text.as_chunks::<STEP>();
        for bytes in chunks {
            validator.index(bytes, Preset::Starts, |index| builder.starts(bytes, index))?;
        }
        validator.index(rest, Preset::Starts, |index| builder.starts(rest, index))?;
        Ok(builder.finish())
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    #[inline]
    pub(crate) fn kind(&self, at: usize) -> Kind {
        match self.words[at] >> KIND_SHIFT {
            0 => Kind::Null,
            1 => Kind::Boolean,
            2 => Kind::Number,
            3 => Kind::String,
            4 => Kind::Array,
            _ => Kind::Object,
        }
    }

    #[inline]
    fn is_container(&self, at: usize) -> bool {
        self.words[at] >> KIND_SHIFT >= 4
    }

    /// The offset of the first byte of a value.
    #[inline]
    pub(crate) fn start(&self, at: usize) -> usize {
        (self.words[at] & OFFSET) as usize
    }

    /// The range of a value in the text.
    #[inline]
    pub(crate) fn span(&self, text: &[u8], at: usize) -> core::ops::Range<usize> {
        let start = self.start(at);
        let end = match self.words[at] >> OFFSET_BITS & LONG {
            _ if !self.is_container(at) => scalar_end(text, start),
            LONG => self.long_end(at) as usize,
            length => start + length as usize,
        };
        start..end
    }

    #[cold]
    fn long_end(&self, at: usize) -> u64 {
        let found = self.long.binary_search_by_key(&at, |(word, _)| *word);
        found.map_or(0, |place| self.long[place].1)
    }

    /// The index of the word after a value: that of the next key or value, possibly outside the enclosing container.
    #[inline]
    pub(crate) fn skip(&self, at: usize) -> usize {
        if self.is_container(at) {
            (self.words[at + 1] & OFFSET) as usize
        } else {
            at + 1
        }
    }

    /// The word indices of the contents of a container; empty for a scalar.
    #[inline]
    pub(crate) fn inside(&self, at: usize) -> core::ops::Range<usize> {
        if self.is_container(at) {
            at + 2..(self.words[at + 1] & OFFSET) as usize
        } else {
            at..at
        }
    }

    /// The number of elements of an array or members of an object; 0 for a scalar.
    #[inline]
    pub(crate) fn children(&self, at: usize) -> usize {
        if !self.is_container(at) {
            return 0;
        }
        match self.words[at + 1] >> OFFSET_BITS {
            MANY => self.count_children(at),
            few => few as usize,
        }
    }

    #[cold]
    fn count_children(&self, at: usize) -> usize {
        let keyed = usize::from(self.kind(at) == Kind::Object);
        let inside = self.inside(at);
        let next = |child: usize| Some(self.skip(child + keyed)).filter(|&next| next < inside.end);
        core::iter::successors(Some(inside.start), |&child| next(child)).count()
    }

    /// The number of words.
    pub(super) fn words(&self) -> usize {
        self.words.len()
    }
}

/// The bytes of numbers and literals. A table takes a third of the time of comparisons.
const IN_SCALAR: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let is_sign = matches!(byte as u8, b'+' | b'-' | b'.');
        table[byte] = is_sign || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// The offset of the byte after the scalar or key that begins at `start`.
fn scalar_end(text: &[u8], start: usize) -> usize {
    match text.get(start) {
        // The text has been checked.
        Some(b'"') => string::end(text, start + 1).map_or(text.len(), |quote| quote + 1),
        _ => {
            let rest = text.get(start..).unwrap_or_default();
            let end = rest.iter().position(|&byte| !IN_SCALAR[usize::from(byte)]);
            end.map_or(text.len(), |end| start + end)
        }
    }
}

/// Builds the index of a text during its verification.
#[derive(Debug)]
pub(super) struct Builder {
    /// The words so far, and zeros as capacity for those of a chunk.
    index: Index,
    /// The number of words so far.
    length: usize,
    /// The word index of the innermost open container, whose second word holds that of the enclosing one in its low bits;
    /// `ROOT` if none is open.
    open: u64,
    /// The keys and values in that container so far.
    children: u64,
    /// The number of open containers, and its maximum, if [`add`](Builder::add) counts them.
    depth: u64,
    deepest: u64,
}

/// No container is open.
const ROOT: u64 = OFFSET;

/// The kind of the token that a byte begins, shifted to the kind bits. All other bytes begin numbers.
const KINDS: [u64; 256] = {
    let mut kinds = [2 << KIND_SHIFT; 256];
    kinds[b'n' as usize] = 0;
    kinds[b't' as usize] = 1 << KIND_SHIFT;
    kinds[b'f' as usize] = 1 << KIND_SHIFT;
    kinds[b'"' as usize] = 3 << KIND_SHIFT;
    kinds[b'[' as usize] = ARRAY;
    kinds[b'{' as usize] = OBJECT;
    kinds[b']' as usize] = CLOSE;
    kinds[b'}' as usize] = CLOSE;
    kinds[b',' as usize] = SEPARATOR;
    kinds[b':' as usize] = SEPARATOR;
    kinds
};

const ARRAY: u64 = 4 << KIND_SHIFT;
const OBJECT: u64 = 5 << KIND_SHIFT;
/// Pseudo-kinds besides the kinds of values.
const CLOSE: u64 = 6 << KIND_SHIFT;
const SEPARATOR: u64 = 7 << KIND_SHIFT;

/// Bytes of text per word of the index reserved initially.
const BYTES_PER_WORD: usize = 16;

impl Builder {
    /// An empty index, with capacity for this many words.
    pub(super) fn with_room(words: usize) -> Builder {
        let mut index = Index::default();
        // Growing costs more than unused capacity.
        index.words.reserve(words);
        Builder {
            index,
            length: 0,
            open: ROOT,
            children: 0,
            depth: 0,
            deepest: 0,
        }
    }

    /// Adds the values that start in a chunk.
    fn starts(&mut self, bytes: &[u8], index: &StructuralIndex<'_>) {
        let first = |&start: &u32| bytes.get(start as usize).copied().unwrap_or_default();
        let tokens = index.offsets.iter().map(|start| (first(start), *start));
        self.add::<false>(index.start, tokens);
    }

    /// Adds the tokens of a chunk at this offset: first bytes and offsets in the chunk. With `CONSUMER`, they are those of a
    /// consumer, with separators, and the depth is counted; a document takes 4 % longer with both.
    #[inline]
    pub(super) fn add<const CONSUMER: bool>(
        &mut self,
        offset: u64,
        tokens: impl ExactSizeIterator<Item = (u8, u32)>,
    ) {
        let mut next = self.length;
        let most = next + 2 * tokens.len();
        let words = &mut self.index.words;
        let more = most.saturating_sub(words.len());
        // Words are written by index, which is faster than `push`.
        words.resize(words.len() + more, 0);
        let words = &mut words[..];
        let (mut open, mut children) = (self.open, self.children);
        let (mut depth, mut deepest) = (self.depth, self.deepest);
        for (first, start) in tokens {
            let at = offset + u64::from(start);
            let kind = KINDS[usize::from(first)];
            if kind >= CLOSE {
                if CONSUMER && kind == SEPARATOR {
                    continue;
                }
                let container = open as usize;
                let Some([word, second]) = words.get_mut(container..).and_then(pair) else {
                    break;
                };
                let around = *second;
                let count = match children {
                    MANY.. => MANY,
                    few => few >> u32::from(*word >> KIND_SHIFT == OBJECT >> KIND_SHIFT),
                };
                *second = count << OFFSET_BITS | next as u64;
                let length = at + 1 - (*word & OFFSET);
                *word |= length.min(LONG) << OFFSET_BITS;
                if length >= LONG {
                    self.index.long.push((container, at + 1));
                }
                open = around & OFFSET;
                children = around >> OFFSET_BITS;
                if CONSUMER {
                    depth -= 1;
                }
                continue;
            }
            let Some([word, second]) = words.get_mut(next..).and_then(pair) else {
                break;
            };
            children += 1;
            *word = kind | at;
            next += 1;
            if kind >= ARRAY {
                *second = open | children.min(MANY) << OFFSET_BITS;
                open = next as u64 - 1;
                children = 0;
                next += 1;
                if CONSUMER {
                    depth += 1;
                    deepest = deepest.max(depth);
                }
            }
        }
        (self.open, self.children) = (open, children);
        (self.depth, self.deepest) = (depth, deepest);
        self.length = next;
    }

    /// The maximum number of open containers.
    pub(super) fn deepest(&self) -> u64 {
        self.deepest
    }

    /// Completes the index at the end of the text.
    pub(super) fn finish(mut self) -> Index {
        // Containers were added after those nested in them.
        self.index.long.sort_unstable();
        self.index.words.truncate(self.length);
        if self.index.words.len() < self.index.words.capacity() / 2 {
            self.index.words.shrink_to_fit();
        }
        self.index
    }
}

/// The first two words.
#[inline(always)]
fn pair(words: &mut [u64]) -> Option<&mut [u64; 2]> {
    words.first_chunk_mut()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::token::{Chunk, Sink};
    use jsonx_testing::cases;

    #[test]
    fn more_children_than_fit_are_counted() {
        for (text, children) in [
            (&br#"[1, [2, 3], {"a": 4}]"#[..], 3),
            (br#"{"a": [1, 2], "b": {"c": []}}"#, 2),
        ] {
            let mut index = Index::new(text, Options::default()).unwrap();
            assert_eq!(index.children(0), children);
            index.words[1] |= MANY << OFFSET_BITS;
            assert_eq!(index.children(0), children);
        }
    }

    /// Kinds, spans and numbers of children of keys and values, computed byte by byte from tokens.
    #[derive(Default)]
    struct Naive<'t> {
        text: &'t [u8],
        values: Vec<(u8, core::ops::Range<usize>, usize)>,
        open: Vec<usize>,
    }

    impl Naive<'_> {
        /// The offset after a scalar or key.
        fn end(&self, start: usize) -> usize {
            let mut at = start + 1;
            if self.text[start] == b'"' {
                while self.text[at] != b'"' {
                    at += 1 + usize::from(self.text[at] == b'\\');
                }
                return at + 1;
            }
            while at < self.text.len() && !b",]} \t\r\n".contains(&self.text[at]) {
                at += 1;
            }
            at
        }
    }

    impl Sink for &mut Naive<'_> {
        type Error = core::convert::Infallible;
        type Output = ();

        fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
            for (&kind, &at) in chunk.kinds.iter().zip(chunk.offsets) {
                let start = chunk.offset as usize + at as usize;
                match kind {
                    b',' | b':' => {}
                    b']' | b'}' => {
                        let open = self.open.pop().unwrap();
                        self.values[open].1.end = start + 1;
                        self.values[open].2 >>= u32::from(kind == b'}');
                    }
                    _ => {
                        if let Some(&around) = self.open.last() {
                            self.values[around].2 += 1;
                        }
                        let mut end = start;
                        match kind {
                            b'[' | b'{' => self.open.push(self.values.len()),
                            _ => end = self.end(start),
                        }
                        self.values.push((kind, start..end, 0));
                    }
                }
            }
            Ok(())
        }

        fn finish(self) -> Result<(), Self::Error> {
            Ok(())
        }
    }

    proptest! {
        #![proptest_config(cases(300))]

        /// Leading spaces move the ends of chunks to every position in the text.
        #[test]
        fn all_values_are_indexed(choices in prop::collection::vec(any::<u32>(), 0..300), spaces in 8000..8200usize) {
            let mut text = vec![b' '; spaces];
            text.extend(crate::agreement::valid_text(&choices));
            let mut naive = Naive { text: &text, ..Naive::default() };
            Validator::new(Options::default()).check(&text, &mut naive).unwrap();
            let index = Index::new(&text, Options::default()).unwrap();
            let mut at = 0;
            for (kind, span, children) in naive.values {
                prop_assert_eq!(index.span(&text, at), span.clone());
                prop_assert_eq!(text[span.start], kind);
                prop_assert_eq!(index.children(at), children);
                at += if index.is_container(at) { 2 } else { 1 };
            }
            prop_assert_eq!(at, index.words.len());
        }
    }
}
