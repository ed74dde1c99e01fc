//! Values of text that arrives in pieces: the same as for the whole text, each as soon as it is complete.

use std::io::{self, ErrorKind, Read};

use jsonx_core::stream::Incoming;
use jsonx_core::{elements, values};
use jsonx_testing::cases;
use proptest::prelude::*;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Yields one byte at a time, after each kind of transient error.
struct Interrupted<'t> {
    text: &'t [u8],
    turn: usize,
}

impl Read for Interrupted<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        match self.turn % 4 {
            1 => Err(ErrorKind::WouldBlock.into()),
            2 => Err(ErrorKind::Interrupted.into()),
            3 => Err(ErrorKind::TimedOut.into()),
            _ => {
                let count = out.len().min(1);
                Read::read(&mut self.text, &mut out[..count])
            }
        }
    }
}

/// The values, and the error after them.
fn read_all<T, E: ToString>(items: impl Iterator<Item = Result<T, E>>) -> (Vec<T>, Option<String>) {
    let mut read = Vec::new();
    for item in items {
        match item {
            Ok(value) => read.push(value),
            Err(error) => return (read, Some(error.to_string())),
        }
    }
    (read, None)
}

fn pushed(mut incoming: Incoming<Value>, pieces: &[&[u8]]) -> (Vec<Value>, Option<String>) {
    let mut items = Vec::new();
    for piece in pieces {
        incoming.write(piece);
        items.extend(incoming.by_ref());
    }
    incoming.finish();
    items.extend(incoming.by_ref());
    read_all(items.into_iter())
}

