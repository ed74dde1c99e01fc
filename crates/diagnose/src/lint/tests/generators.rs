//! Texts with keys, numbers and strings that lints find.

use proptest::prelude::*;

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-c]{0,2}",
        2 => Just("\\u0061".to_owned()),
        1 => Just("\\u0062c".to_owned()),
        1 => Just("01234567 0123456789 x 01234567".to_owned()),
        1 => Just("01234567 0123456789 y 01234567".to_owned()),
        1 => Just("\\ud800".to_owned()),
        1 => Just("\\uD83d\\uDe00".to_owned()),
        1 => Just("😀".to_owned()),
        1 => Just("//".to_owned()),
        1 => "[a-z]{60,70}",
    ]
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null".to_owned()),
        "-?[1-9][0-9]{0,20}",
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,20})?([eE][-+]?[0-9]{1,4})?",
        Just("9007199254740993".to_owned()),
        "(\\\\u[dD][789aAbBcCdDeEfF][0-9a-f]{2}|\\\\\\\\|ud800|[a-z ]){0,12}"
            .prop_map(|text| format!("\"{text}\"")),
        "[x ]{50,140}".prop_map(|text| format!("\"{text}\"")),
        Just(format!("\"{}\"", "y".repeat(8000))),
    ]
}

fn space() -> impl Strategy<Value = String> {
    prop_oneof![6 => Just(String::new()), 2 => Just(" ".to_owned()), 1 => "[ \n\t]{0,9}"]
}

pub(super) fn value() -> impl Strategy<Value = String> {
    scalar().prop_recursive(5, 60, 12, |inner| {
        prop_oneof![
            3 => prop::collection::vec((key(), space(), inner.clone()), 0..12).prop_map(|members| {
                let members: Vec<String> = members
                    .into_iter()
                    .map(|(key, space, value)| format!("{space}\"{key}\"{space}:{space}{value}{space}"))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
            1 => prop::collection::vec((space(), inner), 0..8).prop_map(|elements| {
                let elements: Vec<String> = elements
                    .into_iter()
                    .map(|(space, value)| format!("{space}{value}{space}"))
                    .collect();
                format!("[{}]", elements.join(","))
            }),
        ]
    })
}

/// An object of one of few shapes, possibly with a key omitted, duplicated or renamed, and with nested objects.
fn record(shapes: Vec<Vec<String>>) -> impl Strategy<Value = String> {
    let number = shapes.len();
    let choices = prop::collection::vec((0..number, any::<u8>(), 0usize..12), 1..6);
    (choices, space()).prop_map(move |(choices, space)| {
        let mut text = String::from("1");
        for (shape, change, at) in choices {
            let mut keys = shapes[shape].clone();
            let at = at % keys.len();
            match change {
                0..20 => drop(keys.remove(at)),
                20..40 => keys.push(keys[at].clone()),
                40..60 => keys.insert(at, "other".to_owned()),
                60..70 => keys.swap(0, at),
                _ => {}
            }
            let mut members: Vec<String> = keys
                .iter()
                .map(|key| format!("\"{key}\"{space}:{space}0"))
                .collect();
            let middle = members.len().saturating_sub(1) / 2;
            if let Some(member) = members.get_mut(middle) {
                member.pop();
                *member += &text;
            }
            text = format!("{{{}}}", members.join(","));
        }
        text
    })
}

pub(super) fn records() -> impl Strategy<Value = String> {
    let shapes = prop::collection::vec(prop::collection::vec(key(), 1..9), 1..4);
    shapes.prop_flat_map(|shapes| {
        prop::collection::vec(record(shapes), 0..14)
            .prop_map(|records| format!("[{}]", records.join(",\n")))
    })
}
