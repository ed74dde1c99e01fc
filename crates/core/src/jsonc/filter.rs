//! Overwrites comments and trailing commas with spaces, 64 bytes at a time.
//!
//! For each block, the filter finds the strings, slashes, and commas that are separated from a closing bracket only by white
//! space. If there are no such slashes or commas, and the block does not begin in a comment, it is done. Otherwise it steps
//! through the events of the block: a quote, a slash, the end of a comment.
//!
//! ```text
//! text     "a", /* x */ ] // "
//! quote    1.1.............1      those in comments do not count
//! slash    .....1.....1..11.
//! blank    .....1111111..111      becomes spaces
//! gap      ....111111111.11111    white space and comments
//! comma    ...1.............
//! after    ....1............      plus gap: a one moves through the gap to the bracket, so the comma is trailing
//! ```

use crate::kernel::{BLOCK, BlockTask, Bytes, Isa, Kernel, TextMasks, run_with};
use crate::scan::Strings;
use crate::syntax::ErrorKind;
use crate::verify::machine::{Lexical, utf8_continue, utf8_lead};

/// The context of the next byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// White space or a token other than a string.
    Text,
    String,
    /// After the slash that begins a comment.
    Slash,
    Line,
    Block,
    /// In a block comment, after a `*`.
    Star,
}

/// A comma followed only by white space and comments so far.
#[derive(Clone, Copy, Debug)]
struct Comma {
    at: usize,
    /// It follows the end of a value, or of a key.
    after_value: bool,
}

/// An overwritten trailing comma and the closing bracket after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trailing {
    pub comma: usize,
    pub close: usize,
}

/// The state of the filter between two calls.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    trailing_commas: bool,
    inside: Inside,
    strings: Strings,
    /// An incomplete UTF-8 sequence in a comment.
    utf8: Lexical,
    /// The last byte that is neither white space nor in a comment; 0 before the first.
    last: u8,
    comma: Option<Comma>,
}

impl Filter {
    pub(super) fn new(trailing_commas: bool) -> Filter {
        Filter {
            trailing_commas,
            inside: Inside::Text,
            strings: Strings::default(),
            utf8: Lexical::String,
            last: 0,
            comma: None,
        }
    }

    /// The position of a comma that may be a trailing one.
    pub(super) fn pending(&self) -> Option<usize> {
        self.comma.map(|comma| comma.at)
    }

    /// Adjusts positions after the first `bytes` bytes of the text were removed.
    pub(super) fn drained(&mut self, bytes: usize) {
        self.comma = self.comma.and_then(|comma| {
            let at = comma.at.checked_sub(bytes)?;
            Some(Comma { at, ..comma })
        });
    }

    /// Whether the text may end here.
    pub(super) fn may_end(&self) -> bool {
        match self.inside {
            Inside::Text | Inside::String => true,
            Inside::Line => self.utf8 == Lexical::String,
            Inside::Slash | Inside::Block | Inside::Star => false,
        }
    }

    /// Filters the bytes of `text` from `from` on; those before it have been filtered. Adds the trailing commas that it
    /// overwrites to `trailing`.
    ///
    /// # Errors
    ///
    /// The first byte that cannot continue a comment. The text before it has been filtered.
    pub(super) fn run(
        &mut self,
        kernel: Kernel,
        text: &mut [u8],
        from: usize,
        trailing: &mut Vec<Trailing>,
    ) -> Result<(), (ErrorKind, usize)> {
        run_with(
            kernel,
            Run {
                filter: self,
                text,
                from,
                trailing,
            },
        )
    }
}

struct Run<'a> {
    filter: &'a mut Filter,
    text: &'a mut [u8],
    from: usize,
    trailing: &'a mut Vec<Trailing>,
}

impl BlockTask for Run<'_> {
    type Output = Result<(), (ErrorKind, usize)>;

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> Self::Output {
        let Run {
            filter,
            text,
            from,
            trailing,
        } = self;
        let mut at = from;
        while let Some(bytes) = text[at..].first_chunk() {
            let block = Block::new(isa, filter, bytes, BLOCK);
            if block.is_plain(filter) {
                block.pass(isa, filter, bytes, at);
            } else {
                block.walk(filter, text, at, trailing)?;
            }
            at += BLOCK;
        }
        let length = text.len() - at;
        if length > 0 {
            let mut last = [b' '; BLOCK];
            last[..length].copy_from_slice(&text[at..]);
            let block = Block::new(isa, filter, &last, length);
            if block.is_plain(filter) {
                block.pass(isa, filter, &last, at);
            } else {
                block.walk(filter, text, at, trailing)?;
            }
        }
        Ok(())
    }
}

/// The masks of a block.
struct Block {
    length: usize,
    /// Unescaped quotes.
    quote: u64,
    slash: u64,
    star: u64,
    /// Line feed and carriage return.
    line_end: u64,
    comma: u64,
    close: u64,
    space: u64,
    non_ascii: u64,
}

