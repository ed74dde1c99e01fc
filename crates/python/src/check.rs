//! `validate`.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jsonx_core::Document;
use jsonx_core::engine::{Mode, OnePerLine, Options, Validator};
use jsonx_core::jsonc::{Dialect, blank};
use jsonx_core::number::NonFinite;
use jsonx_core::order::sort_by_place;
use jsonx_diagnose::json5::Translation;
use jsonx_diagnose::lint::{self, Linter};
use jsonx_diagnose::{Code, DiagnoseOptions, Diagnostic, Framing, Lints, Report, diagnose};
use jsonx_schema::{DOCUMENT, Fetch, Fetched, InstanceOptions, Schema, Settings, Store, Unusable};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::error;
use crate::finding::{findings, objects};
use crate::text::{Text, interruptible, of_argument};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The maximum number of findings of each severity.
const LIMIT: usize = 1000;

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    Json,
    Jsonc,
    Json5,
    /// One value per line.
    Jsonl,
}

impl InputKind {
    pub fn named(name: &str) -> PyResult<InputKind> {
        Ok(match name {
            "json" => InputKind::Json,
            "jsonc" => InputKind::Jsonc,
            "json5" => InputKind::Json5,
            "jsonl" => InputKind::Jsonl,
            _ => {
                let message =
                    format!("dialect must be 'json', 'jsonc', 'json5' or 'jsonl', not {name:?}");
                return Err(PyValueError::new_err(message));
            }
        })
    }

    fn new(path: &Path) -> InputKind {
        let extension = path.extension().map(|it| it.to_ascii_lowercase());
        match extension.as_deref().and_then(|it| it.to_str()) {
            Some("jsonl" | "ndjson" | "jsonlines" | "ldjson" | "geojsonl") => InputKind::Jsonl,
            Some("jsonc") => InputKind::Jsonc,
            Some("json5") => InputKind::Json5,
            _ => InputKind::Json,
        }
    }

    pub fn dialect(self) -> Dialect {
        match self {
            InputKind::Json | InputKind::Jsonl => Dialect::Json,
            InputKind::Jsonc | InputKind::Json5 => Dialect::Jsonc,
        }
    }
}

/// Checks a text, or the file of an ``os.PathLike``; returns all findings in the order of the text.
///
/// ``dialect`` is ``"json"``, ``"jsonc"`` (comments and trailing commas), ``"json5"`` or ``"jsonl"`` (a value per line); the
/// default follows the extension of the file. ``schema`` is a JSON Schema: a text, a path, a ``dict`` or a ``Schema``. ``lints`` are checks of valid JSON:
/// ``True`` for the usual ones, ``False``, ``"all"``, or their names. References of a schema open only files below its folder or below
/// ``schema_root``; a text or a ``dict`` without ``schema_root`` opens none.
///
/// >>> [finding.code for finding in jsonx.validate("[1, 2")]
/// ['unclosed-bracket']
/// >>> jsonx.validate("[1] // one", dialect="jsonc")
/// []
/// >>> print(jsonx.validate('{"port": "80"}', schema={"properties": {"port": {"type": "integer"}}})[0].message)
/// `port` must be an integer, but is the string "80"
/// >>> [finding.code for finding in jsonx.validate('{"a": 1, "a": 2}')]
/// ['duplicate-key']
#[pyfunction]
#[pyo3(signature = (data, dialect=None, schema=None, lints=None, *, schema_root=None))]
pub fn validate<'py>(
    py: Python<'py>,
    data: &Bound<'_, PyAny>,
    dialect: Option<&str>,
    schema: Option<&Bound<'_, PyAny>>,
    lints: Option<&Bound<'_, PyAny>>,
    schema_root: Option<PathBuf>,
) -> PyResult<Bound<'py, PyList>> {
    let kind = dialect.map(InputKind::named).transpose()?;
    let lints = lints.map_or(Ok(Lints::default()), lints_of);
    let lints = of_argument(py, "lints", lints)?;
    let schema = match schema {
        None => None,
        Some(schema) => Some(match schema.cast::<SchemaObject>() {
            Ok(schema) => schema.get().schema.clone(),
            Err(_) => Arc::new(compiled(py, schema, schema_root)?),
        }),
    };
    let path = path_of(data)?;
    let text = match &path {
        Some(_) => None,
        None => Some(of_argument(py, "data", data.extract::<Text>())?),
    };
    // The length of a file is not known yet.
    let length = text.as_ref().map_or(usize::MAX, |text| text.bytes().len());
    let file = path.clone();
    let checked = interruptible(py, length, move || {
        let (text, name) = match (&text, &file) {
            (Some(text), _) => (Cow::Borrowed(text.bytes()), Cow::Borrowed("")),
            (None, path) => {
                let path = path.as_deref().unwrap_or(Path::new(""));
                (Cow::Owned(fs::read(path)?), path.to_string_lossy())
            }
        };
        let by_name = || file.as_deref().map_or(InputKind::Json, InputKind::new);
        let kind = kind.unwrap_or_else(by_name);
        let report = check(&text, kind, lints, schema.as_deref());
        let text = report.text.as_deref().unwrap_or(&text);
        Ok(findings(&name, text, report.diagnostics))
    })?;
    let found = checked.map_err(|error: io::Error| system_error(&error, path.as_deref()))?;
    objects(py, "Finding", found)
}

