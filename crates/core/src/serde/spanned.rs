//! Values with their place in the text.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

use serde_core::de::value::U64Deserializer;
use serde_core::de::{self, Deserialize, DeserializeSeed, Error as _, IntoDeserializer};
use serde_core::ser::{self, Serialize};

use super::read::Deserializer;
use crate::error::Error;

/// The name of the type, by which the reader knows it.
pub(super) const NAME: &str = "$jsonx_core::Spanned";
pub(super) static FIELDS: [&str; 3] = ["start", "value", "end"];

/// A value with its place in the text, for messages about what it means.
///
/// Only [`from_slice`](crate::from_slice) and its relatives read it; it is written as its value.
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
    /// Where the value is, in bytes from the start of the text.
    ///
    /// ```
    /// let flag: jsonx_core::Spanned<bool> = jsonx_core::from_str("  true ")?;
    /// assert_eq!(flag.span(), 2..6);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// An error in what the value means, at its place.
    ///
    /// ```
    /// use jsonx_core::Spanned;
    ///
    /// let text = r#"{"min": 5, "max": 3}"#;
    /// let limits: std::collections::HashMap<&str, Spanned<u32>> = jsonx_core::from_str(text)?;
    /// let error = limits["max"].error("expected no less than the minimum");
    /// assert_eq!(error.render(text.as_bytes()), "\
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
                f.write_str("a value of jsonx_core")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Spanned<T>, A::Error> {
                let (mut start, mut value, mut end) = (None, None, None);
                while let Some(key) = map.next_key::<&str>()? {
                    match key {
                        "start" => start = Some(map.next_value()?),
                        "value" => value = Some(map.next_value()?),
                        _ => end = Some(map.next_value()?),
                    }
                }
                match (start, value, end) {
                    (Some(start), Some(value), Some(end)) => Ok(Spanned { value, start, end }),
                    _ => Err(A::Error::custom("a span is read by jsonx_core only")),
                }
            }
        }

        deserializer.deserialize_struct(NAME, &FIELDS, SpannedVisitor(PhantomData))
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

impl<'de> de::MapAccess<'de> for Parts<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(&name) = FIELDS.get(self.field) else {
            return Ok(None);
        };
        self.field += 1;
        let key: de::value::BorrowedStrDeserializer<'de, Error> =
            de::value::BorrowedStrDeserializer::new(name);
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let number = |value: u64| -> U64Deserializer<Error> { value.into_deserializer() };
        match self.field {
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
            _ => seed.deserialize(number(self.end)),
        }
    }
}
