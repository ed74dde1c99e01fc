//! Lints segments of a text, each without the text before it.
//!
//! A segment begins after a comma, so it does not split numbers or escapes. Keys are compared with those of the same object in
//! other segments when segments are joined (`keys/segment.rs`).

use super::Linter;
use super::keys::Keys;
use crate::window::{SegmentScope, SegmentSink, SegmentedSink};

impl SegmentSink for Linter {
    fn scope(&self) -> SegmentScope {
        SegmentScope::All
    }

    fn end(&mut self) {
        self.keys.end_segment();
    }
}

/// Costs one comparison for each key that is compared with those of other segments.
///
/// ```
/// use jsonx_core::diagnose::Lints;
/// use jsonx_core::lint::Linter;
/// use jsonx_core::engine::{Options, SegmentedSink, TextSegment, Validator};
///
/// let options = Options::default();
/// let (mut linter, mut validator) = (Linter::new(Lints::ALL, 0), Validator::new(options));
/// for part in ["{\"a\": 0, \"b\": 1", ", \"c\": 2, \"a\": 3", ", \"d\": 4, \"b\": 5}"] {
///     // On any thread.
///     let mut work = linter.for_segment();
///     let segment = TextSegment::new(part, validator.offset(), options, &mut work);
///     validator.join(&segment, work, &mut linter).unwrap();
/// }
/// let found = validator.finish(linter).unwrap();
/// let first: Vec<u64> = found.findings.iter().filter_map(|finding| Some(finding.first?.offset)).collect();
/// assert_eq!(first, [1, 9]);
/// ```
impl SegmentedSink for Linter {
    type Segment = Linter;

    fn for_segment(&self) -> Linter {
        Linter {
            keys: Keys::of_segment(),
            ..self.restart(self.findings.limit())
        }
    }

    fn take(&mut self, segment: Linter, _: u64) -> bool {
        // No token continues across the comma.
        self.numbers.end(self.lints, &mut self.findings);
        self.surrogates.end(&mut self.findings);
        self.keys.join(segment.keys, &mut self.findings);
        (self.numbers, self.surrogates) = (segment.numbers, segment.surrogates);
        self.findings.append(segment.findings);
        true
    }
}

impl Linter {
    /// A linter for the same lints and the same text, or the same segment of it, without findings, which retains the first `limit`
    /// (0 for all).
    ///
    /// ```
    /// use jsonx_core::diagnose::Lints;
    /// use jsonx_core::lint::Linter;
    /// use jsonx_core::engine::{Options, Validator};
    ///
    /// let mut linter = Linter::new(Lints::ALL, 0);
    /// Validator::new(Options::default()).check(b"[1e400]", &mut linter).unwrap();
    /// assert_eq!(linter.restart(1).finish().count, 0);
    /// assert_eq!(linter.finish().count, 1);
    /// ```
    #[must_use]
    pub fn restart(&self, limit: usize) -> Linter {
        Linter {
            keys: self.keys.restart(),
            findings: self.findings.restart(limit),
            ..Linter::new(self.lints, limit)
        }
    }
}
