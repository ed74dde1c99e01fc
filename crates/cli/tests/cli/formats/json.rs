//! SARIF and GitLab's Code Quality report.

use std::collections::HashSet;
use std::fs;

use serde_json::{Value, json};

use super::schema::violations;
use super::{UNITS, documents, shown, tree};
use crate::{Folder, jsonx, run};

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON document")
}

#[test]
fn every_document_satisfies_its_schema() {
    for format in ["sarif", "gitlab"] {
        for (name, document) in documents(format) {
            let found = violations(format, &parsed(&document));
            assert_eq!(found, [""; 0], "{format} {name}");
        }
    }
}

fn array<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    let found = value.pointer(pointer).and_then(Value::as_array);
    found.map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> usize {
    value.as_u64().expect("a number") as usize
}

/// The offset of a position in a text; `length` is the number of column units of a character.
fn offset(text: &str, line: &Value, column: &Value, length: fn(char) -> usize) -> usize {
    let (line, column) = (number(line), number(column));
    let start: usize = text
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum();
    let mut left = column - 1;
    let mut at = start;
    for c in text[start..].chars() {
        if left == 0 {
            break;
        }
        left -= length(c);
        at += c.len_utf8();
    }
    assert_eq!(left, 0, "the column is between characters");
    at
}

/// The number in line 2 of `UNITS` follows 18 code points, 19 units of UTF-16, 24 bytes.
#[test]
fn columns_have_the_unit_of_the_format() {
    let folder = Folder::with(&[("units.json", UNITS.as_bytes())]);
    let at = |format: &str| {
        let ran = folder.run(&["validate", "--reporter", format, "units.json"]);
        assert_eq!(ran.code, 1);
        ran.out
    };
    let wanted = UNITS.find("01").expect("the error");
    let points: fn(char) -> usize = |_| 1;

    let sarif = parsed(&at("sarif"));
    let region = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startColumn"], json!(19));
    assert_eq!(
        offset(UNITS, &region["startLine"], &region["startColumn"], points),
        wanted
    );
    assert_eq!(
        offset(UNITS, &region["endLine"], &region["endColumn"], points),
        wanted + 2
    );
    assert_eq!(
        (number(&region["byteOffset"]), number(&region["byteLength"])),
        (wanted, 2)
    );

    let gitlab = parsed(&at("gitlab"));
    let positions = &gitlab[0]["location"]["positions"];
    let (begin, end) = (&positions["begin"], &positions["end"]);
    assert_eq!(
        offset(UNITS, &begin["line"], &begin["column"], points),
        wanted
    );
    assert_eq!(
        offset(UNITS, &end["line"], &end["column"], points),
        wanted + 2
    );

    let records = at("json");
    let record = parsed(records.lines().next().expect("a record"));
    let utf16: fn(char) -> usize = char::len_utf16;
    assert_eq!(
        (&record["column"], &record["columnUtf16"]),
        (&json!(19), &json!(20))
    );
    assert_eq!(
        offset(UNITS, &record["line"], &record["column"], points),
        wanted
    );
    assert_eq!(
        offset(UNITS, &record["line"], &record["columnUtf16"], utf16),
        wanted
    );

    assert!(at("concise").starts_with("units.json:2:19: "));
    assert!(at("junit").contains("message=\"2:19: "));
    assert!(at("github").contains(",line=2,endLine=2,col=19,endColumn=21,"));
}

#[test]
fn rules_of_sarif_are_the_catalog() {
    let run = &parsed(&shown(&tree(), "sarif").out)["runs"][0];
    let rules = array(run, "/tool/driver/rules");
    let codes = jsonx_diagnose::Code::ALL;
    let ids = rules[codes.len()..]
        .iter()
        .map(|rule| rule["id"].as_str().expect("text"));
    assert!(ids.clone().all(|id| id.starts_with("schema/")) && ids.count() > 30);
    for (rule, code) in rules.iter().zip(codes) {
        assert_eq!(rule["id"], code.as_str());
        assert_eq!(rule["fullDescription"]["text"], code.meaning());
        let help = rule["help"]["markdown"].as_str().expect("text");
        assert!(help.contains(code.right()), "{help}");
        // Code fences are on separate lines.
        assert_eq!(
            help.lines()
                .filter(|line| line.starts_with("~~~~~~"))
                .count(),
            4,
            "{help}"
        );
    }
    for result in array(run, "/results") {
        assert_eq!(rules[number(&result["ruleIndex"])]["id"], result["ruleId"]);
    }
}

