//! Code actions: fixes, duplicates, the order of keys, levels of lints.

use std::io::Write;
use std::path::PathBuf;

use jsonx_core::edit::{Action, SetOptions};
use jsonx_core::engine::Options;
use jsonx_core::internal::Splices;
use jsonx_core::jsonc::Dialect;
use jsonx_core::path::Path as JsonPath;
use jsonx_core::{Document, Node};
use jsonx_diagnose::{Applicability, Code, Diagnostic, Lints};
use jsonx_schema::keywords;
use serde_json::{Value, json};

use super::document::Open;
use super::layout::{self, Change, TextEdit};
use super::protocol::{Answer, ends, range, text_of};
use super::server::Server;
use super::text::{DocumentText, Position};
use super::uri;
use super::view::path_to;
use crate::config::NAME;

/// Maximum number of findings with actions in a response.
const FINDINGS: usize = 100;

/// Texts up to this length are repaired and sorted before the action is requested.
const SHORT: usize = 4 << 20;

impl<W: Write> Server<W> {
    /// The actions for a range.
    pub fn actions(&self, open: &Open, params: Node<'_, '_>) -> Answer {
        let only: Option<Vec<String>> = params
            .get("context")
            .and_then(|context| context.get("only"))
            .filter(|only| !only.is_null())
            .map(|only| {
                only.elements()
                    .filter_map(|kind| Some(kind.as_str()?.into_owned()))
                    .collect()
            });
        let wants = |kind: &str| {
            let is_below = |wanted: &String| {
                wanted.is_empty() || kind == wanted || kind.starts_with(&format!("{wanted}."))
            };
            only.as_ref().is_none_or(|only| only.iter().any(is_below))
        };
        let Some((start, end)) = params.get("range").and_then(ends) else {
            return Ok(json!([]));
        };
        let findings = self.found(open);
        let items = self.reported(open);
        let span = open.text.offset(start)..open.text.offset(end);
        let length = open.text.bytes().len();
        let touched =
            |finding: &Diagnostic| finding.span.start <= span.end && span.start <= finding.span.end;
        let near = findings
            .iter()
            .zip(&items)
            .filter(|(finding, _)| touched(finding));
        let near: Vec<(&Diagnostic, &Value)> = near.take(FINDINGS).collect();
        let mut actions = Vec::new();
        if wants("quickfix") {
            for &(finding, item) in &near {
                if let Some(fix) = &finding.fix {
                    let is_safe = fix.applicability == Applicability::Safe;
                    let edits = fix.edits.iter();
                    let edits =
                        edits.map(|edit| (edit.span.start..edit.span.end, edit.text.clone()));
                    let title = if is_safe {
                        format!("Fix: {}", fix.description)
                    } else {
                        format!("Guess: {}", fix.description)
                    };
                    let edit = self.edit(open, edits.collect());
                    actions.push(json!({
                        "title": title,
                        "kind": "quickfix",
                        "diagnostics": [item],
                        "isPreferred": is_safe,
                        "edit": edit,
                    }));
                }
                if finding.code == Code::DuplicateKey {
                    for (title, edits) in self.without_duplicate(open, finding) {
                        let edit = self.edit(open, edits);
                        actions.push(json!({
                            "title": title, "kind": "quickfix", "diagnostics": [item], "edit": edit,
                        }));
                    }
                }
                if let Some(edit) = self.allowed(open, finding.code) {
                    let title = format!("Allow {} in {NAME}", finding.code);
                    actions.push(json!({
                        "title": title, "kind": "quickfix", "diagnostics": [item], "edit": edit,
                    }));
                }
            }
        }
        let is_asked = |kind| wants(kind) && (only.is_some() || length <= SHORT);
        let has_safe = findings.iter().any(|finding| {
            let fix = finding.fix.as_ref();
            fix.is_some_and(|fix| fix.applicability == Applicability::Safe)
        });
        if has_safe && is_asked("source.fixAll.jsonx") {
            let text = self.repaired(open, Applicability::Safe);
            if let Some(edit) = text.and_then(|text| self.rewritten(open, &text)) {
                actions.push(json!({
                    "title": "Apply all safe fixes", "kind": "source.fixAll.jsonx", "edit": edit,
                }));
            }
        }
        if is_asked("source.sortKeys.jsonx") {
            let sorted = self.formatted(open, Change::Sort).ok();
            if let Some(edit) = sorted.and_then(|text| self.rewritten(open, &text)) {
                actions.push(json!({
                    "title": "Sort keys", "kind": "source.sortKeys.jsonx", "edit": edit,
                }));
            }
        }
        Ok(Value::Array(actions))
    }

    /// An edit of a document.
    pub fn edit(&self, open: &Open, edits: Vec<TextEdit>) -> Value {
        self.edit_of(&open.uri, open.version, layout::as_json(&open.text, edits))
    }

