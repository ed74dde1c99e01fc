//! Code shared by the targets: text in windows, as from a pipe, or in segments, as for several threads, and the oracles.

pub mod oracle;
#[path = "../../crates/core/src/window/in_segments.rs"]
mod segments;

use jsonx_core::engine::{self, Mode, Options, SegmentedSink, Sink, Stop, Validator};
use jsonx_core::path::Path;

/// One value, and any number of them.
pub const MODES: [Mode; 2] = [Mode::One, Mode::Stream];

/// Passes `text` to `sink` in windows of `size` bytes, at least 64; `usize::MAX` for all at once.
///
/// # Errors
///
/// Errors of [`Validator::feed`] and [`Validator::finish`].
///
/// ```
/// use jsonx_core::engine::{Options, Verdict};
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

/// Paths, one per line, and after an empty line the document. Lines that are not paths are skipped.
///
/// ```
/// let (paths, text) = jsonx_fuzz::paths_and_text(b"$.a\n..b\n\n{}").unwrap();
/// assert_eq!((paths.len(), text), (2, &b"{}"[..]));
/// assert!(jsonx_fuzz::paths_and_text(b"$.a").is_none());
/// ```
#[must_use]
pub fn paths_and_text(input: &[u8]) -> Option<(Vec<Path>, &[u8])> {
    let between = input.windows(2).position(|two| two == b"\n\n")?;
    let (paths, text) = (&input[..between], &input[between + 2..]);
    let paths = paths.split(|&byte| byte == b'\n');
    let paths = paths.filter_map(|path| Path::parse(path).ok()).collect();
    Some((paths, text))
}

/// Passes a valid text to a sink in segments of `size` bytes. The work for each is decided `lag` segments ahead, as on
/// several threads. Also returns the number of consumed segments.
///
/// ```
/// use jsonx_core::engine::{Options, Verdict};
///
/// let (_, taken) = jsonx_fuzz::in_segments(b"[1, 2]", Verdict, Options::default(), 64, 0);
/// assert_eq!(taken, 1);
/// ```
pub fn in_segments<S>(text: &[u8], sink: S, options: Options, size: usize, lag: usize) -> (S, usize)
where
    S: SegmentedSink<Segment: Clone, Error: std::fmt::Debug> + Clone,
{
    segments::in_segments(text, sink, options, size, lag)
}
