//! Findings and changes, whose classes are written in Python.

use std::path::Path;
use std::sync::Arc;

use jsonx_cli::report::{File, human};
use jsonx_core::path::Notation;
use jsonx_diagnose::{Applicability, Diagnostic, NamedText, Report};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::places::Places;

/// The attributes of a `Finding`.
#[derive(IntoPyObject)]
pub struct Finding {
    code: &'static str,
    severity: &'static str,
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
    fix: Option<Vec<(usize, usize, String)>>,
    #[pyo3(item("_shown"))]
    shown: Rendering,
}

/// The attributes of a `Change`.
#[derive(IntoPyObject)]
pub struct Change {
    pub pos: usize,
    pub end: usize,
    pub line: u64,
    pub column: u64,
    pub before: String,
    pub after: String,
    pub why: String,
    pub code: &'static str,
    pub sure: bool,
}

/// A class of the package that is written in Python.
pub fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import(intern!(py, "jsonx._errors"))?.getattr(name)
}

/// Objects of a class of the package with these attributes.
pub fn objects<'py, T>(
    py: Python<'py>,
    name: &str,
    all: impl IntoIterator<Item = T>,
) -> PyResult<Bound<'py, PyList>>
where
    T: IntoPyObject<'py, Output = Bound<'py, PyDict>, Target = PyDict, Error = PyErr>,
{
    let class = class(py, name)?;
    let list = PyList::empty(py);
    for attributes in all {
        list.append(class.call((), Some(&attributes.into_pyobject(py)?))?)?;
    }
    Ok(list)
}

/// A finding as text, which is rendered on demand.
#[pyclass(frozen)]
struct Rendering(Arc<NamedText>, Diagnostic);

#[pymethods]
impl Rendering {
    fn __str__(&self) -> String {
        let Rendering(source, finding) = self;
        let report = Report::from(finding.clone());
        let file = File::new(&source.name, &source.text);
        let shown = human::render(&report, &file, &human::Options::default());
        let shown = match source.name.is_empty() {
            // `--> :1:8`
            true => shown.replacen("--> :", "--> ", 1),
            false => shown,
        };
        shown.trim_end().to_owned()
    }
}

/// The findings in a text.
pub fn findings(name: &str, text: &[u8], mut found: Vec<Diagnostic>) -> Vec<Finding> {
    let Some(first) = found.first_mut() else {
        return Vec::new();
    };
    if name.is_empty() && is_path(text) {
        first.help = vec![PATH_ADVICE.to_owned()];
    }
    let source = Arc::new(NamedText::new(name, text));
    let mut places = Places::new(&source.text);
    let finding = |found: Diagnostic| {
        let place = places.place(found.span.start);
        let end = places.pos(found.span.end);
        let fix = found.fix.as_ref();
        let sure = fix.is_some_and(|fix| fix.applicability == Applicability::Safe);
        let fix = fix.map(|fix| {
            let edits = fix.edits.iter().map(|edit| {
                let start = places.pos(edit.span.start);
                (start, places.pos(edit.span.end), edit.text.clone())
            });
            edits.collect()
        });
        let path = found.path.display(Notation::Pointer).to_string();
        Finding {
            code: found.code.as_str(),
            severity: found.severity.as_str(),
            message: found.message.clone(),
            label: found.label.clone(),
            pos: place.pos,
            end,
            line: place.line,
            column: place.column,
            path,
            record: found.record,
            notes: found.notes.clone(),
            help: found.help.clone(),
            sure,
            fix,
            shown: Rendering(source.clone(), found),
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
