//! A shape as a JSON Schema.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{KINDS, Shape, Step};
use jsonx_core::Kind;
use jsonx_core::string::escape;

/// Levels of arrays and objects that a schema describes: each takes up to two of the schema, and validators limit those.
const MOST_LEVELS: u32 = 100;

/// Begins the member of an object.
fn begin(name: &str, out: &mut String) {
    if !out.ends_with('{') {
        out.push(',');
    }
    push_string(name, out);
    out.push(':');
}

fn push_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' | '\0'..='\x1f' => out.push_str(escape(c).as_str()),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Appends items with commas between them.
fn push_list<T>(items: &[T], out: &mut String, mut push: impl FnMut(&T, &mut String)) {
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        push(item, out);
    }
}

impl Shape {
    /// A JSON Schema (draft 2020-12) that the values so far match: types, required keys, and the schemas of members and elements. It is
    /// minified.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_query::Shape;
    ///
    /// let mut shape = Shape::default();
    /// Validator::new(Options::default()).check(br#"[{"id": 1.0, "a": null}, {"id": 2}]"#, &mut shape).unwrap();
    /// shape.end();
    /// let items = r#"{"type":"object","properties":{"id":{"type":"integer"},"a":{"type":"null"}},"required":["id"]}"#;
    /// let dialect = "https://json-schema.org/draft/2020-12/schema";
    /// assert_eq!(shape.schema(), format!(r#"{{"$schema":"{dialect}","type":"array","items":{items}}}"#));
    /// ```
    pub fn schema(&self) -> String {
        let mut out = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema""#.to_owned();
        self.push_members(&[0], 0, &mut out);
        out.push('}');
        out
    }

    /// Appends the schema of the values at any of these paths, so many levels below the root. It recurses up to [`MOST_LEVELS`].
    fn push_schema(&self, paths: &[u32], level: u32, out: &mut String) {
        out.push('{');
        self.push_members(paths, level, out);
        out.push('}');
    }

    fn push_members(&self, paths: &[u32], level: u32, out: &mut String) {
        let nodes = || paths.iter().map(|&path| &self.nodes[path as usize]);
        let numbers = || nodes().filter_map(|node| node.numbers.as_ref());
        let count = |kind| nodes().map(|node| node.counts[kind]).sum::<u64>();
        let types = KINDS.iter().enumerate();
        let types = types.filter(|&(kind, _)| count(kind) > 0);
        let types: Vec<&str> = types
            .map(|(_, kind)| match kind {
                Kind::Number if numbers().all(|numbers| numbers.are_whole()) => "integer",
                kind => kind.name(),
            })
            .collect();
        match &types[..] {
            [] => {}
            [one] => {
                begin("type", out);
                push_string(one, out);
            }
            several => {
                begin("type", out);
                out.push('[');
                push_list(several, out, |name, out| push_string(name, out));
                out.push(']');
            }
        }
        // The values of some paths below are not known.
        if level == MOST_LEVELS || nodes().any(|node| node.is_partial) {
            return;
        }
        self.push_object(paths, count(0), level + 1, out);
        let steps = nodes().flat_map(|node| &node.steps);
        let elements = steps.filter(|(step, _)| *step == Step::Elements);
        let elements = self.filled(elements.map(|&(_, below)| below));
        if !elements.is_empty() {
            begin("items", out);
            self.push_schema(&elements, level + 1, out);
        }
    }

    /// Appends what is known of the members of this number of objects; their values are at this level.
    fn push_object(&self, paths: &[u32], objects: u64, level: u32, out: &mut String) {
        let mut properties: Vec<(&str, Vec<u32>)> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        let (mut all, mut are_names) = (Vec::new(), false);
        let steps = paths
            .iter()
            .flat_map(|&path| &self.nodes[path as usize].steps);
        for (step, below) in steps {
            let key = match step {
                Step::Elements => continue,
                Step::Members => {
                    are_names = true;
                    all.push(*below);
                    continue;
                }
                Step::Key(key) => key,
            };
            all.push(*below);
            // No schema has a key with a lone surrogate.
            let Ok(key) = std::str::from_utf8(key) else {
                continue;
            };
            match known.entry(key) {
                Entry::Occupied(entry) => properties[*entry.get()].1.push(*below),
                Entry::Vacant(entry) => {
                    entry.insert(properties.len());
                    properties.push((key, vec![*below]));
                }
            }
        }
        properties.retain(|(_, paths)| !self.filled(paths.iter().copied()).is_empty());
        if are_names {
            // A key may be one that was told apart in another file.
            let all = self.filled(all.into_iter());
            begin("additionalProperties", out);
            self.push_schema(&all, level, out);
        } else if !properties.is_empty() {
            begin("properties", out);
            out.push('{');
            push_list(&properties, out, |(key, paths), out| {
                push_string(key, out);
                out.push(':');
                self.push_schema(paths, level, out);
            });
            out.push('}');
        }
        let members = |paths: &[u32]| -> u64 {
            let members = paths.iter().map(|&path| self.nodes[path as usize].members);
            members.sum()
        };
        properties.retain(|(_, paths)| members(paths) == objects);
        if !properties.is_empty() {
            begin("required", out);
            out.push('[');
            push_list(&properties, out, |(key, _), out| push_string(key, out));
            out.push(']');
        }
    }

    /// Those of the paths that have a value.
    fn filled(&self, paths: impl Iterator<Item = u32>) -> Vec<u32> {
        paths.filter(|&path| self.count(path) > 0).collect()
    }
}
