//! Compares the lints with those of `diagnose`, which reads the whole text, for every kernel and window size, and bounds their
//! cost.

mod generators;
mod segments;

use jsonx_core::engine::{Kernel, Options, Stop, Validator, Verdict};
use jsonx_testing::cases;
use proptest::prelude::*;

use self::generators::{records, value};
use super::*;
use crate::diagnose::{self, Code, Diagnostic, diagnose};

const LINTS: Lints = Lints {
    byte_order_mark: false,
    repeatable_key: Some("//"),
    ..Lints::ALL
};

/// The findings in a text that arrives in windows of `size` bytes.
fn lint(text: &[u8], options: Options, size: usize, limit: usize) -> Option<Findings> {
    let mut linter = Linter::new(LINTS, limit);
    let mut validator = Validator::new(options);
    let go = || {
        for window in text.chunks(size) {
            validator.write(window, &mut linter)?;
        }
        validator.finish(linter)
    };
    match go() {
        Ok(findings) => Some(findings),
        Err(Stop::Invalid(_)) => None,
        Err(Stop::Sink(never)) => match never {},
    }
}

/// The findings of `diagnose`, if the text is valid.
fn expected(text: &[u8], mode: Mode) -> Option<Vec<Diagnostic>> {
    let options = diagnose::DiagnoseOptions::default()
        .framing(match mode {
            Mode::One => diagnose::Framing::OneValue,
            Mode::Stream => diagnose::Framing::Stream,
        })
        .lints(LINTS)
        .limit(0);
    let report = diagnose(text, &options);
    report.is_valid().then_some(report.diagnostics)
}

fn agrees(text: &[u8], mode: Mode, sizes: &[usize]) {
    let expected = expected(text, mode);
    for kernel in Kernel::available() {
        for &size in sizes {
            let options = Options::default().mode(mode).kernel(kernel);
            let linted = lint(text, options, size, 0);
            let found = linted.map(|linted| {
                assert_eq!(linted.count, linted.findings.len() as u64);
                linted.report(text, 0, mode).diagnostics
            });
            assert_eq!(
                found,
                expected,
                "{mode:?} with {kernel:?} in windows of {size}: {:?}",
                String::from_utf8_lossy(&text[..text.len().min(500)])
            );
        }
    }
}

const SIZES: [usize; 3] = [64, 192, usize::MAX];

fn codes(text: &str) -> Vec<(Code, u64, u64)> {
    agrees(text.as_bytes(), Mode::One, &SIZES);
    let linted = lint(text.as_bytes(), Options::default(), usize::MAX, 0).expect("valid");
    let findings = linted.findings.iter();
    findings.map(|f| (f.code, f.offset, f.length)).collect()
}

#[test]
fn each_lint_finds_its_example() {
    // The byte-order mark is not part of a text.
    for code in Lints::CODES
        .into_iter()
        .filter(|&code| code != Code::ByteOrderMark)
    {
        let found = codes(std::str::from_utf8(code.wrong()).expect("text"));
        assert!(found.iter().any(|&(found, _, _)| found == code), "{code}");
    }
}

