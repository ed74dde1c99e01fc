//! Checks JSON Lines: one value per line, each line a JSON text.
//!
//! - [`Live`] stops at the first invalid line, window by window, for commands that print while they read.
//! - [`Records`] finds all invalid lines in a segment of an input, for `validate`; [`file`] checks several segments of
//!   one file in parallel.
//! - [`WholeLines`] cuts windows into batches, for commands that go on after an invalid record.

mod batch;
pub mod file;
mod live;
mod records;

pub use batch::{EXAMINED, WholeLines, are_lines, begins_with_lines, filled_lines, spans_lines};
pub use live::Live;
pub use records::{Evidence, Found, Place, Records, Search};
