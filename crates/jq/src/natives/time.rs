//! Times: seconds since 1970, and "broken down" ones, arrays of year, month from 0, day, hour, minute, second, weekday and day of the
//! year from 0.

use jiff::civil::{DateTime, date};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::{Native, native};
use crate::error::{Exception, Result, described, error};
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
            return Err(error("mktime requires array of 6 numbers").of(&input));
        }
        let (time, _) = fields(&input).ok_or_else(|| needs_fields("mktime", &input))?;
        let zoned = time
            .to_zoned(TimeZone::UTC)
            .map_err(|_| error("invalid gmtime representation"))?;
        Ok(Value::Number(zoned.timestamp().as_second() as f64))
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

fn array(time: DateTime, fraction: f64) -> Value {
    let second = f64::from(time.second()) + fraction;
    let fields = [
        f64::from(time.year()),
        f64::from(time.month() - 1),
        f64::from(time.day()),
        f64::from(time.hour()),
        f64::from(time.minute()),
        second,
        f64::from(time.date().weekday().to_sunday_zero_offset()),
        f64::from(time.date().day_of_year() - 1),
    ];
    Value::array(fields.into_iter().map(Value::Number).collect())
}

/// The time of a number of seconds, and the fraction of its last one.
fn zoned(seconds: f64, zone: &TimeZone) -> Option<(Zoned, f64)> {
    let whole = seconds.floor();
    let limits = Timestamp::MIN.as_second() as f64..=Timestamp::MAX.as_second() as f64;
    let timestamp =
        Timestamp::from_second(limits.contains(&whole).then_some(whole as i64)?).ok()?;
    Some((timestamp.to_zoned(zone.clone()), seconds - whole))
}

fn broken_down(value: &Value, function: &str, zone: &TimeZone) -> Result<Value> {
    let Some(seconds) = value.as_f64() else {
        return Err(error(format!("{function}() requires a number")).of(value));
    };
    match zoned(seconds, zone) {
        Some((zoned, fraction)) => Ok(array(zoned.datetime(), fraction)),
        None => Err(error(format!(
            "error converting number of seconds since epoch to datetime: {seconds}"
        ))
        .of(value)),
    }
}

/// The time of a broken-down time; excess days, hours and so on are carried over.
fn fields(value: &Value) -> Option<(DateTime, f64)> {
    let items = value.clone().items()?;
    let mut numbers = [0.0; 6];
    numbers[2] = 1.0;
    for (number, item) in numbers.iter_mut().zip(&items) {
        *number = item.as_f64().filter(|number| number.is_finite())?;
    }
    // The other items must be numbers too.
    if items.iter().any(|item| item.as_f64().is_none()) {
        return None;
    }
    let months = numbers[0] * 12.0 + numbers[1].floor();
    let year = (months / 12.0).floor();
    let month = (months - year * 12.0) as i8 + 1;
    if !(-9999.0..=9999.0).contains(&year) || numbers[2..].iter().any(|number| number.abs() > 1e9) {
        return None;
    }
    let start = date(year as i16, month, 1).at(0, 0, 0, 0);
    let span = jiff::Span::new()
        .try_days(numbers[2] as i64 - 1)
        .and_then(|span| span.try_hours(numbers[3] as i64))
        .and_then(|span| span.try_minutes(numbers[4] as i64))
        .and_then(|span| span.try_seconds(numbers[5].floor() as i64))
        .ok()?;
    Some((start.checked_add(span).ok()?, numbers[5].fract()))
}

fn formatted(value: &Value, format: &Value, function: &str, zone: &TimeZone) -> Result<Value> {
    let time = match value.type_of() {
        Type::Number => zoned(value.as_f64().unwrap_or_default(), zone).map(|(zoned, _)| zoned),
        Type::Array => fields(value).and_then(|(time, _)| time.to_zoned(zone.clone()).ok()),
        _ => None,
    };
    let Some(time) = time else {
        return Err(needs_fields(function, value));
    };
    let Some(format) = format.as_str() else {
        return Err(error(format!("{function} requires a string format")));
    };
    match strtime::format(format.as_bytes(), &time) {
        Ok(text) => Ok(text.into()),
        Err(reason) => Err(error(format!("{function}: {reason}"))),
    }
}

fn parsed(value: &Value, format: &Value) -> Result<Value> {
    let Some(text) = value.as_str() else {
        return Err(error(format!(
            "strptime/1 requires string inputs and arguments, not {}",
            described(value)
        ))
        .of(value));
    };
    let Some(format) = format.as_str() else {
        return Err(error("strptime/1 requires string inputs and arguments"));
    };
    let failed = || {
        error(format!(
            "date \"{text}\" does not match format \"{format}\""
        ))
        .of(value)
    };
    // The name of a time zone is read and ignored.
    let mut pattern = format.to_string();
    if let Some(before) = format.strip_suffix("%Z") {
        let zone = text.len()
            - text
                .trim_end_matches(|c: char| c.is_ascii_alphabetic())
                .len();
        pattern = format!("{before}{}", &text[text.len() - zone..]);
    }
    let parts = strtime::BrokenDownTime::parse(pattern.as_bytes(), text.as_bytes())
        .map_err(|_| failed())?;
    let time = match parts.to_datetime() {
        Ok(time) => time,
        Err(_) => match parts.to_date() {
            Ok(date) => date.at(0, 0, 0, 0),
            Err(_) => parts
                .to_timestamp()
                .map_err(|_| failed())?
                .to_zoned(TimeZone::UTC)
                .datetime(),
        },
    };
    let fraction = f64::from(time.subsec_nanosecond()) / 1e9;
    Ok(array(time, fraction))
}
