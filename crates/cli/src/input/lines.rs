//! Line and column of a place far into a file, counted by all processors at once.
//!
//! Nobody counts lines while a file is valid, so a long one that is broken near its end is read a second time, and a
//! person is waiting. Counting is slower than memory on one processor: 300 MB take 40 ms, after 180 ms for the verdict.
//! What stands before the first error has been verified, and is not checked again.

use std::fs::File;
use std::io;
use std::num::NonZero;
use std::thread;

use jsonx_core::position::{LineCounter, Position};

use super::{Ended, Input, Source, Taken, map};
use crate::threads::in_order;

/// A part that is worth a thread.
const PART: u64 = 16 << 20;

/// More threads than this wait for memory.
const MOST: u64 = 8;

/// The position in a file of the byte at `to`, where the text begins at `from`; `next` is what follows, as for
/// [`LineCounter::position`].
///
/// # Errors
/// Those of reading.
pub fn position(input: &mut Input, from: u64, to: u64, next: &[u8]) -> io::Result<Position> {
    let counted = input
        .counted
        .clone()
        .filter(|(at, _)| (from..=to).contains(at));
    if let Some((at, mut counter)) = counted {
        counter.feed_verified(&input.span(at, to)?);
        return Ok(counter.position(next));
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get) as u64;
    let parts = threads.min(MOST).min(to.saturating_sub(from) / PART);
    if parts > 1
        && let Some(place) = in_parts(input, from, to, next, parts)?
    {
        return Ok(place);
    }
    let mut counter = LineCounter::new();
    input.each_window_of(from, to, |window| -> io::Result<Taken> {
        counter.feed_verified(window.bytes());
        Ok(window.bytes().len().into())
    })?;
    Ok(counter.position(next))
}

/// The same in so many parts; `None` where the file cannot be mapped: threads that read would move one another's place
/// in it.
fn in_parts(
    input: &mut Input,
    from: u64,
    to: u64,
    next: &[u8],
    parts: u64,
) -> io::Result<Option<Position>> {
    let mut starts = vec![from];
    for part in 1..parts {
        starts.extend(border(input, from + (to - from) / parts * part, to)?);
    }
    let ends = starts.iter().skip(1).copied().chain([to]);
    let Source::File { file, start, .. } = &input.source else {
        return Ok(None);
    };
    let origin = *start;
    let spans: Vec<(u64, u64)> = starts.iter().copied().zip(ends).collect();
    let last = spans.len() - 1;
    let threads = NonZero::new(spans.len()).unwrap_or(NonZero::<usize>::MIN);
    let mut place = Some(Position {
        line: 1,
        column: 1,
        column_utf16: 1,
    });
    let mut part = 0;
    in_order(
        threads,
        spans.into_iter(),
        |(from, to)| count(file, origin, from, to),
        |counter| {
            // No part but the last is followed by the second half of anything.
            let inside = counter?.map(|counter| {
                let next = if part == last { next } else { b" " };
                counter.position(next)
            });
            place = place
                .zip(inside)
                .map(|(before, inside)| after(before, inside));
            part += 1;
            Ok(())
        },
    )?;
    Ok(place)
}

/// A position that is `inside` a part which begins at `before`.
fn after(before: Position, inside: Position) -> Position {
    if inside.line > 1 {
        Position {
            line: before.line + inside.line - 1,
            ..inside
        }
    } else {
        Position {
            line: before.line,
            column: before.column + inside.column - 1,
            column_utf16: before.column_utf16 + inside.column_utf16 - 1,
        }
    }
}

/// A place near `nominal` between two characters, and not within a CRLF; `None` if there is none near.
fn border(input: &mut Input, nominal: u64, to: u64) -> io::Result<Option<u64>> {
    let near = input.span(nominal, to.min(nominal + 4096))?;
    let found = near.iter().position(|byte| (b' '..=b'~').contains(byte));
    Ok(found.map(|at| nominal + at as u64))
}

fn count(file: &File, origin: u64, from: u64, to: u64) -> io::Result<Option<LineCounter>> {
    let mut counter = LineCounter::new();
    let ended = map::each_window(file, origin, from, to, &mut false, &mut |window| {
        counter.feed_verified(window.bytes());
        io::Result::Ok(Taken::from(window.bytes().len()))
    })?;
    Ok(matches!(ended, Ended::Complete).then_some(counter))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use jsonx_core::position::locate;

    /// Many lines, one line, line ends of two characters, and characters of three bytes.
    #[test]
    fn parts_add_up_to_the_whole() {
        for (line, count) in [
            ("{\"a\": 1}\n", 600_000),
            ("[1, 2],", 600_000),
            ("{\"name\": \"名前\u{1F600}\"}\r\n", 200_000),
            ("語", 1_500_000),
            ("\r\n", 2_000_000),
        ] {
            let text = line.repeat(count) + "x, y";
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &text).unwrap();
            for at in [text.len() - 1, text.len() - 4, text.len() / 2 + 8] {
                for parts in [1, 2, 3, 7] {
                    let mut input = Input::open(file.path()).unwrap();
                    let next = &text.as_bytes()[at..];
                    let found = in_parts(&mut input, 0, at as u64, next, parts).unwrap();
                    assert_eq!(
                        found,
                        Some(locate(text.as_bytes(), at)),
                        "{line:?} at {at} in {parts} parts"
                    );
                }
            }
        }
    }
}
