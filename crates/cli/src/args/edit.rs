//! `jsonx set`, `jsonx append`, `jsonx del`, `jsonx edit`.

use jsonx_core::order::sort_by_place;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, ArgMatches, Args, FromArgMatches};

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
  1  no match, a failed --test, or --check or --diff: something would change
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

const EDIT_HELP_END: &str = exit_codes!(
    "\
Examples:
  jsonx edit --set .version 2.0.0 --del .private package.json -w
  jsonx edit --test .version '\"1.0.0\"' --set .version 1.1.0 package.json -w
  jsonx edit --move .old .new --append .tags new config.json
  jsonx edit --insert .servers.0 '{\"name\": \"first\"}' config.json"
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

    /// Leave an array alone that has an equal element
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

/// Make several edits, in order, in one write.
///
/// Each operation applies to the result of those before it. If one fails, the message names it, and no file is written. Records
/// of JSON Lines from a pipe are printed as they arrive, so those before a failure are printed.
///
/// Guide: `jsonx help editing`.
#[derive(Debug, Args)]
#[command(
    after_long_help = EDIT_HELP_END,
    // Hidden in the short help to make room for the operations.
    mut_arg("glob", |arg| arg.hide_short_help(true)),
    mut_arg("hidden", |arg| arg.hide_short_help(true)),
    mut_arg("with_comments", |arg| arg.hide_short_help(true)),
)]
pub struct Edit {
    #[command(flatten)]
    pub operations: Operations,

    #[command(flatten)]
    pub selection: Selection,

    #[command(flatten)]
    pub creates: Creates,

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
    /// `.a[0].b` and `/a/-/b` create an array and its first element. `.a.0.b` and `/a/0/b` create an object with the key "0"
    /// and cause a warning; `.a["0"].b` does not.
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

/// The operations of `edit`, in the given order.
#[derive(Debug, Default)]
pub struct Operations(pub Vec<Operation>);

/// One operation: its option, and its one or two arguments.
#[derive(Clone, Debug)]
pub struct Operation {
    pub name: &'static str,
    pub arguments: Vec<OsString>,
    /// The type of its VALUE.
    pub kinds: ValueKinds,
}

/// The options for the VALUEs of `edit`.
const KINDS: [(&str, char, &str, &str); 2] = [
    (
        "string",
        's',
        "Treat VALUE as a string",
        "Treat VALUE as a string, in every operation; if -j is given too, in those between -s and -j",
    ),
    (
        "json",
        'j',
        "Treat VALUE as JSON, even if it replaces a string with another type",
        "Treat VALUE as JSON, even if it replaces a string with another type, in every operation; if -s is given too, in \
         those between -j and -s",
    ),
];

const OPERATIONS: [(&str, &[&str], &str); 7] = [
    ("set", &["PATH", "VALUE"], "Set a value"),
    (
        "append",
        &["PATH", "VALUE"],
        "Add a value to the end of an array",
    ),
    (
        "insert",
        &["PATH", "VALUE"],
        "Add a value before the element at an index, or as a member",
    ),
    ("del", &["PATH"], "Remove values"),
    (
        "move",
        &["FROM", "TO"],
        "Move a value; if FROM may have many matches, TO is their new key, as in `.items[].old .new`",
    ),
    ("copy", &["FROM", "TO"], "Copy a value"),
    (
        "test",
        &["PATH", "VALUE"],
        "Fail unless the value is equal; numbers are compared exactly",
    ),
];

impl Args for Operations {
    fn augment_args(command: clap::Command) -> clap::Command {
        let command = KINDS
            .iter()
            .fold(command, |command, (name, short, help, long)| {
                command.arg(
                    clap::Arg::new(*name)
                        .long(*name)
                        .short(*short)
                        // Each occurrence counts, with its position.
                        .num_args(0)
                        .default_missing_value("true")
                        .value_parser(clap::value_parser!(bool))
                        .action(ArgAction::Append)
                        .help(*help)
                        .long_help(*long),
                )
            });
        OPERATIONS
            .iter()
            .fold(command, |command, (name, values, help)| {
                command.arg(
                    clap::Arg::new(*name)
                        .long(*name)
                        .value_names(values.iter().copied())
                        .num_args(values.len())
                        .value_parser(clap::value_parser!(OsString))
                        .action(ArgAction::Append)
                        .allow_negative_numbers(true)
                        .help_heading("Operations")
                        .help(*help),
                )
            })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Operations {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let places = |name| matches.indices_of(name).into_iter().flatten();
        let strings = places("string").map(|at| (at, true));
        let mut switches: Vec<(usize, bool)> = strings
            .chain(places("json").map(|at| (at, false)))
            .collect();
        switches.sort_unstable();
        let are_same = switches.windows(2).all(|two| two[0].1 == two[1].1);
        let kinds = |at: usize| {
            let mut last_first = switches.iter().rev();
            let switch = last_first.find(|(switch, _)| are_same || *switch < at);
            let string = switch.map(|(_, is_string)| *is_string);
            ValueKinds {
                string: string == Some(true),
                json: string == Some(false),
            }
        };
        let mut found = Vec::new();
        for (name, values, _) in OPERATIONS {
            let (Some(texts), Some(indices)) =
                (matches.get_many::<OsString>(name), matches.indices_of(name))
            else {
                continue;
            };
            let (texts, indices): (Vec<_>, Vec<_>) = (texts.collect(), indices.collect());
            let each = texts.chunks(values.len()).zip(indices.chunks(values.len()));
            found.extend(each.map(|(arguments, at)| {
                let arguments = arguments.iter().map(|text| (*text).clone()).collect();
                let operation = Operation {
                    name,
                    arguments,
                    kinds: kinds(at[0]),
                };
                (at[0], operation)
            }));
        }
        sort_by_place(&mut found, |(at, _)| (*at, 0));
        Ok(Operations(found.into_iter().map(|(_, one)| one).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
