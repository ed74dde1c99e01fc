//! Checks one value.

use std::io;
use std::path::Path;

use jsonx_core::document::Documents;
use jsonx_core::engine::{Mode, Options, Validator};
use jsonx_core::{Document, Node};
use jsonx_diagnose::lint::Linter;
use jsonx_diagnose::{Code, Diagnostic, Lints};

use crate::authoring::{self, mistakes};
use crate::compile::Schema;
use crate::findings::{self, Context};
use crate::instance::{View, ViewOptions};
use crate::keywords::Keyword;
use crate::limits;
use crate::refused::{Budget, Refused};
use crate::store::{Fetch, Fetched, Settings, Store};
use crate::{DOCUMENT, InstanceOptions, Unusable, Verdict};

/// Maximum number of errors collected for a value.
const MOST: usize = 5000;

/// Maximum length in bytes of a value whose annotations are collected: they take much more memory than a verdict.
const MAX_ANNOTATED: usize = 1 << 20;

impl Schema {
    /// Validates a document; `repeats` tells whether objects may have duplicate keys, if known.
    pub fn check(&self, document: &Document<'_>, asked: &InstanceOptions) -> Verdict {
        let text = document.text();
        let may_repeat = asked
            .repeats
            .unwrap_or_else(|| has_duplicates(text, asked.options));
        let node = document.root();
        let options = ViewOptions {
            may_repeat,
            names: &self.names,
        };
        let view = View::new(node, &options);
        let budget = self.budget();
        let verdict = |findings, limited| Verdict {
            findings,
            limited,
            ..Verdict::default()
        };
        let steps = budget.steps(text.len());
        let is_valid = limits::run(steps, || self.validator.is_valid(view));
        let (exceeded, is_known) = match is_valid {
            Ok(true) => return verdict(self.deprecated(node, view, asked), false),
            Ok(false) => {
                let found = limits::run(budget.of_errors().steps(text.len()), || {
                    let mut context =
                        Context::new(Some(&self.store), &self.known, node, asked.whole);
                    context.without_effect = Some(authoring::without_effect);
                    let errors = self.validator.iter_errors(view).take(MOST);
                    findings::diagnostics(&context, errors.collect())
                });
                match found {
                    Ok(findings) => return verdict(findings, false),
                    Err(exceeded) => (exceeded, true),
                }
            }
            Err(exceeded) => (exceeded, false),
        };
        let refused = Refused {
            exceeded,
            steps,
            is_known,
            whole: asked.whole,
            view,
        };
        verdict(vec![refused.finding(self)], true)
    }

    /// The findings for the deprecated values of a valid instance.
    fn deprecated(
        &self,
        node: Node<'_, '_>,
        view: View<'_>,
        asked: &InstanceOptions,
    ) -> Vec<Diagnostic> {
        let length = node.raw().len();
        if !self.deprecates || length > MAX_ANNOTATED {
            return Vec::new();
        }
        let evaluated = limits::run(self.budget().of_errors().steps(length), || {
            let context = Context::new(Some(&self.store), &self.known, node, asked.whole);
            findings::deprecated(&context, &self.validator.evaluate(view))
        });
        evaluated.unwrap_or_default()
    }

    /// The offsets of the values of a stream that are invalid or whose check was ended by a limit.
    pub fn mismatches(&self, values: &Documents<&[u8]>, asked: &InstanceOptions) -> Vec<usize> {
        let options = asked.options.mode(Mode::Stream);
        let may_repeat = asked
            .repeats
            .unwrap_or_else(|| has_duplicates(values.text(), options));
        let options = ViewOptions {
            may_repeat,
            names: &self.names,
        };
        let budget = self.budget();
        let matches = |root: &Node<'_, '_>| {
            let view = View::new(*root, &options);
            let steps = budget.steps(root.raw().len());
            limits::run(steps, || self.validator.is_valid(view)) == Ok(true)
                && self.deprecated(*root, view, asked).is_empty()
        };
        let others = values.roots().filter(|root| !matches(root));
        others.map(|root| root.span().start).collect()
    }

    fn budget(&self) -> Budget {
        Budget::new(self.store.settings.max_steps)
    }
}

/// Examples refer to no files.
pub struct NoFiles;

