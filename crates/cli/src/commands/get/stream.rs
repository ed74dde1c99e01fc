//! Answers as they come: of pipes, of files whose answers are too many to be noted, and of `--lazy`.

use std::collections::BTreeMap;
use std::io;

use jsonx_core::{Answer, Duplicates, Match, Query, Validator};

use super::answers::Answers;
use super::print::{Sheet, Show};
use super::text::Text;
use super::{Request, print::Printer};
use crate::check::InputKind;
use crate::check::{Failure, push};
use crate::input::{Input, Taken, Window};
use crate::session::Session;

/// From so many bytes on, what waits for a decision is not kept in the window.
const HELD: u64 = 1 << 20;

/// How an input is read.
#[derive(Clone, Copy)]
pub struct Way {
    pub duplicates: Duplicates,
    /// What waits only for a key to come again is printed when it has waited for long.
    pub settles: bool,
    /// It has been checked before: only what is printed matters.
    pub checked: bool,
}

/// Why reading ended.
enum End {
    Failed(Failure),
    /// Nothing that follows would be printed.
    Enough,
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> End {
        End::Failed(error.into())
    }
}

impl From<Failure> for End {
    fn from(failure: Failure) -> End {
        End::Failed(failure)
    }
}

/// One look at an input, from its start.
struct Look<'a, 'r> {
    answers: &'a mut Answers<'r>,
    query: Query,
    /// The bytes of matches that wait, by their offset.
    saved: BTreeMap<u64, Vec<u8>>,
    locates: bool,
    origin: u64,
}

/// Prints answers while the input is read. Whether a key came again whose first value had been printed.
///
/// # Errors
/// Those of the input, which may turn out not to be JSON, and of the output.
pub fn look(
    session: &mut Session,
    request: &Request,
    printer: &Printer,
    input: &mut Input,
    kind: InputKind,
    way: Way,
    answers: &mut Answers<'_>,
) -> Result<bool, Failure> {
    let check_options = session.check_options();
    let mut validator = Validator::new(check_options.engine(kind));
    let mut lines = check_options.lines(kind).filter(|_| !way.checked);
    let options = request.query_options(printer.with_path);
    let mut look = Look {
        answers,
        query: Query::new(&request.paths, options.duplicates(way.duplicates)),
        saved: BTreeMap::new(),
        locates: printer.show == Show::Locate,
        origin: 0,
    };
    let locates = look.locates;
    let read = input.each_chunk(locates, |window| -> Result<Taken, End> {
        if let Some(lines) = &mut lines {
            lines.look(window)?;
        }
        look.origin = window.offset() - validator.offset();
        let pushed = push(&mut validator, window, &mut look.query);
        if pushed.is_ok() && window.is_last() {
            look.query.end();
        }
        let sheet = &mut Sheet::Out(&mut session.out);
        look.drain(window, sheet)?;
        let mut keep_from = look.query.retain_from();
        if window.end() - look.origin > keep_from.saturating_add(HELD) {
            if way.settles {
                // Two equal keys that stand near each other are still told apart.
                let before = window.end() - look.origin - HELD;
                look.query.assume_unique_keys(before);
                look.drain(window, sheet)?;
            }
            look.save(window);
            keep_from = look.query.incomplete_from();
        }
        look.answers.end_roots(look.query.roots(), sheet)?;
        if window.is_live() {
            session.out.flush().map_err(Failure::Write)?;
        }
        let taken = pushed.map_err(Failure::from)?;
        if request.lazy && look.answers.are_complete(kind == InputKind::Json) {
            return Err(End::Enough);
        }
        Ok(Taken {
            bytes: taken.bytes,
            keep_from: taken.keep_from.min(keep_from.saturating_add(look.origin)),
        })
    });
    let unsettled = look.query.had_late_duplicates();
    look.answers.warnings.oversized_patterns |= look.query.had_oversized_patterns();
    match read {
        Ok(()) => Ok(unsettled),
        Err(End::Enough) => {
            let sheet = &mut Sheet::Out(&mut session.out);
            answers.stop(sheet).map_err(Failure::Write)?;
            Ok(unsettled)
        }
        Err(End::Failed(failure)) => Err(failure),
    }
}

impl Look<'_, '_> {
    /// Prints what has been decided.
    fn drain(&mut self, window: &Window<'_>, sheet: &mut Sheet<'_>) -> Result<(), Failure> {
        if self.locates {
            let found: Vec<Answer> = self.query.answers().collect();
            let start = |answer: &Answer| match answer {
                Answer::Match(one) => one.start + self.origin,
                Answer::Missing { missing, .. } => missing.start + self.origin,
            };
            let places = window.positions(found.iter().map(start));
            for answer in found {
                let place = places.get(&start(&answer)).copied();
                Self::take(
                    self.answers,
                    &self.saved,
                    self.origin,
                    answer,
                    window,
                    place,
                    sheet,
                )?;
            }
            return Ok(());
        }
        for answer in self.query.answers() {
            Self::take(
                self.answers,
                &self.saved,
                self.origin,
                answer,
                window,
                None,
                sheet,
            )?;
        }
        Ok(())
    }

    fn take(
        answers: &mut Answers<'_>,
        saved: &BTreeMap<u64, Vec<u8>>,
        origin: u64,
        answer: Answer,
        window: &Window<'_>,
        place: Option<(u64, u64)>,
        sheet: &mut Sheet<'_>,
    ) -> Result<(), Failure> {
        let one: Match = match answer {
            Answer::Match(one) => one,
            Answer::Missing {
                path, mut missing, ..
            } => {
                missing.start += origin;
                missing.end += origin;
                answers.miss(path, missing, || window.position(missing.start));
                return Ok(());
            }
        };
        let (start, end) = (one.start + origin, one.end + origin);
        let bytes = match saved.get(&start) {
            Some(bytes) => bytes,
            None => window.held(start, end).ok_or_else(|| {
                Failure::Read(io::Error::other("a match was not kept; please report this"))
            })?,
        };
        answers.take(&one, place, &mut Text::Bytes(bytes), sheet)
    }

    /// Copies the matches that wait, so that what lies between them can go.
    fn save(&mut self, window: &Window<'_>) {
        let mut saved = BTreeMap::new();
        for (start, end) in self.query.pending_spans() {
            let (start, end) = (start + self.origin, end + self.origin);
            let bytes = match self.saved.remove(&start) {
                Some(bytes) => Some(bytes),
                None => window.held(start, end).map(<[u8]>::to_vec),
            };
            saved.extend(bytes.map(|bytes| (start, bytes)));
        }
        self.saved = saved;
    }
}
