//! Finds modules and data files in the folders of a search list.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ast::{self, Import, Kind, Part};
use crate::parse;
use crate::program_error::ProgramError;
use crate::value::{Value, read_all};

pub(crate) enum Imported {
    Code {
        module: ast::Module,
        directory: PathBuf,
    },
    Data(Value),
}

/// Finds modules.
#[derive(Default)]
pub(crate) struct Loader {
    search: Vec<PathBuf>,
    /// The folders of the modules being loaded.
    open: Vec<PathBuf>,
}

/// Bounds modules that import each other.
const MAX_OPEN: usize = 64;

impl Loader {
    pub(crate) fn new(search: &[PathBuf]) -> Loader {
        Loader {
            search: search.to_vec(),
            open: Vec::new(),
        }
    }

    /// The folder of the module being loaded.
    pub(crate) fn directory(&self) -> Option<PathBuf> {
        self.open.last().cloned()
    }

    pub(crate) fn enter(&mut self, directory: PathBuf) {
        self.open.push(directory);
    }

    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }

    /// Reads an imported module or data file.
    pub(crate) fn load(
        &mut self,
        import: &Import,
        directory: Option<&Path>,
    ) -> Result<Imported, ProgramError> {
        let failed = |message: String| ProgramError::new(message, import.span);
        if self.open.len() >= MAX_OPEN {
            return Err(failed("modules import each other".to_owned()));
        }
        let is_data = import
            .name
            .as_ref()
            .is_some_and(|name| name.starts_with('$'));
        let (file, text) = self
            .find(&import.path, import.metadata.as_ref(), directory, is_data)
            .ok_or_else(|| {
                failed(format!(
                    "module \"{}\" not found in the folders of -L",
                    import.path
                ))
            })?;
        if is_data {
            let value = read_all(text.as_bytes())
                .map_err(|reason| failed(format!("{} is not JSON: {reason}", file.display())))?;
            return Ok(Imported::Data(Value::array(value)));
        }
        let module = parse::module(&text).map_err(|error| {
            let (line, column) = error.position(&text);
            failed(format!(
                "{}:{line}:{column}: {}",
                file.display(),
                error.message
            ))
        })?;
        let directory = file.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Imported::Code { module, directory })
    }

    /// The first file with this name: relative to the importing module if its metadata has a relative `search`, then in the
    /// search list.
    fn find(
        &self,
        path: &str,
        metadata: Option<&ast::Expr>,
        directory: Option<&Path>,
        is_data: bool,
    ) -> Option<(PathBuf, String)> {
        let extension = if is_data { "json" } else { "jq" };
        let relative = metadata.and_then(|metadata| string_member(metadata, "search"));
        let mut folders: Vec<PathBuf> = Vec::new();
        if let Some(relative) = relative {
            let base = directory.map(Path::to_path_buf).unwrap_or_default();
            folders.push(base.join(relative));
        }
        folders.extend(self.search.iter().cloned());
        let last = Path::new(path).file_name()?;
        folders.into_iter().find_map(|folder| {
            let direct = folder.join(format!("{path}.{extension}"));
            let nested = folder.join(path).join(last).with_extension(extension);
            [direct, nested].into_iter().find_map(|file| {
                let text = fs::read_to_string(&file).ok()?;
                Some((file, text))
            })
        })
    }

    /// The result of `modulemeta` for a module.
    pub(crate) fn meta(&self, name: &str) -> Option<Value> {
        let (_, text) = self.find(name, None, None, false)?;
        let module = parse::module(&text).ok()?;
        let mut members: Vec<(std::rc::Rc<str>, Value)> = Vec::new();
        if let Some(Value::Object(metadata)) = module.metadata.as_ref().and_then(constant) {
            members.extend(
                metadata
                    .iter()
                    .map(|(key, value)| (key.clone(), value.clone())),
            );
        }
        let dependencies = module.imports.iter().map(|import| {
            let mut members: Vec<(std::rc::Rc<str>, Value)> = Vec::new();
            if let Some(Value::Object(metadata)) = import.metadata.as_ref().and_then(constant) {
                members.extend(
                    metadata
                        .iter()
                        .map(|(key, value)| (key.clone(), value.clone())),
                );
            }
            if let Some(name) = &import.name {
                members.push(("as".into(), name.trim_start_matches('$').into()));
            }
            let is_data = import
                .name
                .as_ref()
                .is_some_and(|name| name.starts_with('$'));
            members.push(("is_data".into(), is_data.into()));
            members.push(("relpath".into(), Value::String(import.path.clone())));
            Value::object(members)
        });
        let dependencies = Value::array(dependencies.collect());
        let definitions = module.definitions.iter().map(|definition| {
            Value::from(format!(
                "{}/{}",
                definition.name,
                definition.parameters.len()
            ))
        });
        members.push(("deps".into(), dependencies));
        members.push(("defs".into(), Value::array(definitions.collect())));
        Some(Value::object(members))
    }
}

/// The value of a constant expression.
fn constant(expr: &ast::Expr) -> Option<Value> {
    Some(match &expr.kind {
        Kind::Number(text) => Value::literal(text),
        Kind::String(None, parts) => match &parts[..] {
            [] => Value::from(""),
            [Part::Text(text)] => Value::String(text.clone()),
            _ => return None,
        },
        Kind::Array(None) => Value::array(Vec::new()),
        Kind::Array(Some(items)) => {
            let mut values = Vec::new();
            let mut rest = &**items;
            while let Kind::Comma(left, right) = &rest.kind {
                values.push(constant(right)?);
                rest = left;
            }
            values.push(constant(rest)?);
            values.reverse();
            Value::array(values)
        }
        Kind::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| Some((constant(key)?.to_rc_str()?, constant(value)?)));
            Value::object(members.collect::<Option<Vec<_>>>()?)
        }
        Kind::Call(name, _) => match &**name {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => return None,
        },
        _ => return None,
    })
}

/// A string member of a constant object.
fn string_member(expr: &ast::Expr, name: &str) -> Option<String> {
    let value = constant(expr)?;
    let member = crate::access::index(&value, &Value::from(name)).ok()?;
    let text = member.as_str()?;
    Some(text.into_owned())
}
