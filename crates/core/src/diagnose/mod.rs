//! The cold path: why a text is not JSON, where, and what to type instead.
//!
//! ```text
//!  bytes ──▶ encoding ──▶ format ──▶ leading text? ──▶ lexer ──▶ parser ──▶ findings ──▶ Report
//!            UTF-16?      HTML?      a log before it   tolerant  recovers   counted,
//!            UTF-8?       YAML?                        tokens    by repair  sorted
//! ```
//!
//! [`diagnose`] is asked when the verdict is already known, or when lints are wanted. It reads the text as
//! a person would: a malformed token is reported and then taken for what it was meant to be, a missing one
//! is acted as if it were there, and what the indentation and the number of brackets say is believed. So
//! it finds every mistake of a file in one go, and does not take the consequences of one for another.
//!
//! It is slower than the verdict path by an order of magnitude, and linear: every rule that looks ahead
//! remembers its answer ([`Report::steps`] counts, and tests hold it to a bound).
//!
//! The result is plain data. Nothing here prints; positions are offsets of bytes.
//!
//! ```
//! use jsonx_core::diagnose::{diagnose, Code, DiagnoseOptions};
//!
//! let report = diagnose(b"{\n  \"a\": 1\n  \"b\": 2,\n}", &DiagnoseOptions::default());
//! let codes: Vec<Code> = report.diagnostics.iter().map(|d| d.code).collect();
//! assert_eq!(codes, [Code::MissingComma, Code::TrailingComma]);
//! ```

mod advice;
mod character;
mod code;
mod collector;
mod diagnostic;
mod encoding;
mod fix;
mod format;
pub(crate) mod keys;
mod leading;
mod lexer;
mod not_canonical;
mod parser;
mod quote;
pub(crate) mod warnings;

pub use advice::Advice;
pub use code::{Code, Severity, UnknownCode};
pub use collector::Omitted;
pub use diagnostic::{Applicability, Diagnostic, Edit, Fix, Path, Related, Span, Step};
pub use fix::{apply, edits};
pub use not_canonical::not_canonical;

use character::character_at;
use collector::Collector;
use parser::{Expect, Parser, Settings};

/// What the input is to be.
///
/// ```
/// use jsonx_core::diagnose::{Framing, DiagnoseOptions, diagnose};
///
/// let lines = DiagnoseOptions { framing: Framing::Lines, ..DiagnoseOptions::default() };
/// assert!(diagnose(b"{}\n[1]\n", &lines).is_valid());
/// assert!(!diagnose(b"{}\n[1]\n", &DiagnoseOptions::default()).is_valid());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// Exactly one value.
    #[default]
    OneValue,
    /// One value on each line; empty lines are left out (JSON Lines).
    Lines,
    /// Any number of values, one after another.
    Stream,
}

/// Which warnings are wanted.
///
/// ```
/// use jsonx_core::diagnose::{Lints, DiagnoseOptions, diagnose};
///
/// let twice = br#"{"a": 1, "a": 2}"#;
/// let silent = DiagnoseOptions { lints: Lints::NONE, ..DiagnoseOptions::default() };
/// assert_eq!(diagnose(twice, &silent).warnings, 0);
/// assert_eq!(diagnose(twice, &DiagnoseOptions { lints: Lints::ALL, ..silent }).warnings, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lints {
    /// A key that occurs twice in an object.
    pub duplicate_key: bool,
    /// `\ud83d` without its other half.
    pub lone_surrogate: bool,
    /// EF BB BF at the start.
    pub byte_order_mark: bool,
    /// An integer beyond 2^53.
    pub unsafe_integer: bool,
    /// A number that a double takes for infinity.
    pub number_range: bool,
}

