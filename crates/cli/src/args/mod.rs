//! The definition of the command line, and the help texts.

mod changes;
mod completions;
mod config;
mod diff;
mod edit;
mod explain;
mod fix;
mod fmt;
mod get;
mod grep;
mod help;
pub mod hints;
#[cfg(feature = "jq")]
mod jq;
mod lints;
mod locate;
mod lsp;
mod merge;
mod patch;
mod reporter;
mod schemas;
mod shape;
mod validate;

use std::ffi::{OsStr, OsString};
use std::num::{IntErrorKind, NonZeroUsize, ParseIntError};

use clap::builder::styling::{AnsiColor, Styles};
use clap::error::ContextValue;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use jsonx_core::validate;

use crate::check::InputRule;
use crate::config::ConfigOptions;
use crate::report::escape;
use crate::terminal::Color;

pub use changes::Changes;
pub use completions::Completions;
pub use config::Config;
pub use diff::{Diff, DiffFormat};
pub use edit::{Addition, Append, Creates, Del, EditOutput, Set, ValueKinds};
pub use explain::Explain;
pub use fix::Fix;
pub use fmt::{Fmt, IndentArg, Layout, To};
pub use get::Get;
pub use grep::Grep;
pub use help::{FIXED, GROUPS};
#[cfg(feature = "jq")]
pub use jq::{ArgumentKind, Jq, NamedArgument};
pub use locate::Locate;
pub use lsp::Lsp;
pub use merge::Merge;
pub use patch::Patch;
pub use shape::Shape;
pub use validate::{References, Validate};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const HELP_END: &str = "\
Examples:
  jsonx validate .                         check every JSON file below here
  jsonx fmt -w config.json                 format a file in place
  jsonx get .servers.0.name config.json    print one value

`jsonx help COMMAND` or `jsonx COMMAND --help` explains a command, `jsonx COMMAND -h` lists its options.
`jsonx help TOPIC` prints a guide; `jsonx --help` lists them.";

const LONG_HELP_END: &str = "\
Guides, printed by `jsonx help TOPIC`:
  checking, ci, clusters, comments, comparison, differences, editing, editors, exit-codes,
  formatting, git, library, messagepack, paths, programs, recipes, repair, replaced, schemas,
  settings

Exit codes (with several files, the highest one; those of jq are in `jsonx jq --help`):
  0  success: everything is valid or formatted, each path has a match (null counts)
  1  negative result: invalid (validate), not formatted (fmt --check), no match (get, set), different (diff)
  2  usage error: a wrong option or argument, a bad path
  3  the input is not JSON (fmt, get, diff), or has no canonical form (fmt)
  4  something could not be read or written, or a limit was reached

Environment:
  JSONX_KERNEL    the instruction set to use; `jsonx --version --verbose` lists those of this CPU
  GITHUB_ACTIONS=true    validate also writes annotations; workflow commands in its output are escaped
  GITHUB_WORKSPACE, CI_PROJECT_DIR    the root of the repository, for file names in reports
  NO_COLOR, CLICOLOR_FORCE, TERM=dumb    turn colors off or on, as in other programs
  PAGER    the pager of guides; less if it is not set
  JQ_COLORS    colors of JSON at a terminal, as in jq";

/// Check, format, query and edit JSON, exactly and fast.
///
/// Data goes to standard output, messages to standard error. Without FILE, or if FILE is `-`, standard input is read. Input
/// compressed with gzip, Zstandard, bzip2 or xz is decompressed. Without a command, `jsonx` formats a pipe like `jsonx fmt`.
#[derive(Debug, Parser)]
#[command(
    name = "jsonx",
    version,
    propagate_version = true,
    styles = STYLES,
    after_help = HELP_END,
    after_long_help = LONG_HELP_END,
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,

    #[command(subcommand)]
    pub command: Option<Command>,
}

/// A function that adds the arguments of a command.
type Define = fn(clap::Command) -> clap::Command;

