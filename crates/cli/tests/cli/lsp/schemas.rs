//! References within schemas, which are reloaded when they change.

use std::fs;

use serde_json::json;

use super::client::{Client, position, range, uri};
use super::editor;

#[test]
fn schemas_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("s.json");
    let port = r#"{"title": "Port", "description": "Where it listens", "enum": [80, 443]}"#;
    let text = format!(
        r##"{{"$defs": {{"port": {port}}}, "required": ["port", "name"], "properties": {{"port": {{"$ref": "#/$defs/port"}}, "name": {{"type": "string"}}}}}}"##
    );
    fs::write(&schema, &text).unwrap();
    fs::write(
        folder.path().join("jsonx.json"),
        r#"{"overrides": [{"files": ["a.json"], "schema": "s.json"}]}"#,
    )
    .unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let path = folder.path().join("a.json");
    client.open(&path, "json", r#"{"port": 80, "name": ""}"#);
    assert_eq!(client.published().len(), 0);
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
