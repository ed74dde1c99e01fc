//! The members that a program names, by which a wrong key is found.
//!
//! ```text
//! .users[] | select(.age > 30) | {name, mail: .mail?}    ──►    .users   .users[].age   .users[].name
//! ```
//!
//! As in `reads.rs`, the program is evaluated on sets of paths. A member that may be missing is not named: within `?`, `try`, `//`
//! and branches, and where a value is changed or a path is computed.

use std::fmt;

use crate::access::member;
use crate::env::{Bound, Env};
use crate::natives::By;
use crate::specials::Special;
use crate::term::{Compiled, Node, Parameter, Pattern, Term};
use crate::value::{Printer, Value};

/// The path of a member: keys, and steps to each child.
///
/// ```
/// use jsonx_jq::{Program, Settings, Value};
///
/// let program = Program::compile(".users[] | {name, mail: .mail?}", &Settings::default())?;
/// let paths = program.member_paths();
/// let names: Vec<String> = paths.iter().map(|path| path.to_string()).collect();
/// assert_eq!(names, [".users", ".users[].name"]);
/// let value = Value::from_json(r#"{"users": [{"nam": 1}]}"#).unwrap();
/// assert!(paths[0].is_in(&value));
/// assert!(!paths[1].is_in(&value));
/// # Ok::<(), jsonx_jq::ProgramError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberPath(Vec<Option<String>>);

impl MemberPath {
    /// Its last key.
    pub fn key(&self) -> &str {
        let last = self.0.last().and_then(Option::as_deref);
        last.unwrap_or_default()
    }

    /// The path with another last key.
    #[must_use]
    pub fn with_key(&self, key: &str) -> MemberPath {
        let holder = &self.0[..self.0.len().saturating_sub(1)];
        MemberPath([holder, &[Some(key.to_owned())]].concat())
    }

    /// Whether it leads through another one.
    pub fn starts_with(&self, other: &MemberPath) -> bool {
        self.0.starts_with(&other.0)
    }

    /// The path from each child of the array at a path of keys; `None` if it does not lead there.
    pub fn within(&self, array: &[String]) -> Option<MemberPath> {
        let (keys, rest) = self.0.split_at_checked(array.len() + 1)?;
        let (each, keys) = keys.split_last()?;
        let is_there = each.is_none() && keys.iter().flatten().eq(array);
        is_there.then(|| MemberPath(rest.to_vec()))
    }

    /// Whether a value has such a member, which may be null.
    pub fn is_in(&self, value: &Value) -> bool {
        let mut has = |holder: &Value| match member(holder, self.key()) {
            Some(_) => Err(()),
            None => Ok(()),
        };
        self.each_holder(value, &mut has).is_err()
    }

    /// Passes on the keys of the first object in which the member is looked for.
    pub fn each_other_key(&self, value: &Value, mut offer: impl FnMut(&str)) {
        let _ = self.each_holder(value, &mut |holder| {
            let entries = holder.entries().unwrap_or_default();
            let mut keys = entries
                .iter()
                .filter_map(|(key, _)| key.as_ref())
                .peekable();
            let has_any = keys.peek().is_some();
            keys.for_each(|key| offer(key));
            if has_any { Err(()) } else { Ok(()) }
        });
    }

    fn each_holder(
        &self,
        value: &Value,
        visit: &mut dyn FnMut(&Value) -> Result<(), ()>,
    ) -> Result<(), ()> {
        each(&self.0[..self.0.len().saturating_sub(1)], value, visit)
    }
}

/// Calls `visit` for the values at a path, until it fails. The recursion is as deep as the path of the program.
fn each(
    steps: &[Option<String>],
    value: &Value,
    visit: &mut dyn FnMut(&Value) -> Result<(), ()>,
) -> Result<(), ()> {
    match steps.split_first() {
        None => visit(value),
        Some((Some(key), rest)) => match member(value, key) {
            Some(value) => each(rest, &value, visit),
            None => Ok(()),
        },
        Some((None, rest)) => {
            let visited = value.each(|child| each(rest, &child, visit));
            visited.unwrap_or(Ok(()))
        }
    }
}

impl fmt::Display for MemberPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_word = |key: &str| {
            let is_letter = |byte: u8| byte == b'_' || byte.is_ascii_alphabetic();
            key.bytes().next().is_some_and(is_letter)
                && key
                    .bytes()
                    .all(|byte| is_letter(byte) || byte.is_ascii_digit())
        };
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Some(key) if is_word(key) => write!(f, ".{key}")?,
                Some(key) => {
                    let mut quoted = Vec::new();
                    Printer::default().push_string(key, &mut quoted);
                    write!(f, ".{}", String::from_utf8_lossy(&quoted))?;
                }
                None if at == 0 => f.write_str(".[]")?,
                None => f.write_str("[]")?,
            }
        }
        Ok(())
    }
}

/// The maximum number of steps, counting each call, of paths, and the maximum depth of calls; the analysis gives up beyond them.
const MAX_STEPS: usize = 2_000;
const MAX_PATHS: usize = 32;
const MAX_CALLS: usize = 20;

/// The possible paths of a value; a computed value has none.
type Paths = Vec<MemberPath>;

type Scope<'p> = Env<'p, Paths>;

