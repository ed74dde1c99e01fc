//! Finds the value at an offset, and its path.

use core::convert::Infallible;

use crate::assembler::{Token, TokenAssembler, Walk};
use crate::path::Location;
use crate::string::decode_key;
use crate::token::{Chunk, Sink};

/// A sink that finds the innermost value, or the key, at an offset.
///
/// At a comma, a colon or white space, this is the enclosing container. The input is read once; memory use is proportional to
/// the depth and to the length of the keys of the open members.
///
/// ```
/// use jsonx_core::path::Notation;
/// use jsonx_core::engine::{Locator, Options, Validator};
///
/// let text = br#"{"a": [10, {"b c": true}]}"#;
/// let mut locator = Locator::new(20);
/// Validator::new(Options::default()).check(text, &mut locator).unwrap();
/// let place = locator.finish().unwrap();
/// assert_eq!(place.location.display(Notation::Dot).to_string(), r#".a[1]["b c"]"#);
/// assert_eq!(&text[place.start as usize..place.end as usize], b"true");
/// ```
///
/// A clone is a checkpoint.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Locator {
    target: u64,
    open: Vec<OpenContainer>,
    /// The keys of the open members, concatenated, with quotes.
    keys: Vec<u8>,
    /// The next string is a key.
    expects_key: bool,
    /// Number of values at the root begun so far.
    roots: u64,
    cursor: TokenAssembler,
    state: LocatorState,
    place: Option<Place>,
}

/// The value or key at an offset.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Path of the value; for a key, path of the member.
    pub location: Location,
    /// Index of the enclosing value at the root, counted from 0.
    pub root: u64,
    /// Offset of its first byte, from the start of the input.
    pub start: u64,
    /// Offset of the byte after it.
    pub end: u64,
    /// Whether it is the key of a member, not a value.
    pub is_key: bool,
}

#[derive(Clone, Debug)]
struct OpenContainer {
    /// `UNKNOWN` for a container whose start was skipped.
    start: u64,
    /// For an object, the index in `keys` at which the key of the current member begins.
    key: usize,
    /// For an array, the number of elements begun.
    elements: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LocatorState {
    /// The offset has not been reached.
    Looking,
    /// The offset is in the container this many levels up, and in none of its children.
    Inside(u64),
    Done,
}

impl Locator {
    /// Creates a locator for the byte at `offset`, counted from 0 from the start of the input.
    pub fn new(offset: u64) -> Locator {
        Locator {
            target: offset,
            open: Vec::new(),
            keys: Vec::new(),
            expects_key: false,
            roots: 0,
            cursor: TokenAssembler::default(),
            state: LocatorState::Looking,
            place: None,
        }
    }

    /// Sets the offset, in bytes from the start of the input, for callers that compute it while reading. It must not lie before
    /// the end of the input passed so far.
    pub fn aim(&mut self, offset: u64) {
        self.target = offset;
    }

    /// Whether the rest of the input cannot change the result. Valid after each window; the rest then only has to be
    /// read to validate it.
    pub fn is_done(&self) -> bool {
        self.state == LocatorState::Done
    }

    /// Ends the input and returns the value or key at the offset. Returns None if the offset is outside every value at
    /// the root, or if the input ends before the container at the offset does.
    pub fn finish(mut self) -> Option<Place> {
        let Ok(()) = self.end();
        self.place
    }

    /// Leaves the innermost container and drops its keys.
    fn close(&mut self) -> Option<OpenContainer> {
        let open = self.open.pop()?;
        self.keys.truncate(open.key);
        Some(open)
    }

    fn in_object(&self) -> bool {
        self.open.last().is_some_and(|open| open.elements.is_none())
    }

