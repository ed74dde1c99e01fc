//! Checks JSON Lines: one value per line, each line a JSON text.
//!
//! - [`Live`] stops at the first invalid line, window by window, for commands that print while they read.
//! - [`Records`] finds all invalid lines in a segment of an input, for `validate`; [`file`] checks several segments of
//!   one file in parallel.
//! - [`each_batch`] reads an input for commands that continue after an invalid record; [`are_lines`] and [`spans_lines`] tell
//!   whether values are one per line. While a pipe comes fast, [`each_block`] has several threads work on its lines.

mod batch;
pub mod file;
mod guess;
mod live;
mod records;

pub use batch::{Batch, Batching, Consumer, Early, each_batch, each_block};
use guess::begins_with_lines;
pub use guess::{EXAMINED, are_lines, filled_lines, spans_lines};
pub use live::Live;
pub use records::{Evidence, Found, LineStart, Records, Search};
