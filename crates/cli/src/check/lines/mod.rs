//! Checks JSON Lines: one value per line, each line a JSON text.
//!
//! - [`Live`] stops at the first invalid line, window by window, for commands that print while they read.
//! - [`Records`] finds all invalid lines in a segment of an input, for `validate`; [`file`] checks several segments of
//!   one file in parallel.

pub mod file;
mod live;
mod records;

pub use live::Live;
pub use records::{Evidence, Found, Place, Records, Search};
