//! Looking a value up: a walk over verified tokens along a path of keys and indices.

use std::collections::VecDeque;

use crate::path::{Path, Reach, Segment, Selector as Wish};
use crate::string::key_equals;
use crate::token::{Chunk, Sink, trim_end};

/// A sink that finds the value a path leads to, in every value at the root.
///
/// It goes through the text once and keeps spans, not values. Of keys that stand twice in an object the last one
/// wins, as in JavaScript, Python and jq.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::{Options, Outcome, Selector, Validator};
///
/// let text = br#"{"servers": [{"name": "a"}, {"name": "b"}]}"#;
/// let mut selector = Selector::new(&Path::parse(".servers.-1.name").unwrap()).unwrap();
/// Validator::new(Options::default()).finish(text, &mut selector).unwrap();
/// let outcomes = selector.finish(text.len() as u64);
/// let [Outcome::Found(found)] = outcomes[..] else { panic!() };
/// assert_eq!(&text[found.start as usize..found.end as usize], br#""b""#);
/// ```
#[derive(Debug)]
pub struct Selector {
    steps: Vec<Segment>,
    state: State,
    frames: Vec<Frame>,
    outcomes: Vec<Outcome>,
    /// What has been read so far of a key that the last chunk ended in.
    partial_key: Vec<u8>,
    at: u64,
}

/// What became of the path in one value at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It led to a value.
    Found(Found),
    /// It stopped before its end.
    Missing(Missing),
}

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its first byte, from the start of the input.
    pub start: u64,
    /// The first byte that is not part of it; white space may stand before that.
    pub end: u64,
    /// A key on the way stands more than once in its object, and this is what the last of them leads to.
    pub duplicate: bool,
}

/// Where a path stopped, and at what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// How many steps could be taken.
    pub steps: usize,
    /// The first byte of the value from which the next step leads nowhere.
    pub start: u64,
    /// What that value is.
    pub kind: Kind,
    /// How many elements it has, when it is an array and an index was asked for.
    pub length: Option<u64>,
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number.
    Number,
    /// `true` or `false`
    Boolean,
    /// `null`
    Null,
}

impl Kind {
    /// By the first byte of a value.
    ///
    /// ```
    /// assert_eq!(jsonx_core::Kind::of(b'-'), jsonx_core::Kind::Number);
    /// ```
    pub fn of(first: u8) -> Kind {
        match first {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::String,
            b't' | b'f' => Kind::Boolean,
            b'n' => Kind::Null,
            _ => Kind::Number,
        }
    }
}

/// A container that the path goes through.
#[derive(Debug)]
struct Frame {
    start: u64,
    kind: Kind,
    /// Elements that have been begun, when it is an array.
    elements: u64,
    /// The outcomes of those members or elements that may be the one: the last is the latest. More than one only
    /// for an index from the end.
    outcomes: VecDeque<Outcome>,
}

/// What the next token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The start of a value at the root, which the path begins at.
    Root,
    /// A key, a comma or `}` of the innermost frame, an object.
    Member,
    /// The chunk ended in a key of the innermost frame.
    PartialKey,
    /// The colon after a key, which is the one or is not.
    Colon { wanted: bool },
    /// The start of the value that is on the path: of a member.
    Value,
    /// The start of an element, a comma or `]` of the innermost frame, an array.
    Element,
    /// The start of a value that is off the path.
    Skipped,
    /// Inside a container, `depth` levels down; when it is the one that is looked for, it began at `start`.
    Inside { depth: u64, start: Option<u64> },
    /// Whatever comes after the scalar that is looked for.
    Behind { start: u64 },
}

impl Selector {
    /// A selector for a path of single steps, each a key or an index. None for a path that may lead to several
    /// values.
    pub fn new(path: &Path) -> Option<Self> {
        let single = path
            .segments()
            .iter()
            .all(|segment| segment.reach == Reach::Child)
            && path.is_singular();
        single.then(|| Selector {
            steps: path.segments().to_vec(),
            state: State::Root,
            frames: Vec::new(),
            outcomes: Vec::new(),
            partial_key: Vec::new(),
            at: 0,
        })
    }

