//! Checks whether a text is formatted already, without formatting it.

use core::convert::Infallible;

use super::Style;
use crate::kernel::{self, BLOCK, BlockTask, Bytes, Isa};
use crate::token::{Chunk, Interest, Mode, Sink};

/// A [`Sink`] that checks whether a text equals the output of a [`Formatter`](super::Formatter), byte for byte.
///
/// It takes one pass over the text and allocates once.
///
/// # How it works
///
/// In valid text, a line feed is never part of a string, and the bytes on both sides of it identify the tokens that it separates.
/// So each line is checked at its start, and the rest is counted:
///
/// ```text
/// {⏎                   after `{ [ ,` and before `} ]` there may be one line feed, and fill: 1 + depth × step bytes
///   "a": [⏎            the depth is that of the previous line, plus one if it ended in `{ [`, less one before `} ]`
///     1,⏎              between two values at the root too, and nowhere else
///     {}⏎
///   ]⏎                 line feeds     = commas + 2 × (containers − empty containers) + values at the root
/// }⏎                   white space    = line feeds + fill + colons, each of which has a space after it
/// ```
///
/// If all of these hold, every gap that needs a line feed has one, because no gap has two and their number is correct; then the
/// depths are correct too, and all white space is accounted for.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct FormatCheck {
    style: Style,
    seen: Seen,
    feeds: Vec<u32>,
}

/// The state carried from one chunk to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Non-zero once the text differs.
    differs: u64,
    /// The class of the last byte.
    last: u8,
    /// The depth of the last line.
    depth: u64,
    /// If the text so far ends in a line feed and fill: the class of the byte before them, and the length of the fill.
    begun: Option<(u8, u64)>,
    /// 1 if the last byte is a colon outside strings.
    after_colon: u64,
    /// 1 if the last token opens a container.
    after_open: u64,
    /// A chunk was received.
    started: bool,
    /// A token was received.
    has_token: bool,
    /// The number of line feeds that formatted text would have.
    due: u64,
    colons: u64,
    /// Line feeds, fill after line feeds, and white space of any kind so far.
    lines: u64,
    fill: u64,
    spaces: u64,
}

const OPEN: u8 = 1;
const CLOSE: u8 = 2;
const COMMA: u8 = 4;
const COLON: u8 = 8;
const SPACE: u8 = 16;

/// The class of a byte next to a line feed, which is outside strings.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    classes[b'{' as usize] = OPEN;
    classes[b'[' as usize] = OPEN;
    classes[b'}' as usize] = CLOSE;
    classes[b']' as usize] = CLOSE;
    classes[b',' as usize] = COMMA;
    classes[b':' as usize] = COLON;
    classes[b' ' as usize] = SPACE;
    classes[b'\t' as usize] = SPACE;
    classes[b'\n' as usize] = SPACE;
    classes[b'\r' as usize] = SPACE;
    classes
};

impl FormatCheck {
    /// A check against this style, for a text from its first byte to its last.
    pub fn new(style: Style) -> Self {
        FormatCheck {
            style,
            feeds: Vec::new(),
            seen: Seen {
                // As if white space preceded the text, so that it may not begin with any.
                last: SPACE,
                ..Seen::default()
            },
        }
    }

    /// Whether a difference was found, which is final.
    pub fn differs(&self) -> bool {
        self.seen.differs != 0
    }

    /// Whether the text is formatted. Call it after [`Validator::finish`](crate::engine::Validator::finish). It is `false` for a
    /// text whose start was not checked.
    pub fn finish(mut self) -> bool {
        let seen = &mut self.seen;
        if let Some((before, fill)) = seen.begun.take() {
            // At the end of the text there is no byte after it, which has no class.
            Expected::of(self.style).check_line(seen, before, 0, fill);
        }
        // The last line feed is due too: a text that does not end in one has one too few.
        seen.differs == 0
            && seen.lines == seen.due
            && seen.spaces == seen.lines + seen.fill + seen.colons
    }
}

