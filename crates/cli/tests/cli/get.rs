//! `jsonx get`.

use crate::{Folder, jsonx, piped, run};

const CONFIG: &[u8] = br#"{
  "name": "demo",
  "dev-dependencies": {"some-pkg": "^1.2", "none": null},
  "servers": [ {"name": "a"}, {"name": "b\u00e9\n"} ],
  "a/b": {"0": "zero", "": "empty"}
}
"#;

fn get(args: &[&str]) -> crate::Ran {
    let folder = Folder::with(&[("config.json", CONFIG)]);
    let from_file = folder.run(&[&["get"][..], args, &["config.json"]].concat());
    let from_pipe = piped(&[&["get"][..], args].concat(), CONFIG);
    assert_eq!(
        (&from_file.out, from_file.code),
        (&from_pipe.out, from_pipe.code),
        "{args:?}"
    );
    assert_eq!(
        from_file.err.replace("config.json", "<stdin>"),
        from_pipe.err,
        "{args:?}"
    );
    from_file
}

#[test]
fn paths_lead_to_values() {
    for (path, value) in [
        (".name", "\"demo\"\n"),
        (".dev-dependencies.some-pkg", "\"^1.2\"\n"),
        (".dev-dependencies.none", "null\n"),
        (".servers[0].name", "\"a\"\n"),
        (".servers.0.name", "\"a\"\n"),
        (".servers.-1.name", "\"b\\u00e9\\n\"\n"),
        (".servers[-2].name", "\"a\"\n"),
        (".\"a/b\".\"0\"", "\"zero\"\n"),
        (".[\"a/b\"].0", "\"zero\"\n"),
        ("/a~1b/0", "\"zero\"\n"),
        ("/a~1b/", "\"empty\"\n"),
        ("/servers/1/name", "\"b\\u00e9\\n\"\n"),
        (".servers.0", "{\n  \"name\": \"a\"\n}\n"),
    ] {
        let ran = get(&[path]);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            (value, "", 0),
            "{path}"
        );
    }
    let whole = get(&["."]);
    assert_eq!(whole.out, piped(&["fmt"], CONFIG).out);
    assert_eq!(get(&[""]), whole);
}

