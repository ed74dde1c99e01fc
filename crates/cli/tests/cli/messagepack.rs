//! MessagePack as an encoding of inputs.

use crate::{Folder, headlines, jsonx, piped, run};

/// `{"a":[1,-2.5,"é",null,true],"b":{}}`.
const PACKED: &[u8] = b"\x82\xa1a\x95\x01\xcb\xc0\x04\0\0\0\0\0\0\xa2\xc3\xa9\xc0\xc3\xa1b\x80";
const JSON: &str = "{\"a\":[1,-2.5,\"é\",null,true],\"b\":{}}\n";

#[test]
fn it_is_recognized_by_name_option_and_content() {
    let packed = gzip(PACKED);
    let folder = Folder::with(&[
        ("a.msgpack", PACKED),
        ("a.mpk", PACKED),
        ("other", PACKED),
        ("number.msgpack", b"\x05"),
        ("number.mpk.gz", &gzip(b"\xa1x\x1e")),
        ("other.gz", &packed),
        ("a.bin", b"\x05"),
        ("a.json", b"{\"a\": 1}"),
    ]);
    for (args, expected) in [
        (&["a.msgpack"][..], JSON),
        (&["a.mpk"], JSON),
        (&["other"], JSON),
        (&["other.gz"], JSON),
        (&["number.msgpack"], "5\n"),
        (&["number.mpk.gz"], "\"x\"\n30\n"),
        (&["--input", "msgpack", "a.bin"], "5\n"),
        (&["--input", "*.bin=msgpack", "a.bin"], "5\n"),
        (&["--input", "*.bin=msgpack", "a.json"], "{\"a\":1}\n"),
    ] {
        let ran = folder.run(&[&["fmt", "-c"], args].concat());
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str(), ran.code),
            (expected, "", 0),
            "{args:?}"
        );
    }
    assert_eq!(piped(&["fmt", "-c"], PACKED).out, JSON);
    assert_eq!(piped(&["fmt", "-c"], &packed).out, JSON);
    assert_eq!(
        piped(&["fmt", "-c", "--input", "msgpack"], b"\x05").out,
        "5\n"
    );
    std::fs::write(
        folder.path("jsonx.json"),
        "{\"overrides\": [{\"files\": [\"*.bin\"], \"input\": \"msgpack\"}]}",
    )
    .unwrap();
    assert_eq!(folder.run(&["get", ".", "a.bin"]).out, "5\n");
    // A directory has no such files.
    let ran = folder.run(&["validate", "-v", "."]);
    assert!(
        !ran.err.contains("msgpack") && !ran.err.contains("mpk"),
        "{}",
        ran.err
    );
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;

    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// What does not decode is still text in another encoding, and the option is named.
#[test]
fn other_text_is_not_taken_for_it() {
    for text in [
        &b"\x93Hello\x94, she said.\n"[..],
        b"\x80 5,00\n",
        b"\x85 and so on and on and on\n",
        b"\x92\x01",
        b"\x81\xa1a\x92\x01\xc1",
        b"\xdc\0\x02\x01",
        b"\xe9t\xe9\n",
        b"\xc0",
        b"\xa1x",
    ] {
        let folder = Folder::with(&[("a", text), ("a.json", text)]);
        for ran in [
            piped(&["validate"], text),
            folder.run(&["validate", "a"]),
            folder.run(&["validate", "a.json"]),
        ] {
            assert_eq!(ran.code, 1, "{text:x?}");
            assert!(
                ran.out.starts_with("error[invalid-utf8]"),
                "{text:x?}: {}",
                ran.out
            );
            assert!(
                ran.out.contains("`--input msgpack` reads MessagePack"),
                "{text:x?}: {}",
                ran.out
            );
        }
        for command in ["jq", "get", "fmt"] {
            let ran = match command {
                "fmt" => piped(&[command], text),
                _ => piped(&[command, "."], text),
            };
            assert!(
                ran.err.contains("`--input msgpack`"),
                "{command} {text:x?}: {}",
                ran.err
            );
        }
    }
    // Only at the first byte.
    let ran = piped(&["validate"], b"[\"\xe9\"]");
    assert!(!ran.out.contains("msgpack"), "{}", ran.out);
    let ran = piped(&["validate", "--input", "jsonl"], b"{}\n\xe9\n");
    assert!(!ran.out.contains("msgpack"), "{}", ran.out);
}

