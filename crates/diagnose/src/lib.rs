//! What is wrong with a text that should be JSON, why, and how to fix it.
//!
//! ```
//! use jsonx_diagnose::repair::{RepairOptions, repair};
//! use jsonx_diagnose::{Code, DiagnoseOptions, diagnose};
//!
//! let broken = b"{\n  \"a\": 1\n  \"b\": 2,\n}";
//! let report = diagnose(broken, &DiagnoseOptions::default());
//! let codes: Vec<Code> = report.diagnostics.iter().map(|finding| finding.code).collect();
//! assert_eq!(codes, [Code::MissingComma, Code::TrailingComma]);
//!
//! let repaired = repair(broken, &RepairOptions::default());
//! assert_eq!(repaired.text, b"{\n  \"a\": 1,\n  \"b\": 2\n}");
//! ```
//!
//! | to | use |
//! |---|---|
//! | find every mistake of a text, with explanations and fixes | [`diagnose`] |
//! | repair it | [`mod@repair`] |
//! | find valid but error-prone text while it is validated | [`lint`] |
//! | read JSON5 | [`json5`], translated for all functions that read JSON with comments |
//!
//! Whether a text is JSON is decided by [`jsonx_core`], on which all of this is built. Nothing here prints, does I/O or panics on
//! any input; positions are byte offsets.

mod diagnose;
pub mod json5;
mod key_set;
pub mod lint;
pub mod repair;

pub use diagnose::{
    Applicability, Code, DiagnoseOptions, Diagnostic, Edit, Fix, Framing, Lints, Omitted, Related,
    Report, Severity, Span, UnknownCode, apply, diagnose,
};
// For the program and for jsonx-schema.
#[doc(hidden)]
pub use diagnose::{
    Advice, Elsewhere, MAX_PATH_STEPS, NamedText, diagnose_each, edits, not_canonical, syntax_error,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Guide;
