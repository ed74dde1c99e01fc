//! `--reporter`.

use std::path::PathBuf;

use crate::report::Format;
use crate::session::Reporter;

/// Parses `NAME` or `NAME=FILE`.
///
/// # Errors
/// There is no such format, or no file after `=`.
pub fn reporter(text: &str) -> Result<Reporter, String> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name, Some(file)),
        None => (text, None),
    };
    let format =
        Format::named(name).ok_or_else(|| format!("the reporters are {}", Format::names()))?;
    match file {
        Some("") => Err("FILE is missing after `=`".to_owned()),
        file => Ok(Reporter {
            format,
            file: file.filter(|&file| file != "-").map(PathBuf::from),
        }),
    }
}

/// The short help of `--reporter`: `what`, and the names of the formats.
pub fn help(what: &str) -> String {
    format!(
        "{what}, with =FILE written to that file: {}",
        Format::names()
    )
}

/// The long help of `--reporter`.
pub fn long_help(what: &str, rest: &str) -> String {
    format!("{}\n\n{} {rest}", help(what), Format::descriptions())
}
