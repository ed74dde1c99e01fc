//! Generated texts and values, and strings and containers across chunks.

use super::*;

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn texts_of_the_generator(choices in prop::collection::vec(any::<u32>(), 0..300)) {
        let text = crate::agreement::valid_text(&choices);
        same::<Untagged>(&text);
        // MarkCollector reject lone surrogates, but serde_json pairs surrogates differently.
        same::<Value>(&text);
        same::<HashMap<String, Option<f64>>>(&text);
        assert!(from_slice::<IgnoredAny>(&text).is_ok());
    }

    #[test]
    fn broken_texts(choices in prop::collection::vec(any::<u32>(), 0..60), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut text = crate::agreement::valid_text(&choices);
        if !text.is_empty() {
            let at = at.index(text.len());
            text[at] = byte;
        }
        same::<Value>(&text);
        assert_eq!(from_slice::<IgnoredAny>(&text).is_ok(), crate::validate(&text).is_ok());
    }

    #[test]
    fn values_round_trip(
        numbers in prop::collection::vec((any::<i64>(), any::<u64>(), any::<i128>(), any::<f64>(), any::<f32>()), 0..5),
        texts in prop::collection::btree_map(any::<String>(), any::<Option<String>>(), 0..5),
        keys in prop::collection::btree_map(any::<i32>(), any::<(bool, char)>(), 0..5),
    ) {
        prop_assume!(numbers.iter().all(|row| row.3.is_finite() && row.4.is_finite()));
        let value = (numbers, texts, keys);
        type Rows = (
            Vec<(i64, u64, i128, f64, f32)>,
            BTreeMap<String, Option<String>>,
            BTreeMap<i32, (bool, char)>,
        );
        let text = to_vec(&value).unwrap();
        assert_eq!(from_slice::<Rows>(&text).unwrap(), value);
        assert_eq!(serde_json::from_slice::<Rows>(&text).unwrap(), value);
        // Output of serde_json is read back.
        let theirs = serde_json::to_vec_pretty(&value).unwrap();
        assert_eq!(from_slice::<Rows>(&theirs).unwrap(), value);
    }
}

