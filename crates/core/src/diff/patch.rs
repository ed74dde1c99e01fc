//! A difference as a JSON Patch: RFC 6902.

use super::{ChangeKind, Diff, StepKind};
use crate::string::{Escape, Value};

impl Diff<'_, '_> {
    /// The difference as a JSON Patch (RFC 6902): an array with one operation per line, which ends with a line feed. Applied to
    /// the old document, it gives a document equal to the new one.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::diff::{DiffOptions, diff};
    ///
    /// let (old, new) = (Document::parse(br#"{"a/b": 1}"#)?, Document::parse(br#"{"a/b": [ 1.0 ]}"#)?);
    /// let patch = diff(&old, &new, &DiffOptions::default()).to_patch();
    /// assert_eq!(patch, b"[\n  {\"op\":\"replace\",\"path\":\"/a~1b\",\"value\":[1.0]}\n]\n");
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn to_patch(&self) -> Vec<u8> {
        let mut out = b"[".to_vec();
        for (number, change) in self.changes.iter().enumerate() {
            let separator: &[u8] = if number == 0 { b"\n  " } else { b",\n  " };
            out.extend_from_slice(separator);
            let op: &[u8] = match change.kind {
                ChangeKind::Added => b"add",
                ChangeKind::Removed => b"remove",
                ChangeKind::Replaced => b"replace",
                ChangeKind::Moved { .. } => b"move",
            };
            out.extend_from_slice(b"{\"op\":\"");
            out.extend_from_slice(op);
            let chain = self.chain(change.step);
            if let (ChangeKind::Moved { from }, [around @ .., _]) = (change.kind, &chain[..]) {
                out.extend_from_slice(b"\",\"from\":\"");
                self.pointer(around, &mut out);
                out.extend_from_slice(format!("/{from}").as_bytes());
            }
            out.extend_from_slice(b"\",\"path\":\"");
            self.pointer(&chain, &mut out);
            out.push(b'"');
            let value = match change.kind {
                ChangeKind::Added | ChangeKind::Replaced => self.node_new(&self.steps[change.step]),
                ChangeKind::Removed | ChangeKind::Moved { .. } => None,
            };
            if let Some(value) = value {
                out.extend_from_slice(b",\"value\":");
                out.extend_from_slice(&value.minified());
            }
            out.push(b'}');
        }
        let end: &[u8] = if self.changes.is_empty() {
            b"]\n"
        } else {
            b"\n]\n"
        };
        out.extend_from_slice(end);
        out
    }

    /// Writes the pointer of these steps, escaped for a JSON string.
    fn pointer(&self, chain: &[usize], out: &mut Vec<u8>) {
        for &step in chain {
            let step = &self.steps[step];
            match step.kind {
                StepKind::Root => {}
                StepKind::Key => {
                    out.push(b'/');
                    token(self.key(step), out);
                }
                StepKind::Index { at, .. } => out.extend_from_slice(format!("/{at}").as_bytes()),
            }
        }
    }
}

/// Writes a key as a token of a pointer in a JSON string. Both kinds of escapes apply: those of the key are kept, except for
/// characters that a pointer escapes itself.
fn token(key: &[u8], out: &mut Vec<u8>) {
    let mut rest = key;
    while let Some(at) = memchr::memchr3(b'\\', b'/', b'~', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let (character, length) = match Escape::first(rest) {
            Some(Escape { value, length }) => (value, length),
            None => (Value::Char(char::from(rest[0])), 1),
        };
        match character {
            Value::Char('/') => out.extend_from_slice(b"~1"),
            Value::Char('~') => out.extend_from_slice(b"~0"),
            _ => out.extend_from_slice(&rest[..length]),
        }
        rest = &rest[length..];
    }
    out.extend_from_slice(rest);
}
