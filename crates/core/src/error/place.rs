//! Adds the path and the position of an error while deserialization unwinds.

use super::Error;
use crate::path::{Location, Step};

impl Error {
    /// Sets the offset of an error that has none.
    #[cold]
    pub(crate) fn at(self, offset: usize) -> Self {
        self.at_offset(offset as u64)
    }

    /// Shifts the error of a text that begins at `start` in another one.
    #[cold]
    pub(crate) fn moved(mut self, start: u64) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset + start);
        self
    }

    /// Sets the line of the error of a text that is a line of another one.
    #[cold]
    pub(crate) fn on_line(mut self, line: u64) -> Self {
        if let Some(excerpt) = &mut self.0.excerpt {
            excerpt.line = line;
        }
        self
    }

    #[cold]
    pub(crate) fn in_element(self, index: u64) -> Self {
        self.below(|| Step::Index(index))
    }

    #[cold]
    pub(crate) fn in_member(self, key: &[u8]) -> Self {
        self.below(|| Step::Key(key.into()))
    }

    /// Puts the path of an error below the location of its element.
    #[cold]
    pub(crate) fn in_location(self, location: &Location) -> Self {
        let steps = location.steps().iter().rev();
        steps.fold(self, |error, step| error.below(|| step.clone()))
    }

    fn below(mut self, step: impl FnOnce() -> Step) -> Self {
        // A syntax error has no path: text is checked ahead of the values that are read.
        if !self.is_syntax() {
            self.0.steps.push(step());
        }
        self
    }
}
