//! Times: seconds since 1970, and "broken down" ones, arrays of year, month from 0, day, hour, minute, second, weekday and day of the
//! year from 0.

use jiff::fmt::strtime::{BrokenDownTime, Config, PosixCustom};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::{Native, native, strptime};
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

/// The days from 1970 to a date. The month is counted from 0; it and the day may be outside the year and the month.
pub(super) fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March end with the leap day.
    let months = year * 12 + month - 2;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12));
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 719_469
}

/// The seconds of 400 years, after which the calendar repeats.
const CYCLE: i64 = 146_097 * 86_400;

/// The last second whose year has 32 bits, as in the C library.
const LAST: f64 = 67_768_036_191_676_799.0;

/// A time in a time zone. The years of jiff end at 9999; a later time is moved by some cycles of the calendar.
pub(super) struct Time {
    pub zoned: Zoned,
    cycles: i64,
}

impl Time {
    pub(super) fn new(seconds: i64, zone: &TimeZone) -> Option<Time> {
        let (timestamp, cycles) = match Timestamp::from_second(seconds) {
            Ok(timestamp) => (timestamp, 0),
            Err(_) => {
                let timestamp = Timestamp::from_second(seconds.rem_euclid(CYCLE)).ok()?;
                (timestamp, seconds.div_euclid(CYCLE))
            }
        };
        Some(Time {
            zoned: timestamp.to_zoned(zone.clone()),
            cycles,
        })
    }

    pub(super) fn year(&self) -> i64 {
        i64::from(self.zoned.year()) + 400 * self.cycles
    }

    fn to_text(&self, format: &str) -> Result<String, jiff::Error> {
        let config = Config::new().custom(PosixCustom::new()).lenient(true);
        BrokenDownTime::from(&self.zoned).to_string_with_config(&config, self.resolved(format))
    }

    /// The format without modifiers, and with the year if only this type has it.
    fn resolved(&self, format: &str) -> String {
        let mut out = String::with_capacity(format.len());
        let mut rest = format;
        while let Some((text, conversion)) = rest.split_once('%') {
            out.push_str(text);
            let name = conversion.trim_start_matches(|c: char| "-_0^#:".contains(c));
            let name = name.trim_start_matches(|c: char| c.is_ascii_digit());
            let flags = &conversion[..conversion.len() - name.len()];
            let modified = name.strip_prefix(['E', 'O']);
            let name = modified.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
            let name = name.unwrap_or(&conversion[flags.len()..]);
            let year = self.year();
            let replaced = match name.chars().next() {
                _ if self.cycles == 0 => None,
                Some('C') => Some(year.div_euclid(100).to_string()),
                Some('F') => Some(format!("{year}-%m-%d")),
                Some('G') => {
                    let date = self.zoned.date().iso_week_date();
                    Some((i64::from(date.year()) + 400 * self.cycles).to_string())
                }
                Some('Y') => Some(year.to_string()),
                Some('c') => Some(format!("%a %b %e %H:%M:%S {year}")),
                Some('s') => {
                    let second = self.zoned.timestamp().as_second() + self.cycles * CYCLE;
                    Some(second.to_string())
                }
                _ => None,
            };
            match replaced {
                Some(text) => {
                    out.push_str(&text);
                    rest = &name[1..];
                }
                None => {
                    let length = name.chars().next().map_or(0, char::len_utf8);
                    out.extend(["%", flags, &name[..length]]);
                    rest = &name[length..];
                }
            }
        }
        out + rest
    }
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
        error(format!("{message}: {seconds}")).of(&seconds.into())
    })
}

fn broken_down(value: &Value, function: &str, zone: &TimeZone) -> Result<Value> {
    let Some(seconds) = value.as_f64() else {
        return Err(error(format!("{function}() requires a number")).of(value));
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

/// The seconds since 1970 of a broken-down time in UTC; excess days, hours and so on are carried over. Missing fields are 0.
fn seconds(value: &Value) -> Option<i64> {
    let mut fields = [0; 6];
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
    let Some(format) = format.as_str() else {
        return Err(error(format!("{function} requires a string format")));
    };
    match time.to_text(&format) {
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
