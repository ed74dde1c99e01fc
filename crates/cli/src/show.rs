//! One message about a place in the input, as text for a person: a pure function from data to a string.
//!
//! ```text
//! error: expected a value
//!  --> config.json:3:14
//!   |
//! 3 |   "servers": ,
//!   |              ^
//! ```

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar;

use crate::input::{Excerpt, Name};

const BOLD: Style = Style::new().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const BLUE: Style = AnsiColor::Blue.on_default().bold();

/// What is to be shown.
pub struct Message<'a> {
    /// What is wrong, in one line, already free of control characters.
    pub text: &'a str,
    /// Which input it is about.
    pub name: &'a Name,
    /// Where in it.
    pub excerpt: &'a Excerpt,
    /// Whether the source line is worth showing; that of a compressed file is not.
    pub source: bool,
    /// What to do about it.
    pub help: Option<&'a str>,
}

impl Message<'_> {
    /// The message as lines, at most `width` cells wide where the source line is concerned, coloured or plain.
    pub fn render(&self, width: usize, color: bool) -> String {
        let paint = |style: Style| if color { style } else { Style::new() };
        let (style, bold, blue) = (paint(RED), paint(BOLD), paint(BLUE));
        let Excerpt { line, column, .. } = self.excerpt;
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        let mut out = format!("{style}error{style:#}{bold}: {}{bold:#}\n", self.text);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{gutter}{blue}-->{blue:#} {}:{line}:{column}",
            self.name
        );
        if self.source {
            let (source, caret) = self.source_line(width.saturating_sub(number.len() + 3));
            let _ = writeln!(out, "{gutter} {blue}|{blue:#}");
            let _ = writeln!(out, "{blue}{number} |{blue:#} {source}");
            let (indent, marks) = (" ".repeat(caret.start), "^".repeat(caret.len()));
            let _ = writeln!(
                out,
                "{gutter} {blue}|{blue:#} {indent}{style}{marks}{style:#}"
            );
        }
        if let Some(help) = self.help {
            let _ = writeln!(out, "{gutter} {blue}={blue:#} help: {help}");
        }
        out
    }

    /// The source line cut to `budget` cells around the place, and the cells of the caret below it.
    fn source_line(&self, budget: usize) -> (String, std::ops::Range<usize>) {
        const DOTS: &str = "...";
        let excerpt = self.excerpt;
        let before = cells(&excerpt.before);
        let after = cells(&excerpt.after);
        let width = |cells: &[Cell]| cells.iter().map(|cell| cell.width).sum::<usize>();
        let (all_before, all_after) = (width(&before), width(&after));
        let fits = all_before + all_after <= budget && !excerpt.cut_before && !excerpt.cut_after;
        let room = budget.saturating_sub(2 * DOTS.len()).max(8);
        let (left, right) = if fits {
            (all_before, all_after)
        } else {
            let right = all_after
                .min(room / 2)
                .max(room.saturating_sub(all_before).min(all_after));
            (all_before.min(room - right.min(room)), right)
        };
        let mut shown_left = 0;
        let first = before.iter().rposition(|cell| {
            shown_left += cell.width;
            shown_left > left
        });
        let mut shown_right = 0;
        let end = after.iter().position(|cell| {
            shown_right += cell.width;
            shown_right > right
        });
        let mut line = String::new();
        if first.is_some() || excerpt.cut_before {
            line.push_str(DOTS);
        }
        let shown_before = &before[first.map_or(0, |first| first + 1)..];
        let caret = line.len() + width(shown_before);
        let shown_after = &after[..end.unwrap_or(after.len())];
        shown_before
            .iter()
            .chain(shown_after)
            .for_each(|cell| line.push_str(&cell.text));
        if end.is_some() || excerpt.cut_after {
            line.push_str(DOTS);
        }
        let marks = shown_after.first().map_or(1, |cell| cell.width.max(1));
        // White space at the end is no help in a message, and a nuisance in its tests.
        line.truncate(line.trim_end().len());
        (line, caret..caret + marks)
    }
}

/// One character as a terminal shall see it.
struct Cell {
    text: String,
    width: usize,
}

fn cells(bytes: &[u8]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for chunk in bytes.utf8_chunks() {
        cells.extend(chunk.valid().chars().map(|c| {
            let text = shown(c).unwrap_or_else(|| c.to_string());
            let width = if text.len() == c.len_utf8() {
                c.width().unwrap_or(0)
            } else {
                width_of(&text)
            };
            Cell { text, width }
        }));
        // One cell per bad byte, as columns count them.
        cells.extend(chunk.invalid().iter().map(|byte| Cell {
            text: format!("<{byte:02X}>"),
            width: 4,
        }));
    }
    cells
}

