//! The comments between two tokens.

use super::Class;
use crate::jsonc::comment_length;

/// The comments between two tokens, on both sides of the comma if there is one.
#[derive(Debug, Default)]
pub(crate) struct CommentGap {
    pub(crate) comments: Vec<Comment>,
    /// Line ends after the last comment; with a comma among them, the more of those before and after it.
    pub(crate) lines: usize,
    /// Line ends since the last comma or comment.
    run: usize,
    /// There is a comma after this many of the comments.
    pub(crate) comma: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct Comment {
    /// Line ends before it.
    pub(crate) lines: usize,
    /// Its end in the text that was read.
    end: usize,
    pub(crate) text: Vec<u8>,
}

impl CommentGap {
    /// A gap so far, with this many line ends before its comma.
    pub(crate) fn after_comma(lines: usize) -> CommentGap {
        CommentGap {
            lines,
            comma: Some(0),
            ..CommentGap::default()
        }
    }

    /// Adds the text between two tokens, one of which may be a comma.
    pub(crate) fn read(&mut self, text: &[u8]) {
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            match byte {
                b'\r' if text.get(at + 1) == Some(&b'\n') => {
                    self.end_line();
                    at += 1;
                }
                b'\n' | b'\r' => self.end_line(),
                b',' => self.end_value(),
                b'/' => {
                    let rest = &text[at..];
                    let length = comment_length(rest);
                    self.run = 0;
                    self.comments.push(Comment {
                        lines: std::mem::take(&mut self.lines),
                        end: at + length,
                        text: rest[..length].to_vec(),
                    });
                    at += length - 1;
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn end_line(&mut self) {
        self.run += 1;
        self.lines = self.lines.max(self.run);
    }

    /// Notes a comma at the end of the gap so far.
    pub(crate) fn end_value(&mut self) {
        self.comma = Some(self.comments.len());
        self.run = 0;
    }

    /// The end of the first so many comments, in the text that was read.
    pub(crate) fn end_of(&self, count: usize) -> usize {
        let last = count.checked_sub(1).map(|last| &self.comments[last]);
        last.map_or(0, |comment| comment.end)
    }

    /// The number of comments on the line of the token before the gap.
    pub(crate) fn following(&self, next: Class) -> usize {
        match self.comments.iter().position(|comment| comment.lines > 0) {
            Some(first) => first,
            None if self.lines > 0 || next == Class::Start => self.comments.len(),
            // The gap has no line end: comments after the comma belong to the next token.
            None => match (self.comma, next) {
                (_, Class::Close) => self.comments.len(),
                (Some(before), _) => before,
                (None, _) => 0,
            },
        }
    }
}

impl Comment {
    pub(crate) fn is_line(&self) -> bool {
        self.text.starts_with(b"//")
    }
}
