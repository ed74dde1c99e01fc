//! Path lookup: any number of paths of any kind, evaluated in one pass over verified tokens.
//!
//! ```text
//! paths ──► program ──► states ──┐
//!                                ▼
//! tokens ──► tokens.rs ────► walk.rs ────► results ──► Answer
//!            skips tokens    threads       held until complete, decided and in order
//!            that no state   per value
//!            needs             │ ▲
//!            (key_scan,        ▼ │ decided at the end of the value
//!            plan, keys)     conditions ◄── filter, values
//! ```
//!
//! - `program`: compiles segments to numbered states, and filters to tests over slots that their queries fill;
//! - `tokens`: steps from token to token; `key_scan`: searches 64 tokens at a time for keys; `open_containers`: the location
//!   of that search; `positions`: offsets of single tokens;
//! - `tree`, `record`: paths of keys in objects that do not cross a chunk boundary, without a walk;
//! - `walk`: begins and ends values and tracks the states active in them; `step`: computes the states of a child;
//!   `thread`, `descents`, `frame`: active states, those of descendant segments, and open values;
//! - `conditions`: undecided steps that a match depends on; `pending`, `elements`: indices from the end, keys that may
//!   be repeated; `pending_filters`, `candidate`, `filter`, `values`: filters;
//! - `texts`: text of the values that filters compare; `children`: numbers of members;
//! - `results`: holds matches until they can be returned;
//! - `document`: the matches of a path as values of a document;
//! - `segment`: queries over segments of a text on several threads; `join`: merges their results.

mod candidate;
mod children;
mod conditions;
mod descents;
mod document;
mod elements;
mod filter;
mod frame;
mod join;
mod key_scan;
mod keys;
mod locations;
mod open_containers;
mod options;
mod pending;
mod pending_filters;
mod plan;
mod positions;
mod program;
mod query;
mod record;
mod results;
mod segment;
mod step;
#[cfg(test)]
mod tests;
mod texts;
mod thread;
mod tokens;
mod tree;
mod values;
mod walk;

use crate::token::Kind;
pub use options::{Duplicates, Order, QueryOptions};
pub use query::Query;
pub use results::{Answer, Match};
pub use segment::QuerySegment;

/// The value at which a path without a match stopped.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::query::{Answer, Missing, Query, QueryOptions};
/// use jsonx_core::Kind;
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
/// // `.a` exists, and its array spans the bytes 6 to 11.
/// let array = Missing { steps: 1, start: 6, end: 12, kind: Kind::Array, length: None };
/// assert_eq!(stops(".a.b"), array);
/// assert_eq!(stops(".a[2].b"), Missing { length: Some(2), ..array });
/// assert_eq!(stops(".x.y.z"), Missing { steps: 0, start: 0, end: 13, kind: Kind::Object, length: None });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Number of steps that matched.
    pub steps: usize,
    /// Offset of the first byte of the value in which the next step has no match.
    pub start: u64,
    /// Offset of the byte after that value.
    pub end: u64,
    /// Kind of that value.
    pub kind: Kind,
    /// Number of its elements, if it is an array and the next step is an index.
    pub length: Option<u64>,
}
