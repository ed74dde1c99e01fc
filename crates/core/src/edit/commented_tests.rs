use proptest::prelude::*;

use super::text::same_tokens;
use super::{Action, Editor};
use crate::Document;
use crate::agreement::valid_text;
use crate::engine::Options;
use crate::jsonc::tests::with_comments;
use crate::jsonc::{Dialect, blank};
use jsonx_testing::cases;

/// A text after an edit.
struct Commented {
    text: Vec<u8>,
    dropped: Vec<String>,
}

fn apply(text: &[u8], edit: impl Fn(&mut Editor<'_, '_>) -> bool) -> Option<Commented> {
    apply_with(text, false, edit)
}

fn apply_with(
    text: &[u8],
    removes_above: bool,
    edit: impl Fn(&mut Editor<'_, '_>) -> bool,
) -> Option<Commented> {
    let document = Document::index(text, Options::default().dialect(Dialect::Jsonc)).unwrap();
    let mut editor = document.edit();
    editor.remove_comments_above(removes_above);
    let is_made = edit(&mut editor);
    // An edit is made in a text with comments if it is made in one without them.
    let mut plain = text.to_vec();
    blank(&mut plain, Dialect::Jsonc).unwrap();
    let plain = Document::parse(&plain).unwrap();
    let mut expected = plain.edit();
    let shown = String::from_utf8_lossy(text);
    assert_eq!(is_made, edit(&mut expected), "{shown:?}");
    let commented = Commented {
        text: editor.finish(),
        dropped: editor.dropped_comments().to_vec(),
    };
    assert_eq!(editor.splices().apply(text), commented.text, "{shown:?}");
    let mut found = commented.text.clone();
    blank(&mut found, Dialect::Jsonc).unwrap();
    assert!(
        same_tokens(&found[..], 0..found.len(), &expected.finish()),
        "{shown:?}"
    );
    is_made.then_some(commented)
}

#[test]
fn documents_with_comments_are_edited() {
    let jsonc = |text| Document::index(text, Options::default().dialect(Dialect::Jsonc));
    let document = jsonc(b"{\"version\": \"1\", // v\n}").unwrap();
    let mut editor = document.edit();
    editor.set("/version", "\"2\"").unwrap();
    assert_eq!(editor.finish(), b"{\"version\": \"2\", // v\n}");

    let text = b"{\n  \"compilerOptions\": {\n    \"strict\": true, // always\n  },\n}\n";
    let document = jsonc(text).unwrap();
    let mut editor = document.edit();
    let added = editor.set(".compilerOptions.jsx", "\"react\"").unwrap();
    added.append(".files", "1").unwrap_err();
    added.delete(".compilerOptions.strict").unwrap();
    assert_eq!(
        editor.finish(),
        b"{\n  \"compilerOptions\": {\n    \"jsx\": \"react\",\n  },\n}\n"
    );
    assert_eq!(editor.dropped_comments(), ["// always"]);
    let path = crate::path::Path::parse("/compilerOptions/jsx").unwrap();
    assert_eq!(editor.value(&path).unwrap(), b"\"react\"");
    assert!(editor.test(&path, "\"react\"").is_ok());
    assert!(editor.innermost(&path).is_some());

    let root = document.root();
    assert_eq!(&*root.minified(), br#"{"compilerOptions":{"strict":true}}"#);
    #[cfg(feature = "serde")]
    {
        let read: serde_json::Value = crate::from_slice(&root.minified()).unwrap();
        assert_eq!(read["compilerOptions"]["strict"], true);
    }
}

fn deleted(text: &str, path: &str) -> String {
    let edited = apply(text.as_bytes(), |editor| editor.delete(path).is_ok());
    String::from_utf8(edited.unwrap().text).unwrap()
}

/// The text without a value and the comments above it, and those comments.
fn deleted_with_comments(text: &str, path: &str) -> (String, Vec<String>) {
    let edited = apply_with(text.as_bytes(), true, |editor| editor.delete(path).is_ok());
    let edited = edited.unwrap();
    (String::from_utf8(edited.text).unwrap(), edited.dropped)
}

fn set(text: &str, path: &str, value: &str) -> String {
    let edited = apply(text.as_bytes(), |editor| editor.set(path, value).is_ok());
    String::from_utf8(edited.unwrap().text).unwrap()
}

const SETTINGS: &str = "\
{
  // first of all
  \"a\": 1, // one
  /* about b */
  \"b\": [
    1, // in b
    2,
  ], // after b

  // commented out: \"x\": 1,
  \"c\": 3 // three
  // at the end
}
";

