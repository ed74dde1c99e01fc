//! Answers by example, and limits of memory and stack.

use super::*;

/// Matches as `path: text`, and misses as `path: - steps`.
fn shown(text: &str, paths: &[&str], options: QueryOptions) -> Vec<String> {
    let paths: Vec<Path> = paths
        .iter()
        .map(|path| Path::parse(path).unwrap())
        .collect();
    let show = |answer: &Answer| match answer {
        Answer::Match(one) => {
            let raw = &text[one.start as usize..one.end as usize];
            let again = if one.duplicate { " again" } else { "" };
            format!("{}#{}: {raw}{again}", one.path, one.root)
        }
        Answer::Missing {
            path,
            root,
            missing,
        } => format!("{path}#{root}: - {}", missing.steps),
    };
    everywhere(text, &paths, options).iter().map(show).collect()
}

#[test]
fn several_values_at_the_root() {
    let text = "{\"a\":1} [2] 3 {\"a\":{\"a\":4}}";
    let paths = ["$..a", ".a", "$[?@ == $.a]"];
    assert_eq!(
        shown(text, &paths, QueryOptions::default()),
        [
            "0#0: 1",
            "1#0: 1",
            "2#0: 1",
            "1#1: - 0",
            "1#2: - 0",
            "0#3: {\"a\":4}",
            "1#3: {\"a\":4}",
            "2#3: {\"a\":4}",
            "0#3: 4"
        ]
    );
}

#[test]
fn last_duplicate_key_wins_when_named() {
    let text = r#"{"a":{"b":1},"c":0,"a":{"b":2,"\u0062":3},"a":{}, "d":{"a":5,"a":6}}"#;
    for (path, last, each) in [
        (
            "$.a.b",
            vec!["0#0: - 1"],
            vec!["0#0: 1", "0#0: 2", "0#0: 3", "0#0: - 1"],
        ),
        ("$.d.a", vec!["0#0: 6 again"], vec!["0#0: 5", "0#0: 6"]),
        ("$.c", vec!["0#0: 0"], vec!["0#0: 0"]),
        (
            "$..b",
            vec!["0#0: 1", "0#0: 3 again"],
            vec!["0#0: 1", "0#0: 2", "0#0: 3"],
        ),
        (
            "$[?@.b].b",
            vec!["0#0: 1", "0#0: 3 again"],
            vec!["0#0: 1", "0#0: 2", "0#0: 3"],
        ),
        ("$[?@.b == 3].b", vec!["0#0: 3 again"], vec![]),
        ("$[?@.a == 6].a", vec!["0#0: 6 again"], vec![]),
        ("$[?count(@.a) == 1].a", vec!["0#0: 6 again"], vec![]),
        (
            "$.*.b",
            vec!["0#0: 1", "0#0: 3 again"],
            vec!["0#0: 1", "0#0: 2", "0#0: 3"],
        ),
    ] {
        assert_eq!(
            shown(text, &[path], QueryOptions::default()),
            last,
            "{path}"
        );
        let options = QueryOptions::default().duplicates(Duplicates::Each);
        assert_eq!(shown(text, &[path], options), each, "{path}");
    }
}

