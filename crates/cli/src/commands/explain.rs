//! `jsonx explain`: what a code means.

use std::io;

use jsonx_core::diagnose::Code;

use super::print;
use crate::args::{Explain, Global};
use crate::exit::Exit;
use crate::files::dialects;
use crate::messages;
use crate::nearest::nearest;
use crate::report::{escape, explain};
use crate::terminal;

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
pub const TOPICS: [Topic; 2] = [
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
    } else {
        messages::line(&unknown(name));
        return Exit::Usage;
    };
    print(text.as_bytes())
}

fn unknown(name: &str) -> String {
    let codes = Code::ALL.iter().map(|code| code.as_str().as_bytes());
    let advice = match nearest(name.as_bytes(), codes) {
        Some(near) => format!("did you mean {}?", escape(near)),
        None => "`jsonx explain` lists all codes".to_owned(),
    };
    format!("jsonx: there is no code {}; {advice}", escape(name))
}
