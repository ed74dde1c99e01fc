//! Records that do not fit, in blocks of any size, on any number of threads.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use jsonx_arrow::{Duplicates, Mismatches, Reader, ReaderOptions, Unknown, infer};
use proptest::prelude::*;

fn schema(fields: Vec<Field>) -> SchemaRef {
    Arc::new(Schema::new(fields))
}

fn ids() -> SchemaRef {
    schema(vec![
        Field::new("id", DataType::Int64, false),
        Field::new(
            "tags",
            DataType::List(Arc::new(Field::new("item", DataType::Utf8, true))),
            true,
        ),
    ])
}

/// The identifiers read, and line, offset, code and record of the rejects.
type Outcome = (Vec<i64>, Vec<(u64, u64, String, Vec<u8>)>);

fn read(text: &str, schema: SchemaRef, options: ReaderOptions) -> Result<Outcome, ArrowError> {
    let mut reader = Reader::new(
        std::io::Cursor::new(text.to_owned()),
        schema,
        options.clone(),
    )?;
    let batches = reader.by_ref().collect::<Result<Vec<_>, _>>()?;
    let ids = batches.iter().flat_map(|batch| {
        batch
            .column(0)
            .as_primitive::<Int64Type>()
            .values()
            .to_vec()
    });
    let rejects = reader.take_rejects()?;
    assert_eq!(rejects.num_rows() as u64, reader.rejected());
    Ok((ids.collect(), rows(&rejects)))
}

fn rows(rejects: &RecordBatch) -> Vec<(u64, u64, String, Vec<u8>)> {
    let number = |column: usize, row: usize| {
        rejects
            .column(column)
            .as_primitive::<UInt64Type>()
            .value(row)
    };
    let row = |row| {
        let code = rejects.column(3).as_string::<i32>().value(row).to_owned();
        let record = rejects.column(5).as_binary::<i32>().value(row).to_owned();
        (number(0, row), number(1, row), code, record)
    };
    (0..rejects.num_rows()).map(row).collect()
}

fn codes(text: &str, fields: Vec<Field>, options: ReaderOptions) -> Vec<String> {
    let mut reader = Reader::new(
        std::io::Cursor::new(text.to_owned()),
        schema(fields),
        options,
    )
    .unwrap();
    reader.by_ref().for_each(drop);
    rows(&reader.take_rejects().unwrap())
        .into_iter()
        .map(|(_, _, code, _)| code)
        .collect()
}

