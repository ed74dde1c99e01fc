//! Nulls, booleans, dates and timestamps.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, ArrowTimestampType};
use arrow_array::{ArrayRef, BooleanArray, NullArray, PrimitiveArray};
use arrow_buffer::{BooleanBufferBuilder, NullBufferBuilder};
use arrow_schema::ArrowError;
use jsonx_core::string::decode;

use super::Column;
use crate::coercion::Coercion;
use crate::mismatch::Mismatch;
use crate::time::{self, DateTime};
use crate::tokens::Cursor;

/// Values of a primitive type, with their nulls.
pub(super) struct Primitive<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    nulls: NullBufferBuilder,
}

impl<T: ArrowPrimitiveType> Primitive<T> {
    pub fn new() -> Self {
        Primitive {
            values: Vec::new(),
            nulls: NullBufferBuilder::new(0),
        }
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    #[inline(always)]
    pub fn push(&mut self, value: T::Native) {
        self.values.push(value);
        self.nulls.append_non_null();
    }

    pub fn push_null(&mut self) {
        self.values.push(T::Native::default());
        self.nulls.append_null();
    }

    pub fn truncate(&mut self, len: usize) {
        self.values.truncate(len);
        self.nulls.truncate(len);
    }

    pub fn finish(&mut self) -> Result<PrimitiveArray<T>, ArrowError> {
        let values = std::mem::take(&mut self.values);
        self.values.reserve(values.len());
        PrimitiveArray::try_new(values.into(), self.nulls.finish())
    }
}

/// Only nulls.
#[derive(Default)]
pub(super) struct Nulls(usize);

impl Column for Nulls {
    fn len(&self) -> usize {
        self.0
    }

    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        Err(Mismatch::expected("null", cursor.value()))
    }

    fn append_null(&mut self) {
        self.0 += 1;
    }

    fn truncate(&mut self, len: usize) {
        self.0 = len;
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(NullArray::new(std::mem::take(&mut self.0))))
    }
}

/// Strings that coercion reads as false, and as true.
const WRITTEN: [[&[u8]; 3]; 2] = [[b"false", b"False", b"FALSE"], [b"true", b"True", b"TRUE"]];

pub(super) struct Boolean {
    values: BooleanBufferBuilder,
    nulls: NullBufferBuilder,
}

impl Boolean {
    pub fn new() -> Self {
        Boolean {
            values: BooleanBufferBuilder::new(0),
            nulls: NullBufferBuilder::new(0),
        }
    }
}

impl Column for Boolean {
    fn len(&self) -> usize {
        self.values.len()
    }

    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        let value = match (cursor.kind(), cursor.coerced) {
            (b't', _) => true,
            (b'f', _) => false,
            (b'"', Some(_)) if WRITTEN[1].contains(&cursor.content()) => true,
            (b'"', Some(_)) if WRITTEN[0].contains(&cursor.content()) => false,
            _ => return Err(Mismatch::expected("a boolean", cursor.value())),
        };
        self.values.append(value);
        self.nulls.append_non_null();
        cursor.at += 1;
        Ok(())
    }

    fn append_null(&mut self) {
        self.values.append(false);
        self.nulls.append_null();
    }

    fn truncate(&mut self, len: usize) {
        self.values.truncate(len);
        self.nulls.truncate(len);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(BooleanArray::new(
            self.values.finish(),
            self.nulls.finish(),
        )))
    }
}

/// The decoded string at the cursor: some writers escape the `+` of an offset.
fn plain<'t>(cursor: &Cursor<'t>, expected: &str) -> Result<Cow<'t, [u8]>, Mismatch> {
    let text = match cursor.kind() {
        b'"' => decode(cursor.content()).ok(),
        _ => None,
    };
    let text = text.ok_or_else(|| Mismatch::expected(expected, cursor.value()))?;
    Ok(text.text)
}

/// Dates of RFC 3339.
pub(super) struct Dates<T: ArrowPrimitiveType> {
    values: Primitive<T>,
    /// Units of a day.
    day: i64,
}

