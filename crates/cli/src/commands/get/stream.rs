//! Answers printed while reading: for pipes, and for files with too many answers to record.

use std::collections::BTreeMap;
use std::io;

use jsonx_core::query::{Answer, Duplicates, Match, Query};

use super::answers::Answers;
use super::print::Show;
use super::text::ValueText;
use crate::check::{Failure, InputKind};
use crate::input::{Consumed, Input, Window};
use crate::output::AnyOutput;
use crate::session::Session;

/// Maximum length in bytes of a window with pending matches; beyond it, they are copied.
pub const MAX_PENDING: u64 = 1 << 20;

/// Options for reading an input.
#[derive(Clone, Copy)]
pub struct StreamOptions {
    pub duplicates: Duplicates,
    /// Prints matches that only wait for a duplicate key after a long wait.
    pub settles: bool,
    /// The input was validated before, so only the output matters.
    pub checked: bool,
}

/// One pass over an input.
struct Lookup<'a, 'r> {
    answers: &'a mut Answers<'r>,
    query: Query,
    /// The bytes of pending matches, by offset.
    saved: BTreeMap<u64, Vec<u8>>,
    origin: u64,
}

/// Prints answers while reading the input. Returns whether a key was repeated after its first value was printed.
///
/// # Errors
/// Returns an error if the input is not valid JSON, or if reading or writing fails.
pub fn run(
    session: &mut Session,
    input: &mut Input,
    kind: InputKind,
    options: StreamOptions,
    answers: &mut Answers<'_>,
) -> Result<bool, Failure> {
    let request = answers.request;
    let locates = answers.printer.show == Show::Locate;
    let check_options = session.check_options();
    let mut validator = check_options.validator(kind).without_lines(options.checked);
    let query_options = request.query_options(request.locates);
    let mut lookup = Lookup {
        answers,
        query: request.query(query_options.duplicates(options.duplicates)),
        saved: BTreeMap::new(),
        origin: 0,
    };
    let read = input.each_chunk(locates, |window| -> Result<Consumed, Failure> {
        lookup.origin = validator.origin(window);
        let pushed = validator.push(window, &mut lookup.query);
        if pushed.is_ok() && window.is_last() {
            lookup.query.end();
        }
        let target = &mut session.out;
        lookup.drain(window, target)?;
        let mut keep_from = lookup.query.retain_from();
        if window.end() - lookup.origin > keep_from.saturating_add(MAX_PENDING) {
            if options.settles {
                // Duplicate keys that are close together are still detected.
                let before = window.end() - lookup.origin - MAX_PENDING;
                lookup.query.assume_unique_keys(before);
                lookup.drain(window, target)?;
            }
            lookup.save(window);
            keep_from = lookup.query.incomplete_from();
        }
        lookup.answers.end_roots(lookup.query.roots(), target)?;
        if window.is_live() || !options.checked {
            session.out.flush().map_err(Failure::Write)?;
        }
        let taken = pushed?;
        Ok(Consumed {
            bytes: taken.bytes,
            keep_from: taken.keep_from.min(keep_from.saturating_add(lookup.origin)),
        })
    });
    let unsettled = lookup.query.had_late_duplicates();
    lookup.answers.warnings.oversized_patterns |= lookup.query.had_oversized_patterns();
    read.map(|()| unsettled)
}

impl Lookup<'_, '_> {
    /// Prints the answers decided so far.
    fn drain(&mut self, window: &Window<'_>, target: &mut AnyOutput<'_>) -> Result<(), Failure> {
        if self.answers.printer.show == Show::Locate {
            let found: Vec<Answer> = self.query.answers().collect();
            let origin = self.origin;
            let start = |answer: &Answer| match answer {
                Answer::Match(one) => one.start + origin,
                Answer::Missing { missing, .. } => missing.start + origin,
            };
            let places = window.positions(found.iter().map(start));
            for answer in found {
                let place = places.get(&start(&answer)).copied();
                self.take(answer, window, place, target)?;
            }
            return Ok(());
        }
        loop {
            let Some(answer) = self.query.answers().next() else {
                return Ok(());
            };
            self.take(answer, window, None, target)?;
        }
    }

    fn take(
        &mut self,
        answer: Answer,
        window: &Window<'_>,
        place: Option<(u64, u64)>,
        target: &mut AnyOutput<'_>,
    ) -> Result<(), Failure> {
        let one: Match = match answer {
            Answer::Match(one) => one,
            Answer::Missing {
                path, mut missing, ..
            } => {
                missing.start += self.origin;
                missing.end += self.origin;
                let place = || window.position(missing.start);
                self.answers.miss(path, missing, place);
                return Ok(());
            }
        };
        let (start, end) = (one.start + self.origin, one.end + self.origin);
        let bytes = match self.saved.get(&start) {
            Some(bytes) => bytes,
            None => window.buffered(start, end).ok_or_else(|| {
                Failure::Read(io::Error::other("a match was not kept; please report this"))
            })?,
        };
        let text = &mut ValueText::Bytes(bytes);
        self.answers.take(&one, place, text, target)
    }

    /// Copies the pending matches, so that the input between them can be released.
    fn save(&mut self, window: &Window<'_>) {
        let mut saved = BTreeMap::new();
        for (start, end) in self.query.pending_spans() {
            let (start, end) = (start + self.origin, end + self.origin);
            let bytes = match self.saved.remove(&start) {
                Some(bytes) => Some(bytes),
                None => window.buffered(start, end).map(<[u8]>::to_vec),
            };
            saved.extend(bytes.map(|bytes| (start, bytes)));
        }
        self.saved = saved;
    }
}