/// A line with a record and its identifier, or a rejected line.
fn line() -> impl Strategy<Value = (String, Option<i64>)> {
    let good = (
        any::<i64>(),
        prop::collection::vec("[a-z\\\\u00e9 ]{0,20}", 0..4),
    )
        .prop_map(|(id, tags)| {
            let tags: Vec<String> = tags
                .iter()
                .map(|tag| format!("\"{}\"", tag.replace('\\', "\\\\")))
                .collect();
            (
                format!(
                    "{{\"x\": [1, {{\"id\": 0}}], \"id\": {id}, \"tags\": [{}]}}",
                    tags.join(",")
                ),
                Some(id),
            )
        });
    let bad = prop::sample::select(vec![
        "{\"id\": 1",
        "{\"id\": 1}}",
        "[",
        "]",
        "}",
        ",",
        "{\"id\": 1} {\"id\": 2}",
        "{\"id\": \"1\"}",
        "{\"id\": 1.5}",
        "{\"tags\": [\"a\"]}",
        "{\"id\": 1, \"tags\": [\"a\", 2]}",
        "{\"id\": null}",
        "{\"id\": 9223372036854775808}",
        "x",
        "[{\"id\": 1}]",
        "\"\\",
        "{\"id\": 1, \"tags\": [\"a\", [",
        "{\"id\": 01}",
        "{\"id\": 1,}",
        "1",
        "null",
        "\u{0}",
        "{\"id\": 1, \"tags\": [\"\\ud800\"]}",
    ]);
    prop_oneof![
        10 => good,
        2 => bad.prop_map(|text| (text.to_owned(), None)),
        1 => Just((String::new(), None)),
        1 => Just(("  \r".to_owned(), None)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(120) })]

    /// Each line is a row or a reject, regardless of its neighbors; a text that begins like an array is one.
    #[test]
    fn every_line_is_a_row_or_a_reject(
        lines in prop::collection::vec(line(), 0..120),
        block in 1_usize..3000,
        threads in 1_usize..4,
        rows in 1_usize..50,
        has_end in any::<bool>(),
    ) {
        let mut text = lines.iter().map(|(line, _)| line.as_str()).collect::<Vec<_>>().join("\n");
        if has_end && !lines.is_empty() {
            text.push('\n');
        }
        prop_assume!(!text.trim_start().starts_with('['));
        let options = ReaderOptions::default().block_bytes(block).threads(threads).batch_rows(rows);
        let (ids, rejects) = read(&text, ids(), options.clone()).unwrap();
        let expected: Vec<i64> = lines.iter().filter_map(|(_, id)| *id).collect();
        prop_assert_eq!(ids, expected);
        let mut offset = 0;
        let mut expected = Vec::new();
        for (number, (line, id)) in lines.iter().enumerate() {
            if id.is_none() && !line.trim().is_empty() {
                expected.push((number as u64 + 1, offset, line.clone().into_bytes()));
            }
            offset += line.len() as u64 + 1;
        }
        let rejects: Vec<_> = rejects.into_iter().map(|(line, offset, _, record)| (line, offset, record)).collect();
        prop_assert_eq!(rejects, expected);
    }

    /// Arbitrary bytes.
    #[test]
    fn no_text_panics(bytes in prop::collection::vec(prop::sample::select(b"{}[],:\"\\ \n1eat\xff\xc3\xa9".to_vec()), 0..400)) {
        let mut reader = Reader::new(std::io::Cursor::new(bytes.clone()), ids(), ReaderOptions::default().block_bytes(64)).unwrap();
        reader.by_ref().for_each(drop);
        let _ = infer([&bytes], None);
        for path in [".", "$..*"] {
            let (path, source) = (jsonx_core::Path::parse(path).unwrap(), std::io::Cursor::new(bytes.clone()));
            let _ = Reader::elements(source, path, ids(), ReaderOptions::default()).unwrap().next();
        }
    }
}

#[test]
fn a_document_on_many_lines_is_rejected_line_by_line_in_linear_time() {
    let text = "[\n".repeat(20_000) + &"]\n".repeat(20_000);
    let (ids, rejects) = read(&text, ids(), ReaderOptions::default()).unwrap();
    assert_eq!((ids.len(), rejects.len()), (0, 40_000));
}

