//! What holds for every command: usage, help, version, kernels, colours.

use crate::{Folder, jsonx, piped, run};

#[test]
fn wrong_usage_is_told_on_standard_error() {
    for args in [
        &[][..],
        &["frobnicate"],
        &["--nope"],
        &["validate", "--nope"],
        &["validate", "--max-depth", "many"],
        &["validate", "--input", "yaml"],
        &["validate", "--color", "blue"],
        &["validate", "--reporter", "xml"],
        &["validate", "--max-errors", "few"],
        &["fmt", "--reporter", "json"],
        &["fmt", "--indent"],
        &["get"],
        &["--verbose"],
    ] {
        let ran = piped(args, "1");
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(
            ran.err.contains("Usage:") || ran.err.contains("--help"),
            "{args:?}: {}",
            ran.err
        );
    }
}

#[test]
fn help_is_data_and_names_the_exit_codes() {
    for args in [
        &["--help"][..],
        &["-h"],
        &["validate", "--help"],
        &["fmt", "-h"],
        &["get", "--help"],
        &["locate", "--help"],
        &["explain", "--help"],
    ] {
        let ran = piped(args, "");
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{args:?}");
        assert!(
            ran.out.contains("Usage: jsonx") && ran.out.contains("Exit codes"),
            "{args:?}: {}",
            ran.out
        );
    }
}

/// What the examples of the help texts speak of.
#[cfg(unix)]
const FILES: &[(&str, &[u8])] = &[
    ("data.json", b"{}"),
    (
        "package.json",
        br#"{"name": "demo", "version": "1.0.0", "dependencies": {"a": "1"}, "dev-dependencies": {"some-pkg": "2"}}"#,
    ),
    ("tsconfig.json", b"{}"),
    (
        "config.json",
        b"{\n  \"name\": \"demo\",\n\n  \"servers\": [{\"name\": \"a\", \"port\": 8080}, {\"name\": \"b\"}],\n  \"on\": true\n}\n",
    ),
    ("openapi.json", br#"{"paths": {"/users": {"get": {}}}}"#),
    ("events.ndjson", b"{\"user\": {\"name\": \"a\"}}\n{\"user\": {\"name\": \"b\"}}\n"),
    ("events.log", b"{}\n[]\n"),
];

/// Every example of the help texts does what it says when a shell runs it; what stands before a pipe is left out.
#[cfg(unix)]
#[test]
fn the_examples_of_the_help_are_valid_usage() {
    let mut examples = 0;
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_jsonx"));
    for command in ["validate", "fmt", "get", "locate", "explain"] {
        let help = piped(&[command, "--help"], "").out;
        let (_, after) = help.split_once("Examples:\n").expect("examples");
        // Some write into it.
        let folder = Folder::with(FILES);
        for line in after.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let at = line.find("jsonx").expect("a call of ours");
            let ran = run(assert_cmd::Command::new("sh")
                .args(["-c", &line[at..].replacen("jsonx", "\"$0\"", 1)])
                .arg(binary)
                .current_dir(folder.path(""))
                .env_remove("JSONX_KERNEL")
                .write_stdin(""));
            assert_ne!(ran.code, 2, "{line}: {}", ran.err);
            if matches!(command, "get" | "locate") {
                assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{line}");
                assert!(!ran.out.is_empty(), "{line}");
            }
            examples += 1;
        }
    }
    assert!(examples >= 12);
}

#[test]
fn the_version_names_the_kernel_on_request() {
    let plain = format!("jsonx {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(piped(&["--version"], "").out, plain);
    assert_eq!(piped(&["-V"], "").out, plain);
    let verbose = piped(&["--version", "--verbose"], "").out;
    assert!(
        verbose.starts_with(&plain) && verbose.contains("kernel: "),
        "{verbose}"
    );
    // Every one that this machine has can be forced, and SWAR is everywhere.
    let (_, list) = verbose.split_once("(available here: ").unwrap();
    let kernels: Vec<&str> = list.trim_end().trim_end_matches(')').split(", ").collect();
    assert!(kernels.contains(&"swar"));
    for kernel in kernels {
        let ran = run(jsonx(&["-Vv"]).env("JSONX_KERNEL", kernel));
        assert!(
            ran.out.contains(&format!("kernel: {kernel} ")),
            "{}",
            ran.out
        );
        for (text, code) in [("[1, {\"a\": \"b\"}]", 0), ("[1, {\"a\" \"b\"}]", 1)] {
            let ran = run(jsonx(&["validate"])
                .env("JSONX_KERNEL", kernel)
                .write_stdin(text));
            assert_eq!(ran.code, code, "{kernel}");
        }
    }
}

#[test]
fn an_unknown_kernel_is_wrong_usage() {
    for kernel in ["sse9", "AVX2", "swar ", "\x1b[31m"] {
        let ran = run(jsonx(&["validate"])
            .env("JSONX_KERNEL", kernel)
            .write_stdin("1"));
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{kernel}");
        assert!(
            ran.err.starts_with("jsonx: JSONX_KERNEL: ") && !ran.err.contains('\x1b'),
            "{}",
            ran.err
        );
    }
    assert_eq!(
        run(jsonx(&["validate"])
            .env("JSONX_KERNEL", "")
            .write_stdin("1"))
        .code,
        0
    );
}

#[test]
fn colours_come_when_they_are_wanted() {
    let bad = "[1 2]";
    let colored = |ran: crate::Ran| {
        assert_eq!(ran.code, 1);
        let plain: String = strip(&ran.out);
        assert!(
            plain.starts_with("error[missing-comma]: ") && plain.contains("\n1 | [1 2]\n"),
            "{plain}"
        );
        ran.out.contains('\x1b')
    };
    assert!(!colored(piped(&["validate"], bad)));
    assert!(colored(piped(&["validate", "--color", "always"], bad)));
    assert!(!colored(piped(&["validate", "--color", "never"], bad)));
    assert!(colored(run(jsonx(&["validate"])
        .env("CLICOLOR_FORCE", "1")
        .write_stdin(bad))));
    let both = run(jsonx(&["validate", "--color=never"])
        .env("CLICOLOR_FORCE", "1")
        .write_stdin(bad));
    assert!(!colored(both));
}

/// Without `ESC [ … m`.
fn strip(text: &str) -> String {
    let mut plain = String::new();
    for (index, part) in text.split("\x1b[").enumerate() {
        plain.push_str(if index == 0 {
            part
        } else {
            part.split_once('m').expect("a colour").1
        });
    }
    plain
}
