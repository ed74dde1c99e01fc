//! Fallible reservation for lists that may become as long as the input.

use std::collections::{TryReserveError, VecDeque};

/// Minimum length of a list whose capacity is reserved before each chunk. A shorter list grows on
/// demand.
const LONG: usize = 1 << 14;

/// Reserves capacity for more elements of a list, if it is long.
pub(super) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), TryReserveError> {
    if list.len() < LONG {
        Ok(())
    } else {
        list.try_reserve(more)
    }
}

/// Like [`reserve`], for a queue.
pub(super) fn reserve_queue<T>(
    queue: &mut VecDeque<T>,
    more: usize,
) -> Result<(), TryReserveError> {
    if queue.len() < LONG {
        Ok(())
    } else {
        queue.try_reserve(more)
    }
}
