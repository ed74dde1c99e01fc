//! Writes integers and floats: floats with the fewest digits that read back as the same float. In a tie, the even decimal is
//! chosen, as in JavaScript; the standard library chooses the greater one.

pub use zmij::Float;

/// Appends a decimal integer.
#[inline]
pub fn push_integer(value: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends a finite float, with a point or an exponent.
#[inline]
pub fn push_float(value: impl Float + Into<f64>, out: &mut Vec<u8>) {
    let mut buffer = zmij::Buffer::new();
    match float_parts(value, &mut buffer) {
        [text, ""] => out.extend_from_slice(text.as_bytes()),
        parts => parts
            .iter()
            .for_each(|part| out.extend_from_slice(part.as_bytes())),
    }
}

/// The text of a finite float, before and after the plus sign of its exponent, which is omitted.
#[inline]
pub fn float_parts(value: impl Float + Into<f64>, buffer: &mut zmij::Buffer) -> [&str; 2] {
    let text = buffer.format_finite(value);
    // Smaller ones have no such sign, and a search takes a tenth of the time of writing them.
    let may_have_plus = value.into().abs() > 1e10;
    let (before, after) = if may_have_plus {
        text.split_once('+').unwrap_or((text, ""))
    } else {
        (text, "")
    };
    [before, after]
}

/// Appends a finite double as ECMAScript writes it (`Number::toString`): an integer has no point below 10²¹, and an exponent a sign.
pub fn push_ecmascript(value: f64, out: &mut Vec<u8>) {
    if value == 0.0 {
        out.push(b'0');
        return;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value);
    let Some((mantissa, exponent)) = text.split_once('e') else {
        let text = text.strip_suffix(".0").unwrap_or(text);
        out.extend_from_slice(text.as_bytes());
        return;
    };
    let mantissa = match mantissa.strip_prefix('-') {
        Some(positive) => {
            out.push(b'-');
            positive
        }
        None => mantissa,
    };
    let whole = mantissa.find('.').unwrap_or(mantissa.len());
    let digits = mantissa.replace('.', "");
    let digits = digits.as_bytes();
    let zeros = |out: &mut Vec<u8>, count: i32| out.extend((0..count).map(|_| b'0'));
    // The value is 0.DIGITS times this power of ten.
    let point = whole as i32 + exponent.parse().unwrap_or(0);
    let count = digits.len() as i32;
    match point {
        // No double has more digits than fit before the point here.
        1..=21 => {
            out.extend_from_slice(digits);
            zeros(out, point - count);
        }
        -5..=0 => {
            out.extend_from_slice(b"0.");
            zeros(out, -point);
            out.extend_from_slice(digits);
        }
        _ => {
            let (first, others) = digits.split_at(1);
            out.extend_from_slice(first);
            if !others.is_empty() {
                out.push(b'.');
                out.extend_from_slice(others);
            }
            out.extend_from_slice(if point > 0 { b"e+" } else { b"e-" });
            push_integer((point - 1).unsigned_abs(), out);
        }
    }
}

#[cfg(test)]
mod tests;
