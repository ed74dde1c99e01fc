//! Translates patterns of Oniguruma, in the Perl syntax that jq uses, to those of `fancy-regex`.
//!
//! The output has no flags of its own except `i`: every construct that depends on flags, or that the two engines read differently, is
//! written out. A construct without an equivalent is an error, so that no pattern silently matches something else.

use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

use super::class::Class;
use super::scanner::{SPACE, Scanner, Translated, WORD, unsupported, wrong};

/// What a pattern means besides its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Options {
    pub ignores_case: bool,
    /// White space and comments are ignored.
    pub is_extended: bool,
    /// `.` matches line feeds.
    pub dot_matches_all: bool,
    /// `^` and `$` match at each line.
    is_multi_line: bool,
}

/// A translated pattern.
pub(super) struct Pattern {
    pub text: String,
    /// The names of the groups, which have none in the text.
    pub names: Vec<Option<String>>,
}

/// An open group.
struct Group {
    /// The options after it.
    outer: Options,
    /// Where it starts in the output.
    start: usize,
}

struct Translator<'p> {
    scanner: Scanner<'p>,
    options: Options,
    open: Vec<Group>,
    /// The names of the capturing groups so far.
    names: Vec<Option<String>>,
    /// Where the last atom starts in the output; `None` if a quantifier has no target.
    atom: Option<usize>,
    /// Whether the last atom has a quantifier.
    is_repeated: bool,
    is_anchor: bool,
    /// The numbers and names that are referred to before their definition.
    references: Vec<String>,
    texts: Texts,
}

/// What the texts that a pattern is matched with may contain. Other texts have faster patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Texts {
    /// A line feed at the end, before which `$` matches, too.
    pub has_final_line_feed: bool,
    /// Characters that are part of words in only one of the engines, such as fractions.
    pub has_unusual_words: bool,
}

impl Texts {
    pub(super) fn of(text: &str) -> Texts {
        let is_unusual =
            |c: char| (c.is_numeric() && !c.is_ascii()) || matches!(c, '\u{200c}' | '\u{200d}');
        Texts {
            has_final_line_feed: text.ends_with('\n'),
            has_unusual_words: !text.is_ascii() && text.chars().any(is_unusual),
        }
    }
}

/// The last count that a quantifier may have.
const MAX_REPEAT: u32 = 100_000;

/// A pattern as one of `fancy-regex`.
///
/// # Errors
///
/// The pattern is invalid, or has a construct without an equivalent.
pub(super) fn translate(pattern: &str, options: Options, texts: Texts) -> Translated<Pattern> {
    let mut translator = Translator {
        scanner: Scanner::new(pattern),
        options,
        open: Vec::new(),
        names: Vec::new(),
        atom: None,
        is_repeated: false,
        is_anchor: false,
        references: Vec::new(),
        texts,
    };
    if options.ignores_case {
        translator.scanner.out.push_str("(?i)");
    }
    while let Some(character) = translator.scanner.input.next() {
        translator.next(character)?;
    }
    translator.finish()
}

