//! The configuration files of Prettier and Biome: the layout of the files of a repository.
//!
//! ```text
//! a/b/data.json    a/b/.prettierrc, … ─► a/.prettierrc, … ─► … up to the root of the repository; the nearest counts
//! ```
//!
//! Prettier's file is JSON or YAML; of YAML, the flat form `key: value` is read. Programs (`.prettierrc.js`,
//! `prettier.config.js`) and packages are not run: Prettier's defaults apply, with a warning.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jsonx_core::document::Node;
use jsonx_core::engine::Options;
use jsonx_core::json5::Translation;
use jsonx_core::jsonc::Dialect;
use jsonx_core::{Document, Kind};

use super::folders::{Folders, full};
use super::globs::Globs;
use super::layout::{Eol, LayoutSettings, LayoutStyle, Parser, TrailingCommas};
use super::rules;
use crate::input::Name;
use crate::messages;

/// Names and formats of the files; the first that exists in a directory counts.
const NAMES: [(&str, Read); 23] = [
    ("package.json", Read::Package),
    ("package.yaml", Read::PackageYaml),
    (".prettierrc", Read::JsonOrYaml),
    (".prettierrc.json", Read::Json),
    (".prettierrc.yaml", Read::JsonOrYaml),
    (".prettierrc.yml", Read::JsonOrYaml),
    (".prettierrc.json5", Read::Json),
    (".prettierrc.js", Read::Program),
    (".prettierrc.ts", Read::Program),
    (".prettierrc.mjs", Read::Program),
    (".prettierrc.mts", Read::Program),
    (".prettierrc.cjs", Read::Program),
    (".prettierrc.cts", Read::Program),
    ("prettier.config.js", Read::Program),
    ("prettier.config.ts", Read::Program),
    ("prettier.config.mjs", Read::Program),
    ("prettier.config.mts", Read::Program),
    ("prettier.config.cjs", Read::Program),
    ("prettier.config.cts", Read::Program),
    (".prettierrc.toml", Read::Toml),
    ("biome.json", Read::Biome),
    ("biome.jsonc", Read::Biome),
    (".biome.json", Read::Biome),
];

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    /// JSON with the key `prettier`.
    Package,
    /// YAML that may have this key.
    PackageYaml,
    Json,
    JsonOrYaml,
    Program,
    Toml,
    Biome,
}

/// Looks up the files; each is read once.
#[derive(Debug, Default)]
pub struct Formatters {
    folders: Folders<Folder>,
}

/// The configuration files of a folder.
#[derive(Clone, Debug)]
struct Folder {
    config: Option<Arc<Config>>,
    /// It is the root of a repository.
    is_root: bool,
}

/// One file.
#[derive(Debug, Default)]
struct Config {
    directory: PathBuf,
    settings: LayoutSettings,
    /// The last that matches counts most.
    overrides: Vec<Override>,
}

/// The settings for some files.
#[derive(Debug)]
struct Override {
    files: Globs<()>,
    not: Globs<()>,
    settings: LayoutSettings,
}

impl Formatters {
    /// The settings for `path`; none if no file of a formatter applies. The file need not exist.
    pub fn of(&self, path: &Path) -> LayoutSettings {
        let Some(path) = full(path) else {
            return LayoutSettings::default();
        };
        for directory in path.ancestors().skip(1) {
            let found = self.folders.get(directory, || Folder::read(directory));
            if let Some(config) = found.config {
                return config.of(&path);
            }
            if found.is_root {
                break;
            }
        }
        LayoutSettings::default()
    }
}

impl Folder {
    fn read(directory: &Path) -> Folder {
        let config = NAMES.iter().find_map(|&(name, how)| {
            let path = directory.join(name);
            path.is_file().then(|| Config::read(&path, how))?
        });
        Folder {
            is_root: config.is_none() && directory.join(".git").exists(),
            config: config.map(Arc::new),
        }
    }
}

