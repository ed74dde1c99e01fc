//! Reads the values of a text that is pushed in chunks of any length.

use core::convert::Infallible;
use core::marker::PhantomData;
use std::collections::VecDeque;
use std::io;

use serde_core::de::DeserializeOwned;

use super::lines::is_pause;
use super::tokens::Tokens;
use crate::error::Error;
use crate::jsonc::Dialect;
use crate::path::Path;
use crate::position::LineCounter;
use crate::select::{Answer, Duplicates, Match, Query, QueryOptions};
use crate::token::{Chunk, Interest, Kind, Mode, Sink, Stop, Verdict};
use crate::window::{Options, Validator, validate};

/// Reads values from bytes that are pushed as they arrive, for callers that cannot block in a reader, as in asynchronous code.
///
/// [`write`](Incoming::write) never blocks; the iterator yields each value as soon as it is complete, and `None` means that
/// more text is needed. A number may continue in the next bytes, so it is returned after the byte that follows it, or after
/// [`finish`](Incoming::finish). Errors are those of [`elements`](crate::elements) and [`values`](crate::values).
///
/// ```
/// use jsonx_core::stream::Incoming;
///
/// let mut incoming = Incoming::<u32>::values();
/// incoming.write(b"12");
/// assert!(incoming.next().is_none());
/// incoming.write(b"34 5");
/// assert_eq!(incoming.next().unwrap()?, 1234);
/// assert!(incoming.next().is_none());
/// incoming.finish();
/// assert_eq!(incoming.next().unwrap()?, 5);
/// assert!(incoming.next().is_none());
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Incoming<T> {
    /// `None` after the end, or an error of the text.
    validator: Option<Validator>,
    query: Query,
    /// The value of a path whose elements are requested, until there is an element.
    target: Option<PathValue>,
    max_held: usize,
    /// The text from the first incomplete element on, and its offset.
    pub(super) held: Vec<u8>,
    held_from: u64,
    /// The lines before `held`.
    lines: LineCounter,
    /// Complete elements that were not read yet.
    complete: VecDeque<Element>,
    /// The error after the complete elements.
    failed: Option<Error>,
    value: PhantomData<T>,
}

/// A complete element: its offsets, and the number of its location in the query.
#[derive(Debug)]
struct Element {
    start: u64,
    end: u64,
    location: Option<u32>,
}

