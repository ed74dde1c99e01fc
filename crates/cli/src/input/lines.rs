//! Line and column of a position far into a file.
//!
//! Lines are not counted while a file is checked; if it has an error, the text before it, which has been verified, is read again.

use std::io;

use jsonx_core::position::{LineCounter, Position};

use super::{Consumed, Input, Segment, Segments};
use crate::threads;

/// Length of a segment in bytes, which one thread counts.
const SEGMENT: u64 = 2 << 20;

/// The position in a file of the byte at `to`; the text begins at `from`, and `next` is the text after `to`, as for
/// [`LineCounter::position`].
///
/// # Errors
/// Errors of reading.
pub fn position(input: &mut Input, from: u64, to: u64, next: &[u8]) -> io::Result<Position> {
    let mut counter = LineCounter::new();
    if input.random_access().is_none() {
        // It is in memory.
        input.each_window_of(from, to, |window| -> io::Result<Consumed> {
            counter.feed_verified(window.bytes());
            Ok(window.bytes().len().into())
        })?;
        return Ok(counter.position(next));
    }
    let file = Segments::new(input)?;
    let count = |segment: Segment<'_>| -> io::Result<_> {
        let text = segment.text()?;
        Ok((LineCounter::of_part(text.as_ref()), text))
    };
    file.each(
        threads::available(),
        file.within(from, to, SEGMENT),
        count,
        |counted| -> io::Result<()> {
            let (counted, text) = counted?;
            counter.append(text.as_ref(), &counted);
            file.verify(&text)
        },
    )?;
    Ok(counter.position(next))
}
