//! Converts YAML to JSON, with every value on the same line. YAML without a JSON equivalent, and numbers in other
//! notations, are errors.

use yaml_rust2::parser::{Event, Parser};
use yaml_rust2::scanner::{Marker, ScanError, TScalarStyle};

/// Translates a document; an empty one is `null`.
///
/// # Errors
/// The text is not YAML, or has no JSON equivalent: the reason and the line.
pub(super) fn to_json(text: &str) -> Result<String, (usize, String)> {
    // The parser takes tabs for indentation.
    let is_tab = |line: &str| line.trim_start_matches(' ').starts_with('\t');
    if let Some(line) = text.lines().position(is_tab) {
        return Err((line + 1, "it is indented with tabs".to_owned()));
    }
    let mut parser = Parser::new_from_str(text);
    let mut writer = Writer::default();
    loop {
        let (event, at) = parser.next_token().map_err(|error| wrong(&error))?;
        let line = at.line();
        let refuse = |reason: &str| (line, reason.to_owned());
        match event {
            Event::StreamEnd => break,
            Event::Alias(_) => return Err(refuse("it has an alias")),
            Event::MappingStart(_, Some(_))
            | Event::SequenceStart(_, Some(_))
            | Event::Scalar(_, _, _, Some(_)) => return Err(refuse("it has a tag")),
            Event::DocumentStart if !writer.text.is_empty() => {
                return Err(refuse("it has several documents"));
            }
            Event::MappingStart(..) | Event::SequenceStart(..) if writer.is_at_key() => {
                return Err(refuse("it has a key that is not a word"));
            }
            Event::MappingStart(..) => writer.open(b'{', &at),
            Event::SequenceStart(..) => writer.open(b'[', &at),
            Event::MappingEnd => writer.close('}'),
            Event::SequenceEnd => writer.close(']'),
            Event::Scalar(value, style, ..) => {
                let is_plain = style == TScalarStyle::Plain;
                if is_plain && writer.is_at_key() && value == "<<" {
                    return Err(refuse("it has a merge key"));
                }
                let value = if is_plain && !writer.is_at_key() {
                    plain(&value)
                        .ok_or_else(|| refuse("it has a date, or a number in another notation"))?
                } else {
                    quoted(&value)
                };
                writer.scalar(&value, &at);
            }
            Event::Nothing | Event::StreamStart | Event::DocumentStart | Event::DocumentEnd => {}
        }
    }
    if writer.text.is_empty() {
        writer.text += "null";
    }
    Ok(writer.text)
}

fn wrong(error: &ScanError) -> (usize, String) {
    (
        error.marker().line(),
        format!("it is not YAML: {}", error.info()),
    )
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A plain scalar, by the core schema of YAML 1.2.
fn plain(text: &str) -> Option<String> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => "null".to_owned(),
        "true" | "True" | "TRUE" => "true".to_owned(),
        "false" | "False" | "FALSE" => "false".to_owned(),
        _ if is_number_or_date(text) => text.parse::<u64>().ok()?.to_string(),
        _ => quoted(text),
    })
}

fn is_number_or_date(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let Some(rest) = text.strip_prefix('.') else {
        return text.starts_with(|first: char| first.is_ascii_digit());
    };
    rest.starts_with(|first: char| first.is_ascii_digit())
        || matches!(&*rest.to_ascii_lowercase(), "inf" | "nan")
}

/// The JSON so far.
#[derive(Default)]
struct Writer {
    text: String,
    lines: usize,
    /// For each open container, whether it is a mapping, and the number of values and keys in it.
    open: Vec<(bool, usize)>,
}

impl Writer {
    fn is_at_key(&self) -> bool {
        self.open
            .last()
            .is_some_and(|&(is_mapping, count)| is_mapping && count % 2 == 0)
    }

    /// Begins a key or a value.
    fn begin(&mut self, at: &Marker) {
        if let Some((is_mapping, count)) = self.open.last_mut() {
            match *count {
                0 => {}
                count if *is_mapping && count % 2 == 1 => self.text.push(':'),
                _ => self.text.push(','),
            }
            *count += 1;
        }
        while self.lines + 1 < at.line() {
            self.text.push('\n');
            self.lines += 1;
        }
    }

    fn scalar(&mut self, value: &str, at: &Marker) {
        self.begin(at);
        self.text += value;
    }

    fn open(&mut self, bracket: u8, at: &Marker) {
        self.begin(at);
        self.text.push(char::from(bracket));
        self.open.push((bracket == b'{', 0));
    }

    fn close(&mut self, bracket: char) {
        self.text.push(bracket);
        self.open.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_as_json() {
        for (yaml, json) in [
            ("", "null"),
            ("# nothing\n", "null"),
            ("a: 1", r#"{"a":1}"#),
            (
                "---\n# c\na: 1\n\nb:\n  - x\n  - {c: 'true', d: no}\n",
                "\n\n{\"a\":1,\n\n\"b\":\n[\"x\",\n{\"c\":\"true\",\"d\":\"no\"}]}",
            ),
            ("{\"a\": [1, null]}", r#"{"a":[1,null]}"#),
            ("a: >\n  x\n  y\n", "{\"a\":\n\"x y\\n\"}"),
            ("a: &x 1", r#"{"a":1}"#),
            (
                "- ./a.js\n- -b",
                r#"["./a.js",
"-b"]"#,
            ),
        ] {
            assert_eq!(to_json(yaml).as_deref(), Ok(json), "{yaml}");
        }
        for (yaml, line, reason) in [
            ("a: &x 1\nb: *x", 2, "it has an alias"),
            ("a:\n  <<: {b: 1}", 2, "it has a merge key"),
            ("a: !!str 1", 1, "it has a tag"),
            ("a: 1\n---\nb: 1", 2, "it has several documents"),
            ("? [a]\n: b", 1, "it has a key that is not a word"),
            (
                "a: 0x10",
                1,
                "it has a date, or a number in another notation",
            ),
            (
                "a: 2001-01-01",
                1,
                "it has a date, or a number in another notation",
            ),
        ] {
            assert_eq!(to_json(yaml), Err((line, reason.to_owned())), "{yaml}");
        }
        assert!(to_json("a: [").is_err_and(|(_, reason)| reason.starts_with("it is not YAML: ")));
    }

    #[test]
    fn hostile_yaml_ends() {
        for text in [
            "[", "- ", "{a: ", "? ", "&a ", "\"", "a:\n", "!!", "|\n", "%", "- - {",
        ] {
            let _ = to_json(&text.repeat(20_000));
        }
    }
}
