//! The cost of checks with a schema; ordinary files do not reach the limits.

use serde_json::{Value, json};

use crate::Folder;

fn write(folder: &Folder, name: &str, text: impl AsRef<[u8]>) {
    std::fs::write(folder.path(name), text).unwrap();
}

fn ran(schema: &Value, value: &Value) -> (i32, String) {
    let folder = Folder::with(&[]);
    write(&folder, "s.json", schema.to_string());
    write(&folder, "a.json", value.to_string());
    let ran = folder.run(&[
        "validate",
        "--schema",
        "s.json",
        "--max-errors",
        "3",
        "a.json",
    ]);
    (ran.code, ran.out)
}

/// Equal numbers in different notations, objects in different orders, and values that are only similar.
#[test]
fn enums_and_constants_compare_by_value() {
    let groups: &[&[&str]] = &[
        &["1", "1.0", "1e0", "10e-1", "100E-2"],
        &["0", "-0", "0.0", "-0.0e5"],
        &["9007199254740993", "9007199254740993.0"],
        &["9007199254740992"],
        &["1e400", "10e399"],
        &["1e18446744073709551616"],
        &["123456789012345678901234567890"],
        &["true"],
        &["false"],
        &["null"],
        &["\"1\"", "\"\\u0031\""],
        &["\"\""],
        &["[]", "[ ]"],
        &["{}", "{ }"],
        &["[1,{\"a\":0}]", "[1.0, {\"a\":-0}]"],
        &[
            "{\"a\":1,\"b\":[2]}",
            "{\"b\":[2e0],\"a\":1.0}",
            "{\"a\":7,\"b\":[2],\"\\u0061\":1}",
        ],
        &["{\"a\":1,\"b\":[3]}"],
        &["[[]]"],
        &["[null]"],
    ];
    let folder = Folder::with(&[]);
    for (number, group) in groups.iter().enumerate() {
        let others: Vec<&str> = groups
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != number)
            .map(|(_, group)| group[0])
            .collect();
        write(
            &folder,
            "one.json",
            format!("{{\"items\": {{\"const\": {}}}}}", group[0]),
        );
        write(
            &folder,
            "all.json",
            format!(
                "{{\"items\": {{\"enum\": [{},{}]}}}}",
                others.join(","),
                group[0]
            ),
        );
        write(
            &folder,
            "none.json",
            format!(
                "{{\"items\": {{\"not\": {{\"enum\": [{}]}}}}}}",
                others.join(",")
            ),
        );
        write(&folder, "a.json", format!("[{}]", group.join(",")));
        write(&folder, "b.json", format!("[{}]", others.join(",")));
        for schema in ["one.json", "all.json", "none.json"] {
            let ran = folder.run(&[
                "validate",
                "--schema",
                schema,
                "--allow",
                "duplicate-key",
                "a.json",
            ]);
            assert_eq!(ran.code, 0, "{schema} {group:?}: {}{}", ran.out, ran.err);
        }
        let ran = folder.run(&[
            "validate",
            "--schema",
            "one.json",
            "--max-errors",
            "0",
            "b.json",
        ]);
        assert_eq!(
            ran.out.matches("error[schema/const]").count(),
            others.len(),
            "{group:?}: {}",
            ran.out
        );
    }
}

/// Each of these once exceeded the steps, or took quadratic time.
#[test]
fn limits_are_not_met_by_honest_files() {
    let names = |count: usize| (0..count).map(|number| json!(format!("value-{number}")));
    let rows = |count: usize, of: usize| {
        (0..count).map(move |number| json!({"a": format!("value-{}", number % of)}))
    };
    // One wrong value among many.
    let schema = json!({"items": {"properties": {"a": {"enum": names(1000).collect::<Vec<_>>()}}}});
    let mut value: Vec<Value> = rows(5000, 1000).collect();
    value.push(json!({"a": "valu-7"}));
    let (code, out) = ran(&schema, &json!(value));
    assert!(
        code == 1 && out.contains("did you mean \"value-7\"?"),
        "{out}"
    );
    // Many values, all valid.
    let schema = json!({"items": {"enum": names(10_000).collect::<Vec<_>>()}});
    let value: Vec<Value> = names(10_000).chain(names(10_000)).collect();
    assert_eq!(ran(&schema, &json!(value)).0, 0);
    let objects: Vec<Value> = (0..5000).map(|number| json!({"a": number})).collect();
    let reversed: Vec<&Value> = objects.iter().rev().collect();
    assert_eq!(
        ran(&json!({"items": {"enum": objects}}), &json!(reversed)).0,
        0
    );
    // Each name of one list is in the other.
    let object = names(5000).map(|name| (name.as_str().unwrap().to_owned(), json!(1)));
    let object: serde_json::Map<String, Value> = object.collect();
    let required = json!({"required": names(5000).collect::<Vec<_>>()});
    assert_eq!(ran(&required, &json!(object)).0, 0);
}

