//! Evaluation. An expression passes each of its results to a function, which returns an exception to stop it.
//!
//! What yields exactly one result, which is known when a program is compiled, is evaluated without such a function
//! ([`one`](Machine::one)), and is what makes calls in tail position loops: in `if . < 9 then . + 1 | f else . end`, the call of `f`
//! continues with its body.

use std::cell::Cell;
use std::rc::Rc;

use crate::access::{MAX_LENGTH, index, slice};
use crate::env::{Bound, Env};
use crate::error::{Exception, Result, error, raise};
use crate::host::Host;
use crate::iterate::each;
use crate::natives;
use crate::ops;
use crate::term::{Binding, Compiled, Node, Pattern, StringPart, Term};
use crate::value::Value;

/// What receives results.
pub(crate) type Emit<'e> = &'e mut dyn FnMut(Value) -> Result;

/// A running program.
pub(crate) struct Machine<'p> {
    pub program: &'p Compiled,
    pub host: &'p dyn Host,
    /// Where the stack was when the program began, and how far it may grow.
    stack: usize,
    stack_limit: usize,
    labels: Cell<usize>,
}

/// Calls in a row that neither yield nor change a value: more are an endless recursion.
const MAX_IDLE_CALLS: u32 = 1_000_000;

#[inline(never)]
fn stack_pointer() -> usize {
    let local = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&local)).addr()
}

impl<'p> Machine<'p> {
    /// `stack_limit`: how many bytes of the stack the evaluation may take.
    pub(crate) fn new(program: &'p Compiled, host: &'p dyn Host, stack_limit: usize) -> Self {
        Machine {
            program,
            host,
            stack: stack_pointer(),
            stack_limit,
            labels: Cell::new(0),
        }
    }

    pub(crate) fn check_stack(&self) -> Result {
        match self.stack.abs_diff(stack_pointer()) > self.stack_limit {
            true => Err(error("The program recurses too deep")),
            false => Ok(()),
        }
    }

    pub(crate) fn new_label(&self) -> usize {
        self.labels.set(self.labels.get() + 1);
        self.labels.get()
    }

    /// Passes the results of an expression to `emit`.
    pub(crate) fn run(
        &self,
        node: &'p Node,
        env: &Env<'p>,
        input: Value,
        emit: Emit<'_>,
    ) -> Result {
        // The place of the last call of the library, for its errors.
        let mut call = None;
        self.run_here(node, env, input, &mut call, emit)
            .map_err(|exception| exception.at(call))
    }

    fn run_here(
        &self,
        mut node: &'p Node,
        env: &Env<'p>,
        mut input: Value,
        call: &mut Option<crate::ast::Span>,
        emit: Emit<'_>,
    ) -> Result {
        self.check_stack()?;
        let mut env = env.clone();
        let mut idle = 0;
        loop {
            if self.is_single(node, &env) {
                return emit(self.one(node, &env, input)?);
            }
            match &node.term {
                Term::Pipe(left, right) => {
                    if !self.is_single(left, &env) {
                        return self.run(left, &env, input, &mut |value| {
                            self.run(right, &env, value, emit)
                        });
                    }
                    idle = 0;
                    input = self.one(left, &env, input)?;
                    node = right;
                }
                Term::Comma(left, right) => {
                    self.run(left, &env, input.clone(), emit)?;
                    idle = 0;
                    node = right;
                }
                Term::If(condition, then, otherwise) => {
                    let branch = |value: &Value| match value.is_true() {
                        true => Some(&**then),
                        false => otherwise.as_deref(),
                    };
                    if !self.is_single(condition, &env) {
                        return self.run(
                            condition,
                            &env,
                            input.clone(),
                            &mut |value| match branch(&value) {
                                Some(branch) => self.run(branch, &env, input.clone(), emit),
                                None => emit(input.clone()),
                            },
                        );
                    }
                    match branch(&self.one(condition, &env, input.clone())?) {
                        Some(branch) => node = branch,
                        None => return emit(input),
                    }
                }
                Term::Bind(source, binding, body) => {
                    if let ([Pattern::Variable], true) =
                        (&binding.patterns[..], self.is_single(source, &env))
                    {
                        let value = self.one(source, &env, input.clone())?;
                        env = env.with(Bound::Value(value));
                        idle = 0;
                        node = body;
                        continue;
                    }
                    return self.run(source, &env, input.clone(), &mut |value| {
                        self.bind(binding, &env, value, &mut |env| {
                            self.run(body, env, input.clone(), emit)
                        })
                    });
                }
                Term::Closure(distance) => {
                    let Some((closure, outer)) = env.closure(*distance) else {
                        return Ok(());
                    };
                    node = closure;
                    env = outer.clone();
                }
                Term::Call(id, skip, arguments) => {
                    let Some(function) = self.program.function(*id) else {
                        return Ok(());
                    };
                    if node.span.is_some() {
                        *call = node.span;
                    }
                    idle += 1;
                    if idle > MAX_IDLE_CALLS {
                        return Err(error("The program recurses without end"));
                    }
                    let mut inner = env.skip(*skip);
                    let mut arguments = function.parameters.iter().zip(arguments);
                    for (is_value, argument) in arguments.by_ref() {
                        inner = match is_value {
                            false => inner.with(Bound::Closure(argument, env.clone())),
                            true if self.is_single(argument, &env) => {
                                idle = 0;
                                inner.with(Bound::Value(self.one(argument, &env, input.clone())?))
                            }
                            true => {
                                let rest: Vec<(bool, &Node)> =
                                    std::iter::once((*is_value, argument))
                                        .chain(arguments.map(|(is_value, node)| (*is_value, node)))
                                        .collect();
                                return self.call_with_each(
                                    &rest,
                                    &env,
                                    inner,
                                    &input,
                                    &mut |env| self.run(&function.body, env, input.clone(), emit),
                                );
                            }
                        };
                    }
                    node = &function.body;
                    env = inner;
                }
                _ => return self.run_branching(node, &env, input, emit),
            }
        }
    }

