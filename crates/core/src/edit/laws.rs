//! The laws of edits over documents in every style, as properties.

use proptest::prelude::*;
use serde_json::Value;

use super::Action;
use crate::document::{Document, Node};
use crate::path::{Location, Notation};
use crate::splice::Splices;
use crate::token::Kind;
use jsonx_testing::cases;

/// The style of a generated document.
#[derive(Clone, Debug)]
struct Layout {
    /// White space before and after a comma, around a colon, and the unit of indentation; `None` for a single line.
    before: &'static str,
    after: &'static str,
    colon: (&'static str, &'static str),
    unit: Option<&'static str>,
    end: &'static str,
    /// White space inside brackets on a single line.
    pad: &'static str,
    last: &'static str,
    mixed: bool,
    blank: bool,
    duplicates: bool,
}

/// Minified.
const PLAIN: Layout = Layout {
    before: "",
    after: "",
    colon: ("", ""),
    unit: None,
    end: "\n",
    pad: "",
    last: "",
    mixed: false,
    blank: false,
    duplicates: false,
};

const LAYOUTS: &[Layout] = &[
    PLAIN,
    // On one line, with padding.
    Layout {
        after: " ",
        colon: ("", " "),
        last: "\n",
        duplicates: true,
        ..PLAIN
    },
    Layout {
        after: " ",
        colon: (" ", " "),
        pad: " ",
        ..PLAIN
    },
    // Two spaces, tabs with CRLF, comma first, mixed, blank lines and aligned.
    Layout {
        colon: ("", " "),
        unit: Some("  "),
        last: "\n",
        ..PLAIN
    },
    Layout {
        colon: ("", " "),
        unit: Some("\t"),
        end: "\r\n",
        duplicates: true,
        ..PLAIN
    },
    Layout {
        before: "\n",
        after: " ",
        colon: ("", ": "),
        pad: " ",
        last: "\n",
        ..PLAIN
    },
    Layout {
        after: " ",
        colon: ("", " "),
        unit: Some("    "),
        last: "\n",
        mixed: true,
        duplicates: true,
        ..PLAIN
    },
    Layout {
        colon: ("", "    "),
        unit: Some("  "),
        last: "\n",
        mixed: true,
        blank: true,
        duplicates: true,
        ..PLAIN
    },
];

/// As [`cases`], but at least 100,000 if `JSONX_CASES` is set, as in CI.
pub(crate) fn many_cases(full: u32) -> ProptestConfig {
    let usual = cases(full);
    if std::env::var_os("JSONX_CASES").is_none() {
        return usual;
    }
    let cases = usual.cases.max(100_000);
    ProptestConfig {
        cases,
        max_global_rejects: cases.saturating_mul(4),
        ..usual
    }
}

