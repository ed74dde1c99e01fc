//! The published vectors of RFC 8785.

use crate::engine::{Mode, Options};
use crate::format::rewrite::tests::{CANONICAL, everywhere, rewritten, shown};
use jsonx_testing::suite;

#[test]
fn the_published_documents() {
    let Some(suite) = suite("rfc8785-jcs/testdata") else {
        return;
    };
    let mut documents = 0;
    for input in std::fs::read_dir(suite.join("input")).unwrap() {
        let input = input.unwrap().path();
        let text = std::fs::read(&input).unwrap();
        let expected = suite.join("output").join(input.file_name().unwrap());
        let out = everywhere(&text, CANONICAL, Mode::One).unwrap();
        assert_eq!(
            shown(&out),
            std::fs::read_to_string(expected).unwrap(),
            "{}",
            input.display()
        );
        documents += 1;
    }
    assert_eq!(documents, 6);
}

#[test]
fn the_published_numbers() {
    let Some(suite) = suite("rfc8785-numbers") else {
        return;
    };
    let mut numbers = 0;
    for file in ["appendix-b.txt", "es6-numbers-10000.txt"] {
        for line in std::fs::read_to_string(suite.join(file)).unwrap().lines() {
            let Some((bits, expected)) = line.split_once([' ', ',']) else {
                continue;
            };
            let Ok(bits) = u64::from_str_radix(bits, 16) else {
                continue;
            };
            let value = f64::from_bits(bits);
            if !value.is_finite() {
                continue;
            }
            numbers += 1;
            // The expected text, with the digits that identify a double, and with all its digits.
            for text in [
                expected.to_owned(),
                format!("{value:.16e}"),
                format!("{value}"),
            ] {
                let out = rewritten(text.as_bytes(), CANONICAL, Options::default(), usize::MAX);
                assert_eq!(shown(&out.unwrap()), expected, "{text}");
            }
        }
    }
    assert!(numbers > 10_000, "{numbers}");
}