#[test]
fn removed_values_take_their_line_along() {
    let text = SETTINGS;
    let without = |line: &str| text.replace(line, "");
    assert_eq!(deleted(text, "/a"), without("  \"a\": 1, // one\n"));
    assert_eq!(
        deleted(text, "/b"),
        without("  \"b\": [\n    1, // in b\n    2,\n  ], // after b\n")
    );
    assert_eq!(deleted(text, "/b/0"), without("    1, // in b\n"));
    // With a trailing comma, the one before stays.
    assert_eq!(deleted(text, "/b/1"), without("    2,\n"));
    assert_eq!(
        deleted(text, "/c"),
        without("  \"c\": 3 // three\n").replace("], // after b", "] // after b")
    );
    for (text, path, expected) in [
        ("[1, /* two */ 2, 3]", "/1", "[1, 3]"),
        ("[1, 2 /* two */, 3]", "/1", "[1, 3]"),
        ("[1, 2, 3 /* three */]", "/2", "[1, 2]"),
        ("[1, 2,]", "/1", "[1,]"),
        ("[1,]", "/0", "[]"),
        ("{ \"a\": 1 /* one */ }", "/a", "{}"),
        ("{ // all\n  \"a\": 1, // one\n}\n", "/a", "{ // all\n}\n"),
        ("{\n  \"a\": 1,\n}\n", "/a", "{}\n"),
        (
            "{\n  /* a */ \"a\": 1,\n  \"b\": 2\n}",
            "/a",
            "{\n  \"b\": 2\n}",
        ),
        (
            "{\n  /* a\n  b */ \"a\": 1,\n  \"b\": 2\n}",
            "/a",
            "{\n  \"b\": 2\n}",
        ),
        ("[\n  1, /* a\n  b */\n  2\n]", "/0", "[\n  2\n]"),
        (
            "[\n  1\n  // not a two\n  , 2\n]",
            "/0",
            "[\n  \n  // not a two\n   2\n]",
        ),
    ] {
        assert_eq!(deleted(text, path), expected, "{text}");
    }
}

#[test]
fn comments_above_are_removed_on_request() {
    let gone = |path: &str, lines: &str, comments: &[&str]| {
        let expected = (
            SETTINGS.replace(lines, ""),
            comments.iter().map(|&comment| comment.to_owned()).collect(),
        );
        assert_eq!(deleted_with_comments(SETTINGS, path), expected, "{path}");
    };
    let a = "  // first of all\n  \"a\": 1, // one\n";
    gone("/a", a, &["// first of all", "// one"]);
    let b = "  /* about b */\n  \"b\": [\n    1, // in b\n    2,\n  ], // after b\n";
    gone("/b", b, &["/* about b */", "// in b", "// after b"]);
    gone("/b/1", "    2,\n", &[]);
    for (text, path, expected) in [
        // Comments above an empty line are not directly above.
        (
            "{\n  // all\n\n  // of a\n  // too\n  \"a\": 1,\n  \"b\": 2\n}",
            "/a",
            "{\n  // all\n\n  \"b\": 2\n}",
        ),
        // The only comment heads the object.
        (
            "{\n  // all\n  \"a\": 1, // one\n  \"b\": 2\n}",
            "/a",
            "{\n  // all\n  \"b\": 2\n}",
        ),
        // Not a header: another member has a comment, or it is an array.
        (
            "{\n  // of a\n  \"a\": 1,\n  \"b\": 2 // two\n}",
            "/a",
            "{\n  \"b\": 2 // two\n}",
        ),
        (
            "{\n  // of a\n  \"a\": 1,\n  \"b\": 2, // two\n  \"c\": 3,\n}",
            "/a",
            "{\n  \"b\": 2, // two\n  \"c\": 3,\n}",
        ),
        ("[\n  // of 1\n  1,\n  2\n]", "/0", "[\n  2\n]"),
        // Not a header: there is another comment, or one after the bracket, or no other child.
        (
            "{\n  // of a\n  \"a\": 1,\n  // of b\n  \"b\": 2\n}",
            "/a",
            "{\n  // of b\n  \"b\": 2\n}",
        ),
        (
            "{ // all\n  // of a\n  \"a\": 1,\n  \"b\": 2\n}",
            "/a",
            "{ // all\n  \"b\": 2\n}",
        ),
        ("[\n  // of 1\n  1\n]", "/0", "[]"),
        (
            "[\n  1,\n  // of 2\n  /* and */ 2, // two\n  3\n]",
            "/1",
            "[\n  1,\n  3\n]",
        ),
        ("[1, /* two */ 2, 3]", "/1", "[1, 3]"),
    ] {
        assert_eq!(deleted_with_comments(text, path).0, expected, "{text}");
    }
}

