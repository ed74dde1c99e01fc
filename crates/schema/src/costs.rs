//! Finds the keyword that used most steps when the check of a value exceeds its budget: the schema is compiled again with a counter
//! before the alternatives of each keyword, and the start of the check is repeated.
//!
//! ```text
//! {"anyOf": [A, B]}     ──►  {"anyOf": [counter, A, B]}               a counter that never matches
//! {"allOf": [A, B]}     ──►  {"allOf": [counter, A, B]}               a counter that always matches
//! {"not": A}            ──►  {"not": {"anyOf": [counter, A]}}
//! {"enum": [1, 2]}      ──►  {"\0count:enum": {"value": [1, 2], …}}   the same keyword with its steps counted
//! ```
//!
//! Only keywords that apply several schemas to one value, or that read whole values or long numbers, can use more steps than the
//! instance has values.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value, json};

use crate::convert::{Role, role_of};
use crate::exact::{Made, test};
use crate::instance::{Instances, View};
use crate::limits::{left, step};
use crate::own;
use crate::pointer::escaped;

/// The name of the counting keyword.
pub const COUNTER: &str = "\u{0}count";

/// A keyword with fewer tries is not reported.
const FEW: u64 = 1000;

/// Steps that every keyword uses for a value.
const USUAL: u64 = 4;

/// The key that replaces a keyword whose steps are counted.
pub fn measured(keyword: &str) -> String {
    format!("{COUNTER}:{keyword}")
}

/// The counters of a schema, each with the URL of its keyword.
#[derive(Default)]
pub struct Counters(Mutex<Vec<(String, Arc<AtomicU64>)>>);

impl Counters {
    /// The counter for `value`.
    pub fn keyword<'v>(&self, value: &'v Value) -> Made<'v> {
        let matches = value.get("matches").and_then(Value::as_bool);
        let matches = matches.unwrap_or(true);
        let tries = value.get("tries").and_then(Value::as_u64).unwrap_or(1);
        let count = self.counter(value);
        test(move |_| {
            step();
            count.fetch_add(tries, Ordering::Relaxed);
            matches
        })
    }

    /// One of [our keywords](own::keyword) with its steps counted; `value` was created by [`count_in`].
    pub fn measured<'v>(
        &self,
        keyword: &str,
        parent: &'v Map<String, Value>,
        value: &'v Value,
    ) -> Made<'v> {
        let keyword = own::keyword(keyword, parent, value.get("value").unwrap_or(value))?;
        let count = self.counter(value);
        Ok(Box::new(Measured { keyword, count }))
    }

    fn counter(&self, value: &Value) -> Arc<AtomicU64> {
        let url = value.get("url").and_then(Value::as_str);
        let count = Arc::new(AtomicU64::new(0));
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((url.unwrap_or_default().to_owned(), count.clone()));
        count
    }

    /// The URL of the keyword with the most tries since the last call, if there were enough.
    pub fn take_busiest(&self) -> Option<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = all
            .iter()
            .map(|(url, count)| (count.swap(0, Ordering::Relaxed), url));
        let (count, url) = counted.max()?;
        (count >= FEW).then(|| url.clone())
    }
}

/// A keyword whose steps are counted.
struct Measured {
    keyword: Box<dyn for<'i> Keyword<'i, Instances>>,
    count: Arc<AtomicU64>,
}

/// Counts the steps until it is dropped, also during unwinding.
struct Spent<'c> {
    before: u64,
    count: &'c AtomicU64,
}

impl Drop for Spent<'_> {
    fn drop(&mut self) {
        let spent = self.before.saturating_sub(left()).saturating_sub(USUAL);
        self.count.fetch_add(spent, Ordering::Relaxed);
    }
}

impl<'i> Keyword<'i, Instances> for Measured {
    fn validate(&self, instance: View<'i>) -> Result<(), ValidationError<'i>> {
        self.keyword.validate(instance)
    }

    fn is_valid(&self, instance: View<'i>) -> bool {
        let _spent = Spent {
            before: left(),
            count: &self.count,
        };
        self.keyword.is_valid(instance)
    }
}

/// Adds counters to a schema with this URL, and to these keywords of ours in it. Recurses, like the conversion.
pub fn count_in(schema: &mut Value, keywords: &[&str], url: &str) {
    add(schema, keywords, Role::Schema, &mut format!("{url}#"));
}

fn add(value: &mut Value, keywords: &[&str], role: Role, url: &mut String) {
    let length = url.len();
    match value {
        Value::Object(members) => {
            for (key, value) in &mut *members {
                let inner = match role {
                    Role::Data => return,
                    Role::Schemas => Role::Schema,
                    Role::Schema => role_of(key),
                };
                *url += "/";
                *url += &escaped(key);
                add(value, keywords, inner, url);
                if role == Role::Schema {
                    wrap(key, value, url);
                }
                url.truncate(length);
            }
            for keyword in keywords.iter().filter(|_| role == Role::Schema) {
                if let Some(value) = members.remove(*keyword) {
                    let url = format!("{url}/{keyword}");
                    members.insert(measured(keyword), json!({"url": url, "value": value}));
                }
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                *url += &format!("/{index}");
                add(element, keywords, role, url);
                url.truncate(length);
            }
        }
        _ => {}
    }
}

/// Inserts a counter before the subschemas of a keyword.
fn wrap(keyword: &str, value: &mut Value, url: &str) {
    let counter = |matches: bool, tries: usize| json!({COUNTER: {"matches": matches, "url": url, "tries": tries}});
    match (keyword, value) {
        ("anyOf" | "oneOf", Value::Array(schemas)) => {
            schemas.insert(0, counter(false, schemas.len()));
        }
        ("allOf", Value::Array(schemas)) => schemas.insert(0, counter(true, schemas.len())),
        ("not" | "if", schema @ (Value::Object(_) | Value::Bool(_))) => {
            let inner = schema.take();
            *schema = json!({"anyOf": [counter(false, 1), inner]});
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_before_alternatives_and_in_no_data() {
        let mut schema = json!({
            "properties": {"anyOf": {"not": true}, "enum": {"enum": [{"enum": 1}], "const": 1}},
            "default": {"anyOf": []},
            "oneOf": [{"allOf": []}],
        });
        count_in(&mut schema, &["enum"], "file:///a");
        let counter = |matches: bool, at: &str, tries: usize| {
            let url = format!("file:///a#{at}");
            json!({COUNTER: {"matches": matches, "url": url, "tries": tries}})
        };
        let expected = json!({
            "properties": {
                "anyOf": {"not": {"anyOf": [counter(false, "/properties/anyOf/not", 1), true]}},
                "enum": {
                    "\0count:enum": {"url": "file:///a#/properties/enum/enum", "value": [{"enum": 1}]},
                    "const": 1,
                },
            },
            "default": {"anyOf": []},
            "oneOf": [counter(false, "/oneOf", 1), {"allOf": [counter(true, "/oneOf/0/allOf", 0)]}],
        });
        assert_eq!(schema, expected);
    }
}
