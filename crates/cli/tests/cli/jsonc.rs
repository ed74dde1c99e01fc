//! Files with comments: their names, the commands that read them, and their formatting.

use crate::{Folder, piped};

const SETTINGS: &str =
    "{\n  // one\n  \"a\": {\"b\": [1, 2,]}, /* two */\n\n\n  \"c\": \"//\",\n}\n";

#[test]
fn comments_stay_with_values_that_move_or_change() {
    let text = "{ // all\n  // b\n  \"b\": [1, 2], // of b\n  \"a\": \"é\" /* é */\n}\n";
    let sorted =
        "{ // all\n  \"a\": \"é\", /* é */\n  // b\n  \"b\": [\n    1,\n    2\n  ] // of b\n}\n";
    let fitted = "{ // all\n  // b\n  \"b\": [1, 2], // of b\n  \"a\": \"\\u00e9\" /* é */\n}\n";
    let both = "{ // all\n  \"a\": \"é\", /* é */\n  // b\n  \"b\": [1, 2] // of b\n}\n";
    for (options, expected) in [
        (&["--sort-keys"][..], sorted),
        (&["--width=40", "--ascii"], fitted),
        (&["--sort-keys", "--width=40"], both),
    ] {
        let folder = Folder::with(&[("a.jsonc", text.as_bytes())]);
        let run = |more: &[&str]| folder.run(&[&["fmt"], options, more].concat());
        assert_eq!(run(&["a.jsonc"]).out, expected, "{options:?}");
        let stdin = [&["fmt", "--input=jsonc"], options].concat();
        assert_eq!(piped(&stdin, text.as_bytes()).out, expected, "{options:?}");
        assert_eq!(run(&["--check", "a.jsonc"]).code, 1, "{options:?}");
        assert_eq!(run(&["--write", "a.jsonc"]).code, 0, "{options:?}");
        let written = std::fs::read_to_string(folder.path("a.jsonc")).unwrap();
        assert_eq!(written, expected, "{options:?}");
        assert_eq!(run(&["--check", "a.jsonc"]).code, 0, "{options:?}");
        // Invalid text prints nothing, and plain JSON has no comments.
        std::fs::write(folder.path("b.jsonc"), "{\"b\": 1, /* */ \"a\" 2}").unwrap();
        let ran = run(&["b.jsonc"]);
        assert_eq!((ran.code, &*ran.out), (3, ""), "{options:?}");
        let ran = run(&["--to=json", "a.jsonc"]);
        assert!(ran.code == 0 && !ran.out.contains('/'), "{}", ran.out);
    }
}

