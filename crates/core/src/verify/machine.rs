//! The grammar of RFC 8259 one byte at a time. It finds the offset of an error.
//!
//! The verdict path (`verify/`) only detects that a chunk has an error. This machine starts from the state at the start
//! of that chunk, and stops at the first byte at which the text is no longer a prefix of any valid JSON text. It is
//! also the reference that the verdict path is tested against.

use super::Carry;
use super::scalars::Scalars;
use crate::stack::Stack;
use crate::syntax::ErrorKind;

/// The tokens that the grammar allows next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expect {
    Value,
    ValueOrClose,
    Key,
    KeyOrClose,
    Colon,
    /// A comma or the closing bracket; at depth 0, the end or the next value of a stream.
    Comma,
}

/// The state within a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lexical {
    Between,
    String,
    Escape,
    /// Inside `\uXXXX`; the number of missing digits.
    Unicode(u8),
    /// Inside a UTF-8 sequence: the number of missing continuation bytes, and the bounds of the next one.
    Utf8 {
        wanted: u8,
        low: u8,
        high: u8,
    },
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    /// Inside a literal, after `read` bytes of it.
    Literal {
        word: &'static [u8],
        read: u8,
    },
}

/// The machine: the state within a token, the expected tokens, and the open containers.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) lexical: Lexical,
    pub(crate) expect: Expect,
    pub(crate) stack: Stack,
    pub(crate) stream: bool,
    pub(crate) max_depth: u64,
    /// A root value has started.
    pub(crate) begun: bool,
}

impl Machine {
    /// A machine at the start of a text.
    #[cfg(test)]
    pub(crate) fn new(stream: bool, max_depth: u64) -> Self {
        Machine {
            lexical: Lexical::Between,
            expect: Expect::Value,
            stack: Stack::default(),
            stream,
            max_depth,
            begun: false,
        }
    }

    /// A machine in the state that the verdict path carries from one chunk to the next.
    ///
    /// # Errors
    ///
    /// Some kernels detect a byte that starts no UTF-8 sequence only with the byte after it. If it is the last byte
    /// before the offset to resume at, returns the error and its distance from that offset in bytes.
    pub(crate) fn resume(carry: &Carry, stack: Stack) -> Result<Self, (ErrorKind, u64)> {
        let Carry {
            scan,
            grammar,
            scalars,
        } = carry;
        let lexical = if scan.strings.inside != 0 {
            match (scan.strings.escape, scan.strings.hex) {
                (1, _) => Lexical::Escape,
                (_, 0) => open_sequence(&scan.utf8.last)?,
                (_, digits) => Lexical::Unicode(digits.trailing_ones() as u8),
            }
        } else if scan.scalar == 1 {
            resume_scalar(scalars)
        } else {
            Lexical::Between
        };
        let expect = match (grammar.key, grammar.value, grammar.colon, grammar.opened) {
            (1, _, _, 1) => Expect::KeyOrClose,
            (1, _, _, _) => Expect::Key,
            (_, 1, _, 1) => Expect::ValueOrClose,
            (_, 1, _, _) => Expect::Value,
            (_, _, 1, _) => Expect::Colon,
            _ => Expect::Comma,
        };
        Ok(Machine {
            lexical,
            expect,
            begun: !(grammar.value == 1 && stack.depth == 0),
            stack,
            stream: grammar.stream != 0,
            max_depth: grammar.max_depth,
        })
    }

    /// Reads `bytes` up to the first error; returns its kind and its offset in `bytes`.
    pub(crate) fn run(&mut self, bytes: &[u8]) -> Result<(), (ErrorKind, usize)> {
        for (at, &byte) in bytes.iter().enumerate() {
            self.step(byte).map_err(|kind| (kind, at))?;
        }
        Ok(())
    }

    /// Checks whether the text may end here.
    pub(crate) fn finish(&self) -> Result<(), ErrorKind> {
        let token_complete = match self.lexical {
            Lexical::Between
            | Lexical::Zero
            | Lexical::Integer
            | Lexical::Fraction
            | Lexical::ExponentDigits => true,
            Lexical::Literal { word, read } => read as usize == word.len(),
            _ => false,
        };
        let value_complete =
            self.stack.depth == 0 && (self.expect == Expect::Comma || self.stream && !self.begun);
        if token_complete && value_complete {
            Ok(())
        } else {
            Err(ErrorKind::UnexpectedEnd)
        }
    }

