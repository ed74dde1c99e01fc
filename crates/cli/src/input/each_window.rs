//! Passes inputs of any kind to a consumer, window by window.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::ops::Range;

use super::InputKind;
use super::counts::READ;
use super::read::Reader;
use super::strategy::{self, Strategy, Task};
use super::window::{Consume, Consumed, Ended, Window};
use super::{BYTE_ORDER_MARK, Input, MAP_FROM, RegularFile, Source, map, read_ahead, text};
use crate::threads;

impl Input {
    /// Passes the input to `consume` window by window, until a read returns nothing, whatever the size. Stops at the first
    /// error of reading or of `consume`.
    ///
    /// # Errors
    /// Errors of `consume` and of the system; `UnexpectedEof` for a file that shrinks while it is read.
    pub fn each_window<E: From<io::Error>>(
        &mut self,
        mut consume: impl FnMut(&Window<'_>) -> Result<Consumed, E>,
    ) -> Result<(), E> {
        self.each_window_noting(|window| consume(window).map(|taken| (taken, None)))
    }

    /// Like [`Input::each_window`], but the consumer also returns the offset of its first finding, if any. The text from there
    /// on is retained for [`Input::passage`].
    ///
    /// # Errors
    /// As [`Input::each_window`].
    pub fn each_window_noting<E: From<io::Error>>(
        &mut self,
        consume: impl FnMut(&Window<'_>) -> Result<(Consumed, Option<u64>), E>,
    ) -> Result<(), E> {
        caught(consume, |consume| self.each_window_to(consume))
    }

    /// Implements [`Input::each_window_noting`], compiled once for all consumers.
    fn each_window_to(
        &mut self,
        consume: &mut Consume<'_, (Consumed, Option<u64>)>,
    ) -> io::Result<()> {
        let start = self.skip_byte_order_mark();
        let marked = &mut self.has_byte_order_mark;
        let seen = &mut self.seen;
        let retained = &mut self.retained;
        if let Some((text, translation)) = self.source.in_memory() {
            let length = text.len() as u64;
            if let Source::File(_) = self.source {
                READ.add_bytes(length.saturating_sub(*seen));
                self.ended = true;
            }
            *seen = length;
            return text::windows(text, translation, start..u64::MAX, &mut |window| {
                consume(window).map(|(taken, _)| taken)
            });
        }
        match &mut self.source {
            Source::File(file) => {
                let track = &mut |window: &Window<'_>| {
                    READ.add_bytes(window.end().saturating_sub(*seen));
                    *seen = window.end();
                    consume(window).map(|(taken, _)| taken)
                };
                file_windows(file, 0..u64::MAX, marked, track)?;
                self.ended = true;
                Ok(())
            }
            Source::Json5(_) | Source::Text(_) => Ok(()),
            Source::Stream(reader, prefix) => reader.each_window(u64::MAX, marked, &mut |window| {
                READ.add_bytes(window.end().saturating_sub(*seen));
                *seen = window.end();
                let taken = consume(window);
                if let Ok((_, Some(offset))) = taken {
                    prefix.retain();
                    if !prefix.is_retained() {
                        retained.begin(window, offset);
                    }
                }
                prefix.push(window);
                retained.push(window);
                taken.map(|(taken, _)| taken)
            }),
        }
    }

    /// Like [`Input::each_window`], for the bytes from `start` to `end` of a file.
    ///
    /// # Errors
    /// As [`Input::each_window`]; `Unsupported` for an input that cannot be read again.
    pub fn each_window_of<E: From<io::Error>>(
        &mut self,
        start: u64,
        end: u64,
        consume: impl FnMut(&Window<'_>) -> Result<Consumed, E>,
    ) -> Result<(), E> {
        if let Some((text, translation)) = self.source.in_memory() {
            let start = match &self.source {
                Source::File(file) if start == 0 && file.has_mark => BYTE_ORDER_MARK.len() as u64,
                _ => start,
            };
            return caught(consume, |consume| {
                text::windows(text, translation, start..end, consume)
            });
        }
        match &self.source {
            Source::File(file) => caught(consume, |consume| {
                file_windows(file, start..end, &mut false, consume)
            }),
            _ => Err(io::Error::from(ErrorKind::Unsupported).into()),
        }
    }

    /// Like [`Input::each_window`], but the consumer can access earlier bytes that it asked to keep: files are then read
    /// in chunks, like pipes. With `places`, it may ask for [`Window::position`] of a file too.
    ///
    /// # Errors
    /// As [`Input::each_window`].
    pub fn each_chunk<E: From<io::Error>>(
        &mut self,
        places: bool,
        consume: impl FnMut(&Window<'_>) -> Result<Consumed, E>,
    ) -> Result<(), E> {
        self.chunks(places).each(self, consume)
    }

    /// Shows the bytes from the start of an input of which none has been consumed to `look`, and whether these are all: more of
    /// them until it returns a value. They are read again.
    ///
    /// # Errors
    /// As [`Input::each_chunk`].
    pub fn peek<T>(
        &mut self,
        mut look: impl FnMut(&[u8], bool) -> Option<T>,
    ) -> io::Result<Option<T>> {
        let mut seen = None;
        let read = self.each_chunk(false, |window| {
            seen = look(window.bytes(), window.is_last());
            match seen {
                Some(_) => Err(io::Error::other(Stopped)),
                None => Ok(Consumed {
                    bytes: 0,
                    keep_from: window.offset(),
                }),
            }
        });
        match seen {
            Some(_) => Ok(seen),
            None => read.map(|()| None),
        }
    }

    /// Like [`Input::each_chunk`], for a consumer that stops and continues.
    pub fn chunks(&self, places: bool) -> Chunks {
        self.chunks_from(places, 0)
    }

    /// The same from this offset of a file on.
    pub fn chunks_from(&self, places: bool, from: u64) -> Chunks {
        let Source::File(RegularFile {
            file, start, size, ..
        }) = &self.source
        else {
            return Chunks(None);
        };
        let mut reader = Reader::new(file.clone(), *start, from, *size);
        if places {
            reader.count_lines();
        }
        Chunks(Some(reader))
    }
}

/// The chunks of an input that have not been consumed. A stream has a reader of its own.
pub struct Chunks(Option<Reader>);

impl Chunks {
    /// Passes on the chunks of the input from where the consumer stopped.
    ///
    /// # Errors
    /// As [`Input::each_chunk`].
    pub fn each<E: From<io::Error>>(
        &mut self,
        input: &mut Input,
        consume: impl FnMut(&Window<'_>) -> Result<Consumed, E>,
    ) -> Result<(), E> {
        let Some(reader) = &mut self.0 else {
            return input.each_window(consume);
        };
        let marked = &mut input.has_byte_order_mark;
        caught(consume, |consume| {
            reader.each_window(u64::MAX, marked, consume)
        })
    }

    /// Goes back to the kept bytes at this offset.
    pub fn rewind(&mut self, input: &mut Input, offset: u64) {
        match (&mut self.0, &mut input.source) {
            (Some(reader), _) => reader.rewind(offset),
            (None, Source::Stream(reader, _)) => reader.rewind(offset),
            _ => {}
        }
    }
}

/// Stands for a consumer's error in code that is compiled once.
#[derive(Debug)]
struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the consumer stopped")
    }
}

impl Error for Stopped {}

/// Reads with a consumer whose errors are of any type, without compiling the readers for each of them.
fn caught<T, E: From<io::Error>>(
    mut consume: impl FnMut(&Window<'_>) -> Result<T, E>,
    read: impl FnOnce(&mut Consume<'_, T>) -> io::Result<()>,
) -> Result<(), E> {
    let mut stopped = None;
    let read = read(&mut |window| {
        consume(window).map_err(|error| {
            stopped = Some(error);
            io::Error::other(Stopped)
        })
    });
    let is_own = |error: &io::Error| error.get_ref().is_some_and(|inner| inner.is::<Stopped>());
    match (read, stopped) {
        (Err(error), Some(own)) if is_own(&error) => Err(own),
        // The file was truncated meanwhile, whatever the consumer returned.
        (read, _) => Ok(read?),
    }
}

/// Passes on windows over the bytes in `range` of a regular file.
fn file_windows(
    file: &RegularFile,
    range: Range<u64>,
    marked: &mut bool,
    consume: &mut Consume<'_>,
) -> io::Result<()> {
    let RegularFile {
        file, start, size, ..
    } = file;
    let (origin, size) = (*start, *size);
    let Range { start, end: to } = range;
    let mut at = start;
    let length = size.min(to).saturating_sub(start);
    let chosen = strategy::choose(
        strategy::SourceKind::File(length),
        InputKind::Json,
        Task::Windows,
        threads::available,
    );
    if chosen == Strategy::ReadAhead {
        match read_ahead::each_window(file, origin, at, to, marked, consume)? {
            Ended::Complete => return Ok(()),
            Ended::Fallback(offset) => at = offset,
        }
    }
    if length >= MAP_FROM {
        match map::each_window(file, origin, at, to, marked, consume)? {
            Ended::Complete => return Ok(()),
            Ended::Fallback(offset) => at = offset,
        }
    }
    Reader::new(file.clone(), origin, at, size).each_window(to, marked, consume)
}
