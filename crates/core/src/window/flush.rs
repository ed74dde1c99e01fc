//! Checks of text that does not fill a block, for input that arrives with pauses.

use super::Validator;
use crate::token::consume::catch;
use crate::token::{Sink, Stop};

impl Validator {
    /// Checks complete lines even if they do not fill a block, for input that arrives line by line, with pauses between lines.
    ///
    /// A line feed is either outside every token or an error, so the block after it can be padded with white space.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::engine::{Mode, Options, Validator, Verdict};
    ///
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// validator.write(b"{\"a\": 1}\n[2", &mut Verdict).unwrap();
    /// assert_eq!(validator.verified(), 0);
    /// validator.flush_lines(&mut Verdict).unwrap();
    /// assert_eq!(validator.verified(), 9);
    /// assert_eq!(validator.check(b", 3]", Verdict), Ok(()));
    /// ```
    pub fn flush_lines<S: Sink>(&mut self, sink: &mut S) -> Result<(), Stop<S::Error>> {
        let last = self.tail[..self.held].iter().rposition(|&b| b == b'\n');
        self.flush_to(last.map_or(0, |last| last + 1), sink)
    }

    /// As [`flush_lines`](Validator::flush_lines), up to the last token that is whole: all but the last number, literal or string,
    /// which may go on.
    #[cfg(feature = "serde")]
    pub(crate) fn flush<S: Sink>(&mut self, sink: &mut S) -> Result<(), Stop<S::Error>> {
        let strings = &self.state.carry.scan.strings;
        let (mut is_inside, mut is_escaped) = (strings.inside != 0, strings.escape != 0);
        let mut end = 0;
        for (at, &byte) in self.tail[..self.held].iter().enumerate() {
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
        self.flush_to(end, sink)
    }

    /// Checks the held text up to this length, where no token goes on.
    fn flush_to<S: Sink>(&mut self, end: usize, sink: &mut S) -> Result<(), Stop<S::Error>> {
        if end == 0 {
            return Ok(());
        }
        let tail = self.tail;
        let (whole, rest) = tail[..self.held].split_at(end);
        self.tail[..rest.len()].copy_from_slice(rest);
        self.held = rest.len();
        catch(sink, |consumer| self.padded(whole, whole, consumer))
    }
}
