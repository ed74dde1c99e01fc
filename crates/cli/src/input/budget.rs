//! Limits the memory for texts of broken inputs in the whole process, on any number of threads.

use std::ops::Deref;
use std::sync::{Condvar, Mutex, PoisonError};

/// Maximum length of a file that is read into memory to find the causes of its errors.
pub const MAX_EVIDENCE: u64 = 256 << 20;

/// Maximum number of bytes held at a time. A text that does not fit waits until others are dropped; no text is longer than the
/// budget.
static BUDGET: Budget = Budget::new(MAX_EVIDENCE);

struct Budget {
    left: Mutex<u64>,
    returned: Condvar,
}

impl Budget {
    const fn new(bytes: u64) -> Budget {
        Budget {
            left: Mutex::new(bytes),
            returned: Condvar::new(),
        }
    }

    /// Waits until this many bytes are available. A thread that waits must not hold a share, to avoid deadlock.
    fn take(&'static self, bytes: u64) -> Share {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let enough = self.returned.wait_while(left, |left| *left < bytes);
        *enough.unwrap_or_else(PoisonError::into_inner) -= bytes;
        Share {
            budget: self,
            bytes,
        }
    }
}

/// Bytes taken from a budget, returned on drop.
#[derive(Debug)]
pub struct Share {
    budget: &'static Budget,
    bytes: u64,
}

impl std::fmt::Debug for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Budget")
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut left = self
            .budget
            .left
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *left += self.bytes;
        self.budget.returned.notify_all();
    }
}

/// Waits until a text of this many bytes, at most [`MAX_EVIDENCE`], may be held.
pub fn share(bytes: u64) -> Share {
    BUDGET.take(bytes.min(MAX_EVIDENCE))
}

/// A text with its share of the budget.
#[derive(Debug)]
pub struct Held {
    text: Vec<u8>,
    _share: Share,
}

impl Held {
    /// Combines a text with the share taken for it.
    pub fn new(text: Vec<u8>, share: Share) -> Held {
        Held {
            text,
            _share: share,
        }
    }
}

impl Deref for Held {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn shares_of_all_threads_never_exceed_the_budget() {
        static SMALL: Budget = Budget::new(100);
        static HELD: AtomicU64 = AtomicU64::new(0);
        static MOST: AtomicU64 = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || {
                    for round in 0..50 {
                        let bytes = 1 + (thread * 31 + round * 17) % 100;
                        let share = SMALL.take(bytes);
                        MOST.fetch_max(
                            HELD.fetch_add(bytes, Ordering::SeqCst) + bytes,
                            Ordering::SeqCst,
                        );
                        std::thread::yield_now();
                        HELD.fetch_sub(bytes, Ordering::SeqCst);
                        drop(share);
                    }
                });
            }
        });
        let most = MOST.load(Ordering::SeqCst);
        assert!((50..=100).contains(&most), "{most}");
        assert_eq!(*SMALL.left.lock().unwrap(), 100);
    }
}
