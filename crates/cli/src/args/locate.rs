//! `jsonx locate`.

use std::ffi::OsString;

use clap::Args;

use super::Common;

/// Print the path of the value at a position, the inverse of `get --locate`
///
/// A position is FILE:LINE:COLUMN, as in the messages of jsonx and of compilers: lines and columns count from 1, columns in
/// code points. FILE:LINE is the position of the first token on the line. At a key, the path of its member is printed; at a
/// comma, a colon, a bracket or white space, the path of the enclosing container. In a stream of values or JSON Lines, the path
/// is relative to the value at that position.
///
/// Guide: `jsonx help paths`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit codes:
  0  the path was printed
  1  no value there: white space around the value, or a position after the end
  2  wrong usage
  3  the input is not JSON
  4  it could not be read or written, or exceeds --max-depth

Examples:
  jsonx locate config.json:4:14
  jsonx locate config.json:4
  jsonx locate --offset 20 config.json
  jsonx locate --jsonpath config.json:4:14
  jsonx locate -:4:14 < config.json")]
pub struct Locate {
    /// The position; with --offset, only FILE. `-` is standard input
    #[arg(value_name = "FILE:LINE:COL", allow_hyphen_values = true)]
    pub place: OsString,

    /// The position as a byte offset from 0, instead of line and column
    #[arg(long, value_name = "N")]
    pub offset: Option<u64>,

    /// Print a dot path, for `jsonx get` (the default)
    #[arg(long, group = "notation")]
    pub dot: bool,

    /// Print a normalized JSONPath (RFC 9535)
    #[arg(long, group = "notation")]
    pub jsonpath: bool,

    /// Print a JSON Pointer (RFC 6901)
    #[arg(long, group = "notation")]
    pub pointer: bool,

    #[command(flatten)]
    pub common: Common,
}
