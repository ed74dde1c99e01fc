//! Globs of the command line: treated as lines of an ignore file in the current directory, for paths of any form.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::report::escape;

/// Globs, each with a value. The last one that matches decides.
#[derive(Clone, Debug)]
pub struct Globs<T> {
    rules: Gitignore,
    /// By the line of the glob.
    values: HashMap<String, T>,
}

impl<T> Globs<T> {
    /// Parses globs. A `#` at the start has no meaning here.
    ///
    /// # Errors
    /// A glob cannot be parsed.
    pub fn new<G: AsRef<str>>(globs: impl IntoIterator<Item = (G, T)>) -> Result<Globs<T>, String> {
        let mut builder = GitignoreBuilder::new("");
        let mut values = HashMap::new();
        let wrong = |error: ignore::Error| escape(&error.to_string());
        for (glob, value) in globs {
            let line = match glob.as_ref() {
                glob if glob.starts_with('#') => format!("\\{glob}"),
                glob => glob.to_owned(),
            };
            builder.add_line(None, &line).map_err(wrong)?;
            values.insert(line, value);
        }
        let rules = builder.build().map_err(wrong)?;
        Ok(Globs { rules, values })
    }

    /// The decision of the last glob that matches a path: to exclude it or, with `!`, to include it.
    pub fn decision(&self, path: &Path, is_dir: bool) -> Match<()> {
        self.rules.matched(below_root(path), is_dir).map(drop)
    }

    /// The same for a path or a directory above it, with the value of the glob that excludes it.
    pub fn decision_inside(&self, path: &Path, is_dir: bool) -> Match<Option<&T>> {
        let path = below_root(path);
        let found = self.rules.matched_path_or_any_parents(path, is_dir);
        found.map(|glob| self.values.get(glob.original()))
    }

    /// The value of the last glob that matches a file or a directory above it.
    pub fn find(&self, path: &Path) -> Option<&T> {
        match self.decision_inside(path, false) {
            Match::Ignore(value) => value,
            _ => None,
        }
    }
}

/// The path below the root of its file system: the crate panics on rooted paths.
fn below_root(path: &Path) -> PathBuf {
    let is_root = |part: &Component<'_>| {
        matches!(
            part,
            Component::Prefix(_) | Component::RootDir | Component::CurDir
        )
    };
    path.components().filter(|part| !is_root(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path() -> impl Strategy<Value = PathBuf> {
        let part = prop_oneof![
            "[a-z]{1,3}",
            Just("..".to_owned()),
            Just(".".to_owned()),
            Just(String::new()),
            Just("C:".to_owned()),
            Just("\\\\?\\C:\\a".to_owned()),
            Just("\\\\server\\share".to_owned()),
            Just("\u{fffd}ü".to_owned()),
            any::<String>(),
        ];
        let root = prop_oneof![Just(""), Just("/"), Just("//"), Just("./"), Just(".///")];
        (root, prop::collection::vec(part, 0..6))
            .prop_map(|(root, parts)| PathBuf::from(format!("{root}{}", parts.join("/"))))
    }

    proptest! {
        #[test]
        fn any_path_has_an_answer(path in path()) {
            let globs = Globs::new([("*.conf", 0), ("/a/**", 1), ("#x", 2), ("b/c", 3)]).unwrap();
            globs.find(&path);
            // The name decides, wherever the file is.
            let globs = Globs::new([("*.conf", ())]).unwrap();
            prop_assert!(globs.find(&path.join("x.conf")).is_some(), "{path:?}");
        }

        #[cfg(unix)]
        #[test]
        fn any_bytes_have_an_answer(bytes in prop::collection::vec(prop_oneof![Just(b'/'), Just(b'.'), 1u8..], 0..20)) {
            use std::os::unix::ffi::OsStrExt;
            let path = Path::new(std::ffi::OsStr::from_bytes(&bytes));
            let globs = Globs::new([("*.conf", 0), ("!*.b", 1), ("/a/**", 2)]).unwrap();
            globs.find(path);
            globs.find(&Path::new("/").join(path));
        }
    }

    #[test]
    fn the_last_glob_that_matches_decides() {
        let globs = ["*.json", "#a.json", "a/*.json", "!a/b.json"];
        let globs = Globs::new(globs.into_iter().zip(0..)).unwrap();
        for (path, found) in [
            ("x.json", Some(0)),
            ("//tmp/x.json", Some(0)),
            ("/tmp/#a.json", Some(1)),
            ("./a/c.json", Some(2)),
            (".//a/c.json", Some(2)),
            ("a/b.json", None),
            ("x", None),
            ("..", None),
            ("", None),
        ] {
            assert_eq!(globs.find(Path::new(path)), found.as_ref(), "{path}");
        }
    }
}
