//! Keywords of one schema that contradict each other: no value, or not the one that is listed, matches them together.

use std::cmp::Ordering;

use jsonx_core::{Kind, Node, number};
use jsonx_diagnose::{Diagnostic, Related, Severity};

use crate::findings::{self, shown};
use crate::instance::text;
use crate::keywords::CONTRADICTION;

/// What has a lower and an upper bound, the bounds, and whether they may be equal.
const BOUNDS: [(&str, &str, &str, bool); 8] = [
    ("number", "minimum", "maximum", true),
    ("number", "minimum", "exclusiveMaximum", false),
    ("number", "exclusiveMinimum", "maximum", false),
    ("number", "exclusiveMinimum", "exclusiveMaximum", false),
    ("string", "minLength", "maxLength", true),
    ("array", "minItems", "maxItems", true),
    ("object", "minProperties", "maxProperties", true),
    ("array", "minContains", "maxContains", true),
];

/// The contradictions between a member of a schema, with this name, and others.
pub fn contradictions<'d, 't>(
    schema: Node<'d, 't>,
    name: &str,
    value: Node<'d, 't>,
    found: &mut impl FnMut(Diagnostic),
) {
    for (what, lower, upper, may_be_equal) in BOUNDS {
        if name == lower
            && let Some(most) = schema.get(upper).and_then(Node::number)
            && let Some(least) = value.number()
        {
            let order = number::compare(least.raw(), most.raw());
            if order == Ordering::Greater || order.is_eq() && !may_be_equal {
                let relation = if may_be_equal { "above" } else { "not below" };
                let message = format!(
                    "no {what} matches: `{lower}` is {}, {relation} `{upper}`, {}",
                    shown(value),
                    String::from_utf8_lossy(most.raw())
                );
                let rule = schema.get(upper);
                found(finding(value, message, rule));
            }
        }
    }
    let types = schema.get("type");
    match name {
        "enum" => {
            for listed in value.elements() {
                wrong_type("a value of `enum`", listed, types, found);
            }
        }
        "const" => {
            let is_reported = wrong_type("the value of `const`", value, types, found);
            if !is_reported {
                unlisted("the constant", value, schema, found);
            }
        }
        "default" => {
            // OpenAPI allows null beside the type.
            let is_allowed =
                value.is_null() && schema.get("nullable").and_then(Node::as_bool) == Some(true);
            if is_allowed || wrong_type("the default", value, types, found) {
                return;
            }
            unlisted("the default", value, schema, found);
            if let Some(only) = schema.get("const")
                && only.canonical() != value.canonical()
            {
                let message = format!("the default {} is not the value of `const`", shown(value));
                found(finding(value, message, Some(only)));
            }
        }
        _ => {}
    }
}

/// Reports a value that is not in the `enum` of its schema.
fn unlisted<'d, 't>(
    what: &str,
    value: Node<'d, 't>,
    schema: Node<'d, 't>,
    found: &mut impl FnMut(Diagnostic),
) {
    if let Some(listed) = schema.get("enum")
        && !listed.is_empty()
        && !listed
            .elements()
            .any(|it| it.canonical() == value.canonical())
    {
        let message = format!("{what} {} is not a value of `enum`", shown(value));
        found(finding(value, message, Some(listed)));
    }
}

/// Reports a value that has none of the types; whether it did.
fn wrong_type<'d, 't>(
    what: &str,
    value: Node<'d, 't>,
    types: Option<Node<'d, 't>>,
    found: &mut impl FnMut(Diagnostic),
) -> bool {
    let Some(types) = types else { return false };
    let fits = |kind: Node<'_, '_>| match (&*text(kind), value.kind()) {
        ("integer", Kind::Number) => value
            .number()
            .is_some_and(|number| number.is_integer() || number.decimal().is_whole()),
        ("array", kind) => kind == Kind::Array,
        ("boolean", kind) => kind == Kind::Boolean,
        ("number" | "integer", kind) => kind == Kind::Number,
        ("null", kind) => kind == Kind::Null,
        ("object", kind) => kind == Kind::Object,
        ("string", kind) => kind == Kind::String,
        // A mistake that the meta-schema reports.
        _ => true,
    };
    let is_wrong = match types.kind() {
        Kind::String => !fits(types),
        Kind::Array => !types.is_empty() && !types.elements().any(fits),
        _ => false,
    };
    if is_wrong {
        let listed = String::from_utf8_lossy(&types.minified()).into_owned();
        let message = format!("{what}, {}, is not of the `type` {listed}", shown(value));
        found(finding(value, message, Some(types)));
    }
    is_wrong
}

fn finding(node: Node<'_, '_>, message: String, rule: Option<Node<'_, '_>>) -> Diagnostic {
    let mut finding = findings::at(CONTRADICTION, node);
    finding.severity = Severity::Warning;
    finding.message = message;
    if let Some(rule) = rule {
        let rule = rule.span().into();
        finding.related.push(Related::new(rule, "contradicts this"));
    }
    finding
}