/// The text in pieces of these lengths.
fn pieces<'t>(text: &'t str, lengths: &[usize]) -> Vec<&'t [u8]> {
    let mut rest = text.as_bytes();
    let mut pieces = Vec::new();
    for &length in lengths.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, after) = rest.split_at(length.min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn text() -> impl Strategy<Value = String> {
    let tokens = vec![
        "1",
        "23",
        "-4e5",
        "\"a\"",
        "\"\\\"]\\\\\"",
        "\"\\u00e9 é\"",
        "\"}",
        "[",
        "]",
        "{",
        "}",
        "\"k\":",
        ",",
        "true",
        "null",
        "nul",
        " ",
        "\n",
        "[1, [2], {\"a\": \"b\"}]",
        "{\"k\": [], \"l\": 1.5}",
        "\"a longer string, so that blocks are crossed\"",
    ];
    prop::collection::vec(prop::sample::select(tokens), 0..40).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn pieces_make_no_difference(
        text in text(),
        is_array in any::<bool>(),
        lengths in prop::collection::vec(1usize..80, 1..5),
    ) {
        let text = if is_array { format!("{{\"a\": [{}]}}", text.replace("][", "],[")) } else { text };
        let pieces = pieces(&text, &lengths);
        let turns = Interrupted { text: text.as_bytes(), turn: 0 };
        let passes = |error: &jsonx_core::Error| {
            matches!(error.io_error_kind(), Some(ErrorKind::WouldBlock | ErrorKind::TimedOut))
        };
        let is_value = |item: &Result<Value, jsonx_core::Error>| !item.as_ref().is_err_and(passes);
        if is_array {
            let whole = read_all(elements::<Value, _>(text.as_bytes(), "/a").unwrap());
            prop_assert_eq!(&pushed(Incoming::elements("/a").unwrap(), &pieces), &whole);
            prop_assert_eq!(&read_all(elements(turns, "/a").unwrap().filter(is_value)), &whole);
        } else {
            let whole = read_all(values::<Value, _>(text.as_bytes()));
            prop_assert_eq!(&pushed(Incoming::values(), &pieces), &whole);
            prop_assert_eq!(&read_all(values(turns).filter(is_value)), &whole);
        }
    }
}

/// A program that responds to each value must get it before the next one arrives.
#[test]
fn values_are_printed_once_they_are_complete() {
    for (text, prefix) in [
        ("{\"a\":1}[\"b\\\"\"]\"c]\"[[],[{}]]7 true ", ""),
        ("{\"a\":1},[\"b\\\"\"],\"c]\",[[],[{}]],7,true,", "["),
    ] {
        let mut incoming = match prefix {
            "" => Incoming::<Value>::values(),
            _ => Incoming::elements("").unwrap(),
        };
        incoming.write(prefix.as_bytes());
        let (mut depth, mut is_string, mut from) = (0, false, 0);
        for at in 0..text.len() {
            let byte = text.as_bytes()[at];
            let is_escaped = at > 0 && text.as_bytes()[at - 1] == b'\\';
            match byte {
                b'"' if !is_escaped => is_string = !is_string,
                b'[' | b'{' if !is_string => depth += 1,
                b']' | b'}' if !is_string => depth -= 1,
                _ => {}
            }
            incoming.write(&[byte]);
            let ends = depth == 0 && !is_string && b"]}\" ,".contains(&byte);
            let value = text[from..=at].trim_matches([' ', ',']);
            if ends && !value.is_empty() {
                let expected: Value = serde_json::from_str(value).unwrap();
                assert_eq!(incoming.next().unwrap().unwrap(), expected);
                from = at + 1;
            }
            assert!(incoming.next().is_none(), "at {at} of {text}");
        }
    }
}

#[test]
fn paths_without_elements_are_errors() {
    for (text, path, expected) in [
        (r#"{"a": []}"#, "/nope", "the path leads to no value"),
        (r#"{"a": []}"#, ".a.b", "the path leads to no value"),
        (
            "7",
            "",
            "expected an array or an object, found a number at offset 0",
        ),
        (
            r#"{"a": "[]"}"#,
            "/a",
            "expected an array or an object, found a string at offset 6",
        ),
        (
            r#"{"a": null}"#,
            "/a",
            "expected an array or an object, found null at offset 6",
        ),
        (
            r#"{"a": [{"b": false}]}"#,
            "/a/0/b",
            "expected an array or an object, found a boolean at offset 13",
        ),
        (r#"{"a": []}"#, "/a", ""),
        (r#"{"a": [ {} ]}"#, "/a/0", ""),
        (r#"{"a": []}"#, "$..nope", ""),
        (
            "[",
            "",
            "the text ends before the value is complete at line LINE column 2",
        ),
    ] {
        for pad in ["", "  \n"] {
            let text = pad.to_owned() + text;
            let (read, error) = read_all(elements::<Value, _>(text.as_bytes(), path).unwrap());
            assert!(read.is_empty(), "{text} {path}");
            let expected = match expected.rsplit_once(' ') {
                Some((message, offset)) if message.ends_with("offset") => {
                    format!("{message} {}", offset.parse::<usize>().unwrap() + pad.len())
                }
                _ => expected.replace("LINE", &(1 + pad.lines().count()).to_string()),
            };
            assert_eq!(error.unwrap_or_default(), expected, "{text} {path}");
        }
    }
}

#[test]
fn a_value_that_is_too_long_is_an_error() {
    let mut incoming = Incoming::<Value>::values().max_held(1000);
    for _ in 0..100 {
        incoming.write(b"{\"a\": [1, 2, 3]} ");
    }
    assert_eq!(incoming.by_ref().filter(Result::is_ok).count(), 100);
    incoming.write(b"[");
    for _ in 0..1000 {
        incoming.write(b"12345, ");
    }
    let error = incoming.next().unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "a value is longer than 1000 bytes at line 1 column 1701"
    );
    assert!(incoming.next().is_none());
}

/// A server that responds to each request before the client sends the next one.
#[test]
fn requests_are_answered_over_an_asynchronous_connection() {
    async fn answer(mut stream: tokio::io::DuplexStream) -> Result<(), jsonx_core::Error> {
        let mut requests = Incoming::<Vec<u32>>::values().max_held(1 << 20);
        let mut buffer = [0; 5];
        loop {
            let count = stream.read(&mut buffer).await?;
            match count {
                0 => requests.finish(),
                _ => requests.write(&buffer[..count]),
            }
            for request in &mut requests {
                let sum: u32 = request?.iter().sum();
                stream.write_all(format!("{sum};").as_bytes()).await?;
            }
            if count == 0 {
                return Ok(());
            }
        }
    }

    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (mut client, server) = tokio::io::duplex(7);
        let server = runtime.spawn(answer(server));
        for (request, answer) in [("[12, 34]", "46;"), ("[1]", "1;"), ("[5,\n5, 5]", "15;")] {
            client.write_all(request.as_bytes()).await.unwrap();
            let mut answered = vec![0; answer.len()];
            client.read_exact(&mut answered).await.unwrap();
            assert_eq!(answered, answer.as_bytes());
        }
        drop(client);
        server.await.unwrap().unwrap();
    });
}
