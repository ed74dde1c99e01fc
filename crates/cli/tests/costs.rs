//! Costs of adversarial texts: eight times the length may take at most sixteen times as many instructions, counted by
//! Valgrind, independent of the machine and its load.
//!
//! Only `.ci/run costs` and `cargo test -p jsonx-tool --test costs -- --ignored` run them. Without Valgrind they are skipped. The
//! tests of core count the steps of its algorithms. A run of the program takes half a
//! second under Valgrind, so each test takes every fourth family unless `JSONX_CASES` is set, as in CI.
#![cfg(unix)]

#[path = "costs/schema.rs"]
mod schema;

use jsonx_testing::inject::Random;
use jsonx_testing::{cases, fragments};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The approximate length of a short and a long text of a family. Nesting stays below the limit.
const SHORT: usize = 5_000;
const LONG: usize = 8 * SHORT;

/// Texts of one kind, by their length.
type Family = (&'static str, fn(usize) -> String);

const VALID: &[Family] = &[
    ("containers in containers", |n| {
        format!("{}1{}", r#"{"a":"#.repeat(n / 6), "}".repeat(n / 6))
    }),
    ("containers around many numbers", |n| {
        let deep = n / 10;
        let inside = format!("[{}1]", "1,".repeat(n / 2 - deep));
        format!("{}{inside}{}", "[".repeat(deep), "]".repeat(deep))
    }),
    ("many keys", |n| {
        object(n / 11, |i| format!("\"k{i:05}\":1"))
    }),
    ("equal keys", |n| object(n / 6, |_| "\"k\":1".into())),
    ("equal keys, escaped differently", |n| {
        object(n / 11, |i| format!("\"\\u00{:02x}\":1", i % 32 + 0x40))
    }),
    ("keys that begin and end alike", |n| {
        object(n / 27, |i| format!("\"abcdefgh{i:06}ijklmnop\":1"))
    }),
    ("small objects", |n| {
        format!("[{}0]", r#"{"id":1,"name":"a"},"#.repeat(n / 20))
    }),
    ("halves of surrogate pairs", |n| {
        format!("[\"{}\"]", r"\ud83d\n".repeat(n / 8))
    }),
    ("digits", |n| {
        format!("[{}e{}]", "9".repeat(n / 2), "9".repeat(n / 2))
    }),
];

const BROKEN: &[Family] = &[
    ("containers left open", |n| r#"{"a":"#.repeat(n / 5)),
    ("brackets that do not match", |n| "[}".repeat(n / 2)),
    ("a string that is left open", |n| {
        format!("[\"{}", r#"\\\""#.repeat(n / 4))
    }),
    ("strings that are left open", |n| "[\"a\n".repeat(n / 4)),
    ("quotes in prose before blanks", |n| {
        let members = "{\"a\": \"b\", c d\" x},".repeat(n / 40);
        format!("[{members}{}", " ".repeat(n / 2))
    }),
    ("quotes in a row", |n| format!("[{}", "\"".repeat(n))),
    ("single quotes", |n| format!("[{}]", "'a',".repeat(n / 4))),
    ("signs", |n| "-".repeat(n)),
    ("white space before an error", |n| {
        format!("[1{}2]", " ".repeat(n))
    }),
    ("no commas", |n| format!("[{}]", "1 ".repeat(n / 2))),
    ("words on one line", |n| {
        format!("[{}]", "tru,".repeat(n / 4))
    }),
    ("comments", |n| format!("[{}", "/*a*/ 1, ".repeat(n / 9))),
    ("comments that are left open", |n| "[/*".repeat(n / 3)),
    ("lines, each with an error", |n| {
        "{\"a\":1,}\n".repeat(n / 9)
    }),
];

fn object(members: usize, member: impl Fn(usize) -> String) -> String {
    let members: Vec<String> = (0..members).map(member).collect();
    format!("{{{}}}", members.join(","))
}

fn has_valgrind() -> bool {
    let probe = Command::new("valgrind")
        .args([
            "--tool=cachegrind",
            "--cachegrind-out-file=/dev/null",
            "true",
        ])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let works = probe.is_ok_and(|status| status.success());
    if !works {
        eprintln!("skipped: without Valgrind no instructions are counted");
    }
    works
}

/// The number of instructions for a text.
fn instructions(args: &[&str], text: &str) -> u64 {
    instructions_of(&[args, &["a.json"]].concat(), text)
}

/// As [`instructions`], with the file among the arguments: it is `a.json`.
fn instructions_of(args: &[&str], text: &str) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.json"), text).unwrap();
    let ran = Command::new("valgrind")
        .args([
            "--tool=cachegrind",
            "--cache-sim=no",
            "--cachegrind-out-file=/dev/null",
            "--log-file=counted",
        ])
        .arg(env!("CARGO_BIN_EXE_jsonx"))
        .args(args)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(ran.code().is_some_and(|code| code <= 3), "{args:?}: {ran}");
    let counted = fs::read_to_string(folder.path().join("counted")).unwrap();
    let refs = counted.lines().find(|line| line.contains("refs:"));
    let number = refs.and_then(|line| line.split_whitespace().last());
    let number = number.map(|number| number.replace(',', ""));
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_else(|| panic!("no count in {counted:?}"))
}

/// Every fourth family, beginning with `first`, or all of them if `JSONX_CASES` is set.
fn some<'f>(
    first: usize,
    families: impl IntoIterator<Item = &'f Family>,
) -> impl Iterator<Item = &'f Family> {
    let all = std::env::var_os("JSONX_CASES").is_some();
    let (first, every) = if all { (0, 1) } else { (first, 4) };
    families.into_iter().skip(first).step_by(every)
}

/// Each doubling of the length may take at most two and a half times as many instructions.
fn cost_doubles(args: &[&str], name: &str, text: impl Fn(usize) -> String) {
    let start_up = instructions(args, "1");
    let cost = |length| instructions(args, &text(length)).saturating_sub(start_up);
    let costs = [1, 2, 4].map(cost);
    for pair in costs.windows(2) {
        assert!(
            2 * pair[1] <= 5 * pair[0].max(20_000),
            "{args:?}, {name}: {costs:?} instructions"
        );
    }
}

fn cost_follows_the_length<'f>(args: &[&str], families: impl IntoIterator<Item = &'f Family>) {
    if !has_valgrind() {
        return;
    }
    let start_up = instructions(args, "1");
    for (name, text) in families {
        let cost = |length| instructions(args, &text(length)).saturating_sub(start_up);
        let (short, long) = (cost(SHORT), cost(LONG));
        // A text rejected at its first bytes costs almost nothing, and differences are noise.
        assert!(
            long <= 16 * short.max(20_000),
            "{args:?}, {name}: {short} and {long} instructions"
        );
    }
}

/// One command on a small file, in the profile of the tests. Whoever lowers a number writes the new one here.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_a_small_file() {
    const INSTRUCTIONS: u64 = 3_664_000;
    const SYSTEM_CALLS: u64 = 71;
    const PAGE_FAULTS: u64 = 407;

    let text = "{\"a\": 1, \"b\": [true, null, \"some text\"]}\n";
    if has_valgrind() {
        let counted = instructions(&["get", ".a"], text);
        assert!(20 * counted <= 21 * INSTRUCTIONS, "{counted} instructions");
    }
    for (tool, most) in [
        (&["strace", "-fqo", "counted"][..], SYSTEM_CALLS),
        (&["time", "-qf%R", "-ocounted"], PAGE_FAULTS),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.json"), text).unwrap();
        let ran = Command::new(tool[0])
            .args(&tool[1..])
            .args([env!("CARGO_BIN_EXE_jsonx"), "get", ".a", "a.json"])
            .current_dir(folder.path())
            .output();
        let Ok(ran) = ran else {
            eprintln!("skipped: without {} nothing is counted", tool[0]);
            continue;
        };
        assert_eq!(ran.stdout, b"1\n", "{tool:?}");
        let counted = fs::read_to_string(folder.path().join("counted")).unwrap();
        let count = match tool[0] {
            "strace" => counted.lines().count() as u64,
            _ => counted.trim().parse().unwrap(),
        };
        assert!(20 * count <= 21 * most, "{count} with {tool:?}");
    }
}

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_a_verdict() {
    cost_follows_the_length(&["validate"], some(0, VALID.iter().chain(BROKEN)));
}

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_all_errors() {
    cost_follows_the_length(&["validate", "--max-errors", "0"], some(1, BROKEN));
}

