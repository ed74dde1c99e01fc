//! `jsonx explain`.

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
        // What a limit protects from is too long for an example.
        let shown = format!("[{code}]: ");
        assert!(
            ran.out.contains(&shown) || code == "schema/limit",
            "{}",
            ran.out
        );
        assert!(ran.out.contains("\nRight:\n"), "{}", ran.out);
    }
}

#[test]
fn the_guide_to_paths_is_at_hand() {
    let ran = piped(&["explain", "paths"], "");
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    assert!(ran.out.starts_with("# Paths\n") && ran.out.contains("## Shell quoting"));
}

#[test]
fn an_unknown_code_is_wrong_usage_and_the_nearest_is_named() {
    for (name, advice) in [
        ("trailing-coma", "did you mean trailing-comma?"),
        ("Missing_Comma", "did you mean missing-comma?"),
        ("zzz", "`jsonx explain` lists all codes"),
    ] {
        let ran = piped(&["explain", name], "");
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{name}");
        assert_eq!(
            ran.err,
            format!("jsonx: there is no code {name}; {advice}\n")
        );
    }
    let ran = piped(&["explain", "\x1b[31m"], "");
    assert!(ran.code == 2 && !ran.err.contains('\x1b'), "{:?}", ran.err);
}

#[test]
fn colours_come_when_they_are_wanted() {
    let plain = piped(&["explain", "single-quotes"], "");
    let colored = piped(&["explain", "single-quotes", "--color=always"], "");
    assert!(!plain.out.contains('\x1b') && colored.out.contains('\x1b'));
    let forced = run(jsonx(&["explain", "single-quotes"])
        .env("CLICOLOR_FORCE", "1")
        .write_stdin(""));
    assert_eq!(forced, colored);
}
