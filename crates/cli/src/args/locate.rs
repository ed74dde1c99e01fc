//! `jsonx locate`.

use std::ffi::OsString;

use clap::Args;

use super::Common;

/// Print the path of what stands at a place: the way back from `jsonx get --locate`, an editor or a log line.
///
/// A place is FILE:LINE:COLUMN, as in the messages of jsonx and of compilers: lines and columns count from 1, columns are
/// characters (code points). FILE:LINE is the first thing on that line. At a key, the path is that of its member; at a
/// comma, a colon, a bracket or white space, that of the container around it. In a stream of values, or JSON Lines, the
/// path is one into the value at that place.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  the path was printed
  1  nothing stands there: white space around the value, or the place is behind the end
  2  wrong usage
  3  the input is not JSON
  4  it could not be read or written, or is nested deeper than --max-depth

Examples:
  jsonx locate config.json:4:14
  jsonx locate config.json:4
  jsonx locate --offset 20 config.json
  jsonx locate --jsonpath config.json:4:14
  jsonx locate -:4:14 < config.json")]
pub struct Locate {
    /// The place; with --offset, the file alone. `-` is standard input
    #[arg(value_name = "FILE:LINE:COL", allow_hyphen_values = true)]
    pub place: OsString,

    /// The place in bytes, from 0, instead of line and column
    #[arg(long, value_name = "N")]
    pub offset: Option<u64>,

    /// As a dot path, for `jsonx get`: this is the default
    #[arg(long, group = "dialect")]
    pub dot: bool,

    /// As a normalized path of JSONPath (RFC 9535)
    #[arg(long, group = "dialect")]
    pub jsonpath: bool,

    /// As a JSON Pointer (RFC 6901)
    #[arg(long, group = "dialect")]
    pub pointer: bool,

    #[command(flatten)]
    pub common: Common,
}
