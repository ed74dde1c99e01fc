//! Is a text formatted already? Without formatting it.

use core::convert::Infallible;

use super::Style;
use crate::kernel::{self, BLOCK, BlockTask, Bytes, Isa};
use crate::token::{Chunk, Interest, Mode, Sink};

/// A sink that finds out whether a text looks as [`Formatter`](super::Formatter) would make it look, byte for byte.
///
/// In valid text a line feed is never part of a string, and what stands on both sides of one tells what it separates. So
/// lines can be judged where they begin, and the rest is counted:
///
/// ```text
/// {⏎                   after `{ [ ,` and before `} ]` there may be one line feed, and fill: 1 + depth × step bytes
///   "a": [⏎            the depth is that of the line before, plus one if that ended in `{ [`, less one before `} ]`
///     1,⏎              between two values at the root too, and nowhere else
///     {}⏎
///   ]⏎                 line feeds     = commas + 2 × (containers − empty containers) + values at the root
/// }⏎                   white space    = line feeds + fill + colons, each of which has a space behind it
/// ```
///
/// If all of these are in order, every place that must have a line feed has one, because no place has two and their number
/// is right; then the depths are right too, and as much white space as there is has been accounted for.
///
/// ```
/// use jsonx_core::{FormatCheck, Indent, Options, Style, Validator};
///
/// let is_formatted = |text: &[u8]| {
///     let mut formatted = FormatCheck::new(Style::Pretty(Indent::Spaces(2)));
///     Validator::new(Options::default()).finish(text, &mut formatted).unwrap();
///     formatted.finish()
/// };
/// assert!(is_formatted(b"{\n  \"a\": [\n    1.50,\n    {}\n  ]\n}\n"));
/// assert!(!is_formatted(b"{\n  \"a\": [1.50, {}]\n}\n"));
/// ```
#[derive(Debug)]
pub struct FormatCheck {
    style: Style,
    seen: Seen,
    feeds: Vec<u32>,
}

/// What is carried from one chunk to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Not zero once something is not in order.
    differs: u64,
    /// The class of the last byte.
    last: u8,
    /// The depth of the last line.
    depth: u64,
    /// The text so far ends in a line feed and so much fill; the class is that of the byte before them.
    begun: Option<(u8, u64)>,
    /// 1 if the last byte is a colon outside strings.
    after_colon: u64,
    /// 1 if the last token opens a container.
    after_open: u64,
    /// There was a token.
    begins: bool,
    /// Line feeds that there must be.
    due: u64,
    colons: u64,
    /// Line feeds that there are, the fill behind all of them, and white space of any kind.
    lines: u64,
    fill: u64,
    spaces: u64,
}

const OPEN: u8 = 1;
const CLOSE: u8 = 2;
const COMMA: u8 = 4;
const COLON: u8 = 8;
const SPACE: u8 = 16;

/// What a byte next to a line feed is. Outside strings a byte is what it looks like, and these are outside.
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
    /// For a text that is to look like this, from its first byte to its last.
    ///
    /// ```
    /// use jsonx_core::{FormatCheck, Indent, Options, Style, Validator};
    ///
    /// let styles = [Style::Compact, Style::Pretty(Indent::Spaces(4)), Style::Pretty(Indent::Tab)];
    /// let looks_like = |text: &[u8]| styles.map(|style| {
    ///     let mut formatted = FormatCheck::new(style);
    ///     Validator::new(Options::default()).finish(text, &mut formatted).unwrap();
    ///     formatted.finish()
    /// });
    /// assert_eq!(looks_like(b"[1,2]\n"), [true, false, false]);
    /// assert_eq!(looks_like(b"[\n    1\n]\n"), [false, true, false]);
    /// // Nothing in it could look otherwise.
    /// assert_eq!(looks_like(b"{}\n"), [true, true, true]);
    /// ```
    pub fn new(style: Style) -> Self {
        FormatCheck {
            style,
            feeds: Vec::new(),
            seen: Seen {
                // As if white space stood before the text: none may stand at its start.
                last: SPACE,
                ..Seen::default()
            },
        }
    }

    /// Whether the text is formatted. To be called when the validator has finished.
    ///
    /// ```
    /// use jsonx_core::{FormatCheck, Mode, Options, Style, Validator};
    ///
    /// let is_compact = |stream: &[u8]| {
    ///     let mut formatted = FormatCheck::new(Style::Compact);
    ///     Validator::new(Options::default().mode(Mode::Stream)).finish(stream, &mut formatted).unwrap();
    ///     formatted.finish()
    /// };
    /// assert!(is_compact(b"[1,2]\n\"a b\"\n") && is_compact(b""));
    /// // A line feed is missing, there is one too many, or it is another line end.
    /// assert!(!is_compact(b"[1,2]") && !is_compact(b"[1,2]\n\n") && !is_compact(b"[1,2]\r\n"));
    /// ```
    pub fn finish(mut self) -> bool {
        let seen = &mut self.seen;
        if let Some((before, fill)) = seen.begun.take() {
            // Nothing comes behind it, which is of no class.
            Look::of(self.style).judge(seen, before, 0, fill);
        }
        // The last line feed is due too: a text that does not end in one has not as many as it should.
        seen.differs == 0
            && seen.lines == seen.due
            && seen.spaces == seen.lines + seen.fill + seen.colons
    }
}

