//! Values with their span in the text.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

use serde_core::de::value::U64Deserializer;
use serde_core::de::{self, Deserialize, DeserializeSeed, IntoDeserializer};
use serde_core::ser::{self, Serialize};

use super::error::without_text;
use super::read::Deserializer;
use crate::error::Error;

pub(super) use super::data_model::SPANNED as NAME;

/// A value with its span in the text, for errors about its meaning.
///
/// Only the functions of this crate read it, such as [`from_slice`](crate::from_slice), and not in flattened, untagged or
/// internally tagged types: `serde` buffers those without spans, which the error explains. It is serialized as its value.
///
/// ```
/// use jsonx_core::Spanned;
///
/// let text = r#"{"port": 80800}"#;
/// let config: std::collections::HashMap<&str, Spanned<u32>> = jsonx_core::from_str(text)?;
/// let port = &config["port"];
/// assert_eq!((port.value, &text[port.span()]), (80800, "80800"));
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    start: u64,
    end: u64,
}

impl<T> Spanned<T> {
    /// The span of the value, in bytes from the start of the text.
    ///
    /// ```
    /// let flag: jsonx_core::Spanned<bool> = jsonx_core::from_str("  true ")?;
    /// assert_eq!(flag.span(), 2..6);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// An error about the value, with its position.
    ///
    /// ```
    /// use jsonx_core::Spanned;
    ///
    /// let text = r#"{"min": 5, "max": 3}"#;
    /// let limits: std::collections::HashMap<&str, Spanned<u32>> = jsonx_core::from_str(text)?;
    /// let error = limits["max"].error("expected no less than the minimum");
    /// assert_eq!(format!("{:#}", error.in_text(text.as_bytes())), "\
    /// error: expected no less than the minimum
    ///  --> 1:19
    ///   |
    /// 1 | {\"min\": 5, \"max\": 3}
    ///   |                   ^
    /// ");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn error(&self, message: impl fmt::Display) -> Error {
        Error::data(message).at_offset(self.start)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SpannedVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for SpannedVisitor<T> {
            type Value = Spanned<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            /// Called by our deserializer: the start, the value and the end.
            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Spanned<T>, A::Error> {
                match (
                    seq.next_element()?,
                    seq.next_element()?,
                    seq.next_element()?,
                ) {
                    (Some(start), Some(value), Some(end)) => Ok(Spanned { value, start, end }),
                    _ => Err(without_text("Spanned")),
                }
            }

            /// Called by other deserializers.
            fn visit_newtype_struct<D: de::Deserializer<'de>>(
                self,
                _: D,
            ) -> Result<Spanned<T>, D::Error> {
                Err(without_text("Spanned"))
            }
        }

        deserializer.deserialize_newtype_struct(NAME, SpannedVisitor(PhantomData))
    }
}

impl<T: Serialize> Serialize for Spanned<T> {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// The next value of a reader, as the fields of a [`Spanned`].
pub(super) struct Parts<'a, 'de> {
    reader: &'a mut Deserializer<'de>,
    field: usize,
    end: u64,
}

impl<'a, 'de> Parts<'a, 'de> {
    pub(super) fn new(reader: &'a mut Deserializer<'de>) -> Self {
        Parts {
            reader,
            field: 0,
            end: 0,
        }
    }
}

impl<'de> de::SeqAccess<'de> for Parts<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let number = |value: u64| -> U64Deserializer<Error> { value.into_deserializer() };
        self.field += 1;
        let value = match self.field {
            1 => {
                let start = self.reader.tokens.peek()?.at;
                seed.deserialize(number(self.reader.tokens.absolute(start)))
            }
            2 => {
                let value = seed.deserialize(&mut *self.reader)?;
                let tokens = &self.reader.tokens;
                self.end = tokens.absolute(tokens.consumed());
                Ok(value)
            }
            3 => seed.deserialize(number(self.end)),
            _ => return Ok(None),
        };
        value.map(Some)
    }
}
