//! `jsonx shape`.

use std::io::Write;

use proptest::prelude::*;

use crate::{Folder, piped};

const LINES: &str = "{\"id\": 1, \"at\": {\"x-y\": \"a|b\"}}\n{\"id\": \"two\", \"l\": [1, null]}\n{\"id\": 3, \"l\": []}\n";

const TABLE: &str = "\
path     share   types                   least  greatest  mean  example
.        100%    object
.id      100%    string 33%, number 67%      1         3     2  1
.at      33%     object
.at.x-y  100%    string                                         a|b
.l       67%     array
.l[]     1 each  number 50%, null 50%        1         1     1  1
";

#[test]
fn a_shape_has_a_row_for_each_path() {
    let array = format!("[{}]", LINES.trim_end().replace('\n', ","));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    gzip.write_all(LINES.as_bytes()).unwrap();
    let json5 = array.replace("\"id\"", "id").replace("3,", "0x3,");
    let folder = Folder::with(&[
        ("a.jsonl", LINES.as_bytes()),
        ("a.jsonl.gz", &gzip.finish().unwrap()),
        ("a.json", array.as_bytes()),
        ("a.json5", json5.as_bytes()),
        ("d/a.json", b"{\"id\": 1}"),
        ("d/b.json", b"{}"),
        ("d/c.txt", b"{\"no\": 1}"),
    ]);
    for args in [
        &["a.jsonl"][..],
        &["a.jsonl.gz"],
        &["-p", ".", "a.jsonl"],
        &["--path", ".[]", "a.json"],
        &["--path", "$[*]", "a.json5"],
        &["a.jsonl", "--threads=3"],
    ] {
        let ran = folder.run(&[&["shape"], args].concat());
        let result = (ran.out.as_str(), ran.err.as_str(), ran.code);
        assert_eq!(result, (TABLE, "", 0), "{args:?}");
    }
    assert_eq!(piped(&["shape"], LINES).out, TABLE);
    assert_eq!(piped(&["shape", "-p", ".[]"], &array).out, TABLE);
    let ran = folder.run(&["shape", "d"]);
    let table = "path  share  types   least  greatest  mean  example\n.     100%   object\n.id   50%    number      1         1     1        1\n";
    assert_eq!((ran.out.as_str(), ran.code), (table, 0));
    for (args, code) in [
        (&["none.json"][..], 4),
        (&["-p", ".none", "a.json"], 1),
        (&["-p", "none", "a.json"], 2),
        (&["--limit=1", "a.json"], 2),
        (&["-p", ".a", "-p", ".b", "a.json"], 2),
    ] {
        let ran = folder.run(&[&["shape"], args].concat());
        assert_eq!(
            (ran.out.as_str(), ran.code),
            ("", code),
            "{args:?} {}",
            ran.err
        );
    }
}

#[test]
fn an_invalid_text_has_no_shape_and_an_invalid_record_no_part_in_it() {
    for text in ["", "[1, 2", "{\"a\": [1,]}"] {
        let ran = piped(&["shape"], text);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{text}");
    }
    let text = "{\"a\": 1}\n{\"b\": 2\n{\"a\": 2}\n";
    let table = "path  share  types   least  greatest  mean  example\n.     100%   object\n.a    100%   number      1         2   1.5        1\n";
    for (option, code) in [("--no-hidden", 3), ("--skip-invalid", 0)] {
        let ran = piped(&["shape", option], text);
        assert_eq!((ran.out.as_str(), ran.code), (table, code), "{}", ran.err);
    }
}

#[test]
fn objects_for_programs_have_counts() {
    let out = piped(&["shape", "--json"], LINES).out;
    let lines = [
        r#"{"path":".","count":3,"of":3,"types":{"object":3}}"#,
        r#"{"path":".id","count":3,"of":3,"types":{"string":1,"number":2},"least":1,"greatest":3,"mean":2,"example":1}"#,
        r#"{"path":".at","count":1,"of":3,"types":{"object":1}}"#,
        r#"{"path":".at.x-y","count":1,"of":1,"types":{"string":1},"example":"a|b"}"#,
        r#"{"path":".l","count":2,"of":3,"types":{"array":2}}"#,
        r#"{"path":".l[]","count":2,"of":2,"types":{"number":1,"null":1},"least":1,"greatest":1,"mean":1,"example":1}"#,
    ];
    assert_eq!(out, lines.join("\n") + "\n");
}

