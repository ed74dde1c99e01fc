//! Differences against their definition, and edge cases.

use proptest::prelude::*;
use serde_json::Value;

use super::{ChangeKind, DiffOptions, diff};
use crate::agreement::valid_text;
use crate::document::Document;
use crate::path::{Notation, Path};
use jsonx_testing::cases;

/// The changes in a short form of the program's output.
fn shown(old: &str, new: &str, options: &DiffOptions) -> Vec<String> {
    let (old, new) = (
        Document::parse(old.as_bytes()).unwrap(),
        Document::parse(new.as_bytes()).unwrap(),
    );
    let diff = diff(&old, &new, options);
    diff.changes()
        .map(|change| {
            let raw = |node: Option<crate::Node<'_, '_>>| {
                node.map_or_else(String::new, |node| {
                    String::from_utf8(node.raw().to_vec()).unwrap()
                })
            };
            let sign = match change.kind() {
                ChangeKind::Added => "+",
                ChangeKind::Removed => "-",
                ChangeKind::Replaced => "=",
                ChangeKind::Moved { .. } => ">",
            };
            let path = change.path();
            format!(
                "{sign}{} {}→{}",
                path.display(Notation::Dot),
                raw(change.old()),
                raw(change.new())
            )
        })
        .collect()
}

fn plain(old: &str, new: &str) -> Vec<String> {
    shown(old, new, &DiffOptions::default())
}

/// Applies a JSON Patch of this crate, without error checks.
fn apply(document: &mut Value, patch: &[u8]) {
    let operations: Vec<Value> = serde_json::from_slice(patch).unwrap();
    for operation in &operations {
        let pointer = |name: &str| operation[name].as_str().unwrap().to_owned();
        let path = pointer("path");
        match operation["op"].as_str().unwrap() {
            "add" => add(document, &path, operation["value"].clone()),
            "remove" => drop(remove(document, &path)),
            "replace" => *document.pointer_mut(&path).unwrap() = operation["value"].clone(),
            "move" => {
                let value = remove(document, &pointer("from"));
                add(document, &path, value);
            }
            other => panic!("{other}"),
        }
    }
}

fn parent<'v>(document: &'v mut Value, path: &str) -> (&'v mut Value, String) {
    let (parent, last) = path.rsplit_once('/').unwrap();
    let last = last.replace("~1", "/").replace("~0", "~");
    (document.pointer_mut(parent).unwrap(), last)
}

pub(super) fn add(document: &mut Value, path: &str, value: Value) {
    match parent(document, path) {
        (Value::Array(elements), index) => elements.insert(index.parse().unwrap(), value),
        (Value::Object(members), key) => assert!(members.insert(key, value).is_none()),
        (other, _) => panic!("{other}"),
    }
}

pub(super) fn remove(document: &mut Value, path: &str) -> Value {
    match parent(document, path) {
        (Value::Array(elements), index) => elements.remove(index.parse().unwrap()),
        (Value::Object(members), key) => members.remove(&key).unwrap(),
        (other, _) => panic!("{other}"),
    }
}

fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(serde_json::Map::default());
    }
    for (key, value) in patch {
        let members = target.as_object_mut().unwrap();
        match value {
            Value::Null => drop(members.shift_remove(key)),
            value => merge(members.entry(key.clone()).or_insert(Value::Null), value),
        }
    }
}

/// Compares with this crate, because serde_json distinguishes `1` and `1.0`.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    let (a, b) = (
        serde_json::to_vec(a).unwrap(),
        serde_json::to_vec(b).unwrap(),
    );
    let (a, b) = (Document::parse(&a).unwrap(), Document::parse(&b).unwrap());
    a.root().equals(b.root())
}

