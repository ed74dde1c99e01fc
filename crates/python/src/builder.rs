//! Builds Python objects from the events of a text.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use jsonx_core::number::Number;
use jsonx_core::visit::Visitor;
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

type Cache = Vec<Known>;

/// Successive texts often have the same strings. Only one of several concurrent builders has the cache.
static CACHE: LazyLock<Mutex<Option<Cache>>> = LazyLock::new(|| Mutex::new(Some(empty_cache())));

fn empty_cache() -> Cache {
    let unknown = || Known {
        text: [0; LONGEST],
        length: 0,
        object: None,
    };
    std::iter::repeat_with(unknown).take(CACHED).collect()
}

fn idle_cache() -> MutexGuard<'static, Option<Cache>> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The slot of a short text. Eight bytes are hashed at a time.
#[inline]
fn slot(text: &[u8]) -> usize {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = text.as_chunks::<8>();
    let hash = words.iter().fold(text.len() as u64, |hash, word| {
        mix(hash, u64::from_le_bytes(*word))
    });
    let rest = rest
        .iter()
        .fold(0, |word, byte| word << 8 | u64::from(*byte));
    (mix(hash, rest) >> 52) as usize % CACHED
}

/// Fast path for integers of at most nine digits, the most common ones: avoids the search for a point and the general
/// conversion.
fn few_digits(raw: &[u8]) -> Option<i64> {
    let digits = raw.strip_prefix(b"-").unwrap_or(raw);
    if digits.len() > 9 {
        return None;
    }
    let mut value = 0;
    for byte in digits {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = 10 * value + i64::from(byte - b'0');
    }
    Some(if digits.len() < raw.len() {
        -value
    } else {
        value
    })
}

/// Builds Python objects from events. The elements of open containers are on one stack.
pub struct Builder<'py, 'h> {
    py: Python<'py>,
    hooks: &'h Hooks<'py>,
    pub values: Vec<Bound<'py, PyAny>>,
    /// Whether an open container is an object, and where its values begin.
    open: Vec<(bool, usize)>,
    cache: Option<Cache>,
    /// The number of containers so far.
    containers: u32,
}

impl Drop for Builder<'_, '_> {
    fn drop(&mut self) {
        if let Some(cache) = self.cache.take() {
            *idle_cache() = Some(cache);
        }
    }
}

impl<'py, 'h> Builder<'py, 'h> {
    pub fn new(py: Python<'py>, hooks: &'h Hooks<'py>) -> Self {
        Builder {
            py,
            hooks,
            values: Vec::with_capacity(32),
            open: Vec::with_capacity(8),
            cache: idle_cache().take(),
            containers: 0,
        }
    }

    /// A key or a string; most of them repeat within a long text and between texts.
    #[inline]
    fn make(&mut self, text: &str) -> Bound<'py, PyString> {
        let Some(cache) = self.cache.as_mut().filter(|_| text.len() <= LONGEST) else {
            return PyString::new(self.py, text);
        };
        let bytes = text.as_bytes();
        let known = &mut cache[slot(bytes)];
        if let Some(object) = &known.object
            && known.text[..usize::from(known.length)] == *bytes
        {
            return object.bind(self.py).clone();
        }
        let object = PyString::new(self.py, text);
        known.text[..bytes.len()].copy_from_slice(bytes);
        known.length = bytes.len() as u8;
        // Dropping a string runs no code of Python.
        known.object = Some(object.clone().unbind());
        object
    }

    /// Ends the call if Ctrl-C was pressed; checks for signals once in a while.
    fn check_signals(&mut self) -> Result<(), Unbuilt> {
        self.containers += 1;
        match self.containers.is_multiple_of(PATIENCE) {
            true => Ok(self.py.check_signals()?),
            false => Ok(()),
        }
    }

    /// Closes the innermost container; a key without a value is left out.
    fn close(&mut self) -> Result<(), Unbuilt> {
        let Some((is_object, from)) = self.open.pop() else {
            return Ok(());
        };
        self.check_signals()?;
        let closed = match is_object {
            false => PyList::new(self.py, self.values.drain(from..))?.into_any(),
            true => {
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
            }
        };
        self.values.push(closed);
        Ok(())
    }

    pub fn close_all(&mut self) -> Result<(), Unbuilt> {
        while !self.open.is_empty() {
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
}

impl Visitor for Builder<'_, '_> {
    type Error = Unbuilt;

    fn null(&mut self) -> Result<(), Unbuilt> {
        self.push(self.py.None().into_bound(self.py))
    }

    fn boolean(&mut self, value: bool) -> Result<(), Unbuilt> {
        self.push(PyBool::new(self.py, value).to_owned().into_any())
    }

    fn number(&mut self, number: Number<'_>) -> Result<(), Unbuilt> {
        let hook = match (&self.hooks.int, &self.hooks.float) {
            (None, None) => None,
            // `1.0` is an integer here, and a float in Python.
            (int, float) => match number.raw().iter().any(|byte| b".eE".contains(byte)) {
                true => float.as_ref(),
                false => int.as_ref(),
            },
        };
        if let Some(hook) = hook {
            let value = hook.call1((String::from_utf8_lossy(number.raw()),))?;
            return self.push(value);
        }
        if let Some(value) = few_digits(number.raw()) {
            return self.push(PyInt::new(self.py, value).into_any());
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

    fn string(&mut self, text: &str) -> Result<(), Unbuilt> {
        let text = self.make(text);
        self.push(text.into_any())
    }

    fn needs_lengths(&self) -> bool {
        false
    }

    fn begin_array(&mut self, _: Option<u64>) -> Result<(), Unbuilt> {
        self.open.push((false, self.values.len()));
        Ok(())
    }

    fn end_array(&mut self) -> Result<(), Unbuilt> {
        self.close()
    }

    fn begin_object(&mut self, _: Option<u64>) -> Result<(), Unbuilt> {
        self.open.push((true, self.values.len()));
        Ok(())
    }

    fn key(&mut self, key: &str) -> Result<(), Unbuilt> {
        let key = self.make(key);
        self.push(key.into_any())
    }

    fn end_object(&mut self) -> Result<(), Unbuilt> {
        self.close()
    }
}
