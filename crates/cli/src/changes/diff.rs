//! The change as a unified diff, for `patch` and `git apply`.

use std::ops::Range;

use anstyle::{AnsiColor, Style as Ink};
use imara_diff::sources::byte_lines;
use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

use crate::input::Name;
use crate::report::escape_lines;

/// Number of equal lines around a difference.
const CONTEXT: u32 = 3;

/// The style of differences.
#[derive(Clone, Copy)]
pub struct DiffStyle {
    /// In color.
    pub colored: bool,
    /// On a terminal, with control characters escaped.
    pub escaped: bool,
}

/// The difference between two different texts.
pub fn unified(name: &Name, before: &[u8], after: &[u8], style: DiffStyle) -> Vec<u8> {
    let input = InternedInput::new(byte_lines(before), byte_lines(after));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let name = quoted(name.bytes());
    let mut printer = DiffPrinter {
        input,
        style,
        out: Vec::new(),
    };
    let bold = Ink::new().bold();
    printer.line(bold, b"--- ", &name);
    printer.line(bold, b"+++ ", &name);
    let mut near: Vec<Hunk> = Vec::new();
    for hunk in diff.hunks() {
        if near
            .last()
            .is_some_and(|last| hunk.before.start - last.before.end > 2 * CONTEXT)
        {
            printer.hunks(&near);
            near.clear();
        }
        near.push(hunk);
    }
    printer.hunks(&near);
    printer.out
}

/// A file name for `patch` and `git`: quoted if it has characters that would end it.
fn quoted(name: &[u8]) -> Vec<u8> {
    // `##` begins a command in the log of a CI service.
    let marks = name.windows(2).any(|two| two == b"##");
    let plain = |byte: &u8| match byte {
        0..0x20 | 0x7F | b'"' | b'\\' => false,
        b'#' => !marks,
        _ => true,
    };
    let mut out = Vec::new();
    if name.iter().all(plain) {
        out.extend_from_slice(name);
        if name.contains(&b' ') {
            // A date might follow.
            out.push(b'\t');
        }
    } else {
        out.push(b'"');
        for byte in name {
            match byte {
                b'"' | b'\\' => out.extend([b'\\', *byte]),
                byte if plain(byte) => out.push(*byte),
                byte => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
            }
        }
        out.push(b'"');
    }
    out.push(b'\n');
    out
}

/// The text of a difference while it is written.
struct DiffPrinter<'a> {
    input: InternedInput<&'a [u8]>,
    style: DiffStyle,
    out: Vec<u8>,
}

impl DiffPrinter<'_> {
    /// Neighboring differences, and the lines around them.
    fn hunks(&mut self, near: &[Hunk]) {
        let (Some(first), Some(last)) = (near.first(), near.last()) else {
            return;
        };
        let lead = first.before.start.min(CONTEXT);
        let length = self.input.before.len() as u32;
        let tail = (length - last.before.end).min(CONTEXT);
        let header = format!(
            "@@ -{} +{} @@\n",
            range(first.before.start - lead..last.before.end + tail),
            range(first.after.start - lead..last.after.end + tail),
        );
        self.line(AnsiColor::Cyan.on_default(), b"", header.as_bytes());
        let mut equal = first.before.start - lead;
        for hunk in near {
            self.equal(equal..hunk.before.start);
            for at in hunk.before.clone() {
                let line = self.input.interner[self.input.before[at as usize]];
                self.line(AnsiColor::Red.on_default(), b"-", line);
            }
            for at in hunk.after.clone() {
                let line = self.input.interner[self.input.after[at as usize]];
                self.line(AnsiColor::Green.on_default(), b"+", line);
            }
            equal = hunk.before.end;
        }
        self.equal(equal..last.before.end + tail);
    }

    fn equal(&mut self, lines: Range<u32>) {
        for at in lines {
            let line = self.input.interner[self.input.before[at as usize]];
            self.line(Ink::new(), b" ", line);
        }
    }

    fn line(&mut self, ink: Ink, mark: &[u8], line: &[u8]) {
        let (text, ended) = match line {
            [text @ .., b'\n'] => (text, true),
            text => (text, false),
        };
        let colored = self.style.colored && ink != Ink::new();
        if colored {
            self.out
                .extend_from_slice(ink.render().to_string().as_bytes());
        }
        self.out.extend_from_slice(mark);
        if self.style.escaped {
            self.out.extend_from_slice(escape_lines(text).as_bytes())
        } else {
            self.out.extend_from_slice(text)
        }
        if colored {
            let reset = ink.render_reset().to_string();
            self.out.extend_from_slice(reset.as_bytes());
        }
        self.out.push(b'\n');
        if !ended {
            self.out
                .extend_from_slice(b"\\ No newline at end of file\n");
        }
    }
}

