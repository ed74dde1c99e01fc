//! `get --columns`: one row per match.

use crate::{Folder, piped};

const USERS: &str = r#"{"users": [
  {"name": "Ada, \"A\"", "age": 36, "tags": ["x", "y"], "at": {"b": [1, 2]}},
  {"name": "Tab\tNew\nline", "age": null, "tags": []},
  {"age": 1.50, "name": "Zo\u00eb", "name": "Zoë"}
]}"#;

const COLUMNS: &str = "--columns=.name,.age,.tags.0,.at";

#[test]
fn each_match_is_a_row_in_each_form() {
    let folder = Folder::with(&[("users.json", USERS.as_bytes())]);
    for (options, expected) in [
        (
            &[][..],
            "Ada, \"A\"\t36\tx\t{\"b\":[1,2]}\nTab\\tNew\\nline\t\t\t\nZoë\t1.50\t\t\n",
        ),
        (
            &["--csv", "--no-header"],
            "\"Ada, \"\"A\"\"\",36,x,\"{\"\"b\"\":[1,2]}\"\n\"Tab\tNew\nline\",,,\nZoë,1.50,,\n",
        ),
        (
            &["--json"],
            "{\"name\":\"Ada, \\\"A\\\"\",\"age\":36,\"tags.0\":\"x\",\"at\":{\"b\":[1,2]}}\n{\"name\":\"Tab\\tNew\\nline\",\"age\":null,\"tags.0\":null,\"at\":null}\n{\"name\":\"Zoë\",\"age\":1.50,\"tags.0\":null,\"at\":null}\n",
        ),
        (
            &["--table"],
            "name            age   tags.0  at\nAda, \"A\"        36    x       {\"b\":[1,2]}\nTab\\tNew\\nline\nZoë             1.50\n",
        ),
        (
            &["--tsv", "--header", "--default=-", "--limit=1"],
            "name\tage\ttags.0\tat\nAda, \"A\"\t36\tx\t{\"b\":[1,2]}\n",
        ),
        // null is not a missing value.
        (
            &["--csv", "--header", "--default=none"],
            "name,age,tags.0,at\n\"Ada, \"\"A\"\"\",36,x,\"{\"\"b\"\":[1,2]}\"\n\"Tab\tNew\nline\",,none,none\nZoë,1.50,none,none\n",
        ),
    ] {
        let ran = folder.run(&[&["get", ".users[]", COLUMNS, "users.json"], options].concat());
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            (expected, "", 0),
            "{options:?}"
        );
    }
}

#[test]
fn rows_of_files_pipes_lines_and_threads_are_the_same() {
    let mut lines = String::new();
    for number in 0..60_000 {
        lines += &format!(
            "{{\"n\": {number}, \"s\": \"text {number}\", \"deep\": {{\"x\": [{number}]}}}}\n"
        );
    }
    let array = format!("[{}]", lines.trim_end().replace('\n', ","));
    let folder = Folder::with(&[("a.jsonl", lines.as_bytes()), ("a.json", array.as_bytes())]);
    let options = [
        "--columns",
        ".n,.deep.x.0",
        "--columns=.s",
        "--csv",
        "--no-header",
    ];
    let expected: String = (0..60_000).map(|n| format!("{n},{n},text {n}\n")).collect();
    for threads in ["--threads=1", "--threads=3"] {
        let ran = folder.run(&[&["get", ".", "a.jsonl", threads], &options[..]].concat());
        assert!(ran.out == expected, "{threads}: {}", ran.err);
        let ran = folder.run(&["get", ".", "a.jsonl", threads, "--columns", ".n,.deeep"]);
        let warning =
            "jsonx: warning: --columns .deeep: no row has a value there\ndid you mean .deep?\n";
        assert_eq!((ran.err.as_str(), ran.code), (warning, 0), "{threads}");
    }
    let ran = folder.run(&[&["get", ".[]", "a.json"], &options[..]].concat());
    assert!(ran.out == expected, "{}", ran.err);
    for (path, text) in [(".", &lines), (".[]", &array)] {
        let ran = piped(&[&["get", path], &options[..]].concat(), text);
        assert!(ran.out == expected, "{}", ran.err);
    }
}

