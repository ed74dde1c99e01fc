//! A parsed configuration file of a formatter.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use jsonx_core::document::Node;
use jsonx_core::engine::Options;
use jsonx_core::json5::Translation;
use jsonx_core::jsonc::Dialect;
use jsonx_core::position::locate;
use jsonx_core::{Document, Kind};

use super::patterns::Patterns;
use super::yaml;
use crate::files::layout::{LayoutSettings, Unknown};
use crate::input::Name;
use crate::report::escape;

/// The settings of one file.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// The folder to which its globs are relative.
    pub directory: PathBuf,
    pub settings: LayoutSettings,
    /// The last match takes precedence.
    pub overrides: Vec<Override>,
}

/// The settings for some files.
#[derive(Debug)]
pub(super) struct Override {
    pub files: Patterns,
    pub not: Patterns,
    pub settings: LayoutSettings,
}

impl Config {
    /// The settings for a file with this full path.
    pub fn settings(&self, path: &Path) -> LayoutSettings {
        let relative = path.strip_prefix(&self.directory).unwrap_or(path);
        let matches = |rule: &&Override| rule.files.matches_except(&rule.not, relative);
        let found = self.overrides.iter().rev().filter(matches);
        let settings = found.map(|rule| rule.settings.clone());
        settings
            .chain([self.settings.clone()])
            .reduce(LayoutSettings::or)
            .unwrap_or_default()
    }

    /// A file that is not supported.
    pub fn unknown(path: &Path, line: Option<usize>, reason: impl Into<String>) -> Config {
        let mut config = Config::default();
        config.settings.unknown = Some(unknown(path, line, reason.into()));
        config
    }
}

fn unknown(path: &Path, line: Option<usize>, reason: String) -> Unknown {
    let name = Name::relative(path);
    Unknown {
        place: match line {
            Some(line) => format!("{name}:{line}"),
            None => name.to_string(),
        },
        // It may have a text of the file.
        reason: escape(&reason),
        is_of_biome: false,
    }
}

/// The text of a file.
pub(super) struct ConfigText<'a> {
    pub path: &'a Path,
    translation: Translation,
}

impl<'a> ConfigText<'a> {
    /// Reads a file as JSON, JSON5 or, if allowed, YAML, and passes on its value.
    pub fn read(
        path: &'a Path,
        text: &[u8],
        may_be_yaml: bool,
        read: impl FnOnce(&ConfigText<'a>, Node<'_, '_>) -> Option<Config>,
    ) -> Option<Config> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let is_yaml = may_be_yaml && !text.trim_ascii_start().starts_with(b"{");
        let text = if !is_yaml {
            Cow::Borrowed(text)
        } else {
            match std::str::from_utf8(text) {
                Err(_) => return Some(Config::unknown(path, None, "it is not UTF-8")),
                Ok(text) => match yaml::to_json(text) {
                    Err((line, reason)) => return Some(Config::unknown(path, Some(line), reason)),
                    Ok(text) => Cow::Owned(text.into_bytes()),
                },
            }
        };
        let translation = Translation::new(text.into_owned());
        let text = ConfigText { path, translation };
        let options = Options::default().dialect(Dialect::Jsonc);
        match Document::parse_with(text.translation.text(), options) {
            Ok(document) => read(&text, document.root()),
            Err(error) => Some(Config::unknown(
                path,
                None,
                format!("it is not JSON: {error}"),
            )),
        }
    }

    /// The reason why a value is not supported.
    pub fn unknown(&self, at: Node<'_, '_>, reason: impl Into<String>) -> Unknown {
        let at = self.translation.in_source(at.span()).start;
        let line = locate(self.translation.source(), at).line;
        unknown(self.path, Some(line as usize), reason.into())
    }

    /// One glob or several.
    ///
    /// # Errors
    /// They are not supported.
    pub fn globs(&self, globs: Option<Node<'_, '_>>) -> Result<Patterns, Unknown> {
        let mut patterns = Patterns::default();
        let nodes = globs.into_iter().flat_map(|node| match node.kind() {
            Kind::Array => node.elements().collect(),
            _ => vec![node],
        });
        for node in nodes {
            let glob = node.as_str();
            let glob = glob.ok_or_else(|| self.unknown(node, "a glob is not a string"))?;
            let added = patterns.add(&glob);
            added.map_err(|reason| self.unknown(node, reason))?;
        }
        Ok(patterns)
    }
}

/// A width of lines; 65,535 columns are as good as no limit.
pub(super) fn width(columns: u64) -> u16 {
    u16::try_from(columns.max(1)).unwrap_or(0)
}
