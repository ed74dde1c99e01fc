//! Bounds the stack and the work of a validation: the validator recurses over the instance and over the schema.
//!
//! Each time it asks for a value, or enters a `$ref` that may be recursive, it goes through [`step`], which unwinds to [`run`] when the stack that
//! is left, or the number of steps, is used up. Nothing is held across such a step that unwinding would leave broken.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;

/// Which limit was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// The instance or the schema is nested too deeply.
    Depth,
    /// There were too many steps.
    Work,
    /// There were too many steps in the matching of patterns.
    Matching {
        /// The last of them.
        pattern: Arc<str>,
        /// The offset of the text that it was matched with.
        at: Option<usize>,
    },
}

/// Stack in bytes that is used on the thread of the caller. Instances that need more get a thread of their own.
const HERE: usize = 256 << 10;

/// Stack of a thread for deep instances. Only what is touched takes memory.
const LARGE: usize = 256 << 20;

/// Stack that stays free: what lies between two steps.
const RESERVE: usize = 64 << 20;

thread_local! {
    /// The lowest address that the stack may reach, and the steps that are left.
    static LEFT: Cell<(usize, u64)> = const { Cell::new((0, u64::MAX)) };

    /// The steps that are left for patterns.
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

/// Counts a step, and as many more for work that is in proportion to the instance or to the schema.
#[inline]
pub fn charge(more: usize) {
    // One access to the variable: `get` and `set` take twice as long.
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

/// The steps that are left.
pub fn left() -> u64 {
    LEFT.get().1
}

#[cold]
fn unwind(exceeded: Exceeded) -> ! {
    resume_unwind(Box::new(exceeded))
}

/// Counts steps of the matching of a pattern, before they are made, with the text at this offset.
pub fn match_for(steps: usize, pattern: &Arc<str>, at: Option<usize>) {
    match LEFT_TO_MATCH.get().checked_sub(steps as u64) {
        Some(left) => LEFT_TO_MATCH.set(left),
        None => unwind(Exceeded::Matching {
            pattern: pattern.clone(),
            at,
        }),
    }
}

/// How many steps there may be.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// Of the validation.
    pub all: u64,
    /// Of the matching of patterns.
    pub matching: u64,
}

/// Runs `work` with at most this many steps. It may be run twice.
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

/// Runs `work` on a thread with a large stack; `None` if the system has none.
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

/// Lets the heap of a new thread grow by this much at once, at most some MB: glibc lets it grow by a page at a time, with a call of
/// the system for each, unless it has been larger.
pub fn reserve(bytes: usize) {
    /// Larger ones are no part of the heap.
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
        // More than the stack of this thread may be used for.
        assert_eq!(run(u64::MAX, &|| descend(20_000)), Ok(20_000));
        assert_eq!(run(u64::MAX, &|| descend(u32::MAX)), Err(Exceeded::Depth));
        assert_eq!(run(5, &|| descend(10)), Err(Exceeded::Work));
        // The limits of the caller are back.
        step();
    }
}
