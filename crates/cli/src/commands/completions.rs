//! `jsonx completions`: a shell completion script, generated from the definition of the command line.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command, CommandFactory, ValueEnum};
use clap_complete::Shell;
use jsonx_diagnose::{Code, Lints};

use super::{explain, print};
use crate::args::{Cli, Completions, GROUPS};
use crate::check::InputKind;
use crate::exit::Exit;
use crate::report::Format;
use crate::report::explain::brief;
use jsonx_schema::keywords::KEYWORDS;

/// Prints the script.
pub fn run(args: &Completions) -> Exit {
    // Into memory first: the generator panics when a write fails.
    let mut script = Vec::new();
    let mut command = with_topics(with_values(Cli::command()));
    clap_complete::generate(args.shell, &mut command, "jsonx", &mut script);
    if args.shell == Shell::Fish {
        script.extend_from_slice(topics_in_fish().as_bytes());
    }
    print(&script)
}

/// Lists the guides and tables beside the commands that `help` describes.
fn with_topics(command: Command) -> Command {
    let names = GROUPS.iter().flat_map(|(_, names)| names.iter());
    let commands = names.filter_map(|name| {
        let about = command.find_subcommand(name)?.get_about()?.clone();
        Some(Command::new(*name).about(about))
    });
    // `config` is a command too.
    let topics = explain::TOPICS
        .iter()
        .filter(|it| command.find_subcommand(it.name).is_none());
    let topics = topics.map(|topic| Command::new(topic.name).about(topic.help));
    let help = Command::new("help")
        .about("Print the help of a command, or a guide")
        .subcommands(commands.chain(topics));
    command.disable_help_subcommand(true).subcommand(help)
}

/// The topics of `explain`, for fish: clap_complete only lists the values of options.
fn topics_in_fish() -> String {
    let topics = topics();
    let names: Vec<&str> = topics.iter().map(PossibleValue::get_name).collect();
    format!(
        "complete -c jsonx -n \"__fish_jsonx_using_subcommand explain\" -f -a \"{}\"\n",
        names.join(" ")
    )
}

/// Lists the values of arguments whose parsers accept more than a list, such as `NAME=FILE`, so that shells offer them.
fn with_values(command: Command) -> Command {
    let name = command.get_name().to_owned();
    command
        .mut_args(|arg| match values(&name, &arg) {
            Some(values) => arg.value_parser(PossibleValuesParser::new(values)),
            None => arg,
        })
        .mut_subcommands(with_values)
}

/// The values that a shell offers for an argument of a command.
fn values(command: &str, arg: &Arg) -> Option<Vec<PossibleValue>> {
    match (command, arg.get_id().as_str()) {
        ("explain", "code") => Some(topics()),
        (_, "allow" | "warn" | "deny") => {
            let all = PossibleValue::new("all").help("All lints");
            let schema = PossibleValue::new("schema").help("All rules of schemas");
            let lints = Lints::CODES.into_iter().map(code).chain([all, schema]);
            Some(lints.chain(rules_of_schemas()).collect())
        }
        (_, "reporter") => {
            let value = |format: Format| PossibleValue::new(format.name()).help(format.help());
            Some(Format::all().map(value).collect())
        }
        (_, "input") => {
            let kinds = InputKind::value_variants().iter();
            Some(kinds.filter_map(InputKind::to_possible_value).collect())
        }
        _ => None,
    }
}

/// A code with its meaning, unless that has shell metacharacters, which clap_complete does not escape everywhere.
fn code(code: Code) -> PossibleValue {
    let value = PossibleValue::new(code.as_str());
    if brief(code).contains(['"', '\'', '`', '$', '\\']) {
        return value;
    }
    value.help(brief(code))
}

/// The codes of schemas, unless shells would expand them as variables.
fn rules_of_schemas() -> impl Iterator<Item = PossibleValue> {
    let plain = KEYWORDS
        .iter()
        .filter(|keyword| !keyword.code.contains('$'));
    plain.map(|keyword| PossibleValue::new(keyword.code))
}

/// The codes and the other topics of `jsonx explain`.
fn topics() -> Vec<PossibleValue> {
    let topics = explain::TOPICS.map(|topic| PossibleValue::new(topic.name).help(topic.help));
    let codes = Code::ALL.iter().copied().map(code);
    codes.chain(rules_of_schemas()).chain(topics).collect()
}
