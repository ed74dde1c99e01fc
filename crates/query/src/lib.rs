//! What is in a JSON text, in one pass and memory that does not depend on its length.
//!
//! | to | use |
//! |---|---|
//! | list the paths of all values, with their types, numbers and an example | [`Shape::paths`] |
//! | write a JSON Schema that the text satisfies | [`Shape::schema`] |
//! | find the keys and values whose text matches a pattern | [`Finder`] |
//!
//! Both are a [`Sink`](jsonx_core::engine::Sink) of verified tokens. Values at given paths are found by
//! `jsonx_core::query`.

mod find;
mod shape;

pub use find::{Finder, Found, Pattern};
pub use shape::{Shape, ShapeNumbers, ShapePath};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
