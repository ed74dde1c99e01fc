//! The commands, one file or folder each. Shared code is below them: `session/`, `changes/`, `check/`.

mod completions;
mod config;
mod diff;
mod edit;
mod explain;
mod fix;
mod fmt;
mod get;
mod grep;
#[cfg(feature = "jq")]
pub mod jq;
mod locate;
pub mod lsp;
mod merge;
mod patch;
mod shape;
mod validate;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use std::sync::Arc;

use clap::{Args, CommandFactory};
use jsonx_core::engine::Kernel;

use crate::args::{self, Cli, Common, Global};
use crate::config::Configs;
use crate::diagnostics::Levels;
use crate::exit::Exit;
use crate::files::staged::Staged;
use crate::files::{Files, Selection, is_selected};
use crate::messages;
use crate::output::{self, Stdout};
use crate::report::escape;
use crate::schema::BadOption;
use crate::session::{Channel, Reporter, Session, SessionOptions};
use crate::terminal::{self, Color};
use crate::threads;

/// A command that works on JSON inputs.
trait Command: Args {
    /// Its name on the command line.
    const NAME: &'static str;

    /// Whether `--max-depth 0` is allowed: memory then follows the depth of the input.
    const DEPTH_MAY_BE_UNLIMITED: bool = false;

    /// The hint if no file is given and standard input is not redirected.
    const NO_INPUT: &'static str = "no FILE was given, and standard input is a terminal";

    /// The parsed arguments.
    type Work<'a>
    where
        Self: 'a;

    /// The inputs that are named, if all of them are known: the progress bar shows their length.
    fn named(&self) -> Option<&[PathBuf]> {
        None
    }

    /// The options that all such commands share.
    fn common(&self) -> &Common;

    /// `--skip-invalid`, of commands that have it.
    fn skips_invalid(&self) -> bool {
        false
    }

    /// The files of `--staged`, of commands that have it. They replace the files of the arguments.
    fn staged(&mut self) -> Option<&mut Selection> {
        None
    }

    /// Turns the arguments into work, before anything is opened.
    ///
    /// # Errors
    /// The command cannot start with these arguments.
    fn plan(&self, global: &Global) -> Result<Plan<Self::Work<'_>>, UsageError>;

    /// Does the work.
    ///
    /// # Errors
    /// Standard output cannot be written.
    fn run(&self, work: Self::Work<'_>, session: &mut Session) -> io::Result<()>;
}

/// The work of a command.
struct Plan<W> {
    /// Standard input is read because no file is given.
    stdin_is_implied: bool,
    /// The probably intended command, if an argument names a file.
    meant: Option<String>,
    /// The destination and the formats of findings, and the levels of lints.
    channel: Channel,
    reporters: Vec<Reporter>,
    levels: Levels,
    work: W,
}

impl<W> Plan<W> {
    /// A plan of a command whose data is not its findings: those go to standard error.
    fn with_findings_on_stderr(work: W, stdin_is_implied: bool) -> Plan<W> {
        Plan {
            stdin_is_implied,
            meant: None,
            channel: Channel::Diagnostics,
            reporters: vec![Reporter::HUMAN],
            levels: Levels::NONE,
            work,
        }
    }
}

impl<'f> Plan<Files<'f>> {
    /// A plan of a command that changes or prints the selected files.
    ///
    /// # Errors
    /// The arguments are wrong for this `reason`, or a glob is invalid.
    fn of_files(
        selection: &'f Selection,
        reason: Option<&'static str>,
    ) -> Result<Plan<Files<'f>>, UsageError> {
        if let Some(reason) = reason {
            return Err(UsageError::Arguments(reason.to_owned()));
        }
        let files = selection.files().map_err(|error| UsageError::new(&error))?;
        Ok(Plan::with_findings_on_stderr(files, selection.is_empty()))
    }
}

/// The reason why a command cannot start.
enum UsageError {
    /// A wrong combination of arguments; printed with the usage of the command.
    Arguments(String),
    /// A wrong argument, or one that names something that cannot be used: the exit code, and the complete message.
    Failed(u8, String),
}

