//! Lints for valid but error-prone JSON, detected during validation.
//!
//! ```text
//! Chunk ──┬──▶ keys         duplicate-key       the keys of an earlier object, in their order (shapes), or fingerprints of
//!         │                                     the keys of open objects; equal ones are compared
//!         ├──▶ numbers      unsafe-integer      long runs of digits
//!         │                 number-range        exponents of three digits
//!         └──▶ surrogates   lone-surrogate      `\ud8..` to `\udf..`
//!                  │
//!                  ▼
//!            collector ──▶ Findings ──▶ Report: the same diagnostics that `diagnose` makes
//! ```
//!
//! The check flags chunks with long runs of digits, long exponents or a `\ud` ([`Interest::lints`]), so most chunks are not
//! searched for them.
//!
//! [`diagnose`](crate::diagnose) has the same lints for a whole text. Here they are a [`Sink`]: the text arrives in windows,
//! and only the keys of open objects are retained. Tests check that both report the same findings. Several threads may lint
//! segments of a text at the same time ([`SegmentedSink`]): keys are compared with those of the
//! same object in other segments when segments are joined (`keys/segment.rs`); all other detectors are `TokenDetectors`.

mod collector;
mod exact;
mod fingerprints;
mod keys;
mod numbers;
mod paths;
mod report;
mod shapes;
mod surrogates;
#[cfg(test)]
mod tests;

use core::convert::Infallible;

use jsonx_core::engine::{Chunk, Interest, Mode, SegmentScope, SegmentSink, SegmentedSink, Sink};

pub use collector::{Finding, Findings, Region};
pub use report::byte_order_mark;

use crate::diagnose::{Code, Lints};
use collector::Collector;
use keys::OpenKeys;
use numbers::Numbers;
use surrogates::Surrogates;

/// A sink that runs the lints.
///
/// Findings are final once [`Validator::finish`](jsonx_core::engine::Validator::finish) has accepted the text. Several texts can be
/// processed in turn, such as the lines of a file, each with its own validator.
///
/// The byte-order mark is not part of a text, so it is not detected here; see [`byte_order_mark`].
///
/// ```
/// use jsonx_diagnose::{Code, Lints};
/// use jsonx_diagnose::lint::Linter;
/// use jsonx_core::engine::{Options, Validator};
///
/// let text = br#"{"id": 9007199254740993, "\u0069d": 1e400}"#;
/// let mut linter = Linter::new(Lints::ALL, 0);
/// Validator::new(Options::default()).check(text, &mut linter).unwrap();
/// let linted = linter.finish();
/// let codes: Vec<Code> = linted.findings.iter().map(|finding| finding.code).collect();
/// assert_eq!(codes, [Code::UnsafeInteger, Code::DuplicateKey, Code::NumberRange]);
/// assert_eq!(linted.findings[1].first.unwrap().offset, 1);
/// ```
#[derive(Debug)]
pub struct Linter {
    lints: Lints,
    keys: OpenKeys,
    tokens: TokenDetectors,
    findings: Collector,
}

/// The detectors whose state is only about the last token. A segment begins after a comma, so it begins without such a state.
#[derive(Debug, Default)]
struct TokenDetectors {
    numbers: Numbers,
    surrogates: Surrogates,
}

impl TokenDetectors {
    fn chunk(&mut self, chunk: &Chunk<'_>, lints: Lints, findings: &mut Collector) {
        if lints.unsafe_integer || lints.number_range {
            self.numbers.chunk(chunk, lints, findings);
        }
        if lints.lone_surrogate {
            self.surrogates.chunk(chunk, findings);
        }
    }

    /// Ends the last token.
    fn end(&mut self, lints: Lints, findings: &mut Collector) {
        self.numbers.end(lints, findings);
        self.surrogates.end(findings);
    }
}

impl Linter {
    /// Creates a linter for `lints` that retains the first `limit` findings (0 for all) and counts the rest.
    ///
    /// ```
    /// use jsonx_diagnose::Lints;
    /// use jsonx_diagnose::lint::Linter;
    ///
    /// assert_eq!(Linter::new(Lints::ALL, 10).finish().count, 0);
    /// ```
    pub fn new(lints: Lints, limit: usize) -> Linter {
        Linter {
            lints,
            keys: OpenKeys::default(),
            tokens: TokenDetectors::default(),
            findings: Collector::new(lints, limit),
        }
    }

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

    /// Ends the previous text, if any, and begins another at `offset` in the input. The offsets of findings refer to
    /// the input. `record` is the number of the text, if texts are numbered.
    pub fn begin(&mut self, offset: u64, record: Option<u64>) {
        self.end();
        self.findings.begin(offset, record);
    }

    /// The offset, from the start of the input, of the first byte to show for any finding so far; `None` if there is
    /// none. If the input cannot be read again, the caller has to buffer it from here on for [`Findings::report`].
    pub fn first(&self) -> Option<u64> {
        self.findings.lowest(self.tokens.surrogates.waiting())
    }

    /// Ends the current text.
    fn end(&mut self) {
        self.tokens.end(self.lints, &mut self.findings);
        self.keys.end();
    }

    /// Ends the last text and returns the findings, sorted by position.
    pub fn finish(mut self) -> Findings {
        self.take_findings()
    }

    /// Ends the last text and returns the findings, as [`Linter::finish`] does, but keeps its statistics about the keys of
    /// objects, which makes it faster for similar texts. The next text is at offset 0 unless [`Linter::begin`] is called.
    pub fn take_findings(&mut self) -> Findings {
        self.end();
        let next = Collector::new(self.lints, self.findings.limit());
        core::mem::replace(&mut self.findings, next).finish()
    }

    /// The work done for keys: one step per key seen and one per comparison. Proportional to the number of keys, regardless of
    /// their content.
    #[cfg(test)]
    fn steps(&self) -> u64 {
        self.keys.steps()
    }
}

impl Sink for Linter {
    type Error = Infallible;
    type Output = Findings;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            // The byte-order mark is not part of a text.
            lints: self.lints.with(Code::ByteOrderMark, false) != Lints::NONE,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        if self.lints.duplicate_key {
            self.keys.chunk(chunk, &mut self.findings);
        }
        self.tokens.chunk(chunk, self.lints, &mut self.findings);
        Ok(())
    }

    fn finish(self) -> Result<Findings, Self::Error> {
        Ok(Linter::finish(self))
    }
}

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
            keys: OpenKeys::new_segment(),
            ..self.restart(self.findings.limit())
        }
    }

    fn take(&mut self, segment: Linter, _: u64) -> bool {
        self.tokens.end(self.lints, &mut self.findings);
        self.tokens = segment.tokens;
        self.keys.join(segment.keys, &mut self.findings);
        self.findings.append(segment.findings);
        true
    }
}