    fn step(&mut self, token: Token<'_>) {
        if self.state == LocatorState::Looking && self.target < token.start() {
            // White space before the value.
            self.state = if self.open.is_empty() {
                LocatorState::Done
            } else {
                LocatorState::Inside(0)
            };
        }
        match self.state {
            LocatorState::Done => return,
            LocatorState::Inside(depth) => return self.inside(depth, token),
            LocatorState::Looking => {}
        }
        let here = self.target < token.end();
        match token.kind {
            b',' | b':' => {
                self.expects_key = token.kind == b',' && self.in_object();
                if here {
                    self.state = LocatorState::Inside(0);
                }
            }
            b'}' | b']' if here => self.inside(0, token),
            b'}' | b']' => {
                self.close();
                self.expects_key = false;
            }
            b'"' if self.expects_key => {
                self.expects_key = false;
                let from = self.open.last().map_or(0, |open| open.key);
                self.keys.truncate(from);
                self.keys.extend_from_slice(token.raw());
                if here {
                    self.found(token.start(), token.end(), true);
                }
            }
            kind => {
                match self.open.last_mut() {
                    Some(open) => open.elements.iter_mut().for_each(|count| *count += 1),
                    None => self.roots += 1,
                }
                let container = matches!(kind, b'{' | b'[');
                if container {
                    self.expects_key = kind == b'{';
                    self.open.push(OpenContainer {
                        start: token.start(),
                        key: self.keys.len(),
                        elements: (kind == b'[').then_some(0),
                    });
                }
                match (here, container) {
                    (true, true) => self.state = LocatorState::Inside(0),
                    (true, false) => self.found(token.start(), token.end(), false),
                    _ => {}
                }
            }
        }
    }

    /// Handles a token while the offset is in the container `depth` levels up.
    fn inside(&mut self, depth: u64, token: Token<'_>) {
        self.state = match (token.kind, depth) {
            (b'{' | b'[', _) => LocatorState::Inside(depth + 1),
            (b'}' | b']', 0) => {
                if let Some(open) = self.close() {
                    self.found(open.start, token.end(), false);
                }
                LocatorState::Done
            }
            (b'}' | b']', _) => LocatorState::Inside(depth - 1),
            _ => LocatorState::Inside(depth),
        };
    }

    fn found(&mut self, start: u64, end: u64, is_key: bool) {
        let mut location = Location::default();
        let ends = self.open.iter().skip(1).map(|open| open.key);
        for (open, end) in self.open.iter().zip(ends.chain([self.keys.len()])) {
            match (open.elements, &self.keys[open.key..end.max(open.key)]) {
                (Some(count), _) => location.push_index(count.saturating_sub(1)),
                (None, [b'"', raw @ .., b'"']) => location.push_key(&decode_key(raw)),
                (None, key) => location.push_key(key),
            }
        }
        self.place = Some(Place {
            location,
            root: self.roots.saturating_sub(1),
            start,
            end,
            is_key,
        });
        self.state = LocatorState::Done;
    }
}

impl Walk for Locator {
    type Error = Infallible;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.cursor
    }

    fn retains(&self, kind: u8) -> usize {
        if self.expects_key && kind == b'"' {
            usize::MAX
        } else {
            0
        }
    }

    fn token(&mut self, token: Token<'_>) -> Result<(), Infallible> {
        self.step(token);
        Ok(())
    }

    fn next(&mut self, chunk: &Chunk<'_>, index: usize) -> usize {
        match self.state {
            LocatorState::Looking => index,
            // Skips to the bracket that closes the container at the offset.
            LocatorState::Inside(depth) => match chunk.skip(index, depth + 1) {
                (next, 0) => {
                    self.state = LocatorState::Inside(0);
                    next - 1
                }
                (end, depth) => {
                    self.state = LocatorState::Inside(depth - 1);
                    end
                }
            },
            LocatorState::Done => chunk.kinds.len(),
        }
    }
}