    /// What has been decided since the last call, a value at the root after the other.
    pub fn take_outcomes(&mut self) -> Vec<Outcome> {
        core::mem::take(&mut self.outcomes)
    }

    /// Ends the text, which has `length` bytes, and returns what has been decided since.
    pub fn finish(&mut self, length: u64) -> Vec<Outcome> {
        if let State::Behind { start } = self.state {
            self.state = State::Root;
            self.complete(found(start, length));
        }
        self.take_outcomes()
    }

    /// The first byte of the input that an outcome, delivered or still to come, may speak of: who reads a pipe keeps
    /// the bytes from here on. Asked after the outcomes have been taken.
    pub fn keep_from(&self) -> u64 {
        let pending = match self.state {
            State::Behind { start }
            | State::Inside {
                start: Some(start), ..
            } => start,
            _ => self.at,
        };
        let kept = self
            .frames
            .iter()
            .flat_map(|frame| &frame.outcomes)
            .filter_map(|outcome| match outcome {
                Outcome::Found(found) => Some(found.start),
                Outcome::Missing(_) => None,
            });
        kept.min().map_or(pending, |kept| kept.min(pending))
    }

    /// The step that leads out of the innermost frame, or from the root.
    fn wish(&self) -> Option<&Wish> {
        self.wish_at(self.frames.len())
    }

    fn wish_at(&self, step: usize) -> Option<&Wish> {
        self.steps
            .get(step)
            .and_then(|segment| segment.selectors.first())
    }

    /// Begins the value that the steps so far lead to.
    fn arrive(&mut self, kind: u8, start: u64) {
        let value = Kind::of(kind);
        let enters = match (value, self.wish()) {
            (Kind::Object, Some(wish)) => wish.key().is_some(),
            (Kind::Array, Some(wish)) => wish.index().is_some(),
            _ => false,
        };
        let container = matches!(value, Kind::Object | Kind::Array);
        if enters {
            self.state = if value == Kind::Object {
                State::Member
            } else {
                State::Element
            };
            self.frames.push(Frame {
                start,
                kind: value,
                elements: 0,
                outcomes: VecDeque::new(),
            });
        } else if self.wish().is_none() {
            self.state = match container {
                true => State::Inside {
                    depth: 1,
                    start: Some(start),
                },
                false => State::Behind { start },
            };
        } else {
            let missing = Missing {
                steps: self.frames.len(),
                start,
                kind: value,
                length: None,
            };
            self.complete(Outcome::Missing(missing));
            if container {
                self.state = State::Inside {
                    depth: 1,
                    start: None,
                };
            }
        }
    }

    /// Hands an outcome to the innermost frame, or out.
    fn complete(&mut self, outcome: Outcome) {
        let Some(frame) = self.frames.last_mut() else {
            self.outcomes.push(outcome);
            self.state = State::Root;
            return;
        };
        self.state = if frame.kind == Kind::Object {
            State::Member
        } else {
            State::Element
        };
        let step = self.frames.len() - 1;
        let room = match self.wish_at(step).and_then(Wish::index) {
            Some(index) if index < 0 && self.frames[step].kind == Kind::Array => {
                index.unsigned_abs()
            }
            _ => 1,
        };
        let frame = &mut self.frames[step];
        let again = frame.kind == Kind::Object && !frame.outcomes.is_empty();
        while frame.outcomes.len() as u64 >= room {
            frame.outcomes.pop_front();
        }
        frame.outcomes.push_back(match outcome {
            Outcome::Found(found) => Outcome::Found(Found {
                duplicate: found.duplicate || again,
                ..found
            }),
            missing => missing,
        });
    }

