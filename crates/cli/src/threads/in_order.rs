//! Runs work on several threads and delivers the results in the order of the items.
//!
//! ```text
//! items ──► numbered ──► worker ──► numbered results ──► put in order ──► consume
//!           (caller)     worker                          (caller)
//! ```
//!
//! At most [`MAX_IN_FLIGHT_PER_THREAD`] items per thread are in progress or waiting, so memory depends only on the number of
//! threads: a slow first item blocks the others instead of accumulating their results.

use std::any::Any;
use std::cell::Cell;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{mark_worker, threads_within_memory};

/// Maximum number of items per thread that are in progress or waiting to be consumed.
const MAX_IN_FLIGHT_PER_THREAD: usize = 2;

/// The outcome of the item with this number: a result, or the panic of `work`.
type Done<R> = (usize, thread::Result<R>);

/// Runs `work` on every item on up to `threads` threads, and passes the results to `consume` in the order of the items. Items
/// are produced and results consumed on the calling thread. With one thread or one item, no other thread is started; if the
/// system refuses threads, fewer are used.
///
/// # Errors
/// The first error of `consume`: no further items are started, and results of items in progress are dropped.
///
/// # Panics
/// If `work` panics: on the calling thread, with the same payload, in the order of the items.
pub fn in_order<T: Send, R: Send, E>(
    threads: NonZeroUsize,
    items: impl Iterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    consume: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let mut items = items;
    let mut consume = consume;
    if threads.get() == 1 {
        return items.try_for_each(|item| consume(work(item)));
    }
    each_pushed(
        || threads,
        work,
        consume,
        |push| items.try_for_each(|item| push(Some(item))),
    )
}

/// Like [`in_order`], for items that are pushed: `produce` receives a function that accepts the next item. While enough items
/// are in progress, that function waits for a result and consumes it; with `None`, it waits until all are consumed. `threads` is
/// called when there is a second item.
///
/// # Errors
/// As for [`in_order`]; errors of `produce`.
///
/// # Panics
/// As for [`in_order`].
pub fn each_pushed<T: Send, R: Send, E>(
    threads: impl FnOnce() -> NonZeroUsize,
    work: impl Fn(T) -> R + Sync,
    mut consume: impl FnMut(R) -> Result<(), E>,
    produce: impl FnOnce(&mut dyn FnMut(Option<T>) -> Result<(), E>) -> Result<(), E>,
) -> Result<(), E> {
    let (to_do, queue) = channel();
    let (done, results) = channel();
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        // Moved into this closure to be dropped however it ends, which also ends the workers.
        let to_do: Sender<(usize, T)> = to_do;
        let mut turns = Turns::new(results);
        let most = Cell::new(0);
        let mut started = 0;
        let mut send = |turns: &mut Turns<R>, item| {
            if started < most.get() {
                let (queue, work, done) = (&queue, &work, done.clone());
                match thread::Builder::new().spawn_scoped(scope, move || worker(queue, work, &done))
                {
                    Ok(_) => started += 1,
                    // The system refuses more threads: use fewer, or this one.
                    Err(_) => most.set(started),
                }
            }
            if started == 0 {
                return Some(item);
            }
            let number = turns.take_number();
            to_do
                .send((number, item))
                .expect("the queue lives outside of this scope");
            None
        };
        // A single item needs no thread.
        let mut first = None;
        let mut is_first = true;
        let mut threads = Some(threads);
        let mut push = |item: Option<T>| {
            let Some(item) = item else {
                first.take().map_or(Ok(()), |item| consume(work(item)))?;
                while let Some(result) = turns.next() {
                    consume(result_or_panic(result))?;
                }
                return Ok(());
            };
            if std::mem::take(&mut is_first) {
                first = Some(item);
                return Ok(());
            }
            if let Some(threads) = threads.take() {
                most.set(match threads().get() {
                    1 => 0,
                    several => threads_within_memory(several),
                });
            }
            for item in first.take().into_iter().chain([item]) {
                if let Some(item) = send(&mut turns, item) {
                    consume(work(item))?;
                }
                while turns.len() >= MAX_IN_FLIGHT_PER_THREAD * most.get().max(1)
                    && let Some(result) = turns.next()
                {
                    consume(result_or_panic(result))?;
                }
            }
            Ok(())
        };
        produce(&mut push)?;
        push(None)
    })
}