#[test]
fn every_command_reads_it() {
    let folder = Folder::with(&[
        ("a.msgpack", PACKED),
        ("a.json", JSON.as_bytes()),
        ("b.json", b"{\"a\":1}"),
        ("rows.msgpack", b"\x81\xa1a\x01\x81\xa1a\x02\x80"),
        ("patch.msgpack", b"\x81\xa1b\x01"),
    ]);
    let printed =
        "{\n  \"a\": [\n    1,\n    -2.5,\n    \"é\",\n    null,\n    true\n  ],\n  \"b\": {}\n}\n";
    for (args, expected, code) in [
        (&["validate", "a.msgpack", "rows.msgpack"][..], "", 0),
        (&["fmt", "a.msgpack"], printed, 0),
        (
            &["fmt", "-c", "rows.msgpack"],
            "{\"a\":1}\n{\"a\":2}\n{}\n",
            0,
        ),
        (&["get", ".a.2", "a.msgpack"], "\"é\"\n", 0),
        (&["get", ".a?", "rows.msgpack"], "1\n2\n", 0),
        (
            &["jq", "-c", ".a", "a.msgpack"],
            "[1,-2.5,\"é\",null,true]\n",
            0,
        ),
        (
            &["jq", "-c", "-s", ".", "rows.msgpack"],
            "[{\"a\":1},{\"a\":2},{}]\n",
            0,
        ),
        (
            &["set", ".b", "1", "a.msgpack"],
            "{\"a\":[1,-2.5,\"é\",null,true],\"b\":1}\n",
            0,
        ),
        (&["del", ".a", "a.msgpack"], "{\"b\":{}}\n", 0),
        (&["fix", "a.msgpack"], JSON, 0),
        (&["locate", "--offset", "6", "a.msgpack"], ".a[0]\n", 0),
        (&["diff", "a.msgpack", "a.json"], "", 0),
        (&["diff", "a.json", "a.msgpack"], "", 0),
        (&["diff", "rows.msgpack", "rows.msgpack"], "", 0),
        (
            &["patch", "patch.msgpack", "b.json"],
            "{\"a\":1,\"b\":1}",
            0,
        ),
    ] {
        let ran = folder.run(args);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (expected, code),
            "{args:?}: {}",
            ran.err
        );
        let [.., last] = args else { unreachable!() };
        let takes_pipe = !["diff", "validate", "locate"].contains(&args[0]);
        if takes_pipe && last.ends_with(".msgpack") {
            let from = std::fs::read(folder.path(last)).unwrap();
            let args = &args[..args.len() - 1];
            let ran = run(jsonx(args).current_dir(folder.path("")).write_stdin(from));
            assert_eq!(
                (ran.out.as_str(), ran.code),
                (expected, code),
                "{args:?}: {}",
                ran.err
            );
        }
    }
}

#[test]
fn nothing_is_written_to_it() {
    for args in [
        &["set", "-w", ".a", "1"][..],
        &["append", "-w", ".a", "1"],
        &["del", "-w", ".a"],
        &["jq", "-w", "."],
        &["fix", "-w"],
        &["fmt", "-w"],
        &["fmt", "--check"],
        &["set", "--diff", ".a", "1"],
    ] {
        for name in ["a.msgpack", "other"] {
            let folder = Folder::with(&[(name, PACKED)]);
            let ran = folder.run(&[args, &[name]].concat());
            let code = if args[0] == "jq" { 2 } else { 4 };
            assert_eq!((ran.out.as_str(), ran.code), ("", code), "{args:?}");
            assert!(
                ran.err.contains("`… | jsonx fmt --to msgpack > NEW`"),
                "{}",
                ran.err
            );
            assert_eq!(std::fs::read(folder.path(name)).unwrap(), PACKED);
        }
    }
}

