//! `jsonx convert`.

use std::process::{Command, Stdio};

use crate::{Folder, headlines, jsonx, piped};

/// Standard output, as bytes, and the exit code.
fn bytes(folder: &Folder, args: &[&str], input: &[u8]) -> (Vec<u8>, i32) {
    let output = jsonx(args)
        .current_dir(folder.path(""))
        .write_stdin(input)
        .output()
        .expect("the binary starts");
    (output.stdout, output.status.code().expect("no signal"))
}

#[test]
fn both_directions_from_files_and_pipes() {
    let json = "{\"a\":[1,-2.5,\"é\",null,true],\"b\":{}}\n";
    let packed = b"\x82\xa1a\x95\x01\xcb\xc0\x04\0\0\0\0\0\0\xa2\xc3\xa9\xc0\xc3\xa1b\x80";
    let folder = Folder::with(&[
        ("a.json", json.as_bytes()),
        ("a.msgpack", packed),
        ("a.mpk", packed),
        ("unnamed", packed),
    ]);
    let to_messagepack = (packed.to_vec(), 0);
    let to_json = (json.as_bytes().to_vec(), 0);
    for (args, input, expected) in [
        (&["convert", "a.json"][..], &b""[..], &to_messagepack),
        (
            &["convert", "--to", "msgpack", "a.json"],
            b"",
            &to_messagepack,
        ),
        (&["convert"], json.as_bytes(), &to_messagepack),
        (
            &["convert", "--from", "json", "-"],
            json.as_bytes(),
            &to_messagepack,
        ),
        (&["convert", "a.msgpack"], b"", &to_json),
        (&["convert", "a.mpk"], b"", &to_json),
        (&["convert", "unnamed"], b"", &to_json),
        (&["convert", "--to", "json"], packed, &to_json),
        (&["convert", "--from", "msgpack"], packed, &to_json),
    ] {
        assert_eq!(&bytes(&folder, args, input), expected, "{args:?}");
    }
}

#[test]
fn the_format_is_not_the_one_that_is_there_already() {
    let folder = Folder::with(&[("a.json", b"[1]"), ("a.msgpack", b"\x91\x01")]);
    for (args, words) in [
        (
            &["convert", "--to", "json", "a.json"],
            "is not MessagePack; `jsonx fmt a.json` formats JSON",
        ),
        (
            &["convert", "--to", "msgpack", "a.msgpack"],
            "is MessagePack already",
        ),
    ] {
        let ran = folder.run(args);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{args:?}");
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    // JSON is never read as MessagePack, in which `{` is a number.
    assert_eq!(piped(&["convert", "--to", "json"], "{}").code, 2);
    assert_eq!(piped(&["convert", "--to", "xml"], "{}").code, 2);
}

#[test]
fn records_and_streams_become_sequences() {
    let folder = Folder::with(&[
        ("a.jsonl", b"{\"a\":1}\n[2]\n"),
        ("bad.jsonl", b"{\"a\":1}\n[2\n"),
        ("rows.json", b"[1, [2], {}]"),
        ("a.msgpack", b"\x81\xa1a\x01\x91\x02"),
    ]);
    let sequence = (b"\x81\xa1a\x01\x91\x02".to_vec(), 0);
    assert_eq!(bytes(&folder, &["convert", "a.jsonl"], b""), sequence);
    let stream = ["convert", "--from", "stream", "-"];
    assert_eq!(bytes(&folder, &stream, b"{\"a\":1} [2]"), sequence);
    let lines = ["convert", "--from", "jsonl"];
    assert_eq!(bytes(&folder, &lines, b"{\"a\":1}\n[2]\n"), sequence);
    assert_eq!(bytes(&folder, &lines, b"1 2\n").1, 3);
    // A file is checked first.
    assert_eq!(bytes(&folder, &["convert", "bad.jsonl"], b""), (vec![], 3));
    let unwrapped = (b"\x01\x91\x02\x80".to_vec(), 0);
    for input in [&b""[..], b"[1, [2], {}]"] {
        let file = if input.is_empty() { "rows.json" } else { "-" };
        let args = ["convert", "--unwrap", file];
        assert_eq!(bytes(&folder, &args, input), unwrapped);
    }
    assert_eq!(
        folder.run(&["convert", "a.msgpack"]).out,
        "{\"a\":1}\n[2]\n"
    );
}

#[test]
fn layouts() {
    let packed = b"\x82\xa1b\x92\x01\x02\xa1a\xa2\xc3\xa9";
    for (flags, expected) in [
        (&[][..], "{\"b\":[1,2],\"a\":\"é\"}\n"),
        (
            &["--indent", "1"],
            "{\n \"b\": [\n  1,\n  2\n ],\n \"a\": \"é\"\n}\n",
        ),
        (
            &["--tab", "--width", "9"],
            "{\n\t\"b\": [\n\t\t1,\n\t\t2\n\t],\n\t\"a\": \"é\"\n}\n",
        ),
        (&["--width", "40"], "{\"b\": [1, 2], \"a\": \"é\"}\n"),
        (&["-S"], "{\"a\":\"é\",\"b\":[1,2]}\n"),
        (&["--ascii"], "{\"b\":[1,2],\"a\":\"\\u00e9\"}\n"),
        (&["--indent", "0"], "{\"b\":[1,2],\"a\":\"é\"}\n"),
    ] {
        let args = [&["convert", "--from", "msgpack"], flags].concat();
        let ran = piped(&args, packed);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str()),
            (expected, ""),
            "{flags:?}"
        );
    }
}

