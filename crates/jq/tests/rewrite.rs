//! `rewrite`: the new text holds the result, and unchanged values keep their bytes.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jsonx_core::engine::Options;
use jsonx_core::jsonc::Dialect;
use jsonx_core::{Document, Kind, Node};
use jsonx_jq::{IndexedText, Lazy, Program, Settings, TextBytes, Value, order, rewrite};
use jsonx_testing::{cases, suite};
use proptest::prelude::*;

/// Programs with every kind of change.
const PROGRAMS: [&str; 39] = [
    ".",
    "(.. | numbers) |= . + 1",
    "(.. | booleans) |= not",
    "(.. | strings) |= ascii_upcase",
    "(.. | arrays) |= reverse",
    "(.. | arrays) |= sort",
    "(.. | arrays) |= sort_by(tojson | length)",
    "(.. | arrays) |= .[1:] + .[:1]",
    "(.. | arrays | select(length > 0)) |= .[1:]",
    "(.. | arrays) += [null]",
    "(.. | arrays) |= [\"first\"] + .",
    "(.. | objects) |= with_entries(.key |= . + \"_\")",
    "(.. | objects) |= (to_entries | sort_by(.key) | from_entries)",
    "(.. | objects) |= (to_entries | reverse | from_entries)",
    "(.. | objects) += {added: {deep: [1, {}]}}",
    "(.. | objects) |= ({first: 1} + .)",
    "(.. | objects | select(length > 1)) |= del(.[keys_unsorted[0]])",
    "(.. | objects | select(length > 1)) |= del(.[keys_unsorted[-1]])",
    "(.. | objects) |= (.m = 1 | to_entries | sort_by(.key) | from_entries)",
    "del(.. | select(. == null))",
    "del(.. | numbers)",
    "walk(if type == \"object\" then with_entries(select(.value != [])) else . end)",
    "map_values(.)?  // .",
    "[.]",
    "{only: .}",
    "null",
    "if type == \"object\" then .a = .b else . end",
    "if type == \"array\" then .[0] = 7 else . end",
    "if type == \"object\" then with_entries(select(.key | length % 2 == 0)) else . end",
    "if type == \"array\" then map(select(. != null)) else . end",
    "if type == \"array\" then unique else . end",
    "(first(.. | objects) | .a.b.c) = 1",
    "if type == \"object\" then .z = .a | del(.a) else . end",
    "if type == \"object\" then .b.k = .a | del(.a) else {wrap: [.]} end",
    "if type == \"object\" then .n.m.k = .b | del(.b) else . end",
    "if type == \"object\" then . as $d | .a = $d.b | .b = $d.a else . end",
    "[.[]?]",
    "[.. | scalars]",
    "(.. | strings | select(test(\"a\"))) |= sub(\"a\"; \"é\\n\")",
];

fn leaves<'d>(root: Node<'d, 'd>) -> HashMap<String, &'d [u8]> {
    let mut leaves = HashMap::new();
    let mut pending = vec![(String::new(), root)];
    while let Some((path, node)) = pending.pop() {
        match node.kind() {
            Kind::Array => pending.extend(
                node.elements()
                    .enumerate()
                    .map(|(at, child)| (format!("{path}/{at}"), child)),
            ),
            Kind::Object => pending.extend(
                node.members()
                    .map(|(key, child)| (format!("{path}/{}", key.as_str().unwrap()), child)),
            ),
            _ => {
                leaves.insert(path, node.raw());
            }
        }
    }
    leaves
}

fn has_equal_keys(root: Node<'_, '_>) -> bool {
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        let keys: HashSet<String> = node.members().map(|(key, _)| key.to_string()).collect();
        if keys.len() < node.members().count() {
            return true;
        }
        pending.extend(node.elements());
        pending.extend(node.members().map(|(_, value)| value));
    }
    false
}

/// The value of a text.
fn lazy(text: &[u8], options: Options) -> Lazy {
    let text = IndexedText::new(TextBytes::Owned(text.to_vec()), options).unwrap();
    match Rc::new(text).values().next() {
        Some(Value::Lazy(value)) => value,
        _ => unreachable!("values of a text are lazy"),
    }
}

