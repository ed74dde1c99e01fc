//! Objects.

use std::rc::Rc;

use super::{Parsed, Parser, binding};
use crate::lex::Token;
use crate::natives::Format;
use crate::program_error::ProgramError;
use crate::term::{Node, Term};
use crate::value::Type;

impl Parser<'_, '_> {
    /// The name of a variable, with its `$`.
    pub(super) fn variable_name(&mut self) -> Parsed<Rc<str>> {
        match self.token {
            Token::Variable => {
                self.advance();
                Ok(self.program[self.last.start as usize..self.last.end as usize].into())
            }
            _ => Err(self.unexpected("a variable, `$name`")),
        }
    }

    /// A key of an object or of a pattern; for `$name`, the name.
    pub(super) fn key(&mut self) -> Parsed {
        let start = self.span;
        let name = self.text();
        match self.token {
            Token::Word if !name.contains("::") => {
                self.advance();
                Ok(self.make(start, Term::Constant(name.into())))
            }
            Token::Variable => {
                self.advance();
                Ok(self.make(start, Term::Constant(name.trim_start_matches('$').into())))
            }
            Token::Quote => self.quoted(Format::Text),
            Token::Format => self.term(),
            Token::Number => {
                let message = format!("a key is a string, not a number; write `\"{name}\"`");
                Err(ProgramError::new(message, start))
            }
            _ if self.is("(") => {
                self.advance();
                let start = self.span;
                let key = self.pipe()?;
                let span = start.to(self.last);
                self.expect(")")?;
                let kind = match &key.term {
                    Term::Constant(value) => value.type_of(),
                    Term::Object(members) if members.is_empty() => Type::Object,
                    _ => Type::String,
                };
                let shown = &self.program[span.start as usize..span.end as usize];
                if kind != Type::String && !shown.starts_with('$') {
                    let message = format!("cannot use {} ({shown}) as object key", kind.name());
                    return Err(ProgramError::new(message, span));
                }
                Ok(key)
            }
            _ => Err(self.unexpected("a key")),
        }
    }

    pub(super) fn object(&mut self) -> Parsed<Vec<(Node, Node)>> {
        self.advance();
        let mut members = Vec::new();
        while !self.is("}") {
            let start = self.span;
            let (token, name) = (self.token, self.text());
            let mut key = self.key()?;
            let value = if self.accept(":") {
                // `{$key: …}` has the value of the variable as its key.
                if token == Token::Variable {
                    let variable = self.variable(name, start);
                    key = self.of(variable, Some(start));
                }
                self.member_value()?
            } else {
                let term = match token {
                    Token::Variable => self.variable(name, start),
                    // The key is evaluated once.
                    Token::Quote | Token::Format if !matches!(key.term, Term::Constant(_)) => {
                        Term::SameKey
                    }
                    Token::Word | Token::Quote | Token::Format => {
                        Term::Index(Rc::new(self.make_identity(start)), Rc::new(key.clone()))
                    }
                    _ if !matches!(self.token, Token::Symbol | Token::End) => {
                        return Err(self.unexpected("`:`"));
                    }
                    _ => return Err(self.unexpected("`:` and a value")),
                };
                self.make(start, term)
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
        Ok(self.make(start, Term::Pipe(Rc::new(left), Rc::new(right))))
    }
}
