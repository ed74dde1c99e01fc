//! Floats that JSON cannot represent.

/// The treatment of floats that JSON cannot represent: infinity and NaN.
///
/// ```
/// use jsonx_core::msgpack::{JsonOptions, to_json};
/// use jsonx_core::number::NonFinite;
///
/// let infinity = b"\xca\x7f\x80\0\0";
/// assert!(to_json(infinity, JsonOptions::default()).is_err());
/// let null = JsonOptions::default().non_finite(NonFinite::Null);
/// assert_eq!(to_json(infinity, null).unwrap(), b"null");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NonFinite {
    /// An error: the default from MessagePack to JSON.
    Error,
    /// `null`, as in JavaScript and `serde_json`: the default for writing types.
    Null,
}
