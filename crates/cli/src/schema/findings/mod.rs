//! From the errors of the validator to findings: where, in which words, which branch was meant, and what follows from
//! another.

mod branches;
mod keys;
mod known;
mod place;
mod values;
mod words;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Cause;
use jsonx_core::Node;
use jsonx_core::diagnose::{Code, Diagnostic, Elsewhere, Span};

use super::store::Store;
use crate::keywords;
use branches::Leaf;
use place::Place;
use place::locate;
pub use values::shown;

/// What errors refer to.
pub struct Context<'a> {
    /// The schemas; `None` if those are not files.
    pub store: Option<&'a Store>,
    /// The instance.
    pub root: Node<'a, 'a>,
    /// What the instance is called.
    pub whole: &'static str,
}

/// A finding while others are compared with it.
struct Found {
    diagnostic: Diagnostic,
    keyword: &'static str,
    /// The instance, as a JSON Pointer.
    pointer: String,
    /// The key that is missing or unknown.
    key: Option<String>,
    /// The key that was meant by an unknown one.
    meant: Option<String>,
    /// An unevaluated property or element that the schema knows.
    follows: bool,
}

/// The findings for the errors of one instance, in the order of the text.
pub fn of(context: &Context<'_>, errors: Vec<ValidationError<'_>>) -> Vec<Diagnostic> {
    let mut leaves = Vec::new();
    for error in &errors {
        branches::flatten(context, error, Some(&[]), &mut leaves);
    }
    let mut found = Vec::new();
    for leaf in &leaves {
        describe(context, leaf, &mut found);
    }
    without_consequences(&mut found);
    found.sort_by_key(|found| (found.diagnostic.span.start, found.diagnostic.span.end));
    let mut findings: Vec<Diagnostic> = Vec::new();
    for Found { diagnostic, .. } in found {
        let is_repeated = |other: &Diagnostic| {
            other.span == diagnostic.span && other.message == diagnostic.message
        };
        if !findings.iter().rev().take(50).any(is_repeated) {
            findings.push(diagnostic);
        }
    }
    findings
}

/// The keyword that an error is about, as it is called in codes.
fn keyword_of(error: &ValidationError<'_>) -> &'static str {
    let path = error.schema_path().as_str();
    let last = path.rsplit('/').next().unwrap_or_default();
    let is_among = |name: &str| path.split('/').rev().take(3).any(|part| part == name);
    let name = match error.kind() {
        Cause::Required { .. } if is_among("dependentRequired") => "dependentRequired",
        Cause::Required { .. } if is_among("dependencies") => "dependencies",
        Cause::Contains if last == "minContains" || last == "maxContains" => last,
        Cause::AdditionalItems { .. } if last == "items" => "items",
        Cause::FalseSchema if matches!(last, "items" | "additionalItems") => last,
        Cause::FalseSchema => "false",
        kind => kind.keyword(),
    };
    keywords::named(name).unwrap_or("schema")
}

fn describe(context: &Context<'_>, leaf: &Leaf<'_>, out: &mut Vec<Found>) {
    let error = leaf.error;
    let place = Place::of(context, error);
    let keyword = keyword_of(error);
    let located = context
        .store
        .and_then(|store| locate(store, error.absolute_keyword_location()?.as_str()));
    let describing = words::Describing {
        context,
        error,
        keyword,
        place: &place,
        located: located.as_ref(),
        union: leaf.union.as_deref(),
    };
    for said in describing.all() {
        let mut diagnostic = Diagnostic::new(
            Code::Custom(keywords::code(keyword).unwrap_or("schema")),
            said.span,
        );
        diagnostic.message = said.message;
        diagnostic.label = said.label;
        diagnostic.related = said.related;
        diagnostic.notes = leaf.notes.clone();
        diagnostic.help = said.help;
        diagnostic.fix = said.fix;
        diagnostic.path = said.path.unwrap_or_else(|| place.path.clone());
        if let Some(located) = &located {
            let label = match keyword {
                "additionalProperties"
                | "unevaluatedProperties"
                | "additionalItems"
                | "unevaluatedItems"
                | "false"
                | "not"
                | "items" => "forbidden here",
                _ => "required here",
            };
            let span = said.required_at.unwrap_or_else(|| located.span());
            let source = located.text.source.clone();
            diagnostic
                .elsewhere
                .push(Elsewhere::new(source, span, label));
        }
        out.push(Found {
            diagnostic,
            keyword,
            pointer: error.instance_path().as_str().to_owned(),
            key: said.key,
            meant: said.meant,
            follows: said.follows,
        });
    }
}

/// Drops findings that follow from another: one for each cause.
fn without_consequences(found: &mut Vec<Found>) {
    // A value of the wrong type breaks every other rule about it too.
    let of_type: Vec<String> = found
        .iter()
        .filter(|found| found.keyword == "type")
        .map(|found| found.pointer.clone())
        .collect();
    found.retain(|found| found.keyword == "type" || !of_type.contains(&found.pointer));
    // A value that is not one of those listed has no other rules to keep.
    let listed: Vec<String> = found
        .iter()
        .filter(|found| matches!(found.keyword, "const" | "enum"))
        .map(|found| found.pointer.clone())
        .collect();
    found.retain(|found| {
        matches!(found.keyword, "const" | "enum") || !listed.contains(&found.pointer)
    });
    // A mistyped key is missing under its right name.
    let meant: Vec<(String, String)> = found
        .iter()
        .filter_map(|found| Some((found.pointer.clone(), found.meant.clone()?)))
        .collect();
    found.retain(|found| {
        let is_meant = |key: &String| {
            meant
                .iter()
                .any(|(pointer, meant)| *pointer == found.pointer && meant == key)
        };
        found.meant.is_some() || !found.key.as_ref().is_some_and(is_meant)
    });
    // What a schema knows is unevaluated because another part of it failed.
    if found.iter().any(|found| !found.follows) {
        found.retain(|found| !found.follows);
    }
    // Of several ways to forbid one key, one is enough.
    let mut seen: Vec<Span> = Vec::new();
    found.retain(|found| {
        let forbids = matches!(
            found.keyword,
            "additionalProperties" | "unevaluatedProperties" | "false" | "propertyNames"
        );
        let is_new = !seen.contains(&found.diagnostic.span);
        if forbids && is_new {
            seen.push(found.diagnostic.span);
        }
        !forbids || is_new
    });
}

/// A whole node as a span.
fn span(node: Node<'_, '_>) -> Span {
    let span = node.span();
    Span::new(span.start, span.end)
}