impl Block {
    /// Classifies a block of `length` bytes of text, padded with spaces.
    #[inline(always)]
    fn new<K: Isa>(isa: K, filter: &mut Filter, bytes: &Bytes, length: usize) -> Block {
        let block = isa.load(bytes);
        let TextMasks {
            backslash,
            quote,
            control,
            non_ascii,
        } = isa.text(block);
        let mut escaped = 0;
        if backslash | filter.strings.escape != 0 {
            escaped = filter.strings.escaped(backslash);
            if length < BLOCK {
                filter.strings.escape = escaped >> length & 1;
            }
        }
        Block {
            length,
            quote: quote & !escaped,
            slash: isa.equal(block, b'/'),
            star: isa.equal(block, b'*'),
            line_end: isa.equal(block, b'\n') | isa.equal(block, b'\r'),
            comma: isa.equal(block, b','),
            close: isa.equal(block, b']') | isa.equal(block, b'}'),
            space: isa.separators(block, control).space,
            non_ascii,
        }
    }

    /// Whether nothing has to be overwritten. Ignores strings, so a block with a URL is not plain.
    #[inline(always)]
    fn is_plain(&self, filter: &Filter) -> bool {
        let outside = matches!(filter.inside, Inside::Text | Inside::String);
        outside
            && self.slash == 0
            && (!filter.trailing_commas
                || landed(self.comma, filter.comma.is_some(), self.space) & self.close == 0)
    }

    /// Updates the state after a plain block.
    #[inline(always)]
    fn pass<K: Isa>(&self, isa: K, filter: &mut Filter, bytes: &Bytes, base: usize) {
        let within = match filter.inside {
            Inside::String => u64::MAX,
            _ => 0,
        };
        let in_string = isa.prefix_xor(self.quote) ^ within;
        filter.inside = match in_string >> 63 {
            1 => Inside::String,
            _ => Inside::Text,
        };
        filter.remember(bytes, self.comma & !in_string, !self.space, base);
    }

    /// Overwrites the comments and trailing commas of a block of `text` that begins at `base`.
    #[inline(always)]
    fn walk(
        &self,
        filter: &mut Filter,
        text: &mut [u8],
        base: usize,
        trailing: &mut Vec<Trailing>,
    ) -> Result<(), (ErrorKind, usize)> {
        let Events {
            strings,
            blank,
            stray,
        } = self.events(filter);
        let mut bytes = [b' '; BLOCK];
        bytes[..self.length].copy_from_slice(&text[base..base + self.length]);
        let mut error = stray.map(|at| (at, ErrorKind::ExpectedComment));
        if self.non_ascii & blank != 0 || filter.utf8 != Lexical::String {
            let wrong = filter.check_utf8(&bytes[..self.length], blank);
            let wrong = wrong.map(|at| (at, ErrorKind::InvalidUtf8));
            error = [error, wrong]
                .into_iter()
                .flatten()
                .min_by_key(|(at, _)| *at);
        }

        let gap = self.space & !strings | blank;
        let end = error.map_or(self.length, |(at, _)| at);
        let outside = !(strings | blank) & low_bits(end);
        let comma = self.comma & outside;
        let mut trailing_commas = 0;
        if filter.trailing_commas {
            let mut closes = landed(comma, filter.comma.is_some(), gap) & self.close & outside;
            while closes != 0 {
                let close = closes.trailing_zeros();
                closes &= closes - 1;
                let before = comma & low_bits(close as usize);
                let found = match before {
                    0 => filter.comma,
                    _ => Some(filter.comma_at(&bytes, !gap, 63 - before.leading_zeros(), base)),
                };
                if let Some(found) = found.filter(|comma| comma.after_value) {
                    trailing.push(Trailing {
                        comma: found.at,
                        close: base + close as usize,
                    });
                    match found.at.checked_sub(base) {
                        Some(at) => trailing_commas |= 1 << at,
                        None => text[found.at] = b' ',
                    }
                }
            }
        }
        filter.remember(&bytes, comma, !gap & low_bits(self.length), base);
        overwrite(&mut bytes, blank & !self.line_end | trailing_commas);
        text[base..base + self.length].copy_from_slice(&bytes[..self.length]);
        match error {
            None => Ok(()),
            Some((at, kind)) => Err((kind, base + at)),
        }
    }

