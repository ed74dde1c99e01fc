//! `jsonx grep`.

use std::io::Write;
use std::process::{Command, Stdio};

use jsonx_core::path::{Location, Path};
use proptest::prelude::*;
use serde_json::Value;

use crate::terminals::{seen, terminal};
use crate::{Folder, jsonx, piped, run};

const TEXT: &str = "{\"a\": [\"one\", {\"one\": \"\\u006fne!\", \"x y\": 12.50}],\n \"b\": \"caf\\u00e9 \\\"one\\\" two one\", \"k\": [null, true, \"1\"]}\n";

#[test]
fn options() {
    let folder = Folder::with(&[("a.json", TEXT.as_bytes())]);
    let one = "a.json:1:8: .a[0]: \"one\"\n";
    let escaped = "a.json:1:23: .a[1].one: \"\\u006fne!\"\n";
    let quoted = "a.json:2:7: .b: \"caf\\u00e9 \\\"one\\\" two one\"\n";
    for (args, out) in [
        (&["one"][..], [one, escaped, quoted].concat()),
        (&["^one$"], one.to_owned()),
        (&["^on"], [one, escaped].concat()),
        (&["-F", "\"one\""], quoted.to_owned()),
        (&["-F", "e."], String::new()),
        (&["-i", "ONE!|É"], [escaped, quoted].concat()),
        (&["é"], quoted.to_owned()),
        (&["\\\\"], String::new()),
        (&["-w", "on|caf|e"], String::new()),
        (&["-rnHEas", "^on"], [one, escaped].concat()),
        (&["-w", "two|2"], quoted.to_owned()),
        (&["-m1", "one"], one.to_owned()),
        (&["12.50"], "a.json:1:43: .a[1][\"x y\"]: 12.50\n".to_owned()),
        (&["^true$|null"], "a.json:2:42: .k[0]: null\na.json:2:48: .k[1]: true\n".to_owned()),
        (&["^1$"], "a.json:2:54: .k[2]: \"1\"\n".to_owned()),
        (&["x y"], String::new()),
        (&["-k", "x y"], "a.json:1:36: .a[1][\"x y\"]: 12.50\n".to_owned()),
        (&["-k", "^one$"], [one, "a.json:1:16: .a[1].one: \"\\u006fne!\"\n"].concat()),
        (&["-k", "^[ak]$"], "a.json:1:2: .a: […]\na.json:2:36: .k: […]\n".to_owned()),
        (&["-o", "o.e"], "a.json:1:8: .a[0]: one\na.json:1:23: .a[1].one: \\u006fne\na.json:2:7: .b: one\na.json:2:7: .b: one\n".to_owned()),
        (&["-o", "-k", "^on|x|. t"], "a.json:1:8: .a[0]: on\na.json:1:16: .a[1].one: on\na.json:1:16: .a[1].one: \\u006fn\na.json:1:36: .a[1][\"x y\"]: x\na.json:2:7: .b: \\\" t\n".to_owned()),
        (&["-c", "one"], "3\n".to_owned()),
        (&["-c", "none"], String::new()),
        (&["-l", "one"], "a.json\n".to_owned()),
        (&["-l", "none"], String::new()),
        (&["-q", "one"], String::new()),
        (&["--json", "-k", "!|^a$"], "{\"file\":\"a.json\",\"line\":1,\"column\":2,\"path\":\".a\"}\n{\"file\":\"a.json\",\"line\":1,\"column\":23,\"path\":\".a[1].one\",\"value\":\"\\u006fne!\"}\n".to_owned()),
        (&["-m", "2", "-c", "one"], "2\n".to_owned()),
        (&["", "-c"], "7\n".to_owned()),
    ] {
        let ran = folder.run(&[&["grep"], args, &["a.json"]].concat());
        let found = !out.is_empty() || args.contains(&"-q");
        let result = (ran.out, ran.err.as_str(), ran.code);
        assert_eq!(result, (out, "", i32::from(!found)), "{args:?}");
    }
}

