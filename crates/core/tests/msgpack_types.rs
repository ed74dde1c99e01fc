//! Types from and to MessagePack, compared with `rmp_serde` and `serde_json`, and hostile input.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::net::IpAddr;

use jsonx_core::msgpack::{
    DecodeError, DecodeErrorKind, EncodeOptions, JsonOptions, from_json, from_slice, to_json,
    to_vec,
};
use jsonx_core::{Error, Raw, Spanned, to_string};
use jsonx_testing::cases;
use proptest::prelude::*;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
struct Unit;

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Newtype(u32);

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Pair(i64, String);

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
enum Choice {
    Unit,
    Newtype(Option<i16>),
    Tuple(u8, bool),
    Struct { a: f64, b: Vec<Choice> },
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "kind")]
enum Tagged {
    A { x: i32 },
    B { y: String },
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Text(String),
    List(Vec<Untagged>),
}

/// All that `serde` has.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct All {
    unit: (),
    unit_struct: Unit,
    newtype: Newtype,
    pair: Pair,
    flag: bool,
    small: (u8, u16, u32, u64),
    signed: (i8, i16, i32, i64),
    double: f64,
    single: f32,
    letter: char,
    text: String,
    maybe: Option<String>,
    list: Vec<Choice>,
    numbers: Vec<u32>,
    map: BTreeMap<String, Vec<Option<bool>>>,
    tagged: Tagged,
    untagged: Untagged,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    skipped: Option<u8>,
    #[serde(flatten)]
    rest: BTreeMap<String, i32>,
}

fn choice() -> impl Strategy<Value = Choice> {
    let leaf = prop_oneof![
        Just(Choice::Unit),
        any::<Option<i16>>().prop_map(Choice::Newtype),
        any::<(u8, bool)>().prop_map(|(a, b)| Choice::Tuple(a, b)),
    ];
    leaf.prop_recursive(4, 60, 20, |inner| {
        (-1e300..1e300, prop::collection::vec(inner, 0..20))
            .prop_map(|(a, b)| Choice::Struct { a, b })
    })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zé]{0,40}", "\\PC{0,300}", Just("x".repeat(70_000))]
}

