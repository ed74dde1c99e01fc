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

use jsonx_core::query::{Answer, Duplicates, Match, Query};

use super::answers::Answers;
use super::notes::Notes;
use super::print::Show;
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
    /// Their positions are needed, all at once.
    locates: bool,
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
            || self.noted.are_too_many(self.locates);
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
        let (found, places) = (query.answers(), BTreeMap::new());
        let (session, input) = (&mut *self.session, &mut self.input);
        print(session, input, self.origin, found, &places, self.answers)?;
        let out = &mut self.session.out;
        self.answers.end_roots(query.roots(), out)?;
        if self.settles {
            self.session.out.flush().map_err(Failure::Write)?;
        }
        Ok(())
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
    let locates = answers.printer.show == Show::Locate;
    let query = request.query(request.query_options(false));
    let taking = || Taking {
        noted: Notes::default(),
        too_many: request.locates,
        locates,
    };
    let options = session.check_options().engine(kind);
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
    let places = if locates {
        places(input, &noted, origin)?
    } else {
        BTreeMap::new()
    };
    print(session, input, origin, noted.iter(), &places, answers)?;
    answers.end_roots(roots, &mut session.out)
}

/// Prints matches, whose values are read from the file, and notes where paths without one stopped.
fn print(
    session: &mut Session,
    input: &mut Input,
    origin: u64,
    found: impl Iterator<Item = Answer>,
    places: &BTreeMap<u64, (u64, u64)>,
    answers: &mut Answers<'_>,
) -> Result<(), Failure> {
    let mut found = found.peekable();
    // Alternates: short values share one buffer, a long one is read in windows.
    while found.peek().is_some() {
        let mut long = None;
        {
            let Some(mut spans) = Spans::new(input) else {
                return Err(Failure::Read(std::io::ErrorKind::Unsupported.into()));
            };
            for answer in found.by_ref() {
                let one = match answer {
                    Answer::Match(one) => one,
                    Answer::Missing {
                        path, mut missing, ..
                    } => {
                        missing.start += origin;
                        missing.end += origin;
                        answers.miss(path, missing, || None);
                        continue;
                    }
                };
                let (start, end) = span(&one, origin);
                // Only bytes to be printed are read.
                let end = match answers.printer.show {
                    Show::Count | Show::Nothing | Show::Locate => start,
                    _ => end,
                };
                if end - start > MAX_AT_ONCE {
                    long = Some(one);
                    break;
                }
                let place = places.get(&start).copied();
                let mut text = ValueText::Bytes(spans.get(start, end)?);
                let target = &mut session.out;
                answers.take(&one, place, &mut text, target)?;
            }
        }
        if let Some(one) = long {
            let (start, end) = span(&one, origin);
            let mut text = ValueText::Span(input, start, end);
            let target = &mut session.out;
            answers.take(&one, None, &mut text, target)?;
        }
    }
    Ok(())
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
