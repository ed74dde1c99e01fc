//! The one value that a path of keys and indices leads to.

use std::convert::Infallible;

use super::{Answer, Found, Missing, Query, QueryOptions};
use crate::path::{Path, Reach};
use crate::token::{Chunk, Sink};

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
/// let outcomes = selector.finish();
/// let [Outcome::Found(found)] = outcomes[..] else { panic!() };
/// assert_eq!(&text[found.start as usize..found.end as usize], br#""b""#);
/// ```
#[derive(Debug)]
pub struct Selector {
    query: Query,
}

/// What became of the path in one value at the root.
///
/// ```
/// use jsonx_core::path::Path;
/// use jsonx_core::{Options, Outcome, Selector, Validator};
///
/// let mut selector = Selector::new(&Path::parse(".b").unwrap()).unwrap();
/// Validator::new(Options::default()).finish(br#"{"a": 1}"#, &mut selector).unwrap();
/// assert!(matches!(selector.finish()[..], [Outcome::Missing(_)]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It led to a value.
    Found(Found),
    /// It stopped before its end.
    Missing(Missing),
}

impl Selector {
    /// A selector for a path of single steps, each a key or an index. None for a path that may lead to several
    /// values.
    ///
    /// ```
    /// use jsonx_core::Selector;
    /// use jsonx_core::path::Path;
    ///
    /// let is_simple = |path: &str| Selector::new(&Path::parse(path).unwrap()).is_some();
    /// assert!(is_simple(".") && is_simple(".a[-1].b") && is_simple("/a/0") && is_simple("$['a']"));
    /// // Each of these may lead to several values, or twice to the same.
    /// assert!(!is_simple(".a[]") && !is_simple("$[1:2]") && !is_simple("..a") && !is_simple("$[0, 0]"));
    /// ```
    pub fn new(path: &Path) -> Option<Self> {
        let children = path
            .segments()
            .iter()
            .all(|segment| segment.reach == Reach::Child);
        (children && path.is_singular()).then(|| Selector {
            query: Query::new(std::slice::from_ref(path), QueryOptions::default()),
        })
    }

    /// What has been decided since the last call, a value at the root after the other.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::{Mode, Options, Outcome, Selector, Validator};
    ///
    /// let mut selector = Selector::new(&Path::parse(".a")?).unwrap();
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// validator.feed_lines(b"{\"a\": 1} {\"b\": 2}\n{\"a\":\n", &mut selector).unwrap();
    /// // The third value is not complete.
    /// assert!(matches!(selector.take_outcomes()[..], [Outcome::Found(_), Outcome::Missing(_)]));
    /// assert_eq!(selector.take_outcomes(), []);
    /// validator.finish(b"3}", &mut selector).unwrap();
    /// assert!(matches!(selector.take_outcomes()[..], [Outcome::Found(found)] if found.start == 24));
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn take_outcomes(&mut self) -> Vec<Outcome> {
        let outcome = |answer| match answer {
            Answer::Match(one) => Outcome::Found(one.found),
            Answer::Missing { missing, .. } => Outcome::Missing(missing),
        };
        self.query.answers().map(outcome).collect()
    }

    /// Ends the text and returns what has been decided since. To be called when the validator has finished.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::{Options, Outcome, Selector, Validator};
    ///
    /// let text = b"true";
    /// let mut selector = Selector::new(&Path::parse(".")?).unwrap();
    /// Validator::new(Options::default()).finish(text, &mut selector).unwrap();
    /// assert_eq!(selector.take_outcomes(), []);
    /// // That the literal goes on no further shows only now.
    /// let outcomes = selector.finish();
    /// assert!(matches!(outcomes[..], [Outcome::Found(found)] if (found.start, found.end) == (0, 4)));
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn finish(&mut self) -> Vec<Outcome> {
        self.query.finish();
        self.take_outcomes()
    }

    /// The first byte of the input that an outcome still to come may speak of: who reads a pipe keeps the bytes from here
    /// on. To be asked after the outcomes have been taken.
    ///
    /// ```
    /// use jsonx_core::path::Path;
    /// use jsonx_core::{Options, Selector, Validator};
    ///
    /// let text = format!(r#"{{"pad": "{}", "a": "{}"#, "-".repeat(100), "+".repeat(100));
    /// let mut selector = Selector::new(&Path::parse(".a")?).unwrap();
    /// let mut validator = Validator::new(Options::default());
    /// validator.feed(&text.as_bytes()[..64], &mut selector).unwrap();
    /// assert_eq!(selector.keep_from(), 64);
    /// validator.feed(&text.as_bytes()[64..], &mut selector).unwrap();
    /// assert_eq!(selector.keep_from(), text.find("\"+").unwrap() as u64);
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn keep_from(&self) -> u64 {
        self.query.keep_from()
    }
}

impl Sink for Selector {
    type Error = Infallible;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.query.chunk(chunk)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::agreement::valid_text;
    use crate::{Kernel, Kind, Options, Validator};

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
        let outcomes = selector.finish();
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
            Outcome::Found(found) => {
                Some(str::from_utf8(&text[found.start as usize..found.end as usize]).unwrap())
            }
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
            let Outcome::Missing(miss) = everywhere(text, path) else {
                panic!("{path} leads somewhere");
            };
            let found = (miss.steps, miss.start, miss.kind, miss.length);
            assert_eq!(found, (steps, at, kind, length), "{path}");
            let value = &text[miss.start as usize..miss.end as usize];
            assert_eq!(crate::validate(value.as_bytes()), Ok(()), "{path}: {value}");
            assert_eq!(value, value.trim());
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
        let outcomes = selector.finish();
        let values: Vec<_> = outcomes.iter().map(|&outcome| raw(text, outcome)).collect();
        assert_eq!(values, [Some("1"), None, None, None, None, Some("{}")]);
    }
}
