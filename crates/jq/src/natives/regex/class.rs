//! Classes of characters in brackets. Brackets do not nest, and `&&` has no meaning.

use super::scanner::{Scanner, Translated, posix};

/// The end of the class so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The start of the class, or a range, which cannot begin another one.
    Nothing,
    Character(char),
    /// A set, such as `\d`.
    Set,
}

pub(super) struct Class<'t, 'p> {
    scanner: &'t mut Scanner<'p>,
    last: Last,
}

impl<'t, 'p> Class<'t, 'p> {
    pub(super) fn new(scanner: &'t mut Scanner<'p>) -> Self {
        Class {
            scanner,
            last: Last::Nothing,
        }
    }

    /// Translates a class after its opening bracket.
    pub(super) fn translate(mut self) -> Translated {
        self.scanner.push("[");
        if self.accept('^') {
            self.scanner.push("^");
        }
        // A bracket at the start is a character, if another one closes the class.
        if self.scanner.peek() == Some(']') {
            if !self.scanner.rest()[1..].contains(']') {
                return Err("empty char-class".to_owned());
            }
            self.scanner.advance();
            self.character(']');
        }
        loop {
            let Some(next) = self.scanner.advance() else {
                return Err("premature end of char-class".to_owned());
            };
            match next {
                ']' => break,
                '-' => self.range()?,
                '[' if self.scanner.peek() == Some(':') && self.posix()? => {}
                '\\' => {
                    if let Some(character) = self.escape()? {
                        self.character(character);
                    }
                }
                _ => self.character(next),
            }
        }
        self.scanner.push("]");
        Ok(())
    }

    fn accept(&mut self, wanted: char) -> bool {
        let is_next = self.scanner.peek() == Some(wanted);
        if is_next {
            self.scanner.advance();
        }
        is_next
    }

    fn character(&mut self, character: char) {
        self.scanner.push_literal(character);
        self.last = Last::Character(character);
    }

    fn set(&mut self, set: &str) {
        self.scanner.push(set);
        self.last = Last::Set;
    }

    /// A hyphen: between two characters, a range.
    fn range(&mut self) -> Translated {
        let Last::Character(from) = self.last else {
            self.character('-');
            // The hyphen after a set or a range begins none itself.
            if self.last != Last::Nothing {
                self.last = Last::Character('-');
            }
            return Ok(());
        };
        let to = match self.scanner.peek() {
            Some(']') | None => {
                self.character('-');
                return Ok(());
            }
            Some('[') if self.scanner.rest().starts_with("[:") => {
                return Err("char-class value at end of range".to_owned());
            }
            Some('\\') => {
                self.scanner.advance();
                let end = self.escape()?;
                end.ok_or("char-class value at end of range")?
            }
            Some(to) => {
                self.scanner.advance();
                to
            }
        };
        if to < from {
            return Err("empty range in char class".to_owned());
        }
        self.scanner.push("-");
        self.scanner.push_literal(to);
        self.last = Last::Nothing;
        Ok(())
    }

    /// An escape after its backslash: a character, or a set, which is appended.
    fn escape(&mut self) -> Translated<Option<char>> {
        let set = match self.scanner.peek() {
            Some('w') => format!("[{}]", posix("word").unwrap_or_default()),
            Some('W') => format!("[^{}]", posix("word").unwrap_or_default()),
            Some('s') => format!("[{}]", posix("space").unwrap_or_default()),
            Some('S') => format!("[^{}]", posix("space").unwrap_or_default()),
            Some('d') => r"\p{Nd}".to_owned(),
            Some('D') => r"\P{Nd}".to_owned(),
            Some(letter @ ('p' | 'P')) => match self.scanner.property()? {
                Some(property) => {
                    self.set(&property);
                    return Ok(None);
                }
                None => return Ok(Some(letter)),
            },
            _ => return self.scanner.escaped(true).map(Some),
        };
        self.scanner.advance();
        self.set(&set);
        Ok(None)
    }

    /// `[:alpha:]` after its bracket; false if it is none.
    fn posix(&mut self) -> Translated<bool> {
        let rest = &self.scanner.rest()[1..];
        let is_negative = rest.starts_with('^');
        let rest = &rest[usize::from(is_negative)..];
        let Some((name, _)) = rest.split_once(":]").filter(|(name, _)| is_name(name)) else {
            return Ok(false);
        };
        let length = 1 + usize::from(is_negative) + name.len() + 2;
        let Some(set) = posix(name) else {
            return Err("invalid POSIX bracket type".to_owned());
        };
        let negation = if is_negative { "^" } else { "" };
        let set = format!("[{negation}{set}]");
        for _ in 0..length {
            self.scanner.advance();
        }
        self.set(&set);
        Ok(true)
    }
}

fn is_name(text: &str) -> bool {
    text.len() <= 20 && text.chars().all(|c| c.is_ascii_alphabetic())
}
