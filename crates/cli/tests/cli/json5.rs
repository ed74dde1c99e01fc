//! JSON5 files: their names, the commands that read them, their formatting, and the commands that do not write them.

use crate::{Folder, piped};

const CONFIG: &str =
    "// all\n{\n  presets: ['@babel/env', \"it's\\\n\"],\n  hex: 0xFF, $half: +.5,\n}\n";

const JSON: &str = "{\"presets\":[\"@babel/env\",\"it's\"],\"hex\":255,\"$half\":0.5}\n";

#[test]
fn names_options_and_configs_decide() {
    let folder = Folder::with(&[
        (".babelrc", CONFIG.as_bytes()),
        ("a.json5", CONFIG.as_bytes()),
        ("plain.json", CONFIG.as_bytes()),
    ]);
    let ran = folder.run(&["validate", "-v", ".babelrc", "a.json5"]);
    let expected = ".babelrc: valid (JSON5)\na.json5: valid (JSON5)\n";
    assert_eq!((ran.code, &*ran.err), (0, expected));
    // In a directory too.
    let ran = folder.run(&["validate", "-v", "--hidden", "-g!plain.json", "."]);
    assert_eq!((ran.code, ran.err.matches("JSON5").count()), (0, 2));
    let exit = |arguments: &[&str]| folder.run(arguments).code;
    assert_eq!(exit(&["validate", "plain.json"]), 1);
    assert_eq!(exit(&["validate", "--input=json5", "plain.json"]), 0);
    assert_eq!(
        exit(&["validate", "--input=plain.*=json5", "plain.json"]),
        0
    );
    assert_eq!(exit(&["validate", "--input=json", "a.json5"]), 1);
    assert_eq!(exit(&["validate", "--input=jsonc", "a.json5"]), 1);
    std::fs::write(folder.path("jsonx.json"), "{\"input\": \"json5\"}").unwrap();
    assert_eq!(exit(&["validate", "plain.json"]), 0);
    let ran = piped(&["get", "--input=json5", "-c", "."], CONFIG);
    assert_eq!((ran.code, &*ran.out), (0, JSON));
}

#[test]
fn mistakes_are_where_they_are_in_the_file() {
    for (text, place, code) in [
        (
            "{\n  // one\n  a: ['x']\n  b: 2,\n}",
            "3:11",
            "missing-comma",
        ),
        ("{a: 'é', b: True}", "1:13", "wrong-literal"),
        ("{a: 'é', b: 010}", "1:13", "leading-zero"),
        ("{'a': 'x\ny'}", "1:9", "newline-in-string"),
        ("{'a': 'x}", "1:9", "unterminated-string"),
        ("{'a\\1': 2}", "1:4", "bad-escape"),
        ("\u{feff}{a-b: 1}", "1:2", "unquoted-key"),
        ("{a: 1,\r\n\u{a0} b: 2,,\r\n}", "2:8", "extra-comma"),
        ("/* '\u{2028} */ [+'1']", "1:11", "bad-number"),
        ("", "1:1", "empty-input"),
        ("{a: 1} /* two */ {}", "1:18", "multiple-values"),
    ] {
        let folder = Folder::with(&[("a.json5", text.as_bytes())]);
        let ran = folder.run(&["validate", "--reporter=concise", "a.json5"]);
        let first = ran.out.lines().next().unwrap_or_default();
        let expected = format!("a.json5:{place}: error[{code}]");
        assert!(
            ran.code == 1 && first.starts_with(&expected),
            "{text:?} {first}"
        );
        let piped = piped(&["validate", "--input=json5", "--reporter=concise"], text);
        assert_eq!(piped.out.replace("<stdin>", "a.json5"), ran.out);
        for command in [&["fmt"][..], &["get", "."], &["diff", "a.json5"]] {
            let ran = folder.run(&[command, &["a.json5"]].concat());
            assert!(ran.code == 3 && ran.out.is_empty(), "{command:?} {text:?}");
        }
    }
}

