//! The paths of a document, with the types and an example of the values at each.

mod numbers;
mod schema;

use std::collections::HashMap;
use std::convert::Infallible;

use jsonx_core::Kind;
use jsonx_core::engine::{Chunk, Sink};
use jsonx_core::internal::{Token, TokenAssembler, Walk};
use jsonx_core::path::Path;
use jsonx_core::string::decode_key;
use numbers::Numbers;

/// The most paths that are told apart.
const MOST_PATHS: usize = 1 << 14;

/// The most keys of the objects at a path that are told apart. Of more, which are probably names of things, the rest is `.*`.
const MOST_KEYS: usize = 256;

/// The most steps of a path that is told apart: each is printed in all paths below it.
const MOST_STEPS: usize = 256;

/// Bytes of a key that is told apart.
const MOST_KEY: usize = 1 << 10;

/// Bytes of an example.
const EXAMPLE: usize = 64;

/// The path of values that are not counted.
const NONE: u32 = u32::MAX;

/// A sink that collects the paths of all values passed to it, in one pass. Memory depends on the number of paths, which is limited,
/// and on the depth.
///
/// ```
/// use jsonx_core::engine::{Options, Validator};
/// use jsonx_query::Shape;
///
/// let mut shape = Shape::default();
/// Validator::new(Options::default()).check(br#"[{"id": 1, "tags": ["a"]}, {"id": null}]"#, &mut shape).unwrap();
/// shape.end();
/// let paths: Vec<_> = shape.paths().into_iter().map(|path| (path.path, path.count, path.of)).collect();
/// let expected = [(".", 1, 1), (".[]", 2, 1), (".[].id", 2, 2), (".[].tags", 1, 2), (".[].tags[]", 1, 1)];
/// assert_eq!(paths, expected.map(|(path, count, of)| (path.to_owned(), count, of)));
/// ```
#[derive(Clone, Debug)]
pub struct Shape {
    /// The root, and the others after the ones above them.
    nodes: Vec<Node>,
    /// The paths of the open containers, and the number of each that is an object.
    open: Vec<(u32, Option<u64>)>,
    /// Objects so far.
    objects: u64,
    /// The path of the next value.
    next: u32,
    expects_key: bool,
    assembler: TokenAssembler,
    is_incomplete: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Step {
    Key(Box<[u8]>),
    /// The elements of an array.
    Elements,
    /// The members of an object whose keys are not told apart.
    Members,
}

#[derive(Clone, Debug, Default)]
struct Node {
    counts: [u64; KINDS.len()],
    /// The beginning of a scalar, and whether that is all of it.
    example: Option<(Box<[u8]>, bool)>,
    numbers: Option<Box<Numbers>>,
    /// The paths below, in the order in which they came first.
    steps: Vec<(Step, u32)>,
    known: HashMap<Step, u32>,
    /// Some paths below are not told apart.
    is_partial: bool,
    /// Objects with this key, and the last of them.
    members: u64,
    last_object: Option<u64>,
}

/// The values at a path.
///
/// ```
/// use jsonx_core::Kind;
/// use jsonx_core::engine::Validator;
/// use jsonx_query::Shape;
///
/// let mut shape = Shape::default();
/// Validator::default().check(br#"["a", null]"#, &mut shape).unwrap();
/// shape.end();
/// let element = &shape.paths()[1];
/// assert_eq!(element.kinds, [(Kind::String, 1), (Kind::Null, 1)]);
/// assert_eq!(element.example, Some((br#""a""#[..].into(), true)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ShapePath {
    /// As a dot path.
    pub path: String,
    /// Number of values.
    pub count: u64,
    /// Number of objects or arrays that could have one.
    pub of: u64,
    /// The values are elements, or members that are not told apart, of which a container has any number.
    pub are_elements: bool,
    /// The types, and how many values have each.
    pub kinds: Vec<(Kind, u64)>,
    /// The beginning of the first scalar that is not null, and whether that is all of it.
    pub example: Option<(Box<[u8]>, bool)>,
    /// The numbers.
    pub numbers: Option<ShapeNumbers>,
}

/// The numbers at a path.
///
/// ```
/// use jsonx_core::engine::Validator;
/// use jsonx_query::Shape;
///
/// let mut shape = Shape::default();
/// Validator::default().check(b"[1, 2.50, -1e1]", &mut shape).unwrap();
/// shape.end();
/// let numbers = shape.paths()[1].numbers.clone().unwrap();
/// assert_eq!((&*numbers.least, &*numbers.greatest), (&b"-1e1"[..], &b"2.50"[..]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeNumbers {
    /// The least.
    pub least: Box<[u8]>,
    /// The greatest.
    pub greatest: Box<[u8]>,
    /// Of doubles; `None` if one is too large to add.
    pub mean: Option<f64>,
}

