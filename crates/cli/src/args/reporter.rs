//! `--reporter`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::report::Format;
use crate::session::Reporter;

/// Parses `NAME` or `NAME=FILE`.
///
/// # Errors
/// There is no such format, or no file after `=`.
pub fn reporter(given: &str) -> Result<Reporter, String> {
    let (name, file) = match given.split_once('=') {
        Some((name, file)) => (name, Some(file)),
        None => (given, None),
    };
    let format = Format::from_str(name, false).map_err(|_| {
        let formats = Format::value_variants()
            .iter()
            .filter_map(Format::to_possible_value);
        let names: Vec<String> = formats.map(|format| format.get_name().to_owned()).collect();
        format!("the reporters are {}", names.join(", "))
    })?;
    match file {
        Some("") => Err("FILE is missing after `=`".to_owned()),
        file => Ok(Reporter {
            format,
            file: file.filter(|&file| file != "-").map(PathBuf::from),
        }),
    }
}
