//! `jq -s .`: all values as one array, in constant memory and as they are written, and the reverse.

use crate::{Folder, headlines, piped, samples};

const LOG: &str = "{\"a\": 1}\n{\"a\": 2\n\n{\"a\": [3, \"\\n\"]}\n{\"a\": ";

#[test]
fn values_of_streams_become_one_array() {
    let stream = "{\"a\": 1} [2]\n\n 3\n\"\\n\"";
    let array = "[{\"a\":1},[2],3,\"\\n\"]\n";
    let folder = Folder::with(&[
        ("stream.json", stream.as_bytes()),
        ("one.json", b"\xEF\xBB\xBF[1]"),
        ("lines.jsonl", b"{}\n{\"b\": 1}\n"),
        ("lines.log", b"{}\n{\"b\": 1}\n"),
        ("comments.jsonc", b"[1, // one\n]"),
        ("empty.jsonl", b""),
    ]);
    for (options, files, out) in [
        (&["-cs"][..], &["stream.json"][..], array),
        (&["-cs"], &["one.json"], "[[1]]\n"),
        (&["-cs"], &["lines.jsonl"], "[{},{\"b\":1}]\n"),
        (&["-cs"], &["lines.log"], "[{},{\"b\":1}]\n"),
        (&["-cs"], &["comments.jsonc"], "[[1]]\n"),
        (&["-cs"], &["empty.jsonl"], "[]\n"),
        (&["-s"], &["one.json"], "[\n  [\n    1\n  ]\n]\n"),
        (&["-s", "--tab"], &["one.json"], "[\n\t[\n\t\t1\n\t]\n]\n"),
        (
            &["-sr", "--seq"],
            &["one.json"],
            "\x1e[\n  [\n    1\n  ]\n]\n",
        ),
        (&["-sj"], &["empty.jsonl"], "[]"),
        (
            &["-cs"],
            &["one.json", "empty.jsonl", "stream.json"],
            "[[1],{\"a\":1},[2],3,\"\\n\"]\n",
        ),
    ] {
        let ran = folder.run(&[&["jq", "-e", "."], options, files].concat());
        assert_eq!(
            (&*ran.out, ran.code),
            (out, 0),
            "{options:?} {files:?}: {}",
            ran.err
        );
        // A program that takes the array itself prints the same.
        let other = folder.run(&[&["jq", ".[0:]"], options, files].concat());
        assert_eq!(other.out, ran.out);
    }
    assert_eq!(piped(&["jq", "-sc", "."], stream).out, array);
    assert_eq!(piped(&["jq", "-s", "."], "").out, "[]\n");
}

#[test]
fn values_are_copied_as_they_are_written() {
    let stream = "{\"a\":\"\\u00e9\\/\",\"a\":1.50}\n\"\\ud83d\"\n{\"b\":1E400,\"\\u0061\":-0}\n";
    let array = "[{\"a\":\"\\u00e9\\/\",\"a\":1.50},\"\\ud83d\",{\"b\":1E400,\"\\u0061\":-0}]\n";
    let folder = Folder::with(&[("a.json", stream.as_bytes())]);
    assert_eq!(folder.run(&["jq", "-cs", ".", "a.json"]).out, array);
    assert_eq!(piped(&["jq", "-cs", "."], stream).out, array);
    // Options that change the text do so.
    let twice = "{\"b\":1,\"a\":2,\"b\":\"\\/\"}";
    let sorted = piped(&["jq", "-csS", "."], twice).out;
    assert_eq!(sorted, "[{\"a\":2,\"b\":\"/\"}]\n");
    // An array is not false.
    assert_eq!(piped(&["jq", "-cse", "."], "true null").code, 0);
    assert_eq!(piped(&["jq", "-csa", "."], "\"é\"").out, "[\"\\u00e9\"]\n");
    let colored = piped(&["jq", "-csC", "."], "1 2").out;
    assert!(colored.contains("\x1b["), "{colored}");
}

#[test]
fn one_is_the_reverse_of_the_other() {
    for sample in samples() {
        let text = std::fs::read(&sample).unwrap();
        let stream = [&text[..], b"\n", &text, b"0"].concat();
        let array = piped(&["jq", "-s", "."], &stream);
        assert_eq!(array.code, 0, "{}: {}", sample.display(), array.err);
        // The array is formatted like any other.
        assert_eq!(piped(&["fmt"], &array.out).out, array.out);
        let back = piped(&["get", "-c", ".[]"], &array.out);
        assert_eq!(back.out, piped(&["fmt", "-c", "--eol", "lf"], &stream).out);
    }
}

/// Batches of several threads and results that wait in a file are in order.
#[test]
fn many_values_are_in_order() {
    let records = (0..400_000).map(|n| format!("{{\"n\": {n}, \"text\": \"some text\"}}\n"));
    let stream: String = records.collect();
    let folder = Folder::with(&[("many.jsonl", stream.as_bytes())]);
    let array = folder.run(&["jq", "-cs", ".", "many.jsonl"]);
    assert_eq!(array.out, piped(&["jq", "-cs", "."], &stream).out);
    let length = piped(
        &["jq", "-c", "[length, .[399999].n, (map(.n) | . == sort)]"],
        &array.out,
    );
    assert_eq!(length.out, "[400000,399999,true]\n");
}

/// As in jq, nothing is printed if an input is invalid.
#[test]
fn nothing_is_printed_for_invalid_input() {
    let folder = Folder::with(&[
        ("app.jsonl", LOG.as_bytes()),
        ("broken.json", b"{\"a\": 1} {"),
        ("good.json", b"0"),
    ]);
    for args in [
        &["app.jsonl"][..],
        &["broken.json"],
        &["good.json", "broken.json"],
    ] {
        let ran = folder.run(&[&["jq", "-cs", "."], args].concat());
        assert_eq!((&*ran.out, ran.code), ("", 5), "{}", ran.err);
        assert!(!headlines(&ran.err).is_empty(), "{}", ran.err);
    }
    assert_eq!(piped(&["jq", "-cs", "."], LOG).out, "");
    let ran = folder.run(&["jq", "-cs", "--skip-invalid", ".", "app.jsonl"]);
    assert_eq!(
        (&*ran.out, ran.code),
        ("[{\"a\":1},{\"a\":[3,\"\\n\"]}]\n", 0)
    );
    let ran = folder.run(&["jq", "-cs", ".", "missing.json", "good.json"]);
    assert_eq!((&*ran.out, ran.code), ("[0]\n", 2), "{}", ran.err);
}
