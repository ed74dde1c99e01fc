//! JSON to Arrow: exact, strict, with rejected records in a second stream.
//!
//! ```text
//! Read ──► blocks of whole lines ──► Validator ──► tokens ──► columns ──► RecordBatch
//!          blocks.rs                 jsonx-core    tokens.rs  column/        │
//!                                        │ syntax error          │ mismatch  ▼
//!                                        └──────────► rejects ◄──┘        the next one
//! ```
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::cast::AsArray;
//! use arrow_array::types::Int32Type;
//! use arrow_schema::{DataType, Field, Schema};
//! use jsonx_arrow::{Reader, ReaderOptions};
//!
//! let schema = Arc::new(Schema::new(vec![
//!     Field::new("id", DataType::Int32, false),
//!     Field::new("name", DataType::Utf8, true),
//! ]));
//! let text = "{\"id\": 1, \"name\": \"Ada\"}\n{\"id\": 3000000000}\n{\"id\": 3,}\n{\"id\": 4}\n";
//! let mut reader = Reader::new(text.as_bytes(), schema, ReaderOptions::default())?;
//! let batch = reader.next().unwrap()?;
//! assert_eq!(batch.column(0).as_primitive::<Int32Type>().values(), &[1, 4]);
//!
//! let rejects = reader.take_rejects()?;
//! let codes: Vec<_> = rejects.column_by_name("code").unwrap().as_string::<i32>().iter().flatten().collect();
//! assert_eq!(codes, ["out-of-range", "trailing-comma"]);
//! # Ok::<(), arrow_schema::ArrowError>(())
//! ```
//!
//! | type | JSON | rejected |
//! |---|---|---|
//! | `Boolean` | `true`, `false` | |
//! | integers | numbers with an integral value, also `1.5e1` | a fraction; out of range |
//! | `Float16`, `Float32`, `Float64` | numbers, rounded to the nearest | out of range; an integer that it cannot hold exactly |
//! | `Decimal128` | numbers | digits beyond the scale or the precision |
//! | `Utf8`, `LargeUtf8`, `Utf8View` | strings | a lone surrogate |
//! | `Timestamp`, `Date32`, `Date64` | strings as in RFC 3339 | digits beyond the unit |
//! | `List`, `LargeList`, `Struct`, `Map` | arrays and objects | |
//! | `Dictionary` of `Utf8` | strings | more distinct values in a batch than the key can count |
//! | strings that are [`json_field`]s | any value, as its own text | |
//!
//! With a [`Coercion`], numbers, booleans and times in strings, epochs and numbers for strings are read too.
//!
//! A missing member is null, like `null`; a field that is not nullable rejects both.

mod blocks;
mod coercion;
mod column;
mod decoder;
mod elements;
mod infer;
mod mismatch;
mod options;
mod reader;
mod rejects;
mod time;
mod tokens;

pub use coercion::Coercion;
pub use column::json_field;
pub use infer::infer;
pub use options::{Duplicates, Mismatches, ReaderOptions, Unknown};
pub use reader::Reader;
pub use rejects::rejects_schema;
