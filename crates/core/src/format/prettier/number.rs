//! Numbers as Prettier writes them: lower-case, without redundant digits and signs.

/// Whether a number may have another spelling.
#[inline]
pub(super) fn is_respelled(raw: &[u8]) -> bool {
    has_exponent(raw) || (raw.last() == Some(&b'0') && raw.contains(&b'.'))
}

/// Eight bytes at a time.
#[inline]
fn has_exponent(raw: &[u8]) -> bool {
    // In a number, only `e` and `E` have this bit.
    const LETTER: u8 = 0x40;
    let (words, rest) = raw.as_chunks::<8>();
    let words = words
        .iter()
        .fold(0, |any, word| any | u64::from_ne_bytes(*word));
    let rest = rest.iter().fold(0, |any, byte| any | byte);
    (words & u64::from_ne_bytes([LETTER; 8]) != 0) | (rest & LETTER != 0)
}

/// Appends a number without trailing zeros of its fraction, without the plus sign and leading zeros of its exponent, and without
/// an exponent of 0.
///
/// ```text
/// 1.500  1.00  1E+05  2.50e00
/// 1.5    1.0   1e5    2.5
/// ```
pub(super) fn push(raw: &[u8], out: &mut Vec<u8>) {
    let split = raw.iter().position(|byte| byte | 0x20 == b'e');
    let (mantissa, exponent) = raw.split_at(split.unwrap_or(raw.len()));
    let mut end = mantissa.len();
    if let Some(point) = mantissa.iter().position(|&byte| byte == b'.') {
        while end > point + 2 && mantissa[end - 1] == b'0' {
            end -= 1;
        }
    }
    out.extend_from_slice(&mantissa[..end]);
    let digits = exponent.get(1..).unwrap_or_default();
    let (sign, digits) = match digits.split_first() {
        Some((b'-', rest)) => (&b"e-"[..], rest),
        Some((b'+', rest)) => (&b"e"[..], rest),
        _ => (&b"e"[..], digits),
    };
    let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
    if zeros < digits.len() {
        out.extend_from_slice(sign);
        out.extend_from_slice(&digits[zeros..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_prettier() {
        for (raw, expected) in [
            ("0", "0"),
            ("-0.0", "-0.0"),
            ("0.00", "0.0"),
            ("10", "10"),
            ("100.00", "100.0"),
            ("1.050", "1.05"),
            ("1E0", "1"),
            ("1e-0", "1"),
            ("1.0e0", "1.0"),
            ("1.5e+00", "1.5"),
            ("1e+05", "1e5"),
            ("1E-10", "1e-10"),
            ("1e-010", "1e-10"),
            ("1.50e5", "1.5e5"),
            ("1.00E+2", "1.0e2"),
            ("5e-324", "5e-324"),
        ] {
            let mut out = Vec::new();
            push(raw.as_bytes(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{raw}");
            assert!(is_respelled(raw.as_bytes()) || raw == expected, "{raw}");
        }
    }
}
