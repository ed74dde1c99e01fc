//! What a finding is: plain data, with spans of bytes in the text that was examined.

use super::advice::Advice;
use super::code::{Code, Severity};
use crate::path::Location;

/// A range of bytes: `start..end`, end exclusive. An empty span is a place between two bytes.
///
/// ```
/// use jsonx_core::diagnose::Span;
///
/// assert!(Span::point(3).is_empty());
/// assert_eq!(Span::new(3, 3), Span::point(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset of the byte after the last one.
    pub end: usize,
}

impl Span {
    /// The span of the bytes from `start` up to, not including, `end`, which is not checked to be the larger one.
    ///
    /// ```
    /// use jsonx_core::diagnose::{DiagnoseOptions, Span, diagnose};
    ///
    /// let text = b"[1, tru]";
    /// let span = diagnose(text, &DiagnoseOptions::default()).diagnostics[0].span;
    /// assert_eq!(span, Span::new(4, 7));
    /// assert_eq!(&text[span.start..span.end], b"tru");
    /// ```
    pub const fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The place before byte `at`, counted from 0; with the length of a text, its end. An edit inserts there.
    ///
    /// ```
    /// use jsonx_core::diagnose::{Edit, Span, apply};
    ///
    /// let insert = |at, text: &str| Edit { span: Span::point(at), text: text.to_owned() };
    /// assert_eq!(apply(b"[1 2", &[insert(2, ","), insert(4, "]")]), b"[1, 2]");
    /// ```
    pub const fn point(at: usize) -> Self {
        Span { start: at, end: at }
    }

    /// Whether this is a place between two bytes: something is missing there.
    ///
    /// ```
    /// use jsonx_core::diagnose::{DiagnoseOptions, diagnose};
    ///
    /// let is_empty = |text: &[u8]| diagnose(text, &DiagnoseOptions::default()).diagnostics[0].span.is_empty();
    /// assert!(is_empty(b"[1 2]"));
    /// assert!(!is_empty(b"[1,, 2]"));
    /// ```
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A second place that explains a finding.
///
/// ```
/// use jsonx_core::diagnose::{DiagnoseOptions, diagnose};
///
/// let report = diagnose(br#"{"a": 1, "a": 2}"#, &DiagnoseOptions::default());
/// assert_eq!(report.diagnostics[0].related[0].span.start, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What is there.
    pub label: String,
}

/// Whether a fix may be applied without asking.
///
/// ```
/// use jsonx_core::diagnose::{Applicability, DiagnoseOptions, diagnose};
///
/// let report = diagnose(b"[1,]", &DiagnoseOptions::default());
/// assert_eq!(report.diagnostics[0].fix.as_ref().unwrap().applicability, Applicability::Safe);
/// assert_eq!(Applicability::Safe.as_str(), "safe");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// The result has one possible meaning.
    Safe,
    /// A good guess, to be looked at.
    Review,
}

impl Applicability {
    /// `safe` or `review`.
    ///
    /// ```
    /// use jsonx_core::diagnose::{DiagnoseOptions, diagnose};
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

/// One replacement: the bytes of `span` become `text`.
///
/// ```
/// use jsonx_core::diagnose::{DiagnoseOptions, Span, diagnose};
///
/// let report = diagnose(b"[1,]", &DiagnoseOptions::default());
/// let fix = report.diagnostics[0].fix.as_ref().unwrap();
/// assert_eq!((fix.edits[0].span, fix.edits[0].text.as_str()), (Span::new(2, 3), ""));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What comes in its place; empty for a deletion.
    pub text: String,
}

/// What to type instead.
///
/// ```
/// use jsonx_core::diagnose::{DiagnoseOptions, diagnose};
///
/// let report = diagnose(b"[tru]", &DiagnoseOptions::default());
/// let fix = report.diagnostics[0].fix.as_ref().unwrap();
/// assert_eq!((fix.edits.len(), fix.edits[0].text.as_str()), (1, "true"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do, in the imperative.
    pub description: String,
    /// Whether they may be applied unseen.
    pub applicability: Applicability,
    /// The edits, in the order of their spans, without overlap.
    pub edits: Vec<Edit>,
}

