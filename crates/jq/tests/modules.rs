//! Where modules are found, and which names must exist.

use std::fs;
use std::path::Path;

use jsonx_jq::{Program, Settings, Value};

fn results(program: &str, settings: &Settings) -> Result<String, String> {
    let program = Program::compile(program, settings).map_err(|error| error.message)?;
    let results = program
        .results(Value::default())
        .map_err(|error| format!("{error:?}"))?;
    let results: Vec<String> = results.iter().map(Value::to_string).collect();
    Ok(results.join(" "))
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

#[test]
fn modules_are_found_by_name_and_relative_to_their_importer() {
    let folder = std::env::temp_dir().join(format!("jsonx-modules-{}", std::process::id()));
    write(
        &folder,
        &[
            (
                "lib/a.jq",
                r#"import "b" as b {search: "./"}; def a: b::b + 1;"#,
            ),
            (
                "lib/b.jq",
                r#"import "data" as $d {search: ["nowhere", "./inner"]}; def b: $d[0].n;"#,
            ),
            ("lib/inner/data.json", r#"{"n": 4}"#),
            ("lib/deep/jq/main.jq", "def deep: 7;"),
            ("lib/own/own.jq", "def own: 8;"),
            (
                "lib/unused.jq",
                "def fine: 1; def wrong: nosuch; def also: wrong;",
            ),
            ("program/near.jq", "def near: 9;"),
            (
                "home.jq",
                "def greet: \"hi\"; def unused: nosuch; def map(f): \"mine\";",
            ),
        ],
    );
    let settings = Settings {
        search: vec![folder.join("lib")],
        folder: Some(folder.join("program")),
        home: Some(folder.join("home.jq")),
        ..Settings::default()
    };
    for (program, expected) in [
        (r#"include "a"; a"#, "5"),
        (r#"import "a" as x; x::a"#, "5"),
        (r#"include "deep"; include "own"; [deep, own]"#, "[7,8]"),
        (r#"import "near" as n {search: "./"}; n::near"#, "9"),
        (r#"include "unused"; fine"#, "1"),
        ("greet, map(1)", r#""hi" "mine""#),
        ("def greet: 2; greet", "2"),
        (r#""a" | modulemeta | .deps[0].relpath"#, r#""b""#),
    ] {
        assert_eq!(
            results(program, &settings).as_deref(),
            Ok(expected),
            "{program}"
        );
    }
    let error = results(r#"include "unused"; also"#, &settings).unwrap_err();
    assert!(
        error.ends_with("unused.jq:1:25: nosuch/0 is not defined"),
        "{error}"
    );
    let error = results(r#"import "near" as n; n::near"#, &settings).unwrap_err();
    assert_eq!(error, "module \"near\" not found in the folders of -L");
    fs::remove_dir_all(folder).unwrap();
}

/// Only the definitions that the program uses are checked.
#[test]
fn unused_definitions_may_name_what_does_not_exist() {
    let settings = Settings::default();
    for program in [
        "def f: nosuch; 1",
        "def f: $nosuch; def g: f; 1",
        "def f: def g: nosuch; 1; f",
        "1 | def f: break $x; .",
    ] {
        assert_eq!(results(program, &settings).as_deref(), Ok("1"), "{program}");
    }
    for program in [
        "def f: nosuch; f",
        "def f: nosuch; def g: f; g",
        "def f(g): 1; f(nosuch)",
        "def f: def g: nosuch; g; f",
        "def f: nosuch; def g(h): 1; g(f)",
    ] {
        let error = results(program, &settings).unwrap_err();
        assert_eq!(error, "nosuch/0 is not defined", "{program}");
    }
}

#[test]
fn a_key_with_a_hyphen_is_in_quotes() {
    for (program, key) in [
        (".foo-bar", "foo-bar"),
        (".a | .foo-bar-baz.c", "foo-bar-baz"),
        ("{a: .x-y}", "x-y"),
    ] {
        let error = Program::compile(program, &Settings::default()).unwrap_err();
        let note = format!("a key with a hyphen is in quotes: `.\"{key}\"`");
        assert_eq!(error.note, Some(note), "{program}");
    }
    let error = Program::compile(".foo - bar", &Settings::default()).unwrap_err();
    assert_eq!(error.note, None);
}