    /// The innermost frame has been closed.
    fn leave(&mut self) {
        let steps = self.frames.len() - 1;
        let index = self.wish_at(steps).and_then(Wish::index);
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        let enough = match index {
            Some(index) if index < 0 && frame.kind == Kind::Array => {
                frame.outcomes.len() as u64 == index.unsigned_abs()
            }
            _ => true,
        };
        let length = (frame.kind == Kind::Array).then_some(frame.elements);
        let missing = Missing {
            steps,
            start: frame.start,
            kind: frame.kind,
            length,
        };
        let outcome = frame.outcomes.pop_front().filter(|_| enough);
        self.complete(outcome.unwrap_or(Outcome::Missing(missing)));
    }

    /// Whether the next element of the innermost frame may be the one.
    fn element_wanted(&self, number: u64) -> bool {
        match self
            .frames
            .len()
            .checked_sub(1)
            .and_then(|step| self.wish_at(step))
            .and_then(Wish::index)
        {
            Some(index) => index < 0 || index as u64 == number,
            None => false,
        }
    }

    fn is_wanted_key(&self, quoted: &[u8]) -> bool {
        let wish = self
            .frames
            .len()
            .checked_sub(1)
            .and_then(|step| self.wish_at(step));
        match (wish.and_then(Wish::key), quoted) {
            (Some(key), [b'"', raw @ .., b'"']) => key_equals(raw, key),
            _ => false,
        }
    }

    /// The rest of a key that the last chunk ended in. True when the key goes on beyond this chunk too.
    fn continue_key(&mut self, chunk: &Chunk<'_>) -> bool {
        self.partial_key.extend_from_slice(chunk.before_first());
        if chunk.offsets.is_empty() && chunk.ends_in_string {
            return true;
        }
        let key = core::mem::take(&mut self.partial_key);
        self.state = State::Colon {
            wanted: self.is_wanted_key(&key),
        };
        false
    }

    /// A key, as far as the chunk has it.
    fn key(&mut self, chunk: &Chunk<'_>, index: usize) {
        let from = chunk.offsets[index] as usize;
        let raw = match chunk.offsets.get(index + 1) {
            Some(&next) => trim_end(&chunk.bytes[from..next as usize]),
            None if chunk.ends_in_string => {
                self.partial_key.clear();
                self.partial_key.extend_from_slice(&chunk.bytes[from..]);
                self.state = State::PartialKey;
                return;
            }
            None => trim_end(&chunk.bytes[from..]),
        };
        self.state = State::Colon {
            wanted: self.is_wanted_key(raw),
        };
    }

    /// Takes one token.
    fn token(&mut self, chunk: &Chunk<'_>, index: usize) {
        let kind = chunk.kinds[index];
        let at = chunk.offset + u64::from(chunk.offsets[index]);
        if let State::Behind { start } = self.state {
            self.complete(found(start, at));
        }
        match self.state {
            State::Root | State::Value => self.arrive(kind, at),
            State::Member => match kind {
                b'"' => self.key(chunk, index),
                b'}' => self.leave(),
                _ => {}
            },
            State::Colon { wanted: true } => self.state = State::Value,
            State::Colon { wanted: false } => self.state = State::Skipped,
            State::Element => match kind {
                b']' => self.leave(),
                b',' => {}
                _ => self.element(kind, at),
            },
            State::Skipped => {
                self.state = match kind {
                    b'{' | b'[' => State::Inside {
                        depth: 1,
                        start: None,
                    },
                    _ => State::Member,
                }
            }
            // These two are left before a token is taken.
            State::Inside { .. } | State::PartialKey | State::Behind { .. } => {}
        }
    }

