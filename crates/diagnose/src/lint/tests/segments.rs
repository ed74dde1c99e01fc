//! Segments of a text, each linted without the text before it, have the findings of the whole.

use jsonx_core::engine::{SegmentedSink, TextSegment};

use super::*;

/// The findings in a text linted in separate segments of `size` bytes, and the number of segments that were guessed right.
fn in_segments(
    text: &[u8],
    options: Options,
    size: usize,
    limit: usize,
) -> (Option<Findings>, usize) {
    let mut linter = Linter::new(LINTS, limit);
    linter.begin(7, Some(3));
    let mut validator = Validator::new(options);
    let mut right = 0;
    for part in text.chunks(size) {
        let mut work = linter.for_segment();
        let segment = TextSegment::new(part, validator.offset(), options, &mut work);
        match validator.join(&segment, work, &mut linter) {
            Ok(is_right) => right += usize::from(is_right),
            Err(Stop::Invalid(_)) => return (None, right),
            Err(Stop::Sink(never)) => match never {},
        }
    }
    match validator.finish(linter) {
        Ok(findings) => (Some(findings), right),
        Err(Stop::Invalid(_)) => (None, right),
        Err(Stop::Sink(never)) => match never {},
    }
}

/// Compares segments of a size with the text as a whole. Returns the number of findings, and of segments that were guessed
/// right.
fn agrees_with(text: &[u8], options: Options, size: usize, limit: usize) -> (u64, usize) {
    let mut linter = Linter::new(LINTS, limit);
    linter.begin(7, Some(3));
    let expected = Validator::new(options).check(text, linter).ok();
    let count = expected.as_ref().map_or(0, |findings| findings.count);
    let (found, right) = in_segments(text, options, size, limit);
    assert_eq!(
        format!("{found:?}"),
        format!("{expected:?}"),
        "{options:?}, limit {limit}, in segments of {size}: {:?}",
        String::from_utf8_lossy(&text[..text.len().min(500)])
    );
    (count, right)
}

/// The same with every kernel and several sizes.
fn agree(text: &[u8], mode: Mode, sizes: &[usize], limits: &[usize]) -> (u64, usize) {
    let (mut count, mut all_right) = (0, 0);
    for kernel in Kernel::available() {
        let options = Options::default().mode(mode).kernel(kernel);
        for &limit in limits {
            for &size in sizes {
                let (found, right) = agrees_with(text, options, size, limit);
                count = found;
                all_right += right;
            }
        }
    }
    (count, all_right)
}

/// Every boundary in a text with all lints, of objects that follow paths and that do not.
#[test]
fn at_every_border() {
    let text = r#"[{"id": 1, "at": {"x": 1, "y": {"z": [2, {"a": 1}, {"a": 2}]}, "x": 3}, "id": 2},
        {"id": 12345678901234567890, "at": {"x": 1, "y": {"z": [2, {"a": 1}, {"a": 2}]}}, "\u0061t": [1e400]},
        {"id": "\ud800", "at": {"x": "\ud83d\ude00", "\ud800": {}, "\uD800": []}, "id": 2, "a": {"b": {"c": {}}}},
        {"": 1, "": 2, "k": {"k": {"k": {"k": 1, "k": 2}, "k": 3}, "k": 4}, "k": "a,\"k\":[", "\u006b": 5}, 1e999]"#;
    let text = text.replace("\n        ", "");
    let text = format!("[{text}, {text}, {{\"a\": {text}, \"a\": {text}}}]");
    let sizes: Vec<usize> = (1..80).chain([100, 127, 128, 129, 200, 500]).collect();
    let (count, right) = agree(text.as_bytes(), Mode::One, &sizes, &[0, 3]);
    assert_eq!(count, 4 * 17 + 1);
    assert!(right > 1000, "{right}");
}

#[test]
fn equal_keys_far_apart() {
    let keys = |from: usize, to: usize| {
        let members: Vec<String> = (from..to)
            .map(|i| format!("\"key{i}\": [{{\"x\": {i}}}, \"y\"]"))
            .collect();
        members.join(", ")
    };
    let inner = format!("{{{}, \"key7\": 1, \"k\\u0065y7\": {{}}}}", keys(0, 200));
    for text in [
        // More keys than are compared one by one, and keys that are duplicates only of keys in other segments.
        format!("{{{}, \"k\\u0065y1999\": 1, \"key0\": 2}}", keys(0, 2000)),
        format!("{{{}, {}}}", keys(0, 500), keys(100, 300)),
        format!(
            "{{{}, \"key5\": {inner}, {}}}",
            keys(0, 300),
            keys(299, 310)
        ),
        format!(
            "[{{{}, \"in\": [{inner}, {inner}], \"key1\": 0}}, {inner}]",
            keys(0, 70)
        ),
    ] {
        let (count, right) = agree(text.as_bytes(), Mode::One, &[64, 999, 5000], &[0, 2]);
        assert!(count > 1, "{count} in {text:.60}");
        assert!(right > 10, "{right} in {text:.60}");
    }
}

