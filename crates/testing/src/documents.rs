//! The valid documents in `tests/data/documents`, the values of texts, and generated texts.

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

/// A valid document with a length determined by `choices`, built without recursion from a stack of open containers.
pub fn valid_text(choices: &[u32]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut open: Vec<u8> = Vec::new();
    let mut fresh = true;
    for &choice in choices {
        let pick = |list: &[&str]| list[(choice >> 8) as usize % list.len()].to_owned();
        if let Some(&kind) = open.last() {
            if choice % 5 == 0 || (choice % 7 == 0 && fresh) {
                text.extend(if kind == b'{' { b"}" } else { b"]" });
                open.pop();
                fresh = false;
                if open.is_empty() {
                    break;
                }
                continue;
            }
            if !fresh {
                text.push(b',');
            }
            if choice % 3 == 0 {
                text.extend(
                    pick(&[
                        " ",
                        "\n  ",
                        "\r\n\t",
                        "                                                        ",
                    ])
                    .bytes(),
                );
            }
            if kind == b'{' {
                text.extend(
                    pick(&[
                        "\"\"",
                        "\"key\" ",
                        "\"\\\"\\\\\"",
                        "\"\u{416}\u{1F600}\"",
                        "\"\\ud83d\\ude00\"",
                    ])
                    .bytes(),
                );
                text.push(b':');
            }
        } else if !fresh {
            break;
        }
        fresh = false;
        match choice % 4 {
            0 | 1 => {
                let kind = if choice >> 16 & 1 == 0 { b'{' } else { b'[' };
                text.push(kind);
                open.push(kind);
                fresh = true;
            }
            2 => text.extend(
                pick(&[
                    "0",
                    "-0",
                    "12",
                    "-1.5e+10",
                    "1E5",
                    "0.25",
                    "true",
                    "false",
                    "null",
                    "9007199254740993",
                    "1e-7 ",
                ])
                .bytes(),
            ),
            _ => text.extend(
                pick(&[
                    "\"\"",
                    "\"text\"",
                    "\"caf\u{e9} \u{20ac} \u{1F469}\"",
                    "\"\\\\\\\\\"",
                    "\"\\u00e9\\n\\\\\"",
                    "\"{[,:]}\"",
                    "\"a long string that crosses at least one boundary of a block, whichever way it is put there\"",
                ])
                .bytes(),
            ),
        }
    }
    while let Some(kind) = open.pop() {
        text.push(if kind == b'{' { b'}' } else { b']' });
    }
    if text.is_empty() {
        text.extend(b"null");
    }
    text
}
