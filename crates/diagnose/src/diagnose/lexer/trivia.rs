//! Skips the text between tokens: white space, comments, merge-conflict markers.

use jsonx_core::hex;

use super::super::advice::Advice;
use super::super::code::Code;
use super::super::diagnostic::{
    Applicability::{Review, Safe},
    Span,
};
use super::ahead::marker;
use super::{Lexer, Previous};

impl Lexer<'_> {
    /// A new line starts at `at`.
    pub(super) fn start_line(&mut self, at: usize) {
        self.line = at;
        self.line_number += 1;
        self.first = true;
        self.indent = self.text[at..]
            .iter()
            .take_while(|&&byte| matches!(byte, b' ' | b'\t'))
            .count();
    }

    /// A token from `start` to `end` contains line breaks.
    pub(super) fn crossed_lines(&mut self, start: usize, end: usize) {
        let inside = &self.text[start..end];
        if let Some(last) = memchr::memrchr2(b'\n', b'\r', inside) {
            self.line_number += super::super::line_breaks(inside) as u32 - 1;
            self.start_line(start + last + 1);
            self.first = false;
        }
    }

    /// Skips to the next token or the end.
    pub(super) fn skip_trivia(&mut self) {
        let from = self.at;
        if self.at == 0 {
            self.conflict_marker();
        }
        while let Some(byte) = self.byte(0) {
            match byte {
                b' ' | b'\t' => self.at += 1,
                b'\n' | b'\r' => {
                    self.at += if byte == b'\r' && self.byte(1) == Some(b'\n') {
                        2
                    } else {
                        1
                    };
                    self.start_line(self.at);
                    self.conflict_marker();
                    if self.at == self.line {
                        self.at += self.indent;
                    }
                }
                b'/' if matches!(self.byte(1), Some(b'/' | b'*')) => self.comment(),
                b'/' if self.is_stray() => self.stray_slash(),
                b'*' if self.byte(1) == Some(b'/') => self.unopened_comment(),
                b'#' if !self.is_color() && !self.is_missing_its_quote() => self.comment(),
                b'<' if self.rest().starts_with(b"<!--") => self.comment(),
                0x20..=0x7F => break,
                _ => match foreign_space(self.rest()) {
                    Some(_) => self.foreign_spaces(),
                    None => break,
                },
            }
        }
        self.steps += (self.at - from) as u64;
    }

    fn comment(&mut self) {
        let start = self.at;
        let line = self.line_number;
        let (end, closed) = match (self.text[start], self.byte(1)) {
            (b'/', Some(b'*')) => self.block(2, b"*/"),
            (b'<', _) => self.block(4, b"-->"),
            _ => (self.ahead.line_end(start), true),
        };
        self.at = end;
        let span = Span::new(start, end);
        // The line of the next token starts after the last line break inside the comment.
        if let Some(last) = memchr::memrchr2(b'\n', b'\r', &self.text[start..end]) {
            self.line_number += super::super::line_breaks(&self.text[start..end]) as u32 - 1;
            self.start_line(start + last + 1);
        }
        if !closed && self.text[start] == b'/' {
            self.in_comment = true;
            self.report(Code::UnclosedComment, Span::new(start, start + 2), |d| {
                d.message("this comment never ends")
                    .label("`*/` is missing")
                    .replace(Review, Span::new(start, end), "");
            });
            return;
        }
        if self.dialect.allows_comments() && self.text[start] == b'/' {
            return;
        }
        // Replace a comment between two tokens with a space, or they would merge.
        let before = start.checked_sub(1).map(|i| self.text[i]);
        let glued = before.is_some_and(joins) && self.text.get(end).copied().is_some_and(joins);
        let (text, dialect) = (self.text, self.dialect);
        let advised = self.advises_comments && text[start] == b'/';
        self.advises_comments &= !advised;
        let index = self.report(Code::Comment, span, |d| {
            if dialect.allows_comments() {
                d.message("JSONC has no comments of this kind")
                    .label("write `//` or `/* */`");
                if let [b'#', ..] = text[start..end] {
                    d.replace(Safe, Span::new(start, start + 1), "//");
                }
                return;
            }
            d.message("comments are not allowed in JSON");
            if advised {
                d.advise(Advice::AllowComments);
            }
            if closed {
                d.label("remove this comment")
                    .replace(Safe, span, if glued { " " } else { "" });
            } else {
                d.label("this comment never ends").replace(Review, span, "");
            }
        });
        if matches!(self.text[start..end], [b'#', ..] | [b'/', b'/', ..]) {
            self.line_comment = Some((span, line, index));
        }
    }

    /// Whether the `#` here begins a color as a value, such as `#ff0000`, and no comment.
    fn is_color(&self) -> bool {
        let digits = hex::count_digits(&self.rest()[1..]);
        let next = self.text.get(self.ahead.nonblank(self.at + 1 + digits));
        let ends = match next {
            Some(b',' | b'}' | b']') => true,
            None | Some(b'\n' | b'\r') => self.previous == Previous::Separator,
            _ => false,
        };
        matches!(digits, 3 | 4 | 6 | 8) && ends && self.in_value_position()
    }

    /// Whether the slash here begins no comment, and nothing else that is reported as a whole.
    fn is_stray(&self) -> bool {
        match self.byte(1) {
            None | Some(b' ' | b'\t' | b'\r' | b'\n') => true,
            Some(_) => self.dialect.allows_comments(),
        }
    }

    /// Reports a slash that begins no comment, and skips it; with the rest of its line, if that is prose.
    fn stray_slash(&mut self) {
        let start = self.at;
        let end = self.ahead.line_end(start);
        let is_prose = !self.text[start + 1..end]
            .iter()
            .any(|byte| b"{}[]\",:".contains(byte));
        self.at = if is_prose { end } else { start + 1 };
        let has_comments = self.dialect.allows_comments();
        self.report(Code::StraySlash, Span::new(start, start + 1), |d| {
            d.message("a single `/` begins no comment");
            if !has_comments {
                d.label("remove it");
                if is_prose {
                    d.replace(Review, Span::new(start, end), "");
                }
            } else if is_prose {
                d.label("write `//`")
                    .replace(Safe, Span::new(start, start + 1), "//");
            } else {
                d.label("write `//` or `/*`, or remove it");
            }
        });
    }

    /// Reports the end of a comment that did not begin, and skips it.
    fn unopened_comment(&mut self) {
        let span = Span::new(self.at, self.at + 2);
        self.at = span.end;
        self.report(Code::UnopenedComment, span, |d| {
            d.message("`*/` ends no comment")
                .label("remove it, or write `/*` where the comment begins")
                .replace(Review, span, "");
        });
    }

    /// The end of a comment that ends with `close`, or the end of the text.
    fn block(&self, open: usize, close: &[u8]) -> (usize, bool) {
        let from = (self.at + open).min(self.text.len());
        match memchr::memmem::find(&self.text[from..], close) {
            Some(i) => (from + i + close.len(), true),
            None => (self.text.len(), false),
        }
    }

    fn foreign_spaces(&mut self) {
        let start = self.at;
        let (_, name) = foreign_space(self.rest()).unwrap_or((1, ""));
        let mut count = 0u64;
        let mut mixed = false;
        while let Some((length, other)) = foreign_space(self.rest()) {
            self.at += length;
            count += 1;
            mixed |= other != name;
        }
        let span = Span::new(start, self.at);
        let at_end = self.at == self.text.len();
        let is_record = self.record;
        let before = start.checked_sub(1).map(|i| self.text[i]);
        let glued = before.is_some_and(joins) && self.byte(0).is_some_and(joins);
        let invisible = is_invisible(&self.text[start..]) && !mixed && !glued;
        self.report(Code::InvalidWhitespace, span, |d| {
            if name == "NUL byte" && !mixed && at_end {
                let text = if is_record { "line" } else { "file" };
                d.message(if count == 1 {
                    format!("{text} ends with a NUL byte")
                } else {
                    format!("{text} ends with {count} NUL bytes")
                });
                d.label(match (is_record, count) {
                    (false, _) => "remove everything from here",
                    (true, 1) => "remove it",
                    (true, _) => "remove them",
                })
                .replace(Safe, span, "");
            } else if invisible {
                d.message(format_args!("{name} is not white space in JSON"))
                    .label("remove it")
                    .replace(Safe, span, "");
            } else {
                d.message(if mixed {
                    "characters that are not white space in JSON".to_string()
                } else {
                    format!("{name} is not white space in JSON")
                });
                d.label("replace with a plain space")
                    .replace(Safe, span, " ");
            }
        });
    }

    /// At the start of a line: skips a merge-conflict marker, and the other side of the conflict.
    fn conflict_marker(&mut self) {
        if let Some((theirs, end)) = self.skip
            && self.at == theirs
        {
            self.skip = None;
            self.skip_to_line(end);
            return;
        }
        let Some(sign) = marker(self.rest()) else {
            return;
        };
        let start = self.at;
        let line = Span::new(start, self.ahead.line_end(start));
        self.conflict = true;
        let theirs = self.ahead.theirs(line.end);
        let end = self.ahead.conflict_end(line.end);
        let whole = sign == b'<' && theirs < end && end < self.text.len();
        // With three sides, the common ancestor comes first.
        let base = whole && self.text[theirs] == b'|';
        let second = if base {
            self.ahead.theirs(self.ahead.line_end(theirs))
        } else {
            theirs
        };
        let base = base && second < end;
        let line_of = |at: usize| Span::new(at, self.ahead.line_end(at));
        let (first_line, second_line, end_line) = (line_of(theirs), line_of(second), line_of(end));
        self.report(Code::MergeConflict, line, |d| {
            d.message("unresolved merge conflict");
            if whole {
                d.label("our side starts here");
                if base {
                    d.related(first_line, "the common base starts here");
                }
                d.related(second_line, "their side starts here")
                    .related(end_line, "conflict ends here")
                    .note("only our side was checked for further errors");
            } else {
                d.label("marker of a merge conflict");
            }
            let markers = if base { "four" } else { "three" };
            d.help(format_args!(
                "keep one side, delete the {markers} marker lines, then run `git add`"
            ));
        });
        if whole {
            self.skip = Some((theirs, end));
        }
        self.skip_to_line(start);
    }

    /// Skips the line at `at`.
    fn skip_to_line(&mut self, at: usize) {
        let end = self.ahead.line_end(at);
        self.steps += (end - self.at) as u64;
        self.at = end;
        self.first = false;
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Whether a byte may merge with an adjacent token if the text between them is removed: `1` and `.5`.
pub(in super::super) fn joins(byte: u8) -> bool {
    is_word(byte) || b".+-$\"'`\\".contains(&byte)
}

/// Whether a zero-width character is at the start of `bytes`: the text means the same without it.
fn is_invisible(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0xE2, 0x80, 0x8B..=0x8F | 0xAA..=0xAE, ..]
            | [0xE2, 0x81, 0xA0, ..]
            | [0xE1, 0xA0, 0x8E, ..]
            | [0xEF, 0xBB, 0xBF, ..]
    )
}

