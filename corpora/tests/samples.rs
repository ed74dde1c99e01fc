//! Compares the generator with serde_json, and the samples with the generator.

use jsonx_corpora::{DEFAULT_SEED, SAMPLE_SIZE, Shape, generate};
use serde_json::Value;
use std::io::{self, Write};
use std::path::PathBuf;

fn document(shape: Shape, size: u64, seed: u64) -> Vec<u8> {
    let mut document = Vec::new();
    let written = generate(shape, size, seed, &mut document).unwrap();
    assert_eq!(written, document.len() as u64, "{shape} at {size}");
    document
}

/// The values of `document`: one, or one for each line.
fn values(shape: Shape, document: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(document).unwrap();
    let parse =
        |text| serde_json::from_str(text).unwrap_or_else(|error| panic!("{shape}: {error}"));
    if shape.is_lines() {
        assert!(text.is_empty() || text.ends_with('\n'));
        text.lines().map(parse).collect()
    } else {
        vec![parse(text)]
    }
}

fn samples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("samples")
}

#[test]
fn every_size_gives_a_complete_document_of_about_that_size() {
    for shape in Shape::ALL {
        for size in [0, 1, 2, 3, 100, 1_000, 20_000, 64_000, 200_000, 1_000_000] {
            let document = document(shape, size, DEFAULT_SEED);
            values(shape, &document);
            let len = document.len() as u64;
            assert!(len <= size || len < 100, "{shape} at {size}: {len} bytes");
            // No record is longer than this.
            assert!(len + 8_000 > size, "{shape} at {size}: {len} bytes");
        }
    }
}

#[test]
fn every_seed_gives_valid_documents() {
    for shape in Shape::ALL {
        for seed in [0, 1, 2, 3, 4, 5, u64::MAX] {
            values(shape, &document(shape, 50_000, seed));
        }
    }
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    for shape in Shape::ALL {
        let first = document(shape, 300_000, 7);
        assert_eq!(first, document(shape, 300_000, 7), "{shape}");
        assert_ne!(first, document(shape, 300_000, 8), "{shape}");
    }
}

/// A longer document begins like a shorter one, so results for small files apply to large ones.
#[test]
fn size_only_says_where_a_document_ends() {
    for shape in Shape::ALL {
        let (short, long) = (document(shape, 50_000, 1), document(shape, 200_000, 1));
        let ending = short.len() - 8;
        assert_eq!(short[..ending], long[..ending], "{shape}");
    }
}

#[test]
fn records_vary() {
    for shape in Shape::ALL {
        let values = values(shape, &document(shape, 200_000, DEFAULT_SEED));
        let records = match &values[..] {
            [Value::Array(records)] => records.clone(),
            [Value::Object(root)] => root["statuses"].as_array().unwrap().clone(),
            lines => lines.to_vec(),
        };
        assert!(records.len() > 50, "{shape}");
        let mut texts: Vec<String> = records.iter().map(Value::to_string).collect();
        texts.sort();
        texts.dedup();
        assert!(
            texts.len() * 10 > records.len() * 9,
            "{shape}: {} of {}",
            texts.len(),
            records.len()
        );
    }
}

/// Duplicate keys are legal, but `jsonx validate` warns about them, and real files do not have them.
#[test]
fn no_object_has_a_key_twice() {
    // None of these shapes has a quotation mark in a string, so each `":` is a member.
    for shape in [
        Shape::Nested,
        Shape::Minified,
        Shape::Tweets,
        Shape::OrderBook,
    ] {
        let document = document(shape, 500_000, DEFAULT_SEED);
        let written = document.windows(2).filter(|pair| pair == b"\":").count();
        let mut kept = 0;
        let mut waiting = values(shape, &document);
        while let Some(value) = waiting.pop() {
            match value {
                Value::Array(elements) => waiting.extend(elements),
                Value::Object(members) => {
                    kept += members.len();
                    waiting.extend(members.into_iter().map(|(_, value)| value));
                }
                _ => {}
            }
        }
        assert_eq!(written, kept, "{shape}");
    }
}

#[test]
fn shapes_have_the_documented_contents() {
    let text = |shape| String::from_utf8(document(shape, 500_000, DEFAULT_SEED)).unwrap();

    let nested = text(Shape::Nested);
    let mut deepest = 0_i32;
    nested.bytes().fold(0, |depth, byte| {
        deepest = deepest.max(depth);
        depth + i32::from(matches!(byte, b'[' | b'{')) - i32::from(matches!(byte, b']' | b'}'))
    });
    assert!((80..=100).contains(&deepest), "{deepest}");

    let numbers = text(Shape::Numbers);
    assert!(
        ["-0,", "e-", "E+", ".0"]
            .iter()
            .all(|part| numbers.contains(part))
    );

    let escapes = text(Shape::Escapes);
    for escape in [
        "\\\"",
        "\\\\",
        "\\/",
        "\\b",
        "\\f",
        "\\n",
        "\\r",
        "\\t",
        "\\u0000",
        "\\ud801\\udc37",
        "\\uD801",
    ] {
        assert!(escapes.contains(escape), "{escape}");
    }

    let russian = text(Shape::Russian);
    assert!(russian.is_ascii() && russian.matches("\\u04").count() * 6 > russian.len() * 2 / 3);

    let tweets = text(Shape::Tweets);
    assert!(
        ["null", "true", "false", "の", "🎉", "Привет"]
            .iter()
            .filter(|part| tweets.contains(**part))
            .count()
            >= 5
    );
}

#[test]
fn pretty_and_minified_are_the_same_catalog() {
    let pretty = document(Shape::Pretty, 100_000, DEFAULT_SEED);
    let minified = document(Shape::Minified, 100_000, DEFAULT_SEED);
    let value: Value = serde_json::from_slice(&minified).unwrap();
    let indented: Value = serde_json::from_slice(&pretty).unwrap();
    let count = indented.as_array().unwrap().len();
    assert_eq!(
        value.as_array().unwrap()[..count],
        indented.as_array().unwrap()[..]
    );
    // One element per line and empty containers without white space, like serde_json. (Lines are counted and not compared:
    // `Value` keeps neither the order of keys nor the text of numbers.)
    let lines = serde_json::to_string_pretty(&indented)
        .unwrap()
        .lines()
        .count();
    assert_eq!(String::from_utf8(pretty).unwrap().lines().count(), lines);
    assert!(!minified.ends_with(b"\n"));
}

#[test]
fn an_error_of_the_output_is_returned() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self
                .0
                .checked_sub(bytes.len())
                .ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = generate(Shape::Mixed, 1_000_000, 1, &mut Full(300_000)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

#[test]
fn samples_equal_the_output_of_the_generator() {
    for shape in Shape::ALL {
        let path = samples().join(shape.file_name());
        let sample =
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let generated = document(shape, SAMPLE_SIZE, DEFAULT_SEED);
        assert!(
            sample == generated,
            "{}: make it again with the command in README.md",
            path.display()
        );
        values(shape, &sample);
    }
    let files = std::fs::read_dir(samples()).unwrap().count();
    assert_eq!(
        files,
        Shape::ALL.len(),
        "a file in samples/ belongs to no shape"
    );
}
