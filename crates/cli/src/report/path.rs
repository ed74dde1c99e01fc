//! File names relative to the root of the repository, as services expect them.

use super::escape;

/// The repository that the program runs in, for formats whose paths are relative to its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    /// The absolute path of the root; empty if unknown.
    pub root: Vec<u8>,
    /// The working directory relative to the root; empty at the root, or if the root is unknown.
    pub directory: Vec<u8>,
}

impl Repository {
    /// The repository at `root`; if the working directory is outside it, names are left unchanged.
    pub fn new(root: &[u8], working: &[u8]) -> Repository {
        match below(working, root) {
            Some(directory) => Repository {
                root: root.to_vec(),
                directory: directory.to_vec(),
            },
            None => Repository::default(),
        }
    }

    /// The path of a file relative to the root, with `.` and `..` resolved where possible; an absolute path outside the
    /// repository is left unchanged.
    pub(super) fn path(&self, name: &[u8]) -> Vec<u8> {
        let name: Vec<u8> = match cfg!(windows) {
            true => name
                .iter()
                .map(|&b| if b == b'\\' { b'/' } else { b })
                .collect(),
            false => name.to_vec(),
        };
        if name.starts_with(b"/") {
            let known = !self.root.is_empty();
            return match below(&name, &self.root).filter(|_| known) {
                Some(path) => path.to_vec(),
                None => name,
            };
        }
        let whole = [&self.directory[..], b"/", &name].concat();
        let mut steps: Vec<&[u8]> = Vec::new();
        for step in whole.split(|&byte| byte == b'/') {
            match step {
                b"" | b"." => {}
                b".." if steps.last().is_some_and(|last| *last != b"..") => {
                    steps.pop();
                }
                step => steps.push(step),
            }
        }
        steps.join(&b'/')
    }

    /// The path, escaped so that it is safe to show.
    pub(super) fn shown(&self, name: &[u8]) -> String {
        escape::escape(&self.path(name))
    }

    /// The path as a URI reference (RFC 3986), percent-encoded so that no byte is lost: relative, or an absolute
    /// `file:` URI.
    pub(super) fn uri(&self, name: &[u8]) -> String {
        let path = self.path(name);
        let mut out = match path.first() {
            Some(b'/') => String::from("file://"),
            _ => String::new(),
        };
        for &byte in &path {
            match byte {
                b'/' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
                _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
        out
    }
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
    fn names_are_from_the_root_of_the_repository() {
        let nowhere = Repository::default();
        let at_root = Repository::new(b"/srv/tree/", b"/srv/tree");
        let inside = Repository::new(b"/srv/tree", b"/srv/tree/sub/dir");
        let elsewhere = Repository::new(b"/srv/tree", b"/srv/trees");
        assert_eq!(elsewhere, nowhere);
        for (repository, name, path) in [
            (&nowhere, "./a.json", "a.json"),
            (&nowhere, "/srv/tree/a.json", "/srv/tree/a.json"),
            (&nowhere, "../../a.json", "../../a.json"),
            (&at_root, "b//./c/../a.json", "b/a.json"),
            (&at_root, "/srv/tree/b/a.json", "b/a.json"),
            (&inside, "a.json", "sub/dir/a.json"),
            (&inside, "../a.json", "sub/a.json"),
            (&inside, "/srv/tree/a.json", "a.json"),
            (&inside, "/srv/treetop/a.json", "/srv/treetop/a.json"),
        ] {
            assert_eq!(repository.path(name.as_bytes()), path.as_bytes(), "{name}");
        }
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
