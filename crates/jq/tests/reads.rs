//! A program behaves the same for a record with only the values that it reads.

use jsonx_jq::{Exception, NoHost, Program, Reduced, Settings, Value};
use proptest::prelude::*;

const PROGRAMS: &[&str] = &[
    ".a",
    ".a.b",
    ".a.b.c?",
    ".a, .b",
    "{a, n: .b.c}",
    "{(.a | tostring): .b}",
    "select(.a > 1) | {b, n: .c.a}",
    "select(.a.b == null) | .c",
    "[.a[]?.b] | length",
    "[.a.b[]?] | add",
    ".a // .b",
    ".a // .b.c // \"none\"",
    "\"\\(.a) and \\(.b.c)\"",
    "[.a, .b] | @csv",
    ".a as $x | .b as $y | [$x, $y.c]",
    ".a as $x | if $x then .b.a else $x.b end",
    "def f(g): g | .b; f(.a)",
    "def f($x): $x.b; f(.a)",
    "def f(g; h): if g then h else g end; f(.a; .b.c)",
    "(.a, .b) | .c?",
    "try .a.b.c catch .",
    "(.a | .b, .c)?",
    "reduce (.a, .b) as $x ([]; . + [$x.c?])",
    "foreach (.a, .b) as $x (0; . + 1; [., $x])",
    "label $out | (.a, .b) | if . then ., break $out else . end",
    "first(.a, .b)",
    "limit(1; .a.b, .c)",
    "isempty(.a[]?)",
    ".a | length",
    ".a | keys?",
    ".a[1:]?, .b.c",
    ".a[.b]?",
    ".a and .b.c",
    "-.a",
    ".a + .b.c",
    "any(.a[]?; . == 1)",
    ".a | recurse | numbers",
    ".a |= 1",
    ".",
    "keys",
    "error(.a)",
    ".a | error",
    "input_filename, .a",
    "$__loc__.line + (.a | tonumber? // 0)",
    "[.a] | map(select(. != null)) | length",
    ".a | [.[]?] | sort_by(.b?)",
    "with_entries(.)",
    ".a | to_entries?",
    "select(.a)",
    "select(.a.b?), .c",
    "if .a == null then . else empty end",
    "select(.a | length? > 0) | select(.b)",
    ". as $x | if .a then $x else .b, $x end",
    "(.a, .b) as $x | if $x then . else $x end",
    "first(select(.a), .)",
    "select(.a) // .b",
    "{a: .}, .b",
    "def f(g): g; f(., .a)",
    "-.a, -.b.c?",
    "[.a, .b] | sort, unique, tojson",
];

/// The record with only these paths; `None` if a parent is neither an object nor null, or the record is null.
fn projected(
    paths: &[Vec<std::rc::Rc<str>>],
    record: &Value,
    reduced: &mut Reduced,
) -> Option<Value> {
    let mut values = Vec::new();
    for keys in paths {
        let mut value = record.clone();
        for key in keys {
            let is_parent = matches!(value.type_name(), "object" | "null");
            let program = Program::compile(&format!(".[{:?}]", &**key), &Settings::default());
            value = program
                .unwrap()
                .results(value)
                .ok()
                .filter(|_| is_parent)?
                .pop()?;
        }
        let raw = value.to_string();
        values.push(Value::scalar(raw.as_bytes()).unwrap_or(value));
    }
    (record.type_name() == "object").then(|| reduced.with(values))
}

/// The results as text, and the error. `shown` may replace a result.
fn outcome_of(
    program: &Program,
    input: Value,
    shown: impl Fn(&Value) -> Option<Value>,
) -> Vec<String> {
    let mut all = Vec::new();
    let ended = program.run(input, &NoHost, &mut |value| {
        all.push(shown(&value).unwrap_or(value).to_string());
        Ok(())
    });
    match ended {
        Ok(()) => {}
        Err(Exception::Error(error)) => all.push(format!("error: {error}")),
        Err(other) => panic!("{other:?}"),
    }
    all
}

fn outcome(program: &Program, input: Value) -> Vec<String> {
    outcome_of(program, input, |_| None)
}

