//! Checks JSON Lines: one value per line, each line a JSON text.
//!
//! - [`LineValidator`] stops at the first invalid line, window by window, for commands that print while they read.
//! - [`Records`] finds all invalid lines in a segment of an input, for `validate`.
//! - [`each_batch`] reads an input for commands that continue after an invalid record; [`are_lines`] and [`divide`] tell broken
//!   records from values that span lines.

mod batch;
mod driver;
mod guess;
mod handler;
mod line;
mod live;
mod records;
mod values;

#[cfg(feature = "jq")]
pub use batch::whole_values;
pub use batch::{Batch, Early, query_of_roots, roots};
pub use driver::each_batch;
pub use guess::{EXAMINED, Examined, are_lines, begins_with_lines, may_be_lines};
use guess::{Rest, Run, divide, stream_error};
pub use handler::{Batching, Collector, Flow, Handler};
use line::filled_lines;
pub use line::{each_line, line_breaks, line_feeds};
pub use live::LineValidator;
pub use records::{Counts, Evidence, LineFindings, LineStart, More, Noted, Records, Search};
#[cfg(feature = "jq")]
pub use values::Values;
