//! Finds the configs that apply to a file. Each folder is read once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ignore::Match;

use super::ConfigOptions;
use super::file::Config;
use super::settings::{Settings, ignored};
use crate::files::Exceptions;
use crate::files::folders::{Folders, full};
use crate::input::Name;

/// The configs of a file, the outermost first.
type Chain = Arc<[Arc<Config>]>;

/// The configs of a run.
pub struct Configs {
    search: Search,
    working_directory: PathBuf,
    folders: Folders<(Option<Arc<Config>>, bool)>,
    chains: Folders<Chain>,
}

/// The configs that apply.
enum Search {
    None,
    /// The config given by `--config`, read at its first use.
    Named(PathBuf, OnceLock<Chain>),
    Nearest,
}

impl Configs {
    /// Reads nothing yet.
    pub fn new(options: &ConfigOptions) -> Configs {
        Configs {
            search: match &options.config {
                _ if options.no_config => Search::None,
                Some(named) => Search::Named(named.clone(), OnceLock::new()),
                None => Search::Nearest,
            },
            working_directory: std::env::current_dir().unwrap_or_default(),
            folders: Folders::default(),
            chains: Folders::default(),
        }
    }

    /// The settings for a file, which need not exist; for standard input without a name, only those of `--config`. `None`
    /// if no config applies.
    ///
    /// # Errors
    /// A config that cannot be used.
    pub fn settings(&self, path: Option<&Path>) -> Result<Option<Settings>, Arc<Config>> {
        let (chain, full) = self.chain(path);
        if chain.is_empty() {
            return Ok(None);
        }
        match chain.iter().find(|config| config.mistakes().is_some()) {
            Some(broken) => Err(broken.clone()),
            None => Ok(Some(Settings::new(chain, full))),
        }
    }

    /// Whether configs are read: without `--no-config`.
    pub fn are_read(&self) -> bool {
        !matches!(self.search, Search::None)
    }

    /// Whether any config applies to the files of the current directory.
    pub fn apply_here(&self) -> bool {
        !self.chain(Some(Path::new("x.json"))).0.is_empty()
    }

    /// The configs of a file, and its full path.
    fn chain(&self, path: Option<&Path>) -> (Chain, PathBuf) {
        if matches!(self.search, Search::None) {
            return (Arc::new([]), PathBuf::new());
        }
        // An absolute path takes no system call.
        let full = path.and_then(|path| full(&self.working_directory.join(path)));
        let full = full.unwrap_or_default();
        let chain = match (&self.search, path.and(full.parent())) {
            (Search::Named(named, chain), _) => chain.get_or_init(|| {
                let config = Config::named(named, &self.working_directory);
                Arc::new([Arc::new(config)])
            }),
            (Search::Nearest, Some(folder)) => {
                &self.chains.get(folder, || self.chain_of_folder(folder))
            }
            (Search::None, _) | (Search::Nearest, None) => return (Arc::new([]), full),
        };
        (chain.clone(), full)
    }

    fn chain_of_folder(&self, folder: &Path) -> Chain {
        let mut chain = Vec::new();
        for folder in folder.ancestors() {
            let (config, is_repository) = self.folders.get(folder, || {
                let config = Config::in_folder(folder, &self.working_directory);
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

    fn reason(&self, path: &Path, is_dir: bool) -> Option<String> {
        let (chain, full) = self.chain(Name::new(path).path());
        let (config, span) = ignored(&chain, &full, is_dir)?;
        Some(config.place(span.start))
    }
}