impl Sink for Locator {
    type Error = Infallible;
    type Output = Option<Place>;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        if self.is_done() {
            Ok(())
        } else {
            self.walk(chunk)
        }
    }

    fn finish(self) -> Result<Option<Place>, Infallible> {
        Ok(Locator::finish(self))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agreement::valid_text;
    use crate::engine::{Kernel, Mode, Options, Validator};
    use crate::path::{Notation, Path};
    use crate::query::{Answer, Query, QueryOptions};

    fn locate(text: &[u8], offset: usize, kernel: Kernel, size: usize) -> Option<Place> {
        let mut locator = Locator::new(offset as u64);
        let options = Options::default().mode(Mode::Stream).kernel(kernel);
        let mut validator = Validator::new(options);
        for window in text.chunks(size) {
            validator.write(window, &mut locator).unwrap();
        }
        validator.finish(locator).unwrap()
    }

    #[test]
    fn every_byte_of_a_small_document() {
        let text = br#" {"a":[1, "x"] ,"b c" : {}} [] "#;
        let expected = [
            (0, "-"),
            (1, ". 1..27"),
            (2, "key .a 2..5"),
            (5, ". 1..27"),
            (6, ".a 6..14"),
            (7, ".a[0] 7..8"),
            (8, ".a 6..14"),
            (10, ".a[1] 10..13"),
            (13, ".a 6..14"),
            (14, ". 1..27"),
            (16, "key .[\"b c\"] 16..21"),
            (21, ". 1..27"),
            (24, ".[\"b c\"] 24..26"),
            (26, ". 1..27"),
            (27, "-"),
            (28, "#1 . 28..30"),
            (30, "-"),
        ];
        for offset in 0..text.len() + 3 {
            let shown = match locate(text, offset, Kernel::best(), usize::MAX) {
                None => "-".to_owned(),
                Some(place) => {
                    let key = if place.is_key { "key " } else { "" };
                    let root = match place.root {
                        0 => String::new(),
                        root => format!("#{root} "),
                    };
                    let location = place.location.display(Notation::Dot);
                    format!("{root}{key}{location} {}..{}", place.start, place.end)
                }
            };
            let wanted = expected.iter().rfind(|(from, _)| *from <= offset);
            assert_eq!(
                Some(shown.as_str()),
                wanted.map(|(_, text)| *text),
                "{offset}"
            );
        }
    }

    #[test]
    fn keys_are_dropped_after_their_container() {
        let text = br#"{"s": [{"n": 1}, {"n": {"m": 2, "o": 3}, "p": 4}], "t": 5}"#;
        for (offset, path) in [
            (15, ".s"),
            (16, ".s"),
            (30, ".s[1].n"),
            (38, ".s[1].n"),
            (39, ".s[1]"),
            (47, ".s[1]"),
            (48, ".s"),
            (49, "."),
        ] {
            for size in [64, usize::MAX] {
                let place = locate(text, offset, Kernel::best(), size).unwrap();
                assert_eq!(
                    place.location.display(Notation::Dot).to_string(),
                    path,
                    "{offset}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn the_path_selects_the_same_value(choices in prop::collection::vec(any::<u32>(), 0..200), at in any::<prop::sample::Index>()) {
            let text = valid_text(&choices);
            let at = at.index(text.len().max(1));
            let place = locate(&text, at, Kernel::swar(), usize::MAX);
            for kernel in Kernel::available() {
                for size in [64, 65, 1000] {
                    prop_assert_eq!(&locate(&text, at, kernel, size), &place);
                }
            }
            if let Some(place) = place {
                prop_assert!((place.start..place.end).contains(&(at as u64)));
                // A path only selects the last of duplicate keys.
                let path = place.location.display(Notation::Dot).to_string();
                let mut query = Query::new(&[Path::parse(&path).unwrap()], QueryOptions::default());
                Validator::new(Options::default()).check(&text, &mut query).unwrap();
                query.end();
                let answers: Vec<_> = query.answers().collect();
                if let ([Answer::Match(one)], false) = (answers.as_slice(), place.is_key)
                    && !one.duplicate
                {
                    prop_assert_eq!((one.start, one.end), (place.start, place.end));
                }
            }
        }
    }
}
