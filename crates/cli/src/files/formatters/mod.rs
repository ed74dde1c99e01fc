//! The configuration files of Prettier and Biome: the layout of the files of a repository, or the reason why it is unknown. Biome formats
//! its repositories itself.
//!
//! ```text
//! a/b/data.json    a/b/.prettierrc, … ─► a/.prettierrc, … ─► … up to the root of the repository; the nearest counts
//!
//! yaml.rs ─► config.rs      a file as JSON, its globs, and the place of what is not understood
//! prettier.rs     the settings in it
//! biome.rs        whether it formats JSON
//! ignored.rs                .prettierignore
//! ```
//!
//! Programs and packages are not run, and options of later versions are not guessed: the layout of their files is unknown.

mod biome;
mod config;
pub mod ignored;
mod patterns;
mod prettier;
#[cfg(test)]
mod tests;
mod yaml;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::config::{Config, ConfigText};
use super::folders::{Folders, full, stays_in_repository};
use super::layout::{LayoutSettings, LayoutStyle, Unknown};
use super::{LINES, is_selected, rules};
use crate::input::Name;

/// Names and formats of the files of Prettier; the first that exists in a directory counts.
const NAMES: [(&str, Read); 20] = [
    ("package.json", Read::Json),
    ("package.yaml", Read::Yaml),
    (".prettierrc", Read::Yaml),
    (".prettierrc.json", Read::Json),
    (".prettierrc.yaml", Read::Yaml),
    (".prettierrc.yml", Read::Yaml),
    (".prettierrc.json5", Read::Json5),
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
];

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    Json,
    Json5,
    Yaml,
    Program,
    Toml,
}

/// Looks up the files; each is read once.
#[derive(Debug, Default)]
pub struct Formatters {
    folders: Folders<Folder>,
}

/// The configuration files of a folder.
#[derive(Clone, Debug)]
struct Folder {
    prettier: Option<Arc<Config>>,
    /// The file of Biome, and whether it formats JSON.
    biome: Option<(PathBuf, bool)>,
    /// It is the root of a repository.
    is_root: bool,
}

impl Formatters {
    /// The settings for `path`; none if no file of a formatter applies. The file need not exist.
    pub fn settings(&self, path: &Path) -> LayoutSettings {
        let Some(path) = full(path) else {
            return LayoutSettings::default();
        };
        let (mut prettier, mut biome) = (None, None);
        for directory in path.ancestors().skip(1) {
            let found = self.folders.get(directory, || Folder::read(directory));
            biome = biome.or(found.biome);
            if prettier.is_none() {
                prettier = found.prettier.map(|config| config.settings(&path));
            }
            if found.is_root {
                break;
            }
        }
        if let Some((file, true)) = biome {
            let reason =
                "Biome formats these files, so they are left alone; --no-config formats them";
            return LayoutSettings {
                unknown: Some(Unknown {
                    place: Name::new(&file).to_string(),
                    reason: reason.to_owned(),
                    is_of_biome: true,
                }),
                ..LayoutSettings::default()
            };
        }
        let mut settings = prettier.unwrap_or_default();
        if settings.style == Some(LayoutStyle::Prettier) && !is_taken(&settings, &path) {
            settings.formatted = Some(false);
        }
        settings
    }
}

impl Folder {
    fn read(directory: &Path) -> Folder {
        let found = |(name, how): (&str, Read)| {
            let path = directory.join(name);
            path.is_file().then(|| read(&path, how))?
        };
        let prettier = NAMES.into_iter().find_map(found);
        let mut biome = biome::NAMES.iter().map(|name| directory.join(name));
        Folder {
            prettier: prettier.map(Arc::new),
            biome: biome.find(|path| path.is_file()).map(|path| {
                let formats = biome::formats(&path);
                (path, formats)
            }),
            is_root: directory.join(".git").exists(),
        }
    }
}

/// Whether Prettier with these settings takes a file with this name, as of 3.10. Hooks and editors run it too, and what it leaves alone
/// has another layout than it would give.
fn is_taken(settings: &LayoutSettings, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let is_lines = LINES
        .iter()
        .any(|end| path.extension() == Some(OsStr::new(end)));
    let is_lock = ends(&[".lock", "Package.resolved"]);
    let is_other = ends(&[".avpr", ".bowerrc", ".code-profile", ".ipynb", ".jsonld"]);
    // YAML to it, in which `1.50` stays.
    if matches!(&*name, ".eslintrc" | ".releaserc") && settings.parser.is_none() {
        return false;
    }
    // Files with other names are named by the user.
    !is_selected(path) || settings.parser.is_some() || !(is_lines || is_lock || is_other)
}

/// Reads a file; `None` if it says nothing about the layout.
fn read(path: &Path, how: Read) -> Option<Config> {
    let unread = match how {
        Read::Program => Some("it is a program, which jsonx does not run"),
        Read::Toml => Some("it is TOML"),
        // Its text is in messages.
        _ if path.is_symlink() && !stays_in_repository(path) => {
            Some("it is a symbolic link out of the repository")
        }
        _ => None,
    };
    let text = match unread {
        None => rules::read_file(path, "configuration"),
        Some(_) => None,
    };
    let mut config = match text {
        None => Config::unknown(path, None, unread.unwrap_or("it cannot be read")),
        Some(text) => read_text(path, how, &text)?,
    };
    config.directory = path.parent()?.to_owned();
    config.settings.style.get_or_insert(LayoutStyle::Prettier);
    config.settings.sources.push(path.to_owned());
    Some(config)
}

fn read_text(path: &Path, how: Read, text: &[u8]) -> Option<Config> {
    let is_package = path.file_stem() == Some(OsStr::new("package"));
    // Most packages have no such key.
    if is_package {
        memchr::memmem::find(text, b"prettier")?;
    }
    ConfigText::read(path, text, how, |text, root| match is_package {
        true => Some(prettier::config(text, root.get("prettier")?)),
        false => Some(prettier::config(text, root)),
    })
}