impl Config {
    fn of(&self, path: &Path) -> LayoutSettings {
        let relative = path.strip_prefix(&self.directory).unwrap_or(path);
        let matches = |rule: &&Override| {
            rule.files.find(relative).is_some() && rule.not.find(relative).is_none()
        };
        let found = self.overrides.iter().rev().filter(matches);
        found
            .map(|rule| rule.settings.clone())
            .chain([self.settings.clone()])
            .reduce(LayoutSettings::or)
            .unwrap_or_default()
    }

    /// Reads a file; `None` if it says nothing about the layout.
    fn read(path: &Path, how: Read) -> Option<Config> {
        let text = match how {
            Read::Program | Read::Toml => Vec::new(),
            _ => rules::read_file(path, "configuration")?,
        };
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
        let config = match how {
            Read::Program => Err("it is a program".to_owned()),
            Read::Toml => Err("it is TOML".to_owned()),
            Read::PackageYaml => {
                let lines = text.split(|&byte| byte == b'\n');
                let has_key = lines.into_iter().any(|line| line.starts_with(b"prettier:"));
                has_key.then_some(Err("it is nested YAML".to_owned()))?
            }
            Read::JsonOrYaml if !text.trim_ascii_start().starts_with(b"{") => yaml(text),
            Read::JsonOrYaml | Read::Json => parsed(text, prettier),
            Read::Package => match memchr::memmem::find(text, b"\"prettier\"") {
                Some(_) => parsed(text, |root| match root.get("prettier") {
                    Some(node) => prettier(node).map(Some),
                    None => Ok(None),
                })
                .transpose()?,
                None => return None,
            },
            Read::Biome => parsed(text, |root| Ok(biome(root))).transpose()?,
        };
        let mut config = config.unwrap_or_else(|reason| {
            let shown = shown(path);
            messages::line(&format!(
                "jsonx: {shown}: warning: not read, because {reason}; Prettier's defaults apply"
            ));
            Config::default()
        });
        config.directory = path.parent()?.to_owned();
        config.settings.style.get_or_insert(LayoutStyle::Prettier);
        config.settings.sources.push(path.to_owned());
        Some(config)
    }
}

/// The name of a file for messages.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    Name::of(path.strip_prefix(&here).unwrap_or(path)).to_string()
}

/// Reads JSON with comments, or JSON5.
fn parsed<T>(
    text: &[u8],
    read: impl FnOnce(Node<'_, '_>) -> Result<T, String>,
) -> Result<T, String> {
    let options = Options::default().dialect(Dialect::Jsonc);
    let translation = Translation::new(text.to_vec());
    let document = Document::parse_with(translation.text(), options)
        .map_err(|error| format!("it is not JSON: {error}"))?;
    read(document.root())
}

/// The options of Prettier, with overrides.
fn prettier(root: Node<'_, '_>) -> Result<Config, String> {
    match root.kind() {
        Kind::Object => {}
        Kind::String => return Err("it names a package".to_owned()),
        _ => return Err("it is not an object".to_owned()),
    }
    let mut config = Config {
        settings: prettier_options(root)?,
        ..Config::default()
    };
    for rule in root.get("overrides").into_iter().flat_map(Node::elements) {
        let Some(options) = rule.get("options") else {
            continue;
        };
        config.overrides.push(Override {
            files: globs(rule.get("files"))?,
            not: globs(rule.get("excludeFiles"))?,
            settings: prettier_options(options)?,
        });
    }
    Ok(config)
}

fn prettier_options(options: Node<'_, '_>) -> Result<LayoutSettings, String> {
    let mut settings = LayoutSettings::default();
    for (key, value) in options.members() {
        let value = match value.kind() {
            Kind::String => Scalar::Text(value.as_str().unwrap_or_default().into_owned()),
            Kind::Number => Scalar::Number(value.as_u64()),
            Kind::Boolean => Scalar::Bool(value.as_bool() == Some(true)),
            _ => Scalar::Other,
        };
        prettier_option(&mut settings, &key.as_str().unwrap_or_default(), &value)?;
    }
    Ok(settings)
}

