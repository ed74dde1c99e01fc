//! Findings as plain data, with byte spans into the examined text.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use jsonx_core::path::Location;

use super::advice::Advice;
use super::code::{Code, Severity};

/// A range of bytes: `start..end`, end exclusive. An empty span is a position between two bytes.
///
/// ```
/// use jsonx_diagnose::Span;
///
/// assert!(Span::point(3).is_empty());
/// assert_eq!(Span::new(3, 3), Span::point(3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset of the byte after the last one.
    pub end: usize,
}

impl Span {
    /// The span from `start` to `end`, exclusive. Does not check that `start <= end`.
    ///
    /// ```
    /// use jsonx_diagnose::{DiagnoseOptions, Span, diagnose};
    ///
    /// let text = b"[1, tru]";
    /// let span = diagnose(text, &DiagnoseOptions::default()).diagnostics[0].span;
    /// assert_eq!(span, Span::new(4, 7));
    /// assert_eq!(&text[span.start..span.end], b"tru");
    /// ```
    pub const fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The position before byte `at`, counted from 0, as for an insertion; the length of the text is its end.
    ///
    /// ```
    /// use jsonx_diagnose::{Edit, Span, apply};
    ///
    /// let insert = |at, text: &str| Edit { span: Span::point(at), text: text.to_owned() };
    /// assert_eq!(apply(b"[1 2", &[insert(2, ","), insert(4, "]")]), b"[1, 2]");
    /// ```
    pub const fn point(at: usize) -> Self {
        Span { start: at, end: at }
    }

    /// Whether the span is a position between two bytes, where something is missing.
    ///
    /// ```
    /// use jsonx_diagnose::{DiagnoseOptions, diagnose};
    ///
    /// let is_empty = |text: &[u8]| diagnose(text, &DiagnoseOptions::default()).diagnostics[0].span.is_empty();
    /// assert!(is_empty(b"[1 2]"));
    /// assert!(!is_empty(b"[1,, 2]"));
    /// ```
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Span::new(range.start, range.end)
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// A second span that explains a finding.
///
/// ```
/// use jsonx_diagnose::{DiagnoseOptions, diagnose};
///
/// let report = diagnose(br#"{"a": 1, "a": 2}"#, &DiagnoseOptions::default());
/// assert_eq!(report.diagnostics[0].related[0].span.start, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// The span.
    pub span: Span,
    /// Describes the span.
    pub label: String,
}

impl Related {
    /// A span with its description.
    ///
    /// ```
    /// use jsonx_diagnose::{Related, Span};
    ///
    /// assert_eq!(Related::new(Span::new(1, 4), "first here").label, "first here");
    /// ```
    pub fn new(span: Span, label: impl Into<String>) -> Self {
        Related {
            span,
            label: label.into(),
        }
    }
}

/// A text that findings in another text refer to, such as a schema.
///
/// ```
/// use jsonx_diagnose::NamedText;
///
/// let source = NamedText::new(b"a.schema.json", b"{\"maximum\": 3}");
/// assert_eq!(source.name, b"a.schema.json");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedText {
    /// The name of the file, which need not be UTF-8.
    pub name: Vec<u8>,
    /// All of its bytes.
    pub text: Vec<u8>,
}

impl NamedText {
    /// A text with its name.
    ///
    /// ```
    /// use jsonx_diagnose::NamedText;
    ///
    /// assert_eq!(NamedText::new(b"a.schema.json", b"{}").text, b"{}");
    /// ```
    pub fn new(name: impl Into<Vec<u8>>, text: impl Into<Vec<u8>>) -> Self {
        NamedText {
            name: name.into(),
            text: text.into(),
        }
    }
}

/// The name, and the length of the text.
impl fmt::Debug for NamedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamedText")
            .field("name", &String::from_utf8_lossy(&self.name))
            .field("length", &self.text.len())
            .finish()
    }
}

/// A span in another text that explains a finding.
///
/// ```
/// use std::sync::Arc;
/// use jsonx_diagnose::{Code, Diagnostic, Elsewhere, NamedText, Span};
///
/// let source = Arc::new(NamedText::new(b"a.schema.json", b"{\"maximum\": 3}"));
/// let mut finding = Diagnostic::new(Code::Custom("schema/maximum"), Span::new(0, 1));
/// finding.elsewhere.push(Elsewhere::new(source, Span::new(12, 13), "required here"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Elsewhere {
    /// The text.
    pub source: Arc<NamedText>,
    /// The span in it.
    pub span: Span,
    /// Describes the span.
    pub label: String,
}

