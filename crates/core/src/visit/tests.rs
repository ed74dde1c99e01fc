//! Events against serde_json, in windows of any size.

use std::convert::Infallible;

use proptest::prelude::*;
use serde_json::Value;

use super::{Events, Visitor, visit};
use crate::Document;
use crate::agreement::valid_text;
use crate::engine::{Kernel, Mode, Options, Stop, Validator};
use crate::number::Number;
use jsonx_testing::cases;

#[derive(Clone, Debug, PartialEq)]
enum Event {
    Null,
    Boolean(bool),
    Number(String),
    String(String),
    Array(Option<u64>),
    ArrayEnd,
    Object(Option<u64>),
    Key(String),
    ObjectEnd,
}

#[derive(Default)]
struct Record {
    events: Vec<Event>,
    /// Stops after this number of events.
    limit: Option<usize>,
}

impl Record {
    fn add(&mut self, event: Event) -> Result<(), usize> {
        self.events.push(event);
        match self.limit {
            Some(limit) if self.events.len() >= limit => Err(limit),
            _ => Ok(()),
        }
    }
}

impl Visitor for Record {
    type Error = usize;

    fn null(&mut self) -> Result<(), usize> {
        self.add(Event::Null)
    }

    fn boolean(&mut self, value: bool) -> Result<(), usize> {
        self.add(Event::Boolean(value))
    }

    fn number(&mut self, number: Number<'_>) -> Result<(), usize> {
        self.add(Event::Number(
            String::from_utf8(number.raw().to_vec()).unwrap(),
        ))
    }

    fn string(&mut self, text: &str) -> Result<(), usize> {
        self.add(Event::String(text.to_owned()))
    }

    fn begin_array(&mut self, len: Option<u64>) -> Result<(), usize> {
        self.add(Event::Array(len))
    }

    fn end_array(&mut self) -> Result<(), usize> {
        self.add(Event::ArrayEnd)
    }

    fn begin_object(&mut self, len: Option<u64>) -> Result<(), usize> {
        self.add(Event::Object(len))
    }

    fn key(&mut self, key: &str) -> Result<(), usize> {
        self.add(Event::Key(key.to_owned()))
    }

    fn end_object(&mut self) -> Result<(), usize> {
        self.add(Event::ObjectEnd)
    }
}

fn events(text: &[u8]) -> Vec<Event> {
    let mut record = Record::default();
    visit(text, &mut record).unwrap();
    record.events
}

fn windows(text: &[u8], size: usize, kernel: Kernel) -> Vec<Event> {
    let mut events = Events::new(Record::default());
    let mut validator = Validator::new(Options::default().mode(Mode::Stream).kernel(kernel));
    for window in text.chunks(size) {
        validator.write(window, &mut events).unwrap();
    }
    validator.finish(events).unwrap().events
}

/// The events without lengths, which may be unknown.
fn without_lengths(events: &[Event]) -> Vec<Event> {
    let cleared = events.iter().map(|event| match event {
        Event::Array(_) => Event::Array(None),
        Event::Object(_) => Event::Object(None),
        other => other.clone(),
    });
    cleared.collect()
}

