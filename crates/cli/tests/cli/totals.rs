//! `get --tally`.

use std::collections::HashMap;

use jsonx_testing::cases;
use proptest::prelude::*;

use crate::{Folder, piped};

#[test]
fn distinct_values_are_counted() {
    let text = r#"["b", "a", 1, 1.0, 10e-1, "\u0061", {"x": 1, "y": [2]}, {"y":[2.0], "x":1}, null, "", "a\tb", "\ud800", "\ufffd", "�", 12345678901234567890123]"#;
    let folder = Folder::with(&[("a.json", text.as_bytes()), ("b.json", text.as_bytes())]);
    let lines = [
        ("3", "1", "1"),
        ("2", "\"a\"", "a"),
        ("2", "{\"x\":1,\"y\":[2]}", "{\"x\":1,\"y\":[2]}"),
        ("2", "\"\\ufffd\"", "\u{fffd}"),
        ("1", "\"b\"", "b"),
        ("1", "null", ""),
        ("1", "\"\"", ""),
        ("1", "\"a\\tb\"", "a\\tb"),
        ("1", "\"\\ud800\"", "\u{fffd}"),
        ("1", "12345678901234567890123", "12345678901234567890123"),
    ];
    let json: String = lines
        .map(|(count, json, _)| format!("{count}\t{json}\n"))
        .concat();
    let raw: String = lines
        .map(|(count, _, raw)| format!("{count}\t{raw}\n"))
        .concat();
    let objects = lines.map(|(count, json, _)| format!("{{\"count\":{count},\"value\":{json}}}\n"));
    for (option, expected) in [
        ("--no-filename", &json),
        ("--raw", &raw),
        ("--tsv", &raw),
        ("--json", &objects.concat()),
    ] {
        let ran = folder.run(&["get", ".[]", "--tally", option, "a.json"]);
        assert_eq!(
            (&ran.out, ran.err.as_str(), ran.code),
            (expected, "", 0),
            "{option}"
        );
        assert_eq!(
            &piped(&["get", ".[]", "--tally", option], text).out,
            expected
        );
    }
    let ran = folder.run(&[
        "get", ".[]", "--tally", "--csv", "--header", "--where", ". > 'a'", "a.json", "b.json",
    ]);
    assert_eq!(
        ran.out, "count,value\n4,\u{fffd}\n2,b\n2,a\tb\n2,\u{fffd}\n",
        "{}",
        ran.err
    );
}

#[test]
fn there_is_no_tally_of_an_invalid_text() {
    let none = piped(&["get", ".a", "--tally"], "{}");
    assert_eq!((none.out.as_str(), none.code), ("", 1));
    assert_eq!(piped(&["get", ".a", "--tally"], "").code, 3);
    // Totals before an error would be incomplete.
    let broken = piped(&["get", ".[]", "--tally"], "[1, 2");
    assert_eq!((broken.out.as_str(), broken.code), ("", 3));
    let lines = piped(&["get", ".", "--tally", "--input=jsonl"], "1\n{\n1\n");
    assert!(lines.out.contains('2') && lines.code == 3, "{}", lines.out);
    for wrong in [
        "--count",
        "--columns=.",
        "--with-path",
        "--default=1",
        "-e.a",
    ] {
        let args = ["get", "-e", ".", "--tally", wrong];
        assert_eq!(piped(&args, "{}").code, 2, "{wrong}");
    }
}

/// Long JSON Lines, on any number of threads.
#[test]
fn totals_do_not_depend_on_threads() {
    let mut lines = String::new();
    for number in 0..200_000_u64 {
        let key = number * number % 1000;
        lines += &format!(
            "{{\"n\": {}.{key:03}, \"key\": \"k{key}\", \"o\": {{\"b\": 1, \"a\": {}}}}}\n",
            number % 7,
            key % 3
        );
    }
    let folder = Folder::with(&[("a.jsonl", lines.as_bytes())]);
    for args in [
        &[".key", "--tally"][..],
        &[".o", "--tally", "--json", "--where", ".a > 0"],
    ] {
        let run =
            |threads| folder.run(&[&["get", "a.jsonl", "--threads", threads, "-e"], args].concat());
        let one = run("1");
        assert!(one.code == 0 && !one.out.is_empty(), "{args:?} {}", one.err);
        assert_eq!(run("3"), one, "{args:?}");
        let pipe = piped(&[&["get", "-e"], args].concat(), &lines);
        assert_eq!(pipe.out, one.out, "{args:?}");
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn tallies_are_those_of_a_map(values in prop::collection::vec(0..30_u32, 0..200)) {
        let spelled = |value: &u32| match value % 3 {
            0 => format!("\"{value}\""),
            1 => format!("{value}"),
            _ => format!("[{value}]"),
        };
        let mut counts: HashMap<String, (u64, usize)> = HashMap::new();
        for (at, value) in values.iter().map(spelled).enumerate() {
            counts.entry(value).or_insert((0, at)).0 += 1;
        }
        let mut expected: Vec<_> = counts.into_iter().collect();
        expected.sort_by_key(|(_, (count, first))| (u64::MAX - count, *first));
        let expected: String = expected.iter().map(|(value, (count, _))| format!("{count}\t{value}\n")).collect();
        let text: String = values.iter().map(|value| spelled(value) + "\n").collect();
        prop_assert_eq!(piped(&["get", ".", "--tally"], text).out, expected);
    }
}
