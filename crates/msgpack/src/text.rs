//! The text of scalars and keys.

use super::base64::base64;
use super::buffer::Growing;
use super::{DecodeErrorKind, JsonOptions, TIMESTAMP, Token, timestamp};
use jsonx_core::internal::{float_parts, push_float, push_integer, special_marks};
use jsonx_core::string::{escape, find_special};

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
    pub(super) fn byte_if(&mut self, condition: bool, byte: u8) {
        self.text.room(1)[0] = byte;
        self.text.advance(usize::from(condition));
    }

    pub(super) fn options(&self) -> JsonOptions {
        self.options
    }

    /// Appends the separator before a value, unless it is 0.
    #[inline(always)]
    pub(super) fn separate(&mut self, separator: u8) {
        self.byte_if(separator != 0, separator);
    }

    #[inline(always)]
    pub(super) fn byte(&mut self, byte: u8) {
        self.byte_if(true, byte);
    }

    #[inline(always)]
    pub(super) fn uint(&mut self, value: u64) {
        self.text
            .append(itoa::Buffer::new().format(value).as_bytes());
    }

    #[inline(always)]
    pub(super) fn float(&mut self, value: f64) {
        for part in float_parts(value, &mut zmij::Buffer::new()) {
            self.text.append(part.as_bytes());
        }
    }

    pub(super) fn scalar(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            Token::Uint(value) => self.uint(value),
            Token::Str(value) => self.string(value.as_bytes()),
            Token::Nil => self.text.append(b"null"),
            Token::Bool(true) => self.text.append(b"true"),
            Token::Bool(false) => self.text.append(b"false"),
            Token::Int(value) => {
                self.byte(b'-');
                self.uint(value.unsigned_abs());
            }
            Token::Float(value) if value.is_finite() => self.float(value),
            // The digits of the same double.
            Token::Float32(value) => return self.scalar(Token::Float(value.into())),
            Token::Float(_) if self.options.lossy => self.text.append(b"null"),
            Token::Float(_) => return Err(DecodeErrorKind::NonFinite),
            Token::Bin(data) => {
                self.byte(b'"');
                self.base64(data);
                self.byte(b'"');
            }
            Token::Ext(kind, data) => self.ext(kind, data),
            // Containers are not scalars.
            Token::Array(_) | Token::Map(_) => return Err(DecodeErrorKind::Key),
        }
        Ok(())
    }

    /// Appends text that is built in a vector.
    fn built(&mut self, build: impl FnOnce(&mut Vec<u8>)) {
        self.key.clear();
        build(&mut self.key);
        self.text.append(&self.key);
    }

    fn ext(&mut self, kind: i8, data: &[u8]) {
        self.built(|text| {
            if kind == TIMESTAMP {
                text.push(b'"');
                if timestamp::push(data, text) {
                    text.push(b'"');
                    return;
                }
                text.clear();
            }
            push_ext_start(kind, text);
            base64(data, text);
            text.extend_from_slice(EXT_END);
        });
    }

    pub(super) fn key(&mut self, token: Token<'_>) -> Result<(), DecodeErrorKind> {
        match token {
            Token::Str(key) => self.string(key.as_bytes()),
            _ if !self.options.lossy => return Err(DecodeErrorKind::Key),
            _ => {
                let mut key = std::mem::take(&mut self.key);
                key.clear();
                if !push_key(token, &mut key) {
                    return Err(DecodeErrorKind::Key);
                }
                self.string(&key);
                self.key = key;
            }
        }
        Ok(())
    }

    /// Appends the first `length` bytes of `from`, at most [`SHORT`], as a string, if they are ASCII and need no escapes. Returns
    /// whether it did.
    #[inline(always)]
    pub(super) fn short_ascii(&mut self, from: &[u8], length: usize) -> bool {
        let Some(out) = self.text.room(SHORT + 2).first_chunk_mut::<{ SHORT + 2 }>() else {
            return false;
        };
        out[0] = b'"';
        let plain = out[1..]
            .first_chunk_mut()
            .map(|out| copy_short(from, length, out));
        if plain != Some(true) {
            return false;
        }
        if let Some(quote) = out.get_mut(1 + length) {
            *quote = b'"';
        }
        self.text.advance(length + 2);
        true
    }

    /// Appends a string, quotes included.
    fn string(&mut self, text: &[u8]) {
        self.text.room(text.len() + 2);
        self.byte(b'"');
        self.contents(text);
        self.byte(b'"');
    }

    /// Appends text of a string.
    pub(super) fn contents(&mut self, text: &[u8]) {
        let mut from = 0;
        loop {
            let at = find_special(text, from);
            self.text.append(&text[from..at]);
            let Some(&byte) = text.get(at) else {
                return;
            };
            self.text.append(escape(char::from(byte)).as_bytes());
            from = at + 1;
        }
    }

    /// Appends binary data in base64.
    pub(super) fn base64(&mut self, data: &[u8]) {
        self.built(|text| base64(data, text));
    }

    /// Appends the start of an extension, before its data.
    pub(super) fn ext_start(&mut self, kind: i8) {
        self.built(|text| push_ext_start(kind, text));
    }
}

