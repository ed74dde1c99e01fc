//! Patches against the published suites and the appendix of RFC 7396.

use proptest::prelude::*;
use serde_json::Value;

use super::{MergePatch, Patch, PatchErrorKind, PatchFailureKind};
use crate::agreement::valid_text;
use crate::diff::{DiffOptions, diff};
use crate::document::Document;
use crate::edit::EditError;
use crate::edit::laws::many_cases;
use jsonx_testing::suite;

/// Applies a JSON Patch; the error names the stage that failed.
fn patched(document: &[u8], patch: &[u8]) -> Result<Vec<u8>, String> {
    let patch = Document::parse(patch).map_err(|error| format!("{error:?}"))?;
    let patch = Patch::parse(&patch).map_err(|error| format!("{:?}", error.kind))?;
    let document = Document::parse(document).unwrap();
    let editor = patch
        .apply(&document)
        .map_err(|failure| failure.to_string())?;
    Ok(editor.finish())
}

fn merged(document: &[u8], patch: &[u8]) -> String {
    let patch = Document::parse(patch).unwrap();
    let document = Document::parse(document).unwrap();
    let editor = MergePatch::parse(&patch).unwrap().apply(&document).unwrap();
    String::from_utf8(editor.finish()).unwrap()
}

fn equal(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = (Document::parse(a).unwrap(), Document::parse(b).unwrap());
    a.root().equals(b.root())
}

#[test]
fn every_enabled_case_of_the_suite() {
    let Some(suite) = suite("json-patch-tests") else {
        return;
    };
    let mut count = 0;
    for file in ["tests.json", "spec_tests.json"] {
        let text = std::fs::read(suite.join(file)).unwrap();
        let cases = Document::parse(&text).unwrap();
        for case in cases.root().elements() {
            let is_disabled = case.get("disabled").and_then(|node| node.as_bool()) == Some(true);
            let (Some(document), Some(patch), false) =
                (case.get("doc"), case.get("patch"), is_disabled)
            else {
                continue;
            };
            count += 1;
            let found = patched(document.raw(), patch.raw());
            match (case.get("expected"), case.get("error")) {
                (Some(expected), _) => {
                    let found = found.unwrap_or_else(|error| panic!("{case:?}: {error}"));
                    assert!(equal(&found, expected.raw()), "{case:?}");
                }
                (None, Some(_)) => assert!(found.is_err(), "{case:?}"),
                (None, None) => assert!(found.is_ok(), "{case:?}: {found:?}"),
            }
        }
    }
    assert!(count > 100, "{count} cases");
}

