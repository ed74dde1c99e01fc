//! Colors of JSON at a terminal: those of jq, and `JQ_COLORS`.

use std::io;

use crate::terminal::{Color, is_colored};

/// Kinds of tokens.
const KINDS: usize = 8;

/// In the order of `JQ_COLORS`.
const NULL: usize = 0;
const FALSE: usize = 1;
const TRUE: usize = 2;
const NUMBER: usize = 3;
const STRING: usize = 4;
const ARRAY: usize = 5;
const OBJECT: usize = 6;
const KEY: usize = 7;

/// The defaults of jq 1.8.
const DEFAULTS: [&str; KINDS] = [
    "0;90", "0;39", "0;39", "0;39", "0;32", "1;39", "1;39", "1;34",
];

const RESET: &[u8] = b"\x1b[0m";

/// The defaults, overridden by `JQ_COLORS`. If any of its values has characters other than digits and
/// semicolons, all are ignored, as in jq.
fn palette(setting: Option<&str>) -> [String; KINDS] {
    let mut palette = DEFAULTS.map(str::to_owned);
    let custom: Vec<&str> = setting.unwrap_or_default().split(':').collect();
    let is_color = |text: &&str| text.bytes().all(|b| b.is_ascii_digit() || b == b';');
    if setting.is_some_and(|text| !text.is_empty()) && custom.iter().all(is_color) {
        for (color, custom) in palette.iter_mut().zip(custom) {
            custom.clone_into(color);
        }
    }
    palette
}

/// Colors JSON text that arrives in arbitrary parts.
#[derive(Clone, Debug)]
pub struct Colors {
    /// The parameters of an escape sequence for each kind of token.
    palette: [String; KINDS],
    /// The open containers: whether each is an object.
    open: Vec<bool>,
    /// The next string is a key.
    expects_key: bool,
    state: ColorState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColorState {
    Between,
    Scalar,
    /// In a string, after a backslash or not.
    String(bool),
    /// After an opening bracket: empty containers are one token.
    Opened,
}

impl Colors {
    /// The colors for standard output, if enabled: a pipe has none without `--color always` or `CLICOLOR_FORCE`.
    pub fn of_stdout(color: Color) -> Option<Colors> {
        is_colored(color, &io::stdout())
            .then(|| Colors::new(std::env::var("JQ_COLORS").ok().as_deref()))
    }

    fn new(setting: Option<&str>) -> Colors {
        Colors {
            palette: palette(setting),
            open: Vec::new(),
            expects_key: false,
            state: ColorState::Between,
        }
    }

    /// The text with escape sequences.
    pub fn paint(&mut self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() * 2);
        for &byte in text {
            self.byte(byte, &mut out);
        }
        out
    }

    /// Ends the text.
    pub fn end(&mut self) -> &'static [u8] {
        match std::mem::replace(&mut self.state, ColorState::Between) {
            ColorState::Between => b"",
            ColorState::Scalar | ColorState::String(_) | ColorState::Opened => RESET,
        }
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        match (self.state, byte) {
            (ColorState::String(true), _) => self.state = ColorState::String(false),
            (ColorState::String(false), b'\\') => self.state = ColorState::String(true),
            (ColorState::String(false), b'"') => {
                out.push(byte);
                out.extend_from_slice(RESET);
                self.state = ColorState::Between;
                return;
            }
            (ColorState::String(false), _) => {}
            (ColorState::Scalar, b'0'..=b'9' | b'a'..=b'z' | b'.' | b'+' | b'-' | b'E') => {}
            (ColorState::Scalar, _) => {
                out.extend_from_slice(RESET);
                self.state = ColorState::Between;
                return self.token(byte, out);
            }
            (ColorState::Opened, b'}' | b']') => {
                self.open.pop();
                self.expects_key = false;
                self.state = ColorState::Between;
                out.push(byte);
                out.extend_from_slice(RESET);
                return;
            }
            (ColorState::Opened, _) => {
                out.extend_from_slice(RESET);
                self.state = ColorState::Between;
                return self.token(byte, out);
            }
            (ColorState::Between, _) => return self.token(byte, out),
        }
        out.push(byte);
    }

    /// The first byte of a token, or white space.
    fn token(&mut self, byte: u8, out: &mut Vec<u8>) {
        let container = match self.open.last() {
            Some(false) => ARRAY,
            _ => OBJECT,
        };
        match byte {
            b'"' => {
                self.begin(if self.expects_key { KEY } else { STRING }, out);
                self.state = ColorState::String(false);
                self.expects_key = false;
            }
            b'{' | b'[' => {
                let is_object = byte == b'{';
                self.open.push(is_object);
                self.expects_key = is_object;
                self.begin(if is_object { OBJECT } else { ARRAY }, out);
                self.state = ColorState::Opened;
            }
            b'}' | b']' => {
                self.open.pop();
                self.expects_key = false;
                return self.whole(byte, container, out);
            }
            b',' => {
                self.expects_key = self.open.last() == Some(&true);
                return self.whole(byte, container, out);
            }
            b':' => return self.whole(byte, container, out),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => {
                let kind = match byte {
                    b'n' => NULL,
                    b'f' => FALSE,
                    b't' => TRUE,
                    _ => NUMBER,
                };
                self.begin(kind, out);
                self.state = ColorState::Scalar;
            }
        }
        out.push(byte);
    }

    fn begin(&self, kind: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b[");
        out.extend_from_slice(self.palette[kind].as_bytes());
        out.push(b'm');
    }

    fn whole(&self, byte: u8, kind: usize, out: &mut Vec<u8>) {
        self.begin(kind, out);
        out.push(byte);
        out.extend_from_slice(RESET);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(text: &str, setting: Option<&str>) -> String {
        let mut colors = Colors::new(setting);
        let mut out = colors.paint(text.as_bytes());
        out.extend_from_slice(colors.end());
        let text = String::from_utf8(out).unwrap();
        text.replace("\x1b[0m", ")").replace("\x1b[", "(")
    }

    #[test]
    fn each_kind_has_its_color() {
        let setting = Some("8:1:2:3:4:5:6:7");
        assert_eq!(
            painted(r#"{"a": ["x\"", -1e+5, null]}"#, setting),
            r#"(6m{)(7m"a")(6m:) (5m[)(4m"x\"")(5m,) (3m-1e+5)(5m,) (8mnull)(5m])(6m})"#
        );
        assert_eq!(painted("true\nfalse\n", setting), "(2mtrue)\n(1mfalse)\n");
        assert_eq!(painted("12", setting), "(3m12)");
        assert_eq!(painted("[[],{}]", setting), "(5m[)(5m[])(5m,)(6m{})(5m])");
    }

    #[test]
    fn settings_replace_the_first_defaults_or_are_ignored() {
        assert_eq!(painted("null", Some("4;31")), "(4;31mnull)");
        assert_eq!(painted("1", Some("4;31")), "(0;39m1)");
        assert_eq!(painted("null", Some("red")), "(0;90mnull)");
        assert_eq!(painted("null", None), "(0;90mnull)");
    }
}
