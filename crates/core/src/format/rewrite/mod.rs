//! Rewriting: formatting with requested changes to tokens.
//!
//! ```text
//!                 ┌────────────────────────────────────────────► layout ──► escapes ──► line ends ──► output
//! verified text ──┤                                                ▲        bytes to bytes
//!                 └► sort, or canonical: tokens to text ► reparse ─┘        (before the layout if
//!                                                         checked           it depends on widths)
//! ```

mod canonical;
mod error;
mod layout;
mod line_end;
mod options;
mod reparse;
mod sort;
#[cfg(test)]
mod tests;

use self::canonical::Canonical;
pub use self::error::{NotCanonical, NotCanonicalKind, RewriteError};
use self::layout::{BytesLayer, Layout};
pub use self::line_end::LineEnd;
use self::line_end::LineEnds;
pub use self::options::{RewriteOptions, TrailingCommas};
use self::reparse::Reparse;
use self::sort::Sorted;
pub use self::sort::sort_commented;
use crate::format::escape::{Escapes, Escaping};
use crate::format::{Formatter, NumberArrays, Output, Prettier, Style};
use crate::token::{Chunk, Interest, Mode, Sink};
use crate::window::Options;

/// A [`Sink`] that writes verified text with the changes of [`RewriteOptions`]. It buffers up to 128 KiB of output, and more for
/// some options. For changes of white space only, use a [`Formatter`].
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_core::format::{RewriteOptions, Rewriter};
///
/// let options = RewriteOptions::default().width(Some(20)).sort_keys(true);
/// let mut rewriter = Rewriter::new(options, Vec::new());
/// let text = br#"{"b":[1,2.0],"a":["long","enough"]}"#;
/// Validator::new(Options::default()).check(text, &mut rewriter).unwrap();
/// let expected = "{
///   \"a\": [
///     \"long\",
///     \"enough\"
///   ],
///   \"b\": [1, 2.0]
/// }
/// ";
/// assert_eq!(rewriter.finish().unwrap(), expected.as_bytes());
/// ```
#[derive(Debug)]
pub struct Rewriter<O> {
    pipeline: Pipeline<O>,
    /// A chunk was received.
    started: bool,
    /// The last byte of the text so far is outside tokens.
    between: bool,
    /// The number of containers open at its end.
    depth: u64,
}

/// The steps of the rewrite.
#[derive(Debug)]
enum Pipeline<O> {
    /// White space and byte replacements.
    Layout(Layout<O>),
    Sorted(Sorted<Rewritten<O>>),
    Canonical(Canonical<Rewritten<O>>),
}

/// The output of rewritten text.
#[derive(Debug)]
enum Rewritten<O> {
    /// Compact text, which is final.
    Compact(BytesLayer<O>),
    Reparsed(Box<Reparse<O>>),
}

impl<O: Output> Rewriter<O> {
    /// A rewriter that writes to `output`: a `Vec<u8>`, or [`WriteTo`](crate::format::WriteTo) a writer.
    ///
    /// ```
    /// use jsonx_core::engine::{Mode, Options, Validator};
    /// use jsonx_core::format::{LineEnd, RewriteOptions, Rewriter, Style};
    ///
    /// let options = RewriteOptions::from(Style::Compact).sort_keys(true).ascii(true).line_end(LineEnd::CrLf);
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// let stream = "{\"é\": 1, \"b\": 2} \"😀\"";
    /// Validator::new(Options::default().mode(Mode::Stream)).check(stream.as_bytes(), &mut rewriter).unwrap();
    /// let expected = "{\"b\":2,\"\\u00e9\":1}\r\n\"\\ud83d\\ude00\"\r\n";
    /// assert_eq!(rewriter.finish().unwrap(), expected.as_bytes());
    /// ```
    pub fn new(options: impl Into<RewriteOptions>, output: O) -> Self {
        let rewrite = options.into();
        let escapes = Escapes {
            ascii: rewrite.ascii,
            html: rewrite.html_safe,
            decodes: rewrite.unescape,
        };
        let (none, line_end) = (Escapes::default(), rewrite.line_end);
        let layer = |escapes, line_end| {
            let ends = LineEnds::new(line_end, rewrite.final_newline, output);
            Escaping::new(escapes, ends)
        };
        let (prettier, comments, width) = (rewrite.prettier, rewrite.comments, rewrite.width);
        // Sorted text has no comments.
        let is_sorted = rewrite.sort_keys && (prettier.is_some() || comments.is_none());
        let pipeline = if rewrite.canonical {
            Pipeline::Canonical(Canonical::new(Rewritten::Compact(layer(none, LineEnd::Lf))))
        } else if rewrite.sort_keys && rewrite.style == Style::Compact {
            Pipeline::Sorted(Sorted::new(Rewritten::Compact(layer(escapes, line_end))))
        } else {
            let layout = match rewrite.style {
                Style::Pretty(indent)
                    if prettier.is_some() || comments.is_some() || width.is_some() =>
                {
                    // Escapes change widths, so they come before the layout.
                    let layer = layer(none, line_end);
                    let layout = Prettier::new(prettier, comments, indent, width, escapes, layer);
                    Layout::Prettier(Box::new(layout))
                }
                style => Layout::Lines(Formatter::new(style, layer(escapes, line_end))),
            };
            if is_sorted {
                Pipeline::Sorted(Sorted::new(Rewritten::reparsed(layout)))
            } else {
                Pipeline::Layout(layout)
            }
        };
        Rewriter {
            pipeline,
            started: false,
            between: false,
            depth: 0,
        }
    }

