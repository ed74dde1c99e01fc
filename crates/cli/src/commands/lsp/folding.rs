//! Folding ranges: containers, comments, and regions between `// #region` and `// #endregion`.

use std::io::Write;
use std::ops::Range;

use jsonx_core::jsonc::{Dialect, blank, comment_length};
use memchr::memrchr;
use serde_json::{Value, json};

use super::document::Open;
use super::outline::SYMBOLS;
use super::server::Server;
use super::text::DocumentText;
use super::view::{View, children, is_container};

/// Folds of a document.
const FOLDS: usize = 50_000;

impl<W: Write> Server<W> {
    /// The containers, comments and regions of several lines.
    pub fn folding(&self, open: &Open) -> Value {
        let mut folds = Vec::new();
        for view in self.views(open, SYMBOLS).1 {
            let repaired = view.repaired();
            add_containers(repaired.as_ref().unwrap_or(&view), &open.text, &mut folds);
            add_comments(&view, &open.text, &mut folds);
        }
        folds.sort_by_key(|fold| (fold["startLine"].as_u64(), fold["endLine"].as_u64()));
        folds.dedup();
        Value::Array(folds)
    }
}

/// Adds the containers of several lines.
fn add_containers(view: &View<'_>, text: &DocumentText, folds: &mut Vec<Value>) {
    let Some(document) = view.document() else {
        return;
    };
    let mut open = vec![document.root()];
    while let Some(node) = open.pop() {
        if folds.len() >= FOLDS || !is_container(node) {
            continue;
        }
        let (start, end) = text.range(view.span(node.span()));
        // A container on one line cannot be folded.
        if end.line > start.line {
            let last = end.line - u64::from(end.line > start.line + 1);
            folds.push(json!({"startLine": start.line, "endLine": last}));
            let inner = children(node).map(|(_, value)| value);
            open.extend(inner.filter(|it| is_container(*it)).take(FOLDS));
        }
    }
}

/// Adds the runs of comments and the regions of several lines.
fn add_comments(view: &View<'_>, text: &DocumentText, folds: &mut Vec<Value>) {
    let mut add = |span: Range<usize>, kind: &str| {
        let (start, end) = text.range(view.span(span));
        if end.line > start.line && folds.len() < FOLDS {
            folds.push(json!({"startLine": start.line, "endLine": end.line, "kind": kind}));
        }
    };
    let bytes = view.text();
    let mut run: Option<Range<usize>> = None;
    let mut regions = Vec::new();
    for comment in comments(bytes, view.options.dialect) {
        let mark = RegionMark::new(&bytes[comment.clone()]);
        run = match run {
            Some(run) if mark.is_none() && is_run(bytes, &run, &comment) => {
                Some(run.start..comment.end)
            }
            other => {
                other.into_iter().for_each(|run| add(run, "comment"));
                mark.is_none().then(|| comment.clone())
            }
        };
        match mark {
            Some(RegionMark::Start) => regions.push(comment.start),
            Some(RegionMark::End) => {
                let start = regions.pop().into_iter();
                start.for_each(|start| add(start..comment.end, "region"));
            }
            None => {}
        }
    }
    run.into_iter().for_each(|run| add(run, "comment"));
}

/// A comment that delimits a region.
enum RegionMark {
    Start,
    End,
}

impl RegionMark {
    fn new(comment: &[u8]) -> Option<RegionMark> {
        let name = comment.strip_prefix(b"//")?.trim_ascii_start();
        let name = name.strip_prefix(b"#")?;
        let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric());
        match &name[..end.unwrap_or(name.len())] {
            b"region" => Some(RegionMark::Start),
            b"endregion" => Some(RegionMark::End),
            _ => None,
        }
    }
}

/// Whether a comment continues a run that begins its line: on the same line or the next, with nothing in between.
fn is_run(text: &[u8], run: &Range<usize>, comment: &Range<usize>) -> bool {
    let line = memrchr(b'\n', &text[..run.start]).map_or(0, |at| at + 1);
    let gap = &text[run.end..comment.start];
    let is_blank = |text: &[u8]| text.trim_ascii().is_empty();
    is_blank(&text[line..run.start])
        && is_blank(gap)
        && gap.iter().filter(|&&byte| byte == b'\n').count() <= 1
}

/// The comments of a text.
fn comments(text: &[u8], dialect: Dialect) -> Vec<Range<usize>> {
    let mut blanked = text.to_vec();
    // Up to an error, the comments are blanked.
    let _ = blank(&mut blanked, dialect);
    let mut found = Vec::new();
    let mut at = 0;
    let next = |at: usize| {
        let mut pairs = text[at..].iter().zip(&blanked[at..]);
        pairs.position(|(old, new)| old != new).map(|gap| at + gap)
    };
    while let Some(start) = next(at) {
        // Or a trailing comma.
        at = start + 1;
        if text[start] == b'/' {
            at = start + comment_length(&text[start..]);
            found.push(start..at);
        }
    }
    found
}