/// A value of an option.
enum Scalar {
    Text(String),
    Number(Option<u64>),
    Bool(bool),
    /// Null, an array or an object.
    Other,
}

fn prettier_option(
    settings: &mut LayoutSettings,
    name: &str,
    value: &Scalar,
) -> Result<(), String> {
    match (name, value) {
        ("printWidth", Scalar::Number(Some(width))) => settings.width = Some(columns(*width)),
        ("tabWidth", Scalar::Number(Some(width))) => {
            settings.indent = Some(u8::try_from(*width).unwrap_or(u8::MAX));
        }
        ("useTabs", Scalar::Bool(tabs)) => settings.tabs = Some(*tabs),
        ("bracketSpacing", Scalar::Bool(spacing)) => settings.bracket_spacing = Some(*spacing),
        ("objectWrap", Scalar::Text(wrap)) => settings.collapse = Some(wrap == "collapse"),
        ("trailingComma", Scalar::Text(commas)) => {
            settings.trailing_commas = Some(match commas == "none" {
                true => TrailingCommas::None,
                // Only the parsers that have them print them.
                false => TrailingCommas::Keep,
            });
        }
        ("endOfLine", Scalar::Text(end)) => settings.line_end = line_end(end),
        ("parser", Scalar::Text(parser)) => {
            settings.parser = match &parser[..] {
                "json" => Some(Parser::Json),
                "jsonc" | "json5" => Some(Parser::Jsonc),
                "json-stringify" => Some(Parser::JsonStringify),
                _ => None,
            };
        }
        ("printWidth" | "tabWidth", _) => return Err(format!("`{name}` is not a whole number")),
        ("useTabs" | "bracketSpacing", _) => {
            return Err(format!("`{name}` is neither true nor false"));
        }
        ("objectWrap" | "trailingComma" | "endOfLine" | "parser", _) => {
            return Err(format!("`{name}` is not a string"));
        }
        _ => {}
    }
    Ok(())
}

/// A width of lines; none is as good as 65,535 columns.
fn columns(width: u64) -> u16 {
    u16::try_from(width.max(1)).unwrap_or(0)
}

fn line_end(name: &str) -> Option<Eol> {
    match name {
        "lf" => Some(Eol::Lf),
        "crlf" => Some(Eol::Crlf),
        "auto" => Some(Eol::Keep),
        _ => None,
    }
}

/// One glob or several.
fn globs(node: Option<Node<'_, '_>>) -> Result<Globs<()>, String> {
    let node = node.into_iter();
    let nodes = node.flat_map(|node| match node.kind() {
        Kind::String => vec![node],
        _ => node.elements().collect(),
    });
    let globs = nodes.filter_map(|node| Some((node.as_str()?.into_owned(), ())));
    Globs::new(globs).map_err(|error| format!("a glob is invalid: {error}"))
}

/// The flat form of YAML: `key: value`.
fn yaml(text: &[u8]) -> Result<Config, String> {
    let text = std::str::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut config = Config::default();
    for line in text.lines() {
        let line = line.split(" #").next().unwrap_or_default();
        if line.trim().is_empty() || line.starts_with('#') || line.starts_with("---") {
            continue;
        }
        let nested = "it is YAML that is not a list of keys and values".to_owned();
        let (key, value) = line.split_once(':').ok_or_else(|| nested.clone())?;
        let value = value.trim();
        if line.starts_with([' ', '\t', '-']) || value.is_empty() || value.starts_with(['{', '[']) {
            return Err(nested);
        }
        let unquoted = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
        let value = match (value, unquoted('"').or(unquoted('\''))) {
            (_, Some(text)) => Scalar::Text(text.to_owned()),
            ("true" | "True" | "TRUE", None) => Scalar::Bool(true),
            ("false" | "False" | "FALSE", None) => Scalar::Bool(false),
            (other, None) if other.starts_with(|first: char| first.is_ascii_digit()) => {
                Scalar::Number(other.parse().ok())
            }
            (other, None) => Scalar::Text(other.to_owned()),
        };
        let key = key.trim().trim_matches(['"', '\'']);
        prettier_option(&mut config.settings, key, &value)?;
    }
    Ok(config)
}

