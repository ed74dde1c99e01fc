//! Comments in the plain layout: those after a token on its line stay there, those on their own lines stay on their own lines, and
//! consecutive blank lines become one. Commas are written right after the value, before its comments.
//!
//! ```text
//! source   [1 /* one */ , // first⏎⏎⏎ // then⏎ 2,]
//! gaps       ^^^^^^^^^^^ ^^^^^^^^^^^^^^^^^^^^^^  ^
//! written  [⏎  1, /* one */ // first⏎⏎  // then⏎  2,⏎]
//! ```

use super::Prettier;
use super::gap::line_feeds;
use super::queue::Queue;
use crate::format::comment_gap::CommentGap;
use crate::format::{CLASSES, Class, Output};

impl<O: Output> Prettier<O> {
    /// Handles the start of a token after comments, or after a comma that is not a token.
    pub(super) fn plain_commented(&mut self, gap: Vec<u8>, kind: u8, raw: &[u8]) {
        self.queue.end_scalar();
        let class = CLASSES[usize::from(kind)];
        if class == Class::Comma {
            self.gap = gap;
            self.gap.push(kind);
            return;
        }
        self.plain_gap(gap, class);
        match class {
            Class::Close => {
                self.queue.close();
                self.queue.plain(raw);
            }
            Class::Open => {
                self.queue.plain(raw);
                self.queue.open(kind == b'{');
            }
            Class::Colon => self.queue.plain(raw),
            _ => self.queue.begin_scalar(raw),
        }
    }

    /// Appends the gap before a token of this class; [`Class::Start`] stands for the end of the text.
    pub(super) fn plain_gap(&mut self, text: Vec<u8>, next: Class) {
        let before = std::mem::replace(&mut self.before, next);
        let mut gap = if before == Class::Comma {
            CommentGap::after_comma(usize::from(self.lines_before_comma))
        } else {
            CommentGap::default()
        };
        gap.read(&line_feeds(text));
        if before == Class::Colon || next == Class::Colon {
            return self.around_colon(&gap, next);
        }
        if gap.comma.is_some() && (next != Class::Close || self.keeps_commas) {
            self.queue.plain(b",");
        } else if next == Class::Close && before != Class::Open {
            self.last();
        }
        let mut following = gap.following(next);
        let is_inline = gap.lines == 0 && following == gap.comments.len();
        if before == Class::Start || before == Class::Open && next == Class::Close && is_inline {
            following = 0;
        }
        let (following, others) = gap.comments.split_at(following);
        for comment in following {
            self.queue.uncounted(b" ");
            self.verbatim(&comment.text, Queue::uncounted);
        }
        let mut opens = before == Class::Open && !(next == Class::Close && others.is_empty());
        for (number, comment) in others.iter().enumerate() {
            if number > 0 && comment.lines == 0 && !others[number - 1].is_line() {
                self.queue.text(b" ");
            } else if number > 0 || before != Class::Start {
                let is_first = opens && following.is_empty();
                self.break_line(comment.lines > 1 && !is_first, &mut opens);
            }
            self.verbatim(&comment.text, Queue::text);
        }
        let joins = gap.lines == 0 && others.last().is_some_and(|last| !last.is_line());
        match next {
            Class::Start => {}
            Class::Close if before == Class::Open && others.is_empty() => self.queue.hard(false),
            Class::Close => {}
            _ if joins => self.queue.text(b" "),
            _ => self.break_line(gap.lines > 1, &mut opens),
        }
        self.queue.breaks += gap.comments.len() as u64;
    }

    /// Ends the line: with `opens`, that of an opening bracket.
    fn break_line(&mut self, blank: bool, opens: &mut bool) {
        if std::mem::take(opens) {
            self.queue.first(0, blank, true);
        } else {
            self.queue.hard(blank);
        }
    }

    /// Appends the comments before or after a colon.
    fn around_colon(&mut self, gap: &CommentGap, next: Class) {
        let mut must_break = false;
        for comment in &gap.comments {
            if must_break || comment.lines > 0 {
                self.queue.hard(false);
            } else {
                self.queue.text(b" ");
            }
            self.verbatim(&comment.text, Queue::text);
            must_break = comment.is_line();
        }
        if must_break || gap.lines > 0 {
            self.queue.hard(false);
        } else if next != Class::Colon {
            self.queue.text(b" ");
        }
        // The key and its value are not on one line with other members.
        self.queue.breaks += 1;
    }
}