#[test]
fn codes_of_misfits() {
    let field = |kind| vec![Field::new("a", kind, true)];
    let timestamp = || DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    let dictionary = || DataType::Dictionary(DataType::Int8.into(), DataType::Utf8.into());
    let table: Vec<(&str, DataType, &str)> = vec![
        ("300", DataType::UInt8, "out-of-range"),
        ("-1", DataType::UInt64, "out-of-range"),
        ("1e400", DataType::Int64, "out-of-range"),
        ("0.5", DataType::Int32, "inexact"),
        ("9007199254740993", DataType::Float64, "inexact"),
        ("16777217", DataType::Float32, "inexact"),
        ("1e400", DataType::Float64, "out-of-range"),
        ("1e39", DataType::Float32, "out-of-range"),
        ("70000", DataType::Float16, "out-of-range"),
        ("1.234", DataType::Decimal128(5, 2), "inexact"),
        ("1234.5", DataType::Decimal128(5, 2), "out-of-range"),
        ("1e300", DataType::Decimal128(38, 0), "out-of-range"),
        ("\"1\"", DataType::Int32, "type-mismatch"),
        ("1", DataType::Utf8, "type-mismatch"),
        ("{}", DataType::Boolean, "type-mismatch"),
        ("[1]", DataType::Null, "type-mismatch"),
        ("\"\\udc00\"", DataType::Utf8View, "lone-surrogate"),
        ("\"2026-11-23T00:00:00.0001Z\"", timestamp(), "inexact"),
        ("\"2026-11-23T00:00:00\"", timestamp(), "type-mismatch"),
        ("\"2026-02-30\"", DataType::Date32, "type-mismatch"),
        ("1", timestamp(), "type-mismatch"),
        ("1", dictionary(), "type-mismatch"),
    ];
    for (value, kind, code) in table {
        let text = format!("{{\"a\": {value}}}\n");
        let found = codes(&text, field(kind.clone()), ReaderOptions::default());
        assert_eq!(found, [code], "{value} as {kind}");
        // With `Null`, nothing is rejected; with `Error`, reading ends.
        let nulls = ReaderOptions::default().mismatches(Mismatches::Null);
        assert!(
            codes(&text, field(kind.clone()), nulls).is_empty(),
            "{value} as {kind}"
        );
        let errors = ReaderOptions::default().mismatches(Mismatches::Error);
        let read = Reader::new(std::io::Cursor::new(text), schema(field(kind)), errors)
            .unwrap()
            .next();
        assert!(read.unwrap().unwrap_err().to_string().contains("at /a"));
    }
    let many: String = (0..200).map(|i| format!("{{\"a\": \"{i}\"}}\n")).collect();
    assert_eq!(
        codes(&many, field(dictionary()), ReaderOptions::default()).len(),
        200 - 128
    );
}

#[test]
fn duplicates_and_unknown_members() {
    let text =
        "{\"a\": 1, \"a\": 2}\n{\"a\": 3, \"b\": {\"c\": 4}}\n{\"a\": \"x\", \"\\u0061\": 5}\n";
    let field = || vec![Field::new("a", DataType::Int64, true)];
    let options = ReaderOptions::default();
    assert_eq!(
        codes(
            text,
            field(),
            options.clone().duplicates(Duplicates::Reject)
        ),
        ["duplicate-key", "type-mismatch"]
    );
    assert_eq!(
        codes(text, field(), options.clone().unknown(Unknown::Reject)),
        ["unknown-member", "type-mismatch"]
    );
    let mut reader =
        Reader::new(std::io::Cursor::new(text), schema(field()), options.clone()).unwrap();
    let batch = reader.next().unwrap().unwrap();
    assert_eq!(
        batch.column(0).as_primitive::<Int64Type>().values(),
        &[2, 3]
    );
    let nested = schema(vec![Field::new(
        "o",
        DataType::Struct(field().into()),
        false,
    )]);
    let text = "{\"o\": {\"a\": [1]}}\n{\"o\": {}}\n{}\n";
    let nulls = options.mismatches(Mismatches::Null);
    let mut reader = Reader::new(std::io::Cursor::new(text), nested, nulls).unwrap();
    let batch = reader.next().unwrap().unwrap();
    assert_eq!(
        (
            batch.num_rows(),
            batch.column(0).as_struct().column(0).null_count()
        ),
        (2, 2)
    );
    let rejects = reader.take_rejects().unwrap();
    assert_eq!(rejects.column(2).as_string::<i32>().value(0), "/o");
}

