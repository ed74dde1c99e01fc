//! What callers pass as a text, borrowed.

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

/// The longest text whose work keeps the GIL: it takes less time than getting the GIL back.
const SHORT: usize = 1024;

/// Works on a text without the GIL, unless the text is short.
pub fn without_gil<T: Send>(py: Python<'_>, text: &[u8], work: impl FnOnce() -> T + Send) -> T {
    match text.len() {
        ..=SHORT => work(),
        _ => py.detach(work),
    }
}

/// A `str` of a text that is UTF-8; of what is not, U+FFFD.
pub fn to_str<'py>(py: Python<'py>, bytes: &[u8]) -> Bound<'py, PyString> {
    match std::str::from_utf8(bytes) {
        Ok(text) => PyString::new(py, text),
        Err(_) => PyString::new(py, &String::from_utf8_lossy(bytes)),
    }
}
