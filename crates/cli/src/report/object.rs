//! Writes JSON objects member by member.

use data_encoding::BASE64;

use super::escape;

/// The separator of items in an array with one item per line.
pub(super) const NEXT: &str = ",\n";

/// A JSON object being written. Its keys are constants of this program and need no escapes.
pub struct Object<'a> {
    out: &'a mut String,
    empty: bool,
}

impl Object<'_> {
    /// Appends an object with the members that `fill` writes.
    pub fn write(out: &mut String, fill: impl FnOnce(&mut Object)) {
        out.push('{');
        fill(&mut Object {
            out: &mut *out,
            empty: true,
        });
        out.push('}');
    }

    /// Writes one object per item, for an array whose brackets are written elsewhere.
    pub fn each<T>(
        items: impl IntoIterator<Item = T>,
        mut fill: impl FnMut(T, &mut Object),
    ) -> String {
        let mut out = String::new();
        for item in items {
            if !out.is_empty() {
                out.push_str(NEXT);
            }
            Object::write(&mut out, |object| fill(item, object));
        }
        out
    }

    fn key(&mut self, key: &str) -> &mut String {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
        self.out
    }

    pub fn text(&mut self, key: &str, value: &str) {
        escape::json_string(value, self.key(key));
    }

    /// Writes the name of a file; if it is not UTF-8, also its bytes in Base64.
    pub fn file(&mut self, name: &[u8]) {
        self.text("file", &String::from_utf8_lossy(name));
        if std::str::from_utf8(name).is_err() {
            self.text("fileBytes", &BASE64.encode(name));
        }
    }

    /// Writes a member whose value is already JSON.
    pub fn raw(&mut self, key: &str, value: &str) {
        self.key(key).push_str(value);
    }

    pub fn number(&mut self, key: &str, value: u64) {
        self.raw(key, &value.to_string());
    }

    pub fn boolean(&mut self, key: &str, value: bool) {
        self.raw(key, if value { "true" } else { "false" });
    }

    pub fn null(&mut self, key: &str) {
        self.raw(key, "null");
    }

    pub fn object(&mut self, key: &str, fill: impl FnOnce(&mut Object)) {
        Object::write(self.key(key), fill);
    }

    /// Writes an array with one object per item.
    pub fn list<T>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = T>,
        mut fill: impl FnMut(T, &mut Object),
    ) {
        let out = self.key(key);
        out.push('[');
        for (number, item) in items.into_iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            Object::write(out, |object| fill(item, object));
        }
        out.push(']');
    }

    /// Writes an array of strings.
    pub fn texts(&mut self, key: &str, items: &[impl AsRef<str>]) {
        let out = self.key(key);
        out.push('[');
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            escape::json_string(item.as_ref(), out);
        }
        out.push(']');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn output_is_json() {
        let mut out = String::new();
        Object::write(&mut out, |object| {
            object.text("text", "a\"\\\u{1b}\u{7f}\u{9b}\n##é");
            object.number("number", u64::MAX);
            object.boolean("boolean", true);
            object.null("null");
            object.object("empty", |_| {});
            object.list("list", [1, 2], |item, object| object.number("item", item));
            object.list("none", [(); 0], |(), _| {});
            object.texts("texts", &["\u{2028}".to_owned(), String::new()]);
        });
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&out).expect("JSON"),
            json!({
                "text": "a\"\\\u{1b}\u{7f}\u{9b}\n##é", "number": u64::MAX, "boolean": true, "null": null,
                "empty": {}, "list": [{"item": 1}, {"item": 2}], "none": [], "texts": ["\u{2028}", ""],
            })
        );
        assert!(out.chars().all(|c| !c.is_control()) && !out.contains("##"));
    }
}