#[test]
fn files_directories_and_pipes() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    gzip.write_all(b"[\"one\"]").unwrap();
    let folder = Folder::with(&[
        ("a.json", b"[\"one\"]"),
        (
            "b/a.jsonl",
            b"{\"a\": \"one\"}\n\n{\"a\": 1}\n{\"a\": [\"one\"]}\n",
        ),
        ("b/c.txt", b"[\"one\"]"),
        ("b/d.json5", b"// c\n{a: 'one', b: 0xone}"),
        ("b/e.jsonc", b"// one\n[1, /* one */ \"one\",]"),
        ("b/f.json", b"{\"a\": 1}\n{\"a\": \"one\"}"),
        ("b/g.json.gz", &gzip.finish().unwrap()),
        ("b/h.msgpack", b"\x92\xa3one\x01"),
        ("b/ignored.json", b"[\"one\"]"),
        (".ignore", b"ignored.json"),
    ]);
    let a = "a.json:1:2: .[0]: \"one\"\n";
    let b = "b/a.jsonl:1:7: .a: \"one\"\nb/a.jsonl:4:8: .a[0]: \"one\"\n";
    let e = "b/e.jsonc:2:15: .[1]: \"one\"\n";
    let f = "b/f.json:2:7: .a: \"one\"\n";
    let g = "b/g.json.gz:1:2: .[0]: \"one\"\n";
    for threads in ["1", "4"] {
        let grep =
            |args: &[&str]| folder.run(&[&["grep", "one", "--threads", threads], args].concat());
        let ran = grep(&["a.json", "b", "b/g.json.gz", "b/h.msgpack", "none.json"]);
        let h = "b/h.msgpack:1:2: .[0]: \"one\"\n";
        assert_eq!(
            (ran.out, ran.code),
            ([a, b, e, f, g, h].concat(), 4),
            "{}",
            ran.err
        );
        assert!(
            ran.err.contains("none.json") && ran.err.contains("b/d.json5"),
            "{}",
            ran.err
        );
        let ran = grep(&["-g", "a.*"]);
        assert_eq!(
            (ran.out.lines().count(), ran.code),
            (3, 0),
            "{} {}",
            ran.out,
            ran.err
        );
        let ran = grep(&["-c", "b", "-g", "!d*"]);
        assert_eq!(
            ran.out,
            "b/a.jsonl:2\nb/e.jsonc:1\nb/f.json:1\nb/g.json.gz:1\n"
        );
        let ran = grep(&["-l", "b", "a.json", "--ext", "json"]);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            ("b/f.json\nb/g.json.gz\na.json\n", 0)
        );
        assert_eq!(grep(&["-q", "b"]).out, "");
    }
    for (input, args, out, code) in [
        ("[\"one\"]", &[][..], "<stdin>:1:2: .[0]: \"one\"\n", 0),
        (
            "[\"one\"]\n{\"a\":\"one\"}",
            &["-"],
            "<stdin>:1:2: .[0]: \"one\"\n<stdin>:2:6: .a: \"one\"\n",
            0,
        ),
        ("[\n\"one\",\n1]", &[], "<stdin>:2:1: .[0]: \"one\"\n", 0),
        ("1", &[], "", 1),
        ("", &[], "", 3),
        ("[\n\"one\",\n", &[], "<stdin>:2:1: .[0]: \"one\"\n", 3),
        (
            "'one'",
            &["--input", "json5"],
            "<stdin>:1:1: .: \"one\"\n",
            0,
        ),
    ] {
        let ran = piped(&[&["grep", "one"], args].concat(), input);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, code),
            "{input} {}",
            ran.err
        );
    }
}