/// A document from choices, in a style. Keys are unique unless the style has duplicates.
fn document(choices: &[u32], look: &Layout) -> Vec<u8> {
    let colon = match look.colon.1 {
        ": " => ("", " "),
        _ => look.colon,
    };
    let mut out = String::new();
    let mut open: Vec<(char, usize, bool)> = Vec::new();
    let separate =
        |out: &mut String, depth: usize, lines: bool, plain: &str, choice: u32| match look.unit {
            Some(unit) if lines => {
                if look.blank && choice.is_multiple_of(5) {
                    out.push_str(look.end);
                }
                out.push_str(look.end);
                (0..depth).for_each(|_| out.push_str(unit));
            }
            _ => out.push_str(plain),
        };
    for (number, &choice) in choices.iter().enumerate() {
        let depth = open.len();
        if depth > 0 && choice % 4 == 0 {
            let Some((close, count, lines)) = open.pop() else {
                break;
            };
            if count > 0 {
                separate(&mut out, depth - 1, lines, look.pad, 1);
            }
            out.push(close);
            if open.is_empty() {
                break;
            }
            continue;
        }
        if let Some((close, count, lines)) = open.last_mut() {
            match *count {
                0 => separate(&mut out, depth, *lines, look.pad, 1),
                _ => {
                    out.push_str(look.before);
                    out.push(',');
                    separate(&mut out, depth, *lines, look.after, choice >> 9);
                }
            }
            *count += 1;
            if *close == '}' {
                let key = match choice >> 5 & 3 {
                    0 if look.duplicates => "k".to_owned(),
                    1 => format!("\\u006b{number}\\\"/~"),
                    _ => format!("k{number}"),
                };
                // Pads to the column of alignment.
                let after = match colon.1 {
                    "    " => &colon.1[..1 + (choice >> 7) as usize % 4],
                    other => other,
                };
                out += &format!("\"{key}\"{}:{after}", colon.0);
            }
        }
        let scalars = [
            "null",
            "true",
            "1.50",
            "-0",
            "1e2",
            "\"\"",
            "\"a\\n\\u00e9\"",
            "\"[{,:\\\\\\\"}]\"",
            "12345678901234567890",
        ];
        match choice % 4 {
            1 | 2 => {
                let lines = !look.mixed || !(choice >> 3).is_multiple_of(3);
                out.push(if choice % 4 == 1 { '{' } else { '[' });
                open.push((if choice % 4 == 1 { '}' } else { ']' }, 0, lines));
            }
            _ => out.push_str(scalars[(choice >> 4) as usize % scalars.len()]),
        }
        if open.is_empty() {
            break;
        }
    }
    while let Some((close, count, lines)) = open.pop() {
        if count > 0 {
            separate(&mut out, open.len(), lines, look.pad, 1);
        }
        out.push(close);
    }
    if out.is_empty() {
        out.push_str("{}");
    }
    out.push_str(look.last);
    out.into_bytes()
}

/// Every value of a document with its pointer, parents first.
pub(crate) fn values<'d, 't>(document: &'d Document<'t>) -> Vec<(Location, Node<'d, 't>)> {
    let mut found = vec![(Location::default(), document.root())];
    let mut at = 0;
    while at < found.len() {
        let (location, node) = found[at].clone();
        for (index, child) in node.elements().enumerate() {
            let mut location = location.clone();
            location.push_index(index as u64);
            found.push((location, child));
        }
        for (key, child) in node.members() {
            let mut location = location.clone();
            location.push_key(key.as_str().unwrap().as_bytes());
            // The last of duplicate keys counts.
            let is_last = node
                .get(&*key.as_str().unwrap())
                .is_some_and(|last| last.span() == child.span());
            if is_last {
                found.push((location, child));
            }
        }
        at += 1;
    }
    found
}

pub(crate) fn pointer(location: &Location) -> String {
    location.display(Notation::Pointer).to_string()
}

fn parsed(text: &[u8]) -> Value {
    serde_json::from_slice(text)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(text)))
}

/// Whether a text is unchanged outside a span.
fn is_outside(old: &[u8], new: &[u8], from: usize, to: usize) -> bool {
    new.starts_with(&old[..from]) && new.ends_with(&old[to..])
}

/// The span that the removal or addition of a child may touch: the white space and the commas on both sides.
fn around(text: &[u8], from: usize, to: usize) -> (usize, usize) {
    let loose = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',');
    let mut span = (from, to);
    while span.0 > 0 && loose(text[span.0 - 1]) {
        span.0 -= 1;
    }
    while span.1 < text.len() && loose(text[span.1]) {
        span.1 += 1;
    }
    span
}

pub(crate) const NEW: &[&str] = &[
    "7",
    "\"x\"",
    "{}",
    "[1,2]",
    "{\"p\":[],\"q\":{\"r\":null}}",
    "1.500",
];