impl Lints {
    /// No warnings. Errors are not lints, and are found all the same.
    ///
    /// ```
    /// use jsonx_core::diagnose::{Lints, DiagnoseOptions, diagnose};
    ///
    /// let options = DiagnoseOptions { lints: Lints::NONE, ..DiagnoseOptions::default() };
    /// let report = diagnose(br#"{"a": 1, "a": 2,}"#, &options);
    /// assert_eq!((report.errors, report.warnings), (1, 0));
    /// ```
    pub const NONE: Lints = Lints {
        duplicate_key: false,
        lone_surrogate: false,
        byte_order_mark: false,
        unsafe_integer: false,
        number_range: false,
    };
    /// All warnings; those about numbers are not among the default.
    ///
    /// ```
    /// use jsonx_core::diagnose::{Lints, DiagnoseOptions, diagnose};
    ///
    /// let text = b"[9007199254740993, 1e400]";
    /// let all = DiagnoseOptions { lints: Lints::ALL, ..DiagnoseOptions::default() };
    /// assert_eq!(diagnose(text, &all).warnings, 2);
    /// assert_eq!(diagnose(text, &DiagnoseOptions::default()).warnings, 0);
    /// ```
    pub const ALL: Lints = Lints {
        duplicate_key: true,
        lone_surrogate: true,
        byte_order_mark: true,
        unsafe_integer: true,
        number_range: true,
    };

    /// The codes of the findings that are warnings, and can be left out: one for each field.
    ///
    /// ```
    /// use jsonx_core::diagnose::{Code, Lints};
    ///
    /// let named = |name: &str| Lints::CODES.into_iter().find(|code| code.as_str() == name);
    /// assert_eq!(named("duplicate-key"), Some(Code::DuplicateKey));
    /// assert_eq!(named("trailing-comma"), None);
    /// assert_eq!(Lints::CODES.into_iter().fold(Lints::ALL, |lints, code| lints.with(code, false)), Lints::NONE);
    /// ```
    pub const CODES: [Code; 5] = [
        Code::DuplicateKey,
        Code::UnsafeInteger,
        Code::NumberRange,
        Code::LoneSurrogate,
        Code::ByteOrderMark,
    ];

    /// Whether findings with this code are wanted.
    ///
    /// ```
    /// use jsonx_core::diagnose::{Code, Lints};
    ///
    /// assert!(Lints::ALL.contains(Code::DuplicateKey));
    /// assert!(!Lints::ALL.contains(Code::TrailingComma));
    /// ```
    pub fn contains(self, code: Code) -> bool {
        match code {
            Code::DuplicateKey => self.duplicate_key,
            Code::UnsafeInteger => self.unsafe_integer,
            Code::NumberRange => self.number_range,
            Code::LoneSurrogate => self.lone_surrogate,
            Code::ByteOrderMark => self.byte_order_mark,
            _ => false,
        }
    }

    /// The same with or without the lint of this code; other codes change nothing.
    ///
    /// ```
    /// use jsonx_core::diagnose::{Code, Lints};
    ///
    /// let lints = Lints::NONE.with(Code::NumberRange, true);
    /// assert!(lints.number_range && !lints.duplicate_key);
    /// ```
    #[must_use]
    pub fn with(mut self, code: Code, wanted: bool) -> Lints {
        match code {
            Code::DuplicateKey => self.duplicate_key = wanted,
            Code::UnsafeInteger => self.unsafe_integer = wanted,
            Code::NumberRange => self.number_range = wanted,
            Code::LoneSurrogate => self.lone_surrogate = wanted,
            Code::ByteOrderMark => self.byte_order_mark = wanted,
            _ => {}
        }
        self
    }
}

impl Default for Lints {
    /// The first three. The two about numbers are on request.
    fn default() -> Self {
        Lints {
            unsafe_integer: false,
            number_range: false,
            ..Lints::ALL
        }
    }
}

/// How to examine a text.
///
/// ```
/// use jsonx_core::diagnose::{DiagnoseOptions, diagnose};
///
/// let shallow = DiagnoseOptions { max_depth: 1, ..DiagnoseOptions::default() };
/// assert_eq!(diagnose(b"[[]]", &shallow).errors, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagnoseOptions {
    /// One value, lines or a stream.
    pub framing: Framing,
    /// The warnings.
    pub lints: Lints,
    /// How many errors are described, and how many warnings; the rest is counted. 0: all.
    pub limit: usize,
    /// The levels of nesting that are allowed. 0: any number.
    pub max_depth: usize,
    /// The longest text, in bytes, whose mistakes are looked for; for a longer one there is at most
    /// the one finding `syntax-error`. At most 4 GB.
    pub max_input: usize,
}

