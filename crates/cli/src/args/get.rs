//! `jsonx get`.

use std::path::PathBuf;

use clap::Args;

use super::Common;

/// Print the value at a path.
///
/// The first character of PATH picks its language: `.` the dot path (`.servers[0].name`, or `.servers.0.name`), `/`
/// a JSON Pointer (`/servers/0/name`). Keys with a hyphen need no quotes; a negative index counts from the end. A path
/// that leads nowhere prints nothing, says on standard error where it stopped, and exits 1; null is a match. The
/// whole input is checked: a file before the first byte is printed, standard input as it comes.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes (the highest of several files wins):
  0  a match (null counts)
  1  no match
  2  wrong usage, or a bad path
  3  the input is not JSON
  4  it could not be read or written, or is nested deeper than --max-depth

Examples:
  jsonx get .version package.json
  jsonx get -r .dev-dependencies.some-pkg package.json
  jsonx get .servers.-1 config.json
  jsonx get /paths/~1users/get openapi.json
  jsonx get -r .user.name < events.ndjson")]
pub struct Get {
    /// Which value, for example `.servers[0].name` or `/servers/0/name`
    pub path: String,

    /// Files to look in; `-` is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print strings as the text they stand for, without quotes
    #[arg(short, long)]
    pub raw: bool,

    /// Like --raw, and no newline after each value
    #[arg(short, long)]
    pub join: bool,

    /// No white space in values: each on one line
    #[arg(short, long, conflicts_with = "source")]
    pub compact: bool,

    /// Print the bytes of the value exactly as they stand in the input
    #[arg(long)]
    pub source: bool,

    #[command(flatten)]
    pub common: Common,
}