#[test]
fn added_values_leave_comments_in_place() {
    let text = SETTINGS;
    assert_eq!(
        set(text, "/d", "4"),
        text.replace("3 // three\n", "3, // three\n  \"d\": 4\n")
    );
    assert_eq!(set(text, "/a", "10"), text.replace("\"a\": 1", "\"a\": 10"));
    let appended = apply(text.as_bytes(), |editor| editor.append("/b", "3").is_ok());
    assert_eq!(
        String::from_utf8(appended.unwrap().text).unwrap(),
        text.replace("    2,\n", "    2,\n    3,\n")
    );
    let inserted = |text: &str, path: &str| {
        let edited = apply(text.as_bytes(), |editor| editor.insert(path, "9").is_ok());
        String::from_utf8(edited.unwrap().text).unwrap()
    };
    let list = "[ // all\n  1, // one\n  // about two\n  // and more\n  2 // two\n]\n";
    assert_eq!(
        inserted(list, "/1"),
        list.replace("  // about two", "  9,\n  // about two")
    );
    assert_eq!(inserted(list, "/0"), list.replace("  1,", "  9,\n  1,"));
    assert_eq!(
        inserted(list, "/2"),
        list.replace("2 // two\n", "2, // two\n  9\n")
    );
    for (text, path, expected) in [
        (
            "{\n  // nothing yet\n}\n",
            "/a",
            "{\n  // nothing yet\n  \"a\": 4\n}\n",
        ),
        ("{\"a\": 1} // one", "/b", "{\"a\": 1, \"b\": 4} // one"),
        (
            "{\"a\": 1 /* one */}",
            "/b",
            "{\"a\": 1, \"b\": 4 /* one */}",
        ),
        ("{\"a\": 1,}", "/b", "{\"a\": 1, \"b\": 4,}"),
    ] {
        assert_eq!(set(text, path, "4"), expected, "{text}");
    }
}

#[test]
fn comments_inside_replaced_values_are_reported() {
    let edited = apply(SETTINGS.as_bytes(), |editor| editor.set("/b", "[]").is_ok());
    assert_eq!(edited.unwrap().dropped, ["// in b"]);
    let edited = apply(SETTINGS.as_bytes(), |editor| editor.delete("/a").is_ok());
    assert_eq!(edited.unwrap().dropped, ["// one"]);
    let edited = apply(b"[1, /* two */ 2 /* 2 */]", |editor| {
        editor.delete("/1").is_ok()
    });
    assert_eq!(edited.unwrap().dropped, ["/* two */", "/* 2 */"]);
}

#[test]
fn comments_move_with_their_value() {
    let moved = |from: &str, to: &str| {
        let edited = apply(SETTINGS.as_bytes(), |editor| {
            editor.relocate(from, to).is_ok()
        });
        let edited = edited.unwrap();
        assert!(edited.dropped.is_empty(), "{:?}", edited.dropped);
        String::from_utf8(edited.text).unwrap()
    };
    let text = SETTINGS;
    let expected = text.replace("  // first of all\n  \"a\": 1, // one\n", "");
    let moved_a = "2,\n    // first of all\n    1, // one\n";
    assert_eq!(moved("/a", "/b/-"), expected.replace("2,\n", moved_a));
    // Members are renamed in place.
    for key in ["a", "b"] {
        let renamed = text.replace(&format!("\"{key}\""), "\"d\"");
        assert_eq!(moved(&format!("/{key}"), "/d"), renamed);
    }
    assert_eq!(moved("/c", "/d"), text.replace("\"c\"", "\"d\""));
}

