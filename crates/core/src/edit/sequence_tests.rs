//! Sequences of edits of a document with comments: their results and their lookups.

use proptest::prelude::*;

use super::commented_tests::{comments, paths};
use super::laws::{NEW, inputs};
use super::{EditError, Editor, SetOptions};
use crate::Document;
use crate::agreement::valid_text;
use crate::engine::Options;
use crate::jsonc::tests::with_comments;
use crate::jsonc::{Dialect, blank};
use crate::path::Path;
use jsonx_testing::cases;

/// An edit or a lookup.
#[derive(Clone, Debug)]
struct Step {
    kind: u8,
    path: prop::sample::Index,
    other: prop::sample::Index,
    new: usize,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let indexes = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        0..NEW.len(),
    );
    let step = (0..14_u8, indexes).prop_map(|(kind, (path, other, new))| Step {
        kind,
        path,
        other,
        new,
    });
    prop::collection::vec(step, 1..12)
}

/// Texts with comments, of arbitrary tokens in arbitrary layout.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let tokens =
        prop::collection::vec(any::<u32>(), 0..60).prop_map(|choices| valid_text(&choices));
    let layouts = inputs().prop_map(|(text, _, _)| text);
    let places = prop::collection::vec(0..120_usize, 1..40);
    (prop_oneof![tokens, layouts], places).prop_map(|(text, places)| with_comments(&text, &places))
}

/// Runs a step; returns the result of a lookup.
fn take(editor: &mut Editor<'_, '_>, step: &Step, paths: &[String]) -> Result<Vec<u8>, EditError> {
    let path = &paths[step.path.index(paths.len())];
    let other = &paths[step.other.index(paths.len())];
    let new = NEW[step.new];
    let mut answer = Vec::new();
    match step.kind {
        0 => editor.delete(path).map(drop),
        1 => editor.set(path, new).map(drop),
        2 => editor.set(format!("{path}/new"), new).map(drop),
        3 => editor.append(path, new).map(drop),
        4 => editor.insert(path, new).map(drop),
        5 => editor.insert(format!("{path}/-"), new).map(drop),
        6 => editor.insert(format!("{path}/0"), new).map(drop),
        7 => editor.relocate(path, other).map(drop),
        8 => editor.relocate(path, format!("{other}/moved")).map(drop),
        9 => editor.relocate(path, format!("{other}/0")).map(drop),
        10 => editor.copy(path, other).map(drop),
        11 => editor.copy(path, format!("{other}/-")).map(drop),
        12 => {
            let options = SetOptions::default().parents(true);
            let path = Path::parse(format!("{path}/p/q").as_bytes()).unwrap();
            editor.set_with(&path, new, options).map(drop)
        }
        _ => {
            let path = Path::parse(path.as_bytes()).unwrap();
            answer = editor.value(&path).unwrap();
            editor.test(&path, new).map(drop)
        }
    }?;
    Ok(answer)
}

/// A text after an edit by a separate editor.
fn alone(
    text: &[u8],
    edit: impl FnOnce(&mut Editor<'_, '_>) -> Result<Vec<u8>, EditError>,
) -> (Result<Vec<u8>, EditError>, bool, Vec<u8>, Vec<String>) {
    let document = Document::index(text, Options::default().dialect(Dialect::Jsonc)).unwrap();
    let mut editor = document.edit();
    let edited = edit(&mut editor);
    let dropped = editor.dropped_comments().to_vec();
    (edited, editor.take_duplicates(), editor.finish(), dropped)
}

/// The words of comments: comments moved to one line may be joined.
fn words<'c>(comments: impl IntoIterator<Item = &'c String>) -> Vec<&'c str> {
    let words = comments
        .into_iter()
        .flat_map(|comment| comment.split_whitespace());
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    words
}

proptest! {
    #![proptest_config(cases(1000))]

    /// Edits of one editor give the same texts, lookups, errors and reports as each edit applied to the result of the previous
    /// one. Only reported comments are lost; a copy has no comments.
    #[test]
    fn a_sequence_of_edits_equals_single_edits(text in texts(), steps in steps()) {
        let dialect = Options::default().dialect(Dialect::Jsonc);
        let document = Document::index(&text, dialect).unwrap();
        let mut editor = document.edit();
        let (mut now, mut dropped) = (text.clone(), Vec::new());
        for step in steps {
            let mut plain = now.clone();
            blank(&mut plain, Dialect::Jsonc).unwrap();
            let paths = paths(&plain);
            let shown = String::from_utf8_lossy(&now).into_owned();
            let (expected, duplicates, next, gone) = alone(&now, |editor| take(editor, &step, &paths));
            prop_assert_eq!(take(&mut editor, &step, &paths), expected, "{:?} of {:?}", step, shown);
            prop_assert_eq!(editor.take_duplicates(), duplicates, "{:?} of {:?}", step, shown);
            let found = String::from_utf8(editor.finish()).unwrap();
            let next = String::from_utf8(next).unwrap();
            prop_assert_eq!(&found, &next, "{:?} at {:?} of {:?}", step, paths[step.path.index(paths.len())], shown);
            let (before, kept) = (comments(&now), comments(next.as_bytes()));
            let after = words(kept.iter().chain(&gone));
            prop_assert_eq!(after, words(&before), "{:?} of {:?}: {:?}", step, shown, next);
            dropped.extend(gone);
            prop_assert_eq!(editor.dropped_comments(), &dropped[..], "{:?} of {:?}", step, shown);
            now = next.into_bytes();
        }
    }
}

