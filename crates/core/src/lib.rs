//! The engine of jsonx: from bytes to verified JSON tokens.
//!
//! ```text
//! text ──► window ──► chunk ──► blocks ──► masks ──► streams ──► verify ──► tokens ──► Sink
//!          write      8 KiB     64 bytes   kernel    kinds       grammar    Chunk      Verdict
//!          finish                                    offsets     containers            Formatter
//!                                                    scalars     scalars               Query
//!                                                                  │ wrong
//!                                                                  ▼
//!                                                                the first bad byte: Error
//! ```
//!
//! Text of any length is checked in constant memory, in windows that come from a mapped file, a pipe or a socket. What
//! is accepted is exactly RFC 8259 in UTF-8; an error has the offset of the first byte at which the text is no longer a
//! prefix of any valid text.
//!
//! ```
//! use jsonx_core::{ErrorKind, validate};
//!
//! assert!(validate(r#"{"name": "Ада", "n": [1.5e3, null]}"#.as_bytes()).is_ok());
//!
//! let error = validate(b"[1, 2,]").unwrap_err();
//! assert_eq!((error.kind, error.offset), (ErrorKind::ExpectedValue, 6));
//! ```
//!
//! - [`validate`] for text in memory, [`Validator`] for text that comes in windows;
//! - [`TextSegment`] checks part of a text without what is before it, to use several threads for one text;
//! - [`Formatter`] changes white space and nothing else, [`Rewriter`] also tokens, as its options say;
//! - [`Query`] finds the values that [`path::Path`]s select;
//! - [`Document`] is a text in memory with an index, [`Node`] a value of it;
//! - [`visit()`] hands the values of a text to a [`Visitor`], one event each;
//! - [`edit::Editor`] changes values of a document and keeps every other byte;
//! - [`lint::Linter`] reports text that is valid but error-prone;
//! - with the feature `serde`, `from_slice` reads text into types, `to_vec` writes them, `lines` reads JSON Lines,
//!   `elements` an array that is larger than memory;
//! - [`diagnose`] finds the mistakes of a text that is not JSON, [`repair`] types the corrections;
//! - [`Locator`] finds the path of the value at an offset, [`Members`] the keys of an object;
//! - [`diff`](mod@diff) finds what has changed between two documents;
//! - [`patch`] applies JSON Patches and JSON Merge Patches;
//! - [`msgpack`] converts from and to MessagePack;
//! - [`jsonc`] is JSON with comments, in front of all of these;
//! - [`string`], [`hex`], [`number`] decode a single token on request.
//!
//! The library does no I/O, prints nothing and does not panic on any input.
//!
//! # When to choose it
//!
//! - Texts may be larger than memory, come in windows, or be JSON Lines without end.
//! - Errors are read by people: they have a path, a line, a column and a caret, and of a broken text all causes with fixes.
//! - Values are changed, and every other byte has to stay.
//! - Input is not trusted: exactly RFC 8259 and UTF-8, no recursion over what has no type, no limit on depth but the one you
//!   set.
//! - Numbers have to keep their digits.
//! - One build has to use AVX2, AVX-512 or NEON where the CPU has them, on stable Rust.
//!
//! # When not
//!
//! - Without the standard library: use `serde_json` or `serde-json-core`.
//! - For a tree of values that is built and changed in memory: use `serde_json::Value`, which `from_slice` reads too.
//! - Where only the time to read text into types counts, compare it with sonic-rs and flexon first; `benches/` in
//!   the repository does.
//!
//! The guide `docs/library.md` in the repository says which item does what those of serde_json and sonic do, and where
//! results differ; `examples/` has a config file with errors that have a place, an order book, a sum over an array that is
//! larger than memory, and an edit.

#[cfg(test)]
mod agreement;
mod batch;
#[cfg(test)]
#[path = "../../../tests/cases.rs"]
mod cases;
mod chunk;
mod cursor;
pub mod diagnose;
pub mod diff;
pub mod document;
pub mod edit;
mod error;
mod format;
pub mod hex;
pub mod jsonc;
mod kernel;
mod key_set;
mod lines;
pub mod lint;
mod locate;
mod members;
pub mod msgpack;
pub mod number;
pub mod patch;
pub mod path;
pub mod position;
#[cfg(test)]
#[path = "../../../fuzz/src/reference.rs"]
mod reference;
pub mod repair;
mod rewrite;
mod scan;
mod select;
#[cfg(feature = "serde")]
mod serde;
mod skip;
mod stack;
pub mod string;
mod syntax;
pub mod terminal;
mod token;
mod verify;
mod visit;
mod window;

pub use batch::Batch;
pub use document::{Document, LookupError, Node};
pub use error::Error;
pub use format::{
    CommentFormatter, CommentStyle, FormatCheck, Formatter, Indent, Output, Style, TrailingCommas,
    WriteTo,
};
pub use kernel::{Kernel, KernelError};
pub use lines::OnePerLine;
pub use locate::{Locator, Place};
pub use members::Members;
pub use rewrite::{
    LineEnd, NotCanonical, NotCanonicalKind, RewriteError, RewriteOptions, Rewriter, sort_commented,
};
pub use select::{Answer, Duplicates, Match, Missing, Order, Query, QueryOptions};
#[cfg(feature = "serde")]
pub use serde::{
    Deserializer, Elements, Lines, LinesIn, Raw, Serializer, Spanned, WriteOptions, elements,
    from_reader, from_slice, from_str, lines, lines_in, to_string, to_string_pretty, to_vec,
    to_writer,
};
pub use syntax::{ErrorKind, OutOfMemory, SyntaxError};
pub use token::{Chunk, Interest, Kind, Mode, Sink, Stop, Verdict};
pub use visit::{Events, Visitor, visit};
pub use window::{Options, TextSegment, Validator, validate, validate_with};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../../../docs/library.md")]
struct Guide;
