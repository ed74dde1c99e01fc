//! `jsonx jq`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};

use super::{Changes, Common};
use crate::changes::Action;
use crate::files::Selection;
use crate::output::Form;

/// Run a program in jq's language.
///
/// The language, options and exit codes are those of jq 1.8; `alias jq='jsonx jq'` runs scripts unchanged, and so does a link named
/// `jq` to this program. Input may also be JSON with comments, JSON5, JSON Lines with invalid records, compressed, or in
/// directories. Unmodified numbers keep their digits. Errors show their position in the program and in the input.
///
/// With -w, the result replaces each file, keeping every unchanged byte, including comments.
///
/// Guide: `jsonx help programs`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit codes, as of jq:
  0  success
  1  with -e, the last result is false or null; with --check, a file would change
  2  wrong usage, or the input is not JSON or cannot be read
  3  the program does not compile
  4  with -e, there is no result
  5  an error of the program; halt_error

Examples:
  jsonx jq '.users[] | select(.age > 30) | .name' users.json
  jsonx jq -r '.[] | [.id, .name] | @csv' rows.json
  jsonx jq -c 'group_by(.city) | map({city: .[0].city, n: length})' people.json
  jsonx jq -w '.version = \"1.2.0\"' package.json
  jsonx jq -n 'reduce inputs as $x (0; . + $x.bytes)' access.jsonl")]
pub struct Jq {
    /// The program; with -f, a file that contains it
    #[arg(value_name = "PROGRAM")]
    pub program: Option<OsString>,

    #[command(flatten)]
    pub inputs: Inputs,

    /// Run once, with null as the input; `input` and `inputs` read values
    #[arg(short, long)]
    pub null_input: bool,

    /// Read each line as a string
    #[arg(short = 'R', long, hide_short_help = true)]
    pub raw_input: bool,

    /// Run once, with an array of all inputs
    #[arg(short, long)]
    pub slurp: bool,

    /// Print each result on one line
    #[arg(short, long, overrides_with_all = ["tab", "indent"])]
    pub compact_output: bool,

    /// Print strings without quotes
    #[arg(short, long)]
    pub raw_output: bool,

    /// Like -r, without a line feed after each result
    #[arg(short, long, hide_short_help = true)]
    pub join_output: bool,

    /// Like -r, with NUL after each result
    #[arg(long, hide_short_help = true)]
    pub raw_output0: bool,

    /// Escape all characters that are not ASCII
    #[arg(short, long, hide_short_help = true)]
    pub ascii_output: bool,

    /// Sort the keys of objects
    #[arg(short = 'S', long, hide_short_help = true)]
    pub sort_keys: bool,

    /// Color the output
    #[arg(short = 'C', long, hide_short_help = true)]
    pub color_output: bool,

    /// Do not color the output
    #[arg(
        short = 'M',
        long,
        conflicts_with = "color_output",
        hide_short_help = true
    )]
    pub monochrome_output: bool,

    /// Indent by a tab
    #[arg(long, overrides_with_all = ["compact_output", "indent"], hide_short_help = true)]
    pub tab: bool,

    /// Indent by this many spaces, 0 to 7; 0 is -c [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=7), overrides_with_all = ["compact_output", "tab"], hide_short_help = true)]
    pub indent: Option<u8>,

    /// Set the exit code by the last result
    #[arg(short, long, hide_short_help = true)]
    pub exit_status: bool,

    /// Read the program from the file that PROGRAM names
    #[arg(short, long, hide_short_help = true)]
    pub from_file: bool,

    /// Search this folder for modules
    #[arg(
        short = 'L',
        long = "library-path",
        value_name = "DIR",
        hide_short_help = true
    )]
    pub module_folders: Vec<PathBuf>,

    /// Set $NAME to a string
    #[arg(long, value_names = ["NAME", "VALUE"], num_args = 2, allow_hyphen_values = true)]
    pub arg: Vec<String>,

    /// Set $NAME to a JSON value
    #[arg(long, value_names = ["NAME", "JSON"], num_args = 2, allow_hyphen_values = true)]
    pub argjson: Vec<String>,

    /// Set $NAME to an array of the values in a file
    #[arg(long, value_names = ["NAME", "FILE"], num_args = 2, hide_short_help = true)]
    pub slurpfile: Vec<OsString>,

    /// Set $NAME to the text of a file
    #[arg(long, value_names = ["NAME", "FILE"], num_args = 2, hide_short_help = true)]
    pub rawfile: Vec<OsString>,

    /// Read streams of paths and values: [["a",0],1]
    #[arg(long, hide_short_help = true)]
    pub stream: bool,

    /// Like --stream
    #[arg(long, hide = true)]
    pub stream_errors: bool,

    /// Begin each result with the character RS, as in RFC 7464
    #[arg(long, hide_short_help = true)]
    pub seq: bool,

    /// Flush the output after each result
    #[arg(long, hide_short_help = true)]
    pub unbuffered: bool,

    /// Accepted for compatibility
    #[arg(short, long, hide = true)]
    pub binary: bool,

    /// Print results as CSV; see also --tsv, --table, --markdown
    #[arg(long, conflicts_with_all = VALUE_OPTIONS)]
    pub csv: bool,

    /// Print results as rows with tabs between the cells
    #[arg(long, conflicts_with_all = VALUE_OPTIONS, conflicts_with = "csv", hide_short_help = true)]
    pub tsv: bool,

    /// Print results as the rows of an aligned table
    #[arg(long, conflicts_with_all = VALUE_OPTIONS, conflicts_with_all = ["csv", "tsv"], hide_short_help = true)]
    pub table: bool,

    /// Print results as the rows of a table in Markdown
    #[arg(long, conflicts_with_all = VALUE_OPTIONS, conflicts_with_all = ["csv", "tsv", "table"], hide_short_help = true)]
    pub markdown: bool,

    /// Print no header
    #[arg(long, hide_short_help = true)]
    pub no_header: bool,

    /// Count equal results, and print the most frequent first
    #[arg(long, conflicts_with_all = ["join_output", "raw_output0", "seq", "tab", "indent", "sort_keys", "exit_status"])]
    pub tally: bool,

    /// Print only the N most frequent results
    #[arg(long, value_name = "N", requires = "tally", hide_short_help = true)]
    pub limit: Option<usize>,

    /// Report invalid records of JSON Lines as warnings
    #[arg(long)]
    pub skip_invalid: bool,

    #[command(flatten)]
    pub changes: Changes,

    #[command(flatten)]
    pub common: Common,
}

