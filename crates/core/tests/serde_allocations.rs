//! Allocations of reading into types: only for the values.

use jsonx_core::engine::Validator;
use jsonx_core::visit::{Event, Events};
use jsonx_core::{Raw, from_slice, from_str, lines_in};
use jsonx_testing::allocations::{Counting, calls};
use serde::Deserialize;
use serde::de::IgnoredAny;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Message<'a> {
    kind: &'a str,
    sequence: u64,
    price: f64,
    side: Side,
    #[serde(borrow)]
    raw: Raw<'a>,
    levels: [(f32, u32); 2],
    note: Option<&'a str>,
}

#[derive(Debug, Deserialize, PartialEq)]
enum Side {
    Buy,
    Sell,
}

const MESSAGE: &str = r#"{"kind": "up\u0064ate", "sequence": 7000000001, "price": -65.613616999999977, "side": "Sell",
    "raw": [1, {"a": 2.50}], "levels": [[1.5, 2], [2.5, 3]], "note": null}"#;

/// Buffers are reused, so after the first text, only values allocate.
#[test]
fn borrowed_values_allocate_nothing() {
    let message = MESSAGE.replace("\\u0064", "d");
    let line = message.replace('\n', " ");
    let lines = (line.clone() + "\n").repeat(100);
    let long = format!("[{}0]", "{\"a\": [1, \"b\\n\"]}, ".repeat(10_000));
    from_slice::<IgnoredAny>(long.as_bytes()).unwrap();
    let counted = calls(|| {
        for _ in 0..10 {
            let value: Message<'_> = from_str(&message).unwrap();
            assert_eq!(
                (value.kind, value.raw.as_str()),
                ("update", "[1, {\"a\": 2.50}]")
            );
            let value: Message<'_> = from_slice(message.as_bytes()).unwrap();
            assert_eq!(value.price, -65.613_616_999_999_98);
            from_slice::<IgnoredAny>(long.as_bytes()).unwrap();
        }
        assert_eq!(
            lines_in::<Message<'_>>(lines.as_bytes())
                .filter(Result::is_ok)
                .count(),
            100
        );
    });
    assert_eq!(counted, 0);
}

/// One allocation for each string and vector, and those of vectors that grow: as many as `serde_json` makes.
#[test]
fn owned_values_allocate_themselves() {
    type Rows = Vec<(String, Vec<u32>, Option<Box<f64>>)>;
    let text = format!(
        "[{}[\"last\", [], null]]",
        "[\"a \\u00e9 b\", [1, 2, 3, 4, 5], 1.5], [\"plain\", [1], null], ".repeat(1000)
    );
    let ours = || drop(from_str::<Rows>(&text).unwrap());
    ours();
    let theirs = calls(|| drop(serde_json::from_str::<Rows>(&text).unwrap()));
    let ours = calls(ours);
    // serde_json has a buffer for strings with escapes, which it allocates for each text.
    assert!(ours <= theirs, "{ours} {theirs}");
}

/// Events need the buffers of the validator and of strings with escapes, whatever the length of the text.
#[test]
fn events_allocate_as_often_for_a_long_text() {
    let text = |count| format!("[{}0]", "{\"a\\n\": [1, \"b\\n\", 2.5e3]}, ".repeat(count));
    let (few, many) = (text(2000), text(20_000));
    let counted = |text: &str| {
        calls(|| {
            let events = Events::new(|_: Event<'_>| Ok::<(), std::convert::Infallible>(()));
            Validator::default().check(text.as_bytes(), events).unwrap();
        })
    };
    assert_eq!(counted(&many), counted(&few));
}

/// Text is written as it is produced: eight times as many elements take no more allocations, unlike a text in memory.
#[test]
fn writers_take_constant_memory() {
    use jsonx_core::{Serializer, WriteOptions, to_writer};
    use serde::Serializer as _;
    use std::collections::BTreeMap;

    /// Counts the bytes, and the longest write.
    #[derive(Default)]
    struct Sink {
        bytes: usize,
        longest: usize,
    }

    impl std::io::Write for &mut Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.bytes += bytes.len();
            self.longest = self.longest.max(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    type Write = fn(&mut Sink, &[BTreeMap<&str, u32>]);
    let writes: [Write; 3] = [
        |mut to, rows| {
            let mut writer = Serializer::to(&mut to);
            writer.collect_seq(rows.iter()).unwrap();
            writer.finish().unwrap();
        },
        |to, rows| to_writer(to, rows).unwrap(),
        |to, rows| WriteOptions::pretty().to_writer(to, rows).unwrap(),
    ];
    let row = BTreeMap::from([("id", 1), ("name", 2)]);
    for write in writes {
        let [short, long] = [50_000, 400_000].map(|count| {
            let rows = vec![row.clone(); count];
            let mut to = Sink::default();
            let counted = calls(|| write(&mut to, &rows));
            assert!(to.bytes > 17 * count);
            assert!(to.longest < 66 << 10, "{}", to.longest);
            counted
        });
        assert_eq!(short, long);
    }
}
