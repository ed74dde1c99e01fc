//! `read_lines`: JSON Lines as a stream of Arrow.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use jsonx_arrow::{Mismatches, Reader, ReaderOptions, infer, rejects_schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyString};

use crate::arrow_types;
use crate::check::system_error;
use crate::text::Text;

/// The bytes and records from which a schema is inferred.
const HEAD: u64 = 4 << 20;
const RECORDS: usize = 1000;

/// The source of the lines.
enum Source {
    File(PathBuf),
    Text(Arc<Text>),
    /// The bytes read so far, and an object with `read`. It can be read once.
    Object(Mutex<Option<(Vec<u8>, Py<PyAny>)>>),
}

struct SharedText(Arc<Text>);

impl AsRef<[u8]> for SharedText {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

/// A Python object with `read`.
struct Object(Py<PyAny>);

impl Read for Object {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            // A character may take four bytes.
            let length = (buffer.len() / 4).clamp(1, 1 << 20);
            let read = self
                .0
                .call_method1(py, "read", (length,))
                .map_err(io::Error::other)?;
            let read = read.into_bound(py);
            let bytes: PyBackedBytes = match read.cast::<PyString>() {
                Ok(text) => {
                    PyBytes::new(py, text.to_str().map_err(io::Error::other)?.as_bytes()).into()
                }
                Err(_) => read
                    .extract::<PyBackedBytes>()
                    .map_err(|error| io::Error::other(PyErr::from(error)))?,
            };
            let bytes: &[u8] = &bytes;
            match buffer.get_mut(..bytes.len()) {
                Some(start) => start.copy_from_slice(bytes),
                None => return Err(io::Error::other("read() returned more than was asked for")),
            }
            Ok(bytes.len())
        })
    }
}

impl Source {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Source> {
        if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
            return Ok(Source::File(object.extract()?));
        }
        if object.hasattr("read")? {
            let object = (Vec::new(), object.clone().unbind());
            return Ok(Source::Object(Mutex::new(Some(object))));
        }
        Ok(Source::Text(Arc::new(object.extract()?)))
    }

    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Source::File(path) => Box::new(File::open(path)?),
            Source::Text(text) => Box::new(Cursor::new(SharedText(text.clone()))),
            Source::Object(object) => {
                let object = lock(object).take();
                let (head, object) =
                    object.ok_or_else(|| io::Error::other("an object can be read only once"))?;
                Box::new(Cursor::new(head).chain(Object(object)))
            }
        })
    }

    /// The schema of the first records.
    fn infer(&self) -> io::Result<Schema> {
        let mut head = Vec::new();
        self.open()?.take(HEAD).read_to_end(&mut head)?;
        infer(&head, Some(RECORDS))
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// `infer` for an object, which is read once.
    fn infer_object(&self, py: Python<'_>) -> io::Result<Schema> {
        let Source::Object(object) = self else {
            return py.detach(|| self.infer());
        };
        let mut object = lock(object);
        let Some((head, reader)) = &mut *object else {
            return Err(io::Error::other("an object can be read only once"));
        };
        Object(reader.clone_ref(py)).take(HEAD).read_to_end(head)?;
        infer(head, Some(RECORDS))
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }
}

/// The rejects of one reader.
type Rejected = Arc<Mutex<Vec<RecordBatch>>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A reader that collects its rejects, and turns a panic into an error: the C interface cannot unwind.
struct Stream {
    reader: Reader,
    rejected: Rejected,
    known: u64,
}

impl Stream {
    fn step(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let batch = self.reader.next();
        while self.reader.rejected() > self.known {
            match self.reader.take_rejects() {
                Ok(rejects) => {
                    self.known += rejects.num_rows() as u64;
                    lock(&self.rejected).push(rejects);
                }
                Err(error) => return Some(Err(error)),
            }
        }
        batch
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = catch_unwind(AssertUnwindSafe(|| self.step()));
        step.unwrap_or_else(|_| {
            let message = "internal error of jsonx; please report it".to_owned();
            Some(Err(ArrowError::ComputeError(message)))
        })
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        RecordBatchReader::schema(&self.reader)
    }
}