const KINDS: [Kind; 6] = [
    Kind::Object,
    Kind::Array,
    Kind::String,
    Kind::Number,
    Kind::Boolean,
    Kind::Null,
];

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            nodes: vec![Node::default()],
            open: Vec::new(),
            objects: 0,
            next: 0,
            expects_key: false,
            assembler: TokenAssembler::default(),
            is_incomplete: false,
        }
    }
}

impl Shape {
    /// Ends a value at the root. Call it after the validator has finished, before the next one.
    pub fn end(&mut self) {
        let Ok(()) = Walk::end(self);
        self.open.clear();
        self.next = 0;
        self.expects_key = false;
    }

    /// Whether there are more paths than are told apart.
    pub fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// Adds the paths of later values.
    pub fn merge(&mut self, other: Shape) {
        let mut numbers = vec![NONE; other.nodes.len()];
        numbers[0] = 0;
        for (at, node) in other.nodes.into_iter().enumerate() {
            let number = numbers[at];
            for (step, below) in node.steps {
                numbers[below as usize] = self.below(number, step);
            }
            let Some(into) = self.nodes.get_mut(number as usize) else {
                continue;
            };
            for (count, more) in into.counts.iter_mut().zip(node.counts) {
                *count += more;
            }
            into.is_partial |= node.is_partial;
            into.members += node.members;
            into.example = into.example.take().or(node.example);
            match (&mut into.numbers, node.numbers) {
                (Some(numbers), Some(more)) => numbers.merge(*more),
                (numbers, more) => *numbers = numbers.take().or(more),
            }
        }
        self.is_incomplete |= other.is_incomplete;
    }

    /// All paths, each before those below it.
    pub fn paths(&self) -> Vec<ShapePath> {
        let mut paths = Vec::new();
        let mut waiting = vec![(0, String::new(), self.count(0), false)];
        while let Some((number, path, of, are_elements)) = waiting.pop() {
            let node: &Node = &self.nodes[number as usize];
            let kinds = KINDS.into_iter().zip(node.counts);
            for (step, below) in node.steps.iter().rev() {
                let of = match step {
                    Step::Elements => node.counts[1],
                    _ => node.counts[0],
                };
                let is_elements = !matches!(step, Step::Key(_));
                waiting.push((*below, path.clone() + &text(step, &path), of, is_elements));
            }
            if number > 0 && self.count(number) == 0 {
                continue;
            }
            paths.push(ShapePath {
                path: if path.is_empty() {
                    ".".to_owned()
                } else {
                    path
                },
                count: self.count(number),
                of,
                are_elements,
                kinds: kinds.filter(|&(_, count)| count > 0).collect(),
                example: node.example.clone(),
                numbers: node.numbers.as_ref().map(|numbers| {
                    let [least, greatest] = numbers.bounds().map(Box::from);
                    let mean = numbers.mean();
                    ShapeNumbers {
                        least,
                        greatest,
                        mean,
                    }
                }),
            });
        }
        paths
    }

    fn count(&self, number: u32) -> u64 {
        self.nodes[number as usize].counts.iter().sum()
    }

    /// The path of a step from another.
    fn below(&mut self, number: u32, step: Step) -> u32 {
        let next = self.nodes.len();
        let Some(node) = self.nodes.get_mut(number as usize) else {
            return NONE;
        };
        if let Some(&known) = node.known.get(&step) {
            return known;
        }
        if matches!(step, Step::Key(_)) && node.known.len() >= MOST_KEYS {
            return self.below(number, Step::Members);
        }
        if next >= MOST_PATHS || self.open.len() > MOST_STEPS {
            self.is_incomplete = true;
            node.is_partial = true;
            return NONE;
        }
        node.known.insert(step.clone(), next as u32);
        node.steps.push((step, next as u32));
        self.nodes.push(Node::default());
        next as u32
    }
}

/// A step as it is written in a dot path.
fn text(step: &Step, before: &str) -> String {
    let text = match step {
        Step::Elements => ".[]".to_owned(),
        Step::Members => return ".*".to_owned(),
        Step::Key(key) => {
            let location =
                jsonx_core::path::Location::from(vec![jsonx_core::path::Step::Key(key[..].into())]);
            Path::from(location).to_string()
        }
    };
    match text.strip_prefix('.') {
        Some(bracket) if bracket.starts_with('[') && !before.is_empty() => bracket.to_owned(),
        _ => text,
    }
}

