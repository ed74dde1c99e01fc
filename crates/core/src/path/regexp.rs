//! Regular expressions for `match` and `search`: I-Regexp, RFC 9485, checked against its grammar and
//! translated into the syntax of the `regex` crate, which matches in time linear in the subject.

use std::fmt;

use crate::terminal::sanitize;

/// An error in an I-Regexp.
///
/// ```
/// # #[cfg(feature = "regex")] {
/// let error = jsonx_core::path::Regexp::new(r"a\d+", true).unwrap_err();
/// assert_eq!(error.offset, 1);
/// assert_eq!(error.to_string(), r"I-Regexp has no `\d`; write `[0-9]` or `\p{Nd}`");
/// # }
/// ```
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegexpError {
    /// Offset of the offending character in bytes.
    pub offset: usize,
    /// The error, and what to write instead if known.
    pub message: String,
}

impl fmt::Display for RegexpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RegexpError {}

/// A compiled I-Regexp: the subset of RFC 9485 that other notations share, without `\d` or look-around. Matching takes
/// time linear in the length of the subject.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Regexp {
    #[cfg(feature = "regex")]
    compiled: regex::bytes::Regex,
}

impl Regexp {
    /// Compiles `pattern`: to match the whole subject (`entire`, as in `match`), or any part of it (as in `search`).
    ///
    /// `^` and `$` match at the ends of the subject. By the grammar of RFC 9485 they are ordinary characters, but its
    /// own translations to other notations leave them unchanged, and so does the compliance suite of RFC 9535.
    ///
    /// # Errors
    ///
    /// Fails if the pattern is not an I-Regexp, has an empty range such as `[z-a]`, or would take too much memory, such
    /// as `((a{999}){999}){999}`.
    pub fn new(pattern: &str, entire: bool) -> Result<Regexp, RegexpError> {
        Regexp::with_case(pattern, entire, false)
    }

    /// Like [`new`](Regexp::new), for `imatch` and `isearch`: a letter matches in upper and lower case.
    ///
    /// # Errors
    ///
    /// See [`new`](Regexp::new).
    pub fn any_case(pattern: &str, entire: bool) -> Result<Regexp, RegexpError> {
        Regexp::with_case(pattern, entire, true)
    }

    pub(super) fn with_case(
        pattern: &str,
        entire: bool,
        any_case: bool,
    ) -> Result<Regexp, RegexpError> {
        let translated = translate(pattern)?;
        compile(&anchored(translated, entire, any_case), LARGEST).map_err(|refused| RegexpError {
            offset: 0,
            message: refused.message.to_owned(),
        })
    }

    /// Whether the pattern matches a string, given as decoded bytes. A lone surrogate is not a character, so no pattern
    /// matches it.
    pub fn is_match(&self, subject: &[u8]) -> bool {
        #[cfg(feature = "regex")]
        return self.compiled.is_match(subject);
        // Without the feature no value of this type exists.
        #[cfg(not(feature = "regex"))]
        return subject.len() > isize::MAX as usize;
    }
}

/// Memory limits of a compiled pattern, in bytes: in a path, and in a document.
const LARGEST: usize = 10 << 20;
const LARGEST_COMPUTED: usize = 1 << 18;

/// Length limit, in bytes, of a pattern in a document, which may have one per value.
const LONGEST_COMPUTED: usize = 1 << 10;

/// The reason why a translated pattern was not compiled.
struct Refused {
    is_too_large: bool,
    message: &'static str,
}

#[cfg(feature = "regex")]
fn compile(translated: &str, size: usize) -> Result<Regexp, Refused> {
    let compiled = regex::bytes::RegexBuilder::new(translated)
        .size_limit(size)
        .build();
    compiled
        .map(|compiled| Regexp { compiled })
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => Refused {
                is_too_large: true,
                message: "the pattern takes too much memory",
            },
            _ => Refused {
                is_too_large: false,
                message: "the pattern has a range or a count whose end is before its start, or is \
                      nested too deeply",
            },
        })
}

#[cfg(not(feature = "regex"))]
fn compile(_: &str, _: usize) -> Result<Regexp, Refused> {
    Err(Refused {
        is_too_large: false,
        message: "this build has no regular expressions",
    })
}

fn anchored(translated: String, entire: bool, any_case: bool) -> String {
    let flags = if any_case { "i" } else { "" };
    match (entire, any_case) {
        (true, _) => format!(r"\A(?{flags}:{translated})\z"),
        (false, true) => format!("(?{flags}:{translated})"),
        (false, false) => translated,
    }
}

