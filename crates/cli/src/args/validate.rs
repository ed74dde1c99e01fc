//! `jsonx validate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Common, Levels};
use crate::files::Selection;
use crate::report::Format;

/// Check that files are valid JSON (RFC 8259, in UTF-8).
///
/// Silent when everything is valid and nothing about it is dubious. Otherwise every error of every file is printed on
/// standard output: what is wrong, where to edit, and what to type instead. `jsonx explain CODE` says more about the
/// code of a finding. Of a value of more than 256 MB, and a pipe of more than 4 MB, the first error is shown, without
/// its cause; of JSON Lines, every line that is wrong, whatever the length, and of a pipe of them while it is still open.
#[derive(Debug, Args)]
#[command(
    alias = "check",
    after_help = "\
Exit codes:
  0  all valid
  1  something is invalid, or a denied lint has found something
  2  wrong usage, a bad glob, or no file at all
  4  a file could not be read, or is nested deeper than --max-depth

Examples:
  jsonx validate .
  jsonx validate package.json config/ --ext json,webmanifest
  git diff --name-only -z --diff-filter=d '*.json' | jsonx validate --allow-no-files --files0-from -
  curl -s https://example.com/data | jsonx validate
  jsonx validate --input stream events.log
  jsonx validate --deny duplicate-key --allow unsafe-integer package.json
  jsonx validate --reporter json data.json
  jsonx validate . --reporter human --reporter sarif=findings.sarif"
)]
pub struct Validate {
    #[command(flatten)]
    pub selection: Selection,

    /// How findings are printed: human (with source lines), concise (one line each), json (one record each, one for
    /// each file, one at the end), sarif, github (annotations), gitlab (Code Quality), junit, checkstyle, rdjson
    /// (reviewdog). With =FILE, into that file. May be given several times [default: human; in GitHub Actions, human
    /// and github]
    #[arg(long, value_name = "NAME[=FILE]", value_parser = reporter)]
    pub reporter: Vec<Reporter>,

    #[command(flatten)]
    pub levels: Levels,

    /// Stop at the first file that is not valid
    #[arg(long)]
    pub fail_fast: bool,

    /// List every file with its verdict on standard error
    #[arg(short, long)]
    pub verbose: bool,

    /// Print nothing at all; the exit code says it
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    #[command(flatten)]
    pub common: Common,
}

/// One value of `--reporter`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reporter {
    /// The form.
    pub format: Format,
    /// The file that it is written to; standard output otherwise.
    pub file: Option<PathBuf>,
}

/// Takes `NAME` or `NAME=FILE` apart.
fn reporter(given: &str) -> Result<Reporter, String> {
    let (name, file) = match given.split_once('=') {
        Some((name, file)) => (name, Some(file)),
        None => (given, None),
    };
    let format = Format::from_str(name, false).map_err(|_| {
        let forms = Format::value_variants()
            .iter()
            .filter_map(Format::to_possible_value);
        let names: Vec<String> = forms.map(|form| form.get_name().to_owned()).collect();
        format!("there are {}", names.join(", "))
    })?;
    match file {
        Some("") => Err("there is no FILE after `=`".to_owned()),
        file => Ok(Reporter {
            format,
            file: file.filter(|&file| file != "-").map(PathBuf::from),
        }),
    }
}
