//! Compares with a naive rewriter of trees, for every kernel and many window sizes.

mod node;
mod resume;

use proptest::prelude::*;

use self::node::{Node, decoded, node};
use super::*;
use crate::engine::{Kernel, Stop, Validator};
use crate::format::{Indent, PrettierStyle};
use jsonx_testing::cases;

/// A token without escapes that JSON does not require.
fn unescaped(text: &str, rewrite: &RewriteOptions) -> String {
    if !text.starts_with('"') {
        return text.to_owned();
    }
    let decoded: Option<String> = serde_json::from_str(text).ok();
    if let Some(decoded) = decoded
        && !decoded.contains(['<', '>', '&', '\u{2028}', '\u{2029}'])
    {
        return serde_json::to_string(&decoded).unwrap();
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let escape = crate::string::Escape::first(rest.as_bytes());
        let length = escape.map_or(c.len_utf8(), |escape| escape.length);
        let (token, after) = rest.split_at(length);
        match escape.map(|escape| escape.value) {
            Some(crate::string::Value::Char(c)) if matches!(c, '"' | '\\' | '\0'..='\x1f') => {
                let quoted = serde_json::to_string(&c).unwrap();
                out += &quoted[1..quoted.len() - 1];
            }
            Some(crate::string::Value::Char(c))
                if !rewrite.html_safe
                    || !matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') =>
            {
                out.push(c);
            }
            _ => out += token,
        }
        rest = after;
    }
    out
}

