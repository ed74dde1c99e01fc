//! Rows and counts, of `jsonx jq`.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::{Folder, jsonx, run};

const RECORDS: &[u8] = b"{\"a\":1,\"b\":\"x,\\\"y\\\"\",\"t\":[1,{\"u\":2}]}\n{\"b\":null,\"a\":1.50}\n{\"a\":20,\"c d\":true,\"b\":\"|\\t\\n\"}\n";

fn piped(args: &[&str], input: &str) -> crate::Ran {
    run(jsonx(args).write_stdin(input.to_owned()))
}

#[test]
fn each_kind_of_result_is_a_row() {
    let folder = Folder::with(&[("a.jsonl", RECORDS), ("b.json", b"{\"z\": 0, \"a\": \"\"}")]);
    for (args, expected) in [
        (
            &[".", "--csv"][..],
            "a,b,t,c d\n1,\"x,\"\"y\"\"\",\"[1,{\"\"u\"\":2}]\",\n1.50,,,\n20,\"|\t\n\",,true\n",
        ),
        (
            &[".", "--csv", "--no-header", "-rc"],
            "1,\"x,\"\"y\"\"\",\"[1,{\"\"u\"\":2}]\",\n1.50,,,\n20,\"|\t\n\",,true\n",
        ),
        (
            &["{b, a}", "--tsv"],
            "b\ta\nx,\"y\"\t1\n\t1.50\n|\\t\\n\t20\n",
        ),
        (
            &["[.a, .t, null]", "--tsv"],
            "1\t[1,{\"u\":2}]\t\n1.50\t\t\n20\t\t\n",
        ),
        (&[".b", "--csv"], "\"x,\"\"y\"\"\"\n\"\"\n\"|\t\n\"\n"),
        (
            &["{a, b}", "--table"],
            "   a  b\n   1  x,\"y\"\n1.50\n  20  |\\t\\n\n",
        ),
        (
            &["{a, b}", "--markdown"],
            "|    a | b       |\n| ---: | ------- |\n|    1 | x,\"y\"   |\n| 1.50 |         |\n|   20 | \\| <br> |\n",
        ),
        (&["empty", "--csv"], ""),
        (&["{}", "--csv"], "\"\"\n\"\"\n\"\"\n\"\"\n"),
        (&["[]", "--csv"], "\"\"\n\"\"\n\"\"\n"),
        (
            &["-n", "[inputs.a] | {n: length, sum: add}", "--csv"],
            "n,sum\n3,22.5\n",
        ),
    ] {
        let ran = folder.run(&[&["jq"][..], args, &["a.jsonl"]].concat());
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            (expected, "", 0),
            "{args:?}"
        );
    }
    // All keys of all files.
    let ran = folder.run(&["jq", ".", "--csv", "b.json", "a.jsonl"]);
    assert_eq!(ran.out.lines().next(), Some("z,a,b,t,c d"));
    assert_eq!(ran.out.lines().nth(1), Some("0,,,,"));
}

#[test]
fn nothing_is_dropped_in_silence() {
    let folder = Folder::with(&[("a.jsonl", RECORDS), ("mixed.jsonl", b"{\"a\":1}\n[2]\n")]);
    let records = std::str::from_utf8(RECORDS).unwrap();
    for (args, input, out, told) in [
        (
            &[".", "--csv"][..],
            records,
            "a,b,t\n1,\"x,\"\"y\"\"\",\"[1,{\"\"u\"\":2}]\"\n1.50,,\n",
            "-:3:1 (.): the header lacks the key \"c d\"; select the columns, as in `| {a, b, t, \"c d\"}`",
        ),
        (
            &[".", "--table"],
            "[1]\n2\n",
            "1\n",
            "-:2:1 (.): the first result is an array, and this one is of the type number",
        ),
        (&[".", "--csv"], "1\n{}\n", "1\n", "of the type object"),
    ] {
        let ran = piped(&[&["jq"][..], args].concat(), input);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, 5),
            "{args:?} {}",
            ran.err
        );
        assert!(ran.err.contains(told), "{}", ran.err);
    }
    let ran = folder.run(&["jq", "--csv", ".", "mixed.jsonl"]);
    assert_eq!((ran.out.as_str(), ran.code), ("a\n1\n", 5));
    assert!(ran.err.contains("mixed.jsonl:2:1"), "{}", ran.err);
    // An error of the program, after which its other results are printed.
    let ran = folder.run(&["jq", "--csv", "{n: (.a + 1), t: (.t[0] + .b)}", "a.jsonl"]);
    assert_eq!(
        (ran.out.as_str(), ran.code),
        ("n,t\n2.5,\n21,\"|\t\n\"\n", 5)
    );
    for args in [
        &["jq", ".", "--csv", "--tsv"][..],
        &["jq", ".", "--no-header"],
        &["jq", ".", "--limit", "1"],
        &["jq", ".", "--csv", "-j"],
        &["jq", ".", "--csv", "-w", "a.jsonl"],
        &["jq", ".", "--tally", "--check", "a.jsonl"],
    ] {
        let ran = folder.run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
    }
}

