//! Answers of a file, which is validated before the first byte is printed.
//!
//! One pass validates the file and collects the spans of the matches; the values to print are then read again. A second
//! pass is made if there are too many matches to record, or if their paths are printed.
//!
//! ```text
//! run ──► first pass: Taking ──► few matches ────────► print: reads the values again
//!                            └─► many, or with paths
//!                                  └─► second pass ──► on all threads: print_meanwhile (Printing)
//!                                                  └─► on one: stream::run
//! a long file whose matches go to a pipe ────────────► print_meanwhile, which also validates
//! ```

use std::collections::BTreeMap;

use jsonx_core::query::{Answer, Duplicates, Match, Missing, Query};

use super::Request;
use super::answers::Answers;
use super::notes::Notes;
use super::print::{PrintTarget, Show};
use super::stream::{self, StreamOptions};
use super::text::ValueText;
use crate::check::segments::{SegmentHooks, sinks};
use crate::check::{Failure, InputKind};
use crate::input::{Input, Spans};
use crate::session::Session;

/// Maximum number of pending answers.
const MAX_PENDING: usize = 1 << 17;

/// Longer values are read in windows rather than at once.
const MAX_AT_ONCE: u64 = 64 * 1024;

/// The answers so far.
struct Taking {
    noted: Notes,
    /// There are too many, or a key that was assumed to be unique was repeated.
    too_many: bool,
    /// All answers are needed at once.
    at_once: bool,
}

impl SegmentHooks<Query> for Taking {
    /// Records the answers of `query` so far. If more than [`MAX_PENDING`] are pending, it assumes that no key is repeated.
    fn after(&mut self, query: &mut Query) -> Result<(), Failure> {
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
        Ok(())
    }
}

/// Prints the answers of a pass.
struct Printing<'a, 'r> {
    session: &'a mut Session,
    /// Matches only wait for a duplicate key in the last [`stream::MAX_PENDING`] bytes.
    settles: bool,
    /// Offset in the text that was passed last.
    at: u64,
    /// The file that is read.
    input: Input,
    /// Offset of the text in it.
    origin: u64,
    answers: &'a mut Answers<'r>,
}

impl SegmentHooks<Query> for Printing<'_, '_> {
    fn before(&mut self, _: &mut Query, origin: u64, offset: u64, text: &[u8]) {
        self.at = offset - origin + text.len() as u64;
    }

    fn after(&mut self, query: &mut Query) -> Result<(), Failure> {
        if self.settles {
            query.assume_unique_keys(self.at.saturating_sub(stream::MAX_PENDING));
        }
        let mut misses = Vec::new();
        let matches = query.answers().filter_map(|answer| match answer {
            Answer::Match(one) => Some(one),
            Answer::Missing { path, missing, .. } => {
                misses.push((path, missing));
                None
            }
        });
        let origin = self.origin;
        let places = BTreeMap::new();
        let (session, input) = (&mut *self.session, &mut self.input);
        print_matches(session, input, origin, matches, &places, self.answers)?;
        note_misses(misses, origin, self.answers);
        let target = &mut PrintTarget::Stdout(&mut self.session.out);
        self.answers.end_roots(query.roots(), target)?;
        if self.settles {
            self.answers.print_rows(target)?;
            self.session.out.flush().map_err(Failure::Write)?;
        }
        Ok(())
    }
}

/// Notes where paths without a match stopped.
fn note_misses(
    misses: impl IntoIterator<Item = (usize, Missing)>,
    origin: u64,
    answers: &mut Answers<'_>,
) {
    for (path, mut missing) in misses {
        missing.start += origin;
        missing.end += origin;
        answers.miss(path, missing, || None);
    }
}

/// Checks a file and prints its answers in one pass, on all threads. Returns whether a key was repeated after its first value had been
/// printed; `None`, without output, if the file is unsuitable.
///
/// # Errors
/// The file is invalid, or reading or writing fails.
pub fn print_meanwhile(
    session: &mut Session,
    input: &mut Input,
    kind: InputKind,
    options: StreamOptions,
    answers: &mut Answers<'_>,
) -> Result<Option<bool>, Failure> {
    let request = answers.request;
    let locates = answers.printer.show == Show::Locate;
    // The positions of matches are found in the same pass.
    let Some(again) = input.again().filter(|_| !locates) else {
        return Ok(None);
    };
    let StreamOptions {
        duplicates,
        settles,
        ..
    } = options;
    let options = request.query_options(request.locates);
    let mut query = request.query(options.duplicates(duplicates));
    let engine = session.check_options().engine(kind);
    let mut printing = Printing {
        session,
        settles,
        at: 0,
        origin: input.text_start(),
        input: again,
        answers,
    };
    if !sinks::pass(engine, input, &mut query, &mut printing, false)? {
        return Ok(None);
    }
    query.end();
    printing.after(&mut query)?;
    answers.warnings.oversized_patterns |= query.had_oversized_patterns();
    Ok(Some(query.had_late_duplicates()))
}

