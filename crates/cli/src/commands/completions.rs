//! `jsonx completions`: a script for a shell, made from the definition of the command line.

use clap::CommandFactory;

use crate::args::{Cli, Completions};
use crate::exit::Exit;
use crate::output::{self, Stdout};

/// Prints the script.
pub fn run(args: &Completions) -> Exit {
    // Into memory first: the generator takes a failed write for a reason to panic.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "jsonx", &mut script);
    output::exit_code(Stdout::new().and_then(|mut out| {
        std::io::Write::write_all(&mut out, &script)?;
        Stdout::flush(&mut out)
    }))
}
