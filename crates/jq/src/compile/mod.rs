//! Resolves the names of variables to distances in the environment, and the names of functions to definitions.

mod bindings;
mod calls;

use std::collections::HashMap;
use std::rc::Rc;

use crate::ast::{self, Definition, Expr, Kind, Part, Span};
use crate::modules::{Imported, Loader};
use crate::natives::{self, Format};
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
        None => single(Term::Identity, None),
    };
    compiler.compiled.main = Some(main);
    Ok(compiler.compiled)
}

fn single(term: Term, span: Option<Span>) -> Node {
    Node {
        term,
        span,
        single: true,
    }
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

    fn node(&mut self, expr: &Expr) -> Resolved {
        let span = self.is_program.then_some(expr.span);
        let all = |nodes: &[&Node]| nodes.iter().all(|node| node.single);
        let (term, single) = match &expr.kind {
            Kind::Identity => (Term::Identity, true),
            Kind::Recurse => (Term::Recurse, false),
            Kind::Number(text) => (Term::Constant(Value::literal(text)), true),
            Kind::String(format, parts) => return self.string(format.as_deref(), parts, expr.span),
            Kind::Format(name) => (Term::Format(format_of(name, expr.span)?), true),
            Kind::Index(target, key) => {
                let (target, key) = (self.boxed(target)?, self.boxed(key)?);
                let single = all(&[&target, &key]);
                (Term::Index(target, key), single)
            }
            Kind::Slice(target, from, to) => {
                let target = self.boxed(target)?;
                let (from, to) = (self.optional(from.as_ref())?, self.optional(to.as_ref())?);
                let single =
                    target.single && [&from, &to].into_iter().flatten().all(|bound| bound.single);
                (Term::Slice(target, from, to), single)
            }
            Kind::Iterate(target) => (Term::Iterate(self.boxed(target)?), false),
            Kind::Array(contents) => match self.optional(contents.as_ref())? {
                None => (Term::Constant(Value::array(Vec::new())), true),
                contents => (Term::Array(contents), true),
            },
            Kind::Object(members) => {
                let mut nodes = Vec::with_capacity(members.len());
                for (key, value) in members {
                    nodes.push((self.node(key)?, self.node(value)?));
                }
                let single = nodes.iter().all(|(key, value)| key.single && value.single);
                (Term::Object(nodes), single)
            }
            Kind::Negate(operand) => {
                let operand = self.boxed(operand)?;
                let single = operand.single;
                (Term::Negate(operand), single)
            }
            Kind::Pipe(left, right) => {
                let (left, right) = (self.boxed(left)?, self.boxed(right)?);
                let single = all(&[&left, &right]);
                (Term::Pipe(left, right), single)
            }
            Kind::Comma(left, right) => (Term::Comma(self.boxed(left)?, self.boxed(right)?), false),
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.boxed(left)?, self.boxed(right)?);
                let single = all(&[&left, &right]);
                (Term::Binary(*operator, left, right), single)
            }
            Kind::And(left, right) => {
                let (left, right) = (self.boxed(left)?, self.boxed(right)?);
                let single = all(&[&left, &right]);
                (Term::And(left, right), single)
            }
            Kind::Or(left, right) => {
                let (left, right) = (self.boxed(left)?, self.boxed(right)?);
                let single = all(&[&left, &right]);
                (Term::Or(left, right), single)
            }
            Kind::Alternative(left, right) => (
                Term::Alternative(self.boxed(left)?, self.boxed(right)?),
                false,
            ),
            Kind::Assign(assignment, path, value) => {
                let (path, value) = (self.boxed(path)?, self.boxed(value)?);
                let single = value.single;
                (Term::Assign(*assignment, path, value), single)
            }
            Kind::Update(path, update) => {
                (Term::Update(self.boxed(path)?, self.boxed(update)?), true)
            }
            Kind::If(condition, then, otherwise) => {
                let (condition, then) = (self.boxed(condition)?, self.boxed(then)?);
                let otherwise = self.optional(otherwise.as_ref())?;
                let single =
                    all(&[&condition, &then]) && otherwise.as_ref().is_none_or(|node| node.single);
                (Term::If(condition, then, otherwise), single)
            }
            Kind::Try(body, handler) => (
                Term::Try(self.boxed(body)?, self.optional(handler.as_ref())?),
                false,
            ),
            Kind::Reduce(source, patterns, init, update) => {
                let (source, init) = (self.boxed(source)?, self.boxed(init)?);
                let (binding, update) =
                    self.binding(patterns, |compiler| compiler.boxed(update))?;
                let single = init.single;
                (Term::Reduce(source, binding, init, update), single)
            }
            Kind::Foreach(source, patterns, init, update, extract) => {
                let (source, init) = (self.boxed(source)?, self.boxed(init)?);
                let (binding, (update, extract)) = self.binding(patterns, |compiler| {
                    Ok((
                        compiler.boxed(update)?,
                        compiler.optional(extract.as_ref())?,
                    ))
                })?;
                (Term::Foreach(source, binding, init, update, extract), false)
            }
            Kind::As(source, patterns, body) => {
                let source = self.boxed(source)?;
                let (binding, body) = self.binding(patterns, |compiler| compiler.boxed(body))?;
                let is_simple = matches!(binding.patterns[..], [Pattern::Variable]);
                let single = is_simple && source.single && body.single;
                (Term::Bind(source, binding, body), single)
            }
            Kind::Label(name, body) => {
                self.scope.push(Entry::Label(name.clone(), self.depth));
                self.depth += 1;
                let body = self.boxed(body);
                self.depth -= 1;
                self.scope.pop();
                (Term::Label(body?), false)
            }
            Kind::Break(name) => {
                let label = self.scope.iter().rev().find_map(|entry| match entry {
                    Entry::Label(label, depth) if label == name => Some(*depth),
                    _ => None,
                });
                let Some(depth) = label else {
                    return Err(self.undefined(&format!("the label {name}"), expr.span));
                };
                (Term::Break(self.depth - 1 - depth), false)
            }
            Kind::Define(definition, body) => {
                let scope = self.scope.len();
                self.define(definition, "")?;
                let body = self.node(body);
                self.scope.truncate(scope);
                return body;
            }
            Kind::Variable(name) => return self.variable(name, expr.span),
            Kind::Location(line) => {
                let location = [("file", "<top-level>".into()), ("line", Value::from(*line))];
                let members = location.map(|(key, value)| (key.into(), value));
                (Term::Constant(Value::object(members)), true)
            }
            Kind::Call(name, arguments) => return self.call(name, arguments, expr.span),
        };
        Ok(Node { term, span, single })
    }

    fn undefined(&self, what: &str, span: Span) -> ProgramError {
        ProgramError::new(format!("{what} is not defined"), span)
    }

    fn string(&mut self, format: Option<&str>, parts: &[Part], at: Span) -> Resolved {
        let span = self.is_program.then_some(at);
        let format = match format {
            Some(name) => format_of(name, at)?,
            None => Format::Text,
        };
        match parts {
            [] => return Ok(single(Term::Constant(Value::from("")), span)),
            [Part::Text(text)] => {
                return Ok(single(Term::Constant(Value::String(text.clone())), span));
            }
            _ => {}
        }
        let mut nodes = Vec::with_capacity(parts.len());
        let mut single = true;
        for part in parts {
            nodes.push(match part {
                Part::Text(text) => StringPart::Text(text.clone()),
                Part::Interpolated(expr) => {
                    let node = self.node(expr)?;
                    single &= node.single;
                    StringPart::Interpolated(node)
                }
            });
        }
        let term = Term::String(format, nodes);
        Ok(Node { term, span, single })
    }

    fn variable(&mut self, name: &Rc<str>, at: Span) -> Resolved {
        let span = self.is_program.then_some(at);
        for entry in self.scope.iter().rev() {
            match entry {
                Entry::Variable(variable, depth) | Entry::Parameter(variable, depth)
                    if variable == name =>
                {
                    return Ok(single(Term::Variable(self.depth - 1 - depth), span));
                }
                Entry::Global(variable, value) if variable == name => {
                    return Ok(single(Term::Constant(value.clone()), span));
                }
                _ => {}
            }
        }
        if &**name == "$ENV" {
            return Ok(single(Term::Constant(natives::environment()), span));
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
    const FORMATS: [(&str, Format); 10] = [
        ("@text", Format::Text),
        ("@json", Format::Json),
        ("@csv", Format::Csv),
        ("@tsv", Format::Tsv),
        ("@html", Format::Html),
        ("@uri", Format::Uri),
        ("@urid", Format::UriDecode),
        ("@sh", Format::Sh),
        ("@base64", Format::Base64),
        ("@base64d", Format::Base64Decode),
    ];
    let found = FORMATS.iter().find(|(format, _)| *format == name);
    let unknown = || {
        let error = ProgramError::new(format!("{name} is not a format"), span);
        error.with_near(name, FORMATS.iter().map(|(format, _)| *format))
    };
    Ok(found.ok_or_else(unknown)?.1)
}
