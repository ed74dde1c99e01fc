//! `--csv`, `--tsv`, `--table` and `--markdown`: a row for each result.
//!
//! ```text
//! object   cells in the order of a header: the keys of the first result. For files: all keys, so objects wait until they are known
//! array    a cell for each element
//! other    one cell
//! ```

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use jsonx_jq::{Printer, Value};

use crate::output::Form;
use crate::report::escape_lines;

/// Maximum number of columns.
const MOST_COLUMNS: usize = 1 << 12;

/// The keys of objects, in order of first occurrence.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    names: Vec<Arc<str>>,
    places: HashMap<Arc<str>, usize>,
}

impl Keys {
    /// Adds a key that is new.
    ///
    /// # Errors
    /// There are too many.
    pub fn add(&mut self, key: &str) -> Result<(), Misfit> {
        if self.places.contains_key(key) {
            return Ok(());
        }
        if self.names.len() == MOST_COLUMNS {
            return Err(Misfit::TooMany);
        }
        let key: Arc<str> = key.into();
        self.places.insert(key.clone(), self.names.len());
        self.names.push(key);
        Ok(())
    }

    /// Adds the keys of later objects.
    ///
    /// # Errors
    /// There are too many.
    pub fn merge(&mut self, later: &Keys) -> Result<(), Misfit> {
        later.names.iter().try_for_each(|key| self.add(key))
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Removes all keys but the first ones.
    pub fn truncate(&mut self, length: usize) {
        for key in self.names.drain(length..) {
            self.places.remove(&key);
        }
    }
}

/// What the first result decides about all rows.
#[derive(Debug)]
enum Kind {
    /// Objects with these keys.
    Members(HashMap<String, usize>),
    /// Objects that wait until all keys are known.
    Waiting,
    Elements,
    Scalar,
}

/// The reason why a result is no row.
#[derive(Debug)]
pub enum Misfit {
    /// No result has decided yet what rows are.
    Undecided,
    /// The header lacks this key.
    Key(String),
    /// The type of the result is not that of the first one.
    Type(&'static str),
    TooMany,
}

/// The options of rows, and what the first result decides.
pub struct Rows {
    form: Form,
    has_header: bool,
    /// The header has all keys of all results.
    has_all_keys: bool,
    /// Control characters are escaped.
    is_terminal: bool,
    kind: OnceLock<Kind>,
}

impl Rows {
    pub fn new(form: Form, has_header: bool, has_all_keys: bool, is_terminal: bool) -> Rows {
        Rows {
            form,
            has_header,
            has_all_keys,
            is_terminal,
            kind: OnceLock::new(),
        }
    }

    /// The format.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Whether the first row has the names of the columns.
    pub fn have_names(&self) -> bool {
        self.has_header && matches!(self.kind.get(), Some(Kind::Members(_)))
    }

    /// Whether objects wait until all keys are known.
    pub fn are_waiting(&self) -> bool {
        matches!(self.kind.get(), Some(Kind::Waiting))
    }

    /// Lets the first result decide what rows are, and appends the header if it is known.
    pub fn decide(&self, first: &Value, out: &mut Vec<u8>) -> Result<(), Misfit> {
        if self.kind.get().is_some() {
            return Ok(());
        }
        let kind = match first.type_name() {
            "array" => Kind::Elements,
            "object" if self.has_all_keys => Kind::Waiting,
            "object" => {
                let mut keys = Keys::default();
                add_keys(first, &mut keys)?;
                self.header(&keys, out)
            }
            _ => Kind::Scalar,
        };
        let _ = self.kind.set(kind);
        Ok(())
    }

    /// Appends the header.
    fn header(&self, keys: &Keys, out: &mut Vec<u8>) -> Kind {
        if self.has_header {
            let names = keys.names.iter().map(|key| Some(Value::from(&**key)));
            self.row(names, out);
        }
        let places = keys.places.iter();
        Kind::Members(places.map(|(key, at)| (key.to_string(), *at)).collect())
    }

    /// Appends the row of a result; or the result as JSON on a line if it waits, with its keys.
    ///
    /// # Errors
    /// It does not fit the other rows; nothing was appended.
    pub fn push(&self, value: &Value, out: &mut Vec<u8>, keys: &mut Keys) -> Result<(), Misfit> {
        match (self.kind.get(), value.type_name()) {
            (None, _) => return Err(Misfit::Undecided),
            (Some(Kind::Members(places)), "object") => {
                let mut cells = vec![None; places.len()];
                for (key, value) in value.entries().unwrap_or_default() {
                    let key = key.unwrap_or_default();
                    let place = places.get(&*key);
                    let place = place.ok_or_else(|| Misfit::Key(key.to_string()))?;
                    cells[*place] = Some(value);
                }
                self.row(cells.into_iter(), out);
            }
            (Some(Kind::Waiting), "object") => {
                add_keys(value, keys)?;
                Printer::default().push(value, out);
                out.push(b'\n');
            }
            (Some(Kind::Elements), "array") => {
                let elements = value.entries().unwrap_or_default();
                self.row(elements.into_iter().map(|(_, value)| Some(value)), out);
            }
            (Some(Kind::Scalar), name) if !matches!(name, "object" | "array") => {
                self.row([Some(value.clone())].into_iter(), out);
            }
            (_, name) => return Err(Misfit::Type(name)),
        }
        Ok(())
    }

