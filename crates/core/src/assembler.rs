//! Assembles whole tokens. No other module joins the text of a token that crosses a chunk boundary.

use crate::number::Number;
use crate::token::{Chunk, trim_end};

/// A whole token of verified text.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// Its first byte.
    pub kind: u8,
    /// The text that contains it, and its offset.
    text: &'a [u8],
    offset: u64,
    /// Its start in `text`, and that of the next token.
    from: usize,
    to: usize,
    /// Number of bytes at its end that are not in `text`.
    dropped: u64,
}

impl<'a> Token<'a> {
    /// The offset of its first byte in the input.
    #[inline(always)]
    pub fn start(&self) -> u64 {
        self.offset + self.from as u64
    }

    /// The offset of the byte after it.
    #[inline(always)]
    pub fn end(&self) -> u64 {
        self.start() + self.raw().len() as u64 + self.dropped
    }

    /// Its text; for a token that crosses a chunk boundary, the first [`Walk::retains`] bytes.
    #[inline(always)]
    pub fn raw(&self) -> &'a [u8] {
        trim_end(&self.text[self.from..self.to])
    }

    /// The text of the chunk after it, if it is known.
    #[inline(always)]
    pub fn rest(&self) -> &'a [u8] {
        &self.text[self.to..]
    }

    /// The number that it is.
    #[inline(always)]
    pub fn number(&self) -> Number<'a> {
        Number::at_start(&self.text[self.from..], self.raw().len())
    }
}

/// A consumer of whole tokens.
pub trait Walk: Sized {
    /// The error with which it stops.
    type Error;

    /// The state between two chunks.
    fn assembler(&mut self) -> &mut TokenAssembler;

    /// The number of bytes to retain of the next token, if it is of this kind and crosses a chunk boundary. It may be as long as
    /// the input.
    fn retains(&self, kind: u8) -> usize;

    /// Receives the next token.
    fn token(&mut self, token: Token<'_>) -> Result<(), Self::Error>;

    /// For consumers that skip tokens: the index of the next token to receive, at least `index`.
    #[inline(always)]
    fn next(&mut self, chunk: &Chunk<'_>, index: usize) -> usize {
        let _ = chunk;
        index
    }

    /// Receives the tokens that end in a chunk, which must have offsets. May not be called again after an error.
    #[inline]
    fn walk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
        let mut assembler = core::mem::take(self.assembler());
        assembler.walk(chunk, self)?;
        *self.assembler() = assembler;
        Ok(())
    }

    /// Receives the last token, at the end of the text.
    #[inline]
    fn end(&mut self) -> Result<(), Self::Error> {
        core::mem::take(self.assembler()).end(self)
    }
}

/// The state of a consumer of tokens between two chunks.
///
/// [`Walk::walk`] visits all tokens. Consumers that need few of them, and have a faster way to find these, call
/// [`resume`](TokenAssembler::resume) at the start of a chunk and [`begin`](TokenAssembler::begin) at its end.
#[derive(Clone, Debug, Default)]
pub struct TokenAssembler {
    open: Option<OpenToken>,
    /// The first bytes of a token that crosses a chunk boundary.
    retained: Vec<u8>,
}

/// A token that may continue in the next chunk.
#[derive(Clone, Copy, Debug)]
struct OpenToken {
    kind: u8,
    start: u64,
    end: u64,
    /// The number of bytes still to retain.
    limit: usize,
    /// No further byte can belong to it.
    is_whole: bool,
}

impl TokenAssembler {
    /// Continues the open token, if any, with the bytes of a chunk before its first token. Returns whether this ends it.
    pub fn resume(&mut self, chunk: &Chunk<'_>) -> bool {
        self.resume_with(chunk, chunk.before_first())
    }

