//! `--allow`, `--warn` and `--deny`: the level of every lint.

use clap::{ArgAction, ArgMatches, Args, FromArgMatches};
use jsonx_core::order::sort_by_place;
use jsonx_diagnose::Lints;

use crate::diagnostics::{Level, Levels, LintSelection};
use crate::path_messages::did_you_mean;
use jsonx_core::string::nearest::nearest;
use jsonx_schema::keywords;

const HEADING: &str = "Lints";

/// `--allow`, `--warn`, `--deny` as clap parses them; their order matters.
#[derive(Args)]
struct LevelArgs {
    /// Do not report a lint
    #[arg(long, value_name = "LINT", help_heading = HEADING, value_parser = lint, action = ArgAction::Append)]
    allow: Vec<LintSelection>,

    /// Report a lint as a warning (the default)
    ///
    /// Later --allow, --warn and --deny options override earlier ones.
    #[arg(long, value_name = "LINT", help_heading = HEADING, value_parser = lint, action = ArgAction::Append)]
    warn: Vec<LintSelection>,

    /// Report a lint as an error
    #[arg(long, value_name = "LINT", help_heading = HEADING, value_parser = lint, action = ArgAction::Append)]
    deny: Vec<LintSelection>,
}

/// Parses the name of a lint, or `all`.
fn lint(name: &str) -> Result<LintSelection, String> {
    if let Some(selection) = LintSelection::named(name) {
        return Ok(selection);
    }
    if name.starts_with("schema/") {
        let names = keywords::KEYWORDS
            .iter()
            .map(|keyword| keyword.code.as_bytes());
        let hint = match nearest(name.as_bytes(), names) {
            Some(near) => did_you_mean(&format!("`{}`", String::from_utf8_lossy(near))),
            None => "`jsonx explain` lists all codes".to_owned(),
        };
        return Err(format!("there is no such keyword; {hint}"));
    }
    let names = Lints::CODES.iter().map(|code| code.as_str());
    let is_part = |other: &&str| name.len() > 2 && other.contains(name);
    let meant = names.clone().find(is_part).map(str::as_bytes);
    let meant = meant.or_else(|| nearest(name.as_bytes(), names.clone().map(str::as_bytes)));
    let list: Vec<&str> = names.chain(["schema/KEYWORD", "all"]).collect();
    let hint = match meant {
        Some(meant) => {
            let meant = String::from_utf8_lossy(meant);
            format!("; {}", did_you_mean(&format!("`{meant}`")))
        }
        None => String::new(),
    };
    Err(format!("the lints are {}{hint}", list.join(", ")))
}

/// Lists the lints in the help, from their registry.
fn describe(command: clap::Command) -> clap::Command {
    let names: Vec<&str> = Lints::CODES.iter().map(|code| code.as_str()).collect();
    let help = format!(
        "Do not report a lint: {}, or all of these; or schema/KEYWORD",
        names.join(", ")
    );
    command.mut_arg("allow", |arg| arg.help(help))
}

impl FromArgMatches for Levels {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Levels, clap::Error> {
        let mut levels = Levels::default();
        levels.update_from_arg_matches(matches)?;
        Ok(levels)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let mut options: Vec<(usize, LintSelection, Level)> = Vec::new();
        for (option, level) in [
            ("allow", Level::Off),
            ("warn", Level::Warn),
            ("deny", Level::Deny),
        ] {
            let which = matches
                .get_many::<LintSelection>(option)
                .into_iter()
                .flatten();
            let places = matches.indices_of(option).into_iter().flatten();
            options.extend(places.zip(which).map(|(at, &which)| (at, which, level)));
        }
        sort_by_place(&mut options, |(at, ..)| (*at, 0));
        for (_, which, level) in options {
            self.set_explicit(which, level);
        }
        Ok(())
    }
}

impl Args for Levels {
    fn augment_args(command: clap::Command) -> clap::Command {
        describe(LevelArgs::augment_args(command))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        describe(LevelArgs::augment_args_for_update(command))
    }
}
