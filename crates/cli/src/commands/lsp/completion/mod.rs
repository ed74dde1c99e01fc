//! Completion of keys and values: by the schema of the document, or else by similar values in it.
//!
//! An item is only offered if the text with it has no more errors than before, so the validator decides between alternatives.

mod cursor;
mod snippet;
pub mod values;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use jsonx_core::diagnose::{Code, Diagnostic, Severity};
use jsonx_core::engine::Options;
use jsonx_core::path::Step;
use jsonx_core::{Document, Kind, Node};
use serde_json::{Value, json};

use self::cursor::{Cursor, Form, MARK};
use self::snippet::{Places, literal, plain};
use super::document::Open;
use super::protocol::range;
use super::server::Server;
use super::view::{LONGEST, is_container, record_at, repaired};
use crate::schema::Subschema;

/// Bytes that are checked for the items of one request. The client asks again for the rest.
const CHECKED: usize = 32 << 20;

/// The cost of a check beside that of the bytes.
const CHECK: usize = 2 << 10;

/// Values of a document without a schema that are offered, and their length.
const SIMILAR: usize = 100;

/// The kinds of items.
mod kind {
    pub const PROPERTY: u32 = 10;
    pub const VALUE: u32 = 12;
    pub const SNIPPET: u32 = 15;
    pub const FILE: u32 = 17;
}

/// A completion item.
struct Item {
    label: String,
    kind: u32,
    /// The characters for which it is offered.
    filter: String,
    /// The order of items.
    sort: String,
    /// Snippets, of which the first that makes no error is inserted.
    new: Vec<String>,
    detail: Option<String>,
    about: Option<String>,
}

impl<W: Write> Server<W> {
    /// The texts that may be typed at an offset.
    pub fn complete(&self, open: &Open, at: usize) -> Option<Value> {
        let (_, kind) = self.reading(open);
        let bytes = open.text.bytes();
        let record = record_at(bytes, kind, at);
        if record.len() > LONGEST {
            return None;
        }
        let text = &bytes[record.clone()];
        let syntax = self.syntax_errors(open, text);
        let (form, is_valid) = self.form(open, text, at - record.start, syntax)?;
        let marked = repaired(&form.marked(text), kind.dialect()).text;
        let options = Options::default().dialect(kind.dialect());
        let document = Document::index(&marked, options).ok()?;
        let cursor = cursor::find(&document, form.is_member)?;
        let before = text[..form.typed.start].trim_ascii_end();
        if cursor.is_key && form.comma_before.is_none() && before.ends_with(b"\"") {
            // `{"key" |}`: its colon and value come first.
            return None;
        }
        let schemas = self.schemas_at(open, Some(document.root()), &cursor.steps);
        let names_schema = matches!(&cursor.steps[..], [Step::Key(key)] if **key == *b"$schema");
        let mut items = match cursor.is_key {
            true => keys(&document, &cursor, &schemas, &form, open.path.parent()),
            false if names_schema => schema_names(open.path.parent()),
            false => values(&document, &cursor, &schemas),
        };
        let typed = &text[form.typed.start..at - record.start];
        items.sort_by_key(|item| !item.filter.as_bytes().starts_with(typed));
        let most = self
            .errors(open, &repaired(text, kind.dialect()).text)
            .count();
        let (mut left, mut is_incomplete) = (CHECKED, false);
        let mut allows = |new: &String| {
            let (before, after) = (&marked[..cursor.span.start], &marked[cursor.span.end..]);
            let item = plain(new);
            let with_item = [before, item.as_bytes(), after].concat();
            match left.checked_sub(with_item.len() + CHECK) {
                Some(rest) => left = rest,
                None => is_incomplete = true,
            }
            !is_incomplete && self.errors(open, &with_item).count() <= most && {
                // In an invalid text, what an item is may decide what follows.
                is_valid || self.syntax_errors(open, &form.with(text, &item)) <= syntax
            }
        };
        let mut offered = Vec::new();
        for item in items {
            // A schema is chosen before the document conforms to it.
            let new = if names_schema && !cursor.is_key {
                item.new.first()
            } else {
                item.new.iter().find(|new| allows(new))
            };
            offered.extend(new.cloned().map(|new| (item, new)));
        }
        let is_snippet = self.client.has_snippets;
        let place = |span: std::ops::Range<usize>| {
            range(
                open.text
                    .range(record.start + span.start..record.start + span.end),
            )
        };
        let replaced = place(form.typed.clone());
        let is_before = form.comma_before == Some(form.typed.start);
        let comma = form.comma_before.filter(|_| !is_before);
        let comma = comma.map(|at| json!([{"range": place(at..at), "newText": ","}]));
        let items = offered.into_iter().map(|(item, new)| {
            let new = if is_snippet { new } else { plain(&new) };
            let before = if is_before { ", " } else { "" };
            let after = if form.has_comma_after { "," } else { "" };
            let mut sent = json!({
                "label": item.label,
                "kind": item.kind,
                "detail": item.detail,
                "documentation": item.about,
                "filterText": item.filter,
                "sortText": item.sort,
                "insertTextFormat": if is_snippet { 2 } else { 1 },
                "textEdit": {"range": replaced, "newText": format!("{before}{new}{after}")},
            });
            if let Some(comma) = &comma {
                sent["additionalTextEdits"] = comma.clone();
            }
            sent
        });
        let items = Vec::from_iter(items);
        Some(json!({"isIncomplete": is_incomplete, "items": items}))
    }

