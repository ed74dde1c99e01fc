//! Any number of paths of any kind, looked up together in one pass.

use std::convert::Infallible;
use std::sync::Arc;

use super::program::Program;
use super::results::Answer;
use super::walk::Walk;
use crate::path::Path;
use crate::token::{Chunk, Sink};

/// In which order matches come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As their values begin in the text: each as soon as it is complete and nothing before it is undecided.
    #[default]
    Document,
    /// As RFC 9535 has it, path by path: what a descent finds in a value before what it finds deeper inside, a
    /// union's selectors one after the other, a slice backwards backwards. What such a segment leads to is kept, as
    /// offsets, until the value that it is applied to has ended: with a descent from the root until the end.
    Standard,
}

/// What a key means that stands twice in an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// The last one counts, as in JavaScript, Python and jq, when it is asked for by name. A match behind a key is
    /// then kept, as offsets, until the object has ended. A wildcard, a filter and a descent visit every member all
    /// the same.
    #[default]
    Last,
    /// Each counts. Nothing has to be kept.
    Each,
}

/// How to look paths up.
///
/// ```
/// use jsonx_core::{Duplicates, Order, QueryOptions};
///
/// let options = QueryOptions::default().order(Order::Standard).locations(true);
/// assert_eq!(options.duplicates, Duplicates::Last);
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct QueryOptions {
    /// In which order matches come.
    pub order: Order,
    /// What a key means that stands twice.
    pub duplicates: Duplicates,
    /// Whether every match says where it is.
    pub locations: bool,
}

impl QueryOptions {
    /// Sets in which order matches come.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        QueryOptions { order, ..self }
    }

    /// Sets what a key means that stands twice.
    #[must_use]
    pub fn duplicates(self, duplicates: Duplicates) -> Self {
        QueryOptions { duplicates, ..self }
    }

    /// Sets whether every match says where it is. Every container on the way then has to be kept track of.
    #[must_use]
    pub fn locations(self, locations: bool) -> Self {
        QueryOptions { locations, ..self }
    }
}

/// A sink that looks paths up, in every value at the root.
///
/// It goes through the text once, whatever the paths are, and keeps offsets, not values. What cannot be known yet (an
/// index from the end, a filter, a key that may come again) is assumed, and what is found behind it kept until it is
/// known. Only the values that a filter compares are copied, while they are needed. A filter that asks `$` is decided
/// at the end of the value at the root, so everything behind it is kept until then.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::{Answer, Options, Query, QueryOptions, Validator};
///
/// let text = br#"[{"n": 1, "ok": true}, {"n": 2}, {"n": 3, "ok": false}]"#;
/// let paths = [Path::parse("$[?@.ok].n")?, Path::parse(".[-1].n")?, Path::parse(".[7]")?];
/// let mut query = Query::new(&paths, QueryOptions::default());
/// Validator::new(Options::default()).finish(text, &mut query).unwrap();
/// query.finish();
///
/// let found: Vec<_> = query
///     .answers()
///     .map(|answer| match answer {
///         Answer::Match(one) => {
///             let raw = &text[one.found.start as usize..one.found.end as usize];
///             (one.path, String::from_utf8_lossy(raw).into_owned())
///         }
///         Answer::Missing { path, missing, .. } => (path, format!("{} elements", missing.length.unwrap_or(0))),
///     })
///     .collect();
/// let expected = [(0, "1"), (0, "3"), (1, "3"), (2, "3 elements")];
/// assert_eq!(found, expected.map(|(path, text)| (path, text.to_owned())));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Debug)]
pub struct Query {
    program: Arc<Program>,
    walk: Walk,
}

impl Query {
    /// A query for some paths, each known by its index. An answer names it.
    pub fn new(paths: &[Path], options: QueryOptions) -> Query {
        let program = Program::new(paths, options.order == Order::Standard);
        Query {
            walk: Walk::new(&program, options),
            program: Arc::new(program),
        }
    }

    /// Takes what has been decided so far.
    pub fn answers(&mut self) -> impl Iterator<Item = Answer> + '_ {
        std::iter::from_fn(|| self.walk.next_answer())
    }

    /// Ends the text: its last value may have been a number or literal whose end nothing showed.
    pub fn finish(&mut self) {
        let program = Arc::clone(&self.program);
        self.walk.finish(&program);
    }

    /// How many values at the root have ended.
    pub fn roots(&self) -> u64 {
        self.walk.results.roots()
    }

    /// The first byte of the input that an answer may speak of that has not been taken yet: who reads a pipe keeps the
    /// bytes from here on.
    pub fn keep_from(&self) -> u64 {
        self.walk.results.keep_from(self.walk.at)
    }

    #[cfg(test)]
    pub(super) fn is_clean(&self) -> bool {
        self.walk.is_clean()
    }
}

impl Sink for Query {
    type Error = Infallible;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        let program = Arc::clone(&self.program);
        self.walk.chunk(&program, chunk);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mode, Options, Validator};

    #[test]
    fn a_line_is_answered_before_the_next_one_comes() {
        let mut query = Query::new(&[Path::parse(".").unwrap()], QueryOptions::default());
        let mut validator = Validator::new(Options::default().mode(Mode::Stream));
        for (line, value) in [
            ("1\n", 0..1),
            ("\"a b\" \n", 2..7),
            ("{\"a\":\n", 0..0),
            (" [0, 1]\n", 0..0),
            ("}\n", 9..24),
            ("\r\n", 0..0),
            ("null\r\n", 27..31),
        ] {
            let taken = validator.feed_lines(line.as_bytes(), &mut query);
            assert_eq!(taken, Ok(line.len()));
            let found: Vec<_> = query
                .answers()
                .map(|answer| match answer {
                    Answer::Match(one) => one.found.start..one.found.end,
                    Answer::Missing { .. } => panic!("{answer:?}"),
                })
                .collect();
            let expected: Vec<_> = [value].into_iter().filter(|v| !v.is_empty()).collect();
            assert_eq!(found, expected, "{line:?}");
        }
        assert_eq!(query.roots(), 4);
    }
}
