//! Evaluation. An expression passes each result to a function, which stops it by returning an exception.
//!
//! Expressions known at compile time to yield exactly one result are evaluated directly ([`one`](Machine::one)). This also turns
//! tail calls into loops: in `if . < 9 then . + 1 | f else . end`, the call of `f` continues with its body.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use crate::access::{MAX_LENGTH, index};
use crate::env::{Bound, Env};
use crate::error::{Exception, Result, error, raise, too_deep};
use crate::host::Host;
use crate::natives;
use crate::ops;
use crate::term::{Binding, Compiled, Node, Pattern, StringPart, Term};
use crate::tracked::{Emit, Tracked};
use crate::value::Value;

/// A running program.
pub(crate) struct Machine<'p> {
    pub program: &'p Compiled,
    pub host: &'p dyn Host,
    /// The stack address at the start of the program, and the stack limit.
    stack: usize,
    stack_limit: usize,
    /// Steps of the evaluation so far.
    steps: Cell<u32>,
    labels: Cell<usize>,
}

/// The maximum number of successive calls that neither yield nor change a value; more mean an endless recursion.
const MAX_IDLE_CALLS: u32 = 1_000_000;

/// Steps between two polls of the host, usually less than a millisecond.
const STEPS: u32 = 1 << 14;

/// The evaluation of single results checks the stack only for [heights](Node::height) above this.
const LOW: u16 = 64;

#[inline(never)]
fn stack_pointer() -> usize {
    let local = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&local)).addr()
}

impl<'p> Machine<'p> {
    /// `stack_limit`: the stack that the evaluation may use, in bytes.
    pub(crate) fn new(program: &'p Compiled, host: &'p dyn Host, stack_limit: usize) -> Self {
        Machine {
            program,
            host,
            stack: stack_pointer(),
            stack_limit,
            labels: Cell::new(0),
            steps: Cell::new(0),
        }
    }

    /// Fails if the stack is exhausted or the host interrupts the program.
    pub(crate) fn check(&self) -> Result {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        if steps.is_multiple_of(STEPS) && self.host.is_interrupted() {
            return Err(Exception::Halt(Box::default()));
        }
        if self.stack.abs_diff(stack_pointer()) > self.stack_limit {
            Err(too_deep())
        } else {
            Ok(())
        }
    }

    pub(crate) fn new_label(&self) -> usize {
        self.labels.set(self.labels.get() + 1);
        self.labels.get()
    }

    /// Passes the results of an expression to `emit`.
    pub(crate) fn run<T: Tracked>(
        &self,
        node: &'p Node,
        env: &Env<'p>,
        input: T,
        emit: Emit<'_, T>,
    ) -> Result {
        // The position of the last library call, for its errors.
        let mut call = None;
        self.run_here(node, env, input, &mut call, emit)
            .map_err(|exception| exception.at(call))
    }

