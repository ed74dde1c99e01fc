//! `jsonx get` with paths to any number of values: output, order and inputs.

use crate::{Folder, Ran, jsonx, piped, run};

const TEXT: &str = r#"{"name": "n\u00e9", "list": [{"v": 1}, {"v": [2, 3]}, {"w": null}],
  "deep": {"v": {"v": false}}, "empty": {}}"#;

/// Compares a file and a pipe.
fn get(args: &[&str]) -> Ran {
    let folder = Folder::with(&[("a.json", TEXT.as_bytes())]);
    let from_file = folder.run(&[&["get"][..], args, &["a.json"]].concat());
    let from_pipe = piped(&[&["get"][..], args].concat(), TEXT);
    assert_eq!(
        from_file.out.replace("a.json", "<stdin>"),
        from_pipe.out,
        "{args:?}"
    );
    assert_eq!(from_file.code, from_pipe.code, "{args:?}");
    from_file
}

#[track_caller]
fn prints(args: &[&str], lines: &[&str]) {
    let ran = get(args);
    let expected: String = lines.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(
        (ran.out, ran.err, ran.code),
        (expected, String::new(), 0),
        "{args:?}"
    );
}

#[test]
fn every_match_is_printed() {
    prints(&["-c", ".list[].v"], &["1", "[2,3]"]);
    prints(&["-c", "..v"], &["1", "[2,3]", "{\"v\":false}", "false"]);
    prints(&["-c", "$.list[1,0].v"], &["[2,3]", "1"]);
    prints(&["-c", ".list.::-2"], &["{\"w\":null}", "{\"v\":1}"]);
    prints(&["-c", "$.list[0,0].v"], &["1", "1"]);
    prints(&["-c", "$.list[?@.v == 1]"], &["{\"v\":1}"]);
    prints(&[".list[1].v"], &["[", "  2,", "  3", "]"]);
    prints(&["--source", ".list[1].v"], &["[2, 3]"]);
    prints(&["--limit", "1", "..v"], &["1"]);
    prints(&["-c", "--limit", "2", "..v"], &["1", "[2,3]"]);
    let nested = r#"{"o": {"a": 1}, "a": 2}"#;
    assert_eq!(piped(&["get", "$..a"], nested).out, "1\n2\n");
}

/// Also with paths whose matches come in another order in the text.
#[test]
fn a_limit_counts_matches_in_the_order_in_which_they_are_printed() {
    let paths = [".empty", ".list[].v", "/name", ".none", "..v"];
    for first in paths {
        for second in paths {
            let request = ["-c", "--default", "0", "-e", first, "-e", second];
            let all = get(&request).out;
            for limit in 0..=all.lines().count() {
                let ran = get(&[&request[..], &["--limit", &limit.to_string()]].concat());
                let expected: String = all.split_inclusive('\n').take(limit).collect();
                assert_eq!(ran.out, expected, "{first} {second} {limit}");
            }
        }
    }
}

#[test]
fn several_paths_are_answered_in_turn() {
    let three = ["-c", "-e", ".empty", "-e", ".list[].v", "-e", "/name"];
    prints(&three, &["{}", "1", "[2,3]", "\"n\\u00e9\""]);
    let records = "{\"a\":1,\"b\":2}\n{\"b\":3,\"a\":4}\n{\"a\":5}\n";
    let ran = piped(&["get", "-e", ".b", "-e", ".a"], records);
    assert_eq!((ran.out.as_str(), ran.code), ("2\n1\n3\n4\n5\n", 0));
    let ran = piped(
        &["get", "--default", "null", "-e", ".b", "-e", ".a"],
        records,
    );
    assert_eq!((ran.out.as_str(), ran.code), ("2\n1\n3\n4\nnull\n5\n", 0));
    // A path without a match is a failure, even if others match.
    let ran = get(&["-e", ".nope", "-e", ".empty"]);
    assert_eq!((ran.out.as_str(), ran.code), ("{}\n", 1));
}

