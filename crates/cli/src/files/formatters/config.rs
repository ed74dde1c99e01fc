//! A parsed configuration file of a formatter.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use jsonx_core::document::Node;
use jsonx_core::engine::Options;
use jsonx_core::jsonc::Dialect;
use jsonx_core::position::locate;
use jsonx_core::{Document, Kind};
use jsonx_diagnose::json5::Translation;
use jsonx_diagnose::{Code, DiagnoseOptions, Lints, diagnose};

use super::patterns::Patterns;
use super::{Read, yaml};
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
    let name = Name::new(path);
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
    /// Reads a file and passes on its value. Of equal keys, the last counts in JSON; in YAML they are an error, also in JSON that is
    /// read as YAML.
    pub fn read(
        path: &'a Path,
        text: &[u8],
        how: Read,
        read: impl FnOnce(&ConfigText<'a>, Node<'_, '_>) -> Option<Config>,
    ) -> Option<Config> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let no_json =
            |error: &dyn Display| Config::unknown(path, None, format!("it is not JSON: {error}"));
        let text = match (how, jsonx_core::validate(text)) {
            (Read::Json5, _) | (_, Ok(())) => text.to_vec(),
            (Read::Yaml, Err(_)) => match std::str::from_utf8(text).map(yaml::to_json) {
                Ok(Ok(json)) => json.into_bytes(),
                Ok(Err((line, reason))) => return Some(Config::unknown(path, Some(line), reason)),
                Err(_) => return Some(Config::unknown(path, None, "it is not UTF-8")),
            },
            (_, Err(error)) => return Some(no_json(&error)),
        };
        let translation = Translation::new(text);
        let text = ConfigText { path, translation };
        let json = text.translation.text();
        let options = Options::default().dialect(Dialect::Jsonc);
        let document = match Document::parse_with(json, options) {
            Ok(document) => document,
            Err(error) => return Some(no_json(&error)),
        };
        let only = Lints::NONE.with(Code::DuplicateKey, how == Read::Yaml);
        let found = diagnose(
            json,
            &DiagnoseOptions::default()
                .dialect(Dialect::Jsonc)
                .lints(only),
        );
        match found.diagnostics.first() {
            Some(twice) => {
                let line = locate(json, twice.span.start).line;
                Some(Config::unknown(path, Some(line as usize), &twice.message))
            }
            None => read(&text, document.root()),
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
