//! `fmt --slurp`: values of streams as one array, and the reverse.

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
    for (args, out) in [
        (&["-sc", "stream.json"][..], array),
        (&["-sc", "one.json"], "[[1]]\n"),
        (&["-sc", "lines.jsonl"], "[{},{\"b\":1}]\n"),
        (&["-sc", "lines.log"], "[{},{\"b\":1}]\n"),
        (&["-sc", "comments.jsonc"], "[[1]]\n"),
        (&["-sc", "empty.jsonl"], "[]\n"),
        (&["-s", "one.json"], "[\n  [\n    1\n  ]\n]\n"),
        (
            &[
                "-s",
                "--width",
                "60",
                "one.json",
                "empty.jsonl",
                "stream.json",
                "lines.jsonl",
            ],
            "[[1], {\"a\": 1}, [2], 3, \"\\n\", {}, {\"b\": 1}]\n",
        ),
    ] {
        let ran = folder.run(&[&["fmt"], args].concat());
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, 0),
            "{args:?}: {}",
            ran.err
        );
    }
    assert_eq!(piped(&["fmt", "--slurp", "-c"], stream).out, array);
    assert_eq!(piped(&["fmt", "--slurp"], "").out, "[]\n");
}

#[test]
fn one_is_the_reverse_of_the_other() {
    for sample in samples() {
        let text = std::fs::read(&sample).unwrap();
        let stream = [&text[..], b"\n", &text, b"0"].concat();
        let array = piped(&["fmt", "--slurp"], &stream);
        assert_eq!(array.code, 0, "{}: {}", sample.display(), array.err);
        // The array is formatted like any other.
        assert_eq!(piped(&["fmt"], &array.out).out, array.out);
        let back = piped(&["get", "-c", ".[]"], &array.out);
        assert_eq!(back.out, piped(&["fmt", "-c", "--eol", "lf"], &stream).out);
    }
}

#[test]
fn broken_records_are_reported_and_skipped() {
    let folder = Folder::with(&[
        ("app.jsonl", LOG.as_bytes()),
        ("broken.json", b"{\"a\": 1} {"),
        ("good.json", b"0"),
    ]);
    let array = "[{\"a\":1},{\"a\":[3,\"\\n\"]}]\n";
    let ran = folder.run(&["fmt", "-sc", "app.jsonl"]);
    assert_eq!((ran.out.as_str(), ran.code), (array, 3));
    assert_eq!(headlines(&ran.err).len(), 2, "{}", ran.err);
    let ran = folder.run(&["fmt", "-sc", "--skip-invalid", "app.jsonl"]);
    assert_eq!((ran.out.as_str(), ran.code), (array, 0));
    let ran = piped(&["fmt", "-sc"], LOG);
    assert_eq!((ran.out.as_str(), ran.code), (array, 3));
    // Nothing is printed for an invalid file.
    let ran = folder.run(&["fmt", "-sc", "broken.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    let ran = folder.run(&["fmt", "-sc", "broken.json", "good.json", "missing.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("[0]\n", 4));
    // A truncated pipe leaves its array open.
    let long = "x".repeat(300);
    let ran = piped(&["fmt", "-sc"], format!("{{\"a\":\n \"{long}\"}} {{\"b\":"));
    let began = format!("[{{\"a\":\"{}", &long[..200]);
    assert!(
        ran.out.starts_with(&began) && !ran.out.contains(']'),
        "{}",
        ran.out
    );
    assert_eq!(ran.code, 3);
}

/// Every input is printed or mentioned, wherever a broken one comes, from a pipe or a file.
#[test]
fn inputs_after_a_broken_one_are_not_forgotten() {
    let folder = Folder::with(&[("good.json", b"[\"good\", [2]]")]);
    for (broken, args, is_added) in [
        ("[1", ["-", "good.json"], false),
        ("oops", ["-", "good.json"], true),
        ("[1", ["good.json", "-"], true),
    ] {
        let mut command = crate::jsonx(&["fmt", "--slurp", "-c"]);
        command.current_dir(folder.path("")).args(args);
        let ran = crate::run(command.write_stdin(broken));
        assert_eq!(ran.code, 3, "{}", ran.err);
        assert_eq!(ran.out.contains("good"), is_added, "{}", ran.out);
        assert_eq!(
            ran.err.contains("good.json: not added"),
            !is_added,
            "{}",
            ran.err
        );
    }
}
