//! Suggests corrections for command lines of other programs.

#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use jsonx_core::string::nearest::nearest;

use super::{Cli, Command};
use crate::path_messages::is_program;
use crate::report::{escape, in_shell};

/// A property or function at the end of a path, as in JavaScript or other JSONPath dialects, and the function of jq.
const FUNCTIONS: &[(&str, &str)] = &[
    ("count", "length"),
    ("keys", "keys"),
    ("length", "length"),
    ("max", "max"),
    ("min", "min"),
    ("size", "length"),
    ("sum", "add"),
    ("type", "type"),
];

/// The typed words of `hints.txt`, each with its advice.
fn hints() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("hints.txt").lines();
    let rows = lines.filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| row.split_once(" | "))
        .flat_map(|(words, advice)| words.split(", ").map(move |word| (word, advice)))
}

/// Adds the right option to an error of a command line, if known.
pub fn add(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let kind = error.kind();
    if matches!(
        kind,
        ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::TooManyValues
    ) {
        return value(error, arguments);
    }
    if !matches!(
        kind,
        ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument
    ) {
        return error;
    }
    let typed = (arguments.get(1)).filter(|_| kind == ErrorKind::InvalidSubcommand);
    let text = typed
        .and_then(|typed| other_command(typed))
        .or_else(|| without_command(arguments))
        .or_else(|| no_command(typed?));
    match text {
        Some(text) => Cli::command().error(kind, text),
        None => option(error, arguments),
    }
}

/// The advice for a command of another program.
pub fn other_command(typed: &OsStr) -> Option<String> {
    let text = typed.to_str().filter(|text| !text.starts_with('-'))?;
    Some(format!("there is no command `{text}`: {}", advice(text)?))
}

/// The correct command for a path or a program without a command, as in `jsonx .a FILE`, `jsonx -r .a FILE` or
/// `jsonx '.a | length' FILE`.
fn without_command(arguments: &[OsString]) -> Option<String> {
    let with = |command: &str| -> Vec<OsString> {
        let rest = arguments.iter().skip(1).cloned();
        ["jsonx".into(), command.into()]
            .into_iter()
            .chain(rest)
            .collect()
    };
    let is_file = |text: &str| text != "." && std::fs::exists(text).unwrap_or(false);
    let (get, jq) = (with("get"), with("jq"));
    let (typed, what, words) = if let Some(path) = path_of(&get) {
        (path, "path", get)
    } else {
        (program_of(&jq)?, "jq program", jq)
    };
    if is_file(&typed) || typed == "." && words.len() == 3 {
        return None;
    }
    Some(format!(
        "{} is a {what}; the command comes first: `{}`",
        escape(&typed),
        shell_line(&words)
    ))
}

/// The path of a command line of `get`.
fn path_of(words: &[OsString]) -> Option<String> {
    let Some(Command::Get(args)) = Cli::deferred(words).ok()?.command else {
        return None;
    };
    let path = args.path?.into_string().ok()?;
    let is_path = path.starts_with(['.', '$', '/']) && jsonx_core::path::Path::parse(&path).is_ok();
    is_path.then_some(path)
}

/// The program of a command line of `jq`.
#[cfg(feature = "jq")]
fn program_of(words: &[OsString]) -> Option<String> {
    let Some(Command::Jq(args)) = Cli::deferred(words).ok()?.command else {
        return None;
    };
    let program = args.program?.into_string().ok()?;
    is_program(&program).then_some(program)
}

#[cfg(not(feature = "jq"))]
fn program_of(_: &[OsString]) -> Option<String> {
    None
}

/// Words as a command line of a shell.
fn shell_line(words: &[OsString]) -> String {
    let words: Vec<String> = words
        .iter()
        .map(|word| in_shell(word.as_encoded_bytes()))
        .collect();
    words.join(" ")
}

/// The advice for a word that is typed instead of a command.
fn no_command(typed: &OsString) -> Option<String> {
    let name = escape(typed.as_encoded_bytes());
    let text = typed.to_string_lossy();
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
        _ => {
            let program = function(&text)?;
            let program = in_shell(program.as_bytes());
            Some(format!(
                "there is no command `{name}`: `jsonx jq {program}` runs a jq program"
            ))
        }
    }
}

