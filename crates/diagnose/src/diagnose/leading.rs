//! Detects text around the document: the banner or log of a tool, sentences of a person or a language model.

use super::DiagnoseOptions;
use super::advice::Advice;
use super::character::character_at;
use super::code::Code;
use super::collector::Collector;
use super::diagnostic::{Applicability::Review, Span};
use super::embedded::{self, Embedded};
use super::lexer::{Lexer, Token, TokenKind, is_scalar};
use super::parser::Parser;

/// The maximum number of positions tried as the start of the document: each may cost a pass over the text.
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
    /// All documents, if there are several.
    pub several: Option<Embedded>,
}

/// Finds the document in a text that starts with something that is not JSON: lines of a log, or a sentence. It is the
/// longest of the first few values; of values of the same length, the first.
pub(super) fn find(
    text: &[u8],
    start: usize,
    options: &DiagnoseOptions,
    steps: &mut u64,
) -> Option<Around> {
    let mut lexer = Lexer::new(text, start, Collector::muted());
    lexer.dialect = options.dialect;
    let (first, second) = (lexer.next_token(), lexer.next_token());
    let unlikely = match first.kind {
        kind if kind.is_other_text() => lexer.findings.errors == 0,
        // `[INFO] …` and `3 files read`
        TokenKind::Number | TokenKind::OpenArray => matches!(
            second.kind,
            TokenKind::Bare
                | TokenKind::Junk
                | TokenKind::Operator
                | TokenKind::Colon
                | TokenKind::CloseParen
        ),
        _ => false,
    };
    // `False {}` are values, and `[None]` is an array.
    let word = match first.kind {
        TokenKind::OpenArray => second,
        _ => first,
    };
    let is_value = word.kind == TokenKind::Bare && is_scalar(&text[word.start()..word.end()]);
    // The mark of a list: `- {"a": 1}`, `1. {"a": 1}`.
    let is_mark = match &text[word.start()..word.end()] {
        b"-" => true,
        [number @ .., b'.'] => {
            number.iter().all(u8::is_ascii_digit)
                && matches!(second.kind, TokenKind::OpenObject | TokenKind::OpenArray)
        }
        _ => false,
    };
    let is_value = is_value && !is_mark;
    if !unlikely || is_value {
        return None;
    }
    // `[False, {}]` is an array, `[INFO] {}` is not.
    let mut at = match first.kind {
        TokenKind::OpenArray => {
            let end = end_of_array(&mut lexer, second, first.start() + REACH);
            *steps += lexer.steps();
            end?
        }
        _ => first.start(),
    };
    // Values in the headers of a response are not the document.
    let outside = headers_end(text, first.start()).unwrap_or(first.start());
    at = at.max(outside);
    let mut best: Option<Around> = None;
    let mut tries = 0;
    let end = text.len().min(first.start() + REACH);
    while tries < TRIES
        && let Some(next) = memchr::memchr2(b'{', b'[', &text[at..end])
    {
        at += next;
        let candidate = at;
        at += 1;
        if candidate == first.start() || !embedded::starts_value(text, candidate) {
            continue;
        }
        if !is_prose(text, first.start(), candidate) {
            continue;
        }
        tries += 1;
        let outcome = Parser::new(text, candidate, Collector::new(1), *options).run();
        *steps += outcome.steps;
        let valid = outcome.findings.errors == 0 && !outcome.findings.deviated;
        let trimmed = text.trim_ascii_end().len();
        let end = match outcome.first_value_end {
            Some(end) if !outcome.gave_up => end,
            _ => trimmed,
        };
        // `a: {}, b: 1` is not prose around `{}`.
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
                several: None,
            });
        }
        // Values inside a document are shorter.
        at = at.max(end);
        if at >= text.len().min(first.start() + REACH) {
            break;
        }
    }
    let mut best = best?;
    let document = best.document;
    let line = memchr::memrchr(b'\n', &text[..document.start]).map_or(0, |at| at + 1);
    let mark = &text[line.max(outside)..document.start];
    let before = embedded::values_like(&text[..document.start - mark.len()], outside, mark);
    let beside = embedded::values(&text[..document.start], document.start - mark.len());
    let after = embedded::values_like(text, document.end, mark);
    *steps += before.steps + beside.steps + after.steps;
    let found = [before, beside, after];
    if found.iter().any(|found| !found.values.is_empty()) || spans_records(text, &best) {
        let all = embedded::values(text, outside);
        *steps += all.steps;
        best.several = (all.values.len() > 1).then_some(all);
    }
    Some(best)
}

/// The end of the headers of an HTTP response, and of those of other responses before it: a blank line follows.
fn headers_end(text: &[u8], start: usize) -> Option<usize> {
    let rest = text[start..].strip_prefix(b"HTTP/")?;
    let mut lines = rest.split_inclusive(|&byte| byte == b'\n');
    let mut at = text.len() - rest.len();
    loop {
        let line = lines.next()?;
        at += line.len();
        if line.trim_ascii().is_empty() && !text[at..].starts_with(b"HTTP/") {
            return Some(at);
        }
    }
}

