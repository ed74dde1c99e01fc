//! What people and programs are told about a broken text.
//!
//! ```text
//!  core::diagnose ──▶ Report ──┬──▶ human::render     blocks with source lines, for a terminal or a log
//!                              ├──▶ concise::render   one line a finding, for editors
//!                              └──▶ json::file        one record a finding, one a file, one at the end
//! ```
//!
//! All of it is a pure function from data to text; the caller writes it where it belongs. A reporter is given
//! a [`File`]: the name, the bytes and where in the file they begin. Of a file that is not in memory as a whole
//! an excerpt around the error is enough, with its base.
//!
//! ```
//! use jsonx_cli::report::{human, File};
//! use jsonx_core::diagnose::{diagnose, Options};
//!
//! let text = b"[1, 2,]\n";
//! let report = diagnose(text, &Options::default());
//! let file = File::new("a.json", text);
//! let shown = human::render(&report, &file, &human::Options::default());
//! assert!(shown.starts_with("error[trailing-comma]: trailing comma in array\n --> a.json:1:6\n"));
//! ```

pub mod concise;
mod escape;
pub mod explain;
pub mod human;
pub mod json;
mod position;

pub use escape::{escape, escape_lines, width_of};
use jsonx_core::diagnose::Report;
pub use position::{Index, Position};

/// A file, or a part of it, that findings speak of.
#[derive(Clone, Debug)]
pub struct File<'a> {
    /// Its name as it is shown, still unescaped. Bytes that are not UTF-8 are shown as `<FF>`.
    pub name: &'a [u8],
    /// The bytes that the spans count from the start of.
    pub bytes: &'a [u8],
    /// Where the first of them is: [`Position::START`] unless this is an excerpt.
    pub base: Position,
    /// Whether bytes follow behind the last of these.
    pub cut: bool,
    /// Whether the bytes were decoded from another encoding, so that their offsets are not those of the file.
    pub decoded: bool,
}

impl<'a> File<'a> {
    /// A whole file.
    pub fn new(name: &'a (impl AsRef<[u8]> + ?Sized), bytes: &'a [u8]) -> Self {
        File {
            name: name.as_ref(),
            bytes,
            base: Position::START,
            cut: false,
            decoded: false,
        }
    }

    /// The part of a file that begins at `base`.
    pub fn excerpt(name: &'a (impl AsRef<[u8]> + ?Sized), bytes: &'a [u8], base: Position) -> Self {
        File {
            base,
            cut: true,
            ..File::new(name, bytes)
        }
    }

    /// The text that the spans of `report` are about: these bytes, or what they were decoded to.
    #[must_use]
    pub fn text_of<'b>(&'b self, report: &'b Report) -> File<'b> {
        match &report.text {
            None => self.clone(),
            Some(text) => File {
                bytes: text,
                decoded: true,
                ..self.clone()
            },
        }
    }
}

/// Counts over all files of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Files that were checked.
    pub files: u64,
    /// Files with at least one error.
    pub invalid: u64,
    /// Errors, shown or not.
    pub errors: u64,
    /// Warnings, shown or not.
    pub warnings: u64,
}

impl Totals {
    /// Adds a file.
    pub fn add(&mut self, report: &Report) {
        self.files += 1;
        self.invalid += u64::from(report.errors > 0);
        self.errors += report.errors;
        self.warnings += report.warnings;
    }

    /// The last line of a run: `2 errors in 1 file, 1 warning; 3 files checked`, or `ok: 3 files checked`.
    ///
    /// ```
    /// use jsonx_cli::report::Totals;
    /// let totals = Totals { files: 3, invalid: 1, errors: 2, warnings: 1 };
    /// assert_eq!(totals.summary(), "2 errors in 1 file, 1 warning; 3 files checked");
    /// ```
    pub fn summary(&self) -> String {
        let mut found = Vec::new();
        if self.errors > 0 {
            found.push(format!(
                "{} in {}",
                count(self.errors, "error"),
                count(self.invalid, "file")
            ));
        }
        if self.warnings > 0 {
            found.push(count(self.warnings, "warning"));
        }
        let checked = format!("{} checked", count(self.files, "file"));
        match found.is_empty() {
            true => format!("ok: {checked}"),
            false => format!("{}; {checked}", found.join(", ")),
        }
    }
}

/// `1 error`, `2 errors`.
fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
