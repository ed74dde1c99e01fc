//! What people and programs are told about a broken text.
//!
//! ```text
//!                            Format::begin
//!  Checked ──▶ Format::file ──▶ fragment ──▶ joined in the order of the files
//!          ──▶ FileTotals ──▶ Run ──▶ Format::end
//! ```
//!
//! All of it is a pure function from data to text; the caller writes it where it belongs. A [`Format`] is given each
//! file that was [`Checked`]: the [`File`], that is its name, its bytes and where in the file they begin, and what was
//! found in it. Of a file that is not in memory as a whole an excerpt around the error is enough, with its base.
//!
//! ```
//! use jsonx_cli::report::{human, File};
//! use jsonx_core::diagnose::{diagnose, DiagnoseOptions};
//!
//! let text = b"[1, 2,]\n";
//! let report = diagnose(text, &DiagnoseOptions::default());
//! let file = File::new("a.json", text);
//! let shown = human::render(&report, &file, &human::Options::default());
//! assert!(shown.starts_with("error[trailing-comma]: trailing comma in array\n --> a.json:1:6\n"));
//! ```

mod advice;
mod checkstyle;
pub mod concise;
mod entry;
mod escape;
pub mod explain;
mod fingerprint;
mod format;
mod github;
mod gitlab;
pub mod human;
pub mod json;
mod junit;
mod object;
mod path;
mod position;
mod rdjson;
mod sarif;
mod select;
mod totals;
mod xml;

pub use escape::{escape, escape_json, escape_lines, escape_name, width_of};
pub use format::Format;
use jsonx_core::diagnose::Report;
pub use path::Repository;
pub use position::{Index, Position};
pub use totals::{FileTotals, Run, Totals, Unreadable, amount};

/// A file, or a part of it, that findings speak of.
#[derive(Clone, Debug)]
pub struct File<'a> {
    /// Its name as it is shown, still unescaped. Bytes that are not UTF-8 are shown as `<FF>`.
    pub name: &'a [u8],
    /// The bytes that the spans count from the start of.
    pub bytes: &'a [u8],
    /// Where the first of them is: [`Position::START`] unless this is an excerpt.
    pub base: Position,
    /// Where the bytes do not go on where those before them end: offsets into them, in rising order, each the start of
    /// a line, and what stands there. Empty unless lines between them were left out.
    pub leaps: &'a [(usize, Position)],
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
            leaps: &[],
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
                leaps: &[],
                decoded: true,
                ..self.clone()
            },
        }
    }
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is JSON. There may be findings all the same.
    Valid,
    /// It is not, or a limit was reached.
    Invalid {
        /// The first byte at which the text stops being the beginning of any valid one; `None` if a limit was reached.
        at: Option<u64>,
    },
    /// It could not be read.
    Unreadable {
        /// What the system said.
        reason: String,
    },
}

/// A file, and what was found in it.
#[derive(Clone, Debug)]
pub struct Checked<'a> {
    /// The file, or the part of it that the findings speak of. Empty where there are none.
    pub file: File<'a>,
    /// The findings.
    pub report: Report,
    /// What became of it.
    pub outcome: Outcome,
    /// Bytes in the whole file; 0 if it could not be read.
    pub length: u64,
}

impl<'a> Checked<'a> {
    /// A valid file of `length` bytes. Without findings, `file` needs no bytes.
    pub fn valid(file: File<'a>, report: Report, length: u64) -> Self {
        Checked {
            file,
            report,
            outcome: Outcome::Valid,
            length,
        }
    }

    /// A file that is not valid from byte `at` on.
    pub fn invalid(file: File<'a>, report: Report, at: Option<u64>, length: u64) -> Self {
        Checked {
            file,
            report,
            outcome: Outcome::Invalid { at },
            length,
        }
    }

    /// The text that the spans of the report are about.
    pub fn text(&self) -> File<'_> {
        self.file.text_of(&self.report)
    }

    /// A file that could not be read, and why.
    pub fn unreadable(name: &'a (impl AsRef<[u8]> + ?Sized), reason: impl Into<String>) -> Self {
        Checked {
            file: File::new(name, b""),
            report: Report::default(),
            outcome: Outcome::Unreadable {
                reason: reason.into(),
            },
            length: 0,
        }
    }
}

/// How and for whom findings are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The form for people. Its `max_errors` does not count: the one below does.
    pub human: human::Options,
    /// Findings of each severity that are shown of each file, 0 is all; by default fewer for people than for programs.
    pub max_errors: Option<usize>,
    /// Whether somebody may answer: then it is said where to read more.
    pub terminal: bool,
    /// Whether the findings are what the command is for, and are summed up at the end.
    pub totals: bool,
    /// What the names of files are relative to, for services.
    pub repository: Repository,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            human: human::Options::default(),
            max_errors: None,
            terminal: false,
            totals: true,
            repository: Repository::default(),
        }
    }
}
