//! Segments of a text, each checked without the preceding text, give the verdict of the whole.

use super::{machine, segmented};
use crate::engine::{Kernel, Mode, Options, validate_with};

/// Texts whose state is hard to guess, in segments that begin at every position.
#[test]
fn on_segments_of_hostile_texts() {
    let texts = [
        // Strings that look like JSON, and JSON that looks like strings.
        format!("[{}1]", r#""\",\"a\":","b","#.repeat(300)),
        format!(
            "[{}1]",
            r#"{"a\"":"\",","b":"{\"c\":[1,2]},"},"#.repeat(300)
        ),
        format!(
            r#"{{"a":"{}"}}"#,
            r#","a":1},{"b":["#.replace('"', "\\\"").repeat(300)
        ),
        format!("[\"{}\"]", ",\\\\".repeat(1500)),
        format!("[\"{}\", 1, 2]", "\\\\\\\"".repeat(2000)),
        // Only a string, white space, or digits.
        format!("[\"{}\", 1]", "1, 2, ".repeat(1000)),
        format!("[1,{}2]", " ".repeat(5000)),
        format!("[1,{}2]", "\n".repeat(5000)),
        format!("[1,{}2]", "3".repeat(5000)),
        // Enclosing containers closed one after another, and nesting beyond the depth limit.
        format!("{}1{}", "[".repeat(3000), "]".repeat(3000)),
        format!("{}1{}", "[1,".repeat(1500), ",2]".repeat(1500)),
        format!("{}1{}", "{\"a\":[1,".repeat(900), "],\"b\":2}".repeat(900)),
        format!("[{}1]", "[[],{}],".repeat(900)),
        // Streams.
        "1 2 3, 4 5\n".repeat(500),
        "{\"a\":1} [2, 3]\n\"b\",".repeat(300),
        "{\"a\":1} [2, 3]\n\"b\" ".repeat(300),
        "[1,2],3".repeat(600),
    ];
    for text in &texts {
        let changed = text.replacen(']', "}", 7).replacen("},", "]", 3);
        let wrong = text.replace(":1", "=1");
        for text in [text.as_str(), &text[..text.len() - 1], &changed, &wrong] {
            for mode in [Mode::One, Mode::Stream] {
                for max_depth in [u64::MAX, 2000, 3] {
                    let expected = machine(text.as_bytes(), mode, max_depth);
                    let options = Options::default().mode(mode).max_depth(max_depth);
                    for size in [64, 509] {
                        for kernel in Kernel::available() {
                            let options = options.kernel(kernel);
                            let (verdict, _) = segmented(text.as_bytes(), options, size);
                            let shown = &text[..text.len().min(60)];
                            assert_eq!(verdict, expected, "{shown} {mode:?} {max_depth} {size}");
                        }
                    }
                }
            }
        }
    }
}

/// Guesses must be right for common texts, or several threads gain nothing.
#[test]
fn segments_of_usual_texts_are_guessed() {
    let records: Vec<String> = (0..2000)
        .map(|n| format!(r#"{{"id": {n}, "tags": ["a,b", "c"], "at": {{"x": -{n}.5, "y": [1, [2, 3]]}}, "ok": true}}"#))
        .collect();
    let minified = format!("[{}]", records.join(",").replace(": ", ":"));
    let indented = format!("{{\n  \"all\": [\n    {}\n  ]\n}}", records.join(",\n    "));
    let lines = records.join("\n");
    for (text, mode) in [
        (&minified, Mode::One),
        (&indented, Mode::One),
        (&lines, Mode::Stream),
    ] {
        for size in [1000, 4096, 10_007] {
            let options = Options::default().mode(mode).max_depth(100);
            let (verdict, right) = segmented(text.as_bytes(), options, size);
            assert_eq!(verdict, Ok(()));
            // The first has no comma before it; the last may be too short.
            let segments = text.len().div_ceil(size);
            assert!(
                right + 2 >= segments,
                "{right} of {segments} of {size} bytes"
            );
        }
    }
}

/// With comments nothing is guessed; the verdict is the same.
#[test]
fn segments_of_texts_with_comments() {
    let text = "[{\"a\": 1, /* \" , */}, // [\n2, ],".repeat(100);
    for text in [format!("[{text}]"), format!("[{text}")] {
        let options = Options::default().dialect(crate::jsonc::Dialect::Jsonc);
        let expected = validate_with(text.as_bytes(), options);
        for size in [7, 64, 1000] {
            assert_eq!(segmented(text.as_bytes(), options, size), (expected, 0));
        }
    }
}
