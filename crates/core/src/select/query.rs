//! Looks up any number of paths of any kind in one pass.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use super::options::QueryOptions;
use super::program::Program;
use super::results::Answer;
use super::segment::QuerySegment;
use super::walk::PathWalk;
use crate::path::Path;
use crate::token::{Chunk, Interest, Mode, Sink};

/// A sink that looks up paths in every value at the root.
///
/// It reads the document once, for any number of paths, and stores offsets rather than values. Steps that cannot be decided yet
/// (an index from the end, a filter, a key that may be repeated) are assumed to match, and the matches below them are buffered
/// until they are decided. Only the values that a filter compares are held as text, once and for as long as they are needed. A
/// filter that uses `$` is decided at the end of the value at the root, so all matches below it are buffered until then.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::query::{Answer, Query, QueryOptions};
///
/// let text = br#"[{"n": 1, "ok": true}, {"n": 2}, {"n": 3, "ok": false}]"#;
/// let paths = [Path::parse("$[?@.ok].n")?, Path::parse(".[-1].n")?, Path::parse(".[7]")?];
/// let mut query = Query::new(&paths, QueryOptions::default());
/// Validator::new(Options::default()).check(text, &mut query).unwrap();
/// query.end();
///
/// let found: Vec<_> = query
///     .answers()
///     .map(|answer| match answer {
///         Answer::Match(one) => {
///             let raw = &text[one.start as usize..one.end as usize];
///             (one.path, String::from_utf8_lossy(raw).into_owned())
///         }
///         Answer::Missing { path, missing, .. } => (path, format!("{} elements", missing.length.unwrap_or(0))),
///     })
///     .collect();
/// let expected = [(0, "1"), (0, "3"), (1, "3"), (2, "3 elements")];
/// assert_eq!(found, expected.map(|(path, text)| (path, text.to_owned())));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
///
/// A clone is a checkpoint: it has the answers that have not been taken from the original.
#[derive(Clone, Debug)]
pub struct Query {
    pub(super) program: Arc<Program>,
    pub(super) walk: PathWalk,
    /// Answers that come before those of the walk.
    pub(super) ready: VecDeque<Answer>,
    pub(super) next_segment: QuerySegment,
}

