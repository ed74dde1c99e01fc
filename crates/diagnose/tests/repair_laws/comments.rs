//! Comments at every token boundary.

use serde_json::Value;

use crate::{GUESSED, SCALARS, all, report, result, safe, show};
use jsonx_testing::documents::value;

const KEYS: &[(&str, &str)] = &[
    ("b", "b"),
    ("$c", "$c"),
    ("max-size", "max-size"),
    ("'d'", "d"),
    ("\"e\"", "e"),
    ("1", "1"),
    ("true", "true"),
    ("u'f'", "f"),
    ("“g”", "g"),
];

const COMMENTS: &[&str] = &[
    "/*c*/",
    "/**/",
    "/* \"x\": 1, 'y', [2] */",
    "/* don't \" ` */",
    "/*\n*/",
    "//c\n",
    "//\n",
    "// don't say \"no\": 1, {\n",
    "// \":\n",
    " /* c */ ",
    " // c\n",
];

#[test]
fn comments_at_every_border_change_nothing() {
    let mut bases: Vec<(Vec<&str>, Option<Value>, bool)> = Vec::new();
    for (list, certain) in [(SCALARS, true), (GUESSED, false)] {
        for (scalar, json) in list {
            // Not `1`: `1,007` may be a number whose digits are grouped.
            let expected = format!("[{json}, true, {json}]");
            let tokens = vec!["[", scalar, ",", "true", ",", scalar, "]"];
            bases.push((tokens, value(expected.as_bytes()), certain));
            for (key, name) in KEYS {
                let expected = format!("{{\"{name}\": {json}, \"z\": {json}}}");
                let tokens = vec!["{", key, ":", scalar, ",", "z", ":", scalar, "}"];
                bases.push((tokens, value(expected.as_bytes()), certain));
            }
        }
    }
    let mut wrong = Vec::new();
    for (tokens, expected, certain) in &bases {
        for comment in COMMENTS {
            for border in 0..=tokens.len() {
                let text = [&tokens[..border], &[comment], &tokens[border..]]
                    .concat()
                    .concat();
                let guessed = all(&text);
                if result(&guessed) != *expected {
                    wrong.push(format!("--all: {text:?} is {:?}", show(&guessed)));
                }
                let safely = safe(&text);
                if *certain && result(&safely) != *expected
                    || safely.is_valid() && result(&safely) != *expected
                {
                    wrong.push(format!("safe: {text:?} is {:?}", show(&safely)));
                }
            }
        }
    }
    report(&wrong);
}

/// `#` comments, as Python has them.
#[test]
fn comments_of_python_end_a_literal() {
    let mut wrong = Vec::new();
    for (scalar, json) in SCALARS {
        if scalar.starts_with('“') || scalar.starts_with('`') {
            continue;
        }
        for comment in ["#c\n", " # don't\n", "#\n", "# 'a': 1, [\n"] {
            for (text, expected) in [
                (format!("[{scalar}{comment}, 1]"), format!("[{json}, 1]")),
                (format!("[1, {scalar}{comment}]"), format!("[1, {json}]")),
                (
                    format!("{{'a': {scalar}{comment}, 'b': {scalar}{comment}}}"),
                    format!("{{\"a\": {json}, \"b\": {json}}}"),
                ),
            ] {
                let repaired = safe(&text);
                if result(&repaired) != value(expected.as_bytes()) {
                    wrong.push(format!("{text:?} is {:?}", show(&repaired)));
                }
            }
        }
    }
    report(&wrong);
}