/// A range in the header of a hunk: lines count from 1; an empty range has the number of the line before it.
fn range(lines: Range<u32>) -> String {
    let first = if lines.is_empty() {
        lines.start
    } else {
        lines.start + 1
    };
    format!("{first},{}", lines.end - lines.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const PLAIN: DiffStyle = DiffStyle {
        colored: false,
        escaped: false,
    };

    fn diff(name: &str, before: &str, after: &str) -> String {
        let text = unified(
            &Name::new(Path::new(name)),
            before.as_bytes(),
            after.as_bytes(),
            PLAIN,
        );
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn far_places_are_hunks_of_their_own() {
        let lines = |marked: &[usize]| -> String {
            let line = |n| {
                if marked.contains(&n) {
                    format!("line  {n}\n")
                } else {
                    format!("line {n}\n")
                }
            };
            (1..=30).map(line).collect()
        };
        insta::assert_snapshot!(diff("a.json", &lines(&[]), &lines(&[1, 8, 20, 30])), @r"
        --- a.json
        +++ a.json
        @@ -1,11 +1,11 @@
        -line 1
        +line  1
         line 2
         line 3
         line 4
         line 5
         line 6
         line 7
        -line 8
        +line  8
         line 9
         line 10
         line 11
        @@ -17,7 +17,7 @@
         line 17
         line 18
         line 19
        -line 20
        +line  20
         line 21
         line 22
         line 23
        @@ -27,4 +27,4 @@
         line 27
         line 28
         line 29
        -line 30
        +line  30
        ");
    }

    #[test]
    fn missing_newlines_at_the_end_are_marked() {
        assert_eq!(
            diff("a b.json", "[1]", "[\n  1\n]\n"),
            "--- a b.json\t\n+++ a b.json\t\n@@ -1,1 +1,3 @@\n-[1]\n\\ No newline at end of file\n+[\n+  1\n+]\n"
        );
        assert_eq!(
            diff("\"a\n", " \n", ""),
            "--- \"\\\"a\\012\"\n+++ \"\\\"a\\012\"\n@@ -1,1 +0,0 @@\n- \n"
        );
    }

    #[test]
    fn carriage_returns_show_on_a_terminal() {
        let name = Name::new(Path::new("a.json"));
        let style = DiffStyle {
            escaped: true,
            ..PLAIN
        };
        let text = unified(&name, b"[1]\r\n", b"[1]\n", style);
        let expected = "--- a.json\n+++ a.json\n@@ -1,1 +1,1 @@\n-[1]␍\n+[1]\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        // Elsewhere, `patch` reads them.
        assert!(diff("a.json", "[1]\r\n", "[1]\n").contains("-[1]\r\n+[1]\n"));
    }

    #[test]
    fn a_terminal_gets_colors_and_nothing_that_it_obeys() {
        let style = DiffStyle {
            colored: true,
            escaped: true,
        };
        let name = Name::new(Path::new("a.json"));
        let text = unified(&name, b"[\"\x9b\xc2\x9b2J\x7f\"]\n", b"[]\n", style);
        insta::assert_snapshot!(String::from_utf8(text).unwrap().replace('\x1b', "ESC"), @r#"
        ESC[1m--- a.jsonESC[0m
        ESC[1m+++ a.jsonESC[0m
        ESC[36m@@ -1,1 +1,1 @@ESC[0m
        ESC[31m-["<9B><U+009B>2J␡"]ESC[0m
        ESC[32m+[]ESC[0m
        "#);
    }
}