/// The members that a program names; none if there are too many.
pub(crate) fn member_paths(program: &Compiled) -> Vec<MemberPath> {
    let mut reader = Reader {
        program,
        found: Vec::new(),
        steps: 0,
        calls: 0,
    };
    let Some(main) = &program.main else {
        return Vec::new();
    };
    let root = vec![MemberPath::default()];
    reader.results(main, &Env::default(), &root);
    let is_whole = reader.steps <= MAX_STEPS && reader.found.len() <= MAX_PATHS;
    if is_whole { reader.found } else { Vec::new() }
}

struct Reader<'p> {
    program: &'p Compiled,
    found: Vec<MemberPath>,
    steps: usize,
    /// The current depth of calls.
    calls: usize,
}

impl<'p> Reader<'p> {
    /// Evaluates expressions whose results are used for a computed value.
    fn read_each(
        &mut self,
        nodes: impl IntoIterator<Item = &'p Node>,
        env: &Scope<'p>,
        input: &Paths,
    ) -> Paths {
        for node in nodes {
            self.results(node, env, input);
        }
        Paths::new()
    }

    /// The paths of these with another step.
    fn stepped(&mut self, paths: Paths, step: Option<&str>) -> Paths {
        let longer = paths.into_iter().map(|MemberPath(mut steps)| {
            steps.push(step.map(str::to_owned));
            MemberPath(steps)
        });
        let longer: Paths = longer.collect();
        for path in longer.iter().filter(|_| step.is_some()) {
            if !self.found.contains(path) {
                self.found.push(path.clone());
            }
        }
        longer
    }

    /// The possible results of an expression.
    fn results(&mut self, node: &'p Node, env: &Scope<'p>, input: &Paths) -> Paths {
        self.steps += 1;
        if self.steps > MAX_STEPS || self.found.len() > MAX_PATHS || input.len() > MAX_PATHS {
            self.steps = MAX_STEPS + 1;
            return Paths::new();
        }
        match &node.term {
            Term::Identity => input.clone(),
            Term::Variable(distance) => env.value(*distance),
            Term::Index(target, key) => {
                let targets = self.results(target, env, input);
                match &key.term {
                    Term::Constant(Value::String(key)) if !node.is_optional => {
                        self.stepped(targets, Some(key))
                    }
                    _ => self.read_each([&**key], env, input),
                }
            }
            Term::Iterate(target) => {
                let targets = self.results(target, env, input);
                match node.is_optional {
                    true => Paths::new(),
                    false => self.stepped(targets, None),
                }
            }
            Term::Pipe(left, right) => {
                let between = self.results(left, env, input);
                self.results(right, env, &between)
            }
            Term::Comma(left, right) => {
                let left = self.results(left, env, input);
                [left, self.results(right, env, input)].concat()
            }
            Term::If(condition, ..) => self.read_each([&**condition], env, input),
            Term::Bind(source, binding, body) => {
                let source = self.results(source, env, input);
                match binding.patterns[..] {
                    [Pattern::Variable] => {
                        self.results(body, &env.with(Bound::Value(source)), input)
                    }
                    _ => Paths::new(),
                }
            }
            Term::Reduce(source, ..) | Term::Foreach(source, ..) => {
                self.read_each([&**source], env, input)
            }
            Term::Label(body) => self.results(body, &env.with(Bound::Label(0)), input),
            Term::Closure(distance) => match env.closure(*distance) {
                Some((closure, env)) => {
                    let env = env.clone();
                    self.results(closure, &env, input)
                }
                None => Paths::new(),
            },
            Term::Call(id, skip, arguments) => {
                let Some(function) = self.program.function(*id) else {
                    return Paths::new();
                };
                if self.calls > MAX_CALLS {
                    self.steps = MAX_STEPS + 1;
                    return Paths::new();
                }
                let mut inner = env.skip(*skip);
                for (parameter, argument) in function.parameters.iter().zip(arguments) {
                    inner = inner.with(match parameter {
                        Parameter::Closure => Bound::Closure(argument, env.clone()),
                        Parameter::Value => Bound::Value(self.results(argument, env, input)),
                        Parameter::Both => {
                            let value = self.results(argument, env, input);
                            Bound::Argument(value, argument, env.clone())
                        }
                    });
                }
                self.calls += 1;
                let results = self.results(&function.body, &inner, input);
                self.calls -= 1;
                results
            }
            Term::Special(special, arguments) => match (special, &arguments[..]) {
                (Special::First, [body]) => self.results(body, env, input),
                (Special::Limit | Special::Skip, [_, body]) => self.results(body, env, input),
                (Special::By(By::Min | By::Max | By::Sort | By::Group | By::Unique), [key]) => {
                    let elements = self.stepped(input.clone(), None);
                    self.read_each([key], env, &elements)
                }
                (Special::IsEmpty | Special::Add | Special::Range, arguments) => {
                    self.read_each(arguments, env, input)
                }
                _ => Paths::new(),
            },
            Term::Alternative(..)
            | Term::Try(..)
            | Term::Assign(..)
            | Term::Update(..)
            | Term::Recurse
            | Term::Constant(_)
            | Term::Format(_)
            | Term::SameKey
            | Term::Break(_) => Paths::new(),
            term @ (Term::Slice(..)
            | Term::Negate(_)
            | Term::Array(_)
            | Term::Object(_)
            | Term::String(..)
            | Term::Binary(..)
            | Term::And(..)
            | Term::Or(..)
            | Term::Native(..)) => self.read_each(term.operands(), env, input),
        }
    }
}