/// A value that spans lines takes all its comments along, whatever its new indentation, also into an empty container.
#[test]
fn comments_move_with_a_value_of_several_lines() {
    let text = "\
{
  // above
  \"a\": {
    \"x\": 1, // in
    /* of y */ \"y\": [
      // two
      2, /* s */
    ]
    // end
  }, // tail
  \"b\": 2, // two
  \"c\": [{
    \"e\": \"/* \\\" */\" // e
  }]
}
";
    let moved = |from: &str, to: &str| {
        let edited = apply(text.as_bytes(), |editor| editor.relocate(from, to).is_ok()).unwrap();
        assert!(
            edited.dropped.is_empty(),
            "{from} {to}: {:?}",
            edited.dropped
        );
        String::from_utf8(edited.text).unwrap()
    };
    let expected = "\
{
  \"b\": 2, // two
  \"c\": [{
    \"e\": \"/* \\\" */\", // e
    // above
    \"d\": {
      \"x\": 1, // in
      /* of y */ \"y\": [
        // two
        2, /* s */
      ]
      // end
    } // tail
  }]
}
";
    assert_eq!(moved("/a", "/c/0/d"), expected);
    let empty = text.replace("  }]\n", "  }],\n  \"g\": {}\n");
    let edited = apply(empty.as_bytes(), |editor| {
        editor.relocate("/a", "/g/d").is_ok()
    });
    let edited = edited.unwrap();
    let value = &expected[expected.find("    // above").unwrap()..expected.find("  }]\n").unwrap()];
    let text_after = String::from_utf8(edited.text).unwrap();
    assert!(
        edited.dropped.is_empty() && text_after.contains(&format!("{{\n{value}")),
        "{text_after}"
    );
    // What has no place there is listed: a comment before a bracket on its line, and those of a value on one line.
    let text = text.replace("  }]\n", "  }],\n  \"i\": [\n    // none\n  ]\n");
    for (to, dropped, is_above) in [
        ("/c/-", &["// above", "// tail"][..], false),
        (
            "/i/0",
            &[
                "// in",
                "/* of y */",
                "// two",
                "/* s */",
                "// end",
                "// tail",
            ],
            true,
        ),
    ] {
        let edited = apply(text.as_bytes(), |editor| editor.relocate("/a", to).is_ok()).unwrap();
        assert_eq!(edited.dropped, dropped, "{to}");
        let text = String::from_utf8(edited.text).unwrap();
        assert_eq!(text.contains("    // above\n    {"), is_above, "{text}");
    }
}

/// The comments of a text.
pub(super) fn comments(text: &[u8]) -> Vec<String> {
    let mut plain = text.to_vec();
    blank(&mut plain, Dialect::Jsonc).unwrap();
    let marks = super::commented::gaps::marks(text, &plain).into_iter();
    let shown = marks.map(|mark| String::from_utf8_lossy(&text[mark.span]).into_owned());
    shown.filter(|comment| comment != ",").collect()
}

/// A pointer to every value of a text.
pub(super) fn paths(text: &[u8]) -> Vec<String> {
    let value: serde_json::Value = serde_json::from_slice(text).unwrap();
    let mut paths = Vec::new();
    let mut open = vec![(String::new(), &value)];
    while let Some((path, value)) = open.pop() {
        match value {
            serde_json::Value::Array(elements) => {
                let children = elements.iter().enumerate();
                open.extend(children.map(|(at, child)| (format!("{path}/{at}"), child)));
            }
            serde_json::Value::Object(members) => {
                let name = |key: &str| key.replace('~', "~0").replace('/', "~1");
                let children = members.iter();
                open.extend(children.map(|(key, child)| (format!("{path}/{}", name(key)), child)));
            }
            _ => {}
        }
        paths.push(path);
    }
    paths
}

