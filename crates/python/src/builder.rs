//! Builds Python objects from the events of a text.

use std::sync::{LazyLock, Mutex, PoisonError};

use jsonx_core::engine::Validator;
use jsonx_core::number::Number;
use jsonx_core::visit::Event;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

/// Functions of the caller that make values, as in ``json.loads``.
#[derive(Default)]
pub struct Hooks<'py> {
    pub object: Option<Bound<'py, PyAny>>,
    pub pairs: Option<Bound<'py, PyAny>>,
    pub float: Option<Bound<'py, PyAny>>,
    pub int: Option<Bound<'py, PyAny>>,
}

/// An error of a builder: a Python exception, or a number with too many digits.
pub enum Unbuilt {
    Python(PyErr),
    TooLong,
}

impl From<PyErr> for Unbuilt {
    fn from(error: PyErr) -> Self {
        Unbuilt::Python(error)
    }
}

/// The number of containers between two checks for signals.
const PATIENCE: u32 = 1 << 12;

/// Slots of the cache of short strings.
const CACHED: usize = 4096;

/// Longer strings are not cached.
const LONGEST: usize = 47;

/// A cached short string.
struct Known {
    text: [u8; LONGEST],
    length: u8,
    object: Option<Py<PyString>>,
}

/// What successive texts use again.
#[derive(Default)]
pub struct Kept {
    pub validator: Validator,
    pub buffers: Buffers,
}

#[derive(Default)]
pub struct Buffers {
    /// The same strings often repeat. Empty in all but one of several concurrent calls.
    strings: Vec<Known>,
    /// Whether an open container is an object, and where its values begin.
    open: Vec<(bool, usize)>,
}

static KEPT: LazyLock<Mutex<Option<Box<Kept>>>> = LazyLock::new(|| {
    let unknown = || Known {
        text: [0; LONGEST],
        length: 0,
        object: None,
    };
    let mut kept = Box::<Kept>::default();
    kept.buffers.strings = std::iter::repeat_with(unknown).take(CACHED).collect();
    Mutex::new(Some(kept))
});

/// Calls `work` with what earlier texts left.
pub fn with_kept<T>(work: impl FnOnce(&mut Kept) -> T) -> T {
    let idle = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let taken = idle().take();
    let is_first = taken.is_some();
    let mut kept = taken.unwrap_or_default();
    let result = work(&mut kept);
    if is_first {
        *idle() = Some(kept);
    }
    result
}

