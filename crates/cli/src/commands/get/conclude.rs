//! The messages and the exit code at the end of an input.

use jsonx_core::path::{Notation, Path, Selector};

use super::answers::PathCounts;
use super::missing::Absence;
use super::request::{Request, name_of_a_file};
use super::reread::Reread;
use crate::args::Get;
use crate::exit::Exit;
use crate::input::Input;
use crate::messages;
use crate::path_messages::{self, LAST_COUNTS};
use crate::session::Session;

/// Warns of duplicate keys on the paths to matches. `unsettled`: the first value of one was already printed.
pub fn warn_of_duplicates(
    request: &Request,
    counts: &[PathCounts],
    input: &Input,
    unsettled: bool,
) {
    for (path, count) in request.typed.iter().zip(counts) {
        if count.duplicates > 0 {
            let counts = if unsettled {
                "more than one counts, because they are too far apart"
            } else {
                LAST_COUNTS
            };
            let (name, path) = (input.name().to_string(), path.to_string());
            path_messages::warn_of_duplicates(&name, Some(&path), counts);
        }
    }
}

/// Prints the messages for a path and sets the exit code, at the end of an input.
pub fn conclude(
    session: &mut Session,
    request: &Request,
    args: &Get,
    path: usize,
    count: &PathCounts,
    again: &mut Reread<'_>,
) {
    if count.matches > 0 {
        return;
    }
    let stands_in = request.default.is_some() && count.misses > 0;
    if !stands_in {
        session.note(Exit::No);
    }
    if stands_in || !request.messages {
        return;
    }
    let absence = Absence {
        typed: &request.typed[path],
        path: &request.paths[path],
        missing: count.first_miss.map(|miss| miss.missing),
        place: count.first_miss.and_then(|miss| miss.place),
        misses: count.misses,
    };
    let mut text = absence.text(again);
    if count.misses > 1 && tests_members(&request.paths[path]) {
        text +=
            "\n`[?…]` tests the members of a record; `jsonx jq 'select(.a == 1)'` tests the record";
    }
    messages::line(&text);
    if request.selection.is_empty()
        && let Some(text) = name_of_a_file(args.path.as_deref().as_ref())
    {
        messages::line(&text);
    }
}

/// Whether a JSONPath begins with a filter, which tests members of the document.
fn tests_members(path: &Path) -> bool {
    let first = path.segments().first();
    path.notation() == Notation::JsonPath
        && first.is_some_and(|first| matches!(first.selectors[..], [Selector::Filter(_)]))
}
