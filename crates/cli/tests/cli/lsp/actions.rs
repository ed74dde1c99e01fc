//! Code actions: fixes, duplicates, the order of keys, levels of lints.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, applied, range, uri};
use super::editor;
use crate::jsonx;

/// The edits of the first action with this title, and all titles.
fn action(client: &mut Client, path: &Path, title: &str, only: Value) -> (Value, Vec<String>) {
    let context = json!({"diagnostics": [], "only": only});
    let all = range((0, 0), (1000, 0));
    let actions = client.about(
        path,
        "codeAction",
        json!({"range": all, "context": context}),
    );
    let actions = actions.as_array().unwrap().clone();
    let titles = actions
        .iter()
        .map(|it| it["title"].as_str().unwrap().to_owned())
        .collect();
    let found = actions
        .iter()
        .find(|it| it["title"].as_str().unwrap().starts_with(title));
    (found.cloned().unwrap_or_default(), titles)
}

#[test]
fn fixes_equal_those_of_fix() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    for text in [
        "{'a': 1, 'b': [1 2,],}",
        "[007, NaN, tru]",
        "{\"a\": 1",
        "[1, +2, .5]",
    ] {
        let path = folder.path().join("a.json");
        fs::write(&path, text).unwrap();
        client.open(&path, "json", text);
        client.published();
        let (all, _) = action(&mut client, &path, "Apply all", json!(["source.fixAll"]));
        jsonx(&[])
            .args(["fix", "--write", "--partial"])
            .arg(&path)
            .output()
            .unwrap();
        let fixed = match &all {
            Value::Null => text.to_owned(),
            all => applied(text, &all["edit"]["documentChanges"][0]["edits"]),
        };
        assert_eq!(fixed, fs::read_to_string(&path).unwrap());

        fs::write(&path, text).unwrap();
        let arguments = json!({"command": "jsonx.repair", "arguments": [uri(&path)]});
        client.ask("workspace/executeCommand", arguments);
        let asked = client.wait("workspace/applyEdit");
        let edits = &asked["edit"]["documentChanges"][0]["edits"];
        let repaired = jsonx(&[])
            .args(["fix", "--all"])
            .arg(&path)
            .output()
            .unwrap();
        assert_eq!(
            applied(text, edits).trim_end(),
            String::from_utf8_lossy(&repaired.stdout).trim_end()
        );
    }
}

#[test]
fn a_safe_fix_is_preferred_and_a_guess_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let path = folder.path().join("a.json");
    client.open(&path, "json", "[NaN,]");
    let (safe, titles) = action(&mut client, &path, "Fix: ", json!(["quickfix"]));
    assert_eq!(
        (&safe["isPreferred"], &safe["kind"]),
        (&json!(true), &json!("quickfix"))
    );
    assert_eq!(safe["diagnostics"][0]["code"], "trailing-comma");
    assert_eq!(
        applied("[NaN,]", &safe["edit"]["documentChanges"][0]["edits"]),
        "[NaN]"
    );
    assert!(
        titles.iter().any(|title| title.starts_with("Guess: ")),
        "{titles:?}"
    );
    let (guess, _) = action(&mut client, &path, "Guess: ", Value::Null);
    assert_eq!(guess["isPreferred"], json!(false));
}

#[test]
fn duplicates_are_removed_keys_sorted_and_lints_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let path = folder.path().join("a.json");
    let text = r#"{"b": 1, "a": 2, "b": 3}"#;
    client.open(&path, "json", text);
    let edits = |action: &Value| action["edit"]["documentChanges"][0]["edits"].clone();
    let (earlier, _) = action(&mut client, &path, "Remove the earlier", Value::Null);
    assert_eq!(applied(text, &edits(&earlier)), r#"{"a": 2, "b": 3}"#);
    let (later, _) = action(&mut client, &path, "Remove this", Value::Null);
    assert_eq!(applied(text, &edits(&later)), r#"{"b": 1, "a": 2}"#);
    let (sorted, _) = action(&mut client, &path, "Sort keys", Value::Null);
    let sorted = applied(text, &edits(&sorted));
    assert_eq!(sorted, "{\n  \"a\": 2,\n  \"b\": 1,\n  \"b\": 3\n}\n");

    let (allowed, _) = action(&mut client, &path, "Allow duplicate-key", Value::Null);
    let changes = &allowed["edit"]["documentChanges"];
    assert_eq!(
        (&changes[0]["kind"], &changes[0]["uri"]),
        (
            &json!("create"),
            &json!(uri(&folder.path().join("jsonx.json")))
        )
    );
    let created = changes[1]["edits"][0]["newText"]
        .as_str()
        .unwrap()
        .to_owned();
    fs::write(folder.path().join("jsonx.json"), &created).unwrap();
    client.published();
    client.changed_files(&[&folder.path().join("jsonx.json")]);
    assert_eq!(client.published(), [] as [Value; 0]);

    let text = "{ // x\n  \"indent\": 4\n}\n";
    fs::write(folder.path().join("jsonx.json"), text).unwrap();
    client.changed_files(&[&folder.path().join("jsonx.json")]);
    let (allowed, _) = action(&mut client, &path, "Allow duplicate-key", Value::Null);
    let changed = applied(text, &edits(&allowed));
    assert!(
        changed.starts_with("{ // x\n") && changed.contains("\"duplicate-key\": \"off\""),
        "{changed}"
    );
}
