//! MessagePack: reading, writing, and conversion from and to JSON.
//!
//! | to | use |
//! |---|---|
//! | convert a slice | [`from_json`], [`to_json`] |
//! | convert JSON while it is verified | [`Encoder`], a [`Sink`](jsonx_core::engine::Sink) |
//! | convert MessagePack as the bytes arrive | [`Decoder`] |
//! | write values in their smallest forms, without an allocation per value | [`Writer`] |
//! | read tokens, with strings borrowed from the input | [`Reader`] |
//!
//! Nothing here recurses, so nesting costs no stack. No length is trusted: memory is allocated for actual data, never for an
//! announced length.
//!
//! ```
//! use jsonx_msgpack::{EncodeOptions, JsonOptions, from_json, to_json};
//!
//! let packed = from_json(br#"{"compact": true, "schema": 0}"#, EncodeOptions::default()).unwrap();
//! assert_eq!(packed, b"\x82\xa7compact\xc3\xa6schema\x00");
//! assert_eq!(to_json(&packed, JsonOptions::default()).unwrap(), b"{\"compact\":true,\"schema\":0}");
//! ```

mod base64;
mod buffer;
mod decode;
mod encode;
mod error;
mod interleave;
mod options;
mod reader;
#[cfg(test)]
mod tests;
mod text;
mod timestamp;
mod writer;

pub use self::decode::{Decoder, JsonError, to_json};
pub use self::encode::{EncodeOptions, Encoder, from_json};
pub use self::error::{DecodeError, DecodeErrorKind, EncodeError, EncodeErrorKind, TooLong};
pub use self::interleave::{Lengths, LongValues};
pub use self::options::JsonOptions;
pub use self::reader::{Reader, Token};
pub use self::writer::Writer;

/// The extension type of timestamps.
const TIMESTAMP: i8 = -1;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