impl<T: DeserializeOwned> Incoming<T> {
    /// The values of a stream, as [`values`](crate::values) reads them.
    ///
    /// ```
    /// use jsonx_core::stream::Incoming;
    ///
    /// let mut incoming = Incoming::<Vec<u8>>::values();
    /// incoming.write(b"[1, 2][3");
    /// assert_eq!(incoming.next().unwrap()?, [1, 2]);
    /// assert!(incoming.next().is_none());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn values() -> Self {
        Incoming::new(Path::root(), Mode::Stream)
    }

    /// The elements of the array at a path, or the matches of a path, as [`elements`](crate::elements) reads them.
    ///
    /// # Errors
    ///
    /// The path is not valid.
    ///
    /// ```
    /// use jsonx_core::stream::Incoming;
    ///
    /// let mut incoming = Incoming::<u8>::elements("/data")?;
    /// incoming.write(br#"{"data": [1, 2"#);
    /// assert_eq!(incoming.by_ref().collect::<Result<Vec<u8>, _>>()?, [1]);
    /// incoming.finish();
    /// // More digits could have followed.
    /// assert!(incoming.next().unwrap().unwrap_err().is_eof());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn elements(path: &str) -> Result<Self, Error> {
        let path = Path::parse(path)?;
        if !path.is_singular() {
            return Ok(Incoming::new(path, Mode::One));
        }
        let incoming = Incoming::new(path.clone().each(), Mode::One);
        let target = Some(PathValue::new(path));
        Ok(Incoming { target, ..incoming })
    }

    fn new(path: Path, mode: Mode) -> Self {
        Incoming {
            validator: Some(Validator::new(Options::default().mode(mode))),
            query: Query::new(&[path], each().locations(mode == Mode::One)),
            target: None,
            max_held: usize::MAX,
            held: Vec::new(),
            held_from: 0,
            lines: LineCounter::new(),
            complete: VecDeque::new(),
            failed: None,
            value: PhantomData,
        }
    }

    /// Sets the maximum number of bytes to buffer for an incomplete value; exceeding it is an error, the last item. By default
    /// there is no limit. Complete values are buffered until they are read.
    ///
    /// ```
    /// use jsonx_core::stream::Incoming;
    ///
    /// let mut incoming = Incoming::<String>::values().max_held(100);
    /// incoming.write(b"\"");
    /// let item = loop {
    ///     incoming.write(b"without end, ");
    ///     if let Some(item) = incoming.next() {
    ///         break item;
    ///     }
    /// };
    /// assert!(item.is_err() && incoming.next().is_none());
    /// ```
    #[must_use]
    pub fn max_held(self, max_held: usize) -> Self {
        Incoming { max_held, ..self }
    }

    /// Adds bytes of the text, and verifies them. After an error in the text, they are ignored.
    ///
    /// ```
    /// use jsonx_core::stream::Incoming;
    ///
    /// let mut incoming = Incoming::<bool>::values();
    /// for byte in b"true false " {
    ///     incoming.write(&[*byte]);
    /// }
    /// assert_eq!(incoming.collect::<Result<Vec<bool>, _>>()?, [true, false]);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn write(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if let Some(from) = self.prepare(bytes.len()) {
            self.held[from..].copy_from_slice(bytes);
            self.received(from, Ok(bytes.len()));
        }
    }

    /// Ends the text.
    ///
    /// ```
    /// use jsonx_core::stream::Incoming;
    ///
    /// let mut incoming = Incoming::<u8>::values();
    /// incoming.write(b"7");
    /// incoming.finish();
    /// assert_eq!(incoming.next().unwrap()?, 7);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn finish(&mut self) {
        if let Some(from) = self.prepare(0) {
            self.received(from, Ok(0));
        }
    }

    /// The error if more of a value is buffered than allowed.
    fn too_long(&mut self) -> Option<Error> {
        let start = self.query.retain_from().max(self.held_from);
        let held = self.held_from + self.held.len() as u64 - start;
        if held <= self.max_held as u64 {
            return None;
        }
        self.validator = None;
        let message = format!("a value is longer than {} bytes", self.max_held);
        Some(Error::data(message).at_offset(start))
    }

    /// The next complete element.
    fn complete(&mut self) -> Option<Result<T, Error>> {
        let Element {
            start,
            end,
            location,
        } = self.complete.pop_front()?;
        let at = |offset: u64| usize::try_from(offset - self.held_from).ok();
        let text = at(start)
            .zip(at(end))
            .and_then(|(start, end)| self.held.get(start..end));
        let tokens = Tokens::of_value(text.unwrap_or_default(), start, Dialect::Json);
        let value = tokens.and_then(super::read);
        let location = location.and_then(|number| self.query.take_location(number, value.is_err()));
        Some(value.map_err(|error| {
            let location = location.unwrap_or_default();
            self.place(error.moved(start).in_location(&location))
        }))
    }

    /// An error with its line.
    #[cold]
    fn place(&self, error: Error) -> Error {
        error.in_rest(&self.lines, &self.held)
    }

    /// Drops consumed text and extends the buffer by `length` bytes. Returns their start; `None` after the end.
    pub(super) fn prepare(&mut self, length: usize) -> Option<usize> {
        let validator = self.validator.as_ref()?;
        // Retains text from the first element that is incomplete or unread.
        let kept = self.query.retain_from().min(validator.verified());
        let kept = self
            .complete
            .front()
            .map_or(kept, |element| kept.min(element.start));
        let done = usize::try_from(kept.saturating_sub(self.held_from)).unwrap_or(usize::MAX);
        let done = done.min(self.held.len());
        self.lines.feed_verified(&self.held[..done]);
        self.held.drain(..done);
        self.held_from += done as u64;
        let from = self.held.len();
        self.held.resize(from + length, 0);
        Some(from)
    }

    /// Checks the bytes received after `from`. Returns whether there may be more elements.
    pub(super) fn received(&mut self, from: usize, read: io::Result<usize>) -> bool {
        let Some(validator) = &mut self.validator else {
            return false;
        };
        let held_from = self.held_from;
        let mut sink = Queries {
            elements: &mut self.query,
            target: self.target.as_mut(),
        };
        self.held.truncate(from + *read.as_ref().unwrap_or(&0));
        let verified = (validator.verified() - held_from) as usize;
        let checkpoint = validator.clone();
        let pauses = matches!(&read, Err(error) if is_pause(error));
        let checked = match &read {
            Err(_) if pauses => Ok(()),
            // The received bytes may have an earlier error.
            Err(_) => match checkpoint.clone().finish(Verdict) {
                Err(Stop::Invalid(error)) if error.offset < validator.offset() => Err(error.into()),
                _ => Ok(()),
            },
            Ok(0) => match checkpoint.clone().finish(Verdict) {
                Ok(()) => {
                    let ended = core::mem::take(validator).finish(&mut sink);
                    sink.elements.end();
                    ended.map_err(Error::from)
                }
                Err(stop) => Err(stop.into()),
            },
            Ok(_) => {
                let written = validator.write(&self.held[from..], &mut sink);
                let flushed = written.and_then(|()| validator.flush(&mut sink));
                flushed.map_err(Error::from)
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
            // No byte of the block with the error was passed on.
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
        while let Some((answer, location)) = self.query.next_unresolved() {
            if let Answer::Match(Match { start, end, .. }) = answer {
                self.complete.push_back(Element {
                    start,
                    end,
                    location,
                });
            }
        }
        if ends {
            self.validator = None;
        }
        if !self.complete.is_empty() {
            self.target = None;
        }
        self.failed = match failed {
            // The value may have been dropped, so this error has no line.
            None if ends => self.target.take().and_then(PathValue::fault),
            failed => failed
                .or_else(|| self.too_long())
                .map(|error| self.place(error)),
        };
        !ends || !self.complete.is_empty() || self.failed.is_some()
    }
}

impl<T: DeserializeOwned> Iterator for Incoming<T> {
    /// The offset, the line and the path of an error are those in the text.
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Result<T, Error>> {
        // Values before an error come first.
        self.complete().or_else(|| self.failed.take().map(Err))
    }
}

/// The text `before` an error, without the number or literal that contains it; `after` begins with the error.
fn until_error<'t>(before: &'t [u8], after: &[u8]) -> &'t [u8] {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"[]{},:\"".contains(byte);
    let (rest, word) = before.split_at(before.iter().rposition(is_end).map_or(0, |last| last + 1));
    let is_complete = after.first().is_some_and(is_end) && validate(word).is_ok();
    if is_complete { before } else { rest }
}