    /// An edit of the text with this URI and version.
    fn edit_of(&self, uri: &str, version: Option<i64>, edits: Vec<Value>) -> Value {
        if self.client.has_versioned_edits {
            let document = json!({"uri": uri, "version": version});
            json!({"documentChanges": [{"textDocument": document, "edits": edits}]})
        } else {
            json!({"changes": {uri: edits}})
        }
    }

    /// An edit that changes a document to this text; `None` if it is unchanged.
    pub fn rewritten(&self, open: &Open, new: &[u8]) -> Option<Value> {
        let old = open.text.bytes();
        let edits = layout::edits(old, new, 0..old.len());
        (!edits.is_empty()).then(|| self.edit(open, edits))
    }

    /// Edits that remove one of two members with equal keys.
    fn without_duplicate(
        &self,
        open: &Open,
        finding: &Diagnostic,
    ) -> Vec<(&'static str, Vec<TextEdit>)> {
        let view = self.view(open, finding.span.start);
        let Some(document) = view.document() else {
            return Vec::new();
        };
        let earlier = finding.related.first().map(|related| related.span.start);
        let both = [
            (earlier, "Remove the earlier member: the last one counts"),
            (
                Some(finding.span.start),
                "Remove this member, and keep the earlier one",
            ),
        ];
        let removed = both.into_iter().filter_map(|(at, title)| {
            let splices = without_member(&document, view.offset(at?))?;
            let edit =
                |(span, text)| Some((view.span(span), std::str::from_utf8(text).ok()?.to_owned()));
            Some((title, splices.iter().filter_map(edit).collect()))
        });
        removed.collect()
    }

    /// An edit of `jsonx.json`, possibly a new one in the workspace, that turns a lint off.
    fn allowed(&self, open: &Open, code: Code) -> Option<Value> {
        if !Lints::CODES.contains(&code) && keywords::of_code(code.as_str()).is_none() {
            return None;
        }
        let settings = self.run.configs.settings(Some(&open.path)).ok()?;
        let known = settings.and_then(|settings| Some(settings.configs.last()?.path.clone()));
        let Some(path) = known else {
            return self.new_config(&open.path, code);
        };
        // The client's text may differ from the file.
        let full = crate::files::folders::full(&path)?;
        let (config, old, version) = match self.open_at(&full) {
            Some(open) => (open.uri.clone(), open.text.bytes().to_vec(), open.version),
            None => (uri::of_path(&full), std::fs::read(&full).ok()?, None),
        };
        let start = if old.starts_with(crate::input::BYTE_ORDER_MARK) {
            crate::input::BYTE_ORDER_MARK.len()
        } else {
            0
        };
        let options = Options::default().dialect(Dialect::Jsonc);
        let document = Document::index(&old[start..], options).ok()?;
        let key = code.as_str().replace('~', "~0").replace('/', "~1");
        let mut editor = document.edit();
        let place = JsonPath::parse(&format!("/lints/{key}")).ok()?;
        let parents = SetOptions::default().parents(true);
        editor.set_with(&place, "\"off\"", parents).ok()?;
        let new = [&old[..start], &editor.finish()].concat();
        let edits: Vec<TextEdit> = layout::one(&old, &new).into_iter().collect();
        let text = DocumentText::new(String::from_utf8(old).ok()?, self.encoding);
        Some(self.edit_of(&config, version, layout::as_json(&text, edits)))
    }

    /// An edit that creates `jsonx.json` in the folder of the workspace that a file is in.
    fn new_config(&self, file: &std::path::Path, code: Code) -> Option<Value> {
        if !self.client.creates_files {
            return None;
        }
        let folder = self
            .roots
            .iter()
            .filter(|root| file.starts_with(root))
            .max();
        let path: PathBuf = folder?.join(NAME);
        let config = uri::of_path(&path);
        let text = format!("{{\n  \"lints\": {{\n    \"{code}\": \"off\"\n  }}\n}}\n");
        let start = Position {
            line: 0,
            character: 0,
        };
        Some(json!({"documentChanges": [
            {"kind": "create", "uri": config, "options": {"ignoreIfExists": true}},
            {
                "textDocument": {"uri": config, "version": null},
                "edits": [{"range": range((start, start)), "newText": text}],
            },
        ]}))
    }
}

/// The replacements that remove the member whose key is at an offset.
fn without_member(document: &Document<'_>, at: usize) -> Option<Splices> {
    let path = path_to(document, at);
    let mut members = path.iter().rev().nth(1)?.1.members();
    let value = members.find(|(key, _)| key.span().contains(&at))?.1;
    let mut editor = document.edit();
    let removed = editor.change([(value.span(), Action::Delete)]);
    Some(removed.ok()?.splices())
}

/// The URI in the first argument of a command.
pub fn uri_argument(arguments: Option<Node<'_, '_>>) -> Option<String> {
    let first = arguments?.elements().next()?;
    first
        .as_str()
        .map(|uri| uri.into_owned())
        .or_else(|| text_of(first, "uri"))
}
