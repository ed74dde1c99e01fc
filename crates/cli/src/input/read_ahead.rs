//! Reads a large file on a second thread while this one checks the previous buffer.
//!
//! ```text
//! second thread    read 1   read 2   read 3   read 1 …
//! this thread               check 1  check 2  check 3 …
//! ```
//!
//! On two cores of an AMD EPYC 9005, a verdict on 1 GB in the page cache takes 0.25 s this way, and 0.35 s if the checking
//! thread maps windows one after another.

use std::fs::File;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

use super::random_access::fill;
use super::window::{Consume, Ended, Window, skip_mark, truncated};
use crate::threads::spawn_helper;

/// Length of one read in bytes.
const LENGTH: usize = 512 << 10;

/// Number of buffers: one is filled, one is checked, one waits for either.
const BUFFERS: usize = 3;

/// Space before the bytes read, for the unconsumed bytes of the previous window.
const BEFORE: usize = 4 << 10;

/// A buffer, and the number of bytes read into it after [`BEFORE`].
type Filled = (Vec<u8>, io::Result<usize>);

/// Passes the bytes `from..to` of a file, whose offset 0 is at `origin`, to `consume` in windows.
///
/// # Errors
/// Errors of `consume` and of reading; `UnexpectedEof` if the file became shorter.
pub fn each_window(
    file: &File,
    origin: u64,
    from: u64,
    to: u64,
    marked: &mut bool,
    consume: &mut Consume<'_>,
) -> io::Result<Ended> {
    let size = file.metadata()?.len().saturating_sub(origin).min(to);
    let (to_check, filled) = sync_channel(BUFFERS);
    let (to_fill, empty) = channel();
    for _ in 0..BUFFERS {
        // Cannot fail: the receiver is below.
        let _ = to_fill.send(vec![0; BEFORE + LENGTH]);
    }
    thread::scope(|scope| {
        // Moved into this closure to be dropped however it ends, which also ends the reader.
        let (to_fill, filled) = (to_fill, filled);
        let reader = spawn_helper(scope, move || {
            read(file, origin, from..to, &empty, &to_check)
        });
        if reader.is_none() {
            return Ok(Ended::Fallback(from));
        }
        let mut at = from;
        let mut kept = Vec::with_capacity(BEFORE);
        loop {
            let Ok((mut buffer, read)): Result<Filled, _> = filled.recv() else {
                // The reader panicked, which ends this scope.
                return Ok(Ended::Fallback(at));
            };
            let read = read?;
            let last = read < LENGTH;
            let begin = BEFORE - kept.len();
            buffer[begin..BEFORE].copy_from_slice(&kept);
            let mut bytes = &buffer[begin..BEFORE + read];
            bytes = skip_mark(bytes, &mut at, marked);
            let taken = consume(&Window::of_file(bytes, at, last));
            // Verified before the verdict: the text may have been incomplete.
            if last && at + (bytes.len() as u64) < size {
                return Err(truncated());
            }
            let taken = taken?.bytes;
            if last {
                return Ok(Ended::Complete);
            }
            at += taken as u64;
            let rest = &bytes[taken..];
            if rest.len() > BEFORE {
                return Ok(Ended::Fallback(at));
            }
            kept.clear();
            kept.extend_from_slice(rest);
            // The next iteration handles an error of the reader.
            let _ = to_fill.send(buffer);
        }
    })
}

