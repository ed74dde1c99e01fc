//! `jsonx jq`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};

use super::{Changes, Common, Global};
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
Exit codes, as in jq:
  0  success
  1  with -e, the last result is false or null; with --check, a file would change
  2  wrong usage, or the input cannot be read
  3  the program does not compile
  4  with -e, there is no result
  5  an error of the program; halt_error; the input is not JSON: nothing after the error is read

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
    #[arg(short = 'M', long, hide_short_help = true)]
    pub monochrome_output: bool,

    /// Indent by a tab
    #[arg(long, overrides_with_all = ["compact_output", "indent"], hide_short_help = true)]
    pub tab: bool,

    /// Indent by this many spaces, 0 to 7 [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i8).range(-1..=7), allow_negative_numbers = true, overrides_with_all = ["compact_output", "tab"], hide_short_help = true)]
    pub indent: Option<i8>,

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

    /// Read streams of paths and values: [["a",0],1]
    ///
    /// With --stream-errors, an error of the text is a value, too: its message and its path.
    #[arg(long, hide_short_help = true)]
    pub stream: bool,

    /// Like --stream, with errors
    #[arg(long, hide = true)]
    pub stream_errors: bool,

    /// Begin each result with the character RS, as in RFC 7464
    ///
    /// In such an input, text that is not a whole value is ignored up to the next RS, with a warning.
    #[arg(long, hide_short_help = true)]
    pub seq: bool,

    /// Print the file name before each result, except with --slurp; implies one line per result
    #[arg(short = 'H', long, conflicts_with_all = ["csv", "tsv", "table", "markdown", "tally", "seq"], hide_short_help = true)]
    pub with_filename: bool,

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

    /// Whether inputs are read as streams of paths and values.
    pub fn is_streamed(&self) -> bool {
        (self.stream || self.stream_errors) && !self.raw_input
    }

    /// Whether standard input is the only input.
    pub fn reads_stdin(&self) -> bool {
        self.inputs.selection.is_one() && self.inputs.selection.has_stdin()
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
        if self.skip_invalid {
            return Some(
                "--write, --check and --diff change no file with invalid records, so --skip-invalid does not go with them",
            );
        }
        if self.reads_stdin() {
            return None;
        }
        self.changes.usage_error(&self.inputs.selection)
    }
}

/// The program, if it begins with a minus sign: the first word that is neither an option nor the value of one.
pub fn negative_program(arguments: &mut [OsString]) -> Option<&mut OsString> {
    let is_program = |word: &[u8]| matches!(word, [b'-', next, ..] if !next.is_ascii_alphabetic() && *next != b'-');
    let is_any = |words: &[OsString]| words.iter().any(|word| is_program(word.as_encoded_bytes()));
    if !is_any(arguments) {
        return None;
    }
    let mut command = Jq::augment_args(Global::augment_args(clap::Command::new("jq")));
    command.build();
    let values = |argument: &clap::Arg| {
        argument
            .get_num_args()
            .map_or(0, |count| count.max_values())
    };
    let mut words = arguments.iter_mut().skip(2);
    while let Some(word) = words.next() {
        let bytes = word.as_encoded_bytes();
        if is_program(bytes) {
            return Some(word);
        }
        let text = bytes.strip_prefix(b"-").filter(|text| !text.is_empty())?;
        let mut options = command.get_arguments();
        let taken = match text.strip_prefix(b"-") {
            Some(b"") => return None,
            Some(name) => options
                .find(|option| {
                    option
                        .get_long()
                        .is_some_and(|long| long.as_bytes() == name)
                })
                .map_or(0, values),
            // The last letter may have a value.
            None => options
                .find(|option| {
                    option.get_short().map(u32::from) == text.last().map(|&end| end.into())
                })
                .map_or(0, values),
        };
        words.by_ref().take(taken).for_each(drop);
    }
    None
}

/// The files, and the values for the program.
#[derive(Debug, Default)]
pub struct Inputs {
    /// The files.
    pub selection: Selection,
    /// The arguments of the program, and whether each is JSON.
    pub arguments: Vec<(bool, OsString)>,
    /// The variables, in their order.
    pub variables: Vec<NamedArgument>,
}

