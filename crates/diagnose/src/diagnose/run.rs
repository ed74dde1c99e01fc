//! Examines a whole text: its format, its encoding, and its mistakes.

use jsonx_core::engine::Mode;
use jsonx_core::order::sort_by_place;

use super::character::character_at;
use super::code::Code;
use super::collector::{Collector, Each};
use super::diagnostic::{Diagnostic, Span};
use super::leading::Around;
use super::parser::Parser;
use super::{
    Advice, DiagnoseOptions, Framing, Lints, Report, encoding, format, leading, lints, plain,
};

/// Finds every mistake in `bytes`.
///
/// Reports an error if and only if the text is not JSON (or, with [`DiagnoseOptions::max_depth`], too deep). Offsets
/// in the report refer to `bytes`, or to [`Report::text`] if it is set.
///
/// Takes time proportional to the length of the text, about ten times that of validating it, and memory proportional
/// to the nesting depth and to the number of findings that [`DiagnoseOptions::limit`] allows, about 600 bytes each.
///
/// ```
/// use jsonx_diagnose::{diagnose, Framing, DiagnoseOptions};
///
/// assert!(diagnose(b"[1, 2]", &DiagnoseOptions::default()).is_valid());
/// let lines = DiagnoseOptions::default().framing(Framing::Lines);
/// let report = diagnose(b"[1]\n[2,]\n[3]\n", &lines);
/// assert_eq!(report.errors, 1);
/// assert_eq!(report.diagnostics[0].record, Some(2));
/// ```
pub fn diagnose(bytes: &[u8], options: &DiagnoseOptions) -> Report {
    run(bytes, options, None)
}

/// Finds every mistake in `bytes` and passes each on as soon as it is final: with [`DiagnoseOptions::limit`] 0, a text
/// full of mistakes takes no more memory than any other.
///
/// Calls `each` with the text that the finding refers to, which is `bytes` or its decoded form, and the finding.
/// Findings arrive sorted by position. A few thousand are held back, in case a later one precedes them; one that comes
/// even later arrives out of order. [`Report::diagnostics`] is empty.
///
/// ```
/// use jsonx_diagnose::{DiagnoseOptions, diagnose_each};
///
/// let text = "[1 1]".replace("1 1", &"1 ".repeat(50_000));
/// let options = DiagnoseOptions::default().limit(0);
/// let (mut count, mut last) = (0, 0);
/// let report = diagnose_each(text.as_bytes(), &options, |_, finding| {
///     assert!(finding.span.start >= last);
///     (count, last) = (count + 1, finding.span.start);
/// });
/// assert_eq!((report.errors, count), (49_999, 49_999));
/// assert!(report.diagnostics.is_empty());
/// ```
pub fn diagnose_each(
    bytes: &[u8],
    options: &DiagnoseOptions,
    mut each: impl FnMut(&[u8], Diagnostic),
) -> Report {
    run(bytes, options, Some(&mut each))
}

fn run<'a>(bytes: &[u8], options: &DiagnoseOptions, each: Option<&'a mut Each<'a>>) -> Report {
    // Offsets have 32 bits. Lines are examined one by one, so the limit applies to each of them.
    let too_long = options.framing != Framing::Lines && is_too_long(bytes, options);
    let wide = encoding::wide(bytes).filter(|_| !too_long && !format::is_binary(bytes));
    // UTF-16 grows by half when a unit becomes three bytes of UTF-8.
    let longest = match options.framing {
        Framing::Lines => usize::MAX,
        _ => longest(options),
    };
    let decoded = wide.as_ref().map(|wide| wide.decode(bytes, longest));
    let mut report = Report::default();
    let text = match &decoded {
        None => bytes,
        Some(text) => text.as_deref().unwrap_or_default(),
    };
    let mut findings = match each {
        Some(each) => Collector::streaming(options.most(), each),
        None => Collector::new(options.most()),
    };
    if too_long {
        fall_back(bytes, 0, options, &mut findings);
        return finish(report, findings, bytes);
    }
    if let Some(wide) = wide {
        wide.report(&mut findings, text);
    }
    report = match decoded {
        Some(None) => finish(report, findings, bytes),
        _ => examine(text, options, findings, report),
    };
    report.text = decoded.flatten();
    report
}

fn is_too_long(text: &[u8], options: &DiagnoseOptions) -> bool {
    text.len() > longest(options)
}

/// The length of the longest text to examine.
fn longest(options: &DiagnoseOptions) -> usize {
    options.max_input.min(u32::MAX as usize - 1)
}

