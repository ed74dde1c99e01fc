//! Environments: the variables, closures and labels that an expression sees, innermost first.

use std::rc::Rc;

use crate::term::Node;
use crate::value::Value;

/// A list of bindings, shared between all that see them.
#[derive(Clone, Default)]
pub(crate) struct Env<'p>(Option<Rc<Scope<'p>>>);

struct Scope<'p> {
    binding: Bound<'p>,
    outer: Env<'p>,
}

#[derive(Clone)]
pub(crate) enum Bound<'p> {
    Value(Value),
    Closure(&'p Node, Env<'p>),
    Label(usize),
}

impl<'p> Env<'p> {
    pub(crate) fn with(&self, binding: Bound<'p>) -> Env<'p> {
        let outer = self.clone();
        Env(Some(Rc::new(Scope { binding, outer })))
    }

    /// The environment without its innermost bindings.
    pub(crate) fn skip(&self, count: usize) -> Env<'p> {
        let mut env = self;
        for _ in 0..count {
            match &env.0 {
                Some(scope) => env = &scope.outer,
                None => break,
            }
        }
        env.clone()
    }

    fn get(&self, distance: usize) -> Option<&Bound<'p>> {
        let mut scope = self.0.as_ref()?;
        for _ in 0..distance {
            scope = scope.outer.0.as_ref()?;
        }
        Some(&scope.binding)
    }

    pub(crate) fn value(&self, distance: usize) -> Value {
        match self.get(distance) {
            Some(Bound::Value(value)) => value.clone(),
            _ => Value::Null,
        }
    }

    pub(crate) fn closure(&self, distance: usize) -> Option<(&'p Node, &Env<'p>)> {
        match self.get(distance) {
            Some(Bound::Closure(node, env)) => Some((node, env)),
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

impl<'p> Scope<'p> {
    /// Moves what it refers to, and may have to drop, to a list.
    fn release(&mut self, pending: &mut Vec<Env<'p>>) {
        let outer = std::mem::take(&mut self.outer);
        let closure = match &mut self.binding {
            Bound::Closure(_, env) => std::mem::take(env),
            _ => Env::default(),
        };
        pending.extend([outer, closure].into_iter().filter(Env::is_last));
    }
}

impl Env<'_> {
    /// Whether nothing else refers to the innermost binding.
    fn is_last(&self) -> bool {
        self.0
            .as_ref()
            .is_some_and(|scope| Rc::strong_count(scope) == 1)
    }
}

/// Without recursion, since closures of closures may be nested deep.
impl Drop for Scope<'_> {
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
