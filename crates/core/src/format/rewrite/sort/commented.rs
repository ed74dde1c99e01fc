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

use crate::SyntaxError;
use crate::assembler::{Token, TokenAssembler, Walk};
use crate::format::Class;
use crate::format::comment_gap::CommentGap;
use crate::string::decode_key;
use crate::syntax::{ErrorKind, OutOfMemory};
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
        Stop::Sink(OutOfMemory) => SyntaxError {
            kind: ErrorKind::OutOfMemory,
            offset: 0,
        },
    })?;
    objects.unsorted.sort_unstable_by_key(|object| object.start);
    let writer = Writer {
        text,
        objects: &objects.unsorted,
        out: Vec::with_capacity(text.len()),
    };
    Ok(writer.write())
}

/// An object, with the comments between its members.
struct Object {
    start: usize,
    end: usize,
    /// The members, at first in the order of the text.
    members: Vec<Member>,
    /// Comments that stay: those that follow the opening bracket, and those above the first member.
    head: Vec<Vec<u8>>,
    above: Vec<(usize, Vec<u8>)>,
    /// Comments after the last member, each with the line ends before it.
    tail: Vec<(usize, Vec<u8>)>,
    /// There is a comma after the last member.
    has_trailing_comma: bool,
}

struct Member {
    key: Vec<u8>,
    start: usize,
    end: usize,
    /// Comments above it, each with the line ends before it, and the line ends after them.
    above: Vec<(usize, Vec<u8>)>,
    lines: usize,
    /// Comments after it on its line.
    after: Vec<Vec<u8>>,
}

/// An open container.
struct OpenObject {
    /// `None` for an array.
    object: Option<Object>,
    /// The end of the last token, ignoring commas.
    end: usize,
    expects_key: bool,
}

/// Collects the objects of a text whose members are not sorted.
struct Objects<'a> {
    text: &'a [u8],
    open: Vec<OpenObject>,
    unsorted: Vec<Object>,
    cursor: TokenAssembler,
}

impl Objects<'_> {
    fn gap(&self, from: usize, to: usize) -> CommentGap {
        let mut gap = CommentGap::default();
        gap.read(&self.text[from..to]);
        gap
    }

    /// Begins the member whose key is at `start..end`.
    fn key(&mut self, start: usize, end: usize) {
        let raw = self.text.get(start + 1..end - 1).unwrap_or_default();
        let key = decode_key(raw).into_owned();
        let gap = self.open.last().map(|open| self.gap(open.end, start));
        let Some((open, mut gap)) = self.open.last_mut().zip(gap) else {
            return;
        };
        (open.end, open.expects_key) = (end, false);
        let Some(object) = &mut open.object else {
            return;
        };
        let following = gap.following(Class::Value);
        let mut lines = gap.lines;
        let mut above: Vec<_> = gap
            .comments
            .split_off(following)
            .into_iter()
            .map(|it| (it.lines, it.text))
            .collect();
        let after = gap.comments.into_iter().map(|comment| comment.text);
        match object.members.last_mut() {
            Some(member) => member.after.extend(after),
            None => {
                object.head.extend(after);
                // Comments separated from the first member by a blank line do not belong to it.
                let below = above.iter().skip(1).map(|(lines, _)| *lines).chain([lines]);
                let stay = below.enumerate().filter(|(_, lines)| *lines > 1).last();
                if let Some((last, _)) = stay.filter(|_| !above.is_empty()) {
                    object.above = above.drain(..=last).collect();
                    match above.first_mut() {
                        Some((first, _)) => *first = 1,
                        None => lines = 1,
                    }
                }
            }
        }
        object.members.push(Member {
            key,
            start,
            end,
            above,
            lines,
            after: Vec::new(),
        });
    }

    /// Ends a value, or moves past a bracket or colon.
    fn value_end(&mut self, end: usize) {
        if let Some(open) = self.open.last_mut() {
            open.end = end;
            let object = open.object.as_mut();
            if let Some(member) = object.and_then(|object| object.members.last_mut()) {
                member.end = end;
            }
        }
    }

    fn close(&mut self, start: usize) {
        let Some(open) = self.open.pop() else { return };
        if let Some(mut object) = open.object {
            let mut gap = self.gap(open.end, start);
            let following = gap.following(Class::Close);
            let tail = gap.comments.split_off(following);
            if let Some(last) = object.members.last_mut() {
                last.after
                    .extend(gap.comments.into_iter().map(|comment| comment.text));
            }
            object.tail = tail.into_iter().map(|it| (it.lines, it.text)).collect();
            object.has_trailing_comma = gap.comma.is_some();
            object.end = start + 1;
            if !object.members.is_sorted_by(|a, b| a.key <= b.key) {
                object.members.sort_by(|a, b| a.key.cmp(&b.key));
                self.unsorted.push(object);
            }
        }
        self.value_end(start + 1);
    }
}

