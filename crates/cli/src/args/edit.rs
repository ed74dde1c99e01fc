//! `jsonx set`, `jsonx append`, `jsonx del`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::{Changes, Common};
use crate::files::Selection;

macro_rules! exit_codes {
    ($examples:expr) => {
        concat!(
            "\
Only the bytes of the value change, or of the member and its comma: order, white space, escapes, numbers, line ends and a \
byte-order mark are kept. A new member goes last, laid out like its siblings. If nothing changes, nothing is written.

Exit codes (with several files, the highest one):
  0  done, or nothing to do
  1  no match, or --check or --diff: something would change
  2  wrong usage, a bad path or value, or a value that would change its type
  3  the input is not JSON
  4  a file could not be read or written, or exceeds --max-depth; a comment makes an edit ambiguous

",
            $examples
        )
    };
}

const SET_HELP_END: &str = exit_codes!(
    "\
Examples:
  jsonx set .version 1.2.3 package.json -w
  jsonx set -p .scripts.test 'node --test' package.json -w
  jsonx set .private true package.json
  jsonx set -s .engines.node 20 package.json
  jsonx set .servers.-1.port 8080 config.json --diff
  jsonx set '.users[].active' false users.json -w
  jsonx set .files '[\"dist\", \"README.md\"]' package.json -w
  jsonx set .license MIT packages -w
  jsonx set .seen true < events.ndjson"
);

const APPEND_HELP_END: &str = exit_codes!(
    "\
Examples:
  jsonx append .keywords json package.json -w
  jsonx append -p .files dist package.json -w
  jsonx append --unique .extensions json settings.jsonc -w
  jsonx append .servers '{\"name\": \"c\", \"port\": 82}' config.json"
);

const DEL_HELP_END: &str = exit_codes!(
    "\
Examples:
  jsonx del .scripts.prepare package.json -w
  jsonx del .private .scripts.prepare package.json -w
  jsonx del '..password' users.json
  jsonx del .servers.0 config.json --diff
  jsonx del --with-comments .servers.0 config.json
  jsonx del --missing-ok .private packages -w"
);

/// Set the value at a path, or add it.
///
/// PATH is a dot path, JSONPath or JSON Pointer, as for `jsonx get`; `/a/-` adds to an array. VALUE is JSON if it parses as
/// JSON, otherwise a string. Replacing a string with a number, true, false or null needs -j, and
/// replacing a number or boolean with a string needs -s. A missing last key is added;
/// missing objects and arrays before it are added only with -p. All matches are set; of duplicate keys, the last one, with a
/// warning.
///
/// A single input is printed to standard output. --write replaces each file atomically.
///
/// Guide: `jsonx help editing`.
#[derive(Debug, Args)]
#[command(after_long_help = SET_HELP_END)]
pub struct Set {
    /// The path of the value
    #[arg(value_name = "PATH")]
    pub path: OsString,

    #[command(flatten)]
    pub addition: Addition,
}

/// The arguments of `set` and `append` after the path.
#[derive(Debug, Args)]
pub struct Addition {
    /// The value; with --from, the first FILE
    #[arg(value_name = "VALUE", allow_negative_numbers = true)]
    pub value: Option<OsString>,

    #[command(flatten)]
    pub selection: Selection,

    #[command(flatten)]
    pub kinds: ValueKinds,

    /// Read the value from FILE; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,

    #[command(flatten)]
    pub creates: Creates,

    #[command(flatten)]
    pub output: EditOutput,

    #[command(flatten)]
    pub common: Common,
}

/// Add one value to the end of an array.
///
/// PATH selects the array; -p creates a missing one. VALUE is JSON if it parses as JSON, otherwise a string. In an array that
/// begins with a string, a number, true, false or null needs -j, and in one that begins with a number or boolean, a string needs
/// -s. No other byte changes.
///
/// Guide: `jsonx help editing`.
#[derive(Debug, Args)]
#[command(after_long_help = APPEND_HELP_END)]
pub struct Append {
    /// The array
    #[arg(value_name = "PATH")]
    pub path: OsString,

    /// Append nothing if the array has an equal element
    ///
    /// Numbers are compared exactly, objects in any order.
    #[arg(long)]
    pub unique: bool,

    #[command(flatten)]
    pub addition: Addition,
}

/// Remove values, with their keys and commas.
///
/// Several PATHs may precede the FILEs: all arguments before the first file name or invalid path. Nothing is removed if one of
/// them has no match, except in records where another one matches. All matches of a PATH are removed, including duplicates of
/// a key: removing only one would expose another.
///
/// Guide: `jsonx help editing`.
#[derive(Debug, Args)]
#[command(after_long_help = DEL_HELP_END)]
pub struct Del {
    /// The path to remove; more paths may follow
    #[arg(value_name = "PATH")]
    pub path: OsString,

    #[command(flatten)]
    pub selection: Selection,

    #[command(flatten)]
    pub removes: Removes,

    #[command(flatten)]
    pub output: EditOutput,

    #[command(flatten)]
    pub common: Common,
}

/// The type of a VALUE.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ValueKinds {
    /// Treat VALUE as a string
    #[arg(short, long, conflicts_with = "json")]
    pub string: bool,

    /// Treat VALUE as JSON, even if it replaces a string with another type
    #[arg(short, long)]
    pub json: bool,
}

/// Options for creating values.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Creates {
    /// Create missing objects and arrays on the way
    ///
    /// With --write, also a file that does not exist or is empty. `.a[0].b` and `/a/-/b` create an array and its first element.
    /// `.a.0.b` and `/a/0/b` create an object with the key "0" and cause a warning; `.a["0"].b` does not. `.a.b` is refused if
    /// there is a key "a.b".
    #[arg(short, long, conflicts_with = "existing")]
    pub parents: bool,

    /// Only change existing values
    #[arg(long)]
    pub existing: bool,
}

/// Options for removing values.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Removes {
    /// Also remove the comments directly above a removed value
    ///
    /// Comments inside a value, and after it on its line, are always removed with it. Comments above the first member are the
    /// header of the object, and stay, if an empty line follows them or no other member has comments.
    #[arg(long)]
    pub with_comments: bool,
}

/// The action on the result.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct EditOutput {
    #[command(flatten)]
    pub changes: Changes,

    /// Exit with 0 even if a path has no match
    #[arg(long)]
    pub missing_ok: bool,
}