    /// The form of an item at an offset that makes the fewest syntax errors, and whether it makes none; `None` if it makes more
    /// than there are.
    fn form(&self, open: &Open, text: &[u8], at: usize, syntax: usize) -> Option<(Form, bool)> {
        let mut fewest = syntax + 1;
        let mut best = None;
        for form in Form::all(text, at) {
            let count = self.syntax_errors(open, &form.marked(text));
            if count < fewest {
                (fewest, best) = (count, Some(form));
            }
            if fewest == 0 {
                break;
            }
        }
        Some((best?, fewest == 0))
    }

    /// The number of errors in a text of a document that are not those of its schema.
    fn syntax_errors(&self, open: &Open, text: &[u8]) -> usize {
        let is_syntax = |it: &Diagnostic| !matches!(it.code, Code::Custom(_));
        self.errors(open, text).filter(is_syntax).count()
    }

    /// The errors in a text of a document.
    fn errors(&self, open: &Open, text: &[u8]) -> impl Iterator<Item = Diagnostic> {
        let findings = self.check(open, &Arc::new(text.to_vec())).into_iter();
        findings.filter(|finding| finding.severity == Severity::Error)
    }
}

/// The values that may be at a place.
fn values(document: &Document<'_>, cursor: &Cursor<'_, '_>, schemas: &[Subschema]) -> Vec<Item> {
    let about = about(schemas);
    let mut listed = values::listed(schemas);
    if schemas.is_empty() {
        for node in similar(document, &cursor.steps) {
            let raw = String::from_utf8_lossy(node.raw()).into_owned();
            let is_value = !is_container(node) && !node.is_str(MARK);
            if is_value && raw.len() <= SIMILAR && !listed.contains(&raw) {
                listed.push(raw);
            }
        }
        if listed.iter().any(|it| it == "true" || it == "false") {
            listed.extend(["true", "false"].map(str::to_owned));
            listed.sort();
            listed.dedup();
        }
        listed.truncate(SIMILAR);
    }
    let item = |(number, value): (usize, String)| Item {
        sort: format!("{number:04}"),
        about: values::described(schemas, &value).or_else(|| about.clone()),
        ..Item::new(value, kind::VALUE)
    };
    let mut items: Vec<Item> = listed.into_iter().enumerate().map(item).collect();
    items.extend(
        values::suggested(schemas)
            .into_iter()
            .map(|suggestion| Item {
                filter: plain(&suggestion.snippet),
                sort: format!("8{}", suggestion.label),
                new: vec![suggestion.snippet],
                about: suggestion.about,
                ..Item::new(suggestion.label, kind::SNIPPET)
            }),
    );
    let containers = |choice: Vec<Subschema>| {
        let first = values::type_of(&choice);
        let named = choice.iter().flat_map(|it| it.texts("type"));
        let named: Vec<String> = named.chain(first.clone()).collect();
        [("object", "{$1\\}"), ("array", "[$1]")]
            .into_iter()
            .filter_map(move |(name, empty)| {
                if first.as_deref() == Some(name) {
                    let new = values::made(&choice).into_iter().next()?;
                    return Some((new, values::missing(&choice, &[])));
                }
                let is_other = named.iter().any(|it| it == name);
                is_other.then(|| (empty.to_owned(), Vec::new()))
            })
    };
    for (new, missing) in Subschema::choices(schemas).into_iter().flat_map(containers) {
        let label = if missing.is_empty() {
            plain(&new)
        } else {
            format!("{{ {} }}", missing.join(", "))
        };
        if !items
            .iter()
            .any(|item| item.label == label || item.new[0] == new)
        {
            items.push(Item {
                filter: plain(&new),
                sort: format!("9{label}"),
                new: vec![new],
                ..Item::new(label, kind::SNIPPET)
            });
        }
    }
    items
}

