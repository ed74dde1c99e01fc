//! Formatting as a transform of files. Checks validity and formatting in one pass.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use jsonx_core::engine::{Chunk, Interest, Mode, Sink};
use jsonx_core::format::{LineEnd, RewriteError, RewriteOptions, Rewriter, WriteTo};
use jsonx_core::jsonc::Dialect;

use super::Pass;
use super::commented::{self, Comments, Writing};
use super::expected::Expected;
use super::layouts::Layouts;
use crate::changes::{NewText, Transform};
use crate::check::{CheckOptions, Failure, InputKind, json5};
use crate::config::FileOptions;
use crate::diagnostics::{Diagnoser, FileReport};
use crate::exit::Exit;
use crate::files::Exceptions;
use crate::files::layout::Unknown;
use crate::input::{BYTE_ORDER_MARK, Input, Name};
use crate::output::AnyOutput;

/// Formatting with these options.
pub struct Formatting {
    pub options: CheckOptions,
    pub layouts: Arc<Layouts>,
    pub verbose: bool,
}

impl Formatting {
    /// Whether an input is formatted with these line ends.
    fn is_formatted(
        &self,
        rewrite: RewriteOptions,
        comments: Comments,
        input: &mut Input,
        kind: InputKind,
    ) -> Result<bool, Failure> {
        let rewrite = super::rewriting(&self.options, rewrite, input, kind)?;
        match comments.writing(rewrite, kind) {
            Writing::Commented(commented) => {
                let known = commented::is_formatted(&self.options, commented, kind, input)?;
                match known {
                    Some(known) => Ok(known),
                    None => Pass::new(&self.options, commented.rewrite, kind).is_formatted(input),
                }
            }
            Writing::Plain(rewrite) => {
                json5::not_json5(input, "this layout")?;
                Pass::new(&self.options, rewrite, kind).is_formatted(input)
            }
        }
    }
}

impl Transform for Formatting {
    const UNCHANGED: &'static str = "already formatted";
    const WOULD_CHANGE: &'static str = "not formatted";
    const IS_EDIT: bool = false;
    /// Whether the result may differ.
    type Plan = bool;

    fn is_unchanged(&self, input: &mut Input, kind: InputKind) -> Result<bool, Failure> {
        if kind == InputKind::Json5 && self.layouts.respells(input) {
            return Err(Failure::Declined {
                exit: Exit::Failure,
                message: format!(
                    "jsonx: {}: left alone: Prettier would change the quotes or numbers of this JSON5, which jsonx keeps",
                    input.name()
                ),
            });
        }
        let layout = self.layouts.for_file(input.name().path(), kind);
        let comments = layout.comments;
        let is_open = layout.keeps_line_ends && !layout.keeps_indent;
        if !is_open || !input.is_file() || kind.dialect() != Dialect::Json {
            return self.is_formatted(layout.resolve(input), comments, input, kind);
        }
        // Formatted text with line feeds is the usual case, and its line ends need not be counted.
        if self.is_formatted(layout.rewrite, comments, input, kind)? {
            return Ok(true);
        }
        let resolved = layout.resolve(input);
        Ok(resolved != layout.rewrite && self.is_formatted(resolved, comments, input, kind)?)
    }

    fn difference(&self, input: &mut Input, kind: InputKind) -> Option<&'static str> {
        if !input.is_file() || input.size() > MAX_EDITED {
            return None;
        }
        let layout = self.layouts.for_file(input.name().path(), kind);
        let rewrite = layout.resolve(input);
        // A long text has one in its first lines, too.
        let has_return = input.head().contains(&b'\r');
        if !has_return && rewrite != rewrite.line_end(LineEnd::CrLf) {
            return None;
        }
        let old = input.original(MAX_EDITED as usize).ok()??;
        let mut new = WriteTo(Vec::new());
        self.write(&true, input, kind, &mut new).ok()?;
        let with_lf = |text: &[u8]| {
            text.split(|&byte| byte == b'\r')
                .collect::<Vec<_>>()
                .concat()
        };
        (with_lf(&old) == with_lf(&new.0)).then_some("only its line ends differ")
    }

    fn advice(&self) -> Option<String> {
        let staged = self.options.staged.as_ref().map_or("", |_| " --staged");
        Some(format!("run jsonx fmt {}-w{staged}", self.layouts.typed))
    }

    fn unknown(&self, name: &Name, kind: InputKind) -> Option<Unknown> {
        self.layouts.unknown(name.path(), kind)
    }

    fn with_options(&self, options: &FileOptions) -> Formatting {
        Formatting {
            options: options.check.clone(),
            layouts: self.layouts.clone(),
            verbose: self.verbose,
        }
    }

    fn report(&self, report: FileReport, name: &Name, _: &Diagnoser) -> FileReport {
        let note = self.layouts.note(name.path()).filter(|_| self.verbose);
        match note {
            Some(note) => FileReport {
                messages: format!("{}{note}\n", report.messages),
                ..report
            },
            None => report,
        }
    }

    fn plan(&self, input: &mut Input, kind: InputKind) -> Result<bool, Failure> {
        Ok(!input.is_file() || !self.is_unchanged(input, kind)?)
    }

    fn changes(&self, changes: &bool) -> bool {
        *changes
    }

    fn write(
        &self,
        _: &bool,
        input: &mut Input,
        kind: InputKind,
        output: &mut AnyOutput<'_>,
    ) -> Result<(), Failure> {
        let layout = self.layouts.for_file(input.name().path(), kind);
        let rewrite = layout.resolve(input);
        let rewrite = super::rewriting(&self.options, rewrite, input, kind)?;
        if !rewrite.canonical {
            // In JSON5, the mark is white space.
            let json5 = input.json5().map(|it| it.source());
            let mark = match json5.filter(|source| source.starts_with(BYTE_ORDER_MARK)) {
                Some(_) => BYTE_ORDER_MARK,
                None => input.byte_order_mark(),
            };
            output.write(mark).map_err(Failure::Write)?;
        }
        match layout.comments.writing(rewrite, kind) {
            Writing::Commented(commented) => {
                commented::write(&self.options, commented, kind, input, output)
            }
            Writing::Plain(rewrite) => {
                json5::not_json5(input, "this layout")?;
                Pass::new(&self.options, rewrite, kind).write(input, output)
            }
        }
    }
}

