//! `jsonx shape`.

use std::ffi::OsString;

use clap::Args;

use super::Common;
use crate::files::Selection;

const LONG_HELP_END: &str = "\
Exit codes:
  0  the paths were printed
  1  PATH has no match
  2  wrong usage, or a bad path
  3  the input is not JSON
  4  it could not be read, or exceeds --max-depth

Examples:
  jsonx shape events.ndjson
  jsonx shape -p .user events.ndjson
  jsonx shape -p '.items[]' order.json
  jsonx shape logs/
  jsonx shape --schema events.ndjson > event.schema.json
  jsonx shape --json events.ndjson.gz | jsonx jq 'select(.count == .of) | .path'";

/// Print the paths of all values, with their frequency, types, range and an example.
///
/// The share says how many of the objects have the key, or how many elements an array has on average. The least and the greatest
/// number are exact; the mean is computed in double precision. All files, and all records of JSON Lines, are counted together. If
/// objects have more than 256 keys, which are then probably names of things, the rest is shown as `.*`. Memory depends on the
/// number of paths: at most 16,384, of up to 256 steps.
#[derive(Debug, Args)]
#[command(after_long_help = LONG_HELP_END)]
pub struct Shape {
    #[command(flatten)]
    pub selection: Selection,

    /// Describe only the values at PATH, and those in them
    ///
    /// A path as in `jsonx get`: `.items[]`, `$..user`.
    #[arg(short, long, value_name = "PATH")]
    pub path: Option<OsString>,

    /// Print an object for each path
    ///
    /// With the path, `count`, the number of values; `of`, the number of objects or arrays that could have one; `types`, each with
    /// its number of values; and `least`, `greatest` and `mean` of numbers, and `example`, the first value that is neither null nor
    /// a container, if there are any. A long string is not used as an example.
    #[arg(long)]
    pub json: bool,

    /// Print a JSON Schema that the values match
    ///
    /// Of draft 2020-12, with `type`, `properties`, `items`, and `required` for keys that all objects have. A number is an integer if
    /// all are, such as 1.0 and 1e2. If an object has more than 256 keys, all of them are `additionalProperties`. Values more
    /// than 100 levels deep are not described.
    #[arg(long, conflicts_with = "json")]
    pub schema: bool,

    /// Report invalid records of JSON Lines as warnings
    ///
    /// Valid records are counted with or without this option.
    #[arg(long, hide_short_help = true)]
    pub skip_invalid: bool,

    #[command(flatten)]
    pub common: Common,
}
