//! Floats that JSON cannot represent.

/// The treatment of floats that JSON cannot represent: infinity and NaN.
///
/// ```
/// use jsonx_core::WriteOptions;
/// use jsonx_core::number::NonFinite;
///
/// let error = WriteOptions::default().non_finite(NonFinite::Error);
/// assert!(error.to_string(&f64::INFINITY).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NonFinite {
    /// An error.
    Error,
    /// `null`, as in JavaScript and `serde_json`: the default for writing types.
    Null,
}
