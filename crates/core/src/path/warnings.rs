//! Warnings about valid but error-prone paths.

use super::syntax_tree::{Expression, Operand, Pattern, Segment, Selector};
use crate::terminal::sanitize;

/// Finds patterns that can match nothing, in all filters of a path.
pub(super) fn warn_of_segments(segments: &[Segment], warnings: &mut Vec<String>) {
    for selector in segments.iter().flat_map(|segment| &segment.selectors) {
        if let Selector::Filter(filter) = selector {
            warn_of_expression(&filter.expression, warnings);
        }
    }
}

fn warn_of_expression(expression: &Expression, warnings: &mut Vec<String>) {
    match expression {
        Expression::Or(parts) | Expression::And(parts) => {
            parts
                .iter()
                .for_each(|part| warn_of_expression(part, warnings));
        }
        Expression::Not(part) => warn_of_expression(part, warnings),
        Expression::Compare { left, right, .. } => {
            warn_of_operand(left, warnings);
            warn_of_operand(right, warnings);
        }
        Expression::Exists(query) => warn_of_segments(&query.segments, warnings),
        Expression::Matches(matches) => {
            warn_of_operand(&matches.subject, warnings);
            match &matches.pattern {
                Pattern::Constant {
                    text,
                    compiled: Err(error),
                } => warnings.push(format!(
                    "{}() is always false: in `{}`, {error}",
                    matches.name(),
                    sanitize(text),
                )),
                Pattern::Constant { .. } => {}
                Pattern::Computed(operand) => warn_of_operand(operand, warnings),
            }
        }
    }
}

fn warn_of_operand(operand: &Operand, warnings: &mut Vec<String>) {
    match operand {
        Operand::Literal(_) => {}
        Operand::Query(query) | Operand::OfNodes(_, query) => {
            warn_of_segments(&query.segments, warnings);
        }
        Operand::OfValue(_, of) => warn_of_operand(of, warnings),
    }
}
