//! What frames and marks are drawn with.

/// A set of glyphs, each of one cell except the arrow.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Glyphs {
    /// Points at the place; stands behind as many cells as the number of a line has.
    pub arrow: &'static str,
    /// Between the number of a line and the line.
    pub frame: &'static str,
    pub primary: char,
    pub related: char,
    /// From a mark down to its label.
    pub stem: &'static str,
}

/// What every terminal, font and log can show.
pub(super) const ASCII: Glyphs = Glyphs {
    arrow: "-->",
    frame: " |",
    primary: '^',
    related: '-',
    stem: "|",
};

/// Lines that join.
pub(super) const UNICODE: Glyphs = Glyphs {
    arrow: " ╭▸",
    frame: " │",
    primary: '━',
    related: '─',
    stem: "│",
};
