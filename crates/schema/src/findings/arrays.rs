//! Messages about the elements of arrays.

use jsonx_core::Kind;
use jsonx_core::path::Step;
use jsonx_diagnose::Related;

use super::place::Located;
use super::values::{count, name};
use super::words::{Describing, FindingText, short_span};

impl Describing<'_, '_> {
    pub(super) fn repeated(&self) -> FindingText {
        let mut seen = std::collections::HashMap::new();
        for (number, element) in self.place.node.elements().enumerate() {
            if let Some((first, node)) = seen.insert(element.canonical(), (number, element)) {
                let message = format!(
                    "{} must not have equal elements, but [{first}] and [{number}] are",
                    self.name()
                );
                let mut wording = FindingText::at(short_span(element), message, "again here");
                wording
                    .related
                    .push(Related::new(short_span(node), "first here"));
                let mut path = self.place.path.clone();
                path.push_index(number as u64);
                wording.path = Some(path);
                return wording;
            }
        }
        FindingText::at(
            self.mark(),
            format!("{} must not have equal elements", self.name()),
            "",
        )
    }

    pub(super) fn too_long(&self, limit: usize) -> FindingText {
        let wording = self.size(false, limit as u64, "element", "elements");
        self.first_extra(wording, limit as u64)
    }

    /// The message for too many matching elements, at the first of them.
    pub(super) fn extra_element(&self) -> Vec<FindingText> {
        let mut path = self.place.path.clone();
        let Some(Step::Index(index)) = path.pop() else {
            return vec![self.forbidden()];
        };
        let schema = self.located.and_then(|located| located.parent);
        let described = schema.and_then(|schema| {
            let prefix = schema.get("prefixItems").or_else(|| schema.get("items"))?;
            Some(prefix.len() as u64)
        });
        if described.unwrap_or_default() != index {
            return Vec::new();
        }
        let message = match index {
            0 => format!("{} must be empty", name(&path, self.context.whole)),
            _ => format!(
                "{} must have at most {}",
                name(&path, self.context.whole),
                count(index, "element", "elements")
            ),
        };
        let label = "the first one too many";
        vec![FindingText::at(short_span(self.place.node), message, label)]
    }

    /// Marks the first excess element.
    pub(super) fn first_extra(&self, mut wording: FindingText, limit: u64) -> FindingText {
        let extra = usize::try_from(limit).ok();
        if let Some(extra) =
            extra.and_then(|limit| self.context.children.element(self.place.node, limit))
        {
            wording.span = short_span(extra);
            wording.label = "the first one too many".to_owned();
        }
        wording
    }

    pub(super) fn unevaluated_items(&self) -> FindingText {
        let schema = self.located.and_then(|located| located.parent);
        let prefix = schema.and_then(|schema| Some(schema.get("prefixItems")?.len()));
        let is_schema = |located: &Located| located.node.kind() == Kind::Object;
        let is_schema = self.located.is_some_and(is_schema);
        let which = if is_schema {
            "do not match the schema of `unevaluatedItems`"
        } else {
            "are not allowed"
        };
        let message = format!("{} has elements that {which}", self.name());
        let wording = FindingText::at(self.mark(), message, "");
        match prefix {
            Some(length) if !is_schema => self.first_extra(wording, length as u64),
            _ => wording,
        }
    }

    pub(super) fn contains(&self) -> FindingText {
        let number = |name: &str| {
            let schema = self.located.and_then(|located| located.parent)?;
            schema.get(name)?.as_u64()
        };
        let what = "elements that match `contains`";
        let rule = match self.keyword {
            "maxContains" => match number("maxContains") {
                Some(1) => "must have at most 1 element that matches `contains`".to_owned(),
                Some(most) => format!("must have at most {most} {what}"),
                None => format!("has too many {what}"),
            },
            // Before draft 2019-09, `minContains` has no effect.
            keyword => match number("minContains").filter(|_| keyword == "minContains") {
                Some(least) if least != 1 => format!("must have at least {least} {what}"),
                _ => "must have an element that matches `contains`, but has none".to_owned(),
            },
        };
        FindingText::at(self.mark(), format!("{} {rule}", self.name()), "")
    }
}