impl Walk for Objects<'_> {
    type Error = OutOfMemory;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.cursor
    }

    fn retains(&self, _: u8) -> usize {
        0
    }

    fn token(&mut self, token: Token<'_>) -> Result<(), OutOfMemory> {
        let (start, end) = (token.start() as usize, token.end() as usize);
        match token.kind {
            b'{' | b'[' => {
                self.open.try_reserve(1)?;
                let object = (token.kind == b'{').then(|| Object {
                    start,
                    end,
                    members: Vec::new(),
                    head: Vec::new(),
                    above: Vec::new(),
                    tail: Vec::new(),
                    has_trailing_comma: false,
                });
                self.open.push(OpenObject {
                    expects_key: object.is_some(),
                    object,
                    end,
                });
            }
            b'}' | b']' => self.close(start),
            b',' => {
                if let Some(open) = self.open.last_mut() {
                    open.expects_key = open.object.is_some();
                }
            }
            b'"' if self.open.last().is_some_and(|open| open.expects_key) => self.key(start, end),
            _ => self.value_end(end),
        }
        Ok(())
    }
}

impl Sink for Objects<'_> {
    type Error = OutOfMemory;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), OutOfMemory> {
        self.walk(chunk)
    }

    fn finish(self) -> Result<(), OutOfMemory> {
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

#[derive(Clone, Copy)]
enum Task {
    /// Text of the source, including nested objects.
    Copy(usize, usize),
    /// The member with this number, of the object with this number.
    Member(usize, usize),
    /// The text after the value of a member.
    After(usize, usize),
    /// The end of an object.
    End(usize),
}

impl Writer<'_> {
    fn write(mut self) -> Vec<u8> {
        let mut tasks = vec![Task::Copy(0, self.text.len())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Copy(from, to) => self.copy(from, to, &mut tasks),
                Task::Member(object, number) => {
                    self.before(object, number);
                    let member = &self.objects[object].members[number];
                    tasks.push(Task::After(object, number));
                    tasks.push(Task::Copy(member.start, member.end));
                }
                Task::After(object, number) => self.after(object, number),
                Task::End(object) => {
                    for (lines, text) in &self.objects[object].tail {
                        self.comment(*lines, text);
                    }
                    self.out.extend_from_slice(b"\n}");
                }
            }
        }
        self.out
    }

    /// Copies text up to the first nested object that changes.
    fn copy(&mut self, from: usize, to: usize, tasks: &mut Vec<Task>) {
        let number = self.objects.partition_point(|object| object.start < from);
        let Some(object) = self.objects.get(number).filter(|object| object.start < to) else {
            self.out.extend_from_slice(&self.text[from..to]);
            return;
        };
        self.out.extend_from_slice(&self.text[from..=object.start]);
        for text in &object.head {
            self.out.push(b' ');
            self.out.extend_from_slice(text);
        }
        for (lines, text) in &object.above {
            self.comment(*lines, text);
        }
        tasks.push(Task::Copy(object.end, to));
        tasks.push(Task::End(number));
        let members = 0..object.members.len();
        tasks.extend(members.rev().map(|member| Task::Member(number, member)));
    }

    /// Writes the comments before a member.
    fn before(&mut self, object: usize, number: usize) {
        let object = &self.objects[object];
        let member = &object.members[number];
        let lines = member
            .above
            .first()
            .map_or(member.lines, |(lines, _)| *lines);
        let lines = match number {
            0 => 1 + usize::from(!object.above.is_empty()),
            _ => lines.max(1),
        };
        let Some((_, first)) = member.above.first() else {
            return self.line(lines);
        };
        self.comment(lines, first);
        for (lines, text) in &member.above[1..] {
            self.comment(*lines, text);
        }
        self.line(member.lines);
    }

    /// Writes a space for no line end, and at most one blank line.
    fn line(&mut self, lines: usize) {
        self.out.extend_from_slice(match lines {
            0 => b" ",
            1 => b"\n",
            _ => b"\n\n",
        });
    }

    /// Writes a comment after this many line ends.
    fn comment(&mut self, lines: usize, text: &[u8]) {
        self.line(lines);
        self.out.extend_from_slice(text);
    }

    /// Writes the comma and the comments after a member.
    fn after(&mut self, object: usize, number: usize) {
        let object = &self.objects[object];
        if number + 1 < object.members.len() || object.has_trailing_comma {
            self.out.push(b',');
        }
        for text in &object.members[number].after {
            self.out.push(b' ');
            self.out.extend_from_slice(text);
        }
    }
}
