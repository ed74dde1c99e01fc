//! `jsonx locate`.

use crate::{Folder, jsonx, piped, run};

const TEXT: &str = "{\n  \"é b\": [10, {\"x/y\": true}],\n\n  \"last\": null\n}\n";

/// From a file and through a pipe, which must agree.
fn locate(place: &str, flags: &[&str]) -> crate::Ran {
    let folder = Folder::with(&[("a.json", TEXT.as_bytes())]);
    let args = |file: &str| -> Vec<String> {
        let place = [file, place].concat();
        let flags = flags.iter().map(|&flag| flag.to_owned());
        ["locate".to_owned(), place]
            .into_iter()
            .chain(flags)
            .collect()
    };
    let [named, dashed] = [args("a.json"), args("-")];
    let strs = |args: &[String]| -> Vec<String> { args.to_vec() };
    let from_file = folder.run(&strs(&named).iter().map(String::as_str).collect::<Vec<_>>());
    let from_pipe = piped(
        &strs(&dashed).iter().map(String::as_str).collect::<Vec<_>>(),
        TEXT,
    );
    assert_eq!(from_file.out, from_pipe.out, "{place}");
    assert_eq!(from_file.code, from_pipe.code, "{place}");
    assert_eq!(
        from_file.err.replace("a.json", "<stdin>"),
        from_pipe.err,
        "{place}"
    );
    from_file
}

#[test]
fn places_lead_to_paths() {
    for (place, path) in [
        (":1:1", "."),
        (":1", "."),
        (":1:2", "."),
        (":2:3", ".[\"é b\"]"),
        (":2", ".[\"é b\"]"),
        // A column is a code point.
        (":2:10", ".[\"é b\"]"),
        (":2:11", ".[\"é b\"][0]"),
        (":2:11:", ".[\"é b\"][0]"),
        (":2:13", ".[\"é b\"]"),
        (":2:23", ".[\"é b\"][1].x/y"),
        (":2:16", ".[\"é b\"][1].x/y"),
        (":2:27", ".[\"é b\"][1]"),
        (":3", "."),
        (":3:1", "."),
        (":4:11", ".last"),
        (":5:1", "."),
    ] {
        let ran = locate(place, &[]);
        let expected = (format!("{path}\n"), String::new(), 0);
        assert_eq!((ran.out, ran.err, ran.code), expected, "{place}");
    }
    for (flag, path) in [
        ("--dot", ".[\"é b\"][1].x/y\n"),
        ("--jsonpath", "$['é b'][1]['x/y']\n"),
        ("--pointer", "/é b/1/x~1y\n"),
    ] {
        assert_eq!(locate(":2:23", &[flag]).out, path);
    }
    // Bytes count from 0.
    assert_eq!(locate("", &["--offset", "13"]).out, ".[\"é b\"][0]\n");
    assert_eq!(locate("", &["--offset", "0"]).out, ".\n");
}

#[test]
fn locations_of_matches_locate_them() {
    let folder = Folder::with(&[("a.json", TEXT.as_bytes())]);
    let places = folder.run(&["get", "--locate", "..*", "a.json"]);
    let paths = folder.run(&["get", "--with-path", "-c", "..*", "a.json"]);
    assert_eq!(places.out.lines().count(), 5);
    for (place, path) in places.out.lines().zip(paths.out.lines()) {
        let (path, _) = path.split_once('\t').expect("a path");
        let back = folder.run(&["locate", place]);
        assert_eq!(back.out.trim_end(), path, "{place}");
    }
}

#[test]
fn nothing_is_there() {
    for (place, flags, why) in [
        ("", &["--offset", "99"][..], "no value at byte 99"),
        ("", &["--offset", "58"], "no value at byte 58"),
        (":6:1", &[], "line 6 has 0 columns"),
        (":9:1", &[], "the file has 5 lines"),
        (":1:7", &[], "line 1 has 1 column"),
    ] {
        let ran = locate(place, flags);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{place}");
        assert_eq!(ran.err, format!("jsonx: a.json: {why}\n"));
    }
    let ran = piped(&["locate", "-:1:1"], "  1");
    assert_eq!(
        (ran.err.as_str(), ran.code),
        ("jsonx: <stdin>: no value at line 1, column 1\n", 1)
    );
}

