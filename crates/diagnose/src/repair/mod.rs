//! Repairs broken JSON: applies the fixes of [`diagnose`](crate::diagnose) until the text is valid.
//!
//! ```text
//!  text ──▶ valid? ──▶ diagnose ──▶ fixes that do not overlap ──▶ apply ──▶ once more, at most 16 times
//!             │ yes                     │ none
//!             ▼                         ▼
//!          unchanged                 what is left
//! ```
//!
//! [`repair`] never changes valid text, except for lone surrogates if guesses are allowed, and lists every change with its position in the original. An envelope around the data
//! (`envelope.rs`), such as a Markdown fence, JSONP, terminal colors or another encoding, is not covered by the fixes of
//! findings and is removed separately.
//!
//! ```
//! use jsonx_diagnose::Applicability;
//! use jsonx_diagnose::repair::{RepairOptions, repair};
//!
//! let safe = repair(b"{'a': 1, /* b */ c: .5,}", &RepairOptions::default());
//! assert_eq!(safe.text, br#"{"a": 1,  "c": 0.5}"#);
//! assert!(safe.is_valid());
//!
//! let all = RepairOptions::default().with(Applicability::Review);
//! let guessed = repair(b"[NaN, 007", &all);
//! assert_eq!(guessed.text, b"[null, 7]");
//! assert_eq!(guessed.changes[0].span.start, 1);
//! ```

mod cut;
mod envelope;
mod options;
mod records;
mod rounds;
#[cfg(test)]
mod tests;

use std::ops::Range;

use jsonx_core::internal::Splices;

use crate::diagnose::{Applicability, Code, Framing, Report, Span};
use rounds::run;

pub use options::RepairOptions;

/// A change that [`repair`] made.
///
/// ```
/// use jsonx_diagnose::Code;
/// use jsonx_diagnose::repair::{RepairOptions, repair};
///
/// let repaired = repair(b"[+1]", &RepairOptions::default());
/// let change = &repaired.changes[0];
/// assert_eq!((change.code, change.span.start), (Code::LeadingPlus, 1));
/// assert_eq!((change.removed.as_str(), change.inserted.as_str()), ("+1", "1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Correction {
    /// The mistake that was repaired.
    pub code: Code,
    /// Whether the result has one possible meaning, or is a guess.
    pub applicability: Applicability,
    /// The span in the source: see [`Repair::source`].
    pub span: Span,
    /// Describes the mistake in one line, without a final period.
    pub message: String,
    /// The first removed text, printable and at most 32 characters.
    pub removed: String,
    /// The first inserted text, printable and at most 32 characters.
    pub inserted: String,
    /// The number of positions at which the text was changed.
    pub places: usize,
}

impl Correction {
    /// Whether text was removed and replaced by nothing or by white space.
    ///
    /// ```
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let repaired = repair(b"['a',]", &RepairOptions::default());
    /// let drops: Vec<bool> = repaired.changes.iter().map(|change| change.drops()).collect();
    /// assert_eq!(drops, [false, true]);
    /// ```
    pub fn drops(&self) -> bool {
        self.inserted.trim().is_empty() && !self.removed.is_empty()
    }

    /// Whether nothing was changed: the text was truncated at this value, which was treated as complete.
    ///
    /// ```
    /// use jsonx_diagnose::Applicability;
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let repaired = repair(b"[1, 23", &RepairOptions::default().with(Applicability::Review));
    /// let kept = repaired.changes.iter().find(|change| change.is_incomplete()).unwrap();
    /// assert_eq!((kept.span.start, kept.span.end), (4, 6));
    /// ```
    pub fn is_incomplete(&self) -> bool {
        self.code == Code::TruncatedInput && self.places == 0
    }
}

/// The result of [`repair`].
///
/// ```
/// use jsonx_diagnose::repair::{RepairOptions, repair};
///
/// let repaired = repair(b"[1, 2", &RepairOptions::default());
/// assert!(!repaired.is_valid(), "what is missing at the end is a guess");
/// assert_eq!(repaired.left.errors, 1);
/// assert_eq!(repaired.text, b"[1, 2");
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Repair {
    /// The repaired text: valid, or repaired as far as possible.
    pub text: Vec<u8>,
    /// The text that spans refer to, if it is not the input: a decoded UTF-16 or UTF-32 file.
    pub source: Option<Vec<u8>>,
    /// The changes, sorted by position.
    pub changes: Vec<Correction>,
    /// The number of changes with one possible meaning, described or not.
    pub safe: u64,
    /// The number of guesses, described or not.
    pub guesses: u64,
    /// The remaining findings, with positions in the source. Contains no errors if the text is now valid.
    pub left: Report,
    /// The number of remaining errors for which there is a guess.
    pub offered: u64,
    /// The framing of the repaired text.
    pub framing: Framing,
    /// The work done, in bytes and tokens read. Proportional to the length of the input.
    pub steps: u64,
    /// The edits of each round.
    applied: Vec<Splices>,
}

impl Repair {
    /// Whether the input is not JSON: text, another format, or values that cannot be separated from the text around them. No
    /// guess repairs it.
    ///
    /// ```
    /// use jsonx_diagnose::Applicability;
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let all = RepairOptions::default().with(Applicability::Review);
    /// assert!(repair(b"Service Unavailable", &all).is_foreign());
    /// assert!(!repair(b"[1, 2", &all).is_foreign());
    /// ```
    pub fn is_foreign(&self) -> bool {
        let mut left = self.left.diagnostics.iter();
        let is_one = self.framing == Framing::OneValue;
        is_one && self.offered == 0 && left.any(|finding| finding.detected.is_some())
    }

    /// The span in the source of a span of the repaired text: what was read for it, empty if it was inserted.
    ///
    /// ```
    /// use jsonx_diagnose::Applicability;
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let all = RepairOptions::default().with(Applicability::Review);
    /// let repaired = repair(b"[a, 12", &all);
    /// assert_eq!(repaired.text, b"[\"a\", 12]");
    /// assert_eq!(repaired.in_source(6..8), 4..6);
    /// ```
    pub fn in_source(&self, span: Range<usize>) -> Range<usize> {
        rounds::source(&self.applied, span.into()).into()
    }

    /// Whether the repaired text is valid.
    ///
    /// ```
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// assert!(repair(b"[1]", &RepairOptions::default()).is_valid());
    /// assert!(!repair(b"no", &RepairOptions::default()).is_valid());
    /// ```
    pub fn is_valid(&self) -> bool {
        self.left.errors == 0
    }
}

/// Repairs `bytes`.
///
/// Valid text is returned unchanged; if guesses are allowed, with U+FFFD for lone surrogates, which encode no character. If [`Repair::is_valid`] is true, [`Repair::text`] is valid; repairing it once more
/// changes nothing.
///
/// Takes time proportional to the length of the text, at most 16 times that of [`diagnose`](crate::diagnose::diagnose), usually
/// once or twice that. Takes memory for the text and its changes.
///
/// ```
/// use jsonx_diagnose::Applicability;
/// use jsonx_diagnose::repair::{RepairOptions, repair};
///
/// let all = RepairOptions::default().with(Applicability::Review);
/// let answer = b"Here it is:\n\n```json\n{\"name\": \"Ada\", \"tags\": [\"a\", \"b\"\n```\nAnything else?\n";
/// assert_eq!(repair(answer, &all).text, b"{\"name\": \"Ada\", \"tags\": [\"a\", \"b\"]}\n");
/// ```
pub fn repair(bytes: &[u8], options: &RepairOptions) -> Repair {
    run(bytes, options)
}
