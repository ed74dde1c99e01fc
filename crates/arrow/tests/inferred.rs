//! A schema inferred from all records fits them all.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, UInt64Type};
use arrow_schema::DataType;
use jsonx_arrow::{Reader, ReaderOptions, infer};
use proptest::prelude::*;

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|it| it.to_string()),
        any::<i64>().prop_map(|it| it.to_string()),
        any::<u64>().prop_map(|it| it.to_string()),
        (-100..100_i32).prop_map(|it| it.to_string()),
        any::<i128>().prop_map(|it| it.to_string()),
        prop::sample::select(vec![
            "1e400",
            "1.5",
            "-0",
            "-0.0",
            "1e2",
            "9007199254740993",
            "123456789012345678901234567890123456789012"
        ])
        .prop_map(str::to_owned),
        "\"[a-z😀]{0,9}\"",
    ];
    leaf.prop_recursive(4, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|it| format!("[{}]", it.join(", "))),
            prop::collection::btree_map("[a-d]", inner, 0..4).prop_map(|it| {
                let members: Vec<String> = it
                    .iter()
                    .map(|(key, value)| format!("\"{key}\": {value}"))
                    .collect();
                format!("{{{}}}", members.join(", "))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn every_record_fits(records in prop::collection::vec(prop::collection::btree_map("[a-c]", value(), 0..4), 1..8)) {
        let lines: Vec<String> = records.iter().map(|record| {
            let members: Vec<String> = record.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            format!("{{{}}}", members.join(","))
        }).collect();
        let text = lines.join("\n");
        let schema = Arc::new(infer([text.as_bytes()], None).unwrap());
        let mut reader = Reader::new(Cursor::new(text.clone()), schema.clone(), ReaderOptions::default()).unwrap();
        let rows: usize = reader.by_ref().map(|batch| batch.unwrap().num_rows()).sum();
        let rejects = reader.take_rejects().unwrap();
        prop_assert_eq!((rows, rejects.num_rows()), (lines.len(), 0), "{:?}\n{}\n{:?}", rejects, text, schema);
    }
}

#[test]
fn types_of_numbers() {
    let kind = |values: &[&str]| {
        let text: String = values
            .iter()
            .map(|it| format!("{{\"a\": {it}}}\n"))
            .collect();
        infer([text.as_bytes()], None)
            .unwrap()
            .field(0)
            .data_type()
            .clone()
    };
    assert_eq!(kind(&["1", "-9223372036854775808"]), DataType::Int64);
    assert_eq!(kind(&["1", "18446744073709551615"]), DataType::UInt64);
    assert_eq!(
        kind(&["-1", "18446744073709551615"]),
        DataType::Decimal128(38, 0)
    );
    assert_eq!(kind(&["1", "0.5"]), DataType::Float64);
    // As their own text.
    assert_eq!(kind(&["9007199254740993", "0.5"]), DataType::Utf8);
    assert_eq!(kind(&["1", "\"1\""]), DataType::Utf8);
    assert!(infer([b"[1]\n"], None).is_err());
}

#[test]
fn numbers_are_exact() {
    let text = "{\"u\": 18446744073709551615, \"d\": -99999999999999999999999999999999999999}\n";
    let schema = Arc::new(infer([text.as_bytes()], None).unwrap());
    let batch = Reader::new(Cursor::new(text), schema, ReaderOptions::default())
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(
        batch.column(0).as_primitive::<UInt64Type>().value(0),
        u64::MAX
    );
    assert_eq!(
        batch.column(1).as_primitive::<Decimal128Type>().value(0),
        -(10_i128.pow(38) - 1)
    );
}

#[test]
fn fields_are_in_the_order_of_their_first_appearance() {
    let text = br#"{"d": 1, "b": {"z": 1, "y": 2}}
{"a": 1, "b": {"x": 3, "y": 4}, "d": 2, "c": 1}"#;
    let schema = infer([text], None).unwrap();
    let names = |fields: &arrow_schema::Fields| {
        fields
            .iter()
            .map(|field| field.name().clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(schema.fields()), ["d", "b", "a", "c"]);
    let DataType::Struct(fields) = schema.field(1).data_type() else {
        panic!("{schema}")
    };
    assert_eq!(names(fields), ["z", "y", "x"]);
}

/// An array of objects is read like the lines of its elements, whatever the blocks; its schema is inferred from a part of it.
#[test]
fn arrays_are_read_like_lines() {
    let records: Vec<String> = (0..500)
        .map(|id| match id % 50 {
            7 => format!("{{\"id\": \"{id}\"}}"),
            _ => format!("{{\"id\": {id}, \"tags\": [\"[\", \"{{\"]}}"),
        })
        .collect();
    let read = |text: String, schema, block| {
        let options = ReaderOptions::default().block_bytes(block);
        let mut reader = Reader::new(Cursor::new(text.into_bytes()), schema, options).unwrap();
        let rows: usize = reader.by_ref().map(|batch| batch.unwrap().num_rows()).sum();
        (rows, reader.take_rejects().unwrap().num_rows())
    };
    let lines = records.join("\n");
    let array = format!("\u{feff} [\n{}\n]\n", records.join(",\n"));
    let schema = Arc::new(infer([&lines[..200]], None).unwrap());
    assert_eq!(*schema, infer([&array[..200]], None).unwrap());
    assert_eq!(
        *schema,
        infer(["[]", &lines[..100], &array[..200]], None).unwrap()
    );
    for block in [1, 3, 100, 1 << 20] {
        assert_eq!(read(array.clone(), schema.clone(), block), (490, 10));
        assert_eq!(read(lines.clone(), schema.clone(), block), (490, 10));
        assert_eq!(read("[ ]".to_owned(), schema.clone(), block), (0, 0));
    }
    for broken in [
        &array[..300],
        "[{}] []",
        "[{} {}]",
        "[{\"id\": 1}, {\"id\": 01}]",
    ] {
        let source = Cursor::new(broken.to_owned().into_bytes());
        let mut reader = Reader::new(source, schema.clone(), ReaderOptions::default()).unwrap();
        assert!(reader.next().unwrap().is_err(), "{broken}");
    }
}
