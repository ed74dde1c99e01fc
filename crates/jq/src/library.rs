//! Functions written in jq's language.

use crate::{natives, specials};

const LIBRARY: &str = include_str!("library.jq");

/// The definitions, one per line, with names and numbers of parameters.
fn lines() -> impl Iterator<Item = (&'static str, usize, &'static str)> {
    LIBRARY.lines().filter_map(|line| {
        let head = line.strip_prefix("def ")?;
        let end = head.find(['(', ':'])?;
        let parameters = match head[end..].strip_prefix('(') {
            Some(rest) => rest.split(')').next()?.split(';').count(),
            None => 0,
        };
        Some((&head[..end], parameters, line))
    })
}

/// The definition with this name and number of parameters, after its name.
pub(crate) fn find(name: &str, arity: usize) -> Option<(&'static str, &'static str)> {
    let mut all = lines();
    let (name, _, line) =
        all.find(|(other, parameters, _)| *other == name && *parameters == arity)?;
    Some((name, line))
}

/// The names of all functions: native, special and of the library, with their numbers of parameters.
pub(crate) fn all_names() -> impl Iterator<Item = (String, usize)> {
    let own = lines().map(|(name, parameters, _)| (name.to_owned(), parameters));
    natives::names().chain(specials::names()).chain(own)
}
