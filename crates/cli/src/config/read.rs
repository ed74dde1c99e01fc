//! Reads `jsonx.json` by the table of settings.

use std::collections::HashMap;
use std::ops::Range;

use jsonx_core::engine::Options;
use jsonx_core::jsonc::Dialect;
use jsonx_core::path::Location;
use jsonx_core::string::nearest::nearest;
use jsonx_core::{Document, Kind, Node, SyntaxError};
use jsonx_diagnose::{Code, Diagnostic, Related, Span};

use super::table::{self, AllowedIn, COUNT, Key, LEVELS, SettingRow, Takes};
use crate::diagnostics::{Level, LintSelection};
use crate::files::globs::Globs;
use crate::path_messages::did_you_mean;
use crate::report::escape;

/// The code of a mistake in `jsonx.json`.
pub const CODE: Code = Code::Custom("config");

/// A value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    Boolean(bool),
    Integer(u64),
    Text(Box<str>),
}

/// A value, and its position in the text.
#[derive(Clone, Debug)]
pub struct SettingValue {
    pub value: Value,
    pub span: Range<usize>,
}

/// The level of a lint.
#[derive(Clone, Debug)]
pub struct LintLevel {
    pub name: Box<str>,
    pub selection: LintSelection,
    pub level: Level,
    pub span: Range<usize>,
}

/// Settings for the same files.
#[derive(Debug)]
pub struct Block {
    /// `None` for all files.
    files: Option<Globs<Range<usize>>>,
    entries: [Option<SettingValue>; COUNT],
    levels: Vec<LintLevel>,
}

/// A config that was read.
#[derive(Debug)]
pub struct Contents {
    /// Whether the search for more ends.
    pub is_root: bool,
    pub ignored: Option<Globs<Range<usize>>>,
    /// The later ones take precedence.
    pub blocks: Vec<Block>,
}

/// The reason why a text is not a config.
#[derive(Debug)]
pub enum Mistakes {
    Syntax(SyntaxError),
    Findings(Vec<Diagnostic>),
}

impl Block {
    fn new() -> Block {
        Block {
            files: None,
            entries: std::array::from_fn(|_| None),
            levels: Vec::new(),
        }
    }

    /// Whether it sets nothing.
    fn is_empty(&self) -> bool {
        self.levels.is_empty() && self.entries.iter().all(Option::is_none)
    }

    /// Whether the settings are for a file.
    pub fn is_for(&self, path: &std::path::Path) -> bool {
        let files = self.files.as_ref();
        files.is_none_or(|files| files.find(path).is_some())
    }

    /// The value of a setting.
    pub fn get(&self, key: Key) -> Option<&SettingValue> {
        self.entries[key as usize].as_ref()
    }

    /// The levels of lints, those of single ones last.
    pub fn levels(&self) -> &[LintLevel] {
        &self.levels
    }
}

/// Reads a config.
///
/// # Errors
/// All mistakes in it.
pub fn read(bytes: &[u8]) -> Result<Contents, Mistakes> {
    let options = Options::default().dialect(Dialect::Jsonc);
    let document = Document::index(bytes, options).map_err(Mistakes::Syntax)?;
    let mut reader = Reader::default();
    let contents = reader.contents(document.root());
    if reader.findings.is_empty() {
        Ok(contents)
    } else {
        Err(Mistakes::Findings(reader.findings))
    }
}

#[derive(Default)]
struct Reader {
    findings: Vec<Diagnostic>,
    path: Location,
    /// Everything read apart from the settings for files.
    is_root: Option<bool>,
    ignored: Option<Globs<Range<usize>>>,
    blocks: Vec<Block>,
}

/// A word in double quotes, if `word` is near one of these.
fn meant<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = nearest(word.as_bytes(), words.into_iter().map(str::as_bytes))?;
    let near = String::from_utf8_lossy(near);
    Some(did_you_mean(&format!("`{near}`")))
}

/// The integer value of a number, even if written as `1.0` or `1e2`.
fn integer(node: Node<'_, '_>) -> Option<u64> {
    node.as_u64().or_else(|| {
        let number = node.as_f64()?;
        let is_integer = number.fract() == 0.0 && (0.0..=u32::MAX.into()).contains(&number);
        is_integer.then_some(number as u64)
    })
}

