//! `jsonx shape`.

use std::io::Write;

use crate::{Folder, piped};

const LINES: &str = "{\"id\": 1, \"at\": {\"x-y\": \"a|b\"}}\n{\"id\": \"two\", \"l\": [1, null]}\n{\"id\": 3, \"l\": []}\n";

const TABLE: &str = "\
path     share   types                   least  greatest  mean  example
.        100%    object
.id      100%    string 33%, number 67%      1         3     2  1
.at      33%     object
.at.x-y  100%    string                                         a|b
.l       67%     array
.l[]     1 each  number 50%, null 50%        1         1     1  1
";

#[test]
fn a_shape_has_a_row_for_each_path() {
    let array = format!("[{}]", LINES.trim_end().replace('\n', ","));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    gzip.write_all(LINES.as_bytes()).unwrap();
    let json5 = array.replace("\"id\"", "id").replace("3,", "0x3,");
    let folder = Folder::with(&[
        ("a.jsonl", LINES.as_bytes()),
        ("a.jsonl.gz", &gzip.finish().unwrap()),
        ("a.json", array.as_bytes()),
        ("a.json5", json5.as_bytes()),
        ("d/a.json", b"{\"id\": 1}"),
        ("d/b.json", b"{}"),
        ("d/c.txt", b"{\"no\": 1}"),
    ]);
    for args in [
        &["a.jsonl"][..],
        &["a.jsonl.gz"],
        &["-p", ".", "a.jsonl"],
        &["--path", ".[]", "a.json"],
        &["--path", "$[*]", "a.json5"],
        &["a.jsonl", "--threads=3"],
    ] {
        let ran = folder.run(&[&["shape"], args].concat());
        let result = (ran.out.as_str(), ran.err.as_str(), ran.code);
        assert_eq!(result, (TABLE, "", 0), "{args:?}");
    }
    assert_eq!(piped(&["shape"], LINES).out, TABLE);
    assert_eq!(piped(&["shape", "-p", ".[]"], &array).out, TABLE);
    let ran = folder.run(&["shape", "d"]);
    let table = "path  share  types   least  greatest  mean  example\n.     100%   object\n.id   50%    number      1         1     1        1\n";
    assert_eq!((ran.out.as_str(), ran.code), (table, 0));
    for (args, code) in [
        (&["none.json"][..], 4),
        (&["-p", ".none", "a.json"], 1),
        (&["-p", "none", "a.json"], 2),
        (&["--limit=1", "a.json"], 2),
        (&["-p", ".a", "-p", ".b", "a.json"], 2),
    ] {
        let ran = folder.run(&[&["shape"], args].concat());
        assert_eq!(
            (ran.out.as_str(), ran.code),
            ("", code),
            "{args:?} {}",
            ran.err
        );
    }
}

#[test]
fn an_invalid_text_has_no_shape_and_an_invalid_record_no_part_in_it() {
    for text in ["", "[1, 2", "{\"a\": [1,]}"] {
        let ran = piped(&["shape"], text);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{text}");
    }
    let text = "{\"a\": 1}\n{\"b\": 2\n{\"a\": 2}\n";
    let table = "path  share  types   least  greatest  mean  example\n.     100%   object\n.a    100%   number      1         2   1.5        1\n";
    for (option, code) in [("--no-hidden", 3), ("--skip-invalid", 0)] {
        let ran = piped(&["shape", option], text);
        assert_eq!((ran.out.as_str(), ran.code), (table, code), "{}", ran.err);
    }
}

#[test]
fn objects_for_programs_have_counts() {
    let out = piped(&["shape", "--json"], LINES).out;
    let lines = [
        r#"{"path":".","count":3,"of":3,"types":{"object":3}}"#,
        r#"{"path":".id","count":3,"of":3,"types":{"string":1,"number":2},"least":1,"greatest":3,"mean":2,"example":1}"#,
        r#"{"path":".at","count":1,"of":3,"types":{"object":1}}"#,
        r#"{"path":".at.x-y","count":1,"of":1,"types":{"string":1},"example":"a|b"}"#,
        r#"{"path":".l","count":2,"of":3,"types":{"array":2}}"#,
        r#"{"path":".l[]","count":2,"of":2,"types":{"number":1,"null":1},"least":1,"greatest":1,"mean":1,"example":1}"#,
    ];
    assert_eq!(out, lines.join("\n") + "\n");
}

