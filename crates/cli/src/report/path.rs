//! File names relative to the root of the repository, as services expect them.

use super::escape;

/// The repository of the files, for formats whose paths are relative to its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    /// The absolute path of the root; empty if unknown.
    root: Vec<u8>,
    /// The absolute path of the working directory, to which names are relative.
    working: Vec<u8>,
}

impl Repository {
    /// The repository at `root`, for a program that runs in the directory `working`.
    pub fn new(root: &[u8], working: &[u8]) -> Repository {
        Repository::from_paths(root, working, cfg!(windows))
    }

    fn from_paths(root: &[u8], working: &[u8], is_windows: bool) -> Repository {
        Repository {
            root: slashes(root, is_windows),
            working: slashes(working, is_windows),
        }
    }

    /// The path of a file relative to the root, with `.` and `..` resolved where possible. Outside of the repository, an absolute
    /// path is left unchanged, and another stays relative to the working directory.
    pub(super) fn path(&self, name: &[u8]) -> Vec<u8> {
        self.path_on(name, cfg!(windows))
    }

    fn path_on(&self, name: &[u8], is_windows: bool) -> Vec<u8> {
        let name = slashes(name, is_windows);
        let is_absolute = name.starts_with(b"/") || is_windows && has_drive(&name);
        let whole = match is_absolute {
            true => resolved(&name),
            false => resolved(&[&self.working, &b"/"[..], &name].concat()),
        };
        match below(&whole, &self.root).filter(|_| !self.root.is_empty()) {
            Some(path) => path.to_vec(),
            None if is_absolute => name,
            None => resolved(&name),
        }
    }

    /// The path, escaped so that it is safe to show.
    pub(super) fn shown(&self, name: &[u8]) -> String {
        escape::escape(&self.path(name))
    }

    /// The path as a URI reference (RFC 3986), percent-encoded so that no byte is lost: relative, or an absolute
    /// `file:` URI.
    pub(super) fn uri(&self, name: &[u8]) -> String {
        self.uri_on(name, cfg!(windows))
    }

    fn uri_on(&self, name: &[u8], is_windows: bool) -> String {
        let path = self.path_on(name, is_windows);
        let (mut out, path) = match &path[..] {
            // The server is the authority of the URI.
            [b'/', b'/', ..] if is_windows => (String::from("file:"), &path[..]),
            [b'/', ..] => (String::from("file://"), &path[..]),
            [drive, b':', rest @ ..] if is_windows && has_drive(&path) => {
                (format!("file:///{}:", char::from(*drive)), rest)
            }
            _ => (String::new(), &path[..]),
        };
        out += &jsonx_schema::encoded(path);
        out
    }
}

/// A path with `/` as separator. On Windows, the prefix `\\?\` of paths returned by the system is removed.
fn slashes(path: &[u8], is_windows: bool) -> Vec<u8> {
    if !is_windows {
        return path.to_vec();
    }
    let slash = |&byte: &u8| if byte == b'\\' { b'/' } else { byte };
    let path: Vec<u8> = path.iter().map(slash).collect();
    match path.strip_prefix(b"//?/") {
        Some([b'U', b'N', b'C', b'/', share @ ..]) => [b"//", share].concat(),
        Some(rest) if has_drive(rest) => rest.to_vec(),
        _ => path,
    }
}

