//! Converts errors of the validator to findings: places, messages, the intended alternative, and consequences of other errors.

mod arrays;
mod bad_patterns;
mod branches;
mod children;
mod context;
mod deprecated;
mod formats;
mod keys;
mod known;
mod place;
mod values;
mod words;

use jsonx_core::order::sort_by_place;
use std::collections::HashSet;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Cause;
use jsonx_core::{Kind, Node};
use jsonx_diagnose::{Code, Diagnostic, Elsewhere};

use crate::keywords;
pub use bad_patterns::{is_pattern, no_pattern};
pub use children::Children;
use context::Leaf;
pub use context::{Context, Known};
pub use deprecated::deprecated;
use place::Place;
use place::locate;
pub use values::shown;

/// The help for patterns that take too many steps.
pub const LINEAR: &str =
    "a pattern without look-around and back-references is matched in linear time";

/// A finding with the parts that are compared with others.
struct Candidate {
    diagnostic: Diagnostic,
    keyword: &'static str,
    /// The instance, as a JSON Pointer.
    pointer: String,
    /// The key that is missing or unknown.
    key: Option<String>,
    /// The key suggested for an unknown one.
    meant: Option<String>,
    /// Whether it is an unevaluated property or element known to the schema.
    follows: bool,
}

/// The findings for the errors of one instance, in the order of the text.
pub fn diagnostics(context: &Context<'_>, errors: Vec<ValidationError<'_>>) -> Vec<Diagnostic> {
    let mut leaves = Vec::new();
    for error in &errors {
        branches::flatten(context, error, Some(&[]), &mut leaves);
    }
    let mut found = Vec::new();
    for leaf in &leaves {
        describe(context, leaf, &mut found);
    }
    without_consequences(&mut found);
    sort_by_place(&mut found, |found| {
        (found.diagnostic.span.start, found.diagnostic.span.end)
    });
    let mut findings: Vec<Diagnostic> = Vec::new();
    for Candidate { diagnostic, .. } in found {
        let is_repeated = |other: &Diagnostic| {
            other.span == diagnostic.span && other.message == diagnostic.message
        };
        if !findings.iter().rev().take(50).any(is_repeated) {
            findings.push(diagnostic);
        }
    }
    findings
}

/// The keyword of an error, as used in codes.
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

fn describe(context: &Context<'_>, leaf: &Leaf<'_>, out: &mut Vec<Candidate>) {
    let error = leaf.error;
    let place = Place::new(context, error);
    let keyword = keyword_of(error);
    let located = locate(context, error);
    let describing = words::Describing {
        context,
        error,
        keyword,
        place: &place,
        located: located.as_ref(),
        union: leaf.union.as_deref(),
    };
    for wording in describing.all() {
        let mut diagnostic = Diagnostic::new(
            Code::Custom(keywords::code(keyword).unwrap_or("schema")),
            wording.span,
        );
        diagnostic.message = wording.message;
        diagnostic.label = wording.label;
        diagnostic.related = wording.related;
        diagnostic.notes = leaf.notes.clone();
        diagnostic.help = wording.help;
        diagnostic.fix = wording.fix;
        diagnostic.path = wording.path.unwrap_or_else(|| place.path.clone());
        if let Some(located) = &located {
            let label = match keyword {
                "unevaluatedProperties" | "unevaluatedItems"
                    if located.node.kind() == Kind::Object =>
                {
                    "required here"
                }
                "additionalProperties"
                | "unevaluatedProperties"
                | "additionalItems"
                | "unevaluatedItems"
                | "false"
                | "not"
                | "items" => "forbidden here",
                _ => "required here",
            };
            let span = wording.required_at.unwrap_or_else(|| located.span());
            let source = located.text.source.clone();
            diagnostic
                .elsewhere
                .push(Elsewhere::new(source, span, label));
            // Alternatives often fit together because the rule that tells them apart is ignored.
            if let (Cause::OneOfMultipleValid { .. }, Some(store), Some(find)) =
                (error.kind(), context.store, context.without_effect)
            {
                let known = &context.known.without_effect;
                let find = || find(store, located.text, located.node);
                if let Some((span, reason)) = &*known.get(&located.uri, find) {
                    let source = located.text.source.clone();
                    let ignored = Elsewhere::new(source, *span, reason.as_str());
                    diagnostic.elsewhere.push(ignored);
                }
            }
        }
        out.push(Candidate {
            diagnostic,
            keyword,
            pointer: error.instance_path().as_str().to_owned(),
            key: wording.key,
            meant: wording.meant,
            follows: wording.follows,
        });
    }
}

/// Drops findings that are consequences of others.
fn without_consequences(found: &mut Vec<Candidate>) {
    let pointers = |found: &[Candidate], keywords: &[&str]| -> HashSet<String> {
        let found = found.iter().filter(|it| keywords.contains(&it.keyword));
        found.map(|found| found.pointer.clone()).collect()
    };
    // A value of the wrong type violates other rules as well; for a value that is not listed, other rules are irrelevant.
    for decisive in [&["type"][..], &["const", "enum"]] {
        let decided = pointers(found, decisive);
        found
            .retain(|found| decisive.contains(&found.keyword) || !decided.contains(&found.pointer));
    }
    // A mistyped key is missing under its right name.
    let meant = found.iter().filter_map(|found| {
        let meant = found.meant.clone()?;
        Some((found.pointer.clone(), meant))
    });
    let meant: HashSet<(String, String)> = meant.collect();
    found.retain(|found| {
        let is_meant = |key: &String| meant.contains(&(found.pointer.clone(), key.clone()));
        found.meant.is_some() || meant.is_empty() || !found.key.as_ref().is_some_and(is_meant)
    });
    // A known property is unevaluated because another part of the schema failed.
    if found.iter().any(|found| !found.follows) {
        found.retain(|found| !found.follows);
    }
    // One of several rules that forbid a key is enough.
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    found.retain(|found| {
        let span = found.diagnostic.span;
        let forbids = matches!(
            found.keyword,
            "additionalProperties" | "unevaluatedProperties" | "false" | "propertyNames"
        );
        !forbids || seen.insert((span.start, span.end))
    });
}

/// A finding in a schema, at this node.
pub fn at(code: &'static str, node: Node<'_, '_>) -> Diagnostic {
    let mut finding = Diagnostic::new(Code::Custom(code), node.span().into());
    finding.path = node.path();
    finding
}
