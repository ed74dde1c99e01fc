//! Resolves the names of variables to distances in the environment, and the names of functions to definitions.

mod bindings;
mod calls;

use std::collections::HashMap;
use std::rc::Rc;

use crate::ast::{self, Definition, Expr, Kind, Part, Span};
use crate::modules::{Imported, Loader};
use crate::natives::{self, FORMATS, Format};
use crate::program_error::ProgramError;
use crate::term::{Boxed, Compiled, Function, FunctionId, Node, Pattern, StringPart, Term};
use crate::value::Value;

type Resolved<T = Node> = Result<T, ProgramError>;

/// The meaning of a name in scope.
#[derive(Clone)]
enum Entry {
    /// `$name`, at this depth of the environment.
    Variable(Rc<str>, usize),
    Label(Rc<str>, usize),
    /// A parameter `$name`, which also defines a function `name`.
    Parameter(Rc<str>, usize),
    /// A parameter that is a closure.
    Closure(Rc<str>, usize),
    /// A function with this number of parameters, defined at this depth.
    Function(Rc<str>, usize, FunctionId, usize),
    /// A variable with a fixed value.
    Global(Rc<str>, Value),
}

pub(crate) struct Compiler<'l> {
    compiled: Compiled,
    scope: Vec<Entry>,
    /// The number of bindings in the environment.
    depth: usize,
    /// The compiled library functions, by name and number of parameters.
    known: HashMap<(&'static str, usize), FunctionId>,
    loader: &'l mut Loader,
    /// Whether it is the program itself: messages show only positions in it.
    is_program: bool,
}

/// Compiles a program with these variables, whose names begin with `$`.
pub(crate) fn compile(
    module: &ast::Module,
    variables: &[(Rc<str>, Value)],
    loader: &mut Loader,
) -> Resolved<Compiled> {
    let mut compiler = Compiler {
        compiled: Compiled::default(),
        scope: Vec::new(),
        depth: 0,
        known: HashMap::new(),
        loader,
        is_program: true,
    };
    let globals = variables
        .iter()
        .map(|(name, value)| Entry::Global(name.clone(), value.clone()));
    compiler.scope.extend(globals);
    compiler.imports(module)?;
    compiler.definitions(&module.definitions, "")?;
    let main = match &module.body {
        Some(body) => compiler.node(body)?,
        None => compiler.of(Term::Identity, None),
    };
    compiler.compiled.main = Some(main);
    Ok(compiler.compiled)
}

