//! Hover, completion and references based on schemas, which are reloaded when they change.

use std::fs;

use serde_json::json;

use super::client::{Client, position, range, uri};
use super::editor;

#[test]
fn schemas_are_read_again_and_inform() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("s.json");
    let port = r#"{"title": "Port", "description": "Where it listens", "enum": [80, 443]}"#;
    let text = format!(
        r##"{{"$defs": {{"port": {port}}}, "required": ["port", "name"], "properties": {{"port": {{"$ref": "#/$defs/port"}}, "name": {{"type": "string"}}}}}}"##
    );
    fs::write(&schema, &text).unwrap();
    fs::write(
        folder.path().join("jsonx.json"),
        r#"{"schema": {"a.json": "s.json"}}"#,
    )
    .unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let path = folder.path().join("a.json");
    client.open(&path, "json", r#"{"port": 80, "name": ""}"#);
    assert_eq!(client.published().len(), 0);
    let hover = client.about(&path, "hover", json!({"position": position(0, 10)}));
    let shown = hover["contents"]["value"].as_str().unwrap();
    for part in [
        "`.port`",
        "`$['port']`",
        "`/port`",
        "number `80`, exact",
        "**Port**",
        "Where it listens",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    for (text, character, label, new) in [
        ("{\"po", 4, "port", "\"port\": ${1|80,443|}"),
        ("{\"port\": 80, ", 13, "name", "\"name\": \"$1\""),
        ("{\"port\": 80 \"\"", 13, "name", "\"name\": \"$1\""),
        ("{\"port\": }", 9, "443", "443"),
        (
            "{}",
            1,
            "required: port, name",
            "\"port\": ${1|80,443|}, \"name\": \"$2\"",
        ),
        ("{\"\": 1}", 2, "port", "\"port\""),
    ] {
        client.change(&path, 2, json!([{"text": text}]));
        let found = client.about(
            &path,
            "completion",
            json!({"position": position(0, character)}),
        );
        let items = found["items"].as_array();
        let items = items.unwrap_or_else(|| panic!("{text}: {found}"));
        let item = items.iter().find(|item| item["label"] == label);
        let item = item.unwrap_or_else(|| panic!("{text}: {items:?}"));
        assert_eq!(item["textEdit"]["newText"], new, "{text}");
    }

    let at = text.find("\"#/$defs").unwrap() as u64;
    client.open(&schema, "json", &text);
    let found = client.about(
        &schema,
        "definition",
        json!({"position": position(0, at + 3)}),
    );
    let start = text.find(port).unwrap() as u64;
    assert_eq!(
        found["range"],
        range((0, start), (0, start + port.len() as u64))
    );
    let found = client.about(
        &schema,
        "references",
        json!({"position": position(0, start)}),
    );
    assert_eq!(found[0]["range"]["start"]["character"], at);

    fs::write(&schema, r#"{"maxProperties": 1}"#).unwrap();
    client.change(&path, 3, json!([{"text": "{\"a\": 1, \"b\": 2}"}]));
    client.changed_files(&[&schema]);
    let codes = loop {
        let findings = client.wait("textDocument/publishDiagnostics");
        if findings["uri"] == uri(&path) && findings["version"] == 3 {
            let findings = findings["diagnostics"].as_array().unwrap().clone();
            if findings
                .iter()
                .any(|it| it["code"] == "schema/maxProperties")
            {
                break findings.len();
            }
        }
    };
    assert_eq!(codes, 1);
}

#[test]
fn a_config_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jsonx.json");
    let mut client = Client::start(folder.path(), &[], editor());
    client.open(&path, "jsonc", "{ // x\n\"ind\n}");
    let labels = |client: &mut Client, line, character| {
        let position = json!({"position": position(line, character)});
        let found = client.about(&path, "completion", position);
        let items = found["items"].as_array().unwrap().clone();
        let labels = items
            .iter()
            .map(|it| it["label"].as_str().unwrap().to_owned());
        labels.collect::<Vec<_>>()
    };
    let keys = labels(&mut client, 1, 4);
    assert!(keys.iter().any(|key| key == "indent"), "{keys:?}");
    client.change(&path, 2, json!([{"text": "{\"eol\": }"}]));
    let values = labels(&mut client, 0, 8);
    assert!(values.iter().any(|value| value == "\"crlf\""), "{values:?}");
}

#[test]
fn values_in_snippets_are_literal() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("s.json");
    // With a comment, as the validator reads it.
    let text = r#"{"properties": {"a": {"enum": ["$b}", 1.50]}, "c": {"const": "$d"}}} // x"#;
    fs::write(folder.path().join("s.jsonc"), text).unwrap();
    fs::write(&schema, r#"{"allOf": [{"$ref": "s.jsonc"}]}"#).unwrap();
    let options = ["--schema", schema.to_str().unwrap()];
    for (capabilities, escaped, format) in [(editor(), r#""\$b\}""#, 2), (json!({}), "\"$b}\"", 1)]
    {
        let mut client = Client::start(folder.path(), &options, capabilities);
        let path = folder.path().join("a.json");
        client.open(&path, "json", "{\"a\": }");
        let found = client.about(&path, "completion", json!({"position": position(0, 6)}));
        let items = &found["items"];
        assert_eq!(items[0]["textEdit"]["newText"], escaped, "{found}");
        assert_eq!(items[0]["insertTextFormat"], format);
        client.change(&path, 2, json!([{"text": "{\"\"}"}]));
        let found = client.about(&path, "completion", json!({"position": position(0, 2)}));
        let items = found["items"].as_array().unwrap();
        let item = items.iter().find(|it| it["label"] == "c").unwrap();
        let new = item["textEdit"]["newText"].as_str().unwrap();
        match format {
            2 => assert_eq!(new, r#""c": ${1:"\$d"}"#),
            _ => assert_eq!(new, "\"c\": \"$d\""),
        }
    }
}
