//! References open only permitted files.

use std::process::Command;

use super::*;

/// A folder `in` with schemas, next to a file and a schema that nothing in `in` may open.
fn nest() -> Folder {
    let folder = Folder::with(&[
        ("secret.txt", b"hunter2: not JSON".as_slice()),
        ("outside.json", b"{\"const\": \"hunter2\"}"),
        ("in/defs.json", b"{\"$ref\": \"deep/back.json\"}"),
        ("in/deep/back.json", b"{\"$ref\": \"../integer.json\"}"),
        ("in/integer.json", b"{\"type\": \"integer\"}"),
        ("in/.env", b"PASSWORD=hunter2"),
        ("other/a.json", b"1"),
    ]);
    #[cfg(unix)]
    for (target, link) in [("outside.json", "in/link.json"), ("other", "in/other")] {
        std::os::unix::fs::symlink(folder.path(target), folder.path(link)).unwrap();
    }
    if cfg!(unix) {
        let mut mkfifo = Command::new("mkfifo");
        let made = mkfifo.arg(folder.path("in/fifo.json")).status();
        assert!(made.is_ok_and(|status| status.success()));
    }
    folder
}

/// References that leave the folder, or whose target is not a schema.
fn hostile(folder: &Folder) -> Vec<String> {
    let mut all: Vec<String> = [
        "../secret.txt",
        "../outside.json",
        "deep/../../secret.txt",
        ".env",
    ]
    .map(str::to_owned)
    .into();
    all.push("%2e%2e/secret.txt".to_owned());
    for name in ["secret.txt", "outside.json"] {
        let path = folder.path(name);
        let path = path.to_str().unwrap().replace('\\', "/");
        all.push(format!("file:///{}", path.trim_start_matches('/')));
        if cfg!(unix) {
            all.push(path);
        }
    }
    if cfg!(unix) {
        let others = ["/etc/passwd", "/dev/zero", "fifo.json", "link.json"];
        // `..` of a link is the parent of its target.
        let above = ["other/../outside.json", "other/../secret.txt"];
        all.extend(others.into_iter().chain(above).map(str::to_owned));
    }
    all
}

/// However a file is named, nothing outside its folder is opened, nothing blocks, and no content is shown.
#[test]
fn references_stay_below_their_folder() {
    let folder = nest();
    for reference in hostile(&folder) {
        let schema = format!("{{\"$ref\": \"{reference}\"}}");
        let draft = "\"$schema\": \"http://json-schema.org/draft-07/schema#\"";
        let files = [
            ("in/s.json", schema.clone()),
            ("in/one.json", "1".to_owned()),
            ("in/own.json", format!("{{\"$schema\": \"{reference}\"}}")),
            (
                "in/draft.json",
                format!("{{{draft}, \"$ref\": \"{reference}\"}}"),
            ),
            (
                "in/catalog.json",
                format!(
                    "{{\"schemas\": [{{\"fileMatch\": [\"one.json\"], \"url\": \"{reference}\"}}]}}"
                ),
            ),
        ];
        for (name, text) in &files {
            fs::write(folder.path(name), text).unwrap();
        }
        for (args, stdin) in [
            (
                &["validate", "in/one.json", "--schema", "in/s.json"][..],
                "",
            ),
            (&["validate", "in/one.json", "--schema", "-"], &*schema),
            (&["validate", "in/own.json", "--use-schema-key"], ""),
            (&["validate", "--use-schema-key"], &files[2].1),
            (&["validate", "in/draft.json"], ""),
            (
                &["validate", "in/one.json", "--schema-map", "in/catalog.json"],
                "",
            ),
        ] {
            let ran = piped_in(&folder, args, stdin);
            let all = format!("{}{}", ran.out, ran.err);
            assert_ne!(ran.code, 0, "{reference} {args:?}: {all}");
            assert!(!all.contains("hunter2"), "{reference} {args:?}: {all}");
            assert!(!all.contains("root:"), "{reference} {args:?}: {all}");
        }
    }
}

