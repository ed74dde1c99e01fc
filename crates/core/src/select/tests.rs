//! Compares the walk with the oracle and the published suites, with every kernel and many window sizes.

mod examples;
mod records;
mod singular;

use jsonx_testing::cases;
use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::engine::{Kernel, Mode, Options, Validator};
use crate::path::{Notation, Path, Reach, Segment, naive, suites};

const WINDOWS: [usize; 4] = [64, 65, 1000, usize::MAX];

/// All answers for a document read in windows of `size` bytes. Also checks that the retained input is sufficient and
/// that nothing is left over.
fn answers(
    text: &[u8],
    paths: &[Path],
    options: QueryOptions,
    (kernel, size): (Kernel, usize),
) -> Vec<Answer> {
    let mut query = Query::new(paths, options);
    let mut validator = Validator::new(Options::default().mode(Mode::Stream).kernel(kernel));
    let mut answers = Vec::new();
    let mut kept = 0;
    let mut take = |query: &mut Query| {
        for answer in query.answers() {
            let start = match &answer {
                Answer::Match(one) => one.start,
                Answer::Missing { missing, .. } => missing.start,
            };
            if let Answer::Match(_) = answer {
                assert!(start >= kept, "{answer:?} was not kept: {kept}");
            }
            answers.push(answer);
        }
        assert!(query.retain_from() >= kept);
        kept = query.retain_from();
    };
    for window in text.chunks(size) {
        validator.write(window, &mut query).unwrap();
        take(&mut query);
    }
    validator.finish(&mut query).unwrap();
    query.end();
    take(&mut query);
    assert!(query.is_clean());
    answers
}

/// The answers, which must be the same with all kernels and window sizes.
fn everywhere(text: &str, paths: &[Path], options: QueryOptions) -> Vec<Answer> {
    let by = |kernel, size| answers(text.as_bytes(), paths, options, (kernel, size));
    let expected = by(Kernel::swar(), usize::MAX);
    for kernel in Kernel::available() {
        for size in WINDOWS {
            let answers = by(kernel, size);
            assert_eq!(answers, expected, "{kernel:?} {size} {paths:?} {text}");
        }
    }
    expected
}

/// The locations and values of the matches of a path, each repeated by its copies.
fn matches(text: &str, path: usize, answers: &[Answer]) -> Vec<(Option<String>, Value)> {
    let mut matches = Vec::new();
    for answer in answers {
        if let Answer::Match(one) = answer
            && one.path == path
        {
            let raw = &text[one.start as usize..one.end as usize];
            assert_eq!(raw, raw.trim());
            let value: Value = serde_json::from_str(raw).unwrap();
            let location = one.location.as_ref();
            let location = location.map(|one| one.display(Notation::JsonPath).to_string());
            let copies = usize::try_from(one.copies).unwrap();
            matches.extend(std::iter::repeat_n((location, value), copies));
        }
    }
    matches
}

/// All answers if keys are assumed to be unique after each window of 64 bytes.
fn settled(text: &str, paths: &[Path]) -> Vec<Answer> {
    let mut query = Query::new(paths, QueryOptions::default());
    let mut validator = Validator::new(Options::default());
    let (blocks, rest) = text.as_bytes().as_chunks::<64>();
    let mut answers = Vec::new();
    for block in blocks {
        validator.write(block, &mut query).unwrap();
        query.assume_unique_keys(u64::MAX);
        answers.extend(query.answers());
    }
    validator.check(rest, &mut query).unwrap();
    query.end();
    answers.extend(query.answers());
    assert!(!query.had_late_duplicates() && query.is_clean());
    answers
}

fn standard() -> QueryOptions {
    QueryOptions::default()
        .order(Order::Standard)
        .locations(true)
}

