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
        "[1,\n  [\n    2,\n    3\n  ],\n[4,5]]\n"
    );
    client.change(&path, 3, json!([{"text": "[1"}]));
    let document = json!({"textDocument": {"uri": uri(&path)}});
    let error = client
        .answer("textDocument/formatting", document)
        .unwrap_err();
    assert_eq!(error["code"], -32803);
}

#[test]
fn a_text_keeps_one_indentation() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("jsonx.json"),
        r#"{"overrides": [{"files": ["three.json"], "indent": 3}]}"#,
    )
    .unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let all = range((0, 0), (9, 0));
    let second = range((1, 3), (2, 0));
    let spaces = |size: i32| json!({"tabSize": size, "insertSpaces": true});
    let tabs = json!({"tabSize": 4, "insertSpaces": false});
    for (name, text, selected, options, expected) in [
        // The editor decides only if nothing else does.
        ("a.json", "[1]", &all, spaces(4), "[\n    1\n]\n"),
        ("b.json", "[1]", &all, tabs.clone(), "[\n\t1\n]\n"),
        ("c.json", "[1]", &all, spaces(0), "[\n  1\n]\n"),
        ("d.json", "[1]", &all, json!({}), "[\n  1\n]\n"),
        ("e.json", "[\n 1,2]", &all, spaces(4), "[\n 1,\n 2\n]\n"),
        ("three.json", "[1]", &all, spaces(4), "[\n   1\n]\n"),
        ("f.jsonl", "[ 1 ]\n[2]\n", &all, spaces(4), "[1]\n[2]\n"),
        // A range has the indentation of the other lines, and its first line too.
        (
            "g.json",
            "[\n  [1,2],\n    3\n]\n",
            &second,
            spaces(2),
            "[\n    [\n        1,\n        2\n    ],\n    3\n]\n",
        ),
        (
            "h.json",
            "[\n  [1],\n\t2\n]\n",
            &second,
            spaces(2),
            "[\n\t[\n\t\t1\n\t],\n\t2\n]\n",
        ),
        ("i.json", "[ \r\n3,\r\n2]", &second, tabs, "[\r\n\t3,\r\n2]"),
        (
            "three.json",
            "[\n1,\n  2\n]",
            &second,
            spaces(2),
            "[\n   1,\n  2\n]",
        ),
    ] {
        let path = folder.path().join(name);
        client.open(&path, "json", text);
        let params = json!({"range": selected, "options": options});
        let edits = client.about(&path, "rangeFormatting", params.clone());
        assert_eq!(applied(text, &edits), expected, "{name}: {text:?}");
        if *selected == all {
            let edits = client.about(&path, "formatting", params);
            assert_eq!(applied(text, &edits), expected, "{name}: {text:?}");
        }
    }
}
