//! The valid documents in `tests/data/documents`, and the values of texts.

use std::path::Path;

use serde_json::Value;

use crate::inject::Document;

/// Each document, unchanged and minified.
pub fn documents() -> Vec<Document> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/documents");
    let entries = std::fs::read_dir(folder).expect("the documents");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let mut documents = Vec::new();
    for path in paths {
        let text = std::fs::read(&path).expect("a document");
        let document = Document::new(path.display().to_string(), text);
        documents.push(document.minified());
        documents.push(document);
    }
    documents
}

/// The value of a text, with numbers as doubles: `5.` is 5.
pub fn value(text: &[u8]) -> Option<Value> {
    let mut value = serde_json::from_slice(text).ok()?;
    let mut open = vec![&mut value];
    while let Some(value) = open.pop() {
        match value {
            Value::Number(number) => *value = number.as_f64().into(),
            Value::Array(elements) => open.extend(elements),
            Value::Object(members) => open.extend(members.values_mut()),
            _ => {}
        }
    }
    Some(value)
}
