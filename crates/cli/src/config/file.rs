//! One `jsonx.json`: its text and its settings.

use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jsonx_core::position::locate;
use jsonx_diagnose::{Diagnostic, NamedText, Span};
use jsonx_schema::{Unusable, is_below};

use super::NAME;
use super::read::{self, Block, CODE, Contents, Mistakes, SettingValue};
use crate::files::folders::stays_in_repository;
use crate::files::globs::Globs;
use crate::files::rules::read_regular;
use crate::input::{BYTE_ORDER_MARK, Name};

/// A `jsonx.json`.
pub struct Config {
    /// Its path, relative to the current directory if it is below that.
    pub path: PathBuf,
    /// The folder to which globs in it are relative.
    globs: PathBuf,
    source: Arc<NamedText>,
    contents: Result<Contents, Unusable>,
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Config {
    /// The config of a folder, if it has one.
    pub(super) fn in_folder(folder: &Path, working_directory: &Path) -> Option<Arc<Config>> {
        let path = folder.join(NAME);
        let text = read_regular(&path).transpose()?;
        let is_link = fs::symlink_metadata(&path).is_ok_and(|it| it.is_symlink());
        let text = text.and_then(|text| {
            if is_link && !stays_in_repository(&path) {
                let text = "a symbolic link out of the repository; --config FILE reads the file";
                return Err(std::io::Error::other(text));
            }
            // A link may lead to any file, such as `.git/config`, so the contents are not shown.
            let plain = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
            if is_link && let Err(Mistakes::Syntax(_)) = read::read(plain) {
                let text = "a symbolic link to a file that is not JSON";
                return Err(std::io::Error::other(text));
            }
            Ok(text)
        });
        let shown = path
            .strip_prefix(working_directory)
            .unwrap_or(&path)
            .to_owned();
        Some(Arc::new(Config::from_text(shown, folder, text)))
    }

    /// The config that the command line names.
    pub(super) fn named(path: &Path, working_directory: &Path) -> Config {
        let text = read_regular(path).and_then(|text| match text {
            Some(text) => Ok(text),
            // There is no such file, or it is a directory: the system says which.
            None => fs::read(path),
        });
        Config::from_text(path.to_owned(), working_directory, text)
    }

    fn from_text(path: PathBuf, globs: &Path, text: std::io::Result<Vec<u8>>) -> Config {
        let (text, read) = match text {
            Ok(mut text) => {
                if text.starts_with(BYTE_ORDER_MARK) {
                    text.drain(..BYTE_ORDER_MARK.len());
                }
                let read = read::read(&text);
                (text, Ok(read))
            }
            Err(error) => (Vec::new(), Err(error)),
        };
        let name = Name::new(&path).bytes().to_vec();
        let source = Arc::new(NamedText::new(name, text));
        let contents = match read {
            Ok(Ok(contents)) => Ok(contents),
            Ok(Err(Mistakes::Syntax(error))) => Err(Unusable::NotJson {
                source: source.clone(),
                error,
            }),
            Ok(Err(Mistakes::Findings(findings))) => Err(Unusable::Wrong {
                source: source.clone(),
                findings,
            }),
            Err(error) => Err(Unusable::Unreadable {
                path: path.clone(),
                error: Arc::new(error),
            }),
        };
        Config {
            path,
            globs: globs.to_owned(),
            source,
            contents,
        }
    }

    /// The folder to which paths in it are relative.
    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Whether a file is in its folder: a config may be as untrusted as the files around it.
    pub(super) fn is_above(&self, path: &Path) -> bool {
        let config = std::path::absolute(&self.path).unwrap_or_default();
        is_below(path, config.parent().map(Path::to_owned).into_iter())
    }

    /// The reason why it cannot be used.
    pub fn mistakes(&self) -> Option<&Unusable> {
        self.contents.as_ref().err()
    }

    /// Its blocks of settings.
    pub(super) fn blocks(&self) -> &[Block] {
        self.contents().map_or(&[], |contents| &contents.blocks)
    }

    /// Its contents; `None` if it cannot be used.
    fn contents(&self) -> Option<&Contents> {
        self.contents.as_ref().ok()
    }

    /// Whether no config above it counts. One that cannot be used hides those above.
    pub(super) fn is_root(&self) -> bool {
        self.contents().is_none_or(|contents| contents.is_root)
    }

    pub(super) fn ignored(&self) -> Option<&Globs<Range<usize>>> {
        self.contents()?.ignored.as_ref()
    }

    /// A full path, relative to the folder of the globs.
    pub(super) fn relative<'p>(&self, full: &'p Path) -> &'p Path {
        full.strip_prefix(&self.globs).unwrap_or(full)
    }

    /// Its name, and the line of an offset in it.
    pub fn place(&self, offset: usize) -> String {
        let line = locate(&self.source.text, offset).line;
        format!("{}:{line}", Name::new(&self.path))
    }

    /// A mistake that is only detected when a value is used.
    pub fn complaint(&self, value: &SettingValue, message: String) -> Unusable {
        let mut finding = Diagnostic::new(CODE, Span::new(value.span.start, value.span.end));
        finding.message = message;
        Unusable::Wrong {
            source: self.source.clone(),
            findings: vec![finding],
        }
    }
}
