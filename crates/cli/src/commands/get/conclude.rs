//! The messages and the exit code at the end of an input.

use super::answers::PathCounts;
use super::filters;
use super::missing::{self, Absence};
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
    let keyless = count.keyless.filter(|_| count.matches > 0);
    if count.matches > 0 && keyless.is_none() {
        return;
    }
    let stands_in = request.default.is_some() && count.misses > 0;
    if !stands_in {
        session.note(Exit::No);
    }
    if stands_in || !request.messages {
        return;
    }
    if let Some(kind) = keyless {
        messages::line(&format!(
            "jsonx: {}: {} is {kind}, which has no keys",
            again.input.name(),
            request.typed[path]
        ));
        return;
    }
    // Where the path itself stopped; otherwise, filters excluded the matches.
    let mut missing = count.first_miss.map(|miss| miss.missing);
    if !request.filters.is_empty() {
        missing = if request.paths[path].is_singular() {
            missing.filter(|_| count.stops == count.misses)
        } else {
            missing::first_step(&request.paths[path], again)
        };
    }
    let mut text = if request.filters.is_empty() || missing.is_some() || count.misses == 0 {
        let absence = Absence {
            typed: &request.typed[path],
            path: &request.paths[path],
            missing,
            place: count.first_miss.and_then(|miss| miss.place),
            misses: count.misses,
        };
        absence.text(again)
    } else {
        let among = missing::among(count.misses);
        let hint = filters::hint(&request.filters, &request.paths[path], again);
        format!(
            "jsonx: no match for {}{} in {}{among}{hint}",
            request.typed[path],
            filters::shown(&args.filters),
            again.input.name()
        )
    };
    if request.filters.is_empty()
        && let Some(typed) = args.path.as_ref().filter(|_| args.option_paths.is_empty())
        && let Some(hint) =
            filters::meant_for_records(typed, &request.paths[path], count.misses, again)
    {
        text += &hint;
    }
    messages::line(&text);
    if request.selection.is_empty()
        && let Some(text) = name_of_a_file(args.path.as_deref().as_ref())
    {
        messages::line(&text);
    }
}