fn all() -> impl Strategy<Value = All> {
    let scalars = (
        any::<(u8, u16, u32, u64)>(),
        any::<(i8, i16, i32, i64)>(),
        -1e300..1e300,
        -1e30_f32..1e30,
        any::<char>(),
        any::<bool>(),
        any::<Option<u8>>(),
    );
    let texts = (text(), prop::option::of(text()), any::<(u32, i64)>());
    let containers = (
        prop::collection::vec(choice(), 0..40),
        prop::collection::vec(any::<u32>(), 0..300),
        prop::collection::btree_map(
            "[a-z]{0,40}",
            prop::collection::vec(any::<Option<bool>>(), 0..3),
            0..20,
        ),
        // Keys that no field has.
        prop::collection::btree_map("~[a-z]{0,9}", any::<i32>(), 0..40),
    );
    let enums = prop_oneof![
        any::<i32>().prop_map(|x| (Tagged::A { x }, Untagged::Number(i64::from(x)))),
        "[a-z]{0,9}".prop_map(|y| (
            Tagged::B { y: y.clone() },
            Untagged::List(vec![Untagged::Text(y), Untagged::Number(-1)])
        )),
    ];
    (scalars, texts, containers, enums).prop_map(
        |((small, signed, double, single, letter, flag, skipped), texts, containers, enums)| {
            let (text, maybe, (number, wide)) = texts;
            let (list, numbers, map, rest) = containers;
            let (tagged, untagged) = enums;
            All {
                unit: (),
                unit_struct: Unit,
                newtype: Newtype(number),
                pair: Pair(wide, text.clone()),
                flag,
                small,
                signed,
                double,
                single,
                letter,
                text,
                maybe,
                list,
                numbers,
                map,
                tagged,
                untagged,
                skipped,
                rest,
            }
        },
    )
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn there_and_back(value in all()) {
        let packed = to_vec(&value).unwrap();
        prop_assert_eq!(&from_slice::<All>(&packed).unwrap(), &value);
        // Both ways, compared with `rmp_serde`, structures as maps and as arrays.
        prop_assert_eq!(&rmp_serde::from_slice::<All>(&packed).unwrap(), &value);
        let named = rmp_serde::to_vec_named(&value).unwrap();
        prop_assert_eq!(&from_slice::<All>(&named).unwrap(), &value);
        prop_assert_eq!(
            &from_slice::<Vec<Choice>>(&rmp_serde::to_vec(&value.list).unwrap()).unwrap(),
            &value.list
        );
        // What differs from its bytes is a unit structure, which is an empty array there.
        let list = (&value.list, &value.numbers, &value.map, &value.text, &value.small);
        prop_assert_eq!(to_vec(&list).unwrap(), rmp_serde::to_vec_named(&list).unwrap());
        // As of its JSON, but for single precision.
        let json = to_string(&list).unwrap();
        prop_assert_eq!(&to_vec(&list).unwrap(), &from_json(json.as_bytes(), EncodeOptions::default()).unwrap());
        let back = to_json(&to_vec(&list).unwrap(), JsonOptions::default()).unwrap();
        let value = |json: &[u8]| serde_json::from_slice::<serde_json::Value>(json).unwrap();
        prop_assert_eq!(value(&back), value(json.as_bytes()));
    }

    /// The values of `serde_json`, which are of any shape.
    #[test]
    fn any_value(choices in choice(), map in prop::collection::btree_map("\\PC{0,40}", any::<Option<i64>>(), 0..40)) {
        let value = serde_json::json!({"list": choices, "map": map});
        let packed = to_vec(&value).unwrap();
        prop_assert_eq!(&packed, &rmp_serde::to_vec(&value).unwrap());
        prop_assert_eq!(&from_slice::<serde_json::Value>(&packed).unwrap(), &value);
        let json = to_json(&packed, JsonOptions::default()).unwrap();
        prop_assert_eq!(&serde_json::from_slice::<serde_json::Value>(&json).unwrap(), &value);
    }

    /// Cut off anywhere, or with any byte changed: an error in the input, or a value, and no panic. What is a value is one for
    /// `rmp_serde` as well, but for a few that it takes for errors.
    #[test]
    fn broken(value in all(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut packed = to_vec(&value).unwrap();
        packed.truncate(3000);
        let at = at.index(packed.len());
        let error = from_slice::<All>(&packed[..at]).unwrap_err();
        prop_assert_eq!(decode_error(&error).map(|error| (error.kind, error.offset)), Some((DecodeErrorKind::Truncated, at as u64)));
        packed[at] = byte;
        for result in [
            from_slice::<All>(&packed).map(drop),
            from_slice::<serde_json::Value>(&packed).map(drop),
            from_slice::<IgnoredAny>(&packed).map(drop),
        ] {
            if let Err(error) = result {
                prop_assert!(error.offset().unwrap() <= packed.len() as u64, "{}", error);
            }
        }
    }

    /// Bytes of any kind.
    #[test]
    fn random_bytes(bytes in prop::collection::vec(
        prop_oneof![any::<u8>(), 0x80..=0xa4_u8, 0xc0..=0xdf_u8, 0..4_u8], 0..60,
    )) {
        let ours = from_slice::<serde_json::Value>(&bytes);
        if let Err(error) = &ours {
            prop_assert!(error.offset().unwrap() <= bytes.len() as u64, "{}", error);
        }
        // It stops after the first value, and takes other things for keys.
        if let (Ok(ours), Ok(theirs)) = (ours, rmp_serde::from_slice::<serde_json::Value>(&bytes)) {
            prop_assert_eq!(ours, theirs);
        }
        let _ = from_slice::<All>(&bytes);
        let _ = from_slice::<(Untagged, Vec<Choice>)>(&bytes);
    }
}

fn decode_error(error: &Error) -> Option<DecodeError> {
    std::error::Error::source(error)?.downcast_ref().copied()
}

fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, packed: &[u8]) {
    assert_eq!(to_vec(&value).unwrap(), packed, "{value:?}");
    assert_eq!(from_slice::<T>(packed).unwrap(), value);
    assert_eq!(rmp_serde::from_slice::<T>(packed).unwrap(), value);
}

