//! The text of scalars and keys.

use super::base64::{base64, hex};
use super::buffer::Buffer;
use super::{
    Binary, DecodeErrorKind, Float32, Growing, JsonOptions, Keys, TIMESTAMP, Token, WriteError,
    timestamp,
};
use crate::number::NonFinite;
use crate::number::print::{Float, float_parts, push_float, push_integer};
use crate::string::{escape, find_special};

/// The buffer for JSON text before the output.
#[derive(Debug)]
pub(super) struct Json {
    options: JsonOptions,
    pub(super) text: Growing,
    key: Vec<u8>,
}

impl Json {
    pub(super) fn new(options: JsonOptions) -> Json {
        Json {
            options,
            text: Growing::default(),
            key: Vec::new(),
        }
    }

    /// Appends one byte if `condition` holds: without a branch.
    #[inline(always)]
    pub(super) fn byte_if(&mut self, condition: bool, byte: u8) -> Result<(), DecodeErrorKind> {
        *self.text.array::<1>()? = [byte];
        self.text.advance(usize::from(condition));
        Ok(())
    }

    /// Appends the separator before a value, unless it is 0.
    #[inline(always)]
    pub(super) fn separate(&mut self, separator: u8) -> Result<(), DecodeErrorKind> {
        self.byte_if(separator != 0, separator)
    }

    #[inline(always)]
    pub(super) fn byte(&mut self, byte: u8) -> Result<(), DecodeErrorKind> {
        self.byte_if(true, byte)
    }

    #[inline(always)]
    pub(super) fn uint(&mut self, value: u64) -> Result<(), DecodeErrorKind> {
        self.text
            .append(itoa::Buffer::new().format(value).as_bytes())?;
        Ok(())
    }

    #[inline(always)]
    pub(super) fn float(&mut self, value: impl Float + Into<f64>) -> Result<(), DecodeErrorKind> {
        for part in float_parts(value, &mut zmij::Buffer::new()) {
            self.text.append(part.as_bytes())?;
        }
        Ok(())
    }

    /// Widens a float of single precision to a double, unless [`Float32::Short`] is set.
    pub(super) fn widened<'t>(&self, token: Token<'t>) -> Token<'t> {
        match (token, self.options.float32) {
            (Token::Float32(value), Float32::Exact) => Token::Float(f64::from(value)),
            _ => token,
        }
    }

    pub(super) fn scalar(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            Token::Uint(value) => self.uint(value)?,
            Token::Str(value) => self.string(value.as_bytes())?,
            Token::Nil => self.text.append(b"null")?,
            Token::Bool(true) => self.text.append(b"true")?,
            Token::Bool(false) => self.text.append(b"false")?,
            Token::Int(value) => {
                self.byte(b'-')?;
                self.uint(value.unsigned_abs())?;
            }
            Token::Float(value) if value.is_finite() => self.float(value)?,
            Token::Float32(value) if value.is_finite() => self.float(value)?,
            Token::Float(_) | Token::Float32(_) => match self.options.non_finite {
                NonFinite::Error => return Err(DecodeErrorKind::NonFinite),
                NonFinite::Null => self.text.append(b"null")?,
            },
            Token::Bin(data) => {
                let binary = self.options.binary;
                if binary == Binary::Error {
                    return Err(DecodeErrorKind::Binary);
                }
                self.built(2 * data.len() + 2, |text| {
                    text.push(b'"');
                    match binary {
                        Binary::Hex => hex(data, text),
                        _ => base64(data, text),
                    }
                    text.push(b'"');
                })?;
            }
            Token::Ext(kind, data) => self.ext(kind, data)?,
            // Containers are not scalars.
            Token::Array(_) | Token::Map(_) => return Err(DecodeErrorKind::Key),
        }
        Ok(())
    }

    /// Appends text that is built in a vector of capacity `room`.
    fn built(
        &mut self,
        room: usize,
        build: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), DecodeErrorKind> {
        self.key.clear();
        let reserved = self.key.try_reserve(room);
        reserved.map_err(|_| DecodeErrorKind::OutOfMemory)?;
        build(&mut self.key);
        Ok(self.text.append(&self.key)?)
    }

    fn ext(&mut self, kind: i8, data: &[u8]) -> Result<(), DecodeErrorKind> {
        self.built(2 * data.len() + 40, |text| {
            if kind == TIMESTAMP {
                text.push(b'"');
                if timestamp::push(data, text) {
                    text.push(b'"');
                    return;
                }
                text.clear();
            }
            text.extend_from_slice(b"{\"$ext\":[");
            push_integer(kind, text);
            text.extend_from_slice(b",\"");
            base64(data, text);
            text.extend_from_slice(b"\"]}");
        })
    }

    pub(super) fn key(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            Token::Str(key) => self.string(key.as_bytes()),
            _ => self.other_key(token),
        }
    }

    fn other_key(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            _ if self.options.keys == Keys::Error => Err(DecodeErrorKind::Key),
            Token::Bin(_) => self.scalar(token),
            _ => {
                let mut key = std::mem::take(&mut self.key);
                key.clear();
                if !push_key(token, &mut key) {
                    return Err(DecodeErrorKind::Key);
                }
                self.string(&key)?;
                self.key = key;
                Ok(())
            }
        }
    }

    /// Appends a string, quotes included.
    fn string(&mut self, text: &[u8]) -> Result<(), DecodeErrorKind> {
        self.text.reserve(text.len() + 2)?;
        self.byte(b'"')?;
        let mut from = 0;
        loop {
            let at = find_special(text, from);
            self.text.append(&text[from..at])?;
            let Some(&byte) = text.get(at) else {
                break;
            };
            self.text.append(escape(char::from(byte)).as_bytes())?;
            from = at + 1;
        }
        self.byte(b'"')
    }
}

impl From<WriteError> for DecodeErrorKind {
    /// A buffer that grows is never full.
    fn from(_: WriteError) -> Self {
        DecodeErrorKind::OutOfMemory
    }
}

/// Appends the text of a key that may not be a string. Returns whether it has a text.
pub(super) fn push_key(token: Token<'_>, out: &mut Vec<u8>) -> bool {
    match token {
        Token::Str(key) => out.extend_from_slice(key.as_bytes()),
        Token::Nil => out.extend_from_slice(b"null"),
        Token::Bool(true) => out.extend_from_slice(b"true"),
        Token::Bool(false) => out.extend_from_slice(b"false"),
        Token::Uint(value) => push_integer(value, out),
        Token::Int(value) => push_integer(value, out),
        Token::Float(value) if value.is_finite() => push_float(value, out),
        Token::Float32(value) if value.is_finite() => push_float(value, out),
        Token::Bin(data) => base64(data, out),
        _ => return false,
    }
    true
}
