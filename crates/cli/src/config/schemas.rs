//! The schema of each file, from the command line and `jsonx.json`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use jsonx_schema::Unusable;

use super::table::Key;
use super::{FileOptions, NAME, Settings};
use crate::diagnostics::Levels;
use crate::exit::Exit;
use crate::input::Name;
use crate::schema::{BadOption, InputSchema, Referenced, SchemaOptions, Schemas};

/// The schemas of a run. Files with the same settings share them.
pub struct FileSchemas {
    explicit: SchemaOptions,
    levels: Levels,
    schemas: Schemas,
    others: Mutex<HashMap<SchemaOptions, Result<Schemas, BadOption>>>,
}

/// The reason why a file is not checked.
pub enum Unchecked {
    /// Its schema cannot be used.
    Schema(Unusable),
    /// A config names something that cannot be used; with the exit code.
    Config(Unusable, Exit),
}

impl FileSchemas {
    /// The schemas given on the command line, with its levels.
    ///
    /// # Errors
    /// They cannot be used.
    pub fn new(explicit: SchemaOptions, levels: Levels) -> Result<FileSchemas, BadOption> {
        Ok(FileSchemas {
            schemas: Schemas::new(&explicit)?,
            explicit,
            levels,
            others: Mutex::default(),
        })
    }

    /// Compiles the schema of all inputs, if there is one.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn prepare(&self) -> Result<(), Unusable> {
        self.schemas.prepare()
    }

    /// The schema of a file; if it has none, that of schemas.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn schema_for(&self, name: &Name, options: &FileOptions) -> Result<InputSchema, Unchecked> {
        self.schemas_of(options)?
            .schema_for(name.path())
            .map_err(Unchecked::Schema)
    }

    /// The schemas to which references lead from that of a file, or from the file if it is a schema itself.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn references(
        &self,
        name: &Name,
        options: &FileOptions,
    ) -> Result<Vec<Referenced>, Unchecked> {
        let found = self.schemas_of(options)?.references(name.path());
        found.map_err(Unchecked::Schema)
    }

    /// Whether schemas come from a file.
    pub fn depend_on(&self, path: &Path) -> bool {
        let others = self.others.lock();
        let others = others.unwrap_or_else(PoisonError::into_inner);
        let mut all = others.values().filter_map(|known| known.as_ref().ok());
        self.schemas.depend_on(path) || all.any(|schemas| schemas.depend_on(path))
    }

    fn schemas_of(&self, options: &FileOptions) -> Result<Schemas, Unchecked> {
        match &options.settings {
            Some(settings) if !settings.are_none() => self.configured(settings),
            _ => Ok(self.schemas.clone()),
        }
    }

    fn configured(&self, settings: &Settings) -> Result<Schemas, Unchecked> {
        for key in [Key::SchemaDir, Key::SchemaRoot] {
            if let Some(found) = settings.found(key)
                && let Some(path) = settings.path(key)
                && !found.config.is_above(&path)
            {
                let name = key.row().name;
                let option = key.row().option;
                let text = format!("{name}: outside the folder of {NAME}; {option} DIR allows it");
                let complaint = found.config.complaint(found.value, text);
                return Err(Unchecked::Config(complaint, Exit::Usage));
            }
        }
        let levels = settings.levels_after(self.levels);
        let options = settings.schemas_after(&self.explicit, levels);
        if options == self.explicit {
            return Ok(self.schemas.clone());
        }
        let others = self.others.lock();
        let mut others = others.unwrap_or_else(PoisonError::into_inner);
        let known = match others.get(&options) {
            Some(known) => known.clone(),
            None => {
                let made = Schemas::new(&options);
                others.insert(options, made.clone());
                made
            }
        };
        known.map_err(|(exit, text)| {
            let keys = [Key::SchemaDir, Key::Catalog];
            let at = keys.into_iter().find_map(|key| {
                let found = settings.found(key)?;
                // The message begins with the equivalent option.
                text.starts_with(key.row().option).then_some((key, found))
            });
            match at {
                Some((key, found)) => {
                    let text = text.replacen(key.row().option, key.row().name, 1);
                    Unchecked::Config(found.config.complaint(found.value, text), exit)
                }
                None => {
                    let unreadable = Unusable::Unreadable {
                        path: settings.configs[0].path.clone(),
                        error: std::sync::Arc::new(std::io::Error::other(text)),
                    };
                    Unchecked::Config(unreadable, exit)
                }
            }
        })
    }
}
