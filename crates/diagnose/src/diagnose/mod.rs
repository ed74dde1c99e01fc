//! Explains why a text is not JSON: finds every mistake, its position and its correction.
//!
//! ```text
//!  bytes ──▶ encoding ──▶ format ──▶ leading text? ──▶ lexer ──▶ parser ──▶ findings ──▶ Report
//!            UTF-16?      HTML?      a log before it   tolerant  recovers   counted,
//!            UTF-8?       YAML?                        tokens    by repair  sorted
//! ```
//!
//! [`diagnose`] runs when the verdict is already known, or when lints are enabled. It recovers as a person would: it reports a
//! malformed token and treats it as the intended one, treats a missing token as present, and uses the indentation and the
//! number of brackets as evidence. So it finds every mistake of a file in one run and does not report the consequences of a
//! mistake as further ones.
//!
//! It is slower than the verdict path by an order of magnitude, but linear: every rule that looks ahead caches its
//! answer ([`Report::steps`] counts the work, and tests hold it to a bound).
//!
//! The result is plain data. Nothing here prints; positions are byte offsets.
//!
//! ```
//! use jsonx_diagnose::{diagnose, Code, DiagnoseOptions};
//!
//! let report = diagnose(b"{\n  \"a\": 1\n  \"b\": 2,\n}", &DiagnoseOptions::default());
//! let codes: Vec<Code> = report.diagnostics.iter().map(|d| d.code).collect();
//! assert_eq!(codes, [Code::MissingComma, Code::TrailingComma]);
//! ```

mod advice;
mod character;
mod code;
mod collector;
mod diagnostic;
mod embedded;
mod encoding;
mod fix;
mod format;
mod json5;
pub(crate) mod keys;
mod latex;
mod leading;
mod lexer;
pub(crate) mod lints;
mod literals;
mod not_canonical;
mod options;
mod parser;
mod pasted;
mod plain;
mod printed;
mod quote;
mod run;
mod windows_path;

pub use advice::Advice;
pub use code::{Code, Severity, UnknownCode};
pub use collector::Omitted;
pub(crate) use diagnostic::Cut;
pub use diagnostic::{
    Applicability, Diagnostic, Edit, Elsewhere, Fix, MAX_PATH_STEPS, NamedText, Related, Span,
};
pub(crate) use embedded::values as embedded_values;
pub(crate) use encoding::decode;
pub(crate) use fix::Selection;
pub use fix::{apply, edits};
pub(crate) use format::is_binary;
pub use lints::Lints;
pub use not_canonical::not_canonical;
pub use options::{DiagnoseOptions, Framing};
pub(crate) use pasted::{
    Fences, diff_lines, escape_sequences, fences, guard_prefix, unescaped, without_entities,
};
pub(crate) use quote::{excerpt, shortened};
pub use run::{diagnose, diagnose_each, syntax_error};

/// The result of [`diagnose`].
///
/// ```
/// use jsonx_diagnose::{DiagnoseOptions, diagnose};
///
/// let report = diagnose(b"[1 2", &DiagnoseOptions::default());
/// assert_eq!((report.is_valid(), report.errors), (false, 2));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The findings, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that the spans refer to, if it is not the input: a decoded UTF-16 or UTF-32 file.
    pub text: Option<Vec<u8>>,
    /// The number of errors, including those not described.
    pub errors: u64,
    /// The number of warnings, including those not described.
    pub warnings: u64,
    /// The findings that are not described, by code.
    pub omitted: Vec<Omitted>,
    /// The number of values and records read: 1 for a document.
    pub values: u64,
    /// The work done, in bytes and tokens read. Proportional to the length of the input.
    pub steps: u64,
}

impl From<Diagnostic> for Report {
    /// A report of one finding.
    fn from(finding: Diagnostic) -> Self {
        let is_error = finding.severity == Severity::Error;
        Report {
            errors: u64::from(is_error),
            warnings: u64::from(!is_error),
            diagnostics: vec![finding],
            ..Report::default()
        }
    }
}

impl Report {
    /// Whether there are no errors. Warnings do not count unless [`Report::deny`] has turned them into errors.
    ///
    /// ```
    /// use jsonx_diagnose::{Code, Lints, DiagnoseOptions, diagnose};
    ///
    /// let mut report = diagnose(br#"{"a": 1, "a": 2}"#, &DiagnoseOptions::default());
    /// assert!(report.is_valid());
    /// report.deny(Lints::NONE.with(Code::DuplicateKey, true));
    /// assert!(!report.is_valid());
    /// ```
    pub fn is_valid(&self) -> bool {
        self.errors == 0
    }

    /// Turns the warnings of these lints into errors.
    ///
    /// ```
    /// use jsonx_diagnose::{Lints, DiagnoseOptions, diagnose};
    ///
    /// let mut report = diagnose(br#"{"a": 1, "a": 2}"#, &DiagnoseOptions::default());
    /// assert_eq!((report.errors, report.warnings), (0, 1));
    /// report.deny(Lints::ALL);
    /// assert_eq!((report.errors, report.warnings), (1, 0));
    /// ```
    pub fn deny(&mut self, lints: Lints) {
        let denied = |code, severity| severity == Severity::Warning && lints.contains(code);
        let mut count = 0;
        for finding in &mut self.diagnostics {
            if denied(finding.code, finding.severity) {
                finding.severity = Severity::Error;
                count += 1;
            }
        }
        for omitted in &mut self.omitted {
            if denied(omitted.code, omitted.severity) {
                omitted.severity = Severity::Error;
                count += omitted.count;
            }
        }
        self.errors += count;
        self.warnings -= count;
    }
}

/// The number of line breaks (LF, CR, or CR and LF together) in `bytes`.
fn line_breaks(bytes: &[u8]) -> usize {
    memchr::memchr2_iter(b'\n', b'\r', bytes)
        .filter(|&at| !(bytes[at] == b'\n' && at > 0 && bytes[at - 1] == b'\r'))
        .count()
}