    /// Reads one byte.
    pub(crate) fn step(&mut self, byte: u8) -> Result<(), ErrorKind> {
        self.lexical = match self.lexical {
            Lexical::Between => return self.token(byte),
            Lexical::String => match byte {
                b'"' => Lexical::Between,
                b'\\' => Lexical::Escape,
                0..0x20 => return Err(ErrorKind::ControlCharacter),
                0x20..0x80 => Lexical::String,
                _ => utf8_lead(byte)?,
            },
            Lexical::Escape => match byte {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Lexical::String,
                b'u' => Lexical::Unicode(4),
                _ => return Err(ErrorKind::BadEscape),
            },
            Lexical::Unicode(wanted) => match (byte.is_ascii_hexdigit(), wanted) {
                (false, _) => return Err(ErrorKind::BadUnicodeEscape),
                (true, 1) => Lexical::String,
                (true, _) => Lexical::Unicode(wanted - 1),
            },
            open @ Lexical::Utf8 { .. } => utf8_continue(open, byte)?,
            Lexical::Minus => match byte {
                b'0' => Lexical::Zero,
                b'1'..=b'9' => Lexical::Integer,
                _ => return Err(ErrorKind::ExpectedDigitAfterMinus),
            },
            Lexical::Zero => match byte {
                b'.' => Lexical::Point,
                b'e' | b'E' => Lexical::Exponent,
                _ => return self.scalar_end(byte),
            },
            Lexical::Integer => match byte {
                b'0'..=b'9' => Lexical::Integer,
                b'.' => Lexical::Point,
                b'e' | b'E' => Lexical::Exponent,
                _ => return self.scalar_end(byte),
            },
            Lexical::Point => match byte {
                b'0'..=b'9' => Lexical::Fraction,
                _ => return Err(ErrorKind::ExpectedFractionDigit),
            },
            Lexical::Fraction => match byte {
                b'0'..=b'9' => Lexical::Fraction,
                b'e' | b'E' => Lexical::Exponent,
                _ => return self.scalar_end(byte),
            },
            Lexical::Exponent => match byte {
                b'0'..=b'9' => Lexical::ExponentDigits,
                b'+' | b'-' => Lexical::ExponentSign,
                _ => return Err(ErrorKind::ExpectedExponentDigit),
            },
            Lexical::ExponentSign => match byte {
                b'0'..=b'9' => Lexical::ExponentDigits,
                _ => return Err(ErrorKind::ExpectedExponentDigit),
            },
            Lexical::ExponentDigits => match byte {
                b'0'..=b'9' => Lexical::ExponentDigits,
                _ => return self.scalar_end(byte),
            },
            Lexical::Literal { word, read } => match word.get(read as usize) {
                None => return self.scalar_end(byte),
                Some(&wanted) if wanted == byte => Lexical::Literal {
                    word,
                    read: read + 1,
                },
                Some(_) => return Err(ErrorKind::BadLiteral),
            },
        };
        Ok(())
    }

    /// Reads the byte after a complete number or literal: white space, a structural byte, or (between values of a
    /// stream) a quote. Any other byte would belong to the scalar, so `1true` is not a stream of two values.
    fn scalar_end(&mut self, byte: u8) -> Result<(), ErrorKind> {
        self.lexical = Lexical::Between;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b'{' | b'}' | b'[' | b']' | b':' | b',' | b'"' => {
                self.token(byte)
            }
            _ => Err(self.unexpected()),
        }
    }

    /// Reads a byte between tokens.
    fn token(&mut self, byte: u8) -> Result<(), ErrorKind> {
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            return Ok(());
        }
        if self.expect == Expect::Comma && self.stack.depth == 0 && self.stream {
            self.expect = Expect::Value;
        }
        match (self.expect, byte) {
            (Expect::Comma, b',') if self.stack.depth > 0 => {
                self.expect = match self.stack.object() {
                    1 => Expect::Key,
                    _ => Expect::Value,
                };
            }
            (Expect::Comma, b'}' | b']') if self.closes(byte) => self.close(),
            (Expect::KeyOrClose, b'}') | (Expect::ValueOrClose, b']') => self.close(),
            (Expect::Colon, b':') => self.expect = Expect::Value,
            (Expect::Key | Expect::KeyOrClose, b'"') => {
                self.expect = Expect::Colon;
                self.lexical = Lexical::String;
            }
            (Expect::Value | Expect::ValueOrClose, _) => return self.value(byte),
            _ => return Err(self.unexpected()),
        }
        Ok(())
    }

    fn value(&mut self, byte: u8) -> Result<(), ErrorKind> {
        self.lexical = match byte {
            b'{' | b'[' => return self.open(byte),
            b'"' => Lexical::String,
            b'-' => Lexical::Minus,
            b'0' => Lexical::Zero,
            b'1'..=b'9' => Lexical::Integer,
            b't' => literal(b"true"),
            b'f' => literal(b"false"),
            b'n' => literal(b"null"),
            _ => return Err(self.unexpected()),
        };
        self.begun = true;
        self.expect = Expect::Comma;
        Ok(())
    }

    fn open(&mut self, byte: u8) -> Result<(), ErrorKind> {
        if self.stack.depth >= self.max_depth {
            return Err(ErrorKind::TooDeep);
        }
        self.begun = true;
        self.stack.push(u64::from(byte == b'{'));
        self.expect = match byte {
            b'{' => Expect::KeyOrClose,
            _ => Expect::ValueOrClose,
        };
        Ok(())
    }

    fn closes(&self, byte: u8) -> bool {
        self.stack.depth > 0 && self.stack.object() == u64::from(byte == b'}')
    }

    fn close(&mut self) {
        self.stack.pop();
        self.expect = Expect::Comma;
    }

    /// Reads a trailing comma, which is overwritten in the text: allowed like any comma, but no value follows.
    pub(crate) fn trailing_comma(&mut self) -> Result<(), ErrorKind> {
        let (expect, begun) = (self.expect, self.begun);
        // The comma ends a number or a literal.
        self.step(b',')?;
        (self.expect, self.begun) = (expect, begun);
        Ok(())
    }

    /// The error for a token that is not allowed here.
    fn unexpected(&self) -> ErrorKind {
        match self.expect {
            Expect::Value => ErrorKind::ExpectedValue,
            Expect::ValueOrClose => ErrorKind::ExpectedValueOrClose,
            Expect::Key => ErrorKind::ExpectedKey,
            Expect::KeyOrClose => ErrorKind::ExpectedKeyOrClose,
            Expect::Colon => ErrorKind::ExpectedColon,
            Expect::Comma if self.stack.depth == 0 => ErrorKind::TrailingContent,
            Expect::Comma if self.stack.object() == 1 => ErrorKind::ExpectedCommaOrCloseObject,
            Expect::Comma => ErrorKind::ExpectedCommaOrCloseArray,
        }
    }
}

