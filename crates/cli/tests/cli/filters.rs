//! Filters of JSONPath select the same records as jq.

use jsonx_testing::cases;
use proptest::prelude::*;

use crate::{jq, piped};

/// A path that tests the members of records although the records were meant.
#[test]
fn jsonpath_for_records_leads_to_jq() {
    let hint = "`jsonx jq 'select(.a == 1)'` tests the record\n";
    let records = "{\"level\": \"error\"}\n{\"level\": \"info\"}\n";
    for (path, text, has_hint) in [
        ("$[?@.level==\"error\"]", records, true),
        ("$[?@.level==\"error\"].msg", records, true),
        ("$.a[?@.level]", records, false),
        ("$[?@.level==\"error\"]", "[{\"level\": \"info\"}]", false),
    ] {
        let ran = piped(&["get", path], text);
        assert_eq!((ran.out.as_str(), ran.code), ("", 1));
        assert_eq!(
            ran.err.ends_with(hint),
            has_hint,
            "{path} {text}: {}",
            ran.err
        );
    }
}

/// A condition for a filter, and the same for jq, where both define the result.
fn condition() -> impl Strategy<Value = (String, String)> {
    let leaf = prop::sample::select(vec![
        ("@.n == 1", ".n == 1"),
        ("@.n != 2", ".n != 2"),
        ("@.n >= 1", "(.n|type) == \"number\" and .n >= 1"),
        ("@.s < 'b'", "(.s|type) == \"string\" and .s < \"b\""),
        ("@.s == 'a b'", ".s == \"a b\""),
        ("@.n == @.m", ".n == .m"),
        ("@.o.n == 1", "(.o|type) == \"object\" and .o.n == 1"),
        ("@.o", "has(\"o\")"),
        (
            "length(@.s) > 1",
            "(.s|type) == \"string\" and (.s|length) > 1",
        ),
        (
            "length(@.l) == 2",
            "(.l|type) == \"array\" and (.l|length) == 2",
        ),
        ("@.l[0] == 1", "(.l|type) == \"array\" and .l[0] == 1"),
        ("@.l[-1] == @.n", ".l[-1] == .n"),
        (
            "count(@..n) == 2",
            "([.. | objects | select(has(\"n\"))] | length) == 2",
        ),
        ("@.b == true", ".b == true"),
        (
            "search(@.s, 'a|c')",
            "(.s|type) == \"string\" and (.s|test(\"a|c\"))",
        ),
        (
            "search(@.s, '(?i)^A')",
            "(.s|type) == \"string\" and (.s|test(\"^A\"; \"i\"))",
        ),
        (
            "match(@.s, '[a-c]+')",
            "(.s|type) == \"string\" and (.s|test(\"^(?:[a-c]+)$\"))",
        ),
    ]);
    let leaf = leaf.prop_map(|(ours, theirs)| (ours.to_owned(), format!("({theirs})")));
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| (
                format!("({}) && ({})", a.0, b.0),
                format!("({} and {})", a.1, b.1)
            )),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| (
                format!("{} || {}", a.0, b.0),
                format!("({} or {})", a.1, b.1)
            )),
            inner.prop_map(|a| (format!("!({})", a.0), format!("({}|not)", a.1))),
        ]
    })
}

fn record() -> impl Strategy<Value = String> {
    let number = (0..3_i32).prop_map(|n| n.to_string());
    let string = prop::sample::select(vec![
        "\"\"", "\"a\"", "\"a b\"", "\"C\"", "\"cab\"", "\"é\"",
    ]);
    let list = prop::collection::vec(number.clone(), 0..3)
        .prop_map(|list| format!("[{}]", list.join(",")));
    let member = prop_oneof![
        number.clone().prop_map(|n| ("n", n)),
        number.clone().prop_map(|n| ("m", n)),
        string.clone().prop_map(|s| ("s", s.to_owned())),
        list.prop_map(|l| ("l", l)),
        any::<bool>().prop_map(|b| ("b", b.to_string())),
        number.prop_map(|n| ("o", format!("{{\"n\":{n}}}"))),
        string.prop_map(|s| ("n", s.to_owned())),
    ];
    prop::collection::vec(member, 0..5).prop_map(|members| {
        let members: std::collections::BTreeMap<_, _> = members.into_iter().collect();
        let members = members
            .iter()
            .map(|(key, value)| format!("\"{key}\":{value}"));
        format!("{{{}}}\n", members.collect::<Vec<_>>().join(","))
    })
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn like_select_of_jq((ours, theirs) in condition(), records in prop::collection::vec(record(), 1..20)) {
        let text = format!("[{}]", records.join(","));
        let program = format!(".[] | select({theirs})");
        let Some(expected) = jq(&["-c", &program], text.as_bytes()) else {
            return Ok(());
        };
        let expected = String::from_utf8(expected).unwrap();
        let ran = piped(&["get", "-c", &format!("$[?{ours}]")], &text);
        prop_assert_eq!(&ran.out, &expected, "{} {} {}", ours, theirs, text);
        prop_assert_eq!(ran.code, i32::from(expected.is_empty()));
    }
}