impl Compiler<'_> {
    fn imports(&mut self, module: &ast::Module) -> Resolved<()> {
        for import in &module.imports {
            let directory = self.loader.directory();
            let imported = self.loader.load(import, directory.as_deref())?;
            match (imported, &import.name) {
                (Imported::Data(value), Some(name)) => {
                    let bare = name.trim_start_matches('$');
                    for name in [name.clone(), format!("${bare}::{bare}").into()] {
                        self.scope.push(Entry::Global(name, value.clone()));
                    }
                }
                (Imported::Data(_), None) => {}
                (Imported::Code { module, directory }, name) => {
                    let prefix = name
                        .as_ref()
                        .map_or(String::new(), |name| format!("{name}::"));
                    self.module(&module, directory, &prefix)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the definitions of a module to the scope, with the prefix of its name.
    fn module(
        &mut self,
        module: &ast::Module,
        directory: std::path::PathBuf,
        prefix: &str,
    ) -> Resolved<()> {
        let outer = std::mem::take(&mut self.scope);
        // A module sees the variables of the command line, but no definitions of its importer.
        self.scope.extend(
            outer
                .iter()
                .filter(|entry| matches!(entry, Entry::Global(..)))
                .cloned(),
        );
        let was_program = std::mem::replace(&mut self.is_program, false);
        self.loader.enter(directory);
        let done = self.imports(module);
        let imported = self.scope.len();
        let done = done.and_then(|()| self.definitions(&module.definitions, ""));
        self.loader.leave();
        self.is_program = was_program;
        done?;
        let own = self.scope.split_off(imported);
        self.scope = outer;
        for entry in own {
            if let Entry::Function(name, arity, id, depth) = entry {
                self.scope.push(Entry::Function(
                    format!("{prefix}{name}").into(),
                    arity,
                    id,
                    depth,
                ));
            }
        }
        Ok(())
    }

    fn definitions(&mut self, definitions: &[Rc<Definition>], prefix: &str) -> Resolved<()> {
        for definition in definitions {
            self.define(definition, prefix)?;
        }
        Ok(())
    }

    /// Compiles a definition, and adds it to the scope.
    fn define(&mut self, definition: &Definition, prefix: &str) -> Resolved<FunctionId> {
        let id = self.compiled.functions.len();
        self.compiled.functions.push(None);
        let name: Rc<str> = format!("{prefix}{}", definition.name).into();
        self.scope.push(Entry::Function(
            name,
            definition.parameters.len(),
            id,
            self.depth,
        ));
        let (scope, depth) = (self.scope.len(), self.depth);
        let mut parameters = Vec::new();
        for name in &definition.parameters {
            let is_value = name.starts_with('$');
            parameters.push(is_value);
            self.scope.push(if is_value {
                Entry::Parameter(name.clone(), self.depth)
            } else {
                Entry::Closure(name.clone(), self.depth)
            });
            self.depth += 1;
        }
        let body = self.node(&definition.body);
        self.scope.truncate(scope);
        self.depth = depth;
        self.compiled.functions[id] = Some(Function {
            parameters,
            body: body?,
        });
        Ok(id)
    }

    fn boxed(&mut self, expr: &Expr) -> Resolved<Boxed> {
        Ok(Box::new(self.node(expr)?))
    }

    fn optional(&mut self, expr: Option<&ast::Boxed>) -> Resolved<Option<Boxed>> {
        expr.map(|expr| self.boxed(expr)).transpose()
    }

    /// A compiled expression. Its operands decide whether it yields exactly one result.
    fn of(&self, term: Term, span: Option<Span>) -> Node {
        let single = match &term {
            Term::Recurse
            | Term::Iterate(_)
            | Term::Comma(..)
            | Term::Alternative(..)
            | Term::Try(..)
            | Term::Foreach(..)
            | Term::Label(_)
            | Term::Break(_)
            | Term::Closure(_) => false,
            Term::Array(_) | Term::Update(..) => true,
            Term::Assign(_, _, value) => value.single,
            Term::Reduce(_, _, init, _) => init.single,
            Term::Special(special, _) if !special.takes_values() => special.is_single(),
            term => {
                let may_be = match term {
                    Term::Bind(_, binding, _) => {
                        matches!(binding.patterns[..], [Pattern::Variable])
                    }
                    Term::Special(special, _) => special.is_single(),
                    // Unknown while the function is being compiled.
                    Term::Call(id, ..) => {
                        let function = self.compiled.function(*id);
                        function.is_some_and(|function| function.body.single)
                    }
                    _ => true,
                };
                may_be && term.operands().iter().all(|operand| operand.single)
            }
        };
        Node { term, span, single }
    }

    fn node(&mut self, expr: &Expr) -> Resolved {
        let span = self.is_program.then_some(expr.span);
        let term = match &expr.kind {
            Kind::Identity => Term::Identity,
            Kind::Recurse => Term::Recurse,
            Kind::Number(text) => Term::Constant(Value::literal(text)),
            Kind::String(format, parts) => self.string(format.as_deref(), parts, expr.span)?,
            Kind::Format(name) => Term::Format(format_of(name, expr.span)?),
            Kind::Index(target, key) => Term::Index(self.boxed(target)?, self.boxed(key)?),
            Kind::Slice(target, from, to) => Term::Slice(
                self.boxed(target)?,
                self.optional(from.as_ref())?,
                self.optional(to.as_ref())?,
            ),
            Kind::Iterate(target) => Term::Iterate(self.boxed(target)?),
            Kind::Array(contents) => match self.optional(contents.as_ref())? {
                None => Term::Constant(Value::array(Vec::new())),
                contents => Term::Array(contents),
            },
            Kind::Object(members) => {
                let mut nodes = Vec::with_capacity(members.len());
                for (key, value) in members {
                    nodes.push((self.node(key)?, self.node(value)?));
                }
                Term::Object(nodes)
            }
            Kind::Negate(operand) => Term::Negate(self.boxed(operand)?),
            Kind::Pipe(left, right) => Term::Pipe(self.boxed(left)?, self.boxed(right)?),
            Kind::Comma(left, right) => Term::Comma(self.boxed(left)?, self.boxed(right)?),
            Kind::Binary(operator, left, right) => {
                Term::Binary(*operator, self.boxed(left)?, self.boxed(right)?)
            }
            Kind::And(left, right) => Term::And(self.boxed(left)?, self.boxed(right)?),
            Kind::Or(left, right) => Term::Or(self.boxed(left)?, self.boxed(right)?),
            Kind::Alternative(left, right) => {
                Term::Alternative(self.boxed(left)?, self.boxed(right)?)
            }
            Kind::Assign(assignment, path, value) => {
                Term::Assign(*assignment, self.boxed(path)?, self.boxed(value)?)
            }
            Kind::Update(path, update) => Term::Update(self.boxed(path)?, self.boxed(update)?),
            Kind::If(condition, then, otherwise) => Term::If(
                self.boxed(condition)?,
                self.boxed(then)?,
                self.optional(otherwise.as_ref())?,
            ),
            Kind::Try(body, handler) => {
                Term::Try(self.boxed(body)?, self.optional(handler.as_ref())?)
            }
            Kind::Reduce(source, patterns, init, update) => {
                let (source, init) = (self.boxed(source)?, self.boxed(init)?);
                let (binding, update) =
                    self.binding(patterns, |compiler| compiler.boxed(update))?;
                Term::Reduce(source, binding, init, update)
            }
            Kind::Foreach(source, patterns, init, update, extract) => {
                let (source, init) = (self.boxed(source)?, self.boxed(init)?);
                let (binding, (update, extract)) = self.binding(patterns, |compiler| {
                    Ok((
                        compiler.boxed(update)?,
                        compiler.optional(extract.as_ref())?,
                    ))
                })?;
                Term::Foreach(source, binding, init, update, extract)
            }
            Kind::As(source, patterns, body) => {
                let source = self.boxed(source)?;
                let (binding, body) = self.binding(patterns, |compiler| compiler.boxed(body))?;
                Term::Bind(source, binding, body)
            }
            Kind::Label(name, body) => {
                self.scope.push(Entry::Label(name.clone(), self.depth));
                self.depth += 1;
                let body = self.boxed(body);
                self.depth -= 1;
                self.scope.pop();
                Term::Label(body?)
            }
            Kind::Break(name) => {
                let label = self.scope.iter().rev().find_map(|entry| match entry {
                    Entry::Label(label, depth) if label == name => Some(*depth),
                    _ => None,
                });
                let Some(depth) = label else {
                    return Err(self.undefined(&format!("the label {name}"), expr.span));
                };
                Term::Break(self.depth - 1 - depth)
            }
            Kind::Define(definition, body) => {
                let scope = self.scope.len();
                self.define(definition, "")?;
                let body = self.node(body);
                self.scope.truncate(scope);
                return body;
            }
            Kind::Variable(name) => self.variable(name, expr.span)?,
            Kind::Location(line) => {
                let location = [("file", "<top-level>".into()), ("line", Value::from(*line))];
                let members = location.map(|(key, value)| (key.into(), value));
                Term::Constant(Value::object(members))
            }
            Kind::Call(name, arguments) => return self.call(name, arguments, expr.span),
        };
        Ok(self.of(term, span))
    }

    fn undefined(&self, what: &str, span: Span) -> ProgramError {
        ProgramError::new(format!("{what} is not defined"), span)
    }

    fn string(&mut self, format: Option<&str>, parts: &[Part], at: Span) -> Resolved<Term> {
        let format = match format {
            Some(name) => format_of(name, at)?,
            None => Format::Text,
        };
        match parts {
            [] => return Ok(Term::Constant(Value::from(""))),
            [Part::Text(text)] => return Ok(Term::Constant(Value::String(text.clone()))),
            _ => {}
        }
        let mut nodes = Vec::with_capacity(parts.len());
        for part in parts {
            nodes.push(match part {
                Part::Text(text) => StringPart::Text(text.clone()),
                Part::Interpolated(expr) => StringPart::Interpolated(self.node(expr)?),
            });
        }
        Ok(Term::String(format, nodes))
    }

    fn variable(&mut self, name: &Rc<str>, at: Span) -> Resolved<Term> {
        for entry in self.scope.iter().rev() {
            match entry {
                Entry::Variable(variable, depth) | Entry::Parameter(variable, depth)
                    if variable == name =>
                {
                    return Ok(Term::Variable(self.depth - 1 - depth));
                }
                Entry::Global(variable, value) if variable == name => {
                    return Ok(Term::Constant(value.clone()));
                }
                _ => {}
            }
        }
        if &**name == "$ENV" {
            return Ok(Term::Constant(natives::environment()));
        }
        let variables = self.scope.iter().filter_map(|entry| match entry {
            Entry::Variable(name, _) | Entry::Parameter(name, _) | Entry::Global(name, _) => {
                Some(&**name)
            }
            _ => None,
        });
        let error = self.undefined(name, at);
        Err(error.with_near(name, variables.chain(["$ENV", "$__loc__"])))
    }
}

fn format_of(name: &str, span: Span) -> Result<Format, ProgramError> {
    let found = FORMATS.iter().find(|(format, _)| *format == name);
    let unknown = || {
        let error = ProgramError::new(format!("{name} is not a format"), span);
        error.with_near(name, FORMATS.iter().map(|(format, _)| *format))
    };
    Ok(found.ok_or_else(unknown)?.1)
}
