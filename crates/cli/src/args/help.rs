//! Help texts as they are printed: examples are never wrapped, because they are to be copied.

use clap::Command;
use clap::builder::StyledStr;

/// Examples in the short help of a command.
const SHORT: usize = 3;

/// Stands for a space at which clap must not break a line; printed as a space.
pub const FIXED: char = '\u{a0}';

/// The command with examples that are not wrapped, and only the first of them in the short help.
pub fn unwrapped(command: Command) -> Command {
    let commands = command.get_subcommands();
    let names: Vec<String> = commands.map(|it| it.get_name().to_owned()).collect();
    names.into_iter().fold(fixed(command), |command, name| {
        command.mut_subcommand(name, |command| {
            let short = command.get_after_help().map(|text| {
                let text = text.to_string();
                let lines: Vec<&str> = text.lines().take(1 + SHORT).collect();
                lines.join("\n")
            });
            fixed(match short {
                Some(short) => command.after_help(short),
                None => command,
            })
        })
    })
}

fn fixed(command: Command) -> Command {
    let lines = |text: &StyledStr| {
        let text = text.to_string();
        let lines = text.split('\n').map(|line| match line.starts_with("  ") {
            true => line.replace(' ', &FIXED.to_string()),
            false => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let short = command.get_after_help().map(lines);
    let long = command.get_after_long_help().map(lines);
    let command = match short {
        Some(text) => command.after_help(text),
        None => command,
    };
    match long {
        Some(text) => command.after_long_help(text),
        None => command,
    }
}
