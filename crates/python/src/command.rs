//! The command `jsonx`.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command `jsonx` and returns its exit code. The first argument is its name.
#[pyfunction]
pub fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| jsonx_cli::run_with(&arguments))
}