/// Original, patch and result of appendix A of RFC 7396.
const MERGED: [(&str, &str, &str); 15] = [
    (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
    (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
    (r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"),
    (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
    (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
    (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
    (
        r#"{"a":{"b":"c"}}"#,
        r#"{"a":{"b":"d","c":null}}"#,
        r#"{"a":{"b":"d"}}"#,
    ),
    (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
    (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
    (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
    (r#"{"a":"foo"}"#, "null", "null"),
    (r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#),
    (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
    ("[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
    ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
];

#[test]
fn the_appendix_of_rfc_7396() {
    for (document, patch, expected) in MERGED {
        let found = merged(document.as_bytes(), patch.as_bytes());
        assert!(
            equal(found.as_bytes(), expected.as_bytes()),
            "{patch}: {found}"
        );
    }
}

#[test]
fn members_keep_their_positions() {
    assert_eq!(
        merged(
            b"{\n  \"a\": 1,\n  \"b\": {\"x\": 1.0, \"y\": 2},\n  \"c\": 3\n}\n",
            br#"{"c": null, "b": {"y": 3, "z": {"q": null}}, "a": 1, "d": [null]}"#
        ),
        "{\n  \"a\": 1,\n  \"b\": {\"x\": 1.0, \"y\": 3, \"z\": {}},\n  \"d\": [null]\n}\n"
    );
    // More members than are looked up one by one.
    let many = br#"{"a": 0, "b": 1, "c": 2, "d": 3, "e": 4, "\u0066": null}"#;
    assert_eq!(
        merged(br#"{"f": 9, "e": 8, "a": 1, "a": 2}"#, many),
        r#"{"e": 4, "a": 1, "a": 0, "b": 1, "c": 2, "d": 3}"#
    );
}

fn refused(patch: &str) -> (PatchErrorKind, String) {
    let document = Document::parse(patch.as_bytes()).unwrap();
    let error = Patch::parse(&document).unwrap_err();
    (error.kind, patch[error.span].to_owned())
}

#[test]
fn an_invalid_patch_is_rejected_with_its_span() {
    use PatchErrorKind::*;
    for (patch, kind, place) in [
        (r#"{"op": "add"}"#, NotArray, r#"{"op": "add"}"#),
        ("[1]", NotObject, "1"),
        (r#"[{"path": ""}]"#, Missing("op"), r#"{"path": ""}"#),
        (
            r#"[{"op": "remove"}]"#,
            Missing("path"),
            r#"{"op": "remove"}"#,
        ),
        (
            r#"[{"op": "copy", "path": ""}]"#,
            Missing("from"),
            r#"{"op": "copy", "path": ""}"#,
        ),
        (r#"[{"op": 1, "path": ""}]"#, NotString("op"), "1"),
        (
            r#"[{"op": "remove", "path": null}]"#,
            NotString("path"),
            "null",
        ),
        (r#"[{"op": "spam", "path": ""}]"#, Unknown, r#""spam""#),
        (r#"[{"op": "remove", "path": "a"}]"#, Pointer, r#""a""#),
        (r#"[{"op": "remove", "path": ".a"}]"#, Pointer, r#"".a""#),
        (r#"[{"op": "remove", "path": "/~2"}]"#, Pointer, r#""/~2""#),
        (
            r#"[{"op": "remove", "path": "/a", "p\u0061th": "/b"}]"#,
            Duplicate,
            r#""p\u0061th""#,
        ),
        (
            r#"[{"op": "move", "from": "/a", "path": "/a/b"}]"#,
            IntoItself,
            r#"{"op": "move", "from": "/a", "path": "/a/b"}"#,
        ),
    ] {
        assert_eq!(refused(patch), (kind, place.to_owned()), "{patch}");
    }
    // Members unknown to RFC 6902 are ignored.
    assert!(
        patched(
            b"1",
            br#"[{"op": "test", "path": "", "value": 1.0, "x": 1, "x": 2}]"#
        )
        .is_ok()
    );
    assert!(
        patched(
            b"[1, 2]",
            br#"[{"op": "move", "from": "/1", "path": "/1"}]"#
        )
        .is_ok()
    );
}

proptest! {
    #![proptest_config(many_cases(1000))]

    /// Law: an applied difference gives the new document, and changes nothing else.
    #[test]
    fn differences_are_patches(
        old in prop::collection::vec(any::<u32>(), 0..120),
        new in prop::collection::vec(any::<u32>(), 0..120),
    ) {
        let (old, new) = (valid_text(&old), valid_text(&new));
        let (a, b) = (Document::parse(&old).unwrap(), Document::parse(&new).unwrap());
        for options in [DiffOptions::default(), DiffOptions::default().exact(true).key("a")] {
            let difference = diff(&a, &b, &options);
            let patch = difference.to_patch();
            let patched = patched(&old, &patch).unwrap();
            prop_assert!(equal(&patched, &new), "{}", String::from_utf8_lossy(&patch));
            prop_assert!(!difference.is_empty() || patched == old);
            if let Ok(patch) = difference.to_merge_patch()
                && !difference.duplicate_keys().0
            {
                let patched = merged(&old, &patch);
                prop_assert!(equal(patched.as_bytes(), &new), "{}", String::from_utf8_lossy(&patch));
            }
        }
    }
}

#[test]
fn all_or_nothing() {
    let patch = br#"[{"op": "add", "path": "/a/-", "value": 3}, {"op": "test", "path": "/b", "value": "\u0062"},
        {"op": "remove", "path": "/c/x/y"}]"#;
    let patch = Document::parse(patch).unwrap();
    let patch = Patch::parse(&patch).unwrap();
    let text = br#"{"a": [1, 2], "b": "b", "c": {"x": 1}}"#;
    let document = Document::parse(text).unwrap();
    let failure = patch.apply(&document).unwrap_err();
    assert_eq!(failure.operation, 2);
    assert!(matches!(
        failure.kind,
        PatchFailureKind::Edit(EditError::NotContainer { .. })
    ));
    assert_eq!(&text[failure.span.unwrap()], b"1");
}

#[test]
fn lone_surrogates_in_keys() {
    let document = br#"{"\ud800": 1, "\ufffd": 2}"#;
    let patch = br#"[{"op": "replace", "path": "/\uD800", "value": 3}, {"op": "add", "path": "/\udc00~1", "value": 4}]"#;
    assert_eq!(
        String::from_utf8(patched(document, patch).unwrap()).unwrap(),
        r#"{"\ud800": 3, "\ufffd": 2, "\udc00/": 4}"#
    );
}

#[test]
fn copies_are_limited() {
    let double = r#"{"op": "copy", "from": "/a", "path": "/a/-"}"#;
    let patch = format!("[{}]", [double; 40].join(","));
    let error = patched(br#"{"a": ["0123456789"]}"#, patch.as_bytes()).unwrap_err();
    assert!(error.contains("the copies are larger than"), "{error}");
}

#[test]
fn as_serde_json_reads_it() {
    let found = patched(
        b"{\n\t\"a\": [\n\t\t{\"b\": 1}\n\t]\n}\n",
        br#"[{"op": "copy", "from": "/a/0", "path": "/a/0"}, {"op": "move", "from": "/a/1/b", "path": "/c"}]"#,
    );
    let found: Value = serde_json::from_slice(&found.unwrap()).unwrap();
    assert_eq!(found, serde_json::json!({"a": [{"b": 1}, {}], "c": 1}));
}