/// The path, if the object is one.
fn path_of(object: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    if object.hasattr("__fspath__")? {
        object.extract().map(Some)
    } else {
        Ok(None)
    }
}

pub fn system_error(error: &io::Error, path: Option<&Path>) -> PyErr {
    let name = path.map(|path| path.to_string_lossy().into_owned());
    match error.raw_os_error() {
        // Python chooses the class by the number.
        Some(number) => PyOSError::new_err((number, error.to_string(), name)),
        None => PyOSError::new_err(error.to_string()),
    }
}

fn lints_of(object: &Bound<'_, PyAny>) -> PyResult<Lints> {
    if let Ok(all) = object.extract::<bool>() {
        return Ok(if all { Lints::default() } else { Lints::NONE });
    }
    if object.is_instance_of::<PyString>() {
        return match object.extract::<&str>()? {
            "all" => Ok(Lints::ALL),
            other => Err(PyValueError::new_err(format!(
                "lints must be True, False, 'all' or names of lints, not {other:?}"
            ))),
        };
    }
    let mut lints = Lints::NONE;
    for name in object.try_iter()? {
        let name: String = name?.extract()?;
        let code = Lints::CODES.into_iter().find(|code| code.as_str() == name);
        let code: Code = code.ok_or_else(|| {
            let known = Lints::CODES.map(|code| code.as_str()).join(", ");
            PyValueError::new_err(format!("unknown lint {name:?}; known are {known}"))
        })?;
        lints = lints.with(code, true);
    }
    Ok(lints)
}

/// Files of this machine.
struct Files;

impl Fetch for Files {
    fn fetch(&self, path: &Path, limit: u64) -> io::Result<Fetched> {
        let mut text = Vec::new();
        fs::File::open(path)?
            .take(limit + 1)
            .read_to_end(&mut text)?;
        if text.len() as u64 > limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Fetched {
            name: path.to_string_lossy().into_owned().into_bytes(),
            text,
            dialect: InputKind::new(path).dialect(),
        })
    }
}

/// A JSON Schema, compiled once for many calls of ``validate``.
///
/// >>> schema = jsonx.Schema({"required": ["id"]})
/// >>> [len(jsonx.validate(text, schema=schema)) for text in ("{}", '{"id": 1}')]
/// [1, 0]
#[pyclass(frozen, name = "Schema", module = "jsonx")]
pub struct SchemaObject {
    schema: Arc<Schema>,
    argument: Py<PyAny>,
    root: Option<PathBuf>,
}

#[pymethods]
impl SchemaObject {
    #[new]
    #[pyo3(signature = (schema, *, schema_root=None))]
    fn new(
        py: Python<'_>,
        schema: &Bound<'_, PyAny>,
        schema_root: Option<PathBuf>,
    ) -> PyResult<SchemaObject> {
        Ok(SchemaObject {
            schema: Arc::new(compiled(py, schema, schema_root.clone())?),
            argument: schema.clone().unbind(),
            root: schema_root,
        })
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((Py<PyAny>,), Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        options.set_item("schema_root", &self.root)?;
        Ok(((self.argument.clone_ref(py),), options))
    }
}

fn compiled(py: Python<'_>, schema: &Bound<'_, PyAny>, root: Option<PathBuf>) -> PyResult<Schema> {
    let path = path_of(schema)?;
    let text: Option<Vec<u8>> = match path {
        Some(_) => None,
        None if schema.is_instance_of::<PyDict>() || schema.extract::<bool>().is_ok() => {
            Some(json_of(schema)?.into_bytes())
        }
        None => Some(
            of_argument(py, "schema", schema.extract::<Text>())?
                .bytes()
                .to_vec(),
        ),
    };
    let compiled = py.detach(|| {
        let store = Store::new(
            Settings {
                roots: root.into_iter().collect(),
                ..Settings::default()
            },
            Files,
        );
        let loaded = match (&text, &path) {
            (Some(text), _) => store.add("schema.json", text),
            (None, path) => store.load(path.as_deref().unwrap_or(Path::new(""))),
        };
        Schema::of_text(&store, loaded?, None)
    });
    compiled.map_err(|unusable| match unusable {
        Unusable::Unreadable { path, error } => system_error(&error, Some(&path)),
        Unusable::NotJson { source, error } => {
            error::invalid(py, &source.text, error, DiagnoseOptions::default())
        }
        Unusable::Wrong { source, findings } => {
            let mut report = Report::default();
            report.diagnostics = findings;
            error::of_report(py, &source.text, &report)
        }
    })
}

/// The JSON of a Python object, by Python's own writer.
pub fn json_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = object.py();
    let options = PyDict::new(py);
    options.set_item("ensure_ascii", false)?;
    options.set_item("allow_nan", false)?;
    let text = py
        .import("json")?
        .call_method("dumps", (object,), Some(&options))?;
    match text.extract::<String>() {
        Ok(text) => Ok(text),
        // Lone surrogates, which can only be written as escapes.
        Err(_) => py
            .import("json")?
            .call_method1("dumps", (object,))?
            .extract(),
    }
}