/// Checks the laws for a text and a program, unless the program has an error or several results.
fn check(text: &[u8], dialect: Dialect, program: &str, is_generated: bool) -> Result<(), String> {
    // The elements of arrays that stay form a longest common subsequence.
    let moves_elements = program.contains("array");
    let renames = program.contains("| del(.");
    let program =
        Program::compile(program, &Settings::default()).map_err(|error| error.to_string())?;
    let options = Options::default().dialect(dialect);
    let Ok(old) = Document::index(text, options) else {
        return Ok(());
    };
    let input = lazy(text, options);
    let Ok(results) = program.results(Value::Lazy(input.clone())) else {
        return Ok(());
    };
    let [result] = &results[..] else {
        return Ok(());
    };
    let Ok(new) = rewrite(&input, 0..text.len(), dialect, result) else {
        // Comments blocked the edit, or two keys are one.
        return match dialect {
            Dialect::Json if memchr::memmem::find(text, b"\\ud8").is_none() => {
                Err("refused".to_owned())
            }
            _ => Ok(()),
        };
    };
    let comments = |text: &[u8]| {
        memchr::memmem::find_iter(text, b"c*/").count()
            + memchr::memmem::find_iter(text, b"// c").count()
    };
    let kept = comments(&new.text) + new.dropped_comments.len();
    if is_generated && kept != comments(text) {
        return Err(format!("{kept} comments in {new:?}"));
    }
    let new = new.text;
    let shown = String::from_utf8_lossy(&new).into_owned();
    let after = Document::index(&new, options).map_err(|error| format!("{error:?}: {shown}"))?;
    let value = Value::from_json(&after.root().to_string())?;
    if !order(&value, result).is_eq() {
        return Err(format!("{value} for {result}: {shown}"));
    }
    let now = leaves(after.root());
    for (path, raw) in leaves(old.root()) {
        let Some(new) = now.get(&path) else {
            continue;
        };
        let is_element = path.split('/').any(|step| step.parse::<usize>().is_ok());
        if is_element && moves_elements {
            continue;
        }
        let value = |raw: &[u8]| Value::from_json(std::str::from_utf8(raw).unwrap()).unwrap();
        if order(&value(raw), &value(new)).is_eq()
            && *new != raw
            && old.root().kind() == after.root().kind()
        {
            return Err(format!(
                "{path} was {}: {shown}",
                String::from_utf8_lossy(raw)
            ));
        }
    }
    // Renamed members are where they were, objects with equal keys keep their order, and keys of another text are U+FFFD.
    if renames || has_equal_keys(old.root()) || memchr::memmem::find(text, b"\\ud8").is_some() {
        return Ok(());
    }
    match rewrite(&lazy(&new, options), 0..new.len(), dialect, result) {
        Ok(again) if again.text == new => Ok(()),
        other => Err(format!("again {other:?}: {shown}")),
    }
}

fn json() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "null",
        "true",
        "1",
        "1.50",
        "-0",
        "1e2",
        "\"a\"",
        "\"\\u0061b\"",
        "\"\\uD888\\u1234\"",
        "[]",
        "{}",
    ]);
    let space = || prop::sample::select(vec!["", " ", "\n", "\n  ", "\r\n\t", "/*c*/", " // c\n"]);
    let value = scalar.prop_map(str::to_owned);
    value.prop_recursive(4, 40, 4, move |inner| {
        let key = prop::sample::select(vec![
            "a", "b", "c", "added", "first", "m", "zz", "\\ud83d", "\\ud83e",
        ]);
        let member = (key, space(), space(), inner.clone(), space());
        let members = prop::collection::vec(member, 0..4).prop_map(|members| {
            let members = members
                .into_iter()
                .map(|(key, a, b, value, c)| format!("{a}\"{key}\":{b}{value}{c}"));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        });
        let element = (space(), inner, space()).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
        let elements = prop::collection::vec(element, 0..4)
            .prop_map(|elements| format!("[{}]", elements.join(",")));
        prop_oneof![members, elements]
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn results_are_written_and_the_rest_stays(text in json(), program in 0..PROGRAMS.len()) {
        let program = PROGRAMS[program];
        let dialect = if text.contains("/") { Dialect::Jsonc } else { Dialect::Json };
        prop_assert!(check(text.as_bytes(), dialect, program, true) == Ok(()), "{} of {}: {:?}", program, text, check(text.as_bytes(), dialect, program, true));
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|name| name == "json") => found.push(path),
            false => {}
        }
    }
}

