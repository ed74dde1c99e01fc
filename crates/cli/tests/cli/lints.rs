//! Lints of valid files: findings, levels, and reports on inputs of every kind.

use serde_json::Value;

use crate::{Folder, Ran, piped};

const DUBIOUS: &str =
    "\u{feff}{\"a\": 9007199254740993,\n \"\\u0061\": 1e400, \"s\": \"x\\ud800y\\udc00\"}\n";

/// The codes and severities in a concise report.
fn shown(ran: &Ran) -> Vec<String> {
    let lines = ran.out.lines();
    lines
        .map(|line| {
            let (_, rest) = line.split_once(": ").expect("a place");
            let (shown, _) = rest.split_once(": ").expect("a code");
            shown.to_owned()
        })
        .collect()
}

fn concise(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let all = [&["validate", "--reporter", "concise"], args].concat();
    piped(&all, input)
}

#[test]
fn all_lints_are_warnings_by_default() {
    let ran = concise(&[], DUBIOUS);
    assert_eq!(
        shown(&ran),
        [
            "warning[byte-order-mark]",
            "warning[unsafe-integer]",
            "warning[duplicate-key]",
            "warning[number-range]",
            "warning[lone-surrogate]",
        ]
    );
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
}

#[test]
fn both_places_of_a_key_are_shown() {
    let folder = Folder::with(&[("a.json", DUBIOUS.as_bytes())]);
    let ran = folder.run(&["validate", "a.json"]);
    let expected = r#"
warning[duplicate-key]: duplicate key `a`
 --> a.json:2:2
  |
1 | {"a": 9007199254740993,
  |  --- same key after unescaping, first defined here
2 |  "\u0061": 1e400, "s": "x\ud800y\udc00"}
  |  ^^^^^^^^ later value silently wins in most parsers
"#;
    assert!(ran.out.contains(expected), "{}", ran.out);
    assert!(ran.out.ends_with("\n5 warnings; 1 file checked\n"));
}

#[test]
fn a_later_option_counts_for_more() {
    let all = [
        "byte-order-mark",
        "unsafe-integer",
        "duplicate-key",
        "number-range",
        "lone-surrogate",
    ];
    for (args, denied, warned) in [
        (&["--deny", "all"][..], &all[..], &[][..]),
        (&["--allow", "all"], &[], &[]),
        (&["--deny=all", "--warn", "all"], &[], &all),
        (&["--warn", "all", "--deny=all"], &all, &[]),
        (
            &["--deny=all", "--allow=all", "--warn", "number-range"],
            &[],
            &["number-range"],
        ),
        (&["--deny=duplicate-key", "--allow", "all"], &[], &[]),
        (
            &[
                "--allow",
                "all",
                "--deny=duplicate-key",
                "--warn=byte-order-mark",
            ],
            &["duplicate-key"],
            &["byte-order-mark"],
        ),
        (
            &[
                "--deny",
                "lone-surrogate",
                "--deny",
                "number-range",
                "--warn",
                "lone-surrogate",
            ],
            &["number-range"],
            &[
                "byte-order-mark",
                "unsafe-integer",
                "duplicate-key",
                "lone-surrogate",
            ],
        ),
    ] {
        let ran = concise(args, DUBIOUS);
        let shown = shown(&ran);
        let of = |severity: &str, codes: &[&str]| -> Vec<String> {
            codes
                .iter()
                .map(|code| format!("{severity}[{code}]"))
                .collect()
        };
        let only = |severity: &str| -> Vec<String> {
            shown
                .iter()
                .filter(|line| line.starts_with(severity))
                .cloned()
                .collect()
        };
        assert_eq!(only("error"), of("error", denied), "{args:?}");
        assert_eq!(only("warning"), of("warning", warned), "{args:?}");
        assert_eq!(ran.code, i32::from(!denied.is_empty()), "{args:?}");
        assert_eq!(ran.err, "");
    }
}

#[test]
fn an_unknown_lint_lists_the_known_ones() {
    for (name, hint) in [
        ("duplicate-keys", "did you mean `duplicate-key`?"),
        ("dup", "did you mean `duplicate-key`?"),
        ("unsafe-integers", "did you mean `unsafe-integer`?"),
        ("bom", "byte-order-mark, schema/KEYWORD, all"),
        (
            "trailing-comma",
            "the lints are duplicate-key, unsafe-integer",
        ),
        ("", "the lints are"),
    ] {
        let ran = concise(&["--deny", name], "1");
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{name}");
        assert!(ran.err.contains(hint), "{name}: {}", ran.err);
    }
}

#[test]
fn a_broken_file_has_the_same_lints() {
    let ran = concise(&[], "{\"a\": 1, \"a\": 9007199254740993,}");
    assert_eq!(
        shown(&ran),
        [
            "warning[duplicate-key]",
            "warning[unsafe-integer]",
            "error[trailing-comma]"
        ]
    );
    let ran = concise(
        &["--deny", "all", "--allow", "unsafe-integer"],
        "{\"a\": 1, \"a\": 2,}",
    );
    assert_eq!(
        shown(&ran),
        ["error[duplicate-key]", "error[trailing-comma]"]
    );
}

