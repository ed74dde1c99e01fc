//! An open container and the state of the parser in it.

use super::super::keys::Keys;
use super::super::lexer::{Container, Token};

/// The token expected next in a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// Right after the opener.
    First,
    /// A member or element, after a comma.
    Next,
    /// The colon after a key.
    Colon,
    /// The value after a colon.
    Value,
    /// A comma or the closer, after a value. Also the state while a nested container is open.
    After,
}

pub(super) struct Frame {
    pub kind: Container,
    pub state: Expected,
    /// Opened by a parenthesis.
    pub paren: bool,
    /// The opener is not in the text; the parser inserted it.
    pub imagined: bool,
    /// The number of the finding about keys without a value.
    pub valueless: Option<u32>,
    /// A colon in this array was reported.
    pub colon: bool,
    /// The end of the colon before the current value, if the value is on a later line.
    pub value_below: Option<u32>,
    /// The offset of the opener, and the number and indentation of its line.
    pub opener: u32,
    pub line: u32,
    pub indent: u32,
    /// The indentation of the first member or element that starts a line.
    pub member_indent: Option<u32>,
    /// The current key.
    pub key: (u32, u32),
    /// The first key.
    pub first_key: (u32, u32),
    /// The index of the current member or element, from 0.
    pub index: u32,
    /// The offset of the current value.
    pub value: u32,
    /// All keys so far, once there are two.
    pub seen: Option<Box<Keys>>,
}

impl Frame {
    pub fn new(kind: Container, opener: Token) -> Self {
        Frame {
            kind,
            state: Expected::First,
            paren: false,
            imagined: false,
            valueless: None,
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

    /// Whether a path through this frame includes the current member or element.
    pub fn is_inside_member(&self) -> bool {
        match self.kind {
            Container::Object => matches!(
                self.state,
                Expected::Colon | Expected::Value | Expected::After
            ),
            Container::Array => self.state == Expected::After,
        }
    }
}
