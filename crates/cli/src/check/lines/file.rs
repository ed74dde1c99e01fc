//! Checks the lines of one large file on several threads.
//!
//! A segment is the lines that start between two offsets. The thread that checks a segment finds its first line, and
//! reads to the end of its last, so segments need no scan of the file beforehand.

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Found, Records, Search};
use crate::check::Failure;
use crate::input::RandomAccess;
use crate::threads::in_order;

/// Length of a segment in bytes.
const SEGMENT: u64 = 4 << 20;

/// The same where the number of findings to retain is not limited.
const SHORT_SEGMENT: u64 = 256 << 10;

/// Bytes per read: they stay in the second-level cache while they are checked.
const READ_SIZE: u64 = 256 << 10;

/// Bytes read beyond a segment at a time, to find the end of its last line.
const OVERLAP: u64 = 4 << 10;

/// State shared by all threads.
struct Shared<'a> {
    file: RandomAccess<'a>,
    /// Start of the text.
    start: u64,
    search: Search,
    /// Length of a segment.
    segment: u64,
    /// End of the file, once a thread has reached it; `u64::MAX` before.
    end: AtomicU64,
}

/// Checks the lines of a file from `start` on, on `threads` threads. Passes findings to `part` when there are many, and
/// returns the rest, and the length of the file.
///
/// # Errors
/// The file cannot be read; `UnexpectedEof` if it became shorter. Those of `part`.
pub fn check(
    file: RandomAccess<'_>,
    start: u64,
    search: Search,
    threads: NonZeroUsize,
    part: Option<&mut dyn FnMut(Found) -> io::Result<()>>,
) -> Result<(Found, u64), Failure> {
    let expected = file.length()?;
    let segment = match search.limit {
        0 => SHORT_SEGMENT,
        _ => SEGMENT,
    };
    let (found, length) = in_segments(file, start, search, threads, segment, part)?;
    if length < expected {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    Ok((found, length))
}

fn in_segments(
    file: RandomAccess<'_>,
    start: u64,
    search: Search,
    threads: NonZeroUsize,
    segment: u64,
    mut part: Option<&mut dyn FnMut(Found) -> io::Result<()>>,
) -> Result<(Found, u64), Failure> {
    let limit = search.limit;
    let shared = Shared {
        file,
        start,
        search,
        segment,
        end: AtomicU64::new(u64::MAX),
    };
    let mut all = Found::default();
    let mut unwritten = false;
    let checked = in_order(
        threads,
        (0..)
            .map(|number| start + number * segment)
            .take_while(|&from| from <= shared.end.load(Ordering::Relaxed)),
        |from| check_segment(&shared, from),
        |found| {
            all.append(found?, limit);
            match &mut part {
                Some(part) if all.is_full() => part(all.take()).inspect_err(|_| unwritten = true),
                _ => Ok(()),
            }
        },
    );
    match checked {
        Ok(()) => Ok((all, shared.end.into_inner())),
        Err(error) if unwritten => Err(Failure::Write(error)),
        Err(error) => Err(Failure::Read(error)),
    }
}

/// Checks the lines that start in the segment at `from`.
fn check_segment(shared: &Shared<'_>, from: u64) -> io::Result<Found> {
    let to = from + shared.segment;
    let mut records = None;
    // A line starts after a line feed, the first one at the start of the text.
    let mut at = from.max(shared.start + 1) - 1;
    if from == shared.start {
        records = Some(Records::new(shared.search.clone(), from));
    }
    let mut buffer = vec![0; READ_SIZE.min(shared.segment + OVERLAP) as usize];
    loop {
        let wanted = to.saturating_sub(at).saturating_add(OVERLAP);
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
                records = Some(Records::new(shared.search.clone(), offset));
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
        fn segments_and_threads_change_nothing(
            lines in prop::collection::vec(line(), 0..40),
            segment in 1u64..400,
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
            let mut whole = Records::new(search.clone(), start);
            whole.push(&text[start as usize..]);
            let (found, length) = in_segments(
                input.random_access().unwrap(),
                start,
                search,
                NonZeroUsize::new(threads).unwrap(),
                segment,
                None,
            ).map_err(|_| ()).unwrap();
            prop_assert_eq!((found, length), (whole.finish(), text.len() as u64));
        }
    }
}
