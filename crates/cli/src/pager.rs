//! Shows a guide on a terminal page by page: in `PAGER` or, if it is not set, in `less`.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

use crate::system;

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