    /// Sets which arrays of the text contain only numbers, if known, so that the layout of Prettier needs constant memory. Has
    /// no effect on other layouts or with sorted keys.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{NumberArrays, PrettierStyle, RewriteOptions, Rewriter};
    ///
    /// let arrays = Validator::new(Options::default()).check(b"[1, 2]", NumberArrays::default()).unwrap();
    /// let options = RewriteOptions::default().prettier(Some(PrettierStyle::default()));
    /// let rewriter = Rewriter::new(options, Vec::new()).number_arrays(arrays);
    /// let formatted = Validator::new(Options::default()).check(b"[1, 2]", rewriter).unwrap();
    /// assert_eq!(formatted, b"[1, 2]\n");
    /// ```
    #[must_use]
    pub fn number_arrays(mut self, arrays: impl Into<Option<NumberArrays>>) -> Self {
        if let Pipeline::Layout(Layout::Prettier(prettier)) = &mut self.pipeline {
            prettier.set_number_arrays(arrays.into());
        }
        self
    }

    /// Whether the text so far has comments whose place in Prettier's layout is not known.
    #[doc(hidden)]
    pub fn is_unclear(&self) -> bool {
        match &self.pipeline {
            Pipeline::Layout(Layout::Prettier(prettier)) => prettier.is_unclear(),
            _ => false,
        }
    }

    /// A rewriter for a text from a checkpoint of its validator on, so that parts of a text can be rewritten on several
    /// threads. `before` is the text before [`Validator::verified`](crate::engine::Validator::verified); its last 3 bytes are enough.
    /// `None` if these options do not [allow](RewriteOptions::can_resume) it.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator, Verdict};
    /// use jsonx_core::format::{RewriteOptions, Rewriter, Style};
    ///
    /// let text = format!("[\"{}\", 1]", "é".repeat(100)).into_bytes();
    /// let (first, second) = text.split_at(127); // In a character.
    /// let options = RewriteOptions::from(Style::Compact).ascii(true);
    /// let mut validator = Validator::new(Options::default());
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// validator.write(first, &mut rewriter).unwrap();
    /// let mut all = rewriter.pause().unwrap();
    ///
    /// // On another thread, if a first pass has made this checkpoint.
    /// let before = &text[..validator.verified() as usize];
    /// let rewriter = Rewriter::resume(options, before, Vec::new()).unwrap();
    /// all.extend(validator.check(second, rewriter).unwrap());
    /// assert_eq!(all, format!("[\"{}\",1]\n", "\\u00e9".repeat(100)).as_bytes());
    /// ```
    pub fn resume(options: impl Into<RewriteOptions>, before: &[u8], output: O) -> Option<Self> {
        let mut rewriter = Rewriter::new(options, output);
        match &mut rewriter.pipeline {
            Pipeline::Layout(Layout::Lines(formatter)) => formatter.output().resume(before),
            _ => return None,
        }
        Some(rewriter)
    }

    /// Writes all decided text and returns the output, at a checkpoint from which another rewriter [resumes](Rewriter::resume);
    /// the checkpoint may be inside a line or a character.
    ///
    /// # Errors
    ///
    /// The error of the output.
    ///
    /// ```
    /// use jsonx_core::engine::{Mode, Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter, Style};
    ///
    /// let options = RewriteOptions::from(Style::Compact);
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// validator.write(&[b"[1] ".as_slice(), &[b' '; 60]].concat(), &mut rewriter).unwrap();
    /// let mut all = rewriter.pause().unwrap();
    /// assert_eq!(all, b"[1]");
    /// let rewriter = Rewriter::resume(options, b"   ", Vec::new()).unwrap();
    /// all.extend(validator.check(b"2", rewriter).unwrap());
    /// assert_eq!(all, b"[1]\n2\n");
    /// ```
    pub fn pause(self) -> Result<O, RewriteError<O::Error>> {
        match self.pipeline {
            Pipeline::Layout(layout) => layout.pause().map_err(RewriteError::Output),
            _ => self.abandon(),
        }
    }