#[test]
fn duplicate_keys_are_compared_unescaped() {
    let found = |text: &str| codes(text).len();
    assert_eq!(codes(r#"{"a":1,"a":2}"#), [(Code::DuplicateKey, 7, 3)]);
    assert_eq!(codes(r#"{"a":1,"\u0061":2}"#), [(Code::DuplicateKey, 7, 8)]);
    assert_eq!(found(r#"{"a":1,"A":2,"b":3,"":4}"#), 0);
    assert_eq!(found(r#"{"":1,"":2,"":3}"#), 2);
    assert_eq!(found(r#"{"a":{"a":{"a":1}},"b":{"a":2}}"#), 0);
    assert_eq!(found(r#"{"a":{"b":1},"c":[{"a":1}],"a":2}"#), 1);
    assert_eq!(found(r#"{"a" : 1, "a"  : 2}"#), 1);
    assert_eq!(found("{\"a\"\n:1,\"a\"\t:2}"), 1);
    assert_eq!(
        codes(r#"{"//":1,"a":2,"//":3,"a":4,"//":{"//":5,"//":6}}"#),
        [(Code::DuplicateKey, 21, 3)]
    );
    // Keys of equal length, with equal starts and ends.
    assert_eq!(
        found(r#"{"01234567 0123456789 x 01234567":1,"01234567 0123456789 y 01234567":2}"#),
        0
    );
    assert_eq!(
        found(r#"{"01234567 0123456789 x 01234567":1,"01234567 0123456789 x 01234567":2}"#),
        1
    );
    // Different strings that lossy decoding would make equal, and equal strings written differently.
    assert_eq!(found(r#"{"\ud800":1,"\ud801":2}"#), 2);
    assert_eq!(found(r#"{"\ud800":1,"\uD800":2}"#), 3);
    assert_eq!(found(r#"{"\ud83d\ude00":1,"😀":2}"#), 1);
    assert_eq!(
        found(r#"{"\/":1,"/":2,"\"":3,"\u0022":4,"\\":5,"\u005c":6}"#),
        3
    );
}

/// A finding can only be shown if its position is reported before its text is discarded.
#[test]
fn surrogates_are_reported_before_the_text_is_discarded() {
    let long = "x".repeat(20_000);
    let first = |text: String, limit| {
        let mut linter = Linter::new(Lints::ALL, limit);
        linter.begin(1000, None);
        let mut validator = Validator::new(Options::default());
        validator
            .write(text.as_bytes(), &mut linter)
            .expect("valid");
        linter.first()
    };
    for limit in [0, 1] {
        assert_eq!(first(format!(r#"["\ud83d","{long}"]"#), limit), Some(1002));
        assert_eq!(first(format!(r#"["\ude00","{long}"]"#), limit), Some(1002));
        assert_eq!(first(format!(r#"["\ud83d{long}"]"#), limit), Some(1002));
        assert_eq!(
            first(format!(r#"[1e400,"\ud83d{long}"]"#), limit),
            Some(1001)
        );
        assert_eq!(
            first(format!(r#"["{long}","\ud83d\ude00{long}"]"#), limit),
            None
        );
    }
    // A chunk may end anywhere between the halves of a pair.
    for start in 8_170..8_200 {
        let text = format!(r#"["{}\ud83d\ude00{long}"]"#, &long[..start]);
        assert_eq!(first(text, 0), None, "{start}");
    }
}

#[test]
fn numbers_are_judged_by_their_value() {
    for (text, code) in [
        ("9007199254740992", None),
        ("-9007199254740992", None),
        ("9007199254740993", Some(Code::UnsafeInteger)),
        ("-9007199254740993", Some(Code::UnsafeInteger)),
        ("10000000000000000", Some(Code::UnsafeInteger)),
        ("9007199254740993.0", None),
        ("9007199254740993e0", None),
        ("0.9007199254740993", None),
        ("1e308", None),
        ("1e309", Some(Code::NumberRange)),
        ("-1e400", Some(Code::NumberRange)),
        ("1E+400", Some(Code::NumberRange)),
        ("1e0000000400", Some(Code::NumberRange)),
        ("1e-400", None),
        ("0e400", None),
        ("0.001e311", None),
        ("0.001e312", Some(Code::NumberRange)),
        ("1.7976931348623157e308", None),
        ("1.7976931348623159e308", Some(Code::NumberRange)),
        ("1e99999999999999999999", Some(Code::NumberRange)),
        ("1e-99999999999999999999", None),
        ("123456789e301", Some(Code::NumberRange)),
    ] {
        for document in [
            format!("[{text}]"),
            text.to_owned(),
            format!("[ {text}  , {text}\n]"),
            format!("{{\"a\":{text}}}"),
        ] {
            let found = codes(&document);
            let count = document.matches(text).count() * usize::from(code.is_some());
            assert_eq!(found.len(), count, "{document}");
            assert!(
                found
                    .iter()
                    .all(|f| Some(f.0) == code && f.2 == text.len() as u64)
            );
        }
    }
    let long = [
        "1".to_owned() + &"0".repeat(308),
        "1".to_owned() + &"0".repeat(309),
        "9".repeat(20_000),
        "0.".to_owned() + &"0".repeat(20_000) + "1e20309",
        "0.".to_owned() + &"0".repeat(20_000) + "1e20310",
        "1".repeat(20_000) + "e-19700",
        "1".repeat(20_000) + "e-19600",
        "1".repeat(20_000) + ".5e-19900",
        format!("17976931348623158{}e-19708", "0".repeat(20_000)),
    ];
    for number in &long {
        for pad in [0, 1, 63, 8100] {
            codes(&format!("[{}{number} , {number}]", " ".repeat(pad)));
        }
    }
    // All of these are finite and at least 1.
    for (number, code) in long
        .iter()
        .zip([true, true, true, false, true, false, true, false, false])
    {
        let found = codes(number)
            .first()
            .is_some_and(|f| f.0 == Code::NumberRange);
        let integer = number.bytes().all(|byte| byte.is_ascii_digit());
        assert!(integer || found == code, "{}", &number[number.len() - 30..]);
    }
}

/// The check notices long numbers 64 bytes at a time.
#[test]
fn numbers_are_found_wherever_they_are() {
    for number in [
        "9007199254740993",
        "-123456789012345678",
        "1e309",
        "-2.5E+0400",
    ] {
        for pad in (0..130).chain(8_165..8_200) {
            let found = |text: String| {
                let linted = lint(text.as_bytes(), Options::default(), usize::MAX, 0);
                linted.expect("valid").count
            };
            let (ones, spaces) = ("1,".repeat(pad / 2), " ".repeat(pad));
            codes(&format!("[{ones}{number}, 0.1{}]", "7".repeat(pad)));
            assert_eq!(found(format!("[{ones}{number},{spaces}12]")), 1, "{pad}");
            // Kernels that compress scalars see only these.
            let digits = "1234567,".repeat(pad);
            assert_eq!(found(format!("[{digits}{spaces}{number}]")), 1, "{pad}");
            assert_eq!(found(format!("[{digits}{number}{spaces}]")), 1, "{pad}");
        }
    }
}

#[test]
fn surrogates_need_their_partners() {
    let found = |text: &str| codes(text).len();
    assert_eq!(codes(r#"["a\ud800"]"#), [(Code::LoneSurrogate, 3, 6)]);
    assert_eq!(found(r#""\ud83d\ude00""#), 0);
    assert_eq!(found(r#""\ude00\ud83d""#), 1);
    assert_eq!(found(r#"["\ud800","\udc00"]"#), 2);
    assert_eq!(found(r#""\ud800\ud800\udc00\udc00""#), 1);
    assert_eq!(found(r#""\\ud800 \\\\udc00 ud800 \u00d8""#), 0);
    assert_eq!(found(r#""\\\ud800""#), 1);
    assert_eq!(found(r#""\ud7ff\ue000\uD7FF\uE000\uDBFF\uDFFF""#), 0);
    assert_eq!(found(r#"{"\udbff":"\uDBFF"}"#), 2);
    // One finding per string, with nine further positions.
    let many = format!("\"{}\"", r"\udc00".repeat(20));
    assert_eq!(found(&many), 1);
    // At every position in a block and in a chunk.
    for pad in (0..140).chain(8180..8200) {
        for escapes in [r"\ud83d\ude00", r"\ud83d", r"\\\udc00\ud83d", r"\\ud83d"] {
            codes(&format!("\"{}{escapes}\"", "x".repeat(pad)));
            codes(&format!(
                "[\"{}{escapes}\", \"{escapes}\"]",
                "\\\\".repeat(pad / 2)
            ));
        }
    }
}

#[test]
fn duplicate_keys_are_found_across_chunks() {
    let filler = format!("\"{}\"", "x".repeat(9000));
    let long = "k".repeat(20_000);
    for text in [
        format!(r#"{{"a":{filler},"b":{{"a":1,"c":{filler},"c":2}},"a":{filler}}}"#),
        format!(r#"{{"{long}":1,"{long}":2,"{long}x":3}}"#),
        format!(r#"{{"{long}\u0061":1,"{long}a":2}}"#),
        format!(r#"[{filler},{{"a":[{filler},{{"b":1,"b":{filler}}}],"a":1}}]"#),
    ] {
        codes(&text);
    }
    for pad in 0..200 {
        let text = format!(
            r#"{{"{}":{{"ab":1 , "a\u0062" : 2}},"ab" : 3,"ab":4}}"#,
            "p".repeat(8050 + pad)
        );
        assert_eq!(codes(&text).len(), 2);
    }
}

#[test]
fn objects_with_many_keys() {
    for count in [8, 9, 16, 17, 32, 33, 63, 64, 65, 66, 200, 3000] {
        let keys: Vec<String> = (0..count)
            .map(|i| format!("\"key{i}\":{{\"x\":{i},\"y\":[]}}"))
            .collect();
        let keys = keys.join(",");
        assert_eq!(codes(&format!("{{{keys}}}")).len(), 0, "{count}");
        let last = count - 1;
        let text = format!(
            "{{{keys},\"k\\u0065y{last}\":1,\"key0\":2,\"none\":3,\"key0\":{{\"x\":1,\"x\":2}}}}"
        );
        assert_eq!(codes(&text).len(), 4, "{count}");
        // Inside an object with many keys, and with an object inside.
        codes(&format!(
            "{{{keys},\"o\":{{{keys},\"o\":{text}}},\"key1\":[{{{keys}}}]}}"
        ));
    }
}

#[test]
fn findings_are_sorted_and_the_first_are_retained() {
    let text = r#"{"a":[1e400,{"b":1,"b":2}],"a":9007199254740993,"a":"\ud800"}"#;
    let all = lint(text.as_bytes(), Options::default(), 64, 0).expect("valid");
    assert!(all.findings.is_sorted_by_key(|f| f.offset));
    assert_eq!(all.count, 6);
    for limit in 1..6 {
        let some = lint(text.as_bytes(), Options::default(), 64, limit).expect("valid");
        assert_eq!(some.findings, all.findings[..limit]);
        assert_eq!((some.count, all.count), (6, 6));
        let omitted: u64 = some.omitted.iter().map(|omitted| omitted.count).sum();
        assert_eq!(omitted, 6 - limit as u64);
        let report = some.report(text.as_bytes(), 0, Mode::One);
        assert_eq!((report.errors, report.warnings), (0, 6));
    }
}

#[test]
fn deep_nesting_is_accepted() {
    let depth = 200_000;
    for (open, close) in [
        ("{\"a\":", "}"),
        ("[", "]"),
        ("[{\"a\":", "}]"),
        ("{\"a\":1,\"a\":", "}"),
    ] {
        let text = open.repeat(depth) + "1" + &close.repeat(depth);
        let linted = lint(text.as_bytes(), Options::default(), usize::MAX, 10).expect("valid");
        let twice = u64::from(open.contains(','));
        assert_eq!(linted.count, twice * depth as u64);
        assert_eq!(
            linted.report(text.as_bytes(), 0, Mode::One).warnings,
            linted.count
        );
    }
}

/// Objects with the same keys follow the path that the first of them added.
#[test]
fn objects_of_the_same_shape() {
    let repeated = |object: &str| format!("[{}{object}]", format!("{object},\n").repeat(300));
    let count = |text: &str| codes(text).len();
    let long = "k".repeat(61);
    for object in [
        r#"{"id":1,"name":"a","at":{"x":1,"y":2}}"#.to_owned(),
        r#"{"a":{"a":{"b":[{"a":1},{"b":2}]},"b":{}},"b":{"a":{"b":1}}}"#.to_owned(),
        r#"{"\u0061b" : 1, "\"" : 2, "é":3, "":4}"#.to_owned(),
        format!(r#"{{"{long}a":1,"{long}ab":2,"{long}b":3,"{long}bc":4}}"#),
        format!(
            "{{{}}}",
            (0..70)
                .map(|i| format!("\"k{i}\":{i}"))
                .collect::<Vec<_>>()
                .join(",")
        ),
    ] {
        let text = repeated(&object);
        assert_eq!(count(&text), 0, "{object}");
        // A duplicate key at the end, as written and with an escape.
        let first = &object[1..object.find(':').unwrap_or(0)];
        let again = format!("{},{first}:5}}", &object[..object.len() - 1]);
        assert_eq!(
            count(&format!("[{text},{again},{object},{again}]")),
            2,
            "{again}"
        );
        // A new key at either end, which begins another path.
        let other = format!("{{\"other\":7,{}", &object[1..]);
        let longer = format!("{},\"other\":7}}", &object[..object.len() - 1]);
        for other in [other, longer] {
            let texts = [&text, &other, &object, &other, &text].map(String::as_str);
            assert_eq!(count(&format!("[{}]", texts.join(","))), 0);
            assert_eq!(count(&repeated(&format!("{other},{object}"))), 0);
        }
    }
    assert_eq!(
        count(&format!(
            r#"[{},{{"id":1,"name":2,"\u0069d":3}},{{"name":1,"id":2,"name":3}}]"#,
            repeated(r#"{"id":1,"name":"a"}"#)
        )),
        2
    );
}

/// More shapes than are retained.
#[test]
fn objects_of_many_shapes() {
    let object = |i: usize| format!(r#"{{"a{}":1,"b{i}":{{"c{i}":2}},"d":3}}"#, i % 7);
    let objects: Vec<String> = (0..1500).map(object).collect();
    let objects = objects.join(",");
    assert_eq!(codes(&format!("[{objects},{objects},{objects}]")).len(), 0);
    let twice = objects.replace("\"d\":3", "\"d\":3,\"d\":4");
    let found = codes(&format!("[{objects},{objects},{twice},{objects}]"));
    assert_eq!(found.len(), 1500);
}

/// The steps that linting a text takes.
fn steps(text: &str) -> u64 {
    let mut linter = Linter::new(Lints::ALL, 1);
    Validator::new(Options::default())
        .check(text.as_bytes(), &mut linter)
        .expect("valid");
    linter.steps()
}

/// An object with these keys.
fn object(keys: impl Iterator<Item = String>) -> String {
    let members: Vec<String> = keys.map(|key| format!("\"{key}\":1")).collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn cost_follows_the_number_of_keys() {
    type Family = fn(usize) -> String;
    let families: [(&str, Family); 8] = [
        ("many keys", |n| object((0..n).map(|i| i.to_string()))),
        ("equal keys", |n| object((0..n).map(|_| "a".to_owned()))),
        // Keys with equal fingerprints: they differ only in the middle.
        ("colliding keys", |n| {
            object((0..n).map(|i| format!("01234567 0123456{i:08} 01234567")))
        }),
        ("escaped keys", |n| {
            object((0..n).map(|i| format!("\\u0061{i}")))
        }),
        ("many small objects", |n| {
            let small = object(["a", "b", "a"].into_iter().map(String::from));
            format!("[{}1]", (small + ",").repeat(n))
        }),
        ("colliding small objects", |n| {
            let small = object((0..9).map(|i| format!("01234567 0123456{i:08} 01234567")));
            format!("[{}1]", (small + ",").repeat(n / 8))
        }),
        ("deep objects with many keys", |n| {
            let open: Vec<String> = (0..n / 70)
                .map(|_| {
                    let many = object((0..70).map(|i| format!("k{i}")));
                    many[..many.len() - 1].to_owned() + ",\"o\":"
                })
                .collect();
            open.concat() + "1" + &"}".repeat(open.len())
        }),
        ("one object between many", |n| {
            let small = object((0..3).map(|i| i.to_string()));
            let members: Vec<String> = (0..n).map(|i| format!("\"{i}\":{small}")).collect();
            format!("{{{}}}", members.join(","))
        }),
    ];
    for (name, text) in families {
        let (once, eight) = (steps(&text(2000)), steps(&text(16_000)));
        assert!(eight <= 16 * once, "{name}: {once} and {eight} steps");
        assert!(eight >= 4 * once, "{name}: {once} and {eight} steps");
    }
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn findings_equal_those_of_diagnose(text in value(), blocks in 1usize..40) {
        agrees(text.as_bytes(), Mode::One, &[64, blocks * 64, usize::MAX]);
    }

    #[test]
    fn of_streams_too(texts in prop::collection::vec(value(), 0..4), blocks in 1usize..40) {
        agrees(texts.join("\n").as_bytes(), Mode::Stream, &[blocks * 64, usize::MAX]);
    }

    #[test]
    fn of_records_too(text in records(), blocks in 1usize..40) {
        agrees(text.as_bytes(), Mode::One, &[blocks * 64]);
    }

    /// Findings that are not retained are counted, with the first and the last position.
    #[test]
    fn a_limit_changes_no_finding(text in value(), limit in 1usize..6, blocks in 1usize..40) {
        let size = blocks * 64;
        let all = lint(text.as_bytes(), Options::default(), size, 0).expect("valid");
        let few = lint(text.as_bytes(), Options::default(), size, limit).expect("valid");
        let (shown, rest) = all.findings.split_at(limit.min(all.findings.len()));
        prop_assert_eq!(&few.findings, shown);
        let mut omitted = Vec::new();
        for finding in rest {
            collector::omit(&mut omitted, finding.code, finding.offset);
        }
        // Sorted by the first place.
        prop_assert_eq!((few.count, few.omitted), (all.count, omitted));
    }

    /// Consecutive texts have the same findings as each text alone.
    #[test]
    fn a_linter_that_starts_in_the_middle_does_not_panic(
        texts in prop::collection::vec(value(), 1..4),
        place: prop::sample::Index,
    ) {
        let text = texts.join("\n");
        let (before, after) = text.as_bytes().split_at(place.index(text.len()));
        let options = Options::default().mode(Mode::Stream);
        let mut validator = Validator::new(options);
        validator.write(before, &mut Verdict).unwrap();
        let mut late = Linter::new(Lints::ALL, 100);
        if validator.check(after, &mut late).is_ok() {
            Validator::new(options).check(text.as_bytes(), &mut late).unwrap();
            late.finish();
        }
    }

    #[test]
    fn earlier_texts_do_not_change_findings(
        texts in prop::collection::vec(prop_oneof![value(), records()], 1..6),
    ) {
        let mut linter = Linter::new(LINTS, 0);
        for text in texts {
            Validator::new(Options::default()).check(text.as_bytes(), &mut linter).expect("valid");
            let alone = lint(text.as_bytes(), Options::default(), usize::MAX, 0).expect("valid");
            prop_assert_eq!(linter.take_findings().findings, alone.findings);
        }
    }
}