impl Fetch for NoFiles {
    fn fetch(&self, _: &Path, _: u64) -> io::Result<Fetched> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// The findings in the invalid value of a keyword's example, or in its schema.
pub fn example(keyword: &Keyword) -> Vec<Diagnostic> {
    let settings = Settings {
        asserts_formats: true,
        ..Settings::default()
    };
    let store = Store::new(settings, NoFiles);
    let text = store.add("example.schema.json", keyword.schema.as_bytes());
    let schema = text.and_then(|text| Ok((text, Schema::of_text(&store, text, None)?)));
    let schema = match schema {
        Ok((text, _)) if keyword.wrong.is_empty() => return mistakes(&store, &text.document, None),
        Ok((_, schema)) => schema,
        Err(Unusable::Wrong { findings, .. }) => return findings,
        Err(_) => return Vec::new(),
    };
    let Ok(document) = Document::parse(keyword.wrong.as_bytes()) else {
        return Vec::new();
    };
    let asked = InstanceOptions {
        options: Options::default(),
        repeats: None,
        whole: DOCUMENT,
    };
    schema.check(&document, &asked).findings
}

/// Whether an object of a valid text has duplicate keys.
fn has_duplicates(text: &[u8], options: Options) -> bool {
    let mut linter = Linter::new(Lints::NONE.with(Code::DuplicateKey, true), 1);
    let checked = Validator::new(options).check(text, &mut linter);
    let linted = linter.finish();
    checked.is_err() || linted.count > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keywords::KEYWORDS;

    #[test]
    fn every_example_violates_only_its_rule() {
        for keyword in KEYWORDS.iter().filter(|it| it.name != "limit") {
            let codes: Vec<&str> = example(keyword)
                .iter()
                .map(|finding| finding.code.as_str())
                .collect();
            assert_eq!(codes, [keyword.code], "the example of {}", keyword.code);
            let right = match keyword.wrong {
                "" => Keyword {
                    schema: keyword.right,
                    wrong: "1",
                    ..*keyword
                },
                _ => Keyword {
                    wrong: keyword.right,
                    ..*keyword
                },
            };
            assert!(example(&right).is_empty(), "{}", keyword.right);
        }
    }

    /// The path and the message of each finding.
    fn found_in(schema: &'static str, instance: &'static str) -> Vec<String> {
        let keyword = Keyword {
            schema,
            wrong: instance,
            ..KEYWORDS[0]
        };
        let findings = example(&keyword);
        let texts = findings
            .iter()
            .map(|finding| format!("{} {}", finding.path, finding.message));
        texts.collect()
    }

    #[test]
    fn keys_like_indices_are_keys() {
        for key in ["", "01234", "+5", "00", "7", "-1"] {
            let schema =
                r#"{"additionalProperties": {"additionalProperties": {"type": "string"}}}"#;
            let instance = format!(r#"{{"{key}": {{"{key}": 1, "x": ""}}, "8": {{}}}}"#).leak();
            let found = found_in(schema, instance);
            let name = if key.is_empty() { "\"\"" } else { key };
            assert!(
                found[0].ends_with(&format!("`{name}` must be a string, but is 1")),
                "{found:?}"
            );
            assert_eq!(found.len(), 1);
            let schema = r#"{"additionalProperties": {"properties": {"n": true}, "additionalProperties": false}}"#;
            assert_eq!(found_in(schema, instance).len(), 2, "{key}");
        }
    }

    #[test]
    fn an_empty_reference_leads_to_the_schema_around_it() {
        let schema = r#"{"type": ["array", "integer"], "items": {"$ref": ""}}"#;
        assert_eq!(found_in(schema, r#"[[1, ["x"]]]"#).len(), 1);
        assert!(found_in(schema, "[[1, [2]]]").is_empty());
    }

    #[test]
    fn values_that_are_not_evaluated_are_not_called_unknown() {
        let schema =
            r#"{"properties": {"name": true}, "unevaluatedProperties": {"type": "string"}}"#;
        assert_eq!(
            found_in(schema, r#"{"nam": 1, "k": "s"}"#),
            [".nam `nam` must match the schema of `unevaluatedProperties`, but is 1"]
        );
        let schema = r#"{"prefixItems": [true], "unevaluatedItems": {"type": "string"}}"#;
        assert_eq!(
            found_in(schema, r#"[1, "a", 2]"#),
            [". the document has elements that do not match the schema of `unevaluatedItems`"]
        );
    }
}
