//! Functions written in jq's language.

use std::collections::HashMap;
use std::rc::Rc;

use crate::ast::Definition;
use crate::parse;
use crate::{natives, specials};

const LIBRARY: &str = include_str!("library.jq");

thread_local! {
    /// Definitions are parsed at their first use.
    static PARSED: std::cell::RefCell<HashMap<usize, Rc<Definition>>> = std::cell::RefCell::default();
}

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

/// The definition with this name and number of parameters.
pub(crate) fn find(name: &str, arity: usize) -> Option<(&'static str, Rc<Definition>)> {
    let mut all = lines().enumerate();
    let (at, (name, _, line)) =
        all.find(|(_, (other, parameters, _))| *other == name && *parameters == arity)?;
    let known = PARSED.with_borrow(|parsed| parsed.get(&at).cloned());
    let definition = match known {
        Some(definition) => definition,
        None => {
            let definition = parse::module(line).ok()?.definitions.into_iter().next()?;
            PARSED.with_borrow_mut(|parsed| parsed.insert(at, definition.clone()));
            definition
        }
    };
    Some((name, definition))
}

/// The names of all functions: native, special and of the library, with their numbers of parameters.
pub(crate) fn all_names() -> impl Iterator<Item = (String, usize)> {
    let own = lines().map(|(name, parameters, _)| (name.to_owned(), parameters));
    natives::names().chain(specials::names()).chain(own)
}