impl Sink for FormatCheck {
    type Error = Infallible;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            strings: self.seen.differs == 0,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        if self.seen.differs == 0 {
            // As many as there can be, and a block more, because places are written by the block.
            let room = chunk.bytes.len() + 2 * BLOCK;
            if self.feeds.len() < room {
                self.feeds.resize(room, 0);
            }
            self.seen = kernel::run_with(
                chunk.kernel,
                Pass {
                    chunk,
                    look: Look::of(self.style),
                    seen: self.seen,
                    feeds: &mut self.feeds,
                },
            );
        }
        Ok(())
    }
}

/// A style, as it is asked for.
#[derive(Clone, Copy)]
struct Look {
    compact: bool,
    fill: u8,
    step: u64,
    /// Classes that may not stand before a line feed, and not after one and its fill.
    bad_before: u8,
    bad_after: u8,
}

impl Look {
    fn of(style: Style) -> Look {
        match style {
            Style::Compact => Look {
                compact: true,
                fill: b' ',
                step: 0,
                bad_before: OPEN | COMMA | COLON | SPACE,
                bad_after: CLOSE | COMMA | COLON,
            },
            Style::Pretty(indent) => {
                let (fill, step) = indent.bytes();
                Look {
                    compact: false,
                    fill,
                    step: step as u64,
                    bad_before: COLON | SPACE,
                    bad_after: COMMA | COLON,
                }
            }
        }
    }

