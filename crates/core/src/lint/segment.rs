//! Segments of a text, each linted without the text before it.
//!
//! A segment begins after a comma, so it does not split numbers or escapes. Keys are compared with those of the same object in
//! other segments when segments are joined (`keys/segment.rs`).

use super::Linter;
use super::collector::Collector;
use super::keys::SegmentKeys;
use super::numbers::Numbers;
use super::surrogates::Surrogates;

/// The findings of a [`Linter`] in a [`TextSegment`](crate::engine::TextSegment), and its state at the end.
///
/// Holds the findings, and the keys of objects that are not both opened and closed in the segment.
///
/// ```
/// use std::thread;
///
/// use jsonx_core::diagnose::Lints;
/// use jsonx_core::lint::Linter;
/// use jsonx_core::engine::{Options, TextSegment, Validator};
///
/// let text = format!("{{\"a\": [{}1], \"a\": 1e400}}", "{\"b\": [1, 2]}, ".repeat(10_000));
/// let options = Options::default();
/// let segments: Vec<_> = thread::scope(|scope| {
///     let lint = |part| {
///         let mut linter = Linter::new(Lints::ALL, 0);
///         linter.begin_segment();
///         let segment = TextSegment::with_sink(part, options, &mut linter);
///         (segment, linter.end_segment())
///     };
///     let parts = text.as_bytes().chunks(text.len() / 4 + 1);
///     let threads: Vec<_> = parts.map(|part| scope.spawn(move || lint(part))).collect();
///     threads.into_iter().map(|thread| thread.join().unwrap()).collect()
/// });
///
/// let mut validator = Validator::new(options);
/// let mut linter = Linter::new(Lints::ALL, 0);
/// for (segment, linted) in segments {
///     validator.join_with(&segment, &mut linter, |linter, offset| linter.join(linted, offset)).unwrap();
/// }
/// assert_eq!(validator.finish(linter).unwrap().count, 2);
/// ```
#[derive(Debug)]
pub struct LintedSegment {
    keys: SegmentKeys,
    numbers: Numbers,
    surrogates: Surrogates,
    findings: Collector,
}

impl Linter {
    /// Prepares for the tokens of a [`TextSegment`](crate::engine::TextSegment) and discards previous state, except for learnt shapes,
    /// which make the next segment faster.
    ///
    /// ```
    /// use jsonx_core::diagnose::Lints;
    /// use jsonx_core::lint::Linter;
    /// use jsonx_core::engine::{Options, TextSegment};
    ///
    /// let mut linter = Linter::new(Lints::ALL, 0);
    /// for part in ["1, \"a\": 2}, {", "1, \"a\": 2}, {"] {
    ///     linter.begin_segment();
    ///     assert!(TextSegment::with_sink(part, Options::default(), &mut linter).is_guessed());
    ///     let _ = linter.end_segment();
    /// }
    /// ```
    pub fn begin_segment(&mut self) {
        self.numbers = Numbers::default();
        self.surrogates = Surrogates::default();
        self.keys.begin_segment();
        self.findings.take();
        self.findings.begin(0, None);
    }

    /// Ends the segment and returns its findings and state, for [`join`](Linter::join).
    ///
    /// ```
    /// use jsonx_core::diagnose::Lints;
    /// use jsonx_core::lint::Linter;
    /// use jsonx_core::engine::{Options, TextSegment};
    ///
    /// let mut linter = Linter::new(Lints::ALL, 0);
    /// linter.begin_segment();
    /// TextSegment::with_sink("1, 1e400, 2, ".repeat(10), Options::default(), &mut linter);
    /// let linted = linter.end_segment();
    /// // The offset of the segment is known only now.
    /// linter.join(linted, 1000);
    /// assert_eq!(linter.finish().findings[0].offset, 1003);
    /// ```
    pub fn end_segment(&mut self) -> LintedSegment {
        LintedSegment {
            keys: self.keys.end_segment(),
            numbers: core::mem::take(&mut self.numbers),
            surrogates: core::mem::take(&mut self.surrogates),
            findings: self.findings.take(),
        }
    }

    /// Adds the findings of the next segment, which is at `offset` in the text, as if the linter had seen its tokens. Call it
    /// from [`Validator::join_with`](crate::engine::Validator::join_with), which verifies the guesses of the segment.
    ///
    /// Costs one comparison for each key that is compared with those of other segments.
    ///
    /// ```
    /// use jsonx_core::diagnose::Lints;
    /// use jsonx_core::lint::Linter;
    /// use jsonx_core::engine::{Options, TextSegment, Validator};
    ///
    /// let options = Options::default();
    /// let (mut linter, mut validator) = (Linter::new(Lints::ALL, 0), Validator::new(options));
    /// for part in ["{\"a\": 0, \"b\": 1", ", \"c\": 2, \"a\": 3", ", \"d\": 4, \"b\": 5}"] {
    ///     let mut of_segment = Linter::new(Lints::ALL, 0);
    ///     of_segment.begin_segment();
    ///     let segment = TextSegment::with_sink(part, options, &mut of_segment);
    ///     let linted = of_segment.end_segment();
    ///     validator.join_with(&segment, &mut linter, |linter, offset| linter.join(linted, offset)).unwrap();
    /// }
    /// let found = validator.finish(linter).unwrap();
    /// let first: Vec<u64> = found.findings.iter().filter_map(|finding| Some(finding.first?.offset)).collect();
    /// assert_eq!(first, [1, 9]);
    /// ```
    pub fn join(&mut self, segment: LintedSegment, offset: u64) {
        let LintedSegment {
            keys,
            mut numbers,
            mut surrogates,
            findings,
        } = segment;
        // No token continues across the comma.
        self.numbers.end(self.lints, &mut self.findings);
        self.surrogates.end(&mut self.findings);
        self.keys.join(keys, offset, &mut self.findings);
        numbers.shift(offset);
        surrogates.shift(offset);
        (self.numbers, self.surrogates) = (numbers, surrogates);
        self.findings.append(findings, offset);
    }
}
