//! `read_lines`: JSON Lines as a stream of Arrow.

use std::ffi::CString;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::UInt64Type;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use jsonx_arrow::{Coercion, Mismatches, Reader, ReaderOptions, infer, rejects_schema};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::arrow_types;
use crate::sources::{Source, lock};
use crate::text::of_argument;

/// The records from which a schema is inferred.
const RECORDS: usize = 1000;

/// The schema of the first records.
fn inferred(sources: &[Source]) -> PyResult<Schema> {
    let mut failed = None;
    let heads = sources.iter().map_while(|source| {
        let head = source.head();
        head.map_err(|error| failed = Some(source.error(&error)))
            .ok()
    });
    let schema = infer(heads, Some(RECORDS));
    match failed {
        Some(error) => Err(error),
        None => schema.map_err(|error| {
            PyValueError::new_err(sources[0].named(format!("{}; pass a schema", message(error))))
        }),
    }
}

/// The message without the class of the error.
fn message(error: ArrowError) -> String {
    match error {
        ArrowError::JsonError(message)
        | ArrowError::SchemaError(message)
        | ArrowError::IoError(message, _) => message,
        other => other.to_string(),
    }
}

/// The rejects of one reader.
type Rejected = Arc<Mutex<Vec<RecordBatch>>>;

/// Reads the sources one after another, collects their rejects, and turns a panic into an error: the C interface cannot unwind.
struct Stream {
    sources: Arc<[Source]>,
    /// The number of the source that is read next.
    next: usize,
    /// That of the reader.
    schema: SchemaRef,
    /// The columns of the result, if not all.
    columns: Option<Vec<usize>>,
    options: ReaderOptions,
    reader: Option<Reader>,
    rejected: Rejected,
    /// The rejects of the reader.
    known: u64,
    counts: Counts,
}

/// The records of a stream so far.
#[derive(Default)]
struct Counts {
    rows: u64,
    rejects: u64,
    /// Times cut to the unit of their field.
    cut: u64,
    /// The place and the reason of the first reject.
    first: Option<String>,
}

impl Counts {
    /// Warns of times that were cut, and if more than a tenth of the records was rejected.
    fn warn(&self) -> PyResult<()> {
        let Counts { rejects, cut, .. } = *self;
        let all = self.rows + rejects;
        let mut warnings = Vec::new();
        if let Some(first) = &self.first
            && rejects * 10 > all
        {
            let share = rejects * 100 / all;
            warnings.push(format!(
                "{rejects} of {all} records ({share} %) were rejected, the first {first}; all are in .rejects"
            ));
        }
        if cut > 0 {
            warnings.push(format!("{cut} times were cut to the unit of their column"));
        }
        Python::attach(|py| {
            for warning in warnings {
                let message = CString::new(format!("read_lines: {warning}"))?;
                PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
            }
            Ok(())
        })
    }
}

impl Stream {
    /// Begins the next source, if there is one.
    fn open(&mut self) -> io::Result<()> {
        let Some(source) = self.sources.get(self.next) else {
            return Ok(());
        };
        self.next += 1;
        let reader = Reader::new(source.open()?, self.schema.clone(), self.options.clone());
        self.reader = Some(reader.map_err(io::Error::other)?);
        self.known = 0;
        Ok(())
    }

    fn step(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        while let Some(reader) = &mut self.reader {
            let batch = reader.next();
            while reader.rejected() > self.known {
                let rejects = reader.take_rejects()?;
                self.known += rejects.num_rows() as u64;
                let name = self.sources[self.next - 1].name();
                if self.counts.first.is_none() {
                    self.counts.first = Some(first_of(&rejects, name.as_deref()));
                }
                self.counts.rejects += rejects.num_rows() as u64;
                lock(&self.rejected).push(with_file(&rejects, name.as_deref())?);
            }
            if let Some(batch) = batch.transpose()? {
                self.counts.rows += batch.num_rows() as u64;
                return match &self.columns {
                    Some(columns) => batch.project(columns).map(Some),
                    None => Ok(Some(batch)),
                };
            }
            self.counts.cut += reader.cut();
            self.reader = None;
            self.open()?;
            if self.reader.is_none() {
                let warned = self.counts.warn();
                warned.map_err(|error| ArrowError::ExternalError(error.into()))?;
            }
        }
        Ok(None)
    }

    /// The error, with the name of the file.
    fn failed(&mut self, error: ArrowError) -> ArrowError {
        self.reader = None;
        ArrowError::JsonError(self.sources[self.next - 1].named(message(error)))
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = catch_unwind(AssertUnwindSafe(|| self.step())).unwrap_or_else(|_| {
            let message = "internal error of jsonx; please report it".to_owned();
            Err(ArrowError::ComputeError(message))
        });
        step.map_err(|error| self.failed(error)).transpose()
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        result(&self.schema, self.columns.as_deref())
    }
}