#[test]
fn looks_can_be_chosen() {
    assert_eq!(
        get(&["-c", ".servers"]).out,
        "[{\"name\":\"a\"},{\"name\":\"b\\u00e9\\n\"}]\n"
    );
    assert_eq!(
        get(&["--source", ".servers"]).out,
        "[ {\"name\": \"a\"}, {\"name\": \"b\\u00e9\\n\"} ]\n"
    );
    assert_eq!(get(&["-r", ".name"]).out, "demo\n");
    assert_eq!(get(&["--raw", ".servers.-1.name"]).out, "b\u{e9}\n\n");
    assert_eq!(get(&["-r", ".servers.0"]).out, "{\n  \"name\": \"a\"\n}\n");
    assert_eq!(get(&["-j", ".name"]).out, "demo");
    assert_eq!(get(&["-jc", ".servers.0"]).out, "{\"name\":\"a\"}");
    assert_eq!(piped(&["get", "-c", "--source", ".name"], CONFIG).code, 2);
    // UTF-8 cannot encode a lone surrogate.
    assert_eq!(
        piped(&["get", "-r", "."], r#""a\ud800b""#).out,
        "a\u{fffd}b\n"
    );
}

#[test]
fn a_path_that_leads_nowhere_says_where_it_stopped() {
    let sentences: Vec<String> = [
        ".servers[7].name",
        ".nope",
        ".name.x",
        ".servers.x",
        ".servers.0.1",
        "/a~1b/x",
        ".dev-dependencies.none.x",
    ]
    .iter()
    .map(|path| {
        let ran = get(&[path]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{path}");
        ran.err
    })
    .collect();
    insta::assert_snapshot!(sentences.concat(), @r"
    jsonx: no match for .servers[7].name: .servers has 2 elements (config.json:4:14)
    jsonx: no match for .nope: the document has no key `nope` (config.json:1:1)
    jsonx: no match for .name.x: .name is a string (config.json:2:11)
    jsonx: no match for .servers.x: .servers is an array, not an object (config.json:4:14)
    jsonx: no match for .servers.0.1: .servers.0 has no key `1` (config.json:4:16)
    jsonx: no match for /a~1b/x: /a~1b has no key `x` (config.json:5:10)
    jsonx: no match for .dev-dependencies.none.x: .dev-dependencies.none is null (config.json:3:52)
    ");
}

#[test]
fn a_bad_path_is_shown_with_a_caret() {
    let folder = Folder::with(&[("config.json", CONFIG)]);
    let ran = folder.run(&["get", "name", "config.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert!(
        ran.err.ends_with("  name\n  ^\ndid you mean .name?\n"),
        "{}",
        ran.err
    );

    let ran = folder.run(&["get", ".a[01]", "config.json"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.ends_with("  .a[01]\n     ^\ndid you mean .a[1]?\n"),
        "{}",
        ran.err
    );

    let ran = folder.run(&["get", "config.json", ".name"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err
            .contains("the path comes first: jsonx get PATH FILE"),
        "{}",
        ran.err
    );

    assert_eq!(folder.run(&["get"]).code, 2);
}

#[test]
fn a_mistyped_key_is_looked_for_in_all_that_a_path_leads_to() {
    let folder = Folder::with(&[
        (
            "a.json",
            br#"{"s": [{"name": 1}, {"n a": 2}, 3], "t": {"x": {}}}"#,
        ),
        ("a.jsonl", b"{\"name\": 1}\n{\"id\": 2}\n"),
    ]);
    for (path, file, meant) in [
        (".s[].nmae", "a.json", ".s[].name"),
        (".s.*.nmae.x", "a.json", ".s.*.name.x"),
        ("$.s[0:2].nmae", "a.json", "$.s[0:2].name"),
        (".*.*.n-a", "a.json", ".*.*[\"n a\"]"),
        (".*.NAME", "a.jsonl", ""),
    ] {
        let ran = folder.run(&["get", path, file]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{path}");
        let (_, message) = ran.err.split_once('\n').unwrap();
        let meant = match meant {
            "" => String::new(),
            meant => format!("did you mean {meant}?\n"),
        };
        assert_eq!(message, meant, "{path}: {}", ran.err);
    }
}

#[test]
fn a_key_with_dots_or_slashes_is_not_many_steps() {
    let text = br#"{"a.b": 1, "a": 2, "x": {"c.d.e": {"f": 2}, "c": {"d": 0}}, "k/l": 3, "m": {"n/o": {"p": 4}, "n": 5}}"#;
    let folder = Folder::with(&[("a.json", text)]);
    let piped = std::str::from_utf8(text).unwrap();
    for (path, meant) in [
        (".a.b", ".[\"a.b\"]"),
        (".x.c.d.e", ".x[\"c.d.e\"]"),
        (".x.c.d.e.f", ".x[\"c.d.e\"].f"),
        (".x.c.d.e.g", ".x[\"c.d.e\"].g"),
        ("/k/l", "/k~1l"),
        ("#/k/l", "/k~1l"),
        ("/m/n/o/p", "/m/n~1o/p"),
        ("#m/n", "#/m/n"),
        ("$.a.b", "$['a.b']"),
        ("/x/c/d/e", "/x/c.d.e"),
    ] {
        for ran in [
            folder.run(&["get", path, "a.json"]),
            crate::piped(&["get", path], piped),
        ] {
            assert_eq!(ran.out, "", "{path}");
            let meant = format!("\ndid you mean {meant}?\n");
            assert!(ran.err.ends_with(&meant), "{path}: {}", ran.err);
        }
    }
    for path in [".c.d", "$.c.d", ".m.n.o", "/m/n/q"] {
        let ran = folder.run(&["get", path, "a.json"]);
        assert!(!ran.err.contains("did you mean"), "{}", ran.err);
    }
}

#[test]
fn a_key_of_elements_is_not_a_key_of_the_array() {
    let folder = Folder::with(&[
        ("a.json", br#"{"s": [{"id": 1}, {"name": {"x": 2}}, 3]}"#),
        ("root.json", br#"[{"name": 1}]"#),
    ]);
    for (path, file, meant) in [
        (".s.name", "a.json", ".s[].name"),
        (".s.name.x", "a.json", ".s[].name.x"),
        ("$.s.name", "a.json", "$['s'][*]['name']"),
        (".name", "root.json", ".[].name"),
        ("$.name", "root.json", "$[*]['name']"),
        // No element has the key, or the path language has no wildcard.
        (".s.x", "a.json", ""),
        ("/s/name", "a.json", ""),
    ] {
        let ran = folder.run(&["get", path, file]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{path}");
        let (stopped, message) = ran.err.split_once('\n').unwrap();
        assert!(stopped.contains("is an array, not an object"), "{stopped}");
        let meant = match meant {
            "" => String::new(),
            meant => format!("did you mean {meant}?\n"),
        };
        assert_eq!(message, meant, "{path}: {}", ran.err);
    }
}

#[test]
fn a_file_where_the_path_should_be_is_noticed() {
    let folder = Folder::with(&[("config.json", CONFIG)]);
    let path = folder.path("config.json");
    let ran = folder.run(&["get", path.to_str().unwrap()]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("the path comes first"), "{}", ran.err);
    // A directory is not a file, and `.` is a directory.
    let ran = folder.run(&["get", "."]);
    assert!(!ran.err.contains("the path comes first"), "{}", ran.err);
}

#[test]
fn several_files_are_answered_in_order() {
    let folder = Folder::with(&[
        ("a.json", b"{\"v\": 1}"),
        ("b.json", b"{\"v\": [2]}"),
        ("c.json", b"{}"),
        ("d.json", b"["),
    ]);
    assert_eq!(
        folder.run(&["get", ".v", "a.json", "b.json"]).out,
        "a.json:1\nb.json:[2]\n"
    );
    let ran = folder.run(&["get", "--no-filename", ".v", "c.json", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("1\n", 1));
    assert_eq!(
        folder.run(&["get", "-H", ".v", "b.json"]).out,
        "b.json:[2]\n"
    );
    let joined = folder.run(&["get", "-j", ".v", "a.json", "b.json"]);
    assert_eq!(joined.out, "1[\n  2\n]");
    assert_eq!(
        folder
            .run(&["get", ".v", "c.json", "d.json", "a.json"])
            .code,
        3
    );
    let ran = folder.run(&["get", ".v", "d.json", "gone.json", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("a.json:1\n", 4));
}

#[test]
fn each_value_of_a_stream_is_looked_into() {
    let text = "{\"v\": 1}\n{\"w\": 2}\n{\"v\": \"three\"}\n{\"v\":[4]}";
    assert_eq!(piped(&["get", "-rc", ".v"], text).out, "1\nthree\n[4]\n");
    let folder = Folder::with(&[
        ("a.jsonl", b"{\"v\": 1}\n\n{\"v\": 2}\n"),
        ("b.jsonl", b"{\"v\": 1}\n[\n]\n"),
    ]);
    assert_eq!(folder.run(&["get", ".v", "a.jsonl"]).out, "1\n2\n");
    let ran = folder.run(&["get", ".v", "b.jsonl"]);
    assert_eq!((ran.out.as_str(), ran.code), ("1\n", 3));

    let ran = piped(&["get", ".x"], text);
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    assert_eq!(
        ran.err,
        "jsonx: no match for .x: the document has no key `x` (<stdin>:1:1), nor in the 3 values after it\n"
    );
    let ran = piped(&["get", "--input=stream", ".x"], "");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (1, "jsonx: no match for .x: <stdin> holds no value\n")
    );
}

#[test]
fn long_streams_and_long_values_are_held_only_as_far_as_needed() {
    let long = format!("[{}0]", "\"some text\",\n".repeat(100_000));
    let text = format!("{{\"v\":1}}\n{{\"w\":0, \"v\":{long}, \"x\":2}}\n").repeat(3);
    let expected = format!("1\n{}", long.replace('\n', "") + "\n").repeat(3);
    assert!(piped(&["get", "-c", ".v"], &text).out == expected);
    let folder = Folder::with(&[
        ("stream", text.as_bytes()),
        ("one.json", format!("[1, {long}  ]").as_bytes()),
    ]);
    assert!(
        folder
            .run(&["get", "--input", "stream", "-c", ".v", "stream"])
            .out
            == expected
    );
    assert!(folder.run(&["get", "-c", ".1", "one.json"]).out == long.replace('\n', "") + "\n");
    assert!(folder.run(&["get", "--source", ".-1", "one.json"]).out == long.clone() + "\n");
    assert!(
        folder
            .run(&["get", "-j", "--source", ".-1", "one.json"])
            .out
            == long
    );
}

#[test]
fn nothing_of_an_invalid_file_is_printed() {
    let folder = Folder::with(&[
        ("bad.json", b"{\"v\": 1,}"),
        ("bad.jsonl", b"{\"v\": 1}\n{\"v\": }\n"),
    ]);
    // In JSON Lines each record is a document.
    for (file, out) in [("bad.json", ""), ("bad.jsonl", "1\n")] {
        let ran = folder.run(&["get", ".v", file]);
        assert_eq!((ran.out.as_str(), ran.code), (out, 3));
        let code = match file {
            "bad.json" => "error[trailing-comma]: ",
            _ => "error[missing-value]: ",
        };
        assert!(ran.err.starts_with(code), "{}", ran.err);
    }
    // Matches of a pipe are printed as they arrive.
    let ran = piped(&["get", ".v"], "{\"v\": 1}\n".repeat(100_000) + "}");
    assert_eq!(ran.code, 3);
    assert!(ran.out.starts_with("1\n1\n1\n"));
}

#[test]
fn the_last_of_two_equal_keys_counts_with_a_warning() {
    let ran = piped(
        &["get", ".a.b"],
        r#"{"a": {"b": 1}, "\u0061": {"b": 2, "b": 3}}"#,
    );
    assert_eq!((ran.out.as_str(), ran.code), ("3\n", 0));
    assert_eq!(
        ran.err,
        "jsonx: <stdin>: warning: duplicate keys along .a.b; the last one counts\n"
    );
}

#[test]
fn a_key_of_a_replaced_value_is_no_suggestion() {
    let folder = Folder::with(&[("a.json", br#"{"a": [{"id": 1}], "a": [{"x": 1}]}"#)]);
    let ran = folder.run(&["get", ".a[].id", "a.json"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.err, "jsonx: no match for .a[].id in a.json\n");
}

#[test]
fn a_pattern_of_the_document_that_is_too_large_is_warned_of() {
    let text = r#"[{"a": "x", "b": "x"}, {"a": "x", "b": "((x{99}){99}){99}"}]"#;
    let ran = piped(&["get", "$[?match(@.a, @.b)]"], text);
    assert_eq!((ran.out.lines().count(), ran.code), (4, 0));
    assert_eq!(
        ran.err,
        "jsonx: <stdin>: warning: a pattern in the document is too large and matches nothing; at most 1 KiB is compiled\n"
    );
}

/// A match in a pipe may be printed before its object ends after 1 MiB of waiting, and not 8 bytes earlier.
#[test]
fn the_last_of_two_equal_keys_counts_in_a_long_pipe() {
    let items = r#"{"aaa":1,"aaa":2},"#.repeat(150_000);
    for (path, text) in [
        ("$[::-1].aaa", format!("[{items}1]")),
        ("$[-150001:].aaa", format!("[{items}1]")),
        ("$.items[*].aaa", format!("{{\"items\":[{items}1]}}")),
    ] {
        let ran = piped(&["get", path], text);
        assert_eq!(
            ran.out.lines().filter(|line| *line == "1").count(),
            0,
            "{path}"
        );
        assert_eq!(ran.out.lines().count(), 150_000, "{path}");
        assert!(
            ran.err.ends_with("; the last one counts\n"),
            "{path}: {}",
            ran.err
        );
    }
}

#[test]
fn keys_in_messages_are_shown_harmless() {
    let ran = run(jsonx(&["get", ".\"\\u001b[31m\\u202e\""]).write_stdin("{}"));
    assert_eq!(ran.code, 1);
    assert!(!ran.err.contains(['\x1b', '\u{202e}']), "{:?}", ran.err);
}

/// An error at the end of a long file is found after the first values were printed, unless the output is stored.
#[test]
fn a_long_file_is_printed_to_a_pipe_while_it_is_checked() {
    let long = |start: &str, end: &str| {
        let blank = "\n".repeat(65 << 20);
        [start, &blank, end].concat()
    };
    let folder = Folder::with(&[
        (
            "bad.json",
            long("[{\"a\": 1}, {\"a\": 2}", ",,]").as_bytes(),
        ),
        ("one.json", long("{\"b\": [", "1]}").as_bytes()),
        ("two.json", long("{\"a\": 1}\n{\"a\":\n", "2}").as_bytes()),
        (
            "twice.json",
            long("{\"a\": [1]", ", \"a\": [2]}").as_bytes(),
        ),
    ]);
    for (path, file, out, code, err) in [
        ("..a", "bad.json", "1\n2\n", 3, "error[trailing-comma]"),
        (
            ".b.x[]",
            "one.json",
            "",
            1,
            "jsonx: no match for .b.x[]: .b is an array, not an object (one.json:1:7)\n",
        ),
        (".a", "two.json", "1\n2\n", 0, ""),
        (".a[]", "twice.json", "1\n2\n", 0, "more than one counts"),
    ] {
        let threads = if path.starts_with("..") { "1" } else { "2" };
        let ran = folder.run(&["get", path, file, "--threads", threads]);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, code),
            "{path} {}",
            ran.err
        );
        assert!(ran.err.contains(err), "{path} {}", ran.err);
    }
    let out = folder.path("out.txt");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_jsonx"));
    command.args(["get", "..a"]).arg(folder.path("bad.json"));
    let status = command
        .stdout(std::fs::File::create(&out).unwrap())
        .status()
        .unwrap();
    assert_eq!(
        (status.code(), std::fs::read(&out).unwrap().len()),
        (Some(3), 0)
    );
}

/// The matches of each record are printed before the writer, which waits for them, sends the next one.
#[test]
fn a_live_pipe_is_answered_record_by_record() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    for args in [
        &["get", "-c", ".v"][..],
        &["get", "-c", "--input", "jsonl", ".v"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_jsonx"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        for value in [
            "1",
            "\"two\"",
            "[3]",
            &format!("\"{}\"", "4".repeat(200)),
            "null",
        ] {
            writeln!(stdin, "{{\"v\": {value}}}").expect("somebody reads");
            let line = lines.next().expect("a line").expect("UTF-8");
            assert_eq!(line, value, "{args:?}");
        }
        drop(stdin);
        assert!(lines.next().is_none());
        assert!(child.wait().expect("it ends").success());
    }
}
