//! Resolves calls: of definitions, natives, special functions and the library.

use std::rc::Rc;

use super::{Compiler, Entry, Resolved};
use crate::ast::{Expr, Span};
use crate::library;
use crate::natives;
use crate::program_error::ProgramError;
use crate::specials::Special;
use crate::term::{FunctionId, Node, Term};

impl Compiler<'_> {
    pub(super) fn call(&mut self, name: &Rc<str>, arguments: &[Expr], at: Span) -> Resolved {
        let span = self.is_program.then_some(at);
        let arity = arguments.len();
        let found = self.scope.iter().rev().find(|entry| match entry {
            Entry::Function(function, parameters, ..) => function == name && *parameters == arity,
            Entry::Closure(closure, _) => closure == name && arity == 0,
            Entry::Parameter(parameter, _) => {
                arity == 0 && parameter.strip_prefix('$') == Some(name)
            }
            _ => false,
        });
        match found.cloned() {
            Some(Entry::Closure(_, depth)) => {
                return Ok(self.of(Term::Closure(self.depth - 1 - depth), span));
            }
            Some(Entry::Parameter(_, depth)) => {
                return Ok(self.of(Term::Variable(self.depth - 1 - depth), span));
            }
            Some(Entry::Function(_, _, id, depth)) => {
                let skip = self.depth - depth;
                return self.call_function(id, skip, arguments, span);
            }
            _ => {}
        }
        if let Some(constant) = natives::constant(name).filter(|_| arity == 0) {
            return Ok(self.of(Term::Constant(constant), span));
        }
        if let Some(native) = natives::find(name, arity) {
            let term = Term::Native(native, self.nodes(arguments)?);
            return Ok(self.of(term, span));
        }
        if let Some(special) = Special::find(name, arity) {
            self.compiled.reads_inputs |= special.reads_inputs();
            let term = Term::Special(special, self.nodes(arguments)?);
            return Ok(self.of(term, span));
        }
        match self.of_library(name, arity)? {
            Some(id) => self.call_function(id, self.depth, arguments, span),
            None => Err(self.unknown_function(name, arity, at)),
        }
    }

    fn nodes(&mut self, arguments: &[Expr]) -> Resolved<Vec<Node>> {
        arguments
            .iter()
            .map(|argument| self.node(argument))
            .collect()
    }

    fn call_function(
        &mut self,
        id: FunctionId,
        skip: usize,
        arguments: &[Expr],
        span: Option<Span>,
    ) -> Resolved {
        let term = Term::Call(id, skip, self.nodes(arguments)?);
        Ok(self.of(term, span))
    }

    /// The library function with this name, compiled at its first use.
    fn of_library(&mut self, name: &str, arity: usize) -> Resolved<Option<FunctionId>> {
        let Some((name, definition)) = library::find(name, arity) else {
            return Ok(None);
        };
        if let Some(id) = self.known.get(&(name, arity)) {
            return Ok(Some(*id));
        }
        let scope = std::mem::take(&mut self.scope);
        let depth = std::mem::replace(&mut self.depth, 0);
        let was_program = std::mem::replace(&mut self.is_program, false);
        // It may call itself.
        self.known
            .insert((name, arity), self.compiled.functions.len());
        let id = self.define(&definition, "");
        self.scope = scope;
        self.depth = depth;
        self.is_program = was_program;
        id.map(Some)
    }

    fn unknown_function(&self, name: &str, arity: usize, at: Span) -> ProgramError {
        let error = self.undefined(&format!("{name}/{arity}"), at);
        let own = self.scope.iter().filter_map(|entry| match entry {
            Entry::Function(name, arity, ..) => Some((name.to_string(), *arity)),
            Entry::Closure(name, _) => Some((name.to_string(), 0)),
            _ => None,
        });
        let all: Vec<(String, usize)> = own.chain(library::all_names()).collect();
        let mut others: Vec<usize> = all
            .iter()
            .filter(|(other, _)| other == name)
            .map(|(_, arity)| *arity)
            .collect();
        others.sort_unstable();
        others.dedup();
        match others[..] {
            [] => error.with_near(name, all.iter().map(|(name, _)| name.as_str())),
            _ => {
                let counts: Vec<String> = others.iter().map(usize::to_string).collect();
                error.with_note(format!(
                    "`{name}` takes {} arguments, separated by `;`",
                    counts.join(" or ")
                ))
            }
        }
    }
}
