//! The number of threads: `--threads`, or fewer if the system refuses them.

#[cfg(target_os = "linux")]
use std::{
    io::Read,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{Folder, jsonx, piped, run};

/// The number of output bytes after which threads are counted. `get` searches the first 512 KiB of a file on one thread.
#[cfg(target_os = "linux")]
const PRINTED: usize = 1 << 20;

/// Asserts the number of threads of a run after [`PRINTED`] bytes of output. It blocks there, because its output exceeds
/// the pipe buffer; threads of an earlier pass may take a moment to exit.
#[cfg(target_os = "linux")]
#[track_caller]
fn assert_threads_while_printing(folder: &Folder, args: &[&str], expected: usize) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_jsonx"))
        .args(args)
        .current_dir(folder.0.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut vec![0; PRINTED]).unwrap();
    let tasks = format!("/proc/{}/task", child.id());
    let count = || std::fs::read_dir(&tasks).unwrap().count();
    let give_up = Instant::now() + Duration::from_secs(10);
    while count() != expected && Instant::now() < give_up {
        std::thread::sleep(Duration::from_millis(1));
    }
    let threads = count();
    drop(out);
    child.wait().unwrap();
    assert_eq!(threads, expected, "{args:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn one_thread_is_one_and_three_are_three_beside_the_one_that_prints() {
    let text = "x".repeat(4000);
    let array = format!("[{}0]", format!("\"{text}\",").repeat(1000)).into_bytes();
    let lines = format!("[\"{text}\"]\n").repeat(1000).into_bytes();
    let folder = Folder::with(&[("a.json", &array), ("a.jsonl", &lines)]);
    for (args, with_three) in [
        (&["fmt", "a.json"][..], 1),
        (&["fmt", "-c", "a.json"], 1),
        (&["fmt", "a.jsonl"], 4),
        (&["get", ".", "a.jsonl"], 4),
        (&["get", "$.*", "a.json"], 1),
    ] {
        let with = |threads: &'static str| [args, &["--threads", threads]].concat();
        assert_threads_while_printing(&folder, &with("1"), 1);
        assert_threads_while_printing(&folder, &with("3"), with_three);
    }
}

/// Matches with their paths are printed while other threads search for the next ones.
#[cfg(target_os = "linux")]
#[test]
fn get_uses_two_threads_from_16_mib_on() {
    let text = "x".repeat(4000);
    let array = format!("[{}0]", format!("\"{text}\",").repeat(4000));
    let of_length = |length| {
        let mut text = array.clone().into_bytes();
        text.resize(length, b' ');
        text
    };
    let (long, short) = (of_length(16 << 20), of_length((16 << 20) - 1));
    let folder = Folder::with(&[("long.json", &long), ("short.json", &short)]);
    for (file, threads, expected) in [
        ("long.json", "2", 3),
        ("long.json", "1", 1),
        ("short.json", "2", 1),
    ] {
        let args = ["get", "--with-path", "$[*]", file, "--threads", threads];
        assert_threads_while_printing(&folder, &args, expected);
    }
}

/// No stack of this size can be allocated, so every thread is refused.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn threads_that_are_refused_are_done_without() {
    let names = ["a.json", "b.json", "c.json", "d.json"];
    let folder = Folder::with(&names.map(|name| (name, &b"[1,]"[..])));
    let text = "x".repeat(4000);
    let array = format!("[{}0]", format!("\"{text}\",").repeat(1000));
    std::fs::write(folder.path("long.json"), &array).unwrap();
    std::fs::write(
        folder.path("long.jsonl"),
        format!("[\"{text}\"]\n").repeat(2200),
    )
    .unwrap();
    let refused = |args: &[&str]| {
        let huge = (1_u64 << 47).to_string();
        let mut command = jsonx(args);
        command.args(["--threads", "4"]);
        run(command
            .current_dir(folder.0.path())
            .env("RUST_MIN_STACK", huge))
    };
    for args in [
        &["validate", "--reporter=concise", "."][..],
        &["validate", "--reporter=concise", "long.jsonl"],
        &["fmt", "--check", "."],
        &["fmt", "-c", "long.json"],
        &["get", "--count", ".", "long.jsonl"],
    ] {
        let (refused, expected) = (refused(args), folder.run(args));
        assert!(refused == expected, "{args:?}: {}", refused.err);
    }
}

