//! Comments: each is attached to the value before or after it, which determines its position.
//!
//! ```text
//! [1 /* trailing */, // trailing
//!  // leading
//!  /* leading */ 2
//!  // trailing
//! ]
//! ```

use super::gap::{Comment, Owner, TokenGap, line_feeds};
use super::queue::Queue;
use super::{Prettier, has_marks};
use crate::format::{Class, Output};

/// The state of a text with comments.
#[derive(Debug, Default)]
pub(super) struct Commented {
    /// The text since the last bracket, key or value, including its separator, with line feeds for all line ends.
    gap: Vec<u8>,
    separator: Option<usize>,
    /// A key whose value has not been read.
    key: Option<Vec<u8>>,
    /// A member or element after `prettier-ignore`, which is copied.
    ignored: Option<Ignored>,
    /// The scopes that end with each open container.
    endings: Vec<Ending>,
    /// The scope that ends with the last value.
    ending: Ending,
    /// The group that ends after the comments of its element.
    group: Option<u64>,
    /// There was a comment where the layout is not known: `prettier-ignore` after a value.
    pub is_unclear: bool,
}

/// A scope that ends with a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ending {
    #[default]
    Nothing,
    /// The indentation of a group in the queue.
    Indentation(u64),
    /// A group in the queue.
    Group(u64),
}

/// A copied member or element.
#[derive(Debug, Default)]
struct Ignored {
    text: Vec<u8>,
    depth: usize,
    /// Its value has not been read.
    wants_value: bool,
    is_element: bool,
    is_object: bool,
    /// Its container has a comma at the top level.
    commas: bool,
    is_empty: bool,
}

impl Commented {
    /// Handles the continuation of a token; returns whether it was stored here.
    pub fn rest(&mut self, raw: &[u8]) -> bool {
        if let Some(ignored) = &mut self.ignored {
            ignored.text.extend_from_slice(raw);
        } else if let Some(key) = &mut self.key {
            key.extend_from_slice(raw);
        } else {
            return false;
        }
        true
    }
}

impl Ignored {
    fn is_complete(&self) -> bool {
        self.depth == 0 && !self.wants_value
    }

    fn token(&mut self, gap: &[u8], class: Class, raw: &[u8]) {
        self.text.extend_from_slice(gap);
        self.text.extend_from_slice(raw);
        match class {
            Class::Open => {
                self.depth += 1;
                self.is_empty |= self.depth == 1;
                self.is_object |= self.depth == 1 && raw == b"{";
            }
            Class::Close => self.depth -= 1,
            Class::Comma => self.commas |= self.depth == 1,
            Class::Value | Class::Colon | Class::Start => {}
        }
        if class != Class::Colon {
            self.wants_value = false;
        }
        self.is_empty &= class == Class::Open && self.depth == 1 || class == Class::Close;
    }
}

impl<O: Output> Prettier<O> {
    /// Handles the start of a token, and the source before it.
    pub(super) fn commented(&mut self, gap: &[u8], class: Class, raw: &[u8]) {
        if let Some(ignored) = &mut self.comments.ignored {
            if !ignored.is_complete() {
                ignored.token(gap, class, raw);
                return;
            }
            self.end_ignored();
        }
        let state = &mut self.comments;
        state.gap.extend_from_slice(gap);
        if matches!(class, Class::Comma | Class::Colon) {
            state.separator = Some(state.gap.len());
            state.gap.extend_from_slice(raw);
            return;
        }
        let separator = state.separator.take();
        let text = std::mem::take(&mut state.gap);
        let is_member_value = state.key.is_some();
        let has_before = is_member_value || matches!(self.before, Class::Value | Class::Close);
        let gap = TokenGap::new(
            text,
            separator,
            has_before,
            class != Class::Close,
            is_member_value,
        );
        self.comments.is_unclear |= gap.is_ignored(Owner::Before);
        self.end_member(&gap);
        let before = std::mem::replace(&mut self.before, class);
        let ignored = if is_member_value {
            self.member_value(&gap)
        } else if class == Class::Close {
            self.closing(before, &gap);
            false
        } else {
            self.between(before, &gap);
            gap.is_ignored(Owner::After)
        };
        self.commented_value(class, raw, is_member_value, ignored);
    }

    /// Appends a token whose gap was appended.
    fn commented_value(&mut self, class: Class, raw: &[u8], is_member_value: bool, ignored: bool) {
        let in_object = self.queue.in_object() == Some(true);
        let is_key = in_object && !is_member_value && class == Class::Value;
        if class != Class::Close && !is_member_value {
            self.queue.element(raw.first().copied().unwrap_or_default());
        }
        if ignored {
            let mut copied = Ignored {
                wants_value: is_key,
                is_element: !in_object,
                ..Ignored::default()
            };
            copied.token(b"", class, raw);
            copied.wants_value = is_key;
            self.comments.ignored = Some(copied);
            return;
        }
        match class {
            Class::Close => {
                self.queue.close();
                self.queue.text(raw);
                self.comments.ending = self.comments.endings.pop().unwrap_or_default();
            }
            Class::Open => {
                self.queue.text(raw);
                self.queue.open(raw == b"{");
                let ending = std::mem::take(&mut self.comments.ending);
                self.comments.endings.push(ending);
            }
            _ if is_key => self.comments.key = Some(raw.to_vec()),
            _ => self.queue.begin_scalar(raw),
        }
    }

