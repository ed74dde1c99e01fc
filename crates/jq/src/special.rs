//! Runs the functions of `specials.rs`.

use crate::branching::recurse;
use crate::env::Env;
use crate::error::{Exception, Halt, Result, error, raise};
use crate::iterate::each;
use crate::library;
use crate::machine::Machine;
use crate::natives::{By, by_keys, not_arrays};
use crate::ops::{Operator, binary};
use crate::parse;
use crate::paths::Path;
use crate::specials::Special;
use crate::term::{Node, Parameter};
use crate::tracked::{Emit, Last, Tracked};
use crate::value::{Type, Value, order};

/// The number of results that `limit` or `skip` counts. `None` if it is greater than zero, but not a number: an error once there is
/// a result to count.
fn counted(function: &str, count: &Value) -> Result<Option<f64>> {
    if order(count, &Value::Number(0.0)).is_lt() {
        let message = format!("{function} doesn't support negative count");
        return Err(error(message));
    }
    Ok(count.as_f64())
}

/// The count after a result.
fn decreased(count: Value) -> Result<Value> {
    binary(Operator::Subtract, count, Value::Number(1.0))
}

impl<'p> Machine<'p> {
    /// Emits the results of a special function.
    pub(crate) fn special<T: Tracked>(
        &self,
        special: Special,
        arguments: &'p [Node],
        env: &Env<'p>,
        input: T,
        emit: Emit<'_, T>,
    ) -> Last<T> {
        let value = || input.value().clone();
        match (special, arguments) {
            (Special::GetPath, [path]) => {
                self.then(path, env, value(), emit, |path, _| match path.items() {
                    Some(path) => input.clone().get_path(path).map(Some),
                    None => Err(error("Path must be specified as an array")),
                })
            }
            (Special::Recurse, [next]) => recurse(
                input,
                &mut |value, visit| Some(self.each(next, env, value.clone(), visit)),
                emit,
            ),
            (Special::First, [body]) => first(self, 1.0, body, env, input, emit),
            (Special::Limit, [count, body]) => {
                self.then(count, env, value(), emit, |count, emit| {
                    match counted("limit", &count)? {
                        Some(count) => first(self, count, body, env, input.clone(), emit),
                        None => self.then(body, env, input.clone(), emit, |_, _| {
                            decreased(count.clone()).map(|_| None)
                        }),
                    }
                })
            }
            (Special::Skip, [count, body]) => {
                self.then(count, env, value(), emit, |count, emit| {
                    let mut left = counted("skip", &count)?;
                    self.then(body, env, input.clone(), emit, |value, _| match &mut left {
                        Some(left) => {
                            *left -= 1.0;
                            Ok(Some(value).filter(|_| *left < 0.0))
                        }
                        None => decreased(count.clone()).map(|_| None),
                    })
                })
            }
            _ => input.computed(
                |input, emit| self.compute_special(special, arguments, env, input, emit),
                emit,
            ),
        }
    }

