//! `jsonx explain`: explains codes, and prints the guides.

use std::io;

use clap::CommandFactory;
use jsonx_diagnose::{Code, Report};

use super::print;
use crate::args::hints::other_command;
use crate::args::{Cli, Explain, Global};
use crate::config::table;
use crate::exit::Exit;
use crate::files::dialects;
use crate::messages;
use crate::pager;
use crate::path_messages::did_you_mean;
use crate::report::{File, escape, explain, guide, human};
use crate::schema;
use crate::terminal;
use jsonx_core::string::nearest::nearest;
use jsonx_schema::keywords::{self, KEYWORDS};

/// Topics besides codes.
pub struct Topic {
    /// The name to type.
    pub name: &'static str,
    /// A description in one line.
    pub help: &'static str,
    text: EntryText,
}

enum EntryText {
    Made(fn() -> String),
    Guide(&'static str),
}

/// A guide: its name, its file and its description.
macro_rules! guide {
    ($name:literal, $file:literal, $help:literal) => {
        Topic {
            name: $name,
            help: $help,
            text: EntryText::Guide(include_str!(concat!(env!("JSONX_GUIDES"), "/", $file))),
        }
    };
}

/// All topics: tables of the program, and the guides.
///
/// The guides are generated copies of those in `docs/`, because a package holds no files from outside its crate.
pub const TOPICS: [Topic; 22] = [
    Topic {
        name: "config",
        help: "The settings of jsonx.json",
        text: EntryText::Made(table::explain),
    },
    Topic {
        name: "jsonc",
        help: "The files that may have comments",
        text: EntryText::Made(dialects::explain),
    },
    guide!(
        "checking",
        "validate.md",
        "Checking files, pipes, logs and repositories; lints"
    ),
    guide!("ci", "ci.md", "Reports and snippets for CI services"),
    guide!("clusters", "clusters.md", "Spark, Polars, DuckDB, Hadoop"),
    guide!("comments", "jsonc.md", "JSON with comments, and JSON5"),
    guide!(
        "comparison",
        "comparison.md",
        "Other programs on the same input"
    ),
    guide!("differences", "diff.md", "Comparing and patching documents"),
    guide!(
        "editing",
        "editing.md",
        "Changing values and keeping every other byte"
    ),
    guide!(
        "editors",
        "editors.md",
        "The language server in each editor"
    ),
    guide!(
        "exit-codes",
        "exit-codes.md",
        "Exit codes of each command, for scripts"
    ),
    guide!(
        "formatting",
        "formatting.md",
        "Layouts, and where they come from"
    ),
    guide!("git", "git.md", "Staged files, and differences by value"),
    guide!("library", "library.md", "The library for Rust programs"),
    guide!(
        "messagepack",
        "messagepack.md",
        "Reading and writing MessagePack"
    ),
    guide!(
        "paths",
        "paths.md",
        "Paths, filters and tables; coming from jq"
    ),
    guide!("programs", "jq.md", "Programs in jq's language"),
    guide!("recipes", "recipes.md", "Commands by task"),
    guide!("repair", "repair.md", "Repairing malformed JSON"),
    guide!(
        "replaced",
        "replaced.md",
        "Removed options and commands, and their replacements"
    ),
    guide!("schemas", "schema.md", "Checking with JSON Schemas"),
    guide!(
        "settings",
        "config.md",
        "The file jsonx.json of a repository"
    ),
];

impl Topic {
    fn text(&self, global: &Global) -> String {
        match self.text {
            EntryText::Made(text) => text(),
            EntryText::Guide(text) => {
                let options = terminal::human_options(global.color, &io::stdout());
                if options.wraps {
                    guide::render(text, &options)
                } else {
                    text.to_owned()
                }
            }
        }
    }

    /// Whether a word, such as `logs`, is one of those that describe a guide.
    fn mentions(&self, word: &str) -> bool {
        let mut words = self.help.split(|c: char| !c.is_alphanumeric());
        let is_guide = matches!(self.text, EntryText::Guide(_));
        is_guide && word.len() > 3 && words.any(|it| it.eq_ignore_ascii_case(word))
    }
}

/// Prints the explanation of a code, or all codes.
pub fn run(args: &Explain, global: &Global) -> Exit {
    let Some(name) = &args.code else {
        return print(explain::list().as_bytes());
    };
    let name = as_printed(name);
    let text = if let Some(topic) = TOPICS.iter().find(|topic| topic.name == name) {
        topic.text(global)
    } else if let Ok(code) = name.parse::<Code>() {
        explain::explain(code, &terminal::human_options(global.color, &io::stdout()))
    } else if keywords::of_code(name).is_some() {
        keyword(name, global)
    } else if let Some(topic) = TOPICS.iter().find(|topic| topic.mentions(name)) {
        topic.text(global)
    } else {
        messages::line(&unknown(name));
        return Exit::Usage;
    };
    if pager::show(&text) {
        Exit::Done
    } else {
        print(text.as_bytes())
    }
}

/// The name in the first line of a finding, such as `error[trailing-comma]`; any other name is itself.
fn as_printed(name: &str) -> &str {
    let code = name.split_once('[').and_then(|(level, code)| {
        let code = code.trim_end_matches(':').strip_suffix(']')?;
        matches!(level, "error" | "warning").then_some(code)
    });
    code.unwrap_or(name)
}

/// The meaning of a schema code, with its example checked.
fn keyword(name: &str, global: &Global) -> String {
    let Some(keyword) = keywords::of_code(name) else {
        return String::new();
    };
    let options = terminal::human_options(global.color, &io::stdout());
    let findings = schema::example(keyword);
    // Some are about the schema itself.
    let file = match keyword.wrong {
        "" => File::new("example.schema.json", keyword.schema.as_bytes()),
        wrong => File::new("example.json", wrong.as_bytes()),
    };
    let said = (!findings.is_empty()).then(|| {
        let mut report = Report::default();
        report.errors = findings.len() as u64;
        report.diagnostics = findings;
        human::render(&report, &file, &options)
    });
    explain::explain_keyword(keyword, said.as_deref(), options.width)
}

fn unknown(name: &str) -> String {
    let codes = Code::ALL.iter().map(|code| code.as_str().as_bytes());
    let codes = codes.chain(KEYWORDS.iter().map(|keyword| keyword.code.as_bytes()));
    let codes = codes.chain(TOPICS.iter().map(|topic| topic.name.as_bytes()));
    let near = nearest(name.as_bytes(), codes);
    let command = other_command(name.as_ref()).filter(|_| near.is_none());
    if let Some(advice) = command {
        return format!("jsonx: {advice}");
    }
    let advice = match near {
        Some(near) => did_you_mean(near),
        None => commands_with_option(name).unwrap_or_else(|| {
            "`jsonx explain` lists all codes, `jsonx help` all topics".to_owned()
        }),
    };
    format!(
        "jsonx: there is no code or topic {}; {advice}",
        escape(name)
    )
}

/// The commands with an option of this name.
fn commands_with_option(word: &str) -> Option<String> {
    let cli = Cli::command();
    let option = word.trim_start_matches('-');
    let commands = cli
        .get_subcommands()
        .filter(|it| (it.get_arguments()).any(|argument| argument.get_long() == Some(option)))
        .map(|it| format!("`jsonx help {}`", it.get_name()));
    let commands: Vec<String> = commands.take(3).collect();
    (!commands.is_empty()).then(|| format!("--{option} is an option: {}", commands.join(", ")))
}