proptest! {
    #![proptest_config(cases(400))]

    /// Every edit at every position succeeds, and only reported comments are lost.
    #[test]
    fn no_comment_is_lost(
        choices in prop::collection::vec(any::<u32>(), 0..60),
        places in prop::collection::vec(0..40_usize, 1..40),
        what in 0..6_u8,
        which in any::<prop::sample::Index>(),
        removes_above in any::<bool>(),
    ) {
        let text = with_comments(&valid_text(&choices), &places);
        let mut plain = text.clone();
        blank(&mut plain, Dialect::Jsonc).unwrap();
        let paths = paths(&plain);
        let path = &paths[which.index(paths.len())];
        let other = &paths[which.index(paths.len().pow(2)) / paths.len()];
        let edited = apply_with(&text, removes_above, |editor| match what {
            0 => editor.delete(path).is_ok(),
            1 => editor.set(path, "{\"new\": [1]}").is_ok(),
            2 => editor.append(path, "[2]").is_ok(),
            3 => editor.relocate(path, format!("{other}/moved")).is_ok(),
            4 => {
                let document = Document::parse(&plain).unwrap();
                let span = |path: &str| document.root().find(path).unwrap().span();
                let changes = [path, other].map(|path| (span(path), Action::Delete));
                editor.change(changes).is_ok()
            }
            _ => editor.insert(path, "3").is_ok(),
        });
        if let Some(edited) = edited {
            let shown = String::from_utf8_lossy(&text).into_owned();
            let mut expected = comments(&text);
            let mut found = comments(&edited.text);
            found.extend(edited.dropped);
            found.sort();
            expected.sort();
            prop_assert_eq!(found, expected, "{} at {} of {}", what, path, shown);
        }
    }
    /// A value that replaces another one takes its comments along, or is not moved: a comment may be ambiguous.
    #[test]
    fn moves_onto_values_lose_no_comment(
        values in prop::array::uniform3(prop::sample::select(vec!["[]", "{}", "1", "[1, []]", "{\"d\": {}}"])),
        gaps in prop::array::uniform6(prop::sample::select(vec!["", " ", "\n", "/* one */", "// two\n", "\n// three\n"])),
        moved in prop::sample::subsequence(vec!["/a", "/b", "/c"], 2).prop_shuffle(),
        removes_above in any::<bool>(),
    ) {
        let [before_a, after_a, before_b, after_b, before_c, after_c] = gaps;
        let [a, b, c] = values;
        let text = format!(
            "{{{before_a}\"a\":{a}{after_a},{before_b}\"b\":{b}{after_b},{before_c}\"c\":{c}{after_c}}}"
        );
        let (from, to, text) = (moved[0], moved[1], text.into_bytes());
        let mut plain = text.clone();
        blank(&mut plain, Dialect::Jsonc).unwrap();
        let document = Document::index(&text, Options::default().dialect(Dialect::Jsonc)).unwrap();
        let mut editor = document.edit();
        editor.remove_comments_above(removes_above);
        let is_made = editor.relocate(from, to).is_ok();
        let edited = editor.finish();
        let shown = String::from_utf8_lossy(&text).into_owned();
        let mut found = comments(&edited);
        found.extend(editor.dropped_comments().to_vec());
        found.sort();
        let mut expected = comments(&text);
        expected.sort();
        prop_assert_eq!(found, expected, "{} to {} of {}", from, to, shown);
        let (old, mut new) = (Document::parse(&plain).unwrap(), edited.clone());
        blank(&mut new, Dialect::Jsonc).unwrap();
        let mut moved = old.edit();
        prop_assert!(!is_made || moved.relocate(from, to).is_ok());
        prop_assert!(same_tokens(&new[..], 0..new.len(), &moved.finish()), "{} to {} of {}", from, to, shown);
    }

    /// In any layout of a member per line, a value that is removed or moved takes its comments along, or they are listed, and those of
    /// the others stay with theirs: what belongs to one value is in one place.
    #[test]
    fn comments_stay_with_their_value(
        members in prop::collection::vec(member(), 1..5),
        is_object in any::<bool>(),
        ends_with_comma in any::<bool>(),
        other in prop::sample::select(vec!["{}", "{ }", "{\n  }", "{\n    \"x\": 1\n  }", "{\n    // m9a\n    \"m9b\": 1 // m9d\n  }"]),
        which in any::<prop::sample::Index>(),
        to in prop::sample::select(vec![None, Some("/o/z"), Some("/z"), Some("/o")]),
    ) {
        let which = which.index(members.len());
        let lines: Vec<String> = members.iter().enumerate().map(|(number, member)| {
            let comma = if number + 1 < members.len() || ends_with_comma { "," } else { "" };
            member.shown(number, is_object, comma)
        }).collect();
        let [open, close] = if is_object { ["{", "}"] } else { ["[", "]"] };
        let text = format!("{{\n  \"c\": {open}\n{}  {close},\n  \"o\": {other}\n}}\n", lines.concat());
        let path = if is_object { format!("/c/k{which}") } else { format!("/c/{which}") };
        let edited = apply_with(text.as_bytes(), true, |editor| match to {
            None => editor.delete(&path).is_ok(),
            Some(to) => editor.relocate(&path, to).is_ok(),
        });
        let Some(edited) = edited else {
            return Ok(());
        };
        let new = String::from_utf8_lossy(&edited.text).into_owned();
        let found = marks(&new);
        // Above the first member, it is the header of the object if no other member has a comment of its own.
        let others = members.iter().enumerate().filter(|(number, _)| *number != which);
        let is_header = is_object && which == 0
            && others.into_iter().all(|(_, other)| other.above.is_empty() && other.after.is_empty());
        let id = b'0' + which as u8;
        let mut at_once = found.clone();
        at_once.retain(|&mark| !(is_header && mark == (id, b'a')));
        at_once.dedup_by_key(|mark| mark.0);
        let owners: std::collections::HashSet<u8> = at_once.iter().map(|mark| mark.0).collect();
        let ascends = found.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].1 < pair[1].1);
        prop_assert!(owners.len() == at_once.len() && ascends, "{} to {:?}: {}\n{}", path, to, text, new);
        // All others are there, and its own were removed.
        let listed = marks(&edited.dropped.concat());
        for mark in marks(&text) {
            let is_own = mark.0 == id;
            let is_replaced = to == Some("/o") && mark.0 == b'9';
            let is_kept = found.contains(&mark) || listed.contains(&mark);
            let may_go = is_own && to.is_none() || is_replaced;
            prop_assert!(is_kept || may_go, "{:?} {} to {:?}: {}\n{}", mark, path, to, text, new);
            let is_left = is_own && to.is_none() && found.contains(&mark);
            prop_assert!(!is_left || is_header && mark.1 == b'a', "{:?} {}: {}\n{}", mark, path, text, new);
        }
    }
}

