//! Messages about the comments of an edited file.

use jsonx_core::edit::Commented;

use crate::check::Failure;
use crate::exit::Exit;
use crate::input::Name;
use crate::messages;
use crate::report::escape;

/// The maximum length of a comment in a message.
const SHOWN: usize = 60;

/// Lists the comments that are removed with a value.
pub fn report_removed(name: &Name, commented: &Commented) {
    for comment in &commented.dropped {
        let mut shown = escape(comment);
        if let Some((end, _)) = shown.char_indices().nth(SHOWN) {
            shown.truncate(end);
            shown += "...";
        }
        messages::line(&format!("jsonx: {name}: removed with its value: {shown}"));
    }
}

/// The failure of an edit in the place of a comment.
pub fn in_the_way(name: &Name) -> Failure {
    Failure::Declined {
        exit: Exit::Failure,
        message: format!(
            "jsonx: {name}: a comment is in the way, so nothing was changed\n\
             delete a value before another takes its place (--del .a --move .b .a), make the edits in several runs, or \
             move the comment"
        ),
    }
}
