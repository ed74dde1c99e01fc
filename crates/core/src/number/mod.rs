//! Converts the text of a number to an integer or a float, on demand.
//!
//! The text is never modified or expanded: `1e2147483648` costs as little as `1`, and a number of 100,000 digits takes
//! one pass over them.

mod decimal;
pub(crate) mod float;
mod front;
mod non_finite;
pub(crate) mod print;

pub use decimal::Decimal;
pub use non_finite::NonFinite;

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;
use decimal::DECISIVE;
use float::Float;

#[cfg(feature = "serde")]
pub(crate) use front::{FRONT, integer, real};

/// Compares two JSON numbers exactly by value, see [`Decimal`].
///
/// The texts must be numbers by the grammar of RFC 8259; for other texts the result is unspecified. Takes time
/// proportional to their length, and allocates no memory.
///
/// ```
/// use std::cmp::Ordering;
/// use jsonx_core::number::compare;
///
/// assert_eq!(compare(b"1.10e2", b"110"), Ordering::Equal);
/// assert_eq!(compare(b"-1e999999999", b"0.1"), Ordering::Less);
/// assert_eq!(compare(b"9007199254740993", b"9007199254740992.0"), Ordering::Greater);
/// ```
pub fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let is_natural = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    if is_natural(a) && is_natural(b) {
        return a.len().cmp(&b.len()).then_with(|| a.cmp(b));
    }
    Number::new(a).decimal().cmp(&Number::new(b).decimal())
}

/// The text of a number.
///
/// The text is expected to be a number by RFC 8259, as validated by the engine. For any other text the results are
/// unspecified, but no method panics.
///
/// ```
/// use jsonx_core::number::Number;
///
/// let number = Number::new(b"-1.5e3");
/// assert_eq!(number.as_i64(), Some(-1500));
/// assert_eq!(number.as_f64(), Some(-1500.0));
/// assert!(!number.is_integer());
/// ```
#[derive(Clone, Copy)]
pub struct Number<'a> {
    /// Begins with the number: most are converted without a loop if the text is long enough.
    text: &'a [u8],
    length: usize,
}

/// 2⁵³. Doubles represent every integer up to this value, and only some beyond it.
const DOUBLE_INTEGERS: u64 = 1 << 53;

impl<'a> Number<'a> {
    /// Wraps the text of a number, from its minus sign or first digit to its last digit, without white space.
    ///
    /// ```
    /// use jsonx_core::number::Number;
    ///
    /// let values = [&b"1"[..], b"-0.5e1", b"1e400"].map(|raw| Number::new(raw).as_f64());
    /// assert_eq!(values, [Some(1.0), Some(-5.0), None]);
    /// ```
    #[inline]
    pub fn new(raw: &'a [u8]) -> Self {
        Number::at_start(raw, raw.len())
    }

    /// The number of this length at the start of verified text.
    #[inline]
    pub(crate) fn at_start(text: &'a [u8], length: usize) -> Self {
        Number { text, length }
    }

