//! Text arguments borrowed from Python, and long operations on them.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

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

impl Text {
    /// Decodes UTF-16, UTF-32 and a byte-order mark as `json.loads` does; other bytes are unchanged.
    pub fn decoded(self, py: Python<'_>) -> PyResult<Text> {
        let Text::Bytes(bytes) = &self else {
            return Ok(self);
        };
        let is_marked = matches!(bytes.first(), Some(0xEF | 0xFE | 0xFF));
        if !is_marked && !bytes.iter().take(4).any(|&byte| byte == 0) {
            return Ok(self);
        }
        let object = PyBytes::new(py, bytes);
        let encoding = py
            .import("json")?
            .call_method1("detect_encoding", (&object,))?;
        match object.call_method1("decode", (encoding, "surrogatepass")) {
            Ok(text) => text.extract(),
            // Invalid in any encoding, which is reported later.
            Err(_) => Ok(self),
        }
    }
}

/// A text with U+FFFD in place of lone surrogates, which only Python can hold.
fn without_surrogates(text: &Bound<'_, PyString>) -> PyResult<PyBackedStr> {
    let units = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let units = units.cast_into::<PyBytes>()?;
    let (units, _) = units.as_bytes().as_chunks::<2>();
    let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
    PyBackedStr::try_from(PyString::new(text.py(), &String::from_utf16_lossy(&units)))
}

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Text> {
        if let Ok(text) = object.cast::<PyString>() {
            let text = text.to_owned();
            return Ok(Text::Str(match PyBackedStr::try_from(text.clone()) {
                Ok(text) => text,
                Err(_) => without_surrogates(&text)?,
            }));
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

/// Adds the name of an argument to an error, as PyO3 does for the arguments that it extracts.
pub fn of_argument<T>(py: Python<'_>, name: &str, extracted: PyResult<T>) -> PyResult<T> {
    extracted.inspect_err(|error| {
        // Before Python 3.11, exceptions have no notes.
        let _ = error
            .value(py)
            .call_method1("add_note", (format!("while processing '{name}'"),));
    })
}

/// The maximum length of a short text, in bytes.
const SHORT: usize = 1024;

/// Runs `work` without the GIL, unless the text is short: reacquiring the GIL would take longer than the work.
pub fn without_gil<T: Send>(py: Python<'_>, text: &[u8], work: impl FnOnce() -> T + Send) -> T {
    if is_short(text) {
        work()
    } else {
        py.detach(work)
    }
}

/// The minimum length of a text, in bytes, for which the work can be interrupted.
const LONG: usize = 1 << 16;

/// The time between two looks at the signals of the process.
const PATIENCE: Duration = Duration::from_millis(50);

/// Runs `work` on a text of this length without the GIL. Long work runs on another thread, so that Ctrl-C ends the call; the
/// thread completes its work in vain.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    length: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if length <= LONG {
        return Ok(if length <= SHORT {
            work()
        } else {
            py.detach(work)
        });
    }
    let (sender, mut receiver) = channel();
    let worker = thread::Builder::new().spawn(move || sender.send(work()).is_ok())?;
    loop {
        let receiver = &mut receiver;
        match py.detach(move || receiver.recv_timeout(PATIENCE)) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            // The thread has panicked.
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => resume_unwind(panic),
                Ok(_) => unreachable!("the result was sent before"),
            },
        }
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
