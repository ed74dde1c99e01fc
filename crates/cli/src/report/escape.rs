//! Escapes text for terminals and measures its width in cells.

use std::borrow::Cow;
use std::ops::Range;

use jsonx_core::position::line_range;
use jsonx_core::string::escape as json_escape;
use jsonx_core::terminal::{Replacement, is_printable, replacement, sanitize};
use unicode_width::UnicodeWidthChar;

use super::position::character;

/// Appends the displayed form of the character at the start of `bytes`. Returns its length in bytes and its width in
/// cells.
pub(super) fn push(bytes: &[u8], out: &mut String) -> (usize, usize) {
    let (c, length) = character(bytes);
    let Some(c) = c else {
        out.push_str(&format!("<{:02X}>", bytes[0]));
        return (length, 4);
    };
    let width = match replacement(c) {
        Replacement::None => {
            out.push(c);
            c.width().unwrap_or(0)
        }
        Replacement::Picture(picture) => {
            out.push(picture);
            1
        }
        Replacement::CodePoint => {
            let text = format!("<U+{:04X}>", c as u32);
            out.push_str(&text);
            text.len()
        }
        Replacement::Tab => {
            out.push_str("    ");
            4
        }
        Replacement::Empty => 0,
    };
    (length, width)
}

/// The width in terminal cells of text that is already safe to show.
pub fn width_of(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// Untrusted text, such as a file name, as one line that is safe to show: bytes that are not UTF-8 as `<FF>`, line
/// breaks and control characters as control pictures, and no command for a CI service.
///
/// ```
/// assert_eq!(jsonx_cli::report::escape(b"a\xFF\x1b[2J"), "a<FF>␛[2J");
/// assert_eq!(jsonx_cli::report::escape(b"## a ##vso[x]"), "## a #<U+0023>vso[x]");
/// ```
pub fn escape(bytes: &(impl AsRef<[u8]> + ?Sized)) -> String {
    let mut out = String::new();
    for chunk in bytes.as_ref().utf8_chunks() {
        out.push_str(&sanitize(chunk.valid()));
        for byte in chunk.invalid() {
            out.push_str(&format!("<{byte:02X}>"));
        }
    }
    const COMMANDS: [&str; 3] = ["##[", "##vso[", "##teamcity["];
    if out.contains("##") {
        for command in COMMANDS {
            out = out.replace(command, &format!("#<U+0023>{}", &command[2..]));
        }
    }
    out
}

/// A file name as one line that is safe to show, also in the log of a CI service that executes commands in it: `::` at
/// the start of a line, after any white space, starts a command of GitHub's runner.
///
/// ```
/// assert_eq!(jsonx_cli::report::escape_name(b"::error::a.json"), "./::error::a.json");
/// ```
pub fn escape_name(name: &(impl AsRef<[u8]> + ?Sized)) -> String {
    let mut name = escape(name);
    if name.trim_start().starts_with("::") {
        name.insert_str(0, "./");
    }
    name
}

/// Untrusted text as one word of a shell's command line, in quotes where it needs them.
pub fn in_shell(word: &(impl AsRef<[u8]> + ?Sized)) -> String {
    let word = escape(word);
    let is_plain = |it: char| it.is_alphanumeric() || "_./:@%+=,-".contains(it);
    if word.chars().all(is_plain) && !word.is_empty() {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Like [`escape`] for text of several lines: line feeds and tabs are left as they are.
pub fn escape_lines(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for piece in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\t')) {
        match piece {
            [text @ .., end @ (b'\n' | b'\t')] => {
                out.push_str(&escape(text));
                out.push(char::from(*end));
            }
            text => out.push_str(&escape(text)),
        }
    }
    out
}

/// The line of a text on which a span begins, cut around that, and a line with a mark under the span.
pub fn marked(text: &[u8], span: Range<usize>) -> String {
    /// Bytes that are shown before and after the start of the span.
    const AROUND: usize = 60;
    let continues = |at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let line = line_range(text, span.start);
    let mut from = line.start.max(span.start.saturating_sub(AROUND));
    while from < span.start && continues(from) {
        from += 1;
    }
    let mut to = line.end.max(span.start).min(span.start + AROUND);
    while to < line.end && continues(to) {
        to += 1;
    }
    let is_command = text[from..to].trim_ascii_start().starts_with(b"::");
    let shown = |from: usize, to: usize| {
        let shown = escape(&text[from..to]).replace('\t', " ");
        // `::` at the start of a line starts a command in the log of a CI service.
        match shown.find("::").filter(|_| is_command) {
            Some(at) => format!("{}:<U+003A>{}", &shown[..at], &shown[at + 2..]),
            None => shown,
        }
    };
    let under = shown(span.start, span.end.clamp(span.start, to));
    format!(
        "  {}\n  {}{}",
        shown(from, to),
        " ".repeat(width_of(&shown(from, span.start))),
        "^".repeat(width_of(&under).max(1))
    )
}

/// Escapes the commands that CI services execute anywhere in a line of a log: `##[`, `##vso[` and `##teamcity[`.
pub(super) fn defuse(text: &str) -> Cow<'_, str> {
    if text.contains("##") {
        Cow::Owned(text.replace("##", "#<U+0023>"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Appends text as a JSON string, with quotes. Characters that control a terminal become `\uXXXX`, so the output is
/// safe to display.
pub(super) fn json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            // `##` starts a command in the log of a CI service.
            '#' if out.ends_with('#') => out.push_str(json_escape(c).as_str()),
            '"' | '\\' => out.push_str(json_escape(c).as_str()),
            _ if is_printable(c) => out.push(c),
            _ => out.push_str(json_escape(c).as_str()),
        }
    }
    out.push('"');
}

/// JSON that is safe to show on a terminal: control characters become JSON escapes, so the value is the same.
pub fn escape_json(json: &[u8]) -> String {
    let text = String::from_utf8_lossy(json);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // Any character that a terminal would not display as itself is escaped.
        if c == '\n' || is_printable(c) {
            out.push(c);
            continue;
        }
        out.push_str(json_escape(c).as_str());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_shown_the_same_value() {
        let json = "{\n  \"a\u{9b}31m\": \"\u{202e}é\u{7f}\u{1F600}\"\n}\n";
        let shown = escape_json(json.as_bytes());
        assert_eq!(
            shown,
            "{\n  \"a\\u009b31m\": \"\\u202eé\\u007f\u{1F600}\"\n}\n"
        );
        let [before, after] =
            [json, &shown].map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
        assert_eq!(before, after);
    }
}
