//! Dates and times of RFC 3339.

use arrow_schema::ArrowError;
use jiff::Timestamp;
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;

/// A zone by its name or offset.
pub(crate) fn zone_named(name: &str) -> Result<TimeZone, ArrowError> {
    let zone = match name {
        "UTC" => Ok(TimeZone::UTC),
        name => DateTimeParser::new().parse_time_zone(name),
    };
    zone.map_err(|error| ArrowError::InvalidArgumentError(format!("time zone {name:?}: {error}")))
}

/// A date and time, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DateTime {
    /// Since 1970-01-01T00:00:00Z.
    pub seconds: i64,
    /// Below 10^9.
    pub nanos: u32,
    /// Whether the text has an offset from UTC.
    pub has_offset: bool,
}

impl DateTime {
    /// The time of a zone; `None` if it exists twice, not at all, or is beyond the years of the calendar.
    pub fn in_zone(self, zone: &TimeZone) -> Option<DateTime> {
        let local = Timestamp::from_second(self.seconds).ok()?;
        let local = TimeZone::UTC.to_datetime(local);
        let at = zone.to_ambiguous_timestamp(local).unambiguous().ok()?;
        Some(DateTime {
            seconds: at.as_second(),
            ..self
        })
    }
}

/// Days from 1970-01-01 to a date, by the proleptic Gregorian calendar.
///
/// Howard Hinnant, <https://howardhinnant.github.io/date_algorithms.html#days_from_civil>.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A number of exactly this many digits.
fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |value, byte| {
        byte.is_ascii_digit()
            .then(|| value * 10 + i64::from(byte - b'0'))
    })
}

/// `full-date`: days since 1970-01-01.
pub(crate) fn date(text: &[u8]) -> Option<i64> {
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = *text else {
        return None;
    };
    let (year, month, day) = (
        digits(&[y0, y1, y2, y3])?,
        digits(&[m0, m1])?,
        digits(&[d0, d1])?,
    );
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=length).contains(&day).then(|| days(year, month, day))
}

/// `date-time`, with or without an offset; up to nine digits of a fraction, further zeros. No leap seconds.
pub(crate) fn date_time(text: &[u8]) -> Option<DateTime> {
    let (day, rest) = text.split_at_checked(10)?;
    let day = date(day)?;
    let (clock, rest) = rest.split_at_checked(9)?;
    let [b'T' | b't' | b' ', h0, h1, b':', m0, m1, b':', s0, s1] = *clock else {
        return None;
    };
    let (hour, minute, second) = (digits(&[h0, h1])?, digits(&[m0, m1])?, digits(&[s0, s1])?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (nanos, rest) = match rest {
        [b'.', rest @ ..] => {
            let length = rest.iter().take_while(|it| it.is_ascii_digit()).count();
            let (fraction, rest) = rest.split_at(length);
            let (nanos, further) = fraction.split_at(length.min(9));
            if length == 0 || further.iter().any(|&it| it != b'0') {
                return None;
            }
            (digits(nanos)? * 10_i64.pow(9 - nanos.len() as u32), rest)
        }
        rest => (0, rest),
    };
    let offset = match *rest {
        [] => None,
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), h0, h1, b':', m0, m1] => {
            let (hours, minutes) = (digits(&[h0, h1])?, digits(&[m0, m1])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let seconds = hours * 3600 + minutes * 60;
            Some(if sign == b'-' { -seconds } else { seconds })
        }
        _ => return None,
    };
    let seconds = day * 86_400 + hour * 3600 + minute * 60 + second;
    Some(DateTime {
        seconds: seconds - offset.unwrap_or(0),
        nanos: nanos as u32,
        has_offset: offset.is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let table: [(&str, Option<i64>); 9] = [
            ("1970-01-01", Some(0)),
            ("1969-12-31", Some(-1)),
            ("2000-02-29", Some(11_016)),
            ("0000-01-01", Some(-719_528)),
            ("9999-12-31", Some(2_932_896)),
            ("1900-02-29", None),
            ("2001-13-01", None),
            ("2001-1-01", None),
            ("2001-04-31", None),
        ];
        for (text, days) in table {
            assert_eq!(date(text.as_bytes()), days, "{text}");
        }
        // Every day follows the one before.
        let mut last = date(b"1599-12-31").unwrap();
        for year in 1600..2401 {
            for month in 1..13 {
                for day in 1..32 {
                    if let Some(days) = date(format!("{year:04}-{month:02}-{day:02}").as_bytes()) {
                        assert_eq!(days, last + 1);
                        last = days;
                    }
                }
            }
        }
    }

    #[test]
    fn times() {
        let at = |text: &str| date_time(text.as_bytes()).map(|it| (it.seconds, it.nanos));
        assert_eq!(at("1970-01-01T00:00:00Z"), Some((0, 0)));
        assert_eq!(at("1970-01-01T01:30:00.5+01:00"), Some((1800, 500_000_000)));
        assert_eq!(at("1969-12-31t23:59:59.000000001-00:00"), Some((-1, 1)));
        assert_eq!(
            at("1970-01-01 00:00:01.1234567890000"),
            Some((1, 123_456_789))
        );
        for wrong in [
            "1970-01-01",
            "1970-01-01T24:00:00Z",
            "1970-01-01T00:00:60Z",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:00.0000000001Z",
            "1970-01-01T00:00:00+1:00",
            "1970-01-01T00:00:00ZZ",
            "",
            "x",
        ] {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }
}
