//! Corrections of command lines that would be right in other programs.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::Cli;
use crate::report::escape;

/// Names that other programs have for commands, and ours.
const COMMANDS: [(&str, &str); 16] = [
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
];

/// Options of other programs, and what does the same here.
const OPTIONS: [(&str, &str); 15] = [
    (
        "--fix",
        "`jsonx fix` repairs files, and `jsonx validate --fix`",
    ),
    ("-s", "`jsonx fmt --slurp` makes one array of all values"),
    (
        "--slurp",
        "`jsonx fmt --slurp` makes one array of all values",
    ),
    ("-C", "`--color always`"),
    ("-M", "`--color never`"),
    ("--no-messages", "`--quiet` prints nothing"),
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

/// Adds what to type to an error of a command line, if that is known.
pub fn add(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    match error.kind() {
        ErrorKind::InvalidSubcommand => match arguments.get(1).and_then(command) {
            Some(text) => Cli::command().error(ErrorKind::InvalidSubcommand, text),
            None => error,
        },
        ErrorKind::UnknownArgument => option(error),
        _ => error,
    }
}

fn command(typed: &OsString) -> Option<String> {
    let name = escape(typed.as_encoded_bytes());
    let text = typed.to_string_lossy();
    if let Some((other, ours)) = COMMANDS.iter().find(|(other, _)| *other == text) {
        return Some(format!("there is no command `{other}`; use `jsonx {ours}`"));
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
            "{name} is a path; the command comes first: `jsonx get '{name}' FILE`"
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