/// A pattern in a document exceeds the limits.
pub(crate) struct TooLarge;

impl Regexp {
    /// Like [`new`](Regexp::new), for a pattern from a document, with lower limits. Returns None if it is not an
    /// I-Regexp.
    pub(crate) fn computed(
        pattern: &str,
        entire: bool,
        any_case: bool,
    ) -> Result<Option<Regexp>, TooLarge> {
        if pattern.len() > LONGEST_COMPUTED {
            return Err(TooLarge);
        }
        let Ok(translated) = translate(pattern) else {
            return Ok(None);
        };
        match compile(&anchored(translated, entire, any_case), LARGEST_COMPUTED) {
            Ok(compiled) => Ok(Some(compiled)),
            Err(refused) if refused.is_too_large => Err(TooLarge),
            Err(_) => Ok(None),
        }
    }
}

/// Checks an I-Regexp and translates it to the syntax of the `regex` crate.
///
/// The grammar only nests in parentheses, so counting the open ones replaces recursion.
fn translate(pattern: &str) -> Result<String, RegexpError> {
    let mut reader = Reader {
        pattern,
        at: 0,
        out: String::with_capacity(pattern.len() + 8),
    };
    let mut open: Vec<usize> = Vec::new();
    // Whether a quantifier may follow, because an atom precedes.
    let mut atom = false;
    while let Some((at, c)) = reader.next() {
        atom = match c {
            '(' if pattern[at..].starts_with("(?i)") => {
                return Err(error(
                    at + 1,
                    "I-Regexp has no flags like `(?i)`; imatch() and isearch() ignore case",
                ));
            }
            '(' => {
                open.push(at);
                reader.out.push_str("(?:");
                false
            }
            ')' => {
                if open.pop().is_none() {
                    return Err(error(at, "this `)` closes nothing; a literal one is `\\)`"));
                }
                reader.out.push(')');
                true
            }
            '|' => {
                reader.out.push('|');
                false
            }
            '*' | '+' | '?' | '{' if !atom => {
                return Err(error(
                    at,
                    format!("nothing to repeat before `{c}`; a literal one is `\\{c}`"),
                ));
            }
            '*' | '+' | '?' => {
                reader.out.push(c);
                false
            }
            '{' => {
                reader.count(at)?;
                false
            }
            '.' => {
                reader.out.push_str(r"[^\n\r]");
                true
            }
            '[' => {
                reader.class(at)?;
                true
            }
            '\\' => {
                reader.escape(at)?;
                true
            }
            ']' | '}' => {
                return Err(error(at, format!("a literal `{c}` is written `\\{c}`")));
            }
            _ => {
                reader.out.push(c);
                true
            }
        };
    }
    match open.pop() {
        Some(at) => Err(error(
            at,
            "this `(` is never closed; a literal one is `\\(`",
        )),
        None => Ok(reader.out),
    }
}

fn error(offset: usize, message: impl Into<String>) -> RegexpError {
    RegexpError {
        offset,
        message: message.into(),
    }
}