/// Each value of JSON, from the first bytes of the table of the specification.
#[test]
fn every_type() {
    let read = |packed: &[u8], args: &[&str]| {
        let ran = piped(
            &[&["fmt", "-c", "--input", "msgpack"], args].concat(),
            packed,
        );
        (ran.out, ran.code)
    };
    for first in 0..=0xff_u8 {
        let zeros = |count: usize| [&[first][..], &vec![0; count]].concat();
        let some = |text: &str| Some(format!("{text}\n"));
        let (packed, expected) = match first {
            0x00..=0x7f => (zeros(0), some(&first.to_string())),
            0x80..=0x8f => (
                [&[first][..], &b"\xa0\x01".repeat(usize::from(first & 15))].concat(),
                some(&format!(
                    "{{{}}}",
                    vec!["\"\":1"; usize::from(first & 15)].join(",")
                )),
            ),
            0x90..=0x9f => (
                zeros(usize::from(first & 15)),
                some(&format!(
                    "[{}]",
                    vec!["0"; usize::from(first & 15)].join(",")
                )),
            ),
            0xa0..=0xbf => (
                [&[first][..], &vec![b'x'; usize::from(first & 31)]].concat(),
                some(&format!("\"{}\"", "x".repeat(usize::from(first & 31)))),
            ),
            0xc0 => (zeros(0), some("null")),
            0xc1 => (zeros(0), None),
            0xc2 => (zeros(0), some("false")),
            0xc3 => (zeros(0), some("true")),
            0xc4 | 0xd9 => (zeros(1), some("\"\"")),
            0xc5 | 0xda => (zeros(2), some("\"\"")),
            0xc6 | 0xdb => (zeros(4), some("\"\"")),
            0xc7 => (zeros(2), some("{\"$ext\":[0,\"\"]}")),
            0xc8 => (zeros(3), some("{\"$ext\":[0,\"\"]}")),
            0xc9 => (zeros(5), some("{\"$ext\":[0,\"\"]}")),
            0xca => (zeros(4), some("0.0")),
            0xcb => (zeros(8), some("0.0")),
            0xcc | 0xd0 => (zeros(1), some("0")),
            0xcd | 0xd1 => (zeros(2), some("0")),
            0xce | 0xd2 => (zeros(4), some("0")),
            0xcf | 0xd3 => (zeros(8), some("0")),
            0xd4 => (zeros(2), some("{\"$ext\":[0,\"AA==\"]}")),
            0xd5 => (zeros(3), some("{\"$ext\":[0,\"AAA=\"]}")),
            0xd6 => (zeros(5), some("{\"$ext\":[0,\"AAAAAA==\"]}")),
            0xd7 => (zeros(9), some("{\"$ext\":[0,\"AAAAAAAAAAA=\"]}")),
            0xd8 => (
                zeros(17),
                some("{\"$ext\":[0,\"AAAAAAAAAAAAAAAAAAAAAA==\"]}"),
            ),
            0xdc => (zeros(2), some("[]")),
            0xdd => (zeros(4), some("[]")),
            0xde => (zeros(2), some("{}")),
            0xdf => (zeros(4), some("{}")),
            0xe0..=0xff => (zeros(0), some(&(first as i8).to_string())),
        };
        let code = if expected.is_some() { 0 } else { 3 };
        assert_eq!(
            read(&packed, &[]),
            (expected.unwrap_or_default(), code),
            "{first:x}"
        );
        // Cut anywhere, after a whole value: the value, and an error.
        for length in 1..packed.len() {
            let (out, code) = read(&[b"\x07", &packed[..length]].concat(), &[]);
            assert_eq!(code, 3, "{packed:x?} {length}");
            assert!(out.starts_with("7\n"), "{packed:x?} {length}: {out}");
        }
    }
    for (packed, strict, lossy) in [
        (&b"\xd6\xff\0\0\0\0"[..], "\"1970-01-01T00:00:00Z\"", None),
        (b"\xc4\x02\xfb\xff", "\"+/8=\"", None),
        (b"\xca\x3d\xcc\xcc\xcd", "0.10000000149011612", None),
        (b"\xcb\x7f\xf8\0\0\0\0\0\0", "", Some("null")),
        (b"\xca\xff\x80\0\0", "", Some("null")),
        (b"\x81\x01\x02", "", Some("{\"1\":2}")),
        (b"\x81\xc4\x01a\x02", "", Some("{\"YQ==\":2}")),
        (b"\x81\x80\x02", "", Some("")),
        (b"\xa2a\xff", "", Some("\"a\u{fffd}\"")),
        (b"\x81\xa1\xff\x02", "", Some("{\"\u{fffd}\":2}")),
    ] {
        let line = |text: &str| match text {
            "" => (String::new(), 3),
            _ => (format!("{text}\n"), 0),
        };
        assert_eq!(read(packed, &[]), line(strict), "{packed:x?}");
        assert_eq!(
            read(packed, &["--lossy"]),
            line(lossy.unwrap_or(strict)),
            "{packed:x?}"
        );
    }
}

