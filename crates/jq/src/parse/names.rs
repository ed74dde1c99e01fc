//! Resolves the names of variables and labels to distances in the environment, and the names of functions to definitions.

use std::cell::Cell;
use std::rc::Rc;

use super::Parser;
use crate::library;
use crate::natives;
use crate::program_error::{ProgramError, Span};
use crate::specials::Special;
use crate::term::{FunctionId, Node, Term};
use crate::value::Value;

/// The meaning of a name in scope.
#[derive(Clone)]
pub(super) enum Entry {
    /// `$name`, at this depth of the environment.
    Variable(Rc<str>, usize),
    Label(Rc<str>, usize),
    /// A parameter `$name`, which also defines a function `name`; whether the latter is called.
    Parameter(Rc<str>, usize, Rc<Cell<bool>>),
    /// A parameter that is a closure.
    Closure(Rc<str>, usize),
    /// A function with this number of parameters, defined at this depth.
    Function(Rc<str>, usize, FunctionId, usize),
    /// A variable with a fixed value.
    Global(Rc<str>, Value),
}

/// The number of names in scope and of bindings in the environment.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub names: usize,
    bindings: usize,
}

impl Parser<'_, '_> {
    pub(super) fn position(&self) -> Position {
        Position {
            names: self.scope.len(),
            bindings: self.depth,
        }
    }

    /// Adds a binding to the environment; returns the position before it.
    pub(super) fn enter(&mut self, binding: Entry) -> Position {
        let outer = self.position();
        self.scope.push(binding);
        self.depth += 1;
        outer
    }

    /// Removes the names and bindings after a position.
    pub(super) fn leave(&mut self, outer: Position) {
        self.scope.truncate(outer.names);
        self.depth = outer.bindings;
    }

    /// Reports an error of a name, which matters only if the definition that contains it is used.
    pub(super) fn report(&mut self, error: ProgramError) {
        let error = match &self.module {
            Some(module) => module.error_in_program(self.program, error),
            None => error,
        };
        self.output.unresolved.push((self.function, error));
    }

    fn undefined(&self, what: &str, span: Span) -> ProgramError {
        ProgramError::new(format!("{what} is not defined"), span)
    }

    pub(super) fn break_out(&mut self, name: &str, at: Span) -> Term {
        let label = self.scope.iter().rev().find_map(|entry| match entry {
            Entry::Label(label, depth) if **label == *name => Some(*depth),
            _ => None,
        });
        match label {
            Some(depth) => Term::Break(self.depth - 1 - depth),
            None => {
                self.report(self.undefined(&format!("the label {name}"), at));
                Term::Identity
            }
        }
    }

    /// A variable, with its `$`.
    pub(super) fn variable(&mut self, name: &str, at: Span) -> Term {
        for entry in self.scope.iter().rev() {
            match entry {
                Entry::Variable(variable, depth) | Entry::Parameter(variable, depth, _)
                    if **variable == *name =>
                {
                    return Term::Variable(self.depth - 1 - depth);
                }
                Entry::Global(variable, value) if **variable == *name => {
                    return Term::Constant(value.clone());
                }
                _ => {}
            }
        }
        match name {
            "$ENV" => return Term::Constant(natives::environment()),
            "$__loc__" => {
                let line = 1 + self.program[..at.start as usize].matches('\n').count();
                let location = [("file", "<top-level>".into()), ("line", Value::from(line))];
                let members = location.map(|(key, value)| (key.into(), value));
                return Term::Constant(Value::object(members));
            }
            _ => {}
        }
        let variables = self.scope.iter().filter_map(|entry| match entry {
            Entry::Variable(name, _) | Entry::Parameter(name, ..) | Entry::Global(name, _) => {
                Some(&**name)
            }
            _ => None,
        });
        let error = self.undefined(name, at);
        let error = error.with_near(name, variables.chain(["$ENV", "$__loc__"]));
        self.report(error);
        Term::Identity
    }

    /// A call: of a definition, a native, a special function or the library.
    pub(super) fn call(&mut self, name: &str, arguments: Vec<Node>, at: Span) -> Term {
        let arity = arguments.len();
        let found = self.scope.iter().rev().find(|entry| match entry {
            Entry::Function(function, parameters, ..) => {
                **function == *name && *parameters == arity
            }
            Entry::Closure(closure, _) => **closure == *name && arity == 0,
            Entry::Parameter(parameter, ..) => {
                arity == 0 && parameter.strip_prefix('$') == Some(name)
            }
            _ => false,
        });
        match found {
            Some(Entry::Closure(_, depth)) => return Term::Closure(self.depth - 1 - depth),
            Some(Entry::Parameter(_, depth, is_called)) => {
                is_called.set(true);
                return Term::Closure(self.depth - 1 - depth);
            }
            Some(Entry::Function(_, _, id, depth)) => {
                return Term::Call(*id, self.depth - depth, arguments);
            }
            _ => {}
        }
        if let Some(constant) = natives::constant(name).filter(|_| arity == 0) {
            return Term::Constant(constant);
        }
        if let Some(native) = natives::find(name, arity) {
            return Term::Native(native, arguments);
        }
        if let Some(special) = Special::find(name, arity) {
            let compiled = &mut self.output.compiled;
            compiled.reads_inputs |= special.reads_inputs();
            compiled.reads_line_numbers |= matches!(special, Special::InputLine);
            return Term::Special(special, arguments);
        }
        if let ("select", 1) = (name, arity) {
            return self.selection(arguments);
        }
        if let Some(id) = self.of_library(name, arity) {
            return Term::Call(id, self.depth, arguments);
        }
        self.report(self.unknown_function(name, arity, at));
        Term::Identity
    }

    /// `select`, which is often called, without its call.
    fn selection(&mut self, arguments: Vec<Node>) -> Term {
        let condition = arguments.into_iter().next();
        let condition = condition.unwrap_or_else(|| self.of(Term::Identity, None));
        let then = self.of(Term::Identity, None);
        let otherwise = self.of(Term::Special(Special::Empty, Vec::new()), None);
        Term::If(condition.into(), then.into(), Some(otherwise.into()))
    }

    /// The library function with this name, compiled at its first use.
    fn of_library(&mut self, name: &str, arity: usize) -> Option<FunctionId> {
        let (name, line) = library::find(name, arity)?;
        if let Some(id) = self.output.known.get(&(name, arity)) {
            return Some(*id);
        }
        // It may call itself.
        let id = self.output.compiled.functions.len();
        self.output.known.insert((name, arity), id);
        Parser::new(line, self.output).definition().ok()?;
        Some(id)
    }

    /// The key that is meant by `.foo-bar`, if the name follows a hyphen in one.
    fn hyphenated(&self, name: Span) -> Option<&str> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let (before, after) = self.program.split_at(name.start as usize);
        let start = before.strip_suffix('-')?.trim_end_matches(is_part);
        let end = after.find(|c| !is_part(c)).unwrap_or(after.len());
        let key = start.strip_suffix('.').map(|_| start.len())?;
        Some(&self.program[key..before.len() + end])
    }

    fn unknown_function(&self, name: &str, arity: usize, at: Span) -> ProgramError {
        let error = self.undefined(&format!("{name}/{arity}"), at);
        if let Some(key) = self.hyphenated(at) {
            return error.with_note(format!("a key with a hyphen is in quotes: `.\"{key}\"`"));
        }
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
                let arguments = match others[..] {
                    [1] => "argument",
                    _ => "arguments, separated by `;`",
                };
                error.with_note(format!(
                    "`{name}` takes {} {arguments}",
                    counts.join(" or ")
                ))
            }
        }
    }
}
