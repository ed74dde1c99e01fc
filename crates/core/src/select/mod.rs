//! Looking values up: paths of any kind, in one pass over verified tokens.
//!
//! ```text
//! paths ──► program ──► states ──┐
//!                                ▼
//! tokens ──► tokens.rs ────► walk.rs ────► results ──► Answer
//!            passes over     threads       held until complete, certain and in order
//!            what no state   per value
//!            asks for          │ ▲
//!            (pass, plan,      ▼ │ decided at the end of the value
//!            keys)           conditions ◄── filter, values
//! ```
//!
//! - `program`: segments become numbered states, filters become tests over slots that their queries fill;
//! - `tokens`: the walk from token to token; `pass`: 64 tokens at a time over what is off every path;
//! - `walk`: values that begin and end, and the states at work in them; `step`: which those are in a child;
//! - `conditions`: what a match depends on that shows only later; `pending`, `elements`: an index from the end, a key that
//!   may come again; `asking`, `filter`, `values`: filters;
//! - `results`: the way from match to answer.

mod asking;
mod conditions;
mod elements;
mod filter;
mod keys;
mod pass;
mod pending;
mod plan;
mod program;
mod query;
mod results;
mod single;
mod step;
#[cfg(test)]
mod tests;
mod tokens;
mod values;
mod walk;

pub(crate) use pass::skip;
pub use query::{Duplicates, Order, Query, QueryOptions};
pub use results::{Answer, Match};
pub use single::{Outcome, Selector};

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its first byte, from the start of the input.
    pub start: u64,
    /// The first byte that is not part of it; white space may stand before that.
    pub end: u64,
    /// A key on the way stands more than once in its object, and this is what the last of them leads to.
    pub duplicate: bool,
}

/// Where a path stopped, and at what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// How many steps could be taken.
    pub steps: usize,
    /// The first byte of the value from which the next step leads nowhere.
    pub start: u64,
    /// The first byte behind it.
    pub end: u64,
    /// What that value is.
    pub kind: Kind,
    /// How many elements it has, when it is an array and an index was asked for.
    pub length: Option<u64>,
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number.
    Number,
    /// `true` or `false`
    Boolean,
    /// `null`
    Null,
}

impl Kind {
    /// By the first byte of a value.
    ///
    /// ```
    /// assert_eq!(jsonx_core::Kind::of(b'-'), jsonx_core::Kind::Number);
    /// ```
    pub fn of(first: u8) -> Kind {
        match first {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::String,
            b't' | b'f' => Kind::Boolean,
            b'n' => Kind::Null,
            _ => Kind::Number,
        }
    }
}
