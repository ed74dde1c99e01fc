//! The options of [`diagnose`](super::diagnose()).

use jsonx_core::engine::Mode;
use jsonx_core::jsonc::Dialect;

use super::Lints;

/// The framing of the input.
///
/// ```
/// use jsonx_diagnose::{Framing, DiagnoseOptions, diagnose};
///
/// let lines = DiagnoseOptions::default().framing(Framing::Lines);
/// assert!(diagnose(b"{}\n[1]\n", &lines).is_valid());
/// assert!(!diagnose(b"{}\n[1]\n", &DiagnoseOptions::default()).is_valid());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// Exactly one value.
    #[default]
    OneValue,
    /// One value per line; empty lines are skipped (JSON Lines).
    Lines,
    /// Any number of values in sequence.
    Stream,
}

/// The number of values of the text, or of each line.
impl From<Framing> for Mode {
    fn from(framing: Framing) -> Mode {
        match framing {
            Framing::Stream => Mode::Stream,
            Framing::OneValue | Framing::Lines => Mode::One,
        }
    }
}

/// Options of [`diagnose`](super::diagnose()).
///
/// ```
/// use jsonx_diagnose::{DiagnoseOptions, diagnose};
///
/// let shallow = DiagnoseOptions::default().max_depth(1);
/// assert_eq!(diagnose(b"[[]]", &shallow).errors, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagnoseOptions {
    pub(crate) framing: Framing,
    pub(crate) lints: Lints,
    pub(crate) limit: usize,
    pub(crate) max_depth: usize,
    pub(crate) max_input: usize,
    pub(crate) dialect: Dialect,
}

impl Default for DiagnoseOptions {
    fn default() -> Self {
        DiagnoseOptions {
            framing: Framing::OneValue,
            lints: Lints::default(),
            limit: 1000,
            max_depth: 0,
            max_input: 256 << 20,
            dialect: Dialect::Json,
        }
    }
}

impl DiagnoseOptions {
    /// The number of findings to retain.
    pub(crate) fn most(&self) -> usize {
        match self.limit {
            0 => usize::MAX,
            limit => limit,
        }
    }

    /// Sets the framing of the text: one value, lines or a stream.
    ///
    /// ```
    /// use jsonx_diagnose::{DiagnoseOptions, Framing, diagnose};
    ///
    /// let lines = DiagnoseOptions::default().framing(Framing::Lines);
    /// assert!(diagnose(b"1\n2\n", &lines).is_valid());
    /// ```
    #[must_use]
    pub fn framing(self, framing: Framing) -> Self {
        DiagnoseOptions { framing, ..self }
    }

    /// Sets the lints to report as warnings.
    ///
    /// ```
    /// use jsonx_diagnose::{DiagnoseOptions, Lints, diagnose};
    ///
    /// let silent = DiagnoseOptions::default().lints(Lints::NONE);
    /// assert_eq!(diagnose(br#"{"a": 1, "a": 2}"#, &silent).warnings, 0);
    /// ```
    #[must_use]
    pub fn lints(self, lints: Lints) -> Self {
        DiagnoseOptions { lints, ..self }
    }

    /// Sets the maximum number of errors, and of warnings, to describe; the rest is counted. 0: no limit.
    ///
    /// ```
    /// use jsonx_diagnose::{DiagnoseOptions, diagnose};
    ///
    /// let report = diagnose(b"[01, 02, 03]", &DiagnoseOptions::default().limit(1));
    /// assert_eq!((report.diagnostics.len(), report.errors), (1, 3));
    /// ```
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        DiagnoseOptions { limit, ..self }
    }

    /// Sets the maximum nesting depth. 0: no limit.
    ///
    /// ```
    /// use jsonx_diagnose::{Code, DiagnoseOptions, diagnose};
    ///
    /// let report = diagnose(b"[[[]]]", &DiagnoseOptions::default().max_depth(2));
    /// assert_eq!(report.diagnostics[0].code, Code::DeepNesting);
    /// ```
    #[must_use]
    pub fn max_depth(self, max_depth: usize) -> Self {
        DiagnoseOptions { max_depth, ..self }
    }

    /// Sets the length of the longest text to diagnose, in bytes, at most 4 GB; for a longer one, at most a single
    /// `syntax-error` is reported.
    ///
    /// ```
    /// use jsonx_diagnose::{Code, DiagnoseOptions, diagnose};
    ///
    /// let report = diagnose(b"[1, 2,]", &DiagnoseOptions::default().max_input(4));
    /// assert_eq!(report.diagnostics[0].code, Code::SyntaxError);
    /// ```
    #[must_use]
    pub fn max_input(self, max_input: usize) -> Self {
        DiagnoseOptions { max_input, ..self }
    }

    /// Sets whether comments and trailing commas are valid.
    ///
    /// ```
    /// use jsonx_diagnose::{DiagnoseOptions, diagnose};
    /// use jsonx_core::jsonc::Dialect;
    ///
    /// let jsonc = DiagnoseOptions::default().dialect(Dialect::Jsonc);
    /// assert!(diagnose(b"[1,] // one", &jsonc).is_valid());
    /// ```
    #[must_use]
    pub fn dialect(self, dialect: Dialect) -> Self {
        DiagnoseOptions { dialect, ..self }
    }
}