#[test]
fn a_finding_is_shown_with_the_source_and_its_fix() {
    let text = "{\n  presets: ['env']\n  plugins: ['a],\n}\n";
    let folder = Folder::with(&[(".babelrc", text.as_bytes())]);
    let ran = folder.run(&["validate", ".babelrc"]);
    let expected = "\
error[missing-comma]: missing comma between members
 --> .babelrc:2:19
  |
2 |   presets: ['env']
  |                   ^ insert `,` here
3 |   plugins: ['a],
  = at: .presets

error[unterminated-string]: string is never closed
 --> .babelrc:3:15
  |
3 |   plugins: ['a],
  |             - ^ insert `'` here
";
    assert!(ran.out.starts_with(expected), "{}", ran.out);
    let ran = folder.run(&["validate", "--reporter=json", ".babelrc"]);
    assert!(
        ran.out
            .contains("\"byteOffset\":20,\"byteEnd\":20,\"text\":\",\""),
        "{}",
        ran.out
    );
    assert!(ran.out.contains(&format!("\"bytes\":{}", text.len())));
    // UTF-16 is not distinguished from JSON5.
    let wide: Vec<u8> = "{a: 1}".bytes().flat_map(|byte| [byte, 0]).collect();
    std::fs::write(folder.path("wide.json5"), wide).unwrap();
    let ran = folder.run(&["validate", "--reporter=concise", "wide.json5"]);
    assert!(
        ran.out.contains("wrong-encoding") && ran.out.lines().count() == 1,
        "{}",
        ran.out
    );
    // Warnings and rules of schemas too.
    std::fs::write(folder.path("a.json5"), "{'b': .5, a: 0, 'a': +0}").unwrap();
    std::fs::write(
        folder.path("s.json"),
        "{\"additionalProperties\": {\"maximum\": 0}}",
    )
    .unwrap();
    let ran = folder.run(&[
        "validate",
        "--schema=s.json",
        "--reporter=concise",
        "a.json5",
    ]);
    let places: Vec<&str> = ran
        .out
        .lines()
        .map(|line| line.split(": ").next().unwrap())
        .collect();
    assert_eq!(places, ["a.json5:1:7", "a.json5:1:17"], "{}", ran.out);
}

#[test]
fn values_are_found_where_they_are() {
    let folder = Folder::with(&[("a.json5", CONFIG.as_bytes())]);
    let out = |arguments: &[&str]| folder.run(arguments).out;
    assert_eq!(out(&["get", "-c", ".", "a.json5"]), JSON);
    assert_eq!(
        out(&["get", "--locate", ".$half", "a.json5"]),
        "a.json5:5:21\n"
    );
    assert_eq!(
        out(&["get", "--locate", "--with-path", "..*", "a.json5"])
            .lines()
            .last(),
        Some(".$half\ta.json5:5:21")
    );
    assert_eq!(
        out(&["get", "--locate", ".hex", "a.json5"]),
        "a.json5:5:8\n"
    );
    assert_eq!(out(&["locate", "a.json5:5:9"]), ".hex\n");
    assert_eq!(out(&["locate", "a.json5:4:1"]), ".presets[1]\n");
    assert_eq!(folder.run(&["locate", "a.json5:9:1"]).code, 1);
    std::fs::write(folder.path("b.json"), JSON.replace("255", "254")).unwrap();
    assert_eq!(
        out(&["diff", "a.json5", "b.json"]),
        "--- a.json5\n+++ b.json\n5:8 → 1:40  .hex  255 → 254\n"
    );
    let ran = folder.run(&["get", ".a.b", "a.json5"]);
    assert!(ran.err.contains("(a.json5:2:1)"), "{}", ran.err);
}

#[test]
fn formatting_changes_white_space_only() {
    let text = "\u{feff}/* a */{\u{a0}a:'it\\'s',\r\n\r\n\r\n\"b\":[+.5,0xF,],// c\r\n}";
    let lines = "/* a */ {\r\n  a: 'it\\'s',\r\n\r\n  \"b\": [\r\n    +.5,\r\n    0xF,\r\n  ], // c\r\n}\r\n";
    let folder = Folder::with(&[("a.json5", text.as_bytes())]);
    assert_eq!(folder.run(&["fmt", "a.json5"]).out, lines);
    assert_eq!(piped(&["fmt", "--stdin-filename=a.json5"], text).out, lines);
    assert_eq!(folder.run(&["fmt", "--check", "a.json5"]).code, 1);
    let diff = folder.run(&["fmt", "--diff", "a.json5"]);
    assert!(
        diff.code == 1 && diff.out.contains("\n+  a: 'it\\'s',"),
        "{}",
        diff.out
    );
    assert_eq!(folder.run(&["fmt", "--write", "a.json5"]).code, 0);
    assert_eq!(
        std::fs::read_to_string(folder.path("a.json5")).unwrap(),
        format!("\u{feff}{lines}")
    );
    for check in ["--check", "--diff", "--write"] {
        let ran = folder.run(&["fmt", check, "a.json5"]);
        assert_eq!((ran.code, &*ran.out), (0, ""), "{check}");
    }
    let one_line =
        |text: &str, more: &[&str]| piped(&[&["fmt", "--input=json5"], more].concat(), text).out;
    assert_eq!(
        one_line("{ab:'x',c:[1]}", &["--width=20"]),
        "{ab: 'x', c: [1]}\n"
    );
    assert_eq!(
        one_line("{ab:'x',c:[1,NaN]}", &["--style=prettier"]),
        "{ ab: 'x', c: [1, NaN] }\n"
    );
    assert_eq!(one_line("{a:'x'} // b", &["--compact"]), "{\"a\":\"x\"}\n");
    assert_eq!(one_line("[.5]", &["--to=json"]), "[\n  0.5\n]\n");
}

/// A command, and its changes of the text.
type Case<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)]);