#[test]
fn tokens_longer_than_segments() {
    let long = "k".repeat(3000);
    let strings = r#"\",\"a\":1,"#.repeat(300);
    for text in [
        format!(r#"{{"{long}": 1, "{long}": 2, "{long}x": 3}}"#),
        format!(r#"{{"a": "{strings}", "a": "{strings}", "{strings}": 1, "{strings}": 2}}"#),
        format!("[1, {}, {}, 2]", "9".repeat(1000), "1".repeat(400)),
        format!("[1, \"{}\", 2]", r"\ud800".repeat(400)),
        format!("[1, \"{}\", 2]", r"\ud83d\ude00".repeat(400)),
        format!("{{\"a\": 1,{}\"a\": 2}}", " ".repeat(3000)),
        format!("{{\"a\":{0}1{0},{0}\"a\"{0}: 2}}", "\n".repeat(500)),
    ] {
        agree(
            text.as_bytes(),
            Mode::One,
            &[64, 65, 100, 127, 1000],
            &[0, 1],
        );
    }
}

#[test]
fn levels_that_are_open_across_borders() {
    for depth in [100, 3000] {
        for (open, close) in [
            ("{\"a\":", "}"),
            ("[{\"a\":1,\"a\":", ",\"a\":[]}]"),
            ("{\"b\":1,\"a\":", ",\"\\u0062\":2}"),
            ("{\"id\":1,\"name\":\"x\",\"child\":[", "],\"id\":2}"),
        ] {
            let text = open.repeat(depth) + "1" + &close.repeat(depth);
            agree(text.as_bytes(), Mode::One, &[64, 777, 40_000], &[0, 10]);
        }
    }
}

/// Segments that do not begin as they seem to.
#[test]
fn wrong_guesses_change_nothing() {
    let texts = [
        format!(
            "[{}1]",
            r#"{"a\"":"\",","b":"{\"c\":[1,2]},"},"#.repeat(100)
        ),
        format!(
            r#"{{"a":"{}","a":"{}"}}"#,
            r#","a":1},{"b":["#.replace('"', "\\\"").repeat(100),
            r#"1e400,12345678901234567890,\ud800,"#.repeat(100)
        ),
        format!("[\"{}\", 1e999]", "1, 2, ".repeat(500)),
        "{\"a\":1,\"a\":2} [2, 3]\n\"b\" ".repeat(100),
        "1 2 3, 4 5\n".repeat(100),
        format!(
            "{{\"a\":[{}1]}}",
            "{\"a\":1},{\"a\":1,\"a\":2},".repeat(100)
        ),
    ];
    for text in &texts {
        let changed = text.replacen('}', "]", 3);
        for text in [text.as_str(), &text[..text.len() - 1], &changed] {
            for mode in [Mode::One, Mode::Stream] {
                agree(text.as_bytes(), mode, &[64, 111, 509], &[0]);
            }
        }
    }
}

/// The number of steps does not depend on the segments.
#[test]
fn cost_follows_the_number_of_keys() {
    let steps = |text: &str| {
        let options = Options::default();
        let mut linter = Linter::new(Lints::ALL, 1);
        let mut validator = Validator::new(options);
        for part in text.as_bytes().chunks(256) {
            let mut work = linter.for_segment();
            let segment = TextSegment::new(part, validator.offset(), options, &mut work);
            validator.join(&segment, work, &mut linter).expect("valid");
        }
        linter.steps()
    };
    let families: [fn(usize) -> String; 3] = [
        |n| object((0..n).map(|i| i.to_string())),
        |n| object((0..n).map(|i| format!("01234567 0123456{i:08} 01234567"))),
        |n| "{\"a\":1,\"b\":".repeat(n) + "1" + &"}".repeat(n),
    ];
    for text in families {
        let (once, eight) = (steps(&text(1000)), steps(&text(8000)));
        assert!(eight <= 16 * once, "{once} and {eight} steps");
        assert!(eight >= 4 * once, "{once} and {eight} steps");
    }
}

/// The options with one of the kernels.
fn with_kernel(mode: Mode, index: usize) -> Options {
    let kernels: Vec<Kernel> = Kernel::available().collect();
    let kernel = kernels[index % kernels.len()];
    Options::default().mode(mode).kernel(kernel)
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn of_streams(
        texts in prop::collection::vec(value(), 0..3),
        size in 16usize..2000,
        limit in 0usize..4,
        kernel in 0usize..8,
    ) {
        let text = texts.join("\n");
        agrees_with(text.as_bytes(), with_kernel(Mode::Stream, kernel), size, limit);
    }

    #[test]
    fn of_records(
        text in records(),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::sample::select(b"{}[]:,\"\\ 1a".to_vec())),
            0..3,
        ),
        size in 16usize..400,
        kernel in 0usize..8,
    ) {
        let mut text = text.into_bytes();
        for (at, byte) in changes {
            let at = at.index(text.len());
            text[at] = byte;
        }
        agrees_with(&text, with_kernel(Mode::One, kernel), size, 0);
    }
}
