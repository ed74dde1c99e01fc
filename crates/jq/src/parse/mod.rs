//! The grammar of jq 1.8: operator precedence for binary operators, recursive descent for the rest. Names are resolved as they are
//! read.

mod header;
mod members;
mod names;
mod patterns;
mod single;
mod strings;
mod terms;

use std::collections::HashMap;
use std::rc::Rc;

use crate::lex::{Token, token};
use crate::modules::Loader;
use crate::ops::Operator;
use crate::program_error::{ProgramError, Span};
use crate::settings::Settings;
use crate::term::{Assignment, Boxed, Compiled, FunctionId, Node, Term};

use header::Module;
pub(crate) use header::meta;
use names::Entry;
use single::single;

/// Bounds the recursion of the parser.
const MAX_NESTING: u32 = 1_000;

/// Bounds the recursion of everything that follows an expression down to its operands, as when it is freed: 5,000 operators in a
/// row, as in `1 + 1 + 1`, are as deep.
const MAX_HEIGHT: u16 = 5_000;

/// More operands of `|`, `,`, `or` and `and` are balanced.
const MANY: u16 = 64;

type Parsed<T = Node> = Result<T, ProgramError>;

/// Compiles a program with these variables, whose names begin with `$`.
pub(crate) fn program(text: &str, settings: &Settings) -> Parsed<Compiled> {
    let mut output = Output::new(settings);
    let mut parser = Parser::new(text, &mut output);
    parser.is_program = true;
    let header = parser.header()?;
    let globals = settings.variables.iter().cloned();
    parser
        .scope
        .extend(globals.map(|(name, value)| Entry::Global(name, value)));
    parser.load_home();
    parser.load(&header);
    parser.definitions()?;
    let main = match parser.token {
        Token::End => {
            let message =
                "the program has only definitions: an expression, such as `.`, must follow";
            return Err(ProgramError::new(message.to_owned(), parser.span));
        }
        _ => parser.pipe()?,
    };
    parser.end()?;
    output.compiled.main = Some(main);
    output.finish()
}

struct Parser<'p, 'o> {
    program: &'p str,
    token: Token,
    span: Span,
    /// The end of the previous token.
    last: Span,
    nesting: u32,
    /// Whether it is the program itself: messages of a running program show only positions in it.
    is_program: bool,
    scope: Vec<Entry>,
    /// The number of bindings in the environment.
    depth: usize,
    /// The definition that contains the current token.
    function: Option<FunctionId>,
    /// The import of this module; `None` for the program and the library.
    module: Option<Module>,
    output: &'o mut Output,
}

/// The result of parsing a program, its modules and the library.
struct Output {
    compiled: Compiled,
    /// The compiled library functions, by name and number of parameters.
    known: HashMap<(&'static str, usize), FunctionId>,
    loader: Loader,
    /// The errors of names that are not defined, and the definitions that contain them. Reported after errors of the grammar,
    /// which may be their cause.
    unresolved: Vec<(Option<FunctionId>, ProgramError)>,
    /// Whether a definition called itself, which was assumed to yield exactly one result.
    assumed: bool,
}

impl Output {
    fn new(settings: &Settings) -> Output {
        Output {
            compiled: Compiled {
                settings: settings.clone(),
                ..Compiled::default()
            },
            known: HashMap::new(),
            loader: Loader::new(settings),
            unresolved: Vec::new(),
            assumed: false,
        }
    }