#[test]
fn other_properties_can_be_printed() {
    prints(&["--count", "..v"], &["4"]);
    prints(&["-q", "..v"], &[]);
    prints(
        &["--with-path", "..v"],
        &[
            ".list[0].v\t1",
            ".list[1].v\t[2,3]",
            ".deep.v\t{\"v\":false}",
            ".deep.v.v\tfalse",
        ],
    );
    assert_eq!(get(&["--locate", "..w"]).out, "a.json:1:61\n");
    for args in [&["--count", "..nope"][..], &["-q", "..nope"]] {
        let ran = get(args);
        let out = if args[0] == "--count" { "0\n" } else { "" };
        assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), (out, "", 1));
    }
    for args in [
        &["--count", "--locate", "."][..],
        &["--count", "--limit", "1", "."],
        &["--limit", "0", "."],
        &["--default", "1", "--count", "."],
        &["-j", "--raw-output0", "."],
        &["--threads", "0", "."],
    ] {
        assert_eq!(
            piped(&[&["get"][..], args].concat(), "1").code,
            2,
            "{args:?}"
        );
    }
}

#[test]
fn a_default_replaces_only_missing_values() {
    prints(&["--default", "7", ".nope"], &["7"]);
    prints(&["--default", "7", "..w"], &["null"]);
    prints(&["--default", "7", ".deep.v.v"], &["false"]);
    prints(&["--default", "[1, 2]", "-c", ".nope"], &["[1,2]"]);
    prints(&["--default", "\"a\"", "-r", ".nope"], &["a"]);
    prints(&["--default", "no JSON", "-r", ".nope"], &["no JSON"]);
    prints(&["--default", "", "-r", ".nope"], &[""]);
    let ran = get(&["--default", "no JSON", ".nope"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert!(ran.err.contains("not JSON"), "{}", ran.err);
}

#[test]
fn strings_go_where_they_are_piped_and_not_to_a_terminal() {
    let nul = piped(
        &["get", "--raw-output0", ".[]"],
        r#"["a", "b\n", {"c": 1}]"#,
    );
    assert_eq!(nul.out, "a\0b\n\0{\n  \"c\": 1\n}\0");
    for (args, out) in [
        (&["--count", ".[*]"][..], "2\0"),
        (&["--locate", ".[]"], "<stdin>:1:2\0<stdin>:1:9\0"),
    ] {
        let separated = [&["get", "--raw-output0"][..], args].concat();
        assert_eq!(piped(&separated, r#"["a b", 1]"#).out, out, "{args:?}");
        let joined = [&["get", "--join"][..], args].concat();
        assert_eq!(piped(&joined, r#"["a b", 1]"#).out, out.replace('\0', "\n"));
    }
    let nul = piped(&["get", "--raw-output0", ".[]"], r#"["a\u0000b"]"#);
    assert_eq!((nul.out.as_str(), nul.code), ("", 4));
    assert!(nul.err.contains("holds a NUL"), "{}", nul.err);
    let half = piped(&["get", "-r", "."], r#""\ud800x""#);
    assert_eq!((half.out.as_str(), half.code), ("\u{fffd}x\n", 0));
    assert!(half.err.contains("lone surrogate"), "{}", half.err);
    let esc = piped(&["get", "-r", "."], r#""\u001b[31m\u009b""#);
    assert_eq!(esc.out, "\u{1b}[31m\u{9b}\n");
}

#[cfg(unix)]
#[test]
fn a_terminal_obeys_nothing_that_a_value_says() {
    use std::process::Command;

    let text = "{\"\u{9b}2J\": \"\\u001b[31m \u{9b}1m\u{202e} \\r\\n\\tend\u{7f}\"}";
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    let folder = Folder::with(&[
        ("a.json", text.as_bytes()),
        ("b.json", b"{}"),
        (".jsonxignore", b"left-out\n"),
    ]);
    for args in [
        &["get", "-r", ".*"][..],
        &["get", "."],
        &["get", "--source", "."],
        &["get", "--with-path", ".*"],
        &["jq", "-r", "keys[]"],
        &["shape"],
        &["shape", "--json"],
        &["locate", "--jsonpath", "a.json:1:10"],
        &["fmt"],
        &["fmt", "-c"],
        &["fmt", "-S", "--tab", "--eol=crlf"],
        &["fmt", "--width=80"],
        &["fmt", "--canonical"],
        &["fmt", "--input=jsonc"],
        &["fmt", "--stdin-filename=a.json"],
        &["fmt", "--stdin-filename=left-out/a.json"],
        &["fix"],
        &["fix", "--all"],
        &["set", ".a", "1"],
        &["patch", "b.json"],
        &["diff", "--format=patch", "b.json"],
        &["diff", "--format=merge", "b.json"],
        &["validate", "-v"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jsonx"));
        let reads_stdin = args.iter().any(|it| it.starts_with("--stdin-filename"));
        command
            .stdin(if reads_stdin {
                std::fs::File::open(folder.path("a.json")).unwrap().into()
            } else {
                std::process::Stdio::null()
            })
            .args(args)
            .current_dir(folder.path(""));
        if args[0] != "locate" && !reads_stdin {
            command.arg("a.json");
        }
        // Colors add escape sequences.
        command.arg("--color=never");
        let (seen, code) = crate::terminals::seen(&mut command);
        assert_eq!(code, Some(i32::from(args[0] == "diff")), "{args:?}");
        assert!(!seen.is_empty() || args[0] == "validate", "{args:?}");
        if args[0] == "fmt" {
            let shown: serde_json::Value = serde_json::from_str(&seen).unwrap();
            assert_eq!(shown, value, "{args:?}");
        }
        let obeyed = seen
            .chars()
            .find(|&c| (c.is_control() && !"\r\n\t".contains(c)) || c == '\u{202e}');
        assert_eq!(obeyed, None, "{args:?}: {seen:?}");
    }
}

#[test]
fn lines_on_many_threads_are_answered_like_a_stream() {
    let mut text = String::new();
    for number in 0..60_000 {
        match number % 7 {
            0 => text += "\n",
            1 => {
                text += &format!("{{\"id\": {number}, \"user\": {{\"name\": \"é{number}\"}}}}\r\n")
            }
            2 => text += &format!("[{number}]\n"),
            3 => text += &format!("{{\"user\": {{\"name\": 1, \"name\": \"b{number}\"}}}}\n"),
            _ => {
                text += &format!(
                    "{{\"pad\": \"{}\", \"user\": {{\"name\": null}}}}\n",
                    "-".repeat(number % 90)
                )
            }
        }
    }
    let marked = ["\u{feff}", &text].concat();
    let folder = Folder::with(&[
        ("a.jsonl", text.as_bytes()),
        ("marked.jsonl", marked.as_bytes()),
        (
            "bad.jsonl",
            [text.as_str(), "[1,\n2]\n", &text].concat().as_bytes(),
        ),
    ]);
    // Three segments.
    assert!(text.len() > 2 << 20, "{}", text.len());
    for args in [
        &["get", "-r", ".user.name"][..],
        &["get", "-c", "-e", ".user", "-e", ".id", "--default", "0"],
        &["get", "--with-path", "..name"],
        &["get", "--count", ".user.name"],
        &["get", ".[0]"],
        &["get", ".nope"],
    ] {
        let expected = piped(&[args, &["--input", "jsonl"]].concat(), &text);
        for (file, counts) in [("a.jsonl", &["1", "2", "5"][..]), ("marked.jsonl", &["2"])] {
            for threads in counts {
                let ran = folder.run(&[args, &["--threads", threads, file]].concat());
                assert!(ran.out == expected.out, "{args:?} {file} {threads}");
                assert_eq!(ran.code, expected.code, "{args:?} {file} {threads}");
                let message = ran.err.replace(file, "<stdin>");
                assert!(
                    message.contains(&expected.err),
                    "{message:?} {:?}",
                    expected.err
                );
            }
        }
        let bad = folder.run(&[args, &["bad.jsonl"]].concat());
        assert_eq!(bad.code, 3, "{args:?}");
        assert!(bad.err.contains("bad.jsonl:60001:"), "{}", bad.err);
        // `2]` and the line before it are not records; all others are searched.
        if !args.contains(&"--count") {
            assert!(bad.out == expected.out.repeat(2), "{args:?}");
        }
    }
}

#[test]
fn the_last_duplicate_counts_for_every_source() {
    let text = r#"{"a": [1], "b": 0, "a": [2, 3]}"#;
    let folder = Folder::with(&[("a.json", text.as_bytes())]);
    let warning = "warning: duplicate keys along .a[]; the last one counts\n";
    for ran in [
        folder.run(&["get", ".a[]", "a.json"]),
        piped(&["get", ".a[]"], text),
    ] {
        assert_eq!((ran.out.as_str(), ran.code), ("2\n3\n", 0));
        assert!(ran.err.ends_with(warning), "{}", ran.err);
    }

    // Too far apart for a pipe; a file can be read again.
    let pad = format!("\"{}\",\n", "-".repeat(1000)).repeat(3000);
    let long = format!("{{\"a\": [1], \"pad\": [{pad}0], \"a\": [2]}}");
    let folder = Folder::with(&[("a.json", long.as_bytes())]);
    assert_eq!(folder.run(&["get", ".a[]", "a.json"]).out, "2\n");
    let ran = piped(&["get", ".a[]"], &long);
    assert_eq!(ran.out, "1\n2\n");
    assert!(ran.err.contains("more than one counts"), "{}", ran.err);
    // A single value can be buffered.
    let ran = piped(&["get", ".a[0]"], &long);
    assert_eq!(ran.out, "2\n");
}

#[test]
fn many_matches_are_noted_or_looked_for_again() {
    let text = format!("{{\"a\": [{}0]}}", "{\"v\": 1}, ".repeat(200_000));
    let folder = Folder::with(&[("a.json", text.as_bytes())]);
    for args in [
        &["get", ".a[].v"][..],
        &["get", "..v"],
        &["get", "$.a[?@.v == 1].v"],
    ] {
        let ran = folder.run(&[args, &["a.json"]].concat());
        assert!(ran.out == "1\n".repeat(200_000), "{args:?}");
        assert_eq!((ran.err.as_str(), ran.code), ("", 0));
        assert!(piped(args, &text).out == ran.out, "{args:?}");
    }
    let broken = &text[..text.len() - 1];
    let folder = Folder::with(&[("a.json", broken.as_bytes())]);
    let ran = folder.run(&["get", ".a[].v", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    let ran = piped(&["get", ".a[].v"], broken);
    assert_eq!((ran.out.len(), ran.code), (400_000, 3));
}

#[test]
fn a_key_repeated_after_many_matches_counts() {
    let many = "{\"v\": 1}, ".repeat(200_000);
    let text = format!("{{\"a\": [{many}0], \"a\": [{{\"v\": 2}}]}}");
    let folder = Folder::with(&[("a.json", text.as_bytes())]);
    for (args, out) in [
        (&["get", ".a[].v"][..], "2\n"),
        (&["get", "--count", ".a[].v"], "1\n"),
        (&["get", "--locate", ".a[].v"], "a.json:1:2000024\n"),
        (
            &["get", "-e", ".a[].v", "-e", ".a[]"],
            "2\n{\n  \"v\": 2\n}\n",
        ),
    ] {
        let ran = folder.run(&[args, &["a.json"]].concat());
        assert_eq!((ran.out.as_str(), ran.code), (out, 0), "{args:?}");
        assert!(ran.err.contains("the last one counts"), "{}", ran.err);
    }
}

fn suite(file: &str) -> Option<serde_json::Value> {
    let text = std::fs::read(jsonx_testing::suite(file)?).expect(file);
    Some(serde_json::from_slice(&text).expect(file))
}

#[test]
fn the_compliance_suite_of_jsonpath() {
    let Some(suite) = suite("jsonpath-cts/cts.json") else {
        return;
    };
    for case in suite["tests"].as_array().expect("tests") {
        let (name, path) = (&case["name"], case["selector"].as_str().expect("a path"));
        // Arguments of a program cannot contain NUL; core has these cases too.
        if path.contains('\0') {
            continue;
        }
        if case["invalid_selector"] == true {
            let ran = piped(&["get", path], "null");
            assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{name}");
            assert!(ran.err.contains('^'), "{name}: {}", ran.err);
            continue;
        }
        let args = ["get", "--with-path", path];
        let ran = piped(&args, serde_json::to_string(&case["document"]).unwrap());
        let found: Vec<(String, serde_json::Value)> = ran
            .out
            .lines()
            .map(|line| {
                let (path, value) = line.split_once('\t').expect("a path and a value");
                (path.to_owned(), serde_json::from_str(value).expect("JSON"))
            })
            .collect();
        assert_eq!(ran.code, i32::from(found.is_empty()), "{name}: {}", ran.err);
        // Matches of a descent are printed in document order.
        let in_order = |mut found: Vec<(String, serde_json::Value)>| {
            if path.contains("..") {
                found.sort_by(|(one, _), (other, _)| one.cmp(other));
            }
            found
        };
        let expected = |paths: &serde_json::Value, values: &serde_json::Value| {
            let paths = paths.as_array().expect("paths").iter();
            let paths = paths.map(|path| path.as_str().expect("a path").to_owned());
            let values = values.as_array().expect("values").iter().cloned();
            in_order(paths.zip(values).collect())
        };
        let found = in_order(found);
        let is_right = match case["results"].as_array() {
            Some(results) => results
                .iter()
                .zip(case["results_paths"].as_array().expect("paths"))
                .any(|(values, paths)| expected(paths, values) == found),
            None => expected(&case["result_paths"], &case["result"]) == found,
        };
        assert!(is_right, "{name}: {path} selects {found:?}");
    }
}

#[test]
fn the_suite_of_json_pointers() {
    let Some(suite) = suite("rfc6901-pointer/pointer.json") else {
        return;
    };
    for case in suite.as_array().expect("cases") {
        let document = serde_json::to_string(&case["doc"]).unwrap();
        for field in ["pointer", "fragment"] {
            let Some(pointer) = case[field].as_str() else {
                continue;
            };
            // Arguments of a program cannot contain NUL.
            if pointer.contains('\0') {
                continue;
            }
            // Another kind of path, or a URI fragment, which is accepted here.
            if case["error"] == "syntax" && pointer.starts_with(['.', '$', '#']) {
                continue;
            }
            let ran = run(jsonx(&["get", "-c", pointer]).write_stdin(document.as_str()));
            match case["error"].as_str() {
                None => {
                    let found: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
                    assert_eq!(found, case["result"], "{case}");
                }
                Some("syntax") => assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{case}"),
                Some(_) => assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{case}"),
            }
        }
    }
}

/// As an answer about a directory, the exit code speaks of all files.
#[test]
fn quiet_is_an_answer_about_every_file() {
    let folder = crate::Folder::with(&[("d/a.json", b"{\"a\": 1}"), ("d/b.json", b"{\"b\": 1}")]);
    for (args, out, code) in [
        (&["get", "-q", ".a", "d"][..], "d/b.json\n", 1),
        (&["get", "-q", ".c", "d"], "d/a.json\nd/b.json\n", 1),
        (&["get", "-q", ".a", "d/b.json"], "", 1),
        (&["get", "-q", ".b", "d", "--default", "1"], "", 0),
        (&["get", "-q", "-r", ".b", "d", "--default", "x y"], "", 0),
        (&["get", "-q", ".", "d"], "", 0),
        (&["get", ".a", "d"], "d/a.json:1\n", 0),
    ] {
        let ran = folder.run(args);
        assert_eq!((ran.out.as_str(), ran.code), (out, code), "{args:?}");
    }
    // Names are those that `xargs` takes, as in fmt --check.
    #[cfg(unix)]
    {
        let folder = crate::Folder::with(&[("d/n\nl.json", b"{}")]);
        assert_eq!(folder.run(&["get", "-q", ".a", "d"]).out, "d/n\nl.json\n");
    }
}
