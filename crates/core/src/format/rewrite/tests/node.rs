//! Trees of values, and naive layouts of them.

use proptest::prelude::*;

/// A value with the text of its tokens.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Atom(String),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

fn key() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(
        &[
            "a",
            "b",
            "B",
            "name",
            "a common beginning ",
            "\\u0061",
            "\\n",
            "\\\"",
            "é",
            "\u{e000}",
            "\u{ffff}",
            "\u{10000}",
            "\\ud83d\\ude00",
            "\\u0000",
            "<",
            "\u{2028}",
        ][..],
    );
    prop::collection::vec(pieces, 0..4).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

pub(super) fn node() -> impl Strategy<Value = Node> {
    let numbers = &[
        "0", "-0", "12", "-1.50", "1E5", "true", "false", "null", "1e-7",
    ][..];
    let atom = prop_oneof![
        prop::sample::select(numbers).prop_map(str::to_owned),
        key(),
        "[a-z<&é ]{0,80}".prop_map(|text| format!("\"{text}\"")),
    ];
    let leaf = atom.prop_map(Node::Atom);
    leaf.prop_recursive(6, 200, 12, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..12).prop_map(Node::Array),
            prop::collection::vec((key(), inner), 0..12).prop_map(Node::Object),
        ]
    })
}

impl Node {
    /// Its text, with `gap` between tokens.
    pub(super) fn text(&self, gap: &str, out: &mut String) {
        let list = |brackets: [&str; 2], members: Vec<String>, out: &mut String| {
            *out += &format!(
                "{gap}{}{gap}{}{gap}{}",
                brackets[0],
                members.join(","),
                brackets[1]
            );
        };
        let text = |node: &Node| {
            let mut out = String::new();
            node.text(gap, &mut out);
            out
        };
        match self {
            Node::Atom(atom) => *out += atom,
            Node::Array(elements) => list(["[", "]"], elements.iter().map(text).collect(), out),
            Node::Object(members) => {
                let member =
                    |(key, value): &(String, Node)| format!("{gap}{key}{gap}:{gap}{}", text(value));
                list(["{", "}"], members.iter().map(member).collect(), out);
            }
        }
    }

    /// Applies a change to every atom and key.
    pub(super) fn map(&self, change: &impl Fn(&str) -> String) -> Node {
        match self {
            Node::Atom(atom) => Node::Atom(change(atom)),
            Node::Array(elements) => {
                Node::Array(elements.iter().map(|node| node.map(change)).collect())
            }
            Node::Object(members) => Node::Object(
                members
                    .iter()
                    .map(|(key, node)| (change(key), node.map(change)))
                    .collect(),
            ),
        }
    }

    /// Sorts the members of objects by `by` of the decoded key.
    pub(super) fn sorted<K: Ord>(&self, by: &impl Fn(&str) -> K) -> Node {
        match self {
            Node::Atom(_) => self.clone(),
            Node::Array(elements) => {
                Node::Array(elements.iter().map(|node| node.sorted(by)).collect())
            }
            Node::Object(members) => {
                let mut members: Vec<(String, Node)> = members
                    .iter()
                    .map(|(key, node)| (key.clone(), node.sorted(by)))
                    .collect();
                members.sort_by_cached_key(|(key, _)| by(&decoded(key)));
                Node::Object(members)
            }
        }
    }

    /// A single line, with `space` after each comma and colon.
    pub(super) fn line(&self, space: &str) -> String {
        let comma = format!(",{space}");
        match self {
            Node::Atom(atom) => atom.clone(),
            Node::Array(elements) => {
                let elements: Vec<_> = elements.iter().map(|node| node.line(space)).collect();
                format!("[{}]", elements.join(&comma))
            }
            Node::Object(members) => {
                let members: Vec<_> = members
                    .iter()
                    .map(|(key, node)| format!("{key}:{space}{}", node.line(space)))
                    .collect();
                format!("{{{}}}", members.join(&comma))
            }
        }
    }

    /// The pretty style, on one line if it fits. `after` columns follow on the same line.
    pub(super) fn pretty(
        &self,
        step: &str,
        width: usize,
        depth: usize,
        column: usize,
        after: usize,
    ) -> String {
        let line = self.line(" ");
        let columns = column + line.chars().count() + after;
        let (brackets, members) = match self {
            Node::Array(nodes) => (
                ["[", "]"],
                nodes.iter().map(|node| (String::new(), node)).collect(),
            ),
            Node::Object(members) => (
                ["{", "}"],
                members
                    .iter()
                    .map(|(key, node)| (format!("{key}: "), node))
                    .collect(),
            ),
            Node::Atom(_) => return line,
        };
        let members: Vec<(String, &Node)> = members;
        if members.is_empty() || columns <= width {
            return line;
        }
        let mut out = brackets[0].to_owned();
        for (number, (key, node)) in members.iter().enumerate() {
            let comma = number + 1 < members.len();
            let column = step.chars().count() * (depth + 1) + key.chars().count();
            out += "\n";
            out += &step.repeat(depth + 1);
            out += key;
            out += &node.pretty(step, width, depth + 1, column, usize::from(comma));
            out += if comma { "," } else { "" };
        }
        format!("{out}\n{}{}", step.repeat(depth), brackets[1])
    }
}

pub(super) fn decoded(key: &str) -> String {
    serde_json::from_str(key).unwrap()
}
