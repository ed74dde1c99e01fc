//! Generated schemas and values with one fault each: the only finding is at the fault.

use serde_json::{Map, Value, json};

use crate::Folder;
use crate::schema::ran;

/// Pairs of schema and value.
const PAIRS: u64 = 100;

/// A linear congruential generator, for reproducible pairs.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn word(&mut self) -> String {
        const WORDS: [&str; 16] = [
            "address",
            "timeout",
            "replicas",
            "hostname",
            "username",
            "interval",
            "threshold",
            "endpoint",
            "priority",
            "language",
            "currency",
            "quantity",
            "location",
            "category",
            "capacity",
            "template",
        ];
        WORDS[self.below(16) as usize].to_owned()
    }
}

/// A value with one fault, the JSON Pointer of the finding, and its keyword.
type Fault = (Value, String, &'static str);

/// A schema, a value that matches it, and faults.
struct Made {
    schema: Value,
    value: Value,
    faults: Vec<Fault>,
}

fn scalar(random: &mut Random) -> Made {
    let here = |value: Value, keyword| (value, String::new(), keyword);
    let (schema, value, faults) = match random.below(7) {
        0 => {
            let least = random.below(100);
            (
                json!({"type": "integer", "minimum": least, "maximum": least + 50}),
                json!(least + random.below(50)),
                vec![
                    here(json!(least + 51), "maximum"),
                    here(json!(least as i64 - 1), "minimum"),
                    here(json!((least + 1).to_string()), "type"),
                    here(json!(least as f64 + 0.5), "type"),
                ],
            )
        }
        1 => (
            json!({"type": "string", "minLength": 2, "maxLength": 9}),
            json!(random.word()),
            vec![
                here(json!("x"), "minLength"),
                here(json!("abcdefghijk"), "maxLength"),
                here(json!(7), "type"),
                here(json!(null), "type"),
            ],
        ),
        2 => (
            json!({"enum": ["debug", "info", "warning", "error"]}),
            json!("info"),
            vec![here(json!("inof"), "enum"), here(json!(3), "enum")],
        ),
        3 => (
            json!({"type": "string", "pattern": "^[a-z]+-[0-9]+$"}),
            json!(format!("{}-{}", random.word(), random.below(100))),
            vec![here(json!("Nothing"), "pattern")],
        ),
        4 => (
            json!({"type": "boolean"}),
            json!(true),
            vec![here(json!("true"), "type"), here(json!(1), "type")],
        ),
        5 => (
            json!({"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.25}),
            json!(1.25),
            vec![
                here(json!(0), "exclusiveMinimum"),
                here(json!(1.3), "multipleOf"),
            ],
        ),
        _ => (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!(null),
            vec![here(json!(5), "anyOf"), here(json!([]), "anyOf")],
        ),
    };
    Made {
        schema,
        value,
        faults,
    }
}

fn array(random: &mut Random, depth: u32) -> Made {
    let element = node(random, depth + 1);
    let length = 2 + random.below(3) as usize;
    let value = vec![element.value.clone(); length];
    let mut faults: Vec<Fault> = Vec::new();
    for (fault, pointer, keyword) in element.faults {
        let at = random.below(length as u64) as usize;
        let mut broken = value.clone();
        broken[at] = fault;
        faults.push((Value::Array(broken), format!("/{at}{pointer}"), keyword));
    }
    let long = vec![element.value.clone(); 6];
    faults.push((Value::Array(long), String::new(), "maxItems"));
    faults.push((json!([]), String::new(), "minItems"));
    Made {
        schema: json!({"type": "array", "items": element.schema, "minItems": 1, "maxItems": 5}),
        value: Value::Array(value),
        faults,
    }
}

fn object(random: &mut Random, depth: u32) -> Made {
    let (mut properties, mut value) = (Map::new(), Map::new());
    let mut inner = Vec::new();
    for _ in 0..2 + random.below(4) {
        let key = random.word();
        if properties.contains_key(&key) {
            continue;
        }
        let made = node(random, depth + 1);
        properties.insert(key.clone(), made.schema);
        value.insert(key.clone(), made.value);
        inner.push((key, made.faults));
    }
    let mut faults: Vec<Fault> = Vec::new();
    for (key, of_key) in inner {
        for (fault, pointer, keyword) in of_key {
            let mut broken = value.clone();
            broken.insert(key.clone(), fault);
            faults.push((Value::Object(broken), format!("/{key}{pointer}"), keyword));
        }
        let mut without = value.clone();
        let removed = without.remove(&key).unwrap();
        faults.push((Value::Object(without.clone()), String::new(), "required"));
        // Two letters swapped.
        let mut letters: Vec<char> = key.chars().collect();
        letters.swap(2, 3);
        let typo: String = letters.into_iter().collect();
        if typo != key {
            without.insert(typo.clone(), removed);
            faults.push((
                Value::Object(without),
                format!("/{typo}"),
                "additionalProperties",
            ));
        }
        let mut more = value.clone();
        more.insert("unheardOf".to_owned(), json!(1));
        faults.push((
            Value::Object(more),
            "/unheardOf".to_owned(),
            "additionalProperties",
        ));
    }
    let required: Vec<String> = properties.keys().cloned().collect();
    Made {
        schema: json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}),
        value: Value::Object(value),
        faults,
    }
}

/// One of several kinds of objects, distinguished by a key.
fn alternatives(random: &mut Random, depth: u32) -> Made {
    let kinds = ["circle", "square", "line"];
    let chosen = random.below(3) as usize;
    let (mut schemas, mut value, mut faults) = (Vec::new(), json!(null), Vec::new());
    for (number, kind) in kinds.iter().enumerate() {
        let made = node(random, depth + 1);
        schemas.push(json!({
            "type": "object",
            "properties": {"kind": {"const": kind}, "data": made.schema},
            "required": ["kind", "data"],
        }));
        if number == chosen {
            value = json!({"kind": kind, "data": made.value});
            for (fault, pointer, keyword) in made.faults {
                let broken = json!({"kind": kind, "data": fault});
                faults.push((broken, format!("/data{pointer}"), keyword));
            }
            faults.push((json!({"kind": kind}), String::new(), "required"));
        }
    }
    Made {
        schema: json!({"oneOf": schemas}),
        value,
        faults,
    }
}

fn node(random: &mut Random, depth: u32) -> Made {
    match random.below(if depth >= 3 { 4 } else { 9 }) {
        0..4 => scalar(random),
        4 | 5 => array(random, depth),
        6 | 7 => object(random, depth),
        _ => alternatives(random, depth),
    }
}

#[test]
fn the_one_finding_is_at_the_fault() {
    let mut wrong = Vec::new();
    for number in 0..PAIRS {
        let mut random = Random(number);
        let made = object(&mut random, 0);
        let chosen = random.below(made.faults.len() as u64) as usize;
        let (fault, pointer, keyword) = made.faults[chosen].clone();
        let text = |value: &Value| serde_json::to_vec_pretty(value).unwrap();
        let folder = Folder::with(&[
            ("s.json", &text(&made.schema)),
            ("good.json", &text(&made.value)),
            ("bad.json", &text(&fault)),
        ]);
        let arguments = ["validate", "--schema", "s.json", "--reporter", "json"];
        let ran = folder.run(&[&arguments[..], &["good.json", "bad.json"]].concat());
        let found: Vec<(String, String)> = ran
            .out
            .lines()
            .map(|line| -> Value { serde_json::from_str(line).unwrap() })
            .filter(|record| record["type"] == "diagnostic")
            .map(|record| {
                let text = |name: &str| record[name].as_str().unwrap().to_owned();
                assert_eq!(text("file"), "bad.json", "{} {}", made.schema, made.value);
                (text("pointer"), text("code"))
            })
            .collect();
        if found != [(pointer.clone(), format!("schema/{keyword}"))] {
            wrong.push(format!(
                "{number}: {keyword} at {pointer:?}, found {found:?}"
            ));
        }
    }
    let right = PAIRS as usize - wrong.len();
    assert!(right * 100 >= PAIRS as usize * 95, "{}", wrong.join("\n"));
    eprintln!("{right} of {PAIRS}\n{}", wrong.join("\n"));
}

#[test]
fn alternatives_that_fit_together_name_a_rule_without_effect() {
    let alternatives = r#""oneOf": [{"properties": {"k": RULE}}, {"properties": {"k": {}}}]}"#;
    for (draft, rule, reason) in [
        (
            "draft-04/schema#",
            r#"{"const": 1}"#,
            Some(r#""const" is new in draft 6, and has no meaning in draft 4"#),
        ),
        ("draft-06/schema#", r#"{"const": 1}"#, None),
        (
            "draft-07/schema#",
            r#"{"dependentRequired": {"a": ["b"]}}"#,
            Some(r#""dependentRequired" is new in draft 2019-09, and has no meaning in draft 7"#),
        ),
        (
            "draft-07/schema#",
            r#"{"minimun": 2}"#,
            Some(r#""minimun" is not a keyword and has no effect"#),
        ),
    ] {
        let start = format!(r#"{{"$schema": "http://json-schema.org/{draft}", "#);
        let schema = start.clone() + &alternatives.replace("RULE", rule);
        let ran = ran(&schema, r#"{"k": 1}"#, &["--reporter", "concise"]);
        let ignored = reason.map_or(String::new(), |reason| {
            let column = schema.find(rule).unwrap() + 2;
            format!(" [{reason}: s.json:1:{column}]")
        });
        let column = start.len() + 1;
        let expected = format!(
            "a.json:1:1: error[schema/oneOf]: the document must match exactly one alternative of `oneOf`, but matches \
             numbers 1 and 2 [required here: s.json:1:{column}]{ignored}\n"
        );
        assert_eq!(ran.out, expected, "{schema}");
    }
}
