//! The reader and the JSON Schema accept the same configs.

use std::fmt::Write as _;

use jsonx_core::engine::Options;
use jsonx_core::jsonc::Dialect;
use jsonx_schema::{DOCUMENT, InstanceOptions};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::json_schema;
use super::read::{Mistakes, read};
use super::table::{self, AllowedIn, LEVELS, SettingRow, Takes};
use crate::schema::{InputSchema, SchemaOptions, Schemas};

/// A JSON value.
#[derive(Clone, Debug)]
enum Json {
    Raw(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn string(text: &str) -> Json {
        Json::Raw(format!("{text:?}"))
    }

    /// With comments and trailing commas, and without duplicate keys, which a schema cannot forbid.
    fn write(&self, text: &mut String) {
        match self {
            Json::Raw(raw) => *text += raw,
            Json::Array(elements) => {
                text.push('[');
                for element in elements {
                    element.write(text);
                    text.push(',');
                }
                *text += "] // list\n";
            }
            Json::Object(members) => {
                text.push('{');
                for (number, (key, value)) in members.iter().enumerate() {
                    if members[..number].iter().any(|(other, _)| other == key) {
                        continue;
                    }
                    let _ = write!(text, "{key:?}: ");
                    value.write(text);
                    text.push(',');
                }
                *text += "/* object */}";
            }
        }
    }

    /// The number of values in it.
    fn count(&self) -> usize {
        1 + match self {
            Json::Raw(_) => 0,
            Json::Array(elements) => elements.iter().map(Json::count).sum(),
            Json::Object(members) => members.iter().map(|(_, value)| value.count()).sum(),
        }
    }

    /// Calls `change` with the value of this number, counted from 0 in the order of the text.
    fn change(&mut self, number: &mut usize, change: &mut dyn FnMut(&mut Json)) {
        if *number == 0 {
            change(self);
        }
        *number = number.wrapping_sub(1);
        match self {
            Json::Raw(_) => {}
            Json::Array(elements) => {
                elements.iter_mut().for_each(|it| it.change(number, change));
            }
            Json::Object(members) => {
                members
                    .iter_mut()
                    .for_each(|(_, it)| it.change(number, change));
            }
        }
    }
}

const GLOBS: [&str; 7] = [
    "*.json",
    "**/config/rush/*.json",
    "a/",
    "!b",
    "#c",
    " x",
    "{a,b}.json",
];

fn globs(least: usize) -> BoxedStrategy<Json> {
    let glob = select(GLOBS.to_vec()).prop_map(Json::string);
    prop::collection::vec(glob, least..3)
        .prop_map(Json::Array)
        .boxed()
}

/// A value that a setting takes.
fn value(row: &'static SettingRow) -> BoxedStrategy<Json> {
    let word = |words: Vec<String>| select(words).prop_map(|word| Json::string(&word));
    match row.takes {
        Takes::Boolean => any::<bool>()
            .prop_map(|is| Json::Raw(is.to_string()))
            .boxed(),
        Takes::Integer(first, last, words) => {
            let number = prop_oneof![Just(first), Just(last), first..=last];
            let number = (number, select(vec!["", ".0", "e0"]));
            let number = number.prop_map(|(number, end)| Json::Raw(format!("{number}{end}")));
            match words {
                [] => number.boxed(),
                _ => prop_oneof![number, word(row.takes.words())].boxed(),
            }
        }
        Takes::Word(words) => word(words()).boxed(),
        Takes::Path | Takes::Key | Takes::Anything => Just(Json::string("a/b")).boxed(),
        Takes::Schema => {
            let given = vec!["null", "\"a.json#/b\"", "\"https://example.com/a.json\""];
            select(given)
                .prop_map(|raw| Json::Raw(raw.to_owned()))
                .boxed()
        }
        Takes::Globs(may_be_empty) => globs(usize::from(!may_be_empty)),
        Takes::Levels => {
            let level = select(LEVELS.to_vec()).prop_map(Json::string);
            let member = (select(table::lints()).prop_map(str::to_owned), level);
            prop::collection::vec(member, 0..3)
                .prop_map(Json::Object)
                .boxed()
        }
        Takes::Overrides => {
            let block = (globs(1), object(AllowedIn::Override)).prop_map(|(files, block)| {
                let Json::Object(mut members) = block else {
                    return block;
                };
                members.insert(0, ("files".to_owned(), files));
                Json::Object(members)
            });
            prop::collection::vec(block, 0..3)
                .prop_map(Json::Array)
                .boxed()
        }
    }
}

/// An object with some of the settings of a place.
fn object(place: AllowedIn) -> BoxedStrategy<Json> {
    let rows: Vec<&'static SettingRow> = table::rows(place).collect();
    let numbers = prop::sample::subsequence((0..rows.len()).collect::<Vec<_>>(), 0..6);
    numbers
        .prop_flat_map(move |numbers| {
            let members = numbers.into_iter().map(|number| rows[number]);
            let members = members.map(|row| (Just(row.name.to_owned()), value(row)));
            members.collect::<Vec<_>>()
        })
        .prop_map(Json::Object)
        .boxed()
}

/// A value that may be anywhere.
fn anything() -> BoxedStrategy<Json> {
    let raw = vec![
        "null",
        "true",
        "0",
        "1",
        "255",
        "256",
        "1.5",
        "-1",
        "1e2",
        "1e400",
        "10001",
        "4294967296",
        "\"\"",
        "\"tab\"",
        "\"jsonc\"",
        "\"off\"",
        "\"denied\"",
        "\"LF\"",
        "\"2019-09\"",
        "{}",
        "[]",
        "[\"\"]",
        "[1]",
        "{\"a\": 1}",
        "{\"\": \"jsonc\"}",
        "[{}]",
        "[{\"files\": []}]",
        "[{\"files\": [\"a\"], \"root\": true}]",
    ];
    select(raw)
        .prop_map(|raw| Json::Raw(raw.to_owned()))
        .boxed()
}

/// Valid configs, and some that are changed in up to two places.
fn configs() -> impl Strategy<Value = Json> {
    let rows = table::ROWS.iter().map(|row| row.name);
    let others = ["indnt", "sort-keys", "", "all", "schema/x", "é"];
    let names: Vec<&'static str> = rows.chain(others).collect();
    let change = (
        any::<prop::sample::Index>(),
        prop::option::of(anything()),
        select(names),
    );
    (object(AllowedIn::Root), prop::collection::vec(change, 0..3)).prop_map(
        |(mut config, changes)| {
            for (index, value, name) in changes {
                let mut number = index.index(config.count());
                config.change(&mut number, &mut |there| match (&value, there) {
                    (Some(value), there) => *there = value.clone(),
                    // Another key, or one more.
                    (None, Json::Object(members)) => match members.first_mut() {
                        Some((key, _)) => *key = name.to_owned(),
                        None => members.push((name.to_owned(), Json::Raw("1".to_owned()))),
                    },
                    (None, _) => {}
                });
            }
            config
        },
    )
}

/// The schema as compiled by `jsonx validate --schema`.
fn schema(folder: &std::path::Path) -> InputSchema {
    let path = folder.join("jsonx.schema.json");
    std::fs::write(&path, json_schema()).unwrap();
    let options = SchemaOptions {
        schema: Some(path.to_str().unwrap().to_owned()),
        ..SchemaOptions::default()
    };
    let schemas = Schemas::new(&options).unwrap();
    schemas.schema_for(None).expect("the schema can be used")
}

#[test]
fn reader_and_schema_accept_the_same_configs() {
    let folder = tempfile::tempdir().unwrap();
    let schema = schema(folder.path());
    let asked = InstanceOptions {
        options: Options::default().dialect(Dialect::Jsonc),
        repeats: Some(false),
        whole: DOCUMENT,
    };
    let cases = std::env::var("JSONX_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    let cases: usize = cases.unwrap_or(1500);
    let mut runner = TestRunner::deterministic();
    let mut accepted = 0;
    for _ in 0..cases {
        let config = configs().new_tree(&mut runner).unwrap().current();
        let mut text = String::new();
        config.write(&mut text);
        let by_schema = schema
            .check(text.as_bytes(), None, &asked)
            .expect("JSONC")
            .findings;
        let by_reader = match read(text.as_bytes()) {
            Ok(_) => Vec::new(),
            Err(Mistakes::Findings(findings)) => findings,
            Err(Mistakes::Syntax(error)) => panic!("{error:?}: {text}"),
        };
        accepted += usize::from(by_reader.is_empty());
        assert_eq!(
            by_reader.is_empty(),
            by_schema.is_empty(),
            "{text}\nreader: {by_reader:#?}\nschema: {by_schema:#?}"
        );
    }
    // Both happen.
    assert!(
        accepted > cases / 4 && accepted < cases - cases / 4,
        "{accepted} of {cases}"
    );
}

#[test]
fn mistakes_are_in_text_order_with_suggestions() {
    for (text, message, label) in [
        ("{'indent': 2}", "", ""),
        (
            r#"{"indnt": 2}"#,
            "there is no setting `indnt` here",
            "did you mean `indent`?",
        ),
        (
            r#"{"sort-keys": true}"#,
            "there is no setting `sort-keys` here",
            "did you mean `sortKeys`?",
        ),
        (
            r#"{"files": ["a"]}"#,
            "there is no setting `files` here",
            "allowed only in `overrides`",
        ),
        (
            r#"{"eol": "crfl"}"#,
            r#"`eol` takes "keep", "lf" or "crlf""#,
            "did you mean `crlf`?",
        ),
        (
            r#"{"indent": true}"#,
            r#"`indent` takes an integer from 1 to 255, "tab" or "keep""#,
            "this is a boolean",
        ),
        (
            r#"{"indent": 300}"#,
            r#"`indent` takes an integer from 1 to 255, "tab" or "keep""#,
            "this is out of range",
        ),
        (
            r#"{"indent": 1.5}"#,
            r#"`indent` takes an integer from 1 to 255, "tab" or "keep""#,
            "not one of these numbers",
        ),
        (
            r#"{"lints": {"duplicate-kye": "off"}}"#,
            "there is no lint `duplicate-kye`",
            "did you mean `duplicate-key`?",
        ),
        (
            r#"{"lints": {"all": "error"}}"#,
            r#"the level of a lint is "off", "warn" or "deny""#,
            "this is a string",
        ),
        (
            r#"{"ignore": ["a", "[z-a]"]}"#,
            "bad glob `[z-a]`",
            "error parsing glob '[z-a]': invalid range; 'z' > 'a'",
        ),
        (
            r#"{"ignore": ["a{"]}"#,
            "bad glob `a{`",
            "error parsing glob 'a{': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
        ),
        (
            r#"{"schema": {"a.json": "s.json"}}"#,
            "`schema` takes a path or a URL, or null",
            "settings of some files are in `overrides`: {\"files\": [\"GLOB\"], \"schema\": …}",
        ),
        (
            r#"{"overrides": [{"indent": 2}]}"#,
            "`files` is missing: a list of globs",
            "`files` is missing here",
        ),
        (
            r#"{"root": true, "root": true}"#,
            "`root` is duplicated",
            "remove one of them",
        ),
        (
            "[]",
            "jsonx.json takes an object with settings",
            "this is an array",
        ),
    ] {
        match read(text.as_bytes()) {
            Ok(_) => panic!("{text}"),
            Err(Mistakes::Syntax(_)) => assert_eq!(message, "", "{text}"),
            Err(Mistakes::Findings(findings)) => {
                let [finding] = &findings[..] else {
                    panic!("{text}: {findings:#?}");
                };
                assert_eq!(
                    (&*finding.message, &*finding.label),
                    (message, label),
                    "{text}"
                );
            }
        }
    }
    let text = r#"{"overrides": [{"files": [], "width": 0}], "root": 1, "eol": "x"}"#;
    let Err(Mistakes::Findings(findings)) = read(text.as_bytes()) else {
        panic!("accepted");
    };
    assert_eq!(findings.len(), 4);
    assert!(findings.is_sorted_by_key(|finding| finding.span.start));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[{}\\[\\]:,\"a-z0-9 ./*\\n]{0,60}") {
        let _ = read(text.as_bytes());
    }
}