pub(super) fn inputs() -> impl Strategy<Value = (Vec<u8>, u32, &'static str)> {
    (
        0..LAYOUTS.len(),
        prop::collection::vec(any::<u32>(), 0..40),
        any::<u32>(),
        0..NEW.len(),
    )
        .prop_map(|(look, choices, pick, new)| (document(&choices, &LAYOUTS[look]), pick, NEW[new]))
}

proptest! {
    #![proptest_config(many_cases(2000))]

    /// Span, meaning, no-op: a replaced value.
    #[test]
    fn set_changes_the_bytes_of_the_value((text, pick, new) in inputs()) {
        let document = Document::parse(&text).unwrap();
        let values = values(&document);
        let (location, node) = &values[pick as usize % values.len()];
        let path = pointer(location);
        let mut editor = document.edit();
        let edited = editor.set(&path, new).unwrap().finish();
        let span = node.span();
        prop_assert!(is_outside(&text, &edited, span.start, span.end));
        let mut expected = parsed(&text);
        *expected.pointer_mut(&path).unwrap() = parsed(new.as_bytes());
        prop_assert_eq!(parsed(&edited), expected);
        // A single splice gives the same text.
        let local = Splices::at(&text[..], [(span.clone(), Action::Set(new.as_bytes()))]).unwrap();
        prop_assert_eq!(local.apply(&text), edited.clone());
        // Repeating the edit changes nothing, also after other edits.
        prop_assert_eq!(editor.set(&path, new).unwrap().finish(), edited.clone());
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let value = editor.value(parent).unwrap();
        prop_assert_eq!(editor.set(parent, value).unwrap().finish(), edited);
    }

    /// Setting a value to its own text or the same tokens changes nothing, in any style.
    #[test]
    fn the_same_tokens_are_no_change((text, pick, _) in inputs()) {
        let document = Document::parse(&text).unwrap();
        let values = values(&document);
        let (location, node) = &values[pick as usize % values.len()];
        let path = pointer(location);
        let spread = [b"\n\t", node.raw(), b" "].concat();
        for same in [node.raw(), &node.minified(), &spread] {
            prop_assert!(document.edit().set(&path, same).unwrap().splices().is_empty());
            prop_assert!(Splices::at(&text[..], [(node.span(), Action::Set(same))]).unwrap().is_empty());
        }
    }

    /// Blank lines around the document are preserved and do not affect edits.
    #[test]
    fn edits_do_not_depend_on_blank_lines_around((text, pick, new) in inputs(), before in 0..3usize, after in 0..3usize) {
        let end: &[u8] = if text.contains(&b'\r') { b"\r\n" } else { b"\n" };
        let text = text.trim_ascii();
        let (before, after) = (end.repeat(before), end.repeat(after));
        let around = [&before, text, &after].concat();
        let (alone, framed) = (Document::parse(text).unwrap(), Document::parse(&around).unwrap());
        let values = values(&alone);
        let (location, node) = &values[pick as usize % values.len()];
        let path = pointer(location);
        let inside = match node.kind() {
            Kind::Object => path.clone() + "/new",
            _ => path.clone() + "/-",
        };
        for (path, is_insert) in [(&path, false), (&inside, true)] {
            if is_insert && !node.is_container() {
                continue;
            }
            let edited = alone.edit().set(path, new).unwrap().finish();
            let expected = [&before, &edited[..], &after].concat();
            prop_assert_eq!(framed.edit().set(path, new).unwrap().finish(), expected);
        }
    }

    /// Span, meaning and undo: a member is added, and removed again.
    #[test]
    fn a_new_member_is_removed_again((text, pick, new) in inputs()) {
        let document = Document::parse(&text).unwrap();
        let objects: Vec<_> = values(&document).into_iter().filter(|(_, node)| node.kind() == Kind::Object).collect();
        if objects.is_empty() {
            return Ok(());
        }
        let (location, node) = &objects[pick as usize % objects.len()];
        let path = pointer(location) + "/new";
        let edited = document.edit().set(&path, new).unwrap().finish();
        let mut expected = parsed(&text);
        expected.pointer_mut(&pointer(location)).unwrap()["new"] = parsed(new.as_bytes());
        prop_assert_eq!(parsed(&edited), expected);
        let end = node.span().end - 1;
        let (from, to) = around(&text, end, end);
        prop_assert!(is_outside(&text, &edited, from, to));
        let change = Action::Add { key: b"new", value: new.as_bytes() };
        let local = Splices::at(&text[..], [(node.span(), change)]).unwrap();
        prop_assert_eq!(local.apply(&text), edited.clone());
        let again = Document::parse(&edited).unwrap();
        let undone = again.edit().delete(&path).unwrap().finish();
        prop_assert_eq!(String::from_utf8(undone).unwrap(), String::from_utf8(text.clone()).unwrap());
        // Also in one sequence.
        let mut editor = document.edit();
        editor.set(&path, new).unwrap().delete(&path).unwrap();
        prop_assert!(editor.splices().is_empty());
    }

    /// Span, meaning and undo: elements are appended and inserted.
    #[test]
    fn elements_are_added_anywhere((text, pick, new) in inputs(), place in any::<u32>()) {
        let document = Document::parse(&text).unwrap();
        let arrays: Vec<_> = values(&document).into_iter().filter(|(_, node)| node.kind() == Kind::Array).collect();
        if arrays.is_empty() {
            return Ok(());
        }
        let (location, node) = &arrays[pick as usize % arrays.len()];
        let at = place as usize % (node.len() + 1);
        let path = format!("{}/{at}", pointer(location));
        let edited = document.edit().insert(&path, new).unwrap().finish();
        let mut expected = parsed(&text);
        let array = expected.pointer_mut(&pointer(location)).unwrap().as_array_mut().unwrap();
        array.insert(at, parsed(new.as_bytes()));
        prop_assert_eq!(parsed(&edited), expected);
        let (change, span) = match node.elements().nth(at) {
            Some(before) => (Action::Insert(new.as_bytes()), before.span()),
            None => (Action::Append(new.as_bytes()), node.span()),
        };
        let spot = if at < node.len() { span.start } else { span.end - 1 };
        let (from, to) = around(&text, spot, spot);
        prop_assert!(is_outside(&text, &edited, from, to));
        let local = Splices::at(&text[..], [(span, change)]).unwrap();
        prop_assert_eq!(local.apply(&text), edited.clone());
        if at == node.len() {
            let undone = Document::parse(&edited).unwrap().edit().delete(&path).unwrap().finish();
            prop_assert_eq!(undone, text);
        }
    }

    /// Span and meaning: a child is removed.
    #[test]
    fn a_removed_child_takes_one_comma((text, pick, _) in inputs()) {
        let document = Document::parse(&text).unwrap();
        let values = values(&document);
        if values.len() < 2 {
            return Ok(());
        }
        let (location, node) = &values[1 + pick as usize % (values.len() - 1)];
        let path = pointer(location);
        let edited = document.edit().delete(&path).unwrap().finish();
        let mut expected = parsed(&text);
        let (parent, last) = path.rsplit_once('/').unwrap();
        let key = last.replace("~1", "/").replace("~0", "~");
        match expected.pointer_mut(parent).unwrap() {
            Value::Object(members) => drop(members.remove(&key)),
            Value::Array(elements) => drop(elements.remove(last.parse().unwrap())),
            _ => unreachable!(),
        }
        prop_assert_eq!(parsed(&edited), expected);
        let start = super::text::member_start(&text[..], node.span().start);
        let (from, to) = around(&text, start, node.span().end);
        let is_unique = !String::from_utf8_lossy(&text).contains("\"k\"");
        if is_unique {
            prop_assert!(is_outside(&text, &edited, from, to));
            let local = Splices::at(&text[..], [(node.span(), Action::Delete)]).unwrap();
            prop_assert_eq!(local.apply(&text), edited);
        }
    }

    /// Meaning: sequences of edits agree with a model.
    #[test]
    fn sequences_are_those_of_a_model((text, _, _) in inputs(), edits in prop::collection::vec(any::<(u32, u32, u32)>(), 1..12)) {
        if String::from_utf8_lossy(&text).contains("\"k\"") {
            return Ok(());
        }
        let document = Document::parse(&text).unwrap();
        let mut editor = document.edit();
        let mut model = parsed(&text);
        for (kind, pick, other) in edits {
            let paths = pointers(&model);
            let path = &paths[pick as usize % paths.len()];
            let new = NEW[other as usize % NEW.len()];
            let target = &paths[other as usize % paths.len()];
            match kind % 5 {
                0 => {
                    editor.set(path, new).unwrap();
                    *model.pointer_mut(path).unwrap() = parsed(new.as_bytes());
                }
                1 if !path.is_empty() => {
                    editor.delete(path).unwrap();
                    take(&mut model, path);
                }
                2 => {
                    let inside = format!("{target}/{}", if kind % 2 == 0 { "-" } else { "0" });
                    let added = add(&mut model, &inside, parsed(new.as_bytes()));
                    prop_assert_eq!(editor.insert(&inside, new).is_ok(), added, "{}", inside);
                }
                3 if !path.is_empty() => {
                    let inside = format!("{target}/{}", if kind % 2 == 0 { "x" } else { "0" });
                    if inside.starts_with(&format!("{path}/")) {
                        prop_assert!(editor.relocate(path, &inside).is_err());
                        continue;
                    }
                    let mut moved = model.clone();
                    let value = take(&mut moved, path);
                    let done = add(&mut moved, &inside, value);
                    let same = inside == *path;
                    prop_assert_eq!(editor.relocate(path, &inside).is_ok(), done || same, "{} {}", path, inside);
                    if done {
                        model = moved;
                    }
                }
                4 => {
                    let inside = format!("{target}/{}", if kind % 2 == 0 { "y" } else { "0" });
                    let value = model.pointer(path).unwrap().clone();
                    let done = add(&mut model, &inside, value);
                    prop_assert_eq!(editor.copy(path, &inside).is_ok(), done, "{} {}", path, inside);
                }
                _ => {}
            }
            prop_assert_eq!(&parsed(&editor.finish()), &model);
        }
    }
}

