//! The extension module `jsonx._jsonx`, which implements the package `jsonx`.
//!
//! jsonx-core does the work, jsonx-tool renders findings. Texts are processed without the GIL; Python objects are created with
//! it.

mod arrow_types;
mod builder;
mod check;
mod command;
mod document;
mod error;
mod finding;
mod lines;
mod places;
mod program;
mod reader;
mod repair;
mod rewrite;
mod sources;
mod text;
mod values;

use pyo3::prelude::*;

/// The functions and classes of the package, except those written in Python.
#[pymodule(gil_used = false)]
mod _jsonx {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::check::{SchemaObject, validate};
    #[pymodule_export]
    use crate::command::run;
    #[pymodule_export]
    use crate::document::Document;
    #[pymodule_export]
    use crate::lines::{Lines, Rejects, read_lines};
    #[pymodule_export]
    use crate::program::{Program, Results, jq};
    #[pymodule_export]
    use crate::reader::Reader;
    #[pymodule_export]
    use crate::repair::fix;
    #[pymodule_export]
    use crate::rewrite::{diff, format, patch};
    #[pymodule_export]
    use crate::values::{loads, raw_decode};
}
