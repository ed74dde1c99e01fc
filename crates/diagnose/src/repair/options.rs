//! The options of [`repair`](super::repair()).

use jsonx_core::jsonc::Dialect;

use crate::diagnose::{Applicability, DiagnoseOptions, Framing};

/// Options of [`repair`](super::repair()).
///
/// ```
/// use jsonx_diagnose::Framing;
/// use jsonx_diagnose::repair::{RepairOptions, repair};
///
/// let lines = RepairOptions::default().framing(Framing::Lines);
/// assert_eq!(repair(b"{a: 1}\n[2,]\n", &lines).text, b"{\"a\": 1}\n[2]\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepairOptions {
    pub(crate) diagnose: DiagnoseOptions,
    pub(crate) lines: bool,
    pub(crate) keep_comments: bool,
    pub(crate) with: Applicability,
    pub(crate) whole: bool,
}

impl Default for RepairOptions {
    fn default() -> Self {
        RepairOptions {
            diagnose: DiagnoseOptions::default(),
            lines: false,
            keep_comments: false,
            with: Applicability::Safe,
            whole: false,
        }
    }
}

impl RepairOptions {
    /// Sets the framing of the text. With [`Framing::Stream`], a broken text that contains a single value is repaired as one
    /// value.
    ///
    /// ```
    /// use jsonx_diagnose::Framing;
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let lines = RepairOptions::default().framing(Framing::Lines);
    /// assert_eq!(repair(b"{a: 1}\n[2,]\n", &lines).text, b"{\"a\": 1}\n[2]\n");
    /// ```
    #[must_use]
    pub fn framing(self, framing: Framing) -> Self {
        let diagnose = self.diagnose.framing(framing);
        RepairOptions { diagnose, ..self }
    }

    /// Sets whether comments and trailing commas are valid, and are kept.
    ///
    /// ```
    /// use jsonx_core::jsonc::Dialect;
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let jsonc = RepairOptions::default().dialect(Dialect::Jsonc);
    /// assert_eq!(repair(b"[+1,] // one", &jsonc).text, b"[1,] // one");
    /// ```
    #[must_use]
    pub fn dialect(self, dialect: Dialect) -> Self {
        let diagnose = self.diagnose.dialect(dialect);
        RepairOptions { diagnose, ..self }
    }

    /// Sets whether several values, each on its own line, are JSON Lines rather than a mistake. Only with
    /// [`Framing::OneValue`].
    ///
    /// ```
    /// use jsonx_diagnose::Framing;
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let repaired = repair(b"{}\n[1,]\n", &RepairOptions::default().lines(true));
    /// assert_eq!((repaired.text, repaired.framing), (b"{}\n[1]\n".to_vec(), Framing::Lines));
    /// ```
    #[must_use]
    pub fn lines(self, lines: bool) -> Self {
        RepairOptions { lines, ..self }
    }

    /// Sets whether comments are kept even if they are invalid; everything else is repaired.
    ///
    /// ```
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let repaired = repair(b"[+1] // one", &RepairOptions::default().keep_comments(true));
    /// assert_eq!((repaired.is_valid(), &repaired.text[..]), (false, &b"[1] // one"[..]));
    /// ```
    #[must_use]
    pub fn keep_comments(self, keep_comments: bool) -> Self {
        RepairOptions {
            keep_comments,
            ..self
        }
    }

    /// Sets which fixes are applied: [`Applicability::Safe`] for those with only one possible meaning,
    /// [`Applicability::Review`] for guesses too.
    ///
    /// ```
    /// use jsonx_diagnose::Applicability;
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// assert!(!repair(b"[1, 2", &RepairOptions::default()).is_valid());
    /// let guess = RepairOptions::default().with(Applicability::Review);
    /// assert_eq!(repair(b"[1, 2", &guess).text, b"[1, 2]");
    /// ```
    #[must_use]
    pub fn with(self, with: Applicability) -> Self {
        RepairOptions { with, ..self }
    }

    /// Sets whether the value at which a text is truncated is dropped rather than treated as complete. Only guesses close such
    /// a text.
    ///
    /// ```
    /// use jsonx_diagnose::Applicability;
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let all = RepairOptions::default().with(Applicability::Review);
    /// assert_eq!(repair(b"[1, 23", &all).text, b"[1, 23]");
    /// assert_eq!(repair(b"[1, 23", &all.whole(true)).text, b"[1]");
    /// ```
    #[must_use]
    pub fn whole(self, whole: bool) -> Self {
        RepairOptions { whole, ..self }
    }

    /// Sets how many safe changes, and how many guesses, are described; the rest is counted. 0: no limit.
    ///
    /// ```
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let repaired = repair(b"[+1, +2]", &RepairOptions::default().limit(1));
    /// assert_eq!((repaired.text, repaired.changes.len()), (b"[1, 2]".to_vec(), 1));
    /// ```
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        let diagnose = self.diagnose.limit(limit);
        RepairOptions { diagnose, ..self }
    }

    /// Sets the maximum nesting depth. 0: no limit.
    ///
    /// ```
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// assert!(!repair(b"[[[]]]", &RepairOptions::default().max_depth(2)).is_valid());
    /// ```
    #[must_use]
    pub fn max_depth(self, max_depth: usize) -> Self {
        let diagnose = self.diagnose.max_depth(max_depth);
        RepairOptions { diagnose, ..self }
    }

    /// Sets the length of the longest text to repair, in bytes; at most 4 GB. Longer texts are not changed.
    ///
    /// ```
    /// use jsonx_diagnose::repair::{RepairOptions, repair};
    ///
    /// let repaired = repair(b"[+1]", &RepairOptions::default().max_input(3));
    /// assert!(!repaired.is_valid() && repaired.changes.is_empty());
    /// ```
    #[must_use]
    pub fn max_input(self, max_input: usize) -> Self {
        let diagnose = self.diagnose.max_input(max_input);
        RepairOptions { diagnose, ..self }
    }
}