/// A file split for several threads gives the same result as with one thread, even if threads are refused.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn lookups_in_long_files_do_not_depend_on_threads() {
    let record = r#"{"id": 17, "text": "a, \\", "at": [[1, -2.5e3], []], "name": "x"}"#;
    let records = vec![record; 250_000].join(",\n");
    let text = format!("{{\"all\": [{records}], \"end\": {{\"id\": 3}}, \"none\": []}}\n");
    let broken = format!("{}]", &text[..text.len() - 3]);
    let twice = text.replace("none", "all");
    let folder = Folder::with(&[
        ("a.json", text.as_bytes()),
        ("broken.json", broken.as_bytes()),
        ("twice.json", twice.as_bytes()),
    ]);
    for args in [
        &["get", "$.all[-1]", "a.json"][..],
        &["get", ".all.249999.at", "--locate", "a.json"],
        &["get", "$.end.id", "$.all[249990:].id", "a.json"],
        &["get", "--count", "$..id", "a.json"],
        &["get", "--with-path", "$.all[-2:].at[0][1]", "a.json"],
        &["get", "--with-path", "$.all[240000:].at", "$..id", "a.json"],
        &["get", "--with-path", "$..b", "$.all[*].name", "a.json"],
        &["get", "--with-path", "$.all[249000:].id", "twice.json"],
        &["get", "$.all[*,249999].id", "a.json"],
        &["get", "$.all[-1].id", "broken.json"],
        &["shape", "-p", "$.all", "twice.json"],
        &["get", "$.all[?@.id == 17]", "--count", "a.json"],
        &["get", "$.all[?$.end.id == 4]", "a.json"],
        &["locate", "a.json:240000:17"],
        &["locate", "--offset", "17000000", "a.json"],
    ] {
        let one = run(jsonx(args)
            .args(["--threads", "1"])
            .current_dir(folder.0.path()));
        let three = run(jsonx(args)
            .args(["--threads", "3"])
            .current_dir(folder.0.path()));
        assert!(one.out.len() + one.err.len() > 0, "{args:?}");
        assert!(three == one, "{args:?}: {} {}", three.out, three.err);
    }
    let refused = |args| {
        run(jsonx(args)
            .args(["--threads", "3"])
            .current_dir(folder.0.path())
            .env("RUST_MIN_STACK", (1_u64 << 47).to_string()))
    };
    let args = ["get", "$.all[-1].id", "a.json"];
    assert_eq!(refused(&args).out, "17\n");
}

/// Several batches of JSON Lines, with lines that are broken, blank, or longer than a batch.
#[test]
fn lines_are_formatted_the_same_by_any_number_of_threads() {
    let record = "{\"b\": 1.50, \"a\": [1, \"\u{e9}\"]}\n";
    let long = format!("[{}0]\n", "10, ".repeat(700_000));
    let broken = "{\"b\": 1,}\n\n [1] \r\n";
    let text = [record, broken, &long, record].map(|part| match part.len() {
        length if length < 100 => part.repeat(20_000),
        _ => part.to_owned(),
    });
    let text = text.concat();
    let valid = text.replace("1,}", "1}");
    let twice = format!("{valid}{{\"a\": 1, \"a\": 2}}\n{valid}");
    let folder = Folder::with(&[
        ("broken.jsonl", text.as_bytes()),
        ("valid.jsonl", valid.trim_end().as_bytes()),
        ("twice.jsonl", twice.as_bytes()),
        ("marked.jsonl", format!("\u{feff}{valid}").as_bytes()),
    ]);
    for (args, code) in [
        (&["fmt", "broken.jsonl"][..], 3),
        (&["fmt", "--skip-invalid", "-S", "broken.jsonl"], 0),
        (&["fmt", "--ascii", "valid.jsonl"], 0),
        (&["fmt", "--canonical", "valid.jsonl"], 0),
        (&["fmt", "--canonical", "twice.jsonl"], 3),
        (&["fmt", "--eol=crlf", "marked.jsonl"], 0),
    ] {
        let one = folder.run(&[args, &["--threads=1"]].concat());
        assert_eq!(one.code, code, "{args:?}: {:.300}", one.err);
        let several = folder.run(&[args, &["--threads=3"]].concat());
        assert!(several == one, "{args:?}: {:.300}", several.err);
    }
}

/// If memory suffices for one thread, it suffices for `--threads`: fewer are started.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn memory_for_one_thread_is_memory_for_all() {
    let record = r#"{"id": 17, "text": "a, \\", "at": [[1, -2.5e3], []], "name": "x"}"#;
    let lines = format!("{record}\n").repeat(250_000);
    let text = format!("[{}0]", lines.replace('\n', ",\n"));
    let folder = Folder::with(&[("a.json", text.as_bytes()), ("a.jsonl", lines.as_bytes())]);
    let limited = |args: &[&str], threads: &str, megabytes: u32| {
        let command = format!(
            "ulimit -v {}; \"$0\" \"$@\" --threads {threads}; exit $?",
            megabytes << 10
        );
        let mut shell = assert_cmd::Command::new("sh");
        shell
            .args(["-c", &command, env!("CARGO_BIN_EXE_jsonx")])
            .args(args);
        run(shell.current_dir(folder.0.path()))
    };
    for args in [
        &["validate", "-v", "a.json"][..],
        &["get", "$[-2].at", "a.json"],
        &["get", "--count", ".at", "a.jsonl"],
        &["fmt", "-c", "a.json"],
    ] {
        let mut runs = (16..)
            .step_by(8)
            .map(|limit| (limit, limited(args, "1", limit)));
        let (enough, expected) = runs.find(|(_, run)| run.code < 4).unwrap();
        // For one thread, and for several.
        for more in [8, 400] {
            let several = limited(args, "4", enough + more);
            assert!(
                several == expected,
                "{args:?} {enough} and {more}: {}",
                several.err
            );
        }
    }
}

