//! Counts lines in parts of a text, on any thread.

use super::{LineCounter, Width};

impl LineCounter {
    /// Counts a part of a text without the text before it, for [`append`](LineCounter::append). The part is UTF-8, as for
    /// [`feed_verified`](LineCounter::feed_verified), and may begin and end anywhere in a text.
    ///
    /// Costs as much as [`feed_verified`](LineCounter::feed_verified).
    ///
    /// ```
    /// use jsonx_core::position::LineCounter;
    ///
    /// let part = LineCounter::of_part(b"1,\n2,");
    /// assert_eq!((part.offset(), part.line_start()), (5, 3));
    /// ```
    pub fn of_part(part: &[u8]) -> LineCounter {
        let begun = begun(part);
        let mut counter = LineCounter {
            offset: begun as u64,
            ..LineCounter::new()
        };
        counter.feed_verified(&part[begun..]);
        counter
    }

    /// As [`feed_verified`](LineCounter::feed_verified) with `part`; `counted` is the result of [`of_part`](LineCounter::of_part)
    /// for it.
    ///
    /// Takes a few nanoseconds, regardless of the length of the part.
    ///
    /// ```
    /// use jsonx_core::position::LineCounter;
    ///
    /// let parts = [&b"[1,\r"[..], b"\n\"\xC3", b"\xA9\", "];
    /// let counted = parts.map(LineCounter::of_part);
    /// let mut counter = LineCounter::new();
    /// for (part, counted) in parts.iter().zip(&counted) {
    ///     counter.append(part, counted);
    /// }
    /// let position = counter.position(b"2]");
    /// assert_eq!((position.line, position.column), (2, 6));
    /// ```
    pub fn append(&mut self, part: &[u8], counted: &LineCounter) {
        let (begun, rest) = part.split_at(begun(part));
        // A byte-order mark only counts at the start of the text.
        if self.offset < 3 || rest.is_empty() {
            self.feed_verified(part);
            return;
        }
        let start = self.offset;
        self.feed_verified(begun);
        // Settles pending bytes: neither a line feed nor a continuation byte follows.
        let left = self.settle(&rest[..1]);
        debug_assert!(left.len() == 1 && self.pending_len == 0);
        match counted.lines {
            0 => {
                self.width.points += counted.width.points;
                self.width.units += counted.width.units;
            }
            lines => {
                self.lines += lines;
                self.line_start = start + counted.line_start;
                self.width = Width { ..counted.width };
            }
        }
        self.offset = start + counted.offset;
        self.pending = counted.pending;
        self.pending_len = counted.pending_len;
    }
}

/// The number of bytes at the start of a part that may belong to a line end or a code point that began before it.
fn begun(part: &[u8]) -> usize {
    match part {
        [b'\n', ..] => 1,
        _ => part
            .iter()
            .take(3)
            .take_while(|&byte| byte & 0xC0 == 0x80)
            .count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_join_to_the_text(
            text in "(\u{feff})?([a-z]{0,3}|\n|\r|\r\n|é|€|😀){0,30}",
            lengths in prop::collection::vec(0usize..20, 1..20),
        ) {
            let mut rest = text.as_bytes();
            let (mut appended, mut fed) = (LineCounter::new(), LineCounter::new());
            for length in lengths.into_iter().chain([usize::MAX]) {
                let (part, after) = rest.split_at(length.min(rest.len()));
                appended.append(part, &LineCounter::of_part(part));
                fed.feed_verified(part);
                rest = after;
                prop_assert_eq!(appended.position(after), fed.position(after));
                prop_assert_eq!(appended.line_start(), fed.line_start());
                prop_assert_eq!(appended.offset(), fed.offset());
            }
        }
    }
}
