//! Integers, floats and decimals.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal128Type, Float16Type, Float32Type, Float64Type,
    validate_decimal_precision_and_scale,
};
use arrow_schema::ArrowError;
use jsonx_core::number::{Number, compare};

use super::Column;
use super::scalars::Primitive;
use crate::mismatch::Mismatch;
use crate::tokens::{Cursor, scaled};

/// The number at the cursor.
#[inline(always)]
fn number<'t>(cursor: &Cursor<'t>, expected: &'static str) -> Result<Number<'t>, Mismatch> {
    cursor
        .number()
        .ok_or_else(|| Mismatch::expected(expected, cursor.value()))
}

/// Columns whose values are in a `Primitive`.
macro_rules! delegate {
    () => {
        fn len(&self) -> usize {
            self.values.len()
        }

        fn append_null(&mut self) {
            self.values.push_null();
        }

        fn truncate(&mut self, len: usize) {
            self.values.truncate(len);
        }
    };
}

pub(super) struct Integer<T: ArrowPrimitiveType> {
    values: Primitive<T>,
    name: &'static str,
}

impl<T: ArrowPrimitiveType> Integer<T> {
    pub fn new(name: &'static str) -> Self {
        Integer {
            values: Primitive::new(),
            name,
        }
    }
}

impl<T: ArrowPrimitiveType> Column for Integer<T>
where
    T::Native: TryFrom<i64> + TryFrom<u64>,
{
    delegate!();

    #[inline]
    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        let number = number(cursor, "an integer")?;
        let value = match number.as_i64() {
            Some(value) => value.try_into().ok(),
            None => number.as_u64().and_then(|value| value.try_into().ok()),
        };
        let Some(value) = value else {
            let code = if number.decimal().is_whole() {
                "out-of-range"
            } else {
                "inexact"
            };
            return Err(Mismatch::not_held(code, number.raw(), self.name));
        };
        self.values.push(value);
        cursor.at += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(self.values.finish()?))
    }
}

/// A binary floating-point type.
pub(super) trait Real: ArrowPrimitiveType {
    /// Integers up to two to this power are exact.
    const BITS: u32;

    /// The nearest one; `None` if the number is too large.
    fn nearest(number: Number<'_>) -> Option<Self::Native>;

    fn to_f64(value: Self::Native) -> f64;
}

impl Real for Float64Type {
    const BITS: u32 = 53;

    #[inline(always)]
    fn nearest(number: Number<'_>) -> Option<f64> {
        number.as_f64()
    }

    fn to_f64(value: f64) -> f64 {
        value
    }
}

impl Real for Float32Type {
    const BITS: u32 = 24;

    fn nearest(number: Number<'_>) -> Option<f32> {
        number.as_f32()
    }

    fn to_f64(value: f32) -> f64 {
        f64::from(value)
    }
}

impl Real for Float16Type {
    const BITS: u32 = 11;

    /// Rounded from the nearest double: only a number close to the middle of two values can be off.
    fn nearest(number: Number<'_>) -> Option<Self::Native> {
        let value = Self::Native::from_f64(number.as_f64()?);
        value.is_finite().then_some(value)
    }

    fn to_f64(value: Self::Native) -> f64 {
        value.to_f64()
    }
}

pub(super) struct Float<T: ArrowPrimitiveType> {
    values: Primitive<T>,
    name: &'static str,
}

impl<T: Real> Float<T> {
    pub fn new(name: &'static str) -> Self {
        Float {
            values: Primitive::new(),
            name,
        }
    }

    /// Whether an integer is exact. Fractions may be rounded.
    fn is_exact(number: Number<'_>, value: T::Native) -> bool {
        // 2^10 has four digits.
        let few = (T::BITS * 3 / 10) as usize;
        if number.raw().len() <= few || !number.is_integer() {
            return true;
        }
        let exact = format!("{:.0}", T::to_f64(value));
        compare(number.raw(), exact.as_bytes()).is_eq()
    }
}

impl<T: Real> Column for Float<T> {
    delegate!();

    #[inline]
    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        let number = number(cursor, "a number")?;
        let Some(value) = T::nearest(number) else {
            return Err(Mismatch::not_held("out-of-range", number.raw(), self.name));
        };
        if !Self::is_exact(number, value) {
            return Err(Mismatch::not_held("inexact", number.raw(), self.name));
        }
        self.values.push(value);
        cursor.at += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(self.values.finish()?))
    }
}

pub(super) struct Decimal {
    values: Primitive<Decimal128Type>,
    precision: u8,
    scale: i8,
    /// Ten to the precision.
    limit: i128,
}

impl Decimal {
    pub fn new(precision: u8, scale: i8) -> Result<Self, ArrowError> {
        validate_decimal_precision_and_scale::<Decimal128Type>(precision, scale)?;
        Ok(Decimal {
            values: Primitive::new(),
            precision,
            scale,
            limit: 10_i128.pow(u32::from(precision)),
        })
    }
}

impl Column for Decimal {
    delegate!();

    fn append(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Mismatch> {
        let number = number(cursor, "a number")?;
        let value = scaled(number, self.scale).and_then(|value| {
            if value.abs() < self.limit {
                Ok(value)
            } else {
                Err("out-of-range")
            }
        });
        let value = value.map_err(|code| {
            let name = format!("Decimal128({}, {})", self.precision, self.scale);
            Mismatch::not_held(code, number.raw(), &name)
        })?;
        self.values.push(value);
        cursor.at += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let values = self.values.finish()?;
        Ok(Arc::new(
            values.with_precision_and_scale(self.precision, self.scale)?,
        ))
    }
}
