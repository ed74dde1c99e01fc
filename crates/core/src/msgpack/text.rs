//! The text of scalars and keys.

use super::base64::{base64, hex};
use super::{Binary, DecodeErrorKind, JsonOptions, Keys, TIMESTAMP, Token, timestamp};
use crate::number::NonFinite;
use crate::number::print::{push_float, push_i64, push_u64};
use crate::string::{escape, find_special};

/// Text on its way to the output.
#[derive(Debug)]
pub(super) struct Json {
    options: JsonOptions,
    pub(super) text: Vec<u8>,
    key: Vec<u8>,
}

impl Json {
    pub(super) fn new(options: JsonOptions) -> Json {
        Json {
            options,
            text: Vec::new(),
            key: Vec::new(),
        }
    }

    pub(super) fn scalar(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            Token::Nil => self.text.extend_from_slice(b"null"),
            Token::Bool(true) => self.text.extend_from_slice(b"true"),
            Token::Bool(false) => self.text.extend_from_slice(b"false"),
            Token::Uint(value) => push_u64(value, &mut self.text),
            Token::Int(value) => push_i64(value, &mut self.text),
            Token::Float(value) if value.is_finite() => push_float(value, &mut self.text),
            Token::Float32(value) if value.is_finite() => push_float(value, &mut self.text),
            Token::Float(_) | Token::Float32(_) => match self.options.non_finite {
                NonFinite::Error => return Err(DecodeErrorKind::NonFinite),
                NonFinite::Null => self.text.extend_from_slice(b"null"),
            },
            Token::Str(value) => self.string(value.as_bytes())?,
            Token::Bin(data) => {
                if self.options.binary == Binary::Error {
                    return Err(DecodeErrorKind::Binary);
                }
                self.reserve(2 * data.len() + 2)?;
                self.text.push(b'"');
                match self.options.binary {
                    Binary::Hex => hex(data, &mut self.text),
                    _ => base64(data, &mut self.text),
                }
                self.text.push(b'"');
            }
            Token::Ext(kind, data) => self.ext(kind, data)?,
            // Containers are no scalars.
            Token::Array(_) | Token::Map(_) => return Err(DecodeErrorKind::Key),
        }
        Ok(())
    }

    fn ext(&mut self, kind: i8, data: &[u8]) -> Result<(), DecodeErrorKind> {
        if kind == TIMESTAMP {
            self.text.push(b'"');
            if timestamp::push(data, &mut self.text) {
                self.text.push(b'"');
                return Ok(());
            }
            self.text.pop();
        }
        self.reserve(2 * data.len() + 20)?;
        self.text.extend_from_slice(b"{\"$ext\":[");
        push_i64(i64::from(kind), &mut self.text);
        self.text.extend_from_slice(b",\"");
        base64(data, &mut self.text);
        self.text.extend_from_slice(b"\"]}");
        Ok(())
    }

    pub(super) fn key(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            Token::Str(key) => self.string(key.as_bytes()),
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
        self.reserve(text.len() + 2)?;
        self.text.push(b'"');
        let mut from = 0;
        loop {
            let at = find_special(text, from);
            self.text.extend_from_slice(&text[from..at]);
            let Some(&byte) = text.get(at) else {
                break;
            };
            self.reserve(text.len() - at + 8)?;
            self.text
                .extend_from_slice(escape(char::from(byte)).as_bytes());
            from = at + 1;
        }
        self.text.push(b'"');
        Ok(())
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), DecodeErrorKind> {
        self.text
            .try_reserve(bytes)
            .map_err(|_| DecodeErrorKind::OutOfMemory)
    }
}

/// Appends the text of a key that may not be a string; whether there is one.
pub(super) fn push_key(token: Token<'_>, out: &mut Vec<u8>) -> bool {
    match token {
        Token::Str(key) => out.extend_from_slice(key.as_bytes()),
        Token::Nil => out.extend_from_slice(b"null"),
        Token::Bool(true) => out.extend_from_slice(b"true"),
        Token::Bool(false) => out.extend_from_slice(b"false"),
        Token::Uint(value) => push_u64(value, out),
        Token::Int(value) => push_i64(value, out),
        Token::Float(value) if value.is_finite() => push_float(value, out),
        Token::Float32(value) if value.is_finite() => push_float(value, out),
        Token::Bin(data) => base64(data, out),
        _ => return false,
    }
    true
}
