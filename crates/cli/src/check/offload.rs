//! Runs checks of tokens on a separate thread while the current one validates.
//!
//! ```text
//! validator ──► chunks ──► batch ──► checks
//!     ▲                                │
//!     └───────── empty batches ◄───────┘
//! ```
//!
//! Used for JSON with comments, which cannot be checked in segments because the state in the middle of it cannot be guessed. On
//! two cores of an AMD EPYC 9005, 1 GB of tweets with all lints took 0.45 s this way and 0.57 s on one thread.

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

use jsonx_core::{Batch, Chunk, Interest, Mode, Sink};

use super::segments::verdict::Noting;
use super::{Checks, Failure, Watcher};
use crate::threads::spawn_helper;

/// Minimum file size in bytes: 32 MB took as long on one thread, 76 MB took 28.8 ms instead of 40.2 ms.
pub const OFFLOAD_FROM: u64 = 64 << 20;

/// Length of a batch in bytes, small enough to pass from core to core through their caches.
const LENGTH: usize = 256 << 10;

/// Batches in flight. With one or two, the threads wait for each other.
const BATCHES: usize = 4;

enum Step {
    /// A text starts at this offset.
    Begin(u64),
    Chunks(Box<Batch>),
}

/// A watcher that forwards everything to another thread.
pub struct Relay {
    batch: Box<Batch>,
    interest: Interest,
    steps: SyncSender<Step>,
    empty: Receiver<Box<Batch>>,
}

/// Runs `validate` with a watcher that forwards to `checks` on another thread. `None` if no thread is available.
pub fn run_offloaded(
    checks: &mut Checks,
    validate: impl FnOnce(&mut Relay) -> Result<(), Failure>,
) -> Option<Result<(), Failure>> {
    let (steps, to_do) = sync_channel(BATCHES);
    let (done, empty) = channel();
    for _ in 0..BATCHES {
        // Cannot fail: the receiver is alive.
        let _ = done.send(Box::default());
    }
    let mut relay = Relay {
        batch: Box::default(),
        interest: checks.interest(Mode::One),
        steps,
        empty,
    };
    thread::scope(|scope| {
        let checking = spawn_helper(scope, move || {
            for step in to_do {
                match step {
                    Step::Begin(offset) => Watcher::begin(checks, offset),
                    Step::Chunks(mut batch) => {
                        for chunk in batch.chunks() {
                            let Ok(()) = checks.chunk(&chunk);
                        }
                        batch.clear();
                        // Fails once the relay is gone, and no further step follows then.
                        let _ = done.send(batch);
                    }
                }
            }
        });
        let checking = checking?;
        let checked = validate(&mut relay);
        relay.send();
        drop(relay);
        match checking.join() {
            Ok(()) => Some(checked),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

impl Relay {
    fn send(&mut self) {
        let next = self.empty.recv().unwrap_or_default();
        let batch = std::mem::replace(&mut self.batch, next);
        // Fails only if a check panicked; joining the thread reports that.
        let _ = self.steps.send(Step::Chunks(batch));
    }
}

impl Sink for Relay {
    type Error = Infallible;
    type Output = Self;

    fn interest(&self, _: Mode) -> Interest {
        self.interest
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.batch.push(chunk);
        if self.batch.len() >= LENGTH {
            self.send();
        }
        Ok(())
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}

impl Watcher for Relay {
    type Work = Noting;

    fn begin(&mut self, offset: u64) {
        let _ = self.steps.send(Step::Begin(offset));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::diagnose::Lints;
    use jsonx_core::{Options, Validator};

    #[test]
    fn findings_on_another_thread_are_equal() {
        let member = r#"{"a": 9007199254740993, "b": "\ud800", "\u0061": 1e400}, "#;
        let text = format!("[{}0]", member.repeat(3 * LENGTH / member.len()));
        let check = |watcher: &mut dyn FnMut(&Chunk<'_>)| {
            struct Each<'a>(&'a mut dyn FnMut(&Chunk<'_>));
            impl Sink for Each<'_> {
                type Error = Infallible;
                type Output = Self;

                fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
                    (self.0)(chunk);
                    Ok(())
                }

                fn finish(self) -> Result<Self, Self::Error> {
                    Ok(self)
                }
            }
            Validator::new(Options::default()).check(text.as_bytes(), &mut Each(watcher))
        };
        let mut here = Checks::of_lints(Lints::ALL, 5000);
        Watcher::begin(&mut here, 3);
        check(&mut |chunk| here.chunk(chunk).unwrap()).unwrap();
        let mut there = Checks::of_lints(Lints::ALL, 5000);
        let checked = run_offloaded(&mut there, |relay| {
            relay.begin(3);
            Ok(check(&mut |chunk| relay.chunk(chunk).unwrap())?)
        });
        assert!(matches!(checked, Some(Ok(()))));
        let (here, there) = (here.end().linted, there.end().linted);
        assert_eq!(here.findings.len(), 5000);
        assert_eq!(format!("{here:?}"), format!("{there:?}"));
    }

    #[test]
    fn errors_in_the_text_are_returned() {
        let mut checks = Checks::of_lints(Lints::ALL, 0);
        let checked = run_offloaded(&mut checks, |relay| {
            Ok(Validator::new(Options::default()).check(b"[1, ", relay)?)
        });
        assert!(matches!(checked, Some(Err(Failure::Invalid(error))) if error.offset == 4));
    }
}