/// Builds a value from its events, without recursion; the last of duplicate keys counts.
fn value_of(events: &[Event]) -> Value {
    let mut open: Vec<(Value, Option<String>)> = Vec::new();
    let mut key = None;
    for event in events {
        let value = match event {
            Event::Null => Value::Null,
            Event::Boolean(value) => Value::Bool(*value),
            Event::Number(text) => serde_json::from_str(text).unwrap(),
            Event::String(text) => Value::String(text.clone()),
            Event::Key(text) => {
                assert_eq!(key.replace(text.clone()), None);
                continue;
            }
            Event::Array(len) => {
                let room = Vec::with_capacity(len.unwrap_or(0) as usize);
                open.push((Value::Array(room), key.take()));
                continue;
            }
            Event::Object(_) => {
                open.push((Value::Object(serde_json::Map::new()), key.take()));
                continue;
            }
            Event::ArrayEnd | Event::ObjectEnd => {
                let (value, outer) = open.pop().unwrap();
                assert_eq!(value.is_object(), *event == Event::ObjectEnd);
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
        // A document knows all lengths, and so does a short text.
        let document = Document::parse(&text).unwrap();
        let mut record = Record::default();
        document.root().visit(&mut record).unwrap();
        if text.len() < 8 << 10 {
            prop_assert_eq!(&record.events, &events);
        }
        let expected = without_lengths(&record.events);
        for kernel in Kernel::available() {
            prop_assert_eq!(&without_lengths(&windows(&text, size, kernel)), &expected);
        }
        // The visitor may stop at any event, and has received those before it.
        let limit = limit.index(events.len()) + 1;
        let mut record = Record { limit: Some(limit), ..Record::default() };
        prop_assert_eq!(visit(&text, &mut record), Err(Stop::Sink(limit)));
        prop_assert_eq!(&record.events[..], &events[..limit]);
    }
}

#[test]
fn keys_are_distinguished_from_strings() {
    let text = br#"{"a": "b", "c": ["d", {"e": {}, "f": []}, "g"], "h": "i"}"#;
    let seen = events(text).into_iter().filter_map(|event| match event {
        Event::Key(key) => Some(format!("{key}:")),
        Event::String(text) => Some(text),
        _ => None,
    });
    let expected = ["a:", "b", "c:", "d", "e:", "f:", "g", "h:", "i"];
    assert_eq!(seen.collect::<Vec<_>>(), expected);
}

#[test]
fn strings_are_decoded_and_lone_surrogates_replaced() {
    let expected = [
        Event::Object(Some(1)),
        Event::Key("é".to_owned()),
        Event::String("\u{fffd}😀\n".to_owned()),
        Event::ObjectEnd,
    ];
    assert_eq!(events(br#"{"\u00e9": "\ud800\ud83d\ude00\n"}"#), expected);
}

#[test]
fn lengths_are_known_within_a_chunk() {
    let long = format!("[[1, 2], [{}3], {{\"a\": []}}]", "0, ".repeat(10_000));
    let lengths = events(long.as_bytes())
        .into_iter()
        .filter_map(|event| match event {
            Event::Array(len) | Event::Object(len) => Some(len),
            _ => None,
        });
    assert!(lengths.eq([None, Some(2), None, Some(1), Some(0)]));
    let document = Document::parse(long.as_bytes()).unwrap();
    let mut record = Record::default();
    document.root().visit(&mut record).unwrap();
    assert!(record.events.contains(&Event::Array(Some(10_001))));
    // A nested value, and a scalar.
    let mut record = Record::default();
    document.find(".2").unwrap().visit(&mut record).unwrap();
    let expected = [
        Event::Object(Some(1)),
        Event::Key("a".to_owned()),
        Event::Array(Some(0)),
        Event::ArrayEnd,
        Event::ObjectEnd,
    ];
    assert_eq!(record.events, expected);
    let mut record = Record::default();
    document.find(".0.1").unwrap().visit(&mut record).unwrap();
    assert_eq!(record.events, [Event::Number("2".to_owned())]);
}

#[test]
fn errors_follow_earlier_events() {
    let mut record = Record::default();
    let stop = visit(b"[1, 2,]", &mut record).unwrap_err();
    assert!(matches!(stop, Stop::Invalid(error) if error.offset == 6));
    let long = format!("[{}nul]", "0, ".repeat(10_000));
    assert!(visit(long.as_bytes(), &mut record).is_err());
    assert!(record.events.len() > 8000);
    assert!(visit(b"", &mut record).is_err());
}

/// Only counts, so that ten million levels need no memory.
#[derive(Default)]
struct Depth {
    now: u64,
    most: u64,
}

impl Visitor for Depth {
    type Error = Infallible;

    fn begin_array(&mut self, _: Option<u64>) -> Result<(), Infallible> {
        self.now += 1;
        self.most = self.most.max(self.now);
        Ok(())
    }

    fn end_array(&mut self) -> Result<(), Infallible> {
        self.now -= 1;
        Ok(())
    }
}

#[test]
fn depth_takes_no_stack() {
    const LEVELS: usize = 10_000_000;
    let text = [vec![b'['; LEVELS], vec![b']'; LEVELS]].concat();
    let mut depth = Depth::default();
    visit(&text, &mut depth).unwrap();
    assert_eq!((depth.now, depth.most), (0, LEVELS as u64));
    let document = Document::parse(&text).unwrap();
    let mut depth = Depth::default();
    document.root().visit(&mut depth).unwrap();
    assert_eq!((depth.now, depth.most), (0, LEVELS as u64));
}
