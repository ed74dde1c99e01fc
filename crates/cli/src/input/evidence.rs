//! Obtains the text needed to explain an error, once its offset is known.

use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

use super::budget::{self, Held, MAX_EVIDENCE};
use super::{Excerpt, HEAD, Input, Source};
use crate::output::has_memory;

/// The time to wait for the rest of a broken stream. With the whole stream, every error can be shown, but its writer may never end.
#[derive(Clone, Copy)]
pub struct ReadTimeouts {
    /// Timeout for the next byte.
    silence: Duration,
    /// Timeout for the end.
    in_all: Duration,
}

impl ReadTimeouts {
    /// On a terminal.
    pub const INTERACTIVE: ReadTimeouts = ReadTimeouts {
        silence: Duration::from_secs(2),
        in_all: Duration::from_secs(10),
    };

    /// For a command that ends at the error.
    pub const HASTY: ReadTimeouts = ReadTimeouts {
        silence: Duration::from_millis(500),
        in_all: Duration::from_secs(1),
    };

    /// Elsewhere: findings must not depend on a temporarily slow machine.
    pub const BATCH: ReadTimeouts = ReadTimeouts {
        silence: Duration::from_secs(10),
        in_all: Duration::from_secs(60),
    };
}

/// Memory left for diagnosing a long text.
const ROOM: u64 = 32 << 20;

/// The text for explaining an error.
pub enum Evidence {
    /// The whole input, including a byte-order mark.
    Whole(Held),
    /// The text around the error, and why the rest is missing.
    Excerpt(Excerpt, Missing),
}

/// The reason why an input is not completely in memory.
#[derive(Debug)]
pub enum Missing {
    /// It is a file of more than [`MAX_EVIDENCE`] bytes.
    LongFile,
    /// It is a long document open in an editor.
    LongEdited,
    /// It is a stream of more than [`MAX_EVIDENCE`] bytes.
    LongPipe,
    /// It is a stream whose first bytes were dropped before the error was found.
    LatePipe,
    /// It is a file that does not fit into memory.
    Memory,
    /// It is a stream that did not end in time.
    Silence,
    /// The rest of the stream cannot be read, as in a truncated compressed file.
    Unreadable(io::Error),
}

impl Input {
    /// Line, column and the text around the byte at `offset`. For a stream, only while that byte is still held: in the last
    /// window or shortly before it.
    ///
    /// # Errors
    /// Errors of reading a file again; `Unsupported` for bytes of a stream that were dropped.
    pub fn excerpt(&mut self, offset: u64) -> io::Result<Excerpt> {
        match &self.source {
            Source::Stream(reader, _) => {
                Excerpt::of_stream(reader, self.has_byte_order_mark, offset)
                    .ok_or(ErrorKind::Unsupported.into())
            }
            Source::File(_) | Source::Text(_) => Excerpt::of_file(self, offset),
            Source::Json5(text) => Ok(Excerpt::of_json5(&text.translation, offset)),
        }
    }

    /// The text for explaining the error at `offset`: the whole input if it is a file of at most `limit` bytes,
    /// or a stream of at most [`MAX_EVIDENCE`] bytes that is completely held so far and ends before the timeout. A
    /// stream cannot be read afterward.
    ///
    /// # Errors
    /// As for [`Input::excerpt`].
    pub fn evidence(
        &mut self,
        offset: u64,
        limit: u64,
        patience: ReadTimeouts,
    ) -> io::Result<Evidence> {
        let part = match self.source {
            Source::File(_) | Source::Json5(_) | Source::Text(_) => {
                let missing = match self.whole_file(limit) {
                    Ok(Some(whole)) => return Ok(Evidence::Whole(whole)),
                    Ok(None) => Missing::LongFile,
                    Err(error) if error.kind() == ErrorKind::OutOfMemory => Missing::Memory,
                    Err(error) => return Err(error),
                };
                return Ok(Evidence::Excerpt(self.excerpt(offset)?, missing));
            }
            // Reading on removes the position from the buffer. Batches that were read ahead may have done so already; the whole
            // stream may still be held.
            Source::Stream(..) => self.excerpt(offset),
        };
        Ok(match self.whole_stream(patience) {
            Ok(whole) => Evidence::Whole(whole),
            Err(missing) => Evidence::Excerpt(part?, missing),
        })
    }

    /// All bytes of a file; `None` if there are more than `limit`. Waits until the memory budget for such texts allows it.
    ///
    /// # Errors
    /// Errors of reading; `OutOfMemory`.
    pub fn whole_file(&mut self, limit: u64) -> io::Result<Option<Held>> {
        if self.length() > limit {
            return Ok(None);
        }
        let share = budget::share(self.length());
        if self.length() > ROOM && !has_memory(self.length() + ROOM) {
            return Err(ErrorKind::OutOfMemory.into());
        }
        let mut whole = Vec::with_capacity(self.length() as usize);
        whole.extend_from_slice(self.byte_order_mark());
        let (from, end) = (whole.len() as u64, limit.saturating_add(1));
        self.each_window_of(from, end, |window| {
            Ok::<_, io::Error>(window.append_to(&mut whole))
        })?;
        whole.shrink_to_fit();
        Ok((whole.len() as u64 <= limit).then(|| Held::new(whole, share)))
    }

    /// Reads a stream to its end, if all of it so far is held, it is not too long, and `patience` lasts. Like
    /// [`Input::whole_file`], waits for the memory budget.
    fn whole_stream(&mut self, patience: ReadTimeouts) -> Result<Held, Missing> {
        let Source::Stream(reader, prefix) = &mut self.source else {
            return Err(Missing::LongFile);
        };
        if prefix.is_cut() {
            return Err(Missing::LatePipe);
        }
        let share = budget::share(MAX_EVIDENCE);
        prefix.retain_whole();
        reader.set_timeouts(patience.silence, Instant::now() + patience.in_all);
        let seen = &mut self.seen;
        let read = reader.each_window(u64::MAX, &mut self.has_byte_order_mark, &mut |window| {
            *seen = window.end();
            prefix.push(window);
            if prefix.is_cut() {
                Err(io::Error::from(ErrorKind::FileTooLarge))
            } else {
                Ok(window.bytes().len().into())
            }
        });
        match read {
            Ok(()) => {
                let mut whole = prefix.take();
                whole.shrink_to_fit();
                Ok(Held::new(whole, share))
            }
            Err(error) if !prefix.is_cut() => Err(match error.kind() {
                ErrorKind::TimedOut => Missing::Silence,
                _ => Missing::Unreadable(error),
            }),
            Err(_) => Err(Missing::LongPipe),
        }
    }

    /// The first bytes of the input, at most [`HEAD`]; empty if they cannot be read.
    pub fn head(&mut self) -> Vec<u8> {
        match &self.source {
            Source::Stream(_, prefix) => {
                let bytes = prefix.bytes();
                bytes[..bytes.len().min(HEAD)].to_vec()
            }
            Source::File(_) | Source::Json5(_) | Source::Text(_) => {
                let mark = self.byte_order_mark();
                let rest = self.span(mark.len() as u64, HEAD as u64);
                [mark, &rest.unwrap_or_default()].concat()
            }
        }
    }
}