    /// Emits the results of a special function that computes values.
    fn compute_special(
        &self,
        special: Special,
        arguments: &'p [Node],
        env: &Env<'p>,
        input: Value,
        emit: Emit<'_>,
    ) -> Last {
        let result = match (special, arguments) {
            (Special::Empty, _) => return Ok(None),
            (Special::Error, []) => return Err(raise(input.clone()).of(&input)),
            (Special::Error, [message]) => {
                return self.then(message, env, input, emit, |message, _| Err(raise(message)));
            }
            (Special::Path, [path]) => {
                let mut each = |path: Path| emit(Value::array(path.to_vec()));
                let last = self.paths(path, env, input, &mut each)?;
                return Ok(last.map(|path| Value::array(path.to_vec())));
            }
            (Special::IsEmpty, [body]) => {
                let first = first(self, 1.0, body, env, input, &mut |_| Ok(()))?;
                first.is_none().into()
            }
            (Special::Range, bounds) => return self.ranges(bounds, env, &input, emit),
            (Special::By(by), [key]) => by_key(self, by, key, env, input)?,
            (Special::Add, [body]) => {
                // Each sum is changed in place for the next one.
                let mut sum = None;
                self.each(body, env, input, &mut |value| {
                    sum = Some(match sum.take() {
                        Some(sum) => binary(Operator::Add, sum, value)?,
                        None => value,
                    });
                    Ok(())
                })?;
                sum.unwrap_or_default()
            }
            (Special::Input, _) => match self.host.input() {
                Some(value) => value?,
                None => return Err(error("break")),
            },
            (Special::Inputs, _) => {
                // Each one is consumed before the next one is read.
                while let Some(value) = self.host.input() {
                    emit(value?)?;
                }
                return Ok(None);
            }
            (Special::InputFilename, _) => {
                self.host.input_filename().map_or(Value::Null, Value::from)
            }
            (Special::InputLine, _) => self.host.input_line().into(),
            (Special::Debug, _) => {
                self.host.message(&format!(
                    "{}\n",
                    Value::array(vec!["DEBUG:".into(), input.clone()])
                ));
                input
            }
            (Special::Stderr, _) => {
                match input.as_str() {
                    Some(text) => self.host.message(&text),
                    None => self.host.message(&input.to_string()),
                }
                input
            }
            (Special::Halt, _) => {
                return Err(Exception::Halt(Box::new(Halt {
                    code: 0,
                    message: None,
                })));
            }
            (Special::HaltError, []) => return Err(halt(5.0, input)),
            (Special::HaltError, [code]) => {
                return self.then(code, env, input.clone(), emit, |code, _| {
                    Err(match code.as_f64() {
                        Some(code) => halt(code, input.clone()),
                        None => error("halt_error/1: number required"),
                    })
                });
            }
            (Special::Builtins, _) => {
                let names = library::all_names().filter(|(name, _)| !name.starts_with('_'));
                Value::array(
                    names
                        .map(|(name, arity)| format!("{name}/{arity}").into())
                        .collect(),
                )
            }
            (Special::SearchList, _) => {
                let folders = self.program.settings.search.iter();
                let folders = folders.map(|path| path.to_string_lossy().into_owned().into());
                Value::array(folders.collect())
            }
            (Special::ModuleMeta, _) => match input.as_str() {
                Some(name) => match parse::meta(&name, &self.program.settings) {
                    Some(meta) => meta,
                    None => return Err(error(format!("module not found: {name}"))),
                },
                None => return Err(error("modulemeta input module name must be a string")),
            },
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    /// `range` with one to three arguments.
    fn ranges(&self, bounds: &'p [Node], env: &Env<'p>, input: &Value, emit: Emit<'_>) -> Last {
        let (zero, one) = (Value::Number(0.0), Value::Number(1.0));
        let parameters = &[Parameter::Value; 3][..bounds.len()];
        let outer = Env::default();
        let with = |values: &Env<'p>, emit: Emit<'_>| {
            let value = |distance| values.value(distance);
            match bounds.len() {
                1 => range(self, &zero, &value(0), &one, emit),
                2 => range(self, &value(1), &value(0), &one, emit),
                _ => {
                    let values = [value(2), value(1), value(0)];
                    let is_number = |value: &Value| value.as_f64().is_some_and(|it| !it.is_nan());
                    match values.iter().all(is_number) {
                        true => range(self, &values[0], &values[1], &values[2], emit),
                        false => range_of_any(self, values, emit),
                    }
                }
            }
        };
        let last = self.call_with_each(parameters, bounds, env, outer, input, &mut |values| {
            let last = with(values, emit)?;
            last.map_or(Ok(()), &mut *emit)
        })?;
        last.map_or(Ok(None), |values| with(&values, emit))
    }
}

fn halt(code: f64, message: Value) -> Exception {
    let message = Some(message);
    Exception::Halt(Box::new(Halt {
        code: code as i32,
        message,
    }))
}

/// The first results of an expression.
fn first<'p, T: Tracked>(
    machine: &Machine<'p>,
    count: f64,
    body: &'p Node,
    env: &Env<'p>,
    input: T,
    emit: Emit<'_, T>,
) -> Last<T> {
    if count <= 0.0 {
        return Ok(None);
    }
    let label = machine.new_label();
    let mut left = count;
    let mut last = None;
    let result = machine.run(body, env, input, &mut |value| {
        left -= 1.0;
        if left > 0.0 {
            return emit(value);
        }
        last = Some(value);
        Err(Exception::Break(label))
    });
    match result {
        Err(Exception::Break(broken)) if broken == label => Ok(last),
        result => result,
    }
}

fn range(machine: &Machine<'_>, from: &Value, to: &Value, by: &Value, emit: Emit<'_>) -> Last {
    let (Some(mut at), Some(to), Some(by)) = (from.as_f64(), to.as_f64(), by.as_f64()) else {
        return Err(error("Range bounds must be numeric"));
    };
    // The end may be `nan`, which is never reached.
    let is_within = |at: f64| match by > 0.0 {
        true => at < to || to.is_nan(),
        false => by < 0.0 && (at > to || to.is_nan()),
    };
    if !is_within(at) {
        return Ok(None);
    }
    while is_within(at + by) {
        machine.check()?;
        emit(Value::Number(at))?;
        at += by;
    }
    Ok(Some(Value::Number(at)))
}

/// `range` of values of any type, in their order.
fn range_of_any(machine: &Machine<'_>, [from, to, by]: [Value; 3], emit: Emit<'_>) -> Last {
    let direction = order(&by, &Value::Number(0.0));
    let mut at = from;
    while direction.is_ne() && order(&at, &to) == direction.reverse() {
        machine.check()?;
        emit(at.clone())?;
        at = binary(Operator::Add, at, by.clone())?;
    }
    Ok(None)
}

/// Sorts, groups or selects elements by the results of an expression.
fn by_key<'p>(
    machine: &Machine<'p>,
    by: By,
    key: &'p Node,
    env: &Env<'p>,
    input: Value,
) -> Result<Value> {
    let mut keyed = Vec::with_capacity(input.children());
    each(&input, &mut |item| {
        let mut keys = Vec::new();
        machine.each(key, env, item.clone(), &mut |key| {
            keys.push(key);
            Ok(())
        })?;
        keyed.push((Value::array(keys), item));
        Ok(())
    })?;
    match input.type_of() {
        Type::Array => by_keys(by, keyed),
        _ => Err(not_arrays(
            by,
            &input,
            &Value::array(keyed.into_iter().map(|(keys, _)| keys).collect()),
        )),
    }
}
