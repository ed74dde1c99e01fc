//! The options of a validator.

use crate::jsonc::Dialect;
use crate::kernel::Kernel;
use crate::token::Mode;

/// Options of a check.
///
/// ```
/// use jsonx_core::engine::{Kernel, Mode, Options, validate_with};
///
/// let options = Options::default().mode(Mode::Stream).max_depth(100).kernel(Kernel::swar());
/// assert_eq!(validate_with(b"1 2", options), Ok(()));
/// ```
#[derive(Clone, Copy, Debug)]
// Fields that the program reads are hidden: options are set by methods.
pub struct Options {
    #[doc(hidden)]
    pub mode: Mode,
    pub(crate) max_depth: u64,
    /// `None` selects the fastest kernel for this CPU.
    pub(crate) kernel: Option<Kernel>,
    #[doc(hidden)]
    pub dialect: Dialect,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            mode: Mode::One,
            max_depth: u64::MAX,
            kernel: None,
            dialect: Dialect::Json,
        }
    }
}

impl Options {
    /// Sets how many values the text holds: one, the default, or any number.
    ///
    /// ```
    /// use jsonx_core::engine::{Mode, Options, validate_with};
    ///
    /// let stream = Options::default().mode(Mode::Stream);
    /// assert!(validate_with(b"{}[1]\"a\"2\n3", stream).is_ok());
    /// assert_eq!(validate_with(b"null true", stream), Ok(()));
    /// assert_eq!(validate_with(b"nulltrue", stream).unwrap_err().offset, 4);
    /// // An empty input is a valid stream, but not a JSON text.
    /// assert!(validate_with(b"", stream).is_ok());
    /// assert!(validate_with(b"", Options::default()).is_err());
    /// ```
    #[must_use]
    pub fn mode(self, mode: Mode) -> Self {
        Options { mode, ..self }
    }

    /// Sets the maximum nesting depth. `u64::MAX`, the default, means no limit.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, validate_with};
    /// use jsonx_core::ErrorKind;
    ///
    /// let error = validate_with(b"[[[]]]", Options::default().max_depth(2)).unwrap_err();
    /// assert_eq!((error.kind, error.offset), (ErrorKind::TooDeep, 2));
    /// ```
    #[must_use]
    pub fn max_depth(self, max_depth: u64) -> Self {
        Options { max_depth, ..self }
    }

    /// Sets the SIMD kernel; the verdict does not depend on it. The default is the fastest one for this CPU, detected once a
    /// text is long enough to benefit.
    ///
    /// ```
    /// use jsonx_core::engine::{Kernel, Options, validate_with};
    ///
    /// for kernel in Kernel::available() {
    ///     let options = Options::default().kernel(kernel);
    ///     assert_eq!(validate_with(b"[1, 2,, 3]", options).unwrap_err().offset, 6);
    /// }
    /// ```
    #[must_use]
    pub fn kernel(self, kernel: Kernel) -> Self {
        Options {
            kernel: Some(kernel),
            ..self
        }
    }

    /// Sets whether comments and trailing commas are allowed. [`Dialect::Json`], the default, allows neither. A sink receives strict JSON in every dialect: comments and trailing commas are blanked, and
    /// [`Chunk::source`](crate::engine::Chunk::source) is the original text.
    ///
    /// Dialects with comments cost one extra pass over the text and a copy of a few KiB at a time.
    ///
    /// ```
    /// use jsonx_core::jsonc::Dialect;
    /// use jsonx_core::engine::{Options, validate_with};
    ///
    /// let jsonc = Options::default().dialect(Dialect::Jsonc);
    /// assert!(validate_with(b"[1, 2,] // both", jsonc).is_ok());
    /// assert_eq!(validate_with(b"[1, /* 2, ]", jsonc).unwrap_err().offset, 11);
    /// ```
    #[must_use]
    pub fn dialect(self, dialect: Dialect) -> Self {
        Options { dialect, ..self }
    }
}
