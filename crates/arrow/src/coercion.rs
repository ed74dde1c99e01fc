//! Values of other types than those of their fields.

use arrow_schema::{ArrowError, TimeUnit};
use jiff::tz::TimeZone;
use jsonx_core::number::Number;

use crate::time::{DateTime, zone_named};
use crate::tokens::scaled;

/// How to coerce values of other types to those of their fields:
///
/// | field | coerced |
/// |---|---|
/// | integers, floats, `Decimal128` | a string that is a number of JSON: `"12.34"`, `"-1e3"` |
/// | `Boolean` | `"true"`, `"True"`, `"TRUE"`, `"false"`, `"False"`, `"FALSE"` |
/// | strings | a number or a boolean, as its own text |
/// | `Timestamp` | a number or a string with one, the time since 1970 in UTC: in [`epoch`](Coercion::epoch), or by its size |
/// | `Timestamp` | with a time zone, a time without an offset: in the [`zone`](Coercion::zone) |
/// | `Timestamp` | digits beyond the unit are cut off: [`Reader::cut`](crate::Reader::cut) counts them |
///
/// The type holds the number exactly, as without coercion. Anything else rejects its record.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::TimestampSecondType;
/// use arrow_schema::{DataType, Field, Schema, TimeUnit};
/// use jsonx_arrow::{Coercion, Reader, ReaderOptions};
///
/// let kind = DataType::Timestamp(TimeUnit::Second, Some("UTC".into()));
/// let schema = Arc::new(Schema::new(vec![Field::new("at", kind, true)]));
/// let text = "{\"at\": \"1970-01-01T01:00:00\"}\n{\"at\": 1700000000}\n{\"at\": \"1700000000500\"}\n";
/// let options = ReaderOptions::default().coercion(Coercion::default().zone("+01:00")?);
/// let mut reader = Reader::new(text.as_bytes(), schema, options)?;
/// let batch = reader.next().unwrap()?;
/// assert_eq!(batch.column(0).as_primitive::<TimestampSecondType>().values(), &[0, 1_700_000_000, 1_700_000_000]);
/// assert_eq!(reader.cut(), 1);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coercion {
    pub(crate) zone: Option<TimeZone>,
    epoch: Option<TimeUnit>,
}

impl Coercion {
    /// Sets the session zone, in which times without an offset are: `Europe/Berlin`, `+01:00` or `UTC`. A time that exists twice in it,
    /// or not at all, is rejected. Without one, all are.
    ///
    /// # Errors
    ///
    /// The time zones of the system have no such name.
    pub fn zone(self, name: &str) -> Result<Self, ArrowError> {
        Ok(Coercion {
            zone: Some(zone_named(name)?),
            ..self
        })
    }

    /// Sets the unit of numbers. By default, it follows the size: up to 10^11 (the year 5138) seconds, up to 10^14 milliseconds, up to
    /// 10^17 microseconds, beyond nanoseconds.
    #[must_use]
    pub fn epoch(self, unit: TimeUnit) -> Self {
        Coercion {
            epoch: Some(unit),
            ..self
        }
    }

    /// The time of a number, or the code of the mismatch.
    pub(crate) fn epoch_time(&self, number: Number<'_>) -> Result<DateTime, &'static str> {
        let size = number.as_f64().ok_or("out-of-range")?.abs();
        let unit = self.epoch.unwrap_or(match size {
            ..=1e11 => TimeUnit::Second,
            ..=1e14 => TimeUnit::Millisecond,
            ..=1e17 => TimeUnit::Microsecond,
            _ => TimeUnit::Nanosecond,
        });
        let scale = match unit {
            TimeUnit::Second => 9,
            TimeUnit::Millisecond => 6,
            TimeUnit::Microsecond => 3,
            TimeUnit::Nanosecond => 0,
        };
        let nanos = scaled(number, scale)?;
        let seconds = nanos.div_euclid(1_000_000_000);
        Ok(DateTime {
            seconds: seconds.try_into().map_err(|_| "out-of-range")?,
            nanos: nanos.rem_euclid(1_000_000_000) as u32,
            has_offset: true,
        })
    }
}
