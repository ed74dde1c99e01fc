//! The command line of jsonx: arguments, input and output, and messages.
//!
//! ```text
//! args ──► commands ──► input ──► jsonx_core ──► output      data
//!              └──► findings ──► report ──────► stderr      messages (stdout for the findings of validate)
//! ```
//!
//! This crate does not parse JSON: it reads windows of bytes, passes them to the core, and prints the results.

mod args;
mod bar;
mod changes;
mod check;
mod colors;
mod commands;
mod config;
mod diagnostics;
mod exit;
mod files;
mod input;
mod messages;
mod output;
mod pager;
mod path_messages;
mod progress;
mod repair;
pub mod report;
mod schema;
mod session;
mod system;
mod terminal;
mod threads;
mod words;

use std::ffi::OsString;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::exit::Exit;

/// Messages about programs in jq's language, for the Python module.
#[cfg(feature = "jq")]
#[doc(hidden)]
pub mod jq {
    pub use crate::commands::jq::{marked, pointed};
}

pub use output::Allocator;

/// The definition of the command line, from which the man pages are generated.
///
/// ```
/// let names: Vec<_> = jsonx_cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
/// assert!(names.contains(&"validate".to_owned()));
/// ```
pub fn command() -> clap::Command {
    <args::Cli as clap::CommandFactory>::command()
}

/// The JSON Schema of `jsonx.json`, for editors.
///
/// ```
/// assert!(jsonx_cli::config_schema().contains("\"overrides\""));
/// ```
pub fn config_schema() -> String {
    config::json_schema()
}

/// A regular expression for the names of the files that `jsonx validate .` checks or, if `rewritten`, that `jsonx fmt -w .` may
/// rewrite: for the hooks of other programs.
///
/// ```
/// assert!(jsonx_cli::hook_pattern(false).contains("|geojson|"));
/// ```
pub fn hook_pattern(rewritten: bool) -> String {
    files::hook_pattern(rewritten)
}

/// The table of the settings of `jsonx.json`, in Markdown.
///
/// ```
/// assert!(jsonx_cli::config_guide().contains("| `indent` |"));
/// ```
pub fn config_guide() -> String {
    config::table::guide()
}

/// Serves a client of the Language Server Protocol as `jsonx lsp` does; returns whether it was shut down properly. For the
/// fuzzer.
///
/// # Errors
/// The output cannot be written.
///
/// ```
/// let mut output = Vec::new();
/// let ended = jsonx_cli::serve(&b"Content-Length: 2\r\n\r\n{}"[..], &mut output);
/// assert!(!ended.unwrap());
/// assert!(String::from_utf8(output).unwrap().contains("no method"));
/// ```
#[doc(hidden)]
pub fn serve(
    input: impl std::io::BufRead + Send + 'static,
    output: impl std::io::Write,
) -> std::io::Result<bool> {
    commands::lsp::serve_plainly(input, output)
}

/// The text of a source, which another thread decompresses if its first bytes are those of compressed data. For the Python module.
///
/// # Errors
/// Errors of reading; the system cannot start a thread.
#[doc(hidden)]
pub fn decompressed(
    source: impl std::io::Read + Send + 'static,
) -> std::io::Result<Box<dyn std::io::Read + Send>> {
    input::decompressed(source)
}

/// The name of the compression of data that begins with these bytes. For the Python module.
#[doc(hidden)]
pub fn compression(first: &[u8]) -> Option<&'static str> {
    match input::Encoding::detect(first) {
        input::Detected::Encoded(compression) => Some(compression.name()),
        _ => None,
    }
}

/// Runs the command that the process was started with, and returns its exit code.
///
/// A panic is reported in one line and with the exit code 4: scripts rely on the codes.
pub fn run() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if is_called_jq(&arguments) {
        arguments.insert(1, "jq".into());
    }
    ExitCode::from(run_with(&arguments))
}

/// Whether the program was started by a link named `jq`.
fn is_called_jq(arguments: &[OsString]) -> bool {
    let name = arguments
        .first()
        .map(std::path::Path::new)
        .and_then(std::path::Path::file_stem);
    cfg!(feature = "jq") && name.is_some_and(|name| name == "jq")
}

/// As [`run`], with these arguments, the first of which is the name of the program: for a process started from another language.
///
/// ```
/// assert_eq!(jsonx_cli::run_with(&["jsonx".into(), "--version".into()]), 0);
/// ```
pub fn run_with(arguments: &[OsString]) -> u8 {
    panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map(|at| format!(" at {}:{}", at.file(), at.line()))
            .unwrap_or_default();
        let payload = info.payload();
        let cause = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("unknown");
        messages::always(&format!(
            "jsonx: internal error{place}: {}; please report it\n",
            report::escape(cause)
        ));
    }));
    let exit = panic::catch_unwind(AssertUnwindSafe(|| match args::Cli::new(arguments) {
        Ok(cli) => commands::run(cli),
        Err(error) if error.kind() == ErrorKind::DisplayVersion => {
            let is_jq = arguments.get(1).is_some_and(|command| command == "jq");
            commands::version(args::is_verbose(arguments), is_jq) as u8
        }
        Err(error) if error.use_stderr() => commands::print_usage(&error) as u8,
        Err(help) => commands::print_help(&help) as u8,
    }));
    exit.unwrap_or(Exit::Failure as u8)
}
