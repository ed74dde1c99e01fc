//! The grammar of jq 1.8: operator precedence for binary operators, recursive descent for the rest.

mod members;
mod strings;
mod terms;

use std::rc::Rc;

use crate::ast::{Assignment, Definition, Expr, Import, Kind, Module, Operator, Part, Span};
use crate::lex::{Token, token};
use crate::program_error::ProgramError;

/// Bounds the recursion of the parser, the compiler and the evaluation of one expression.
const MAX_NESTING: u32 = 1_000;

type Parsed<T = Expr> = Result<T, ProgramError>;

/// Parses a program: imports, definitions and an expression, by default `.`.
pub(crate) fn program(text: &str) -> Parsed<Module> {
    let mut parser = Parser::new(text);
    let mut module = parser.header()?;
    if parser.token != Token::End {
        module.body = Some(parser.pipe()?);
    }
    parser.end()?;
    Ok(module)
}

/// Parses a module: imports and definitions.
pub(crate) fn module(text: &str) -> Parsed<Module> {
    let mut parser = Parser::new(text);
    let module = parser.header()?;
    parser.end()?;
    Ok(module)
}

struct Parser<'p> {
    program: &'p str,
    token: Token,
    span: Span,
    /// The end of the previous token.
    last: Span,
    nesting: u32,
}

/// The precedence of an operator; `|` and `,` are handled separately.
fn binding(symbol: &str) -> Option<u8> {
    Some(match symbol {
        "//" | "?//" => 1,
        "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=" => 2,
        "or" => 3,
        "and" => 4,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 5,
        "+" | "-" => 6,
        "*" | "/" | "%" => 7,
        _ => return None,
    })
}

fn operator(symbol: &str) -> Option<Operator> {
    Some(match symbol {
        "+" => Operator::Add,
        "-" => Operator::Subtract,
        "*" => Operator::Multiply,
        "/" => Operator::Divide,
        "%" => Operator::Remainder,
        "==" => Operator::Equal,
        "!=" => Operator::Unequal,
        "<" => Operator::Less,
        "<=" => Operator::LessEqual,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterEqual,
        _ => return None,
    })
}

fn binary(symbol: &str, left: Expr, right: Expr) -> Kind {
    let (left, right) = (Box::new(left), Box::new(right));
    match symbol {
        "//" => Kind::Alternative(left, right),
        "=" => Kind::Assign(Assignment::Replace, left, right),
        "|=" => Kind::Update(left, right),
        "//=" => Kind::Assign(Assignment::Alternative, left, right),
        "or" => Kind::Or(left, right),
        "and" => Kind::And(left, right),
        _ => match operator(symbol) {
            Some(operator) => Kind::Binary(operator, left, right),
            None => match operator(symbol.trim_end_matches('=')) {
                Some(operator) => Kind::Assign(Assignment::With(operator), left, right),
                None => Kind::Pipe(left, right),
            },
        },
    }
}

/// Words that cannot name functions.
const KEYWORDS: [&str; 19] = [
    "__loc__", "and", "as", "catch", "def", "elif", "else", "end", "foreach", "if", "import",
    "include", "label", "module", "or", "reduce", "then", "try", "break",
];

impl<'p> Parser<'p> {
    fn new(program: &'p str) -> Self {
        let (token, span) = token(program, 0);
        Parser {
            program,
            token,
            span,
            last: Span::default(),
            nesting: 0,
        }
    }

