//! The exact sum of decimal numbers.
//!
//! ```text
//!           10^18     10^9      1         10^-9
//! limbs  …  000000001 234567890 000000000 250000000  …     each in an i64, so that carries can be deferred
//! ```

use core::fmt::Write;

use super::Number;

/// Decimal digits of a limb.
const DIGITS: i128 = 9;
const LIMB: i64 = 1_000_000_000;

/// Maximum number of places before and after the decimal point.
const PLACES: i128 = 9 * 512;

/// Number of additions to the limbs before carries are propagated.
const WAITS: u32 = 1 << 30;

/// Additional places of a [mean](Sum::mean) that is not a finite decimal.
const MORE_PLACES: usize = 20;

/// The exact sum of numbers, in memory that does not depend on their count.
///
/// ```
/// use jsonx_core::number::{Number, Sum};
///
/// let mut sum = Sum::default();
/// for text in ["0.1", "0.2", "1e21", "-9007199254740993"] {
///     sum.add(Number::new(text.as_bytes())).unwrap();
/// }
/// assert_eq!(sum.to_string(), "999990992800745259007.3");
/// assert!(sum.add(Number::new(b"1e9999999")).is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sum {
    /// The sum of the integers of up to 64 bits.
    integers: i128,
    /// The sum of other numbers, in limbs from 10^-[`PLACES`] on; empty if there are none.
    limbs: Vec<i64>,
    waiting: u32,
}

/// A number has too many places for an exact [`Sum`].
///
/// ```
/// use jsonx_core::number::{Number, Sum};
///
/// let error = Sum::default().add(Number::new(b"1e9999")).unwrap_err();
/// assert_eq!(error.to_string(), "more than 4608 places before or after the decimal point");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfPlaces;

impl core::fmt::Display for OutOfPlaces {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "more than {PLACES} places before or after the decimal point"
        )
    }
}

impl core::error::Error for OutOfPlaces {}

impl Sum {
    /// Adds a number.
    ///
    /// # Errors
    /// The number has too many places; the sum is unchanged.
    ///
    /// ```
    /// use jsonx_core::number::{Number, Sum};
    ///
    /// let mut sum = Sum::default();
    /// sum.add(Number::new(b"1.5e1"))?;
    /// sum.add(Number::new(b"-0.25"))?;
    /// assert_eq!(sum.to_string(), "14.75");
    /// # Ok::<(), jsonx_core::number::OutOfPlaces>(())
    /// ```
    pub fn add(&mut self, number: Number<'_>) -> Result<(), OutOfPlaces> {
        if let Some(integer) = number.as_i64()
            && let Some(sum) = self.integers.checked_add(i128::from(integer))
        {
            self.integers = sum;
            return Ok(());
        }
        let value = number.decimal();
        if value.is_zero() {
            return Ok(());
        }
        let (power, digits) = (value.power(), value.digit_count() as i128);
        if power < -PLACES || power.saturating_add(digits) > PLACES {
            return Err(OutOfPlaces);
        }
        let sign = if value.is_negative() { -1 } else { 1 };
        let first = (power + PLACES + digits) as usize;
        for (number, digit) in value.digits().enumerate() {
            self.digit(first - 1 - number, sign * i64::from(digit - b'0'));
        }
        self.wait();
        Ok(())
    }

    /// Adds another sum.
    ///
    /// ```
    /// use jsonx_core::number::{Number, Sum};
    ///
    /// let of = |text: &str| {
    ///     let mut sum = Sum::default();
    ///     sum.add(Number::new(text.as_bytes())).map(|()| sum)
    /// };
    /// let mut sum = of("1.5")?;
    /// sum.add_sum(&of("2")?);
    /// assert_eq!(sum.to_string(), "3.5");
    /// # Ok::<(), jsonx_core::number::OutOfPlaces>(())
    /// ```
    pub fn add_sum(&mut self, other: &Sum) {
        self.carry();
        let mut other = other.clone();
        other.spill();
        self.spill();
        for (limb, add) in self.limbs.iter_mut().zip(&other.limbs) {
            *limb += add;
        }
        self.carry();
    }