/// Findings that are not shown are only counted.
#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_findings_in_every_line() {
    if !has_valgrind() {
        return;
    }
    let record = |i: usize| {
        let text = "a word and another ".repeat(20);
        format!(
            r#"{{"id":9007199254740993,"text":"{text}","number":{i},"other":-9007199254740993}}"#
        )
    };
    // Too long to be diagnosed as a whole.
    let records: Vec<String> = (0..14_000).map(record).collect();
    for (name, text) in [
        ("a.jsonl", records.join("\n")),
        ("a.json", format!("[{}]", records.join(",\n"))),
    ] {
        let cost = |allowed: &str| {
            let shown = [
                "--reporter",
                "concise",
                "--max-errors",
                "1",
                "--threads",
                "1",
            ];
            let kind = format!("--input={}", &name[2..]);
            instructions(
                &[&["validate", &kind, "--allow", allowed], &shown[..]].concat(),
                &text,
            )
        };
        let (with, without) = (cost("byte-order-mark"), cost("unsafe-integer"));
        assert!(
            10 * with <= 13 * without,
            "{name}: {with} instructions with findings, {without} without"
        );
    }
}

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_repair() {
    cost_follows_the_length(&["fix", "--all"], some(0, BROKEN));
}

/// Repeated far apart, so that each is repaired separately.
#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_repair_of_fragments() {
    if !has_valgrind() {
        return;
    }
    let args = ["fix", "--all"];
    let mut random = Random(53);
    for _ in 0..cases(32).cases {
        let (start, repeated) = fragments::draw(&mut random);
        let name = format!("{start:?} {repeated:?}");
        cost_doubles(&args, &name, |times| {
            fragments::text(start, &repeated, 8_000 * times)
        });
    }
    for _ in 0..cases(16).cases {
        let (_, repeated) = fragments::draw(&mut random);
        for separator in fragments::SEPARATORS {
            let name = format!("{repeated:?} in records with {separator:?}");
            cost_doubles(&args, &name, |times| {
                fragments::spread(&repeated, separator, 300 * times)
            });
        }
    }
}

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_formatting() {
    cost_follows_the_length(&["fmt", "-c"], some(2, VALID));
}

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_indenting_and_sorting() {
    // The indentation of the first two is the square of their depth.
    cost_follows_the_length(&["fmt", "-S"], some(3, &VALID[2..]));
}

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_looking_up() {
    cost_follows_the_length(&["get", "--count", "$..a..b"], some(0, VALID));
}

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_filters() {
    cost_follows_the_length(
        &["get", "--count", "$..[?@.a == 1 || @..b]"],
        some(1, VALID),
    );
    cost_follows_the_length(&["get", "--count", "$..[?length(@) == 9]"], &VALID[..2]);
}

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_setting() {
    cost_follows_the_length(&["set", "--missing-ok", ".zz", "1"], some(0, VALID));
    cost_follows_the_length(&["set", "-p", "--missing-ok", "..a", "[1]"], &VALID[..1]);
}

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_removing() {
    cost_follows_the_length(&["del", "--missing-ok", "$..*"], some(2, VALID));
    cost_follows_the_length(&["del", "--missing-ok", "$..k"], &VALID[3..4]);
}

