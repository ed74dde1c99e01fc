//! `jsonx fmt`.

use std::path::PathBuf;

use clap::Args;

use super::Common;

/// Format JSON: white space changes, and nothing else.
///
/// Numbers, escapes, the order of keys and duplicates stay byte for byte. The default look is that of `jq .`: two
/// spaces, one element a line. A file that is not valid prints nothing on standard output.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  formatted
  2  wrong usage
  3  the input is not JSON
  4  it could not be read or written, or is nested deeper than --max-depth

Examples:
  jsonx fmt data.json
  jsonx fmt -c data.json > data.min.json
  tail -f events.ndjson | jsonx fmt")]
pub struct Fmt {
    /// File to format; `-` is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// No white space at all: each value on one line
    #[arg(short, long, overrides_with_all = ["indent", "tab"])]
    pub compact: bool,

    /// Spaces for each level of nesting; 0 is the same as --compact
    #[arg(long, value_name = "N", default_value_t = 2, overrides_with_all = ["compact", "tab"])]
    pub indent: u8,

    /// One tab for each level of nesting
    #[arg(long, overrides_with_all = ["compact", "indent"])]
    pub tab: bool,

    #[command(flatten)]
    pub common: Common,
}