    /// Ends the text: its last token, and comments after it.
    pub(super) fn end_commented(&mut self) {
        if self.is_plain {
            let gap = std::mem::take(&mut self.gap);
            if has_marks(&gap) {
                self.queue.end_scalar();
                self.plain_gap(gap, Class::Start);
            }
            return;
        }
        if !self.style.comments {
            return;
        }
        if self.comments.ignored.is_some() {
            self.end_ignored();
        }
        let mut text = std::mem::take(&mut self.comments.gap);
        text.append(&mut self.gap);
        let has_before = self.before != Class::Start;
        let gap = TokenGap::new(text, None, has_before, false, false);
        self.comments.is_unclear |= gap.is_ignored(Owner::Before);
        self.end_member(&gap);
        if has_before {
            self.trailing(&gap, Separator::None);
        } else if !gap.comments.is_empty() {
            // The text has only comments.
            self.leading(&gap, Owner::Before, CommentTarget::Root);
        }
    }

    /// Ends the last scalar, and an indented member. A number keeps its spelling if the gap after it says so.
    fn end_member(&mut self, gap: &TokenGap) {
        if gap.is_ignored(Owner::Before) {
            self.queue.end_spelled()
        } else {
            self.queue.end_scalar()
        }
        if self.before == Class::Open {
            return;
        }
        match std::mem::take(&mut self.comments.ending) {
            Ending::Nothing => {}
            Ending::Indentation(group) => self.queue.end_group(group, true),
            Ending::Group(group) => self.comments.group = Some(group),
        }
    }

    /// Appends a copied member or element.
    fn end_ignored(&mut self) {
        let Some(ignored) = self.comments.ignored.take() else {
            return;
        };
        self.verbatim(&line_feeds(ignored.text), Queue::text);
        self.before = Class::Value;
        if ignored.is_element && !ignored.is_empty {
            self.queue
                .closed(ignored.is_object, 1 + u8::from(ignored.commas));
        }
    }

    /// Appends the gap between two members or elements, or before the first.
    fn between(&mut self, before: Class, gap: &TokenGap) {
        match before {
            Class::Start => {}
            Class::Open => self.first(gap.text.contains(&b'\n')),
            _ if self.queue.in_object().is_none() => {
                self.trailing(gap, Separator::None);
                self.queue.hard(false);
            }
            _ => {
                let from = if self.counts_before_comma() {
                    0
                } else {
                    gap.after_comma
                };
                let blank = gap.is_next_line_empty(from);
                if gap
                    .comments_of(Owner::Before)
                    .any(|comment| gap.is_line(comment) && !gap.begins_line(comment))
                {
                    self.queue.no_fill();
                }
                self.trailing(gap, Separator::Comma);
                if blank {
                    self.queue.note_blank();
                }
                if gap
                    .comments_of(Owner::After)
                    .any(|comment| gap.is_line(comment))
                {
                    self.queue.hard_line(blank)
                } else {
                    self.queue.line(blank, 1)
                }
            }
        }
        let target = match self.queue.in_object() {
            Some(true) => CommentTarget::Member,
            Some(false) => CommentTarget::Element,
            None => CommentTarget::Root,
        };
        self.leading(gap, Owner::After, target);
    }

    /// Appends the gap before a closing bracket.
    fn closing(&mut self, before: Class, gap: &TokenGap) {
        if before != Class::Open {
            if gap
                .comments_of(Owner::Before)
                .any(|comment| gap.is_line(comment) && !gap.begins_line(comment))
            {
                self.queue.no_fill();
            }
            return self.trailing(gap, Separator::Trailing);
        }
        let is_short = |comment: &Comment| {
            !gap.is_line(*comment) && !gap.text[comment.start..comment.end].contains(&b'\n')
        };
        match &gap.comments[..] {
            [] => {}
            [comment] if is_short(comment) => {
                self.queue.first(0, false, false);
                self.comment(gap, *comment);
            }
            comments => {
                self.queue.indent(true);
                let mut blank = false;
                for &comment in comments {
                    self.queue.hard(blank);
                    self.comment(gap, comment);
                    blank = gap.is_followed_by_blank(comment);
                }
                self.queue.indent(false);
                self.queue.hard(false);
            }
        }
    }

