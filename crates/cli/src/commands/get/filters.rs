//! `--where`: the filters of matches, and the hints if nothing passes.

use std::ffi::{OsStr, OsString};

use jsonx_core::path::{
    Expression, Filter, FilterQuery, Location, NodesFunction, Notation, Operand, Origin, Path,
    Pattern, Reach, Segment, Selector,
};
use jsonx_core::query::{Query, QueryOptions};

use super::columns::until;
use super::reread::Reread;
use crate::commands::UsageError;
use crate::messages;
use crate::path_messages;
use crate::report::{escape, in_shell};
use jsonx_core::diagnose::nearest::{Nearest, SHORT};

/// The largest file that is read again for a hint.
const LARGEST_READ: u64 = 64 << 20;

/// The filters as typed.
///
/// # Errors
/// One of them is not a filter.
pub fn parse(texts: &[OsString]) -> Result<Vec<Filter>, UsageError> {
    let parse = |text: &OsString| {
        let filter = Filter::parse(text.as_encoded_bytes())
            .map_err(|error| UsageError::message(path_messages::bad_filter(text, &error)))?;
        for warning in filter.warnings() {
            messages::line(&format!("jsonx: warning: {}", escape(&warning)));
        }
        Ok(filter)
    };
    texts.iter().map(parse).collect()
}

/// The options as typed.
pub fn shown(filters: &[OsString]) -> String {
    let option = |filter: &OsString| format!(" --where {}", in_shell(filter.as_encoded_bytes()));
    filters.iter().map(option).collect()
}

/// The hint for a JSONPath that tests the members of records instead of the records.
pub fn meant_for_records(
    typed: &OsStr,
    path: &Path,
    misses: u64,
    again: &mut Reread<'_>,
) -> Option<String> {
    let is_filter = |segment: &Segment| {
        segment.reach == Reach::Child && matches!(segment.selectors[..], [Selector::Filter(_)])
    };
    if path.notation() != Notation::JsonPath || !path.segments().first().is_some_and(is_filter) {
        return None;
    }
    let text = typed.to_str()?.strip_prefix('$')?.trim_start();
    let text = text.strip_prefix('[')?.trim_start().strip_prefix('?')?;
    let text = text[..until(text, b']')?].trim();
    let filter = Filter::parse(text).ok()?;
    let is_meant = if again.input.is_file() {
        again.input.length() <= LARGEST_READ && passes_any(&[filter], again)
    } else {
        misses > 1
    };
    is_meant.then(|| {
        format!(
            "\n`[?…]` tests the members of a record; to test records themselves, write: jsonx get . --where {}",
            in_shell(text)
        )
    })
}

/// Whether filters are true of a value at the root of a file.
fn passes_any(filters: &[Filter], again: &mut Reread<'_>) -> bool {
    let query = Query::filtered(&[Path::root()], filters, QueryOptions::default());
    let mut any = false;
    again.answers(query, |_| any = true).is_some() && any
}

/// The hint if no match passes the filters: `$` if records do, otherwise the key most similar to a missing one.
pub fn hint(filters: &[Filter], path: &Path, again: &mut Reread<'_>) -> String {
    if !again.input.is_file() || again.input.length() > LARGEST_READ {
        return String::new();
    }
    let mut queries = Vec::new();
    for filter in filters {
        queries_of(filter.expression(), &mut queries);
    }
    if !path.segments().is_empty()
        && let Some(query) = queries.iter().find(|query| query.origin == Origin::Current)
        && passes_any(filters, again)
    {
        let mut way = Location::default();
        let keys = query.segments.iter().map(only_key);
        let (in_match, in_record) = match keys.collect::<Option<Vec<_>>>() {
            Some(keys) if !keys.is_empty() => {
                keys.into_iter().for_each(|key| way.push_key(key));
                let dotted = escape(&way.display(Notation::Dot).to_string()).to_string();
                (dotted.clone(), format!("${dotted}"))
            }
            _ => {
                let whole = escape(&query.to_string()).to_string();
                (whole.clone(), whole.replacen('@', "$", 1))
            }
        };
        return format!(
            "\n`{in_match}` is looked up in each match; for the whole record, write `{in_record}`"
        );
    }
    let hint = |query: &&FilterQuery| nearest_of(query, path, again);
    queries.iter().find_map(hint).unwrap_or_default()
}

