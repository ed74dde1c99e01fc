//! The sources of the layout of `fmt`: options, `.editorconfig`, and the line ends of the file.

use std::fs;

use crate::{Folder, piped};

/// The text that the tests format.
const TEXT: &[u8] = b"{\"a\":[1,2],\"b\":{}}\n";
const CONFIG: &[u8] = b"root = true

[*]
indent_style = tab
end_of_line = crlf

[*.{wide,jsonl}]
indent_style = space
indent_size = 4
max_line_length = 40
end_of_line = lf
insert_final_newline = false

[*.jsonc]
indent_style = space
max_line_length = 100
insert_final_newline = false
";

#[test]
fn line_ends_are_kept() {
    let crlf = b"[\r\n  1,\n  2\r\n]\r\n";
    let folder = Folder::with(&[
        ("crlf.json", crlf),
        ("lf.json", b"[\n1,\r\n2\n]\n"),
        ("comments.jsonc", b"[1, // one\r\n2]\r\n"),
        ("lines.jsonl", b"[1, 2]\r\n[3]\r\n"),
        ("one.json", b"[]"),
    ]);
    let formatted = "[\r\n  1,\r\n  2\r\n]\r\n";
    for (args, out) in [
        (&["crlf.json"][..], formatted),
        (&["--eol", "keep", "crlf.json"], formatted),
        (&["--eol", "lf", "crlf.json"], "[\n  1,\n  2\n]\n"),
        (&["-c", "crlf.json"], "[1,2]\r\n"),
        (&["-S", "--width", "60", "crlf.json"], "[1, 2]\r\n"),
        (&["lf.json"], "[\n  1,\n  2\n]\n"),
        (&["--eol", "crlf", "lf.json"], formatted),
        (&["comments.jsonc"], "[\r\n  1, // one\r\n  2\r\n]\r\n"),
        (&["lines.jsonl"], "[1,2]\r\n[3]\r\n"),
        (&["one.json"], "[]\n"),
        (&["--canonical", "crlf.json"], "[1,2]"),
    ] {
        let ran = folder.run(&[&["fmt"], args].concat());
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, 0),
            "{args:?}: {}",
            ran.err
        );
    }
    assert_eq!(piped(&["fmt"], crlf).out, formatted);
    assert_eq!(piped(&["fmt", "-c"], "[1]\r\n{}\r\n").out, "[1]\r\n{}\r\n");
    assert_eq!(
        piped(&["fmt", "--stdin-filename", "a.json"], crlf).out,
        formatted
    );

    let ran = folder.run(&["fmt", "-w", "."]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(
        fs::read_to_string(folder.path("crlf.json")).unwrap(),
        formatted
    );
    let ran = folder.run(&["fmt", "--check", "."]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{}", ran.err);
    let ran = folder.run(&["fmt", "--check", "--eol", "lf", "crlf.json", "lf.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("crlf.json\n", 1));
}

#[test]
fn editorconfig_supplies_settings_without_an_option() {
    let folder = Folder::with(&[
        (".editorconfig", CONFIG),
        ("a.json", TEXT),
        ("a.wide", TEXT),
        ("a.jsonl", b"[1, 2]\n[3]\n"),
        ("a.jsonc", b"{\"a\": [1], // one\n}"),
    ]);
    let tabs = "{\r\n\t\"a\": [\r\n\t\t1,\r\n\t\t2\r\n\t],\r\n\t\"b\": {}\r\n}\r\n";
    let plain = "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}\n";
    let commented = "{\r\n  \"a\": [1], // one\r\n}";
    for (args, out) in [
        (&["a.json"][..], tabs),
        (&["--eol", "lf", "a.json"], &tabs.replace('\r', "")),
        (&["--eol", "keep", "a.json"], &tabs.replace('\r', "")),
        (&["--indent", "2", "a.json"], &tabs.replace('\t', "  ")),
        (&["-c", "a.json"], "{\"a\":[1,2],\"b\":{}}\r\n"),
        (&["--no-editorconfig", "a.json"], plain),
        (&["--canonical", "a.json"], "{\"a\":[1,2],\"b\":{}}"),
        (&["a.wide"], "{\"a\": [1, 2], \"b\": {}}"),
        (
            &["--width", "12", "a.wide"],
            "{\n    \"a\": [\n        1,\n        2\n    ],\n    \"b\": {}\n}",
        ),
        (&["a.jsonl"], "[1,2]\n[3]"),
        (&["a.jsonc"], commented),
    ] {
        let ran = folder.run(&[&["fmt"], args].concat());
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, 0),
            "{args:?}: {}",
            ran.err
        );
    }
    // Standard input has a name only with `--stdin-filename`.
    let in_folder = |args: &[&str]| {
        let mut command = crate::jsonx(args);
        crate::run(command.current_dir(folder.path("")).write_stdin(TEXT)).out
    };
    assert_eq!(in_folder(&["fmt"]), plain);
    assert_eq!(in_folder(&["fmt", "--stdin-filename", "new/b.json"]), tabs);

    let ran = folder.run(&["fmt", "-vw", "."]);
    insta::assert_snapshot!(ran.err, @r"
    a.json: layout from .editorconfig
    a.json: rewritten
    a.jsonc: layout from .editorconfig
    a.jsonc: rewritten (JSONC)
    a.jsonl: layout from .editorconfig
    a.jsonl: rewritten
    ");
    for (name, text) in [
        ("a.json", tabs),
        ("a.jsonc", commented),
        ("a.jsonl", "[1,2]\n[3]"),
    ] {
        assert_eq!(
            fs::read_to_string(folder.path(name)).unwrap(),
            text,
            "{name}"
        );
    }
    let ran = folder.run(&["fmt", "--check", "."]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{}", ran.err);
    let ran = folder.run(&["fmt", "--check", "--no-editorconfig", "--indent=2", "."]);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("a.json\na.jsonc\na.jsonl\n", 1)
    );
}

#[test]
fn indentation_is_kept_where_it_is_consistent() {
    let notebook = "{\n \"cells\": [\n  1\n ]\n}\n";
    let folder = Folder::with(&[
        ("notebook.ipynb", notebook.as_bytes()),
        ("tabs.json", b"{\n\t\"a\": [1]\n}\n"),
        ("mixed.json", b"{\n\t\"a\": [\n  1]\n}\n"),
        ("four.jsonc", b"{\n    // one\n    \"a\": [1]\n}\n"),
        (".editorconfig", b"[new.json]\nindent_size = 3\n"),
        ("new.json", b"[\n 1\n]\n"),
    ]);
    for (args, out) in [
        (&["notebook.ipynb"][..], notebook),
        (&["tabs.json"], "{\n\t\"a\": [\n\t\t1\n\t]\n}\n"),
        (&["--width=20", "tabs.json"], "{ \"a\": [1] }\n"),
        (&["-S", "tabs.json"], "{\n\t\"a\": [\n\t\t1\n\t]\n}\n"),
        (
            &["--indent=keep", "tabs.json"],
            "{\n\t\"a\": [\n\t\t1\n\t]\n}\n",
        ),
        (&["--indent=1", "tabs.json"], "{\n \"a\": [\n  1\n ]\n}\n"),
        (&["mixed.json"], "{\n  \"a\": [\n    1\n  ]\n}\n"),
        (
            &["four.jsonc"],
            "{\n    // one\n    \"a\": [\n        1\n    ]\n}\n",
        ),
        (&["new.json"], "[\n   1\n]\n"),
        (&["--indent=keep", "new.json"], "[\n 1\n]\n"),
    ] {
        let out = if args.contains(&"--width=20") {
            "{\"a\": [1]}\n"
        } else {
            out
        };
        let ran = folder.run(&[&["fmt"], args].concat());
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, 0),
            "{args:?}: {}",
            ran.err
        );
    }
    // Without a name, the defaults; with one, as for the file.
    assert_eq!(
        piped(&["fmt"], notebook).out,
        "{\n  \"cells\": [\n    1\n  ]\n}\n"
    );
    assert_eq!(piped(&["fmt", "--indent=keep"], notebook).out, notebook);
    assert_eq!(
        piped(&["fmt", "--stdin-filename=a.ipynb"], notebook).out,
        notebook
    );
    assert_eq!(piped(&["fmt", "--indent=all"], notebook).code, 2);
    let ran = folder.run(&["fmt", "--check", "notebook.ipynb"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0));
}