    /// Steps through the events of the block.
    #[inline(always)]
    fn events(&self, filter: &mut Filter) -> Events {
        let mut strings = 0;
        let mut blank = 0;
        let mut stray = None;
        let mut at = 0;
        let end = self.length;
        while at < end {
            let rest = u64::MAX << at;
            match filter.inside {
                Inside::Text => {
                    let next = ((self.quote | self.slash) & rest).trailing_zeros() as usize;
                    if next >= end {
                        break;
                    }
                    at = next + 1;
                    if self.slash >> next & 1 == 0 {
                        strings |= 1 << next;
                        filter.inside = Inside::String;
                    } else {
                        blank |= 1 << next;
                        filter.inside = Inside::Slash;
                    }
                }
                Inside::String => {
                    let next = (self.quote & rest).trailing_zeros() as usize;
                    let close = next.min(end);
                    strings |= rest & low_bits(close);
                    if next >= end {
                        break;
                    }
                    strings |= 1 << next;
                    filter.inside = Inside::Text;
                    at = next + 1;
                }
                Inside::Slash => {
                    filter.inside = match (self.slash >> at & 1, self.star >> at & 1) {
                        (1, _) => Inside::Line,
                        (_, 1) => Inside::Block,
                        _ => {
                            stray = Some(at);
                            break;
                        }
                    };
                    blank |= 1 << at;
                    at += 1;
                }
                Inside::Line => {
                    let next = (self.line_end & rest).trailing_zeros() as usize;
                    blank |= rest & low_bits(next.min(end));
                    if next >= end {
                        break;
                    }
                    filter.inside = Inside::Text;
                    at = next + 1;
                }
                Inside::Block => {
                    let next = (self.star & rest & self.slash >> 1).trailing_zeros() as usize;
                    if next >= end {
                        blank |= rest & low_bits(end);
                        // The closing slash may be in the next block.
                        if self.star >> (end - 1) & 1 == 1 {
                            filter.inside = Inside::Star;
                        }
                        break;
                    }
                    blank |= rest & low_bits(next + 2);
                    filter.inside = Inside::Text;
                    at = next + 2;
                }
                Inside::Star => {
                    if self.slash >> at & 1 == 1 {
                        blank |= 1 << at;
                        filter.inside = Inside::Text;
                        at += 1;
                    } else {
                        filter.inside = Inside::Block;
                    }
                }
            }
        }
        Events {
            strings,
            blank,
            stray,
        }
    }
}

/// The result of a walk over a block.
struct Events {
    /// Strings, with both quotes.
    strings: u64,
    /// Comments, including line ends in block comments.
    blank: u64,
    /// The byte after a slash that begins no comment.
    stray: Option<usize>,
}

impl Filter {
    /// Records the last byte of a block that is not in a gap, and whether it is a comma.
    #[inline(always)]
    fn remember(&mut self, bytes: &Bytes, comma: u64, solid: u64, base: usize) {
        if solid == 0 {
            return;
        }
        let top = 63 - solid.leading_zeros();
        self.comma = None;
        if comma >> top & 1 == 1 {
            self.comma = Some(self.comma_at(bytes, solid, top, base));
        }
        self.last = bytes[top as usize];
    }

    /// The comma at `at` in a block.
    #[inline(always)]
    fn comma_at(&self, bytes: &Bytes, solid: u64, at: u32, base: usize) -> Comma {
        let before = solid & low_bits(at as usize);
        let last = match before {
            0 => self.last,
            _ => bytes[63 - before.leading_zeros() as usize],
        };
        Comma {
            at: base + at as usize,
            after_value: !matches!(last, 0 | b'[' | b'{' | b',' | b':'),
        }
    }

    /// Checks the UTF-8 of comments, and returns the first invalid byte. No sequence crosses the end of a comment.
    #[cold]
    fn check_utf8(&mut self, bytes: &[u8], blank: u64) -> Option<usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            let next = match (self.utf8, blank >> at & 1) {
                (Lexical::String, 0) => continue,
                (Lexical::String, _) if byte < 0x80 => continue,
                (Lexical::String, _) => utf8_lead(byte),
                (open, _) => utf8_continue(open, byte),
            };
            match next {
                Ok(next) => self.utf8 = next,
                Err(_) => return Some(at),
            }
        }
        None
    }
}

/// The bits below `length`.
#[inline(always)]
fn low_bits(length: usize) -> u64 {
    match length {
        BLOCK.. => u64::MAX,
        _ => (1 << length) - 1,
    }
}

/// The first byte after each comma that is not in a gap: adding a one at the start of a gap carries it to its end.
#[inline(always)]
fn landed(comma: u64, carry: bool, gap: u64) -> u64 {
    let after = comma << 1 | u64::from(carry);
    (gap.wrapping_add(after & gap) | after) & !gap
}

/// Writes a space over each byte of `mask`, eight bytes at a time.
#[inline(always)]
fn overwrite(bytes: &mut Bytes, mask: u64) {
    const SPACES: u64 = 0x2020_2020_2020_2020;
    for (number, word) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        // Bit i of the mask becomes byte i.
        let bits = mask >> (8 * number) & 0xFF;
        let spread = bits.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        let full = (spread.wrapping_add(0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101)
            .wrapping_mul(0xFF);
        let kept = u64::from_le_bytes(*word) & !full;
        *word = (kept | SPACES & full).to_le_bytes();
    }
}
