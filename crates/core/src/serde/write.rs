//! Values to JSON.

use core::fmt;
use core::mem::replace;
use std::io::{self, Write as _};

use serde_core::ser::{self, Serialize};

use super::data_model::{forward_to_serialize, serialize_elements};
use super::raw;
use crate::error::Error;
use crate::format::Indent;
use crate::number::NonFinite;
use crate::number::print::{Float, push_float, push_integer};
use crate::string::word::special_marks;
use crate::string::{escape, find_special};

/// Length of text to buffer before it is passed to the writer.
const HELD: usize = 64 << 10;

/// Writes values as JSON for `serde`: into memory, or to a writer in constant memory. [`to_vec`](crate::to_vec) and
/// [`to_writer`](crate::to_writer) are the short forms.
///
/// ```
/// use jsonx_core::Serializer;
/// use serde::Serialize;
///
/// let mut writer = Serializer::default();
/// [1, 2].serialize(&mut writer)?;
/// assert_eq!(writer.into_vec(), b"[1,2]");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub struct Serializer<'w> {
    text: Vec<u8>,
    non_finite: NonFinite,
    /// The indentation of a level; `None` for minified text.
    indent: Option<Indent>,
    depth: usize,
    to: Option<&'w mut dyn io::Write>,
    /// Minified, into memory: one check of both.
    is_plain: bool,
    /// The end of the text has not been finalized.
    is_pending: bool,
}

impl Default for Serializer<'_> {
    fn default() -> Self {
        Serializer {
            text: Vec::new(),
            non_finite: NonFinite::Null,
            indent: None,
            depth: 0,
            to: None,
            is_plain: true,
            is_pending: false,
        }
    }
}

