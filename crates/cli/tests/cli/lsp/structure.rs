//! Outline, folds, selections, references and paths.

use std::fs;

use serde_json::{Value, json};

use super::client::{Client, applied, position, range, uri};
use super::editor;

#[test]
fn the_structure_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let path = folder.path().join("a.json");
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

#[test]
fn comments_and_regions_fold() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let comment = |start, end| json!({"startLine": start, "endLine": end, "kind": "comment"});
    let region = |start, end| json!({"startLine": start, "endLine": end, "kind": "region"});
    let value = |start, end| json!({"startLine": start, "endLine": end});
    for (name, text, folds) in [
        ("a.jsonc", "// a\n// b\n1", vec![comment(0, 1)]),
        (
            "crlf.jsonc",
            "// a\r\n/* b */ // c\r\n1",
            vec![comment(0, 1)],
        ),
        ("block.jsonc", "/* é\n\n*/ 1", vec![comment(0, 2)]),
        ("blank.jsonc", "// a\n\n// b\n1", vec![]),
        (
            "value.jsonc",
            "[1, // a\n// b\n// c\n2]",
            vec![value(0, 2), comment(1, 2)],
        ),
        ("between.jsonc", "/* a */ 1\n// b", vec![]),
        ("string.jsonc", "\"// a\"\n// b", vec![]),
        (
            "region.jsonc",
            "// #region a\n// b\n//#region\n// c\n// d\n//#endregion\n1\n// #endregion",
            vec![region(0, 7), region(2, 5), comment(3, 4)],
        ),
        (
            "open.jsonc",
            "// #endregion\n// #region\n1\n// #regional",
            vec![],
        ),
        ("broken.jsonc", "// a\n// b\n[1 2", vec![comment(0, 1)]),
        (
            "unclosed.jsonc",
            "// a\n// b\n1 /* c\n",
            vec![comment(0, 1), comment(2, 3)],
        ),
        (
            "a.json5",
            "// a\n// b\n{a: 'é', /* c\n*/}",
            vec![comment(0, 1), value(2, 3), comment(2, 3)],
        ),
        ("a.json", "// a\n// b\n1", vec![]),
    ] {
        let path = folder.path().join(name);
        client.open(&path, "json", text);
        let found = client.about(&path, "foldingRange", json!({}));
        assert_eq!(found, Value::Array(folds), "{name}");
    }
}

/// Names and places of symbols, outer ones first.
fn flat(symbols: &Value) -> Vec<(String, Value)> {
    let mut open: Vec<&Value> = symbols.as_array().unwrap().iter().rev().collect();
    let mut all = Vec::new();
    while let Some(symbol) = open.pop() {
        let name = symbol["name"].as_str().unwrap().to_owned();
        all.push((name, symbol["selectionRange"]["start"].clone()));
        let inside = symbol["children"].as_array();
        open.extend(inside.into_iter().flatten().rev());
    }
    all
}

#[test]
fn a_broken_text_keeps_its_structure() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    // What is typed is between the bars.
    let texts = [
        (
            "a.json",
            "{\n  \"a\": [\n    1,\n    {\"é\": 2}\n  ]|,|,\n  \"$schema\": \"b.json\"\n}\n",
        ),
        (
            "a.json",
            "{\r\n  \"a\": [\r\n    1,\r\n    {\"é\": 2|,|}\r\n  ],\r\n  \"$schema\": \"b.json\"\r\n}",
        ),
        (
            "a.jsonc",
            "{ // one\n  \"a\": [\n    1, // \"two\n    {\"é\": 2}|,,|\n  ],\n  \"$schema\": \"b.json\"\n}\n",
        ),
        (
            "a.json5",
            "{ // one\n  a: [\n    +1,|,|\n    {'é': 2}\n  ],\n  $schema: 'b.json'\n}\n",
        ),
    ];
    for (number, (name, text)) in texts.iter().enumerate() {
        let mut of = |name: String, text: &str| {
            let path = folder.path().join(name);
            client.open(&path, "", text);
            let symbols = flat(&client.about(&path, "documentSymbol", json!({})));
            let folds = client.about(&path, "foldingRange", json!({}));
            (symbols, folds)
        };
        let parts: Vec<&str> = text.split('|').collect();
        let whole = of(format!("{number}{name}"), &[parts[0], parts[2]].concat());
        assert_eq!(whole.0.len(), 5, "{whole:?}");
        let broken = of(format!("broken{number}{name}"), &parts.concat());
        assert_eq!(broken, whole, "{text}");
    }
    // The start of a text that is being typed.
    let path = folder.path().join("start.json");
    client.open(
        &path,
        "json",
        "{\n  \"a\": {\n    \"b\": [1,\n    \"c\": tr",
    );
    let symbols = flat(&client.about(&path, "documentSymbol", json!({})));
    let names = symbols.iter().map(|(name, _)| &**name);
    assert_eq!(Vec::from_iter(names), ["a", "b", "0", "c"]);
    assert_eq!(symbols[3].1, position(3, 4));
}