/// The keys that an object may have.
fn keys(
    document: &Document<'_>,
    cursor: &Cursor<'_, '_>,
    schemas: &[Subschema],
    form: &Form,
    folder: Option<&Path>,
) -> Vec<Item> {
    let present = cursor
        .node
        .members()
        .filter_map(|(key, _)| Some(key.as_str()?.into_owned()));
    let present: Vec<String> = present.collect();
    let choices = Subschema::choices(schemas);
    let missing = values::missing(schemas, &present);
    let mut names: Vec<String> = schemas
        .iter()
        .flat_map(|it| it.keys("properties"))
        .collect();
    names.extend(missing.iter().cloned());
    let of_names = Subschema::of_names(schemas);
    let listed = values::listed(&of_names).into_iter();
    names.extend(listed.filter_map(|name| serde_json::from_str::<String>(&name).ok()));
    let mut items: Vec<Item> = Vec::new();
    let mut add = |name: &str, is_place: bool, new: Vec<String>| {
        let below = Subschema::below(schemas, &[Step::Key(name.as_bytes().into())], None);
        // Extensions of VS Code.
        let is_hidden = |it: &Subschema| {
            it.value("doNotSuggest").is_some_and(|it| it == "true")
                || it.text("deprecationMessage").is_some()
        };
        if present.iter().any(|it| it == name) || below.iter().any(is_hidden) {
            return;
        }
        if items.iter().any(|item| item.label == name) {
            return;
        }
        let key = if is_place {
            format!("\"{}\"", Places::default().with(name))
        } else {
            literal(&quoted(name))
        };
        let new = match form.is_member {
            true if new.is_empty() => values::made(&below),
            true => new,
            false => Vec::new(),
        };
        let order = if missing.iter().any(|it| it == name) {
            0
        } else {
            1
        };
        items.push(Item {
            filter: quoted(name),
            sort: format!("{order}{name}"),
            new: if form.is_member {
                new.iter().map(|value| format!("{key}: {value}")).collect()
            } else {
                vec![key]
            },
            detail: values::type_of(&below),
            about: about(&below),
            ..Item::new(name.to_owned(), kind::PROPERTY)
        });
    };
    for name in names {
        add(&name, false, Vec::new());
    }
    // A name that a pattern allows.
    if of_names.iter().any(|it| it.text("pattern").is_some()) {
        let allowed = |text: &&&str| of_names.iter().all(|it| it.allows_text(text));
        if let Some(name) = values::TEXTS.iter().find(allowed) {
            add(name, true, Vec::new());
        }
    }
    if schemas.is_empty() {
        for node in similar(document, &cursor.steps) {
            for (key, value) in node.members() {
                let name = key.as_str().unwrap_or_default();
                let value = match value.kind() {
                    Kind::Object => "{$1\\}".to_owned(),
                    Kind::Array => "[$1]".to_owned(),
                    Kind::String => "\"$1\"".to_owned(),
                    _ => Places::default().with(&String::from_utf8_lossy(value.raw())),
                };
                add(&name, false, vec![value]);
            }
        }
    }
    if cursor.steps.is_empty() {
        let names = schema_names(folder).into_iter().flat_map(|item| item.new);
        let names = names.map(|name| format!("${{1:{name}}}")).collect();
        add("$schema", false, names);
    }
    for choice in &choices {
        let missing = values::missing(choice, &present);
        if missing.len() > 1 && form.is_member {
            items.push(Item {
                filter: quoted("required"),
                sort: "0".to_owned(),
                new: vec![values::members(choice, &missing, &mut Places::default())],
                ..Item::new(format!("required: {}", missing.join(", ")), kind::SNIPPET)
            });
        }
    }
    items
}

/// The values of a document with the same key as the value at these steps, or at other places in such an array.
fn similar<'d, 't>(document: &'d Document<'t>, steps: &[Step]) -> Vec<Node<'d, 't>> {
    let end = |steps: &[Step]| {
        let key = steps.iter().rposition(|step| matches!(step, Step::Key(_)));
        key.map_or((None, steps.len()), |at| {
            (Some(steps[at].clone()), steps.len() - at)
        })
    };
    let wanted = end(steps);
    let all = cursor::Places::new(document);
    let similar = all.nodes().filter(|(at, _)| end(&all.steps(*at)) == wanted);
    similar.map(|(_, node)| node).take(10 * SIMILAR).collect()
}

/// The schemas that `$schema` may name: those in the folder of the document, and the drafts.
fn schema_names(folder: Option<&Path>) -> Vec<Item> {
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
    let items = names.iter().enumerate().map(|(number, name)| Item {
        sort: format!("{number:04}"),
        ..Item::new(quoted(name), kind::FILE)
    });
    items.collect()
}

impl Item {
    /// An item that inserts its label.
    fn new(label: String, kind: u32) -> Item {
        Item {
            filter: label.clone(),
            sort: label.clone(),
            new: vec![literal(&label)],
            label,
            kind,
            detail: None,
            about: None,
        }
    }
}

/// The description, or else the title, of schemas.
fn about(schemas: &[Subschema]) -> Option<String> {
    let text = |schema: &Subschema| values::description(schema).or(schema.text("title"));
    schemas.iter().find_map(text)
}

/// A text as a string of JSON.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
