//! Edits a text to hold a new value, keeping every other byte.
//!
//! ```text
//! text ──► reduce: names for unchanged and for moved values ──► moves with their comments
//!      ──► arrange: keys renamed in place, new members in front of their successors, reordered ones swapped; elements moved
//!      ──► diff by value ──► JSON Patch ──► Editor ──► values for names ──► the new text
//! ```

mod reduce;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::ops::Range;

use jsonx_core::diff::{DiffOptions, diff};
use jsonx_core::edit::Action;
use jsonx_core::engine::Options;
use jsonx_core::jsonc::{self, Dialect};
use jsonx_core::patch::Patch;
use jsonx_core::path::Notation;
use jsonx_core::string::{self, lone_surrogates};
use jsonx_core::{Document, Kind, Node, SyntaxError};

use self::reduce::{Move, Step, child, child_node, reduce};
use crate::value::{Layout, Lazy, Printer, Value};

/// The reason why a text cannot be edited.
#[derive(Debug)]
pub enum RewriteError {
    /// The text is not JSON.
    Syntax(SyntaxError),
    /// The members of an object change their order, but there are comments between them. The offset is that of the object.
    CommentsBetween(usize),
    /// Several keys of an object have lone surrogates, and are one key for the program. The offset is that of the first.
    KeysAreOne(usize),
    /// A comment blocks an edit, or too many nested containers are reordered.
    Edit(String),
}

impl fmt::Display for RewriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RewriteError::Syntax(error) => write!(f, "{:?}", error.kind),
            RewriteError::CommentsBetween(_) => f.write_str(
                "the program changes the order of members that have comments between them, which would stay where they are",
            ),
            RewriteError::KeysAreOne(_) => f.write_str(
                "the program reads several keys as one, because they have lone surrogates",
            ),
            RewriteError::Edit(reason) => f.write_str(reason),
        }
    }
}

impl From<SyntaxError> for RewriteError {
    fn from(error: SyntaxError) -> Self {
        RewriteError::Syntax(error)
    }
}

/// A text with a new value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// The text.
    pub text: Vec<u8>,
    /// The comments that were removed with values.
    pub dropped_comments: Vec<String>,
}

/// Each level of nested containers with reordered children takes a pass.
const MAX_PASSES: usize = 100;

/// Edits the text of a value to hold another one: equal values keep their bytes, comments and white space. The text is the range
/// `around` the old value of its source, which may begin and end with comments.
///
/// # Errors
///
/// Comments block an edit, or the program sees several keys as one.
///
/// ```
/// use std::rc::Rc;
///
/// use jsonx_core::engine::Options;
/// use jsonx_core::jsonc::Dialect;
/// use jsonx_jq::{IndexedText, TextBytes, Value, rewrite};
///
/// let text = b"{ \"a\": 1.0,\n  \"b\": [1,2] }".to_vec();
/// let whole = 0..text.len();
/// let source = Rc::new(IndexedText::new(TextBytes::Owned(text), Options::default()).unwrap());
/// let Some(Value::Lazy(old)) = source.values().next() else { unreachable!() };
/// let value = Value::from_json(r#"{"a": 1, "c": [1, 2, 3]}"#).unwrap();
/// let new = rewrite(&old, whole, Dialect::Json, &value).unwrap();
/// assert_eq!(new.text, b"{ \"a\": 1.0,\n  \"c\": [1,2,3] }");
/// ```
pub fn rewrite(
    old: &Lazy,
    around: Range<usize>,
    dialect: Dialect,
    new: &Value,
) -> Result<Rewritten, RewriteError> {
    let source = old.source().text();
    if matches!(new, Value::Lazy(new) if new.is_same(old)) {
        return Ok(Rewritten {
            text: source[around].to_vec(),
            dropped_comments: Vec::new(),
        });
    }
    let reduced = reduce(old, around.clone(), new)?;
    let mut dropped_comments = Vec::new();
    let text = if reduced.is_wrapped {
        let value = Value::from_json(&reduced.value).map_err(RewriteError::Edit)?;
        let mut text = source[around.start..old.span().start].to_vec();
        let printer = Printer {
            layout: layout_of(old.raw()),
            ..Printer::default()
        };
        printer.push(&value, &mut text);
        text.extend_from_slice(&source[old.span().end..around.end]);
        text
    } else {
        let moved = moves(old, new, &reduced.moves).and_then(|patch| {
            let mut dropped = Vec::new();
            let moved = patched(&reduced.text, dialect, patch.as_bytes(), &mut dropped).ok()?;
            dropped_comments = dropped;
            Some(moved)
        });
        let text = moved.as_deref().unwrap_or(&reduced.text);
        edited(text, dialect, &reduced.value, &mut dropped_comments)?
    };
    Ok(Rewritten {
        text: reduced.expanded(&text, source),
        dropped_comments,
    })
}

