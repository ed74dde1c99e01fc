//! `jsonx explain CODE`: the meaning of a code, an example with the error, and the example corrected.

use jsonx_core::diagnose::{Code, DiagnoseOptions, diagnose};

use super::{File, human};
use jsonx_schema::keywords::{KEYWORDS, Keyword};

/// The text of `jsonx explain CODE`: the meaning, an example with its diagnostic, and the corrected text. `options` set
/// width and color.
///
/// ```
/// use jsonx_cli::report::{explain, human};
/// use jsonx_core::diagnose::Code;
///
/// let text = explain::explain(Code::TrailingComma, &human::Options::default());
/// assert!(text.starts_with("trailing-comma (error)\n\n"));
/// ```
pub fn explain(code: Code, options: &human::Options) -> String {
    let mut out = format!("{code} ({})\n\n", code.severity().as_str());
    wrap(
        code.meaning(),
        options.width.clamp(60, 200).min(80),
        &mut out,
    );
    let report = diagnose(code.wrong(), &example_options(code));
    let file = File::new("example.json", code.wrong());
    out.push_str("\nWrong:\n\n");
    let shown = human::render(&report, &file, options);
    indent(&shown, &mut out);
    out.push_str("Right:\n\n");
    indent(code.right(), &mut out);
    out
}

/// All codes, one per line, with the first sentence of their meaning.
pub fn list() -> String {
    let codes = Code::ALL.iter().map(|code| code.as_str());
    let all = codes.chain(KEYWORDS.iter().map(|keyword| keyword.code));
    let longest = all.map(str::len).max().unwrap_or(0);
    let mut out = String::new();
    for code in Code::ALL {
        out.push_str(&format!("{:longest$}  {}\n", code.as_str(), brief(*code)));
    }
    for keyword in KEYWORDS {
        let brief = first_sentence(keyword.meaning);
        out.push_str(&format!("{:longest$}  {brief}\n", keyword.code));
    }
    out
}

/// The text of `jsonx explain schema/KEYWORD`: the meaning, a schema, a value that does not match it with its finding, and one
/// that does.
pub fn explain_keyword(keyword: &Keyword, said: Option<&str>, width: usize) -> String {
    let mut out = format!("{} ({})\n\n", keyword.code, keyword.severity().as_str());
    wrap(keyword.meaning, width.clamp(60, 200).min(80), &mut out);
    match (said, keyword.wrong.is_empty()) {
        (Some(said), _) => {
            out.push_str("\nWrong:\n\n");
            indent(said, &mut out);
        }
        (None, false) => {
            out.push_str("\nSchema:\n\n");
            indent(keyword.schema, &mut out);
            out.push_str("\nWrong:\n\n");
            indent(keyword.wrong, &mut out);
            out.push('\n');
        }
        (None, true) => {
            out.push_str("\nSchema:\n\n");
            indent(keyword.schema, &mut out);
            out.push('\n');
        }
    }
    out.push_str("Right:\n\n");
    indent(keyword.right, &mut out);
    out
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
    let options = DiagnoseOptions::default().lints(jsonx_core::diagnose::Lints::ALL);
    match code {
        Code::DeepNesting => options.max_depth(3),
        // Treats the example as a large file, which is not diagnosed.
        Code::SyntaxError => options.max_input(0),
        _ => options,
    }
}

/// Appends `text` in lines of at most `width` cells.
fn wrap(text: &str, width: usize, out: &mut String) {
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

fn indent(text: &str, out: &mut String) {
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