    fn run_here<T: Tracked>(
        &self,
        mut node: &'p Node,
        env: &Env<'p>,
        mut input: T,
        call: &mut Option<crate::program_error::Span>,
        emit: Emit<'_, T>,
    ) -> Result {
        self.check()?;
        let mut env = env.clone();
        let mut idle = 0;
        loop {
            if T::IS_VALUE && self.is_single(node, &env) {
                return emit(T::new(self.one(node, &env, input.into_value())?));
            }
            match &node.term {
                Term::Identity => return emit(input),
                Term::Pipe(left, right) => {
                    if !(T::IS_VALUE && self.is_single(left, &env)) {
                        return self.run(left, &env, input, &mut |value| {
                            self.run(right, &env, value, emit)
                        });
                    }
                    idle = 0;
                    input = T::new(self.one(left, &env, input.into_value())?);
                    node = right;
                }
                Term::Comma(left, right) => {
                    self.run(left, &env, input.clone(), emit)?;
                    idle = 0;
                    node = right;
                }
                Term::If(condition, then, otherwise) => {
                    let branch = |value: &Value| {
                        if value.is_true() {
                            Some(&**then)
                        } else {
                            otherwise.as_deref()
                        }
                    };
                    if !self.is_single(condition, &env) {
                        return self.run(condition, &env, input.value().clone(), &mut |value| {
                            match branch(&value) {
                                Some(branch) => self.run(branch, &env, input.clone(), emit),
                                None => emit(input.clone()),
                            }
                        });
                    }
                    match branch(&self.one(condition, &env, input.value().clone())?) {
                        Some(branch) => node = branch,
                        None => return emit(input),
                    }
                }
                Term::Bind(source, binding, body) => {
                    if let ([Pattern::Variable], true) =
                        (&binding.patterns[..], self.is_single(source, &env))
                    {
                        let value = self.one(source, &env, input.value().clone())?;
                        env = env.with(Bound::Value(value));
                        idle = 0;
                        node = body;
                        continue;
                    }
                    return self.run(source, &env, input.value().clone(), &mut |value| {
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
                                let value = self.one(argument, &env, input.value().clone())?;
                                inner.with(Bound::Value(value))
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
                                    input.value(),
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

    /// Binds arguments, including value arguments with several results; the first one varies slowest.
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

    /// Whether an expression yields exactly one result in this environment, which may determine it for a closure.
    pub(crate) fn is_single(&self, node: &'p Node, env: &Env<'p>) -> bool {
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
        if node.height > LOW {
            self.check()?;
        }
        let with_span = |exception: Exception| exception.at(node.span);
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
                index(&target, &key).map_err(with_span)
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
                    let key = object_key(&key).map_err(with_span)?;
                    built.push((key, self.one(value, env, input.clone())?));
                }
                Ok(Value::object(built))
            }
            Term::Binary(operator, left, right) => {
                let right = match &right.term {
                    Term::Constant(value) => value.clone(),
                    Term::Variable(distance) => env.value(*distance),
                    _ => self.one(right, env, input.clone())?,
                };
                let left = self.one(left, env, input)?;
                ops::binary(*operator, left, right).map_err(with_span)
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
            Term::Update(path, update) => self.update(path, update, env, input).map_err(with_span),
            Term::Assign(assignment, path, value) => {
                let value = self.one(value, env, input.clone())?;
                let assigned = self.assign(*assignment, path, env, input, &value);
                assigned.map_err(with_span)
            }
            Term::Format(format) => natives::format(*format, &input)
                .map(Value::from)
                .map_err(with_span),
            Term::Native(native, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments.iter().rev() {
                    values.push(self.one(argument, env, input.clone())?);
                }
                values.reverse();
                (native.call)(input, &values).map_err(with_span)
            }
            Term::String(format, parts) => {
                // The last part runs first, as in `interpolate`.
                let mut texts = Vec::with_capacity(parts.len());
                for part in parts.iter().rev() {
                    texts.push(match part {
                        StringPart::Text(text) => Cow::Borrowed(&**text),
                        StringPart::Interpolated(part) => {
                            let value = self.one(part, env, input.clone())?;
                            natives::format(*format, &value).map_err(with_span)?.into()
                        }
                    });
                }
                texts.reverse();
                Ok(texts.concat().into())
            }
            Term::Closure(distance) => {
                self.check()?;
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
                self.one(&function.body, &inner, input).map_err(with_span)
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

    /// Runs `body` and returns its exception, but propagates an exception of `emit`.
    pub(crate) fn caught<T>(
        &self,
        body: impl FnOnce(Emit<'_, T>) -> Result,
        emit: Emit<'_, T>,
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
            (Err(Exception::Error(error)), None) if !error.is_too_deep => Ok(Some(error.value)),
            (Err(exception), None) => Err(exception),
        }
    }

    pub(crate) fn reduce<T: Tracked>(
        &self,
        source: &'p Node,
        binding: &'p Binding,
        update: &'p Node,
        env: &Env<'p>,
        input: &Value,
        init: T,
    ) -> Result<T> {
        let mut state = init;
        self.run(source, env, input.clone(), &mut |item| {
            self.bind(binding, env, item, &mut |env| {
                // The state after an update without a result.
                let from = std::mem::replace(&mut state, T::new(Value::Null));
                if T::IS_VALUE && self.is_single(update, env) {
                    state = T::new(self.one(update, env, from.into_value())?);
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
}

pub(crate) fn object_key(key: &Value) -> Result<Rc<str>> {
    key.to_rc_str().ok_or_else(|| {
        let described = crate::error::described(key);
        raise(Value::from(format!(
            "Object keys must be strings, not {described}"
        )))
    })
}