impl Elsewhere {
    /// A span of a text with its description.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use jsonx_diagnose::{Elsewhere, NamedText, Span};
    ///
    /// let source = Arc::new(NamedText::new(b"a.schema.json", b"{\"maximum\": 3}"));
    /// assert_eq!(Elsewhere::new(source, Span::new(12, 13), "required here").label, "required here");
    /// ```
    pub fn new(source: Arc<NamedText>, span: Span, label: impl Into<String>) -> Self {
        Elsewhere {
            source,
            span,
            label: label.into(),
        }
    }
}

/// Whether a fix may be applied without review.
///
/// ```
/// use jsonx_diagnose::{Applicability, DiagnoseOptions, diagnose};
///
/// let report = diagnose(b"[1,]", &DiagnoseOptions::default());
/// assert_eq!(report.diagnostics[0].fix.as_ref().unwrap().applicability, Applicability::Safe);
/// assert_eq!(Applicability::Safe.as_str(), "safe");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// The result has only one possible meaning.
    Safe,
    /// A good guess that a person should review.
    Review,
}

impl Applicability {
    /// `safe` or `review`.
    ///
    /// ```
    /// use jsonx_diagnose::{DiagnoseOptions, diagnose};
    ///
    /// let report = diagnose(b"[NaN, 1,]", &DiagnoseOptions::default());
    /// let fixes = report.diagnostics.iter().filter_map(|finding| finding.fix.as_ref());
    /// let applicable: Vec<&str> = fixes.map(|fix| fix.applicability.as_str()).collect();
    /// assert_eq!(applicable, ["review", "safe"]);
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Applicability::Safe => "safe",
            Applicability::Review => "review",
        }
    }
}

/// One replacement: `text` replaces the bytes of `span`.
///
/// ```
/// use jsonx_diagnose::{DiagnoseOptions, Span, diagnose};
///
/// let report = diagnose(b"[1,]", &DiagnoseOptions::default());
/// let fix = report.diagnostics[0].fix.as_ref().unwrap();
/// assert_eq!((fix.edits[0].span, fix.edits[0].text.as_str()), (Span::new(2, 3), ""));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty for an insertion.
    pub span: Span,
    /// The replacement; empty for a deletion.
    pub text: String,
}

impl Edit {
    pub(crate) fn new(span: impl Into<Span>, text: impl Into<String>) -> Edit {
        let (span, text) = (span.into(), text.into());
        Edit { span, text }
    }
}

/// A set of edits that corrects a mistake.
///
/// ```
/// use jsonx_diagnose::{DiagnoseOptions, diagnose};
///
/// let report = diagnose(b"[tru]", &DiagnoseOptions::default());
/// let fix = report.diagnostics[0].fix.as_ref().unwrap();
/// assert_eq!((fix.edits.len(), fix.edits[0].text.as_str()), (1, "true"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// Describes the edits in the imperative.
    pub description: String,
    /// Whether the edits may be applied without review.
    pub applicability: Applicability,
    /// The edits, ordered by span, without overlap.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// A fix of one edit: `text` replaces the bytes of `span`.
    ///
    /// ```
    /// use jsonx_diagnose::{Applicability, Fix, Span, apply};
    ///
    /// let fix = Fix::replace("put it in quotes", Applicability::Review, Span::new(1, 2), "\"1\"");
    /// assert_eq!(apply(b"[1]", &fix.edits), b"[\"1\"]");
    /// ```
    pub fn replace(
        description: impl Into<String>,
        applicability: Applicability,
        span: Span,
        text: impl Into<String>,
    ) -> Self {
        Fix {
            description: description.into(),
            applicability,
            edits: vec![Edit::new(span, text)],
        }
    }
}

/// The maximum number of steps in the path of a finding. Nesting is unlimited, and every finding has a path.
///
/// ```
/// use jsonx_diagnose::{DiagnoseOptions, MAX_PATH_STEPS, diagnose};
///
/// let deep = "[".repeat(65) + "tru" + &"]".repeat(65);
/// let path = &diagnose(deep.as_bytes(), &DiagnoseOptions::default()).diagnostics[0].path;
/// assert_eq!((path.steps().len(), path.is_truncated()), (MAX_PATH_STEPS, true));
/// ```
pub const MAX_PATH_STEPS: usize = 64;

