//! The check of part of a text, on any thread.
//!
//! ```text
//! text      ├──────────────┼──────────────┤
//! segment           ,⏎⎵⎵⎵⎵ ►                 the fill of its first line tells the depth there; lines and white space are counted
//! join      ────────►                      the depth of the last line before is that one, and the numbers are added
//! ```

use super::{CLASSES, CLOSE, COMMA, Expected, FormatCheck, OPEN, Placed, Seen};
use crate::token::Chunk;
use crate::window::{SegmentScope, SegmentSink, SegmentedSink};

impl SegmentSink for FormatCheck {
    fn scope(&self) -> SegmentScope {
        match self.differs() {
            // The text differs already: only the verdict matters.
            true => SegmentScope::Nothing,
            false => SegmentScope::All,
        }
    }
}

/// ```
/// use jsonx_core::engine::{Options, SegmentedSink, TextSegment, Validator};
/// use jsonx_core::format::{FormatCheck, Indent, Style};
///
/// let text = format!("[\n{}  1\n]\n", "  \"a\",\n  [],\n".repeat(1000));
/// let options = Options::default();
/// let mut validator = Validator::new(options);
/// let mut formatted = FormatCheck::new(Style::Pretty(Indent::Spaces(2)));
/// for part in text.as_bytes().chunks(1000) {
///     // On any thread.
///     let mut work = formatted.for_segment();
///     let segment = TextSegment::new(part, validator.offset(), options, &mut work);
///     validator.join(&segment, work, &mut formatted).unwrap();
/// }
/// assert_eq!(validator.finish(formatted), Ok(true));
/// ```
impl SegmentedSink for FormatCheck {
    type Segment = FormatCheck;

    fn for_segment(&self) -> FormatCheck {
        let mut check = FormatCheck::new(self.style);
        check.seen = Seen {
            differs: self.seen.differs,
            placed: Placed::Anywhere,
            // The first token is the one after a comma.
            last: COMMA,
            has_token: true,
            ..check.seen
        };
        check
    }

    fn take(&mut self, segment: FormatCheck, _: u64) -> bool {
        let Seen { placed, next, .. } = self.seen;
        let part = segment.seen;
        let seen = &mut self.seen;
        seen.differs |= part.differs;
        if !part.started {
            return true;
        }
        if let Placed::AtDepth(depth) = part.placed {
            seen.differs |= depth ^ seen.depth;
            seen.depth = part.depth;
        }
        // The segment had white space in place of the bytes up to here.
        let padding = next.wrapping_sub(segment.from);
        *seen = Seen {
            differs: seen.differs,
            depth: seen.depth,
            placed,
            started: true,
            has_token: true,
            due: seen.due.wrapping_add(part.due),
            colons: seen.colons.wrapping_add(part.colons),
            lines: seen.lines.wrapping_add(part.lines),
            fill: seen.fill.wrapping_add(part.fill),
            spaces: seen.spaces.wrapping_add(part.spaces).wrapping_sub(padding),
            ..part
        };
        true
    }
}

impl FormatCheck {
    /// Whether a difference was found, which is final.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{FormatCheck, Style};
    ///
    /// let mut formatted = FormatCheck::new(Style::Compact);
    /// let mut validator = Validator::new(Options::default());
    /// validator.write(&[b'\n'; 100], &mut formatted).unwrap();
    /// assert!(formatted.differs());
    /// ```
    pub fn differs(&self) -> bool {
        self.seen.differs != 0
    }

    /// Records the start of a segment. Returns the number of bytes of its first chunk that are white space, possibly in place of
    /// text.
    pub(super) fn begin(&mut self, chunk: &Chunk<'_>) -> usize {
        self.from = chunk.offset;
        chunk.bytes.iter().take_while(|&&byte| byte == b' ').count()
    }

    /// Skips bytes that were seen before. Returns their number in the chunk.
    pub(super) fn skip(&mut self, chunk: &Chunk<'_>) -> usize {
        let skipped = self.seen.next.saturating_sub(chunk.offset);
        let skipped = skipped.min(chunk.bytes.len() as u64);
        self.seen.spaces = self.seen.spaces.wrapping_sub(skipped);
        skipped as usize
    }
}

impl Expected {
    /// Derives the depth of the first line of a segment from its fill.
    pub(super) fn place(self, seen: &mut Seen, before: u8, after: Option<&u8>, fill: u64) {
        // Without indentation the depth cannot be derived.
        let (Some(&after), Some(depth)) = (after, fill.checked_div(self.step)) else {
            return;
        };
        if seen.placed != Placed::Anywhere {
            return;
        }
        let (opens, closes) = (before & OPEN, CLASSES[after as usize] & CLOSE);
        let depth = depth
            .wrapping_sub(u64::from(opens))
            .wrapping_add(u64::from(closes) >> 1);
        seen.placed = Placed::AtDepth(depth);
        seen.depth = depth;
    }
}