/// All files of the JSON Schema suite, each with programs chosen by its number, or with all programs if `JSONX_CASES` is set.
#[test]
fn real_files_keep_their_bytes() {
    let Some(folder) = suite("JSON-Schema-Test-Suite") else {
        return;
    };
    let mut found = Vec::new();
    files(&folder, &mut found);
    assert!(found.len() > 100, "{}", found.len());
    let is_full = std::env::var_os("JSONX_CASES").is_some();
    for (number, path) in found.iter().enumerate() {
        let text = fs::read(path).unwrap();
        if text.len() > 20_000 {
            continue;
        }
        let dialect = match jsonx_core::validate(&text) {
            Ok(()) => Dialect::Json,
            Err(_) => Dialect::Jsonc,
        };
        let chosen = [number, number * 7 + 3].map(|at| PROGRAMS[at % PROGRAMS.len()]);
        let programs: &[&str] = if is_full { &PROGRAMS } else { &chosen };
        for program in programs {
            assert_eq!(
                check(&text, dialect, program, false),
                Ok(()),
                "{program} of {}",
                path.display()
            );
        }
    }
}

#[test]
fn moved_elements_keep_their_bytes_and_comments() {
    let text = br#"{
  "l": [
    {"n":  "c\u00e9"}, // third
    {"n": "b"},
    // the first
    {"n": "a" /* ay */}
  ]
}
"#;
    let expected = r#"{
  "l": [
    // the first
    {"n": "a" /* ay */},
    {"n": "b"},
    {"n":  "c\u00e9"} // third
  ]
}
"#;
    let program = Program::compile(".l |= sort_by(.n)", &Settings::default()).unwrap();
    let input = lazy(text, Options::default().dialect(Dialect::Jsonc));
    let results = program.results(Value::Lazy(input.clone())).unwrap();
    let new = rewrite(&input, 0..text.len(), Dialect::Jsonc, &results[0]).unwrap();
    assert_eq!(String::from_utf8(new.text).unwrap(), expected);
    assert!(new.dropped_comments.is_empty());
}

/// What a program does to a text, or the reason why it is refused.
fn rewritten(text: &str, program: &str) -> String {
    let dialect = Dialect::Jsonc;
    let input = lazy(text.as_bytes(), Options::default().dialect(dialect));
    let program = Program::compile(program, &Settings::default()).unwrap();
    let results = program.results(Value::Lazy(input.clone())).unwrap();
    match rewrite(&input, 0..text.len(), dialect, &results[0]) {
        Ok(new) => format!(
            "{}{}",
            String::from_utf8(new.text).unwrap(),
            new.dropped_comments.concat()
        ),
        Err(error) => error.to_string(),
    }
}

