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
use crate::ops::{self, Operator};
use crate::program_error::Span;
use crate::term::{Binding, Compiled, Node, Parameter, StringPart, Term};
use crate::tracked::{Emit, Last, Tracked};
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
        self.labels.replace(self.labels.get() + 1)
    }

    /// Passes all results of an expression to `emit`.
    pub(crate) fn each<T: Tracked>(
        &self,
        node: &'p Node,
        env: &Env<'p>,
        input: T,
        emit: Emit<'_, T>,
    ) -> Result {
        let last = self.run(node, env, input, emit)?;
        last.map_or(Ok(()), emit)
    }

    /// Calls a function with each result of an expression: its results are those of the whole.
    pub(crate) fn then<T: Tracked, U>(
        &self,
        node: &'p Node,
        env: &Env<'p>,
        input: T,
        emit: Emit<'_, U>,
        mut next: impl FnMut(T, Emit<'_, U>) -> Last<U>,
    ) -> Last<U> {
        let last = self.run(node, env, input, &mut |value| {
            let last = next(value, emit)?;
            last.map_or(Ok(()), &mut *emit)
        })?;
        last.map_or(Ok(None), |value| next(value, emit))
    }

    /// Emits the results of an expression.
    pub(crate) fn run<T: Tracked>(
        &self,
        node: &'p Node,
        env: &Env<'p>,
        input: T,
        emit: Emit<'_, T>,
    ) -> Last<T> {
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
        call: &mut Option<Span>,
        emit: Emit<'_, T>,
    ) -> Last<T> {
        self.check()?;
        let mut env = env.clone();
        let mut idle = 0;
        loop {
            if T::IS_VALUE && self.is_single(node, &env) {
                return Ok(Some(T::new(self.one(node, &env, input.into_value())?)));
            }
            match &node.term {
                Term::Identity => return Ok(Some(input)),
                Term::Pipe(left, right) => {
                    let last = match T::IS_VALUE && self.is_single(left, &env) {
                        true => Some(T::new(self.one(left, &env, input.into_value())?)),
                        false => self.run(left, &env, input, &mut |value| {
                            self.each(right, &env, value, emit)
                        })?,
                    };
                    match last {
                        Some(value) => input = value,
                        None => return Ok(None),
                    }
                    idle = 0;
                    node = right;
                }
                Term::Comma(left, right) => {
                    self.each(left, &env, input.clone(), emit)?;
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
                    let value = input.value().clone();
                    let last = match self.is_single(condition, &env) {
                        true => Some(self.one(condition, &env, value)?),
                        false => {
                            self.run(condition, &env, value, &mut |value| match branch(&value) {
                                Some(branch) => self.each(branch, &env, input.clone(), emit),
                                None => emit(input.clone()),
                            })?
                        }
                    };
                    match last.as_ref().map(branch) {
                        Some(Some(branch)) => node = branch,
                        Some(None) => return Ok(Some(input)),
                        None => return Ok(None),
                    }
                }
                Term::Bind(source, binding, body) => {
                    let value = input.value().clone();
                    let bind = |value, emit: Emit<'_, T>| {
                        self.bind(binding, &env, value, &mut |env| {
                            self.each(body, env, input.clone(), emit)
                        })
                    };
                    let last =
                        self.run(source, &env, value, &mut |value| match bind(value, emit)? {
                            Some(env) => self.each(body, &env, input.clone(), emit),
                            None => Ok(()),
                        })?;
                    let bound = match last {
                        Some(value) => bind(value, emit)?,
                        None => None,
                    };
                    match bound {
                        Some(bound) => env = bound,
                        None => return Ok(None),
                    }
                    idle = 0;
                    node = body;
                }
                Term::Closure(distance) => {
                    let Some((closure, outer)) = env.closure(*distance) else {
                        return Ok(None);
                    };
                    node = closure;
                    env = outer.clone();
                }
                Term::Call(id, skip, arguments) => {
                    let Some(function) = self.program.function(*id) else {
                        return Ok(None);
                    };
                    if node.span.is_some() {
                        *call = node.span;
                    }
                    idle += 1;
                    if idle > MAX_IDLE_CALLS {
                        return Err(endless());
                    }
                    if function.has_values() {
                        idle = 0;
                    }
                    let inner = env.skip(*skip);
                    let parameters = &function.parameters[..];
                    let value = input.value();
                    let mut body =
                        |env: &Env<'p>| self.each(&function.body, env, input.clone(), emit);
                    let bound =
                        self.call_with_each(parameters, arguments, &env, inner, value, &mut body)?;
                    match bound {
                        Some(bound) => env = bound,
                        None => return Ok(None),
                    }
                    node = &function.body;
                }
                _ => return self.run_branching(node, &env, input, emit),
            }
        }
    }

    /// Binds arguments, including value arguments with several results; the first one varies slowest. Passes all environments but
    /// the last one to `body`.
    pub(crate) fn call_with_each(
        &self,
        parameters: &[Parameter],
        arguments: &'p [Node],
        env: &Env<'p>,
        mut inner: Env<'p>,
        input: &Value,
        body: &mut dyn FnMut(&Env<'p>) -> Result,
    ) -> Result<Option<Env<'p>>> {
        for (at, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            let bound = |value| match parameter {
                Parameter::Both => Bound::Argument(value, argument, env.clone()),
                _ => Bound::Value(value),
            };
            if let Parameter::Closure = parameter {
                inner = inner.with(Bound::Closure(argument, env.clone()));
            } else if self.is_single(argument, env) {
                inner = inner.with(bound(self.one(argument, env, input.clone())?));
            } else {
                let (parameters, arguments) = (&parameters[at + 1..], &arguments[at + 1..]);
                let last = self.run(argument, env, input.clone(), &mut |value| {
                    let inner = inner.with(bound(value));
                    let last =
                        self.call_with_each(parameters, arguments, env, inner, input, body)?;
                    last.map_or(Ok(()), |env| body(&env))
                })?;
                let Some(value) = last else {
                    return Ok(None);
                };
                let inner = inner.with(bound(value));
                return self.call_with_each(parameters, arguments, env, inner, input, body);
            }
        }
        Ok(Some(inner))
    }

    /// Whether an expression yields exactly one result in this environment, which may determine it for a closure.
    pub(crate) fn is_single(&self, node: &'p Node, env: &Env<'p>) -> bool {
        if let Term::Closure(distance) = node.term {
            let mut closure = env.closure(distance);
            while let Some((node, env)) = closure {
                match node.term {
                    Term::Closure(distance) => closure = env.closure(distance),
                    _ => return node.single.get(),
                }
            }
        }
        node.single.get()
    }

    /// The result of an expression that [yields exactly one](Node::single). Its frame is small, because recursive functions have one
    /// or two of them for each level.
    pub(crate) fn one(&self, mut node: &'p Node, env: &Env<'p>, mut input: Value) -> Result<Value> {
        loop {
            if node.height > LOW {
                self.check()?;
            }
            match &node.term {
                Term::Identity => return Ok(input),
                Term::Constant(value) => return Ok(value.clone()),
                Term::Variable(distance) => return Ok(env.value(*distance)),
                Term::Pipe(left, right) => {
                    input = self.one(left, env, input)?;
                    node = right;
                }
                Term::If(condition, then, otherwise) => {
                    let is_true = self.one(condition, env, input.clone())?.is_true();
                    match (is_true, otherwise) {
                        (true, _) => node = then,
                        (false, Some(otherwise)) => node = otherwise,
                        (false, None) => return Ok(input),
                    }
                }
                Term::Index(target, key) => {
                    let key = match &key.term {
                        Term::Constant(key) => key.clone(),
                        _ => self.one(key, env, input.clone())?,
                    };
                    let target = self.one(target, env, input)?;
                    return indexed(node, &target, &key);
                }
                Term::Binary(operator, left, right) => {
                    let right = match &right.term {
                        Term::Constant(value) => value.clone(),
                        Term::Variable(distance) => env.value(*distance),
                        // A frame less for `. * (. - 1 | f)`.
                        Term::Pipe(_, last) if matches!(last.term, Term::Call(..)) => {
                            self.one_call(right, env.clone(), input.clone())?
                        }
                        _ => self.one(right, env, input.clone())?,
                    };
                    let left = self.one(left, env, input)?;
                    return computed(node, *operator, left, right);
                }
                Term::And(left, right) => {
                    if !self.one(left, env, input.clone())?.is_true() {
                        return Ok(Value::Bool(false));
                    }
                    return Ok(self.one(right, env, input)?.is_true().into());
                }
                Term::Or(left, right) => {
                    if self.one(left, env, input.clone())?.is_true() {
                        return Ok(Value::Bool(true));
                    }
                    return Ok(self.one(right, env, input)?.is_true().into());
                }
                Term::Alternative(left, right) => {
                    let value = self.one(left, env, input.clone())?;
                    if value.is_true() {
                        return Ok(value);
                    }
                    node = right;
                }
                Term::Bind(..) | Term::Call(..) | Term::Closure(_) => {
                    return self.one_call(node, env.clone(), input);
                }
                _ => return self.one_built(node, env, input),
            }
        }
    }

    /// The result of a call or a binding; those in its body follow in a loop.
    #[inline(never)]
    fn one_call(&self, mut node: &'p Node, mut env: Env<'p>, mut input: Value) -> Result<Value> {
        // The position of the last library call, for its errors.
        let mut call = None;
        let run = || {
            self.check()?;
            let mut idle = 0;
            loop {
                match &node.term {
                    Term::Pipe(left, right) => {
                        input = self.one(left, &env, input)?;
                        idle = 0;
                        node = right;
                    }
                    Term::If(condition, then, otherwise) => {
                        let is_true = self.one(condition, &env, input.clone())?.is_true();
                        match (is_true, otherwise) {
                            (true, _) => node = then,
                            (false, Some(otherwise)) => node = otherwise,
                            (false, None) => return Ok(input),
                        }
                    }
                    Term::Bind(source, binding, body) => {
                        let value = self.one(source, &env, input.clone())?;
                        match self.bind(binding, &env, value, &mut |_| Ok(()))? {
                            Some(bound) => env = bound,
                            None => return Ok(Value::Null),
                        }
                        idle = 0;
                        node = body;
                    }
                    Term::Closure(distance) => {
                        let Some((closure, outer)) = env.closure(*distance) else {
                            return Ok(Value::Null);
                        };
                        node = closure;
                        env = outer.clone();
                    }
                    Term::Call(id, skip, arguments) => {
                        let Some(function) = self.program.function(*id) else {
                            return Ok(Value::Null);
                        };
                        if node.span.is_some() {
                            call = node.span;
                        }
                        idle += 1;
                        if idle > MAX_IDLE_CALLS {
                            return Err(endless());
                        }
                        if function.has_values() {
                            idle = 0;
                        }
                        let inner = env.skip(*skip);
                        let parameters = &function.parameters[..];
                        let mut none = |_: &Env<'p>| Ok(());
                        match self
                            .call_with_each(parameters, arguments, &env, inner, &input, &mut none)?
                        {
                            Some(bound) => env = bound,
                            None => return Ok(Value::Null),
                        }
                        node = &function.body;
                    }
                    _ => return self.one(node, &env, input),
                }
            }
        };
        run().map_err(|exception: Exception| exception.at(call))
    }

    #[inline(never)]
    fn one_built(&self, node: &'p Node, env: &Env<'p>, input: Value) -> Result<Value> {
        let with_span = |exception: Exception| exception.at(node.span);
        match &node.term {
            Term::Array(contents) => {
                let mut items = Vec::new();
                if let Some(contents) = contents {
                    self.each(contents, env, input, &mut |value| {
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
                    let name = object_key(&key).map_err(with_span)?;
                    let value = match value.term {
                        Term::SameKey => index(&input, &key).map_err(with_span)?,
                        _ => self.one(value, env, input.clone())?,
                    };
                    built.push((name, value));
                }
                Ok(Value::object(built))
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
                ops::check_length(texts.iter().map(|text| &**text)).map_err(with_span)?;
                Ok(texts.concat().into())
            }
            _ => {
                let mut result = Value::Null;
                let last = self.run_branching(node, env, input, &mut |value| {
                    result = value;
                    Ok(())
                })?;
                Ok(last.unwrap_or(result))
            }
        }
    }

    /// Runs `body` and returns the value of its error, but propagates an exception of `emit`.
    pub(crate) fn caught<T>(
        &self,
        body: impl FnOnce(Emit<'_, T>) -> Last<T>,
        emit: Emit<'_, T>,
    ) -> Result<Result<Option<T>, Value>> {
        let mut later = None;
        let result = body(&mut |value| {
            emit(value).map_err(|exception| {
                later = Some(exception);
                Exception::Stopped
            })
        });
        match (result, later) {
            (_, Some(exception)) => Err(exception),
            (Ok(last), None) => Ok(Ok(last)),
            (Err(Exception::Error(error)), None) if !error.is_too_deep => Ok(Err(error.value)),
            // Only `break` in the body itself, not of a consumer.
            (Err(Exception::Break(label)), None) => {
                Ok(Err(Value::object([("__jq".into(), label.into())])))
            }
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
        let mut step = |env: &Env<'p>| {
            // The state after an update without a result.
            let from = std::mem::replace(&mut state, T::new(Value::Null));
            if T::IS_VALUE && self.is_single(update, env) {
                state = T::new(self.one(update, env, from.into_value())?);
                return Ok(());
            }
            self.each(update, env, from, &mut |value| {
                state = value;
                Ok(())
            })
        };
        self.each(source, env, input.clone(), &mut |item| {
            let last = self.bind(binding, env, item, &mut step)?;
            last.map_or(Ok(()), |env| step(&env))
        })?;
        Ok(state)
    }
}

#[inline(never)]
fn indexed(node: &Node, target: &Value, key: &Value) -> Result<Value> {
    index(target, key).map_err(|exception| exception.at(node.span))
}

#[inline(never)]
fn computed(node: &Node, operator: Operator, left: Value, right: Value) -> Result<Value> {
    ops::binary(operator, left, right).map_err(|exception| exception.at(node.span))
}

fn endless() -> Exception {
    error("The program recurses without end")
}

pub(crate) fn object_key(key: &Value) -> Result<Rc<str>> {
    key.to_rc_str().ok_or_else(|| {
        let described = crate::error::described(key);
        raise(Value::from(format!(
            "Object keys must be strings, not {described}"
        )))
    })
}