/// The end of the array that was opened before `token`, if it is before `end`.
fn end_of_array(lexer: &mut Lexer<'_>, mut token: Token, end: usize) -> Option<usize> {
    let mut depth = 1_i64;
    loop {
        depth += i64::from(token.kind.opens().is_some()) - i64::from(token.kind.is_closer());
        if token.kind == TokenKind::End || token.end() > end {
            return None;
        }
        if depth == 0 {
            // The array may be the whole document.
            let more = lexer.next_token().kind != TokenKind::End;
            return more.then_some(token.end());
        }
        token = lexer.next_token();
    }
}

/// Whether an unclosed document swallows records after it: further lines with the same text before a value.
fn spans_records(text: &[u8], around: &Around) -> bool {
    let document = &text[around.document.start..around.document.end];
    let Some(line) = memchr::memchr(b'\n', document).filter(|_| !around.valid) else {
        return false;
    };
    let before = text[..around.document.start].rsplit(|&byte| byte == b'\n');
    let before = before.into_iter().next().unwrap_or_default();
    if before.trim_ascii().is_empty() {
        return false;
    }
    let next = document[line + 1..].split(|&byte| byte == b'\n');
    next.take(LINES)
        .any(|line| embedded::like(before, line).is_some())
}

/// The number of lines that are compared with the first one.
const LINES: usize = 20;

/// Whether a key and a colon precede the document on its line.
fn keyed(before: &[u8]) -> bool {
    before.trim_ascii_end().ends_with(b":")
}

/// Whether the lines before the document contain something that is not JSON. `[1]` above `{}` is two values.
fn is_prose(text: &[u8], start: usize, end: usize) -> bool {
    let mut lexer = Lexer::new(&text[..end], start, Collector::muted());
    // `1) {}`
    lexer.any(|token| token.kind.is_other_text() || token.kind == TokenKind::CloseParen)
}

/// Reports the reasoning of a language model before its answer, and returns where the answer starts.
pub(super) fn skip_reasoning(text: &[u8], start: usize, findings: &mut Collector<'_>) -> usize {
    let Some(end) = embedded::after_reasoning(text, start) else {
        return start;
    };
    let first = start + (text[start..].len() - text[start..].trim_ascii_start().len());
    let line = memchr::memchr2(b'\n', b'\r', &text[first..end]).map_or(end, |i| first + i);
    let length = text[first..line].trim_ascii_end().len();
    let values = embedded::values(&text[..end], first).values.len();
    findings.report(Code::LeadingText, Span::new(first, first + length), |d| {
        d.message(match values {
            0 => "the reasoning of a language model before its answer".to_owned(),
            1 => "the reasoning of a language model before its answer, with a JSON value in it".to_owned(),
            count => format!("the reasoning of a language model before its answer, with {count} JSON values in it"),
        })
        .label("not part of the answer")
        .related(character_at(text, end), "the answer starts here")
        .replace(Review, Span::new(first, end), "");
    });
    end
}

/// Reports text that follows a document and contains others, up to its first line end.
pub(super) fn report_several(
    text: &[u8],
    code: Code,
    around: Span,
    all: &Embedded,
    findings: &mut Collector<'_>,
) {
    let count = all.values.len();
    findings.report(code, around, |d| {
        let each = if all.one_a_line { ", one per line" } else { "" };
        d.message(match count {
            1 => "text around a JSON value".to_owned(),
            _ => format!("text around {count} JSON values{each}"),
        })
        .label("not part of any value");
        if let [first, second, ..] = all.values[..] {
            let at = |value: Span| character_at(text, value.start);
            d.related(at(first), "the first value starts here")
                .related(at(second), "and the second here");
        }
        if all.one_a_line {
            d.detected = Some("log");
            d.advise(Advice::ExtractValues);
            d.help("redirect only the output that is JSON: keep logs on stderr, or use `docker compose logs --no-log-prefix` and the like");
        } else {
            d.detected = Some("text");
            d.help("keep one of the values, or put each on its own line, without the text around them");
        }
    });
}

/// Reports the text around a document as one finding.
pub(super) fn report(text: &[u8], around: &Around, findings: &mut Collector<'_>) {
    let (first, document) = (around.before.start, around.document);
    let line = memchr::memchr2(b'\n', b'\r', &text[first..]).map_or(text.len(), |i| first + i);
    let end = first + text[first..line.min(document.start)].trim_ascii_end().len();
    let headers = text[first..].starts_with(b"HTTP/");
    if let Some(all) = &around.several {
        return report_several(
            text,
            Code::LeadingText,
            Span::new(first, end),
            all,
            findings,
        );
    }
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
            if around.valid { "the document starts here, and is valid" } else { "the document starts here" },
        )
        .replace(Review, around.before, "");
        if after > 0 {
            d.related(Span::new(rest, character_at(text, rest).end), "and ends before this");
            d.replace(Review, Span::new(document.end, document.end + after), "");
        }
        if headers {
            d.help("the response headers were saved with it: use `curl` without `-i`");
        } else if lines && after == 0 {
            d.help("redirect only the output that is JSON: keep logs on stderr, or use `npm run --silent` and the like");
        }
    });
}
