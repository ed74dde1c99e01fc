//! JSON Lines, short and long, in files and through pipes.

use crate::{Folder, Ran, piped};

/// More lines than a batch, and their findings.
fn long(broken: &[(usize, &str)]) -> (String, String) {
    let (mut text, mut report) = (String::new(), String::new());
    let mut record = 0;
    for number in 0..160_000 {
        let bad = broken.iter().find(|(line, _)| *line == number);
        match bad {
            Some((_, line)) => text += line,
            None if number % 1000 == 7 => text += "\r",
            None => text += &format!("{{\"id\": {number}, \"name\": \"Zoë {number}\"}}"),
        }
        text += "\n";
        record += usize::from(number % 1000 != 7 || bad.is_some());
        if bad.is_some() {
            report += &format!("{} {record};", number + 1);
        }
    }
    (text, report)
}

/// The line and record of every finding.
fn places(ran: &Ran) -> String {
    let mut places = String::new();
    for line in ran.out.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a record");
        if record["type"] == "diagnostic" {
            places += &format!("{} {};", record["line"], record["record"]);
        }
    }
    places
}

const BROKEN: [(usize, &str); 6] = [
    (0, "[1,]"),
    (70_007, "{\"a\": 1} {\"a\": 2}"),
    (70_008, "{\"a\":"),
    (70_009, "1}"),
    (120_000, "nul"),
    (159_999, "{\"a\": \"語\", \"b\": tru}"),
];

#[test]
fn every_bad_line_of_a_long_input_is_found_with_its_record() {
    let (text, expected) = long(&BROKEN);
    assert!(text.len() > 5 << 20);
    let folder = Folder::with(&[("a.jsonl", text.as_bytes())]);
    let one = folder.run(&["validate", "--reporter=json", "--threads=1", "a.jsonl"]);
    assert_eq!(
        (places(&one), one.code, one.err.as_str()),
        (expected.clone(), 1, "")
    );
    let four = folder.run(&["validate", "--reporter=json", "--threads=4", "a.jsonl"]);
    assert_eq!(four, one);
    let pipe = piped(&["validate", "--reporter=json", "--input=jsonl"], &text);
    assert_eq!(places(&pipe), expected);
    assert_eq!(pipe.out.replace("<stdin>", "a.jsonl"), one.out);
}

#[test]
fn short_and_long_inputs_are_reported_alike() {
    // Omitting the valid lines changes only line numbers.
    let (text, _) = long(&BROKEN);
    let lines: Vec<&str> = text.lines().collect();
    let mut short = String::new();
    for (number, line) in BROKEN {
        assert_eq!(lines[number], line);
        short += line;
        short += "\n";
    }
    let folder = Folder::with(&[("a.jsonl", short.as_bytes()), ("b.jsonl", text.as_bytes())]);
    let messages = |name| {
        let ran = folder.run(&["validate", "--reporter=concise", name]);
        let message = |line: &str| line.split_once(' ').unwrap().1.to_owned();
        (ran.out.lines().map(message).collect::<Vec<_>>(), ran.code)
    };
    assert_eq!(messages("a.jsonl"), messages("b.jsonl"));
}

#[test]
fn only_the_last_line_can_be_where_a_file_was_cut() {
    for (text, help) in [
        (
            &b"{\"a\": 1}\n[1,\n{\"b\": 2}\n"[..],
            "in JSON Lines, each value is whole on one line",
        ),
        (b"{\"a\": 1}\n[1,", "the file is probably incomplete"),
    ] {
        let ran = piped(&["validate", "--input=jsonl"], text);
        assert_eq!(ran.code, 1);
        assert!(
            ran.out.contains("error[truncated-input]") && ran.out.contains(help),
            "{}",
            ran.out
        );
        assert_eq!(ran.out.matches("= help").count(), 1, "{}", ran.out);
    }
}

