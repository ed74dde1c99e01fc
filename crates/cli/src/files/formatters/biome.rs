//! The options of Biome 2.
//!
//! ```text
//! extends ─► each file, then this one ─► formatter, json.formatter ─► overrides
//! ```

use std::path::{Path, PathBuf};

use jsonx_core::Kind;
use jsonx_core::document::Node;

use super::config::{Config, ConfigText, Override, width};
use super::patterns::{GlobSyntax, Patterns};
use crate::files::layout::{Eol, Expand, LayoutSettings, LayoutStyle, TrailingCommas, Unknown};
use crate::files::rules;

/// The names of the files; the first that exists in a folder counts.
pub(super) const NAMES: [&str; 4] = ["biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"];

/// Files that Biome never formats.
const NEVER: [&str; 4] = [
    "*.json5",
    "composer.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
];

/// Other known keys of each section: they concern other languages, or not the layout.
const OTHERS: [(&str, &str); 5] = [
    (
        "",
        "$schema assist css extends files formatter graphql grit html javascript json linter markdown overrides plugins root \
         tailwind vcs yaml",
    ),
    ("files", "experimentalScannerIgnores ignoreUnknown"),
    ("json", "assist formatter linter parser"),
    (
        "overrides",
        "assist css files formatter graphql grit html includes javascript json linter markdown plugins yaml",
    ),
    (
        "formatter",
        "attributePosition bracketSameLine formatWithErrors useEditorconfig",
    ),
];

/// Whether a key of a section is one of [`OTHERS`].
fn is_other(section: &str, key: &str) -> bool {
    let mut sections = OTHERS.iter().filter(|(name, _)| *name == section);
    sections.any(|(_, keys)| keys.split(' ').any(|known| known == key))
}

/// Maximum number of files connected by `extends`, to stop at cycles.
const MOST: usize = 16;

/// The merged settings of the files read so far; later ones take precedence.
#[derive(Default)]
struct Merged {
    formatter: LayoutSettings,
    json: LayoutSettings,
    reads_editorconfig: Option<bool>,
    max_size: Option<u64>,
    files: Option<Patterns>,
    formatted: Option<Patterns>,
    overrides: Vec<Override>,
    /// The overrides with the key `formatter`, without `enabled`.
    without_enabled: Vec<usize>,
    unknown: Option<Unknown>,
    /// The number of files.
    count: usize,
}

/// The settings of a configuration.
pub(super) fn config(text: &ConfigText<'_>, root: Node<'_, '_>) -> Config {
    let mut merged = Merged::default();
    merged.add(text, root);
    // Such an override restores the general `formatter.enabled`, in spite of `json.formatter` and of earlier overrides.
    for index in merged.without_enabled {
        merged.overrides[index].settings.formatted =
            Some(merged.formatter.formatted != Some(false));
    }
    // Later files take precedence.
    let mut settings = merged.json.or(merged.formatter);
    settings.unknown = merged.unknown;
    settings.style = Some(LayoutStyle::Biome);
    settings.max_size = Some(merged.max_size.unwrap_or(1 << 20));
    if merged.reads_editorconfig != Some(true) {
        settings.without_editorconfig = Some(true);
        settings.tabs.get_or_insert(true);
        settings.indent.get_or_insert(2);
        settings.line_end.get_or_insert(Eol::Lf);
    }
    settings.width.get_or_insert(80);
    settings.trailing_commas.get_or_insert(TrailingCommas::None);
    let mut names = Patterns::default();
    let mut never = |name: &str| names.add(&format!("**/{name}"), GlobSyntax::Biome);
    let _ = NEVER.iter().try_for_each(|name| never(name));
    let mut overrides = merged.overrides;
    overrides.push(Override {
        files: names,
        not: Patterns::default(),
        settings: LayoutSettings {
            formatted: Some(false),
            ..LayoutSettings::default()
        },
    });
    let is_nested = root.get("root").and_then(Node::as_bool) == Some(false);
    Config {
        settings,
        overrides,
        files: merged.files,
        formatted: merged.formatted,
        own: if is_nested { &[] } else { &NAMES },
        is_nested,
        ..Config::default()
    }
}