/// Strings with and without escapes that begin, continue and end in any chunk, with white space around them.
#[test]
fn strings_across_chunks() {
    let lengths = [
        0, 1, 60, 4000, 8100, 8180, 8190, 8191, 8192, 8193, 9000, 17_000,
    ];
    for (at, &first) in lengths.iter().enumerate() {
        for second in [0, 3, 8170, 16_380] {
            for (before, after) in [("", ""), ("\\n", ""), ("", "\\u00e9"), ("é", "\\\"")] {
                let key = format!("{before}{}", "k".repeat(second));
                let value = format!("{before}{}{after}", "v".repeat(first));
                let space = " ".repeat(at * 700);
                let object = format!(r#"{{"{key}":"{value}"{space},"plain": "p"}}"#);
                let text = format!(r#"[{object}, {{}},{space}{object} , {{"a\u0062": "c"}}]"#);
                type Objects = Vec<BTreeMap<String, String>>;
                same::<Objects>(text.as_bytes());
                let expected: Objects = serde_json::from_str(&text).unwrap();
                let found = elements::<BTreeMap<String, String>, _>(text.as_bytes(), "").unwrap();
                assert_eq!(found.collect::<Result<Objects, _>>().unwrap(), expected);
                let lines: String = expected
                    .iter()
                    .map(|one| to_string(one).unwrap() + "\n")
                    .collect();
                let read = crate::lines_in::<BTreeMap<String, String>>(lines.as_bytes());
                assert_eq!(read.collect::<Result<Objects, _>>().unwrap(), expected);
            }
        }
    }
}

/// Capacity is reserved for elements in the chunk, and never for more than there are marks.
#[test]
fn capacity_for_elements() {
    for (element, count) in [
        ("1", 100),
        ("\"a\"", 100),
        ("[1, [2]]", 50),
        ("{\"a\": null}", 9),
    ] {
        let text = format!("[{}]", vec![element; count].join(","));
        let values: Vec<IgnoredAny> = from_str(&text).unwrap();
        assert_eq!((values.len(), values.capacity()), (count, usize::MAX));
        let values: Vec<Value> = from_str(&text).unwrap();
        assert_eq!(
            (values.len(), values.capacity()),
            (count, count),
            "{element}"
        );
    }
    for text in [
        "[]",
        "[[], 1, [[]]]",
        "[1, \"a\", [], {}]",
        "[null, null, 1, 2, 3, true, \"a\"]",
    ] {
        same::<Vec<Value>>(text.as_bytes());
    }
}

/// A type may stop reading an array or object before its end, or ask again after it.
#[test]
fn ends_of_arrays_and_objects() {
    use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
    use std::fmt;

    /// Requests this many elements or members, even past the end.
    #[derive(Debug, PartialEq)]
    struct Reads<const TUPLE: bool, const COUNT: usize>(usize);

    impl<'de, const TUPLE: bool, const COUNT: usize> Visitor<'de> for Reads<TUPLE, COUNT> {
        type Value = Self;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array or object")
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Self, A::Error> {
            for _ in 0..COUNT {
                self.0 += usize::from(seq.next_element::<u8>()?.is_some());
            }
            Ok(self)
        }

        fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
            for _ in 0..COUNT {
                self.0 += usize::from(map.next_entry::<String, u8>()?.is_some());
            }
            Ok(self)
        }
    }

    impl<'de, const TUPLE: bool, const COUNT: usize> Deserialize<'de> for Reads<TUPLE, COUNT> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            if TUPLE {
                deserializer.deserialize_tuple(2, Reads(0))
            } else {
                deserializer.deserialize_any(Reads(0))
            }
        }
    }

    fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
        // The next value can only be read if this one was consumed entirely.
        let pair: Result<(T, bool), Error> = from_str(&format!("[{text}, true]"));
        pair.map(|(value, _)| value)
            .map_err(|error| error.to_string())
    }

    assert_eq!(read("[1, 2]"), Ok(Reads::<true, 2>(2)));
    assert_eq!(read("[1, 2]"), Ok(Reads::<true, 5>(2)));
    assert_eq!(read("[1]"), Ok(Reads::<true, 5>(1)));
    assert_eq!(read("[]"), Ok(Reads::<true, 5>(0)));
    assert_eq!(read("[1, 2, 3]"), Ok(Reads::<false, 5>(3)));
    assert_eq!(read(r#"{"a": 1, "b": 2}"#), Ok(Reads::<false, 5>(2)));
    assert_eq!(read("{}"), Ok(Reads::<false, 1>(0)));
    assert_eq!(read("[]"), Ok([(); 0]));
    assert_eq!(read("[[], [[]]]"), Ok(([(); 0], [[(); 0]])));
    let more = |error: Result<(), String>| error.unwrap_err();
    assert_eq!(
        more(read::<Reads<true, 1>>("[1, 2]").map(drop)),
        ".[0]: expected an array of 1, found more elements at line 1 column 6"
    );
    assert_eq!(
        more(read::<Reads<true, 5>>("[1, 2, 3]").map(drop)),
        ".[0]: expected an array of 2, found more elements at line 1 column 9"
    );
    assert_eq!(
        more(read::<(u8, u8)>("[1, 2, 3]").map(drop)),
        ".[0]: expected an array of 2, found more elements at line 1 column 9"
    );
    assert_eq!(
        more(read::<[(); 0]>("[1]").map(drop)),
        ".[0]: expected an array of 0, found more elements at line 1 column 3"
    );
    assert_eq!(
        more(read::<Reads<false, 1>>(r#"{"a": 1, "b": 2}"#).map(drop)),
        ".[0]: expected fewer members at line 1 column 11"
    );
}
