//! Reads, checks, edits and writes JSON: into types, value by value, or as a stream of any length.
//!
//! All input passes through one stream of verified tokens, checked with SIMD. Exactly RFC 8259 in UTF-8 is accepted.
//!
//! Five short programs follow; the guide, `docs/library.md` in the repository, has complete versions.
//!
//! **A config file, with errors for its author.** An error has a path, a line and a column:
//!
//! ```
//! use serde::Deserialize;
//!
//! #[derive(Debug, Deserialize)]
//! struct Server<'a> {
//!     name: &'a str, // Borrowed from the text.
//!     port: u16,
//! }
//!
//! let text = r#"[{"name": "front", "port": 443}]"#;
//! let servers: Vec<Server> = jsonx_core::from_str(text)?;
//! assert_eq!((servers[0].name, servers[0].port), ("front", 443));
//!
//! let wrong = text.replace("443", "80800");
//! let error = jsonx_core::from_str::<Vec<Server>>(&wrong).unwrap_err();
//! assert_eq!(format!("{error:#}"), "\
//! error: expected u16, found 80800
//!  --> 1:28 (.[0].port)
//!   |
//! 1 | [{\"name\": \"front\", \"port\": 80800}]
//!   |                            ^
//! ");
//! # Ok::<(), jsonx_core::Error>(())
//! ```
//!
//! **JSON Lines with invalid records.** Reading continues after an error:
//!
//! ```
//! let log = "{\"bytes\": 1}\n{\"bytes\": \n{\"bytes\": 3}\n"; // Any std::io::BufRead.
//! let (mut sum, mut bad) = (0, Vec::new());
//! for line in jsonx_core::lines::<std::collections::HashMap<String, u64>, _>(log.as_bytes()) {
//!     match line {
//!         Ok(line) => sum += line["bytes"],
//!         Err(error) => bad.push(error.line()),
//!     }
//! }
//! assert_eq!((sum, bad), (4, vec![Some(2)]));
//! ```
//!
//! **The elements of a huge file** (feature `query`). Memory is bounded by the largest element; a JSONPath with a filter
//! selects elements:
//!
//! ```
//! #[derive(serde::Deserialize)]
//! struct Row {
//!     price: u64,
//! }
//!
//! let file = &br#"{"rows": [{"price": 5}, {"price": 999}]}"#[..]; // Any std::io::Read.
//! let rows = jsonx_core::elements::<Row, _>(file, "$.rows[?@.price > 998]")?;
//! let prices: Vec<u64> = rows.map(|row| Ok(row?.price)).collect::<Result<_, jsonx_core::Error>>()?;
//! assert_eq!(prices, [999]);
//! # Ok::<(), jsonx_core::Error>(())
//! ```
//!
//! **An edit that keeps comments** (feature `edit`), and every other byte:
//!
//! ```
//! use jsonx_core::engine::Options;
//! use jsonx_core::jsonc::Dialect;
//! use jsonx_core::{Document, Path};
//!
//! let text = b"{\n  \"size\": 14, // px\n  \"b.c\": [ 1.0 ]\n}\n";
//! let document = Document::parse_with(text, Options::default().dialect(Dialect::Jsonc))?;
//! let mut editor = document.edit();
//! editor.set_value(".size", &16)?.set_value(Path::root().key("b.c").index(0), "x")?;
//! assert_eq!(editor.finish(), b"{\n  \"size\": 16, // px\n  \"b.c\": [ \"x\" ]\n}\n");
//! # Ok::<(), jsonx_core::Error>(())
//! ```
//!
//! **A query** (feature `query`), without types. An [`OwnedDocument`] owns its text:
//!
//! ```
//! let document = jsonx_core::Document::parse(br#"{"a": [{"b": 1.50}, {"b": 2}]}"#)?;
//! assert_eq!(document.find(".a[0].b")?.as_f64(), Some(1.5));
//! let all = document.query("$..b")?;
//! assert_eq!(all[1].read::<u8>()?, 2);
//! assert_eq!(all.iter().map(|node| node.to_string()).collect::<Vec<_>>(), ["1.50", "2"]);
//! # Ok::<(), jsonx_core::Error>(())
//! ```
//!
//! | to | use |
//! |---|---|
#![cfg_attr(
    feature = "serde",
    doc = "| read text into types, and write them (feature `serde`) | [`from_slice`], [`from_str`], [`from_reader`]; [`to_vec`], [`to_string`], [`to_writer`]; [`ReadOptions`], [`WriteOptions`] |",
    doc = "| read JSON Lines, a stream of values, or an array that is larger than memory (feature `serde`) | [`lines()`], [`lines_in`]; [`values()`]; [`elements`]; [`stream::Incoming`] where bytes are pushed |",
    doc = "| keep a value as its text, or its place (feature `serde`) | [`Raw`], [`OwnedRaw`]; [`Spanned`] |"
)]
//! | inspect values, get one by its path | [`Document`], [`OwnedDocument`], [`Node`] |
//! | get any number of paths in one pass, in constant memory | [`query`] |
//! | receive events | [`visit::Events`] |
//! | change values and keep every other byte | [`Editor`], [`patch`] |
//! | compare two documents | [`diff`](mod@diff) |
//! | format, sort keys, write the canonical form of RFC 8785 | [`mod@format`] |
//! | validate only | [`validate`]; [`engine::Validator`] for windows |
//! | read JSON with comments | [`jsonc`], before all of these |
//! | decode one token | [`string`], [`number`] |
//!
//! Only the feature `serde` is on by default. The others are `query` (with `elements` and `values`), `regex`, `format`, `edit`,
//! `diff`, `patch`, and `full`, which enables all of them. The crate `jsonx-diagnose` explains and repairs broken text, has lints
//! for valid but error-prone text, and reads JSON5; `jsonx-msgpack` converts from and to MessagePack, and `jsonx-query` lists what
//! is in a text.
//!
//! Every function that fails returns [`Error`], or an error that converts into it.
//!
//! # When to choose it
//!
//! - Texts may be larger than memory, arrive in pieces, or be an endless stream of JSON Lines.
//! - People read the errors: they have a path, a line, a column and a caret; for a broken text, `jsonx-diagnose` reports all
//!   causes, with fixes.
//! - Values are edited and every other byte must stay the same.
//! - Input is untrusted: no recursion over untyped values, no depth limit except the one you set, no panic, no `unsafe` outside
//!   the SIMD kernels.
//! - Numbers must keep their digits.
//! - One build must use AVX2, AVX-512 or NEON if the CPU has them, on stable Rust.
//!
//! # When not to choose it
//!
//! - Without the standard library: `serde_json` supports that.
//! - For a tree of values built and changed in memory: use `serde_json::Value`, which `from_slice` reads too.
//! - If only deserialization speed counts: with AVX2, flexon needs 0.7 to 0.85 of the time for documents and 0.8 for messages
//!   of a few hundred bytes, but is no faster for JSON Lines; with AVX-512, this crate is as fast.
//!
//! # Comparison with other crates
//!
//! Microseconds, the best of 41 interleaved runs in one process on one core of an AMD EPYC (Zen 4, AVX-512), with
//! `target-cpu=native` and mimalloc for all. simd-json overwrites its input, so its time includes a copy. The record,
//! `benches/record/amd-epyc-2-cores/library.md` in the repository, has more documents, flexon and jiter;
//! `cargo bench -p jsonx-benches --bench library` repeats the measurement.
//!
//! | | jsonx | serde_json | sonic-rs | simd-json (copy) |
//! |:---|---:|---:|---:|---:|
//! | canada into types, `f64` | 2743 | 4949 | 3044 | 3033 |
//! | citm into types, strings owned | 748 | 1527 | 758 | 941 |
//! | twitter into types, strings owned | 504 | 918 | 508 | 486 |
//! | twitter, one value of a document | 171 | 1508 | 284 | 299 |
//! | order-book lines into borrowed types | 5128 | 9349 | 8386 | - |
//! | one field of each record | 1438 | 2759 | 1939 | - |
//!
//! The guide maps the items of serde_json and sonic to those of this crate and lists the differences from serde_json;
//! `examples/` has the programs of the guide, and an order book.
//!
//! # How it works
//!
//! ```text
//! text ──► window ──► chunk ──► blocks ──► masks ──► streams ──► verify ──► tokens ──► Sink
//!          write      8 KiB     64 bytes   kernel    kinds       grammar    Chunk      types, Document
//!          finish                                    offsets     containers            Formatter
//!                                                    scalars     scalars               Query
//!                                                                  │ wrong
//!                                                                  ▼
//!                                                                the first bad byte: SyntaxError
//! ```
//!
//! The library opens no files and no sockets, prints nothing and does not panic on any input.