#[test]
fn names_and_options_decide() {
    let folder = Folder::with(&[
        ("tsconfig.json", SETTINGS.as_bytes()),
        ("plain.json", SETTINGS.as_bytes()),
        ("turbo.json", b"[1] // one\n"),
    ]);
    std::fs::create_dir(folder.path("conf")).unwrap();
    std::fs::write(folder.path("conf/a.json"), SETTINGS).unwrap();
    let exit = |arguments: &[&str]| folder.run(arguments).code;
    assert_eq!(exit(&["validate", "tsconfig.json", "turbo.json"]), 0);
    assert_eq!(exit(&["validate", "plain.json"]), 1);
    assert_eq!(exit(&["validate", "--input", "jsonc", "plain.json"]), 0);
    assert_eq!(exit(&["validate", "--input", "json", "tsconfig.json"]), 1);
    assert_eq!(
        exit(&["validate", "--input", "conf/*.json=jsonc", "conf"]),
        0
    );
    let both = [
        "validate",
        "--input",
        "json",
        "--input",
        "conf/*=jsonc",
        "conf",
        "turbo.json",
    ];
    assert_eq!(exit(&both), 1);
    // No trailing commas there.
    std::fs::write(folder.path("turbo.json"), SETTINGS).unwrap();
    let ran = folder.run(&[
        "validate",
        "-v",
        "--reporter",
        "concise",
        "turbo.json",
        "tsconfig.json",
    ]);
    assert!(
        ran.out.lines().all(|line| line.contains("trailing-comma")),
        "{}",
        ran.out
    );
    assert!(
        ran.err.contains("turbo.json: invalid (JSON with comments)"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("tsconfig.json: valid (JSONC)"),
        "{}",
        ran.err
    );
    // The error in a strict file names the files that may have comments.
    let ran = folder.run(&["validate", "plain.json"]);
    assert!(ran.out.contains("--input jsonc"), "{}", ran.out);
    assert_eq!(exit(&["validate", "--input", "json6", "plain.json"]), 2);
    assert_eq!(exit(&["validate", "--input", "=jsonc", "plain.json"]), 2);
}

#[test]
fn values_are_found_where_they_are() {
    let folder = Folder::with(&[("a.jsonc", SETTINGS.as_bytes())]);
    assert_eq!(
        folder.run(&["get", "-c", ".a", "a.jsonc"]).out,
        "{\"b\":[1,2]}\n"
    );
    assert_eq!(
        folder.run(&["get", "--locate", ".c", "a.jsonc"]).out,
        "a.jsonc:6:8\n"
    );
    assert_eq!(folder.run(&["locate", "a.jsonc:3:18"]).out, ".a.b[1]\n");
    let piped = piped(&["get", "--input", "jsonc", ".c"], SETTINGS);
    assert_eq!(piped.out, "\"//\"\n");
}

#[test]
fn formatting_keeps_comments() {
    let folder = Folder::with(&[("a.jsonc", SETTINGS.as_bytes())]);
    let formatted = "{\n  // one\n  \"a\": {\n    \"b\": [\n      1,\n      2,\n    ]\n  }, /* two */\n\n  \"c\": \"//\",\n}\n";
    assert_eq!(folder.run(&["fmt", "a.jsonc"]).out, formatted);
    assert_eq!(folder.run(&["fmt", "--check", "a.jsonc"]).code, 1);
    assert_eq!(folder.run(&["fmt", "--write", "a.jsonc"]).code, 0);
    assert_eq!(
        std::fs::read_to_string(folder.path("a.jsonc")).unwrap(),
        formatted
    );
    assert_eq!(folder.run(&["fmt", "--check", "a.jsonc"]).code, 0);
    let plain = "{\"a\":{\"b\":[1,2]},\"c\":\"//\"}\n";
    assert_eq!(folder.run(&["fmt", "-c", "a.jsonc"]).out, plain);
    let ran = folder.run(&["fmt", "--to", "json", "--trailing-commas", "all", "a.jsonc"]);
    assert!(
        !ran.out.contains("one") && !ran.out.contains(",\n}"),
        "{}",
        ran.out
    );
    // Spaces that replace a comment are not indentation.
    std::fs::write(folder.path("a.jsonc"), "[\n/**/1\n]\n").unwrap();
    assert_eq!(
        folder
            .run(&["fmt", "--check", "--to=json", "--indent=4", "a.jsonc"])
            .code,
        1
    );
}

#[test]
fn faulty_comments_have_codes() {
    let folder = Folder::with(&[]);
    for (text, finding) in [
        (
            "[1, /* never\n 2]\n",
            "a.jsonc:1:5: error[unclosed-comment]",
        ),
        ("[1] */\n", "a.jsonc:1:5: error[unopened-comment]"),
        ("[\n  / one\n  1]\n", "a.jsonc:2:3: error[stray-slash]"),
        ("[1, /x]\n", "a.jsonc:1:5: error[stray-slash]"),
        ("[1 # one\n]\n", "a.jsonc:1:4: error[comment]"),
        ("[1,,]\n", "a.jsonc:1:4: error[extra-comma]"),
        ("[1 // one\n 2]\n", "a.jsonc:1:3: error[missing-comma]"),
    ] {
        std::fs::write(folder.path("a.jsonc"), text).unwrap();
        let ran = folder.run(&["validate", "--reporter", "concise", "a.jsonc"]);
        let first = ran.out.lines().next().unwrap_or_default();
        assert!(first.starts_with(finding), "{text:?}: {}", ran.out);
    }
}

#[test]
fn the_dialect_of_a_file_is_printed_only_on_request() {
    let folder = Folder::with(&[("a.jsonc", b"[ 1 ] // one\n")]);
    let ran = folder.run(&["fmt", "-w", "a.jsonc"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    std::fs::write(folder.path("a.jsonc"), "[ 1 ] // one\n").unwrap();
    let ran = folder.run(&["fmt", "-w", "-v", "a.jsonc"]);
    assert!(
        ran.err.contains("a.jsonc: rewritten (JSONC)\n"),
        "{}",
        ran.err
    );
}

/// The formatters of JSONC differ here; the guide lists the differences from jsonc-parser.
#[test]
fn comments_around_commas_and_in_empty_containers_have_one_layout() {
    for (text, expected) in [
        // As in jsonc-parser.
        ("{\"k\":{}// c  \n}", "{\n  \"k\": {} // c  \n}\n"),
        ("[ // c\n]", "[ // c\n]\n"),
        (
            "{\"k\": /* c */ [0]}",
            "{\n  \"k\": /* c */ [\n    0\n  ]\n}\n",
        ),
        (
            "[{\n      /* c */\n\"k\" : 1}]",
            "[\n  {\n    /* c */\n    \"k\": 1\n  }\n]\n",
        ),
        ("{\"k\"\n// c\n: 1}", "{\n  \"k\"\n  // c\n  : 1\n}\n"),
        ("[0,\n/* c */ 1]", "[\n  0,\n  /* c */ 1\n]\n"),
        // Blank lines stay, one at a time.
        ("[0,\n\n\n1]", "[\n  0,\n\n  1\n]\n"),
        ("[0,\n\n// c\n\n1]", "[\n  0,\n\n  // c\n\n  1\n]\n"),
        // A comma is next to its value.
        ("[0 /* c */, 1]", "[\n  0, /* c */\n  1\n]\n"),
        ("[0 /* c */\n,\n1]", "[\n  0, /* c */\n  1\n]\n"),
        ("[[0] // c\n,\n1]", "[\n  [\n    0\n  ], // c\n  1\n]\n"),
        // A container with a comment is not empty.
        ("{/* c */}", "{\n  /* c */\n}\n"),
        // A comment before a value on the same line belongs to it.
        ("[0, /* c */ 1]", "[\n  0,\n  /* c */ 1\n]\n"),
    ] {
        let ran = crate::piped(&["fmt", "--input", "jsonc", "--indent", "2"], text);
        assert_eq!(
            (&*ran.out, ran.code),
            (expected, 0),
            "{text:?}: {}",
            ran.err
        );
        let again = crate::piped(&["fmt", "--input", "jsonc", "--indent", "2"], expected);
        assert_eq!(again.out, expected, "{text:?}");
    }
}

/// Names of files whose tools take a text without a value for this one; for the others it is an error.
const EMPTY: [(&str, Option<&str>); 12] = [
    ("tsconfig.json", Some("{}")),
    ("a/tsconfig.build.json", Some("{}")),
    ("jsconfig.json", Some("{}")),
    (".vscode/settings.json", Some("{}")),
    (".vscode/launch.json", Some("{}")),
    (".vscode/tasks.json", Some("{}")),
    (".vscode/extensions.json", Some("{}")),
    ("Code - OSS/User/settings.json", Some("{}")),
    ("Code/User/keybindings.json", Some("[]")),
    ("a.code-workspace", None),
    (".vscode/other.json", None),
    ("settings.json", None),
];

#[test]
fn text_without_a_value_is_one_where_the_tool_says_so() {
    for text in [
        "",
        " ",
        "\r\n\t\n",
        "// a",
        "// a\r\n/* b\r\n*/\r\n",
        "/**/ //\n\n",
        "\u{feff}",
        "\u{feff}// {\n",
    ] {
        let files = EMPTY.map(|(name, _)| (name, text.as_bytes()));
        let folder = Folder::with(&files);
        for (name, value) in EMPTY {
            let run = |args: &[&str]| folder.run(&[args, &[name]].concat());
            let Some(value) = value else {
                assert_eq!(run(&["validate"]).code, 1, "{name}: {text:?}");
                assert_eq!(run(&["fmt", "--check"]).code, 3, "{name}: {text:?}");
                assert_eq!(run(&["set", "-p", ".a.b", "1"]).code, 3, "{name}: {text:?}");
                continue;
            };
            let plain = text.trim_start_matches('\u{feff}');
            let line = format!("{value}\n");
            assert_eq!(run(&["validate"]).code, 0, "{name}: {text:?}");
            assert_eq!(run(&["get", "."]).out, line, "{name}: {text:?}");
            assert_eq!(run(&["jq", "."]).out, line, "{name}: {text:?}");
            assert_eq!(run(&["fmt"]).out, plain, "{name}: {text:?}");
            assert_eq!(
                run(&["fmt", "--to=json"]).out.trim_end(),
                value,
                "{name}: {text:?}"
            );
            let checked = run(&["fmt", "--check"]).code;
            assert_eq!(checked, 0, "{name}: {text:?}");
            assert_eq!(run(&["validate", "--input=json"]).code, 1, "{name}");
            let named = jsonx_named(plain, name);
            assert_eq!((named.code, &*named.out), (0, plain), "{name}: {text:?}");
            // Edits need a value.
            for (edit, code) in [
                (&["set", ".a", "1", "--write"][..], 3),
                (&["append", ".", "1", "--diff"], 3),
                (&["del", ".a", "--missing-ok", "--write"], 3),
                (&["jq", ".", "--write"], 5),
            ] {
                let ran = run(edit);
                assert_eq!(
                    (ran.code, &*ran.out),
                    (code, ""),
                    "{edit:?} {name}: {text:?}"
                );
                let advice = format!("`echo '{value}' >> ");
                assert!(ran.err.contains(&advice), "{edit:?}: {}", ran.err);
            }
            let held = std::fs::read_to_string(folder.path(name)).unwrap();
            assert_eq!(held, text, "{name}");
        }
    }
    // What follows is read too, even if it comes late; an unfinished comment is a mistake.
    let folder = Folder::with(&[("tsconfig.json", b"// a\n/* b */ /* c")]);
    assert_eq!(folder.run(&["validate", "tsconfig.json"]).code, 1);
    let long = format!("/*{}*/\n{{\"a\": 1}}\n", "x".repeat(100_000));
    assert_eq!(
        jsonx_named(&long, "tsconfig.json").out.len(),
        long.len() + 4
    );
}

/// Formats standard input as the file of this name.
fn jsonx_named(text: &str, name: &str) -> crate::Ran {
    piped(&["fmt", "--stdin-filename", name], text.as_bytes())
}