impl UsageError {
    /// A message that begins with the name of the program.
    fn new(error: &anyhow::Error) -> UsageError {
        UsageError::message(format!("jsonx: {error:#}"))
    }

    /// An option that is wrong, or names a file that cannot be read.
    fn of_option((exit, text): BadOption) -> UsageError {
        match exit {
            Exit::Usage => UsageError::Arguments(text),
            exit => UsageError::Failed(exit as u8, format!("jsonx: {text}")),
        }
    }

    /// A wrong argument.
    fn message(text: String) -> UsageError {
        UsageError::Failed(Exit::Usage as u8, text)
    }
}

/// Runs the parsed command.
pub fn run(cli: Cli) -> u8 {
    let kernel = match kernel() {
        Ok(kernel) => kernel,
        Err(exit) => return exit as u8,
    };
    let global = &cli.global;
    threads::configure(global.threads);
    if global.quiet {
        messages::set_quiet();
    }
    if let Some(asked) = global.threads.filter(|&asked| asked > threads::MOST) {
        messages::line(&format!(
            "jsonx: --threads {asked}: at most {} are used",
            threads::MOST
        ));
    }
    let formats = cli.command.is_none() && !io::stdin().is_terminal();
    match cli
        .command
        .or_else(|| args::Command::fmt().filter(|_| formats))
    {
        Some(args::Command::Validate(args)) => start(args, global, kernel),
        Some(args::Command::Fix(args)) => start(args, global, kernel),
        Some(args::Command::Fmt(args)) => start(args, global, kernel),
        Some(args::Command::Get(args)) => start(args, global, kernel),
        Some(args::Command::Grep(args)) => start(args, global, kernel),
        Some(args::Command::Shape(args)) => start(args, global, kernel),
        #[cfg(feature = "jq")]
        Some(args::Command::Jq(args)) => start(args, global, kernel),
        Some(args::Command::Set(args)) => start(args, global, kernel),
        Some(args::Command::Append(args)) => start(args, global, kernel),
        Some(args::Command::Del(args)) => start(args, global, kernel),
        Some(args::Command::Locate(args)) => start(args, global, kernel),
        Some(args::Command::Diff(args)) => start(args, global, kernel),
        Some(args::Command::Merge(args)) => start(args, global, kernel),
        Some(args::Command::Patch(args)) => start(args, global, kernel),
        Some(args::Command::Config(args)) => start(args, global, kernel),
        Some(args::Command::Lsp(args)) => start(args, global, kernel),
        Some(args::Command::Explain(args)) => explain::run(&args, global) as u8,
        Some(args::Command::Completions(args)) => completions::run(&args) as u8,
        None => {
            messages::always(&args::help());
            Exit::Usage as u8
        }
    }
}

/// Starts a command: the only path from arguments to an exit code.
fn start<C: Command>(mut args: C, global: &Global, kernel: Option<Kernel>) -> u8 {
    let staged = match args.staged() {
        Some(selection) => match Staged::list() {
            Ok(staged) => {
                let paths = staged.paths().into_iter();
                selection.paths = paths.filter(|path| is_selected(path)).collect();
                // There is nothing to do.
                if selection.paths.is_empty() {
                    return Exit::Done as u8;
                }
                Some(Arc::new(staged))
            }
            Err(error) => {
                messages::always(&format!(
                    "jsonx: --staged: {}\n",
                    escape(&error.to_string())
                ));
                return Exit::Failure as u8;
            }
        },
        None => None,
    };
    if args.common().max_depth == Some(0) && !C::DEPTH_MAY_BE_UNLIMITED {
        return usage::<C>("--max-depth 0 (no limit) is for validate only") as u8;
    }
    let plan = match args.plan(global) {
        Ok(plan) => plan,
        Err(UsageError::Arguments(text)) => return usage::<C>(&text) as u8,
        Err(UsageError::Failed(code, text)) => {
            messages::always(&format!("{text}\n"));
            return code;
        }
    };
    if plan.stdin_is_implied && io::stdin().is_terminal() {
        return usage::<C>(plan.meant.as_deref().unwrap_or(C::NO_INPUT)) as u8;
    }
    match session(&args, global, kernel, staged, plan) {
        Ok((mut session, work)) => {
            session.start_progress(args.named());
            let result = args.run(work, &mut session);
            session.end(result)
        }
        Err(error) => output::exit_code(Err(error)) as u8,
    }
}

