//! Finds the parts of the input that a program reads, so that the rest need not be indexed.
//!
//! # Paths
//!
//! The program is evaluated on sets of paths instead of values: `.user` of the input is the path `user`, and a computed value has
//! no path. A path is read if its value is used for anything except access to a member with a constant key.
//!
//! ```text
//! select(.user.age > 30) | {id, n: .user.name}
//!        ────┬───           ─┬     ────┬────
//!            user.age        id        user.name
//! ```

use std::rc::Rc;

use crate::env::{Bound, Env};
use crate::specials::Special;
use crate::term::{Binding, Compiled, Node, Parameter, Pattern, Term};
use crate::value::Value;

type Path = Vec<Rc<str>>;

/// The possible paths of a value; a computed value has none.
type Paths = Vec<Path>;

type Scope<'p> = Env<'p, Paths>;

/// The maximum number of steps, counting each call; the analysis gives up beyond it.
const MAX_STEPS: usize = 2_000;

/// The maximum depth of calls; deeper ones are assumed to be recursive.
const MAX_CALLS: usize = 20;

/// The maximum number of paths that are read, because each costs a search, and of the possible paths of a value.
const MAX_PATHS: usize = 16;

/// What a program reads of an input.
pub struct Reads {
    /// The paths of the values.
    pub paths: Vec<Vec<Rc<str>>>,
    /// Whether the input itself may be a result, unchanged, as in `select(.a)`.
    pub keeps: bool,
    /// Whether the value at the only path is the result.
    pub is_path: bool,
}

/// What a program reads; `None` if it may read anything.
pub(crate) fn reads(program: &Compiled) -> Option<Reads> {
    let mut reader = Reader {
        program,
        read: Vec::new(),
        steps: 0,
        calls: 0,
    };
    let main = program.main.as_ref()?;
    let mut results = reader.results(main, &Env::default(), &vec![Path::new()])?;
    let keeps = results.iter().any(Vec::is_empty);
    results.retain(|path| !path.is_empty());
    reader.read_all(results);
    let is_within = |path: &Path, other: &Path| path.starts_with(other) && path != other;
    let all = std::mem::take(&mut reader.read);
    let kept = all
        .iter()
        .filter(|path| !all.iter().any(|other| is_within(path, other)));
    let paths: Vec<Path> = kept.cloned().collect();
    let has_root = paths.iter().any(Vec::is_empty);
    let is_part = !has_root && !paths.is_empty() && paths.len() <= MAX_PATHS;
    let is_path = constant_path(main).is_some();
    is_part.then_some(Reads {
        paths,
        keeps,
        is_path,
    })
}

/// The paths of both sets; `None` if there are too many. A recursive function may double them with each call.
fn union(mut paths: Paths, others: Paths) -> Option<Paths> {
    for other in others {
        if !paths.contains(&other) {
            paths.push(other);
        }
    }
    (paths.len() <= MAX_PATHS).then_some(paths)
}

struct Reader<'p> {
    program: &'p Compiled,
    read: Vec<Path>,
    steps: usize,
    /// The current depth of calls.
    calls: usize,
}

impl<'p> Reader<'p> {
    fn read_all(&mut self, paths: Paths) {
        for path in paths {
            if !self.read.contains(&path) {
                self.read.push(path);
            }
        }
    }

    /// Reads the results of an expression.
    fn read(&mut self, node: &'p Node, env: &Scope<'p>, input: &Paths) -> Option<()> {
        let results = self.results(node, env, input)?;
        self.read_all(results);
        Some(())
    }

    fn read_each(
        &mut self,
        nodes: impl IntoIterator<Item = &'p Node>,
        env: &Scope<'p>,
        input: &Paths,
    ) -> Option<()> {
        nodes
            .into_iter()
            .try_for_each(|node| self.read(node, env, input))
    }

    /// The possible results of either expression.
    fn either(
        &mut self,
        first: &'p Node,
        second: Option<&'p Node>,
        env: &Scope<'p>,
        input: &Paths,
    ) -> Option<Paths> {
        let results = self.results(first, env, input)?;
        let others = match second {
            Some(second) => self.results(second, env, input)?,
            None => input.clone(),
        };
        union(results, others)
    }