/// The advice for a value of an option; any text is `TEXT`.
fn value(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.split(' ').next(),
        _ => None,
    };
    let advice = || {
        let command = arguments.get(1)?.to_str()?;
        let option = context(ContextKind::InvalidArg)?;
        let value = context(ContextKind::InvalidValue)?.split('=').next()?;
        advice(&format!("{command} {option} {value}"))
            .or_else(|| advice(&format!("{option} {value}")))
            .or_else(|| advice(&format!("{command} {option}=TEXT")))
    };
    match advice() {
        Some(text) => advised(error, text.to_owned()),
        None => error,
    }
}

fn option(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let near = [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (
            ContextKind::InvalidSubcommand,
            ContextKind::SuggestedSubcommand,
        ),
    ];
    for (typed, suggested) in near {
        if !is_misspelled(error.get(typed), error.get(suggested))
            && error.remove(suggested).is_some()
        {
            error.remove(ContextKind::Usage);
        }
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let name = typed.split(['=', ' ']).next().unwrap_or_default();
    if advice(name).is_none()
        && let Some(text) = of_value(typed, arguments)
    {
        return advised(error, text);
    }
    let of_command = arguments
        .iter()
        .find_map(|word| advice(&format!("{} {name}", word.to_str()?)));
    // `jsonx locate FILE 1:1`
    let is_position = !name.starts_with('-') && arguments.get(1).is_some_and(|it| it == "locate");
    let of_command = if is_position {
        advice("--line")
    } else {
        of_command
    };
    let known = of_command.or_else(|| advice(name)).map(str::to_owned);
    // An option of another command, such as `--no-header`, was typed, not a similar one, such as `--no-hidden`.
    let is_slip = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(near)) => {
            near.starts_with(name) || name.starts_with(near.as_str()) || of_commands(name).is_none()
        }
        near => near.is_some(),
    };
    let known = known.or_else(|| if is_slip { None } else { of_commands(name) });
    match known.or_else(|| word(name.strip_prefix("--").filter(|_| !is_slip)?)) {
        Some(text) => return advised(error, text),
        None if !std::fs::exists(name).unwrap_or(false) => {
            // No file has this name, which clap suggests to write as `-- NAME`.
            error.remove(ContextKind::Suggested);
        }
        None => {}
    }
    error
}

/// The commands that have an option, with its long name.
fn of_commands(option: &str) -> Option<String> {
    /// Maximum number of commands in a message.
    const SHOWN: usize = 3;

    let long = option.strip_prefix("--");
    let short = option.strip_prefix('-').and_then(|it| it.parse().ok());
    let is_typed = |it: &clap::Arg| match long {
        Some(_) => it.get_long() == long,
        None => short.is_some() && it.get_short() == short,
    };
    let is_option = |it: &&clap::Arg| !it.is_hide_set() && is_typed(it);
    let program = Cli::command();
    let commands = program.get_subcommands().filter(|it| !it.is_hide_set());
    let named = commands.filter_map(|command| {
        let option = command.get_arguments().find(is_option)?;
        let (name, option) = (command.get_name(), option.get_long()?);
        Some(format!("`jsonx {name} --{option}`"))
    });
    // These take the options of all others.
    let is_setting = |it: &String| it.starts_with("`jsonx config") || it.starts_with("`jsonx lsp");
    let (settings, mut named): (Vec<_>, Vec<_>) = named.partition(is_setting);
    if named.is_empty() {
        named = settings;
    }
    let are_many = named.len() > SHOWN + 1;
    named.truncate(if are_many { SHOWN } else { SHOWN + 1 });
    let others = if are_many { " and others" } else { "" };
    (!named.is_empty()).then(|| named.join(", ") + others)
}

/// Advice for the name of an option that no command has: a command, or a function of jq.
fn word(word: &str) -> Option<String> {
    let command = advice(word).map(str::to_owned);
    command.or_else(|| Some(format!("`jsonx jq '{}'`", function(word)?)))
}

/// A call of the function of jq with this name, spelled with `-` or `_`.
fn function(word: &str) -> Option<String> {
    let name = word.replace('-', "_");
    let calls = ["", "(.a)", "(.a; .b)"].map(|arguments| format!("{name}{arguments}"));
    calls.into_iter().find(|call| is_program(call))
}