/// Of long values, the beginning is shown, whatever is at its end; hostile ones stay on their line.
#[test]
fn examples_are_cut_between_characters() {
    let long = |unit: &str| format!("\"{}\"", unit.repeat(100));
    for (text, cell, example) in [
        (long("é"), "é".repeat(31) + "…", None),
        (
            long("\\n"),
            "\\n".repeat(31) + "…",
            Some("\\n".repeat(31) + "…"),
        ),
        (long("\\ud83d\\ude00"), "😀".repeat(5) + "…", None),
        (
            long("\\\\"),
            "\\\\".repeat(31) + "…",
            Some("\\\\".repeat(31) + "…"),
        ),
        (
            r#""a\tb\u001b""#.to_owned(),
            "a\\tb␛".to_owned(),
            Some(r"a\tb\u001b".to_owned()),
        ),
    ] {
        let table = piped(&["shape"], &text).out;
        let last = table
            .lines()
            .nth(1)
            .unwrap()
            .split("  ")
            .last()
            .unwrap()
            .trim();
        assert_eq!(last, cell, "{table}");
        let json = piped(&["shape", "--json"], &text).out;
        let end = format!("\"example\":\"{}\"}}\n", example.unwrap_or(cell));
        assert!(json.ends_with(&end), "{json}");
    }
    let number = "1".repeat(1000);
    let table = piped(&["shape"], &number).out;
    assert!(table.contains(&format!("{}…", "1".repeat(64))) && !table.contains(&"1".repeat(65)));
    let json = piped(&["shape", "--json"], &number).out;
    assert!(
        json.contains(&format!(
            "\"least\":{number},\"greatest\":{number},\"example\":\"1"
        )),
        "{json}"
    );
}

#[test]
fn bounds_are_exact_and_means_those_of_doubles() {
    for (numbers, least, greatest, mean) in [
        ("0.1 0.2 0.3", "0.1", "0.3", "0.2"),
        (
            "9007199254740993 9007199254740992.0",
            "9007199254740992.0",
            "9007199254740993",
            "9007199254740992",
        ),
        ("1 2.50 -1e-3", "-1e-3", "2.50", "1.16633333333333"),
        ("1e280 3e280", "1e280", "3e280", "2e+280"),
        ("1e400 1e-400", "1e-400", "1e400", ""),
        ("-0", "0", "0", "0"),
    ] {
        let out = piped(&["shape", "--json"], numbers).out;
        let mean = if mean.is_empty() {
            String::new()
        } else {
            format!(",\"mean\":{mean}")
        };
        let part = format!("\"least\":{least},\"greatest\":{greatest}{mean},");
        assert!(out.contains(&part), "{numbers}: {out}");
    }
}

/// Long JSON Lines, on any number of threads.
#[test]
fn a_shape_does_not_depend_on_threads() {
    let mut lines = String::new();
    for number in 0..200_000_u64 {
        let key = number * number % 1000;
        lines += &format!(
            "{{\"n\": {}.{key:03}, \"k{}\": {{\"a\": {}}}}}\n",
            number % 7,
            key % 300,
            key % 3
        );
    }
    let folder = Folder::with(&[("a.jsonl", lines.as_bytes())]);
    for args in [&[][..], &["-p", ".n"], &["-p", "$.*"]] {
        let run =
            |threads| folder.run(&[&["shape", "a.jsonl", "--threads", threads], args].concat());
        let one = run("1");
        assert!(one.code == 0 && !one.out.is_empty(), "{args:?} {}", one.err);
        assert_eq!(run("3"), one, "{args:?}");
        let pipe = piped(&[&["shape"], args].concat(), &lines);
        assert_eq!(pipe.out, one.out, "{args:?}");
    }
}

/// Paths are as long as they are deep, so all of 9,000 nested arrays would take 80 MB.
#[test]
fn deep_and_wide_values_have_a_short_shape() {
    let deep = "[".repeat(9000) + &"]".repeat(9000);
    let ran = piped(&["shape", "--max-depth", "9000"], &deep);
    assert!(ran.out.len() < 1 << 20, "{}", ran.out.len());
    assert!(
        ran.err.contains("16384 paths of up to 256 steps"),
        "{}",
        ran.err
    );
    // Members that are not told apart are counted like elements.
    let members = |name: &str| -> String {
        let all: Vec<String> = (0..300).map(|n| format!("\"{name}{n}\": 1")).collect();
        format!("{{{}}}", all.join(","))
    };
    let ran = piped(&["shape"], format!("[{}, {}]", members("a"), members("b")));
    let rest = ran.out.lines().last().unwrap();
    assert!(
        rest.starts_with(".[].*") && rest.contains("172 each"),
        "{rest}"
    );
    let ran = piped(&["shape", "--json"], "[-0, -0.0, -1e-9, -0e5]");
    assert!(
        ran.out.contains("\"least\":-1e-9,\"greatest\":0,"),
        "{}",
        ran.out
    );
}