fn each() -> QueryOptions {
    QueryOptions::default().duplicates(Duplicates::Each)
}

/// The value of a path.
#[derive(Debug)]
struct PathValue {
    query: Query,
    /// Its first byte.
    first: u8,
}

impl PathValue {
    fn new(path: Path) -> PathValue {
        PathValue {
            query: Query::new(&[path], each()),
            first: 0,
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.query.chunk(chunk)?;
        let start = self.query.retain_from().checked_sub(chunk.offset);
        let first = start.and_then(|start| chunk.bytes.get(usize::try_from(start).ok()?));
        self.first = *first.unwrap_or(&self.first);
        Ok(())
    }

    /// The reason for the lack of elements; `None` for an empty array or object.
    fn fault(mut self) -> Option<Error> {
        self.query.end();
        let answer = self.query.answers().find_map(|answer| match answer {
            Answer::Match(one) => Some(one),
            Answer::Missing { .. } => None,
        });
        let Some(found) = answer else {
            return Some(Error::data("the path leads to no value"));
        };
        let kind = match Kind::from_first(self.first) {
            Kind::Array | Kind::Object => return None,
            kind => kind,
        };
        let message = format!("expected an array or an object, found {kind}");
        Some(Error::data(message).at_offset(found.start))
    }
}

/// Runs the query for the elements, and that for their container.
struct Queries<'a> {
    elements: &'a mut Query,
    target: Option<&'a mut PathValue>,
}

impl Sink for Queries<'_> {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, mode: Mode) -> Interest {
        let elements = self.elements.interest(mode);
        let target = self.target.as_ref();
        target.map_or(elements, |it| elements.union(it.query.interest(mode)))
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        if let Some(target) = &mut self.target {
            target.chunk(chunk)?;
        }
        self.elements.chunk(chunk)
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}
