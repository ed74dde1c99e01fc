//! A document that is open in the client.

use std::cell::{Cell, OnceCell};
use std::path::PathBuf;

use jsonx_core::Node;
use jsonx_diagnose::Diagnostic;

use super::protocol::{ends, text_of};
use super::text::{DocumentText, Encoding};
use super::uri;
use crate::check::InputKind;
use crate::config;

/// A document.
pub struct Open {
    pub uri: String,
    pub path: PathBuf,
    language: String,
    pub version: Option<i64>,
    pub text: DocumentText,
    /// The findings of this version, once it was checked.
    pub findings: OnceCell<Vec<Diagnostic>>,
    /// The findings of this version were sent.
    pub is_published: Cell<bool>,
}

impl Open {
    /// The document of `textDocument/didOpen`.
    pub fn new(item: Node<'_, '_>, encoding: Encoding) -> Option<Open> {
        let uri = text_of(item, "uri")?;
        Some(Open {
            // A document that was never saved has the name of its URI.
            path: uri::to_path(&uri).unwrap_or_else(|| PathBuf::from(&uri)),
            language: text_of(item, "languageId").unwrap_or_default(),
            version: item.get("version").and_then(Node::as_i64),
            text: DocumentText::new(text_of(item, "text")?, encoding),
            findings: OnceCell::new(),
            is_published: Cell::new(false),
            uri,
        })
    }

    /// Applies changes one after another, unless their version is older than the current one.
    pub fn change(&mut self, version: Option<i64>, changes: Node<'_, '_>, encoding: Encoding) {
        if version
            .zip(self.version)
            .is_some_and(|(new, old)| new < old)
        {
            return;
        }
        self.version = version.or(self.version);
        self.forget_findings();
        for change in changes.elements() {
            let Some(text) = text_of(change, "text") else {
                continue;
            };
            let range = change.get("range").filter(|range| !range.is_null());
            match range.map(ends) {
                None => self.text = DocumentText::new(text, encoding),
                Some(Some((start, end))) => self.text.replace(start, end, &text),
                Some(None) => {}
            }
        }
    }

    /// The document is checked again when its findings are next needed.
    pub fn forget_findings(&mut self) {
        self.findings = OnceCell::new();
        self.is_published = Cell::new(false);
    }

    /// Whether it is a `jsonx.json`.
    pub fn is_config(&self) -> bool {
        self.path.file_name() == Some(config::NAME.as_ref())
    }

    /// The kind implied by the language of the document, if it is specific.
    pub fn kind_of_language(&self) -> Option<InputKind> {
        match &*self.language {
            "jsonc" | "hujson" => Some(InputKind::Jsonc),
            "json5" => Some(InputKind::Json5),
            "jsonl" | "jsonlines" | "ndjson" => Some(InputKind::Jsonl),
            _ => None,
        }
    }
}
