//! Logs: JSON Lines with broken records, by name, by content and through pipes.

use crate::{Folder, headlines, piped};

/// The second record lacks a bracket, and the last one is truncated, as in a file that is being written.
const LOG: &str = "{\"a\": 1}\n{\"a\": 2\n\n{\"a\": 3}\n{\"a\": 4}\n{\"a\": ";

#[test]
fn get_goes_on_after_a_broken_record() {
    let folder = Folder::with(&[("app.jsonl", LOG.as_bytes()), ("app.log", LOG.as_bytes())]);
    let expected = |name: &str| {
        [
            format!("error[unclosed-bracket] {name}:2:8 (record 2)"),
            format!("error[truncated-input] {name}:6:6 (record 5)"),
        ]
    };
    for file in ["app.jsonl", "app.log"] {
        let ran = folder.run(&["get", ".a", file]);
        assert_eq!((ran.out.as_str(), ran.code), ("1\n3\n4\n", 3));
        assert_eq!(headlines(&ran.err), expected(file));
    }
    for kind in ["--input=auto", "--input=jsonl"] {
        let ran = piped(&["get", ".a", kind], LOG);
        assert_eq!((ran.out.as_str(), ran.code), ("1\n3\n4\n", 3));
        assert_eq!(headlines(&ran.err).len(), 2, "{}", ran.err);
    }
}

#[test]
fn options_of_get_that_need_positions_or_stop_early_go_on_too() {
    let folder = Folder::with(&[("app.jsonl", LOG.as_bytes())]);
    for (options, out, code) in [
        (
            &["--locate"][..],
            "app.jsonl:1:7\napp.jsonl:4:7\napp.jsonl:5:7\n",
            3,
        ),
        (&["--limit", "2"], "1\n3\n", 3),
        (&["--count"], "3\n", 3),
        (&["--with-path"], ".a\t1\n.a\t3\n.a\t4\n", 3),
        (&["--quiet"], "", 3),
    ] {
        let args = [&["get", ".a", "app.jsonl"], options].concat();
        let ran = folder.run(&args);
        assert_eq!((ran.out.as_str(), ran.code), (out, code), "{options:?}");
    }
}

#[test]
fn fmt_goes_on_after_a_broken_record() {
    let folder = Folder::with(&[("app.jsonl", LOG.as_bytes()), ("app.log", LOG.as_bytes())]);
    for file in ["app.jsonl", "app.log"] {
        let ran = folder.run(&["fmt", file]);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            ("{\"a\":1}\n{\"a\":3}\n{\"a\":4}\n", 3)
        );
        assert_eq!(headlines(&ran.err).len(), 2);
        // A file is never rewritten without some of its records.
        let ran = folder.run(&["fmt", "-w", file]);
        assert_eq!(ran.code, 3);
        assert_eq!(std::fs::read_to_string(folder.path(file)).unwrap(), LOG);
    }
    let ran = piped(&["fmt", "-c"], LOG);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("{\"a\":1}\n{\"a\":3}\n{\"a\":4}\n", 3)
    );
    let ran = piped(&["fmt", "--input=jsonl", "-S"], LOG);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("{\"a\":1}\n{\"a\":3}\n{\"a\":4}\n", 3)
    );
    // Newlines separate the lines of the canonical form, even if lines are skipped.
    let ran = piped(&["fmt", "--canonical"], LOG);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("{\"a\":1}\n{\"a\":3}\n{\"a\":4}", 3)
    );
}

