//! Answers of a file: it is checked before the first byte is printed.
//!
//! Verdict and places come from one pass; what is printed is read again, only now that all is known to be well. Of more
//! matches than can be noted, and of those that say their path or their place, a second pass is made.

use std::collections::BTreeMap;

use jsonx_core::{
    Answer, Chunk, Duplicates, Found, Match, Outcome, Query, Selector, Sink, Validator,
};

use super::Request;
use super::answers::Answers;
use super::notes::Notes;
use super::print::{Printer, Sheet, Show};
use super::stream::{self, Way};
use super::text::Text;
use crate::args::InputKind;
use crate::check::{Failure, push};
use crate::input::{Input, Spans, Taken};
use crate::session::Session;

/// Answers that wait for a key to come again.
const MOST: usize = 1 << 17;

/// What is read at once rather than in windows.
const SMALL: u64 = 64 * 1024;

/// What looks paths up.
enum Lookup {
    /// One path to one value, and the roots it has been looked for in.
    One(Box<Selector>, u64),
    Any(Box<Query>),
}

impl Lookup {
    fn new(request: &Request) -> Lookup {
        let selector = match request.paths.as_slice() {
            [path] => Selector::new(path),
            _ => None,
        };
        match selector {
            Some(selector) => Lookup::One(Box::new(selector), 0),
            None => Lookup::Any(Box::new(Query::new(
                &request.paths,
                request.query_options(false),
            ))),
        }
    }

    /// Appends what has been decided.
    fn answers(&mut self, noted: &mut Notes) {
        match self {
            Lookup::One(selector, roots) => selector
                .take_outcomes()
                .into_iter()
                .for_each(|outcome| noted.push(answer(outcome, roots))),
            Lookup::Any(query) => query.answers().for_each(|answer| noted.push(answer)),
        }
    }

    /// Ends the text.
    fn finish(&mut self, noted: &mut Notes) {
        match self {
            Lookup::One(selector, roots) => selector
                .finish()
                .into_iter()
                .for_each(|outcome| noted.push(answer(outcome, roots))),
            Lookup::Any(query) => {
                query.finish();
                query.answers().for_each(|answer| noted.push(answer));
            }
        }
    }

    fn roots(&self) -> u64 {
        match self {
            Lookup::One(_, roots) => *roots,
            Lookup::Any(query) => query.roots(),
        }
    }

    /// Keeps what waits from growing with the text: what waits only for a key to come again is taken for decided, and
    /// noted. Whether that was not enough.
    fn bound(&mut self, noted: &mut Notes) -> bool {
        match self {
            Lookup::Any(query) if query.kept() > MOST => {
                query.settle();
                query.answers().for_each(|answer| noted.push(answer));
                query.kept() > MOST
            }
            _ => false,
        }
    }

    /// Whether a key did come again of which an answer was taken for decided.
    fn was_wrong(&self) -> bool {
        match self {
            Lookup::One(..) => false,
            Lookup::Any(query) => query.was_unsettled(),
        }
    }

    fn has_duplicates(&self) -> bool {
        match self {
            Lookup::One(..) => true,
            Lookup::Any(query) => query.has_duplicates(),
        }
    }
}

/// The answer about one root more.
fn answer(outcome: Outcome, roots: &mut u64) -> Answer {
    let root = *roots;
    *roots += 1;
    match outcome {
        Outcome::Found(found) => Answer::Match(Match {
            path: 0,
            root,
            found,
            copies: 1,
            location: None,
        }),
        Outcome::Missing(missing) => Answer::Missing {
            path: 0,
            root,
            missing,
        },
    }
}

impl Sink for Lookup {
    type Error = std::convert::Infallible;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
        match self {
            Lookup::One(selector, _) => selector.chunk(chunk),
            Lookup::Any(query) => query.chunk(chunk),
        }
    }
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
    let reading = session.reading();
    if reading.lines(kind).is_some() {
        reading.check(input, kind)?;
    }
    let mut validator = Validator::new(reading.options(kind));
    let mut lookup = Lookup::new(request);
    let mut noted = Notes::default();
    let mut origin = 0;
    let mut too_many = printer.with_path;
    let at_once = is_sorted(request) || printer.show == Show::Locate;
    input.each_window(|window| -> Result<Taken, Failure> {
        origin = window.offset() - validator.offset();
        let taken = push(&mut validator, window, &mut lookup)?;
        match window.is_last() {
            true => lookup.finish(&mut noted),
            false => lookup.answers(&mut noted),
        }
        too_many |= lookup.bound(&mut noted) || lookup.was_wrong() || noted.are_too_many(at_once);
        if too_many {
            noted.clear();
        }
        Ok(taken.into())
    })?;
    if too_many {
        // Nothing has to wait for a key to come again that is known not to.
        let duplicates = match lookup.has_duplicates() {
            true => Duplicates::Last,
            false => Duplicates::Each,
        };
        let way = Way {
            duplicates,
            settles: false,
            checked: true,
        };
        return stream::look(session, request, printer, input, kind, way, answers).map(drop);
    }
    let roots = lookup.roots();
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
                let (start, end) = span(&one.found, origin);
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
            let (start, end) = span(&one.found, origin);
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

fn span(found: &Found, origin: u64) -> (u64, u64) {
    (found.start + origin, found.end + origin)
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
            Answer::Match(one) => Some(one.found.start + origin),
            Answer::Missing { .. } => None,
        })
        .collect();
    starts.sort_unstable();
    starts.dedup();
    Ok(input.positions(&starts)?)
}
