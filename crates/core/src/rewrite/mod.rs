//! Formatting with named changes: what else than white space is to be another, and only that.
//!
//! ```text
//!                 ┌──────────────────────────────────────────► layout ──► escapes ──► line ends ──► output
//! verified text ──┤                                              ▲        bytes to bytes
//!                 └► sort, or canonical: tokens to text ► again ─┘        (before the layout where it
//!                                                         checked               depends on widths)
//! ```

mod canonical;
mod escape;
mod layout;
mod line_end;
mod reparse;
mod sort;
#[cfg(test)]
mod tests;

use core::fmt;
use std::collections::TryReserveError;

use self::canonical::Canonical;
use self::escape::{Escapes, Escaping};
use self::layout::{Layout, Written};
pub use self::line_end::LineEnd;
use self::line_end::LineEnds;
use self::reparse::Reparse;
use self::sort::Sorted;
use crate::Error;
use crate::format::{Fitted, Formatter, Indent, Output, Style};
use crate::token::{Chunk, Interest, Mode, Sink};
use crate::window::Options;

/// How a text is to be rewritten. Whatever is not asked for stays byte for byte, white space aside.
///
/// ```
/// use jsonx_core::{Indent, RewriteOptions, Style};
///
/// let rewrite = RewriteOptions { sort_keys: true, ..RewriteOptions::default() };
/// assert_eq!(rewrite.style, Style::Pretty(Indent::Spaces(2)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewriteOptions {
    /// White space.
    pub style: Style,
    /// In the pretty style: an array or object goes on one line, compact but for a space after each comma and colon,
    /// where that line then has at most so many code points. What is held back for this is never more than one such
    /// line and a few KiB.
    pub width: Option<u32>,
    /// How lines end.
    pub line_end: LineEnd,
    /// The members of every object are sorted by the code points of their decoded keys; those with equal keys keep
    /// their order. Needs memory for the outermost object at hand.
    pub sort_keys: bool,
    /// Characters beyond ASCII become `\u` escapes, in pairs beyond U+FFFF.
    pub ascii: bool,
    /// `<`, `>`, `&`, U+2028 and U+2029 become `\u` escapes, so that the text may stand in HTML and in JavaScript.
    pub html_safe: bool,
    /// The canonical form of RFC 8785; all of the above is then without effect. Each value at the root is written as
    /// exactly these bytes, with a line feed between two of them and none at the end. A text that has no such form is
    /// [refused](NotCanonical).
    pub canonical: bool,
}

impl Default for RewriteOptions {
    /// The look of `jq .`, and no change of tokens.
    fn default() -> Self {
        RewriteOptions {
            style: Style::Pretty(Indent::Spaces(2)),
            width: None,
            line_end: LineEnd::Lf,
            sort_keys: false,
            ascii: false,
            html_safe: false,
            canonical: false,
        }
    }
}

impl From<Style> for RewriteOptions {
    fn from(style: Style) -> Self {
        RewriteOptions {
            style,
            ..RewriteOptions::default()
        }
    }
}

/// Why a text has no canonical form, and where.
///
/// ```
/// use jsonx_core::{RewriteError, Options, NotCanonical, NotCanonicalKind, RewriteOptions, Rewriter, Stop, Validator};
///
/// let rewrite = RewriteOptions { canonical: true, ..RewriteOptions::default() };
/// let mut rewriter = Rewriter::new(rewrite, Options::default(), Vec::new());
/// let stop = Validator::new(Options::default()).finish(br#"{"n": 1e400}"#, &mut rewriter).unwrap_err();
/// let reason = NotCanonical { kind: NotCanonicalKind::Rounded, offset: 6 };
/// assert_eq!(stop, Stop::Sink(RewriteError::NotCanonical(reason)));
/// assert_eq!(reason.to_string(), "the number would have to be rounded");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotCanonical {
    /// What is in the way.
    pub kind: NotCanonicalKind,
    /// Bytes from the start of the input to the key, escape or number.
    pub offset: u64,
}