#[test]
fn each_record_has_an_outline() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let text = "{\"a\": [1]}\n\n{\n2\n";
    let mut client = Client::start(folder.path(), &[], editor());
    client.open(&path, "jsonl", text);
    let symbols = client.about(&path, "documentSymbol", json!({}));
    let names = |symbols: &Value| {
        let all = symbols.as_array().unwrap().iter();
        all.map(|it| it["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&symbols), ["line 1", "line 3", "line 4"]);
    assert_eq!(symbols[0]["range"], range((0, 0), (0, 10)));
    assert_eq!(names(&symbols[0]["children"]), ["a"]);
    let arguments = json!([uri(&path), position(0, 7)]);
    let copied = json!({"command": "jsonx.copyPath", "arguments": arguments});
    assert_eq!(client.ask("workspace/executeCommand", copied), ".a[0]");

    let mut client = Client::start(folder.path(), &[], json!({}));
    client.open(&path, "jsonl", text);
    let symbols = client.about(&path, "documentSymbol", json!({}));
    assert_eq!(names(&symbols), ["line 1", "a", "0", "line 3", "line 4"]);
}

/// Each reference is compared with the names of the value, without a search: a tenth of a second instead of minutes.
#[test]
fn many_references_to_a_value_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    let count = 20_000;
    let named = (0..count)
        .map(|n| format!(r##",{{"$anchor":"a{n}"}},{{"$ref":"#a{n}"}},{{"$ref":"#/{n}"}}"##));
    let named: String = named.collect();
    let text = format!(
        r##"[{{"$anchor":"x"}},{{"$ref":"#x"}},{{"$ref":"#/0"}},{{"$ref":"#/00"}}{named}]"##
    );
    let mut client = Client::start(folder.path(), &[], editor());
    client.open(&path, "json", &text);
    for at in [1, 27, 42] {
        let found = client.about(&path, "references", json!({"position": position(0, at)}));
        let found: Vec<u64> = found
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["range"]["start"]["character"].as_u64().unwrap())
            .collect();
        let last = text.find(r##""#/0"},{"$anchor":"a1""##).unwrap() as u64;
        assert_eq!(found, [25, 39, last], "at {at}");
    }
}

#[test]
fn references_lead_into_the_workspace() {
    let root = tempfile::tempdir().unwrap();
    let (folder, outside) = (root.path().join("in"), root.path().join("out.json"));
    fs::create_dir_all(folder.join("sub")).unwrap();
    fs::write(&outside, r#"{"x": 1}"#).unwrap();
    let other = folder.join("b c.json");
    fs::write(&other, r#"{"x": 1}"#).unwrap();
    let path = folder.join("sub/a.json");
    let text = concat!(
        "[{\"$ref\": \"../b%20c.json#/x\"},\n",
        "{\"$ref\": \"../../out.json#/x\"}]"
    );
    let mut client = Client::start(&folder, &[], editor());
    client.open(&path, "json", text);
    let definition = |client: &mut Client, line| {
        let position = json!({"position": position(line, 12)});
        client.about(&path, "definition", position)
    };
    let found = definition(&mut client, 0);
    assert_eq!(found["range"], range((0, 6), (0, 7)));
    assert_eq!(found["uri"], uri(&other).replace(' ', "%20"));
    assert_eq!(definition(&mut client, 1), Value::Null);
    // Nor from a text that was never saved, through a link, or by its name.
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, folder.join("link.json")).unwrap();
    for (from, reference) in [
        ("untitled:Untitled-1".to_owned(), uri(&outside)),
        (uri(&folder.join("c.json")), "link.json".to_owned()),
        (uri(&folder.join("c.json")), "sub/../link.json".to_owned()),
        (uri(&folder.join("c.json")), "/dev/zero".to_owned()),
    ] {
        let text = format!("{{\"$ref\": \"{reference}#/x\"}}");
        let document = json!({"uri": from, "languageId": "json", "version": 1, "text": text});
        client.tell("textDocument/didOpen", json!({"textDocument": document}));
        let asked = json!({"textDocument": {"uri": from}, "position": position(0, 12)});
        let found = client.answer("textDocument/definition", asked);
        assert_eq!(found.unwrap(), Value::Null, "{from} {reference}");
        client.tell(
            "textDocument/didClose",
            json!({"textDocument": {"uri": from}}),
        );
    }
    // The client's text counts, under the client's URI.
    let document =
        json!({"uri": uri(&other), "languageId": "json", "version": 1, "text": "\n{\"x\": 1}"});
    client.tell("textDocument/didOpen", json!({"textDocument": document}));
    let found = definition(&mut client, 0);
    assert_eq!(found["range"], range((1, 6), (1, 7)));
    assert_eq!(found["uri"], uri(&other));
    // Another folder is added to the workspace.
    let event = json!({"added": [{"uri": uri(root.path()), "name": "root"}], "removed": []});
    client.tell(
        "workspace/didChangeWorkspaceFolders",
        json!({"event": event}),
    );
    assert_eq!(definition(&mut client, 1)["uri"], uri(&outside));
}
