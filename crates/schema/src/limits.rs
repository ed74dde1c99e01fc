//! Bounds the stack and the work of a validation: the validator recurses over the instance and the schema.
//!
//! Each access to a value, and each `$ref` that may be recursive, calls [`step`], which unwinds to [`run`] when the remaining stack or
//! steps are used up. No state is held across a step that unwinding would leave inconsistent.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;

/// The limit that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// The instance or the schema is nested too deeply.
    Depth,
    /// There were too many steps.
    Work,
    /// Matching patterns took too many steps.
    Matching {
        /// The pattern matched last.
        pattern: Arc<str>,
        /// The offset of the matched text.
        at: Option<usize>,
    },
}

/// Maximum stack use on the caller's thread, in bytes. Instances that need more are validated on a separate thread.
const HERE: usize = 256 << 10;

/// Stack of the thread for deep instances. Only touched pages use memory.
const LARGE: usize = 256 << 20;

/// Reserved stack, for the frames between two steps.
const RESERVE: usize = 64 << 20;

thread_local! {
    /// The lowest address allowed for the stack, and the remaining steps.
    static LEFT: Cell<(usize, u64)> = const { Cell::new((0, u64::MAX)) };

    /// The remaining steps for patterns.
    static LEFT_TO_MATCH: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// The address of the top of the stack.
#[inline]
fn stack_pointer() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// Counts a step.
#[inline]
pub fn step() {
    charge(0);
}

/// Counts a step, and `more` for work proportional to the instance or the schema.
#[inline]
pub fn charge(more: usize) {
    // One access to the variable; `get` and `set` take twice as long.
    let exceeded = LEFT.with(|all| {
        let (lowest, steps) = all.get();
        let left = steps.checked_sub(1 + more as u64);
        all.set((lowest, left.unwrap_or(0)));
        left.is_none() || stack_pointer() < lowest
    });
    if exceeded {
        unwind(match left() {
            0 => Exceeded::Work,
            _ => Exceeded::Depth,
        });
    }
}

/// The remaining steps.
pub fn left() -> u64 {
    LEFT.get().1
}

#[cold]
fn unwind(exceeded: Exceeded) -> ! {
    resume_unwind(Box::new(exceeded))
}

/// Counts the steps of matching a pattern with the text at this offset, before matching.
pub fn match_for(steps: usize, pattern: &Arc<str>, at: Option<usize>) {
    match LEFT_TO_MATCH.get().checked_sub(steps as u64) {
        Some(left) => LEFT_TO_MATCH.set(left),
        None => unwind(Exceeded::Matching {
            pattern: pattern.clone(),
            at,
        }),
    }
}

/// Maximum numbers of steps.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// For the validation.
    pub all: u64,
    /// For matching patterns.
    pub matching: u64,
}

/// Runs `work` with at most this many steps, possibly twice.
///
/// # Errors
/// A limit is reached.
pub fn run<T: Send>(steps: Steps, work: impl Fn() -> T + Sync) -> Result<T, Exceeded> {
    match within(HERE, steps, &work) {
        Err(Exceeded::Depth) => {
            on_large_stack(|| within(LARGE - RESERVE, steps, &work)).unwrap_or(Err(Exceeded::Depth))
        }
        done => done,
    }
}

/// Runs `work` on a thread with a large stack; `None` if no thread can be started.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(LARGE);
        let thread = builder.spawn_scoped(scope, work).ok()?;
        match thread.join() {
            Ok(done) => Some(done),
            Err(panic) => resume_unwind(panic),
        }
    })
}

/// Grows the heap of a new thread by this much at once, up to a few MB: by itself, glibc grows it page by page, with a system call for
/// each.
pub fn reserve(bytes: usize) {
    /// Larger blocks are mapped separately.
    const BLOCK: usize = 120 << 10;
    const MOST: usize = 32;
    let count = (bytes / BLOCK).min(MOST);
    let blocks = std::iter::repeat_with(|| Vec::<u8>::with_capacity(BLOCK));
    std::hint::black_box(blocks.take(count).collect::<Vec<_>>());
}

fn within<T>(stack: usize, steps: Steps, work: &impl Fn() -> T) -> Result<T, Exceeded> {
    let before = LEFT.replace((stack_pointer().saturating_sub(stack), steps.all));
    let before_matching = LEFT_TO_MATCH.replace(steps.matching);
    let done = catch_unwind(AssertUnwindSafe(work));
    LEFT.set(before);
    LEFT_TO_MATCH.set(before_matching);
    done.map_err(|panic: Box<dyn Any + Send>| match panic.downcast() {
        Ok(exceeded) => *exceeded,
        Err(panic) => resume_unwind(panic),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descend(levels: u32) -> u32 {
        step();
        match levels {
            0 => 0,
            _ => std::hint::black_box(descend(levels - 1)) + 1,
        }
    }

    #[test]
    fn recursion_ends_in_an_error() {
        let run = |all, work: &(dyn Fn() -> u32 + Sync)| {
            let matching = 0;
            run(Steps { all, matching }, work)
        };
        assert_eq!(run(u64::MAX, &|| descend(10)), Ok(10));
        // Needs more than the stack allowed on this thread.
        assert_eq!(run(u64::MAX, &|| descend(20_000)), Ok(20_000));
        assert_eq!(run(u64::MAX, &|| descend(u32::MAX)), Err(Exceeded::Depth));
        assert_eq!(run(5, &|| descend(10)), Err(Exceeded::Work));
        // The limits of the caller are restored.
        step();
    }
}