    /// Begins an element of the innermost frame.
    fn element(&mut self, kind: u8, at: u64) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let number = frame.elements;
        frame.elements += 1;
        if self.element_wanted(number) {
            self.arrive(kind, at);
        } else if matches!(kind, b'{' | b'[') {
            self.state = State::Inside {
                depth: 1,
                start: None,
            };
        }
    }

    /// Skips the tokens inside a container. Returns the index of the first token behind it, or the number of tokens.
    fn skip(&mut self, chunk: &Chunk<'_>, from: usize, depth: u64, start: Option<u64>) -> usize {
        let mut depth = depth;
        for (index, &kind) in chunk.kinds.iter().enumerate().skip(from) {
            match kind {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                match start {
                    Some(start) => self.complete(found(
                        start,
                        chunk.offset + u64::from(chunk.offsets[index]) + 1,
                    )),
                    None => self.resume(),
                }
                return index + 1;
            }
        }
        self.state = State::Inside { depth, start };
        chunk.kinds.len()
    }

    /// Goes on in the innermost frame after a value that was skipped.
    fn resume(&mut self) {
        self.state = match self.frames.last().map(|frame| frame.kind) {
            None => State::Root,
            Some(Kind::Object) => State::Member,
            Some(_) => State::Element,
        };
    }
}

fn found(start: u64, end: u64) -> Outcome {
    Outcome::Found(Found {
        start,
        end,
        duplicate: false,
    })
}

