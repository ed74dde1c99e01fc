//! A parser of JSON5, production by production as in its specification.

use serde_json::{Map, Number, Value};

/// The value of a text, with `null` for `Infinity` and `NaN`; `None` if it is not JSON5.
pub fn parse(text: &str) -> Option<Value> {
    let mut parser = Parser {
        rest: &text.chars().collect::<Vec<_>>()[..],
    };
    let value = parser.value()?;
    parser.gap()?;
    parser.rest.is_empty().then_some(value)
}

struct Parser<'a> {
    rest: &'a [char],
}

fn is_line_end(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn is_space(char: char) -> bool {
    is_line_end(char)
        || matches!(
            char,
            '\t' | '\u{b}' | '\u{c}' | ' ' | '\u{a0}' | '\u{feff}' | '\u{1680}'
        )
        || matches!(
            char,
            '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        )
}

impl Parser<'_> {
    fn take(&mut self, text: &str) -> bool {
        let chars: Vec<char> = text.chars().collect();
        let found = self.rest.starts_with(&chars);
        if found {
            self.rest = &self.rest[chars.len()..];
        }
        found
    }

    fn char(&mut self) -> Option<char> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn gap(&mut self) -> Option<()> {
        loop {
            if self.take("//") {
                while !self.rest.is_empty() && !is_line_end(self.rest[0]) {
                    self.char();
                }
            } else if self.take("/*") {
                while !self.take("*/") {
                    self.char()?;
                }
            } else if self.rest.first().is_some_and(|&char| is_space(char)) {
                self.char();
            } else {
                return Some(());
            }
        }
    }

    fn value(&mut self) -> Option<Value> {
        self.gap()?;
        match *self.rest.first()? {
            '{' => self.object(),
            '[' => self.array(),
            '"' | '\'' => self.string().map(Value::String),
            '+' | '-' | '.' | '0'..='9' | 'I' | 'N' => self.number(),
            _ => match &*self.name()? {
                "null" => Some(Value::Null),
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
        }
    }

    fn array(&mut self) -> Option<Value> {
        self.char();
        let mut values = Vec::new();
        loop {
            self.gap()?;
            if self.take("]") {
                return Some(Value::Array(values));
            }
            values.push(self.value()?);
            self.gap()?;
            if !self.take(",") {
                return self.take("]").then_some(Value::Array(values));
            }
        }
    }

    fn object(&mut self) -> Option<Value> {
        self.char();
        let mut members = Map::new();
        loop {
            self.gap()?;
            if self.take("}") {
                return Some(Value::Object(members));
            }
            let key = match self.rest.first()? {
                '"' | '\'' => self.string()?,
                _ => self.key()?,
            };
            self.gap()?;
            if !self.take(":") {
                return None;
            }
            let value = self.value()?;
            members.insert(key, value);
            self.gap()?;
            if !self.take(",") {
                return self.take("}").then_some(Value::Object(members));
            }
        }
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        (0..digits).try_fold(0, |value, _| Some(value * 16 + self.char()?.to_digit(16)?))
    }

    fn key(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            let char = match self.rest.first() {
                Some('\\') => {
                    self.char();
                    if !self.take("u") {
                        return None;
                    }
                    char::from_u32(self.hex(4)?)?
                }
                Some(&char) if char.is_alphanumeric() || "$_\u{200c}\u{200d}".contains(char) => {
                    self.char()?
                }
                _ => break,
            };
            let begins = char.is_alphabetic() || matches!(char, '$' | '_');
            let goes_on = char.is_alphanumeric() || matches!(char, '\u{200c}' | '\u{200d}');
            if !(begins || goes_on && !name.is_empty()) {
                return None;
            }
            name.push(char);
        }
        (!name.is_empty()).then_some(name)
    }

    /// A run of letters, digits and points.
    fn name(&mut self) -> Option<String> {
        let is_in = |&char: &char| char.is_alphanumeric() || "$_.\\".contains(char);
        let length = self.rest.iter().take_while(|char| is_in(char)).count();
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        (length > 0).then(|| name.iter().collect())
    }

    fn number(&mut self) -> Option<Value> {
        let minus = self.take("-");
        if !minus {
            self.take("+");
        }
        let mut word = self.name()?;
        let value = match &*word {
            "Infinity" | "NaN" => return Some(Value::Null),
            hex if hex.starts_with("0x") || hex.starts_with("0X") => {
                let digits = &hex[2..];
                let valid = digits.chars().all(|digit| digit.is_ascii_hexdigit());
                let value = u64::from_str_radix(digits, 16).ok().filter(|_| valid)?;
                value.to_string()
            }
            _ => {
                if word.ends_with(['e', 'E']) {
                    let sign = match self.rest.first()? {
                        sign @ ('+' | '-') => *sign,
                        _ => return None,
                    };
                    self.char();
                    word.push(sign);
                    word += &self.name()?;
                }
                let (digits, exponent) = match word.find(['e', 'E']) {
                    Some(at) => word.split_at(at),
                    None => (&*word, ""),
                };
                let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
                let are_digits = |text: &str| text.chars().all(|digit| digit.is_ascii_digit());
                let power = exponent.get(1..).unwrap_or("0");
                let power = power.strip_prefix(['+', '-']).unwrap_or(power);
                let valid = are_digits(whole)
                    && are_digits(fraction)
                    && whole.len() + fraction.len() > 0
                    && !(whole.len() > 1 && whole.starts_with('0'))
                    && !power.is_empty()
                    && are_digits(power);
                if !valid {
                    return None;
                }
                let whole = if whole.is_empty() { "0" } else { whole };
                let point = if fraction.is_empty() { "" } else { "." };
                format!("{whole}{point}{fraction}{exponent}")
            }
        };
        let sign = if minus { "-" } else { "" };
        let number: Number = serde_json::from_str(&format!("{sign}{value}")).ok()?;
        Some(Value::Number(number))
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.char()?;
        let mut units = Vec::new();
        loop {
            match self.char()? {
                char if char == quote => return String::from_utf16(&units).ok(),
                '\n' | '\r' => return None,
                '\\' => match self.char()? {
                    'b' => push(&mut units, '\u{8}'),
                    'f' => push(&mut units, '\u{c}'),
                    'n' => push(&mut units, '\n'),
                    'r' => push(&mut units, '\r'),
                    't' => push(&mut units, '\t'),
                    'v' => push(&mut units, '\u{b}'),
                    '0' if !self.rest.first()?.is_ascii_digit() => push(&mut units, '\0'),
                    '0'..='9' => return None,
                    'x' => push(&mut units, char::from_u32(self.hex(2)?)?),
                    'u' => {
                        units.push(self.hex(4)? as u16);
                    }
                    '\r' => {
                        self.take("\n");
                    }
                    char if is_line_end(char) => {}
                    char => push(&mut units, char),
                },
                char => push(&mut units, char),
            }
        }
    }
}

fn push(units: &mut Vec<u16>, char: char) {
    units.extend_from_slice(char.encode_utf16(&mut [0; 2]));
}