impl Walk for Shape {
    type Error = Infallible;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.assembler
    }

    fn retains(&self, kind: u8) -> usize {
        let has_example = |node: &Node| node.example.is_some();
        match kind {
            b'"' if self.expects_key => usize::MAX,
            b'-' | b'0'..=b'9' => usize::MAX,
            _ if self.nodes.get(self.next as usize).is_none_or(has_example) => 0,
            _ => EXAMPLE,
        }
    }

    fn token(&mut self, token: Token<'_>) -> Result<(), Infallible> {
        match token.kind {
            b':' => {}
            b',' => self.expects_key = self.open.last().is_some_and(|(_, object)| object.is_some()),
            b'}' | b']' => {
                self.open.pop();
                self.expects_key = false;
                self.set_next();
            }
            b'"' if self.expects_key => {
                self.expects_key = false;
                let (around, object) = self.open.last().copied().unwrap_or((NONE, None));
                if let [b'"', raw @ .., b'"'] = token.raw() {
                    let step = if raw.len() > MOST_KEY {
                        Step::Members
                    } else {
                        Step::Key(decode_key(raw).into_owned().into())
                    };
                    self.next = self.below(around, step);
                    if let Some(node) = self.nodes.get_mut(self.next as usize)
                        && node.last_object != object
                    {
                        node.last_object = object;
                        node.members += 1;
                    }
                }
            }
            kind => {
                let is_container = matches!(kind, b'{' | b'[');
                let value = Kind::from_first(kind);
                let number = self.next;
                if let Some(node) = self.nodes.get_mut(number as usize) {
                    let at = KINDS.iter().position(|&one| one == value);
                    node.counts[at.unwrap_or(0)] += 1;
                    if !is_container && value != Kind::Null && node.example.is_none() {
                        let raw = token.raw();
                        let shown = &raw[..raw.len().min(EXAMPLE)];
                        let is_whole = token.end() - token.start() == shown.len() as u64;
                        node.example = Some((shown.into(), is_whole));
                    }
                    if value == Kind::Number {
                        match &mut node.numbers {
                            Some(numbers) => numbers.add(token.number()),
                            None => node.numbers = Some(Box::new(Numbers::new(token.number()))),
                        }
                    }
                }
                if is_container {
                    self.objects += u64::from(kind == b'{');
                    let object = (kind == b'{').then_some(self.objects);
                    self.open.push((number, object));
                    self.expects_key = kind == b'{';
                    self.set_next();
                }
            }
        }
        Ok(())
    }

    fn next(&mut self, _: &Chunk<'_>, index: usize) -> usize {
        index
    }
}

impl Shape {
    /// Sets the path of the next value, if it is an element.
    fn set_next(&mut self) {
        match self.open.last() {
            Some(&(number, None)) => {
                // An empty array has no path below it.
                let known = self.nodes.get(number as usize);
                self.next = match known.and_then(|node| node.known.get(&Step::Elements)) {
                    Some(&known) => known,
                    None => self.below(number, Step::Elements),
                };
            }
            _ => self.next = 0,
        }
    }
}

impl Sink for Shape {
    type Error = Infallible;
    type Output = Shape;

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Infallible> {
        self.walk(chunk)
    }

    fn finish(mut self) -> Result<Shape, Infallible> {
        self.end();
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use jsonx_core::engine::{Options, Validator};
    use jsonx_testing::documents::valid_text;

    fn shape<'t>(texts: impl IntoIterator<Item = &'t [u8]>, window: usize) -> Shape {
        let mut shape = Shape::default();
        for text in texts {
            let mut validator = Validator::new(Options::default());
            for part in text.chunks(window) {
                validator.write(part, &mut shape).unwrap();
            }
            validator.finish(&mut shape).unwrap();
            shape.end();
        }
        shape
    }

    proptest! {
        /// Neither windows nor parts change anything, and all values are counted.
        #[test]
        fn parts_have_the_same_paths(choices in prop::collection::vec(prop::collection::vec(any::<u32>(), 1..60), 1..5), window in 1..200usize, at in 0..5usize) {
            let texts: Vec<Vec<u8>> = choices.iter().map(|choices| valid_text(choices)).collect();
            let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
            let whole = shape(texts.iter().copied(), 1 << 20);
            let (first, rest) = texts.split_at(at.min(texts.len()));
            let mut parts = shape(first.iter().copied(), window);
            parts.merge(shape(rest.iter().copied(), window));
            prop_assert_eq!(parts.paths(), whole.paths());
            let document = jsonx_core::Document::parse(texts[0]).unwrap();
            let counted: u64 = shape([texts[0]], window).paths().iter().map(|path| path.count).sum();
            prop_assert_eq!(counted, document.query("..").unwrap().len() as u64);
        }
    }

    #[test]
    fn paths_are_limited() {
        let many = |count: usize| -> String {
            let members: Vec<String> = (0..count).map(|key| format!("\"k{key}\": 1")).collect();
            format!("{{{}}}", members.join(","))
        };
        let paths = shape([many(MOST_KEYS + 9).as_bytes()], 4096).paths();
        assert_eq!(paths.len(), MOST_KEYS + 2);
        let last = paths.last().unwrap();
        assert_eq!((&last.path[..], last.count), (".*", 9));
        assert!(last.are_elements);
        let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
        let options = Options::default().max_depth(u64::MAX);
        let shape = Validator::new(options)
            .check(deep.as_bytes(), Shape::default())
            .unwrap();
        assert!(shape.is_incomplete());
        assert_eq!(shape.paths().len(), MOST_STEPS + 1);
    }
}
