//! `jsonx explain`: what a code means.

use std::io;

use jsonx_core::diagnose::{Code, Report};

use super::print;
use crate::args::{Explain, Global};
use crate::config::table;
use crate::exit::Exit;
use crate::files::dialects;
use crate::messages;
use crate::report::{File, escape, explain, human};
use crate::schema;
use crate::terminal;
use jsonx_core::diagnose::nearest::nearest;
use jsonx_schema::keywords::{self, KEYWORDS};

/// The guide to paths: a generated copy of `docs/paths.md`, because a package holds no files from outside its crate.
const PATHS: &str = include_str!("../../docs/paths.md");

/// What is explained besides codes.
pub struct Topic {
    /// What to type.
    pub name: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    text: fn() -> String,
}

/// All topics.
pub const TOPICS: [Topic; 3] = [
    Topic {
        name: "config",
        help: "The settings of jsonx.json",
        text: table::explain,
    },
    Topic {
        name: "jsonc",
        help: "The files that may have comments",
        text: dialects::explain,
    },
    Topic {
        name: "paths",
        help: "The guide to paths",
        text: || PATHS.to_owned(),
    },
];

/// Prints what the code means, or all codes.
pub fn run(args: &Explain, global: &Global) -> Exit {
    let Some(name) = &args.code else {
        return print(explain::list().as_bytes());
    };
    let text = if let Some(topic) = TOPICS.iter().find(|topic| topic.name == name) {
        (topic.text)()
    } else if let Ok(code) = name.parse::<Code>() {
        explain::explain(code, &terminal::human_options(global.color, &io::stdout()))
    } else if keywords::of_code(name).is_some() {
        keyword(name, global)
    } else {
        messages::line(&unknown(name));
        return Exit::Usage;
    };
    print(text.as_bytes())
}

/// What a code of schemas means, with its example checked.
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
    let advice = match nearest(name.as_bytes(), codes) {
        Some(near) => format!("did you mean {}?", escape(near)),
        None => "`jsonx explain` lists all codes".to_owned(),
    };
    format!("jsonx: there is no code {}; {advice}", escape(name))
}