/// The layout of a container around a value: lines, indented as those of the value, if it has several.
fn layout_of(raw: &[u8]) -> Layout {
    let Some(line) = memchr::memchr(b'\n', raw).map(|end| &raw[end + 1..]) else {
        return Layout::Compact;
    };
    match line.iter().take_while(|byte| **byte == b' ').count() {
        0 if line.starts_with(b"\t") => Layout::Tabs,
        0 => Layout::Spaces(2),
        spaces => Layout::Spaces(spaces.min(8) as u8),
    }
}

/// A JSON Patch that moves values, and adds the objects to which they move.
fn moves(old: &Lazy, new: &Value, moves: &[Move]) -> Option<String> {
    let mut operations = Vec::new();
    let mut added = HashSet::new();
    for Move { from, to } in moves {
        let (_, parents) = to.split_last()?;
        let mut node = Some(old.node());
        let mut value = new.clone();
        let mut missing = Vec::new();
        let is_possible = (0..=parents.len()).all(|depth| {
            if depth > 0 {
                let step = &parents[depth - 1];
                node = node.and_then(|node| child_node(node, step));
                value = child(&value, step).unwrap_or_default();
            }
            match node {
                Some(node) if node.kind() == Kind::Array => value.children() == node.len(),
                Some(node) => node.kind() == Kind::Object,
                None => {
                    missing.push(pointer(&parents[..depth]));
                    value.type_name() == "object"
                }
            }
        });
        if is_possible {
            for path in missing {
                if added.insert(path.clone()) {
                    let path = Value::from(path);
                    operations.push(format!(r#"{{"op":"add","path":{path},"value":{{}}}}"#));
                }
            }
            let [from, path] = [from, to].map(|path| Value::from(pointer(path)));
            operations.push(format!(r#"{{"op":"move","from":{from},"path":{path}}}"#));
        }
    }
    (!operations.is_empty()).then(|| format!("[{}]", operations.join(",")))
}

/// A path as a JSON Pointer.
fn pointer(path: &[Step]) -> String {
    let step = |step: &Step| match step {
        Step::Key(key) => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
        Step::Index(at) => format!("/{at}"),
    };
    path.iter().map(step).collect()
}

/// The text with another value, given as JSON.
fn edited(
    text: &[u8],
    dialect: Dialect,
    value: &str,
    dropped: &mut Vec<String>,
) -> Result<Vec<u8>, RewriteError> {
    let new = Document::index(value.as_bytes(), Options::default())?;
    let text = arranged(text, dialect, &new, dropped)?;
    let plain = blanked(&text, dialect)?;
    let before = Document::index(&plain, Options::default())?;
    let patch = diff(&before, &new, &DiffOptions::default()).to_patch();
    let text = patched(&text, dialect, &patch, dropped)?;
    // Elements of arrays may only now be aligned with those of the new value.
    Ok(arranged(&text, dialect, &new, dropped)?.into_owned())
}

/// Applies a JSON Patch, and adds the comments that it removes to `dropped`.
fn patched(
    text: &[u8],
    dialect: Dialect,
    patch: &[u8],
    dropped: &mut Vec<String>,
) -> Result<Vec<u8>, RewriteError> {
    let patch = Document::index(patch, Options::default())?;
    let patch = Patch::parse(&patch).map_err(|error| RewriteError::Edit(error.to_string()))?;
    let document = Document::index(text, Options::default().dialect(dialect))?;
    let editor = patch.apply(&document);
    let editor = editor.map_err(|failure| RewriteError::Edit(failure.kind.to_string()))?;
    dropped.extend_from_slice(editor.dropped_comments());
    Ok(editor.finish())
}

/// The text with the members of its objects and the elements of its arrays in the order of the new value.
fn arranged<'t>(
    text: &'t [u8],
    dialect: Dialect,
    new: &Document<'_>,
    dropped: &mut Vec<String>,
) -> Result<Cow<'t, [u8]>, RewriteError> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..MAX_PASSES {
        let plain = blanked(&text, dialect)?;
        let document = Document::index(&plain, Options::default())?;
        let found = arrange(&text, &document, new)?;
        let arranged = if !found.swaps.is_empty() {
            apply(&text, found.swaps)
        } else if !found.moves.is_empty() {
            let patch = format!("[{}]", found.moves.join(","));
            patched(&text, dialect, patch.as_bytes(), dropped)?
        } else if !found.changes.is_empty() {
            let commented = Document::index(&text, Options::default().dialect(dialect))?;
            let mut editor = commented.edit();
            let changes = found.changes.iter().map(|(span, change)| {
                let change = match change {
                    Change::Rename(key) => Action::Set(key),
                    Change::Insert(key) => Action::InsertMember {
                        key: key.as_bytes(),
                        value: b"null",
                    },
                };
                (span.clone(), change)
            });
            let made = editor.change(changes);
            made.map_err(|error| RewriteError::Edit(error.to_string()))?;
            editor.finish()
        } else {
            return Ok(text);
        };
        text = Cow::Owned(arranged);
    }
    Err(RewriteError::Edit(format!(
        "the program changes the order of containers within one another on more than {MAX_PASSES} levels"
    )))
}

/// The text as the program reads it, with the same offsets: spaces in place of comments, U+FFFD in place of lone surrogates. Those
/// of keys stay, so that paths lead to them.
fn blanked(text: &[u8], dialect: Dialect) -> Result<Cow<'_, [u8]>, SyntaxError> {
    let mut plain = Cow::Borrowed(text);
    if dialect.allows_comments() {
        jsonc::blank(plain.to_mut(), dialect)?;
    }
    let surrogates: Vec<_> = lone_surrogates(&plain).collect();
    for span in surrogates {
        let end = string::end(&plain, span.end)?;
        if plain[end + 1..].trim_ascii_start().starts_with(b":") {
            continue;
        }
        plain.to_mut()[span].copy_from_slice(b"\\uFFFD");
    }
    Ok(plain)
}

