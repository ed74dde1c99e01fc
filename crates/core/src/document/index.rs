//! The index of a document: one word for each scalar and key, two for each container, in the order of the text.
//!
//! ```text
//! text    {"a": [1, "b"], "c": {}}
//!
//! words   0 object  at 0  length 24      8 bytes: kind, length, offset
//!         1         children 2  skip 9     and of a container 8 more: how many children, the word after it
//!         2 string  at 1  length 3       the key "a"
//!         3 array   at 6  length 8
//!         4         children 2  skip 7
//!         5 number  at 7  length 1
//!         6 string  at 10 length 3
//!         7 string  at 16 length 3       the key "c"
//!         8 object  …
//! ```
//!
//! Lengths that do not fit into their bits, of values of 2 MiB and more, are in a separate table. While a container
//! is open, its second word holds the number of the container around it, so that depth costs nothing more.

use crate::syntax::{ErrorKind, SyntaxError};
use crate::token::{Chunk, Kind, Sink, trim_end};

/// ```text
/// 63  61 60        40 39                     0
/// [kind] [  length  ] [        offset        ]
///        [ children ] [         skip         ]      63 to 40
/// ```
const OFFSET_BITS: u32 = 40;
const OFFSET: u64 = (1 << OFFSET_BITS) - 1;
const LENGTH_BITS: u32 = 21;
/// Also marks a length that is in the table.
const LONG: u64 = (1 << LENGTH_BITS) - 1;
const KIND_SHIFT: u32 = OFFSET_BITS + LENGTH_BITS;
/// As many children as fit, or more.
const MANY: u64 = (1 << (64 - OFFSET_BITS)) - 1;

/// Texts are shorter than this: 1 TiB.
const LONGEST_TEXT: u64 = 1 << OFFSET_BITS;

#[derive(Debug, Default)]
pub(crate) struct Index {
    words: Vec<u64>,
    /// The words of values of `LONG` bytes and more, in rising order, and the offsets of their ends.
    long: Vec<(usize, u64)>,
}

impl Index {
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

    /// The offsets of the first byte of a value and of the byte after it.
    #[inline]
    pub(crate) fn span(&self, at: usize) -> core::ops::Range<usize> {
        let word = self.words[at];
        let start = word & OFFSET;
        let end = match word >> OFFSET_BITS & LONG {
            LONG => self.long_end(at),
            length => start + length,
        };
        start as usize..end as usize
    }

    #[cold]
    fn long_end(&self, at: usize) -> u64 {
        let found = self.long.binary_search_by_key(&at, |(word, _)| *word);
        found.map_or(0, |place| self.long[place].1)
    }

    /// The word after a value: that of the next key or value, or of whatever follows the container around it.
    #[inline]
    pub(crate) fn skip(&self, at: usize) -> usize {
        match self.is_container(at) {
            true => (self.words[at + 1] & OFFSET) as usize,
            false => at + 1,
        }
    }

    /// The words of what is inside a container; none for a scalar.
    #[inline]
    pub(crate) fn inside(&self, at: usize) -> core::ops::Range<usize> {
        match self.is_container(at) {
            true => at + 2..(self.words[at + 1] & OFFSET) as usize,
            false => at..at,
        }
    }

    /// The number of elements of an array or members of an object; 0 for a scalar.
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

    /// Its memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>() + self.long.len() * size_of::<(usize, u64)>()
    }
}

/// The sink that builds the index of a text in memory.
pub(crate) struct Builder<'t> {
    text: &'t [u8],
    index: Index,
    /// The word of the innermost open container, as the low bits of its second word name the one around it; `ROOT` for
    /// none.
    open: u64,
    /// The commas in that container so far.
    commas: u64,
    /// The last word is that of a scalar or key that has no length yet.
    unfinished: bool,
}

/// No container is open.
const ROOT: u64 = OFFSET;

/// What the first byte of a token begins.
const CODES: [u8; 256] = {
    let mut codes = [2; 256];
    codes[b'n' as usize] = 0;
    codes[b't' as usize] = 1;
    codes[b'f' as usize] = 1;
    codes[b'"' as usize] = 3;
    codes[b'[' as usize] = 4;
    codes[b'{' as usize] = 5;
    codes[b']' as usize] = CLOSE;
    codes[b'}' as usize] = CLOSE;
    codes[b',' as usize] = SEPARATOR;
    codes[b':' as usize] = SEPARATOR;
    codes
};

/// In [`CODES`], besides the kinds of values.
const CLOSE: u8 = 6;
const SEPARATOR: u8 = 7;

/// Bytes of text for which a word of the index is reserved at first.
const BYTES_PER_WORD: usize = 16;