/// What has no canonical form.
///
/// ```
/// use jsonx_core::{RewriteError, Options, NotCanonicalKind, RewriteOptions, Rewriter, Stop, Validator};
///
/// let refused = |text: &str| {
///     let rewrite = RewriteOptions { canonical: true, ..RewriteOptions::default() };
///     let mut rewriter = Rewriter::new(rewrite, Options::default(), Vec::new());
///     match Validator::new(Options::default()).finish(text.as_bytes(), &mut rewriter) {
///         Err(Stop::Sink(RewriteError::NotCanonical(reason))) => Some(reason.kind),
///         other => other.map(|()| None).unwrap(),
///     }
/// };
/// assert_eq!(refused(r#"{"a": 1, "\u0061": 2}"#), Some(NotCanonicalKind::DuplicateKey { first: 1 }));
/// assert_eq!(refused(r#"["\ud83d", "\ud83d\ude00"]"#), Some(NotCanonicalKind::LoneSurrogate));
/// assert_eq!(refused("[9007199254740993]"), Some(NotCanonicalKind::Rounded));
/// assert_eq!(refused("[9007199254740992, 0.1, 1.50, -0]"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotCanonicalKind {
    /// A key that its object has already, after decoding.
    DuplicateKey {
        /// Where it has it, in bytes from the start of the input.
        first: u64,
    },
    /// An escaped half of a surrogate pair, which is no character.
    LoneSurrogate,
    /// A number that no double is when written with as many digits: `9007199254740993` and `1e400`, but not `0.1`.
    Rounded,
}

impl NotCanonical {
    /// The same in an input that begins `bytes` before the text that was checked: all offsets are moved.
    ///
    /// ```
    /// use jsonx_core::{NotCanonical, NotCanonicalKind};
    ///
    /// // Of `{"a": 1, "a": 2}`, which stands behind a byte order mark.
    /// let reason = NotCanonical { kind: NotCanonicalKind::DuplicateKey { first: 1 }, offset: 9 };
    /// let moved = reason.moved("\u{feff}".len() as u64);
    /// assert_eq!(moved, NotCanonical { kind: NotCanonicalKind::DuplicateKey { first: 4 }, offset: 12 });
    /// ```
    #[must_use]
    pub fn moved(self, bytes: u64) -> Self {
        NotCanonical {
            kind: match self.kind {
                NotCanonicalKind::DuplicateKey { first } => NotCanonicalKind::DuplicateKey {
                    first: first + bytes,
                },
                other => other,
            },
            offset: self.offset + bytes,
        }
    }
}

impl fmt::Display for NotCanonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            NotCanonicalKind::DuplicateKey { .. } => "the object has this key already",
            NotCanonicalKind::LoneSurrogate => "half of a surrogate pair is no character",
            NotCanonicalKind::Rounded => "the number would have to be rounded",
        })
    }
}

/// Why rewriting stopped.
///
/// ```
/// use jsonx_core::{RewriteError, Options, Output, RewriteOptions, Rewriter, Style, Validator};
///
/// /// Takes five bytes.
/// struct Five(usize);
///
/// impl Output for Five {
///     type Error = &'static str;
///
///     fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
///         self.0 += bytes.len();
///         if self.0 > 5 { Err("no room") } else { Ok(()) }
///     }
/// }
///
/// let mut rewriter = Rewriter::new(Style::Compact.into(), Options::default(), Five(0));
/// // What is written is gathered first, so an output that is full may show only at the end.
/// Validator::new(Options::default()).finish(b"[1, 2, 3]", &mut rewriter).unwrap();
/// assert!(matches!(rewriter.finish(), Err(RewriteError::Output("no room"))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewriteError<E> {
    /// The output takes no more.
    Output(E),
    /// The text has no canonical form.
    NotCanonical(NotCanonical),
    /// No memory could be had for an object, or for its sorting.
    OutOfMemory,
    /// What was made of the text is not JSON, which would be a fault of this library. It is noticed before it is
    /// written.
    Internal(Error),
}

impl<E> From<TryReserveError> for RewriteError<E> {
    fn from(_: TryReserveError) -> Self {
        RewriteError::OutOfMemory
    }
}

/// A sink that writes the text it is handed as [`RewriteOptions`] says.
///
/// ```
/// use jsonx_core::{Options, RewriteOptions, Rewriter, Validator};
///
/// let rewrite = RewriteOptions { width: Some(20), sort_keys: true, ..RewriteOptions::default() };
/// let mut rewriter = Rewriter::new(rewrite, Options::default(), Vec::new());
/// let text = br#"{"b":[1,2.0],"a":["long","enough"]}"#;
/// Validator::new(Options::default()).finish(text, &mut rewriter).unwrap();
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
    way: Way<O>,
    /// What has come ends between two tokens, as far as one can see.
    between: bool,
    /// How many containers are open there.
    depth: u64,
}

