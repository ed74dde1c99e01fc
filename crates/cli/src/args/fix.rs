//! `jsonx fix`.

use clap::Args;

use super::{Changes, Common};
use crate::files::Selection;

const LONG_HELP_END: &str = "\
Exit codes:
  0  valid, or repaired
  1  an error remains; with --check or --diff: something would change
  2  wrong usage, a bad glob, or no file at all
  3  the input is not JSON: text, another format, or several values among text
  4  a file could not be read or written, or is too large

Examples:
  jsonx fix data.json > fixed.json
  jsonx fix --write config/
  jsonx fix --all --diff answer.txt
  pbpaste | jsonx fix --all | jsonx fmt
  jsonx fix --all --partial broken.json 2> assumed.txt";

/// Repair broken JSON.
///
/// By default, applies only unambiguous fixes: quotes around keys, `'a'`, trailing commas, comments, `+1`, `.5`, `0x1F`,
/// `True`, `None`, missing commas between members. --all also guesses: it closes truncated text, and extracts JSON from
/// Markdown, prose, logs, JSONP, diffs and UTF-16. Each guess and each removal is listed on standard error with its position.
/// Valid JSON is printed unchanged, byte for byte; with --all, a lone surrogate, `\ud83d`, becomes U+FFFD. JSON5 (`.json5`, .babelrc, --input json5) is printed as JSON; a file with
/// JSON5 syntax is not changed in place.
///
/// If the text is truncated, the number, string or literal at its end may be incomplete: --all keeps it and reports it, --all
/// --partial drops it.
///
/// Values on the lines of a log or a list become JSON Lines. Text without JSON is refused.
///
/// Comments are removed from printed output. Unless --all is given, --write, --check and --diff keep them in files, and name
/// the option that allows them.
///
/// If an error remains, nothing is printed, except with --partial. Several values in a file stay JSON Lines if each is on its
/// own line; otherwise --all makes them an array. Invalid text of more than 256 MB is not repaired.
///
/// Guide: `jsonx help repair`.
#[derive(Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Fix {
    #[command(flatten)]
    pub selection: Selection,

    /// Also guess, and list each guess on standard error
    #[arg(short, long)]
    pub all: bool,

    /// Print or write the result even if errors remain; with --all, drop a truncated value
    #[arg(long)]
    pub partial: bool,

    #[command(flatten)]
    pub changes: Changes,

    #[command(flatten)]
    pub common: Common,
}
