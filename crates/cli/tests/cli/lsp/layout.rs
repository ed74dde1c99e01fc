//! Formatting and the commands that change whole documents.

use std::fs;

use serde_json::json;

use super::client::{Client, applied, range, uri};
use super::editor;
use crate::jsonx;

#[test]
fn formatting_is_that_of_fmt() {
    let folder = tempfile::tempdir().unwrap();
    let config = r#"{"overrides": [{"files": ["four.json"], "indent": 4, "eol": "crlf"}]}"#;
    fs::write(folder.path().join("jsonx.json"), config).unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    for (name, text) in [
        ("a.json", "{\"a\":[1, 2 ,\n{}],\"é😀\":\"x y\"}"),
        ("tabs.json", "{\n\t\"a\":[1,2]}"),
        ("four.json", "[1,[]]"),
        ("a.jsonc", "// é\n[1, /* x */2,]"),
        ("a.json5", "{a:1,\n 'b': .5,}"),
        ("a.jsonl", "{ \"a\": 1 }\n[1 ,2]\n"),
        ("done.json", "[\n  1\n]\n"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        client.open(&path, "json", text);
        let edits = client.about(&path, "formatting", json!({"options": {"tabSize": 8}}));
        let formatted = jsonx(&[])
            .current_dir(folder.path())
            .arg("fmt")
            .arg(name)
            .output()
            .unwrap();
        assert_eq!(
            applied(text, &edits),
            String::from_utf8(formatted.stdout).unwrap(),
            "{name}"
        );
    }
    let path = folder.path().join("a.json");
    let text = "[1,\n[2,3],\n[4,5]]\n";
    client.change(&path, 2, json!([{"text": text}]));
    let edits = client.about(
        &path,
        "rangeFormatting",
        json!({"range": range((1, 0), (1, 6))}),
    );
    assert_eq!(
        applied(text, &edits),
        "[1,\n[\n    2,\n    3\n  ],\n[4,5]]\n"
    );
    client.change(&path, 3, json!([{"text": "[1"}]));
    let document = json!({"textDocument": {"uri": uri(&path)}});
    let error = client
        .answer("textDocument/formatting", document)
        .unwrap_err();
    assert_eq!(error["code"], -32803);
}