/// A member or element on lines of its own, with comments.
#[derive(Clone, Debug)]
struct Lines {
    above: &'static str,
    value: &'static str,
    after: &'static str,
}

fn member() -> impl Strategy<Value = Lines> {
    let above = vec![
        "",
        "// mNa\n",
        "/* mNa */\n",
        "\n// mNa\n",
        "// one mNa\n    // two\n",
    ];
    let value = vec![
        "\"mNb\"",
        "{ \"mNb\": 1 }",
        "{\n      \"mNb\": 1 // mNc\n    }",
        "[\n      \"mNb\" // mNc\n    ]",
        "[]",
    ];
    let after = vec!["", " // mNd", " /* mNd */"];
    let select = prop::sample::select::<&'static str>;
    (select(above), select(value), select(after)).prop_map(|(above, value, after)| Lines {
        above,
        value,
        after,
    })
}

impl Lines {
    fn shown(&self, number: usize, is_object: bool, comma: &str) -> String {
        let Lines {
            above,
            value,
            after,
        } = self;
        let indent = if above.is_empty() { "" } else { "    " };
        let key = if is_object { "\"kN\": " } else { "" };
        let line_feed = above.strip_prefix('\n').map_or("", |_| "\n");
        let above = above.trim_start_matches('\n');
        format!("{line_feed}{indent}{above}    {key}{value}{comma}{after}\n")
            .replace('N', &number.to_string())
    }
}

/// The marks in a text, each with the number of its value, in order.
fn marks(text: &str) -> Vec<(u8, u8)> {
    let marks = text.as_bytes().windows(3);
    let marks = marks.filter(|mark| mark[0] == b'm' && mark[1].is_ascii_digit());
    marks.map(|mark| (mark[1], mark[2])).collect()
}
