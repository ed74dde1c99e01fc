//! Numbers longer than anybody needs them: cut to the digits that decide which double is nearest.

/// A number that comes in parts and may be gigabytes long, of which as much is retained as decides how it is rounded.
#[derive(Debug, Default)]
pub(crate) struct Abridged {
    part: Part,
    negative: bool,
    /// Digits without leading zeros, [`DECISIVE`] at most.
    digits: Vec<u8>,
    /// A digit that is not kept was not zero.
    beyond: bool,
    /// The power of ten that the kept digits, as an integer, are to be multiplied with.
    scale: i64,
    exponent: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Integer,
    Fraction,
    Exponent,
}

/// As many significant digits as can decide what a double makes of them; the longest number halfway between two doubles
/// has 767.
pub(super) const DECISIVE: usize = 800;

/// So many bytes of an exponent are findings: one of more digits is out of all proportion to the length of any text.
const EXPONENT: usize = 18;

impl Abridged {
    /// Takes the next part of the text.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match (byte, self.part) {
                (b'.', _) => self.part = Part::Fraction,
                (b'e' | b'E', _) => self.part = Part::Exponent,
                (_, Part::Exponent) => self.exponent_byte(byte),
                (b'0'..=b'9', part) => self.digit(byte, part == Part::Fraction),
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

    /// A short number that is rounded to the same double, and is written as an integer if the whole one is.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        text.extend(self.negative.then_some(b'-'));
        match self.digits.is_empty() {
            true => text.push(b'0'),
            false => text.extend_from_slice(&self.digits),
        }
        if self.part == Part::Integer {
            // More digits than are kept are beyond any double.
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