/// Appends the start of an extension, before its data.
fn push_ext_start(kind: i8, text: &mut Vec<u8>) {
    text.extend_from_slice(b"{\"$ext\":[");
    push_integer(kind, text);
    text.extend_from_slice(b",\"");
}

/// The end of an extension, after its data.
pub(super) const EXT_END: &[u8] = b"\"]}";

/// Maximum length of a string that is copied inline.
pub(super) const SHORT: usize = 64;

/// Copies the first bytes of `from`, up to 64, in words of eight, and possibly bytes after them. Returns whether all of them are
/// ASCII and need no escape; `false` if a word would reach beyond the end of `from`.
///
/// Only whole words are loaded, because assembling single bytes would go through memory.
#[inline(always)]
pub(super) fn copy_short(from: &[u8], length: usize, out: &mut [u8; SHORT]) -> bool {
    let odd = |word: u64| special_marks(word) | word & 0x8080_8080_8080_8080;
    let (words, _) = from.as_chunks::<8>();
    let full = length / 8;
    let (Some(words), Some(after)) = (words.get(..full), from.get(8 * full..)) else {
        return false;
    };
    let mut found = 0;
    let (out, _) = out.as_chunks_mut::<8>();
    for (word, out) in words.iter().zip(out.iter_mut()) {
        found |= odd(u64::from_le_bytes(*word));
        *out = *word;
    }
    let rest = length % 8;
    if rest > 0 {
        let Some(word) = after.first_chunk::<8>() else {
            return false;
        };
        // Replaces the bytes after the last one by spaces.
        let mask = u64::MAX >> (64 - 8 * rest);
        found |= odd(u64::from_le_bytes(*word) & mask | 0x2020_2020_2020_2020 & !mask);
        if let Some(out) = out.get_mut(full) {
            *out = *word;
        }
    }
    found == 0
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
        Token::Float32(value) => return push_key(Token::Float(value.into()), out),
        Token::Float(_) => out.extend_from_slice(b"null"),
        Token::Bin(data) => base64(data, out),
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every special byte at every position of every length, with and without text after it.
    #[test]
    fn short_strings_are_copied_and_checked() {
        for length in 0..=SHORT {
            for after in [0, 1, 7, 8, 40] {
                let mut text = vec![b'a'; length];
                text.extend_from_slice("\"\\\u{1}é\n\n\n\n".repeat(5).as_bytes());
                text.truncate(length + after);
                let mut out = [0; SHORT];
                let copied = copy_short(&text, length, &mut out);
                assert!(copied || after < 8 - length % 8 && length % 8 > 0);
                assert!(!copied || out[..length] == text[..length]);
                for place in 0..length {
                    for byte in [b'"', b'\\', 0, 0x1f, 0x7f, 0x80, 0xff, b'!'] {
                        text[place] = byte;
                        let is_plain = matches!(byte, 0x7f | b'!');
                        let again = copy_short(&text, length, &mut out);
                        assert_eq!(again, copied && is_plain, "{length} {place} {byte}");
                        text[place] = b'a';
                    }
                }
            }
        }
    }
}
