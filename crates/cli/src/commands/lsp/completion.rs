//! Completion of keys and values, by the schema of the document.
//!
//! A document is seldom valid while something is typed. So a string that occurs nowhere else takes the place of what is typed, the
//! text is repaired as `fix --all` does, and the string shows where in the result the cursor is.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use jsonx_core::diagnose::Applicability;
use jsonx_core::path::Step;
use jsonx_core::repair::{RepairOptions, repair};
use jsonx_core::{Document, Kind, Node};
use serde_json::{Map, Value, json};

use super::schemas::Part;
use super::server::{Server, range};
use super::text::Text;
use crate::check::InputKind;

/// The longest text that is completed.
const LONGEST: usize = 1 << 20;

/// Bytes around the cursor that may belong to what is typed.
const NEAR: usize = 4096;

/// Stands for what is typed.
const MARK: &str = "jsonx:typed:here";

/// What is typed at the cursor.
struct Typed {
    /// With the quotes that it has.
    span: Range<usize>,
}

/// Where the cursor is in the repaired text.
struct Cursor {
    steps: Vec<Step>,
    is_key: bool,
    /// The keys of the object.
    keys: Vec<String>,
    own_schema: Option<String>,
}

impl<W: Write> Server<W> {
    /// What may be typed at an offset.
    pub fn complete(&mut self, uri: &str, at: usize) -> Option<Value> {
        let open = self.documents.get(uri)?;
        let (_, kind) = self.reading(open);
        let bytes = open.text.bytes().clone();
        let record = match kind {
            InputKind::Jsonl => {
                let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |at| at + 1);
                let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end);
                start..end
            }
            _ => 0..bytes.len(),
        };
        if record.len() > LONGEST {
            return None;
        }
        let typed = typed(&bytes[record.clone()], at - record.start);
        let text = &bytes[record.clone()];
        let cursor = find(text, &typed, kind)?;
        let file = self.options_of(open)?;
        let folder = open.path.parent().map(Path::to_owned);
        let place = self.schema_of(open, &file, cursor.own_schema.as_deref());
        let parts = match place {
            Some((path, fragment)) => {
                self.schema_files
                    .at(&path, fragment.as_deref(), &cursor.steps)
            }
            None => Vec::new(),
        };
        let has_snippets = self.client.has_snippets;
        let rest = text[typed.span.end..].trim_ascii_start();
        let mut items = match cursor.is_key {
            true => {
                let has_value = rest.starts_with(b":");
                self.keys(&parts, &cursor, has_value)
            }
            false => {
                let is_schema =
                    matches!(cursor.steps.last(), Some(Step::Key(key)) if **key == *b"$schema");
                match is_schema && cursor.steps.len() == 1 {
                    true => schema_names(folder.as_deref()),
                    false => self.values(&parts),
                }
            }
        };
        let open = self.documents.get_mut(uri)?;
        let span = record.start + typed.span.start..record.start + typed.span.end;
        let edited = edited(&mut open.text, span);
        for item in &mut items {
            let new = item["textEdit"].take();
            item["textEdit"] = json!({"range": edited, "newText": new});
            if has_snippets {
                item["insertTextFormat"] = json!(2);
            }
        }
        Some(json!({"isIncomplete": false, "items": items}))
    }

    /// The values that may stand at a place.
    fn values(&mut self, parts: &[Part]) -> Vec<Value> {
        let has_snippets = self.client.has_snippets;
        let mut items = listed_items(parts);
        let missing = self.missing(parts, &[]);
        if !missing.is_empty() {
            let mut number = 1;
            let members = missing.iter();
            let members =
                members.map(|(name, below)| member(name, below, &mut number, has_snippets));
            let names: Vec<&str> = missing.iter().map(|(name, _)| &**name).collect();
            let text = members.collect::<Vec<_>>().join(", ");
            items.push(json!({
                "label": format!("{{ {} }}", names.join(", ")),
                "kind": 15,
                "filterText": "{",
                "sortText": "9",
                "textEdit": match has_snippets {
                    true => format!("{{{text}\\}}"),
                    false => format!("{{{text}}}"),
                },
            }));
        }
        items
    }

    /// The required members that are not among these keys, and their schemas.
    fn missing(&mut self, parts: &[Part], keys: &[String]) -> Vec<(String, Vec<Part>)> {
        let mut missing: Vec<(String, Vec<Part>)> = Vec::new();
        for part in parts {
            let required = part.value().get("required").and_then(Value::as_array);
            let required = required.into_iter().flatten().filter_map(Value::as_str);
            for name in required {
                let is_known = keys.iter().any(|key| key == name);
                if !is_known && !missing.iter().any(|(key, _)| key == name) {
                    let steps = [Step::Key(name.as_bytes().into())];
                    let below = self.schema_files.below(parts.to_vec(), &steps);
                    missing.push((name.to_owned(), below));
                }
            }
        }
        missing
    }

    /// The keys that an object may have.
    fn keys(&mut self, parts: &[Part], cursor: &Cursor, has_value: bool) -> Vec<Value> {
        let has_snippets = self.client.has_snippets;
        let mut items: Vec<Value> = Vec::new();
        let mut known: Vec<String> = cursor.keys.clone();
        let missing = self.missing(parts, &cursor.keys);
        for part in parts {
            let properties = part.value().get("properties").and_then(Value::as_object);
            for name in properties.into_iter().flat_map(Map::keys) {
                if known.contains(name) {
                    continue;
                }
                known.push(name.clone());
                let steps = [Step::Key(name.as_bytes().into())];
                let below = self.schema_files.below(vec![part.clone()], &steps);
                let about = below
                    .iter()
                    .find_map(|it| it.text("description").or(it.text("title")));
                let is_required = missing.iter().any(|(key, _)| key == name);
                items.push(json!({
                    "label": name,
                    "kind": 10,
                    "detail": type_of(&below),
                    "documentation": about,
                    "filterText": quoted(name),
                    "sortText": format!("{}{name}", if is_required { 0 } else { 1 }),
                    "textEdit": match has_value {
                        true => escaped(&quoted(name), has_snippets),
                        false => member(name, &below, &mut 1, has_snippets),
                    },
                }));
            }
        }
        if !has_value && missing.len() > 1 {
            let names: Vec<&str> = missing.iter().map(|(name, _)| &**name).collect();
            let mut number = 1;
            let members = missing.iter();
            let members =
                members.map(|(name, below)| member(name, below, &mut number, has_snippets));
            items.push(json!({
                "label": format!("required: {}", names.join(", ")),
                "kind": 15,
                "filterText": quoted("required"),
                "sortText": "0",
                "textEdit": members.collect::<Vec<_>>().join(", "),
            }));
        }
        let is_root = cursor.steps.is_empty();
        if is_root && !known.iter().any(|key| key == "$schema") {
            let value = if has_snippets { "\"$1\"" } else { "\"\"" };
            let key = escaped("\"$schema\"", has_snippets);
            items.push(json!({
                "label": "$schema",
                "kind": 10,
                "filterText": "\"$schema\"",
                "sortText": "2",
                "textEdit": match has_value {
                    true => key,
                    false => format!("{key}: {value}"),
                },
            }));
        }
        items
    }
}

