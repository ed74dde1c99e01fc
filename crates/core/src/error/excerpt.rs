//! The part of a line that is shown with an error.

use crate::position;
use crate::terminal;

/// Characters of a line that are shown, and at most so many of them before the error. Where the line is cut, the first or the
/// last is `…`.
const SHOWN: usize = 80;
const BEFORE: usize = 39;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The position of an error, and an excerpt of its line that is safe for a terminal.
pub(super) struct Excerpt {
    pub line: u64,
    pub column: u64,
    /// Whether there is a byte-order mark at the error.
    pub is_marked: bool,
    shown: String,
    /// Characters before the error.
    before: usize,
}

impl Excerpt {
    pub fn new(text: &[u8], offset: u64) -> Excerpt {
        let offset = usize::try_from(offset).map_or(text.len(), |offset| offset.min(text.len()));
        let position = position::locate(text, offset);
        let line = position::line_range(text, offset);
        // As many bytes as the characters can have, so that a long line costs nothing.
        let from = line.start.max(offset.saturating_sub(4 * SHOWN));
        let upto = line.end.max(offset).min(offset + 4 * SHOWN);
        let before = String::from_utf8_lossy(&text[from..offset]);
        // A byte-order mark is in no column.
        let before = match from {
            0 => before.trim_start_matches(BYTE_ORDER_MARK),
            _ => &before,
        };
        let count = before.chars().count();
        let is_cut = count > BEFORE;
        let skipped = if is_cut { count - BEFORE + 1 } else { 0 };
        let mut shown: Vec<char> = is_cut.then_some('…').into_iter().collect();
        shown.extend(before.chars().skip(skipped).map(visible));
        let count = shown.len();
        let after = String::from_utf8_lossy(&text[offset..upto]);
        let is_marked = after.starts_with(BYTE_ORDER_MARK);
        shown.extend(after.trim_end().chars().map(visible));
        if shown.len() > SHOWN {
            shown.truncate(SHOWN - 1);
            shown.push('…');
        }
        Excerpt {
            line: position.line,
            column: position.column,
            is_marked,
            shown: shown.into_iter().collect(),
            before: count,
        }
    }

    /// The lines below the message. `file` comes before line and column, `place` after them.
    pub fn render(&self, file: &str, place: &str) -> String {
        let Excerpt {
            line,
            column,
            shown,
            before,
            ..
        } = self;
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let caret = " ".repeat(*before);
        let shown = shown.trim_end();
        format!(
            "{margin}--> {file}{number}:{column}{place}\n{margin} |\n{number} | {shown}\n{margin} | {caret}^\n"
        )
    }
}

/// A character that takes one column and changes nothing else on a terminal.
fn visible(character: char) -> char {
    match terminal::is_printable(character) {
        true => character,
        false => char::REPLACEMENT_CHARACTER,
    }
}