#[test]
fn results_are_counted() {
    let folder = Folder::with(&[(
        "a.jsonl",
        b"{\"s\":\"b\",\"n\":1}\n{\"s\":\"a\",\"n\":1.0}\n{\"s\":\"\\u0062\",\"n\":2}\n{\"n\":1}\n",
    )]);
    for (args, expected) in [
        (&[".s"][..], "2\t\"b\"\n1\t\"a\"\n1\tnull\n"),
        (&[".n"], "3\t1\n1\t2\n"),
        (&[".s", "-r", "--limit", "2"], "2\tb\n1\ta\n"),
        (&["[.s, .n]", "--csv"], "1,b,1\n1,a,1.0\n1,b,2\n1,,1\n"),
        (&["{s}", "--csv"], "count,s\n2,b\n1,a\n1,\n"),
        (
            &[".s", "--table"],
            "count  value\n    2  b\n    1  a\n    1\n",
        ),
        (&[".s, .", "--csv", "--no-header", "--limit", "1"], "2,b\n"),
        (&["empty"], ""),
    ] {
        let ran = folder.run(&[&["jq", "--tally"][..], args, &["a.jsonl"]].concat());
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            (expected, "", 0),
            "{args:?}"
        );
    }
}

/// Numbers that look random.
fn numbers() -> impl FnMut(u64) -> u64 {
    let mut state = 7u64;
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

/// The cells of rows by RFC 4180.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut characters = text.chars().peekable();
    let mut is_quoted = false;
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    assert!(row.is_empty() && cell.is_empty() && !is_quoted);
    rows
}

/// Law: whatever the threads and the batches, a header with all keys in order of first occurrence, and a row of the values of each
/// record; and the counts of a naive tally.
#[test]
fn rows_and_counts_of_random_records() {
    let mut next = numbers();
    let texts = [
        "",
        "a",
        "x,y",
        "\"q\"",
        "l\nf",
        " s",
        "\u{e9}\u{1F600}",
        "=1+1",
    ];
    let records: Vec<Map<String, Value>> = (0..20_000)
        .map(|number| {
            let mut record = Map::new();
            // Rare keys occur late.
            for key in 0..3 + u64::from(number > 15_000) {
                if next(4) > 0 {
                    let value = match next(5) {
                        0 => Value::Null,
                        1 => json!(next(1000)),
                        2 => json!([next(3), texts[next(8) as usize]]),
                        3 => json!(next(2) == 0),
                        _ => json!(texts[next(8) as usize]),
                    };
                    record.insert(format!("k{}", (key + next(2)) % 4), value);
                }
            }
            record
        })
        .collect();
    let mut text = String::new();
    let mut header: Vec<String> = Vec::new();
    let mut counts: HashMap<String, u64> = HashMap::new();
    for record in &records {
        writeln!(text, "{}", Value::Object(record.clone())).unwrap();
        header.extend(
            record
                .keys()
                .filter(|key| !header.contains(key))
                .cloned()
                .collect::<Vec<_>>(),
        );
        *counts
            .entry(record.get("k0").unwrap_or(&Value::Null).to_string())
            .or_default() += 1;
    }
    let cell = |value: Option<&Value>| match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let rows = records
        .iter()
        .map(|record| header.iter().map(|key| cell(record.get(key))).collect());
    let expected: Vec<Vec<String>> = std::iter::once(header.clone()).chain(rows).collect();
    let array = format!("[{}]", text.trim_end().replace("}\n{", "},{"));
    let folder = Folder::with(&[("a.jsonl", text.as_bytes()), ("a.json", array.as_bytes())]);
    for threads in ["1", "2", "8"] {
        for (program, file) in [(".", "a.jsonl"), (".[]", "a.json")] {
            let ran = folder.run(&["jq", program, "--csv", "--threads", threads, file]);
            assert_eq!((ran.err.as_str(), ran.code), ("", 0));
            assert!(read_csv(&ran.out) == expected, "{program} {threads}");
            let program = format!("{program} | .k0");
            let ran = folder.run(&["jq", &program, "--tally", "--threads", threads, file]);
            let lines: Vec<(u64, &str)> = ran
                .out
                .lines()
                .map(|line| {
                    line.split_once('\t')
                        .map(|(count, value)| (count.parse().unwrap(), value))
                        .unwrap()
                })
                .collect();
            assert!(lines.is_sorted_by(|a, b| a.0 >= b.0));
            let found: HashMap<String, u64> = lines
                .iter()
                .map(|(count, value)| ((*value).to_owned(), *count))
                .collect();
            assert!(
                found == counts && lines.len() == counts.len(),
                "{program} {threads}"
            );
        }
    }
}

