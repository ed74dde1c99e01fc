//! Everything that goes to standard error, except the progress bar.
//!
//! A message is written in one piece, so the output of several threads does not mix within a line. If the reader has made the
//! pipe non-blocking, as Node does with pipes that it shares with its children, writing waits for space instead of losing
//! output. If standard error is closed or full, nothing is reported: the exit code must suffice.

use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::bar;
use crate::system;

static QUIET: AtomicBool = AtomicBool::new(false);

/// Standard output ends in the middle of a line.
static OUTPUT_IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Records writes to standard output: a message on the same terminal, or in the same file, begins on a line of
/// its own.
pub fn after_output(written: &[u8]) {
    if let Some(last) = written.last() {
        OUTPUT_IS_OPEN.store(*last != b'\n', Ordering::Relaxed);
    }
}

thread_local! {
    /// The messages that [`collect`] collects on this thread.
    static COLLECTED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work` on one of several files, and returns its messages instead of printing them: threads finish in any order, but
/// files are reported in order.
pub fn collect<T>(work: impl FnOnce() -> T) -> (T, String) {
    let outer = COLLECTED.replace(Some(String::new()));
    let done = work();
    (done, COLLECTED.replace(outer).unwrap_or_default())
}

/// Suppresses all later messages, for `--quiet`.
pub fn set_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Prints a line, unless [`set_quiet`] was called.
pub fn line(line: &str) {
    text(&format!("{line}\n"));
}

/// Prints text that includes its line ends, unless [`set_quiet`] was called.
pub fn text(text: &str) {
    if QUIET.load(Ordering::Relaxed) {
        return;
    }
    let collected = COLLECTED.with_borrow_mut(|all| all.as_mut().map(|all| all.push_str(text)));
    if collected.is_none() {
        always(text);
    }
}

/// Prints text that includes its line ends, even after [`set_quiet`]: a usage error or an internal error.
pub fn always(text: &str) {
    bar::hide_during(|| write(text));
}

fn write(text: &str) {
    let mut stderr = system::stderr();
    let mut print = |bytes| {
        let wait = || system::wait_writable(&io::stderr());
        // There is nowhere left to report an error.
        let _ = system::write_all(&mut stderr, bytes, wait, |_| {});
    };
    if !text.is_empty()
        && OUTPUT_IS_OPEN.swap(false, Ordering::Relaxed)
        && system::are_outputs_one()
    {
        print(b"\n");
    }
    print(text.as_bytes());
}
