//! Assembles a value whose lengths are unknown until its containers close.

use std::collections::VecDeque;
use std::mem;

use super::{EncodeError, Writer};
use jsonx_core::format::Output;

/// The treatment of values whose result is longer than a limit.
///
/// ```
/// use jsonx_msgpack::LongValues;
///
/// assert!(matches!(LongValues::default(), LongValues::Buffer));
/// ```
#[derive(Debug, Default)]
pub enum LongValues {
    /// They are buffered like all others.
    #[default]
    Buffer,
    /// They are an error.
    Refuse,
    /// The lengths of their containers are noted, and nothing is written for them.
    Measure(Lengths),
    /// They are written with these lengths, noted for the same text before.
    Write(Lengths),
}

/// The lengths of the containers of long values, in the order of their brackets: four bytes each; and the numbers of the
/// values, because whether a value of about the limit is long depends on the division of the text.
///
/// ```
/// assert!(format!("{:?}", jsonx_msgpack::Lengths::default()).contains("[]"));
/// ```
#[derive(Debug, Default)]
pub struct Lengths(VecDeque<(u64, Vec<u32>)>);

/// Collects the contents of a value apart from the headers of its containers, and joins the two when it is complete.
///
/// ```text
/// {"a":[1,2]}     contents   ^ a1 61 ^ 01 02
///                 headers    │       └ array, 2
///                            └ map, 1
/// ```
#[derive(Debug, Default)]
pub(super) struct Interleave {
    pub(super) contents: Writer,
    headers: Vec<Header>,
    /// The bytes of one header.
    header: Writer,
    /// The lengths of the headers, so far.
    lengths: Vec<u32>,
    /// The numbers of the headers whose containers are open. In a value with known lengths, the number of values that are to
    /// come instead.
    open: Vec<usize>,
    pub(super) limit: usize,
    pub(super) long: LongValues,
    state: State,
    /// The number of earlier values.
    number: u64,
}

/// What is done with the current value.
#[derive(Debug, Default)]
enum State {
    #[default]
    Buffered,
    Measured,
    /// Written, with these lengths of the containers that follow.
    Written(std::vec::IntoIter<u32>),
}

#[derive(Clone, Copy, Debug)]
struct Header {
    /// Its position in the contents.
    at: usize,
    is_map: bool,
}

impl Interleave {
    /// Acts on contents that have reached the limit.
    #[inline]
    pub(super) fn limit_memory<O: Output>(
        &mut self,
        output: &mut O,
    ) -> Result<(), EncodeError<O::Error>> {
        let is_buffered = matches!(self.state, State::Buffered);
        // The memory for a header, or its length in the result.
        let weight = match self.long {
            LongValues::Refuse => 1,
            _ => size_of::<Header>() + size_of::<u32>(),
        };
        let held = self.contents.as_bytes().len() + weight * self.headers.len();
        if self.open.is_empty() || is_buffered && held < self.limit {
            return Ok(());
        }
        self.exceeded(output)
    }

    #[cold]
    fn exceeded<O: Output>(&mut self, output: &mut O) -> Result<(), EncodeError<O::Error>> {
        match (&self.state, &mut self.long) {
            (State::Buffered, LongValues::Buffer) => return Ok(()),
            (State::Buffered, LongValues::Refuse) => return Err(EncodeError::TooLarge),
            (State::Buffered, LongValues::Measure(_)) => self.state = State::Measured,
            (State::Buffered, LongValues::Write(lengths)) => {
                while lengths.0.pop_front_if(|it| it.0 < self.number).is_some() {}
                let Some((_, known)) = lengths.0.pop_front_if(|it| it.0 == self.number) else {
                    return Ok(());
                };
                if known.len() < self.lengths.len() {
                    return Err(EncodeError::OtherText);
                }
                for open in &mut self.open {
                    let left = known[*open].checked_sub(self.lengths[*open]);
                    *open = left.ok_or(EncodeError::OtherText)? as usize;
                }
                let mut known = known.into_iter();
                for (length, known) in self.lengths.iter_mut().zip(known.by_ref()) {
                    *length = known;
                }
                self.join(output)?;
                self.state = State::Written(known);
            }
            (State::Measured, _) => {}
            (State::Written(_), _) => {
                let written = output.write(self.contents.as_bytes());
                written.map_err(EncodeError::Output)?;
            }
        }
        self.contents.clear();
        self.headers.clear();
        Ok(())
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(super) fn open<E>(&mut self, is_map: bool) -> Result<(), EncodeError<E>> {
        if let State::Written(lengths) = &mut self.state {
            let length = lengths.next().ok_or(EncodeError::OtherText)?;
            self.open.push(length as usize);
            self.contents.begin(is_map, length);
            return Ok(());
        }
        self.open.push(self.lengths.len());
        self.lengths.push(0);
        if let State::Buffered = self.state {
            let at = self.contents.as_bytes().len();
            self.headers.push(Header { at, is_map });
        }
        Ok(())
    }

    /// A comma in the innermost container, at `offset`.
    pub(super) fn comma<E>(&mut self, offset: u64) -> Result<(), EncodeError<E>> {
        let Some(last) = self.open.last_mut() else {
            return Ok(());
        };
        if let State::Written(_) = self.state {
            *last = last.checked_sub(1).ok_or(EncodeError::OtherText)?;
        } else {
            let length = &mut self.lengths[*last];
            *length = length.checked_add(1).ok_or(EncodeError::too_long(offset))?;
        }
        Ok(())
    }

    /// Closes the innermost container, at `offset`.
    pub(super) fn close<E>(&mut self, is_empty: bool, offset: u64) -> Result<(), EncodeError<E>> {
        if !is_empty {
            // One more value than commas.
            self.comma(offset)?;
        }
        match (self.open.pop(), &self.state) {
            (Some(1..), State::Written(_)) => Err(EncodeError::OtherText),
            _ => Ok(()),
        }
    }

    /// Ends the value, and writes what is not written of it to a buffered output: contents and headers are short.
    pub(super) fn write<O: Output>(&mut self, output: &mut O) -> Result<(), EncodeError<O::Error>> {
        match (mem::take(&mut self.state), &mut self.long) {
            (State::Measured, LongValues::Measure(lengths)) => {
                lengths
                    .0
                    .push_back((self.number, mem::take(&mut self.lengths)));
            }
            (State::Written(lengths), _) if lengths.len() > 0 => {
                return Err(EncodeError::OtherText);
            }
            _ => self.join(output)?,
        }
        self.contents.clear();
        self.headers.clear();
        self.lengths.clear();
        self.number += 1;
        Ok(())
    }

    fn join<O: Output>(&mut self, output: &mut O) -> Result<(), EncodeError<O::Error>> {
        let mut contents = self.contents.as_bytes();
        let mut from = 0;
        for (header, &length) in self.headers.iter().zip(&self.lengths) {
            let (before, rest) = contents.split_at(header.at - from);
            output.write(before).map_err(EncodeError::Output)?;
            (contents, from) = (rest, header.at);
            self.header.clear();
            self.header.begin(header.is_map, length);
            let written = output.write(self.header.as_bytes());
            written.map_err(EncodeError::Output)?;
        }
        output.write(contents).map_err(EncodeError::Output)
    }

    /// The lengths that were noted.
    pub(super) fn into_lengths(self) -> Lengths {
        match self.long {
            LongValues::Measure(lengths) => lengths,
            _ => Lengths::default(),
        }
    }
}
