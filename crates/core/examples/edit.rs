//! Changes values of a text, and keeps every other byte of it.
//!
//!     cargo run -p jsonx-core --features serde --example edit

use std::error::Error;

use jsonx_core::{Document, to_vec};

const PACKAGE: &str = r#"{
    "name": "demo",
    "version": "1.0.0",
    "keywords": [ "json" ],
    "private": true
}
"#;

/// The next version of a package, with one more keyword.
fn release(text: &[u8], version: &str, keyword: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let document = Document::parse(text)?;
    let mut editor = document.edit();
    editor.set(".version", to_vec(version)?)?;
    editor.append(".keywords", to_vec(keyword)?)?;
    if document.find(".private").is_ok() {
        editor.delete(".private")?;
    }
    Ok(editor.finish())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let edited = String::from_utf8(release(PACKAGE.as_bytes(), "1.1.0", "édition")?)?;
    let expected = PACKAGE
        .replace("1.0.0", "1.1.0")
        .replace("[ \"json\" ]", "[ \"json\", \"édition\" ]")
        .replace(",\n    \"private\": true", "");
    assert_eq!(edited, expected);
    print!("{edited}");
    Ok(())
}
