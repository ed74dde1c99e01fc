//! Answers of a file: it is checked before the first byte is printed.
//!
//! Verdict and places come from one pass; what is printed is read again, only now that all is known to be well. Of more
//! matches than can be noted, and of those that say their path or their place, a second pass is made.

use std::collections::BTreeMap;

use jsonx_core::{Answer, Duplicates, Match, Query, Validator};

use super::Request;
use super::answers::Answers;
use super::notes::Notes;
use super::print::{Printer, Sheet, Show};
use super::stream::{self, Way};
use super::text::Text;
use crate::check::InputKind;
use crate::check::{Failure, push};
use crate::input::{Input, Spans, Taken};
use crate::session::Session;

/// Answers that wait for a key to come again.
const MOST: usize = 1 << 17;

/// What is read at once rather than in windows.
const SMALL: u64 = 64 * 1024;

/// Takes the answers of `query` so far, and limits what is pending to [`MOST`]: it then assumes that no key comes again.
/// Returns whether too many are pending all the same.
fn take_answers(query: &mut Query, noted: &mut Notes) -> bool {
    query.answers().for_each(|answer| noted.push(answer));
    if query.pending() > MOST {
        query.assume_unique_keys(u64::MAX);
        query.answers().for_each(|answer| noted.push(answer));
    }
    query.pending() > MOST
}

/// Checks a file and prints its answers.
///
/// # Errors
/// Those of the file and of the output.
pub fn look(
    session: &mut Session,
    request: &Request,
    printer: &Printer,
    input: &mut Input,
    kind: InputKind,
    answers: &mut Answers<'_>,
) -> Result<(), Failure> {
    let check_options = session.check_options();
    if check_options.lines(kind).is_some() {
        check_options.check(input, kind)?;
    }
    let mut validator = Validator::new(check_options.engine(kind));
    let mut query = Query::new(&request.paths, request.query_options(false));
    let mut noted = Notes::default();
    let mut origin = 0;
    let mut too_many = printer.with_path;
    let at_once = is_sorted(request) || printer.show == Show::Locate;
    input.each_window(|window| -> Result<Taken, Failure> {
        origin = window.offset() - validator.offset();
        let taken = push(&mut validator, window, &mut query)?;
        if window.is_last() {
            query.end();
        }
        too_many |= take_answers(&mut query, &mut noted)
            || query.had_late_duplicates()
            || noted.are_too_many(at_once);
        if too_many {
            noted.clear();
        }
        Ok(taken)
    })?;
    if too_many {
        // Nothing has to wait for a key to come again that is known not to.
        let duplicates = match query.has_duplicates() {
            true => Duplicates::Last,
            false => Duplicates::Each,
        };
        // The second look may need as much memory as the first.
        drop(query);
        let way = Way {
            duplicates,
            settles: false,
            checked: true,
        };
        return stream::look(session, request, printer, input, kind, way, answers).map(drop);
    }
    answers.warnings.oversized_patterns |= query.had_oversized_patterns();
    let roots = query.roots();
    print(session, request, printer, input, origin, &noted, answers)?;
    answers.end_roots(roots, &mut Sheet::Out(&mut session.out))
}

/// Prints what has been noted, in the order that was asked for.
fn print(
    session: &mut Session,
    request: &Request,
    printer: &Printer,
    input: &mut Input,
    origin: u64,
    noted: &Notes,
    answers: &mut Answers<'_>,
) -> Result<(), Failure> {
    // Sorted, or as they come.
    let (mut sorted, unsorted) = match is_sorted(request) {
        true => (noted.iter().collect(), None),
        false => (Vec::new(), Some(noted.iter())),
    };
    sorted.sort_by_key(|answer| match answer {
        Answer::Match(Match { root, path, .. }) | Answer::Missing { root, path, .. } => {
            (*root, *path)
        }
    });
    let places = match printer.show {
        Show::Locate => places(input, noted, origin)?,
        _ => BTreeMap::new(),
    };
    // A miss has nothing to print, and may be told of before the matches.
    for (path, mut missing) in noted.misses() {
        missing.start += origin;
        missing.end += origin;
        answers.miss(path, missing, || None);
    }
    let all = sorted.into_iter().chain(unsorted.into_iter().flatten());
    let mut matches = all
        .filter_map(|answer| match answer {
            Answer::Match(one) => Some(one),
            Answer::Missing { .. } => None,
        })
        .peekable();
    // In turns: short values through one buffer, a long one in windows.
    while matches.peek().is_some() {
        let mut long = None;
        {
            let Some(mut spans) = Spans::of(input, Vec::new()) else {
                return Err(Failure::Read(std::io::ErrorKind::Unsupported.into()));
            };
            for one in matches.by_ref() {
                let (start, end) = span(&one, origin);
                // What is not printed is not read.
                let end = match printer.show {
                    Show::Count | Show::Exists | Show::Locate => start,
                    Show::Type => start + 1,
                    _ => end,
                };
                if end - start > SMALL {
                    long = Some(one);
                    break;
                }
                let place = places.get(&start).copied();
                let mut text = Text::Bytes(spans.get(start, end)?);
                answers.take(&one, place, &mut text, &mut Sheet::Out(&mut session.out))?;
            }
        }
        if let Some(one) = long {
            let (start, end) = span(&one, origin);
            let mut text = Text::Span(input, start, end);
            answers.take(&one, None, &mut text, &mut Sheet::Out(&mut session.out))?;
        }
    }
    Ok(())
}

/// Whether the answers of each path are printed together, before those of the next.
fn is_sorted(request: &Request) -> bool {
    request.in_turn && request.paths.len() > 1
}

fn span(one: &Match, origin: u64) -> (u64, u64) {
    (one.start + origin, one.end + origin)
}

/// Line and column of each match, by its offset, from one pass over what stands before the last of them.
fn places(
    input: &mut Input,
    noted: &Notes,
    origin: u64,
) -> Result<BTreeMap<u64, (u64, u64)>, Failure> {
    let mut starts: Vec<u64> = noted
        .iter()
        .filter_map(|answer| match answer {
            Answer::Match(one) => Some(one.start + origin),
            Answer::Missing { .. } => None,
        })
        .collect();
    starts.sort_unstable();
    starts.dedup();
    Ok(input.positions(&starts)?)
}