impl<'t> Builder<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Builder<'t> {
        let mut index = Index::default();
        // To grow costs more than room that is not used. Without memory, the first chunk says so.
        let _ = index.words.try_reserve(text.len() / BYTES_PER_WORD);
        Builder {
            text,
            index,
            open: ROOT,
            commas: 0,
            unfinished: false,
        }
    }

    /// The index, when all tokens have come.
    pub(crate) fn finish(mut self) -> Index {
        self.finish_scalar(self.text.len());
        // A scalar after a container has a greater number, but ends earlier than the container around both.
        self.index.long.sort_unstable();
        if self.index.words.len() < self.index.words.capacity() / 2 {
            self.index.words.shrink_to_fit();
        }
        self.index
    }

    /// The scalar that was begun last ends before the token at `next`.
    #[inline]
    fn finish_scalar(&mut self, next: usize) {
        if !core::mem::take(&mut self.unfinished) {
            return;
        }
        let at = self.index.words.len() - 1;
        let start = (self.index.words[at] & OFFSET) as usize;
        self.set_end(at, trim_end(&self.text[start..next]).len() + start);
    }

    #[inline]
    fn set_end(&mut self, at: usize, end: usize) {
        let length = end as u64 - (self.index.words[at] & OFFSET);
        self.index.words[at] |= length.min(LONG) << OFFSET_BITS;
        if length >= LONG {
            self.index.long.push((at, end as u64));
        }
    }

    /// A scalar or key, and the offset of the token after it, if that is in the same chunk.
    #[inline]
    fn scalar(&mut self, code: u64, offset: u64, next: Option<u64>) {
        let word = code << KIND_SHIFT | offset;
        let Some(next) = next else {
            self.index.words.push(word);
            self.unfinished = true;
            return;
        };
        let text = self.text.get(offset as usize..next as usize);
        let length = trim_end(text.unwrap_or_default()).len() as u64;
        if length >= LONG {
            let at = self.index.words.len();
            self.index.long.push((at, offset + length));
        }
        self.index
            .words
            .push(word | length.min(LONG) << OFFSET_BITS);
    }

    #[inline]
    fn open(&mut self, kind: u64, offset: u64) {
        let around = self.open | self.commas.min(MANY) << OFFSET_BITS;
        self.open = self.index.words.len() as u64;
        self.commas = 0;
        self.index
            .words
            .extend_from_slice(&[kind << KIND_SHIFT | offset, around]);
    }

    #[inline]
    fn close(&mut self, end: usize) {
        let at = self.open as usize;
        let around = self.index.words[at + 1];
        let is_empty = self.index.words.len() == at + 2;
        let children = (self.commas + u64::from(!is_empty)).min(MANY);
        self.index.words[at + 1] = children << OFFSET_BITS | self.index.words.len() as u64;
        self.set_end(at, end);
        self.open = around & OFFSET;
        self.commas = around >> OFFSET_BITS;
    }
}

impl Sink for Builder<'_> {
    /// There is no memory for the index.
    type Error = SyntaxError;
    type Output = Self;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), SyntaxError> {
        let out_of_memory = SyntaxError {
            kind: ErrorKind::OutOfMemory,
            offset: chunk.offset,
        };
        let room = self.index.words.try_reserve(2 * chunk.kinds.len());
        if room.is_err() || chunk.offset + chunk.bytes.len() as u64 >= LONGEST_TEXT {
            return Err(out_of_memory);
        }
        let tokens = chunk.kinds.iter().zip(chunk.offsets);
        let mut tokens = tokens.map(|(&kind, &at)| (kind, chunk.offset + u64::from(at)));
        let Some((mut kind, mut offset)) = tokens.next() else {
            return Ok(());
        };
        self.finish_scalar(offset as usize);
        loop {
            let code = CODES[usize::from(kind)];
            let next = tokens.next();
            match code {
                SEPARATOR => self.commas += u64::from(kind == b','),
                4 | 5 => self.open(u64::from(code), offset),
                _ => {
                    match code {
                        CLOSE => self.close(offset as usize + 1),
                        _ => self.scalar(u64::from(code), offset, next.map(|(_, next)| next)),
                    }
                    // A separator follows most values and all keys: it takes no turn, and so no branch that is hard to
                    // predict.
                    if let Some((separator, _)) = next
                        && CODES[usize::from(separator)] == SEPARATOR
                    {
                        self.commas += u64::from(separator == b',');
                        match tokens.next() {
                            Some(after) => (kind, offset) = after,
                            None => break,
                        }
                        continue;
                    }
                }
            }
            match next {
                Some(next) => (kind, offset) = next,
                None => break,
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cases::cases;
    use crate::{Options, Validator};

    #[test]
    fn more_children_than_fit_are_counted() {
        for (text, children) in [
            (&br#"[1, [2, 3], {"a": 4}]"#[..], 3),
            (br#"{"a": [1, 2], "b": {"c": []}}"#, 2),
        ] {
            let mut builder = Builder::new(text);
            Validator::new(Options::default())
                .check(text, &mut builder)
                .unwrap();
            let mut index = builder.finish();
            assert_eq!(index.children(0), children);
            index.words[1] |= MANY << OFFSET_BITS;
            assert_eq!(index.children(0), children);
        }
    }

    proptest! {
        #![proptest_config(cases(300))]

        /// Whatever token a chunk ends with.
        #[test]
        fn chunks_of_any_size_make_the_same_index(choices in prop::collection::vec(any::<u32>(), 0..300), window in 64..400usize) {
            let text = crate::agreement::valid_text(&choices);
            let mut whole = Builder::new(&text);
            Validator::new(Options::default()).check(&text, &mut whole).unwrap();
            let mut pieces = Builder::new(&text);
            let mut validator = Validator::new(Options::default());
            for window in text.chunks(window) {
                validator.write(window, &mut pieces).unwrap();
            }
            validator.finish(&mut pieces).unwrap();
            let (whole, pieces) = (whole.finish(), pieces.finish());
            prop_assert_eq!(whole.words, pieces.words);
            prop_assert_eq!(whole.long, pieces.long);
        }
    }
}
