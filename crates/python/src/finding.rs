//! Findings and changes as Python objects.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use jsonx_cli::report::{File, human};
use jsonx_core::diagnose::{Applicability, Diagnostic, Report, Source};
use jsonx_core::path::Notation;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::places::Places;

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
    /// The code, for ``jsonx explain``: ``trailing-comma``, ``schema/required``.
    #[pyo3(get)]
    code: String,
    /// ``error`` or ``warning``.
    #[pyo3(get)]
    severity: String,
    /// The error in one line.
    #[pyo3(get)]
    message: String,
    /// The label at the caret.
    #[pyo3(get)]
    label: String,
    /// The start, in code points.
    #[pyo3(get)]
    pos: usize,
    /// The end, in code points.
    #[pyo3(get)]
    end: usize,
    /// The line, from 1.
    #[pyo3(get)]
    line: u64,
    /// The column in code points, from 1.
    #[pyo3(get)]
    column: u64,
    /// The JSON Pointer of the value.
    #[pyo3(get)]
    path: String,
    /// The line of JSON Lines, from 1; ``None`` for other texts.
    #[pyo3(get)]
    record: Option<u64>,
    /// Additional information.
    #[pyo3(get)]
    notes: Vec<String>,
    /// Suggestions.
    #[pyo3(get)]
    help: Vec<String>,
    /// Whether the fix is unambiguous; ``False`` for a guess, and without a fix.
    #[pyo3(get)]
    sure: bool,
    origin: Origin,
}

type Edits = Vec<(usize, usize, String)>;

/// The source of the attributes that are computed on demand.
enum Origin {
    Text(Arc<Source>, Box<Diagnostic>),
    /// A pickled finding.
    Pickled {
        fix: Option<Edits>,
        shown: String,
    },
}

impl Finding {
    /// The attributes, in the order of the constructor.
    const FIELDS: [&str; 14] = [
        "code", "severity", "message", "label", "pos", "end", "line", "column", "path", "record",
        "notes", "help", "sure", "fix",
    ];
}

/// The findings in a text.
pub fn findings(name: &str, text: &[u8], mut found: Vec<Diagnostic>) -> Vec<Finding> {
    let Some(first) = found.first_mut() else {
        return Vec::new();
    };
    if name.is_empty() && is_path(text) {
        first.help = vec![PATH_ADVICE.to_owned()];
    }
    let source = Arc::new(Source::new(name, text));
    let mut places = Places::new(&source.text);
    let finding = |found: Diagnostic| {
        let place = places.place(found.span.start);
        let path = found.path.display(Notation::Pointer).to_string();
        Finding {
            code: found.code.as_str().to_owned(),
            severity: found.severity.as_str().to_owned(),
            message: found.message.clone(),
            label: found.label.clone(),
            pos: place.pos,
            end: places.pos(found.span.end),
            line: place.line,
            column: place.column,
            path,
            record: found.record,
            notes: found.notes.clone(),
            help: found.help.clone(),
            sure: found
                .fix
                .as_ref()
                .is_some_and(|fix| fix.applicability == Applicability::Safe),
            origin: Origin::Text(source.clone(), Box::new(found)),
        }
    };
    found.into_iter().map(finding).collect()
}

const PATH_ADVICE: &str = "if this is the path of a file, pass its text: `pathlib.Path(…).read_bytes()`; `validate` and `Schema` also take a `pathlib.Path`";

/// Whether a broken text is the path of a file, rather.
fn is_path(text: &[u8]) -> bool {
    let Some(name) = str::from_utf8(text).ok().filter(|it| it.len() < 1024) else {
        return false;
    };
    let path = Path::new(name);
    let extension = path.extension().and_then(|it| it.to_str());
    extension.is_some_and(|it| it.contains("json") && it.len() <= "geojsonl".len())
        && !name.contains(['\n', '"', '{', '['])
        || path.is_file()
}

/// The values of these attributes.
fn values<'py>(object: &Bound<'py, PyAny>, names: &[&str]) -> PyResult<Bound<'py, PyTuple>> {
    let values: PyResult<Vec<_>> = names.iter().map(|name| object.getattr(*name)).collect();
    PyTuple::new(object.py(), values?)
}

/// The value of one attribute, so that `dict` accepts the object.
fn value<'py>(
    object: &Bound<'py, PyAny>,
    names: &[&str],
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    if names.contains(&name) {
        object.getattr(name)
    } else {
        Err(PyKeyError::new_err(name.to_owned()))
    }
}