/// Fills buffers until one is not full, which is the last one, or until the receiver is dropped.
fn read(
    file: &File,
    origin: u64,
    range: std::ops::Range<u64>,
    empty: &Receiver<Vec<u8>>,
    filled: &SyncSender<Filled>,
) {
    let mut at = range.start;
    for mut buffer in empty {
        let wanted = usize::try_from(range.end - at).map_or(LENGTH, |left| left.min(LENGTH));
        let read = fill(file, &mut buffer[BEFORE..BEFORE + wanted], origin + at);
        let length = *read.as_ref().unwrap_or(&0);
        at += length as u64;
        if filled.send((buffer, read)).is_err() || length < LENGTH {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Consumed;
    use super::*;
    use std::io::{ErrorKind, Write};

    fn file_of(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn numbers(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at % 251) as u8).collect()
    }

    /// The bytes of all windows if this many bytes of each are left for the next.
    fn joined(
        file: &File,
        origin: u64,
        range: std::ops::Range<u64>,
        left: usize,
    ) -> (Vec<u8>, Ended) {
        let mut all = Vec::new();
        let (from, mut ends) = (range.start, 0);
        let ended = each_window(
            file,
            origin,
            from,
            range.end,
            &mut false,
            &mut |window| -> io::Result<Consumed> {
                assert_eq!(window.offset(), from + all.len() as u64);
                let bytes = window.bytes();
                let take = if window.is_last() {
                    bytes.len()
                } else {
                    bytes.len() - left
                };
                ends += usize::from(window.is_last());
                all.extend_from_slice(&bytes[..take]);
                Ok(take.into())
            },
        )
        .unwrap();
        assert_eq!(ends, usize::from(matches!(ended, Ended::Complete)));
        (all, ended)
    }

    #[test]
    fn windows_join_to_the_file() {
        for length in [0, 1, LENGTH - 1, LENGTH, 4 * LENGTH, 5 * LENGTH + 100] {
            let bytes = numbers(length);
            let file = file_of(&bytes);
            for left in [0, 1, 63, BEFORE] {
                let (all, _) = joined(&file, 0, 0..u64::MAX, left);
                assert!(all == bytes, "{length} bytes, {left} left");
            }
        }
    }

    #[test]
    fn a_part_of_a_file_has_its_bounds() {
        let bytes = numbers(3 * LENGTH);
        let file = file_of(&bytes);
        for (origin, from, to) in [(0, 10, 20), (7, 0, LENGTH), (7, 99, 2 * LENGTH + 99)] {
            let (all, _) = joined(&file, origin as u64, from as u64..to as u64, 5);
            assert!(
                all == bytes[origin + from..origin + to],
                "{origin} {from} {to}"
            );
        }
    }

    #[test]
    fn consumers_that_leave_too_much_fall_back() {
        let bytes = numbers(3 * LENGTH);
        let (all, ended) = joined(&file_of(&bytes), 0, 0..u64::MAX, BEFORE + 1);
        assert!(matches!(ended, Ended::Fallback(at) if at == all.len() as u64));
        assert!(bytes.starts_with(&all));
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        let mut marked = false;
        let mut text = Vec::new();
        let file = file_of("\u{feff}[1]".as_bytes());
        let take_all = &mut |window: &Window<'_>| -> io::Result<Consumed> {
            assert_eq!(window.offset(), 3);
            text.extend_from_slice(window.bytes());
            Ok(window.bytes().len().into())
        };
        each_window(&file, 0, 0, u64::MAX, &mut marked, take_all).unwrap();
        assert!(marked);
        assert_eq!(text, b"[1]");
    }

    #[test]
    fn a_file_that_is_cut_meanwhile_is_an_error() {
        for left in [0, 100, 2 * LENGTH as u64 + 1] {
            let file = file_of(&numbers(20 * LENGTH));
            let cut_it = &mut |window: &Window<'_>| -> io::Result<Consumed> {
                file.set_len(left)?;
                Ok(window.bytes().len().into())
            };
            let ended = each_window(&file, 0, 0, u64::MAX, &mut false, cut_it);
            assert_eq!(
                ended.err().map(|error| error.kind()),
                Some(ErrorKind::UnexpectedEof)
            );
        }
    }

    #[test]
    fn an_error_of_the_consumer_ends_both_threads() {
        let file = file_of(&numbers(20 * LENGTH));
        let refuse = &mut |_: &Window<'_>| Err::<Consumed, _>(io::Error::from(ErrorKind::Other));
        let ended = each_window(&file, 0, 0, u64::MAX, &mut false, refuse);
        assert_eq!(
            ended.err().map(|error| error.kind()),
            Some(ErrorKind::Other)
        );
    }
}