type Splice = (Range<usize>, Vec<u8>);

/// The edits that reorder members and elements.
#[derive(Default)]
struct Arrangement<'n> {
    swaps: Vec<Splice>,
    /// Operations of a JSON Patch, which moves elements with their comments.
    moves: Vec<String>,
    /// Changes of keys, and of members at the spans of their values.
    changes: Vec<(Range<usize>, Change<'n>)>,
}

enum Change<'n> {
    /// Replaces a key by this text.
    Rename(&'n [u8]),
    /// Inserts a member with this key and the value `null` before another one.
    Insert(Cow<'n, str>),
}

/// Applies replacements that do not overlap; those at the same offset in their order.
fn apply(text: &[u8], mut splices: Vec<Splice>) -> Vec<u8> {
    splices.sort_by_key(|(span, _)| span.start);
    let mut new = Vec::with_capacity(text.len());
    let mut at = 0;
    for (span, replacement) in splices {
        new.extend_from_slice(&text[at..span.start]);
        new.extend_from_slice(&replacement);
        at = span.end;
    }
    new.extend_from_slice(&text[at..]);
    new
}

/// A member of an object.
struct Member<'d> {
    name: Cow<'d, str>,
    key: Node<'d, 'd>,
    value: Node<'d, 'd>,
}

