//! The path of an error in its value.

use super::{DecodeError, DecodeErrorKind, Decoder, JsonOptions, Reader};
use crate::format::WriteTo;
use crate::path::Location;

impl DecodeError {
    /// The path of the error in its value. Reads `bytes`, the same input, again from its start, so that conversion need not
    /// track paths. For an error in a key, this is the path of the map. Only the outermost 1,000 steps are returned.
    ///
    /// ```
    /// use jsonx_core::msgpack::{JsonOptions, to_json};
    /// use jsonx_core::path::Notation;
    ///
    /// // The second value of a sequence: [{"a": <two bytes, cut off>
    /// let packed = b"\xc0\x91\x81\xa1a\xcd\x01";
    /// let error = to_json(packed, JsonOptions::default()).unwrap_err();
    /// assert_eq!(error.location(packed).display(Notation::Dot).to_string(), ".[0].a");
    /// ```
    pub fn location(&self, bytes: &[u8]) -> Location {
        // With these options, no error precedes this one, unless this one is of a strict conversion.
        let options = JsonOptions::default().lossy(self.kind != DecodeErrorKind::InvalidUtf8);
        let mut decoder = Decoder::new(options, WriteTo(std::io::sink()));
        match decoder.tokens(Reader::new(bytes), self.offset) {
            Ok(_) | Err(_) => decoder.location(),
        }
    }
}
