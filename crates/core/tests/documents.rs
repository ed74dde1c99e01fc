//! Documents: read into types, queried, owned. The oracle is the original value.

use std::collections::BTreeMap;

use jsonx_core::engine::{Options, Validator};
use jsonx_core::jsonc::Dialect;
use jsonx_core::path::Notation;
use jsonx_core::query::{Answer, Duplicates, Order, Query, QueryOptions};
use jsonx_core::stream::Incoming;
use jsonx_core::{
    Document, Node, OwnedDocument, OwnedRaw, Path, Raw, Spanned, elements, from_reader, from_slice,
    lines,
};
use jsonx_testing::cases;
use proptest::prelude::*;
use serde_json::Value;

fn value() -> impl Strategy<Value = Value> {
    let text = prop::sample::select(vec![
        "", "a", "b", "é", "\"", "\\", "/", "/*", "//", "\n", "a/b", "~", "-", "0", "\u{1}",
    ]);
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        (0..20).prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    scalar.prop_recursive(4, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..6).prop_map(|members| {
                let members = members.into_iter();
                Value::Object(
                    members
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect(),
                )
            }),
        ]
    })
}

const SPACES: &[&str] = &["", "", " ", "\n  "];
const COMMENTS: &[&str] = &["", " ", "/**/", "/* \" */", "// [\n", "\n"];

/// The text of a value, with one of these gaps before and after each token.
fn write(value: &Value, gaps: &mut impl Iterator<Item = &'static str>, out: &mut String) {
    let mut gap = |out: &mut String| out.push_str(gaps.next().unwrap_or_default());
    gap(out);
    match value {
        Value::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write(element, gaps, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (key, member)) in members.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write(&Value::from(key.as_str()), gaps, out);
                out.push(':');
                write(member, gaps, out);
            }
            out.push('}');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
    out.push_str(gaps.next().unwrap_or_default());
}

fn text_of(value: &Value, choices: &[usize], gaps: &'static [&'static str]) -> String {
    let mut text = String::new();
    let mut gaps = choices
        .iter()
        .map(|choice| gaps[choice % gaps.len()])
        .cycle();
    write(value, &mut gaps, &mut text);
    text
}

/// A value and everything in it.
fn all<'d, 't>(node: Node<'d, 't>, found: &mut Vec<Node<'d, 't>>) {
    found.push(node);
    let children = node
        .elements()
        .chain(node.members().map(|(_, value)| value));
    children.for_each(|child| all(child, found));
}

