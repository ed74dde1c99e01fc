//! `strptime` in the locale "C", with the rules of the GNU C library: numbers may have spaces before them and fewer digits, names may
//! be shortened and in any case, and fields that the format lacks have their value in January 1900.

use jiff::tz::TimeZone;

use super::calendar::{Time, days_since_1970};

/// A time as parsed: its day need not exist in the month.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parsed<'t> {
    pub year: i64,
    /// From 0.
    pub month: i64,
    /// 0 if the format has no day.
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    /// Up to 61.
    pub second: i64,
    /// The text after the last conversion.
    pub rest: &'t str,
}

const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The fields that a format may have, and the rest of the text.
#[derive(Default)]
struct Fields<'t> {
    text: &'t str,
    year: Option<i64>,
    century: Option<i64>,
    /// The last two digits of the year are known.
    has_short_year: bool,
    month: Option<i64>,
    day: Option<i64>,
    day_of_year: Option<i64>,
    weekday: Option<i64>,
    /// The number of a week, and the weekday that it begins with.
    week: Option<(i64, i64)>,
    hour: i64,
    is_pm: bool,
    has_hour_of_12: bool,
    minute: i64,
    second: i64,
}

/// The time in a text of this format; `None` if the text does not match.
pub(super) fn parse<'t>(text: &'t str, format: &str) -> Option<Parsed<'t>> {
    let mut fields = Fields {
        text,
        ..Fields::default()
    };
    fields.read(format)?;
    fields.finish()
}

impl<'t> Fields<'t> {
    fn read(&mut self, format: &str) -> Option<()> {
        let mut format = format.chars();
        while let Some(character) = format.next() {
            match character {
                '%' => {
                    // Flags and modifiers have no effect.
                    let conversion = format.find(|next| !"-_0^#EO".contains(*next))?;
                    self.convert(conversion)?;
                }
                _ if character.is_ascii_whitespace() => self.skip_space(),
                _ => self.text = self.text.strip_prefix(character)?,
            }
        }
        Some(())
    }

    fn convert(&mut self, conversion: char) -> Option<()> {
        match conversion {
            'a' | 'A' => self.weekday = Some(self.name(&WEEKDAYS)?),
            'b' | 'B' | 'h' => self.month = Some(self.name(&MONTHS)?),
            'c' => self.read("%a %b %e %H:%M:%S %Y")?,
            'C' => self.century = Some(self.number(0, 99, 2)?),
            'd' | 'e' => self.day = Some(self.number(1, 31, 2)?),
            'D' | 'x' => self.read("%m/%d/%y")?,
            'F' => self.read("%Y-%m-%d")?,
            // The year and the week of ISO 8601 do not determine a date here.
            'g' => drop(self.number(0, 99, 2)?),
            'G' => drop(self.number(0, 9999, 4)?),
            'V' => drop(self.number(0, 53, 2)?),
            'H' | 'k' => {
                self.hour = self.number(0, 23, 2)?;
                self.has_hour_of_12 = false;
            }
            'I' | 'l' => {
                self.hour = self.number(1, 12, 2)? % 12;
                self.has_hour_of_12 = true;
            }
            'j' => self.day_of_year = Some(self.number(1, 366, 3)? - 1),
            'm' => self.month = Some(self.number(1, 12, 2)? - 1),
            'M' => self.minute = self.number(0, 59, 2)?,
            'n' | 't' => self.skip_space(),
            'p' => self.is_pm = self.name(&["AM", "PM"])? == 1,
            'r' => self.read("%I:%M:%S %p")?,
            'R' => self.read("%H:%M")?,
            's' => self.seconds_since_1970()?,
            'S' => self.second = self.number(0, 61, 2)?,
            'T' | 'X' => self.read("%H:%M:%S")?,
            'u' => self.weekday = Some(self.number(1, 7, 1)? % 7),
            'U' => self.week = Some((self.number(0, 53, 2)?, 0)),
            'w' => self.weekday = Some(self.number(0, 6, 1)?),
            'W' => self.week = Some((self.number(0, 53, 2)?, 1)),
            'y' => {
                let year = self.number(0, 99, 2)?;
                self.year = Some(if year >= 69 { 1900 + year } else { 2000 + year });
                self.has_short_year = true;
            }
            'Y' => {
                self.year = Some(self.number(0, 9999, 4)?);
                (self.has_short_year, self.century) = (false, None);
            }
            'z' => self.skip_offset()?,
            'Z' => {
                self.skip_space();
                let end = self.text.find(|c: char| c.is_ascii_whitespace());
                self.text = &self.text[end.unwrap_or(self.text.len())..];
            }
            '%' => self.text = self.text.strip_prefix('%')?,
            _ => return None,
        }
        Some(())
    }