impl Query {
    /// Creates a query for any number of paths. Each answer names its path by the index in `paths`.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Answer, Query, QueryOptions};
    ///
    /// let paths = [Path::parse(".c")?, Path::parse(".b")?, Path::parse("$.*")?, Path::parse("$.x[*]")?];
    /// let mut query = Query::new(&paths, QueryOptions::default());
    /// Validator::new(Options::default()).check(br#"{"b": 1}"#, &mut query).unwrap();
    /// query.end();
    /// let answers: Vec<_> = query
    ///     .answers()
    ///     .map(|answer| match answer {
    ///         Answer::Match(one) => (one.path, true),
    ///         Answer::Missing { path, .. } => (path, false),
    ///     })
    ///     .collect();
    /// // In document order. Only a path of keys and indices is reported missing: `$.x[*]` merely has no match.
    /// assert_eq!(answers, [(1, true), (2, true), (0, false)]);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn new(paths: &[Path], options: QueryOptions) -> Query {
        let program = Program::new(paths, options.order);
        Query {
            walk: PathWalk::new(&program, options),
            program: Arc::new(program),
            ready: VecDeque::new(),
            next_segment: QuerySegment::default(),
        }
    }

    /// Drains the answers decided so far. Answers that are not taken from the iterator remain available.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Mode, Options, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let mut query = Query::new(&[Path::parse(".a[]")?], QueryOptions::default());
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// let mut counts = Vec::new();
    /// for line in ["{\"a\": [1, 2, 3]}\n", "{\"a\":\n", "[4]}\n"] {
    ///     validator.write(line.as_bytes(), &mut query).unwrap();
    ///     validator.flush(&mut query).unwrap();
    ///     counts.push((query.answers().take(2).count(), query.answers().count()));
    /// }
    /// assert_eq!(counts, [(2, 1), (0, 0), (1, 0)]);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn answers(&mut self) -> impl Iterator<Item = Answer> + '_ {
        std::iter::from_fn(|| match self.ready.pop_front() {
            None => self.walk.next_answer(),
            ready => ready,
        })
    }

    /// The next answer, with the number of its location: most callers need few locations, and resolving one allocates. The
    /// text is in one piece, without segments.
    #[cfg(feature = "serde")]
    pub(crate) fn next_unresolved(&mut self) -> Option<(Answer, Option<u32>)> {
        debug_assert!(self.ready.is_empty());
        self.walk.next_unresolved()
    }

    /// Resolves a location if it is `wanted`, and gives it up.
    #[cfg(feature = "serde")]
    pub(crate) fn take_location(
        &mut self,
        number: u32,
        wanted: bool,
    ) -> Option<crate::path::Location> {
        let locations = &mut self.walk.results.locations;
        if wanted {
            return Some(locations.take(number));
        }
        locations.release(number);
        None
    }

    /// Ends the input. This completes a number, string or literal at the end of the input. Call it after the validator
    /// has finished.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Mode, Options, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let mut query = Query::new(&[Path::parse(".")?], QueryOptions::default());
    /// Validator::new(Options::default().mode(Mode::Stream)).check(b"[1] 2", &mut query).unwrap();
    /// assert_eq!(query.answers().count(), 1);
    /// query.end();
    /// assert_eq!(query.answers().count(), 1);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn end(&mut self) {
        let program = Arc::clone(&self.program);
        self.walk.finish(&program);
    }

    /// Stops waiting for duplicates of the keys that end before the offset `before`. In the objects that are still open
    /// these keys are assumed to be unique, and the matches that depend on nothing else become answers. A reader that
    /// cannot retain the input until the end of an object needs this.
    ///
    /// Matches that wait for another reason (to be sorted, for an index from the end, or for a filter around the
    /// object) are unaffected. `before` counts bytes from the start of the input; `u64::MAX` means all keys so far. It
    /// is compared with the end of the 8 KiB chunk that holds the key.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let text = format!("{{\"a\": [1, {}2], \"a\": [3]}}", " ".repeat(100));
    /// let mut query = Query::new(&[Path::parse(".a[]")?], QueryOptions::default());
    /// let mut validator = Validator::new(Options::default());
    /// validator.write(text.as_bytes(), &mut query).unwrap();
    /// assert_eq!(query.answers().count(), 0);
    /// query.assume_unique_keys(u64::MAX);
    /// assert_eq!((query.answers().count(), query.had_late_duplicates()), (1, false));
    ///
    /// validator.finish(&mut query).unwrap();
    /// query.end();
    /// assert_eq!((query.answers().count(), query.had_late_duplicates()), (2, true));
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn assume_unique_keys(&mut self, before: u64) {
        self.walk.assume_unique_keys(before);
    }

    /// Whether a key was repeated after [`assume_unique_keys`](Query::assume_unique_keys) had assumed it to be unique.
    /// All its occurrences have been answered in that case.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let run = |settles: bool| {
    ///     let text = format!(r#"{{"a": 1, "pad": "{}", "a": 2}}"#, "-".repeat(100));
    ///     let mut query = Query::new(&[Path::parse(".a").unwrap()], QueryOptions::default());
    ///     let mut validator = Validator::new(Options::default());
    ///     validator.write(text.as_bytes(), &mut query).unwrap();
    ///     if settles {
    ///         query.assume_unique_keys(u64::MAX);
    ///     }
    ///     validator.finish(&mut query).unwrap();
    ///     query.end();
    ///     (query.had_late_duplicates(), query.answers().count())
    /// };
    /// // One answer too many was returned; this detects it.
    /// assert_eq!(run(true), (true, 2));
    /// assert_eq!(run(false), (false, 1));
    /// ```
    pub fn had_late_duplicates(&self) -> bool {
        self.walk.conditions.late_duplicates
    }

    /// Returns the spans of the matches that are complete, but undecided or not next in order, as offsets from the
    /// start of the input. A reader of a pipe may retain only these bytes instead of all input.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let text = format!(r#"{{"a": {{"x": 1}}, "pad": "{}"}}"#, "-".repeat(100));
    /// let mut query = Query::new(&[Path::parse(".a")?], QueryOptions::default());
    /// let mut validator = Validator::new(Options::default());
    /// validator.write(text.as_bytes(), &mut query).unwrap();
    /// // `a` may be repeated.
    /// assert_eq!(query.answers().count(), 0);
    /// let waiting: Vec<_> = query.pending_spans().map(|(start, end)| &text[start as usize..end as usize]).collect();
    /// assert_eq!(waiting, [r#"{"x": 1}"#]);
    ///
    /// validator.finish(&mut query).unwrap();
    /// assert_eq!(query.answers().count(), 1);
    /// assert_eq!(query.pending_spans().count(), 0);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn pending_spans(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.walk.results.waiting(&self.walk.conditions)
    }

    /// Number of buffered answers, whether or not they are decided or complete. Memory use is proportional to it.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Duplicates, Query, QueryOptions};
    ///
    /// let kept = |path: &str, duplicates| {
    ///     let options = QueryOptions::default().duplicates(duplicates);
    ///     let mut query = Query::new(&[Path::parse(path).unwrap()], options);
    ///     let text = format!(r#"{{"a": [{}"#, "1, ".repeat(1000));
    ///     Validator::new(Options::default()).write(&text.as_bytes()[..2048], &mut query).unwrap();
    ///     query.answers().for_each(drop);
    ///     query.pending()
    /// };
    /// // Waiting for the last `a` buffers the matches in the first; otherwise only an incomplete element is buffered.
    /// assert!(kept(".a[]", Duplicates::Last) > 600);
    /// assert!(kept(".a[]", Duplicates::Each) <= 1);
    /// ```
    pub fn pending(&self) -> usize {
        self.ready.len() + self.walk.results.len()
    }

    /// Whether an object repeated a key that a path names. Always false with
    /// [`Duplicates::Each`](crate::query::Duplicates::Each), which does not track keys.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Duplicates, Query, QueryOptions};
    ///
    /// let has_duplicates = |path: &str, duplicates| {
    ///     let options = QueryOptions::default().duplicates(duplicates);
    ///     let mut query = Query::new(&[Path::parse(path).unwrap()], options);
    ///     Validator::new(Options::default()).check(br#"{"a": 1, "b": 2, "a": 3}"#, &mut query).unwrap();
    ///     query.has_duplicates()
    /// };
    /// assert!(has_duplicates(".a", Duplicates::Last));
    /// assert!(!has_duplicates(".b", Duplicates::Last) && !has_duplicates("$.*", Duplicates::Last));
    /// assert!(!has_duplicates(".a", Duplicates::Each));
    /// ```
    pub fn has_duplicates(&self) -> bool {
        self.walk.conditions.duplicates
    }

    /// Whether the document passed a pattern to `match` or `search` that is too large: over 1 KiB, or over 256 KiB
    /// compiled. Like an invalid one it matches nothing. The limits for a pattern in the path itself are much
    /// higher.
    ///
    /// ```
    /// # #[cfg(feature = "regex")] {
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let has_oversized = |pattern: &str| {
    ///     let path = Path::parse("$.names[?match(@, $.pattern)]").unwrap();
    ///     let mut query = Query::new(&[path], QueryOptions::default());
    ///     let text = format!(r#"{{"names": ["a", "b"], "pattern": "{pattern}"}}"#);
    ///     Validator::new(Options::default()).check(text.as_bytes(), &mut query).unwrap();
    ///     query.end();
    ///     (query.answers().count(), query.had_oversized_patterns())
    /// };
    /// assert_eq!(has_oversized("[ab]+"), (2, false));
    /// assert_eq!(has_oversized("(a{999}){999}|[ab]"), (0, true));
    /// # }
    /// ```
    pub fn had_oversized_patterns(&self) -> bool {
        self.walk.pending_filters.has_oversized_patterns()
    }

    /// Offset of the first byte of the earliest incomplete match. Like [`retain_from`](Query::retain_from), but for
    /// callers that retain the bytes of the [`pending_spans`](Query::pending_spans) separately.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let text = format!(r#"{{"a": {{"x": 1}}, "b": ["{}"#, "-".repeat(100));
    /// let mut query = Query::new(&[Path::parse(".a")?, Path::parse(".b")?], QueryOptions::default());
    /// Validator::new(Options::default()).write(text.as_bytes(), &mut query).unwrap();
    /// assert_eq!(query.answers().count(), 0);
    /// // Either all bytes from the value of `a` on, or that value and all bytes from the value of `b` on.
    /// assert_eq!(query.retain_from(), 6);
    /// assert_eq!(query.pending_spans().collect::<Vec<_>>(), [(6, 14)]);
    /// assert_eq!(query.incomplete_from(), 21);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn incomplete_from(&self) -> u64 {
        self.walk.results.incomplete_from(self.walk.at)
    }

    /// Number of values at the root that have ended. A number, string or literal ends at the next token or at the
    /// [end](Query::end) of the input.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Mode, Options, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let mut query = Query::new(&[Path::parse(".a")?], QueryOptions::default());
    /// let options = Options::default().mode(Mode::Stream);
    /// Validator::new(options).check(b"{\"a\": 1} [] 3", &mut query).unwrap();
    /// assert_eq!(query.roots(), 2);
    /// query.end();
    /// assert_eq!(query.roots(), 3);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn roots(&self) -> u64 {
        self.walk.results.roots()
    }

    /// Offset of the first byte of the input that an untaken answer may refer to. A reader of a pipe must retain the
    /// input from there on. Call it after the [answers](Query::answers) have been taken.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::query::{Query, QueryOptions};
    ///
    /// let text = format!(r#"[{{"x": 1}}, {{"n": 2, "pad": "{}", "x""#, "-".repeat(100));
    /// let mut query = Query::new(&[Path::parse("$[?@.x]")?], QueryOptions::default());
    /// Validator::new(Options::default()).write(text.as_bytes(), &mut query).unwrap();
    /// assert_eq!(query.retain_from(), 1);
    /// assert_eq!(query.answers().count(), 1);
    /// // The second object may still get an `x`, so it is retained from its start.
    /// assert_eq!(query.retain_from(), 11);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn retain_from(&self) -> u64 {
        let from = self.walk.results.retain_from(self.walk.at);
        let start = |answer: &Answer| match answer {
            Answer::Match(one) => one.start,
            Answer::Missing { .. } => u64::MAX,
        };
        self.ready.iter().map(start).fold(from, u64::min)
    }

    #[cfg(test)]
    pub(super) fn is_clean(&self) -> bool {
        self.walk.is_clean()
    }
}