/// The state inside a string after these three bytes.
fn open_sequence(last: &[u8; 3]) -> Result<Lexical, (ErrorKind, u64)> {
    let Some(lead) = last.iter().rposition(|&byte| byte >= 0xC0) else {
        return Ok(Lexical::String);
    };
    let mut lexical = utf8_lead(last[lead]).map_err(|kind| (kind, (last.len() - lead) as u64))?;
    for _ in &last[lead + 1..] {
        lexical = match lexical {
            Lexical::Utf8 { wanted: 2.., .. } => continuation(lexical),
            _ => Lexical::String,
        };
    }
    Ok(lexical)
}

/// The state after one more byte of a sequence that lacks at least two bytes.
fn continuation(lexical: Lexical) -> Lexical {
    match lexical {
        Lexical::Utf8 { wanted, .. } => Lexical::Utf8 {
            wanted: wanted - 1,
            low: 0x80,
            high: 0xBF,
        },
        other => other,
    }
}

/// The state inside a number or a literal, from the bits that classify its last byte.
fn resume_scalar(scalars: &Scalars) -> Lexical {
    let begun = |word, starts: u64| Lexical::Literal {
        word,
        read: starts.leading_zeros() as u8 + 1,
    };
    match scalars {
        Scalars { minus: 1, .. } => Lexical::Minus,
        Scalars { zero: 1, .. } => Lexical::Zero,
        Scalars { integer: 1, .. } => Lexical::Integer,
        Scalars { point: 1, .. } => Lexical::Point,
        Scalars { fraction: 1, .. } => Lexical::Fraction,
        Scalars { exponent: 1, .. } => Lexical::Exponent,
        Scalars { sign: 1, .. } => Lexical::ExponentSign,
        Scalars {
            exponent_digit: 1, ..
        } => Lexical::ExponentDigits,
        Scalars { r#true: 1.., .. } => begun(b"true", scalars.r#true),
        Scalars { null: 1.., .. } => begun(b"null", scalars.null),
        Scalars { r#false: 1.., .. } => begun(b"false", scalars.r#false),
        // Only `false` is longer than the four bytes whose starts are recorded.
        _ => Lexical::Literal {
            word: b"false",
            read: 5,
        },
    }
}

fn literal(word: &'static [u8]) -> Lexical {
    Lexical::Literal { word, read: 1 }
}

/// The state after a further byte of a UTF-8 sequence.
pub(crate) fn utf8_continue(open: Lexical, byte: u8) -> Result<Lexical, ErrorKind> {
    match open {
        Lexical::Utf8 { low, high, .. } if !(low..=high).contains(&byte) => {
            Err(ErrorKind::InvalidUtf8)
        }
        Lexical::Utf8 { wanted: 2.., .. } => Ok(continuation(open)),
        _ => Ok(Lexical::String),
    }
}

/// The state after the first byte of a UTF-8 sequence of more than one byte (RFC 3629, section 4).
pub(crate) fn utf8_lead(byte: u8) -> Result<Lexical, ErrorKind> {
    let (wanted, low, high) = match byte {
        0xC2..=0xDF => (1, 0x80, 0xBF),
        0xE0 => (2, 0xA0, 0xBF),
        0xED => (2, 0x80, 0x9F),
        0xE1..=0xEF => (2, 0x80, 0xBF),
        0xF0 => (3, 0x90, 0xBF),
        0xF4 => (3, 0x80, 0x8F),
        0xF1..=0xF3 => (3, 0x80, 0xBF),
        _ => return Err(ErrorKind::InvalidUtf8),
    };
    Ok(Lexical::Utf8 { wanted, low, high })
}