/// The schema of these columns.
fn result(schema: &SchemaRef, columns: Option<&[usize]>) -> SchemaRef {
    let projected = columns.and_then(|columns| schema.project(columns).ok());
    projected.map_or_else(|| schema.clone(), Arc::new)
}

/// The schema of rejects, with the file.
fn rejects_of_files() -> SchemaRef {
    let mut fields = rejects_schema().fields().to_vec();
    fields.push(Arc::new(Field::new("file", DataType::Utf8, true)));
    Arc::new(Schema::new(fields))
}

/// The place of the first reject, and the reason.
fn first_of(rejects: &RecordBatch, name: Option<&str>) -> String {
    let text = |column: usize| rejects.column(column).as_string::<i32>().value(0);
    let line = rejects.column(0).as_primitive::<UInt64Type>().value(0);
    let file = name.map_or(String::new(), |name| format!(" of {name}"));
    let path = match text(2) {
        "" => String::new(),
        path => format!(" at {}", path.chars().take(100).collect::<String>()),
    };
    let reason = text(4).replace('\0', "");
    format!("on line {line}{file}{path}: {reason} [{}]", text(3))
}

fn with_file(rejects: &RecordBatch, name: Option<&str>) -> Result<RecordBatch, ArrowError> {
    let names: StringArray = std::iter::repeat_n(name, rejects.num_rows()).collect();
    let mut columns = rejects.columns().to_vec();
    columns.push(Arc::new(names));
    RecordBatch::try_new(rejects_of_files(), columns)
}

/// JSON Lines as an Arrow stream, returned by ``read_lines``.
///
/// pyarrow, Polars, DuckDB, pandas and DataFusion read it by ``__arrow_c_stream__``, without a copy. Each reads the sources from the
/// start; an object with ``read`` can be read once.
#[pyclass(frozen, module = "jsonx")]
pub struct Lines {
    sources: Arc<[Source]>,
    /// That of the reader.
    schema: SchemaRef,
    /// The columns of the result, if not all.
    columns: Option<Vec<usize>>,
    options: ReaderOptions,
    /// Those of the last reader.
    rejected: Mutex<Rejected>,
}

impl Lines {
    fn rejected(&self) -> Rejected {
        lock(&self.rejected).clone()
    }
}

/// Rejected records, as a stream of Arrow with ``line``, ``offset``, ``path``, ``code``, ``message``, ``record`` and ``file``.
#[pyclass(frozen, module = "jsonx")]
pub struct Rejects(Vec<RecordBatch>);

fn capsule<'py>(
    py: Python<'py>,
    reader: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'py, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

fn schema_capsule<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(value_error)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

