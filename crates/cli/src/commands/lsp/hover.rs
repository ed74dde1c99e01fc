//! What is shown of a value: its paths, its type, its number, its schema.

use std::io::Write;

use jsonx_core::engine::{Locator, Place, Validator};
use jsonx_core::path::Notation;
use jsonx_core::{Document, Kind, Node};
use serde_json::{Value, json};

use super::server::{Server, range};
use super::view::{View, path_to};

/// The longest value whose children are counted.
const COUNTED: usize = 16 << 20;

/// Bytes that are looked through at a time.
const CHUNK: usize = 64 << 10;

/// The longest number and string to show.
const SHOWN: usize = 200;

impl<W: Write> Server<W> {
    /// The path of the value at an offset, and where it is in its text.
    pub fn located(&self, uri: &str, at: usize) -> Option<Place> {
        let open = self.documents.get(uri)?;
        let (check, kind) = self.reading(open);
        let view = View::at(open.text.bytes(), kind, &check, at);
        locate(&view, view.offset(at))
    }

    /// What is shown at an offset.
    pub fn hover(&mut self, uri: &str, at: usize) -> Option<Value> {
        let open = self.documents.get(uri)?;
        let (check, kind) = self.reading(open);
        let bytes = open.text.bytes().clone();
        let view = View::at(&bytes, kind, &check, at);
        let place = locate(&view, view.offset(at))?;
        let mut lines = Vec::new();
        let mut span = place.start as usize..place.end as usize;
        let notations = [Notation::Dot, Notation::JsonPath, Notation::Pointer];
        for notation in notations {
            if place.location.is_expressible(notation) {
                let shown = place.location.display(notation).to_string();
                lines.push(match shown.is_empty() {
                    true => "`\"\"` (JSON Pointer)".to_owned(),
                    false => code(&shown),
                });
            }
        }
        let is_short = view.text().len() <= COUNTED;
        let whole = is_short.then(|| view.document()).flatten();
        let value = match place.is_key {
            // Its value.
            true => whole.as_ref().and_then(|document| {
                let (_, value) = path_to(document, span.start).pop()?;
                Some(value.raw())
            }),
            false => view.text().get(span.clone()),
        };
        let document;
        let mut node = None;
        if let Some(value) = value.filter(|value| value.len() <= COUNTED) {
            document = Document::index(value, view.options).ok();
            node = document.as_ref().map(Document::root);
        }
        if let Some(node) = node {
            lines.push(described(node));
        }
        let steps = place.location.steps().to_vec();
        let own = own_schema(&view);
        let file = self.options_of(open);
        let schema = file.and_then(|file| self.schema_of(open, &file, own.as_deref()));
        if let Some((path, fragment)) = schema {
            let found = self.schema_files.at(&path, fragment.as_deref(), &steps);
            let said = |key: &str| found.iter().find_map(|schema| schema.text(key));
            let title = said("title").map(|title| format!("**{title}**"));
            lines.extend(title);
            lines.extend(said("description"));
        }
        if lines.is_empty() {
            return None;
        }
        span = view.span(span);
        let open = self.documents.get_mut(uri)?;
        Some(json!({
            "contents": {"kind": "markdown", "value": lines.join("\n\n")},
            "range": range(open.text.range(span)),
        }))
    }
}

/// The schema that a value names, if its root is short enough to be looked at.
pub fn own_schema(view: &View<'_>) -> Option<String> {
    if view.text().len() > COUNTED {
        return None;
    }
    let document = view.document()?;
    Some(document.get("$schema")?.as_str()?.into_owned())
}

/// The place at an offset of a text.
fn locate(view: &View<'_>, at: usize) -> Option<Place> {
    let mut locator = Locator::new(at as u64);
    let mut validator = Validator::new(view.options);
    for chunk in view.text().chunks(CHUNK) {
        // What is invalid may come after the place.
        if locator.is_done() || validator.write(chunk, &mut locator).is_err() {
            return locator.finish().ok()?;
        }
    }
    let _ = validator.finish(&mut locator);
    locator.finish().ok()?
}

/// The type of a value, its length, and what becomes of a number.
fn described(node: Node<'_, '_>) -> String {
    let count = |number: usize, one: &str, many: &str| match number {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    };
    match node.kind() {
        Kind::Object => format!("object, {}", count(node.len(), "member", "members")),
        Kind::Array => format!("array, {}", count(node.len(), "element", "elements")),
        Kind::String => {
            let text = node.as_str().unwrap_or_default();
            let length = count(text.chars().count(), "character", "characters");
            format!("string, {length}, {}", count(text.len(), "byte", "bytes"))
        }
        Kind::Number => {
            let Some(number) = node.number() else {
                return "number".to_owned();
            };
            let raw = number.raw();
            if raw.len() > SHOWN {
                return format!("number, {} digits and signs", raw.len());
            }
            let exact = String::from_utf8_lossy(raw).into_owned();
            let double = match number.as_f64() {
                None => "too large for a double".to_owned(),
                Some(double) => {
                    // All digits of the double, which `{}` would round.
                    let all = format!("{double:.1100}");
                    let all = all.trim_end_matches('0').trim_end_matches('.');
                    let is_exact = jsonx_core::number::compare(raw, all.as_bytes()).is_eq();
                    let all = match all.len() > SHOWN {
                        true => format!("{double:e}"),
                        false => all.to_owned(),
                    };
                    match is_exact {
                        true => "exact as a double".to_owned(),
                        false => format!("as a double {}", code(&all)),
                    }
                }
            };
            format!("number {}, {double}", code(&exact))
        }
        Kind::Boolean => "boolean".to_owned(),
        Kind::Null => "null".to_owned(),
    }
}

/// A text as code in Markdown, whatever backticks it has.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let text = text.replace(['\n', '\r'], " ");
    match longest {
        0 => format!("{fence}{text}{fence}"),
        _ => format!("{fence} {text} {fence}"),
    }
}