/// Longer files are not formatted after an edit.
const MAX_EDITED: u64 = 4 << 20;

impl Layouts {
    /// Formats the new text of an edited file, if the old text was formatted by the settings that `fmt` has for the file.
    pub fn keep(
        self: &Arc<Layouts>,
        options: &CheckOptions,
        input: &mut Input,
        kind: InputKind,
        new: &mut NewText,
    ) {
        if !new.differs || !input.is_file() || input.size() > MAX_EDITED {
            return;
        }
        let Some(path) = input.name().path().map(Path::to_owned) else {
            return;
        };
        if self.unknown(Some(&path), kind).is_some() || self.reason(&path, false).is_some() {
            return;
        }
        // Many programs write no line feed at the end: that shows without formatting the text.
        let ends = self.for_file(Some(&path), kind).rewrite.final_newline;
        let last = input.span(input.length().saturating_sub(1), input.length());
        if ends && last.is_ok_and(|last| last != b"\n") {
            return;
        }
        if matches!(self.formatting(options).is_unchanged(input, kind), Ok(true))
            && let Some(text) = self.formatted(options, &path, kind, new.text.clone())
        {
            new.text = text;
        }
    }

    /// A valid text in the layout of a file with this path.
    pub fn formatted(
        self: &Arc<Layouts>,
        options: &CheckOptions,
        path: &Path,
        kind: InputKind,
        text: Vec<u8>,
    ) -> Option<Vec<u8>> {
        let input = Input::of_text(path, Arc::new(text));
        let mut input = options.translated(input).ok()?;
        let mut formatted = WriteTo(Vec::new());
        let formatting = self.formatting(options);
        let written = formatting.write(&true, &mut input, kind, &mut formatted);
        written.ok().map(|()| formatted.0)
    }

    fn formatting(self: &Arc<Layouts>, options: &CheckOptions) -> Formatting {
        Formatting {
            options: options.clone(),
            layouts: self.clone(),
            verbose: false,
        }
    }
}

impl Pass<'_> {
    /// Checks whether an input is already formatted, in constant memory.
    ///
    /// # Errors
    /// The input is invalid, has no canonical form, or cannot be read.
    fn is_formatted(self, input: &mut Input) -> Result<bool, Failure> {
        let rewrite = self.rewrite;
        let arrays = self.number_arrays(input)?;
        let comparison = self.options.read(input, self.kind, || Comparison {
            rewriter: Some(
                Rewriter::new(rewrite, Expected::default()).number_arrays(arrays.clone()),
            ),
            refuses: rewrite.canonical || rewrite.prettier.is_some_and(|style| style.comments),
        })?;
        let rewriter = comparison.rewriter.as_ref();
        if rewriter.is_some_and(Rewriter::is_unclear) {
            return Err(Failure::Declined {
                exit: Exit::Failure,
                message: format!(
                    "jsonx: {}: left alone: `prettier-ignore` after a value is not supported",
                    input.name()
                ),
            });
        }
        // Canonical text has no byte-order mark.
        Ok(comparison.ended_equal()? && !(rewrite.canonical && input.has_byte_order_mark()))
    }
}

/// A sink that formats its input and compares the result with it, up to the first difference.
struct Comparison {
    /// `None` after the first difference, when only the verdict is still open.
    rewriter: Option<Rewriter<Expected>>,
    /// The rewriter may reject text after the difference, so it runs to the end.
    refuses: bool,
}

impl Comparison {
    /// Whether the whole text was equal; call it after the validator has finished.
    fn ended_equal(self) -> Result<bool, RewriteError<Infallible>> {
        let Some(rewriter) = self.rewriter else {
            return Ok(false);
        };
        let expected = rewriter.finish()?;
        Ok(expected.is_equal())
    }
}

impl Sink for Comparison {
    type Error = RewriteError<Infallible>;
    type Output = Self;

    fn interest(&self, mode: Mode) -> Interest {
        match &self.rewriter {
            Some(rewriter) => Interest {
                source: true,
                ..rewriter.interest(mode)
            },
            None => Interest::default(),
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), RewriteError<Infallible>> {
        let Some(rewriter) = &mut self.rewriter else {
            return Ok(());
        };
        rewriter.output().extend(chunk.source);
        rewriter.chunk(chunk)?;
        if rewriter.output().differs() && !self.refuses {
            self.rewriter = None;
        }
        Ok(())
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}
