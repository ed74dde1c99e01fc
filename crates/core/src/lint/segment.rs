//! Lints segments of a text, each without the text before it.
//!
//! A segment begins after a comma, so it does not split numbers or escapes. Keys are compared with those of the same object in
//! other segments when segments are joined (`keys/segment.rs`).

use super::Linter;
use super::keys::OpenKeys;
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
impl SegmentedSink for Linter {
    type Segment = Linter;

    fn for_segment(&self) -> Linter {
        Linter {
            keys: OpenKeys::of_segment(),
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
    #[must_use]
    pub fn restart(&self, limit: usize) -> Linter {
        Linter {
            keys: self.keys.restart(),
            findings: self.findings.restart(limit),
            ..Linter::new(self.lints, limit)
        }
    }
}
