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
//! segments of a text at the same time ([`SegmentedSink`](crate::engine::SegmentedSink)).

mod collector;
mod exact;
mod fingerprints;
mod keys;
mod numbers;
mod paths;
mod report;
mod segment;
mod shapes;
mod surrogates;
#[cfg(test)]
mod tests;

use core::convert::Infallible;

pub use collector::{Finding, Findings, Region};
pub use report::byte_order_mark;

use crate::diagnose::Lints;
use crate::token::{Chunk, Interest, Mode, Sink};
use collector::Collector;

/// A sink that runs the lints.
///
/// Findings are final once [`Validator::finish`](crate::engine::Validator::finish) has accepted the text. Several texts can be
/// processed in turn, such as the lines of a file, each with its own validator.
///
/// The byte-order mark is not part of a text, so it is not detected here; see [`byte_order_mark`].
///
/// ```
/// use jsonx_core::diagnose::{Code, Lints};
/// use jsonx_core::lint::Linter;
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
    keys: keys::OpenKeys,
    numbers: numbers::Numbers,
    surrogates: surrogates::Surrogates,
    findings: Collector,
}

impl Linter {
    /// Creates a linter for `lints` that retains the first `limit` findings (0 for all) and counts the rest.
    pub fn new(lints: Lints, limit: usize) -> Linter {
        Linter {
            lints,
            keys: keys::OpenKeys::default(),
            numbers: numbers::Numbers::default(),
            surrogates: surrogates::Surrogates::default(),
            findings: Collector::new(limit),
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
        self.findings.lowest(self.surrogates.waiting())
    }

    /// Ends the current text.
    fn end(&mut self) {
        self.numbers.end(self.lints, &mut self.findings);
        self.surrogates.end(&mut self.findings);
        self.keys.end(&mut self.findings);
    }

    /// Ends the last text and returns the findings, sorted by position.
    pub fn finish(mut self) -> Findings {
        self.take_findings()
    }

    /// Ends the last text and returns the findings, as [`Linter::finish`] does, but keeps its statistics about the keys of
    /// objects, which makes it faster for similar texts. The next text is at offset 0 unless [`Linter::begin`] is called.
    pub fn take_findings(&mut self) -> Findings {
        self.end();
        let unchecked = self.keys.unchecked();
        if unchecked {
            self.keys = self.keys.restart();
        }
        let next = Collector::new(self.findings.limit());
        core::mem::replace(&mut self.findings, next).finish(unchecked)
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
        let Lints {
            duplicate_key,
            lone_surrogate,
            unsafe_integer,
            number_range,
            byte_order_mark: _,
        } = self.lints;
        Interest {
            lints: duplicate_key || lone_surrogate || unsafe_integer || number_range,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        if self.lints.duplicate_key {
            self.keys.chunk(chunk, &mut self.findings);
        }
        if self.lints.unsafe_integer || self.lints.number_range {
            self.numbers.chunk(chunk, self.lints, &mut self.findings);
        }
        if self.lints.lone_surrogate {
            self.surrogates.chunk(chunk, &mut self.findings);
        }
        Ok(())
    }

    fn finish(self) -> Result<Findings, Self::Error> {
        Ok(Linter::finish(self))
    }
}