    /// The program, or the first error of a definition that it uses.
    fn finish(self) -> Parsed<Compiled> {
        if self.unresolved.is_empty() {
            return Ok(self.compiled);
        }
        let functions = &self.compiled.functions;
        let mut is_used = vec![false; functions.len()];
        let mut pending: Vec<&Node> = self.compiled.main.iter().collect();
        while let Some(node) = pending.pop() {
            pending.extend(node.term.operands());
            pending.extend(node.term.pattern_keys());
            if let Term::Call(id, ..) = node.term
                && !std::mem::replace(&mut is_used[id], true)
            {
                pending.extend(functions[id].iter().map(|function| &function.body));
            }
        }
        let mut errors = self.unresolved.into_iter();
        let error = errors.find(|(function, _)| function.is_none_or(|id| is_used[id]));
        match error {
            Some((_, error)) => Err(error),
            None => Ok(self.compiled),
        }
    }
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

fn binary(symbol: &str, left: Node, right: Node) -> Term {
    let (left, right) = (Rc::new(left), Rc::new(right));
    match symbol {
        "//" => Term::Alternative(left, right),
        "=" => Term::Assign(Assignment::Replace, left, right),
        "|=" => Term::Update(left, right),
        "//=" => Term::Assign(Assignment::Alternative, left, right),
        _ => match operator(symbol) {
            Some(operator) => Term::Binary(operator, left, right),
            None => match operator(symbol.trim_end_matches('=')) {
                Some(operator) => Term::Assign(Assignment::With(operator), left, right),
                None => Term::Pipe(left, right),
            },
        },
    }
}

/// Words that cannot name functions.
const KEYWORDS: [&str; 19] = [
    "__loc__", "and", "as", "catch", "def", "elif", "else", "end", "foreach", "if", "import",
    "include", "label", "module", "or", "reduce", "then", "try", "break",
];

impl<'p, 'o> Parser<'p, 'o> {
    fn new(program: &'p str, output: &'o mut Output) -> Self {
        let (token, span) = token(program, 0);
        Parser {
            program,
            token,
            span,
            last: Span::default(),
            nesting: 0,
            is_program: false,
            scope: Vec::new(),
            depth: 0,
            function: None,
            module: None,
            output,
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

    /// A node that ends with the previous token.
    fn make(&mut self, start: Span, term: Term) -> Node {
        self.of(term, Some(start.to(self.last)))
    }

    /// A node. Its operands decide whether it yields exactly one result.
    fn of(&mut self, mut term: Term, span: Option<Span>) -> Node {
        let operands = term.operands().into_iter();
        let mut height = operands
            .map(|operand| operand.height + 1)
            .max()
            .unwrap_or(0);
        if height > MAX_HEIGHT {
            let message = format!(
                "the expression is too long: it has more than {MAX_HEIGHT} operators in a row"
            );
            self.report(ProgramError::new(message, span.unwrap_or(self.span)));
            (term, height) = (Term::Identity, 0);
        }
        let single = single(&term, &self.output.compiled, &mut self.output.assumed);
        Node {
            term,
            span: span.filter(|_| self.is_program),
            is_optional: false,
            single: single.into(),
            height,
        }
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
        // Pipes are right-associative; a loop avoids recursion for long ones.
        let mut stages = Vec::new();
        loop {
            if self.is("def") {
                stages.push(self.local()?);
                break;
            }
            stages.push(self.comma()?);
            if !self.accept("|") {
                break;
            }
        }
        if stages.len() > usize::from(MANY) {
            return Ok(self.joined(stages, true, Term::Pipe));
        }
        let last = stages.pop();
        let joined = stages.into_iter().rev().fold(last, |right, left| {
            Some(self.pair(left, right?, Term::Pipe))
        });
        joined.ok_or_else(|| self.unexpected("an expression"))
    }

    fn comma(&mut self) -> Parsed {
        let mut all = vec![self.bound()?];
        while self.accept(",") {
            all.push(if self.is("def") {
                self.pipe()?
            } else {
                self.bound()?
            });
        }
        Ok(self.joined(all, true, Term::Comma))
    }

    /// Operands joined by an operator, from left to right. Many of them are joined by a balanced tree if the result is the same.
    fn joined(
        &mut self,
        mut all: Vec<Node>,
        is_associative: bool,
        join: fn(Boxed, Boxed) -> Term,
    ) -> Node {
        while is_associative && all.len() > usize::from(MANY) {
            let mut pairs = all.into_iter();
            all = Vec::with_capacity(pairs.len().div_ceil(2));
            while let Some(left) = pairs.next() {
                all.push(match pairs.next() {
                    Some(right) => self.pair(left, right, join),
                    None => left,
                });
            }
        }
        let mut all = all.into_iter();
        let first = all.next();
        let first = first.unwrap_or_else(|| self.of(Term::Identity, None));
        all.fold(first, |left, right| self.pair(left, right, join))
    }

    fn pair(&mut self, left: Node, right: Node, join: fn(Boxed, Boxed) -> Term) -> Node {
        let span = left.span.zip(right.span);
        let span = span.map(|(left, right)| left.to(right));
        self.of(join(Rc::new(left), Rc::new(right)), span)
    }

    /// An expression without `|` and `,`, or `source as $x | body`.
    fn bound(&mut self) -> Parsed {
        let start = self.span;
        if self.is("label") {
            self.advance();
            let name = self.variable_name()?;
            self.expect("|")?;
            let outer = self.enter(Entry::Label(name, self.depth));
            let body = self.boxed()?;
            self.leave(outer);
            return Ok(self.make(start, Term::Label(body)));
        }
        let source = self.operators(0)?;
        if !self.accept("as") {
            return Ok(source);
        }
        let (binding, outer) = self.binding()?;
        self.expect("|")?;
        let body = self.boxed()?;
        self.leave(outer);
        Ok(self.make(start, Term::Bind(Rc::new(source), binding, body)))
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
                left = self.make(start, Term::Try(Rc::new(left), None));
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
            if matches!(symbol, "or" | "and") {
                let mut all = vec![left, right];
                while self.accept(symbol) {
                    all.push(self.operators(strength + 1)?);
                }
                let is_associative = all.iter().all(|operand| operand.single.get());
                let join = if symbol == "or" { Term::Or } else { Term::And };
                left = self.joined(all, is_associative, join);
                continue;
            }
            let symbol = symbol.trim_start_matches('?');
            left = self.make(start, binary(symbol, left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed {
        let start = self.span;
        if self.accept("-") {
            let operand = Rc::new(self.nested(Self::unary)?);
            // A literal zero has no sign.
            if let Term::Constant(zero) = &operand.term
                && zero.as_f64() == Some(0.0)
            {
                return Ok(self.make(start, Term::Constant(zero.clone())));
            }
            return Ok(self.make(start, Term::Negate(operand)));
        }
        if self.is("def") {
            return self.local();
        }
        self.postfix()
    }

    /// A definition, and the expression in its scope.
    fn local(&mut self) -> Parsed {
        let outer = self.position();
        self.definition()?;
        let body = self.pipe()?;
        self.leave(outer);
        Ok(body)
    }

    fn boxed(&mut self) -> Parsed<Boxed> {
        self.pipe().map(Rc::new)
    }

    /// Continues with the token after an offset.
    fn move_to(&mut self, at: usize) {
        (self.token, self.span) = token(self.program, at);
    }
}