#[test]
fn a_truncated_last_record_is_rejected_like_an_earlier_one() {
    let record = r#"{"id": 12, "tags": ["a", "\u00e9"], "more": {"b": [true, null]}}"#;
    for end in 1..record.len() {
        let cut = &record[..end];
        for (is_null, threads, line_end) in [(false, 1, ""), (true, 1, "\n"), (false, 3, "\r\n\n")]
        {
            let options = ReaderOptions::default()
                .threads(threads)
                .mismatches(match is_null {
                    true => Mismatches::Null,
                    false => Mismatches::Reject,
                });
            let fields = || {
                let id = Field::new("id", DataType::Int64, true);
                let inner = Field::new("b", DataType::Int64, true);
                vec![
                    id,
                    Field::new("more", DataType::Struct(vec![inner].into()), true),
                ]
            };
            let of = |text: String| {
                let (rows, mut rejects) = read(&text, schema(fields()), options.clone()).unwrap();
                assert_eq!((rows, rejects.len()), (vec![2], 1), "{text:?}");
                let (_, _, code, record) = rejects.remove(0);
                (code, record.trim_ascii().to_vec())
            };
            let last = of(format!("{{\"id\": 2}}\n{cut}{line_end}"));
            assert_eq!(last, of(format!("{cut}\n{{\"id\": 2}}\n")), "{cut}");
        }
    }
}

#[test]
fn long_lines_and_inputs_without_lines() {
    let long = format!("{{\"id\": 7, \"tags\": [\"{}\"]}}\n", "x".repeat(100_000));
    let options = ReaderOptions::default().block_bytes(1000);
    assert_eq!(
        read(&long.repeat(3), ids(), options.clone()).unwrap().0,
        [7, 7, 7]
    );
    assert!(read(&long, ids(), options.clone().max_record(5000)).is_err());
    assert_eq!(read("", ids(), options.clone()).unwrap(), (vec![], vec![]));
    for options in [options.clone(), options.clone().block_bytes(1)] {
        assert_eq!(
            read("\u{feff}{\"id\": 1}", ids(), options.clone())
                .unwrap()
                .0,
            [1]
        );
    }
    let (_, rejects) = read("\u{feff}{\"id\": 1}\n1\n", ids(), options.clone()).unwrap();
    assert_eq!((rejects[0].0, rejects[0].1), (2, 13));
    let binary = DataType::Interval(arrow_schema::IntervalUnit::DayTime);
    assert!(
        Reader::new(
            &b""[..],
            schema(vec![Field::new("a", binary, true)]),
            options
        )
        .is_err()
    );
}

#[test]
fn elements_of_a_document() {
    let text = "\u{feff}{\"a\": {\"rows\": [\n{\"id\": 1},\n{\"id\": \"2\"}, {\"id\": 3},\n 4]}}";
    let read = |path: &str, text: &str, options: ReaderOptions| {
        let path = jsonx_core::Path::parse(path).unwrap();
        let source = std::io::Cursor::new(text.to_owned());
        let mut reader = Reader::elements(source, path, ids(), options.clone())?;
        let batches = reader.by_ref().collect::<Result<Vec<_>, _>>()?;
        let ids = batches.iter().flat_map(|batch| {
            let ids = batch.column(0).as_primitive::<Int64Type>();
            ids.values().to_vec()
        });
        Ok::<_, ArrowError>((ids.collect::<Vec<_>>(), rows(&reader.take_rejects()?)))
    };
    let options = ReaderOptions::default().batch_rows(1).threads(2);
    let (ids, rejects) = read(".a.rows", text, options.clone()).unwrap();
    assert_eq!(ids, [1, 3]);
    let places: Vec<_> = rejects
        .iter()
        .map(|(line, offset, _, record)| (*line, *offset, &record[..]))
        .collect();
    assert_eq!(places, [(3, 31, &b"{\"id\": \"2\"}"[..]), (4, 56, b"4")]);
    for (at, &(_, offset, ..)) in rejects.iter().enumerate() {
        assert!(text.as_bytes()[offset as usize..].starts_with(places[at].2));
    }
    assert_eq!(
        read(".a.rows", "{\"a\": {\"rows\": []}}", options.clone()).unwrap(),
        (vec![], vec![])
    );
    for (path, text) in [
        (".b", text),
        (".a.rows[0].id", text),
        (".a.rows", "{\"a\": [}"),
        (".a.rows", ""),
    ] {
        assert!(
            read(path, text, options.clone()).is_err(),
            "{path} in {text}"
        );
    }
}

