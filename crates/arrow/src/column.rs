//! Columns that grow by one value at a time. Truncation removes a record that does not fit.

mod nested;
mod numbers;
mod scalars;
mod strings;

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::types::*;
use arrow_schema::extension::EXTENSION_TYPE_NAME_KEY;
use arrow_schema::{ArrowError, DataType, Field, TimeUnit};

use crate::mismatch::Mismatch;
use crate::options::ReaderOptions;
use crate::time::zone_named;
use crate::tokens::Cursor;
pub(crate) use nested::Struct;
use nested::{List, Map};
use numbers::{Decimal, Float, Integer};
use scalars::{Boolean, Dates, Nulls, Timestamps};
use strings::{Dictionary, Strings, View};

/// A column under construction.
pub(crate) trait Column: Send {
    fn len(&self) -> usize;

    /// Appends a value, and moves the cursor to the token after it.
    ///
    /// After an error, `truncate` restores the column.
    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch>;

    fn append_null(&mut self);

    /// Removes the values from `len` on, and the remains of an error.
    fn truncate(&mut self, len: usize);

    /// The array; the column is empty afterward.
    fn finish(&mut self) -> Result<ArrayRef, ArrowError>;
}

/// The extension type of values as their own text.
const JSON: &str = "arrow.json";

/// A field that holds any value as its own text: a string of the extension type `arrow.json`.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::cast::AsArray;
/// use arrow_schema::Schema;
/// use jsonx_arrow::{Reader, ReaderOptions, json_field};
///
/// let schema = Arc::new(Schema::new(vec![json_field("a", true)]));
/// let text = "{\"a\": {\"b\": [1.50]}}\n{\"a\": \"c\"}\n";
/// let batch = Reader::new(text.as_bytes(), schema, ReaderOptions::default())?.next().unwrap()?;
/// let values: Vec<_> = batch.column(0).as_string::<i32>().iter().flatten().collect();
/// assert_eq!(values, [r#"{"b": [1.50]}"#, r#""c""#]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn json_field(name: &str, nullable: bool) -> Field {
    let metadata = HashMap::from([(EXTENSION_TYPE_NAME_KEY.to_owned(), JSON.to_owned())]);
    Field::new(name, DataType::Utf8, nullable).with_metadata(metadata)
}

fn is_json(field: &Field) -> bool {
    field
        .metadata()
        .get(EXTENSION_TYPE_NAME_KEY)
        .is_some_and(|name| name == JSON)
}

