//! Findings: those of `validate`, pushed and pulled.

use std::fs;
use std::path::Path;

use jsonx_diagnose::Code;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::client::{Client, applied, position, range, uri};
use super::{METHODS, editor};
use crate::jsonx;

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

/// The same for the findings of the server.
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
fn findings_equal_those_of_validate() {
    let folder = tempfile::tempdir().unwrap();
    let schema = json!({"properties": {"a": {"maximum": 1}}, "required": ["b"]});
    fs::write(folder.path().join("s.json"), schema.to_string()).unwrap();
    let config = r#"{"overrides": [{"files": ["checked/*"], "schema": "s.json"}], "lints": {"duplicate-key": "deny"}}"#;
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
    texts.push(("tsconfig.json", Vec::new()));
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
        // Clients only have valid Unicode.
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
fn a_pulling_client_is_notified_of_new_settings() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("jsonx.json");
    fs::write(&config, "{}").unwrap();
    let capabilities = json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {
            "diagnostics": {"refreshSupport": true},
            "didChangeWatchedFiles": {"dynamicRegistration": true},
        },
    });
    let mut client = Client::start(folder.path(), &[], capabilities);
    let registered = client.wait("client/registerCapability");
    let method = &registered["registrations"][0]["method"];
    assert_eq!(method, "workspace/didChangeWatchedFiles");
    let path = folder.path().join("a.json");
    client.open(&path, "json", r#"{"a": 1, "a": 2}"#);
    let report = client.about(&path, "diagnostic", json!({}));
    assert_eq!(report["items"][0]["severity"], 2);
    // A saved data file is not a setting.
    client.changed_files(&[&path]);
    fs::write(&config, r#"{"lints": {"duplicate-key": "deny"}}"#).unwrap();
    let report = client.about(&path, "diagnostic", json!({}));
    assert_eq!(report["items"][0]["severity"], 2);
    assert_eq!(client.others, [] as [Value; 0]);
    client.changed_files(&[&path, &config]);
    client.wait("workspace/diagnostic/refresh");
    let report = client.about(&path, "diagnostic", json!({}));
    assert_eq!(report["items"][0]["severity"], 1);
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
    client.changed_files(&[&path]);
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
fn long_texts_report_the_first_error_at_each_change() {
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
        // All responses equal those for a document opened with this text.
        let opened = folder.path().join("b.json");
        client.open(&opened, "json", &model);
        client.published();
        for method in METHODS {
            let [edited, opened] = [&path, &opened].map(|path| {
                let params = json!({
                    "textDocument": {"uri": uri(path)},
                    "position": position(1, 3),
                    "positions": [position(1, 3)],
                    "range": range((0, 0), (1, 3)),
                    "context": {"diagnostics": []},
                });
                let answer = client.answer(&format!("textDocument/{method}"), params);
                let answer = answer.unwrap_or_else(|error| error).to_string();
                answer.replace(&uri(path), "")
            });
            prop_assert_eq!(edited, opened, "{}: {}", method, model);
        }
    }
}

/// Settings, each with a text that has other findings, or another layout, without it.
const SETTINGS: [(&str, &str); 17] = [
    (r#""input": "jsonc""#, "[1, // a\n2]"),
    (
        r#""lints": {"duplicate-key": "deny"}"#,
        r#"{"a": 1, "a": 2}"#,
    ),
    (r#""schema": "in/string.json""#, "1"),
    (r#""catalog": "in/catalog.json""#, "1"),
    (r#""schema": "in/url.json", "schemaDir": "out""#, "1"),
    (r#""schema": "in/out.json", "schemaRoot": "out""#, "1"),
    (
        r#""useSchemaKey": true"#,
        r#"{"$schema": "in/string.json"}"#,
    ),
    (r#""schema": "in/draft.json", "draft": "4""#, "1"),
    (
        r#""schema": "in/format.json", "formats": "assert""#,
        r#""x""#,
    ),
    (r#""maxDepth": 1"#, "[[]]"),
    (r#""style": "prettier""#, "[1,2]\n"),
    (r#""indent": 7"#, "[1]\n"),
    (r#""width": 40"#, "[1, 2]\n"),
    (r#""eol": "crlf""#, "[1]\n"),
    (r#""finalNewline": false"#, "[1]\n"),
    (r#""sortKeys": true"#, r#"{"b": 1, "a": 2}"#),
    (r#""input": "jsonc", "trailingCommas": "all""#, "[1]\n"),
];

#[test]
fn every_setting_has_its_effect() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("work");
    let at = |name: &str| folder.join(name);
    fs::create_dir_all(at("in")).unwrap();
    // References in the workspace need no setting.
    fs::create_dir_all(root.path().join("out")).unwrap();
    for (name, text) in [
        ("in/string.json", r#"{"type": "string"}"#),
        ("../out/string.json", r#"{"type": "string"}"#),
        ("in/out.json", r#"{"$ref": "../../out/string.json"}"#),
        ("in/url.json", r#"{"$ref": "https://a.org/string.json"}"#),
        ("in/draft.json", r#"{"const": 2}"#),
        ("in/format.json", r#"{"format": "date"}"#),
        (
            "in/catalog.json",
            r#"{"schemas": [{"fileMatch": ["a.json"], "url": "string.json"}]}"#,
        ),
    ] {
        fs::write(at(name), text).unwrap();
    }
    let path = at("a.json");
    let shown = |config: &str, text: &str| {
        // It is above the workspace, and names files below itself.
        let above = config.replace("\"in/", "\"work/in/");
        fs::write(root.path().join("jsonx.json"), format!("{{{above}}}")).unwrap();
        fs::write(&path, text).unwrap();
        let mut client = Client::start(&folder, &[], editor());
        client.open(&path, "json", text);
        let found = served(client.published());
        // A schema that cannot be used is not reported in the document.
        if found.iter().all(|(code, ..)| code != "unchecked") {
            assert_eq!(found, validated(&folder, &path), "{config}");
        }
        let mut program = jsonx(&[]);
        let program = program.current_dir(&folder).arg("fmt").arg(&path);
        let formatted = String::from_utf8(program.output().unwrap().stdout).unwrap();
        if !formatted.is_empty() {
            let options = json!({"options": {"tabSize": 2, "insertSpaces": true}});
            let edits = client.about(&path, "formatting", options);
            assert_eq!(applied(text, &edits), formatted, "{config}");
        }
        (found, formatted)
    };
    for (config, text) in SETTINGS {
        // The last setting has the effect.
        let without = config.rsplit_once(", \"").map_or("", |(before, _)| before);
        assert_ne!(shown(config, text), shown(without, text), "{config}");
    }
}