/// The text without white space at its end, of JSON or of others.
pub(super) fn trim_end(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_end();
        let ends = |length: &usize| {
            let start = text.len().checked_sub(*length);
            let space = start.and_then(|start| foreign_space(&text[start..]));
            space.is_some_and(|(found, _)| found == *length)
        };
        match (1..=4).find(ends) {
            Some(length) => text = &text[..text.len() - length],
            None => return text,
        }
    }
}

/// The length and name of the character at the start of `bytes` if it is white space elsewhere, but not in JSON.
fn foreign_space(bytes: &[u8]) -> Option<(usize, &'static str)> {
    Some(match bytes {
        [0, ..] => (1, "NUL byte"),
        [0x0B, ..] => (1, "vertical tab"),
        [0x0C, ..] => (1, "form feed"),
        [0xC2, 0x85, ..] => (2, "next-line character (U+0085)"),
        [0xC2, 0xA0, ..] => (2, "no-break space (U+00A0)"),
        [0xE1, 0x9A, 0x80, ..] => (3, "ogham space (U+1680)"),
        [0xE1, 0xA0, 0x8E, ..] => (3, "vowel separator (U+180E)"),
        [0xE2, 0x80, 0x8B, ..] => (3, "zero-width space (U+200B)"),
        [0xE2, 0x80, 0x80..=0x8A, ..] => (3, "typographic space"),
        [0xE2, 0x80, 0x8C..=0x8F | 0xAA..=0xAE, ..] => (3, "invisible character"),
        [0xE2, 0x80, 0xA8, ..] => (3, "line separator (U+2028)"),
        [0xE2, 0x80, 0xA9, ..] => (3, "paragraph separator (U+2029)"),
        [0xE2, 0x80, 0xAF, ..] => (3, "narrow no-break space (U+202F)"),
        [0xE2, 0x81, 0x9F, ..] => (3, "mathematical space (U+205F)"),
        [0xE2, 0x81, 0xA0, ..] => (3, "word joiner (U+2060)"),
        [0xE3, 0x80, 0x80, ..] => (3, "ideographic space (U+3000)"),
        [0xEF, 0xBB, 0xBF, ..] => (3, "zero-width no-break space (U+FEFF)"),
        _ => return None,
    })
}
