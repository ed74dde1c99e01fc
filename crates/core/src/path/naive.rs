//! Applies a path to a document in memory, literally as RFC 9535 specifies it and regardless of speed: the oracle of
//! the streaming walk. `fuzz/` includes this file too, so it only uses public items.

use std::cmp::Ordering;

use serde_json::Value;

use super::{
    Comparison, Expression, FilterQuery, Literal, Location, Matches, NodesFunction, Operand,
    Origin, Path, Pattern, Reach, Regexp, Segment, Selector, ValueFunction, compare_numbers,
};

/// A value and its location.
pub(crate) type Node<'v> = (Location, &'v Value);

/// All nodes that a path selects, in the order of RFC 9535, including duplicates.
pub(crate) fn select<'v>(path: &Path, document: &'v Value) -> Vec<Node<'v>> {
    steps(path.segments(), (Location::default(), document), document)
}

fn steps<'v>(segments: &[Segment], start: Node<'v>, root: &'v Value) -> Vec<Node<'v>> {
    let mut nodes = vec![start];
    for segment in segments {
        let from = match segment.reach {
            Reach::Child => nodes,
            Reach::Descendant => nodes.into_iter().flat_map(with_descendants).collect(),
        };
        nodes = Vec::new();
        for node in &from {
            for selector in &segment.selectors {
                apply(selector, node, root, &mut nodes);
            }
        }
    }
    nodes
}

fn with_descendants(node: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        waiting.extend(children(&node).into_iter().rev());
        found.push(node);
    }
    found
}

fn children<'v>((location, value): &Node<'v>) -> Vec<Node<'v>> {
    match value {
        Value::Array(elements) => (0..elements.len())
            .map(|index| element(location, elements, index as u64))
            .collect(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                let mut location = location.clone();
                location.push_key(key.as_bytes());
                (location, value)
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn element<'v>(location: &Location, elements: &'v [Value], index: u64) -> Node<'v> {
    let mut location = location.clone();
    location.push_index(index);
    (location, &elements[index as usize])
}

fn apply<'v>(selector: &Selector, node: &Node<'v>, root: &'v Value, found: &mut Vec<Node<'v>>) {
    match selector {
        Selector::Itself => found.push(node.clone()),
        Selector::Wildcard => found.extend(children(node)),
        Selector::Filter(filter) => found.extend(
            children(node)
                .into_iter()
                .filter(|(_, value)| holds(&filter.expression, value, root)),
        ),
        _ => {}
    }
    let (location, value) = node;
    match value {
        Value::Array(elements) => {
            let length = elements.len() as u64;
            let index = selector.index().and_then(|index| match index {
                0.. => u64::try_from(index).ok(),
                _ => length.checked_sub(index.unsigned_abs()),
            });
            let slice = selector.slice();
            let indices = slice.into_iter().flat_map(|slice| slice.indices(length));
            found.extend(
                index
                    .into_iter()
                    .filter(|&index| index < length)
                    .chain(indices)
                    .map(|index| element(location, elements, index)),
            );
        }
        Value::Object(members) => {
            let key = selector.key().and_then(|key| std::str::from_utf8(key).ok());
            if let Some((key, value)) = key.and_then(|key| members.get_key_value(key)) {
                let mut location = location.clone();
                location.push_key(key.as_bytes());
                found.push((location, value));
            }
        }
        _ => {}
    }
}

pub(crate) fn holds(expression: &Expression, current: &Value, root: &Value) -> bool {
    match expression {
        Expression::Or(parts) => parts.iter().any(|part| holds(part, current, root)),
        Expression::And(parts) => parts.iter().all(|part| holds(part, current, root)),
        Expression::Not(part) => !holds(part, current, root),
        Expression::Exists(query) => !nodes(query, current, root).is_empty(),
        Expression::Matches(matches) => is_match(matches, current, root),
        Expression::Compare {
            left,
            comparison,
            right,
        } => {
            let left = evaluate(left, current, root);
            let right = evaluate(right, current, root);
            let (left, right) = (left.as_ref(), right.as_ref());
            match comparison {
                Comparison::Equal => equal(left, right),
                Comparison::NotEqual => !equal(left, right),
                Comparison::Less => less(left, right),
                Comparison::LessOrEqual => less(left, right) || equal(left, right),
                Comparison::Greater => less(right, left),
                Comparison::GreaterOrEqual => less(right, left) || equal(left, right),
            }
        }
    }
}

fn nodes<'v>(query: &FilterQuery, current: &'v Value, root: &'v Value) -> Vec<&'v Value> {
    let start = match query.origin {
        Origin::Root => root,
        Origin::Current => current,
    };
    let start = (Location::default(), start);
    let nodes = steps(&query.segments, start, root);
    nodes.into_iter().map(|(_, value)| value).collect()
}

