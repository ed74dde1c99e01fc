//! `jsonx grep`.

use std::ffi::OsString;
use std::num::NonZeroU64;

use clap::{ArgAction, Args};

use super::Common;
use crate::files::Selection;

const LONG_HELP_END: &str = "\
Exit codes (with several files, the highest one; a match in any file turns 1 into 0):
  0  a value matches
  1  no value matches
  2  wrong usage, or a bad PATTERN
  3  an input is not JSON
  4  an input could not be read, or exceeds --max-depth

Examples:
  jsonx grep localhost config.json
  jsonx grep -i 'error|timeout' logs/ -g '*.log'
  jsonx grep -k -w password
  jsonx grep -l -F 'https://example.com/' .
  jsonx grep -c -i timeout app.log
  curl -s https://api.github.com/repos/jqlang/jq | jsonx grep -o '[^/]*\\.git'
  jsonx grep --json ERROR app.log | jsonx jq '.path' --tally";

/// Search for text in values, and print where each match is.
///
/// Prints `FILE:LINE:COLUMN: PATH: VALUE` for every string, number, true, false and null whose text matches the regular
/// expression PATTERN. The text of a string has no quotes and no escapes: `é` also finds `\u00e9`. `jsonx get` and the other
/// commands accept the PATH. The syntax of PATTERN is that of ripgrep, <https://docs.rs/regex#syntax>.
///
/// Without FILE, standard input is searched, or at a terminal the current directory. A file is checked before anything in it is
/// printed, unless it has very many matches; a pipe is searched as it arrives. Invalid records of JSON Lines are reported, and the
/// rest is searched. Memory depends on the longest value.
#[derive(Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Grep {
    /// A regular expression
    pub pattern: OsString,

    #[command(flatten)]
    pub selection: Selection,

    /// PATTERN is plain text
    #[arg(short = 'F', long)]
    pub fixed_strings: bool,

    /// Ignore case
    #[arg(short, long)]
    pub ignore_case: bool,

    /// Match whole words only
    #[arg(short, long, hide_short_help = true)]
    pub word_regexp: bool,

    /// Search keys too
    ///
    /// For a matching key, the path and the value are printed; for an array or object, only the brackets.
    #[arg(short, long)]
    pub keys: bool,

    /// Print the number of matching values of each file that has any
    #[arg(short, long, conflicts_with_all = ["files_with_matches", "only_matching", "json"])]
    pub count: bool,

    /// Print only the names of files with a match, and stop reading a file at its first match
    #[arg(short = 'l', long, conflicts_with_all = ["only_matching", "json"])]
    pub files_with_matches: bool,

    /// Print each matching part of a value on a line of its own
    #[arg(short, long)]
    pub only_matching: bool,

    /// Print an object for each matching value
    ///
    /// Its members are `file`, with `fileBytes` in Base64 if the name is not UTF-8, `line`, `column`, `path`, and `value` unless that
    /// is an array or object.
    #[arg(long, conflicts_with = "only_matching")]
    pub json: bool,

    /// Stop after N matching values of each file
    #[arg(short = 'm', long, alias = "max-count", value_name = "N")]
    pub limit: Option<NonZeroU64>,

    /// What grep needs an option for, and this command always does.
    #[arg(
        short = 'n',
        long = "line-number",
        short_aliases = ['r', 'H', 'E', 'a', 's'],
        aliases = ["recursive", "with-filename", "extended-regexp", "text", "case-sensitive"],
        action = ArgAction::Count,
        hide = true
    )]
    pub always: u8,

    /// Report invalid records of JSON Lines as warnings
    #[arg(long, hide_short_help = true)]
    pub skip_invalid: bool,

    #[command(flatten)]
    pub common: Common,
}
