//! Which keyword of a schema took the steps, when they were too many for a value: the schema is compiled once more, with a
//! counter in front of the alternatives of each keyword, and the beginning of the check is repeated.
//!
//! ```text
//! {"anyOf": [A, B]}     ──►  {"anyOf": [counter, A, B]}               a counter that never matches
//! {"allOf": [A, B]}     ──►  {"allOf": [counter, A, B]}               one that always does
//! {"not": A}            ──►  {"not": {"anyOf": [counter, A]}}
//! ```
//!
//! Only keywords that apply several schemas to one value can take more steps than the value and the schema are long.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::convert::{Role, role_of};
use crate::exact::{Made, test};
use crate::limits::step;
use crate::pointer::escaped;

/// The keyword that counts.
pub const COUNTER: &str = "\u{0}count";

/// Visits below which no keyword is the reason.
const FEW: u64 = 1000;

/// The counters of a schema, each with the URL of the keyword that it counts for.
#[derive(Default)]
pub struct Counters(Mutex<Vec<(String, Arc<AtomicU64>)>>);

impl Counters {
    /// The counter that `value` is made for.
    pub fn keyword<'v>(&self, value: &'v Value) -> Made<'v> {
        let matches = value.get("matches").and_then(Value::as_bool);
        let url = value.get("url").and_then(Value::as_str);
        let (matches, url) = (matches.unwrap_or(true), url.unwrap_or_default().to_owned());
        let count = Arc::new(AtomicU64::new(0));
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((url, count.clone()));
        test(move |_| {
            step();
            count.fetch_add(1, Ordering::Relaxed);
            matches
        })
    }

    /// The URL of the keyword that was tried most often since the last call, if it was tried often.
    pub fn take_busiest(&self) -> Option<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = all
            .iter()
            .map(|(url, count)| (count.swap(0, Ordering::Relaxed), url));
        let (count, url) = counted.max()?;
        (count >= FEW).then(|| url.clone())
    }
}

/// Adds counters to a schema at a URL. Recurses, as its conversion does.
pub fn count_in(schema: &mut Value, url: &str) {
    add(schema, Role::Schema, &mut format!("{url}#"));
}

fn add(value: &mut Value, role: Role, url: &mut String) {
    let length = url.len();
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let inner = match role {
                    Role::Data => return,
                    Role::Schemas => Role::Schema,
                    Role::Schema => role_of(key),
                };
                *url += "/";
                *url += &escaped(key);
                add(value, inner, url);
                if role == Role::Schema {
                    wrap(key, value, url);
                }
                url.truncate(length);
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                *url += &format!("/{index}");
                add(element, role, url);
                url.truncate(length);
            }
        }
        _ => {}
    }
}

/// Puts a counter before what a keyword applies.
fn wrap(keyword: &str, value: &mut Value, url: &str) {
    let counter = |matches: bool| json!({COUNTER: {"matches": matches, "url": url}});
    match (keyword, value) {
        ("anyOf" | "oneOf", Value::Array(schemas)) => schemas.insert(0, counter(false)),
        ("allOf", Value::Array(schemas)) => schemas.insert(0, counter(true)),
        ("not" | "if", schema @ (Value::Object(_) | Value::Bool(_))) => {
            let inner = schema.take();
            *schema = json!({"anyOf": [counter(false), inner]});
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
            "properties": {"anyOf": {"not": true}},
            "default": {"anyOf": []},
            "oneOf": [{"allOf": []}],
        });
        count_in(&mut schema, "file:///a");
        let counter = |matches: bool, at: &str| {
            let url = format!("file:///a#{at}");
            json!({COUNTER: {"matches": matches, "url": url}})
        };
        let expected = json!({
            "properties": {
                "anyOf": {"not": {"anyOf": [counter(false, "/properties/anyOf/not"), true]}},
            },
            "default": {"anyOf": []},
            "oneOf": [counter(false, "/oneOf"), {"allOf": [counter(true, "/oneOf/0/allOf")]}],
        });
        assert_eq!(schema, expected);
    }
}
