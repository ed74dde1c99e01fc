//! The findings of a document: those of `validate`, in the form of the protocol.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use jsonx_diagnose::{Code, Diagnostic, Severity, Span};
use jsonx_schema::{Unusable, keywords};
use serde_json::{Value, json};

use super::document::Open;
use super::protocol::range;
use super::server::Server;
use super::text::{DocumentText, Encoding};
use super::uri;
use crate::commands::validate::Checker;
use crate::config::{self, Unchecked};
use crate::input::{Input, Name};
use crate::report::{escape, message};
use crate::schema::name_of;

/// The code of a document that cannot be checked.
const UNCHECKED: Code = Code::Custom("unchecked");

impl<W: Write> Server<W> {
    /// The findings of the current version of a document.
    pub fn found<'o>(&self, open: &'o Open) -> &'o [Diagnostic] {
        let found = || self.check(open, open.text.bytes());
        open.findings.get_or_init(found)
    }

    /// The findings of a document as JSON.
    pub fn reported(&self, open: &Open) -> Vec<Value> {
        let findings = self.found(open).iter();
        findings
            .map(|finding| as_json(finding, open, self.encoding))
            .collect()
    }

    /// The findings of a text of a document.
    pub fn check(&self, open: &Open, text: &Arc<Vec<u8>>) -> Vec<Diagnostic> {
        let name = Name::new(&open.path);
        let is_config = open.is_config();
        let mut findings = Vec::new();
        let mut file = match self.run.for_file(&name) {
            Ok(file) => file,
            Err(config) => {
                if let Some(mistakes) = config.mistakes().filter(|_| !is_config) {
                    findings.push(unusable("config", mistakes));
                }
                self.run.for_all()
            }
        };
        let is_ignored = file
            .settings
            .as_ref()
            .is_some_and(|it| it.ignored().is_some());
        if is_ignored && !is_config {
            return findings;
        }
        self.set_language(&mut file, open);
        if is_config {
            findings.extend(config::mistakes(text));
        }
        let schema = match self
            .schemas
            .as_ref()
            .map(|all| all.schema_for(&name, &file))
        {
            Some(Ok(schema)) => Some(schema),
            Some(Err(Unchecked::Schema(mistakes))) => {
                findings.push(unusable("schema", &mistakes));
                None
            }
            Some(Err(Unchecked::Config(mistakes, _))) => {
                findings.push(unusable("config", &mistakes));
                None
            }
            None => None,
        };
        let input = Input::of_text(&open.path, text.clone());
        let checker = Checker {
            options: &file,
            schema,
            verbose: false,
        };
        match checker.check(&name, Ok(input), None) {
            Ok(report) => {
                let said = report.messages.trim_end();
                if report.findings.is_empty() && !said.is_empty() {
                    findings.push(unchecked(said.to_owned(), Severity::Warning));
                }
                findings.extend(report.findings);
            }
            Err(error) => findings.push(unchecked(error.to_string(), Severity::Warning)),
        }
        findings
    }
}

/// A finding about the document as a whole.
fn unchecked(message: String, severity: Severity) -> Diagnostic {
    let mut finding = Diagnostic::new(UNCHECKED, Span::point(0));
    finding.message = message;
    finding.severity = severity;
    finding
}

/// A finding about a config or a schema that cannot be used.
fn unusable(what: &str, mistakes: &Unusable) -> Diagnostic {
    let name = escape(&name_of(mistakes));
    let why = match mistakes {
        Unusable::Unreadable { error, .. } => format!(": {error}"),
        Unusable::NotJson { .. } => ": it is not JSON".to_owned(),
        Unusable::Wrong { findings, .. } => match findings.first() {
            Some(first) => format!(": {}", first.message),
            None => String::new(),
        },
    };
    let message = format!("not checked completely, because its {what} {name} cannot be used{why}");
    unchecked(message, Severity::Warning)
}

/// A finding as JSON.
fn as_json(finding: &Diagnostic, open: &Open, encoding: Encoding) -> Value {
    let name = open.path.as_os_str().as_encoded_bytes();
    let text = message(finding, name);
    let mut related = Vec::new();
    let labelled = finding.related.iter();
    let labelled = labelled.map(|related| (related.span, related.label.as_str()));
    let more = finding.more.iter().map(|&span| (span, "the same here"));
    for (span, label) in labelled.chain(more) {
        let range = range(open.text.range(span.start..span.end));
        related.push(json!({"location": {"uri": open.uri, "range": range}, "message": label}));
    }
    for other in &finding.elsewhere {
        let path = String::from_utf8_lossy(&other.source.name).into_owned();
        let source = String::from_utf8_lossy(&other.source.text).into_owned();
        let range =
            range(DocumentText::new(source, encoding).range(other.span.start..other.span.end));
        related.push(json!({
            "location": {"uri": uri::of_path(Path::new(&path)), "range": range},
            "message": other.label,
        }));
    }
    let mut item = json!({
        "range": range(open.text.range(finding.span.start..finding.span.end)),
        "severity": match finding.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
        },
        "code": finding.code.as_str(),
        "source": "jsonx",
        "message": text,
    });
    if !related.is_empty() {
        item["relatedInformation"] = Value::Array(related);
    }
    if is_unnecessary(finding.code) {
        item["tags"] = json!([1]);
    }
    if let Some(meaning) = meaning(finding.code) {
        item["data"] = json!({"explain": meaning});
    }
    item
}

/// The explanation of a code, as in `jsonx explain`.
fn meaning(code: Code) -> Option<&'static str> {
    match code {
        Code::Custom(name) => keywords::of_code(name).map(|keyword| keyword.meaning),
        code => Some(code.meaning()),
    }
}

/// Whether the marked bytes can be removed.
fn is_unnecessary(code: Code) -> bool {
    matches!(
        code,
        Code::TrailingComma | Code::ExtraComma | Code::LeadingPlus | Code::ByteOrderMark
    )
}
