//! Prints help texts without wrapping examples, so that they can be copied.

use clap::Command;
use clap::builder::StyledStr;

use super::STYLES;

/// The heading of the examples, at the end of the long help.
const EXAMPLES: &str = "Examples:\n";

/// Examples in the short help of a command.
const SHORT: usize = 3;

/// The commands in groups, for the help of the program.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("Check", &["validate", "explain"]),
    ("Read", &["get", "jq", "grep", "shape", "locate"]),
    ("Change", &["fmt", "fix", "set", "append", "del", "patch"]),
    ("Compare", &["diff", "merge"]),
    ("Serve", &["lsp", "config", "completions", "help"]),
];

/// Stands for a space at which clap must not break a line; printed as a space.
pub const FIXED: char = '\u{a0}';

/// The command with unwrapped examples. The short help has only the first of them, and the names of the options that it does
/// not describe. `help` gets its own description, because it also prints guides.
pub fn unwrapped(command: Command) -> Command {
    let global = more_options(&command);
    let commands = command.get_subcommands();
    let names: Vec<String> = commands.map(|it| it.get_name().to_owned()).collect();
    let mut command = names.into_iter().fold(fixed(command), |command, name| {
        command.mut_subcommand(name, |command| {
            let mut more = more_options(&command);
            more.extend(global.iter().cloned());
            let mut short = format!("More options, in --help: {}", more.join(", "));
            let long = command.get_after_long_help().map(StyledStr::to_string);
            if let Some((_, examples)) = long.as_deref().and_then(|text| text.split_once(EXAMPLES))
            {
                let lines: Vec<&str> = examples.lines().take(SHORT).collect();
                short = format!("{short}\n\n{EXAMPLES}{}", lines.join("\n"));
            }
            fixed(command.after_help(short))
        })
    });
    // clap adds this command when it builds the others.
    command.build();
    let command = command.mut_subcommand("help", |help| {
        help.about("Print the help of a command, or a guide")
    });
    in_groups(command)
}

/// The program with its commands in groups, in place of clap's list.
fn in_groups(command: Command) -> Command {
    let header = STYLES.get_header();
    let literal = STYLES.get_literal();
    let mut text = String::new();
    for (title, names) in GROUPS {
        text += &format!("{header}{title}:{header:#}\n");
        for command in names
            .iter()
            .filter_map(|name| command.find_subcommand(name))
        {
            let about = command.get_about().cloned().unwrap_or_default();
            text += &format!(
                "  {literal}{:<11}{literal:#}  {about}\n",
                command.get_name()
            );
        }
        text.push('\n');
    }
    let names: Vec<String> = command
        .get_subcommands()
        .map(|it| it.get_name().to_owned())
        .collect();
    let command = names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |it| it.hide(true))
    });
    command
        .override_usage("jsonx [OPTIONS] [COMMAND]")
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}{{all-args}}{{after-help}}"
        ))
}

/// The options that only the long help describes.
fn more_options(command: &Command) -> Vec<String> {
    let hidden = command
        .get_arguments()
        .filter(|it| it.is_hide_short_help_set() && !it.is_hide_set());
    let names = hidden.filter_map(|it| it.get_long());
    names.map(|name| format!("--{name}")).collect()
}

fn fixed(command: Command) -> Command {
    let lines = |text: &StyledStr| {
        let text = text.to_string();
        let lines = text.split('\n').map(|line| {
            if line.starts_with("  ") {
                line.replace(' ', &FIXED.to_string())
            } else {
                line.to_owned()
            }
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