/// The same for everything that `jsonx.json` names, and for `jsonx.json` itself.
#[test]
fn settings_stay_below_their_folder() {
    let folder = nest();
    fs::write(folder.path("in/one.json"), "1").unwrap();
    let mut all = hostile(&folder);
    all.extend(
        [
            // Only the user names standard input.
            "-",
            "-#/a",
            "https://x/../../../secret.txt",
            "https://x/../../../outside.json",
        ]
        .map(str::to_owned),
    );
    fs::create_dir_all(folder.path("in/https:/x")).unwrap();
    for reference in all {
        let encoded = reference.starts_with('%') || reference.starts_with("file:");
        let configs = [
            format!("{{\"schema\": \"{reference}\"}}"),
            format!(
                "{{\"overrides\": [{{\"files\": [\"*.json\"], \"schema\": \"{reference}\"}}]}}"
            ),
            format!("{{\"catalog\": \"{reference}\"}}"),
            "{\"catalog\": \"catalog.json\"}".to_owned(),
            format!("{{\"schemaDir\": \"..\", \"schema\": \"{reference}\"}}"),
            format!("{{\"schemaRoot\": \"/\", \"schema\": \"{reference}\"}}"),
        ];
        let catalog = format!(
            "{{\"schemas\": [{{\"fileMatch\": [\"one.json\"], \"url\": \"{reference}\"}}]}}"
        );
        fs::write(folder.path("in/catalog.json"), catalog).unwrap();
        for config in &configs {
            fs::write(folder.path("in/jsonx.json"), config).unwrap();
            let ran = piped_in(
                &folder,
                &["validate", "in/one.json"],
                "{\"const\": \"hunter2\"}",
            );
            let all = format!("{}{}", ran.out, ran.err);
            assert_ne!(ran.code, 0, "{config}: {all}");
            assert!(!all.contains("hunter2"), "{config}: {all}");
            assert!(!all.contains("root:"), "{config}: {all}");
            assert!(encoded || all.contains("jsonx"), "{config}: {all}");
        }
        fs::remove_file(folder.path("in/jsonx.json")).unwrap();
    }
    for (config, code) in [
        ("{\"schema\": \"integer.json\"}", 0),
        ("{\"schemaDir\": \"deep\", \"schema\": \"integer.json\"}", 0),
        ("{\"schemaDir\": \"..\", \"schema\": \"integer.json\"}", 2),
    ] {
        fs::write(folder.path("in/jsonx.json"), config).unwrap();
        let ran = piped_in(&folder, &["validate", "in/one.json"], "");
        assert_eq!(ran.code, code, "{config}: {}", ran.err);
        fs::remove_file(folder.path("in/jsonx.json")).unwrap();
    }
    // What the user names may be anywhere.
    let ran = piped_in(
        &folder,
        &["validate", "in/one.json", "--schema", "outside.json"],
        "",
    );
    assert!(ran.out.contains("hunter2"), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn a_link_to_settings_stays_in_its_repository() {
    let folder = nest();
    fs::write(folder.path("in/one.json"), "1").unwrap();
    fs::write(
        folder.path("in/shared.json"),
        "{\"schema\": \"shared.json\", \"nonsense\": 1}",
    )
    .unwrap();
    let link = folder.path("in/deep/jsonx.json");
    for (target, is_shown) in [
        ("../../secret.txt", false),
        ("/proc/self/environ", false),
        ("/dev/zero", false),
        ("../shared.json", false),
        ("../.env", false),
        ("back.json", true),
    ] {
        std::os::unix::fs::symlink(target, &link).unwrap();
        let ran = piped_in(&folder, &["validate", "in/deep/back.json"], "");
        let all = format!("{}{}", ran.out, ran.err);
        assert_ne!(ran.code, 0, "{target}: {all}");
        assert!(
            !all.contains("hunter2") && !all.contains("PATH="),
            "{target}: {all}"
        );
        assert_eq!(all.contains("$ref"), is_shown, "{target}: {all}");
        fs::remove_file(&link).unwrap();
    }
    fs::create_dir(folder.path("in/.git")).unwrap();
    // A repository may hold files whose text is secret, such as `.git/config` in CI.
    std::os::unix::fs::symlink("../.env", &link).unwrap();
    let ran = piped_in(&folder, &["validate", "in/deep/back.json"], "");
    let all = format!("{}{}", ran.out, ran.err);
    assert!(
        all.contains("a symbolic link to a file that is not JSON"),
        "{all}"
    );
    assert!(!all.contains("hunter2"), "{all}");
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("../shared.json", &link).unwrap();
    let ran = piped_in(&folder, &["validate", "in/deep/back.json"], "");
    assert!(
        format!("{}{}", ran.out, ran.err).contains("nonsense"),
        "{}",
        ran.err
    );
}

/// A link to a configuration of Prettier is followed in its repository only, because its keys and globs are shown.
#[cfg(unix)]
#[test]
fn a_link_to_a_configuration_of_prettier_stays_in_its_repository() {
    let folder = nest();
    fs::write(folder.path("in/one.json"), "{\"a\":1}").unwrap();
    fs::write(folder.path("in/wide.yaml"), "tabWidth: 3\n").unwrap();
    for (target, expected) in [
        (
            "../secret.txt",
            "it is a symbolic link out of the repository",
        ),
        ("wide.yaml", "1 file is not formatted"),
    ] {
        for name in [".prettierrc", ".prettierrc.yaml"] {
            let link = folder.path("in").join(name);
            std::os::unix::fs::symlink(target, &link).unwrap();
            let ran = piped_in(&folder, &["fmt", "--check", "in/one.json"], "");
            let all = format!("{}{}", ran.out, ran.err);
            assert!(all.contains(expected), "{all}");
            assert!(!all.contains("hunter2"), "{all}");
            fs::remove_file(&link).unwrap();
        }
    }
}

/// Files below the folder of the schema, or below a `--schema-root`, are opened.
#[test]
fn references_below_a_folder_that_is_named_are_followed() {
    let folder = nest();
    let one = ("in/one.json", "\"x\"");
    for (name, text) in [
        one,
        ("in/s.json", "{\"$ref\": \"defs.json\"}"),
        ("in/deep/s.json", "{\"$ref\": \"../defs.json\"}"),
        ("in/deep/own.json", "{\"$schema\": \"../defs.json\"}"),
    ] {
        fs::write(folder.path(name), text).unwrap();
    }
    let reference = "{\"$ref\": \"defs.json\"}";
    let schema_is_used = |args: &[&str], stdin: &str| {
        let ran = piped_in(&folder, args, stdin);
        ran.out.contains("schema/type")
    };
    let named = ["--schema-root", "in"];
    for (args, stdin, unnamed) in [
        (&["validate", one.0, "--schema", "in/s.json"][..], "", true),
        (
            &["validate", one.0, "--schema", "in/deep/s.json"],
            "",
            false,
        ),
        (&["validate", one.0, "--schema", "-"], reference, false),
        (
            &["validate", "in/deep/own.json", "--use-schema-key"],
            "",
            false,
        ),
    ] {
        assert_eq!(schema_is_used(args, stdin), unnamed, "{args:?}");
        assert!(schema_is_used(&[args, &named].concat(), stdin), "{args:?}");
    }
    let config = "{\"schemaRoot\": \"in\", \"overrides\": [{\"files\": [\"in/one.json\"], \"schema\": \"in/deep/s.json\"}]}";
    fs::write(folder.path("jsonx.json"), config).unwrap();
    assert!(schema_is_used(&["validate", one.0], ""));
}

/// A file has one name, the shortest, however a schema, a setting or an option names it.
#[test]
fn schema_files_have_their_shortest_name() {
    let folder = Folder::with(&[
        ("x.json", b"1"),
        ("nm/s.json", br#"{"type": "string"}"#),
        ("p/foo/k.json", b"{}"),
        ("sub/r.json", br#"{"$ref": "../nm/s.json"}"#),
        ("sub/own.json", br#"{"$schema": "../nm/s.json"}"#),
        ("sub/deep/y.json", b"1"),
        (
            "cat.json",
            br#"{"schemas": [{"fileMatch": ["x.json"], "url": "p/foo/../../nm/s.json"}]}"#,
        ),
    ]);
    let absolute = folder.path("nm/s.json");
    let absolute = absolute.to_str().unwrap();
    for arguments in [
        &["--schema", "p/foo/../../nm/s.json", "x.json"][..],
        &["--schema", absolute, "x.json"],
        &["--schema", "./nm/s.json", "x.json"],
        &["--schema", "sub/r.json", "--schema-root", ".", "x.json"],
        &["--schema-map", "cat.json", "x.json"],
        &["--use-schema-key", "--schema-root", ".", "sub/own.json"],
    ] {
        let ran = folder.run(&[&["validate", "--reporter", "concise"], arguments].concat());
        assert!(
            ran.out.contains("[required here: nm/s.json:1:2]"),
            "{arguments:?} {}",
            ran.out
        );
    }
    // Annotations are relative to the workspace, with the places in their text.
    let workspace = folder.path("");
    for (variable, reporter) in [("GITHUB_WORKSPACE", "github"), ("CI_PROJECT_DIR", "gitlab")] {
        let arguments = [
            "validate",
            "--schema",
            "../../nm/s.json",
            "y.json",
            "--reporter",
            reporter,
        ];
        let mut command = crate::jsonx(&arguments);
        command
            .current_dir(folder.path("sub/deep"))
            .env(variable, &workspace);
        let out = crate::run(&mut command).out;
        assert!(
            out.contains("sub/deep/y.json") && out.contains("nm/s.json:1:2: required here"),
            "{out}"
        );
        assert!(!out.contains("../"), "{out}");
    }
}
