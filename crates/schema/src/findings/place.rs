//! Resolves the paths of an error to values in the instance and the schema.

use jsonschema::ValidationError;
use jsonx_core::path::Location;
use jsonx_core::{Kind, Node};
use jsonx_diagnose::{MAX_PATH_STEPS, Span};

use super::context::{Context, Resource};
use crate::convert::name_pattern;
use crate::instance;
use crate::pointer::tokens;
use crate::resources::Resources;
use crate::store::{SchemaText, decoded, without_fragment};

/// A value of an instance.
pub struct Place<'a> {
    /// Its key, if it is in an object.
    pub key: Option<Node<'a, 'a>>,
    /// The value.
    pub node: Node<'a, 'a>,
    /// Its path.
    pub path: Location,
}

impl<'a> Place<'a> {
    /// The value of an error.
    pub fn new(context: &Context<'a>, error: &ValidationError<'_>) -> Place<'a> {
        Place::at(context, error.instance_path().as_str())
    }

    /// The value at a JSON Pointer.
    pub fn at(context: &Context<'a>, pointer: &str) -> Place<'a> {
        let mut place = Place {
            key: None,
            node: context.root,
            path: Location::default(),
        };
        // `Location::segments` would drop empty keys, and read the key `01` as an index.
        for name in tokens(pointer) {
            let is_shown = place.path.steps().len() < MAX_PATH_STEPS;
            if !is_shown {
                place.path.truncate();
            }
            if place.node.kind() == Kind::Array {
                let index = name.parse().unwrap_or_default();
                let Some(node) = context.children.element(place.node, index) else {
                    break;
                };
                (place.key, place.node) = (None, node);
                if is_shown {
                    place.path.push_index(index as u64);
                }
            } else {
                let Some((key, node)) = context.children.member(place.node, &name) else {
                    break;
                };
                (place.key, place.node) = (Some(key), node);
                if is_shown {
                    place.path.push_key(name.as_bytes());
                }
            }
        }
        place
    }
}

/// A keyword in a schema file.
pub struct Located {
    /// The file.
    pub text: &'static SchemaText,
    /// The keyword itself.
    pub key: Option<Node<'static, 'static>>,
    /// Its value.
    pub node: Node<'static, 'static>,
    /// The schema that has the keyword.
    pub parent: Option<Node<'static, 'static>>,
    /// Its location as a URL.
    pub uri: String,
}

impl Located {
    /// The span to mark: the keyword with a short value, or the keyword alone.
    pub fn span(&self) -> Span {
        const LONGEST: usize = 60;
        let value = self.node.span();
        match &self.key {
            None => Span::new(value.start, value.start + 1),
            Some(key) => {
                let key = key.span();
                let is_short = value.end - key.start <= LONGEST
                    && !matches!(self.node.kind(), Kind::Array | Kind::Object);
                Span::new(key.start, if is_short { value.end } else { key.end })
            }
        }
    }
}

/// The keyword of an error.
pub fn locate(context: &Context<'_>, error: &ValidationError<'_>) -> Option<Located> {
    context.store?;
    locate_at(context, error.absolute_keyword_location()?.as_str())
}

/// The value at a URL in a schema file.
pub fn locate_at(context: &Context<'_>, uri: &str) -> Option<Located> {
    let fragment = uri.split_once('#').map_or("", |(_, fragment)| fragment);
    let known = context.known;
    let url = without_fragment(uri);
    let (text, root) = (*known.resources.get(url, || resource(context, url)))?;
    let mut located = Located {
        text,
        key: None,
        node: root,
        parent: None,
        uri: uri.to_owned(),
    };
    if fragment.is_empty() {
        return Some(located);
    }
    let pointer = decoded(fragment);
    if !pointer.starts_with('/') {
        return None;
    }
    for name in tokens(&pointer) {
        // Below some keywords, the validator reports places that are not in the schema.
        let next = match located.node.kind() {
            Kind::Array => name
                .parse::<usize>()
                .ok()
                .and_then(|index| Some((None, known.children.element(located.node, index)?))),
            _ => {
                let is_pattern = located
                    .key
                    .is_some_and(|key| key.is_str("patternProperties"));
                let member = known.children.member(located.node, &name).or_else(|| {
                    let mut members = located.node.members().filter(|_| is_pattern);
                    members.find(|(key, _)| name_pattern(instance::text(*key).into_owned()) == name)
                });
                member.map(|(key, node)| (Some(key), node))
            }
        };
        let Some((key, node)) = next else {
            break;
        };
        located.parent = Some(located.node);
        (located.key, located.node) = (key, node);
    }
    Some(located)
}

/// The schema with this URL.
fn resource(context: &Context<'_>, uri: &str) -> Option<Resource> {
    let store = context.store?;
    // Other schemas of the run may have the same `$id`.
    let own = &context.known.texts;
    if let Some(text) = own.iter().find(|text| text.uri == uri) {
        return Some((text, text.document.root()));
    }
    let mut own = own.iter().copied();
    let own = own.find_map(|text| Some((text, Resources::of_text(text).resource(uri)?)));
    own.or_else(|| store.known(uri).map(|text| (text, text.document.root())))
}