#[test]
fn errors_have_the_byte_in_the_messagepack() {
    for (packed, place) in [
        (
            &b"\x81\xa1a\x92\x01\xc1"[..],
            "byte 5, at .a[1]: the byte 0xc1 is reserved\n",
        ),
        (
            b"\xdd\xff\xff\xff\xff\x01",
            "byte 6, at .[1]: the input ends in the middle of a value\n",
        ),
        (b"\xdb\xff\xff\xff\xffabcde", "byte 10: "),
        (b"\xc6\xff\xff\xff\xffabcde", "byte 10: "),
        (b"\xc9\xff\xff\xff\xff\x01abcde", "byte 11: "),
        (
            b"\x81\xa1a\xa2a\xff",
            "byte 5, at .a: the string is not valid UTF-8; --lossy replaces",
        ),
        (
            b"\x92\x01\x81\x92\x01\x02\x03",
            "byte 3, at .[1]: the key is not a string; --lossy writes",
        ),
        (b"\x91", "byte 1, at .[0]: "),
        (
            b"\xca\x7f\x80\0\0",
            "byte 0: JSON has no infinite numbers and no NaN; --lossy writes null\n",
        ),
    ] {
        let folder = Folder::with(&[("a.msgpack", packed)]);
        for (command, code) in [("validate", 1), ("fmt", 3), ("diff", 3), ("jq", 5)] {
            let args = match command {
                "jq" => &["jq", ".", "a.msgpack"][..],
                "diff" => &["diff", "a.msgpack", "a.msgpack"],
                _ => &[command, "a.msgpack"],
            };
            let ran = folder.run(args);
            assert_eq!(ran.code, code, "{args:?} {packed:x?}: {}", ran.err);
            let expected = format!("jsonx: a.msgpack: {place}");
            assert!(
                ran.err.starts_with(&expected),
                "{args:?} {packed:x?}: {}",
                ran.err
            );
        }
        let ran = piped(&["get", ".", "--input", "msgpack"], packed);
        assert_eq!(ran.code, 3);
        assert!(
            ran.err.starts_with(&format!("jsonx: <stdin>: {place}")),
            "{}",
            ran.err
        );
    }
    let deep = [&vec![0x91; 10_000_000][..], b"\x90"].concat();
    let ran = piped(&["validate", "--input", "msgpack"], &deep);
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("byte 10000, at "), "{}", &ran.err[..100]);
    assert!(ran.err.contains("--max-depth N sets another limit"));
    assert_eq!(piped(&["validate", "--max-depth", "0"], &deep).code, 0);
    // An empty file holds no value.
    let folder = Folder::with(&[("a.msgpack", b"")]);
    assert_eq!(folder.run(&["jq", ".", "a.msgpack"]).code, 0);
}

/// Equal keys are findings, with a note on the positions.
#[test]
fn equal_keys() {
    let packed = b"\x01\x82\xa1a\x01\xa1a\x02";
    let folder = Folder::with(&[("a.msgpack", packed)]);
    let ran = folder.run(&["validate", "--deny", "duplicate-key", "a.msgpack"]);
    assert_eq!(headlines(&ran.out), ["error[duplicate-key] a.msgpack:2:8"]);
    assert_eq!(ran.code, 1);
    let note =
        "MessagePack; lines, columns and offsets refer to the text that `jsonx fmt -c` prints";
    assert!(ran.err.contains(note), "{}", ran.err);
    // Also those that are equal only as text.
    let ran = piped(
        &["validate", "--lossy", "--deny", "duplicate-key"],
        b"\x82\x01\x01\xa11\x02",
    );
    assert_eq!(headlines(&ran.out), ["error[duplicate-key] <stdin>:1:8"]);
}

/// Values of a pipe are printed as they arrive, and a slow writer does not matter.
#[cfg(unix)]
#[test]
fn values_are_printed_as_they_arrive() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    for args in [&["fmt", "-c"][..], &["jq", "-c", "."], &["get", "-c", "."]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_jsonx"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut to = child.stdin.take().unwrap();
        let mut from = child.stdout.take().unwrap();
        for _ in 0..3 {
            for byte in PACKED {
                to.write_all(&[*byte]).unwrap();
                to.flush().unwrap();
            }
            let mut line = vec![0; JSON.len()];
            from.read_exact(&mut line).unwrap();
            assert_eq!(String::from_utf8(line).unwrap(), JSON, "{args:?}");
        }
        drop(to);
        assert!(child.wait().unwrap().success());
    }
}