    fn text(&self) -> &'p str {
        &self.program[self.span.start as usize..self.span.end as usize]
    }

    fn advance(&mut self) {
        self.last = self.span;
        (self.token, self.span) = token(self.program, self.span.end as usize);
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token, Token::Symbol | Token::Word) && self.text() == symbol
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let is = self.is(symbol);
        if is {
            self.advance();
        }
        is
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.accept(symbol) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{symbol}`")))
        }
    }

    fn unexpected(&self, wanted: &str) -> ProgramError {
        let found = match self.token {
            Token::End => "the end of the program".to_owned(),
            Token::Quote => "a string".to_owned(),
            _ => format!("`{}`", self.text()),
        };
        ProgramError::new(format!("expected {wanted}, found {found}"), self.span)
    }

    fn end(&self) -> Parsed<()> {
        match self.token {
            Token::End => Ok(()),
            _ => Err(self.unexpected("an operator or the end of the program")),
        }
    }

    fn make(&self, start: Span, kind: Kind) -> Expr {
        Expr {
            kind,
            span: start.to(self.last),
        }
    }

    /// Imports and definitions.
    fn header(&mut self) -> Parsed<Module> {
        let mut module = Module::default();
        if self.is("module") {
            self.advance();
            module.metadata = Some(self.metadata()?);
            self.expect(";")?;
        }
        while self.is("import") || self.is("include") {
            let start = self.span;
            let is_include = self.is("include");
            self.advance();
            let path = self.import_path()?;
            let mut name = None;
            if !is_include {
                self.expect("as")?;
                name = match self.token {
                    Token::Word | Token::Variable => Some(self.text().into()),
                    _ => return Err(self.unexpected("a name")),
                };
                self.advance();
            }
            let mut metadata = None;
            if !self.is(";") {
                metadata = Some(self.metadata()?);
            }
            self.expect(";")?;
            let span = start.to(self.last);
            module.imports.push(Import {
                path,
                name,
                metadata,
                span,
            });
        }
        while self.is("def") {
            module.definitions.push(self.definition()?);
        }
        Ok(module)
    }

    /// The metadata of a module or an import: a constant object.
    fn metadata(&mut self) -> Parsed {
        let expr = self.postfix()?;
        match &expr.kind {
            Kind::Object(_) if is_constant(&expr) => Ok(expr),
            _ if is_constant(&expr) => Err(ProgramError::new(
                "module metadata must be an object".into(),
                expr.span,
            )),
            _ => Err(ProgramError::new(
                "module metadata must be constant".into(),
                expr.span,
            )),
        }
    }

    fn definition(&mut self) -> Parsed<Rc<Definition>> {
        self.advance();
        let name = match self.token {
            Token::Word if !self.text().contains("::") => self.text().into(),
            _ => return Err(self.unexpected("a name")),
        };
        self.advance();
        let mut parameters = Vec::new();
        if self.accept("(") {
            loop {
                match self.token {
                    Token::Word | Token::Variable => parameters.push(self.text().into()),
                    _ => return Err(self.unexpected("the name of a parameter")),
                }
                self.advance();
                if !self.accept(";") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect(":")?;
        let body = self.pipe()?;
        self.expect(";")?;
        Ok(Rc::new(Definition {
            name,
            parameters,
            body,
        }))
    }

    /// An expression with `|`, `,`, definitions and bindings.
    fn pipe(&mut self) -> Parsed {
        self.nested(Self::pipe_inner)
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(ProgramError::new(
                "the program is nested too deep".into(),
                self.span,
            ));
        }
        let parsed = parse(self);
        self.nesting -= 1;
        parsed
    }

    fn pipe_inner(&mut self) -> Parsed {
        let start = self.span;
        // Pipes are right-associative; a loop avoids recursion for long ones.
        let mut stages = Vec::new();
        loop {
            if self.is("def") {
                let definition = self.definition()?;
                let body = Box::new(self.pipe()?);
                stages.push(self.make(start, Kind::Define(definition, body)));
                break;
            }
            stages.push(self.comma()?);
            if !self.accept("|") {
                break;
            }
        }
        let last = stages.pop();
        let joined = stages.into_iter().rev().fold(last, |right, left| {
            let right = right?;
            let span = left.span.to(right.span);
            let kind = Kind::Pipe(Box::new(left), Box::new(right));
            Some(Expr { kind, span })
        });
        joined.ok_or_else(|| self.unexpected("an expression"))
    }

    fn comma(&mut self) -> Parsed {
        let start = self.span;
        let mut left = self.bound()?;
        while self.accept(",") {
            let right = if self.is("def") {
                self.pipe()?
            } else {
                self.bound()?
            };
            left = self.make(start, Kind::Comma(Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    /// An expression without `|` and `,`, or `source as $x | body`.
    fn bound(&mut self) -> Parsed {
        let start = self.span;
        if self.is("label") {
            self.advance();
            let name = self.variable()?;
            self.expect("|")?;
            let body = Box::new(self.pipe()?);
            return Ok(self.make(start, Kind::Label(name, body)));
        }
        let source = self.operators(0)?;
        if !self.accept("as") {
            return Ok(source);
        }
        let patterns = self.patterns()?;
        self.expect("|")?;
        let body = Box::new(self.pipe()?);
        Ok(self.make(start, Kind::As(Box::new(source), patterns, body)))
    }

    fn operators(&mut self, minimum: u8) -> Parsed {
        self.nested(|parser| parser.operators_inner(minimum))
    }

    fn operators_inner(&mut self, minimum: u8) -> Parsed {
        let start = self.span;
        let mut left = self.unary()?;
        let mut assigned = false;
        while matches!(self.token, Token::Symbol | Token::Word) {
            let symbol = self.text();
            let Some(strength) = binding(symbol).filter(|&strength| strength >= minimum) else {
                break;
            };
            // `.a?//.b` is `.a? // .b`.
            if symbol == "?//" {
                left = self.make(start, Kind::Try(Box::new(left), None));
            }
            let is_nonassociative = matches!(strength, 2 | 5);
            if is_nonassociative && assigned {
                return Err(self.unexpected("parentheses, since this operator does not chain"));
            }
            assigned = is_nonassociative;
            self.advance();
            let right = match strength {
                1 => self.operators(1)?,
                _ => self.operators(strength + 1)?,
            };
            let symbol = symbol.trim_start_matches('?');
            left = self.make(start, binary(symbol, left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed {
        let start = self.span;
        if self.accept("-") {
            let operand = Box::new(self.nested(Self::unary)?);
            return Ok(self.make(start, Kind::Negate(operand)));
        }
        if self.is("def") {
            let definition = self.definition()?;
            let body = Box::new(self.pipe()?);
            return Ok(self.make(start, Kind::Define(definition, body)));
        }
        self.postfix()
    }

    /// Continues with the token after an offset.
    fn move_to(&mut self, at: usize) {
        (self.token, self.span) = token(self.program, at);
    }
}

/// A constant string.
fn text(text: &str, span: Span) -> Expr {
    let parts = match text {
        "" => Vec::new(),
        _ => vec![Part::Text(text.into())],
    };
    Expr {
        kind: Kind::String(None, parts),
        span,
    }
}

/// The line of a span, from 1.
fn line(program: &str, span: Span) -> usize {
    1 + program[..span.start as usize].matches('\n').count()
}

/// The kind of a constant.
fn constant_kind(expr: &Expr) -> Option<&'static str> {
    Some(match &expr.kind {
        Kind::Number(_) => "number",
        Kind::String(_, parts) if parts.iter().all(|part| matches!(part, Part::Text(_))) => {
            "string"
        }
        Kind::Array(None) => "array",
        Kind::Object(members) if members.is_empty() => "object",
        Kind::Call(name, arguments) if arguments.is_empty() => match &**name {
            "true" | "false" => "boolean",
            "null" => "null",
            _ => return None,
        },
        _ => return None,
    })
}

fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Array(Some(contents)) => is_constant(contents),
        Kind::Comma(left, right) => is_constant(left) && is_constant(right),
        Kind::Object(members) => members
            .iter()
            .all(|(key, value)| is_constant(key) && is_constant(value)),
        _ => constant_kind(expr).is_some(),
    }
}
