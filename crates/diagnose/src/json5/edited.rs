//! Edits of JSON5: an editor changes the translation, and unchanged tokens keep their spelling.
//!
//! ```text
//! source      {a: 'x', b: 0xFF}        append the member c
//! text        {"a": "x", "b": 255}
//! edited      {"a": "x", "b": 255, "c": "y"}
//! result      {a: 'x', b: 0xFF, c: 'y'}
//! ```

use std::collections::HashMap;
use std::ops::Range;

use jsonx_core::internal::Splices;

use super::lexer::{ElementKind, Lexer};
use super::positions::Translation;
use super::space;

/// The number of tokens on each side of a new one to search for its nearest sibling.
const NEAR: usize = 64;

/// A token with a spelling: a key, a string, a number or a literal.
struct Spelled {
    span: Range<usize>,
    is_key: bool,
    depth: usize,
}

fn spelled(text: &[u8]) -> Vec<Spelled> {
    let mut all: Vec<Spelled> = Vec::new();
    let mut depth = 0_usize;
    for token in Lexer::new(text) {
        match (token.kind, text[token.start]) {
            (ElementKind::String | ElementKind::Key | ElementKind::Word, _) => all.push(Spelled {
                span: token.start..token.end,
                is_key: false,
                depth,
            }),
            (ElementKind::Punctuation, b'[' | b'{') => depth += 1,
            (ElementKind::Punctuation, b']' | b'}') => depth = depth.saturating_sub(1),
            (ElementKind::Punctuation, b':') => {
                all.last_mut().into_iter().for_each(|it| it.is_key = true);
            }
            _ => {}
        }
    }
    all
}

impl Translation {
    /// Applies replacements in [`text`](Translation::text), which is valid before and after them, to the source. Unchanged
    /// tokens and copies keep their spelling; new keys and strings get the quotes of the nearest sibling. Numbers in
    /// `given`, the new values, are written unchanged.
    ///
    /// ```
    /// use jsonx_core::Document;
    /// use jsonx_core::engine::Options;
    /// use jsonx_diagnose::json5::Translation;
    /// use jsonx_core::jsonc::Dialect;
    ///
    /// let translation = Translation::new(b"{a: 'x', b: 0xFF}".to_vec());
    /// let document = Document::parse_with(translation.text(), Options::default().dialect(Dialect::Jsonc))?;
    /// let splices = document.edit().set(".c", r#""y""#)?.copy(".b", ".d")?.splices();
    /// assert_eq!(translation.edited(&splices, &[br#""y""#]), b"{a: 'x', b: 0xFF, c: 'y', d: 0xFF}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edited(&self, splices: &Splices, values: &[&[u8]]) -> Vec<u8> {
        let new = splices.apply(self.text());
        let edit = EditedJson5 {
            translation: self,
            splices,
            added: splices.spans().map(|(_, added)| added).collect(),
            new: &new,
            old: spelled(self.text()),
            sources: spelled(self.source()),
        };
        edit.result(values)
    }
}

struct EditedJson5<'e> {
    translation: &'e Translation,
    splices: &'e Splices,
    /// The spans of the splices in the new text.
    added: Vec<Range<usize>>,
    new: &'e [u8],
    /// The tokens of the translation and of the source, in equal number.
    old: Vec<Spelled>,
    sources: Vec<Spelled>,
}

