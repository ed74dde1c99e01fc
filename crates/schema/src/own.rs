//! Replacements for keywords of the validator that round numbers or compare with listed values one by one.

use jsonschema::Draft;
use jsonschema::json::{Array as _, Node as _};
use serde_json::{Map, Value};

use crate::exact::{self, Made, test};
use crate::instance::View;
use crate::keywords::NUMERIC;
use crate::listed;

/// The replaced keywords of a draft; none for a custom meta-schema, which may omit any of them.
pub fn replaced(draft: Option<Draft>, asserts_formats: bool) -> Vec<&'static str> {
    let mut all = Vec::new();
    if let Some(draft) = draft {
        all.extend(NUMERIC);
        all.push("enum");
        all.extend((draft != Draft::Draft4).then_some("const"));
        // They are annotations, like `format`; draft 6 does not have them.
        if !asserts_formats || draft == Draft::Draft6 {
            all.extend(["contentEncoding", "contentMediaType"]);
        }
    }
    all
}

/// Creates one of these keywords; `parent` has the other members of its schema.
pub fn keyword<'v>(name: &str, parent: &'v Map<String, Value>, value: &'v Value) -> Made<'v> {
    match name {
        "enum" => listed::one_of(value),
        "const" => listed::constant(value),
        "multipleOf" => exact::multiple_of(parent, value),
        "uniqueItems" if value == true => test(|instance: View<'_>| {
            let array = instance.as_array();
            array.is_none_or(|array| array.is_unique())
        }),
        "uniqueItems" | "contentEncoding" | "contentMediaType" => test(|_| true),
        limit => exact::limit(limit, parent, value),
    }
}
