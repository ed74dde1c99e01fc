//! Mistakes in `jsonx.json`, and configs that cannot be read.

use super::*;

#[test]
fn mistakes_are_reported_once_and_nothing_below_is_processed() {
    let folder = repository(&[
        (
            "jsonx.json",
            "{\n  \"indnt\": 4,\n  \"lints\": {\"duplicate-key\": \"of\"},\n}\n",
        ),
        ("a.json", "{}"),
        ("b.json", "[1 2]"),
        ("ok/jsonx.json", "{}"),
        ("ok/c.json", "{\"a\": 1}"),
    ]);
    let ran = folder.run(&["validate", "."]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        headlines(&ran.out),
        [
            "error[config] jsonx.json:2:3",
            "error[config] jsonx.json:3:30"
        ]
    );
    assert!(
        ran.out
            .contains("2 |   \"indnt\": 4,\n  |   ^^^^^^^ did you mean `indent`?\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("did you mean `off`?"), "{}", ran.out);
    assert_eq!(
        ran.err,
        "jsonx: a.json: not processed, because its config jsonx.json cannot be used\n"
    );
    for command in [
        &["fmt", "a.json"][..],
        &["fmt", "--check", "a.json", "b.json"],
        &["fmt", "--write", "a.json"],
        &["fix", "b.json"],
        &["get", ".", "a.json"],
        &["set", ".a", "1", "a.json"],
        &["set", "--write", ".a", "1", "a.json"],
        &["locate", "a.json:1:1"],
        &["fmt", "--to=msgpack", "a.json"],
        &["diff", "a.json", "b.json"],
        &["patch", "a.json", "b.json"],
        &["config", "a.json"],
    ] {
        let ran = folder.run(command);
        assert_eq!((ran.code, &*ran.out), (2, ""), "{command:?}: {}", ran.err);
        assert_eq!(
            ran.err.matches("error[config]").count(),
            2,
            "{command:?}: {}",
            ran.err
        );
    }
    assert_eq!(fs::read_to_string(folder.path("a.json")).unwrap(), "{}");
    assert_eq!(folder.run(&["get", ".a", "ok/c.json"]).out, "1\n");
    assert_eq!(
        folder.run(&["get", ".", "--no-config", "a.json"]).out,
        "{}\n"
    );
    // Machine-readable reports include the config and every file.
    let ran = folder.run(&["validate", ".", "--reporter", "json"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.out.matches("\"config\"").count(), 2, "{}", ran.out);
    for name in ["a.json", "b.json", "ok/c.json"] {
        assert!(
            ran.out.contains(&format!("\"{name}\"")),
            "{name}: {}",
            ran.out
        );
    }
}

#[test]
fn a_config_that_is_not_an_object() {
    for (text, head) in [
        ("", "error[empty-input] jsonx.json:1:1"),
        ("{\"indent\": 2", "error[unclosed-bracket] jsonx.json:1:13"),
        ("{\"indent\" 2}", "error[missing-colon] jsonx.json:1:10"),
        ("[]", "error[config] jsonx.json:1:1"),
        ("{\"overrides\": {}}", "error[config] jsonx.json:1:15"),
    ] {
        let folder = repository(&[("jsonx.json", text), ("a.json", "{}")]);
        let ran = folder.run(&["validate", "a.json"]);
        assert_eq!(
            (ran.code, headlines(&ran.out)),
            (2, vec![head.to_owned()]),
            "{}",
            ran.out
        );
    }
    let folder = repository(&[
        ("jsonx.json", "\u{feff}{\"indent\": 1}"),
        ("a.json", "{\"a\":1}"),
    ]);
    assert_eq!(folder.run(&["fmt", "a.json"]).out, "{\n \"a\": 1\n}\n");
    // A directory may have any name.
    let folder = repository(&[("jsonx.json/x", ""), ("a.json", "{}")]);
    assert_eq!(folder.run(&["validate", "a.json"]).code, 0);
    let ran = folder.run(&["validate", "--config=jsonx.json", "a.json"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.err.starts_with("jsonx: jsonx.json: "), "{}", ran.err);
    let ran = folder.run(&["validate", "--config=none.json", "a.json"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.err.starts_with("jsonx: none.json: "), "{}", ran.err);
    assert_eq!(
        folder
            .run(&["validate", "--config=x", "--no-config", "a.json"])
            .code,
        2
    );
    // Too large, and too deep.
    let large = format!("{{\"ignore\": [\"{}\"]}}", "x".repeat(1 << 20));
    let folder = repository(&[("jsonx.json", &large), ("a.json", "{}")]);
    let ran = folder.run(&["validate", "a.json"]);
    assert_eq!(ran.code, 4);
    assert!(
        ran.err
            .starts_with("jsonx: jsonx.json: it is larger than 1 MiB\n"),
        "{}",
        ran.err
    );
    let deep = format!(
        "{{\"indent\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let folder = repository(&[("jsonx.json", &deep), ("a.json", "{}")]);
    assert_eq!(folder.run(&["validate", "-q", "a.json"]).code, 2);
}

#[cfg(unix)]
#[test]
fn a_config_that_cannot_be_read() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let folder = repository(&[("a.json", "{}"), ("sub/b.json", "{\"a\":1}")]);
    symlink("jsonx.json", folder.path("jsonx.json")).unwrap();
    let ran = folder.run(&["validate", "a.json"]);
    assert_eq!(ran.code, 4);
    assert!(
        ran.err.starts_with("jsonx: jsonx.json: ") && ran.err.contains("links"),
        "{}",
        ran.err
    );
    fs::remove_file(folder.path("jsonx.json")).unwrap();
    // It is not opened: that would block forever.
    rustix::fs::mknodat(
        rustix::fs::CWD,
        folder.path("jsonx.json"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    let ran = folder.run(&["validate", "a.json"]);
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("it is not a regular file"), "{}", ran.err);
    fs::remove_file(folder.path("jsonx.json")).unwrap();
    // Names that are not UTF-8, in parent folders and in globs.
    let odd = folder.0.path().join(std::ffi::OsStr::from_bytes(b"\xff"));
    fs::create_dir(&odd).unwrap();
    fs::write(
        odd.join("jsonx.json"),
        "{\"indent\": 1, \"ignore\": [\"x.json\"], \"nope\": 1}",
    )
    .unwrap();
    fs::write(odd.join("a.json"), "{}").unwrap();
    let ran = folder.run(&["validate", "."]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("jsonx.json:1:37"), "{}", ran.out);
    fs::write(
        odd.join("jsonx.json"),
        "{\"indent\": 1, \"ignore\": [\"x.json\"]}",
    )
    .unwrap();
    fs::write(odd.join("x.json"), "{").unwrap();
    assert_eq!(folder.run(&["validate", "-q", "."]).code, 0);
    let ran = run_in(&odd, &["fmt", "../sub/b.json", "-v"], "");
    assert_eq!((&*ran.out, &*ran.err), ("{\n  \"a\": 1\n}\n", ""));
}

#[test]
fn a_value_that_cannot_be_used_is_shown_in_its_config() {
    let folder = repository(&[("a.json", "{}"), ("s.json", "{}"), ("no.json", "[]")]);
    for (config, place, code) in [
        (
            "{\"schema\": \"s.json\",\n \"schemaDir\": \"nowhere\"}",
            "jsonx.json:2:15",
            4,
        ),
        ("{\"catalog\": \"nowhere.json\"}", "jsonx.json:1:13", 4),
        ("{\"catalog\": \"no.json\"}", "jsonx.json:1:13", 2),
    ] {
        fs::write(folder.path("jsonx.json"), config).unwrap();
        let ran = folder.run(&["validate", "a.json", "s.json"]);
        assert_eq!(ran.code, code, "{config}: {}{}", ran.out, ran.err);
        assert_eq!(
            headlines(&ran.out),
            [format!("error[config] {place}")],
            "{}",
            ran.out
        );
    }
}

/// A schema that is missing has one exit code, whatever names it.
#[test]
fn a_missing_schema_cannot_be_read() {
    let folder = repository(&[("a.json", "{}")]);
    for args in [
        &["--schema", "s.json"][..],
        &["--schema", "s.json#/a"],
        &["--schema-map", "*.json=s.json"],
        &["--schema-map", "catalog.json"],
        &["--use-schema-key", "--schema-dir", "schemas"],
        &["--config", "none.json"],
    ] {
        let ran = folder.run(&[&["validate", "a.json"], args].concat());
        assert_eq!(ran.code, 4, "{args:?}: {}", ran.err);
    }
    for config in [
        "{\"schema\": \"s.json\"}",
        "{\"catalog\": \"catalog.json\"}",
        "{\"schemaDir\": \"schemas\", \"useSchemaKey\": true}",
    ] {
        fs::write(folder.path("jsonx.json"), config).unwrap();
        let ran = folder.run(&["validate", "a.json"]);
        assert_eq!(ran.code, 4, "{config}: {}{}", ran.out, ran.err);
    }
}
