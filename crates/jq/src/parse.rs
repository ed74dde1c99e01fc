//! The grammar of jq 1.8: operator precedence for binary operators, recursive descent for the rest.

use std::rc::Rc;

use crate::ast::{Definition, Expr, Import, Kind, Module, Operator, Part, Pattern, Span};
use crate::lex::{Token, token};
use crate::program_error::ProgramError;

/// Bounds the recursion of the parser, the compiler and the evaluation of one expression.
const MAX_NESTING: u32 = 1_000;

type Parsed<T = Expr> = Result<T, ProgramError>;

/// Parses a program: imports, definitions and an expression, which is `.` if it is left out.
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
    /// The end of the token before.
    last: Span,
    nesting: u32,
}

/// How tightly an operator binds; `|` and `,` are handled apart.
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
        "=" => Kind::Assign(left, right),
        "|=" => Kind::Update(left, right),
        "//=" => Kind::UpdateAlternative(left, right),
        "or" => Kind::Or(left, right),
        "and" => Kind::And(left, right),
        _ => match operator(symbol) {
            Some(operator) => Kind::Binary(operator, left, right),
            None => match operator(symbol.trim_end_matches('=')) {
                Some(operator) => Kind::UpdateWith(operator, left, right),
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
        match self.accept(symbol) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{symbol}`"))),
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

    fn import_path(&mut self) -> Parsed<Rc<str>> {
        let start = self.span;
        if self.token != Token::Quote {
            return Err(self.unexpected("a path in quotes"));
        }
        match &self.string()?[..] {
            [] => Ok("".into()),
            [Part::Text(path)] => Ok(path.clone()),
            _ => Err(ProgramError::new(
                "an import path must be constant".into(),
                start.to(self.last),
            )),
        }
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

    fn nested(&mut self, parse: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
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
        // Pipes are right-associative; a loop keeps long ones from recursing.
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

    /// `try body catch handler`, `reduce`, `foreach`, or a term, with what follows it: `.name`, `[…]`, `?`.
    fn postfix(&mut self) -> Parsed {
        let start = self.span;
        if self.accept("try") {
            let body = Box::new(self.nested(Self::handled)?);
            let handler = match self.accept("catch") {
                true => Some(Box::new(self.nested(Self::handled)?)),
                false => None,
            };
            return Ok(self.make(start, Kind::Try(body, handler)));
        }
        let mut term = self.term()?;
        loop {
            term = match self.token {
                Token::Field => {
                    let key = self.field();
                    self.make(start, Kind::Index(Box::new(term), Box::new(key)))
                }
                Token::Symbol => match self.text() {
                    "?" => {
                        self.advance();
                        self.make(start, Kind::Try(Box::new(term), None))
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
        }
    }

    /// The body of `try` and `catch`: a term, possibly negated or a `try` itself.
    fn handled(&mut self) -> Parsed {
        let start = self.span;
        if self.accept("-") {
            let operand = Box::new(self.nested(Self::handled)?);
            return Ok(self.make(start, Kind::Negate(operand)));
        }
        self.postfix()
    }

    /// The key of `.name`.
    fn field(&mut self) -> Expr {
        let name = self.text().trim_start_matches('.');
        self.advance();
        text(name, self.last)
    }

    /// `[…]` after a target.
    fn bracket(&mut self, start: Span, target: Expr) -> Parsed {
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

    fn term(&mut self) -> Parsed {
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

    fn make_identity(&self, at: Span) -> Expr {
        Expr {
            kind: Kind::Identity,
            span: Span {
                end: at.start,
                ..at
            },
        }
    }

    fn word(&mut self) -> Parsed {
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
                let extract = match name == "foreach" && self.accept(";") {
                    true => Some(Box::new(self.pipe()?)),
                    false => None,
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

    /// What follows `if` or `elif`.
    fn condition(&mut self, start: Span) -> Parsed {
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

    /// A variable's name with its `$`.
    fn variable(&mut self) -> Parsed<Rc<str>> {
        match self.token {
            Token::Variable => {
                self.advance();
                Ok(self.program[self.last.start as usize..self.last.end as usize].into())
            }
            _ => Err(self.unexpected("a variable, `$name`")),
        }
    }

    fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut patterns = vec![self.pattern()?];
        while self.accept("?//") {
            patterns.push(self.pattern()?);
        }
        Ok(patterns)
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(ProgramError::new(
                "the program is nested too deep".into(),
                self.span,
            ));
        }
        let pattern = self.pattern_inner();
        self.nesting -= 1;
        pattern
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

    /// A key of an object or of a pattern. Of `$name`, the name.
    fn key(&mut self) -> Parsed {
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

    fn object(&mut self) -> Parsed<Vec<(Expr, Expr)>> {
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
    fn member_value(&mut self) -> Parsed {
        let start = self.span;
        let left = self.operators(0)?;
        if !self.accept("|") {
            return Ok(left);
        }
        let right = self.nested(Self::member_value)?;
        Ok(self.make(start, Kind::Pipe(Box::new(left), Box::new(right))))
    }

    fn quoted(&mut self, format: Option<Rc<str>>) -> Parsed {
        let start = self.span;
        let parts = self.string()?;
        Ok(self.make(start, Kind::String(format, parts)))
    }

    /// The parts of a string. The current token is its opening quote.
    fn string(&mut self) -> Parsed<Vec<Part>> {
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
                    parts.push(Part::Text(std::mem::take(&mut text).into()));
                }
                self.move_to(at + 2);
                parts.push(Part::Interpolated(self.pipe()?));
                if !self.is(")") {
                    return Err(self.unexpected("`)`"));
                }
                at = self.span.end as usize;
                continue;
            }
            at += self.escape(at, &mut text)?;
        }
        if !text.is_empty() {
            parts.push(Part::Text(text.into()));
        }
        self.span = Span {
            start: at as u32,
            end: at as u32 + 1,
        };
        self.advance();
        Ok(parts)
    }

    /// Continues with the token after an offset.
    fn move_to(&mut self, at: usize) {
        (self.token, self.span) = token(self.program, at);
    }

    /// Decodes the escape at an offset; returns its length.
    fn escape(&self, at: usize, out: &mut String) -> Parsed<usize> {
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
                out.push(char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER));
                return Ok(6);
            }
            _ => {
                let span = Span {
                    start: at as u32,
                    end: (at + 2).min(self.program.len()) as u32,
                };
                return Err(ProgramError::new("invalid escape in a string".into(), span));
            }
        };
        out.push(simple);
        Ok(2)
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

/// The line of a place, from 1.
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
