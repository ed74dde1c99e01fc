//! Strings with interpolated programs.

use std::rc::Rc;

use super::{Parsed, Parser};
use crate::lex::Token;
use crate::natives::{FORMATS, Format};
use crate::program_error::{ProgramError, Span};
use crate::term::{Node, StringPart, Term};
use crate::value::Value;

impl Parser<'_, '_> {
    pub(super) fn import_path(&mut self) -> Parsed<Rc<str>> {
        let start = self.span;
        if self.token != Token::Quote {
            return Err(self.unexpected("a path in quotes"));
        }
        match &self.string()?[..] {
            [] => Ok("".into()),
            [StringPart::Text(path)] => Ok(path.clone()),
            _ => Err(ProgramError::new(
                "an import path must be constant".into(),
                start.to(self.last),
            )),
        }
    }

    pub(super) fn quoted(&mut self, format: Format) -> Parsed {
        let start = self.span;
        let parts = self.string()?;
        let term = match &parts[..] {
            [] => Term::Constant(Value::from("")),
            [StringPart::Text(text)] => Term::Constant(Value::String(text.clone())),
            _ => Term::String(format, parts),
        };
        Ok(self.make(start, term))
    }

    /// `@base64` alone, or before the string whose interpolations it formats.
    pub(super) fn formatted(&mut self) -> Parsed {
        let (start, name) = (self.span, self.text());
        self.advance();
        let found = FORMATS.iter().find(|(format, _)| *format == name);
        let format = found.map(|(_, format)| *format);
        if format.is_none() {
            let error = ProgramError::new(format!("{name} is not a format"), start);
            self.report(error.with_near(name, FORMATS.iter().map(|(format, _)| *format)));
        }
        let format = format.unwrap_or(Format::Text);
        if self.token != Token::Quote {
            return Ok(self.make(start, Term::Format(format)));
        }
        let string = self.quoted(format)?;
        Ok(self.make(start, string.term))
    }

    /// The key of `.name`.
    pub(super) fn field(&mut self) -> Node {
        let name = self.text().trim_start_matches('.');
        self.advance();
        self.make(self.last, Term::Constant(name.into()))
    }

    /// The parts of a string. The current token is its opening quote.
    pub(super) fn string(&mut self) -> Parsed<Vec<StringPart>> {
        let opening = self.span;
        let bytes = self.program.as_bytes();
        let mut at = opening.end as usize;
        let (mut parts, mut text) = (Vec::new(), String::new());
        loop {
            let rest = &bytes[at..];
            let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
            let Some(plain) = plain else {
                return Err(ProgramError::new(
                    "this string has no closing quote".into(),
                    opening,
                ));
            };
            text.push_str(&self.program[at..at + plain]);
            at += plain;
            if bytes[at] == b'"' {
                break;
            }
            if bytes.get(at + 1) == Some(&b'(') {
                if !text.is_empty() {
                    parts.push(StringPart::Text(std::mem::take(&mut text).into()));
                }
                self.move_to(at + 2);
                parts.push(StringPart::Interpolated(self.pipe()?));
                if !self.is(")") {
                    return Err(self.unexpected("`)`"));
                }
                at = self.span.end as usize;
                continue;
            }
            at += self.escape(at, &mut text)?;
        }
        if !text.is_empty() {
            parts.push(StringPart::Text(text.into()));
        }
        self.span = Span {
            start: at as u32,
            end: at as u32 + 1,
        };
        self.advance();
        Ok(parts)
    }

    fn escape_span(&self, at: usize, length: usize) -> Span {
        Span {
            start: at as u32,
            end: (at + length).min(self.program.len()) as u32,
        }
    }

    /// Decodes the escape at an offset; returns its length.
    pub(super) fn escape(&self, at: usize, out: &mut String) -> Parsed<usize> {
        let bytes = &self.program.as_bytes()[at..];
        let unit = |bytes: &[u8]| match bytes.first_chunk::<6>() {
            Some(&[b'\\', b'u', ref digits @ ..]) => {
                let digits = std::str::from_utf8(digits).ok()?;
                u16::from_str_radix(digits, 16).ok()
            }
            _ => None,
        };
        let simple = match bytes.get(1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') if unit(bytes).is_some() => {
                let first = unit(bytes).unwrap_or_default();
                let second = unit(bytes.get(6..).unwrap_or_default());
                let pair = second.map(|second| char::decode_utf16([first, second]).next());
                if let Some(Some(Ok(character))) = pair
                    && character.len_utf16() == 2
                {
                    out.push(character);
                    return Ok(12);
                }
                if (0xd800..0xdc00).contains(&first) {
                    let message = "no low surrogate follows this high surrogate";
                    return Err(ProgramError::new(message.into(), self.escape_span(at, 6)));
                }
                out.push(char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER));
                return Ok(6);
            }
            _ => {
                let message = "invalid escape in a string";
                return Err(ProgramError::new(message.into(), self.escape_span(at, 2)));
            }
        };
        out.push(simple);
        Ok(2)
    }
}
