//! Hovers: the paths of a value, its type, its number, its schema, and explanations of findings.

use std::io::Write;
use std::ops::Range;

use jsonx_core::engine::{Locator, Place, Stop, Validator};
use jsonx_core::path::Notation;
use jsonx_core::{Document, Kind, Node};
use serde_json::{Value, json};

use super::completion::values;
use super::document::Open;
use super::findings::meaning;
use super::protocol::range;
use super::server::Server;
use super::view::{View, path_to};

/// The longest value whose children are counted.
const COUNTED: usize = 16 << 20;

/// Maximum number of findings to explain.
const EXPLAINED: usize = 3;

/// Bytes that are searched at a time.
const CHUNK: usize = 64 << 10;

/// The longest number and string to show.
const SHOWN: usize = 200;

impl<W: Write> Server<W> {
    /// The path of the value at an offset, and its position in the text.
    pub fn located(&self, open: &Open, at: usize) -> Option<Place> {
        let view = self.view(open, at);
        locate(&view, view.offset(at))
    }

    /// The value at an offset, its schema, and the findings there with their explanations.
    pub fn hover(&self, open: &Open, at: usize) -> Option<Value> {
        let mut lines = Vec::new();
        let mut span = self.hover_value(open, at, &mut lines);
        let mut explained = Vec::new();
        for finding in self.found(open) {
            let is_here = finding.span.start <= at && at <= finding.span.end;
            if !is_here || explained.contains(&finding.code) {
                continue;
            }
            if let Some(meaning) = meaning(finding.code) {
                explained.push(finding.code);
                lines.push(format!("`{}`: {meaning}", finding.code));
                span.get_or_insert(finding.span.start..finding.span.end);
            }
            if explained.len() == EXPLAINED {
                break;
            }
        }
        Some(json!({
            "contents": {"kind": "markdown", "value": lines.join("\n\n")},
            "range": range(open.text.range(span?)),
        }))
    }

    /// Describes the value at an offset, and returns its span.
    fn hover_value(&self, open: &Open, at: usize, lines: &mut Vec<String>) -> Option<Range<usize>> {
        let view = self.view(open, at);
        let place = locate(&view, view.offset(at))?;
        let span = place.start as usize..place.end as usize;
        let notations = [Notation::Dot, Notation::JsonPath, Notation::Pointer];
        for notation in notations {
            if place.location.is_expressible(notation) {
                let shown = place.location.display(notation).to_string();
                lines.push(if shown.is_empty() {
                    "`\"\"` (JSON Pointer)".to_owned()
                } else {
                    code(&shown)
                });
            }
        }
        let is_short = view.text().len() <= COUNTED;
        let whole = is_short.then(|| view.document()).flatten();
        let value = if place.is_key {
            // Its value.
            whole.as_ref().and_then(|document| {
                let (_, value) = path_to(document, span.start).pop()?;
                Some(value.raw())
            })
        } else {
            view.text().get(span.clone())
        };
        let value = value.filter(|value| value.len() <= COUNTED);
        let document = value.and_then(|value| Document::index(value, view.options).ok());
        lines.extend(document.as_ref().map(|it| described(it.root())));
        let root = whole.as_ref().map(Document::root);
        let schemas = self.schemas_at(open, root, place.location.steps());
        let said = |key: &str| schemas.iter().find_map(|schema| schema.text(key));
        lines.extend(said("title").map(|title| format!("**{title}**")));
        lines.extend(schemas.iter().find_map(values::description));
        if let Some(value) = value.filter(|_| !place.is_key) {
            lines.extend(values::described(&schemas, &String::from_utf8_lossy(value)));
        }
        Some(view.span(span))
    }
}

/// The place at an offset of a text, which may be invalid after it.
fn locate(view: &View<'_>, at: usize) -> Option<Place> {
    let text = view.text();
    let mut locator = Locator::new(at as u64);
    let mut validator = Validator::new(view.options);
    let mut chunks = text.chunks(CHUNK);
    let error = loop {
        let checked = match chunks.next() {
            _ if locator.is_done() => break None,
            Some(chunk) => validator.write(chunk, &mut locator),
            None => break validator.finish(&mut locator).err(),
        };
        if let Err(error) = checked {
            break Some(error);
        }
    };
    let place = locator.finish().ok()?;
    let Some(Stop::Invalid(error)) = error.filter(|_| place.is_none()) else {
        return place;
    };
    // Values are only known if the whole block is valid, so retry without the rest.
    let valid = text.get(..usize::try_from(error.offset).ok()?)?;
    let mut locator = Locator::new(at as u64);
    let _ = Validator::new(view.options).check(valid, &mut locator);
    locator.finish().ok()?
}

/// The type of a value, its length, and the double nearest to a number.
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
                    let all = if all.len() > SHOWN {
                        format!("{double:e}")
                    } else {
                        all.to_owned()
                    };
                    if is_exact {
                        "exact as a double".to_owned()
                    } else {
                        format!("as a double {}", code(&all))
                    }
                }
            };
            format!("number {}, {double}", code(&exact))
        }
        Kind::Boolean => "boolean".to_owned(),
        Kind::Null => "null".to_owned(),
    }
}

/// A text as code in Markdown, even if it has backticks.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let text = text.replace(['\n', '\r'], " ");
    match longest {
        0 => format!("{fence}{text}{fence}"),
        _ => format!("{fence} {text} {fence}"),
    }
}
