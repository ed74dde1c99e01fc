//! The reason why a pattern is not a regular expression, and the faulty part of it.

use jsonx_core::Node;

use super::formats::excerpt;
use super::values::shown;
use crate::backtracking::Pattern;

/// Whether a pattern is a JavaScript regular expression in Unicode mode, as the drafts require, and can be compiled here.
pub fn is_pattern(pattern: &str) -> bool {
    jsonschema_regex::is_valid_ecma_regex(pattern) && Pattern::new(pattern).is_some()
}

/// The message and the label for an invalid pattern.
pub fn no_pattern(pattern: &str, node: Node<'_, '_>) -> (String, String) {
    let error = match regex::Regex::new(pattern) {
        Err(regex::Error::CompiledTooBig(_)) => {
            let message = format!("the regular expression {} is too large", shown(node));
            return (message, String::new());
        }
        Err(error) => error.to_string(),
        Ok(_) => String::new(),
    };
    let reason = error.rsplit_once("error: ").map(|(_, reason)| reason);
    let is_known = |reason: &&str| !reason.starts_with("look-around");
    let (at, reason) = match (lone_bracket(pattern), reason.filter(is_known)) {
        (Some((at, bracket)), _) => {
            let reason = format!("a literal `{bracket}` must be written `\\{bracket}`");
            (Some(at), reason)
        }
        (None, Some(reason)) => (marked(&error), reason.to_owned()),
        (None, None) => (None, String::new()),
    };
    let offset = |at: usize| pattern.char_indices().nth(at).map(|(offset, _)| offset);
    let quoted = match at.and_then(offset) {
        Some(offset) if excerpt(pattern, offset) != pattern => {
            format!("\"{}\"", excerpt(pattern, offset))
        }
        _ => shown(node),
    };
    (format!("{quoted} is not a regular expression"), reason)
}

/// The character marked by the caret in the error message of a single-line pattern.
fn marked(error: &str) -> Option<usize> {
    let mut lines = error.lines();
    let carets =
        lines.find(|line| line.trim_start().starts_with('^') && line.trim_end().ends_with('^'))?;
    // The line of the pattern has the same indentation.
    carets.chars().position(|c| c == '^')?.checked_sub(4)
}

/// The first bracket that Unicode mode does not allow unescaped, and the number of characters before it.
fn lone_bracket(pattern: &str) -> Option<(usize, char)> {
    let mut characters = pattern.chars().enumerate().peekable();
    let mut in_class = false;
    let mut before = None;
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => {
                // `\p{L}`, `\u{61}` and `\k<name>` include brackets.
                let escaped = characters.next().map(|(_, c)| c);
                let has_braces = matches!(escaped, Some('p' | 'P' | 'u'));
                if has_braces && characters.next_if(|(_, c)| *c == '{').is_some() {
                    characters.by_ref().find(|(_, c)| *c == '}');
                }
            }
            ']' if in_class => in_class = false,
            _ if in_class => {}
            '[' => in_class = true,
            '{' => {
                let rest = pattern.chars().skip(at + 1);
                let count: String = rest.take_while(|c| *c != '}').collect();
                let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
                let (least, most) = count.split_once(',').unwrap_or((&count, ""));
                let repeats = !least.is_empty() && is_number(least) && is_number(most);
                if !repeats || matches!(before, None | Some('(' | '|' | '{')) {
                    return Some((at, c));
                }
                characters.by_ref().find(|(_, c)| *c == '}');
            }
            '}' | ']' => return Some((at, c)),
            _ => {}
        }
        before = Some(c);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::Document;

    #[test]
    fn a_lone_bracket_is_found() {
        for (pattern, lone) in [
            ("^[a-z]{2}]?$", Some((9, ']'))),
            ("([$][{].+})", Some((9, '}'))),
            (r"^\${.*?}$", Some((3, '{'))),
            ("{2}", Some((0, '{'))),
            (r"[{}\]]{1,2}\{\}\p{L}{3,}\u{61}", None),
        ] {
            assert_eq!(lone_bracket(pattern), lone, "{pattern}");
            assert_eq!(is_pattern(pattern), lone.is_none(), "{pattern}");
        }
    }

    #[test]
    fn the_part_that_is_wrong_is_shown() {
        let long = "(a|b)".repeat(30);
        for (wrong, reason) in [
            (
                "[z-a]",
                "invalid character class range, the start must be <= the end",
            ),
            ("x]", "a literal `]` must be written `\\]`"),
            ("(?:", "unclosed group"),
        ] {
            for pattern in [wrong.to_owned(), format!("{long}{wrong}")] {
                let json = serde_json::to_string(&pattern).unwrap();
                let document = Document::parse(json.as_bytes()).unwrap();
                let (message, label) = no_pattern(&pattern, document.root());
                assert!(message.contains(wrong), "{message}");
                assert_eq!(label, reason, "{pattern}");
            }
        }
    }
}
