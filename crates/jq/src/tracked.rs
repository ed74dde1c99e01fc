//! The results of expressions: values or, for path expressions, values with their paths.

use crate::access;
use crate::error::Result;
use crate::iterate;
use crate::value::Value;

/// A consumer of results.
pub(crate) type Emit<'e, T = Value> = &'e mut dyn FnMut(T) -> Result;

/// The last result of an expression that passes the others to a consumer.
///
/// It is consumed after the expression has left the stack, so that the stack of a program does not grow with the number of its
/// calls. `None` if there are no results, or the last one was passed to the consumer, too.
pub(crate) type Last<T = Value> = Result<Option<T>>;

/// A value, with or without its path.
pub(crate) trait Tracked: Clone {
    /// Whether no path is tracked.
    const IS_VALUE: bool;

    /// A value that is not part of the input.
    fn new(value: Value) -> Self;

    fn value(&self) -> &Value;

    fn into_value(self) -> Value;

    fn index(self, key: &Value) -> Result<Self>;

    fn slice(self, from: &Value, to: &Value) -> Result<Self>;

    fn get_path(self, path: Vec<Value>) -> Result<Self>;

    /// Emits the elements of an array or the values of an object.
    fn each(&self, emit: Emit<'_, Self>) -> Last<Self>;

    /// Like [`each`](Tracked::each); `None` if it is not a container.
    fn children(&self, emit: Emit<'_, Self>) -> Option<Result>;

    /// Emits the results of a computation, which have no path, except the input itself.
    fn computed(
        self,
        compute: impl FnOnce(Value, Emit<'_>) -> Last,
        emit: Emit<'_, Self>,
    ) -> Last<Self>;
}

impl Tracked for Value {
    const IS_VALUE: bool = true;

    fn new(value: Value) -> Value {
        value
    }

    fn value(&self) -> &Value {
        self
    }

    fn into_value(self) -> Value {
        self
    }

    fn index(self, key: &Value) -> Result<Value> {
        access::index(&self, key)
    }

    fn slice(self, from: &Value, to: &Value) -> Result<Value> {
        access::slice(&self, from, to)
    }

    fn get_path(self, path: Vec<Value>) -> Result<Value> {
        access::get_path(&self, &path)
    }

    fn each(&self, emit: Emit<'_>) -> Last {
        but_last(emit, |emit| iterate::each(self, emit))
    }

    fn children(&self, emit: Emit<'_>) -> Option<Result> {
        Value::each(self, emit)
    }

    fn computed(self, compute: impl FnOnce(Value, Emit<'_>) -> Last, emit: Emit<'_>) -> Last {
        compute(self, emit)
    }
}

/// Passes all results but the last one to a consumer.
pub(crate) fn but_last<T>(emit: Emit<'_, T>, run: impl FnOnce(Emit<'_, T>) -> Result) -> Last<T> {
    let mut last = None;
    run(&mut |value| match last.replace(value) {
        Some(earlier) => emit(earlier),
        None => Ok(()),
    })?;
    Ok(last)
}