impl Sink for Selector {
    type Error = core::convert::Infallible;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
        self.at = chunk.offset + chunk.bytes.len() as u64;
        if self.state == State::PartialKey && self.continue_key(chunk) {
            return Ok(());
        }
        let mut index = 0;
        while index < chunk.kinds.len() {
            if let State::Inside { depth, start } = self.state {
                index = self.skip(chunk, index, depth, start);
            } else {
                self.token(chunk, index);
                index += 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::agreement::valid_text;
    use crate::{Kernel, Options, Validator};

    /// The one outcome of a path in a text that comes in windows of `size` bytes, checking on the way that what is kept
    /// is enough.
    fn select(text: &[u8], path: &str, kernel: Kernel, size: usize) -> Outcome {
        let mut selector = Selector::new(&Path::parse(path).unwrap()).unwrap();
        let mut validator = Validator::new(Options::default().kernel(kernel));
        let mut taken = 0;
        let mut kept = 0;
        while text.len() - taken > size {
            taken += validator
                .feed(&text[taken..taken + size], &mut selector)
                .unwrap();
            assert!(selector.keep_from() >= kept);
            kept = selector.keep_from();
        }
        validator.finish(&text[taken..], &mut selector).unwrap();
        let outcomes = selector.finish(text.len() as u64);
        let [outcome] = outcomes[..] else {
            panic!("{outcomes:?}")
        };
        if let Outcome::Found(found) = outcome {
            assert!(found.start >= kept);
        }
        outcome
    }

    fn raw(text: &[u8], outcome: Outcome) -> Option<&str> {
        match outcome {
            Outcome::Found(found) => Some(
                str::from_utf8(trim_end(&text[found.start as usize..found.end as usize])).unwrap(),
            ),
            Outcome::Missing(_) => None,
        }
    }

    fn everywhere(text: &str, path: &str) -> Outcome {
        let outcome = select(text.as_bytes(), path, Kernel::swar(), usize::MAX);
        for kernel in Kernel::available() {
            for size in [64, 128, 1000] {
                assert_eq!(
                    select(text.as_bytes(), path, kernel, size),
                    outcome,
                    "{path} in {text}"
                );
            }
        }
        outcome
    }

    #[test]
    fn finds_what_is_there() {
        let text = r#" {"a": {"b c": [10, {"x-y": "é"}, [], "last" ]}, "3": true, "n": null ,"\u0061b":-1.5e3 , "long key that fills more than one block of sixty-four bytes": 7} "#;
        for (path, expected) in [
            (".", text.trim()),
            ("", text.trim()),
            (".a.\"b c\"[0]", "10"),
            (".a.\"b c\".1.x-y", "\"é\""),
            ("/a/b c/1/x-y", "\"é\""),
            ("$.a['b c'][2]", "[]"),
            (".a.\"b c\".-1", "\"last\""),
            (".a.\"b c\".-3.x-y", "\"é\""),
            (".3", "true"),
            (".n", "null"),
            (".ab", "-1.5e3"),
            (
                ".\"long key that fills more than one block of sixty-four bytes\"",
                "7",
            ),
        ] {
            assert_eq!(
                raw(text.as_bytes(), everywhere(text, path)),
                Some(expected),
                "{path}"
            );
        }
    }

    #[test]
    fn says_where_a_path_stops() {
        let text = r#"{"a": [1, 2, 3], "s": "text", "o": {}}"#;
        for (path, steps, kind, length, at) in [
            (".x", 0, Kind::Object, None, 0),
            (".a.7.b", 1, Kind::Array, Some(3), 6),
            (".a.-4", 1, Kind::Array, Some(3), 6),
            (".a.2.b", 2, Kind::Number, None, 13),
            (".a.b", 1, Kind::Array, None, 6),
            (".s[0]", 1, Kind::String, None, 22),
            (".o.x.y", 1, Kind::Object, None, 35),
            (".[0]", 0, Kind::Object, None, 0),
        ] {
            let expected = Outcome::Missing(Missing {
                steps,
                start: at,
                kind,
                length,
            });
            assert_eq!(everywhere(text, path), expected, "{path}");
        }
    }

    #[test]
    fn the_last_of_equal_keys_wins() {
        let text = r#"{"a": {"b": 1}, "a": {"b": 2, "\u0062": 3}, "c": 1, "d": 1, "d": []}"#;
        for (path, expected) in [(".a.b", Some("3")), (".c", Some("1")), (".d[0]", None)] {
            let outcome = everywhere(text, path);
            assert_eq!(raw(text.as_bytes(), outcome), expected);
            if let Outcome::Found(found) = outcome {
                assert_eq!(found.duplicate, path == ".a.b");
            }
        }
    }

    /// All paths to the values of a document, as the dot path has them, found with an explicit stack.
    fn paths(document: &Value) -> Vec<(String, Value)> {
        let mut todo = vec![(".".to_owned(), document)];
        let mut paths = Vec::new();
        while let Some((path, value)) = todo.pop() {
            let prefix = path.strip_suffix('.').unwrap_or(&path).to_owned();
            let dot = if prefix.is_empty() { "." } else { "" };
            match value {
                Value::Array(elements) => {
                    for (index, element) in elements.iter().enumerate() {
                        todo.push((format!("{prefix}{dot}[{index}]"), element));
                        todo.push((
                            format!("{prefix}{dot}[-{}]", elements.len() - index),
                            element,
                        ));
                    }
                }
                Value::Object(members) => {
                    for (key, member) in members {
                        todo.push((
                            format!("{prefix}{dot}[{}]", Value::from(key.as_str())),
                            member,
                        ));
                    }
                }
                _ => {}
            }
            paths.push((path, value.clone()));
            if paths.len() > 60 {
                break;
            }
        }
        paths
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn like_serde_json(choices in prop::collection::vec(any::<u32>(), 0..200)) {
            let text = valid_text(&choices);
            if let Ok(document) = serde_json::from_slice::<Value>(&text) {
                for (path, value) in paths(&document) {
                    let outcome = everywhere(str::from_utf8(&text).unwrap(), &path);
                    let found = raw(&text, outcome).map(|raw| serde_json::from_str::<Value>(raw).unwrap());
                    prop_assert_eq!(found, Some(value), "{}", path);
                }
            }
        }
    }

    #[test]
    fn one_outcome_for_each_value_of_a_stream() {
        let text = b"{\"a\":1} {\"b\":2}\n[3] 4 \"a\" {\"a\":{}}";
        let mut selector = Selector::new(&Path::parse(".a").unwrap()).unwrap();
        let options = Options::default().mode(crate::Mode::Stream);
        Validator::new(options).finish(text, &mut selector).unwrap();
        let outcomes = selector.finish(text.len() as u64);
        let values: Vec<_> = outcomes.iter().map(|&outcome| raw(text, outcome)).collect();
        assert_eq!(values, [Some("1"), None, None, None, None, Some("{}")]);
    }
}
