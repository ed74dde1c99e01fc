//! A naive search of the events of a text finds the same.

use proptest::prelude::*;

use super::*;
use jsonx_core::engine::{Kernel, Mode, Options, TextSegment, Validator};
use jsonx_core::string::decode;
use jsonx_core::visit::{Event, Events};
use jsonx_testing::documents::valid_text;

/// Finds a part of a text; may see a candidate everywhere.
#[derive(Clone, Debug)]
struct Part {
    part: Vec<u8>,
    is_eager: bool,
}

impl Pattern for Part {
    fn candidate(&self, text: &[u8], from: usize) -> Option<usize> {
        if self.is_eager || self.part.is_empty() {
            return (from < text.len()).then_some(from);
        }
        Some(from + memchr::memmem::find(&text[from..], &self.part)?)
    }

    fn is_match(&self, text: &[u8]) -> bool {
        memchr::memmem::find(text, &self.part).is_some()
    }
}

/// The path, whether the key matches, and the decoded value or its bracket.
type Line = (String, bool, Vec<u8>);

fn naive(text: &[u8], options: Options, part: &[u8], finds_keys: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut location = Location::default();
    // For each open container, the elements so far; none of an object.
    let mut open: Vec<Option<u64>> = Vec::new();
    let mut is_key = false;
    let matches = |text: &[u8]| memchr::memmem::find(text, part).is_some();
    let events = Events::new(|event: Event<'_>| -> Result<(), Infallible> {
        let (value, found): (&[u8], bool) = match event {
            Event::Key(key) => {
                location.push_key(key);
                is_key = finds_keys && matches(key);
                return Ok(());
            }
            Event::EndArray | Event::EndObject => {
                open.pop();
                if !open.is_empty() {
                    location.pop();
                }
                return Ok(());
            }
            Event::BeginArray => (b"[", false),
            Event::BeginObject => (b"{", false),
            Event::Null => (b"null", matches(b"null")),
            Event::Boolean(true) => (b"true", matches(b"true")),
            Event::Boolean(false) => (b"false", matches(b"false")),
            Event::Number(number) => (number.raw(), matches(number.raw())),
            Event::String(text) => (text, matches(text)),
        };
        if let Some(Some(count)) = open.last_mut() {
            location.push_index(*count);
            *count += 1;
        }
        let is_key = std::mem::take(&mut is_key);
        if found || is_key {
            lines.push((location.to_string(), is_key, value.to_vec()));
        }
        match event {
            Event::BeginArray => open.push(Some(0)),
            Event::BeginObject => open.push(None),
            _ if open.is_empty() => {}
            _ => drop(location.pop()),
        }
        Ok(())
    });
    Validator::new(options).check(text, events).unwrap();
    lines
}

fn lines<P: Pattern>(finder: &mut Finder<P>, text: &[u8]) -> Vec<Line> {
    finder
        .found()
        .map(|found| {
            let at = &text[found.start as usize..];
            assert!(found.is_key && at[0] == b'"' || at.starts_with(&found.value));
            let value = match &found.value[..] {
                [b'"', text @ .., b'"'] => decode(text).unwrap().text.into_owned(),
                other => other.to_vec(),
            };
            (found.location.to_string(), found.is_key, value)
        })
        .collect()
}

fn in_windows(text: &[u8], options: Options, part: &Part, keys: bool, size: usize) -> Vec<Line> {
    let mut finder = Finder::new(part.clone(), keys);
    let mut validator = Validator::new(options);
    for window in text.chunks(size) {
        validator.write(window, &mut finder).unwrap();
    }
    validator.finish(&mut finder).unwrap();
    finder.end();
    lines(&mut finder, text)
}

/// The lines, and the number of segments that were guessed right.
fn in_segments(
    text: &[u8],
    options: Options,
    part: &Part,
    keys: bool,
    size: usize,
) -> (Vec<Line>, usize) {
    let mut finder = Finder::new(part.clone(), keys);
    let mut validator = Validator::new(options);
    let mut right = 0;
    for segment in text.chunks(size) {
        let mut work = finder.for_segment();
        let segment = TextSegment::new(segment, validator.offset(), options, &mut work);
        right += usize::from(validator.join(&segment, work, &mut finder).unwrap());
    }
    validator.finish(&mut finder).unwrap();
    finder.end();
    (lines(&mut finder, text), right)
}