#[test]
fn invalid_columns_are_refused() {
    let folder = Folder::with(&[("a.json", b"{\"a\": [1]}")]);
    for args in [
        &["get", ".", "--columns", ".a", "--join", "a.json"][..],
        &["get", ".", "--columns", ".a", "--join=,", "a.json"],
        &["get", ".", "--columns", "x=a", "a.json"],
        &["get", ".", "--columns", "x=.a,x=.b", "a.json"],
        &["get", ".", "--columns", ".a,.a", "a.json"],
        &[
            "get",
            ".",
            "--columns",
            ".a",
            "--json",
            "--header",
            "a.json",
        ],
        &["get", ".", "--columns", "a", "a.json"],
        &["get", "-e", ".", "-e", ".a", "--columns", ".a", "a.json"],
        &["get", ".", "--tsv", "a.json"],
        &["get", ".", "--columns", "^.a", "a.json"],
        &["get", "..a", "--columns", "^^.a", "a.json"],
        &["get", ".a[]", "--columns", "^..a", "a.json"],
        &["get", ".a[]", "--columns", "key(.a)", "a.json"],
        &["get", "..a", "--where", "^^.a", "a.json"],
        &["get", "--source", ".", "--columns", ".a", "a.json"],
    ] {
        let ran = folder.run(args);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
    }
    // Numbers and literals of other languages do not silently become strings.
    for (default, expected) in [
        ("False", None),
        ("+1", None),
        ("NULL", None),
        ("false", Some("{\"q\":false}\n")),
        ("none", Some("{\"q\":\"none\"}\n")),
        ("\"False\"", Some("{\"q\":\"False\"}\n")),
        ("-1", Some("{\"q\":-1}\n")),
    ] {
        let args = [
            "get",
            ".",
            "--columns",
            ".q",
            "--json",
            "--default",
            default,
            "a.json",
        ];
        let ran = folder.run(&args);
        assert_eq!(
            ran.out,
            expected.unwrap_or_default(),
            "{default}: {}",
            ran.err
        );
        assert_eq!(ran.code == 2, expected.is_none(), "{default}: {}", ran.err);
    }
    let ran = folder.run(&["get", ".b", "--columns", ".a", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    let ran = folder.run(&["get", ".", "--columns", ".b", "--csv", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("b\n\"\"\n", 0));
}

#[test]
fn options_of_single_values_do_not_affect_rows_or_totals() {
    let text = b"[{\"a\": \"x\\ty\", \"b\": [1, 2]}, {\"a\": null, \"b\": {\"c\": 0.50}}]";
    let folder = Folder::with(&[("a.json", text)]);
    for args in [&[".[]", "--columns", ".a,.b"][..], &[".[]", "--tally"]] {
        for form in ["--header", "--tsv", "--csv", "--json"] {
            let run = |more: &[&str]| {
                let ran = folder.run(&[&["get"], args, &[form, "a.json"], more].concat());
                assert_eq!(ran.code, 0, "{args:?} {form} {more:?}: {}", ran.err);
                ran.out
            };
            let expected = run(&[]);
            let has_header = form == "--header" && !expected.starts_with('1');
            assert!(has_header || form != "--header", "{args:?}: {expected}");
            assert_eq!(run(&["-c"]), expected, "{args:?} {form} -c");
            // Without a format, a tally prints strings without quotes.
            if form != "--header" || args[1] != "--tally" {
                assert_eq!(run(&["-r"]), expected, "{args:?} {form} -r");
            }
        }
    }
}

#[test]
fn a_column_without_any_value_is_named_in_the_object_around_a_match() {
    for (path, levels) in [
        (".[].m[]", "^^"),
        ("$[*].m[0].r", "^"),
        ("..m", "^"),
        (".", ""),
        (".[0]", ""),
        (".[].m[][]", "^^^"),
    ] {
        let text = r#"[{"f": "a.js", "m": [{"r": [1]}]}]"#;
        let ran = piped(&["get", path, "--columns", ".f"], text);
        let hint = format!("{levels}.f is that field of the object around a match\n");
        assert_eq!(
            ran.err.ends_with(&hint),
            !levels.is_empty(),
            "{path} {}",
            ran.err
        );
    }
}

#[test]
fn a_column_without_any_value_is_a_warning() {
    let lines = b"{\"id\": 1}\n{\"id\": null, \"a\": {\"b\": 2}}\n";
    let folder = Folder::with(&[
        (
            "a.json",
            b"[{\"id\": 1}, {\"id\": null, \"a\": {\"b\": 2}}]",
        ),
        ("a.jsonl", lines),
        ("b.jsonl", b"{\"ids\": 1}\n"),
        ("empty.jsonl", b""),
    ]);
    let warning = |path: &str, hint: &str| {
        format!("jsonx: warning: --columns {path}: no row has a value there\n{hint}")
    };
    for (columns, expected) in [
        (".id", String::new()),
        (".id,.a.b", String::new()),
        (".Id,.id", warning(".Id", "did you mean .id?\n")),
        (
            ".id,.a.c,/none",
            warning(".a.c", "") + &warning("/none", ""),
        ),
        (".Id[]", warning(".Id.*", "did you mean .id.*?\n")),
        ("$.id,..none", warning("..none", "")),
    ] {
        for form in ["--tsv", "--csv", "--json", "--table"] {
            for args in [
                &[".[]", "a.json"][..],
                &[".", "a.jsonl"],
                &[".", "a.jsonl", "--threads=1"],
            ] {
                let args = [&["get"], args, &["--columns", columns, form]].concat();
                let ran = folder.run(&args);
                assert_eq!(
                    (ran.err.as_str(), ran.code),
                    (expected.as_str(), 0),
                    "{args:?}"
                );
                // No warning with a default or with -q.
                for silent in [&["--default", "x"][..], &["-q"]] {
                    assert_eq!(
                        folder.run(&[&args[..], silent].concat()).err,
                        "",
                        "{args:?}"
                    );
                }
            }
            let piped = piped(&["get", ".", "--columns", columns, form], lines);
            assert_eq!(piped.err, expected);
        }
    }
    // A row of another input has the value.
    let ran = folder.run(&["get", ".", "--columns", ".ids", "a.jsonl", "b.jsonl"]);
    assert_eq!(ran.err, "");
    let ran = folder.run(&["get", ".", "--columns", ".no", "empty.jsonl"]);
    assert!(!ran.err.contains("--columns"), "{}", ran.err);
}

const POSTS: &str = r#"[
  {"id": 1, "tags": ["a;b", "c\td", null], "by": {"name": "x"}, "at": {"name": "p"}},
  {"id": 2, "tags": [], "by": {"name": "y\ud800"}},
  {"id": 3, "tags": [[1, 2], {"k": "v"}, 1.50, "\u00e9"]}
]"#;

#[test]
fn columns_have_names_and_several_values() {
    let folder = Folder::with(&[("posts.json", POSTS.as_bytes())]);
    for (columns, options, expected) in [
        (
            "id=.id,.tags[]",
            &["--header"][..],
            "id\ttags\n1\ta;b;c\\td;\n2\t\n3\t[1,2];{\"k\":\"v\"};1.50;é\n",
        ),
        (
            ".tags[]",
            &["--csv"],
            "tags\na;b;c\td;\n\"\"\n\"[1,2];{\"\"k\"\":\"\"v\"\"};1.50;é\"\n",
        ),
        (
            "number=.id,\"the, tags\"=.tags[]",
            &["--json"],
            "{\"number\":1,\"the, tags\":[\"a;b\",\"c\\td\",null]}\n{\"number\":2,\"the, tags\":[]}\n{\"number\":3,\"the, tags\":[[1,2],{\"k\":\"v\"},1.50,\"\\u00e9\"]}\n",
        ),
        (
            ".id,$.tags[1,0]",
            &["--json", "--limit=2", "--default=none"],
            "{\"id\":1,\"tags[1,0]\":[\"c\\td\",\"a;b\"]}\n{\"id\":2,\"tags[1,0]\":\"none\"}\n",
        ),
        (
            "$.tags[0,0],..name",
            &["--table", "--limit=1"],
            "tags[0,0]  name\na;b;a;b    x;p\n",
        ),
        (
            ".by.name,.at.name,n=..name",
            &["--csv", "--header", "--limit=1"],
            "by.name,at.name,n\nx,p,x;p\n",
        ),
        // The default is formatted like any other cell.
        (
            ".id,.at.name",
            &["--default=\ta\\", "--limit=2"],
            "1\tp\n2\t\\ta\\\\\n",
        ),
        (
            ".at.name",
            &["--default={\"a\":\n 1}", "--json", "--limit=2"],
            "{\"name\":\"p\"}\n{\"name\":{\"a\":1}}\n",
        ),
        (
            ".at.name",
            &["--default=x,\"y", "--csv", "--limit=2"],
            "name\np\n\"x,\"\"y\"\n",
        ),
    ] {
        let args = [&["get", ".[]", "posts.json", "--columns", columns], options].concat();
        let ran = folder.run(&args);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (expected, 0),
            "{args:?} {}",
            ran.err
        );
        let args = [&["get", ".[]", "--columns", columns], options].concat();
        assert_eq!(piped(&args, POSTS).out, expected);
    }
    let ran = folder.run(&[
        "get",
        ".[]",
        "posts.json",
        "--columns",
        "$.tags[?search(@, '(x')]",
    ]);
    assert_eq!(ran.err.matches("always false").count(), 1, "{}", ran.err);
}

const REPORT: &str = r#"[
  {"file": "a.js", "messages": [{"rule": "x", "line": 1}, {"rule": "y", "line": 2, "fix": {}}]},
  {"messages": [{"line": 3, "rule": "x"}], "file": "b|.js", "tags": ["p", "q"]},
  {"file": "c.js", "messages": []}
]"#;