impl Translator<'_> {
    fn finish(self) -> Translated<Pattern> {
        if !self.open.is_empty() {
            return wrong("end pattern with unmatched parenthesis");
        }
        for reference in &self.references {
            let is_defined = match reference.parse::<usize>() {
                Ok(number) => (1..=self.names.len()).contains(&number),
                Err(_) => self.names.iter().flatten().any(|name| name == reference),
            };
            if !is_defined {
                return wrong("invalid backref number/name");
            }
        }
        Ok(Pattern {
            text: self.scanner.out,
            names: self.names,
        })
    }

    /// Appends an atom, which a quantifier may follow.
    fn atom(&mut self, text: &str) {
        self.start_atom();
        self.scanner.out.push_str(text);
    }

    fn start_atom(&mut self) {
        self.atom = Some(self.scanner.out.len());
        (self.is_repeated, self.is_anchor) = (false, false);
    }

    fn anchor(&mut self, text: &str) {
        self.atom(text);
        self.is_anchor = true;
    }

    fn literal(&mut self, character: char) {
        self.start_atom();
        self.scanner.push_literal(character);
    }

    fn next(&mut self, character: char) -> Translated {
        match character {
            '\\' => return self.escape(),
            '[' => {
                self.start_atom();
                return Class::new(&mut self.scanner).translate();
            }
            '(' => return self.group(),
            ')' => {
                let Some(group) = self.open.pop() else {
                    return wrong("unmatched close parenthesis");
                };
                self.scanner.out.push(')');
                self.options = group.outer;
                let is_look_around = ["(?=", "(?!", "(?<=", "(?<!"];
                let is_look_around =
                    is_look_around.map(|start| self.scanner.out[group.start..].starts_with(start));
                self.atom = Some(group.start);
                (self.is_repeated, self.is_anchor) = (false, is_look_around.contains(&true));
            }
            '|' => {
                self.scanner.out.push('|');
                self.atom = None;
            }
            '.' if self.options.dot_matches_all => self.atom("(?s:.)"),
            '.' => self.atom(r"[^\n]"),
            '^' if self.options.is_multi_line => self.anchor(r"(?:\A|(?<=\n)(?!\z))"),
            '^' => self.anchor(r"\A"),
            '$' if self.options.is_multi_line => self.anchor(r"(?:\z|(?=\n))"),
            '$' => self.end_of_text(),
            '*' => return self.repeat("*"),
            '+' => return self.repeat("+"),
            '?' => return self.repeat("?"),
            '{' => match self.interval()? {
                Some(interval) => return self.repeat(&interval),
                None => self.literal('{'),
            },
            '#' if self.options.is_extended => {
                while self.scanner.input.next_if(|&other| other != '\n').is_some() {}
            }
            ' ' | '\t' | '\n' | '\r' | '\x0c' if self.options.is_extended => {}
            _ => self.literal(character),
        }
        Ok(())
    }

    fn end_of_text(&mut self) {
        self.anchor(match self.texts.has_final_line_feed {
            true => r"(?:\z|(?=\n\z))",
            false => r"\z",
        });
    }

    /// `{2}`, `{2,}` or `{2,3}` after its brace; `None` if the brace stands for itself.
    fn interval(&mut self) -> Translated<Option<String>> {
        let mut ahead = self.scanner.input.clone();
        let number = |ahead: &mut Peekable<Chars<'_>>| -> Translated<Option<u32>> {
            let mut number = None;
            while let Some(digit) = ahead.peek().and_then(|digit| digit.to_digit(10)) {
                ahead.next();
                let next = number
                    .unwrap_or(0_u32)
                    .saturating_mul(10)
                    .saturating_add(digit);
                number = Some(next);
            }
            match number {
                Some(number) if number > MAX_REPEAT => wrong("too big number for repeat range"),
                number => Ok(number),
            }
        };
        let Some(least) = number(&mut ahead)? else {
            return Ok(None);
        };
        let mut text = least.to_string();
        if ahead.next_if_eq(&',').is_some() {
            text.push(',');
            if let Some(most) = number(&mut ahead)? {
                if ahead.peek() == Some(&'}') && most < least {
                    return wrong("upper is smaller than lower in repeat range");
                }
                text += &most.to_string();
            }
        }
        if ahead.next() != Some('}') {
            return Ok(None);
        }
        self.scanner.input = ahead;
        Ok(Some(format!("{{{text}}}")))
    }

    fn repeat(&mut self, quantifier: &str) -> Translated {
        let Some(start) = self.atom else {
            return wrong("target of repeat operator is not specified");
        };
        if self.is_anchor {
            return wrong("target of repeat operator is invalid");
        }
        if self.is_repeated {
            self.scanner.out.insert_str(start, "(?:");
            self.scanner.out.push(')');
        }
        self.scanner.out.push_str(quantifier);
        match self
            .scanner
            .input
            .next_if(|&next| matches!(next, '?' | '+'))
        {
            Some('?') => self.scanner.out.push('?'),
            Some(_) => {
                self.scanner.out.insert_str(start, "(?>");
                self.scanner.out.push(')');
            }
            None => {}
        }
        self.is_repeated = true;
        Ok(())
    }

    /// An opening parenthesis.
    fn group(&mut self) -> Translated {
        let start = self.scanner.out.len();
        let group = Group {
            outer: self.options,
            start,
        };
        if self.scanner.input.peek() == Some(&'*') {
            return unsupported("a callout, `(*`,");
        }
        if self.scanner.input.next_if_eq(&'?').is_none() {
            self.names.push(None);
            self.scanner.out.push('(');
            self.open(group);
            return Ok(());
        }
        match self.scanner.input.next() {
            Some(kind @ (':' | '=' | '!' | '>')) => {
                self.scanner.out.push_str("(?");
                self.scanner.out.push(kind);
            }
            Some('#') => {
                while let Some(character) = self.scanner.input.next() {
                    match character {
                        '\\' => drop(self.scanner.input.next()),
                        ')' => return Ok(()),
                        _ => {}
                    }
                }
                return wrong("end pattern in group");
            }
            Some('<') if matches!(self.scanner.input.peek(), Some('=' | '!')) => {
                self.scanner.out.push_str("(?<");
                self.scanner.out.extend(self.scanner.input.next());
            }
            Some('<') => self.named_group('>')?,
            Some('\'') => self.named_group('\'')?,
            Some('(') => {
                let reference = self.until(')')?;
                let quotes: &[char] = &['<', '>', '\''];
                self.references
                    .push(reference.trim_matches(quotes).to_owned());
                let _ = write!(self.scanner.out, "(?({reference})");
            }
            Some('~') => return unsupported("an absent group, `(?~`,"),
            Some('{') => return unsupported("a callout, `(?{`,"),
            Some('R' | '&' | '0'..='9' | '+') => return unsupported("a call of a group"),
            Some('-') if self.scanner.input.peek().is_some_and(char::is_ascii_digit) => {
                return unsupported("a call of a group");
            }
            Some(flag) => return self.flags(flag, group),
            None => return wrong("end pattern in group"),
        }
        self.open(group);
        Ok(())
    }

    fn open(&mut self, group: Group) {
        self.open.push(group);
        self.atom = None;
    }

    fn named_group(&mut self, end: char) -> Translated {
        let name = self.until(end)?;
        if name.is_empty() {
            return wrong("group name is empty");
        }
        let is_word = |c: char| c == '_' || c.is_alphanumeric();
        if name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(is_word) {
            return Err(format!("invalid group name <{name}>"));
        }
        // Groups may share a name, so they are numbered.
        self.scanner.out.push('(');
        self.names.push(Some(name));
        Ok(())
    }

    /// The text up to a character, which is skipped.
    fn until(&mut self, end: char) -> Translated<String> {
        let mut text = String::new();
        loop {
            match self.scanner.input.next() {
                Some(character) if character == end => return Ok(text),
                Some(character) => text.push(character),
                None => return Err(format!("invalid group name <{text}>")),
            }
        }
    }

    /// `(?i)` and `(?i:`, after the first flag.
    fn flags(&mut self, first: char, group: Group) -> Translated {
        let mut is_on = true;
        let mut flag = first;
        loop {
            match flag {
                '-' => is_on = false,
                'i' => self.options.ignores_case = is_on,
                'm' => self.options.is_multi_line = is_on,
                's' => self.options.dot_matches_all = is_on,
                'x' => self.options.is_extended = is_on,
                ')' | ':' => break,
                _ => return wrong("undefined group option"),
            }
            match self.scanner.input.next() {
                Some(next) => flag = next,
                None => return wrong("end pattern in group"),
            }
        }
        self.scanner.out.push_str("(?");
        self.scanner.out.push_str(match self.options.ignores_case {
            true => "i",
            false => "-i",
        });
        self.scanner.out.push(flag);
        match flag {
            ':' => self.open(group),
            _ => self.atom = None,
        }
        Ok(())
    }

    /// A backslash outside of brackets.
    fn escape(&mut self) -> Translated {
        let Some(&character) = self.scanner.input.peek() else {
            return wrong("end pattern at escape");
        };
        let class = match character {
            'w' => Some(format!("[{WORD}]")),
            'W' => Some(format!("[^{WORD}]")),
            's' => Some(format!("[{SPACE}]")),
            'S' => Some(format!("[^{SPACE}]")),
            'd' => Some(r"\p{Nd}".to_owned()),
            'D' => Some(r"\P{Nd}".to_owned()),
            'N' => Some(r"[^\n]".to_owned()),
            'O' => Some("(?s:.)".to_owned()),
            'R' => Some(r"(?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}])".to_owned()),
            _ => None,
        };
        if let Some(class) = class {
            self.scanner.input.next();
            self.atom(&class);
            return Ok(());
        }
        match character {
            'b' | 'B' if self.texts.has_unusual_words => {
                self.scanner.input.next();
                self.anchor(&match character {
                    'b' => format!("(?:(?<=[{WORD}])(?![{WORD}])|(?<![{WORD}])(?=[{WORD}]))"),
                    _ => format!("(?:(?<=[{WORD}])(?=[{WORD}])|(?<![{WORD}])(?![{WORD}]))"),
                });
            }
            'b' | 'B' | 'A' | 'z' | 'G' | 'K' => {
                self.scanner.input.next();
                self.anchor(&format!(r"\{character}"));
            }
            'Z' => {
                self.scanner.input.next();
                self.end_of_text();
            }
            'X' | 'y' | 'Y' => return unsupported(&format!(r"`\{character}`")),
            'Q' => {
                self.scanner.input.next();
                while let Some(character) = self.scanner.input.next() {
                    if character == '\\' && self.scanner.input.next_if_eq(&'E').is_some() {
                        break;
                    }
                    self.literal(character);
                }
            }
            'g' if self.is_reference() => return unsupported("a call of a group"),
            'k' if self.is_reference() => {
                self.scanner.input.next();
                let end = match self.scanner.input.next() {
                    Some('<') => '>',
                    _ => '\'',
                };
                let name = self.until(end)?;
                return self.back_reference(&name);
            }
            '1'..='9' => {
                let mut ahead = self.scanner.input.clone();
                let mut digits = String::new();
                while let Some(digit) = ahead.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                let number: usize = digits.parse().unwrap_or(usize::MAX);
                if number <= self.names.len() || number <= 9 {
                    self.scanner.input = ahead;
                    return self.back_reference(&digits);
                }
                return self.character();
            }
            'p' | 'P' => match self.scanner.property()? {
                Some(property) => self.atom(&property),
                None => self.literal(character),
            },
            _ => return self.character(),
        }
        Ok(())
    }

    /// Whether `<` or `'` follows the letter.
    fn is_reference(&self) -> bool {
        let mut ahead = self.scanner.input.clone();
        ahead.next();
        matches!(ahead.next(), Some('<' | '\''))
    }

    fn character(&mut self) -> Translated {
        let character = self.scanner.escaped(false)?;
        self.literal(character);
        Ok(())
    }

    /// A reference to a group by number, by a number relative to the next group, or by name.
    fn back_reference(&mut self, name: &str) -> Translated {
        let digits = name.trim_start_matches(['-', '+']);
        let number = match digits.parse::<usize>() {
            Ok(number) if name.starts_with('-') => (self.names.len() + 1).checked_sub(number),
            Ok(number) if name.starts_with('+') => Some(self.names.len() + number),
            Ok(number) => Some(number),
            Err(_) if name.contains(['+', '-']) => return unsupported("a level of recursion"),
            Err(_) => {
                let is_named =
                    |(_, other): &(usize, &Option<String>)| other.as_deref() == Some(name);
                let named = self.names.iter().enumerate().filter(is_named);
                let numbers: Vec<String> = named.map(|(at, _)| format!(r"\{}", at + 1)).collect();
                // Of several groups with the name, the last one that matched.
                let numbers = numbers.into_iter().rev().collect::<Vec<_>>().join("|");
                if numbers.is_empty() {
                    return Err(format!("undefined name <{name}> reference"));
                }
                self.atom(&format!("(?:{numbers})"));
                return Ok(());
            }
        };
        let Some(number) = number.filter(|&number| number > 0) else {
            return wrong("invalid backref number/name");
        };
        self.references.push(number.to_string());
        self.atom(&format!(r"(?:\{number})"));
        Ok(())
    }
}
