//! Renders findings for people and programs.
//!
//! ```text
//!                            Format::begin
//!  Checked ──▶ Format::file ──▶ fragment ──▶ joined in the order of the files
//!          ──▶ FileTotals ──▶ Run ──▶ Format::end
//! ```
//!
//! Rendering is a pure function from data to text; the caller writes the text. A [`Format`] renders each [`Checked`] file: the
//! [`File`] (its name, its bytes and their position in the file) and its findings. If a file is not completely in memory, an
//! excerpt around the error with its position is enough.
//!
//! ```
//! use jsonx_cli::report::{human, File};
//! use jsonx_diagnose::{diagnose, DiagnoseOptions};
//!
//! let text = b"[1, 2,]\n";
//! let report = diagnose(text, &DiagnoseOptions::default());
//! let file = File::new("a.json", text);
//! let shown = human::render(&report, &file, &human::Options::default());
//! assert!(shown.starts_with("error[trailing-comma]: trailing comma in array\n --> a.json:1:6\n"));
//! ```

mod advice;
pub mod concise;
mod entry;
mod escape;
pub mod explain;
mod fingerprint;
mod format;
mod github;
mod gitlab;
pub mod guide;
pub mod human;
pub mod json;
mod junit;
mod object;
mod path;
mod position;
mod sarif;
mod select;
mod totals;
mod xml;

pub(crate) use entry::message;
pub use escape::{escape, escape_json, escape_lines, escape_name, in_shell, marked, width_of};
pub use format::Format;
pub use human::shorten;
use jsonx_diagnose::Report;
pub(crate) use object::Object;
pub use path::Repository;
pub use position::{Index, Marks, Position, line_start};
pub use select::MOST_FINDINGS;
pub use totals::{Counts, FileTotals, Run, Totals, Unreadable, amount};

/// A file, or an excerpt of it, that findings refer to.
#[derive(Clone, Debug)]
pub struct File<'a> {
    /// The name, unescaped. Bytes that are not UTF-8 are shown as `<FF>`.
    pub name: &'a [u8],
    /// The bytes; spans are offsets into them.
    pub bytes: &'a [u8],
    /// Position of the first byte in the file: [`Position::START`] unless this is an excerpt.
    pub base: Position,
    /// Discontinuities, where lines of the file were omitted: offsets into the bytes in ascending order, each the start
    /// of a line, with the position in the file. Empty if the bytes are contiguous.
    pub leaps: &'a [(usize, Position)],
    /// Whether the file has more bytes after these.
    pub cut: bool,
    /// Whether the bytes were decoded from another encoding, so their offsets differ from those in the file.
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

    /// An excerpt of a file that starts at `base`.
    pub fn excerpt(name: &'a (impl AsRef<[u8]> + ?Sized), bytes: &'a [u8], base: Position) -> Self {
        File {
            base,
            cut: true,
            ..File::new(name, bytes)
        }
    }

    /// The text that the spans of `report` refer to: these bytes, or the text decoded from them.
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

/// The result of checking a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The file is valid. It may still have findings.
    Valid,
    /// The file is invalid, or a limit was exceeded.
    Invalid {
        /// Offset of the first byte at which the text is no longer a prefix of any valid text; `None` if a limit was
        /// exceeded.
        at: Option<u64>,
    },
    /// The file is valid, and a formatter would change it.
    Unformatted,
    /// More findings of the file follow.
    Unfinished,
    /// The file could not be read.
    Unreadable {
        /// The error of the system.
        reason: String,
    },
}

/// A file that was checked, with its findings.
#[derive(Clone, Debug)]
pub struct Checked<'a> {
    /// The file, or the excerpt that the findings refer to. It needs no bytes if there are no findings.
    pub file: File<'a>,
    /// The findings. Counts refer to the whole file, unless it is unfinished.
    pub report: Report,
    /// The number of findings in earlier fragments of the same file.
    pub earlier: Counts,
    /// The result.
    pub outcome: Outcome,
    /// Length of the whole file in bytes; 0 if it could not be read.
    pub length: u64,
}

impl<'a> Checked<'a> {
    /// A valid file of `length` bytes. Without findings, `file` needs no bytes.
    pub fn valid(file: File<'a>, report: Report, length: u64) -> Self {
        Checked {
            file,
            report,
            earlier: Counts::default(),
            outcome: Outcome::Valid,
            length,
        }
    }

    /// An invalid file; `at` is the offset of its first invalid byte.
    pub fn invalid(file: File<'a>, report: Report, at: Option<u64>, length: u64) -> Self {
        Checked {
            outcome: Outcome::Invalid { at },
            ..Checked::valid(file, report, length)
        }
    }

    /// A valid file that a formatter would change: one error.
    pub fn unformatted(file: File<'a>, length: u64) -> Self {
        let mut report = Report::default();
        report.errors = 1;
        Checked {
            outcome: Outcome::Unformatted,
            ..Checked::valid(file, report, length)
        }
    }

    /// The text that the spans of the report refer to.
    pub fn text(&self) -> File<'_> {
        self.file.text_of(&self.report)
    }

    /// A file that could not be read, and why.
    pub fn unreadable(name: &'a (impl AsRef<[u8]> + ?Sized), reason: impl Into<String>) -> Self {
        Checked {
            outcome: Outcome::Unreadable {
                reason: reason.into(),
            },
            ..Checked::valid(File::new(name, b""), Report::default(), 0)
        }
    }
}

/// Settings for rendering findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportSettings {
    /// Options of the human format. Its `max_errors` is ignored in favor of the one below.
    pub human: human::Options,
    /// Maximum number of findings of each severity to show per file, 0 for all; the default is lower for people than
    /// for programs.
    pub max_errors: Option<usize>,
    /// Whether the output is a terminal, where a hint at `jsonx explain` is shown.
    pub terminal: bool,
    /// Whether the findings are the output of the command, and end with totals.
    pub totals: bool,
    /// The repository that file names are relative to, for services.
    pub repository: Repository,
}

impl Default for ReportSettings {
    fn default() -> Self {
        ReportSettings {
            human: human::Options::default(),
            max_errors: None,
            terminal: false,
            totals: true,
            repository: Repository::default(),
        }
    }
}
