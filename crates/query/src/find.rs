//! Finds the keys and scalars whose text matches a pattern, with their paths.
//!
//! ```text
//! chunk ──► candidate: no match anywhere ──────────────► walk: brackets and commas only
//!       └──► candidate at a byte ──► its token ──► is_match ──► Found, with the path of the open containers
//! ```
//!
//! A pattern is looked for in the raw text of a whole chunk. Only the token at a candidate, and one with an escape, are looked at
//! separately. The path needs no more than the keys and the number of commas of the open containers.

#[cfg(test)]
mod tests;

use core::convert::Infallible;

use jsonx_core::Kind;
use jsonx_core::engine::{Chunk, Sink};
use jsonx_core::engine::{SegmentScope, SegmentSink, SegmentedSink};
use jsonx_core::path::{Location, Step};
use jsonx_core::string::{decode_into, decode_key};

/// The most values and bytes of them that are found in a segment. A segment with more is searched again when it is joined.
const MOST_FOUND: (usize, usize) = (1 << 13, 1 << 20);

/// A pattern for decoded text.
///
/// ```
/// use jsonx_query::Pattern;
///
/// #[derive(Clone)]
/// struct Digit;
///
/// impl Pattern for Digit {
///     fn candidate(&self, text: &[u8], from: usize) -> Option<usize> {
///         let at = text[from..].iter().position(u8::is_ascii_digit)?;
///         Some(from + at)
///     }
///
///     fn is_match(&self, text: &[u8]) -> bool {
///         self.candidate(text, 0).is_some()
///     }
/// }
/// assert_eq!(Digit.candidate(b"12: 3", 2), Some(4));
/// ```
pub trait Pattern: Clone {
    /// The offset of the first byte, from `from` on, at which a match of a part of `text` may begin. There must be no such part
    /// before it.
    fn candidate(&self, text: &[u8], from: usize) -> Option<usize>;

    /// Whether a decoded text matches.
    fn is_match(&self, text: &[u8]) -> bool;
}

/// A sink that finds the scalars, and on request the keys, whose decoded text matches a pattern. The text of a number or literal is
/// that in the input.
///
/// Memory depends on the depth, the keys of the open members and the longest token, and on what was found and not taken.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_query::{Finder, Pattern};
///
/// #[derive(Clone)]
/// struct Word(&'static [u8]);
///
/// impl Pattern for Word {
///     fn candidate(&self, text: &[u8], from: usize) -> Option<usize> {
///         let at = text[from..].windows(self.0.len()).position(|part| part == self.0)?;
///         Some(from + at)
///     }
///
///     fn is_match(&self, text: &[u8]) -> bool {
///         self.candidate(text, 0).is_some()
///     }
/// }
///
/// let text = br#"{"a": ["one", {"one": "\u006fne!"}], "b": 1}"#;
/// let mut finder = Finder::new(Word(b"one"), false);
/// Validator::new(Options::default()).check(text, &mut finder).unwrap();
/// finder.end();
/// let found: Vec<_> = finder.found().map(|one| (one.location.to_string(), one.start)).collect();
/// assert_eq!(found, [(".a[0]".to_owned(), 7), (".a[1].one".to_owned(), 22)]);
/// ```
#[derive(Clone, Debug)]
pub struct Finder<P> {
    pattern: P,
    finds_keys: bool,
    /// The container in which the text begins, and the open ones in it. Never empty.
    frames: Vec<Frame>,
    /// Enclosing containers that have ended, innermost first. Only in a segment.
    ended: Vec<Frame>,
    /// The frames from here on were opened in this chunk; the keys in them, and in the one before, are tokens of the chunk.
    fresh: usize,
    /// The last key, without quotes, if its value is not complete.
    key: Vec<u8>,
    /// Offset of the key that matches, until its value is known.
    matched_key: Option<u64>,
    /// A scalar or key that may continue in the next chunk.
    open: Option<OpenToken>,
    /// Its text so far.
    text: Vec<u8>,
    decoded: Vec<u8>,
    found: Vec<Found>,
    /// Bytes of values in `found`.
    bytes: usize,
}