impl Merged {
    /// Adds the settings of a file, after those of the files that it extends.
    fn add(&mut self, text: &ConfigText<'_>, root: Node<'_, '_>) {
        self.count += 1;
        if self.count > MOST {
            self.unknown = Some(text.unknown(root, "too many files extend one another"));
            return;
        }
        if let Some(extends) = root.get("extends") {
            self.extend(text, extends);
        }
        self.check_keys(text, root, "");
        if let Some(files) = root.get("files") {
            self.check_keys(text, files, "files");
            self.max_size = files
                .get("maxSize")
                .and_then(Node::as_u64)
                .or(self.max_size);
            let unknown = selected(text, files, &mut self.files);
            self.unknown = unknown.or(self.unknown.take());
        }
        if let Some(formatter) = root.get("formatter") {
            let is = formatter.get("useEditorconfig").and_then(Node::as_bool);
            self.reads_editorconfig = is.or(self.reads_editorconfig);
            let unknown = selected(text, formatter, &mut self.formatted);
            self.unknown = unknown.or(self.unknown.take());
            self.formatter = options(text, formatter).or(std::mem::take(&mut self.formatter));
        }
        if let Some(json) = root.get("json") {
            self.check_keys(text, json, "json");
            if let Some(formatter) = json.get("formatter") {
                self.json = options(text, formatter).or(std::mem::take(&mut self.json));
            }
        }
        for layer in [&mut self.formatter, &mut self.json] {
            self.unknown = layer.unknown.take().or(self.unknown.take());
        }
        for rule in root.get("overrides").into_iter().flat_map(Node::elements) {
            self.check_keys(text, rule, "overrides");
            self.add_override(text, rule);
        }
    }

    fn add_override(&mut self, text: &ConfigText<'_>, rule: Node<'_, '_>) {
        let json = rule.get("json").and_then(|json| json.get("formatter"));
        let mut settings = json.map(|json| options(text, json)).unwrap_or_default();
        if let Some(formatter) = rule.get("formatter") {
            settings = settings.or(options(text, formatter));
        }
        let size = rule
            .get("files")
            .and_then(|files| files.get("maxSize")?.as_u64());
        settings.max_size = size;
        let has_formatter = rule.get("formatter").is_some();
        if settings == LayoutSettings::default() && !has_formatter {
            return;
        }
        if rule.get("includes").is_none() {
            self.unknown = Some(text.unknown(rule, "an override without `includes`"));
            return;
        }
        match text.globs(rule.get("includes"), GlobSyntax::Biome) {
            Ok(files) => {
                if has_formatter && settings.formatted.is_none() {
                    self.without_enabled.push(self.overrides.len());
                }
                self.overrides.push(Override {
                    files,
                    not: Patterns::default(),
                    settings,
                });
            }
            Err(unknown) => self.unknown = Some(unknown),
        }
    }

    /// Adds the settings of the files that a file extends.
    fn extend(&mut self, text: &ConfigText<'_>, extends: Node<'_, '_>) {
        if extends.is_str("//") {
            match outer(text.path) {
                Some(path) => self.add_file(text, extends, path),
                None => {
                    self.unknown = Some(text.unknown(extends, "there is no configuration above it"))
                }
            }
            return;
        }
        for name in extends.elements() {
            let extended = name.as_str().unwrap_or_default();
            match found(text.path, &extended) {
                Some(path) => self.add_file(text, name, path),
                None => {
                    let reason = format!("`{extended}`, which it extends, is not found");
                    self.unknown = Some(text.unknown(name, reason));
                }
            }
        }
        if extends.kind() != Kind::Array {
            self.unknown = Some(text.unknown(extends, "`extends` is no list"));
        }
    }

    fn add_file(&mut self, text: &ConfigText<'_>, at: Node<'_, '_>, path: PathBuf) {
        let Some(bytes) = rules::read_file(&path, "configuration") else {
            self.unknown = Some(text.unknown(at, "it extends a file that cannot be read"));
            return;
        };
        let failed = ConfigText::read(&path, &bytes, false, |text, root| {
            self.add(text, root);
            None
        });
        if let Some(failed) = failed {
            self.unknown = failed.settings.unknown;
        }
    }

    /// Records an unknown key of a section.
    fn check_keys(&mut self, text: &ConfigText<'_>, node: Node<'_, '_>, section: &str) {
        for (key, _) in node.members() {
            let name = key.as_str().unwrap_or_default();
            let is_read = section == "files" && matches!(&*name, "includes" | "maxSize");
            if !is_other(section, &name) && !is_read {
                let reason = format!("`{name}` is not a setting of Biome 2 that jsonx knows");
                self.unknown = Some(text.unknown(key, reason));
            }
        }
    }
}

/// Adds the globs of `includes` to those of earlier files. Returns the first one that is not supported.
fn selected(
    text: &ConfigText<'_>,
    section: Node<'_, '_>,
    patterns: &mut Option<Patterns>,
) -> Option<Unknown> {
    let includes = section.get("includes")?;
    match text.globs(Some(includes), GlobSyntax::Biome) {
        Ok(globs) => patterns.get_or_insert_default().extend(globs),
        Err(unknown) => return Some(unknown),
    }
    None
}