/// The pointers of all values of a model.
fn pointers(model: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut at = 0;
    while at < found.len() {
        let path = found[at].clone();
        match model.pointer(&path).unwrap() {
            Value::Array(elements) => {
                found.extend((0..elements.len()).map(|index| format!("{path}/{index}")))
            }
            Value::Object(members) => found.extend(
                members
                    .keys()
                    .map(|key| format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))),
            ),
            _ => {}
        }
        at += 1;
    }
    found
}

/// Removes a value of a model.
fn take(model: &mut Value, path: &str) -> Value {
    let (parent, last) = path.rsplit_once('/').unwrap();
    let key = last.replace("~1", "/").replace("~0", "~");
    match model.pointer_mut(parent).unwrap() {
        Value::Object(members) => members.remove(&key).unwrap(),
        Value::Array(elements) => elements.remove(last.parse().unwrap()),
        _ => unreachable!(),
    }
}

/// `add` of RFC 6902 on a model; `false` if it fails.
fn add(model: &mut Value, path: &str, value: Value) -> bool {
    let (parent, last) = path.rsplit_once('/').unwrap();
    let key = last.replace("~1", "/").replace("~0", "~");
    match model.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.insert(key, value);
            true
        }
        Some(Value::Array(elements)) => {
            let at = match last {
                "-" => Some(elements.len()),
                digits => digits.parse().ok().filter(|at| *at <= elements.len()),
            };
            match at {
                Some(at) => elements.insert(at, value),
                None => return false,
            }
            true
        }
        _ => false,
    }
}
