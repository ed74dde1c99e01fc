//! Spans of the characters next to an offset, so that a span never starts or ends inside a character.

use super::diagnostic::Span;

/// The character that starts at `at`, or one byte if no valid character starts there. Empty at the end of the text.
pub(super) fn character_at(text: &[u8], at: usize) -> Span {
    let at = at.min(text.len());
    let rest = &text[at..text.len().min(at + 4)];
    let length = match rest.utf8_chunks().next() {
        None => 0,
        Some(chunk) => chunk.valid().chars().next().map_or(1, char::len_utf8),
    };
    Span::new(at, at + length)
}

/// The character that ends at `end`, or one byte if no valid character ends there. Empty at the start of the text.
pub(super) fn character_before(text: &[u8], end: usize) -> Span {
    let end = end.min(text.len());
    let ends = |length: &usize| {
        let text = std::str::from_utf8(&text[end - length..end]);
        text.is_ok_and(|text| text.chars().count() == 1)
    };
    let length = (1..=end.min(4)).find(ends).unwrap_or(end.min(1));
    Span::new(end - length, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_characters_and_single_bytes() {
        let text = b"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xE2\x82";
        let starts = [0, 1, 3, 6, 10, 11, 12];
        for pair in starts.windows(2) {
            assert_eq!(character_at(text, pair[0]), Span::new(pair[0], pair[1]));
            assert_eq!(character_before(text, pair[1]), Span::new(pair[0], pair[1]));
        }
        assert_eq!(character_at(text, 12), Span::point(12));
        assert_eq!(character_at(text, 99), Span::point(12));
        assert_eq!(character_before(text, 0), Span::point(0));
    }
}
