//! Path expressions: `path(f)`, and the left side of assignments.

use std::rc::Rc;

use crate::access::{get_path, index, slice};
use crate::env::{Bound, Env};
use crate::error::{Exception, Result, error, shortened};
use crate::iterate::cannot_iterate;
use crate::machine::Machine;
use crate::special::{limit, skip};
use crate::specials::Special;
use crate::term::{Node, Term};
use crate::value::{Value, is_identical};

/// The keys and indices that lead to a value; paths share common prefixes.
#[derive(Clone, Default)]
pub(crate) struct Path(Option<Rc<Step>>);

struct Step {
    before: Path,
    key: Value,
}

impl Path {
    fn with(&self, key: Value) -> Path {
        let before = self.clone();
        Path(Some(Rc::new(Step { before, key })))
    }

    pub(crate) fn to_vec(&self) -> Vec<Value> {
        let mut keys = Vec::new();
        let mut path = self;
        while let Some(step) = &path.0 {
            keys.push(step.key.clone());
            path = &step.before;
        }
        keys.reverse();
        keys
    }
}

/// Iterative, because paths may be long.
impl Drop for Step {
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(step) = next {
            next = Rc::into_inner(step).and_then(|mut step| step.before.0.take());
        }
    }
}

/// Receives paths and their values.
pub(crate) type EmitPath<'e> = &'e mut dyn FnMut(&Path, Value) -> Result;

/// A value with its path; `None` if it is not part of the input.
type At = (Option<Path>, Value);

type EmitAt<'e> = &'e mut dyn FnMut(At) -> Result;

impl<'p> Machine<'p> {
    /// Emits the paths of the results of an expression.
    pub(crate) fn paths(
        &self,
        node: &'p Node,
        env: &Env<'p>,
        input: Value,
        emit: EmitPath<'_>,
    ) -> Result {
        let root = (Some(Path::default()), input);
        self.tracked(node, env, root, &mut |(path, value)| match path {
            Some(path) => emit(&path, value),
            None => {
                let message = format!("Invalid path expression with result {}", shortened(&value));
                Err(error(message).at(node.span))
            }
        })
    }

    fn tracked(&self, node: &'p Node, env: &Env<'p>, at: At, emit: EmitAt<'_>) -> Result {
        self.check()?;
        let here = |exception: Exception| exception.at(node.span);
        let input = &at.1;
        match &node.term {
            Term::Identity => emit(at),
            Term::Recurse => recurse(at, &mut |at, visit| children(at, visit), emit),
            Term::Index(target, key) => self.run(key, env, input.clone(), &mut |key| {
                self.tracked(target, env, at.clone(), &mut |target| {
                    emit(step(target, &key, |target| index(target, &key)).map_err(here)?)
                })
            }),
            Term::Slice(target, from, to) => self.bounds(
                from.as_deref(),
                to.as_deref(),
                env,
                input,
                &mut |from, to| {
                    self.tracked(target, env, at.clone(), &mut |target| {
                        let key = Value::object([
                            ("start".into(), from.clone()),
                            ("end".into(), to.clone()),
                        ]);
                        emit(step(target, &key, |target| slice(target, from, to)).map_err(here)?)
                    })
                },
            ),
            Term::Iterate(target) => self.tracked(target, env, at, &mut |target| {
                if target.0.is_none() {
                    let value = shortened(&target.1);
                    let message =
                        format!("Invalid path expression near attempt to iterate through {value}");
                    return Err(here(error(message)));
                }
                match children(&target, emit) {
                    Some(result) => result,
                    None => Err(here(cannot_iterate(&target.1))),
                }
            }),
            Term::Pipe(left, right) => {
                self.tracked(left, env, at, &mut |at| self.tracked(right, env, at, emit))
            }
            Term::Comma(left, right) => {
                self.tracked(left, env, at.clone(), emit)?;
                self.tracked(right, env, at, emit)
            }
            Term::If(condition, then, otherwise) => {
                self.run(condition, env, input.clone(), &mut |value| match (
                    value.is_true(),
                    otherwise,
                ) {
                    (true, _) => self.tracked(then, env, at.clone(), emit),
                    (false, Some(otherwise)) => self.tracked(otherwise, env, at.clone(), emit),
                    (false, None) => emit(at.clone()),
                })
            }
            Term::Alternative(left, right) => {
                let mut found = false;
                self.caught_paths(
                    |emit| {
                        self.tracked(left, env, at.clone(), &mut |at| match at.1.is_true() {
                            true => {
                                found = true;
                                emit(at)
                            }
                            false => Ok(()),
                        })
                    },
                    emit,
                )?;
                match found {
                    true => Ok(()),
                    false => self.tracked(right, env, at, emit),
                }
            }
            Term::Try(body, handler) => {
                let caught = self.caught_paths(|emit| self.tracked(body, env, at, emit), emit)?;
                match (caught, handler) {
                    (Some(value), Some(handler)) => self.tracked(handler, env, (None, value), emit),
                    _ => Ok(()),
                }
            }
            Term::Bind(source, binding, body) => {
                self.run(source, env, input.clone(), &mut |value| {
                    self.bind(binding, env, value, &mut |env| {
                        self.tracked(body, env, at.clone(), emit)
                    })
                })
            }
            Term::Reduce(source, binding, init, update) => {
                self.tracked(init, env, at.clone(), &mut |init| {
                    let mut state = Some(init);
                    self.run(source, env, input.clone(), &mut |item| {
                        self.bind(binding, env, item, &mut |env| match state.take() {
                            Some(from) => self.tracked(update, env, from, &mut |at| {
                                state = Some(at);
                                Ok(())
                            }),
                            None => Ok(()),
                        })
                    })?;
                    state.take().map_or(Ok(()), &mut *emit)
                })
            }
            Term::Foreach(source, binding, init, update, extract) => {
                self.tracked(init, env, at.clone(), &mut |init| {
                    let mut state = init;
                    self.run(source, env, input.clone(), &mut |item| {
                        self.bind(binding, env, item, &mut |env| {
                            let from = state.clone();
                            self.tracked(update, env, from, &mut |at| {
                                state = at.clone();
                                match extract {
                                    Some(extract) => self.tracked(extract, env, at, emit),
                                    None => emit(at),
                                }
                            })
                        })
                    })
                })
            }
            Term::Label(body) => {
                let label = self.new_label();
                let env = env.with(Bound::Label(label));
                match self.tracked(body, &env, at, emit) {
                    Err(Exception::Break(broken)) if broken == label => Ok(()),
                    result => result,
                }
            }
            Term::Closure(distance) => match env.closure(*distance) {
                Some((closure, env)) => self.tracked(closure, env, at, emit),
                None => Ok(()),
            },
            Term::Call(id, skip, arguments) => {
                let Some(function) = self.program.function(*id) else {
                    return Ok(());
                };
                let arguments: Vec<_> =
                    function.parameters.iter().copied().zip(arguments).collect();
                let inner = env.skip(*skip);
                self.call_with_each(&arguments, env, inner, input, &mut |inner| {
                    self.tracked(&function.body, inner, at.clone(), emit)
                })
                .map_err(here)
            }
            Term::Special(special, arguments) => match (special, &arguments[..]) {
                (Special::GetPath, [path]) => self.run(path, env, input.clone(), &mut |path| {
                    let keys = path
                        .items()
                        .ok_or_else(|| here(error("Path must be specified as an array")))?;
                    let (Some(start), value) = &at else {
                        return Err(here(error(format!(
                            "Invalid path expression near attempt to access element of {}",
                            shortened(input)
                        ))));
                    };
                    let value = get_path(value, &keys).map_err(here)?;
                    let path = keys
                        .into_iter()
                        .fold(start.clone(), |path, key| path.with(key));
                    emit((Some(path), value))
                }),
                (Special::Recurse, [next]) => recurse(
                    at,
                    &mut |at, visit| Some(self.tracked(next, env, at.clone(), visit)),
                    emit,
                ),
                (Special::First, [body]) => self.first(1.0, env, body, at, emit),
                (Special::Limit, [count, body]) => {
                    self.run(count, env, input.clone(), &mut |count| {
                        self.first(limit(&count).map_err(here)?, env, body, at.clone(), emit)
                    })
                }
                (Special::Skip, [count, body]) => {
                    self.run(count, env, input.clone(), &mut |count| {
                        let mut left = skip(&count).map_err(here)?;
                        self.tracked(body, env, at.clone(), &mut |at| {
                            left -= 1.0;
                            match left < 0.0 {
                                true => emit(at),
                                false => Ok(()),
                            }
                        })
                    })
                }
                _ => self.untracked(node, env, at, emit),
            },
            _ => self.untracked(node, env, at, emit),
        }
    }

