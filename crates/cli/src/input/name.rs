//! The name of an input in messages.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fmt, fs};

use crate::report::escape_name;

/// The name of an input. `Display` escapes control sequences of terminals and commands of CI services.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// Standard input: `-`, or no file.
    Stdin,
    /// A file, by its shortest path from the working directory.
    File(PathBuf),
}

impl Name {
    /// The name of a file, however an argument, a setting or a reference spells it; standard input for `-`.
    pub fn new(path: &Path) -> Name {
        if path.as_os_str() == "-" {
            Name::Stdin
        } else {
            Name::File(shortest(path).unwrap_or_else(|| path.to_owned()))
        }
    }

    /// Whether this is standard input.
    pub fn is_stdin(&self) -> bool {
        *self == Name::Stdin
    }

    /// The path of a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Name::Stdin => None,
            Name::File(path) => Some(path),
        }
    }
}

impl Name {
    /// Its unescaped bytes, for the reporters, which escape them.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Name::Stdin => b"<stdin>",
            Name::File(path) => path.as_os_str().as_encoded_bytes(),
        }
    }
}

impl Name {
    /// Its bytes as an argument for another program, prefixed with `./` if they would begin a command in the log of a CI
    /// service.
    pub fn as_argument(&self) -> Cow<'_, [u8]> {
        let bytes = self.bytes();
        if bytes.trim_ascii_start().starts_with(b"::") {
            Cow::Owned([b"./", bytes].concat())
        } else {
            Cow::Borrowed(bytes)
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape_name(self.bytes()))
    }
}

/// The shortest path of a file from the working directory; `None` for a path that is short already, for a URL, and if `..` follows a
/// directory that does not exist.
fn shortest(path: &Path) -> Option<PathBuf> {
    let bytes = path.as_os_str().as_encoded_bytes();
    let is_short = !path.is_absolute()
        && bytes
            .split(|&byte| byte == b'/' || cfg!(windows) && byte == b'\\')
            .all(|step| !matches!(step, b"" | b"." | b".."));
    if is_short || bytes.windows(3).any(|three| three == b"://") {
        return None;
    }
    let (here, logical) = &*WORKING_DIRECTORIES;
    let known = if path.is_absolute() {
        0
    } else {
        here.components().count()
    };
    let (file, crosses) = without_dots(&here.join(path), known);
    // After a symbolic link, `..` is not the directory that the link is in.
    let file = if crosses {
        let folder = fs::canonicalize(path.parent()?).ok()?;
        match fs::canonicalize(file.parent()?) {
            Ok(same) if same == folder => file,
            _ => folder.join(path.file_name()?),
        }
    } else {
        file
    };
    let file = match logical.as_ref().and_then(|it| file.strip_prefix(it).ok()) {
        Some(below) => here.join(below),
        None => file,
    };
    let both = here.components().zip(file.components());
    let common = both.take_while(|(one, other)| one == other).count();
    let up = here.components().skip(common).map(|_| Component::ParentDir);
    let near: PathBuf = up.chain(file.components().skip(common)).collect();
    if common == 0 || near.as_os_str().len() >= file.as_os_str().len() {
        return Some(file);
    }
    // A name that begins with a minus sign would be read as an option.
    let is_plain = !near.as_os_str().as_encoded_bytes().starts_with(b"-");
    Some(match near.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false if is_plain => near,
        false => Path::new(".").join(near),
    })
}

/// The working directory: as the system names it, and as the shell does if the two differ.
static WORKING_DIRECTORIES: LazyLock<(PathBuf, Option<PathBuf>)> = LazyLock::new(|| {
    let here = env::current_dir().unwrap_or_default();
    let logical = env::var_os("PWD").map(PathBuf::from);
    let logical = logical.filter(|it| {
        it.is_absolute() && *it != here && fs::canonicalize(it).is_ok_and(|it| it == here)
    });
    (here, logical)
});

/// An absolute path without `.` and `..`, and whether a `..` follows a step after the first `known`, which are no links.
fn without_dots(path: &Path, mut known: usize) -> (PathBuf, bool) {
    let mut steps: Vec<Component<'_>> = Vec::new();
    let mut crosses = false;
    for step in path.components() {
        match (step, steps.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                crosses |= steps.len() > known;
                steps.pop();
                known = known.min(steps.len());
            }
            (Component::ParentDir, _) => {}
            (step, _) => steps.push(step),
        }
    }
    (steps.into_iter().collect(), crosses)
}
