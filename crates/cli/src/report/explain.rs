//! `jsonx explain CODE`: the meaning of a code, an example with the error, and the example corrected.

use std::borrow::Cow;

use jsonx_diagnose::{Code, DiagnoseOptions, Severity, diagnose};

use super::{File, human};
use jsonx_schema::keywords::{KEYWORDS, Keyword};

/// The text of `jsonx explain CODE`: the meaning, an example with its diagnostic, and the corrected text. `options` set
/// width and color.
///
/// ```
/// use jsonx_cli::report::{explain, human};
/// use jsonx_diagnose::Code;
///
/// let text = explain::explain(Code::TrailingComma, &human::Options::default());
/// assert!(text.starts_with("trailing-comma (error)\n\n"));
/// ```
pub fn explain(code: Code, options: &human::Options) -> String {
    let report = diagnose(code.wrong(), &example_options(code));
    let file = File::new("example.json", code.wrong());
    let said = human::render(&report, &file, options);
    Rule::from(code).explained(Some(&said), options.width)
}

/// A code of a finding, and its examples; some of these are empty.
pub(super) struct Rule {
    pub code: &'static str,
    pub meaning: &'static str,
    pub severity: Severity,
    pub schema: &'static str,
    pub wrong: Cow<'static, str>,
    pub right: &'static str,
}

/// All rules, in order.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let codes = Code::ALL.iter().map(|&code| Rule::from(code));
    codes.chain(KEYWORDS.iter().map(Rule::from))
}

impl From<Code> for Rule {
    fn from(code: Code) -> Rule {
        Rule {
            code: code.as_str(),
            meaning: code.meaning(),
            severity: code.severity(),
            schema: "",
            wrong: String::from_utf8_lossy(code.wrong()),
            right: code.right(),
        }
    }
}

impl From<&Keyword> for Rule {
    fn from(keyword: &Keyword) -> Rule {
        Rule {
            code: keyword.code,
            meaning: keyword.meaning,
            severity: keyword.severity(),
            schema: keyword.schema,
            wrong: keyword.wrong.into(),
            right: keyword.right,
        }
    }
}

impl Rule {
    /// The examples that it has, with their names.
    pub fn examples(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let wrong = [("Schema", self.schema), ("Wrong", &*self.wrong)];
        let all = wrong.into_iter().chain([("Right", self.right)]);
        all.filter(|(_, text)| !text.is_empty())
    }

    /// The code and its meaning, in lines of at most `width` cells, 60 to 80, and the examples: the wrong one with what is `said`
    /// about it, if anything.
    fn explained(&self, said: Option<&str>, width: usize) -> String {
        let mut out = format!("{} ({})\n\n", self.code, self.severity.as_str());
        for line in human::wrap(self.meaning, width.clamp(60, 80)) {
            out.push_str(line);
            out.push('\n');
        }
        if let Some(said) = said {
            section("Wrong", said, &mut out);
            section("Right", self.right, &mut out);
            return out;
        }
        for (name, text) in self.examples() {
            section(name, text, &mut out);
        }
        out
    }
}

/// All codes, one per line, with the first sentence of their meaning.
pub fn list() -> String {
    let longest = rules().map(|rule| rule.code.len()).max().unwrap_or(0);
    let line = |rule: Rule| format!("{:longest$}  {}\n", rule.code, first_sentence(rule.meaning));
    rules().map(line).collect()
}

/// The text of `jsonx explain schema/KEYWORD`: the meaning, a schema, a value that does not match it with its finding, and one
/// that does.
pub fn explain_keyword(keyword: &Keyword, said: Option<&str>, width: usize) -> String {
    Rule::from(keyword).explained(said, width)
}

/// The first sentence of a code's meaning, without its full stop.
pub fn brief(code: Code) -> &'static str {
    first_sentence(code.meaning())
}

/// The first sentence of a meaning, without its full stop.
pub(super) fn first_sentence(meaning: &'static str) -> &'static str {
    let end = meaning
        .find(". ")
        .or_else(|| meaning.find(": "))
        .unwrap_or(meaning.len() - 1);
    &meaning[..end]
}

/// The options under which the example of a code produces this code.
pub fn example_options(code: Code) -> DiagnoseOptions {
    let options = DiagnoseOptions::default().lints(jsonx_diagnose::Lints::ALL);
    match code {
        Code::DeepNesting => options.max_depth(3),
        // Treats the example as a large file, which is not diagnosed.
        Code::SyntaxError => options.max_input(0),
        _ => options,
    }
}

/// Appends an example under its name, after an empty line.
fn section(name: &str, text: &str, out: &mut String) {
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
    out.push_str(&format!("{name}:\n\n"));
    for line in text.lines() {
        if !line.is_empty() {
            out.push_str("    ");
            out.push_str(line);
        }
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_has_its_mistake_and_its_repair_has_none() {
        for &code in Code::ALL {
            let options = example_options(code);
            let wrong = diagnose(code.wrong(), &options);
            let codes: Vec<Code> = wrong.diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(codes, [code], "the example of {code}");
            let right = diagnose(code.right().as_bytes(), &options.max_input(usize::MAX));
            assert!(
                right.diagnostics.is_empty(),
                "{code}: {:?}",
                right.diagnostics
            );
            serde_json::from_str::<serde_json::Value>(code.right())
                .expect("the right example is JSON");
        }
    }

    #[test]
    fn codes_are_words_joined_by_hyphens() {
        for code in Code::ALL {
            let name = code.as_str();
            assert!(name.split('-').all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric())));
            assert_eq!(name, name.to_lowercase());
            assert_eq!(name.parse(), Ok(*code));
        }
        assert_eq!(list().lines().count(), Code::ALL.len() + KEYWORDS.len());
    }
}