/// The way of the text.
#[derive(Debug)]
enum Way<O> {
    /// White space, and what can be done to bytes.
    Layout(Layout<O>),
    /// Escapes that change how wide things are come before the layout.
    Widened(Formatter<Rewritten<O>>),
    Sorted(Sorted<Rewritten<O>>),
    Canonical(Canonical<Rewritten<O>>),
}

/// Where rewritten text goes.
#[derive(Debug)]
enum Rewritten<O> {
    /// It is compact, and is to be.
    Written(Written<O>),
    Again(Box<Escaping<Reparse<O>>>),
}

impl<O: Output> Rewriter<O> {
    /// A rewriter that writes to `output`. The options are to be those of the validator: what was sorted is checked with
    /// them once more.
    ///
    /// ```
    /// use jsonx_core::{LineEnd, Mode, Options, RewriteOptions, Rewriter, Style, Validator};
    ///
    /// let rewrite = RewriteOptions {
    ///     sort_keys: true,
    ///     ascii: true,
    ///     line_end: LineEnd::CrLf,
    ///     ..RewriteOptions::from(Style::Compact)
    /// };
    /// let options = Options::default().mode(Mode::Stream);
    /// let mut rewriter = Rewriter::new(rewrite, options, Vec::new());
    /// Validator::new(options).finish("{\"é\": 1, \"b\": 2} \"😀\"".as_bytes(), &mut rewriter).unwrap();
    /// let expected = "{\"b\":2,\"\\u00e9\":1}\r\n\"\\ud83d\\ude00\"\r\n";
    /// assert_eq!(rewriter.finish().unwrap(), expected.as_bytes());
    /// ```
    pub fn new(rewrite: RewriteOptions, options: Options, output: O) -> Self {
        let escapes = Escapes {
            ascii: rewrite.ascii,
            html: rewrite.html_safe,
        };
        let escaped = escapes != Escapes::default();
        let (none, line_end) = (Escapes::default(), rewrite.line_end);
        let written = |escapes, line_end| Escaping::new(escapes, LineEnds::new(line_end, output));
        let fitted = match (rewrite.style, rewrite.width) {
            (Style::Pretty(indent), Some(width)) => Some((indent, width)),
            _ => None,
        };
        let way = if rewrite.canonical {
            Way::Canonical(Canonical::new(Rewritten::Written(written(
                none,
                LineEnd::Lf,
            ))))
        } else if rewrite.sort_keys && rewrite.style == Style::Compact {
            Way::Sorted(Sorted::new(Rewritten::Written(written(escapes, line_end))))
        } else if let Some((indent, width)) = fitted {
            let layout = Layout::Fitted(Fitted::new(indent, width, written(none, line_end)));
            match (rewrite.sort_keys, escaped) {
                (false, false) => Way::Layout(layout),
                (false, true) => Way::Widened(Formatter::new(
                    Style::Compact,
                    Rewritten::again(escapes, options, layout),
                )),
                (true, _) => Way::Sorted(Sorted::new(Rewritten::again(escapes, options, layout))),
            }
        } else {
            let formatter = Formatter::new(rewrite.style, written(escapes, line_end));
            let layout = Layout::Lines(formatter);
            match rewrite.sort_keys {
                false => Way::Layout(layout),
                true => Way::Sorted(Sorted::new(Rewritten::again(none, options, layout))),
            }
        };
        Rewriter {
            way,
            between: false,
            depth: 0,
        }
    }

