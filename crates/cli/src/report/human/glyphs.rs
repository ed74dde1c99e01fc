//! The characters that frames and marks are drawn with.

/// A set of glyphs, each of one cell except the arrow.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Glyphs {
    /// Points at the position; indented by the width of the line numbers.
    pub arrow: &'static str,
    /// Between the number of a line and the line.
    pub frame: &'static str,
    /// Before the position of an excerpt of another file.
    pub elsewhere: &'static str,
    pub primary: char,
    pub related: char,
    /// From a mark down to its label.
    pub stem: &'static str,
}

/// Characters that every terminal, font and log can display.
pub(super) const ASCII: Glyphs = Glyphs {
    arrow: "-->",
    frame: " |",
    elsewhere: ":::",
    primary: '^',
    related: '-',
    stem: "|",
};

/// Box-drawing characters, which connect.
pub(super) const UNICODE: Glyphs = Glyphs {
    arrow: " ╭▸",
    frame: " │",
    elsewhere: " ├▸",
    primary: '━',
    related: '─',
    stem: "│",
};
