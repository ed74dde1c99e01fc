//! The subset of JSON Schema used in `tests/schemas`. An unknown keyword fails, so that no rule is silently unchecked.

use serde_json::Value;

/// The violations of a schema of `tests/schemas` in `value`, with their paths.
pub fn violations(schema: &str, value: &Value) -> Vec<String> {
    let path = format!(
        "{}/../../tests/schemas/{schema}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read(path).expect("the schema");
    let root = serde_json::from_slice(&text).expect("a schema");
    let mut found = Vec::new();
    check(&root, &root, value, "$", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    let keywords = schema.as_object().expect("a schema is an object");
    for (keyword, rule) in keywords {
        let ok = match keyword.as_str() {
            "$schema" | "description" | "definitions" => true,
            "$ref" => {
                let pointer = rule.as_str().and_then(|text| text.strip_prefix('#'));
                let target = root.pointer(pointer.expect("a local reference"));
                check(root, target.expect("a definition"), value, place, found);
                true
            }
            "type" => match rule.as_str().expect("one type") {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_u64() || value.is_i64(),
                other => panic!("type {other}"),
            },
            "enum" => rule.as_array().expect("values").contains(value),
            "minimum" => value.as_i64() >= rule.as_i64(),
            "maximum" => value.as_i64() <= rule.as_i64(),
            "minItems" => value.as_array().map(|items| items.len() as u64) >= rule.as_u64(),
            "oneOf" => {
                let matching = rule.as_array().expect("schemas").iter().filter(|schema| {
                    let mut inner = Vec::new();
                    check(root, schema, value, place, &mut inner);
                    inner.is_empty()
                });
                matching.count() == 1
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, item, &format!("{place}[{index}]"), found);
                }
                true
            }
            "required" => rule
                .as_array()
                .expect("names")
                .iter()
                .all(|name| value.get(name.as_str().expect("a name")).is_some()),
            "properties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = rule.get(name) {
                        check(root, schema, member, &format!("{place}.{name}"), found);
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(rule, &Value::Bool(false));
                let known = schema["properties"].as_object().expect("properties");
                let members = value.as_object().into_iter().flatten();
                members
                    .into_iter()
                    .all(|(name, _)| known.contains_key(name))
            }
            other => panic!("the keyword {other} is not known"),
        };
        if !ok {
            found.push(format!("{place}: {keyword}: {value}"));
        }
    }
}

#[test]
fn violations_are_found() {
    use serde_json::json;
    let place = json!({"path": "a", "lines": {"begin": 1}});
    let issue = json!({"description": "", "check_name": "", "fingerprint": "", "severity": "info", "location": place});
    assert_eq!(violations("gitlab", &json!([issue])), [""; 0]);
    for (key, wrong) in [
        ("severity", json!("error")),
        ("description", json!(1)),
        ("other", json!(1)),
        ("location", json!({"path": "a"})),
        ("location", json!({"path": "a", "lines": {"begin": 0}})),
    ] {
        let mut issue = issue.clone();
        issue[key] = wrong;
        assert_eq!(violations("gitlab", &json!([issue])).len(), 1, "{issue}");
    }
    assert_eq!(violations("gitlab", &json!({})).len(), 1);
}