#[test]
fn lone_surrogates_are_ordinary_keys() {
    let text = r#"{"\ud800": 1, "\ud801": 2, "\ufffd": 3}"#;
    let paths = [r#".["\ud800"]"#, r#".["\ud801"]"#, ".\u{fffd}"];
    assert_eq!(
        shown(text, &paths, QueryOptions::default()),
        ["0#0: 1", "1#0: 2", "2#0: 3"]
    );
    let answers = everywhere(text, &[Path::parse(paths[1]).unwrap()], standard());
    let [Answer::Match(one)] = &answers[..] else {
        panic!("{answers:?}")
    };
    let location = one.location.as_ref().unwrap();
    assert_eq!(
        location.display(Notation::Dot).to_string(),
        r#".["\ud801"]"#
    );
}

#[test]
fn containers_are_compared_by_value() {
    for (text, equal) in [
        (
            r#"{"a":{"x":1.0,"y":["\u0061",{}]},"b":{ "y" :["a", {}],"x":10e-1}}"#,
            true,
        ),
        (r#"{"a":{"x":1,"x":2},"b":{"x":2}}"#, true),
        (r#"{"a":[1,2],"b":[1,2,3]}"#, false),
        (r#"{"a":[[1],[]],"b":[[],[1]]}"#, false),
        (r#"{"a":{"x":1},"b":{"y":1}}"#, false),
        (r#"{"a":"\ud800","b":"\ud801"}"#, false),
        (r#"{"a":[],"b":{}}"#, false),
        (r#"{"a":{},"b":{}}"#, true),
    ] {
        let text = format!("[{text}]");
        let found = shown(&text, &["$[?@.a == @.b]"], QueryOptions::default());
        assert_eq!(found.len(), usize::from(equal), "{text}");
    }
}

/// A match has as many copies as derivations, even if some of them fail at the end of their objects.
#[test]
fn joining_derivations_are_counted() {
    const DEPTH: u64 = 3000;
    let count = |inner: &str, path: &str| {
        let text = format!(
            "{}1{}",
            "{\"a\":".repeat(DEPTH as usize),
            inner.repeat(DEPTH as usize)
        );
        let copies = |options: QueryOptions, window: usize| {
            let mut query = Query::new(&[Path::parse(path).unwrap()], options);
            let mut validator = Validator::new(Options::default());
            for window in text.as_bytes().chunks(window) {
                validator.write(window, &mut query).unwrap();
            }
            validator.finish(&mut query).unwrap();
            query.end();
            let copies = query.answers().map(|answer| match answer {
                Answer::Match(one) => one.copies,
                Answer::Missing { .. } => 0,
            });
            let sum = copies.sum::<u64>();
            assert!(query.is_clean());
            sum
        };
        let options = QueryOptions::default();
        assert_eq!(copies(options, 1000), copies(options, usize::MAX), "{path}");
        copies(options, usize::MAX)
    };
    let pairs = DEPTH * (DEPTH - 1) / 2;
    assert_eq!(count("}", "$..a..a"), pairs);
    assert_eq!(count("}", "$..a..a..a"), pairs * (DEPTH - 2) / 3);
    assert_eq!(count("}", "$..['a','a']..a"), 2 * pairs);
    // A second `a` replaces the one with the nested objects.
    assert_eq!(count(",\"a\":2}", "$..a..a"), 0);
    assert_eq!(count(",\"a\":2}", "$..*..a"), pairs);
    assert_eq!(count(",\"b\":{\"a\":2}}", "$..a..a"), 2 * pairs);
}

/// The memory of the walk does not depend on the length of the input.
#[test]
fn decided_matches_are_released() {
    let mut text = b"[".to_vec();
    for number in 0..20_000 {
        text.extend_from_slice(format!("{{\"n\":{number},\"s\":\"text\"}},").as_bytes());
    }
    text.extend_from_slice(b"{}]");
    for path in [
        "$[-1]",
        "$[-3:]",
        "$[:-2].n",
        "$[?@.n == 7].s",
        "$[*].n",
        "$..n",
        "$[?@.n > 5 && @.s]",
    ] {
        let mut query = Query::new(&[Path::parse(path).unwrap()], QueryOptions::default());
        let mut validator = Validator::new(Options::default());
        let mut behind = 0;
        for window in text.chunks(1000) {
            validator.write(window, &mut query).unwrap();
            query.answers().for_each(drop);
            behind = behind.max(validator.verified() - query.retain_from());
        }
        validator.finish(&mut query).unwrap();
        assert!(behind < 2000, "{path} keeps {behind} bytes");
    }
}

#[test]
fn depth_takes_no_stack_and_no_copies() {
    const DEPTH: usize = 100_000;
    let text = format!("{}{}", "{\"a\":[".repeat(DEPTH), "]}".repeat(DEPTH));
    for (path, count) in [
        ("$..b", 0),
        ("$..a", DEPTH),
        ("$..a[0]", DEPTH - 1),
        ("$..*", 2 * DEPTH - 1),
        ("$..[-1]", DEPTH - 1),
        ("$[?@ == @]", 1),
        // The square of the depth would be 10 billion threads, or bytes to compare.
        ("$..a..b", 0),
        ("$..[?@..b]", 0),
        ("$..[?@.a == 1]", 0),
        ("$..[?1 > @.a || search(@[0], 'x')]", 0),
        // Derivations that meet are one match, and results shared by several tested values are read and counted once.
        ("$..a..a", DEPTH - 1),
        ("$..a..a..a", DEPTH - 2),
        ("$..['a','a']..['a','a']", DEPTH - 1),
        ("$..[-1]..a", DEPTH - 1),
        ("$..[?@..a]", 2 * DEPTH - 2),
        ("$..[?count(@..a) > 10]", 2 * DEPTH - 22),
        ("$..[?@..[?@.a]]", 2 * DEPTH - 3),
        ("$..[?length(@) == 9]", 0),
        ("$..[?length(@) == 1]", 2 * DEPTH - 2),
        ("$..[?@ == @[0]]", 0),
        ("$..[?@.a == @[0]]", 1),
        ("$..[?@ == $.a]", 1),
        ("$..[?value(@..c) == @.a]", DEPTH),
    ] {
        let mut query = Query::new(&[Path::parse(path).unwrap()], QueryOptions::default());
        Validator::new(Options::default())
            .check(text.as_bytes(), &mut query)
            .unwrap();
        query.end();
        assert_eq!(query.answers().count(), count, "{path}");
        assert!(query.is_clean());
    }
}
