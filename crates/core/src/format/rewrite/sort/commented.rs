//! Sorts the members of objects with their comments.
//!
//! A comment on the line of a value moves with its member, and so do comments between a member and the previous one. Comments
//! stay if they follow the opening bracket on its line, are above a blank line at the start of an object, or follow the last member.
//!
//! ```text
//! { // stays          { // stays
//!   // of b             "a": 1, // of a
//!   "b": 2,       ─►    // of b
//!   "a": 1 // of a      "b": 2
//!   // stays            // stays
//! }                   }
//! ```

use std::convert::Infallible;
use std::ops::Range;

use crate::SyntaxError;
use crate::assembler::{Token, TokenAssembler, Walk};
use crate::format::Class;
use crate::format::comment_gap::CommentGap;
use crate::string::decode_key;
use crate::token::{Chunk, Sink, Stop};
use crate::window::{Options, Validator};

/// The text with the members of every object sorted by key, together with their comments. White space is left to
/// a [`Rewriter`](crate::format::Rewriter).
///
/// Keys are compared by the code points of their decoded text; equal keys keep their order. Takes time proportional to
/// the length of the text, plus that of sorting; and memory for the text, its keys and its comments.
///
/// # Errors
///
/// The text is invalid by these options.
///
/// ```
/// use jsonx_core::engine::Options;
/// use jsonx_core::format::sort_commented;
/// use jsonx_core::jsonc::Dialect;
///
/// let text = b"{\n  // of b\n  \"b\": 2,\n  // of a\n  \"a\": 1 // and so on\n}";
/// let sorted = sort_commented(text, Options::default().dialect(Dialect::Jsonc))?;
/// assert_eq!(sorted, b"{\n// of a\n\"a\": 1, // and so on\n// of b\n\"b\": 2\n}");
/// # Ok::<(), jsonx_core::Error>(())
/// ```
pub fn sort_commented(text: &[u8], options: Options) -> Result<Vec<u8>, SyntaxError> {
    let mut objects = Objects {
        text,
        open: Vec::new(),
        unsorted: Vec::new(),
        cursor: TokenAssembler::default(),
    };
    let checked = Validator::new(options).check(text, &mut objects);
    checked.map_err(|stop| match stop {
        Stop::Invalid(error) => error,
    })?;
    objects.unsorted.sort_unstable_by_key(|object| object.start);
    let writer = Writer {
        text,
        objects: &objects.unsorted,
        out: Vec::with_capacity(text.len()),
    };
    Ok(writer.write())
}

/// An object; all positions are offsets in the text.
#[derive(Default)]
struct Object {
    start: usize,
    expects_key: bool,
    /// The end of the comments that stay at its start.
    head: usize,
    /// Whether some of those are above the first member.
    has_above: bool,
    /// The members, at first in the order of the text.
    members: Vec<Member>,
    /// The start of the gap with the comments that stay at its end.
    tail: usize,
    end: usize,
    /// There is a comma after the last member.
    has_trailing_comma: bool,
}

struct Member {
    key: Vec<u8>,
    /// The start of the gap with the comments above it.
    above: usize,
    start: usize,
    end: usize,
    /// The end of the comments after it on its line.
    after: usize,
}

/// Collects the objects of a text whose members are not sorted.
struct Objects<'a> {
    text: &'a [u8],
    /// The open containers: `None` for an array.
    open: Vec<Option<Object>>,
    unsorted: Vec<Object>,
    cursor: TokenAssembler,
}

impl Object {
    /// The end of the last member or, if there is none, of the bracket.
    fn last_end(&self) -> usize {
        self.members.last().map_or(self.start + 1, |last| last.end)
    }
}

/// The comments in a span of white space, which may have a comma.
fn gap(text: &[u8], span: Range<usize>) -> CommentGap {
    let mut gap = CommentGap::default();
    gap.read(&text[span]);
    gap
}

impl Objects<'_> {
    /// Begins the member whose key is at `start..end`.
    fn key(&mut self, start: usize, end: usize) {
        let Some(Some(object)) = self.open.last_mut() else {
            return;
        };
        object.expects_key = false;
        let from = object.last_end();
        let gap = gap(self.text, from..start);
        let following = gap.following(Class::Value);
        let mut above = from + gap.end_of(following);
        match object.members.last_mut() {
            Some(member) => member.after = above,
            None => {
                object.head = above;
                // Comments separated from the first member by a blank line do not belong to it.
                let lines = |at: usize| gap.comments.get(at).map_or(gap.lines, |it| it.lines);
                let mut later = following + 1..gap.comments.len() + 1;
                if let Some(first) = later.rfind(|&at| lines(at) > 1) {
                    object.has_above = true;
                    object.head = from + gap.end_of(first);
                    above = start - self.text[object.head..start].trim_ascii_start().len();
                }
            }
        }
        let raw = self.text.get(start + 1..end - 1).unwrap_or_default();
        object.members.push(Member {
            key: decode_key(raw).into_owned(),
            above,
            start,
            end,
            after: end,
        });
    }

    /// Ends a value, or moves past a bracket or colon.
    fn value_end(&mut self, end: usize) {
        if let Some(Some(object)) = self.open.last_mut()
            && let Some(member) = object.members.last_mut()
        {
            member.end = end;
        }
    }

    fn close(&mut self, start: usize) {
        if let Some(Some(mut object)) = self.open.pop()
            && !object.members.is_sorted_by(|a, b| a.key <= b.key)
        {
            let from = object.last_end();
            let gap = gap(self.text, from..start);
            object.tail = from + gap.end_of(gap.following(Class::Close));
            if let Some(last) = object.members.last_mut() {
                last.after = object.tail;
            }
            object.has_trailing_comma = gap.comma.is_some();
            object.end = start + 1;
            object.members.sort_by(|a, b| a.key.cmp(&b.key));
            self.unsorted.push(object);
        }
        self.value_end(start + 1);
    }
}

