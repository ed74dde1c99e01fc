//! Shortens very long numbers to the digits that decide which double is nearest.

/// A number that may be gigabytes long. Retains only the digits that decide how it is rounded.
#[derive(Debug, Default)]
pub(super) struct Abridged {
    component: Component,
    negative: bool,
    /// Digits without leading zeros, at most [`DECISIVE`].
    digits: Vec<u8>,
    /// A digit that was dropped was not zero.
    beyond: bool,
    /// The power of ten by which to multiply the retained digits, as an integer.
    scale: i64,
    exponent: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Component {
    #[default]
    Integer,
    Fraction,
    Exponent,
}

/// Number of significant digits that decide the nearest double; the longest number halfway between two doubles has 767.
pub(super) const DECISIVE: usize = 800;

/// Bytes of an exponent to retain: the digits of no text can outweigh a longer exponent.
const EXPONENT: usize = 18;

impl Abridged {
    /// Reads the text.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match (byte, self.component) {
                (b'.', _) => self.component = Component::Fraction,
                (b'e' | b'E', _) => self.component = Component::Exponent,
                (_, Component::Exponent) => self.exponent_byte(byte),
                (b'0'..=b'9', part) => self.digit(byte, part == Component::Fraction),
                _ => self.negative = true,
            }
        }
    }

    fn digit(&mut self, digit: u8, fraction: bool) {
        if digit == b'0' && self.digits.is_empty() {
            self.scale -= i64::from(fraction);
        } else if self.digits.len() < DECISIVE {
            self.digits.push(digit);
            self.scale -= i64::from(fraction);
        } else {
            self.beyond |= digit != b'0';
            self.scale += i64::from(!fraction);
        }
    }

    fn exponent_byte(&mut self, byte: u8) {
        match byte {
            b'+' => {}
            b'0' if matches!(self.exponent[..], [] | [b'-']) => {}
            _ if self.exponent.len() < EXPONENT => self.exponent.push(byte),
            _ => {}
        }
    }

    /// A short number that rounds to the same double, written as an integer if the whole number is.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        text.extend(self.negative.then_some(b'-'));
        if self.digits.is_empty() {
            text.push(b'0')
        } else {
            text.extend_from_slice(&self.digits)
        }
        if self.component == Component::Integer {
            // An integer with more digits than are retained is beyond any double.
            text.extend(std::iter::repeat_n(b'0', self.scale.clamp(0, 800) as usize));
            return text;
        }
        let mut scale = self.scale;
        if self.beyond {
            text.push(b'1');
            scale -= 1;
        }
        let exponent = std::str::from_utf8(&self.exponent).ok();
        let exponent: i64 = exponent.and_then(|digits| digits.parse().ok()).unwrap_or(0);
        let exponent = exponent.saturating_add(scale);
        text.extend_from_slice(format!("e{exponent}").as_bytes());
        text
    }
}
