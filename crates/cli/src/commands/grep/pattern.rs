//! The regular expression.

use std::ops::Range;
use std::sync::Arc;

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Capture, Hir, HirKind, Repetition};

use crate::args::Grep;
use crate::report::escape_lines;

/// Bytes of a compiled expression: more than the default, for long lists of words.
const LARGEST: usize = 20 << 20;

/// A regular expression for decoded text.
#[derive(Clone)]
pub struct Pattern(Arc<Expressions>);

struct Expressions {
    exact: Regex,
    /// Matches at least where `exact` does, also in the middle of a text. `None`: the empty text matches.
    candidate: Option<Regex>,
}

impl Pattern {
    /// Compiles the pattern of a command line.
    ///
    /// # Errors
    /// The message.
    pub fn new(args: &Grep) -> Result<Pattern, String> {
        let Some(text) = args.pattern.to_str() else {
            return Err("jsonx: PATTERN is not UTF-8".to_owned());
        };
        let mut text = match args.fixed_strings {
            true => regex::escape(text),
            false => text.to_owned(),
        };
        // The error shows the pattern as it was typed.
        let failed = |error: &dyn std::fmt::Display| {
            let error = escape_lines(error.to_string().as_bytes());
            format!("jsonx: bad pattern: {error}\n`-F` searches for plain text")
        };
        let parse = |text: &str| {
            let mut parser = ParserBuilder::new()
                .utf8(false)
                .case_insensitive(args.ignore_case)
                .build();
            parser.parse(text).map_err(|error| failed(&error))
        };
        parse(&text)?;
        if args.word_regexp {
            text = format!(r"\b{{start-half}}(?:{text})\b{{end-half}}");
        }
        let parsed = parse(&text)?;
        let compile = |text: &str, ignore_case: bool| {
            RegexBuilder::new(text)
                .case_insensitive(ignore_case)
                .size_limit(LARGEST)
                .build()
                .map_err(|error| failed(&error))
        };
        let exact = compile(&text, args.ignore_case)?;
        let candidate = match parsed.properties().look_set().is_empty() {
            true => parsed,
            false => without_looks(parsed),
        };
        let candidate = match candidate.properties().minimum_len() {
            Some(1..) => Some(compile(&candidate.to_string(), false)?),
            _ => None,
        };
        Ok(Pattern(Arc::new(Expressions { exact, candidate })))
    }

    /// The parts of a decoded text that match.
    pub fn matches<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = Range<usize>> + 't {
        self.0.exact.find_iter(text).map(|found| found.range())
    }
}

impl jsonx_query::Pattern for Pattern {
    fn candidate(&self, text: &[u8], from: usize) -> Option<usize> {
        match &self.0.candidate {
            Some(candidate) => Some(candidate.find_at(text, from)?.start()),
            None => Some(from),
        }
    }

    fn is_match(&self, text: &[u8]) -> bool {
        self.0.exact.is_match(text)
    }
}

/// The expression without anchors and word boundaries: what it matches does not depend on the text around it. The depth is limited by
/// the parser.
fn without_looks(hir: Hir) -> Hir {
    match hir.into_kind() {
        HirKind::Empty | HirKind::Look(_) => Hir::empty(),
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(class) => Hir::class(class),
        HirKind::Repetition(repetition) => Hir::repetition(Repetition {
            sub: Box::new(without_looks(*repetition.sub)),
            ..repetition
        }),
        HirKind::Capture(capture) => Hir::capture(Capture {
            sub: Box::new(without_looks(*capture.sub)),
            ..capture
        }),
        HirKind::Concat(all) => Hir::concat(all.into_iter().map(without_looks).collect()),
        HirKind::Alternation(all) => Hir::alternation(all.into_iter().map(without_looks).collect()),
    }
}
