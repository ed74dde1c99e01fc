//! JSON5 (<https://spec.json5.org>): JSON with comments, trailing commas, keys without quotes, strings in single quotes, and more
//! ways to write numbers and white space.
//!
//! The grammar does not support JSON5. A text is translated to JSON with comments, token by token: tokens that only JSON5 has are
//! rewritten as JSON, everything else is copied, including errors. The engine checks the result, and [`Translation`] maps every
//! position back:
//!
//! ```text
//! JSON5   {a: 'it\'s', b: [+.5, 0xFF,], // two
//! JSONC   {"a": "it's", "b": [0.5, 255,], // two
//! ```
//!
//! ```
//! use jsonx_core::engine::{Options, validate_with};
//! use jsonx_diagnose::json5::Translation;
//! use jsonx_core::jsonc::Dialect;
//!
//! let translation = Translation::new(b"{a: 'x', b: +.5,} // two".to_vec());
//! assert_eq!(translation.text(), br#"{"a": "x", "b": 0.5,} // two"#);
//! assert!(validate_with(translation.text(), Options::default().dialect(Dialect::Jsonc)).is_ok());
//! ```
//!
//! The whole text is held in memory: JSON5 is for files written by hand.

mod edited;
mod lexer;
mod number;
mod positions;
mod space;
mod spelling;
mod string;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use number::is_number;
pub use positions::Translation;
#[doc(hidden)]
pub use spelling::{is_spelled_by_prettier, respell, stand_ins};
