//! Values as their text.

use core::fmt;
use std::cell::Cell;

use serde_core::de::{self, Deserialize, Deserializer, Visitor};
use serde_core::ser::{self, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::error::without_text;
use crate::error::Error;
use crate::{Document, Kind, Node};

pub(super) use super::data_model::{RAW as NAME, SERDE_JSON, SERDE_JSON_RAW};

/// A value as its text, byte for byte: it is not decoded, and a number keeps all its digits. It borrows the text; [`OwnedRaw`]
/// owns it.
///
/// Only the functions of this crate read it, such as [`from_slice`](crate::from_slice), and not in flattened, untagged or
/// internally tagged types: `serde` buffers those without the text, which the error explains. [`to_vec`](crate::to_vec) and the
/// other functions of this crate write it byte for byte, writers of other crates its value, nested up to 128 levels.
///
/// ```
/// use jsonx_core::Raw;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize, Serialize)]
/// struct Order<'a> {
///     #[serde(borrow)]
///     price: Raw<'a>,
/// }
///
/// let order: Order = jsonx_core::from_str(r#"{"price": 12345678901234567890.10}"#)?;
/// assert_eq!(order.price.as_str(), "12345678901234567890.10");
/// assert_eq!(jsonx_core::to_string(&order)?, r#"{"price":12345678901234567890.10}"#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// A value from its text.
    ///
    /// # Errors
    ///
    /// The text is not JSON.
    ///
    /// ```
    /// use jsonx_core::Raw;
    ///
    /// assert_eq!(Raw::new(" [1, 2]")?.as_str(), "[1, 2]");
    /// assert!(Raw::new("[1").is_err());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn new(text: &'a str) -> Result<Self, Error> {
        crate::from_str(text)
    }

    /// Its text, without white space around it.
    ///
    /// ```
    /// let raw: jsonx_core::Raw = jsonx_core::from_str(" 1.50 ")?;
    /// assert_eq!(raw.as_str(), "1.50");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn as_str(&self) -> &'a str {
        self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RawVisitor;

        impl<'de> Visitor<'de> for RawVisitor {
            type Value = Raw<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Raw<'de>, E> {
                Ok(Raw(text))
            }

            // A value with comments arrives as a copy without them, which cannot be borrowed.
            fn visit_str<E: de::Error>(self, _: &str) -> Result<Raw<'de>, E> {
                Err(E::custom(
                    "a value with comments cannot be borrowed as `Raw`, only read as `OwnedRaw`",
                ))
            }

            /// Called by other deserializers.
            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                _: D,
            ) -> Result<Raw<'de>, D::Error> {
                Err(without_text("Raw"))
            }
        }

        deserializer.deserialize_newtype_struct(NAME, RawVisitor)
    }
}

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(NAME, &Content(self.0))
    }
}

thread_local! {
    /// Whether a writer of this crate has asked for the text of a value.
    static ASKED_FOR_TEXT: Cell<bool> = const { Cell::new(false) };
}

/// Passes the text of the content of a newtype struct with this [`NAME`] to a serializer.
pub(super) fn serialize_text<T: Serialize + ?Sized, S: Serializer>(
    content: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    ASKED_FOR_TEXT.set(true);
    let result = content.serialize(serializer);
    ASKED_FOR_TEXT.set(false);
    result
}

/// The text of a value: serialized as a string if a writer of this crate asks, as the value otherwise.
pub(super) struct Content<'a>(pub &'a str);

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if ASKED_FOR_TEXT.replace(false) {
            return serializer.serialize_str(self.0);
        }
        let document = Document::parse(self.0.as_bytes()).map_err(ser::Error::custom)?;
        let root = document.root();
        Nested {
            node: root,
            depth: 0,
        }
        .serialize(serializer)
    }
}

/// The maximum nesting of a value that another writer serializes, which recurses.
const MAX_DEPTH: usize = 128;