/// An empty column for a field.
pub(crate) fn column(
    field: &Field,
    options: &ReaderOptions,
) -> Result<Box<dyn Column>, ArrowError> {
    let raw = is_json(field);
    macro_rules! integers {
        ($($kind:ident $type:ident),*) => {
            match field.data_type() {
                $(DataType::$kind => return Ok(Box::new(Integer::<$type>::new(stringify!($kind)))),)*
                _ => {}
            }
        };
    }
    integers!(
        Int8 Int8Type, Int16 Int16Type, Int32 Int32Type, Int64 Int64Type,
        UInt8 UInt8Type, UInt16 UInt16Type, UInt32 UInt32Type, UInt64 UInt64Type
    );
    Ok(match field.data_type() {
        DataType::Null => Box::new(Nulls::default()),
        DataType::Boolean => Box::new(Boolean::new()),
        DataType::Float16 => Box::new(Float::<Float16Type>::new("Float16")),
        DataType::Float32 => Box::new(Float::<Float32Type>::new("Float32")),
        DataType::Float64 => Box::new(Float::<Float64Type>::new("Float64")),
        DataType::Decimal128(precision, scale) => Box::new(Decimal::new(*precision, *scale)?),
        DataType::Utf8 => Box::new(Strings::<i32>::new(raw)),
        DataType::LargeUtf8 => Box::new(Strings::<i64>::new(raw)),
        DataType::Utf8View => Box::new(View::new(raw)),
        DataType::Date32 => Box::new(Dates::<Date32Type>::new(1)),
        DataType::Date64 => Box::new(Dates::<Date64Type>::new(86_400_000)),
        DataType::Timestamp(unit, zone) => {
            // The column needs only the name: a system without time zones cannot tell whether it is one.
            if let Some(zone) = zone
                && !jiff::tz::db().is_definitively_empty()
            {
                zone_named(zone)?;
            }
            let (zone, coercion) = (zone.clone(), options.coercion.clone());
            match unit {
                TimeUnit::Second => {
                    Box::new(Timestamps::<TimestampSecondType>::new(1, zone, coercion))
                }
                TimeUnit::Millisecond => Box::new(Timestamps::<TimestampMillisecondType>::new(
                    1000, zone, coercion,
                )),
                TimeUnit::Microsecond => Box::new(Timestamps::<TimestampMicrosecondType>::new(
                    1_000_000, zone, coercion,
                )),
                TimeUnit::Nanosecond => Box::new(Timestamps::<TimestampNanosecondType>::new(
                    1_000_000_000,
                    zone,
                    coercion,
                )),
            }
        }
        DataType::List(element) => Box::new(List::<i32>::new(element.clone(), options)?),
        DataType::LargeList(element) => Box::new(List::<i64>::new(element.clone(), options)?),
        DataType::Struct(fields) => Box::new(Struct::new(fields.clone(), options)?),
        DataType::Map(entries, false) => Box::new(Map::new(entries.clone(), options)?),
        DataType::Dictionary(key, value) if **value == DataType::Utf8 => {
            return dictionary(key).ok_or_else(|| unsupported(field));
        }
        _ => return Err(unsupported(field)),
    })
}

fn unsupported(field: &Field) -> ArrowError {
    ArrowError::NotYetImplemented(format!(
        "field {}: {} from JSON",
        field.name(),
        field.data_type()
    ))
}

fn dictionary(key: &DataType) -> Option<Box<dyn Column>> {
    Some(match key {
        DataType::Int8 => Box::new(Dictionary::<Int8Type>::new()),
        DataType::Int16 => Box::new(Dictionary::<Int16Type>::new()),
        DataType::Int32 => Box::new(Dictionary::<Int32Type>::new()),
        DataType::Int64 => Box::new(Dictionary::<Int64Type>::new()),
        DataType::UInt8 => Box::new(Dictionary::<UInt8Type>::new()),
        DataType::UInt16 => Box::new(Dictionary::<UInt16Type>::new()),
        DataType::UInt32 => Box::new(Dictionary::<UInt32Type>::new()),
        DataType::UInt64 => Box::new(Dictionary::<UInt64Type>::new()),
        _ => return None,
    })
}

/// A field with its column. The field decides on nulls.
pub(crate) struct FieldColumn {
    pub nullable: bool,
    pub nulls_mismatches: bool,
    pub column: Box<dyn Column>,
}

impl FieldColumn {
    pub fn new(field: &Arc<Field>, options: &ReaderOptions) -> Result<Self, ArrowError> {
        Ok(FieldColumn {
            nullable: field.is_nullable(),
            nulls_mismatches: options.mismatches == crate::Mismatches::Null,
            column: column(field, options)?,
        })
    }

    /// Appends a value or null.
    #[inline]
    pub fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        if cursor.kind() == b'n' {
            cursor.at += 1;
            return self.missing("null");
        }
        if !(self.nullable && self.nulls_mismatches) {
            return self.column.append(cursor);
        }
        let (len, start) = (self.column.len(), cursor.at);
        if self.column.append(cursor).is_err() {
            self.column.truncate(len);
            self.column.append_null();
            cursor.at = start;
            cursor.skip();
        }
        Ok(())
    }

    /// Appends null for a missing value.
    #[inline]
    pub fn missing(&mut self, what: &'static str) -> Result<(), Mismatch> {
        if !self.nullable {
            let message = format!("{what}, and the field is not nullable");
            return Err(Mismatch::new("missing-value", message));
        }
        self.column.append_null();
        Ok(())
    }
}