impl Walk for Objects<'_> {
    type Error = Infallible;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.cursor
    }

    fn retains(&self, _: u8) -> usize {
        0
    }

    fn token(&mut self, token: Token<'_>) -> Result<(), Infallible> {
        let (start, end) = (token.start() as usize, token.end() as usize);
        match token.kind {
            b'{' | b'[' => {
                self.open.push((token.kind == b'{').then(|| Object {
                    start,
                    expects_key: true,
                    ..Object::default()
                }));
            }
            b'}' | b']' => self.close(start),
            b',' => {
                if let Some(Some(object)) = self.open.last_mut() {
                    object.expects_key = true;
                }
            }
            b'"' if matches!(self.open.last(), Some(Some(object)) if object.expects_key) => {
                self.key(start, end);
            }
            _ => self.value_end(end),
        }
        Ok(())
    }
}

impl Sink for Objects<'_> {
    type Error = Infallible;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.walk(chunk)
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Writes the text with its objects in their new order, without recursion.
struct Writer<'a> {
    text: &'a [u8],
    /// Ordered by offset.
    objects: &'a [Object],
    out: Vec<u8>,
}

enum Task {
    /// Text of the source, including nested objects.
    Copy(usize, usize),
    /// The member with this number, of the object with this number; after the last one, the end of the object.
    Member(usize, usize),
}

impl Writer<'_> {
    fn write(mut self) -> Vec<u8> {
        let mut tasks = vec![Task::Copy(0, self.text.len())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Copy(from, to) => self.copy(from, to, &mut tasks),
                Task::Member(object, number) => self.member(object, number, &mut tasks),
            }
        }
        self.out
    }

    /// Copies text up to the members of the first nested object that changes.
    fn copy(&mut self, from: usize, to: usize, tasks: &mut Vec<Task>) {
        let number = self.objects.partition_point(|object| object.start < from);
        let Some(object) = self.objects.get(number).filter(|object| object.start < to) else {
            self.out.extend_from_slice(&self.text[from..to]);
            return;
        };
        self.out.extend_from_slice(&self.text[from..object.head]);
        tasks.extend([Task::Copy(object.end, to), Task::Member(number, 0)]);
    }

    /// Writes the end of the previous member, and the comments before this one.
    fn member(&mut self, number: usize, at: usize, tasks: &mut Vec<Task>) {
        let object = &self.objects[number];
        if let Some(last) = at.checked_sub(1).map(|last| &object.members[last]) {
            if at < object.members.len() || object.has_trailing_comma {
                self.out.push(b',');
            }
            self.comments(&gap(self.text, last.end..last.after));
        }
        let Some(member) = object.members.get(at) else {
            self.comments(&gap(self.text, object.tail..object.end - 1));
            self.out.extend_from_slice(b"\n}");
            return;
        };
        let mut gap = gap(self.text, member.above..member.start);
        let is_bare =
            gap.comments.is_empty() && self.text[object.start + 1..object.head].is_empty();
        let first = gap.comments.first_mut();
        let lines = first.map_or(&mut gap.lines, |comment| &mut comment.lines);
        *lines = match at {
            // Prettier keeps an object on one line if its first key is on the line of the bracket.
            0 if is_bare && !self.is_broken(object) => 0,
            0 => 1 + usize::from(object.has_above),
            _ => (*lines).max(1),
        };
        self.comments(&gap);
        self.line(gap.lines);
        tasks.extend([
            Task::Member(number, at + 1),
            Task::Copy(member.start, member.end),
        ]);
    }

    /// Whether there is a line end before the first member of an object in the source.
    fn is_broken(&self, object: &Object) -> bool {
        let first = object.members.iter().map(|member| member.start).min();
        let head = first.map_or(&[][..], |first| &self.text[object.start..first]);
        memchr::memchr2(b'\n', b'\r', head).is_some()
    }

    /// Writes a space for no line end, and at most one blank line.
    fn line(&mut self, lines: usize) {
        self.out.extend_from_slice(match lines {
            0 => b" ",
            1 => b"\n",
            _ => b"\n\n",
        });
    }

    /// Writes comments, each after the line ends before it.
    fn comments(&mut self, gap: &CommentGap) {
        for comment in &gap.comments {
            self.line(comment.lines);
            self.out.extend_from_slice(&comment.text);
        }
    }
}