fn check(text: &[u8], kind: InputKind, lints: Lints, schema: Option<&Schema>) -> Report {
    match kind {
        InputKind::Json5 => {
            let translation = Translation::with(text.to_vec(), NonFinite::Error);
            let mut report = check_text(translation.text(), InputKind::Jsonc, lints, schema);
            for finding in &mut report.diagnostics {
                translation.locate(finding);
                translation.adapt(finding);
            }
            report
        }
        _ => check_text(text, kind, lints, schema),
    }
}

fn check_text(text: &[u8], kind: InputKind, lints: Lints, schema: Option<&Schema>) -> Report {
    if let Some(report) = check_valid(text, kind, lints, schema) {
        return report;
    }
    let framing = match kind {
        InputKind::Jsonl => Framing::Lines,
        _ => Framing::OneValue,
    };
    let options = DiagnoseOptions::default()
        .framing(framing)
        .dialect(kind.dialect())
        .limit(LIMIT)
        .max_input(usize::MAX)
        .lints(lints);
    let mut report = diagnose(text, &options);
    if report.errors == 0
        && let Some(schema) = schema
    {
        // JSON Lines not recognized as such by the engine.
        add(&mut report, &of_lines(text, schema));
    }
    report
}

/// The report on a valid text; `None` if it is invalid.
fn check_valid(
    text: &[u8],
    kind: InputKind,
    lints: Lints,
    schema: Option<&Schema>,
) -> Option<Report> {
    let start = if text.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    let options = Options::default().dialect(kind.dialect());
    let mut linter = Linter::new(lints, LIMIT);
    let mode = match kind {
        InputKind::Jsonl => {
            let mut lines = OnePerLine::new(&mut linter);
            let validator = Validator::new(options.mode(Mode::Stream));
            validator.check(&text[start..], &mut lines).ok()?;
            if !lines.holds() {
                return None;
            }
            Mode::Stream
        }
        _ => {
            let validator = Validator::new(options);
            validator.check(&text[start..], &mut linter).ok()?;
            Mode::One
        }
    };
    let linted = linter.finish();
    let plain = match kind.dialect() {
        Dialect::Json => Cow::Borrowed(&text[start..]),
        dialect => {
            let mut plain = text[start..].to_vec();
            blank(&mut plain, dialect).ok()?;
            Cow::Owned(plain)
        }
    };
    let mut report = linted.report(&plain, 0, mode);
    if let Some(schema) = schema {
        let found = match kind {
            InputKind::Jsonl => of_lines(&plain, schema),
            _ => of_value(&plain, schema, None),
        };
        add(&mut report, &found);
    }
    for finding in &mut report.diagnostics {
        finding.shift(start);
    }
    if start > 0 && lints.byte_order_mark {
        report.diagnostics.insert(0, lint::byte_order_mark(text));
    }
    Some(report)
}

fn add(report: &mut Report, found: &[Diagnostic]) {
    report.errors += found.len() as u64;
    report.diagnostics.extend_from_slice(found);
    sort_by_place(&mut report.diagnostics, |it| (it.span.start, it.span.end));
}

fn of_value(text: &[u8], schema: &Schema, record: Option<u64>) -> Vec<Diagnostic> {
    let Ok(document) = Document::index(text, Options::default()) else {
        return Vec::new();
    };
    let asked = InstanceOptions {
        options: Options::default(),
        repeats: None,
        whole: match record {
            Some(_) => jsonx_schema::RECORD,
            None => DOCUMENT,
        },
    };
    let mut found = schema.check(&document, &asked).findings;
    for finding in &mut found {
        finding.record = record;
    }
    found
}

fn of_lines(text: &[u8], schema: &Schema) -> Vec<Diagnostic> {
    let (mut found, mut at) = (Vec::new(), 0);
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        if !line.trim_ascii().is_empty() && found.len() < LIMIT {
            for mut finding in of_value(line, schema, Some(number as u64 + 1)) {
                finding.shift(at);
                found.push(finding);
            }
        }
        at += line.len() + 1;
    }
    found
}
