//! Four hexadecimal digits → one code unit, by table.
//!
//! Two tables of 256 entries hold the value of a digit, the second already shifted left by four, and a
//! negative number for every byte that is no digit. A negative number stays negative under `|`, so one
//! sign test at the end answers for all four digits:
//!
//! ```text
//! bytes      d       8       3       D
//! tables   H1[d]   H0[8]   H1[3]   H0[D]
//!          0x0d0 | 0x008   0x030 | 0x00d
//!               0x0d8  << 8  |  0x03d     =  0xd83d
//! ```
//!
//! Four loads and four operations without a branch in between; 1 KiB of tables.

/// The value of a hexadecimal digit; −1 for any other byte.
static LOW: [i16; 256] = digits(0);
/// The same, shifted left by four; negative for any byte that is no digit.
static HIGH: [i16; 256] = digits(4);

const fn digits(shift: u32) -> [i16; 256] {
    let mut table = [-1; 256];
    let mut value = 0;
    while value < 16 {
        let digit = b"0123456789abcdef"[value];
        table[digit as usize] = (value as i16) << shift;
        table[digit.to_ascii_uppercase() as usize] = (value as i16) << shift;
        value += 1;
    }
    table
}

/// The number that four hexadecimal digits of either case write, the first digit being the highest;
/// `None` when one of the bytes is no digit.
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

/// How many hexadecimal digits `bytes` begins with.
pub(crate) fn count_digits(bytes: &[u8]) -> usize {
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
        }
    }

    #[test]
    fn every_byte_at_every_place() {
        for place in 0..4 {
            for byte in 0..=u8::MAX {
                let mut digits = *b"f9A0";
                digits[place] = byte;
                let expected = char::from(byte)
                    .is_ascii_hexdigit()
                    .then(|| u16::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap());
                assert_eq!(decode4(&digits), expected, "{digits:?}");
                assert_eq!(
                    count_digits(&digits),
                    if expected.is_some() { 4 } else { place }
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
