//! Completion of keys and values, by the schema of the document.

mod cursor;

use std::io::Write;
use std::path::Path;

use jsonx_core::path::Step;
use serde_json::{Value, json};

use self::cursor::{Cursor, LONGEST};
use super::protocol::range;
use super::server::Server;
use crate::check::InputKind;
use crate::schema::Subschema;

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
    new: String,
    detail: Option<String>,
    about: Option<String>,
}

impl<W: Write> Server<W> {
    /// The texts that may be typed at an offset.
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
        let text = &bytes[record.clone()];
        let typed = cursor::typed(text, at - record.start);
        let cursor = cursor::find(text, &typed, kind)?;
        let schemas = self.schemas_at(open, cursor.own_schema.as_deref(), &cursor.steps);
        let syntax = Syntax {
            is_snippet: self.client.has_snippets,
        };
        let names_schema = match &cursor.steps[..] {
            [Step::Key(key)] => **key == *b"$schema",
            _ => false,
        };
        let items = match cursor.is_key {
            true => {
                let has_value = text[typed.end..].trim_ascii_start().starts_with(b":");
                syntax.keys(&schemas, &cursor, has_value)
            }
            false if names_schema => syntax.schema_names(open.path.parent()),
            false => syntax.values(&schemas),
        };
        let open = self.documents.get_mut(uri)?;
        let typed = record.start + typed.start..record.start + typed.end;
        let replaced = range(open.text.range(typed));
        let items = items.into_iter().map(|item| {
            json!({
                "label": item.label,
                "kind": item.kind,
                "detail": item.detail,
                "documentation": item.about,
                "filterText": item.filter,
                "sortText": item.sort,
                "insertTextFormat": if syntax.is_snippet { 2 } else { 1 },
                "textEdit": {"range": replaced, "newText": item.new},
            })
        });
        Some(json!({"isIncomplete": false, "items": Vec::from_iter(items)}))
    }
}

/// The syntax of inserted texts.
struct Syntax {
    /// A snippet has places to fill in: `$1`, `${2:default}`, `${3|a,b|}`.
    is_snippet: bool,
}

impl Syntax {
    /// The values that may be at a place.
    fn values(&self, schemas: &[Subschema]) -> Vec<Item> {
        let about = about(schemas);
        let listed = listed(schemas).into_iter().enumerate();
        let mut items: Vec<Item> = listed
            .map(|(number, value)| Item {
                new: self.literal(&value),
                sort: format!("{number:04}"),
                about: about.clone(),
                ..Item::of(value, kind::VALUE)
            })
            .collect();
        let missing = missing(schemas, &[]);
        if !missing.is_empty() {
            let open = self.literal("{");
            let close = self.literal("}");
            items.push(Item {
                filter: "{".to_owned(),
                sort: "9".to_owned(),
                new: format!("{open}{}{close}", self.members(&missing)),
                ..Item::of(format!("{{ {} }}", names(&missing)), kind::SNIPPET)
            });
        }
        items
    }