    /// The possible results of an expression; `None` if unknown. Errors do not matter: the values read are the same, and their
    /// parents are objects or null.
    fn results(&mut self, node: &'p Node, env: &Scope<'p>, input: &Paths) -> Option<Paths> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return None;
        }
        let computed = Paths::new();
        match &node.term {
            Term::Identity => Some(input.clone()),
            Term::Constant(_) | Term::Break(_) => Some(computed),
            Term::Variable(distance) => Some(env.value(*distance)),
            Term::Index(target, key) => {
                let targets = self.results(target, env, input)?;
                if let Term::Constant(Value::String(key)) = &key.term {
                    let member = |path: Path| [path, vec![key.clone()]].concat();
                    return Some(targets.into_iter().map(member).collect());
                }
                self.read_all(targets);
                self.read(key, env, input)?;
                Some(computed)
            }
            term @ (Term::Slice(..)
            | Term::Iterate(_)
            | Term::Negate(_)
            | Term::Array(_)
            | Term::Object(_)
            | Term::String(..)
            | Term::Binary(..)
            | Term::And(..)
            | Term::Or(..)) => {
                self.read_each(term.operands(), env, input)?;
                Some(computed)
            }
            Term::Pipe(left, right) => {
                let between = self.results(left, env, input)?;
                self.results(right, env, &between)
            }
            Term::Comma(left, right) => self.either(left, Some(right), env, input),
            Term::Alternative(left, right) => {
                self.read(left, env, input)?;
                self.either(left, Some(right), env, input)
            }
            Term::If(condition, then, otherwise) => {
                self.read(condition, env, input)?;
                self.either(then, otherwise.as_deref(), env, input)
            }
            Term::Try(body, handler) => {
                let results = self.results(body, env, input)?;
                match handler {
                    Some(handler) => union(results, self.results(handler, env, &computed)?),
                    None => Some(results),
                }
            }
            Term::Bind(source, binding, body) => {
                let env = self.bound(source, binding, env, input)?;
                self.results(body, &env, input)
            }
            Term::Reduce(source, binding, init, update) => {
                self.read(init, env, input)?;
                let env = self.bound(source, binding, env, input)?;
                self.read(update, &env, &computed)?;
                Some(computed)
            }
            Term::Foreach(source, binding, init, update, extract) => {
                self.read(init, env, input)?;
                let env = self.bound(source, binding, env, input)?;
                self.read(update, &env, &computed)?;
                if let Some(extract) = extract {
                    self.read(extract, &env, &computed)?;
                }
                Some(computed)
            }
            Term::Label(body) => self.results(body, &env.with(Bound::Label(0)), input),
            Term::Closure(distance) => {
                let (closure, env) = env.closure(*distance)?;
                let env = env.clone();
                self.results(closure, &env, input)
            }
            Term::Call(id, skip, arguments) => {
                let function = self.program.function(*id)?;
                let mut inner = env.skip(*skip);
                for (parameter, argument) in function.parameters.iter().zip(arguments) {
                    inner = inner.with(match parameter {
                        Parameter::Closure => Bound::Closure(argument, env.clone()),
                        Parameter::Value => Bound::Value(self.results(argument, env, input)?),
                        Parameter::Both => {
                            let value = self.results(argument, env, input)?;
                            Bound::Argument(value, argument, env.clone())
                        }
                    });
                }
                self.calls += 1;
                if self.calls > MAX_CALLS {
                    return None;
                }
                let results = self.results(&function.body, &inner, input);
                self.calls -= 1;
                results
            }
            Term::Special(special, arguments) => self.special(*special, arguments, env, input),
            // An update or a path expression may read all of its input.
            term @ (Term::Format(_)
            | Term::SameKey
            | Term::Native(..)
            | Term::Recurse
            | Term::Assign(..)
            | Term::Update(..)) => {
                self.read_all(input.clone());
                self.read_each(term.operands(), env, input)?;
                Some(computed)
            }
        }
    }

    fn special(
        &mut self,
        special: Special,
        arguments: &'p [Node],
        env: &Scope<'p>,
        input: &Paths,
    ) -> Option<Paths> {
        match (special, arguments) {
            (Special::First, [body]) => self.results(body, env, input),
            (Special::Limit | Special::Skip, [count, body]) => {
                self.read(count, env, input)?;
                self.results(body, env, input)
            }
            (Special::IsEmpty | Special::Add | Special::Range, arguments) => {
                self.read_each(arguments, env, input)?;
                Some(Paths::new())
            }
            (Special::Empty | Special::InputFilename, _) => Some(Paths::new()),
            (_, arguments) => {
                self.read_all(input.clone());
                self.read_each(arguments, env, input)?;
                Some(Paths::new())
            }
        }
    }

    /// The environment in which the results of `source` are bound; `None` for destructuring patterns.
    fn bound(
        &mut self,
        source: &'p Node,
        binding: &Binding,
        env: &Scope<'p>,
        input: &Paths,
    ) -> Option<Scope<'p>> {
        let [Pattern::Variable] = binding.patterns[..] else {
            return None;
        };
        let source = self.results(source, env, input)?;
        Some(env.with(Bound::Value(source)))
    }
}

/// Replaces the leading iteration of an expression by the identity, and returns the path of the array.
pub(crate) fn take_elements(main: &mut Node) -> Option<Path> {
    let mut node = main;
    let mut path = Path::new();
    loop {
        let found = match &node.term {
            Term::Iterate(target) if !node.is_optional => constant_path(target),
            Term::Pipe(target, _) => constant_path(target),
            _ => None,
        };
        if let Some(found) = found {
            path.extend(found);
            match &mut node.term {
                Term::Pipe(first, rest) => {
                    Rc::make_mut(first).term = Term::Identity;
                    node = Rc::make_mut(rest);
                    continue;
                }
                iteration => {
                    *iteration = Term::Identity;
                    return Some(path);
                }
            }
        }
        node = match &mut node.term {
            Term::Pipe(first, _) | Term::Iterate(first) => Rc::make_mut(first),
            Term::Index(first, key) if matches!(key.term, Term::Constant(_)) => Rc::make_mut(first),
            _ => return None,
        };
    }
}

/// The keys of an expression such as `.a.b`.
fn constant_path(mut node: &Node) -> Option<Path> {
    let mut path = Path::new();
    loop {
        match &node.term {
            Term::Identity => break,
            Term::Index(target, key) if !node.is_optional => {
                let Term::Constant(Value::String(key)) = &key.term else {
                    return None;
                };
                path.push(key.clone());
                node = target;
            }
            Term::Pipe(left, right) => {
                path.extend(constant_path(right)?.into_iter().rev());
                node = left;
            }
            _ => return None,
        }
    }
    path.reverse();
    Some(path)
}