/// An object as JSON.
fn object(members: &[(&str, String)]) -> String {
    let members = members
        .iter()
        .map(|(key, value)| format!("\"{key}\": {value}"));
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

fn record() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "null",
        "true",
        "1",
        "0",
        "-0.0",
        "2.50",
        "\"x\"",
        "\"\\u00e9\\n\"",
        "[]",
        "[1, 2]",
        "{}",
    ]);
    let value = leaf
        .prop_map(str::to_owned)
        .prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(
                    (prop::sample::select(vec!["a", "b", "c"]), inner.clone()),
                    0..4
                )
                .prop_map(|members| object(&members)),
                prop::collection::vec(inner, 0..3)
                    .prop_map(|items| format!("[{}]", items.join(", "))),
            ]
        });
    prop::collection::vec(
        (prop::sample::select(vec!["a", "b", "c", "d"]), value),
        0..5,
    )
    .prop_map(|members| object(&members))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_not_read_changes_nothing(record in record()) {
        let value = Value::from_json(&record).unwrap();
        for text in PROGRAMS {
            let program = Program::compile(text, &Settings::default()).unwrap();
            let Some(reads) = program.reads() else { continue };
            let mut reduced = Reduced::new(&reads.paths);
            // What is kept from one record is not seen in the next.
            let mut kept = Vec::new();
            for _ in 0..2 {
                let Some(projected) = projected(&reads.paths, &value, &mut reduced) else { break };
                kept.push(projected.clone());
                let record_of = |result: &Value| {
                    let is_record = reduced.is(result);
                    assert!(reads.keeps || !is_record);
                    is_record.then(|| value.clone())
                };
                let found = outcome_of(&program, projected, record_of);
                prop_assert_eq!(&found, &outcome(&program, value.clone()), "{} {} {:?}", text, record, reads.paths);
            }
        }
    }
}

/// Programs whose paths must be found, and programs whose paths are unknown.
#[test]
fn paths_are_found() {
    for (text, expected) in [
        (".user.screen_name", Some("user.screen_name")),
        (
            "select(.user.n > 1000) | {id, n: .user.name}",
            Some("user.n id user.name"),
        ),
        (
            "[.entities.hashtags[].text] | length",
            Some("entities.hashtags"),
        ),
        (".a | .b, .c", Some("a.b a.c")),
        (".a, .a.b", Some("a")),
        ("def f: .x; [f, .y]", Some("x y")),
        ("select(.a | not)", Some("a")),
        ("if .a then . else empty end, .b", Some("a b")),
        ("{all: ., a}", None),
        ("select(.a) | keys", None),
        (".", None),
        ("keys", None),
        ("del(.a)", None),
        ("1", None),
        ("def f: .a | f; f", None),
        // The paths of the results double with each call.
        ("def f: (.a // .b) | f; f", None),
        ("def f: (.a, .b) | ., f; f", None),
        ("recurse(if .a then .b else .c end; . != null)", None),
        ("def f: try .a catch .b | f; f", None),
    ] {
        let program = Program::compile(text, &Settings::default()).unwrap();
        let paths = program.reads().map(|reads| {
            let paths: Vec<String> = reads.paths.iter().map(|keys| keys.join(".")).collect();
            paths.join(" ")
        });
        assert_eq!(paths.as_deref(), expected, "{text}");
    }
}

/// Programs that process each element of an array separately give the same results for single elements.
#[test]
fn elements_are_processed_one_by_one() {
    let text = r#"{"a": {"b": [{"x": [1, 2]}, {"x": []}, {"x": [{"y": 3}]}]}}"#;
    let value = Value::from_json(text).unwrap();
    for (text, path) in [
        (".a.b[]", Some("a.b")),
        (".a.b[].x", Some("a.b")),
        (".a.b[].x[].y?", Some("a.b")),
        ("(.a.b[].x[].y)?", None),
        (".a.b[].x[]", Some("a.b")),
        (".a | .b[] | .x | length", Some("a.b")),
        (".a | (.b | .[]) | .x | length", Some("a.b")),
        (".a.b | .[] | select(.x[0]) | .x", Some("a.b")),
        (".a.b[0].x[]", None),
        ("[.a.b[]]", None),
        (".a[\"b\"][] | .x", Some("a.b")),
        ("(.a.b[], 1) | .x?", None),
        (".a.b | length", None),
        (". as $d | .a.b[] | $d", None),
    ] {
        let program = Program::compile(text, &Settings::default()).unwrap();
        let Some((keys, each)) = program.per_element() else {
            assert_eq!(path, None, "{text}");
            continue;
        };
        assert_eq!(Some(keys.join(".").as_str()), path, "{text}");
        let array =
            Program::compile(&format!(".{}[]", keys.join(".")), &Settings::default()).unwrap();
        let elements = array.results(value.clone()).unwrap();
        let found: Vec<String> = elements
            .into_iter()
            .flat_map(|element| outcome(&each, element))
            .collect();
        assert_eq!(found, outcome(&program, value.clone()), "{text}");
    }
}
