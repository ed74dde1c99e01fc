//! Evaluates expressions with any number of results.

use std::rc::Rc;

use crate::access::index;
use crate::env::{Bound, Env};
use crate::error::{Exception, Result};
use crate::machine::{Machine, object_key};
use crate::natives;
use crate::ops;
use crate::term::{Node, StringPart, Term};
use crate::tracked::{Emit, Last, Tracked};
use crate::value::Value;

impl<'p> Machine<'p> {
    /// Emits the results of expressions that may have several, except calls.
    pub(crate) fn run_branching<T: Tracked>(
        &self,
        node: &'p Node,
        env: &Env<'p>,
        input: T,
        emit: Emit<'_, T>,
    ) -> Last<T> {
        let with_span = |exception: Exception| exception.at(node.span);
        let value = || input.value().clone();
        match &node.term {
            Term::Recurse => recurse(input, &mut |value, visit| value.children(visit), emit),
            Term::Index(target, key) => self.then(key, env, value(), emit, |key, emit| {
                self.then(target, env, input.clone(), emit, |target, _| {
                    step(node, target.index(&key))
                })
            }),
            Term::Slice(target, from, to) => {
                self.bound(from.as_deref(), env, value(), emit, |from, emit| {
                    self.bound(to.as_deref(), env, value(), emit, |to, emit| {
                        self.then(target, env, input.clone(), emit, |target, _| {
                            step(node, target.slice(&from, &to))
                        })
                    })
                })
            }
            Term::Iterate(target) => self.then(target, env, input, emit, |target, emit| {
                if node.is_optional {
                    let caught = self.caught(|emit| target.each(emit), emit)?;
                    return Ok(caught.ok().flatten());
                }
                target.each(emit).map_err(with_span)
            }),
            Term::Alternative(left, right) => {
                let mut found = false;
                let last = self.then(left, env, input.clone(), emit, |it, _| {
                    let is_true = it.value().is_true();
                    found |= is_true;
                    Ok(Some(it).filter(|_| is_true))
                })?;
                match found {
                    true => Ok(last),
                    false => self.run(right, env, input, emit),
                }
            }
            Term::Try(body, handler) => {
                let caught = self.caught(|emit| self.run(body, env, input, emit), emit)?;
                match (caught, handler) {
                    (Ok(last), _) => Ok(last),
                    (Err(value), Some(handler)) => self.run(handler, env, T::new(value), emit),
                    _ => Ok(None),
                }
            }
            Term::Reduce(source, binding, init, update) => {
                self.then(init, env, input.clone(), emit, |init, _| {
                    let state = self.reduce(source, binding, update, env, input.value(), init)?;
                    Ok(Some(state))
                })
            }
            Term::Foreach(source, binding, init, update, extract) => {
                self.then(init, env, input.clone(), emit, |mut state, emit| {
                    let mut update = |env: &Env<'p>, emit: Emit<'_, T>| {
                        let from = std::mem::replace(&mut state, T::new(Value::Null));
                        self.then(update, env, from, emit, |value, emit| {
                            state = value.clone();
                            match extract {
                                Some(extract) => self.run(extract, env, value, emit),
                                None => Ok(Some(value)),
                            }
                        })
                    };
                    self.then(source, env, value(), emit, |item, emit| {
                        let last = self.bind(binding, env, item, &mut |env| {
                            let last = update(env, emit)?;
                            last.map_or(Ok(()), &mut *emit)
                        })?;
                        last.map_or(Ok(None), |env| update(&env, emit))
                    })
                })
            }
            Term::Label(body) => {
                let label = self.new_label();
                let env = env.with(Bound::Label(label));
                match self.run(body, &env, input, emit) {
                    Err(Exception::Break(broken)) if broken == label => Ok(None),
                    result => result,
                }
            }
            Term::Special(special, arguments) => self
                .special(*special, arguments, env, input, emit)
                .map_err(with_span),
            _ => input.computed(|input, emit| self.compute(node, env, input, emit), emit),
        }
    }

    /// Emits the results of expressions that compute values.
    fn compute(&self, node: &'p Node, env: &Env<'p>, input: Value, emit: Emit<'_>) -> Last {
        let with_span = |exception: Exception| exception.at(node.span);
        let value = || input.clone();
        match &node.term {
            Term::String(format, parts) => self.interpolate(*format, parts, env, &input, "", emit),
            Term::Object(members) => self.object(members, env, &input, Vec::new(), emit),
            Term::Negate(operand) => self.then(operand, env, input, emit, |value, _| {
                ops::negate(value).map(Some).map_err(with_span)
            }),
            Term::Binary(operator, left, right) => {
                self.then(right, env, value(), emit, |right, emit| {
                    self.then(left, env, value(), emit, |left, _| {
                        let result = ops::binary(*operator, left, right.clone());
                        result.map(Some).map_err(with_span)
                    })
                })
            }
            Term::And(left, right) | Term::Or(left, right) => {
                let decisive = matches!(node.term, Term::Or(..));
                self.then(left, env, value(), emit, |left, emit| {
                    if left.is_true() == decisive {
                        return Ok(Some(Value::Bool(decisive)));
                    }
                    self.then(right, env, value(), emit, |right, _| {
                        Ok(Some(right.is_true().into()))
                    })
                })
            }
            Term::Assign(assignment, path, assigned) => {
                self.then(assigned, env, value(), emit, |assigned, _| {
                    let result = self.assign(*assignment, path, env, value(), &assigned);
                    result.map(Some).map_err(with_span)
                })
            }
            Term::Break(distance) => Err(Exception::Break(env.label(*distance))),
            Term::Native(native, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                self.each_combination(arguments, env, &input, &mut values, emit, &mut |values| {
                    (native.call)(value(), values).map_err(with_span)
                })
            }
            _ => self.one(node, env, input).map(Some),
        }
    }

