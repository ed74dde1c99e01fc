//! A program and its settings as text, so that each thread can compile it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::PathBuf;

use jsonx_jq::{Program, ProgramError, Settings, Value};

use super::UsageError;
use crate::args::Jq;
use crate::report::escape;

/// A program and its variables.
pub struct ProgramSource {
    pub program: String,
    /// Names, and values as JSON.
    variables: Vec<(String, String)>,
    positional: Vec<String>,
    search: Vec<PathBuf>,
    /// Whether each input is processed independently.
    pub is_for_each: bool,
    /// The path of the array whose elements the program [takes one by one](Program::per_element).
    pub array: Option<Vec<String>>,
}

fn failed(message: String) -> UsageError {
    UsageError::message(format!("jsonx jq: {message}"))
}

fn text_of(argument: &OsStr, what: &str) -> Result<String, UsageError> {
    argument.to_str().map(str::to_owned).ok_or_else(|| {
        failed(format!(
            "{what} is not UTF-8: {}",
            escape(&*argument.to_string_lossy())
        ))
    })
}

/// A value as JSON, checked.
fn json(text: &str, what: &str) -> Result<String, UsageError> {
    match Value::from_json(text) {
        Ok(value) => Ok(value.to_string()),
        Err(error) => Err(failed(format!("{what}: {}", escape(&error)))),
    }
}

fn read(path: &OsStr, option: &str) -> Result<String, UsageError> {
    let bytes = fs::read(path);
    let bytes = bytes.map_err(|error| {
        failed(format!(
            "{option} {}: {error}",
            escape(&*path.to_string_lossy())
        ))
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl ProgramSource {
    /// Reads the files of the arguments.
    ///
    /// # Errors
    /// A file cannot be read, or a value is not JSON.
    pub fn new(args: &Jq) -> Result<ProgramSource, UsageError> {
        let program = args.program.as_deref().unwrap_or(OsStr::new("."));
        let program = if args.from_file {
            read(program, "-f")?
        } else {
            text_of(program, "the program")?
        };
        let mut variables = Vec::new();
        for pair in args.arg.chunks(2) {
            variables.push((pair[0].clone(), Value::from(&*pair[1]).to_string()));
        }
        for pair in args.argjson.chunks(2) {
            let value = json(&pair[1], &format!("--argjson {}", escape(&pair[0])))?;
            variables.push((pair[0].clone(), value));
        }
        let files =
            |pairs: &[OsString], option: &str| -> Result<Vec<(String, String)>, UsageError> {
                let read_pair =
                    |pair: &[OsString]| Ok((text_of(&pair[0], option)?, read(&pair[1], option)?));
                pairs.chunks(2).map(read_pair).collect()
            };
        for (name, text) in files(&args.slurpfile, "--slurpfile")? {
            let values = jsonx_jq::read_all(text.as_bytes());
            let values = values
                .map_err(|error| failed(format!("--slurpfile {}: {error}", escape(&name))))?;
            variables.push((name, Value::array(values).to_string()));
        }
        for (name, text) in files(&args.rawfile, "--rawfile")? {
            variables.push((name, Value::from(text).to_string()));
        }
        let mut positional = Vec::new();
        for (is_json, argument) in &args.inputs.arguments {
            let text = text_of(argument, "an argument")?;
            positional.push(if *is_json {
                json(&text, "--jsonargs")?
            } else {
                Value::from(text).to_string()
            });
        }
        Ok(ProgramSource {
            program,
            variables,
            positional,
            search: search_list(&args.module_folders),
            is_for_each: false,
            array: None,
        })
    }

    fn settings(&self) -> Settings {
        let value = |text: &String| Value::from_json(text).unwrap_or(Value::Null);
        let named: Vec<(std::rc::Rc<str>, Value)> = self
            .variables
            .iter()
            .map(|(name, text)| (name.as_str().into(), value(text)))
            .collect();
        let positional = Value::array(self.positional.iter().map(value).collect());
        let arguments = Value::object([
            ("positional".into(), positional.clone()),
            ("named".into(), Value::object(named.clone())),
        ]);
        let mut variables: Vec<(std::rc::Rc<str>, Value)> = named
            .into_iter()
            .map(|(name, value)| (format!("${name}").into(), value))
            .collect();
        variables.push(("$ARGS".into(), arguments));
        variables.push(("$__prog_args".into(), positional));
        Settings {
            variables,
            search: self.search.clone(),
        }
    }

    /// Compiles the program.
    ///
    /// # Errors
    /// The program is invalid.
    pub fn compile(&self) -> Result<Program, ProgramError> {
        Program::compile(&self.program, &self.settings())
    }
}

/// The folders of -L, by default those of jq.
fn search_list(folders: &[PathBuf]) -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let expanded = |path: &PathBuf| match (path.strip_prefix("~"), &home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.clone(),
    };
    match folders {
        [] => home.iter().map(|home| home.join(".jq")).collect(),
        folders => folders.iter().map(expanded).collect(),
    }
}