#[test]
fn no_place_is_wrong_usage() {
    for place in [
        "a.json",
        "a.json:0",
        "a.json:0:5",
        "a.json:5:0",
        "a.json:x",
        ":1:1",
        "",
    ] {
        let ran = run(jsonx(&["locate", place]).write_stdin("1"));
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{place}");
        assert!(
            ran.err.contains("a position is FILE:LINE:COL"),
            "{}",
            ran.err
        );
    }
    assert_eq!(piped(&["locate"], "1").code, 2);
    assert_eq!(piped(&["locate", "--offset", "x", "-"], "1").code, 2);
    assert_eq!(
        piped(&["locate", "--dot", "--pointer", "-:1:1"], "1").code,
        2
    );
}

#[test]
fn inputs_of_every_kind() {
    let folder = Folder::with(&[
        ("marked.json", b"\xEF\xBB\xBF[1,\n 2]"),
        ("broken.json", b"[1,\n 2"),
        ("lines.jsonl", b"{\"a\": 1}\r\n{\"b\": [2]}\r\n"),
        ("returns.json", b"[1,\r2,\r\r3]"),
    ]);
    for (place, path) in [
        ("marked.json:1:2", ".[0]\n"),
        ("marked.json:2:2", ".[1]\n"),
        ("lines.jsonl:2:8", ".b[0]\n"),
        ("returns.json:4:1", ".[2]\n"),
    ] {
        assert_eq!(folder.run(&["locate", place]).out, path, "{place}");
    }
    let offset = folder.run(&["locate", "--offset", "4", "marked.json"]);
    assert_eq!(offset.out, ".[0]\n");
    let ran = folder.run(&["locate", "broken.json:1:2"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    assert!(ran.err.starts_with("error["), "{}", ran.err);
    assert_eq!(folder.run(&["locate", "gone.json:1:2"]).code, 4);

    // There is no value between the values of a stream.
    assert_eq!(piped(&["locate", "-:2:1"], "[1]\n{\"a\":2} ").out, ".\n");
    assert_eq!(piped(&["locate", "--offset", "3", "-"], "[1]\n[2]").code, 1);

    // Far into a long text, at any window boundary.
    let long = format!(
        "{{\"pad\": [{}\n0],\n\"é\": [1]}}",
        "\"é\",\n".repeat(300_000)
    );
    assert_eq!(piped(&["locate", "-:300003:7"], &long).out, ".[\"é\"][0]\n");
    assert_eq!(
        piped(&["locate", "-:300002:1"], &long).out,
        ".pad[300000]\n"
    );
}

/// A pointer with U+FFFD would name another key, and JSONPath rejects the escape.
#[test]
fn a_lone_surrogate_has_a_dot_path_only() {
    let folder = Folder::with(&[("a.json", br#"{"\ud83d": 1, "\ufffd": 2}"#)]);
    let ran = folder.run(&["locate", "a.json:1:12"]);
    assert_eq!((ran.out.as_str(), ran.code), (".[\"\\ud83d\"]\n", 0));
    assert_eq!(folder.run(&["get", ran.out.trim(), "a.json"]).out, "1\n");
    for (flag, name) in [("--pointer", "JSON Pointer"), ("--jsonpath", "JSONPath")] {
        let ran = folder.run(&["locate", flag, "a.json:1:12"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1));
        assert_eq!(
            ran.err,
            format!(
                "jsonx: a.json: {name} cannot name a key with a lone surrogate; the dot path is .[\"\\ud83d\"]\n"
            )
        );
    }
}

#[test]
fn a_valid_record_counts_among_others() {
    let text = "{\"a\":1}\nINFO x\n{\"b\":[1,2]}\r\n{\"a\":1\n{\"c\":3}";
    let folder = Folder::with(&[("a.jsonl", text.as_bytes())]);
    for (at, _) in text.char_indices() {
        let place = format!("--offset={at}");
        let ran = folder.run(&["locate", "a.jsonl", &place]);
        let line = text[..at].matches('\n').count();
        let record = text.lines().nth(line).unwrap();
        let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1);
        let column = format!("--offset={column}");
        let alone = piped(&["locate", "-", &column], format!("{record}\n"));
        if alone.code == 0 {
            assert_eq!((ran.out, ran.code), (alone.out, 0), "{at}");
        } else {
            assert_ne!(ran.code, 0, "{at}");
        }
    }
}
