//! The program gives the advice of every row of the table, and every command in it is valid.

use std::ffi::OsString;

use clap::CommandFactory;

use super::{FUNCTIONS, hints, of_function};
use crate::args::Cli;

fn parse(words: &[&str]) -> Result<Cli, clap::Error> {
    let words = ["jsonx"].iter().chain(words).map(OsString::from);
    Cli::new(&words.collect::<Vec<_>>())
}

/// The names of the commands.
fn commands() -> Vec<String> {
    let program = Cli::command();
    let names = program
        .get_subcommands()
        .map(|command| command.get_name().to_owned());
    names.collect()
}

#[test]
fn every_row_answers_its_input() {
    for (typed, advice) in hints() {
        let answers = |words: &[&str]| {
            let error = parse(words).err()?;
            Some(error.to_string().replace('\n', " ").contains(advice))
        };
        let words: Vec<&str> = typed.split(' ').collect();
        if !typed.starts_with('-') {
            assert_eq!(answers(&words), Some(true), "{typed}");
            continue;
        }
        let commands = commands();
        let answered = commands
            .iter()
            .filter(|command| answers(&[&[command.as_str()][..], &words].concat()) == Some(true));
        assert!(answered.count() > 0, "{typed}: every command takes it");
    }
}

#[cfg(feature = "jq")]
#[test]
fn functions_at_the_end_of_a_path_are_programs() {
    for (name, function) in FUNCTIONS {
        for typed in [format!("$.a[0].{name}()"), format!(".a[0].{name}")] {
            let expected = format!("jsonx jq '.a[0] | {function}'");
            assert_eq!(of_function(&typed), Some(expected), "{typed}");
        }
    }
    assert_eq!(
        of_function(".length"),
        Some("jsonx jq '. | length'".to_owned())
    );
    assert_eq!(of_function(".a.lengths()"), None);
}

#[cfg(feature = "jq")]
#[test]
fn a_program_may_begin_with_a_minus_sign() {
    for typed in ["-.a", "-(.a)", "-1|todate", "-$x"] {
        parse(&["jq", typed]).expect(typed);
        parse(&["jq", &format!(" {typed}")]).expect(typed);
    }
}

#[test]
fn no_row_is_typed_twice() {
    for (at, (typed, _)) in hints().enumerate() {
        let twice = hints().take(at).any(|(other, _)| other == typed);
        assert!(!twice, "{typed}");
    }
}

#[test]
fn the_commands_of_the_table_are_commands() {
    let mut checked = 0;
    for (typed, advice) in hints() {
        for code in advice.split('`').skip(1).step_by(2) {
            let Some((_, command)) = code.split_once("jsonx ") else {
                continue;
            };
            let command = command.split([';', '|', '<', '>']).next().unwrap();
            let command = if command.contains('\'') {
                code.split_once("jsonx ").unwrap().1
            } else {
                command
            };
            let words: Vec<String> = split(command);
            let words: Vec<&str> = words
                .iter()
                .map(|word| match word.as_str() {
                    "N" => "1",
                    "FORMAT" => "cbor",
                    word => word,
                })
                .collect();
            if let Err(error) = parse(&words) {
                let is_unfinished = error.kind() == clap::error::ErrorKind::MissingRequiredArgument;
                assert!(is_unfinished, "{typed}: {command}: {error}");
            }
            checked += 1;
        }
    }
    assert!(checked > 50);
}

/// The words of a command line with single quotes.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in command.split('\'').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[test]
fn only_slips_are_corrected_by_their_spelling() {
    for (words, suggested) in [
        (["jq", "--tallly"], Some("--tally")),
        (["get", "--wiht-path"], Some("--with-path")),
        (["fmt", "--sort-key"], Some("--sort-keys")),
        (["get", "--samples"], None),
        (["get", "--titles"], None),
    ] {
        let error = parse(&words).err().unwrap().to_string();
        let similar = error.contains("similar argument");
        assert_eq!(similar, suggested.is_some(), "{words:?}: {error}");
        assert!(error.contains(suggested.unwrap_or_default()), "{error}");
    }
}

#[test]
fn options_of_other_commands_and_functions_of_jq_are_named() {
    for (words, expected) in [
        (["get", "--tab"], "`jsonx fmt --tab`"),
        (["validate", "--compact"], "`jsonx fmt --compact`"),
        (["validate", "-H"], "`jsonx get --with-filename`"),
        (["merge", "-g"], "`jsonx fix --glob` and others"),
        (["get", "--flatten"], "`jsonx get --with-path '..'`"),
        (["get", "--gron"], "`jsonx get --with-path '..'`"),
        (["get", "--reverse"], "`jsonx jq 'reverse'`"),
        (["get", "--to-entries"], "`jsonx jq 'to_entries'`"),
        (["get", "--max-by"], "`jsonx jq 'max_by(.a)'`"),
        (["group-by", "a.json"], "`jsonx jq 'group_by(.a)'`"),
        (["with_entries", "a.json"], "`jsonx jq 'with_entries(.a)'`"),
    ] {
        let error = parse(&words).err().unwrap().to_string();
        assert!(error.contains(expected), "{words:?}: {error}");
    }
    let error = parse(&["locate", "a.json", "1:1"]).err().unwrap();
    assert!(error.to_string().contains("FILE:LINE:COL"), "{error}");
    let error = parse(&["get", "--frobnicate"]).err().unwrap().to_string();
    assert!(!error.contains("jsonx jq"), "{error}");
}

/// The table of options by commands: an option of another command is answered with advice, not with a similar spelling.
#[test]
fn every_option_on_every_other_command_is_answered() {
    let program = Cli::command();
    let options = |command: &clap::Command| -> Vec<String> {
        let shown: Vec<_> = (command.get_arguments())
            .filter(|it| !it.is_hide_set())
            .collect();
        let long = shown.iter().filter_map(|it| it.get_long());
        let short = shown.iter().filter_map(|it| it.get_short());
        let long = long.map(|it| format!("--{it}"));
        long.chain(short.map(|it| format!("-{it}"))).collect()
    };
    let all: Vec<String> = program.get_subcommands().flat_map(options).collect();
    for command in program.get_subcommands().filter(|it| !it.is_hide_set()) {
        let own = options(command);
        let global = options(&program);
        for option in all
            .iter()
            .filter(|it| !own.contains(it) && !global.contains(it))
        {
            let typed = option;
            let Err(error) = parse(&[command.get_name(), typed]) else {
                continue; // An alias, or a value of any spelling.
            };
            let error = error.to_string();
            let is_plural = error.contains(&format!("{typed}s'"))
                || error.contains(&format!("'{}'", typed.trim_end_matches('s')));
            assert!(
                !error.contains("unexpected argument")
                    || error.contains("tip: ")
                        && !error.contains("as a value")
                        && (!error.contains("similar argument") || is_plural),
                "jsonx {} {typed}: {error}",
                command.get_name()
            );
        }
    }
}
