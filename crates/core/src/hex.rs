//! Hexadecimal digits: decodes the four digits of a `\u` escape by table, and encodes them.
//!
//! Two tables of 256 entries hold the value of a digit, the second already shifted left by four, and a
//! negative number for every byte that is not a digit. A negative number stays negative under `|`, so one
//! sign test at the end covers all four digits:
//!
//! ```text
//! bytes      d       8       3       D
//! tables   H1[d]   H0[8]   H1[3]   H0[D]
//!          0x0d0 | 0x008   0x030 | 0x00d
//!               0x0d8  << 8  |  0x03d     =  0xd83d
//! ```
//!
//! Four loads and four operations without a branch in between; 1 KiB of tables.

/// The value of a digit; −1 for any other byte.
static LOW: [i16; 256] = digits(0);
/// The same, shifted left by four; negative for any byte that is not a digit.
static HIGH: [i16; 256] = digits(4);

const fn digits(shift: u32) -> [i16; 256] {
    let mut table = [-1; 256];
    let mut value = 0;
    while value < 16 {
        let digit = DIGITS[value];
        table[digit as usize] = (value as i16) << shift;
        table[digit.to_ascii_uppercase() as usize] = (value as i16) << shift;
        value += 1;
    }
    table
}

/// The digits by their value, in lower case.
const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Decodes four hexadecimal digits of either case, the first one highest; `None` when one of the bytes is not a digit.
///
/// Four table lookups, no branch until the end.
///
/// ```
/// use jsonx_core::hex::decode4;
///
/// assert_eq!(decode4(b"041f"), Some(0x041f));
/// assert_eq!(decode4(b"D83d"), Some(0xd83d));
/// assert_eq!(decode4(b"00g0"), None);
/// ```
#[inline]
pub fn decode4(digits: &[u8; 4]) -> Option<u16> {
    let [a, b, c, d] = digits.map(usize::from);
    // In 32 bits, so that shifting by eight keeps the sign of a bad digit.
    let upper = i32::from(HIGH[a] | LOW[b]);
    let lower = i32::from(HIGH[c] | LOW[d]);
    let unit = upper << 8 | lower;
    (unit >= 0).then_some(unit as u16)
}

/// Decodes two hexadecimal digits of either case, as in the percent-encoding of URIs (RFC 3986, section 2.1); `None` when
/// one of the bytes is not a digit.
///
/// ```
/// use jsonx_core::hex::decode2;
///
/// assert_eq!(decode2(b"2F"), Some(b'/'));
/// assert_eq!(decode2(b"+1"), None);
/// ```
#[inline]
pub fn decode2(digits: &[u8; 2]) -> Option<u8> {
    let [a, b] = digits.map(usize::from);
    u8::try_from(HIGH[a] | LOW[b]).ok()
}

/// Encodes a number as four hexadecimal digits, in lower case.
///
/// ```
/// use jsonx_core::hex::{decode4, encode4};
///
/// assert_eq!(&encode4(0xd83d), b"d83d");
/// assert_eq!(decode4(&encode4(7)), Some(7));
/// ```
#[inline]
pub fn encode4(number: u16) -> [u8; 4] {
    [12, 8, 4, 0].map(|shift| DIGITS[usize::from(number >> shift & 15)])
}

/// The number of hexadecimal digits that `bytes` begins with.
#[inline]
pub fn count_digits(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|&&byte| LOW[usize::from(byte)] >= 0)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_unit_in_both_cases() {
        for unit in 0..=u16::MAX {
            let lower = format!("{unit:04x}");
            let upper = format!("{unit:04X}");
            assert_eq!(decode4(lower.as_bytes().try_into().unwrap()), Some(unit));
            assert_eq!(decode4(upper.as_bytes().try_into().unwrap()), Some(unit));
            assert_eq!(encode4(unit), lower.as_bytes());
        }
    }

    #[test]
    fn every_byte_at_every_position() {
        for position in 0..4 {
            for byte in 0..=u8::MAX {
                let mut digits = *b"f9A0";
                digits[position] = byte;
                let expected = char::from(byte)
                    .is_ascii_hexdigit()
                    .then(|| u16::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap());
                assert_eq!(decode4(&digits), expected, "{digits:?}");
                if let Some(pair) = digits.as_chunks::<2>().0.get(position / 2) {
                    let expected = expected.map(|unit| unit.to_be_bytes()[position / 2]);
                    assert_eq!(decode2(pair), expected, "{pair:?}");
                }
                assert_eq!(
                    count_digits(&digits),
                    if expected.is_some() { 4 } else { position }
                );
            }
        }
    }

    #[test]
    fn two_bad_digits_do_not_cancel() {
        for first in [b'g', 0, 0xff, b'"'] {
            for second in [b'G', b' ', 0x80, b'\\'] {
                assert_eq!(decode4(&[first, second, b'0', b'0']), None);
                assert_eq!(decode4(&[b'0', first, second, b'f']), None);
                assert_eq!(decode4(&[first, b'0', b'f', second]), None);
            }
        }
    }
}
