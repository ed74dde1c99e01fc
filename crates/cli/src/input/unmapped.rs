//! In place of `map.rs`, where nobody has looked at what a mapped file does when somebody else cuts it: nothing is mapped.

use std::fs::File;
use std::io;

use super::{Taken, Window};

/// How [`each_window`] ended.
pub enum Ended {
    /// Every byte was handed out: not here.
    #[expect(dead_code, reason = "the mapping of other systems ends so")]
    AtTheEnd,
    /// The system would not map the file here; nothing from this offset on was taken.
    Unmappable(u64),
}

/// Hands out nothing.
///
/// # Errors
/// None.
pub fn each_window<E: From<io::Error>>(
    _: &File,
    _: u64,
    from: u64,
    _: u64,
    _: &mut bool,
    _: &mut impl FnMut(&Window<'_>) -> Result<Taken, E>,
) -> Result<Ended, E> {
    Ok(Ended::Unmappable(from))
}
