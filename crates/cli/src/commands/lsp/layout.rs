//! Changes to whole documents: the layout of `fmt` and the repairs of `fix`, in as few edits as possible.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use jsonx_core::format::WriteTo;
use jsonx_diagnose::Applicability;
use serde_json::{Value, json};

use super::document::Open;
use super::protocol::{Refused, code, range};
use super::server::Server;
use super::text::DocumentText;
use crate::args::{IndentArg, Layout};
use crate::changes::Transform;
use crate::check::{Failure, InputKind};
use crate::commands::fmt::{Formatting, Layouts, indentation};
use crate::files::Exceptions;
use crate::input::Input;
use crate::repair::{Notes, Repairing};

/// A replacement.
pub type TextEdit = (Range<usize>, String);

/// Above this number of edits, they become one.
const MOST: usize = 20_000;

/// The layout of a document.
#[derive(Clone, PartialEq, Eq)]
pub enum Change {
    /// As by `fmt`.
    Format {
        /// What is selected. The lines outside of it determine the indentation, so that the text has only one.
        within: Range<usize>,
        /// The indentation of the editor, for a text that has none.
        indent: Option<IndentArg>,
    },
    /// With sorted keys.
    Sort,
    /// Without white space.
    Minify,
}

impl<W: Write> Server<W> {
    /// Formats a document like `fmt`.
    ///
    /// # Errors
    /// It is not valid.
    pub fn formatted(&self, open: &Open, change: Change) -> Result<Vec<u8>, Refused> {
        let failed = |text: &str| Refused(code::FAILED, text.to_owned());
        let file = self.options_of(open);
        let mut file = file.ok_or_else(|| failed("its jsonx.json cannot be used"))?;
        file.check.takes_streams = true;
        let layout = Layout {
            sort_keys: self.args.layout.sort_keys || change == Change::Sort,
            compact: self.args.layout.compact || change == Change::Minify,
            ..self.args.layout.clone()
        };
        let mut layouts = Layouts::new(&layout, self.run.configs.clone());
        let kind = file.check.kind_of_path(Some(&open.path));
        if let Change::Format { within, indent } = &change
            && layouts.for_file(Some(&open.path), kind).keeps_indent
        {
            let text = open.text.bytes();
            let found = indentation::outside(text, within).or_else(|| indentation::find(text));
            let layout = Layout {
                indent: found.map(IndentArg::from).or(*indent).or(layout.indent),
                ..layout
            };
            layouts = Layouts::new(&layout, self.run.configs.clone());
        }
        let layouts = Arc::new(layouts);
        if let Some(unknown) = layouts.unknown(Some(&open.path), kind) {
            return Err(failed(&format!("{}: {}", unknown.place, unknown.reason)));
        }
        let reason = layouts.reason(&open.path, false);
        if let Some(reason) = reason.filter(|_| matches!(change, Change::Format { .. })) {
            return Err(failed(&format!("it is left out by {reason}")));
        }
        let formatting = Formatting {
            options: file.check.clone(),
            layouts,
            verbose: false,
        };
        let input = Input::of_text(&open.path, open.text.bytes().clone());
        let input = file.check.translated(input);
        let mut input = input.map_err(|error| failed(&error.to_string()))?;
        let mut kind = InputKind::Auto;
        let written = file.check.by_content(&mut input, &mut kind, |input, kind| {
            let mut text = WriteTo(Vec::new());
            formatting.write(&true, input, kind, &mut text)?;
            Ok::<_, Failure>(text.0)
        });
        written.map_err(|failure| match failure {
            Failure::Declined { message, .. } => failed(message.trim_end()),
            _ => failed("the text is not valid: see its diagnostics"),
        })
    }

    /// Repairs a document like `fix`; `None` if there is nothing to repair.
    pub fn repaired(&self, open: &Open, with: Applicability) -> Option<Vec<u8>> {
        let (check, kind) = self.reading(open);
        let repairing = Repairing {
            with,
            // Safe fixes are useful even if the result is still invalid.
            partial: with == Applicability::Safe,
            ..Repairing::safely(check.clone())
        };
        let mut input = Input::of_text(&open.path, open.text.bytes().clone());
        let kind = match kind {
            // It is repaired as JSON with comments, which is JSON5 too.
            InputKind::Json5 => InputKind::Jsonc,
            kind => kind,
        };
        let mut notes = Notes::default();
        repairing.prepare(&mut input, kind, &mut notes).ok()?;
        notes.changed(repairing.partial).map(<[u8]>::to_vec)
    }
}

