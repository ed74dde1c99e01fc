//! Values of pipes, which are processed as they arrive.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use crate::hostile::binary;

/// Longer than any pause of a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The bytes that a program prints, as they arrive.
fn bytes_of(out: impl std::io::Read + Send + 'static) -> Receiver<u8> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut out = BufReader::new(out);
        while let Ok(bytes @ [_, ..]) = out.fill_buf() {
            let length = bytes.len();
            if bytes.iter().any(|byte| sender.send(*byte).is_err()) {
                return;
            }
            out.consume(length);
        }
    });
    receiver
}

/// Runs a program, passes it the parts of its input one after another, and checks what it prints after each, by `is_enough`. Returns
/// all output and the exit code.
pub fn fed(
    args: &[&str],
    parts: &[&[u8]],
    mut is_enough: impl FnMut(usize, &[u8]) -> bool,
    ends_itself: bool,
) -> (Vec<u8>, Option<i32>) {
    let mut child = binary()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let out = bytes_of(child.stdout.take().unwrap());
    let mut seen = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        if stdin.write_all(part).is_err() {
            // It has ended.
            break;
        }
        while !is_enough(number, &seen) {
            let next = out.recv_timeout(PATIENCE);
            let shown = String::from_utf8_lossy(&seen);
            seen.push(next.unwrap_or_else(|_| panic!("{args:?} {number} {shown}")));
        }
    }
    let code = ends_itself.then(|| child.wait().unwrap());
    drop(stdin);
    seen.extend(out);
    let code = code.unwrap_or_else(|| child.wait().unwrap());
    (seen, code.code())
}

/// Each result is printed before the read that waits.
#[test]
fn values_are_processed_as_they_arrive() {
    let events =
        "[[0],1]\n|[[1,0],2]\n|[[1,1],3]\n[[1,2,\"a\"],4]\n[[1,2,\"a\"]]\n|[[1,2]]\n[[1]]\n";
    for (args, parts, out) in [
        (
            "jq -c .n",
            "{\n \"n\": 1\n}\n|{\n \"n\"|: 2\n}\n",
            "1\n||2\n",
        ),
        (
            "jq -c .n",
            "{\"n\":1}|{\"n\":2}{\"n\":3}{\"n\"|:4}",
            "1\n|2\n3\n|4\n",
        ),
        ("jq -c .", "1\n|2|3\n\"a\"|[", "1\n||23\n\"a\"\n|"),
        ("jq -c .", "{} {|} 7 8|9 ", "{}\n|{}\n7\n|89\n"),
        ("jq -R .", "a\n|b\nc|d\n", "\"a\"\n|\"b\"\n|\"cd\"\n"),
        ("jq -c --stream .", "[1,|[2,|3,{\"a\":4}|]]", events),
        (
            "jq --seq .n",
            "\x1e{\"n\":1}\n|\x1e{\"n\":2}\n",
            "\x1e1\n|\x1e2\n",
        ),
        ("jq -n inputs.n", "{\"n\":1}|{\"n\"\n:2}", "1\n|2\n"),
        ("jq -n first(inputs)", "{}\n", "{}\n"),
        ("jq -n first(inputs).n", "{\"n\":\n1}", "1\n"),
        (
            "jq --skip-invalid .n",
            "> npm start\n{\"n\":1}\n|{\"n\":2}\n",
            "1\n|2\n",
        ),
        ("get .n", "> npm start\n{\"n\":1}\n|{\"n\":2}\n", "1\n|2\n"),
        ("get .n", "{\n \"n\": 1\n}\n|{\n \"n\"|: 2\n}\n", "1\n||2\n"),
    ] {
        for unbuffered in [&[][..], &["--unbuffered"]] {
            let is_jq = args.starts_with("jq");
            if !is_jq && !unbuffered.is_empty() {
                continue;
            }
            let args: Vec<&str> = args.split(' ').chain(unbuffered.iter().copied()).collect();
            let parts: Vec<&[u8]> = parts.split('|').map(str::as_bytes).collect();
            let mut expected = String::new();
            let until: Vec<String> = (out.split('|'))
                .map(|out| {
                    expected += out;
                    expected.clone()
                })
                .collect();
            // It does not wait for more than it needs.
            let ends_itself = args.iter().any(|arg| arg.starts_with("first"));
            let is_enough = |number: usize, seen: &[u8]| seen.len() >= until[number].len();
            let (seen, _) = fed(&args, &parts, is_enough, ends_itself);
            assert_eq!(String::from_utf8_lossy(&seen), expected, "{args:?}");
        }
    }
}

