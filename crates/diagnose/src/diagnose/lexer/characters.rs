//! Characters that are used instead of the quotes and punctuation of JSON.

use super::super::diagnostic::Span;

/// The length, in bytes, of a full-width character.
pub(super) const LENGTH: usize = 3;

/// The ASCII equivalent of the full-width character at the start of `bytes`.
pub(super) fn ascii(bytes: &[u8]) -> Option<u8> {
    Some(match bytes {
        [0xEF, 0xBC, 0x8C, ..] | [0xE3, 0x80, 0x81, ..] => b',',
        [0xEF, 0xBC, 0x9A, ..] => b':',
        [0xEF, 0xBC, 0x9B, ..] => b';',
        [0xEF, 0xBC, 0xBB, ..] => b'[',
        [0xEF, 0xBC, 0xBD, ..] => b']',
        [0xEF, 0xBD, 0x9B, ..] => b'{',
        [0xEF, 0xBD, 0x9D, ..] => b'}',
        _ => return None,
    })
}

/// Whether a full-width character is at the start of `bytes`.
pub(in super::super) fn is_full_width(bytes: &[u8]) -> bool {
    ascii(bytes).is_some()
}

/// The span of the bracket at `at`.
pub(in super::super) fn bracket(text: &[u8], at: usize) -> Span {
    let length = ascii(&text[at..]).map_or(1, |_| LENGTH);
    Span::new(at, at + length)
}

/// The families of quotes that JSON does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Quotes {
    Single,
    Backtick,
    Smart,
    /// Three of them: only [`Lexer::triple`](super::Lexer) lexes these.
    Triple,
}

impl Quotes {
    /// The length of the quote of this family at the start of `bytes`.
    pub fn at(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Quotes::Single => (bytes.first() == Some(&b'\'')).then_some(1),
            Quotes::Backtick => (bytes.first() == Some(&b'`')).then_some(1),
            Quotes::Triple => None,
            Quotes::Smart => match bytes {
                // U+2018 to U+201F: single and double, opening, closing, low.
                [0xE2, 0x80, 0x98..=0x9F, ..] => Some(3),
                // « and »
                [0xC2, 0xAB | 0xBB, ..] => Some(2),
                // The acute accent.
                [0xC2, 0xB4, ..] => Some(2),
                // The full-width quotation mark and apostrophe.
                [0xEF, 0xBC, 0x82 | 0x87, ..] => Some(3),
                _ => None,
            },
        }
    }
}
