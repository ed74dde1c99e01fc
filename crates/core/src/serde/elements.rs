//! The elements of an array that may be larger than memory.

use core::marker::PhantomData;
use std::collections::VecDeque;
use std::io::{self, Read};

use serde_core::de::DeserializeOwned;

use super::tokens::Tokens;
use super::values::until_error;
use crate::error::Error;
use crate::path::{Path, Reach, Segment, Selector};
use crate::select::{Answer, Duplicates, Query, QueryOptions};
use crate::string::has_backslash;
use crate::syntax::OutOfMemory;
use crate::token::{Chunk, Inside, Mode, Sink, Stop, Verdict};
use crate::window::{Options, Validator};

/// Bytes that are read at a time.
const READ: usize = 64 << 10;

/// The elements of an array, or the values of a stream, one after another: see [`elements`] and [`values`].
///
/// ```
/// let mut rows = jsonx_core::elements::<u8, _>(&b"[1, 2]"[..], "")?;
/// assert_eq!(rows.next().unwrap()?, 1);
/// assert_eq!(rows.next().unwrap()?, 2);
/// assert!(rows.next().is_none());
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Elements<T, R> {
    reader: R,
    /// `None` after the end, or an error of the text.
    validator: Option<Validator>,
    query: Query,
    /// The text from the first element on that is not complete, and its offset.
    held: Vec<u8>,
    held_from: u64,
    marks: Marks,
    /// The last token is a string with an escape that has not ended.
    open_escape: bool,
    /// Elements that are complete: their offsets.
    complete: VecDeque<(u64, u64)>,
    /// The error after them.
    failed: Option<Error>,
    value: PhantomData<T>,
}

/// Where the values of a text are, as [`Tokens`] needs it.
#[derive(Debug, Default)]
struct Marks {
    /// The offsets of brackets, of both quotes of each string, and of the first bytes of numbers and literals.
    all: Vec<u64>,
    /// The closing quotes of strings with escapes.
    escaped: Vec<u64>,
}

/// Reads the elements of an array, or the values of an object, into a type, one at a time: memory is that of the largest
/// element, of 8 bytes for each of its brackets, quotes, numbers and literals, and of 64 KiB. `path` leads to the array: a JSON Pointer (`/data/rows`, empty for the root), a dot path, or JSONPath.
///
/// The text is checked as it is read. An error in it, or of the reader, comes after the elements before it, and is the last item;
/// only after an error of the kind `WouldBlock` or `TimedOut` the next call reads on. An element
/// that does not fit the type is an error of its own, and reading continues. Where there is no such array, there are no
/// elements. Of duplicate keys on the way, each counts.
///
/// # Errors
///
/// The path is not valid: a [`PathError`](crate::path::PathError), as its source.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Row {
///     id: u32,
/// }
///
/// let file = &br#"{"data": [{"id": 1}, {"id": "2"}, {"id": 3}]}"#[..]; // Any std::io::Read.
/// let rows = jsonx_core::elements::<Row, _>(file, "/data")?;
/// let (mut sum, mut errors) = (0, Vec::new());
/// for row in rows {
///     match row {
///         Ok(row) => sum += row.id,
///         Err(error) => errors.push(error.to_string()),
///     }
/// }
/// assert_eq!((sum, errors), (4, vec![r#".id: expected u32, found string "2" at offset 28"#.to_owned()]));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn elements<T: DeserializeOwned, R: Read>(
    reader: R,
    path: &str,
) -> Result<Elements<T, R>, Error> {
    let mut segments = Path::parse(path)?.segments().to_vec();
    segments.push(Segment {
        reach: Reach::Child,
        selectors: vec![Selector::Wildcard],
        optional: false,
    });
    Ok(Elements::of(reader, Path::of_segments(segments), Mode::One))
}

