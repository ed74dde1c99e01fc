//! Detects program output in place of JSON: stack traces, server-sent events, printed Ruby hashes.

use super::diagnostic::{Edit, Span};

/// Number of lines that the rules read.
const LINES: usize = 20;

/// Maximum size of a hash with a fix.
const MAX_HASH: usize = 1 << 20;

/// The language of a stack trace, with its article.
pub(super) fn stack_trace(head: &[u8]) -> Option<&'static str> {
    let lines: Vec<&[u8]> = lines(head).take(LINES).collect();
    let first = *lines.first()?;
    if first.starts_with(b"{") || first.starts_with(b"[") || first.starts_with(b"\"") {
        return None;
    }
    let has = |text: &[u8], part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
    if first.starts_with(b"Traceback (most recent call last)") {
        return Some("is a Python traceback");
    }
    if first.starts_with(b"thread '") && has(first, "panicked at") {
        return Some("is the message of a Rust panic");
    }
    if first.starts_with(b"panic: ") && lines.iter().any(|line| line.starts_with(b"goroutine ")) {
        return Some("is the message of a Go panic");
    }
    if (has(first, ".rb:") || has(first, ":in ")) && (has(first, ":in `") || has(first, ":in '")) {
        return Some("is a Ruby stack trace");
    }
    if has(first, "Fatal error:") && has(first, "Uncaught ") {
        return Some("is a PHP stack trace");
    }
    // Java, JavaScript and .NET.
    let frame = lines.iter().position(|line| {
        line.trim_ascii_start().starts_with(b"at ")
            && (line.ends_with(b")") || line.last().is_some_and(u8::is_ascii_digit))
            && line.first().is_some_and(u8::is_ascii_whitespace)
    })?;
    lines[..frame]
        .iter()
        .any(|line| has(line, "Error") || has(line, "Exception") || has(line, "exception"))
        .then_some("is a stack trace")
}

/// A value printed for debugging: the name of the language, and a description. JSON and JSON5 do not start like
/// these.
pub(super) fn dump(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let object = head.strip_prefix(b"[object ").unwrap_or_default();
    if matches!(object.get(name_length(object)), Some(b']')) {
        return Some(("javascript-object", "is an object printed by JavaScript"));
    }
    let inner = head.strip_prefix(b"[").unwrap_or(head);
    if inner.starts_with(b"#<") && inner.get(2).is_some_and(u8::is_ascii_alphabetic) {
        return Some(("ruby-object", "is an object printed by Ruby"));
    }
    if inner.starts_with(b"<")
        && memchr::memmem::find(first_line(inner), b" object at 0x").is_some()
    {
        return Some(("python-object", "is an object printed by Python"));
    }
    None
}

fn first_line(text: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    &text[..end]
}

/// The length of the name at the start of a text.
fn name_length(text: &[u8]) -> usize {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
    match text.first() {
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
            text.iter().take_while(|byte| is_name(byte)).count()
        }
        _ => 0,
    }
}

/// Whether the lines of a text are assignments: environment variables (`A=1`), or, with blanks around `=` or sections,
/// an INI file.
pub(super) fn assignments(head: &[u8]) -> Option<bool> {
    let mut is_env = true;
    let mut any = false;
    let count = head.iter().filter(|&&byte| byte == b'\n').count();
    for (number, line) in lines(head).enumerate().take(LINES) {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        if line.starts_with(b";") || line.starts_with(b"[") {
            is_env = false;
            continue;
        }
        let line = line.strip_prefix(b"export ").unwrap_or(line);
        let name = name_length(line);
        let rest = line[name..].trim_ascii_start();
        // `aGk=` is not a variable.
        let is_padding = !any && count == 0 && matches!(rest, b"=" | b"==");
        if name == 0 || !rest.starts_with(b"=") || is_padding {
            // The last line of the head may be incomplete.
            if any && number == count {
                break;
            }
            return None;
        }
        any = true;
        is_env &= line.get(name) == Some(&b'=');
    }
    any.then_some(is_env)
}