    /// Appends a key, the colon and the gaps around it. Returns whether the value is ignored.
    fn member_value(&mut self, gap: &TokenGap) -> bool {
        self.leading(gap, Owner::Member, CommentTarget::Member);
        let key = self.comments.key.take().unwrap_or_default();
        self.queue.text(&key);
        for comment in gap.comments_of(Owner::Before) {
            self.queue.text(b" ");
            self.comment(gap, comment);
        }
        let is_long = |comment: Comment| gap.text[comment.start..comment.end].contains(&b'\n');
        let ends_line = |comment: Comment| {
            let text = &gap.text[comment.start..comment.end];
            gap.is_line(comment)
                || gap.ends_line(comment)
                || is_long(comment) && is_indentable(text)
        };
        if gap.comments_of(Owner::After).any(ends_line) {
            self.queue.text(b":");
            self.comments.ending = Ending::Indentation(self.queue.group(true));
        } else {
            self.queue.text(b": ");
        }
        self.leading(gap, Owner::After, CommentTarget::Value);
        gap.is_ignored(Owner::After)
    }

    /// Appends the comments before a member, element or value.
    fn leading(&mut self, gap: &TokenGap, owner: Owner, target: CommentTarget) {
        let is_soft = |comment: &Comment| {
            !gap.is_line(*comment) && gap.ends_line(*comment) && !gap.begins_line(*comment)
        };
        let is_grouped = match target {
            CommentTarget::Value => true,
            CommentTarget::Element => gap.comments_of(owner).any(|comment| is_soft(&comment)),
            CommentTarget::Member | CommentTarget::Root => false,
        };
        if is_grouped && target == CommentTarget::Element {
            self.comments.ending = Ending::Group(self.queue.group(false));
        }
        for comment in gap.comments_of(owner) {
            self.comment(gap, comment);
            let blank = gap.is_followed_by_blank(comment);
            if is_grouped && is_soft(&comment) {
                self.queue.soft(blank);
            } else if gap.is_line(comment) || blank {
                self.queue.hard(blank);
            } else if !gap.ends_line(comment) {
                self.queue.text(b" ");
            } else if gap.begins_line(comment) || target == CommentTarget::Root {
                self.queue.hard(false);
            } else {
                self.queue.line(false, 1);
            }
        }
    }

    /// Appends the comments and the comma after a member or value.
    fn trailing(&mut self, gap: &TokenGap, separator: Separator) {
        let mut separator = Some(separator);
        // Set if the last comment ends a line: whether it is a block comment.
        let mut deferred = None;
        for comment in gap.comments_of(Owner::Before) {
            let is_block = !gap.is_line(comment);
            let on_its_own = deferred == Some(false) || gap.begins_line(comment);
            if on_its_own || !is_block || deferred.is_some() {
                self.append(separator.take());
                deferred = Some(is_block);
            }
            if on_its_own {
                self.queue.hard(gap.follows_blank(comment));
                self.comment(gap, comment);
            } else if deferred.is_some() {
                self.queue.breaks += 1;
                self.queue.uncounted(b" ");
                let total = self.queue.total;
                self.comment(gap, comment);
                self.queue.total = total;
            } else {
                self.queue.text(b" ");
                self.comment(gap, comment);
            }
        }
        if deferred.is_none() {
            self.end_group();
        }
        self.append(separator);
        self.end_group();
    }

    /// Ends the group of an element, after the comments that force a line break.
    fn end_group(&mut self) {
        if let Some(group) = self.comments.group.take() {
            self.queue.end_group(group, false);
        }
    }

    fn append(&mut self, separator: Option<Separator>) {
        match separator {
            Some(Separator::Comma) => self.queue.text(b","),
            Some(Separator::Trailing) => self.last(),
            Some(Separator::None) | None => {}
        }
    }

    /// Appends the text of a comment. Reindents it if all its lines begin with `*`.
    fn comment(&mut self, gap: &TokenGap, comment: Comment) {
        let text = &gap.text[comment.start..comment.end];
        if gap.is_line(comment) {
            return self.queue.text(text.trim_ascii_end());
        }
        if !is_indentable(text) {
            return self.verbatim(text, Queue::text);
        }
        for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
            match number {
                0 => self.queue.text(line.trim_ascii_end()),
                _ => {
                    self.queue.hard(false);
                    self.queue.text(b" ");
                    self.queue.text(line.trim_ascii());
                }
            }
        }
    }

    /// Appends text unchanged, line by line.
    pub(super) fn verbatim(&mut self, text: &[u8], append: fn(&mut Queue, &[u8])) {
        for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
            if number > 0 {
                self.queue.uncounted(b"\n");
                self.queue.literal();
            }
            append(&mut self.queue, line);
        }
    }
}

/// The target of leading comments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommentTarget {
    Member,
    Element,
    /// The value of a member.
    Value,
    Root,
}

/// The separator after a member or value.
#[derive(Clone, Copy)]
enum Separator {
    Comma,
    /// A closing bracket, after a trailing comma if the style has those.
    Trailing,
    /// The end of the text.
    None,
}

/// Whether all lines of a block comment after the first begin with `*`.
fn is_indentable(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').skip(1);
    lines.all(|line| line.trim_ascii_start().starts_with(b"*"))
}
