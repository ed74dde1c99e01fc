//! Line and column of a position far into a file.
//!
//! Lines are not counted while a file is checked. A file that is broken near its end is read again: counting takes 40 ms for
//! 300 MB, after 180 ms for the verdict. The text before the first error has been verified and is not checked again.

use std::io;

use jsonx_core::position::{LineCounter, Position};

use super::{Consumed, Input};

/// The position in a file of the byte at `to`; the text begins at `from`, and `next` is the text after `to`, as for
/// [`LineCounter::position`].
///
/// # Errors
/// Errors of reading.
pub fn position(input: &mut Input, from: u64, to: u64, next: &[u8]) -> io::Result<Position> {
    let counted = input
        .counted
        .clone()
        .filter(|(at, _)| (from..=to).contains(at));
    if let Some((at, mut counter)) = counted {
        counter.feed_verified(&input.span(at, to)?);
        return Ok(counter.position(next));
    }
    let mut counter = LineCounter::new();
    input.each_window_of(from, to, |window| -> io::Result<Consumed> {
        counter.feed_verified(window.bytes());
        Ok(window.bytes().len().into())
    })?;
    Ok(counter.position(next))
}
