//! Edits of JSON with comments.

use jsonx_core::jsonc::{Dialect, blank};

use super::*;

/// Comments keep their position; those of a removed value are reported.
#[test]
fn json_with_comments_is_edited() {
    let text =
        "{\n  // one\n  \"port\": 80, // two\n  \"hosts\": [\"a\", /* three */ \"b\",],\n}\n";
    let folder = Folder::with(&[("tsconfig.json", text.as_bytes())]);
    let ran = folder.run(&["set", ".port", "81", "tsconfig.json"]);
    assert_eq!((ran.out, ran.code), (text.replace("80", "81"), 0));
    let ran = folder.run(&["set", "-w", ".name", "demo", "tsconfig.json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let written = std::fs::read_to_string(folder.path("tsconfig.json")).unwrap();
    assert_eq!(
        written,
        text.replace("],\n}", "],\n  \"name\": \"demo\",\n}")
    );
    let ran = folder.run(&["set", ".hosts", "[]", "tsconfig.json"]);
    assert_eq!((ran.out.contains("\"hosts\": [],"), ran.code), (true, 0));
    assert!(
        ran.err.contains("removed with its value: /* three */"),
        "{}",
        ran.err
    );
    // A member with its comment and its comma.
    let ran = folder.run(&["del", "-w", ".port", "tsconfig.json"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("// two"), "{}", ran.err);
    let expected = written.replace("  \"port\": 80, // two\n", "");
    let after = std::fs::read_to_string(folder.path("tsconfig.json")).unwrap();
    assert_eq!(after, expected);
    let ran = folder.run(&["del", "--with-comments", ".hosts", "tsconfig.json"]);
    let without = "{\n  // one\n  \"name\": \"demo\",\n}\n";
    assert_eq!((ran.out.as_str(), ran.code), (without, 0), "{}", ran.err);
    let above = "{\n  \"a\": 1,\n  // of b\n  // too\n  \"b\": 2, // after\n  \"c\": 3\n}\n";
    let arguments = ["del", ".b", "--with-comments", "--input", "jsonc"];
    let ran = piped(&arguments, above);
    assert_eq!(ran.out, "{\n  \"a\": 1,\n  \"c\": 3\n}\n", "{}", ran.err);
    for comment in ["// of b", "// too", "// after"] {
        assert!(ran.err.contains(comment), "{}", ran.err);
    }
    // Several operations, one after another, and a merge patch.
    let operations = r#"[{"op": "move", "from": "/name", "path": "/title"}, {"op": "remove", "path": "/hosts/0"}]"#;
    let ran = folder.run(&["patch", operations, "tsconfig.json"]);
    let edited = expected
        .replace("\"name\"", "\"title\"")
        .replace("\"a\", ", "");
    assert_eq!((ran.out, ran.code), (edited, 0), "{}", ran.err);
    let ran = folder.run(&["patch", "{\"name\": null, \"hosts\": 1}", "tsconfig.json"]);
    let patched = expected
        .replace("  \"name\": \"demo\",\n", "")
        .replace("[\"a\", /* three */ \"b\",]", "1");
    assert_eq!((ran.out, ran.code), (patched, 0), "{}", ran.err);
    assert!(ran.err.contains("/* three */"), "{}", ran.err);
}

#[test]
fn messages_about_paths_do_not_depend_on_comments() {
    let text: &[u8] = b"{\"name\": [1, /* two */ 2], // one\n \"b\": 1}\n";
    let mut plain = text.to_vec();
    blank(&mut plain, Dialect::Jsonc).unwrap();
    let folder = Folder::with(&[("a.jsonc", text), ("a.json", &plain)]);
    for args in [
        &[
            "patch",
            r#"[{"op": "replace", "path": "/nam", "value": 1}]"#,
        ][..],
        &["patch", r#"[{"op": "test", "path": "/name", "value": 1}]"#],
        &["set", "-p", ".b.c", "1"],
        &["set", "--existing", ".nam", "1"],
        &["del", "$..b", "$..x"],
    ] {
        let [commented, alone] = ["a.jsonc", "a.json"].map(|file| {
            let ran = folder.run(&[args, &[file]].concat());
            let lines = ran.err.lines();
            let lines = lines.filter(|line| !line.contains("removed with its value"));
            let shown: Vec<String> = lines.map(|line| line.replace("jsonc", "json")).collect();
            (shown, ran.code)
        });
        assert_eq!(commented, alone, "{args:?}");
        assert!(!commented.0.is_empty(), "{args:?}");
    }
}

#[test]
fn a_blocking_comment_is_refused_with_advice() {
    let text: &[u8] = b"{\"a\": [] // one\n, \"b\": []}\n";
    let folder = Folder::with(&[("a.jsonc", text)]);
    let patch = r#"[{"op": "move", "from": "/b", "path": "/a"}]"#;
    for flags in [&[][..], &["--write"], &["--check"], &["--diff"]] {
        let ran = folder.run(&[&["patch", patch, "a.jsonc"], flags].concat());
        assert_eq!((ran.out.as_str(), ran.code), ("", 4), "{flags:?}");
        assert!(ran.err.contains("`remove` before `move`"), "{}", ran.err);
    }
    assert_eq!(read(&folder, "a.jsonc"), text);
    let advised = r#"[{"op": "remove", "path": "/a"}, {"op": "move", "from": "/b", "path": "/a"}]"#;
    let ran = folder.run(&["patch", advised, "a.jsonc"]);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("{\"a\": []}\n", 0),
        "{}",
        ran.err
    );
}