    /// As [`resume`](TokenAssembler::resume), with the rest of the token as found by the caller.
    #[inline]
    pub fn resume_with(&mut self, chunk: &Chunk<'_>, rest: &[u8]) -> bool {
        let Some(open) = &mut self.open else {
            return false;
        };
        let rest = if open.is_whole { &[] } else { rest };
        if !rest.is_empty() {
            open.end = chunk.offset + rest.len() as u64;
        }
        let retained = &rest[..rest.len().min(open.limit)];
        open.limit -= retained.len();
        open.is_whole |=
            !chunk.kinds.is_empty() || !chunk.ends_in_string && rest.len() < chunk.bytes.len();
        let is_whole = open.is_whole;
        self.retained.extend_from_slice(retained);
        is_whole
    }

    /// Begins the last token of a chunk, which must have one, and retains up to `limit` bytes of it. Returns whether the token
    /// ends in the chunk.
    pub fn begin(&mut self, chunk: &Chunk<'_>, limit: usize) -> bool {
        match chunk.offsets.last() {
            Some(&from) => self.begin_at(chunk, from as usize, limit),
            None => false,
        }
    }

    /// As [`begin`](TokenAssembler::begin), with the offset `from` of the last token in the chunk.
    pub fn begin_at(&mut self, chunk: &Chunk<'_>, from: usize, limit: usize) -> bool {
        let raw = chunk.raw_last(from);
        let start = chunk.offset + from as u64;
        let retained = &raw[..raw.len().min(limit)];
        let kind = chunk.bytes[from];
        let is_whole = ends_in(chunk, kind, from + raw.len());
        self.open = Some(OpenToken {
            kind,
            start,
            end: start + raw.len() as u64,
            limit: limit - retained.len(),
            is_whole,
        });
        self.retain(retained);
        is_whole
    }

    /// Whether a token is open.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether a token is open to which no further byte can belong.
    #[inline]
    pub fn has_ended(&self) -> bool {
        self.open.is_some_and(|open| open.is_whole)
    }

    /// Retains these bytes in place of others.
    #[inline]
    pub fn retain(&mut self, bytes: &[u8]) {
        self.retained.clear();
        self.retained.extend_from_slice(bytes);
    }

    /// The retained bytes of the last token begun.
    #[inline]
    pub fn retained(&self) -> &[u8] {
        &self.retained
    }

    /// Takes the open token: the offsets of its start and end, and its retained bytes.
    #[inline]
    pub fn take(&mut self) -> Option<(u64, u64, &[u8])> {
        let open = self.open.take()?;
        Some((open.start, open.end, &self.retained))
    }
}

/// Whether the last token of a chunk, of this kind and ending at `end`, cannot continue in the next one.
fn ends_in(chunk: &Chunk<'_>, kind: u8, end: usize) -> bool {
    match kind {
        b'{' | b'}' | b'[' | b']' | b':' | b',' => true,
        b'"' => !chunk.ends_in_string,
        _ => end < chunk.bytes.len(),
    }
}

impl TokenAssembler {
    /// Passes the tokens that end in a chunk to `walk`.
    #[inline]
    fn walk<W: Walk>(&mut self, chunk: &Chunk<'_>, walk: &mut W) -> Result<(), W::Error> {
        if self.resume(chunk) {
            self.end(walk)?;
        }
        let Some(last) = chunk.offsets.len().checked_sub(1) else {
            return Ok(());
        };
        let mut index = walk.next(chunk, 0);
        while index < last {
            walk.token(Token {
                kind: chunk.kinds[index],
                text: chunk.bytes,
                offset: chunk.offset,
                from: chunk.offsets[index] as usize,
                to: chunk.offsets[index + 1] as usize,
                dropped: 0,
            })?;
            index = walk.next(chunk, index + 1);
        }
        if index == last && self.begin(chunk, walk.retains(chunk.kinds[last])) {
            self.end(walk)?;
        }
        Ok(())
    }

