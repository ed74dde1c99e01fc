//! `jsonx fix`.

use clap::Args;

use super::{Changes, Common};
use crate::files::Selection;

/// Examples, which `-h` and `--help` show.
macro_rules! examples {
    () => {
        "\
Examples:
  jsonx fix data.json > fixed.json
  jsonx fix --write config/
  jsonx fix --all --diff answer.txt
  pbpaste | jsonx fix --all | jsonx fmt
  jsonx fix --all --partial broken.json 2> assumed.txt"
    };
}

const LONG_HELP_END: &str = concat!(
    "\
Exit codes:
  0  valid, or repaired
  1  an error is left; with --check or --diff: something would change
  2  wrong usage, a bad glob, or no file at all
  3  the input is not JSON: text, another format, or several values among text
  4  a file could not be read or written, or is too large

",
    examples!()
);

/// Repair broken JSON.
///
/// By default makes only changes with one possible meaning: quotes around keys, `'a'`, trailing commas, comments, `+1`,
/// `.5`, `0x1F`, `True`, `None`, missing commas between members. --all also guesses: it closes text that was cut off, and
/// takes JSON out of Markdown, prose, logs, JSONP, diffs and UTF-16. Each guess, and everything that is dropped, is
/// listed on standard error with its place. Valid JSON is printed unchanged, byte for byte.
/// Of JSON5 (`.json5`, .babelrc, --input json5), it prints JSON; in place it changes no file that has what only JSON5 has.
///
/// Where a text was cut off, the number, string or literal at its end may be incomplete: --all keeps it and says so, --all
/// --partial leaves it out.
///
/// Values in the lines of a log or a list become JSON Lines, all of them. Text that is no JSON is refused.
///
/// Comments are removed from what is printed. In a file, --write, --check and --diff keep them, and name the option that
/// allows them, unless --all is given.
///
/// If an error is left, nothing is printed, except with --partial. In a file, several values stay on lines of their own
/// (JSON Lines) if they are on such lines, otherwise --all makes them an array. A text of more than 256 MB that is not
/// valid is not repaired.
#[derive(Debug, Args)]
#[command(after_help = examples!(), after_long_help = LONG_HELP_END)]
pub struct Fix {
    #[command(flatten)]
    pub selection: Selection,

    /// Also make changes that are guesses, and list them on standard error
    #[arg(short, long)]
    pub all: bool,

    /// Print or write what could be repaired, even if errors are left; with --all, leave out a value that was cut off
    #[arg(long)]
    pub partial: bool,

    #[command(flatten)]
    pub changes: Changes,

    #[command(flatten)]
    pub common: Common,
}
