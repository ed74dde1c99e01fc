//! Objects and destructuring patterns.

use std::rc::Rc;

use super::{Parsed, Parser, binding, constant_kind, line, text};
use crate::ast::{Expr, Kind, Pattern};
use crate::lex::Token;
use crate::program_error::ProgramError;

impl Parser<'_> {
    /// The name of a variable, with its `$`.
    pub(super) fn variable(&mut self) -> Parsed<Rc<str>> {
        match self.token {
            Token::Variable => {
                self.advance();
                Ok(self.program[self.last.start as usize..self.last.end as usize].into())
            }
            _ => Err(self.unexpected("a variable, `$name`")),
        }
    }

    pub(super) fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut patterns = vec![self.pattern()?];
        while self.accept("?//") {
            patterns.push(self.pattern()?);
        }
        Ok(patterns)
    }

    pub(super) fn pattern(&mut self) -> Parsed<Pattern> {
        self.nested(Self::pattern_inner)
    }

    fn pattern_inner(&mut self) -> Parsed<Pattern> {
        if self.token == Token::Variable {
            return Ok(Pattern::Variable(self.variable()?));
        }
        if self.accept("[") {
            let mut elements = vec![self.pattern()?];
            while self.accept(",") {
                elements.push(self.pattern()?);
            }
            self.expect("]")?;
            return Ok(Pattern::Array(elements));
        }
        if !self.accept("{") {
            return Err(self.unexpected("a pattern: `$name`, `[…]` or `{…}`"));
        }
        let mut members = Vec::new();
        loop {
            let variable = (self.token == Token::Variable).then(|| self.text().into());
            let key = self.key()?;
            let value = match self.accept(":") {
                true => Some(self.pattern()?),
                false if variable.is_some() => None,
                false => return Err(self.unexpected("`:`")),
            };
            members.push((key, variable, value));
            if !self.accept(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Pattern::Object(members))
    }

    /// A key of an object or of a pattern; for `$name`, the name.
    pub(super) fn key(&mut self) -> Parsed {
        let start = self.span;
        let name = self.text();
        match self.token {
            Token::Word if !name.contains("::") => {
                self.advance();
                Ok(text(name, start))
            }
            Token::Variable => {
                self.advance();
                Ok(text(name.trim_start_matches('$'), start))
            }
            Token::Quote => self.quoted(None),
            Token::Format => self.term(),
            Token::Number => {
                let message = format!("a key is a string, not a number; write `\"{name}\"`");
                Err(ProgramError::new(message, start))
            }
            _ if self.is("(") => {
                self.advance();
                let key = self.pipe()?;
                self.expect(")")?;
                if let Some(kind) = constant_kind(&key).filter(|&kind| kind != "string") {
                    let shown = &self.program[key.span.start as usize..key.span.end as usize];
                    let message = format!("cannot use {kind} ({shown}) as object key");
                    return Err(ProgramError::new(message, key.span));
                }
                Ok(key)
            }
            _ => Err(self.unexpected("a key")),
        }
    }

    pub(super) fn object(&mut self) -> Parsed<Vec<(Expr, Expr)>> {
        self.advance();
        let mut members = Vec::new();
        while !self.is("}") {
            let start = self.span;
            let (token, name) = (self.token, self.text());
            let mut key = self.key()?;
            let value = if self.accept(":") {
                // `{$key: …}` has the value of the variable as its key.
                if token == Token::Variable {
                    key.kind = Kind::Variable(name.into());
                }
                self.member_value()?
            } else {
                let kind = match token {
                    Token::Variable if name == "$__loc__" => {
                        Kind::Location(line(self.program, start))
                    }
                    Token::Variable => Kind::Variable(name.into()),
                    Token::Word | Token::Quote | Token::Format => {
                        Kind::Index(Box::new(self.make_identity(start)), Box::new(key.clone()))
                    }
                    _ if !matches!(self.token, Token::Symbol | Token::End) => {
                        return Err(self.unexpected("`:`"));
                    }
                    _ => return Err(self.unexpected("`:` and a value")),
                };
                self.make(start, kind)
            };
            members.push((key, value));
            if !self.accept(",") {
                break;
            }
        }
        if binding(self.text()).is_some() && self.token != Token::End {
            let message = "an expression as a key needs parentheses: `{(…): …}`".into();
            return Err(ProgramError::new(message, self.span));
        }
        self.expect("}")?;
        Ok(members)
    }

    /// The value of a member: expressions without commas, possibly piped.
    pub(super) fn member_value(&mut self) -> Parsed {
        let start = self.span;
        let left = self.operators(0)?;
        if !self.accept("|") {
            return Ok(left);
        }
        let right = self.nested(Self::member_value)?;
        Ok(self.make(start, Kind::Pipe(Box::new(left), Box::new(right))))
    }
}
