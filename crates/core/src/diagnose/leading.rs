//! Detects lines before the document, such as the banner or log of a tool.

use super::code::Code;
use super::collector::Collector;
use super::diagnostic::{Applicability::Review, Span};
use super::lexer::{Kind, Lexer};
use super::parser::{Parser, Settings};

/// The maximum number of lines to skip.
const LINES: usize = 50;

/// The maximum number of lines tried as the start of the document: each may cost a pass over the text.
const TRIES: usize = 4;

/// If the text starts with something that is not JSON, and a later line starts a document that is valid to the end,
/// reports the lines before it.
pub(super) fn check(
    text: &[u8],
    start: usize,
    settings: Settings,
    findings: &mut Collector<'_>,
    steps: &mut u64,
) -> bool {
    let mut lexer = Lexer::new(text, start, Collector::muted());
    lexer.dialect = settings.dialect;
    let (first, second) = (lexer.next_token(), lexer.next_token());
    let unlikely = match first.kind {
        Kind::Bare | Kind::Junk | Kind::Operator | Kind::Template | Kind::Expression => {
            findings.errors == 0
        }
        // `[INFO] …` and `3 files read`
        Kind::Number | Kind::OpenArray => matches!(
            second.kind,
            Kind::Bare | Kind::Junk | Kind::Operator | Kind::Colon
        ),
        _ => false,
    };
    if !unlikely {
        return false;
    }
    let line_end = |at: usize| memchr::memchr2(b'\n', b'\r', &text[at..]).map(|i| at + i + 1);
    let mut at = first.start();
    let mut tries = 0;
    for _ in 0..LINES {
        let Some(next) = line_end(at) else {
            return false;
        };
        at = next;
        let blank = text[at..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        if !matches!(text.get(at + blank), Some(b'{' | b'[')) {
            continue;
        }
        tries += 1;
        if tries > TRIES {
            return false;
        }
        let outcome = Parser::new(text, at, Collector::new(1), settings).run();
        *steps += outcome.steps;
        // Lines that are JSON themselves, such as `[` above `[1]`, belong to the document: then the whole text is
        // examined.
        if outcome.findings.errors == 0
            && !outcome.findings.deviated
            && !outcome.gave_up
            && is_prose(text, first.start(), at)
        {
            report(text, first.start(), at, findings);
            return true;
        }
    }
    false
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

fn report(text: &[u8], first: usize, document: usize, findings: &mut Collector<'_>) {
    let line = memchr::memchr2(b'\n', b'\r', &text[first..]).map_or(text.len(), |i| first + i);
    let end = first + text[first..line].trim_ascii_end().len();
    let at = document
        + text[document..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
    let headers = text[first..].starts_with(b"HTTP/");
    findings.report(Code::LeadingText, Span::new(first, end), |d| {
        d.message("text before the JSON document")
            .label("not part of the document")
            .related(Span::new(at, at + 1), "the document starts here, and is valid")
            .replace(Review, Span::new(first, document), "")
            .help(if headers {
                "the headers of the answer were saved with it: `curl` without `-i`"
            } else {
                "redirect only the output that is JSON: keep logs on stderr, or use `npm run --silent` and the like"
            });
    });
}
