//! Strings, values as their own text, and dictionaries of strings.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::{ArrowDictionaryKeyType, ByteArrayType, GenericStringType};
use arrow_array::{
    ArrayRef, DictionaryArray, GenericStringArray, OffsetSizeTrait, StringArray, StringViewArray,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use jsonx_core::string::{Surrogates, decode};

use super::Column;
use super::scalars::Primitive;
use crate::mismatch::Mismatch;
use crate::tokens::Cursor;

/// Appends the decoded string at the cursor.
#[inline]
pub(super) fn decoded(cursor: &Cursor<'_>, out: &mut Vec<u8>) -> Result<(), Mismatch> {
    if cursor.kind() != b'"' {
        if cursor.coerced.is_some() && !matches!(cursor.kind(), b'{' | b'[') {
            out.extend_from_slice(cursor.raw());
            return Ok(());
        }
        return Err(Mismatch::expected("a string", cursor.value()));
    }
    let content = cursor.content();
    // The engine has checked the escapes.
    let Ok(decoded) = decode(content) else {
        return Err(Mismatch::expected("a string", content));
    };
    if decoded.surrogates != Surrogates::Paired {
        let message = "a lone surrogate, which is not a character".to_owned();
        return Err(Mismatch::new("lone-surrogate", message));
    }
    out.extend_from_slice(&decoded.text);
    Ok(())
}

pub(super) struct Strings<O> {
    bytes: Vec<u8>,
    offsets: Vec<O>,
    nulls: NullBufferBuilder,
    /// Whether they are values as their own text.
    raw: bool,
}

impl<O: OffsetSizeTrait> Strings<O> {
    pub fn new(raw: bool) -> Self {
        Strings {
            bytes: Vec::new(),
            offsets: vec![O::default()],
            nulls: NullBufferBuilder::new(0),
            raw,
        }
    }

    fn array(&mut self) -> Result<GenericStringArray<O>, ArrowError> {
        let offsets = std::mem::replace(&mut self.offsets, vec![O::default()]);
        let bytes = std::mem::take(&mut self.bytes);
        self.offsets.reserve(offsets.len());
        self.bytes.reserve(bytes.len());
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        GenericStringArray::<O>::try_new(offsets, Buffer::from_vec(bytes), self.nulls.finish())
    }
}

impl<O: OffsetSizeTrait> Column for Strings<O>
where
    GenericStringType<O>: ByteArrayType,
{
    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline]
    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        if self.raw {
            self.bytes.extend_from_slice(cursor.value());
        } else {
            decoded(cursor, &mut self.bytes)?;
        }
        let Some(end) = O::from_usize(self.bytes.len()) else {
            return Err(Mismatch::new(
                "out-of-range",
                "too long for a batch".to_owned(),
            ));
        };
        cursor.skip();
        self.offsets.push(end);
        self.nulls.append_non_null();
        Ok(())
    }

    fn append_null(&mut self) {
        self.offsets.push(self.offsets[self.offsets.len() - 1]);
        self.nulls.append_null();
    }

    fn truncate(&mut self, len: usize) {
        self.offsets.truncate(len + 1);
        self.bytes.truncate(self.offsets[len].as_usize());
        self.nulls.truncate(len);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(self.array()?))
    }
}

/// Strings as views.
pub(super) struct View(Strings<i32>);

impl View {
    pub fn new(raw: bool) -> Self {
        View(Strings::new(raw))
    }
}

impl Column for View {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        self.0.append(cursor)
    }

    fn append_null(&mut self) {
        self.0.append_null();
    }

    fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(StringViewArray::from(&self.0.array()?)))
    }
}

/// Strings, with each distinct one stored once per batch.
pub(super) struct Dictionary<K: ArrowDictionaryKeyType> {
    keys: Primitive<K>,
    known: HashMap<Box<[u8]>, K::Native>,
    values: Strings<i32>,
    decoded: Vec<u8>,
}

impl<K: ArrowDictionaryKeyType> Dictionary<K> {
    pub fn new() -> Self {
        Dictionary {
            keys: Primitive::new(),
            known: HashMap::new(),
            values: Strings::new(false),
            decoded: Vec::new(),
        }
    }
}

impl<K: ArrowDictionaryKeyType> Column for Dictionary<K> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        self.decoded.clear();
        decoded(cursor, &mut self.decoded)?;
        let key = match self.known.get(&self.decoded[..]) {
            Some(&key) => key,
            None => {
                let key = K::Native::from_usize(self.values.len());
                let key = key.filter(|key| key.as_usize() == self.values.len());
                let Some(key) = key else {
                    let message = format!("more distinct values than {} can count", K::DATA_TYPE);
                    return Err(Mismatch::new("out-of-range", message));
                };
                let mut one = *cursor;
                self.values.append(&mut one)?;
                self.known.insert(self.decoded[..].into(), key);
                key
            }
        };
        self.keys.push(key);
        cursor.at += 1;
        Ok(())
    }

    fn append_null(&mut self) {
        self.keys.push_null();
    }

    /// Values stay: a value without a key is valid.
    fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.known.clear();
        let values: StringArray = self.values.array()?;
        Ok(Arc::new(DictionaryArray::try_new(
            self.keys.finish()?,
            Arc::new(values),
        )?))
    }
}