/// What is typed around an offset of a text.
fn typed(text: &[u8], at: usize) -> Typed {
    let at = at.min(text.len());
    let begin = at.saturating_sub(NEAR);
    let line = memchr::memrchr2(b'\n', b'\r', &text[begin..at]).map_or(begin, |it| begin + it + 1);
    let mut quote = None;
    let mut place = line;
    while place < at {
        match text[place] {
            b'\\' if quote.is_some() => place += 1,
            b'"' => {
                quote = match quote {
                    None => Some(place),
                    Some(_) => None,
                }
            }
            _ => {}
        }
        place += 1;
    }
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_$-+./@#:".contains(byte) || *byte >= 0x80;
    let after = &text[at..text.len().min(at + NEAR)];
    if let Some(start) = quote {
        let more = after.iter().take_while(|byte| is_word(byte)).count();
        let end = match text.get(at + more) {
            Some(b'"') => at + more + 1,
            _ => at,
        };
        return Typed { span: start..end };
    }
    let is_plain = |byte: &u8| is_word(byte) && *byte != b':';
    let before = text[line..at]
        .iter()
        .rev()
        .take_while(|byte| is_plain(byte))
        .count();
    let more = after.iter().take_while(|byte| is_plain(byte)).count();
    Typed {
        span: at - before..at + more,
    }
}

/// Where the cursor is, once the text is repaired.
fn find(text: &[u8], typed: &Typed, kind: InputKind) -> Option<Cursor> {
    // What follows a key may be missing.
    let ends = ["", ": null", ",", ": null,"];
    ends.iter().find_map(|end| repaired(text, typed, end, kind))
}

/// Where the cursor is, if the text can be repaired with this after what is typed.
fn repaired(text: &[u8], typed: &Typed, end: &str, kind: InputKind) -> Option<Cursor> {
    let mark = format!("\"{MARK}\"{end}");
    let before = &text[..typed.span.start];
    let marked = [before, mark.as_bytes(), &text[typed.span.end..]].concat();
    let marked = marked
        .strip_prefix(crate::input::BYTE_ORDER_MARK)
        .unwrap_or(&marked);
    let options = RepairOptions::default()
        .with(Applicability::Review)
        .dialect(kind.dialect())
        .max_input(2 * LONGEST);
    let repaired = repair(marked, &options);
    let options = jsonx_core::engine::Options::default().dialect(kind.dialect());
    let document = Document::index(&repaired.text, options).ok()?;
    cursor(&document)
}