impl<'w> Serializer<'w> {
    /// Writes to a writer, about 64 KiB at a time: needs memory for these and for the longest string. [`finish`](Self::finish)
    /// writes the rest.
    ///
    /// ```
    /// use jsonx_core::Serializer;
    /// use serde::Serializer as _;
    ///
    /// let mut file = Vec::new(); // Any std::io::Write.
    /// let mut writer = Serializer::to(&mut file);
    /// writer.collect_seq((0..5).filter(|n| n % 2 == 0))?;
    /// writer.finish()?;
    /// assert_eq!(file, b"[0,2,4]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn to(writer: &'w mut dyn io::Write) -> Self {
        Serializer {
            to: Some(writer),
            is_plain: false,
            ..Serializer::default()
        }
    }

    /// Sets the treatment of infinity and NaN.
    ///
    /// ```
    /// use jsonx_core::Serializer;
    /// use jsonx_core::number::NonFinite;
    /// use serde::Serialize;
    ///
    /// let mut writer = Serializer::default().non_finite(NonFinite::Error);
    /// assert!(f64::INFINITY.serialize(&mut writer).is_err());
    /// ```
    #[must_use]
    pub fn non_finite(self, non_finite: NonFinite) -> Self {
        Serializer { non_finite, ..self }
    }

    /// Writes each element and member on its own line. By default text is minified. A [`Raw`](crate::Raw) keeps its layout.
    ///
    /// ```
    /// use jsonx_core::Serializer;
    /// use jsonx_core::format::Indent;
    /// use serde::Serialize;
    ///
    /// let mut writer = Serializer::default().indent(Indent::Tab);
    /// [1, 2].serialize(&mut writer)?;
    /// assert_eq!(writer.into_vec(), b"[\n\t1,\n\t2\n]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    #[must_use]
    pub fn indent(self, indent: Indent) -> Self {
        Serializer {
            indent: Some(indent),
            is_plain: false,
            ..self
        }
    }

    /// The text that has not been passed to the writer.
    ///
    /// ```
    /// assert!(jsonx_core::Serializer::default().into_vec().is_empty());
    /// ```
    pub fn into_vec(self) -> Vec<u8> {
        self.text
    }

    /// Writes the buffered text to the writer, which is not flushed.
    ///
    /// # Errors
    ///
    /// That of the writer.
    ///
    /// ```
    /// use jsonx_core::Serializer;
    /// use serde::Serialize;
    ///
    /// let mut file = Vec::new();
    /// let mut writer = Serializer::to(&mut file);
    /// [1, 2].serialize(&mut writer)?;
    /// writer.finish()?;
    /// assert_eq!(file, b"[1,2]");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn finish(self) -> Result<(), Error> {
        match self.to {
            Some(to) => Ok(to.write_all(&self.text)?),
            None => Ok(()),
        }
    }

    pub(super) fn append(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    /// Passes the text to the writer if it is long enough, and separates the next element or member.
    #[cold]
    fn begin_item(&mut self, is_first: bool) -> Result<(), Error> {
        match &mut self.to {
            Some(to) if self.text.len() >= HELD && !self.is_pending => {
                to.write_all(&self.text)?;
                self.text.clear();
            }
            _ => {}
        }
        if !is_first {
            self.text.push(b',');
        }
        self.line();
        Ok(())
    }

    /// Begins a line, if the text is indented.
    #[inline]
    fn line(&mut self) {
        if let Some(indent) = self.indent {
            self.begin_line(indent);
        }
    }

    #[cold]
    fn begin_line(&mut self, indent: Indent) {
        let (byte, count) = indent.bytes();
        self.text.push(b'\n');
        let end = self.text.len() + count * self.depth;
        self.text.resize(end, byte);
    }

    #[inline]
    fn colon(&mut self) {
        self.text.push(b':');
        if self.indent.is_some() {
            self.text.push(b' ');
        }
    }

    fn string(&mut self, text: &str) {
        let bytes = text.as_bytes();
        self.text.reserve(bytes.len() + 2);
        self.text.push(b'"');
        if push_words::<8>(bytes, &mut self.text) || push_words::<4>(bytes, &mut self.text) {
            self.text.push(b'"');
            return;
        }
        let mut from = 0;
        loop {
            let at = find_special(bytes, from);
            self.text.extend_from_slice(&bytes[from..at]);
            let Some(&byte) = bytes.get(at) else {
                break;
            };
            self.text
                .extend_from_slice(escape(char::from(byte)).as_bytes());
            from = at + 1;
        }
        self.text.push(b'"');
    }

    /// Writes the JSON text in a string unchanged.
    fn verbatim<T: Serialize + ?Sized>(&mut self, text: &T) -> Result<(), Error> {
        let start = self.text.len();
        let was_pending = replace(&mut self.is_pending, true);
        let written = raw::serialize_text(text, &mut *self);
        self.is_pending = was_pending;
        written?;
        let written = self.text.split_off(start);
        let inner = written.get(1..written.len() - 1).unwrap_or_default();
        crate::string::decode_into(inner, &mut self.text)
            .map(drop)
            .map_err(Error::from)
    }

    /// Writes a float with the fewest digits.
    #[inline]
    fn float(
        &mut self,
        value: impl Float + Into<f64> + fmt::Debug,
        is_finite: bool,
    ) -> Result<(), Error> {
        match (is_finite, self.non_finite) {
            (true, _) => push_float(value, &mut self.text),
            (false, NonFinite::Null) => self.text.extend_from_slice(b"null"),
            (false, NonFinite::Error) => {
                let message = format!("JSON cannot write the number {value:?}");
                return Err(Error::data(message));
            }
        }
        Ok(())
    }

    #[inline]
    fn open(&mut self, bracket: u8) -> Items<'_, 'w> {
        self.text.push(bracket);
        self.depth += 1;
        Items {
            writer: self,
            is_first: true,
            // The closing bracket of ASCII.
            close: bracket + 2,
            is_variant: false,
        }
    }

    /// Begins an object with one member.
    fn begin_variant(&mut self, variant: &str) {
        self.text.push(b'{');
        self.depth += 1;
        self.line();
        self.string(variant);
        self.colon();
    }

    #[inline]
    fn end_container(&mut self, bracket: u8, is_empty: bool) {
        self.depth -= 1;
        if !self.is_plain && !is_empty {
            self.line();
        }
        self.text.push(bracket);
    }

    /// Begins an object with one member, whose value is a container.
    fn open_variant(&mut self, variant: &str, bracket: u8) -> Items<'_, 'w> {
        self.begin_variant(variant);
        Items {
            is_variant: true,
            ..self.open(bracket)
        }
    }
}

/// Appends `N` to 2 `N` bytes as two words, which may overlap: faster than a call of `memcpy`. Returns false for other lengths, and
/// if a byte needs an escape.
#[inline(always)]
fn push_words<const N: usize>(bytes: &[u8], out: &mut Vec<u8>) -> bool {
    let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) else {
        return false;
    };
    let needs_escape = [first, last].into_iter().any(|half| {
        let mut word = [b' '; 8];
        word[..N].copy_from_slice(half);
        special_marks(u64::from_le_bytes(word)) != 0
    });
    if bytes.len() > 2 * N || needs_escape {
        return false;
    }
    let start = out.len();
    out.extend_from_slice(first);
    out.truncate(start + bytes.len() - N);
    out.extend_from_slice(last);
    true
}

macro_rules! integers {
    ($($name:ident $type:ty)*) => {$(
        #[inline]
        fn $name(self, value: $type) -> Result<(), Error> {
            push_integer(value, &mut self.text);
            Ok(())
        }
    )*};
}