/// Examines a text in UTF-8, valid or not.
fn examine<'a>(
    text: &'a [u8],
    options: &DiagnoseOptions,
    mut findings: Collector<'a>,
    mut report: Report,
) -> Report {
    let start = if text.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    };
    if start > 0 && options.lints.byte_order_mark {
        let place = lints::after_byte_order_mark(text);
        findings.report(Code::ByteOrderMark, place, |d| {
            lints::describe(d, b"", None)
        });
    }
    report.steps += text.len() as u64;
    let answer = match options.framing {
        Framing::OneValue => leading::skip_reasoning(text, start, &mut findings),
        _ => start,
    };
    // Between records, there may be lines of anything.
    let first = match options.framing {
        Framing::Lines => memchr::memchr(b'\n', text).map_or(text, |end| &text[..end]),
        _ => text,
    };
    let is_foreign = if answer == start {
        format::report(first, start, &mut findings)
    } else {
        // It is reported after the text before it is removed.
        format::report(&text[answer..], 0, &mut Collector::muted())
    };
    let start = answer;
    if is_foreign {
        return finish(report, findings, text);
    }
    if options.framing != Framing::Lines {
        encoding::check_utf8(text, &mut findings);
        report.steps += text.len() as u64;
    }
    if options.framing == Framing::Lines {
        lines(text, start, options, &mut findings, &mut report);
    } else {
        let around = match options.framing {
            Framing::OneValue => leading::find(text, start, options, &mut report.steps),
            // Other text is reported where it stands, between the values; those of `3 true {}` need none.
            _ => leading::find(text, start, options, &mut report.steps).filter(|around| {
                let line = text[start..].split(|&byte| byte == b'\n').next();
                let engine = jsonx_core::engine::Options::default()
                    .dialect(options.dialect)
                    .mode(Mode::Stream);
                let is_stream =
                    jsonx_core::engine::validate_with(line.unwrap_or_default(), engine).is_ok();
                let several = around.several.as_ref();
                let is_response = text[around.before.start..].starts_with(b"HTTP/");
                !is_stream && (is_response || several.is_some_and(|all| all.one_a_line))
            }),
        };
        let Some(document) = document(text, start, options, around, &mut findings) else {
            return finish(report, findings, text);
        };
        let values;
        (findings, values) = parse(text, document, options, findings, &mut report);
        report.values = values;
    }
    finish(report, findings, text)
}

/// Reports the text around a document, or a text of another kind, and returns the document to parse, if there is one.
fn document(
    text: &[u8],
    start: usize,
    options: &DiagnoseOptions,
    around: Option<Around>,
    findings: &mut Collector<'_>,
) -> Option<Span> {
    match around {
        Some(around) => {
            leading::report(text, &around, findings);
            (!around.valid && around.several.is_none()).then_some(around.document)
        }
        None => {
            (!plain::report(text, start, options, findings)).then_some(Span::new(start, text.len()))
        }
    }
}

/// Parses a document in a text. Returns the findings and the number of values.
fn parse<'a>(
    text: &'a [u8],
    Span { start, end }: Span,
    options: &DiagnoseOptions,
    findings: Collector<'a>,
    report: &mut Report,
) -> (Collector<'a>, u64) {
    let outcome = Parser::new(&text[..end], start, findings, *options).run();
    report.steps += outcome.steps;
    let mut findings = outcome.findings;
    if outcome.gave_up || findings.errors == 0 {
        fall_back(text, start, options, &mut findings);
    }
    (findings, outcome.values)
}

/// Examines every line as a text of its own.
fn lines(
    text: &[u8],
    start: usize,
    options: &DiagnoseOptions,
    findings: &mut Collector<'_>,
    report: &mut Report,
) {
    let mut next = start;
    let mut record = 0;
    while next < text.len() {
        // Only a line feed ends a record: a carriage return is white space (RFC 8259), also before a line feed.
        let at = next;
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |i| at + i);
        let line = &text[at..end];
        next = end + 1;
        if line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            continue;
        }
        record += 1;
        report.values += 1;
        let is_plain = options.lints == Lints::NONE && options.max_depth == 0;
        let engine = jsonx_core::engine::Options::default().dialect(options.dialect);
        if is_plain && jsonx_core::engine::validate_with(line, engine).is_ok() {
            report.steps += line.len() as u64;
            continue;
        }
        let mut found = Collector::new(options.most());
        if is_too_long(line, options) {
            fall_back(line, 0, options, &mut found);
            findings.absorb(found, at, record);
            continue;
        }
        let around = leading::find(line, 0, options, &mut report.steps);
        let Some(document) = document(line, 0, options, around, &mut found) else {
            findings.absorb(found, at, record);
            continue;
        };
        let streams = findings.is_streaming() && found.errors == 0;
        // With findings passed on, a long record full of mistakes takes no more memory than any other.
        let mut each = |_: &[u8], diagnostic: Diagnostic| {
            let horizon = at + diagnostic.span.start;
            findings.adopt(diagnostic, at, record);
            if findings.is_full() {
                findings.emit_before(text, horizon, |_| false);
            }
        };
        if streams {
            found = Collector::streaming(options.most(), &mut each);
        }
        encoding::check_utf8(line, &mut found);
        let (mut found, _) = parse(line, document, options, found, report);
        let last = end == text.len();
        for d in found.retained.values_mut().filter(|_| last) {
            if d.code == Code::TruncatedInput {
                d.help.clear();
                d.message("the last record is truncated");
                d.help("the file is probably incomplete: an interrupted download or write, or a size limit");
            } else if d.code == Code::UnclosedBracket {
                d.note("no line feed follows this last record: it may be truncated");
            }
        }
        let rest = found.into_rest();
        findings.absorb(rest, at, record);
        if findings.is_full() {
            findings.emit_before(text, end, |_| false);
        }
    }
}