    /// The output, to see how much has reached it, or to take that away.
    ///
    /// ```
    /// use jsonx_core::{Options, RewriteOptions, Rewriter, Style, Validator};
    ///
    /// let text = format!(r#"[1, {{"b": "{}", "a": 2}}]"#, "-".repeat(100));
    /// let rewrite = RewriteOptions { sort_keys: true, ..RewriteOptions::from(Style::Compact) };
    /// let mut rewriter = Rewriter::new(rewrite, Options::default(), Vec::new());
    /// let mut validator = Validator::new(Options::default());
    /// let taken = validator.feed(text.as_bytes(), &mut rewriter).unwrap();
    /// rewriter.flush().unwrap();
    /// // The object has begun, but what its first member will be is not known.
    /// assert_eq!(rewriter.output(), b"[1,");
    /// validator.finish(&text.as_bytes()[taken..], &mut rewriter).unwrap();
    /// assert!(rewriter.finish().unwrap().starts_with(br#"[1,{"a":2,"b":"-"#));
    /// ```
    pub fn output(&mut self) -> &mut O {
        match &mut self.way {
            Way::Layout(layout) => layout.output(),
            Way::Widened(formatter) => formatter.output().output(),
            Way::Sorted(sorted) => sorted.output().output(),
            Way::Canonical(canonical) => canonical.output().output(),
        }
    }

    /// Hands what has been written so far to the output, as far as it is decided: where a value at the root is known to
    /// be complete, its line end too.
    ///
    /// # Errors
    ///
    /// Those of the output.
    ///
    /// ```
    /// use jsonx_core::{Mode, Options, RewriteOptions, Rewriter, Style, Validator};
    ///
    /// let options = Options::default().mode(Mode::Stream);
    /// let rewrite = RewriteOptions { sort_keys: true, ..RewriteOptions::from(Style::Compact) };
    /// let mut rewriter = Rewriter::new(rewrite, options, Vec::new());
    /// let mut validator = Validator::new(options);
    /// // For somebody who waits for each line.
    /// for (line, written) in [
    ///     (r#"{"b": 1, "a": 2}"#, "{\"a\":2,\"b\":1}\n"),
    ///     (r#"[{"d": 3},"#, "[{\"d\":3},"),
    ///     (r#" {}]"#, "{}]\n"),
    /// ] {
    ///     validator.feed_lines(format!("{line}\n").as_bytes(), &mut rewriter).unwrap();
    ///     rewriter.flush().unwrap();
    ///     assert_eq!(std::mem::take(rewriter.output()), written.as_bytes());
    /// }
    /// ```
    pub fn flush(&mut self) -> Result<(), RewriteError<O::Error>> {
        let complete = self.between && self.depth == 0;
        let rewritten = match &mut self.way {
            Way::Layout(layout) => {
                if complete {
                    layout.end_line().map_err(RewriteError::Output)?;
                }
                return layout.flush().map_err(RewriteError::Output);
            }
            Way::Widened(formatter) => {
                if complete {
                    formatter.end_line()?;
                }
                formatter.flush()?;
                formatter.output()
            }
            Way::Sorted(sorted) => {
                if complete {
                    sorted.end_line()?;
                }
                sorted.flush()?;
                sorted.output()
            }
            // The last of its values has no line end.
            Way::Canonical(canonical) => return canonical.flush(),
        };
        let Rewritten::Again(again) = rewritten else {
            return Ok(());
        };
        let again = again.output();
        if self.between {
            again.catch_up()?;
        }
        if complete {
            again.layout().end_line().map_err(RewriteError::Output)?;
        }
        again.layout().flush().map_err(RewriteError::Output)
    }

    /// Writes what is left and returns the output. To be called when the validator has finished.
    ///
    /// # Errors
    ///
    /// Those of the output; that the last number has no canonical form.
    ///
    /// ```
    /// use jsonx_core::{RewriteError, Options, NotCanonicalKind, RewriteOptions, Rewriter, Validator};
    ///
    /// let canonical = |text: &[u8]| {
    ///     let rewrite = RewriteOptions { canonical: true, ..RewriteOptions::default() };
    ///     let mut rewriter = Rewriter::new(rewrite, Options::default(), Vec::new());
    ///     Validator::new(Options::default()).finish(text, &mut rewriter).unwrap();
    ///     rewriter.finish()
    /// };
    /// assert_eq!(canonical(b" 1.50 \n"), Ok(b"1.5".to_vec()));
    /// // Where a number ends at the end of the text, nobody has seen all of it before.
    /// let Err(RewriteError::NotCanonical(reason)) = canonical(b" 9007199254740993") else { unreachable!() };
    /// assert_eq!((reason.kind, reason.offset), (NotCanonicalKind::Rounded, 1));
    /// ```
    pub fn finish(self) -> Result<O, RewriteError<O::Error>> {
        match self.way {
            Way::Layout(layout) => layout.finish().map_err(RewriteError::Output),
            Way::Widened(formatter) => formatter.finish()?.finish(),
            Way::Sorted(sorted) => sorted.finish()?.finish(),
            Way::Canonical(canonical) => canonical.finish()?.finish(),
        }
    }
}

