//! Options for converting MessagePack to JSON.

/// Options for converting MessagePack to JSON.
///
/// ```
/// use jsonx_msgpack::{JsonOptions, to_json};
///
/// let options = JsonOptions::default().lossy(true).final_newline(true);
/// assert_eq!(to_json(b"\x81\xc3\xca\x7f\xc0\0\0", options).unwrap(), b"{\"true\":null}\n");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JsonOptions {
    pub(super) lossy: bool,
    pub(super) max_depth: Option<u64>,
    pub(super) final_newline: bool,
}

impl JsonOptions {
    /// Sets whether values that JSON cannot represent are replaced: infinities and NaN by `null`, keys that are not strings by
    /// the text that they would have as values (arrays, maps and extensions are still an error), and invalid UTF-8 in strings
    /// by U+FFFD.
    ///
    /// ```
    /// use jsonx_msgpack::{JsonOptions, to_json};
    ///
    /// let packed = b"\x82\x01\xca\x7f\xc0\0\0\xa1a\xa2b\xff";
    /// assert!(to_json(packed, JsonOptions::default()).is_err());
    /// let text = to_json(packed, JsonOptions::default().lossy(true)).unwrap();
    /// assert_eq!(text, "{\"1\":null,\"a\":\"b\u{fffd}\"}".as_bytes());
    /// ```
    #[must_use]
    pub fn lossy(self, lossy: bool) -> Self {
        JsonOptions { lossy, ..self }
    }

    /// Whether values that JSON does not have are replaced.
    ///
    /// ```
    /// use jsonx_msgpack::JsonOptions;
    ///
    /// assert!(!JsonOptions::default().is_lossy());
    /// ```
    pub fn is_lossy(self) -> bool {
        self.lossy
    }

    /// Limits the nesting depth. By default there is no limit: depth costs memory and no stack, but a reader of the result
    /// may recurse.
    ///
    /// ```
    /// use jsonx_msgpack::{DecodeErrorKind, JsonOptions, to_json};
    ///
    /// let options = JsonOptions::default().max_depth(2);
    /// assert!(to_json(b"\x91\x91\x01", options).is_ok());
    /// assert_eq!(to_json(b"\x91\x91\x91\x01", options).unwrap_err().kind, DecodeErrorKind::TooDeep);
    /// ```
    #[must_use]
    pub fn max_depth(self, levels: u64) -> Self {
        JsonOptions {
            max_depth: Some(levels),
            ..self
        }
    }

    /// Sets whether a line feed follows each value, as in a file, rather than only between values.
    ///
    /// ```
    /// use jsonx_msgpack::{JsonOptions, to_json};
    ///
    /// let json = |newline| to_json(b"\x01\x02", JsonOptions::default().final_newline(newline)).unwrap();
    /// assert_eq!(json(false), b"1\n2");
    /// assert_eq!(json(true), b"1\n2\n");
    /// ```
    #[must_use]
    pub fn final_newline(self, final_newline: bool) -> Self {
        JsonOptions {
            final_newline,
            ..self
        }
    }
}
