//! Texts truncated at every byte.

use jsonx_diagnose::Applicability;
use jsonx_diagnose::repair::repair;
use serde_json::Value;

use crate::scalars::lost;
use crate::{all, options, report, result, show};

/// Texts with every kind of value.
const WHOLE: &[&str] = &[
    r#"{"a": "x\u0041é\n\ud83d\ude00", "b": [true, 12.5e+3, null, -0.5, false], "c": {"d": "e", "f": {}}, "g": []}"#,
    "{\n  \"a\": [1, 20, 300],\n  \"b\": {\n    \"c\": \"d e\",\n    \"f\": null\n  },\n  \"g\": 1234\n}\n",
    r#"[["ab", "cd"], [12, 34], [{"k": 56}, {"k": 78}], "é☃😀", 1.25E-7]"#,
    r"{'a': None, 'b': True, 'c': (12, 34), 'd': ['it\'s', u'x', False], 'e': 1.5}",
    "{a: .5, b: 0x1F, c: 'd', e: undefined, f: NaN, g: -Infinity, h: [+12, 5.], i: `j`}",
    "{\n  // one\n  \"a\": 12, /* two */\n  \"b\": [34, // three\n    56]\n}\n",
    r#"{"path": "C:\\new\\test", "url": "https://example.com/a", "t": "2026-01-01T00:00:00Z"}"#,
];

/// Whether `part` is `whole` without some values at the end.
pub fn is_prefix(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len() && part.iter().zip(whole).all(|(a, b)| is_prefix(a, b))
        }
        (Value::Object(part), Value::Object(whole)) => part
            .iter()
            .all(|(key, a)| whole.get(key).is_some_and(|b| is_prefix(a, b))),
        _ => part == whole,
    }
}

#[test]
fn a_text_truncated_anywhere_lists_incomplete_values() {
    let mut wrong = Vec::new();
    for whole in WHOLE {
        let meant = result(&all(whole)).expect("the whole text is repaired");
        for end in 1..whole.trim_end().len() {
            let Some(cut) = whole.get(..end) else {
                continue;
            };
            for tail in ["", "\n"] {
                if tail == "\n" && cut.contains('\n') {
                    continue;
                }
                let text = format!("{cut}{tail}");
                let kept = all(&text);
                let Some(found) = result(&kept) else {
                    wrong.push(format!("refused: {text:?} {:?}", kept.left.diagnostics));
                    continue;
                };
                // Either the result is a prefix of the whole text, or the report names the value that differs.
                let named = kept.changes.iter().any(|change| change.is_incomplete());
                if !named && !is_prefix(&found, &meant) {
                    wrong.push(format!("not named: {text:?} is {:?}", show(&kept)));
                }
                let options = options(Applicability::Review).whole(true);
                let left = repair(text.as_bytes(), &options);
                let is_whole = result(&left).is_some_and(|found| is_prefix(&found, &meant));
                if !is_whole {
                    wrong.push(format!("not left out: {text:?} is {:?}", show(&left)));
                }
                wrong.extend(lost(&text, &kept));
            }
        }
    }
    report(&wrong);
}

/// The arguments of a tool call are JSON in a string. At the usual cut, the quote after them is missing, and perhaps brackets.
#[test]
fn arguments_that_are_cut_off_after_their_last_bracket_are_whole() {
    let mut wrong = Vec::new();
    for arguments in [
        r#"{"city":"Rome"}"#,
        r#"{"a": [{"city": "Rome"}], "b": {}}"#,
        r#"[["a", "b"], {"c": "}"}]"#,
        r#"{"path": "C:\\dir\\"}"#,
        r#"{"quoted": "say \"hi\"", "n": 1}"#,
    ] {
        let string = Value::from(arguments).to_string();
        let string = &string[..string.len() - 1];
        for (before, after) in [
            (r#"{"name": "f", "arguments": "#, "}"),
            (r#"{"arguments":"#, "}"),
            (r#"[{"function": {"arguments": "#, "}}]"),
        ] {
            let text = format!("{before}{string}");
            let meant: Value = serde_json::from_str(&format!("{text}\"{after}")).unwrap();
            let kept = all(&text);
            let named = kept.changes.iter().any(|change| change.is_incomplete());
            if result(&kept) != Some(meant) || !named {
                wrong.push(format!("{text} is {}", show(&kept)));
            }
        }
    }
    report(&wrong);
}
