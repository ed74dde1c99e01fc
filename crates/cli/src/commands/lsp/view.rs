//! A value of a document in a form that can be traversed: the value of a line for JSON Lines, the translation for JSON5.

use std::borrow::Cow;
use std::ops::Range;

use jsonx_core::engine::{Locator, Options, Place, Stop, Validator};
use jsonx_core::{Document, Kind, Node};
use jsonx_diagnose::Applicability;
use jsonx_diagnose::json5::Translation;
use jsonx_diagnose::repair::{Repair, RepairOptions, repair};
use memchr::{memchr, memrchr};

use crate::check::{CheckOptions, InputKind};
use crate::input::BYTE_ORDER_MARK;

/// The longest text that is repaired to be traversed.
const LONGEST: usize = 1 << 20;

/// Bytes that are searched at a time.
const CHUNK: usize = 64 << 10;

/// The text of a value.
pub struct View<'t> {
    text: Cow<'t, [u8]>,
    /// Offset in the document.
    base: usize,
    source: ViewSource,
    pub options: Options,
}

/// What the text was made from.
enum ViewSource {
    /// The document has this text.
    Same,
    Json5(Translation),
    Broken(Box<Repair>),
}

impl<'t> View<'t> {
    /// The value at an offset.
    pub fn at(text: &'t [u8], kind: InputKind, check: &CheckOptions, offset: usize) -> View<'t> {
        if kind != InputKind::Jsonl {
            return View::new(text, 0..text.len(), kind, check);
        }
        let at = offset.min(text.len());
        let start = memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
        let end = memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end);
        View::new(text, start..end, kind, check)
    }

    /// All values, up to a limit.
    pub fn all(
        text: &'t [u8],
        kind: InputKind,
        check: &CheckOptions,
        most: usize,
    ) -> Vec<View<'t>> {
        if kind != InputKind::Jsonl {
            return vec![View::at(text, kind, check, 0)];
        }
        let mut views = Vec::new();
        let mut start = 0;
        while start < text.len() && views.len() < most {
            let end = memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
            if !text[start..end].trim_ascii().is_empty() {
                views.push(View::new(text, start..end, kind, check));
            }
            start = end + 1;
        }
        views
    }

    fn new(text: &'t [u8], range: Range<usize>, kind: InputKind, check: &CheckOptions) -> View<'t> {
        let mut base = range.start;
        let mut text = &text[range];
        if let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
            (base, text) = (base + BYTE_ORDER_MARK.len(), rest);
        }
        let source = match kind {
            InputKind::Json5 => ViewSource::Json5(Translation::new(text.to_vec())),
            _ => ViewSource::Same,
        };
        View {
            text: match &source {
                ViewSource::Json5(translation) => Cow::Owned(translation.text().to_vec()),
                _ => Cow::Borrowed(text),
            },
            base,
            source,
            options: check.engine(match kind {
                InputKind::Jsonl | InputKind::Stream => InputKind::Json,
                other => other,
            }),
        }
    }

    /// The text to which offsets of [`View::document`] refer.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The value, if it is valid.
    pub fn document(&self) -> Option<Document<'_>> {
        Document::index(&self.text, self.options).ok()
    }

    /// An invalid text, as it is while somebody types, repaired as by `fix --all`; `None` if it is valid or long.
    pub fn repaired(&self) -> Option<View<'static>> {
        let text = match &self.source {
            ViewSource::Json5(translation) => translation.source(),
            _ => &*self.text,
        };
        if text.len() > LONGEST || self.document().is_some() {
            return None;
        }
        let options = RepairOptions::default()
            .with(Applicability::Review)
            .dialect(self.options.dialect)
            .max_input(2 * LONGEST);
        let repair = repair(text, &options);
        Some(View {
            text: Cow::Owned(repair.text.clone()),
            base: self.base,
            source: ViewSource::Broken(Box::new(repair)),
            options: self.options,
        })
    }

    /// The place at an offset of the text, which may be invalid after it.
    pub fn locate(&self, at: usize) -> Option<Place> {
        let text = self.text();
        let mut locator = Locator::new(at as u64);
        let mut validator = Validator::new(self.options);
        let mut chunks = text.chunks(CHUNK);
        let error = loop {
            let checked = match chunks.next() {
                _ if locator.is_done() => break None,
                Some(chunk) => validator.write(chunk, &mut locator),
                None => break validator.finish(&mut locator).err(),
            };
            if let Err(error) = checked {
                break Some(error);
            }
        };
        let place = locator.finish();
        let Some(Stop::Invalid(error)) = error.filter(|_| place.is_none()) else {
            return place;
        };
        // Values are only known if the whole block is valid, so retry without the rest.
        let valid = text.get(..usize::try_from(error.offset).ok()?)?;
        let mut locator = Locator::new(at as u64);
        let _ = Validator::new(self.options).check(valid, &mut locator);
        locator.finish()
    }

    /// A span as one in the document.
    pub fn span(&self, span: Range<usize>) -> Range<usize> {
        let span = match &self.source {
            ViewSource::Same => span,
            ViewSource::Json5(translation) => translation.in_source(span),
            ViewSource::Broken(repair) => repair.in_source(span),
        };
        self.base + span.start..self.base + span.end
    }

    /// An offset in the document as one in the text.
    pub fn offset(&self, offset: usize) -> usize {
        let offset = offset.saturating_sub(self.base);
        match &self.source {
            ViewSource::Json5(translation) => {
                translation.in_text(offset.min(translation.source().len()))
            }
            ViewSource::Same | ViewSource::Broken(_) => offset.min(self.text.len()),
        }
    }
}

/// A value, its key if it is a member, and its ancestors, outermost first.
pub fn path_to<'d, 't>(
    document: &'d Document<'t>,
    at: usize,
) -> Vec<(Option<Node<'d, 't>>, Node<'d, 't>)> {
    let mut node = document.root();
    let mut path = vec![(None, node)];
    let holds = |span: Range<usize>| span.start <= at && at <= span.end;
    loop {
        let member = node
            .members()
            .take_while(|(key, _)| key.span().start <= at)
            .filter(|(key, value)| holds(key.span().start..value.span().end))
            .last();
        let found = match member {
            Some((key, value)) => Some((Some(key), value)),
            None => {
                let elements = node.elements().take_while(|value| value.span().start <= at);
                let found = elements.filter(|value| holds(value.span())).last();
                found.map(|value| (None, value))
            }
        };
        match found {
            Some((key, value)) => {
                path.push((key, value));
                node = value;
            }
            None => return path,
        }
    }
}

/// The children of a value, with their keys.
pub fn children<'d, 't>(
    node: Node<'d, 't>,
) -> impl Iterator<Item = (Option<Node<'d, 't>>, Node<'d, 't>)> {
    let members = node.members().map(|(key, value)| (Some(key), value));
    members.chain(node.elements().map(|value| (None, value)))
}

/// All values below a value, and itself, with their keys.
pub fn each_below<'d, 't>(
    root: Node<'d, 't>,
) -> impl Iterator<Item = (Option<Node<'d, 't>>, Node<'d, 't>)> {
    let mut open = vec![(None, root)];
    std::iter::from_fn(move || {
        let (key, node) = open.pop()?;
        open.extend(children(node));
        Some((key, node))
    })
}

/// Whether a value is an array or an object.
pub fn is_container(node: Node<'_, '_>) -> bool {
    matches!(node.kind(), Kind::Array | Kind::Object)
}
