//! What is wrong with a program.

use std::fmt;

/// A range of bytes in the text of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    pub(crate) fn to(self, end: Span) -> Span {
        Span {
            start: self.start,
            end: end.end,
        }
    }
}

/// An error in the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError {
    /// A sentence without a period.
    pub message: String,
    /// The erroneous bytes of the program.
    pub span: Span,
    /// Advice.
    pub note: Option<String>,
}

impl ProgramError {
    pub(crate) fn new(message: String, span: Span) -> ProgramError {
        ProgramError {
            message,
            span,
            note: None,
        }
    }

    pub(crate) fn with_note(self, note: String) -> ProgramError {
        ProgramError {
            note: Some(note),
            ..self
        }
    }

    /// Suggests the nearest of some names.
    pub(crate) fn with_near<'n>(
        self,
        name: &str,
        others: impl IntoIterator<Item = &'n str>,
    ) -> ProgramError {
        // A blank marks a name of the parser's own.
        let others = others.into_iter().filter(|name| !name.contains(' '));
        let others = others.map(str::as_bytes);
        let nearest = jsonx_core::string::nearest::nearest(name.as_bytes(), others);
        match nearest.and_then(|nearest| String::from_utf8(nearest.to_vec()).ok()) {
            Some(nearest) => self.with_note(format!("did you mean `{nearest}`?")),
            None => self,
        }
    }

    /// The line and the column in characters, both from 1.
    pub fn position(&self, program: &str) -> (usize, usize) {
        let at = program.floor_char_boundary(self.span.start as usize);
        let line_start = program[..at].rfind('\n').map_or(0, |at| at + 1);
        (
            1 + program[..at].matches('\n').count(),
            1 + program[line_start..at].chars().count(),
        )
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ProgramError {}
