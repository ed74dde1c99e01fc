//! From answers to output: the order of the paths, defaults, the limit, and the counts for the final messages.

use std::sync::Arc;

use jsonx_core::query::{Match, Missing};
use jsonx_diagnose::json5::Translation;
use jsonx_query::Shape;

use super::Request;
use super::print::{Buffer, Labels, Printer, Show};
use super::text::ValueText;
use crate::check::{Failure, json5};
use crate::input::Name;
use crate::messages;
use crate::output::AnyOutput;

/// The first miss of a path: where it stopped.
#[derive(Clone, Copy, Debug)]
pub struct Miss {
    pub missing: Missing,
    /// Line and column, if they were available.
    pub place: Option<(u64, u64)>,
}

/// The results of one path in one input.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathCounts {
    pub matches: u64,
    /// Number of values at the root without a match.
    pub misses: u64,
    pub first_miss: Option<Miss>,
    /// Number of matches below a duplicate key.
    pub duplicates: u64,
}

/// Warnings printed once per input, after reading it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Warnings {
    /// A printed string contained a lone surrogate.
    pub surrogates: bool,
    /// The document passed a pattern to `match()` or `search()` that is too large.
    pub oversized_patterns: bool,
}

impl Warnings {
    /// Prints them, of an input.
    pub fn report(self, name: &Name) {
        if self.oversized_patterns {
            messages::line(&format!(
                "jsonx: {name}: warning: a pattern in the document is too large and matches nothing; at most 1 KiB is compiled"
            ));
        }
        if self.surrogates {
            messages::line(&format!(
                "jsonx: {name}: warning: lone surrogate in a string; printed as U+FFFD"
            ));
        }
    }

    fn add(&mut self, other: Warnings) {
        self.surrogates |= other.surrogates;
        self.oversized_patterns |= other.oversized_patterns;
    }
}

/// The output for the matches of a path in the current value at the root.
#[derive(Clone, Default)]
struct Waiting {
    text: Vec<u8>,
    /// Where each match begins, if their number is limited.
    starts: Vec<usize>,
}

/// The answers of one input, before they are printed.
pub struct Answers<'r> {
    pub request: &'r Request,
    pub printer: &'r Printer,
    pub name: &'r Name,
    /// The results of each path.
    pub counts: Vec<PathCounts>,
    pub warnings: Warnings,
    /// Remaining number of matches to print.
    left: u64,
    /// Index of the current value at the root, and the number of matches of each path in it.
    root: u64,
    matched: Vec<u64>,
    /// The shape of the matches, if requested.
    shape: Option<Box<Shape>>,
    /// The matches of each path but the first, which wait for the paths before it.
    waiting: Vec<Waiting>,
    /// The translation of a JSON5 input, to which the spans of matches refer.
    pub translation: Option<Arc<Translation>>,
    /// The offset in the input from which spans count, if it is JSON Lines.
    pub base: Option<u64>,
    /// The first record of JSON Lines with a number that JSON lacks, and the number of others.
    pub refused: Option<(Failure, u64)>,
}

