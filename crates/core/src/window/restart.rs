//! One validator for many texts.

use super::{Options, Validator, carry};
use crate::jsonc::Feed;
use crate::stack::Stack;
use crate::token::consume::catch;
use crate::token::{Sink, Stop};

impl Validator {
    /// The state of a new validator. Retains the buffers.
    #[inline]
    pub(crate) fn restart(&mut self, options: &Options) {
        if self.state.stack.depth > 0 {
            self.state.stack = Stack::default();
        }
        self.state.carry = carry(options);
        (self.kernel, self.mode) = (options.kernel, options.mode);
        (self.offset, self.last_kind, self.tail_length) = (0, 0, 0);
        self.feed = Feed::new(options.dialect);
        self.blanked.clear();
    }

    /// Checks a whole text as a new validator does, and keeps its buffers for the next one: for many short texts.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator, Verdict};
    ///
    /// let mut validator = Validator::default();
    /// let valid = ["[1]", "[1", "2"].map(|text| {
    ///     validator.check_next(Options::default(), text.as_bytes(), Verdict).is_ok()
    /// });
    /// assert_eq!(valid, [true, false, true]);
    /// ```
    pub fn check_next<S: Sink>(
        &mut self,
        options: Options,
        text: &[u8],
        mut sink: S,
    ) -> Result<S::Output, Stop<S::Error>> {
        self.restart(&options);
        catch(&mut sink, |consumer| self.complete(text, consumer))?;
        sink.finish().map_err(Stop::Sink)
    }
}
