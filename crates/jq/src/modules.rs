//! Finds modules and data files in the folders of a search list.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::access::index;
use crate::program_error::{ProgramError, Span};
use crate::value::Value;

/// `import "path" as name {…};`, or `include "path" {…};`.
#[derive(Debug)]
pub(crate) struct Import {
    pub path: Rc<str>,
    /// The name with its `$` for data; `None` for `include`.
    pub name: Option<Rc<str>>,
    /// A constant object.
    pub metadata: Option<Value>,
    pub span: Span,
}

impl Import {
    pub(crate) fn is_data(&self) -> bool {
        let name = self.name.as_ref();
        name.is_some_and(|name| name.starts_with('$'))
    }

    /// The name without its `$`.
    pub(crate) fn bare_name(&self) -> Option<&str> {
        let name = self.name.as_ref()?;
        Some(name.trim_start_matches('$'))
    }
}

/// Finds modules.
pub(crate) struct Loader {
    search: Vec<PathBuf>,
    /// The files of the modules being loaded.
    open: Vec<PathBuf>,
}

impl Loader {
    pub(crate) fn new(search: &[PathBuf]) -> Loader {
        Loader {
            search: search.to_vec(),
            open: Vec::new(),
        }
    }

    pub(crate) fn enter(&mut self, file: &Path) {
        self.open.push(file.to_owned());
    }

    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }

    /// The file of an import, and its text.
    pub(crate) fn find_import(&self, import: &Import) -> Result<(PathBuf, String), ProgramError> {
        let path = &import.path;
        let wrong = |message: String| ProgramError::new(message, import.span);
        let found = self.find(path, import.metadata.as_ref(), import.is_data());
        let found = found
            .ok_or_else(|| wrong(format!("module \"{path}\" not found in the folders of -L")))?;
        let canonical = fs::canonicalize(&found.0).ok();
        if self
            .open
            .iter()
            .any(|open| fs::canonicalize(open).ok() == canonical)
        {
            return Err(wrong(format!(
                "module \"{path}\" imports itself, directly or by other modules"
            )));
        }
        Ok(found)
    }

    /// The first file with this name: relative to the importing module if its metadata has a relative `search`, then in the
    /// search list.
    pub(crate) fn find(
        &self,
        path: &str,
        metadata: Option<&Value>,
        is_data: bool,
    ) -> Option<(PathBuf, String)> {
        let extension = if is_data { "json" } else { "jq" };
        let relative = metadata.and_then(|metadata| index(metadata, &Value::from("search")).ok());
        let mut folders: Vec<PathBuf> = Vec::new();
        if let Some(relative) = relative.as_ref().and_then(Value::as_str) {
            let base = self.open.last().and_then(|file| file.parent());
            let base = base.unwrap_or(Path::new(""));
            folders.push(base.join(&*relative));
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
}
