//! Any bytes are a path that survives a round trip, or an error that lies inside the text and suggests only
//! valid paths.

#![no_main]

use jsonx_core::path::{Path, PathError};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    match Path::parse(text) {
        Ok(path) => reads_back(&path),
        Err(error) => explains(text, &error),
    }
});

fn reads_back(path: &Path) {
    let written = path.to_string();
    let again = Path::parse(&written);
    assert_eq!(again.as_ref(), Ok(path), "written {written:?}");
    for steps in 0..=path.segments().len() {
        let first = path.first(steps).to_string();
        assert!(Path::parse(&first).is_ok(), "the beginning {first:?}");
    }
    for warning in path.warnings() {
        assert!(!warning.chars().any(char::is_control), "{warning:?}");
    }
}

fn explains(text: &[u8], error: &PathError) {
    assert!(error.offset <= text.len(), "{error:?}");
    if let Ok(text) = std::str::from_utf8(text) {
        assert!(text.is_char_boundary(error.offset), "{error:?}");
    }
    assert!(!error.message.chars().any(char::is_control), "{error:?}");
    if let Some(suggestion) = &error.suggestion {
        assert!(Path::parse(suggestion).is_ok(), "{error:?}");
    }
}
