//! Segments of a text, each rewritten separately.

use proptest::prelude::*;

use super::node::node;
use super::rewritten;
use crate::engine::{Options, Validator, Verdict};
use crate::format::{Indent, LineEnd, RewriteOptions, Rewriter, Style};

/// Rewrites segments of `size` bytes, each from a checkpoint of a first pass.
fn in_parts(text: &[u8], rewrite: RewriteOptions, options: Options, size: usize) -> Vec<u8> {
    let mut validator = Validator::new(options);
    let mut all = Vec::new();
    let mut taken = 0;
    loop {
        let mut validator_after = validator.clone();
        let before = &text[..validator_after.verified() as usize];
        let before = &before[before.len().saturating_sub(3)..];
        let mut rewriter = Rewriter::resume(rewrite, before, Vec::new()).unwrap();
        if text.len() - taken <= size {
            all.extend(validator_after.check(&text[taken..], rewriter).unwrap());
            return all;
        }
        let part = &text[taken..taken + size];
        validator_after.write(part, &mut rewriter).unwrap();
        all.extend(rewriter.pause().unwrap());
        validator.write(part, &mut Verdict).unwrap();
        taken += size;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn parts_join_to_the_whole(
        nodes in prop::collection::vec(node(), 1..4),
        gap in prop::sample::select(&["", " ", "\n\t"][..]),
        style in prop::sample::select(&[Style::Compact, Style::Pretty(Indent::Spaces(2)), Style::Pretty(Indent::Tab)][..]),
        [ascii, html, crlf, ends] in any::<[bool; 4]>(),
        size in 1usize..200,
    ) {
        let rewrite = RewriteOptions::from(style)
            .ascii(ascii)
            .html_safe(html)
            .line_end(if crlf { LineEnd::CrLf } else { LineEnd::Lf })
            .final_newline(ends);
        let mut text = String::new();
        for node in &nodes {
            node.text(gap, &mut text);
            text.push('\n');
        }
        let text = text.as_bytes();
        let options = Options::default().mode(crate::engine::Mode::Stream);
        let whole = rewritten(text, rewrite, options, usize::MAX).unwrap();
        for size in [size, 64] {
            let parts = in_parts(text, rewrite, options, size);
            prop_assert_eq!(
                String::from_utf8(parts).unwrap(),
                String::from_utf8(whole.clone()).unwrap()
            );
        }
    }
}