#[test]
fn a_line_is_shown_with_its_place_in_a_long_file() {
    let (text, _) = long(&BROKEN);
    let folder = Folder::with(&[("a.jsonl", text.as_bytes())]);
    let ran = folder.run(&["validate", "--max-errors=2", "a.jsonl"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.out, @r#"
    error[trailing-comma]: trailing comma in array
     --> a.jsonl:1:3 (record 1)
      |
    1 | [1,]
      |   ^ remove this comma

    error[multiple-values]: 2 JSON values in one document
         --> a.jsonl:70008:10 (record 69938)
          |
    70008 | {"a": 1} {"a": 2}
          |        - ^ second value starts here
          |        |
          |        first value ends here
          = help: put each value on its own line

    note: 1 more `truncated-input` on line 70009 of a.jsonl not shown (--max-errors 0 shows all)
    note: 1 more `extra-bracket` on line 70010 of a.jsonl not shown (--max-errors 0 shows all)
    note: 2 more `wrong-literal` on lines 120001 to 160000 of a.jsonl not shown (--max-errors 0 shows all)

    6 errors in 1 file; 1 file checked
    "#);
}

#[test]
fn lines_beyond_counting_are_counted() {
    let text = "[1,]\n".repeat(2_000_000);
    let ran = piped(&["validate", "--input=jsonl", "--reporter=json"], &text);
    assert_eq!(ran.code, 1);
    let summary: serde_json::Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
    assert_eq!(summary["errors"], 2_000_000);
    assert_eq!(places(&ran).matches(';').count(), 1000);
}

#[test]
fn a_truncated_last_line_is_reported_as_such() {
    let (text, _) = long(&[]);
    let cut = text.trim_end().trim_end_matches(['"', '}']);
    let folder = Folder::with(&[("a.jsonl", cut.as_bytes())]);
    for ran in [
        folder.run(&["validate", "a.jsonl"]),
        piped(&["validate", "--input=jsonl"], cut),
        piped(
            &["validate", "--input=jsonl"],
            cut[cut.len() - 100..].split_once('\n').unwrap().1,
        ),
    ] {
        assert_eq!(ran.code, 1);
        assert!(
            ran.out.starts_with("error[truncated-input]: "),
            "{}",
            ran.out
        );
    }
}

#[test]
fn a_pretty_printed_value_is_not_a_line() {
    let (text, _) = long(&[]);
    let ran = piped(&["validate", "--input=jsonl"], text + "{\n  \"a\": 1\n}\n");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("160001:2 (record "), "{}", ran.out);
}

#[test]
fn a_long_line_too_deep_is_a_limit() {
    let (text, _) = long(&[]);
    let deep = "[".repeat(20_000) + &"]".repeat(20_000);
    let ran = piped(
        &["validate", "--input=jsonl", "--reporter=concise"],
        text.clone() + &deep + "\n" + &text,
    );
    assert_eq!(ran.code, 4, "{}", ran.out);
    assert!(
        ran.out
            .contains("<stdin>:160001:10001: error[deep-nesting]"),
        "{}",
        ran.out
    );
}

#[test]
fn dubious_lines_are_warned_of_wherever_they_are() {
    let dubious = [
        (3, "{\"a\": 1, \"a\": 2}"),
        (70_000, "[1e400]"),
        (100_000, "[1,]"),
        (159_000, "{\"\\u0061\": 9007199254740993, \"a\": 0}"),
    ];
    let (text, _) = long(&dubious);
    let short: String = dubious.map(|(_, line)| line.to_owned() + "\n").concat();
    let folder = Folder::with(&[("a.jsonl", text.as_bytes()), ("b.jsonl", short.as_bytes())]);
    let messages = |args: &[&str]| {
        let ran = folder.run(&[&["validate", "--reporter=concise"], args].concat());
        let message = |line: &str| line.split_once(' ').unwrap().1.to_owned();
        (ran.out.lines().map(message).collect::<Vec<_>>(), ran.code)
    };
    let (found, code) = messages(&["a.jsonl"]);
    assert_eq!((found.len(), code), (5, 1), "{found:?}");
    for more in [
        &[][..],
        &["--allow=all"],
        &["--deny=all"],
        &["--deny=number-range"],
    ] {
        assert_eq!(
            messages(&[&["a.jsonl"], more].concat()),
            messages(&[&["b.jsonl"], more].concat()),
            "{more:?}"
        );
    }
    let marked = format!("\u{feff}{}", text.replace("[1,]", "[1]"));
    let pipe = |args: &[&str]| {
        piped(
            &[&["validate", "--input=jsonl", "--reporter=concise"], args].concat(),
            &marked,
        )
    };
    let ran = pipe(&[]);
    assert_eq!((ran.out.lines().count(), ran.code), (5, 0), "{}", ran.out);
    assert!(
        ran.out.starts_with("<stdin>:1:1: warning[byte-order-mark]"),
        "{}",
        ran.out
    );
    assert_eq!(pipe(&["--deny=all"]).code, 1);
    assert_eq!(pipe(&["--allow=all"]).out, "");
}

/// Editors end a line there too. Files of up to 4 MiB, longer ones and pipes give the same report.
#[test]
fn a_lone_carriage_return_ends_a_line() {
    let text = "{\"a\":1}\r\n1 \r\r2\r\n{\"b\":1,}\n\r3\r\n\r{\"a\":1, \"a\":2}\n[\r1,\r2,]";
    let long = format!("{text}\n{}", "1\n".repeat(3 << 20));
    let folder = Folder::with(&[("a.jsonl", text.as_bytes()), ("b.jsonl", long.as_bytes())]);
    let of = |name: &str| folder.run(&["validate", "--reporter=concise", name]).out;
    let short = of("a.jsonl");
    for (place, code) in [
        ("4:1", "multiple-values"),
        ("5:7", "trailing-comma"),
        ("9:9", "duplicate-key"),
        ("12:2", "trailing-comma"),
    ] {
        assert!(
            short.contains(&format!("a.jsonl:{place}: ")) && short.contains(code),
            "{place} {code}: {short}"
        );
    }
    assert_eq!(of("b.jsonl").replace("b.jsonl", "a.jsonl"), short);
    let args = ["validate", "--reporter=concise", "--input=jsonl"];
    assert_eq!(piped(&args, text).out.replace("<stdin>", "a.jsonl"), short);
}

/// The advice to show all findings is omitted if all were requested.
#[test]
fn omitted_parts_of_a_pipe_are_mentioned() {
    let element = format!("{{\"a\":1,\"a\":2}},{}\n", " ".repeat(2000));
    let text = format!("[{}1]", element.repeat(3000));
    let ran = piped(&["validate", "--max-errors=0"], text);
    assert_eq!(ran.code, 0);
    let note = ran.out.lines().rev().nth(2).unwrap();
    assert!(
        note.starts_with("note: ") && note.ends_with("not shown (the text is no longer in memory)"),
        "{note}"
    );
}

#[test]
fn names_of_json_lines() {
    for name in [
        "a.jsonl",
        "a.ndjson",
        "a.jsonlines",
        "a.ldjson",
        "a.geojsonl",
        "a.geojsonl.gz",
    ] {
        let text = b"{\"a\": 1}\n{\"a\": 2}\n";
        let folder = Folder::with(&[(name, text)]);
        let ran = folder.run(&["validate", name]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.out);
        if !name.ends_with(".gz") {
            let ran = folder.run(&["validate", "-v", "."]);
            assert!(ran.err.contains(name), "{name}: {}", ran.err);
        }
    }
}
