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

/// Prints what the code means, or all codes.
pub fn run(args: &Explain, global: &Global) -> Exit {
    let text = match &args.code {
        None => explain::list(),
        Some(name) if name == "jsonc" => dialects::explain(),
        Some(name) if name == "paths" => PATHS.to_owned(),
        Some(name) => match name.parse::<Code>() {
            Ok(code) => {
                explain::explain(code, &terminal::human_options(global.color, &io::stdout()))
            }
            Err(_) => {
                messages::line(&unknown(name));
                return Exit::Usage;
            }
        },
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