/// Decodes a relative reference of SARIF to a file name.
fn decoded(uri: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            let digits = std::str::from_utf8(&tail[..2]).expect("digits");
            out.push(u8::from_str_radix(digits, 16).expect("hexadecimal digits"));
            rest = &tail[2..];
        } else {
            assert!(
                first.is_ascii_alphanumeric() || b"-._~/".contains(first),
                "{uri}"
            );
            out.push(*first);
        }
    }
    out
}

/// Applies the replacements of each result separately to the bytes of the file: the error there is gone.
#[test]
#[cfg(unix)]
fn fixes_of_sarif_are_made_where_they_say() {
    use std::os::unix::ffi::OsStrExt;

    let folder = tree();
    let run = &parsed(&shown(&folder, "sarif").out)["runs"][0];
    let mut made = 0;
    let mut by_file: std::collections::BTreeMap<Vec<u8>, Vec<Value>> = Default::default();
    for result in array(run, "/results") {
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(place["uriBaseId"], "%SRCROOT%");
        let name = decoded(place["uri"].as_str().expect("a reference"));
        assert!(
            folder
                .path("")
                .join(std::ffi::OsStr::from_bytes(&name))
                .is_file()
        );
        for fix in array(result, "/fixes") {
            let change = &fix["artifactChanges"][0];
            assert_eq!(&change["artifactLocation"], place);
            if fix["properties"]["applicability"] == "safe" {
                by_file
                    .entry(name.clone())
                    .or_default()
                    .extend_from_slice(array(change, "/replacements"));
            }
        }
    }
    for (name, mut replacements) in by_file {
        if replacements[0]["deletedRegion"].get("byteOffset").is_none() {
            assert_eq!(
                name, b"utf16.json",
                "offsets in a decoded text are those of no file"
            );
            continue;
        }
        let mut bytes =
            fs::read(folder.path("").join(std::ffi::OsStr::from_bytes(&name))).expect("the file");
        replacements.sort_by_key(|r| std::cmp::Reverse(number(&r["deletedRegion"]["byteOffset"])));
        for replacement in &replacements {
            let region = &replacement["deletedRegion"];
            let at = number(&region["byteOffset"]);
            if name == b"a.json" || name == b"units.json" {
                let text = std::str::from_utf8(&bytes).expect("UTF-8");
                let (line, column) = (&region["startLine"], &region["startColumn"]);
                assert_eq!(offset(text, line, column, |_| 1), at);
            }
            let new = replacement["insertedContent"]["text"]
                .as_str()
                .expect("text");
            bytes.splice(at..at + number(&region["byteLength"]), new.bytes());
            made += 1;
        }
        if name == b"a.json" {
            assert_eq!(bytes, b"{\n  \"a\": 1,\n  \"b\": [1, 2],\n  \"c\": 1\n}\n");
        }
    }
    assert!(made >= 6, "{made}");
}

