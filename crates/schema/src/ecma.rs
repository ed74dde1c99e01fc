//! Regular expressions of JavaScript (ECMA-262, with the flag `u`), checked and translated for the engines.
//!
//! The engines differ from it in `\d`, `\w`, `\s`, `\b` and `.` (ASCII or Unicode), escapes, surrogate pairs, empty classes, and in
//! back-references to groups that took no part, which match the empty text. In the translation all these are written out.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::CharIndices;

/// Why a pattern is not a regular expression of JavaScript.
#[derive(Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The offset of the error in bytes.
    pub at: usize,
    pub reason: String,
}

/// Whether the engines, given a pattern itself, may understand it differently, so that it must be [translated].
pub fn differs(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    let escapes = bytes
        .windows(2)
        .any(|pair| pair[0] == b'\\' && matches!(pair[1], b'k' | b'b' | b'B' | b'u' | b'0'..=b'9'));
    escapes
        || ["(?=", "(?!", "(?<", "[]", "[^]"]
            .iter()
            .any(|it| pattern.contains(it))
}

/// The pattern for the engines, which is a pattern of JavaScript too unless it has `conditions` for groups that took no part.
///
/// # Errors
/// It is not a regular expression of JavaScript.
pub fn translated(pattern: &str, conditions: bool) -> Result<String, Invalid> {
    let mut translator = Translator {
        characters: pattern.char_indices().peekable(),
        groups: Groups::of(pattern),
        open: Vec::new(),
        conditions,
        refers: false,
        out: String::with_capacity(pattern.len() * 2),
    };
    translator.run()?;
    let out = translator.out;
    // The validator leaves patterns with look-around as they are, and does not know conditions.
    Ok(if translator.refers {
        format!("(?=){out}")
    } else {
        out
    })
}

/// The capturing groups of a pattern, by number from 1.
struct Groups<'p> {
    names: Vec<Option<&'p str>>,
}

impl<'p> Groups<'p> {
    fn of(pattern: &'p str) -> Self {
        let mut names = Vec::new();
        let mut in_class = false;
        let mut rest = pattern;
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            match c {
                '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
                '[' => in_class = true,
                ']' => in_class = false,
                '(' if !in_class && !rest.starts_with("(?") => names.push(None),
                '(' if !in_class => {
                    let name = rest.strip_prefix("(?<");
                    let name = name.filter(|name| !name.starts_with(['=', '!']));
                    if let Some((name, _)) = name.and_then(|name| name.split_once('>')) {
                        names.push(Some(name));
                    }
                }
                _ => {}
            }
            rest = &rest[length..];
        }
        Groups { names }
    }

    fn number(&self, name: &str) -> Option<usize> {
        let number = self.names.iter().position(|it| *it == Some(name))?;
        Some(number + 1)
    }
}

/// What an atom or assertion allows after it.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// Nothing that a quantifier could apply to.
    Nothing,
    Atom,
}

struct Translator<'p> {
    characters: Peekable<CharIndices<'p>>,
    groups: Groups<'p>,
    /// The open groups: the offset, and whether the group may be repeated.
    open: Vec<(usize, bool)>,
    conditions: bool,
    /// Whether there are back-references.
    refers: bool,
    out: String,
}

/// A member of a class: a character, or a set of them.
enum Member {
    One(u32),
    /// It is already written.
    Set,
}

const DIGITS: &[(u32, u32)] = &[(0x30, 0x39)];
const WORDS: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
const SPACES: &[(u32, u32)] = &[
    (0x09, 0x0d),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];
const LINE_ENDS: &[(u32, u32)] = &[(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)];
const LAST: u32 = 0x10_ffff;

