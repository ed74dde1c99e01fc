//! URIs of files.

use std::path::{Path, PathBuf};

use jsonx_schema::{decoded_bytes, encoded};

use crate::files::folders::full;

/// The path of a `file:` URI.
pub fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // After the host, which is empty or `localhost`.
    let path = &rest[rest.find('/')?..];
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let text = decoded(path)?;
    if text.contains('\0') {
        return None;
    }
    // `/c:/` of Windows.
    let is_drive = cfg!(windows) && text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { &text[1..] } else { &text }))
}

/// Decodes percent-encoding; `None` if the result is not UTF-8.
pub fn decoded(text: &str) -> Option<String> {
    String::from_utf8(decoded_bytes(text)).ok()
}

/// The URI of a file.
pub fn of_path(path: &Path) -> String {
    let path = full(path).unwrap_or_else(|| path.to_owned());
    let mut uri = "file://".to_owned();
    let text = path.to_string_lossy().replace('\\', "/");
    if !text.starts_with('/') {
        uri.push('/');
    }
    uri + &encoded(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn there_and_back() {
        for path in ["/a/b.json", "/a b/é%20#?.json", "/"] {
            assert_eq!(
                to_path(&of_path(Path::new(path))).as_deref(),
                Some(Path::new(path))
            );
        }
        assert_eq!(of_path(Path::new("/a/../b/./c")), "file:///b/c");
        assert_eq!(to_path("untitled:Untitled-1"), None);
        assert_eq!(to_path("file://"), None);
        assert_eq!(to_path("file:///a%00"), None);
        assert_eq!(to_path("file:///a%4"), Some("/a%4".into()));
    }
}