/// Millions of pairs of names are not compared, but each key is still reported.
#[test]
fn hints_have_a_budget() {
    let keys = |first: &str| -> serde_json::Map<String, Value> {
        (0..3000)
            .map(|number| (format!("{first}_{number:06}"), json!({})))
            .collect()
    };
    let schema = json!({"properties": keys("property"), "additionalProperties": false});
    let (code, out) = ran(&schema, &json!(keys("propertx")));
    assert!(
        code == 1 && out.contains("did you mean `property_000000`?"),
        "{out}"
    );
    assert!(out.contains("3000 errors") || out.contains("2997"), "{out}");
}

/// A pattern that rereads the whole text at each position ends in an error at that text.
#[test]
fn patterns_have_a_budget() {
    let schema = json!({"items": {"pattern": "(?<=(a|aa)*)b"}});
    let (code, out) = ran(&schema, &json!(["ab", "a".repeat(20_000)]));
    assert!(
        code == 4 && out.contains("a pattern needs too many steps"),
        "{out}"
    );
    assert!(out.contains("a.json:1:7"), "{out}");
    // So does a key, for each keyword that matches it, including matches after the verdict.
    let costly = "(?<=(a|aa)*)b";
    let names = json!({costly: {"type": "string"}});
    let key = json!({"a".repeat(20_000): 1});
    let wrong = json!({"x": "no", "y": "a".repeat(20_000)});
    for (schema, value, at, message) in [
        (
            json!({"patternProperties": names}),
            &key,
            "1:2",
            "cannot be checked",
        ),
        (
            json!({"patternProperties": names, "additionalProperties": false}),
            &key,
            "1:2",
            "cannot be checked",
        ),
        (
            json!({"$defs": {"names": {"patternProperties": names}}, "$ref": "#/$defs/names",
                "unevaluatedProperties": false}),
            &key,
            "1:2",
            "cannot be checked",
        ),
        (
            json!({"properties": {"x": {"propertyNames": {"pattern": costly}}}}),
            &json!({"x": key}),
            "1:1",
            "cannot be checked",
        ),
        (
            json!({"properties": {"x": {"type": "integer"}, "y": {"pattern": costly}}}),
            &wrong,
            "1:15",
            "the position is unknown",
        ),
    ] {
        let (code, out) = ran(&schema, value);
        assert!(
            code == 4 && out.contains("a pattern needs too many steps") && out.contains(message),
            "{schema}: {out}"
        );
        assert!(out.contains(&format!("a.json:{at}")), "{schema}: {out}");
    }
    let schema = json!({"patternProperties": {"^(?!.*foo)[a-z]+$": {"type": "integer"}},
        "additionalProperties": false});
    let mut value: serde_json::Map<String, Value> = (0..3000)
        .map(|number| {
            (
                "ab".repeat(1 + number % 50) + &"c".repeat(number / 50),
                json!(1),
            )
        })
        .collect();
    value.insert("b".repeat(100_000), json!(1));
    assert_eq!(ran(&schema, &json!(value)), (0, String::new()));
    // Many cheap attempts are fine.
    let schema = json!({"items": {"pattern": "^(?!.*foo)[a-z]+$|(?<!x)y"}});
    let value = json!(["b".repeat(100_000), format!("{}zy", "xy".repeat(1000))]);
    assert_eq!(ran(&schema, &value), (0, String::new()));
}

/// A path that is not below the current directory, in any form.
#[cfg(unix)]
#[test]
fn globs_take_any_path() {
    let folder = Folder::with(&[]);
    write(&folder, "x.conf", "{\"a\": 1} // comment\n");
    write(&folder, "s.json", "{\"required\": [\"b\"]}");
    let path = folder.path("x.conf");
    let path = path.to_str().unwrap();
    for path in [
        "x.conf".to_owned(),
        path.to_owned(),
        format!("/{path}"),
        format!(".//{}", "x.conf"),
    ] {
        let ran = folder.run(&["validate", "--input", "*.conf=jsonc", &path]);
        assert_eq!(ran.code, 0, "{path}: {}{}", ran.out, ran.err);
        let args = [
            "validate",
            "--input",
            "jsonc",
            "--schema-map",
            "*.conf=s.json",
            &path,
        ];
        let ran = folder.run(&args);
        assert!(
            ran.code == 1 && ran.out.contains("lacks the key `b`"),
            "{path}: {}{}",
            ran.out,
            ran.err
        );
    }
}
