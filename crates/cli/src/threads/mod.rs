//! How many threads work: one count, one policy, one place to start them.
//!
//! - Work that can be cut into items, files or segments of a file, is spread over [`count`] workers with [`in_order`] and
//!   [`in_batches`].
//! - Text that is made of segments is written by the workers, with [`in_turn`].
//! - A single large input may use one more thread, to read ahead or to lint, if [`spawn_helper`] finds a spare core.
//!
//! With `--threads 1` neither starts a thread. A thread that the system refuses, or for whose work there is no memory, is never an
//! error: there are fewer workers, or the caller does the work itself.

mod in_order;
mod in_turn;

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};

use memmap2::MmapOptions;

pub use in_order::{in_batches, in_order};
pub use in_turn::in_turn;

/// The value of `--threads`, where it was given.
static REQUESTED: OnceLock<NonZeroUsize> = OnceLock::new();

thread_local! {
    /// Whether this thread is one of several workers.
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// More threads are not started, whatever `--threads` asks for: each takes [`NEEDED`] bytes of address space.
pub const MOST: NonZeroUsize = NonZeroUsize::new(1024).unwrap();

/// Sets the number of threads that `--threads` asks for, at most [`MOST`]; without it, there is one for each processor.
pub fn configure(threads: Option<NonZeroUsize>) {
    if let Some(threads) = threads {
        // Once a process.
        let _ = REQUESTED.set(threads.min(MOST));
    }
}

/// How many threads may work at the same time: `--threads`, else the number of processors available to the process.
///
/// The latter is asked of the system once, and only when it is needed: that takes twenty system calls, a twentieth of the
/// time of a run over a small file.
pub fn count() -> NonZeroUsize {
    static AVAILABLE: OnceLock<NonZeroUsize> = OnceLock::new();
    let available = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    match REQUESTED.get() {
        Some(&requested) => requested,
        None => *AVAILABLE.get_or_init(available),
    }
}

/// Address space of a worker: its stack, two segments of a file and what is made of them, and on systems of 64 bits an arena of
/// glibc. Without room for the last, each allocation of the thread asks the system for it again, in vain: with `ulimit -v` of 72 MB,
/// 20 MB of JSON Lines took minutes.
const NEEDED: usize = match usize::BITS {
    64 => 144 << 20,
    _ => 16 << 20,
};

/// How many of `threads` there is memory for, if that is limited; 0 if the caller had better do the work.
fn affordable(threads: NonZeroUsize) -> usize {
    let is_there = |count: &usize| {
        let length = count.saturating_mul(NEEDED);
        MmapOptions::new()
            .len(length)
            .no_reserve_swap()
            .map_anon()
            .is_ok()
    };
    (2..=threads.get()).rev().find(is_there).unwrap_or(0)
}

/// How many threads may work on one input: only one for a worker, as there are others.
pub fn available() -> NonZeroUsize {
    match IS_WORKER.get() {
        true => NonZeroUsize::MIN,
        false => count(),
    }
}

/// Does some work on segments of one input with as many threads as there may be. One caller at a time gets them; others,
/// which are workers themselves, do theirs alone.
pub fn lend<R>(work: impl FnOnce(NonZeroUsize) -> R) -> R {
    static LENT: AtomicBool = AtomicBool::new(false);
    if LENT.swap(true, Ordering::Acquire) {
        return work(NonZeroUsize::MIN);
    }
    let done = work(count());
    LENT.store(false, Ordering::Release);
    done
}

/// Marks the current thread as one of several workers.
fn mark_worker() {
    IS_WORKER.set(true);
}

/// Starts a thread that helps with a single input; `None` if the system has none, so that the caller does the work.
pub fn spawn_helper<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().spawn_scoped(scope, work).ok()
}
