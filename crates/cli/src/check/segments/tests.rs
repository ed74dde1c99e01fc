//! Shared helpers for the tests of segments.

use tempfile::NamedTempFile;

/// Members and elements that are easily misread: structure in strings, escapes before quotes, a comma at the end.
pub const RECORD: &str = r#"{"id": 1, "text": "a, \\\", [\"b\"]: c", "at": [[1, -2.5e3], []]}, "#;

/// A file with this text.
pub fn file_of(text: &str) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

/// The length of the byte-order mark of a text, and the rest.
pub fn bare(text: &str) -> (u64, &str) {
    match text.strip_prefix('\u{FEFF}') {
        Some(bare) => (3, bare),
        None => (0, text),
    }
}