impl Default for DiagnoseOptions {
    fn default() -> Self {
        DiagnoseOptions {
            framing: Framing::OneValue,
            lints: Lints::default(),
            limit: 1000,
            max_depth: 0,
            max_input: 256 << 20,
        }
    }
}

/// What was found.
///
/// ```
/// use jsonx_core::diagnose::{DiagnoseOptions, diagnose};
///
/// let report = diagnose(b"[1 2", &DiagnoseOptions::default());
/// assert_eq!((report.is_valid(), report.errors), (false, 2));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The findings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The text they speak of, where that is not the input: a file in UTF-16 or UTF-32, decoded.
    pub text: Option<Vec<u8>>,
    /// All errors, also those that are not described.
    pub errors: u64,
    /// All warnings.
    pub warnings: u64,
    /// What is not described, by code.
    pub omitted: Vec<Omitted>,
    /// An object had so many keys that not all were compared.
    pub keys_unchecked: bool,
    /// Values and records read: 1 for a document.
    pub values: u64,
    /// The work done: bytes and tokens looked at. In proportion to the length of the input.
    pub steps: u64,
}

impl Report {
    /// Whether there is no error. Warnings do not count, unless [`Report::deny`] has made errors of them.
    ///
    /// ```
    /// use jsonx_core::diagnose::{Code, Lints, DiagnoseOptions, diagnose};
    ///
    /// let mut report = diagnose(br#"{"a": 1, "a": 2}"#, &DiagnoseOptions::default());
    /// assert!(report.is_valid());
    /// report.deny(Lints::NONE.with(Code::DuplicateKey, true));
    /// assert!(!report.is_valid());
    /// ```
    pub fn is_valid(&self) -> bool {
        self.errors == 0
    }

    /// Takes the warnings of these lints for errors.
    ///
    /// ```
    /// use jsonx_core::diagnose::{Lints, DiagnoseOptions, diagnose};
    ///
    /// let mut report = diagnose(br#"{"a": 1, "a": 2}"#, &DiagnoseOptions::default());
    /// assert_eq!((report.errors, report.warnings), (0, 1));
    /// report.deny(Lints::ALL);
    /// assert_eq!((report.errors, report.warnings), (1, 0));
    /// ```
    pub fn deny(&mut self, lints: Lints) {
        let denied = |code, severity| severity == Severity::Warning && lints.contains(code);
        let mut count = 0;
        for finding in &mut self.diagnostics {
            if denied(finding.code, finding.severity) {
                finding.severity = Severity::Error;
                count += 1;
            }
        }
        for omitted in &mut self.omitted {
            if denied(omitted.code, omitted.severity) {
                omitted.severity = Severity::Error;
                count += omitted.count;
            }
        }
        self.errors += count;
        self.warnings -= count;
    }
}

/// Examines `bytes` and says everything that is wrong with them.
///
/// An error is reported if and only if the text is not JSON (or, with [`DiagnoseOptions::max_depth`], too deep).
/// In the report, offsets are those of `bytes`, or of [`Report::text`] if there is one.
///
/// ```
/// use jsonx_core::diagnose::{diagnose, Framing, DiagnoseOptions};
///
/// assert!(diagnose(b"[1, 2]", &DiagnoseOptions::default()).is_valid());
/// let lines = DiagnoseOptions { framing: Framing::Lines, ..DiagnoseOptions::default() };
/// let report = diagnose(b"[1]\n[2,]\n[3]\n", &lines);
/// assert_eq!(report.errors, 1);
/// assert_eq!(report.diagnostics[0].record, Some(2));
/// ```
pub fn diagnose(bytes: &[u8], options: &DiagnoseOptions) -> Report {
    let limit = if options.limit == 0 {
        usize::MAX
    } else {
        options.limit
    };
    let mut findings = Collector::new(limit);
    let mut report = Report::default();
    // Offsets inside are 32 bits wide. Lines are examined one by one, and each may be as long.
    if options.framing != Framing::Lines && is_too_long(bytes, options) {
        fall_back(bytes, 0, expect(options), &mut findings);
        return finish(report, findings, bytes);
    }
    let Some(wide) = encoding::wide(bytes) else {
        examine(bytes, options, findings, &mut report);
        return report;
    };
    // UTF-16 grows by half where it becomes three bytes of UTF-8.
    let longest = match options.framing {
        Framing::Lines => usize::MAX,
        _ => longest(options),
    };
    let Some(text) = wide.decode(bytes, longest) else {
        wide.report(&mut findings, &[]);
        return finish(report, findings, bytes);
    };
    wide.report(&mut findings, &text);
    examine(&text, options, findings, &mut report);
    report.text = Some(text);
    report
}