/// Compares windows and segments of these sizes with the naive search. Returns the number of lines, and of segments that were guessed
/// right.
fn agree(text: &[u8], mode: Mode, part: &[u8], sizes: &[usize]) -> (usize, usize) {
    let (mut count, mut all_right) = (0, 0);
    for kernel in Kernel::available() {
        let options = Options::default().mode(mode).kernel(kernel);
        for (keys, is_eager) in [(false, false), (true, false), (true, true)] {
            let expected = naive(text, options, part, keys);
            let part = Part {
                part: part.to_vec(),
                is_eager,
            };
            for &size in sizes {
                let found = in_windows(text, options, &part, keys, size);
                assert_eq!(found, expected, "{part:?} {keys} windows of {size}");
                let (found, right) = in_segments(text, options, &part, keys, size);
                assert_eq!(found, expected, "{part:?} {keys} segments of {size}");
                all_right += right;
            }
            count = expected.len();
        }
    }
    (count, all_right)
}

#[test]
fn at_every_border() {
    let text = r#"[{"id": "one", "at": {"x": 11, "y": {"z": [2, {"one": 1}, {"a": "t\u0077o"}]}, "one": []}, "two": 2},
        {"\u006fne": "a\"one\\", "k": ["]", "}", "one", [[["one"], "one"]], {}, [], "one"]}, "one", 1.5e1, true, null]"#;
    let text = text.replace("\n        ", "");
    let text = format!("[{text}, {text}, {{\"a\": {text}, \"one\": {text}}}]");
    let sizes: Vec<usize> = (1..80).chain([100, 127, 128, 129, 200, 500]).collect();
    for part in ["one", "two", "1", "u", "\\", "q"] {
        let (found, right) = agree(text.as_bytes(), Mode::One, part.as_bytes(), &sizes);
        assert_eq!(found == 0, part == "q", "{part}");
        assert!(right > 1000, "{right}");
    }
}

/// Tokens, keys and depths beyond a chunk.
#[test]
fn long_tokens_and_deep_texts() {
    let long = "long ".repeat(5000);
    let text = format!(
        "{{\"{long}\": [{}\"{long}one\", {{\"k\": \"{long}one\"}}{}], \"{long}one\": {{\"{long}\": 1, \"b\":{}\"one\"}}}}",
        "[".repeat(3000),
        "]".repeat(3000),
        " ".repeat(20_000)
    );
    for size in [64, 1000, 8192, 100_000] {
        let (count, _) = agree(text.as_bytes(), Mode::One, b"one", &[size]);
        assert_eq!(count, 4, "{size}");
    }
    let finder = Finder::new(
        Part {
            part: b"one".to_vec(),
            is_eager: false,
        },
        true,
    );
    let mut validator = Validator::new(Options::default());
    let mut waiting = finder.clone();
    let (start, _) = text.split_at(20_000);
    validator.write(start.as_bytes(), &mut waiting).unwrap();
    assert_eq!(waiting.retain_from(), Some(1));
    assert_eq!(finder.retain_from(), None);
}

/// A segment with too much is searched again.
#[test]
fn segments_with_many_values_are_searched_again() {
    let text = format!("[{}1]", "\"one\", ".repeat(3 * MOST_FOUND.0));
    let part = Part {
        part: b"one".to_vec(),
        is_eager: false,
    };
    let size = text.len() / 2;
    let (found, right) = in_segments(text.as_bytes(), Options::default(), &part, false, size);
    assert_eq!((found.len(), right), (3 * MOST_FOUND.0, 0));
    assert_eq!(found[5000].0, ".[5000]");
}

proptest! {
    #[test]
    fn any_text(choices in prop::collection::vec(any::<u32>(), 0..300), part in prop::sample::select(vec!["", "1", "e", "\"", "\\", "\u{416}", "key", "tr"]), size in 1..300usize, roots in 1..3usize) {
        let text = [valid_text(&choices), b"\n".to_vec()].concat().repeat(roots);
        let mode = if roots > 1 { Mode::Stream } else { Mode::One };
        agree(&text, mode, part.as_bytes(), &[size, 64, 1000]);
    }
}