/// Whether an object has the same class and equal attributes.
fn is_equal(this: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>, names: &[&str]) -> PyResult<bool> {
    if other.is_instance(&this.get_type())? {
        values(this, names)?.eq(values(other, names)?)
    } else {
        Ok(false)
    }
}

#[pymethods]
impl Finding {
    #[new]
    #[pyo3(signature = (code, severity, message, label, pos, end, line, column, path, record, notes, help, sure, fix, shown))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        code: String,
        severity: String,
        message: String,
        label: String,
        pos: usize,
        end: usize,
        line: u64,
        column: u64,
        path: String,
        record: Option<u64>,
        notes: Vec<String>,
        help: Vec<String>,
        sure: bool,
        fix: Option<Edits>,
        shown: String,
    ) -> Finding {
        Finding {
            code,
            severity,
            message,
            label,
            pos,
            end,
            line,
            column,
            path,
            record,
            notes,
            help,
            sure,
            origin: Origin::Pickled { fix, shown },
        }
    }

    /// The fix as a list of edits ``(pos, end, text)``; ``None`` if there is none.
    #[getter]
    fn fix(&self) -> Option<Edits> {
        let (source, finding) = match &self.origin {
            Origin::Pickled { fix, .. } => return fix.clone(),
            Origin::Text(source, finding) => (source, finding),
        };
        let fix = finding.fix.as_ref()?;
        let mut places = Places::new(&source.text);
        let edit = |edit: &jsonx_core::diagnose::Edit| {
            let start = places.pos(edit.span.start);
            (start, places.pos(edit.span.end), edit.text.clone())
        };
        Some(fix.edits.iter().map(edit).collect())
    }

    fn keys(&self) -> [&'static str; 14] {
        Finding::FIELDS
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        value(slf.as_any(), &Finding::FIELDS, name)
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        is_equal(slf.as_any(), other, &Finding::FIELDS)
    }

    fn __hash__(slf: &Bound<'_, Self>) -> PyResult<isize> {
        values(slf.as_any(), &["code", "message", "pos", "end"])?.hash()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyAny>)> {
        let values = values(slf.as_any(), &Finding::FIELDS)?;
        let shown = PyTuple::new(slf.py(), [slf.get().__str__()])?;
        Ok((slf.get_type(), values.add(shown)?))
    }

    fn __str__(&self) -> String {
        let (source, finding) = match &self.origin {
            Origin::Pickled { shown, .. } => return shown.clone(),
            Origin::Text(source, finding) => (source, finding),
        };
        let report = Report::from((**finding).clone());
        let file = File::new(&source.name, &source.text);
        let shown = human::render(&report, &file, &human::Options::default());
        let shown = match source.name.is_empty() {
            // `--> :1:8`
            true => shown.replacen("--> :", "--> ", 1),
            false => shown,
        };
        shown.trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!(
            "<Finding {}[{}] {}:{}: {}>",
            self.severity, self.code, self.line, self.column, self.message
        )
    }
}

/// A change that ``fix`` made.
#[pyclass(frozen, get_all, eq, hash, module = "jsonx")]
#[derive(PartialEq, Eq, Hash)]
pub struct Change {
    /// The start, in code points.
    pub pos: usize,
    /// The end, in code points.
    pub end: usize,
    /// The line, from 1.
    pub line: u64,
    /// The column in code points, from 1.
    pub column: u64,
    /// The removed text, at most 32 characters.
    pub before: String,
    /// The inserted text, at most 32 characters.
    pub after: String,
    /// The error in one line.
    pub why: String,
    /// The code, for ``jsonx explain``.
    pub code: Cow<'static, str>,
    /// Whether it is unambiguous; ``False`` if it was assumed.
    pub sure: bool,
}

impl Change {
    /// The attributes, in the order of the constructor.
    const FIELDS: [&str; 9] = [
        "pos", "end", "line", "column", "before", "after", "why", "code", "sure",
    ];
}

#[pymethods]
impl Change {
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        pos: usize,
        end: usize,
        line: u64,
        column: u64,
        before: String,
        after: String,
        why: String,
        code: String,
        sure: bool,
    ) -> Change {
        Change {
            pos,
            end,
            line,
            column,
            before,
            after,
            why,
            code: code.into(),
            sure,
        }
    }

    fn keys(&self) -> [&'static str; 9] {
        Change::FIELDS
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        value(slf.as_any(), &Change::FIELDS, name)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        Ok((slf.get_type(), values(slf.as_any(), &Change::FIELDS)?))
    }

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
