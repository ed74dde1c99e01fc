//! Values whose schema is marked as deprecated.

use std::collections::HashSet;

use jsonschema::Evaluation;
use jsonx_diagnose::{Code, Diagnostic, Elsewhere, Severity};

use super::Context;
use super::place::{Place, locate_at};
use crate::keywords::DEPRECATED;

/// The findings for the annotations of a valid instance, in the order of the text.
pub fn deprecated(context: &Context<'_>, evaluation: &Evaluation) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for entry in evaluation.iter_annotations() {
        let marks = entry.annotations.value().get("deprecated");
        if marks.and_then(serde_json::Value::as_bool) != Some(true) {
            continue;
        }
        let place = Place::at(context, entry.instance_location.as_str());
        let marked = place.key.unwrap_or(place.node);
        let span = super::words::short_span(marked);
        if !seen.insert((span.start, span.end)) {
            continue;
        }
        let mut finding = Diagnostic::new(Code::Custom(DEPRECATED), span);
        finding.severity = Severity::Warning;
        let name = super::values::name(&place.path, context.whole);
        finding.message = format!("{name} is deprecated");
        finding.path = place.path;
        let uri = entry.absolute_keyword_location.map(|uri| uri.as_str());
        if let Some(schema) = uri.and_then(|uri| locate_at(context, uri)) {
            let mark = schema.node.get("deprecated").unwrap_or(schema.node);
            let source = schema.text.source.clone();
            let span = super::words::short_span(mark);
            finding
                .elsewhere
                .push(Elsewhere::new(source, span, "marked here"));
        }
        found.push(finding);
    }
    found.sort_by_key(|finding| finding.span.start);
    found
}
