//! Files with comments: which names have them, what reads them, and how they are formatted.

use crate::{Folder, piped};

const SETTINGS: &str =
    "{\n  // one\n  \"a\": {\"b\": [1, 2,]}, /* two */\n\n\n  \"c\": \"//\",\n}\n";

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
    // A strict file says where comments are allowed.
    let ran = folder.run(&["validate", "plain.json"]);
    assert!(ran.out.contains("--input jsonc"), "{}", ran.out);
    assert_eq!(exit(&["validate", "--input", "json5", "plain.json"]), 2);
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
    for option in ["--sort-keys", "--width=80", "--ascii", "--html-safe"] {
        let ran = folder.run(&["fmt", option, "a.jsonc"]);
        assert_eq!((ran.code, &*ran.out), (4, ""), "{option}");
        assert!(ran.err.contains("--to json"), "{}", ran.err);
        assert_eq!(
            folder.run(&["fmt", option, "--to", "json", "a.jsonc"]).code,
            0
        );
    }
    // Without comments there is nothing to lose.
    std::fs::write(folder.path("a.jsonc"), "[1]").unwrap();
    assert_eq!(folder.run(&["fmt", "--width=80", "a.jsonc"]).out, "[1]\n");
    // Spaces in place of a comment are no indentation.
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
fn the_dialect_of_a_file_is_told_on_request_only() {
    let folder = Folder::with(&[("a.jsonc", b"[ 1 ] // one\n")]);
    let ran = folder.run(&["fmt", "-w", "a.jsonc"]);
    assert_eq!((ran.err.as_str(), ran.code), ("a.jsonc: rewritten\n", 0));
    std::fs::write(folder.path("a.jsonc"), "[ 1 ] // one\n").unwrap();
    let ran = folder.run(&["fmt", "-w", "-v", "a.jsonc"]);
    assert!(
        ran.err.contains("a.jsonc: rewritten (JSONC)\n"),
        "{}",
        ran.err
    );
}
