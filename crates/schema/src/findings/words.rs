//! Messages in terms of the instance.

use jsonschema::error::ValidationErrorKind as Cause;
use jsonschema::{JsonType, ValidationError};
use jsonx_core::path::{Location, Step};
use jsonx_core::{Kind, Node};
use jsonx_diagnose::{Applicability, Fix, Related, Span};
use serde_json::Value;

use super::bad_patterns::no_pattern;
use super::context::Leaf;
use super::context::Listed;
use super::formats::{character, excerpt, offending};
use super::place::{Located, Place, locate};
use super::values::{
    LONGEST, count, format_name, is_written, list, list_short, listed, name, short, shown,
    shown_value, type_name, types,
};
use super::{Context, LINEAR, keyword_of};
use crate::instance::text;

/// An error with its context.
pub struct Describing<'d, 'a> {
    pub context: &'d Context<'a>,
    pub error: &'d ValidationError<'d>,
    pub keyword: &'static str,
    pub place: &'d Place<'a>,
    pub located: Option<&'d Located>,
    pub union: Option<&'d Listed>,
}

/// The message for one place.
#[derive(Default)]
pub struct FindingText {
    pub span: Span,
    pub message: String,
    pub label: String,
    pub related: Vec<Related>,
    pub help: Vec<String>,
    pub fix: Option<Fix>,
    /// The path, if it is not that of the instance.
    pub path: Option<Location>,
    /// The place in the schema, if it is not the keyword.
    pub required_at: Option<Span>,
    pub key: Option<String>,
    pub meant: Option<String>,
    pub follows: bool,
}

impl FindingText {
    pub fn at(span: Span, message: String, label: impl Into<String>) -> FindingText {
        FindingText {
            span,
            message,
            label: label.into(),
            ..FindingText::default()
        }
    }
}

/// The message of an error without alternatives.
pub fn sentence(context: &Context<'_>, leaf: &Leaf<'_>) -> String {
    let place = Place::new(context, leaf.error);
    let located = locate(context, leaf.error);
    let describing = Describing {
        context,
        error: leaf.error,
        keyword: keyword_of(leaf.error),
        place: &place,
        located: located.as_ref(),
        union: leaf.union.as_deref(),
    };
    let mut all = describing.all();
    if all.is_empty() {
        "does not match".to_owned()
    } else {
        all.swap_remove(0).message
    }
}