/// Memory depends neither on the length of the input nor on lengths in it.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_constant() {
    let row = b"\x83\xa2id\xce\0\x12\xd6\x87\xa4name\xb0a row of a table\xa6values\x93\x01\xcb\x40\x04\0\0\0\0\0\0\xc0";
    let mut array = b"\xdd\0\x04\0\0".to_vec();
    (0..262_144).for_each(|_| array.extend_from_slice(row));
    let long = |form: u8, byte: u8| {
        [
            &[form][..],
            &(100_u32 << 20).to_be_bytes(),
            &vec![byte; 100 << 20],
        ]
        .concat()
    };
    let limited = |packed: &[u8]| {
        let folder = Folder::with(&[("a.msgpack", packed)]);
        // The address space is a bound that every system enforces.
        let mut shell = assert_cmd::Command::new("sh");
        shell
            .args([
                "-c",
                "ulimit -v 180000; exec \"$0\" validate --threads 1 a.msgpack",
                env!("CARGO_BIN_EXE_jsonx"),
            ])
            .current_dir(folder.path(""));
        run(&mut shell)
    };
    for packed in [
        &array[..],
        &array.repeat(2),
        &long(0xdb, b'a'),
        &long(0xc6, 0xff),
    ] {
        let ran = limited(packed);
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{}", packed.len());
    }
}

/// Standard output, as bytes, and the exit code.
fn packed(folder: &Folder, args: &[&str], input: &[u8]) -> (Vec<u8>, i32) {
    let output = jsonx(&[&["fmt", "--to", "msgpack"], args].concat())
        .current_dir(folder.path(""))
        .write_stdin(input)
        .output()
        .expect("the binary starts");
    (output.stdout, output.status.code().expect("no signal"))
}

#[test]
fn it_is_written_from_every_format() {
    let text = "{\"a\": [1, -2.5, \"\\u00e9\", null, true], \"b\": {}}";
    let comments = format!("// c\n{text}");
    let folder = Folder::with(&[
        ("a.json", text.as_bytes()),
        ("a.jsonc", comments.as_bytes()),
        ("a.jsonl", b"{\"a\":1}\n[2]\n"),
        ("twice.json", b"{\"a\":1, \"a\":2}"),
        ("bad.jsonl", b"{\"a\":1}\n[2\n"),
        ("a.msgpack", PACKED),
    ]);
    let sequence = b"\x81\xa1a\x01\x91\x02";
    for (args, input, expected, code) in [
        (&["a.json"][..], "", PACKED, 0),
        (&["a.jsonc"], "", PACKED, 0),
        (&["a.msgpack"], "", PACKED, 0),
        (&[], text, PACKED, 0),
        (&["a.jsonl"], "", sequence, 0),
        (&[], "{\"a\":1} [2]", sequence, 0),
        (&["--input", "jsonl"], "{\"a\":1}\n[2]\n", sequence, 0),
        (&["twice.json"], "", b"\x82\xa1a\x01\xa1a\x02", 0),
        // A file is checked first; of a pipe, the values before an error are written.
        (&["bad.jsonl"], "", b"", 3),
        (&[], "{\"a\":1}\n[2\n", b"\x81\xa1a\x01", 3),
        (&[], "[18446744073709551616, 1e999]", b"", 3),
        (
            &["--lossy"],
            "[18446744073709551616, -1e999]",
            b"\x92\xcb\x43\xf0\0\0\0\0\0\0\xcb\xff\xef\xff\xff\xff\xff\xff\xff",
            0,
        ),
        (&["--lossy"], "\"\\ud800\"", b"", 3),
    ] {
        let (bytes, exit) = packed(&folder, args, input.as_bytes());
        assert_eq!((&bytes[..], exit), (expected, code), "{args:?} {input}");
    }
    let text = "[1,\n \"\\ud800\", 18446744073709551616, 1e999]";
    let ran = piped(&["fmt", "--to", "msgpack"], text);
    assert_eq!(headlines(&ran.err), ["error[lone-surrogate] <stdin>:2:3"]);
    let ran = piped(&["fmt", "--to", "msgpack"], "[1e999]");
    assert_eq!(headlines(&ran.err), ["error[number-range] <stdin>:1:2"]);
    assert!(
        ran.err.contains("`--lossy` writes the nearest double"),
        "{}",
        ran.err
    );
    for args in [
        &["-w"][..],
        &["--check"],
        &["--indent", "2"],
        &["-S"],
        &["--canonical"],
    ] {
        let ran = folder.run(&[&["fmt", "--to", "msgpack", "a.json"], args].concat());
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(
            ran.err.contains("`jsonx fmt --to msgpack FILE > NEW`"),
            "{}",
            ran.err
        );
    }
}

