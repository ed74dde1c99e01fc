//! From answers to output: whose turn it is, what stands in for what is missing, how many there may be, and what is
//! to be told at the end.

use std::io;

use jsonx_core::{Kind, Match, Missing, Output};

use super::Request;
use super::print::{Labels, Printer, Remarks, Sheet, Show};
use super::text::Text;
use crate::check::Failure;
use crate::input::Name;

/// Where a path stopped, the first time that it led nowhere.
#[derive(Clone, Copy, Debug)]
pub struct Miss {
    pub missing: Missing,
    /// Line and column, where they were at hand.
    pub place: Option<(u64, u64)>,
}

/// What became of one path in one input.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub matches: u64,
    /// Values at the root in which it has no match.
    pub misses: u64,
    pub first_miss: Option<Miss>,
    /// Matches behind a key that stands twice.
    pub duplicates: u64,
    /// Matches that have no keys, where keys were asked for.
    pub keyless: Option<Kind>,
}

/// What to warn of once an input has been read, each once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Warnings {
    /// A string that was printed held half of a surrogate pair.
    pub surrogates: bool,
    /// The document has a pattern for `match()` or `search()` that is too large.
    pub oversized_patterns: bool,
}

impl Warnings {
    fn add(&mut self, other: Warnings) {
        self.surrogates |= other.surrogates;
        self.oversized_patterns |= other.oversized_patterns;
    }
}

/// The answers of one input on their way to the output.
pub struct Answers<'r> {
    request: &'r Request,
    printer: &'r Printer,
    name: &'r Name,
    /// Of each path.
    pub tallies: Vec<Tally>,
    pub warnings: Warnings,
    /// How many matches may still be printed.
    left: u64,
    /// The value at the root whose answers come now, and of each path how many have.
    root: u64,
    here: Vec<u64>,
    /// Of each path, what it is not the turn of yet.
    kept: Vec<Vec<u8>>,
}

impl<'r> Answers<'r> {
    pub fn new(request: &'r Request, printer: &'r Printer, name: &'r Name) -> Answers<'r> {
        let paths = request.paths.len();
        Answers {
            request,
            printer,
            name,
            tallies: vec![Tally::default(); paths],
            warnings: Warnings::default(),
            left: request.limit,
            root: 0,
            here: vec![0; paths],
            kept: vec![Vec::new(); paths],
        }
    }

    /// Counts what others have found in a part of the input behind this one.
    pub fn add(&mut self, tallies: &[Tally], warnings: Warnings) {
        self.warnings.add(warnings);
        for (all, part) in self.tallies.iter_mut().zip(tallies) {
            all.matches = all.matches.saturating_add(part.matches);
            all.misses += part.misses;
            all.first_miss = all.first_miss.or(part.first_miss);
            all.duplicates += part.duplicates;
            all.keyless = all.keyless.or(part.keyless);
        }
    }

    /// Whether nothing that follows can change what is printed, where every root is the last one or not.
    pub fn are_complete(&self, one_root: bool) -> bool {
        let all = || self.request.singular && self.here.iter().all(|&count| count > 0);
        self.left == 0 || one_root && all()
    }

    /// Takes a match: `text` are its bytes.
    ///
    /// # Errors
    /// As [`Printer::one`].
    pub fn take(
        &mut self,
        one: &Match,
        place: Option<(u64, u64)>,
        text: &mut Text<'_>,
        sheet: &mut Sheet<'_>,
    ) -> Result<(), Failure> {
        self.end_roots(one.root, sheet)?;
        self.here[one.path] = self.here[one.path].saturating_add(one.copies);
        let tally = &mut self.tallies[one.path];
        tally.matches = tally.matches.saturating_add(one.copies);
        tally.duplicates += u64::from(one.duplicate);
        if matches!(self.printer.show, Show::Count | Show::Exists) {
            return Ok(());
        }
        let labels = Labels {
            name: self.name,
            location: one.location.as_ref(),
            place,
        };
        let copies = one.copies.min(self.left);
        self.left -= copies;
        let printer = self.printer;
        for _ in 0..copies {
            let remarks = match self.waits(one.path) {
                true => printer.one(&mut Sheet::Kept(&mut self.kept[one.path]), &labels, text)?,
                false => printer.one(sheet, &labels, text)?,
            };
            self.note(one.path, remarks);
        }
        Ok(())
    }

    fn note(&mut self, path: usize, remarks: Remarks) {
        self.warnings.surrogates |= remarks.surrogates;
        let keyless = &mut self.tallies[path].keyless;
        *keyless = keyless.or(remarks.keyless);
    }

    /// Takes a path that leads nowhere. That it counts as a miss shows at the end of the root.
    pub fn miss(
        &mut self,
        path: usize,
        missing: Missing,
        place: impl FnOnce() -> Option<(u64, u64)>,
    ) {
        let first = &mut self.tallies[path].first_miss;
        if first.is_none() {
            *first = Some(Miss {
                missing,
                place: place(),
            });
        }
    }

    /// Whether a path has to wait for those before it.
    fn waits(&self, path: usize) -> bool {
        path > 0 && self.request.in_turn
    }

    /// All answers of the roots before `until` have come.
    ///
    /// # Errors
    /// As [`Printer::one`].
    pub fn end_roots(&mut self, until: u64, sheet: &mut Sheet<'_>) -> Result<(), Failure> {
        while self.root < until {
            if self.request.default.is_none() && self.here.iter().all(|&count| count == 0) {
                // Many of them have nothing to say.
                for tally in &mut self.tallies {
                    tally.misses += until - self.root;
                }
                self.root = until;
                return Ok(());
            }
            for path in 0..self.here.len() {
                if std::mem::take(&mut self.here[path]) == 0 {
                    self.absent(path, sheet)?;
                }
                let mut kept = std::mem::take(&mut self.kept[path]);
                sheet.write(&kept).map_err(Failure::Write)?;
                kept.clear();
                self.kept[path] = kept;
            }
            self.root += 1;
        }
        Ok(())
    }

    /// A path has no match in the root that has ended.
    fn absent(&mut self, path: usize, sheet: &mut Sheet<'_>) -> Result<(), Failure> {
        self.tallies[path].misses += 1;
        let Some(default) = self.request.default.as_ref().filter(|_| self.left > 0) else {
            return Ok(());
        };
        self.left -= 1;
        let labels = Labels {
            name: self.name,
            location: None,
            place: None,
        };
        self.printer.default(sheet, &labels, default)
    }

    /// Prints what has waited, when nothing more is read.
    ///
    /// # Errors
    /// Those of the sheet.
    pub fn stop(&mut self, sheet: &mut Sheet<'_>) -> io::Result<()> {
        self.kept.drain(..).try_for_each(|kept| sheet.write(&kept))
    }
}
