//! The sources of `read_lines`: files, texts and objects with `read`.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyFileNotFoundError, PyIsADirectoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{IntoPyDict, PyBytes, PyList, PyString, PyTuple};

use crate::check::system_error;
use crate::text::Text;

/// The bytes of a source from which a schema is inferred.
const HEAD: u64 = 4 << 20;

/// The number of bytes that show whether data is compressed.
const MAGIC: u64 = 16;

/// A source of records.
pub enum Source {
    File(PathBuf),
    Text(Arc<Text>),
    /// The bytes read so far, and an object with `read`. It can be read once.
    Object(Mutex<Option<(Vec<u8>, Object)>>),
}

struct SharedText(Arc<Text>);

impl AsRef<[u8]> for SharedText {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

/// A Python object with `read`.
pub struct Object(Py<PyAny>);

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

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Source {
    /// One source, or those of a list; a path may be a glob.
    pub fn all(object: &Bound<'_, PyAny>) -> PyResult<Vec<Source>> {
        if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            let mut sources = Vec::new();
            for item in object.try_iter()? {
                sources.extend(Source::files(&item?)?);
            }
            return if sources.is_empty() {
                Err(PyValueError::new_err("source is an empty list"))
            } else {
                Ok(sources)
            };
        }
        if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
            return Source::files(object);
        }
        if object.hasattr("read")? {
            let object = (Vec::new(), Object(object.clone().unbind()));
            return Ok(vec![Source::Object(Mutex::new(Some(object)))]);
        }
        Ok(vec![Source::Text(Arc::new(object.extract()?))])
    }

    /// The file at a path, or the files that match a glob.
    fn files(object: &Bound<'_, PyAny>) -> PyResult<Vec<Source>> {
        let py = object.py();
        let path: PathBuf = object.extract()?;
        let error = match File::open(&path) {
            Ok(_) if path.is_dir() => {
                let path = path.display();
                let message = format!("{path} is a directory; {path}/*.jsonl names its files");
                return Err(PyIsADirectoryError::new_err(message));
            }
            Ok(_) => return Ok(vec![Source::File(path)]),
            Err(error) => error,
        };
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        let glob = py.import("glob")?;
        if is_missing
            && glob
                .call_method1("has_magic", (path.as_os_str(),))?
                .extract()?
        {
            let options = [("recursive", true)].into_py_dict(py)?;
            let found = glob.call_method("glob", (path.as_os_str(),), Some(&options))?;
            let mut found: Vec<OsString> = found.extract()?;
            found.retain(|path| !Path::new(path).is_dir());
            found.sort();
            if !found.is_empty() {
                return Ok(found
                    .into_iter()
                    .map(|it| Source::File(it.into()))
                    .collect());
            }
        }
        let text = path.to_string_lossy();
        if text.trim_start().starts_with(['{', '[']) || text.contains('\n') {
            let message = "source is a str, so it is the path of a file, but it looks like JSON: for a text, pass text.encode()";
            return Err(PyFileNotFoundError::new_err(message));
        }
        Err(system_error(&error, Some(&path)))
    }

    /// The name of the file in messages.
    pub fn name(&self) -> Option<String> {
        match self {
            Source::File(path) => Some(path.to_string_lossy().into_owned()),
            _ => None,
        }
    }

    /// The error, with the name of the file.
    pub fn error(&self, error: &io::Error) -> PyErr {
        match (self, error.kind()) {
            (_, io::ErrorKind::InvalidData) => PyValueError::new_err(self.named(error.to_string())),
            (Source::File(path), _) => system_error(error, Some(path)),
            _ => system_error(error, None),
        }
    }

    /// A message with the name of the file.
    pub fn named(&self, message: String) -> String {
        match self.name() {
            Some(name) => format!("{name}: {message}"),
            None => message,
        }
    }

    /// The text, decompressed.
    pub fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        match self {
            Source::File(path) => jsonx_cli::decompressed(File::open(path)?),
            Source::Text(text) => jsonx_cli::decompressed(Cursor::new(SharedText(text.clone()))),
            Source::Object(object) => {
                let (head, rest) = begin(object, MAGIC)?;
                Ok(Box::new(Cursor::new(head).chain(rest)))
            }
        }
    }

    /// The start of the text, decompressed.
    pub fn head(&self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        if let Source::Object(object) = self {
            let begun = begin(object, HEAD)?;
            head.clone_from(&begun.0);
            *lock(object) = Some(begun);
        } else {
            self.open()?.take(HEAD).read_to_end(&mut head)?;
        }
        Ok(head)
    }
}

/// The first bytes of an object, at least `length` unless it ends before, and the object. Not locked while Python code runs.
fn begin(object: &Mutex<Option<(Vec<u8>, Object)>>, length: u64) -> io::Result<(Vec<u8>, Object)> {
    let begun = lock(object).take();
    let (mut head, mut rest) =
        begun.ok_or_else(|| io::Error::other("an object can be read only once"))?;
    let missing = length.saturating_sub(head.len() as u64);
    (&mut rest).take(missing).read_to_end(&mut head)?;
    // Another thread would decompress it, and wait for a consumer that holds the GIL.
    match jsonx_cli::compression(&head) {
        Some(name) => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("read() returns {name} data: pass the path, or an object that decompresses it"),
        )),
        None => Ok((head, rest)),
    }
}
