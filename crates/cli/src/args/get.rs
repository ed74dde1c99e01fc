//! `jsonx get`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::Common;

/// Print the values that a path leads to.
///
/// The first character of PATH picks its language. `.` begins a dot path: `.servers[0].name`, or `.servers.0.name`,
/// which no shell takes for a pattern; keys with a hyphen need no quotes, a negative index counts from the end, `[]` is
/// every element, `..name` every `name` at any depth. `$` begins JSONPath (RFC 9535), filters and functions included. `/`
/// begins a JSON Pointer (RFC 6901). `docs/paths.md` has all of it, for each shell.
///
/// A path that leads nowhere prints nothing, says on standard error where it stopped, and exits 1; null and false are
/// matches. The whole input is checked: a file before the first byte is printed, a pipe as it comes. Of a key that
/// stands twice in an object the last one counts, with a warning.
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("what").args(["show_type", "length", "keys", "count", "locate", "exists"])),
    after_help = "\
Matches come path by path, those of one path in the order of RFC 9535; only what `..` finds comes in the order of the \
text, as it is found. Each value of a stream, and each line of JSON Lines, is answered by itself.

Exit codes (the highest of several files wins):
  0  every path has a match (null counts), or --default stood in for it
  1  no match
  2  wrong usage, or a bad path
  3  the input is not JSON
  4  it could not be read or written, or is nested deeper than --max-depth

Examples:
  jsonx get .version package.json
  jsonx get -r .dev-dependencies.some-pkg package.json
  jsonx get .servers.-1 config.json
  jsonx get -r -e .name -e .version package.json
  jsonx get --default '\"none\"' .license package.json
  jsonx get --keys -r .dependencies package.json
  jsonx get '$.servers[?@.port > 8000].name' config.json
  jsonx get --with-path '..name' config.json
  jsonx get --locate .servers.0 config.json
  jsonx get /paths/~1users/get openapi.json
  jsonx get -r .user.name < events.ndjson"
)]
pub struct Get {
    /// Which values, for example `.servers[0].name`, `$..name` or `/servers/0/name`
    #[arg(required_unless_present = "paths")]
    pub path: Option<OsString>,

    /// Files to look in; `-` is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Another path; all arguments that are no options are files then
    #[arg(short = 'e', long = "path", value_name = "PATH")]
    pub paths: Vec<OsString>,

    /// Print strings as the text they stand for, without quotes; half of a surrogate pair becomes U+FFFD, with a
    /// warning
    #[arg(short, long)]
    pub raw: bool,

    /// Like --raw, and no newline after each value
    #[arg(short, long)]
    pub join: bool,

    /// Like --raw, and a NUL instead of the newline, for `xargs -0`; a string that holds a NUL is an error
    #[arg(long, conflicts_with = "join")]
    pub raw_output0: bool,

    /// No white space in values: each on one line
    #[arg(short, long, conflicts_with = "source")]
    pub compact: bool,

    /// Print the bytes of the value exactly as they stand in the input
    #[arg(long)]
    pub source: bool,

    /// Before each value its normalized path (RFC 9535) and a tab; values take one line
    #[arg(long)]
    pub with_path: bool,

    /// Before each value the name of its file, as grep has it; that is so with several FILEs. Values take one line
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    pub with_filename: bool,

    /// No names of files, even with several of them
    #[arg(long, overrides_with = "with_filename")]
    pub no_filename: bool,

    /// Instead of values, what they are: object, array, string, number, boolean or null
    #[arg(long = "type")]
    pub show_type: bool,

    /// Instead of values, how long they are: characters (code points) of a string, elements of an array, different
    /// keys of an object; null for what has no length
    #[arg(long)]
    pub length: bool,

    /// Instead of values, their keys, one on each line, each once, in the order of the text; of arrays, the indices
    #[arg(long)]
    pub keys: bool,

    /// Instead of values, how many there are of each path, for each file
    #[arg(long)]
    pub count: bool,

    /// Instead of values, where they begin: FILE:LINE:COLUMN
    #[arg(long)]
    pub locate: bool,

    /// Print nothing: the exit code says whether every path has a match
    #[arg(short = 'q', long)]
    pub exists: bool,

    /// Print this where a path has no match; JSON, or any text with --raw
    #[arg(long, value_name = "VALUE", conflicts_with = "what")]
    pub default: Option<OsString>,

    /// Print the first match of each file only
    #[arg(long, conflicts_with_all = ["limit", "count"])]
    pub first: bool,

    /// Print the first N matches of each file only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "count")]
    pub limit: Option<u64>,

    /// In which order matches come: given (path by path), document (of all paths, as they stand in the text, as they
    /// are found), standard (as given, and what `..` finds in the order of RFC 9535, held until the end of the value)
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "given",
        hide_possible_values = true
    )]
    pub order: Order,

    /// Stop at the answer: what follows it is neither read nor checked. Of a key that stands twice, the first counts
    #[arg(long)]
    pub lazy: bool,

    /// Do not say which path has no match, and where it stopped
    #[arg(short = 's', long)]
    pub no_messages: bool,

    /// Threads for large files [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub common: Common,
}

/// `--order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    Given,
    Document,
    Standard,
}
