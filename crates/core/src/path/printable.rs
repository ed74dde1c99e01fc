//! What may be shown on a terminal as it is.

/// Characters that a terminal acts on or that hide or reorder text: controls, line and paragraph
/// separators, bidirectional marks, zero-width characters.
pub(super) fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{feff}')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

/// The text with all that a terminal might act on escaped.
pub(super) fn printable(text: &str) -> String {
    let mut printable = String::new();
    for c in text.chars() {
        if is_unprintable(c) {
            printable.extend(c.escape_unicode());
        } else {
            printable.push(c);
        }
    }
    printable
}
