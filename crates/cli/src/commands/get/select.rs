//! Programs of jq that select by a condition, as commands with `--where`.

use jsonx_core::path::{Expression, Filter, Path};

use crate::report::in_shell;

/// The command for a program of jq that selects: `PATH | select(CONDITION)`, `map(select(CONDITION))`, or a condition alone.
pub fn command(program: &str) -> Option<String> {
    let (path, condition) = match program.split_once("select(") {
        Some((before, rest)) => {
            let (before, is_map) = match before.trim_end().strip_suffix("map(") {
                Some(before) => (before, true),
                None => (before, false),
            };
            let path = match before.trim().strip_suffix('|') {
                Some(path) => path.trim_end(),
                None => before.trim(),
            };
            let path = match (path, is_map) {
                ("", true) => ".[]".to_owned(),
                ("", false) => ".".to_owned(),
                (path, true) => format!("{path}[]"),
                (path, false) => path.to_owned(),
            };
            let end = if is_map { "))" } else { ")" };
            (path, rest.trim_end().strip_suffix(end)?)
        }
        None => (".".to_owned(), program),
    };
    Path::parse(&path).ok()?;
    let condition = of_jq(condition);
    let text = match Filter::parse(&condition) {
        Ok(_) => condition,
        Err(error) => error.suggestion?,
    };
    // jq asks whether a value is true, a filter whether it is there.
    let filter = Filter::parse(&text).ok()?;
    is_comparison(filter.expression())
        .then(|| format!("jsonx get {} --where {}", in_shell(&path), in_shell(&text)))
}

/// A condition of jq with its usual functions as those of a filter.
fn of_jq(condition: &str) -> String {
    let condition = condition.trim();
    let Some((subject, function)) = condition.split_once('|') else {
        return condition.to_owned();
    };
    let (subject, function) = (subject.trim(), function.trim());
    if let Some(pattern) = function
        .strip_prefix("test(")
        .and_then(|it| it.strip_suffix(')'))
    {
        return match pattern.strip_suffix("; \"i\"") {
            Some(pattern) => format!("isearch({subject}, {pattern})"),
            None => format!("search({subject}, {pattern})"),
        };
    }
    match function.strip_prefix("length") {
        Some(compared) => format!("length({subject}){compared}"),
        None => condition.to_owned(),
    }
}

// Recursion is safe: expressions nest `MAX_NESTING` levels at most.
fn is_comparison(expression: &Expression) -> bool {
    match expression {
        Expression::Or(parts) | Expression::And(parts) => parts.iter().all(is_comparison),
        Expression::Not(part) => is_comparison(part),
        Expression::Compare { .. } | Expression::Matches(_) => true,
        Expression::Exists(_) => false,
    }
}