impl<'a> Describing<'_, 'a> {
    /// All messages about the error, one for each place.
    pub fn all(&self) -> Vec<FindingText> {
        if let Some(union) = self.union {
            let mut wording = self.value(format!("must be {}", list_short(&union.texts, "or")), "");
            self.suggest(&mut wording, union);
            return vec![wording];
        }
        match self.error.kind() {
            Cause::Required { property } => vec![self.required(property)],
            Cause::AdditionalProperties { unexpected } => self.unknown(unexpected, false),
            Cause::UnevaluatedProperties { unexpected } => self.unknown(unexpected, true),
            Cause::PropertyNames { error } => vec![self.property_name(error)],
            Cause::UniqueItems => vec![self.repeated()],
            Cause::FalseSchema if self.keyword != "false" => self.extra_element(),
            Cause::FalseSchema => vec![self.forbidden()],
            Cause::AdditionalItems { limit } => vec![self.too_long(*limit)],
            Cause::UnevaluatedItems { .. } => vec![self.unevaluated_items()],
            _ => vec![self.other()],
        }
    }

    pub fn name(&self) -> String {
        name(&self.place.path, self.context.whole)
    }

    /// The message for a rule about the value itself, which is quoted.
    pub(super) fn value(&self, rule: String, label: impl Into<String>) -> FindingText {
        let node = self.place.node;
        let but = match node.kind() {
            Kind::Array | Kind::Object if rule.contains(shown(node).as_str()) => String::new(),
            _ => format!(", but is {}", shown(node)),
        };
        FindingText::at(self.mark(), format!("{} {rule}{but}", self.name()), label)
    }

    /// The message for a limit of the size of the value.
    pub(super) fn size(&self, is_least: bool, limit: u64, one: &str, many: &str) -> FindingText {
        let node = self.place.node;
        let name = self.name();
        if is_least && limit == 1 && node.kind() != Kind::Object {
            return FindingText::at(self.mark(), format!("{name} must not be empty"), "");
        }
        let size = match node.kind() {
            Kind::String => text(node).chars().count().to_string(),
            _ if node.is_empty() => "none".to_owned(),
            _ => node.len().to_string(),
        };
        // The validator rounds limits to 64 bits.
        let limited = match self.located.filter(|_| limit == u64::MAX) {
            Some(located) => format!("{} {many}", String::from_utf8_lossy(located.node.raw())),
            None => count(limit, one, many),
        };
        let rule = least_or_most(is_least, limited);
        let message = format!("{name} {rule}, but has {size}");
        FindingText::at(self.mark(), message, "")
    }

    /// The span of the value, or of its opening bracket if it spans several lines.
    pub fn mark(&self) -> Span {
        let whole = Span::from(self.place.node.span());
        let is_long = self.place.node.raw().contains(&b'\n') || whole.end - whole.start > 80;
        match self.place.node.kind() {
            Kind::Array | Kind::Object if is_long => Span::new(whole.start, whole.start + 1),
            _ => whole,
        }
    }

    /// The value of the keyword, as written in the schema.
    fn limit(&self, value: &Value) -> String {
        match self.located {
            Some(located) => short(&String::from_utf8_lossy(located.node.raw())),
            None => shown_value(value),
        }
    }

    fn other(&self) -> FindingText {
        if let Some((is_least, limit, (one, many))) = size_limit(self.error.kind()) {
            let wording = self.size(is_least, limit, one, many);
            return match self.error.kind() {
                Cause::MaxItems { .. } => self.first_extra(wording, limit),
                _ => wording,
            };
        }
        match self.error.kind() {
            Cause::Type { kind } => self.wrong_type(&types(kind)),
            Cause::Constant { .. } | Cause::Enum { .. } => self.not_listed(),
            Cause::Custom { keyword, message } => match keyword.as_str() {
                "const" | "enum" => self.not_listed(),
                "pattern" => self.value(must_match(message), ""),
                numeric => {
                    let limit = self.limit(&Value::Null);
                    self.value(self.bound(numeric, &limit), "")
                }
            },
            Cause::Maximum { limit }
            | Cause::Minimum { limit }
            | Cause::ExclusiveMaximum { limit }
            | Cause::ExclusiveMinimum { limit } => {
                let limit = self.limit(limit);
                self.value(self.bound(self.error.kind().keyword(), &limit), "")
            }
            Cause::MultipleOf { multiple_of } => {
                let limit = self.limit(&Value::from(*multiple_of));
                self.value(self.bound("multipleOf", &limit), "")
            }
            Cause::Pattern { pattern } => self.value(must_match(pattern), ""),
            Cause::BacktrackLimitExceeded { .. } | Cause::RegexEngineFailure { .. } => {
                let mut wording = FindingText::at(
                    self.mark(),
                    format!(
                        "{} cannot be matched: the pattern needs too many steps",
                        self.name()
                    ),
                    "",
                );
                wording.help.push(LINEAR.to_owned());
                wording
            }
            Cause::Format { format } => self.format(format),
            Cause::ContentEncoding { content_encoding } => self.value(
                format!("must be encoded in {}", short(content_encoding)),
                "",
            ),
            Cause::ContentMediaType { content_media_type } => {
                self.value(format!("must hold {}", short(content_media_type)), "")
            }
            Cause::Contains => self.contains(),
            Cause::Not { .. } => self.not(),
            Cause::OneOfMultipleValid { context } => {
                let fitting = || (1..=context.len()).filter(|at| context[at - 1].is_empty());
                let fitting = match fitting().count() {
                    0 | 1 => "several".to_owned(),
                    many => {
                        let numbers = fitting().map(|number| number.to_string());
                        format!("numbers {}", list(many, numbers, "and"))
                    }
                };
                FindingText::at(
                    self.mark(),
                    format!(
                        "{} must match exactly one alternative of `oneOf`, but matches {fitting}",
                        self.name()
                    ),
                    "",
                )
            }
            Cause::AnyOf { .. } | Cause::OneOfNotValid { .. } => FindingText::at(
                self.mark(),
                format!(
                    "{} matches no alternative of `{}`",
                    self.name(),
                    self.keyword
                ),
                "",
            ),
            _ => {
                let message = format!("{}: {}", self.name(), self.error);
                FindingText::at(self.mark(), message, "")
            }
        }
    }

    /// The message for a text with the wrong format; the caret marks the first character that is not allowed, if any.
    fn format(&self, format: &str) -> FindingText {
        let node = self.place.node;
        let rule = format!("must be {}", format_name(format));
        let content = text(node);
        let Some((at, c)) = offending(format, &content) else {
            let label = match format {
                "regex" => no_pattern(&content, node).1,
                _ => String::new(),
            };
            return self.value(rule, label);
        };
        let quoted = if content.chars().count() > LONGEST {
            format!("\"{}\"", excerpt(&content, at))
        } else {
            shown(node)
        };
        let mark = self.mark_inside(at, c.len_utf8());
        let message = format!(
            "{} {rule}, but has {} in {quoted}",
            self.name(),
            character(c)
        );
        FindingText::at(mark, message, "not allowed here")
    }

    /// The span of some bytes of a string.
    fn mark_inside(&self, at: usize, length: usize) -> Span {
        let node = self.place.node;
        if node.raw().contains(&b'\\') {
            self.mark()
        } else {
            let start = Span::from(node.span()).start + 1 + at;
            Span::new(start, start + length)
        }
    }

    fn bound(&self, keyword: &str, limit: &str) -> String {
        let sibling = |name: &str| {
            let parent = self.located.and_then(|located| located.parent);
            parent.is_some_and(|parent| parent.get(name).and_then(Node::as_bool) == Some(true))
        };
        match keyword {
            "maximum" if !sibling("exclusiveMaximum") => format!("must be at most {limit}"),
            "minimum" if !sibling("exclusiveMinimum") => format!("must be at least {limit}"),
            "maximum" | "exclusiveMaximum" => format!("must be less than {limit}"),
            "minimum" | "exclusiveMinimum" => format!("must be greater than {limit}"),
            _ => format!("must be a multiple of {limit}"),
        }
    }

    fn wrong_type(&self, wanted: &[JsonType]) -> FindingText {
        let node = self.place.node;
        let names = wanted.iter().map(|&one| type_name(one).to_owned());
        let what = match node.kind() {
            Kind::String => format!("the string {}", shown(node)),
            _ => shown(node),
        };
        let rule = format!(
            "{} must be {}, but is {what}",
            self.name(),
            list(wanted.len(), names, "or")
        );
        let mut wording = FindingText::at(self.mark(), rule, "");
        let fix = |label: &str, text: String| {
            let fix = Fix::replace(label, Applicability::Review, Span::from(node.span()), text);
            (label.to_owned(), Some(fix))
        };
        let raw = String::from_utf8_lossy(node.raw());
        let is_quoted = |content: &str| wanted.iter().any(|&kind| is_written(content, kind));
        if node.kind() == Kind::String && is_quoted(&text(node)) {
            (wording.label, wording.fix) = fix("remove the quotes", text(node).into_owned());
        } else if wanted.contains(&JsonType::String)
            && matches!(node.kind(), Kind::Number | Kind::Boolean)
        {
            (wording.label, wording.fix) = fix("put it in quotes", format!("\"{raw}\""));
        } else if wanted.contains(&JsonType::Array)
            && self.may_be_element(node.kind())
            && node.raw().len() <= LONGEST
        {
            (wording.label, wording.fix) = fix("put it in an array", format!("[{raw}]"));
        }
        wording.help.extend(self.of_other_draft());
        if node.kind() == Kind::Boolean
            && let Some(name) = self.required_name()
        {
            wording.help.push(match node.as_bool() {
                Some(true) => format!(
                    "since draft 4, the schema of the object lists the keys that it must have: `\"required\": [{name}]`"
                ),
                _ => "since draft 4, keys not listed in `required` are optional: remove this".to_owned(),
            });
        }
        wording
    }

    /// Whether a value of this kind may be an element of the array that it should be.
    fn may_be_element(&self, kind: Kind) -> bool {
        let schema = self.located.and_then(|located| located.parent);
        let items = schema.and_then(|schema| schema.get("items")?.get("type"));
        let is_kind = |wanted: Node<'_, '_>| {
            matches!(
                (text(wanted).as_ref(), kind),
                ("string", Kind::String)
                    | ("boolean", Kind::Boolean)
                    | ("number" | "integer", Kind::Number)
            )
        };
        match items {
            Some(one) if one.kind() == Kind::String => is_kind(one),
            Some(several) => several.elements().any(is_kind),
            // Their text is not available. `enum` and `examples` allow any value, all others names.
            None if self.is_of_meta_schema() => {
                let any = matches!(self.place.path.steps().last(), Some(Step::Key(key)) if matches!(&key[..], b"enum" | b"examples"));
                kind == Kind::String || any
            }
            None => matches!(kind, Kind::String | Kind::Boolean | Kind::Number),
        }
    }

    /// The help for a keyword in the form that it has in other drafts.
    fn of_other_draft(&self) -> Option<String> {
        if !self.is_of_meta_schema() {
            return None;
        }
        let Step::Key(name) = self.place.path.steps().last()? else {
            return None;
        };
        let names_draft = self.context.root.get("$schema").is_some();
        Some(match (&name[..], self.place.node.kind()) {
            (b"exclusiveMinimum" | b"exclusiveMaximum", Kind::Boolean) if names_draft => {
                "since draft 6, this is the limit itself, in place of `minimum` or `maximum`".to_owned()
            }
            (b"exclusiveMinimum" | b"exclusiveMaximum", Kind::Boolean) => {
                "in draft 4, this is true or false: `--draft 4` or a `$schema` selects that draft".to_owned()
            }
            (b"items", Kind::Array) if names_draft => {
                "since draft 2020-12, the schemas of the first elements are in `prefixItems`".to_owned()
            }
            (b"items", Kind::Array) => {
                "before draft 2020-12, this may be a list: `--draft 2019-09` or a `$schema` selects such a draft".to_owned()
            }
            _ => return None,
        })
    }

    /// Whether the instance is a schema.
    fn is_of_meta_schema(&self) -> bool {
        let uri = self.error.absolute_keyword_location();
        uri.is_some_and(|uri| uri.as_str().contains("://json-schema.org/"))
    }

    /// The key that a schema of draft 3 requires by `"required": true`, in quotes; `…` for a schema that is not of a key.
    fn required_name(&self) -> Option<String> {
        let [before @ .., Step::Key(required)] = self.place.path.steps() else {
            return None;
        };
        if !self.is_of_meta_schema() || required[..] != *b"required" {
            return None;
        }
        Some(match before {
            [.., Step::Key(properties), Step::Key(name)] if properties[..] == *b"properties" => {
                serde_json::to_string(&String::from_utf8_lossy(name)).ok()?
            }
            _ => "…".to_owned(),
        })
    }

    fn not_listed(&self) -> FindingText {
        let values = listed(self.context, self.error);
        if let Some(wording) = self.differs_late(&values) {
            return wording;
        }
        let rule = if values.texts.is_empty() {
            "must be one of the listed values".to_owned()
        } else {
            format!("must be {}", list_short(&values.texts, "or"))
        };
        let mut wording = self.value(rule, "");
        self.suggest(&mut wording, &values);
        wording
    }

    /// Quotes two long strings around their first difference, if that would be cut off otherwise.
    fn differs_late(&self, values: &Listed) -> Option<FindingText> {
        let node = self.place.node;
        let is_long = node.kind() == Kind::String && node.raw().len() >= LONGEST;
        let content = is_long.then(|| text(node))?;
        let common = |other: &String| {
            let both = content.char_indices().zip(other.chars());
            let mut same = both.take_while(|((_, one), other)| one == other);
            same.by_ref()
                .last()
                .map_or(0, |((at, c), _)| at + c.len_utf8())
        };
        let starts_alike =
            |other: &&String| other.starts_with(content.chars().next().unwrap_or('"'));
        let near = values.names.iter().filter(starts_alike);
        let (at, near) = near
            .map(|other| (common(other), other))
            .max_by_key(|(at, _)| *at)?;
        if content[..at].chars().count() + 2 < LONGEST {
            return None;
        }
        let others = match values.texts.len() - 1 {
            0 => String::new(),
            others => format!(
                " or {}",
                count(others as u64, "other value", "other values")
            ),
        };
        let quoted = |text: &str| format!("\"{}\"", excerpt(text, at));
        let message = format!(
            "{} must be {}{others}, but is {}",
            self.name(),
            quoted(near),
            quoted(&content)
        );
        let length = content[at..].chars().next().map_or(1, char::len_utf8);
        let label = if at == content.len() {
            "more is missing here"
        } else {
            "differs from here"
        };
        let mut wording = FindingText::at(self.mark_inside(at, length), message, label);
        wording.fix = Some(self.replacement(near));
        Some(wording)
    }

    fn replacement(&self, value: &str) -> Fix {
        let json = Value::from(value).to_string();
        let title = format!("write {}", short(&json));
        Fix::replace(
            title,
            Applicability::Review,
            self.place.node.span().into(),
            json,
        )
    }

    /// The nearest of several values, given as JSON.
    fn suggest(&self, wording: &mut FindingText, values: &Listed) {
        let node = self.place.node;
        if node.kind() == Kind::String
            && values.texts.len() > 1
            && let Some(near) = self.context.nearest(&text(node), &values.names)
        {
            let json = Value::from(near.as_str()).to_string();
            wording.label = format!("did you mean {}?", short(&json));
            wording.fix = Some(self.replacement(&near));
        }
    }

    fn not(&self) -> FindingText {
        let schema = self.located.map(|located| located.node);
        let keyword = |name: &str| schema.and_then(|schema| schema.get(name));
        let is_alone = schema.is_some_and(|schema| schema.len() == 1);
        let raw = |node: Node<'_, '_>| short(&String::from_utf8_lossy(&node.minified()));
        let rule = if let Some(value) = keyword("const").filter(|_| is_alone) {
            format!("must not be {}", raw(value))
        } else if let Some(values) = keyword("enum").filter(|_| is_alone) {
            let listed = list(values.len(), values.elements().map(raw), "or");
            format!("must not be {listed}")
        } else if let Some(kind) = keyword("type").and_then(Node::as_str).filter(|_| is_alone) {
            let kind = kind.parse::<JsonType>();
            kind.map_or("must not be of this type".to_owned(), |kind| {
                format!("must not be {}", type_name(kind))
            })
        } else if let Some(names) = keyword("required").filter(|_| is_alone) {
            let shown = names
                .elements()
                .map(|name| format!("`{}`", short(&text(name))));
            let shown = list(names.len(), shown, "and");
            match names.len() {
                1 => format!("must not have the key {shown}"),
                _ => format!("must not have all of the keys {shown}"),
            }
        } else if let Some(pattern) = keyword("pattern")
            .and_then(Node::as_str)
            .filter(|_| is_alone)
        {
            format!("must not match the pattern `{}`", short(&pattern))
        } else {
            "must not match the schema in `not`".to_owned()
        };
        FindingText::at(self.mark(), format!("{} {rule}", self.name()), "")
    }
}

