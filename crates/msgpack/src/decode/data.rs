//! Strings, binary data and extensions of more than 64 KiB, converted as their data arrives.

use super::super::base64::base64;
use super::super::reader::{Reader, utf8};
use super::super::text::EXT_END;
use super::super::{DecodeError, DecodeErrorKind, JsonError};
use super::Decoder;
use jsonx_core::format::Output;

/// A token whose data is arriving. Data that cannot be converted yet is in [`Decoder::partial`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Data {
    form: Form,
    is_key: bool,
    /// Number of bytes that have not arrived.
    left: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Binary,
    Ext,
}

/// Maximum number of bytes of a long key in a path.
const RETAINED: usize = 1024;

/// Number of bytes that are converted at once.
const PIECE: usize = 64 << 10;

impl<O: Output> Decoder<O> {
    /// Begins a long token if the header of one is at the start of `bytes`. Returns the length of the header.
    pub(super) fn begin_data(&mut self, bytes: &[u8]) -> Result<Option<usize>, DecodeErrorKind> {
        let options = self.json.options();
        let Some((header, left)) = Reader::long_data(bytes) else {
            return Ok(None);
        };
        let is_key = self.frames.last().is_some_and(|frame| frame.expects_key());
        let form = match bytes[0] {
            0xdb => Form::Text,
            0xc6 => Form::Binary,
            _ => Form::Ext,
        };
        match form {
            Form::Text => {}
            Form::Binary if options.lossy => {}
            Form::Binary | Form::Ext if is_key => return Err(DecodeErrorKind::Key),
            Form::Binary | Form::Ext => {}
        }
        self.json.separate(self.separator);
        match form {
            Form::Text | Form::Binary => self.json.byte(b'"'),
            Form::Ext => self.json.ext_start(bytes[header - 1] as i8),
        }
        if let Some(outer) = self.outer.last().filter(|_| is_key) {
            self.keys.truncate(outer.key_at);
        }
        self.data = Some(Data { form, is_key, left });
        self.offset += header as u64;
        Ok(Some(header))
    }

    /// Converts the next bytes of a long token, if there is one. Returns the bytes after it.
    pub(super) fn data<'b>(
        &mut self,
        mut bytes: &'b [u8],
    ) -> Result<&'b [u8], JsonError<O::Error>> {
        while let Some(mut data) = self.data
            && !bytes.is_empty()
        {
            let length = usize::try_from(data.left).unwrap_or(usize::MAX);
            let (piece, rest) = bytes.split_at(length.min(bytes.len()).min(PIECE));
            bytes = rest;
            data.left -= piece.len() as u64;
            self.data = Some(data);
            let mut partial = std::mem::take(&mut self.partial);
            partial.extend_from_slice(piece);
            let used = match data.form {
                Form::Text => self.text(&partial, data.left == 0)?,
                Form::Binary | Form::Ext => {
                    // Three bytes are four characters.
                    let whole = match data.left {
                        0 => partial.len(),
                        _ => partial.len() / 3 * 3,
                    };
                    self.json.base64(&partial[..whole]);
                    whole
                }
            };
            if data.is_key {
                self.extend_key(data.form, &partial[..used]);
            }
            self.offset += used as u64;
            partial.drain(..used);
            self.partial = partial;
            if data.left == 0 {
                self.end_data(data);
            }
            self.flush()?;
        }
        Ok(bytes)
    }

    /// Converts text of a string, except for an incomplete character at its end. Returns the length of what was converted.
    fn text(&mut self, text: &[u8], is_last: bool) -> Result<usize, DecodeError> {
        if let Some(valid) = utf8(text) {
            self.json.contents(valid.as_bytes());
            return Ok(text.len());
        }
        let mut at = 0;
        for chunk in text.utf8_chunks() {
            self.json.contents(chunk.valid().as_bytes());
            at += chunk.valid().len();
            let invalid = chunk.invalid();
            let is_cut = || str::from_utf8(invalid).is_err_and(|it| it.error_len().is_none());
            if invalid.is_empty() || !is_last && at + invalid.len() == text.len() && is_cut() {
                break;
            }
            if !self.json.options().lossy {
                return Err(DecodeError {
                    kind: DecodeErrorKind::InvalidUtf8,
                    offset: self.offset + at as u64,
                });
            }
            self.json.contents("\u{fffd}".as_bytes());
            at += invalid.len();
        }
        Ok(at)
    }

    fn end_data(&mut self, data: Data) {
        self.data = None;
        match data.form {
            Form::Text | Form::Binary => self.json.byte(b'"'),
            Form::Ext => self.json.text.append(EXT_END),
        }
        match data.is_key {
            true => self.end_key(),
            false => self.end_value(),
        }
    }

    /// Retains the start of a long key for the path.
    fn extend_key(&mut self, form: Form, key: &[u8]) {
        if let Some(outer) = self.outer.last()
            && self.frames.len() == self.outer.len()
            && self.keys.len() < outer.key_at + RETAINED
        {
            match form {
                Form::Binary => base64(key, &mut self.keys),
                _ => self.keys.extend(String::from_utf8_lossy(key).bytes()),
            }
            self.keys.truncate(outer.key_at + RETAINED);
        }
    }
}
