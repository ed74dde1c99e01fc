//! Windows paths, and punctuation of another alphabet.

use serde_json::Value;

use crate::{all, options, report, result, safe, show};
use jsonx_diagnose::Applicability::Review;
use jsonx_diagnose::repair::repair;
use jsonx_testing::inject::Random;

#[test]
fn all_backslashes_of_a_path_are_doubled() {
    const ROOTS: &[&str] = &[
        "C:\\",
        "d:\\",
        "\\\\host\\share\\",
        "..\\",
        ".\\",
        "%APPDATA%\\",
        "HKLM\\",
        "file:///C:\\",
        "\\\\?\\C:\\",
        "src\\Main\\",
    ];
    const NAMES: &[&str] = &[
        "Users", "new", "test", "temp", "bin", "u1234", "usr", "ubad", "x64", "x", "foo.txt",
        "rust", "0day", "Ünï", "a-b_c", "vendor", "eggs", "Dir", "123",
    ];
    let mut random = Random(29);
    let mut wrong = Vec::new();
    let mut count = 0;
    for _ in 0..4000 {
        let mut path = ROOTS[random.below(ROOTS.len())].to_owned();
        for number in 0..1 + random.below(4) {
            if number > 0 {
                path.push('\\');
            }
            path += NAMES[random.below(NAMES.len())];
        }
        // A one-letter name is not evidence.
        if path.starts_with("src") && path.ends_with("\\x") || path.contains("\\x\\") {
            continue;
        }
        if random.below(4) == 0 {
            path.push('\\');
        }
        for (before, after) in [
            ("[\"", "\"]"),
            ("{\"p\": \"", "\", \"q\": \"z\"}"),
            ("{\"p\":\"", "\"}"),
            ("{\n  \"p\": \"", "\",\n  \"q\": 1\n}\n"),
            ("['", "', 'z']"),
        ] {
            let text = format!("{before}{path}{after}");
            if jsonx_core::validate(text.as_bytes()).is_ok()
                || before == "['" && path.ends_with('\\')
            {
                continue;
            }
            let safely = safe(&text);
            let repaired = all(&text);
            if before == "['" && safely.is_valid() {
                // JavaScript and Python agree on these escapes.
                continue;
            }
            count += 1;
            let found = result(&repaired).and_then(|value| match value {
                Value::Array(elements) => elements.first().cloned(),
                Value::Object(members) => members.get("p").cloned(),
                _ => None,
            });
            if found != Some(Value::String(path.clone())) || safely.is_valid() {
                wrong.push(format!("{text:?} is {:?}", show(&repaired)));
            }
        }
    }
    assert!(count > 4000, "{count}");
    report(&wrong);
}

#[test]
fn full_width_punctuation_is_understood_whole() {
    let wide = [
        ('{', '｛'),
        ('}', '｝'),
        ('[', '［'),
        (']', '］'),
        (':', '：'),
        (',', '，'),
    ];
    let mut wrong = Vec::new();
    for text in [
        r#"{"a":1,"b":2}"#,
        r#"{"a": "x", "b": [1, true, "y，z"], "c": {"d": null, "e": -1.5}}"#,
        r#"["x", "y", {"名": "你好，世界：！"}]"#,
        r#"{a: 1, b: "c", d: [e]}"#,
        r#"{“a”: “b”, “c”: 1}"#,
        r#"{'a': 'b', 'c': True}"#,
    ] {
        let meant = result(&all(text)).expect("valid");
        // Every subset of the characters that may be full-width.
        for set in 0..1 << wide.len() {
            let mut quoted = false;
            let typed: String = text
                .chars()
                .map(|c| {
                    quoted ^= matches!(c, '"' | '\'' | '“' | '”');
                    let is_in = |(number, _): &(usize, &(char, char))| set >> number & 1 == 1;
                    let mut pairs = wide.iter().enumerate().filter(is_in);
                    match pairs.find(|(_, (ascii, _))| *ascii == c && !quoted) {
                        Some((_, (_, wide))) => *wide,
                        None => c,
                    }
                })
                .collect();
            let repaired = all(&typed);
            if repaired.is_valid() && result(&repaired).as_ref() != Some(&meant) {
                wrong.push(format!("{typed:?} is {:?}", show(&repaired)));
            }
            // All of them, as typed by an input method.
            if set + 1 == 1 << wide.len() && !repaired.is_valid() {
                wrong.push(format!("{typed:?} is refused"));
            }
        }
    }
    report(&wrong);
}