    /// The output, with the text flushed so far.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter, Style};
    ///
    /// let text = format!(r#"[1, {{"b": "{}", "a": 2}}]"#, "-".repeat(100));
    /// let options = RewriteOptions::from(Style::Compact).sort_keys(true);
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// let mut validator = Validator::new(Options::default());
    /// validator.write(text.as_bytes(), &mut rewriter).unwrap();
    /// rewriter.flush().unwrap();
    /// // The object is still open, so its first member is not known.
    /// assert_eq!(rewriter.output(), b"[1,");
    /// assert!(validator.finish(rewriter).unwrap().starts_with(br#"[1,{"a":2,"b":"-"#));
    /// ```
    pub fn output(&mut self) -> &mut O {
        match &mut self.pipeline {
            Pipeline::Layout(layout) => layout.output(),
            Pipeline::Sorted(sorted) => sorted.output().output(),
            Pipeline::Canonical(canonical) => canonical.output().output(),
        }
    }

    /// Writes to the output all text that is decided, and the line end of a value at the root that is complete.
    ///
    /// # Errors
    ///
    /// The error of the output.
    ///
    /// ```
    /// use jsonx_core::engine::{Mode, Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter, Style};
    ///
    /// let options = RewriteOptions::from(Style::Compact).sort_keys(true);
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// let mut validator = Validator::new(Options::default().mode(Mode::Stream));
    /// // For a reader that waits for each line.
    /// for (line, written) in [
    ///     (r#"{"b": 1, "a": 2}"#, "{\"a\":2,\"b\":1}\n"),
    ///     (r#"[{"d": 3},"#, "[{\"d\":3},"),
    ///     (r#" {}]"#, "{}]\n"),
    /// ] {
    ///     validator.write(format!("{line}\n").as_bytes(), &mut rewriter).unwrap();
    ///     validator.flush(&mut rewriter).unwrap();
    ///     rewriter.flush().unwrap();
    ///     assert_eq!(std::mem::take(rewriter.output()), written.as_bytes());
    /// }
    /// ```
    pub fn flush(&mut self) -> Result<(), RewriteError<O::Error>> {
        let complete = self.between && self.depth == 0;
        let rewritten = match &mut self.pipeline {
            Pipeline::Layout(layout) => {
                if complete {
                    layout.end_line().map_err(RewriteError::Output)?;
                }
                return layout.flush().map_err(RewriteError::Output);
            }
            Pipeline::Sorted(sorted) => {
                if complete {
                    sorted.end_line()?;
                }
                sorted.flush()?;
                sorted.output()
            }
            // The last value has no line end.
            Pipeline::Canonical(canonical) => return canonical.flush(),
        };
        let Rewritten::Reparsed(reparse) = rewritten else {
            return Ok(());
        };
        if self.between {
            reparse.catch_up()?;
        }
        if complete {
            reparse.layout().end_line().map_err(RewriteError::Output)?;
        }
        reparse.layout().flush().map_err(RewriteError::Output)
    }

    /// Writes the rest and returns the output. Call it after [`Validator::finish`](crate::engine::Validator::finish).
    ///
    /// # Errors
    ///
    /// The error of the output; [`RewriteError::NotCanonical`] for a number that ends with the text.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteError, NotCanonicalKind, RewriteOptions, Rewriter};
    ///
    /// let canonical = |text: &[u8]| {
    ///     let mut rewriter = Rewriter::new(RewriteOptions::default().canonical(true), Vec::new());
    ///     Validator::new(Options::default()).check(text, &mut rewriter).unwrap();
    ///     rewriter.finish()
    /// };
    /// assert_eq!(canonical(b" 1.50 \n"), Ok(b"1.5".to_vec()));
    /// // A number at the end of the text is complete only there.
    /// let Err(RewriteError::NotCanonical(reason)) = canonical(b" 9007199254740993") else { unreachable!() };
    /// assert_eq!((reason.kind, reason.offset), (NotCanonicalKind::Rounded, 1));
    /// ```
    pub fn finish(self) -> Result<O, RewriteError<O::Error>> {
        match self.pipeline {
            Pipeline::Layout(layout) => layout.finish().map_err(RewriteError::Output),
            Pipeline::Sorted(sorted) => sorted.finish()?.finish(),
            Pipeline::Canonical(canonical) => canonical.finish()?.finish(),
        }
    }