impl EditedJson5<'_> {
    fn result(&self, values: &[&[u8]]) -> Vec<u8> {
        let source = self.translation.source();
        let mut copies: HashMap<(bool, &[u8]), &[u8]> = HashMap::new();
        for (old, source_token) in self.old.iter().zip(&self.sources) {
            let text = &self.translation.text()[old.span.clone()];
            let spelling = &source[source_token.span.clone()];
            copies.entry((old.is_key, text)).or_insert(spelling);
        }
        for value in values {
            for token in spelled(value) {
                copies.remove(&(token.is_key, &value[token.span]));
            }
        }
        let mut out = Vec::with_capacity(source.len() + self.new.len() / 8);
        if source.starts_with(b"\xEF\xBB\xBF") {
            out.extend_from_slice(&source[..3]);
        }
        let mut at = 0;
        for token in spelled(self.new) {
            self.copy_between(at..token.span.start, &mut out);
            let text = &self.new[token.span.clone()];
            match self
                .kept(&token)
                .or(copies.get(&(token.is_key, text)).copied())
            {
                Some(spelling) => out.extend_from_slice(spelling),
                None => self.spell(&token, &mut out),
            }
            at = token.span.end;
        }
        self.copy_between(at..self.new.len(), &mut out);
        out
    }

    /// The spelling of a token that the edit does not change.
    fn kept(&self, token: &Spelled) -> Option<&[u8]> {
        let span = self.splices.old_span(token.span.clone());
        let found = self
            .old
            .binary_search_by_key(&span.start, |old| old.span.start);
        let number = found.ok()?;
        let is_same = self.old[number].span == span
            && self.translation.text()[span] == self.new[token.span.clone()];
        let source = self.translation.source();
        is_same.then(|| &source[self.sources[number].span.clone()])
    }

    /// Copies the text between two tokens of the new text, from the source if it is unchanged.
    fn copy_between(&self, span: Range<usize>, out: &mut Vec<u8>) {
        let mut at = span.start;
        let kept = |span: Range<usize>, out: &mut Vec<u8>| {
            if !span.is_empty() {
                let source = self.translation.in_source(self.splices.old_span(span));
                out.extend_from_slice(&self.translation.source()[source]);
            }
        };
        let first = self.added.partition_point(|added| added.end < span.start);
        for added in self.added[first..]
            .iter()
            .take_while(|it| it.start < span.end)
        {
            kept(at..added.start.max(at), out);
            at = added.end.min(span.end).max(at);
            out.extend_from_slice(&self.new[added.start.max(span.start)..at]);
        }
        kept(at..span.end, out);
    }

    /// Writes a new token; a key or a string gets the quotes of its siblings.
    fn spell(&self, token: &Spelled, out: &mut Vec<u8>) {
        let text = &self.new[token.span.clone()];
        let Some(inner) = text
            .strip_prefix(b"\"")
            .and_then(|it| it.strip_suffix(b"\""))
        else {
            return out.extend_from_slice(text);
        };
        let mut quote = self.quote_near(token, token.is_key);
        if quote.is_some_and(|quote| !b"'\"".contains(&quote)) && space::is_name(inner) {
            return out.extend_from_slice(inner);
        }
        if quote != Some(b'"') && quote != Some(b'\'') {
            quote = self.quote_near(token, false);
        }
        if quote != Some(b'\'') || inner.contains(&b'\'') {
            return out.extend_from_slice(text);
        }
        out.push(b'\'');
        let mut rest = inner;
        while let Some((&byte, after)) = rest.split_first() {
            let (kept, after) = match (byte, after) {
                (b'\\', [b'"', after @ ..]) => (&b"\""[..], after),
                (b'\\', [_, after @ ..]) => (&rest[..2], after),
                _ => (&rest[..1], after),
            };
            out.extend_from_slice(kept);
            rest = after;
        }
        out.push(b'\'');
    }

    /// The first byte of the nearest key or string of the source, preferably at the same depth.
    fn quote_near(&self, token: &Spelled, is_key: bool) -> Option<u8> {
        let place = self.splices.old_offset(token.span.start);
        let next = self.old.partition_point(|old| old.span.start <= place);
        let near = next.saturating_sub(NEAR)..self.old.len().min(next + NEAR);
        let spelling = |at: usize| &self.translation.source()[self.sources[at].span.clone()];
        let fits = |at: &usize| {
            let spelling = spelling(*at);
            // The quotes of a string that contains a quote were not a free choice.
            let is_chosen = match spelling[0] {
                b'"' => !spelling.contains(&b'\''),
                b'\'' => !spelling.contains(&b'"'),
                _ => is_key,
            };
            self.old[*at].is_key == is_key && is_chosen
        };
        let distance = |at: &usize| {
            let depth = self.old[*at].depth.abs_diff(token.depth);
            // Preceding ones first.
            let far = if *at < next {
                2 * (next - at) - 2
            } else {
                2 * (at - next) + 1
            };
            (depth, far)
        };
        let nearest = near.filter(fits).min_by_key(distance);
        nearest.map(|at| spelling(at)[0])
    }
}