impl<'a, 'w> ser::Serializer for &'a mut Serializer<'w> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'a, 'w>;
    type SerializeTuple = Items<'a, 'w>;
    type SerializeTupleStruct = Items<'a, 'w>;
    type SerializeTupleVariant = Items<'a, 'w>;
    type SerializeMap = Items<'a, 'w>;
    type SerializeStruct = Items<'a, 'w>;
    type SerializeStructVariant = Items<'a, 'w>;

    integers! { serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64 serialize_i128 i128 }
    integers! { serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64 serialize_u128 u128 }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        let text: &[u8] = if value { b"true" } else { b"false" };
        self.text.extend_from_slice(text);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.float(value, value.is_finite())
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.float(value, value.is_finite())
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.string(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        value.serialize(self)
    }

    forward_to_serialize! {}

    #[inline]
    fn serialize_unit(self) -> Result<(), Error> {
        self.text.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        if name == raw::NAME {
            self.verbatim(value)
        } else {
            value.serialize(self)
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.begin_variant(variant);
        value.serialize(&mut *self)?;
        self.end_container(b'}', false);
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a, 'w>, Error> {
        Ok(self.open(b'['))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a, 'w>, Error> {
        Ok(self.open(b'['))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a, 'w>, Error> {
        Ok(self.open(b'['))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a, 'w>, Error> {
        Ok(self.open_variant(variant, b'['))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Items<'a, 'w>, Error> {
        Ok(self.open(b'{'))
    }

    fn serialize_struct(self, name: &'static str, fields: usize) -> Result<Items<'a, 'w>, Error> {
        if fields == 1 && raw::SERDE_JSON.contains(&name) {
            return Ok(Items {
                writer: self,
                is_first: true,
                close: VERBATIM,
                is_variant: false,
            });
        }
        Ok(self.open(b'{'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a, 'w>, Error> {
        Ok(self.open_variant(variant, b'{'))
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.string(&value.to_string());
        Ok(())
    }
}

impl fmt::Debug for Serializer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serializer").finish_non_exhaustive()
    }
}

/// The elements or members of an open container.
///
/// ```
/// use serde::ser::{SerializeSeq, Serializer as _};
///
/// let mut writer = jsonx_core::Serializer::default();
/// let mut items = writer.serialize_seq(None)?;
/// items.serialize_element("one")?;
/// items.serialize_element(&2)?;
/// items.end()?;
/// assert_eq!(writer.into_vec(), br#"["one",2]"#);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Items<'a, 'w> {
    writer: &'a mut Serializer<'w>,
    is_first: bool,
    /// The closing bracket, or [`VERBATIM`].
    close: u8,
    /// The container is the value of the only member of an object.
    is_variant: bool,
}

/// Marks a value whose only field is a string with its text.
const VERBATIM: u8 = 0;

impl Items<'_, '_> {
    #[inline]
    fn separate(&mut self) -> Result<(), Error> {
        let is_first = replace(&mut self.is_first, false);
        if !self.writer.is_plain {
            return self.writer.begin_item(is_first);
        }
        if !is_first {
            self.writer.text.push(b',');
        }
        Ok(())
    }

    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.separate()?;
        value.serialize(&mut *self.writer)
    }

    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        self.separate()?;
        self.writer.string(key);
        self.writer.colon();
        value.serialize(&mut *self.writer)
    }

    #[inline]
    fn close(self) -> Result<(), Error> {
        if self.close != VERBATIM {
            self.writer.end_container(self.close, self.is_first);
        }
        if self.is_variant {
            self.writer.end_container(b'}', false);
        }
        Ok(())
    }
}

serialize_elements!(Items<'_, '_>);

macro_rules! fields {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Items<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                match self.close {
                    VERBATIM => self.writer.verbatim(value),
                    _ => self.field(key, value),
                }
            }

            fn end(self) -> Result<(), Error> {
                self.close()
            }
        }
    )*};
}

fields! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Items<'_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.separate()?;
        let start = self.writer.text.len();
        let was_pending = replace(&mut self.writer.is_pending, true);
        let written = key.serialize(&mut *self.writer);
        self.writer.is_pending = was_pending;
        written?;
        let written = &self.writer.text[start..];
        match written.first() {
            Some(b'"') => Ok(()),
            // A number, or a boolean.
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
                self.writer.text.insert(start, b'"');
                self.writer.text.push(b'"');
                Ok(())
            }
            _ => Err(Error::data("a key must be a string, a number or a boolean")),
        }
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.writer.colon();
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}
