//! Evaluates expressions with any number of results.

use std::rc::Rc;

use crate::env::{Bound, Env};
use crate::error::{Exception, Result};
use crate::machine::{Machine, object_key};
use crate::natives;
use crate::ops;
use crate::term::{Node, StringPart, Term};
use crate::tracked::{Emit, Tracked};
use crate::value::Value;

impl<'p> Machine<'p> {
    /// Emits the results of expressions that may have several, except calls.
    pub(crate) fn run_branching<T: Tracked>(
        &self,
        node: &'p Node,
        env: &Env<'p>,
        input: T,
        emit: Emit<'_, T>,
    ) -> Result {
        let with_span = |exception: Exception| exception.at(node.span);
        match &node.term {
            Term::Recurse => recurse(input, &mut |value, visit| value.children(visit), emit),
            Term::Index(target, key) => self.run(key, env, input.value().clone(), &mut |key| {
                self.run(target, env, input.clone(), &mut |target| {
                    step(node, target.index(&key), emit)
                })
            }),
            Term::Slice(target, from, to) => self.bounds(
                from.as_deref(),
                to.as_deref(),
                env,
                input.value(),
                &mut |from, to| {
                    self.run(target, env, input.clone(), &mut |target| {
                        step(node, target.slice(from, to), emit)
                    })
                },
            ),
            Term::Iterate(target) => self.run(target, env, input, &mut |target| {
                if node.is_optional {
                    return self.caught(|emit| target.each(emit), emit).map(drop);
                }
                target.each(emit).map_err(with_span)
            }),
            Term::Alternative(left, right) => {
                let mut found = false;
                self.run(left, env, input.clone(), &mut |it| {
                    if it.value().is_true() {
                        found = true;
                        emit(it)
                    } else {
                        Ok(())
                    }
                })?;
                if found {
                    Ok(())
                } else {
                    self.run(right, env, input, emit)
                }
            }
            Term::Try(body, handler) => {
                let caught = self.caught(|emit| self.run(body, env, input, emit), emit)?;
                match (caught, handler) {
                    (Some(value), Some(handler)) => self.run(handler, env, T::new(value), emit),
                    _ => Ok(()),
                }
            }
            Term::Reduce(source, binding, init, update) => {
                self.run(init, env, input.clone(), &mut |init| {
                    emit(self.reduce(source, binding, update, env, input.value(), init)?)
                })
            }
            Term::Foreach(source, binding, init, update, extract) => {
                self.run(init, env, input.clone(), &mut |init| {
                    let mut state = init;
                    self.run(source, env, input.value().clone(), &mut |item| {
                        self.bind(binding, env, item, &mut |env| {
                            let from = std::mem::replace(&mut state, T::new(Value::Null));
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
            Term::Special(special, arguments) => self
                .special(*special, arguments, env, input, emit)
                .map_err(with_span),
            _ => input.computed(|input, emit| self.compute(node, env, input, emit), emit),
        }
    }

    /// Emits the results of expressions that compute values.
    fn compute(&self, node: &'p Node, env: &Env<'p>, input: Value, emit: Emit<'_>) -> Result {
        let with_span = |exception: Exception| exception.at(node.span);
        match &node.term {
            Term::String(format, parts) => self.interpolate(*format, parts, env, &input, "", emit),
            Term::Object(members) => self.object(members, env, &input, Vec::new(), emit),
            Term::Negate(operand) => self.run(operand, env, input, &mut |value| {
                emit(ops::negate(value).map_err(with_span)?)
            }),
            Term::Binary(operator, left, right) => {
                self.run(right, env, input.clone(), &mut |right| {
                    self.run(left, env, input.clone(), &mut |left| {
                        emit(ops::binary(*operator, left, right.clone()).map_err(with_span)?)
                    })
                })
            }
            Term::And(left, right) => self.run(left, env, input.clone(), &mut |value| {
                if !value.is_true() {
                    emit(Value::Bool(false))
                } else {
                    self.run(right, env, input.clone(), &mut |value| {
                        emit(value.is_true().into())
                    })
                }
            }),
            Term::Or(left, right) => self.run(left, env, input.clone(), &mut |value| {
                if value.is_true() {
                    emit(Value::Bool(true))
                } else {
                    self.run(right, env, input.clone(), &mut |value| {
                        emit(value.is_true().into())
                    })
                }
            }),
            Term::Assign(assignment, path, value) => {
                self.run(value, env, input.clone(), &mut |value| {
                    let assigned = self.assign(*assignment, path, env, input.clone(), &value);
                    emit(assigned.map_err(with_span)?)
                })
            }
            Term::Break(distance) => Err(Exception::Break(env.label(*distance))),
            Term::Native(native, arguments) => {
                self.each_combination(arguments, env, &input, &mut Vec::new(), &mut |values| {
                    emit((native.call)(input.clone(), values).map_err(with_span)?)
                })
            }
            _ => emit(self.one(node, env, input)?),
        }
    }

    pub(crate) fn object(
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

    /// Emits a string for each combination of results of the interpolated expressions. As in jq, the last expression varies slowest.
    pub(crate) fn interpolate(
        &self,
        format: natives::Format,
        parts: &'p [StringPart],
        env: &Env<'p>,
        input: &Value,
        end: &str,
        emit: Emit<'_>,
    ) -> Result {
        let Some((part, rest)) = parts.split_last() else {
            return emit(end.into());
        };
        match part {
            StringPart::Text(text) => {
                self.interpolate(format, rest, env, input, &[&**text, end].concat(), emit)
            }
            StringPart::Interpolated(node) => self.run(node, env, input.clone(), &mut |value| {
                let text =
                    natives::format(format, &value).map_err(|exception| exception.at(node.span))?;
                self.interpolate(format, rest, env, input, &(text + end), emit)
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
        each(from, &mut |from| each(to, &mut |to| body(&from, &to)))
    }

    /// Calls a function with each combination of arguments; the last one varies slowest.
    pub(crate) fn each_combination(
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

/// Emits the result of a step such as `.a`, or ignores its error if it is optional.
fn step<T>(node: &Node, result: Result<T>, emit: Emit<'_, T>) -> Result {
    match result {
        Err(Exception::Error(error)) if node.is_optional && !error.is_too_deep => Ok(()),
        result => emit(result.map_err(|exception| exception.at(node.span))?),
    }
}

/// Emits a value and everything reachable from it by steps, in the order of a recursive definition.
pub(crate) fn recurse<T: Tracked>(
    value: T,
    next: &mut dyn FnMut(&T, Emit<'_, T>) -> Option<Result>,
    emit: Emit<'_, T>,
) -> Result {
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
    Ok(())
}