#[test]
fn columns_and_filters_reach_above_the_match() {
    let lines = REPORT.replace('\n', "");
    let folder = Folder::with(&[("a.json", REPORT.as_bytes()), ("a.jsonl", lines.as_bytes())]);
    let matches = ".[].messages[]";
    for (args, expected) in [
        (
            &[matches, "--columns", "^^.file,.rule,key(.),n=key(^^)"][..],
            "a.js\tx\t0\t0\na.js\ty\t1\t0\nb|.js\tx\t0\t1\n",
        ),
        (
            &[matches, "--columns", ".line,^^.tags[],^^.none", "--csv"],
            "line,tags,none\n1,,\n2,,\n3,p;q,\n",
        ),
        (
            &["..rule", "--columns", ".,^.line,key(.)", "--json"],
            "{\".\":\"x\",\"line\":1,\"key\":\"rule\"}\n{\".\":\"y\",\"line\":2,\"key\":\"rule\"}\n{\".\":\"x\",\"line\":3,\"key\":\"rule\"}\n",
        ),
        (
            &[
                matches,
                "--where",
                "^^.file == 'a.js' && .line > 1",
                "--columns",
                ".rule",
            ],
            "y\n",
        ),
        (
            &["..rule", "--where", "^.line == 3", "--with-path"],
            ".[1].messages[0].rule\t\"x\"\n",
        ),
        (
            &[".[].*", "--where", "key(.) == 'file' && key(^) > 0", "-r"],
            "b|.js\nc.js\n",
        ),
        (
            &[
                ".[]",
                "--where",
                ".messages[].rule == 'y'",
                "--columns",
                ".file",
            ],
            "a.js\n",
        ),
        (
            &[
                ".[]",
                "--where",
                "search(.tags[], '^q')",
                "--columns",
                ".file",
            ],
            "b|.js\n",
        ),
        (
            &[
                ".[]",
                "--where",
                ".messages.0.line == 3",
                "--columns",
                ".file",
            ],
            "b|.js\n",
        ),
        (
            &[matches, "--columns", "*", "--csv"],
            "rule,line,fix\nx,1,\ny,2,{}\nx,3,\n",
        ),
        (
            &[
                matches,
                "--columns",
                "in=^^.file,*",
                "--where",
                ".line != 2",
                "--markdown",
            ],
            "| in     | rule | line |\n| ------ | ---- | ---- |\n| a.js   | x    | 1    |\n| b\\|.js | x    | 3    |\n",
        ),
    ] {
        for (file, threads) in [("a.json", "1"), ("a.jsonl", "1"), ("a.jsonl", "3")] {
            let ran = folder.run(&[&["get", "--threads", threads], args, &[file]].concat());
            let none = "jsonx: warning: --columns ^^.none: no row has a value there\n";
            let expected_messages = if args[2].contains("none") { none } else { "" };
            assert_eq!(
                (ran.out.as_str(), ran.err.as_str(), ran.code),
                (expected, expected_messages, 0),
                "{args:?} {file}"
            );
        }
        let in_pipe = piped(&[&["get"], args].concat(), REPORT);
        if args[2].ends_with('*') {
            assert_eq!(
                (in_pipe.out.as_str(), in_pipe.code),
                ("", 2),
                "{}",
                in_pipe.err
            )
        } else {
            assert_eq!(in_pipe.out, expected, "{args:?}")
        }
    }
}

