//! Values that schemas allow, as snippets.

use jsonx_core::path::Step;

use super::quoted;
use super::snippet::{Places, Suggestion, literal};
use crate::schema::Subschema;

/// Levels and elements of a value that is made.
const MOST: usize = 6;

/// Texts for strings whose schema has a pattern or a length.
pub const TEXTS: [&str; 16] = [
    "",
    "a",
    "A",
    "0",
    "aaa",
    "abc-1",
    "AAA",
    "000",
    "1.0.0",
    "2000-01-01",
    "2000-01-01T00:00:00Z",
    "a@b.org",
    "https://a.org",
    "./a",
    "#/a",
    "aaaaaaaaaaaaaaaa",
];

/// The values that schemas list, as JSON.
pub fn listed(schemas: &[Subschema]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for schema in schemas {
        let mut values = Vec::from_iter(schema.value("const"));
        values.extend(schema.values("enum"));
        let lists_all = !values.is_empty();
        values.extend(schema.value("default"));
        values.extend(schema.values("examples"));
        let types = schema.texts("type");
        let has = |name: &str| !lists_all && types.iter().any(|it| it == name);
        let (is_boolean, is_null) = (has("boolean"), has("null"));
        values.extend(
            ["true", "false"]
                .map(str::to_owned)
                .into_iter()
                .filter(|_| is_boolean),
        );
        values.extend(is_null.then(|| "null".to_owned()));
        for value in values {
            if !all.contains(&value) {
                all.push(value);
            }
        }
    }
    all
}

/// The description of a schema; in Markdown, as VS Code reads it, if there is no other.
pub fn description(schema: &Subschema) -> Option<String> {
    let text = schema.text("description");
    text.or_else(|| schema.text("markdownDescription"))
}

/// The description of a value that an `enum` lists, by an extension of VS Code.
pub fn described(schemas: &[Subschema], value: &str) -> Option<String> {
    schemas.iter().find_map(|schema| {
        let at = schema.values("enum").iter().position(|it| it == value)?;
        let lists = ["markdownEnumDescriptions", "enumDescriptions"];
        let mut texts = lists.iter().filter_map(|list| {
            let text = schema.values(list).into_iter().nth(at)?;
            serde_json::from_str::<String>(&text).ok()
        });
        texts.next()
    })
}

/// The snippets that schemas give.
pub fn suggested(schemas: &[Subschema]) -> Vec<Suggestion> {
    let all = schemas.iter().flat_map(|it| it.values("defaultSnippets"));
    all.filter_map(|it| Suggestion::new(&it)).collect()
}

/// The type that schemas name or imply.
pub fn type_of(schemas: &[Subschema]) -> Option<String> {
    let named = schemas
        .iter()
        .find_map(|schema| schema.texts("type").into_iter().next());
    let has = |keyword: &str| schemas.iter().any(|it| it.value(keyword).is_some());
    let implied = || match () {
        () if has("properties") || has("required") => Some("object"),
        () if has("items") || has("prefixItems") => Some("array"),
        () if has("pattern") => Some("string"),
        () => None,
    };
    named.or_else(|| implied().map(str::to_owned))
}

/// The required members that are not among these keys.
pub fn missing(schemas: &[Subschema], keys: &[String]) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    for name in schemas.iter().flat_map(|it| it.texts("required")) {
        if !keys.contains(&name) && !missing.contains(&name) {
            missing.push(name);
        }
    }
    missing
}

/// Snippets of values, the most likely first: one for each choice between alternatives, then one of each type.
pub fn made(schemas: &[Subschema]) -> Vec<String> {
    let mut choices = Subschema::choices(schemas);
    let is_known = |it: &Vec<Subschema>| type_of(it).is_some() || !listed(it).is_empty();
    // An alternative that does not describe the value says nothing about it.
    let are_known = choices.iter().any(is_known);
    choices.retain(|it| !are_known || is_known(it));
    let is_text = |it: &Vec<Subschema>| type_of(it).is_none_or(|name| name == "string");
    let takes_text = choices.iter().any(is_text);
    let made = choices
        .iter()
        .map(|it| value(it, &mut Places::default(), MOST));
    let texts = TEXTS.iter().filter(|_| takes_text);
    let texts = texts.map(|text| format!("\"{}\"", Places::default().with(text)));
    let others = ["${1:null}", "{$1\\}", "[$1]", "${1:0}", "${1:false}"].map(str::to_owned);
    let others = others.into_iter().filter(|_| !are_known);
    made.chain(others).chain(texts).collect()
}

/// Members with these keys.
pub fn members(schemas: &[Subschema], names: &[String], places: &mut Places) -> String {
    members_within(schemas, names, places, MOST)
}

fn members_within(
    schemas: &[Subschema],
    names: &[String],
    places: &mut Places,
    levels: usize,
) -> String {
    let members = names.iter().map(|name| {
        let below = Subschema::below(schemas, &[Step::Key(name.as_bytes().into())], None);
        let below = Subschema::choices(&below)
            .into_iter()
            .next()
            .unwrap_or_default();
        format!(
            "{}: {}",
            literal(&quoted(name)),
            value(&below, places, levels)
        )
    });
    members.collect::<Vec<_>>().join(", ")
}

/// A value of which all these schemas should hold.
fn value(schemas: &[Subschema], places: &mut Places, levels: usize) -> String {
    let suggested = suggested(schemas);
    if let [suggested] = &suggested[..]
        && levels == MOST
    {
        return suggested.snippet.clone();
    }
    let listed = listed(schemas);
    let named = type_of(schemas);
    // That a value may be null is not a reason to insert it.
    let is_optional = listed == ["null"] && named.as_deref().is_some_and(|name| name != "null");
    if !listed.is_empty() && !is_optional {
        return places.choice(&listed);
    }
    let number = |keyword: &str| {
        schemas
            .iter()
            .filter_map(|it| it.number(keyword))
            .reduce(f64::max)
    };
    match named.as_deref() {
        Some("string") => {
            let allowed = |text: &&&str| schemas.iter().all(|it| it.allows_text(text));
            let text = TEXTS.iter().find(allowed).unwrap_or(&"");
            format!("\"{}\"", places.with(text))
        }
        Some("number" | "integer") => {
            let number = match (
                number("minimum"),
                number("exclusiveMinimum"),
                number("maximum"),
            ) {
                (Some(least), ..) if least > 0.0 => least,
                (_, Some(below), _) if below >= 0.0 => below.floor() + 1.0,
                (.., Some(most)) if most < 0.0 => most,
                _ => 0.0,
            };
            places.with(&number.to_string())
        }
        Some("array") => {
            let least = number("minItems").unwrap_or(0.0) as usize;
            let elements = (0..least.min(MOST)).filter(|_| levels > 0).map(|at| {
                let below = Subschema::below(schemas, &[Step::Index(at as u64)], None);
                let below = Subschema::choices(&below)
                    .into_iter()
                    .next()
                    .unwrap_or_default();
                value(&below, places, levels - 1)
            });
            let elements: Vec<String> = elements.collect();
            if elements.is_empty() {
                format!("[{}]", places.with(""))
            } else {
                format!("[{}]", elements.join(", "))
            }
        }
        Some("object") => match missing(schemas, &[]) {
            names if names.is_empty() || levels == 0 => format!("{{{}\\}}", places.with("")),
            names => format!(
                "{{{}\\}}",
                members_within(schemas, &names, places, levels - 1)
            ),
        },
        _ => places.with("null"),
    }
}