/// Runs the validator, and reports its error: only the offset from which the text is not JSON.
fn fall_back(text: &[u8], start: usize, options: &DiagnoseOptions, findings: &mut Collector<'_>) {
    let options = jsonx_core::engine::Options::default()
        .mode(options.framing.into())
        .dialect(options.dialect);
    let Err(error) = jsonx_core::engine::validate_with(&text[start..], options) else {
        return;
    };
    let at = (start as u64).saturating_add(error.offset);
    let at = usize::try_from(at).unwrap_or(text.len()).min(text.len());
    let diagnostic = syntax_error(error, text, at);
    findings.report(Code::SyntaxError, diagnostic.span, |slot| {
        *slot = diagnostic
    });
}

/// The `syntax-error` finding for an error of the validator: for an input that is too long to examine, or of which
/// only the bytes around the error are available.
///
/// `at` is the offset of the error in `excerpt`, and the span of the finding refers to it too.
///
/// ```
/// use jsonx_diagnose::syntax_error;
/// let error = jsonx_core::validate(b"[1, 2, oops").unwrap_err();
/// let finding = syntax_error(error, b"2, oops", 3);
/// assert_eq!(finding.span.start, 3);
/// assert_eq!(finding.message, "invalid JSON: expected a value");
/// ```
pub fn syntax_error(error: jsonx_core::SyntaxError, excerpt: &[u8], at: usize) -> Diagnostic {
    let at = at.min(excerpt.len());
    let span = match excerpt.get(at) {
        Some(b'\n' | b'\r') => Span::point(at),
        _ => character_at(excerpt, at),
    };
    let mut diagnostic = Diagnostic::new(Code::SyntaxError, span);
    diagnostic
        .message(format_args!("invalid JSON: {error}"))
        .label("not JSON from here on");
    diagnostic
}

fn finish(mut report: Report, mut findings: Collector<'_>, text: &[u8]) -> Report {
    let mut all: Vec<_> = std::mem::take(&mut findings.retained)
        .into_values()
        .collect();
    sort_by_place(&mut all, |d| (d.span.start, d.span.end));
    // Three features of JSON5 that JSON lacks suggest that the file was meant to be JSON5.
    let signs = [
        Code::Comment,
        Code::SingleQuotes,
        Code::UnquotedKey,
        Code::TrailingComma,
    ];
    let signs = signs.iter().filter(|&&code| findings.number_of(code) > 0);
    if signs.count() >= 3
        && let Some(last) = all.last_mut()
    {
        last.advice.get_or_insert(Advice::ReadJson5);
    }
    let is_json5 = |finding: &&mut Box<Diagnostic>| {
        let word = text.get(finding.span.start..finding.span.end);
        let is_word = word.is_some_and(|word| {
            [&b"NaN"[..], b"Infinity"]
                .iter()
                .any(|it| word.ends_with(it))
        });
        finding.code == Code::NonFiniteNumber && is_word
    };
    if let Some(first) = all.iter_mut().find(is_json5) {
        first.advice.get_or_insert(Advice::ReplaceNonFinite);
    }
    sort_by_place(&mut findings.omitted, |omitted| (omitted.first, 0));
    debug_assert!(
        all.iter()
            .all(|d| d.span.start <= d.span.end && d.span.end <= text.len())
    );
    report.diagnostics = findings.emit_all(text, all.into_iter());
    report.errors = findings.errors;
    report.warnings = findings.warnings;
    report.omitted = findings.omitted;
    report
}
