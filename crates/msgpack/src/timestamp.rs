//! The timestamp extension of the specification, as RFC 3339 text.

/// Appends the text of a timestamp: `2026-11-21T23:00:00Z`, with a fraction of 3, 6 or 9 digits if it has one. Returns
/// whether the data is a timestamp with a year of four digits; if not, nothing is appended.
pub(super) fn push(data: &[u8], out: &mut Vec<u8>) -> bool {
    let Some((seconds, nanoseconds)) = parse(data) else {
        return false;
    };
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let Some((year, month, day)) = date(days) else {
        return false;
    };
    digits(u64::from(year), 4, out);
    for (separator, part) in [
        (b'-', u64::from(month)),
        (b'-', u64::from(day)),
        (b'T', second as u64 / 3600),
        (b':', second as u64 / 60 % 60),
        (b':', second as u64 % 60),
    ] {
        out.push(separator);
        digits(part, 2, out);
    }
    let fraction = match nanoseconds {
        0 => None,
        n if n % 1_000_000 == 0 => Some((n / 1_000_000, 3)),
        n if n % 1000 == 0 => Some((n / 1000, 6)),
        n => Some((n, 9)),
    };
    if let Some((value, count)) = fraction {
        out.push(b'.');
        digits(u64::from(value), count, out);
    }
    out.push(b'Z');
    true
}

/// Seconds since 1970 and nanoseconds, from one of the three forms.
fn parse(data: &[u8]) -> Option<(i64, u32)> {
    let (seconds, nanoseconds) = match data.len() {
        4 => (i64::from(u32::from_be_bytes(*data.first_chunk()?)), 0),
        8 => {
            let word = u64::from_be_bytes(*data.first_chunk()?);
            ((word & 0x3_ffff_ffff) as i64, (word >> 34) as u32)
        }
        12 => (
            i64::from_be_bytes(*data.last_chunk()?),
            u32::from_be_bytes(*data.first_chunk()?),
        ),
        _ => return None,
    };
    (nanoseconds < 1_000_000_000).then_some((seconds, nanoseconds))
}

/// The date `days` days after 1970-01-01, in the Gregorian calendar, for years 0 to 9999. (Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms": years that begin in March, in eras of 400 years.)
fn date(days: i64) -> Option<(u32, u32, u32)> {
    let days = days.checked_add(719_468)?;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (0..=9999)
        .contains(&year)
        .then_some((year as u32, month as u32, day as u32))
}

/// Appends a number with leading zeros.
fn digits(value: u64, count: u32, out: &mut Vec<u8>) {
    for place in (0..count).rev() {
        out.push(b'0' + (value / 10_u64.pow(place) % 10) as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(data: &[u8]) -> Option<String> {
        let mut out = Vec::new();
        push(data, &mut out).then(|| String::from_utf8(out).unwrap())
    }

    fn long(seconds: i64, nanoseconds: u32) -> Option<String> {
        text(&[&nanoseconds.to_be_bytes()[..], &seconds.to_be_bytes()].concat())
    }

    #[test]
    fn three_forms() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(text(&[0; 4]), some("1970-01-01T00:00:00Z"));
        assert_eq!(text(&[255; 4]), some("2106-02-07T06:28:15Z"));
        // 500 ms after the last second that 34 bits can hold.
        let word = 500_000_000 << 34 | 0x3_ffff_ffff_u64;
        assert_eq!(text(&word.to_be_bytes()), some("2514-05-30T01:53:03.500Z"));
        assert_eq!(
            long(-1, 999_999_999),
            some("1969-12-31T23:59:59.999999999Z")
        );
        assert_eq!(long(951_782_400, 1000), some("2000-02-29T00:00:00.000001Z"));
        assert_eq!(long(-62_167_219_200, 0), some("0000-01-01T00:00:00Z"));
        assert_eq!(long(253_402_300_799, 0), some("9999-12-31T23:59:59Z"));
    }

    #[test]
    fn other_strings_are_not_timestamps() {
        assert_eq!(long(253_402_300_800, 0), None);
        assert_eq!(long(-62_167_219_201, 0), None);
        assert_eq!(long(i64::MAX, 0), None);
        assert_eq!(long(i64::MIN, 0), None);
        assert_eq!(long(0, 1_000_000_000), None);
        assert_eq!(text(&[0; 5]), None);
        assert_eq!(text(&[255; 8]), None);
    }
}