/// As many operations as elements, at both ends and in the middle of one array.
#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_patches() {
    let operations = |n: usize| {
        let each =
            (0..n / 40).map(|i| format!("{{\"op\":\"add\",\"path\":\"/{}\",\"value\":1}}", i / 2));
        format!("[{}]", each.collect::<Vec<_>>().join(","))
    };
    let moves = |n: usize| {
        let each = r#"{"op":"add","path":"/0","value":1},{"op":"move","from":"/0","path":"/-"}"#;
        format!("[{}]", vec![each; n / 80].join(","))
    };
    let families: [Family; 2] = [("additions", operations), ("moves", moves)];
    if !has_valgrind() {
        return;
    }
    let document = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    fs::write(document.path(), "[]").unwrap();
    let name = document.path().to_str().unwrap();
    let start_up = instructions(&["patch", "[]"], "[]");
    for (what, text) in families {
        // The patch is `a.json`, the text that grows.
        let cost = |length| instructions_of(&["patch", "a.json", name], &text(length)) - start_up;
        let (short, long) = (cost(SHORT), cost(LONG));
        assert!(
            long <= 16 * short.max(20_000),
            "{what}: {short} and {long} instructions"
        );
    }
}

/// Members along the nesting, in the document and in the patch.
#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_merge_patches() {
    if !has_valgrind() {
        return;
    }
    let nested = |n: usize, value: u32| {
        let deep = n / 12;
        format!(
            "{}0{}",
            format!("{{\"b\":{value},\"a\":").repeat(deep),
            "}".repeat(deep)
        )
    };
    let document = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    let name = document.path().to_str().unwrap().to_owned();
    let start_up = instructions(&["patch", "{}"], "{}");
    let cost = |length: usize| {
        fs::write(&name, nested(length, 1)).unwrap();
        instructions_of(&["patch", "a.json", &name], &nested(length, 2)) - start_up
    };
    let (short, long) = (cost(SHORT), cost(LONG));
    assert!(long <= 16 * short, "{short} and {long} instructions");
}