/// A pattern in words.
pub fn must_match(pattern: &str) -> String {
    format!("must match the pattern `{}`", short(pattern))
}

/// A limit of a size in words.
pub fn least_or_most(is_least: bool, limit: String) -> String {
    let bound = if is_least { "least" } else { "most" };
    format!("must have at {bound} {limit}")
}

/// A limit of a size: whether it is a minimum, its number, and the unit in singular and plural.
pub fn size_limit(cause: &Cause) -> Option<(bool, u64, (&'static str, &'static str))> {
    const CHARACTERS: (&str, &str) = ("character", "characters");
    const ELEMENTS: (&str, &str) = ("element", "elements");
    const KEYS: (&str, &str) = ("key", "keys");
    Some(match *cause {
        Cause::MinLength { limit } => (true, limit, CHARACTERS),
        Cause::MaxLength { limit } => (false, limit, CHARACTERS),
        Cause::MinItems { limit } => (true, limit, ELEMENTS),
        Cause::MaxItems { limit } => (false, limit, ELEMENTS),
        Cause::MinProperties { limit } => (true, limit, KEYS),
        Cause::MaxProperties { limit } => (false, limit, KEYS),
        _ => return None,
    })
}

/// The span of a value, or of its opening bracket if it spans several lines.
pub(super) fn short_span(node: Node<'_, '_>) -> Span {
    let whole = Span::from(node.span());
    if whole.end - whole.start > 60 || node.raw().contains(&b'\n') {
        Span::new(whole.start, whole.start + 1)
    } else {
        whole
    }
}