/// An array of at least `length` bytes, with all lints, in an object with equal keys at both ends.
fn with_findings(length: usize) -> String {
    let record = r#"{"id": 12345, "at": {"x": 1, "text": "a, \\\", [\"b\"]: c"}, "tags": [[], "\u00e9"]},
"#;
    let found = r#"{"id": 9007199254740993, "at": {"x": 1, "\u0078": "\ud800"}, "tags": [1e400], "id": 2},
"#;
    let block = record.repeat(1000) + found;
    let records = block.repeat(length / block.len() + 1);
    format!("{{\"all\": [\n{records}0], \"more\": {{}}, \"all\": 1}}\n")
}

/// A file that is just long enough to be checked in segments.
#[test]
fn findings_are_the_same_for_any_number_of_threads() {
    let text = with_findings(16 << 20);
    let broken = text.replacen("\"more\": {}", "\"more\": {]", 1);
    let folder = Folder::with(&[("a.json", text.as_bytes()), ("b.json", broken.as_bytes())]);
    for args in [
        &["validate", "-v", "--max-errors=3", "a.json"][..],
        &["validate", "--max-errors=0", "--reporter=json", "a.json"],
        &["validate", "b.json"],
    ] {
        let one = folder.run(&[args, &["--threads=1"]].concat());
        assert!(!one.out.is_empty() || !one.err.is_empty());
        let several = folder.run(&[args, &["--threads=3"]].concat());
        assert!(several == one, "{args:?}:\n{:.3000}", several.err);
        if cfg!(target_os = "linux") && args.contains(&"-v") {
            // No thread has a stack of this size.
            let mut command = jsonx(&[args, &["--threads=3"]].concat());
            command.env("RUST_MIN_STACK", (1_u64 << 47).to_string());
            let refused = run(command.current_dir(folder.0.path()));
            assert!(refused == one, "{:.3000}", refused.err);
        }
    }
}

/// Pipes that are long enough to be read in blocks.
#[test]
fn pipes_are_read_the_same_by_any_number_of_threads() {
    let text = with_findings(6 << 20);
    let broken = text.replacen("\"more\": {}", "\"more\": {]", 1);
    let record = "{\"id\": 12345, \"text\": \"a, [b]: c\", \"at\": [1, 2.5]}\n";
    let lines = format!("{}{{\"id\": 1e400}}\n{{]\n", record.repeat(10_000)).repeat(14);
    for (args, input) in [
        (&["validate", "-v"][..], &text),
        (&["validate", "--max-errors=0", "--reporter=json"], &text),
        (&["validate", "--allow=all"], &broken),
        (&["validate"], &broken),
        (&["validate", "--input=jsonl"], &lines),
        (&["fmt", "-c", "--input=jsonl"], &lines),
    ] {
        let one = piped(&[args, &["--threads=1"]].concat(), input);
        assert!(!one.out.is_empty() || !one.err.is_empty());
        let several = piped(&[args, &["--threads=4"]].concat(), input);
        assert!(several == one, "{args:?}:\n{:.3000}", several.err);
    }
}

#[test]
fn an_invalid_number_of_threads_gets_advice() {
    let ran = piped(&["validate", "--threads", "0"], "1");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err
            .contains("without --threads, there is one for each processor"),
        "{}",
        ran.err
    );
    assert_eq!(piped(&["validate", "--threads", "many"], "1").code, 2);
}

/// There is no memory for so many; the program once tried every smaller number in turn.
#[test]
fn more_threads_than_can_be_are_fewer() {
    let names = ["a.json", "b.json", "c.json"];
    let folder = Folder::with(&names.map(|name| (name, &b"[1]"[..])));
    for (asked, shown) in [
        ("18446744073709551615", "18446744073709551615"),
        ("99999999999999999999999", "18446744073709551615"),
        ("1025", "1025"),
    ] {
        if cfg!(target_pointer_width = "32") && asked != "1025" {
            continue;
        }
        let args = [&["validate", "--threads", asked][..], &names].concat();
        let ran = folder.run(&args);
        let said = format!("jsonx: --threads {shown}: at most 1024 are used\n");
        assert_eq!((ran.code, ran.err.as_str()), (0, said.as_str()));
    }
    let args = [&["validate", "--threads", "1024"][..], &names].concat();
    let ran = folder.run(&args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}