/// Half or all of the elements differ.
#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_differences() {
    if !has_valgrind() {
        return;
    }
    let old = |n: usize| {
        format!(
            "[{}0]",
            (0..n / 7).map(|i| format!("{i},")).collect::<String>()
        )
    };
    let half = |n: usize| {
        format!(
            "[{}0]",
            (0..n / 7)
                .map(|i| format!("{},", i * (1 + i % 2)))
                .collect::<String>()
        )
    };
    let all = |n: usize| {
        format!(
            "[{}0]",
            (0..n / 7).map(|i| format!("-{i},")).collect::<String>()
        )
    };
    let new: [Family; 2] = [("half", half), ("all", all)];
    let document = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    let name = document.path().to_str().unwrap().to_owned();
    let start_up = instructions(&["validate"], "1");
    for (what, new) in new {
        let cost = |length: usize| {
            fs::write(&name, new(length)).unwrap();
            instructions_of(&["diff", "a.json", &name], &old(length)) - start_up
        };
        let (short, long) = (cost(SHORT), cost(LONG));
        assert!(
            long <= 16 * short,
            "{what}: {short} and {long} instructions"
        );
    }
}

/// Many values compared with one large container; comparing each with all of it would be quadratic.
#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_filters_that_compare_with_the_root() {
    let items = |n: usize| {
        let big = object(n / 22, |i| format!("\"k{i:05}\":{i}"));
        let item = r#"{"a":{"k":1}},"#.repeat(n / 28);
        format!("{{\"big\":{big},\"items\":[{item}0]}}")
    };
    let text = |n: usize| {
        let string = r"\u0061b".repeat(n / 14);
        format!(
            "{{\"big\":\"{string}\",\"items\":[{}0]}}",
            r#"{"a":"b"},"#.repeat(n / 20)
        )
    };
    let families: [Family; 2] = [("a large object", items), ("a large string", text)];
    cost_follows_the_length(&["get", "--count", "$.items[?@.a == $.big]"], &families);
    cost_follows_the_length(
        &["get", "--count", "$.items[?length($.big) == length(@.a)]"],
        &families,
    );
}

/// Nested values: each is a result or has results, like all that enclose it.
const NESTED: &[Family] = &[
    ("a key in itself", |n| {
        format!("{}1{}", r#"{"a":"#.repeat(n / 6), "}".repeat(n / 6))
    }),
    ("members beside the nesting", |n| {
        format!("{}1{}", r#"{"b":1,"a":"#.repeat(n / 12), "}".repeat(n / 12))
    }),
    ("arrays around half of the text", |n| {
        let levels = n / 4;
        format!(
            "{}{}1{}",
            "[".repeat(levels),
            "1,".repeat(levels),
            "]".repeat(levels)
        )
    }),
    ("a key in itself that comes again", |n| {
        format!(
            "{}1{}",
            r#"{"a":"#.repeat(n / 12),
            r#","a":1}"#.repeat(n / 12)
        )
    }),
];

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_matches_in_matches() {
    for args in [
        &["get", "--count", "$..a..a"][..],
        &["get", "--count", "$..a..*"],
        &["get", "--count", "--with-path", "$..a..a..a"],
        &["get", "--quiet", "$..a..a"],
        &["get", "--limit", "1", "--locate", "$..a..a"],
        &["get", "--limit", "7", "--locate", "$..[0]..[0]"],
    ] {
        cost_follows_the_length(args, some(0, NESTED));
    }
}

#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_filters_of_values_in_values() {
    for filter in [
        "$..[?length(@)==9]",
        "$..[?@==@[0]]",
        "$..[?@.a==@.b]",
        "$..[?@==$.a]",
        "$..[?@..a]",
        "$..[?count(@..b)>3]",
        "$..[?@..[?@.a]]",
    ] {
        cost_follows_the_length(&["get", "--count", filter], some(1, NESTED));
    }
}

/// A pattern from the document is compiled once, at a cost proportional to its text.
#[test]
#[ignore = "takes minutes; `.ci/run costs` runs it"]
fn of_patterns_in_the_document() {
    if !has_valgrind() {
        return;
    }
    let count = |items: usize, pattern: fn(usize) -> String| {
        let items = (0..items).map(|i| format!("{{\"a\":\"x\",\"b\":\"{}\"}}", pattern(i)));
        let text = format!("[{}]", items.collect::<Vec<_>>().join(","));
        instructions(&["get", "--count", "$[?match(@.a, @.b)]"], &text)
    };
    let same = |_| "(x{40}){40}".to_owned();
    let (one, many) = (count(1, same), count(100, same));
    assert!(
        many < 2 * one,
        "{one} for one pattern, {many} for the same one 100 times"
    );
    let large = |i| format!("k{i}|((x{{99}}){{99}}){{99}}");
    let (few, many) = (count(2, large), count(12, large));
    assert!(
        (many - few) / 10 < 20_000_000,
        "{} for a pattern",
        (many - few) / 10
    );
}

/// Runs a command line of the shell in a folder, with a limit on the address space in KiB; `jsonx` is the program. Returns its output.
#[cfg(target_os = "linux")]
fn within(limit: u32, line: &str, folder: &Path) -> String {
    let program = env!("CARGO_BIN_EXE_jsonx");
    let ran = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -v {limit}; {}",
            line.replace("jsonx", program)
        ))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(
        ran.status.code().is_some_and(|code| code < 2),
        "{line}: {}: {err}",
        ran.status
    );
    String::from_utf8(ran.stdout).unwrap()
}

