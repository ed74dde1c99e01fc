//! `jsonx fmt`.

use clap::{Args, ValueEnum};

use super::Common;
use crate::files::Selection;

/// Format JSON: white space changes, and nothing else.
///
/// Numbers, escapes, the order of keys and duplicates stay byte for byte. The default look is that of `jq .`: two
/// spaces, one element a line. What else may change has a flag of its own: --sort-keys, --ascii, --html-safe,
/// --canonical. A file that is not valid prints nothing on standard output. A terminal, which would obey control
/// characters in strings, is shown them as escapes.
///
/// One input is printed on standard output, into any file but itself. Many files take --write, --check or --diff. A
/// file is rewritten by putting a new one in its place, in one step: owner, mode and extended attributes are kept, a
/// symbolic link goes on pointing at it, other hard links keep the old text. What is formatted already is not touched.
/// In JSON Lines each value stays on one line, whatever the look; `--input stream` spreads them.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  done, or already formatted
  1  --check or --diff: something is not formatted
  2  wrong usage, a bad glob, or no file at all
  3  an input is not JSON, or has no canonical form
  4  one could not be read or written, or is nested deeper than --max-depth

Examples:
  jsonx fmt data.json
  jsonx fmt --write .
  jsonx fmt --check src config.json
  jsonx fmt --diff . | patch -p0
  jsonx fmt -c data.json > data.min.json
  jsonx fmt --width 80 --sort-keys package.json
  jsonx fmt --canonical claims.json | sha256sum
  tail -f events.ndjson | jsonx fmt")]
pub struct Fmt {
    #[command(flatten)]
    pub selection: Selection,

    /// Rewrite the files that are not formatted, each as a whole or not at all
    #[arg(short, long, conflicts_with_all = ["check", "diff"])]
    pub write: bool,

    /// Print the names of files that are not formatted, and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,

    /// Print what formatting would change, as `patch -p0` and `git apply -p0` take it, and exit with 1 if it is anything
    #[arg(long)]
    pub diff: bool,

    /// Say on standard error what was done with, or is to be said of, every file
    #[arg(short, long)]
    pub verbose: bool,

    /// Print no names, no differences and no messages; the exit code says it
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    #[command(flatten)]
    pub look: Look,

    #[command(flatten)]
    pub common: Common,
}

/// What is done with formatted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Standard output gets it.
    Print,
    /// It takes the place of the file.
    Write,
    /// The name of the file is printed, where it differs.
    Check,
    /// What differs is printed.
    Diff,
}

impl Fmt {
    /// What is done with formatted text: --diff says all that --check does.
    pub fn what(&self) -> What {
        match self {
            Fmt { write: true, .. } => What::Write,
            Fmt { diff: true, .. } => What::Diff,
            Fmt { check: true, .. } => What::Check,
            _ => What::Print,
        }
    }

    /// Why this cannot be done, if it cannot.
    pub fn mistake(&self) -> Option<&'static str> {
        match self.what() {
            What::Write if self.selection.has_stdin() => {
                Some("--write needs a FILE: standard input cannot be rewritten")
            }
            What::Print if !self.selection.is_one() => Some(
                "several files cannot be printed as one; add --write, --check or --diff, or name one file",
            ),
            _ => None,
        }
    }
}

/// How formatted text looks; of flags that exclude one another, the last one counts.
#[derive(Debug, Args)]
pub struct Look {
    /// No white space at all: each value on one line
    #[arg(short, long, overrides_with_all = ["indent", "tab", "width", "jsonl"])]
    pub compact: bool,

    /// Spaces for each level of nesting; 0 is the same as --compact
    #[arg(long, value_name = "N", default_value_t = 2, overrides_with_all = ["compact", "tab", "jsonl"])]
    pub indent: u8,

    /// One tab for each level of nesting
    #[arg(long, overrides_with_all = ["compact", "indent", "jsonl"])]
    pub tab: bool,

    /// Put an array or object on one line where that has at most N characters: `[1, 2, 3]`, `{"a": 1, "b": 2}`
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=10_000),
        overrides_with_all = ["compact", "jsonl"]
    )]
    pub width: Option<u16>,

    /// JSON Lines: every value at the root compact, on a line of its own
    #[arg(long, overrides_with_all = ["compact", "indent", "tab", "width"])]
    pub jsonl: bool,

    /// How lines end: lf, crlf
    #[arg(
        long,
        value_name = "END",
        default_value = "lf",
        hide_possible_values = true
    )]
    pub eol: Eol,

    /// Sort the members of objects by the code points of their keys; those with equal keys keep their order. Needs memory
    /// for the largest object that is not inside another one
    #[arg(short = 'S', long)]
    pub sort_keys: bool,

    /// Write characters beyond ASCII as \u escapes
    #[arg(short, long)]
    pub ascii: bool,

    /// Write `<`, `>`, `&`, U+2028 and U+2029 as \u escapes, for JSON inside HTML
    #[arg(long)]
    pub html_safe: bool,

    /// The canonical form of RFC 8785, for signatures and hashes: exactly its bytes, without a newline at the end; several
    /// values with a newline between them. Duplicate keys, halves of surrogate pairs, and numbers that would have to be
    /// rounded are refused
    #[arg(
        long,
        conflicts_with_all = ["compact", "indent", "tab", "width", "jsonl", "eol", "sort_keys", "ascii", "html_safe"]
    )]
    pub canonical: bool,
}

/// `--eol`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Eol {
    Lf,
    Crlf,
}
