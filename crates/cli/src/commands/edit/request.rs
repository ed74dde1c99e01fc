//! Parses the arguments, before any file is opened.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path as FilePath, PathBuf};

use jsonx_core::edit::SetOptions;
use jsonx_core::path::{Path, PathError};
use jsonx_core::{SyntaxError, position, validate};

use crate::args::{Addition, Creates, ValueKinds};
use crate::commands::UsageError;
use crate::input::Name;
use crate::messages;
use crate::output::reason;
use crate::path_messages;
use crate::report::{escape, in_shell, marked};

/// Longest value that is read from a file.
const LONGEST_VALUE: u64 = 1 << 30;

/// The edit of every document.
#[derive(Clone)]
pub struct Request {
    pub edit: PathEdit,
    pub options: SetOptions,
    /// Whether removing a value also removes the comments above it.
    pub with_comments: bool,
    /// Whether a value is not appended if the array has an equal element.
    pub unique: bool,
    pub missing_ok: bool,
}

/// What is done with the values that a path selects.
#[derive(Clone)]
pub struct PathEdit {
    pub kind: EditKind,
    pub path: TypedPath,
    /// Further paths to remove, all found before anything is removed.
    pub also: Vec<TypedPath>,
    /// The objects that get a missing last key, for a path that may have many matches.
    pub parent: Option<Path>,
}

/// A path, and its text as typed.
#[derive(Clone)]
pub struct TypedPath {
    pub path: Path,
    /// Escaped for messages.
    pub typed: String,
}

#[derive(Clone)]
pub enum EditKind {
    Set(NewValue),
    Append(NewValue),
    Delete,
}

/// A value of the command line.
#[derive(Clone)]
pub struct NewValue {
    /// JSON, without white space around it.
    pub text: Vec<u8>,
    /// It has no quotes, and no option sets its type.
    pub guarded: bool,
}

impl NewValue {
    /// Whether another type may be intended: a string would become a number or literal, or a number or boolean a string. `old`
    /// is the first byte of the replaced value, or of a sibling element.
    pub fn is_doubtful(&self, old: u8) -> bool {
        let is_string = |byte: u8| byte == b'"';
        self.guarded
            && if is_string(self.text[0]) {
                matches!(old, b't' | b'f' | b'-' | b'0'..=b'9')
            } else {
                is_string(old)
            }
    }
}

impl Request {
    /// The request of `set` and `append`, and the files: with `--from`, the value argument is a file.
    ///
    /// # Errors
    /// A path or a value is wrong, or there is no value.
    pub fn of_addition(
        path: &OsStr,
        args: &Addition,
        kind: fn(NewValue) -> EditKind,
        files: &mut Vec<PathBuf>,
    ) -> Result<Request, UsageError> {
        let value = match (&args.from, &args.value) {
            (Some(from), file) => {
                if let Some(file) = file {
                    files.insert(0, PathBuf::from(file));
                }
                value_of_file(from, args.kinds)?
            }
            (None, Some(text)) => parse_value(text.as_encoded_bytes(), args.kinds)?,
            (None, None) => {
                return Err(UsageError::Arguments(
                    "a VALUE is missing: give it after the PATH, or --from FILE".to_owned(),
                ));
            }
        };
        let edit = PathEdit::new(kind(value), path)?;
        Ok(Request::new(edit, args.creates))
    }

    /// The request of `del`.
    ///
    /// # Errors
    /// A path is wrong.
    pub fn of_deletion(path: &OsStr, also: &[PathBuf]) -> Result<Request, UsageError> {
        let one = |path: &OsStr| PathEdit::new(EditKind::Delete, path);
        let mut edit = one(path)?;
        for path in also {
            edit.also.push(one(path.as_os_str())?.path);
        }
        Ok(Request::new(edit, Creates::default()))
    }

    fn new(edit: PathEdit, creates: Creates) -> Request {
        Request {
            edit,
            options: SetOptions::default()
                .parents(creates.parents)
                .existing(creates.existing),
            with_comments: false,
            unique: false,
            missing_ok: false,
        }
    }
}

impl PathEdit {
    fn new(kind: EditKind, path: &OsStr) -> Result<PathEdit, UsageError> {
        let program = |path: &str| {
            let text = |value: &NewValue| String::from_utf8_lossy(&value.text).into_owned();
            Some(match &kind {
                EditKind::Set(value) => format!("({path}) = {}", text(value)),
                EditKind::Append(value) => format!("({path}) += [{}]", text(value)),
                EditKind::Delete => format!("del({path})"),
            })
        };
        let path = TypedPath::new(path, program)?;
        let parent = parent(&path.path);
        Ok(PathEdit {
            kind,
            path,
            also: Vec::new(),
            parent,
        })
    }
}

impl TypedPath {
    fn new(
        text: &OsStr,
        program: impl FnOnce(&str) -> Option<String>,
    ) -> Result<TypedPath, UsageError> {
        let bytes = text.as_encoded_bytes();
        let typed = escape(bytes);
        let path = Path::parse(bytes)
            .map_err(|error| UsageError::message(bad_path(text, &error, program)))?;
        for warning in path.warnings() {
            messages::line(&format!("jsonx: warning: {}", escape(&warning)));
        }
        Ok(TypedPath { path, typed })
    }
}