/// Returns the result of an item, or resumes its panic.
fn result_or_panic<R>(result: thread::Result<R>) -> R {
    result.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Below this duration, handing over a batch costs more than processing it.
const SHORT: Duration = Duration::from_micros(500);

/// Above this duration, a batch is too large: others wait for it.
const LONG: Duration = Duration::from_millis(5);

/// Maximum number of items in a batch.
const LARGEST: usize = 64;

/// Like [`in_order`], for many items that may take microseconds or minutes each: threads receive them in batches, which grow
/// while they are processed quickly. Handing over each of 20,000 files of 4 KB separately took as long as checking it.
///
/// # Errors
/// As for [`in_order`].
///
/// # Panics
/// As for [`in_order`], in the order of the batches.
pub fn in_batches<T: Send, R: Send, E>(
    threads: NonZeroUsize,
    items: impl Iterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    mut consume: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    if threads.get() == 1 {
        return in_order(threads, items, work, consume);
    }
    let size = AtomicUsize::new(1);
    let mut items = items.fuse();
    let batches = std::iter::from_fn(|| {
        let batch: Vec<T> = items.by_ref().take(size.load(Ordering::Relaxed)).collect();
        (!batch.is_empty()).then_some(batch)
    });
    in_order(
        threads,
        batches,
        |batch| {
            let (began, length) = (Instant::now(), batch.len());
            let results: Vec<R> = batch.into_iter().map(&work).collect();
            match began.elapsed() {
                quick if quick < SHORT => {
                    size.fetch_max((2 * length).min(LARGEST), Ordering::Relaxed)
                }
                slow if slow > LONG => size.fetch_min((length / 2).max(1), Ordering::Relaxed),
                _ => length,
            };
            results
        },
        |results| results.into_iter().try_for_each(&mut consume),
    )
}

/// Processes the queue until it is closed.
fn worker<T, R>(
    queue: &Mutex<Receiver<(usize, T)>>,
    work: &impl Fn(T) -> R,
    done: &Sender<Done<R>>,
) {
    mark_worker();
    loop {
        // Nothing panics under the lock, so it is never poisoned.
        let received = queue.lock().expect("no panic under this lock").recv();
        let Ok((number, item)) = received else { return };
        // A panic is propagated, not recovered from: inconsistent state is never used.
        let result = catch_unwind(AssertUnwindSafe(|| work(item)));
        if done.send((number, result)).is_err() {
            return;
        }
    }
}

/// Reorders results by their numbers.
struct Turns<R> {
    results: Receiver<Done<R>>,
    /// The result of each outstanding number, once it has arrived.
    waiting: VecDeque<Option<Result<R, Box<dyn Any + Send>>>>,
    /// The number of the next result.
    turn: usize,
}

impl<R> Turns<R> {
    fn new(results: Receiver<Done<R>>) -> Self {
        Turns {
            results,
            waiting: VecDeque::new(),
            turn: 0,
        }
    }

    /// Number of outstanding results.
    fn len(&self) -> usize {
        self.waiting.len()
    }

    fn take_number(&mut self) -> usize {
        self.waiting.push_back(None);
        self.turn + self.waiting.len() - 1
    }

    /// Waits for the next result; `None` if none is outstanding.
    fn next(&mut self) -> Option<thread::Result<R>> {
        while self.waiting.front()?.is_none() {
            let (number, result) = self
                .results
                .recv()
                .expect("a worker sends a result for every number");
            self.waiting[number - self.turn] = Some(result);
        }
        self.turn += 1;
        self.waiting.pop_front().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    use proptest::prelude::*;

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    /// Some items take longer than later ones.
    fn dawdle(item: usize, pattern: u64) {
        match pattern >> (item % 32 * 2) & 3 {
            0 => thread::sleep(Duration::from_micros(200)),
            1 => thread::yield_now(),
            _ => {}
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn results_come_in_order_and_few_wait(
            count in 0usize..80,
            workers in 1usize..6,
            pattern: u64,
            fails_at in prop::option::of(0usize..90),
        ) {
            let consumed = AtomicUsize::new(0);
            let mut taken = 0;
            let mut most = 0;
            let mut seen = Vec::new();
            let items = (0..count).inspect(|_| {
                taken += 1;
                most = most.max(taken - consumed.load(Ordering::Relaxed));
            });
            let ended = in_order(
                threads(workers),
                items,
                |item| {
                    dawdle(item, pattern);
                    item * 3
                },
                |result| {
                    if fails_at == Some(seen.len()) {
                        return Err(io::Error::from(io::ErrorKind::BrokenPipe));
                    }
                    seen.push(result);
                    consumed.fetch_add(1, Ordering::Relaxed);
                    Ok(())
                },
            );
            let expected = count.min(fails_at.unwrap_or(count));
            prop_assert_eq!(ended.is_err(), fails_at.is_some_and(|at| at < count));
            prop_assert_eq!(seen, (0..expected).map(|item| item * 3).collect::<Vec<_>>());
            prop_assert!(most <= MAX_IN_FLIGHT_PER_THREAD * workers, "{} of {}", most, MAX_IN_FLIGHT_PER_THREAD * workers);
            prop_assert!(taken <= expected + MAX_IN_FLIGHT_PER_THREAD * workers);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn batches_change_nothing(
            count in 0usize..2000,
            workers in 1usize..6,
            pattern: u64,
            fails_at in prop::option::of(0usize..2200),
        ) {
            let mut seen = Vec::new();
            let ended = in_batches(
                threads(workers),
                0..count,
                |item| {
                    if item % 97 == 0 {
                        dawdle(item, pattern);
                    }
                    item * 3
                },
                |result| {
                    if fails_at == Some(seen.len()) {
                        return Err(io::Error::from(io::ErrorKind::BrokenPipe));
                    }
                    seen.push(result);
                    Ok(())
                },
            );
            let expected = count.min(fails_at.unwrap_or(count));
            prop_assert_eq!(ended.is_err(), fails_at.is_some_and(|at| at < count));
            prop_assert_eq!(seen, (0..expected).map(|item| item * 3).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_in_its_turn() {
        for workers in [1, 2, 4] {
            let mut seen = Vec::new();
            let caught = catch_unwind(AssertUnwindSafe(|| {
                in_order(
                    threads(workers),
                    0..100,
                    |item| {
                        dawdle(item, 0x1234_5678_9ABC_DEF0);
                        assert!(item != 17, "seventeen");
                        item
                    },
                    |item| {
                        seen.push(item);
                        Ok::<_, io::Error>(())
                    },
                )
            }));
            let payload = caught.unwrap_err();
            let message = payload.downcast_ref::<&str>();
            assert_eq!(message, Some(&"seventeen"), "{workers} threads");
            assert_eq!(seen, (0..17).collect::<Vec<_>>());
        }
    }

    #[test]
    fn all_threads_work_at_once_and_one_item_needs_none() {
        let here = thread::current().id();
        let barrier = std::sync::Barrier::new(3);
        in_order(
            threads(3),
            0..6,
            |_| {
                barrier.wait();
                assert_ne!(thread::current().id(), here);
            },
            Ok::<_, io::Error>,
        )
        .unwrap();
        for (workers, count) in [(1, 5), (8, 1), (8, 0)] {
            let work = |_| assert_eq!(thread::current().id(), here);
            in_order(threads(workers), 0..count, work, Ok::<_, io::Error>).unwrap();
        }
    }
}
