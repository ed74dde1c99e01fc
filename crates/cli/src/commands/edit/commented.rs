//! Edits JSON with comments: positions are found in a copy without comments, and edits are applied to the text itself.

use jsonx_core::edit::{Commented, CommentedOptions};
use jsonx_core::engine::Options;
use jsonx_core::jsonc::{Dialect, blank};

use super::outcome::Edited;
use super::request::Request;

/// The maximum total number of bytes in which several operations are applied one by one.
const ONE_BY_ONE: usize = 1 << 28;

/// Makes the edits that come to `edited` in `plain`, which is `text` without comments. `None` if a comment is in the way.
pub fn apply(
    request: &Request,
    edited: &Edited,
    text: &[u8],
    plain: &[u8],
    dialect: Dialect,
    options: Options,
) -> Option<Commented> {
    let count = request.operations.len();
    let comments = CommentedOptions::from(dialect).removes_above(request.with_comments);
    match edited {
        // Each comment moves with its value where there is one operation.
        Edited::Splices(splices) if count == 1 || count * text.len() > ONE_BY_ONE => {
            splices.apply_commented(text, plain, comments)
        }
        _ => one_by_one(request, text, comments, options),
    }
}

fn one_by_one(
    request: &Request,
    text: &[u8],
    comments: CommentedOptions,
    options: Options,
) -> Option<Commented> {
    let mut all = Commented::default();
    all.text = text.to_vec();
    for operation in request.operations.chunks(1) {
        let mut plain = all.text.clone();
        blank(&mut plain, comments.dialect).ok()?;
        let outcome = request.make(operation, &plain, options).ok()?;
        let Edited::Splices(splices) = outcome.edited else {
            return None;
        };
        let one = splices.apply_commented(&all.text, &plain, comments)?;
        all.text = one.text;
        all.dropped.extend(one.dropped);
    }
    Some(all)
}