fn evaluate(operand: &Operand, current: &Value, root: &Value) -> Option<Value> {
    match operand {
        Operand::Literal(Literal::Null) => Some(Value::Null),
        Operand::Literal(Literal::Bool(value)) => Some(Value::Bool(*value)),
        Operand::Literal(Literal::Number(text)) => serde_json::from_str(text).ok(),
        Operand::Literal(Literal::String(bytes)) => {
            Some(Value::String(String::from_utf8_lossy(bytes).into_owned()))
        }
        Operand::Query(query) | Operand::OfNodes(NodesFunction::Value, query) => {
            match nodes(query, current, root).as_slice() {
                [only] => Some((*only).clone()),
                _ => None,
            }
        }
        Operand::OfNodes(NodesFunction::Count, query) => {
            Some(nodes(query, current, root).len().into())
        }
        Operand::OfValue(ValueFunction::Length, of) => match evaluate(of, current, root)? {
            Value::String(string) => Some(string.chars().count().into()),
            Value::Array(elements) => Some(elements.len().into()),
            Value::Object(members) => Some(members.len().into()),
            _ => None,
        },
    }
}

fn is_match(matches: &Matches, current: &Value, root: &Value) -> bool {
    let Some(Value::String(subject)) = evaluate(&matches.subject, current, root) else {
        return false;
    };
    match &matches.pattern {
        Pattern::Constant { compiled, .. } => compiled
            .as_ref()
            .is_ok_and(|regexp| regexp.is_match(subject.as_bytes())),
        Pattern::Computed(operand) => match evaluate(operand, current, root) {
            Some(Value::String(pattern)) => Regexp::new(&pattern, matches.entire)
                .is_ok_and(|regexp| regexp.is_match(subject.as_bytes())),
            _ => false,
        },
    }
}

fn equal(a: Option<&Value>, b: Option<&Value>) -> bool {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (a, b) => return a.is_none() && b.is_none(),
    };
    let mut waiting = vec![(a, b)];
    while let Some(pair) = waiting.pop() {
        let same = match pair {
            (Value::Number(_), Value::Number(_)) => compare(pair.0, pair.1).is_eq(),
            (Value::Array(a), Value::Array(b)) => {
                waiting.extend(a.iter().zip(b));
                a.len() == b.len()
            }
            (Value::Object(a), Value::Object(b)) => {
                let common = a.iter().filter_map(|(key, a)| Some((a, b.get(key)?)));
                let before = waiting.len();
                waiting.extend(common);
                a.len() == b.len() && waiting.len() - before == a.len()
            }
            (a, b) => a == b,
        };
        if !same {
            return false;
        }
    }
    true
}

fn less(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(a @ Value::Number(_)), Some(b @ Value::Number(_))) => compare(a, b).is_lt(),
        (Some(Value::String(a)), Some(Value::String(b))) => a < b,
        _ => false,
    }
}

fn compare(a: &Value, b: &Value) -> Ordering {
    compare_numbers(a.to_string().as_bytes(), b.to_string().as_bytes())
}

#[test]
fn numeric_steps_depend_on_the_container() {
    let document = serde_json::json!({
        "a": [10, 11, 12, {"b": null, "0": "zero", "0:2": "slice", "": 1}],
        "3": {"b": false},
        "b": [[0], [1, [2]]],
    });
    for (path, places) in [
        (".", "."),
        (".a.0", ".a[0]"),
        (".a.-1.0", r#".a[3]["0"]"#),
        (".a.3.0:2", r#".a[3]["0:2"]"#),
        (".a.1:3", ".a[1] .a[2]"),
        (".a.::-2", ".a[3] .a[1]"),
        (".3.b", r#".["3"].b"#),
        (".[3]", ""),
        (r#".a["0"]"#, ""),
        (r".a.\0", ""),
        (".a.00", ""),
        (".a.4", ""),
        (".a.-5", ""),
        (".a[3]['']", r#".a[3][""]"#),
        (".a[1,0,'b',1]", ".a[1] .a[0] .a[1]"),
        ("..b", r#".b .a[3].b .["3"].b"#),
        (
            ".b..",
            ".b .b[0] .b[0][0] .b[1] .b[1][0] .b[1][1] .b[1][1][0]",
        ),
        (".b..0", ".b[0] .b[0][0] .b[1][0] .b[1][1][0]"),
        (".b[][1]?.*", ".b[1][1][0]"),
        ("/a/3/0", r#".a[3]["0"]"#),
        ("/a/-", ""),
        ("/a/-1", ""),
        ("/3/b", r#".["3"].b"#),
    ] {
        let path = Path::parse(path).unwrap();
        let found: Vec<String> = select(&path, &document)
            .iter()
            .map(|(location, _)| location.display(super::Notation::Dot).to_string())
            .collect();
        assert_eq!(found.join(" "), places, "{path}");
    }
}