impl<O: Output> Rewriter<O> {
    /// Writes what is decided, ends the line and returns the output: for a text that turned out to be invalid, or was not
    /// read to its end. Objects that are to be sorted and have not closed are left out, and so may be up to
    /// 63 bytes before a token that breaks off.
    ///
    /// # Errors
    ///
    /// Those of the output.
    ///
    /// ```
    /// use jsonx_core::{Options, RewriteOptions, Rewriter, Style, Validator};
    ///
    /// let mut rewriter = Rewriter::new(RewriteOptions::default(), Options::default(), Vec::new());
    /// let checked = Validator::new(Options::default()).finish(br#"{"a": [1, "#, &mut rewriter);
    /// assert!(checked.is_err());
    /// assert_eq!(rewriter.abandon().unwrap(), b"{\n  \"a\": [\n    1,\n");
    ///
    /// let rewrite = RewriteOptions { sort_keys: true, ..RewriteOptions::from(Style::Compact) };
    /// let mut rewriter = Rewriter::new(rewrite, Options::default(), Vec::new());
    /// let checked = Validator::new(Options::default()).finish(br#"[{"b": 1, "a": 2}, {"d": 3, "#, &mut rewriter);
    /// assert!(checked.is_err());
    /// assert_eq!(rewriter.abandon().unwrap(), b"[{\"a\":2,\"b\":1},\n");
    /// ```
    pub fn abandon(self) -> Result<O, RewriteError<O::Error>> {
        match self.way {
            Way::Layout(layout) => layout.finish().map_err(RewriteError::Output),
            Way::Widened(formatter) => formatter.finish()?.abandon(),
            Way::Sorted(sorted) => sorted.finish()?.abandon(),
            Way::Canonical(canonical) => canonical.abandon()?.abandon(),
        }
    }
}

impl<O: Output> Sink for Rewriter<O> {
    type Error = RewriteError<O::Error>;

    fn interest(&self, mode: Mode) -> Interest {
        match &self.way {
            Way::Layout(layout) => layout.interest(mode),
            Way::Widened(formatter) => formatter.interest(mode),
            Way::Sorted(sorted) => sorted.interest(mode),
            Way::Canonical(canonical) => canonical.interest(mode),
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), RewriteError<O::Error>> {
        self.depth = chunk.depth;
        let last = chunk.bytes.last();
        self.between =
            !chunk.ends_in_string && last.is_none_or(|byte| b" \t\n\r{}[]:,\"".contains(byte));
        match &mut self.way {
            Way::Layout(layout) => layout.chunk(chunk).map_err(RewriteError::Output),
            Way::Widened(formatter) => formatter.chunk(chunk),
            Way::Sorted(sorted) => sorted.chunk(chunk),
            Way::Canonical(canonical) => canonical.chunk(chunk),
        }
    }
}

impl<O: Output> Rewritten<O> {
    fn again(escapes: Escapes, options: Options, layout: Layout<O>) -> Self {
        Rewritten::Again(Box::new(Escaping::new(
            escapes,
            Reparse::new(options, layout),
        )))
    }

    fn output(&mut self) -> &mut O {
        match self {
            Rewritten::Written(written) => written.output().output(),
            Rewritten::Again(again) => again.output().layout().output(),
        }
    }

    fn finish(self) -> Result<O, RewriteError<O::Error>> {
        match self {
            Rewritten::Written(written) => Ok(written.into_output().into_output()),
            Rewritten::Again(again) => again.into_output().finish(),
        }
    }

    fn abandon(self) -> Result<O, RewriteError<O::Error>> {
        match self {
            Rewritten::Again(again) => again.into_output().abandon(),
            written => written.finish(),
        }
    }
}

impl<O: Output> Output for Rewritten<O> {
    type Error = RewriteError<O::Error>;

    fn write(&mut self, bytes: &[u8]) -> Result<(), RewriteError<O::Error>> {
        match self {
            Rewritten::Written(written) => written.write(bytes).map_err(RewriteError::Output),
            Rewritten::Again(again) => again.write(bytes),
        }
    }
}
