//! Assignments: all paths are found first, then each is changed in place.

use crate::access::{delete_paths, get_path, set_path};
use crate::env::Env;
use crate::error::{Exception, Result};
use crate::machine::Machine;
use crate::ops;
use crate::term::{Assignment, Node, Term};
use crate::value::{Value, order};

/// The paths that an expression yields.
fn paths<'p>(
    machine: &Machine<'p>,
    path: &'p Node,
    env: &Env<'p>,
    input: &Value,
) -> Result<Vec<Vec<Value>>> {
    if let Some(path) = simple_path(machine, path, env, input)? {
        return Ok(vec![path]);
    }
    let mut all = Vec::new();
    let last = machine.paths(path, env, input.clone(), &mut |path| {
        all.push(path.to_vec());
        Ok(())
    })?;
    all.extend(last.map(|path| path.to_vec()));
    Ok(all)
}

/// The path of `.a[$i].b`, without tracking it.
fn simple_path<'p>(
    machine: &Machine<'p>,
    node: &'p Node,
    env: &Env<'p>,
    input: &Value,
) -> Result<Option<Vec<Value>>> {
    match &node.term {
        Term::Identity => Ok(Some(Vec::new())),
        Term::Index(target, key) if node.single.get() => {
            let Some(mut path) = simple_path(machine, target, env, input)? else {
                return Ok(None);
            };
            path.push(machine.one(key, env, input.clone())?);
            Ok(Some(path))
        }
        _ => Ok(None),
    }
}

impl<'p> Machine<'p> {
    /// `path = value`, `path op= value`, `path //= value`
    pub(crate) fn assign(
        &self,
        assignment: Assignment,
        path: &'p Node,
        env: &Env<'p>,
        mut input: Value,
        value: &Value,
    ) -> Result<Value> {
        for path in paths(self, path, env, &input)? {
            input = set_path(input, &path, &mut |old| match assignment {
                Assignment::With(operator) => ops::binary(operator, old, value.clone()),
                Assignment::Alternative if old.is_true() => Ok(old),
                _ => Ok(value.clone()),
            })?;
        }
        Ok(input)
    }

    /// `path |= update`: the first result counts; a value without one is deleted.
    pub(crate) fn update(
        &self,
        path: &'p Node,
        update: &'p Node,
        env: &Env<'p>,
        mut input: Value,
    ) -> Result<Value> {
        let first = |old: Value| -> Result<Option<Value>> {
            let mut new = None;
            let label = self.new_label();
            let result = self.run(update, env, old, &mut |value| {
                new = Some(value);
                Err(Exception::Break(label))
            });
            match result {
                Err(Exception::Break(broken)) if broken == label => Ok(new),
                result => result,
            }
        };
        let is_single = self.is_single(update, env);
        let mut deleted: Vec<Vec<Value>> = Vec::new();
        for path in paths(self, path, env, &input)? {
            // A value below a deleted one is deleted with it.
            let is_below = |last: &Vec<Value>| {
                last.len() <= path.len() && last.iter().zip(&path).all(|(a, b)| order(a, b).is_eq())
            };
            if deleted.last().is_some_and(is_below) {
                continue;
            }
            let is_slice = matches!(path.last(), Some(Value::Object(_)));
            // Containers on the way are only created for a result, and a slice without one is not replaced.
            let copy = if is_single {
                None
            } else {
                Some(get_path(&input, &path)?).filter(|old| is_slice || old.is_null())
            };
            let mut is_deleted = false;
            if let Some(old) = copy {
                match first(old)? {
                    Some(new) => input = set_path(input, &path, &mut |_| Ok(new.clone()))?,
                    None => is_deleted = true,
                }
            } else {
                // The value moves through the update, so that it can be changed in place.
                input = set_path(input, &path, &mut |old| {
                    let new = first(old)?;
                    is_deleted = new.is_none();
                    Ok(new.unwrap_or_default())
                })?;
            }
            if is_deleted {
                deleted.push(path);
            }
        }
        if deleted.is_empty() {
            Ok(input)
        } else {
            let deleted = deleted.into_iter().map(Value::array).collect();
            delete_paths(input, &Value::array(deleted))
        }
    }
}
