//! Values of JSON in Rust types, by `serde`: the feature `serde`.
//!
//! ```text
//! text ──► tokens.rs ──► read.rs ──► deserialize.rs, key.rs ──► a type that implements Deserialize
//!          verified,                        │
//!          on demand                        └──► crate::error: path, offset, line and column
//! a type that implements Serialize ──► write.rs ──► text
//! ```

mod access;
mod data_model;
mod deserialize;
#[cfg(feature = "edit")]
mod edit;
#[cfg(feature = "query")]
mod elements;
mod error;
#[cfg(feature = "query")]
mod incoming;
mod key;
mod lines;
mod marks;
mod node;
mod numbers;
mod raw;
mod read;
mod read_options;
mod records;
mod size_hint;
mod spanned;
#[cfg(test)]
mod tests;
mod tokens;
mod write;
mod write_options;

use std::io;

use serde_core::de::{Deserialize, DeserializeOwned};
use serde_core::ser::Serialize;

#[cfg(feature = "query")]
pub use elements::{Elements, elements, values};
#[cfg(feature = "query")]
pub use incoming::Incoming;
pub use lines::{Lines, LinesIn, lines, lines_in};
pub use raw::{OwnedRaw, Raw};
pub use read::Deserializer;
pub use read_options::ReadOptions;
pub use spanned::Spanned;
pub use write::Serializer;
pub use write_options::WriteOptions;

use crate::error::Error;
use crate::window::Options;
use tokens::Tokens;

/// Reads a value from JSON in memory. Strings without escapes can be borrowed from the text.
///
/// Takes one pass over the text, and memory for the value only. Recursive types may be nested 127 levels deep; ignored values
/// have no depth limit.
///
/// # Errors
///
/// The text is not JSON, or its data does not fit the type. An error has a path, an offset, and a line of source on request.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Server<'a> {
///     name: &'a str,
///     port: u16,
/// }
///
/// let servers: Vec<Server> = jsonx_core::from_slice(br#"[{"name": "a", "port": 80}]"#)?;
/// assert_eq!((servers[0].name, servers[0].port), ("a", 80));
///
/// let text = br#"[{"name": "a", "port": 99999}]"#;
/// let error = jsonx_core::from_slice::<Vec<Server>>(text).err().unwrap();
/// assert_eq!(error.to_string(), ".[0].port: expected u16, found 99999 at line 1 column 24");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn from_slice<'de, T: Deserialize<'de>>(text: &'de [u8]) -> Result<T, Error> {
    read(Tokens::new(text, Options::default())).map_err(|error| error.in_text(text))
}

fn read<'de, T: Deserialize<'de>>(tokens: Tokens<'de>) -> Result<T, Error> {
    let mut reader = Deserializer::from_tokens(tokens);
    let value = match T::deserialize(&mut reader) {
        Ok(value) => reader.end().map(|()| value),
        Err(error) => Err(at_root(error, reader.tokens.text())),
    };
    reader.tokens.retire();
    value
}

/// An error without a position refers to the whole value.
#[cold]
fn at_root(error: Error, text: &[u8]) -> Error {
    let is_space = |byte: &&u8| b" \t\n\r".contains(byte);
    error.at(text.iter().take_while(is_space).count())
}

/// As [`from_slice`], from a string.
///
/// # Errors
///
/// As [`from_slice`].
///
/// ```
/// let words: Vec<&str> = jsonx_core::from_str(r#"["one", "two"]"#)?;
/// assert_eq!(words, ["one", "two"]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    read(Tokens::of_str(text, Options::default())).map_err(|error| error.in_text(text.as_bytes()))
}

/// Reads a value from a reader, up to its end. Costs memory for the text as well; [`lines`] reads a line at a time.
///
/// # Errors
///
/// Those of the reader, and those of [`from_slice`].
///
/// ```
/// let numbers: Vec<u8> = jsonx_core::from_reader(&b"[1, 2]"[..])?;
/// assert_eq!(numbers, [1, 2]);
///
/// // The text is dropped, but not the line with the error.
/// let error = jsonx_core::from_reader::<Vec<u8>, _>(&b"[1,\n 256]"[..]).unwrap_err();
/// assert!(format!("{error:#}").ends_with("2 |  256]\n  |  ^\n"));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn from_reader<T: DeserializeOwned, R: io::Read>(mut reader: R) -> Result<T, Error> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text)?;
    from_slice(&text)
}

/// Writes a value as minified JSON.
///
/// # Errors
///
/// A key of a map is not a string, number, boolean or variant; or the type's own error.
///
/// ```
/// let text = jsonx_core::to_vec(&[Some(1.5), None])?;
/// assert_eq!(text, b"[1.5,null]");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    let mut writer = Serializer::default();
    value.serialize(&mut writer)?;
    Ok(writer.into_vec())
}

/// As [`to_vec`], to a string.
///
/// # Errors
///
/// As [`to_vec`].
///
/// ```
/// assert_eq!(jsonx_core::to_string("a \"quote\"")?, r#""a \"quote\"""#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    String::from_utf8(to_vec(value)?).map_err(Error::data)
}

/// As [`to_string`], indented by two spaces, except for [`Raw`], which keeps its layout. [`WriteOptions`] has other styles,
/// sorted keys and escapes.
///
/// # Errors
///
/// As [`to_vec`].
///
/// ```
/// assert_eq!(jsonx_core::to_string_pretty(&(1, [2]))?, "[\n  1,\n  [\n    2\n  ]\n]");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn to_string_pretty<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    WriteOptions::pretty().to_string(value)
}

/// As [`to_vec`], to a writer, about 64 KiB at a time: needs memory for these and for the longest string. A shorter text is
/// written with a single call of `write_all`.
///
/// # Errors
///
/// Those of the writer, and those of [`to_vec`], after which part of the text may have been written.
///
/// ```
/// let mut file = Vec::new();
/// jsonx_core::to_writer(&mut file, &(1, "two"))?;
/// assert_eq!(file, br#"[1,"two"]"#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn to_writer<T: Serialize + ?Sized>(
    mut writer: impl io::Write,
    value: &T,
) -> Result<(), Error> {
    let mut text = Serializer::to(&mut writer);
    value.serialize(&mut text)?;
    text.finish()
}