/// A key or value that matches.
///
/// ```
/// use jsonx_query::Found;
///
/// let line = |found: &Found| format!("{}: {}", found.location, String::from_utf8_lossy(&found.value));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The path of the value.
    pub location: Location,
    /// Offset of the key if that matches, or else of the value.
    pub start: u64,
    /// Whether the key matches.
    pub is_key: bool,
    /// The value as in the text; of an array or object, only the bracket.
    pub value: Box<[u8]>,
    /// Enclosing containers of the segment that ended before it.
    level: usize,
}

#[derive(Clone, Copy, Debug)]
struct OpenToken {
    kind: u8,
    start: u64,
    is_key: bool,
}

/// An open container.
#[derive(Clone, Debug)]
struct Frame {
    /// `None` at the root, and in an unknown container.
    kind: Option<Kind>,
    /// Commas so far.
    commas: u64,
    /// The key that leads to the next frame, without quotes, if it is not a token of the chunk.
    key: Vec<u8>,
    /// The index of the token that is this key.
    key_token: Option<u32>,
}

impl Frame {
    fn new(kind: Option<Kind>) -> Frame {
        Frame {
            kind,
            commas: 0,
            key: Vec::new(),
            key_token: None,
        }
    }
}

impl<P: Pattern> Finder<P> {
    /// Finds scalars, and with `finds_keys` keys too.
    ///
    /// ```
    /// use jsonx_core::engine::Validator;
    /// use jsonx_query::{Finder, Pattern};
    ///
    /// #[derive(Clone)]
    /// struct Any;
    ///
    /// impl Pattern for Any {
    ///     fn candidate(&self, _: &[u8], from: usize) -> Option<usize> {
    ///         Some(from)
    ///     }
    ///
    ///     fn is_match(&self, _: &[u8]) -> bool {
    ///         true
    ///     }
    /// }
    ///
    /// let count = |finds_keys| {
    ///     let mut finder = Finder::new(Any, finds_keys);
    ///     Validator::default().check(br#"{"a": [1, null]}"#, &mut finder).unwrap();
    ///     finder.end();
    ///     finder.found().count()
    /// };
    /// assert_eq!((count(false), count(true)), (2, 3));
    /// ```
    pub fn new(pattern: P, finds_keys: bool) -> Finder<P> {
        Finder {
            pattern,
            finds_keys,
            frames: vec![Frame::new(None)],
            ended: Vec::new(),
            fresh: 1,
            key: Vec::new(),
            matched_key: None,
            open: None,
            text: Vec::new(),
            decoded: Vec::new(),
            found: Vec::new(),
            bytes: 0,
        }
    }

    /// What was found and not taken before, in the order of the text.
    pub fn found(&mut self) -> impl Iterator<Item = Found> {
        self.bytes = 0;
        std::mem::take(&mut self.found).into_iter()
    }

    /// The offset of the first byte that may belong to a key or value that is found later; `None` if that has not been read.
    pub fn retain_from(&self) -> Option<u64> {
        self.matched_key.or(Some(self.open?.start))
    }

    /// Ends the text, after the validator has finished.
    pub fn end(&mut self) {
        self.complete();
    }

    /// Ends the token that continued from the last chunk.
    fn complete(&mut self) {
        let Some(OpenToken {
            kind,
            start,
            is_key,
        }) = self.open.take()
        else {
            return;
        };
        let text = std::mem::take(&mut self.text);
        if is_key {
            self.key.clear();
            self.key.extend_from_slice(unquoted(&text));
        }
        self.examine(None, &text, kind, start, is_key);
        self.text = text;
        self.text.clear();
    }

