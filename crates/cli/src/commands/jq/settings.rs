//! A program and its settings as text, so that each thread can compile it.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8};
use std::{fs, io};

use jsonx_core::jsonc;
use jsonx_jq::{Program, ProgramError, Settings, Value};

use super::wrong_keys::WrongKeys;
use super::{MAX_TEXT, UsageError};
use crate::args::{ArgumentKind, Jq, NamedArgument};
use crate::check::{Failure, InputKind};
use crate::input::Input;
use crate::messages;
use crate::report::escape;
use crate::session::Session;

/// The name of standard input, as of jq.
pub const STDIN: &str = "<stdin>";

/// Names, and values as JSON.
type Variables = Vec<(String, String)>;

/// The position of a variable of --slurpfile or --rawfile, and the file of its value.
struct FileVariable {
    variable: usize,
    path: PathBuf,
    is_raw: bool,
}

/// Adds a variable, and returns its position. As in jq, the first of several with the same name is used.
fn add(variables: &mut Variables, name: &str, value: String) -> Option<usize> {
    if variables.iter().any(|(other, _)| other == name) {
        return None;
    }
    variables.push((name.to_owned(), value));
    Some(variables.len() - 1)
}

/// The values of a file as an array; `None` if it cannot be used, which is reported.
fn slurped(input: &mut Input, session: &mut Session) -> io::Result<Option<Value>> {
    let options = session.check_options();
    let kind = options.kind_of(input);
    let kind = match options.by_first_lines(input, kind) {
        kind @ (InputKind::Jsonc | InputKind::Comments | InputKind::Json5) => kind,
        _ => InputKind::Stream,
    };
    let Some(mut text) = session.read(input, kind)? else {
        return Ok(None);
    };
    if kind != InputKind::Stream {
        // The text read so far is valid.
        let _ = jsonc::blank(&mut text, kind.dialect());
    }
    match jsonx_jq::read_all(&text) {
        Ok(values) => Ok(Some(Value::array(values))),
        Err(error) => {
            session.report_failure(input, kind, Failure::Invalid(error))?;
            Ok(None)
        }
    }
}

/// The text of a file; `None` if it cannot be read, which is reported.
fn raw(input: &mut Input, session: &mut Session) -> io::Result<Option<Value>> {
    match input.read_all(MAX_TEXT) {
        Ok(text) => Ok(Some(Value::from(
            String::from_utf8_lossy(&text).into_owned(),
        ))),
        Err(error) => {
            session.report_failure(input, InputKind::Auto, error.into())?;
            Ok(None)
        }
    }
}

/// A program and its variables.
pub struct ProgramSource {
    pub program: String,
    variables: Variables,
    files: Vec<FileVariable>,
    positional: Vec<String>,
    search: Vec<PathBuf>,
    /// The folder of the file of -f.
    folder: Option<PathBuf>,
    /// Whether each input is processed independently.
    pub is_for_each: bool,
    /// Whether the program asks for the number of lines read.
    pub reads_line_numbers: bool,
    /// The values of all inputs become the elements of the only result: `jq -s .`.
    pub joins: bool,
    /// The path of the array whose elements the program [takes one by one](Program::per_element).
    pub array: Option<Vec<String>>,
    /// All results are objects with the same keys.
    pub has_fixed_keys: bool,
    /// An input has been opened whose next byte may never arrive.
    pub may_wait: AtomicBool,
    /// Examined for rows, counts and people.
    pub wrong_keys: WrongKeys,
    /// Problems so far that determine the exit code.
    pub exit: AtomicU8,
}

fn failed(message: String) -> UsageError {
    UsageError::message(format!("jsonx jq: {message}"))
}

/// An argument as text; bytes that are not UTF-8 become U+FFFD, with a warning.
fn text_of(argument: &OsStr, what: &str) -> String {
    let text = argument.to_string_lossy();
    if let Cow::Owned(_) = text {
        messages::line(&format!(
            "jsonx jq: warning: {what} is not UTF-8: {}; each invalid byte becomes U+FFFD",
            escape(argument.as_encoded_bytes())
        ));
    }
    text.into_owned()
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
            text_of(program, "the program")
        };
        let file = args.program.as_deref().filter(|_| args.from_file);
        let folder = file.and_then(|file| Path::new(file).parent());
        let mut variables = Variables::new();
        let mut files = Vec::new();
        for NamedArgument { kind, name, value } in &args.inputs.variables {
            let name = text_of(name, "the name of a variable");
            let text = match kind {
                ArgumentKind::Text => Value::from(text_of(value, "an argument")).to_string(),
                ArgumentKind::Json => {
                    let what = format!("--argjson {}", escape(&name));
                    json(&text_of(value, "an argument"), &what)?
                }
                ArgumentKind::JsonFile | ArgumentKind::TextFile => "null".to_owned(),
            };
            let added = add(&mut variables, &name, text);
            let is_raw = *kind == ArgumentKind::TextFile;
            if let (Some(variable), true) = (added, is_raw || *kind == ArgumentKind::JsonFile) {
                let path = PathBuf::from(value);
                files.push(FileVariable {
                    variable,
                    path,
                    is_raw,
                });
            }
        }
        let mut positional = Vec::new();
        for (is_json, argument) in &args.inputs.arguments {
            let text = text_of(argument, "an argument");
            positional.push(if *is_json {
                json(&text, "--jsonargs")?
            } else {
                Value::from(text).to_string()
            });
        }
        Ok(ProgramSource {
            program,
            variables,
            files,
            positional,
            search: search_list(&args.module_folders),
            folder: folder.map(Path::to_owned),
            is_for_each: false,
            reads_line_numbers: false,
            joins: false,
            array: None,
            has_fixed_keys: false,
            may_wait: AtomicBool::new(false),
            wrong_keys: WrongKeys::default(),
            exit: AtomicU8::new(0),
        })
    }

    /// Sets the variables of --slurpfile and --rawfile. If a file cannot be used, reports why and returns false.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn read_files(&mut self, session: &mut Session) -> io::Result<bool> {
        for file in &self.files {
            let opened = match file.is_raw {
                true => session.open_raw(&file.path)?,
                false => session.open(&file.path)?,
            };
            let Some(mut input) = opened else {
                return Ok(false);
            };
            let value = match file.is_raw {
                true => raw(&mut input, session)?,
                false => slurped(&mut input, session)?,
            };
            let Some(value) = value else {
                return Ok(false);
            };
            self.variables[file.variable].1 = value.to_string();
        }
        Ok(true)
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
            ("positional".into(), positional),
            ("named".into(), Value::object(named.clone())),
        ]);
        let mut variables: Vec<(std::rc::Rc<str>, Value)> = named
            .into_iter()
            .map(|(name, value)| (format!("${name}").into(), value))
            .collect();
        variables.push(("$ARGS".into(), arguments));
        Settings {
            variables,
            search: self.search.clone(),
            folder: self.folder.clone(),
            home: home().map(|home| home.join(".jq")),
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

fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from)
}

/// The folders of -L, by default those of jq.
fn search_list(folders: &[PathBuf]) -> Vec<PathBuf> {
    let home = home();
    let expanded = |path: &PathBuf| match (path.strip_prefix("~"), &home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.clone(),
    };
    match folders {
        [] => home.iter().map(|home| home.join(".jq")).collect(),
        folders => folders.iter().map(expanded).collect(),
    }
}