/// One finding.
///
/// ```
/// use jsonx_diagnose::{Code, DiagnoseOptions, Severity, diagnose};
///
/// let report = diagnose(b"[1, 2,]", &DiagnoseOptions::default());
/// let finding = &report.diagnostics[0];
/// assert_eq!((finding.code, finding.severity), (Code::TrailingComma, Severity::Error));
/// assert_eq!((finding.span.start, finding.message.as_str()), (5, "trailing comma in array"));
/// assert_eq!(finding.label, "remove this comma");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kind of mistake; stable, see [`Code`].
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// The span to edit.
    pub span: Span,
    /// Describes the mistake in one line, lower case, without a final period.
    pub message: String,
    /// The correction at `span`, in the imperative.
    pub label: String,
    /// Further occurrences of the same mistake, at most nine.
    pub more: Vec<Span>,
    /// Other spans that explain the finding.
    pub related: Vec<Related>,
    /// Spans in other texts that explain the finding.
    pub elsewhere: Vec<Elsewhere>,
    /// Offsets whose lines are shown as context, without a mark.
    pub show: Vec<usize>,
    /// The path of the value or container that has the mistake. It is [truncated](Location::is_truncated) if it would
    /// have more than [`MAX_PATH_STEPS`] steps, or if a key is too long or too malformed to be given in full.
    pub path: Location,
    /// Additional information.
    pub notes: Vec<String>,
    /// Suggestions.
    pub help: Vec<String>,
    /// A remedy outside the input, rendered by the program.
    pub advice: Option<Advice>,
    /// For `wrong-format` and `wrong-encoding`: the format or encoding detected.
    pub detected: Option<&'static str>,
    /// The correction, if it is known.
    pub fix: Option<Fix>,
    /// The number of the record, counted from 1, if the input has one value per line.
    pub record: Option<u64>,
    /// The value at which the text was truncated, if any.
    pub(crate) cut: Option<Box<Cut>>,
}

impl Diagnostic {
    /// A finding of the severity of its code, at `span`; all else is empty.
    ///
    /// ```
    /// use jsonx_diagnose::{Code, Diagnostic, Severity, Span};
    ///
    /// let finding = Diagnostic::new(Code::Custom("schema/required"), Span::point(3));
    /// assert_eq!((finding.severity, finding.message.as_str()), (Severity::Error, ""));
    /// ```
    pub fn new(code: Code, span: Span) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            span,
            message: String::new(),
            label: String::new(),
            more: Vec::new(),
            related: Vec::new(),
            elsewhere: Vec::new(),
            show: Vec::new(),
            path: Location::default(),
            notes: Vec::new(),
            help: Vec::new(),
            advice: None,
            detected: None,
            fix: None,
            record: None,
            cut: None,
        }
    }

    pub(super) fn message(&mut self, text: impl ToString) -> &mut Self {
        self.message = text.to_string();
        self
    }

    pub(super) fn label(&mut self, text: impl ToString) -> &mut Self {
        self.label = text.to_string();
        self
    }

    pub(super) fn related(&mut self, span: Span, label: impl ToString) -> &mut Self {
        self.related.push(Related::new(span, label.to_string()));
        self
    }

    pub(super) fn show(&mut self, at: usize) -> &mut Self {
        self.show.push(at);
        self
    }

    pub(crate) fn note(&mut self, text: impl ToString) -> &mut Self {
        self.notes.push(text.to_string());
        self
    }

    pub(super) fn help(&mut self, text: impl ToString) -> &mut Self {
        self.help.push(text.to_string());
        self
    }

    pub(super) fn advise(&mut self, advice: Advice) -> &mut Self {
        self.advice = Some(advice);
        self
    }

    /// Adds an edit that replaces `span` with `text`. The label at the first edit describes the fix.
    pub(super) fn replace(
        &mut self,
        applicability: Applicability,
        span: Span,
        text: impl Into<String>,
    ) -> &mut Self {
        match &mut self.fix {
            Some(fix) => fix.edits.push(Edit::new(span, text)),
            fix => *fix = Some(Fix::replace(&self.label, applicability, span, text)),
        }
        self
    }

    /// Moves every offset of the finding by `base` bytes, for a text that is part of another.
    ///
    /// ```
    /// use jsonx_diagnose::{Code, Diagnostic, Span};
    ///
    /// let mut finding = Diagnostic::new(Code::Custom("schema/type"), Span::new(0, 2));
    /// finding.shift(10);
    /// assert_eq!(finding.span, Span::new(10, 12));
    /// ```
    pub fn shift(&mut self, base: usize) {
        self.map_spans(|span| Span::new(span.start + base, span.end + base));
    }

    /// Moves every span of the finding.
    #[doc(hidden)]
    pub fn map_spans(&mut self, moved: impl Fn(Span) -> Span) {
        let place = |span: &mut Span| *span = moved(*span);
        place(&mut self.span);
        self.more.iter_mut().for_each(place);
        let related = self.related.iter_mut();
        related.for_each(|related| place(&mut related.span));
        let show = self.show.iter_mut();
        show.for_each(|at| *at = moved(Span::point(*at)).start);
        let edits = self.fix.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| place(&mut edit.span));
        if let Some(cut) = &mut self.cut {
            place(&mut cut.value);
            place(&mut cut.without.span);
        }
    }
}

/// A possibly incomplete value at the end of a truncated text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub value: Span,
    /// Whether it is a number, a string, a literal or other text.
    pub what: &'static str,
    /// Closes the text without the value.
    pub without: Edit,
}
