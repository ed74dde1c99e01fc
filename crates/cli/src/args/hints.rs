//! Suggests corrections for command lines of other programs.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::{Cli, Command};
use crate::report::{escape, in_shell};

/// Names that other programs have for commands, and ours.
const COMMANDS: [(&str, &str); 25] = [
    ("format", "fmt"),
    ("pretty", "fmt"),
    ("prettify", "fmt"),
    ("beautify", "fmt"),
    ("minify", "fmt --compact"),
    ("compact", "fmt --compact"),
    ("sort", "fmt --sort-keys"),
    ("lint", "validate"),
    ("verify", "validate"),
    ("parse", "validate"),
    ("query", "get"),
    ("select", "get"),
    ("jq", "get"),
    ("find", "get"),
    ("keys", "get --keys"),
    ("length", "get --length"),
    ("count", "get --count"),
    ("filter", "get . --where '.key == 1'"),
    ("unique", "get PATH FILE | sort -u"),
    ("merge", "patch"),
    ("add", "set"),
    ("remove", "del"),
    ("delete", "del"),
    ("repair", "fix"),
    ("compare", "diff"),
];

/// Options of other programs, and their equivalents here.
const OPTIONS: [(&str, &str); 32] = [
    (
        "--fix",
        "`jsonx fix` repairs files, and `jsonx validate --fix`",
    ),
    ("-s", "`jsonx fmt --slurp` makes one array of all values"),
    (
        "--slurp",
        "`jsonx fmt --slurp` makes one array of all values",
    ),
    ("--raw-output", "`--raw` prints strings without quotes"),
    ("--join-output", "`--join` prints no newlines"),
    (
        "--compact-output",
        "`--compact` prints each value on one line",
    ),
    (
        "--jsonl",
        "`--input jsonl` reads JSON Lines, and `jsonx fmt --compact` writes them",
    ),
    ("--ascii-output", "`jsonx fmt --ascii` escapes all others"),
    ("--color-output", "`--color always`"),
    ("--monochrome-output", "`--color never`"),
    ("-C", "`--color always`"),
    ("-M", "`--color never`"),
    ("--output", "results go to standard output: `> FILE`"),
    ("-o", "results go to standard output: `> FILE`"),
    (
        "--json",
        "`jsonx validate --reporter json` prints findings as JSON",
    ),
    (
        "--no-messages",
        "`2> /dev/null` drops messages, and `--quiet` prints nothing at all",
    ),
    ("--first", "`--limit 1` prints the first match"),
    (
        "--lazy",
        "the whole input is checked; `--limit N` prints the first matches",
    ),
    (
        "--order",
        "matches are printed path by path; `jsonx jq` prints them in any order",
    ),
    (
        "--json-arrays",
        "`jsonx jq -c '.[] | [.a, .b]'` prints an array per match",
    ),
    (
        "--template",
        "`jsonx jq -r '\"\\(.a): \\(.b)\"'` puts values into a text",
    ),
    (
        "--unslurp",
        "`jsonx get -c '.[]'` prints the elements of an array, one per line",
    ),
    (
        "--where",
        "`jsonx get -c . --where FILTER` prints records for which a filter is true",
    ),
    (
        "--arg",
        "a path has no variables: write the value into it, as in `$[?@.key == \"value\"]`",
    ),
    (
        "--argjson",
        "a path has no variables: write the value into it, as in `$[?@.key == 1]`",
    ),
    ("-n", "paths select values and make none; jq does that"),
    (
        "--null-input",
        "paths select values and make none; jq does that",
    ),
    (
        "--raw-input",
        "the input is JSON; `jq -R` reads lines of text",
    ),
    (
        "--exit-status",
        "`jsonx get --exists PATH` tells by its exit code",
    ),
    ("--in-place", "`--write` rewrites files"),
    ("-i", "`--write` rewrites files"),
    ("--ignore", "`--exclude GLOB` skips files"),
];

/// Adds the right option to an error of a command line, if known.
pub fn add(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    match error.kind() {
        kind @ (ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument) => {
            let text = without_command(arguments).or_else(|| {
                command(
                    arguments
                        .get(1)
                        .filter(|_| kind == ErrorKind::InvalidSubcommand)?,
                )
            });
            match text {
                Some(text) => Cli::command().error(kind, text),
                None => option(error),
            }
        }
        _ => error,
    }
}

/// The correct command for a path without a command, as in `jsonx .a FILE` or `jsonx -r .a FILE`.
fn without_command(arguments: &[OsString]) -> Option<String> {
    let mut get = vec!["jsonx".into(), "get".into()];
    get.extend(arguments.iter().skip(1).cloned());
    let Some(Command::Get(args)) = Cli::deferred(&get).ok()?.command else {
        return None;
    };
    let path = args.path.as_ref()?.to_str()?;
    let is_path = path.starts_with(['.', '$', '/']) && jsonx_core::path::Path::parse(path).is_ok();
    let is_file = path != "." && std::fs::exists(path).unwrap_or(false);
    if !is_path || is_file || path == "." && get.len() == 3 {
        return None;
    }
    let words: Vec<String> = get
        .iter()
        .map(|word| in_shell(word.as_encoded_bytes()))
        .collect();
    Some(format!(
        "{} is a path; the command comes first: `{}`",
        escape(path),
        words.join(" ")
    ))
}

fn command(typed: &OsString) -> Option<String> {
    let name = escape(typed.as_encoded_bytes());
    let text = typed.to_string_lossy();
    if let Some((other, ours)) = COMMANDS.iter().find(|(other, _)| *other == text) {
        return Some(format!("there is no command `{other}`; use `jsonx {ours}`"));
    }
    if text == "." {
        let text = "`.` is a folder and a path; the command comes first\n\n  jsonx validate .    check every JSON file below here\n  jsonx fmt           format standard input";
        return Some(text.to_owned());
    }
    if std::fs::exists(typed).unwrap_or(false) {
        return Some(format!(
            "{name} is a file; the command comes first\n\n  jsonx validate {name}\n  jsonx fmt {name}\n  jsonx get PATH {name}"
        ));
    }
    if text == "-" {
        let text = "`-` is standard input; the command comes first: `jsonx validate -`";
        return Some(text.to_owned());
    }
    if text.starts_with("http://") || text.starts_with("https://") {
        return Some(format!(
            "jsonx reads no URLs: `curl -sS {name} | jsonx validate`"
        ));
    }
    if text.contains(['*', '?']) && !text.starts_with(['.', '$', '/', '#', '{', '[']) {
        return Some(format!(
            "{name} is a pattern; the command comes first, and the shell expands it without quotes: `jsonx validate {name}`"
        ));
    }
    match text.chars().next()? {
        '{' | '[' => {
            let text = "JSON comes from a file or standard input: `echo '…' | jsonx validate`";
            Some(text.to_owned())
        }
        '.' | '$' | '/' | '#' => Some(format!(
            "{name} is a path; the command comes first: `jsonx get {} FILE`",
            in_shell(text.as_bytes())
        )),
        _ => None,
    }
}

fn option(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let name = typed.split(['=', ' ']).next().unwrap_or_default();
    if let Some((_, text)) = OPTIONS.iter().find(|(other, _)| *other == name) {
        let text = ContextValue::StyledStrs(vec![(*text).into()]);
        error.insert(ContextKind::Suggested, text);
        error.remove(ContextKind::SuggestedArg);
    }
    error
}
