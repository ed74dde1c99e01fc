//! Answers of a file, which is validated before the first byte is printed.
//!
//! One pass validates the file and collects the spans of the matches; the values to print are then read again. A second
//! pass is made if there are too many matches to record, or if their paths are printed.

use std::collections::BTreeMap;

use jsonx_core::{Answer, Duplicates, Match, Query, Validator};

use super::Request;
use super::answers::Answers;
use super::notes::Notes;
use super::print::{Printer, Show, Target};
use super::stream::{self, StreamOptions};
use super::text::Text;
use crate::check::segments::sinks::{self, Between};
use crate::check::{Failure, InputKind, push};
use crate::input::{Input, Spans, Taken};
use crate::session::Session;

/// Maximum number of pending answers.
const MAX_PENDING: usize = 1 << 17;

/// Longer values are read in windows rather than at once.
const MAX_AT_ONCE: u64 = 64 * 1024;

/// The answers so far.
struct Taking {
    noted: Notes,
    /// There are too many, or a key came again that had been assumed to be unique.
    too_many: bool,
    /// All of them are needed at once.
    at_once: bool,
}

impl Between<Query> for Taking {
    /// Records the answers of `query` so far. If more than [`MAX_PENDING`] are pending, it assumes that no key is repeated.
    fn after(&mut self, query: &mut Query) {
        query.answers().for_each(|answer| self.noted.push(answer));
        if query.pending() > MAX_PENDING {
            query.assume_unique_keys(u64::MAX);
            query.answers().for_each(|answer| self.noted.push(answer));
        }
        self.too_many |= query.pending() > MAX_PENDING
            || query.had_late_duplicates()
            || self.noted.are_too_many(self.at_once);
        if self.too_many {
            self.noted.clear();
        }
    }
}

/// Validates a file and prints its answers.
///
/// # Errors
/// Returns an error if the file is invalid, or if reading or writing fails.
pub fn run(
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
    let mut origin = 0;
    let mut taking = Taking {
        noted: Notes::default(),
        too_many: printer.with_path,
        at_once: is_sorted(request) || printer.show == Show::Locate,
    };
    let mut ahead = query.clone().deferring();
    if sinks::pass(check_options.engine(kind), input, &mut ahead, &mut taking)? {
        origin = input.text_start();
        query = ahead;
        query.end();
        taking.after(&mut query);
    } else {
        taking.noted.clear();
        taking.too_many = printer.with_path;
        input.each_window(|window| -> Result<Taken, Failure> {
            origin = window.offset() - validator.offset();
            let taken = push(&mut validator, window, &mut query)?;
            if window.is_last() {
                query.end();
            }
            taking.after(&mut query);
            Ok(taken)
        })?;
    }
    let Taking {
        noted, too_many, ..
    } = taking;
    if too_many {
        // If no key is repeated, no match has to wait for duplicates.
        let duplicates = match query.has_duplicates() {
            true => Duplicates::Last,
            false => Duplicates::Each,
        };
        // The second pass may need as much memory as the first.
        drop(query);
        let options = StreamOptions {
            duplicates,
            settles: false,
            checked: true,
        };
        return stream::run(session, request, printer, input, kind, options, answers).map(drop);
    }
    answers.warnings.oversized_patterns |= query.had_oversized_patterns();
    let roots = query.roots();
    print(session, request, printer, input, origin, &noted, answers)?;
    answers.end_roots(roots, &mut Target::Stdout(&mut session.out))
}

/// Prints the recorded answers, in the requested order.
fn print(
    session: &mut Session,
    request: &Request,
    printer: &Printer,
    input: &mut Input,
    origin: u64,
    noted: &Notes,
    answers: &mut Answers<'_>,
) -> Result<(), Failure> {
    // Sorted, or in the order of the records.
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
    // Misses print nothing, so they may come before the matches.
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
    // Alternates: short values share one buffer, a long one is read in windows.
    while matches.peek().is_some() {
        let mut long = None;
        {
            let Some(mut spans) = Spans::of(input) else {
                return Err(Failure::Read(std::io::ErrorKind::Unsupported.into()));
            };
            for one in matches.by_ref() {
                let (start, end) = span(&one, origin);
                // Only bytes to be printed are read.
                let end = match printer.show {
                    Show::Count | Show::Exists | Show::Locate => start,
                    Show::Type => start + 1,
                    _ => end,
                };
                if end - start > MAX_AT_ONCE {
                    long = Some(one);
                    break;
                }
                let place = places.get(&start).copied();
                let mut text = Text::Bytes(spans.get(start, end)?);
                answers.take(
                    &one,
                    place,
                    &mut text,
                    &mut Target::Stdout(&mut session.out),
                )?;
            }
        }
        if let Some(one) = long {
            let (start, end) = span(&one, origin);
            let mut text = Text::Span(input, start, end);
            answers.take(&one, None, &mut text, &mut Target::Stdout(&mut session.out))?;
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

/// Line and column of each match, by its offset, from one pass over the file up to the last match.
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