#![cfg_attr(
    not(all(
        feature = "query",
        feature = "format",
        feature = "patch"
    )),
    // Some items are used with certain features only.
    allow(dead_code, unused_imports)
)]

#[cfg(test)]
mod agreement;
mod assembler;
mod chunk;
#[cfg(feature = "diff")]
pub mod diff;
pub mod document;
#[cfg(feature = "edit")]
pub mod edit;
mod error;
pub mod format;
// Public for the benchmark of its table.
#[doc(hidden)]
pub mod hex;
pub mod jsonc;
mod kernel;
mod lines;
mod locate;
pub mod number;
// Public so that the other crates share one compiled copy of the sort.
#[doc(hidden)]
pub mod order;
#[cfg(feature = "patch")]
pub mod patch;
pub mod path;
pub mod position;
mod scan;
#[cfg(feature = "query")]
mod select;
#[cfg(feature = "serde")]
mod serde;
mod skip;
mod splice;
mod stack;
pub mod string;
mod syntax;
// Public so that the program escapes the same characters as the errors of this crate.
#[doc(hidden)]
pub mod terminal;
mod token;
mod verify;
pub mod visit;
mod window;

pub use document::{Document, LookupError, Node, OwnedDocument};
#[cfg(feature = "edit")]
pub use edit::Editor;
pub use error::Error;
pub use path::Path;
#[cfg(feature = "serde")]
pub use serde::{
    Deserializer, OwnedRaw, Raw, ReadOptions, Serializer, Spanned, WriteOptions, from_reader,
    from_slice, from_str, lines, lines_in, to_string, to_string_pretty, to_vec, to_writer,
};
#[cfg(all(feature = "serde", feature = "query"))]
pub use serde::{elements, values};
pub use syntax::{ErrorKind, SyntaxError};
pub use token::Kind;
pub use window::validate;

