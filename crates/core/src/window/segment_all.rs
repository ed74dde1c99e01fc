//! Sinks that receive all tokens of a segment, including those of containers that it closes.

use core::convert::Infallible;

use super::guess::EnclosingContainer;
use super::segment::Guess;
use super::segment_sink::ContainerSink;
use super::{Options, TextSegment, Validator};
use crate::token::{Chunk, Interest, Mode, Sink, Stop};

/// Passes on all chunks, with offsets relative to the segment.
struct All<'a, S>(&'a mut S);

impl<S: Sink<Error = Infallible>> Sink for All<'_, S> {
    type Error = Infallible;
    type Output = ();

    fn interest(&self, mode: Mode) -> Interest {
        self.0.interest(mode)
    }

    #[inline]
    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.0.chunk(chunk)
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl<S: Sink<Error = Infallible>> ContainerSink for All<'_, S> {
    const SEES_ALL: bool = true;

    fn begin(&mut self, _: EnclosingContainer, _: bool, _: usize) {}
}

impl<T: AsRef<[u8]>> TextSegment<T> {
    /// Like [`new`](TextSegment::new), and passes the tokens to `sink`. Use it only if [`Validator::join_with`] finds that the
    /// guesses were right. The first token follows a comma in a container that the sink has not seen, and the sink may see more
    /// containers closed than opened. White space replaces some bytes before the first token.
    ///
    /// Offsets are relative to the segment. The last bytes, fewer than 64, go to the sink of the join instead.
    ///
    /// ```
    /// use jsonx_core::engine::{Chunk, Options, Sink, TextSegment, Validator};
    ///
    /// #[derive(Default)]
    /// struct Commas(usize);
    ///
    /// impl Sink for Commas {
    ///     type Error = std::convert::Infallible;
    ///     type Output = Self;
    ///
    ///     fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Self::Error> {
    ///         self.0 += chunk.kinds.iter().filter(|kind| **kind == b',').count();
    ///         Ok(())
    ///     }
    ///
    ///     fn finish(self) -> Result<Self, Self::Error> {
    ///         Ok(self)
    ///     }
    /// }
    ///
    /// let text = format!("[{}[]]", "\"a\", [1, 2], ".repeat(1000));
    /// let options = Options::default();
    /// let (mut validator, mut all) = (Validator::new(options), Commas::default());
    /// for part in text.as_bytes().chunks(1000) {
    ///     let mut commas = Commas::default(); // Of this segment, on any thread.
    ///     let segment = TextSegment::with_sink(part, options, &mut commas);
    ///     validator.join_with(&segment, &mut all, |all, _| all.0 += commas.0).unwrap();
    /// }
    /// assert_eq!(validator.finish(all).unwrap().0, 3000);
    /// ```
    pub fn with_sink<S: Sink<Error = Infallible>>(
        text: T,
        options: Options,
        sink: &mut S,
    ) -> TextSegment<T> {
        let guess = Guess::of(text.as_ref(), options, usize::MAX, &mut All(sink));
        TextSegment { text, guess }
    }
}

impl Validator {
    /// Equivalent to [`write`](Validator::write) with the text of the segment. If its guesses were right, `sink` receives the
    /// text up to the first comma, then `merge` is called with `sink` and the offset of the segment, to add the findings of the
    /// sink of [`TextSegment::with_sink`]. Returns whether the guesses were right; if not, all of the text is passed to `sink`.
    ///
    /// # Errors
    ///
    /// As for [`write`](Validator::write).
    ///
    /// ```
    /// use jsonx_core::diagnose::Lints;
    /// use jsonx_core::lint::Linter;
    /// use jsonx_core::engine::{Options, TextSegment, Validator};
    ///
    /// let options = Options::default();
    /// let mut linter = Linter::new(Lints::ALL, 0);
    /// linter.begin_segment();
    /// let segment = TextSegment::with_sink(r#"1, "a": 2, "b": 3}"#, options, &mut linter);
    /// let linted = linter.end_segment();
    ///
    /// let mut linter = Linter::new(Lints::ALL, 0);
    /// let mut validator = Validator::new(options);
    /// validator.write(br#"{"a": "#, &mut linter).unwrap();
    /// validator.join_with(&segment, &mut linter, |linter, offset| linter.join(linted, offset)).unwrap();
    /// let found = validator.finish(linter).unwrap();
    /// assert_eq!((found.count, found.findings[0].offset), (1, 9));
    /// ```
    pub fn join_with<T: AsRef<[u8]>, S: Sink>(
        &mut self,
        segment: &TextSegment<T>,
        sink: &mut S,
        merge: impl FnOnce(&mut S, u64),
    ) -> Result<bool, Stop<S::Error>> {
        self.join_all(segment, sink, |_| {}, merge)
    }
}