impl<'r> Answers<'r> {
    pub fn new(request: &'r Request, printer: &'r Printer, name: &'r Name) -> Answers<'r> {
        let paths = request.paths.len();
        Answers {
            request,
            printer,
            name,
            counts: vec![PathCounts::default(); paths],
            warnings: Warnings::default(),
            left: request.limit,
            root: 0,
            matched: vec![0; paths],
            shape: (printer.show == Show::Shape).then(Box::default),
            waiting: vec![Waiting::default(); paths],
            translation: None,
            base: None,
            refused: None,
        }
    }

    /// Restarts the count of values at the root; all previous ones have ended.
    pub fn restart(&mut self) {
        self.root = 0;
    }

    /// Takes the results of a later part of the input, in which lines count from `line`.
    pub fn add(&mut self, part: &mut Answers<'_>, line: u64) {
        self.warnings.add(part.warnings);
        if let Some((failure, others)) = part.refused.take() {
            self.refuse(failure, others);
        }
        self.left = self.left.min(part.left);
        for (all, part) in self.counts.iter_mut().zip(&mut part.counts) {
            let part = std::mem::take(part);
            all.matches = all.matches.saturating_add(part.matches);
            all.misses += part.misses;
            if all.first_miss.is_none() {
                all.first_miss = part.first_miss;
                let place = all.first_miss.as_mut().and_then(|miss| miss.place.as_mut());
                place.into_iter().for_each(|place| place.0 += line);
            }
            all.duplicates += part.duplicates;
        }
        if let Some(shape) = &mut self.shape {
            part.end_shape(shape);
        }
    }

    /// Adds a match with the bytes `text`.
    ///
    /// # Errors
    /// See [`Printer::one`]; JSON cannot represent a JSON5 number.
    pub fn take(
        &mut self,
        one: &Match,
        place: Option<(u64, u64)>,
        text: &mut ValueText<'_>,
        target: &mut AnyOutput<'_>,
    ) -> Result<(), Failure> {
        self.end_roots(one.root, target)?;
        self.matched[one.path] = self.matched[one.path].saturating_add(one.copies);
        let count = &mut self.counts[one.path];
        count.matches = count.matches.saturating_add(one.copies);
        count.duplicates += u64::from(one.duplicate);
        if matches!(self.printer.show, Show::Count | Show::Nothing) {
            return Ok(());
        }
        let waits = one.path > 0;
        let before = self.waiting[one.path].starts.len() as u64;
        let copies = one.copies.min(self.left.saturating_sub(before));
        if copies == 0 {
            return Ok(());
        }
        if !waits {
            self.left -= copies;
        }
        let at = |offset: u64| (self.base.unwrap_or(0) + offset) as usize;
        let (start, end) = (at(one.start), at(one.end));
        let translation = self.translation.clone();
        let translation = translation.as_deref();
        let is_json = match self.printer.show {
            Show::Value => !self.printer.prints_source(),
            show => show == Show::Shape,
        };
        if let Some(translation) = translation.filter(|_| is_json) {
            match json5::finite_within(translation, self.name, start, end) {
                // An invalid record does not end JSON Lines.
                Err(failure) if self.base.is_some() => {
                    self.refuse(failure, 0);
                    return Ok(());
                }
                checked => checked?,
            }
        }
        let source =
            translation.map(|translation| &translation.source()[translation.in_source(start..end)]);
        let labels = Labels {
            name: self.name,
            location: one.location.as_ref().filter(|_| self.printer.with_path),
            notation: self.request.paths[one.path].notation(),
            place,
            source,
        };
        if let Some(shape) = &mut self.shape {
            for _ in 0..copies {
                text.push(self.printer.options(), &mut **shape)?;
                shape.end();
            }
            return Ok(());
        }
        let printer = self.printer;
        for _ in 0..copies {
            let replaced = if waits {
                let Waiting { text: out, starts } = &mut self.waiting[one.path];
                if self.request.limit < u64::MAX {
                    starts.push(out.len());
                }
                printer.one(&mut Buffer(out), &labels, text)?
            } else {
                printer.one(target, &labels, text)?
            };
            self.warnings.surrogates |= replaced;
        }
        Ok(())
    }

    fn refuse(&mut self, failure: Failure, others: u64) {
        match &mut self.refused {
            Some((_, count)) => *count += others + 1,
            None => self.refused = Some((failure, others)),
        }
    }

    /// Records where a path without a match stopped. It is counted as a miss at the end of the root.
    pub fn miss(
        &mut self,
        path: usize,
        missing: Missing,
        place: impl FnOnce() -> Option<(u64, u64)>,
    ) {
        let first = &mut self.counts[path].first_miss;
        if first.is_none() {
            *first = Some(Miss {
                missing,
                place: place(),
            });
        }
    }

    /// Number of values at the root that have ended.
    pub fn roots(&self) -> u64 {
        self.root
    }

    /// Ends the roots before `until`, whose answers are complete.
    ///
    /// # Errors
    /// See [`Printer::one`].
    pub fn end_roots(&mut self, until: u64, target: &mut AnyOutput<'_>) -> Result<(), Failure> {
        while self.root < until {
            if self.request.default.is_none() && self.matched.iter().all(|&count| count == 0) {
                // Fast path for many roots without matches.
                for count in &mut self.counts {
                    count.misses += until - self.root;
                }
                self.root = until;
                return Ok(());
            }
            for path in 0..self.matched.len() {
                if std::mem::take(&mut self.matched[path]) == 0 {
                    self.absent(path, target)?;
                }
                let Waiting { text, starts } = &mut self.waiting[path];
                let printed = self.left.min(starts.len() as u64);
                self.left -= printed;
                if let Some(&end) = starts.get(printed as usize) {
                    text.truncate(end);
                }
                target.write(text).map_err(Failure::Write)?;
                text.clear();
                starts.clear();
            }
            self.root += 1;
        }
        Ok(())
    }

    /// Counts a miss in the root that has ended, and prints the default.
    fn absent(&mut self, path: usize, target: &mut AnyOutput<'_>) -> Result<(), Failure> {
        self.counts[path].misses += 1;
        let Some(default) = self.request.default.as_ref().filter(|_| self.left > 0) else {
            return Ok(());
        };
        self.left -= 1;
        let labels = Labels {
            name: self.name,
            location: None,
            notation: self.request.paths[path].notation(),
            place: None,
            source: None,
        };
        self.printer.default(target, &labels, default)
    }

    /// Adds the shape of the matches so far to that of earlier ones.
    pub fn end_shape(&mut self, all: &mut Shape) {
        if let Some(shape) = &mut self.shape {
            all.merge(std::mem::take(&mut **shape));
        }
    }
}
