//! Errors that types and `serde` make.

use core::fmt;

use serde_core::{de, ser};

use crate::error::Error;

impl de::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::data(message)
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

/// What was found, in the words of JSON.
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