#[test]
fn elements_that_a_path_selects() {
    let text =
        br#"{"pages": [{"rows": [{"id": 1}, {"id": 2}]}, {"rows": [{"id": 3, "in": {"id": 4}}]}],
        "k": {"id": 5}, "n": 6, "k": {"x": {"id": 7}}}"#;
    for (path, expected) in [
        ("$.pages[*].rows[*]", &[1, 2, 3][..]),
        ("$.pages[0].rows", &[1, 2]),
        ("/pages/0/rows", &[1, 2]),
        ("$.pages[*].rows[?@.id > 1]", &[2, 3]),
        ("$.pages[0].rows[::-1]", &[1, 2]),
        ("$..rows[*].in", &[4]),
        // Values inside others, which do not fit.
        ("$..*", &[1, 2, 3, 4, 5, 7]),
        // The values of an object, including duplicate keys.
        ("/k", &[7]),
        ("$.*", &[5]),
        ("$.none[*]", &[]),
        ("$.n[*]", &[]),
    ] {
        let parsed = jsonx_core::Path::parse(path).unwrap();
        let mut reader =
            Reader::elements(&text[..], parsed, ids(), ReaderOptions::default()).unwrap();
        let mut read = Vec::new();
        for batch in reader.by_ref() {
            read.extend_from_slice(
                batch
                    .unwrap()
                    .column(0)
                    .as_primitive::<Int64Type>()
                    .values(),
            );
        }
        assert_eq!(read, expected, "{path}");
        // A value that does not fit yields an error item there.
        let all = jsonx_core::elements::<(), _>(&text[..], path)
            .unwrap()
            .count() as u64;
        assert_eq!(read.len() as u64 + reader.rejected(), all, "{path}");
    }
}

#[test]
fn an_error_follows_the_batches_before_it() {
    let text = "{\"id\": 1}\n".repeat(50) + "{\"id\": \"x\"}\n" + &"{\"id\": 2}\n".repeat(50);
    let options = ReaderOptions::default()
        .mismatches(Mismatches::Error)
        .block_bytes(100);
    let mut counts = Vec::new();
    for threads in 1..4 {
        let source = std::io::Cursor::new(text.clone());
        let reader = Reader::new(source, ids(), options.clone().threads(threads)).unwrap();
        let read: Vec<_> = reader.collect();
        let (error, batches) = read.split_last().unwrap();
        assert!(
            error
                .as_ref()
                .unwrap_err()
                .to_string()
                .contains("at byte 500")
        );
        counts.push(
            batches
                .iter()
                .map(|batch| batch.as_ref().unwrap().num_rows())
                .sum::<usize>(),
        );
    }
    assert!(
        counts[0] >= 40 && counts.iter().all(|count| *count == counts[0]),
        "{counts:?}"
    );
}

#[test]
fn schemas_that_cannot_be_read() {
    let field = |kind| Field::new("a", kind, true);
    let twice = vec![field(DataType::Int64), field(DataType::Utf8)];
    for fields in [
        twice.clone(),
        vec![field(DataType::Struct(twice.into()))],
        vec![field(DataType::Binary)],
    ] {
        assert!(Reader::new(&b""[..], schema(fields), ReaderOptions::default()).is_err());
    }
}

#[test]
fn escapes_in_times() {
    let kind = DataType::Timestamp(TimeUnit::Second, Some("UTC".into()));
    let text = "{\"a\": \"1970-01-01T01:00:00\\u002B01:00\"}\n";
    assert!(
        codes(
            text,
            vec![Field::new("a", kind, false)],
            ReaderOptions::default()
        )
        .is_empty()
    );
}