impl Reader {
    fn report(&mut self, node: Node<'_, '_>, message: String, label: String) -> &mut Diagnostic {
        let mut span = node.span();
        if matches!(node.kind(), Kind::Object | Kind::Array) {
            span.end = span.start + 1;
        }
        let mut finding = Diagnostic::new(CODE, Span::new(span.start, span.end));
        finding.message = message;
        finding.label = label;
        finding.path = self.path.clone();
        self.findings.push(finding);
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    fn wrong_type(&mut self, node: Node<'_, '_>, what: &str, takes: &str) {
        let label = match node.kind() {
            Kind::Number if integer(node).is_none() => "not one of these numbers".to_owned(),
            _ => format!("this is {}", node.kind()),
        };
        self.report(node, format!("{what} takes {takes}"), label);
    }

    fn contents(&mut self, root: Node<'_, '_>) -> Contents {
        if root.kind() != Kind::Object {
            self.wrong_type(root, "jsonx.json", "an object with settings");
        }
        let block = self.block(root, AllowedIn::Root);
        self.blocks.insert(0, block);
        self.blocks.retain(|block| !block.is_empty());
        self.findings.sort_by_key(|finding| finding.span.start);
        Contents {
            is_root: self.is_root.unwrap_or(true),
            ignored: self.ignored.take(),
            blocks: std::mem::take(&mut self.blocks),
        }
    }

    /// Calls `each` with the members of an object, and reports duplicate keys.
    fn members<'d, 't>(
        &mut self,
        node: Node<'d, 't>,
        mut each: impl FnMut(&mut Reader, Node<'d, 't>, &str, Node<'d, 't>),
    ) {
        let mut seen: HashMap<String, Range<usize>> = HashMap::new();
        for (key, value) in node.members() {
            let name = key.as_str().unwrap_or_default();
            self.path.push_key(name.as_bytes());
            if let Some(first) = seen.insert(name.clone().into_owned(), key.span()) {
                let message = format!("`{}` is duplicated", escape(&*name));
                let finding = self.report(key, message, "remove one of them".to_owned());
                let span = Span::new(first.start, first.end);
                finding.related.push(Related::new(span, "first here"));
            }
            each(self, key, &name, value);
            self.path.pop();
        }
    }

    /// Reads an object with settings.
    fn block(&mut self, node: Node<'_, '_>, place: AllowedIn) -> Block {
        let mut block = Block::new();
        self.members(node, |reader, key, name, value| {
            let row = table::rows(place).find(|row| row.name == name);
            match row {
                Some(row) => reader.setting(row, value, &mut block),
                None => reader.unknown(key, name, place),
            }
        });
        let has_files = block.files.is_some() || node.get("files").is_some();
        if place == AllowedIn::Override && node.kind() == Kind::Object && !has_files {
            let row = Key::Files.row();
            let message = format!("`{}` is missing: {}", row.name, row.takes.describe());
            let label = "`files` is missing here".to_owned();
            self.report(node, message, label);
        }
        block.levels.sort_by_key(|value| {
            let is_group = matches!(&*value.name, "all" | "schema");
            (!is_group, value.span.start)
        });
        block
    }

    fn unknown(&mut self, key: Node<'_, '_>, name: &str, place: AllowedIn) {
        let elsewhere = table::ROWS.iter().find(|row| row.name == name);
        let label = match elsewhere.map(|row| row.place) {
            Some(AllowedIn::Root) => "allowed only at the root of jsonx.json".to_owned(),
            Some(_) => "allowed only in `overrides`".to_owned(),
            None => meant(name, table::rows(place).map(|row| row.name))
                .unwrap_or_else(|| "`jsonx explain config` lists all settings".to_owned()),
        };
        let message = format!("there is no setting `{}` here", escape(name));
        self.report(key, message, label);
    }

    fn setting(&mut self, row: &'static SettingRow, node: Node<'_, '_>, block: &mut Block) {
        let name = format!("`{}`", row.name);
        match row.takes {
            Takes::Globs(may_be_empty) => {
                let globs = self.globs(row, node, may_be_empty);
                match row.key {
                    Key::Ignore => self.ignored = globs,
                    _ => block.files = globs,
                }
            }
            Takes::Levels if node.kind() == Kind::Object => {
                self.members(node, |reader, key, name, value| {
                    block.levels.extend(reader.level(key, name, value));
                });
            }
            Takes::Overrides if node.kind() == Kind::Array => {
                for (index, element) in node.elements().enumerate() {
                    self.path.push_index(index as u64);
                    match element.kind() {
                        Kind::Object => {
                            let block = self.block(element, AllowedIn::Override);
                            self.blocks.push(block);
                        }
                        _ => self.wrong_type(element, "an override", "an object with `files`"),
                    }
                    self.path.pop();
                }
            }
            Takes::Levels | Takes::Overrides => self.wrong_type(node, &name, &row.takes.describe()),
            Takes::Word(_) | Takes::Schema if node.kind() == Kind::Object => {
                let label = format!(
                    "settings of some files are in `overrides`: {{\"files\": [\"GLOB\"], \"{}\": …}}",
                    row.name
                );
                let message = format!("{name} takes {}", row.takes.describe());
                self.report(node, message, label);
            }
            _ => {
                let value = self.value(row, node);
                if let (Key::Root, Some(Value::Boolean(is_root))) =
                    (row.key, value.as_ref().map(|value| &value.value))
                {
                    self.is_root = Some(*is_root);
                }
                if row.place == AllowedIn::Both {
                    block.entries[row.key as usize] = value;
                }
            }
        }
    }

    /// A value that is neither a list nor an object.
    fn value(&mut self, row: &'static SettingRow, node: Node<'_, '_>) -> Option<SettingValue> {
        let value = match (row.takes, node.kind()) {
            (Takes::Boolean, Kind::Boolean) => node.as_bool().map(Value::Boolean),
            (Takes::Integer(first, last, _), Kind::Number) => integer(node)
                .filter(|number| (first..=last).contains(number))
                .map(Value::Integer),
            (Takes::Integer(..) | Takes::Word(_), Kind::String) => {
                let word = node.as_str().unwrap_or_default();
                let words = row.takes.words();
                if !words.iter().any(|known| *known == word) {
                    let label = meant(&word, words.iter().map(String::as_str));
                    let label = label.unwrap_or_else(|| "not one of these".to_owned());
                    let message = format!("`{}` takes {}", row.name, row.takes.describe());
                    self.report(node, message, label);
                    return None;
                }
                Some(Value::Text(word.into()))
            }
            (Takes::Schema, Kind::Null) => Some(Value::Null),
            (Takes::Path | Takes::Key | Takes::Schema, Kind::String) => {
                let path = node.as_str().unwrap_or_default();
                if path.is_empty() {
                    let message = format!("`{}` takes {}", row.name, row.takes.describe());
                    self.report(node, message, "this is empty".to_owned());
                    return None;
                }
                Some(Value::Text(path.into()))
            }
            (Takes::Anything, Kind::String) => Some(Value::Null),
            _ => None,
        };
        if value.is_none() {
            let name = format!("`{}`", row.name);
            match (row.takes, integer(node)) {
                (Takes::Integer(..), Some(_)) => {
                    let message = format!("{name} takes {}", row.takes.describe());
                    self.report(node, message, "this is out of range".to_owned());
                }
                _ => self.wrong_type(node, &name, &row.takes.describe()),
            }
        }
        value.map(|value| SettingValue {
            value,
            span: node.span(),
        })
    }

    /// Whether a text is a glob.
    fn is_glob(&mut self, node: Node<'_, '_>, glob: &str) -> bool {
        let error = match glob {
            "" => Err("this is empty".to_owned()),
            glob => Globs::new([(glob, ())]).map(drop),
        };
        match error {
            Ok(()) => true,
            Err(error) => {
                self.report(node, format!("bad glob `{}`", escape(glob)), error);
                false
            }
        }
    }

    fn globs(
        &mut self,
        row: &'static SettingRow,
        node: Node<'_, '_>,
        may_be_empty: bool,
    ) -> Option<Globs<Range<usize>>> {
        let name = format!("`{}`", row.name);
        if node.kind() != Kind::Array {
            self.wrong_type(node, &name, &row.takes.describe());
            return None;
        }
        if node.is_empty() && !may_be_empty {
            self.report(
                node,
                format!("{name} is empty"),
                "list globs here".to_owned(),
            );
        }
        let mut globs = Vec::new();
        for (index, element) in node.elements().enumerate() {
            self.path.push_index(index as u64);
            match element.as_str() {
                None => self.wrong_type(element, &name, &row.takes.describe()),
                Some(glob) if self.is_glob(element, &glob) => {
                    globs.push((glob.into_owned(), element.span()));
                }
                Some(_) => {}
            }
            self.path.pop();
        }
        // Each was compiled before.
        Globs::new(globs).ok()
    }

    fn level(&mut self, key: Node<'_, '_>, name: &str, node: Node<'_, '_>) -> Option<LintLevel> {
        let selection = LintSelection::named(name);
        if selection.is_none() {
            let label = meant(name, table::lints())
                .unwrap_or_else(|| "`jsonx explain` lists all codes".to_owned());
            self.report(key, format!("there is no lint `{}`", escape(name)), label);
        }
        let levels = LEVELS
            .into_iter()
            .zip([Level::Off, Level::Warn, Level::Deny]);
        let word = node.as_str().unwrap_or_default();
        let level = levels.filter(|_| node.kind() == Kind::String);
        let level = level.into_iter().find(|(level, _)| *level == word);
        if level.is_none() {
            let label = match node.kind() {
                Kind::String => meant(&word, LEVELS),
                _ => None,
            };
            let message = "the level of a lint is \"off\", \"warn\" or \"deny\"".to_owned();
            let label = label.unwrap_or_else(|| format!("this is {}", node.kind()));
            self.report(node, message, label);
        }
        Some(LintLevel {
            name: name.into(),
            selection: selection?,
            level: level?.1,
            span: node.span(),
        })
    }
}
