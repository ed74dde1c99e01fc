//! Edits of JSON with comments: found in a copy without them, made in the text itself.
//!
//! An edit is declined where a comment is in its place, so that none is lost or ends up after another value.

use jsonx_core::edit::Splices;
use jsonx_core::jsonc::{Dialect, blank};
use jsonx_core::{Formatter, Options, Style, Validator};

/// Makes replacements in `text` that were found in `plain`, the same text without comments and trailing commas. `None` if a
/// comment or a trailing comma is in the way.
pub fn apply(text: &[u8], plain: &[u8], splices: &Splices, dialect: Dialect) -> Option<Vec<u8>> {
    let mut new = Vec::with_capacity(text.len());
    let mut at = 0;
    for splice in splices.list() {
        let span = splice.span();
        if text[span.clone()] != plain[span.clone()] {
            return None;
        }
        if span.is_empty() && has_comment(text, plain, span.start) {
            return None;
        }
        new.extend_from_slice(&text[at..span.start]);
        new.extend_from_slice(&without_blanked(splice.text()));
        at = span.end;
    }
    new.extend_from_slice(&text[at..]);
    // Nothing else has changed: without comments, the result is what the edit of the plain text comes to.
    let mut result = new.clone();
    blank(&mut result, dialect).ok()?;
    (compact(&result)? == compact(&splices.apply(plain))?).then_some(new)
}

/// Whether a comment follows on the line of this offset.
fn has_comment(text: &[u8], plain: &[u8], offset: usize) -> bool {
    let pairs = text[offset..].iter().zip(&plain[offset..]);
    pairs
        .take_while(|(byte, _)| **byte != b'\n')
        .any(|(byte, other)| byte != other && *byte != b',')
}

/// White space that was copied from beside a comment, without the spaces in its place.
fn without_blanked(text: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match line {
            [content @ .., b'\r', b'\n'] => {
                lines.extend_from_slice(content.trim_ascii_end());
                lines.extend_from_slice(b"\r\n");
            }
            [content @ .., b'\n'] => {
                lines.extend_from_slice(content.trim_ascii_end());
                lines.push(b'\n');
            }
            last => lines.extend_from_slice(last),
        }
    }
    lines
}

/// The text less its white space; `None` if it is not valid.
fn compact(text: &[u8]) -> Option<Vec<u8>> {
    let mut formatter = Formatter::new(Style::Compact, Vec::new());
    let checked =
        Validator::new(Options::default().max_depth(u64::MAX)).check(text, &mut formatter);
    checked.ok()?;
    formatter.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::Document;
    use jsonx_core::edit::Editor;

    fn edited(text: &str, edit: impl Fn(&mut Editor<'_, '_>)) -> Option<String> {
        let mut plain = text.as_bytes().to_vec();
        blank(&mut plain, Dialect::Jsonc).unwrap();
        let document = Document::parse(&plain).unwrap();
        let mut editor = document.edit();
        edit(&mut editor);
        let new = apply(text.as_bytes(), &plain, &editor.splices(), Dialect::Jsonc);
        new.map(|new| String::from_utf8(new).unwrap())
    }

    #[test]
    fn comments_and_trailing_commas_stay_where_they_are() {
        let text = "{\n  // one\n  \"a\": 1, // two\n  \"b\": [1, /* three */ 2,],\n}\n";
        let set = |path: &'static str, value: &'static str| {
            edited(text, |editor| {
                editor.set(path, value).unwrap();
            })
        };
        assert_eq!(
            set("/a", "10").unwrap(),
            text.replace("\"a\": 1", "\"a\": 10")
        );
        assert_eq!(set("/b/1", "20").unwrap(), text.replace(" 2,]", " 20,]"));
        assert_eq!(
            set("/c", "3").unwrap(),
            text.replace("2,],\n}", "2,],\n  \"c\": 3,\n}")
        );
        // The comment would be lost.
        assert_eq!(set("/b", "[]"), None);
        let deleted = |path: &'static str| {
            edited(text, |editor| {
                editor.delete(path).unwrap();
            })
        };
        assert_eq!(
            deleted("/b/1").map(|new| new.contains("three")),
            None,
            "a comment beside it"
        );
        // A comma would be left alone.
        assert_eq!(
            edited("{\"a\": 1,}", |editor| {
                editor.delete("/a").unwrap();
            }),
            None
        );
    }
}