fn is_too_long(text: &[u8], options: &DiagnoseOptions) -> bool {
    text.len() > longest(options)
}

/// The longest text whose mistakes are looked for.
fn longest(options: &DiagnoseOptions) -> usize {
    options.max_input.min(u32::MAX as usize - 1)
}

fn expect(options: &DiagnoseOptions) -> Expect {
    match options.framing {
        Framing::Stream => Expect::ManyValues,
        Framing::OneValue | Framing::Lines => Expect::OneValue,
    }
}

/// Examines a text in UTF-8, or what is meant to be.
fn examine(text: &[u8], options: &DiagnoseOptions, mut findings: Collector, report: &mut Report) {
    let start = if text.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    };
    if start > 0 && options.lints.byte_order_mark {
        let place = warnings::behind_byte_order_mark(text);
        findings.report(Code::ByteOrderMark, place, warnings::byte_order_mark);
    }
    report.steps += text.len() as u64;
    if format::check(text, start, &mut findings) {
        *report = finish(std::mem::take(report), findings, text);
        return;
    }
    if options.framing != Framing::Lines {
        encoding::check_utf8(text, &mut findings);
        report.steps += text.len() as u64;
    }
    let settings = Settings {
        expect: expect(options),
        lints: options.lints,
        max_depth: options.max_depth,
        record: false,
    };
    if options.framing == Framing::Lines {
        lines(text, start, options, settings, &mut findings, report);
    } else if options.framing == Framing::OneValue
        && leading::check(text, start, settings, &mut findings, &mut report.steps)
    {
        // The document behind it is sound.
    } else {
        let outcome = Parser::new(text, start, findings, settings).run();
        findings = outcome.findings;
        report.steps += outcome.steps;
        report.keys_unchecked |= outcome.keys_unchecked;
        report.values = outcome.values;
        if outcome.gave_up || findings.errors == 0 {
            fall_back(text, start, settings.expect, &mut findings);
        }
    }
    *report = finish(std::mem::take(report), findings, text);
}

/// Examines every line as a text of its own.
fn lines(
    text: &[u8],
    start: usize,
    options: &DiagnoseOptions,
    settings: Settings,
    findings: &mut Collector,
    report: &mut Report,
) {
    let mut at = start;
    let mut record = 0;
    while at < text.len() {
        // Only a line feed ends a record: a carriage return is white space (RFC 8259), as before `\n`.
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |i| at + i);
        let line = &text[at..end];
        if !line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            record += 1;
            let limit = if options.limit == 0 {
                usize::MAX
            } else {
                options.limit
            };
            let mut found = Collector::new(limit);
            if is_too_long(line, options) {
                fall_back(line, 0, Expect::OneValue, &mut found);
                findings.absorb(found, at, record);
                at = end + 1;
                continue;
            }
            encoding::check_utf8(line, &mut found);
            let settings = Settings {
                record: true,
                ..settings
            };
            let outcome = Parser::new(line, 0, found, settings).run();
            report.steps += outcome.steps;
            report.keys_unchecked |= outcome.keys_unchecked;
            report.values += 1;
            let gave_up = outcome.gave_up;
            let mut found = outcome.findings;
            if end == text.len() {
                found.retained.iter_mut().filter(|d| d.code == Code::TruncatedInput).for_each(|d| {
                    d.help.clear();
                    d.message("the last record is cut off");
                    d.help("the file is probably incomplete: an interrupted download or write, or a size limit");
                });
                found
                    .retained
                    .iter_mut()
                    .filter(|d| d.code == Code::UnclosedBracket)
                    .for_each(|d| {
                        d.note("no line feed follows this last record: it may be cut off");
                    });
            }
            if gave_up || found.errors == 0 {
                fall_back(line, 0, Expect::OneValue, &mut found);
            }
            findings.absorb(found, at, record);
        }
        at = end + 1;
    }
}

