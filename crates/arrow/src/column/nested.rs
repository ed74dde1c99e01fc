//! Structs, lists and maps.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, GenericListArray, MapArray, OffsetSizeTrait, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use jsonx_core::string::decode_key;

use super::{Column, FieldColumn};
use crate::mismatch::Mismatch;
use crate::options::{Duplicates, ReaderOptions, Unknown};
use crate::tokens::Cursor;

/// Members of an object whose fields are predicted.
const SHAPE: usize = 256;

/// Objects with fields.
pub(crate) struct Struct {
    fields: Fields,
    columns: Vec<FieldColumn>,
    by_name: HashMap<Box<[u8]>, usize>,
    /// The raw keys of the last objects by the position of the member, with their fields.
    shape: Vec<(Box<[u8]>, Option<usize>)>,
    nulls: NullBufferBuilder,
    len: usize,
    duplicates: Duplicates,
    unknown: Unknown,
}

impl Struct {
    pub fn new(fields: Fields, options: &ReaderOptions) -> Result<Self, ArrowError> {
        let columns = fields.iter().map(|field| FieldColumn::new(field, options));
        let mut by_name = HashMap::new();
        for (at, field) in fields.iter().enumerate() {
            if by_name.insert(field.name().as_bytes().into(), at).is_some() {
                let message = format!("two fields are called {}", field.name());
                return Err(ArrowError::SchemaError(message));
            }
        }
        Ok(Struct {
            columns: columns.collect::<Result<_, _>>()?,
            by_name,
            fields,
            shape: Vec::new(),
            nulls: NullBufferBuilder::new(0),
            len: 0,
            duplicates: options.duplicates,
            unknown: options.unknown,
        })
    }

    /// The field of a member, by its position and raw key.
    #[inline(always)]
    fn field(&mut self, number: usize, key: &[u8]) -> Option<usize> {
        match self.shape.get(number) {
            Some((known, field)) if **known == *key => *field,
            _ => self.look_up(number, key),
        }
    }

    #[cold]
    fn look_up(&mut self, number: usize, key: &[u8]) -> Option<usize> {
        let field = self.by_name.get(&*decode_key(key)).copied();
        if number < self.shape.len() {
            self.shape[number] = (key.into(), field);
        } else if number == self.shape.len() && number < SHAPE {
            self.shape.push((key.into(), field));
        }
        field
    }

    /// The arrays of the members.
    pub fn finish_columns(&mut self) -> Result<Vec<ArrayRef>, ArrowError> {
        self.len = 0;
        let columns = self.columns.iter_mut();
        columns.map(|field| field.column.finish()).collect()
    }

    #[inline]
    fn member(&mut self, field: usize, cursor: &mut Cursor<'_>) -> Result<bool, Mismatch> {
        let len = self.len;
        let column = &mut self.columns[field];
        let is_repeated = column.column.len() > len;
        if is_repeated {
            if self.duplicates == Duplicates::Reject {
                let message = "duplicate key".to_owned();
                return Err(
                    Mismatch::new("duplicate-key", message).within(self.fields[field].name())
                );
            }
            column.column.truncate(len);
        }
        match column.append(cursor) {
            Ok(()) => Ok(!is_repeated),
            Err(mismatch) => Err(mismatch.within(self.fields[field].name())),
        }
    }
}

impl Column for Struct {
    fn len(&self) -> usize {
        self.len
    }

    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        if cursor.kind() != b'{' {
            return Err(Mismatch::expected("an object", cursor.value()));
        }
        cursor.at += 1;
        let (mut number, mut found) = (0, 0);
        while cursor.kind() == b'"' {
            let key = cursor.content();
            let field = self.field(number, key);
            cursor.at += 2;
            match field {
                Some(field) => found += usize::from(self.member(field, cursor)?),
                None if self.unknown == Unknown::Reject => {
                    let key = String::from_utf8_lossy(&decode_key(key)).into_owned();
                    let message = "the schema has no such member".to_owned();
                    return Err(Mismatch::new("unknown-member", message).within(key));
                }
                None => cursor.skip(),
            }
            number += 1;
            cursor.at += usize::from(cursor.kind() == b',');
        }
        if cursor.kind() != b'}' {
            return Err(Mismatch::expected("an object", b""));
        }
        cursor.at += 1;
        if found < self.columns.len() {
            for (column, field) in self.columns.iter_mut().zip(&self.fields) {
                if column.column.len() == self.len {
                    column
                        .missing("missing")
                        .map_err(|it| it.within(field.name()))?;
                }
            }
        }
        self.len += 1;
        self.nulls.append_non_null();
        Ok(())
    }

    fn append_null(&mut self) {
        for column in &mut self.columns {
            column.column.append_null();
        }
        self.len += 1;
        self.nulls.append_null();
    }

    fn truncate(&mut self, len: usize) {
        for column in &mut self.columns {
            column.column.truncate(len);
        }
        self.len = len;
        self.nulls.truncate(len);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let len = self.len;
        let columns = self.finish_columns()?;
        let nulls = self.nulls.finish();
        let array = StructArray::try_new_with_length(self.fields.clone(), columns, nulls, len)?;
        Ok(Arc::new(array))
    }
}

/// The ends of the elements of each value.
struct Offsets<O> {
    ends: Vec<O>,
    nulls: NullBufferBuilder,
}

impl<O: OffsetSizeTrait> Offsets<O> {
    fn new() -> Self {
        Offsets {
            ends: vec![O::default()],
            nulls: NullBufferBuilder::new(0),
        }
    }

    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    fn last(&self) -> usize {
        self.ends[self.len()].as_usize()
    }

