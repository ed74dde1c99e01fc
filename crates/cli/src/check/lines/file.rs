//! The lines of one large file, looked at by all processors at once.
//!
//! Each part is the lines that begin between two offsets. Who looks at a part finds its first line, and reads on to the
//! end of the last: nobody has to look at the file before.

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Found, Records, Search};
use crate::input::RandomAccess;
use crate::threads::in_order;

/// Bytes of a part.
const PART: u64 = 4 << 20;

/// Bytes asked of the system at once: they stay in the second-level cache while they are looked at.
const CHUNK: u64 = 256 << 10;

/// Bytes that are read behind a part for the end of its last line.
const BEHIND: u64 = 4 << 10;

/// What all threads know.
struct Shared<'a> {
    file: RandomAccess<'a>,
    /// Where the text begins.
    start: u64,
    search: Search,
    part: u64,
    /// Where somebody has found the end of the file; before that, `u64::MAX`.
    end: AtomicU64,
}

/// Checks the lines of a file from `start` on, on so many threads. Returns the length of the file too.
///
/// # Errors
/// Those of reading; `UnexpectedEof` when the file became shorter.
pub fn check(
    file: RandomAccess<'_>,
    start: u64,
    search: Search,
    threads: NonZeroUsize,
) -> io::Result<(Found, u64)> {
    let expected = file.length()?;
    let (found, length) = in_parts(file, start, search, threads, PART)?;
    if length < expected {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok((found, length))
}

fn in_parts(
    file: RandomAccess<'_>,
    start: u64,
    search: Search,
    threads: NonZeroUsize,
    part: u64,
) -> io::Result<(Found, u64)> {
    let shared = Shared {
        file,
        start,
        search,
        part,
        end: AtomicU64::new(u64::MAX),
    };
    let mut all = Found::default();
    in_order(
        threads,
        (0..)
            .map(|number| start + number * part)
            .take_while(|&from| from <= shared.end.load(Ordering::Relaxed)),
        |from| look(&shared, from),
        |found| {
            all.append(found?, search.limit);
            Ok(())
        },
    )?;
    Ok((all, shared.end.into_inner()))
}

/// Checks the lines that begin in the part from `from` on.
fn look(shared: &Shared<'_>, from: u64) -> io::Result<Found> {
    let to = from + shared.part;
    let mut records = None;
    // A line begins behind a line feed, and the first one at the start.
    let mut at = from.max(shared.start + 1) - 1;
    if from == shared.start {
        records = Some(Records::new(shared.search, from));
    }
    let mut buffer = vec![0; CHUNK.min(shared.part + BEHIND) as usize];
    loop {
        let wanted = to.saturating_sub(at).saturating_add(BEHIND);
        let room = buffer
            .len()
            .min(usize::try_from(wanted).unwrap_or(usize::MAX));
        let length = shared.file.read(&mut buffer[..room], at)?;
        if length == 0 {
            shared.end.fetch_min(at, Ordering::Relaxed);
            break;
        }
        let mut bytes = &buffer[..length];
        let mut offset = at;
        at += length as u64;
        if records.is_none()
            && let Some(end) = memchr::memchr(b'\n', bytes)
        {
            bytes = &bytes[end + 1..];
            offset += end as u64 + 1;
            if offset < to {
                records = Some(Records::new(shared.search, offset));
            }
        }
        let Some(records) = &mut records else {
            if at >= to {
                break;
            }
            continue;
        };
        if at >= to {
            let last = (to - 1).saturating_sub(offset) as usize;
            if let Some(end) = memchr::memchr(b'\n', &bytes[last..]) {
                records.push(&bytes[..=last + end]);
                break;
            }
        }
        records.push(bytes);
    }
    Ok(records.map(Records::finish).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::records::tests::{line, search};
    use super::*;
    use crate::input::Input;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn parts_and_threads_change_nothing(
            lines in prop::collection::vec(line(), 0..40),
            part in 1u64..400,
            threads in 1usize..4,
            start in prop::sample::select(vec![0u64, 3]),
            limit in 0usize..6,
        ) {
            let mut text = b"\xEF\xBB\xBF"[..start as usize].to_vec();
            text.extend_from_slice(lines.join("\n").as_bytes());
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &text).unwrap();
            let input = Input::open(file.path()).unwrap();
            let search = search(limit);
            let mut whole = Records::new(search, start);
            whole.push(&text[start as usize..]);
            let (found, length) = in_parts(
                input.random_access().unwrap(),
                start,
                search,
                NonZeroUsize::new(threads).unwrap(),
                part,
            ).unwrap();
            prop_assert_eq!((found, length), (whole.finish(), text.len() as u64));
        }
    }
}
