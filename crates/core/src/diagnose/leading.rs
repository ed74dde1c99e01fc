//! Detects text around the document: the banner or the log of a tool, the sentences of a person or a language model.

use super::character::character_at;
use super::code::Code;
use super::collector::Collector;
use super::diagnostic::{Applicability::Review, Span};
use super::lexer::{Kind, Lexer, Token, is_number, is_scalar};
use super::parser::{Parser, Settings};

/// The maximum number of places tried as the start of the document: each may cost a pass over the text.
const TRIES: usize = 4;

/// The maximum distance, in bytes, to the document.
const REACH: usize = 64 << 10;

/// Text around the document, and the document.
pub(super) struct Around {
    /// From the first character of the text to the document.
    pub before: Span,
    pub document: Span,
    /// The document is valid.
    pub valid: bool,
}

/// Finds the document in a text that starts with something that is not JSON: lines of a log, or a sentence. It is the
/// longest of the first few values; of values of the same length, the first.
pub(super) fn find(
    text: &[u8],
    start: usize,
    settings: Settings,
    steps: &mut u64,
) -> Option<Around> {
    let mut lexer = Lexer::new(text, start, Collector::muted());
    lexer.dialect = settings.dialect;
    let (first, second) = (lexer.next_token(), lexer.next_token());
    let unlikely = match first.kind {
        Kind::Bare | Kind::Junk | Kind::Operator | Kind::Template | Kind::Expression => {
            lexer.findings.errors == 0
        }
        // `[INFO] …` and `3 files read`
        Kind::Number | Kind::OpenArray => matches!(
            second.kind,
            Kind::Bare | Kind::Junk | Kind::Operator | Kind::Colon
        ),
        _ => false,
    };
    // `False {}` are values, and `[None]` is an array.
    let word = match first.kind {
        Kind::OpenArray => second,
        _ => first,
    };
    let is_value = word.kind == Kind::Bare && is_scalar(&text[word.start()..word.end()]);
    if !unlikely || is_value {
        return None;
    }
    // `[False, {}]` is an array, `[INFO] {}` is not.
    let mut at = match first.kind {
        Kind::OpenArray => {
            let end = end_of_array(&mut lexer, second, first.start() + REACH);
            *steps += lexer.steps();
            end?
        }
        _ => first.start(),
    };
    let mut best: Option<Around> = None;
    let mut tries = 0;
    let end = text.len().min(first.start() + REACH);
    while tries < TRIES
        && let Some(next) = memchr::memchr2(b'{', b'[', &text[at..end])
    {
        at += next;
        let candidate = at;
        at += 1;
        if candidate == first.start() || !starts_document(&text[candidate..]) {
            continue;
        }
        if !is_prose(text, first.start(), candidate) {
            continue;
        }
        tries += 1;
        let outcome = Parser::new(text, candidate, Collector::new(1), settings).run();
        *steps += outcome.steps;
        let valid = outcome.findings.errors == 0 && !outcome.findings.deviated;
        let trimmed = text.trim_ascii_end().len();
        let end = match outcome.first_value_end {
            Some(end) if !outcome.gave_up => end,
            _ => trimmed,
        };
        // `a: {}, b: 1` is no prose around `{}`.
        let next = text[end..].trim_ascii_start().first();
        if matches!(next, Some(b',' | b':' | b'}' | b']')) && keyed(&text[..candidate]) {
            return None;
        }
        if best
            .as_ref()
            .is_none_or(|best| end - candidate > best.document.end - best.document.start)
        {
            best = Some(Around {
                before: Span::new(first.start(), candidate),
                document: Span::new(candidate, end),
                valid: valid && end == trimmed,
            });
        }
        // What is inside a document is shorter.
        at = at.max(end);
        if at >= text.len().min(first.start() + REACH) {
            break;
        }
    }
    best
}

