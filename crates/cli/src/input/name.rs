//! The name of an input in messages.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::report::escape_name;

/// The name of an input. `Display` escapes control sequences of terminals and commands of CI services.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// Standard input: `-`, or no file.
    Stdin,
    /// A file, named as on the command line.
    File(PathBuf),
}

impl Name {
    /// The name for an argument of the command line.
    pub fn new(path: &Path) -> Name {
        if path.as_os_str() == "-" {
            Name::Stdin
        } else {
            Name::File(path.to_owned())
        }
    }

    /// The name of a file, relative to the current directory if it is below it.
    pub fn relative(path: &Path) -> Name {
        let working_directory = std::env::current_dir().unwrap_or_default();
        let below = path.strip_prefix(working_directory);
        Name::new(below.unwrap_or(path.strip_prefix("./").unwrap_or(path)))
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
