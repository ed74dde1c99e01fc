//! Threads: their number, one policy, and one place to start them.
//!
//! - [`in_order`] and [`in_batches`] spread items, such as files or segments of a file, over [`count`] workers.
//! - [`spawn_helper`] starts one more thread for a single large input, to read ahead or to lint, if there is a spare core.
//!
//! With `--threads 1`, none of them starts a thread. It is not an error if the system refuses a thread or has too little memory
//! for it: fewer workers, or only the caller, do the work.

mod in_order;

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};

use memmap2::MmapOptions;

pub use in_order::{each_pushed, in_batches, in_order};

/// The value of `--threads`, if given.
static REQUESTED: OnceLock<NonZeroUsize> = OnceLock::new();

thread_local! {
    /// Whether this thread is one of several workers.
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// Maximum number of threads, whatever `--threads` requests: each takes [`ADDRESS_SPACE_PER_WORKER`] bytes of address space.
pub const MOST: NonZeroUsize = NonZeroUsize::new(1024).unwrap();

/// Sets the number of threads requested with `--threads`, at most [`MOST`]. The default is one per processor.
pub fn configure(threads: Option<NonZeroUsize>) {
    if let Some(threads) = threads {
        // Called once per process.
        let _ = REQUESTED.set(threads.min(MOST));
    }
}

/// The number of threads that may run at the same time: `--threads`, or the number of processors available to the process.
///
/// The latter is queried once, and only on demand: it takes twenty system calls, a twentieth of the time of a run over a small
/// file.
pub fn count() -> NonZeroUsize {
    static AVAILABLE: OnceLock<NonZeroUsize> = OnceLock::new();
    let available = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    match REQUESTED.get() {
        Some(&requested) => requested,
        None => *AVAILABLE.get_or_init(available),
    }
}

/// Address space of a worker: its stack, two segments of a file and their results, and on 64-bit systems an arena of glibc.
/// Without address space for an arena, each allocation of the thread tries to create one again: with `ulimit -v` of 72 MB, 20
/// MB of JSON Lines took minutes.
const ADDRESS_SPACE_PER_WORKER: usize = match usize::BITS {
    64 => 144 << 20,
    _ => 16 << 20,
};

/// The number of `threads` that fit into the memory limit, if any; 0 if the caller should do the work.
fn threads_within_memory(threads: usize) -> usize {
    let is_there = |count: &usize| {
        let length = count.saturating_mul(ADDRESS_SPACE_PER_WORKER);
        MmapOptions::new()
            .len(length)
            .no_reserve_swap()
            .map_anon()
            .is_ok()
    };
    (2..=threads).rev().find(is_there).unwrap_or(0)
}

/// The number of threads for one input: one in a worker, because there are other workers.
pub fn available() -> NonZeroUsize {
    if IS_WORKER.get() {
        NonZeroUsize::MIN
    } else {
        count()
    }
}

/// Runs work on segments of one input with the maximum number of threads. One caller at a time gets them; others, which are
/// workers themselves, get one thread.
pub fn exclusive_threads<R>(work: impl FnOnce(NonZeroUsize) -> R) -> R {
    static IN_USE: AtomicBool = AtomicBool::new(false);
    if IN_USE.swap(true, Ordering::Acquire) {
        return work(NonZeroUsize::MIN);
    }
    let done = work(count());
    IN_USE.store(false, Ordering::Release);
    done
}

/// Marks the current thread as one of several workers.
fn mark_worker() {
    IS_WORKER.set(true);
}

/// Starts a thread that helps with a single input. Returns `None` if the system refuses; the caller then does the work.
pub fn spawn_helper<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().spawn_scoped(scope, work).ok()
}