/// Each level of reordered objects takes a pass: no level is left as it was without a message.
#[test]
fn objects_are_reordered_on_many_levels_or_not_at_all() {
    let nested = |levels, (before, after): (&str, &str)| {
        format!("{}0{}", before.repeat(levels), after.repeat(levels))
    };
    let (text, new) = ((r#"{"a":1,"b":"#, "}"), (r#"{"b":"#, r#","a":1}"#));
    let reordered = |levels| {
        let text = nested(levels, text);
        let value = Value::from_json(&nested(levels, new)).unwrap();
        let old = lazy(text.as_bytes(), Options::default());
        rewrite(&old, 0..text.len(), Dialect::Json, &value)
    };
    assert_eq!(reordered(90).unwrap().text, nested(90, new).as_bytes());
    let refused = reordered(150).unwrap_err().to_string();
    assert!(refused.ends_with("on more than 100 levels"), "{refused}");
}

#[test]
fn keys_that_programs_cannot_tell_apart_stay() {
    let text = r#"{"\ud83d":1,"\ud83e":2,"k":0}"#;
    let apart = r#"{"\ud83d":1,"k":0,"\ud83e":2,"o":{"\uDEAD":1.0}}"#;
    for (text, program, new) in [
        (text, ".", text),
        (text, ".k = 1", r#"{"\ud83d":1,"\ud83e":2,"k":1}"#),
        (text, "del(.k)", r#"{"\ud83d":1,"\ud83e":2}"#),
        (
            text,
            "{k, o: .}",
            r#"{"k":0,"o":{"\ud83d":1,"\ud83e":2,"k":0}}"#,
        ),
        (
            text,
            ".[\"\u{fffd}\"] = 3",
            r#"{"\ud83d":1,"\ud83e":3,"k":0}"#,
        ),
        (text, "del(.[\"\u{fffd}\"])", r#"{"k":0}"#),
        (apart, ".", apart),
        (
            apart,
            ".k = 1",
            "the program reads several keys as one, because they have lone surrogates",
        ),
        (apart, "{o}", r#"{"o":{"\uDEAD":1.0}}"#),
        (
            r#"["\ud83d", "\ud83e"]"#,
            "reverse",
            r#"["\ud83e", "\ud83d"]"#,
        ),
    ] {
        assert_eq!(rewritten(text, program), new, "{program} of {text}");
    }
}

#[test]
fn moved_values_take_their_bytes_and_comments_along() {
    let text = "{\n  // A\n  \"list\": [\n    1.0, // one\n    2\n  ], // list\n  // B\n  \"x\": {\"k\": 1e0},\n  \"y\": {}\n}\n";
    for (program, new) in [
        (
            ".z = .list | del(.list)",
            "{\n  // A\n  \"z\": [\n    1.0, // one\n    2\n  ], // list\n  // B\n  \"x\": {\"k\": 1e0},\n  \"y\": {}\n}\n",
        ),
        (
            ".y.z = .list | del(.list)",
            // There is no place for the comments of the value on its new line.
            "{\n  // B\n  \"x\": {\"k\": 1e0},\n  \"y\": {\"z\": [\n    1.0, // one\n    2\n  ]}\n}\n// A// list",
        ),
        (
            ".y.k = .x.k | del(.x.k)",
            "{\n  // A\n  \"list\": [\n    1.0, // one\n    2\n  ], // list\n  // B\n  \"x\": {},\n  \"y\": {\"k\": 1e0}\n}\n",
        ),
        (
            "{wrap: .}",
            "{\n  \"wrap\": {\n    // A\n    \"list\": [\n      1.0, // one\n      2\n    ], // list\n    // B\n    \"x\": {\"k\": 1e0},\n    \"y\": {}\n  }\n}\n",
        ),
        (
            "with_entries(if .key == \"list\" then .key = \"all\" else . end)",
            "{\n  // A\n  \"all\": [\n    1.0, // one\n    2\n  ], // list\n  // B\n  \"x\": {\"k\": 1e0},\n  \"y\": {}\n}\n",
        ),
    ] {
        assert_eq!(rewritten(text, program), new, "{program}");
    }
    let text = "{\n  \"c\": [\n    // zero\n    0,\n    // one\n    1, // tail\n    // two\n    {\"k\": 1e0}\n  ],\n  \"d\": {}\n}\n";
    for (program, new) in [
        (
            ".z = .c[1] | del(.c[1])",
            "{\n  \"c\": [\n    // zero\n    0,\n    // two\n    {\"k\": 1e0}\n  ],\n  \"d\": {},\n  // one\n  \"z\": 1 // tail\n}\n",
        ),
        (
            ".z = .c[2] | del(.c[2])",
            "{\n  \"c\": [\n    // zero\n    0,\n    // one\n    1 // tail\n  ],\n  \"d\": {},\n  // two\n  \"z\": {\"k\": 1e0}\n}\n",
        ),
        // The removed element is another one.
        (
            ".z = .c[0] | del(.c[2])",
            "{\n  \"c\": [\n    // zero\n    0,\n    // one\n    1 // tail\n    // two\n  ],\n  \"d\": {},\n  \"z\": 0\n}\n",
        ),
    ] {
        assert_eq!(rewritten(text, program), new, "{program}");
    }
}