impl<T: ArrowPrimitiveType> Dates<T> {
    pub fn new(day: i64) -> Self {
        Dates {
            values: Primitive::new(),
            day,
        }
    }
}

impl<T: ArrowPrimitiveType> Column for Dates<T>
where
    T::Native: TryFrom<i64>,
{
    fn len(&self) -> usize {
        self.values.len()
    }

    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        const EXPECTED: &str = "a date as 2026-11-23";
        let days = time::date(&plain(cursor, EXPECTED)?);
        let value = days.and_then(|days| (days * self.day).try_into().ok());
        let value = value.ok_or_else(|| Mismatch::expected(EXPECTED, cursor.raw()))?;
        self.values.push(value);
        cursor.at += 1;
        Ok(())
    }

    fn append_null(&mut self) {
        self.values.push_null();
    }

    fn truncate(&mut self, len: usize) {
        self.values.truncate(len);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(self.values.finish()?))
    }
}

/// Times of RFC 3339; with coercion, also without an offset, and numbers since 1970.
pub(super) struct Timestamps<T: ArrowTimestampType> {
    values: Primitive<T>,
    per_second: i64,
    zone: Option<Arc<str>>,
    coercion: Option<Coercion>,
}

impl<T: ArrowTimestampType> Timestamps<T> {
    pub fn new(per_second: i64, zone: Option<Arc<str>>, coercion: Option<Coercion>) -> Self {
        Timestamps {
            values: Primitive::new(),
            per_second,
            zone,
            coercion,
        }
    }

    /// The time at the cursor.
    fn time(&self, cursor: &Cursor<'_>) -> Result<DateTime, Mismatch> {
        if let (Some(coercion), Some(number)) = (&self.coercion, cursor.number()) {
            return coercion
                .epoch_time(number)
                .map_err(|code| Mismatch::not_held(code, cursor.raw(), "a time since 1970"));
        }
        let expected = match self.zone {
            Some(_) => "a time as 2026-11-23T12:00:00Z, with an offset from UTC",
            None => "a time as 2026-11-23T12:00:00Z",
        };
        let wrong = || Mismatch::expected(expected, cursor.raw());
        let at = time::date_time(&plain(cursor, expected)?).ok_or_else(wrong)?;
        if at.has_offset || self.zone.is_none() {
            return Ok(at);
        }
        match self.coercion.as_ref().and_then(|it| it.zone.as_ref()) {
            Some(zone) => at.in_zone(zone).ok_or_else(|| {
                let message = format!(
                    "{} exists twice or not at all in the session zone",
                    String::from_utf8_lossy(cursor.raw())
                );
                Mismatch::new("ambiguous-time", message)
            }),
            None => Err(wrong()),
        }
    }
}

impl<T: ArrowTimestampType> Column for Timestamps<T> {
    fn len(&self) -> usize {
        self.values.len()
    }

    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        let raw = cursor.raw();
        let at = self.time(cursor)?;
        let nanos_each = 1_000_000_000 / self.per_second;
        if i64::from(at.nanos) % nanos_each != 0 {
            let Some(cut) = cursor.coerced else {
                return Err(Mismatch::not_held(
                    "inexact",
                    raw,
                    &format!("{}", T::DATA_TYPE),
                ));
            };
            cut.set(cut.get() + 1);
        }
        let value = at
            .seconds
            .checked_mul(self.per_second)
            .and_then(|value| value.checked_add(i64::from(at.nanos) / nanos_each));
        let value = value
            .ok_or_else(|| Mismatch::not_held("out-of-range", raw, &format!("{}", T::DATA_TYPE)))?;
        self.values.push(value);
        cursor.at += 1;
        Ok(())
    }

    fn append_null(&mut self) {
        self.values.push_null();
    }

    fn truncate(&mut self, len: usize) {
        self.values.truncate(len);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let values = self.values.finish()?;
        Ok(Arc::new(values.with_timezone_opt(self.zone.clone())))
    }
}