    /// Examines a whole key or value. The frames are those around it.
    fn examine(
        &mut self,
        at: Option<(&Chunk<'_>, usize)>,
        raw: &[u8],
        kind: u8,
        start: u64,
        is_key: bool,
    ) {
        if is_key {
            if self.finds_keys && self.matches(raw) {
                self.matched_key = Some(start);
            }
            return;
        }
        let is_container = matches!(kind, b'{' | b'[');
        let key = self.matched_key.take();
        if key.is_none() && (is_container || !self.matches(raw)) {
            return;
        }
        let location = self.location(at);
        let value = if is_container { &raw[..1] } else { raw };
        self.bytes += value.len() + 64 * location.steps().len();
        self.found.push(Found {
            location,
            start: key.unwrap_or(start),
            is_key: key.is_some(),
            value: value.into(),
            level: self.ended.len(),
        });
    }

    fn matches(&mut self, raw: &[u8]) -> bool {
        let text = match raw {
            [b'"', ..] => unquoted(raw),
            scalar => return self.pattern.is_match(scalar),
        };
        if memchr::memchr(b'\\', text).is_none() {
            return self.pattern.is_match(text);
        }
        self.decoded.clear();
        // Verified text can be decoded.
        decode_into(text, &mut self.decoded).is_ok() && self.pattern.is_match(&self.decoded)
    }

    /// The path of the value at a token of the chunk, or of the open token.
    fn location(&self, at: Option<(&Chunk<'_>, usize)>) -> Location {
        let last = self.frames.len() - 1;
        let steps = self
            .frames
            .iter()
            .enumerate()
            .filter_map(|(number, frame)| {
                let key = match at {
                    Some((chunk, index)) if number == last => self.key_of(chunk, index),
                    Some((chunk, _)) => frame
                        .key_token
                        .map_or(&frame.key[..], |token| key_at(chunk, token as usize)),
                    None if number == last => &self.key,
                    None => &frame.key,
                };
                match frame.kind? {
                    Kind::Array => Some(Step::Index(frame.commas)),
                    _ => Some(Step::Key(decode_key(key).as_ref().into())),
                }
            });
        Location::from(steps.collect::<Vec<_>>())
    }

    /// The key of the member whose value is the token with this index, which may be the next one after the chunk.
    fn key_of<'t>(&'t self, chunk: &Chunk<'t>, index: usize) -> &'t [u8] {
        match index {
            0 | 1 => &self.key,
            _ => key_at(chunk, index - 2),
        }
    }

    /// Enters and leaves the containers of tokens without a key or value that is found.
    fn walk(&mut self, chunk: &Chunk<'_>, from: usize, to: usize) {
        let mut at = from;
        let kinds = &chunk.kinds[..to];
        while let Some(next) = kinds[at..].iter().position(|&kind| is_bracket(kind)) {
            let (index, last) = (at + next, self.frames.len() - 1);
            let frame = &mut self.frames[last];
            frame.commas += commas(&kinds[at..index]);
            match kinds[index] {
                open @ (b'{' | b'[') => {
                    if frame.kind == Some(Kind::Object) {
                        frame.key_token = index.checked_sub(2).map(|key| key as u32);
                        if frame.key_token.is_none() {
                            frame.key.clone_from(&self.key);
                        }
                    }
                    self.frames.push(Frame::new(Some(Kind::from_first(open))));
                }
                _ if last == 0 => {
                    let frame = std::mem::replace(frame, Frame::new(None));
                    self.ended.push(frame);
                }
                _ => {
                    self.frames.pop();
                    self.fresh = self.fresh.min(last);
                }
            }
            at = index + 1;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.commas += commas(&kinds[at.min(to)..]);
        }
    }

    /// Keeps the keys of open members beyond the chunk.
    fn keep_keys(&mut self, chunk: &Chunk<'_>, value: Option<usize>) {
        for frame in &mut self.frames[self.fresh - 1..] {
            if let Some(token) = frame.key_token.take() {
                frame.key.clear();
                frame.key.extend_from_slice(key_at(chunk, token as usize));
            }
        }
        self.fresh = self.frames.len();
        if let Some(index) = value
            && index > 1
        {
            self.key.clear();
            self.key.extend_from_slice(key_at(chunk, index - 2));
        }
    }
}

/// The next offsets in a chunk at which a token may match, from the token of a call on.
#[derive(Default)]
struct Candidates {
    pattern: Option<usize>,
    escape: Option<usize>,
}

impl Candidates {
    /// The index of the token that may match, from the token `from` on, before the token `to`; `to` if there is none.
    fn next(&mut self, chunk: &Chunk<'_>, pattern: &impl Pattern, from: usize, to: usize) -> usize {
        let Some(&first) = chunk.offsets.get(from).filter(|_| from < to) else {
            return to;
        };
        let first = first as usize;
        let text = match chunk.offsets.get(to) {
            Some(&end) => &chunk.bytes[..end as usize],
            None => chunk.bytes,
        };
        let known = |at: &Option<usize>| at.is_some_and(|at| at >= first);
        if !known(&self.pattern) {
            self.pattern = Some(pattern.candidate(text, first).unwrap_or(text.len()));
        }
        if !known(&self.escape) {
            let escape = match chunk.flags.escapes {
                true => memchr::memchr(b'\\', &text[first..]).map(|at| first + at),
                false => None,
            };
            self.escape = Some(escape.unwrap_or(text.len()));
        }
        let at = self.pattern.min(self.escape).unwrap_or(text.len());
        if at >= text.len() {
            return to;
        }
        // Usually near.
        let offsets = &chunk.offsets[from..to];
        let mut near = 16;
        while near < offsets.len() && offsets[near] as usize <= at {
            near *= 2;
        }
        let offsets = &offsets[..near.min(offsets.len())];
        from + offsets.partition_point(|&offset| offset as usize <= at) - 1
    }
}

/// The text of a string without its quotes.
fn unquoted(raw: &[u8]) -> &[u8] {
    let text = raw.strip_prefix(b"\"").unwrap_or(raw);
    text.strip_suffix(b"\"").unwrap_or(text)
}

fn key_at<'t>(chunk: &Chunk<'t>, index: usize) -> &'t [u8] {
    unquoted(chunk.raw(index))
}