/// A document like `base`, with some of its values changed, removed, added, or moved.
pub(super) fn changed(base: &Value, choices: &mut impl Iterator<Item = u32>) -> Value {
    let mut next = || choices.next().unwrap_or(7);
    let choice = next();
    if choice % 16 == 0 {
        return Value::from(choice / 16 % 5);
    }
    match base {
        Value::Array(elements) => {
            let mut elements = elements.clone();
            if next() % 4 == 0 && !elements.is_empty() {
                elements.remove(next() as usize % elements.len());
            }
            if next() % 4 == 0 {
                let at = next() as usize % (elements.len() + 1);
                elements.insert(at, Value::from(next() % 3));
            }
            if next() % 4 == 0 && elements.len() > 1 {
                let (a, b) = (next() as usize, next() as usize);
                let length = elements.len();
                elements.swap(a % length, b % length);
            }
            Value::Array(elements.iter().map(|e| changed(e, choices)).collect())
        }
        Value::Object(members) => {
            let mut members = members.clone();
            if next() % 4 == 0
                && let Some(key) = members.keys().next_back().cloned()
            {
                members.shift_remove(&key);
            }
            if next() % 4 == 0 {
                members.insert(format!("n{}", next() % 3), Value::from(next() % 3));
            }
            let members = members
                .iter()
                .map(|(k, v)| (k.clone(), changed(v, choices)));
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(cases(3000))]

    /// Law: the patch of a difference turns the old document into one equal to the new one.
    #[test]
    fn a_patch_leads_to_the_new_document(
        choices in prop::collection::vec(any::<u32>(), 0..150),
        changes in prop::collection::vec(any::<u32>(), 0..150),
        is_related in any::<bool>(),
    ) {
        let old = valid_text(&choices);
        let Ok(before) = serde_json::from_slice::<Value>(&old) else {
            return Ok(());
        };
        let new = if is_related {
            serde_json::to_vec(&changed(&before, &mut changes.iter().copied())).unwrap()
        } else {
            valid_text(&changes)
        };
        let Ok(after) = serde_json::from_slice::<Value>(&new) else {
            return Ok(());
        };
        let (a, b) = (Document::parse(&old).unwrap(), Document::parse(&new).unwrap());
        for options in [DiffOptions::default(), DiffOptions::default().key("a")] {
            let diff = diff(&a, &b, &options);
            prop_assert_eq!(diff.is_empty(), a.root().equals(b.root()));
            let mut patched = before.clone();
            apply(&mut patched, &diff.to_patch());
            prop_assert!(equal(&patched, &after), "{} {}", patched, after);
            if let Ok(patch) = diff.to_merge_patch() {
                let mut patched = before.clone();
                merge(&mut patched, &serde_json::from_slice(&patch).unwrap());
                prop_assert!(equal(&patched, &after), "{} {}", patched, after);
            }
        }
        // No differences if everything is ignored, or from itself.
        let all = DiffOptions::default().ignore(Path::parse(".").unwrap());
        prop_assert!(diff(&a, &b, &all).is_empty());
        let pretty = serde_json::to_vec_pretty(&after).unwrap();
        let is_as_written = serde_json::to_vec(&after).unwrap() == new;
        let pretty = Document::parse(&pretty).unwrap();
        prop_assert!(!is_as_written || diff(&b, &pretty, &DiffOptions::default()).is_empty());
    }
}

#[test]
fn objects_are_compared_by_key() {
    assert_eq!(
        plain(
            r#"{"a": 1, "b": {"c": [1]}, "d": 0}"#,
            r#"{"d": 0, "b": {"c": [1, 2]}, "a": 2, "e": 5}"#
        ),
        ["=.a 1→2", "+.b.c[1] →2", "+.e →5"]
    );
    assert_eq!(plain(r#"{"\u0061": 1}"#, r#"{"a": 1}"#), [""; 0]);
    assert_eq!(plain(r#"{"a": 1, "a": 2}"#, r#"{"a": 2}"#), [""; 0]);
    assert_eq!(
        plain(r#"{"a": 2, "a": 1, "b": 3}"#, r#"{"a": 2}"#),
        ["=.a 1→2", "-.b 3→"]
    );
    // One is a lone surrogate, the other the replacement character.
    assert_eq!(
        plain(r#"{"\ud800": 1}"#, r#"{"\ufffd": 1}"#),
        [r#"-.["\ud800"] 1→"#, "+.[\"\u{fffd}\"] →1"]
    );
}

#[test]
fn arrays_are_compared_in_order() {
    assert_eq!(
        plain("[1, 2, 3, 4]", "[1, 3, 4, 5]"),
        ["-.[1] 2→", "+.[3] →5"]
    );
    assert_eq!(plain("[1, 2, 3]", "[1, 9, 3]"), ["=.[1] 2→9"]);
    assert_eq!(
        plain(r#"[{"a": 1, "b": 2}]"#, r#"[0, {"a": 1, "b": 3}]"#).len(),
        2
    );
    assert_eq!(plain("[[], {}, null]", "[[ ], { }, null]"), [""; 0]);
}

#[test]
fn scalars_are_compared_by_value() {
    for (a, b) in [
        ("1", "1.0"),
        ("1e2", "100"),
        ("-0", "0"),
        (r#""\u00e9""#, "\"é\""),
    ] {
        assert_eq!(plain(a, b), [""; 0]);
    }
    assert_eq!(plain("9007199254740993", "9007199254740992").len(), 1);
    assert_eq!(plain("\"1\"", "1"), ["=. \"1\"→1"]);
    assert_eq!(plain("[]", "{}"), ["=. []→{}"]);
    let exact = DiffOptions::default().exact(true);
    assert_eq!(shown("[1, 2]", "[1.0, 2]", &exact), ["=.[0] 1→1.0"]);
}

#[test]
fn elements_are_matched_by_key() {
    let id = DiffOptions::default().key("id");
    let old = r#"[{"id": 1, "v": 1}, {"id": 2, "v": 2}, {"id": 3, "v": 3}]"#;
    assert_eq!(
        shown(
            old,
            r#"[{"id": 0}, {"id": 1, "v": 1}, {"id": 3, "v": 4}]"#,
            &id
        ),
        [
            r#"+.[0] →{"id": 0}"#,
            r#"-.[1] {"id": 2, "v": 2}→"#,
            "=.[2].v 3→4"
        ]
    );
    assert_eq!(
        shown(
            old,
            r#"[{"id": 2, "v": 2}, {"id": 3, "v": 3}, {"id": 1, "v": 5}]"#,
            &id
        ),
        [
            r#">.[2] {"id": 1, "v": 1}→{"id": 1, "v": 5}"#,
            "=.[2].v 1→5"
        ]
    );
    // By a nested member; the first of the keys that an object has is used.
    let path = DiffOptions::default().key_path(["m", "id"]).key("v");
    assert_eq!(
        shown(
            r#"[{"m": {"id": 1}, "v": 1}, {"m": {"id": 2}, "v": 2}, {"m": 3, "v": 3}]"#,
            r#"[{"m": {"id": 2}, "v": 4}, {"m": 5, "v": 3}]"#,
            &path
        ),
        [
            r#"-.[0] {"m": {"id": 1}, "v": 1}→"#,
            "=.[0].v 2→4",
            "=.[1].m 3→5"
        ]
    );
    // Not an array of objects.
    assert_eq!(shown("[1, 2]", "[1, 3]", &id), ["=.[1] 2→3"]);
}

#[test]
fn sets_have_no_order() {
    let set = DiffOptions::default().set(Path::parse("..tags").unwrap());
    assert_eq!(
        shown(
            r#"{"tags": ["a", "b"], "x": [1, 2]}"#,
            r#"{"tags": ["b", "c", "b"], "x": [2, 1]}"#,
            &set
        ),
        [
            "-.tags[0] \"a\"→",
            "+.tags[1] →\"c\"",
            "-.x[0] 1→",
            "+.x[1] →1"
        ]
    );
}

#[test]
fn ignored_values_are_omitted() {
    let ignore = |path: &str| DiffOptions::default().ignore(Path::parse(path).unwrap());
    let (old, new) = (
        r#"{"t": 1, "a": [{"t": 2, "n": 1}], "u": 3}"#,
        r#"{"t": 2, "a": [{"n": 2, "t": 7}]}"#,
    );
    assert_eq!(shown(old, new, &ignore("..t")), ["=.a[0].n 1→2", "-.u 3→"]);
    assert_eq!(shown(old, new, &ignore("$.a[*]")), ["=.t 1→2", "-.u 3→"]);
    assert_eq!(
        shown(old, new, &ignore("/u").ignore(Path::parse("/a").unwrap())),
        ["=.t 1→2"]
    );
    // An ignored element keeps its position in the patch.
    let (old, new) = (
        Document::parse(b"[7, 1, 2]").unwrap(),
        Document::parse(b"[8, 1, 3]").unwrap(),
    );
    let patch = diff(&old, &new, &ignore(".[0]")).to_patch();
    assert_eq!(
        patch,
        b"[\n  {\"op\":\"replace\",\"path\":\"/2\",\"value\":3}\n]\n"
    );
}

#[test]
fn a_merge_patch_cannot_set_null() {
    let refused = |old: &str, new: &str| {
        let (old, new) = (
            Document::parse(old.as_bytes()).unwrap(),
            Document::parse(new.as_bytes()).unwrap(),
        );
        let diff = diff(&old, &new, &DiffOptions::default());
        diff.to_merge_patch()
            .map_err(|refused| refused.null.span().start)
    };
    assert_eq!(
        refused(r#"{"a": 1}"#, r#"{"a": {"b": [null], "c": null}}"#),
        Err(25)
    );
    assert_eq!(refused("[1]", r#"{"a": null}"#), Err(6));
    assert!(
        refused(
            r#"{"a": 1, "b": null}"#,
            r#"{"a": [{"c": null}], "b": null}"#
        )
        .is_ok()
    );
    assert_eq!(refused("1", "null"), Ok(b"null\n".to_vec()));
    // A merge patch has no duplicate keys.
    assert_eq!(
        refused("{}", r#"{"a": {"b": 1, "c": [{"d": 2, "d": 3}], "b": 4}}"#),
        Ok(b"{\"a\":{\"c\":[{\"d\":3}],\"b\":4}}\n".to_vec())
    );
    assert_eq!(refused("[1]", "[1]"), Ok(b"[1]\n".to_vec()));
    assert_eq!(refused("{}", "{}"), Ok(b"{}\n".to_vec()));
}

#[test]
fn keys_are_escaped_twice() {
    let (old, new) = (
        Document::parse(b"{}").unwrap(),
        Document::parse(br#"{"\u0061\/~\n\"\ud800": 1}"#).unwrap(),
    );
    let patch = diff(&old, &new, &DiffOptions::default()).to_patch();
    assert_eq!(
        String::from_utf8(patch).unwrap(),
        "[\n  {\"op\":\"add\",\"path\":\"/\\u0061~1~0\\n\\\"\\ud800\",\"value\":1}\n]\n"
    );
}

#[test]
fn depth_takes_no_stack() {
    const DEPTH: usize = 200_000;
    let nested =
        |value: &str| [&vec![b'['; DEPTH][..], value.as_bytes(), &vec![b']'; DEPTH]].concat();
    let (old, new) = (nested("1"), nested(" 2"));
    let (old, new) = (
        Document::parse(&old).unwrap(),
        Document::parse(&new).unwrap(),
    );
    let diff = diff(&old, &new, &DiffOptions::default());
    assert_eq!(diff.changes().len(), 1);
    assert_eq!(diff.changes().next().unwrap().path().steps().len(), DEPTH);
}