/// The options of Biome; `None` if its formatter is off.
fn biome(root: Node<'_, '_>) -> Option<Config> {
    let is_off = |node: Option<Node<'_, '_>>| {
        let enabled = node.and_then(|node| node.get("enabled")?.as_bool());
        enabled == Some(false)
    };
    let formatter = root.get("formatter");
    let json = root.get("json").and_then(|json| json.get("formatter"));
    if is_off(formatter) || is_off(json) {
        return None;
    }
    let reads_editorconfig = formatter
        .and_then(|node| node.get("useEditorconfig")?.as_bool())
        .unwrap_or(false);
    let mut config = Config {
        settings: biome_options(root),
        ..Config::default()
    };
    config
        .settings
        .trailing_commas
        .get_or_insert(TrailingCommas::None);
    if !reads_editorconfig {
        config.settings.tabs.get_or_insert(true);
        config.settings.indent.get_or_insert(2);
        config.settings.width.get_or_insert(80);
        config.settings.line_end.get_or_insert(Eol::Lf);
    }
    for rule in root.get("overrides").into_iter().flat_map(Node::elements) {
        let files = rule.get("includes").or(rule.get("include"));
        if let (Ok(files), Ok(not)) = (globs(files), globs(None)) {
            let settings = biome_options(rule);
            config.overrides.push(Override {
                files,
                not,
                settings,
            });
        }
    }
    Some(config)
}