impl Sink for Query {
    type Error = Infallible;
    type Output = Self;

    fn interest(&self, _: Mode) -> Interest {
        self.program.interest()
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        let program = Arc::clone(&self.program);
        self.walk.chunk(&program, chunk);
        Ok(())
    }

    fn finish(mut self) -> Result<Self, Self::Error> {
        self.end();
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Mode, Options, Validator};

    #[test]
    fn answers_a_line_before_the_next_arrives() {
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
            validator.write(line.as_bytes(), &mut query).unwrap();
            validator.flush(&mut query).unwrap();
            let found: Vec<_> = query
                .answers()
                .map(|answer| match answer {
                    Answer::Match(one) => one.start..one.end,
                    Answer::Missing { .. } => panic!("{answer:?}"),
                })
                .collect();
            let expected: Vec<_> = [value].into_iter().filter(|v| !v.is_empty()).collect();
            assert_eq!(found, expected, "{line:?}");
        }
        assert_eq!(query.roots(), 4);
    }

    #[test]
    fn reports_pending_spans() {
        let text = format!(
            r#"{{"a": {{"b": [1, 22], "c": 3}}, "pad": "{}", "a": {{"b": [4]}}}}"#,
            "-".repeat(200)
        );
        let path = [Path::parse(".a.b").unwrap()];
        let mut query = Query::new(&path, QueryOptions::default());
        let mut validator = Validator::new(Options::default());
        validator
            .write(&text.as_bytes()[..192], &mut query)
            .unwrap();
        let (start, end) = query.pending_spans().next().expect("a match that waits");
        assert_eq!(&text[start as usize..end as usize], "[1, 22]");
        assert_eq!((query.retain_from(), query.incomplete_from()), (start, 192));

        // The second one fails the first one.
        query = validator.check(&text.as_bytes()[192..], query).unwrap();
        assert_eq!(query.pending_spans().count(), 1);
        let answers: Vec<_> = query.answers().collect();
        let [Answer::Match(found)] = answers.as_slice() else {
            panic!("{answers:?}")
        };
        assert_eq!(&text[found.start as usize..found.end as usize], "[4]");
        assert!(found.duplicate);
    }
}
