//! Ignore rules: `.jsonxignore`, `.ignore`, `.gitignore`, `.git/info/exclude` and git's global excludes file.
//!
//! The `ignore` crate matches the rules. It could also read the files, but it opens anything with the name: a FIFO blocks
//! forever, a link to `/dev/zero` takes all memory. Here, only regular files of at most [`LARGEST`] bytes are read.
//!
//! ```text
//! precedence   .jsonxignore  >  .ignore  >  .gitignore  >  .git/info/exclude  >  the global excludes file
//! within one   the deepest directory that has a matching rule decides
//! ```

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, Glob};

use crate::input::Name;
use crate::report::escape;
use crate::{messages, system};

/// Maximum length of an ignore file in bytes. Those of the largest repositories have some ten thousand.
const LARGEST: u64 = 1 << 20;

/// The rules that apply in a directory and below: its own and those of the directories around it.
pub struct Rules {
    /// Rules of the directories above the root of the walk, the topmost first.
    above: Vec<Level>,
    /// Rules of the directories from the root of the walk down to the current one.
    levels: Vec<Level>,
    global: Gitignore,
    /// The root of the walk, as given and in full.
    root: PathBuf,
    full: PathBuf,
}

/// The rules that one directory has, of each kind in the order of precedence.
struct Level([Gitignore; KINDS]);

/// Kinds of ignore files.
const KINDS: usize = 4;

impl Rules {
    /// The rules for a walk from `root`.
    pub fn new(root: &Path) -> Rules {
        let mut rules = Rules {
            above: Vec::new(),
            levels: Vec::new(),
            global: Gitignore::global().0,
            root: root.to_owned(),
            full: PathBuf::new(),
        };
        if let Ok(full) = root.canonicalize() {
            rules.above = full.ancestors().skip(1).map(Level::new).collect();
            rules.above.reverse();
            rules.full = full;
        }
        rules.levels.push(Level::new(root));
        rules
    }

    /// Enters a directory `depth` levels below the root, and leaves any directory entered before at that depth or below.
    pub fn enter(&mut self, directory: &Path, depth: usize) {
        self.levels.truncate(depth);
        self.levels.push(Level::new(directory));
    }

    /// The decision about an entry `depth` levels below the root: skip it, with the rule as text; include it even if it is
    /// hidden; or none.
    pub fn matched(&mut self, path: &Path, depth: usize, is_dir: bool) -> Match<String> {
        self.levels.truncate(depth);
        let path = path.strip_prefix("./").unwrap_or(path);
        let absolute = self
            .above
            .iter()
            .any(Level::has_rules)
            .then(|| self.absolute(path));
        let inside = |kind: usize| {
            let levels = self.levels.iter().rev();
            levels.map(move |level| level.0[kind].matched(path, is_dir).map(shown))
        };
        let above = |kind: usize| {
            let levels = absolute.iter().flat_map(|path| {
                let levels = self.above.iter().rev();
                levels.map(move |level| level.0[kind].matched(path, is_dir).map(shown))
            });
            levels.collect::<Vec<_>>()
        };
        (0..KINDS)
            .flat_map(|kind| inside(kind).chain(above(kind)))
            .find(|decision| !decision.is_none())
            .unwrap_or_else(|| self.global.matched(path, is_dir).map(shown))
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        let root = self.root.strip_prefix("./").unwrap_or(&self.root);
        self.full.join(path.strip_prefix(root).unwrap_or(path))
    }
}

impl Level {
    fn new(directory: &Path) -> Level {
        let named = |name: &str| rules(directory, &directory.join(name), false);
        Level([
            named(".jsonxignore"),
            named(".ignore"),
            named(".gitignore"),
            match git_directory(directory) {
                Some(git) => rules(directory, &git.join("info/exclude"), false),
                None => Gitignore::empty(),
            },
        ])
    }

    fn has_rules(&self) -> bool {
        self.0.iter().any(|rules| !rules.is_empty())
    }
}

/// A rule as text: the line and its file.
pub(super) fn shown(rule: &Glob) -> String {
    let line = escape(rule.original());
    match rule.from() {
        Some(file) => format!("`{line}` in {}", Name::new(file)),
        None => format!("`{line}`"),
    }
}

/// The rules in `file` for the contents of `directory`. Lines that are not globs are skipped, like git does.
pub(super) fn rules(directory: &Path, file: &Path, ignores_case: bool) -> Gitignore {
    let Some(text) = read_file(file, "ignore file") else {
        return Gitignore::empty();
    };
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
    let mut builder = GitignoreBuilder::new(directory);
    let _ = builder.case_insensitive(ignores_case);
    for line in text.split(|&byte| byte == b'\n') {
        // Git compares bytes, the crate text. The crate too stops at a line that is not UTF-8.
        let Ok(line) = std::str::from_utf8(line) else {
            break;
        };
        let line = line.strip_suffix('\r').unwrap_or(line);
        let _ = builder.add_line(Some(file.to_owned()), line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// The directory that holds `info/exclude` for the repository whose root this is: `.git`, or the directory that a file
/// of this name points to, as in a worktree.
fn git_directory(directory: &Path) -> Option<PathBuf> {
    let git = directory.join(".git");
    let kind = fs::metadata(&git).ok()?.file_type();
    if !kind.is_file() {
        return kind.is_dir().then_some(git);
    }
    let line = |path: &Path| {
        let text = read_file(path, "ignore file")?;
        let line = text.split(|&byte| byte == b'\n').next()?;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        String::from_utf8(line.to_vec()).ok()
    };
    let git = PathBuf::from(line(&git)?.strip_prefix("gitdir: ")?);
    let common = line(&git.join("commondir"))?;
    Some(if common.starts_with('.') {
        git.join(common)
    } else {
        PathBuf::from(common)
    })
}

/// The bytes of a regular file of a sane size. Warns about anything else, naming it `kind`, unless no such file exists.
pub(super) fn read_file(path: &Path, kind: &str) -> Option<Vec<u8>> {
    match read_regular(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let refusal = system::reason(&error);
            messages::line(&format!(
                "jsonx: {}: warning: {kind} not read: {refusal}",
                Name::new(path)
            ));
            None
        }
    }
}

/// The bytes of a regular file of a sane size, `None` if no such file can be reached, or if it is a directory.
///
/// # Errors
/// It cannot be read, is too large, or is not a regular file.
pub fn read_regular(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => {
            return match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied => {
                    Ok(None)
                }
                _ => Err(error),
            };
        }
    };
    if metadata.is_dir() {
        return Ok(None);
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    match read_up_to(path, LARGEST)? {
        None => Err(io::Error::other("it is larger than 1 MiB")),
        bytes => Ok(bytes),
    }
}

/// The bytes of a file; `None` if there are more than `most`. A path that was a regular file a moment ago may be a FIFO now.
fn read_up_to(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let file: File = system::open_without_waiting(path)?;
    if !file.metadata()?.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    (&file).take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}