/// Asks the verdict path. If it says no, all that can be said is from where on the text is not JSON.
fn fall_back(text: &[u8], start: usize, expect: Expect, findings: &mut Collector) {
    let mode = match expect {
        Expect::OneValue => crate::Mode::One,
        Expect::ManyValues => crate::Mode::Stream,
    };
    let options = crate::Options::default().mode(mode);
    let Err(error) = crate::validate_with(&text[start..], options) else {
        return;
    };
    let at = (start as u64).saturating_add(error.offset);
    let at = usize::try_from(at).unwrap_or(text.len()).min(text.len());
    let diagnostic = syntax_error(error, text, at);
    findings.report(Code::SyntaxError, diagnostic.span, |slot| {
        *slot = diagnostic
    });
}

/// The finding `syntax-error` for what the verdict path said: for an input that is too long to be examined,
/// or of which only the surroundings of the error are at hand.
///
/// `at` is the place of the error in `excerpt`, and so is the span of the finding.
///
/// ```
/// use jsonx_core::diagnose::syntax_error;
/// let error = jsonx_core::validate(b"[1, 2, oops").unwrap_err();
/// let finding = syntax_error(error, b"2, oops", 3);
/// assert_eq!(finding.span.start, 3);
/// assert_eq!(finding.message, "invalid JSON: expected a value");
/// ```
pub fn syntax_error(error: crate::Error, excerpt: &[u8], at: usize) -> Diagnostic {
    let at = at.min(excerpt.len());
    let span = match excerpt.get(at) {
        Some(b'\n' | b'\r') => Span::point(at),
        _ => character_at(excerpt, at),
    };
    let mut diagnostic = Diagnostic::new(Code::SyntaxError, span);
    diagnostic
        .message(format!("invalid JSON: {error}"))
        .label("not JSON from here on");
    diagnostic
}

fn finish(mut report: Report, mut findings: Collector, text: &[u8]) -> Report {
    findings
        .retained
        .sort_by_key(|d| (d.span.start, d.span.end));
    looks_like_another_dialect(&mut findings);
    findings.omitted.sort_by_key(|omitted| omitted.first);
    debug_assert!(
        findings
            .retained
            .iter()
            .all(|d| d.span.start <= d.span.end && d.span.end <= text.len())
    );
    report.diagnostics = findings.retained;
    report.errors = findings.errors;
    report.warnings = findings.warnings;
    report.omitted = findings.omitted;
    report
}

/// Three of what JSON5 allows and JSON does not: then that may be what the file was meant to be.
fn looks_like_another_dialect(findings: &mut Collector) {
    let signs = [
        Code::Comment,
        Code::SingleQuotes,
        Code::UnquotedKey,
        Code::TrailingComma,
    ];
    if signs
        .iter()
        .filter(|&&code| findings.number_of(code) > 0)
        .count()
        >= 3
        && let Some(last) = findings.retained.last_mut()
    {
        last.help(
            "this file looks like JSON5 or JSONC, which are other formats: JSON has none of this",
        );
    }
}

/// The number of line breaks (LF, CR, or CR and LF together) in `bytes`.
fn line_breaks(bytes: &[u8]) -> usize {
    memchr::memchr2_iter(b'\n', b'\r', bytes)
        .filter(|&at| !(bytes[at] == b'\n' && at > 0 && bytes[at - 1] == b'\r'))
        .count()
}
