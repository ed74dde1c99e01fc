//! The wrong character of a text in some format.

use super::values::LONGEST;
use crate::convert::{fragment_of, is_sound};

/// The first character that the format does not allow at its place, and its offset. `None` if all characters are allowed.
pub fn offending(format: &str, text: &str) -> Option<(usize, char)> {
    let fragment = fragment_of(text);
    let bytes = text.as_bytes();
    let before = |at: usize, n: usize| at.checked_sub(n).map(|at| bytes[at]);
    let is_allowed = |at: usize, c: char| match format {
        "uri" | "uri-reference" => is_sound(bytes, fragment, at),
        "iri" | "iri-reference" => !c.is_ascii() || is_sound(bytes, fragment, at),
        "uri-template" => !c.is_ascii_control() && !" \"'<>\\^`|".contains(c),
        "email" | "idn-email" => match c {
            '@' => !text[..at].contains('@') || text.contains('"'),
            _ => !c.is_whitespace() && !c.is_control() || text.contains('"'),
        },
        "hostname" => {
            is_of_host(c) && !(before(at, 1).is_none_or(|it| it == b'.') && "-.".contains(c))
        }
        "idn-hostname" => !c.is_ascii() || is_of_host(c),
        "ipv4" => c.is_ascii_digit() || c == '.',
        "ipv6" if c == ':' => {
            let is_second = before(at, 1) == Some(b':');
            !is_second || before(at, 2) != Some(b':') && !text[..at - 1].contains("::")
        }
        "ipv6" => c.is_ascii_hexdigit() || c == '.',
        "uuid" => fits("00000000-0000-0000-0000-000000000000", at, c, true),
        "date" => fits("0000-00-00", at, c, false),
        "time" => is_of_time(at, c),
        "date-time" => match at {
            10 => matches!(c, 'T' | 't'),
            11.. => is_of_time(at - 11, c),
            _ => fits("0000-00-00", at, c, false),
        },
        "duration" if at == 0 => c == 'P',
        "duration" => match c {
            'H' | 'S' => text[..at].contains('T'),
            'Y' | 'W' | 'D' => !text[..at].contains('T'),
            _ => c.is_ascii_digit() || matches!(c, 'M' | 'T'),
        },
        "json-pointer" if at == 0 => c == '/',
        "json-pointer" => c != '~' || matches!(bytes.get(at + 1), Some(b'0' | b'1')),
        "relative-json-pointer" if at == 0 => c.is_ascii_digit(),
        _ => true,
    };
    text.char_indices().find(|&(at, c)| !is_allowed(at, c))
}

fn is_of_host(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.')
}

/// Whether a template, where `0` represents any digit, allows this character here.
fn fits(template: &str, at: usize, c: char, is_hex: bool) -> bool {
    match template.as_bytes().get(at) {
        Some(b'0') if is_hex => c.is_ascii_hexdigit(),
        Some(b'0') => c.is_ascii_digit(),
        Some(&sign) => c == char::from(sign),
        None => false,
    }
}

/// Whether a time may have this character at this offset.
fn is_of_time(at: usize, c: char) -> bool {
    match at {
        ..8 => fits("00:00:00", at, c, false),
        8 => ".+-Zz".contains(c),
        _ => c.is_ascii_digit() || "+-:Zz".contains(c),
    }
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
            ("date", "2026-1", '-', "31"),
            ("date", "2026-01-31", 'T', "12:00:00Z"),
            ("time", "12", 'h', "30"),
            ("time", "12:00", 'Z', ""),
            ("time", "12:00:00", ' ', "Z"),
            ("date-time", "2026-01-31T12:00:00", ',', "5Z"),
            ("uuid", "2eb8aa08", 'a', "a9811eab4aa73b441d16380"),
            ("ipv6", "fe80::1:", ':', "2"),
            ("ipv6", "fe80::", ':', "2"),
            ("hostname", "a.", '.', "b"),
            ("hostname", "a.", '-', "b"),
            ("hostname", "", '.', "b"),
            ("idn-hostname", "é", ' ', "b"),
            ("email", "ada@", '@', "example.com"),
            ("idn-email", "ada", ' ', "b@example.com"),
            ("duration", "P1", 'S', ""),
            ("duration", "PT1H2", 'D', ""),
            ("duration", "", '1', "D"),
            ("uri-template", "/a", ' ', "{b}"),
            ("json-pointer", "", 'a', "/b"),
            ("json-pointer", "/a", '~', "2"),
            ("relative-json-pointer", "", '/', "a"),
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
        for (format, sound) in [
            ("email", "\"a @ b\"@example.com"),
            ("email", "joe@[127.0.0.1]"),
            ("date-time", "2026-01-31t12:00:00.25+01:00"),
            ("time", "23:59:60.5z"),
            ("duration", "P1Y2M3DT4H5M6S"),
            ("duration", "P2W"),
            ("ipv6", "::ffff:192.168.0.1"),
            ("ipv6", "1::"),
            ("hostname", "a-b.example"),
            ("json-pointer", "/a~0b/~1"),
            ("json-pointer", ""),
            ("relative-json-pointer", "0#"),
            ("uri-template", "/a/{b}{?c*}"),
            ("uuid", "2EB8AA08-aa98-11ea-b4aa-73b441d16380"),
        ] {
            assert_eq!(offending(format, sound), None, "{sound}");
        }
    }
}