/// The most steps that the path of a finding has. Nesting has no limit, and a path is made for every finding.
///
/// ```
/// use jsonx_core::diagnose::{DiagnoseOptions, MAX_PATH_STEPS, diagnose};
///
/// let deep = "[".repeat(65) + "tru" + &"]".repeat(65);
/// let path = &diagnose(deep.as_bytes(), &DiagnoseOptions::default()).diagnostics[0].path;
/// assert_eq!((path.steps().len(), path.is_truncated()), (MAX_PATH_STEPS, true));
/// ```
pub const MAX_PATH_STEPS: usize = 64;

/// One finding.
///
/// ```
/// use jsonx_core::diagnose::{Code, DiagnoseOptions, Severity, diagnose};
///
/// let report = diagnose(b"[1, 2,]", &DiagnoseOptions::default());
/// let finding = &report.diagnostics[0];
/// assert_eq!((finding.code, finding.severity), (Code::TrailingComma, Severity::Error));
/// assert_eq!((finding.span.start, finding.message.as_str()), (5, "trailing comma in array"));
/// assert_eq!(finding.label, "remove this comma");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which mistake it is; stable, see [`Code`].
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// Where to edit.
    pub span: Span,
    /// The mistake, in one line, lower case, without a final period.
    pub message: String,
    /// What to do at `span`, in the imperative.
    pub label: String,
    /// Further places of the same mistake, at most nine.
    pub more: Vec<Span>,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// Offsets whose lines should be seen next to the finding, without a mark.
    pub show: Vec<usize>,
    /// The value, or the container, in which it is. It is [truncated](Location::is_truncated) where it has more than
    /// [`MAX_PATH_STEPS`] steps, or a key too long or too broken to be given in full.
    pub path: Location,
    /// What else is known.
    pub notes: Vec<String>,
    /// What may help.
    pub help: Vec<String>,
    /// What may help outside of the text, for the program to put into words.
    pub advice: Option<Advice>,
    /// For `wrong-format` and `wrong-encoding`: what the input is instead.
    pub detected: Option<&'static str>,
    /// What to type instead, if that is known.
    pub fix: Option<Fix>,
    /// The number of the record, from 1, where the input is one value a line.
    pub record: Option<u64>,
}

impl Diagnostic {
    pub(crate) fn new(code: Code, span: Span) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            span,
            message: String::new(),
            label: String::new(),
            more: Vec::new(),
            related: Vec::new(),
            show: Vec::new(),
            path: Location::default(),
            notes: Vec::new(),
            help: Vec::new(),
            advice: None,
            detected: None,
            fix: None,
            record: None,
        }
    }

    pub(super) fn message(&mut self, text: impl Into<String>) -> &mut Self {
        self.message = text.into();
        self
    }

    pub(super) fn label(&mut self, text: impl Into<String>) -> &mut Self {
        self.label = text.into();
        self
    }

    pub(super) fn related(&mut self, span: Span, label: impl Into<String>) -> &mut Self {
        self.related.push(Related {
            span,
            label: label.into(),
        });
        self
    }

    pub(super) fn show(&mut self, at: usize) -> &mut Self {
        self.show.push(at);
        self
    }

    pub(crate) fn note(&mut self, text: impl Into<String>) -> &mut Self {
        self.notes.push(text.into());
        self
    }

    pub(super) fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help.push(text.into());
        self
    }

    pub(super) fn advise(&mut self, advice: Advice) -> &mut Self {
        self.advice = Some(advice);
        self
    }

    /// Adds the fix that replaces `span` by `text`. Its description is the label.
    pub(super) fn replace(
        &mut self,
        applicability: Applicability,
        span: Span,
        text: impl Into<String>,
    ) -> &mut Self {
        let edit = Edit {
            span,
            text: text.into(),
        };
        match &mut self.fix {
            Some(fix) => fix.edits.push(edit),
            None => {
                self.fix = Some(Fix {
                    description: self.label.clone(),
                    applicability,
                    edits: vec![edit],
                });
            }
        }
        self
    }

    /// The last offset that the finding speaks of, for moving it by a base.
    pub(super) fn shift(&mut self, base: usize) {
        let shift = |span: &mut Span| {
            span.start += base;
            span.end += base;
        };
        shift(&mut self.span);
        self.more.iter_mut().for_each(shift);
        self.related
            .iter_mut()
            .for_each(|related| shift(&mut related.span));
        self.show.iter_mut().for_each(|at| *at += base);
        if let Some(fix) = &mut self.fix {
            fix.edits.iter_mut().for_each(|edit| shift(&mut edit.span));
        }
    }
}
