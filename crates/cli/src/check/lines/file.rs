//! Processes the lines of one large file on several threads: checks them, or runs commands that continue after an invalid
//! record.

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Batch, LineFindings, Records, Search};
use crate::check::Failure;
use crate::input::{Buffers, Input, Segment, Segments};

/// Length of a segment in bytes.
const SEGMENT: u64 = 4 << 20;

/// Length of a segment if the number of retained findings is not limited.
const SHORT_SEGMENT: u64 = 256 << 10;

/// Checks the lines of a file on `threads` threads. Passes findings to `part` when there are many, and returns the rest and the
/// length of the file.
///
/// # Errors
/// The file cannot be read, with `UnexpectedEof` if it became shorter; errors of `part`.
pub fn check(
    input: &Input,
    search: &Search,
    threads: NonZeroUsize,
    part: Option<&mut dyn FnMut(LineFindings) -> io::Result<()>>,
) -> Result<(LineFindings, u64), Failure> {
    let length = match search.limit {
        0 => SHORT_SEGMENT,
        _ => SEGMENT,
    };
    in_segments(input, search, threads, length, part)
}

fn in_segments(
    input: &Input,
    search: &Search,
    threads: NonZeroUsize,
    length: u64,
    mut part: Option<&mut dyn FnMut(LineFindings) -> io::Result<()>>,
) -> Result<(LineFindings, u64), Failure> {
    let file = Segments::of(input)?;
    let buffers = Buffers::default();
    let are_lints_full = AtomicBool::new(false);
    let check = |segment: Segment<'_>| -> io::Result<LineFindings> {
        let Some(lines) = segment.lines()? else {
            return Ok(LineFindings::default());
        };
        let mut records = Records::new(search.clone(), lines.start());
        if are_lints_full.load(Ordering::Relaxed) {
            records.only_count_lints();
        }
        let mut buffer = buffers.take();
        lines.each_window(&mut buffer, |text, _| {
            records.push(text);
            Ok::<_, io::Error>(())
        })?;
        buffers.put(buffer);
        Ok(records.finish())
    };
    let mut all = LineFindings::default();
    let segments = file.every(file.start(), length);
    let end = file.each(threads, segments, check, |found| {
        all.append(found?, search.limit);
        are_lints_full.store(all.are_lints_full(search.limit), Ordering::Relaxed);
        match &mut part {
            Some(part) if all.is_full() => part(all.take()).map_err(Failure::Write),
            _ => Ok(()),
        }
    })?;
    Ok((all, end))
}

/// Length of a batch in bytes, which fits in the L2 cache while it is processed.
const BATCH: u64 = 1 << 20;

/// Works on the lines of a file in batches, on this many threads, and passes the results to `join` in order. Returns the findings, and
/// the end of the file.
///
/// # Errors
/// Errors of `work`, in order, and of `join`; the file cannot be read.
pub fn each_batch<R: Send, E: From<Failure> + From<io::Error>>(
    input: &Input,
    threads: NonZeroUsize,
    search: &Search,
    work: impl Fn(Batch<'_>, &mut Records) -> Result<R, Failure> + Sync,
    mut join: impl FnMut(R) -> Result<(), E>,
) -> Result<(LineFindings, u64), E> {
    let file = Segments::of(input)?;
    let buffers = Buffers::default();
    let work = |segment: Segment<'_>| -> Result<Option<(R, LineFindings)>, Failure> {
        let Some(lines) = segment.lines()? else {
            return Ok(None);
        };
        let mut buffer = buffers.take();
        let mut records = Records::new(search.clone(), lines.start());
        let batch = Batch {
            text: lines.read(&mut buffer)?,
            offset: lines.start(),
            is_last: false,
            window: None,
        };
        let done = work(batch, &mut records)?;
        buffers.put(buffer);
        Ok(Some((done, records.finish())))
    };
    let mut all = LineFindings::default();
    let segments = file.every(file.start(), BATCH);
    let end = file.each(threads, segments, work, |done| {
        if let Some((done, found)) = done? {
            join(done)?;
            all.append(found, search.limit);
        }
        Ok::<_, E>(())
    })?;
    Ok((all, end))
}

#[cfg(test)]
mod tests {
    use super::super::records::tests::{lines, search};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn segments_and_threads_change_nothing(
            lines in lines(40),
            segment in 1u64..400,
            threads in 1usize..4,
            start in prop::sample::select(vec![0u64, 3]),
            limit in 0usize..6,
        ) {
            let mut text = b"\xEF\xBB\xBF"[..start as usize].to_vec();
            text.extend_from_slice(lines.join("\n").as_bytes());
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &text).unwrap();
            let mut input = Input::open(file.path()).unwrap();
            let start = start.min(input.skip_byte_order_mark());
            let search = search(limit);
            let mut whole = Records::new(search.clone(), start);
            whole.push(&text[start as usize..]);
            let (found, length) = in_segments(
                &input,
                &search,
                NonZeroUsize::new(threads).unwrap(),
                segment,
                None,
            ).map_err(|_| ()).unwrap();
            prop_assert_eq!((found, length), (whole.finish(), text.len() as u64));
        }
    }
}
