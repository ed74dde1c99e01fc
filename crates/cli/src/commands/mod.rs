//! The commands, and what they share: one run over some inputs with one exit code.

mod completions;
mod explain;
mod fmt;
mod get;
mod locate;
mod validate;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;
use jsonx_core::Kernel;

use crate::args::{Cli, Color, Command, Common, Levels, Reporter};
use crate::exit::Exit;
use crate::messages;
use crate::output::{self, Stdout};
use crate::report::Format;
use crate::session::{Channel, Session};
use crate::terminal::colour_on;
use crate::threads;

/// Runs what was asked for.
pub fn run(cli: Cli) -> Exit {
    let kernel = match kernel() {
        Ok(kernel) => kernel,
        Err(error) => {
            messages::line(&crate::report::escape(&format!("jsonx: {error:#}")));
            return Exit::Usage;
        }
    };
    let Some(command) = cli.command else {
        return without_command(cli.version, cli.verbose, kernel);
    };
    threads::configure(match &command {
        Command::Validate(args) => args.selection.threads,
        Command::Fmt(args) => args.selection.threads,
        Command::Get(args) => args.threads,
        _ => None,
    });
    match command {
        Command::Locate(args) => match locate::parse(&args) {
            Ok((file, place)) => start(
                "locate",
                kernel,
                &args.common,
                (Channel::Diagnostics, &ON_STDERR, Levels::NONE),
                false,
                |session| locate::run(session, &args, &file, place),
            ),
            Err(exit) => exit,
        },
        Command::Validate(args) => validate::start(kernel, &args),
        Command::Explain(args) => explain::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Fmt(args) => fmt::start(kernel, &args),
        Command::Get(args) => match get::parse(&args) {
            Ok(request) => start(
                "get",
                kernel,
                &args.common,
                (Channel::Diagnostics, &ON_STDERR, Levels::NONE),
                request.files.is_empty(),
                |session| get::run(session, &args, &request, &or_stdin(&request.files)),
            ),
            Err(exit) => exit,
        },
    }
}

/// How the findings of a command look whose data is something else.
const ON_STDERR: [Reporter; 1] = [Reporter {
    format: Format::Human,
    file: None,
}];

/// Starts a command; `stdin` says that no file was named, so that it reads standard input.
fn start(
    name: &str,
    kernel: Option<Kernel>,
    common: &Common,
    (channel, reporters, levels): (Channel, &[Reporter], Levels),
    stdin: bool,
    work: impl FnOnce(&mut Session) -> io::Result<()>,
) -> Exit {
    if common.max_depth == 0 && name != "validate" {
        return usage(name, "--max-depth 0 (no limit) is for validate only");
    }
    if stdin && io::stdin().is_terminal() {
        return usage(
            name,
            match name {
                "validate" => {
                    "no PATH was given, and standard input is a terminal; `jsonx validate .` checks \
                     this directory"
                }
                _ => "no FILE was given, and standard input is a terminal",
            },
        );
    }
    let mut session = match Session::new(kernel, common, channel, reporters, levels) {
        Ok(session) => session,
        Err(error) => return output::exit_code(Err(error)),
    };
    let result = work(&mut session);
    session.end(result)
}

/// The files that were named, or `-` for standard input.
fn or_stdin(files: &[PathBuf]) -> Vec<PathBuf> {
    match files {
        [] => vec![PathBuf::from("-")],
        some => some.to_vec(),
    }
}

/// The kernel that `JSONX_KERNEL` asks for, if it asks for one.
fn kernel() -> anyhow::Result<Option<Kernel>> {
    let asked = std::env::var_os("JSONX_KERNEL").filter(|name| !name.is_empty());
    asked
        .map(|name| Kernel::by_name(&name.to_string_lossy()))
        .transpose()
        .context("JSONX_KERNEL")
}

fn without_command(version: bool, verbose: bool, kernel: Option<Kernel>) -> Exit {
    if !version {
        messages::always(&Cli::command().render_help().to_string());
        return Exit::Usage;
    }
    let mut text = format!("jsonx {}\n", env!("CARGO_PKG_VERSION"));
    if verbose {
        let others: Vec<&str> = Kernel::available().map(Kernel::name).collect();
        text += &format!(
            "kernel: {} (available here: {})\n",
            kernel.unwrap_or_else(Kernel::best).name(),
            others.join(", ")
        );
    }
    output::exit_code(Stdout::new().and_then(|mut out| {
        out.write_all(text.as_bytes())?;
        Stdout::flush(&mut out)
    }))
}

/// Prints a usage error, in colour where the terminal has it.
pub fn print_usage(error: &clap::Error) -> Exit {
    let text = error.render();
    messages::always(&match colour_on(Color::Auto, &io::stderr()) {
        true => text.ansi().to_string(),
        false => text.to_string(),
    });
    Exit::Usage
}

/// Says that the command cannot start like this, with the usage of the command.
fn usage(command: &str, text: &str) -> Exit {
    let mut cli = Cli::command();
    cli.build();
    let named = cli
        .find_subcommand_mut(command)
        .expect("the name of one of our commands");
    print_usage(&named.error(clap::error::ErrorKind::MissingRequiredArgument, text))
}
