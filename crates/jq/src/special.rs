//! Runs the functions of `specials.rs`.

use crate::branching::recurse;
use crate::env::Env;
use crate::error::{Exception, Halt, Result, described, error, raise};
use crate::iterate::each;
use crate::library;
use crate::machine::Machine;
use crate::natives::{By, Sum, by_keys, needs_array};
use crate::parse;
use crate::specials::Special;
use crate::term::Node;
use crate::tracked::{Emit, Tracked};
use crate::value::Value;

/// The number of results that `limit` or `skip` counts.
fn counted(function: &str, count: &Value) -> Result<f64> {
    match count.as_f64() {
        Some(count) if count < 0.0 => {
            Err(error(format!("{function} doesn't support negative count")))
        }
        Some(count) => Ok(count),
        None => Err(error(format!(
            "{function} needs a number, not {}",
            described(count)
        ))),
    }
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
    ) -> Result {
        match (special, arguments) {
            (Special::GetPath, [path]) => {
                self.run(
                    path,
                    env,
                    input.value().clone(),
                    &mut |path| match path.items() {
                        Some(path) => emit(input.clone().get_path(path)?),
                        None => Err(error("Path must be specified as an array")),
                    },
                )
            }
            (Special::Recurse, [next]) => recurse(
                input,
                &mut |value, visit| Some(self.run(next, env, value.clone(), visit)),
                emit,
            ),
            (Special::First, [body]) => first(self, 1.0, body, env, input, emit),
            (Special::Limit, [count, body]) => {
                self.run(count, env, input.value().clone(), &mut |count| {
                    let count = counted("limit", &count)?;
                    first(self, count, body, env, input.clone(), emit)
                })
            }
            (Special::Skip, [count, body]) => {
                self.run(count, env, input.value().clone(), &mut |count| {
                    let mut left = counted("skip", &count)?;
                    self.run(body, env, input.clone(), &mut |value| {
                        left -= 1.0;
                        if left < 0.0 { emit(value) } else { Ok(()) }
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
    ) -> Result {
        match (special, arguments) {
            (Special::Empty, _) => Ok(()),
            (Special::Error, []) => Err(raise(input.clone()).of(&input)),
            (Special::Error, [message]) => self.run(message, env, input.clone(), &mut |message| {
                Err(raise(message))
            }),
            (Special::Path, [path]) => self.paths(path, env, input, &mut |path| {
                emit(Value::array(path.to_vec()))
            }),
            (Special::IsEmpty, [body]) => {
                let mut is_empty = true;
                first(self, 1.0, body, env, input, &mut |_| {
                    is_empty = false;
                    Ok(())
                })?;
                emit(is_empty.into())
            }
            (Special::Range, bounds) => {
                let (zero, one) = (Value::Number(0.0), Value::Number(1.0));
                let bounds: Vec<(bool, &Node)> = bounds.iter().map(|bound| (true, bound)).collect();
                self.call_with_each(&bounds, env, Env::default(), &input, &mut |values| {
                    let value = |distance| values.value(distance);
                    match bounds.len() {
                        1 => range(self, &zero, &value(0), &one, emit),
                        2 => range(self, &value(1), &value(0), &one, emit),
                        _ => range(self, &value(2), &value(1), &value(0), emit),
                    }
                })
            }
            (Special::By(by), [key]) => emit(by_key(self, by, key, env, input)?),
            (Special::Add, [body]) => {
                let mut sum = Sum::default();
                self.run(body, env, input, &mut |value| sum.add(value))?;
                emit(sum.result())
            }
            (Special::Input, _) => match self.host.input() {
                Some(value) => emit(value?),
                None => Err(error("No more inputs")),
            },
            (Special::Inputs, _) => {
                while let Some(value) = self.host.input() {
                    emit(value?)?;
                }
                Ok(())
            }
            (Special::InputFilename, _) => {
                emit(self.host.input_filename().map_or(Value::Null, Value::from))
            }
            (Special::InputLine, _) => emit(self.host.input_line().into()),
            (Special::Debug, _) => {
                self.host.message(&format!(
                    "{}\n",
                    Value::array(vec!["DEBUG:".into(), input.clone()])
                ));
                emit(input)
            }
            (Special::Stderr, _) => {
                match input.as_str() {
                    Some(text) => self.host.message(&text),
                    None => self.host.message(&input.to_string()),
                }
                emit(input)
            }
            (Special::Halt, _) => Err(Exception::Halt(Box::new(Halt {
                code: 0,
                message: None,
            }))),
            (Special::HaltError, []) => halt(5.0, input),
            (Special::HaltError, [code]) => {
                self.run(code, env, input.clone(), &mut |code| match code.as_f64() {
                    Some(code) => halt(code, input.clone()),
                    None => Err(error("halt_error/1: number required")),
                })
            }
            (Special::Builtins, _) => {
                let names = library::all_names().filter(|(name, _)| !name.starts_with('_'));
                emit(Value::array(
                    names
                        .map(|(name, arity)| format!("{name}/{arity}").into())
                        .collect(),
                ))
            }
            (Special::SearchList, _) => {
                let folders = self.program.search.iter();
                let folders = folders.map(|path| path.to_string_lossy().into_owned().into());
                emit(Value::array(folders.collect()))
            }
            (Special::ModuleMeta, _) => match input.as_str() {
                Some(name) => match parse::meta(&name, &self.program.search) {
                    Some(meta) => emit(meta),
                    None => Err(error(format!("module not found: {name}"))),
                },
                None => Err(error("modulemeta input module name must be a string")),
            },
            _ => Ok(()),
        }
    }
}

fn halt(code: f64, message: Value) -> Result {
    let message = Some(message);
    Err(Exception::Halt(Box::new(Halt {
        code: code as i32,
        message,
    })))
}

/// The first results of an expression.
fn first<'p, T: Tracked>(
    machine: &Machine<'p>,
    count: f64,
    body: &'p Node,
    env: &Env<'p>,
    input: T,
    emit: Emit<'_, T>,
) -> Result {
    if count <= 0.0 {
        return Ok(());
    }
    let label = machine.new_label();
    let mut left = count;
    let result = machine.run(body, env, input, &mut |value| {
        left -= 1.0;
        emit(value)?;
        if left > 0.0 {
            Ok(())
        } else {
            Err(Exception::Break(label))
        }
    });
    match result {
        Err(Exception::Break(broken)) if broken == label => Ok(()),
        result => result,
    }
}

fn range(machine: &Machine<'_>, from: &Value, to: &Value, by: &Value, emit: Emit<'_>) -> Result {
    let (Some(mut at), Some(to), Some(by)) = (from.as_f64(), to.as_f64(), by.as_f64()) else {
        return Err(error("Range bounds must be numeric"));
    };
    while if by < 0.0 { at > to } else { at < to } {
        machine.check()?;
        emit(Value::Number(at))?;
        at += by;
    }
    Ok(())
}

/// Sorts, groups or selects elements by the results of an expression.
fn by_key<'p>(
    machine: &Machine<'p>,
    by: By,
    key: &'p Node,
    env: &Env<'p>,
    input: Value,
) -> Result<Value> {
    if let Some(error) = needs_array(by, &input) {
        return Err(error);
    }
    let mut keyed = Vec::with_capacity(input.children());
    each(&input, &mut |item| {
        let mut keys = Vec::new();
        machine.run(key, env, item.clone(), &mut |key| {
            keys.push(key);
            Ok(())
        })?;
        keyed.push((Value::array(keys), item));
        Ok(())
    })?;
    by_keys(by, keyed)
}
