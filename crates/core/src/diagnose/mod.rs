//! The cold path: why a text is not JSON, where, and what to type instead.
//!
//! ```text
//!  bytes ──▶ encoding ──▶ format ──▶ leading text? ──▶ lexer ──▶ parser ──▶ findings ──▶ Report
//!            UTF-16?      HTML?      a log before it   tolerant  recovers   counted,
//!            UTF-8?       YAML?                        tokens    by repair  sorted
//! ```
//!
//! [`diagnose`] is asked when the verdict is already known, or when lints are wanted. It reads the text as
//! a person would: a malformed token is reported and then taken for what it was meant to be, a missing one
//! is acted as if it were there, and what the indentation and the number of brackets say is believed. So
//! it finds every mistake of a file in one go, and does not take the consequences of one for another.
//!
//! It is slower than the verdict path by an order of magnitude, and linear: every rule that looks ahead
//! remembers its answer ([`Report::steps`] counts, and tests hold it to a bound).
//!
//! The result is plain data. Nothing here prints; positions are offsets of bytes.
//!
//! ```
//! use jsonx_core::diagnose::{diagnose, Code, DiagnoseOptions};
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
mod encoding;
mod fix;
mod format;
pub(crate) mod keys;
mod leading;
mod lexer;
pub(crate) mod lints;
mod not_canonical;
mod parser;
mod quote;
mod run;

pub use advice::Advice;
pub use code::{Code, Severity, UnknownCode};
pub use collector::Omitted;
pub use diagnostic::{Applicability, Diagnostic, Edit, Fix, MAX_PATH_STEPS, Related, Span};
pub use fix::{apply, edits};
pub use lints::Lints;
pub use not_canonical::not_canonical;
pub use run::{diagnose, diagnose_each, syntax_error};

/// What the input is to be.
///
/// ```
/// use jsonx_core::diagnose::{Framing, DiagnoseOptions, diagnose};
///
/// let lines = DiagnoseOptions { framing: Framing::Lines, ..DiagnoseOptions::default() };
/// assert!(diagnose(b"{}\n[1]\n", &lines).is_valid());
/// assert!(!diagnose(b"{}\n[1]\n", &DiagnoseOptions::default()).is_valid());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// Exactly one value.
    #[default]
    OneValue,
    /// One value on each line; empty lines are left out (JSON Lines).
    Lines,
    /// Any number of values, one after another.
    Stream,
}

/// How to examine a text.
///
/// ```
/// use jsonx_core::diagnose::{DiagnoseOptions, diagnose};
///
/// let shallow = DiagnoseOptions { max_depth: 1, ..DiagnoseOptions::default() };
/// assert_eq!(diagnose(b"[[]]", &shallow).errors, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagnoseOptions {
    /// One value, lines or a stream.
    pub framing: Framing,
    /// The warnings.
    pub lints: Lints,
    /// How many errors are described, and how many warnings; the rest is counted. 0: all.
    pub limit: usize,
    /// The levels of nesting that are allowed. 0: any number.
    pub max_depth: usize,
    /// The longest text, in bytes, whose mistakes are looked for; for a longer one there is at most
    /// the one finding `syntax-error`. At most 4 GB.
    pub max_input: usize,
}

impl Default for DiagnoseOptions {
    fn default() -> Self {
        DiagnoseOptions {
            framing: Framing::OneValue,
            lints: Lints::default(),
            limit: 1000,
            max_depth: 0,
            max_input: 256 << 20,
        }
    }
}

/// What was found.
///
/// ```
/// use jsonx_core::diagnose::{DiagnoseOptions, diagnose};
///
/// let report = diagnose(b"[1 2", &DiagnoseOptions::default());
/// assert_eq!((report.is_valid(), report.errors), (false, 2));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The findings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The text they speak of, where that is not the input: a file in UTF-16 or UTF-32, decoded.
    pub text: Option<Vec<u8>>,
    /// All errors, also those that are not described.
    pub errors: u64,
    /// All warnings.
    pub warnings: u64,
    /// What is not described, by code.
    pub omitted: Vec<Omitted>,
    /// An object had so many keys that not all were compared.
    pub keys_unchecked: bool,
    /// Values and records read: 1 for a document.
    pub values: u64,
    /// The work done: bytes and tokens looked at. In proportion to the length of the input.
    pub steps: u64,
}

impl Report {
    /// Whether there is no error. Warnings do not count, unless [`Report::deny`] has made errors of them.
    ///
    /// ```
    /// use jsonx_core::diagnose::{Code, Lints, DiagnoseOptions, diagnose};
    ///
    /// let mut report = diagnose(br#"{"a": 1, "a": 2}"#, &DiagnoseOptions::default());
    /// assert!(report.is_valid());
    /// report.deny(Lints::NONE.with(Code::DuplicateKey, true));
    /// assert!(!report.is_valid());
    /// ```
    pub fn is_valid(&self) -> bool {
        self.errors == 0
    }

    /// Takes the warnings of these lints for errors.
    ///
    /// ```
    /// use jsonx_core::diagnose::{Lints, DiagnoseOptions, diagnose};
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
