//! One open container, and where in it the parser is.

use super::super::keys::Seen;
use super::super::lexer::{Container, Token};

/// What comes next in a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Right after the opener.
    First,
    /// A member or element, after a comma.
    Next,
    /// The colon after a key.
    Colon,
    /// The value after a colon.
    Value,
    /// A comma or the closer, after a value. Also while a container inside is open.
    After,
}

pub(super) struct Frame {
    pub kind: Container,
    pub state: State,
    /// Opened by a parenthesis.
    pub paren: bool,
    /// The opener is not in the text.
    pub imagined: bool,
    /// A key without a value was reported.
    pub valueless: bool,
    /// A colon in this array was reported.
    pub colon: bool,
    /// The end of the colon before the present value, if the value is on a line below.
    pub value_below: Option<u32>,
    /// Place of the opener, number and indentation of its line.
    pub opener: u32,
    pub line: u32,
    pub indent: u32,
    /// Indentation of the first member or element that begins a line.
    pub member_indent: Option<u32>,
    /// The present key.
    pub key: (u32, u32),
    /// The first key, while there is only one.
    pub first_key: (u32, u32),
    /// Number of the present member or element, from 0.
    pub index: u32,
    /// Where the present value starts.
    pub value: u32,
    /// The keys so far, from the second on.
    pub seen: Option<Box<Seen>>,
}

impl Frame {
    pub fn new(kind: Container, opener: Token) -> Self {
        Frame {
            kind,
            state: State::First,
            paren: false,
            imagined: false,
            valueless: false,
            colon: false,
            value_below: None,
            opener: opener.start,
            line: opener.line,
            indent: opener.indent,
            member_indent: None,
            key: (0, 0),
            first_key: (0, 0),
            index: 0,
            value: opener.end,
            seen: None,
        }
    }

    /// Whether a path through this frame names the present member or element.
    pub fn is_inside_member(&self) -> bool {
        match self.kind {
            Container::Object => matches!(self.state, State::Colon | State::Value | State::After),
            Container::Array => self.state == State::After,
        }
    }

    /// Whether a comma was the last thing read.
    pub fn is_after_comma(&self) -> bool {
        self.state == State::Next
    }
}