/// Defines the commands: the type of the arguments, and the name on the command line.
macro_rules! commands {
    ($($(#[$cfg:meta])? $command:ident = $name:literal,)*) => {
        /// One command and its arguments.
        #[derive(Debug, Subcommand)]
        pub enum Command {
            $($(#[$cfg])? #[command(name = $name)] $command($command),)*
        }

        /// The commands, and the functions that define their arguments.
        const DEFERRED: &[(&str, Define)] = &[$($(#[$cfg])? ($name, $command::augment_args)),*];
    };
}

commands! {
    Validate = "validate",
    Fmt = "fmt",
    Fix = "fix",
    Get = "get",
    Grep = "grep",
    Shape = "shape",
    #[cfg(feature = "jq")]
    Jq = "jq",
    Set = "set",
    Append = "append",
    Del = "del",
    Locate = "locate",
    Diff = "diff",
    Merge = "merge",
    Patch = "patch",
    Config = "config",
    Lsp = "lsp",
    Explain = "explain",
    Completions = "completions",
}

impl Command {
    /// `fmt` without arguments, the default command at the end of a pipe.
    pub fn fmt() -> Option<Command> {
        Cli::deferred(&["jsonx", "fmt"].map(OsString::from))
            .ok()?
            .command
    }
}

impl Cli {
    /// Parses a command line; the first argument is the name of the program.
    ///
    /// # Errors
    /// Wrong usage; also help and version, which clap returns as errors.
    pub fn new(arguments: &[OsString]) -> Result<Cli, clap::Error> {
        let arguments = &with_blanks(arguments)[..];
        let adds = |word: &OsString| word == "set" || word == "append";
        let adds = arguments.get(1).is_some_and(adds);
        if let Some(text) = adds.then(|| hints::of_known_value(arguments)).flatten() {
            return Err(escaped(
                Cli::command().error(clap::error::ErrorKind::UnknownArgument, text),
            ));
        }
        if !asks_for_help(arguments) {
            return Cli::deferred(arguments)
                .or_else(|_| Cli::fully(arguments))
                .map_err(|error| escaped(hints::add(error, arguments)));
        }
        let mut program = help::unwrapped(Cli::command());
        // `jsonx help NAME` prints the help of a command, and explains anything else.
        if let [program_name, help, name, more @ ..] = arguments
            && help == "help"
            && program.find_subcommand(name).is_none()
            && !name.to_string_lossy().starts_with('-')
        {
            let words = [program_name.clone(), "explain".into(), name.clone()];
            return Cli::deferred(&[&words, more].concat()).map_err(escaped);
        }
        // Parsing prints the help.
        let matches = program.try_get_matches_from_mut(arguments);
        let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
        parsed.map_err(|error| match error.use_stderr() {
            true => escaped(hints::add(error, arguments)),
            false => error,
        })
    }

    /// Parses a command line with all definitions; `version` is `--version`.
    fn fully(arguments: &[OsString]) -> Result<Cli, clap::Error> {
        let mut arguments = arguments.to_vec();
        if let Some(first) = arguments.get_mut(1).filter(|first| *first == "version") {
            *first = "--version".into();
        }
        Cli::try_parse_from(arguments)
    }

    /// Parses a command line without help texts, defining only the commands named in it: defining all of them would take most
    /// of the time of a run over a small file.
    fn deferred(arguments: &[OsString]) -> Result<Cli, clap::Error> {
        let program = clap::Command::new("jsonx")
            .version(env!("CARGO_PKG_VERSION"))
            .propagate_version(true);
        let is_typed = |name: &&str| arguments.iter().any(|argument| argument == name);
        let typed = DEFERRED.iter().filter(|(name, _)| is_typed(name));
        let commands = typed.map(|&(name, define)| clap::Command::new(name).defer(define));
        let mut program = Global::augment_args(program).subcommands(commands);
        let matches = program.try_get_matches_from_mut(arguments);
        // Dropping it takes a tenth of the instructions of a run over a small file; the process frees it anyway.
        std::mem::forget(program);
        Cli::from_arg_matches_mut(&mut matches?)
    }
}

/// An error that shows the arguments without control characters and line breaks.
fn escaped(mut error: clap::Error) -> clap::Error {
    let shown = |value: &ContextValue| match value {
        ContextValue::String(text) => Some(ContextValue::String(escape(text))),
        ContextValue::Strings(texts) => {
            Some(ContextValue::Strings(texts.iter().map(escape).collect()))
        }
        _ => None,
    };
    let context = error.context();
    let context = context.filter_map(|(kind, value)| Some((kind, shown(value)?)));
    for (kind, value) in context.collect::<Vec<_>>() {
        error.insert(kind, value);
    }
    error
}

/// The short help of the program, without color.
pub fn help() -> String {
    help::unwrapped(Cli::command()).render_help().to_string()
}

/// The arguments with a blank, as JSON and jq's language allow, before numbers and programs that clap takes for options: `-1e-5`,
/// `-.a`. A string would keep it.
fn with_blanks(arguments: &[OsString]) -> Vec<OsString> {
    let command = arguments.get(1).and_then(|name| name.to_str());
    let mut arguments = arguments.to_vec();
    match command {
        Some("set" | "append") if !has_option(&arguments, 's', "--string") => {
            let is_number = |text: &[u8]| text.starts_with(b"-") && validate(text).is_ok();
            let words = arguments.iter_mut();
            for word in words.filter(|word| is_number(word.as_encoded_bytes())) {
                *word = with_blank(word);
            }
        }
        #[cfg(feature = "jq")]
        Some("jq") => {
            if let Some(word) = jq::negative_program(&mut arguments) {
                *word = with_blank(word);
            }
        }
        _ => {}
    }
    arguments
}

fn with_blank(word: &OsStr) -> OsString {
    [OsStr::new(" "), word].into_iter().collect()
}

/// Whether `--verbose` is among the arguments. clap stops at `--version` and does not report it.
pub fn is_verbose(arguments: &[OsString]) -> bool {
    has_option(arguments, 'v', "--verbose")
}

/// Whether an option is among the arguments, or may be.
fn has_option(arguments: &[OsString], letter: char, name: &str) -> bool {
    let is_short = |argument: &str| {
        argument.starts_with('-') && !argument.starts_with("--") && argument.contains(letter)
    };
    let mut arguments = arguments.iter().filter_map(|argument| argument.to_str());
    arguments.any(|argument| argument == name || is_short(argument))
}

/// Whether help is asked for.
fn asks_for_help(arguments: &[OsString]) -> bool {
    let mut arguments = arguments.iter().skip(1);
    arguments.any(|argument| argument == "-h" || argument == "--help" || argument == "help")
}

const GLOBAL: &str = "Global options";

/// Options that every command has, before or after its name.
#[derive(Clone, Copy, Debug, Args)]
pub struct Global {
    /// Suppress errors, warnings and file names
    ///
    /// get and diff print nothing at all, except that get prints the names of the files in directories that have no match. Results of
    /// other commands, such as formatted text, are still printed.
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = GLOBAL, hide_short_help = true)]
    pub quiet: bool,

    /// Report the result for every file on standard error
    ///
    /// Without it, --write names the files that it rewrites, unless a single file is named on the command line.
    #[arg(short, long, global = true, help_heading = GLOBAL, hide_short_help = true)]
    pub verbose: bool,

    /// When to use colors: auto, always, never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        help_heading = GLOBAL,
        hide_short_help = true
    )]
    pub color: Color,

    /// Number of threads, at most 1024 [default: one per processor]
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = threads,
        help_heading = GLOBAL,
        hide_short_help = true
    )]
    pub threads: Option<NonZeroUsize>,
}

/// The number of threads; a number too large for a word becomes the largest one.
fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .or_else(|error: ParseIntError| match error.kind() {
            IntErrorKind::Zero => {
                Err("at least 1; without --threads, there is one for each processor".into())
            }
            IntErrorKind::PosOverflow => Ok(NonZeroUsize::MAX),
            _ => Err("a number of threads is expected".into()),
        })
}

