//! Destructuring patterns, and the scope of their variables.

use std::rc::Rc;

use super::names::{Entry, Position};
use super::{Parsed, Parser};
use crate::lex::Token;
use crate::term::{Binding, Pattern};

impl Parser<'_, '_> {
    /// Patterns, which bring their variables into scope; also returns the position before them.
    pub(super) fn binding(&mut self) -> Parsed<(Binding, Position)> {
        let outer = self.position();
        let mut patterns = Vec::new();
        let mut names: Vec<Vec<Rc<str>>> = Vec::new();
        loop {
            self.leave(outer);
            patterns.push(self.pattern()?);
            let bound = self.scope[outer.names..].iter();
            names.push(
                bound
                    .filter_map(|entry| match entry {
                        Entry::Variable(name, _) => Some(name.clone()),
                        _ => None,
                    })
                    .collect(),
            );
            if !self.accept("?//") {
                break;
            }
        }
        let mut variables = Vec::new();
        if patterns.len() > 1 {
            self.leave(outer);
            let mut all: Vec<Rc<str>> = Vec::new();
            for name in names.iter().flatten() {
                if !all.contains(name) {
                    all.push(name.clone());
                }
            }
            for name in all {
                variables.push(
                    names
                        .iter()
                        .map(|names| names.iter().rposition(|other| *other == name))
                        .collect(),
                );
                self.enter(Entry::Variable(name, self.depth));
            }
        }
        Ok((
            Binding {
                patterns,
                variables,
            },
            outer,
        ))
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        self.nested(Self::pattern_inner)
    }

    fn pattern_inner(&mut self) -> Parsed<Pattern> {
        if self.token == Token::Variable {
            let name = self.variable_name()?;
            self.enter(Entry::Variable(name, self.depth));
            return Ok(Pattern::Variable);
        }
        if self.accept("[") {
            let mut elements = vec![self.pattern()?];
            while self.accept(",") {
                elements.push(self.pattern()?);
            }
            self.expect("]")?;
            return Ok(Pattern::Array(elements));
        }
        if !self.accept("{") {
            return Err(self.unexpected("a pattern: `$name`, `[…]` or `{…}`"));
        }
        let mut members = Vec::new();
        loop {
            let is_bound = self.token == Token::Variable;
            let name = self.text();
            let key = self.key()?;
            if is_bound {
                self.enter(Entry::Variable(name.into(), self.depth));
            }
            let value = match self.accept(":") {
                true => Some(self.pattern()?),
                false if is_bound => None,
                false => return Err(self.unexpected("`:`")),
            };
            members.push((key, is_bound, value));
            if !self.accept(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Pattern::Object(members))
    }
}