impl Sink for FormatCheck {
    type Error = Infallible;
    type Output = bool;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            strings: self.seen.differs == 0,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        let is_first = !std::mem::replace(&mut self.seen.started, true);
        if is_first && chunk.before.last_kind != 0 {
            // The text before is unknown.
            self.seen.differs = 1;
        }
        if self.seen.differs == 0 {
            // The maximum number, and one block more, because offsets are written in blocks.
            let room = chunk.bytes.len() + 2 * BLOCK;
            if self.feeds.len() < room {
                self.feeds.resize(room, 0);
            }
            self.seen = kernel::run_with(
                chunk.kernel,
                Pass {
                    chunk,
                    expected: Expected::of(self.style),
                    seen: self.seen,
                    strings: chunk.strings,
                    feeds: &mut self.feeds,
                },
            );
        }
        Ok(())
    }

    fn finish(self) -> Result<bool, Self::Error> {
        Ok(FormatCheck::finish(self))
    }
}

/// The white space of a style.
#[derive(Clone, Copy)]
struct Expected {
    compact: bool,
    fill: u8,
    step: u64,
    /// Classes that must not precede a line feed, and that must not follow one and its fill.
    bad_before: u8,
    bad_after: u8,
}

impl Expected {
    fn of(style: Style) -> Expected {
        match style {
            Style::Compact => Expected {
                compact: true,
                fill: b' ',
                step: 0,
                bad_before: OPEN | COMMA | COLON | SPACE,
                bad_after: CLOSE | COMMA | COLON,
            },
            Style::Pretty(indent) => {
                let (fill, step) = indent.bytes();
                Expected {
                    compact: false,
                    fill,
                    step: step as u64,
                    bad_before: COLON | SPACE,
                    bad_after: COMMA | COLON,
                }
            }
        }
    }

    /// Checks a line that begins between bytes of these classes with `fill` bytes of fill.
    #[inline(always)]
    fn check_line(self, seen: &mut Seen, before: u8, after: u8, fill: u64) {
        let (opens, closes) = (u64::from(before & OPEN), u64::from(after & CLOSE) >> 1);
        let depth = seen.depth.wrapping_add(opens).wrapping_sub(closes);
        seen.depth = depth;
        seen.lines += 1;
        seen.fill += fill;
        seen.differs |= u64::from(before & self.bad_before | after & self.bad_after)
            | opens & closes
            | depth.wrapping_mul(self.step) ^ fill;
    }
}

/// The check of one chunk.
struct Pass<'a, 'b> {
    chunk: &'a Chunk<'b>,
    /// For each block, its bytes that belong to strings.
    strings: &'a [u64],
    expected: Expected,
    seen: Seen,
    /// Buffer for the offsets of line feeds.
    feeds: &'a mut [u32],
}