/// Whether the first line of a text has pairs as in logfmt: `level=info msg="it is up"`.
pub(super) fn is_logfmt(head: &[u8]) -> bool {
    let mut rest = first_line(head).trim_ascii();
    let mut pairs = 0;
    while !rest.is_empty() {
        let name = name_length(rest);
        let Some(value) = rest[name..].strip_prefix(b"=").filter(|_| name > 0) else {
            return false;
        };
        let end = match value.strip_prefix(b"\"") {
            // Quotes within are escaped.
            Some(quoted) => {
                let mut ends = memchr::memchr_iter(b'"', quoted);
                ends.find(|&at| at == 0 || quoted[at - 1] != b'\\')
                    .map(|at| at + 2)
            }
            None => value.iter().position(|byte| b" \t".contains(byte)),
        };
        rest = &value[end.unwrap_or(value.len())..];
        if !rest.is_empty() && !rest[0].is_ascii_whitespace() {
            return false;
        }
        rest = rest.trim_ascii_start();
        pairs += 1;
    }
    pairs > 1
}

/// Whether a text is a stream of server-sent events with JSON as their data.
pub(super) fn is_event_stream(head: &[u8]) -> bool {
    const FIELDS: [&str; 4] = ["data", "event", "id", "retry"];
    let mut has_data = false;
    for line in lines(head).take(LINES).filter(|line| !line.is_empty()) {
        let colon = memchr::memchr(b':', line);
        let (name, value) = line.split_at(colon.unwrap_or(line.len()));
        // The last line of the head may be incomplete.
        let is_field = name.is_empty() || FIELDS.iter().any(|field| name == field.as_bytes());
        if !is_field {
            return false;
        }
        let value = value.get(1..).unwrap_or_default().trim_ascii_start();
        has_data |= name == b"data" && matches!(value.first(), Some(b'{' | b'['));
    }
    has_data
}

/// The offset of the first pair of a hash printed by Ruby: `:a => 1`, or `"a" => nil`.
pub(super) fn ruby_hash(head: &[u8]) -> Option<Span> {
    if !matches!(head.first(), Some(b'{' | b'[')) {
        return None;
    }
    memchr::memmem::find(head, b"=>")?;
    let mut first = None;
    let mut is_ruby = false;
    for token in RubyTokens::new(head) {
        match token {
            RubyToken::Arrow(span) => {
                first.get_or_insert(span);
            }
            RubyToken::Symbol(_) | RubyToken::Nil(_) => is_ruby = true,
        }
    }
    first.filter(|_| is_ruby)
}

/// The edits that convert it to JSON, like `to_json`.
pub(super) fn ruby_edits(text: &[u8]) -> Vec<Edit> {
    if text.len() > MAX_HASH {
        return Vec::new();
    }
    let edit = |token| match token {
        RubyToken::Arrow(span) => Edit::new(span, ":"),
        RubyToken::Symbol(span) => {
            let name = String::from_utf8_lossy(&text[span.start + 1..span.end]);
            Edit::new(span, format!("\"{name}\""))
        }
        RubyToken::Nil(span) => Edit::new(span, "null"),
    };
    RubyTokens::new(text).map(edit).collect()
}

/// The tokens that are Ruby and not JSON.
enum RubyToken {
    /// `=>`
    Arrow(Span),
    /// `:name`
    Symbol(Span),
    /// `nil`
    Nil(Span),
}

/// Finds these tokens outside strings.
struct RubyTokens<'t> {
    text: &'t [u8],
    at: usize,
}

impl RubyTokens<'_> {
    fn new(text: &[u8]) -> RubyTokens<'_> {
        RubyTokens { text, at: 0 }
    }

    /// The end of the word that begins at an offset.
    fn word(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        start + rest.iter().take_while(|byte| is_word(byte)).count()
    }
}