impl Translator<'_> {
    fn run(&mut self) -> Result<(), Invalid> {
        self.unique_names()?;
        let mut before = Before::Nothing;
        while let Some((at, c)) = self.characters.next() {
            before = match c {
                '|' => {
                    self.out.push('|');
                    Before::Nothing
                }
                '^' | '$' => {
                    self.out.push(c);
                    Before::Nothing
                }
                '(' => {
                    self.group(at)?;
                    Before::Nothing
                }
                ')' => {
                    let Some((_, repeats)) = self.open.pop() else {
                        return invalid(at, "unopened group");
                    };
                    self.out.push(')');
                    if repeats {
                        Before::Atom
                    } else {
                        Before::Nothing
                    }
                }
                '*' | '+' | '?' | '{' => {
                    self.quantifier(at, c, before)?;
                    Before::Nothing
                }
                '}' | ']' => {
                    return invalid(at, format!("a literal `{c}` must be written `\\{c}`"));
                }
                '[' => {
                    self.class(at)?;
                    Before::Atom
                }
                '.' => {
                    self.set(LINE_ENDS, true);
                    Before::Atom
                }
                '\\' => self.escape(at)?,
                c => {
                    self.literal(u32::from(c));
                    Before::Atom
                }
            };
        }
        match self.open.last() {
            Some((at, _)) => invalid(*at, "unclosed group"),
            None => Ok(()),
        }
    }

    fn unique_names(&self) -> Result<(), Invalid> {
        let names = &self.groups.names;
        let is_repeated = |(number, name): (usize, &Option<&str>)| {
            name.is_some() && names[..number].contains(name)
        };
        if names.iter().enumerate().any(is_repeated) {
            return invalid(0, "two groups have the same name");
        }
        Ok(())
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.characters.next_if(|(_, c)| *c == wanted).is_some()
    }

    /// The characters up to this one, which is consumed.
    fn until(&mut self, end: char) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.characters.next()? {
                (_, c) if c == end => return Some(text),
                (_, c) => text.push(c),
            }
        }
    }

    fn group(&mut self, at: usize) -> Result<(), Invalid> {
        let mut repeats = true;
        if !self.eat('?') {
            self.out.push('(');
        } else if self.eat(':') {
            self.out.push_str("(?:");
        } else {
            let behind = self.eat('<');
            match self.characters.next_if(|(_, c)| matches!(c, '=' | '!')) {
                Some((_, c)) => {
                    repeats = false;
                    self.out.push_str(if behind { "(?<" } else { "(?" });
                    self.out.push(c);
                }
                None if behind => {
                    let name = self.until('>').unwrap_or_default();
                    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\\');
                    if name.is_empty()
                        || name.starts_with(char::is_numeric)
                        || !name.chars().all(is_part)
                    {
                        return invalid(at, "this is not a name of a group");
                    }
                    self.out.push('(');
                }
                None => return Err(self.unknown_group(at)),
            }
        }
        self.open.push((at, repeats));
        Ok(())
    }

    fn unknown_group(&mut self, at: usize) -> Invalid {
        let mut flags = String::new();
        while let Some((_, c)) = self
            .characters
            .next_if(|(_, c)| c.is_ascii_alphabetic() || *c == '-')
        {
            flags.push(c);
        }
        let ends = self.characters.peek().map(|(_, c)| *c);
        let is_flags =
            !flags.is_empty() && !flags.starts_with('P') && matches!(ends, Some(')' | ':'));
        let reason = if is_flags && flags.contains('i') {
            format!(
                "JavaScript has no flags such as `(?{flags})` in patterns: write `[aA]` for `a` in both cases"
            )
        } else if is_flags {
            format!("JavaScript has no flags such as `(?{flags})` in patterns")
        } else {
            "JavaScript does not have this kind of group".to_owned()
        };
        Invalid { at, reason }
    }

    fn quantifier(&mut self, at: usize, c: char, before: Before) -> Result<(), Invalid> {
        let mut written = c.to_string();
        if c == '{' {
            let lone = || invalid(at, "a literal `{` must be written `\\{`");
            let Some(counts) = self.until('}') else {
                return lone();
            };
            let (least, most) = counts.split_once(',').unwrap_or((&counts, &counts));
            let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            if least.is_empty() || !is_number(least) || !is_number(most) {
                return lone();
            }
            let number = |text: &str| text.parse().unwrap_or(u64::MAX);
            if !most.is_empty() && number(least) > number(most) {
                return invalid(at, "the numbers of this repetition are out of order");
            }
            if before == Before::Nothing {
                return lone();
            }
            written = format!("{{{counts}}}");
        } else if before == Before::Nothing {
            return invalid(at, format!("there is nothing that `{c}` could repeat"));
        }
        self.out.push_str(&written);
        if self.eat('?') {
            self.out.push('?');
        }
        Ok(())
    }

    /// Writes a character.
    fn literal(&mut self, code: u32) {
        match char::from_u32(code) {
            // Texts have no lone surrogates.
            None => self.out.push_str("[^\\u{0}-\\u{10FFFF}]"),
            Some(c) if c.is_ascii_alphanumeric() || "-_/ :;,=@%!<>".contains(c) => self.out.push(c),
            Some(c) if c.is_ascii() => {
                let _ = write!(self.out, "\\u{{{code:X}}}");
            }
            Some(c) => self.out.push(c),
        }
    }

    /// Writes a class of ranges, or of all others.
    fn set(&mut self, ranges: &[(u32, u32)], is_negated: bool) {
        self.out.push_str(if is_negated { "[^" } else { "[" });
        for &(first, last) in ranges {
            self.range(first, last);
        }
        self.out.push(']');
    }

    /// Writes a range in a class, without surrogates.
    fn range(&mut self, first: u32, last: u32) {
        for (from, to) in [(0, 0xd7ff), (0xe000, LAST)] {
            let (first, last) = (first.max(from), last.min(to));
            if first <= last {
                let _ = write!(self.out, "\\u{{{first:X}}}-\\u{{{last:X}}}");
            }
        }
    }

    fn escape(&mut self, at: usize) -> Result<Before, Invalid> {
        let Some((_, c)) = self.characters.next() else {
            return invalid(at, "a literal `\\` must be written `\\\\`");
        };
        match c {
            'b' => {
                self.out.push_str(
                    "(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))",
                );
                return Ok(Before::Nothing);
            }
            'B' => {
                self.out.push_str(
                    "(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))",
                );
                return Ok(Before::Nothing);
            }
            '1'..='9' => {
                let mut number = String::from(c);
                while let Some((_, c)) = self.characters.next_if(|(_, c)| c.is_ascii_digit()) {
                    number.push(c);
                }
                let group: usize = number.parse().unwrap_or(usize::MAX);
                if group > self.groups.names.len() {
                    return invalid(at, format!("there is no group {number}"));
                }
                self.refer(group);
            }
            'k' => {
                let name = if self.eat('<') { self.until('>') } else { None };
                let Some(group) = name.and_then(|name| self.groups.number(&name)) else {
                    return invalid(at, "there is no group of this name: `\\k<name>`");
                };
                self.refer(group);
            }
            'd' => self.set(DIGITS, false),
            'D' => self.set(DIGITS, true),
            'w' => self.set(WORDS, false),
            'W' => self.set(WORDS, true),
            's' => self.set(SPACES, false),
            'S' => self.set(SPACES, true),
            'p' | 'P' => self.property(at, c)?,
            c => {
                let code = self.character(at, c)?;
                self.literal(code);
            }
        }
        Ok(Before::Atom)
    }

    /// A back-reference: of a group that took no part, it matches the empty text.
    fn refer(&mut self, group: usize) {
        self.refers = true;
        let _ = if self.conditions {
            write!(self.out, "(?({group})\\{group})")
        } else {
            write!(self.out, "(?:\\{group})")
        };
    }

    fn property(&mut self, at: usize, c: char) -> Result<(), Invalid> {
        let name = if self.eat('{') { self.until('}') } else { None };
        let Some(name) = name else {
            return invalid(at, format!("`\\{c}` needs a property: `\\{c}{{L}}`"));
        };
        let written = format!("\\{c}{{{name}}}");
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_uppercase())
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let is_known = match name.split_once('=') {
            Some((kind, value)) => {
                let kinds = [
                    "General_Category",
                    "gc",
                    "Script",
                    "sc",
                    "Script_Extensions",
                    "scx",
                ];
                kinds.contains(&kind) && is_name(value)
            }
            None => is_name(&name) && regex::Regex::new(&format!("\\p{{sc={name}}}")).is_err(),
        };
        if !is_known || regex::Regex::new(&written).is_err() {
            return invalid(at, "Unicode property not found");
        }
        self.out.push_str(&written);
        Ok(())
    }

    /// The character of an escape that begins with `\` and `c`.
    fn character(&mut self, at: usize, c: char) -> Result<u32, Invalid> {
        let digit = |(_, c): &(usize, char)| c.is_ascii_digit();
        Ok(match c {
            't' => 0x09,
            'n' => 0x0a,
            'v' => 0x0b,
            'f' => 0x0c,
            'r' => 0x0d,
            '0' if !self.characters.peek().is_some_and(digit) => 0,
            'c' => match self.characters.next_if(|(_, c)| c.is_ascii_alphabetic()) {
                Some((_, letter)) => u32::from(letter) % 32,
                None => return invalid(at, "`\\c` needs a letter"),
            },
            'x' => match self.hex(2) {
                Some(code) => code,
                None => return invalid(at, "`\\x` needs two hexadecimal digits"),
            },
            'u' => match self.code_point() {
                Some(code) => code,
                None => {
                    return invalid(
                        at,
                        "`\\u` needs four hexadecimal digits, or a code point in braces",
                    );
                }
            },
            '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|'
            | '/' => u32::from(c),
            c if c.is_ascii_alphanumeric() => return invalid(at, "unrecognized escape sequence"),
            c => return invalid(at, format!("`{c}` must not be escaped here")),
        })
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let mut code = 0;
        for _ in 0..digits {
            let (_, c) = self.characters.next_if(|(_, c)| c.is_ascii_hexdigit())?;
            code = code * 16 + c.to_digit(16)?;
        }
        Some(code)
    }

    fn code_point(&mut self) -> Option<u32> {
        if self.eat('{') {
            let digits = self.until('}')?;
            let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let code = u32::from_str_radix(digits.trim_start_matches('0'), 16);
            let code = if digits.bytes().all(|byte| byte == b'0') {
                Ok(0)
            } else {
                code
            };
            return code.ok().filter(|code| is_hex && *code <= LAST);
        }
        let code = self.hex(4)?;
        // A pair of surrogates is one character.
        if (0xd800..0xdc00).contains(&code) {
            let mut ahead = self.characters.clone();
            let begins = ahead.next().is_some_and(|(_, c)| c == '\\')
                && ahead.next().is_some_and(|(_, c)| c == 'u');
            let digits: String = ahead.take(4).map(|(_, c)| c).collect();
            let is_hex = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let low = u32::from_str_radix(&digits, 16)
                .ok()
                .filter(|_| begins && is_hex);
            if let Some(low) = low.filter(|low| (0xdc00..0xe000).contains(low)) {
                self.characters.nth(5);
                return Some(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
            }
        }
        Some(code)
    }

    fn class(&mut self, at: usize) -> Result<(), Invalid> {
        let is_negated = self.eat('^');
        let start = self.out.len();
        self.out.push_str(if is_negated { "[^" } else { "[" });
        let before = self.out.len();
        loop {
            let Some((from, c)) = self.characters.next() else {
                return invalid(at, "unclosed character class");
            };
            if c == ']' {
                break;
            }
            let first = self.member(from, c)?;
            let mut ahead = self.characters.clone();
            let is_range = ahead.next().is_some_and(|(_, c)| c == '-')
                && ahead.next().is_some_and(|(_, c)| c != ']');
            if !is_range {
                if let Member::One(code) = first {
                    self.range(code, code);
                }
                continue;
            }
            self.characters.next();
            let Some((to, c)) = self.characters.next() else {
                return invalid(at, "unclosed character class");
            };
            match (first, self.member(to, c)?) {
                (Member::One(first), Member::One(last)) if first <= last => self.range(first, last),
                (Member::One(_), Member::One(_)) => {
                    return invalid(
                        from,
                        "invalid character class range, the start must be <= the end",
                    );
                }
                _ => return invalid(from, "a set such as `\\d` cannot begin or end a range"),
            }
        }
        if self.out.len() == before {
            // Nothing, or everything.
            self.out.truncate(start);
            self.set(&[(0, LAST)], !is_negated);
        } else {
            self.out.push(']');
        }
        Ok(())
    }

    /// A member of a class that begins with `c`.
    fn member(&mut self, at: usize, c: char) -> Result<Member, Invalid> {
        if c != '\\' {
            return Ok(Member::One(u32::from(c)));
        }
        let Some((_, c)) = self.characters.next() else {
            return invalid(at, "unclosed character class");
        };
        let ranges = match c {
            'd' | 'D' => DIGITS,
            'w' | 'W' => WORDS,
            's' | 'S' => SPACES,
            'b' => return Ok(Member::One(0x08)),
            '-' => return Ok(Member::One(u32::from('-'))),
            'p' | 'P' => {
                self.property(at, c)?;
                return Ok(Member::Set);
            }
            c => return Ok(Member::One(self.character(at, c)?)),
        };
        let mut next = 0;
        for &(first, last) in ranges {
            if c.is_ascii_lowercase() {
                self.range(first, last);
            } else if first > next {
                self.range(next, first - 1);
            }
            next = last + 1;
        }
        if c.is_ascii_uppercase() {
            self.range(next, LAST);
        }
        Ok(Member::Set)
    }
}

