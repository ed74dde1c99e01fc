//! Output on a terminal, and bytes that must not reach it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use crate::hostile::{binary, ended};
use crate::{Folder, jsonx, piped, run};

/// A pseudo-terminal: the side of the program, and the side of the user.
pub(super) fn terminal() -> (File, File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap();
    let program = File::options()
        .read(true)
        .write(true)
        .open(OsStr::from_bytes(name.as_bytes()))
        .unwrap();
    (program, File::from(person))
}

/// The terminal output of a run whose standard input is not the terminal.
pub(super) fn seen(command: &mut Command) -> (String, Option<i32>) {
    seen_on(terminal(), command)
}

fn seen_on((program, mut person): (File, File), command: &mut Command) -> (String, Option<i32>) {
    command.stdout(program);
    let code = command.status().unwrap().code();
    command.stdout(Stdio::null());
    let mut shown = Vec::new();
    let mut piece = [0; 1024];
    // Reading a terminal fails with EIO once its other side is closed.
    while let Ok(n @ 1..) = person.read(&mut piece) {
        shown.extend_from_slice(&piece[..n]);
    }
    (String::from_utf8(shown).unwrap().replace('\r', ""), code)
}

#[test]
fn at_a_terminal_the_program_alone_prints_its_help() {
    let (program, _person) = terminal();
    let ran = binary().stdin(program).output().unwrap();
    assert_eq!((ran.status.code(), ran.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("Usage: jsonx"));
}

#[test]
fn hostile_names_and_texts_do_not_reach_the_terminal() {
    let folder = Folder::with(&[]);
    let harmless = |text: &str| {
        text.chars()
            .all(|c| c == '\n' || (!c.is_control() && c != '\u{202e}'))
    };
    for name in [
        &b"\xff.json"[..],
        b"\x1b[31m.json",
        b"a\nb.json",
        "\u{202e}gpj.json".as_bytes(),
        b"\xc2\x9b1m",
    ] {
        let name = OsStr::from_bytes(name);
        let missing = run(jsonx(&["validate"])
            .current_dir(folder.0.path())
            .arg(name)
            .write_stdin(""));
        assert_eq!(missing.code, 4);
        assert_eq!(missing.err.lines().count(), 1, "{}", missing.err);
        assert!(harmless(&missing.err), "{:?}", missing.err);
        if std::fs::write(
            folder.0.path().join(name),
            b"[\"\x1b[2J\xc2\x9b31m\xe2\x80\xae\"]",
        )
        .is_err()
        {
            continue; // Not every file system has every name.
        }
        let found = run(jsonx(&["validate"])
            .current_dir(folder.0.path())
            .arg(name)
            .write_stdin(""));
        assert_eq!(found.code, 1);
        assert!(harmless(&found.out), "{:?}", found.out);
        let looked = run(jsonx(&["get", ".a"])
            .current_dir(folder.0.path())
            .arg(name)
            .write_stdin(""));
        assert_eq!(
            (looked.code, harmless(&looked.err)),
            (3, true),
            "{:?}",
            looked.err
        );
        for args in [
            &["fmt"][..],
            &["fmt", "--write"],
            &["fmt", "--check"],
            &["fmt", "--diff"],
        ] {
            let formatted = run(jsonx(args)
                .current_dir(folder.0.path())
                .arg(name)
                .write_stdin(""));
            let message = formatted.out + &formatted.err;
            assert_eq!(
                (formatted.code, harmless(&message)),
                (3, true),
                "{args:?} {message:?}"
            );
        }
        // File names are written unchanged to pipes, and escaped to a terminal.
        std::fs::write(folder.0.path().join(name), "[ \"\u{9b}31m\u{202e}\"]").unwrap();
        for args in [
            &["fmt", "--check"][..],
            &["fmt", "--diff"],
            &["validate", "--verbose"],
            &["fmt"],
        ] {
            let mut command = binary();
            command.current_dir(folder.0.path()).stdin(Stdio::null());
            let (shown, code) = seen(command.args(args).arg("--color=never").arg(name));
            assert!(code <= Some(1) && harmless(&shown), "{args:?} {shown:?}");
        }
    }
    let ran = run(jsonx(&["get"])
        .arg(OsStr::from_bytes(b".\xff"))
        .write_stdin("{}"));
    assert_eq!(ran.code, 2);
}

#[test]
fn without_a_file_and_with_a_terminal_there_is_nothing_to_do() {
    for args in [&["validate"][..], &["fmt"], &["get", ".a"]] {
        let (program, _person) = terminal();
        let mut command = binary();
        command
            .args(args)
            .stdin(program)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let ran = ended(command.spawn().unwrap());
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(
            ran.err.contains("standard input is a terminal") && ran.err.contains("Usage:"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_file_where_the_value_should_be_is_noticed_in_a_pipe_and_at_a_terminal() {
    let folder = Folder::with(&[("a.json", b"{}")]);
    let advice =
        "a.json is the value here; the file comes after it: jsonx set .version 1.2.5 a.json\n";
    let args = ["set", ".version=1.2.5", "a.json"];
    let (program, _person) = terminal();
    for stdin in [Stdio::from(program), Stdio::null()] {
        let mut command = binary();
        command.args(args).current_dir(folder.0.path()).stdin(stdin);
        let ran = ended(
            command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap(),
        );
        assert!(ran.code > 1 && ran.err.contains(advice), "{}", ran.err);
    }
}

#[test]
fn a_file_where_the_path_should_be_is_noticed_at_a_terminal() {
    let folder = Folder::with(&[("config.json", b"{}")]);
    let (program, _person) = terminal();
    let mut command = binary();
    command.arg("get").arg(folder.path("config.json"));
    let ran = ended(
        command
            .stdin(program)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert!(
        ran.err
            .ends_with("is the name of a file; the path comes first: jsonx get PATH FILE\n"),
        "{}",
        ran.err
    );
}

#[test]
fn terminals_get_a_hint_at_explain() {
    for (text, code) in [
        ("[1,]", "trailing-comma"),
        // After a warning.
        ("[12345678901234567890, 1,]", "trailing-comma"),
        (
            "{\"a\": 12345678901234567890, \"b\": [1 2]}",
            "missing-comma",
        ),
    ] {
        let folder = Folder::with(&[("bad.json", text.as_bytes())]);
        let mut command = binary();
        command
            .stdin(Stdio::null())
            .args(["validate", "--color=never"])
            .arg(folder.path("bad.json"));
        let (shown, exit) = seen(&mut command);
        assert_eq!(exit, Some(1));
        let end = format!("1 file checked\nfor more about a code: jsonx explain {code}\n");
        assert!(shown.ends_with(&end), "{shown}");
    }
}

/// A terminal with a number of rows and 80 columns.
fn screen(rows: u16) -> (File, File) {
    sized(rows, 80)
}

fn sized(rows: u16, columns: u16) -> (File, File) {
    let (program, person) = terminal();
    let size = rustix::termios::Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    rustix::termios::tcsetwinsize(&person, size).unwrap();
    (program, person)
}

/// A pager that marks each line.
fn paged(args: &[&str]) -> Command {
    let mut command = binary();
    command.stdin(Stdio::null()).args(args);
    command.env("PAGER", "sed 's/^/> /'");
    command
}

#[test]
fn guides_are_text_of_the_width_in_a_pager_if_longer_than_the_screen() {
    let guide = include_str!("../../../../docs/formatting.md");
    for (rows, mark) in [(24, "> "), (2000, "")] {
        let mut command = paged(&["help", "formatting"]);
        command.env("NO_COLOR", "1");
        let (shown, code) = seen_on(screen(rows), &mut command);
        assert_eq!(code, Some(0));
        assert!(shown.lines().all(|line| line.starts_with(mark)));
        let text = shown.replace(mark, "");
        assert!(text.starts_with("Formatting\n\nBy default"), "{text}");
        assert!(!text.contains("```") && !text.contains("**"), "{text}");
        // Examples are not wrapped.
        let wide = text
            .lines()
            .filter(|line| !line.starts_with("    ") && line.len() > 80);
        assert_eq!(wide.count(), 0);
    }
    // In a pipe it is the Markdown.
    assert_eq!(run(&mut jsonx(&["help", "formatting"])).out, guide);
    // Without a pager it is printed.
    let mut command = paged(&["help", "formatting"]);
    command.env("PAGER", "no-such-pager 2> /dev/null");
    let (shown, code) = seen_on(screen(24), &mut command);
    assert_eq!(code, Some(0));
    assert!(shown.contains("By default"));
}

#[test]
fn ctrl_c_in_a_pager_is_for_the_pager() {
    let mut command = paged(&["help", "formatting"]);
    // To the process that waits for the pager.
    command
        .env("PAGER", "kill -INT $PPID; cat")
        .env("NO_COLOR", "1");
    let (shown, code) = seen_on(screen(24), &mut command);
    assert_eq!(code, Some(0));
    assert!(shown.starts_with("Formatting\n"), "{shown}");
}

#[test]
fn terminals_are_told_that_an_edit_was_only_printed() {
    let patch = br#"[{"op": "add", "path": "/b", "value": 1}]"#;
    let folder = Folder::with(&[("a.json", b"{\"a\": 1,}"), ("p.json", patch)]);
    for (args, is_told) in [
        (&["fix", "a.json"][..], true),
        (&["fix", "-w", "a.json"], false),
        (&["set", ".a", "2", "a.json"], true),
        (&["set", ".a", "2", "a.json", "-q"], false),
        (&["del", ".a", "a.json"], true),
        (&["patch", "p.json", "a.json"], true),
        (&["fmt", "a.json"], false),
        (&["set", ".a", "2", "a.json", "-w"], false),
    ] {
        let (program, _person) = terminal();
        let mut command = binary();
        command.current_dir(folder.0.path()).args(args);
        let command = command.stdin(Stdio::null()).stdout(program);
        let ran = ended(command.stderr(Stdio::piped()).spawn().unwrap());
        let line = "jsonx: a.json is unchanged; -w writes the result to it\n";
        assert_eq!(ran.err.ends_with(line), is_told, "{args:?} {}", ran.err);
    }
}

#[test]
fn text_for_a_terminal_is_shown_harmless_and_for_a_pipe_is_itself() {
    let text = br#"{"a": "\u001b[31mred\u202e\ttab\nline"}"#;
    let folder = Folder::with(&[("a.json", text)]);
    assert_eq!(
        folder.run(&["get", "-r", ".a", "a.json"]).out,
        "\u{1b}[31mred\u{202e}\ttab\nline\n"
    );

    let mut command = binary();
    command
        .stdin(Stdio::null())
        .args(["get", "-r", ".a"])
        .arg(folder.path("a.json"));
    let (shown, code) = seen(&mut command);
    assert_eq!(code, Some(0));
    assert_eq!(shown, "\u{241b}[31mred<U+202E>\ttab\nline\n");
}

/// Of a merge: what it prints of ours, of theirs if ours is the base, and its conflicts.
#[test]
fn a_merge_is_shown_harmless_and_for_a_pipe_is_itself() {
    let text = |number| format!("{{\"a\": \"\u{9b}31m\u{202e}\u{7f}\", \"b\": {number}}}");
    let folder = Folder::with(&[
        ("base", text(1).as_bytes()),
        ("ours", text(2).as_bytes()),
        ("theirs", text(3).as_bytes()),
    ]);
    for (files, number, code) in [
        (["base", "ours", "base"], 2, 0),
        (["base", "base", "theirs"], 3, 0),
        (["base", "ours", "theirs"], 2, 1),
    ] {
        let args = [&["merge"], &files[..]].concat();
        let (shown, exit) = seen(binary().args(&args).current_dir(folder.path("")));
        let escaped = format!("{{\"a\": \"\\u009b31m\\u202e\\u007f\", \"b\": {number}}}");
        assert_eq!((shown.trim_end(), exit), (&*escaped, Some(code)));
        assert_eq!(folder.run(&args).out, text(number));
    }
}

#[test]
fn json_is_colored_where_it_is_seen() {
    let text = "{\"a\":[1,null]}";
    let always = [
        piped(&["get", "-c", ".", "--color=always"], text),
        piped(&["fmt", "-c", "--color=always"], text),
    ];
    let expected = concat!(
        "\u{1b}[1;39m{\u{1b}[0m\u{1b}[1;34m\"a\"\u{1b}[0m\u{1b}[1;39m:\u{1b}[0m\u{1b}[1;39m[\u{1b}[0m",
        "\u{1b}[0;39m1\u{1b}[0m\u{1b}[1;39m,\u{1b}[0m\u{1b}[0;90mnull\u{1b}[0m\u{1b}[1;39m]\u{1b}[0m",
        "\u{1b}[1;39m}\u{1b}[0m\n"
    );
    for ran in always {
        assert_eq!((ran.out.as_str(), ran.code), (expected, 0));
    }
    // A pipe is colored only if that is forced.
    for args in [&["get", "-c", "."][..], &["fmt", "-c"]] {
        assert_eq!(piped(args, text).out, "{\"a\":[1,null]}\n");
        let ran = run(jsonx(args).env("CLICOLOR_FORCE", "1").write_stdin(text));
        assert_eq!(ran.out, expected);
        let never = [args, &["--color=never"]].concat();
        let ran = run(jsonx(&never).env("CLICOLOR_FORCE", "1").write_stdin(text));
        assert_eq!(ran.out, "{\"a\":[1,null]}\n");
        let ran = run(jsonx(args)
            .args(["--color=always"])
            .env("JQ_COLORS", "0;31")
            .write_stdin("null"));
        assert_eq!(ran.out, "\u{1b}[0;31mnull\u{1b}[0m\n");
    }
    let ran = piped(&["fmt", "--canonical", "--color=always"], "1");
    assert_eq!(ran.out, "\u{1b}[0;39m1\u{1b}[0m");
    // Decoded strings are text.
    assert_eq!(
        piped(&["get", "-r", ".", "--color=always"], "\"a\"").out,
        "a\n"
    );
}

#[cfg(feature = "jq")]
#[test]
fn programs_print_no_control_characters_on_a_terminal() {
    let text = r#"{"k": "\u001b[31mE\u0007\r\t", "raw": "\u009b31m\u202e\u2066\u007f"}"#;
    let text = text
        .replace("\\u009b", "\u{9b}")
        .replace("\\u202e", "\u{202e}");
    let folder = Folder::with(&[("k.json", text.as_bytes())]);
    for args in [
        &["."][..],
        &["-C", "."],
        &["--tab", "."],
        &["-r", ".k, .raw"],
        &["-j", ".k"],
        &[".k, .raw | debug | empty"],
        &[".k, .raw | stderr | empty"],
        &[".k | halt_error"],
        &["{raw} | halt_error"],
        &[".raw | error"],
    ] {
        let (program, person) = terminal();
        let script = r#"exec "$0" jq "$@" k.json 2>&1"#;
        let mut command = Command::new("sh");
        command
            .args(["-c", script, env!("CARGO_BIN_EXE_jsonx")])
            .args(args)
            .current_dir(folder.0.path())
            .stdin(Stdio::null());
        let (shown, _) = seen_on((program, person), &mut command);
        let shown = anstream::adapter::strip_str(&shown).to_string();
        let is_harmless = |c: char| {
            matches!(c, '\n' | '\t') || !c.is_control() && !matches!(c, '\u{202e}' | '\u{2066}')
        };
        assert!(shown.chars().all(is_harmless), "{args:?}: {shown:?}");
        assert!(!shown.is_empty(), "{args:?}");
    }
}

/// Tables have a bold header, numbers on the right and cells that fit; counts have bars; a difference names its files once.
#[test]
fn tables_counts_and_differences_fit_the_terminal() {
    let long = "abcdefghij ".repeat(8);
    let records = format!(
        "{{\"s\":\"{long}\",\"n\":22.5}}\n{{\"s\":\"日本語\",\"n\":1}}\n{{\"s\":\"日本語\",\"n\":-3}}\n"
    );
    let folder = Folder::with(&[
        ("a.jsonl", records.as_bytes()),
        ("old.json", br#"{"a": 1, "b": [1, 2], "c": "x"}"#),
        ("new.json", br#"{"a": 2, "b": [1, 3], "c": "x"}"#),
    ]);
    let mut shown = String::new();
    for (columns, color) in [(60, "1"), (80, ""), (120, "")] {
        for args in [
            &["jq", ".", "--table", "a.jsonl"][..],
            &["jq", "-r", ".s", "--tally", "a.jsonl"],
            &["jq", ".s", "--tally", "--table", "a.jsonl"],
            &["shape", "a.jsonl"],
            &["diff", "old.json", "new.json"],
        ] {
            let mut command = binary();
            command.current_dir(folder.path("")).args(args);
            command.env("TERM", "xterm").stdin(Stdio::null());
            command.env_remove("CLICOLOR_FORCE");
            match color {
                "" => command.env("NO_COLOR", "1"),
                _ => command.env_remove("NO_COLOR"),
            };
            let (text, _) = seen_on(sized(40, columns), &mut command);
            let text = text.replace('\x1b', "^");
            let widest = text.lines().map(jsonx_cli::report::width_of).max();
            assert!(
                !color.is_empty() || widest.unwrap() <= usize::from(columns),
                "{text}"
            );
            shown += &format!("{columns}: jsonx {}\n{text}\n", args.join(" "));
        }
    }
    insta::assert_snapshot!(shown);
}