fn value_error(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Reads JSON Lines into Arrow: each record becomes a row, or one of the ``rejects`` if it is broken or does not fit.
///
/// ``source`` is the path of a file, a glob such as ``"logs/**/*.jsonl"``, a list of both, bytes, or an object with ``read``. Files and
/// bytes may be compressed with gzip, Zstandard, bzip2 or xz. A text that is an array of objects, ``[{...}, ...]``, is read whole, and
/// its elements are the records.
///
/// ``schema`` gives the types of the fields: a ``dict`` such as
/// ``{"id": "int64", "tags": ["string"], "user": {"name": "string"}, "raw": "json"}``, or a ``pyarrow.Schema``; by default, it is
/// inferred from the first 1000 records. A value that does not fit rejects its record
/// (``rejects="reject"``, the default), becomes null (``"null"``) or raises an error (``"error"``). If more than a tenth of the records
/// is rejected, a ``UserWarning`` at the end of the stream has the first reason. The default of ``threads`` is the number of cores.
///
/// Only ``columns`` are read, and other fields may hold anything, unless ``check_all=True`` rejects records whose other fields do not fit,
/// which takes the time of all fields.
///
/// With ``coerce=True``, a number or a boolean in a string is read as such, a number or a boolean as a string has its own text, and
/// times have digits beyond their unit cut off, with a ``UserWarning``. A time may be a number, or a string with one, since 1970: of the
/// unit ``epoch`` (``"s"``, ``"ms"``, ``"us"``, ``"ns"``) or, by size, of seconds up to 10^11, milliseconds up to 10^14, microseconds up to
/// 10^17, and nanoseconds. A time without an offset is in ``zone``, such as ``"Europe/Berlin"`` or ``"+01:00"``; one that this zone has
/// twice or not at all is rejected, and so are all without a ``zone``.
///
/// >>> lines = jsonx.read_lines(b'{"id": 1, "x": [2]}\n{"id": "two"}\n{"id": 3,}\n', {"id": "int64"})
/// >>> import pyarrow
/// >>> pyarrow.table(lines).to_pylist()
/// [{'id': 1}]
/// >>> [(row["line"], row["code"]) for row in pyarrow.table(lines.rejects).to_pylist()]
/// [(2, 'type-mismatch'), (3, 'trailing-comma')]
#[pyfunction]
#[pyo3(signature = (
    source, schema=None, columns=None, rejects=None, threads=None, *, check_all=false, coerce=false, zone=None, epoch=None
))]
#[allow(clippy::too_many_arguments)]
pub fn read_lines(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    schema: Option<&Bound<'_, PyAny>>,
    columns: Option<Vec<String>>,
    rejects: Option<&str>,
    threads: Option<usize>,
    check_all: bool,
    coerce: bool,
    zone: Option<&str>,
    epoch: Option<&str>,
) -> PyResult<Lines> {
    let sources: Arc<[Source]> = of_argument(py, "source", Source::all(source))?.into();
    let mut schema = match (schema, &*sources) {
        (Some(schema), _) => of_argument(py, "schema", arrow_types::schema(schema))?,
        // Its methods need the GIL.
        (None, [Source::Object(_)]) => inferred(&sources)?,
        (None, _) => py.detach(|| inferred(&sources))?,
    };
    let mut selected = None;
    if let Some(columns) = columns {
        let projected = Reader::project(&schema, &columns).map_err(value_error)?;
        if check_all {
            let indices = columns.iter().map(|name| schema.index_of(name));
            selected = Some(indices.collect::<Result<_, _>>().map_err(value_error)?);
        } else {
            schema = Schema::clone(&projected);
        }
    }
    let mismatches = match rejects {
        None | Some("reject") => Mismatches::Reject,
        Some("null") => Mismatches::Null,
        Some("error") => Mismatches::Error,
        Some(other) => {
            let message = format!("rejects must be 'reject', 'null' or 'error', not {other:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    let threads = threads
        .or_else(|| Some(std::thread::available_parallelism().ok()?.get()))
        .unwrap_or(1);
    let mut options = ReaderOptions::default()
        .mismatches(mismatches)
        .threads(threads.clamp(1, 256));
    if let Some(coercion) = coercion(coerce, zone, epoch)? {
        options = options.coercion(coercion);
    }
    let lines = Lines {
        sources,
        schema: Arc::new(schema),
        columns: selected,
        options,
        rejected: Mutex::default(),
    };
    // Unsupported types are errors here, not when the stream is read.
    Reader::new(
        io::empty(),
        lines.schema.clone(),
        lines.options.clone().threads(1),
    )
    .map_err(value_error)?;
    Ok(lines)
}

fn coercion(coerce: bool, zone: Option<&str>, epoch: Option<&str>) -> PyResult<Option<Coercion>> {
    if !coerce {
        return match zone.or(epoch) {
            Some(_) => Err(PyValueError::new_err("zone and epoch need coerce=True")),
            None => Ok(None),
        };
    }
    let mut coercion = Coercion::default();
    if let Some(zone) = zone {
        coercion = coercion.zone(zone).map_err(value_error)?;
    }
    if let Some(epoch) = epoch {
        let unit = arrow_types::unit_named(epoch).ok_or_else(|| {
            PyValueError::new_err(format!(
                "epoch must be 's', 'ms', 'us' or 'ns', not {epoch:?}"
            ))
        })?;
        coercion = coercion.epoch(unit);
    }
    Ok(Some(coercion))
}

#[pymethods]
impl Lines {
    /// The records that the last reader has rejected so far.
    #[getter]
    fn rejects(&self) -> Rejects {
        Rejects(lock(&self.rejected()).clone())
    }

    /// Returns ``rejects`` and drops them, for constant memory if many records are rejected.
    fn take_rejects(&self) -> Rejects {
        Rejects(std::mem::take(&mut *lock(&self.rejected())))
    }

    /// The number of records in ``rejects``.
    #[getter(rejected)]
    fn rejected_count(&self) -> usize {
        let rejected = self.rejected();
        lock(&rejected).iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the fields, and their types, as ``read_lines`` takes them.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let schema = result(&self.schema, self.columns.as_deref());
        arrow_types::notation(py, schema.fields())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Producers may ignore it.
        drop(requested_schema);
        let mut stream = Stream {
            sources: self.sources.clone(),
            next: 0,
            schema: self.schema.clone(),
            columns: self.columns.clone(),
            options: self.options.clone(),
            reader: None,
            rejected: Rejected::default(),
            known: 0,
            counts: Counts::default(),
        };
        stream
            .open()
            .map_err(|error| self.sources[0].error(&error))?;
        *lock(&self.rejected) = stream.rejected.clone();
        capsule(py, stream)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &result(&self.schema, self.columns.as_deref()))
    }
}

#[pymethods]
impl Rejects {
    fn __len__(&self) -> usize {
        self.0.iter().map(RecordBatch::num_rows).sum()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches: Vec<Result<RecordBatch, ArrowError>> =
            self.0.iter().cloned().map(Ok).collect();
        capsule(py, RecordBatchIterator::new(batches, rejects_of_files()))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &rejects_of_files())
    }
}