    /// Binds arguments, of which some are values with several results: the first one varies slowest.
    pub(crate) fn call_with_each(
        &self,
        arguments: &[(bool, &'p Node)],
        env: &Env<'p>,
        inner: Env<'p>,
        input: &Value,
        body: &mut dyn FnMut(&Env<'p>) -> Result,
    ) -> Result {
        match arguments {
            [] => body(&inner),
            [(false, closure), rest @ ..] => {
                let inner = inner.with(Bound::Closure(closure, env.clone()));
                self.call_with_each(rest, env, inner, input, body)
            }
            [(true, argument), rest @ ..] => self.run(argument, env, input.clone(), &mut |value| {
                self.call_with_each(rest, env, inner.with(Bound::Value(value)), input, body)
            }),
        }
    }

    /// Passes on the results of expressions that may have several, and are not calls.
    fn run_branching(&self, node: &'p Node, env: &Env<'p>, input: Value, emit: Emit<'_>) -> Result {
        let span = node.span;
        let here = |exception: Exception| exception.at(span);
        match &node.term {
            Term::Recurse => self.recurse(input, emit),
            Term::String(format, parts) => {
                self.interpolate(*format, parts, env, &input, String::new(), emit)
            }
            Term::Index(target, key) => self.run(key, env, input.clone(), &mut |key| {
                self.run(target, env, input.clone(), &mut |target| {
                    emit(index(&target, &key).map_err(here)?)
                })
            }),
            Term::Slice(target, from, to) => self.bounds(
                from.as_deref(),
                to.as_deref(),
                env,
                &input,
                &mut |from, to| {
                    self.run(target, env, input.clone(), &mut |target| {
                        emit(slice(&target, from, to).map_err(here)?)
                    })
                },
            ),
            Term::Iterate(target) => {
                if self.is_single(target, env) {
                    let target = self.one(target, env, input)?;
                    return each(&target, emit).map_err(here);
                }
                self.run(target, env, input, &mut |target| {
                    each(&target, emit).map_err(here)
                })
            }
            Term::Object(members) => self.object(members, env, &input, Vec::new(), emit),
            Term::Negate(operand) => self.run(operand, env, input, &mut |value| {
                emit(ops::negate(value).map_err(here)?)
            }),
            Term::Binary(operator, left, right) => {
                self.run(right, env, input.clone(), &mut |right| {
                    self.run(left, env, input.clone(), &mut |left| {
                        emit(ops::binary(*operator, left, right.clone()).map_err(here)?)
                    })
                })
            }
            Term::And(left, right) => self.run(left, env, input.clone(), &mut |value| match value
                .is_true()
            {
                false => emit(Value::Bool(false)),
                true => self.run(right, env, input.clone(), &mut |value| {
                    emit(value.is_true().into())
                }),
            }),
            Term::Or(left, right) => self.run(left, env, input.clone(), &mut |value| match value
                .is_true()
            {
                true => emit(Value::Bool(true)),
                false => self.run(right, env, input.clone(), &mut |value| {
                    emit(value.is_true().into())
                }),
            }),
            Term::Alternative(left, right) => {
                let mut found = false;
                self.caught(
                    |emit| {
                        self.run(
                            left,
                            env,
                            input.clone(),
                            &mut |value| match value.is_true() {
                                true => {
                                    found = true;
                                    emit(value)
                                }
                                false => Ok(()),
                            },
                        )
                    },
                    emit,
                )?;
                match found {
                    true => Ok(()),
                    false => self.run(right, env, input, emit),
                }
            }
            Term::Try(body, handler) => {
                let caught = self.caught(|emit| self.run(body, env, input, emit), emit)?;
                match (caught, handler) {
                    (Some(value), Some(handler)) => self.run(handler, env, value, emit),
                    _ => Ok(()),
                }
            }
            Term::Assign(path, value) => self.run(value, env, input.clone(), &mut |value| {
                emit(
                    self.assign(path, env, input.clone(), &value)
                        .map_err(here)?,
                )
            }),
            Term::UpdateWith(operator, path, value) => {
                self.run(value, env, input.clone(), &mut |value| {
                    emit(
                        self.update_with(*operator, path, env, input.clone(), &value)
                            .map_err(here)?,
                    )
                })
            }
            Term::UpdateAlternative(path, value) => {
                self.run(value, env, input.clone(), &mut |value| {
                    emit(
                        self.update_alternative(path, env, input.clone(), &value)
                            .map_err(here)?,
                    )
                })
            }
            Term::Reduce(source, binding, init, update) => {
                self.run(init, env, input.clone(), &mut |init| {
                    emit(self.reduce(source, binding, update, env, &input, init)?)
                })
            }
            Term::Foreach(source, binding, init, update, extract) => {
                self.run(init, env, input.clone(), &mut |init| {
                    let mut state = init;
                    self.run(source, env, input.clone(), &mut |item| {
                        self.bind(binding, env, item, &mut |env| {
                            let from = std::mem::replace(&mut state, Value::Null);
                            self.run(update, env, from, &mut |value| {
                                state = value.clone();
                                match extract {
                                    Some(extract) => self.run(extract, env, value, emit),
                                    None => emit(value),
                                }
                            })
                        })
                    })
                })
            }
            Term::Label(body) => {
                let label = self.new_label();
                let env = env.with(Bound::Label(label));
                match self.run(body, &env, input, emit) {
                    Err(Exception::Break(broken)) if broken == label => Ok(()),
                    result => result,
                }
            }
            Term::Break(distance) => Err(Exception::Break(env.label(*distance))),
            Term::Native(native, arguments) => {
                self.each_combination(arguments, env, &input, &mut Vec::new(), &mut |values| {
                    emit((native.call)(input.clone(), values).map_err(here)?)
                })
            }
            Term::Special(special, arguments) => self
                .special(*special, arguments, env, input, emit)
                .map_err(here),
            _ => emit(self.one(node, env, input)?),
        }
    }

    /// Whether an expression yields exactly one result in this environment, in which a closure may be known to.
    fn is_single(&self, node: &'p Node, env: &Env<'p>) -> bool {
        if let Term::Closure(distance) = node.term {
            let mut closure = env.closure(distance);
            while let Some((node, env)) = closure {
                match node.term {
                    Term::Closure(distance) => closure = env.closure(distance),
                    _ => return node.single,
                }
            }
        }
        node.single
    }

    /// The result of an expression that [yields exactly one](Node::single).
    pub(crate) fn one(&self, node: &'p Node, env: &Env<'p>, input: Value) -> Result<Value> {
        let here = |exception: Exception| exception.at(node.span);
        match &node.term {
            Term::Identity => Ok(input),
            Term::Constant(value) => Ok(value.clone()),
            Term::Variable(distance) => Ok(env.value(*distance)),
            Term::Index(target, key) => {
                let key = match &key.term {
                    Term::Constant(key) => key.clone(),
                    _ => self.one(key, env, input.clone())?,
                };
                let target = self.one(target, env, input)?;
                index(&target, &key).map_err(here)
            }
            Term::Slice(target, from, to) => {
                let bound = |bound: &'p Option<Box<Node>>| match bound {
                    Some(bound) => self.one(bound, env, input.clone()),
                    None => Ok(Value::Null),
                };
                let (to, from) = (bound(to)?, bound(from)?);
                let target = self.one(target, env, input)?;
                slice(&target, &from, &to).map_err(here)
            }
            Term::Pipe(left, right) => {
                let value = self.one(left, env, input)?;
                self.one(right, env, value)
            }
            Term::Array(contents) => {
                let mut items = Vec::new();
                if let Some(contents) = contents {
                    self.run(contents, env, input, &mut |value| {
                        if items.len() >= MAX_LENGTH {
                            return Err(error("Array too long"));
                        }
                        items.push(value);
                        Ok(())
                    })?;
                }
                Ok(Value::array(items))
            }
            Term::Object(members) => {
                let mut built = Vec::with_capacity(members.len());
                for (key, value) in members {
                    let key = self.one(key, env, input.clone())?;
                    let key = object_key(&key).map_err(here)?;
                    built.push((key, self.one(value, env, input.clone())?));
                }
                Ok(Value::object(built))
            }
            Term::Negate(operand) => ops::negate(self.one(operand, env, input)?).map_err(here),
            Term::Binary(operator, left, right) => {
                let right = match &right.term {
                    Term::Constant(value) => value.clone(),
                    Term::Variable(distance) => env.value(*distance),
                    _ => self.one(right, env, input.clone())?,
                };
                let left = self.one(left, env, input)?;
                ops::binary(*operator, left, right).map_err(here)
            }
            Term::And(left, right) => {
                let is_true = self.one(left, env, input.clone())?.is_true();
                Ok((is_true && self.one(right, env, input)?.is_true()).into())
            }
            Term::Or(left, right) => {
                let is_true = self.one(left, env, input.clone())?.is_true();
                Ok((is_true || self.one(right, env, input)?.is_true()).into())
            }
            Term::If(condition, then, otherwise) => {
                match (
                    self.one(condition, env, input.clone())?.is_true(),
                    otherwise,
                ) {
                    (true, _) => self.one(then, env, input),
                    (false, Some(otherwise)) => self.one(otherwise, env, input),
                    (false, None) => Ok(input),
                }
            }
            Term::Bind(source, _, body) => {
                let value = self.one(source, env, input.clone())?;
                self.one(body, &env.with(Bound::Value(value)), input)
            }
            Term::Reduce(source, binding, init, update) => {
                let init = self.one(init, env, input.clone())?;
                self.reduce(source, binding, update, env, &input, init)
            }
            Term::Update(path, update) => self.update(path, update, env, input).map_err(here),
            Term::Assign(path, value) => {
                let value = self.one(value, env, input.clone())?;
                self.assign(path, env, input, &value).map_err(here)
            }
            Term::UpdateWith(operator, path, value) => {
                let value = self.one(value, env, input.clone())?;
                self.update_with(*operator, path, env, input, &value)
                    .map_err(here)
            }
            Term::UpdateAlternative(path, value) => {
                let value = self.one(value, env, input.clone())?;
                self.update_alternative(path, env, input, &value)
                    .map_err(here)
            }
            Term::Format(format) => natives::format(*format, &input)
                .map(Value::from)
                .map_err(here),
            Term::Native(native, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments.iter().rev() {
                    values.push(self.one(argument, env, input.clone())?);
                }
                values.reverse();
                (native.call)(input, &values).map_err(here)
            }
            Term::String(format, parts) => {
                let mut out = String::new();
                for part in parts {
                    match part {
                        StringPart::Text(text) => out.push_str(text),
                        StringPart::Interpolated(part) => {
                            let value = self.one(part, env, input.clone())?;
                            out.push_str(&natives::format(*format, &value).map_err(here)?);
                        }
                    }
                }
                Ok(out.into())
            }
            Term::Closure(distance) => {
                self.check_stack()?;
                match env.closure(*distance) {
                    Some((closure, env)) => self.one(closure, env, input),
                    None => Ok(Value::Null),
                }
            }
            Term::Call(id, skip, arguments) => {
                let Some(function) = self.program.function(*id) else {
                    return Ok(Value::Null);
                };
                let mut inner = env.skip(*skip);
                for (is_value, argument) in function.parameters.iter().zip(arguments) {
                    inner = inner.with(match is_value {
                        true => Bound::Value(self.one(argument, env, input.clone())?),
                        false => Bound::Closure(argument, env.clone()),
                    });
                }
                self.one(&function.body, &inner, input).map_err(here)
            }
            _ => {
                let mut result = Value::Null;
                self.run_branching(node, env, input, &mut |value| {
                    result = value;
                    Ok(())
                })?;
                Ok(result)
            }
        }
    }

    /// Runs something and returns what it raised, but passes on what `emit` raises.
    fn caught(
        &self,
        body: impl FnOnce(Emit<'_>) -> Result,
        emit: Emit<'_>,
    ) -> Result<Option<Value>> {
        let mut later = None;
        let result = body(&mut |value| {
            emit(value).map_err(|exception| {
                later = Some(exception);
                Exception::Stopped
            })
        });
        match (result, later) {
            (_, Some(exception)) => Err(exception),
            (Ok(()), None) => Ok(None),
            (Err(Exception::Error(error)), None) => Ok(Some(error.value)),
            (Err(exception), None) => Err(exception),
        }
    }

    fn reduce(
        &self,
        source: &'p Node,
        binding: &'p Binding,
        update: &'p Node,
        env: &Env<'p>,
        input: &Value,
        init: Value,
    ) -> Result<Value> {
        let mut state = init;
        self.run(source, env, input.clone(), &mut |item| {
            self.bind(binding, env, item, &mut |env| {
                let from = std::mem::replace(&mut state, Value::Null);
                if self.is_single(update, env) {
                    state = self.one(update, env, from)?;
                    return Ok(());
                }
                self.run(update, env, from, &mut |value| {
                    state = value;
                    Ok(())
                })
            })
        })?;
        Ok(state)
    }

    /// Takes a value apart, and runs something with the variables bound: by the first pattern with which neither fails.
    pub(crate) fn bind(
        &self,
        binding: &'p Binding,
        env: &Env<'p>,
        value: Value,
        body: &mut dyn FnMut(&Env<'p>) -> Result,
    ) -> Result {
        if let [pattern] = &binding.patterns[..] {
            return self.take_apart(&[(pattern, value)], env.clone(), body);
        }
        let last = binding.patterns.len() - 1;
        for (at, pattern) in binding.patterns.iter().enumerate() {
            let result = self.take_apart(&[(pattern, value.clone())], env.clone(), &mut |bound| {
                let mut inner = env.clone();
                let count = binding
                    .variables
                    .iter()
                    .filter_map(|places| places[at])
                    .max();
                let count = self.bound_by(pattern).max(count.map_or(0, |most| most + 1));
                for places in &binding.variables {
                    let value =
                        places[at].map_or(Value::Null, |place| bound.value(count - 1 - place));
                    inner = inner.with(Bound::Value(value));
                }
                body(&inner)
            });
            match result {
                Err(Exception::Error(_)) if at < last => {}
                result => return result,
            }
        }
        Ok(())
    }

    /// The number of variables that a pattern binds.
    fn bound_by(&self, pattern: &Pattern) -> usize {
        match pattern {
            Pattern::Variable => 1,
            Pattern::Array(elements) => elements.iter().map(|element| self.bound_by(element)).sum(),
            Pattern::Object(members) => members
                .iter()
                .map(|(_, is_bound, value)| {
                    usize::from(*is_bound) + value.as_ref().map_or(0, |value| self.bound_by(value))
                })
                .sum(),
        }
    }

    fn take_apart(
        &self,
        patterns: &[(&'p Pattern, Value)],
        env: Env<'p>,
        body: &mut dyn FnMut(&Env<'p>) -> Result,
    ) -> Result {
        let Some(((pattern, value), rest)) = patterns.split_first() else {
            return body(&env);
        };
        match pattern {
            Pattern::Variable => self.take_apart(rest, env.with(Bound::Value(value.clone())), body),
            Pattern::Array(elements) => {
                let mut all = Vec::with_capacity(elements.len() + rest.len());
                for (at, element) in elements.iter().enumerate() {
                    all.push((element, index(value, &Value::from(at))?));
                }
                all.extend_from_slice(rest);
                self.take_apart(&all, env, body)
            }
            Pattern::Object(members) => self.take_members(members, value, rest, env, body),
        }
    }

    fn take_members(
        &self,
        members: &'p [(Node, bool, Option<Pattern>)],
        value: &Value,
        rest: &[(&'p Pattern, Value)],
        env: Env<'p>,
        body: &mut dyn FnMut(&Env<'p>) -> Result,
    ) -> Result {
        let Some(((key, is_bound, pattern), others)) = members.split_first() else {
            return self.take_apart(rest, env, body);
        };
        self.run(key, &env, value.clone(), &mut |key_value| {
            if key_value.as_str().is_none() {
                let described = crate::error::described(&key_value);
                return Err(error(format!("Cannot use {described} as object key")).at(key.span));
            }
            let member = index(value, &key_value)?;
            let inner = match is_bound {
                true => env.with(Bound::Value(member.clone())),
                false => env.clone(),
            };
            match pattern {
                Some(pattern) => self.take_apart(&[(pattern, member)], inner, &mut |env| {
                    self.take_members(others, value, rest, env.clone(), body)
                }),
                None => self.take_members(others, value, rest, inner, body),
            }
        })
    }

    fn object(
        &self,
        members: &'p [(Node, Node)],
        env: &Env<'p>,
        input: &Value,
        built: Vec<(Rc<str>, Value)>,
        emit: Emit<'_>,
    ) -> Result {
        let Some(((key, value), rest)) = members.split_first() else {
            return emit(Value::object(built));
        };
        self.run(key, env, input.clone(), &mut |key_value| {
            let name = object_key(&key_value).map_err(|exception| exception.at(key.span))?;
            self.run(value, env, input.clone(), &mut |value| {
                let mut built = built.clone();
                built.push((name.clone(), value));
                self.object(rest, env, input, built, emit)
            })
        })
    }

    /// Passes on strings in which each interpolated expression has each of its results.
    fn interpolate(
        &self,
        format: natives::Format,
        parts: &'p [StringPart],
        env: &Env<'p>,
        input: &Value,
        so_far: String,
        emit: Emit<'_>,
    ) -> Result {
        let Some((part, rest)) = parts.split_first() else {
            return emit(so_far.into());
        };
        match part {
            StringPart::Text(text) => {
                self.interpolate(format, rest, env, input, so_far + text, emit)
            }
            StringPart::Interpolated(node) => self.run(node, env, input.clone(), &mut |value| {
                let text =
                    natives::format(format, &value).map_err(|exception| exception.at(node.span))?;
                self.interpolate(format, rest, env, input, so_far.clone() + &text, emit)
            }),
        }
    }

    pub(crate) fn bounds(
        &self,
        from: Option<&'p Node>,
        to: Option<&'p Node>,
        env: &Env<'p>,
        input: &Value,
        body: &mut dyn FnMut(&Value, &Value) -> Result,
    ) -> Result {
        let each = |node: Option<&'p Node>, body: &mut dyn FnMut(Value) -> Result| match node {
            Some(node) => self.run(node, env, input.clone(), body),
            None => body(Value::Null),
        };
        each(to, &mut |to| each(from, &mut |from| body(&from, &to)))
    }

    fn recurse(&self, value: Value, emit: Emit<'_>) -> Result {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            let children = pending.len();
            if let Some(result) = value.each(|child| {
                pending.push(child);
                Ok(())
            }) {
                result?;
            }
            pending[children..].reverse();
            emit(value)?;
        }
        Ok(())
    }

    /// Calls something with each combination of arguments; the last one varies slowest.
    fn each_combination(
        &self,
        arguments: &'p [Node],
        env: &Env<'p>,
        input: &Value,
        values: &mut Vec<Value>,
        body: &mut dyn FnMut(&[Value]) -> Result,
    ) -> Result {
        let Some((last, others)) = arguments.split_last() else {
            let in_order: Vec<Value> = values.iter().rev().cloned().collect();
            return body(&in_order);
        };
        self.run(last, env, input.clone(), &mut |value| {
            values.push(value);
            let result = self.each_combination(others, env, input, values, body);
            values.pop();
            result
        })
    }
}

fn object_key(key: &Value) -> Result<Rc<str>> {
    key.to_rc_str().ok_or_else(|| {
        let described = crate::error::described(key);
        raise(Value::from(format!(
            "Object keys must be strings, not {described}"
        )))
    })
}
