//! `jsonx explain`: what a code means.

use std::io::{self, Write};

use jsonx_core::diagnose::Code;
use jsonx_core::path::nearest;

use crate::args::Explain;
use crate::exit::Exit;
use crate::messages;
use crate::output::{self, Stdout};
use crate::report::{escape, explain};
use crate::terminal;

/// Prints what the code means, or all codes.
pub fn run(args: &Explain) -> Exit {
    let text = match &args.code {
        None => explain::list(),
        Some(name) => match name.parse::<Code>() {
            Ok(code) => explain::explain(code, &terminal::look(args.color, &io::stdout())),
            Err(_) => {
                messages::line(&unknown(name));
                return Exit::Usage;
            }
        },
    };
    output::exit_code(Stdout::new().and_then(|mut out| {
        out.write_all(text.as_bytes())?;
        Stdout::flush(&mut out)
    }))
}

fn unknown(name: &str) -> String {
    let codes = Code::ALL.iter().map(|code| code.as_str().as_bytes());
    let advice = match nearest(name.as_bytes(), codes) {
        Some(near) => format!("did you mean {}?", escape(near)),
        None => "`jsonx explain` lists all codes".to_owned(),
    };
    format!("jsonx: there is no code {}; {advice}", escape(name))
}
