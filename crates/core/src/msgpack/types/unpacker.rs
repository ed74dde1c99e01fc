//! The state of the deserializer.

use crate::error::Error;
use crate::msgpack::{DecodeError, DecodeErrorKind, Reader, Token};

/// Maximum nesting of recursive types, as for JSON: each level takes stack.
const DEPTH: usize = 127;

/// Reads values for `serde`.
pub(super) struct Unpacker<'de> {
    pub(super) reader: Reader<'de>,
    /// Number of levels that may still be entered.
    depth: usize,
}

impl<'de> Unpacker<'de> {
    pub(super) fn new(bytes: &'de [u8]) -> Self {
        Unpacker {
            reader: Reader::new(bytes),
            depth: DEPTH,
        }
    }

    /// Checks that the input ends after the value.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        match self.reader.rest() {
            [] => Ok(()),
            _ => Err(Error::data("the value is not the only one").at_offset(self.offset())),
        }
    }

    /// The offset of the next token.
    #[inline(always)]
    pub(super) fn offset(&self) -> u64 {
        self.reader.offset() as u64
    }

    /// The first byte of the next token; at the end of the input, the reserved one.
    #[inline(always)]
    pub(super) fn first(&self) -> u8 {
        self.reader.rest().first().copied().unwrap_or(0xc1)
    }

    /// The next token.
    #[inline]
    pub(super) fn token(&mut self) -> Result<Token<'de>, Error> {
        match self.reader.token() {
            Ok(Some(token)) => Ok(token),
            Ok(None) => Err(self.truncated()),
            Err(error) => Err(error.into()),
        }
    }

    #[cold]
    pub(super) fn truncated(&self) -> Error {
        Error::from(DecodeError {
            kind: DecodeErrorKind::Truncated,
            offset: self.offset(),
        })
    }

    /// Reads the values of a container whose header has been read.
    #[inline(always)]
    pub(super) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match self.depth.checked_sub(1) {
            Some(depth) => self.depth = depth,
            None => return Err(too_deep()),
        }
        let value = read(self)?;
        self.depth += 1;
        Ok(value)
    }

    /// Consumes any value. Uses no stack per level.
    pub(super) fn skip_value(&mut self) -> Result<(), Error> {
        let mut pending = 1;
        while pending > 0 {
            let values = match self.token()? {
                Token::Array(length) => u64::from(length),
                Token::Map(length) => 2 * u64::from(length),
                _ => 0,
            };
            pending = pending - 1 + values;
            if pending > self.reader.rest().len() as u64 {
                // Each value takes at least a byte.
                self.reader.skip(self.reader.rest().len());
                return Err(self.truncated());
            }
        }
        Ok(())
    }

    /// An integer of 128 bits that needs more than 64, as written by `rmp_serde`.
    pub(super) fn wide(&mut self) -> Option<[u8; 16]> {
        let wide = match self.reader.rest() {
            [0xc4, 16, rest @ ..] => rest.first_chunk().copied(),
            _ => None,
        };
        if wide.is_some() {
            self.reader.skip(18);
        }
        wide
    }
}

#[cold]
fn too_deep() -> Error {
    Error::data("nested too deeply for this type")
}
