//! Prints numbers as jq does.

/// Appends a number: at most 17 digits, an exponent if shorter, infinity as the greatest double, and NaN as `null`.
pub(crate) fn push_number(number: f64, out: &mut Vec<u8>) {
    if number.is_nan() {
        out.extend_from_slice(b"null");
        return;
    }
    let number = number.clamp(f64::MIN, f64::MAX);
    if number.abs() < 1e15
        && number == number.trunc()
        && (number != 0.0 || number.is_sign_positive())
    {
        let mut digits = [0; 20];
        let mut rest = number.abs() as u64;
        let mut at = digits.len();
        while rest > 0 || at == digits.len() {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        if number < 0.0 {
            out.push(b'-');
        }
        out.extend_from_slice(&digits[at..]);
        return;
    }
    // `-d.ddde-ddd`, with the fewest digits that yield the same double.
    let mut scientific = format!("{number:e}");
    // Of two such texts that are equally close, jq prints the one that ends in an even digit: 1000000000000000.25 as `….2`. Only fractions of
    // few bits lie between two texts.
    if scientific.len() > 17 && (number * f64::from(1 << 26)).fract() == 0.0 {
        let mantissa = scientific.find('e').unwrap_or_default();
        let digits = scientific[..mantissa]
            .bytes()
            .filter(u8::is_ascii_digit)
            .count();
        let even = format!("{number:.*e}", digits - 1);
        if even.parse() == Ok(number) {
            scientific = even;
        }
    }
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    // The position of the decimal point after the first digit.
    let point = exponent + 1;
    let length = digits.len() as i32;
    let text = if point <= -4 || point > length + 15 {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        format!(
            "{sign}{first}{dot}{rest}e{exponent_sign}{:02}",
            exponent.abs()
        )
    } else if point <= 0 {
        format!("{sign}0.{}{digits}", "0".repeat(-point as usize))
    } else if point >= length {
        format!("{sign}{digits}{}", "0".repeat((point - length) as usize))
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        format!("{sign}{whole}.{fraction}")
    };
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::push_number;

    #[test]
    fn numbers_print_as_in_jq() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (5.0, "5"),
            (-1.5, "-1.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e15, "1000000000000000"),
            (1e17, "1e+17"),
            (1.1e16, "11000000000000000"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1e-7, "1e-07"),
            (1e300, "1e+300"),
            (f64::INFINITY, "1.7976931348623157e+308"),
            (f64::NEG_INFINITY, "-1.7976931348623157e+308"),
            (1_934_729_802.0 + 81.0 / 256.0, "1934729802.3164062"),
            (1e15 + 0.25, "1000000000000000.2"),
            (1e15 + 0.75, "1000000000000000.8"),
            (f64::NAN, "null"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
        ] {
            let mut out = Vec::new();
            push_number(number, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }
}
