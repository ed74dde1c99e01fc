//! A progress bar on the terminal for long runs.
//!
//! The input counts the bytes and files read ([`READ`]). A thread shows the counts after a second, so short runs show
//! nothing. Without a terminal no thread is started.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::bar;
use crate::input::READ;
use crate::report::amount;

/// Delay before the bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time between two updates.
const TICK: Duration = Duration::from_millis(100);

/// Templates with a known total, and without.
const WITH_TOTAL: &str = "{wide_bar} {decimal_bytes}/{decimal_total_bytes} {msg}";
const WITHOUT: &str = "{spinner} {msg}";

/// A progress bar that appears after a delay, and is cleared on drop.
pub struct Progress {
    /// Dropped to end the thread.
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts a bar for these files, `and_others` if the list is incomplete. `None` if standard error is not a
    /// terminal, or no thread is available.
    pub fn start(paths: &[PathBuf], and_others: bool) -> Option<Progress> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let (stop, stopped) = mpsc::channel();
        let paths = paths.to_vec();
        let thread = thread::Builder::new()
            .spawn(move || watch(&stopped, &paths, and_others))
            .ok()?;
        Some(Progress {
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread cannot fail; if it did, there would be no bar to clear.
            let _ = thread.join();
        }
        bar::end();
    }
}

fn watch(stopped: &mpsc::Receiver<()>, paths: &[PathBuf], and_others: bool) {
    let is_continuation = |time| stopped.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout);
    if !is_continuation(PATIENCE) {
        return;
    }
    // While a pipe is silent, there is no progress to show.
    while READ.bytes() == 0 {
        if !is_continuation(TICK) {
            return;
        }
    }
    let began = Instant::now() - PATIENCE;
    let total = (!and_others).then(|| length(paths)).flatten();
    let bar = new_bar(total);
    if !bar::show(&bar) {
        return;
    }
    while !bar::has_ended() {
        let bytes = READ.bytes();
        bar.set_position(total.map_or(bytes, |total| bytes.min(total)));
        let files = READ.files();
        let plural = if files == 1 { "" } else { "s" };
        // indicatif's own estimate would attribute the bytes read before the bar appeared to its first update.
        let rate = amount((bytes as f64 / began.elapsed().as_secs_f64()) as u64);
        bar.set_message(match total {
            Some(_) => format!("{rate}/s"),
            None => format!("{files} file{plural}, {}, {rate}/s", amount(bytes)),
        });
        bar.tick();
        if !is_continuation(TICK) {
            break;
        }
    }
}

/// Total length of the files in bytes; `None` if one is not a regular file.
fn length(paths: &[PathBuf]) -> Option<u64> {
    paths
        .iter()
        .map(|path| {
            let metadata = path.metadata().ok()?;
            metadata.is_file().then_some(metadata.len())
        })
        .sum()
}

fn new_bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), WITH_TOTAL),
        None => (ProgressBar::new_spinner(), WITHOUT),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_valid() {
        for total in [None, Some(5)] {
            let bar = new_bar(total);
            bar.set_draw_target(ProgressDrawTarget::hidden());
            assert_eq!(bar.length(), total);
        }
        for template in [WITH_TOTAL, WITHOUT] {
            assert!(ProgressStyle::with_template(template).is_ok());
        }
    }

    #[test]
    fn only_regular_files_have_a_length() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "12345").unwrap();
        let path = file.path().to_owned();
        assert_eq!(length(&[path.clone(), path.clone()]), Some(10));
        assert_eq!(length(&[path, PathBuf::from(".")]), None);
    }
}