/// Options for the text of values, which rows do not have. An alias of `jq` may have -c and -r.
const VALUE_OPTIONS: [&str; 6] = [
    "join_output",
    "raw_output0",
    "ascii_output",
    "tab",
    "indent",
    "seq",
];

impl Jq {
    /// The format of rows, if they are printed.
    pub fn row_form(&self) -> Option<Form> {
        [
            (self.csv, Form::Csv),
            (self.tsv, Form::Tsv),
            (self.table, Form::Table),
            (self.markdown, Form::Markdown),
        ]
        .into_iter()
        .find_map(|(is_set, form)| is_set.then_some(form))
    }

    /// The reason why these options cannot be used together, if any.
    pub fn usage_error(&self) -> Option<&'static str> {
        if self.no_header && self.row_form().is_none() {
            return Some("--no-header goes with --csv, --tsv, --table or --markdown");
        }
        if self.changes.action() == Action::Print {
            return None;
        }
        if self.row_form().is_some() || self.tally {
            return Some("--write, --check and --diff change files, and print no rows or counts");
        }
        if self.null_input || self.raw_input || self.slurp || self.stream {
            return Some(
                "--write, --check and --diff replace each value by a result, so -n, -R, -s and --stream do not go with them",
            );
        }
        let prints_text = self.raw_output || self.join_output || self.raw_output0 || self.seq;
        let has_layout = self.compact_output || self.tab || self.indent.is_some();
        if prints_text || has_layout || self.ascii_output || self.sort_keys {
            return Some(
                "--write, --check and --diff keep the layout of the file, so -r, -j, --raw-output0, --seq, -c, --tab, --indent, -a and -S do not go with them; `jsonx fmt` changes the layout and sorts keys",
            );
        }
        if self.inputs.selection.is_empty() {
            return Some("--write, --check and --diff need a FILE");
        }
        self.changes.usage_error(&self.inputs.selection)
    }
}

/// The files, and the arguments after --args and --jsonargs.
#[derive(Debug, Default)]
pub struct Inputs {
    /// The files.
    pub selection: Selection,
    /// The arguments of the program, and whether each is JSON.
    pub arguments: Vec<(bool, OsString)>,
}

const ARGS: &str = "args";
const JSON_ARGS: &str = "jsonargs";

impl Args for Inputs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let flag = |name: &'static str, help: &'static str| {
            clap::Arg::new(name)
                .long(name)
                .action(clap::ArgAction::SetTrue)
                .hide_short_help(true)
                .help(help)
        };
        // In jq, -L is the folder of modules.
        Selection::augment_args(command)
            .mut_arg("follow", |argument| argument.short(None))
            .arg(flag(
                ARGS,
                "The arguments that follow are strings, in $ARGS.positional",
            ))
            .arg(flag(
                JSON_ARGS,
                "The arguments that follow are JSON values, in $ARGS.positional",
            ))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Inputs::augment_args(command)
    }
}

impl FromArgMatches for Inputs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Inputs, clap::Error> {
        let mut inputs = Inputs {
            selection: Selection::from_arg_matches(matches)?,
            arguments: Vec::new(),
        };
        let place = |name| {
            matches
                .get_flag(name)
                .then(|| matches.index_of(name))
                .flatten()
        };
        let (text, json) = (place(ARGS), place(JSON_ARGS));
        let places: Vec<usize> = matches.indices_of("paths").into_iter().flatten().collect();
        let mut places = places.into_iter();
        let (arguments, files) = std::mem::take(&mut inputs.selection.paths)
            .into_iter()
            .map(|path| (places.next().unwrap_or_default(), path))
            .partition::<Vec<_>, _>(|(at, _)| text.into_iter().chain(json).any(|flag| flag < *at));
        inputs.selection.paths = files.into_iter().map(|(_, path)| path).collect();
        inputs.arguments = arguments
            .into_iter()
            .map(|(at, path)| {
                // The flag nearest before it.
                let before = |flag: Option<usize>| flag.filter(|flag| *flag < at);
                (before(json) > before(text), path.into_os_string())
            })
            .collect();
        Ok(inputs)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Inputs::from_arg_matches(matches)?;
        Ok(())
    }
}
