//! Prints a value from its bytes, in one pass over its verified text.
//!
//! ```text
//! {"a": [1, 2],  "b": "x"}   ──►   {"a":[1,2],"b":"x"}     runs of bytes without white space are copied
//! ```

use std::ops::Range;

use jsonx_core::string::find_special;

use super::print::{ESCAPED, fingerprint, may_repeat};
use super::{FEW, Layout, MAX_DEPTH, Printer, decoded};

impl Printer {
    /// Appends a value of a verified text. Returns false, and appends nothing, if more than its bytes decides how it is printed: keys
    /// are sorted, or may be equal, or there are comments.
    pub fn push_text(&self, text: &[u8], out: &mut Vec<u8>) -> bool {
        self.text_within(text, 0, out)
    }

    /// As above, for a value within this number of containers.
    pub(super) fn text_within(&self, text: &[u8], depth: usize, out: &mut Vec<u8>) -> bool {
        let begin = out.len();
        let is_by_bytes = !self.sort_keys
            && (!self.ascii || text.is_ascii())
            && memchr::memchr(0x7f, text).is_none();
        let is_appended = is_by_bytes && self.copy(text, depth, out).is_some();
        if !is_appended {
            out.truncate(begin);
        }
        is_appended
    }

    fn copy(&self, text: &[u8], depth: usize, out: &mut Vec<u8>) -> Option<()> {
        let is_compact = self.layout == Layout::Compact;
        // The fingerprints of the keys of all open objects, and of each open container, the number of those before it.
        let (mut keys, mut open) = (Vec::with_capacity(FEW), Vec::with_capacity(FEW));
        out.reserve(text.len());
        // The fingerprint of the last string is only needed if it is a key.
        let (mut last, mut has_escapes) = (0..0, false);
        // What is not copied yet.
        let mut from = 0;
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            at += 1;
            match byte {
                b'"' => {
                    (last, has_escapes) = self.string(text, &mut from, at, out);
                    at = last.end + 1;
                }
                b' ' | b'\t' | b'\n' | b'\r' => {
                    out.extend_from_slice(&text[from..at - 1]);
                    from = at;
                }
                b':' => {
                    match has_escapes {
                        _ if self.as_written => {}
                        true => keys.push(ESCAPED),
                        false => keys.push(fingerprint(&text[last.clone()])),
                    }
                    if !is_compact {
                        out.extend_from_slice(&text[from..at]);
                        out.push(b' ');
                        from = at;
                    }
                }
                b'{' | b'[' => {
                    open.push(keys.len());
                    if depth + open.len() > MAX_DEPTH {
                        return None;
                    }
                    let rest = &text[at..];
                    let next = rest.iter().find(|byte| !byte.is_ascii_whitespace());
                    if !is_compact && !matches!(next, Some(b'}' | b']')) {
                        out.extend_from_slice(&text[from..at]);
                        self.line(depth + open.len(), out);
                        from = at;
                    }
                }
                b'}' | b']' => {
                    let before = open.pop()?;
                    if may_repeat(&mut keys[before..]) {
                        return None;
                    }
                    keys.truncate(before);
                    let last = text[..at - 1].trim_ascii_end().last();
                    match last {
                        // Of a dialect.
                        Some(b',') => return None,
                        Some(b'{' | b'[') => {}
                        _ if is_compact => {}
                        _ => {
                            out.extend_from_slice(&text[from..at - 1]);
                            self.line(depth + open.len(), out);
                            from = at - 1;
                        }
                    }
                }
                b',' if !is_compact => {
                    out.extend_from_slice(&text[from..at]);
                    self.line(depth + open.len(), out);
                    from = at;
                }
                b'/' => return None,
                _ => {}
            }
        }
        out.extend_from_slice(&text[from..]);
        Some(())
    }

    /// The content of a string that begins at an offset, and whether it has escapes. If one is written otherwise, the string is
    /// appended.
    fn string(
        &self,
        text: &[u8],
        from: &mut usize,
        begin: usize,
        out: &mut Vec<u8>,
    ) -> (Range<usize>, bool) {
        let (mut has_escapes, mut is_copied) = (false, true);
        let mut end = find_special(text, begin);
        while let Some(b'\\') = text.get(end) {
            let escape = text.get(end + 1);
            is_copied &= self.as_written || !matches!(escape, Some(b'u' | b'/'));
            has_escapes = true;
            end = find_special(text, end + 2);
        }
        if !is_copied {
            out.extend_from_slice(&text[*from..begin - 1]);
            self.push_string(&decoded(&text[begin..end]), out);
            *from = end + 1;
        }
        (begin..end, has_escapes)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use jsonx_core::engine::{Mode, Options};
    use jsonx_core::jsonc::Dialect;
    use proptest::prelude::*;

    use super::*;
    use crate::value::{IndexedText, TextBytes, Value};

    /// A value of the program, without any text.
    fn built(value: &Value) -> Value {
        match value.clone().forced() {
            Value::Array(items) => Value::array(items.iter().map(built).collect()),
            Value::Object(members) => Value::object(
                members
                    .iter()
                    .map(|(key, value)| (key.clone(), built(value))),
            ),
            scalar => scalar,
        }
    }

    fn printed(value: &Value, printer: &Printer) -> String {
        let mut out = b"before".to_vec();
        printer.push(value, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// Each character of the text is a piece of JSON, white space around it included.
    fn text() -> impl Strategy<Value = String> {
        let space = prop::sample::select(vec!["", "", " ", "\n\t", " \r\n "]);
        let string = prop::sample::select(vec![
            r#""""#,
            r#""a""#,
            r#""b c""#,
            r#""\u0061""#,
            r#""\/""#,
            r#""é\n\"\\""#,
            "\"\u{7f}\"",
            r#""\ud800x""#,
            r#""longer than a word, {[:,]}""#,
            r#""\u00e9""#,
            r#""\\u0061""#,
        ]);
        let scalar = prop_oneof![
            3 => string.clone(),
            2 => prop::sample::select(vec!["1", "-0.50", "1e400", "true", "false", "null"]),
        ];
        let leaf = (space.clone(), scalar).prop_map(|(space, scalar)| format!("{space}{scalar}"));
        leaf.prop_recursive(4, 40, 15, move |inner| {
            let element = (inner, space.clone()).prop_map(|(value, space)| value + space);
            let key = (space.clone(), string.clone(), space.clone());
            let member = (key, element.clone())
                .prop_map(|((space, key, more), value)| format!("{space}{key}{more}:{value}"));
            prop_oneof![
                (space.clone(), prop::collection::vec(element, 0..5))
                    .prop_map(|(space, all)| format!("{space}[{space}{}]", all.join(","))),
                (space.clone(), prop::collection::vec(member, 0..15))
                    .prop_map(|(space, all)| format!("{space}{{{space}{}}}", all.join(","))),
            ]
        })
    }

    proptest! {
        /// The text of a value is printed as the value is.
        #[test]
        fn texts_are_printed_as_values(text in text()) {
            let value = Value::from_json(&text).unwrap();
            for layout in [Layout::Compact, Layout::Spaces(2), Layout::Tabs] {
                for (sort_keys, ascii) in [(false, false), (true, false), (false, true)] {
                    let printer = Printer { layout, sort_keys, ascii, as_written: false };
                    let expected = printed(&built(&value), &printer);
                    prop_assert_eq!(printed(&value, &printer), expected.clone());
                    let held = Value::array(vec![Value::Null, value.clone()]);
                    prop_assert_eq!(printed(&held, &printer), printed(&built(&held), &printer));
                    let mut out = b"before".to_vec();
                    let text = text.trim_ascii().as_bytes();
                    let is_printed = printer.push_text(text, &mut out);
                    let expected = if is_printed { &expected } else { "before" };
                    prop_assert_eq!(std::str::from_utf8(&out).unwrap(), expected);
                }
            }
        }
    }

    /// What has nothing unusual is printed from its text; comments and commas of dialects are not.
    #[test]
    fn usual_texts_are_copied() {
        for (text, expected) in [
            (
                r#"{"a": [1, {"b": "\n\u00e9\/"}], "c": {}}"#,
                Some(r#"{"a":[1,{"b":"\né/"}],"c":{}}"#),
            ),
            (r#"[{"a": 1}, {"a": 2}]"#, Some(r#"[{"a":1},{"a":2}]"#)),
            (r#"{"a": 1, "a": 2}"#, None),
            (r#"{"a": 1, "\u0061": 2}"#, None),
            ("[1, 2, ]", None),
            ("[1, /* , */ 2]", None),
        ] {
            let mut out = Vec::new();
            let is_printed = Printer::default().push_text(text.as_bytes(), &mut out);
            assert_eq!(
                is_printed
                    .then(|| String::from_utf8(out).unwrap())
                    .as_deref(),
                expected,
                "{text}"
            );
            let options = Options::default()
                .dialect(Dialect::Jsonc)
                .mode(Mode::Stream);
            let text = IndexedText::new(TextBytes::Owned(text.into()), options).unwrap();
            let value = Rc::new(text).values().next().unwrap();
            assert_eq!(value.to_string(), built(&value).to_string());
        }
    }
}
