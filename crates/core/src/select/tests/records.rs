//! Compares records searched without a walk with the walk, which handles those that cross a chunk boundary, and all records if
//! locations are requested.

use jsonx_testing::cases;
use proptest::prelude::*;

use super::everywhere;
use crate::path::Path;
use crate::select::{Answer, Duplicates, Match, Order, QueryOptions};

/// A record with keys that are repeated, escaped and long.
fn record() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "1",
        "2.0",
        "\"x\"",
        "null",
        "[1, {\"a\": 2}]",
        "{}",
        "[]",
        "\"a string of twenty\"",
    ]);
    let key = || {
        let keys = vec![
            "a",
            "b",
            "\\u0061",
            "c",
            "a key longer than eight bytes",
            "a\\u0020key longer than eight bytes",
            "é",
        ];
        prop::sample::select(keys)
    };
    let object = |value: BoxedStrategy<String>| {
        prop::collection::vec((key(), prop::sample::select(vec!["", " "]), value), 0..6).prop_map(
            |members| {
                let member = |(key, space, value): &(&str, &str, String)| {
                    format!("\"{key}\"{space}:{space}{value}{space}")
                };
                format!(
                    "{{{}}}",
                    members.iter().map(member).collect::<Vec<_>>().join(",")
                )
            },
        )
    };
    let leaf = leaf.prop_map(str::to_owned).boxed();
    let inner = prop_oneof![2 => leaf.clone(), 1 => object(leaf.clone())].boxed();
    let inner = prop_oneof![2 => leaf.clone(), 1 => object(inner)].boxed();
    prop_oneof![1 => leaf, 8 => object(inner)]
}

proptest! {
    #![proptest_config(cases(2000))]
    /// Records in one chunk need no walk; those that cross into another chunk do.
    #[test]
    fn records_need_no_walk(
        records in prop::collection::vec(record(), 1..8),
        paths in prop::collection::vec(
            prop::sample::select(vec![".", ".a", ".b", ".a.b", ".a.a", ".b.a.b", ".a.2", ".\"a key longer than eight bytes\"", ".é"]),
            1..4,
        ),
        order in prop::sample::select(vec![Order::Document, Order::Written, Order::Standard]),
        duplicates in prop::sample::select(vec![Duplicates::Last, Duplicates::Each]),
    ) {
        let text = records.join("\n");
        let paths: Vec<Path> = paths.iter().map(|path| Path::parse(path).unwrap()).collect();
        let options = QueryOptions::default().order(order).duplicates(duplicates);
        let found = everywhere(&text, &paths, options);
        let located = everywhere(&text, &paths, options.locations(true));
        let plain = |answer: Answer| match answer {
            Answer::Match(one) => Answer::Match(Match { location: None, ..one }),
            missing => missing,
        };
        let located: Vec<Answer> = located.into_iter().map(plain).collect();
        prop_assert_eq!(found, located);
    }
}