/// Edits as JSON.
pub fn as_json(text: &DocumentText, edits: Vec<TextEdit>) -> Vec<Value> {
    let edits = edits.into_iter();
    edits
        .map(|(span, new)| json!({"range": range(text.range(span)), "newText": new}))
        .collect()
}

/// The edits from `old` to `new`, within `wanted`: edits of gaps between tokens and of trailing commas if only these differ,
/// otherwise one edit. A gap counts too if `wanted` ends in a blank line of it.
pub fn edits(old: &[u8], new: &[u8], wanted: Range<usize>) -> Vec<TextEdit> {
    if let Some(edits) = gaps(old, new) {
        let is_within = |span: &Range<usize>| {
            let selected = old.get(span.start..wanted.end).unwrap_or_default();
            let has_blank = selected.contains(&b'\n') && !selected.ends_with(b"\n");
            wanted.start <= span.start && (span.end <= wanted.end || has_blank)
        };
        let edits = edits.into_iter();
        return edits.filter(|(span, _)| is_within(span)).collect();
    }
    let edit = one(old, new).into_iter();
    edit.filter(|(span, _)| wanted.start <= span.start && span.end <= wanted.end)
        .collect()
}

/// One edit, from the first to the last difference.
pub fn one(old: &[u8], new: &[u8]) -> Option<TextEdit> {
    if old == new {
        return None;
    }
    let is_inside = |text: &[u8], at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let mut start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    while start > 0 && (is_inside(old, start) || is_inside(new, start)) {
        start -= 1;
    }
    let ends = old[start..].iter().rev().zip(new[start..].iter().rev());
    let mut end = ends.take_while(|(a, b)| a == b).count();
    while end > 0 && is_inside(old, old.len() - end) {
        end -= 1;
    }
    let text = String::from_utf8_lossy(&new[start..new.len() - end]).into_owned();
    Some((start..old.len() - end, text))
}

/// The edits of white space and trailing commas, if nothing else differs.
fn gaps(old: &[u8], new: &[u8]) -> Option<Vec<TextEdit>> {
    let gap = |text: &[u8], at: usize| {
        let spaces = text[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        at + spaces.count()
    };
    let mut edits = Vec::new();
    let (mut from, mut to) = (0, 0);
    loop {
        let (end, new_end) = (gap(old, from), gap(new, to));
        if old[from..end] != new[to..new_end] {
            let text = String::from_utf8_lossy(&new[to..new_end]).into_owned();
            edits.push((from..end, text));
            if edits.len() > MOST {
                return None;
            }
        }
        (from, to) = (end, new_end);
        match (old.get(from), new.get(to)) {
            (None, None) => return Some(edits),
            (Some(a), Some(b)) if a == b => (from, to) = (from + 1, to + 1),
            (Some(b','), _) => {
                edits.push((from..from + 1, String::new()));
                from += 1;
            }
            (_, Some(b',')) => {
                edits.push((from..from, ",".to_owned()));
                to += 1;
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn applied(old: &str, edits: &[TextEdit]) -> String {
        let mut text = old.to_owned();
        for (span, new) in edits.iter().rev() {
            text.replace_range(span.clone(), new);
        }
        text
    }

    proptest! {
        #[test]
        fn edits_make_the_new_text(old in "[a,\u{e9}\u{e8}\u{20ac} \n]{0,12}", new in "[a,\u{e9}\u{e8}\u{20ac} \n]{0,12}") {
            let found = edits(old.as_bytes(), new.as_bytes(), 0..old.len());
            prop_assert_eq!(applied(&old, &found), new.clone());
            let single: Vec<TextEdit> = one(old.as_bytes(), new.as_bytes()).into_iter().collect();
            prop_assert_eq!(applied(&old, &single), new);
        }
    }

    #[test]
    fn only_gaps_within_the_range_change() {
        let (old, new) = ("[1 ,[2 ]]", "[1,[2]]");
        assert_eq!(
            applied(old, &edits(old.as_bytes(), new.as_bytes(), 4..9)),
            "[1 ,[2]]"
        );
        let (old, new) = ("[1 ,[2]]", "[1,[2,]]");
        assert_eq!(
            applied(old, &edits(old.as_bytes(), new.as_bytes(), 4..8)),
            "[1 ,[2,]]"
        );
        let (old, new) = ("[\n 1\n \n]", "[\n 1\n]");
        assert_eq!(
            applied(old, &edits(old.as_bytes(), new.as_bytes(), 2..6)),
            new
        );
    }
}