#[test]
fn values_that_messagepack_lacks() {
    let text = b"[1,\n \"\\ud800\", 18446744073709551616, 1e999]";
    let folder = Folder::with(&[("a.json", text)]);
    for args in [
        &["convert", "a.json"][..],
        &["convert"],
        &["convert", "--unwrap", "a.json"],
    ] {
        let ran = crate::run(
            jsonx(args)
                .current_dir(folder.path(""))
                .write_stdin(&text[..]),
        );
        assert_eq!(ran.code, 3, "{args:?}");
        let name = if args == ["convert"] {
            "<stdin>"
        } else {
            "a.json"
        };
        assert_eq!(
            headlines(&ran.err),
            [format!("error[lone-surrogate] {name}:2:3")]
        );
        // For an unwrapped array in a pipe, the elements before the error.
        assert_eq!(ran.out, "", "{args:?}");
    }
    let numbers = "[18446744073709551616, -9223372036854775808]";
    let ran = piped(&["convert"], numbers);
    assert_eq!(headlines(&ran.err), ["error[number-range] <stdin>:1:2"]);
    assert!(ran.err.contains("--big float"), "{}", ran.err);
    let folder = Folder::with(&[]);
    let (packed, code) = bytes(&folder, &["convert", "--big", "string"], numbers.as_bytes());
    assert_eq!(code, 0);
    assert_eq!(
        piped(&["convert"], packed).out,
        "[\"18446744073709551616\",-9223372036854775808]\n"
    );
    let float = bytes(
        &folder,
        &["convert", "--big", "float"],
        b"18446744073709551616",
    );
    assert_eq!(float, (b"\xcb\x43\xf0\0\0\0\0\0\0".to_vec(), 0));
    let single = bytes(&folder, &["convert", "--float32"], b"0.5");
    assert_eq!(single, (b"\xca\x3f\0\0\0".to_vec(), 0));
}