const INPUT: &str = "Input and messages";

/// Options of every command that reads JSON.
#[derive(Clone, Debug, Default, Args)]
pub struct Common {
    /// Format of inputs: auto, json, jsonc, json5, jsonl, stream, msgpack
    ///
    /// json: one value. jsonc: one value, with comments and trailing commas. json5: one value in JSON5. jsonl: one value per
    /// line. stream: any number of values, one after another. msgpack: any number of values in MessagePack. auto (the default):
    /// by name, then by content. .jsonl, .ndjson, .jsonlines, .ldjson and .geojsonl files are jsonl; a text that begins with a
    /// record separator (RFC 7464) is a stream. .msgpack and .mpk files, and data that begins with an array or a map of
    /// MessagePack, are msgpack. .jsonc files, tsconfig.json and similar files are jsonc; .json5 files, .babelrc and similar
    /// files are json5; `jsonx explain jsonc` lists them all. Any other input is one value for validate, fix, diff and merge, and
    /// any number of values for the other commands; if it is invalid and most of its first lines are whole values, it is read as
    /// jsonl, by those four commands only if its name is not that of a JSON file, such as app.log. May be repeated; the last
    /// matching glob counts.
    #[arg(
        long,
        value_name = "[GLOB=]KIND",
        value_parser = InputRule::parse,
        help_heading = INPUT
    )]
    pub input: Vec<InputRule>,

    /// Replace values of MessagePack that JSON does not have
    ///
    /// NaN and infinities become null, other keys become strings, and invalid UTF-8 becomes U+FFFD.
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub lossy: bool,

    /// Maximum nesting depth; validate takes 0 for no limit [default: 10000]
    #[arg(long, value_name = "N", help_heading = INPUT, hide_short_help = true)]
    pub max_depth: Option<u64>,

    /// Maximum number of findings per file; 0 shows all, up to 100,000 [default: 20, in machine-readable reports 1000]
    #[arg(long, value_name = "N", help_heading = INPUT, hide_short_help = true)]
    pub max_errors: Option<usize>,

    #[command(flatten)]
    pub config: ConfigOptions,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_is_in_the_help() {
        let shown = help();
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let line = format!("\n  {name:<11}  ");
            assert_eq!(shown.matches(&line).count(), 1, "{name}");
        }
    }

    #[test]
    fn every_command_is_deferred() {
        let command = Cli::command();
        let defined: Vec<_> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        let deferred = DEFERRED.iter().map(|&(name, _)| name);
        assert_eq!(deferred.collect::<Vec<_>>(), defined);
    }

    #[test]
    fn deferred_arguments_are_parsed_alike() {
        for typed in [
            "jsonx --threads 2 get .a --count -v b.json",
            "jsonx get -q .a -- --help",
            "jsonx validate --max-depth 3 --reporter json=x --color never .",
            "jsonx fmt -w --indent 4 a.json --sort-keys --threads 1",
            "jsonx locate --offset 5 a.json",
            "jsonx explain",
            "jsonx -v",
        ] {
            let typed: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
            let deferred = Cli::deferred(&typed).map(|cli| format!("{cli:?}"));
            let all = Cli::try_parse_from(&typed).map(|cli| format!("{cli:?}"));
            assert!(deferred.is_ok(), "{typed:?}");
            assert_eq!(deferred.ok(), all.ok(), "{typed:?}");
        }
        for typed in [
            "jsonx get --help",
            "jsonx help fmt",
            "jsonx -V",
            "jsonx get -V",
            "jsonx a.json",
        ] {
            let typed: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
            assert!(Cli::deferred(&typed).is_err(), "{typed:?}");
        }
    }
}
