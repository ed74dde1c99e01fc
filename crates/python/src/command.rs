//! The command `jsonx`.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command `jsonx` with these arguments, of which the first is its name, and returns its exit code.
#[pyfunction]
pub fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| jsonx_cli::run_with(&arguments))
}
