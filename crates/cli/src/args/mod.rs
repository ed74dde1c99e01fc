//! What may be typed, and the help texts.

mod completions;
mod explain;
mod fmt;
mod get;
mod lints;
mod locate;
mod validate;

use std::ffi::OsString;

use clap::builder::styling::{AnsiColor, Styles};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::report::escape;

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
  0  yes, or done: all valid, formatted, each path has a match (null counts)
  1  a clean no: something is invalid (validate), not formatted (fmt --check), no match (get)
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

impl Cli {
    /// What was typed, the name of the program first.
    ///
    /// Where a command comes first, as nearly always, only its arguments are made known to clap: those of all commands
    /// were a fifth of the instructions of a run on a small file.
    ///
    /// # Errors
    /// What clap has to say about it; also help.
    pub fn of(arguments: &[OsString]) -> Result<Cli, clap::Error> {
        let command = match arguments.get(1).and_then(|name| name.to_str()) {
            Some("validate" | "check") => alone("validate", arguments, Command::Validate),
            Some("fmt") => alone("fmt", arguments, Command::Fmt),
            Some("get") => alone("get", arguments, Command::Get),
            Some("locate") => alone("locate", arguments, Command::Locate),
            _ => {
                return Cli::try_parse_from(arguments)
                    .map_err(|error| no_command(error, arguments));
            }
        };
        command.map(|command| Cli {
            version: false,
            verbose: false,
            command: Some(command),
        })
    }
}

/// For who has named a file and no command, what there is to be done with it.
fn no_command(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let is_file = |name: &OsString| std::fs::exists(name).unwrap_or(false);
    match arguments.get(1).filter(|name| is_file(name)) {
        Some(name) if error.kind() == ErrorKind::InvalidSubcommand => {
            let name = escape(name.as_encoded_bytes());
            Cli::command().error(
                ErrorKind::InvalidSubcommand,
                format!(
                    "{name} is the name of a file; the command comes first\n\n  jsonx validate {name}\n  jsonx fmt {name}\n  jsonx get PATH {name}"
                ),
            )
        }
        _ => error,
    }
}

/// One command, as if there were no others.
fn alone<A: Args>(
    name: &'static str,
    arguments: &[OsString],
    command: fn(A) -> Command,
) -> Result<Command, clap::Error> {
    let full_name = format!("jsonx {name}");
    let mut parser = A::augment_args(clap::Command::new(name).styles(STYLES).bin_name(full_name));
    let mut matches = parser.try_get_matches_from_mut(&arguments[1..])?;
    match A::from_arg_matches_mut(&mut matches) {
        Ok(typed) => Ok(command(typed)),
        Err(error) => Err(error.format(&mut parser)),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn typed(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_command_alone_says_what_it_says_among_the_others() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            for rest in [
                "-h",
                "--help",
                "--nonsense",
                "--inputs json",
                "--input xml",
                "--max-depth -",
                "--color",
                "a b c --check --write --diff --keys --type",
                "-e",
            ] {
                let line = typed(&format!("jsonx {name} {rest}"));
                let (alone, among) = (Cli::of(&line), Cli::try_parse_from(&line));
                let said = |outcome: &Result<Cli, clap::Error>| match outcome {
                    Ok(cli) => format!("{cli:?}"),
                    Err(error) => error.render().ansi().to_string(),
                };
                assert_eq!(said(&alone), said(&among), "{name} {rest}");
            }
        }
    }

    #[test]
    fn an_alias_is_the_command() {
        let cli = Cli::of(&typed("jsonx check a.json")).unwrap();
        assert!(matches!(cli.command, Some(Command::Validate(_))));
    }
}
