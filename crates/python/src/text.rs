//! Text arguments, borrowed from Python.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

/// A `str`, or bytes.
pub enum Text {
    Str(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl Text {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Text::Str(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Text> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Text::Str(PyBackedStr::try_from(text.to_owned())?));
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Text::Bytes(bytes.to_owned().into()));
        }
        if let Ok(bytes) = object.cast::<PyByteArray>() {
            return Ok(Text::Bytes(bytes.to_owned().into()));
        }
        if object.is_instance_of::<PyMemoryView>() {
            let bytes = object.call_method0("tobytes")?;
            return Ok(Text::Bytes(bytes.cast_into::<PyBytes>()?.into()));
        }
        let name = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "expected str, bytes, bytearray or memoryview, not {name}"
        )))
    }
}

/// The maximum length of a short text, in bytes.
const SHORT: usize = 1024;

/// Works on a text without the GIL, unless the text is short: then the work takes less time than getting the GIL back.
pub fn without_gil<T: Send>(py: Python<'_>, text: &[u8], work: impl FnOnce() -> T + Send) -> T {
    match is_short(text) {
        true => work(),
        false => py.detach(work),
    }
}

/// Whether the fixed costs of a call matter more than the length of the text.
pub fn is_short(text: &[u8]) -> bool {
    text.len() <= SHORT
}

/// Decodes UTF-8; invalid bytes become U+FFFD.
pub fn to_str<'py>(py: Python<'py>, bytes: &[u8]) -> Bound<'py, PyString> {
    match std::str::from_utf8(bytes) {
        Ok(text) => PyString::new(py, text),
        Err(_) => PyString::new(py, &String::from_utf8_lossy(bytes)),
    }
}
