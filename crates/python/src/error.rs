//! Raising `JSONError`, which is written in Python.

use std::fmt::Display;

use jsonx_core::SyntaxError;
use jsonx_diagnose::{DiagnoseOptions, Diagnostic, Lints, Report, diagnose};
use pyo3::prelude::*;

use crate::finding::{Finding, class, findings, objects};
use crate::places::Places;
use crate::text::{interruptible, to_str};

/// A `JSONError` at an offset of a text.
pub fn at(py: Python<'_>, text: &[u8], offset: usize, message: impl Display) -> PyErr {
    raise(py, text, offset, &message.to_string(), Vec::new())
}

/// A `JSONError` for a text that is not JSON, with all causes.
pub fn invalid(py: Python<'_>, text: &[u8], error: SyntaxError, options: DiagnoseOptions) -> PyErr {
    let (copy, options) = (text.to_vec(), options.lints(Lints::NONE));
    let report = match interruptible(py, copy.len(), move || diagnose(&copy, &options)) {
        Ok(report) => report,
        Err(interrupt) => return interrupt,
    };
    if report.diagnostics.is_empty() {
        let offset = usize::try_from(error.offset).unwrap_or(text.len());
        at(py, text, offset, error.kind)
    } else {
        of_report(py, text, &report)
    }
}

/// A `JSONError` with all findings, at the first error.
pub fn of_report(py: Python<'_>, text: &[u8], report: &Report) -> PyErr {
    let source = report.text.as_deref().unwrap_or(text);
    let found: Vec<Diagnostic> = report.diagnostics.clone();
    let first = found.first().map(|it| (it.span.start, it.message.clone()));
    let (offset, message) = first.unwrap_or((0, "not JSON".to_owned()));
    let found = findings("", source, found);
    raise(py, source, offset, &message, found)
}

fn raise(py: Python<'_>, text: &[u8], offset: usize, message: &str, found: Vec<Finding>) -> PyErr {
    let make = || {
        let place = Places::new(text).place(offset);
        let list = objects(py, "Finding", found)?;
        let arguments = (
            message,
            to_str(py, text),
            place.pos,
            list,
            (place.line, place.column),
        );
        class(py, "JSONError")?.call1(arguments)
    };
    make().map_or_else(|error| error, PyErr::from_value)
}