    /// The sum divided by a count: exact if the quotient is a finite decimal, otherwise rounded half to even, to 20 more places
    /// than the sum has. `None` for a count of zero.
    ///
    /// ```
    /// use jsonx_core::number::{Number, Sum};
    ///
    /// let mut sum = Sum::default();
    /// sum.add(Number::new(b"5"))?;
    /// assert_eq!(sum.mean(4).as_deref(), Some("1.25"));
    /// assert_eq!(sum.mean(3).as_deref(), Some("1.66666666666666666667"));
    /// assert_eq!(sum.mean(0), None);
    /// # Ok::<(), jsonx_core::number::OutOfPlaces>(())
    /// ```
    pub fn mean(&self, count: u64) -> Option<String> {
        if count == 0 {
            return None;
        }
        let (negative, mut digits, places) = self.digits();
        let count = u128::from(count);
        let mut rest = 0;
        let next = |digit: u8, rest: &mut u128| {
            let dividend = *rest * 10 + u128::from(digit);
            *rest = dividend % count;
            (dividend / count) as u8
        };
        for digit in &mut digits {
            *digit = next(*digit, &mut rest);
        }
        let mut more = 0;
        while rest > 0 && more < MORE_PLACES {
            digits.push(next(0, &mut rest));
            more += 1;
        }
        let last_is_odd = digits.last().is_some_and(|digit| digit % 2 == 1);
        if rest * 2 > count || rest * 2 == count && last_is_odd {
            increment(&mut digits);
        }
        Some(shown(negative, &digits, places + more))
    }

    /// Adds a digit at a place, counted from the lowest.
    fn digit(&mut self, place: usize, digit: i64) {
        if self.limbs.is_empty() {
            // A few more limbs, for carries.
            self.limbs.resize((2 * PLACES / DIGITS) as usize + 8, 0);
        }
        let (limb, within) = (place / DIGITS as usize, place % DIGITS as usize);
        self.limbs[limb] += digit * 10_i64.pow(within as u32);
    }

    fn wait(&mut self) {
        self.waiting += 1;
        if self.waiting >= WAITS {
            self.carry();
        }
    }

    /// Moves the integers to the limbs.
    fn spill(&mut self) {
        let sign = if self.integers < 0 { -1 } else { 1 };
        let mut rest = self.integers.unsigned_abs();
        let mut place = PLACES as usize;
        while rest > 0 {
            self.digit(place, sign * (rest % 10) as i64);
            (rest, place) = (rest / 10, place + 1);
        }
        self.integers = 0;
        if self.limbs.is_empty() {
            self.digit(0, 0);
        }
    }

    /// Propagates carries: afterward all limbs except the highest are at least 0 and below 10^9.
    fn carry(&mut self) {
        self.waiting = 0;
        let mut carried = 0;
        let last = self.limbs.len().saturating_sub(1);
        for limb in self.limbs.iter_mut().take(last) {
            let value = *limb + carried;
            *limb = value.rem_euclid(LIMB);
            carried = value.div_euclid(LIMB);
        }
        if let Some(limb) = self.limbs.last_mut() {
            *limb += carried;
        }
    }

    /// The sign, all digits, and the number of those after the point.
    fn digits(&self) -> (bool, Vec<u8>, usize) {
        let mut sum = self.clone();
        sum.spill();
        sum.carry();
        let negative = sum.limbs.last().is_some_and(|&limb| limb < 0);
        if negative {
            sum.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            sum.carry();
        }
        let mut text = String::new();
        for limb in sum.limbs.iter().rev() {
            // Writing to a string does not fail.
            let _ = write!(text, "{limb:09}");
        }
        let mut digits: Vec<u8> = text.bytes().map(|digit| digit - b'0').collect();
        let mut places = PLACES as usize;
        while places > 0 && digits.last() == Some(&0) {
            digits.pop();
            places -= 1;
        }
        (negative, digits, places)
    }
}

fn increment(digits: &mut [u8]) {
    for digit in digits.iter_mut().rev() {
        match *digit {
            9 => *digit = 0,
            _ => {
                *digit += 1;
                return;
            }
        }
    }
}

/// Formats digits as a number, with `places` of them after the point.
fn shown(negative: bool, digits: &[u8], places: usize) -> String {
    let point = digits.len() - places;
    let first = digits[..point].iter().position(|&digit| digit != 0);
    let end = digits.iter().rposition(|&digit| digit != 0);
    let end = end.map_or(point, |last| point.max(last + 1));
    let mut text = String::new();
    if negative && digits.iter().any(|&digit| digit != 0) {
        text.push('-');
    }
    for (at, digit) in digits
        .iter()
        .enumerate()
        .take(end)
        .skip(first.unwrap_or(point))
    {
        if at == point {
            text.push_str(if first.is_none() { "0." } else { "." });
        }
        text.push(char::from(b'0' + digit));
    }
    if text.is_empty() || text == "-" {
        text.push('0');
    }
    text
}

