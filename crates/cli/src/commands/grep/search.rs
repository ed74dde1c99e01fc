//! Searches an input.
//!
//! ```text
//! JSON Lines, a pipe ──► batches of lines, on any thread (lines.rs) ─┐
//! a long file ─────────► segments, on any thread ────────────────────┼──► matches.rs ──► target.rs
//! everything else ─────► windows ────────────────────────────────────┘
//! ```

use jsonx_core::position::LineCounter;
use jsonx_query::{Finder, Found};

use super::lines;
use super::matches::Matches;
use super::pattern::Pattern;
use super::target::is_enough;
use crate::check::segments::{SegmentHooks, sinks};
use crate::check::{CheckOptions, Failure, InputKind};
use crate::diagnostics::Diagnoser;
use crate::input::{Consumed, Input, Window};

/// Searches an input, whose kind is known afterward.
///
/// # Errors
/// The input is invalid; reading or the target fails.
pub fn run(
    options: &CheckOptions,
    diagnoser: &Diagnoser,
    input: &mut Input,
    kind: &mut InputKind,
    matches: &mut Matches<'_, '_>,
) -> Result<(), Failure> {
    options.by_content(input, kind, |input, kind| {
        matches.restart();
        match search(options, diagnoser, input, kind, matches) {
            Err(failure) if is_enough(&failure) => Ok(()),
            done => done,
        }
    })
}

fn search(
    options: &CheckOptions,
    diagnoser: &Diagnoser,
    input: &mut Input,
    kind: InputKind,
    matches: &mut Matches<'_, '_>,
) -> Result<(), Failure> {
    let is_piped = options.is_open(input) && !input.is_file();
    if kind == InputKind::Jsonl || is_piped {
        let ended = lines::run(options, diagnoser, input, kind, matches)?;
        if ended.is_continue() {
            return Ok(());
        }
    } else if let Some(again) = input.again() {
        let mut finder = matches.search.finder();
        let mut segments = Segments {
            places: Places {
                counter: LineCounter::new(),
                at: input.text_start(),
                input: again,
            },
            origin: input.text_start(),
            matches,
        };
        let engine = options.engine(kind);
        if sinks::pass(engine, input, &mut finder, &mut segments, false)? {
            finder.end();
            return segments.after(&mut finder);
        }
    }
    windows(options, input, kind, matches)
}

/// Searches windows on this thread.
fn windows(
    options: &CheckOptions,
    input: &mut Input,
    kind: InputKind,
    matches: &mut Matches<'_, '_>,
) -> Result<(), Failure> {
    let mut finder = matches.search.finder();
    let mut validator = options.validator(kind);
    let translation = input.json5().cloned();
    input.each_chunk(true, |window: &Window<'_>| -> Result<Consumed, Failure> {
        let origin = validator.origin(window);
        let pushed = validator.push(window, &mut finder);
        if pushed.is_ok() && window.is_last() {
            finder.end();
        }
        let found: Vec<Found> = finder.found().collect();
        let places = window.positions(found.iter().map(|one| origin + one.start));
        for one in &found {
            let place = places.get(&(origin + one.start)).copied();
            matches.found(one, origin, place.unwrap_or((1, 1)), translation.as_deref())?;
        }
        if window.is_live() {
            matches.target.flush()?;
        }
        let taken = pushed?;
        let keep_from = finder.retain_from().map_or(u64::MAX, |at| origin + at);
        Ok(Consumed {
            bytes: taken.bytes,
            keep_from: taken.keep_from.min(keep_from),
        })
    })
}

/// The positions of matches in a file: up to them, it is read again.
struct Places {
    counter: LineCounter,
    at: u64,
    input: Input,
}

impl Places {
    /// Passes on matches with their positions.
    fn each(
        &mut self,
        found: &[Found],
        origin: u64,
        mut take: impl FnMut(&Found, (u64, u64)) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(last) = found.last() else {
            return Ok(());
        };
        let mut found = found.iter().peekable();
        let Places { counter, at, input } = self;
        let end = origin + last.start;
        input.each_window_of(*at, end + 1, |window| -> Result<Consumed, Failure> {
            let mut rest = window.bytes();
            while let Some(one) = found.next_if(|one| origin + one.start < window.end()) {
                let (before, next) = rest.split_at((origin + one.start - *at) as usize);
                counter.feed_verified(before);
                let position = counter.position(next);
                (rest, *at) = (next, origin + one.start);
                take(one, (position.line, position.column))?;
            }
            // The byte of the last match may be needed again.
            if window.end() <= end {
                counter.feed_verified(rest);
                *at = window.end();
            }
            Ok(window.bytes().len().into())
        })
    }
}

/// Prints the matches between segments.
struct Segments<'a, 'm, 's> {
    places: Places,
    origin: u64,
    matches: &'a mut Matches<'m, 's>,
}

impl SegmentHooks<Finder<Pattern>> for Segments<'_, '_, '_> {
    fn after(&mut self, finder: &mut Finder<Pattern>) -> Result<(), Failure> {
        let found: Vec<Found> = finder.found().collect();
        let Segments {
            places,
            origin,
            matches,
        } = self;
        let needs_places = matches.search.printer.show.prints_matches();
        if !needs_places {
            let mut each = found.iter();
            return each.try_for_each(|one| matches.found(one, *origin, (1, 1), None));
        }
        places.each(&found, *origin, |one, place| {
            matches.found(one, *origin, place, None)
        })
    }
}
