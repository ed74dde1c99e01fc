//! Chooses the intended alternative of `anyOf` and `oneOf`.

use std::borrow::Cow;
use std::sync::Arc;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Cause;
use jsonx_core::Node;

use super::context::{AlternativeKeys, Leaf, Listed};
use super::known;
use super::place::{Place, locate_at};
use super::values;
use super::words::sentence;
use super::{Context, keyword_of};
use crate::instance::text;
use crate::limits::step;

/// Maximum number of alternatives described in a note.
const DESCRIBED: usize = 4;

/// Maximum number of keys of an object that are compared with those of an alternative.
const COMPARED: usize = 32;

/// Appends the errors of the intended alternatives, with these notes and those about the choice; without notes if only the errors are
/// needed: describing all nested alternatives takes exponential time.
pub fn flatten<'e>(
    context: &Context<'_>,
    error: &'e ValidationError<'_>,
    notes: Option<&[String]>,
    out: &mut Vec<Leaf<'e>>,
) {
    step();
    let own_notes = || notes.unwrap_or_default().to_vec();
    let (keyword, branches) = match error.kind() {
        Cause::AnyOf { context } => ("anyOf", context),
        Cause::OneOfNotValid { context } => ("oneOf", context),
        _ => {
            out.push(Leaf {
                error,
                notes: own_notes(),
                union: None,
            });
            return;
        }
    };
    if let Some(union) = union(context, error, branches) {
        out.push(Leaf {
            error,
            notes: own_notes(),
            union: Some(union),
        });
        return;
    }
    let scores: Vec<Score> = (0..branches.len())
        .map(|number| score(context, error, branches, number))
        .collect();
    let best = (0..branches.len()).max_by(|&a, &b| scores[a].cmp(&scores[b]).then(b.cmp(&a)));
    let Some(best) = best.filter(|&best| !branches[best].is_empty()) else {
        out.push(Leaf {
            error,
            notes: own_notes(),
            union: None,
        });
        return;
    };
    let notes = notes.map(|notes| {
        let mut notes = notes.to_vec();
        if branches.len() > 1 {
            let chosen = format!(
                "of the {} alternatives in `{keyword}`, number {} is the nearest",
                branches.len(),
                best + 1,
            );
            // Nested alternatives may be equal.
            let others = others(context, branches, best);
            let new = [chosen].into_iter().chain(others);
            let new: Vec<String> = new.filter(|note| !notes.contains(note)).collect();
            notes.extend(new);
        }
        notes
    });
    for error in &branches[best] {
        flatten(context, error, notes.as_deref(), out);
    }
}

/// The similarity of an alternative to the instance.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    has_type: bool,
    /// The number of properties whose `const` or `enum` matches, minus those that do not match.
    discriminators: i64,
    /// The number of keys that the alternative has, twice, and of those that are similar to one that the object lacks.
    keys: usize,
    depth: usize,
    few: std::cmp::Reverse<usize>,
}

fn score(
    context: &Context<'_>,
    error: &ValidationError<'_>,
    branches: &[Vec<ValidationError<'static>>],
    number: usize,
) -> Score {
    let at = error.instance_path().as_str();
    let errors = &branches[number];
    let fails_type = |error: &ValidationError<'_>| {
        let is_of_type = || match keyword_of(error) {
            "type" | "false" => false,
            "const" | "enum" => values::lists_kind(context, error),
            _ => true,
        };
        error.instance_path().as_str() == at && !is_of_type()
    };
    let child_of = |error: &ValidationError<'_>| {
        let rest = error
            .instance_path()
            .as_str()
            .strip_prefix(at)?
            .strip_prefix('/')?
            .to_owned();
        (!rest.contains('/')).then_some(rest)
    };
    let wrong: Vec<String> = errors
        .iter()
        .filter(|error| matches!(keyword_of(error), "const" | "enum"))
        .filter_map(child_of)
        .collect();
    let known = keys(context, error, number);
    let object = Place::new(context, error).node;
    let is_there = |name: &str| context.children.member(object, name).is_some();
    let right = known
        .discriminators
        .iter()
        .filter(|name| is_there(name) && !wrong.contains(name));
    let near = |(key, _): (Node<'_, '_>, _)| {
        let key = text(key);
        if known.names.contains(&key) {
            return 2;
        }
        let free = known.names.texts.iter().filter(|name| !is_there(name));
        usize::from(context.nearest(&key, free).is_some())
    };
    Score {
        has_type: !errors.iter().any(fails_type),
        discriminators: right.count() as i64 - wrong.len() as i64,
        keys: object.members().take(COMPARED).map(near).sum(),
        depth: errors.iter().map(depth).max().unwrap_or_default(),
        few: std::cmp::Reverse(errors.len()),
    }
}