    /// The keys that an object may have.
    fn keys(&self, schemas: &[Subschema], cursor: &Cursor, has_value: bool) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        let mut known: Vec<String> = cursor.keys.clone();
        let missing = missing(schemas, &cursor.keys);
        for name in schemas.iter().flat_map(Subschema::properties) {
            if known.contains(&name) {
                continue;
            }
            let below = Subschema::below(schemas, &[Step::Key(name.as_bytes().into())]);
            let is_required = missing.iter().any(|(key, _)| *key == name);
            items.push(Item {
                filter: quoted(&name),
                sort: format!("{}{name}", if is_required { 0 } else { 1 }),
                new: match has_value {
                    true => self.literal(&quoted(&name)),
                    false => self.member(&name, &below, 1),
                },
                detail: type_of(&below),
                about: about(&below),
                ..Item::of(name.clone(), kind::PROPERTY)
            });
            known.push(name);
        }
        if !has_value && missing.len() > 1 {
            items.push(Item {
                filter: quoted("required"),
                sort: "0".to_owned(),
                new: self.members(&missing),
                ..Item::of(format!("required: {}", names(&missing)), kind::SNIPPET)
            });
        }
        let is_root = cursor.steps.is_empty();
        if is_root && !known.iter().any(|key| key == "$schema") {
            let key = self.literal("\"$schema\"");
            items.push(Item {
                filter: quoted("$schema"),
                sort: "2".to_owned(),
                new: match (has_value, self.is_snippet) {
                    (true, _) => key,
                    (false, true) => format!("{key}: \"$1\""),
                    (false, false) => format!("{key}: \"\""),
                },
                ..Item::of("$schema".to_owned(), kind::PROPERTY)
            });
        }
        items
    }

    /// The schemas that `$schema` may name: those in the folder of the document, and the drafts.
    fn schema_names(&self, folder: Option<&Path>) -> Vec<Item> {
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
            new: self.literal(&quoted(name)),
            sort: format!("{number:04}"),
            ..Item::of(quoted(name), kind::FILE)
        });
        items.collect()
    }

    /// Members with places for their values.
    fn members(&self, all: &[(String, Vec<Subschema>)]) -> String {
        let members = all.iter().enumerate();
        let members = members.map(|(at, (name, below))| self.member(name, below, at + 1));
        members.collect::<Vec<_>>().join(", ")
    }

    /// A member with a place of this number for its value.
    fn member(&self, name: &str, below: &[Subschema], number: usize) -> String {
        let key = self.literal(&quoted(name));
        if !self.is_snippet {
            return format!("{key}: ");
        }
        let listed = listed(below);
        let is_choice = |text: &String| !text.contains(['\\', '$', '}', '{', '|', ',']);
        let value = match type_of(below).as_deref() {
            _ if listed.len() > 1 && listed.iter().all(is_choice) => {
                format!("${{{number}|{}|}}", listed.join(","))
            }
            _ if listed.len() == 1 => format!("${{{number}:{}}}", self.literal(&listed[0])),
            Some("string") => format!("\"${number}\""),
            Some("array") => format!("[${number}]"),
            Some("object") => format!("{{${number}\\}}"),
            _ => format!("${number}"),
        };
        format!("{key}: {value}")
    }

    /// A text that is inserted verbatim.
    fn literal(&self, text: &str) -> String {
        match self.is_snippet {
            true => text
                .replace('\\', "\\\\")
                .replace('$', "\\$")
                .replace('}', "\\}"),
            false => text.to_owned(),
        }
    }
}

impl Item {
    /// An item that inserts its label.
    fn of(label: String, kind: u32) -> Item {
        Item {
            filter: label.clone(),
            sort: label.clone(),
            new: label.clone(),
            label,
            kind,
            detail: None,
            about: None,
        }
    }
}

/// The required members that are not among these keys, and their schemas.
fn missing(schemas: &[Subschema], keys: &[String]) -> Vec<(String, Vec<Subschema>)> {
    let mut missing: Vec<(String, Vec<Subschema>)> = Vec::new();
    for name in schemas.iter().flat_map(|it| it.texts("required")) {
        if !keys.contains(&name) && !missing.iter().any(|(key, _)| *key == name) {
            let below = Subschema::below(schemas, &[Step::Key(name.as_bytes().into())]);
            missing.push((name, below));
        }
    }
    missing
}

/// The keys of members, for a label.
fn names(members: &[(String, Vec<Subschema>)]) -> String {
    let names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
    names.join(", ")
}

/// The values that schemas list, as JSON.
fn listed(schemas: &[Subschema]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for schema in schemas {
        let several = ["enum", "examples"];
        let single = ["const", "default"];
        let mut values: Vec<String> = several.iter().flat_map(|it| schema.values(it)).collect();
        values.extend(single.iter().filter_map(|it| schema.value(it)));
        let types = schema.texts("type");
        let has = |name: &str| types.iter().any(|it| it == name);
        if has("boolean") {
            values.extend(["true", "false"].map(str::to_owned));
        }
        if has("null") {
            values.push("null".to_owned());
        }
        for value in values {
            if !all.contains(&value) {
                all.push(value);
            }
        }
    }
    all
}

/// The type required by schemas.
fn type_of(schemas: &[Subschema]) -> Option<String> {
    schemas.iter().find_map(|schema| schema.text("type"))
}

/// The description, or else the title, of schemas.
fn about(schemas: &[Subschema]) -> Option<String> {
    let text = |schema: &Subschema| schema.text("description").or(schema.text("title"));
    schemas.iter().find_map(text)
}

/// A text as a string of JSON.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