/// Cells that a text takes on a terminal.
pub fn width_of(text: &str) -> usize {
    text.chars().filter_map(UnicodeWidthChar::width).sum()
}

/// Bytes of a file, or of its name, as one line of harmless text.
pub fn escape(bytes: &(impl AsRef<[u8]> + ?Sized)) -> String {
    let bytes = bytes.as_ref();
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match shown(c) {
                Some(text) => out.push_str(&text),
                None => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "<{byte:02X}>");
        }
    }
    out
}

/// The same for text of several lines: newlines and tabs stay.
pub fn escape_lines(bytes: &[u8]) -> String {
    let lines = bytes.split(|&byte| byte == b'\n');
    let cells = |line: &[u8]| {
        line.split(|&byte| byte == b'\t')
            .map(escape)
            .collect::<Vec<_>>()
            .join("\t")
    };
    lines.map(cells).collect::<Vec<_>>().join("\n")
}

/// The replacement for a character that a terminal would obey, hide or reorder by; `None` for all others.
fn shown(c: char) -> Option<String> {
    Some(match c {
        '\t' => "    ".to_owned(),
        // Control pictures: U+2400 and the 31 after it, in the order of the codes.
        '\0'..='\x1F' => char::from_u32(0x2400 + c as u32)?.to_string(),
        '\x7F' => '\u{2421}'.to_string(),
        '\u{200D}' => String::new(),
        '\u{80}'..='\u{9F}'
        | '\u{61C}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}'
        | '\u{AD}'
        | '\u{180E}'
        | '\u{200B}'
        | '\u{200C}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{E0000}'..='\u{E0FFF}' => {
            format!("<U+{:04X}>", c as u32)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn render(before: &[u8], after: &[u8], width: usize) -> String {
        let excerpt = Excerpt {
            line: 12,
            column: 3,
            before: before.to_vec(),
            after: after.to_vec(),
            cut_before: false,
            cut_after: false,
        };
        Message {
            text: "expected a value",
            name: &Name::of(Path::new("a\x1B.json")),
            excerpt: &excerpt,
            source: true,
            help: None,
        }
        .render(width, false)
    }

    #[test]
    fn a_line_that_fits() {
        insta::assert_snapshot!(render(b"[1, ", b"]", 80), @r"
        error: expected a value
          --> a␛.json:12:3
           |
        12 | [1, ]
           |     ^
        ");
    }

    #[test]
    fn tabs_wide_and_combining_characters_keep_the_caret_in_place() {
        let text = render("\t\"名前e\u{301}\u{200D}\u{202E}".as_bytes(), b"x", 80);
        let (source, caret) = ("    \"名前e\u{301}<U+202E>x", " ".repeat(4 + 1 + 4 + 1 + 8));
        assert!(
            text.ends_with(&format!("12 | {source}\n   | {caret}^\n")),
            "{text}"
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_marked_whole() {
        insta::assert_snapshot!(render(b"[\"\x1B[31m", b"\xE9 \xFF\"]", 80), @r#"
        error: expected a value
          --> a␛.json:12:3
           |
        12 | ["␛[31m<E9> <FF>"]
           |        ^^^^
        "#);
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        let before = "0,".repeat(1000);
        let after = "],".repeat(1000);
        let text = render(before.as_bytes(), after.as_bytes(), 60);
        insta::assert_snapshot!(text, @"
        error: expected a value
          --> a␛.json:12:3
           |
        12 | ...,0,0,0,0,0,0,0,0,0,0,0,0,],],],],],],],],],],],],...
           |                             ^
        ");
    }

    #[test]
    fn an_end_of_input_has_a_caret_behind_the_text() {
        insta::assert_snapshot!(render(b"[1", b"", 80), @r"
        error: expected a value
          --> a␛.json:12:3
           |
        12 | [1
           |   ^
        ");
        let before = "x".repeat(500);
        for line in render(before.as_bytes(), b"", 80).lines() {
            assert!(width_of(line) <= 80, "{line}");
        }
    }

    #[test]
    fn nothing_a_terminal_obeys_comes_through() {
        let every: String = (0..0x3000)
            .filter_map(char::from_u32)
            .filter(|&c| c != '\n' && c != '\r')
            .collect();
        let text = render(every.as_bytes(), every.as_bytes(), 200) + &escape(&every);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        assert!(!text.contains(['\u{202E}', '\u{2066}', '\u{200F}', '\u{61C}']));
    }
}
