//! The evaluator of paths that core's tests compare with: exactly RFC 9535, and not optimized.

use jsonx_core::number::compare as compare_numbers;
// For the tests in naive.rs.
#[cfg(test)]
use jsonx_core::path::Notation;
use jsonx_core::path::{
    Comparison, Expression, FilterQuery, Literal, Location, Matches, NodesFunction, Operand,
    Origin, Path, Pattern, Reach, Regexp, Segment, Selector, ValueFunction,
};
use serde_json::Value;

#[path = "../../crates/core/src/path/naive.rs"]
mod naive;

/// All nodes that a path selects in a document, in the order of RFC 9535, with duplicates.
///
/// ```
/// let document = serde_json::json!({"a": [1, 2]});
/// let path = jsonx_core::path::Path::parse("$.a[1, -1]").unwrap();
/// let found = jsonx_fuzz::oracle::select(&path, &document);
/// assert!(found.iter().map(|(_, value)| *value).eq([&document["a"][1]; 2]));
/// ```
pub fn select<'v>(path: &Path, document: &'v Value) -> Vec<(Location, &'v Value)> {
    naive::select(path, document)
}

/// Approximate number of nodes visited by a path in a document with so many values and levels.
pub fn work(path: &Path, values: u64, levels: u64) -> u64 {
    steps(path.segments(), values, levels)
}

fn steps(segments: &[Segment], values: u64, levels: u64) -> u64 {
    // How often each value of the document may occur among the nodes.
    let mut copies = 1_u64;
    let mut work = 1_u64;
    for segment in segments {
        if segment.reach == Reach::Descendant {
            copies = copies.saturating_mul(levels + 1);
        }
        let nodes = copies.saturating_mul(values);
        for selector in &segment.selectors {
            let each = match selector {
                Selector::Filter(filter) => inside(&filter.expression, values, levels),
                _ => 1,
            };
            work = work.saturating_add(nodes.saturating_mul(each));
        }
        copies = copies.saturating_mul(segment.selectors.len() as u64);
    }
    work
}

fn inside(expression: &Expression, values: u64, levels: u64) -> u64 {
    let query = |query: &FilterQuery| steps(&query.segments, values, levels);
    let all = |parts: &[Expression]| {
        let work = parts.iter().map(|part| inside(part, values, levels));
        work.fold(1, u64::saturating_add)
    };
    match expression {
        Expression::Or(parts) | Expression::And(parts) => all(parts),
        Expression::Not(part) => inside(part, values, levels),
        Expression::Exists(asked) => query(asked),
        Expression::Matches(matches) => {
            // A pattern from the document is compiled for every value.
            let pattern = match &matches.pattern {
                Pattern::Constant { .. } => 10,
                Pattern::Computed(operand) => operand_work(operand, values, levels) + 1000,
            };
            operand_work(&matches.subject, values, levels).saturating_add(pattern)
        }
        Expression::Compare { left, right, .. } => {
            let left = operand_work(left, values, levels);
            left.saturating_add(operand_work(right, values, levels))
        }
    }
}

fn operand_work(operand: &Operand, values: u64, levels: u64) -> u64 {
    match operand {
        Operand::Literal(_) => 1,
        // Compared values may be as large as the document.
        Operand::Query(query) | Operand::OfNodes(_, query) => {
            steps(&query.segments, values, levels).saturating_add(values)
        }
        Operand::OfValue(_, of) => operand_work(of, values, levels),
    }
}
