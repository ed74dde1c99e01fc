//! `jsonx explain`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::{jsonx, piped, run};

#[test]
fn every_code_that_is_listed_is_explained() {
    let list = piped(&["explain"], "");
    assert_eq!((list.err.as_str(), list.code), ("", 0));
    let codes: Vec<&str> = list
        .out
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(codes.len() > 40, "{}", list.out);
    for code in codes {
        let ran = piped(&["explain", code], "");
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{code}");
        assert!(ran.out.starts_with(&format!("{code} (")), "{}", ran.out);
        // An input that exceeds a limit is too long for an example.
        let shown = format!("[{code}]: ");
        assert!(
            ran.out.contains(&shown) || code == "schema/limit",
            "{}",
            ran.out
        );
        assert!(ran.out.contains("\nRight:\n"), "{}", ran.out);
    }
}

/// The index of the guides names each file of `docs/`, and the topic that prints it.
#[test]
fn every_guide_is_printed_by_its_topic() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let read = |name: &str| {
        let text = fs::read_to_string(docs.join(name)).expect(name);
        text.replace('\r', "")
    };
    let index = read("README.md");
    let mut named = BTreeSet::new();
    for row in index.lines().filter(|line| line.starts_with("| [")) {
        let (_, link) = row.split_once("](").expect("a link");
        let (file, rest) = link.split_once(") | `").expect("a topic");
        let topic = rest.split('`').next().unwrap_or_default();
        for command in ["help", "explain"] {
            let ran = piped(&[command, topic], "");
            assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{topic}");
            assert_eq!(ran.out, read(file), "{topic}");
        }
        let help = piped(&["help"], "").out;
        assert!(help.contains(&format!(" {topic}")), "{topic}: {help}");
        named.insert(file.to_owned());
    }
    let names = fs::read_dir(&docs).expect("docs");
    let names = names.map(|it| it.unwrap().file_name().into_string().unwrap());
    let guides = names.filter(|name| name.ends_with(".md") && name != "README.md");
    assert_eq!(guides.collect::<BTreeSet<_>>(), named);
}

#[test]
fn help_explains_unknown_commands() {
    let explained = piped(&["explain", "trailing-comma"], "");
    assert_eq!(piped(&["help", "trailing-comma"], ""), explained);
    let unknown = piped(&["help", "path"], "");
    assert_eq!((unknown.out.as_str(), unknown.code), ("", 2));
    assert_eq!(
        unknown.err,
        "jsonx: there is no code or topic path; did you mean paths?\n"
    );
    let command = piped(&["help", "get"], "");
    assert!(
        command
            .out
            .starts_with("Print the values that a path selects")
    );
}

#[test]
fn an_unknown_code_is_wrong_usage_and_the_nearest_is_named() {
    for (name, advice) in [
        ("trailing-coma", "did you mean trailing-comma?"),
        ("Missing_Comma", "did you mean missing-comma?"),
        ("tally", "--tally is an option: `jsonx help jq`"),
        (
            "zzz",
            "`jsonx explain` lists all codes, `jsonx help` all topics",
        ),
    ] {
        let ran = piped(&["explain", name], "");
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{name}");
        assert_eq!(
            ran.err,
            format!("jsonx: there is no code or topic {name}; {advice}\n")
        );
    }
    let ran = piped(&["explain", "\x1b[31m"], "");
    assert!(ran.code == 2 && !ran.err.contains('\x1b'), "{:?}", ran.err);
}

#[test]
fn a_word_that_describes_a_guide_names_it() {
    for (word, topic) in [
        ("logs", "checking"),
        ("Filters", "paths"),
        ("snippets", "ci"),
    ] {
        let guide = piped(&["help", topic], "");
        assert_eq!(guide.code, 0);
        assert_eq!(piped(&["help", word], ""), guide, "{word}");
    }
}

#[test]
fn colors_depend_on_option_terminal_and_environment() {
    let plain = piped(&["explain", "single-quotes"], "");
    let colored = piped(&["explain", "single-quotes", "--color=always"], "");
    assert!(!plain.out.contains('\x1b') && colored.out.contains('\x1b'));
    let forced = run(jsonx(&["explain", "single-quotes"])
        .env("CLICOLOR_FORCE", "1")
        .write_stdin(""));
    assert_eq!(forced, colored);
}

#[test]
fn a_code_is_explained_by_the_name_that_a_finding_has() {
    let explained = piped(&["explain", "trailing-comma"], "");
    assert_eq!(explained.code, 0);
    for name in [
        "error[trailing-comma]",
        "warning[trailing-comma]",
        "error[trailing-comma]:",
    ] {
        let ran = piped(&["explain", name], "");
        assert_eq!((ran.code, &ran.out), (0, &explained.out), "{name}");
    }
    for name in [
        "error[nope]",
        "note[trailing-comma]",
        "error[trailing-comma",
    ] {
        assert_eq!(piped(&["explain", name], "").code, 2, "{name}");
    }
}
