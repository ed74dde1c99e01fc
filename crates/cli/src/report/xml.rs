//! Escapes text for XML 1.0, which cannot represent most control characters, not even as references.

use jsonx_core::terminal::sanitize;

/// Text for an attribute, safe to show, on one line.
pub(super) fn attribute(text: &str) -> String {
    escaped(text, "&#10;")
}

/// Text between tags, safe to show, with its line breaks.
pub(super) fn content(text: &str) -> String {
    escaped(text, "\n")
}

fn escaped(text: &str, line_break: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push_str(line_break);
        }
        for c in sanitize(line).chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                // Excluded from `Char` in XML 1.0.
                '\u{fffe}' | '\u{ffff}' => out.push_str(&format!("&lt;U+{:04X}&gt;", c as u32)),
                // `##` starts a command in the log of a CI service.
                '#' if out.ends_with('#') => out.push_str("&#35;"),
                _ => out.push(c),
            }
        }
    }
    out
}

/// The first line of a document.
pub(super) const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
