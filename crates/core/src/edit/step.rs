//! The steps of a path that selects one value.

use std::borrow::Cow;

use super::error::EditError;
use crate::document::ToPath;
use crate::path::{Path, Selector, key_text};

/// One step: a key of an object, an index of an array, or both.
#[derive(Clone, Debug)]
pub(super) struct EditStep {
    pub(super) key: Option<Box<[u8]>>,
    pub(super) index: Option<i64>,
    /// `-` of a JSON Pointer: after the last element.
    pub(super) is_end: bool,
}

impl EditStep {
    /// The step after the last element of an array.
    pub(super) const END: EditStep = EditStep {
        key: None,
        index: None,
        is_end: true,
    };

    /// The step to a member of an object.
    pub(super) fn of_key(key: &[u8]) -> EditStep {
        EditStep {
            key: Some(key.into()),
            index: None,
            is_end: false,
        }
    }
}

/// A path that selects one value, and its steps.
pub(super) struct EditTarget<'p> {
    pub(super) path: Cow<'p, Path>,
    pub(super) steps: Vec<EditStep>,
}

impl<'p> EditTarget<'p> {
    /// # Errors
    /// The text is not a path, or the path may select several values.
    pub(super) fn new(path: &'p impl ToPath) -> Result<Self, EditError> {
        let path = path.to_path().map_err(EditError::Path)?;
        if !path.is_singular() {
            return Err(EditError::NotSingular);
        }
        let selectors = path
            .segments()
            .iter()
            .filter_map(|segment| segment.selectors.first());
        let step = |(number, selector): (usize, &Selector)| EditStep {
            key: selector.key().map(Into::into),
            index: selector.index(),
            is_end: path.is_end(number),
        };
        let steps = selectors.enumerate().map(step).collect();
        Ok(EditTarget { path, steps })
    }
}

/// Wraps a value in one container per step, the first step outermost: an object for a key, an array for the index 0 or `-`.
/// `None` for another index.
pub(super) fn parents(steps: &[EditStep], value: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for step in steps {
        match (&step.key, step.index) {
            (Some(key), _) if !step.is_end => {
                text.push(b'{');
                text.extend_from_slice(key_text(key).as_bytes());
                text.push(b':');
            }
            (_, Some(0)) | (Some(_), _) => text.push(b'['),
            (None, _) => return None,
        }
    }
    text.extend_from_slice(value);
    text.extend(steps.iter().rev().map(|step| match step.key {
        Some(_) if !step.is_end => b'}',
        _ => b']',
    }));
    Some(text)
}

/// The text of a value inside containers for the steps of `path` from the one at `from` on, as created by an edit with
/// [`parents`](super::SetOptions::parents): an object for a key, also for one that could be an index, and an array of one
/// element for `[0]` and for `-` of a JSON Pointer. `None` if there is no such container.
///
/// ```
/// use jsonx_core::edit::nested;
/// use jsonx_core::path::Path;
///
/// let text = |path: &str| nested(&Path::parse(path).unwrap(), 1, b"true").map(|text| String::from_utf8(text).unwrap());
/// assert_eq!(text(".a.b[0].0").unwrap(), r#"{"b":[{"0":true}]}"#);
/// assert_eq!(text("/a/-").unwrap(), "[true]");
/// assert_eq!(text(".a"), Some("true".to_owned()));
/// assert!(text(".a[1]").is_none() && text(".a[*]").is_none());
/// ```
pub fn nested(path: &Path, from: usize, value: &[u8]) -> Option<Vec<u8>> {
    parents(EditTarget::new(&path).ok()?.steps.get(from..)?, value)
}