/// The same for `get` of a text.
#[cfg(target_os = "linux")]
fn get_within(limit: u32, args: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.json"), text).unwrap();
    within(
        limit,
        &format!("exec jsonx get {args} a.json"),
        folder.path(),
    )
}

/// The memory of an edit does not depend on the length of the text: a pipe of 112 MB once took 393 MB, 300 MB of white space 528.
#[test]
#[cfg(target_os = "linux")]
fn edits_take_constant_memory() {
    let folder = tempfile::tempdir().unwrap();
    let head = format!("{{\"a\":[{}0", "12345678, \n".repeat(3_500_000));
    fs::write(folder.path().join("a.json"), head + "],\"b\":[1]}\n").unwrap();
    let blank = format!("{{\"b\":[1]{}}}", " ".repeat(40 << 20));
    fs::write(folder.path().join("blank.json"), blank).unwrap();
    let blanks = " ".repeat(24 << 20);
    for (name, text) in [
        ("comma.json", format!("[1,{blanks}2]")),
        ("line.json", format!("[1,\n{blanks}{{}}]")),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    within(
        u32::MAX,
        "gzip -k a.json && gzip -k blank.json",
        folder.path(),
    );
    for (line, expected) in [
        ("cat a.json | jsonx set .b 2", "\"b\":2}"),
        ("jsonx append .b 2 a.json.gz", "\"b\":[1,2]}"),
        ("cat blank.json | jsonx append .b 2", "\"b\":[1,2]}"),
        ("jsonx del .b.0 blank.json.gz", "\"b\":[]}"),
        ("jsonx append . 3 comma.json", "[1,2,3]"),
        ("jsonx append . '{\"a\":3}' line.json", "[1,{},{\"a\":3}]"),
    ] {
        let line = format!("{line} | tr -d ' \\n' | tail -c 20");
        let end = within(90_000, &line, folder.path());
        assert!(end.ends_with(expected), "{line}: {end}");
    }
}

/// The memory of a lookup is proportional to the text, by a known factor: these once took 577, 205 and 129 MB.
#[test]
#[cfg(target_os = "linux")]
fn memory_follows_the_length() {
    // Each element waits for the end of the root: about 90 bytes.
    let text = format!("[{}1]", "1,".repeat(1_000_000));
    assert_eq!(
        get_within(250_000, "--count '$[?@ == $.none]'", &text),
        "0\n"
    );
    // The numbers are in 9,000 nested arrays that share one text: 9 GB if copied. Half a million values wait for the end of the
    // root.
    let numbers = "1,".repeat(500_000) + "1";
    let text = format!("{}{numbers}{}", "[".repeat(9_000), "]".repeat(9_000));
    for filter in ["length(@) == 9", "@ == $.none", "@ == @.none"] {
        let args = format!("--count '$..[?{filter}]'");
        assert_eq!(get_within(200_000, &args, &text), "0\n", "{filter}");
    }
    // Each array is an open container and a match: about 150 bytes.
    let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
    let args = "--count --max-depth 1000000 '$..[0]'";
    assert_eq!(get_within(150_000, args, &nested(500_000)), "499999\n");
    // A match for each pair would take 2.3 GB.
    let keys = format!("{}1{}", "{\"a\":".repeat(8_000), "}".repeat(8_000));
    assert_eq!(get_within(60_000, "--count '$..a..a'", &keys), "31996000\n");
    assert_eq!(
        get_within(60_000, "--limit 1 --locate '$..a..a'", &keys),
        "a.json:1:11\n"
    );
    // The paths are quadratic in the depth only when printed.
    let out = get_within(80_000, "--with-path -c '$..*'", &nested(4_000));
    assert_eq!(out.lines().count(), 3_999);
    assert_eq!(
        out.lines().last(),
        Some(format!("${}\t[]", "[0]".repeat(3_999)).as_str())
    );
}
