//! Events against serde_json, in windows of any size.

use std::convert::Infallible;

use proptest::prelude::*;
use serde_json::Value;

use super::{Event, Events};
use crate::agreement::valid_text;
use crate::engine::{Kernel, Mode, Options, Stop, Validator};
use jsonx_testing::cases;

/// An event that owns its text, as JSON source for a number.
#[derive(Clone, Debug, PartialEq)]
enum Owned {
    Null,
    Boolean(bool),
    Number(String),
    String(String),
    Key(String),
    Begin(u8),
    End(u8),
}

fn owned(event: Event<'_>) -> Owned {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    match event {
        Event::Null => Owned::Null,
        Event::Boolean(value) => Owned::Boolean(value),
        Event::Number(number) => Owned::Number(text(number.raw())),
        Event::String(content) => Owned::String(text(content)),
        Event::Key(content) => Owned::Key(text(content)),
        Event::BeginArray => Owned::Begin(b'['),
        Event::EndArray => Owned::End(b'['),
        Event::BeginObject => Owned::Begin(b'{'),
        Event::EndObject => Owned::End(b'{'),
    }
}

/// The events of a text in windows, at most `limit`, and how the check ended.
fn windows(
    text: &[u8],
    size: usize,
    kernel: Kernel,
    limit: usize,
) -> (Vec<Owned>, Result<(), Stop<Stop<()>>>) {
    let mut seen = Vec::new();
    let mut events = Events::new(|event: Event<'_>| {
        seen.push(owned(event));
        if seen.len() < limit { Ok(()) } else { Err(()) }
    });
    let mut validator = Validator::new(Options::default().mode(Mode::Stream).kernel(kernel));
    let mut written = text.chunks(size);
    let checked = written
        .try_for_each(|window| validator.write(window, &mut events))
        .and_then(|()| validator.finish(events));
    (seen, checked)
}

fn events(text: &[u8]) -> Vec<Owned> {
    let (events, checked) = windows(text, usize::MAX, Kernel::swar(), usize::MAX);
    checked.unwrap();
    events
}

/// Builds a value from its events, without recursion; the last of duplicate keys counts.
fn value_of(events: &[Owned]) -> Value {
    let mut open: Vec<(Value, Option<String>)> = Vec::new();
    let mut key = None;
    for event in events {
        let value = match event {
            Owned::Null => Value::Null,
            Owned::Boolean(value) => Value::Bool(*value),
            Owned::Number(text) => serde_json::from_str(text).unwrap(),
            Owned::String(text) => Value::String(text.clone()),
            Owned::Key(text) => {
                assert_eq!(key.replace(text.clone()), None);
                continue;
            }
            Owned::Begin(b'[') => {
                open.push((Value::Array(Vec::new()), key.take()));
                continue;
            }
            Owned::Begin(_) => {
                open.push((Value::Object(serde_json::Map::new()), key.take()));
                continue;
            }
            Owned::End(bracket) => {
                let (value, outer) = open.pop().unwrap();
                assert_eq!(value.is_object(), *bracket == b'{');
                key = outer;
                value
            }
        };
        match open.last_mut() {
            Some((Value::Array(elements), _)) => elements.push(value),
            Some((Value::Object(members), _)) => {
                members.insert(key.take().unwrap(), value);
            }
            _ => return value,
        }
    }
    panic!("no value");
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn events_make_the_value_of_serde_json(
        choices in prop::collection::vec(any::<u32>(), 0..80),
        size in prop::sample::select(vec![1, 63, 64, 100, 5000]),
        limit: prop::sample::Index,
    ) {
        let text = valid_text(&choices);
        let events = events(&text);
        if let Ok(value) = serde_json::from_slice::<Value>(&text) {
            prop_assert_eq!(value_of(&events), value);
        }
        // The function may stop at any event, and has received those before it.
        let limit = limit.index(events.len()) + 1;
        for kernel in Kernel::available() {
            prop_assert_eq!(&windows(&text, size, kernel, usize::MAX).0, &events);
            let (some, checked) = windows(&text, size, kernel, limit);
            prop_assert_eq!(checked, Err(Stop::Sink(Stop::Sink(()))));
            prop_assert_eq!(&some[..], &events[..limit]);
        }
    }
}

#[test]
fn keys_are_distinguished_from_strings() {
    let text = br#"{"a": "b", "c": ["d", {"e": {}, "f": []}, "g"], "h": "i"}"#;
    let seen = events(text).into_iter().filter_map(|event| match event {
        Owned::Key(key) => Some(format!("{key}:")),
        Owned::String(text) => Some(text),
        _ => None,
    });
    let expected = ["a:", "b", "c:", "d", "e:", "f:", "g", "h:", "i"];
    assert_eq!(seen.collect::<Vec<_>>(), expected);
}

#[test]
fn strings_are_decoded_and_lone_surrogates_replaced() {
    let expected = [
        Owned::Begin(b'{'),
        Owned::Key("é".to_owned()),
        Owned::String("\u{fffd}😀\n".to_owned()),
        Owned::End(b'{'),
    ];
    assert_eq!(events(br#"{"\u00e9": "\ud800\ud83d\ude00\n"}"#), expected);
}

#[test]
fn errors_follow_earlier_events() {
    let stop = |text: &[u8]| windows(text, usize::MAX, Kernel::swar(), usize::MAX);
    let (_, checked) = stop(b"[1, 2,]");
    assert!(matches!(checked, Err(Stop::Invalid(error)) if error.offset == 6));
    let (seen, checked) = stop(format!("[{}nul]", "0, ".repeat(10_000)).as_bytes());
    assert!(checked.is_err() && seen.len() > 8000);
}

/// Only counts, so that ten million levels need no memory.
#[test]
fn depth_takes_no_stack() {
    const LEVELS: usize = 10_000_000;
    let text = [vec![b'['; LEVELS], vec![b']'; LEVELS]].concat();
    let (mut now, mut most) = (0, 0);
    let events = Events::new(|event: Event<'_>| {
        match event {
            Event::BeginArray => now += 1,
            _ => now -= 1,
        }
        most = now.max(most);
        Ok::<(), Infallible>(())
    });
    Validator::default().check(&text, events).unwrap();
    assert_eq!((now, most), (0, LEVELS));
}