/// `--arg NAME VALUE` and the like.
#[derive(Debug)]
pub struct NamedArgument {
    pub kind: ArgumentKind,
    pub name: OsString,
    pub value: OsString,
}

/// The kind of a value for the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    Text,
    Json,
    /// A file of any number of values.
    JsonFile,
    TextFile,
}

const ARGS: &str = "args";
const JSON_ARGS: &str = "jsonargs";

/// The options that set variables: their names, the name of their value, and their help.
const NAMED: [(&str, ArgumentKind, &str, &str); 4] = [
    (
        "arg",
        ArgumentKind::Text,
        "VALUE",
        "Set $NAME to a string; see also --argjson",
    ),
    (
        "argjson",
        ArgumentKind::Json,
        "JSON",
        "Set $NAME to a JSON value",
    ),
    (
        "slurpfile",
        ArgumentKind::JsonFile,
        "FILE",
        "Set $NAME to an array of the values in a file",
    ),
    (
        "rawfile",
        ArgumentKind::TextFile,
        "FILE",
        "Set $NAME to the text of a file",
    ),
];

impl Args for Inputs {
    fn augment_args(command: clap::Command) -> clap::Command {
        // They may be repeated: each changes what follows.
        let flag = |name: &'static str, help: &'static str| {
            clap::Arg::new(name)
                .long(name)
                .action(clap::ArgAction::Append)
                .num_args(0)
                .default_missing_value("")
                .hide_short_help(true)
                .help(help)
        };
        let named = NAMED.map(|(name, kind, value, help)| {
            clap::Arg::new(name)
                .long(name)
                .action(clap::ArgAction::Append)
                .num_args(2)
                .display_order(20)
                .value_names(["NAME", value])
                .value_parser(clap::value_parser!(OsString))
                .allow_hyphen_values(true)
                .hide_short_help(kind != ArgumentKind::Text)
                .help(help)
        });
        // In jq, -L is the folder of modules.
        Selection::augment_args(command)
            .mut_arg("follow", |argument| argument.short(None))
            .mut_arg("paths", |argument| argument.allow_negative_numbers(true))
            .args(named)
            .arg(flag(
                ARGS,
                "The arguments that follow are strings, in $ARGS.positional",
            ))
            .arg(flag(
                JSON_ARGS,
                "The arguments that follow are JSON values, in $ARGS.positional",
            ))
            .args_override_self(true)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Inputs::augment_args(command)
    }
}

impl FromArgMatches for Inputs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Inputs, clap::Error> {
        let mut inputs = Inputs {
            selection: Selection::from_arg_matches(matches)?,
            ..Inputs::default()
        };
        let places =
            |name| -> Vec<usize> { matches.indices_of(name).into_iter().flatten().collect() };
        let (text, json) = (places(ARGS), places(JSON_ARGS));
        // The flag nearest before it.
        let before = |flags: &[usize], at: usize| flags.iter().copied().rfind(|flag| *flag < at);
        let paths = std::mem::take(&mut inputs.selection.paths);
        for (at, path) in places("paths").into_iter().zip(paths) {
            match (before(&text, at), before(&json, at)) {
                (None, None) => inputs.selection.paths.push(path),
                (text, json) => inputs.arguments.push((json > text, path.into_os_string())),
            }
        }
        let mut variables = Vec::new();
        for (option, kind, ..) in NAMED {
            let mut values = matches
                .get_many::<OsString>(option)
                .into_iter()
                .flatten()
                .cloned();
            let mut places = places(option).into_iter();
            while let (Some(name), Some(value), Some(at)) =
                (values.next(), values.next(), places.next())
            {
                places.next();
                variables.push((at, NamedArgument { kind, name, value }));
            }
        }
        variables.sort_by_key(|(at, _)| *at);
        inputs.variables = variables
            .into_iter()
            .map(|(_, variable)| variable)
            .collect();
        Ok(inputs)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Inputs::from_arg_matches(matches)?;
        Ok(())
    }
}
