//! The paths of `--key`, and detection of those that match no array.

use std::ffi::OsStr;

use jsonx_core::path::{Path, Reach, Selector};
use jsonx_core::{Document, Kind, Node};

use crate::commands::UsageError;
use crate::messages;
use crate::path_messages;
use crate::report::escape;
use jsonx_core::diagnose::nearest::{Nearest, SHORT};

/// The keys that lead to the member by which elements are matched.
pub struct KeyPath {
    typed: String,
    pub keys: Vec<Box<[u8]>>,
}

/// Parses a name, or a path of keys: `id`, `metadata.name`, `."a.b"`.
///
/// # Errors
/// It is an invalid path, or one that has other steps.
pub fn parse(typed: &str) -> Result<KeyPath, UsageError> {
    let is_path = typed.starts_with(['.', '$', '/']);
    let keys = match is_path || typed.contains('.') {
        false => vec![typed.as_bytes().into()],
        true => {
            let text = match is_path {
                true => typed.to_owned(),
                false => format!(".{typed}"),
            };
            let path = Path::parse(&text).map_err(|error| {
                let typed = OsStr::new(&text);
                let message = path_messages::bad_path(Some("--key"), typed, &error);
                UsageError::Message(message + &path_messages::meant_path(typed, &error, |_| None))
            })?;
            keys_of(&path).ok_or_else(|| {
                UsageError::Message(format!(
                    "jsonx: --key {}: elements are matched by one member, whose path may have only keys",
                    escape(typed)
                ))
            })?
        }
    };
    Ok(KeyPath {
        typed: typed.to_owned(),
        keys,
    })
}

fn keys_of(path: &Path) -> Option<Vec<Box<[u8]>>> {
    let key = |segment: &jsonx_core::path::Segment| match &segment.selectors[..] {
        [selector] if segment.reach == Reach::Child && path.is_singular() => {
            Some(selector).and_then(Selector::key).map(Into::into)
        }
        _ => None,
    };
    let keys: Option<Vec<Box<[u8]>>> = path.segments().iter().map(key).collect();
    keys.filter(|keys| !keys.is_empty())
}

/// Reports each path without a match in the first object of every array. Returns whether that is an error: without arrays of
/// objects, it is a warning.
pub fn report_unknown(paths: &[KeyPath], documents: [&Document<'_>; 2]) -> bool {
    // For each path, the number of matched keys, and the key nearest to the next one.
    let mut unknown: Vec<(&KeyPath, usize, Nearest)> = paths
        .iter()
        .map(|path| (path, 0, Nearest::new(&path.keys[0])))
        .collect();
    let mut any = false;
    let mut waiting: Vec<Node<'_, '_>> = documents.iter().map(|document| document.root()).collect();
    while let Some(node) = waiting.pop()
        && !unknown.is_empty()
    {
        let first = node.elements().find(|child| child.kind() == Kind::Object);
        if let Some(object) = first {
            any = true;
            unknown.retain_mut(|(path, steps, near)| look_up(object, path, steps, near));
        }
        let children = node.elements();
        let values = node.members().map(|(_, value)| value);
        waiting.extend(
            children
                .chain(values)
                .filter(|child| matches!(child.kind(), Kind::Array | Kind::Object)),
        );
    }
    let warning = if any { "" } else { "warning: " };
    for (path, steps, near) in &unknown {
        let shown = escape(&path.typed);
        let mut text = format!(
            "jsonx: {warning}--key {shown} matches nothing: no array begins with an object that has it"
        );
        let key = &path.keys[*steps];
        let is_near = |near: &&[u8]| key.len() >= SHORT || near.eq_ignore_ascii_case(key);
        if let (Some(meant), Ok(key)) = (near.found().filter(is_near), std::str::from_utf8(key)) {
            let meant = String::from_utf8_lossy(meant);
            let meant = path.typed.replacen(key, &meant, 1);
            text += &format!(
                "\n{}",
                path_messages::did_you_mean(&format!("--key {meant}"))
            );
        }
        messages::line(&text);
    }
    any && !unknown.is_empty()
}

/// Whether a path has no match in an object; records how far it matches.
fn look_up(object: Node<'_, '_>, path: &KeyPath, steps: &mut usize, near: &mut Nearest) -> bool {
    let mut node = object;
    for (at, key) in path.keys.iter().enumerate() {
        let next = std::str::from_utf8(key).ok().and_then(|key| node.get(key));
        match next {
            Some(next) => node = next,
            None => {
                if at > *steps {
                    (*steps, *near) = (at, Nearest::new(key));
                }
                if at == *steps {
                    let keys = node.members().filter_map(|(key, _)| key.as_str());
                    keys.for_each(|key| near.offer(key.as_bytes()));
                }
                return true;
            }
        }
    }
    false
}
