//! Times of all years that the C library has, in a time zone, and their text.

use jiff::fmt::strtime::{BrokenDownTime, Config, PosixCustom};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

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
pub(super) const LAST: f64 = 67_768_036_191_676_799.0;

/// A time in a time zone. The years of jiff end at 9999; a later time is moved by some cycles of the calendar.
pub(super) struct Time {
    pub zoned: Zoned,
    pub cycles: i64,
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

    /// The text in a format. `is_gmt`: the name of the zone is that of `gmtime` in C.
    pub(super) fn to_text(&self, format: &str, is_gmt: bool) -> Result<String, jiff::Error> {
        let config = Config::new().custom(PosixCustom::new()).lenient(true);
        BrokenDownTime::from(&self.zoned)
            .to_string_with_config(&config, self.resolved(format, is_gmt))
    }

    /// The format without modifiers, and with the year if only this type has it.
    fn resolved(&self, format: &str, is_gmt: bool) -> String {
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
                Some('Z') if is_gmt => Some("GMT".to_owned()),
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