fn escaped(text: &str, rewrite: &RewriteOptions) -> String {
    let text = if rewrite.unescape {
        unescaped(text, rewrite)
    } else {
        text.to_owned()
    };
    let mut out = String::new();
    for c in text.chars() {
        let html = matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}');
        if rewrite.html_safe && html || rewrite.ascii && !c.is_ascii() {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out += &format!("\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

fn naive(nodes: &[Node], rewrite: &RewriteOptions) -> String {
    let mut out = String::new();
    for node in nodes {
        let mut node = node.map(&|text| escaped(text, rewrite));
        if rewrite.sort_keys {
            node = node.sorted(&|key| key.chars().collect::<Vec<_>>());
        }
        let step = match rewrite.style {
            Style::Compact => None,
            Style::Pretty(Indent::Spaces(count)) => Some(" ".repeat(usize::from(count))),
            Style::Pretty(Indent::Tab) => Some("\t".to_owned()),
        };
        out += &match step {
            None => node.line(""),
            Some(step) => {
                let width = usize::from(rewrite.width.unwrap_or(0));
                node.pretty(&step, width, 0, 0, 0)
            }
        };
        out += "\n";
    }
    if !rewrite.final_newline {
        out.pop();
    }
    match rewrite.line_end {
        LineEnd::Lf => out,
        LineEnd::CrLf => out.replace('\n', "\r\n"),
    }
}

/// Rewrites a text that comes in windows of `size` bytes.
pub(super) fn rewritten(
    text: &[u8],
    rewrite: RewriteOptions,
    options: Options,
    size: usize,
) -> Result<Vec<u8>, NotCanonical> {
    let mut rewriter = Rewriter::new(rewrite, Vec::new());
    let mut validator = Validator::new(options);
    let refusal = |halt| match halt {
        RewriteError::NotCanonical(refusal) => refusal,
        other => panic!("{other:?}"),
    };
    let stopped = |stop| match stop {
        Stop::Sink(halt) => refusal(halt),
        Stop::Invalid(error) => panic!("{error:?}"),
    };
    for window in text.chunks(size) {
        validator.write(window, &mut rewriter).map_err(stopped)?;
        rewriter.flush().map_err(refusal)?;
    }
    validator.finish(rewriter).map_err(stopped)
}

pub(super) fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// The rewritten text, which must be the same for every kernel and window size.
pub(super) fn everywhere(
    text: &[u8],
    rewrite: RewriteOptions,
    mode: Mode,
) -> Result<Vec<u8>, NotCanonical> {
    let first = rewritten(text, rewrite, Options::default().mode(mode), usize::MAX);
    for kernel in Kernel::available() {
        let options = Options::default().mode(mode).kernel(kernel);
        for size in [64, 100, 1000, 8192, usize::MAX] {
            let again = rewritten(text, rewrite, options, size);
            assert!(
                again == first,
                "{kernel:?} in windows of {size}: {again:?} and {first:?} of {}",
                shown(text)
            );
        }
    }
    first
}

fn check(nodes: &[Node], gap: &str, rewrite: RewriteOptions) {
    let mode = match nodes.len() {
        1 => Mode::One,
        _ => Mode::Stream,
    };
    let mut text = String::new();
    for node in nodes {
        node.text(gap, &mut text);
        text += "\n";
    }
    let expected = naive(nodes, &rewrite);
    let out = everywhere(text.as_bytes(), rewrite, mode).unwrap();
    assert!(
        out == expected.as_bytes(),
        "{rewrite:?} made\n{}of\n{text}\nand not\n{expected}",
        shown(&out)
    );
    // Rewriting is idempotent.
    let options = Options::default().mode(mode);
    assert_eq!(
        shown(&rewritten(&out, rewrite, options, 1000).unwrap()),
        expected
    );
}

fn rewrites() -> impl Strategy<Value = RewriteOptions> {
    let style = prop::sample::select(
        &[
            Style::Compact,
            Style::Pretty(Indent::Spaces(2)),
            Style::Pretty(Indent::Spaces(0)),
            Style::Pretty(Indent::Spaces(5)),
            Style::Pretty(Indent::Tab),
        ][..],
    );
    let width = prop_oneof![Just(None), (1..120_u16).prop_map(Some)];
    let line_end = prop::sample::select(&[LineEnd::Lf, LineEnd::CrLf][..]);
    let flags = any::<[bool; 5]>();
    (style, width, line_end, flags).prop_map(|(style, width, line_end, flags)| RewriteOptions {
        style,
        width,
        prettier: None,
        comments: None,
        line_end,
        final_newline: flags[3],
        sort_keys: flags[0],
        ascii: flags[1],
        html_safe: flags[2],
        unescape: flags[4] && !flags[1],
        canonical: false,
    })
}

/// The canonical form of RFC 8785, from a tree.
fn naive_canonical(node: &Node) -> String {
    let token = |text: &str| match text.as_bytes()[0] {
        b'"' => serde_json::to_string(&decoded(text)).unwrap(),
        b'-' | b'0'..=b'9' => {
            let value: f64 = text.parse().unwrap();
            ryu_js::Buffer::new().format(value).to_owned()
        }
        _ => text.to_owned(),
    };
    let node = node.sorted(&|key| key.encode_utf16().collect::<Vec<_>>());
    node.map(&token).line("")
}

fn has_duplicates(node: &Node) -> bool {
    match node {
        Node::Atom(_) => false,
        Node::Array(elements) => elements.iter().any(has_duplicates),
        Node::Object(members) => {
            let mut keys: Vec<_> = members.iter().map(|(key, _)| decoded(key)).collect();
            keys.sort();
            keys.windows(2).any(|pair| pair[0] == pair[1])
                || members.iter().any(|(_, node)| has_duplicates(node))
        }
    }
}

pub(super) const CANONICAL: RewriteOptions = RewriteOptions {
    style: Style::Compact,
    width: None,
    prettier: None,
    comments: None,
    line_end: LineEnd::Lf,
    final_newline: true,
    sort_keys: false,
    ascii: false,
    html_safe: false,
    unescape: false,
    canonical: true,
};

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn like_a_naive_rewriter(
        node in node(),
        gap in prop::sample::select(&["", " ", "\r\n\t   "][..]),
        rewrite in rewrites(),
    ) {
        check(&[node], gap, rewrite);
    }

    #[test]
    fn streams_like_a_naive_rewriter(
        nodes in prop::collection::vec(node(), 0..6),
        rewrite in rewrites(),
    ) {
        check(&nodes, "", rewrite);
    }

    #[test]
    fn canonical_like_a_naive_rewriter(nodes in prop::collection::vec(node(), 1..3)) {
        let mut text = String::new();
        nodes.iter().for_each(|node| {
            node.text(" ", &mut text);
            text += "\n";
        });
        let out = everywhere(text.as_bytes(), CANONICAL, Mode::Stream);
        match out {
            Ok(out) => {
                assert!(!nodes.iter().any(has_duplicates));
                let lines: Vec<_> = nodes.iter().map(naive_canonical).collect();
                assert_eq!(shown(&out), lines.join("\n"));
                let options = Options::default().mode(Mode::Stream);
                assert!(rewritten(&out, CANONICAL, options, 64) == Ok(out));
            }
            Err(refusal) => {
                let NotCanonicalKind::DuplicateKey { first } = refusal.kind else {
                    panic!("{refusal:?}");
                };
                let key = |at: u64| {
                    let rest = &text[at as usize..];
                    let end = crate::string::end(rest.as_bytes(), 1).unwrap();
                    decoded(&rest[..=end])
                };
                assert!(first < refusal.offset);
                assert_eq!(key(first), key(refusal.offset));
            }
        }
    }
}

#[test]
fn large_objects_are_sorted_where_small_ones_are() {
    // Larger than objects sorted in place, nested, sorted and unsorted.
    let long = |letter: &str, count| Node::Atom(format!("\"{}\"", letter.repeat(count)));
    let leaf = |keys: &[&str]| {
        Node::Object(
            keys.iter()
                .map(|key| (format!("\"{key}\""), long(key, 1500)))
                .collect(),
        )
    };
    let row = || {
        Node::Array(vec![
            leaf(&["c", "b", "a"]),
            leaf(&["a", "b", "c"]),
            leaf(&[]),
            leaf(&["d", "b", "c", "b", "a"]),
        ])
    };
    let mut node = row();
    for level in 0..10 {
        let mut members = vec![
            ("\"m\"".to_owned(), node),
            ("\"b\"".to_owned(), row()),
            ("\"x\"".to_owned(), leaf(&["b", "a"])),
            ("\"\\u0062\"".to_owned(), long("z", 3)),
        ];
        match level % 3 {
            0 => members.reverse(),
            1 => members.swap(0, 1),
            _ => members.sort_by(|a, b| a.0.cmp(&b.0)),
        }
        node = Node::Object(members);
    }
    for style in [Style::Compact, Style::Pretty(Indent::Tab)] {
        let rewrite = RewriteOptions {
            sort_keys: true,
            ..style.into()
        };
        check(std::slice::from_ref(&node), " ", rewrite);
    }
}

#[test]
fn cost_is_linear_in_depth_and_length() {
    // Quadratic work would take minutes here.
    let levels = 100_000;
    let deep = format!(
        "{}{}",
        "{\"b\":1,\"c\":[],\"a\":".repeat(levels),
        "1".to_owned() + &"}".repeat(levels)
    );
    let wide: String = (0..200_000)
        .map(|n| format!("\"{}{}\":{n},", "x".repeat(30), n * 7919 % 200_000))
        .collect();
    let wide = format!("{{{}\"\":[]}}", wide);
    let options = Options::default();
    for text in [deep, wide] {
        let rewrite = RewriteOptions {
            sort_keys: true,
            ..Style::Compact.into()
        };
        let sorted = rewritten(text.as_bytes(), rewrite, options, 8192).unwrap();
        assert_eq!(sorted.len(), text.len() + 1);
        assert!(rewritten(&sorted, rewrite, options, 8192).unwrap() == sorted);
        let canonical = rewritten(text.as_bytes(), CANONICAL, options, 8192).unwrap();
        assert!(canonical == sorted[..text.len()]);
    }
    let brackets = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let rewrite = RewriteOptions {
        width: Some(10_000),
        ..Style::Pretty(Indent::Spaces(0)).into()
    };
    let fitted = rewritten(brackets.as_bytes(), rewrite, options, 8192).unwrap();
    // 5,000 levels are one line.
    assert_eq!(
        fitted.iter().filter(|&&byte| byte == b'\n').count(),
        2 * 95_000 + 1
    );
}

#[test]
fn errors_have_the_offset() {
    for (text, kind, offset) in [
        (
            r#"{"a": 1, "\u0061": 2}"#,
            NotCanonicalKind::DuplicateKey { first: 1 },
            9,
        ),
        (
            r#"[{"b": {"x": 1, "y": {}, "x": 2, "y": 1}, "b": 1}]"#,
            NotCanonicalKind::DuplicateKey { first: 8 },
            25,
        ),
        (r#"{"a": "x\ud800y"}"#, NotCanonicalKind::LoneSurrogate, 8),
        (r#"{"\udc00": 1}"#, NotCanonicalKind::LoneSurrogate, 2),
        (r#"[1, 9007199254740993]"#, NotCanonicalKind::Rounded, 4),
        ("1e400", NotCanonicalKind::Rounded, 0),
    ] {
        let padded = format!("{}{text}", " ".repeat(100));
        let refusal = everywhere(text.as_bytes(), CANONICAL, Mode::One).unwrap_err();
        assert_eq!(refusal, NotCanonical { kind, offset }, "{text}");
        let refusal = everywhere(padded.as_bytes(), CANONICAL, Mode::One).unwrap_err();
        assert_eq!(refusal.offset, offset + 100, "{text}");
    }
}

#[test]
fn decided_text_is_written_for_a_truncated_input() {
    let pretty = RewriteOptions {
        style: Style::Pretty(Indent::Tab),
        ..RewriteOptions::default()
    };
    let ascii = RewriteOptions {
        width: Some(3),
        ascii: true,
        ..pretty
    };
    let sorted = RewriteOptions {
        sort_keys: true,
        ..pretty
    };
    let compact = RewriteOptions {
        sort_keys: true,
        ..RewriteOptions::from(Style::Compact)
    };
    let options = Options::default().mode(Mode::Stream);
    for (rewrite, text, expected) in [
        (pretty, "[1] [2, 3", "[\n\t1\n]\n[\n\t2,\n\t3\n"),
        (ascii, "[1] [2, 3", "[1]\n[\n\t2,\n\t3\n"),
        (sorted, "[1] [2, 3", "[\n\t1\n]\n[\n\t2,\n\t3\n"),
        (compact, "[1] [2, 3", "[1]\n[2,3\n"),
        // An open object is undecided, and has no line.
        (sorted, r#"[1] {"b": 2, "a"#, "[\n\t1\n]\n"),
        (compact, r#"[1] {"b": 2, "a"#, "[1]\n"),
        (compact, r#"[1, {"b": 2, "a"#, "[1,\n"),
        (sorted, r#"{"b": 2, "a"#, ""),
        (compact, r#"{"b": 2, "a"#, ""),
        (compact, "[", "[\n"),
        (compact, " ", ""),
    ] {
        let mut rewriter = Rewriter::new(rewrite, Vec::new());
        // The text may be incomplete.
        let _ = Validator::new(options).check(text.as_bytes(), &mut rewriter);
        let written = rewriter.abandon().map(|output| shown(&output));
        assert_eq!(written.as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn halves_of_pairs_are_sorted_between_the_characters_around_them() {
    let text = r#"{"\ue000":1,"\udc00":2,"\ud83d\ude00":3,"\ud800":4,"\ud7ff":5}"#;
    let rewrite = RewriteOptions {
        sort_keys: true,
        ..Style::Compact.into()
    };
    let sorted = everywhere(text.as_bytes(), rewrite, Mode::One).unwrap();
    let order: Vec<char> = shown(&sorted)
        .split(':')
        .skip(1)
        .filter_map(|value| value.chars().next())
        .collect();
    assert_eq!(order, ['5', '4', '2', '1', '3']);
}

#[test]
fn only_a_layout_without_a_width_may_start_in_the_middle_of_a_text() {
    let text = format!("[[{}0]]", "{\"b\":1,\"a\":0},".repeat(20));
    let start = |options: RewriteOptions| {
        let mut validator = Validator::new(Options::default());
        let (before, after) = text.as_bytes().split_at(64);
        validator
            .write(before, &mut crate::engine::Verdict)
            .unwrap();
        let rewriter = Rewriter::new(options, Vec::new());
        validator
            .check(after, rewriter)
            .map(|rewritten| shown(&rewritten))
    };
    let pretty = RewriteOptions::default();
    for options in [
        pretty.sort_keys(true),
        pretty.style(Style::Compact).sort_keys(true),
        pretty.width(Some(10)),
        pretty.prettier(Some(PrettierStyle::default())),
        pretty.canonical(true),
    ] {
        assert_eq!(
            start(options),
            Err(Stop::Sink(RewriteError::NotFromStart)),
            "{options:?}"
        );
    }
    for options in [pretty, pretty.ascii(true)] {
        assert!(start(options).unwrap().ends_with("\n    0\n  ]\n]\n"));
    }
}

#[test]
fn the_widest_line_buffers_at_most_a_line() {
    let long = format!("[{}0]", "[[],{\"a\":\"é\"}],".repeat(20_000));
    let fits = format!("[{}0]", "0,".repeat(20_000));
    let text = format!("[{long},{fits}]");
    let options = RewriteOptions::default().width(Some(u16::MAX));
    let pretty = rewritten(text.as_bytes(), options, Options::default(), 8192).unwrap();
    assert_eq!(
        shown(&pretty).lines().count(),
        1 + 1 + 20_000 + 1 + 1 + 1 + 1
    );
    assert_eq!(
        shown(&pretty).lines().map(str::len).max(),
        Some(4 + 3 * 20_000 + 1)
    );
}