/// The root configuration in the folders above.
fn outer(path: &Path) -> Option<PathBuf> {
    let folders = path.parent()?.ancestors().skip(1);
    let mut files = folders.filter_map(|folder| {
        let mut paths = NAMES.iter().map(|name| folder.join(name));
        paths.find(|path| path.is_file())
    });
    files.find(|path| {
        let text = rules::read_file(path, "configuration").unwrap_or_default();
        let mut is_nested = false;
        ConfigText::read(path, &text, false, |_, root| {
            is_nested = root.get("root").and_then(Node::as_bool) == Some(false);
            None
        });
        !is_nested
    })
}

/// The path of an extended file: a relative path, or a file of a package.
fn found(from: &Path, name: &str) -> Option<PathBuf> {
    let folder = from.parent()?;
    if name.starts_with('.')
        || Path::new(name).is_absolute()
        || name.ends_with(".json")
        || name.ends_with(".jsonc")
    {
        let path = folder.join(name);
        if path.is_file() {
            return Some(path);
        }
    }
    let parts = if name.starts_with('@') { 2 } else { 1 };
    let at = name.match_indices('/').nth(parts - 1).map(|(at, _)| at);
    let (package, inside) = name.split_at(at.unwrap_or(name.len()));
    let mut folders = folder.ancestors();
    let package = folders.find_map(|folder| {
        let package = folder.join("node_modules").join(package);
        package.is_dir().then_some(package)
    })?;
    let about = package.join("package.json");
    let text = rules::read_file(&about, "package").unwrap_or_default();
    let mut target = None;
    ConfigText::read(&about, &text, false, |_, root| {
        let exported = root
            .get("exports")
            .and_then(|exports| match exports.kind() {
                Kind::String if inside.is_empty() => Some(exports),
                _ => {
                    let exported = exports.get(format!(".{inside}").as_str())?;
                    Some(exported.get("default").unwrap_or(exported))
                }
            });
        let main = || root.get("main").filter(|_| inside.is_empty());
        let named = exported.or_else(main)?.as_str()?;
        target = Some(package.join(&*named));
        None
    });
    let target = target.unwrap_or_else(|| package.join(inside.trim_start_matches('/')));
    target.is_file().then_some(target)
}

/// The options for JSON of `formatter` or `json.formatter`.
fn options(text: &ConfigText<'_>, formatter: Node<'_, '_>) -> LayoutSettings {
    let mut settings = LayoutSettings::default();
    for (key, value) in formatter.members() {
        let name = key.as_str().unwrap_or_default();
        // Like a missing key.
        if value.is_null() {
            continue;
        }
        if option(&mut settings, &name, value).is_none() {
            let reason = format!(
                "`{name}` is not a setting of Biome 2 that jsonx knows, or its value is not"
            );
            settings.unknown = Some(text.unknown(key, reason));
        }
    }
    settings
}

/// Sets an option; `None` if it is unknown.
fn option(settings: &mut LayoutSettings, name: &str, value: Node<'_, '_>) -> Option<()> {
    let word = value.as_str().unwrap_or_default();
    match name {
        "enabled" => settings.formatted = Some(value.as_bool()?),
        "indentStyle" => {
            settings.tabs = Some(match &*word {
                "tab" => true,
                "space" => false,
                _ => return None,
            });
        }
        "indentWidth" | "indentSize" => settings.indent = Some(u8::try_from(value.as_u64()?).ok()?),
        "lineWidth" => settings.width = Some(width(value.as_u64()?)),
        "lineEnding" => {
            settings.line_end = Some(match &*word {
                "lf" => Eol::Lf,
                "crlf" => Eol::Crlf,
                "auto" if cfg!(windows) => Eol::Crlf,
                "auto" => Eol::Lf,
                _ => return None,
            });
        }
        "bracketSpacing" => settings.bracket_spacing = Some(value.as_bool()?),
        "delimiterSpacing" if value.as_bool() == Some(false) => {}
        "trailingNewline" => settings.final_newline = Some(value.as_bool()?),
        "expand" => {
            settings.expand = Some(match &*word {
                "auto" => Expand::Auto,
                "always" => Expand::Always,
                "never" => Expand::Never,
                _ => return None,
            });
        }
        "trailingCommas" => {
            settings.trailing_commas = Some(match &*word {
                "all" => TrailingCommas::All,
                "none" => TrailingCommas::None,
                _ => return None,
            });
        }
        // Read elsewhere.
        "includes" => {}
        _ if is_other("formatter", name) => {}
        _ => return None,
    }
    Some(())
}
