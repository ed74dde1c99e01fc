//! Detects text without any JSON: prose, an error message, environment variables.

use super::advice::Advice;
use super::code::Code;
use super::collector::Collector;
use super::diagnostic::Span;
use super::embedded;
use super::lexer::{Lexer, Token, TokenKind};
use super::parser::{is_misspelled, is_only_code};
use super::printed;
use super::{DiagnoseOptions, Framing};

/// The number of bytes that the rules for names read.
const REACH: usize = 4096;

/// Reports a text that starts with words that are not a misspelled JSON value, as one finding. A text that may be an
/// object or an array without its opening bracket is left to the parser.
pub(super) fn report(
    text: &[u8],
    start: usize,
    options: &DiagnoseOptions,
    findings: &mut Collector<'_>,
) -> bool {
    let mut lexer = Lexer::new(text, start, Collector::muted());
    lexer.dialect = options.dialect;
    let (first, second) = (lexer.next_token(), lexer.next_token());
    let word = &text[first.start()..first.end()];
    let is_record = options.framing == Framing::Lines;
    let is_word = |token: &Token| {
        token.kind == TokenKind::Bare && !is_misspelled(&text[token.start()..token.end()])
    };
    let is_text = match first.kind {
        // `fae, said the cat` has a word that is nearly `false`.
        TokenKind::Bare => {
            !is_misspelled(word)
                || is_word(&second)
                // `File "a.py", line 1`, of a stack trace between records.
                || is_record && second.kind == TokenKind::String
                || second.kind == TokenKind::Comma && is_word(&lexer.next_token())
        }
        TokenKind::Junk
        | TokenKind::Operator
        | TokenKind::Semicolon
        | TokenKind::Equals
        | TokenKind::Colon => true,
        // `Error from server (NotFound): …`
        TokenKind::Expression if is_prose(word, second.kind == TokenKind::Colon) => true,
        // `f(1);`
        TokenKind::Expression => match second.kind {
            TokenKind::End | TokenKind::Semicolon => is_only_code(word),
            // `Traceback (most recent call last):`, `at f(x.js:1) ~[a]`
            TokenKind::Colon | TokenKind::Bare | TokenKind::Junk | TokenKind::Operator => is_record,
            _ => false,
        },
        // `... 12 more`
        TokenKind::Ellipsis => is_record && second.kind == TokenKind::Number,
        // `(eval):1: error`
        TokenKind::OpenParen => is_word(&second),
        // `3 files read`, `404: Not Found`
        TokenKind::Number | TokenKind::Literal => {
            !second.first
                && (second.is_separator()
                    || is_word(&second)
                    || matches!(second.kind, TokenKind::Junk | TokenKind::Operator))
        }
        _ => false,
    };
    let is_keyed = second.is_separator();
    // Text before, after or between the values of a stream is reported where it stands.
    let may_have_values = is_keyed || options.framing == Framing::Stream;
    if !is_text
        || std::str::from_utf8(word).is_err()
        || is_without_opener(text, start, is_keyed)
        // `a: {}, b: 1`
        || may_have_values && !embedded::values(text, start).values.is_empty()
    {
        return false;
    }
    let at = first.start();
    let rest = &text[at..];
    let line = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    let head = &text[at.min(text.len())..text.len().min(at + REACH)];
    let (name, what) = named(&text[start..text.len().min(start + REACH)], head);
    let length = rest[..line].trim_ascii_end().len();
    findings.report(Code::WrongFormat, Span::new(at, at + length), |d| {
        d.message(format_args!("this {what}, not JSON"))
            .label("no JSON value begins like this");
        d.detected = Some(name);
        d.advice = (name == "logfmt" && !is_record).then_some(Advice::Convert);
        if is_record {
            d.help("if a program wrote this line between the records, remove it");
        } else if name == "text" || name == "http" {
            d.help("if a server or a program should have sent JSON, this is its error message");
        }
    });
    true
}

/// Whether a parenthesis follows a blank and several words, or a word of a message with a colon, as in prose; code calls functions
/// without blanks.
fn is_prose(expression: &[u8], has_colon: bool) -> bool {
    let open = memchr::memchr(b'(', expression).unwrap_or(0);
    let words = &expression[..open];
    let is_word = |byte: &u8| byte.is_ascii_alphabetic() || b" :,'-".contains(byte);
    words.ends_with(b" ")
        && (has_colon || words.trim_ascii().contains(&b' '))
        && words.iter().all(is_word)
        && !words.starts_with(b"new ")
}

/// Whether the last token closes a container that nothing opens: `a: 1}`, `x", "y"]`.
fn is_without_opener(text: &[u8], start: usize, is_keyed: bool) -> bool {
    let closer = match text.trim_ascii_end().last() {
        Some(b'}') if is_keyed => TokenKind::CloseObject,
        Some(b']' | b'}') if memchr::memchr(b'"', text).is_some() => TokenKind::CloseArray,
        _ => return false,
    };
    let mut open = 0_i64;
    for token in Lexer::new(text, start, Collector::muted()) {
        open += i64::from(matches!(
            token.kind,
            TokenKind::OpenObject | TokenKind::OpenArray
        ));
        open -= i64::from(token.kind.closes().is_some());
    }
    open < 0 && (closer == TokenKind::CloseArray || is_keyed)
}

/// The name of a format, and its description. `head` starts after blanks and comments.
fn named(whole: &[u8], head: &[u8]) -> (&'static str, &'static str) {
    let first = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let starts = |prefix: &str| head.starts_with(prefix.as_bytes());
    if starts("HTTP/") {
        return ("http", "is an HTTP response");
    }
    if whole.starts_with(b"#!") {
        return ("script", "is a script");
    }
    if ["SELECT ", "INSERT ", "CREATE ", "UPDATE ", "DELETE FROM "]
        .iter()
        .any(|verb| starts(verb) || starts(&verb.to_ascii_lowercase()))
        && first.trim_ascii_end().ends_with(b";")
    {
        return ("sql", "is SQL");
    }
    if printed::is_logfmt(head) {
        return ("logfmt", "is a log in logfmt");
    }
    match printed::assignments(head) {
        Some(true) => return ("env", "looks like environment variables (`.env`)"),
        Some(false) => return ("ini", "looks like an INI or properties file"),
        None => {}
    }
    ("text", "is plain text")
}
