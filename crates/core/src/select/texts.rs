//! Texts of values that filters need: bytes that several nested values share are stored once.

/// The text of a value.
#[derive(Clone, Debug, Default)]
pub(super) enum Text {
    /// It does not matter.
    #[default]
    None,
    Copy(Box<[u8]>),
    /// A part of a stored text, of which it holds a use.
    Part(Part),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) text: u32,
    pub(super) from: usize,
    pub(super) length: usize,
}

/// A shorter value is copied: that takes no more memory than a reference to it.
const SHORT: usize = 64;

/// A stored text with a larger buffer gives it back when it is freed.
const RETAINED: usize = 4096;

#[derive(Clone, Debug, Default)]
struct Stored {
    bytes: Vec<u8>,
    users: u32,
}

/// The stored texts. While values that are needed are open, the text from the start of the outermost one on is added to
/// one of them, so that no byte is stored twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    all: Vec<Stored>,
    free: Vec<u32>,
    /// The text that grows, and the offset of its first byte.
    open: Option<(u32, u64)>,
}

impl Texts {
    /// Begins with the value at `start`, unless it is inside another one that is needed.
    pub(super) fn begin(&mut self, start: u64) {
        if self.open.is_some() {
            return;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.all.push(Stored::default());
            self.all.len() as u32 - 1
        });
        self.all[number as usize].users = 1;
        self.open = Some((number, start));
    }

    /// Adds the bytes from `offset` on, without those that it has.
    pub(super) fn copy(&mut self, offset: u64, bytes: &[u8]) {
        if let Some((number, start)) = self.open {
            let text = &mut self.all[number as usize].bytes;
            let from = (start + text.len() as u64).saturating_sub(offset) as usize;
            text.extend_from_slice(bytes.get(from..).unwrap_or_default());
        }
    }

    /// The bytes from one offset to another, all of which have been added.
    pub(super) fn between(&self, start: u64, end: u64) -> &[u8] {
        let Some((number, first)) = self.open else {
            return &[];
        };
        let range = (start - first) as usize..(end - first) as usize;
        self.all[number as usize]
            .bytes
            .get(range)
            .unwrap_or_default()
    }

    /// The text from one offset to another, all of which has been added.
    pub(super) fn text(&mut self, start: u64, end: u64) -> Text {
        let bytes = self.between(start, end);
        if bytes.len() <= SHORT {
            return Text::Copy(bytes.into());
        }
        let Some((text, first)) = self.open else {
            return Text::None;
        };
        self.hold(text);
        Text::Part(Part {
            text,
            from: (start - first) as usize,
            length: (end - start) as usize,
        })
    }

    /// Ends the outermost value.
    pub(super) fn end(&mut self) {
        if let Some((number, _)) = self.open.take() {
            self.release(number);
        }
    }

    /// The bytes of a text.
    pub(super) fn bytes<'t>(&'t self, text: &'t Text) -> &'t [u8] {
        match text {
            Text::None => &[],
            Text::Copy(bytes) => bytes,
            Text::Part(part) => self.part(*part),
        }
    }

    pub(super) fn part(&self, part: Part) -> &[u8] {
        let stored = self.all.get(part.text as usize);
        let bytes = stored.map_or(&[][..], |stored| &stored.bytes);
        bytes
            .get(part.from..part.from + part.length)
            .unwrap_or_default()
    }

    /// Adds a use of a stored text.
    pub(super) fn hold(&mut self, number: u32) {
        self.all[number as usize].users += 1;
    }

    fn release(&mut self, number: u32) {
        let stored = &mut self.all[number as usize];
        stored.users -= 1;
        if stored.users == 0 {
            stored.bytes.clear();
            stored.bytes.shrink_to(RETAINED);
            self.free.push(number);
        }
    }

    /// Discards a text.
    pub(super) fn drop(&mut self, text: &Text) {
        if let Text::Part(part) = text {
            self.release(part.text);
        }
    }

    /// Discards all of them: nothing refers to any.
    pub(super) fn clear(&mut self) {
        *self = Texts::default();
    }

    /// Bytes in memory.
    #[cfg(test)]
    pub(super) fn in_use(&self) -> usize {
        self.all.iter().map(|stored| stored.bytes.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::path::Path;
    use crate::select::{Query, QueryOptions};
    use crate::{Options, Validator};

    /// How many matches a path has, and the most bytes that were stored at a time.
    fn ask(path: &str, text: &str, window: usize) -> (usize, usize) {
        let mut query = Query::new(&[Path::parse(path).unwrap()], QueryOptions::default());
        let mut validator = Validator::new(Options::default().max_depth(u64::MAX));
        let mut most = 0;
        for window in text.as_bytes().chunks(window) {
            validator.write(window, &mut query).unwrap();
            most = most.max(query.walk.asking.stored());
        }
        validator.finish(&mut query).unwrap();
        query.end();
        assert_eq!(query.walk.asking.stored(), 0, "{path}");
        (query.answers().count(), most)
    }

    #[test]
    fn nested_values_share_their_text() {
        const DEPTH: usize = 1000;
        let inner = format!("[{}1]", "1,".repeat(5000));
        let long = format!("{{\"s\":\"{}\"}}", "x".repeat(10_000));
        for inner in [&inner, &long] {
            let arrays = format!("{}{inner}{}", "[".repeat(DEPTH), "]".repeat(DEPTH));
            let objects = format!("{}{inner}{}", r#"{"a":"#.repeat(DEPTH), "}".repeat(DEPTH));
            for text in [&arrays, &objects] {
                for (path, stores) in [
                    ("$..[?length(@) == 99]", false),
                    ("$..[?length(@[0]) == 99 || length(@.a) == 99]", false),
                    ("$..[?@ == @.none]", true),
                    ("$..[?@ == $.none]", true),
                    ("$..[?value(@..s) == 'y']", true),
                    ("$..[?@.zz && value(@..s) == $.none]", true),
                ] {
                    let (found, most) = ask(path, text, 4096);
                    assert_eq!(found, 0, "{path}");
                    assert!(most <= text.len() + 64, "{path} stored {most} bytes");
                    // Of a string the characters are counted.
                    assert!(
                        stores || most <= 2 * inner.len(),
                        "{path} stored {most} bytes"
                    );
                }
            }
        }
    }

    #[test]
    fn a_length_is_counted_by_key_and_by_character() {
        let long = "k".repeat(100);
        let lengths = [
            ("[]".to_owned(), 0),
            ("[[1,2],{},3]".to_owned(), 3),
            ("{}".to_owned(), 0),
            (r#"{"a":1,"b":{"c":[1,2]},"a":[3]}"#.to_owned(), 2),
            (r#"{"a":1,"\u0061":2,"\ud800":3,"\uD800":4}"#.to_owned(), 2),
            (format!(r#"{{"{long}":1,"{long}":2,"{long}1":3}}"#), 2),
            (r#""aä\u00e4\ud83d\ude00""#.to_owned(), 4),
            (format!("\"{long}\""), 100),
        ];
        for (value, length) in &lengths {
            for text in [
                format!("[ {value} ]"),
                format!("[{value}\n,1,null,{value}]"),
                format!("{{\"a\":{value},\"b\":2}}"),
            ] {
                let selected = text.matches(&**value).count();
                for window in [64, 65, usize::MAX] {
                    let count = |path: String| ask(&path, &text, window).0;
                    let path = format!("$[?length(@) == {length}]");
                    assert_eq!(count(path), selected, "{text}");
                    assert_eq!(
                        count(format!("$[?length(@) != {length} && length(@) >= 0]")),
                        0
                    );
                }
            }
        }
    }
}
