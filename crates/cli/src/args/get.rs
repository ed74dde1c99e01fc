//! `jsonx get`.

use std::ffi::OsString;

use clap::{ArgGroup, Args};

use super::Common;
use crate::files::Selection;

const LONG_HELP_END: &str = "\
Matches are printed path by path, in the order of RFC 9535, except that those of `..` are printed in document order.

Exit codes (with several files, the highest one):
  0  every path has a match (null counts), or a --default
  1  no match
  2  wrong usage, or a bad path
  3  the input is not JSON
  4  it could not be read or written, or exceeds --max-depth

In directories, a file without a match is not an error, unless no file there has one.

Examples:
  jsonx get .version package.json
  jsonx get -r .dev-dependencies.some-pkg package.json
  jsonx get .servers.-1 config.json
  jsonx get -r -e .name -e .version package.json
  jsonx get --default '\"none\"' .license package.json
  jsonx get '$.servers[?@.port > 8000].name' config.json
  jsonx get --with-path '..name' config.json
  jsonx get .name . -g 'package.json'
  jsonx get --locate .servers.0 config.json
  jsonx get /paths/~1users/get openapi.json
  jsonx get -r .user.name < events.ndjson";

/// Print the values that a path selects.
///
/// The first character of PATH selects its language. `.` begins a dot path: `.servers[0].name`, or `.servers.0.name`, which
/// needs no quotes in a shell; keys may contain hyphens, a negative index counts from the end, `[]` is every element, `..name`
/// is every `name` at any depth. `$` begins a JSONPath (RFC 9535), including filters and functions. `/` begins a JSON Pointer
/// (RFC 6901). Guide: `jsonx help paths`.
///
/// If a path has no match, the message shows where it stopped, and the exit code is 1; null and false are matches. The whole
/// input is validated: a file before the first byte is printed; a pipe as it arrives, and a file of 64 MiB or more unless the
/// output goes to a file, as by `> FILE`. Of duplicate keys, the last one counts, with a warning.
///
/// Each record of JSON Lines is searched separately, and invalid records are reported. This applies to any input with one value
/// per line, whatever its name. Empty input is an error.
#[derive(Debug, Default, Args)]
#[command(
    group(ArgGroup::new("what").args(["count", "locate"])),
    after_long_help = LONG_HELP_END
)]
pub struct Get {
    /// The path, for example `.servers[0].name`, `$..name` or `/servers/0/name`
    #[arg(required_unless_present = "option_paths")]
    pub path: Option<OsString>,

    #[command(flatten)]
    pub selection: Selection,

    /// A path; may be repeated. All positional arguments are then FILEs
    #[arg(short = 'e', long = "path", value_name = "PATH")]
    pub option_paths: Vec<OsString>,

    /// Print strings without quotes and escapes
    ///
    /// A lone surrogate becomes U+FFFD, with a warning.
    #[arg(short, long)]
    pub raw: bool,

    /// Like --raw, without a newline after each value
    #[arg(short, long, hide_short_help = true)]
    pub join: bool,

    /// Like --raw, with a NUL instead of a newline after each value, for `xargs -0`
    ///
    /// A string that contains a NUL is an error.
    #[arg(long, conflicts_with = "join", hide_short_help = true)]
    pub raw_output0: bool,

    /// Print each value minified, on one line
    #[arg(short, long, conflicts_with = "source")]
    pub compact: bool,

    /// Print the exact bytes of each value
    #[arg(long, hide_short_help = true)]
    pub source: bool,

    /// Print the path of each value and a tab before the value
    ///
    /// The path is in the language of PATH. Each value is printed on one line.
    #[arg(long)]
    pub with_path: bool,

    /// Print the file name before each value (the default with several files); implies one line per value
    #[arg(
        short = 'H',
        long,
        overrides_with = "no_filename",
        hide_short_help = true
    )]
    pub with_filename: bool,

    /// Never print file names
    #[arg(long, overrides_with = "with_filename", hide_short_help = true)]
    pub no_filename: bool,

    /// Print the number of matches per path and file
    #[arg(long)]
    pub count: bool,

    /// Print where each value begins: FILE:LINE:COLUMN
    #[arg(long, hide_short_help = true)]
    pub locate: bool,

    /// Print VALUE if a path has no match
    ///
    /// VALUE is JSON, or with --raw any text.
    #[arg(
        long,
        value_name = "VALUE",
        allow_hyphen_values = true,
        conflicts_with = "what",
        hide_short_help = true
    )]
    pub default: Option<OsString>,

    /// Print only the first N matches of each file; the rest is checked, too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "count")]
    pub limit: Option<u64>,

    /// Report invalid records of JSON Lines as warnings
    ///
    /// Invalid records then do not affect the exit code, which is 3 only if no record is valid. Valid records are searched with
    /// or without this option.
    #[arg(long, hide_short_help = true)]
    pub skip_invalid: bool,

    #[command(flatten)]
    pub common: Common,
}
