//! Finds the configs that apply to a file. Each folder is looked at once.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ignore::Match;
use jsonx_core::diagnose::{Diagnostic, Source, Span};
use jsonx_core::position::locate;
use jsonx_schema::Unusable;

use super::read::{self, CODE, Contents, Given, Mistakes};
use super::settings::Settings;
use super::{ConfigOptions, NAME};
use crate::files::Exceptions;
use crate::files::folders::{Folders, full};
use crate::files::rules::read_regular;
use crate::input::{BYTE_ORDER_MARK, Name};

/// A `jsonx.json`.
pub struct Config {
    /// Its path, relative to the current directory where it is below that.
    pub path: PathBuf,
    /// The folder to which globs in it are relative.
    globs: PathBuf,
    source: Arc<Source>,
    contents: Result<Contents, Unusable>,
}

/// The configs of a file, the outermost first.
type Chain = Arc<[Arc<Config>]>;

/// The configs of a run.
pub struct Configs {
    mode: Mode,
    here: PathBuf,
    folders: Folders<(Option<Arc<Config>>, bool)>,
    chains: Folders<Chain>,
}

/// Which configs there are.
enum Mode {
    None,
    /// The one that was named, read when it is first needed.
    Named(PathBuf, OnceLock<Chain>),
    Nearest,
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Configs {
    /// Reads nothing yet.
    pub fn new(options: &ConfigOptions) -> Configs {
        Configs {
            mode: match &options.config {
                _ if options.no_config => Mode::None,
                Some(named) => Mode::Named(named.clone(), OnceLock::new()),
                None => Mode::Nearest,
            },
            here: std::env::current_dir().unwrap_or_default(),
            folders: Folders::default(),
            chains: Folders::default(),
        }
    }

    /// The settings for a file, which need not exist; for standard input without a name only those of `--config`. `None` if
    /// no config applies.
    ///
    /// # Errors
    /// A config that cannot be used.
    pub fn settings(&self, path: Option<&Path>) -> Result<Option<Settings>, Arc<Config>> {
        let (chain, full) = self.chain(path);
        if chain.is_empty() {
            return Ok(None);
        }
        match chain.iter().find(|config| config.contents.is_err()) {
            Some(broken) => Err(broken.clone()),
            None => Ok(Some(Settings::new(&chain, &full))),
        }
    }

    /// Whether any config applies to the files of the current directory.
    pub fn apply_here(&self) -> bool {
        !self.chain(Some(Path::new("x.json"))).0.is_empty()
    }

    /// The configs of a file, and its full path.
    fn chain(&self, path: Option<&Path>) -> (Chain, PathBuf) {
        let full = path.and_then(full).unwrap_or_default();
        let chain = match (&self.mode, path.and(full.parent())) {
            (Mode::Named(named, chain), _) => chain.get_or_init(|| {
                let config = Config::named(named, &self.here);
                Arc::new([Arc::new(config)])
            }),
            (Mode::Nearest, Some(folder)) => {
                &self.chains.get(folder, || self.chain_of_folder(folder))
            }
            (Mode::None, _) | (Mode::Nearest, None) => return (Arc::new([]), full),
        };
        (chain.clone(), full)
    }

    fn chain_of_folder(&self, folder: &Path) -> Chain {
        let mut chain = Vec::new();
        for folder in folder.ancestors() {
            let (config, is_repository) = self.folders.get(folder, || {
                let config = Config::in_folder(folder, &self.here);
                let is_last = config.as_ref().is_some_and(|config| config.is_root());
                (
                    config,
                    !is_last && fs::symlink_metadata(folder.join(".git")).is_ok(),
                )
            });
            let is_root = config.as_ref().is_some_and(|config| config.is_root());
            chain.extend(config);
            if is_root || is_repository {
                break;
            }
        }
        chain.reverse();
        chain.into()
    }
}

/// `ignore`.
impl Exceptions for Configs {
    fn decision(&self, path: &Path, is_dir: bool) -> Match<()> {
        let (chain, full) = self.chain(Some(path));
        let decisions = chain.iter().rev().map(|config| match config.ignored() {
            Some(globs) => globs.decision(config.relative(&full), is_dir),
            None => Match::None,
        });
        let mut decisions = decisions.filter(|decision| !decision.is_none());
        decisions.next().unwrap_or(Match::None)
    }

    fn reason(&self, path: &Path) -> Option<String> {
        let settings = self.settings(Name::of(path).path()).ok()??;
        let (config, span) = settings.ignored()?;
        Some(config.place(span.start))
    }
}

impl Config {
    /// The config of a folder, if it has one.
    fn in_folder(folder: &Path, here: &Path) -> Option<Arc<Config>> {
        let path = folder.join(NAME);
        let text = read_regular(&path).transpose()?;
        let shown = path.strip_prefix(here).unwrap_or(&path).to_owned();
        Some(Arc::new(Config::of(shown, folder, text)))
    }

    /// The config that the command line names.
    fn named(path: &Path, here: &Path) -> Config {
        let text = read_regular(path).and_then(|text| match text {
            Some(text) => Ok(text),
            // There is no such file, or it is a directory: the system says which.
            None => fs::read(path),
        });
        Config::of(path.to_owned(), here, text)
    }

    fn of(path: PathBuf, globs: &Path, text: std::io::Result<Vec<u8>>) -> Config {
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
        let name = Name::of(&path).bytes().to_vec();
        let source = Arc::new(Source::new(name, text));
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

    /// Why it cannot be used.
    pub fn mistakes(&self) -> Option<&Unusable> {
        self.contents.as_ref().err()
    }

    /// What it says; nothing if it cannot be used.
    pub(super) fn contents(&self) -> Option<&Contents> {
        self.contents.as_ref().ok()
    }

    /// Whether no config above it counts. One that cannot be used hides those above.
    fn is_root(&self) -> bool {
        self.contents().is_none_or(|contents| contents.is_root)
    }

    fn ignored(&self) -> Option<&crate::files::globs::Globs<std::ops::Range<usize>>> {
        self.contents()?.ignored.as_ref()
    }

    /// A full path as the globs see it.
    pub(super) fn relative<'p>(&self, full: &'p Path) -> &'p Path {
        full.strip_prefix(&self.globs).unwrap_or(full)
    }

    /// Its name, and the line of an offset in it.
    pub fn place(&self, offset: usize) -> String {
        let line = locate(&self.source.text, offset).line;
        format!("{}:{line}", Name::of(&self.path))
    }

    /// A mistake that shows only when a value is used.
    pub fn complaint(&self, given: &Given, message: String) -> Unusable {
        let mut finding = Diagnostic::new(CODE, Span::new(given.span.start, given.span.end));
        finding.message = message;
        Unusable::Wrong {
            source: self.source.clone(),
            findings: vec![finding],
        }
    }
}
