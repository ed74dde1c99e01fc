//! The matches of an input, in order.

use jsonx_diagnose::json5::Translation;
use jsonx_query::{Finder, Found};

use super::pattern::Pattern;
use super::print::{Lines, Printer};
use super::target::{Target, enough};
use crate::check::Failure;
use crate::input::Name;

/// The search in all inputs.
pub struct Search {
    pub printer: Printer,
    pub finds_keys: bool,
    pub skips_invalid: bool,
    /// The most matches of an input.
    pub limit: u64,
}

impl Search {
    pub fn finder(&self) -> Finder<Pattern> {
        Finder::new(self.printer.pattern.clone(), self.finds_keys)
    }
}

/// The matches of an input.
pub struct Matches<'a, 's> {
    pub search: &'a Search,
    pub name: &'a Name,
    pub target: &'a mut Target<'s>,
    pub count: u64,
    /// Those before this offset were printed before the work on the input began again.
    from: u64,
    last: u64,
}

impl<'a, 's> Matches<'a, 's> {
    pub fn new(search: &'a Search, name: &'a Name, target: &'a mut Target<'s>) -> Matches<'a, 's> {
        Matches {
            search,
            name,
            target,
            count: 0,
            from: 0,
            last: 0,
        }
    }

    /// Begins again.
    pub fn restart(&mut self) {
        if self.target.restart() {
            (self.count, self.from, self.last) = (0, 0, 0);
        } else {
            self.from = self.last;
        }
    }

    /// Adds a match at an offset in the input.
    ///
    /// # Errors
    /// Those of the target; the rest of the input is not needed.
    pub fn push(
        &mut self,
        offset: u64,
        place: (u64, u64),
        lines: impl FnOnce(&Printer) -> Lines,
    ) -> Result<(), Failure> {
        if offset < self.from {
            return Ok(());
        }
        self.last = offset + 1;
        self.count += 1;
        let printer = &self.search.printer;
        if printer.show.prints_matches() {
            let lines = lines(printer);
            self.target
                .write(&printer.lines(self.name, place, &lines))?;
        }
        match self.count >= self.search.limit || printer.show.is_first_enough() {
            true => Err(enough()),
            false => Ok(()),
        }
    }

    /// Adds what was found in a text that begins at `origin` in the input.
    ///
    /// # Errors
    /// As for [`Matches::push`].
    pub fn found(
        &mut self,
        found: &Found,
        origin: u64,
        place: (u64, u64),
        translation: Option<&Translation>,
    ) -> Result<(), Failure> {
        self.push(origin + found.start, place, |printer| {
            printer.text(found, source(found, found.start, translation))
        })
    }
}

/// A value that begins at an offset in a translation of JSON5, if it is a number and is written in another way there.
pub fn source<'t>(
    found: &Found,
    start: u64,
    translation: Option<&'t Translation>,
) -> Option<&'t [u8]> {
    // Infinity and NaN are `null` in a translation.
    let is_number = matches!(found.value[..], [b'-' | b'0'..=b'9', ..] | [b'n', ..]);
    let translation = translation.filter(|_| is_number && !found.is_key)?;
    let start = usize::try_from(start).ok()?;
    let source = &translation.source()[translation.in_source(start..start + found.value.len())];
    (*source != *found.value).then_some(source)
}
