//! Comparison with arrow-json: values of random records and schemas that both accept are equal.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_json::ReaderBuilder;
use arrow_schema::{DataType, Field, Fields, Schema, TimeUnit};
use jsonx_arrow::{Reader, ReaderOptions};
use proptest::prelude::*;

fn kind() -> impl Strategy<Value = DataType> {
    let leaf = prop::sample::select(vec![
        DataType::Boolean,
        DataType::Int8,
        DataType::Int16,
        DataType::Int32,
        DataType::Int64,
        DataType::UInt8,
        DataType::UInt16,
        DataType::UInt32,
        DataType::UInt64,
        DataType::Float32,
        DataType::Float64,
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Decimal128(10, 2),
        DataType::Date32,
        DataType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into())),
        DataType::Timestamp(TimeUnit::Second, None),
    ]);
    leaf.prop_recursive(3, 12, 4, |inner| {
        let fields = prop::collection::vec(inner.clone(), 1..4).prop_map(fields);
        let map = |kind: DataType| {
            let entries = Fields::from(vec![
                Field::new("keys", DataType::Utf8, false),
                Field::new("values", kind, true),
            ]);
            DataType::Map(
                Arc::new(Field::new("entries", DataType::Struct(entries), false)),
                false,
            )
        };
        prop_oneof![
            fields.prop_map(DataType::Struct),
            inner
                .clone()
                .prop_map(|kind| DataType::List(Arc::new(Field::new("item", kind, true)))),
            inner
                .clone()
                .prop_map(|kind| DataType::LargeList(Arc::new(Field::new("item", kind, true)))),
            inner.prop_map(map),
        ]
    })
}

fn fields(kinds: Vec<DataType>) -> Fields {
    let field = |(at, kind)| Field::new(format!("f{at}"), kind, true);
    kinds
        .into_iter()
        .enumerate()
        .map(field)
        .collect::<Vec<_>>()
        .into()
}

/// A value that fits a type, now and then null.
fn value(kind: &DataType) -> BoxedStrategy<String> {
    let text = "[a-zé😀 \\\\\"\\n]{0,30}".prop_map(|text| {
        let escaped = text
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
            .replace('a', "\\u0061");
        format!("\"{escaped}\"")
    });
    let some: BoxedStrategy<String> = match kind {
        DataType::Boolean => any::<bool>().prop_map(|it| it.to_string()).boxed(),
        DataType::Int8 => any::<i8>().prop_map(|it| it.to_string()).boxed(),
        DataType::Int16 => any::<i16>().prop_map(|it| it.to_string()).boxed(),
        DataType::Int32 => any::<i32>().prop_map(|it| it.to_string()).boxed(),
        DataType::Int64 => any::<i64>().prop_map(|it| it.to_string()).boxed(),
        DataType::UInt8 => any::<u8>().prop_map(|it| it.to_string()).boxed(),
        DataType::UInt16 => any::<u16>().prop_map(|it| it.to_string()).boxed(),
        DataType::UInt32 => any::<u32>().prop_map(|it| it.to_string()).boxed(),
        DataType::UInt64 => any::<u64>().prop_map(|it| it.to_string()).boxed(),
        DataType::Float32 => any::<f32>()
            .prop_filter("finite", |it| it.is_finite())
            .prop_map(|it| format!("{it:e}"))
            .boxed(),
        DataType::Float64 => any::<f64>()
            .prop_filter("finite", |it| it.is_finite())
            .prop_map(|it| format!("{it:e}"))
            .boxed(),
        DataType::Decimal128(..) => (-99_999_999_i64..=99_999_999, 0..100)
            .prop_map(|(a, b)| format!("{a}.{b:02}"))
            .boxed(),
        DataType::Date32 => (1900..2100, 1..=12, 1..=28)
            .prop_map(|(y, m, d)| format!("\"{y}-{m:02}-{d:02}\""))
            .boxed(),
        DataType::Timestamp(unit, _) => {
            let fraction = if *unit == TimeUnit::Second {
                ""
            } else {
                ".012345"
            };
            (1900..2100, 1..=12, 1..=28, 0..24)
                .prop_map(move |(y, m, d, h)| {
                    format!("\"{y}-{m:02}-{d:02}T{h:02}:59:01{fraction}+01:30\"")
                })
                .boxed()
        }
        DataType::List(field) | DataType::LargeList(field) => {
            prop::collection::vec(value(field.data_type()), 0..4)
                .prop_map(|it| format!("[{}]", it.join(" , ")))
                .boxed()
        }
        DataType::Struct(fields) => object(fields),
        DataType::Map(entries, _) => {
            let DataType::Struct(fields) = entries.data_type() else {
                unreachable!()
            };
            prop::collection::vec(value(fields[1].data_type()), 0..4)
                .prop_map(|it| {
                    let members: Vec<String> = it
                        .iter()
                        .enumerate()
                        .map(|(at, it)| format!("\"k{at}\": {it}"))
                        .collect();
                    format!("{{{}}}", members.join(","))
                })
                .boxed()
        }
        _ => text.boxed(),
    };
    prop_oneof![6 => some, 1 => Just("null".to_owned())].boxed()
}

