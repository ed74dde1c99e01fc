//! What may be typed, and the help texts.

mod completions;
mod explain;
mod fmt;
mod get;
mod lints;
mod locate;
mod validate;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};

pub use completions::Completions;
pub use explain::Explain;
pub use fmt::{Eol, Fmt, Look, What};
pub use get::{Get, Order};
pub use lints::Levels;
pub use locate::Locate;
pub use validate::{Reporter, Validate};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXIT_CODES: &str = "\
Exit codes (the highest of several files wins):
  0  yes, or done: all valid, formatted, at least one match (null counts)
  1  a clean no: something is invalid (validate), not formatted (fmt --check), nothing matches (get)
  2  could not start: wrong usage, a bad path expression
  3  the input is not JSON (fmt, get), or has no canonical form (fmt)
  4  something could not be read or written, or a limit was reached";

const ENVIRONMENT: &str = "\
Environment:
  JSONX_KERNEL    the instructions to use; `jsonx --version --verbose` names them
  GITHUB_ACTIONS=true    validate writes annotations too; nothing in a log becomes a command
  GITHUB_WORKSPACE, CI_PROJECT_DIR    the root of the repository, for the names of files in reports
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
    Locate(Locate),
    Explain(Explain),
    Completions(Completions),
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

    /// Draw the frames of messages with the box characters of Unicode
    #[arg(long)]
    pub unicode: bool,
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

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}
