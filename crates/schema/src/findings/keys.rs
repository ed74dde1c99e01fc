//! Messages about the keys of an object: missing, unknown, forbidden or malformed.

use std::collections::HashSet;
use std::sync::Arc;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Cause;
use jsonx_core::Kind;
use jsonx_diagnose::{Applicability, Fix, Related, Span};
use serde_json::Value;

use super::context::Declared;
use super::known;
use super::place::{Located, Place};
use super::values::{count, format_name, list, list_short, listed, short};
use super::words::{Describing, FindingText, least_or_most, must_match, size_limit};
use crate::instance::text;
use crate::pointer::unescaped;

impl Describing<'_, '_> {
    pub fn required(&self, property: &Value) -> FindingText {
        let object = self.place.node;
        let key = property.as_str().unwrap_or_default().to_owned();
        let whole = Span::from(object.span());
        // After the last member.
        let inside = object.raw().strip_suffix(b"}").unwrap_or(b"{");
        let at = whole.start + inside.trim_ascii_end().len();
        let cause = match self.keyword {
            "dependentRequired" | "dependencies" => {
                let path = self.error.schema_path().as_str();
                let trigger = path.rsplit('/').next().filter(|name| *name != self.keyword);
                let trigger = trigger.map(unescaped);
                match trigger.or_else(|| self.dependent(&key)) {
                    Some(trigger) => format!(", which `{}` requires", short(&trigger)),
                    None => String::new(),
                }
            }
            _ => String::new(),
        };
        let message = format!("{} lacks the key `{}`{cause}", self.name(), short(&key));
        let mut wording = FindingText::at(
            Span::point(at),
            message,
            format!("add {} here", Value::from(short(&key))),
        );
        let before = at - whole.start;
        let opens_elsewhere = object.raw()[..before].contains(&b'\n');
        if opens_elsewhere {
            wording.related.push(Related::new(
                Span::new(whole.start, whole.start + 1),
                "in this object",
            ));
        }
        // The key may be mistyped in the object.
        let declared = self.declared(true);
        let keys = object.members().map(|(key, _)| text(key));
        let keys = keys.filter(|key| !declared.names.contains(key));
        let near = self.context.nearest(&key, keys);
        // Only one key is matched with the patterns.
        if let Some(near) = near.filter(|near| !declared.contains(near)) {
            wording
                .help
                .push(format!("there is a key `{}`", short(&near)));
        }
        wording.required_at = self.located.and_then(|located| {
            let known = &self.context.known.places;
            let places = known.get(&located.uri, || {
                let names = located.node.elements();
                names
                    .map(|name| (text(name).into_owned(), Span::from(name.span())))
                    .collect()
            });
            places.get(&key).copied()
        });
        wording.key = Some(key);
        wording
    }

    /// The key that requires another by `dependentRequired`.
    fn dependent(&self, key: &str) -> Option<String> {
        let mut entries = self.located?.node.members();
        let found = entries.find(|(trigger, names)| {
            let is_there = self.place.node.get(&*text(*trigger)).is_some();
            is_there && names.elements().any(|name| text(name) == key)
        });
        found.map(|(trigger, _)| text(trigger).into_owned())
    }

    /// The keys that the schema declares; with `deep`, also those of its in-place subschemas.
    fn declared(&self, deep: bool) -> Arc<Declared> {
        self.located.map_or_else(Arc::default, |located| {
            let names = &self.context.known.names;
            names.get(&located.uri, || {
                known::declared(self.context, located, deep)
            })
        })
    }

    pub fn unknown(&self, unexpected: &[String], deep: bool) -> Vec<FindingText> {
        let declared = self.declared(deep);
        let names = &declared.names;
        let object = self.place.node;
        let member = |name: &String| self.context.children.member(object, name);
        let free = || names.texts.iter().filter(|name| member(name).is_none());
        let taken: HashSet<_> = object.members().map(|(key, _)| text(key)).collect();
        let taken = taken.iter().filter(|key| names.contains(key)).count();
        let number = names.texts.len() - taken;
        // The validator does not say why a value does not match `unevaluatedProperties`.
        let is_schema = |located: &Located| deep && matches!(located.node.kind(), Kind::Object);
        let is_schema = self.located.is_some_and(is_schema);
        let one = |name: &String| {
            let mut path = self.place.path.clone();
            path.push_key(name.as_bytes());
            let Some((key, node)) = member(name) else {
                return self.forbidden();
            };
            if is_schema {
                let place = Place {
                    key: Some(key),
                    node,
                    path,
                };
                let place = &place;
                let rule = "must match the schema of `unevaluatedProperties`".to_owned();
                let mut wording = Describing { place, ..*self }.value(rule, "");
                wording.path = Some(place.path.clone());
                wording.follows = declared.contains(name);
                return wording;
            }
            let near = self.context.nearest(name, free());
            let place = if self.place.path.is_root() {
                String::new()
            } else {
                format!(" in {}", self.name())
            };
            let label = match &near {
                Some(near) => format!("did you mean `{}`?", short(near)),
                None => "not allowed here".to_owned(),
            };
            let message = format!("unknown key `{}`{place}", short(name));
            let mut wording = FindingText::at(Span::from(key.span()), message, label);
            if let Some(near) = &near {
                wording.fix = Some(Fix::replace(
                    format!("rename it to `{}`", short(near)),
                    Applicability::Review,
                    Span::from(key.span()),
                    Value::from(near.as_str()).to_string(),
                ));
            } else if number > 0 {
                let free = free().map(|name| format!("`{}`", short(name)));
                let free = list(number, free, "and");
                wording.help.push(format!("it may have {free}"));
            }
            wording.path = Some(path);
            wording.follows = deep && declared.contains(name);
            wording.key = Some(name.clone());
            wording.meant = near;
            wording
        };
        unexpected.iter().map(one).collect()
    }

    pub fn property_name(&self, error: &ValidationError<'static>) -> FindingText {
        let name = error.instance().as_str().unwrap_or_default().to_owned();
        let found = self.context.children.member(self.place.node, &name);
        let at = found.map_or_else(|| self.mark(), |(key, _)| Span::from(key.span()));
        let values = listed(self.context, error);
        let rule = match error.kind() {
            Cause::Pattern { pattern } => must_match(pattern),
            Cause::Custom { keyword, message } if keyword == "pattern" => must_match(message),
            Cause::Format { format } => format!("must be {}", format_name(format)),
            Cause::FalseSchema => "is not allowed".to_owned(),
            cause => match size_limit(cause) {
                Some((is_least, limit, (one, many))) => {
                    least_or_most(is_least, count(limit, one, many))
                }
                None if values.texts.is_empty() => "is not allowed".to_owned(),
                None => format!("must be {}", list_short(&values.texts, "or")),
            },
        };
        let near = self.context.nearest(&name, &values.names);
        let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
        let mut wording = FindingText::at(at, format!("the key `{}` {rule}", short(&name)), label);
        let mut path = self.place.path.clone();
        path.push_key(name.as_bytes());
        wording.path = Some(path);
        wording
    }

    pub fn forbidden(&self) -> FindingText {
        match self.place.key {
            Some(key) => FindingText::at(
                Span::from(key.span()),
                format!("{} is not allowed", self.name()),
                "remove it",
            ),
            None => FindingText::at(self.mark(), format!("{} is not allowed", self.name()), ""),
        }
    }
}