/// An object with most of the fields in any order, and others.
fn object(fields: &Fields) -> BoxedStrategy<String> {
    let members: Vec<_> = fields
        .iter()
        .map(|field| {
            let name = field.name().clone();
            prop::option::weighted(
                0.9,
                value(field.data_type()).prop_map(move |value| format!("\"{name}\": {value}")),
            )
        })
        .collect();
    let extra = prop::option::weighted(0.2, Just("\"more\" : [{}, \"}\"]".to_owned()));
    (members, extra)
        .prop_map(|(members, extra)| {
            members
                .into_iter()
                .chain([extra])
                .flatten()
                .collect::<Vec<_>>()
        })
        .prop_shuffle()
        .prop_map(|members| format!("{{{}}}", members.join(", ")))
        .boxed()
}

/// Any value, including values of the wrong type, range or precision.
fn any_value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "null",
            "true",
            "0",
            "-0",
            "-0.0",
            "1.5e1",
            "10e-1",
            "0.1",
            "1.005",
            "-1e-3",
            "1E2",
            "127",
            "128",
            "255",
            "256",
            "-129",
            "32768",
            "65536",
            "2147483648",
            "4294967296",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551616",
            "9007199254740993",
            "16777217",
            "99999999.99",
            "100000000",
            "12345678901234567890123456789",
            "1e39",
            "1e308",
            "1e309",
            "5e-324",
            "1e-400",
            "\"\"",
            "\"1\"",
            "\"true\"",
            "\"null\"",
            "\"1.5\"",
            "\"\\ud800\"",
            "\"\\u0041\\n\"",
            "\"2026-11-23\"",
            "\"2026-02-30\"",
            "\"2026-11-23T12:00:00Z\"",
            "\"2026-11-23 12:00:00\"",
            "\"2026-11-23T12:00:00.123456789+01:30\"",
            "\"0001-01-01T00:00:00Z\"",
            "\"9999-12-31T23:59:59.999-00:01\"",
        ])
        .prop_map(str::to_owned),
        any::<i64>().prop_map(|it| it.to_string()),
        any::<f64>()
            .prop_filter("finite", |it| it.is_finite())
            .prop_map(|it| it.to_string()),
        "\"[a-z0-9é]{0,20}\"",
    ];
    // arrow-json keeps both of two equal keys in a map.
    leaf.prop_recursive(2, 8, 3, |inner| {
        let object = |members: std::collections::BTreeMap<String, String>| {
            let members = members
                .iter()
                .map(|(name, value)| format!("\"{name}\": {value}"));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        };
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|it| format!("[{}]", it.join(","))),
            prop::collection::btree_map("f[0-3]", inner, 0..4).prop_map(object),
        ]
    })
}

fn theirs(text: &str, schema: Arc<Schema>) -> Option<RecordBatch> {
    let mut reader = ReaderBuilder::new(schema)
        .with_batch_size(1000)
        .build(Cursor::new(text.to_owned()))
        .unwrap();
    reader.next()?.ok()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn equal_to_arrow_json((schema, records) in prop::collection::vec(kind(), 1..5).prop_flat_map(|kinds| {
        let fields = fields(kinds);
        let schema = Arc::new(Schema::new(fields.clone()));
        (Just(schema), prop::collection::vec(object(&fields), 1..12))
    })) {
        let text = records.join("\n");
        let mut reader = Reader::new(Cursor::new(text.clone()), schema.clone(), ReaderOptions::default()).unwrap();
        let ours = reader.next();
        let rejects = reader.take_rejects().unwrap();
        prop_assert_eq!(rejects.num_rows(), 0, "{:?}\n{}", rejects, text);
        let ours = ours.unwrap().unwrap();
        let theirs = theirs(&text, schema);
        prop_assert!(theirs.is_some(), "{}", text);
        prop_assert_eq!(ours, theirs.unwrap(), "{}", text);
    }

    /// Values that may not fit: results are equal if both accept them.
    #[test]
    fn equal_to_arrow_json_where_both_accept(kind in kind(), values in prop::collection::vec(any_value(), 20)) {
        let schema = Arc::new(Schema::new(fields(vec![kind])));
        for value in values {
            let text = format!("{{\"f0\": {value}}}");
            let mut reader = Reader::new(Cursor::new(text.clone()), schema.clone(), ReaderOptions::default()).unwrap();
            let ours = reader.next().map(|batch| batch.unwrap());
            prop_assert_eq!(reader.rejected() == 0, ours.is_some());
            if let (Some(ours), Some(theirs)) = (ours, theirs(&text, schema.clone())) {
                prop_assert_eq!(ours, theirs, "{}", text);
            }
        }
    }
}
