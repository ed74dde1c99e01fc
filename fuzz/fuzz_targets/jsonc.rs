//! Texts with comments: every kernel and window gives the verdict of plain JSON on the text after a bytewise filter
//! removes comments; formatting keeps comments and values and is idempotent; so is sorting.

#![no_main]

use jsonx_core::engine::{Kernel, Options, Stop, Validator, Verdict, validate_with};
use jsonx_core::format::{
    Formatter, RewriteOptions, Rewriter, Style, TrailingCommas, sort_commented,
};
use jsonx_core::jsonc::{Dialect, blank};
use jsonx_core::validate;
use jsonx_fuzz::in_windows;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for dialect in [Dialect::Comments, Dialect::Jsonc] {
        check(text, dialect);
    }
});

fn check(text: &[u8], dialect: Dialect) {
    let filtered = filtered(text, dialect);
    let is_valid = filtered
        .as_ref()
        .is_some_and(|plain| validate(plain).is_ok());
    let options = Options::default().dialect(dialect);
    let expected = validate_with(text, options.kernel(Kernel::swar()));
    assert_eq!(expected.is_ok(), is_valid, "{dialect:?}: {expected:?}");
    for kernel in Kernel::available() {
        for size in [1, 64, 100, usize::MAX] {
            let verdict = in_windows(text, options.kernel(kernel), size, &mut Verdict);
            let verdict = verdict.map_err(|stop| match stop {
                Stop::Invalid(error) => error,
                Stop::Sink(never) => match never {},
            });
            assert_eq!(
                verdict, expected,
                "{dialect:?} with {kernel:?} in windows of {size}"
            );
        }
    }
    let mut blanked = text.to_vec();
    if !is_valid || blank(&mut blanked, dialect).is_err() {
        return assert!(!is_valid, "{dialect:?}");
    }
    assert_eq!(Some(&blanked), filtered.as_ref(), "{dialect:?}");
    for width in [None, Some(0), Some(24)] {
        let commented = RewriteOptions::default().comments(Some(TrailingCommas::Keep));
        let style = commented.width(width);
        let formatted = formatted(text, options, style);
        let again = self::formatted(&formatted, options, style);
        assert_eq!(again, formatted, "{dialect:?}");
        let mut plain = formatted.clone();
        blank(&mut plain, dialect).expect("comments");
        assert_eq!(minified(&plain), minified(&blanked), "{dialect:?}");
    }
    sort(text, dialect, &blanked);
}

/// Sorted text has the values of the sorted text without comments, and sorting is idempotent.
fn sort(text: &[u8], dialect: Dialect, blanked: &[u8]) {
    let options = Options::default().dialect(dialect);
    let sorted = sort_commented(text, options).expect("a valid text");
    assert_eq!(sort_commented(&sorted, options).as_ref(), Ok(&sorted));
    let mut plain = sorted;
    blank(&mut plain, dialect).expect("comments");
    let options = RewriteOptions::from(Style::Compact).sort_keys(true);
    let mut rewriter = Rewriter::new(options, Vec::new());
    let checked = Validator::new(Options::default()).check(blanked, &mut rewriter);
    checked.expect("a valid text");
    assert_eq!(
        minified(&plain),
        rewriter.finish().expect("a text in memory")
    );
}

fn formatted(text: &[u8], options: Options, style: RewriteOptions) -> Vec<u8> {
    let formatter = Rewriter::new(style, Vec::new());
    Validator::new(options)
        .check(text, formatter)
        .expect("valid text")
}

fn minified(text: &[u8]) -> Vec<u8> {
    let formatter = Formatter::new(Style::Compact, Vec::new());
    Validator::new(Options::default())
        .check(text, formatter)
        .expect("valid text")
}

/// The text without comments and trailing commas, filtered byte by byte; `None` if a comment is invalid.
fn filtered(text: &[u8], dialect: Dialect) -> Option<Vec<u8>> {
    let mut out = text.to_vec();
    let (mut at, mut before, mut comma) = (0, b'[', None);
    while at < text.len() {
        match text[at] {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'/' => {
                let end = match *text.get(at + 1)? {
                    b'/' => {
                        let breaks = |byte: &u8| matches!(byte, b'\n' | b'\r');
                        let end = text[at..].iter().position(breaks);
                        end.map_or(text.len(), |end| at + end)
                    }
                    b'*' => {
                        let end = text[at + 2..].windows(2).position(|two| two == b"*/");
                        at + 2 + end? + 2
                    }
                    _ => return None,
                };
                std::str::from_utf8(&text[at..end]).ok()?;
                for byte in &mut out[at..end] {
                    if !matches!(byte, b'\n' | b'\r') {
                        *byte = b' ';
                    }
                }
                at = end;
            }
            b'"' => {
                at += 1;
                while at < text.len() && text[at] != b'"' {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                (before, comma) = (b'"', None);
            }
            byte => {
                if let (b']' | b'}', Some(comma)) = (byte, comma)
                    && dialect.allows_trailing_commas()
                {
                    out[comma] = b' ';
                }
                comma = (byte == b',' && !b"[{,:".contains(&before)).then_some(at);
                before = byte;
                at += 1;
            }
        }
    }
    Some(out)
}
