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
mod descents;
mod elements;
mod filter;
mod keys;
mod locations;
mod pass;
mod pending;
mod plan;
mod program;
mod query;
mod results;
#[cfg(test)]
mod singular;
mod step;
#[cfg(test)]
mod tests;
mod tokens;
mod values;
mod walk;

use crate::token::Kind;
pub(crate) use pass::skip;
pub use query::{Duplicates, Order, Query, QueryOptions};
pub use results::{Answer, Match};

/// Where a path stopped, and at what.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::{Answer, Kind, Missing, Options, Query, QueryOptions, Validator};
///
/// let stops = |path: &str| {
///     let text = br#"{"a": [1, 2]}"#;
///     let mut query = Query::new(&[Path::parse(path).unwrap()], QueryOptions::default());
///     Validator::new(Options::default()).check(text, &mut query).unwrap();
///     query.end();
///     match query.answers().next() {
///         Some(Answer::Missing { missing, .. }) => missing,
///         _ => unreachable!("{path} leads somewhere"),
///     }
/// };
/// // `.a` is there, and its array is at the bytes 6 to 11.
/// let array = Missing { steps: 1, start: 6, end: 12, kind: Kind::Array, length: None };
/// assert_eq!(stops(".a.b"), array);
/// assert_eq!(stops(".a[2].b"), Missing { length: Some(2), ..array });
/// assert_eq!(stops(".x.y.z"), Missing { steps: 0, start: 0, end: 13, kind: Kind::Object, length: None });
/// ```
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