/// A long value is measured in a file, and refused in a pipe, where records are not.
#[test]
fn long_values() {
    let row =
        "{\"id\":1234567,\"name\":\"a row of a table\",\"values\":[1,2.5,null],\"more\":[[],{}]}";
    let array = format!("[{}]\n", vec![row; 400_000].join(","));
    let rows = format!("{row}\n").repeat(400_000);
    let folder = Folder::with(&[("a.json", array.as_bytes()), ("a.jsonl", rows.as_bytes())]);
    let (whole, code) = packed(&folder, &["a.json"], b"");
    assert!(code == 0 && whole.starts_with(&[0xdd]) && whole.len() > 17 << 20);
    std::fs::write(folder.path("a.msgpack"), &whole).unwrap();
    assert!(folder.run(&["fmt", "-c", "a.msgpack"]).out == array);
    let (lines, code) = packed(&folder, &["a.jsonl"], b"");
    assert!(code == 0 && whole.ends_with(&lines) && whole.len() == lines.len() + 5);
    assert!(packed(&folder, &[], rows.as_bytes()) == (lines, 0));
    let ran = piped(&["fmt", "--to", "msgpack"], &array);
    assert_eq!((ran.out.as_str(), ran.code), ("", 4));
    assert!(ran.err.contains("only from a file"), "{}", ran.err);
}

/// A name is no proof, an empty sequence no error, and a message no longer than a line.
#[test]
fn names_and_limits() {
    let deep = [vec![0x91; 3000], vec![0xc1]].concat();
    let umlauts = "Übung macht den Meister. ".repeat(2000);
    let latin: Vec<u8> = umlauts.chars().map(|c| c as u8).collect();
    let folder = Folder::with(&[
        ("text.msgpack", b" {\"a\": 1}\n"),
        ("empty.msgpack", b""),
        ("deep.msgpack", &deep),
        ("array.msgpack", b"\x81\x90\x01"),
        ("a.msgpack", b"\x01"),
        ("latin.txt", &latin),
    ]);
    let reads = |args: &[&str], out: &str, code| {
        let ran = folder.run(args);
        assert_eq!((ran.out.as_str(), ran.code), (out, code), "{args:?}");
        ran.err
    };
    reads(&["get", ".a", "text.msgpack"], "1\n", 0);
    reads(&["fmt", "-c", "a.msgpack"], "1\n", 0);
    let as_bytes = ["get", "-n", ".", "--input", "msgpack", "text.msgpack"];
    assert_ne!(folder.run(&as_bytes).out, "{\"a\": 1}\n");
    for command in ["validate", "fmt"] {
        assert_eq!(reads(&[command, "empty.msgpack"], "", 0), "");
    }
    for args in [&["get", "."][..], &["shape"], &["set", ".a", "1"]] {
        let err = reads(&[args, &["empty.msgpack"]].concat(), "", 1);
        assert!(err.contains("holds no value"), "{err}");
    }
    let err = reads(&["validate", "deep.msgpack"], "", 1);
    assert!(err.contains("[0…0]") && err.len() < 200, "{err}");
    let err = reads(&["get", "--lossy", ".", "array.msgpack"], "", 3);
    assert!(
        err.contains("the key is not a string") && !err.contains("--lossy"),
        "{err}"
    );
    let ran = folder.run(&["validate", "latin.txt"]);
    assert!(ran.out.starts_with("error[invalid-utf8]"), "{}", ran.out);
    for option in ["--check", "--diff", "-w"] {
        let err = reads(&["fmt", option, "a.msgpack"], "", 4);
        assert!(err.contains("`… | jsonx fmt --to msgpack > NEW`"), "{err}");
    }
}