#[test]
fn singles_have_their_exact_value_or_their_own_digits() {
    let packed: &[u8] = b"\xca\x4f\0\0\0\xca\x3d\xcc\xcc\xcd\x81\xca\x3d\xcc\xcc\xcd\xc0";
    let exact = "2147483648.0\n0.10000000149011612\n{\"0.10000000149011612\":null}\n";
    let short = "2147483600.0\n0.1\n{\"0.1\":null}\n";
    let folder = Folder::with(&[("a.msgpack", packed), ("a.json", b"0.5"), ("short", b"0.5")]);
    let keys = "--keys=stringify";
    for (args, expected) in [
        (&["convert", keys, "a.msgpack"][..], exact),
        (&["convert", keys, "--float32", "a.msgpack"], exact),
        (&["convert", keys, "a.msgpack", "--float32"], exact),
        (&["convert", keys, "--float32", "short", "a.msgpack"], short),
        (&["convert", keys, "--float32=short", "a.msgpack"], short),
        (&["convert", keys, "a.msgpack", "--float32", "short"], short),
        (
            &["convert", keys, "--float32", "--to", "json", "a.msgpack"],
            exact,
        ),
    ] {
        let ran = folder.run(args);
        assert_eq!(
            (ran.out.as_str(), ran.err.as_str()),
            (expected, ""),
            "{args:?}"
        );
        let from_pipe: Vec<&str> = args
            .iter()
            .copied()
            .filter(|arg| *arg != "a.msgpack")
            .collect();
        assert_eq!(piped(&from_pipe, packed).out, expected, "{from_pipe:?}");
    }
    let single = (b"\xca\x3f\0\0\0".to_vec(), 0);
    let path = folder.path("a.json").display().to_string();
    for args in [
        &["convert", "--float32", &path][..],
        &["convert", &path, "--float32", "short"],
        &["convert", "--float32", "-"],
    ] {
        assert_eq!(bytes(&folder, args, b"0.5"), single, "{args:?}");
    }
    // A round trip gives the same text.
    let back = bytes(
        &folder,
        &["convert", "--float32"],
        b"2147483648.0\n0.10000000149011612",
    );
    assert_eq!(back.0, packed[..10]);
    let ran = folder.run(&["convert", "--float32", "shrt", "a.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert!(
        ran.err.contains("takes `short` or nothing, not shrt"),
        "{}",
        ran.err
    );
}

#[test]
fn values_that_json_lacks() {
    for (packed, flags, out, code) in [
        (&b"\xcb\x7f\xf8\0\0\0\0\0\0"[..], &[][..], "", 3),
        (
            b"\xcb\x7f\xf8\0\0\0\0\0\0",
            &["--nonfinite", "null"],
            "null\n",
            0,
        ),
        (b"\xc4\x02\xfb\xff", &[], "\"+/8=\"\n", 0),
        (b"\xc4\x02\xfb\xff", &["--bin", "hex"], "\"fbff\"\n", 0),
        (b"\xc4\x02\xfb\xff", &["--bin", "error"], "", 3),
        (b"\x81\x01\x02", &[], "", 3),
        (b"\x81\x01\x02", &["--keys", "stringify"], "{\"1\":2}\n", 0),
        (b"\x81\x80\x02", &["--keys", "stringify"], "", 3),
        (b"\xd6\xff\0\0\0\0", &[], "\"1970-01-01T00:00:00Z\"\n", 0),
        (b"\xd4\x05a", &[], "{\"$ext\":[5,\"YQ==\"]}\n", 0),
        (b"\xca\x3d\xcc\xcc\xcd", &[], "0.10000000149011612\n", 0),
    ] {
        let args = [&["convert", "--from", "msgpack"], flags].concat();
        let ran = piped(&args, packed);
        assert_eq!(
            (ran.out.as_str(), ran.code),
            (out, code),
            "{packed:x?} {flags:?}"
        );
        assert_eq!(ran.err.is_empty(), code == 0, "{}", ran.err);
    }
}

/// The message has the position, and no incomplete value is printed.
#[test]
fn hostile_messagepack() {
    let value = b"\x81\xa3key\x93\x01\xda\x01\0".to_vec();
    for (packed, place) in [
        (&b"\x81\xa1a\x92\x01\xc1"[..], "byte 5, at .a[1]: "),
        (b"\xdd\xff\xff\xff\xff\x01", "byte 6, at .[1]: "),
        (b"\xdb\xff\xff\xff\xffabcde", "byte 10: "),
        (b"\xc6\xff\xff\xff\xffabcde", "byte 10: "),
        (b"\x81\xa1a\xa2a\xff", "byte 5, at .a: "),
        (b"\x92\x01\x81\x92\x01\x02\x03", "byte 3, at .[1]: "),
        (b"\x91", "byte 1, at .[0]: "),
    ] {
        let ran = piped(&["convert", "--from", "msgpack"], packed);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{packed:x?}");
        let expected = format!("jsonx: <stdin>: {place}");
        assert!(ran.err.starts_with(&expected), "{packed:x?}: {}", ran.err);
        let named = Folder::with(&[("a.msgpack", packed)]);
        let ran = named.run(&["convert", "a.msgpack"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{packed:x?}");
        assert!(ran.err.contains(place), "{packed:x?}: {}", ran.err);
    }
    for length in 1..value.len() {
        let ran = piped(&["convert", "--from", "msgpack"], &value[..length]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{length}");
        assert!(ran.err.contains(&format!("byte {length}")), "{}", ran.err);
    }
    assert_eq!(piped(&["convert", "--from", "msgpack"], "").code, 3);
    // The depth limit of all commands applies.
    let deep = [&vec![0x91; 10_000_000][..], b"\x90"].concat();
    let ran = piped(&["convert", "--from", "msgpack"], &deep);
    assert_eq!((ran.out.as_str(), ran.code), ("", 4));
    assert!(ran.err.contains("byte 10000, at "), "{}", &ran.err[..100]);
    let args = ["convert", "--from", "msgpack", "--max-depth", "20000000"];
    let ran = piped(&args, &deep);
    assert_eq!((ran.out.len(), ran.code), (2 * 10_000_001 + 1, 0));
}

/// Values larger than the buffer go through an unnamed temporary file.
#[cfg(target_os = "linux")]
#[test]
fn large_values_through_pipes() {
    let folder = Folder::with(&[]);
    std::fs::create_dir(folder.path("tmp")).unwrap();
    let name = "a row of a table ".repeat(14);
    let row = format!("{{\"id\":1234567,\"name\":\"{name}\",\"values\":[1,2.5,null]}}");
    let json = format!("[{}]\n", vec![row; 80_000].join(","));
    let convert = |input: &[u8], args: &[&str]| {
        let output = jsonx(args)
            .env("TMPDIR", folder.path("tmp"))
            .write_stdin(input)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        output.stdout
    };
    let packed = convert(json.as_bytes(), &["convert"]);
    assert!(packed.starts_with(&[0xdd]) && packed.len() > 17 << 20);
    assert!(convert(&packed, &["convert"]) == json.as_bytes());
    assert_eq!(std::fs::read_dir(folder.path("tmp")).unwrap().count(), 0);
    // The same from files of that size, which are read twice.
    std::fs::write(folder.path("a.json"), &json).unwrap();
    assert!(bytes(&folder, &["convert", "a.json"], b"").0 == packed);
    std::fs::write(folder.path("a.msgpack"), &packed).unwrap();
    assert!(bytes(&folder, &["convert", "a.msgpack"], b"").0 == json.as_bytes());
    // A full disk is reported.
    let ran = crate::run(
        jsonx(&["convert"])
            .env("TMPDIR", folder.path("missing"))
            .write_stdin(json.as_bytes()),
    );
    assert_eq!((ran.out.as_str(), ran.code), ("", 4));
    assert!(ran.err.contains("temporary file: "), "{}", ran.err);
}

#[test]
fn duplicate_keys_pass_with_a_warning() {
    let text = "{\"a\": 1, \"a\": 2}";
    let folder = Folder::with(&[("a.json", text.as_bytes())]);
    let packed = (b"\x82\xa1a\x01\xa1a\x02".to_vec(), 0);
    assert_eq!(bytes(&folder, &["convert", "a.json"], b""), packed);
    assert_eq!(bytes(&folder, &["convert"], text.as_bytes()), packed);
    for args in [&["convert", "a.json"][..], &["convert"]] {
        let output = jsonx(args)
            .current_dir(folder.path(""))
            .write_stdin(text)
            .output()
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(headlines(&err).len(), 1, "{err}");
        assert!(err.starts_with("warning[duplicate-key]"), "{err}");
    }
}

#[test]
fn nothing_is_printed_into_the_input() {
    let folder = Folder::with(&[("a.json", b"[1]")]);
    let file = std::fs::OpenOptions::new()
        .append(true)
        .open(folder.path("a.json"))
        .unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_jsonx"))
        .args(["convert", "a.json"])
        .current_dir(folder.path(""))
        .stdout(file)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(4));
    assert_eq!(std::fs::read(folder.path("a.json")).unwrap(), b"[1]");
}

#[test]
fn every_byte_that_is_a_value_is_converted() {
    // 0x1e is a record separator.
    for byte in (0..=0x7f).chain(0xe0..=0xff).filter(|&byte| byte != 0x1e) {
        let folder = Folder::with(&[("a", &[byte])]);
        let args = ["convert", "--from", "msgpack", "--to", "json"];
        let number = format!("{}\n", byte as i8).into_bytes();
        assert_eq!(bytes(&folder, &args, &[byte]), (number.clone(), 0));
        assert_eq!(
            bytes(&folder, &[&args[..], &["a"]].concat(), b""),
            (number, 0)
        );
    }
    let ran = piped(&["convert", "--to", "json"], "{}");
    assert!(ran.err.contains("`jsonx fmt` formats JSON"), "{}", ran.err);
}
