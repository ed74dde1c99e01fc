//! Compares queries over segments of a text with the walk over the whole.

use proptest::prelude::*;

use crate::engine::{Kernel, Mode, Options, Validator};
use crate::path::Path;
use crate::query::{Answer, Query, QueryOptions};
use crate::select::tests::{document, path};
use crate::window::in_segments;
use jsonx_testing::cases;

/// The answers of the walk over the whole text, and whether a key was repeated.
fn whole(text: &[u8], mut query: Query, options: Options) -> (Vec<Answer>, bool) {
    Validator::new(options).check(text, &mut query).unwrap();
    query.end();
    (query.answers().collect(), query.has_duplicates())
}

fn check(
    text: &str,
    paths: &[Path],
    options: Options,
    located: bool,
    size: usize,
    lag: usize,
) -> usize {
    let query = Query::new(paths, QueryOptions::default().locations(located));
    let (expected, has_duplicates) = whole(text.as_bytes(), query.clone(), options);
    let (mut query, taken) = in_segments(text.as_bytes(), query, options, size, lag);
    query.end();
    if query.had_late_duplicates() {
        assert!(has_duplicates, "{paths:?} {size} {lag} {text}");
        return taken;
    }
    assert_eq!(
        query.has_duplicates(),
        has_duplicates,
        "{paths:?} {size} {lag} {text}"
    );
    let answers: Vec<Answer> = query.answers().collect();
    assert_eq!(answers, expected, "{paths:?} {size} {lag} {text}");
    assert!(query.is_clean(), "{paths:?} {size} {lag} {text}");
    taken
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn segments_change_nothing(
        documents in prop::collection::vec(document(), 1..3),
        paths in prop::collection::vec(path(), 1..3),
        form in 0..8,
        copies in 1..4usize,
        lag in 0..4usize,
        size in prop::sample::select(vec![64, 77, 128, 500]),
        kernel in 0..Kernel::available().count(),
        pretty: bool,
        located: bool,
    ) {
        let shown = |value: &serde_json::Value| {
            if pretty {
                serde_json::to_string_pretty(value).unwrap()
            } else {
                value.to_string()
            }
        };
        let documents: Vec<String> = documents.iter().map(shown).collect();
        let list = |separator: &str| vec![documents.join(separator); copies].join(separator);
        let members = |keys: &[&str]| -> String {
            let all = (0..copies).flat_map(|_| &documents).zip(keys.iter().cycle());
            let all: Vec<String> = all.map(|(value, key)| format!("\"{key}\": {value}")).collect();
            format!("{{{}}}", all.join(","))
        };
        let text = match form {
            0 => format!("[{}]", list(",")),
            1 => format!("{{\"a\": [{}], \"b\": {}}}", list(","), documents[0]),
            2 => format!("{{\"b\": {}, \"a\": {{\"b\": [{}]}}}}", documents[0], list(" ,\n")),
            3 => format!("[[{}], [{}]]", list(","), list(", ")),
            4 => members(&["a", "b", "c"]),
            5 => format!("[{}]", vec![members(&["x", "y", "z", "b"]); copies].join(",")),
            6 => format!("{}1{}", "[".repeat(20 * copies), format!(",{}]", documents[0]).repeat(20 * copies)),
            _ => list("\n"),
        };
        let paths: Vec<Path> = paths.iter().filter_map(|path| Path::parse(path).ok()).collect();
        let mode = if form == 7 { Mode::Stream } else { Mode::One };
        let kernel = Kernel::available().nth(kernel).unwrap();
        let options = Options::default().mode(mode).kernel(kernel);
        check(&text, &paths, options, located, size, lag);
    }
}

/// Segments are used for common paths in common texts.
#[test]
fn segments_are_merged() {
    let records: Vec<String> = (0..1000)
        .map(|n| {
            format!(
                r#"{{"id": {n}, "tags": ["a,b", "c"], "at": {{"x": -{n}.5, "y": [1, [2, 3]]}}}}"#
            )
        })
        .collect();
    let array = format!("[{}]", records.join(","));
    let within = format!(
        "{{\n \"meta\": {{}},\n \"all\": [\n{}\n], \"end\": 1}}",
        records.join(",\n")
    );
    let keyed: Vec<String> = records
        .iter()
        .enumerate()
        .map(|(n, one)| format!("\"k{n}\": {one}"))
        .collect();
    let object = format!("{{{}}}", keyed.join(","));
    for (text, paths) in [
        (
            &array,
            &[
                "$[0]",
                "$[999]",
                "$[1:].id",
                "$[*].id",
                "$[*].at.y[1][*]",
                "$[?@.id==500]",
                "$..y",
                "$..id",
                "$[*].tags[-1]",
                "$[*,0]",
                "$[0,*].id",
                "$[2:5,7].id",
                "$[?@.id==500,3]",
                "$..[0]",
                "$..*",
                "$[700].id",
            ][..],
        ),
        (
            &within,
            &[
                "$.all[999].id",
                "$.all[*].id",
                "$.end",
                "$.none",
                "$..y",
                "$.all[?@.at.x<-900].id",
                "$['all','end'][3]",
            ],
        ),
        (
            &object,
            &[
                "$.k999",
                "$.k3.id",
                "$.*.id",
                "$[?@.id==10]",
                "$..id",
                "$.none",
            ],
        ),
    ] {
        for path in paths {
            let parsed = [Path::parse(path).unwrap()];
            for (size, lag, located) in [(1000, 0, false), (2000, 3, false), (2000, 1, true)] {
                let taken = check(text, &parsed, Options::default(), located, size, lag);
                let segments = text.len() / size;
                assert!(
                    taken + 5 + 2 * lag >= segments,
                    "{path}: {taken} of {segments} of {text:.20}, located: {located}"
                );
            }
        }
    }
}
