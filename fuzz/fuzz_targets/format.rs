//! Formatting valid text gives valid text, is idempotent, and changes only white space.

#![no_main]

use jsonx_core::engine::{Kernel, Mode, Options, validate_with};
use jsonx_core::format::{Formatter, Indent, Style};
use jsonx_fuzz::{MODES, in_windows};
use libfuzzer_sys::{Corpus, fuzz_target};

const PRETTY: [Style; 3] = [
    Style::Pretty(Indent::Spaces(2)),
    Style::Pretty(Indent::Spaces(0)),
    Style::Pretty(Indent::Tab),
];

fuzz_target!(|text: &[u8]| -> Corpus {
    let mut valid = false;
    for mode in MODES {
        if validate_with(text, Options::default().mode(mode)).is_ok() {
            valid = true;
            check(text, mode);
        }
    }
    // Invalid text is tested by the target `verdicts`.
    if valid { Corpus::Keep } else { Corpus::Reject }
});

/// Formats a valid text in windows of `size` bytes.
fn format(text: &[u8], style: Style, options: Options, size: usize) -> Vec<u8> {
    let mut formatter = Formatter::new(style, Vec::new());
    in_windows(text, options, size, &mut formatter).expect("valid text");
    formatter.finish().expect("a vector takes all bytes")
}

fn check(text: &[u8], mode: Mode) {
    let options = Options::default().mode(mode);
    let compact = same_for_all(text, Style::Compact, options);
    for style in PRETTY {
        let pretty = same_for_all(text, style, options);
        let shown = String::from_utf8_lossy(&pretty);
        assert_eq!(
            format(&pretty, Style::Compact, options, usize::MAX),
            compact,
            "{mode:?} {style:?}: compact after {shown:?}"
        );
        assert_eq!(
            format(&compact, style, options, usize::MAX),
            pretty,
            "{mode:?} {style:?}: by way of the compact text"
        );
    }
    if mode == Mode::One {
        let line = compact.strip_suffix(b"\n").expect("a line");
        assert_eq!(line, without_white_space(text), "the compact text");
    }
}

/// Formats a valid text with every kernel, in windows and all at once, and asserts equal results.
fn same_for_all(text: &[u8], style: Style, options: Options) -> Vec<u8> {
    let expected = format(text, style, options.kernel(Kernel::swar()), usize::MAX);
    for kernel in Kernel::available() {
        for size in [64, usize::MAX] {
            assert_eq!(
                format(text, style, options.kernel(kernel), size),
                expected,
                "{style:?} with {kernel:?} in windows of {size}"
            );
        }
    }
    validate_with(&expected, options).expect("formatted text is valid");
    let again = format(&expected, style, options, usize::MAX);
    assert_eq!(again, expected, "{style:?}: formatted again");
    expected
}

/// A valid text without the white space outside its strings, byte after byte.
fn without_white_space(text: &[u8]) -> Vec<u8> {
    let (mut inside, mut escaped) = (false, false);
    let keep = |byte: &u8| {
        let was_inside = inside;
        if !escaped && *byte == b'"' {
            inside = !inside;
        }
        escaped = was_inside && !escaped && *byte == b'\\';
        was_inside || !b" \t\n\r".contains(byte)
    };
    text.iter().copied().filter(keep).collect()
}
