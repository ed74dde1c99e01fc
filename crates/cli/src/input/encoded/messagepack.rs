//! MessagePack as JSON text, one value per line.

use std::io::{self, BufRead, ErrorKind, Read};
use std::slice;
use std::{error, fmt};

use jsonx_core::format::WriteTo;
use jsonx_core::path::{Location, Notation};
use jsonx_msgpack::{DecodeError, DecodeErrorKind, Decoder, JsonError, JsonOptions};

use super::{Detected, EncodedBytes, Encoding};
use crate::report::{escape, shorten};

/// Number of bytes that are converted at once; their text is at most six times as long, except for long numbers.
const PIECE: usize = 32 << 10;

/// Number of bytes at the start of a sequence that are enough to recognize it.
const ENOUGH: usize = 1024;

/// Whether bytes at the start of an input are MessagePack: arrays and maps, and their contents. Other values are more often text
/// in an old encoding.
pub fn detect(first: &[u8], is_whole: bool) -> Detected {
    // Latin-1: a capital letter, two more for the length of an array, then numbers.
    if let [0xdc..=0xdf, b' '..=b'~', b' '..=b'~', _, _, b' '..=b'~', ..] = first {
        return Detected::Text;
    }
    let options = JsonOptions::default().lossy(true);
    let mut decoder = Decoder::new(options, WriteTo(io::sink()));
    for byte in first {
        let is_value = decoder.end().is_ok();
        let is_container = matches!(byte, 0x80..=0x9f | 0xdc..=0xdf);
        if is_value && !is_container || decoder.write(slice::from_ref(byte)).is_err() {
            return Detected::Text;
        }
    }
    let is_complete = decoder.end().is_ok();
    match first.len() {
        0 => Detected::Text,
        _ if !is_complete && is_whole => Detected::Text,
        1..ENOUGH if !is_complete => Detected::Unknown,
        _ => Detected::Encoded(Encoding::MessagePack(JsonOptions::default())),
    }
}

/// The values of a sequence, each on a line.
pub(super) struct Values<'s> {
    source: &'s mut EncodedBytes,
    decoder: Decoder<Vec<u8>>,
    /// Number of bytes of the text in the decoder's output that were read.
    taken: usize,
    /// The error after that text.
    error: Option<Invalid>,
    is_lossy: bool,
}

impl<'s> Values<'s> {
    pub(super) fn new(source: &'s mut EncodedBytes, options: JsonOptions) -> Self {
        Values {
            source,
            decoder: Decoder::new(options.final_newline(true), Vec::new()),
            taken: 0,
            error: None,
            is_lossy: options.is_lossy(),
        }
    }
}

impl Read for Values<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let text = self.decoder.output();
            let count = (text.len() - self.taken).min(buffer.len());
            if count > 0 {
                buffer[..count].copy_from_slice(&text[self.taken..self.taken + count]);
                self.taken += count;
                return Ok(count);
            }
            text.clear();
            self.taken = 0;
            if let Some(error) = self.error.take() {
                return Err(error.into());
            }
            let bytes = self.source.fill_buf()?;
            let piece = &bytes[..bytes.len().min(PIECE)];
            let is_end = piece.is_empty();
            let written = match is_end {
                true => self.decoder.end().map_err(JsonError::Invalid),
                false => self.decoder.write(piece),
            };
            let count = piece.len();
            self.source.consume(count);
            // The text before an error too.
            let flushed = self.decoder.flush();
            if let Err(JsonError::Invalid(error)) = written.and(flushed) {
                self.error = Some(Invalid {
                    error,
                    location: self.decoder.location(),
                    is_lossy: self.is_lossy,
                });
            } else if is_end {
                return Ok(0);
            }
        }
    }
}

/// The error of data that is not MessagePack, or has a value that JSON cannot represent.
#[derive(Debug)]
pub struct Invalid {
    error: DecodeError,
    location: Location,
    is_lossy: bool,
}

impl Invalid {
    /// Whether a limit was reached.
    pub fn is_limit(&self) -> bool {
        let kind = self.error.kind;
        kind == DecodeErrorKind::TooDeep
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}", self.error.offset)?;
        if !self.location.steps().is_empty() {
            let path = self.location.display(Notation::Dot).to_string();
            write!(f, ", at {}", shorten(&escape(&path)))?;
        }
        let help = match self.error.kind {
            DecodeErrorKind::TooDeep => "; --max-depth N sets another limit",
            _ if self.is_lossy => "",
            DecodeErrorKind::NonFinite => "; --lossy writes null",
            DecodeErrorKind::Key => {
                "; --lossy writes numbers, booleans, nil and binary data as strings"
            }
            DecodeErrorKind::InvalidUtf8 => "; --lossy replaces invalid bytes by U+FFFD",
            _ => "",
        };
        write!(f, ": {}{help}", self.error)
    }
}

impl error::Error for Invalid {}

impl From<Invalid> for io::Error {
    fn from(error: Invalid) -> io::Error {
        io::Error::new(ErrorKind::InvalidData, error)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use jsonx_msgpack::{EncodeOptions, from_json, to_json};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use serde_json::Value;

    use super::super::super::{Input, WHOLE};
    use super::*;

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<Option<bool>>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            (60_000..70_000_usize).prop_map(|length| Value::from("é".repeat(length))),
        ];
        let container = leaf.prop_recursive(4, 40, 8, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..8).prop_map(Value::from),
                vec((any::<String>(), inner), 0..8)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        });
        vec(container, 0..5).prop_map(Value::from)
    }

    proptest! {
        #![proptest_config(jsonx_testing::cases(96))]

        /// A pipe in chunks of all sizes reads as the text of the library, and a truncated one ends with its error.
        #[test]
        fn pipes_read_as_text(
            values in vec(value(), 1..5),
            sizes in vec(prop_oneof![1..20_usize, 1000..100_000_usize], 1..5),
            place in any::<prop::sample::Index>(),
        ) {
            let packed: Vec<u8> = values
                .iter()
                .flat_map(|value| {
                    let text = value.to_string();
                    from_json(text.as_bytes(), EncodeOptions::default()).unwrap()
                })
                .collect();
            let options = JsonOptions::default().final_newline(true);
            let text = to_json(&packed, options).unwrap();
            let read = Input::with_pipe(&packed, &sizes, |mut input| input.read_all(u64::MAX));
            prop_assert!(read.unwrap() == text);
            let cut = &packed[..place.index(packed.len())];
            let read = Input::with_pipe(cut, &sizes, |mut input| {
                input.set_messagepack(true, JsonOptions::default());
                input.read_all(u64::MAX)
            });
            match to_json(cut, options) {
                Ok(text) => prop_assert!(read.unwrap() == text),
                Err(_) => {
                    let error = read.unwrap_err().to_string();
                    let place = format!("byte {}", cut.len());
                    prop_assert!(error.starts_with(&place), "{}", error);
                }
            }
        }

        /// Text in an old encoding is not taken for MessagePack.
        #[test]
        fn text_is_not_messagepack(first in 0x80..=0x9f_u8, text in "[ -~]{31,60}") {
            let text = [&[first][..], text.as_bytes()].concat();
            prop_assert_eq!(detect(&text, true), Detected::Text);
        }

        #[test]
        fn long_text_is_not_messagepack(first in 0xdc..=0xdf_u8, text in "[ -~]{5}[ -ÿ]{60}") {
            let text: Vec<u8> = text.repeat(1000).chars().map(|c| c as u8).collect();
            let text = [&[first][..], &text].concat();
            prop_assert_eq!(detect(&text[..WHOLE as usize], false), Detected::Text);
        }
    }
}
