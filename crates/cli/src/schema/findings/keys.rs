//! What is wrong with the keys of an object: missing, unknown, forbidden, or not as they must be.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Cause;
use jsonx_core::diagnose::{Applicability, Fix, Related, Span};
use serde_json::Value;

use super::super::instance::text;
use super::place::member;
use super::values::{count, format_name, list, listed, short};
use super::words::{Describing, Said};
use super::{known, span};
use crate::nearest::nearest;

impl Describing<'_, '_> {
    pub fn required(&self, property: &Value) -> Said {
        let object = self.place.node;
        let key = property.as_str().unwrap_or_default().to_owned();
        let whole = span(object);
        let last = object.members().last();
        let at = match &last {
            Some((_, value)) => value.span().end,
            None => whole.start + 1,
        };
        let cause = match self.keyword {
            "dependentRequired" | "dependencies" => {
                let path = self.error.schema_path().as_str();
                let trigger = path.rsplit('/').next().filter(|name| *name != self.keyword);
                let trigger = trigger.map(|name| name.replace("~1", "/").replace("~0", "~"));
                match trigger.or_else(|| self.dependent(&key)) {
                    Some(trigger) => format!(", which `{}` requires", short(&trigger)),
                    None => String::new(),
                }
            }
            _ => String::new(),
        };
        let message = format!("{} lacks the key `{}`{cause}", self.name(), short(&key));
        let mut said = Said::at(
            Span::point(at),
            message,
            format!("add {} here", Value::from(short(&key))),
        );
        let before = at - whole.start;
        let opens_elsewhere = object.raw()[..before].contains(&b'\n');
        if opens_elsewhere {
            said.related.push(Related::new(
                Span::new(whole.start, whole.start + 1),
                "in this object",
            ));
        }
        // The key may be there under another name.
        let keys: Vec<String> = object
            .members()
            .map(|(key, _)| text(key).into_owned())
            .collect();
        if let Some(near) = nearest(key.as_bytes(), keys.iter().map(String::as_bytes)) {
            let near = String::from_utf8_lossy(near);
            if near != key {
                said.help.push(format!("there is a key `{}`", short(&near)));
            }
        }
        said.required_at = self.located.and_then(|located| {
            let mut names = located.node.elements();
            names.find(|name| text(*name) == key).map(span)
        });
        said.key = Some(key);
        said
    }

    /// The key that requires another, by `dependentRequired` in the schema.
    fn dependent(&self, key: &str) -> Option<String> {
        let mut entries = self.located?.node.members();
        let found = entries.find(|(trigger, names)| {
            let is_there = self.place.node.get(&*text(*trigger)).is_some();
            is_there && names.elements().any(|name| text(name) == key)
        });
        found.map(|(trigger, _)| text(trigger).into_owned())
    }

    pub fn unknown(&self, unexpected: &[String], deep: bool) -> Vec<Said> {
        let names = match (self.context.store, self.located) {
            (Some(store), Some(located)) => known::properties(store, located, deep),
            _ => Vec::new(),
        };
        let object = self.place.node;
        let is_free = |name: &&String| object.get(name.as_str()).is_none();
        let free: Vec<&String> = names.iter().filter(is_free).collect();
        let one = |name: &String| {
            let (key, _) = member(object, name)?;
            let near = nearest(name.as_bytes(), free.iter().map(|name| name.as_bytes()));
            let near = near.map(|near| String::from_utf8_lossy(near).into_owned());
            let place = match self.place.path.is_root() {
                true => String::new(),
                false => format!(" in {}", self.name()),
            };
            let label = match &near {
                Some(near) => format!("did you mean `{}`?", short(near)),
                None => "not allowed here".to_owned(),
            };
            let message = format!("unknown key `{}`{place}", short(name));
            let mut said = Said::at(span(key), message, label);
            if let Some(near) = &near {
                said.fix = Some(Fix::replace(
                    format!("rename it to `{}`", short(near)),
                    Applicability::Review,
                    span(key),
                    Value::from(near.as_str()).to_string(),
                ));
            } else if !free.is_empty() {
                let free: Vec<String> = free
                    .iter()
                    .map(|name| format!("`{}`", short(name)))
                    .collect();
                said.help
                    .push(format!("it may have {}", list(&free, "and")));
            }
            let mut path = self.place.path.clone();
            path.push_key(name.as_bytes());
            said.path = Some(path);
            said.follows = deep && names.contains(name);
            said.key = Some(name.clone());
            said.meant = near;
            Some(said)
        };
        unexpected.iter().filter_map(one).collect()
    }

    pub fn property_name(&self, error: &ValidationError<'static>) -> Said {
        let name = error.instance().as_str().unwrap_or_default().to_owned();
        let found = member(self.place.node, &name);
        let at = found.map_or_else(|| self.mark(), |(key, _)| span(key));
        let rule = match error.kind() {
            Cause::Pattern { pattern } => format!("must match the pattern `{}`", short(pattern)),
            Cause::MaxLength { limit } => {
                format!(
                    "must have at most {}",
                    count(*limit, "character", "characters")
                )
            }
            Cause::MinLength { limit } => {
                format!(
                    "must have at least {}",
                    count(*limit, "character", "characters")
                )
            }
            Cause::Format { format } => format!("must be {}", format_name(format)),
            Cause::FalseSchema => "is not allowed".to_owned(),
            _ => {
                let values = listed(self.context, error);
                let values: Vec<String> = values.iter().map(|text| short(text)).collect();
                match values.is_empty() {
                    true => "is not allowed".to_owned(),
                    false => format!("must be {}", list(&values, "or")),
                }
            }
        };
        let values = listed(self.context, error);
        let strings: Vec<String> = values
            .iter()
            .filter_map(|text| serde_json::from_str::<String>(text).ok())
            .collect();
        let near = nearest(name.as_bytes(), strings.iter().map(String::as_bytes));
        let label = near.map_or(String::new(), |near| {
            format!("did you mean `{}`?", String::from_utf8_lossy(near))
        });
        let mut said = Said::at(at, format!("the key `{}` {rule}", short(&name)), label);
        let mut path = self.place.path.clone();
        path.push_key(name.as_bytes());
        said.path = Some(path);
        said
    }

    pub fn forbidden(&self) -> Said {
        match self.place.key {
            Some(key) => Said::at(
                span(key),
                format!("{} is not allowed", self.name()),
                "remove it",
            ),
            None => Said::at(self.mark(), format!("{} is not allowed", self.name()), ""),
        }
    }
}