/// Makes a text of this many lines, each with a comment, and edits of one kind.
type Family = (&'static str, fn(usize) -> (String, Vec<String>));

const FAMILIES: &[Family] = &[
    ("appended", |n| (lines(n), vec!["append /a 1".into(); n])),
    ("appended on one line", |n| {
        (
            format!("{{\"a\": [{}1,]}} // end\n", "1, /* one */ ".repeat(n)),
            vec!["append /a 1".into(); n],
        )
    }),
    ("objects appended", |n| {
        (lines(n), vec!["append /a {\"k\":[1]}".into(); n])
    }),
    ("objects appended after a trailing comma", |n| {
        let text = lines(n).replace("    0\n", "    0,\n");
        (text, vec!["append /a {\"k\":[1]}".into(); n])
    }),
    ("objects inserted anywhere", |n| {
        let edit = |i| format!("insert /a/{} {{\"k\":[1]}}", i * 7919 % n);
        (lines(n), (0..n).map(edit).collect())
    }),
    ("inserted first", |n| {
        (lines(n), vec!["insert /a/0 1".into(); n])
    }),
    ("inserted anywhere", |n| {
        (
            lines(n),
            (0..n)
                .map(|i| format!("insert /a/{} 1", i * 7919 % n))
                .collect(),
        )
    }),
    ("removed", |n| {
        (
            lines(n).replace("    /* above */\n", ""),
            vec!["delete /a/0".into(); n],
        )
    }),
    ("removed from the end", |n| {
        (
            lines(n).replace("    /* above */\n", ""),
            vec!["delete .a[-1]".into(); n],
        )
    }),
    ("replaced", |n| {
        (
            lines(n),
            (0..n)
                .map(|i| format!("set /a/{} {i}", i * 7919 % n))
                .collect(),
        )
    }),
    ("new members", |n| {
        (lines(n), (0..n).map(|i| format!("set /k{i} {i}")).collect())
    }),
    ("moved to the end", |n| {
        (lines(n), vec!["relocate /a/0 /a/-".into(); n])
    }),
    ("moved to another container", |n| {
        (
            lines(n),
            (0..n).map(|i| format!("relocate /a/0 /b/m{i}")).collect(),
        )
    }),
    ("copied", |n| (lines(n), vec!["copy /a/0 /a/-".into(); n])),
    ("asked", |n| {
        (lines(n), (0..n).map(|i| format!("value /a/{i}")).collect())
    }),
];

fn lines(n: usize) -> String {
    let each = (0..n).map(|i| format!("    {i}, // {i}\n    /* above */\n"));
    format!(
        "{{\n  // all\n  \"a\": [\n{}    0\n  ],\n  \"b\": {{}}\n}}\n",
        each.collect::<String>()
    )
}

/// One edit per line reads a few bytes each, and the text once. (No comments are above removed values: those stay, and each
/// adjacent edit reads them again.)
#[test]
fn edits_read_only_their_surroundings() {
    for (name, family) in FAMILIES {
        let read = |n: usize, dialect: Dialect| {
            let (text, edits) = family(n);
            let mut text = text.into_bytes();
            if dialect == Dialect::Json {
                blank(&mut text, Dialect::Jsonc).unwrap();
            }
            let document = Document::index(&text, Options::default().dialect(dialect)).unwrap();
            let mut editor = document.edit();
            for edit in edits {
                let words: Vec<&str> = edit.split(' ').collect();
                match words[0] {
                    "append" => editor.append(words[1], words[2]).map(drop),
                    "insert" => editor.insert(words[1], words[2]).map(drop),
                    "delete" => editor.delete(words[1]).map(drop),
                    "set" => editor.set(words[1], words[2]).map(drop),
                    "relocate" => editor.relocate(words[1], words[2]).map(drop),
                    "copy" => editor.copy(words[1], words[2]).map(drop),
                    _ => editor.value(words[1]).map(drop),
                }
                .unwrap();
            }
            editor.rope.pieces.read.get()
        };
        for dialect in [Dialect::Json, Dialect::Jsonc] {
            let (short, long) = (read(100, dialect), read(800, dialect));
            assert!(long <= 16 * short, "{name}: {short} and {long} bytes");
        }
    }
}
