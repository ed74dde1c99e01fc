//! The settings of one file, in the structures that command-line options also fill.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::Match;

use super::file::Config;
use super::read::{Block, LintLevel, SettingValue, Value};
use super::table::Key;
use crate::check::InputKind;
use crate::diagnostics::Levels;
use crate::files::layout::LayoutSettings;
use crate::schema::{SchemaOptions, is_url};
use crate::words::Words;

/// A value, and the config that has it.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    pub config: &'a Config,
    pub value: &'a SettingValue,
}

/// The settings of a file.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The configs that apply, the outermost first.
    pub configs: Arc<[Arc<Config>]>,
    /// The full path of the file.
    full: PathBuf,
    /// The configs and their blocks, in order of application.
    blocks: Vec<(usize, usize)>,
}

/// The glob that excludes a path or one of its directories, from the innermost config with a matching glob.
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
    pub(super) fn new(configs: Arc<[Arc<Config>]>, full: PathBuf) -> Settings {
        let mut blocks = Vec::new();
        for (number, config) in configs.iter().enumerate() {
            let path = config.relative(&full);
            for (index, block) in config.blocks().iter().enumerate() {
                if block.is_for(path) {
                    blocks.push((number, index));
                }
            }
        }
        Settings {
            configs,
            full,
            blocks,
        }
    }

    /// Whether nothing is set.
    pub fn are_none(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The blocks that apply, the later ones with precedence.
    fn blocks(&self) -> impl DoubleEndedIterator<Item = (&Config, &Block)> {
        let blocks = self.blocks.iter();
        blocks.map(|&(number, index)| {
            let config = &*self.configs[number];
            (config, &config.blocks()[index])
        })
    }

    /// A setting, and its source.
    pub fn found(&self, key: Key) -> Option<Setting<'_>> {
        self.blocks().rev().find_map(|(config, block)| {
            let value = block.get(key)?;
            Some(Setting { config, value })
        })
    }

    fn value(&self, key: Key) -> Option<&Value> {
        Some(&self.found(key)?.value.value)
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

    /// The position of the glob that excludes the file.
    pub fn ignored(&self) -> Option<(Arc<Config>, Range<usize>)> {
        ignored(&self.configs, &self.full, false)
    }

    /// The levels of lints in the order in which they apply.
    pub fn levels(&self) -> Vec<(&Config, &LintLevel)> {
        let blocks = self.blocks();
        let levels = blocks.flat_map(|(config, block)| {
            let levels = block.levels().iter();
            levels.map(move |level| (config, level))
        });
        levels.collect()
    }

    /// `maxErrors`.
    pub fn max_errors(&self) -> Option<usize> {
        usize::try_from(self.integer(Key::MaxErrors)?).ok()
    }

    /// `input`.
    pub fn kind(&self) -> Option<InputKind> {
        InputKind::from_word(self.text(Key::Input)?)
    }

    /// The levels of the command line, otherwise those of `lints`.
    pub fn levels_after(&self, explicit: Levels) -> Levels {
        let changes = self.levels().into_iter();
        let mut levels =
            explicit.with_config(changes.map(|(_, level)| (level.selection, level.level)));
        levels.shown.repeatable_key = self.text(Key::Repeatable).map(lasting);
        levels
    }

    /// The schema options of the command line, otherwise the settings.
    pub fn schemas_after(&self, explicit: &SchemaOptions, levels: Levels) -> SchemaOptions {
        let names_one = explicit.schema.is_some() || !explicit.maps.is_empty();
        let path = |key| self.path(key);
        let schema = || {
            let found = self.found(Key::Schema)?;
            let path = self.text(Key::Schema)?;
            if is_url(path) {
                return Some(path.to_owned());
            }
            // Only the command line names standard input.
            let here = if path.starts_with('-') { "." } else { "" };
            let path = found.config.folder().join(here).join(path);
            Some(path.to_string_lossy().into_owned())
        };
        let catalog = || Some(path(Key::Catalog)?.to_string_lossy().into_owned());
        let named_in = |key| {
            let found = self.found(key).filter(|_| !names_one)?;
            Some(found.config.path.clone())
        };
        SchemaOptions {
            schema: if names_one {
                explicit.schema.clone()
            } else {
                schema()
            },
            use_schema_key: explicit.use_schema_key
                || self.boolean(Key::FollowSchema).unwrap_or(false) && explicit.schema.is_none(),
            maps: if names_one || self.value(Key::Schema) == Some(&Value::Null) {
                explicit.maps.clone()
            } else {
                catalog().into_iter().collect()
            },
            schema_named_in: named_in(Key::Schema),
            catalog_named_in: named_in(Key::Catalog),
            dir: explicit.dir.clone().or_else(|| path(Key::SchemaDir)),
            roots: explicit
                .roots
                .iter()
                .cloned()
                .chain(path(Key::SchemaRoot))
                .collect(),
            draft: explicit
                .draft
                .clone()
                .or_else(|| self.text(Key::Draft).map(str::to_owned)),
            asserts_formats: explicit
                .asserts_formats
                .or_else(|| self.text(Key::Formats).map(|word| word == "assert")),
            max_steps: explicit.max_steps,
            allowed: levels.schema_allowed,
            warned: levels.schema_warned,
        }
    }

    /// The settings about the layout.
    pub fn layout(&self) -> LayoutSettings {
        let word = |key| self.text(key);
        let width = match self.value(Key::Width) {
            Some(Value::Text(_)) => Some(0),
            _ => self.integer(Key::Width),
        };
        let settings = LayoutSettings {
            style: word(Key::Style).and_then(Words::from_word),
            width: width.and_then(|width| u16::try_from(width).ok()),
            line_end: word(Key::Eol).and_then(Words::from_word),
            final_newline: self.boolean(Key::FinalNewline),
            sort_keys: self.boolean(Key::SortKeys),
            trailing_commas: word(Key::TrailingCommas).and_then(Words::from_word),
            ..LayoutSettings::default()
        };
        let spaces = self.integer(Key::Indent);
        match (
            word(Key::Indent),
            spaces.and_then(|it| u8::try_from(it).ok()),
        ) {
            (Some("tab"), _) => settings.tab(),
            (Some(_), _) => LayoutSettings {
                keeps_indent: Some(true),
                ..settings
            },
            (None, Some(spaces)) => settings.spaces(spaces),
            (None, None) => settings,
        }
    }

    /// A path, which is relative to the folder of its config.
    pub(super) fn path(&self, key: Key) -> Option<PathBuf> {
        let found = self.found(key)?;
        Some(found.config.folder().join(self.text(key)?))
    }
}

/// The key as long as the program runs, once: options of lints are copied, and a server reads settings again.
fn lasting(key: &str) -> &'static str {
    static KEYS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut keys = KEYS.lock().unwrap_or_else(PoisonError::into_inner);
    match keys.get(key) {
        Some(known) => known,
        None => {
            let key = Box::leak(Box::from(key));
            keys.insert(key);
            key
        }
    }
}

/// A setting of a layout, as `jsonx.json` has it.
pub fn shown_layout(source: &LayoutSettings, key: Key) -> Option<String> {
    match key {
        Key::Style => source.style?.word(),
        Key::Indent => match (source.keeps_indent, source.tabs) {
            (Some(true), _) => Some("keep".to_owned()),
            (_, Some(true)) => Some("tab".to_owned()),
            _ => source.indent.map(|spaces| spaces.to_string()),
        },
        Key::Width => match source.width? {
            0 => Some("off".to_owned()),
            width => Some(width.to_string()),
        },
        Key::Eol => source.line_end?.word(),
        Key::FinalNewline => source.final_newline.map(|is| is.to_string()),
        Key::SortKeys => source.sort_keys.map(|is| is.to_string()),
        Key::TrailingCommas => source.trailing_commas?.word(),
        _ => None,
    }
}
