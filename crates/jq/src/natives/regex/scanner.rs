//! Reads the characters and escapes of a pattern, and writes those of the translated one.

use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

pub(super) const SPACE: &str = r"\t-\r\x{85}\p{Z}";
/// `\w` outside of brackets; in brackets, numbers must be decimal.
pub(super) const WORD: &str = r"\p{Alphabetic}\p{M}\p{N}\p{Pc}";

pub(super) type Translated<T = ()> = Result<T, String>;

pub(super) fn wrong<T>(message: &str) -> Translated<T> {
    Err(message.to_owned())
}

pub(super) fn unsupported<T>(construct: &str) -> Translated<T> {
    Err(format!("{construct} is not supported"))
}

/// A pattern, and what it has been translated to so far.
pub(super) struct Scanner<'p> {
    pub input: Peekable<Chars<'p>>,
    pattern: &'p str,
    pub out: String,
}

impl<'p> Scanner<'p> {
    pub(super) fn new(pattern: &'p str) -> Self {
        Scanner {
            input: pattern.chars().peekable(),
            pattern,
            out: String::new(),
        }
    }

    /// `\p{…}` at its letter, as a class that may also be part of one; `None` if no brace follows.
    pub(super) fn property(&mut self) -> Translated<Option<String>> {
        let is_negative = self.input.next() == Some('P');
        if self.input.next_if_eq(&'{').is_none() {
            return Ok(None);
        }
        let is_negative = is_negative != self.input.next_if_eq(&'^').is_some();
        let mut name = String::new();
        loop {
            match self.input.next() {
                Some('}') => break,
                Some(character) => name.push(character),
                None => return Err(format!("invalid character property name {{{name}}}")),
            }
        }
        let known: String = name
            .chars()
            .filter(|c| !matches!(c, ' ' | '_' | '-'))
            .collect();
        let known = known.to_ascii_lowercase();
        let set = match known.as_str() {
            "word" => WORD.to_owned(),
            "punct" => r"\p{P}".to_owned(),
            known => match posix(known) {
                Some(set) => set.to_owned(),
                None => format!(r"\p{{{known}}}"),
            },
        };
        let negation = if is_negative { "^" } else { "" };
        let class = format!("[{negation}{set}]");
        match name.contains(['=', ':', '^']) || fancy_regex::Regex::new(&class).is_err() {
            true => Err(format!("invalid character property name {{{name}}}")),
            false => Ok(Some(class)),
        }
    }

    /// The character that an escape stands for, after its backslash. `\x80` to `\xff` are bytes of UTF-8.
    pub(super) fn escaped(&mut self, is_in_class: bool) -> Translated<char> {
        let Some(first) = self.input.next() else {
            return wrong("end pattern at escape");
        };
        let character = match first {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\x0c',
            'a' => '\x07',
            'e' => '\x1b',
            'b' if is_in_class => '\x08',
            'c' => {
                let code = match self.input.next() {
                    Some('?') => 0x7f,
                    Some('\\') => u32::from(self.input.next().unwrap_or('\\')) & 0x9f,
                    Some(character) => u32::from(character) & 0x9f,
                    None => return wrong("end pattern at control"),
                };
                char::from_u32(code).unwrap_or_default()
            }
            'x' | 'o' if self.input.peek() == Some(&'{') => {
                let mut ahead = self.input.clone();
                ahead.next();
                let digits: String = ahead.by_ref().take_while(|&c| c != '}').collect();
                if digits.is_empty() {
                    return Ok(first);
                }
                let radix = if first == 'x' { 16 } else { 8 };
                match u32::from_str_radix(&digits, radix).map(char::from_u32) {
                    Ok(Some(character)) => {
                        self.input = ahead;
                        character
                    }
                    _ => return wrong("invalid code point value"),
                }
            }
            'x' if self.input.peek().is_some() => {
                let byte = self.digits(16, 2);
                self.decoded(byte)?
            }
            '0'..='7' => {
                let mut code = first.to_digit(8).unwrap_or(0);
                // `\0` and up to two digits; in brackets and for others, up to three.
                code = match self.digits_after(code, 8, 2) {
                    code if code > 0xff => return wrong("too big number"),
                    code => code,
                };
                self.decoded(code)?
            }
            other => other,
        };
        Ok(character)
    }

    fn digits(&mut self, radix: u32, most: usize) -> u32 {
        self.digits_after(0, radix, most)
    }

    fn digits_after(&mut self, mut number: u32, radix: u32, most: usize) -> u32 {
        for _ in 0..most {
            let Some(digit) = self.input.peek().and_then(|digit| digit.to_digit(radix)) else {
                break;
            };
            self.input.next();
            number = number * radix + digit;
        }
        number
    }

    /// The character that begins with a byte; the others must be escaped, too.
    fn decoded(&mut self, first: u32) -> Translated<char> {
        let mut bytes = vec![u8::try_from(first).unwrap_or(u8::MAX)];
        loop {
            match std::str::from_utf8(&bytes) {
                Ok(text) => return text.chars().next().ok_or_else(String::new),
                Err(error) if error.error_len().is_some() => {
                    return wrong("invalid code point value");
                }
                Err(_) => {}
            }
            let mut ahead = self.input.clone();
            if (ahead.next(), ahead.next()) != (Some('\\'), Some('x')) {
                return wrong("too short multibyte code string");
            }
            self.input = ahead;
            let byte = self.digits(16, 2);
            bytes.push(u8::try_from(byte).unwrap_or(u8::MAX));
        }
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        self.input.peek().copied()
    }

    pub(super) fn advance(&mut self) -> Option<char> {
        self.input.next()
    }

    /// The rest of the pattern.
    pub(super) fn rest(&self) -> &str {
        let length: usize = self.input.clone().map(char::len_utf8).sum();
        &self.pattern[self.pattern.len() - length..]
    }

    pub(super) fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Appends a character that stands for itself, inside and outside of brackets.
    pub(super) fn push_literal(&mut self, character: char) {
        if character.is_ascii() && !character.is_ascii_alphanumeric() {
            // Writing to a string does not fail.
            let _ = write!(self.out, r"\x{{{:x}}}", u32::from(character));
        } else {
            self.out.push(character);
        }
    }
}

/// The contents of a class that has a name in POSIX, with Unicode's characters.
pub(super) fn posix(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => r"\p{Alphabetic}\p{Nd}",
        "alpha" => r"\p{Alphabetic}",
        "ascii" => r"\x{0}-\x{7f}",
        "blank" => r"\p{Zs}\t",
        "cntrl" => r"\p{Cc}",
        "digit" => r"\p{Nd}",
        "graph" => r"[^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}]",
        "lower" => r"\p{Lowercase}",
        "print" => r"[^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}]\p{Zs}",
        "punct" => r"\p{P}\p{S}",
        "space" => SPACE,
        "upper" => r"\p{Uppercase}",
        "word" => r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
}
