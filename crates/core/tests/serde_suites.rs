//! Published suites and generated numbers into types, compared with `serde_json`.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

use jsonx_core::{Document, from_slice, from_str, to_string, validate};
use jsonx_testing::{cases, suite};
use proptest::prelude::*;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

/// Both read the same value, or both fail.
fn same<T: DeserializeOwned + PartialEq + Debug>(text: &[u8], name: &str) {
    match (from_slice::<T>(text), serde_json::from_slice::<T>(text)) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{name}"),
        (Err(_), Err(_)) => {}
        (ours, theirs) => panic!("{name}: {ours:?}, {theirs:?}"),
    }
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the suite") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            let name = path.display().to_string();
            files.push((name, fs::read(&path).expect("a file of the suite")));
        }
    }
    files.sort();
    files
}

#[test]
fn json_test_suite() {
    let Some(suite) = suite("JSONTestSuite") else {
        return;
    };
    let mut count = 0;
    for folder in ["test_parsing", "test_transform"] {
        for (name, text) in files(&suite.join(folder)) {
            count += 1;
            same::<Value>(&text, &name);
            same::<Vec<Value>>(&text, &name);
            same::<BTreeMap<String, Value>>(&text, &name);
            same::<Vec<f64>>(&text, &name);
            same::<Vec<f32>>(&text, &name);
            same::<Vec<i64>>(&text, &name);
            same::<Vec<Option<String>>>(&text, &name);
            let valid = validate(&text).is_ok();
            assert_eq!(from_slice::<IgnoredAny>(&text).is_ok(), valid, "{name}");
            assert_eq!(Document::parse(&text).is_ok(), valid, "{name}");
            if name.contains("/y_") {
                from_slice::<Value>(&text).expect(&name);
            }
            if name.contains("/n_") {
                from_slice::<Value>(&text).expect_err(&name);
            }
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn round_trips_of_nativejson() {
    let Some(suite) = suite("nativejson-roundtrip") else {
        return;
    };
    for (name, text) in files(&suite.join("data/roundtrip")) {
        same::<Value>(&text, &name);
        let value: Value = from_slice(&text).expect(&name);
        assert_eq!(
            from_str::<Value>(&to_string(&value).expect(&name)).expect(&name),
            value
        );
    }
}

/// Bits and the shortest text of doubles, from the ECMAScript sequence and the appendix of RFC 8785.
#[test]
fn numbers_of_rfc_8785() {
    let Some(suite) = suite("rfc8785-numbers") else {
        return;
    };
    let mut count = 0;
    for (file, separator) in [("appendix-b.txt", ' '), ("es6-numbers-10000.txt", ',')] {
        let list = fs::read_to_string(suite.join(file)).expect("a file of the suite");
        for line in list.lines() {
            let Some((bits, text)) = line.split_once(separator) else {
                continue;
            };
            let Ok(bits) = u64::from_str_radix(bits, 16) else {
                continue;
            };
            if !f64::from_bits(bits).is_finite() {
                continue;
            }
            count += 1;
            let read: f64 = from_str(text).expect(text);
            // The shortest text of -0 is `0`.
            assert!(read.to_bits() == bits || text == "0", "{text}");
            let again: f64 = from_str(&to_string(&read).expect(text)).expect(text);
            assert_eq!(again.to_bits(), read.to_bits(), "{text}");
            same::<f32>(text.as_bytes(), text);
        }
    }
    assert!(count > 10_000, "{count}");
}

fn round_trip(double: f64, single: f32) {
    for text in [
        format!("{double:?}"),
        format!("{double:e}"),
        format!("{double}"),
    ] {
        assert_eq!(
            from_str::<f64>(&text).expect(&text).to_bits(),
            double.to_bits()
        );
    }
    let text = to_string(&double).expect("a finite number");
    assert_eq!(
        from_str::<f64>(&text).expect(&text).to_bits(),
        double.to_bits()
    );
    for text in [
        format!("{single:?}"),
        format!("{single:e}"),
        to_string(&single).expect("finite"),
    ] {
        assert_eq!(
            from_str::<f32>(&text).expect(&text).to_bits(),
            single.to_bits()
        );
    }
}

/// Every exponent of doubles and singles, with the least, greatest and some other significands.
#[test]
fn every_class_of_floats() {
    for exponent in 0..0x7ff_u64 {
        for significand in [
            0,
            1,
            2,
            (1 << 51) - 1,
            1 << 51,
            (1 << 52) - 1,
            0x000a_bcde_f012_3456,
        ] {
            for sign in [0, 1 << 63] {
                let double = f64::from_bits(sign | exponent << 52 | significand);
                let single = (exponent & 0xff).min(0xfe) << 23 | significand >> 29;
                round_trip(double, f32::from_bits(single as u32));
            }
        }
    }
}

/// Halfway between two floats, and just above and below it in the last digit.
#[test]
fn halfway_between_floats() {
    for bits in (0..0x42e_u64)
        .step_by(13)
        .map(|exponent| exponent << 52 | 0x000f_0000_0000_0003)
    {
        let (below, above) = (f64::from_bits(bits), f64::from_bits(bits + 1));
        // Exact, because a double has at most 1,075 digits after the point.
        let (low, high) = (format!("{below:.1100}"), format!("{above:.1100}"));
        let halfway = half_of_sum(&low, &high);
        let even = if bits & 1 == 0 { below } else { above };
        let halfway = halfway.trim_end_matches('0');
        for (text, expected) in [
            (halfway.to_owned() + "0", even),
            (format!("{halfway}1"), above),
            (just_below(halfway), below),
        ] {
            let read: f64 = from_str(&text).expect(&text);
            assert_eq!(read.to_bits(), expected.to_bits(), "{text}");
        }
    }
}

/// Half of the sum of two decimal fractions of the same length after the point, with one digit more.
fn half_of_sum(a: &str, b: &str) -> String {
    let width = a.len().max(b.len());
    let (a, b) = (format!("{a:0>width$}"), format!("{b:0>width$}"));
    let mut digits: Vec<u8> = Vec::new();
    let mut carry = 0;
    for (x, y) in a.bytes().rev().zip(b.bytes().rev()) {
        if x == b'.' {
            continue;
        }
        let sum = (x - b'0') + (y - b'0') + carry;
        digits.push(sum % 10);
        carry = sum / 10;
    }
    digits.push(carry);
    digits.reverse();
    let mut rest = 0;
    let mut half = String::new();
    for digit in digits.iter().chain([&0]) {
        let value = rest * 10 + digit;
        half.push(char::from(b'0' + value / 2));
        rest = value % 2;
    }
    half.insert(half.len() - 1101, '.');
    let trimmed = half.trim_start_matches('0');
    if trimmed.starts_with('.') {
        format!("0{trimmed}")
    } else {
        trimmed.to_owned()
    }
}

/// One unit less in the last digit, which is not zero.
fn just_below(text: &str) -> String {
    let (last, rest) = text.as_bytes().split_last().expect("a digit");
    assert!((b'1'..=b'9').contains(last), "{text}");
    format!(
        "{}{}9",
        str::from_utf8(rest).expect("digits"),
        char::from(last - 1)
    )
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn any_float(double in any::<u64>(), single in any::<u32>()) {
        let (double, single) = (f64::from_bits(double), f32::from_bits(single));
        if double.is_finite() && single.is_finite() {
            round_trip(double, single);
        }
    }

    /// Numbers in any notation, for every type.
    #[test]
    fn any_number(text in "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?") {
        let bytes = text.as_bytes();
        same::<f64>(bytes, &text);
        same::<f32>(bytes, &text);
        same::<u8>(bytes, &text);
        same::<i32>(bytes, &text);
        same::<u64>(bytes, &text);
        same::<i64>(bytes, &text);
        same::<Option<u32>>(bytes, &text);
        same::<Value>(bytes, &text);
        let padded = format!(" {text}\n");
        same::<f64>(padded.as_bytes(), &padded);
    }
}
