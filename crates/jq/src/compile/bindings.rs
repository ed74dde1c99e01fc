//! Compiles patterns, and the scope of their variables.

use std::rc::Rc;

use super::{Compiler, Entry, Resolved};
use crate::ast;
use crate::term::{Binding, Pattern};

impl Compiler<'_> {
    /// Compiles patterns and the expressions in the scope of their variables.
    pub(super) fn binding<T>(
        &mut self,
        patterns: &[ast::Pattern],
        inner: impl FnOnce(&mut Self) -> Resolved<T>,
    ) -> Resolved<(Binding, T)> {
        let (scope, depth) = (self.scope.len(), self.depth);
        let mut compiled = Vec::new();
        let mut names: Vec<Vec<Rc<str>>> = Vec::new();
        for pattern in patterns {
            self.scope.truncate(scope);
            self.depth = depth;
            compiled.push(self.pattern(pattern)?);
            names.push(
                self.scope[scope..]
                    .iter()
                    .filter_map(|entry| match entry {
                        Entry::Variable(name, _) => Some(name.clone()),
                        _ => None,
                    })
                    .collect(),
            );
        }
        let mut variables = Vec::new();
        if patterns.len() > 1 {
            self.scope.truncate(scope);
            self.depth = depth;
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
                self.scope.push(Entry::Variable(name, self.depth));
                self.depth += 1;
            }
        }
        let inner = inner(self);
        self.scope.truncate(scope);
        self.depth = depth;
        let patterns = compiled;
        Ok((
            Binding {
                patterns,
                variables,
            },
            inner?,
        ))
    }

    fn pattern(&mut self, pattern: &ast::Pattern) -> Resolved<Pattern> {
        Ok(match pattern {
            ast::Pattern::Variable(name) => {
                self.bind(name);
                Pattern::Variable
            }
            ast::Pattern::Array(elements) => {
                let elements = elements.iter().map(|element| self.pattern(element));
                Pattern::Array(elements.collect::<Resolved<_>>()?)
            }
            ast::Pattern::Object(members) => {
                let mut compiled = Vec::new();
                for (key, variable, value) in members {
                    let key = self.node(key)?;
                    if let Some(name) = variable {
                        self.bind(name);
                    }
                    let value = value
                        .as_ref()
                        .map(|value| self.pattern(value))
                        .transpose()?;
                    compiled.push((key, variable.is_some(), value));
                }
                Pattern::Object(compiled)
            }
        })
    }

    fn bind(&mut self, name: &Rc<str>) {
        self.scope.push(Entry::Variable(name.clone(), self.depth));
        self.depth += 1;
    }
}