/// An error is reported without waiting for the end of the input.
#[test]
fn an_error_ends_a_pipe_that_goes_on() {
    for args in [
        &["jq", "-c", "."][..],
        &["jq", "-c", "--stream", "."],
        &["jq", "-n", "[inputs]"],
        &["jq", "-s", "."],
    ] {
        for text in [
            "1 \"a\" x\n",
            "{\"a\":\n]",
            "{\"n\":1}\n{\"n\":}\n{\"n\":2}\n",
        ] {
            let (_, code) = fed(args, &[text.as_bytes()], |_, _| true, true);
            assert_eq!(code, Some(5), "{args:?} {text}");
        }
    }
}

/// A value and a layout.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (-1000..1000).prop_map(Value::from),
        "[a{\\[\\\\\"\n é]{0,4}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-d]", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    (value, 0..3).prop_map(|(value, layout)| match layout {
        0 => value.to_string(),
        1 => format!("{value:#}"),
        _ => format!("{value:#}").replace('\n', "\r\n"),
    })
}

/// A jq of version 1.8 or later.
fn jq() -> Option<String> {
    let path = std::env::var("JSONX_JQ").unwrap_or_else(|_| "jq".to_owned());
    let version = Command::new(&path).arg("--version").output().ok()?.stdout;
    let version = String::from_utf8(version).ok()?;
    let version = version.trim().strip_prefix("jq-1.")?.split(['.', '-']);
    let minor: u32 = version.into_iter().next()?.parse().ok()?;
    (minor >= 8).then_some(path)
}

/// Of any stream, all that is complete is printed before a pause, and jq prints the same for the text so far.
#[test]
fn what_is_complete_is_printed_before_a_pause() {
    let jq = jq();
    if jq.is_none() {
        eprintln!("not compared: no jq of version 1.8 or later in JSONX_JQ or on the PATH");
    }
    let config = Config {
        failure_persistence: None,
        ..jsonx_testing::cases(60)
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let streams = (
        prop::collection::vec(
            (value(), prop::sample::select(vec!["", " ", "\n", "\r\n\n"])),
            1..6,
        ),
        prop::collection::vec(any::<prop::sample::Index>(), 1..4),
        prop::sample::select(vec![
            &["jq", "-c", "."][..],
            &["jq", "-nc", "inputs"],
            &["jq", "-c", "--threads=1", "--unbuffered", "."],
        ]),
    );
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let checked = runner.run(&streams, |(values, cuts, args)| {
        let (mut text, mut ends, mut out) = (String::new(), Vec::new(), String::new());
        for (value, separator) in &values {
            let continues = is_word(value.as_bytes().first()) || value.starts_with('-');
            if is_word(text.as_bytes().last()) && continues {
                text.push(' ');
            }
            text += value;
            // A number may go on.
            ends.push(text.len() + usize::from(is_word(value.as_bytes().last())));
            text += separator;
            let value: Value = serde_json::from_str(value).unwrap();
            out += &format!("{value}\n");
        }
        let text = text.as_bytes();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        cuts.extend([0, text.len()]);
        cuts.sort();
        let parts: Vec<&[u8]> = cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]).collect();
        let printed: Vec<String> = (cuts[1..].iter())
            .map(|&cut| {
                let count = ends.iter().filter(|&&end| end <= cut).count();
                out.split_inclusive('\n').take(count).collect()
            })
            .collect();
        if let Some(jq) = &jq {
            for (&cut, printed) in cuts[1..].iter().zip(&printed) {
                let before = &text[..cut];
                if !is_word(before.last()) {
                    prop_assert_eq!(&ran(jq, before), printed);
                }
            }
        }
        let is_enough = |number: usize, seen: &[u8]| seen.len() >= printed[number].len();
        let (seen, code) = fed(args, &parts, is_enough, false);
        prop_assert_eq!(String::from_utf8(seen).unwrap(), out);
        prop_assert_eq!(code, Some(0));
        Ok(())
    });
    checked.unwrap();
}

/// What jq prints for a text.
fn ran(jq: &str, text: &[u8]) -> String {
    let mut child = Command::new(jq)
        .args(["-c", "."])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}
