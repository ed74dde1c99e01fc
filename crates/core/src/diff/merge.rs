//! A difference as a JSON Merge Patch: RFC 7396.

use std::fmt;

use super::{ChangeKind, Diff, DiffStep, Record, StepKind};
use crate::document::Node;
use crate::string::decode_key;
use crate::token::Kind;

/// The error for a difference that no merge patch can express: the new document has a `null`, which a merge patch cannot set.
///
/// ```
/// use jsonx_core::Document;
/// use jsonx_core::diff::{DiffOptions, diff};
///
/// let (old, new) = (Document::parse(br#"{"a": 1}"#)?, Document::parse(br#"{"a": null}"#)?);
/// let refused = diff(&old, &new, &DiffOptions::default()).to_merge_patch().unwrap_err();
/// assert_eq!(refused.null.span(), 6..10);
/// # Ok::<(), jsonx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NotMergeable<'d, 't> {
    /// The `null` in the new document.
    pub null: Node<'d, 't>,
}

impl fmt::Display for NotMergeable<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a merge patch cannot set a member to null")
    }
}

impl std::error::Error for NotMergeable<'_, '_> {}

impl From<NotMergeable<'_, '_>> for crate::Error {
    /// An error of the data, with the offset in the new document.
    #[cold]
    fn from(error: NotMergeable<'_, '_>) -> Self {
        crate::Error::data(error).at_offset(error.null.span().start as u64)
    }
}

impl<'d, 't> Diff<'d, 't> {
    /// The difference as a JSON Merge Patch (RFC 7396), on one line that ends with a line feed. An array that differs is
    /// replaced as a whole.
    ///
    /// # Errors
    ///
    /// [`NotMergeable`] if the patch would have to set a `null` of the new document.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let old = Document::parse(br#"{"a": {"b": 1, "c": 2}, "d": [1, 2], "e": 3}"#)?;
    /// let new = Document::parse(br#"{"a": {"b": 1, "c": 3}, "d": [1], "f": {}}"#)?;
    /// let patch = diff(&old, &new, &DiffOptions::default()).to_merge_patch().unwrap();
    /// assert_eq!(patch, b"{\"a\":{\"c\":3},\"d\":[1],\"e\":null,\"f\":{}}\n");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn to_merge_patch(&self) -> Result<Vec<u8>, NotMergeable<'d, 't>> {
        let mut out = Vec::new();
        let roots = (self.old.root(), self.new.root());
        if roots.0.kind() != Kind::Object || roots.1.kind() != Kind::Object {
            // The patch is the new document itself, which may be `null`.
            if !roots.1.is_null() {
                settable(roots.1)?;
            }
            self.value(roots.1, &mut out);
            out.push(b'\n');
            return Ok(out);
        }
        out.push(b'{');
        // The steps of the open objects, the root first.
        let mut open = vec![0];
        let mut is_first = true;
        let mut done = None;
        for Record { kind, step } in &self.changes {
            let chain = self.chain(*step);
            // The members on the path, up to the first array.
            let is_key = |&&step: &&usize| !matches!(self.steps[step].kind, StepKind::Index { .. });
            let keys = chain.iter().take_while(is_key).count();
            let (target, in_array) = (chain[keys - 1], keys < chain.len());
            if in_array && done == Some(target) {
                continue;
            }
            done = Some(target);
            let around = &chain[..keys - 1];
            let shared = open.iter().zip(around).take_while(|(a, b)| a == b).count();
            if shared < open.len() {
                out.extend(std::iter::repeat_n(b'}', open.len() - shared));
                is_first = false;
                open.truncate(shared);
            }
            for &step in &around[shared..] {
                self.member(&self.steps[step], &mut is_first, &mut out);
                out.push(b'{');
                is_first = true;
                open.push(step);
            }
            let step = &self.steps[target];
            self.member(step, &mut is_first, &mut out);
            match (kind, in_array, self.node_new(step)) {
                (ChangeKind::Removed, false, _) | (_, _, None) => out.extend_from_slice(b"null"),
                (_, _, Some(value)) => {
                    settable(value)?;
                    self.value(value, &mut out);
                }
            }
        }
        out.extend(open.iter().map(|_| b'}'));
        out.push(b'\n');
        Ok(out)
    }

    /// Writes a value of the new document, minified, without duplicate keys, which a merge patch must not have.
    fn value(&self, value: Node<'_, '_>, out: &mut Vec<u8>) {
        if !self.duplicates.1 {
            out.extend_from_slice(&value.minified())
        } else {
            with_unique_keys(value, out)
        }
    }

    fn member(&self, step: &DiffStep, is_first: &mut bool, out: &mut Vec<u8>) {
        if !std::mem::take(is_first) {
            out.push(b',');
        }
        out.push(b'"');
        out.extend_from_slice(self.key(step));
        out.extend_from_slice(b"\":");
    }
}

/// Checks that a merge patch can set a member to this value: it must neither be `null` nor have a member that is.
fn settable<'d, 't>(value: Node<'d, 't>) -> Result<(), NotMergeable<'d, 't>> {
    let mut values = vec![value];
    while let Some(value) = values.pop() {
        if value.is_null() {
            return Err(NotMergeable { null: value });
        }
        // Arrays are set unchanged.
        let first = values.len();
        values.extend(value.members().map(|(_, value)| value));
        values[first..].reverse();
    }
    Ok(())
}

fn with_unique_keys(value: Node<'_, '_>, out: &mut Vec<u8>) {
    /// The values still to be written, the next one last.
    enum Task<'d, 't> {
        Value(Node<'d, 't>),
        Key(Node<'d, 't>),
        Text(u8),
    }
    let mut tasks = vec![Task::Value(value)];
    while let Some(task) = tasks.pop() {
        let value = match task {
            Task::Text(byte) => {
                out.push(byte);
                continue;
            }
            Task::Key(key) => {
                out.extend_from_slice(key.raw());
                out.push(b':');
                continue;
            }
            Task::Value(value) => value,
        };
        let first = match value.kind() {
            Kind::Object => {
                out.push(b'{');
                tasks.push(Task::Text(b'}'));
                let first = tasks.len();
                for (key, value) in unique_members(value) {
                    tasks.extend([Task::Key(key), Task::Value(value), Task::Text(b',')]);
                }
                first
            }
            Kind::Array => {
                out.push(b'[');
                tasks.push(Task::Text(b']'));
                let first = tasks.len();
                for value in value.elements() {
                    tasks.extend([Task::Value(value), Task::Text(b',')]);
                }
                first
            }
            _ => {
                out.extend_from_slice(value.raw());
                continue;
            }
        };
        // Removes the last comma.
        if tasks.len() > first {
            tasks.pop();
        }
        tasks[first..].reverse();
    }
}

/// The members without all but the last of duplicate keys, in order.
fn unique_members<'d, 't>(object: Node<'d, 't>) -> Vec<(Node<'d, 't>, Node<'d, 't>)> {
    let text = |key: Node<'_, 't>| decode_key(key.string_content().unwrap_or_default());
    let mut members: Vec<(Node<'d, 't>, Node<'d, 't>)> = object.members().collect();
    members.sort_by(|(a, _), (b, _)| text(*a).cmp(&text(*b)).then(b.word().cmp(&a.word())));
    members.dedup_by(|(next, _), (last, _)| text(*next) == text(*last));
    members.sort_unstable_by_key(|(key, _)| key.word());
    members
}