/// The options for JSON in a configuration or an override of Biome.
fn biome_options(node: Node<'_, '_>) -> LayoutSettings {
    let mut settings = LayoutSettings::default();
    let json = node.get("json").and_then(|json| json.get("formatter"));
    for options in node.get("formatter").into_iter().chain(json) {
        for (key, value) in options.members() {
            let text = value.as_str().unwrap_or_default();
            match &*key.as_str().unwrap_or_default() {
                "indentStyle" => settings.tabs = Some(text == "tab"),
                "indentWidth" | "indentSize" => {
                    let width = value.as_u64().and_then(|width| u8::try_from(width).ok());
                    settings.indent = width.or(settings.indent);
                }
                "lineWidth" => settings.width = value.as_u64().map(columns).or(settings.width),
                "lineEnding" => settings.line_end = line_end(&text).or(settings.line_end),
                "bracketSpacing" => settings.bracket_spacing = value.as_bool(),
                "expand" => settings.collapse = Some(text == "never"),
                "trailingCommas" => {
                    settings.trailing_commas = Some(match &*text {
                        "all" => TrailingCommas::All,
                        _ => TrailingCommas::None,
                    });
                }
                _ => {}
            }
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(name: &str, text: &str) -> LayoutSettings {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".git")).unwrap();
        fs::write(folder.path().join(name), text).unwrap();
        let settings = Formatters::default().of(&folder.path().join("a/x.json"));
        LayoutSettings {
            sources: Vec::new(),
            ..settings
        }
    }

    #[test]
    fn files_of_prettier() {
        let expected = LayoutSettings {
            style: Some(LayoutStyle::Prettier),
            tabs: Some(true),
            indent: Some(4),
            width: Some(100),
            line_end: Some(Eol::Crlf),
            bracket_spacing: Some(false),
            collapse: Some(true),
            trailing_commas: Some(TrailingCommas::None),
            ..LayoutSettings::default()
        };
        let json = r#"{"printWidth": 100, "tabWidth": 4, "useTabs": true, "semi": false, "endOfLine": "crlf", // ends
            "bracketSpacing": false, "objectWrap": "collapse", "trailingComma": "none", "plugins": ["x"]}"#;
        let yaml = "---\n# layout\nprintWidth: 100\ntabWidth: 4 # columns\nuseTabs: true\nsemi: false\nendOfLine: 'crlf'\n\
            \"bracketSpacing\": false\nobjectWrap: collapse\r\ntrailingComma: \"none\"\n";
        assert_eq!(read(".prettierrc", json), expected);
        assert_eq!(read(".prettierrc.json", json), expected);
        assert_eq!(
            read(
                "package.json",
                &format!("{{\"prettier\": {}}}", json.replace("// ends", ""))
            ),
            expected
        );
        for name in [".prettierrc", ".prettierrc.yaml", ".prettierrc.yml"] {
            assert_eq!(read(name, yaml), expected, "{name}");
        }
        // Those that are not read, and empty ones.
        let defaults = LayoutSettings {
            style: Some(LayoutStyle::Prettier),
            ..LayoutSettings::default()
        };
        for (name, text) in [
            (".prettierrc", ""),
            (".prettierrc", "{}"),
            (".prettierrc", "{"),
            (".prettierrc", "overrides:\n  - files: x\n"),
            (".prettierrc", "\"@company/config\""),
            ("package.json", "{\"prettier\": \"@company/config\"}"),
            ("prettier.config.mjs", "export default {};"),
            (".prettierrc.toml", "tabWidth = 4"),
        ] {
            assert_eq!(read(name, text), defaults, "{name}: {text}");
        }
        for (name, text) in [
            ("package.json", "{\"name\": \"prettier\"}"),
            ("package.json", "{\"dependencies\": {\"prettier\": \"3\"}}"),
            ("package.yaml", "name: x\n"),
            ("biome.json", "{\"formatter\": {\"enabled\": false}}"),
        ] {
            assert_eq!(
                read(name, text),
                LayoutSettings::default(),
                "{name}: {text}"
            );
        }
    }

    #[test]
    fn files_of_biome() {
        let settings = LayoutSettings {
            style: Some(LayoutStyle::Prettier),
            tabs: Some(true),
            indent: Some(2),
            width: Some(80),
            line_end: Some(Eol::Lf),
            trailing_commas: Some(TrailingCommas::None),
            ..LayoutSettings::default()
        };
        assert_eq!(read("biome.json", "{}"), settings);
        let text = r#"{"formatter": {"indentStyle": "space", "indentWidth": 4, "lineWidth": 100, "lineEnding": "auto"},
            "json": {"formatter": {"indentWidth": 3, "bracketSpacing": false, "expand": "never", "trailingCommas": "all"}}, }"#;
        let expected = LayoutSettings {
            tabs: Some(false),
            indent: Some(3),
            width: Some(100),
            line_end: Some(Eol::Keep),
            bracket_spacing: Some(false),
            collapse: Some(true),
            trailing_commas: Some(TrailingCommas::All),
            ..settings
        };
        assert_eq!(read("biome.jsonc", text), expected);
        assert_eq!(read("biome.json", text), expected);
    }

    #[test]
    fn overrides_by_glob() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("a/.git")).unwrap();
        fs::write(
            root.join("a/.prettierrc"),
            r#"{"tabWidth": 4, "overrides": [
                {"files": "*.json", "options": {"tabWidth": 3}},
                {"files": ["data/**/*.json", "x.json"], "excludeFiles": "data/no/*", "options": {"tabWidth": 1, "parser": "jsonc"}},
                {"files": ["nothing.json"]}]}"#,
        )
        .unwrap();
        fs::write(root.join(".prettierrc"), "tabWidth: 8").unwrap();
        let formatters = Formatters::default();
        let indent = |name: &str| formatters.of(&root.join(name)).indent;
        assert_eq!(indent("a/y.jsonc"), Some(4));
        assert_eq!(indent("a/y.json"), Some(3));
        assert_eq!(indent("a/b/x.json"), Some(1));
        assert_eq!(indent("a/data/b/y.json"), Some(1));
        assert_eq!(indent("a/data/no/y.json"), Some(3));
        assert_eq!(indent("a/nothing.json"), Some(3));
        assert_eq!(indent("y.json"), Some(8));
        // Beyond the root of a repository, nothing is read.
        fs::remove_file(root.join("a/.prettierrc")).unwrap();
        assert_eq!(
            Formatters::default().of(&root.join("a/x.json")),
            LayoutSettings::default()
        );
    }
}
