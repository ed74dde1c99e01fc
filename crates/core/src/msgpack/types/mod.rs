//! MessagePack to and from Rust types with `serde`, without JSON in between: the features `msgpack` and `serde`.

mod access;
mod read;
mod unpacker;
mod write;

use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

use self::unpacker::Unpacker;
use self::write::Packer;
use crate::error::Error;

/// Reads a value from MessagePack in memory. Strings and binary data can be borrowed from the input.
///
/// A structure may be a map or an array of its fields, a variant its name or a map of one member, so the output of `rmp_serde`
/// can be read as well. Recursive types may be nested 127 levels deep; ignored values have no limit. Memory is proportional to
/// the value; no announced length is trusted.
///
/// # Errors
///
/// The input is not MessagePack, or not one value, or its data does not fit the type. An error has a path and an offset; of input
/// that is not MessagePack, its source is a [`DecodeError`](super::DecodeError).
///
/// ```
/// use jsonx_core::msgpack;
/// use serde::Deserialize;
///
/// #[derive(Debug, Deserialize, PartialEq)]
/// struct Server<'a> {
///     name: &'a str,
///     port: u16,
/// }
///
/// let packed = b"\x91\x82\xa4name\xa1a\xa4port\x50";
/// assert_eq!(msgpack::from_slice::<Vec<Server>>(packed)?, [Server { name: "a", port: 80 }]);
///
/// let packed = b"\x91\x82\xa4name\xa1a\xa4port\xce\x00\x01\x86\x9f";
/// let error = msgpack::from_slice::<Vec<Server>>(packed).unwrap_err();
/// assert_eq!(error.to_string(), ".[0].port: expected u16, found 99999 at offset 14");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    let mut unpacker = Unpacker::new(bytes);
    let value = T::deserialize(&mut unpacker)?;
    unpacker.end()?;
    Ok(value)
}

/// Writes a value as MessagePack: the result of [`from_json`](super::from_json) for its JSON, except for binary data, floats of
/// single precision, and keys that are not strings, which JSON lacks.
///
/// A structure becomes a map, a variant its name or a map of one member, `None` and `()` nil. Integers of 128 bits that need more
/// than 64 are 16 bytes of binary data, as in `rmp_serde`. A [`Raw`](crate::Raw) is converted. MessagePack is not human-readable,
/// so types such as `IpAddr` choose their binary form.
///
/// # Errors
///
/// A string or container of more than 2³² − 1 bytes or values; no memory; or the type's own error.
///
/// ```
/// use jsonx_core::msgpack;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Server<'a> {
///     name: &'a str,
///     port: Option<u16>,
/// }
///
/// let packed = msgpack::to_vec(&Server { name: "a", port: Some(443) })?;
/// assert_eq!(packed, b"\x82\xa4name\xa1a\xa4port\xcd\x01\xbb");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    let mut packer = Packer::default();
    value.serialize(&mut packer)?;
    Ok(packer.into_vec())
}
