//! The progress bar on the terminal, and what is printed there in its place.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;

/// The bar while it is shown, and whether none may be shown any more.
static SHOWN: Mutex<(Option<ProgressBar>, bool)> = Mutex::new((None, false));

thread_local! {
    /// This thread has hidden the bar.
    static IS_HIDDEN: Cell<bool> = const { Cell::new(false) };
}

/// Shows a bar, which is cleared by [`end`]. Returns false if there must be none.
pub fn show(bar: &ProgressBar) -> bool {
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if !shown.1 {
        shown.0 = Some(bar.clone());
    }
    !shown.1
}

/// Whether the bar has been cleared for good.
pub fn has_ended() -> bool {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner).1
}

/// Clears the bar for good, unless this thread only hides it.
pub fn end() {
    if IS_HIDDEN.get() {
        return;
    }
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    shown.1 = true;
    if let Some(bar) = shown.0.take() {
        bar.finish_and_clear();
    }
}

/// Runs `print` with the bar hidden.
pub fn hide_during<R>(print: impl FnOnce() -> R) -> R {
    if IS_HIDDEN.get() {
        return print();
    }
    let bar = SHOWN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .0
        .clone();
    let print = || {
        IS_HIDDEN.set(true);
        let printed = print();
        IS_HIDDEN.set(false);
        printed
    };
    match bar {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}