/// What is not understood is said once, and its files are left alone unless the style is told.
#[test]
fn files_without_a_known_layout_are_left_alone() {
    let text = b"{\"a\":[1.50]}";
    let folder = Folder::with(&[
        (".git/HEAD", b""),
        ("program/prettier.config.mjs", b"export default {};"),
        ("program/a.json", text),
        ("program/b/c.json", text),
        (
            "some/.prettierrc",
            b"overrides:\n  - files: b/*\n    options:\n      tabs: 4\n",
        ),
        ("some/a.json", text),
        ("some/b/c.json", text),
        ("told/jsonx.json", b"{\n  \"style\": \"lines\"\n}\n"),
        ("told/.prettierrc", b"{"),
        ("told/a.json", text),
    ]);
    let ran = folder.run(&["fmt", "--check", "."]);
    assert_eq!(ran.code, 4);
    insta::assert_snapshot!(ran.out, @r"
    some/a.json
    told/a.json
    ");
    let reasons = "\
        jsonx: program/prettier.config.mjs: it is a program, which jsonx does not run, so its files are not formatted; set a style with --style, or with `style` in jsonx.json\n\
        jsonx: some/.prettierrc:4: `tabs` is not an option that jsonx knows, so its files are not formatted; set a style with --style, or with `style` in jsonx.json\n";
    assert_eq!(
        ran.err,
        format!("{reasons}2 files are not formatted, 3 could not be checked; run jsonx fmt -w\n")
    );
    let ran = folder.run(&["fmt", "-w", "program", "some/b/c.json"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert_eq!(
        ran.err.matches("are not formatted;").count(),
        2,
        "{}",
        ran.err
    );
    for name in ["program/a.json", "program/b/c.json", "some/b/c.json"] {
        assert_eq!(fs::read(folder.path(name)).unwrap(), text, "{name}");
    }
    // An editor gets nothing, a reader a guess.
    let mut command = crate::jsonx(&["fmt", "--stdin-filename=program/a.json"]);
    let ran = crate::run(command.current_dir(folder.path("")).write_stdin(&text[..]));
    assert_eq!((&*ran.out, ran.code), ("", 4), "{}", ran.err);
    let ran = folder.run(&["fmt", "program/a.json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(
        ran.err,
        "jsonx: program/prettier.config.mjs: warning: it is a program, which jsonx does not run, so this layout is a guess\n"
    );
    assert_eq!(ran.out, "{ \"a\": [1.5] }\n");
    let ran = folder.run(&["fmt", "-w", "--style=prettier", "."]);
    assert_eq!((ran.err.lines().count(), ran.code), (5, 0), "{}", ran.err);
}

/// The files that Prettier leaves alone.
#[test]
fn files_that_formatters_leave_alone_are_left_out() {
    let text = b"[ ]";
    let folder = Folder::with(&[
        (".git/HEAD", b""),
        (
            ".prettierignore",
            b"# generated\nOUT/\n!out/a.json\n*.min.json\n",
        ),
        ("a.json", text),
        ("a.min.json", text),
        ("out/a.json", text),
        ("b/.prettierignore", b"/a.json\n"),
        ("b/a.json", text),
        ("other", b"a.json\n"),
    ]);
    let check = |args: &[&str]| {
        let ran = folder.run(&[&["fmt", "--check"], args].concat());
        (ran.out.replace('\n', " "), ran.code)
    };
    assert_eq!(check(&["."]), ("a.json ".to_owned(), 1));
    assert_eq!(check(&["out/a.json"]), (String::new(), 0));
    assert_eq!(check(&["b", "a.json"]), ("a.json ".to_owned(), 1));
    assert_eq!(
        check(&["--no-ignore", "."]).0,
        "a.json a.min.json b/a.json out/a.json "
    );
    assert_eq!(check(&["--ignore-path=other", "."]).0, "a.min.json ");
    assert_eq!(check(&["--ignore-path=none", "."]).1, 2);
    let ran = folder.run(&["fmt", "--check", "-v", "out/a.json"]);
    insta::assert_snapshot!(ran.err, @"jsonx: out/a.json: excluded by `OUT/` in .prettierignore; --no-ignore includes it");
    // Other commands do not format.
    assert_eq!(folder.run(&["validate", "."]).code, 0);
}

#[test]
fn files_of_formatters_supply_settings_without_an_option() {
    let folder = Folder::with(&[
        (".git/HEAD", b""),
        (".editorconfig", b"root = true\n[*]\nindent_size = 8\nend_of_line = crlf\n"),
        ("a.json", b"{\"a\":[1.50,2],\n\n\"b\":{\n}}"),
        ("a.jsonc", b"{\n\"a\":[1,2] // one\n}"),
        ("package.json", b"{\"a\":[1.50,2],\n\n\"prettier\":{\"tabWidth\":3,\"overrides\":[{\"files\":\"x/*\",\"options\":{\"useTabs\":true}}]}}"),
        ("x/a.json", b"{\n\"a\":[1.50,2]}"),
    ]);
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let expanded = "{\n   \"a\": [1.5, 2],\n\n   \"b\": {}\n}\n";
    for (args, out) in [
        (&["a.json"][..], crlf(expanded)),
        (&["--no-editorconfig", "a.json"], expanded.to_owned()),
        (
            &["--eol=lf", "--tab", "a.json"],
            expanded.replace("   ", "\t"),
        ),
        (
            &["--style=lines", "a.json"],
            crlf("{\n   \"a\": [\n      1.50,\n      2\n   ],\n   \"b\": {}\n}\n"),
        ),
        (&["-c", "a.json"], crlf("{\"a\":[1.50,2],\"b\":{}}\n")),
        (&["a.jsonc"], crlf("{\n   \"a\": [1, 2], // one\n}\n")),
        (
            &["--trailing-commas=none", "a.jsonc"],
            crlf("{\n   \"a\": [1, 2] // one\n}\n"),
        ),
        (&["x/a.json"], crlf("{\n\t\"a\": [1.5, 2]\n}\n")),
        (
            &["--no-config", "--no-editorconfig", "x/a.json"],
            "{\n  \"a\": [\n    1.50,\n    2\n  ]\n}\n".to_owned(),
        ),
        (&["-S", "--no-editorconfig", "a.json"], expanded.to_owned()),
    ] {
        let ran = folder.run(&[&["fmt"], args].concat());
        assert_eq!((ran.out, ran.code), (out, 0), "{args:?}: {}", ran.err);
        assert_eq!(ran.err, "", "{args:?}");
    }
    let ran = folder.run(&["fmt", "-vw", "."]);
    insta::assert_snapshot!(ran.err, @r"
    jsonx: .git: excluded as version control
    a.json: layout from package.json, .editorconfig
    a.json: rewritten
    a.jsonc: layout from package.json, .editorconfig
    a.jsonc: rewritten (JSONC)
    package.json: layout from package.json, .editorconfig
    package.json: rewritten
    x/a.json: layout from package.json, .editorconfig
    x/a.json: rewritten
    ");
    let ran = folder.run(&["fmt", "--check", "."]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 0), "{}", ran.err);
}

/// Files that Biome formats are left alone, which is said once and is no failure.
#[test]
fn files_of_biome_are_left_alone() {
    let text = b"{\"a\":[1],\n\"b\":  2}";
    let folder = Folder::with(&[
        (".git/HEAD", b""),
        ("biome.jsonc", b"{\"formatter\":{\"indentWidth\":4}} // c\n"),
        ("a.json", text),
        ("b/c.json", text),
        ("lines.jsonl", b"{\"a\": 1}\n"),
        (
            "off/biome.json",
            b"{\"json\":{\"formatter\":{\"enabled\":false}}}",
        ),
        ("off/a.json", text),
    ]);
    let read = |name: &str| fs::read(folder.path(name)).unwrap();
    let note = "jsonx: biome.jsonc: Biome formats these files, so they are left alone; --no-config formats them\n";
    let ran = folder.run(&["fmt", "--check", "a.json", "b"]);
    assert_eq!((&*ran.out, &*ran.err, ran.code), ("", note, 0));
    let ran = folder.run(&["fmt", "-w", "."]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.starts_with(note), "{}", ran.err);
    assert_eq!(
        (read("a.json"), read("b/c.json")),
        (text.to_vec(), text.to_vec())
    );
    assert_eq!(
        read("off/a.json"),
        b"{\n  \"a\": [\n    1\n  ],\n  \"b\": 2\n}\n"
    );
    // No formatter takes JSON Lines.
    assert_eq!(read("lines.jsonl"), b"{\"a\":1}\n");
    // An editor gets the text that it has, a reader the usual layout.
    let mut command = crate::jsonx(&["fmt", "--stdin-filename=a.json"]);
    let ran = crate::run(command.current_dir(folder.path("")).write_stdin(&text[..]));
    assert_eq!(
        (ran.out.as_bytes(), &*ran.err, ran.code),
        (&text[..], note, 0)
    );
    let ran = folder.run(&["fmt", "a.json"]);
    assert_eq!(
        (ran.out.as_bytes(), &*ran.err),
        (&read("off/a.json")[..], "")
    );
    // Edits keep every other byte.
    assert_eq!(folder.run(&["set", ".b", "3", "a.json", "-w"]).code, 0);
    assert_eq!(read("a.json"), b"{\"a\":[1],\n\"b\":  3}");
    for (option, typed) in [
        ("--no-config", ""),
        ("--style=prettier", "--style prettier "),
    ] {
        let ran = folder.run(&["fmt", "--check", option, "a.json"]);
        let advice = format!("1 file is not formatted; run jsonx fmt {typed}-w\n");
        assert_eq!((&*ran.out, &*ran.err, ran.code), ("a.json\n", &*advice, 1));
    }
    let ran = folder.run(&["config", "a.json"]);
    assert!(
        ran.out.contains("unknown") && ran.out.contains("biome.jsonc: Biome formats"),
        "{}",
        ran.out
    );
}

/// A large file is read an extra time for its arrays of numbers.
#[test]
fn large_files_in_the_style_prettier() {
    let numbers = "123456, ".repeat(200_000);
    let text = format!("[[{numbers}1], [{numbers}\"a\"]]");
    let folder = Folder::with(&[("a.json", text.as_bytes())]);
    let style = &["fmt", "--style=prettier"];
    let printed = folder.run(&[&style[..], &["a.json"]].concat()).out;
    assert!(printed == piped(style, &text).out);
    assert_eq!(
        folder.run(&[&style[..], &["-w", "a.json"]].concat()).code,
        0
    );
    assert!(fs::read_to_string(folder.path("a.json")).unwrap() == printed);
    assert_eq!(
        folder
            .run(&[&style[..], &["--check", "a.json"]].concat())
            .code,
        0
    );
}

#[cfg(unix)]
#[test]
fn an_editorconfig_that_is_not_a_file_does_not_block() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let folder = Folder::with(&[("a.json", b"[]\n")]);
    let config = folder.path(".editorconfig");
    mknodat(CWD, &config, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let ran = folder.run(&["fmt", "--check", "a.json"]);
    let expected =
        "jsonx: .editorconfig: warning: .editorconfig not read: it is not a regular file\n";
    assert_eq!(
        (ran.out.as_str(), ran.err.as_str(), ran.code),
        ("", expected, 0)
    );
    fs::remove_file(&config).unwrap();
    fs::write(&config, vec![b'#'; 2 << 20]).unwrap();
    let ran = folder.run(&["fmt", "--check", "a.json"]);
    let expected =
        "jsonx: .editorconfig: warning: .editorconfig not read: it is larger than 1 MiB\n";
    assert_eq!(
        (ran.out.as_str(), ran.err.as_str(), ran.code),
        ("", expected, 0)
    );
    // A directory may have any name.
    fs::remove_file(&config).unwrap();
    fs::create_dir(&config).unwrap();
    let ran = folder.run(&["fmt", "--check", "a.json"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
}

#[test]
fn a_formatted_file_stays_formatted_and_others_keep_every_other_byte() {
    let list = r#"["alpha","beta","gamma","delta","epsilon","zeta","eta","theta","iota","kappa","lambda"]"#;
    let patch = r#"[{"op":"add","path":"/o/p","value":{"q":[1]}}]"#;
    for (config, settings) in [
        (".prettierrc", "{}\n"),
        ("jsonx.json", "{\n  \"width\": 80\n}\n"),
        (".editorconfig", "root = true\n[*]\nindent_style = tab\n"),
        ("none", ""),
    ] {
        let text = "{\"l\": [1, 2], \"o\": {\"n\": \"a\"}, \"t\": []}\n";
        let folder = Folder::with(&[
            (config, settings.as_bytes()),
            ("a.json", text.as_bytes()),
            (
                "b.json",
                b"{\"l\":[1,\n2], \"o\": {\"n\": \"a\"}  ,\"t\": []}",
            ),
            ("c.jsonl", b"{\"l\":[1]}\n{\"l\":[],\"o\":{}}\n"),
        ]);
        assert_eq!(folder.run(&["fmt", "-w", "a.json"]).code, 0);
        for edit in [
            &["set", "-j", ".t", list][..],
            &["set", "-j", ".o.m", r#"{"a": {"b": [true]}}"#],
            &["append", "-j", ".l", r#"{"c": 1}"#],
            &[
                "patch",
                r#"[{"op": "move", "from": "/o", "path": "/moved"}, {"op": "move", "from": "/moved", "path": "/o"}]"#,
            ],
            &["patch", patch],
            &["jq", ".t[0] = {a: [range(30)]}"],
            &["del", ".t"],
        ] {
            let ran = folder.run(&[edit, &["a.json", "-w"]].concat());
            assert_eq!(ran.code, 0, "{edit:?} {}", ran.err);
            let ran = folder.run(&["fmt", "--check", "a.json"]);
            let now = folder.run(&["fmt", "--diff", "a.json"]).out;
            assert_eq!(ran.code, 0, "{config} {edit:?}\n{now}");
        }
        let ran = folder.run(&["append", ".l", "3", "b.json"]);
        let expected = "{\"l\":[1,\n2,\n3], \"o\": {\"n\": \"a\"}  ,\"t\": []}";
        assert_eq!(ran.out, expected, "{config}");
        let ran = folder.run(&["append", "-j", ".l", "{\"a\": [1, 2]}", "c.jsonl"]);
        let expected = "{\"l\":[1,{\"a\":[1,2]}]}\n{\"l\":[{\"a\":[1,2]}],\"o\":{}}\n";
        assert_eq!(ran.out, expected, "{config}");
    }
}

/// Sorted members are laid out by the line of the first key in the text, as Prettier does for members in order.
#[test]
fn the_order_of_members_does_not_decide_the_layout_of_sorted_objects() {
    let args = ["fmt", "-S", "--style=prettier"];
    for (text, expected) in [
        (r#"{"b":1,"a":2}"#, "{ \"a\": 2, \"b\": 1 }\n"),
        (r#"{"a":2,"b":1}"#, "{ \"a\": 2, \"b\": 1 }\n"),
        ("{\"b\":1,\n\"a\":2}", "{ \"a\": 2, \"b\": 1 }\n"),
        ("{\n\"b\":1,\"a\":2}", "{\n  \"a\": 2,\n  \"b\": 1\n}\n"),
        ("{\n\"a\":2,\"b\":1}", "{\n  \"a\": 2,\n  \"b\": 1\n}\n"),
        (
            r#"[{"b":{"d":1,"c":[]},"a":2}]"#,
            "[{ \"a\": 2, \"b\": { \"c\": [], \"d\": 1 } }]\n",
        ),
    ] {
        let ran = piped(&args, text);
        assert_eq!(ran.out, expected, "{text}");
        assert_eq!(piped(&args, &*ran.out).out, expected, "{text}");
    }
    let commented = "{ // all\n\"b\":1,\"a\":2 // a\n}";
    let ran = piped(&[&args[..], &["--input=jsonc"]].concat(), commented);
    assert_eq!(ran.out, "{\n  // all\n  \"a\": 2, // a\n  \"b\": 1\n}\n");
}
