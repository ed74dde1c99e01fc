//! `Document`: an editable text.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jsonx_core::edit::{EditError, SetOptions};
use jsonx_core::engine::Options;
use jsonx_core::{Editor, LookupError, SyntaxError, jsonc};
use jsonx_diagnose::DiagnoseOptions;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyString;

use crate::check::{InputKind, json_of};
use crate::error;
use crate::text::{Text, to_str, without_gil};
use crate::values::of_json;

/// An editable text: edits keep every other byte, comments too.
///
/// Paths are written as ``.a.b[0]``, ``$.a['b'][0]`` or ``/a/b/0``. Values are written by ``json.dumps``. Each edit reads the text
/// once, at about a gigabyte per second; for many edits of a large text, use ``patch``. Several threads may use a document. With ``dialect="json"``, the text has no
/// comments and no trailing commas.
///
/// >>> document = jsonx.Document('{\n  "port": 80, // http\n  "tags": ["a"]\n}\n')
/// >>> document["/port"]
/// 80
/// >>> document["/port"] = 8080
/// >>> document.append(".tags", "b")
/// >>> print(document.text, end="")
/// {
///   "port": 8080, // http
///   "tags": ["a", "b"]
/// }
#[pyclass(frozen, module = "jsonx")]
pub struct Document {
    /// Edits hold the lock; readers share the text from before the edit.
    text: Mutex<Arc<Vec<u8>>>,
    kind: InputKind,
}

/// The reason why a lookup or an edit failed.
enum Failure {
    Syntax(SyntaxError),
    Lookup(LookupError),
    Edit(EditError),
}

impl From<SyntaxError> for Failure {
    fn from(error: SyntaxError) -> Self {
        Failure::Syntax(error)
    }
}

impl From<LookupError> for Failure {
    fn from(error: LookupError) -> Self {
        Failure::Lookup(error)
    }
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Self {
        Failure::Edit(error)
    }
}

impl Document {
    fn lock<'a>(&'a self, py: Python<'_>) -> MutexGuard<'a, Arc<Vec<u8>>> {
        let locked = self.text.lock_py_attached(py);
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    fn options(&self) -> Options {
        Options::default().dialect(self.kind.dialect())
    }

    /// Replaces the text by the edited one, unless the edit fails.
    fn edit(
        &self,
        py: Python<'_>,
        path: &str,
        edit: impl FnOnce(&mut Editor<'_, '_>) -> Result<(), EditError> + Send,
    ) -> PyResult<()> {
        let mut text = self.lock(py);
        let edited = without_gil(py, &text, || {
            let document = jsonx_core::Document::index(&text, self.options())?;
            let mut editor = document.edit();
            edit(&mut editor)?;
            Ok(editor.finish())
        });
        let edited = edited.map_err(|failure| self.raise(py, &text, path, failure))?;
        *text = Arc::new(edited);
        Ok(())
    }

    /// The text of a value, without comments.
    fn find(&self, text: &[u8], path: &str) -> Result<Vec<u8>, Failure> {
        let document = jsonx_core::Document::index(text, self.options())?;
        let mut raw = document.find(path)?.raw().to_vec();
        jsonc::blank(&mut raw, self.kind.dialect())?;
        Ok(raw)
    }

    /// The value at a path; `None` if it is missing.
    fn found<'py>(
        &self,
        py: Python<'py>,
        path: &str,
    ) -> PyResult<Result<Bound<'py, PyAny>, LookupError>> {
        let text = self.lock(py).clone();
        let raw = match without_gil(py, &text, || self.find(&text, path)) {
            Ok(raw) => raw,
            Err(Failure::Lookup(error @ LookupError::Missing { .. })) => return Ok(Err(error)),
            Err(failure) => return Err(self.raise(py, &text, path, failure)),
        };
        of_json(py, &raw).map(Ok)
    }

    /// The exception for a failure.
    fn raise(&self, py: Python<'_>, text: &[u8], path: &str, failure: Failure) -> PyErr {
        match failure {
            Failure::Syntax(error) => {
                let options = DiagnoseOptions::default().dialect(self.kind.dialect());
                error::invalid(py, text, error, options)
            }
            Failure::Edit(error @ (EditError::Missing { .. } | EditError::PastEnd { .. })) => {
                PyKeyError::new_err(error.to_string())
            }
            Failure::Edit(error @ EditError::NotContainer { .. }) => {
                PyValueError::new_err(error.to_string())
            }
            Failure::Edit(error) => PyValueError::new_err(format!("{path}: {error}")),
            Failure::Lookup(error) => PyValueError::new_err(format!("{path}: {error}")),
        }
    }
}

#[pymethods]
impl Document {
    #[new]
    #[pyo3(signature = (text, dialect="jsonc"))]
    fn new(py: Python<'_>, text: Text, dialect: &str) -> PyResult<Document> {
        let kind = InputKind::named(dialect)?;
        if matches!(kind, InputKind::Json5 | InputKind::Jsonl) {
            return Err(PyValueError::new_err("dialect must be 'json' or 'jsonc'"));
        }
        let document = Document {
            text: Mutex::new(Arc::new(text.bytes().to_vec())),
            kind,
        };
        let options = document.options();
        let parsed = without_gil(py, text.bytes(), || {
            jsonx_core::Document::index(text.bytes(), options).map(drop)
        });
        parsed.map_err(|error| document.raise(py, text.bytes(), "", error.into()))?;
        Ok(document)
    }

    /// The text, with all edits.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        to_str(py, &self.lock(py).clone())
    }

    /// The value at a path; ``default`` if there is none.
    #[pyo3(signature = (path, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(match self.found(py, path)? {
            Ok(value) => Some(value),
            Err(_) => default,
        })
    }

    fn __getitem__<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let found = self.found(py, path)?;
        found.map_err(|error| PyKeyError::new_err(format!("{path}: {error}")))
    }

    fn __contains__(&self, py: Python<'_>, path: &str) -> PyResult<bool> {
        Ok(self.found(py, path)?.is_ok())
    }

    fn __setitem__(&self, py: Python<'_>, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(py, path, value, false)
    }

    fn __delitem__(&self, py: Python<'_>, path: &str) -> PyResult<()> {
        self.delete(py, path)
    }

    /// Replaces a value, or adds a member; ``parents=True`` creates missing objects on the path.
    #[pyo3(signature = (path, value, parents=false))]
    fn set(
        &self,
        py: Python<'_>,
        path: &str,
        value: &Bound<'_, PyAny>,
        parents: bool,
    ) -> PyResult<()> {
        let value = json_of(value)?;
        let options = SetOptions::default().parents(parents);
        self.edit(py, path, |editor| {
            editor.set_with(path, &value, options).map(drop)
        })
    }

    /// Removes a value, with its key and comma.
    fn delete(&self, py: Python<'_>, path: &str) -> PyResult<()> {
        self.edit(py, path, |editor| editor.delete(path).map(drop))
    }

    /// Adds an element to the end of an array.
    fn append(&self, py: Python<'_>, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = json_of(value)?;
        self.edit(py, path, |editor| editor.append(path, &value).map(drop))
    }

    /// Moves a value to another path.
    #[pyo3(name = "move")]
    fn relocate(&self, py: Python<'_>, source: &str, target: &str) -> PyResult<()> {
        self.edit(py, source, |editor| {
            editor.relocate(source, target).map(drop)
        })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyString>, &'static str) {
        let dialect = match self.kind {
            InputKind::Json => "json",
            _ => "jsonc",
        };
        (self.text(py), dialect)
    }

    fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.text(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Document of {} bytes>", self.lock(py).len())
    }
}
