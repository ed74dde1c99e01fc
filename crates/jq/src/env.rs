//! Environments: the variables, closures and labels in scope, innermost first.

use std::rc::Rc;

use crate::term::Node;
use crate::value::Value;

/// A shared list of bindings. `V` is the type of variables.
#[derive(Clone)]
pub(crate) struct Env<'p, V = Value>(Option<Rc<Scope<'p, V>>>);

struct Scope<'p, V> {
    binding: Bound<'p, V>,
    outer: Env<'p, V>,
}

#[derive(Clone)]
pub(crate) enum Bound<'p, V = Value> {
    Value(V),
    Closure(&'p Node, Env<'p, V>),
    /// A value, and the expression that yielded it.
    Argument(V, &'p Node, Env<'p, V>),
    Label(usize),
}

impl<V> Default for Env<'_, V> {
    fn default() -> Self {
        Env(None)
    }
}

impl<'p, V: Clone> Env<'p, V> {
    pub(crate) fn with(&self, binding: Bound<'p, V>) -> Env<'p, V> {
        let outer = self.clone();
        Env(Some(Rc::new(Scope { binding, outer })))
    }

    /// The environment without its innermost bindings.
    pub(crate) fn skip(&self, count: usize) -> Env<'p, V> {
        let mut env = self;
        for _ in 0..count {
            match &env.0 {
                Some(scope) => env = &scope.outer,
                None => break,
            }
        }
        env.clone()
    }

    fn get(&self, distance: usize) -> Option<&Bound<'p, V>> {
        let mut scope = self.0.as_ref()?;
        for _ in 0..distance {
            scope = scope.outer.0.as_ref()?;
        }
        Some(&scope.binding)
    }

    pub(crate) fn value(&self, distance: usize) -> V
    where
        V: Default,
    {
        match self.get(distance) {
            Some(Bound::Value(value) | Bound::Argument(value, ..)) => value.clone(),
            _ => V::default(),
        }
    }

    pub(crate) fn closure(&self, distance: usize) -> Option<(&'p Node, &Env<'p, V>)> {
        match self.get(distance) {
            Some(Bound::Closure(node, env) | Bound::Argument(_, node, env)) => Some((node, env)),
            _ => None,
        }
    }

    pub(crate) fn label(&self, distance: usize) -> usize {
        match self.get(distance) {
            Some(Bound::Label(label)) => *label,
            _ => usize::MAX,
        }
    }
}

impl<'p, V> Scope<'p, V> {
    /// Moves the environments that it would drop to a list.
    fn release(&mut self, pending: &mut Vec<Env<'p, V>>) {
        let outer = std::mem::take(&mut self.outer);
        let closure = match &mut self.binding {
            Bound::Closure(_, env) | Bound::Argument(_, _, env) => std::mem::take(env),
            _ => Env::default(),
        };
        pending.extend([outer, closure].into_iter().filter(Env::is_last));
    }
}

impl<V> Env<'_, V> {
    /// Whether nothing else refers to the innermost binding.
    fn is_last(&self) -> bool {
        self.0
            .as_ref()
            .is_some_and(|scope| Rc::strong_count(scope) == 1)
    }
}

/// Iterative, because closures may be nested deep.
impl<V> Drop for Scope<'_, V> {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.release(&mut pending);
        while let Some(mut env) = pending.pop() {
            if let Some(scope) = env.0.as_mut().and_then(Rc::get_mut) {
                scope.release(&mut pending);
            }
        }
    }
}
