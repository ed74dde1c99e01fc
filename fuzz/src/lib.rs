//! What the targets share: text that comes in windows, as it does from a pipe, and what they compare with.

pub mod oracle;
pub mod reference;

use jsonx_core::{Mode, Options, Sink, Stop, Validator};

/// One value, and any number of them.
pub const MODES: [Mode; 2] = [Mode::One, Mode::Stream];

/// Hands `text` to `sink` in windows of `size` bytes, at least 64; `usize::MAX` is all at once.
///
/// # Errors
///
/// Those of [`Validator::feed`] and [`Validator::finish`].
///
/// ```
/// use jsonx_core::{Options, Verdict};
///
/// assert!(jsonx_fuzz::in_windows(b"[1, 2]", Options::default(), 64, &mut Verdict).is_ok());
/// assert!(jsonx_fuzz::in_windows(b"[1, 2", Options::default(), 64, &mut Verdict).is_err());
/// ```
pub fn in_windows<S: Sink>(
    text: &[u8],
    options: Options,
    size: usize,
    sink: &mut S,
) -> Result<(), Stop<S::Error>> {
    let mut validator = Validator::new(options);
    for window in text.chunks(size) {
        validator.write(window, sink)?;
    }
    validator.finish(sink)
}
