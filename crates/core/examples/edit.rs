//! Changes the settings of an editor, and keeps every other byte of the file: comments, white space, the order of keys.
//!
//!     cargo run -p jsonx-core --example edit -- FILE

use std::error::Error;
use std::{env, fs};

use jsonx_core::edit::SetOptions;
use jsonx_core::engine::Options;
use jsonx_core::jsonc::Dialect;
use jsonx_core::{Document, Path};

/// The settings with another font size, and the tab size of a language.
fn edited(text: &[u8], language: &str, tab_size: u8) -> Result<Vec<u8>, jsonx_core::Error> {
    let document = Document::parse_with(text, Options::default().dialect(Dialect::Jsonc))?;
    let size = document.find(r#".["editor.fontSize"]"#)?.read::<u8>()?;
    let mut editor = document.edit();
    editor.set_value(r#".["editor.fontSize"]"#, &(size + 2))?;
    // Any text is safe as a key.
    let path = Path::root()
        .key(&format!("[{language}]"))
        .key("editor.tabSize");
    editor.set_value_with(path, &tab_size, SetOptions::default().parents(true))?;
    Ok(editor.finish())
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).unwrap_or("settings.json".to_owned());
    fs::write(&path, edited(&fs::read(&path)?, "rust", 4)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_kept() {
        let text = "{\n    // Large.\n    \"editor.fontSize\": 14, // px\n    \"a\": [ 1.0 ]\n}\n";
        let expected = text.replace("14", "16").replace(
            "1.0 ]",
            "1.0 ],\n    \"[rust]\": {\n        \"editor.tabSize\": 4\n    }",
        );
        assert_eq!(
            String::from_utf8(edited(text.as_bytes(), "rust", 4).unwrap()).unwrap(),
            expected
        );
    }
}
