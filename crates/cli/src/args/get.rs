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

In directories, a file without a match is no error, unless no file there has one.

Examples:
  jsonx get .version package.json
  jsonx get -r .dev-dependencies.some-pkg package.json
  jsonx get .servers.-1 config.json
  jsonx get -r -e .name -e .version package.json
  jsonx get --default '\"none\"' .license package.json
  jsonx get --keys -r .dependencies package.json
  jsonx get '$.servers[?@.port > 8000].name' config.json
  jsonx get '.servers[]' --columns .name,.port --csv config.json
  jsonx get --with-path '..name' config.json
  jsonx get .name . -g 'package.json'
  jsonx get . --where '.user.name == \"a\"' events.ndjson
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
    group(ArgGroup::new("what").args(["show_type", "length", "keys", "count", "locate", "exists", "tally"])),
    group(ArgGroup::new("rows").args(["columns", "tally"]).multiple(true)),
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

    /// Print only matches for which FILTER is true
    ///
    /// FILTER is a condition of JSONPath (RFC 9535): `@` is the match, `$` its document, and a leading `.a` is short for `@.a`. Its
    /// paths are dot paths; of several values, any may fulfill the condition: `.tags[] == "x"`. `^` and key() are those of --columns. If
    /// the option is repeated, all filters must be true. In JSON Lines and streams, each record is a document, so PATH `.` selects
    /// records: `jsonx get . --where '.level == "error" && .status >= 500' app.jsonl`. isearch() and imatch() are search() and match()
    /// ignoring case. --default can be combined with --where only if --columns is given.
    #[arg(long = "where", value_name = "FILTER", allow_hyphen_values = true)]
    pub filters: Vec<OsString>,

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

    /// Print one row per match: the values at these paths, as TSV
    ///
    /// COLUMNS is a comma-separated list of PATH or NAME=PATH; the option may be repeated. The default NAME is the last key of
    /// PATH. `^.a` begins one level above the match, `^^.a` two. `key(.)` is the key or index of the match, `key(^)` that of the
    /// value above it. `*` is a column for each key of the matches, in the order in which the keys come first; the file is read
    /// twice. The output is TSV, on a terminal a table. A cell without a value is empty, or the --default; null is empty too,
    /// except with --json. Objects and arrays are minified. If a path selects several values, they are joined by `;`, and are
    /// an array in JSON. A column without a value in any row causes a warning, unless there is a --default.
    #[arg(
        long,
        value_name = "COLUMNS",
        conflicts_with_all = ["what", "join", "raw_output0", "source", "with_path"]
    )]
    pub columns: Vec<String>,

    /// Rows as tab-separated values
    ///
    /// Tabs, line breaks and backslashes in a cell are escaped with a backslash, as in jq.
    #[arg(long, requires = "rows", group = "form", hide_short_help = true)]
    pub tsv: bool,

    /// Rows as comma-separated values, quoted by RFC 4180, with a header
    #[arg(long, requires = "rows", group = "form")]
    pub csv: bool,

    /// Rows as JSON objects, one per line
    ///
    /// The keys are the column names.
    #[arg(long, requires = "rows", group = "form")]
    pub json: bool,

    /// Rows as an aligned table with a header
    ///
    /// The first 1 MiB decides how wide the columns are.
    #[arg(long, requires = "rows", group = "form", hide_short_help = true)]
    pub table: bool,

    /// Rows as a table in Markdown (GFM)
    #[arg(long, requires = "rows", group = "form", hide_short_help = true)]
    pub markdown: bool,

    /// Print a first row with the column names, as --csv, --table and --markdown do
    #[arg(
        long,
        requires = "rows",
        conflicts_with = "json",
        overrides_with = "no_header",
        hide_short_help = true
    )]
    pub header: bool,

    /// Print no row with the column names
    #[arg(
        long,
        requires = "rows",
        overrides_with = "header",
        conflicts_with = "markdown",
        hide_short_help = true
    )]
    pub no_header: bool,

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
    ///
    /// With --columns, it is the first column, `file`, and only with this option.
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

    /// Print the type of each value
    ///
    /// object, array, string, number, boolean or null.
    #[arg(long = "type", hide_short_help = true)]
    pub show_type: bool,

    /// Print the length of each value
    ///
    /// Code points of a string, elements of an array, distinct keys of an object; null for values without a length.
    #[arg(long, hide_short_help = true)]
    pub length: bool,

    /// Print the keys of objects and the indices of arrays, one per line
    ///
    /// Each key once, in document order.
    #[arg(long, hide_short_help = true)]
    pub keys: bool,

    /// Print the number of matches per path and file
    #[arg(long)]
    pub count: bool,

    /// Print where each value begins: FILE:LINE:COLUMN
    #[arg(long, hide_short_help = true)]
    pub locate: bool,

    /// Print no values; the exit code shows whether every path has a match
    #[arg(long, hide_short_help = true)]
    pub exists: bool,

    /// Print each distinct value and how often it matches, most frequent first
    ///
    /// Prints one count and value per line, over all files together; with --raw, strings without quotes; or rows (--header,
    /// --csv, --json). Values are compared as in filters: 1 equals 1.0, and the order of members does not matter. Needs memory for the
    /// distinct values, of which there may be 16,777,216.
    #[arg(
        long,
        conflicts_with_all = ["join", "raw_output0", "source", "with_path", "with_filename", "limit"]
    )]
    pub tally: bool,

    /// Print VALUE if a path has no match
    ///
    /// VALUE is JSON, or with --raw or --columns any text.
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
