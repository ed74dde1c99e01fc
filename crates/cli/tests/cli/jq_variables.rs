//! Variables of programs, of `jsonx jq`.

use crate::Folder;

/// The files of variables are read as inputs are.
#[test]
fn files_of_variables_are_inputs() {
    let folder = Folder::with(&[
        ("mark.json", b"\xef\xbb\xbf[1]"),
        ("two.json", b"1 {}\n"),
        ("c.jsonc", b"{ // c\n\"a\": 1,}"),
        ("x.json5", b"{a: 1}"),
        ("l.jsonl", b"1\n2\n"),
        ("empty.json", b""),
        // `gzip -n` of `3`.
        (
            "z.json.gz",
            b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x33\x06\0\x9b\x8e\xd2\x6d\x01\0\0\0",
        ),
        ("bad.json", b"[1,\n2 3]"),
        ("infinite.json5", b"[Infinity]"),
    ]);
    for (option, file, out) in [
        ("--slurpfile", "mark.json", "[[1]]\n"),
        ("--slurpfile", "two.json", "[1,{}]\n"),
        ("--slurpfile", "c.jsonc", "[{\"a\":1}]\n"),
        ("--slurpfile", "x.json5", "[{\"a\":1}]\n"),
        ("--slurpfile", "l.jsonl", "[1,2]\n"),
        ("--slurpfile", "empty.json", "[]\n"),
        ("--slurpfile", "z.json.gz", "[3]\n"),
        ("--rawfile", "z.json.gz", "\"3\"\n"),
        ("--rawfile", "two.json", "\"1 {}\\n\"\n"),
    ] {
        let ran = folder.run(&["jq", "-nc", option, "x", file, "$x"]);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, 0),
            "{file}: {}",
            ran.err
        );
    }
    for (option, file, place) in [
        ("--slurpfile", "bad.json", "bad.json:2:"),
        ("--slurpfile", "infinite.json5", "infinite.json5:1:2"),
        ("--slurpfile", "missing.json", "missing.json: "),
        ("--rawfile", "missing.json", "missing.json: "),
        ("--rawfile", ".", "directory"),
    ] {
        let ran = folder.run(&["jq", "-n", option, "x", file, "$x"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{file}");
        assert!(ran.err.contains(place), "{file}: {}", ran.err);
    }
}