impl BlockTask for Pass<'_, '_> {
    type Output = Seen;

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> Seen {
        let Pass {
            chunk,
            strings,
            expected,
            mut seen,
            feeds,
        } = self;
        let text = chunk.bytes;
        tokens(isa, chunk, expected, &mut seen);
        // The rest of a line that began in the previous chunk.
        if let Some((before, fill)) = seen.begun.take() {
            let more = run_of(expected.fill, text);
            let after = text.get(more as usize);
            line(expected, &mut seen, before, fill + more, after);
        }
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        let mut masks = strings.iter();
        let mut count = 0;
        for (number, block) in blocks.iter().enumerate() {
            let strings = masks.next().copied().unwrap_or(0);
            let lines = masked(isa, expected, &mut seen, block, strings, BLOCK);
            note(isa, lines, number * BLOCK, feeds, &mut count);
        }
        if !rest.is_empty() {
            let strings = masks.next().copied().unwrap_or(0);
            let mut block = [b'0'; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            let lines = masked(isa, expected, &mut seen, &block, strings, rest.len());
            note(isa, lines, blocks.len() * BLOCK, feeds, &mut count);
        }
        for &feed in &feeds[..count] {
            after_feed(isa, expected, &mut seen, text, feed as usize);
        }
        if let Some(&last) = text.last() {
            seen.last = CLASSES[last as usize];
        }
        seen
    }
}

/// Counts the line feeds that the tokens imply.
#[inline(always)]
fn tokens<K: Isa>(isa: K, chunk: &Chunk<'_>, expected: Expected, seen: &mut Seen) {
    let (full, rest) = chunk.kinds.as_chunks::<BLOCK>();
    for bytes in full {
        kinds(isa, expected, seen, bytes, BLOCK);
    }
    if !rest.is_empty() {
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        kinds(isa, expected, seen, &last, rest.len());
    }
    seen.due += chunk.further_roots;
    if !seen.has_token && !chunk.kinds.is_empty() {
        seen.has_token = true;
        seen.due += 1;
    }
}

/// Counts the line feeds and colons that these kinds imply. A function rather than a closure, which would be compiled without the
/// instructions of the kernel: that took a fifth of the time of the whole check.
#[inline(always)]
fn kinds<K: Isa>(isa: K, expected: Expected, seen: &mut Seen, bytes: &Bytes, length: usize) {
    if expected.compact {
        return;
    }
    let kinds = isa.kinds(isa.load(bytes));
    let empty = (kinds.open << 1 | seen.after_open) & kinds.close;
    let due = kinds.comma.count_ones() + (kinds.open | kinds.close).count_ones();
    seen.colons += u64::from(kinds.colon.count_ones());
    // One for each comma and bracket, less those of empty containers.
    seen.due = seen
        .due
        .wrapping_add(u64::from(due))
        .wrapping_sub(2 * u64::from(empty.count_ones()));
    seen.after_open = kinds.open >> (length - 1) & 1;
}

/// Counts the white space of a block and checks the byte after each colon. Returns a mask of its line feeds, provided
/// that it has no other control characters: strings have none.
#[inline(always)]
fn masked<K: Isa>(
    isa: K,
    expected: Expected,
    seen: &mut Seen,
    bytes: &Bytes,
    strings: u64,
    length: usize,
) -> u64 {
    let block = isa.load(bytes);
    let (control, space) = (isa.text(block).control, isa.equal(block, b' '));
    let spaces = control.count_ones() + (space & !strings).count_ones();
    seen.spaces = seen.spaces.wrapping_add(u64::from(spaces));
    if !expected.compact {
        let colon = isa.equal(block, b':') & !strings;
        let after = (colon << 1 | seen.after_colon) & (u64::MAX >> (BLOCK - length));
        seen.differs |= after & !space;
        seen.after_colon = colon >> (length - 1);
    }
    match expected.fill {
        b'\t' => isa.equal(block, b'\n'),
        _ => control,
    }
}

/// Appends the offsets of a mask. All lines of a chunk are checked together, because their number per block is hard to predict.
#[inline(always)]
fn note<K: Isa>(isa: K, lines: u64, at: usize, feeds: &mut [u32], count: &mut usize) {
    if let Some(out) = feeds.get_mut(*count..).and_then(<[u32]>::first_chunk_mut) {
        isa.indices(lines, at as u32, out);
        *count += lines.count_ones() as usize;
    }
}

/// Checks the line after a line feed.
#[inline(always)]
fn after_feed<K: Isa>(isa: K, expected: Expected, seen: &mut Seen, text: &[u8], feed: usize) {
    let before = match text.get(feed.wrapping_sub(1)) {
        Some(&before) => CLASSES[before as usize],
        _ => seen.last,
    };
    let Some((byte, rest)) = text.get(feed..).and_then(<[u8]>::split_first) else {
        return;
    };
    seen.differs |= u64::from(byte ^ b'\n');
    let other = match rest.first_chunk() {
        Some(wide) => !isa.equal(isa.load(wide), expected.fill),
        None => 0,
    };
    let fill = match other {
        0 => run_of(expected.fill, rest),
        other => u64::from(other.trailing_zeros()),
    };
    let after = rest.get(fill as usize);
    line(expected, seen, before, fill, after);
}

/// The number of repetitions of `fill` at the start of `text`.
#[cold]
fn run_of(fill: u8, text: &[u8]) -> u64 {
    text.iter().take_while(|&&byte| byte == fill).count() as u64
}

/// Checks a line with `fill` bytes of fill, unless the byte after it is in the next chunk.
#[inline(always)]
fn line(expected: Expected, seen: &mut Seen, before: u8, fill: u64, after: Option<&u8>) {
    match after {
        Some(&after) => expected.check_line(seen, before, CLASSES[after as usize], fill),
        None => seen.begun = Some((before, fill)),
    }
}
