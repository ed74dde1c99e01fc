//! The check of part of a text, on any thread.
//!
//! ```text
//! text      ├──────────────┼──────────────┤
//! segment           ,⏎⎵⎵⎵⎵ ►                 the fill of its first line tells the depth there; lines and white space are counted
//! join      ────────►                      the depth of the last line before is that one, and the numbers are added
//! ```

use super::{CLASSES, CLOSE, COMMA, Expected, FormatCheck, OPEN, Placed, Seen};
use crate::format::Style;
use crate::token::Chunk;

impl FormatCheck {
    /// A check of part of a text, for [`TextSegment::with_sink`](crate::engine::TextSegment::with_sink), and then for
    /// [`join`](FormatCheck::join).
    ///
    /// ```
    /// use jsonx_core::engine::{Options, TextSegment, Validator};
    /// use jsonx_core::format::{FormatCheck, Indent, Style};
    ///
    /// let style = Style::Pretty(Indent::Spaces(2));
    /// let text = format!("[\n{}  1\n]\n", "  \"a\",\n  [],\n".repeat(1000));
    /// let options = Options::default();
    /// let (mut validator, mut formatted) = (Validator::new(options), FormatCheck::new(style));
    /// for part in text.as_bytes().chunks(1000) {
    ///     // On any thread.
    ///     let mut check = FormatCheck::of_segment(style);
    ///     let segment = TextSegment::with_sink(part, options, &mut check);
    ///     let join = |formatted: &mut FormatCheck, offset| formatted.join(check, offset);
    ///     validator.join_with(&segment, &mut formatted, join).unwrap();
    /// }
    /// assert_eq!(validator.finish(formatted), Ok(true));
    /// ```
    pub fn of_segment(style: Style) -> FormatCheck {
        let mut check = FormatCheck::new(style);
        check.seen = Seen {
            placed: Placed::Anywhere,
            // The first token is the one after a comma.
            last: COMMA,
            has_token: true,
            ..check.seen
        };
        check
    }

    /// Adds what was found in a segment that begins at `offset` in the text, of which this check has seen the bytes before
    /// the first one that the segment passed on.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, TextSegment, Validator};
    /// use jsonx_core::format::{FormatCheck, Style};
    ///
    /// let (options, style) = (Options::default(), Style::Compact);
    /// let mut check = FormatCheck::of_segment(style);
    /// let part = format!(",{}2 ]\n", "1,".repeat(100));
    /// let segment = TextSegment::with_sink(part, options, &mut check);
    ///
    /// let (mut validator, mut formatted) = (Validator::new(options), FormatCheck::new(style));
    /// validator.write(b"[0", &mut formatted).unwrap();
    /// validator.join_with(&segment, &mut formatted, |formatted, offset| formatted.join(check, offset)).unwrap();
    /// assert_eq!(validator.finish(formatted), Ok(false));
    /// ```
    pub fn join(&mut self, segment: FormatCheck, offset: u64) {
        let Seen { placed, next, .. } = self.seen;
        let part = segment.seen;
        if !part.started {
            return;
        }
        let seen = &mut self.seen;
        seen.differs |= part.differs;
        if let Placed::AtDepth(depth) = part.placed {
            seen.differs |= depth ^ seen.depth;
            seen.depth = part.depth;
        }
        // In the segment, white space was in place of the bytes up to here.
        let padding = next.wrapping_sub(offset.wrapping_add(segment.from));
        *seen = Seen {
            differs: seen.differs,
            depth: seen.depth,
            placed,
            next: offset.wrapping_add(part.next),
            started: true,
            has_token: true,
            due: seen.due.wrapping_add(part.due),
            colons: seen.colons.wrapping_add(part.colons),
            lines: seen.lines.wrapping_add(part.lines),
            fill: seen.fill.wrapping_add(part.fill),
            spaces: seen.spaces.wrapping_add(part.spaces).wrapping_sub(padding),
            ..part
        };
    }

    /// Whether a difference was found, after which nothing else matters.
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

    /// Notes where a segment begins. Returns how many bytes of its first chunk are white space, which may be that of the text.
    pub(super) fn begin(&mut self, chunk: &Chunk<'_>) -> usize {
        self.from = chunk.offset;
        chunk.bytes.iter().take_while(|&&byte| byte == b' ').count()
    }

    /// Leaves out bytes that were seen before. Returns how many of the chunk these are.
    pub(super) fn skip(&mut self, chunk: &Chunk<'_>) -> usize {
        let skipped = self.seen.next.saturating_sub(chunk.offset);
        let skipped = skipped.min(chunk.bytes.len() as u64);
        self.seen.spaces = self.seen.spaces.wrapping_sub(skipped);
        skipped as usize
    }
}

impl Expected {
    /// Takes the depth of the first line of a segment from its fill.
    pub(super) fn place(self, seen: &mut Seen, before: u8, after: Option<&u8>, fill: u64) {
        // Without indentation all depths look alike.
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
