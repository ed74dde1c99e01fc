//! The keys that a schema declares.

use jsonx_core::{Kind, Node};

use super::Context;
use super::context::{Declared, Listed};
use super::place::{Located, locate_at};
use crate::backtracking::Pattern;
use crate::instance::text;
use crate::resources::resolve;
use crate::store::without_fragment;

/// Maximum number of schemas searched.
const MOST: usize = 200;

/// The keys that the schema with a keyword declares; with `deep`, also those of its in-place subschemas.
pub fn declared(context: &Context<'_>, located: &Located, deep: bool) -> Declared {
    let mut names = Vec::new();
    let mut patterns = Vec::new();
    let Some(parent) = located.parent else {
        return Declared::default();
    };
    let base = without_fragment(&located.uri);
    let mut waiting = vec![(parent, base.to_owned())];
    let mut looked_at = 0;
    while let Some((schema, base)) = waiting.pop() {
        looked_at += 1;
        if looked_at > MOST {
            break;
        }
        if let Some(properties) = schema.get("properties") {
            let own = properties.members().map(|(key, _)| text(key).into_owned());
            names.extend(own);
        }
        if let Some(own) = schema.get("patternProperties") {
            patterns.extend(
                own.members()
                    .filter_map(|(key, _)| Pattern::new(&text(key))),
            );
        }
        if !deep {
            break;
        }
        for (key, value) in schema.members() {
            match &*text(key) {
                "allOf" | "anyOf" | "oneOf" => {
                    waiting.extend(value.elements().map(|schema| (schema, base.clone())));
                }
                "if" | "then" | "else" => waiting.push((value, base.clone())),
                "dependentSchemas" => {
                    let schemas = value.members().map(|(_, schema)| (schema, base.clone()));
                    waiting.extend(schemas);
                }
                "$ref" if value.kind() == Kind::String => {
                    if let Some((target, base)) = target(context, &base, value) {
                        waiting.push((target, base));
                    }
                }
                _ => {}
            }
        }
    }
    Declared {
        names: Listed::of_names(names),
        patterns,
    }
}

/// The target of a `$ref`, and its base URL.
pub fn target(
    context: &Context<'_>,
    base: &str,
    reference: Node<'static, 'static>,
) -> Option<(Node<'static, 'static>, String)> {
    let uri = resolve(&text(reference), base)?;
    let located = locate_at(context, &uri)?;
    Some((located.node, without_fragment(&uri).to_owned()))
}