/// The message is that of `get`, nothing of an invalid file is printed, and other files and records are searched.
#[test]
fn invalid_inputs() {
    let folder = Folder::with(&[
        ("a.json", b"{\"a\": \"one\", }"),
        ("b.json", b"[\"one\"]"),
        (
            "c.jsonl",
            b"{\"a\": \"one\"}\n{\"a\": \"one\" 1}\n{\"b\": \"one\"}\n",
        ),
        (
            "d.json",
            b"{\"a\": \"one\"}\n{\"a\": \"one\" 1}\n{\"b\": \"one\"}\n{}\n",
        ),
    ]);
    for threads in ["1", "3"] {
        let grep =
            |args: &[&str]| folder.run(&[&["grep", "one", "--threads", threads], args].concat());
        for name in ["a.json", "c.jsonl", "d.json"] {
            let (get, grep) = (folder.run(&["get", ".", name]), grep(&[name]));
            assert_eq!((grep.err, grep.code), (get.err, 3), "{name}");
        }
        let ran = grep(&["."]);
        let lines = [
            "b.json:1:2: .[0]",
            "c.jsonl:1:7: .a",
            "c.jsonl:3:7: .b",
            "d.json:1:7: .a",
            "d.json:3:7: .b",
        ];
        let out: String = lines
            .iter()
            .map(|line| format!("{line}: \"one\"\n"))
            .collect();
        assert_eq!((ran.out, ran.code), (out, 3));
        assert_eq!(grep(&["-c", "a.json", "b.json"]).out, "b.json:1\n");
        let ran = grep(&["--skip-invalid", "c.jsonl"]);
        assert_eq!((ran.out.lines().count(), ran.code), (2, 0));
        assert!(ran.err.starts_with("warning"), "{}", ran.err);
    }
    for (pattern, message) in [
        ("(", "unclosed group"),
        ("a{2000}{2000}{2000}", "size limit"),
        ("\u{1b}[", "unclosed"),
    ] {
        let ran = folder.run(&["grep", pattern, "b.json"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{pattern}");
        assert!(
            ran.err.contains(message) && !ran.err.contains('\u{1b}'),
            "{}",
            ran.err
        );
    }
    assert_eq!(
        folder
            .run(&["grep", "--max-depth", "1", "one", "b.json"])
            .code,
        0
    );
    let deep = "[".repeat(20_000) + "\"one\"" + &"]".repeat(20_000);
    let ran = piped(&["grep", "one"], &deep);
    assert_eq!((ran.out.as_str(), ran.code), ("", 4));
    assert_eq!(
        piped(&["grep", "one", "--max-depth", "20000"], &deep)
            .out
            .len(),
        60_000 + "<stdin>:1:20001: .: \"one\"\n".len()
    );
}

/// Matches as ripgrep colors them; hostile texts are harmless, and a long value is cut around the match.
#[test]
fn terminals() {
    let long = "x".repeat(1000);
    let long = format!("[\"{long}one{long}\", \"one\u{9b}2J\u{202e}\", {{\"one\u{7f}\": 1}}]");
    let folder = Folder::with(&[("a.json", b"[\"one\"]"), ("b/long.json", long.as_bytes())]);
    let grep = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jsonx"));
        command
            .args([&["grep", "one", "-k"], args].concat())
            .current_dir(folder.path(""));
        command
            .env_remove("NO_COLOR")
            .env("TERM", "xterm")
            .stderr(Stdio::null());
        command
    };
    // Standard input is a terminal: the directory is searched.
    let (program, _person) = terminal();
    let (shown, code) = seen(grep(&[]).stdin(program));
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(code, Some(0));
    let red = "\u{1b}[1m\u{1b}[31mone\u{1b}[0m";
    let first = format!(
        "\u{1b}[35ma.json\u{1b}[0m:\u{1b}[32m1\u{1b}[0m:\u{1b}[32m2\u{1b}[0m: .[0]: \"{red}\""
    );
    assert_eq!(lines[0], first);
    let (before, after) = ("x".repeat(100), "x".repeat(297));
    assert!(
        lines[1].ends_with(&format!(": …{before}{red}{after}…")),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].ends_with(&format!("\"{red}\\u009b2J\\u202e\"")),
        "{}",
        lines[2]
    );
    assert!(
        lines[3].contains("\\u007f") && lines[3].ends_with(": 1"),
        "{}",
        lines[3]
    );
    let (shown, _) = seen(grep(&["--color", "never", "a.json"]).stdin(Stdio::null()));
    assert_eq!(shown, "a.json:1:2: .[0]: \"one\"\n");
    // A pipe has whole values.
    let ran = run(jsonx(&["grep", "one", "b"]).current_dir(folder.path("")));
    assert!(
        ran.out
            .starts_with(&format!("b/long.json:1:2: .[0]: {}", &long[1..2005]))
    );
}

