//! Settings and options have the same effect, and the command line takes precedence.

use super::*;

/// A config has the effect of options: the same output and exit code.
#[test]
fn a_setting_equals_its_option() {
    let files = [
        ("a.json", TWICE),
        ("c.json", COMMENTED),
        ("x/s.json", SCHEMA),
        (
            "x/draft.json",
            "{\"$schema\": \"x/s.json\", \"b\": 1, \"d\": \"no\"}\n",
        ),
        (
            "cat.json",
            "{\"schemas\": [{\"fileMatch\": [\"a.json\"], \"url\": \"x/s.json\"}]}\n",
        ),
        (
            "d.json",
            "{\"$schema\": \"https://example.com/s.json\", \"b\": 1, \"d\": \"no\"}\n",
        ),
        ("dir/example.com/s.json", SCHEMA),
    ];
    let folder = repository(&files);
    let in_jsonc = [
        &["validate", "-v", "c.json"][..],
        &["fix", "c.json"],
        &["set", ".a", "2", "c.json"],
        &["set", ".a", "2", "c.json", "--diff"],
        &["del", ".a", "c.json"],
        &["append", ".b", "3", "c.json"],
        &["locate", "c.json:2:7"],
        &["diff", "a.json", "c.json"],
        &["patch", "--merge", "a.json", "c.json"],
        &["fmt", "--to=msgpack", "c.json"],
    ]
    .map(|command| (r#""input": "jsonc""#, &["--input=jsonc"][..], command));
    let mut compared = 0;
    for (config, options, command) in [
        (
            r#""input": "jsonl""#,
            &["--input=jsonl"][..],
            &["validate", "c.json"][..],
        ),
        (
            r#""overrides": [{"files": ["c.json"], "input": "jsonc"}]"#,
            &["--input=c.json=jsonc"],
            &["get", ".b", "c.json"],
        ),
        (
            r#""overrides": [{"files": ["*.json"], "input": "jsonc"}]"#,
            &["--input=*.json=jsonc"],
            &["fmt", "c.json"],
        ),
        (
            r#""lints": {"duplicate-key": "deny"}"#,
            &["--deny=duplicate-key"],
            &["validate", "a.json"],
        ),
        (
            r#""lints": {"duplicate-key": "off"}"#,
            &["--allow=duplicate-key"],
            &["validate", "a.json"],
        ),
        (
            r#""lints": {"duplicate-key": "warn", "all": "deny"}"#,
            &["--deny=all", "--warn=duplicate-key"],
            &["validate", "a.json"],
        ),
        (
            r#""schema": "x/s.json""#,
            &["--schema=x/s.json"],
            &["validate", "a.json", "d.json"],
        ),
        (
            r#""overrides": [{"files": ["a.json"], "schema": "x/s.json"}]"#,
            &["--schema-map=a.json=x/s.json"],
            &["validate", "a.json", "d.json"],
        ),
        (
            r#""schema": "x/s.json#/properties""#,
            &["--schema=x/s.json#/properties"],
            &["validate", "a.json"],
        ),
        (
            r#""catalog": "cat.json""#,
            &["--schema-map=cat.json"],
            &["validate", "a.json", "d.json"],
        ),
        (
            r#""useSchemaKey": true"#,
            &["--use-schema-key"],
            &["validate", "a.json", "d.json"],
        ),
        (
            r#""useSchemaKey": true, "schemaDir": "dir""#,
            &["--use-schema-key", "--schema-dir=dir"],
            &["validate", "d.json"],
        ),
        (
            r#""useSchemaKey": true, "schemaDir": "dir", "formats": "assert""#,
            &["--use-schema-key", "--schema-dir=dir", "--formats=assert"],
            &["validate", "d.json"],
        ),
        (
            r#""schema": "x/s.json", "draft": "4""#,
            &["--schema=x/s.json", "--draft=4"],
            &["validate", "a.json"],
        ),
        (
            r#""schema": "x/s.json", "lints": {"schema/type": "off"}"#,
            &["--schema=x/s.json", "--allow=schema/type"],
            &["validate", "a.json"],
        ),
        (
            r#""schema": "x/s.json", "lints": {"schema": "warn"}"#,
            &["--schema=x/s.json", "--warn=schema"],
            &["validate", "a.json"],
        ),
        (r#""style": "compact""#, &["--compact"], &["fmt", "a.json"]),
        (r#""indent": 4"#, &["--indent=4"], &["fmt", "a.json"]),
        (
            r#""indent": "tab""#,
            &["--tab"],
            &["fmt", "--check", "--diff", "a.json"],
        ),
        (r#""width": 80"#, &["--width=80"], &["fmt", "a.json"]),
        (r#""eol": "crlf""#, &["--eol=crlf"], &["fmt", "a.json"]),
        (r#""sortKeys": true"#, &["--sort-keys"], &["fmt", "a.json"]),
        (
            r#""sortKeys": true"#,
            &["--sort-keys"],
            &["fmt", "--stdin-filename=a.json"],
        ),
        (
            r#""trailingCommas": "all", "input": "jsonc""#,
            &["--trailing-commas=all", "--input=jsonc"],
            &["fmt", "c.json"],
        ),
        (
            r#""maxDepth": 2"#,
            &["--max-depth=2"],
            &["validate", "a.json"],
        ),
        (
            r#""maxDepth": 2"#,
            &["--max-depth=2"],
            &["get", ".a", "a.json"],
        ),
        (
            r#""maxDepth": 2"#,
            &["--max-depth=2"],
            &["fmt", "--check", "a.json"],
        ),
        (
            r#""maxErrors": 1"#,
            &["--max-errors=1"],
            &["validate", "c.json"],
        ),
        (
            r#""maxErrors": 1"#,
            &["--max-errors=1"],
            &["fix", "--all", "c.json"],
        ),
    ]
    .into_iter()
    .chain(in_jsonc)
    {
        fs::write(folder.path("jsonx.json"), format!("{{ {config}, }}")).unwrap();
        let input = "{\"b\": 1, \"a\": 2}";
        let configured = run_in(folder.0.path(), command, input);
        let told = [command, options, &["--no-config"]].concat();
        let mut told = run_in(folder.0.path(), &told, input);
        let plain = run_in(
            folder.0.path(),
            &[command, &["--no-config"]].concat(),
            input,
        );
        // `--verbose` names the config.
        if command.contains(&"-v") {
            told.err.insert_str(0, "c.json: settings from jsonx.json\n");
        }
        assert_eq!(configured, told, "{config}: {command:?}");
        // The case must have an effect, unless it states a default.
        compared += usize::from(configured != plain);
    }
    assert!(compared >= 35, "{compared}");
}

#[test]
fn the_command_line_takes_precedence() {
    let folder = repository(&[
        ("a.json", TWICE),
        ("c.json", COMMENTED),
        ("s.json", SCHEMA),
        ("any.json", "true"),
        (
            "jsonx.json",
            r#"{"overrides": [{"files": ["c.json"], "input": "jsonc"}], "lints": {"all": "deny"}, "schema": "s.json", "indent": 4, "width": 99,
                "eol": "crlf", "sortKeys": true, "maxDepth": 1, "maxErrors": 1, "trailingCommas": "all"}"#,
        ),
    ]);
    let code = |arguments: &[&str]| folder.run(arguments).code;
    assert_eq!(
        code(&[
            "validate",
            "-q",
            "--schema=any.json",
            "--max-depth=9",
            "--warn=all",
            "a.json"
        ]),
        0
    );
    assert_eq!(
        code(&[
            "validate",
            "-q",
            "--schema=any.json",
            "--max-depth=9",
            "a.json"
        ]),
        1
    );
    assert_eq!(
        code(&[
            "validate",
            "-q",
            "--schema=any.json",
            "--warn=all",
            "a.json"
        ]),
        4
    );
    assert_eq!(code(&["get", ".b", "c.json", "--max-depth=5"]), 0);
    assert_eq!(
        code(&["get", ".b", "c.json", "--max-depth=5", "--input=json"]),
        3
    );
    assert_eq!(
        code(&["get", ".b", "c.json", "--max-depth=5", "--input=auto"]),
        3
    );
    let fmt = |more: &[&str]| {
        let fixed = ["fmt", "--max-depth=9", "--eol=lf", "a.json"];
        folder.run(&[&fixed, more].concat()).out
    };
    assert_eq!(fmt(&[]), "{\"a\": [[1]], \"b\": 1, \"b\": 2}\n");
    assert_eq!(fmt(&["-c"]), "{\"a\":[[1]],\"b\":1,\"b\":2}\n");
    assert_eq!(
        fmt(&["--width=20", "--tab"]),
        "{\n\t\"a\": [[1]],\n\t\"b\": 1,\n\t\"b\": 2\n}\n"
    );
    assert_eq!(
        folder
            .run(&["fmt", "--canonical", "--max-depth=9", "s.json"])
            .code,
        0
    );
}