/// The verifying engine: windows of text in, chunks of verified tokens out.
///
/// A [`Validator`](engine::Validator) takes a text window by window and passes its tokens to a [`Sink`](engine::Sink).
/// Formatters, queries, lints and deserializers are sinks; you can write your own.
///
/// ```
/// use jsonx_core::engine::{Validator, sink_fn};
///
/// let mut validator = Validator::default();
/// let mut commas = 0;
/// let mut sink = sink_fn(|chunk| {
///     commas += chunk.kinds.iter().filter(|kind| **kind == b',').count();
///     Ok::<_, std::convert::Infallible>(())
/// });
/// for window in [&b"[1, \"a,"[..], b"b\", 3]"] {
///     validator.write(window, &mut sink).unwrap();
/// }
/// validator.finish(sink).unwrap();
/// assert_eq!(commas, 2);
/// ```
pub mod engine {
    pub use crate::kernel::{Kernel, KernelError};
    pub use crate::token::{Chunk, Interest, Mode, Sink, SinkFn, Stop, Verdict, sink_fn};
    pub use crate::window::{Options, Validator, validate_with};

    // For the program.
    #[doc(hidden)]
    pub use crate::lines::OnePerLine;
    #[doc(hidden)]
    pub use crate::locate::{Locator, Place};
    #[doc(hidden)]
    pub use crate::token::{ChunkContext, ChunkFlags, Inside};
    #[doc(hidden)]
    pub use crate::window::{Checkpoints, SegmentScope, SegmentSink, SegmentedSink, TextSegment};
}

#[cfg(feature = "query")]
/// Any number of paths, looked up in one pass and in constant memory: a [`Query`](query::Query) is a
/// [`Sink`](engine::Sink).
///
/// ```
/// use jsonx_core::Path;
/// use jsonx_core::engine::Validator;
/// use jsonx_core::query::{Query, QueryOptions};
///
/// let mut query = Query::new(&[Path::parse("$..id")?], QueryOptions::default());
/// Validator::default().check(br#"[{"id": 1}, {"id": 2}]"#, &mut query).unwrap();
/// query.end();
/// assert_eq!(query.answers().count(), 2);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub mod query {
    #[doc(hidden)]
    pub use crate::select::QuerySegment;
    pub use crate::select::{Answer, Duplicates, Match, Missing, Order, Query, QueryOptions};
}

/// Values one by one: the iterators of [`lines()`], [`lines_in`], [`values()`] and [`elements`], and
/// [`Incoming`](stream::Incoming) for text that is pushed in pieces, as in asynchronous code.
///
/// ```
/// use jsonx_core::stream::Incoming;
///
/// let mut rows = Incoming::<u32>::elements("/rows")?;
/// let mut sum = 0;
/// for piece in [r#"{"rows": [1"#, "2, 3", "4]", "}"] {
///     rows.write(piece.as_bytes());
///     for row in &mut rows {
///         sum += row?;
///     }
/// }
/// rows.finish();
/// assert!(rows.next().is_none());
/// assert_eq!(sum, 46);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[cfg(feature = "serde")]
pub mod stream {
    #[cfg(feature = "query")]
    pub use crate::serde::{Elements, Incoming};
    pub use crate::serde::{Lines, LinesIn};
}

/// For the other crates of this workspace: may change in any version.
#[doc(hidden)]
pub mod internal {
    pub use crate::assembler::{Token, TokenAssembler, Walk};
    pub use crate::format::buffer::OutputBuffer;
    pub use crate::kernel::{BLOCK, BlockTask, Bytes, Isa, run_with, to_str};
    pub use crate::number::float::no_digits;
    pub use crate::number::print::{float_parts, push_ecmascript, push_float, push_integer};
    pub use crate::path::quoted::is_text;
    pub use crate::skip::group;
    pub use crate::splice::Splices;
    pub use crate::stack::Stack;
    pub use crate::string::distance::edit_distance;
    pub use crate::string::escape::{Escape, Value};
    pub use crate::string::word::special_marks;
    pub use crate::verify::scalars::{LONG_EXPONENT, LONG_INTEGER};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