/// A long file, in segments, and long lines.
#[test]
fn threads_change_nothing() {
    let filler = "filler ".repeat(60);
    let mut values = String::new();
    for number in 0..40_000_u64 {
        let odd = number * number % 1009;
        let text = if odd == 5 { "one \\u0074wo" } else { "\\n é" };
        values +=
            &format!("{{\"n\": [{odd}, [{{\"k{odd}\": \"{text}\"}}]], \"f\": \"{filler}\"}},\n");
    }
    let array = format!("{{\"all\": [\n{values} 0]}}");
    let lines = values.replace("},\n", "}\n");
    let folder = Folder::with(&[
        ("a.json", array.as_bytes()),
        ("a.jsonl", lines.as_bytes()),
        ("b.json", format!("{array}]").as_bytes()),
    ]);
    assert!(array.len() > 16 << 20);
    let grep = |args: &[&str]| folder.run(&[&["grep"], args].concat());
    for pattern in ["e two$", "^k25$"] {
        let mut each = String::new();
        for name in ["a.json", "a.jsonl"] {
            let [one, four] = ["1", "4"].map(|it| grep(&["-k", pattern, name, "--threads", it]));
            assert_eq!(four, one, "{pattern} {name}");
            assert!(one.code == 0 && one.out.lines().count() > 30, "{}", one.err);
            each += &one.out;
        }
        let both = grep(&["-k", pattern, "a.json", "a.jsonl", "--threads", "2"]);
        assert_eq!(both.out, each, "{pattern}");
    }
    let ran = grep(&["e two$", "b.json", "--threads", "3"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    let found = grep(&["e two$", "a.json"]).out;
    let line = found.lines().nth(20).unwrap();
    let (place, rest) = line.split_once(": ").unwrap();
    let path = rest.split_once(": ").unwrap().0;
    let value = folder.run(&["get", path, "a.json"]).out;
    assert_eq!(value, "\"one \\u0074wo\"\n");
    let located = folder.run(&["locate", place]).out;
    assert_eq!(located, format!("{path}\n"));
    let pipe = piped(&["grep", "e two$"], &array);
    assert_eq!(pipe.out.replace("<stdin>", "a.json"), found);
}

/// A naive search of values that serde_json reads: path and value of the matches, null for a container.
struct Naive {
    pattern: regex::Regex,
    keys: bool,
    location: Location,
    found: Vec<(String, Value)>,
}

impl Naive {
    fn search(&mut self, value: &Value, by_key: bool) {
        let (text, shown) = match value {
            Value::Array(_) | Value::Object(_) => (None, Value::Null),
            Value::String(text) => (Some(text.clone()), value.clone()),
            other => (Some(other.to_string()), other.clone()),
        };
        if by_key || text.is_some_and(|text| self.pattern.is_match(&text)) {
            self.found.push((self.location.to_string(), shown));
        }
        for (index, element) in value.as_array().into_iter().flatten().enumerate() {
            self.location.push_index(index as u64);
            self.search(element, false);
            self.location.pop();
        }
        for (key, member) in value.as_object().into_iter().flatten() {
            self.location.push_key(key.as_bytes());
            self.search(member, self.keys && self.pattern.is_match(key));
            self.location.pop();
        }
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let text = "[ab1\"\\\\/\n\u{e9}\u{1F600} ]{0,6}";
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-120..120i64).prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    scalar.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map(text, inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// JSON in which some characters of strings are escaped.
fn escaped(value: &Value, is_pretty: bool, every: usize) -> String {
    let text = match is_pretty {
        true => serde_json::to_string_pretty(value).unwrap(),
        false => value.to_string(),
    };
    let (mut out, mut in_string, mut after) = (String::new(), false, false);
    for (at, c) in text.chars().enumerate() {
        match c {
            _ if after => after = false,
            '\\' => after = true,
            '"' => in_string = !in_string,
            c if in_string && at % every == 0 => {
                let mut units = [0; 2];
                let units = c.encode_utf16(&mut units);
                out.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

const PATTERNS: [&str; 16] = [
    "a",
    "ab|1",
    "^a",
    "b$",
    "^$",
    "",
    ".",
    "[^a]b",
    "\\bb\\b",
    "é",
    "(?i)É",
    "\"",
    "a.*1",
    "\\\\",
    "\n",
    "(?m)^1$|nul{2}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_naive_search_finds_the_same(values in prop::collection::vec(any_value(), 1..4), pattern in prop::sample::select(&PATTERNS[..]), keys in any::<bool>(), is_pretty in any::<bool>(), every in 1..9usize, threads in prop::sample::select(vec!["1", "4"])) {
        let mut naive = Naive {
            pattern: regex::Regex::new(pattern).unwrap(),
            keys,
            location: Location::default(),
            found: Vec::new(),
        };
        let mut texts = Vec::new();
        for value in &values {
            texts.push(escaped(value, is_pretty, every));
            naive.search(value, false);
        }
        let name = if is_pretty { "a.json" } else { "a.jsonl" };
        let text = texts.join("\n") + "\n";
        let folder = Folder::with(&[(name, text.as_bytes())]);
        let mut args = vec!["grep", "--json", "--threads", threads];
        args.extend(keys.then_some("-k"));
        args.push(pattern);
        let ran = folder.run(&[&args[..], &[name]].concat());
        let pipe = piped(&args, &text);
        prop_assert_eq!(&pipe.out, &ran.out.replace(name, "<stdin>"));
        prop_assert_eq!(ran.code, i32::from(naive.found.is_empty()), "{}", ran.err);
        let mut found = Vec::new();
        for line in ran.out.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let path = line["path"].as_str().unwrap();
            prop_assert!(Path::parse(path).is_ok(), "{}", path);
            let line_text = text.lines().nth(line["line"].as_u64().unwrap() as usize - 1).unwrap();
            let column = line["column"].as_u64().unwrap() as usize;
            let first = line_text.chars().nth(column - 1).unwrap();
            prop_assert!(keys && first == '"' || line["value"].to_string().starts_with(first), "{}", line);
            found.push((path.to_string(), line.get("value").cloned().unwrap_or(Value::Null)));
        }
        prop_assert_eq!(found, naive.found);
    }
}

/// The places of many matches in one string with escapes take a pass, and records hold JSON, whatever a number is in JSON5.
#[test]
fn many_matches_in_a_string_and_numbers_of_json5() {
    let text = format!(r#"{{"a": "\n{}"}}"#, "x".repeat(100_000));
    let ran = piped(&["grep", "-o", "x"], &text);
    assert_eq!((ran.out.lines().count(), ran.code), (100_000, 0));
    let ran = piped(
        &["grep", "--json", "--input", "json5", ""],
        "[+1, 0xFF, .5]",
    );
    let values: Vec<serde_json::Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["value"].clone())
        .collect();
    assert_eq!(serde_json::json!(values), serde_json::json!([1, 255, 0.5]));
}

/// Infinity is printed as it is written, and null in JSON; `-v` is not the option of grep; names of files are recoverable.
#[test]
fn numbers_that_json_lacks_verbose_and_names() {
    let text = "[Infinity, null, NaN]";
    let ran = piped(&["grep", "--input", "json5", "null"], text);
    let out = "<stdin>:1:2: .[0]: Infinity\n<stdin>:1:12: .[1]: null\n<stdin>:1:18: .[2]: NaN\n";
    assert_eq!(ran.out, out);
    let ran = piped(&["grep", "--input", "json5", "--json", "-m1", "null"], text);
    let one = serde_json::json!({"file": "<stdin>", "line": 1, "column": 2, "path": ".[0]", "value": null});
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&ran.out).unwrap(),
        one
    );
    let ran = piped(&["grep", "-v", "1"], "1");
    let note = "jsonx: -v is --verbose; `jsonx jq -c 'select(.key | test(\"text\") | not)' FILE` prints the records without a text\n";
    assert_eq!((ran.out.as_str(), ran.code), ("<stdin>:1:1: .: 1\n", 0));
    assert!(ran.err.starts_with(note), "{}", ran.err);
    if cfg!(unix) {
        let folder = Folder::with(&[("a\n\u{1b}.json", b"1")]);
        let ran = folder.run(&["grep", "--json", "1", "."]);
        assert!(
            ran.out.contains(r#""file":"a\n\u001b.json","line":1,"#),
            "{}",
            ran.out
        );
    }
}

/// A name that is not UTF-8 is printed as its bytes too.
#[test]
#[cfg(target_os = "linux")]
fn a_name_that_is_not_utf_8() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::with(&[]);
    let name = std::ffi::OsStr::from_bytes(b"\xff.json");
    std::fs::write(folder.path("").join(name), "1").unwrap();
    let ran = folder.run(&["grep", "--json", "1", "."]);
    assert!(
        ran.out
            .starts_with("{\"file\":\"\u{fffd}.json\",\"fileBytes\":\"/y5qc29u\","),
        "{}",
        ran.out
    );
}
