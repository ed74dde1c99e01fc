//! Numbers for `serde`. Most are read by non-generic functions that return in registers.

use serde_core::de::Visitor;

use super::read::Deserializer;
use super::tokens::{Token, Tokens};
use crate::error::Error;
use crate::number::{self, Number};

impl Tokens<'_> {
    /// Consumes the next token, if it is a number with a short fraction.
    #[inline(never)]
    fn short_f64(&mut self) -> Option<f64> {
        let token = self.buffered_number()?;
        let value = number::real(self.front(token)?, token.kind == b'-')?;
        self.skip(1);
        Some(value)
    }

    /// As [`short_f64`](Tokens::short_f64), in single precision, rounded once.
    #[inline(never)]
    fn short_f32(&mut self) -> Option<f32> {
        let token = self.buffered_number()?;
        let value = number::real(self.front(token)?, token.kind == b'-')?;
        self.skip(1);
        Some(value)
    }

    /// Consumes the next token, if it is a short non-negative integer.
    #[inline(never)]
    fn short_u64(&mut self) -> Option<u64> {
        let token = self.buffered();
        if !token.kind.is_ascii_digit() {
            return None;
        }
        let value = number::integer(self.front(token)?, false)?;
        self.skip(1);
        Some(value)
    }

    #[inline(always)]
    fn buffered_number(&self) -> Option<Token> {
        let token = self.buffered();
        is_number(token).then_some(token)
    }
}

impl<'de> Deserializer<'de> {
    /// The next value as a number of up to 64 bits.
    #[inline]
    pub(super) fn integer<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.short_u64() {
            Some(value) => {
                let visited = visitor.visit_u64(value);
                visited.map_err(|error: Error| self.at_last(error))
            }
            None => self.any_number(visitor),
        }
    }

    /// The next value as a double.
    #[inline]
    pub(super) fn double<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.short_f64() {
            Some(value) => {
                let visited = visitor.visit_f64(value);
                visited.map_err(|error: Error| self.at_last(error))
            }
            None => self.any_number(visitor),
        }
    }

    /// The next value as the nearest `f32`. Through a double it would be rounded twice.
    #[inline]
    pub(super) fn single<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        match self.tokens.short_f32() {
            Some(value) => {
                let visited = visitor.visit_f32(value);
                visited.map_err(|error: Error| self.at_last(error))
            }
            None => self.any_single(visitor),
        }
    }

    /// Locates an error at the last consumed token, a number.
    #[cold]
    fn at_last(&self, error: Error) -> Error {
        error.at(self.tokens.before(1))
    }

    #[inline(never)]
    fn any_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        if is_number(token) {
            let value = self.number(token, visitor);
            value.map_err(|error| error.at(token.at))
        } else {
            Err(self.mismatch(&visitor))
        }
    }

    #[inline(never)]
    fn any_single<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let token = self.tokens.peek()?;
        if !is_number(token) {
            return Err(self.mismatch(&visitor));
        }
        let start = token.at;
        let value = match Number::new(self.tokens.scalar()?).as_f32() {
            Some(value) => visitor.visit_f32(value),
            None => return Err(out_of_range(start)),
        };
        value.map_err(|error: Error| error.at(start))
    }

    /// Consumes the next token, a peeked number.
    #[inline(never)]
    pub(super) fn number<V: Visitor<'de>>(
        &mut self,
        token: Token,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let negative = token.kind == b'-';
        let padded;
        let front = match self.tokens.front(token) {
            Some(front) => front,
            None => {
                padded = self.tokens.padded_front(token);
                &padded
            }
        };
        if let Some(magnitude) = number::integer(front, negative) {
            self.tokens.skip(1);
            return match (negative, magnitude) {
                (false, _) => visitor.visit_u64(magnitude),
                (true, 0) => visitor.visit_f64(-0.0),
                (true, _) => visitor.visit_i64(-(magnitude as i64)),
            };
        }
        if let Some(value) = number::real(front, negative) {
            self.tokens.skip(1);
            return visitor.visit_f64(value);
        }
        self.long_number(visitor)
    }

    /// Consumes the next token, a number with more digits.
    #[cold]
    #[inline(never)]
    fn long_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let start = self.tokens.offset();
        let number = Number::new(self.tokens.scalar()?);
        visit_number(number, visitor).map_err(|error| error.at(start))
    }

    /// A number for a type wider than 64 bits.
    pub(super) fn wide<T: std::str::FromStr>(&mut self) -> Result<Option<T>, Error> {
        if !is_number(self.tokens.peek()?) {
            return Ok(None);
        }
        let start = self.tokens.offset();
        let raw = self.tokens.scalar()?;
        let parsed = str::from_utf8(raw).ok().and_then(|raw| raw.parse().ok());
        match parsed {
            Some(value) => Ok(Some(value)),
            None if Number::new(raw).is_integer() => Err(out_of_range(start)),
            None => {
                Err(Error::data("expected an integer, found a floating point number").at(start))
            }
        }
    }
}

/// Passes a number to the visitor as a 64-bit integer if it is one, otherwise as a double.
pub(super) fn visit_number<'de, V: Visitor<'de>>(
    number: Number<'_>,
    visitor: V,
) -> Result<V::Value, Error> {
    let is_integer = number.is_integer() && number.raw() != b"-0";
    if is_integer {
        if let Some(value) = number.as_u64() {
            return visitor.visit_u64(value);
        }
        if let Some(value) = number.as_i64() {
            return visitor.visit_i64(value);
        }
    }
    match number.as_f64() {
        Some(value) => visitor.visit_f64(value),
        None => Err(Error::data("the number is out of range")),
    }
}

#[cold]
pub(super) fn out_of_range(start: usize) -> Error {
    Error::data("the number is out of range").at(start)
}

/// Whether a token is a number.
#[inline(always)]
fn is_number(token: Token) -> bool {
    matches!(token.kind, b'-' | b'0'..=b'9')
}
