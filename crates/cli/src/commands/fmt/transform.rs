//! Formatting as a transform of files: whether a text is formatted is found while it is checked.

use std::convert::Infallible;

use jsonx_core::{
    Chunk, FormatCheck, Interest, Mode, Output, RewriteError, RewriteOptions, Rewriter, Sink, Stop,
    Validator,
};

use crate::check::{CheckOptions, Failure, InputKind, output_error, push};
use crate::edit_in_place::{Transform, TransformError};
use crate::input::Input;

/// Formatting with these options.
pub struct Formatting {
    pub options: CheckOptions,
    pub rewrite: RewriteOptions,
}

impl Transform for Formatting {
    const UNCHANGED: &'static str = "already formatted";
    const WOULD_CHANGE: &'static str = "not formatted";

    fn is_unchanged(&self, input: &mut Input, kind: InputKind) -> Result<bool, Failure> {
        let rewrite = super::rewriting(self.rewrite, kind);
        is_formatted(self.options, rewrite, input, kind)
    }

    fn write<O: Output<Error: std::fmt::Debug>>(
        &self,
        input: &mut Input,
        kind: InputKind,
        output: O,
        mut source: impl FnMut(&[u8]) -> Result<(), O::Error>,
    ) -> Result<O, TransformError<O::Error>> {
        // A file has been checked line by line before.
        let mut lines = self.options.lines(kind).filter(|_| !input.is_file());
        let mut rewriter = Rewriter::new(super::rewriting(self.rewrite, kind), output);
        let mut validator = Validator::new(self.options.engine(kind));
        input.each_window(|window| {
            if let Some(lines) = &mut lines {
                lines.look(window)?;
            }
            let taken = push(&mut validator, window, &mut rewriter).map_err(stopped)?;
            source(window.bytes()).map_err(TransformError::Output)?;
            Ok::<_, TransformError<O::Error>>(taken)
        })?;
        rewriter
            .finish()
            .map_err(|error| stopped(Stop::Sink(error)))
    }
}

fn stopped<E: std::fmt::Debug>(stop: Stop<RewriteError<E>>) -> TransformError<E> {
    match stop {
        Stop::Invalid(error) => TransformError::Input(Failure::Invalid(error)),
        Stop::Sink(error) => {
            output_error(error).map_or_else(TransformError::Input, TransformError::Output)
        }
    }
}

/// Reads an input to its end, and tells whether it is formatted already, in constant memory.
///
/// # Errors
/// It is not valid, has no canonical form, or cannot be read.
fn is_formatted(
    check_options: CheckOptions,
    rewrite: RewriteOptions,
    input: &mut Input,
    kind: InputKind,
) -> Result<bool, Failure> {
    // The plain layouts can be told without formatting anything. 66 MB: 41 to 32 ms of processor time (tweets), 47 to 40
    // (a catalogue), 36.5 to 36.3 (coordinates).
    let is_formatted = if rewrite == RewriteOptions::from(rewrite.style) {
        let mut formatted = FormatCheck::new(rewrite.style);
        read(check_options, input, kind, &mut formatted)?;
        formatted.finish()
    } else {
        let mut comparison = Comparison::new(rewrite);
        read(check_options, input, kind, &mut comparison)?;
        comparison.ended_equal()?
    };
    // A byte-order mark is no part of formatted text.
    Ok(is_formatted && !input.has_byte_order_mark())
}

/// Reads an input to its end.
fn read<S: Sink>(
    check_options: CheckOptions,
    input: &mut Input,
    kind: InputKind,
    sink: &mut S,
) -> Result<(), Failure>
where
    Failure: From<Stop<S::Error>>,
{
    let mut validator = Validator::new(check_options.engine(kind));
    let mut lines = check_options.lines(kind);
    input.each_window(|window| {
        if let Some(lines) = &mut lines {
            lines.look(window)?;
        }
        Ok(push(&mut validator, window, sink)?)
    })
}

/// A sink that formats the text it is handed, as long as the outcome is that text again.
struct Comparison {
    /// `None` from the first difference on: then only the verdict is left to find.
    rewriter: Option<Rewriter<Expected>>,
    /// What comes behind the difference may still be refused.
    refuses: bool,
}

impl Comparison {
    fn new(rewrite: RewriteOptions) -> Comparison {
        Comparison {
            rewriter: Some(Rewriter::new(rewrite, Expected::default())),
            refuses: rewrite.canonical,
        }
    }

    /// Whether all of the text was equal, once the validator has finished.
    fn ended_equal(self) -> Result<bool, RewriteError<Infallible>> {
        let Some(rewriter) = self.rewriter else {
            return Ok(false);
        };
        let expected = rewriter.finish()?;
        Ok(!expected.differs && expected.rest().is_empty())
    }
}

impl Sink for Comparison {
    type Error = RewriteError<Infallible>;
    type Output = Self;

    fn interest(&self, mode: Mode) -> Interest {
        match &self.rewriter {
            Some(rewriter) => rewriter.interest(mode),
            None => Interest::default(),
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), RewriteError<Infallible>> {
        let Some(rewriter) = &mut self.rewriter else {
            return Ok(());
        };
        rewriter.output().extend(chunk.bytes);
        rewriter.chunk(chunk)?;
        if rewriter.output().differs && !self.refuses {
            self.rewriter = None;
        }
        Ok(())
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}

/// An output that wants to be handed the bytes it expects. What is formatted is never ahead of what was read, so
/// what it holds is what the formatter has not let go of yet.
#[derive(Default)]
struct Expected {
    bytes: Vec<u8>,
    /// How many of them have come.
    seen: usize,
    differs: bool,
}

impl Expected {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.seen..]
    }

    fn extend(&mut self, bytes: &[u8]) {
        if self.differs {
            return;
        }
        // Once it is worth it: what is moved is shorter than what goes.
        if self.seen > self.bytes.len() / 2 {
            self.bytes.drain(..self.seen);
            self.seen = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }
}

impl Output for Expected {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        if !self.differs && self.rest().starts_with(bytes) {
            self.seen += bytes.len();
        } else {
            self.differs = true;
            self.bytes = Vec::new();
            self.seen = 0;
        }
        Ok(())
    }
}
