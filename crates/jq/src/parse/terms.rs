//! Terms and their suffixes: `.name`, `[…]`, `?`.

use std::rc::Rc;

use super::{KEYWORDS, Parsed, Parser};
use crate::lex::Token;
use crate::natives::Format;
use crate::program_error::{ProgramError, Span};
use crate::term::{Node, Term};
use crate::value::Value;

impl Parser<'_, '_> {
    /// `try body catch handler`, `reduce`, `foreach`, or a term, with its suffixes: `.name`, `[…]`, `?`.
    pub(super) fn postfix(&mut self) -> Parsed {
        let start = self.span;
        if self.accept("try") {
            let body = Rc::new(self.nested(Self::handled)?);
            let handler = if self.accept("catch") {
                Some(Rc::new(self.nested(Self::handled)?))
            } else {
                None
            };
            return Ok(self.make(start, Term::Try(body, handler)));
        }
        let mut term = self.term()?;
        // Whether the term ends with a step.
        let mut is_step = false;
        loop {
            let is_optional = self.is("?");
            term = match self.token {
                Token::Field => {
                    let key = self.field();
                    self.make(start, Term::Index(Rc::new(term), Rc::new(key)))
                }
                Token::Symbol => match self.text() {
                    "?" => {
                        self.advance();
                        match is_step {
                            true => Node {
                                is_optional: true,
                                single: false.into(),
                                ..term
                            },
                            false => self.make(start, Term::Try(Rc::new(term), None)),
                        }
                    }
                    "[" => self.bracket(start, term)?,
                    "." => {
                        self.advance();
                        match self.token {
                            Token::Quote => {
                                let key = self.quoted(Format::Text)?;
                                self.make(start, Term::Index(Rc::new(term), Rc::new(key)))
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

    /// The body of `try` and `catch`: a term, possibly negated or a `try` itself.
    pub(super) fn handled(&mut self) -> Parsed {
        let start = self.span;
        if self.accept("-") {
            let operand = Rc::new(self.nested(Self::handled)?);
            return Ok(self.make(start, Term::Negate(operand)));
        }
        self.postfix()
    }

    /// `[…]` after a target.
    pub(super) fn bracket(&mut self, start: Span, target: Node) -> Parsed {
        self.advance();
        let target = Rc::new(target);
        if self.accept("]") {
            return Ok(self.make(start, Term::Iterate(target)));
        }
        if self.accept(":") {
            let to = self.boxed()?;
            self.expect("]")?;
            return Ok(self.make(start, Term::Slice(target, None, Some(to))));
        }
        let index = self.boxed()?;
        let term = match self.accept(":") {
            true if self.is("]") => Term::Slice(target, Some(index), None),
            true => Term::Slice(target, Some(index), Some(self.boxed()?)),
            false => Term::Index(target, index),
        };
        self.expect("]")?;
        Ok(self.make(start, term))
    }

    pub(super) fn term(&mut self) -> Parsed {
        let start = self.span;
        let text_of = self.text();
        let term = match self.token {
            Token::Number => {
                self.advance();
                Term::Constant(Value::literal(text_of))
            }
            Token::Quote => return self.quoted(Format::Text),
            Token::Format => return self.formatted(),
            Token::Field => {
                let identity = self.make_identity(start);
                let key = self.field();
                Term::Index(Rc::new(identity), Rc::new(key))
            }
            Token::Variable => {
                self.advance();
                self.variable(text_of, start)
            }
            Token::Symbol => match text_of {
                "." => {
                    self.advance();
                    match self.token {
                        Token::Quote => {
                            let identity = self.make_identity(start);
                            let key = self.quoted(Format::Text)?;
                            Term::Index(Rc::new(identity), Rc::new(key))
                        }
                        _ => Term::Identity,
                    }
                }
                ".." => {
                    self.advance();
                    Term::Recurse
                }
                "(" => {
                    self.advance();
                    let inner = self.pipe()?;
                    self.expect(")")?;
                    let span = inner.span.map(|_| start.to(self.last));
                    return Ok(Node { span, ..inner });
                }
                "[" => {
                    self.advance();
                    if self.accept("]") {
                        Term::Constant(Value::array(Vec::new()))
                    } else {
                        let contents = self.boxed()?;
                        self.expect("]")?;
                        Term::Array(Some(contents))
                    }
                }
                "{" => Term::Object(self.object()?),
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
        Ok(self.make(start, term))
    }

    pub(super) fn make_identity(&mut self, at: Span) -> Node {
        let span = Span {
            end: at.start,
            ..at
        };
        self.of(Term::Identity, Some(span))
    }

    pub(super) fn word(&mut self) -> Parsed {
        let start = self.span;
        let name = self.text();
        let term = match name {
            "if" => {
                self.advance();
                return self.condition(start);
            }
            "reduce" | "foreach" => {
                self.advance();
                let source = Rc::new(self.operators(0)?);
                self.expect("as")?;
                let (binding, outer) = self.binding()?;
                self.expect("(")?;
                let bound = self.scope.split_off(outer.names);
                let depth = self.depth;
                self.leave(outer);
                let init = self.boxed()?;
                self.expect(";")?;
                self.scope.extend(bound);
                self.depth = depth;
                let update = self.boxed()?;
                let extract = if name == "foreach" && self.accept(";") {
                    Some(self.boxed()?)
                } else {
                    None
                };
                self.expect(")")?;
                self.leave(outer);
                match name {
                    "reduce" => Term::Reduce(source, binding, init, update),
                    _ => Term::Foreach(source, binding, init, update, extract),
                }
            }
            "break" => {
                self.advance();
                if self.token != Token::Variable {
                    return Err(self.unexpected("the label to break out of, `$name`"));
                }
                let name = self.variable_name()?;
                self.break_out(&name, start.to(self.last))
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
                self.call(name, arguments, start.to(self.last))
            }
        };
        Ok(self.make(start, term))
    }

    /// The rest of a condition after `if` or `elif`.
    pub(super) fn condition(&mut self, start: Span) -> Parsed {
        let condition = self.boxed()?;
        self.expect("then")?;
        let then = self.boxed()?;
        let otherwise = if self.accept("elif") {
            let start = self.last;
            Some(Rc::new(self.nested(|parser| parser.condition(start))?))
        } else if self.accept("else") {
            let otherwise = Some(self.boxed()?);
            self.expect("end")?;
            otherwise
        } else {
            if !self.accept("end") {
                return Err(self.unexpected("`elif`, `else` or `end`"));
            }
            None
        };
        Ok(self.make(start, Term::If(condition, then, otherwise)))
    }
}