impl Iterator for RubyTokens<'_> {
    type Item = RubyToken;

    fn next(&mut self) -> Option<RubyToken> {
        while let Some(&byte) = self.text.get(self.at) {
            let start = self.at;
            let before = start.checked_sub(1).map(|at| self.text[at]);
            match byte {
                b'"' => {
                    let mut escaped = false;
                    let inside = self.text[start + 1..].iter();
                    let length = inside
                        .take_while(|&&byte| {
                            let is_continuation = escaped || byte != b'"';
                            escaped = !escaped && byte == b'\\';
                            is_continuation
                        })
                        .count();
                    self.at = start + length + 2;
                }
                b'=' if self.text.get(start + 1) == Some(&b'>') => {
                    self.at = start + 2;
                    return Some(RubyToken::Arrow(Span::new(start, self.at)));
                }
                b':' if before.is_some_and(|byte| b"{[, \n>".contains(&byte)) => {
                    let end = self.word(start + 1);
                    self.at = end;
                    let named = self
                        .text
                        .get(start + 1)
                        .is_some_and(u8::is_ascii_alphabetic);
                    if named {
                        return Some(RubyToken::Symbol(Span::new(start, end)));
                    }
                }
                byte if byte.is_ascii_alphabetic() => {
                    self.at = self.word(start);
                    if &self.text[start..self.at] == b"nil" {
                        return Some(RubyToken::Nil(Span::new(start, self.at)));
                    }
                }
                _ => {}
            }
            self.at = self.at.max(start + 1);
        }
        None
    }
}

/// The lines of a text, without the white space at their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_output_instead_of_json() {
        for (text, what) in [
            (
                "Traceback (most recent call last):\n  File",
                Some("is a Python traceback"),
            ),
            (
                "Exception in thread \"main\" java.lang.Error: a\n\tat a.B.c(B.java:3)\n",
                Some("is a stack trace"),
            ),
            (
                "/a.js:1\nfoo()\n^\n\nReferenceError: foo\n    at a (/a.js:1:1)\n",
                Some("is a stack trace"),
            ),
            (
                "Unhandled exception. System.Exception: a\n   at A.B() in /a.cs:line 3\n",
                Some("is a stack trace"),
            ),
            (
                "thread 'main' (12) panicked at src/main.rs:1:1:\n",
                Some("is the message of a Rust panic"),
            ),
            (
                "panic: a\n\ngoroutine 1 [running]:\n",
                Some("is the message of a Go panic"),
            ),
            (
                "a.rb:1:in 'Integer#/': divided by 0 (ZeroDivisionError)\n",
                Some("is a Ruby stack trace"),
            ),
            (
                "PHP Fatal error:  Uncaught Error: a in a.php:1\n",
                Some("is a PHP stack trace"),
            ),
            ("{\"Error\":\n at x)", None),
            ("Error\nat home)", None),
        ] {
            assert_eq!(stack_trace(text.as_bytes()), what, "{text}");
        }
        assert!(is_event_stream(
            b": hi\nevent: a\nid: 1\ndata: {\"a\":1}\n\ndata: [DONE]\n"
        ));
        assert!(!is_event_stream(b"data: {\"a\":1}\nname: x\n"));
        assert!(!is_event_stream(b"data: text\n"));
    }

    #[test]
    fn hashes_become_json() {
        let fixed = |text: &str| {
            ruby_hash(text.as_bytes())?;
            let mut fixed = text.as_bytes().to_vec();
            for edit in ruby_edits(text.as_bytes()).into_iter().rev() {
                fixed.splice(edit.span.start..edit.span.end, edit.text.into_bytes());
            }
            Some(String::from_utf8(fixed).unwrap())
        };
        for (ruby, json) in [
            (
                "{:a => 1, \"b\" => [:c, nil]}",
                Some("{\"a\" : 1, \"b\" : [\"c\", null]}"),
            ),
            (
                "{:a=>{:b=>\"nil => :c\\\"\"}}",
                Some("{\"a\":{\"b\":\"nil => :c\\\"\"}}"),
            ),
            ("[{\"a\"=>nil}]", Some("[{\"a\":null}]")),
            ("{\"a\" => 1}", None),
            ("{\"a\": nil}", None),
            ("{\"a\": \":b => nil\"}", None),
            ("{\"a", None),
        ] {
            assert_eq!(fixed(ruby).as_deref(), json, "{ruby}");
        }
    }
}