#[test]
fn forms() {
    same(Unit, b"\xc0");
    same((), b"\xc0");
    same(None::<u8>, b"\xc0");
    same(Some(1), b"\x01");
    same('é', b"\xa2\xc3\xa9");
    same(0.5_f32, b"\xca\x3f\0\0\0");
    same(Choice::Unit, b"\xa4Unit");
    same(Choice::Newtype(Some(-1)), b"\x81\xa7Newtype\xff");
    same(Choice::Tuple(1, true), b"\x81\xa5Tuple\x92\x01\xc3");
    same(HashMap::from([(7_u8, 'a')]), b"\x81\x07\xa1a");
    same(
        i128::from(u64::MAX),
        b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
    );
    same(-5_i128, b"\xfb");
    let wide = [&b"\xc4\x10"[..], &(1_u128 << 100).to_be_bytes()].concat();
    same(1_u128 << 100, &wide);
    // Not for people: four bytes in place of a text.
    same(
        "127.0.0.1".parse::<IpAddr>().unwrap(),
        b"\x81\xa2V4\x94\x7f\0\0\x01",
    );
    // As `rmp_serde` writes them.
    assert_eq!(from_slice::<Unit>(b"\x90").unwrap(), Unit);
    assert_eq!(
        from_slice::<Vec<u8>>(b"\xc4\x02\x01\xff").unwrap(),
        [1, 255]
    );
    assert_eq!(
        from_slice::<Pair>(b"\x92\x01\xa1a").unwrap(),
        Pair(1, "a".into())
    );
    assert_eq!(
        from_slice::<Tagged>(b"\x92\xa1A\x05").unwrap(),
        Tagged::A { x: 5 }
    );
    assert_eq!(
        from_slice::<Choice>(b"\x81\x02\x92\x01\xc3").unwrap(),
        Choice::Tuple(1, true)
    );
    assert_eq!(from_slice::<f64>(b"\x05").unwrap(), 5.0);
    // Borrowed.
    let packed = to_vec(&("a", "b".repeat(40))).unwrap();
    let (short, long): (&str, &str) = from_slice(&packed).unwrap();
    assert!(packed.as_ptr_range().contains(&short.as_ptr()));
    assert!(packed.as_ptr_range().contains(&long.as_ptr()));
    // A value with its text.
    let raw = Raw::new(r#"{"a": [1.5, null]}"#).unwrap();
    assert_eq!(
        to_vec(&raw).unwrap(),
        b"\x81\xa1a\x92\xcb\x3f\xf8\0\0\0\0\0\0\xc0"
    );
}

/// A sequence that announces a length, or none, and has another.
struct Liar(Option<usize>, u32);

impl Serialize for Liar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(self.0)?;
        for element in 0..self.1 {
            sequence.serialize_element(&element)?;
        }
        sequence.end()
    }
}

#[test]
fn lengths_are_counted() {
    let counts = [0, 1, 15, 16, 0xffff, 0x1_0000];
    for announced in counts
        .map(|count| Some(count as usize))
        .into_iter()
        .chain([None, Some(usize::MAX)])
    {
        for count in counts {
            let value = (Liar(announced, count), "after");
            let expected = ((0..count).collect::<Vec<u32>>(), "after");
            assert!(
                to_vec(&value).unwrap() == to_vec(&expected).unwrap(),
                "{announced:?} {count}"
            );
        }
    }
}