/// Reads the values of a stream into a type, one at a time, with or without white space between them, as `serde_json`'s
/// `StreamDeserializer` over a reader: memory is that of the largest value, as with [`elements`]. A text in memory is read faster,
/// and without copies, by [`values_in`](crate::values_in).
///
/// The text is checked as it is read. An error in it, or of the reader, comes after the values before it, and is the last item;
/// only after an error of the kind `WouldBlock` or `TimedOut` the next call reads on. A value that
/// does not fit the type is an error of its own, and reading continues. Where each value is a line, [`lines`](crate::lines())
/// continues after an error in the text, too. A number at the end of what has come is handed out when the byte after it comes.
///
/// ```
/// let file = &b"{\"id\": 1}{\"id\": 2}\n{\n  \"id\": 3\n}"[..]; // Any std::io::Read.
/// let records = jsonx_core::values::<std::collections::BTreeMap<String, u32>, _>(file);
/// let ids: Result<Vec<u32>, jsonx_core::Error> = records.map(|record| Ok(record?["id"])).collect();
/// assert_eq!(ids?, [1, 2, 3]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn values<T: DeserializeOwned, R: Read>(reader: R) -> Elements<T, R> {
    Elements::of(reader, Path::of_segments(Vec::new()), Mode::Stream)
}

impl<T: DeserializeOwned, R: Read> Elements<T, R> {
    /// Those that a path leads to.
    fn of(reader: R, path: Path, mode: Mode) -> Self {
        let options = QueryOptions::default().duplicates(Duplicates::Each);
        Elements {
            reader,
            validator: Some(Validator::new(Options::default().mode(mode))),
            query: Query::new(&[path], options),
            held: Vec::new(),
            held_from: 0,
            marks: Marks::default(),
            open_escape: false,
            complete: VecDeque::new(),
            failed: None,
            value: PhantomData,
        }
    }

