//! Files of JSON Lines on several threads, for programs that see one record at a time.
//!
//! ```text
//! file ──► batches of lines ──► worker: verify, run the program ──► results and messages, in order
//!                                       │
//!                    the paths that a program reads are known ──► projection.rs: a text of only these values
//! ```

use jsonx_core::engine::{Mode, Options};
use jsonx_jq::{Program, Source as Text, Text as Bytes};

use super::USABLE_STACK;
use super::feed::Feed;
use super::jobs::FileJob;
use super::runner::{Progress, run};
use super::worker::{Compiled, Part, Shared, Worker};
use crate::check::lines::file::each_batch;
use crate::check::lines::{Batch, LineFindings, Records, Search, filled_lines, line_feeds};
use crate::check::{Failure, Interrupted};

/// The results for a batch of lines.
struct Lines {
    part: Part,
    line_feeds: u64,
    /// The batch and its offset, if the interpreter has to run it.
    again: Option<(Vec<u8>, u64)>,
}

/// Runs a program for each record of a file, and returns the invalid ones and the end of the file.
///
/// # Errors
/// The file cannot be read; standard output cannot be written.
pub fn run_lines(
    job: &FileJob,
    search: &Search,
    program: &Program,
    feed: &Feed<'_>,
    progress: &mut Progress,
) -> Result<(LineFindings, u64), Failure> {
    let mut line = 0;
    let (options, shared) = (job.options, feed.shared(job.name.as_deref()));
    let work = |batch: Batch<'_>, records: &mut Records| {
        Ok::<_, Failure>(run_batch(batch, options, shared, records))
    };
    let worked = each_batch(&job.input, job.threads, search, work, |batch| {
        let first = line;
        line += batch.line_feeds;
        match batch.again {
            Some((text, offset)) => {
                let mut ended = Ok(());
                each_record(&text, offset, options, &mut |source, record| {
                    feed.begin(source, job.name.clone(), first + record);
                    while let Some(value) = feed.next_of_text() {
                        if ended.is_ok() && progress.halted.is_none() {
                            ended = run(program, value, USABLE_STACK, feed, progress);
                        }
                    }
                });
                ended.map_err(Failure::Write)?;
            }
            None => {
                let out = &mut feed.out.borrow_mut();
                let printed = batch.part.print(first, shared.name, out, progress);
                printed.map_err(Failure::Write)?;
            }
        }
        match progress.halted {
            Some(_) => Err(Interrupted::Early(())),
            None => Ok(()),
        }
    });
    match worked {
        Err(Interrupted::Early(())) => Ok((LineFindings::default(), u64::MAX)),
        Err(Interrupted::Failed(failure)) => Err(failure),
        Ok(found) => Ok(found),
    }
}

/// Passes on the records of whole lines, with the number of lines before: all at once if they are valid, otherwise each valid one.
/// Returns how many there are, if all are valid.
pub fn each_record(
    text: &[u8],
    offset: u64,
    options: Options,
    take: &mut dyn FnMut(Text, u64),
) -> Option<u64> {
    let source = |text: &[u8], offset| {
        let text = Bytes::Owned(text.to_vec());
        let source = Text::new(text, options.mode(Mode::Stream), offset).ok();
        source.filter(Text::has_one_value_per_line)
    };
    if let Some(source) = source(text, offset) {
        let count = source.count();
        take(source, 0);
        return Some(count);
    }
    let (mut line, mut counted) = (0, 0);
    for (at, record) in filled_lines(text) {
        line += line_feeds(&text[counted..at]);
        counted = at;
        if let Some(source) = source(record, offset + at as u64) {
            take(source, line);
        }
    }
    None
}

/// Runs the program for the records of a batch.
fn run_batch(
    batch: Batch<'_>,
    options: Options,
    shared: Shared<'_>,
    records: &mut Records,
) -> Lines {
    let Batch { text, offset, .. } = batch;
    let compiled = Compiled::of(shared.source);
    let projection = compiled.projection.as_ref();
    let projected = projection.and_then(|projection| projection.of_lines(text, options));
    let mut worker = Worker::new(compiled.clone(), shared);
    let line_feeds = match projected {
        Some(projected) => {
            let feeds = projected.line_feeds;
            records.skip(text, feeds, projected.records.len() as u64);
            let (mut line, mut counted) = (0, 0);
            worker.projected(projected, |worker, _, record| {
                let from = memchr::memrchr(b'\n', &text[..record.within]).map_or(0, |at| at + 1);
                let length = memchr::memchr(b'\n', &text[from..]);
                let record = &text[from..length.map_or(text.len(), |length| from + length)];
                line += line_feeds(&text[counted..from]);
                counted = from;
                each_record(record, offset + from as u64, options, &mut |source, _| {
                    worker.text(source, Some(line));
                });
            });
            feeds
        }
        None => {
            let count = each_record(text, offset, options, &mut |source, line| {
                worker.text(source, Some(line));
            });
            let feeds = line_feeds(text);
            match count {
                Some(count) => records.skip(text, feeds, count),
                None => records.push(text),
            }
            feeds
        }
    };
    let part = worker.finish();
    Lines {
        again: part.is_given_up.then(|| (text.to_vec(), offset)),
        part,
        line_feeds,
    }
}