#[test]
fn errors_have_a_path_and_an_offset() {
    let message = |result: Result<(), Error>| result.unwrap_err().to_string();
    let packed = b"\x82\xa1a\x92\x01\xa1x\xa1b\x90";
    assert_eq!(
        message(from_slice::<HashMap<String, Vec<u8>>>(packed).map(drop)),
        ".a[1]: expected u8, found string \"x\" at offset 5"
    );
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Strict {
        a: u8,
        b: u8,
    }
    for (packed, expected) in [
        (
            &b"\x01\x02"[..],
            "expected struct Strict, found 1 at offset 0",
        ),
        (b"\x82\xa1a\x01\xa1a\x02", "duplicate field `a` at offset 4"),
        (
            b"\x82\xa1a\x01\xa1c\x02",
            "unknown field `c`, expected `a` or `b` at offset 4",
        ),
        (b"\x81\xa1a\x01", "missing field `b` at offset 0"),
        (
            b"\x82\xa1a\x01\xa1b\xc1",
            ".b: the byte 0xc1 is reserved at offset 6",
        ),
        (
            b"\x82\xa1a\x01\xa1b",
            ".b: the input ends in the middle of a value at offset 6",
        ),
        (
            b"\x82\xa1a\x01\xa1b\x02\xc0",
            "the value is not the only one at offset 7",
        ),
        (
            b"\x82\xa1a\xd4\x05a\xa1b\x02",
            ".a: expected u8, found an extension at offset 3",
        ),
        (
            b"\x93\x01\x02\x03",
            "expected an array of 2, found more elements at offset 3",
        ),
        (b"\xa2a\xff", "the string is not valid UTF-8 at offset 2"),
    ] {
        assert_eq!(message(from_slice::<Strict>(packed).map(drop)), expected);
    }
    assert_eq!(
        message(from_slice::<()>(b"").map(drop)),
        "the input ends in the middle of a value at offset 0"
    );
    for packed in [&b"\x80"[..], b"\x82\xa1A\xc0\xa1B\xc0"] {
        assert!(
            message(from_slice::<Choice>(packed).map(drop))
                .starts_with("expected a map of one member")
        );
    }
    for error in [
        from_slice::<Raw>(b"\x01").map(drop).unwrap_err(),
        from_slice::<Spanned<u8>>(b"\x01").map(drop).unwrap_err(),
    ] {
        assert!(
            error.to_string().contains("is read from JSON text only"),
            "{error}"
        );
    }
    let error = from_slice::<Vec<u8>>(b"\x91\xcd\x01\x00").unwrap_err();
    assert!(error.is_data() && error.path().steps().len() == 1);
    assert_eq!(
        format!("{error:#}"),
        "error: expected u8, found 256\n --> offset 1 (.[0])\n"
    );
}

/// Lengths of four thousand millions in few bytes: no memory is taken for them.
#[test]
fn huge_lengths() {
    for first in [0xdb, 0xc6, 0xdd, 0xdf, 0xc9] {
        for end in [
            &b"\xff\xff\xff\xff"[..],
            b"\xff\xff\xff\xff\x01\x01",
            b"\xff",
        ] {
            let packed = [&[first][..], end].concat();
            for error in [
                from_slice::<Vec<u64>>(&packed).map(drop).unwrap_err(),
                from_slice::<String>(&packed).map(drop).unwrap_err(),
                from_slice::<HashMap<u64, u64>>(&packed)
                    .map(drop)
                    .unwrap_err(),
                from_slice::<serde_json::Value>(&packed)
                    .map(drop)
                    .unwrap_err(),
                from_slice::<IgnoredAny>(&packed).map(drop).unwrap_err(),
            ] {
                let error = decode_error(&error).unwrap();
                assert_eq!(
                    (error.kind, error.offset),
                    (DecodeErrorKind::Truncated, packed.len() as u64)
                );
            }
        }
    }
    // As many arrays in one another, each with as many values as there are bytes left.
    let packed = [&b"\xdc\x27\x10"[..]; 10_000].concat();
    assert!(from_slice::<IgnoredAny>(&packed).is_err());
}

#[derive(Debug, Deserialize)]
struct List {
    #[serde(rename = "n")]
    next: Option<Box<List>>,
}

#[test]
fn deep_nesting() {
    let nested = |levels: usize| [&b"\x81\xa1n".repeat(levels)[..], b"\xc0"].concat();
    let mut list = from_slice::<List>(&nested(127)).unwrap();
    let mut levels = 1;
    while let Some(next) = list.next {
        (list, levels) = (*next, levels + 1);
    }
    assert_eq!(levels, 127);
    let error = from_slice::<List>(&nested(1_000_000)).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("nested too deeply for this type at offset 381"),
        "{error}"
    );
    assert!(from_slice::<serde_json::Value>(&b"\x91".repeat(1_000_000)).is_err());
    // What is ignored may be as deep as it likes.
    assert!(from_slice::<IgnoredAny>(&nested(1_000_000)).is_ok());
    let untagged = [&b"\x91".repeat(1_000_000)[..], b"\x01"].concat();
    assert!(from_slice::<Untagged>(&untagged).is_err());
}
