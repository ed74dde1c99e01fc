//! Validates a text in memory.

use core::cell::Cell;
use core::convert::Infallible;

use super::{Options, Validator};
use crate::kernel::Bytes;
use crate::scan::Streams;
use crate::syntax::SyntaxError;
use crate::token::consume::catch;
use crate::token::{Stop, Verdict};

thread_local! {
    /// Buffers of the last check on this thread, at most a chunk long, so that the next check allocates nothing.
    static SPARE: Cell<(Option<Streams>, Vec<Bytes>)> = const { Cell::new((None, Vec::new())) };
}

/// Checks that `bytes` are one JSON text (RFC 8259) in UTF-8.
///
/// # Errors
///
/// The error at the first byte at which the text stops being a prefix of any valid text.
///
/// ```
/// assert!(jsonx_core::validate(br#"{"a": [1, null]}"#).is_ok());
/// assert_eq!(jsonx_core::validate(b"[1, nul]").unwrap_err().offset, 7);
/// ```
pub fn validate(bytes: &[u8]) -> Result<(), SyntaxError> {
    validate_with(bytes, Options::default())
}

/// Like [`validate`], with other options.
///
/// # Errors
///
/// As for [`validate`].
///
/// ```
/// use jsonx_core::engine::{Mode, Options, validate_with};
///
/// assert!(validate_with(b"1 2 3", Options::default().mode(Mode::Stream)).is_ok());
/// assert!(validate_with(b"[[[]]]", Options::default().max_depth(2)).is_err());
/// ```
pub fn validate_with(bytes: &[u8], options: Options) -> Result<(), SyntaxError> {
    let mut validator = Validator::new(options);
    (validator.streams, validator.padded) = SPARE.take();
    let checked = catch(&mut Verdict, |consumer| validator.complete(bytes, consumer));
    SPARE.set((validator.streams, validator.padded));
    checked.map_err(|stop: Stop<Infallible>| match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    })
}