/// The slot of a short text. Eight bytes are hashed at a time, the last of which overlap others.
#[inline]
fn slot(text: &[u8]) -> usize {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = text.as_chunks::<8>();
    let hash = words.iter().fold(text.len() as u64, |hash, word| {
        mix(hash, u64::from_le_bytes(*word))
    });
    let last = match (text.last_chunk(), text.first_chunk(), text.last_chunk()) {
        (Some(last), ..) => u64::from_le_bytes(*last),
        (None, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => rest
            .iter()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    (mix(hash, last) >> 52) as usize % CACHED
}

/// Builds Python objects from events. The elements of open containers are on one stack.
pub struct Builder<'py, 'h> {
    py: Python<'py>,
    hooks: &'h Hooks<'py>,
    pub values: Vec<Bound<'py, PyAny>>,
    buffers: &'h mut Buffers,
    /// The number of containers so far.
    containers: u32,
}

impl<'py, 'h> Builder<'py, 'h> {
    pub fn new(py: Python<'py>, hooks: &'h Hooks<'py>, buffers: &'h mut Buffers) -> Self {
        buffers.open.clear();
        Builder {
            py,
            hooks,
            values: Vec::with_capacity(32),
            buffers,
            containers: 0,
        }
    }

    /// A key or a string; most of them repeat within a long text and between texts.
    #[inline]
    fn make(&mut self, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
        let cached = self.buffers.strings.get_mut(slot(bytes));
        let Some(known) = cached.filter(|_| bytes.len() <= LONGEST) else {
            return PyString::from_bytes(self.py, bytes);
        };
        if let Some(object) = &known.object
            && known.text[..usize::from(known.length)] == *bytes
        {
            return Ok(object.bind(self.py).clone());
        }
        let object = PyString::from_bytes(self.py, bytes)?;
        known.text[..bytes.len()].copy_from_slice(bytes);
        known.length = bytes.len() as u8;
        // Dropping a string runs no code of Python.
        known.object = Some(object.clone().unbind());
        Ok(object)
    }

    /// Ends the call if Ctrl-C was pressed; checks for signals once in a while.
    fn check_signals(&mut self) -> Result<(), Unbuilt> {
        self.containers += 1;
        if self.containers.is_multiple_of(PATIENCE) {
            Ok(self.py.check_signals()?)
        } else {
            Ok(())
        }
    }

    /// Closes the innermost container; a key without a value is left out.
    fn close(&mut self) -> Result<(), Unbuilt> {
        let Some((is_object, from)) = self.buffers.open.pop() else {
            return Ok(());
        };
        self.check_signals()?;
        let closed = if is_object {
            let mut members = self.values.drain(from..);
            let mut next = || members.next().zip(members.next());
            if let Some(hook) = &self.hooks.pairs {
                let pairs: Vec<_> = std::iter::from_fn(next).collect();
                hook.call1((pairs,))?
            } else {
                let dict = PyDict::new(self.py);
                while let Some((key, value)) = next() {
                    dict.set_item(key, value)?;
                }
                match &self.hooks.object {
                    Some(hook) => hook.call1((dict,))?,
                    None => dict.into_any(),
                }
            }
        } else {
            PyList::new(self.py, self.values.drain(from..))?.into_any()
        };
        self.values.push(closed);
        Ok(())
    }

    pub fn close_all(&mut self) -> Result<(), Unbuilt> {
        while !self.buffers.open.is_empty() {
            self.close()?;
        }
        Ok(())
    }

    pub fn end(&mut self) -> Result<Bound<'py, PyAny>, Unbuilt> {
        let value = self.values.pop();
        value.ok_or_else(|| PyValueError::new_err("no value").into())
    }

    fn push(&mut self, value: Bound<'py, PyAny>) -> Result<(), Unbuilt> {
        self.values.push(value);
        Ok(())
    }

    /// Adds an event of the text.
    #[inline(always)]
    pub fn event(&mut self, event: Event<'_>) -> Result<(), Unbuilt> {
        match event {
            Event::Null => self.push(self.py.None().into_bound(self.py)),
            Event::Boolean(value) => self.push(PyBool::new(self.py, value).to_owned().into_any()),
            Event::Number(number) => self.number(number),
            Event::String(text) | Event::Key(text) => {
                let text = self.make(text)?;
                self.push(text.into_any())
            }
            Event::BeginArray => self.open(false),
            Event::BeginObject => self.open(true),
            Event::EndArray | Event::EndObject => self.close(),
        }
    }

    fn open(&mut self, is_object: bool) -> Result<(), Unbuilt> {
        self.buffers.open.push((is_object, self.values.len()));
        Ok(())
    }

    fn number(&mut self, number: Number<'_>) -> Result<(), Unbuilt> {
        let hook = match (&self.hooks.int, &self.hooks.float) {
            (None, None) => None,
            // `1.0` is an integer here, and a float in Python.
            (int, float) => {
                if number.raw().iter().any(|byte| b".eE".contains(byte)) {
                    float.as_ref()
                } else {
                    int.as_ref()
                }
            }
        };
        if let Some(hook) = hook {
            let value = hook.call1((String::from_utf8_lossy(number.raw()),))?;
            return self.push(value);
        }
        if !number.is_integer() {
            let infinity = match number.raw().first() {
                Some(b'-') => f64::NEG_INFINITY,
                _ => f64::INFINITY,
            };
            let value = number.as_f64().unwrap_or(infinity);
            return self.push(PyFloat::new(self.py, value).into_any());
        }
        if let Some(value) = number.as_i64() {
            return self.push(PyInt::new(self.py, value).into_any());
        }
        let text = String::from_utf8_lossy(number.raw());
        // Python limits the digits, because the conversion takes quadratic time.
        match self.py.get_type::<PyInt>().call1((text,)) {
            Ok(value) => self.push(value),
            Err(error) if error.is_instance_of::<PyValueError>(self.py) => Err(Unbuilt::TooLong),
            Err(error) => Err(error.into()),
        }
    }
}
