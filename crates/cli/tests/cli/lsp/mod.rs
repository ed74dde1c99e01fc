//! `jsonx lsp` over a pipe: it finds, fixes and formats what the commands do, and it does not die.

mod client;
mod hostile;

use std::fs;
use std::path::Path;

use jsonx_core::diagnose::Code;
use proptest::prelude::*;
use serde_json::{Value, json};

use self::client::{Client, applied, position, range, uri};
use crate::jsonx;

/// The capabilities of an editor.
fn editor() -> Value {
    json!({
        "textDocument": {
            "completion": {"completionItem": {"snippetSupport": true}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        },
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}},
    })
}

/// Code, severity and range of each finding of `validate`.
fn validated(folder: &Path, file: &Path) -> Vec<(Value, Value, Value)> {
    let output = jsonx(&[])
        .current_dir(folder)
        .args(["validate", "--reporter", "json"])
        .arg(file)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let records = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found = records.filter(|record| record["type"] == "diagnostic");
    let found = found.map(|record| {
        let number = |key: &str| record[key].as_u64().unwrap() - 1;
        let range = range(
            (number("line"), number("columnUtf16")),
            (number("endLine"), number("endColumnUtf16")),
        );
        (record["code"].clone(), record["severity"].clone(), range)
    });
    found.collect()
}

/// The same of findings of the server.
fn served(findings: Vec<Value>) -> Vec<(Value, Value, Value)> {
    let findings = findings.into_iter().map(|finding| {
        let severity = match finding["severity"].as_u64() {
            Some(1) => "error",
            _ => "warning",
        };
        (
            finding["code"].clone(),
            json!(severity),
            finding["range"].clone(),
        )
    });
    findings.collect()
}