/// The session of a command, and its work.
///
/// # Errors
/// Standard output cannot be opened.
fn session<C: Command, W>(
    args: &C,
    global: &Global,
    kernel: Option<Kernel>,
    staged: Option<Arc<Staged>>,
    plan: Plan<W>,
) -> io::Result<(Session, W)> {
    let common = args.common();
    let session = Session::new(SessionOptions {
        kernel,
        rules: common.input.clone(),
        lossy: common.lossy,
        max_depth: common.max_depth,
        max_errors: common.max_errors,
        color: global.color,
        skip_invalid: args.skips_invalid(),
        quiet: global.quiet,
        verbose: global.verbose,
        channel: plan.channel,
        reporters: plan.reporters,
        levels: plan.levels,
        configs: Configs::new(&common.config),
        staged,
    })?;
    Ok((session, plan.work))
}

/// The kernel that `JSONX_KERNEL` requests, if any; prints why it cannot be used.
fn kernel() -> Result<Option<Kernel>, Exit> {
    let asked = std::env::var_os("JSONX_KERNEL").filter(|name| !name.is_empty());
    let kernel = asked.map(|name| Kernel::by_name(&name.to_string_lossy()));
    kernel.transpose().map_err(|error| {
        messages::always(&(escape(&format!("jsonx: JSONX_KERNEL: {error}")) + "\n"));
        Exit::Usage
    })
}

/// Prints the version; with `verbose`, the kernel in use too. Scripts look for that of jq.
pub fn version(verbose: bool, is_jq: bool) -> Exit {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = match is_jq {
        true => format!("jq-1.8 (jsonx {version})\n"),
        false => format!("jsonx {version}\n"),
    };
    if verbose {
        let kernel = match kernel() {
            Ok(kernel) => kernel.unwrap_or_else(Kernel::best),
            Err(exit) => return exit,
        };
        let others: Vec<&str> = Kernel::available().map(Kernel::name).collect();
        text += &format!(
            "kernel: {} (available here: {})\n",
            kernel.name(),
            others.join(", ")
        );
    }
    print(text.as_bytes())
}

/// Prints text that needs no input to standard output.
fn print(text: &[u8]) -> Exit {
    output::exit_code(Stdout::new().and_then(|mut out| {
        out.write_all(text)?;
        Stdout::flush(&mut out)
    }))
}

/// Prints help.
pub fn print_help(help: &clap::Error) -> Exit {
    let text = rendered(help, terminal::is_colored(Color::Auto, &io::stdout()));
    print(text.replace(args::FIXED, " ").as_bytes())
}

/// Prints a usage error, in color if the terminal supports it.
pub fn print_usage(error: &clap::Error) -> Exit {
    let is_colored = terminal::is_colored(Color::Auto, &io::stderr());
    messages::always(&rendered(error, is_colored));
    Exit::Usage
}

fn rendered(text: &clap::Error, is_colored: bool) -> String {
    let text = text.render();
    match is_colored {
        true => text.ansi().to_string(),
        false => text.to_string(),
    }
}

/// Prints a usage error with the usage of a command.
fn usage<C: Command>(text: &str) -> Exit {
    let mut cli = Cli::command();
    cli.build();
    let error = match cli.find_subcommand_mut(C::NAME) {
        Some(command) => command.error(clap::error::ErrorKind::MissingRequiredArgument, text),
        None => cli.error(clap::error::ErrorKind::MissingRequiredArgument, text),
    };
    print_usage(&error)
}
