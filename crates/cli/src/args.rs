//! What may be typed, and the help texts.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXIT_CODES: &str = "\
Exit codes (the highest of several files wins):
  0  yes, or done: all valid, formatted, at least one match (null counts)
  1  a clean no: something is invalid (validate), nothing matches (get)
  2  could not start: wrong usage, a bad path expression
  3  the input is not JSON (fmt, get)
  4  something could not be read or written, or a limit was reached";

const ENVIRONMENT: &str = "\
Environment:
  JSONX_KERNEL    the instructions to use; `jsonx --version --verbose` names them
  NO_COLOR, CLICOLOR_FORCE, TERM=dumb    as elsewhere";

/// Check, format and query JSON, exactly and fast.
///
/// Data goes to standard output, messages to standard error. Without FILE, or with `-`, standard input is read.
#[derive(Debug, Parser)]
#[command(
    name = "jsonx",
    styles = STYLES,
    disable_version_flag = true,
    disable_help_subcommand = true,
    after_help = EXIT_CODES,
    after_long_help = long_help_end(),
)]
pub struct Cli {
    /// Print the version; with --verbose, also the kernel in use
    #[arg(short = 'V', long)]
    pub version: bool,

    /// Say more
    #[arg(short, long, requires = "version")]
    pub verbose: bool,

    #[command(subcommand)]
    pub command: Option<Command>,
}

fn long_help_end() -> String {
    format!("{EXIT_CODES}\n\n{ENVIRONMENT}")
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Validate(Validate),
    Fmt(Fmt),
    Get(Get),
    Explain(Explain),
}

/// Check that files are valid JSON (RFC 8259, in UTF-8).
///
/// Silent when everything is valid. Otherwise every error of every file is printed on standard output: what is wrong,
/// where to edit, and what to type instead. `jsonx explain CODE` says more about the code of a finding. Of a file of
/// more than 256 MB, and a pipe of more than 4 MB, the first error is shown, without its cause.
#[derive(Debug, Args)]
#[command(
    alias = "check",
    after_help = "\
Exit codes:
  0  all valid
  1  something is invalid
  2  wrong usage
  4  a file could not be read, or is nested deeper than --max-depth

Examples:
  jsonx validate package.json tsconfig.json
  curl -s https://example.com/data | jsonx validate
  jsonx validate --input stream events.log
  jsonx validate --reporter json data.json"
)]
pub struct Validate {
    /// Files to check; `-` is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How findings are printed: human (with source lines), concise (one line each), json (one record each, one for
    /// each file, one at the end)
    #[arg(
        long,
        value_name = "NAME",
        default_value = "human",
        hide_possible_values = true
    )]
    pub reporter: Reporter,

    #[command(flatten)]
    pub common: Common,
}

/// Format JSON: white space changes, and nothing else.
///
/// Numbers, escapes, the order of keys and duplicates stay byte for byte. The default look is that of `jq .`: two
/// spaces, one element a line. A file that is not valid prints nothing on standard output.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  formatted
  2  wrong usage
  3  the input is not JSON
  4  it could not be read or written, or is nested deeper than --max-depth

Examples:
  jsonx fmt data.json
  jsonx fmt -c data.json > data.min.json
  tail -f events.ndjson | jsonx fmt")]
pub struct Fmt {
    /// File to format; `-` is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// No white space at all: each value on one line
    #[arg(short, long, overrides_with_all = ["indent", "tab"])]
    pub compact: bool,

    /// Spaces for each level of nesting; 0 is the same as --compact
    #[arg(long, value_name = "N", default_value_t = 2, overrides_with_all = ["compact", "tab"])]
    pub indent: u8,

    /// One tab for each level of nesting
    #[arg(long, overrides_with_all = ["compact", "indent"])]
    pub tab: bool,

    #[command(flatten)]
    pub common: Common,
}

/// Print the value at a path.
///
/// The first character of PATH picks its language: `.` the dot path (`.servers[0].name`, or `.servers.0.name`), `/`
/// a JSON Pointer (`/servers/0/name`). Keys with a hyphen need no quotes; a negative index counts from the end. A path
/// that leads nowhere prints nothing, says on standard error where it stopped, and exits 1; null is a match. The
/// whole input is checked: a file before the first byte is printed, standard input as it comes.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes (the highest of several files wins):
  0  a match (null counts)
  1  no match
  2  wrong usage, or a bad path
  3  the input is not JSON
  4  it could not be read or written, or is nested deeper than --max-depth

Examples:
  jsonx get .version package.json
  jsonx get -r .dev-dependencies.some-pkg package.json
  jsonx get .servers.-1 config.json
  jsonx get /paths/~1users/get openapi.json
  jsonx get -r .user.name < events.ndjson")]
pub struct Get {
    /// Which value, for example `.servers[0].name` or `/servers/0/name`
    pub path: String,

    /// Files to look in; `-` is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print strings as the text they stand for, without quotes
    #[arg(short, long)]
    pub raw: bool,

    /// Like --raw, and no newline after each value
    #[arg(short, long)]
    pub join: bool,

    /// No white space in values: each on one line
    #[arg(short, long, conflicts_with = "source")]
    pub compact: bool,

    /// Print the bytes of the value exactly as they stand in the input
    #[arg(long)]
    pub source: bool,

    #[command(flatten)]
    pub common: Common,
}

/// Say what the code of a finding means, with a wrong and a right example.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  explained
  2  wrong usage, or no such code

Examples:
  jsonx explain
  jsonx explain trailing-comma")]
pub struct Explain {
    /// The code, as in `error[trailing-comma]`; without it, all codes are listed
    pub code: Option<String>,

    /// Colours: auto, always, never
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub color: Color,
}

/// What every command understands.
#[derive(Debug, Args)]
pub struct Common {
    /// What an input holds
    #[arg(long, value_name = "KIND", default_value = "auto", hide_possible_values = true, help = INPUT_HELP)]
    pub input: InputKind,

    /// Deepest nesting that is accepted; 0 is no limit (validate only)
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_depth: u64,

    /// Findings shown of each file; 0 is all [default: 20, and 1000 for programs]
    #[arg(long, value_name = "N")]
    pub max_errors: Option<usize>,

    /// Colours in messages: auto, always, never
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub color: Color,
}

const INPUT_HELP: &str = "What an input holds: json (one value), jsonl (one value on each line), stream (any number of \
    values one after another), auto (.jsonl and .ndjson are jsonl, other files json; get and fmt take a stream on \
    standard input)";

/// `--input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputKind {
    Auto,
    Json,
    Jsonl,
    Stream,
}

/// `--reporter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reporter {
    Human,
    Concise,
    Json,
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}