/// JSON Lines as an Arrow stream, returned by ``read_lines``.
///
/// pyarrow, Polars, DuckDB, pandas and DataFusion read it by ``__arrow_c_stream__``, without a copy. Each reads the source from the
/// start; an object with ``read`` can be read once.
#[pyclass(frozen, module = "jsonx")]
pub struct Lines {
    source: Source,
    schema: SchemaRef,
    options: ReaderOptions,
    /// Those of the last reader.
    rejected: Mutex<Rejected>,
}

impl Lines {
    fn rejected(&self) -> Rejected {
        lock(&self.rejected).clone()
    }
}

/// Rejected records, as a stream of Arrow with ``line``, ``offset``, ``path``, ``code``, ``message`` and ``record``.
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
/// ``source`` is the path of a file, bytes, or an object with ``read``. ``schema`` gives the types of the fields: a ``dict`` such as
/// ``{"id": "int64", "tags": ["string"], "user": {"name": "string"}, "raw": "json"}``, or a ``pyarrow.Schema``; by default, it is
/// inferred from the first 1000 records. Only ``columns`` are read. A value that does not fit rejects its record
/// (``rejects="reject"``, the default), becomes null (``"null"``) or raises an error (``"error"``). The default of ``threads`` is the
/// number of cores.
///
/// >>> lines = jsonx.read_lines(b'{"id": 1, "x": [2]}\n{"id": "two"}\n{"id": 3,}\n', {"id": "int64"})
/// >>> import pyarrow
/// >>> pyarrow.table(lines).to_pylist()
/// [{'id': 1}]
/// >>> [(row["line"], row["code"]) for row in pyarrow.table(lines.rejects).to_pylist()]
/// [(2, 'type-mismatch'), (3, 'trailing-comma')]
#[pyfunction]
#[pyo3(signature = (source, schema=None, columns=None, rejects=None, threads=None))]
pub fn read_lines(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    schema: Option<&Bound<'_, PyAny>>,
    columns: Option<Vec<String>>,
    rejects: Option<&str>,
    threads: Option<usize>,
) -> PyResult<Lines> {
    let source = Source::of(source)?;
    let path = match &source {
        Source::File(path) => Some(path.clone()),
        _ => None,
    };
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::InvalidData => PyValueError::new_err(error.to_string()),
        _ => system_error(&error, path.as_deref()),
    };
    let mut schema = match schema {
        Some(schema) => arrow_types::schema(schema)?,
        None => source.infer_object(py).map_err(failed)?,
    };
    if let Some(columns) = columns {
        let projected = Reader::project(&schema, &columns).map_err(value_error)?;
        schema = Schema::clone(&projected);
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
    let lines = Lines {
        source,
        schema: Arc::new(schema),
        options: ReaderOptions::default()
            .mismatches(mismatches)
            .threads(threads.clamp(1, 256)),
        rejected: Mutex::default(),
    };
    // Unsupported types and missing files are errors here, not when the stream is read.
    Reader::new(io::empty(), lines.schema.clone(), lines.options.threads(1))
        .map_err(value_error)?;
    if let Source::File(path) = &lines.source {
        File::open(path).map_err(|error| system_error(&error, Some(path)))?;
    }
    Ok(lines)
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
        arrow_types::notation(py, self.schema.fields())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Producers may ignore it.
        drop(requested_schema);
        let source = self
            .source
            .open()
            .map_err(|error| system_error(&error, None))?;
        let reader = Reader::new(source, self.schema.clone(), self.options).map_err(value_error)?;
        let rejected = Rejected::default();
        *lock(&self.rejected) = rejected.clone();
        capsule(
            py,
            Stream {
                reader,
                rejected,
                known: 0,
            },
        )
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
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
        capsule(py, RecordBatchIterator::new(batches, rejects_schema()))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &rejects_schema())
    }
}
