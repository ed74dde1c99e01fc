//! `Document`: a text that is edited.

use jsonx_core::diagnose::DiagnoseOptions;
use jsonx_core::edit::{EditError, SetOptions};
use jsonx_core::engine::Options;
use jsonx_core::path::Path;
use jsonx_core::{Editor, LookupError, jsonc};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::check::{Language, json_of};
use crate::error;
use crate::text::{Text, to_str};
use crate::values::value;

/// A text that is edited: every byte stays but those of what changes, comments too.
///
/// Paths are written as ``.a.b[0]``, ``$.a['b'][0]`` or ``/a/b/0``. Values are written by ``json.dumps``. Each edit reads the text
/// once, at a gigabyte per second; for many edits of a large text, use ``patch``. With ``dialect="json"``, the text has no
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
#[pyclass(module = "jsonx")]
pub struct Document {
    text: Vec<u8>,
    language: Language,
}

impl Document {
    fn parsed<T>(
        &self,
        py: Python<'_>,
        then: impl FnOnce(&jsonx_core::Document<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let options = Options::default().dialect(self.language.dialect());
        let document = jsonx_core::Document::index(&self.text, options);
        match document {
            Ok(document) => then(&document),
            Err(error) => {
                let options = DiagnoseOptions::default().dialect(self.language.dialect());
                Err(error::invalid(py, &self.text, error, options))
            }
        }
    }

    fn edit(
        &mut self,
        py: Python<'_>,
        path: &str,
        edit: impl FnOnce(&mut Editor<'_, '_>) -> Result<(), EditError>,
    ) -> PyResult<()> {
        let edited = self.parsed(py, |document| {
            let mut editor = document.edit();
            edit(&mut editor).map_err(|error| failed(path, &error))?;
            Ok(editor.finish())
        })?;
        self.text = edited;
        Ok(())
    }

    fn found<'py>(
        &self,
        py: Python<'py>,
        path: &str,
    ) -> PyResult<Result<Bound<'py, PyAny>, LookupError>> {
        self.parsed(py, |document| match document.find(path) {
            Ok(node) => {
                let raw = match self.language.dialect().allows_comments() {
                    // Comments are blanks in what is read.
                    true => without_comments(node.raw(), self.language),
                    false => node.raw().to_vec(),
                };
                let plain = jsonx_core::Document::index(&raw, Options::default());
                let plain = plain.map_err(|error| error::at(py, &raw, 0, error.kind))?;
                value(py, plain.root()).map(Ok)
            }
            Err(error @ LookupError::Missing { .. }) => Ok(Err(error)),
            Err(error) => Err(PyValueError::new_err(format!("{path}: {error}"))),
        })
    }
}

fn without_comments(raw: &[u8], language: Language) -> Vec<u8> {
    let mut text = raw.to_vec();
    // It was verified.
    let _ = jsonc::blank(&mut text, language.dialect());
    text
}

/// The exception for an edit that was not made.
fn failed(path: &str, error: &EditError) -> PyErr {
    let message = format!("{path}: {error}");
    match error {
        EditError::Missing { .. } | EditError::PastEnd { .. } => PyKeyError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

#[pymethods]
impl Document {
    #[new]
    #[pyo3(signature = (text, dialect="jsonc"))]
    fn new(py: Python<'_>, text: Text, dialect: &str) -> PyResult<Document> {
        let language = Language::named(dialect)?;
        if matches!(language, Language::Json5 | Language::Lines) {
            return Err(PyValueError::new_err("dialect is 'json' or 'jsonc'"));
        }
        let document = Document {
            text: text.bytes().to_vec(),
            language,
        };
        document.parsed(py, |_| Ok(()))?;
        Ok(document)
    }

    /// The text, with all edits.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        to_str(py, &self.text)
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

    fn __setitem__(
        &mut self,
        py: Python<'_>,
        path: &str,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.set(py, path, value, false)
    }

    fn __delitem__(&mut self, py: Python<'_>, path: &str) -> PyResult<()> {
        self.delete(py, path)
    }

    /// Replaces a value, or adds a member; with ``parents=True``, also the objects on the way to it.
    #[pyo3(signature = (path, value, parents=false))]
    fn set(
        &mut self,
        py: Python<'_>,
        path: &str,
        value: &Bound<'_, PyAny>,
        parents: bool,
    ) -> PyResult<()> {
        let value = json_of(value)?;
        let options = SetOptions::default().parents(parents);
        self.edit(py, path, |editor| {
            let path = Path::parse(path).map_err(EditError::Path)?;
            editor.set_with(&path, &value, options).map(drop)
        })
    }

    /// Removes a value, with its key and comma.
    fn delete(&mut self, py: Python<'_>, path: &str) -> PyResult<()> {
        self.edit(py, path, |editor| editor.delete(path).map(drop))
    }

    /// Adds an element to the end of an array.
    fn append(&mut self, py: Python<'_>, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = json_of(value)?;
        self.edit(py, path, |editor| editor.append(path, &value).map(drop))
    }

    /// Moves a value to another path.
    #[pyo3(name = "move")]
    fn relocate(&mut self, py: Python<'_>, source: &str, target: &str) -> PyResult<()> {
        self.edit(py, source, |editor| {
            editor.relocate(source, target).map(drop)
        })
    }

    fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.text(py)
    }

    fn __repr__(&self) -> String {
        format!("<Document of {} bytes>", self.text.len())
    }
}
