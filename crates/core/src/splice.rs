//! Replacements of spans of a text, and the offsets before and after them.
//!
//! ```text
//! old    a b c d   e f      `X` for `a`, and `YY` before `e`
//! new    X b c d Y Y e f
//! ```

use std::ops::Range;

use crate::order::sort_by_place;

/// Replacements of spans of one text, in ascending order, none inside another.
///
/// Memory is proportional to their number and their new text, not to the length of the old text.
///
/// ```
/// use jsonx_core::Document;
///
/// let text = br#"{"a": 1, "b": [2, 3]}"#;
/// let document = Document::parse(text)?;
/// let mut editor = document.edit();
/// editor.set("/a", "10").unwrap().delete("/b/0").unwrap();
/// let splices = editor.splices();
/// assert_eq!(splices.iter().next(), Some((6..7, &b"10"[..])));
/// assert_eq!(splices.apply(text), br#"{"a": 10, "b": [3]}"#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splices {
    list: Vec<Splice>,
    /// All new text.
    texts: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Splice {
    old: Range<usize>,
    new: Range<usize>,
    /// The start of its new text in `texts`.
    text: usize,
}

impl Splices {
    /// Adds a replacement after all others, even one without effect.
    #[inline]
    pub fn push(&mut self, old: Range<usize>, text: &[u8]) {
        let new = self.moved_after_last(old.start);
        self.list.push(Splice {
            old,
            new: new..new + text.len(),
            text: self.texts.len(),
        });
        self.texts.extend_from_slice(text);
    }

    /// The new offset of a position after all replacements; any number until they are sorted.
    fn moved_after_last(&self, at: usize) -> usize {
        let last = self.list.last();
        last.map_or(at, |last| at.saturating_sub(last.old.end) + last.new.end)
    }

    /// Sorts replacements that do not overlap, after any of them was not added after all others. Those at the same offset keep
    /// their order.
    pub fn sort(&mut self) {
        sort_by_place(&mut self.list, |one| (one.old.start, one.old.end));
        let (mut old, mut new) = (0, 0);
        for one in &mut self.list {
            let start = new + one.old.start - old;
            one.new = start..start + one.new.len();
            (old, new) = (one.old.end, one.new.end);
        }
    }

    /// The spans and their new texts, in the order of the text.
    ///
    /// ```
    /// # let document = jsonx_core::Document::parse(b"[1, 2]").unwrap();
    /// let splices = document.edit().append("", "3").unwrap().splices();
    /// assert_eq!(splices.iter().collect::<Vec<_>>(), [(5..5, &b", 3"[..])]);
    /// ```
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Range<usize>, &[u8])> {
        let text = |one: &Splice| &self.texts[one.text..one.text + one.new.len()];
        self.list
            .iter()
            .map(move |one| (one.old.clone(), text(one)))
    }

    /// The old and new spans, in the order of the text.
    pub fn spans(&self) -> impl DoubleEndedIterator<Item = (Range<usize>, Range<usize>)> {
        let spans = |one: &Splice| (one.old.clone(), one.new.clone());
        self.list.iter().map(spans)
    }

    /// Whether there are no replacements, so the text is unchanged.
    ///
    /// ```
    /// # let document = jsonx_core::Document::parse(b"[1, 2]").unwrap();
    /// assert!(document.edit().set("/0", "1").unwrap().splices().is_empty());
    /// assert!(!document.edit().set("/0", "1.0").unwrap().splices().is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The text with the replacements applied, in one pass.
    ///
    /// ```
    /// # let document = jsonx_core::Document::parse(b"[1, 2]").unwrap();
    /// let splices = document.edit().delete("/0").unwrap().splices();
    /// assert_eq!(splices.apply(document.text()), b"[2]");
    /// ```
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.moved_after_last(text.len()));
        let mut at = 0;
        for (span, new) in self.iter() {
            out.extend_from_slice(&text[at..span.start]);
            out.extend_from_slice(new);
            at = span.end;
        }
        out.extend_from_slice(&text[at..]);
        out
    }

    /// The offset in the new text for one in the old text: the start of the replacement, if it was replaced.
    pub fn new_offset(&self, at: usize) -> usize {
        moved(&self.list, at, |one| &one.old, |one| &one.new)
    }

    /// The offset in the old text for one in the new text: the start of the replaced span, inside its replacement.
    pub fn old_offset(&self, at: usize) -> usize {
        moved(&self.list, at, |one| &one.new, |one| &one.old)
    }

    /// The old span for a span of the new text; of a part of a replacement, the whole replaced span. An insertion is where the
    /// text before it ends. Takes O(log *n*) time.
    pub fn old_span(&self, span: Range<usize>) -> Range<usize> {
        let start = if span.is_empty() && span.start > 0 {
            self.old_end(span.start)
        } else {
            self.old_offset(span.start)
        };
        let end = if span.is_empty() {
            start
        } else {
            self.old_end(span.end)
        };
        start..end.max(start)
    }

    /// The old offset of the end of the new text before `at`; for one inside a replacement, the end of the replaced span.
    fn old_end(&self, at: usize) -> usize {
        let next = self.list.partition_point(|one| one.new.start < at);
        let last = next.checked_sub(1).map(|last| &self.list[last]);
        last.map_or(at, |one| one.old.end + at.saturating_sub(one.new.end))
    }
}

/// A position on one side of replacements on the other side; for one inside a replacement, its start.
fn moved(
    list: &[Splice],
    at: usize,
    range: fn(&Splice) -> &Range<usize>,
    there: fn(&Splice) -> &Range<usize>,
) -> usize {
    let next = list.partition_point(|one| range(one).start <= at);
    let Some(one) = next.checked_sub(1).map(|last| &list[last]) else {
        return at;
    };
    if at < range(one).end {
        there(one).start
    } else {
        at - range(one).end + there(one).end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splices(all: &[(Range<usize>, &str)]) -> Splices {
        let mut splices = Splices::default();
        for (span, text) in all {
            splices.push(span.clone(), text.as_bytes());
        }
        splices.sort();
        splices
    }

    #[test]
    fn offsets_lead_back_and_forth() {
        // `abcdef` → `XbcdYYef` → `bcZf`
        let first = splices(&[(4..4, "YY"), (0..1, "X")]);
        let second = splices(&[(0..1, ""), (3..7, "Z")]);
        assert_eq!(first.apply(b"abcdef"), b"XbcdYYef");
        assert_eq!(second.apply(&first.apply(b"abcdef")), b"bcZf");
        let source = |span| first.old_span(second.old_span(span));
        let start = |at| source(at..at).start;
        assert_eq!([start(0), start(1), start(2), start(3)], [1, 2, 3, 5]);
        assert_eq!(source(1..4), 2..6);
        assert_eq!(source(2..3), 3..5);
        // It ends where a replacement begins.
        assert_eq!(source(0..2), 1..3);
        // `a` and `d` are gone: there is `Z` instead of the latter.
        let result = |at| second.new_offset(first.new_offset(at));
        assert_eq!([0, 1, 2, 3, 4, 5].map(result), [0, 0, 1, 2, 2, 3]);
    }
}