/// Paths looked up together, with any options, give the results of the oracle for each.
fn check(text: &str, document: &Value, paths: &[Path]) {
    let in_order = everywhere(text, paths, standard());
    let located = everywhere(text, paths, QueryOptions::default().locations(true));
    let plain = everywhere(text, paths, QueryOptions::default());
    let each = everywhere(
        text,
        paths,
        QueryOptions::default().duplicates(Duplicates::Each),
    );
    let written = everywhere(
        text,
        paths,
        QueryOptions::default()
            .order(Order::Written)
            .locations(true),
    );
    let starts = |answers: &[Answer]| -> Vec<u64> {
        let start = |answer: &Answer| match answer {
            Answer::Match(one) => Some(one.start),
            Answer::Missing { .. } => None,
        };
        answers.iter().filter_map(start).collect()
    };
    for answers in [&located, &plain, &each] {
        assert!(starts(answers).is_sorted(), "{text}");
    }
    // No key is repeated, so waiting for one only changes the time.
    assert_eq!(settled(text, paths), plain, "{text}");
    for (number, path) in paths.iter().enumerate() {
        let expected: Vec<_> = naive::select(path, document)
            .into_iter()
            .map(|(location, value)| {
                let location = location.display(Notation::JsonPath).to_string();
                (Some(location), value.clone())
            })
            .collect();
        assert_eq!(
            matches(text, number, &in_order),
            expected,
            "{path} in {text}"
        );
        let descends = |segment: &Segment| segment.reach == Reach::Descendant;
        let as_written = if path.segments().iter().any(descends) {
            matches(text, number, &located)
        } else {
            expected.clone()
        };
        assert_eq!(
            matches(text, number, &written),
            as_written,
            "{path} in {text}"
        );
        let sorted = |mut list: Vec<(Option<String>, Value)>| {
            list.sort_by_cached_key(|(location, value)| (location.clone(), value.to_string()));
            list
        };
        let expected = sorted(expected);
        assert_eq!(
            sorted(matches(text, number, &located)),
            expected,
            "{path} in {text}"
        );
        let values = sorted(
            expected
                .into_iter()
                .map(|(_, value)| (None, value))
                .collect(),
        );
        assert_eq!(
            sorted(matches(text, number, &plain)),
            values,
            "{path} in {text}"
        );
        assert_eq!(
            sorted(matches(text, number, &each)),
            values,
            "{path} in {text}"
        );
    }
}

#[cfg(feature = "regex")]
#[test]
fn jsonpath_compliance() {
    let Some(suite) = suites::suite("jsonpath-cts/cts.json") else {
        return;
    };
    let mut seen = 0;
    for case in suite["tests"].as_array().expect("tests") {
        if case["invalid_selector"] == true {
            continue;
        }
        seen += 1;
        let selector = case["selector"].as_str().expect("selector");
        let path = [Path::parse(selector).expect(selector)];
        let document = &case["document"];
        for text in [
            serde_json::to_string(document).unwrap(),
            serde_json::to_string_pretty(document).unwrap(),
        ] {
            let found = matches(&text, 0, &everywhere(&text, &path, standard()));
            let values: Value = found.iter().map(|(_, value)| value.clone()).collect();
            let places: Value = found.iter().map(|(place, _)| place.clone()).collect();
            let wanted = if case["results"].is_array() {
                let results = case["results"].as_array().into_iter().flatten();
                let paths = case["results_paths"].as_array().into_iter().flatten();
                results.zip(paths).collect()
            } else {
                vec![(&case["result"], &case["result_paths"])]
            };
            assert!(
                wanted.contains(&(&values, &places)),
                "{}: {selector} selects {values} at {places}, not {wanted:?}",
                case["name"]
            );
            check(&text, document, &path);
        }
    }
    assert!(seen >= 450, "only {seen} cases");
}

#[test]
fn json_pointer_examples() {
    let Some(suite) = suites::suite("rfc6901-pointer/pointer.json") else {
        return;
    };
    let mut seen = 0;
    for case in suite.as_array().expect("cases") {
        let mut texts = vec![case["pointer"].as_str().expect("pointer")];
        texts.extend(case["fragment"].as_str());
        for pointer in texts {
            let path = Path::parse(pointer).ok();
            let Some(path) = path.filter(|path| path.notation() == Notation::Pointer) else {
                continue;
            };
            if case["error"] == "syntax" {
                continue;
            }
            seen += 1;
            let text = case["doc"].to_string();
            let answers = everywhere(&text, &[path], QueryOptions::default());
            let found = matches(&text, 0, &answers);
            let wanted: Vec<_> = case.get("result").into_iter().collect();
            let values: Vec<_> = found.iter().map(|(_, value)| value).collect();
            assert_eq!(values, wanted, "{pointer:?} {case}");
            assert_eq!(answers.len(), 1, "a match or where it is missing");
        }
    }
    assert!(seen >= 60, "only {seen} cases");
}

/// Documents with few distinct keys, so that paths match.
pub(super) fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..4i64).prop_map(Value::from),
        prop::sample::select(vec![
            "",
            "a",
            "b",
            "ab",
            "é\u{1f600}",
            "\"\\\n",
            "long enough to fill more than one block of sixty-four bytes, this string"
        ])
        .prop_map(Value::from),
        Just(serde_json::json!(1.5)),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        let key = prop::sample::select(vec![
            "a",
            "b",
            "c",
            "0",
            "é",
            "",
            "a\"b",
            "a key longer than eight bytes",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6).prop_map(|members| {
                Value::Object(
                    members
                        .into_iter()
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect(),
                )
            }),
        ]
    })
}