/// Of long values, the beginning is shown, whatever is at its end; hostile ones stay on their line.
#[test]
fn examples_are_cut_between_characters() {
    let long = |unit: &str| format!("\"{}\"", unit.repeat(100));
    for (text, cell, example) in [
        (long("é"), "é".repeat(31) + "…", None),
        (
            long("\\n"),
            "\\n".repeat(31) + "…",
            Some("\\n".repeat(31) + "…"),
        ),
        (long("\\ud83d\\ude00"), "😀".repeat(5) + "…", None),
        (
            long("\\\\"),
            "\\\\".repeat(31) + "…",
            Some("\\\\".repeat(31) + "…"),
        ),
        (
            r#""a\tb\u001b""#.to_owned(),
            "a\\tb␛".to_owned(),
            Some(r"a\tb\u001b".to_owned()),
        ),
    ] {
        let table = piped(&["shape"], &text).out;
        let last = table
            .lines()
            .nth(1)
            .unwrap()
            .split("  ")
            .last()
            .unwrap()
            .trim();
        assert_eq!(last, cell, "{table}");
        let json = piped(&["shape", "--json"], &text).out;
        let end = format!("\"example\":\"{}\"}}\n", example.unwrap_or(cell));
        assert!(json.ends_with(&end), "{json}");
    }
    let number = "1".repeat(1000);
    let table = piped(&["shape"], &number).out;
    assert!(table.contains(&format!("{}…", "1".repeat(64))) && !table.contains(&"1".repeat(65)));
    let json = piped(&["shape", "--json"], &number).out;
    assert!(
        json.contains(&format!(
            "\"least\":{number},\"greatest\":{number},\"example\":\"1"
        )),
        "{json}"
    );
}

#[test]
fn bounds_are_exact_and_means_those_of_doubles() {
    for (numbers, least, greatest, mean) in [
        ("0.1 0.2 0.3", "0.1", "0.3", "0.2"),
        (
            "9007199254740993 9007199254740992.0",
            "9007199254740992.0",
            "9007199254740993",
            "9007199254740992",
        ),
        ("1 2.50 -1e-3", "-1e-3", "2.50", "1.16633333333333"),
        ("1e280 3e280", "1e280", "3e280", "2e+280"),
        ("1e400 1e-400", "1e-400", "1e400", ""),
        ("-0", "0", "0", "0"),
    ] {
        let out = piped(&["shape", "--json"], numbers).out;
        let mean = if mean.is_empty() {
            String::new()
        } else {
            format!(",\"mean\":{mean}")
        };
        let part = format!("\"least\":{least},\"greatest\":{greatest}{mean},");
        assert!(out.contains(&part), "{numbers}: {out}");
    }
}

/// Long JSON Lines, on any number of threads.
#[test]
fn a_shape_does_not_depend_on_threads() {
    let mut lines = String::new();
    for number in 0..200_000_u64 {
        let key = number * number % 1000;
        lines += &format!(
            "{{\"n\": {}.{key:03}, \"k{}\": {{\"a\": {}}}}}\n",
            number % 7,
            key % 300,
            key % 3
        );
    }
    let folder = Folder::with(&[("a.jsonl", lines.as_bytes())]);
    for args in [&[][..], &["-p", ".n"], &["-p", "$.*"]] {
        let run =
            |threads| folder.run(&[&["shape", "a.jsonl", "--threads", threads], args].concat());
        let one = run("1");
        assert!(one.code == 0 && !one.out.is_empty(), "{args:?} {}", one.err);
        assert_eq!(run("3"), one, "{args:?}");
        let pipe = piped(&[&["shape"], args].concat(), &lines);
        assert_eq!(pipe.out, one.out, "{args:?}");
    }
}

/// Paths are as long as they are deep, so all of 9,000 nested arrays would take 80 MB.
#[test]
fn deep_and_wide_values_have_a_short_shape() {
    let deep = "[".repeat(9000) + &"]".repeat(9000);
    let ran = piped(&["shape", "--max-depth", "9000"], &deep);
    assert!(ran.out.len() < 1 << 20, "{}", ran.out.len());
    assert!(ran.err.contains("16384 of up to 256 steps"), "{}", ran.err);
    // Members that are not told apart are counted like elements.
    let members = |name: &str| -> String {
        let all: Vec<String> = (0..300).map(|n| format!("\"{name}{n}\": 1")).collect();
        format!("{{{}}}", all.join(","))
    };
    let ran = piped(&["shape"], format!("[{}, {}]", members("a"), members("b")));
    let rest = ran.out.lines().last().unwrap();
    assert!(
        rest.starts_with(".[].*") && rest.contains("172 each"),
        "{rest}"
    );
    let ran = piped(&["shape", "--json"], "[-0, -0.0, -1e-9, -0e5]");
    assert!(
        ran.out.contains("\"least\":-1e-9,\"greatest\":0,"),
        "{}",
        ran.out
    );
}