    fn push(&mut self, end: usize, is_value: bool) -> Result<(), Mismatch> {
        let end = O::from_usize(end).ok_or_else(|| {
            Mismatch::new("out-of-range", "too many elements for a batch".to_owned())
        })?;
        self.ends.push(end);
        self.nulls.append(is_value);
        Ok(())
    }

    fn push_null(&mut self) {
        self.ends.push(self.ends[self.len()]);
        self.nulls.append_null();
    }

    fn truncate(&mut self, len: usize) -> usize {
        self.ends.truncate(len + 1);
        self.nulls.truncate(len);
        self.last()
    }

    fn finish(&mut self) -> OffsetBuffer<O> {
        let ends = std::mem::replace(&mut self.ends, vec![O::default()]);
        OffsetBuffer::new(ScalarBuffer::from(ends))
    }
}

/// Arrays.
pub(super) struct List<O> {
    field: FieldRef,
    elements: FieldColumn,
    offsets: Offsets<O>,
}

impl<O: OffsetSizeTrait> List<O> {
    pub fn new(field: FieldRef, options: &ReaderOptions) -> Result<Self, ArrowError> {
        Ok(List {
            elements: FieldColumn::new(&field, options)?,
            field,
            offsets: Offsets::new(),
        })
    }
}

impl<O: OffsetSizeTrait> Column for List<O> {
    fn len(&self) -> usize {
        self.offsets.len()
    }

    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        if cursor.kind() != b'[' {
            return Err(Mismatch::expected("an array", cursor.value()));
        }
        cursor.at += 1;
        let mut index = 0_usize;
        while !matches!(cursor.kind(), b']' | 0) {
            let appended = self.elements.append(cursor);
            appended.map_err(|mismatch| mismatch.within(index))?;
            index += 1;
            cursor.at += usize::from(cursor.kind() == b',');
        }
        if cursor.kind() == 0 {
            return Err(Mismatch::expected("an array", b""));
        }
        cursor.at += 1;
        self.offsets.push(self.elements.column.len(), true)
    }

    fn append_null(&mut self) {
        self.offsets.push_null();
    }

    fn truncate(&mut self, len: usize) {
        let elements = self.offsets.truncate(len);
        self.elements.column.truncate(elements);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let (offsets, nulls) = (self.offsets.finish(), self.offsets.nulls.finish());
        let elements = self.elements.column.finish()?;
        let array = GenericListArray::<O>::try_new(self.field.clone(), offsets, elements, nulls)?;
        Ok(Arc::new(array))
    }
}

/// Objects with any members.
pub(super) struct Map {
    field: FieldRef,
    fields: Fields,
    keys: Box<dyn Column>,
    values: FieldColumn,
    offsets: Offsets<i32>,
    duplicates: Duplicates,
}

impl Map {
    pub fn new(field: FieldRef, options: &ReaderOptions) -> Result<Self, ArrowError> {
        let wrong = || ArrowError::SchemaError("a map of JSON has keys of type Utf8".to_owned());
        let DataType::Struct(fields) = field.data_type() else {
            return Err(wrong());
        };
        let [key, value] = &fields[..] else {
            return Err(wrong());
        };
        if !matches!(key.data_type(), DataType::Utf8 | DataType::LargeUtf8) {
            return Err(wrong());
        }
        Ok(Map {
            keys: super::column(&Field::new("key", key.data_type().clone(), false), options)?,
            values: FieldColumn::new(value, options)?,
            fields: fields.clone(),
            field,
            offsets: Offsets::new(),
            duplicates: options.duplicates,
        })
    }
}

impl Column for Map {
    fn len(&self) -> usize {
        self.offsets.len()
    }

    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        if cursor.kind() != b'{' {
            return Err(Mismatch::expected("an object", cursor.value()));
        }
        cursor.at += 1;
        let mut members: Vec<Cursor<'_>> = Vec::new();
        let mut by_key: HashMap<Box<[u8]>, usize> = HashMap::new();
        while cursor.kind() == b'"' {
            let key = decode_key(cursor.content());
            match by_key.get(&*key) {
                Some(_) if self.duplicates == Duplicates::Reject => {
                    let key = String::from_utf8_lossy(&key).into_owned();
                    let message = "duplicate key".to_owned();
                    return Err(Mismatch::new("duplicate-key", message).within(key));
                }
                Some(&at) => members[at] = *cursor,
                None => {
                    by_key.insert((*key).into(), members.len());
                    members.push(*cursor);
                }
            }
            cursor.at += 2;
            cursor.skip();
            cursor.at += usize::from(cursor.kind() == b',');
        }
        if cursor.kind() != b'}' {
            return Err(Mismatch::expected("an object", b""));
        }
        cursor.at += 1;
        for mut member in members {
            let key = member.content();
            self.keys.append(&mut member)?;
            member.at += 1;
            self.values
                .append(&mut member)
                .map_err(|mismatch| mismatch.within(String::from_utf8_lossy(&decode_key(key))))?;
        }
        self.offsets.push(self.keys.len(), true)
    }

    fn append_null(&mut self) {
        self.offsets.push_null();
    }

    fn truncate(&mut self, len: usize) {
        let members = self.offsets.truncate(len);
        self.keys.truncate(members);
        self.values.column.truncate(members);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let (offsets, nulls) = (self.offsets.finish(), self.offsets.nulls.finish());
        let columns = vec![self.keys.finish()?, self.values.column.finish()?];
        let entries = StructArray::try_new(self.fields.clone(), columns, None)?;
        Ok(Arc::new(MapArray::try_new(
            self.field.clone(),
            offsets,
            entries,
            nulls,
            false,
        )?))
    }
}