/// The keys of an alternative.
fn keys(context: &Context<'_>, error: &ValidationError<'_>, number: usize) -> Arc<AlternativeKeys> {
    let keys = |branch: &str| {
        let branch = locate_at(context, branch)?;
        let base = branch.uri.split('#').next().unwrap_or_default().to_owned();
        let (mut schema, mut base) = (branch.node, base);
        for _ in 0..20 {
            let Some(reference) = schema.get("$ref") else {
                break;
            };
            (schema, base) = known::target(context, &base, reference)?;
        }
        let properties = schema.get("properties");
        let properties = || properties.iter().flat_map(|it| it.members());
        let required = schema.get("required");
        let required = required.iter().flat_map(|it| it.elements()).map(text);
        let lists =
            |schema: Node<'_, '_>| schema.get("const").or_else(|| schema.get("enum")).is_some();
        let listed = properties().filter(|(_, schema)| lists(*schema));
        let names = properties().map(|(key, _)| text(key)).chain(required);
        Some(AlternativeKeys {
            names: Listed::of_names(names.map(Cow::into_owned)),
            discriminators: listed.map(|(key, _)| text(key).into_owned()).collect(),
        })
    };
    let Some(uri) = error.absolute_keyword_location() else {
        return Arc::default();
    };
    let branch = format!("{}/{number}", uri.as_str());
    let known = &context.known.alternatives;
    known.get(&branch, || keys(&branch).unwrap_or_default())
}

/// The depth in the instance of the deepest error below this one.
fn depth(error: &ValidationError<'_>) -> usize {
    step();
    let own = error.instance_path().as_str().matches('/').count();
    let inside = match error.kind() {
        Cause::AnyOf { context } | Cause::OneOfNotValid { context } => {
            context.iter().flatten().map(depth).max()
        }
        _ => None,
    };
    own.max(inside.unwrap_or_default())
}

/// The types and values allowed by alternatives that fail only on the type or value of the instance itself.
fn union(
    context: &Context<'_>,
    error: &ValidationError<'_>,
    branches: &[Vec<ValidationError<'static>>],
) -> Option<Arc<Listed>> {
    let at = error.instance_path();
    let decisive = |errors: &Vec<ValidationError<'static>>| {
        errors.iter().position(|error| {
            error.instance_path() == at && matches!(keyword_of(error), "type" | "const" | "enum")
        })
    };
    let decisive = branches
        .iter()
        .map(|errors| Some(&errors[decisive(errors)?]));
    let decisive: Vec<&ValidationError<'static>> = decisive.collect::<Option<_>>()?;
    let mut key = error.absolute_keyword_location()?.as_str().to_owned();
    for error in &decisive {
        key.push(' ');
        key.push_str(error.schema_path().as_str());
    }
    let union = context.known.unions.get(&key, || {
        let allowed = decisive.iter().map(|error| values::allowed(context, error));
        let allowed: Option<Vec<Vec<String>>> = allowed.collect();
        Listed::of_json(allowed.into_iter().flatten().flatten())
    });
    (union.texts.len() > 1).then_some(union)
}

/// A short description of the other alternatives.
fn others(
    context: &Context<'_>,
    branches: &[Vec<ValidationError<'static>>],
    best: usize,
) -> Vec<String> {
    let others = (0..branches.len()).filter(|&number| number != best);
    let described = others.take(DESCRIBED).filter_map(|number| {
        // A distinguishing property says most.
        let lists = |error: &&ValidationError<'_>| matches!(keyword_of(error), "const" | "enum");
        let errors = &branches[number];
        let decisive = errors.iter().find(lists).or(errors.first())?;
        let mut leaves = Vec::new();
        flatten(context, decisive, None, &mut leaves);
        let leaf = leaves.first()?;
        Some(format!(
            "number {}: {}",
            number + 1,
            sentence(context, leaf)
        ))
    });
    described.collect()
}