/// Validates a file and prints its answers.
///
/// # Errors
/// Returns an error if the file is invalid, or if reading or writing fails.
pub fn run(
    session: &mut Session,
    input: &mut Input,
    kind: InputKind,
    answers: &mut Answers<'_>,
) -> Result<(), Failure> {
    let request = answers.request;
    let check_options = session.check_options();
    if check_options.lines(kind).is_some() {
        check_options.check(input, kind)?;
    }
    let query = request.query(request.query_options(false));
    let taking = || Taking {
        noted: Notes::default(),
        too_many: request.locates,
        at_once: is_sorted(request) || answers.printer.show == Show::Locate,
    };
    let options = check_options.engine(kind);
    let (query, taking, origin) = sinks::look_up(options, input, query, taking)?;
    let Taking {
        noted, too_many, ..
    } = taking;
    if too_many {
        // If no key is repeated, no match has to wait for duplicates.
        let duplicates = if query.has_duplicates() {
            Duplicates::Last
        } else {
            Duplicates::Each
        };
        // The second pass may need as much memory as the first.
        drop(query);
        let options = StreamOptions {
            duplicates,
            settles: false,
            checked: true,
        };
        if duplicates == Duplicates::Each
            && print_meanwhile(session, input, kind, options, answers)?.is_some()
        {
            return Ok(());
        }
        return stream::run(session, input, kind, options, answers).map(drop);
    }
    answers.warnings.oversized_patterns |= query.had_oversized_patterns();
    let roots = query.roots();
    print(session, input, origin, &noted, answers)?;
    answers.end_roots(roots, &mut PrintTarget::Stdout(&mut session.out))
}

/// Prints the recorded answers, in the requested order.
fn print(
    session: &mut Session,
    input: &mut Input,
    origin: u64,
    noted: &Notes,
    answers: &mut Answers<'_>,
) -> Result<(), Failure> {
    // Sorted, or in the order of the records.
    let (mut sorted, unsorted) = if is_sorted(answers.request) {
        (noted.iter().collect(), None)
    } else {
        (Vec::new(), Some(noted.iter()))
    };
    sorted.sort_by_key(|answer| match answer {
        Answer::Match(Match { root, path, .. }) | Answer::Missing { root, path, .. } => {
            (*root, *path)
        }
    });
    let places = match answers.printer.show {
        Show::Locate => places(input, noted, origin)?,
        _ => BTreeMap::new(),
    };
    // Misses print nothing, so they may come before the matches.
    note_misses(noted.misses(), origin, answers);
    let all = sorted.into_iter().chain(unsorted.into_iter().flatten());
    let matches = all.filter_map(|answer| match answer {
        Answer::Match(one) => Some(one),
        Answer::Missing { .. } => None,
    });
    print_matches(session, input, origin, matches, &places, answers)
}

/// Prints matches, whose values are read from the file.
fn print_matches(
    session: &mut Session,
    input: &mut Input,
    origin: u64,
    matches: impl Iterator<Item = Match>,
    places: &BTreeMap<u64, (u64, u64)>,
    answers: &mut Answers<'_>,
) -> Result<(), Failure> {
    let mut matches = matches.peekable();
    // Alternates: short values share one buffer, a long one is read in windows.
    while matches.peek().is_some() {
        let mut long = None;
        {
            let Some(mut spans) = Spans::new(input) else {
                return Err(Failure::Read(std::io::ErrorKind::Unsupported.into()));
            };
            for one in matches.by_ref() {
                let (start, end) = span(&one, origin);
                // Only bytes to be printed are read.
                let end = match answers.printer.show {
                    Show::Count | Show::Exists | Show::Locate => start,
                    Show::Type => start + 1,
                    _ => end,
                };
                if end - start > MAX_AT_ONCE {
                    long = Some(one);
                    break;
                }
                let place = places.get(&start).copied();
                let mut text = ValueText::Bytes(spans.get(start, end)?);
                let target = &mut PrintTarget::Stdout(&mut session.out);
                answers.take(&one, place, &mut text, target)?;
            }
        }
        if let Some(one) = long {
            let (start, end) = span(&one, origin);
            let mut text = ValueText::Span(input, start, end);
            let target = &mut PrintTarget::Stdout(&mut session.out);
            answers.take(&one, None, &mut text, target)?;
        }
    }
    Ok(())
}

/// Whether the answers of each path are printed together, before those of the next.
fn is_sorted(request: &Request) -> bool {
    request.paths.len() > 1
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
