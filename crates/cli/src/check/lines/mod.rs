//! JSON Lines: one value on each line, each line a text of its own.
//!
//! - [`Live`] finds the first line that is wrong, window by window, for commands that print while they read;
//! - [`Records`] finds all of them in any part of an input, for `validate`; [`file`] has several parts of one file
//!   looked at at once.

pub mod file;
mod live;
mod records;

pub use live::Live;
pub use records::{Evidence, Found, Place, Records, Search};