/// Paths that select the same values many times, or would if undecided conditions were true.
#[test]
fn matches_are_bounded() {
    let nested = |open: &str, close: &str| format!("{}1{}", open.repeat(60), close.repeat(60));
    for (text, step) in [
        (nested("[", "]"), "..*"),
        (nested("[", "]"), "..[0]"),
        (nested("[", "]"), "..[-1]"),
        (nested("[", "]"), "..[::-1]"),
        (nested("[", "]"), "..[?@.a]"),
        (nested("{\"a\":", "}"), "..a"),
        (nested("{\"a\":0,\"a\":", "}"), "..a"),
        (nested("{\"b\":", "}"), "..[*, 'b']"),
        (nested("[", "]"), "[0, 0, *]"),
    ] {
        let document = Document::parse(text.as_bytes()).unwrap();
        let query = |steps: usize| document.query(format!("${}", step.repeat(steps)));
        let error = query(13).unwrap_err();
        assert!(
            error.to_string().starts_with("the path selects values "),
            "{step}: {error}"
        );
        for steps in 1..3 {
            let matches = query(steps).unwrap();
            assert!(
                matches.len() > steps || step.contains('?'),
                "{step}: {}",
                matches.len()
            );
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// Every value, from anywhere in a document, with and without comments.
    #[test]
    fn values_are_read_into_types(
        value in value(),
        choices in prop::collection::vec(0..100usize, 1..20),
        dialect in prop::sample::select(vec![Dialect::Json, Dialect::Comments]),
    ) {
        let gaps = if dialect == Dialect::Json { SPACES } else { COMMENTS };
        let text = text_of(&value, &choices, gaps);
        let options = Options::default().dialect(dialect);
        let document = Document::parse_with(text.as_bytes(), options).unwrap();
        let mut nodes = Vec::new();
        all(document.root(), &mut nodes);
        for node in nodes {
            let path = node.path();
            let expected = value.pointer(&path.display(Notation::Pointer).to_string()).unwrap();
            prop_assert_eq!(&node.read::<Value>().unwrap(), expected);
            prop_assert_eq!(document.find(Path::from(path.clone())).unwrap().span(), node.span());

            let raw = node.read::<OwnedRaw>().unwrap();
            prop_assert_eq!(&from_slice::<Value>(raw.as_str().as_bytes()).unwrap(), expected);
            let written = jsonx_core::to_vec(&node).unwrap();
            prop_assert_eq!(&from_slice::<Value>(&written).unwrap(), expected);
            prop_assert_eq!(&from_slice::<Value>(node.to_string().as_bytes()).unwrap(), expected);
            prop_assert_eq!(format!("{node:#}"), serde_json::to_string_pretty(expected).unwrap());

            let spanned = node.read::<Spanned<Value>>().unwrap();
            prop_assert_eq!(spanned.span(), node.span());

            // Only fits a string of one character.
            if let Err(error) = node.read::<char>() {
                prop_assert_eq!(error.offset(), Some(node.span().start as u64));
                let place = jsonx_core::position::locate(text.as_bytes(), node.span().start);
                prop_assert_eq!((error.line(), error.column()), (Some(place.line), Some(place.column)));
                prop_assert_eq!(error.path(), path);
            }
        }
        let owned = OwnedDocument::parse_with(text.clone(), options).unwrap();
        prop_assert_eq!(owned.root().read::<Value>().unwrap(), value);
        prop_assert_eq!(owned.text(), text.as_bytes());
    }

    /// The matches of a path: in a document, and from a reader.
    #[test]
    fn matches_are_those_of_a_query(
        value in value(),
        choices in prop::collection::vec(0..100usize, 1..20),
        path in prop::sample::select(vec![
            ".", ".a", "$.a.b", "$[0]", "/0/a", ".[-1]", "$[*]", "$.*.*", "$..a", "$..*", "..", "$[1, 0]", "$[::-1]",
            "$..[0, -1]", "$[?@.a]", "$[?@.a == $.b]", "$..[?@ > 5]", "$.a[?@.b < 10]", "$[0, 0]", "$.nope[*]",
        ]),
        lengths in prop::collection::vec(1usize..60, 1..5),
    ) {
        let text = text_of(&value, &choices, SPACES);
        let parsed = Path::parse(path).unwrap();
        let matches = |options: QueryOptions| {
            let mut query = Query::new(std::slice::from_ref(&parsed), options);
            Validator::default().check(text.as_bytes(), &mut query).unwrap();
            query.end();
            let spans = query.answers().filter_map(|answer| match answer {
                Answer::Match(one) => Some(one.start as usize..one.end as usize),
                Answer::Missing { .. } => None,
            });
            spans.collect::<Vec<_>>()
        };
        let document = Document::parse(text.as_bytes()).unwrap();
        let spans: Vec<_> = document.query(path).unwrap().iter().map(|node| node.span()).collect();
        prop_assert_eq!(spans, matches(QueryOptions::default().order(Order::Standard)));

        if parsed.is_singular() {
            return Ok(());
        }
        let read = |span: std::ops::Range<usize>| from_slice::<Value>(&text.as_bytes()[span]).unwrap();
        let in_order = matches(QueryOptions::default().duplicates(Duplicates::Each));
        let expected: Vec<Value> = in_order.into_iter().map(read).collect();
        let streamed = elements::<Value, _>(text.as_bytes(), path).unwrap();
        prop_assert_eq!(&streamed.collect::<Result<Vec<_>, _>>().unwrap(), &expected);

        let (mut incoming, mut pushed) = (Incoming::<Value>::elements(path).unwrap(), Vec::new());
        let mut rest = text.as_bytes();
        for length in lengths.into_iter().cycle() {
            let (piece, after) = rest.split_at(length.min(rest.len()));
            incoming.write(piece);
            pushed.extend(incoming.by_ref().map(Result::unwrap));
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        incoming.finish();
        pushed.extend(incoming.map(Result::unwrap));
        prop_assert_eq!(pushed, expected);
    }

    /// A path of keys selects what a lookup by these keys does, whatever their characters.
    #[test]
    fn any_key_is_safe_in_a_path(keys in prop::collection::vec("\\PC{0,4}|[.\\[\\]\"'$*/~0-9:-]{0,3}", 1..4)) {
        let value = keys.iter().rev().fold(Value::from(7), |inner, key| {
            Value::Object([(key.clone(), inner)].into_iter().collect())
        });
        let path = keys.iter().fold(Path::root(), |path, key| path.key(key));
        let text = value.to_string();
        let document = Document::parse(text.as_bytes()).unwrap();
        prop_assert_eq!(document.find(&path).unwrap().as_u64(), Some(7));
        prop_assert_eq!(document.find(path.to_string()).unwrap().as_u64(), Some(7));
        let edited = document.edit().set_value(&path, "new").unwrap().finish();
        prop_assert_eq!(edited, text.replace(":7", ":\"new\"").into_bytes());
    }
}

#[test]
fn long_values_are_read() {
    let row = r#"{"id": 1, "name": "a \"b\"", "tags": ["x", "y"], "on": true}"#;
    let count = 40_000;
    let text = format!(
        "{{\"rows\": [{}], \"end\": 1}}",
        vec![row; count].join(", ")
    );
    assert!(text.len() > 2 << 20);
    let document = Document::parse(text.as_bytes()).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document.root().read::<Value>().unwrap(), expected);
    assert_eq!(
        document.get("rows").unwrap().read::<Value>().unwrap(),
        expected["rows"]
    );
    let rows: Vec<BTreeMap<&str, Raw<'_>>> = document.get("rows").unwrap().read().unwrap();
    assert_eq!(
        (rows.len(), rows[count - 1]["name"].as_str()),
        (count, r#""a \"b\"""#)
    );
    assert_eq!(document.query("$.rows[*].tags[-1]").unwrap().len(), count);
}

#[test]
fn a_value_with_comments_is_borrowed_without_them() {
    let text = b"{\"a\": [\"x\" /* one */, 2/* two */], \"b\": \"y\" // end\n}";
    let options = Options::default().dialect(Dialect::Comments);
    let document = Document::parse_with(text, options).unwrap();
    let (name, number): (&str, u8) = document.get("a").unwrap().read().unwrap();
    assert_eq!((name, number), ("x", 2));

    let kept: BTreeMap<&str, OwnedRaw> = document.root().read().unwrap();
    assert_eq!(kept["a"].as_str(), r#"["x"          , 2         ]"#);
    assert_eq!(
        document
            .get("b")
            .unwrap()
            .read::<Raw<'_>>()
            .unwrap()
            .as_str(),
        r#""y""#
    );
    let error = document
        .root()
        .read::<BTreeMap<&str, Raw<'_>>>()
        .unwrap_err();
    let message = ".a: a value with comments cannot be borrowed as `Raw`, only read as `OwnedRaw` at line 1 column 7";
    assert_eq!(error.to_string(), message);
}

#[test]
fn owned_values_come_from_readers() {
    let text = "{\"a\": 1.50}\n[true, \"\\u00e9\"]\n";
    let expected = ["{\"a\": 1.50}", "[true, \"\\u00e9\"]"];
    let read = |raw: Result<OwnedRaw, jsonx_core::Error>| raw.unwrap().into_string();
    assert_eq!(
        lines(text.as_bytes()).map(read).collect::<Vec<_>>(),
        expected
    );
    assert_eq!(
        jsonx_core::values(text.as_bytes())
            .map(read)
            .collect::<Vec<_>>(),
        expected
    );
    let array = format!("[{}]", expected.join(","));
    assert_eq!(
        elements(array.as_bytes(), "")
            .unwrap()
            .map(read)
            .collect::<Vec<_>>(),
        expected
    );
    let whole: BTreeMap<String, OwnedRaw> = from_reader(&br#"{"k": [1 , 2]}"#[..]).unwrap();
    assert_eq!(whole["k"].as_str(), "[1 , 2]");

    let documents: Vec<OwnedDocument> = lines(text.as_bytes()).collect::<Result<_, _>>().unwrap();
    let sent = std::thread::spawn(move || documents[1].get(1).unwrap().read::<String>().unwrap());
    assert_eq!(sent.join().unwrap(), "é");

    let error = OwnedDocument::from_reader(&b"[1,\n oops]"[..]).unwrap_err();
    assert_eq!(
        (error.is_syntax(), error.line(), error.column()),
        (true, Some(2), Some(2))
    );
    assert!(OwnedDocument::parse("").unwrap_err().is_eof());
}
