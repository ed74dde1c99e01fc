//! The gap between two tokens: finds its comments, and the value or member that each belongs to.

use crate::jsonc::comment_length;

/// A comment in a gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment {
    pub start: usize,
    pub end: usize,
    pub to: Owner,
}

/// The owner of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Before,
    After,
    /// The member, if the comment is between key and value.
    Member,
}

/// The text between two tokens, with its comments.
pub(super) struct TokenGap {
    pub text: Vec<u8>,
    pub comments: Vec<Comment>,
    /// The end of its comma.
    pub after_comma: usize,
}

impl TokenGap {
    pub fn new(
        text: Vec<u8>,
        separator: Option<usize>,
        has_before: bool,
        has_after: bool,
        is_member: bool,
    ) -> TokenGap {
        let after_comma = match separator {
            Some(at) => 1 + line_feeds(text[..at].to_vec()).len(),
            None => 0,
        };
        let mut gap = TokenGap {
            comments: Vec::new(),
            text: line_feeds(text),
            after_comma,
        };
        if gap.text.contains(&b'/') {
            gap.find();
            gap.assign(has_before, has_after, is_member);
        }
        gap
    }

    fn find(&mut self) {
        let text = &self.text;
        let mut at = 0;
        while let Some(next) = memchr::memchr(b'/', &text[at..]) {
            let start = at + next;
            at = start + comment_length(&text[start..]);
            self.comments.push(Comment {
                start,
                end: at,
                to: Owner::After,
            });
        }
    }

    /// Assigns each comment to its owner.
    fn assign(&mut self, has_before: bool, has_after: bool, is_member: bool) {
        let count = self.comments.len();
        // Comments neither at the start nor at the end of a line, separated from the value only by spaces.
        let mut tied = Vec::new();
        for index in 0..count {
            let mut first = index;
            while has_before && first > 0 && self.is_near(first - 1) {
                first -= 1;
            }
            let mut last = index;
            while has_after && last + 1 < count && self.is_near(last) {
                last += 1;
            }
            self.comments[index].to = if !has_after {
                Owner::Before
            } else if self.begins_line(self.comments[first]) {
                Owner::After
            } else if self.ends_line(self.comments[last]) {
                match (is_member, has_before) {
                    (true, _) => Owner::Member,
                    (false, true) => Owner::Before,
                    (false, false) => Owner::After,
                }
            } else {
                if has_before {
                    tied.push(index);
                }
                Owner::After
            };
        }
        let mut end = self.text.len();
        let mut leads = true;
        for &index in tied.iter().rev() {
            let comment = self.comments[index];
            leads &= is_blank(&self.text[comment.end..end]);
            if !leads {
                self.comments[index].to = Owner::Before;
            }
            end = comment.start;
        }
    }

    /// Whether a comment and the next one are on one line, with nothing between them.
    fn is_near(&self, index: usize) -> bool {
        is_blank(&self.text[self.comments[index].end..self.comments[index + 1].start])
    }

    pub fn comments_of(&self, owner: Owner) -> impl Iterator<Item = Comment> {
        let comments = self.comments.iter().copied();
        comments.filter(move |comment| comment.to == owner)
    }

    pub fn is_line(&self, comment: Comment) -> bool {
        self.text[comment.start..].starts_with(b"//")
    }

    pub fn is_ignored(&self, owner: Owner) -> bool {
        self.comments_of(owner).any(|comment| {
            let text = &self.text[comment.start + 2..comment.end];
            let text = if self.is_line(comment) {
                text
            } else {
                text.strip_suffix(b"*/").unwrap_or(text)
            };
            text.trim_ascii() == b"prettier-ignore"
        })
    }

    pub fn begins_line(&self, comment: Comment) -> bool {
        spaces_back(&self.text[..comment.start]).ends_with(b"\n")
    }

    pub fn ends_line(&self, comment: Comment) -> bool {
        spaces(&self.text[comment.end..]).starts_with(b"\n")
    }

    /// Whether the line before that of a comment is blank.
    pub fn follows_blank(&self, comment: Comment) -> bool {
        let line = spaces_back(&self.text[..comment.start]);
        let before = line.strip_suffix(b"\n");
        before.is_some_and(|before| spaces_back(before).ends_with(b"\n"))
    }

    /// Whether the line after a comment is blank.
    pub fn is_followed_by_blank(&self, comment: Comment) -> bool {
        let after = spaces(&self.text[comment.end..]);
        let line = after.strip_prefix(b"\n").unwrap_or(after);
        spaces(line).starts_with(b"\n") && line.len() < after.len()
    }

    /// Whether a blank line follows the line that `from` is on, apart from a comma and comments.
    pub fn is_next_line_empty(&self, from: usize) -> bool {
        let mut rest = &self.text[from..];
        loop {
            let skipped = spaces(rest.strip_prefix(b",").unwrap_or(rest));
            let skipped = match skipped {
                [b'/', b'*', ..] => &skipped[comment_length(skipped)..],
                _ => skipped,
            };
            if skipped.len() == rest.len() {
                break;
            }
            rest = skipped;
        }
        if rest.starts_with(b"//") {
            rest = &rest[comment_length(rest)..];
        }
        let next = rest.strip_prefix(b"\n");
        next.is_some_and(|next| spaces(next).starts_with(b"\n"))
    }
}

fn spaces(text: &[u8]) -> &[u8] {
    let count = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    &text[count.count()..]
}

fn spaces_back(text: &[u8]) -> &[u8] {
    let kept = text.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'));
    &text[..kept.map_or(0, |last| last + 1)]
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Replaces all line ends by line feeds.
pub(super) fn line_feeds(text: Vec<u8>) -> Vec<u8> {
    if !text.contains(&b'\r') {
        return text;
    }
    let mut converted = Vec::with_capacity(text.len());
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'\r' if text.get(at + 1) == Some(&b'\n') => {}
            b'\r' => converted.push(b'\n'),
            byte => converted.push(byte),
        }
    }
    converted
}