/// The error with `advice` instead of clap's suggestion of a similar option, which is in the usage too.
fn advised(mut error: clap::Error, advice: String) -> clap::Error {
    let advice = ContextValue::StyledStrs(vec![advice.into()]);
    error.insert(ContextKind::Suggested, advice);
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::Usage);
    error
}

/// The advice for a typed word.
pub fn advice(typed: &str) -> Option<&'static str> {
    Some(hints().find(|(word, _)| *word == typed)?.1)
}

/// The advice for an option that is the VALUE of `set` or `append`.
fn of_value(typed: &str, arguments: &[OsString]) -> Option<String> {
    let command = after_dashes(typed, arguments)?;
    Some(format!(
        "a value that begins with `-` follows `--`: `{command}`"
    ))
}

/// The same for an option that the program has, such as `--version`, if it follows the path and only a file follows it.
pub fn of_known_value(arguments: &[OsString]) -> Option<String> {
    const OPTIONS: [&str; 6] = ["--version", "--verbose", "--quiet", "-v", "-q", "-V"];
    let is_option = |word: &&OsString| word.as_encoded_bytes().starts_with(b"-");
    let before = arguments.iter().skip(2).take_while(is_option).count();
    let at = before + 3;
    let typed = arguments.get(at)?.to_str()?;
    let mut names = arguments[at + 1..].iter().filter(|word| !is_option(word));
    let is_file = names
        .next()
        .is_some_and(|name| std::path::Path::new(name).is_file());
    let is_value = OPTIONS.contains(&typed) && is_file && names.next().is_none();
    is_value.then(|| of_value(typed, arguments)).flatten()
}

/// The command line of `set` or `append` in which the VALUE, typed as an option, follows `--`.
fn after_dashes(typed: &str, arguments: &[OsString]) -> Option<String> {
    let at = (arguments.iter())
        .position(|word| word.to_str().is_some_and(|it| it.starts_with(typed)))?;
    let (before, after) = (&arguments[..at], &arguments[at + 1..]);
    let is_option = |word: &&OsString| word.as_encoded_bytes().starts_with(b"-");
    let options = after.iter().filter(is_option);
    let names = after.iter().filter(|word| !is_option(word));
    let dashes = OsString::from("--");
    let words = before
        .iter()
        .chain(options)
        .chain([&dashes, &arguments[at]])
        .chain(names);
    let words: Vec<OsString> = words.cloned().collect();
    let addition = match Cli::deferred(&words).ok()?.command? {
        Command::Set(set) => set.addition,
        Command::Append(append) => append.addition,
        _ => return None,
    };
    (addition.value.as_ref() == Some(&arguments[at]))
        .then(|| format!("jsonx {}", shell_line(&words[1..])))
}

/// The program of jq for a path with a function at its end, such as `.a.length()`.
pub fn of_function(path: &str) -> Option<String> {
    let (path, name) = path.strip_prefix('$').unwrap_or(path).rsplit_once('.')?;
    let name = name.strip_suffix("()").unwrap_or(name);
    let (_, function) = FUNCTIONS.iter().find(|(typed, _)| *typed == name)?;
    let path = if path.is_empty() { "." } else { path };
    let program = format!("{path} | {function}");
    is_program(&program).then(|| format!("jsonx jq {}", in_shell(&program)))
}

/// Whether a suggestion differs from the typed word by a typo: a similar spelling alone may be a coincidence.
fn is_misspelled(typed: Option<&ContextValue>, suggested: Option<&ContextValue>) -> bool {
    let Some(ContextValue::String(typed)) = typed else {
        return false;
    };
    let name = |text: &str| text.trim_start_matches('-').to_owned();
    let suggested: Vec<String> = match suggested {
        Some(ContextValue::String(one)) => vec![name(one)],
        Some(ContextValue::Strings(several)) => several.iter().map(|one| name(one)).collect(),
        _ => return false,
    };
    let suggested = suggested.iter().map(|one| one.as_bytes());
    nearest(name(typed).as_bytes(), suggested).is_some()
}
