//! How many threads work: one count, one policy, one place to start them.
//!
//! The engine starts none. A command spreads files, or segments of one file, over [`count`] workers with [`in_order`]
//! and [`in_batches`]; a single large input may be given one more thread if [`has_spare_core`].

mod in_order;

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

pub use in_order::{in_batches, in_order};

/// Whether no thread may be started but those that the command starts itself.
static SINGLE: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread is one of several workers.
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// Sets the number of threads that `--threads` asks for.
pub fn configure(threads: Option<NonZeroUsize>) {
    SINGLE.store(threads == Some(NonZeroUsize::MIN), Ordering::Relaxed);
}

/// Marks the current thread as one of several workers, which leave no core to spare.
fn mark_worker() {
    IS_WORKER.set(true);
}

/// Whether a helper thread may be started and has a core to run on.
pub fn has_spare_core() -> bool {
    !SINGLE.load(Ordering::Relaxed)
        && !IS_WORKER.get()
        && thread::available_parallelism().is_ok_and(|cores| cores > NonZeroUsize::MIN)
}
