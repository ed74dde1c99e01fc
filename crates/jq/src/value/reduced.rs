//! Records reduced to the values that a program reads.

use std::rc::Rc;

use super::{Members, Value};

/// An object with only the values at some paths, for one record after another: it is allocated once.
///
/// ```
/// use jsonx_jq::{Program, Reduced, Settings, Value};
///
/// let program = Program::compile("select(.user.age > 30) | .id", &Settings::default())?;
/// let mut reduced = Reduced::new(&program.reads().unwrap().paths);
/// for (age, id, count) in [("40", "7", 1), ("20", "8", 0)] {
///     let scalars = [age, id].map(|raw| Value::scalar(raw.as_bytes()).unwrap());
///     let value = reduced.with(scalars);
///     assert_eq!(program.results(value).unwrap().len(), count);
/// }
/// # Ok::<(), jsonx_jq::ProgramError>(())
/// ```
pub struct Reduced {
    root: Value,
    /// For each path, the positions of its members in the objects that hold them.
    places: Vec<Vec<usize>>,
}

impl Reduced {
    /// An object with these paths, of which none leads through another.
    pub fn new(paths: &[Vec<Rc<str>>]) -> Reduced {
        let mut root = Value::Object(Rc::default());
        let place = |keys: &Vec<Rc<str>>| {
            let mut holder = &mut root;
            let mut place = Vec::with_capacity(keys.len());
            for key in keys {
                if !matches!(holder, Value::Object(_)) {
                    *holder = Value::Object(Rc::default());
                }
                let Value::Object(members) = holder else {
                    break;
                };
                let members = Rc::make_mut(members);
                if !members.contains_key(key) {
                    members.insert(key.clone(), Value::Null);
                }
                let at = members.iter().position(|(other, _)| other == key);
                place.push(at.unwrap_or_default());
                holder = members.at_mut(at.unwrap_or_default());
            }
            place
        };
        let places = paths.iter().map(place).collect();
        Reduced { root, places }
    }

    /// The object with these values at the paths, in their order.
    pub fn with(&mut self, values: impl IntoIterator<Item = Value>) -> Value {
        for (place, value) in self.places.iter().zip(values) {
            let mut holder = &mut self.root;
            for at in place {
                let Value::Object(members) = holder else {
                    break;
                };
                // A copy, if the program kept the last one.
                let members: &mut Members = Rc::make_mut(members);
                holder = members.at_mut(*at);
            }
            *holder = value;
        }
        self.root.clone()
    }

    /// Whether a value is the object itself, rather than an equal one.
    pub fn is(&self, value: &Value) -> bool {
        match (&self.root, value) {
            (Value::Object(root), Value::Object(value)) => Rc::ptr_eq(root, value),
            _ => false,
        }
    }
}