#[test]
fn findings_are_those_of_validate() {
    let folder = tempfile::tempdir().unwrap();
    let schema = json!({"properties": {"a": {"maximum": 1}}, "required": ["b"]});
    fs::write(folder.path().join("s.json"), schema.to_string()).unwrap();
    let config = r#"{"schema": {"checked/*": "s.json"}, "lints": {"duplicate-key": "deny"}}"#;
    fs::write(folder.path().join("jsonx.json"), config).unwrap();
    fs::create_dir(folder.path().join("checked")).unwrap();
    let mut texts: Vec<(&str, Vec<u8>)> = Vec::new();
    for code in Code::ALL {
        texts.push(("a.json", code.wrong().to_vec()));
        texts.push((
            "a.jsonl",
            [b"{}\n".as_slice(), code.wrong(), b"\n[1]\n"].concat(),
        ));
    }
    texts.push(("checked/a.json", br#"{"a": 2}"#.to_vec()));
    texts.push((
        "checked/a.jsonl",
        b"{\"a\": 2, \"b\": 1}\n{\"a\": 1}\n{,}\n".to_vec(),
    ));
    texts.push(("a.jsonc", b"// x\n{\"a\": 1, \"a\": 2,}".to_vec()));
    texts.push(("tsconfig.json", b"// x\n{\"a\": 1 \"b\": 2,}".to_vec()));
    texts.push((
        "a.json5",
        "{é: 1 'b': 2,, \u{1F600}: 0x}".as_bytes().to_vec(),
    ));
    texts.push((
        "a.json",
        "{\"😀\": 1e999, \"😀\": [1 2]}\r\n".as_bytes().to_vec(),
    ));
    let mut client = Client::start(folder.path(), &[], editor());
    let mut found = 0;
    for (name, text) in texts {
        // A client has texts of characters only.
        let Ok(text) = String::from_utf8(text) else {
            continue;
        };
        // A byte-order mark is a character there.
        if text.starts_with('\u{feff}') {
            continue;
        }
        let path = folder.path().join(name);
        fs::write(&path, &text).unwrap();
        client.open(&path, "json", &text);
        let served = served(client.published());
        assert_eq!(served, validated(folder.path(), &path), "{name}: {text}");
        found += served.len();
    }
    assert!(found > 100, "{found}");
}

#[test]
fn a_finding_has_both_places_and_an_explanation() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("s.json");
    fs::write(&schema, r#"{"properties": {"a": {"maximum": 1}}}"#).unwrap();
    let options = ["--schema", schema.to_str().unwrap()];
    let mut client = Client::start(folder.path(), &options, editor());
    let path = folder.path().join("é a.json");
    client.open(&path, "json", r#"{"a": 1, "a": 2}"#);
    let findings = client.published();
    let duplicate = &findings[0];
    assert_eq!(duplicate["code"], "duplicate-key");
    let first = &duplicate["relatedInformation"][0];
    assert_eq!(first["location"]["range"], range((0, 1), (0, 4)));
    let maximum = &findings[1];
    assert_eq!(maximum["code"], "schema/maximum");
    let rule = &maximum["relatedInformation"][0]["location"];
    assert_eq!(rule["uri"], uri(&schema));
    assert_eq!(rule["range"]["start"]["line"], 0);
    assert!(
        maximum["data"]["explain"]
            .as_str()
            .unwrap()
            .contains("greater")
    );

    client.change(&path, 2, json!([{"text": "[1,]"}]));
    let findings = client.published();
    assert_eq!(
        (&findings[0]["code"], &findings[0]["tags"]),
        (&json!("trailing-comma"), &json!([1]))
    );
}

#[test]
fn findings_are_pulled_by_a_client_that_can() {
    let folder = tempfile::tempdir().unwrap();
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client = Client::start(folder.path(), &[], capabilities);
    let path = folder.path().join("a.json");
    client.open(&path, "json", "[1,]");
    let report = client.about(&path, "diagnostic", json!({}));
    assert_eq!(report["items"][0]["code"], "trailing-comma");
    assert_eq!(client.others, [] as [Value; 0]);
}

#[test]
fn the_language_decides_where_the_name_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    for (name, language, text, count) in [
        ("a", "json", "// x\n[1]", 1),
        ("a", "jsonc", "// x\n[1,]", 0),
        ("a", "json5", "{a: .5}", 0),
        ("a", "jsonl", "1\n2\n", 0),
        ("a.json5", "json", "{a: .5}", 0),
        ("tsconfig.json", "json", "// x\n[1]", 0),
    ] {
        client.open(&folder.path().join(name), language, text);
        assert_eq!(client.published().len(), count, "{name} {language}");
    }
    let untitled =
        json!({"uri": "untitled:1", "languageId": "jsonc", "version": 1, "text": "//\n1"});
    client.tell("textDocument/didOpen", json!({"textDocument": untitled}));
    assert_eq!(client.published().len(), 0);
}

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
fn fixes_are_those_of_fix() {
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
        let (all, _) = action(&mut client, &path, "Make all", json!(["source.fixAll"]));
        jsonx(&[])
            .args(["validate", "--fix"])
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
    client.tell("workspace/didChangeWatchedFiles", json!({"changes": []}));
    assert_eq!(client.published(), [] as [Value; 0]);

    let text = "{ // x\n  \"indent\": 4\n}\n";
    fs::write(folder.path().join("jsonx.json"), text).unwrap();
    client.tell("workspace/didChangeWatchedFiles", json!({"changes": []}));
    let (allowed, _) = action(&mut client, &path, "Allow duplicate-key", Value::Null);
    let changed = applied(text, &edits(&allowed));
    assert!(
        changed.starts_with("{ // x\n") && changed.contains("\"duplicate-key\": \"off\""),
        "{changed}"
    );
}

#[test]
fn a_config_is_checked_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jsonx.json");
    fs::write(&path, "{}").unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    client.open(&path, "json", "{\"indnt\": 4, // x\n}");
    let findings = client.published();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0]["message"].as_str().unwrap().contains("indnt"));

    // A file under a config that cannot be used is checked without it.
    fs::write(&path, "{\"indnt\": 4}").unwrap();
    client.tell("workspace/didChangeWatchedFiles", json!({"changes": []}));
    client.published();
    client.open(&folder.path().join("a.json"), "json", "[1,]");
    let codes: Vec<Value> = client
        .published()
        .iter()
        .map(|it| it["code"].clone())
        .collect();
    assert_eq!(codes, ["unchecked", "trailing-comma"]);
}

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
        ("{}", 1, "$schema", "\"\\$schema\": \"$1\""),
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
    client.tell("workspace/didChangeWatchedFiles", json!({"changes": []}));
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
fn the_structure_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let path = folder.path().join("a.json");
    fs::write(folder.path().join("b.json"), "{}").unwrap();
    let text = "{\n  \"a\": [\n    1,\n    {\"\": 0.1}\n  ],\n  \"$schema\": \"b.json\"\n}\n";
    client.open(&path, "json", text);
    let symbols = client.about(&path, "documentSymbol", json!({}));
    assert_eq!(
        (&symbols[0]["name"], &symbols[0]["detail"]),
        (&json!("a"), &json!("[2]"))
    );
    assert_eq!(symbols[0]["children"][1]["children"][0]["name"], "\"\"");
    assert_eq!(symbols[1]["range"], range((5, 2), (5, 21)));
    let folds = client.about(&path, "foldingRange", json!({}));
    assert_eq!(
        folds,
        json!([{"startLine": 0, "endLine": 5}, {"startLine": 1, "endLine": 3}])
    );
    let around = client.about(
        &path,
        "selectionRange",
        json!({"positions": [position(3, 10)]}),
    );
    assert_eq!(around[0]["range"], range((3, 9), (3, 12)));
    assert_eq!(around[0]["parent"]["range"], range((3, 5), (3, 12)));
    let links = client.about(&path, "documentLink", json!({}));
    assert_eq!(links[0]["target"], uri(&folder.path().join("b.json")));
    let hover = client.about(&path, "hover", json!({"position": position(3, 10)}));
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(
        shown.contains("as a double `0.1000000000000000055511151231257827021181583404541015625`"),
        "{shown}"
    );
    let hover = client.about(&path, "hover", json!({"position": position(1, 3)}));
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.ends_with("array, 2 elements"), "{shown}");
    let arguments = json!([uri(&path), position(3, 10), "pointer"]);
    let copied = client.ask(
        "workspace/executeCommand",
        json!({"command": "jsonx.copyPath", "arguments": arguments}),
    );
    assert_eq!(copied, "/a/1/");
    let arguments = json!([uri(&path), ".a[0]"]);
    let place = client.ask(
        "workspace/executeCommand",
        json!({"command": "jsonx.jumpToPath", "arguments": arguments}),
    );
    assert_eq!(place["range"], range((2, 4), (2, 5)));
    for (command, result) in [
        (
            "jsonx.minify",
            "{\"a\":[1,{\"\":0.1}],\"$schema\":\"b.json\"}\n",
        ),
        (
            "jsonx.sort",
            "{\n  \"$schema\": \"b.json\",\n  \"a\": [\n    1,\n    {\n      \"\": 0.1\n    }\n  ]\n}\n",
        ),
    ] {
        client.ask(
            "workspace/executeCommand",
            json!({"command": command, "arguments": [uri(&path)]}),
        );
        let asked = client.wait("workspace/applyEdit");
        assert_eq!(
            applied(text, &asked["edit"]["documentChanges"][0]["edits"]),
            result
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn edits_are_those_of_a_list_of_code_units(
        edits in prop::collection::vec((0u64..6, 0u64..12, 0u64..3, 0u64..12, "[a\"\\[\\],{}:1 \n\u{e9}\u{1F600}]{0,6}"), 1..20),
        utf8 in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let encodings = if utf8 { json!(["utf-8", "utf-16"]) } else { json!(["utf-16"]) };
        let mut client = Client::start(folder.path(), &[], json!({"general": {"positionEncodings": encodings}}));
        let path = folder.path().join("a.json");
        let mut model = "[1,\n \"😀\", {\"é\": 2}]\n".to_owned();
        client.open(&path, "json", &model);
        client.published();
        for (number, (line, start, lines, end, new)) in edits.into_iter().enumerate() {
            let place = |line: u64, character: u64| {
                let mut at = 0;
                for _ in 0..line {
                    match model[at..].find('\n') {
                        None => return model.len(),
                        Some(end) => at += end + 1,
                    }
                }
                let mut column = 0;
                for c in model[at..].chars() {
                    let width = if utf8 { c.len_utf8() } else { c.len_utf16() } as u64;
                    if c == '\n' || column + width > character {
                        break;
                    }
                    column += width;
                    at += c.len_utf8();
                }
                at
            };
            let (from, to) = (place(line, start), place(line + lines, end));
            let to = to.max(from);
            let change = json!([{"range": range((line, start), (line + lines, end)), "text": new}]);
            client.change(&path, number as i64 + 2, change);
            model.replace_range(from..to, &new);
            // The positions of all findings are those of the file.
            let mut published = client.wait("textDocument/publishDiagnostics");
            prop_assert_eq!(&published["version"], &json!(number + 2));
            fs::write(&path, &model).unwrap();
            if !utf8 {
                let findings = published["diagnostics"].as_array_mut().unwrap().drain(..).collect();
                prop_assert_eq!(served(findings), validated(folder.path(), &path), "{}", model);
            }
        }
    }
}

#[test]
fn of_a_long_text_the_first_error_is_found_at_each_change() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let path = folder.path().join("a.json");
    let line = format!("\"{}\",\n", "x".repeat(1 << 20));
    let text = format!("[\n{}1 2, tru]\n", line.repeat(9));
    client.open(&path, "json", &text);
    let findings = client.published();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["range"]["start"], position(10, 2));
    let message = findings[0]["message"].as_str().unwrap();
    assert!(
        message.contains("while a text of more than 8 MB is edited, only the first error"),
        "{message}"
    );
}