/// Where the mark is in a document.
fn cursor(document: &Document<'_>) -> Option<Cursor> {
    // A value, the place of its parent in the list, and its step.
    let mut all: Vec<(Node<'_, '_>, usize, Option<Step>)> = vec![(document.root(), 0, None)];
    let mut next = 0;
    let is_mark = |node: Node<'_, '_>| node.as_str().is_some_and(|text| text == MARK);
    let mut found = None;
    while let Some(&(node, ..)) = all.get(next) {
        if node.kind() == Kind::String && is_mark(node) {
            found = Some((next, false));
            break;
        }
        if node.members().any(|(key, _)| is_mark(key)) {
            found = Some((next, true));
            break;
        }
        for (key, value) in node.members() {
            let key = key.as_str().unwrap_or_default();
            all.push((value, next, Some(Step::Key(key.as_bytes().into()))));
        }
        for (index, value) in node.elements().enumerate() {
            all.push((value, next, Some(Step::Index(index as u64))));
        }
        next += 1;
    }
    let (place, is_key) = found?;
    let keys = all[place]
        .0
        .members()
        .filter_map(|(key, _)| Some(key.as_str()?.into_owned()));
    let keys = keys.filter(|key| key != MARK).collect();
    let mut steps = Vec::new();
    let mut at = place;
    while let (_, parent, Some(step)) = &all[at] {
        steps.push(step.clone());
        at = *parent;
    }
    steps.reverse();
    let own = document.get("$schema").and_then(Node::as_str);
    Some(Cursor {
        steps,
        is_key,
        keys,
        own_schema: own.map(|own| own.into_owned()),
    })
}

fn edited(text: &mut Text, span: Range<usize>) -> Value {
    range(text.range(span))
}

/// A text as a string of JSON.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A text in a snippet.
fn escaped(text: &str, is_snippet: bool) -> String {
    match is_snippet {
        true => text
            .replace('\\', "\\\\")
            .replace('$', "\\$")
            .replace('}', "\\}"),
        false => text.to_owned(),
    }
}

/// The values that schemas list.
fn listed(parts: &[Part]) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    let mut add = |value: &Value| {
        if !all.contains(value) {
            all.push(value.clone());
        }
    };
    for part in parts {
        let value = part.value();
        let several = ["enum", "examples"]
            .iter()
            .filter_map(|key| value.get(key)?.as_array());
        several.flatten().for_each(&mut add);
        let single = ["const", "default"].iter().filter_map(|key| value.get(key));
        single.for_each(&mut add);
        let types = match value.get("type") {
            Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(one)) => vec![&**one],
            _ => Vec::new(),
        };
        if types.contains(&"boolean") {
            [true, false].map(Value::Bool).iter().for_each(&mut add);
        }
        if types.contains(&"null") {
            add(&Value::Null);
        }
    }
    all
}

/// The type that schemas demand.
fn type_of(parts: &[Part]) -> Option<String> {
    parts.iter().find_map(|part| part.text("type"))
}

/// The values that schemas list for a place.
fn listed_items(parts: &[Part]) -> Vec<Value> {
    let listed = listed(parts);
    let about = parts
        .iter()
        .find_map(|it| it.text("description").or(it.text("title")));
    let items = listed.into_iter().enumerate().map(|(number, value)| {
        let text = value.to_string();
        json!({
            "label": text,
            "kind": 12,
            "documentation": about,
            "filterText": text,
            "sortText": format!("{number:04}"),
            "textEdit": text,
        })
    });
    items.collect()
}

/// A member as a snippet, whose places begin with `number`.
fn member(name: &str, below: &[Part], number: &mut usize, is_snippet: bool) -> String {
    let key = escaped(&quoted(name), is_snippet);
    if !is_snippet {
        return format!("{key}: ");
    }
    let place = *number;
    *number += 1;
    let listed: Vec<String> = listed(below).iter().map(Value::to_string).collect();
    let is_choice = |text: &String| !text.contains(['\\', '$', '}', '{', '|', ',']);
    let value = match type_of(below).as_deref() {
        _ if listed.len() > 1 && listed.iter().all(is_choice) => {
            format!("${{{place}|{}|}}", listed.join(","))
        }
        _ if listed.len() == 1 && is_choice(&listed[0]) => format!("${{{place}:{}}}", listed[0]),
        Some("string") => format!("\"${place}\""),
        Some("array") => format!("[${place}]"),
        Some("object") => format!("{{${place}}}"),
        _ => format!("${place}"),
    };
    format!("{key}: {value}")
}

/// What `$schema` may name: drafts, and the schemas beside the document.
fn schema_names(folder: Option<&Path>) -> Vec<Value> {
    let mut names: Vec<String> = Vec::new();
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok());
    for entry in entries.into_iter().flatten().flatten().take(1000) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".schema.json") {
            names.push(format!("./{name}"));
        }
    }
    names.sort();
    names.extend(jsonx_schema::DRAFT_URIS.map(str::to_owned));
    let items = names.iter().enumerate().map(|(number, name)| {
        let text = quoted(name);
        json!({
            "label": text, "kind": 17, "filterText": text,
            "sortText": format!("{number:04}"), "textEdit": text,
        })
    });
    items.collect()
}
