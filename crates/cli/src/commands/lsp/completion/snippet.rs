//! Snippets: texts with places to fill in, such as `$1`, `${2:default}` and `${3|a,b|}`.

use jsonx_core::engine::Options;
use jsonx_core::{Document, Kind, Node};

use super::quoted;

/// A text that is inserted verbatim.
pub fn literal(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('$', "\\$");
    text.replace('}', "\\}")
}

/// Numbers the places of a snippet.
#[derive(Default)]
pub struct Places(usize);

impl Places {
    /// A place with a default, which may be empty.
    pub fn with(&mut self, default: &str) -> String {
        self.0 += 1;
        match default {
            "" => format!("${}", self.0),
            _ => format!("${{{}:{}}}", self.0, literal(default)),
        }
    }

    /// A place with a choice between values.
    pub fn choice(&mut self, values: &[String]) -> String {
        let is_plain = |text: &String| !text.contains(['\\', '$', '}', '{', '|', ',']);
        match values {
            [_, _, ..] if values.iter().all(is_plain) => {
                self.0 += 1;
                format!("${{{}|{}|}}", self.0, values.join(","))
            }
            _ => self.with(values.first().map_or("", |first| first)),
        }
    }
}

/// The text of a snippet whose places are left as they are.
pub fn plain(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet.chars().peekable();
    // The places in whose defaults the next character is.
    let mut open = 0_usize;
    while let Some(next) = rest.next() {
        match next {
            '\\' if rest.peek().is_some_and(|it| "\\$}".contains(*it)) => text.extend(rest.next()),
            '}' if open > 0 => open -= 1,
            '$' => {
                let is_braced = rest.next_if_eq(&'{').is_some();
                while rest
                    .next_if(|it| it.is_ascii_alphanumeric() || *it == '_')
                    .is_some()
                {}
                if !is_braced {
                    continue;
                }
                if rest.next_if_eq(&'|').is_some() {
                    while let Some(it) = rest.next_if(|it| !",|".contains(*it)) {
                        text.push(it);
                    }
                    rest.by_ref().take_while(|it| *it != '}').for_each(drop);
                } else if rest.next_if_eq(&':').is_some() {
                    open += 1;
                } else {
                    rest.by_ref().take_while(|it| *it != '}').for_each(drop);
                }
            }
            other => text.push(other),
        }
    }
    text
}

/// The maximum depth of a snippet.
const MOST_LEVELS: u64 = 64;

/// A snippet of a schema, from its `defaultSnippets`, an extension of VS Code.
pub struct Suggestion {
    pub label: String,
    pub about: Option<String>,
    pub snippet: String,
}

impl Suggestion {
    /// The snippet in an element of `defaultSnippets`.
    pub fn new(element: &str) -> Option<Suggestion> {
        let options = Options::default().max_depth(MOST_LEVELS);
        let element = Document::index(element.as_bytes(), options).ok()?;
        let text = |key: &str| Some(element.root().get(key)?.as_str()?.into_owned());
        let snippet = match element.root().get("body") {
            Some(body) => body_text(body),
            None => text("bodyText")?,
        };
        Some(Suggestion {
            label: text("label").unwrap_or_else(|| plain(&snippet)),
            about: text("description"),
            snippet,
        })
    }
}

/// The snippet of a body, in whose strings `$1` is a place and a leading `^` says that the rest is not a string.
fn body_text(body: Node<'_, '_>) -> String {
    let text = |node: Node<'_, '_>| node.as_str().unwrap_or_default().into_owned();
    match body.kind() {
        Kind::String => match text(body).strip_prefix('^') {
            Some(raw) => raw.to_owned(),
            None => quoted(&text(body)),
        },
        Kind::Array => {
            let elements: Vec<String> = body.elements().map(body_text).collect();
            format!("[{}]", elements.join(", "))
        }
        Kind::Object => {
            let members = body
                .members()
                .map(|(key, value)| format!("{}: {}", quoted(&text(key)), body_text(value)));
            format!("{{{}\\}}", Vec::from_iter(members).join(", "))
        }
        _ => String::from_utf8_lossy(body.raw()).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places_have_their_defaults() {
        for (snippet, text) in [
            ("\"$1\": ${2:null}", "\"\": null"),
            ("${1|80,443|}, ${2:a${3:b}c}$0", "80, abc"),
            (r"{\$a\}${1:\}}\n", r"{$a}}\n"),
            ("$TM_LINE${1}${2|", ""),
            ("{${1:\"a\"}: {$2\\}\\}", "{\"a\": {}}"),
        ] {
            assert_eq!(plain(snippet), text, "{snippet}");
        }
        let suggestion = r#"{"label": "l", "body": {"b": "$1", "a": ["^${2:true}", 1]}}"#;
        let suggestion = Suggestion::new(suggestion).unwrap();
        assert_eq!(suggestion.label, "l");
        assert_eq!(plain(&suggestion.snippet), r#"{"b": "", "a": [true, 1]}"#);
    }

    proptest! {
        #[test]
        fn literals_and_defaults_are_kept(text in r"[a$\\{}|:,1\u{e9}]{0,8}") {
            prop_assert_eq!(plain(&literal(&text)), &*text);
            prop_assert_eq!(plain(&Places::default().with(&text)), text);
        }
    }
}
