//! Checks incomplete blocks: at line ends, and when input pauses.

use super::Validator;
use crate::chunk::CHUNK_BLOCKS;
use crate::kernel::BLOCK;
use crate::token::consume::catch;
use crate::token::{Sink, Stop};

impl Validator {
    /// As [`check`](Validator::check), for JSON Lines: chunks end at line ends, so that no line crosses a chunk boundary unless
    /// it is longer than a chunk.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::engine::{Mode, Options, Validator, sink_fn};
    ///
    /// let line = format!("[{}1]\n", "\"a long line\", ".repeat(200));
    /// let mut chunks = Vec::new();
    /// let sink = sink_fn(|chunk| {
    ///     chunks.push(chunk.bytes.len() / line.len());
    ///     Ok::<_, std::convert::Infallible>(())
    /// });
    /// let lines = Validator::new(Options::default().mode(Mode::Stream));
    /// assert!(lines.check_lines(line.repeat(5).as_bytes(), sink).is_ok());
    /// assert_eq!(chunks, [2, 2, 1]);
    /// ```
    pub fn check_lines<S: Sink>(
        mut self,
        bytes: &[u8],
        mut sink: S,
    ) -> Result<S::Output, Stop<S::Error>> {
        catch(&mut sink, |consumer| {
            let mut rest = bytes;
            // Held bytes have to be checked together with the bytes after them.
            let is_plain = self.tail_length == 0 && self.feed.is_none();
            while is_plain && let Some(chunk) = rest.first_chunk::<{ CHUNK_BLOCKS * BLOCK }>() {
                let end = match memchr::memrchr(b'\n', chunk) {
                    Some(end) => {
                        self.padded(&rest[..=end], &rest[..=end], consumer)?;
                        end + 1
                    }
                    None => {
                        self.chunk(chunk.as_chunks().0, chunk, chunk, consumer)?;
                        chunk.len()
                    }
                };
                rest = &rest[end..];
            }
            self.complete(rest, consumer)
        })?;
        sink.finish().map_err(Stop::Sink)
    }

    /// Checks the text so far up to the last complete token, even if it does not fill a block, for input that arrives with pauses:
    /// the last number, literal or string may continue.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::engine::{Mode, Options, Validator, Verdict};
    ///
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// validator.write(b"{\"a\": 1}[2", &mut Verdict).unwrap();
    /// assert_eq!(validator.verified(), 0);
    /// validator.flush(&mut Verdict).unwrap();
    /// assert_eq!(validator.verified(), 9);
    /// assert_eq!(validator.check(b", 3]", Verdict), Ok(()));
    /// ```
    pub fn flush<S: Sink>(&mut self, sink: &mut S) -> Result<(), Stop<S::Error>> {
        let strings = &self.state.carry.scan.strings;
        let (mut is_inside, mut is_escaped) = (strings.inside != 0, strings.escape != 0);
        let mut end = 0;
        for (at, &byte) in self.tail[..self.tail_length].iter().enumerate() {
            match (is_inside, byte) {
                (true, _) if is_escaped => is_escaped = false,
                (true, b'\\') => is_escaped = true,
                (_, b'"') => is_inside = !is_inside,
                _ => {}
            }
            // The quote after a string is a separator too.
            if !is_inside && (byte.is_ascii_whitespace() || b"[]{},:\"".contains(&byte)) {
                end = at + 1;
            }
        }
        if end == 0 {
            return Ok(());
        }
        let tail = self.tail;
        let (whole, rest) = tail[..self.tail_length].split_at(end);
        self.tail[..rest.len()].copy_from_slice(rest);
        self.tail_length = rest.len();
        catch(sink, |consumer| self.padded(whole, whole, consumer))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use crate::chunk::CHUNK_BLOCKS;
    use crate::engine::{Kernel, Mode, Options, Validator, sink_fn};
    use crate::kernel::BLOCK;

    proptest! {
        /// Lines shorter than a chunk are not split, and the verdict is that of `check`.
        #[test]
        fn lines_are_not_split(
            lengths in prop::collection::vec(prop_oneof![4 => 0..300_usize, 2 => 2000..9000_usize, 1 => 16_000..20_000_usize], 0..12),
            mistake in prop::option::weighted(0.3, any::<prop::sample::Index>()),
        ) {
            let lines = lengths.iter().map(|&length| format!("[\"{}\", 12]\n", "x".repeat(length)));
            let mut text: Vec<u8> = lines.collect::<String>().into();
            if let Some(at) = mistake.filter(|_| !text.is_empty()) {
                let at = at.index(text.len());
                text[at] = b'\n';
            }
            for kernel in Kernel::available() {
                let options = Options::default().mode(Mode::Stream).kernel(kernel);
                let mut seen = Vec::new();
                let sink = sink_fn(|chunk| {
                    assert_eq!(chunk.offset, seen.len() as u64);
                    seen.extend_from_slice(chunk.bytes);
                    let is_full = chunk.bytes.len() == CHUNK_BLOCKS * BLOCK;
                    assert!(is_full || chunk.bytes.last().is_none_or(|&last| last == b'\n'));
                    assert!(!is_full || !chunk.bytes.contains(&b'\n') || chunk.bytes.ends_with(b"\n"));
                    Ok::<_, Infallible>(())
                });
                let checked = Validator::new(options).check_lines(&text, sink);
                let nothing = sink_fn(|_| Ok::<_, Infallible>(()));
                prop_assert_eq!(checked, Validator::new(options).check(&text, nothing));
                if checked.is_ok() {
                    prop_assert_eq!(&seen, &text);
                }
            }
        }
    }
}