    /// Looks at a line that begins between bytes of these classes, with so much fill.
    #[inline(always)]
    fn judge(self, seen: &mut Seen, before: u8, after: u8, fill: u64) {
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

/// The work on one chunk.
struct Pass<'a, 'b> {
    chunk: &'a Chunk<'b>,
    look: Look,
    seen: Seen,
    /// Room for the places of line feeds.
    feeds: &'a mut [u32],
}

impl BlockTask for Pass<'_, '_> {
    type Output = Seen;

    #[inline(always)]
    fn run<K: Isa>(self, isa: K) -> Seen {
        let Pass {
            chunk,
            look,
            mut seen,
            feeds,
        } = self;
        let text = chunk.bytes;
        tokens(isa, chunk, look, &mut seen);
        // The rest of a line that has begun in the chunk before.
        if let Some((before, fill)) = seen.begun.take() {
            let more = run_of(look.fill, text);
            line(
                look,
                &mut seen,
                before,
                fill + more,
                text.get(more as usize),
            );
        }
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        let mut masks = chunk.strings.iter();
        let mut count = 0;
        for (number, block) in blocks.iter().enumerate() {
            let strings = masks.next().copied().unwrap_or(0);
            let lines = masked(isa, look, &mut seen, block, strings, BLOCK);
            note(isa, lines, number * BLOCK, feeds, &mut count);
        }
        if !rest.is_empty() {
            let strings = masks.next().copied().unwrap_or(0);
            let mut block = [b'0'; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            let lines = masked(isa, look, &mut seen, &block, strings, rest.len());
            note(isa, lines, blocks.len() * BLOCK, feeds, &mut count);
        }
        for &feed in &feeds[..count] {
            behind(isa, look, &mut seen, text, feed as usize);
        }
        if let Some(&last) = text.last() {
            seen.last = CLASSES[last as usize];
        }
        seen
    }
}

/// Counts what the kinds of tokens tell.
#[inline(always)]
fn tokens<K: Isa>(isa: K, chunk: &Chunk<'_>, look: Look, seen: &mut Seen) {
    let (full, rest) = chunk.kinds.as_chunks::<BLOCK>();
    for bytes in full {
        kinds(isa, look, seen, bytes, BLOCK);
    }
    if !rest.is_empty() {
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        kinds(isa, look, seen, &last, rest.len());
    }
    seen.due += chunk.further_roots;
    if !seen.begins && !chunk.kinds.is_empty() {
        seen.begins = true;
        seen.due += 1;
    }
}

/// Counts what so many kinds tell. A function and not a closure, which would be compiled without the instructions of the
/// kernel: that took a fifth of the time of the whole check.
#[inline(always)]
fn kinds<K: Isa>(isa: K, look: Look, seen: &mut Seen, bytes: &Bytes, length: usize) {
    if look.compact {
        return;
    }
    let kinds = isa.kinds(isa.load(bytes));
    let empty = (kinds.open << 1 | seen.after_open) & kinds.close;
    let due = kinds.comma.count_ones() + (kinds.open | kinds.close).count_ones();
    seen.colons += u64::from(kinds.colon.count_ones());
    // A line for each comma and bracket, less those of a container that turns out to be empty.
    seen.due = seen
        .due
        .wrapping_add(u64::from(due))
        .wrapping_sub(2 * u64::from(empty.count_ones()));
    seen.after_open = kinds.open >> (length - 1) & 1;
}

/// Counts the white space of a block, and looks behind its colons. Returns where its line feeds are, if it has no other
/// control characters than those: strings have none.
#[inline(always)]
fn masked<K: Isa>(
    isa: K,
    look: Look,
    seen: &mut Seen,
    bytes: &Bytes,
    strings: u64,
    length: usize,
) -> u64 {
    let block = isa.load(bytes);
    let (control, space) = (isa.text(block).control, isa.equal(block, b' '));
    seen.spaces += u64::from(control.count_ones() + (space & !strings).count_ones());
    if !look.compact {
        let colon = isa.equal(block, b':') & !strings;
        let behind = (colon << 1 | seen.after_colon) & (u64::MAX >> (BLOCK - length));
        seen.differs |= behind & !space;
        seen.after_colon = colon >> (length - 1);
    }
    match look.fill {
        b'\t' => isa.equal(block, b'\n'),
        _ => control,
    }
}

/// Notes the places of a mask. All lines of a chunk are looked at together: how many there are in a block is hard to
/// predict.
#[inline(always)]
fn note<K: Isa>(isa: K, lines: u64, at: usize, feeds: &mut [u32], count: &mut usize) {
    if let Some(out) = feeds.get_mut(*count..).and_then(<[u32]>::first_chunk_mut) {
        isa.indices(lines, at as u32, out);
        *count += lines.count_ones() as usize;
    }
}

/// Looks at the line that begins behind a line feed.
#[inline(always)]
fn behind<K: Isa>(isa: K, look: Look, seen: &mut Seen, text: &[u8], feed: usize) {
    let before = match feed.checked_sub(1).and_then(|before| text.get(before)) {
        Some(&before) => CLASSES[before as usize],
        None => seen.last,
    };
    let Some((byte, behind)) = text.get(feed..).and_then(<[u8]>::split_first) else {
        return;
    };
    seen.differs |= u64::from(byte ^ b'\n');
    let other = match behind.first_chunk() {
        Some(wide) => !isa.equal(isa.load(wide), look.fill),
        None => 0,
    };
    let fill = match other {
        0 => run_of(look.fill, behind),
        other => u64::from(other.trailing_zeros()),
    };
    line(look, seen, before, fill, behind.get(fill as usize));
}

/// How many times `fill` stands at the start of `text`.
#[cold]
fn run_of(fill: u8, text: &[u8]) -> u64 {
    text.iter().take_while(|&&byte| byte == fill).count() as u64
}

/// Looks at a line with so much fill, as far as it is known what comes behind that.
#[inline(always)]
fn line(look: Look, seen: &mut Seen, before: u8, fill: u64, after: Option<&u8>) {
    match after {
        Some(&after) => look.judge(seen, before, CLASSES[after as usize], fill),
        None => seen.begun = Some((before, fill)),
    }
}