/// Whether this is the first byte of a bracket. Of the kinds of tokens, only brackets have these bits.
fn is_bracket(kind: u8) -> bool {
    kind & 0x59 == 0x59
}

fn commas(kinds: &[u8]) -> u64 {
    let mut commas = 0;
    for &kind in kinds {
        commas += u64::from(kind == b',');
    }
    commas
}

impl<P: Pattern> Sink for Finder<P> {
    type Error = Infallible;
    type Output = Finder<P>;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        if self.open.is_some() {
            let rest = chunk.before_first();
            self.text.extend_from_slice(rest);
            let has_ended =
                !chunk.kinds.is_empty() || !chunk.ends_in_string && rest.len() < chunk.bytes.len();
            if has_ended {
                self.complete();
            }
        }
        let tokens = chunk.kinds.len();
        let Some(last) = tokens.checked_sub(1) else {
            return Ok(());
        };
        let kind = chunk.kinds[last];
        let raw = chunk.raw(last);
        let is_open = match kind {
            b'{' | b'}' | b'[' | b']' | b':' | b',' => false,
            b'"' => chunk.ends_in_string,
            _ => chunk.offsets[last] as usize + raw.len() == chunk.bytes.len(),
        };
        let whole = tokens - usize::from(is_open);
        // The value of a key that matches, in this chunk or later.
        let mut value = self
            .matched_key
            .map(|_| usize::from(chunk.kinds[0] == b':'));
        let (mut from, mut at) = (0, 0);
        let mut candidates = Candidates::default();
        loop {
            let index = match value.take() {
                Some(index) => index,
                None => candidates.next(chunk, &self.pattern, from, whole),
            };
            if index >= whole {
                break;
            }
            from = index + 1;
            let kind = chunk.kinds[index];
            if matches!(kind, b'}' | b']' | b':' | b',')
                || matches!(kind, b'{' | b'[') && self.matched_key.is_none()
            {
                continue;
            }
            self.walk(chunk, at, index);
            at = index;
            let is_key = match chunk.kinds.get(index + 1) {
                Some(&next) => next == b':',
                None => chunk.flags.ends_with_key,
            };
            let start = chunk.offset + u64::from(chunk.offsets[index]);
            self.examine(Some((chunk, index)), chunk.raw(index), kind, start, is_key);
            value = self.matched_key.map(|_| index + 2);
        }
        self.walk(chunk, at, tokens);
        let ends_with_key = chunk.flags.ends_with_key;
        // The value whose key is needed: that of an open token, or the next one.
        let value = match kind {
            b':' => Some(tokens),
            _ if ends_with_key && !is_open => Some(tokens + 1),
            _ if is_open && !ends_with_key => Some(last),
            _ => None,
        };
        self.keep_keys(chunk, value);
        if is_open {
            self.open = Some(OpenToken {
                kind,
                start: chunk.offset + u64::from(chunk.offsets[last]),
                is_key: ends_with_key,
            });
            self.text.clear();
            self.text.extend_from_slice(raw);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Finder<P>, Infallible> {
        self.end();
        Ok(self)
    }
}

/// The work of a [`Finder`] on a segment; `None` if it has found too much.
#[derive(Clone, Debug)]
pub struct FinderSegment<P>(Option<Finder<P>>);

impl<P: Pattern> Sink for FinderSegment<P> {
    type Error = Infallible;
    type Output = ();

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        if let Some(finder) = &mut self.0 {
            finder.chunk(chunk)?;
            if finder.found.len() > MOST_FOUND.0 || finder.bytes > MOST_FOUND.1 {
                self.0 = None;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl<P: Pattern> SegmentSink for FinderSegment<P> {
    fn scope(&self) -> SegmentScope {
        SegmentScope::All
    }

    fn begin(&mut self, container: Option<Kind>, _: bool, _: u64) {
        if let Some(finder) = &mut self.0 {
            finder.frames[0].kind = container;
        }
    }
}

impl<P: Pattern> SegmentedSink for Finder<P> {
    type Segment = FinderSegment<P>;

    fn for_segment(&self) -> FinderSegment<P> {
        FinderSegment(Some(Finder::new(self.pattern.clone(), self.finds_keys)))
    }

    fn take(&mut self, segment: FinderSegment<P>, _: u64) -> bool {
        let Some(mut segment) = segment.0 else {
            return false;
        };
        let levels = segment.ended.len();
        if self.open.is_some() || self.matched_key.is_some() || levels >= self.frames.len() {
            return false;
        }
        let around = |level: usize| self.frames.len() - 1 - level;
        let bases = segment.ended.iter().chain(&segment.frames[..1]);
        let mut bases = bases.enumerate();
        // That of the last one is unknown if nothing follows its bracket.
        let is_same = bases.all(|(level, base)| {
            base.kind.is_none() || self.frames[around(level)].kind == base.kind
        });
        if !is_same {
            return false;
        }
        for mut found in segment.found {
            let (frames, around) = self.frames.split_at(around(found.level));
            let before = frames.iter().filter_map(|frame| match frame.kind? {
                Kind::Array => Some(Step::Index(frame.commas)),
                _ => Some(Step::Key(decode_key(&frame.key).as_ref().into())),
            });
            let steps = found.location.steps().iter().enumerate();
            let steps = steps.map(|(number, step)| match (number, step) {
                (0, Step::Index(index)) => Step::Index(index + around[0].commas),
                (_, step) => step.clone(),
            });
            found.location = Location::from(before.chain(steps).collect::<Vec<_>>());
            found.level = 0;
            self.bytes += found.value.len();
            self.found.push(found);
        }
        self.frames.truncate(around(levels) + 1);
        let mut inner = segment.frames.drain(..);
        if let (Some(frame), Some(base)) = (self.frames.last_mut(), inner.next()) {
            frame.commas += base.commas;
            frame.key = base.key;
        }
        self.frames.extend(inner);
        self.fresh = self.frames.len();
        self.key = segment.key;
        self.matched_key = segment.matched_key;
        self.open = segment.open;
        self.text = segment.text;
        true
    }
}