    /// The unchanged text, borrowed from the original.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// let (a, b) = (Number::new(b"9007199254740993"), Number::new(b"9007199254740992"));
    /// assert_eq!(a.as_f64(), b.as_f64());
    /// assert_ne!(a.raw(), b.raw());
    /// // Equality is that of the texts.
    /// assert_ne!(Number::new(b"1.0"), Number::new(b"1"));
    /// ```
    #[inline]
    pub fn raw(self) -> &'a [u8] {
        self.text.get(..self.length).unwrap_or_default()
    }

    fn is_negative(self) -> bool {
        self.text.first() == Some(&b'-')
    }

    /// Whether the number is written as an integer, without fraction and exponent. `1.0` and `1e2` are not, although
    /// [`Number::as_i64`] returns a value for them.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// assert!(Number::new(b"-10").is_integer());
    /// assert!(!Number::new(b"1.0").is_integer());
    /// ```
    pub fn is_integer(self) -> bool {
        let raw = self.raw();
        let digits = raw.strip_prefix(b"-").unwrap_or(raw);
        digits.iter().all(u8::is_ascii_digit)
    }

    /// The value, if it is exactly an `i64`, in any notation; `-0` is 0.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// assert_eq!(Number::new(b"-9223372036854775808").as_i64(), Some(i64::MIN));
    /// assert_eq!(Number::new(b"1.50e1").as_i64(), Some(15));
    /// assert_eq!(Number::new(b"1.5").as_i64(), None);
    /// ```
    pub fn as_i64(self) -> Option<i64> {
        let (negative, magnitude) = self.integer()?;
        if negative {
            0i64.checked_sub_unsigned(magnitude)
        } else {
            magnitude.try_into().ok()
        }
    }

    /// The value, if it is exactly a `u64`, in any notation; `-0` is 0.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// assert_eq!(Number::new(b"18446744073709551615").as_u64(), Some(u64::MAX));
    /// assert_eq!(Number::new(b"-1").as_u64(), None);
    /// ```
    pub fn as_u64(self) -> Option<u64> {
        let (negative, magnitude) = self.integer()?;
        (magnitude == 0 || !negative).then_some(magnitude)
    }

    /// The nearest double, ties to even; `None` if the number is too large, see [`Number::overflows_f64`].
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// assert_eq!(Number::new(b"0.1").as_f64(), Some(0.1));
    /// assert_eq!(Number::new(b"1e400").as_f64(), None);
    /// assert_eq!(Number::new(b"1e-400").as_f64(), Some(0.0));
    /// ```
    pub fn as_f64(self) -> Option<f64> {
        self.nearest().filter(|value: &f64| value.is_finite())
    }

    /// The nearest single-precision float, rounded once; `None` if the number is too large.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// // By way of a double it would be rounded to 1.
    /// let number = Number::new(b"1.000000059604644775390626");
    /// assert_eq!(number.as_f32(), Some(1.000_000_1));
    /// assert_eq!(number.as_f64().map(|double| double as f32), Some(1.0));
    /// assert_eq!(Number::new(b"1e39").as_f32(), None);
    /// ```
    pub fn as_f32(self) -> Option<f32> {
        self.nearest().filter(|value: &f32| value.is_finite())
    }

    /// Whether the number is an integer by [`Number::is_integer`] with a magnitude beyond 2⁵³, which a reader that
    /// stores numbers as doubles may round (RFC 8259, section 6).
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// assert!(!Number::new(b"9007199254740992").exceeds_2_53());
    /// assert!(Number::new(b"-9007199254740993").exceeds_2_53());
    /// ```
    pub fn exceeds_2_53(self) -> bool {
        // 2⁵³ has 16 digits, and most numbers are shorter.
        self.raw().len() >= 16
            && self.is_integer()
            && self
                .integer()
                .is_none_or(|(_, magnitude)| magnitude > DOUBLE_INTEGERS)
    }

    /// Whether the nearest double is infinite, as for `1e400`.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// assert!(Number::new(b"-1e309").overflows_f64());
    /// assert!(!Number::new(b"1.7976931348623157e308").overflows_f64());
    /// ```
    pub fn overflows_f64(self) -> bool {
        // Fewer than 200 digits and an exponent of two digits make less than 10²⁹⁹.
        let short = match memchr::memchr2(b'e', b'E', self.raw()) {
            Some(at) => self.raw().len() < 200 && self.raw().len() - at <= 3,
            None => self.raw().len() < 309,
        };
        !short && self.nearest::<f64>().is_some_and(f64::is_infinite)
    }

    /// The exact value, for comparison regardless of notation.
    ///
    /// Takes time proportional to the length of the text, and allocates no memory.
    ///
    /// ```
    /// # use jsonx_core::number::Number;
    /// let (a, b) = (Number::new(b"1.10e2"), Number::new(b"110"));
    /// assert_ne!(a, b);
    /// assert_eq!(a.decimal(), b.decimal());
    /// ```
    pub fn decimal(self) -> Decimal<'a> {
        Decimal::new(self.raw())
    }

    /// Sign and magnitude, if the value is an integer below 2⁶⁴.
    fn integer(self) -> Option<(bool, u64)> {
        // Fast path: most numbers have few digits.
        let negative = self.is_negative();
        if let Some(front) = self.text.first_chunk()
            && let Some(magnitude) = front::integer(front, negative)
        {
            return Some((negative, magnitude));
        }
        let digits = self.raw().strip_prefix(b"-").unwrap_or(self.raw());
        let parsed = match digits.first() {
            Some(b'0'..=b'9') => str::from_utf8(digits).ok()?.parse().ok(),
            _ => None,
        };
        Some((negative, parsed.or_else(|| self.decimal().magnitude())?))
    }

    /// The nearest float, possibly infinite; `None` for text that is not a number.
    fn nearest<F: FromStr + Float>(self) -> Option<F> {
        if let Some(front) = self.text.first_chunk()
            && let Some(value) = front::real(front, self.is_negative())
        {
            return Some(value);
        }
        // Words that `str::parse` accepts and JSON does not, such as `inf`, start with a letter.
        if !matches!(self.raw(), [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..]) {
            return None;
        }
        // `str::parse` stops counting an exponent at 65536, but 0.[700,000 zeros]1e700001 is 1.
        if self.raw().len() > DECISIVE {
            let sign = if self.is_negative() { "-" } else { "" };
            return format!("{sign}{}", self.decimal().abridged()).parse().ok();
        }
        str::from_utf8(self.raw()).ok()?.parse().ok()
    }
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let raw = String::from_utf8_lossy(self.raw());
        f.debug_tuple("Number").field(&raw).finish()
    }
}

/// By their texts.
impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw() == other.raw()
    }
}

impl Eq for Number<'_> {}

impl Hash for Number<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw().hash(state);
    }
}

#[cfg(test)]
mod tests;
