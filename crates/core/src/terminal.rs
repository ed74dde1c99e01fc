//! Characters that a terminal interprets or does not show, and their replacements.
//!
//! Untrusted text in messages, reports and paths must not move the cursor, reorder the line or hide in it. This is the only such
//! table: unprintable characters are replaced in messages ([`sanitize`]) and escaped where the output is JSON or a path.

use std::borrow::Cow;

/// The replacement for a character.
///
/// ```
/// use jsonx_core::terminal::{Replacement, replacement, sanitize};
///
/// let cells = |c| match replacement(c) {
///     Replacement::None | Replacement::Picture(_) => 1,
///     Replacement::CodePoint => format!("<U+{:04X}>", c as u32).len(),
///     Replacement::Tab => 4,
///     Replacement::Empty => 0,
/// };
/// let text = "a\tb\u{7}\u{202e}c\u{200d}";
/// assert_eq!(sanitize(text), "a    b␇<U+202E>c");
/// assert_eq!(text.chars().map(cells).sum::<usize>(), sanitize(text).chars().count());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// The character itself: it is printable.
    None,
    /// The picture of a control character, one cell wide.
    Picture(char),
    /// `<U+202E>`.
    CodePoint,
    /// Four spaces, for a tab.
    Tab,
    /// Nothing, for the zero-width joiner: each emoji of a sequence then has its own width.
    Empty,
}

/// The replacement for `c`, so that no terminal interprets it and nothing on the line is invisible.
///
/// ```
/// use jsonx_core::terminal::{Replacement, replacement};
///
/// assert_eq!(replacement('\u{1b}'), Replacement::Picture('␛'));
/// assert_eq!(replacement('\u{9b}'), Replacement::CodePoint);
/// assert_eq!(replacement('é'), Replacement::None);
/// ```
pub fn replacement(c: char) -> Replacement {
    match c {
        ' '..='~' => Replacement::None,
        '\t' => Replacement::Tab,
        '\0'..='\x1f' => Replacement::Picture(char::from_u32(0x2400 + c as u32).unwrap_or('?')),
        '\x7f' => Replacement::Picture('␡'),
        '\u{200d}' => Replacement::Empty,
        // C1 controls: many terminals interpret U+009B as ESC [.
        '\u{80}'..='\u{9f}'
        // Soft hyphen.
        | '\u{ad}'
        // Arabic letter mark, Mongolian vowel separator.
        | '\u{61c}'
        | '\u{180e}'
        // Zero-width characters, line and paragraph separators, bidirectional marks, embeddings and isolates.
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        // Byte-order mark, interlinear annotations.
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        // Format controls of shorthand and musical notation.
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        // Tags, variation selectors beyond the first sixteen, and code points reserved for similar ones.
        | '\u{e0000}'..='\u{e0fff}' => Replacement::CodePoint,
        _ => Replacement::None,
    }
}

/// Whether `c` may be printed unchanged.
///
/// ```
/// use jsonx_core::terminal::is_printable;
///
/// assert!(is_printable('é') && is_printable('😀'));
/// assert!(!is_printable('\n') && !is_printable('\u{202e}') && !is_printable('\u{e0041}'));
/// ```
#[inline]
pub fn is_printable(c: char) -> bool {
    replacement(c) == Replacement::None
}

/// `text` with the [`replacement`] of every character, line feeds included; borrowed when all of it is printable.
///
/// ```
/// assert_eq!(jsonx_core::terminal::sanitize("a\u{1b}[31m"), "a␛[31m");
/// ```
pub fn sanitize(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_printable) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match replacement(c) {
            Replacement::None => out.push(c),
            Replacement::Picture(picture) => out.push(picture),
            Replacement::CodePoint => out.push_str(&format!("<U+{:04X}>", c as u32)),
            Replacement::Tab => out.push_str("    "),
            Replacement::Empty => {}
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreted_and_invisible_characters_are_not_printable() {
        // Controls (Cc), line separators (Zl, Zp) and invisible format characters (Cf), at the ends of their ranges.
        for c in [
            '\0',
            '\t',
            '\n',
            '\r',
            '\u{1b}',
            '\u{1f}',
            '\u{7f}',
            '\u{80}',
            '\u{9b}',
            '\u{9f}',
            '\u{ad}',
            '\u{61c}',
            '\u{180e}',
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{200e}',
            '\u{200f}',
            '\u{2028}',
            '\u{2029}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2064}',
            '\u{2066}',
            '\u{2069}',
            '\u{206f}',
            '\u{feff}',
            '\u{fff9}',
            '\u{fffa}',
            '\u{fffb}',
            '\u{1bca0}',
            '\u{1bca3}',
            '\u{1d173}',
            '\u{1d17a}',
            '\u{e0001}',
            '\u{e0020}',
            '\u{e007f}',
            '\u{e0100}',
            '\u{e01ef}',
        ] {
            assert!(!is_printable(c), "{c:?}");
            assert!(sanitize(&c.to_string()).chars().all(is_printable), "{c:?}");
        }
        assert!((0..0x20).all(|c| !is_printable(char::from(c))));
    }

    #[test]
    fn text_is_printable() {
        for c in " ~é߿ࠀ€中🙂\u{a0}\u{300}\u{fe0f}\u{fffd}".chars() {
            assert!(is_printable(c), "{c:?}");
            assert_eq!(sanitize(&c.to_string()), c.to_string());
        }
    }
}
