//! JSONTestSuite: our verdict and offset for every file, on every kernel and in windows of many sizes.
//!
//! The suite is read through `JSONX_SUITES`: a folder with `JSONTestSuite/`, which is
//! <https://github.com/nst/JSONTestSuite> and a list of the verdicts of the RFC 8259 grammar.

use std::fs;
use std::path::Path;

use jsonx_core::engine::{Kernel, Options, Stop, Validator, Verdict, validate_with};
use jsonx_core::{ErrorKind, SyntaxError};
use jsonx_testing::suite;

/// The error and offset of each file of JSONTestSuite.
const LIST: &str = "JSONTestSuite/grammar-verdicts.jsonl";

/// The lines of the list: the file, and the offset of its error, if any.
fn verdicts(list: &Path) -> Vec<(String, Option<u64>)> {
    let list = fs::read_to_string(list).expect("the list of verdicts");
    list.lines()
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).expect("a record");
            let file = record["file"].as_str().expect("a file name").to_owned();
            (file, record["error_offset"].as_u64())
        })
        .collect()
}

fn windowed(text: &[u8], options: Options, size: usize) -> Result<(), SyntaxError> {
    let mut validator = Validator::new(options);
    let invalid = |stop| match stop {
        Stop::Invalid(error) => error,
        Stop::Sink(never) => match never {},
    };
    for window in text.chunks(size) {
        validator.write(window, &mut Verdict).map_err(invalid)?;
    }
    validator.finish(Verdict).map_err(invalid)
}

#[test]
fn verdict_and_offset_of_every_file() {
    let Some(list) = suite(LIST) else {
        return;
    };
    let suite = list.parent().expect("a folder");
    let verdicts = verdicts(&list);
    assert!(verdicts.len() > 300, "the list is not complete");
    for (file, expected) in &verdicts {
        let text = fs::read(suite.join(file)).expect("a file of the list");
        for kernel in Kernel::available() {
            let options = Options::default().kernel(kernel);
            let offset = validate_with(&text, options)
                .err()
                .map(|error| error.offset);
            assert_eq!(offset, *expected, "{file} with {kernel:?}");
            for size in (64..200).chain([1000, 4096, 8192, 8256, 100_000]) {
                let offset = windowed(&text, options, size)
                    .err()
                    .map(|error| error.offset);
                assert_eq!(
                    offset, *expected,
                    "{file} with {kernel:?} in windows of {size}"
                );
            }
        }
    }
}

#[test]
fn findings_match_the_list_of_causes() {
    let Some(list) = suite(LIST) else {
        return;
    };
    let suite = list.parent().expect("a folder");
    let list = fs::read_to_string(&list).expect("the list of verdicts");
    for line in list.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a record");
        let Some(why) = record["why"].as_str() else {
            continue;
        };
        let file = record["file"].as_str().expect("a file name");
        let text = fs::read(suite.join(file)).expect("a file of the list");
        let kind = validate_with(&text, Options::default())
            .expect_err(file)
            .kind;
        let expected: &[ErrorKind] = match why {
            "unexpected end of input" => &[ErrorKind::UnexpectedEnd],
            "data after the end of the text" => &[ErrorKind::TrailingContent],
            "expected a value" => &[ErrorKind::ExpectedValue],
            "expected a value or ']'" => &[ErrorKind::ExpectedValueOrClose],
            "expected a string key" => &[ErrorKind::ExpectedKey],
            "expected a string key or '}'" => &[ErrorKind::ExpectedKeyOrClose],
            "expected ':'" => &[ErrorKind::ExpectedColon],
            "expected ',' or the closing bracket" => &[
                ErrorKind::ExpectedCommaOrCloseArray,
                ErrorKind::ExpectedCommaOrCloseObject,
            ],
            "bad literal" => &[ErrorKind::BadLiteral],
            "expected a digit after -" => &[ErrorKind::ExpectedDigitAfterMinus],
            "expected a digit after '.'" => &[ErrorKind::ExpectedFractionDigit],
            "expected exponent digits" => &[ErrorKind::ExpectedExponentDigit],
            "control character in string" => &[ErrorKind::ControlCharacter],
            "bad escape" => &[ErrorKind::BadEscape],
            "bad \\u escape" => &[ErrorKind::BadUnicodeEscape],
            _ => &[ErrorKind::InvalidUtf8],
        };
        assert!(expected.contains(&kind), "{file}: {why}, but {kind:?}");
    }
}