#[test]
fn lines_and_streams_have_lints_by_record() {
    let lines = "{\"a\":1,\"a\":2}\n\n \r\n{\"a\":1}\n{\"c\":{\"x\":[1,{\"d\":1,\"d\":1e999}]}}";
    let ran = piped(
        &["validate", "--input", "jsonl", "--reporter", "json"],
        lines,
    );
    let records: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let of = |field: &str| -> Vec<Value> {
        let findings = records
            .iter()
            .filter(|record| record["type"] == "diagnostic");
        findings.map(|record| record[field].clone()).collect()
    };
    assert_eq!(
        of("code"),
        ["duplicate-key", "duplicate-key", "number-range"]
    );
    assert_eq!(of("record"), [1, 3, 3]);
    assert_eq!(of("line"), [1, 5, 5]);
    assert_eq!(of("column"), [8, 21, 25]);
    assert_eq!(of("path"), [".", ".c.x[1]", ".c.x[1].d"]);
    assert_eq!(ran.code, 0);

    let ran = concise(&["--input", "stream"], "1 2 {\"a\":1,\"a\":2} {\"a\":1}");
    assert_eq!(shown(&ran), ["warning[duplicate-key]"]);
    assert!(ran.out.starts_with("<stdin>:1:12: "), "{}", ran.out);
}

#[test]
fn counts_and_limits_hold() {
    let text = format!("[{}1]", "9007199254740993,\n".repeat(3000));
    let folder = Folder::with(&[("a.json", text.as_bytes())]);
    for (severity, args) in [("warning", &["--warn=all"]), ("error", &["--deny=all"])] {
        let all = [&["validate", "a.json", "--reporter=json"], &args[..]].concat();
        let ran = folder.run(&all);
        let last: Value =
            serde_json::from_str(ran.out.lines().last().expect("a line")).expect("JSON");
        assert_eq!(last[format!("{severity}s")], 3000);
        let shown = ran
            .out
            .lines()
            .filter(|line| line.contains(severity) && line.contains("\"line\":"));
        assert_eq!(shown.count(), 1000);

        let all = [
            &["validate", "a.json", "--reporter=concise", "--max-errors=2"],
            &args[..],
        ]
        .concat();
        let ran = folder.run(&all);
        assert_eq!(ran.out.lines().count(), 3, "{}", ran.out);
        let rest = format!("a.json:3:1: {severity}[unsafe-integer]: 2998 more like this");
        assert!(ran.out.contains(&rest), "{}", ran.out);

        let all = [
            &["validate", "a.json", "--max-errors=0", "--reporter=concise"],
            &args[..],
        ]
        .concat();
        assert_eq!(folder.run(&all).out.lines().count(), 3000);
    }
    let ran = folder.run(&["validate", "a.json"]);
    assert!(
        ran.out.contains("more `unsafe-integer` on line"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("\n3000 warnings; 1 file checked\n"),
        "{}",
        ran.out
    );
}

/// For a longer pipe, the text is retained from the first finding on.
#[test]
fn long_pipes_show_their_findings() {
    let filler = "[\"some text that is of no interest\", 12345678],\n".repeat(150_000);
    assert!(filler.len() > 5 << 20);
    let dubious = "{\"é\": 1,\n \"é\": 1e400},\n";
    let early = format!("[{dubious}{filler}{dubious}1]");
    let late = format!("[{filler}{dubious}1]");
    let ran = piped(&["validate"], &early);
    let expected = " --> <stdin>:2:2\n  |\n1 | [{\"é\": 1,\n  |   --- first defined here\n2 |  \"é\": 1e400},\n";
    assert!(ran.out.contains(expected), "{}", ran.out);
    assert!(
        ran.out.contains("4 warnings; 1 file checked"),
        "{}",
        ran.out
    );
    let ran = piped(&["validate"], &late);
    let expected = "1 | {\"é\": 1,\n".replacen('1', "150001", 1);
    assert!(ran.out.contains(" --> <stdin>:150002:2\n"), "{}", ran.out);
    assert!(ran.out.contains(&expected), "{}", ran.out);
    assert!(
        ran.out.contains("2 warnings; 1 file checked"),
        "{}",
        ran.out
    );
    // A file with the same text has the same positions.
    let folder = Folder::with(&[("late.json", late.as_bytes())]);
    let of_file = folder
        .run(&["validate", "late.json", "--reporter=concise"])
        .out;
    let of_pipe = piped(&["validate", "--reporter=concise"], &late).out;
    assert_eq!(of_file.replace("late.json", "<stdin>"), of_pipe);
}

#[test]
fn the_other_commands_have_no_lints() {
    for command in [&["fmt", "-c"][..], &["get", "."]] {
        let ran = piped(command, "{\"a\":1e400,\"b\":9007199254740993}");
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{command:?}");
    }
}
