//! The reason why a pattern is not a regular expression, and the faulty part of it.

use jsonx_core::Node;

use super::formats::excerpt;
use super::values::shown;
use crate::backtracking::Pattern;
use crate::ecma;

/// Whether a pattern is a JavaScript regular expression in Unicode mode, as the drafts require, and can be compiled here.
pub fn is_pattern(pattern: &str) -> bool {
    ecma::translated(pattern, true).is_ok() && Pattern::new(pattern).is_some()
}

/// The message and the label for an invalid pattern.
pub fn no_pattern(pattern: &str, node: Node<'_, '_>) -> (String, String) {
    let error = match ecma::translated(pattern, true) {
        Ok(translated) => {
            let too_big = matches!(
                regex::Regex::new(&translated),
                Err(regex::Error::CompiledTooBig(_))
            );
            let problem = if too_big { "large" } else { "complex" };
            let message = format!("the regular expression {} is too {problem}", shown(node));
            return (message, String::new());
        }
        Err(error) => error,
    };
    let part = excerpt(pattern, error.at);
    let quoted = if part == pattern {
        shown(node)
    } else {
        format!("\"{part}\"")
    };
    (
        format!("{quoted} is not a regular expression"),
        error.reason,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::Document;

    #[test]
    fn a_lone_bracket_is_found() {
        for (pattern, lone) in [
            ("^[a-z]{2}]?$", Some(9)),
            ("([$][{].+})", Some(9)),
            (r"^\${.*?}$", Some(3)),
            ("{2}", Some(0)),
            (r"[{}\]]{1,2}\{\}\p{L}{3,}\u{61}", None),
        ] {
            let found = ecma::translated(pattern, true).err().map(|error| error.at);
            assert_eq!(found, lone, "{pattern}");
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
