//! Edits by example and by property.

use super::{EditError, Editor};
use crate::document::Document;
use crate::path::Path;

/// The text after edits, each `set PATH VALUE`, `add PATH VALUE`, `append PATH VALUE`, `del PATH`, `move FROM TO` or
/// `copy FROM TO`.
fn edited(text: &str, edits: &[&str]) -> String {
    let document = Document::parse(text.as_bytes()).unwrap();
    let mut editor = document.edit();
    for edit in edits {
        let (name, rest) = edit.split_once(' ').unwrap();
        let (path, value) = rest.split_once(' ').unwrap_or((rest, ""));
        let made = match name {
            "set" => editor.set(path, value),
            "add" => editor.insert(path, value),
            "append" => editor.append(path, value),
            "del" => editor.delete(path),
            "move" => editor.relocate(path, value),
            "copy" => editor.copy(path, value),
            _ => unreachable!(),
        };
        made.map(drop)
            .unwrap_or_else(|error| panic!("{edit}: {error}"));
    }
    String::from_utf8(editor.finish()).unwrap()
}

/// The start of such a member is not searched for.
#[test]
fn the_first_member_has_the_style_if_the_last_is_long() {
    let long = "1,".repeat(40_000);
    for (start, end, added) in [
        (r#"{"a":1,"b":["#, "}", r#","c":2"#),
        (r#"{"a": 1, "b": ["#, "}", r#", "c": 2"#),
        (r#"{ "b": ["#, " }", r#", "c": 2"#),
        ("{\n  \"a\": 1,\n  \"b\": [", "\n}\n", ",\n  \"c\": 2"),
        ("{\n\t\"b\": [", "\n}\n", ",\n\t\"c\": 2"),
    ] {
        let text = format!("{start}{long}1]{end}");
        let expected = format!("{start}{long}1]{added}{end}");
        assert!(edited(&text, &["set .c 2"]) == expected, "{start}");
    }
}

#[test]
fn members_are_added_in_the_style_of_their_siblings() {
    for (text, edit, expected) in [
        (r#"{"a":1}"#, "set .b 2", r#"{"a":1,"b":2}"#),
        (r#"{"a": 1}"#, "set .b 2", r#"{"a": 1, "b": 2}"#),
        (r#"{ "a": 1 }"#, "set .b 2", r#"{ "a": 1, "b": 2 }"#),
        ("{}", "set .b 2", r#"{"b": 2}"#),
        ("[]", "append . 2", "[2]"),
        ("[1]", "append . 2", "[1, 2]"),
        ("[1,2]", "append . 3", "[1,2,3]"),
        (r#"{"a":[1]}"#, "append .a 2", r#"{"a":[1,2]}"#),
        (
            r#"{"a":{}}"#,
            r#"set .a.b {"c": [1]}"#,
            r#"{"a":{"b":{"c":[1]}}}"#,
        ),
        (
            "{\n  \"a\": 1\n}\n",
            "set .b 2",
            "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
        ),
        (
            "{\r\n\t\"a\": 1\r\n}",
            "set .b [1]",
            "{\r\n\t\"a\": 1,\r\n\t\"b\": [\r\n\t\t1\r\n\t]\r\n}",
        ),
        (
            "{ \"a\": 1\n, \"b\": 2\n}",
            "set .c 3",
            "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}",
        ),
        (
            "{\n  \"a\": 1,\n\n  \"b\": 2\n}",
            "set .c 3",
            "{\n  \"a\": 1,\n\n  \"b\": 2,\n  \"c\": 3\n}",
        ),
        (
            "{\n  \"a\"   : 1,\n  \"bcd\" : 2\n}",
            "set .c 3",
            "{\n  \"a\"   : 1,\n  \"bcd\" : 2,\n  \"c\" : 3\n}",
        ),
        (
            "{\n  \"a\": {}\n}",
            "set .a.b 1",
            "{\n  \"a\": {\n    \"b\": 1\n  }\n}",
        ),
        ("{\n}\n", "set .a 1", "{\n  \"a\": 1\n}\n"),
        (
            "{\n  \"a\": [1, 2],\n  \"b\": 3\n}",
            "set .c [4,5]",
            "{\n  \"a\": [1, 2],\n  \"b\": 3,\n  \"c\": [4, 5]\n}",
        ),
        ("[\n  1,\n  2\n]", "add .0 0", "[\n  0,\n  1,\n  2\n]"),
        ("[1, 2,\n 3, 4]", "add .1 9", "[1, 9, 2,\n 3, 4]"),
        (
            "{\n  \"a\": [\n    1\n  ]\n}",
            "set .a {\"b\":1}",
            "{\n  \"a\": {\n    \"b\": 1\n  }\n}",
        ),
    ] {
        assert_eq!(edited(text, &[edit]), expected, "{text} {edit}");
    }
}

#[test]
fn members_are_removed_with_a_comma() {
    for (text, edit, expected) in [
        ("[1, 2, 3]", "del .0", "[2, 3]"),
        ("[1, 2, 3]", "del .1", "[1, 3]"),
        ("[1, 2, 3]", "del .-1", "[1, 2]"),
        ("[ 1 ]", "del .0", "[]"),
        ("{\n  \"a\": 1\n}", "del .a", "{}"),
        (
            "{\n  \"a\": 1,\n\n  \"b\": 2,\n  \"c\": 3\n}",
            "del .b",
            "{\n  \"a\": 1,\n\n  \"c\": 3\n}",
        ),
        (
            "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}",
            "del .c",
            "{ \"a\": 1\n, \"b\": 2\n}",
        ),
        (
            "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}",
            "del .a",
            "{ \"b\": 2\n, \"c\": 3\n}",
        ),
        ("[1, 2,\n 3, 4]", "del .1", "[1,\n 3, 4]"),
        ("[1, 2,\n 3, 4]", "del .2", "[1, 2,\n 4]"),
        (r#"{"a": 1, "b": 2, "\u0061": 3}"#, "del .a", r#"{"b": 2}"#),
    ] {
        assert_eq!(edited(text, &[edit]), expected, "{text} {edit}");
    }
}

#[test]
fn edits_see_the_result_of_earlier_ones() {
    for (text, edits, expected) in [
        ("[1, 2, 3]", &["del .0", "del .0"][..], "[3]"),
        ("[1, 2, 3]", &["del .2", "del .0", "append . 4"], "[2, 4]"),
        ("[1, 2, 3]", &["move /0 /2"], "[2, 3, 1]"),
        ("[1, 2, 3]", &["move /2 /0"], "[3, 1, 2]"),
        ("[1, [2], [3]]", &["move /0 /1/0"], "[[2], [1, 3]]"),
        (
            r#"{"a": {"x": 1}, "b": 2}"#,
            &["move .a.x .c", "set .c 9"],
            r#"{"a": {}, "b": 2, "c": 9}"#,
        ),
        (
            r#"{"a": 1}"#,
            &["set .b {}", "set .b.c []", "append .b.c 1", "append .b.c 2"],
            r#"{"a": 1, "b": {"c": [1, 2]}}"#,
        ),
        (
            "{\n  \"a\": 1\n}",
            &["set .b {}", "set .b.c []", "append .b.c 1", "append .b.c 2"],
            "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      1,\n      2\n    ]\n  }\n}",
        ),
        (
            r#"{"a": [1], "b": 1}"#,
            &["copy .a .c", "append .c 2", "set .a.0 0"],
            r#"{"a": [0], "b": 1, "c": [1, 2]}"#,
        ),
        (
            "{\n  \"a\": {\n    \"b\": [\n      1, 2\n    ]\n  }\n}",
            &["move .a.b .c", "del .a"],
            "{\n  \"c\": [\n    1, 2\n  ]\n}",
        ),
        (
            r#"{"a": 1, "b": 2}"#,
            &["del .a", "set .a 3", "del .b"],
            r#"{"a": 3}"#,
        ),
        (" 1\n", &["set . [1]", "append . 2"], " [1, 2]\n"),
        (r#"{"a": {"b": 1}}"#, &["move /a/b /a"], r#"{"a": 1}"#),
        (
            r#"{"a":{},"b":[{}]}"#,
            &["move /b /a/c", "append /a/c 1"],
            r#"{"a":{"c":[{},1]}}"#,
        ),
    ] {
        assert_eq!(edited(text, edits), expected, "{text} {edits:?}");
    }
}

#[test]
fn steps_decide_the_kind_of_parents() {
    use super::SetOptions;
    let options = SetOptions::default().parents(true);
    let text = br#"{"l": [1]}"#;
    let document = Document::parse(text).unwrap();
    for (path, expected) in [
        (".a.b", r#"{"l": [1], "a": {"b": 9}}"#),
        (".a.0", r#"{"l": [1], "a": {"0": 9}}"#),
        ("/a/0", r#"{"l": [1], "a": {"0": 9}}"#),
        (".a[0]", r#"{"l": [1], "a": [9]}"#),
        (".a[0][0].b", r#"{"l": [1], "a": [[{"b": 9}]]}"#),
        ("$.a[0]['0']", r#"{"l": [1], "a": [{"0": 9}]}"#),
        ("/a/-", r#"{"l": [1], "a": [9]}"#),
        ("/a/-/-", r#"{"l": [1], "a": [[9]]}"#),
        ("/-", r#"{"l": [1], "-": 9}"#),
        ("/l/-/b", r#"{"l": [1, {"b": 9}]}"#),
    ] {
        let path = Path::parse(path).unwrap();
        let mut editor = document.edit();
        let set = editor.set_with(&path, "9", options);
        let edited = String::from_utf8(set.unwrap().finish()).unwrap();
        assert_eq!(edited, expected);
        let existing = options.existing(true);
        assert!(document.edit().set_with(&path, "9", existing).is_err());
    }
    for (path, error) in [
        (".a[1]", ".a[1]: the root has no key `a`"),
        (".a.b[-1].c", ".a.b[-1].c: the root has no key `a`"),
        (".l[1].b", ".l[1].b: .l has 1 element"),
        (".l[1]", ".l[1]: .l has 1 element"),
    ] {
        let path = Path::parse(path).unwrap();
        let mut editor = document.edit();
        let set = editor.set_with(&path, "9", options).unwrap_err();
        assert_eq!(set.to_string(), error);
        assert_eq!(editor.finish(), text);
    }
}

#[test]
fn an_edit_that_fails_changes_nothing() {
    let text = br#"{"a": [1, {"b": 2}], "c": "x"}"#;
    let document = Document::parse(text).unwrap();
    let mut editor = document.edit();
    assert!(editor.set("/x/y", "1").is_err());
    assert!(editor.set("/a/2", "1").is_err());
    assert!(editor.set("/a/x", "1").is_err());
    assert!(editor.set("/c/x", "1").is_err());
    assert!(editor.set("/a", "1 2").is_err());
    assert!(editor.delete("").is_err());
    assert_eq!(
        editor.relocate("/a", "/a/0").unwrap_err().to_string(),
        "/a/0: a value cannot be moved into itself"
    );
    assert!(editor.relocate("/a/1", "/a/5").is_err());
    assert!(editor.relocate("/c", "/x/y").is_err());
    assert!(editor.copy("/x", "/y").is_err());
    for (path, expected) in [
        ("/c", "/c: the value is not the expected one"),
        ("", "the root is not the expected value"),
    ] {
        let error = editor.test(path, "\"y\"").unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    assert!(editor.append("/c", "1").is_err());
    assert_eq!(editor.finish(), text);
    assert!(editor.splices().is_empty());
}

/// Every error names the path, the number of existing steps, and the kind of the value there.
#[test]
fn errors_name_the_step_without_a_match() {
    let text = br#"{"servers": [{"port": 80, "name": "a"}], "on": true, "n": null}"#;
    let document = Document::parse(text).unwrap();
    let error = |edit: fn(&mut Editor<'_, '_>) -> Result<(), EditError>| {
        let mut editor = document.edit();
        let error = edit(&mut editor).unwrap_err();
        assert_eq!(editor.finish(), text);
        error.to_string()
    };
    assert_eq!(
        error(|editor| editor.set(".server[0].port", "1").map(drop)),
        ".server[0].port: the root has no key `server`; did you mean `servers`?"
    );
    assert_eq!(
        error(|editor| editor.replace("/servers/0/prot", "1").map(drop)),
        "/servers/0/prot: /servers/0 has no key `prot`; did you mean `port`?"
    );
    assert_eq!(
        error(|editor| editor.insert("/servers/5", "1").map(drop)),
        "/servers/5: /servers has 1 element"
    );
    assert_eq!(
        error(|editor| editor.replace("/servers/-", "1").map(drop)),
        "/servers/-: /servers has 1 element"
    );
    assert_eq!(
        error(|editor| editor.set(".servers.port", "1").map(drop)),
        ".servers.port: .servers is an array, not an object"
    );
    assert_eq!(
        error(|editor| editor.append(".servers[0]", "1").map(drop)),
        ".servers[0]: .servers[0] is an object, not an array"
    );
    assert_eq!(
        error(|editor| editor.append(".on", "1").map(drop)),
        ".on: .on is a boolean"
    );
    assert_eq!(
        error(|editor| editor.delete("$.n.x").map(drop)),
        "$['n']['x']: $['n'] is null"
    );
    assert_eq!(
        error(|editor| editor.set("[0]", "1").map(drop)),
        document.find("[0]").unwrap_err().to_string()
    );
    assert_eq!(
        error(|editor| editor.value(".ON").map(drop)),
        ".ON: the root has no key `ON`; did you mean `on`?"
    );
    // Of two paths, the error has the one without a match.
    assert_eq!(
        error(|editor| editor.relocate(".of", ".to").map(drop)),
        ".of: the root has no key `of`"
    );
    assert_eq!(
        error(|editor| editor.copy(".on", ".servers[0].name.x").map(drop)),
        ".servers[0].name.x: .servers[0].name is a string"
    );
    // Values added by earlier edits exist, and removed ones do not.
    let mut editor = document.edit();
    editor
        .set(".label", "1")
        .unwrap()
        .delete(".servers")
        .unwrap();
    let added = editor.delete(".labels").unwrap_err().to_string();
    assert_eq!(
        added,
        ".labels: the root has no key `labels`; did you mean `label`?"
    );
    let removed = editor.delete(".server").unwrap_err().to_string();
    assert_eq!(removed, ".server: the root has no key `server`");
    // No key is suggested for a compiled path, which may be used often.
    let path = Path::parse(".servers[0].prot").unwrap();
    let error = document.edit().delete(&path).unwrap_err().to_string();
    assert_eq!(error, ".servers[0].prot: .servers[0] has no key `prot`");
}

#[test]
fn depth_takes_no_stack() {
    const DEPTH: usize = 100_000;
    let text = ["[".repeat(DEPTH), "1".to_owned(), "]".repeat(DEPTH)].concat();
    let document = Document::parse(text.as_bytes()).unwrap();
    let mut editor = document.edit();
    let path = "/0".repeat(DEPTH);
    assert_eq!(
        editor.set(&path, "22").unwrap().finish().len(),
        text.len() + 1
    );
}

/// Found by fuzzing: the remaining comma is that of the removed member, with the white space before it.
#[test]
fn one_removal_is_the_same_from_offsets() {
    use super::Action;
    use crate::splice::Splices;
    let text = b"{\n  \"a\": []\n,  \"b\": \"\",\n  \"c\": 1\n}\n";
    let document = Document::parse(text).unwrap();
    let span = document.root().get("b").unwrap().span();
    let local = Splices::at(&text[..], [(span, Action::Delete)]).unwrap();
    let edited = document.edit().delete("/b").unwrap().finish();
    assert_eq!(local.apply(text), edited);
    assert_eq!(edited, b"{\n  \"a\": [],\n  \"c\": 1\n}\n");
}
