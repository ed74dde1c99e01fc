//! Path expressions: `path(f)`, and the left side of assignments.

use std::rc::Rc;

use crate::access::{get_path, index, slice, slice_key};
use crate::env::Env;
use crate::error::{Result, error, shortened};
use crate::iterate::cannot_iterate;
use crate::machine::Machine;
use crate::term::Node;
use crate::tracked::{Emit, Last, Tracked, but_last};
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

/// A value with its path; `None` if it is not part of the input.
type At = (Option<Path>, Value);

impl<'p> Machine<'p> {
    /// Emits the paths of the results of an expression.
    pub(crate) fn paths(
        &self,
        node: &'p Node,
        env: &Env<'p>,
        input: Value,
        emit: &mut dyn FnMut(Path) -> Result,
    ) -> Result<Option<Path>> {
        let path_of = |(path, value): At| {
            path.ok_or_else(|| invalid(&format!("with result {}", shortened(&value))).at(node.span))
        };
        let root = (Some(Path::default()), input);
        let last = self.run(node, env, root, &mut |at| emit(path_of(at)?))?;
        last.map(path_of).transpose()
    }
}

fn invalid(what: &str) -> crate::Exception {
    error(format!("Invalid path expression {what}"))
}

impl Tracked for At {
    const IS_VALUE: bool = false;

    fn new(value: Value) -> At {
        (None, value)
    }

    fn value(&self) -> &Value {
        &self.1
    }

    fn into_value(self) -> Value {
        self.1
    }

    fn index(self, key: &Value) -> Result<At> {
        child(self, key, |target| index(target, key))
    }

    fn slice(self, from: &Value, to: &Value) -> Result<At> {
        child(self, &slice_key(from, to), |target| slice(target, from, to))
    }

    fn get_path(self, keys: Vec<Value>) -> Result<At> {
        let (Some(start), value) = self else {
            let value = shortened(&self.1);
            return Err(invalid(&format!(
                "near attempt to access element of {value}"
            )));
        };
        let value = get_path(&value, &keys)?;
        let path = keys.into_iter().fold(start, |path, key| path.with(key));
        Ok((Some(path), value))
    }

    fn each(&self, emit: Emit<'_, At>) -> Last<At> {
        if self.0.is_none() {
            let value = shortened(&self.1);
            return Err(invalid(&format!("near attempt to iterate through {value}")));
        }
        but_last(emit, |emit| {
            let children = self.children(emit);
            children.unwrap_or_else(|| Err(cannot_iterate(&self.1)))
        })
    }

    fn children(&self, emit: Emit<'_, At>) -> Option<Result> {
        let (path, value) = self;
        let path = path.clone().unwrap_or_default();
        let mut keys = value.keys_in_order()?.into_iter();
        value.each(|child| match keys.next() {
            Some(key) => emit((Some(path.with(key)), child)),
            None => Ok(()),
        })
    }

    fn computed(
        self,
        compute: impl FnOnce(Value, Emit<'_>) -> Last,
        emit: Emit<'_, At>,
    ) -> Last<At> {
        let (path, input) = self;
        let at = |value| {
            let path = path.clone().filter(|_| is_identical(&value, &input));
            (path, value)
        };
        let last = compute(input.clone(), &mut |value| emit(at(value)))?;
        Ok(last.map(at))
    }
}

/// A child, by a key or slice.
fn child(
    (path, target): At,
    key: &Value,
    child: impl FnOnce(&Value) -> Result<Value>,
) -> Result<At> {
    let Some(path) = path else {
        let (key, target) = (shortened(key), shortened(&target));
        return Err(invalid(&format!(
            "near attempt to access element {key} of {target}"
        )));
    };
    let child = child(&target)?;
    Ok((Some(path.with(key.clone())), child))
}
