//! The character that is wrong in a text of some format.

use super::values::LONGEST;
use crate::convert::{fragment_of, is_sound};

/// The first character that no text of this format has there, and its offset. None if each character is allowed.
pub fn offending(format: &str, text: &str) -> Option<(usize, char)> {
    let fragment = fragment_of(text);
    let is_allowed = |at: usize, c: char| match format {
        "uri" | "uri-reference" => is_sound(text.as_bytes(), fragment, at),
        "iri" | "iri-reference" => !c.is_ascii() || is_sound(text.as_bytes(), fragment, at),
        "hostname" => c.is_ascii_alphanumeric() || matches!(c, '-' | '.'),
        "ipv4" => c.is_ascii_digit() || c == '.',
        "ipv6" => c.is_ascii_hexdigit() || matches!(c, ':' | '.'),
        "uuid" => c.is_ascii_hexdigit() || c == '-',
        "date" => c.is_ascii_digit() || c == '-',
        "time" => c.is_ascii_digit() || "+-:.Zz".contains(c),
        "date-time" => c.is_ascii_digit() || "+-:.TtZz".contains(c),
        _ => true,
    };
    text.char_indices().find(|&(at, c)| !is_allowed(at, c))
}

/// A character in a sentence.
pub fn character(c: char) -> String {
    match c {
        ' ' => "a space".to_owned(),
        '`' => "a backtick".to_owned(),
        _ if c.is_control() || c.is_whitespace() => format!("U+{:04X}", u32::from(c)),
        _ => format!("`{c}`"),
    }
}

/// A long text around an offset.
pub fn excerpt(text: &str, at: usize) -> String {
    let before = text[..at].chars().count();
    let skipped = before.saturating_sub(LONGEST / 2);
    let mut rest = text.chars().skip(skipped);
    let shown: String = rest.by_ref().take(LONGEST - 2).collect();
    let start = if skipped > 0 { "…" } else { "" };
    let end = if rest.next().is_some() { "…" } else { "" };
    format!("{start}{shown}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_character_that_is_wrong_is_found_and_never_cut_off() {
        let wrong = [
            ("uri", "https://example.com/", ' ', "b"),
            ("uri", "https://example.com/", '%', "zz"),
            ("uri-reference", "a#b", '#', ""),
            ("iri", "https://example.com/é", '<', "b>"),
            ("hostname", "example", '_', "com"),
            ("ipv4", "127.0.0.", 'x', ""),
            ("ipv6", "fe80::", 'g', ""),
            ("uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", 'x', ""),
            ("date", "31", '.', "1.2026"),
            ("time", "12", 'h', "30"),
            ("date-time", "2026-01-31", ' ', "12:00:00Z"),
        ];
        for (format, start, c, end) in wrong {
            let text = format!("{start}{c}{end}");
            assert_eq!(offending(format, &text), Some((start.len(), c)), "{text}");
        }
        for length in 0..200 {
            let start = format!("https://example.com/{}", "é".repeat(length));
            for rest in [0, 1, 30, 100] {
                let text = format!("{start}<{}", "b".repeat(rest));
                let (at, _) = offending("iri", &text).unwrap();
                let shown = excerpt(&text, at);
                assert!(shown.contains('<'), "{shown}");
                assert!(shown.chars().count() <= LONGEST, "{shown}");
            }
        }
        assert_eq!(offending("uri", "https://[::1]/a%20b?c#d"), None);
        assert_eq!(offending("unknown", "<>"), None);
    }
}
