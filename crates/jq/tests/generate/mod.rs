//! Generates programs and inputs.

use proptest::prelude::*;

/// A filter and a path that can occur in the same place.
#[derive(Clone, Debug)]
pub struct Terms {
    pub filter: String,
    pub path: String,
}

fn leaf() -> impl Strategy<Value = Terms> {
    let path = prop::sample::select(vec![
        ".",
        ".a",
        ".b",
        ".a?",
        ".[0]",
        ".[-1]",
        ".[1:]",
        ".[:1]?",
        ".[]",
        ".[]?",
        "..",
        "empty",
        "first",
        "last?",
        "getpath([\"a\", \"b\"])",
        "error(\"e\")",
        ".a.b",
        ".a[0]?",
        ".[\"a\", \"b\"]",
        ".[.b]?",
        "recurse(.[]?; . != null)",
        "select(.a)",
        "(.a, .b)",
        "(.a // .b)",
    ]);
    let filter = prop::sample::select(vec![
        "1",
        "0",
        "null",
        "true",
        "\"x\"",
        "[]",
        "{}",
        "$v",
        "length",
        "keys",
        "type",
        "not",
        "add",
        "sort",
        "reverse",
        "tostring",
        "to_entries",
        "[.[]?]",
        "(1, 2)",
        "empty",
        "error",
        "{a: 1}",
        "[3, null]",
        "-1",
        "paths",
    ]);
    (filter, path).prop_map(|(filter, path)| Terms {
        filter: filter.to_owned(),
        path: path.to_owned(),
    })
}

/// The forms of longer terms: f, g and h are filters, p and q are paths.
const FILTERS: [&str; 41] = [
    "p",
    "f, g",
    "f | g",
    "p | f",
    "[f]",
    "{a: f}",
    "{a: f, b: g}",
    "f + g",
    "f - g",
    "f == g",
    "f < g",
    "f and g",
    "f or g",
    "f // g",
    "-(f)",
    "\"<\\(f)>\"",
    "[.[]? | f]",
    "map_values(f)",
    "with_entries(.value |= f)",
    "reduce f as $v (g; h)",
    "foreach f as $v (g; h)",
    "foreach f as $v (g; h; [$v, .])",
    "f as $v | g",
    "f as [$v] | g",
    "f as {a: $v} | g",
    "f as [$v] ?// $v | g",
    "p |= f",
    "p = f",
    "p += f",
    "p //= f",
    "del(p)",
    "[path(p)]",
    "[limit(2; f)]",
    "any(f; g)",
    "sort_by(f)",
    "group_by(f)",
    "try f catch .",
    "try error(f) catch .",
    "if f then g elif h then f end",
    "f | h?",
    "[f][1:]",
];

const PATHS: [&str; 23] = [
    "p | q",
    "p, q",
    "p?",
    "try p",
    "try p catch .a",
    "if f then p else q end",
    "if f then p end",
    "p | select(f)",
    "first(p)",
    "limit(2; p)",
    "skip(1; p)",
    "p // q",
    "f as $v | p",
    "f as [$v] | p",
    "reduce f as $v (.; first(p, .))",
    "foreach f as $v (.; first(p, .))",
    "foreach f as $v (.; first(p, .); q)",
    "label $out | p, break $out",
    "def h: p; h",
    "def h(g): g | g; h(p)",
    "def h(g): g | q; h(p)",
    ".[f]?",
    "getpath(f)?",
];

pub fn terms() -> impl Strategy<Value = Terms> {
    leaf().prop_recursive(3, 12, 5, |inner| {
        let filter = prop::sample::select(FILTERS.to_vec());
        let path = prop::sample::select(PATHS.to_vec());
        (filter, path, prop::collection::vec(inner, 5)).prop_map(|(filter, path, parts)| {
            let fill = |form: &str| replaced(form, &parts);
            Terms {
                filter: fill(filter),
                path: fill(path),
            }
        })
    })
}

/// A form with its arguments. A letter is an argument if it is not part of a name.
fn replaced(form: &str, parts: &[Terms]) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    let mut text = String::new();
    let mut rest = form;
    while let Some(c) = rest.chars().next() {
        let word = &rest[..rest
            .find(|c| !is_name(c))
            .unwrap_or(rest.len())
            .max(c.len_utf8())];
        rest = &rest[word.len()..];
        let is_local = form.starts_with("def");
        match word {
            "f" => text += &format!("({})", parts[0].filter),
            "g" if !is_local => text += &format!("({})", parts[1].filter),
            "h" if !is_local => text += &format!("({})", parts[2].filter),
            "p" => text += &format!("({})", parts[3].path),
            "q" => text += &format!("({})", parts[4].path),
            _ => text += word,
        }
    }
    text
}

pub fn input() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "null",
        "5",
        "\"ab\"",
        "[]",
        "{}",
        "[1, {\"a\": 2}, null]",
        "{\"a\": 1, \"b\": \"a\"}",
        "{\"a\": {\"b\": [1, 2]}, \"b\": null}",
        "[[1, 2], [3], []]",
        "[{\"a\": 1, \"b\": 2}, {\"a\": null, \"b\": 0}]",
        "{\"b\": [{\"a\": false}, 0], \"a\": [true]}",
    ])
}