    fn skip_space(&mut self) {
        self.text = self.text.trim_ascii_start();
    }

    /// A number of at most this many digits; one that would exceed the maximum ends before that digit.
    fn number(&mut self, least: i64, most: i64, digits: usize) -> Option<i64> {
        self.text = self.text.trim_start_matches(' ');
        let mut number = None;
        for digit in self.text.bytes().take(digits) {
            let before = number.unwrap_or(0) * 10;
            if !digit.is_ascii_digit() || before > most {
                break;
            }
            number = Some(before + i64::from(digit - b'0'));
            self.text = &self.text[1..];
        }
        number.filter(|number| (least..=most).contains(number))
    }

    /// The position of a name, whole or of three letters.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let text = self.text;
        let rest = |name: &str| {
            let start = text.get(..name.len())?;
            start
                .eq_ignore_ascii_case(name)
                .then_some(&text[name.len()..])
        };
        let mut all = names.iter().enumerate();
        let (at, rest) = all.find_map(|(at, name)| {
            let short = &name[..name.len().min(3)];
            Some((at, rest(name).or_else(|| rest(short))?))
        })?;
        self.text = rest;
        Some(at as i64)
    }

    /// An offset from UTC, which is checked but not applied: `Z`, `+05`, `+0530` or `+05:30`.
    fn skip_offset(&mut self) -> Option<()> {
        self.text = self.text.trim_start_matches(' ');
        if let Some(rest) = self.text.strip_prefix('Z') {
            self.text = rest;
            return Some(());
        }
        self.text = self.text.strip_prefix(['+', '-'])?;
        let is_pair = |text: &str| {
            let pair = text.as_bytes().first_chunk::<2>();
            pair.is_some_and(|pair| pair.iter().all(u8::is_ascii_digit))
        };
        if !is_pair(self.text) {
            return None;
        }
        self.text = &self.text[2..];
        let minutes = self.text.strip_prefix(':').unwrap_or(self.text);
        if is_pair(minutes) {
            self.text = &minutes[2..];
        }
        Some(())
    }

    fn seconds_since_1970(&mut self) -> Option<()> {
        let end = self.text.find(|c: char| !c.is_ascii_digit());
        let (digits, rest) = self.text.split_at(end.unwrap_or(self.text.len()));
        let seconds = digits.parse().ok()?;
        self.set_date(seconds)?;
        self.text = rest;
        self.hour = seconds / 3600 % 24;
        self.minute = seconds / 60 % 60;
        self.second = seconds % 60;
        Some(())
    }

    /// Sets the fields of a date that are not known, from seconds since 1970.
    fn set_date(&mut self, seconds: i64) -> Option<()> {
        let time = Time::new(seconds, &TimeZone::UTC)?;
        self.year = self.year.or(Some(time.year()));
        self.month = self.month.or(Some(i64::from(time.zoned.month()) - 1));
        self.day = self.day.or(Some(time.zoned.day().into()));
        Some(())
    }

    fn finish(mut self) -> Option<Parsed<'t>> {
        let year = match (self.century, self.year) {
            (Some(century), Some(year)) if self.has_short_year => century * 100 + year % 100,
            (Some(century), _) => century * 100,
            (None, year) => year.unwrap_or(1900),
        };
        let mut day_of_year = self.day_of_year;
        if let (None, Some((week, first)), Some(weekday)) = (day_of_year, self.week, self.weekday) {
            let new_year = (days_since_1970(year, 0, 1) + 4).rem_euclid(7);
            let week_one = (7 - (new_year - first)) % 7;
            day_of_year = Some(week_one + (week - 1) * 7 + (weekday - first + 7) % 7);
        }
        if let Some(days) = day_of_year {
            self.set_date((days_since_1970(year, 0, 1) + days) * 86_400)?;
        }
        Some(Parsed {
            year,
            month: self.month.unwrap_or(0),
            day: self.day.unwrap_or(0),
            hour: self.hour
                + if self.has_hour_of_12 && self.is_pm {
                    12
                } else {
                    0
                },
            minute: self.minute,
            second: self.second,
            rest: self.text,
        })
    }
}