/// The end of the array that was opened before `token`, if it is before `end`.
fn end_of_array(lexer: &mut Lexer<'_>, mut token: Token, end: usize) -> Option<usize> {
    let mut depth = 1;
    loop {
        match token.kind {
            Kind::OpenArray | Kind::OpenObject | Kind::OpenParen => depth += 1,
            Kind::CloseArray | Kind::CloseObject | Kind::CloseParen => depth -= 1,
            _ => {}
        }
        if token.kind == Kind::End || token.end() > end {
            return None;
        }
        if depth == 0 {
            // The array may be all there is.
            let more = lexer.next_token().kind != Kind::End;
            return more.then_some(token.end());
        }
        token = lexer.next_token();
    }
}

/// Whether a `{` or `[` looks like the start of a document rather than of `[INFO]` or `{placeholder}`.
fn starts_document(text: &[u8]) -> bool {
    let inside = text[1..].trim_ascii_start();
    let word = inside
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-$.".contains(byte));
    let word = word.count();
    let after = inside[word..].trim_ascii_start().first();
    match (text[0], inside.first()) {
        (_, None) => false,
        (_, Some(b'"' | b'\'' | b'/' | 0x80..)) => true,
        (b'{', Some(b'}')) | (b'[', Some(b']')) => true,
        (b'{', Some(_)) => word > 0 && after == Some(&b':'),
        (_, Some(b'{' | b'[')) => true,
        (_, Some(byte)) if byte.is_ascii_digit() || *byte == b'-' => {
            is_number(&inside[..word]) && matches!(after, Some(b',' | b']'))
        }
        _ => is_scalar(&inside[..word]) && matches!(after, Some(b',' | b']')),
    }
}

/// Whether a key and a colon precede the document on its line.
fn keyed(before: &[u8]) -> bool {
    before.trim_ascii_end().ends_with(b":")
}

/// Whether the lines before the document contain something that is not JSON. `[1]` above `{}` is two values.
fn is_prose(text: &[u8], start: usize, end: usize) -> bool {
    let mut lexer = Lexer::new(&text[..end], start, Collector::muted());
    loop {
        match lexer.next_token().kind {
            Kind::Bare | Kind::Junk | Kind::Operator | Kind::Template | Kind::Expression => {
                return true;
            }
            Kind::End => return false,
            _ => {}
        }
    }
}

/// Reports the text around a document as one finding.
pub(super) fn report(text: &[u8], around: &Around, findings: &mut Collector<'_>) {
    let (first, document) = (around.before.start, around.document);
    let line = memchr::memchr2(b'\n', b'\r', &text[first..]).map_or(text.len(), |i| first + i);
    let end = first + text[first..line.min(document.start)].trim_ascii_end().len();
    let headers = text[first..].starts_with(b"HTTP/");
    let after = text[document.end..].trim_ascii_end().len();
    let rest =
        document.end + (text[document.end..].len() - text[document.end..].trim_ascii_start().len());
    // `[INFO] …` was saved with the output of a program, a sentence comes from a person or a model.
    let lines = memchr::memchr2(b'\n', b'\r', &text[first..document.start]).is_some();
    findings.report(Code::LeadingText, Span::new(first, end), |d| {
        d.message(match after {
            0 => "text before the JSON document",
            _ => "text around the JSON document",
        })
        .label("not part of the document")
        .related(
            Span::new(document.start, document.start + 1),
            match around.valid {
                true => "the document starts here, and is valid",
                false => "the document starts here",
            },
        )
        .replace(Review, around.before, "");
        if after > 0 {
            d.related(Span::new(rest, character_at(text, rest).end), "and ends before this");
            d.replace(Review, Span::new(document.end, document.end + after), "");
        }
        if headers {
            d.help("the headers of the answer were saved with it: `curl` without `-i`");
        } else if lines && after == 0 {
            d.help("redirect only the output that is JSON: keep logs on stderr, or use `npm run --silent` and the like");
        }
    });
}