    /// Rows for objects that have waited: appends the header with all keys.
    pub fn released(&self, keys: &Keys, out: &mut Vec<u8>) -> Rows {
        let kind = self.header(keys, out);
        Rows {
            kind: OnceLock::from(kind),
            ..*self
        }
    }

    /// Appends the rows of `--tally`: how often each result came, and the row of the result. Results of several types are one
    /// cell each. Returns whether there is a header.
    pub fn push_counts(&self, counts: &[(Value, u64)], out: &mut Vec<u8>) -> bool {
        let are = |name: &str| counts.iter().all(|(value, _)| value.type_name() == name);
        let mut keys = Keys::default();
        let fits = |(value, _): &(Value, u64)| add_keys(value, &mut keys).is_ok();
        let are_objects = are("object") && counts.iter().all(fits);
        let header: &[Arc<str>] = match (are_objects, are("array")) {
            (true, _) => &keys.names,
            (_, true) => &[],
            _ => &["value".into()],
        };
        let name = |name: &str| Some(Value::from(name));
        let has_header = self.has_header && !header.is_empty();
        if has_header {
            let names = header.iter().map(|key| name(key));
            self.row([name("count")].into_iter().chain(names), out);
        }
        for (value, count) in counts {
            let mut cells = vec![Value::from_json(&count.to_string()).ok()];
            match value.entries() {
                Some(members) if are_objects => {
                    cells.resize(1 + header.len(), None);
                    for (key, value) in members {
                        let place = key.and_then(|key| keys.places.get(&*key));
                        place
                            .into_iter()
                            .for_each(|at| cells[1 + at] = Some(value.clone()));
                    }
                }
                Some(elements) if header.is_empty() => {
                    cells.extend(elements.into_iter().map(|(_, value)| Some(value)));
                }
                _ => cells.push(Some(value.clone())),
            }
            self.row(cells.into_iter(), out);
        }
        has_header
    }

    fn row(&self, cells: impl Iterator<Item = Option<Value>>, out: &mut Vec<u8>) {
        let separator = if self.form == Form::Csv { b',' } else { b'\t' };
        let begin = out.len();
        for (number, cell) in cells.enumerate() {
            if number > 0 {
                out.push(separator);
            }
            if let Some(value) = cell {
                self.cell(&value, out);
            }
        }
        // An empty line would not be a row.
        if self.form == Form::Csv && out.len() == begin {
            out.extend_from_slice(b"\"\"");
        }
        out.push(b'\n');
    }

    fn cell(&self, value: &Value, out: &mut Vec<u8>) {
        let mut text = Vec::new();
        match value.as_str() {
            Some(string) if !self.is_terminal => {
                return self.form.push_cell(string.as_bytes(), out);
            }
            Some(string) => self.form.push_cell(string.as_bytes(), &mut text),
            None => match value.type_name() {
                "null" => return,
                "array" | "object" => {
                    let mut json = Vec::new();
                    Printer::default().push(value, &mut json);
                    self.form.push_cell(&json, &mut text);
                }
                _ => {
                    let from = out.len();
                    Printer::default().push(value, out);
                    // NaN, whose cell is empty in jq's @csv, too.
                    if out[from..] == *b"null" {
                        out.truncate(from);
                    }
                    return;
                }
            },
        }
        if self.is_terminal {
            text = escape_lines(&text).into_bytes();
        }
        out.extend_from_slice(&text);
    }

    /// A message for a result that is no row.
    pub fn message(&self, misfit: &Misfit) -> String {
        match (misfit, self.kind.get()) {
            (Misfit::Key(key), Some(Kind::Members(places))) => {
                let mut all: Vec<(&str, usize)> =
                    places.iter().map(|(key, at)| (key.as_str(), *at)).collect();
                all.sort_unstable_by_key(|(_, at)| *at);
                let keys = all.iter().map(|(key, _)| *key).chain([key.as_str()]);
                let keys: Vec<String> = keys.map(in_program).collect();
                format!(
                    "the header lacks the key {}; select the columns, as in `| {{{}}}`",
                    Value::from(key.as_str()),
                    keys.join(", ")
                )
            }
            (Misfit::Type(name), Some(kind)) => {
                let first = match kind {
                    Kind::Members(_) | Kind::Waiting => "an object",
                    Kind::Elements => "an array",
                    Kind::Scalar => "neither an object nor an array",
                };
                format!(
                    "the first result is {first}, and this one is of the type {name}; rows are of one kind, as with `| {{a, b}}` or `| [.a, .b]`"
                )
            }
            _ => format!(
                "the results have more than {MOST_COLUMNS} keys; select the columns, as in `| {{a, b}}`"
            ),
        }
    }
}

/// A key in a program that constructs an object.
fn in_program(key: &str) -> String {
    let is_word = key.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
        && !key.starts_with(|c: char| c.is_ascii_digit());
    match is_word && !key.is_empty() {
        true => key.to_owned(),
        false => Value::from(key).to_string(),
    }
}

fn add_keys(object: &Value, keys: &mut Keys) -> Result<(), Misfit> {
    let members = object.entries().unwrap_or_default();
    let mut names = members.iter().filter_map(|(key, _)| key.as_ref());
    names.try_for_each(|key| keys.add(key))
}
