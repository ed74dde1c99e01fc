//! Values as events of paths and scalars.

use std::vec;

use crate::value::Value;

/// The events of a value, as of `tostream`: `[path, value]` for a scalar or an empty container, `[path]` after the last child of
/// a container.
///
/// ```
/// use jsonx_jq::{Events, Value};
///
/// let value = Value::from_json(r#"{"a": [1, {}]}"#).unwrap();
/// let events: Vec<String> = Events::new(value).map(|event| event.to_string()).collect();
/// assert_eq!(events, [r#"[["a",0],1]"#, r#"[["a",1],{}]"#, r#"[["a",1]]"#, r#"[["a"]]"#]);
/// ```
pub struct Events {
    root: Option<Value>,
    /// The children that are left of each open container.
    open: Vec<vec::IntoIter<(Value, Value)>>,
    /// The path of the last child of each open container.
    path: Vec<Value>,
}

impl Events {
    /// The events of a value.
    pub fn new(value: Value) -> Events {
        Events {
            root: Some(value),
            open: Vec::new(),
            path: Vec::new(),
        }
    }

    /// The event of a value without children; otherwise opens it.
    fn enter(&mut self, value: Value) -> Option<Value> {
        let keys = value.keys_in_order().unwrap_or_default();
        if keys.is_empty() {
            return Some(Value::array(vec![Value::array(self.path.clone()), value]));
        }
        let mut values = Vec::with_capacity(keys.len());
        let _ = value.each(|child| -> Result<(), ()> {
            values.push(child);
            Ok(())
        });
        let children: Vec<(Value, Value)> = keys.into_iter().zip(values).collect();
        self.open.push(children.into_iter());
        self.path.push(Value::Null);
        None
    }
}

impl Iterator for Events {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let mut entered = self.root.take();
        loop {
            if let Some(value) = entered.take()
                && let Some(event) = self.enter(value)
            {
                return Some(event);
            }
            match self.open.last_mut()?.next() {
                Some((key, value)) => {
                    *self.path.last_mut()? = key;
                    entered = Some(value);
                }
                None => {
                    let event = Value::array(vec![Value::array(self.path.clone())]);
                    self.open.pop();
                    self.path.pop();
                    return Some(event);
                }
            }
        }
    }
}
