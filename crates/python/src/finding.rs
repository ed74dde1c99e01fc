//! Findings and changes as Python objects.

use std::sync::Arc;

use jsonx_cli::report::{File, human};
use jsonx_core::diagnose::{Diagnostic, Report, Source};
use jsonx_core::path::Notation;
use pyo3::prelude::*;

use crate::places::{Place, Places};

/// An error, or a lint of valid JSON: ``str()`` shows it with its line and a caret.
///
/// >>> finding = jsonx.validate('{"a": 1,}')[0]
/// >>> finding.code, finding.line, finding.column, finding.pos
/// ('trailing-comma', 1, 8, 7)
/// >>> print(finding)
/// error[trailing-comma]: trailing comma in object
///  --> 1:8
///   |
/// 1 | {"a": 1,}
///   |        ^ remove this comma
#[pyclass(frozen, module = "jsonx")]
pub struct Finding {
    source: Arc<Source>,
    finding: Diagnostic,
    place: Place,
    end: usize,
}

/// The findings in a text.
pub fn findings(name: &str, text: &[u8], found: Vec<Diagnostic>) -> Vec<Finding> {
    if found.is_empty() {
        return Vec::new();
    }
    let source = Arc::new(Source::new(name, text));
    let mut places = Places::new(&source.text);
    let placed: Vec<_> = found
        .into_iter()
        .map(|finding| {
            let place = places.place(finding.span.start);
            let end = places.pos(finding.span.end);
            (finding, place, end)
        })
        .collect();
    let finding = |(finding, place, end)| Finding {
        source: source.clone(),
        finding,
        place,
        end,
    };
    placed.into_iter().map(finding).collect()
}

#[pymethods]
impl Finding {
    /// The code, for ``jsonx explain``: ``trailing-comma``, ``schema/required``.
    #[getter]
    fn code(&self) -> &str {
        self.finding.code.as_str()
    }

    /// ``error`` or ``warning``.
    #[getter]
    fn severity(&self) -> &str {
        self.finding.severity.as_str()
    }

    /// The error in one line.
    #[getter]
    fn message(&self) -> &str {
        &self.finding.message
    }

    /// The label at the caret.
    #[getter]
    fn label(&self) -> &str {
        &self.finding.label
    }

    /// Code points of the text before the place.
    #[getter]
    fn pos(&self) -> usize {
        self.place.pos
    }

    /// Code points of the text before the end of the place.
    #[getter]
    fn end(&self) -> usize {
        self.end
    }

    /// The line, from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.place.line
    }

    /// The column in code points, from 1.
    #[getter]
    fn column(&self) -> u64 {
        self.place.column
    }

    /// The JSON Pointer of the value.
    #[getter]
    fn path(&self) -> String {
        self.finding.path.display(Notation::Pointer).to_string()
    }

    /// The line of JSON Lines, from 1; ``None`` for other texts.
    #[getter]
    fn record(&self) -> Option<u64> {
        self.finding.record
    }

    /// Further facts.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.finding.notes.clone()
    }

    /// Suggestions.
    #[getter]
    fn help(&self) -> Vec<String> {
        self.finding.help.clone()
    }

    /// The fix as a list of edits ``(pos, end, text)``; ``None`` if there is none.
    #[getter]
    fn fix(&self) -> Option<Vec<(usize, usize, String)>> {
        let fix = self.finding.fix.as_ref()?;
        let mut places = Places::new(&self.source.text);
        let edit = |edit: &jsonx_core::diagnose::Edit| {
            let start = places.pos(edit.span.start);
            (start, places.pos(edit.span.end), edit.text.clone())
        };
        Some(fix.edits.iter().map(edit).collect())
    }

    /// Whether the fix is unambiguous; ``False`` for a guess, and without a fix.
    #[getter]
    fn sure(&self) -> bool {
        let fix = self.finding.fix.as_ref();
        fix.is_some_and(|fix| fix.applicability == jsonx_core::diagnose::Applicability::Safe)
    }

    fn __str__(&self) -> String {
        let report = Report::from(self.finding.clone());
        let file = File::new(&self.source.name, &self.source.text);
        let shown = human::render(&report, &file, &human::Options::default());
        let shown = match self.source.name.is_empty() {
            // `--> :1:8`
            true => shown.replacen("--> :", "--> ", 1),
            false => shown,
        };
        shown.trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!(
            "<Finding {}[{}] {}:{}: {}>",
            self.severity(),
            self.code(),
            self.place.line,
            self.place.column,
            self.message()
        )
    }
}

/// A change that ``fix`` made.
#[pyclass(frozen, get_all, module = "jsonx")]
pub struct Change {
    /// Code points of the text before the place.
    pub pos: usize,
    /// Code points of the text before the end of the place.
    pub end: usize,
    /// The line, from 1.
    pub line: u64,
    /// The column in code points, from 1.
    pub column: u64,
    /// The text that was removed, at most 32 characters of it.
    pub before: String,
    /// The text that was inserted, at most 32 characters of it.
    pub after: String,
    /// The error in one line.
    pub why: String,
    /// The code, for ``jsonx explain``.
    pub code: &'static str,
    /// Whether it is unambiguous; ``False`` if it was assumed.
    pub sure: bool,
}

#[pymethods]
impl Change {
    fn __str__(&self) -> String {
        let how = if self.sure { "sure" } else { "assumed" };
        let Change {
            line,
            column,
            before,
            after,
            why,
            ..
        } = self;
        format!("{line}:{column}: {why}: `{before}` -> `{after}` ({how})")
    }

    fn __repr__(&self) -> String {
        format!("<Change {}>", self.__str__())
    }
}
