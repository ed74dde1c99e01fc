//! The verdict on a text that is in memory.

use core::cell::Cell;
use core::convert::Infallible;

use super::{Options, Validator};
use crate::kernel::Bytes;
use crate::scan::Streams;
use crate::syntax::SyntaxError;
use crate::token::consume::catch;
use crate::token::{Stop, Verdict};

thread_local! {
    /// The buffers of the last check, no longer than a chunk, so that the next one of this thread allocates nothing.
    static SPARE: Cell<(Option<Streams>, Vec<Bytes>)> = const { Cell::new((None, Vec::new())) };
}

/// Checks that `bytes` are one JSON text: RFC 8259, and UTF-8.
///
/// # Errors
///
/// What is wrong at the first byte at which the text is no longer the beginning of any valid one.
///
/// ```
/// assert!(jsonx_core::validate(br#"{"a": [1, null]}"#).is_ok());
/// assert_eq!(jsonx_core::validate(b"[1, nul]").unwrap_err().offset, 7);
/// ```
pub fn validate(bytes: &[u8]) -> Result<(), SyntaxError> {
    validate_with(bytes, Options::default())
}

/// As [`validate`], with other options.
///
/// # Errors
///
/// As for [`validate`].
///
/// ```
/// use jsonx_core::{Mode, Options, validate_with};
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