/// Every operation of every editing command.
#[test]
fn edits_keep_the_spelling() {
    let text = "// all\n{\n  extends: ['a', \"it's\"], // b\n  'a-b': {x: 0xFF, \"y\": +.5},\n  nan: NaN,\n}\n";
    let no_nan = ("  nan: NaN,\n", "");
    let cases: &[Case<'_>] = &[
        (&["set", ".nan", "1"], &[("NaN", "1")]),
        (&["set", ".nan", "-s", "x"], &[("NaN", "'x'")]),
        (&["set", ".['a-b'].x", "255"], &[]),
        (&["set", ".['a-b'].x", "254"], &[("0xFF", "254")]),
        (&["set", "..y", "[\"q\"]"], &[("+.5", "['q']")]),
        (
            &["set", ".new", "{\"c-d\":[null]}"],
            &[("NaN,", "NaN,\n  new: {\"c-d\": [null]},")],
        ),
        (&["append", ".extends", "c"], &[("it's\"", "it's\", 'c'")]),
        (&["append", "--unique", ".extends", "it's"], &[]),
        (&["del", ".extends[0]"], &[("'a', ", "")]),
        (
            &["del", ".nan", ".extends[1]"],
            &[no_nan, (", \"it's\"", "")],
        ),
        (
            &[
                "patch",
                "[{\"op\":\"move\",\"from\":\"/nan\",\"path\":\"/c\"}]",
            ],
            &[("nan", "c")],
        ),
        (
            &[
                "patch",
                "[{\"op\":\"copy\",\"from\":\"/nan\",\"path\":\"/a-b/z\"}]",
            ],
            &[("+.5", "+.5, \"z\": NaN")],
        ),
        (
            &[
                "patch",
                "[{\"op\":\"copy\",\"from\":\"/a-b\",\"path\":\"/z\"}]",
            ],
            &[("NaN,", "NaN,\n  z: {x: 0xFF, \"y\": +.5},")],
        ),
        (
            &[
                "patch",
                "[{\"op\":\"add\",\"path\":\"/extends/0\",\"value\":\"z\"}]",
            ],
            &[("'a'", "'z', 'a'")],
        ),
        (
            &[
                "patch",
                "[{\"op\":\"move\",\"from\":\"/nan\",\"path\":\"/extends/0\"}]",
            ],
            &[no_nan, ("['a'", "[NaN, 'a'")],
        ),
        (
            &["patch", "--merge", "{\"k\":{\"l\":0.5}}"],
            &[("NaN,", "NaN,\n  k: {\"l\": 0.5},")],
        ),
    ];
    for (command, changes) in cases {
        let folder = Folder::with(&[("a.json5", text.as_bytes())]);
        let ran = folder.run(&[command, &["a.json5", "-w"][..]].concat());
        assert_eq!((ran.code, &*ran.out), (0, ""), "{command:?} {}", ran.err);
        let changes = changes.iter();
        let expected = changes.fold(text.to_owned(), |text, (old, new)| {
            text.replacen(old, new, 1)
        });
        let found = std::fs::read_to_string(folder.path("a.json5")).unwrap();
        assert_eq!(found, expected, "{command:?}");
    }
    let folder = Folder::with(&[("a.json5", text.as_bytes())]);
    for (command, message) in [
        (
            &["set", ".nan", "x"][..],
            ".nan is a number, and \"x\" reads as a string (a.json5:5:8)",
        ),
        (
            &["patch", "[{\"op\":\"test\",\"path\":\"/nan\",\"value\":1}]"],
            "NaN",
        ),
        (
            &["del", ".nam"],
            "no match for .nam: the document has no key `nam` (a.json5:2:1)",
        ),
        (
            &["patch", "[{\"op\":\"remove\",\"path\":\"/a-b/z\"}]"],
            "a.json5:4:10: ",
        ),
    ] {
        let ran = folder.run(&[command, &["a.json5", "-w"]].concat());
        assert!(ran.code > 0 && ran.err.contains(message), "{}", ran.err);
    }
}

