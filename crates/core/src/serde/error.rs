//! Errors from types and `serde`.

use core::cell::Cell;
use core::fmt;

use serde_core::{de, ser};

use crate::error::Error;

impl de::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        let message = message.to_string();
        match message.starts_with(NO_VARIANT).then(|| WITHOUT_TEXT.take()) {
            Some(Some(name)) => Error::data(format_args!("{message}: {}", WithoutText(name))),
            _ => Error::data(message),
        }
    }

    #[cold]
    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Error::data(format_args!("expected {expected}, found {}", Found(found)))
    }

    #[cold]
    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Error::data(format_args!("expected {expected}, found {}", Found(found)))
    }
}

/// The prefix of `serde`'s error for an untagged type; it discards the errors of the variants.
const NO_VARIANT: &str = "data did not match any variant";

thread_local! {
    /// The last type that was read from a buffer of `serde`.
    static WITHOUT_TEXT: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// The error of a type that is not read from JSON text.
#[cold]
pub(super) fn without_text<E: de::Error>(name: &'static str) -> E {
    WITHOUT_TEXT.set(Some(name));
    E::custom(WithoutText(name))
}

/// Forgets types read from a buffer in an earlier text.
#[inline]
pub(super) fn begin_text() {
    WITHOUT_TEXT.set(None);
}

struct WithoutText(&'static str);

impl fmt::Display for WithoutText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0;
        write!(
            f,
            "`{name}` is read from JSON text by jsonx_core only, and not in flattened, untagged or internally tagged types, which serde buffers; a type such as serde_json::Value can be read there"
        )
    }
}

/// The unexpected value, in JSON terms.
struct Found<'a>(de::Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            de::Unexpected::Unit | de::Unexpected::Option => f.write_str("null"),
            de::Unexpected::Seq => f.write_str("an array"),
            de::Unexpected::Map => f.write_str("an object"),
            de::Unexpected::Bool(value) => write!(f, "{value}"),
            de::Unexpected::Unsigned(value) => write!(f, "{value}"),
            de::Unexpected::Signed(value) => write!(f, "{value}"),
            de::Unexpected::Float(value) => write!(f, "{value:?}"),
            other => other.fmt(f),
        }
    }
}

impl ser::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::data(message)
    }
}