    fn object(
        &self,
        members: &'p [(Node, Node)],
        env: &Env<'p>,
        input: &Value,
        built: Vec<(Rc<str>, Value)>,
        emit: Emit<'_>,
    ) -> Last {
        let Some(((key, value), rest)) = members.split_first() else {
            return Ok(Some(Value::object(built)));
        };
        self.then(key, env, input.clone(), emit, |key_value, emit| {
            let name = object_key(&key_value).map_err(|exception| exception.at(key.span))?;
            let with = |value, emit: Emit<'_>| {
                let mut built = built.clone();
                built.push((name.clone(), value));
                self.object(rest, env, input, built, emit)
            };
            match value.term {
                Term::SameKey => with(index(input, &key_value)?, emit),
                _ => self.then(value, env, input.clone(), emit, with),
            }
        })
    }

    /// Emits a string for each combination of results of the interpolated expressions. As in jq, the last expression varies slowest.
    fn interpolate(
        &self,
        format: natives::Format,
        parts: &'p [StringPart],
        env: &Env<'p>,
        input: &Value,
        end: &str,
        emit: Emit<'_>,
    ) -> Last {
        let Some((part, rest)) = parts.split_last() else {
            return Ok(Some(end.into()));
        };
        match part {
            StringPart::Text(text) => {
                ops::check_length([&**text, end])?;
                self.interpolate(format, rest, env, input, &[&**text, end].concat(), emit)
            }
            StringPart::Interpolated(node) => {
                self.then(node, env, input.clone(), emit, |value, emit| {
                    let text = natives::format(format, &value)
                        .map_err(|exception| exception.at(node.span))?;
                    ops::check_length([&*text, end])
                        .map_err(|exception| exception.at(node.span))?;
                    self.interpolate(format, rest, env, input, &(text + end), emit)
                })
            }
        }
    }

    /// Passes each result of a bound of a slice to a function; `null` if there is no bound.
    fn bound<T>(
        &self,
        node: Option<&'p Node>,
        env: &Env<'p>,
        input: Value,
        emit: Emit<'_, T>,
        mut each: impl FnMut(Value, Emit<'_, T>) -> Last<T>,
    ) -> Last<T> {
        match node {
            Some(node) => self.then(node, env, input, emit, each),
            None => each(Value::Null, emit),
        }
    }

    /// Emits the result of a function for each combination of arguments; the last one varies slowest. `values` are the results of
    /// the arguments after these, in reverse order.
    fn each_combination(
        &self,
        arguments: &'p [Node],
        env: &Env<'p>,
        input: &Value,
        values: &mut Vec<Value>,
        emit: Emit<'_>,
        call: &mut dyn FnMut(&[Value]) -> Result<Value>,
    ) -> Last {
        let Some((last, others)) = arguments.split_last() else {
            let in_order: Vec<Value> = values.iter().rev().cloned().collect();
            return call(&in_order).map(Some);
        };
        self.then(last, env, input.clone(), emit, |value, emit| {
            values.push(value);
            let result = self.each_combination(others, env, input, values, emit, call);
            values.pop();
            result
        })
    }
}

/// The result of a step such as `.a`; none for an error if it is optional.
fn step<T>(node: &Node, result: Result<T>) -> Last<T> {
    match result {
        Err(Exception::Error(error)) if node.is_optional && !error.is_too_deep => Ok(None),
        result => result
            .map(Some)
            .map_err(|exception| exception.at(node.span)),
    }
}

/// Emits a value and everything reachable from it by steps, in the order of a recursive definition.
pub(crate) fn recurse<T: Tracked>(
    value: T,
    next: &mut dyn FnMut(&T, Emit<'_, T>) -> Option<Result>,
    emit: Emit<'_, T>,
) -> Last<T> {
    // A loop if each step yields at most one value, as in `recurse(if . < 9 then . + 1 else empty end)`.
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        let start = pending.len();
        emit(value.clone())?;
        if let Some(result) = next(&value, &mut |child| {
            pending.push(child);
            Ok(())
        }) {
            result?;
        }
        pending[start..].reverse();
    }
    Ok(None)
}
