//! The filter for a whole text in memory.

use super::Dialect;
use super::filter::Filter;
use crate::kernel::Kernel;
use crate::syntax::{ErrorKind, SyntaxError};

/// Overwrites the comments and trailing commas of a text with spaces, in place. If the text was valid, the result is JSON with
/// every value at its old offset.
///
/// Takes one pass, and memory only for the positions of trailing commas, 16 bytes each. Comments are checked; the rest of the
/// text is not.
///
/// # Errors
///
/// A slash that does not begin a comment, a comment that is not UTF-8 or never ends. The text is overwritten up to the error.
///
/// ```
/// use jsonx_core::jsonc::{Dialect, blank};
///
/// let mut text = b"[1, // one\n 2,]".to_vec();
/// blank(&mut text, Dialect::Jsonc)?;
/// assert_eq!(text, b"[1,       \n 2 ]");
///
/// let error = blank(&mut b"[1, /* one".to_vec(), Dialect::Jsonc).unwrap_err();
/// assert_eq!(error.offset, 10);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn blank(text: &mut [u8], dialect: Dialect) -> Result<(), SyntaxError> {
    if !dialect.allows_comments() {
        return Ok(());
    }
    let mut filter = Filter::new(dialect.allows_trailing_commas());
    let kernel = Kernel::for_text(text.len());
    let error = |kind, at: usize| SyntaxError {
        kind,
        offset: at as u64,
    };
    let filtered = filter.run(kernel, text, 0, &mut Vec::new());
    filtered.map_err(|(kind, at)| error(kind, at))?;
    if filter.may_end() {
        Ok(())
    } else {
        Err(error(ErrorKind::UnexpectedEnd, text.len()))
    }
}
