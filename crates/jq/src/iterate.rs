//! The elements of arrays and the values of objects.

use crate::error::{Exception, Result, described, error};
use crate::value::Value;

/// Emits the elements of an array or the values of an object.
pub(crate) fn each(target: &Value, emit: &mut dyn FnMut(Value) -> Result) -> Result {
    match target.each(emit) {
        Some(result) => result,
        None => Err(cannot_iterate(target)),
    }
}

pub(crate) fn cannot_iterate(target: &Value) -> Exception {
    error(format!("Cannot iterate over {}", described(target))).of(target)
}