#[test]
fn unreadable_files_are_failures_of_the_run() {
    let folder = Folder::with(&[("good.json", b"1")]);
    let args = |format| ["validate", "--reporter", format, "good.json", "gone.json"];
    let sarif = &parsed(&folder.run(&args("sarif")).out)["runs"][0];
    assert_eq!(array(sarif, "/results"), [] as [Value; 0]);
    let invocation = &sarif["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let message = &invocation["toolExecutionNotifications"][0];
    assert_eq!(message["message"]["text"], "No such file or directory");
    assert_eq!(
        message["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "gone.json"
    );

    let gitlab = parsed(&folder.run(&args("gitlab")).out);
    assert_eq!(
        (
            &gitlab[0]["check_name"],
            &gitlab[0]["severity"],
            gitlab.as_array().map(Vec::len)
        ),
        (&json!("unreadable"), &json!("blocker"), Some(1))
    );

    let ok = parsed(
        &folder
            .run(&["validate", "--reporter=sarif", "good.json"])
            .out,
    );
    assert_eq!(
        ok["runs"][0]["invocations"],
        json!([{"executionSuccessful": true}])
    );
}

#[test]
fn links_in_a_message_of_sarif_are_text() {
    let run = &parsed(&shown(&tree(), "sarif").out)["runs"][0];
    for result in array(run, "/results") {
        let text = result["message"]["text"].as_str().expect("text");
        assert!(!text.replace("\\]", "").contains("]("), "{text}");
    }
}

fn fingerprints(document: &Value) -> Vec<String> {
    let of = |issue: &Value| issue["fingerprint"].as_str().expect("text").to_owned();
    array(document, "").iter().map(of).collect()
}

#[test]
fn fingerprints_are_unique_and_survive_new_lines() {
    let all = fingerprints(&parsed(&shown(&tree(), "gitlab").out));
    let distinct: HashSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
    assert!(
        all.iter()
            .all(|print| print.len() == 32 && print.bytes().all(|b| b.is_ascii_hexdigit()))
    );

    let of = |text: &str| {
        let folder = Folder::with(&[("a.json", text.as_bytes())]);
        fingerprints(&parsed(
            &folder.run(&["validate", "--reporter=gitlab", "a.json"]).out,
        ))
    };
    let before = of("{\"b\": [01, 02], \"c\": 01}");
    assert_eq!(before.len(), 3);
    assert_eq!(
        of("{\n\n  \"a\": true,\n  \"b\": [\n01,\n\n02], \"c\": 01}"),
        before
    );
    assert_ne!(of("{\"d\": [01, 02], \"c\": 01}")[0], before[0]);
    // The same mistake many times at one path.
    let same = of("[] [] 01 02 01 01");
    assert_eq!(same.iter().collect::<HashSet<_>>().len(), same.len());
}

#[test]
fn paths_are_those_of_the_repository() {
    let folder = Folder::with(&[("top.json", b"[1,]"), ("under.json", b"[1,]")]);
    fs::create_dir(folder.path("sub")).expect("a directory");
    fs::write(folder.path("sub/a.json"), b"[1,]").expect("a file");
    let absolute = folder
        .path("under.json")
        .into_os_string()
        .into_string()
        .expect("UTF-8");
    let paths = |format: &str, variable: &str, pointer: &str| -> Vec<String> {
        let args = [
            "validate",
            "--reporter",
            format,
            "./a.json",
            "../top.json",
            &absolute,
        ];
        let ran = run(jsonx(&args)
            .current_dir(folder.path("sub"))
            .env(variable, folder.path(""))
            .write_stdin(""));
        let document = parsed(&ran.out);
        let issues = match format {
            "sarif" => array(&document, "/runs/0/results"),
            _ => array(&document, ""),
        };
        let mut paths: Vec<String> = issues
            .iter()
            .map(|issue| {
                issue
                    .pointer(pointer)
                    .and_then(Value::as_str)
                    .expect("a path")
                    .to_owned()
            })
            .collect();
        paths.sort();
        paths
    };
    let expected = ["sub/a.json", "top.json", "under.json"];
    let uri = "/locations/0/physicalLocation/artifactLocation/uri";
    assert_eq!(
        paths("gitlab", "CI_PROJECT_DIR", "/location/path"),
        expected
    );
    assert_eq!(paths("sarif", "GITHUB_WORKSPACE", uri), expected);
    // Elsewhere, names stay relative to the working directory.
    assert_eq!(
        paths("sarif", "SOMETHING_ELSE", uri),
        ["../top.json", "../under.json", "a.json"]
    );
}
