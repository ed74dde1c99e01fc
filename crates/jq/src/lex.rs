//! Tokens of a program. Strings are read by the parser, since they contain programs.

use crate::program_error::Span;

/// A token: its text is the range of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or keyword, with `::` between a module and its names.
    Word,
    /// `.name`
    Field,
    /// `$name`
    Variable,
    /// `@name`
    Format,
    Number,
    /// The opening quote of a string.
    Quote,
    /// An operator or a bracket.
    Symbol,
    End,
    Invalid,
}

/// The operators of more than one byte, longest first.
const SYMBOLS: [&str; 14] = [
    "?//", "//=", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "..",
];

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_word(byte: u8) -> bool {
    is_word_start(byte) || byte.is_ascii_digit()
}

/// The length of the word at the start of a text.
fn word(text: &[u8]) -> usize {
    match text.first() {
        Some(&first) if is_word_start(first) => {
            text.iter().take_while(|&&byte| is_word(byte)).count()
        }
        _ => 0,
    }
}

/// The length of a word that may name modules: `a::b`.
fn qualified(text: &[u8]) -> usize {
    let mut length = word(text);
    while length > 0 && text[length..].starts_with(b"::") {
        match word(&text[length + 2..]) {
            0 => break,
            more => length += 2 + more,
        }
    }
    length
}

/// The length of a number at the start of a text: `1`, `1.5e3`, `.5`.
pub(crate) fn number(text: &[u8]) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let whole = digits(0);
    let mut length = whole;
    if text.get(length) == Some(&b'.') {
        let fraction = digits(length + 1);
        if whole + fraction == 0 {
            return 0;
        }
        length += 1 + fraction;
    }
    if length > 0 && matches!(text.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(length + 1), Some(b'+' | b'-')));
        match digits(length + 1 + sign) {
            0 => {}
            exponent => length += 1 + sign + exponent,
        }
    }
    length
}

/// The offset after white space and comments. A comment ends with its line, unless an odd number of backslashes precedes the
/// line break.
fn skip_space(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'#' => at += comment(&text[at..]),
            _ => break,
        }
    }
    at
}

fn comment(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => {
                at += 1;
                if text.get(at) == Some(&b'\r') && text.get(at + 1) == Some(&b'\n') {
                    at += 1;
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    text.len()
}

/// The token that follows an offset.
pub(crate) fn token(program: &str, from: usize) -> (Token, Span) {
    let start = skip_space(program.as_bytes(), from);
    let text = &program.as_bytes()[start.min(program.len())..];
    let (token, length) = match text {
        [] => (Token::End, 0),
        [b'"', ..] => (Token::Quote, 1),
        [b'$', rest @ ..] => match qualified(rest) {
            0 => (Token::Invalid, 1),
            length => (Token::Variable, 1 + length),
        },
        [b'@', rest @ ..] => match word(rest) {
            0 => (Token::Invalid, 1),
            length => (Token::Format, 1 + length),
        },
        [b'.', rest @ ..] if word(rest) > 0 => (Token::Field, 1 + word(rest)),
        _ if number(text) > 0 => (Token::Number, number(text)),
        _ if qualified(text) > 0 => (Token::Word, qualified(text)),
        [first, ..] => {
            let symbol = SYMBOLS
                .iter()
                .find(|symbol| text.starts_with(symbol.as_bytes()));
            match symbol {
                Some(symbol) => (Token::Symbol, symbol.len()),
                None if b".[]{}()|,:;=<>+-*/%?".contains(first) => (Token::Symbol, 1),
                None => {
                    let character = program[start..].chars().next();
                    (Token::Invalid, character.map_or(1, char::len_utf8))
                }
            }
        }
    };
    let span = Span {
        start: start as u32,
        end: (start + length) as u32,
    };
    (token, span)
}