    /// The next element that is complete, from what is held.
    fn complete(&mut self) -> Option<Result<T, Error>> {
        let (start, end) = self.complete.pop_front()?;
        let at = |offset: u64| usize::try_from(offset - self.held_from).ok();
        let text = at(start)
            .zip(at(end))
            .and_then(|(start, end)| self.held.get(start..end));
        // Verified with the rest of the text, so not again.
        let inside = |marks: &'_ Vec<u64>| {
            let from = marks.partition_point(|&mark| mark < start);
            from..marks.partition_point(|&mark| mark < end)
        };
        let marks = self.marks.all.get(inside(&self.marks.all));
        let escaped = self.marks.escaped.get(inside(&self.marks.escaped));
        let text = text.unwrap_or_default();
        let value = match (marks, escaped) {
            (Some(marks), Some(escaped)) if u32::try_from(text.len()).is_ok() => {
                super::read(Tokens::verified(text, marks, escaped, start))
            }
            _ => super::read(Tokens::new(text, Options::default())),
        };
        Some(value.map_err(|error| error.moved(start)))
    }

    /// Bytes of the text in memory.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.held.len()
    }

    /// Reads and checks more of the text; whether there may be more elements.
    fn read_more(&mut self) -> Result<bool, Error> {
        let Some(validator) = &mut self.validator else {
            return Ok(false);
        };
        // What is before the first element that is not complete is needed no more.
        let kept = self.query.retain_from().min(validator.verified());
        let done = usize::try_from(kept.saturating_sub(self.held_from)).unwrap_or(usize::MAX);
        let done = done.min(self.held.len());
        self.held.drain(..done);
        self.held_from += done as u64;
        let held_from = self.held_from;
        for marks in [&mut self.marks.all, &mut self.marks.escaped] {
            let done = marks.partition_point(|&mark| mark < held_from);
            marks.drain(..done);
        }
        let mut sink = Both {
            query: &mut self.query,
            marks: &mut self.marks,
            open_escape: &mut self.open_escape,
        };
        let from = self.held.len();
        self.held.try_reserve(READ).map_err(OutOfMemory::from)?;
        self.held.resize(from + READ, 0);
        let read = loop {
            match self.reader.read(&mut self.held[from..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.held.truncate(from + *read.as_ref().unwrap_or(&0));
        let verified = (validator.verified() - held_from) as usize;
        let checkpoint = validator.clone();
        let pauses = matches!(&read, Err(error) if is_pause(error));
        let checked = match &read {
            // What is after the last line comes again with more.
            Err(_) if pauses => validator.flush_lines(&mut sink).map_err(Error::from),
            // What has come may have an error, which is earlier.
            Err(_) => match checkpoint.clone().finish(Verdict) {
                Err(Stop::Invalid(error)) if error.offset < validator.offset() => Err(error.into()),
                _ => Ok(()),
            },
            Ok(0) => match checkpoint.clone().finish(Verdict) {
                Ok(()) => {
                    let ended = core::mem::take(validator).finish(&mut sink);
                    sink.query.end();
                    ended.map_err(Error::from)
                }
                Err(stop) => Err(stop.into()),
            },
            Ok(_) => {
                let written = validator.write(&self.held[from..], &mut sink);
                written.map_err(Error::from)
            }
        };
        let is_end = matches!(&read, Ok(0));
        let failed = match (checked, read) {
            (Err(error), _) => Some(error),
            (Ok(()), Err(error)) => Some(error.into()),
            (Ok(()), Ok(_)) => None,
        };
        let ends = match &failed {
            Some(error) => error.is_syntax() || !pauses,
            None => is_end,
        };
        if let Some(error) = failed.as_ref().filter(|_| ends) {
            // Of the block with the error, nothing was passed on.
            let seen = (validator.verified() - held_from) as usize;
            let at = match error.offset().filter(|_| error.is_syntax()) {
                Some(at) => at.saturating_sub(held_from) as usize,
                None => self.held.len(),
            };
            let (before, after) = self.held.split_at(at.clamp(seen, self.held.len()));
            if let Some(rest) = until_error(before, after).get(seen..) {
                checkpoint.resume(&self.held[verified..seen], rest, &mut sink);
            }
        }
        let answers = self.query.answers().filter_map(|answer| match answer {
            Answer::Match(one) => Some((one.start, one.end)),
            Answer::Missing { .. } => None,
        });
        self.complete.extend(answers);
        if ends {
            self.validator = None;
        }
        match failed {
            None => Ok(!ends || !self.complete.is_empty()),
            Some(error) => Err(error),
        }
    }
}

/// Whether there may be more to read later.
pub(super) fn is_pause(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

/// Finds the elements, and collects the marks.
struct Both<'a> {
    query: &'a mut Query,
    marks: &'a mut Marks,
    open_escape: &'a mut bool,
}

impl Sink for Both<'_> {
    type Error = OutOfMemory;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), OutOfMemory> {
        let Marks { all, escaped } = &mut *self.marks;
        all.try_reserve(2 * chunk.kinds.len() + 1)?;
        let has_escape = |raw: &[u8]| chunk.flags.escapes && has_backslash(raw);
        if matches!(chunk.before.inside, Inside::String { .. }) {
            let rest = chunk.before_first();
            *self.open_escape |= has_escape(rest);
            if !(chunk.offsets.is_empty() && chunk.ends_in_string) {
                let end = chunk.offset + rest.len() as u64 - 1;
                all.push(end);
                if core::mem::take(self.open_escape) {
                    escaped.try_reserve(1)?;
                    escaped.push(end);
                }
            }
        }
        for (index, (&kind, &at)) in chunk.kinds.iter().zip(chunk.offsets).enumerate() {
            let start = chunk.offset + u64::from(at);
            match kind {
                b',' | b':' => {}
                b'"' => {
                    all.push(start);
                    let raw = chunk.raw(index);
                    let is_last = index + 1 == chunk.kinds.len();
                    if is_last && chunk.ends_in_string {
                        *self.open_escape = has_escape(raw);
                        continue;
                    }
                    let end = start + raw.len() as u64 - 1;
                    all.push(end);
                    if has_escape(raw) {
                        escaped.try_reserve(1)?;
                        escaped.push(end);
                    }
                }
                _ => all.push(start),
            }
        }
        self.query.chunk(chunk)
    }

    fn finish(self) -> Result<(), OutOfMemory> {
        Ok(())
    }
}

impl<T: DeserializeOwned, R: Read> Iterator for Elements<T, R> {
    /// The offset of an error is that in the text, its path that in the element.
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Result<T, Error>> {
        loop {
            if let Some(element) = self.complete() {
                return Some(element);
            }
            if let Some(error) = self.failed.take() {
                return Some(Err(error));
            }
            match self.read_more() {
                Ok(true) => {}
                Ok(false) => return None,
                // Elements before the error come first.
                Err(error) => self.failed = Some(error),
            }
        }
    }
}
