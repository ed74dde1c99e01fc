//! The options of a run, adjusted for a file by `jsonx.json`.

use std::sync::Arc;

use super::table::Key;
use super::{Config, Configs, Settings};
use crate::check::CheckOptions;
use crate::diagnostics::Diagnoser;
use crate::input::Name;

/// The options of the command line, and the configs.
#[derive(Clone)]
pub struct RunOptions {
    pub configs: Arc<Configs>,
    pub check: CheckOptions,
    pub diagnoser: Arc<Diagnoser>,
    /// Whether `--max-depth` was given.
    pub told_depth: bool,
}

/// The options for one file.
pub struct FileOptions {
    pub check: CheckOptions,
    pub diagnoser: Arc<Diagnoser>,
    /// `None` if no config applies.
    pub settings: Option<Settings>,
}

impl RunOptions {
    /// The options of the command line alone.
    pub fn for_all(&self) -> FileOptions {
        FileOptions {
            check: self.check.clone(),
            diagnoser: self.diagnoser.clone(),
            settings: None,
        }
    }

    /// The options for a file: those of the command line, then those of its config.
    ///
    /// # Errors
    /// A config that cannot be used.
    pub fn for_file(&self, name: &Name) -> Result<FileOptions, Arc<Config>> {
        let settings = self.configs.settings(name.path())?;
        let mut file = self.for_all();
        if let Some(settings) = settings.as_ref().filter(|it| !it.are_none()) {
            file.check.configured = settings.kind();
            if let Some(changed) = self.diagnoser_for(settings) {
                file.check.max_depth = changed.max_depth;
                file.diagnoser = Arc::new(changed);
            }
        }
        Ok(FileOptions { settings, ..file })
    }

    /// The diagnoser for a file, if it differs.
    fn diagnoser_for(&self, settings: &Settings) -> Option<Diagnoser> {
        let run = &self.diagnoser;
        let levels = settings.levels_after(run.levels);
        let depth = settings.integer(Key::MaxDepth).filter(|_| !self.told_depth);
        let errors = settings.max_errors();
        if levels == run.levels && depth.is_none() && errors.is_none() {
            return None;
        }
        let mut diagnoser = Diagnoser::clone(run);
        diagnoser.levels = levels;
        diagnoser.max_depth = depth.unwrap_or(run.max_depth);
        for form in &mut diagnoser.forms {
            let explicit = form.settings.max_errors;
            form.settings.max_errors = explicit.or(errors);
        }
        Some(diagnoser)
    }
}

impl FileOptions {
    /// `maxErrors`.
    pub fn max_errors(&self) -> Option<usize> {
        self.settings.as_ref()?.max_errors()
    }

    /// The configs that apply, for `--verbose`.
    pub fn note(&self, name: &Name) -> Option<String> {
        let configs = self.settings.as_ref()?.configs.iter().rev();
        let names: Vec<String> = configs.map(|it| Name::new(&it.path).to_string()).collect();
        Some(format!("{name}: settings from {}", names.join(", ")))
    }
}
