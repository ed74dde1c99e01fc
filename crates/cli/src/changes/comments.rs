//! Messages about the comments of an edited file.

use crate::input::Name;
use crate::messages;
use crate::report::escape;

/// The maximum length of a comment in a message.
const SHOWN: usize = 60;

/// Lists the comments that are removed with a value.
pub fn report_removed(name: &Name, dropped: &[String]) {
    for comment in dropped {
        let mut shown = escape(comment);
        if let Some((end, _)) = shown.char_indices().nth(SHOWN) {
            shown.truncate(end);
            shown += "...";
        }
        messages::line(&format!("jsonx: {name}: removed with its value: {shown}"));
    }
}

/// The message for an edit that a comment blocks.
pub const BLOCKED_BY_COMMENT: &str = "a comment blocks the edit, so nothing was changed";

/// Advice for such an edit.
pub const WAY_OUT: &str =
    "delete a value before another takes its place (`remove` before `move`), or move the comment";
