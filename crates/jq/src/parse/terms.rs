//! Terms and their suffixes: `.name`, `[…]`, `?`.

use std::rc::Rc;

use super::{KEYWORDS, Parsed, Parser, line, text};
use crate::ast::{Boxed, Expr, Kind, Part, Pattern, Span};
use crate::lex::Token;
use crate::program_error::ProgramError;

impl Parser<'_> {
    /// `try body catch handler`, `reduce`, `foreach`, or a term, with its suffixes: `.name`, `[…]`, `?`.
    pub(super) fn postfix(&mut self) -> Parsed {
        let start = self.span;
        if self.accept("try") {
            let body = Box::new(self.nested(Self::handled)?);
            let handler = if self.accept("catch") {
                Some(Box::new(self.nested(Self::handled)?))
            } else {
                None
            };
            return Ok(self.make(start, Kind::Try(body, handler)));
        }
        let mut term = self.term()?;
        // Whether the term ends with a step.
        let mut is_step = false;
        loop {
            let is_optional = self.is("?");
            term = match self.token {
                Token::Field => {
                    let key = self.field();
                    self.make(start, Kind::Index(Box::new(term), Box::new(key)))
                }
                Token::Symbol => match self.text() {
                    "?" => {
                        self.advance();
                        match is_step {
                            true => self.optional_step(start, term),
                            false => self.make(start, Kind::Try(Box::new(term), None)),
                        }
                    }
                    "[" => self.bracket(start, term)?,
                    "." => {
                        self.advance();
                        match self.token {
                            Token::Quote => {
                                let key = self.quoted(None)?;
                                self.make(start, Kind::Index(Box::new(term), Box::new(key)))
                            }
                            _ if self.is("[") => self.bracket(start, term)?,
                            _ => return Err(self.unexpected("a key")),
                        }
                    }
                    _ => return Ok(term),
                },
                _ => return Ok(term),
            };
            is_step = !is_optional;
        }
    }

    /// `target.key?`, which is `target | try .key`: neither errors of the target nor those of an expression in brackets, which is
    /// evaluated first, are suppressed.
    fn optional_step(&self, start: Span, term: Expr) -> Expr {
        let mut bound = Vec::new();
        let mut evaluated = |operand: Boxed, name: &str| {
            let is_constant = match &operand.kind {
                Kind::Number(_) => true,
                Kind::String(_, parts) => parts.iter().all(|it| matches!(it, Part::Text(_))),
                _ => false,
            };
            if is_constant {
                return operand;
            }
            let variable = self.make(start, Kind::Variable(name.into()));
            bound.push((operand, name.into()));
            Box::new(variable)
        };
        let identity = Box::new(self.make_identity(start));
        let (target, step) = match term.kind {
            Kind::Index(target, key) => {
                let key = evaluated(key, "$ key");
                (target, Kind::Index(identity, key))
            }
            Kind::Slice(target, from, to) => {
                let from = from.map(|from| evaluated(from, "$ from"));
                let to = to.map(|to| evaluated(to, "$ to"));
                (target, Kind::Slice(identity, from, to))
            }
            Kind::Iterate(target) => (target, Kind::Iterate(identity)),
            kind => (identity, kind),
        };
        let step = Expr {
            kind: step,
            span: term.span,
        };
        let step = Box::new(self.make(start, Kind::Try(Box::new(step), None)));
        let whole = match target.kind {
            Kind::Identity => *step,
            _ => self.make(start, Kind::Pipe(target, step)),
        };
        bound.into_iter().rev().fold(whole, |body, (source, name)| {
            let pattern = vec![Pattern::Variable(name)];
            self.make(start, Kind::As(source, pattern, Box::new(body)))
        })
    }

    /// The body of `try` and `catch`: a term, possibly negated or a `try` itself.
    pub(super) fn handled(&mut self) -> Parsed {
        let start = self.span;
        if self.accept("-") {
            let operand = Box::new(self.nested(Self::handled)?);
            return Ok(self.make(start, Kind::Negate(operand)));
        }
        self.postfix()
    }

    /// The key of `.name`.
    pub(super) fn field(&mut self) -> Expr {
        let name = self.text().trim_start_matches('.');
        self.advance();
        text(name, self.last)
    }

    /// `[…]` after a target.
    pub(super) fn bracket(&mut self, start: Span, target: Expr) -> Parsed {
        self.advance();
        let target = Box::new(target);
        if self.accept("]") {
            return Ok(self.make(start, Kind::Iterate(target)));
        }
        if self.accept(":") {
            let to = Box::new(self.pipe()?);
            self.expect("]")?;
            return Ok(self.make(start, Kind::Slice(target, None, Some(to))));
        }
        let index = Box::new(self.pipe()?);
        let kind = match self.accept(":") {
            true if self.is("]") => Kind::Slice(target, Some(index), None),
            true => Kind::Slice(target, Some(index), Some(Box::new(self.pipe()?))),
            false => Kind::Index(target, index),
        };
        self.expect("]")?;
        Ok(self.make(start, kind))
    }

    pub(super) fn term(&mut self) -> Parsed {
        let start = self.span;
        let text_of = self.text();
        let kind = match self.token {
            Token::Number => {
                self.advance();
                Kind::Number(text_of.into())
            }
            Token::Quote => return self.quoted(None),
            Token::Format => {
                self.advance();
                let format: Rc<str> = text_of.into();
                match self.token {
                    Token::Quote => {
                        let string = self.quoted(Some(format))?;
                        return Ok(self.make(start, string.kind));
                    }
                    _ => Kind::Format(format),
                }
            }
            Token::Field => {
                let identity = self.make_identity(start);
                let key = self.field();
                Kind::Index(Box::new(identity), Box::new(key))
            }
            Token::Variable => {
                self.advance();
                match text_of {
                    "$__loc__" => Kind::Location(line(self.program, start)),
                    _ => Kind::Variable(text_of.into()),
                }
            }
            Token::Symbol => match text_of {
                "." => {
                    self.advance();
                    match self.token {
                        Token::Quote => {
                            let identity = self.make_identity(start);
                            let key = self.quoted(None)?;
                            Kind::Index(Box::new(identity), Box::new(key))
                        }
                        _ => Kind::Identity,
                    }
                }
                ".." => {
                    self.advance();
                    Kind::Recurse
                }
                "(" => {
                    self.advance();
                    let inner = self.pipe()?;
                    self.expect(")")?;
                    return Ok(self.make(start, inner.kind));
                }
                "[" => {
                    self.advance();
                    if self.accept("]") {
                        Kind::Array(None)
                    } else {
                        let contents = Box::new(self.pipe()?);
                        self.expect("]")?;
                        Kind::Array(Some(contents))
                    }
                }
                "{" => Kind::Object(self.object()?),
                _ => return Err(self.unexpected("an expression")),
            },
            Token::Word => return self.word(),
            Token::End => return Err(self.unexpected("an expression")),
            Token::Invalid => {
                let message = match text_of {
                    "'" => "strings are in double quotes".to_owned(),
                    "&" => "`and` joins conditions".to_owned(),
                    "!" => "`not` negates: `.x | not`".to_owned(),
                    _ => format!("unexpected `{text_of}`"),
                };
                return Err(ProgramError::new(message, start));
            }
        };
        Ok(self.make(start, kind))
    }

    pub(super) fn make_identity(&self, at: Span) -> Expr {
        Expr {
            kind: Kind::Identity,
            span: Span {
                end: at.start,
                ..at
            },
        }
    }

    pub(super) fn word(&mut self) -> Parsed {
        let start = self.span;
        let name = self.text();
        let kind = match name {
            "if" => {
                self.advance();
                return self.condition(start);
            }
            "reduce" | "foreach" => {
                self.advance();
                let source = Box::new(self.operators(0)?);
                self.expect("as")?;
                let patterns = self.patterns()?;
                self.expect("(")?;
                let init = Box::new(self.pipe()?);
                self.expect(";")?;
                let update = Box::new(self.pipe()?);
                let extract = if name == "foreach" && self.accept(";") {
                    Some(Box::new(self.pipe()?))
                } else {
                    None
                };
                self.expect(")")?;
                match name {
                    "reduce" => Kind::Reduce(source, patterns, init, update),
                    _ => Kind::Foreach(source, patterns, init, update, extract),
                }
            }
            "break" => {
                self.advance();
                if self.token != Token::Variable {
                    return Err(self.unexpected("the label to break out of, `$name`"));
                }
                Kind::Break(self.variable()?)
            }
            "def" => return self.unary(),
            _ if KEYWORDS.contains(&name) => return Err(self.unexpected("an expression")),
            _ => {
                self.advance();
                let mut arguments = Vec::new();
                if self.accept("(") {
                    loop {
                        arguments.push(self.pipe()?);
                        if !self.accept(";") {
                            break;
                        }
                    }
                    self.expect(")")?;
                }
                Kind::Call(name.into(), arguments)
            }
        };
        Ok(self.make(start, kind))
    }

    /// The rest of a condition after `if` or `elif`.
    pub(super) fn condition(&mut self, start: Span) -> Parsed {
        let condition = Box::new(self.pipe()?);
        self.expect("then")?;
        let then = Box::new(self.pipe()?);
        let otherwise = if self.accept("elif") {
            let start = self.last;
            Some(Box::new(self.nested(|parser| parser.condition(start))?))
        } else if self.accept("else") {
            let otherwise = Some(Box::new(self.pipe()?));
            self.expect("end")?;
            otherwise
        } else {
            if !self.accept("end") {
                return Err(self.unexpected("`elif`, `else` or `end`"));
            }
            None
        };
        Ok(self.make(start, Kind::If(condition, then, otherwise)))
    }
}
