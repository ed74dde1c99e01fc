//! Checks one value.

use std::io;
use std::path::Path;

use jsonx_core::Document;
use jsonx_core::diagnose::{Code, Diagnostic, Lints, Span};
use jsonx_core::engine::{Options, Validator};
use jsonx_core::lint::Linter;

use crate::authoring::mistakes;
use crate::compile::Schema;
use crate::findings::{self, Context};
use crate::instance::{View, ViewOptions};
use crate::keywords::Keyword;
use crate::limits::{self, Exceeded, Steps};
use crate::store::{Fetch, Fetched, Settings, Store};
use crate::{DOCUMENT, InstanceOptions, Unusable, Verdict};

/// Errors of one value that are collected: more are of no use to anybody.
const MOST: usize = 5000;

/// Steps for any value, and for each byte of it: of the verdict, and of the search for all errors, where a step may allocate
/// one. A million steps take a tenth of a second and a second, and the latter 100 MB.
const STEPS: (u64, u64) = (5_000_000, 500);
const STEPS_OF_ERRORS: (u64, u64) = (500_000, 10);

/// The same for the matching of patterns that try again and again, of each of the two.
const STEPS_OF_MATCHING: (u64, u64) = (5_000_000, 500);

impl Schema {
    /// What the schema says of a document; `repeats` whether keys may occur twice in an object, if that is known.
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
        let view = View::of(node, &options);
        let number = |(any, byte): (u64, u64)| any + byte * text.len() as u64;
        let steps = |all| Steps {
            all: number(all),
            matching: number(STEPS_OF_MATCHING),
        };
        let verdict = |findings, limited| Verdict { findings, limited };
        let (exceeded, is_known) = match limits::run(steps(STEPS), || self.validator.is_valid(view))
        {
            Ok(true) => return Verdict::default(),
            Ok(false) => {
                let found = limits::run(steps(STEPS_OF_ERRORS), || {
                    let context = Context::new(Some(&self.store), &self.known, node, asked.whole);
                    let errors = self.validator.iter_errors(view).take(MOST);
                    findings::of(&context, errors.collect())
                });
                match found {
                    Ok(findings) => return verdict(findings, false),
                    Err(exceeded) => (exceeded, true),
                }
            }
            Err(exceeded) => (exceeded, false),
        };
        let at = match exceeded {
            Exceeded::Matching(Some(at)) => at,
            _ => node.span().start,
        };
        let mut finding = Diagnostic::new(Code::Custom("schema/limit"), Span::new(at, at + 1));
        let reason = match exceeded {
            Exceeded::Depth => "nested too deeply",
            Exceeded::Work => "too many steps",
            Exceeded::Matching(_) => "a pattern needs too many steps",
        };
        finding.message = match is_known {
            true => format!(
                "{} does not match the schema; where is not known: {reason}",
                asked.whole
            ),
            false => format!(
                "{} cannot be checked with the schema: {reason}",
                asked.whole
            ),
        };
        match exceeded {
            Exceeded::Depth => {}
            Exceeded::Work => {
                let note = "alternatives within alternatives may take forever";
                finding.notes.push(note.to_owned());
            }
            Exceeded::Matching(_) => {
                finding.label = "to match this".to_owned();
                finding.help.push(findings::LINEAR.to_owned());
            }
        }
        verdict(vec![finding], true)
    }
}

/// An example refers to no file.
pub struct NoFiles;

impl Fetch for NoFiles {
    fn fetch(&self, _: &Path) -> io::Result<Fetched> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// What is said about the wrong value in the example of a keyword, or about its schema.
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

/// Whether an object of a valid text has two equal keys.
fn has_duplicates(text: &[u8], options: Options) -> bool {
    let mut linter = Linter::new(Lints::NONE.with(Code::DuplicateKey, true), 1);
    let checked = Validator::new(options).check(text, &mut linter);
    let linted = linter.finish();
    checked.is_err() || linted.count > 0 || linted.keys_unchecked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keywords::KEYWORDS;

    #[test]
    fn every_example_breaks_its_rule_and_no_other() {
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
}