/// A path without `.`, and without `..` where a step precedes it.
fn resolved(path: &[u8]) -> Vec<u8> {
    let start = path.iter().take_while(|&&byte| byte == b'/').count();
    let mut steps: Vec<&[u8]> = Vec::new();
    for step in path.split(|&byte| byte == b'/') {
        match step {
            b"" | b"." => {}
            b".." if steps.last().is_some_and(|last| *last != b"..") => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    [&path[..start], &steps.join(&b'/')].concat()
}

/// Whether a path begins with a Windows drive and its root.
fn has_drive(path: &[u8]) -> bool {
    matches!(path, [drive, b':', b'/', ..] if drive.is_ascii_alphabetic())
}

/// `path` relative to the directory `root`, if it is inside it.
fn below<'a>(path: &'a [u8], root: &[u8]) -> Option<&'a [u8]> {
    let root = root.strip_suffix(b"/").unwrap_or(root);
    match path.strip_prefix(root)? {
        [] => Some(b""),
        [b'/', rest @ ..] => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_the_root_of_the_repository() {
        let nowhere = Repository::default();
        let at_root = Repository::new(b"/srv/tree/", b"/srv/tree");
        let inside = Repository::new(b"/srv/tree", b"/srv/tree/sub/dir");
        let elsewhere = Repository::new(b"/srv/tree", b"/srv/trees");
        for (repository, name, path) in [
            (&nowhere, "./a.json", "a.json"),
            (&nowhere, "/srv/tree/a.json", "/srv/tree/a.json"),
            (&nowhere, "../../a.json", "../../a.json"),
            (&at_root, "b//./c/../a.json", "b/a.json"),
            (&at_root, "/srv/tree/b/a.json", "b/a.json"),
            (&inside, "a.json", "sub/dir/a.json"),
            (&inside, "../a.json", "sub/a.json"),
            (&inside, "/srv/tree/b/../a.json", "a.json"),
            (&elsewhere, "a.json", "a.json"),
            (&elsewhere, "./b/../../a.json", "../a.json"),
            (&elsewhere, "../tree/b/a.json", "b/a.json"),
            (&inside, "/srv/tree/a.json", "a.json"),
            (&inside, "/srv/treetop/a.json", "/srv/treetop/a.json"),
        ] {
            assert_eq!(repository.path(name.as_bytes()), path.as_bytes(), "{name}");
        }
    }

    #[test]
    fn paths_of_windows_are_relative_too() {
        let of = |root: &str, working: &str| {
            Repository::from_paths(root.as_bytes(), working.as_bytes(), true)
        };
        // The forms returned by `canonicalize` and by `current_dir`.
        let drive = of(r"\\?\C:\tree", r"C:\tree\sub");
        let share = of(r"\\?\UNC\server\share\tree", r"\\server\share\tree");
        for (repository, name, path, uri) in [
            (&drive, r"a\b.json", "sub/a/b.json", "sub/a/b.json"),
            (&drive, r"..\b.json", "b.json", "b.json"),
            (&drive, r"C:\tree\b.json", "b.json", "b.json"),
            (&drive, r"\\?\C:\tree\b.json", "b.json", "b.json"),
            (
                &drive,
                "C:/other/b.json",
                "C:/other/b.json",
                "file:///C:/other/b.json",
            ),
            (&drive, r"D:\b.json", "D:/b.json", "file:///D:/b.json"),
            (&share, r"b.json", "b.json", "b.json"),
            (&share, r"\\server\share\tree\b.json", "b.json", "b.json"),
            (
                &share,
                r"\\other\b.json",
                "//other/b.json",
                "file://other/b.json",
            ),
        ] {
            let shown = repository.path_on(name.as_bytes(), true);
            assert_eq!(String::from_utf8(shown).unwrap(), path, "{name}");
            assert_eq!(repository.uri_on(name.as_bytes(), true), uri, "{name}");
        }
        // On other systems these are ordinary names.
        let here = Repository::default();
        assert_eq!(here.path_on(br"C:\a.json", false), br"C:\a.json");
        assert_eq!(here.path_on(b"C:/a.json", false), b"C:/a.json");
    }

    #[test]
    fn a_reference_keeps_every_byte() {
        let here = Repository::default();
        assert_eq!(
            here.uri(b"a b/\xff:%?#\n.json"),
            "a%20b/%FF%3A%25%3F%23%0A.json"
        );
        assert_eq!(here.uri("é.json".as_bytes()), "%C3%A9.json");
        assert_eq!(here.uri(b"/tmp/a.json"), "file:///tmp/a.json");
    }
}
