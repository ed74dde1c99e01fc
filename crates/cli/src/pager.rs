//! Shows long output on a terminal page by page: in `PAGER` or, if it is not set, in `less`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

use crate::args::Cli;
use crate::exit::Exit;
use crate::system;
use crate::terminal::{Color, Terminal, is_colored};

/// Prints a text, in a pager if it is longer than the screen of the terminal. Returns `false` if the standard output is no terminal,
/// or no pager can be started; then nothing is printed.
pub fn show(text: &str) -> bool {
    let rows = terminal_size::terminal_size_of(io::stdout()).map(|(_, rows)| usize::from(rows.0));
    if rows.is_none_or(|rows| text.lines().count() < rows) {
        return false;
    }
    let Ok(mut pager) = start() else { return false };
    if let Some(mut input) = pager.stdin.take() {
        // It may be closed before its end.
        let _ = input.write_all(text.as_bytes());
    }
    has_run(&mut pager)
}

/// With `--pager` on a terminal: runs the same command again, its output in a pager. Returns its exit code; `None` if nothing was
/// done.
pub fn run_again(arguments: &[OsString]) -> Option<u8> {
    if !arguments.iter().any(|argument| argument == "--pager") {
        return None;
    }
    let columns = io::stdout().columns()?;
    let global = Cli::new(arguments).ok()?.global;
    let mut pager = start().ok()?;
    let input = pager.stdin.take()?;
    let mut command = Command::new(std::env::current_exe().ok()?);
    if global.color == Color::Auto {
        let is_colored = is_colored(Color::Auto, &io::stdout());
        command.args(["--color", if is_colored { "always" } else { "never" }]);
    }
    command.args(&arguments[1..]).stdout(input);
    command.env("COLUMNS", columns.to_string());
    // Dropped before the pager is awaited, because it contains the other end of the pipe.
    let status = command.status();
    drop(command);
    let is_shown = has_run(&mut pager);
    let code = status.ok()?.code().map(|code| code as u8);
    // Without a code, a signal has ended the command; without a pager, the shell has said why.
    Some(code.filter(|_| is_shown).unwrap_or(Exit::Failure as u8))
}

/// Waits for the pager. Returns whether the shell found it.
fn has_run(pager: &mut Child) -> bool {
    let code = pager.wait().ok().and_then(|status| status.code());
    !matches!(code, Some(126 | 127 | 9009))
}

/// Starts the pager, in a shell because `PAGER` may have arguments. `less` keeps colors, and ends at once if the text fits the screen.
fn start() -> io::Result<Child> {
    let pager = std::env::var_os("PAGER").filter(|pager| !pager.is_empty());
    let (shell, option, usual) = if cfg!(windows) {
        ("cmd", "/C", "more")
    } else {
        ("sh", "-c", "less")
    };
    let mut command = Command::new(shell);
    command.arg(option).arg(pager.unwrap_or(usual.into()));
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    // `less` stops at Ctrl-C what it does, and stays.
    system::outlive_interrupts()?;
    command.stdin(Stdio::piped()).spawn()
}
