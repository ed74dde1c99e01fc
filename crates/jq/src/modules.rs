//! Finds modules and data files in the folders of a search list.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::access::member;
use crate::program_error::{ProgramError, Span};
use crate::settings::Settings;
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
    settings: Settings,
    /// The files of the modules being loaded.
    open: Vec<PathBuf>,
}

impl Loader {
    pub(crate) fn new(settings: &Settings) -> Loader {
        Loader {
            settings: settings.clone(),
            open: Vec::new(),
        }
    }

    pub(crate) fn enter(&mut self, file: &Path) {
        self.open.push(file.to_owned());
    }

    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }

    /// The user's own file of definitions, and its text.
    pub(crate) fn home(&self) -> Option<(PathBuf, String)> {
        let file = self.settings.home.clone()?;
        let text = fs::read_to_string(&file).ok()?;
        Some((file, text))
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

    /// The folders to search for an import of the module being loaded: those of the metadata, relative to the folder of the
    /// module, or else the current folder and the search list.
    fn folders(&self, metadata: Option<&Value>) -> Vec<PathBuf> {
        let base = match self.open.last() {
            Some(file) => file.parent(),
            None => self.settings.folder.as_deref(),
        };
        let base = base.unwrap_or(Path::new(""));
        let search = metadata.and_then(|metadata| member(metadata, "search"));
        let Some(search) = search else {
            let listed = self.settings.search.iter().cloned();
            return std::iter::once(PathBuf::from(".")).chain(listed).collect();
        };
        let named = search
            .elements()
            .map_or(vec![search.clone()], |all| all.into_owned());
        let named = named.iter().filter_map(Value::as_str);
        named
            .map(|folder| match &*folder {
                "." => PathBuf::from("."),
                folder => base.join(folder),
            })
            .collect()
    }

    /// The first file with this name: `name.jq`, `name/jq/main.jq` or `name/name.jq`.
    pub(crate) fn find(
        &self,
        path: &str,
        metadata: Option<&Value>,
        is_data: bool,
    ) -> Option<(PathBuf, String)> {
        let extension = if is_data { "json" } else { "jq" };
        let last = Path::new(path).file_name()?.to_string_lossy();
        self.folders(metadata).into_iter().find_map(|folder| {
            let names = [
                format!("{path}.{extension}"),
                format!("{path}/jq/main.{extension}"),
                format!("{path}/{last}.{extension}"),
            ];
            names.into_iter().find_map(|name| {
                let file = folder.join(name);
                let text = fs::read_to_string(&file).ok()?;
                Some((file, text))
            })
        })
    }
}
