//! The part of a line that is shown with an error.

use crate::position::{self, Position};
use crate::terminal;

/// Maximum number of characters of an excerpt, and of those before the error. `…` replaces the first or last character of a
/// truncated line.
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
    /// Number of characters before the error.
    before: usize,
}

impl Excerpt {
    pub fn new(text: &[u8], offset: u64) -> Excerpt {
        let offset = usize::try_from(offset).map_or(text.len(), |offset| offset.min(text.len()));
        Excerpt::at(position::locate(text, offset), text, offset, true)
    }

    /// The excerpt at `offset` of the part of a text. `whole`: it has the start of the line.
    pub fn at(position: Position, text: &[u8], offset: usize, whole: bool) -> Excerpt {
        let line = position::line_range(text, offset);
        // The maximum size of these characters, so that a long line costs nothing.
        let from = line.start.max(offset.saturating_sub(4 * SHOWN));
        let upto = line.end.max(offset).min(offset + 4 * SHOWN);
        let before = String::from_utf8_lossy(&text[from..offset]);
        // A byte-order mark takes no column.
        let before = match from {
            0 => before.trim_start_matches(BYTE_ORDER_MARK),
            _ => &before,
        };
        let count = before.chars().count();
        let is_cut = count > BEFORE || !(whole || line.start > 0);
        let skipped = count.saturating_sub(BEFORE - 1);
        let skipped = if is_cut { skipped } else { 0 };
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
    pub fn render(&self, place: &str) -> String {
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
            "{margin}--> {number}:{column}{place}\n{margin} |\n{number} | {shown}\n{margin} | {caret}^\n"
        )
    }
}

/// Replaces a character by one that takes a single column and has no effect on a terminal.
fn visible(character: char) -> char {
    if terminal::is_printable(character) {
        character
    } else {
        char::REPLACEMENT_CHARACTER
    }
}