fn nearest_of(query: &FilterQuery, path: &Path, again: &mut Reread<'_>) -> Option<String> {
    let from = match (query.origin, path.notation()) {
        (Origin::Root, _) => ".".to_owned(),
        (Origin::Current, Notation::Pointer) => return None,
        (Origin::Current, _) => path.to_string(),
        (Origin::Above(levels), _) => path.above(levels)?.to_string(),
    };
    let notation = Path::parse(&from).ok()?.notation();
    let mut way = Location::default();
    for segment in &query.segments {
        let key = only_key(segment)?;
        let below = way.display(notation).to_string();
        let below = match (&from[..], notation) {
            (".", _) if below == "." => String::new(),
            (".", _) => below,
            (from, Notation::Dot) if below == "." => from.to_owned(),
            (from, Notation::Dot) => format!("{from}{below}"),
            (from, _) => format!("{from}{}", &below[1..]),
        };
        let members = Path::parse(&format!("{below}.*")).ok()?;
        let (mut is_there, mut near) = (false, Nearest::new(key));
        again.each_key(&members, |found| {
            is_there |= found == key;
            near.offer(found);
        });
        if !is_there {
            let found = near.found()?;
            if key.len() < SHORT && !found.eq_ignore_ascii_case(key) {
                return None;
            }
            let missing = escape(key);
            way.push_key(found);
            let origin = match query.origin {
                Origin::Root => "$".to_owned(),
                Origin::Current => String::new(),
                Origin::Above(levels) => "^".repeat(levels),
            };
            let meant = match way.display(Notation::Dot).to_string() {
                meant if Filter::parse(&meant).is_ok() => meant,
                _ => way
                    .display(Notation::JsonPath)
                    .to_string()
                    .replacen('$', "@", 1),
            };
            let question = path_messages::did_you_mean(&format!("{origin}{meant}"));
            return Some(format!(
                "\nno value has the key `{missing}` there; {question}"
            ));
        }
        way.push_key(key);
    }
    None
}

/// The key of a segment that only selects a key.
fn only_key(segment: &Segment) -> Option<&[u8]> {
    match &segment.selectors[..] {
        [Selector::Key(key)] if segment.reach == Reach::Child => Some(key),
        _ => None,
    }
}

/// The queries of a filter.
// Recursion is safe: expressions nest `MAX_NESTING` levels at most.
fn queries_of<'f>(expression: &'f Expression, out: &mut Vec<&'f FilterQuery>) {
    match expression {
        Expression::Or(parts) | Expression::And(parts) => {
            parts.iter().for_each(|part| queries_of(part, out));
        }
        Expression::Not(part) => queries_of(part, out),
        Expression::Compare { left, right, .. } => {
            queries_of_operand(left, out);
            queries_of_operand(right, out);
        }
        Expression::Exists(query) | Expression::Any { query, .. } => out.push(query),
        Expression::Matches(matches) => {
            queries_of_operand(&matches.subject, out);
            if let Pattern::Computed(operand) = &matches.pattern {
                queries_of_operand(operand, out);
            }
        }
    }
}

fn queries_of_operand<'f>(operand: &'f Operand, out: &mut Vec<&'f FilterQuery>) {
    match operand {
        Operand::Literal(_) | Operand::OfNodes(NodesFunction::Key, _) => {}
        Operand::Query(query) | Operand::OfNodes(_, query) => out.push(query),
        Operand::OfValue(_, of) => queries_of_operand(of, out),
    }
}