    /// Passes the open token, which has ended, to `walk`.
    #[inline]
    fn end<W: Walk>(&mut self, walk: &mut W) -> Result<(), W::Error> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        let raw = trim_end(&self.retained);
        walk.token(Token {
            kind: open.kind,
            text: raw,
            offset: open.start,
            from: 0,
            to: raw.len(),
            dropped: open.end - open.start - raw.len() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::agreement::valid_text;
    use crate::engine::{Kernel, Mode, Options, Sink, Validator};

    #[derive(Default)]
    struct Tokens(Vec<(u64, Vec<u8>)>, TokenAssembler);

    impl Walk for Tokens {
        type Error = Infallible;

        fn assembler(&mut self) -> &mut TokenAssembler {
            &mut self.1
        }

        fn retains(&self, _: u8) -> usize {
            usize::MAX
        }

        fn token(&mut self, token: Token<'_>) -> Result<(), Infallible> {
            let raw = token.raw();
            assert_eq!(token.end() - token.start(), raw.len() as u64);
            assert_eq!(token.kind, raw[0]);
            self.0.push((token.start(), raw.to_vec()));
            Ok(())
        }
    }

    /// Retains at most a prefix of each token, and of some nothing.
    #[derive(Default)]
    struct Ends(Vec<(u64, u64)>, TokenAssembler);

    impl Walk for Ends {
        type Error = Infallible;

        fn assembler(&mut self) -> &mut TokenAssembler {
            &mut self.1
        }

        fn retains(&self, kind: u8) -> usize {
            usize::from(kind % 4)
        }

        fn token(&mut self, token: Token<'_>) -> Result<(), Infallible> {
            self.0.push((token.start(), token.end()));
            Ok(())
        }
    }

    #[derive(Default)]
    struct Whole<W>(W);

    impl<W: Walk<Error = Infallible>> Sink for Whole<W> {
        type Error = Infallible;
        type Output = W;

        fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
            self.0.walk(chunk)
        }

        fn finish(mut self) -> Result<W, Infallible> {
            self.0.end()?;
            Ok(self.0)
        }
    }

    fn walk<W: Walk<Error = Infallible> + Default>(text: &[u8], kernel: Kernel, size: usize) -> W {
        let mut whole = Whole::<W>::default();
        let mut validator = Validator::new(Options::default().mode(Mode::Stream).kernel(kernel));
        for window in text.chunks(size) {
            validator.write(window, &mut whole).unwrap();
        }
        validator.finish(whole).unwrap()
    }

    proptest! {
        #[test]
        fn tokens_do_not_depend_on_chunks(choices in prop::collection::vec(any::<u32>(), 0..200)) {
            let text = valid_text(&choices);
            let mut expected = None;
            for kernel in Kernel::available() {
                for size in [1, 64, 100, usize::MAX] {
                    let Tokens(tokens, _) = walk(&text, kernel, size);
                    for (start, raw) in &tokens {
                        prop_assert!(text[*start as usize..].starts_with(raw));
                    }
                    // Only white space is left between them.
                    let length: usize = tokens.iter().map(|(_, raw)| raw.len()).sum();
                    let strings = tokens.iter().filter(|(_, raw)| raw[0] == b'"');
                    let inside: usize = strings.map(|(_, raw)| raw.iter().filter(|byte| **byte == b' ').count()).sum();
                    let white = text.iter().filter(|byte| b" \t\n\r".contains(byte)).count();
                    prop_assert_eq!(length + white - inside, text.len());
                    let spans: Vec<_> = tokens.iter().map(|(start, raw)| (*start, start + raw.len() as u64)).collect();
                    prop_assert_eq!(walk::<Ends>(&text, kernel, size).0, spans);
                    prop_assert_eq!(expected.get_or_insert(tokens.clone()), &tokens);
                }
            }
        }
    }

    #[test]
    fn a_token_ends_as_soon_as_nothing_can_belong_to_it() {
        for (text, tokens) in [("12", 0), ("12 ", 1), ("\"12", 0), ("\"12\"", 1), ("[", 1)] {
            let mut whole = Whole::<Tokens>::default();
            let mut validator = Validator::new(Options::default());
            let text = format!("{}{text}", " ".repeat(64 - text.len()));
            validator.write(text.as_bytes(), &mut whole).unwrap();
            assert_eq!(whole.0.0.len(), tokens, "{text}");
        }
    }
}
