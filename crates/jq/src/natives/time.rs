//! Times: seconds since 1970, and "broken down" ones, arrays of year, month from 0, day, hour, minute, second, weekday and day of the
//! year from 0.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::calendar::{LAST, Time, days_since_1970};
use super::{Native, native, strptime};
use crate::error::{Exception, Result, error};
use crate::value::{Type, Value};

pub(super) const NATIVES: &[Native] = &[
    native("now", 0, |_, _| {
        let now = Timestamp::now();
        Ok(Value::Number(
            now.as_second() as f64 + f64::from(now.subsec_microsecond()) / 1e6,
        ))
    }),
    native("gmtime", 0, |input, _| {
        broken_down(&input, "gmtime", &TimeZone::UTC)
    }),
    native("localtime", 0, |input, _| {
        broken_down(&input, "localtime", &TimeZone::system())
    }),
    native("mktime", 0, |input, _| {
        if input.type_of() != Type::Array {
            return Err(error("mktime requires array inputs").of(&input));
        }
        match seconds(&input) {
            Some(seconds) => Ok(Value::Number(seconds as f64)),
            None => Err(needs_fields("mktime", &input)),
        }
    }),
    native("strftime", 1, |input, arguments| {
        formatted(&input, &arguments[0], "strftime/1", &TimeZone::UTC)
    }),
    native("strflocaltime", 1, |input, arguments| {
        formatted(
            &input,
            &arguments[0],
            "strflocaltime/1",
            &TimeZone::system(),
        )
    }),
    native("strptime", 1, |input, arguments| {
        parsed(&input, &arguments[0])
    }),
];

fn needs_fields(function: &str, value: &Value) -> Exception {
    error(format!("{function} requires parsed datetime inputs")).of(value)
}

/// A broken-down time; the day may be outside the month.
fn array([year, month, day, hour, minute]: [i64; 5], second: f64) -> Value {
    let days = days_since_1970(year, month, day);
    let of_year = days - days_since_1970(year, 0, 1);
    let mut fields = [
        year,
        month,
        day,
        hour,
        minute,
        0,
        (days + 4).rem_euclid(7),
        of_year,
    ]
    .map(|field| Value::Number(field as f64));
    fields[5] = Value::Number(second);
    Value::array(fields.to_vec())
}

/// The time of a number of seconds.
fn at(seconds: f64, zone: &TimeZone) -> Result<Time> {
    let time = (seconds.abs() <= LAST).then(|| Time::new(seconds.floor() as i64, zone));
    time.flatten().ok_or_else(|| {
        let message = "error converting number of seconds since epoch to datetime";
        error(message).of(&seconds.into())
    })
}

fn broken_down(value: &Value, function: &str, zone: &TimeZone) -> Result<Value> {
    let Some(seconds) = value.as_f64() else {
        return Err(error(format!("{function}() requires numeric inputs")).of(value));
    };
    let whole = seconds.floor();
    let time = at(seconds, zone)?;
    let civil = time.zoned.datetime();
    let fields = [
        time.year(),
        i64::from(civil.month()) - 1,
        civil.day().into(),
        civil.hour().into(),
        civil.minute().into(),
    ];
    let second = f64::from(civil.second()) + seconds - whole;
    Ok(array(fields, second))
}

/// The seconds since 1970 of a broken-down time in UTC; excess days, hours and so on are carried over. Missing fields
/// are 0, the year 1900.
fn seconds(value: &Value) -> Option<i64> {
    let mut fields = [1900, 0, 0, 0, 0, 0];
    for (at, item) in value.clone().items()?.iter().enumerate() {
        let number = item.as_f64()?;
        if let Some(field) = fields.get_mut(at) {
            *field = (number.abs() <= f64::from(i32::MAX)).then_some(number as i64)?;
        }
    }
    let [year, month, day, hour, minute, second] = fields;
    Some(((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second)
}

fn formatted(value: &Value, format: &Value, function: &str, zone: &TimeZone) -> Result<Value> {
    if !matches!(value.type_of(), Type::Number | Type::Array) {
        return Err(needs_fields(function, value));
    }
    let Some(format) = format.as_str() else {
        return Err(error(format!("{function} requires a string format")));
    };
    let time = match value.as_f64() {
        Some(seconds) => Some(at(seconds, zone)?),
        None => seconds(value).and_then(|seconds| {
            let time = Time::new(seconds, &TimeZone::UTC)?;
            let zoned = time.zoned.datetime().to_zoned(zone.clone()).ok()?;
            Some(Time { zoned, ..time })
        }),
    };
    let Some(time) = time else {
        return Err(needs_fields(function, value));
    };
    match time.to_text(&format, *zone == TimeZone::UTC && function == "strftime/1") {
        Ok(text) => Ok(text.into()),
        Err(reason) => Err(error(format!("{function}: {reason}"))),
    }
}

fn parsed(value: &Value, format: &Value) -> Result<Value> {
    let Some(text) = value.as_str() else {
        return Err(error("strptime/1 requires string inputs and arguments").of(value));
    };
    let Some(format) = format.as_str() else {
        return Err(error("strptime/1 requires string inputs and arguments"));
    };
    let time = strptime::parse(&text, &format);
    let Some(time) = time.filter(|time| time.rest.trim_ascii_start().is_empty()) else {
        return Err(error(format!(
            "date \"{text}\" does not match format \"{format}\""
        ))
        .of(value));
    };
    let fields = [time.year, time.month, time.day, time.hour, time.minute];
    Ok(array(fields, time.second as f64))
}
