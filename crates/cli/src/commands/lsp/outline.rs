//! Symbols and selection ranges.

use std::io::Write;
use std::ops::Range;

use jsonx_core::{Kind, Node};
use serde_json::{Value, json};

use super::document::Open;
use super::protocol::range;
use super::server::Server;
use super::text::Position;
use super::view::{View, children, is_container, path_to};
use crate::check::InputKind;

/// Maximum number of symbols, and of records: a longer outline is useless.
pub const SYMBOLS: usize = 10_000;

/// Levels of symbols and of selections. A client may recurse over them.
const LEVELS: usize = 100;

impl<W: Write> Server<W> {
    /// The members and elements of a document; for JSON Lines, the records and their contents.
    pub fn symbols(&self, open: &Open) -> Value {
        let mut all = Vec::new();
        let mut left = SYMBOLS;
        let (kind, views) = self.views(open, SYMBOLS);
        for view in views {
            let view = view.repaired().unwrap_or(view);
            let Some(document) = view.document().filter(|_| left > 0) else {
                continue;
            };
            let root = document.root();
            let mut outline = Outline {
                view: &view,
                open,
                left: &mut left,
                nested: self.client.has_nested_symbols,
            };
            if kind != InputKind::Jsonl {
                all.append(&mut outline.inside(root));
                continue;
            }
            *outline.left -= 1;
            let span = view.span(root.span());
            let line = open.text.position(span.start).line + 1;
            let record = outline.symbol(format!("line {line}"), root, span.clone(), span);
            let inside = outline.inside(root);
            outline.close(record, inside, &mut all);
        }
        Value::Array(all)
    }

    /// The ranges around positions, the innermost first.
    pub fn selections(&self, open: &Open, positions: impl Iterator<Item = Position>) -> Value {
        let found = positions.map(|position| {
            let spans = self.spans_around(open, open.text.offset(position));
            let skipped = spans.len().saturating_sub(LEVELS);
            let spans = spans.into_iter().skip(skipped);
            let selection = spans.fold(Value::Null, |parent, span| {
                let range = range(open.text.range(span));
                match parent {
                    Value::Null => json!({"range": range}),
                    parent => json!({"range": range, "parent": parent}),
                }
            });
            match selection {
                Value::Null => json!({"range": range((position, position))}),
                some => some,
            }
        });
        Value::Array(found.collect())
    }

    /// The spans around an offset, the outermost first.
    fn spans_around(&self, open: &Open, at: usize) -> Vec<Range<usize>> {
        let view = self.view(open, at);
        let Some(document) = view.document() else {
            return Vec::new();
        };
        let at = view.offset(at);
        let mut spans: Vec<Range<usize>> = Vec::new();
        let mut add = |span: Range<usize>| {
            let is_inside = span.start <= at && at <= span.end;
            if is_inside && spans.last() != Some(&span) {
                spans.push(span);
            }
        };
        for (key, value) in path_to(&document, at) {
            let span = value.span();
            if let Some(key) = key {
                add(key.span().start..span.end);
                add(key.span());
            }
            add(span.clone());
            let is_quoted = matches!(value.kind(), Kind::String) && span.len() >= 2;
            if (is_quoted || is_container(value)) && span.len() >= 2 {
                add(span.start + 1..span.end - 1);
            }
        }
        spans.into_iter().map(|span| view.span(span)).collect()
    }
}

/// A container whose children are becoming symbols.
struct OpenSymbol<I> {
    children: I,
    symbol: Value,
    list: Vec<Value>,
}

/// The symbols of a value of a document.
struct Outline<'v, 't> {
    view: &'v View<'v>,
    open: &'t Open,
    /// The number of symbols that may still be added.
    left: &'t mut usize,
    /// Whether the client knows symbols in symbols.
    nested: bool,
}

impl Outline<'_, '_> {
    /// The symbols in a value.
    fn inside(&mut self, root: Node<'_, '_>) -> Vec<Value> {
        let mut open = vec![OpenSymbol {
            children: children(root).enumerate(),
            symbol: Value::Null,
            list: Vec::new(),
        }];
        loop {
            let depth = open.len();
            let Some(top) = open.last_mut() else {
                return Vec::new();
            };
            let next = match *self.left {
                0 => None,
                _ => top.children.next(),
            };
            let Some((number, (key, value))) = next else {
                let Some(done) = open.pop() else {
                    return Vec::new();
                };
                let Some(above) = open.last_mut() else {
                    return done.list;
                };
                self.close(done.symbol, done.list, &mut above.list);
                continue;
            };
            *self.left -= 1;
            let span = self.view.span(value.span());
            let symbol = match key {
                Some(key) => {
                    let marked = self.view.span(key.span());
                    let name = key.as_str().unwrap_or_default().into_owned();
                    self.symbol(name, value, marked.start..span.end, marked)
                }
                None => self.symbol(number.to_string(), value, span.clone(), span),
            };
            if is_container(value) && !value.is_empty() && depth < LEVELS {
                open.push(OpenSymbol {
                    children: children(value).enumerate(),
                    symbol,
                    list: Vec::new(),
                })
            } else {
                top.list.push(symbol)
            }
        }
    }

    /// A symbol without those in it.
    fn symbol(
        &mut self,
        name: String,
        value: Node<'_, '_>,
        whole: Range<usize>,
        marked: Range<usize>,
    ) -> Value {
        // Clients reject a symbol without a name.
        let name = if name.trim().is_empty() {
            format!("{name:?}")
        } else {
            name
        };
        let all = range(self.open.text.range(whole));
        if self.nested {
            json!({
                "name": name,
                "detail": detail(value),
                "kind": kind(value),
                "range": all,
                "selectionRange": range(self.open.text.range(marked)),
            })
        } else {
            json!({
                "name": name,
                "kind": kind(value),
                "location": {"uri": self.open.uri, "range": all},
            })
        }
    }

    /// Appends a symbol and those in it to a list.
    fn close(&self, mut symbol: Value, mut inside: Vec<Value>, list: &mut Vec<Value>) {
        if self.nested {
            symbol["children"] = Value::Array(inside);
            list.push(symbol);
        } else {
            list.push(symbol);
            list.append(&mut inside);
        }
    }
}

/// The kind of a symbol.
fn kind(node: Node<'_, '_>) -> u32 {
    match node.kind() {
        Kind::Object => 19,
        Kind::Array => 18,
        Kind::String => 15,
        Kind::Number => 16,
        Kind::Boolean => 17,
        Kind::Null => 21,
    }
}

/// The detail next to the name of a symbol.
fn detail(node: Node<'_, '_>) -> String {
    match node.kind() {
        Kind::Object => format!("{{{}}}", node.len()),
        Kind::Array => format!("[{}]", node.len()),
        _ => {
            let raw = &node.raw()[..node.raw().len().min(80)];
            String::from_utf8_lossy(raw).into_owned()
        }
    }
}