/// Long JSON Lines, on any number of threads.
#[test]
fn counts_do_not_depend_on_threads() {
    let mut lines = String::new();
    for number in 0..200_000_u64 {
        let key = number * number % 1000;
        lines += &format!(
            "{{\"n\": {}.{key:03}, \"key\": \"k{key}\", \"o\": {{\"b\": 1, \"a\": {}}}}}\n",
            number % 7,
            key % 3
        );
    }
    let folder = Folder::with(&[("a.jsonl", lines.as_bytes())]);
    for args in [&[".key"][..], &[".o | select(.a > 0)", "--csv"]] {
        let run = |threads| {
            folder.run(&[&["jq", "--tally", "--threads", threads], args, &["a.jsonl"]].concat())
        };
        let one = run("1");
        assert!(one.code == 0 && !one.out.is_empty(), "{args:?} {}", one.err);
        assert_eq!(run("3"), one, "{args:?}");
        let pipe = piped(&[&["jq", "--tally"], args].concat(), &lines);
        assert_eq!(pipe.out, one.out, "{args:?}");
    }
}

/// A member that no input has is a warning, from every kind of input and on any number of threads.
#[test]
fn wrong_keys_are_warnings() {
    let record = "{\"level\":1,\"user\":{\"name\":\"a\"},\"tags\":[{\"k\":1}]}";
    let texts = |count| {
        let lines = format!("{record}\n").repeat(count) + "{\"level\":2,\"late\":null}\n";
        let array = format!("[{}]", lines.trim_end().replace('\n', ","));
        (lines, array)
    };
    let (few, many) = (texts(3), texts(25_000));
    let meant = |wrong: &str, meant: &str| {
        format!("jsonx jq: warning: no record has `{wrong}`; did you mean `{meant}`?\n")
    };
    let level = meant(".levl", ".level");
    for (program, err) in [
        ("[.level, .late]", String::new()),
        ("[.levl]", level.clone()),
        ("{levl}", level.clone()),
        ("select(.levl > 1) | [.level]", level.clone()),
        (
            "[.user.nme, .usr.name]",
            meant(".user.nme", ".user.name") + &meant(".usr", ".user"),
        ),
        ("[[.user] | group_by(.nmee) | length]", String::new()),
        // Nothing is similar.
        ("[\"\\(.level)\", .zzzz, .z, .user.n]", String::new()),
        // These may be missing.
        ("[.levl?, (.levl // 1), (try .levl catch 1)]", String::new()),
        ("if .level > 1 then [.levl] else [.lvl] end", String::new()),
        ("del(.levl) | [.level]", String::new()),
        (".levl = 1 | [.levl]", String::new()),
        ("to_entries | [.[].ky | length] | [length]", String::new()),
    ] {
        let is_long = program.starts_with("[.lev");
        let runs = [("1", &few), ("3", if is_long { &many } else { &few })];
        for (threads, (lines, array)) in runs {
            let args = ["jq", "--tsv", "--threads", threads, program];
            let folder = Folder::with(&[("a", lines.as_bytes())]);
            for ran in [
                folder.run(&[&args[..], &["a"]].concat()),
                piped(&args, lines),
            ] {
                assert_eq!((ran.err.as_str(), ran.code), (err.as_str(), 0), "{args:?}");
            }
            let each = format!(".[] | {program}");
            let args = ["jq", "--tsv", "--threads", threads, &each];
            let folder = Folder::with(&[("a", array.as_bytes())]);
            let err = err.replace("`.", "`.[].");
            for ran in [
                folder.run(&[&args[..], &["a"]].concat()),
                piped(&args, array),
            ] {
                assert_eq!((ran.err.as_str(), ran.code), (err.as_str(), 0), "{args:?}");
            }
        }
    }
    for args in [
        // Nobody reads warnings of a script.
        &["-c", "[.levl]"][..],
        &["--csv", "-n", "[.levl]"],
        &["--csv", "limit(1; .levl), halt"],
    ] {
        let ran = piped(&[&["jq"], args].concat(), record);
        assert_eq!(ran.err, "", "{args:?}");
    }
    assert_eq!(piped(&["jq", "--csv", ".levl"], "").err, "");
    assert_eq!(piped(&["jq", "--tally", ".levl"], record).err, level);
}
