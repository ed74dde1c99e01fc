//! The settings of one file, as the structures that the options of the command line fill.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;

use super::file::Config;
use super::read::{Given, GivenLevel, Value};
use super::table::{COUNT, Key, ROWS};
use crate::check::InputKind;
use crate::diagnostics::Levels;
use crate::schema::{SchemaOptions, is_url};

/// A value, and the config that has it.
#[derive(Clone, Debug)]
pub struct Found {
    pub config: Arc<Config>,
    pub given: Given,
}

/// The settings of a file.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The configs that apply, the outermost first.
    pub configs: Arc<[Arc<Config>]>,
    found: [Option<Found>; COUNT],
    levels: Vec<(Arc<Config>, GivenLevel)>,
    ignored: Option<(Arc<Config>, Range<usize>)>,
}

/// The glob that leaves a path out, or a directory that it is in: that of the innermost config that says anything about it.
pub fn ignored(
    configs: &[Arc<Config>],
    full: &Path,
    is_dir: bool,
) -> Option<(Arc<Config>, Range<usize>)> {
    let mut decisions = configs.iter().rev().filter_map(|config| {
        match config
            .ignored()?
            .decision_inside(config.relative(full), is_dir)
        {
            Match::None => None,
            Match::Whitelist(_) => Some(None),
            Match::Ignore(span) => Some(span.map(|span| (config.clone(), span.clone()))),
        }
    });
    decisions.next().flatten()
}

impl Settings {
    /// The settings in these configs for a file with this full path.
    pub(super) fn new(configs: &Arc<[Arc<Config>]>, full: &Path) -> Settings {
        let mut settings = Settings {
            configs: configs.clone(),
            found: std::array::from_fn(|_| None),
            levels: Vec::new(),
            ignored: ignored(configs, full, false),
        };
        for config in configs.iter() {
            let Some(contents) = config.contents() else {
                continue;
            };
            let path = config.relative(full);
            for block in contents.blocks.iter().filter(|block| block.is_for(path)) {
                for row in ROWS {
                    if let Some(given) = block.get(row.key, path) {
                        settings.found[row.key as usize] = Some(Found {
                            config: config.clone(),
                            given: given.clone(),
                        });
                    }
                }
                let levels = block.levels().iter().cloned();
                let levels = levels.map(|level| (config.clone(), level));
                settings.levels.extend(levels);
            }
        }
        settings
    }

    /// A setting, and where it is from.
    pub fn found(&self, key: Key) -> Option<&Found> {
        self.found[key as usize].as_ref()
    }

    fn value(&self, key: Key) -> Option<&Value> {
        self.found(key).map(|found| &found.given.value)
    }

    /// The word, or the text, of a setting.
    pub fn text(&self, key: Key) -> Option<&str> {
        match self.value(key)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number of a setting.
    pub fn integer(&self, key: Key) -> Option<u64> {
        match self.value(key)? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether a setting is true.
    pub fn boolean(&self, key: Key) -> Option<bool> {
        match self.value(key)? {
            Value::Boolean(is) => Some(*is),
            _ => None,
        }
    }

    /// Where the glob is that leaves the file out.
    pub fn ignored(&self) -> Option<&(Arc<Config>, Range<usize>)> {
        self.ignored.as_ref()
    }

    /// The levels of lints in the order in which they apply.
    pub fn levels(&self) -> impl DoubleEndedIterator<Item = &(Arc<Config>, GivenLevel)> {
        self.levels.iter()
    }

    /// `maxErrors`.
    pub fn max_errors(&self) -> Option<usize> {
        usize::try_from(self.integer(Key::MaxErrors)?).ok()
    }

    /// `input`.
    pub fn kind(&self) -> Option<InputKind> {
        InputKind::named(self.text(Key::Input)?)
    }

    /// The levels of the command line, and for the rest those of `lints`.
    pub fn levels_after(&self, told: Levels) -> Levels {
        let changes = self.levels.iter();
        told.with_untold(changes.map(|(_, given)| (given.selection, given.level)))
    }

    /// The options of the command line about schemas, and for the rest the settings.
    pub fn schemas_after(&self, told: &SchemaOptions, levels: Levels) -> SchemaOptions {
        let names_one = told.schema.is_some() || !told.maps.is_empty();
        let path = |key| self.path(key);
        let schema = || {
            let found = self.found(Key::Schema)?;
            let given = self.text(Key::Schema)?;
            Some(match is_url(given) {
                true => given.to_owned(),
                false => found
                    .config
                    .folder()
                    .join(given)
                    .to_string_lossy()
                    .into_owned(),
            })
        };
        let catalog = || Some(path(Key::Catalog)?.to_string_lossy().into_owned());
        SchemaOptions {
            schema: match names_one {
                true => told.schema.clone(),
                false => schema(),
            },
            use_schema_key: told.use_schema_key
                || self.boolean(Key::UseSchemaKey).unwrap_or(false) && told.schema.is_none(),
            maps: match names_one || self.value(Key::Schema) == Some(&Value::Null) {
                true => told.maps.clone(),
                false => catalog().into_iter().collect(),
            },
            dir: told.dir.clone().or_else(|| path(Key::SchemaDir)),
            draft: told
                .draft
                .clone()
                .or_else(|| self.text(Key::Draft).map(str::to_owned)),
            asserts_formats: told
                .asserts_formats
                .or_else(|| self.text(Key::Formats).map(|word| word == "assert")),
            allowed: levels.schema_allowed,
            warned: levels.schema_warned,
        }
    }

    /// A path, which is relative to the folder of its config.
    fn path(&self, key: Key) -> Option<PathBuf> {
        let found = self.found(key)?;
        Some(found.config.folder().join(self.text(key)?))
    }
}
