//! The paths of `--key`, and detection of those that match no array.

use std::ffi::OsStr;

use jsonx_core::path::Path;
use jsonx_core::{Document, Kind, Node};

use crate::commands::UsageError;
use crate::messages;
use crate::path_messages;
use crate::report::escape;
use jsonx_core::string::nearest::{Nearest, SHORT};

/// The paths of `--key`.
#[derive(Default)]
pub struct ArrayKeys {
    paths: Vec<KeyPath>,
    /// An array of objects was found.
    any: bool,
}

/// The keys that lead to the member by which elements are matched.
struct KeyPath {
    typed: String,
    keys: Vec<Box<[u8]>>,
    /// An array has the member.
    is_known: bool,
    /// The number of keys found in an array, and the key nearest to the next one.
    steps: usize,
    near: Nearest,
}

impl ArrayKeys {
    /// Parses a name, or a path of keys: `id`, `metadata.name`, `."a.b"`. Returns its keys.
    ///
    /// # Errors
    /// It is an invalid path, or one that has other steps.
    pub fn parse(&mut self, typed: &str) -> Result<&[Box<[u8]>], UsageError> {
        let keys = parse(typed)?;
        self.paths.push(KeyPath {
            typed: typed.to_owned(),
            is_known: false,
            steps: 0,
            near: Nearest::new(&keys[0]),
            keys,
        });
        Ok(&self.paths[self.paths.len() - 1].keys)
    }

    /// Looks up the paths in the first object of every array.
    pub fn look_up(&mut self, documents: [&Document<'_>; 2]) {
        let mut waiting: Vec<Node<'_, '_>> =
            documents.iter().map(|document| document.root()).collect();
        while let Some(node) = waiting.pop()
            && self.paths.iter().any(|path| !path.is_known)
        {
            let first = node.elements().find(|child| child.kind() == Kind::Object);
            if let Some(object) = first {
                self.any = true;
                let unknown = self.paths.iter_mut().filter(|path| !path.is_known);
                unknown.for_each(|path| path.look_up(object));
            }
            let children = node.elements();
            let values = node.members().map(|(_, value)| value);
            waiting.extend(
                children
                    .chain(values)
                    .filter(|child| matches!(child.kind(), Kind::Array | Kind::Object)),
            );
        }
    }

    /// Reports each path that was not found. Returns whether that is an error: without arrays of objects, it is a warning.
    pub fn report_unknown(&self) -> bool {
        let warning = if self.any { "" } else { "warning: " };
        let mut unknown = self.paths.iter().filter(|path| !path.is_known).peekable();
        let is_error = self.any && unknown.peek().is_some();
        for KeyPath {
            typed,
            keys,
            steps,
            near,
            ..
        } in unknown
        {
            let mut text = format!(
                "jsonx: {warning}--key {} matches nothing: no array begins with an object that has it",
                escape(typed)
            );
            let key = &keys[*steps];
            let is_near = |near: &&[u8]| key.len() >= SHORT || near.eq_ignore_ascii_case(key);
            if let (Some(meant), Ok(key)) = (near.found().filter(is_near), std::str::from_utf8(key))
            {
                let meant = String::from_utf8_lossy(meant);
                let meant = typed.replacen(key, &meant, 1);
                text += &format!(
                    "\n{}",
                    path_messages::did_you_mean(&format!("--key {meant}"))
                );
            }
            messages::line(&text);
        }
        is_error
    }
}

fn parse(typed: &str) -> Result<Vec<Box<[u8]>>, UsageError> {
    let is_path = typed.starts_with(['.', '$', '/']);
    if !is_path && !typed.contains('.') {
        return Ok(vec![typed.as_bytes().into()]);
    }
    let text = if is_path {
        typed.to_owned()
    } else {
        format!(".{typed}")
    };
    let path = Path::parse(&text).map_err(|error| {
        let typed = OsStr::new(&text);
        let message = path_messages::bad_path(Some("--key"), typed, &error);
        UsageError::message(message + &path_messages::meant_path(typed, &error, |_| None))
    })?;
    keys_of(&path).ok_or_else(|| {
        UsageError::message(format!(
            "jsonx: --key {}: elements are matched by one member, whose path may have only keys",
            escape(typed)
        ))
    })
}

fn keys_of(path: &Path) -> Option<Vec<Box<[u8]>>> {
    let keys = (path.segments().iter()).map(|segment| Some(segment.key()?.into()));
    let keys: Option<Vec<Box<[u8]>>> = keys.collect();
    keys.filter(|keys| !keys.is_empty() && path.is_singular())
}

impl KeyPath {
    /// Looks it up in an object, and records how far it is found.
    fn look_up(&mut self, object: Node<'_, '_>) {
        let mut node = object;
        for (at, key) in self.keys.iter().enumerate() {
            if let Some(next) = std::str::from_utf8(key).ok().and_then(|key| node.get(key)) {
                node = next;
                continue;
            }
            if at > self.steps {
                (self.steps, self.near) = (at, Nearest::new(key));
            }
            if at == self.steps {
                let keys = node.members().filter_map(|(key, _)| key.as_str());
                keys.for_each(|key| self.near.offer(key.as_bytes()));
            }
            return;
        }
        self.is_known = true;
    }
}
