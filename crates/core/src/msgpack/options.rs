//! Options for MessagePack values that JSON cannot represent.

use crate::number::NonFinite;

/// Options for MessagePack values that JSON cannot represent.
///
/// ```
/// use jsonx_core::msgpack::{Binary, JsonOptions, Keys, to_json};
/// use jsonx_core::number::NonFinite;
///
/// let options = JsonOptions::default().keys(Keys::Stringify).binary(Binary::Hex).non_finite(NonFinite::Null);
/// assert_eq!(to_json(b"\x82\x01\xc4\x01\xaf\xc3\xca\x7f\xc0\0\0", options).unwrap(), b"{\"1\":\"af\",\"true\":null}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonOptions {
    pub(crate) non_finite: NonFinite,
    pub(crate) binary: Binary,
    pub(crate) keys: Keys,
    pub(crate) float32: Float32,
    pub(crate) lossy: bool,
    pub(crate) max_depth: Option<u64>,
    pub(crate) final_newline: bool,
}

impl Default for JsonOptions {
    fn default() -> Self {
        JsonOptions {
            non_finite: NonFinite::Error,
            binary: Binary::default(),
            keys: Keys::default(),
            float32: Float32::default(),
            lossy: false,
            max_depth: None,
            final_newline: false,
        }
    }
}

/// The treatment of binary data.
///
/// ```
/// assert_eq!(jsonx_core::msgpack::Binary::default(), jsonx_core::msgpack::Binary::Base64);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Binary {
    /// A string in base64, with padding (RFC 4648, section 4).
    #[default]
    Base64,
    /// A string in lower-case hexadecimal.
    Hex,
    /// An error.
    Error,
}

/// The treatment of keys that are not strings.
///
/// ```
/// assert_eq!(jsonx_core::msgpack::Keys::default(), jsonx_core::msgpack::Keys::Error);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keys {
    /// An error.
    #[default]
    Error,
    /// The text that they would have as values. Arrays, maps and extensions are still an error.
    Stringify,
}

/// The digits of floats of single precision.
///
/// ```
/// assert_eq!(jsonx_core::msgpack::Float32::default(), jsonx_core::msgpack::Float32::Exact);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Float32 {
    /// The fewest digits that read back as the same value in double precision.
    #[default]
    Exact,
    /// The fewest digits that read back as the same value in single precision. As a double they may be another number.
    Short,
}

impl JsonOptions {
    /// Sets the treatment of infinities and NaN.
    ///
    /// ```
    /// use jsonx_core::msgpack::{JsonOptions, to_json};
    /// use jsonx_core::number::NonFinite;
    ///
    /// let options = JsonOptions::default().non_finite(NonFinite::Null);
    /// assert_eq!(to_json(b"\xca\x7f\xc0\0\0", options).unwrap(), b"null");
    /// ```
    #[must_use]
    pub fn non_finite(self, non_finite: NonFinite) -> Self {
        JsonOptions { non_finite, ..self }
    }

    /// Sets the treatment of binary data.
    ///
    /// ```
    /// use jsonx_core::msgpack::{Binary, JsonOptions, to_json};
    ///
    /// let json = |binary| to_json(b"\xc4\x02\xfb\xff", JsonOptions::default().binary(binary));
    /// assert_eq!(json(Binary::Base64).unwrap(), b"\"+/8=\"");
    /// assert_eq!(json(Binary::Hex).unwrap(), b"\"fbff\"");
    /// assert!(json(Binary::Error).is_err());
    /// ```
    #[must_use]
    pub fn binary(self, binary: Binary) -> Self {
        JsonOptions { binary, ..self }
    }

    /// Sets the treatment of keys that are not strings.
    ///
    /// ```
    /// use jsonx_core::msgpack::{JsonOptions, Keys, to_json};
    ///
    /// let options = JsonOptions::default().keys(Keys::Stringify);
    /// assert_eq!(to_json(b"\x81\xff\xc0", options).unwrap(), b"{\"-1\":null}");
    /// // A map as a key.
    /// assert!(to_json(b"\x81\x80\xc0", options).is_err());
    /// ```
    #[must_use]
    pub fn keys(self, keys: Keys) -> Self {
        JsonOptions { keys, ..self }
    }

    /// Sets the digits of floats of single precision.
    ///
    /// ```
    /// use jsonx_core::msgpack::{Float32, JsonOptions, to_json};
    ///
    /// let json = |digits| to_json(b"\xca\x3d\xcc\xcc\xcd", JsonOptions::default().float32(digits)).unwrap();
    /// assert_eq!(json(Float32::Exact), b"0.10000000149011612");
    /// assert_eq!(json(Float32::Short), b"0.1");
    /// ```
    #[must_use]
    pub fn float32(self, float32: Float32) -> Self {
        JsonOptions { float32, ..self }
    }

    /// Sets whether values that JSON cannot represent are replaced: infinities and NaN by `null`, keys that are not strings by
    /// the text that they would have as values (arrays, maps and extensions are still an error), and invalid UTF-8 in strings
    /// by U+FFFD.
    ///
    /// ```
    /// use jsonx_core::msgpack::{JsonOptions, to_json};
    ///
    /// let packed = b"\x82\x01\xca\x7f\xc0\0\0\xa1a\xa2b\xff";
    /// assert!(to_json(packed, JsonOptions::default()).is_err());
    /// let text = to_json(packed, JsonOptions::default().lossy(true)).unwrap();
    /// assert_eq!(text, "{\"1\":null,\"a\":\"b\u{fffd}\"}".as_bytes());
    /// ```
    #[must_use]
    pub fn lossy(self, lossy: bool) -> Self {
        let (keys, non_finite) = match lossy {
            true => (Keys::Stringify, NonFinite::Null),
            false => (self.keys, self.non_finite),
        };
        JsonOptions {
            lossy,
            keys,
            non_finite,
            ..self
        }
    }

    /// Limits the nesting depth. By default there is no limit: depth costs memory and no stack, but a reader of the result
    /// may recurse.
    ///
    /// ```
    /// use jsonx_core::msgpack::{DecodeErrorKind, JsonOptions, to_json};
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
    /// use jsonx_core::msgpack::{JsonOptions, to_json};
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