#[test]
fn files_of_a_directory_make_one_table() {
    let folder = Folder::with(&[
        ("d/a.json", b"{\"n\": 1}"),
        ("d/e/b.json", b"{\"n\": 22, \"m\": \"x\"}"),
        ("d/c.txt", b"{\"n\": 3}"),
        ("d/.ignore", b"f.json"),
        ("d/f.json", b"{\"n\": 4}"),
    ]);
    for (args, expected, code) in [
        (&[".n", "d"][..], "d/a.json:1\nd/e/b.json:22\n", 0),
        (&[".n", "d", "-g", "*.txt"], "d/c.txt:3\n", 0),
        (&[".m", "d"], "d/e/b.json:\"x\"\n", 0),
        (&[".n", "d/a.json", "d/a.json"], "d/a.json:1\n", 0),
        (&[".q", "d"], "", 1),
        (
            &[".q", "d", "--default", "0"],
            "d/a.json:0\nd/e/b.json:0\n",
            0,
        ),
        (&[".", "d", "--columns", ".n", "--table"], "n\n1\n22\n", 0),
        (
            &[".", "d", "--columns", "*", "--table", "-H"],
            "file        n   m\nd/a.json    1\nd/e/b.json  22  x\n",
            0,
        ),
        (
            &[".", "d", "--columns", ".n", "--csv", "-H", "-r", "-c"],
            "file,n\nd/a.json,1\nd/e/b.json,22\n",
            0,
        ),
    ] {
        let ran = folder.run(&[&["get"], args].concat());
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (expected, code),
            "{args:?} {}",
            ran.err
        );
        let message = if code == 1 {
            "jsonx: no match for .q in 2 files\n"
        } else {
            ""
        };
        assert_eq!(ran.err, message, "{args:?}");
    }
}