struct Reader<'p> {
    pattern: &'p str,
    at: usize,
    out: String,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.pattern[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<(usize, char)> {
        let c = self.peek()?;
        let at = self.at;
        self.at += c.len_utf8();
        Some((at, c))
    }

    /// `{2}`, `{2,}`, `{2,3}` after the brace at `open`.
    fn count(&mut self, open: usize) -> Result<(), RegexpError> {
        let rest = &self.pattern[self.at..];
        let inside = rest.split_once('}').map(|(inside, _)| inside);
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let inside = inside.filter(|inside| match inside.split_once(',') {
            None => is_number(inside),
            Some((from, to)) => is_number(from) && (to.is_empty() || is_number(to)),
        });
        let Some(inside) = inside else {
            return Err(error(
                open,
                "expected a count such as `{2}`, `{2,}` or `{2,3}`; a literal brace is `\\{`",
            ));
        };
        self.at += inside.len() + 1;
        self.out.extend(["{", inside, "}"]);
        Ok(())
    }

    /// Translates the rest of `\n`, `\.`, `\p{Lu}` after the backslash at `at`.
    fn escape(&mut self, at: usize) -> Result<(), RegexpError> {
        match self.next() {
            Some((_, 'p' | 'P')) => {
                let category = self.pattern[self.at..]
                    .strip_prefix('{')
                    .and_then(|rest| rest.split_once('}'))
                    .map(|(category, _)| category)
                    .filter(|category| is_category(category));
                let Some(category) = category else {
                    return Err(error(
                        at,
                        "expected a general category of Unicode, such as `\\p{L}` or `\\p{Lu}`",
                    ));
                };
                self.at += category.len() + 2;
                self.out.push_str(&self.pattern[at..self.at]);
                Ok(())
            }
            Some((_, c)) if is_escapable(c) => {
                self.out.extend(['\\', c]);
                Ok(())
            }
            Some((_, c)) => {
                let instead = match c {
                    'd' => r"write `[0-9]` or `\p{Nd}`",
                    'w' => r"write `[A-Za-z0-9_]` or `[\p{L}\p{Nd}_]`",
                    's' => r"write `[ \t\n\r]`",
                    'D' => r"write `[^0-9]` or `\P{Nd}`",
                    'W' => r"write `[^A-Za-z0-9_]`",
                    'S' => r"write `[^ \t\n\r]`",
                    '$' | '/' | '"' | '\'' | '&' | ':' | '@' | '#' | '_' | ' ' | '=' | '<'
                    | '>' | '!' | '%' | ',' | ';' | '~' | '`' => "it needs no backslash",
                    _ => "it escapes `( ) * + - . ? [ \\ ] ^ { | }`, and `\\n \\r \\t`",
                };
                Err(error(
                    at,
                    format!(
                        "I-Regexp has no `\\{}`; {instead}",
                        sanitize(&c.to_string())
                    ),
                ))
            }
            None => Err(error(at, "nothing follows the last backslash")),
        }
    }

    /// Translates the rest of `[…]` after the bracket at `open`.
    ///
    /// In the `regex` crate `[`, `&&`, `--` and `~~` are special inside brackets, so every character that may form one
    /// is escaped.
    fn class(&mut self, open: usize) -> Result<(), RegexpError> {
        self.out.push('[');
        if self.peek() == Some('^') {
            self.next();
            self.out.push('^');
        }
        let first = self.at;
        // Whether the last item is a single character that could begin a range.
        let mut range = false;
        while let Some((at, c)) = self.next() {
            range = match c {
                ']' if at == first => {
                    return Err(error(open, "these brackets are empty"));
                }
                ']' => {
                    self.out.push(']');
                    return Ok(());
                }
                '-' if at == first || self.peek() == Some(']') => {
                    self.out.push_str(r"\-");
                    false
                }
                '-' if range => {
                    self.out.push('-');
                    match self.next() {
                        Some((_, '\\')) if !matches!(self.peek(), Some('p' | 'P')) => {
                            self.escape(self.at - 1)?;
                        }
                        Some((_, c)) if !matches!(c, '[' | ']' | '\\' | '-') => self.literal(c),
                        _ => return Err(error(at, "expected the end of a range after `-`")),
                    }
                    false
                }
                '-' => return Err(error(at, "a literal `-` in the middle is written `\\-`")),
                '[' => return Err(error(at, "a literal `[` is written `\\[`")),
                '\\' => {
                    let single = !matches!(self.peek(), Some('p' | 'P'));
                    self.escape(at)?;
                    single
                }
                c => {
                    self.literal(c);
                    true
                }
            };
        }
        Err(error(
            open,
            "this `[` is never closed; a literal one is `\\[`",
        ))
    }

    /// Writes one character of a class.
    fn literal(&mut self, c: char) {
        if matches!(c, '&' | '~' | '^') {
            self.out.push('\\');
        }
        self.out.push(c);
    }
}

fn is_escapable(c: char) -> bool {
    matches!(c, '('..='+' | '-' | '.' | '?' | '['..='^' | 'n' | 'r' | 't' | '{'..='}')
}

/// The categories of RFC 9485: those of Unicode except the surrogates, `Cs`.
fn is_category(name: &str) -> bool {
    let mut letters = name.chars();
    let minor = match letters.next() {
        Some('L') => "lmotu",
        Some('M') => "cen",
        Some('N') => "dlo",
        Some('P') => "cdefios",
        Some('Z') => "lps",
        Some('S') => "ckmo",
        Some('C') => "cfno",
        _ => return false,
    };
    letters.next().is_none_or(|letter| minor.contains(letter)) && letters.next().is_none()
}