#[test]
fn skipped_records_are_warnings() {
    let folder = Folder::with(&[("app.jsonl", LOG.as_bytes()), ("no.jsonl", b"{\n[\n")]);
    for args in [
        &["get", "--skip-invalid", ".a"][..],
        &["fmt", "--skip-invalid"],
    ] {
        let ran = folder.run(&[args, &["app.jsonl"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let found = headlines(&ran.err);
        assert_eq!(
            found[0],
            "warning[unclosed-bracket] app.jsonl:2:8 (record 2)"
        );
        assert_eq!(found.len(), 2);
        let ran = piped(args, LOG);
        assert_eq!((ran.code, headlines(&ran.err).len()), (0, 2), "{}", ran.err);
        // No record remains.
        let ran = folder.run(&[args, &["no.jsonl"]].concat());
        assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    }
    let ran = folder.run(&["fmt", "--skip-invalid", "-w", "app.jsonl"]);
    assert_eq!(ran.code, 2);
}

#[test]
fn broken_records_of_a_long_log_are_found_on_any_number_of_threads() {
    let mut log = String::new();
    for number in 0..200_000 {
        log += &match number {
            70_000 => "{\"n\": 70000,}\n".to_owned(),
            150_000 => "not a record\n".to_owned(),
            _ => format!("{{\"n\": {number}}}\n"),
        };
    }
    let folder = Folder::with(&[("long.jsonl", log.as_bytes())]);
    let one = folder.run(&["get", ".n", "long.jsonl", "--threads=1"]);
    assert_eq!((one.out.lines().count(), one.code), (199_998, 3));
    let places = headlines(&one.err);
    assert_eq!(places.len(), 2, "{}", one.err);
    assert!(
        places[0].ends_with("long.jsonl:70001:12 (record 70001)"),
        "{places:?}"
    );
    assert!(places[1].contains("long.jsonl:150001:1 "), "{places:?}");
    assert_eq!(folder.run(&["get", ".n", "long.jsonl", "--threads=3"]), one);
    let pipe = piped(&["get", ".n"], &log);
    assert_eq!((pipe.out, pipe.code), (one.out, 3));
    assert_eq!(headlines(&pipe.err).len(), 2);
    let formatted = folder.run(&["fmt", "long.jsonl"]);
    assert_eq!(
        (formatted.out.lines().count(), formatted.code),
        (199_998, 3)
    );
}

#[test]
fn one_value_per_line_is_detected_as_json_lines() {
    let lines = b"{\"a\": 1}\n{\"a\": 2}\n";
    let folder = Folder::with(&[("app.log", lines), ("two.json", b"{\"a\": 1}\n[\n2\n]\n")]);
    let ran = folder.run(&["get", ".a", "app.log"]);
    assert_eq!(
        (ran.out.as_str(), ran.err.as_str(), ran.code),
        ("1\n2\n", "", 0)
    );
    let ran = folder.run(&["fmt", "-v", "app.log"]);
    assert_eq!((ran.out.as_str(), ran.code), ("{\"a\":1}\n{\"a\":2}\n", 0));
    assert!(
        ran.err
            .contains("app.log: several values: read as a stream"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["fmt", "-v", "-w", "app.log"]);
    assert!(ran.err.contains("read as a stream"), "{}", ran.err);
    let written = std::fs::read_to_string(folder.path("app.log")).unwrap();
    assert_eq!(written, "{\"a\":1}\n{\"a\":2}\n");
    // An explicit `--input` counts.
    assert_eq!(
        folder.run(&["get", ".a", "--input=json", "app.log"]).code,
        3
    );
    let ran = folder.run(&["get", ".a", "two.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("1\n", 0));
}

/// A log is JSON Lines for the commands that take one document per file, too.
#[test]
fn a_log_is_json_lines_also_where_a_file_is_one_document() {
    let log = "start\n{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3, \"b\": \"c";
    let fixed = "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3, \"b\": \"c\"}";
    let names = ["a.log", "a.jsonl", "a.ndjson", "log"];
    let mut files: Vec<_> = names.map(|name| (name, log.as_bytes())).into();
    files.push(("valid.log", b"{\"a\": 1}\n{\"a\": 2}\n"));
    files.push(("valid.json", b"{\"a\": 1}\n{\"a\": 2}\n"));
    files.push(("other", b"{\"a\": 1}\n{\"a\": 3}\n"));
    files.push(("schema.json", b"{\"type\": \"object\"}"));
    let folder = Folder::with(&files);
    for name in names {
        for args in [&[][..], &["--schema", "schema.json"]] {
            let ran = folder.run(&[&["validate", name], args].concat());
            assert_eq!(
                ran.out.matches("(record ").count(),
                2,
                "{name}: {}",
                ran.out
            );
        }
        let ran = folder.run(&["fix", "--all", name]);
        assert_eq!((&ran.out[..], ran.code), (fixed, 0), "{name}: {}", ran.err);
        assert_eq!(ran.err.matches(": assumed").count(), 3, "{}", ran.err);
        assert_eq!(folder.run(&["fix", "--all", "-w", name]).code, 0);
        assert_eq!(std::fs::read_to_string(folder.path(name)).unwrap(), fixed);
    }
    // All records on one line.
    for name in ["one.log", "one.jsonl", "one.ndjson"] {
        std::fs::write(folder.path(name), "{\"a\": 1}{\"a\": 2}").unwrap();
        let ran = folder.run(&["fix", "--all", name]);
        assert_eq!(ran.out, "{\"a\": 1}\n{\"a\": 2}", "{name}: {}", ran.err);
    }
    let ran = piped(&["fix", "--all"], log);
    assert_eq!((&ran.out[..], ran.code), (fixed, 0), "{}", ran.err);
    std::fs::write(folder.path("one.log"), "{\"a\": 1}\n").unwrap();
    for (args, code) in [
        (&["validate", "valid.log"][..], 0),
        (&["validate", "--schema", "schema.json", "valid.log"], 0),
        (&["fix", "valid.log"], 0),
        (&["diff", "valid.log", "other"], 1),
        (&["merge", "valid.log", "valid.log", "other"], 2),
        // A document on one line.
        (&["merge", "one.log", "one.log", "one.log"], 0),
        // The name or the option decides.
        (&["validate", "valid.json"], 1),
        (&["validate", "--input", "json", "valid.log"], 1),
    ] {
        assert_eq!(folder.run(args).code, code, "{args:?}");
    }
}

#[test]
fn values_that_span_lines_are_still_a_stream() {
    let stream = "{\"a\": 1}\n{\"a\": 2}\n{\n  \"a\": 3\n}\n{\"a\":\n4}\n";
    let ran = piped(&["get", ".a"], stream);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("1\n2\n3\n4\n", 0),
        "{}",
        ran.err
    );
    let ran = piped(&["fmt", "-c"], stream);
    let expected = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"a\":4}\n";
    assert_eq!((ran.out.as_str(), ran.code), (expected, 0), "{}", ran.err);
}

/// Each command prints the same output and errors for a log from any source.
#[test]
fn a_log_is_the_same_from_every_source() {
    let mut log = String::new();
    for number in 0..9000 {
        log += &match number % 5 {
            3 => format!("{{\"n\" {number}}}\n"),
            _ => format!("{{\"n\": {number}, \"text\": \"{}\"}}\n", "x".repeat(30)),
        };
    }
    let folder = Folder::with(&[("app.jsonl", log.as_bytes())]);
    // The output and the positions of errors, without the name of the input.
    let seen = |out: &str, err: &str| {
        let unnamed = |text: &str| text.replace("app.jsonl", "-").replace("<stdin>", "-");
        let output = if err.is_empty() { "" } else { out };
        (headlines(&unnamed(&format!("{out}{err}"))), unnamed(output))
    };
    for command in [
        &["get", ".n"][..],
        &["get", ".n", "--locate"],
        &["get", ".n", "--limit=5000"],
        &["get", "--count", ".n"],
        &["jq", ".n", "--csv"],
        &["fmt", "-c"],
        &["jq", "-c", ".n"],
        &["jq", "--skip-invalid", "-c", ".n"],
        &["jq", "--skip-invalid", "-c", "[., input_line_number]"],
        &["jq", "--skip-invalid", "-n", "-c", "[inputs.n] | length"],
        &["validate"],
    ] {
        for (limit, threads, shown) in [("0", "3", 1800), ("3", "3", 3), ("3", "1", 3)] {
            let options = ["--input=jsonl", "--max-errors", limit, "--threads", threads];
            let args = [command, &options].concat();
            let ran = folder.run(&[&args[..], &["app.jsonl"]].concat());
            let expected = seen(&ran.out, &ran.err);
            // As in jq, nothing is read after the error.
            let stops = command[0] == "jq" && command[1] != "--skip-invalid";
            let shown = if stops { 1 } else { shown };
            assert_eq!(expected.0.len(), shown, "{args:?}");
            let ran = piped(&args, &log);
            assert!(seen(&ran.out, &ran.err) == expected, "{args:?}: a pipe");
            let ran = std::process::Command::new(env!("CARGO_BIN_EXE_jsonx"))
                .args(&args)
                .stdin(std::fs::File::open(folder.path("app.jsonl")).unwrap())
                .output()
                .unwrap();
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            let (out, err) = (text(ran.stdout), text(ran.stderr));
            assert!(seen(&out, &err) == expected, "{args:?}: a redirection");
        }
    }
}

/// Redirected files have the same records as named ones, although their kind is detected while reading.
#[test]
fn a_program_of_jq_sees_the_records_of_redirected_logs() {
    let log = "{\"a\": 1}\n{\"a\": 2}\n{\"a\" 3}\n{\"a\": 4}\n";
    let spanning = "{\"a\": 1}\n{\"a\": 2}\n{\n  \"a\":\n 3}\n[1]\n";
    let folder = Folder::with(&[
        ("broken", log.as_bytes()),
        ("spanning", spanning.as_bytes()),
    ]);
    for (file, text, out, places) in [
        (
            "broken",
            log,
            // As in jq, nothing is read after the error.
            "1\n2\n",
            vec!["error[missing-colon] -:3:5 (record 3)"],
        ),
        ("spanning", spanning, "1\n2\n3\n", vec![]),
    ] {
        let redirected = std::process::Command::new(env!("CARGO_BIN_EXE_jsonx"))
            .args(["jq", ".a"])
            .stdin(std::fs::File::open(folder.path(file)).unwrap())
            .output()
            .unwrap();
        let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("<stdin>", "-");
        let piped = piped(&["jq", ".a"], text);
        let redirected = (text_of(&redirected.stdout), text_of(&redirected.stderr));
        for (printed, errors) in [(piped.out, piped.err.replace("<stdin>", "-")), redirected] {
            assert_eq!(
                (&*printed, headlines(&errors)),
                (out, places.iter().map(|it| it.to_string()).collect())
            );
            if file == "spanning" {
                assert!(errors.contains("-:6:1 (.): "), "{errors}");
            }
        }
    }
}