#[test]
fn schemas() {
    for (text, schema) in [
        ("1", r#""type":"integer""#),
        ("1.0 1e2 -0", r#""type":"integer""#),
        ("1e400 12345678901234567890", r#""type":"integer""#),
        ("1 1.5", r#""type":"number""#),
        (
            "1 \"a\" null [] {}",
            r#""type":["object","array","string","integer","null"]"#,
        ),
        ("[]", r#""type":"array""#),
        (
            "[] [1] [[]]",
            r#""type":"array","items":{"type":["array","integer"]}"#,
        ),
        ("{}", r#""type":"object""#),
        (
            r#"{"a": 1, "b": 2} {"b": 1.5}"#,
            r#""type":"object","properties":{"a":{"type":"integer"},"b":{"type":"number"}},"required":["b"]"#,
        ),
        // The first object has the key twice, the second not at all.
        (
            r#"{"a": 1, "a": null} {}"#,
            r#""type":"object","properties":{"a":{"type":["integer","null"]}}"#,
        ),
        (
            r#"[{"a": 1}] [{}, 2]"#,
            r#""type":"array","items":{"type":["object","integer"],"properties":{"a":{"type":"integer"}}}"#,
        ),
        (
            r#"{"a\"\\\n\u0000é/~": true, "\ud800": 1}"#,
            r#""type":"object","properties":{"a\"\\\n\u0000é/~":{"type":"boolean"}},"required":["a\"\\\n\u0000é/~"]"#,
        ),
    ] {
        let ran = piped(&["shape", "--schema"], text);
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{text}");
        let head = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","#;
        let expected = piped(&["fmt"], format!("{head}{schema}}}")).out;
        assert_eq!(ran.out, expected, "{text}");
    }
    let ran = piped(&["shape", "--schema", "-p", ".none"], "{}");
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    assert_eq!(piped(&["shape", "--schema", "--json"], "{}").code, 2);
}

/// Runs `shape --schema` over these files, and checks them with it.
fn is_matched(files: &[(&str, &[u8])]) -> (String, String) {
    let folder = Folder::with(files);
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let ran = folder.run(&[&["shape", "--schema"], &names[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    std::fs::write(folder.path("s"), &ran.out).unwrap();
    let options = ["validate", "--schema", "s", "--allow", "all"];
    let checked = folder.run(&[&options, &names[..]].concat());
    assert_eq!(checked.code, 0, "{} {}", ran.out, checked.out);
    (ran.out, checked.out)
}

/// What one file tells apart, another does not: more keys than are told apart, in another order; more paths; and deep values.
#[test]
fn schemas_of_wide_and_deep_values() {
    let object = |keys: &mut dyn Iterator<Item = usize>, value: &str| {
        let members: Vec<String> = keys.map(|key| format!("\"k{key}\": {value}")).collect();
        format!("{{{}}}", members.join(","))
    };
    let up = object(&mut (0..400), "1");
    let down = object(&mut (0..400).rev(), "\"a\"");
    let (schema, _) = is_matched(&[("a.json", up.as_bytes()), ("b.json", down.as_bytes())]);
    assert!(schema.contains("additionalProperties") && !schema.contains("\"properties\""));
    // 100 times 200 paths, in two orders.
    let all = |rows: &mut dyn Iterator<Item = usize>, value: &str| {
        let rows = rows.map(|row| format!("\"r{row}\": {}", object(&mut (0..200), value)));
        format!("{{{}}}", rows.collect::<Vec<_>>().join(","))
    };
    let up = all(&mut (0..100), "1");
    let down = all(&mut (0..100).rev(), "\"a\"");
    is_matched(&[("a.json", up.as_bytes()), ("b.json", down.as_bytes())]);
    let deep = |inner: &str| format!("{}{inner}{}", "[{\"a\":".repeat(140), "}]".repeat(140));
    is_matched(&[
        ("a.json", deep("1").as_bytes()),
        ("b.json", deep("[null]").as_bytes()),
    ]);
}

/// JSON texts with equal keys, numbers in all notations and keys with all characters.
fn any_text() -> impl Strategy<Value = String> {
    let scalars = vec![
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1",
        "1.0",
        "1e2",
        "100e-2",
        "1.5",
        "-1e-3",
        "1e400",
        "12345678901234567890.0",
        "\"\"",
        "\"a\"",
        "\"\\ud83d\\ude00\"",
        "[]",
        "{}",
    ];
    let keys = vec![
        "a", "b", "", "$ref", "\\u0061", "a/b~", "\\\"", "\\u0000", "é", "\\ud800", "type",
    ];
    let scalar = prop::sample::select(scalars).prop_map(str::to_owned);
    scalar.prop_recursive(4, 48, 6, move |inner| {
        let member = (prop::sample::select(keys.clone()), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(|all| format!("[{}]", all.join(", "))),
            prop::collection::vec(member, 0..6).prop_map(|members| {
                let members = members
                    .iter()
                    .map(|(key, value)| format!("\"{key}\": {value}"));
                format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_schema_accepts_what_it_was_made_from(lines in prop::collection::vec(any_text(), 1..6), document in any_text()) {
        let lines = lines.join("\n") + "\n";
        is_matched(&[("a.jsonl", lines.as_bytes()), ("b.json", document.as_bytes())]);
    }
}