/// The path of the objects that a path with many matches adds its last key to.
fn parent(path: &Path) -> Option<Path> {
    let (last, before) = path.segments().split_last()?;
    let text = path.first(before.len()).to_string();
    (last.key().is_some() && !path.is_singular())
        .then(|| Path::parse(&text).ok())
        .flatten()
}

/// The message for an invalid path; `program` converts a jq path to an equivalent program.
fn bad_path(
    typed: &OsStr,
    error: &PathError,
    program: impl FnOnce(&str) -> Option<String>,
) -> String {
    let hint = if FilePath::new(typed).is_file() {
        "\nthat is the name of a file; the path comes before it: jsonx set PATH VALUE FILE, jsonx del PATH FILE".into()
    } else {
        path_messages::meant_path(typed, error, |path| {
            let program = if assigns(path) {
                path.to_owned()
            } else {
                program(path).filter(|program| path_messages::is_program(program))?
            };
            Some(format!("jsonx jq -w {} FILE", in_shell(&program)))
        })
    };
    path_messages::bad_path(None, typed, error) + &hint
}

/// Whether a jq program is an update.
fn assigns(program: &str) -> bool {
    let bytes = program.as_bytes();
    let is_part = |at: Option<usize>, others: &[u8]| {
        let byte = at.and_then(|at| bytes.get(at));
        byte.is_some_and(|byte| others.contains(byte))
    };
    let mut signs = memchr::memchr_iter(b'=', bytes);
    program.starts_with("del(")
        || signs.any(|at| !is_part(at.checked_sub(1), b"=!<>") && !is_part(Some(at + 1), b"="))
}

/// A VALUE: JSON if it parses, otherwise a string.
fn parse_value(text: &[u8], kinds: ValueKinds) -> Result<NewValue, UsageError> {
    if kinds.string {
        return string_of(text);
    }
    match validate(text) {
        Ok(()) => {
            let text = text.trim_ascii().to_vec();
            let is_scalar = !matches!(text.first(), Some(b'"' | b'{' | b'['));
            Ok(NewValue {
                guarded: is_scalar && !kinds.json,
                text,
            })
        }
        Err(error) if kinds.json || is_almost_json(text) => {
            let hint = if kinds.json {
                "without -j, text that is not JSON is a string"
            } else {
                "to set it as a string, add -s"
            };
            Err(UsageError::message(bad_value(text, &error, hint)))
        }
        Err(_) => Ok(NewValue {
            guarded: true,
            ..string_of(text)?
        }),
    }
}

/// Whether text was meant to be JSON, but a shell has removed its quotes.
fn is_almost_json(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start().first(), Some(b'{' | b'[' | b'"'))
}

/// The message for a value that is not JSON, with a caret under the first invalid byte.
fn bad_value(text: &[u8], error: &SyntaxError, hint: &str) -> String {
    let at = (error.offset as usize).min(text.len());
    let shown = marked(text, at..at);
    format!("jsonx: the value is not JSON: {error}\n{shown}\n{hint}")
}

fn string_of(text: &[u8]) -> Result<NewValue, UsageError> {
    let Ok(text) = std::str::from_utf8(text) else {
        return Err(UsageError::message(
            "jsonx: the value is not UTF-8, so it cannot be a JSON string".to_owned(),
        ));
    };
    Ok(NewValue {
        text: serde_json::to_vec(text).unwrap_or_default(),
        guarded: false,
    })
}

/// The value in a file: JSON, or with `-s`, a string without the final line end.
fn value_of_file(path: &FilePath, kinds: ValueKinds) -> Result<NewValue, UsageError> {
    let name = Name::new(path);
    let failed = |message: &str| {
        UsageError::Failed(
            crate::exit::Exit::Failure as u8,
            format!("jsonx: {name}: {message}"),
        )
    };
    let mut text = Vec::new();
    let read = if name.is_stdin() {
        std::io::stdin()
            .take(LONGEST_VALUE + 1)
            .read_to_end(&mut text)
    } else {
        std::fs::File::open(path)
            .and_then(|file| file.take(LONGEST_VALUE + 1).read_to_end(&mut text))
    };
    read.map_err(|error| failed(&reason(&error)))?;
    if text.len() as u64 > LONGEST_VALUE {
        return Err(failed("longer than 1 GiB, too long for a value"));
    }
    if kinds.string {
        let text = text.strip_suffix(b"\n").unwrap_or(&text);
        return string_of(text.strip_suffix(b"\r").unwrap_or(text));
    }
    match validate(&text) {
        Ok(()) => Ok(NewValue {
            text: text.trim_ascii().to_vec(),
            guarded: false,
        }),
        Err(error) => {
            let at = position::locate(&text, (error.offset as usize).min(text.len()));
            let place = format!("{name}:{}:{}", at.line, at.column);
            let message = bad_value(&text, &error, "with -s, any text is a string");
            let message = message.replacen("jsonx: ", &format!("jsonx: {place}: "), 1);
            Err(UsageError::Failed(
                crate::exit::Exit::NotJson as u8,
                message,
            ))
        }
    }
}