#[test]
fn unwritten_files_are_unchanged() {
    let folder = Folder::with(&[("a.json5", CONFIG.as_bytes())]);
    for command in [
        &["fmt", "--write", "--compact", "a.json5"][..],
        &["jq", "--write", ".hex = 1", "a.json5"],
        &["fmt", "--write", "--sort-keys", "a.json5"],
        &["fmt", "--ascii", "a.json5"],
        &["fmt", "--unescape", "a.json5"],
    ] {
        let ran = folder.run(command);
        assert_eq!((ran.code, &*ran.out), (2, ""), "{command:?}");
        assert!(
            ran.err.contains("JSON5") && ran.err.contains("`jsonx fix a.json5`"),
            "{}",
            ran.err
        );
    }
    // Without JSON5 syntax, all of these work.
    let plain = "{\n  // b\n  \"b\": 1,\n  \"a\": 2\n}\n";
    for (command, expected) in [
        (&["set", ".a", "3"][..], plain.replace('2', "3")),
        (
            &["fmt", "--sort-keys"],
            "{\n  \"a\": 2,\n  // b\n  \"b\": 1\n}\n".to_owned(),
        ),
        (&["fmt", "--compact"], "{\"b\":1,\"a\":2}\n".to_owned()),
        (&["fix"], plain.to_owned()),
    ] {
        std::fs::write(folder.path(".babelrc"), plain).unwrap();
        let ran = folder.run(&[command, &["--write", ".babelrc"]].concat());
        assert_eq!(ran.code, 0, "{command:?} {}", ran.err);
        let written = std::fs::read_to_string(folder.path(".babelrc")).unwrap();
        assert_eq!(written, expected, "{command:?}");
    }
    std::fs::write(folder.path(".babelrc"), plain.replace("1,", "1")).unwrap();
    assert_eq!(folder.run(&["fix", "--write", ".babelrc"]).code, 0);
    assert_eq!(
        std::fs::read_to_string(folder.path(".babelrc")).unwrap(),
        plain
    );
    // A patch may be in JSON5.
    std::fs::write(folder.path("patch.json5"), "[{op: 'remove', path: '/a'}]").unwrap();
    std::fs::write(folder.path("b.json"), "{\"a\": 1}").unwrap();
    assert_eq!(folder.run(&["patch", "patch.json5", "b.json"]).out, "{}");
    let unchanged = std::fs::read_to_string(folder.path("a.json5")).unwrap();
    assert_eq!(unchanged, CONFIG);
}