#[test]
fn characters_that_are_cut_off_are_replaced() {
    let mut wrong = Vec::new();
    for (character, other) in [("€", ""), ("😀", ""), ("é", "ü"), ("€", "ü"), ("😀", "日")]
    {
        // Without another character in UTF-8, one byte may be Windows-1252.
        let first = if other.is_empty() { 2 } else { 1 };
        for length in first..character.len() {
            let cut = &character.as_bytes()[..length];
            for (before, after) in [
                ("{\"a\": \"x", "\"}"),
                ("[\"x", "\", \"y\"]\n"),
                ("{\"x", "\":\n  1}"),
            ] {
                let start = before.replace('x', other);
                let text = [start.as_bytes(), cut, after.as_bytes()].concat();
                let repaired = repair(&text, &options(Review));
                let expected = format!("{start}\u{fffd}{after}");
                if show(&repaired) != expected || repaired.guesses != 1 {
                    wrong.push(format!("{expected:?} is {:?}", show(&repaired)));
                }
            }
        }
    }
    report(&wrong);
}

#[test]
fn lone_surrogates_are_replaced() {
    for (text, expected) in [
        (r#"["\ud83d"]"#, r#"["\ufffd"]"#),
        (r#"{"\uDE00\ud83d": 1}"#, r#"{"\ufffd\ufffd": 1}"#),
        (r#"["\\ud83d", "\ud83d\ude00"]"#, ""),
        (r#"['\ud83dx',]"#, r#"["\ufffdx"]"#),
        // The other half may be missing.
        (r#"["a\ud83d"#, r#"["a"]"#),
        (r#"["a\ud83dx"#, r#"["a\ufffdx"]"#),
        (r#"["a\ude00"#, r#"["a\ufffd"]"#),
    ] {
        let expected = if expected.is_empty() { text } else { expected };
        assert_eq!(show(&all(text)), expected);
        assert!(!show(&safe(text)).contains("ufffd"));
    }
}

#[test]
fn words_and_text_with_marks_of_emphasis_are_values() {
    for (text, expected) in [
        (r#"["a" BOGUS, "b"]"#, r#"["a", "BOGUS", "b"]"#),
        (r#"["a", "b" BOGUS]"#, r#"["a", "b", "BOGUS"]"#),
        ("[1 two 3, true]", r#"[1, "two 3", true]"#),
        ("[5 kg, 1 True]", r#"[5, "kg", 1, true]"#),
        // A key that begins an object in the text.
        (r#"{"b":"x{"c":3}"#, r#"{"b":"x{\"c\":3"}"#),
        (r#"{"b":"x{"c":3","d":4}"#, r#"{"b":"x{\"c\":3","d":4}"#),
        (
            r#"["a" and "b" are one", 1]"#,
            r#"["a\" and \"b\" are one", 1]"#,
        ),
        (r#"["say "a" or "b", c"]"#, r#"["say \"a\" or \"b\", c"]"#),
        ("{\"my\": **bold, more**\n}", r#"{"my": "**bold, more**"}"#),
        (
            r#"{"my": *it, em*, "b": 1}"#,
            r#"{"my": "*it, em*", "b": 1}"#,
        ),
        (r#"[***a***, 2]"#, r#"["***a***", 2]"#),
        (
            r#"{"a": the **x, y** and _p, q_ end, b: ~~so, so~~}"#,
            r#"{"a": "the **x, y** and _p, q_ end", "b": "~~so, so~~"}"#,
        ),
        (r#"{"a": _x, y_}"#, r#"{"a": "_x, y_"}"#),
        (r#"[the **x, y**, 2]"#, r#"["the **x, y**", 2]"#),
        // Names and keys with underscores, globs and paths.
        ("[_x, y_]", r#"["_x", "y_"]"#),
        ("{a: _x, y_: 1}", r#"{"a": "_x", "y_": 1}"#),
        ("{a: _x, b: y_}", r#"{"a": "_x", "b": "y_"}"#),
        ("{a: my_x, b: my_y}", r#"{"a": "my_x", "b": "my_y"}"#),
        ("[*.js, **/*.ts, ~/x]", r#"["*.js", "**/*.ts", "~/x"]"#),
    ] {
        let expected = jsonx_testing::documents::value(expected.as_bytes());
        assert_eq!(crate::result(&crate::all(text)), expected, "{text}");
    }
}