    /// Writes all decided text, ends the line and returns the output, for a text that is invalid or incomplete. With sorted
    /// keys, open objects are omitted, and possibly up to 63 bytes before an incomplete token.
    ///
    /// # Errors
    ///
    /// The error of the output.
    ///
    /// ```
    /// use jsonx_core::engine::{Options, Validator};
    /// use jsonx_core::format::{RewriteOptions, Rewriter, Style};
    ///
    /// let mut rewriter = Rewriter::new(RewriteOptions::default(), Vec::new());
    /// let checked = Validator::new(Options::default()).check(br#"{"a": [1, "#, &mut rewriter);
    /// assert!(checked.is_err());
    /// assert_eq!(rewriter.abandon().unwrap(), b"{\n  \"a\": [\n    1,\n");
    ///
    /// let options = RewriteOptions::from(Style::Compact).sort_keys(true);
    /// let mut rewriter = Rewriter::new(options, Vec::new());
    /// let checked = Validator::new(Options::default()).check(br#"[{"b": 1, "a": 2}, {"d": 3, "#, &mut rewriter);
    /// assert!(checked.is_err());
    /// assert_eq!(rewriter.abandon().unwrap(), b"[{\"a\":2,\"b\":1},\n");
    /// ```
    pub fn abandon(self) -> Result<O, RewriteError<O::Error>> {
        match self.pipeline {
            Pipeline::Layout(layout) => layout.finish().map_err(RewriteError::Output),
            Pipeline::Sorted(sorted) => sorted.finish()?.abandon(),
            Pipeline::Canonical(canonical) => canonical.abandon()?.abandon(),
        }
    }
}

impl<O: Output> Rewriter<O> {
    /// Prepares for the first chunk.
    fn start(&mut self, chunk: &Chunk<'_>) -> Result<(), RewriteError<O::Error>> {
        let rewritten = match &mut self.pipeline {
            // This formatter may start anywhere; the queue of the others may not.
            Pipeline::Layout(Layout::Lines(_)) => return Ok(()),
            Pipeline::Layout(_) => None,
            Pipeline::Sorted(sorted) => Some(sorted.output()),
            Pipeline::Canonical(canonical) => Some(canonical.output()),
        };
        if chunk.before.last_kind != 0 {
            return Err(RewriteError::NotFromStart);
        }
        if let Some(Rewritten::Reparsed(reparse)) = rewritten {
            let mut options = Options::default().mode(chunk.before.mode);
            options.kernel = chunk.before.kernel;
            reparse.start(options);
        }
        Ok(())
    }
}

impl<O: Output> Sink for Rewriter<O> {
    type Error = RewriteError<O::Error>;
    type Output = O;

    fn interest(&self, mode: Mode) -> Interest {
        match &self.pipeline {
            Pipeline::Layout(layout) => layout.interest(mode),
            Pipeline::Sorted(sorted) => sorted.interest(mode),
            Pipeline::Canonical(canonical) => canonical.interest(mode),
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), RewriteError<O::Error>> {
        if !std::mem::replace(&mut self.started, true) {
            self.start(chunk)?;
        }
        self.depth = chunk.depth;
        let last = chunk.bytes.last();
        self.between =
            !chunk.ends_in_string && last.is_none_or(|byte| b" \t\n\r{}[]:,\"".contains(byte));
        match &mut self.pipeline {
            Pipeline::Layout(layout) => layout.chunk(chunk).map_err(RewriteError::Output),
            Pipeline::Sorted(sorted) => sorted.chunk(chunk),
            Pipeline::Canonical(canonical) => canonical.chunk(chunk),
        }
    }

    fn finish(self) -> Result<O, Self::Error> {
        Rewriter::finish(self)
    }
}

impl<O: Output> Rewritten<O> {
    fn reparsed(layout: Layout<O>) -> Self {
        Rewritten::Reparsed(Box::new(Reparse::new(layout)))
    }

    fn output(&mut self) -> &mut O {
        match self {
            Rewritten::Compact(layer) => layer.output().output(),
            Rewritten::Reparsed(reparse) => reparse.layout().output(),
        }
    }

    fn finish(self) -> Result<O, RewriteError<O::Error>> {
        match self {
            Rewritten::Compact(layer) => Ok(layer.into_output().into_output()),
            Rewritten::Reparsed(reparse) => reparse.finish(),
        }
    }

    fn abandon(self) -> Result<O, RewriteError<O::Error>> {
        match self {
            Rewritten::Reparsed(reparse) => reparse.abandon(),
            compact => compact.finish(),
        }
    }
}

impl<O: Output> Output for Rewritten<O> {
    type Error = RewriteError<O::Error>;

    fn write(&mut self, bytes: &[u8]) -> Result<(), RewriteError<O::Error>> {
        match self {
            Rewritten::Compact(layer) => layer.write(bytes).map_err(RewriteError::Output),
            Rewritten::Reparsed(reparse) => reparse.write(bytes),
        }
    }
}
