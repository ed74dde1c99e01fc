//! The least, the greatest and the mean of numbers.

use core::cmp::Ordering;

use jsonx_core::number::{Number, compare};

/// From here on, a sum of doubles might overflow: 2⁵³ times less than the greatest one.
const LARGE: f64 = 1e292;

/// The numbers at a path.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    least: Bound,
    greatest: Bound,
    count: u64,
    /// Doubles that do not overlap, in increasing order of magnitude: their sum is that of the numbers, exactly, so it does not
    /// depend on the order in which they are added (Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997).
    sum: Vec<f64>,
    /// A number is too large for the sum.
    is_large: bool,
    /// All are whole, also those written with a fraction or an exponent.
    are_whole: bool,
}

#[derive(Clone, Debug)]
struct Bound {
    text: Box<[u8]>,
    /// Rounded.
    double: f64,
}

impl Bound {
    /// Takes the place of the bound if it is exactly in this order to it.
    fn update(&mut self, text: &[u8], double: f64, order: Ordering) {
        let rounded = double.partial_cmp(&self.double);
        if rounded == Some(order)
            || rounded == Some(Ordering::Equal) && compare(text, &self.text) == order
        {
            *self = Bound {
                text: text.into(),
                double,
            };
        }
    }
}

/// The nearest double; infinite beyond the range of doubles.
fn double(number: Number<'_>) -> f64 {
    let sign = if number.raw().starts_with(b"-") {
        -1.0
    } else {
        1.0
    };
    number.as_f64().unwrap_or(sign * f64::INFINITY)
}

impl Numbers {
    /// The first number.
    pub(super) fn new(number: Number<'_>) -> Numbers {
        let bound = Bound {
            text: number.raw().into(),
            double: double(number),
        };
        let mut numbers = Numbers {
            least: bound.clone(),
            greatest: bound,
            count: 0,
            sum: Vec::new(),
            is_large: false,
            are_whole: true,
        };
        numbers.add(number);
        numbers
    }

    /// Adds a number.
    pub(super) fn add(&mut self, number: Number<'_>) {
        let (text, double) = (number.raw(), double(number));
        self.least.update(text, double, Ordering::Less);
        self.greatest.update(text, double, Ordering::Greater);
        self.count += 1;
        self.are_whole &= number.is_integer() || number.decimal().is_whole();
        self.is_large |= double.abs() >= LARGE;
        if !self.is_large {
            self.add_double(double);
        }
    }

    fn add_double(&mut self, mut double: f64) {
        let mut kept = 0;
        for at in 0..self.sum.len() {
            let (mut large, mut small) = (double, self.sum[at]);
            if large.abs() < small.abs() {
                (large, small) = (small, large);
            }
            double = large + small;
            let error = small - (double - large);
            if error != 0.0 {
                self.sum[kept] = error;
                kept += 1;
            }
        }
        self.sum.truncate(kept);
        self.sum.push(double);
    }

    /// Adds later numbers.
    pub(super) fn merge(&mut self, other: Numbers) {
        let Bound { text, double } = &other.least;
        self.least.update(text, *double, Ordering::Less);
        let Bound { text, double } = &other.greatest;
        self.greatest.update(text, *double, Ordering::Greater);
        self.count += other.count;
        self.are_whole &= other.are_whole;
        self.is_large |= other.is_large;
        if !self.is_large {
            other
                .sum
                .into_iter()
                .for_each(|double| self.add_double(double));
        }
    }

    /// Whether all are integers of any size: `1.0` and `1e2` are.
    pub(super) fn are_whole(&self) -> bool {
        self.are_whole
    }

    /// The texts of the least and the greatest number; the first ones of equal numbers.
    pub(super) fn bounds(&self) -> [&[u8]; 2] {
        [&self.least.text, &self.greatest.text]
    }

    /// The mean of the numbers as doubles; `None` if one is too large to add.
    pub(super) fn mean(&self) -> Option<f64> {
        (!self.is_large).then_some(nearest(&self.sum) / self.count as f64)
    }
}

/// The double nearest to the sum of doubles that do not overlap, in increasing order of magnitude.
fn nearest(parts: &[f64]) -> f64 {
    let mut parts = parts.iter().rev().copied();
    let mut sum = parts.next().unwrap_or_default();
    while let Some(part) = parts.next() {
        let before = sum;
        sum = before + part;
        let error = part - (sum - before);
        if error == 0.0 {
            continue;
        }
        // Halfway between two doubles, the next part decides.
        let is_same_side = parts
            .next()
            .is_some_and(|next| next.signum() == error.signum());
        let other = sum + 2.0 * error;
        if is_same_side && other - sum == 2.0 * error {
            sum = other;
        }
        break;
    }
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers<'t>(mut texts: impl Iterator<Item = &'t str>) -> Numbers {
        let number = |text: &'t str| Number::new(text.as_bytes());
        let mut numbers = Numbers::new(number(texts.next().unwrap()));
        texts.for_each(|text| numbers.add(number(text)));
        numbers
    }

    #[test]
    fn means_are_those_of_exact_sums() {
        for (texts, mean) in [
            ("0.1 0.2 0.3", 0.6 / 3.0),
            ("1e16 1 1e-16", (1e16 + 2.0) / 3.0),
            ("1e16 1 -1e-16", 1e16 / 3.0),
            ("1 1e100 1 -1e100", 0.5),
            ("9007199254740993 9007199254740993", 9007199254740992.0),
            ("-0", 0.0),
            ("1e291 1e291", 1e291),
        ] {
            assert_eq!(numbers(texts.split(' ')).mean(), Some(mean), "{texts}");
        }
        assert_eq!(numbers(["1", "-1e400"].into_iter()).mean(), None);
        let exact = numbers(
            "9007199254740993 9007199254740992 9007199254740994 9007199254740994.0".split(' '),
        );
        assert_eq!(
            exact.bounds(),
            [&b"9007199254740992"[..], b"9007199254740994"]
        );
        let exact = numbers("-1e400 -1e401 1e400".split(' '));
        assert_eq!(exact.bounds(), [&b"-1e401"[..], b"1e400"]);
    }

    proptest! {
        /// Threads take any number of parts of a file.
        #[test]
        fn parts_change_nothing(doubles in prop::collection::vec(any::<f64>(), 2..40), at in 1..39usize) {
            let texts: Vec<String> = doubles.iter().map(|double| format!("{double:e}")).collect();
            let all = || texts.iter().map(|text| text.as_str());
            let whole = numbers(all());
            let at = at.min(texts.len() - 1);
            let mut parts = numbers(all().take(at));
            parts.merge(numbers(all().skip(at)));
            prop_assert_eq!(parts.bounds(), whole.bounds());
            prop_assert_eq!(parts.mean(), whole.mean());
            prop_assert_eq!(numbers(all().rev()).mean(), whole.mean());
        }
    }
}
