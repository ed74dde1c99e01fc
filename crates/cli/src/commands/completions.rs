//! `jsonx completions`: a script for a shell, made from the definition of the command line.

use clap::CommandFactory;

use super::print;
use crate::args::{Cli, Completions};
use crate::exit::Exit;

/// Prints the script.
pub fn run(args: &Completions) -> Exit {
    // Into memory first: the generator panics when a write fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "jsonx", &mut script);
    print(&script)
}
