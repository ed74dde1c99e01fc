//! Merges adjacent findings on one line with the same message into one block.

use jsonx_diagnose::Diagnostic;

use super::super::Index;

/// One or more findings with one message.
pub(super) struct Block<'a> {
    pub findings: Vec<&'a Diagnostic>,
}

/// Maximum number of findings, and so of labels, in a block.
const MAX_FINDINGS: usize = 4;

/// Maximum length of the merged spans in bytes: they must fit on a line of the output.
const MAX_LENGTH: usize = 60;

pub(super) fn merge<'a>(shown: &[&'a Diagnostic], index: &Index) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block> = Vec::new();
    for &diagnostic in shown {
        match blocks.last_mut() {
            Some(block) if joins(block, diagnostic, index) => block.findings.push(diagnostic),
            _ => blocks.push(Block {
                findings: vec![diagnostic],
            }),
        }
    }
    blocks
}

fn joins(block: &Block, next: &Diagnostic, index: &Index) -> bool {
    let first = block.findings[0];
    block.findings.len() < MAX_FINDINGS
        && is_simple(first)
        && is_simple(next)
        && (first.code, &first.message, first.record) == (next.code, &next.message, next.record)
        && (&first.notes, &first.help, first.advice) == (&next.notes, &next.help, next.advice)
        && next.span.end.saturating_sub(first.span.start) <= MAX_LENGTH
        && index.line_start(first.span.start) == index.line_start(next.span.start)
}

/// Whether a finding marks only its own span.
fn is_simple(diagnostic: &Diagnostic) -> bool {
    diagnostic.related.is_empty() && diagnostic.more.is_empty() && diagnostic.elsewhere.is_empty()
}