/// A value in so many others.
struct Nested<'d> {
    node: Node<'d, 'd>,
    depth: usize,
}

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Nested { node, depth } = *self;
        if depth > MAX_DEPTH {
            return Err(ser::Error::custom("the value is nested too deep"));
        }
        let inner = |node| Nested {
            node,
            depth: depth + 1,
        };
        match node.kind() {
            Kind::Null => serializer.serialize_unit(),
            Kind::Boolean => serializer.serialize_bool(node.as_bool() == Some(true)),
            Kind::String => serializer.serialize_str(&node.as_str().unwrap_or_default()),
            Kind::Number => match (node.as_u64(), node.as_i64(), node.as_f64()) {
                (Some(value), ..) => serializer.serialize_u64(value),
                (_, Some(value), _) => serializer.serialize_i64(value),
                (.., Some(value)) => serializer.serialize_f64(value),
                _ => Err(ser::Error::custom("the number is out of range")),
            },
            Kind::Array => {
                let mut elements = serializer.serialize_seq(None)?;
                node.elements()
                    .try_for_each(|child| elements.serialize_element(&inner(child)))?;
                elements.end()
            }
            Kind::Object => {
                let mut members = serializer.serialize_map(None)?;
                node.members().try_for_each(|(key, child)| {
                    members.serialize_entry(&key.as_str().unwrap_or_default(), &inner(child))
                })?;
                members.end()
            }
        }
    }
}

/// A [`Raw`] that owns its text, so that [`from_reader`](crate::from_reader), [`lines`](crate::lines()) and
/// [`elements`](crate::elements) can read it.
///
/// ```
/// use jsonx_core::OwnedRaw;
///
/// let lines = jsonx_core::lines::<OwnedRaw, _>(&b"{\"id\": 1.50}\n[2]\n"[..]); // Any std::io::BufRead.
/// let texts: Vec<String> = lines.map(|raw| Ok(raw?.into_string())).collect::<Result<_, jsonx_core::Error>>()?;
/// assert_eq!(texts, ["{\"id\": 1.50}", "[2]"]);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OwnedRaw(Box<str>);

impl OwnedRaw {
    /// A value from its text.
    ///
    /// # Errors
    ///
    /// The text is not JSON.
    ///
    /// ```
    /// use jsonx_core::OwnedRaw;
    ///
    /// assert_eq!(OwnedRaw::new(" [1, 2]")?.as_str(), "[1, 2]");
    /// assert!(OwnedRaw::new("[1").is_err());
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn new(text: &str) -> Result<Self, Error> {
        crate::from_str(text)
    }

    /// Its text, without white space around it.
    ///
    /// ```
    /// let raw: jsonx_core::OwnedRaw = jsonx_core::from_str(" 1.50 ")?;
    /// assert_eq!(raw.as_str(), "1.50");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its text.
    ///
    /// ```
    /// assert_eq!(jsonx_core::OwnedRaw::new("[1]")?.into_string(), "[1]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn into_string(self) -> String {
        self.0.into()
    }
}

/// Copies the text.
impl From<Raw<'_>> for OwnedRaw {
    fn from(raw: Raw<'_>) -> Self {
        OwnedRaw(raw.0.into())
    }
}

/// Reads a text that is owned, for a type of this name.
pub(super) fn owned_text<'de, D: Deserializer<'de>>(
    deserializer: D,
    name: &'static str,
) -> Result<OwnedRaw, D::Error> {
    struct OwnedTextVisitor(&'static str);

    impl<'de> Visitor<'de> for OwnedTextVisitor {
        type Value = OwnedRaw;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any value")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<OwnedRaw, E> {
            Ok(OwnedRaw(text.into()))
        }

        /// Called by other deserializers.
        fn visit_newtype_struct<D: Deserializer<'de>>(self, _: D) -> Result<OwnedRaw, D::Error> {
            Err(without_text(self.0))
        }
    }

    deserializer.deserialize_newtype_struct(NAME, OwnedTextVisitor(name))
}

impl<'de> Deserialize<'de> for OwnedRaw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        owned_text(deserializer, "OwnedRaw")
    }
}

impl Serialize for OwnedRaw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Raw(&self.0).serialize(serializer)
    }
}
