//! Checks JSON Lines: one value per line, each line a JSON text.
//!
//! - [`LineValidator`] stops at the first invalid line, window by window, for commands that print while they read.
//! - [`Records`] finds all invalid lines in a segment of an input, for `validate`; [`file`] checks several segments of
//!   one file in parallel.
//! - [`each_batch`] reads an input for commands that continue after an invalid record; [`are_lines`] and [`divide`] tell broken
//!   records from values that span lines.

mod batch;
pub mod file;
mod guess;
mod live;
mod records;

pub use batch::{Batch, Batching, Consumer, Early, each_batch};
use guess::may_be_lines;
pub use guess::{
    EXAMINED, Examined, Rest, Run, are_lines, begins_with_lines, divide, filled_lines,
};
pub use live::LineValidator;
pub use records::{Evidence, LineFindings, LineStart, Records, Search, each_line, line_feeds};