fn members<'d>(object: Node<'d, 'd>) -> Vec<Member<'d>> {
    let members = object.members();
    let member = |(key, value): (Node<'d, 'd>, Node<'d, 'd>)| Member {
        name: key.as_str().unwrap_or_default(),
        key,
        value,
    };
    members.map(member).collect()
}

/// The edits that give the members of objects the keys and the order of the new value, and the elements of arrays its order. New
/// members are `null`.
/// `document` is the text without comments.
fn arrange<'n>(
    text: &[u8],
    document: &Document<'_>,
    new: &'n Document<'_>,
) -> Result<Arrangement<'n>, RewriteError> {
    let mut found = Arrangement::default();
    let mut pending = vec![(document.root(), new.root())];
    while let Some((old, new)) = pending.pop() {
        match (old.kind(), new.kind()) {
            (Kind::Array, Kind::Array) => {
                let (from, olds, news) = different(old, new);
                let moves = move_elements(old, from, &olds, &news);
                if moves.is_empty() && old.len() == new.len() {
                    pending.extend(olds.into_iter().zip(news));
                }
                found.moves.extend(moves);
            }
            (Kind::Object, Kind::Object) => {
                let (olds, news) = (members(old), members(new));
                let places: HashMap<&str, usize> = news
                    .iter()
                    .enumerate()
                    .map(|(at, member)| (&*member.name, at))
                    .collect();
                let known: HashMap<&str, usize> = olds
                    .iter()
                    .enumerate()
                    .map(|(at, member)| (&*member.name, at))
                    .collect();
                if known.len() < olds.len() {
                    // Objects with duplicate keys are not reordered.
                    continue;
                }
                let common: Vec<usize> = (0..olds.len())
                    .filter(|at| places.contains_key(&*olds[*at].name))
                    .collect();
                let place = |at: &usize| places[&*olds[*at].name];
                if !common.is_sorted_by_key(place) {
                    swap(
                        text,
                        document.text(),
                        &olds,
                        &common,
                        place,
                        old,
                        &mut found.swaps,
                    )?;
                    continue;
                }
                align(
                    (&olds, &news),
                    (&known, &places),
                    &mut found.changes,
                    &mut pending,
                );
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Swaps members.
fn swap(
    text: &[u8],
    plain: &[u8],
    members: &[Member<'_>],
    common: &[usize],
    place: impl Fn(&usize) -> usize,
    object: Node<'_, '_>,
    splices: &mut Vec<Splice>,
) -> Result<(), RewriteError> {
    let span = |at: usize| members[at].key.span().start..members[at].value.span().end;
    let (first, last) = (span(0).start, span(members.len() - 1).end);
    let has_comments = members.windows(2).any(|pair| {
        let gap = pair[0].value.span().end..pair[1].key.span().start;
        text[gap.clone()] != plain[gap]
    });
    let line_end = memchr::memchr(b'\n', &text[last..]).map_or(text.len(), |at| last + at);
    if has_comments
        || text[first..line_end].len() != plain[first..line_end].len()
        || text[last..line_end] != plain[last..line_end]
    {
        return Err(RewriteError::CommentsBetween(object.span().start));
    }
    let mut wanted = common.to_vec();
    wanted.sort_by_key(place);
    for (slot, member) in common.iter().zip(wanted) {
        if *slot != member {
            splices.push((span(*slot), text[span(member)].to_vec()));
        }
    }
    Ok(())
}

/// The elements of two arrays without the equal ones at both ends, and the index of the first.
fn different<'d, 'n>(
    old: Node<'d, 'd>,
    new: Node<'n, 'n>,
) -> (usize, Vec<Node<'d, 'd>>, Vec<Node<'n, 'n>>) {
    let is_equal = |old: Node<'_, '_>, new: Node<'_, '_>| {
        let new = new.minified();
        old.minified() == new || printed(old).is_some_and(|old| old.as_bytes() == &*new)
    };
    let mut olds: Vec<_> = old.elements().collect();
    let mut news: Vec<_> = new.elements().collect();
    while let (Some(&old), Some(&new)) = (olds.last(), news.last())
        && is_equal(old, new)
    {
        olds.pop();
        news.pop();
    }
    let pairs = olds.iter().zip(&news);
    let from = pairs.take_while(|&(&old, &new)| is_equal(old, new)).count();
    olds.drain(..from);
    news.drain(..from);
    (from, olds, news)
}

/// A value as programs print it; none of `true`, `false` and `null`.
fn printed(value: Node<'_, '_>) -> Option<String> {
    match value.kind() {
        Kind::Boolean | Kind::Null => None,
        _ => Some(Value::from_json(&value.to_string()).ok()?.to_string()),
    }
}

/// The operations that bring the elements of an array from an index on into the order of the equal ones of the new array. `true`,
/// `false` and `null` stay: they have changed more probably than moved.
fn move_elements(
    array: Node<'_, '_>,
    first: usize,
    olds: &[Node<'_, '_>],
    news: &[Node<'_, '_>],
) -> Vec<String> {
    if olds.len() < 2 || news.len() < 2 {
        return Vec::new();
    }
    // Of equal elements, the first one comes first.
    let mut equal: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (place, &element) in news.iter().enumerate() {
        if let Some(printed) = printed(element) {
            equal.entry(printed).or_default().push_back(place);
        }
    }
    let place = |&element| equal.get_mut(&printed(element)?)?.pop_front();
    let places: Vec<Option<usize>> = olds.iter().map(place).collect();
    let mut common: Vec<usize> = (0..places.len())
        .filter(|at| places[*at].is_some())
        .collect();
    if common.is_sorted_by_key(|at| places[*at]) {
        return Vec::new();
    }
    common.sort_by_key(|at| places[*at]);
    let mut common = common.into_iter();
    let wanted = places.iter().enumerate().map(|(at, place)| match place {
        Some(_) => common.next().unwrap_or(at),
        None => at,
    });
    let array = array.path().display(Notation::Pointer).to_string();
    let mut order: Vec<usize> = (0..places.len()).collect();
    let mut moves = Vec::new();
    for (to, element) in wanted.enumerate() {
        let from = to
            + order[to..]
                .iter()
                .position(|it| *it == element)
                .unwrap_or(0);
        if from > to {
            order[to..=from].rotate_right(1);
            let [from, to] = [from, to].map(|at| Value::from(format!("{array}/{}", first + at)));
            moves.push(format!(r#"{{"op":"move","from":{from},"path":{to}}}"#));
        }
    }
    moves
}

/// Renames keys and adds members, if the common ones are in order.
fn align<'d, 'n>(
    (olds, news): (&[Member<'d>], &[Member<'n>]),
    (known, places): (&HashMap<&str, usize>, &HashMap<&str, usize>),
    changes: &mut Vec<(Range<usize>, Change<'n>)>,
    pending: &mut Vec<(Node<'d, 'd>, Node<'n, 'n>)>,
) {
    let (mut old, mut new) = (0, 0);
    while new < news.len() && old < olds.len() {
        let (was, is) = (&olds[old], &news[new]);
        if was.name == is.name {
            pending.push((was.value, is.value));
            (old, new) = (old + 1, new + 1);
            continue;
        }
        let (is_removed, is_added) = (
            !places.contains_key(&*was.name),
            !known.contains_key(&*is.name),
        );
        // A removed key and an added one at the same position, with the same value or between the same neighbors.
        let next_to_same = match (olds.get(old + 1), news.get(new + 1)) {
            (None, None) => true,
            (Some(was), Some(is)) => {
                was.name == is.name
                    || !places.contains_key(&*was.name) && !known.contains_key(&*is.name)
            }
            _ => false,
        };
        let is_renamed =
            is_removed && is_added && (next_to_same || was.value.minified() == is.value.minified());
        if is_renamed {
            changes.push((was.key.span(), Change::Rename(is.key.raw())));
            pending.push((was.value, is.value));
            (old, new) = (old + 1, new + 1);
        } else if is_removed {
            old += 1;
        } else {
            // `is` is new, since the common members are in order.
            changes.push((was.value.span(), Change::Insert(is.name.clone())));
            new += 1;
        }
    }
}
