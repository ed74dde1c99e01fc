//! Text of the file inside our own sentences: cut, decoded, and without anything a terminal would obey.

use std::borrow::Cow;

use crate::string::escape;

/// The number of characters of the file that a message quotes.
const QUOTED: usize = 32;

/// How a character of the file is shown: what [`visible`] writes for it, for those who also need its width.
///
/// ```
/// use jsonx_core::diagnose::{Shown, shown, visible};
///
/// let cells = |c| match shown(c) {
///     Shown::Itself | Shown::Picture(_) => 1,
///     Shown::Number => format!("<U+{:04X}>", c as u32).len(),
///     Shown::Tab => 4,
///     Shown::Nothing => 0,
/// };
/// let text = "a\tb\u{7}\u{202e}c\u{200d}";
/// assert_eq!(visible(text), "a    b␇<U+202E>c");
/// assert_eq!(text.chars().map(cells).sum::<usize>(), visible(text).chars().count());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// As it is.
    Itself,
    /// As another character of one cell: the picture of a control character.
    Picture(char),
    /// As `<U+202E>`.
    Number,
    /// As four spaces (a tab).
    Tab,
    /// Not at all (the zero-width joiner: each emoji then has a width of its own).
    Nothing,
}

/// How to show `c`, so that no terminal takes it for a command and nothing on the line is invisible.
///
/// ```
/// use jsonx_core::diagnose::{shown, Shown};
/// assert_eq!(shown('\u{1b}'), Shown::Picture('␛'));
/// assert_eq!(shown('\u{9b}'), Shown::Number);
/// assert_eq!(shown('é'), Shown::Itself);
/// ```
pub fn shown(c: char) -> Shown {
    match c {
        '\t' => Shown::Tab,
        '\0'..='\x1f' => Shown::Picture(char::from_u32(0x2400 + c as u32).unwrap_or('?')),
        '\x7f' => Shown::Picture('␡'),
        ' '..='~' => Shown::Itself,
        '\u{200d}' => Shown::Nothing,
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => Shown::Number,
        _ => Shown::Itself,
    }
}

/// `text` with every character as [`shown`] says. Line breaks become pictures too.
///
/// ```
/// assert_eq!(jsonx_core::diagnose::visible("a\u{1b}[31m"), "a␛[31m");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| shown(c) == Shown::Itself) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match shown(c) {
            Shown::Itself => out.push(c),
            Shown::Picture(picture) => out.push(picture),
            Shown::Number => out.push_str(&format!("<U+{:04X}>", c as u32)),
            Shown::Tab => out.push_str("    "),
            Shown::Nothing => {}
        }
    }
    Cow::Owned(out)
}

/// The start of `bytes` as visible text, at most 32 characters; `...` stands for the rest.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    // A character is at most four bytes, and one that is cut off is seen as such.
    let head = &bytes[..bytes.len().min(4 * QUOTED + 4)];
    let mut out = String::new();
    let mut count = 0;
    for chunk in head.utf8_chunks() {
        for c in chunk.valid().chars() {
            if count == QUOTED {
                out.push_str("...");
                return out;
            }
            out.push_str(&visible(c.encode_utf8(&mut [0; 4])));
            count += 1;
        }
        for byte in chunk.invalid() {
            if count == QUOTED {
                out.push_str("...");
                return out;
            }
            out.push_str(&format!("<{byte:02X}>"));
            count += 1;
        }
    }
    out
}

/// The excerpt in backticks.
pub(super) fn ticked(bytes: &[u8]) -> String {
    format!("`{}`", excerpt(bytes))
}

/// A suggestion such as ``write `"name"` ``, or `otherwise` where the text is too long to be shown whole.
pub(super) fn write(text: &str, otherwise: &str) -> String {
    if text.chars().count() <= 40 {
        format!("write `{}`", visible(text))
    } else {
        otherwise.into()
    }
}

/// Appends `text` as a JSON string, with quotes.
pub(super) fn json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        json_character(c, out);
    }
    out.push('"');
}

/// Appends one character as it stands in a JSON string.
pub(super) fn json_character(c: char, out: &mut String) {
    match c {
        '"' | '\\' | '\0'..='\x1f' => out.push_str(escape(c).as_str()),
        _ => out.push(c),
    }
}

/// `bytes` as a JSON string; what is not UTF-8 becomes U+FFFD.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    json_string(&String::from_utf8_lossy(bytes), &mut out);
    out
}