    /// Results without a path, except the input itself.
    fn untracked(
        &self,
        node: &'p Node,
        env: &Env<'p>,
        (path, input): At,
        emit: EmitAt<'_>,
    ) -> Result {
        self.run(node, env, input.clone(), &mut |value| {
            let path = path.clone().filter(|_| is_identical(&value, &input));
            emit((path, value))
        })
    }

    /// The first paths of an expression.
    fn first(&self, count: f64, env: &Env<'p>, body: &'p Node, at: At, emit: EmitAt<'_>) -> Result {
        if count <= 0.0 {
            return Ok(());
        }
        let label = self.new_label();
        let mut left = count;
        let result = self.tracked(body, env, at, &mut |at| {
            left -= 1.0;
            emit(at)?;
            match left > 0.0 {
                true => Ok(()),
                false => Err(Exception::Break(label)),
            }
        });
        match result {
            Err(Exception::Break(broken)) if broken == label => Ok(()),
            result => result,
        }
    }

    /// Like [`caught`](Machine::caught), for values with paths.
    fn caught_paths(
        &self,
        body: impl FnOnce(EmitAt<'_>) -> Result,
        emit: EmitAt<'_>,
    ) -> Result<Option<Value>> {
        let mut later = None;
        let result = body(&mut |at| {
            emit(at).map_err(|exception| {
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
}

/// A child, by a key or slice.
fn step(
    (path, target): At,
    key: &Value,
    child: impl FnOnce(&Value) -> Result<Value>,
) -> Result<At> {
    let Some(path) = path else {
        let (key, target) = (shortened(key), shortened(&target));
        let message =
            format!("Invalid path expression near attempt to access element {key} of {target}");
        return Err(error(message));
    };
    let child = child(&target)?;
    Ok((Some(path.with(key.clone())), child))
}

/// Emits the children of a container; `None` if it is not a container.
fn children((path, value): &At, emit: EmitAt<'_>) -> Option<Result> {
    let path = path.clone().unwrap_or_default();
    let keys = value.keys_in_order()?;
    let mut keys = keys.into_iter();
    value.each(|child| match keys.next() {
        Some(key) => emit((Some(path.with(key)), child)),
        None => Ok(()),
    })
}

/// Emits a value and everything reachable from it by steps.
fn recurse(
    at: At,
    next: &mut dyn FnMut(&At, EmitAt<'_>) -> Option<Result>,
    emit: EmitAt<'_>,
) -> Result {
    let mut pending = vec![at];
    while let Some(at) = pending.pop() {
        let start = pending.len();
        emit(at.clone())?;
        if let Some(result) = next(&at, &mut |child| {
            pending.push(child);
            Ok(())
        }) {
            result?;
        }
        pending[start..].reverse();
    }
    Ok(())
}