/// Paths of a few segments, in each notation that can express them.
pub(super) fn path() -> impl Strategy<Value = String> {
    let child = prop::sample::select(vec![
        ".a",
        ".b",
        ".*",
        "[0]",
        "[1]",
        "[-1]",
        "[-2]",
        "[*]",
        "['é']",
        "['']",
        "['a\"b']",
        "['a key longer than eight bytes']",
        "[1:]",
        "[:2]",
        "[::2]",
        "[-2:]",
        "[:-1]",
        "[1:-1]",
        "[::-1]",
        "[-1:0:-2]",
        "[3:1:-1]",
        "[0,1]",
        "[1,0]",
        "[0,0]",
        "['b','a']",
        "['a',0,-1]",
        "[*,'a']",
        "[*,*]",
        "..a",
        "..*",
        "..[0]",
        "..[-1]",
        "..['a','b']",
        "..[1:]",
        "..['é']",
        "[?@.a]",
        "[?@.a==1]",
        "[?@>0]",
        "[?@=='ab']",
        "[?@.a!=@.b]",
        "[?@==@]",
        "[?@.a==@.b]",
        "[?!@.a]",
        "[?@[0]]",
        "[?@[-1]==1]",
        "[?@..a]",
        "[?@[?@.a]]",
        "[?@[?@>1]]",
        "[?@.*]",
        "[?@.a && @.b]",
        "[?@.a || @>1]",
        "[?length(@)>1]",
        "[?length(@.a)==length(@.b)]",
        "[?length($.a)>length(@)]",
        "..[?length(@)==2]",
        "..[?@==@[0]]",
        "..[?@.a==@.b]",
        "..[?@..a]",
        "..[?@..a..b]",
        "..[?@..[?@.a]]",
        "..[?@..[?@==@.a]]",
        "..[?count(@..a)==1]",
        "..[?value(@..a)==@.b]",
        "..[?@==$..a]",
        "..[?value(@..a)==$.b]",
        "..['a','a']",
        "..['a',*]",
        "[?count(@.*)==2]",
        "[?count(@..*)>3]",
        "[?value(@..a)==1]",
        "[?@==$.a]",
        "[?$.b]",
        "[?count($..a)==count(@..a)]",
        "[?@[?@==$.a]]",
        "[?@ == $[?@ == $.b]]",
        "[?$[?@[?$.a]]]",
        "..[?@.a]",
        "..[?@>0]",
        "..[?@==$.a]",
        "[?@.a<@.b]",
        "[?@[0,1]]",
        "[?@.a,0]",
        "[?@>0,?@.a,'b']",
    ]);
    #[cfg(feature = "regex")]
    let child = prop_oneof![
        9 => child,
        1 => prop::sample::select(vec!["[?match(@,'a.?')]", "[?search(@.a,'b')]", "[?match(@.a,@.b)]", "..[?search(@,'[ab]')]"]),
    ];
    let dot = prop::sample::select(vec![
        ".a",
        ".0",
        ".-1",
        ".é",
        "..a",
        "..",
        ".*",
        ".[]",
        ".1:",
        ".:-1",
        "..0",
        "..-1",
        ".\"a\\\"b\"",
        "?",
        ".::-1",
        "[0,-1]",
    ]);
    let pointer = prop::sample::select(vec!["/a", "/b", "/0", "/1", "/é", "/", "/a\"b"]);
    prop_oneof![
        6 => prop::collection::vec(child, 0..4).prop_map(|parts| format!("${}", parts.concat())),
        2 => prop::collection::vec(dot, 1..4).prop_map(|parts| parts.concat()),
        1 => prop::collection::vec(pointer, 0..4).prop_map(|parts| parts.concat()),
    ]
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn like_the_oracle(document in document(), paths in prop::collection::vec(path(), 1..4), pretty: bool, escaped: bool) {
        let mut text = if pretty { serde_json::to_string_pretty(&document).unwrap() } else { document.to_string() };
        if escaped {
            text = text.replace("\"a\":", "\"\\u0061\" :").replace("\"b\"", "\"\\u0062\"");
        }
        let paths: Vec<Path> = paths.iter().filter_map(|path| Path::parse(path).ok()).collect();
        check(&text, &document, &paths);
    }
}
