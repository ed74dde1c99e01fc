//! The elements of a large array, in batches that are read one by one.

use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;

use jsonx_core::engine::{Options, Validator, Verdict};
use jsonx_core::path::Path;
use jsonx_core::query::{Answer, Query, QueryOptions};
use jsonx_jq::{IndexedText, TextBytes};

use crate::check::segments::{SegmentHooks, sinks};
use crate::check::{Failure, InputKind, moved};
use crate::input::{Input, Segments, Strategy, Task, Window};

/// Length of a batch in bytes.
const BATCH: u64 = 1 << 20;

/// Beyond this many elements, their offsets take too much memory.
const MAX_ELEMENTS: usize = 1 << 24;

/// The elements of an array.
pub struct Elements {
    /// Their offsets in the file.
    starts: Vec<u64>,
    /// The end of the last one.
    end: u64,
}

/// Collects elements.
#[derive(Default)]
struct Finding {
    starts: Vec<u64>,
    end: u64,
    too_many: bool,
}

impl SegmentHooks<Query> for Finding {
    fn after(&mut self, query: &mut Query) -> Result<(), Failure> {
        for answer in query.answers() {
            if let Answer::Match(one) = answer {
                self.starts.push(one.start);
                self.end = one.end;
            }
        }
        self.too_many |= self.starts.len() + query.pending() > MAX_ELEMENTS;
        if self.too_many {
            self.starts.clear();
        }
        Ok(())
    }
}

/// Verifies a file, and finds the elements of the array at a path, for this number of threads. `None` if it is small, or has no such
/// array.
///
/// # Errors
/// The file is invalid or cannot be read.
pub fn find(
    input: &mut Input,
    options: Options,
    path: &[String],
) -> Result<Option<(Elements, NonZeroUsize)>, Failure> {
    let Strategy::Segments(threads) = input.strategy(InputKind::Json, Task::Elements) else {
        return Ok(None);
    };
    let path = path.iter().fold(Path::root(), |path, key| path.key(key));
    let query = Query::new(&[path.each()], QueryOptions::default());
    let (_, found, origin) = sinks::look_up(options, input, query, Finding::default)?;
    let Some(&first) = found.starts.first() else {
        return Ok(None);
    };
    // The members of an object are also elements of this path; a value comes after its key.
    let first = origin + first;
    let from = first.saturating_sub(64);
    let before = input.span(from, first)?;
    let is_array = before.trim_ascii_end().ends_with(b"[");
    if found.too_many || !is_array {
        return Ok(None);
    }
    let starts = found.starts.into_iter().map(|start| start + origin);
    let elements = Elements {
        starts: starts.collect(),
        end: found.end + origin,
    };
    Ok(Some((elements, threads)))
}

impl Elements {
    /// The numbers of the elements of each batch.
    pub fn batches(&self) -> impl Iterator<Item = Range<usize>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let from = next;
            let start = *self.starts.get(from)?;
            let length = self.starts[from..].partition_point(|at| at - start < BATCH);
            next = from + length;
            Some(from..next)
        })
    }

    /// The offsets of elements of a batch from its start.
    pub fn offsets(&self, batch: Range<usize>) -> impl Iterator<Item = usize> {
        let starts = &self.starts[batch];
        starts.iter().map(|start| (start - starts[0]) as usize)
    }

    /// Reads the elements of a batch as a text of values, with a line feed in place of each comma between them. `None` if the file
    /// has been changed.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn text(&self, file: &Segments<'_>, batch: Range<usize>) -> io::Result<Option<Vec<u8>>> {
        let start = self.starts[batch.start];
        let end = self.starts.get(batch.end).copied().unwrap_or(self.end);
        let mut text = Vec::new();
        let length = file.between(start, Some(end)).read(&mut text)?.len();
        text.truncate(length);
        let next = self.starts[batch.start + 1..].iter().take(batch.len());
        for next in next {
            let before = &text[..(next - start) as usize];
            let Some(comma) = before.iter().rposition(|byte| !byte.is_ascii_whitespace()) else {
                return Ok(None);
            };
            if text[comma] != b',' {
                return Ok(None);
            }
            text[comma] = b'\n';
        }
        Ok(Some(text))
    }
}

/// Reads and verifies the rest of an input, from the current offset of a stream.
///
/// # Errors
/// It is invalid or cannot be read.
pub fn read(input: &mut Input, options: Options, from: u64) -> Result<IndexedText, Failure> {
    let mut text = Vec::with_capacity(input.length().saturating_sub(from) as usize);
    let mut offset = from;
    let append = |window: &Window<'_>| {
        if text.is_empty() {
            offset = window.offset();
            if !window.is_last() {
                // The second of several values is found before all are read.
                let checked = Validator::new(options).write(window.bytes(), &mut Verdict);
                checked.map_err(|stop| moved(stop.into(), offset))?;
            }
        }
        Ok::<_, Failure>(window.append_to(&mut text))
    };
    match from {
        0 => input.each_window(append)?,
        _ if !input.is_file() => input.each_window(append)?,
        from => input.each_window_of(from, u64::MAX, append)?,
    }
    let read = IndexedText::new(TextBytes::Owned(text), options);
    read.map_err(|error| moved(Failure::Invalid(error), offset))
}