#[test]
fn fixing_makes_json() {
    let folder = Folder::with(&[
        ("a.json5", CONFIG.as_bytes()),
        ("b.json5", b"{a: 'x' b: True}"),
        ("c.json5", b"{a: 1, b: [-Infinity]}"),
    ]);
    let ran = folder.run(&["fix", "-q", "a.json5"]);
    assert_eq!(piped(&["fmt", "-c"], &ran.out).out, JSON);
    let ran = folder.run(&["fix", "b.json5"]);
    assert_eq!((ran.code, &*ran.out), (0, "{\"a\": \"x\", \"b\": true}"));
    let ran = folder.run(&["fix", "-v", "b.json5"]);
    assert!(
        ran.err
            .contains("b.json5:1:12: fixed, `True` is now `true`"),
        "{}",
        ran.err
    );
    // Valid files are not changed in place.
    for file in ["a.json5", "b.json5"] {
        let text = std::fs::read(folder.path(file)).unwrap();
        let ran = folder.run(&["fix", "--write", file]);
        assert_eq!(
            ran.err.contains("not repaired in place"),
            file == "b.json5",
            "{}",
            ran.err
        );
        assert_eq!(std::fs::read(folder.path(file)).unwrap(), text);
    }
    // JSON cannot represent these.
    for command in [
        &["get", ".b", "c.json5"][..],
        &["fmt", "-c", "c.json5"],
        &["diff", "c.json5", "c.json5"],
        &["fmt", "--to", "msgpack", "c.json5"],
    ] {
        let ran = folder.run(command);
        assert_eq!((ran.code, &*ran.out), (3, ""), "{command:?}");
        let expected = "jsonx: c.json5:1:12: JSON has no `-Infinity`";
        assert!(ran.err.contains(expected), "{command:?} {}", ran.err);
    }
    for options in ["-s", "-n"] {
        let ran = folder.run(&["jq", options, "[inputs]", "c.json5"]);
        assert_eq!((ran.code, &*ran.out), (5, ""), "{}", ran.err);
    }
    assert_eq!(folder.run(&["get", ".a", "c.json5"]).out, "1\n");
    assert_eq!(folder.run(&["get", "--count", ".b", "c.json5"]).out, "1\n");
    let ran = folder.run(&["fix", "c.json5"]);
    assert!(
        ran.code == 1 && ran.err.contains("c.json5:1:12"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("JSON has no `-Infinity`"), "{}", ran.err);
    let ran = folder.run(&["fix", "--all", "c.json5"]);
    assert_eq!(ran.out, "{\"a\": 1, \"b\": [null]}");
}

#[test]
fn a_file_that_is_too_large_is_named() {
    let folder = Folder::with(&[("a.json5", b"[]")]);
    let file = std::fs::File::options()
        .append(true)
        .open(folder.path("a.json5"))
        .unwrap();
    file.set_len((16 << 20) + 1).unwrap();
    for command in [
        &["validate"][..],
        &["fmt", "--write"],
        &["get", "."],
        &["fix"],
    ] {
        let ran = folder.run(&[command, &["a.json5"]].concat());
        let expected = "jsonx: a.json5: too large: JSON5 is read up to 16 MB\n";
        assert_eq!((ran.code, &*ran.err), (4, expected), "{command:?}");
    }
}

/// JSON Lines hold JSON.
#[test]
fn json5_is_one_value() {
    let folder = Folder::with(&[("a.jsonl", b"{a: 1}\n{a: 2}\n")]);
    let ran = folder.run(&["get", ".a", "--input=json5", "a.jsonl"]);
    assert_eq!((&*ran.out, ran.code), ("", 3), "{}", ran.err);
    assert!(ran.err.contains("a.jsonl:2:1"), "{}", ran.err);
    // One value, also if it spans lines.
    let ran = piped(&["get", "--input=json5", "-c", "."], "{a:\n1}\n");
    assert_eq!((ran.code, &*ran.out), (0, "{\"a\":1}\n"));
}