impl core::fmt::Display for Sum {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (negative, digits, places) = self.digits();
        f.write_str(&shown(negative, &digits, places))
    }
}

#[cfg(test)]
mod tests {
    use jsonx_testing::cases;
    use proptest::prelude::*;

    use super::*;

    /// Units of 10^-20 in the text of a number.
    fn text(units: i128, places: u32) -> String {
        let (sign, units) = (if units < 0 { "-" } else { "" }, units.unsigned_abs());
        let scale = 10_u128.pow(places);
        format!(
            "{sign}{}.{:0width$}e-3",
            units / scale,
            units % scale,
            width = places as usize
        )
    }

    fn sum_of(texts: &[String]) -> Sum {
        let mut sum = Sum::default();
        for text in texts {
            sum.add(Number::new(text.as_bytes())).unwrap();
        }
        sum
    }

    proptest! {
        #![proptest_config(cases(2000))]

        #[test]
        fn sums_are_exact(
            numbers in prop::collection::vec((any::<i64>(), 1..12_u32), 0..20),
            integers in prop::collection::vec(any::<i64>(), 0..5),
            split in 0..20usize,
            count in 1..1000_u64,
        ) {
            let mut texts: Vec<String> =
                numbers.iter().map(|&(units, places)| text(i128::from(units), places)).collect();
            texts.extend(integers.iter().map(i64::to_string));
            let sum = sum_of(&texts);
            // In units of 10^-14.
            let units = numbers.iter().map(|&(units, places)| i128::from(units) * 10_i128.pow(11 - places));
            let units: i128 = units.sum::<i128>()
                + integers.iter().map(|&one| i128::from(one) * 10_i128.pow(14)).sum::<i128>();
            let expected = format!("{units}e-14");
            prop_assert!(
                crate::number::compare(sum.to_string().as_bytes(), expected.as_bytes()).is_eq(),
                "{texts:?}: {sum}"
            );
            let (a, b) = texts.split_at(split.min(texts.len()));
            let mut joined = sum_of(a);
            joined.add_sum(&sum_of(b));
            prop_assert_eq!(joined.to_string(), sum.to_string());
            prop_assert!(crate::validate(sum.to_string().as_bytes()).is_ok(), "{}", sum);
            // The mean times the count is the sum, within half a unit of its last place.
            let mean = sum.mean(count).unwrap();
            let mut again = Sum::default();
            for _ in 0..count {
                again.add(Number::new(mean.as_bytes())).unwrap();
            }
            let negated = match sum.to_string().strip_prefix('-') {
                Some(positive) => positive.to_owned(),
                None => format!("-{sum}"),
            };
            again.add(Number::new(negated.as_bytes())).unwrap();
            let off = again.to_string();
            let most = format!("{}e-20", count.div_ceil(2));
            let off = off.trim_start_matches('-');
            prop_assert!(crate::number::compare(off.as_bytes(), most.as_bytes()).is_le(), "{mean} {off}");
        }
    }

    #[test]
    fn numbers_of_many_places_are_rejected() {
        for (number, is_sum) in [
            ("1e4607", true),
            ("1e4608", false),
            ("-1e-4608", true),
            ("1e-4609", false),
            ("0e99999999999999999999", true),
            ("1e99999999999999999999999999999999999999999999", false),
            ("1e-99999999999999999999999999999999999999999999", false),
        ] {
            let mut sum = Sum::default();
            let added = sum.add(Number::new(number.as_bytes()));
            assert_eq!(added.is_ok(), is_sum, "{number}");
            let value = if is_sum { number } else { "0" };
            assert!(crate::number::compare(sum.to_string().as_bytes(), value.as_bytes()).is_eq());
        }
        let mut sum = Sum::default();
        for text in [
            "9.5",
            "-10",
            "18446744073709551616",
            "-18446744073709551615.5",
        ] {
            sum.add(Number::new(text.as_bytes())).unwrap();
        }
        assert_eq!(sum.to_string(), "0");
        assert_eq!(sum.mean(7).as_deref(), Some("0"));
    }
}
