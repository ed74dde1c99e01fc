//! Whole tokens: those that cross from one chunk to the next are put together here.

use crate::token::Chunk;

/// A token of verified text, whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    /// Its first byte.
    pub(crate) kind: u8,
    /// Where it begins and ends, in bytes from the start of the text.
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Its text. Of a token that crosses into another chunk, only where that was asked for, otherwise empty.
    pub(crate) raw: &'a [u8],
}

/// A consumer of whole tokens.
pub(crate) trait Walk {
    /// Whether the text is needed of the token that follows those taken so far, if it is of this kind: it is copied where
    /// it crosses into another chunk, and may be as long as the text.
    fn needs_text(&self, kind: u8) -> bool;

    /// Takes the next token.
    fn token(&mut self, token: Token<'_>);
}

/// Where a consumer of whole tokens is between two chunks.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    open: Option<Open>,
    /// The text of the token that has begun, as far as it has come.
    text: Vec<u8>,
}

/// A token that has begun, and may go on in the next chunk.
#[derive(Clone, Copy, Debug)]
struct Open {
    kind: u8,
    start: u64,
    end: u64,
    needs_text: bool,
}

impl Cursor {
    /// Hands on the tokens that end in a chunk.
    pub(crate) fn chunk(&mut self, chunk: &Chunk<'_>, walk: &mut impl Walk) {
        if let Some(open) = &mut self.open {
            let rest = chunk.before_first();
            if !rest.is_empty() {
                open.end = chunk.offset + rest.len() as u64;
            }
            if open.needs_text {
                self.text.extend_from_slice(rest);
            }
            let goes_on = chunk.ends_in_string || rest.len() == chunk.bytes.len();
            if !chunk.kinds.is_empty() || !goes_on {
                self.end(walk);
            }
        }
        for (index, (kind, raw)) in chunk.tokens().enumerate() {
            let from = chunk.offsets[index] as usize;
            let start = chunk.offset + from as u64;
            let end = start + raw.len() as u64;
            let is_whole = index + 1 < chunk.kinds.len()
                || match kind {
                    b'{' | b'}' | b'[' | b']' | b':' | b',' => true,
                    b'"' => !chunk.ends_in_string,
                    _ => from + raw.len() < chunk.bytes.len(),
                };
            if is_whole {
                walk.token(Token {
                    kind,
                    start,
                    end,
                    raw,
                });
                continue;
            }
            let needs_text = walk.needs_text(kind);
            if needs_text {
                self.text.extend_from_slice(raw);
            }
            self.open = Some(Open {
                kind,
                start,
                end,
                needs_text,
            });
        }
    }

    /// Hands on the last token: nothing follows, or nothing that belongs to it.
    pub(crate) fn end(&mut self, walk: &mut impl Walk) {
        if let Some(open) = self.open.take() {
            walk.token(Token {
                kind: open.kind,
                start: open.start,
                end: open.end,
                raw: &self.text,
            });
            self.text.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use core::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::agreement::valid_text;
    use crate::{Kernel, Mode, Options, Sink, Validator};

    #[derive(Default)]
    struct Tokens(Vec<(u64, Vec<u8>)>);

    impl Walk for Tokens {
        fn needs_text(&self, _: u8) -> bool {
            true
        }

        fn token(&mut self, token: Token<'_>) {
            assert_eq!(token.end - token.start, token.raw.len() as u64);
            assert_eq!(token.kind, token.raw[0]);
            self.0.push((token.start, token.raw.to_vec()));
        }
    }

    #[derive(Default)]
    struct Whole(Cursor, Tokens);

    impl Sink for Whole {
        type Error = Infallible;
        type Output = Vec<(u64, Vec<u8>)>;

        fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
            self.0.chunk(chunk, &mut self.1);
            Ok(())
        }

        fn finish(mut self) -> Result<Self::Output, Infallible> {
            self.0.end(&mut self.1);
            Ok(self.1.0)
        }
    }

    proptest! {
        #[test]
        fn tokens_do_not_depend_on_chunks(choices in prop::collection::vec(any::<u32>(), 0..200)) {
            let text = valid_text(&choices);
            let mut expected = None;
            for kernel in Kernel::available() {
                for size in [1, 64, 100, usize::MAX] {
                    let mut whole = Whole::default();
                    let options = Options::default().mode(Mode::Stream).kernel(kernel);
                    let mut validator = Validator::new(options);
                    for window in text.chunks(size) {
                        validator.write(window, &mut whole).unwrap();
                    }
                    let tokens = validator.finish(whole).unwrap();
                    for (start, raw) in &tokens {
                        prop_assert!(text[*start as usize..].starts_with(raw));
                    }
                    // Nothing but white space is left between them.
                    let length: usize = tokens.iter().map(|(_, raw)| raw.len()).sum();
                    let strings = tokens.iter().filter(|(_, raw)| raw[0] == b'"');
                    let inside: usize = strings.map(|(_, raw)| raw.iter().filter(|byte| **byte == b' ').count()).sum();
                    let white = text.iter().filter(|byte| b" \t\n\r".contains(byte)).count();
                    prop_assert_eq!(length + white - inside, text.len());
                    prop_assert_eq!(expected.get_or_insert(tokens.clone()), &tokens);
                }
            }
        }
    }
}
