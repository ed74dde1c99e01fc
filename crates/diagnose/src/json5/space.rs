//! Character classes of JSON5: white space that JSON lacks, and identifiers.

/// The length of the character at the start of a text, if it is white space only in JSON5.
pub(super) fn other(text: &[u8]) -> Option<usize> {
    match text {
        [0x0B | 0x0C, ..] => Some(1),
        [0xC2, 0xA0, ..] => Some(2),
        // U+1680; U+2000 to U+200A, U+2028, U+2029, U+202F; U+205F; U+3000; U+FEFF
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xBB, 0xBF, ..] => Some(3),
        _ => None,
    }
}

/// Whether a text begins with U+2028 or U+2029, which end a line.
pub(super) fn is_separator(text: &[u8]) -> bool {
    matches!(text, [0xE2, 0x80, 0xA8 | 0xA9, ..])
}

/// Whether a word is an `IdentifierName` of ECMAScript 5.1, with its escapes.
pub(super) fn is_name(word: &[u8]) -> bool {
    let Ok(word) = std::str::from_utf8(word) else {
        return false;
    };
    let mut rest = word.chars();
    let mut is_first = true;
    while let Some(mut char) = rest.next() {
        if char == '\\' {
            let escape = rest.as_str().as_bytes();
            let unit = match escape {
                [b'u', digits @ ..] => digits.first_chunk().and_then(jsonx_core::hex::decode4),
                _ => None,
            };
            // A name cannot contain a surrogate.
            let Some(escaped) = unit.and_then(|unit| char::from_u32(unit.into())) else {
                return false;
            };
            char = escaped;
            rest = rest.as_str()[5..].chars();
        }
        let fits = if is_first {
            begins_name(char)
        } else {
            continues_name(char)
        };
        if !fits {
            return false;
        }
        is_first = false;
    }
    !is_first
}

/// Letters (L), letter numbers (Nl), `$` and `_`.
fn begins_name(char: char) -> bool {
    match char {
        '$' | '_' => true,
        // Letters that are punctuation, or whose compatibility forms are not letters.
        '\u{2E2F}' => true,
        '\u{37A}' | '\u{E33}' | '\u{EB3}' | '\u{FC5E}'..='\u{FC63}' | '\u{FDFA}' | '\u{FDFB}' => {
            true
        }
        '\u{FE70}' | '\u{FE72}' | '\u{FE74}' | '\u{FE76}' | '\u{FE78}' | '\u{FE7A}'
        | '\u{FE7C}' | '\u{FE7E}' | '\u{FF9E}' | '\u{FF9F}' => true,
        // They begin names in later editions.
        '\u{1885}' | '\u{1886}' | '\u{2118}' | '\u{212E}' => false,
        _ => unicode_ident::is_xid_start(char),
    }
}

/// These, marks (Mn, Mc), digits (Nd), connectors (Pc), and two joiners.
fn continues_name(char: char) -> bool {
    match char {
        '\u{200C}' | '\u{200D}' | '\u{1885}' | '\u{1886}' => true,
        '\u{B7}' | '\u{387}' | '\u{1369}'..='\u{1371}' | '\u{19DA}' | '\u{30FB}' | '\u{FF65}' => {
            false
        }
        '\u{2118}' | '\u{212E}' => false,
        _ => begins_name(char) || unicode_ident::is_xid_continue(char),
    }
}

#[cfg(test)]
mod tests;