fn invalid<T>(at: usize, reason: impl Into<String>) -> Result<T, Invalid> {
    let reason = reason.into();
    Err(Invalid { at, reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backtracking::Pattern;

    /// The results are those of Node 20 with the flag `u`.
    #[test]
    fn patterns_match_as_in_javascript() {
        for (pattern, matching, others) in [
            (r"^(?<n>a)\k<n>$", &["aa"][..], &["a", "ab"][..]),
            (r"^(?<é>x)\k<é>$", &["xx"], &["x"]),
            ("^[^]$", &["a", "\n", "é", "😀"], &["", "ab"]),
            ("^[]$", &[], &["", "a"]),
            (r"a\Bé", &[], &["aé"]),
            (r"\Bé", &["é", "éa"], &["aé"]),
            (r"é\b", &["éa"], &["é"]),
            (r"^\b\w+\b$", &["foo"], &["é", "a b"]),
            (r"^\ud83d\ude00$", &["😀"], &["🙂"]),
            (r"^[\ud83d\ude00-\ud83d\ude4f]+$", &["😀🙏"], &["a"]),
            (r"^[\ud800-\udfff]$", &[], &["a", "😀"]),
            (r"^\u{1F600}$", &["😀"], &["a"]),
            (r"[\b]", &["\u{8}"], &["b"]),
            (r"^[\0-\x02]\0$", &["\u{1}\u{0}"], &["0"]),
            (r"^(?=\w).$", &["a", "_"], &["é", "٣", "ſ"]),
            (r"^(?!\d)\D$", &["a", "٣"], &["1"]),
            (r"^(?=\s).$", &[" ", "\u{feff}"], &["\u{85}"]),
            (r"^(?=.).$", &["a", "\u{85}"], &["\r", "\u{2028}"]),
            (r"^[^\S]$", &["\u{a0}"], &["a"]),
            (r"^[\S\s]$", &["a", " "], &[""]),
            (r"^[\W\d]$", &["é", "1"], &["a"]),
            (r"^[--a&&~~]$", &["-", "&", "~", "A"], &["b"]),
            (r"^\cJ\t$", &["\n\t"], &["J"]),
            (r"^\p{Lu}[^\p{L}]$", &["A1"], &["AA"]),
            (r"(?<=(a))b\1", &["aba"], &["ab"]),
        ] {
            let engine = Pattern::new(pattern).expect(pattern);
            let named =
                jsonschema_regex::to_rust_regex(&crate::convert::name_pattern(pattern.to_owned()))
                    .map(|it| fancy_regex::Regex::new(&it).expect(&it))
                    .expect(pattern);
            for (texts, matches) in [(matching, true), (others, false)] {
                for text in texts {
                    let text: &str = text;
                    assert_eq!(engine.matches(text, None), matches, "{pattern} {text:?}");
                    assert_eq!(
                        named.is_match(text).unwrap(),
                        matches,
                        "{pattern} {text:?}, a name"
                    );
                }
            }
        }
    }

    #[test]
    fn a_group_that_took_no_part_is_empty() {
        let engine = Pattern::new(r"^(a)?\1b$").unwrap();
        let results = ["b", "aab", "ab"].map(|text| engine.matches(text, None));
        assert_eq!(results, [true, true, false]);
    }

    #[test]
    fn other_patterns_are_invalid() {
        for (pattern, at, reason) in [
            (r"a\-b", 1, "`-` must not be escaped here"),
            (r"\_", 0, "`_` must not be escaped here"),
            (
                "(?i)abc",
                0,
                "JavaScript has no flags such as `(?i)` in patterns: write `[aA]` for `a` in both cases",
            ),
            (
                "(?s:a)",
                0,
                "JavaScript has no flags such as `(?s)` in patterns",
            ),
            ("(?>a)", 0, "JavaScript does not have this kind of group"),
            ("(?P<n>a)", 0, "JavaScript does not have this kind of group"),
            (r"\Aa", 0, "unrecognized escape sequence"),
            (r"a\z", 1, "unrecognized escape sequence"),
            ("a++", 2, "there is nothing that `+` could repeat"),
            ("*", 0, "there is nothing that `*` could repeat"),
            ("(?=a)*", 5, "there is nothing that `*` could repeat"),
            (
                "a{2,1}",
                1,
                "the numbers of this repetition are out of order",
            ),
            ("a{,2}", 1, "a literal `{` must be written `\\{`"),
            ("a{", 1, "a literal `{` must be written `\\{`"),
            ("x]", 1, "a literal `]` must be written `\\]`"),
            (
                "[z-a]",
                1,
                "invalid character class range, the start must be <= the end",
            ),
            (
                r"[a-\d]",
                1,
                "a set such as `\\d` cannot begin or end a range",
            ),
            ("[a", 0, "unclosed character class"),
            ("(a", 0, "unclosed group"),
            ("a)", 1, "unopened group"),
            (r"\1", 0, "there is no group 1"),
            (r"(a)\2", 3, "there is no group 2"),
            (r"\k<n>", 0, "there is no group of this name: `\\k<name>`"),
            ("(?<n>a)(?<n>b)", 0, "two groups have the same name"),
            ("(?<1>a)", 0, "this is not a name of a group"),
            (r"\00", 0, "unrecognized escape sequence"),
            (r"\c1", 0, "`\\c` needs a letter"),
            (r"\x1", 0, "`\\x` needs two hexadecimal digits"),
            (
                r"\u{110000}",
                0,
                "`\\u` needs four hexadecimal digits, or a code point in braces",
            ),
            (r"\p{latin}", 0, "Unicode property not found"),
            (r"\pL", 0, "`\\p` needs a property: `\\p{L}`"),
            ("\\", 0, "a literal `\\` must be written `\\\\`"),
        ] {
            let reason = reason.to_owned();
            assert_eq!(
                translated(pattern, true),
                Err(Invalid { at, reason }),
                "{pattern}"
            );
        }
    }
}
